#include "curves.h"

#include "base/cancel.h"
#include "report/html.h"

#include <stdlib.h>
#include <string.h>

/* The curves of one file, whose two sides are read. */
static rg_error *read_file_curves(rg_curve **curves, size_t count, const rg_golden *old,
				  const rg_golden *new)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const rg_metric *before = rg_golden_find(old, curves[i]->row->metric);
		const rg_metric *after = rg_golden_find(new, curves[i]->row->metric);

		if (before && after)
			RG_TRY(rg_curve_read(curves[i], before, after));
	}
	return NULL;
}

static rg_error *read_pair(const curve_source *source, size_t index, rg_curve **curves,
			   size_t count)
{
	rg_golden *old = NULL, *new = NULL;
	rg_pair pair = {0};
	rg_error *err = source->load(source->context, 0, index, &pair);

	if (!err)
		err = rg_golden_read(&old, &pair.old_side, source->old_options);
	if (!err)
		err = rg_golden_read(&new, &pair.new_side, source->new_options);
	if (!err)
		err = read_file_curves(curves, count, old, new);
	rg_golden_free(new);
	rg_golden_free(old);
	/* It could be read a moment ago. */
	if (err && rg_error_get_code(err) != RG_E_NOMEM &&
	    rg_error_get_code(err) != RG_E_CANCELLED) {
		rg_error_free(err);
		return NULL;
	}
	return err;
}

static int compare_files(const void *a, const void *b)
{
	const rg_curve *x = *(rg_curve *const *)a, *y = *(rg_curve *const *)b;

	return (x->row->file_index > y->row->file_index) -
	       (x->row->file_index < y->row->file_index);
}

/* The comparison has its files in the order of the pairs, without those that were left out. */
static rg_error *read_all(rg_curve **curves, size_t count, const curve_source *source)
{
	size_t i, end, index = 0;

	qsort(curves, count, sizeof(*curves), compare_files);
	for (i = 0; i < count; i = end) {
		const rg_row *row = curves[i]->row;

		RG_TRY(rg_cancel_check());
		for (end = i; end < count && curves[end]->row->file_index == row->file_index;)
			end++;
		while (index < source->count &&
		       strcmp(source->name(source->context, index), row->file) != 0)
			index++;
		if (index < source->count)
			RG_TRY(read_pair(source, index, curves + i, end - i));
	}
	return NULL;
}

rg_error *curves_read(rg_curve_list *out, const rg_comparison *comparison,
		      const curve_source *source)
{
	rg_curve *sorted[RG_HTML_CURVES];
	size_t i;

	RG_TRY(rg_curves_pick(out, comparison, RG_HTML_CURVES));
	for (i = 0; i < out->count; i++)
		sorted[i] = &out->items[i];
	return read_all(sorted, out->count, source);
}

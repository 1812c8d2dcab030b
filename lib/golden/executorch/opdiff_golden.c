/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/builder.h"
#include "base/memory.h"
#include "golden/executorch/formats.h"
#include "golden/executorch/opdiff.h"
#include "golden/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Results of opdiff as goldens: a group of metrics an operator and backend. */

/* PREFIX/NAME; where one backend was asked for, ID/NAME. */
static char *name_of(const rg_opdiff_item *item, const char *group, const char *name)
{
	return group ? rg_textf("%s/%s/%s", item->id, group, name)
		     : rg_textf("%s/%s", item->id, name);
}

static rg_error *add_text(rg_golden_builder *b, const rg_opdiff_item *item, const char *group,
			  const char *name, const char *text)
{
	RG_AUTO_FREE char *full = name_of(item, group, name);
	return rg_golden_builder_text(b, full, strlen(full), text, strlen(text));
}

typedef enum { MS, MAX_ABS, MSE, MEAN_ABS, FIGURES } figure;
static const char *const figure_names[FIGURES] = {"ms", "max_abs", "mse", "mean_abs"};

static double figure_at(const rg_opdiff_result *r, figure f, size_t i)
{
	if (f == MS)
		return r->ms[i];
	if (!r->diffs[i].ok)
		return NAN;
	return f == MAX_ABS ? r->diffs[i].max_abs
	       : f == MSE   ? r->diffs[i].mse
			    : r->diffs[i].mean_abs;
}

/* A repeat without the figure leaves a hole in the series, not a NaN. */
static rg_error *add_figure(rg_golden_builder *b, const rg_opdiff_item *item, const char *group,
			    const rg_opdiff_result *r, figure f)
{
	size_t count = f == MS ? r->ms_count : r->diff_count, n = 0;

	for (size_t i = 0; i < count; i++)
		n += isnan(figure_at(r, f, i)) ? 0 : 1;
	if (!n)
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (!isnan(figure_at(r, f, i)))
			rg_golden_builder_value(b, (int64_t)i, figure_at(r, f, i));
	RG_AUTO_FREE char *full = name_of(item, group, figure_names[f]);
	RG_TRY(rg_golden_builder_series(b, full, strlen(full), NULL));
	if (f == MS)
		rg_golden_builder_unit(b, rg_unit_find("ms", 2));
	return NULL;
}

static rg_error *add_result(rg_golden_builder *b, const rg_opdiff_item *item, const char *group,
			    const rg_opdiff_result *r)
{
	RG_TRY(add_text(b, item, group, "status", rg_opdiff_status_texts[r->status]));
	rg_golden_builder_place(b, RG_SCALE_STATUS, r->status);
	/* An empty error is written, too: one that goes away is no lost metric. */
	RG_TRY(add_text(b, item, group, "err", r->err_count ? r->errs[0] : ""));
	if (r->target)
		RG_TRY(add_text(b, item, group, "code",
				r->state == RG_OPDIFF_DIFF_ERR ? rg_opdiff_code_texts[r->code]
							       : ""));
	for (int f = MS; f < FIGURES; f++)
		RG_TRY(add_figure(b, item, group, r, (figure)f));
	return NULL;
}

static rg_error *add_item(rg_golden_builder *b, const rg_opdiff_item *item, const char *backend)
{
	const rg_opdiff_result *r;
	if (backend) {
		r = rg_opdiff_backend(item, backend);
		return r ? add_result(b, item, NULL, r) : NULL;
	}
	r = item->baseline ? rg_opdiff_backend(item, item->baseline) : NULL;
	if (r && !r->target)
		RG_TRY(add_result(b, item, "baseline", r));
	for (size_t i = 0; i < item->result_count; i++)
		if (item->results[i].target)
			RG_TRY(add_result(b, item, item->results[i].backend, &item->results[i]));
	return NULL;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	RG_AUTO(rg_opdiff_run) run = {0};

	RG_TRY(rg_opdiff_read(&run, in->data, in->size, options->run_index));
	for (size_t i = 0; i < run.count; i++)
		RG_TRY(add_item(builder, &run.items[i], options->part));
	if (options->part && !builder->count && run.count)
		return rg_error_new(RG_E_USAGE, "no backend '%s' in it", options->part);
	builder->golden->duplicate_keys = run.duplicates;
	rg_unread_join(&builder->golden->unread, &run.unread, &builder->golden->arena);
	return NULL;
}

static int bid(const rg_input *in)
{
	return rg_opdiff_recognised(in->data, in->size) ? 110 : 0;
}

const rg_format rg_format_opdiff = {.name = "opdiff", .bid = bid, .read = read_golden};

/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/opdiff_compare.h"

#include "base/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const rg_opdiff_bucket_names[RG_OPDIFF_BUCKETS] = {
	"==0", "(0,1e-6]", "(1e-6,1e-4]", "(1e-4,1e-2]", "(1e-2,1e-1]", "(1e-1,1]", ">1"};
const double rg_opdiff_quantiles[RG_OPDIFF_QUANTILES] = {0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95};

size_t rg_opdiff_bucket(double value)
{
	static const double bounds[RG_OPDIFF_BUCKETS - 1] = {0, 1e-6, 1e-4, 1e-2, 1e-1, 1};
	size_t i = 0;

	while (i < RG_OPDIFF_BUCKETS - 1 && value > bounds[i])
		i++;
	return i;
}

typedef struct {
	double *items;
	size_t count, capacity;
} ratio_list;

/* Of two results that are OK: what else was timed did not do all of its work. */
static rg_error *add_ratio(ratio_list *list, const rg_opdiff_result *result,
			   const rg_opdiff_result *reference)
{
	double dividend = result->median_ms, divisor = reference->median_ms;
	double ratio = dividend / divisor;

	if (result->status != RG_OPDIFF_OK || reference->status != RG_OPDIFF_OK)
		return NULL;
	if (!(divisor > 0) || !(dividend > 0) || !isfinite(ratio))
		return NULL;
	RG_TRY(rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items)));
	list->items[list->count++] = ratio;
	return NULL;
}

/* Between the two nearest of the sorted values (NumPy's "linear"). */
static double quantile(const ratio_list *list, double q)
{
	double place = q * (double)(list->count - 1);
	size_t below = (size_t)place;
	double rest = place - (double)below;

	if (below + 1 >= list->count)
		return list->items[list->count - 1];
	return list->items[below] + rest * (list->items[below + 1] - list->items[below]);
}

/* Takes the list over. */
static void finish_ratios(rg_opdiff_ratios *out, ratio_list *list)
{
	size_t i, faster = 0;
	rg_sum logs = {0};

	*out = (rg_opdiff_ratios){.count = list->count,
				  .sorted = list->items,
				  .geometric_mean = NAN,
				  .median = NAN,
				  .p90 = NAN,
				  .share_faster = NAN};
	for (i = 0; i < RG_OPDIFF_QUANTILES; i++)
		out->quantiles[i] = NAN;
	if (!list->count)
		return;
	qsort(list->items, list->count, sizeof(*list->items), rg_compare_doubles);
	for (i = 0; i < list->count; i++) {
		rg_sum_add(&logs, log(list->items[i]));
		faster += list->items[i] < 1 ? 1 : 0;
	}
	out->geometric_mean = exp(rg_sum_total(&logs) / (double)list->count);
	out->median = quantile(list, 0.5);
	out->p90 = quantile(list, 0.9);
	out->share_faster = (double)faster / (double)list->count;
	for (i = 0; i < RG_OPDIFF_QUANTILES; i++)
		out->quantiles[i] = quantile(list, rg_opdiff_quantiles[i]);
}

static void count_result(rg_opdiff_column *column, const rg_opdiff_result *r)
{
	const double figures[RG_OPDIFF_FIGURES] = {r->median_max_abs, r->median_mse,
						   r->median_mean_abs};
	size_t i;

	column->statuses[r->status]++;
	for (i = 0; i < r->diff_count; i++)
		if (!r->diffs[i].ok)
			column->codes[r->diffs[i].code]++;
	for (i = 0; i < RG_OPDIFF_FIGURES; i++)
		if (!isnan(figures[i]))
			column->buckets[i][rg_opdiff_bucket(figures[i])]++;
}

static rg_error *add_column(rg_opdiff_comparison *out, const rg_opdiff_run *run,
			    const char *backend, bool new_side)
{
	rg_opdiff_column column = {.backend = backend, .new_side = new_side};
	ratio_list ratios = {0};
	rg_error *err = NULL;
	size_t i;

	for (i = 0; i < run->count && !err; i++) {
		const rg_opdiff_result *r = rg_opdiff_backend(&run->items[i], backend);

		if (!r)
			continue;
		count_result(&column, r);
		if (run->items[i].has_baseline)
			err = add_ratio(&ratios, r, &run->items[i].baseline);
	}
	finish_ratios(&column.to_baseline, &ratios);
	if (!err)
		err = rg_grow(&out->columns, &out->column_capacity, out->column_count + 1,
			      sizeof(*out->columns));
	if (err) {
		free(column.to_baseline.sorted);
		return err;
	}
	out->columns[out->column_count++] = column;
	return NULL;
}

typedef struct {
	const char **items;
	size_t count, capacity;
} name_list;

/* Each is held against all operators of a run. */
enum { BACKENDS_MAX = 256 };

/* The backends of a run, each once, in order; *left_out counts those after the first 256. */
static rg_error *list_backends(name_list *out, const rg_opdiff_run *run, const char *only,
			       size_t *left_out)
{
	size_t i, k, kept = 0;

	for (i = 0; i < run->count; i++)
		for (k = 0; k < run->items[i].result_count && !only; k++) {
			RG_TRY(rg_grow(&out->items, &out->capacity, out->count + 1,
				       sizeof(*out->items)));
			out->items[out->count++] = run->items[i].results[k].backend;
		}
	if (only) {
		RG_TRY(rg_grow(&out->items, &out->capacity, 1, sizeof(*out->items)));
		out->items[out->count++] = only;
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), rg_compare_texts);
	for (i = 0; i < out->count; i++)
		if (!kept || strcmp(out->items[kept - 1], out->items[i]) != 0)
			out->items[kept++] = out->items[i];
	out->count = kept < BACKENDS_MAX ? kept : BACKENDS_MAX;
	*left_out += kept - out->count;
	return NULL;
}

static rg_error *add_change(rg_opdiff_comparison *out, const rg_opdiff_item *item,
			    const rg_opdiff_result *old, const rg_opdiff_result *fresh)
{
	if (old->status == fresh->status)
		return NULL;
	RG_TRY(rg_grow(&out->changes, &out->change_capacity, out->change_count + 1,
		       sizeof(*out->changes)));
	out->changes[out->change_count++] =
		(rg_opdiff_change){item->id, fresh->backend, old->status, fresh->status};
	*(fresh->status > old->status ? &out->worse : &out->better) += 1;
	return NULL;
}

/* Operators on both sides, for one backend of each. */
static rg_error *pair_results(rg_opdiff_comparison *out, ratio_list *ratios,
			      const rg_opdiff_run *old, const rg_opdiff_run *fresh,
			      const char *old_backend, const char *new_backend)
{
	size_t i;

	for (i = 0; i < fresh->count; i++) {
		const rg_opdiff_item *item = &fresh->items[i];
		const rg_opdiff_item *before = rg_opdiff_find(old, item->id);
		const rg_opdiff_result *b = rg_opdiff_backend(item, new_backend);
		const rg_opdiff_result *a = before ? rg_opdiff_backend(before, old_backend) : NULL;

		if (a && b) {
			RG_TRY(add_change(out, item, a, b));
			RG_TRY(add_ratio(ratios, b, a));
		}
		out->new_only += b && !a ? 1 : 0;
	}
	for (i = 0; i < old->count; i++) {
		const rg_opdiff_item *after = rg_opdiff_find(fresh, old->items[i].id);

		out->old_only += rg_opdiff_backend(&old->items[i], old_backend) &&
						 !(after && rg_opdiff_backend(after, new_backend))
					 ? 1
					 : 0;
	}
	return NULL;
}

static int compare_changes(const void *a, const void *b)
{
	const rg_opdiff_change *left = a, *right = b;
	int left_worse = left->fresh > left->old, right_worse = right->fresh > right->old;
	int order = right_worse - left_worse;

	if (!order)
		order = strcmp(left->id, right->id);
	return order ? order : strcmp(left->backend, right->backend);
}

/* Both sides' backends, in order, each with its columns and pairs. */
static rg_error *compare_backends(rg_opdiff_comparison *out, ratio_list *ratios,
				  const rg_opdiff_run *old, const rg_opdiff_run *fresh,
				  const name_list *before, const name_list *after)
{
	size_t i = 0, k = 0;

	while (i < before->count || k < after->count) {
		int order = i == before->count  ? 1
			    : k == after->count ? -1
						: strcmp(before->items[i], after->items[k]);
		const char *a = order <= 0 ? before->items[i++] : NULL;
		const char *b = order >= 0 ? after->items[k++] : NULL;

		if (a)
			RG_TRY(add_column(out, old, a, false));
		if (b)
			RG_TRY(add_column(out, fresh, b, true));
		RG_TRY(pair_results(out, ratios, old, fresh, a ? a : b, b ? b : a));
	}
	return NULL;
}

/* One backend of each side, whatever they are called. */
static rg_error *compare_two(rg_opdiff_comparison *out, ratio_list *ratios,
			     const rg_opdiff_run *old, const rg_opdiff_run *fresh,
			     const char *old_backend, const char *new_backend)
{
	RG_TRY(add_column(out, old, old_backend, false));
	RG_TRY(add_column(out, fresh, new_backend, true));
	return pair_results(out, ratios, old, fresh, old_backend, new_backend);
}

rg_error *rg_opdiff_compare(rg_opdiff_comparison *out, const rg_opdiff_run *old,
			    const rg_opdiff_run *fresh, const char *old_backend,
			    const char *new_backend)
{
	name_list before = {0}, after = {0};
	ratio_list ratios = {0};
	rg_error *err;

	*out = (rg_opdiff_comparison){0};
	err = list_backends(&before, old, old_backend, &out->columns_left_out);
	if (!err)
		err = list_backends(&after, fresh, new_backend, &out->columns_left_out);
	if (!err)
		err = old_backend && new_backend
			      ? compare_two(out, &ratios, old, fresh, old_backend, new_backend)
			      : compare_backends(out, &ratios, old, fresh, &before, &after);
	finish_ratios(&out->new_to_old, &ratios);
	if (!err && out->change_count)
		qsort(out->changes, out->change_count, sizeof(*out->changes), compare_changes);
	free(after.items);
	free(before.items);
	return err;
}

void rg_opdiff_comparison_release(rg_opdiff_comparison *comparison)
{
	size_t i;

	for (i = 0; i < comparison->column_count; i++)
		free(comparison->columns[i].to_baseline.sorted);
	free(comparison->new_to_old.sorted);
	free(comparison->columns);
	free(comparison->changes);
	*comparison = (rg_opdiff_comparison){0};
}

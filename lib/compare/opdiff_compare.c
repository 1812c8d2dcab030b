/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/opdiff_compare.h"

#include "base/memory.h"
#include "base/median.h"
#include "base/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const rg_opdiff_bucket_names[RG_OPDIFF_BUCKETS] = {
	"==0",      "(0,1e-6]", "(1e-6,1e-4]", "(1e-4,1e-2]", "(1e-2,1e-1]",
	"(1e-1,1]", ">1",       "DIFF_ERR",    "MISSING"};
const double rg_opdiff_quantiles[RG_OPDIFF_QUANTILES] = {0.05, 0.1, 0.25, 0.75, 0.95};

enum { BUCKET_ERR = RG_OPDIFF_BUCKETS - 2, BUCKET_MISSING, SIZED = BUCKET_ERR };

size_t rg_opdiff_bucket(double value)
{
	static const double bounds[SIZED - 1] = {0, 1e-6, 1e-4, 1e-2, 1e-1, 1};
	size_t i = 0;

	if (isnan(value))
		return BUCKET_MISSING;
	while (i < SIZED - 1 && value > bounds[i])
		i++;
	return i;
}

typedef struct {
	double *items;
	size_t count, capacity;
} value_list;

static void add_value(value_list *list, double value)
{
	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = value;
}

/* Of two results that are OK: what else was timed did not do all of its work. */
static void add_ratio(value_list *list, const rg_opdiff_result *result,
		      const rg_opdiff_result *reference)
{
	double ratio = result->time / reference->time;
	if (ratio > 0 && isfinite(ratio))
		add_value(list, ratio);
}

/* Takes the list over. */
static void finish_values(rg_opdiff_values *out, value_list *list)
{
	size_t faster = 0;
	rg_sum logs = {0};

	*out = (rg_opdiff_values){.count = list->count,
				  .sorted = list->items,
				  .geometric_mean = NAN,
				  .median = rg_median(list->items, list->count),
				  .p90 = rg_quantile(list->items, list->count, 0.9),
				  .p99 = rg_quantile(list->items, list->count, 0.99),
				  .max = rg_quantile(list->items, list->count, 1),
				  .share_faster = NAN};
	for (size_t i = 0; i < RG_OPDIFF_QUANTILES; i++)
		out->quantiles[i] = rg_quantile(list->items, list->count, rg_opdiff_quantiles[i]);
	if (!list->count)
		return;
	qsort(list->items, list->count, sizeof(*list->items), rg_compare_doubles);
	for (size_t i = 0; i < list->count; i++) {
		rg_sum_add(&logs, log(list->items[i]));
		faster += list->items[i] < 1 ? 1 : 0;
	}
	out->geometric_mean = exp(rg_sum_total(&logs) / (double)list->count);
	out->share_faster = (double)faster / (double)list->count;
}

static void count_result(rg_opdiff_column *column, value_list *max_abs, const rg_opdiff_result *r)
{
	const double figures[RG_OPDIFF_FIGURES] = {r->median_max_abs, r->median_mse,
						   r->median_mean_abs};

	column->statuses[r->status]++;
	if (!r->target)
		return;
	column->targets++;
	column->codes[r->code] += r->state == RG_OPDIFF_DIFF_ERR ? 1 : 0;
	for (size_t i = 0; i < RG_OPDIFF_FIGURES; i++)
		column->buckets[i][r->state == RG_OPDIFF_DIFF_ERR ? BUCKET_ERR
								  : rg_opdiff_bucket(figures[i])]++;
	if (!isnan(r->median_max_abs))
		add_value(max_abs, r->median_max_abs);
}

static void count_results(rg_opdiff_column *column, value_list *max_abs, value_list *ratios,
			  const rg_opdiff_run *run, const rg_opdiff_baseline *baseline)
{
	for (size_t i = 0; i < run->count; i++) {
		const rg_opdiff_item *item = &run->items[i];
		const rg_opdiff_result *r = rg_opdiff_backend(item, column->backend), *reference;

		if (!r)
			continue;
		count_result(column, max_abs, r);
		reference = baseline->backend ? rg_opdiff_backend(item, baseline->backend) : NULL;
		if (reference)
			add_ratio(ratios, r, reference);
	}
}

static void add_column(rg_opdiff_comparison *out, const rg_opdiff_run *run, const char *backend,
		       bool new_side)
{
	const rg_opdiff_baseline *baseline = new_side ? &out->new_baseline : &out->old_baseline;
	value_list ratios = {0}, max_abs = {0};

	rg_grow(&out->columns, &out->column_capacity, out->column_count + 1, sizeof(*out->columns));
	rg_opdiff_column *column = &out->columns[out->column_count++];
	*column = (rg_opdiff_column){.backend = backend, .new_side = new_side};
	column->is_baseline = baseline->backend &&
			      (!strcmp(backend, baseline->backend) || !strcmp(backend, "baseline"));
	count_results(column, &max_abs, &ratios, run, baseline);
	finish_values(&column->to_baseline, &ratios);
	finish_values(&column->max_abs, &max_abs);
}

typedef struct {
	const char **items;
	size_t count, capacity;
} name_list;

static void add_name(name_list *list, const char *name)
{
	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = name;
}

/* Each is held against all operators of a run. */
enum { BACKENDS_MAX = 256 };

/* The backends of a run, each once, in order; *left_out counts those after the first 256. */
static void list_backends(name_list *out, const rg_opdiff_run *run, const char *only,
			  size_t *left_out)
{
	size_t kept = 0;
	for (size_t i = 0; i < run->count && !only; i++)
		for (size_t k = 0; k < run->items[i].result_count; k++)
			add_name(out, run->items[i].results[k].backend);
	if (only)
		add_name(out, only);
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), rg_compare_texts);
	for (size_t i = 0; i < out->count; i++)
		if (!kept || strcmp(out->items[kept - 1], out->items[i]) != 0)
			out->items[kept++] = out->items[i];
	out->count = kept < BACKENDS_MAX ? kept : BACKENDS_MAX;
	*left_out += kept - out->count;
}

static void find_baseline(rg_opdiff_baseline *out, const rg_opdiff_run *run)
{
	size_t same = 0, most = 0, names = 0;
	name_list list = {0};

	for (size_t i = 0; i < run->count; i++)
		if (run->items[i].baseline)
			add_name(&list, run->items[i].baseline);
	if (list.count)
		qsort(list.items, list.count, sizeof(*list.items), rg_compare_texts);
	for (size_t i = 0; i < list.count; i++) {
		same = i && !strcmp(list.items[i - 1], list.items[i]) ? same + 1 : 1;
		names += same == 1 ? 1 : 0;
		if (same > most) {
			most = same;
			out->backend = list.items[i];
		}
	}
	out->others = names ? names - 1 : 0;
	free(list.items);
}

/* Worse, better, or as bad for another reason. Of one status, what went wrong is worse than
 * nothing: an output that cannot be compared any more. */
static int rank_of(const rg_opdiff_change *change)
{
	if (change->fresh != change->old)
		return change->fresh > change->old ? 0 : 1;
	return !*change->old_why ? 0 : !*change->why ? 1 : 2;
}

static void add_change(rg_opdiff_comparison *out, const rg_opdiff_item *item,
		       const rg_opdiff_result *old, const rg_opdiff_result *fresh)
{
	const rg_opdiff_change change = {item->id,      fresh->backend,     old->status,
					 fresh->status, rg_opdiff_why(old), rg_opdiff_why(fresh)};
	size_t *const counts[] = {&out->worse, &out->better, &out->other};

	if (change.old == change.fresh && !strcmp(change.old_why, change.why))
		return;
	rg_grow(&out->changes, &out->change_capacity, out->change_count + 1, sizeof(*out->changes));
	out->changes[out->change_count++] = change;
	*counts[rank_of(&change)] += 1;
}

/* Operators on both sides, for one backend of each. */
static void pair_results(rg_opdiff_comparison *out, value_list *ratios, const rg_opdiff_run *old,
			 const rg_opdiff_run *fresh, const char *old_backend,
			 const char *new_backend)
{
	for (size_t i = 0; i < fresh->count; i++) {
		const rg_opdiff_item *item = &fresh->items[i];
		const rg_opdiff_item *before = rg_opdiff_find(old, item->id);
		const rg_opdiff_result *b = rg_opdiff_backend(item, new_backend);
		const rg_opdiff_result *a = before ? rg_opdiff_backend(before, old_backend) : NULL;

		if (a && b) {
			add_change(out, item, a, b);
			if (a->target || b->target)
				add_ratio(ratios, b, a);
		}
		out->new_only += b && !a ? 1 : 0;
	}
	for (size_t i = 0; i < old->count; i++) {
		const rg_opdiff_item *after = rg_opdiff_find(fresh, old->items[i].id);
		out->old_only += rg_opdiff_backend(&old->items[i], old_backend) &&
						 !(after && rg_opdiff_backend(after, new_backend))
					 ? 1
					 : 0;
	}
}

static int compare_changes(const void *a, const void *b)
{
	const rg_opdiff_change *left = a, *right = b;
	int order = rank_of(left) - rank_of(right);

	if (!order)
		order = strcmp(left->id, right->id);
	return order ? order : strcmp(left->backend, right->backend);
}

/* Both sides' backends, in order, each with its columns and pairs. */
static void compare_backends(rg_opdiff_comparison *out, value_list *ratios,
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
			add_column(out, old, a, false);
		if (b)
			add_column(out, fresh, b, true);
		pair_results(out, ratios, old, fresh, a ? a : b, b ? b : a);
	}
}

/* One backend of each side, whatever they are called. */
static void compare_two(rg_opdiff_comparison *out, value_list *ratios, const rg_opdiff_run *old,
			const rg_opdiff_run *fresh, const char *old_backend,
			const char *new_backend)
{
	add_column(out, old, old_backend, false);
	add_column(out, fresh, new_backend, true);
	pair_results(out, ratios, old, fresh, old_backend, new_backend);
}

static void compare_alone(rg_opdiff_comparison *out, const rg_opdiff_run *run,
			  const name_list *backends)
{
	for (size_t i = 0; i < backends->count; i++)
		add_column(out, run, backends->items[i], true);
}

static void compare_lists(rg_opdiff_comparison *out, const rg_opdiff_run *old,
			  const rg_opdiff_run *fresh, const char *old_backend,
			  const char *new_backend)
{
	name_list before = {0}, after = {0};
	value_list ratios = {0};

	if (old)
		list_backends(&before, old, old_backend, &out->columns_left_out);
	list_backends(&after, fresh, new_backend, &out->columns_left_out);
	if (!old) {
		compare_alone(out, fresh, &after);
	} else {
		if (old_backend && new_backend)
			compare_two(out, &ratios, old, fresh, old_backend, new_backend);
		else
			compare_backends(out, &ratios, old, fresh, &before, &after);
	}
	finish_values(&out->new_to_old, &ratios);
	if (!new_backend)
		rg_opdiff_overview_make(&out->overview, fresh, after.items, after.count);
	free(after.items);
	free(before.items);
}

void rg_opdiff_compare(rg_opdiff_comparison *out, const rg_opdiff_run *old,
		       const rg_opdiff_run *fresh, const char *old_backend, const char *new_backend)
{
	*out = (rg_opdiff_comparison){
		.alone = !old, .runs = fresh->merged, .operators = fresh->count};
	if (old)
		find_baseline(&out->old_baseline, old);
	find_baseline(&out->new_baseline, fresh);
	compare_lists(out, old, fresh, old_backend, new_backend);
	if (out->change_count)
		qsort(out->changes, out->change_count, sizeof(*out->changes), compare_changes);
	rg_opdiff_errors(&out->errors, old, fresh, old_backend, new_backend);
}

void rg_opdiff_comparison_release(rg_opdiff_comparison *comparison)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		free(comparison->columns[i].to_baseline.sorted);
		free(comparison->columns[i].max_abs.sorted);
	}
	rg_opdiff_overview_release(&comparison->overview);
	rg_opdiff_errors_release(&comparison->errors);
	free(comparison->new_to_old.sorted);
	free(comparison->columns);
	free(comparison->changes);
	*comparison = (rg_opdiff_comparison){0};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/format_view.h"

#include "base/json.h"
#include "base/memory.h"
#include "report/summary_view.h"
#include "report/template_data.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- figures --- */

/* Values that a line is drawn of. */
enum { DRAWN_MAX = 400 };

/* Where the `i`th drawn one of `count` values is in their list, in order of size: templates/page.js
 * knows it, too. */
static size_t drawn_place(size_t i, size_t count)
{
	return count > DRAWN_MAX ? (size_t)((double)i * (double)(count - 1) / (DRAWN_MAX - 1)) : i;
}

/* What a figure draws of values: all, or evenly taken ones of many. */
static void put_drawn(cJSON *object, const rg_opdiff_values *values)
{
	cJSON *list = rg_build_list(object, "drawn");
	for (size_t i = 0; i < values->count && i < DRAWN_MAX; i++)
		cJSON_AddItemToArray(
			list, cJSON_CreateNumber(values->sorted[drawn_place(i, values->count)]));
}

/* What the page has a colour for: 5 % each. */
enum { SHADES = 20 };

void rg_opdiff_put_shades(cJSON *item)
{
	const cJSON *share = cJSON_IsObject(item) ? rg_json_member(item, "share") : NULL;
	if (share && cJSON_IsNumber(share)) {
		const double shade = round(fmin(fmax(share->valuedouble, 0), 100) / 100 * SHADES);
		rg_build_remove(item, "shade");
		rg_build_count(item, "shade", (size_t)shade);
	}
	for (item = item->child; item; item = item->next)
		rg_opdiff_put_shades(item);
}

/* --- the keys --- */

#define OF rg_opdiff_change
static const rg_json_field change_fields[] = {
	RG_KEY(id, "The operator."),
	RG_KEY(backend, "The backend."),
	RG_KEY_WORD("before", old, rg_opdiff_status_texts, "The old status."),
	RG_KEY_WORD("now", fresh, rg_opdiff_status_texts, "The new status."),
	RG_KEY_AS("before_why", old_why,
		  "What had gone wrong: its error, or the code of its differences; \"\": nothing."),
	RG_KEY_AS("now_why", why, "What went wrong."),
	{0}};
#undef OF

static const rg_json_field name_fields[] = {RG_SAID("name", TEXT, "Its name."), {0}};

static const rg_json_field baseline_fields[] = {
	RG_SAID_OR_NULL("side", TEXT, "Null: of the file, or of both."),
	RG_SAID("backend", TEXT, "Its name."),
	RG_SAID("others", COUNT, "Further baselines in the file."),
	{0}};

static const rg_json_field share_fields[] = {
	RG_SAID("n", COUNT, "Operators."),
	RG_SAID("share", NUMBER, "Its percentage of the list."),
	{0}};

static const rg_json_field figure_fields[] = {
	RG_SAID("figure", TEXT, "Its name."),
	RG_SAID("is_max_abs", TRUTH, "It is max_abs."),
	RG_SAID_OF("buckets", LIST, ALWAYS, share_fields,
		   "Operators, as \"bucket_heads\" names them, by the median over repeats."),
	{0}};

#define OF rg_opdiff_values
static const rg_json_field errors_fields[] = {
	RG_KEY_AS("n", count, "How many there are."),
	RG_KEY_OR_NULL(median, "Their median; null where there is none, as all of the figures."),
	RG_KEY_OR_NULL(p90, "The 90th percentile, by the nearest rank."),
	RG_KEY_OR_NULL(p99, "The 99th percentile."),
	RG_KEY_OR_NULL(max, "The largest."),
	RG_SAID("drawn", NUMBERS,
		"What a figure draws of them, ascending: all, or 400 evenly taken."),
	{0}};
#undef OF

static const rg_json_field quantile_fields[] = {RG_SAID_OR_NULL("value", NUMBER, "The quantile."),
						{0}};

#define OF rg_opdiff_values
static const rg_json_field ratio_fields[] = {
	RG_KEY_AS("n", count, "How many there are."),
	RG_KEY_OR_NULL(geometric_mean,
		       "Their geometric mean; null where there is none, as all of the figures."),
	RG_KEY_OR_NULL(median, "Their median."),
	RG_KEY_OR_NULL(p90, "The 90th percentile, by the nearest rank."),
	RG_SAID_OR_NULL("faster", NUMBER, "The percentage under 1."),
	RG_SAID_OF("quantiles", LIST, ALWAYS, quantile_fields,
		   "As \"quantile_heads\" names them, by the nearest rank."),
	RG_SAID("drawn", NUMBERS,
		"What a figure draws of them, ascending: all, or 400 evenly taken."),
	{0}};
#undef OF

static const rg_json_field column_fields[] = {
	RG_SAID_OF("figures", LIST, ALWAYS, figure_fields,
		   "The sizes of errors; empty where it only was a baseline."),
	RG_SAID("side", TEXT, "'old' or 'new'."),
	RG_SAID("backend", TEXT, "Its name."),
	RG_SAID("is_baseline", TRUTH, "It is the one of \"baselines\"."),
	RG_SAID("operators", COUNT, "Operators that it has a status of."),
	RG_SAID("ok", NUMBER, "The percentage of them that is OK."),
	RG_SAID_OF("statuses", LIST, ALWAYS, share_fields,
		   "Operators, as \"status_heads\" names them."),
	RG_SAID("targets", COUNT, "Operators that it ran beside the baseline."),
	RG_SAID_OF("codes", LIST, ALWAYS, share_fields,
		   "Operators by their first code, as \"code_heads\" names them."),
	RG_SAID_OF("max_abs", OBJECT, ALWAYS, errors_fields, "Medians over repeats, by operator."),
	RG_SAID_OF("times", OBJECT, ALWAYS, ratio_fields, "Times as a ratio to the baseline's."),
	{0}};

#define OF rg_opdiff_problem
static const rg_json_field problem_fields[] = {RG_KEY(id, "The operator."),
					       RG_KEY(op, "Of its first case."),
					       RG_KEY(bad, "Backends that are not OK."),
					       RG_KEY(ok, "Backends that are."),
					       {0}};
#undef OF

static const rg_json_field overlap_cell_fields[] = {
	RG_SAID("n", COUNT, "Operators where both are OK."),
	RG_SAID("of", COUNT, "Operators where both have a status."),
	RG_SAID("share", NUMBER, "The percentage."),
	{0}};

static const rg_json_field overlap_fields[] = {
	RG_SAID("name", TEXT, "Its name."),
	RG_SAID_OF("cells", LIST, ALWAYS, overlap_cell_fields, "As \"overlap_heads\" names them."),
	{0}};

#define OF rg_opdiff_error_group
static const rg_json_field error_group_fields[] = {
	RG_KEY(group, "What they have in common, '*' for the rest, or the first line."),
	RG_KEY_AS("before", old, "Errors of the old side."),
	RG_KEY_AS("now", fresh, "Errors of the new side."),
	RG_KEY(id, "An operator, for example."),
	RG_KEY(text, "Its error."),
	{0}};
#undef OF

static const rg_json_field error_list_fields[] = {
	RG_SAID("backend", TEXT, "Its name."),
	RG_SAID_OF("groups", LIST, ALWAYS, error_group_fields,
		   "Errors of a kind, the most frequent first."),
	{0}};

#define OF rg_opdiff_comparison
const rg_json_field rg_opdiff_fields[] = {
	RG_SAID("title", TEXT, "The file's name."),
	RG_KEY(alone, "There is no old side."),
	RG_KEY(runs, "Runs of the new side's file, which are merged."),
	RG_KEY(operators, "Operators of the new side."),
	RG_KEY(worse, "Results that got worse."),
	RG_KEY(better, "Results that got better."),
	RG_KEY(other, "Results of the same status that went wrong otherwise."),
	RG_KEY(old_only, "Results of the old side only."),
	RG_KEY(new_only, "Results of the new side only."),
	RG_KEY_LIST("changes", changes, change_count, change_fields,
		    "Results whose status changed, or what went wrong."),
	RG_SAID_OF("status_heads", LIST, ALWAYS, name_fields, "The statuses."),
	RG_SAID_OF("code_heads", LIST, ALWAYS, name_fields, "The codes instead of errors."),
	RG_SAID_OF("bucket_heads", LIST, ALWAYS, name_fields, "The sizes of errors."),
	RG_SAID_OF("quantile_heads", LIST, ALWAYS, name_fields, "The quantiles."),
	RG_SAID_OF("baselines", LIST, ALWAYS, baseline_fields,
		   "Whose times the others' are held against."),
	RG_SAID_OF("columns", LIST, ALWAYS, column_fields, "The backends of each side."),
	RG_SAID("any_targets", COUNT, "Whether there are \"figures\": the sum of \"targets\"."),
	RG_SAID("any_codes", COUNT, "Operators with a code, in all."),
	RG_SAID("columns_more", COUNT, "Backends that are left out."),
	RG_SAID_OF("problems", LIST, ALWAYS, problem_fields,
		   "The operators that most backends of the new side fail, 20 at most."),
	RG_SAID("problems_more", COUNT, "Further operators that some backend fails."),
	RG_SAID_OF("overlap_heads", LIST, ALWAYS, name_fields, "The backends of \"overlaps\"."),
	RG_SAID_OF("overlaps", LIST, ALWAYS, overlap_fields,
		   "Operators of the new side where two backends are OK."),
	RG_SAID("overlaps_more", COUNT, "Backends that are left out of \"overlaps\"."),
	RG_SAID_OF("error_lists", LIST, ALWAYS, error_list_fields, "What went wrong, by backend."),
	RG_SAID_OF("new_to_old", OBJECT, ALWAYS, ratio_fields, "New times as a ratio to old ones."),
	{0}};
#undef OF

/* Operators that are listed as the most problematic. */
enum { PROBLEMS_MAX = 20 };

static cJSON *put_name(cJSON *list, const char *name)
{
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "name", name);
	return item;
}

static double percent(size_t part, size_t total)
{
	return total ? 100.0 * (double)part / (double)total : 0;
}

static void put_cells(cJSON *object, const char *name, const size_t *counts, size_t n)
{
	cJSON *cells = rg_build_list(object, name);
	size_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += counts[i];
	for (size_t i = 0; i < n; i++) {
		cJSON *item = rg_build_item(cells);
		rg_build_count(item, "n", counts[i]);
		rg_build_number(item, "share", percent(counts[i], total));
	}
}

static void put_heads(cJSON *view)
{
	cJSON *list = rg_build_list(view, "status_heads");
	for (size_t i = 0; i < RG_OPDIFF_STATUSES; i++)
		put_name(list, rg_opdiff_status_text((rg_opdiff_status)i));
	list = rg_build_list(view, "code_heads");
	for (size_t i = 0; i < RG_OPDIFF_CODES; i++)
		put_name(list, rg_opdiff_code_text((rg_opdiff_code)i));
	list = rg_build_list(view, "bucket_heads");
	for (size_t i = 0; i < RG_OPDIFF_BUCKETS; i++)
		put_name(list, rg_opdiff_bucket_names[i]);
	list = rg_build_list(view, "quantile_heads");
	for (size_t i = 0; i < RG_OPDIFF_QUANTILES; i++)
		rg_build_textf(rg_build_item(list), "name", "%g %%", 100 * rg_opdiff_quantiles[i]);
}

static void put_ratios(cJSON *parent, const char *name, const rg_opdiff_values *r)
{
	cJSON *object = rg_build_object(parent, name);
	rg_build_fields(object, ratio_fields, r);
	rg_build_defined(object, "faster", 100 * r->share_faster);
	cJSON *quantiles = rg_build_list(object, "quantiles");
	for (size_t i = 0; i < RG_OPDIFF_QUANTILES; i++)
		rg_build_defined(rg_build_item(quantiles), "value", r->quantiles[i]);
	put_drawn(object, r);
}

static void put_errors(cJSON *parent, const char *name, const rg_opdiff_values *r)
{
	cJSON *object = rg_build_object(parent, name);
	rg_build_fields(object, errors_fields, r);
	put_drawn(object, r);
}

static const char *const figure_names[RG_OPDIFF_FIGURES] = {"max_abs", "mse", "mean_abs"};

static void put_column(cJSON *columns, const rg_opdiff_column *column)
{
	cJSON *item = rg_build_item(columns), *figures = rg_build_list(item, "figures");
	size_t total = 0;

	rg_build_text(item, "side", column->new_side ? "new" : "old");
	rg_build_text(item, "backend", column->backend);
	rg_build_truth(item, "is_baseline", column->is_baseline);
	for (size_t i = 0; i < RG_OPDIFF_STATUSES; i++)
		total += column->statuses[i];
	rg_build_count(item, "operators", total);
	rg_build_number(item, "ok", percent(column->statuses[RG_OPDIFF_OK], total));
	put_cells(item, "statuses", column->statuses, RG_OPDIFF_STATUSES);
	rg_build_count(item, "targets", column->targets);
	put_cells(item, "codes", column->codes, RG_OPDIFF_CODES);
	for (size_t i = 0; column->targets && i < RG_OPDIFF_FIGURES; i++) {
		cJSON *figure = rg_build_item(figures);
		rg_build_text(figure, "figure", figure_names[i]);
		rg_build_truth(figure, "is_max_abs", i == RG_OPDIFF_MAX_ABS);
		put_cells(figure, "buckets", column->buckets[i], RG_OPDIFF_BUCKETS);
	}
	put_errors(item, "max_abs", &column->max_abs);
	put_ratios(item, "times", &column->to_baseline);
}

static void put_columns(cJSON *view, const rg_opdiff_comparison *comparison)
{
	cJSON *columns = rg_build_list(view, "columns");
	size_t codes = 0, targets = 0;

	for (size_t i = 0; i < comparison->column_count; i++) {
		const rg_opdiff_column *column = &comparison->columns[i];
		put_column(columns, column);
		targets += column->targets;
		for (size_t k = 0; k < RG_OPDIFF_CODES; k++)
			codes += column->codes[k];
	}
	rg_build_count(view, "any_targets", targets);
	rg_build_count(view, "any_codes", codes);
	rg_build_count(view, "columns_more", comparison->columns_left_out);
}

static void put_baseline(cJSON *list, const char *side, const rg_opdiff_baseline *baseline)
{
	if (!baseline->backend)
		return;
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "side", side);
	rg_build_text(item, "backend", baseline->backend);
	rg_build_count(item, "others", baseline->others);
}

static void put_baselines(cJSON *view, const rg_opdiff_comparison *comparison)
{
	const char *old = comparison->old_baseline.backend,
		   *fresh = comparison->new_baseline.backend;
	cJSON *list = rg_build_list(view, "baselines");
	bool same = old && fresh && !strcmp(old, fresh) && !comparison->old_baseline.others &&
		    !comparison->new_baseline.others;

	if (!same)
		put_baseline(list, "old", &comparison->old_baseline);
	put_baseline(list, same || comparison->alone ? NULL : "new", &comparison->new_baseline);
}

static void put_problems(cJSON *view, const rg_opdiff_overview *overview)
{
	size_t count = overview->problem_count;
	size_t shown = count < PROBLEMS_MAX ? count : PROBLEMS_MAX;

	rg_build_items(view, "problems", problem_fields, overview->problems, shown,
		       sizeof(*overview->problems));
	rg_build_count(view, "problems_more", count - shown);
}

/* The matrix of those that are both OK; of one backend there is none. */
static void put_overlaps(cJSON *view, const rg_opdiff_overview *overview)
{
	cJSON *heads = rg_build_list(view, "overlap_heads"),
	      *rows = rg_build_list(view, "overlaps");
	size_t count = overview->backend_count < 2 ? 0 : overview->backend_count;

	for (size_t i = 0; i < count; i++) {
		cJSON *row = put_name(rows, overview->backends[i]),
		      *cells = rg_build_list(row, "cells");

		put_name(heads, overview->backends[i]);
		for (size_t k = 0; k < count; k++) {
			const rg_opdiff_overlap *overlap = &overview->overlaps[i * count + k];
			cJSON *cell = rg_build_item(cells);

			rg_build_count(cell, "n", overlap->ok);
			rg_build_count(cell, "of", overlap->seen);
			rg_build_number(cell, "share", percent(overlap->ok, overlap->seen));
		}
	}
	rg_build_count(view, "overlaps_more", count ? overview->left_out : 0);
}

/* A list for each backend, so that each has its most frequent ones shown. */
static void put_error_lists(cJSON *view, const rg_opdiff_error_list *all)
{
	cJSON *lists = rg_build_list(view, "error_lists");
	for (size_t i = 0, end; i < all->count; i = end) {
		const rg_opdiff_error_group *first = &all->items[i];
		cJSON *item = rg_build_item(lists);

		for (end = i + 1; end < all->count; end++)
			if (strcmp(all->items[end].backend, first->backend) != 0)
				break;
		rg_build_text(item, "backend", first->backend);
		rg_build_items(item, "groups", error_group_fields, first, end - i, sizeof(*first));
	}
}

rg_error *rg_opdiff_view(cJSON **out, const rg_opdiff_comparison *comparison, const char *title)
{
	cJSON *view = cJSON_CreateObject();
	rg_build_text(view, "title", title);
	rg_build_fields(view, rg_opdiff_fields, comparison);
	put_heads(view);
	put_baselines(view, comparison);
	put_columns(view, comparison);
	put_problems(view, &comparison->overview);
	put_overlaps(view, &comparison->overview);
	put_error_lists(view, &comparison->errors);
	put_ratios(view, "new_to_old", &comparison->new_to_old);
	return rg_summary_view_close(out, view);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/format_view.h"
#include "report/opdiff_figures.h"
#include "report/summary_view.h"
#include "report/template_data.h"

#include <string.h>

/* Operators that are listed as the most problematic. */
enum { PROBLEMS_MAX = 20 };

static cJSON *put_name(bool *failed, cJSON *list, const char *name)
{
	cJSON *item = rg_build_item(failed, list);
	rg_build_text(failed, item, "name", name);
	return item;
}

static double percent(size_t part, size_t total)
{
	return total ? 100.0 * (double)part / (double)total : 0;
}

static void put_cells(bool *failed, cJSON *object, const char *name, const size_t *counts, size_t n)
{
	cJSON *cells = rg_build_list(failed, object, name);
	size_t total = 0;

	for (size_t i = 0; i < n; i++)
		total += counts[i];
	for (size_t i = 0; i < n; i++) {
		cJSON *item = rg_build_item(failed, cells);
		rg_build_count(failed, item, "n", counts[i]);
		rg_build_number(failed, item, "share", percent(counts[i], total));
	}
}

static void put_heads(bool *failed, cJSON *view)
{
	cJSON *list = rg_build_list(failed, view, "status_heads");
	for (size_t i = 0; i < RG_OPDIFF_STATUSES; i++)
		put_name(failed, list, rg_opdiff_status_text((rg_opdiff_status)i));
	list = rg_build_list(failed, view, "code_heads");
	for (size_t i = 0; i < RG_OPDIFF_CODES; i++)
		put_name(failed, list, rg_opdiff_code_text((rg_opdiff_code)i));
	list = rg_build_list(failed, view, "bucket_heads");
	for (size_t i = 0; i < RG_OPDIFF_BUCKETS; i++)
		put_name(failed, list, rg_opdiff_bucket_names[i]);
	list = rg_build_list(failed, view, "quantile_heads");
	for (size_t i = 0; i < RG_OPDIFF_QUANTILES; i++)
		rg_build_textf(failed, rg_build_item(failed, list), "name", "%g %%",
			       100 * rg_opdiff_quantiles[i]);
}

static void put_ratios(bool *failed, cJSON *parent, const char *name, const rg_opdiff_values *r)
{
	cJSON *object = rg_build_object(failed, parent, name), *quantiles;
	rg_build_count(failed, object, "n", r->count);
	rg_build_defined(failed, object, "geometric_mean", r->geometric_mean);
	rg_build_defined(failed, object, "median", r->median);
	rg_build_defined(failed, object, "p90", r->p90);
	rg_build_defined(failed, object, "faster", 100 * r->share_faster);
	quantiles = rg_build_list(failed, object, "quantiles");
	for (size_t i = 0; i < RG_OPDIFF_QUANTILES; i++)
		rg_build_defined(failed, rg_build_item(failed, quantiles), "value",
				 r->quantiles[i]);
	rg_opdiff_put_drawn(failed, object, r);
}

static void put_errors(bool *failed, cJSON *parent, const char *name, const rg_opdiff_values *r)
{
	cJSON *object = rg_build_object(failed, parent, name);
	rg_build_count(failed, object, "n", r->count);
	rg_build_defined(failed, object, "median", r->median);
	rg_build_defined(failed, object, "p90", r->p90);
	rg_build_defined(failed, object, "p99", r->p99);
	rg_build_defined(failed, object, "max", r->max);
	rg_opdiff_put_drawn(failed, object, r);
}

static const char *const figure_names[RG_OPDIFF_FIGURES] = {"max_abs", "mse", "mean_abs"};

static void put_column(bool *failed, cJSON *columns, const rg_opdiff_column *column)
{
	cJSON *item = rg_build_item(failed, columns),
	      *figures = rg_build_list(failed, item, "figures");
	size_t total = 0;

	rg_build_text(failed, item, "side", column->new_side ? "new" : "old");
	rg_build_text(failed, item, "backend", column->backend);
	rg_build_truth(failed, item, "is_baseline", column->is_baseline);
	for (size_t i = 0; i < RG_OPDIFF_STATUSES; i++)
		total += column->statuses[i];
	rg_build_count(failed, item, "operators", total);
	rg_build_number(failed, item, "ok", percent(column->statuses[RG_OPDIFF_OK], total));
	put_cells(failed, item, "statuses", column->statuses, RG_OPDIFF_STATUSES);
	rg_build_count(failed, item, "targets", column->targets);
	put_cells(failed, item, "codes", column->codes, RG_OPDIFF_CODES);
	for (size_t i = 0; column->targets && i < RG_OPDIFF_FIGURES; i++) {
		cJSON *figure = rg_build_item(failed, figures);
		rg_build_text(failed, figure, "figure", figure_names[i]);
		rg_build_truth(failed, figure, "is_max_abs", i == RG_OPDIFF_MAX_ABS);
		put_cells(failed, figure, "buckets", column->buckets[i], RG_OPDIFF_BUCKETS);
	}
	put_errors(failed, item, "max_abs", &column->max_abs);
	put_ratios(failed, item, "times", &column->to_baseline);
}

static void put_columns(bool *failed, cJSON *view, const rg_opdiff_comparison *comparison)
{
	cJSON *columns = rg_build_list(failed, view, "columns");
	size_t codes = 0, targets = 0;

	for (size_t i = 0; i < comparison->column_count; i++) {
		const rg_opdiff_column *column = &comparison->columns[i];
		put_column(failed, columns, column);
		targets += column->targets;
		for (size_t k = 0; k < RG_OPDIFF_CODES; k++)
			codes += column->codes[k];
	}
	rg_build_count(failed, view, "any_targets", targets);
	rg_build_count(failed, view, "any_codes", codes);
	rg_build_count(failed, view, "columns_more", comparison->columns_left_out);
}

static void put_baseline(bool *failed, cJSON *list, const char *side,
			 const rg_opdiff_baseline *baseline)
{
	if (!baseline->backend)
		return;
	cJSON *item = rg_build_item(failed, list);
	rg_build_text(failed, item, "side", side);
	rg_build_text(failed, item, "backend", baseline->backend);
	rg_build_count(failed, item, "others", baseline->others);
}

static void put_baselines(bool *failed, cJSON *view, const rg_opdiff_comparison *comparison)
{
	const char *old = comparison->old_baseline.backend,
		   *fresh = comparison->new_baseline.backend;
	cJSON *list = rg_build_list(failed, view, "baselines");
	bool same = old && fresh && !strcmp(old, fresh) && !comparison->old_baseline.others &&
		    !comparison->new_baseline.others;

	if (!same)
		put_baseline(failed, list, "old", &comparison->old_baseline);
	put_baseline(failed, list, same || comparison->alone ? NULL : "new",
		     &comparison->new_baseline);
}

static void put_changes(bool *failed, cJSON *view, const rg_opdiff_comparison *comparison)
{
	cJSON *list = rg_build_list(failed, view, "changes");
	for (size_t i = 0; i < comparison->change_count; i++) {
		const rg_opdiff_change *change = &comparison->changes[i];
		cJSON *item = rg_build_item(failed, list);

		rg_build_text(failed, item, "id", change->id);
		rg_build_text(failed, item, "backend", change->backend);
		rg_build_text(failed, item, "before", rg_opdiff_status_text(change->old));
		rg_build_text(failed, item, "now", rg_opdiff_status_text(change->fresh));
		rg_build_text(failed, item, "before_why", change->old_why);
		rg_build_text(failed, item, "now_why", change->why);
	}
}

static void put_problems(bool *failed, cJSON *view, const rg_opdiff_overview *overview)
{
	cJSON *list = rg_build_list(failed, view, "problems");
	size_t i;

	for (i = 0; i < overview->problem_count && i < PROBLEMS_MAX; i++) {
		const rg_opdiff_problem *problem = &overview->problems[i];
		cJSON *item = rg_build_item(failed, list);

		rg_build_text(failed, item, "id", problem->id);
		rg_build_text(failed, item, "op", problem->op);
		rg_build_count(failed, item, "bad", problem->bad);
		rg_build_count(failed, item, "ok", problem->ok);
	}
	rg_build_count(failed, view, "problems_more", overview->problem_count - i);
}

/* The matrix of those that are both OK; of one backend there is none. */
static void put_overlaps(bool *failed, cJSON *view, const rg_opdiff_overview *overview)
{
	cJSON *heads = rg_build_list(failed, view, "overlap_heads"),
	      *rows = rg_build_list(failed, view, "overlaps");
	size_t count = overview->backend_count < 2 ? 0 : overview->backend_count;

	for (size_t i = 0; i < count; i++) {
		cJSON *row = put_name(failed, rows, overview->backends[i]),
		      *cells = rg_build_list(failed, row, "cells");

		put_name(failed, heads, overview->backends[i]);
		for (size_t k = 0; k < count; k++) {
			const rg_opdiff_overlap *overlap = &overview->overlaps[i * count + k];
			cJSON *cell = rg_build_item(failed, cells);

			rg_build_count(failed, cell, "n", overlap->ok);
			rg_build_count(failed, cell, "of", overlap->seen);
			rg_build_number(failed, cell, "share", percent(overlap->ok, overlap->seen));
		}
	}
	rg_build_count(failed, view, "overlaps_more", count ? overview->left_out : 0);
}

/* A list for each backend, so that each has its most frequent ones shown. */
static void put_error_lists(bool *failed, cJSON *view, const rg_opdiff_error_list *errors)
{
	cJSON *lists = rg_build_list(failed, view, "error_lists"), *groups = NULL;
	for (size_t i = 0; i < errors->count; i++) {
		const rg_opdiff_error_group *group = &errors->items[i];
		cJSON *item;

		if (!i || strcmp(errors->items[i - 1].backend, group->backend) != 0) {
			item = rg_build_item(failed, lists);
			rg_build_text(failed, item, "backend", group->backend);
			groups = rg_build_list(failed, item, "groups");
		}
		item = rg_build_item(failed, groups);
		rg_build_text(failed, item, "group", group->group);
		rg_build_count(failed, item, "before", group->old);
		rg_build_count(failed, item, "now", group->fresh);
		rg_build_text(failed, item, "id", group->id);
		rg_build_text(failed, item, "text", group->text);
	}
}

rg_error *rg_opdiff_view(cJSON **out, const rg_opdiff_comparison *comparison, const char *title)
{
	bool failed = false;
	cJSON *view = cJSON_CreateObject();

	rg_build_text(&failed, view, "title", title);
	rg_build_truth(&failed, view, "alone", comparison->alone);
	rg_build_count(&failed, view, "runs", comparison->runs);
	rg_build_count(&failed, view, "operators", comparison->operators);
	rg_build_count(&failed, view, "worse", comparison->worse);
	rg_build_count(&failed, view, "better", comparison->better);
	rg_build_count(&failed, view, "other", comparison->other);
	rg_build_count(&failed, view, "old_only", comparison->old_only);
	rg_build_count(&failed, view, "new_only", comparison->new_only);
	put_changes(&failed, view, comparison);
	put_heads(&failed, view);
	put_baselines(&failed, view, comparison);
	put_columns(&failed, view, comparison);
	put_problems(&failed, view, &comparison->overview);
	put_overlaps(&failed, view, &comparison->overview);
	put_error_lists(&failed, view, &comparison->errors);
	put_ratios(&failed, view, "new_to_old", &comparison->new_to_old);
	return rg_summary_view_close(out, view);
}

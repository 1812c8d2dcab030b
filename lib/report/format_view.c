/* SPDX-License-Identifier: Apache-2.0 */
#include "report/format_view.h"

#include "report/summary_view.h"
#include "report/template_data.h"

#include <math.h>

static rg_error *finish(cJSON **out, cJSON *view, bool failed)
{
	rg_error *err = failed ? rg_error_nomem() : rg_summary_view_finish(view);

	*out = err ? NULL : view;
	if (err)
		cJSON_Delete(view);
	return err;
}

/* --- backend tests --- */

static const struct {
	const char *name, *title;
} change_names[RG_CASE_CHANGES] = {
	[RG_CASE_NEWLY_FAILING] = {"newly", "Newly failing"},
	[RG_CASE_FIXED] = {"fixed", "Fixed"},
	[RG_CASE_STILL_FAILING] = {"still", "Still failing"},
	[RG_CASE_NEW] = {"added", "New"},
	[RG_CASE_GONE] = {"gone", "Gone"},
	[RG_CASE_OTHER] = {"other", "Changed otherwise"},
};

static void put_result(bool *failed, cJSON *object, const char *name, const rg_case *c)
{
	if (!c)
		rg_build_text(failed, object, name, "-");
	else
		rg_build_textf(failed, object, name, "%s%s%s", rg_case_result_text(c->result),
			       *c->detail ? ": " : "", c->detail);
}

static void put_change(bool *failed, cJSON *list, const rg_case_change *change)
{
	const rg_case *c = change->fresh ? change->fresh : change->old;
	cJSON *item = rg_build_item(failed, list);

	rg_build_text(failed, item, "flow", *c->flow ? c->flow : "-");
	rg_build_textf(failed, item, "test", "%s%s%s", c->test_id, *c->subtest ? "/" : "",
		       c->subtest);
	put_result(failed, item, "before", change->old);
	put_result(failed, item, "now", change->fresh);
}

/* The changes of one kind, which are together from `*at` on. */
static void put_changes(bool *failed, cJSON *lists, const rg_case_comparison *c,
			rg_case_change_kind kind, size_t *at)
{
	cJSON *list, *items;
	size_t i;

	if (!c->counts[kind])
		return;
	list = rg_build_item(failed, lists);
	rg_build_text(failed, list, "title", change_names[kind].title);
	items = rg_build_list(failed, list, "items");
	for (i = 0; i < c->counts[kind]; i++)
		put_change(failed, items, &c->changes[(*at)++]);
}

static void put_counts(bool *failed, cJSON *object, const char *name, const rg_case_counts *counts)
{
	cJSON *item = rg_build_object(failed, object, name);
	double rate = rg_case_pass_rate(counts);

	rg_build_count(failed, item, "passed", counts->passed);
	rg_build_count(failed, item, "failed", counts->failed);
	rg_build_count(failed, item, "skipped", counts->skipped);
	rg_build_count(failed, item, "run", counts->passed + counts->failed);
	if (isnan(rate))
		rg_build_text(failed, item, "rate", "-");
	else
		rg_build_textf(failed, item, "rate", "%.1f %%", 100 * rate);
}

static void put_groups(bool *failed, cJSON *view, const char *name, const rg_case_group *groups,
		       size_t count)
{
	cJSON *list = rg_build_list(failed, view, name);
	size_t i, k;

	for (i = 0; i < count; i++) {
		cJSON *item = rg_build_item(failed, list);

		rg_build_text(failed, item, "name", *groups[i].name ? groups[i].name : "-");
		rg_build_text(failed, item, "detail", *groups[i].detail ? groups[i].detail : "-");
		put_counts(failed, item, "old", &groups[i].old);
		put_counts(failed, item, "new", &groups[i].fresh);
		for (k = 0; k < RG_CASE_CHANGES; k++)
			rg_build_count(failed, item, change_names[k].name, groups[i].changes[k]);
	}
}

rg_error *rg_cases_view(cJSON **out, const rg_case_comparison *comparison)
{
	bool failed = false;
	cJSON *view = cJSON_CreateObject(), *lists = rg_build_list(&failed, view, "lists");
	size_t at = 0;
	int k;

	for (k = 0; k < RG_CASE_CHANGES; k++) {
		rg_build_count(&failed, view, change_names[k].name, comparison->counts[k]);
		put_changes(&failed, lists, comparison, (rg_case_change_kind)k, &at);
	}
	put_counts(&failed, view, "old", &comparison->old);
	put_counts(&failed, view, "new", &comparison->fresh);
	put_groups(&failed, view, "failures", comparison->failures, comparison->failure_count);
	put_groups(&failed, view, "flows", comparison->flows, comparison->flow_count);
	put_groups(&failed, view, "params", comparison->params, comparison->param_count);
	return finish(out, view, failed);
}

/* --- opdiff --- */

/* Ratios that a figure draws of a list, at most. */
enum { DRAWN_MAX = 400 };

/* Where the `i`th drawn one of `count` ratios is in their list, in order of size. */
size_t rg_opdiff_drawn(size_t i, size_t count)
{
	return count > DRAWN_MAX ? (size_t)((double)i * (double)(count - 1) / (DRAWN_MAX - 1)) : i;
}

static void put_ratio(bool *failed, cJSON *object, const char *name, double value)
{
	if (isnan(value))
		rg_build_text(failed, object, name, "-");
	else
		rg_build_textf(failed, object, name, "%.3f", value);
}

/* Every one of them, or DRAWN_MAX evenly taken. */
static void put_drawn(bool *failed, cJSON *object, const rg_opdiff_ratios *r)
{
	cJSON *list = rg_build_list(failed, object, "drawn");
	size_t i;

	for (i = 0; i < r->count && i < DRAWN_MAX; i++) {
		cJSON *number = cJSON_CreateNumber(r->sorted[rg_opdiff_drawn(i, r->count)]);

		*failed |= !number || !cJSON_AddItemToArray(list, number);
	}
}

static void put_ratios(bool *failed, cJSON *object, const rg_opdiff_ratios *r)
{
	cJSON *quantiles = rg_build_list(failed, object, "quantiles");
	size_t i;

	rg_build_count(failed, object, "n", r->count);
	put_ratio(failed, object, "geometric_mean", r->geometric_mean);
	put_ratio(failed, object, "median", r->median);
	put_ratio(failed, object, "p90", r->p90);
	if (isnan(r->share_faster))
		rg_build_text(failed, object, "faster", "-");
	else
		rg_build_textf(failed, object, "faster", "%.1f %%", 100 * r->share_faster);
	for (i = 0; i < RG_OPDIFF_QUANTILES; i++)
		put_ratio(failed, rg_build_item(failed, quantiles), "value", r->quantiles[i]);
	put_drawn(failed, object, r);
}

static void put_cells(bool *failed, cJSON *object, const char *name, const size_t *counts, size_t n)
{
	cJSON *cells = rg_build_list(failed, object, name);
	size_t i, total = 0;

	for (i = 0; i < n; i++)
		total += counts[i];
	for (i = 0; i < n; i++) {
		cJSON *item = rg_build_item(failed, cells);

		rg_build_count(failed, item, "n", counts[i]);
		rg_build_textf(failed, item, "share", "%.0f",
			       total ? 100.0 * (double)counts[i] / (double)total : 0);
	}
}

static void put_heads(bool *failed, cJSON *view)
{
	cJSON *list = rg_build_list(failed, view, "status_heads");
	size_t i;

	for (i = 0; i < RG_OPDIFF_STATUSES; i++)
		rg_build_text(failed, rg_build_item(failed, list), "name",
			      rg_opdiff_status_text((rg_opdiff_status)i));
	list = rg_build_list(failed, view, "code_heads");
	for (i = 0; i < RG_OPDIFF_CODES; i++)
		rg_build_text(failed, rg_build_item(failed, list), "name",
			      rg_opdiff_code_text((rg_opdiff_code)i));
	list = rg_build_list(failed, view, "bucket_heads");
	for (i = 0; i < RG_OPDIFF_BUCKETS; i++)
		rg_build_text(failed, rg_build_item(failed, list), "name",
			      rg_opdiff_bucket_names[i]);
	list = rg_build_list(failed, view, "quantile_heads");
	for (i = 0; i < RG_OPDIFF_QUANTILES; i++)
		rg_build_textf(failed, rg_build_item(failed, list), "name", "%g %%",
			       100 * rg_opdiff_quantiles[i]);
}

static const char *const figure_names[RG_OPDIFF_FIGURES] = {"max_abs", "mse", "mean_abs"};

static size_t put_column(bool *failed, cJSON *columns, const rg_opdiff_column *column)
{
	cJSON *item = rg_build_item(failed, columns),
	      *figures = rg_build_list(failed, item, "figures");
	size_t i, codes = 0;

	rg_build_text(failed, item, "side", column->new_side ? "new" : "old");
	rg_build_text(failed, item, "backend", column->backend);
	put_cells(failed, item, "statuses", column->statuses, RG_OPDIFF_STATUSES);
	put_cells(failed, item, "codes", column->codes, RG_OPDIFF_CODES);
	for (i = 0; i < RG_OPDIFF_FIGURES; i++) {
		cJSON *figure = rg_build_item(failed, figures);

		rg_build_text(failed, figure, "figure", figure_names[i]);
		put_cells(failed, figure, "buckets", column->buckets[i], RG_OPDIFF_BUCKETS);
	}
	put_ratios(failed, item, &column->to_baseline);
	for (i = 0; i < RG_OPDIFF_CODES; i++)
		codes += column->codes[i];
	return codes;
}

rg_error *rg_opdiff_view(cJSON **out, const rg_opdiff_comparison *comparison, const char *title)
{
	bool failed = false;
	cJSON *view = cJSON_CreateObject(), *list = rg_build_list(&failed, view, "changes");
	cJSON *columns = rg_build_list(&failed, view, "columns"), *ratios;
	size_t i, codes = 0;

	rg_build_text(&failed, view, "title", title);
	rg_build_count(&failed, view, "worse", comparison->worse);
	rg_build_count(&failed, view, "better", comparison->better);
	rg_build_count(&failed, view, "old_only", comparison->old_only);
	rg_build_count(&failed, view, "new_only", comparison->new_only);
	for (i = 0; i < comparison->change_count; i++) {
		const rg_opdiff_change *change = &comparison->changes[i];
		cJSON *item = rg_build_item(&failed, list);

		rg_build_text(&failed, item, "id", change->id);
		rg_build_text(&failed, item, "backend", change->backend);
		rg_build_text(&failed, item, "before", rg_opdiff_status_text(change->old));
		rg_build_text(&failed, item, "now", rg_opdiff_status_text(change->fresh));
	}
	rg_build_count(&failed, view, "columns_more", comparison->columns_left_out);
	put_heads(&failed, view);
	for (i = 0; i < comparison->column_count; i++)
		codes += put_column(&failed, columns, &comparison->columns[i]);
	rg_build_count(&failed, view, "any_codes", codes);
	ratios = rg_build_object(&failed, view, "new_to_old");
	put_ratios(&failed, ratios, &comparison->new_to_old);
	return finish(out, view, failed);
}

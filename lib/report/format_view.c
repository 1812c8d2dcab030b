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

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/format_view.h"

#include "base/fields.h"
#include "report/summary_view.h"
#include "report/template_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the keys --- */

static const rg_json_field item_fields[] = {
	RG_SAID("flow", TEXT, "Its flow."),
	RG_SAID("test", TEXT, "Its test, and subtest."),
	RG_SAID("before", TEXT, "Its old result."),
	RG_SAID("now", TEXT, "Its new result."),
	RG_SAID("error", TEXT, "What the test said as it failed, whole."),
	RG_SAID("error_line", TEXT, "Its first line, cut."),
	RG_SAID("error_is_cut", TRUTH, "Is there more of it than that line?"),
	{0}};

static const rg_json_field list_fields[] = {
	RG_SAID("title", TEXT, "What became of them."),
	RG_SAID_OF("items", LIST, ALWAYS, item_fields, "The cases."),
	RG_SAID("errors", TRUTH, "Has one of them an error?"),
	{0}};

static const rg_json_field count_fields[] = {
	RG_SAID("passed", COUNT, "Passed."),
	RG_SAID("failed", COUNT, "Failed."),
	RG_SAID("skipped", COUNT, "Skipped."),
	RG_SAID("run", COUNT, "Passed or failed."),
	RG_SAID("rate", TEXT, "The pass rate in words; \"-\" where none was run."),
	{0}};

static const rg_json_field group_fields[] = {
	RG_SAID("name", TEXT, "What they have in common."),
	RG_SAID("detail", TEXT, "The failure's detail, in a list of failures; else \"-\"."),
	RG_SAID_OF("old", OBJECT, ALWAYS, count_fields, "How cases ended on a side."),
	RG_SAID_OF("new", OBJECT, ALWAYS, count_fields, "How cases ended on a side."),
	RG_SAID("newly", COUNT, "Newly failing."),
	RG_SAID("fixed", COUNT, "Fixed."),
	RG_SAID("still", COUNT, "Still failing."),
	RG_SAID("added", COUNT, "New."),
	RG_SAID("gone", COUNT, "Gone."),
	RG_SAID("other", COUNT, "Changed otherwise."),
	{0}};

static const rg_json_field accuracy_fields[] = {
	RG_SAID("name", TEXT, "The flow."),
	RG_SAID("outputs", COUNT, "Outputs with an SNR on both sides."),
	RG_SAID("lower", COUNT, "Those whose SNR is lower now."),
	RG_SAID("from_infinite", COUNT, "Those of them that were infinite."),
	RG_SAID("largest", TEXT,
		"The largest drop, in decibels; where one side is not finite, both SNRs."),
	{0}};

static const rg_json_field snr_fields[] = {
	RG_SAID("flow", TEXT, "Its flow."),
	RG_SAID("test", TEXT, "Its test, and subtest."),
	RG_SAID("output", TEXT, "Which output."),
	RG_SAID("before", TEXT, "Its old SNR, in decibels."),
	RG_SAID("now", TEXT, "Its new SNR, in decibels."),
	RG_SAID("drop", TEXT,
		"By how many decibels it fell; where one side is not finite, both SNRs."),
	{0}};

const rg_json_field rg_cases_fields[] = {
	RG_SAID("alone", TRUTH,
		"Are the tests held against no others? Then only those that fail are listed."),
	RG_SAID_OF("lists", LIST, ALWAYS, list_fields,
		   "The cases that changed, a list a kind of change."),
	RG_SAID("newly", COUNT, "Newly failing."),
	RG_SAID("fixed", COUNT, "Fixed."),
	RG_SAID("still", COUNT, "Still failing."),
	RG_SAID("added", COUNT, "New."),
	RG_SAID("gone", COUNT, "Gone."),
	RG_SAID("other", COUNT, "Changed otherwise."),
	RG_SAID_OF("old", OBJECT, ALWAYS, count_fields, "How cases ended on a side."),
	RG_SAID_OF("new", OBJECT, ALWAYS, count_fields, "How cases ended on a side."),
	RG_SAID_OF("failures", LIST, ALWAYS, group_fields, "By flow and detail."),
	RG_SAID_OF("flows", LIST, ALWAYS, group_fields, "By flow."),
	RG_SAID_OF("params", LIST, ALWAYS, group_fields, "By parameters."),
	RG_SAID("undelegated", COUNT, "Cases that pass on both sides and are no longer delegated."),
	RG_SAID_OF("accuracy", LIST, ALWAYS, accuracy_fields,
		   "Flows whose outputs have SNRs on both sides."),
	RG_SAID_OF("snrs", LIST, ALWAYS, snr_fields,
		   "Outputs whose SNR is lower, the largest drop first."),
	{0}};

/* Bytes of an error in a table, at most. */
enum { ERROR_LINE = 100 };

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

static void put_result(cJSON *object, const char *name, const rg_case *c)
{
	if (!c)
		rg_build_text(object, name, "-");
	else
		rg_build_textf(object, name, "%s%s%s", rg_case_result_text(c->result),
			       *c->detail ? ": " : "", c->detail);
}

/* An error's first line that says something, cut; "" where there is none. */
static void put_error(cJSON *item, const rg_case *c)
{
	const char *error = c && c->result == RG_CASE_FAIL ? c->error : "", *line = error;
	line += strspn(line, " \t\r\n");
	size_t length = strcspn(line, "\r\n");
	bool whole = !line[length + strspn(line + length, " \t\r\n")] && length <= ERROR_LINE;
	if (length > ERROR_LINE)
		for (length = ERROR_LINE; length && ((unsigned char)line[length] & 0xc0) == 0x80;)
			length--;
	rg_build_text(item, "error", error);
	rg_build_textf(item, "error_line", "%.*s%s", (int)length, line, whole ? "" : " …");
	rg_build_truth(item, "error_is_cut", !whole);
}

static cJSON *put_test(cJSON *list, const rg_case *c)
{
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "flow", *c->flow ? c->flow : "-");
	rg_build_textf(item, "test", "%s%s%s", c->test_id, *c->subtest ? "/" : "", c->subtest);
	return item;
}

/* Returns the item. */
static cJSON *put_change(cJSON *list, const rg_case_change *change)
{
	const rg_case *c = change->fresh ? change->fresh : change->old;
	cJSON *item = put_test(list, c);

	put_result(item, "before", change->old);
	put_result(item, "now", change->fresh);
	put_error(item, change->fresh);
	return item;
}

/* The changes of one kind, which are together from `*at` on; of tests that are held against
 * nothing, those that fail. */
static void put_changes(cJSON *lists, const rg_case_comparison *c, rg_case_change_kind kind,
			size_t *at, bool alone)
{
	bool errors = false;
	if (!c->counts[kind] || (alone && !c->fresh.failed))
		return;
	cJSON *list = rg_build_item(lists);
	rg_build_text(list, "title", alone ? "Failing" : change_names[kind].title);
	cJSON *items = rg_build_list(list, "items");
	for (size_t i = 0; i < c->counts[kind]; i++, (*at)++) {
		const rg_case *fresh = c->changes[*at].fresh;
		bool fails = fresh && fresh->result == RG_CASE_FAIL;

		if (alone && !fails)
			continue;
		errors |= fails && *fresh->error;
		put_change(items, &c->changes[*at]);
	}
	rg_build_truth(list, "errors", errors);
}

/* Those that pass and are no longer delegated. */
static void put_undelegated(cJSON *lists, const rg_case_comparison *c)
{
	if (!c->undelegated_count)
		return;
	cJSON *list = rg_build_item(lists);
	rg_build_text(list, "title", "No longer delegated");
	cJSON *items = rg_build_list(list, "items");
	for (size_t i = 0; i < c->undelegated_count; i++) {
		cJSON *item = put_test(items, c->undelegated[i].fresh);
		rg_build_text(item, "before", "Pass, delegated");
		rg_build_text(item, "now", "Pass, not delegated");
		put_error(item, NULL);
	}
	rg_build_truth(list, "errors", false);
}

enum { DECIBELS = 48 }; /* room for two SNRs */

static void decibels_text(char *out, size_t size, double value)
{
	if (isfinite(value))
		snprintf(out, size, "%.2f", value);
	else
		snprintf(out, size, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static void put_decibels(cJSON *item, const char *name, double value)
{
	char text[DECIBELS];
	decibels_text(text, sizeof(text), value);
	rg_build_text(item, name, text);
}

/* "20.00", and where no number says it "inf → 80.00". */
static void put_drop(cJSON *item, const char *name, const rg_case_snr *snr)
{
	char before[DECIBELS], now[DECIBELS];
	if (isfinite(snr->drop)) {
		put_decibels(item, name, snr->drop);
		return;
	}
	decibels_text(before, sizeof(before), snr->before);
	decibels_text(now, sizeof(now), snr->now);
	rg_build_textf(item, name, "%s → %s", before, now);
}

static void put_snr(cJSON *item, const rg_case_snr *snr)
{
	size_t length = strlen(snr->column);
	/* "Output 0" of "Output 0 SNR" */
	rg_build_textf(item, "output", "%.*s", (int)(length - strlen(" SNR")), snr->column);
	put_decibels(item, "before", snr->before);
	put_decibels(item, "now", snr->now);
	put_drop(item, "drop", snr);
}

/* Each flow whose outputs have SNRs, and the outputs whose SNR is lower. */
static void put_accuracy(cJSON *view, const rg_case_comparison *c)
{
	cJSON *list = rg_build_list(view, "accuracy"), *item;
	for (size_t i = 0; i < c->flow_count; i++) {
		const rg_case_group *flow = &c->flows[i];
		if (!flow->outputs)
			continue;
		item = rg_build_item(list);
		rg_build_text(item, "name", *flow->name ? flow->name : "-");
		rg_build_count(item, "outputs", flow->outputs);
		rg_build_count(item, "lower", flow->lower);
		rg_build_count(item, "from_infinite", flow->from_infinite);
		if (flow->worst)
			put_drop(item, "largest", flow->worst);
		else
			rg_build_text(item, "largest", "-");
	}
	list = rg_build_list(view, "snrs");
	for (size_t i = 0; i < c->snr_count; i++)
		put_snr(put_test(list, c->snrs[i].fresh), &c->snrs[i]);
}

static void put_counts(cJSON *object, const char *name, const rg_case_counts *counts)
{
	cJSON *item = rg_build_object(object, name);
	double rate = rg_case_pass_rate(counts);

	rg_build_count(item, "passed", counts->passed);
	rg_build_count(item, "failed", counts->failed);
	rg_build_count(item, "skipped", counts->skipped);
	rg_build_count(item, "run", counts->passed + counts->failed);
	if (isnan(rate))
		rg_build_text(item, "rate", "-");
	else
		rg_build_textf(item, "rate", "%.1f %%", 100 * rate);
}

static void put_groups(cJSON *view, const char *name, const rg_case_group *groups, size_t count)
{
	cJSON *list = rg_build_list(view, name);
	for (size_t i = 0; i < count; i++) {
		cJSON *item = rg_build_item(list);
		rg_build_text(item, "name", *groups[i].name ? groups[i].name : "-");
		rg_build_text(item, "detail", *groups[i].detail ? groups[i].detail : "-");
		put_counts(item, "old", &groups[i].old);
		put_counts(item, "new", &groups[i].fresh);
		for (size_t k = 0; k < RG_CASE_CHANGES; k++)
			rg_build_count(item, change_names[k].name, groups[i].changes[k]);
	}
}

rg_error *rg_cases_view(cJSON **out, const rg_case_comparison *comparison)
{
	cJSON *view = cJSON_CreateObject(), *lists = rg_build_list(view, "lists");
	bool alone = !(comparison->old.passed + comparison->old.failed + comparison->old.skipped);
	size_t at = 0;

	rg_build_truth(view, "alone", alone);
	for (int k = 0; k < RG_CASE_CHANGES; k++) {
		rg_build_count(view, change_names[k].name, comparison->counts[k]);
		put_changes(lists, comparison, (rg_case_change_kind)k, &at, alone);
		if (k == RG_CASE_NEWLY_FAILING)
			put_undelegated(lists, comparison);
	}
	rg_build_count(view, "undelegated", comparison->undelegated_count);
	put_accuracy(view, comparison);
	put_counts(view, "old", &comparison->old);
	put_counts(view, "new", &comparison->fresh);
	put_groups(view, "failures", comparison->failures, comparison->failure_count);
	put_groups(view, "flows", comparison->flows, comparison->flow_count);
	put_groups(view, "params", comparison->params, comparison->param_count);
	return rg_summary_view_close(out, view);
}

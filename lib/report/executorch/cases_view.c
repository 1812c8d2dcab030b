/* SPDX-License-Identifier: Apache-2.0 */
#include "report/executorch/views.h"

#include "base/json.h"
#include "base/memory.h"
#include "report/template_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A case in a list. */
typedef struct {
	const char *flow, *test, *before, *now, *error, *error_line;
	bool error_is_cut;
} case_view;

#define OF case_view
static const rg_json_field item_fields[] = {
	RG_KEY(flow, "Its flow."),
	RG_KEY(test, "Its test, and subtest."),
	RG_KEY(before, "Its old result."),
	RG_KEY(now, "Its new result."),
	RG_KEY(error, "What the test said as it failed, whole."),
	RG_KEY(error_line, "Its first line, cut."),
	RG_KEY(error_is_cut, "Is there more of it than that line?"),
	{0}};
#undef OF

typedef struct {
	const char *title;
	case_view *items;
	size_t count;
	bool errors;
} list_view;

#define OF list_view
static const rg_json_field list_fields[] = {
	RG_KEY(title, "What became of them."),
	RG_KEY_LIST("items", items, count, item_fields, "The cases."),
	RG_KEY(errors, "Has one of them an error?"),
	{0}};
#undef OF

static void write_run(rg_json_out *json, const void *from, const void *context)
{
	const rg_case_counts *counts = from;
	(void)context;
	rg_json_count(json, counts->passed + counts->failed);
}

static void write_rate(rg_buf *out, const void *from)
{
	double rate = rg_case_pass_rate(from);
	if (isnan(rate))
		rg_buf_char(out, '-');
	else
		rg_buf_printf(out, "%.1f %%", 100 * rate);
}

#define OF rg_case_counts
static const rg_json_field count_fields[] = {
	RG_KEY(passed, "Passed."),
	RG_KEY(failed, "Failed."),
	RG_KEY(skipped, "Skipped."),
	RG_PUT("run", COUNT, ALWAYS, NULL, write_run, "Passed or failed."),
	RG_SAY("rate", ALWAYS, write_rate, "The pass rate in words; \"-\" where none was run."),
	{0}};
#undef OF

/* `member`: the counts of changes. NOLINTBEGIN(bugprone-macro-parentheses) */
#define CHANGES(member)                                                              \
	RG_KEY_AS("newly", member[RG_CASE_NEWLY_FAILING], "Newly failing."),         \
		RG_KEY_AS("fixed", member[RG_CASE_FIXED], "Fixed."),                 \
		RG_KEY_AS("still", member[RG_CASE_STILL_FAILING], "Still failing."), \
		RG_KEY_AS("added", member[RG_CASE_NEW], "New."),                     \
		RG_KEY_AS("gone", member[RG_CASE_GONE], "Gone."),                    \
		RG_KEY_AS("other", member[RG_CASE_OTHER], "Changed otherwise.")
/* NOLINTEND(bugprone-macro-parentheses) */
#define SIDES(old_side, new_side)                                                                  \
	RG_KEY_OBJECT("old", old_side, count_fields, ALWAYS, false, "How cases ended on a side."), \
		RG_KEY_OBJECT("new", new_side, count_fields, ALWAYS, false,                        \
			      "How cases ended on a side.")

static void write_or_dash(rg_buf *out, const void *member)
{
	const char *text = *(const char *const *)member;
	rg_buf_str(out, *text ? text : "-");
}

#define OF rg_case_group
static const rg_json_field group_fields[] = {
	RG_KEY_SAY("name", name, ALWAYS, write_or_dash, "What they have in common."),
	RG_KEY_SAY("detail", detail, ALWAYS, write_or_dash,
		   "The failure's detail, in a list of failures; else \"-\"."),
	SIDES(old, fresh),
	CHANGES(changes),
	{0}};
#undef OF

typedef struct {
	rg_case_group of;
	const char *name, *largest;
} accuracy_view;

#define OF accuracy_view
static const rg_json_field accuracy_fields[] = {
	RG_KEY(name, "The flow."),
	RG_KEY_AS("outputs", of.outputs, "Outputs with an SNR on both sides."),
	RG_KEY_AS("lower", of.lower, "Those whose SNR is lower now."),
	RG_KEY_AS("from_infinite", of.from_infinite, "Those of them that were infinite."),
	RG_KEY(largest, "The largest drop, in decibels; where one side is not finite, both SNRs."),
	{0}};
#undef OF

typedef struct {
	const char *flow, *test, *output, *before, *now, *drop;
} snr_view;

#define OF snr_view
static const rg_json_field snr_fields[] = {
	RG_KEY(flow, "Its flow."),
	RG_KEY(test, "Its test, and subtest."),
	RG_KEY(output, "Which output."),
	RG_KEY(before, "Its old SNR, in decibels."),
	RG_KEY(now, "Its new SNR, in decibels."),
	RG_KEY(drop, "By how many decibels it fell; where one side is not finite, both SNRs."),
	{0}};
#undef OF

typedef struct {
	rg_case_comparison c;
	bool alone;
	list_view lists[RG_CASE_CHANGES + 1];
	accuracy_view *accuracy;
	snr_view *snrs;
	size_t list_count, accuracy_count;
	rg_arena arena;
} cases_view;

#define OF cases_view
const rg_json_field rg_cases_fields[] = {
	RG_KEY_ARRAY_OF("lists", lists, list_count, list_fields,
			"The cases that changed, a list a kind of change."),
	RG_KEY(alone,
	       "Are the tests compared with no others? Then only those that fail are listed."),
	CHANGES(c.counts),
	RG_KEY_AS("undelegated", c.undelegated_count,
		  "Cases that pass on both sides and are no longer delegated."),
	RG_KEY_LIST("accuracy", accuracy, accuracy_count, accuracy_fields,
		    "Flows whose outputs have SNRs on both sides."),
	RG_KEY_LIST("snrs", snrs, c.snr_count, snr_fields,
		    "Outputs whose SNR is lower, the largest drop first."),
	SIDES(c.old, c.fresh),
	RG_KEY_LIST("failures", c.failures, c.failure_count, group_fields, "By flow and detail."),
	RG_KEY_LIST("flows", c.flows, c.flow_count, group_fields, "By flow."),
	RG_KEY_LIST("params", c.params, c.param_count, group_fields, "By parameters."),
	{0}};
#undef OF

static const char *or_dash(const char *text)
{
	return *text ? text : "-";
}

static const char *test_of(cases_view *t, const rg_case *c)
{
	return *c->subtest ? rg_arena_textf(&t->arena, "%s/%s", c->test_id, c->subtest)
			   : c->test_id;
}

static const char *result_of(cases_view *t, const rg_case *c)
{
	if (!c)
		return "-";
	return rg_arena_textf(&t->arena, "%s%s%s", rg_case_result_text(c->result),
			      *c->detail ? ": " : "", c->detail);
}

/* Bytes of an error in a table, at most. */
enum { ERROR_LINE = 100 };

static case_view make_case(cases_view *t, const rg_case_change *change, bool delegation)
{
	const rg_case *c = change->fresh ? change->fresh : change->old;
	case_view out = {.flow = or_dash(c->flow),
			 .test = test_of(t, c),
			 .before = delegation ? "Pass, delegated" : result_of(t, change->old),
			 .now = delegation ? "Pass, not delegated" : result_of(t, change->fresh)};
	/* An error's first line that says something, cut; "" where there is none. */
	const char *line = out.error =
		change->fresh && change->fresh->result == RG_CASE_FAIL ? change->fresh->error : "";
	line += strspn(line, " \t\r\n");
	size_t length = strcspn(line, "\r\n");
	out.error_is_cut = line[length + strspn(line + length, " \t\r\n")] || length > ERROR_LINE;
	if (length > ERROR_LINE)
		for (length = ERROR_LINE; length && ((unsigned char)line[length] & 0xc0) == 0x80;)
			length--;
	out.error_line = rg_arena_textf(&t->arena, "%.*s%s", (int)length, line,
					out.error_is_cut ? " …" : "");
	return out;
}

/* Lists the failing ones of tests that are compared with nothing. `title`: NULL for those that are
 * no longer delegated. */
static void append_list(cases_view *t, const char *title, const rg_case_change *changes,
			size_t count)
{
	list_view *list = &t->lists[t->list_count];
	if (!count || (title && t->alone && !t->c.fresh.failed))
		return;
	t->list_count++;
	list->title = title ? title : "No longer delegated";
	list->items = rg_arena_alloc(&t->arena, count * sizeof(*list->items));
	for (size_t i = 0; i < count; i++) {
		const rg_case *fresh = changes[i].fresh;
		if (title && t->alone && (!fresh || fresh->result != RG_CASE_FAIL))
			continue;
		list->items[list->count] = make_case(t, &changes[i], !title);
		list->errors |= *list->items[list->count++].error;
	}
}

/* "20.00" */
static const char *decibels(cases_view *t, double value)
{
	return isfinite(value) ? rg_arena_textf(&t->arena, "%.2f", value)
	       : isnan(value)  ? "nan"
	       : value > 0     ? "inf"
			       : "-inf";
}

/* … and where no number says it "inf → 80.00". */
static const char *drop_of(cases_view *t, const rg_case_snr *snr)
{
	if (!snr)
		return "-";
	return isfinite(snr->drop) ? decibels(t, snr->drop)
				   : rg_arena_textf(&t->arena, "%s → %s", decibels(t, snr->before),
						    decibels(t, snr->now));
}

/* Each flow whose outputs have SNRs, and the outputs whose SNR is lower. */
static void set_accuracy(cases_view *t)
{
	const rg_case_comparison *c = &t->c;

	t->accuracy = rg_arena_alloc(&t->arena, (c->flow_count + 1) * sizeof(*t->accuracy));
	for (size_t i = 0; i < c->flow_count; i++)
		if (c->flows[i].outputs)
			t->accuracy[t->accuracy_count++] =
				(accuracy_view){c->flows[i], or_dash(c->flows[i].name),
						drop_of(t, c->flows[i].worst)};
	t->snrs = rg_arena_alloc(&t->arena, (c->snr_count + 1) * sizeof(*t->snrs));
	for (size_t i = 0; i < c->snr_count; i++) {
		const rg_case_snr *snr = &c->snrs[i];
		/* "Output 0" of "Output 0 SNR" */
		size_t length = strlen(snr->column) - strlen(" SNR");
		t->snrs[i] = (snr_view){or_dash(snr->fresh->flow),
					test_of(t, snr->fresh),
					rg_arena_copy(&t->arena, snr->column, length),
					decibels(t, snr->before),
					decibels(t, snr->now),
					drop_of(t, snr)};
	}
}

cJSON *rg_cases_view(const rg_case_comparison *comparison)
{
	static const char *const titles[RG_CASE_CHANGES] = {
		[RG_CASE_NEWLY_FAILING] = "Newly failing",
		[RG_CASE_FIXED] = "Fixed",
		[RG_CASE_STILL_FAILING] = "Still failing",
		[RG_CASE_NEW] = "New",
		[RG_CASE_GONE] = "Gone",
		[RG_CASE_OTHER] = "Changed otherwise",
	};
	const rg_case_counts *old = &comparison->old;
	const rg_case_change *changes = comparison->changes;
	cases_view t = {.c = *comparison, .alone = !(old->passed + old->failed + old->skipped)};
	cJSON *view = cJSON_CreateObject();

	for (int k = 0; k < RG_CASE_CHANGES; changes += comparison->counts[k++]) {
		append_list(&t, t.alone ? "Failing" : titles[k], changes, comparison->counts[k]);
		if (k == RG_CASE_NEWLY_FAILING)
			append_list(&t, NULL, comparison->undelegated,
				    comparison->undelegated_count);
	}
	set_accuracy(&t);
	rg_build_fields(view, rg_cases_fields, &t);
	rg_arena_release(&t.arena);
	return view;
}

/* --- of pairs of reports --- */

/* The cases of a pair's reports. */
typedef struct {
	rg_case_list old, fresh;
} case_pair;

static void free_pair(void *kept)
{
	case_pair *pair = kept;
	rg_case_list_release(&pair->old);
	rg_case_list_release(&pair->fresh);
	free(pair);
}

static bool is_report(const rg_input *in)
{
	return in->size && rg_case_report_kind(in->data, in->size) != RG_CASE_REPORT_NONE;
}

/* A pair of which one side cannot be read is left out as a whole: its cases are not lost. */
static void *collect(const rg_pair *pair, const rg_format_request *request)
{
	const bool old = is_report(&pair->old_side), fresh = is_report(&pair->new_side);
	(void)request;
	if (!old && !fresh)
		return NULL;
	case_pair *kept = rg_calloc(1, sizeof(*kept));
	RG_AUTO_PTR(rg_error) err = NULL;
	if (old)
		err = rg_case_list_add(&kept->old, pair->old_side.data, pair->old_side.size);
	if (!err && fresh)
		err = rg_case_list_add(&kept->fresh, pair->new_side.data, pair->new_side.size);
	if (!err)
		return kept;
	free_pair(kept);
	return NULL;
}

/* All files' cases in one list each, which borrows their texts. */
static cJSON *make_view(void *const *kept, size_t count, const rg_format_request *request)
{
	RG_AUTO(rg_case_list) old = {0}, fresh = {0};
	RG_AUTO(rg_case_comparison) comparison = {0};

	(void)request;
	for (size_t i = 0; i < count; i++) {
		const case_pair *pair = kept[i];
		rg_case_list_join(&old, &pair->old);
		rg_case_list_join(&fresh, &pair->fresh);
	}
	rg_case_list_finish(&old);
	rg_case_list_finish(&fresh);
	rg_case_list_spread(&old, &fresh);
	rg_case_list_spread(&fresh, &old);
	rg_cases_compare(&comparison, &old, &fresh);
	return rg_cases_view(&comparison);
}

const rg_format_hooks rg_cases_hooks = {
	.name = "cases", .collect = collect, .view = make_view, .free = free_pair};

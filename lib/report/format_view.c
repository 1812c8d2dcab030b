/* SPDX-License-Identifier: Apache-2.0 */
#include "report/format_view.h"

#include "base/base64.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "compare/opaque_row.h"
#include "report/summary_view.h"
#include "report/template_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- backend tests --- */

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

/* --- opaque goldens --- */

static const char *const kind_names[] = {
	[RG_OPAQUE_READABLE] = "readable", [RG_OPAQUE_ABSENT] = "absent", [RG_OPAQUE_TEXT] = "text",
	[RG_OPAQUE_BYTES] = "bytes",       [RG_OPAQUE_PNG] = "png",
};

static const rg_json_field side_fields[] = {
	RG_SAID_WORD("kind", ALWAYS, kind_names,
		     "What it is to look at; readable: a reader takes this side; absent: there is "
		     "no file on it."),
	RG_SAID("says", TEXT, "The same in words, with the size."),
	RG_SAID("size", COUNT, "Bytes; 0 for what is readable or absent."),
	RG_SAID_OR_NULL("sha256", TEXT, "Its hash."),
	RG_SAID_OR_NULL("dimensions", TEXT, "Of a picture: WIDTHxHEIGHT."),
	RG_SAID_OR_NULL("why", TEXT, "Why the reader that its bytes spoke for gave up."),
	RG_SAID_OR_NULL("picture", TEXT, "The PNG in base64, where it is small enough."),
	{0}};

static const rg_json_field line_fields[] = {RG_SAID("kind", TEXT, "What the line is."),
					    RG_SAID("text", TEXT, "The line, with its mark."),
					    {0}};

const rg_json_field rg_opaque_fields[] = {
	RG_SAID("file", TEXT, "The golden."),
	RG_SAID("was_readable", TRUTH, "Did a reader take the old side?"),
	RG_SAID_OF("old", OBJECT, ALWAYS, side_fields, "One side of an opaque golden."),
	RG_SAID_OF("new", OBJECT, ALWAYS, side_fields, "One side of an opaque golden."),
	RG_SAID("pictures", TRUTH, "Has each side that is there a picture?"),
	RG_SAID("pictures_left_out", TRUTH,
		"Is a side a picture, and not all that is there to be shown here?"),
	RG_SAID_OF("changed_lines", LIST, ALWAYS, line_fields, "Of two texts, a unified diff."),
	RG_SAID("more_lines", COUNT, "Lines of the diff that are left out."),
	RG_SAID("too_large", TRUTH, "Are the texts too large for a diff?"),
	{0}};

/* What a report has room for, over all goldens: bytes of pictures, and lines. */
enum { PICTURE_BYTES_MAX = 8 << 20, LINES_MAX = 20000 };

typedef struct {
	size_t picture_room, line_room;
} opaque_room;

static void put_picture(opaque_room *room, cJSON *object, const rg_opaque_side *side)
{
	rg_buf text;
	if (!side->picture || side->size > room->picture_room) {
		rg_build_text(object, "picture", NULL);
		return;
	}
	room->picture_room -= side->size;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_base64_add(&text, side->picture, side->size);
	rg_build_written(object, "picture", &text);
	rg_buf_release(&text);
}

static void put_side(opaque_room *room, cJSON *item, const char *name, const rg_opaque_side *side)
{
	cJSON *object = rg_build_object(item, name);
	rg_build_text(object, "kind", kind_names[side->kind]);
	rg_build_text(object, "says", side->says);
	rg_build_count(object, "size", side->size);
	rg_build_text(object, "sha256", *side->sha256 ? side->sha256 : NULL);
	if (side->kind == RG_OPAQUE_PNG)
		rg_build_textf(object, "dimensions", "%lux%lu", (unsigned long)side->width,
			       (unsigned long)side->height);
	else
		rg_build_text(object, "dimensions", NULL);
	rg_build_text(object, "why", side->why);
	put_picture(room, object, side);
}

static const char *line_kind(const char *line)
{
	return *line == '+' ? "added" : *line == '-' ? "removed" : *line == '@' ? "hunk" : "same";
}

static void put_lines(opaque_room *room, cJSON *item, const rg_opaque *opaque)
{
	cJSON *list = rg_build_list(item, "changed_lines");
	size_t shown = opaque->line_count < room->line_room ? opaque->line_count : room->line_room;

	room->line_room -= shown;
	for (size_t i = 0; i < shown; i++) {
		cJSON *line = rg_build_item(list);
		rg_build_text(line, "kind", line_kind(opaque->lines[i]));
		rg_build_text(line, "text", opaque->lines[i]);
	}
	rg_build_count(item, "more_lines", opaque->line_count - shown + opaque->more);
	rg_build_truth(item, "too_large", opaque->too_large);
}

/* Is there what a report shows of a side? */
static bool is_shown(const cJSON *item, const char *name, const rg_opaque_side *side)
{
	return side->kind == RG_OPAQUE_ABSENT ||
	       cJSON_IsString(rg_json_member(rg_json_member(item, name), "picture"));
}

static void put_file(opaque_room *room, cJSON *list, const char *file, const rg_opaque *opaque)
{
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "file", file);
	rg_build_truth(item, "was_readable", opaque->old.kind == RG_OPAQUE_READABLE);
	put_side(room, item, "old", &opaque->old);
	put_side(room, item, "new", &opaque->fresh);
	/* Of a pair, both or none. */
	rg_build_truth(item, "pictures",
		       is_shown(item, "old", &opaque->old) &&
			       is_shown(item, "new", &opaque->fresh));
	rg_build_truth(item, "pictures_left_out",
		       (opaque->old.kind == RG_OPAQUE_PNG || opaque->fresh.kind == RG_OPAQUE_PNG) &&
			       !cJSON_IsTrue(rg_json_member(item, "pictures")));
	put_lines(room, item, opaque);
}

rg_error *rg_opaque_view_add(cJSON **formats, const rg_comparison *comparison)
{
	opaque_room room = {.picture_room = PICTURE_BYTES_MAX, .line_room = LINES_MAX};
	cJSON *list = NULL;

	for (size_t i = 0; i < comparison->file_count; i++) {
		const rg_file_outcome *file = &comparison->files[i];
		const rg_opaque *opaque = rg_opaque_of(comparison, file);

		if (!opaque)
			continue;
		if (!*formats)
			*formats = cJSON_CreateObject();
		if (!list)
			list = rg_build_cut_list(*formats, "opaque");
		put_file(&room, list, file->file, opaque);
	}
	return list ? rg_summary_view_finish(list) : NULL;
}

/* --- opaque goldens for markdown --- */

/* One more backtick than there are in a row in any of the lines. */
static size_t fence_length(const cJSON *lines)
{
	size_t most = 2;
	const cJSON *line;

	cJSON_ArrayForEach(line, lines)
	{
		const char *text = cJSON_GetStringValue(rg_json_member(line, "text"));
		size_t run = 0;

		for (; text && *text; text++) {
			run = *text == '`' ? run + 1 : 0;
			most = run > most ? run : most;
		}
	}
	return most + 1;
}

static void add_fence(rg_buf *out, size_t length, const char *after)
{
	while (length--)
		rg_buf_char(out, '`');
	rg_buf_str(out, after);
}

static void put_block(cJSON *item, size_t cap)
{
	const cJSON *lines = rg_json_member(item, "changed_lines"), *line;
	size_t length = fence_length(lines), count = 0;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	cJSON_ArrayForEach(line, lines)
	{
		const char *shown = cJSON_GetStringValue(rg_json_member(line, "text"));
		if (count == cap)
			break;
		if (!count++)
			add_fence(&text, length, "diff\n");
		rg_utf8_add_safe(&text, shown ? shown : "", shown ? strlen(shown) : 0);
		rg_buf_char(&text, '\n');
	}
	if (count)
		add_fence(&text, length, "\n");
	rg_build_markup(item, "block", &text);
	rg_build_remove(item, "block_more");
	rg_build_count(item, "block_more", (size_t)cJSON_GetArraySize(lines) - count);
	rg_buf_release(&text);
}

void rg_opaque_view_fence(cJSON *formats, size_t cap)
{
	cJSON *item;
	cJSON_ArrayForEach(item, rg_json_member(formats, "opaque"))
	{
		put_block(item, cap);
	}
}

void rg_opaque_view_unfence(cJSON *formats)
{
	cJSON *item;
	cJSON_ArrayForEach(item, rg_json_member(formats, "opaque"))
	{
		rg_build_remove(item, "block");
		rg_build_remove(item, "block_more");
	}
}

bool rg_opaque_view_has_pictures(const cJSON *formats)
{
	const cJSON *item;
	cJSON_ArrayForEach(item, rg_json_member(formats, "opaque"))
	{
		if (cJSON_IsTrue(rg_json_member(item, "pictures")))
			return true;
	}
	return false;
}

/* --- tables --- */

#define CELL_FIELDS                                                                              \
	RG_SAID("record", TEXT, "The record's key."), RG_SAID("column", TEXT, "The column."),    \
		RG_SAID_OR_NULL("old", VALUE, "The old cell; null: the record has none there."), \
		RG_SAID_OR_NULL("new", VALUE, "The new one.")
static const rg_json_field text_cell_fields[] = {CELL_FIELDS, {0}};
static const rg_json_field number_cell_fields[] = {
	CELL_FIELDS,
	RG_SAID_OR_NULL("relative", NUMBER,
			"(new - old) / |old|; null where a side has no number."),
	{0}};

static const rg_json_field record_fields[] = {RG_SAID("record", TEXT, "Its key."), {0}};

const rg_json_field rg_table_fields[] = {
	RG_SAID("file", TEXT, "The golden's path."),
	RG_SAID("changed", COUNT, "Records on both sides that differ."),
	RG_SAID("lost_count", COUNT, "Records on the old side only."),
	RG_SAID("gained_count", COUNT, "Records on the new side only."),
	RG_SAID_OF("texts", LIST, ALWAYS, text_cell_fields, "Cells of texts that differ."),
	RG_SAID("texts_more", COUNT, "Further ones."),
	RG_SAID_OF("numbers", LIST, ALWAYS, number_cell_fields,
		   "Cells of numbers that differ, the largest relative change first."),
	RG_SAID("numbers_more", COUNT, "Further ones."),
	RG_SAID_OF("lost", LIST, ALWAYS, record_fields, "Records on the old side only."),
	RG_SAID("lost_more", COUNT, "Further ones."),
	RG_SAID_OF("gained", LIST, ALWAYS, record_fields, "Records on the new side only."),
	RG_SAID("gained_more", COUNT, "Further ones."),
	{0}};

/* What a report has room for, over all tables: cells and keys of records. */
enum { CELLS_MAX = 4000 };

static size_t take_room(size_t *room, size_t count)
{
	size_t taken = count < *room ? count : *room;
	*room -= taken;
	return taken;
}

/* As a share of what it was; NaN where there is no number. */
static double relative(const rg_difference *d)
{
	if (!d->old.there || !d->fresh.there)
		return NAN;
	return (d->fresh.number - d->old.number) / fabs(d->old.number);
}

/* "numbers" or "texts", and how many more there are. */
static void put_cells(size_t *room, cJSON *table, const char *name, const char *more,
		      const rg_differences *cells, bool numbers)
{
	cJSON *list = rg_build_list(table, name), *item;
	size_t shown = take_room(room, cells->count);

	for (size_t i = 0; i < shown; i++) {
		const rg_difference *d = &cells->items[i];
		item = rg_build_item(list);
		rg_build_text(item, "record", d->at);
		rg_build_text(item, "column", d->metric);
		rg_build_value(item, "old", &d->old);
		rg_build_value(item, "new", &d->fresh);
		if (numbers)
			rg_build_defined(item, "relative", relative(d));
	}
	rg_build_count(table, more, cells->all - shown);
}

static void put_keys(size_t *room, cJSON *table, const char *name, const char *more,
		     const char *const *keys, size_t count, size_t all)
{
	cJSON *list = rg_build_list(table, name);
	size_t shown = take_room(room, count);

	for (size_t i = 0; i < shown; i++)
		rg_build_text(rg_build_item(list), "record", keys[i]);
	rg_build_count(table, more, all - shown);
}

static void put_table(size_t *room, cJSON *list, const rg_file_outcome *file)
{
	const rg_table_differences *t = file->table;
	cJSON *item = rg_build_item(list);

	rg_build_text(item, "file", file->file);
	rg_build_count(item, "changed", t->changed);
	rg_build_count(item, "lost_count", t->lost_count);
	rg_build_count(item, "gained_count", t->gained_count);
	put_cells(room, item, "texts", "texts_more", &t->texts, false);
	put_cells(room, item, "numbers", "numbers_more", &t->numbers, true);
	put_keys(room, item, "lost", "lost_more", t->lost, t->lost_shown, t->lost_count);
	put_keys(room, item, "gained", "gained_more", t->gained, t->gained_shown, t->gained_count);
}

static double size_of(const rg_file_outcome *file)
{
	return file->table->numbers.count ? file->table->numbers.items[0].size : 0;
}

static int compare_tables(const void *a, const void *b)
{
	const rg_file_outcome *x = *(const rg_file_outcome *const *)a,
			      *y = *(const rg_file_outcome *const *)b;
	double p = size_of(x), q = size_of(y);

	if (p != q)
		return p > q ? -1 : 1;
	return (x > y) - (x < y);
}

rg_error *rg_tables_view_add(cJSON **formats, const rg_comparison *comparison)
{
	const rg_file_outcome **tables = rg_calloc(comparison->file_count + 1, sizeof(*tables));
	size_t room = CELLS_MAX;
	size_t count = 0;
	for (size_t i = 0; i < comparison->file_count; i++)
		if (comparison->files[i].table)
			tables[count++] = &comparison->files[i];
	if (!count) {
		free(tables);
		return NULL;
	}
	qsort(tables, count, sizeof(*tables), compare_tables);
	if (!*formats)
		*formats = cJSON_CreateObject();
	cJSON *list = rg_build_cut_list(*formats, "tables");
	for (size_t i = 0; i < count; i++)
		put_table(&room, list, tables[i]);
	free(tables);
	return rg_summary_view_finish(list);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/format_view.h"

#include "base/base64.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/order.h"
#include "compare/opaque_row.h"
#include "report/template_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- backend tests --- */

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

static void put_run(rg_json_out *json, const void *from, const void *context)
{
	const rg_case_counts *counts = from;
	(void)context;
	rg_json_count(json, counts->passed + counts->failed);
}

static void say_rate(rg_buf *out, const void *from)
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
	RG_PUT("run", COUNT, ALWAYS, NULL, put_run, "Passed or failed."),
	RG_SAY("rate", ALWAYS, say_rate, "The pass rate in words; \"-\" where none was run."),
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

static void say_or_dash(rg_buf *out, const void *member)
{
	const char *text = *(const char *const *)member;
	rg_buf_str(out, *text ? text : "-");
}

#define OF rg_case_group
static const rg_json_field group_fields[] = {
	RG_KEY_SAY("name", name, ALWAYS, say_or_dash, "What they have in common."),
	RG_KEY_SAY("detail", detail, ALWAYS, say_or_dash,
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

/* An error's first line that says something, cut; "" where there is none. */
static void tell_error(cases_view *t, case_view *out, const rg_case *c)
{
	const char *line = out->error = c && c->result == RG_CASE_FAIL ? c->error : "";
	line += strspn(line, " \t\r\n");
	size_t length = strcspn(line, "\r\n");
	out->error_is_cut = line[length + strspn(line + length, " \t\r\n")] || length > ERROR_LINE;
	if (length > ERROR_LINE)
		for (length = ERROR_LINE; length && ((unsigned char)line[length] & 0xc0) == 0x80;)
			length--;
	out->error_line = rg_arena_textf(&t->arena, "%.*s%s", (int)length, line,
					 out->error_is_cut ? " …" : "");
}

static case_view tell_case(cases_view *t, const rg_case_change *change, bool delegation)
{
	const rg_case *c = change->fresh ? change->fresh : change->old;
	case_view out = {.flow = or_dash(c->flow),
			 .test = test_of(t, c),
			 .before = delegation ? "Pass, delegated" : result_of(t, change->old),
			 .now = delegation ? "Pass, not delegated" : result_of(t, change->fresh)};
	tell_error(t, &out, change->fresh);
	return out;
}

/* Of tests that are held against nothing, those that fail. `title`: NULL for those that are no
 * longer delegated. */
static void tell_list(cases_view *t, const char *title, const rg_case_change *changes, size_t count)
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
		list->items[list->count] = tell_case(t, &changes[i], !title);
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
static void tell_accuracy(cases_view *t)
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
		tell_list(&t, t.alone ? "Failing" : titles[k], changes, comparison->counts[k]);
		if (k == RG_CASE_NEWLY_FAILING)
			tell_list(&t, NULL, comparison->undelegated, comparison->undelegated_count);
	}
	tell_accuracy(&t);
	rg_build_fields(view, rg_cases_fields, &t);
	rg_arena_release(&t.arena);
	return view;
}

/* --- opaque goldens --- */

static const char *const kind_names[] = {
	[RG_OPAQUE_READABLE] = "readable", [RG_OPAQUE_ABSENT] = "absent", [RG_OPAQUE_TEXT] = "text",
	[RG_OPAQUE_BYTES] = "bytes",       [RG_OPAQUE_PNG] = "png",
};

static void say_sha256(rg_buf *out, const void *member)
{
	rg_buf_str(out, member);
}

static void say_dimensions(rg_buf *out, const void *from)
{
	const rg_opaque_side *side = from;
	if (side->kind == RG_OPAQUE_PNG)
		rg_buf_printf(out, "%lux%lu", (unsigned long)side->width,
			      (unsigned long)side->height);
}

static void say_picture(rg_buf *out, const void *from)
{
	const rg_opaque_side *side = from;
	if (side->picture)
		rg_base64_add(out, side->picture, side->size);
}

#define OF rg_opaque_side
static const rg_json_field side_fields[] = {
	RG_KEY_WORD("kind", kind, kind_names,
		    "What it is to look at; readable: a reader takes this side; absent: there is "
		    "no file on it."),
	RG_KEY(says, "The same in words, with the size."),
	RG_KEY(size, "Bytes; 0 for what is readable or absent."),
	RG_KEY_SAY("sha256", sha256, OR_NULL, say_sha256, "Its hash."),
	RG_SAY("dimensions", OR_NULL, say_dimensions, "Of a picture: WIDTHxHEIGHT."),
	RG_KEY_OR_NULL(why, "Why the reader that its bytes spoke for gave up."),
	RG_SAY("picture", OR_NULL, say_picture, "The PNG in base64, where it is small enough."),
	{0}};
#undef OF

static void say_kind(rg_buf *out, const void *member)
{
	const char *line = *(const char *const *)member;
	rg_buf_str(out, *line == '+'   ? "added"
			: *line == '-' ? "removed"
			: *line == '@' ? "hunk"
				       : "same");
}

static const rg_json_field line_fields[] = {
	RG_SAY("kind", ALWAYS, say_kind, "What the line is."),
	RG_ITSELF("text", TEXT, const char *, ALWAYS, "The line, with its mark."),
	{0}};

/* With as many lines and pictures as there is room for. */
typedef struct {
	const char *file;
	rg_opaque o;
	bool was_readable, pictures, pictures_left_out;
} opaque_view;

#define OF opaque_view
const rg_json_field rg_opaque_fields[] = {
	RG_KEY(file, "The golden."),
	RG_KEY(was_readable, "Did a reader take the old side?"),
	RG_KEY_OBJECT("old", o.old, side_fields, ALWAYS, false, "One side of an opaque golden."),
	RG_KEY_OBJECT("new", o.fresh, side_fields, ALWAYS, false, "One side of an opaque golden."),
	RG_KEY(pictures, "Has each side that is there a picture?"),
	RG_KEY(pictures_left_out,
	       "Is a side a picture, and not all that is there to be shown here?"),
	RG_KEY_LIST("changed_lines", o.lines, o.line_count, line_fields,
		    "Of two texts, a unified diff."),
	RG_KEY_AS("more_lines", o.more, "Lines of the diff that are left out."),
	RG_KEY_AS("too_large", o.too_large, "Are the texts too large for a diff?"),
	{0}};
#undef OF

/* What a report has room for, over all goldens: bytes of pictures, and lines. */
enum { PICTURE_BYTES_MAX = 8 << 20, LINES_MAX = 20000 };

static size_t take_room(size_t *room, size_t count)
{
	size_t taken = count < *room ? count : *room;
	*room -= taken;
	return taken;
}

static void keep_picture(size_t *room, rg_opaque_side *side)
{
	if (side->picture && side->size <= *room)
		*room -= side->size;
	else
		side->picture = NULL;
}

static bool is_shown(const rg_opaque_side *side)
{
	return side->kind == RG_OPAQUE_ABSENT || side->picture;
}

static void tell_opaque(opaque_view *t, size_t *picture_room, size_t *line_room)
{
	rg_opaque *o = &t->o;
	size_t shown = take_room(line_room, o->line_count);

	t->was_readable = o->old.kind == RG_OPAQUE_READABLE;
	keep_picture(picture_room, &o->old);
	keep_picture(picture_room, &o->fresh);
	/* Of a pair, both or none. */
	t->pictures = is_shown(&o->old) && is_shown(&o->fresh);
	t->pictures_left_out = (o->old.kind == RG_OPAQUE_PNG || o->fresh.kind == RG_OPAQUE_PNG) &&
			       !t->pictures;
	o->more += o->line_count - shown;
	o->line_count = shown;
}

void rg_opaque_view_add(cJSON *formats, const rg_comparison *comparison)
{
	size_t pictures = PICTURE_BYTES_MAX, lines = LINES_MAX, count = 0;
	opaque_view *list = rg_calloc(comparison->file_count + 1, sizeof(*list));

	for (size_t i = 0; i < comparison->file_count; i++) {
		const rg_file_outcome *file = &comparison->files[i];
		const rg_opaque *opaque = rg_opaque_of(comparison, file);

		if (!opaque)
			continue;
		list[count] = (opaque_view){.file = file->file, .o = *opaque};
		tell_opaque(&list[count++], &pictures, &lines);
	}
	if (count)
		rg_build_items(formats, "opaque", rg_opaque_fields, list, count, sizeof(*list));
	free(list);
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

/* (new - old) / |old| */
static void put_relative(rg_json_out *json, const void *from, const void *context)
{
	const rg_difference *d = from;

	(void)context;
	double relative = d->old.there && d->fresh.there
				  ? (d->fresh.number - d->old.number) / fabs(d->old.number)
				  : NAN;
	if (isnan(relative))
		rg_json_null(json);
	else
		rg_json_number(json, relative);
}

#define OF rg_difference
static const rg_json_field text_cell_fields[] = {
	RG_KEY_AS("record", at, "The record's key."),
	RG_KEY_AS("column", metric, "The column."),
	RG_KEY_VALUE("old", old, "The old cell; null: the record has none there."),
	RG_KEY_VALUE("new", fresh, "The new one."),
	{0}};
static const rg_json_field number_cell_fields[] = {
	RG_SPREAD_SAME(text_cell_fields),
	RG_PUT("relative", NUMBER, OR_NULL, NULL, put_relative,
	       "(new - old) / |old|; null where a side has no number."),
	{0}};
#undef OF

static const rg_json_field record_fields[] = {
	RG_ITSELF("record", TEXT, const char *, ALWAYS, "Its key."), {0}};

/* With as many cells and keys of records as there is room for. */
typedef struct {
	const rg_file_outcome *of;
	rg_table_differences t;
	size_t lost_more, gained_more;
} table_view;

#define OF table_view
const rg_json_field rg_table_fields[] = {
	RG_KEY_VIA(of, rg_file_outcome, file, ALWAYS, "The golden's path."),
	RG_KEY_AS("changed", t.changed, "Records on both sides that differ."),
	RG_KEY_AS("lost_count", t.lost_count, "Records on the old side only."),
	RG_KEY_AS("gained_count", t.gained_count, "Records on the new side only."),
	RG_KEY_LIST("texts", t.texts.items, t.texts.count, text_cell_fields,
		    "Cells of texts that differ."),
	RG_KEY_AS("texts_more", t.texts.more, "Further ones."),
	RG_KEY_LIST("numbers", t.numbers.items, t.numbers.count, number_cell_fields,
		    "Cells of numbers that differ, the largest relative change first."),
	RG_KEY_AS("numbers_more", t.numbers.more, "Further ones."),
	RG_KEY_LIST("lost", t.lost, t.lost_shown, record_fields, "Records on the old side only."),
	RG_KEY(lost_more, "Further ones."),
	RG_KEY_LIST("gained", t.gained, t.gained_shown, record_fields,
		    "Records on the new side only."),
	RG_KEY(gained_more, "Further ones."),
	{0}};
#undef OF

/* What a report has room for, over all tables: cells and keys of records. */
enum { CELLS_MAX = 4000 };

static void tell_table(table_view *out, size_t *room)
{
	rg_table_differences *t = &out->t;
	rg_differences *const lists[] = {&t->texts, &t->numbers};

	for (size_t i = 0; i < 2; i++) {
		size_t shown = take_room(room, lists[i]->count);
		lists[i]->more += lists[i]->count - shown;
		lists[i]->count = shown;
	}
	t->lost_shown = take_room(room, t->lost_shown);
	t->gained_shown = take_room(room, t->gained_shown);
	out->lost_more = t->lost_count - t->lost_shown;
	out->gained_more = t->gained_count - t->gained_shown;
}

static double size_of(const table_view *table)
{
	return table->t.numbers.count ? table->t.numbers.items[0].size : 0;
}

RG_ORDER(compare_tables, table_view, RG_BY(size_of(y), size_of(x)) || RG_RISING(of));

void rg_tables_view_add(cJSON *formats, const rg_comparison *comparison)
{
	table_view *tables = rg_calloc(comparison->file_count + 1, sizeof(*tables));
	size_t room = CELLS_MAX, count = 0;

	for (size_t i = 0; i < comparison->file_count; i++) {
		const rg_file_outcome *file = &comparison->files[i];
		if (file->table)
			tables[count++] = (table_view){.of = file, .t = *file->table};
	}
	if (count)
		qsort(tables, count, sizeof(*tables), compare_tables);
	for (size_t i = 0; i < count; i++)
		tell_table(&tables[i], &room);
	if (count)
		rg_build_items(formats, "tables", rg_table_fields, tables, count, sizeof(*tables));
	free(tables);
}

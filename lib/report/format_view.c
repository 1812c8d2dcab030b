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

/* --- opaque goldens --- */

static const char *const kind_names[] = {
	[RG_OPAQUE_READABLE] = "readable", [RG_OPAQUE_ABSENT] = "absent", [RG_OPAQUE_TEXT] = "text",
	[RG_OPAQUE_BYTES] = "bytes",       [RG_OPAQUE_PNG] = "png",
};

static void write_sha256(rg_buf *out, const void *member)
{
	rg_buf_str(out, member);
}

static void write_dimensions(rg_buf *out, const void *from)
{
	const rg_opaque_side *side = from;
	if (side->kind == RG_OPAQUE_PNG)
		rg_buf_printf(out, "%lux%lu", (unsigned long)side->width,
			      (unsigned long)side->height);
}

static void write_picture(rg_buf *out, const void *from)
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
	RG_KEY_SAY("sha256", sha256, OR_NULL, write_sha256, "Its hash."),
	RG_SAY("dimensions", OR_NULL, write_dimensions, "Of a picture: WIDTHxHEIGHT."),
	RG_KEY_OR_NULL(why, "Why the reader that its bytes spoke for gave up."),
	RG_SAY("picture", OR_NULL, write_picture, "The PNG in base64, where it is small enough."),
	{0}};
#undef OF

static void write_kind(rg_buf *out, const void *member)
{
	const char *line = *(const char *const *)member;
	rg_buf_str(out, *line == '+'   ? "added"
			: *line == '-' ? "removed"
			: *line == '@' ? "hunk"
				       : "same");
}

static const rg_json_field line_fields[] = {
	RG_SAY("kind", ALWAYS, write_kind, "What the line is."),
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

/* A report has room for so much, over all goldens. */
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

static void bound_opaque(opaque_view *t, size_t *picture_room, size_t *line_room)
{
	rg_opaque *o = &t->o;
	size_t shown = take_room(line_room, o->line_count);

	t->was_readable = o->old.kind == RG_OPAQUE_READABLE;
	keep_picture(picture_room, &o->old);
	keep_picture(picture_room, &o->fresh);
	/* Both pictures of a pair are shown, or none. */
	t->pictures = is_shown(&o->old) && is_shown(&o->fresh);
	t->pictures_left_out = (o->old.kind == RG_OPAQUE_PNG || o->fresh.kind == RG_OPAQUE_PNG) &&
			       !t->pictures;
	o->more += o->line_count - shown;
	o->line_count = shown;
}

void rg_opaque_view_add(cJSON *formats, const rg_comparison *comparison)
{
	size_t pictures = PICTURE_BYTES_MAX, lines = LINES_MAX, count = 0;
	RG_AUTO_FREE opaque_view *list = rg_calloc(comparison->file_count + 1, sizeof(*list));

	for (size_t i = 0; i < comparison->file_count; i++) {
		const rg_file_outcome *file = &comparison->files[i];
		const rg_opaque *opaque = rg_opaque_of(comparison, file);

		if (!opaque)
			continue;
		list[count] = (opaque_view){.file = file->file, .o = *opaque};
		bound_opaque(&list[count++], &pictures, &lines);
	}
	if (count)
		rg_build_items(formats, "opaque", rg_opaque_fields, list, count, sizeof(*list));
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
static void write_relative(rg_json_out *json, const void *from, const void *context)
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
	RG_PUT("relative", NUMBER, OR_NULL, NULL, write_relative,
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

/* A report has room for so many cells and keys of records, over all tables. */
enum { CELLS_MAX = 4000 };

static void bound_table(table_view *out, size_t *room)
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
	RG_AUTO_FREE table_view *tables = rg_calloc(comparison->file_count + 1, sizeof(*tables));
	size_t room = CELLS_MAX, count = 0;

	for (size_t i = 0; i < comparison->file_count; i++) {
		const rg_file_outcome *file = &comparison->files[i];
		if (file->table)
			tables[count++] = (table_view){.of = file, .t = *file->table};
	}
	if (count)
		qsort(tables, count, sizeof(*tables), compare_tables);
	for (size_t i = 0; i < count; i++)
		bound_table(&tables[i], &room);
	if (count)
		rg_build_items(formats, "tables", rg_table_fields, tables, count, sizeof(*tables));
}

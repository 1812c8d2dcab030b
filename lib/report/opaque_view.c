/* SPDX-License-Identifier: Apache-2.0 */
#include "report/opaque_view.h"

#include "base/fields.h"
#include "base/base64.h"
#include "base/json.h"
#include "base/utf8.h"
#include "compare/opaque_row.h"
#include "report/summary_view.h"
#include "report/template_data.h"

#include <string.h>

/* --- the keys --- */

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
} build;

static void put_picture(build *b, cJSON *object, const rg_opaque_side *side)
{
	rg_buf text;
	if (!side->picture || side->size > b->picture_room) {
		rg_build_text(object, "picture", NULL);
		return;
	}
	b->picture_room -= side->size;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_base64_add(&text, side->picture, side->size);
	rg_build_written(object, "picture", &text);
	rg_buf_release(&text);
}

static void put_side(build *b, cJSON *item, const char *name, const rg_opaque_side *side)
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
	put_picture(b, object, side);
}

static const char *line_kind(const char *line)
{
	return *line == '+' ? "added" : *line == '-' ? "removed" : *line == '@' ? "hunk" : "same";
}

static void put_lines(build *b, cJSON *item, const rg_opaque *opaque)
{
	cJSON *list = rg_build_list(item, "changed_lines");
	size_t shown = opaque->line_count < b->line_room ? opaque->line_count : b->line_room;

	b->line_room -= shown;
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

static void put_file(build *b, cJSON *list, const char *file, const rg_opaque *opaque)
{
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "file", file);
	rg_build_truth(item, "was_readable", opaque->old.kind == RG_OPAQUE_READABLE);
	put_side(b, item, "old", &opaque->old);
	put_side(b, item, "new", &opaque->fresh);
	/* Of a pair, both or none. */
	rg_build_truth(item, "pictures",
		       is_shown(item, "old", &opaque->old) &&
			       is_shown(item, "new", &opaque->fresh));
	rg_build_truth(item, "pictures_left_out",
		       (opaque->old.kind == RG_OPAQUE_PNG || opaque->fresh.kind == RG_OPAQUE_PNG) &&
			       !cJSON_IsTrue(rg_json_member(item, "pictures")));
	put_lines(b, item, opaque);
}

rg_error *rg_opaque_view_add(cJSON **formats, const rg_comparison *comparison)
{
	build b = {.picture_room = PICTURE_BYTES_MAX, .line_room = LINES_MAX};
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
		put_file(&b, list, file->file, opaque);
	}
	return list ? rg_summary_view_finish(list) : NULL;
}

/* --- for markdown --- */

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

/* SPDX-License-Identifier: Apache-2.0 */
#include "update/rejected.h"

#include "base/digest.h"
#include "base/path.h"
#include "update/safe_tree.h"

#include <string.h>

/* It is between the parts of a line. */
static const char gap[] = "  ";

static bool is_one_line(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == '\x7f')
			return false;
	return true;
}

rg_error *rg_rejection_check(rg_error_code code, const char *path, const char *why)
{
	if (strstr(path, gap) || !is_one_line(path))
		return rg_error_new(code,
				    "'%s' has two blanks in a row or a control character, which a "
				    "line of %s cannot hold",
				    path, RG_REJECTED_FILE);
	if (!why[strspn(why, " ")] || !is_one_line(why))
		return rg_error_new(code, "the reason is one line that is not blank");
	if (strlen(why) > RG_REJECTED_TEXT_MAX)
		return rg_error_new(code, "the reason has %zu bytes, and %d are the most",
				    strlen(why), RG_REJECTED_TEXT_MAX);
	return NULL;
}

/* ---- the file ---- */

static rg_error *append_line(rg_rejections *out, const char *line, size_t length)
{
	if (length && line[length - 1] == '\r')
		length--;
	if (!length || *line == '#')
		return NULL;
	if (memchr(line, '\0', length))
		return rg_error_new(RG_E_PARSE, "has a NUL");
	char *sha256 = rg_arena_copy(&out->arena, line, length), *path = strstr(sha256, gap);
	char *why = path ? strstr(path + strlen(gap), gap) : NULL;
	if (!why)
		return rg_error_new(RG_E_PARSE, "is not 'SHA256  PATH  TEXT'");
	*path = *why = '\0';
	path += strlen(gap);
	why += strlen(gap);
	if (strlen(sha256) != RG_SHA256_HEX - 1 ||
	    strspn(sha256, "0123456789abcdef") != RG_SHA256_HEX - 1)
		return rg_error_new(RG_E_PARSE, "does not begin with a SHA-256 in lower case");
	RG_TRY(rg_path_check(path));
	RG_TRY(rg_rejection_check(RG_E_PARSE, path, why));
	*RG_ARENA_PUSH(&out->arena, out->items, out->count, out->capacity) =
		(rg_rejection){sha256, path, why};
	return NULL;
}

rg_error *rg_rejections_parse(rg_rejections *out, const char *text, size_t length)
{
	const char *end = text + length;
	size_t number = 1;

	*out = (rg_rejections){0};
	rg_arena_init(&out->arena);
	for (; text < end; number++) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		stop = stop ? stop : end;
		RG_TRY(rg_error_wrap(append_line(out, text, (size_t)(stop - text)), "line %zu",
				     number));
		text = stop + 1;
	}
	return NULL;
}

rg_error *rg_rejections_read(rg_rejections *out, int tree, rg_buf *text)
{
	RG_AUTO(rg_buf) own = rg_buf_of(RG_REJECTED_MAX);
	rg_side side;

	*out = (rg_rejections){0};
	if (!text)
		text = &own;
	rg_error *err = rg_tree_read(tree, RG_REJECTED_FILE, text, &side);
	if (!err)
		err = rg_rejections_parse(out, text->data, text->length);
	return rg_error_wrap(err, RG_REJECTED_FILE);
}

void rg_rejections_release(rg_rejections *rejections)
{
	rg_arena_release(&rejections->arena);
}

const rg_rejection *rg_rejections_find(const rg_rejections *rejections, const char *path,
				       const char *sha256)
{
	for (size_t i = 0; i < rejections->count; i++)
		if (!strcmp(rejections->items[i].sha256, sha256) &&
		    !strcmp(rejections->items[i].path, path))
			return &rejections->items[i];
	return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "story/golden_name.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

/* --- stage and test --- */

/* By jobs.target, part by part. */
static const char *target_part(const char *path, rg_field part, const char *target, size_t *length)
{
	const char *name = rg_field_name(part);
	size_t size = strlen(name);

	for (;;) {
		size_t wanted = strcspn(target, "/"), given = strcspn(path, "/");
		if (wanted == size + 2 && *target == '{' && !strncmp(target + 1, name, size)) {
			*length = given;
			return given ? path : NULL;
		}
		if (!target[wanted] || !path[given])
			return NULL;
		target += wanted + 1;
		path += given + 1;
	}
}

const char *rg_path_part(const char *path, rg_field part, const rg_column_context *context,
			 size_t *length)
{
	size_t root = strlen(context->root);
	rg_name_fields fields;

	*length = 0;
	if (strncmp(path, context->root, root) != 0 || (root && path[root] != '/'))
		return NULL;
	path += root + (root > 0);
	if (!context->names)
		return context->target ? target_part(path, part, context->target, length) : NULL;
	if (!rg_path_names_match(context->names, path, &fields))
		return NULL;
	*length = fields.fields[part].length;
	return fields.fields[part].start;
}

/* --- a name --- */

static rg_name_part part_of(const char *path, rg_field field, const rg_column_context *context)
{
	rg_name_part part = {0};
	part.text = rg_path_part(path, field, context, &part.length);
	return part;
}

/* The part of the name that the only '*' of a glob stands for; none: the name does not fit. */
static rg_name_part star_of(const char *glob, size_t length, const char *name)
{
	const char *star = memchr(glob, '*', length);
	size_t before = star ? (size_t)(star - glob) : length, size = strlen(name);

	if (!star)
		return (rg_name_part){0};
	size_t after = length - before - 1;
	if (size < before + after || memchr(star + 1, '*', after) ||
	    memcmp(name, glob, before) != 0 || memcmp(name + size - after, star + 1, after) != 0)
		return (rg_name_part){0};
	return (rg_name_part){name + before, size - before - after};
}

/* "_dev_dgx_h100" is dev_dgx_h100's. */
static rg_name_part without_separator(rg_name_part part)
{
	while (part.length && strchr("_-.", *part.text)) {
		part.text++;
		part.length--;
	}
	return part.length ? part : (rg_name_part){0};
}

static rg_name_part variant_of(const char *path, const rg_column_context *context)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *glob = context->files ? context->files : "";

	if (context->names) {
		/* A pattern without a variant has the tag say on what. */
		rg_name_part part = part_of(path, RG_FIELD_VARIANT, context);
		return part.text ? part : part_of(path, RG_FIELD_TAG, context);
	}
	while (*glob) {
		size_t length = strcspn(glob, " \t"), last = length;
		/* The last part of a path that may be inside of a zip. */
		while (last && !strchr("/!", glob[last - 1]))
			last--;
		rg_name_part part = star_of(glob + last, length - last, name);
		if (part.text)
			return without_separator(part);
		glob += length;
		glob += strspn(glob, " \t");
	}
	return (rg_name_part){0};
}

rg_test_name rg_test_name_split(const char *path, const rg_column_context *context)
{
	rg_test_name name = {.stage = part_of(path, RG_FIELD_STAGE, context),
			     .test = part_of(path, RG_FIELD_TEST, context)};

	if (name.test.text)
		name.variant = variant_of(path, context);
	return name;
}

static const char *below_root(const char *path, const rg_column_context *context)
{
	size_t root = strlen(context->root);
	bool below = root && !strncmp(path, context->root, root) && path[root] == '/';

	return below ? path + root + 1 : path;
}

void rg_test_name_add(rg_buf *out, const char *path, const rg_column_context *context)
{
	rg_test_name name = rg_test_name_split(path, context);
	if (!name.test.text) {
		rg_buf_str(out, below_root(path, context));
		return;
	}
	if (name.stage.text) {
		rg_buf_add(out, name.stage.text, name.stage.length);
		rg_buf_char(out, '/');
	}
	rg_buf_add(out, name.test.text, name.test.length);
	if (!name.variant.text)
		return;
	rg_buf_str(out, " [");
	rg_buf_add(out, name.variant.text, name.variant.length);
	rg_buf_char(out, ']');
}

void rg_test_names_init(rg_test_names *names)
{
	*names = (rg_test_names){0};
	rg_arena_init(&names->arena);
}

void rg_test_names_release(rg_test_names *names)
{
	free(names->items);
	rg_arena_release(&names->arena);
}

void rg_test_names_add(rg_test_names *names, const char *path)
{
	RG_PUSH(names->items, names->count, names->capacity)->path = path;
}

RG_ORDER(by_path, rg_listed_name, RG_BY_TEXT(path));

RG_ORDER(by_name, rg_listed_name, RG_BY_TEXT(name));

static void sort(rg_test_names *names, int (*compare)(const void *, const void *))
{
	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items), compare);
}

/* Finds how far two texts begin and end with the same parts of a path. */
static void measure_common(const char *a, const char *b, size_t *before, size_t *after)
{
	const size_t x = strlen(a), y = strlen(b), shorter = x < y ? x : y;
	size_t begin = 0, end = 0;

	for (size_t i = 0; i < shorter && a[i] == b[i]; i++)
		begin = a[i] == '/' ? i + 1 : begin;
	for (size_t i = 1; i <= shorter - begin && a[x - i] == b[y - i]; i++)
		end = a[x - i] == '/' ? i : end;
	*before = begin < *before ? begin : *before;
	*after = end < *after ? end : *after;
}

void rg_test_names_make(rg_test_names *names, const rg_column_context *context)
{
	size_t end, kept = 0;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	sort(names, by_path);
	for (size_t i = 0; i < names->count; i++) {
		if (kept && !by_path(&names->items[kept - 1], &names->items[i]))
			continue;
		rg_buf_clear(&text);
		rg_test_name_add(&text, names->items[i].path, context);
		names->items[kept++] = (rg_listed_name){names->items[i].path,
							rg_arena_text(&names->arena, text.data)};
	}
	names->count = kept;
	sort(names, by_name);
	size_t paths = 0;
	for (size_t i = 0; i < kept; i = end) {
		for (end = i + 1; end < kept && !by_name(&names->items[i], &names->items[end]);
		     end++)
			;
		for (size_t k = i; end > i + 1 && k < end; k++)
			names->items[k].name = below_root(names->items[k].path, context);
		paths += end > i + 1 ? end - i : 0;
	}
	sort(names, by_path);
	if (paths && paths == kept) {
		/* Keeps of paths, which differ, what they do not all begin and end with: if they
		 * all end alike, people know them by a folder's name. */
		const char *first = names->items[0].name;
		size_t before = strlen(first), after = before;
		for (size_t i = 1; i < names->count; i++)
			measure_common(first, names->items[i].name, &before, &after);
		for (size_t i = 0; after && i < names->count; i++) {
			const char *name = names->items[i].name;
			names->items[i].name = rg_arena_copy(&names->arena, name + before,
							     strlen(name) - before - after);
		}
	}
}

const char *rg_test_names_find(const rg_test_names *names, const char *path)
{
	const rg_listed_name wanted = {path, NULL};
	const rg_listed_name *found =
		bsearch(&wanted, names->items, names->count, sizeof(wanted), by_path);
	return found ? found->name : path;
}

int rg_name_part_compare(const rg_name_part *a, const rg_name_part *b)
{
	size_t shorter = a->length < b->length ? a->length : b->length;
	int order = shorter ? memcmp(a->text, b->text, shorter) : 0;

	return order ? order : (a->length > b->length) - (a->length < b->length);
}

static bool is_digits(const char *text, size_t length)
{
	return length && strspn(text, "0123456789") >= length;
}

/* "12" and "layer12": how much of the part goes before the number; its length where it has none. */
static size_t before_number(const char *part, size_t length)
{
	static const char layer[] = "layer";
	const size_t skip = sizeof(layer) - 1;

	if (is_digits(part, length))
		return 0;
	if (length > skip && !memcmp(part, layer, skip) && is_digits(part + skip, length - skip))
		return skip;
	return length;
}

void rg_family_add(rg_buf *out, const char *metric)
{
	bool parted = metric[strcspn(metric, "/.")] != '\0';
	while (*metric) {
		size_t length = strcspn(metric, "/.");
		size_t before = parted ? before_number(metric, length) : length;

		rg_buf_add(out, metric, before);
		if (before < length)
			rg_buf_char(out, '*');
		metric += length;
		if (*metric)
			rg_buf_char(out, *metric++);
	}
}

void rg_family_add_column(rg_buf *out, const char *column)
{
	static const char *const units[] = {"_time", "_mem"};
	const char *end = strrchr(column, '_');

	for (size_t i = 0; end && end > column && i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(end, units[i])) {
			rg_buf_printf(out, "*%s", end);
			return;
		}
	rg_family_add(out, column);
}

bool rg_family_is_of_ids(const char *family)
{
	static const char *const ends[] = {"indices", "_ids", "_id", "status", "tokens"};
	for (;; family++) {
		size_t length = strcspn(family, "/");
		for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
			if (rg_bytes_end_with(family, length, ends[i]))
				return true;
		family += length;
		if (!*family)
			return false;
	}
}

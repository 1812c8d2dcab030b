/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/text_names.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "golden/text_token.h"

#include <stdlib.h>
#include <string.h>

/* More numbers on a line are one metric; bytes of a name. */
enum { NUMBERS_MAX = 1000, NAME_MAX_BYTES = 200 };

struct rg_text_named {
	size_t heading;
	uint32_t *metrics;
};

void rg_text_names_init(rg_text_names *names, rg_arena *arena)
{
	*names = (rg_text_names){.arena = arena, .heading = SIZE_MAX};
	rg_buf_init(&names->base, RG_BUF_ANY);
	rg_buf_init(&names->name, RG_BUF_TEXT);
}

void rg_text_names_release(rg_text_names *names)
{
	rg_buf_release(&names->base);
	rg_buf_release(&names->name);
	free(names->names);
	free(names->skeletons.items);
	free(names->skeletons.named);
	free(names->by_name.entries);
	free(names->by_skeleton.entries);
	*names = (rg_text_names){0};
}

void rg_text_names_hand_over(rg_text_names *names, rg_text_lines *out, rg_arena *arena)
{
	out->skeletons = names->skeletons.items;
	out->skeleton_count = names->skeletons.count;
	out->names = names->names;
	rg_arena_adopt(arena, names->skeletons.items);
	rg_arena_adopt(arena, names->names);
	names->skeletons.items = NULL;
	names->names = NULL;
}

/* --- what is kept once --- */

typedef rg_text_skeleton text_at_fn(const rg_text_names *names, size_t place);

static rg_text_skeleton name_at(const rg_text_names *names, size_t place)
{
	return (rg_text_skeleton){names->names[place], strlen(names->names[place])};
}

static rg_text_skeleton skeleton_at(const rg_text_names *names, size_t place)
{
	return names->skeletons.items[place];
}

/* FNV-1a */
static uint64_t hash_of(rg_text_skeleton text)
{
	uint64_t hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < text.length; i++)
		hash = (hash ^ (unsigned char)text.text[i]) * 0x100000001b3u;
	return hash ^ hash >> 32;
}

/* Where it is in the table, or the empty place where it belongs. */
static uint32_t *slot_of(const rg_text_names *names, const rg_text_index *index,
			 text_at_fn *text_at, rg_text_skeleton text)
{
	uint32_t *entries = index->entries;
	size_t at = (size_t)(hash_of(text) & (index->room - 1));

	for (; entries[at]; at = (at + 1) & (index->room - 1)) {
		const rg_text_skeleton other = text_at(names, entries[at] - 1);
		if (other.length == text.length && !memcmp(other.text, text.text, text.length))
			break;
	}
	return &entries[at];
}

/* Keeps the table at most half full; `count` are in it. */
static void make_room(const rg_text_names *names, rg_text_index *index, text_at_fn *text_at,
		      size_t count)
{
	if (index->room > 2 * count)
		return;
	free(index->entries);
	index->room = index->room ? 4 * index->room : 64;
	index->entries = rg_calloc(index->room, sizeof(uint32_t));
	for (size_t i = 0; i < count; i++)
		*slot_of(names, index, text_at, text_at(names, i)) = (uint32_t)i + 1;
}

static uint32_t keep_name(rg_text_names *names, rg_text_skeleton name)
{
	make_room(names, &names->by_name, name_at, names->count);
	uint32_t *slot = slot_of(names, &names->by_name, name_at, name);
	if (!*slot) {
		rg_grow(&names->names, &names->capacity, names->count + 1, sizeof(*names->names));
		names->names[names->count++] = rg_arena_copy(names->arena, name.text, name.length);
		*slot = (uint32_t)names->count;
	}
	return *slot - 1;
}

uint32_t rg_text_names_keep(rg_text_names *names, const char *name)
{
	return keep_name(names, (rg_text_skeleton){name, strlen(name)});
}

static uint32_t keep_skeleton(rg_text_names *names, rg_text_skeleton skeleton)
{
	rg_text_skeletons *all = &names->skeletons;
	make_room(names, &names->by_skeleton, skeleton_at, all->count);
	uint32_t *slot = slot_of(names, &names->by_skeleton, skeleton_at, skeleton);
	if (!*slot) {
		skeleton.text = rg_arena_copy(names->arena, skeleton.text, skeleton.length);
		rg_grow(&all->items, &all->capacity, all->count + 1, sizeof(*all->items));
		rg_grow(&all->named, &all->named_capacity, all->count + 1, sizeof(*all->named));
		all->items[all->count++] = skeleton;
		*slot = (uint32_t)all->count;
	}
	return *slot - 1;
}

/* --- names --- */

rg_error *rg_text_pattern_name(rg_buf *out, const char *pattern)
{
	rg_buf_clear(out);
	for (const char *p = pattern; *p;) {
		size_t length = strcspn(p, "*{");
		const char *piece = p, *end = strchr(p, '}');

		p += length ? length : *p == '{' && end ? (size_t)(end - p) + 1 : 1;
		rg_text_trim(&piece, &length);
		if (length && out->length)
			rg_buf_char(out, ' ');
		rg_buf_add(out, piece, length);
	}
	if (!out->length)
		return rg_error_new(RG_E_USAGE, "'%s' has no text that could be a metric's name",
				    pattern);
	return rg_buf_check(out, "a metric's name");
}

/* The last words that fit. */
static void shorten(const char **text, size_t *length)
{
	if (*length <= NAME_MAX_BYTES)
		return;
	const char *all = *text;
	size_t from = *length - NAME_MAX_BYTES, word = from;

	while (word < *length && all[word - 1] != ' ')
		word++;
	/* One long word begins between characters. */
	if (word < *length)
		from = word;
	while (from < *length && ((unsigned char)all[from] & 0xc0) == 0x80)
		from++;
	*text = all + from;
	*length -= from;
}

/* names->name is what all before a number says, or the heading, or "values". */
static void base_name(rg_text_names *names)
{
	const char *text = names->base.data;
	size_t length = names->base.length;

	if (!rg_text_has_letter(text, length)) {
		const rg_text_skeleton *heading =
			names->heading == SIZE_MAX ? NULL : &names->skeletons.items[names->heading];
		text = heading ? heading->text : "values";
		length = heading ? heading->length : strlen("values");
		rg_text_trim(&text, &length);
	}
	shorten(&text, &length);
	rg_buf_clear(&names->name);
	rg_utf8_add_valid(&names->name, text, length);
}

static void add_piece(rg_text_names *names, const char *text, size_t length)
{
	rg_text_trim(&text, &length);
	if (!length)
		return;
	if (names->base.length)
		rg_buf_char(&names->base, ' ');
	rg_buf_add(&names->base, text, length);
}

static void name_numbers(rg_text_names *names, rg_text_skeleton line, size_t numbers,
			 uint32_t *metrics)
{
	const char *at = line.text;
	size_t same = 0; /* numbers that are called alike, in a row */
	uint32_t last = UINT32_MAX;

	rg_buf_clear(&names->base);
	for (size_t i = 0; i < numbers; i++) {
		if (i && numbers > NUMBERS_MAX) {
			metrics[i] = metrics[0];
			continue;
		}
		const char *mark = memchr(at, '\0', line.length - (size_t)(at - line.text));
		add_piece(names, at, (size_t)(mark - at));
		at = mark + 1;
		base_name(names);
		const uint32_t base = rg_text_names_keep(names, names->name.data);
		same = base == last ? same + 1 : 1;
		last = base;
		metrics[i] = base;
		if (same > 1) {
			rg_buf_printf(&names->name, "[%zu]", same);
			metrics[i] = rg_text_names_keep(names, names->name.data);
		}
	}
}

uint32_t rg_text_names_find(rg_text_names *names, const char *skeleton, size_t length,
			    size_t numbers, uint32_t *metrics)
{
	const uint32_t place = keep_skeleton(names, (rg_text_skeleton){skeleton, length});
	struct rg_text_named *named = &names->skeletons.named[place];

	if (!numbers) {
		if (rg_text_has_letter(skeleton, length))
			names->heading = place;
		return place;
	}
	if (!named->metrics || named->heading != names->heading) {
		name_numbers(names, names->skeletons.items[place], numbers, metrics);
		if (!named->metrics)
			named->metrics =
				rg_arena_alloc(names->arena, numbers * sizeof(*named->metrics));
		memcpy(named->metrics, metrics, numbers * sizeof(*metrics));
		named->heading = names->heading;
		return place;
	}
	memcpy(metrics, named->metrics, numbers * sizeof(*metrics));
	return place;
}

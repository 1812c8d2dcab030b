/* SPDX-License-Identifier: Apache-2.0 */
#include "source/member_layout.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/pattern.h"

#include <string.h>

static const char blanks[] = " \t\r";

/* Takes the blanks off both ends. */
static const char *trim(const char *start, const char **end)
{
	start += strspn(start, blanks);
	while (*end > start && strchr(blanks, (*end)[-1]))
		--*end;
	return start;
}

/* One side: a name with one '*' in it, and nothing else that a glob gives a meaning to. */
static rg_error *parse_side(const char **out, rg_arena *arena, const char *start, const char *end)
{
	start = trim(start, &end);
	*out = rg_arena_copy(arena, start, start < end ? (size_t)(end - start) : 0);
	const char *star = strchr(*out, '*');
	if (star && !strpbrk(star + 1, "*") && !strpbrk(*out, "?[]\\!/"))
		return NULL;
	return rg_error_new(RG_E_USAGE, "'%s' is not a name with one '*' in it", *out);
}

rg_error *rg_renames_parse(rg_renames *out, rg_arena *arena, const char *text)
{
	const char *end, *arrow;
	*out = (rg_renames){0};
	for (const char *p = text ? text : ""; *p; p = *end ? end + 1 : end) {
		const char *last = end = p + strcspn(p, ",\n");
		const char *first = trim(p, &last);

		if (first == last)
			continue;
		for (arrow = first; arrow < last - 1 && strncmp(arrow, "->", 2) != 0; arrow++)
			;
		if (arrow >= last - 1)
			return rg_error_new(RG_E_USAGE, "'%.*s' is not of the form 'GLOB -> GLOB'",
					    (int)(last - first), first);
		rg_rename *made = RG_ARENA_PUSH(arena, out->items, out->count, out->capacity);
		RG_TRY(parse_side(&made->from, arena, first, arrow));
		RG_TRY(parse_side(&made->to, arena, arrow + 2, last));
	}
	return NULL;
}

void rg_rename_apply(char **out, const rg_renames *renames, const char *name)
{
	size_t length = strlen(name);
	*out = NULL;
	for (size_t i = 0; i < renames->count; i++) {
		const char *from = renames->items[i].from, *to = renames->items[i].to;
		size_t before = strcspn(from, "*"), after = strlen(from + before + 1);
		size_t kept = strcspn(to, "*");

		if (length < before + after || strncmp(name, from, before) != 0 ||
		    strcmp(name + length - after, from + before + 1) != 0)
			continue;
		*out = rg_textf("%.*s%.*s%s", (int)kept, to, (int)(length - before - after),
				name + before, to + kept + 1);
		return;
	}
}

/* Longer paths are goldens under their own name alone: matching fields takes time. */
enum { PATH_MAX_LENGTH = 1024 };

/* The bridges to Megatron-LM's functional tests are called so; the environment follows. */
static const char bridge[] = "functional:run_";

rg_error *rg_member_layout_load(rg_member_layout *out, rg_arena *arena, const char *members)
{
	const unsigned allowed = 1u << RG_FIELD_REPEAT | 1u << RG_FIELD_RESTART |
				 1u << RG_FIELD_FOLDER | 1u << RG_FIELD_FILE;

	*out = (rg_member_layout){0};
	if (!members || !*members)
		return NULL;
	RG_TRY(rg_name_pattern_new(&out->pattern, arena, members, allowed, "jobs.members"));
	if (!rg_name_pattern_has(out->pattern, RG_FIELD_FILE))
		return rg_error_new(RG_E_USAGE, "jobs.members '%s': {file} is missing", members);
	return NULL;
}

rg_error *rg_member_layout_load_any(rg_member_layout *out, rg_arena *arena, const char *members)
{
	const unsigned allowed = (RG_FIELDS_ONE_PART - 1) & ~(1u << RG_FIELD_UNIQUE);
	const char *path = strstr(members, "{path}");

	*out = (rg_member_layout){.any_file = true};
	RG_TRY(rg_name_pattern_new(&out->pattern, arena, members, allowed | RG_FIELDS_ONE_PART,
				   "pattern"));
	/* Else its glob would have to ask for more than it names. */
	if (path && ((path > members && path[-1] != '/') || (path[6] && path[6] != '/')))
		return rg_error_new(RG_E_USAGE,
				    "pattern '%s': {path} stands for whole folders; it "
				    "needs '/' on both sides",
				    members);
	return NULL;
}

char *rg_member_layout_glob(const rg_member_layout *layout, size_t index)
{
	const rg_member_layout *l = layout;
	if (!l->pattern || index >= (l->any_file ? 1 : l->file_count + l->renames.count))
		return NULL;
	if (l->any_file)
		return rg_name_glob(l->pattern, "*");
	return rg_name_glob(l->pattern, index < l->file_count
						? l->files[index]
						: l->renames.items[index - l->file_count].from);
}

static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c == '_' || c == '/' ? '-' : c;
}

/* Does the folder begin so? *rest is what follows. */
static bool begins(const char *folder, size_t length, const char *text, size_t text_length,
		   size_t *rest)
{
	for (size_t i = 0; i < text_length; i++)
		if (i == length || fold(folder[i]) != fold(text[i]))
			return false;
	*rest = length - text_length;
	return true;
}

/* The environment of the last bridge that has one. */
static const char *environment(const char *via, size_t *length)
{
	const char *found = NULL;
	for (const char *p = via; p && (p = strstr(p, bridge)) != NULL; p = found)
		found = p + strlen(bridge);
	*length = found ? strcspn(found, " ") : 0;
	return found;
}

bool rg_member_is_own_folder(const rg_member_owner *owner, const char *folder, size_t length)
{
	size_t rest, env_length;
	if (!owner->test)
		return true;
	if (!begins(folder, length, owner->test, strlen(owner->test), &rest))
		return false;
	if (!rest)
		return true;
	folder += length - rest;
	const char *env = environment(owner->via, &env_length);
	if (*folder != '-' || !env)
		return *folder == '-';
	return begins(folder + 1, rest - 1, env, env_length, &rest) && !rest;
}

static bool is_named(const rg_member_layout *layout, const char *path)
{
	for (size_t i = 0; i < layout->file_count; i++) {
		const char *glob = layout->files[i];
		/* The path in a zip in a zip begins there. */
		if (rg_glob_match(glob + rg_glob_inner(glob, strlen(glob)), path, 0))
			return true;
	}
	return false;
}

static bool fits(const rg_member_layout *layout, const char *path, rg_name_fields *fields,
		 uint64_t *repeat)
{
	const rg_field_value *value = &fields->fields[RG_FIELD_REPEAT];
	*repeat = 0;
	if (!layout->pattern || strlen(path) > PATH_MAX_LENGTH ||
	    !rg_name_match(layout->pattern, path, NULL, fields))
		return false;
	return !value->start || rg_uint64_parse(value->start, value->length, repeat);
}

static bool is_own(const rg_member_owner *owner, const rg_name_fields *fields)
{
	const rg_field_value *folder = &fields->fields[RG_FIELD_FOLDER];
	return !folder->start || rg_member_is_own_folder(owner, folder->start, folder->length);
}

/* Under zero: before the round that counts. */
static int compare_round(const rg_member_round *round, const rg_name_fields *fields,
			 uint64_t repeat)
{
	const rg_field_value *a = &fields->fields[RG_FIELD_RESTART], *b = &round->restart;
	size_t least = a->length < b->length ? a->length : b->length;

	if (repeat != round->repeat)
		return repeat < round->repeat ? -1 : 1;
	int order = least ? memcmp(a->start, b->start, least) : 0;
	return order ? order : (a->length > b->length) - (a->length < b->length);
}

void rg_member_round_add(rg_member_round *round, const rg_member_layout *layout,
			 const rg_member_owner *owner, const char *path)
{
	rg_name_fields fields = {0};
	uint64_t repeat;

	if (is_named(layout, path) || !fits(layout, path, &fields, &repeat) ||
	    !is_own(owner, &fields) || (round->found && compare_round(round, &fields, repeat) <= 0))
		return;
	*round = (rg_member_round){true, repeat, fields.fields[RG_FIELD_RESTART]};
}

rg_member_kind rg_member_kind_of(const rg_member_round *round, const rg_member_layout *layout,
				 const rg_member_owner *owner, const char *path,
				 rg_name_fields *fields)
{
	uint64_t repeat;
	*fields = (rg_name_fields){0};
	if (is_named(layout, path))
		return RG_MEMBER_NAMED;
	if (!fits(layout, path, fields, &repeat))
		return RG_MEMBER_NONE;
	if (!is_own(owner, fields))
		return RG_MEMBER_FOREIGN;
	return compare_round(round, fields, repeat) < 0 ? RG_MEMBER_EARLIER : RG_MEMBER_COUNTS;
}

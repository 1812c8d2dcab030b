/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/zip_select.h"

#include "archive/member_reader.h"
#include "base/cancel.h"
#include "base/path.h"
#include "base/pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BLOCK = 64 << 10 };

typedef struct {
	rg_selection *out;
	const rg_zip_limits *limits;
	rg_selected_fn *take;
	void *context;
	uint64_t inner_members; /* of all zips inside the zip that were opened */
} selection_run;

/* One zip on the way: the patterns that hold inside it and how it was reached. */
typedef struct {
	selection_run *run;
	rg_zip *zip;
	const char *const *patterns;
	size_t pattern_count;
	const char *via; /* "" or "a.zip!b.zip" */
	unsigned depth;  /* zips around this one */
	/* Members in the directory's order: to take or to open, and those of them to read whole. */
	size_t *wanted, *whole;
	size_t wanted_count, whole_count, whole_done;
} zip_level;

static rg_error *select_at(zip_level *level);

void rg_selection_init(rg_selection *selection)
{
	*selection = (rg_selection){0};
	rg_arena_init(&selection->arena);
}

void rg_selection_release(rg_selection *selection)
{
	free(selection->refusals);
	rg_arena_release(&selection->arena);
	*selection = (rg_selection){0};
}

/* The '!' that ends a pattern's first part, or its terminating NUL. */
static const char *first_part_end(const char *pattern)
{
	const char *p = pattern;

	for (; *p; p++) {
		if (*p == '\\' && p[1])
			p++;
		else if (*p == '[' && p[1] == '!')
			p++;
		else if (*p == '!')
			break;
	}
	return p;
}

rg_error *rg_select_check(const char *const *patterns, size_t count, unsigned most)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const char *part = patterns[i], *end = first_part_end(part);
		unsigned depth = 0;

		for (; *end && end > part; end = first_part_end(part)) {
			part = end + 1;
			depth++;
		}
		if (end == part)
			return rg_error_new(RG_E_USAGE,
					    "pattern '%s': there is nothing before or after a '!'",
					    patterns[i]);
		if (depth > most)
			return rg_error_new(RG_E_USAGE,
					    "pattern '%s': zips are opened at most %u deep "
					    "(regild.maxDepth)",
					    patterns[i], most);
	}
	return NULL;
}

/*
 * Does the pattern's first part match? *inner is then what follows its '!', or NULL for a pattern
 * that ends there. Out of memory, the answer is no and *nomem is set.
 */
static bool part_matches(const char *pattern, const char *name, const char **inner, bool *nomem)
{
	const char *end = first_part_end(pattern);
	char *part;
	bool matches;

	*inner = *end ? end + 1 : NULL;
	if (!*end)
		return rg_glob_match(pattern, name, 0);
	part = strndup(pattern, (size_t)(end - pattern));
	if (!part) {
		*nomem = true;
		return false;
	}
	matches = rg_glob_match(part, name, 0);
	free(part);
	return matches;
}

/*
 * Holds a name against the patterns: *take where one asks for the member itself; what follows the
 * '!' of the others goes into `inner` (room for `count`), *inner_count of them.
 */
static rg_error *match_name(const char *name, const char *const *patterns, size_t count, bool *take,
			    const char **inner, size_t *inner_count)
{
	bool nomem = false;
	size_t i;

	*take = false;
	*inner_count = 0;
	for (i = 0; i < count; i++) {
		const char *rest;

		if (!part_matches(patterns[i], name, &rest, &nomem))
			continue;
		if (rest)
			inner[(*inner_count)++] = rest;
		else
			*take = true;
	}
	return nomem ? rg_error_nomem() : NULL;
}

rg_error *rg_select_wants(bool *out, const char *name, const char *const *patterns, size_t count)
{
	const char **inner = calloc(count + 1, sizeof(*inner));
	size_t inner_count;
	rg_error *err;

	*out = false;
	if (!inner)
		return rg_error_nomem();
	err = match_name(name, patterns, count, out, inner, &inner_count);
	*out = *out || inner_count;
	free(inner);
	return err;
}

/* "VIA!NAME", or NAME at the top; in the selection's arena. NULL out of memory. */
static const char *full_name(rg_selection *out, const char *via, const char *name)
{
	size_t length = strlen(via), name_length = strlen(name);
	char *full;

	if (!length)
		return rg_arena_copy(&out->arena, name, name_length);
	full = rg_arena_alloc(&out->arena, length + name_length + 2);
	if (!full)
		return NULL;
	memcpy(full, via, length);
	full[length] = '!';
	memcpy(full + length + 1, name, name_length);
	return full;
}

static rg_error *add_refusal(rg_selection *out, const char *via, const char *name,
			     const char *reason, rg_error_code code, bool wanted)
{
	rg_refusal *refusal;

	RG_TRY(rg_grow(&out->refusals, &out->capacity, out->count + 1, sizeof(*out->refusals)));
	refusal = &out->refusals[out->count];
	refusal->name = full_name(out, via, name);
	refusal->reason = rg_arena_copy(&out->arena, reason, strlen(reason));
	if (!refusal->name || !refusal->reason)
		return rg_error_nomem();
	refusal->code = code;
	refusal->wanted = wanted;
	out->count++;
	out->wanted += wanted;
	return NULL;
}

/* Turns an error about one member into a refusal (returns NULL); others end the selection. */
static rg_error *refuse_or_fail(rg_selection *out, const char *via, const char *name, rg_error *err)
{
	rg_error *failed;

	if (!err || !rg_zip_is_of_member(err))
		return err;
	failed = add_refusal(out, via, name, rg_error_message(err), rg_error_get_code(err), true);
	rg_error_free(err);
	return failed;
}

/* Hands `selected` out. *bad, which its `read` sets: it is not what it should be. */
static rg_error *hand_out(selection_run *run, const rg_selected *selected, const bool *bad)
{
	rg_error *err = run->take(run->context, selected);

	if (err)
		return *bad ? refuse_or_fail(run->out, selected->via, selected->path, err) : err;
	run->out->taken++;
	run->out->bytes += selected->size;
	return NULL;
}

/* A small archive can hold any number of zips, and each as many members as one may have. */
static rg_error *count_members(selection_run *run, const rg_zip *zip)
{
	size_t count = rg_zip_count(zip);

	if (count > run->limits->members - run->inner_members)
		return rg_error_new(RG_E_LIMIT,
				    "with its %zu members the zips inside the archive would have "
				    "more than %" PRIu64 " (regild.maxMembers)",
				    count, run->limits->members);
	run->inner_members += count;
	return NULL;
}

/* What is wrong with the zip is a refusal. */
static rg_error *open_inner(selection_run *run, const rg_reader *reader, const char *via,
			    const char *name, const char *const *inner, size_t count,
			    unsigned depth)
{
	zip_level level = {.run = run, .patterns = inner, .pattern_count = count, .depth = depth};
	rg_error *err;
	char why[80];

	if (depth > run->limits->depth) {
		snprintf(why, sizeof(why), "it is deeper than the limit of %u (regild.maxDepth)",
			 run->limits->depth);
		return add_refusal(run->out, via, name, why, RG_E_LIMIT, true);
	}
	level.via = full_name(run->out, via, name);
	if (!level.via)
		return rg_error_nomem();
	err = rg_zip_open(&level.zip, reader, run->limits, &run->out->unpacked);
	if (!err)
		err = count_members(run, level.zip);
	err = err ? refuse_or_fail(run->out, via, name, err) : select_at(&level);
	rg_zip_free(level.zip);
	return err;
}

/* Opens a zip that is a member of the level's. */
static rg_error *open_member(zip_level *level, size_t index, const char *const *inner, size_t count)
{
	const rg_zip_member *member = rg_zip_at(level->zip, index);
	rg_member_reader bytes;
	rg_error *err = rg_member_reader_open(&bytes, level->zip, index);

	if (err)
		err = refuse_or_fail(level->run->out, level->via, member->name, err);
	else
		err = open_inner(level->run, bytes.reader, level->via, member->name, inner, count,
				 level->depth + 1);
	rg_member_reader_release(&bytes);
	if (err || member->method != 0)
		return err;
	/* The plan of the inner zip has taken the place of this one's in the reader. */
	while (level->whole_done < level->whole_count && level->whole[level->whole_done] <= index)
		level->whole_done++;
	return rg_zip_prefetch(level->zip, level->whole + level->whole_done,
			       level->whole_count - level->whole_done);
}

typedef struct {
	rg_zip *zip;
	size_t index;
	bool bad;
} member_source;

static rg_error *read_member(void *source, rg_zip_sink *sink, void *context)
{
	member_source *from = source;
	rg_error *err = rg_zip_extract(from->zip, from->index, sink, context);

	from->bad = err && rg_zip_is_of_member(err);
	return err;
}

static rg_error *take_member(zip_level *level, size_t index, const char **inner)
{
	const rg_zip_member *member = rg_zip_at(level->zip, index);
	member_source source = {.zip = level->zip, .index = index};
	const rg_selected selected = {.path = member->name,
				      .via = level->via,
				      .size = member->size,
				      .read = read_member,
				      .source = &source};
	size_t count;
	bool take;

	RG_TRY(match_name(member->name, level->patterns, level->pattern_count, &take, inner,
			  &count));
	if (take)
		RG_TRY(hand_out(level->run, &selected, &source.bad));
	return count && !source.bad ? open_member(level, index, inner, count) : NULL;
}

/* Lists what to take, and every refused member whether it is wanted or not. */
static rg_error *sort_out(zip_level *level, const char **inner)
{
	rg_selection *out = level->run->out;
	size_t i, count = rg_zip_count(level->zip);

	for (i = 0; i < count; i++) {
		const rg_zip_member *member = rg_zip_at(level->zip, i);
		size_t inner_count;
		bool take, wanted, unsafe;

		if (!member->folder)
			out->members++;
		RG_TRY(match_name(member->name, level->patterns, level->pattern_count, &take, inner,
				  &inner_count));
		wanted = take || inner_count;
		unsafe = member->refused == RG_REFUSED_NAME;
		if (member->refused)
			RG_TRY(add_refusal(out, level->via, member->name, member->why,
					   rg_refused_code(member->refused),
					   (wanted || unsafe) && !member->folder));
		if (member->refused || member->folder || !wanted)
			continue;
		level->wanted[level->wanted_count++] = i;
		/* A stored zip that is only opened is read in parts. */
		if (take || member->method != 0)
			level->whole[level->whole_count++] = i;
	}
	return NULL;
}

static rg_error *select_at(zip_level *level)
{
	const char **inner = calloc(level->pattern_count + 1, sizeof(*inner));
	size_t i, room = rg_zip_count(level->zip) + 1;
	rg_error *err = NULL;

	level->wanted = calloc(room, sizeof(*level->wanted));
	level->whole = calloc(room, sizeof(*level->whole));
	if (!inner || !level->wanted || !level->whole)
		err = rg_error_nomem();
	if (!err)
		err = sort_out(level, inner);
	if (!err)
		err = rg_zip_prefetch(level->zip, level->whole, level->whole_count);
	for (i = 0; !err && i < level->wanted_count; i++)
		err = take_member(level, level->wanted[i], inner);
	free(level->whole);
	free(level->wanted);
	free(inner);
	return err;
}

rg_error *rg_select_zip(rg_selection *out, const rg_reader *reader, const char *const *patterns,
			size_t count, const rg_zip_limits *limits, rg_selected_fn *take,
			void *context)
{
	rg_zip_limits defaults = rg_zip_limits_default();
	selection_run run = {.out = out,
			     .limits = limits ? limits : &defaults,
			     .take = take,
			     .context = context};
	zip_level level = {.run = &run, .patterns = patterns, .pattern_count = count, .via = ""};
	rg_error *err;

	RG_TRY(rg_zip_open(&level.zip, reader, run.limits, &out->unpacked));
	err = select_at(&level);
	rg_zip_free(level.zip);
	return err;
}

static rg_error *read_file(void *source, rg_zip_sink *sink, void *context)
{
	const rg_reader *reader = source;
	unsigned char block[FILE_BLOCK];
	uint64_t at;
	size_t part;

	for (at = 0; at < reader->size; at += part) {
		part = reader->size - at < FILE_BLOCK ? (size_t)(reader->size - at) : FILE_BLOCK;
		RG_TRY(rg_cancel_check());
		RG_TRY(rg_reader_read(reader, at, block, part));
		RG_TRY(sink(context, block, part));
	}
	return NULL;
}

/* The one file as a golden of its own. */
static rg_error *take_file(selection_run *run, const rg_reader *reader, const char *name)
{
	const rg_zip_limits *limits = run->limits;
	const bool file = limits->member_size <= limits->total_size; /* is the limit to be met */
	const uint64_t most = file ? limits->member_size : limits->total_size;
	rg_reader copy = *reader; /* a source is not const */
	const rg_selected selected = {
		.path = name, .via = "", .size = reader->size, .read = read_file, .source = &copy};
	const bool bad = false;
	char why[160];

	if (reader->size <= most)
		return hand_out(run, &selected, &bad);
	snprintf(why, sizeof(why), "%" PRIu64 " bytes are more than the limit of %" PRIu64 " (%s)",
		 reader->size, most, file ? "regild.maxFile" : "regild.maxTotal");
	return add_refusal(run->out, "", name, why, RG_E_LIMIT, true);
}

rg_error *rg_select_file(rg_selection *out, const rg_reader *reader, const char *name,
			 const char *const *patterns, size_t count, const rg_zip_limits *limits,
			 rg_selected_fn *take, void *context)
{
	rg_zip_limits defaults = rg_zip_limits_default();
	selection_run run = {.out = out,
			     .limits = limits ? limits : &defaults,
			     .take = take,
			     .context = context};
	const char **inner = calloc(count + 1, sizeof(*inner)), *fault = rg_path_fault(name);
	char why[64];
	rg_error *err;
	size_t inner_count;
	bool wanted;

	if (!inner)
		return rg_error_nomem();
	out->members++;
	err = match_name(name, patterns, count, &wanted, inner, &inner_count);
	snprintf(why, sizeof(why), "its name %s", fault ? fault : "");
	if (!err && fault)
		err = add_refusal(out, "", name, why, RG_E_UNSAFE, true);
	else if (!err && wanted)
		err = take_file(&run, reader, name);
	if (!err && !fault && inner_count)
		err = open_inner(&run, reader, "", name, inner, inner_count, 1);
	free(inner);
	return err;
}

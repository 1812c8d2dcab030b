/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/select_zip.h"

#include "base/memory.h"
#include "archive/member_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* One zip on the way: the patterns that hold inside it and how it was reached. */
typedef struct {
	rg_selecting *run;
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

/* A small archive can hold any number of zips, and each as many members as one may have. */
static rg_error *count_members(rg_selecting *run, const rg_zip *zip)
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

rg_error *rg_select_inner_zip(rg_selecting *run, const rg_reader *reader, const char *via,
			      const char *name, const char *const *patterns, size_t count,
			      unsigned depth)
{
	zip_level level = {
		.run = run, .patterns = patterns, .pattern_count = count, .depth = depth};
	rg_error *err;
	char why[80];

	if (depth > run->limits->depth) {
		snprintf(why, sizeof(why), "it is deeper than the limit of %u (regild.maxDepth)",
			 run->limits->depth);
		rg_selecting_refuse(run->out, via, name, why, RG_E_LIMIT, true);
		return NULL;
	}
	level.via = rg_selecting_name(run->out, via, name);
	err = rg_zip_open(&level.zip, reader, run->limits, &run->out->unpacked);
	if (!err)
		err = count_members(run, level.zip);
	err = err ? rg_selecting_settle(run->out, via, name, err, rg_zip_is_of_member(err))
		  : select_at(&level);
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
		err = rg_selecting_settle(level->run->out, level->via, member->name, err,
					  rg_zip_is_of_member(err));
	else
		err = rg_select_inner_zip(level->run, bytes.reader, level->via, member->name, inner,
					  count, level->depth + 1);
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

static rg_error *locate_member(void *source, rg_zip_packed *out)
{
	member_source *from = source;
	rg_error *err = rg_zip_locate(from->zip, from->index, out);

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
				      .locate = locate_member,
				      .source = &source};
	size_t count;
	bool take;

	rg_select_match(&take, inner, &count, member->name, level->patterns, level->pattern_count);
	if (take)
		RG_TRY(rg_selecting_hand_out(level->run, &selected, &source.bad));
	return count && !source.bad ? open_member(level, index, inner, count) : NULL;
}

/* Lists what to take, and every refused member whether it is wanted or not. */
static void sort_out(zip_level *level, const char **inner)
{
	rg_selection *out = level->run->out;
	size_t count = rg_zip_count(level->zip);

	for (size_t i = 0; i < count; i++) {
		const rg_zip_member *member = rg_zip_at(level->zip, i);
		size_t inner_count;
		bool take, wanted;

		if (!member->folder)
			out->members++;
		rg_select_match(&take, inner, &inner_count, member->name, level->patterns,
				level->pattern_count);
		wanted = take || inner_count;
		if (member->refused)
			rg_selecting_refuse_member(out, level->via, member->name, member->refused,
						   member->why, member->folder, wanted);
		if (member->refused || member->folder || !wanted)
			continue;
		level->wanted[level->wanted_count++] = i;
		/* A stored zip that is only opened is read in parts. */
		if (take || member->method != 0)
			level->whole[level->whole_count++] = i;
	}
}

static rg_error *select_at(zip_level *level)
{
	const char **inner = rg_calloc(level->pattern_count + 1, sizeof(*inner));
	size_t room = rg_zip_count(level->zip) + 1;
	level->wanted = rg_calloc(room, sizeof(*level->wanted));

	level->whole = rg_calloc(room, sizeof(*level->whole));
	sort_out(level, inner);
	rg_error *err = rg_zip_prefetch(level->zip, level->whole, level->whole_count);
	for (size_t i = 0; !err && i < level->wanted_count; i++)
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
	rg_selecting run = {.out = out,
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

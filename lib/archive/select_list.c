/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/select_list.h"

#include "base/memory.h"
#include "archive/select_zip.h"
#include "base/cancel.h"
#include "base/file.h"
#include "base/temporary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Members on their way out. */
typedef struct {
	rg_selecting *run;
	rg_listed *members;
	size_t count;
	const rg_listed_source *source;
	const char *const *patterns;
	size_t pattern_count;
	const char **inner; /* room for what follows the '!' of each pattern */
	size_t inner_count;
} listing;

/* The first reason counts. */
static void refuse(listing *l, rg_listed *member, rg_refused refused, const char *why)
{
	if (member->refused)
		return;
	member->refused = refused;
	member->why = rg_arena_text(&l->run->out->arena, why);
}

static void check_name(listing *l, rg_listed *member)
{
	size_t length = strlen(member->name);
	char why[RG_MEMBER_WHY], *folder = NULL;

	/* A folder's '/' at its end is no part of the name. */
	if (member->folder && length && member->name[length - 1] == '/')
		folder = rg_strndup(member->name, length - 1);
	rg_refused refused = rg_member_check_name(folder ? folder : member->name, why);
	free(folder);
	if (refused)
		refuse(l, member, refused, why);
}

static int by_name(const void *left, const void *right)
{
	rg_listed *const *a = left, *const *b = right;
	return strcmp((*a)->name, (*b)->name);
}

static void refuse_duplicates(listing *l)
{
	rg_listed **sorted = rg_calloc(l->count + 1, sizeof(*sorted));
	for (size_t i = 0; i < l->count; i++)
		sorted[i] = &l->members[i];
	qsort(sorted, l->count, sizeof(*sorted), by_name);
	for (size_t i = 1; i < l->count; i++) {
		if (strcmp(sorted[i - 1]->name, sorted[i]->name) != 0 ||
		    (sorted[i - 1]->folder && sorted[i]->folder))
			continue;
		refuse(l, sorted[i - 1], RG_REFUSED_DUPLICATE, "its name appears twice");
		refuse(l, sorted[i], RG_REFUSED_DUPLICATE, "its name appears twice");
	}
	free(sorted);
}

static void match(listing *l, const rg_listed *member, bool *take)
{
	rg_select_match(take, l->inner, &l->inner_count, member->name, l->patterns,
			l->pattern_count);
}

/* A zip that is open already is read in parts, and its members have limits of their own. */
static void check_size(listing *l, rg_listed *member, bool take)
{
	char why[RG_MEMBER_WHY];
	if (member->folder || (!take && (!l->inner_count || l->source->open)) ||
	    !rg_member_check_size(member->size, l->run->limits, why))
		return;
	refuse(l, member, RG_REFUSED_LIMIT, why);
}

/* Lists what to take in `wanted`, and every refused member whether it is wanted or not. */
static void sort_out(listing *l, size_t *wanted, size_t *wanted_count)
{
	rg_selection *out = l->run->out;
	bool take;

	for (size_t i = 0; i < l->count; i++) {
		rg_listed *member = &l->members[i];
		if (!member->folder)
			out->members++;
		match(l, member, &take);
		check_size(l, member, take);
		if (member->refused)
			rg_selecting_refuse_member(out, "", member->name, member->refused,
						   member->why, member->folder,
						   take || l->inner_count);
		else if (!member->folder && (take || l->inner_count))
			wanted[(*wanted_count)++] = i;
	}
}

/* A member's bytes on their way, from where they are open or from the source. */
typedef struct {
	const listing *listing;
	size_t index;
	const rg_reader *open; /* or NULL */
	rg_zip_sink *sink;
	void *context;
	uint64_t passed;
	bool sink_failed, bad;
} passage;

static rg_error *pass_on(void *context, const void *bytes, size_t length)
{
	passage *p = context;
	uint64_t size = p->listing->members[p->index].size;

	if (length > size - p->passed)
		return rg_error_new(RG_E_MISMATCH,
				    "it has more than the %" PRIu64 " bytes that are listed", size);
	p->passed += length;
	p->listing->run->out->unpacked += length;
	rg_error *err = p->sink(p->context, bytes, length);
	p->sink_failed = err != NULL;
	return err;
}

static rg_error *read_all(passage *p)
{
	const listing *l = p->listing;
	uint64_t size = l->members[p->index].size;

	RG_TRY(rg_member_check_room(size, l->run->out->unpacked, l->run->limits));
	RG_TRY(p->open ? rg_reader_pass(p->open, pass_on, p)
		       : l->source->read(l->source->source, p->index, pass_on, p));
	if (p->passed != size)
		return rg_error_new(RG_E_MISMATCH,
				    "it has %" PRIu64 " bytes and %" PRIu64 " are listed",
				    p->passed, size);
	return NULL;
}

/* Is it about the bytes of this member alone? */
static bool is_of_bytes(const listing *l, const rg_error *err)
{
	return rg_zip_is_of_member(err) ||
	       rg_error_get_code(err) == (l->source->open ? RG_E_IO : RG_E_NOTFOUND);
}

/* rg_selected.read of a listed member. */
static rg_error *read_listed(void *source, rg_zip_sink *sink, void *context)
{
	passage *p = source;
	p->sink = sink;
	p->context = context;
	rg_error *err = read_all(p);
	p->bad = err && !p->sink_failed && is_of_bytes(p->listing, err);
	return err;
}

static rg_error *take_it(const listing *l, passage *p)
{
	const rg_selected selected = {.path = l->members[p->index].name,
				      .via = "",
				      .size = l->members[p->index].size,
				      .read = read_listed,
				      .source = p};

	return rg_selecting_hand_out(l->run, &selected, &p->bad);
}

/* Takes the member, and opens it as a zip where a pattern asks for that. */
static rg_error *take_open(const listing *l, size_t index, const rg_reader *reader, bool take)
{
	const rg_listed *member = &l->members[index];
	passage p = {.listing = l, .index = index, .open = reader};

	if (take)
		RG_TRY(take_it(l, &p));
	if (!l->inner_count || p.bad)
		return NULL;
	return rg_select_inner_zip(l->run, reader, "", member->name, l->inner, l->inner_count, 1);
}

/* A zip that comes in one piece is put into a file without a name. */
static rg_error *take_spooled(const listing *l, size_t index, bool take)
{
	const rg_listed *member = &l->members[index];
	passage p = {.listing = l, .index = index};
	rg_reader_file file = {0};
	int fd;

	RG_TRY(rg_file_unnamed(&fd, rg_temporary_folder()));
	rg_reader_file_init(&file, fd, member->name, member->size);
	rg_error *err = read_listed(&p, rg_unnamed_write, &file.fd);
	if (err)
		err = rg_selecting_settle(l->run->out, "", member->name, err, p.bad);
	else
		err = take_open(l, index, &file.reader, take);
	rg_reader_file_release(&file);
	return err;
}

static rg_error *take_listed(listing *l, size_t index)
{
	const rg_listed *member = &l->members[index];
	const rg_reader *reader;
	rg_error *err;
	bool take;

	RG_TRY(rg_cancel_check());
	match(l, member, &take);
	if (l->source->open) {
		err = l->source->open(l->source->source, index, &reader);
		return err ? rg_selecting_settle(l->run->out, "", member->name, err,
						 is_of_bytes(l, err))
			   : take_open(l, index, reader, take);
	}
	return l->inner_count ? take_spooled(l, index, take)
			      : take_it(l, &(passage){.listing = l, .index = index});
}

static rg_error *select_sorted(listing *l)
{
	size_t *wanted = rg_calloc(l->count + 1, sizeof(*wanted)), wanted_count = 0;
	sort_out(l, wanted, &wanted_count);
	rg_error *err = NULL;
	for (size_t i = 0; !err && i < wanted_count; i++)
		err = take_listed(l, wanted[i]);
	free(wanted);
	return err;
}

rg_error *rg_select_listed(rg_selecting *run, rg_listed *members, size_t member_count,
			   const rg_listed_source *source, const char *const *patterns,
			   size_t count)
{
	listing l = {.run = run,
		     .members = members,
		     .count = member_count,
		     .source = source,
		     .patterns = patterns,
		     .pattern_count = count};
	RG_TRY(rg_member_check_count(member_count, run->limits));

	rg_error *err = NULL;
	for (size_t i = 0; i < member_count; i++)
		check_name(&l, &members[i]);
	refuse_duplicates(&l);
	l.inner = rg_calloc(count + 1, sizeof(*l.inner));
	err = select_sorted(&l);
	free(l.inner);
	return err;
}

rg_error *rg_select_list(rg_selection *out, rg_listed *members, size_t member_count,
			 rg_listed_read *read, void *source, const char *const *patterns,
			 size_t count, const rg_zip_limits *limits, rg_selected_fn *take,
			 void *context)
{
	const rg_zip_limits defaults = rg_zip_limits_default();
	rg_selecting run = {.out = out,
			    .limits = limits ? limits : &defaults,
			    .take = take,
			    .context = context};
	const rg_listed_source from = {.read = read, .source = source};

	return rg_select_listed(&run, members, member_count, &from, patterns, count);
}

static rg_error *open_file(void *source, size_t index, const rg_reader **out)
{
	(void)index;
	*out = source;
	return NULL;
}

rg_error *rg_select_file(rg_selection *out, const rg_reader *reader, const char *name,
			 const char *const *patterns, size_t count, const rg_zip_limits *limits,
			 rg_selected_fn *take, void *context)
{
	const rg_zip_limits defaults = rg_zip_limits_default();
	rg_selecting run = {.out = out,
			    .limits = limits ? limits : &defaults,
			    .take = take,
			    .context = context};
	rg_listed member = {.name = name, .size = reader->size};
	rg_reader copy = *reader; /* a source is not const */
	const rg_listed_source from = {.open = open_file, .source = &copy};

	return rg_select_listed(&run, &member, 1, &from, patterns, count);
}

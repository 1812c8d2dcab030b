/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/select_listed.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/file.h"
#include "base/order.h"
#include "base/temporary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "VIA!NAME", or NAME at the top; in the selection's arena. */
static const char *name_in(rg_selection *out, const char *via, const char *name)
{
	return rg_arena_textf(&out->arena, "%s%s%s", via, *via ? "!" : "", name);
}

void rg_selecting_refuse(rg_selection *out, const char *via, const char *name, rg_error *err,
			 bool wanted)
{
	*RG_PUSH(out->refusals, out->count, out->capacity) =
		(rg_refusal){.name = name_in(out, via, name), .err = err, .wanted = wanted};
	out->wanted += wanted;
}

/* --- the list --- */

/* Members on their way out: those that somebody lists, or those of a zip. */
typedef struct {
	rg_selecting *run;
	rg_listed *members; /* of a list */
	const rg_listed_source *source;
	rg_zip *zip; /* NULL: it is a list */
	size_t count;
	const char *const *patterns;
	size_t pattern_count;
	const char *via;    /* "" or "a.zip!b.zip" */
	unsigned depth;     /* zips around these members */
	const char **inner; /* room for what follows the '!' of each pattern */
	size_t inner_count;
	/* In the list's order: to take or to open, and those of a zip's to read whole. */
	size_t *wanted, *whole;
	size_t wanted_count, whole_count, whole_done;
} listing;

static void listing_release(listing *l)
{
	free(l->whole);
	free(l->wanted);
	free(l->inner);
	rg_zip_free(l->zip);
}

static rg_listed member_at(const listing *l, size_t index)
{
	if (!l->zip)
		return l->members[index];
	const rg_zip_member *member = rg_zip_at(l->zip, index);
	return (rg_listed){member->name,    member->size,  member->folder,
			   member->refused, member->again, member->why};
}

/* Turns an error about one member into a refusal (returns NULL); others come back. */
static rg_error *settle(const listing *l, const char *name, rg_error *err, bool of_member)
{
	if (!err || !of_member)
		return err;
	rg_selecting_refuse(l->run->out, l->via, name, err, true);
	return NULL;
}

/* The first reason counts. */
static void refuse(listing *l, rg_listed *member, rg_refused refused, const char *why)
{
	if (member->refused)
		return;
	member->refused = refused;
	member->why = rg_arena_text(&l->run->out->arena, why);
}

RG_ORDER_OF_POINTERS(by_name, rg_listed, RG_BY_TEXT(name));

static void refuse_duplicates(listing *l)
{
	RG_AUTO_FREE rg_listed **sorted = rg_calloc(l->count + 1, sizeof(*sorted));
	for (size_t i = 0; i < l->count; i++)
		sorted[i] = &l->members[i];
	qsort(sorted, l->count, sizeof(*sorted), by_name);
	for (size_t i = 1; i < l->count; i++) {
		if (strcmp(sorted[i - 1]->name, sorted[i]->name) != 0 ||
		    (sorted[i - 1]->folder && sorted[i]->folder))
			continue;
		refuse(l, sorted[i - 1], RG_REFUSED_DUPLICATE, "its name appears twice");
		refuse(l, sorted[i], RG_REFUSED_DUPLICATE, "its name appears twice");
		sorted[i]->again = sorted[i]->refused == RG_REFUSED_DUPLICATE &&
				   sorted[i - 1]->refused == RG_REFUSED_DUPLICATE;
	}
}

static void match(listing *l, const char *name, bool *take)
{
	rg_select_match(take, l->inner, &l->inner_count, name, l->patterns, l->pattern_count);
}

/* Lists what to take, and refuses every bad member whether it is wanted or not. */
static void sort_out(listing *l)
{
	rg_selection *out = l->run->out;
	char why[RG_MEMBER_WHY];
	bool take;

	for (size_t i = 0; i < l->count; i++) {
		rg_listed member = member_at(l, i);
		match(l, member.name, &take);
		const bool wanted = take || l->inner_count;
		/* A zip's directory was checked when it was opened. A zip that is open already is
		 * read in parts, and its members have limits of their own. */
		if (!l->zip && !member.folder && (take || (l->inner_count && !l->source->open)) &&
		    rg_member_check_size(member.size, &l->run->limits, why)) {
			refuse(l, &l->members[i], RG_REFUSED_LIMIT, why);
			member = l->members[i];
		}
		if (member.refused && !member.again) {
			/* It is not known which golden an unsafe name is to stand for. */
			const bool unsafe = member.refused == RG_REFUSED_NAME;
			rg_selecting_refuse(
				out, l->via, member.name,
				rg_error_new(rg_refused_code(member.refused), "%s", member.why),
				(wanted || unsafe) && !member.folder);
			out->refusals[out->count - 1].twice = member.refused ==
							      RG_REFUSED_DUPLICATE;
		}
		if (member.refused || member.folder || !wanted)
			continue;
		l->wanted[l->wanted_count++] = i;
		/* A stored zip that is only opened is read in parts. */
		if (l->zip && (take || rg_zip_at(l->zip, i)->method != 0))
			l->whole[l->whole_count++] = i;
	}
}

/* --- their bytes --- */

/* The passage of a member's bytes: out of a zip, or, for a list, from an open reader or from the
 * source. */
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

static rg_error *read_listed(passage *p)
{
	const listing *l = p->listing;
	uint64_t size = l->members[p->index].size;

	RG_TRY(rg_member_check_room(size, l->run->out->unpacked, &l->run->limits));
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
	       (!l->zip && rg_error_get_code(err) == (l->source->open ? RG_E_IO : RG_E_NOTFOUND));
}

/* rg_selected.read */
static rg_error *read_member(void *source, rg_zip_sink *sink, void *context)
{
	passage *p = source;
	const listing *l = p->listing;

	p->sink = sink;
	p->context = context;
	rg_error *err = l->zip ? rg_zip_extract(l->zip, p->index, sink, context) : read_listed(p);
	p->context = NULL; /* it is the caller's, and a passage may outlive it */
	p->bad = err && !p->sink_failed && is_of_bytes(l, err);
	return err;
}

/* rg_selected.locate */
static rg_error *locate_member(void *source, rg_zip_packed *out)
{
	passage *p = source;
	rg_error *err = rg_zip_locate(p->listing->zip, p->index, out);
	p->bad = err && is_of_bytes(p->listing, err);
	return err;
}

/* p->bad: it is not what it should be, which makes it a refusal. */
static rg_error *hand_out(const listing *l, passage *p)
{
	const rg_listed member = member_at(l, p->index);
	rg_selecting *run = l->run;
	const rg_selected selected = {.path = member.name,
				      .via = l->via,
				      .size = member.size,
				      .read = read_member,
				      .locate = l->zip ? locate_member : NULL,
				      .source = p};
	rg_error *err = run->take(run->context, &selected);

	if (err)
		return settle(l, member.name, err, p->bad);
	run->out->taken++;
	run->out->bytes += member.size;
	return NULL;
}

/* --- zips inside --- */

static rg_error *select_members(listing *l);

/* Selects from the zip over `reader`, which is a member, by what follows the '!'. */
static rg_error *select_inner(const listing *around, const rg_reader *reader, const char *name)
{
	rg_selecting *run = around->run;
	RG_AUTO(listing) l = {.run = run, .patterns = around->inner, .depth = around->depth + 1};

	l.pattern_count = around->inner_count;
	if (l.depth > run->limits.depth) {
		rg_selecting_refuse(run->out, around->via, name,
				    rg_error_new(RG_E_LIMIT,
						 "it is deeper than the limit of %u "
						 "(regild.maxDepth)",
						 run->limits.depth),
				    true);
		return NULL;
	}
	l.via = name_in(run->out, around->via, name);
	rg_error *err = rg_zip_open(&l.zip, reader, &run->limits, &run->out->unpacked);
	/* A small archive can hold any number of zips, and each as many members as one may have. */
	if (!err && rg_zip_count(l.zip) > run->limits.members - run->inner_members)
		err = rg_error_new(RG_E_LIMIT,
				   "with its %zu members the zips inside the archive would have "
				   "more than %" PRIu64 " (regild.maxMembers)",
				   rg_zip_count(l.zip), run->limits.members);
	if (err)
		return settle(around, name, err, rg_zip_is_of_member(err));
	run->inner_members += rg_zip_count(l.zip);
	return select_members(&l);
}

/* A zip that comes in one piece is put into a file without a name. */
static rg_error *select_spooled(const listing *l, passage *p, bool take)
{
	const rg_listed member = member_at(l, p->index);
	passage again = {.listing = l, .index = p->index};
	RG_AUTO(rg_reader_file) file = {0};
	int fd;

	RG_TRY(rg_file_unnamed(&fd, rg_temporary_folder()));
	rg_reader_file_init(&file, fd, member.name, member.size);
	again.open = &file.reader;
	rg_error *err = read_member(p, rg_unnamed_write, &file.fd);
	if (err)
		return settle(l, member.name, err, p->bad);
	if (take)
		RG_TRY(hand_out(l, &again));
	return again.bad ? NULL : select_inner(l, &file.reader, member.name);
}

/* A stored zip in a zip is read at its place, so that only what is read of it moves. */
static rg_error *select_in_zip(listing *l, passage *p)
{
	const rg_zip_member *member = rg_zip_at(l->zip, p->index);
	rg_reader_part part;
	rg_range range;

	if (member->method != 0)
		return select_spooled(l, p, false);
	rg_error *err = rg_zip_stored_range(l->zip, p->index, &range);
	if (!err) {
		rg_reader_part_init(&part, rg_zip_reader(l->zip), member->name, range);
		RG_TRY(select_inner(l, &part.reader, member->name));
	} else {
		RG_TRY(settle(l, member->name, err, is_of_bytes(l, err)));
	}
	/* The plan of the inner zip has taken the place of this one's in the reader. */
	while (l->whole_done < l->whole_count && l->whole[l->whole_done] <= p->index)
		l->whole_done++;
	return rg_zip_prefetch(l->zip, l->whole + l->whole_done, l->whole_count - l->whole_done);
}

/* Takes the member, and opens it as a zip where a pattern asks for that. */
static rg_error *select_one(listing *l, size_t index)
{
	const rg_listed member = member_at(l, index);
	passage p = {.listing = l, .index = index};
	bool take;

	RG_TRY(rg_cancel_check());
	match(l, member.name, &take);
	if (!l->zip && l->source->open) {
		rg_error *err = l->source->open(l->source->source, index, &p.open);
		if (err)
			return settle(l, member.name, err, is_of_bytes(l, err));
	}
	if (!l->zip && !p.open && l->inner_count)
		return select_spooled(l, &p, take);
	if (take)
		RG_TRY(hand_out(l, &p));
	if (!l->inner_count || p.bad)
		return NULL;
	return l->zip ? select_in_zip(l, &p) : select_inner(l, p.open, member.name);
}

static rg_error *select_members(listing *l)
{
	if (l->zip)
		l->count = rg_zip_count(l->zip);
	l->inner = rg_calloc(l->pattern_count + 1, sizeof(*l->inner));
	l->wanted = rg_calloc(l->count + 1, sizeof(*l->wanted));
	l->whole = rg_calloc(l->count + 1, sizeof(*l->whole));
	sort_out(l);
	if (l->zip)
		RG_TRY(rg_zip_prefetch(l->zip, l->whole, l->whole_count));
	for (size_t i = 0; i < l->wanted_count; i++)
		RG_TRY(select_one(l, l->wanted[i]));
	return NULL;
}

/* --- the kinds --- */

rg_selecting rg_selecting_of(rg_selection *out, const rg_zip_limits *limits, rg_selected_fn *take,
			     void *context)
{
	return (rg_selecting){.out = out,
			      .limits = limits ? *limits : rg_zip_limits_default(),
			      .take = take,
			      .context = context};
}

rg_error *rg_select_listed(rg_selecting *run, rg_listed *members, size_t member_count,
			   const rg_listed_source *source, const char *const *patterns,
			   size_t count)
{
	RG_AUTO(listing) l = {run, members, source, NULL, member_count, patterns, count, .via = ""};
	char why[RG_MEMBER_WHY];

	RG_TRY(rg_member_check_count(member_count, &run->limits));
	for (size_t i = 0; i < member_count; i++) {
		rg_listed *member = &members[i];
		size_t length = strlen(member->name);
		/* A folder's '/' at its end is no part of the name. */
		bool slash = member->folder && length && member->name[length - 1] == '/';
		RG_AUTO_FREE char *name = rg_strndup(member->name, length - slash);
		rg_refused refused = rg_member_check_name(name, why);
		if (refused)
			refuse(&l, member, refused, why);
	}
	refuse_duplicates(&l);
	return select_members(&l);
}

rg_error *rg_select_zip(rg_selection *out, const rg_reader *reader, const char *const *patterns,
			size_t count, const rg_zip_limits *limits, rg_selected_fn *take,
			void *context)
{
	rg_selecting run = rg_selecting_of(out, limits, take, context);
	RG_AUTO(listing) l = {.run = &run, .patterns = patterns, .pattern_count = count, .via = ""};

	RG_TRY(rg_zip_open(&l.zip, reader, &run.limits, &out->unpacked));
	return select_members(&l);
}

rg_error *rg_select_list(rg_selection *out, rg_listed *members, size_t member_count,
			 rg_listed_read *read, void *source, const char *const *patterns,
			 size_t count, const rg_zip_limits *limits, rg_selected_fn *take,
			 void *context)
{
	rg_selecting run = rg_selecting_of(out, limits, take, context);
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
	rg_selecting run = rg_selecting_of(out, limits, take, context);
	rg_listed member = {.name = name, .size = reader->size};
	rg_reader copy = *reader; /* a source is not const */
	const rg_listed_source from = {.open = open_file, .source = &copy};

	return rg_select_listed(&run, &member, 1, &from, patterns, count);
}

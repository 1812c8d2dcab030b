/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/select_listed.h"

#include "base/memory.h"
#include "archive/tar.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* No list of names is larger: 100,000 members with names of 600 bytes. */
#define NAMES_MAX ((uint64_t)64 << 20)

typedef struct {
	const rg_reader *reader;
	const rg_zip_limits *limits;
	rg_listed *members;
	size_t count, capacity;
	uint64_t names; /* bytes of them */
	rg_arena arena; /* has them */
	/* The second time: */
	rg_tar *tar;
	size_t next; /* the member that rg_tar_next will come to */
} tar_source;

static rg_error *add_member(tar_source *source, const rg_listed *member)
{
	source->names += strlen(member->name) + 1;
	if (source->names > NAMES_MAX)
		return rg_error_new(RG_E_LIMIT,
				    "the names of its members have more than the limit of %" PRIu64
				    " bytes",
				    NAMES_MAX);
	RG_TRY(rg_member_check_count(source->count + 1, source->limits));
	rg_grow(&source->members, &source->capacity, source->count + 1, sizeof(*source->members));
	rg_listed *copy = &source->members[source->count++];
	*copy = *member;
	copy->name = rg_arena_text(&source->arena, member->name);
	return NULL;
}

/* The names, from a first reading, which also shows that the tar is whole. */
static rg_error *list_members(tar_source *source)
{
	rg_listed member;
	rg_error *err;
	rg_tar *tar;
	bool end;

	RG_TRY(rg_tar_open(&tar, source->reader, source->limits));
	do {
		err = rg_tar_next(tar, &member, &end);
		if (!err && !end)
			err = add_member(source, &member);
	} while (!err && !end);
	rg_tar_free(tar);
	return err;
}

static rg_error *read_member(void *context, size_t index, rg_zip_sink *sink, void *sink_context)
{
	tar_source *source = context;
	rg_listed member;
	bool end;

	if (!source->tar)
		RG_TRY(rg_tar_open(&source->tar, source->reader, source->limits));
	while (source->next <= index) {
		RG_TRY(rg_tar_next(source->tar, &member, &end));
		if (end || strcmp(member.name, source->members[source->next].name) != 0)
			return rg_error_new(RG_E_CONFLICT, "the tar was changed while it was read");
		source->next++;
	}
	return rg_tar_read(source->tar, sink, sink_context);
}

rg_error *rg_select_tar(rg_selection *out, const rg_reader *reader, const char *const *patterns,
			size_t count, const rg_zip_limits *limits, rg_selected_fn *take,
			void *context)
{
	rg_selecting run = rg_selecting_of(out, limits, take, context);
	tar_source source = {.reader = reader, .limits = &run.limits};
	const rg_listed_source from = {.read = read_member, .source = &source};
	rg_error *err;

	rg_arena_init(&source.arena);
	err = list_members(&source);
	if (err && rg_error_get_code(err) == RG_E_PARSE)
		err = rg_error_wrap(err, "not a readable tar");
	if (!err)
		err = rg_select_listed(&run, source.members, source.count, &from, patterns, count);
	rg_tar_free(source.tar);
	free(source.members);
	rg_arena_release(&source.arena);
	return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "source/local_parts.h"

#include "archive/select.h"
#include "base/file.h"
#include "base/temporary.h"
#include "source/taken.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* An archive is read once, from front to back where it is a tar: its goldens are kilobytes, and are
 * wanted one artifact at a time. */

static const char *const endings[] = {".zip",     ".tar",  ".tar.gz", ".tgz",
				      ".tar.zst", ".tzst", ".tar.xz", ".txz"};

size_t rg_local_archive_stem(const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t end = strlen(endings[i]);
		if (length > end && !strcasecmp(name + length - end, endings[i]))
			return length - end;
	}
	return 0;
}

/* An archive on its way. */
typedef struct {
	rg_local *local;
	const char *path, *name;
	const char *check;
	size_t first; /* of its artifacts */
} unpacking;

static rg_error *add_artifact(unpacking *u, const char *name, size_t length,
			      rg_local_artifact **out)
{
	rg_local *local = u->local;
	char *copy;

	for (size_t i = u->first; i < local->count; i++) {
		*out = &local->artifacts[i];
		if (strlen((*out)->name) == length && !memcmp((*out)->name, name, length))
			return NULL;
	}
	RG_TRY(rg_strndup(&copy, name, length));
	rg_error *err = rg_local_add(local, RG_LOCAL_PACKED, copy, u->path, out);
	free(copy);
	if (!err)
		(*out)->check = u->check;
	return err;
}

/* The artifact of a member, whose path may end with "!…"; *name is its path in that. */
static rg_error *artifact_of(unpacking *u, const char *path, rg_local_artifact **out,
			     const char **name)
{
	rg_local_spot spot;
	RG_TRY(rg_local_place(u->local, path, RG_LOCAL_DEPTH, &spot));
	RG_TRY(spot.child ? add_artifact(u, spot.child, spot.length, out)
			  : add_artifact(u, u->name, strlen(u->name), out));
	*name = spot.member;
	return rg_local_note_member(u->local, *out, *name);
}

static rg_error *add_member(unpacking *u, size_t index)
{
	const rg_member *member = &u->local->members.items[index];
	const bool inner = *member->via != '\0';
	rg_local_artifact *artifact;
	rg_local_file *file;
	const char *name;

	RG_TRY(artifact_of(u, inner ? member->via : member->path, &artifact, &name));
	RG_TRY(rg_local_add_file(u->local, artifact, inner ? member->path : name, inner ? name : "",
				 member->packed.size, &file));
	file->member = index;
	return NULL;
}

static rg_error *keep_refusals(unpacking *u, const rg_selection *selection)
{
	rg_arena *arena = &u->local->arena;
	for (size_t i = 0; i < selection->count; i++) {
		rg_refusal refusal = selection->refusals[i];
		rg_local_artifact *artifact;
		const char *name;

		if (!refusal.wanted)
			continue;
		RG_TRY(artifact_of(u, refusal.name, &artifact, &name));
		RG_TRY(rg_grow(&artifact->refusals, &artifact->refusal_capacity,
			       artifact->refusal_count + 1, sizeof(*artifact->refusals)));
		RG_TRY(rg_arena_text(arena, name, &refusal.name));
		RG_TRY(rg_arena_text(arena, refusal.reason, &refusal.reason));
		artifact->refusals[artifact->refusal_count++] = refusal;
	}
	return NULL;
}

/* What is wrong with an archive is so of what it holds; what comes before that stays. */
static rg_error *keep_error(unpacking *u, rg_error *err)
{
	rg_local_artifact *artifact;
	if (rg_take_is_fatal(err))
		return rg_error_wrap(err, "%s", u->path);
	rg_error *worse = rg_local_add(u->local, RG_LOCAL_BROKEN, u->name, u->path, &artifact);
	if (!worse)
		worse = rg_arena_text(&u->local->arena, rg_error_message(err), &artifact->fault);
	rg_error_free(err);
	return worse;
}

static rg_error *unpack(unpacking *u, const rg_reader *reader, rg_archive_kind kind)
{
	rg_local *local = u->local;
	rg_members *members = &local->members;
	rg_error *worse = NULL;
	rg_selection selection;

	rg_selection_init(&selection);
	size_t i = members->count;
	rg_error *err = rg_members_select(members, &selection, reader, kind,
					  (const char *const *)local->patterns,
					  local->pattern_count, &local->options.settings->limits);
	for (; !worse && i < members->count; i++)
		worse = add_member(u, i);
	if (worse)
		err = rg_error_first(worse, err);
	else
		err = err ? keep_error(u, err) : keep_refusals(u, &selection);
	rg_selection_release(&selection);
	return err;
}

rg_error *rg_local_check_kind(rg_archive_kind kind)
{
	if (kind != RG_ARCHIVE_NONE)
		return NULL;
	return rg_error_new(RG_E_USAGE, "is neither a folder nor an archive (zip, tar, tar.gz, "
					"tar.zst, tar.xz)");
}

rg_error *rg_local_unpack(rg_local *local, const rg_reader *reader, const char *place,
			  const char *name)
{
	unpacking u = {.local = local, .path = place, .name = name, .first = local->count};
	rg_archive_kind kind;

	RG_TRY(rg_archive_kind_read(&kind, reader));
	RG_TRY(rg_error_wrap(rg_local_check_kind(kind), "%s", place));
	/* A tar has no checksums of what is in it. */
	u.check = kind == RG_ARCHIVE_ZIP ? "crc32" : NULL;
	return unpack(&u, reader, kind);
}

rg_error *rg_local_find_in_archive(rg_local *local, const char *path, const char *name)
{
	rg_reader_file file;
	rg_error *err = rg_reader_file_open(&file, path);

	if (!err)
		err = rg_local_unpack(local, &file.reader, path, name);
	rg_reader_file_release(&file);
	return err;
}

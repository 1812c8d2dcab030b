/* SPDX-License-Identifier: Apache-2.0 */
#include "source/take_artifact.h"

#include "archive/zip_select.h"
#include "base/counts.h"
#include "base/file.h"
#include "source/take_cache.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* An artifact on its way. */
typedef struct {
	rg_taken *out;
	const rg_fetch_options *options;
	const rg_artifact *artifact;
	const char *parts;
	size_t bad; /* files that are not what they should be */
	const rg_take_hooks *hooks;
	bool begun;
} taking;

/* A golden on its way into its file. */
typedef struct {
	int fd;
	const char *path;
	rg_sha256 *hash;
} part_file;

static rg_error *write_part(void *context, const void *bytes, size_t length)
{
	const part_file *part = context;

	RG_TRY(rg_sha256_add(part->hash, bytes, length));
	return rg_write_all(part->fd, bytes, length, part->path);
}

/* A new file PARTS/ARTIFACT-NUMBER, open. */
static rg_error *begin_part(taking *t, const char *path, rg_taken_file **file, part_file *part)
{
	rg_taken *out = t->out;
	rg_error *err;
	char *name;

	RG_TRY(rg_grow(&out->files, &out->capacity, out->count + 1, sizeof(*out->files)));
	*file = &out->files[out->count];
	RG_TRY(rg_textf(&name, "%s/%llu-%zu", t->parts, (unsigned long long)t->artifact->id,
			out->count));
	err = rg_arena_text(&out->arena, path, &(*file)->path);
	if (!err)
		err = rg_arena_text(&out->arena, name, &(*file)->part);
	free(name);
	part->path = (*file)->part;
	return err ? err : rg_file_make(&part->fd, part->path);
}

static rg_error *end_part(taking *t, const part_file *part, rg_taken_file *file, rg_error *err)
{
	if (!err && fstat(part->fd, &file->written))
		err = rg_error_io(errno, "%s", part->path);
	if (close(part->fd) && !err)
		err = rg_error_io(errno, "%s", part->path);
	if (err)
		unlink(part->path);
	else
		t->out->count++;
	return err;
}

static rg_error *take_selected(void *context, const rg_selected *selected)
{
	taking *t = context;
	rg_taken_file *file;
	part_file part = {.fd = -1};
	rg_error *err;

	RG_TRY(begin_part(t, selected->path, &file, &part));
	file->size = selected->size;
	err = rg_sha256_new(&part.hash);
	if (!err)
		err = selected->read(selected->source, write_part, &part);
	if (!err)
		err = rg_sha256_finish(part.hash, file->sha256);
	rg_count_up(RG_COUNT_HASHED);
	rg_sha256_free(part.hash);
	return end_part(t, &part, file, err);
}

/* The cache has held the bytes against their SHA-256. */
static rg_error *take_kept(taking *t, const rg_cache_file *kept)
{
	rg_taken_file *file;
	part_file part = {.fd = -1};

	RG_TRY(begin_part(t, kept->path, &file, &part));
	file->size = kept->size;
	memcpy(file->sha256, kept->sha256, sizeof(file->sha256));
	return end_part(t, &part, file, rg_write_all(part.fd, kept->bytes, kept->size, part.path));
}

static bool is_fatal(const rg_error *err)
{
	switch (rg_error_get_code(err)) {
	case RG_E_CANCELLED:
	case RG_E_NOMEM:
	case RG_E_IO:
	case RG_E_AUTH:
	case RG_E_USAGE:
		return true;
	default:
		return false;
	}
}

/* What is wrong with one file or artifact becomes a sentence; what stops everything stays. */
static rg_error *note(taking *t, rg_error *err)
{
	rg_error *worse;

	if (is_fatal(err))
		return err;
	t->bad++;
	worse = rg_why_add(&t->out->arena, &t->out->why, rg_error_message(err));
	rg_error_free(err);
	return worse;
}

static rg_error *note_refusals(taking *t, const rg_selection *selection)
{
	size_t i;

	for (i = 0; i < selection->count; i++) {
		const rg_refusal *refusal = &selection->refusals[i];

		rg_log_say(t->options->log, RG_LOG_DETAIL, "artifact '%s': member '%s': %s",
			   t->artifact->name, refusal->name, refusal->reason);
		if (refusal->wanted)
			RG_TRY(note(t, rg_error_new(refusal->code, "member '%s': %s", refusal->name,
						    refusal->reason)));
	}
	return NULL;
}

/* A whole artifact against the digest that the API has for it. */
static rg_error *check_digest(taking *t, rg_remote *remote)
{
	const char *wanted = t->artifact->digest;
	char digest[RG_SHA256_HEX];

	t->out->check = "crc32";
	if (!rg_remote_is_whole(remote) || !wanted || strncmp(wanted, "sha256:", 7) != 0)
		return NULL;
	RG_TRY(rg_remote_sha256(remote, digest));
	RG_TRY(rg_digest_check(wanted, digest, rg_remote_reader(remote)->size));
	t->out->check = "sha256";
	return NULL;
}

/* The one file's name: the server's, else the artifact's. It lives as long as the remote. */
static const char *plain_name(const taking *t, const rg_remote *remote)
{
	const char *name = rg_remote_file_name(remote);

	return rg_path_name(name ? name : t->artifact->name);
}

/* An artifact that was stored as it is, unzipped (upload-artifact's `archive: false`). */
static rg_error *take_plain_file(taking *t, rg_remote *remote, rg_selection *selection)
{
	char digest[RG_SHA256_HEX];

	/* The digest is the only check that there is for it. A file over the limit stays where it
	 * is, or is a zip, whose members have their own. */
	if (rg_remote_reader(remote)->size <= t->options->limits.member_size) {
		RG_TRY(rg_remote_sha256(remote, digest));
		RG_TRY(check_digest(t, remote));
		if (strcmp(t->out->check, "sha256") != 0)
			t->out->check = NULL;
	}
	return rg_select_file(selection, rg_remote_reader(remote), plain_name(t, remote),
			      t->options->patterns, t->options->pattern_count, &t->options->limits,
			      take_selected, t);
}

static bool is_zip_name(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && !strcasecmp(name + length - 4, ".zip");
}

/* GitHub serves what it zipped as NAME.zip: another name that is asked for tells enough. */
static rg_error *is_plain(const taking *t, const rg_remote *remote, bool *out)
{
	const char *name = plain_name(t, remote);

	*out = false;
	if (!rg_remote_file_name(remote) || is_zip_name(name) || rg_path_fault(name))
		return NULL;
	return rg_select_wants(out, name, t->options->patterns, t->options->pattern_count);
}

/* What is not a zip: the one file that regild.files asks for, or nothing that is worth moving. */
static rg_error *take_no_zip(taking *t, rg_remote *remote, rg_selection *selection)
{
	const char *name = plain_name(t, remote);
	bool wanted;

	RG_TRY(rg_path_check(name));
	RG_TRY(rg_select_wants(&wanted, name, t->options->patterns, t->options->pattern_count));
	if (wanted)
		return take_plain_file(t, remote, selection);
	if (is_zip_name(name))
		return rg_error_new(RG_E_PARSE, "is not a zip, though it is named '%s'", name);
	return rg_error_new(RG_E_PARSE,
			    "is not a zip but one file, '%s', which regild.files does not ask for",
			    name);
}

/*
 * A zip in which nothing is wanted may itself be the one file: an artifact that was zipped is
 * served as its own name and ".zip".
 */
static rg_error *take_stored_zip(taking *t, rg_remote *remote, rg_selection *selection)
{
	const char *given = rg_remote_file_name(remote), *own = t->artifact->name;
	size_t length = strlen(own);
	bool wanted;

	if (!given || rg_path_fault(given) ||
	    (!strncmp(given, own, length) && !strcmp(given + length, ".zip")))
		return NULL;
	RG_TRY(rg_select_wants(&wanted, given, t->options->patterns, t->options->pattern_count));
	return wanted ? take_plain_file(t, remote, selection) : NULL;
}

/* Does it begin like a zip? A file too short to say is none. */
static rg_error *looks_like_zip(const rg_reader *reader, bool *answer)
{
	unsigned char start[4];

	*answer = false;
	if (reader->size < sizeof(start))
		return NULL;
	RG_TRY(rg_reader_read(reader, 0, start, sizeof(start)));
	*answer = rg_zip_recognised(start, sizeof(start));
	return NULL;
}

static rg_error *select_members(taking *t, rg_remote *remote, rg_selection *selection)
{
	const rg_reader *reader = rg_remote_reader(remote);
	rg_error *err, *other;
	bool zip = true, plain;

	RG_TRY(check_digest(t, remote));
	RG_TRY(is_plain(t, remote, &plain));
	if (plain)
		return take_plain_file(t, remote, selection);
	err = rg_select_zip(selection, reader, t->options->patterns, t->options->pattern_count,
			    &t->options->limits, take_selected, t);
	if (!err && !selection->taken && !selection->wanted && !t->bad)
		return take_stored_zip(t, remote, selection);
	if (!err || rg_error_get_code(err) != RG_E_PARSE)
		return err;
	other = looks_like_zip(reader, &zip);
	if (other || zip) {
		rg_error_free(other);
		return err;
	}
	rg_error_free(err);
	return take_no_zip(t, remote, selection);
}

/*
 * A later range was answered with the whole file: what is held against its digest is taken from it,
 * and nothing that came before counts.
 */
static rg_error *take_again(taking *t, rg_remote *remote, rg_selection *selection)
{
	rg_taken *out = t->out;

	while (out->count) {
		const char *part = out->files[--out->count].part;

		if (unlink(part))
			return rg_error_io(errno, "%s", part);
	}
	out->why = NULL;
	t->bad = 0;
	rg_selection_release(selection);
	rg_selection_init(selection);
	return select_members(t, remote, selection);
}

static rg_error *locate(void *context, char **url)
{
	taking *t = context;

	RG_TRY(t->options->source->locate(t->options->source, t->artifact, url));
	if (!t->begun)
		t->hooks->begin(t->hooks->context);
	t->begun = true;
	return NULL;
}

static void moved(void *context, uint64_t bytes)
{
	const taking *t = context;

	t->hooks->moved(t->hooks->context, bytes);
}

static rg_error *take_remote(taking *t)
{
	const rg_remote_options options = {
		.name = "its zip",
		.size = t->artifact->size,
		.size_max = t->options->artifact_max,
		.whole = t->options->whole,
		.whole_under = t->options->whole_under,
		.folder = t->parts,
		.locate = locate,
		.moved = moved,
		.context = t,
	};
	rg_selection selection;
	rg_remote *remote;
	rg_error *err;
	bool whole, late;

	RG_TRY(rg_remote_open(&remote, t->options->http, &options));
	rg_selection_init(&selection);
	whole = rg_remote_is_whole(remote);
	err = select_members(t, remote, &selection);
	/* A plain file is fetched whole before it is read. */
	late = !whole && rg_remote_is_whole(remote) && t->out->check &&
	       !strcmp(t->out->check, "crc32");
	if (late && (!err || !is_fatal(err))) {
		rg_error_free(err);
		err = take_again(t, remote, &selection);
	}
	if (!err)
		err = note_refusals(t, &selection);
	rg_selection_release(&selection);
	rg_remote_free(remote);
	return err;
}

/* *found where the cache had it, and all of it is stored. */
static rg_error *take_cached(taking *t, const rg_run *run, bool *found)
{
	rg_cache_entry entry;
	rg_error *err = NULL;
	size_t i;

	RG_TRY(rg_take_from_cache(&entry, t->options, run, t->artifact, found));
	if (!*found)
		return NULL;
	for (i = 0; !err && i < entry.count; i++)
		err = take_kept(t, &entry.files[i]);
	t->out->check = "cache";
	rg_cache_entry_release(&entry);
	return err;
}

static rg_error *settle(taking *t, const rg_run *run, bool cached)
{
	rg_taken *out = t->out;

	if (t->bad) {
		out->outcome = RG_OUTCOME_FAILED;
		return NULL;
	}
	out->outcome = out->count ? RG_OUTCOME_TAKEN : RG_OUTCOME_SKIPPED_NO_GOLDENS;
	if (!cached)
		RG_TRY(rg_take_into_cache(out, t->options, run, t->artifact));
	return out->count
		       ? NULL
		       : rg_why_add(&out->arena, &out->why, "nothing in it matches regild.files");
}

rg_error *rg_take_artifact(rg_taken *out, const rg_fetch_options *options, const rg_run *run,
			   const rg_artifact *artifact, const char *parts,
			   const rg_take_hooks *hooks)
{
	taking t = {out, options, artifact, parts, 0, hooks, false};
	bool cached;
	rg_error *err;

	err = take_cached(&t, run, &cached);
	if (!err && !cached)
		err = take_remote(&t);
	if (!err)
		err = settle(&t, run, cached);
	if (!out->count)
		out->check = NULL;
	if (!err)
		return NULL;
	if (is_fatal(err))
		return err;
	/* What came out before it stopped is complete and checked, and stays. */
	out->outcome = rg_error_get_code(err) == RG_E_GONE ? RG_OUTCOME_EXPIRED : RG_OUTCOME_FAILED;
	return note(&t, err);
}

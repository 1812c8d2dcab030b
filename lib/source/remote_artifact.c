/* SPDX-License-Identifier: Apache-2.0 */
#include "source/remote_artifact.h"

#include "archive/kind.h"
#include "base/path.h"
#include "net/remote_file.h"
#include "source/taken.h"

#include <string.h>
#include <strings.h>

/* An artifact or a log on its way. */
typedef struct {
	const rg_remote_artifact *from;
	const rg_take_request *request;
	rg_selection *selection;
	const char **check;
	rg_remote *file; /* NULL until it is open */
	bool begun;
} take_state;

static rg_error *locate(void *context, char **url)
{
	take_state *t = context;
	RG_TRY(t->from->locate(t->from->context, url));
	if (!t->begun)
		t->request->begin(t->request->context);
	t->begun = true;
	return NULL;
}

static rg_error *refuse(void *context, const rg_http_request *request,
			const rg_http_response *response)
{
	const take_state *t = context;
	return t->from->refuse(t->from->context, request, response);
}

static void moved(void *context, uint64_t bytes)
{
	const take_state *t = context;
	t->request->moved(t->request->context, bytes);
}

static rg_remote_options options_of(take_state *t, const char *name)
{
	return (rg_remote_options){
		.name = name,
		.size_max = t->request->artifact_max,
		.folder = t->request->folder,
		.locate = locate,
		.refuse = t->from->refuse ? refuse : NULL,
		.moved = moved,
		.context = t,
	};
}

rg_error *rg_remote_log_read(const rg_remote_artifact *from, const rg_take_request *request,
			     rg_zip_sink *sink, void *context)
{
	take_state t = {.from = from, .request = request};
	rg_remote_options options = options_of(&t, "its log");

	options.whole = true;
	RG_AUTO_PTR(rg_error) err = rg_remote_open(&t.file, from->http, &options);
	/* Whoever listed the job may read it: what is not found was there once. */
	if (err && (rg_error_get_code(err) == RG_E_NOTFOUND || rg_error_get_code(err) == RG_E_GONE))
		return rg_error_new(
			RG_E_GONE,
			"its log is not there any more; re-run the job to make it again");
	if (err)
		return RG_TAKE(err);
	RG_AUTO_PTR(rg_remote) file = t.file;
	return rg_reader_pass(rg_remote_reader(file), sink, context);
}

static bool has_digest(const rg_artifact *artifact)
{
	return artifact->digest && !strncmp(artifact->digest, "sha256:", strlen("sha256:"));
}

/* Checks a whole artifact against the digest that the API has for it. */
static rg_error *check_digest(take_state *t)
{
	char digest[RG_SHA256_HEX];
	*t->check = "crc32";
	if (!rg_remote_is_whole(t->file) || !has_digest(t->from->artifact))
		return NULL;
	RG_TRY(rg_remote_sha256(t->file, digest));
	RG_TRY(rg_digest_check(t->from->artifact->digest, digest, rg_remote_reader(t->file)->size));
	*t->check = "sha256";
	return NULL;
}

/* The one file's name: the server's, else the artifact's. It lives as long as the remote. */
static const char *plain_name(const take_state *t)
{
	const char *name = rg_remote_file_name(t->file);
	return rg_path_name(name ? name : t->from->artifact->name);
}

static bool is_wanted(const take_state *t, const char *name)
{
	bool wanted;
	rg_select_wants(&wanted, name, t->request->patterns, t->request->pattern_count);
	return wanted;
}

/* Fetches it whole: the digest is the only check that there is for what is no zip. */
static rg_error *check_whole(take_state *t)
{
	char digest[RG_SHA256_HEX];
	RG_TRY(rg_remote_sha256(t->file, digest));
	RG_TRY(check_digest(t));
	if (strcmp(*t->check, "sha256") != 0)
		*t->check = NULL;
	return NULL;
}

/* An artifact that was stored as it is, unzipped (upload-artifact's `archive: false`). */
static rg_error *take_plain_file(take_state *t)
{
	const rg_take_request *request = t->request;

	/* A file over the limit stays where it is, or is a zip, whose members have their own. */
	if (rg_remote_reader(t->file)->size <= request->limits.member_size)
		RG_TRY(check_whole(t));
	return rg_select_file(t->selection, rg_remote_reader(t->file), plain_name(t),
			      request->patterns, request->pattern_count, &request->limits,
			      request->take, request->context);
}

static bool is_zip_name(const char *name)
{
	size_t length = strlen(name);
	return length > 4 && !strcasecmp(name + length - 4, ".zip");
}

/* Takes what is not a zip: the one file that regild.files asks for, a tar, or nothing that is worth
 * moving. */
static rg_error *take_no_zip(take_state *t)
{
	const char *name = plain_name(t);
	const rg_reader *reader = rg_remote_reader(t->file);
	const rg_take_request *request = t->request;
	rg_archive_kind kind;

	RG_TRY(rg_path_check(name));
	if (is_wanted(t, name))
		return take_plain_file(t);
	RG_TRY(rg_archive_kind_read(&kind, reader));
	if (kind != RG_ARCHIVE_NONE && kind != RG_ARCHIVE_ZIP) {
		/* A tar that was stored as it is, packed or not: the goldens are its members. */
		RG_TRY(check_whole(t));
		return rg_error_wrap(rg_select_tar(t->selection, reader, request->patterns,
						   request->pattern_count, &request->limits,
						   request->take, request->context),
				     "is one file, '%s'", name);
	}
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
static rg_error *take_stored_zip(take_state *t)
{
	const char *given = rg_remote_file_name(t->file), *own = t->from->artifact->name;
	size_t length = strlen(own);

	if (!given || rg_path_fault(given) ||
	    (!strncmp(given, own, length) && !strcmp(given + length, ".zip")))
		return NULL;
	return is_wanted(t, given) ? take_plain_file(t) : NULL;
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

static rg_error *select_members(take_state *t)
{
	const rg_take_request *request = t->request;
	const rg_reader *reader = rg_remote_reader(t->file);
	const char *name = plain_name(t);
	bool zip = true;

	RG_TRY(check_digest(t));
	/* GitHub serves what it zipped as NAME.zip: another name that is asked for tells enough. */
	if (rg_remote_file_name(t->file) && !is_zip_name(name) && !rg_path_fault(name) &&
	    is_wanted(t, name))
		return take_plain_file(t);
	RG_AUTO_PTR(rg_error) err = NULL;
	err = rg_select_zip(t->selection, reader, request->patterns, request->pattern_count,
			    &request->limits, request->take, request->context);
	if (!err && !t->selection->taken && !t->selection->wanted)
		return take_stored_zip(t);
	if (!err || rg_error_get_code(err) != RG_E_PARSE)
		return RG_TAKE(err);
	RG_AUTO_PTR(rg_error) other = looks_like_zip(reader, &zip);
	return other || zip ? RG_TAKE(err) : take_no_zip(t);
}

rg_error *rg_remote_artifact_take(const rg_remote_artifact *from, const rg_take_request *request,
				  rg_selection *selection, const char **check)
{
	take_state t = {from, request, selection, check, NULL, false};
	rg_remote_options options = options_of(&t, "its zip");

	options.size = from->artifact->size;
	options.whole = request->whole;
	options.whole_under = request->whole_under;
	options.whole_if_all = has_digest(from->artifact);
	*check = NULL;
	RG_TRY(rg_remote_open(&t.file, from->http, &options));
	RG_AUTO_PTR(rg_remote) file = t.file;
	bool whole = rg_remote_is_whole(file);
	RG_AUTO_PTR(rg_error) err = select_members(&t);
	/* A later range was answered with the whole file, or the ranges would have been all of it:
	 * what is checked against its digest is taken from it, and nothing that came before counts.
	 * A plain file is fetched whole before it is read. */
	bool late = !whole && rg_remote_is_whole(file) && *check && !strcmp(*check, "crc32");
	if (late && (!err || !rg_take_is_fatal(err))) {
		RG_TRY(request->restart(request->context));
		rg_selection_release(selection);
		rg_selection_init(selection);
		rg_error_free(RG_TAKE(err));
		err = select_members(&t);
	}
	if (from->says_way && !err)
		rg_log_say(request->log, RG_LOG_DETAIL, "artifact '%s': %s", from->artifact->name,
			   rg_remote_is_whole(file) ? "its zip was fetched whole"
						    : "ranges of its zip were fetched");
	return RG_TAKE(err);
}

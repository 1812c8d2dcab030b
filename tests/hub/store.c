/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/hub.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Azure Blob storage as far as a download can tell. */

typedef struct {
	const char *folder, *file;
} place;

static const place places[] = {
	[BLOB_ARTIFACT] = {"/actions-results/", "/artifact"},
	[BLOB_LOG] = {"/actions-logs/", "/log.txt"},
	[BLOB_ARCHIVE] = {"/gitlab-artifacts/", "/artifacts.zip"},
};

/* What there is at a path. `body` NULL: nothing. */
typedef struct {
	blob_kind kind;
	uint64_t id;
	const char *name; /* a download's, without ".zip" */
	const fixture_body *body;
} blob;

/* The signature of its address: base64 of an HMAC-SHA256, before it is escaped. */
static bool make_signature(const hub *state, blob_kind kind, uint64_t id, const char *expires,
			   char out[static 64])
{
	char text[128];
	unsigned char mac[EVP_MAX_MD_SIZE];
	unsigned length = 0;

	snprintf(text, sizeof(text), "%s\n%llu\n%s\nr", places[kind].folder, (unsigned long long)id,
		 expires);
	if (!HMAC(EVP_sha256(), state->key, sizeof(state->key), (const unsigned char *)text,
		  strlen(text), mac, &length))
		return false;
	return EVP_EncodeBlock((unsigned char *)out, mac, (int)length) > 0;
}

/* Escapes what a query cannot hold. */
static void escape(char *out, size_t size, const char *text)
{
	size_t used = 0;

	for (; *text && used + 4 < size; text++) {
		if (strchr("+/=:", *text))
			used += (size_t)snprintf(out + used, size - used, "%%%02X",
						 (unsigned char)*text);
		else
			out[used++] = *text;
	}
	out[used] = '\0';
}

bool store_sign(hub *state, blob_kind kind, uint64_t id, int64_t expires, char *url, size_t size)
{
	char until[TIME_TEXT], signature[64], escaped_until[64], escaped[128];

	time_text(expires, until);
	if (!make_signature(state, kind, id, until, signature))
		return false;
	escape(escaped_until, sizeof(escaped_until), until);
	escape(escaped, sizeof(escaped), signature);
	snprintf(url, size, "%s%s%llu%s?se=%s&sig=%s&sp=r&spr=http&sr=b&sv=2025-11-05",
		 state->store, places[kind].folder, (unsigned long long)id, places[kind].file,
		 escaped_until, escaped);
	hub_secret(state, signature);
	hub_secret(state, escaped);
	return true;
}

void store_redirect(hub *state, const request *req, reply *out, blob_kind kind, uint64_t id)
{
	int64_t expires = time(NULL) + (req->sign_expired ? -1 : state->url_lifetime);
	char url[1024];

	if (!store_sign(state, kind, id, expires, url, sizeof(url))) {
		out->failed = true;
		return;
	}
	out->status = 302;
	reply_header(out, "Location", "%s", url);
}

static void refuse(reply *out, unsigned status, const char *code, const char *message)
{
	char *text = NULL;
	text = rg_textf("<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>%s</Code>"
			"<Message>%s</Message></Error>",
			code, message);
	reply_text(out, status, "application/xml", text);
	reply_header(out, "x-ms-error-code", "%s", code);
}

static size_t body_of(const fixture *data, blob *at)
{
	const fixture_pipeline *pipeline;
	const fixture_run *run;

	if (at->kind == BLOB_ARTIFACT) {
		const fixture_artifact *artifact = fixture_find_artifact(data, at->id, &run);

		at->name = artifact ? artifact->name : NULL;
		return artifact ? artifact->body : NO_BODY;
	}
	if (at->kind == BLOB_LOG) {
		const fixture_job *job = fixture_find_job(data, at->id, &run);

		return job ? job->log : NO_BODY;
	}
	const fixture_step *step = fixture_find_step(data, at->id, &pipeline);

	at->name = "artifacts";
	return step ? step->archive : NO_BODY;
}

static blob find_blob(const hub *state, const char *path)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		size_t prefix = strlen(places[i].folder), length, body;
		blob at = {.kind = (blob_kind)i};

		if (strncmp(path, places[i].folder, prefix) != 0)
			continue;
		length = strcspn(path + prefix, "/");
		/* A public bucket has names of its own. */
		bool named = state->open_store && rg_ends_with(path, ".zip");
		if (!rg_uint64_parse(path + prefix, length, &at.id) ||
		    (!named && strcmp(path + prefix + length, places[i].file) != 0))
			break;
		body = body_of(&state->data, &at);
		at.body = body == NO_BODY ? NULL : &state->data.bodies[body];
		return at;
	}
	return (blob){.body = NULL};
}

static bool signature_holds(const hub *state, const request *req, const blob *at)
{
	const char *expires = request_argument(req, "se"), *given = request_argument(req, "sig");
	char wanted[64];
	int64_t until;

	return state->open_store ||
	       (expires && given && time_parse(expires, &until) && until >= time(NULL) &&
		make_signature(state, at->kind, at->id, expires, wanted) &&
		strcmp(given, wanted) == 0);
}

/* "bytes=a-b" or "bytes=a-"; every other form, suffixes and lists among them, is ignored as Azure
 * ignores it. */
static bool parse_range(const char *text, uint64_t *first, uint64_t *last)
{
	const char *dash;

	if (!text || strncmp(text, "bytes=", 6) != 0)
		return false;
	text += 6;
	dash = strchr(text, '-');
	if (!dash || !rg_uint64_parse(text, (size_t)(dash - text), first))
		return false;
	*last = UINT64_MAX;
	return !dash[1] || (rg_uint64_parse(dash + 1, strlen(dash + 1), last) && *last >= *first);
}

static void add_type(reply *out, const blob *at)
{
	if (at->kind == BLOB_LOG) {
		reply_header(out, "Content-Type", "text/plain; charset=utf-8");
	} else if (at->body->name) {
		reply_header(out, "Content-Type", "application/octet-stream");
		reply_header(out, "Content-Disposition", "attachment; filename=\"%s\"",
			     at->body->name);
	} else {
		reply_header(out, "Content-Type", "application/zip");
		reply_header(out, "Content-Disposition", "attachment; filename=\"%s.zip\"",
			     at->name);
	}
}

static void serve(reply *out, const request *req, const blob *at)
{
	const fixture_body *body = at->body;
	uint64_t first, last;

	out->status = 200;
	out->bytes = body->bytes;
	out->length = body->length;
	if (!req->ignore_range && parse_range(request_header(req, "Range"), &first, &last)) {
		if (first >= body->length) {
			refuse(out, 416, "InvalidRange",
			       "The range specified is invalid for the current size of the "
			       "resource.");
			reply_header(out, "Content-Range", "bytes */%zu", body->length);
			return;
		}
		if (last >= body->length)
			last = body->length - 1;
		out->status = 206;
		out->bytes = body->bytes + first;
		out->length = (size_t)(last - first + 1);
		out->first = first;
		reply_header(out, "Content-Range", "bytes %llu-%llu/%zu", (unsigned long long)first,
			     (unsigned long long)last, body->length);
	}
	add_type(out, at);
	reply_header(out, "Accept-Ranges", "bytes");
	reply_header(out, "ETag", "\"0x%.16s\"", body->digest + 7);
}

void store_answer(hub *state, const request *req, reply *out)
{
	blob at = find_blob(state, req->path);

	if (req->authorized)
		refuse(out, 400, "InvalidAuthenticationInfo",
		       "Authentication information is not given in the correct format. Check the "
		       "value of Authorization header.");
	else if (!at.body)
		refuse(out, 404, "BlobNotFound", "The specified blob does not exist.");
	else if (!signature_holds(state, req, &at))
		refuse(out, 403, "AuthenticationFailed",
		       "Server failed to authenticate the request. Make sure the value of "
		       "Authorization header is formed correctly including the signature.");
	else
		serve(out, req, &at);
	reply_header(out, "x-ms-version", "2025-11-05");
	reply_header(out, "Server", "Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0");
}

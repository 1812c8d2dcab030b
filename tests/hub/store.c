/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/hub.h"

#include "base/memory.h"
#include "base/number.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Azure Blob storage as far as a download can tell. */

/* The signature of an artifact's address: base64 of an HMAC-SHA256, before it is escaped. */
static bool make_signature(const hub *state, uint64_t id, const char *expires, char out[static 64])
{
	char text[128];
	unsigned char mac[EVP_MAX_MD_SIZE];
	unsigned length = 0;

	snprintf(text, sizeof(text), "%llu\n%s\nr", (unsigned long long)id, expires);
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

bool store_sign(hub *state, const fixture_artifact *artifact, int64_t expires, char *url,
		size_t size)
{
	char until[TIME_TEXT], signature[64], escaped_until[64], escaped[128];

	time_text(expires, until);
	if (!make_signature(state, artifact->id, until, signature))
		return false;
	escape(escaped_until, sizeof(escaped_until), until);
	escape(escaped, sizeof(escaped), signature);
	snprintf(url, size,
		 "%s/actions-results/%llu/artifact?se=%s&sig=%s&sp=r&spr=http&sr=b&sv=2025-11-05",
		 state->store, (unsigned long long)artifact->id, escaped_until, escaped);
	if (state->secrets) {
		fprintf(state->secrets, "%s\n%s\n", signature, escaped);
		fflush(state->secrets);
	}
	return true;
}

static void refuse(reply *out, unsigned status, const char *code, const char *message)
{
	char *text = NULL;
	rg_error *err = rg_textf(&text,
				 "<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>%s</Code>"
				 "<Message>%s</Message></Error>",
				 code, message);

	rg_error_free(err);
	reply_text(out, status, "application/xml", text);
	reply_header(out, "x-ms-error-code", "%s", code);
}

static const fixture_artifact *find_blob(const hub *state, const char *path)
{
	static const char prefix[] = "/actions-results/";
	const fixture_run *run;
	const char *number = path + strlen(prefix);
	size_t length;
	uint64_t id;

	if (strncmp(path, prefix, strlen(prefix)) != 0)
		return NULL;
	length = strcspn(number, "/");
	if (!rg_uint64_parse(number, length, &id) || strcmp(number + length, "/artifact") != 0)
		return NULL;
	return fixture_find_artifact(&state->data, id, &run);
}

static bool signature_holds(const hub *state, const request *req, uint64_t id)
{
	const char *expires = request_argument(req, "se"), *given = request_argument(req, "sig");
	char wanted[64];
	int64_t until;

	return expires && given && time_parse(expires, &until) && until >= time(NULL) &&
	       make_signature(state, id, expires, wanted) && strcmp(given, wanted) == 0;
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

static void serve(reply *out, const request *req, const fixture_artifact *artifact,
		  const fixture_body *body)
{
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
	if (body->name) {
		reply_header(out, "Content-Type", "application/octet-stream");
		reply_header(out, "Content-Disposition", "attachment; filename=\"%s\"", body->name);
	} else {
		reply_header(out, "Content-Type", "application/zip");
		reply_header(out, "Content-Disposition", "attachment; filename=\"%s.zip\"",
			     artifact->name);
	}
	reply_header(out, "Accept-Ranges", "bytes");
	reply_header(out, "ETag", "\"0x%.16s\"", body->digest + 7);
}

void store_answer(hub *state, const request *req, reply *out)
{
	const fixture_artifact *artifact = find_blob(state, req->path);

	if (req->authorized)
		refuse(out, 400, "InvalidAuthenticationInfo",
		       "Authentication information is not given in the correct format. Check the "
		       "value of Authorization header.");
	else if (!artifact)
		refuse(out, 404, "BlobNotFound", "The specified blob does not exist.");
	else if (!signature_holds(state, req, artifact->id))
		refuse(out, 403, "AuthenticationFailed",
		       "Server failed to authenticate the request. Make sure the value of "
		       "Authorization header is formed correctly including the signature.");
	else
		serve(out, req, artifact, &state->data.bodies[artifact->body]);
	reply_header(out, "x-ms-version", "2025-11-05");
	reply_header(out, "Server", "Windows-Azure-Blob/1.0 Microsoft-HTTPAPI/2.0");
}

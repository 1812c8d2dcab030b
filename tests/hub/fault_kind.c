/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/fault_kind.h"

#include "hub/hub.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t or_else(uint64_t given, uint64_t fallback)
{
	return given == UINT64_MAX ? fallback : given;
}

static double seconds_or(const fault *strike, double fallback)
{
	return strike->seconds < 0 ? fallback : strike->seconds;
}

/* ---- what is answered instead ---- */

static void drop_body(reply *out)
{
	out->bytes = NULL;
	out->length = 0;
}

static void strike_status(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	(void)req;
	reply_message(out, (unsigned)or_else(strike->value, 503), "Something is wrong on our side");
}

static void strike_html(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	(void)req;
	reply_text(out, (unsigned)or_else(strike->value, 200), "text/html; charset=utf-8",
		   strdup("<!DOCTYPE html><html><body><h1>Whoa there!</h1></body></html>\n"));
}

static void strike_primary(const fault *strike, const hub *state, const request *req, reply *out)
{
	bool gitlab = request_is_gitlab(req);
	char reset[32];

	(void)state;
	snprintf(reset, sizeof(reset), "%lld",
		 (long long)time(NULL) + (long long)seconds_or(strike, 1));
	if (gitlab)
		reply_text(out, (unsigned)or_else(strike->value, 429), "text/plain",
			   strdup("Retry later\n"));
	else
		reply_message(out, (unsigned)or_else(strike->value, 403),
			      "API rate limit exceeded for user ID 583231.");
	reply_set_header(out, gitlab ? "RateLimit-Remaining" : "x-ratelimit-remaining", "0");
	reply_set_header(out, gitlab ? "RateLimit-Reset" : "x-ratelimit-reset", reset);
}

/* Without `seconds` it does not say how long to wait, as GitHub sometimes does not. */
static void strike_secondary(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	if (request_is_gitlab(req))
		reply_text(out, (unsigned)or_else(strike->value, 429), "text/plain",
			   strdup("Retry later\n"));
	else
		reply_message(out, (unsigned)or_else(strike->value, 429),
			      "You have exceeded a secondary rate limit. Please wait a few "
			      "minutes before you try again.");
	if (strike->seconds >= 0)
		reply_header(out, "Retry-After", "%.0f", strike->seconds);
}

static void strike_forbidden(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)strike;
	(void)state;
	(void)req;
	reply_text(out, 403, "application/xml",
		   strdup("<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>"
			  "AuthenticationFailed</Code><Message>Signed expiry time has to be after "
			  "the current time</Message></Error>"));
}

/* ---- redirects ---- */

/* A chain that comes back to where it began. */
static void strike_redirect_loop(const fault *strike, const hub *state, const request *req,
				 reply *out)
{
	(void)strike;
	out->status = 302;
	drop_body(out);
	reply_header(out, "Location", "%s%s?%s",
		     strike->which == SIDE_API ? state->api : state->store, req->raw, req->query);
}

/* To a host without TLS; 192.0.2.1 is nobody's (RFC 5737). */
static void strike_downgrade(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)strike;
	(void)state;
	(void)req;
	if (out->status == 302)
		reply_set_header(out, "Location", "http://192.0.2.1/artifact?sig=none");
}

/* ---- lists that lie ---- */

static void set_next(const request *req, reply *out, const char *base)
{
	char link[2048];

	snprintf(link, sizeof(link), "<%s%s?%s>; rel=\"next\"", base, req->raw, req->query);
	if (out->status == 200)
		reply_set_header(out, "Link", link);
}

static void strike_link_loop(const fault *strike, const hub *state, const request *req, reply *out)
{
	const char *page = reply_find_header(out, "x-page");
	char number[32];

	(void)strike;
	set_next(req, out, state->api);
	if (page) {
		snprintf(number, sizeof(number), "%s", page);
		reply_set_header(out, "x-next-page", number);
	}
}

static void strike_link_away(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)strike;
	set_next(req, out, state->store);
}

/* Parses the answer's body, lets `edit` change it, and prints it again. */
static void edit_json(const fault *strike, reply *out,
		      void (*edit)(const fault *strike, cJSON *json))
{
	cJSON *json = out->status == 200
			      ? cJSON_ParseWithLength((const char *)out->bytes, out->length)
			      : NULL;

	if (!json)
		return;
	edit(strike, json);
	reply_json(out, 200, json);
}

static void edit_total(const fault *strike, cJSON *json)
{
	cJSON *total = cJSON_GetObjectItemCaseSensitive(json, "total_count");

	if (total)
		cJSON_SetNumberValue(total, (double)or_else(strike->value, 1000000));
}

static void strike_total(const fault *strike, const hub *state, const request *req, reply *out)
{
	char number[32];

	(void)state;
	(void)req;
	edit_json(strike, out, edit_total);
	snprintf(number, sizeof(number), "%llu",
		 (unsigned long long)or_else(strike->value, 1000000));
	if (reply_find_header(out, "x-total"))
		reply_set_header(out, "x-total", number);
}

/* The answer, the items of its lists, and its own items where it is a list; not deeper. */
static void each_object(const fault *strike, cJSON *json,
			void (*edit)(const fault *strike, cJSON *object))
{
	cJSON *child, *item;

	edit(strike, json);
	cJSON_ArrayForEach(child, json)
	{
		if (cJSON_IsArray(json))
			each_object(strike, child, edit);
		else if (cJSON_IsArray(child))
			cJSON_ArrayForEach(item, child) edit(strike, item);
	}
}

/* "artifacts_file.size" is a field of an object in the object: *key is its name in there. */
static cJSON *owner_of_field(const fault *strike, cJSON *object, const char **key)
{
	const char *dot;

	*key = strike->field;
	while (object && (dot = strchr(*key, '.')) != NULL) {
		char name[128];

		snprintf(name, sizeof(name), "%.*s", (int)(dot - *key), *key);
		object = cJSON_GetObjectItemCaseSensitive(object, name);
		*key = dot + 1;
	}
	return object;
}

static void remove_field(const fault *strike, cJSON *object)
{
	const char *key;

	object = owner_of_field(strike, object, &key);
	cJSON_DeleteItemFromObjectCaseSensitive(object, key);
}

static void edit_missing(const fault *strike, cJSON *json)
{
	each_object(strike, json, remove_field);
}

static void strike_missing(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	(void)req;
	edit_json(strike, out, edit_missing);
}

/* Of another type than it was. */
static void spoil_field(const fault *strike, cJSON *object)
{
	const cJSON *item;
	const char *key;

	object = owner_of_field(strike, object, &key);
	item = cJSON_GetObjectItemCaseSensitive(object, key);
	if (item)
		cJSON_ReplaceItemInObjectCaseSensitive(object, key,
						       cJSON_IsString(item)
							       ? cJSON_CreateNumber(-1.5)
							       : cJSON_CreateString("surprise"));
}

static void edit_type(const fault *strike, cJSON *json)
{
	each_object(strike, json, spoil_field);
}

static void strike_type(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	(void)req;
	edit_json(strike, out, edit_type);
}

static void wrong_digest(const fault *strike, cJSON *object)
{
	(void)strike;
	if (cJSON_GetObjectItemCaseSensitive(object, "digest"))
		cJSON_ReplaceItemInObjectCaseSensitive(
			object, "digest",
			cJSON_CreateString("sha256:00000000000000000000000000000000"
					   "00000000000000000000000000000000"));
}

static void edit_digest(const fault *strike, cJSON *json)
{
	each_object(strike, json, wrong_digest);
}

static void strike_digest(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	(void)req;
	edit_json(strike, out, edit_digest);
}

/* ---- the store's bytes ---- */

static void before_no_ranges(const fault *strike, request *req)
{
	(void)strike;
	req->ignore_range = true;
}

static void before_expired(const fault *strike, request *req)
{
	(void)strike;
	req->sign_expired = true;
}

/* One bit of byte `bytes` of the artifact (of the answer's middle, where that is not given). */
static void strike_flip(const fault *strike, const hub *state, const request *req, reply *out)
{
	uint64_t offset = or_else(strike->bytes, out->first + out->length / 2);
	char *copy;

	(void)state;
	(void)req;
	if (out->status >= 300 || offset < out->first || offset - out->first >= out->length)
		return;
	copy = malloc(out->length);
	memcpy(copy, out->bytes, out->length);
	copy[offset - out->first] ^= 1;
	free(out->owned);
	out->owned = copy;
	out->bytes = (const unsigned char *)copy;
}

/* A 206 with the right bytes that says that they are others. */
static void strike_wrong_range(const fault *strike, const hub *state, const request *req,
			       reply *out)
{
	char range[96];

	(void)strike;
	(void)state;
	(void)req;
	snprintf(range, sizeof(range), "bytes %llu-%llu/%llu", (unsigned long long)out->first + 1,
		 (unsigned long long)(out->first + out->length),
		 (unsigned long long)(out->first + out->length + 1));
	if (out->status == 206)
		reply_set_header(out, "Content-Range", range);
}

/* ---- the wire ---- */

static void strike_cut(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	(void)req;
	out->wire.cut_at = or_else(strike->bytes, out->length / 2);
}

static void strike_reset(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	(void)req;
	out->wire.cut_at = or_else(strike->bytes, 0);
	out->wire.reset = true;
}

static void strike_stall(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	(void)req;
	out->wire.stall_at = or_else(strike->bytes, out->length / 2);
	out->wire.stall = seconds_or(strike, 60);
}

static void strike_slow(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	(void)req;
	out->wire.rate = or_else(strike->value, 100000);
}

static void strike_latency(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	(void)req;
	out->wire.delay += seconds_or(strike, 0.03);
}

const fault_kind fault_kinds[] = {
	{"status", SIDE_API | SIDE_STORE, false, NULL, strike_status},
	{"html", SIDE_API | SIDE_STORE, false, NULL, strike_html},
	{"primary", SIDE_API, false, NULL, strike_primary},
	{"secondary", SIDE_API, false, NULL, strike_secondary},
	{"expired", SIDE_API, false, before_expired, NULL},
	{"forbidden", SIDE_STORE, false, NULL, strike_forbidden},
	{"redirect-loop", SIDE_API | SIDE_STORE, false, NULL, strike_redirect_loop},
	{"downgrade", SIDE_API, false, NULL, strike_downgrade},
	{"link-loop", SIDE_API, false, NULL, strike_link_loop},
	{"link-away", SIDE_API, false, NULL, strike_link_away},
	{"total", SIDE_API, false, NULL, strike_total},
	{"missing", SIDE_API, true, NULL, strike_missing},
	{"type", SIDE_API, true, NULL, strike_type},
	{"digest", SIDE_API, false, NULL, strike_digest},
	{"no-ranges", SIDE_STORE, false, before_no_ranges, NULL},
	{"wrong-range", SIDE_STORE, false, NULL, strike_wrong_range},
	{"flip", SIDE_API | SIDE_STORE, false, NULL, strike_flip},
	{"cut", SIDE_API | SIDE_STORE, false, NULL, strike_cut},
	{"reset", SIDE_API | SIDE_STORE, false, NULL, strike_reset},
	{"stall", SIDE_API | SIDE_STORE, false, NULL, strike_stall},
	{"slow", SIDE_API | SIDE_STORE, false, NULL, strike_slow},
	{"latency", SIDE_API | SIDE_STORE, false, NULL, strike_latency},
};

const size_t fault_kind_count = sizeof(fault_kinds) / sizeof(*fault_kinds);

/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/fault.h"

#include "base/memory.h"
#include "base/number.h"
#include "hub/hub.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
	const char *name;
	unsigned sides;
	void (*before)(const fault *strike, request *req);
	void (*after)(const fault *strike, const hub *state, const request *req, reply *out);
} fault_kind;

struct fault {
	const fault_kind *kind;
	side which;
	uint64_t every, first; /* 0: not given */
	char *match, *field;   /* NULL: not given */
	double seconds;        /* below 0: not given */
	uint64_t bytes, value; /* UINT64_MAX: not given */
	uint64_t seen;         /* requests that match, so far */
};

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
	char reset[32];

	(void)state;
	(void)req;
	snprintf(reset, sizeof(reset), "%lld",
		 (long long)time(NULL) + (long long)seconds_or(strike, 1));
	reply_message(out, (unsigned)or_else(strike->value, 403),
		      "API rate limit exceeded for user ID 583231.");
	reply_set_header(out, "x-ratelimit-remaining", "0");
	reply_set_header(out, "x-ratelimit-reset", reset);
}

/* Without `seconds` it does not say how long to wait, as GitHub sometimes does not. */
static void strike_secondary(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)state;
	(void)req;
	reply_message(out, (unsigned)or_else(strike->value, 429),
		      "You have exceeded a secondary rate limit. Please wait a few minutes before "
		      "you try again.");
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
		     strike->which == SIDE_API ? state->api : state->store, req->path, req->query);
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

	snprintf(link, sizeof(link), "<%s%s?%s>; rel=\"next\"", base, req->path, req->query);
	if (out->status == 200)
		reply_set_header(out, "Link", link);
}

static void strike_link_loop(const fault *strike, const hub *state, const request *req, reply *out)
{
	(void)strike;
	set_next(req, out, state->api);
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
	(void)state;
	(void)req;
	edit_json(strike, out, edit_total);
}

/* The field of the answer and of the items of its lists, not deeper. */
static void each_object(const fault *strike, cJSON *json,
			void (*edit)(const fault *strike, cJSON *object))
{
	cJSON *list, *item;

	edit(strike, json);
	cJSON_ArrayForEach(list, json) if (cJSON_IsArray(list)) cJSON_ArrayForEach(item, list)
		edit(strike, item);
}

static void remove_field(const fault *strike, cJSON *object)
{
	cJSON_DeleteItemFromObjectCaseSensitive(object, strike->field);
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
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, strike->field);

	if (item)
		cJSON_ReplaceItemInObjectCaseSensitive(object, strike->field,
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
	if (!copy) {
		out->failed = true;
		return;
	}
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

static const fault_kind kinds[] = {
	{"status", SIDE_API | SIDE_STORE, NULL, strike_status},
	{"html", SIDE_API | SIDE_STORE, NULL, strike_html},
	{"primary", SIDE_API, NULL, strike_primary},
	{"secondary", SIDE_API, NULL, strike_secondary},
	{"expired", SIDE_API, before_expired, NULL},
	{"forbidden", SIDE_STORE, NULL, strike_forbidden},
	{"redirect-loop", SIDE_API | SIDE_STORE, NULL, strike_redirect_loop},
	{"downgrade", SIDE_API, NULL, strike_downgrade},
	{"link-loop", SIDE_API, NULL, strike_link_loop},
	{"link-away", SIDE_API, NULL, strike_link_away},
	{"total", SIDE_API, NULL, strike_total},
	{"missing", SIDE_API, NULL, strike_missing},
	{"type", SIDE_API, NULL, strike_type},
	{"digest", SIDE_API, NULL, strike_digest},
	{"no-ranges", SIDE_STORE, before_no_ranges, NULL},
	{"wrong-range", SIDE_STORE, NULL, strike_wrong_range},
	{"flip", SIDE_STORE, NULL, strike_flip},
	{"cut", SIDE_API | SIDE_STORE, NULL, strike_cut},
	{"reset", SIDE_API | SIDE_STORE, NULL, strike_reset},
	{"stall", SIDE_API | SIDE_STORE, NULL, strike_stall},
	{"slow", SIDE_API | SIDE_STORE, NULL, strike_slow},
	{"latency", SIDE_API | SIDE_STORE, NULL, strike_latency},
};

static const fault_kind *find_kind(const char *name, side which)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].name, name) == 0 && kinds[i].sides & which)
			return &kinds[i];
	return NULL;
}

static bool set_number(uint64_t *out, const char *text)
{
	return rg_uint64_parse(text, strlen(text), out);
}

static bool set_text(char **out, const char *text)
{
	free(*out);
	*out = strdup(text);
	return *out != NULL;
}

static bool set_key(fault *item, const char *key, const char *value)
{
	if (strcmp(key, "every") == 0)
		return set_number(&item->every, value);
	if (strcmp(key, "first") == 0)
		return set_number(&item->first, value);
	if (strcmp(key, "bytes") == 0)
		return set_number(&item->bytes, value);
	if (strcmp(key, "value") == 0)
		return set_number(&item->value, value);
	if (strcmp(key, "seconds") == 0)
		return rg_double_parse(value, strlen(value), &item->seconds);
	if (strcmp(key, "match") == 0)
		return set_text(&item->match, value);
	return strcmp(key, "field") == 0 && set_text(&item->field, value);
}

/* "api:cut,every=3" in pieces. `text` is cut up. */
static bool parse_fault(fault *item, char *text)
{
	char *kind = strchr(text, ':'), *save = NULL, *name;

	if (!kind)
		return false;
	*kind++ = '\0';
	item->which = strcmp(text, "api") == 0 ? SIDE_API : SIDE_STORE;
	if (item->which == SIDE_STORE && strcmp(text, "store") != 0)
		return false;
	name = strtok_r(kind, ",", &save);
	item->kind = name ? find_kind(name, item->which) : NULL;
	if (!item->kind)
		return false;
	for (char *key = strtok_r(NULL, ",", &save); key; key = strtok_r(NULL, ",", &save)) {
		char *value = strchr(key, '=');

		if (!value)
			return false;
		*value++ = '\0';
		if (!set_key(item, key, value))
			return false;
	}
	return item->field ||
	       (item->kind->after != strike_missing && item->kind->after != strike_type);
}

rg_error *fault_add(fault_list *list, const char *text)
{
	fault *item;
	char *copy = NULL;
	bool fine;

	RG_TRY(rg_strdup(&copy, text));
	rg_error *err =
		rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	if (err) {
		free(copy);
		return err;
	}
	item = &list->items[list->count++];
	*item = (fault){.seconds = -1, .bytes = UINT64_MAX, .value = UINT64_MAX};
	fine = parse_fault(item, copy);
	free(copy);
	return fine ? NULL : rg_error_new(RG_E_USAGE, "'%s' is no fault; see README.md", text);
}

void fault_release(fault_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].match);
		free(list->items[i].field);
	}
	free(list->items);
}

static bool strikes_now(const fault *item)
{
	if (item->first && item->seen > item->first)
		return false;
	return !item->every || item->seen % item->every == 0;
}

void fault_count(fault_list *list, side which, const char *path, fault_strikes *out)
{
	out->count = 0;
	for (size_t i = 0; i < list->count; i++) {
		fault *item = &list->items[i];

		if (item->which != which || (item->match && !strstr(path, item->match)))
			continue;
		item->seen++;
		if (strikes_now(item) && out->count < FAULTS_A_REQUEST)
			out->items[out->count++] = item;
	}
}

void fault_before(const fault_strikes *strikes, request *req)
{
	for (size_t i = 0; i < strikes->count; i++)
		if (strikes->items[i]->kind->before)
			strikes->items[i]->kind->before(strikes->items[i], req);
}

void fault_after(const fault_strikes *strikes, const hub *state, const request *req, reply *out)
{
	for (size_t i = 0; i < strikes->count; i++)
		if (strikes->items[i]->kind->after)
			strikes->items[i]->kind->after(strikes->items[i], state, req, out);
}

void fault_names(const fault_strikes *strikes, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < strikes->count && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "+" : "",
					 strikes->items[i]->kind->name);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "base/number.h"
#include "base/order.h"
#include "base/path.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the way from `at` down to `wanted` ("goldens[3]"); false where it is not below it. */
static bool find_place(rg_buf *out, const cJSON *at, const cJSON *wanted)
{
	size_t length = out->length, index = 0;
	const cJSON *item;

	if (at == wanted)
		return true;
	cJSON_ArrayForEach(item, at)
	{
		if (item->string)
			rg_buf_printf(out, "%s%s", length ? "." : "", item->string);
		else
			rg_buf_printf(out, "[%zu]", index);
		if (find_place(out, item, wanted))
			return true;
		rg_buf_truncate(out, length);
		index++;
	}
	return false;
}

/* The way to the member `key` of an object. */
static rg_buf place_of(const rg_json_in *in, const cJSON *object, const char *key)
{
	rg_buf place = rg_buf_of(RG_BUF_TEXT);
	if (find_place(&place, in->root, object) && place.length)
		rg_buf_char(&place, '.');
	rg_buf_str(&place, key);
	return place;
}

rg_error *rg_json_wrong(const rg_json_in *in, const cJSON *object, const char *key,
			const char *what)
{
	RG_AUTO(rg_buf) place = place_of(in, object, key);
	return rg_error_new(RG_E_PARSE, "'%s' %s", place.data, what);
}

RG_ORDER_OF_POINTERS(by_key, cJSON, RG_BY_TEXT(string));

rg_error *rg_json_check_keys(const rg_json_in *in, const cJSON *item)
{
	const cJSON *member;
	size_t count = 0, i = 0;
	cJSON_ArrayForEach(member, item)
	{
		RG_TRY(rg_json_check_keys(in, member));
		count++;
	}
	if (count < 2 || !cJSON_IsObject(item))
		return NULL;
	RG_AUTO_FREE const cJSON **sorted = rg_calloc(count, sizeof(*sorted));
	cJSON_ArrayForEach(member, item) sorted[i++] = member;
	qsort(sorted, count, sizeof(*sorted), by_key);
	for (i = 1; i < count; i++)
		if (!strcmp(sorted[i - 1]->string, sorted[i]->string))
			return rg_json_wrong(in, item, sorted[i]->string, "appears twice");
	return NULL;
}

const cJSON *rg_json_member(const cJSON *object, const char *key)
{
	const cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
	return cJSON_IsNull(member) ? NULL : member;
}

static rg_error *missing_or(const rg_json_in *in, const cJSON *object, const char *key,
			    const char *what)
{
	return rg_json_wrong(in, object, key, rg_json_member(object, key) ? what : "is missing");
}

rg_error *rg_json_get_text(const rg_json_in *in, const cJSON *object, const char *key,
			   const char **out)
{
	const char *text = cJSON_GetStringValue(rg_json_member(object, key));
	*out = NULL;
	if (text) {
		*out = rg_arena_text(in->arena, text);
		return NULL;
	}
	return missing_or(in, object, key, "is not a text");
}

rg_error *rg_json_get_optional(const rg_json_in *in, const cJSON *object, const char *key,
			       const char **out)
{
	*out = NULL;
	return rg_json_member(object, key) ? rg_json_get_text(in, object, key, out) : NULL;
}

rg_error *rg_json_get_path(const rg_json_in *in, const cJSON *object, const char *key,
			   const char **out)
{
	RG_TRY(rg_json_get_text(in, object, key, out));
	rg_error *err = rg_path_check(*out);
	if (!err)
		return NULL;
	RG_AUTO(rg_buf) place = place_of(in, object, key);
	return rg_error_wrap(err, "'%s'", place.data);
}

bool rg_json_is_count(const cJSON *item, uint64_t max, uint64_t *out)
{
	if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) ||
	    item->valuedouble > (double)RG_JSON_EXACT_MAX ||
	    item->valuedouble != floor(item->valuedouble))
		return false;
	*out = (uint64_t)item->valuedouble;
	return *out <= max;
}

rg_error *rg_json_get_count(const rg_json_in *in, const cJSON *object, const char *key,
			    uint64_t max, uint64_t *out)
{
	const cJSON *item = rg_json_member(object, key);
	const char *text = cJSON_GetStringValue(item);
	char what[64];

	if (text ? rg_uint64_parse(text, strlen(text), out) && *out <= max
		 : rg_json_is_count(item, max, out))
		return NULL;
	snprintf(what, sizeof(what), "is not a whole number from 0 to %llu",
		 (unsigned long long)max);
	return missing_or(in, object, key, max == UINT64_MAX ? "is not a whole number" : what);
}

rg_error *rg_json_get_truth(const rg_json_in *in, const cJSON *object, const char *key, bool *out)
{
	const cJSON *item = rg_json_member(object, key);
	*out = cJSON_IsTrue(item);
	return cJSON_IsBool(item) ? NULL : missing_or(in, object, key, "is not true or false");
}

rg_error *rg_json_get_word(const rg_json_in *in, const cJSON *object, const char *key,
			   const char *const *words, size_t count, size_t *out)
{
	const char *text = cJSON_GetStringValue(rg_json_member(object, key));
	char what[128] = "is not a text";

	for (*out = 0; text && *out < count; ++*out)
		if (words[*out] && !strcmp(text, words[*out]))
			return NULL;
	if (text)
		snprintf(what, sizeof(what), "is '%.80s', which is not known", text);
	return missing_or(in, object, key, what);
}

rg_error *rg_json_get_object(const rg_json_in *in, const cJSON *object, const char *key,
			     const cJSON **out)
{
	*out = rg_json_member(object, key);
	return cJSON_IsObject(*out) ? NULL : missing_or(in, object, key, "is not an object");
}

rg_error *rg_json_get_objects(const rg_json_in *in, const cJSON *object, const char *key,
			      const cJSON **out, size_t *count)
{
	const cJSON *item;
	*count = 0;
	*out = rg_json_member(object, key);
	if (!cJSON_IsArray(*out))
		return missing_or(in, object, key, "is not a list");
	cJSON_ArrayForEach(item, *out)
	{
		if (!cJSON_IsObject(item))
			return rg_json_wrong(in, object, key, "is not a list of objects");
		++*count;
	}
	return NULL;
}

bool rg_json_is_number(const cJSON *item, double *out)
{
	static const struct {
		const char *text;
		double value;
	} texts[] = {{"nan", NAN}, {RG_JSON_NAN, NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};
	const char *text = cJSON_GetStringValue(item);

	if (cJSON_IsNumber(item)) {
		*out = item->valuedouble;
		return true;
	}
	for (size_t i = 0; text && i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(text, texts[i].text)) {
			*out = texts[i].value;
			return true;
		}
	return false;
}

rg_error *rg_json_get_number(const rg_json_in *in, const cJSON *object, const char *key,
			     double *out)
{
	return rg_json_is_number(rg_json_member(object, key), out)
		       ? NULL
		       : missing_or(in, object, key, "is not a number");
}

rg_error *rg_json_get_numbers(const rg_json_in *in, const cJSON *object, const char *key,
			      const double **out, size_t *count)
{
	const cJSON *list = rg_json_member(object, key), *item;

	*count = 0;
	if (!cJSON_IsArray(list))
		return missing_or(in, object, key, "is not a list");
	double *numbers = rg_arena_alloc(in->arena,
					 ((size_t)cJSON_GetArraySize(list) + 1) * sizeof(*numbers));
	cJSON_ArrayForEach(item, list)
	{
		if (!rg_json_is_number(item, &numbers[(*count)++]))
			return rg_json_wrong(in, object, key, "is not a list of numbers");
	}
	*out = numbers;
	return NULL;
}

rg_error *rg_json_get_texts(const rg_json_in *in, const cJSON *object, const char *key,
			    const char ***out, size_t *count)
{
	const cJSON *list = rg_json_member(object, key), *item;
	*out = NULL;
	*count = 0;
	if (!list)
		return NULL;
	if (!cJSON_IsArray(list))
		return rg_json_wrong(in, object, key, "is not a list");
	*out = rg_arena_alloc(in->arena, ((size_t)cJSON_GetArraySize(list) + 1) * sizeof(**out));
	cJSON_ArrayForEach(item, list)
	{
		if (!cJSON_IsString(item))
			return rg_json_wrong(in, object, key, "is not a list of texts");
		(*out)[(*count)++] = rg_arena_text(in->arena, item->valuestring);
	}
	return NULL;
}

/* Our own documents, and what writes them. */
static const struct {
	const char *schema, *what, *command;
} documents[] = {
	{"regild-model", "a noise model", "regild audit --model FILE"},
	{"regild-compare", "a comparison", "regild compare --json FILE"},
	{"regild-manifest", "a download's manifest", "regild download -o DIR"},
	{"regild-audit", "an audit", "regild audit --json FILE"},
	{"regild-history", "a list of the history", "regild history --json FILE"},
	{"regild-plan", "an update's plan", "regild refresh --dry-run --plan FILE"},
	{"regild-reply", "a history's answer", "regild history ask --json FILE"},
	{"regild-runs", "a list of runs", "regild runs --json FILE"},
	{"regild-outputs", "a check of outputs", "regild executorch verify-outputs --json FILE"},
};

static size_t find_document(const char *schema)
{
	size_t i = 0;
	while (i < sizeof(documents) / sizeof(*documents) &&
	       (!schema || strcmp(documents[i].schema, schema) != 0))
		i++;
	return i;
}

static rg_error *wrong_document(const char *name, const char *given)
{
	const size_t none = sizeof(documents) / sizeof(*documents);
	size_t wanted = find_document(name), is = find_document(given);

	if (wanted == none)
		return rg_error_new(RG_E_PARSE, "'schema' is not '%s'", name);
	return rg_error_new(RG_E_PARSE, "is %s%snot %s; '%s' writes one",
			    is < none ? documents[is].what : "", is < none ? ", " : "",
			    documents[wanted].what, documents[wanted].command);
}

rg_error *rg_json_parse_document(cJSON **out, const char *text, size_t size, const char *name)
{
	RG_AUTO_PTR(rg_error) err = rg_json_parse(out, text, size);
	size_t i = 0;

	while (i < size && isspace((unsigned char)text[i]))
		i++;
	if (!err || rg_error_get_code(err) != RG_E_PARSE || (i < size && text[i] == '{'))
		return RG_TAKE(err);
	return wrong_document(name, NULL);
}

rg_error *rg_json_get_head(const rg_json_in *in, const char *name)
{
	const char *schema = cJSON_GetStringValue(rg_json_member(in->root, "schema"));
	uint64_t version;

	if (!schema || strcmp(schema, name) != 0)
		return wrong_document(name, schema);
	RG_TRY(rg_json_get_count(in, in->root, "version", UINT64_MAX, &version));
	if (version != 1)
		return rg_error_new(RG_E_PARSE,
				    "'version' is %llu, but this regild reads version 1",
				    (unsigned long long)version);
	return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml.h"

#include "base/path.h"
#include "base/json.h"
#include "base/number.h"
#include "golden/format.h"
#include "golden/json_golden.h"

#include <math.h>
#include <string.h>
#include <yaml.h>

/*
 * YAML, read as the JSON that it stands for by the core schema of YAML 1.2: a plain scalar may be a
 * number, a truth value or null, a quoted one is a text. An alias is a copy of what it names.
 */

enum { YAML_FILE_MAX = 64 << 20 };

typedef struct {
	yaml_document_t *document;
	size_t room; /* bytes and nodes that may still come: aliases repeat what they name */
	int depth;
} reader;

static void reader_release(reader *r)
{
	rg_yaml_free(r->document);
	r->document = NULL;
}

static cJSON *node_or_die(cJSON *node)
{
	if (!node)
		rg_out_of_memory();
	return node;
}

/* "0x1f" and "0o17". */
static bool parse_based(const char *text, double *out)
{
	const bool hex = text[0] == '0' && text[1] == 'x';
	const char *p = text + 2;
	if ((!hex && !(text[0] == '0' && text[1] == 'o')) || !*p)
		return false;
	for (*out = 0; *p; p++) {
		const char *digits = "0123456789abcdef", lower = (char)(*p | 0x20);
		const char *at = strchr(digits, *p >= '0' && *p <= '9' ? *p : lower);
		if (!at || at - digits >= (hex ? 16 : 8))
			return false;
		*out = *out * (hex ? 16 : 8) + (double)(at - digits);
	}
	return true;
}

static bool is_one_of(const char *text, const char *const words[3])
{
	return !strcmp(text, words[0]) || !strcmp(text, words[1]) || !strcmp(text, words[2]);
}

/* ".inf", "-.INF", "+.inf" and ".nan". */
static bool parse_special(const char *text, double *out)
{
	static const char *const infinite[] = {".inf", ".Inf", ".INF"};
	static const char *const no_number[] = {".nan", ".NaN", ".NAN"};
	const bool is_signed = *text == '-' || *text == '+';

	*out = is_one_of(text, no_number) ? (double)NAN
	       : *text == '-'             ? -(double)INFINITY
					  : (double)INFINITY;
	return is_one_of(text, no_number) || is_one_of(text + is_signed, infinite);
}

/* The core schema has no number that begins with a letter or ends with a blank. */
static bool is_number(const char *text, size_t length, double *out)
{
	const char first = text[*text == '-' || *text == '+'];
	if (parse_based(text, out) || parse_special(text, out))
		return true;
	return ((first >= '0' && first <= '9') || first == '.') &&
	       rg_double_parse(text, length, out);
}

static cJSON *plain_scalar(const char *text, size_t length)
{
	static const char *const truths[] = {"true", "True", "TRUE"};
	static const char *const lies[] = {"false", "False", "FALSE"};
	static const char *const nothing[] = {"null", "Null", "NULL"};
	double value;

	if (!length || !strcmp(text, "~") || is_one_of(text, nothing))
		return cJSON_CreateNull();
	if (is_one_of(text, truths) || is_one_of(text, lies))
		return cJSON_CreateBool(is_one_of(text, truths));
	if (!is_number(text, length, &value))
		return cJSON_CreateString(text);
	if (isnan(value))
		return cJSON_CreateString(RG_JSON_NAN);
	cJSON *number = cJSON_CreateNumber(value);
	/* The digits, as rg_json_parse keeps them. */
	if (number && length >= RG_JSON_DIGITS && strspn(text, "+-0123456789") == length)
		number->valuestring = rg_strdup(text);
	return number;
}

static rg_error *take_room(reader *r, size_t size)
{
	if (size > r->room)
		return rg_error_new(RG_E_PARSE, "its aliases make too much of it");
	r->room -= size;
	return NULL;
}

static rg_error *check_text(const yaml_node_t *node)
{
	const char *text = (const char *)node->data.scalar.value;
	if (strlen(text) == node->data.scalar.length)
		return NULL;
	return rg_error_new(RG_E_PARSE, "line %zu: a text with a NUL in it",
			    node->start_mark.line + 1);
}

static rg_error *convert(reader *r, int id, cJSON **out);

static rg_error *convert_sequence(reader *r, const yaml_node_t *node, cJSON *list)
{
	const yaml_node_item_t *item = node->data.sequence.items.start;
	for (; item < node->data.sequence.items.top; item++) {
		cJSON *value;
		RG_TRY(convert(r, *item, &value));
		cJSON_AddItemToArray(list, value);
	}
	return NULL;
}

static rg_error *convert_mapping(reader *r, const yaml_node_t *node, cJSON *object)
{
	const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	for (; pair < node->data.mapping.pairs.top; pair++) {
		const yaml_node_t *key = yaml_document_get_node(r->document, pair->key);
		cJSON *value;
		if (!key || key->type != YAML_SCALAR_NODE)
			return rg_error_new(RG_E_PARSE, "line %zu: a key that is no scalar",
					    node->start_mark.line + 1);
		RG_TRY(check_text(key));
		RG_TRY(take_room(r, key->data.scalar.length));
		RG_TRY(convert(r, pair->value, &value));
		if (!cJSON_AddItemToObject(object, (const char *)key->data.scalar.value, value))
			rg_out_of_memory();
	}
	return NULL;
}

/* Recursion is bounded by the depth that rg_yaml_load allowed, but for an alias inside of what it
 * names. */
static rg_error *convert(reader *r, int id, cJSON **out)
{
	const yaml_node_t *node = yaml_document_get_node(r->document, id);

	RG_TRY(take_room(r, 1 + (node->type == YAML_SCALAR_NODE ? node->data.scalar.length : 0)));
	if (node->type == YAML_SCALAR_NODE) {
		const char *text = (const char *)node->data.scalar.value;
		RG_TRY(check_text(node));
		const bool plain = node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
				   !strcmp((const char *)node->tag, YAML_STR_TAG);
		*out = node_or_die(plain ? plain_scalar(text, node->data.scalar.length)
					 : cJSON_CreateString(text));
		return NULL;
	}
	if (r->depth == RG_YAML_DEPTH_MAX * 2)
		return rg_error_new(RG_E_PARSE, "its aliases make it too deep");
	r->depth++;
	const bool is_list = node->type == YAML_SEQUENCE_NODE;
	RG_AUTO_PTR(cJSON) made = node_or_die(is_list ? cJSON_CreateArray() : cJSON_CreateObject());
	RG_TRY(is_list ? convert_sequence(r, node, made) : convert_mapping(r, node, made));
	r->depth--;
	*out = RG_TAKE(made);
	return NULL;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	RG_AUTO_PTR(cJSON) document = NULL;
	RG_AUTO(reader) r = {.room = in->size * 16};
	size_t documents;

	builder->gave_up = true; /* after an error it is a text */
	if (in->size > YAML_FILE_MAX)
		return rg_error_new(RG_E_PARSE, "YAML of more than %d bytes", YAML_FILE_MAX);
	RG_TRY(rg_yaml_load(&r.document, in->data, in->size, &documents));
	if (documents > 1)
		return rg_error_new(RG_E_PARSE, "has %zu YAML documents", documents);
	const yaml_node_t *root = yaml_document_get_root_node(r.document);
	if (!root || root->type == YAML_SCALAR_NODE)
		return rg_error_new(RG_E_PARSE, "is not a YAML mapping or sequence");
	RG_TRY(convert(&r, 1, &document)); /* the root is the first node */
	reader_release(&r);                /* the YAML is not needed while the JSON is read */
	return rg_json_golden_read(builder, in, options, document);
}

static int bid(const rg_input *in)
{
	return rg_ends_with(in->name, ".yaml") || rg_ends_with(in->name, ".yml") ? 10 : 0;
}

const rg_format rg_format_yaml = {
	.name = "yaml", .bid = bid, .read = read_golden, .when_named = true};

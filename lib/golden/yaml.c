/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml.h"

#include "base/path.h"
#include "base/json.h"
#include "base/number.h"
#include "golden/format.h"
#include "golden/json_golden.h"
#include "golden/yaml_scalar.h"

#include <math.h>
#include <string.h>
#include <yaml.h>

/*
 * YAML, read as the JSON that it stands for: a plain scalar may be a number, a truth value or null
 * (golden/yaml_scalar.h), a quoted one is a text. An alias is a copy of what it names.
 */

enum { YAML_FILE_MAX = 64 << 20 };

typedef struct {
	yaml_document_t *document;
	size_t room; /* bytes and nodes that may still come: aliases repeat what they name */
	int depth;
	rg_golden_builder *builder;
	bool as_1_2, differs; /* a scalar is another one by the other version */
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

static const char *say(const cJSON *item, char number[static RG_DOUBLE_REPR_SIZE])
{
	rg_double_repr(item->valuedouble, number);
	return cJSON_IsNumber(item)   ? number
	       : cJSON_IsString(item) ? "a text"
	       : cJSON_IsNull(item)   ? "null"
	       : cJSON_IsTrue(item)   ? "true"
				      : "false";
}

/* Says which is the first value that YAML 1.1 and 1.2 read differently. */
static cJSON *plain_scalar(reader *r, const yaml_node_t *node)
{
	const char *text = (const char *)node->data.scalar.value;
	cJSON *item = rg_yaml_scalar_read(text, r->as_1_2);
	RG_AUTO_PTR(cJSON) other = r->differs ? NULL : rg_yaml_scalar_read(text, !r->as_1_2);
	char is[RG_DOUBLE_REPR_SIZE], is_too[RG_DOUBLE_REPR_SIZE];

	if (!other || (item->type == other->type && item->valuedouble == other->valuedouble))
		return item;
	r->differs = true;
	rg_golden_builder_note(
		r->builder, RG_NOTE_VERSION,
		"read as YAML %s: '%.40s' in line %zu is %s, the first value that YAML %s reads "
		"differently (%s)",
		r->as_1_2 ? "1.2" : "1.1", text, node->start_mark.line + 1, say(item, is),
		r->as_1_2 ? "1.1" : "1.2", say(other, is_too));
	return item;
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
		*out = node_or_die(plain ? plain_scalar(r, node) : cJSON_CreateString(text));
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
	RG_AUTO(reader)
	r = {.room = in->size * 16, .builder = builder, .as_1_2 = options->yaml_1_2};
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "config/yaml_file.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct rg_yaml_file {
	yaml_document_t *document;
	const char **names; /* of the last list */
};

static rg_error *failure(const yaml_parser_t *parser)
{
	return rg_error_new(RG_E_PARSE, "not YAML: line %zu: %s", parser->problem_mark.line + 1,
			    parser->problem ? parser->problem : "broken");
}

/* How deep the events are nested, and how much they refer to one another. */
typedef struct {
	size_t depth, aliases;
} measure;

static void count_event(measure *m, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_ALIAS_EVENT:
		m->aliases++;
		break;
	case YAML_SCALAR_EVENT:
		m->aliases += event->data.scalar.anchor != NULL;
		break;
	case YAML_SEQUENCE_START_EVENT:
		m->aliases += event->data.sequence_start.anchor != NULL;
		m->depth++;
		break;
	case YAML_MAPPING_START_EVENT:
		m->aliases += event->data.mapping_start.anchor != NULL;
		m->depth++;
		break;
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		m->depth--;
		break;
	default:
		break;
	}
}

/* libyaml looks for each alias among all anchors, and keeps what is nested: both are bounded before
 * it makes a document. */
static rg_error *check_limits(const void *data, size_t size)
{
	measure m = {0};
	yaml_parser_t parser;
	yaml_event_t event;
	bool done = false;
	if (!yaml_parser_initialize(&parser))
		rg_out_of_memory();

	yaml_parser_set_input_string(&parser, data, size);
	rg_error *err = NULL;
	while (!err && !done) {
		if (!yaml_parser_parse(&parser, &event)) {
			err = failure(&parser);
			break;
		}
		count_event(&m, &event);
		/* The first document is all that counts. */
		done = event.type == YAML_DOCUMENT_END_EVENT || event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
		if (m.depth > RG_YAML_DEPTH_MAX)
			err = rg_error_new(RG_E_LIMIT, "is nested deeper than %d levels",
					   RG_YAML_DEPTH_MAX);
		else if (m.aliases > RG_YAML_ALIASES_MAX)
			err = rg_error_new(RG_E_LIMIT, "has more than %d anchors and aliases",
					   RG_YAML_ALIASES_MAX);
	}
	yaml_parser_delete(&parser);
	return err;
}

static rg_error *load(rg_yaml_file *file, const void *data, size_t size)
{
	yaml_parser_t parser;
	/* An empty one can be deleted. */
	file->document = rg_calloc(1, sizeof(*file->document));
	if (!yaml_parser_initialize(&parser))
		rg_out_of_memory();
	yaml_parser_set_input_string(&parser, data, size);
	rg_error *err = NULL;
	if (!yaml_parser_load(&parser, file->document))
		err = failure(&parser);
	yaml_parser_delete(&parser);
	return err;
}

static const yaml_node_t *root_of(const rg_yaml_file *file)
{
	return yaml_document_get_root_node(file->document);
}

rg_error *rg_yaml_file_parse(rg_yaml_file **out, const void *data, size_t size)
{
	*out = NULL;
	if (size > RG_YAML_BYTES_MAX)
		return rg_error_new(RG_E_LIMIT, "is larger than %d bytes", RG_YAML_BYTES_MAX);
	RG_TRY(check_limits(data, size));
	rg_yaml_file *file = rg_calloc(1, sizeof(*file));
	rg_error *err = load(file, data, size);
	const yaml_node_t *root = err ? NULL : root_of(file);
	if (!err && (!root || root->type != YAML_MAPPING_NODE))
		err = rg_error_new(RG_E_PARSE, "is not a YAML mapping");
	if (err)
		rg_yaml_file_free(file);
	else
		*out = file;
	return err;
}

void rg_yaml_file_free(rg_yaml_file *file)
{
	if (!file)
		return;
	if (file->document)
		yaml_document_delete(file->document);
	free(file->document);
	free(file->names);
	free(file);
}

static const yaml_node_t *node_of(const rg_yaml_file *file, int id)
{
	return yaml_document_get_node(file->document, id);
}

/* NULL for a text with a NUL in it, too. */
static const char *text_of(const yaml_node_t *node)
{
	if (!node || node->type != YAML_SCALAR_NODE)
		return NULL;
	const char *text = (const char *)node->data.scalar.value;
	return strlen(text) == node->data.scalar.length ? text : NULL;
}

static const yaml_node_t *member(const rg_yaml_file *file, const yaml_node_t *mapping,
				 const char *name)
{
	const yaml_node_pair_t *pair;
	const yaml_node_t *found = NULL;

	if (!mapping || mapping->type != YAML_MAPPING_NODE)
		return NULL;
	for (pair = mapping->data.mapping.pairs.start; pair < mapping->data.mapping.pairs.top;
	     pair++) {
		const char *key = text_of(node_of(file, pair->key));
		if (key && !strcmp(key, name))
			found = node_of(file, pair->value);
	}
	return found;
}

const char *rg_yaml_file_variable(const rg_yaml_file *file, const char *name)
{
	const yaml_node_t *root = root_of(file), *value = member(file, root, name);
	return text_of(value ? value : member(file, member(file, root, "ENV_VARS"), name));
}

static rg_error *refuse_list(const char *name)
{
	return rg_error_new(RG_E_PARSE, "its %s is not a list of names", name);
}

rg_error *rg_yaml_file_list(rg_yaml_file *file, const char *name, const char *const **names,
			    size_t *count)
{
	const yaml_node_t *list = member(file, root_of(file), name);
	size_t i = 0;

	*names = NULL;
	*count = 0;
	if (!list)
		return NULL;
	if (list->type != YAML_SEQUENCE_NODE)
		return refuse_list(name);
	free(file->names);
	const yaml_node_item_t *item = list->data.sequence.items.start;
	file->names =
		rg_calloc((size_t)(list->data.sequence.items.top - item) + 1, sizeof(*file->names));
	for (; item < list->data.sequence.items.top; item++) {
		file->names[i] = text_of(node_of(file, *item));
		if (!file->names[i++])
			return refuse_list(name);
	}
	*names = file->names;
	*count = i;
	return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <yaml.h>

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
static rg_error *check_limits(const void *data, size_t size, size_t *documents)
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
		if (event.type == YAML_DOCUMENT_END_EVENT && documents)
			++*documents;
		done = event.type == YAML_STREAM_END_EVENT ||
		       (event.type == YAML_DOCUMENT_END_EVENT && !documents);
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

static rg_error *load(yaml_document_t *document, const void *data, size_t size)
{
	yaml_parser_t parser;
	if (!yaml_parser_initialize(&parser))
		rg_out_of_memory();
	yaml_parser_set_input_string(&parser, data, size);
	rg_error *err = NULL;
	if (!yaml_parser_load(&parser, document))
		err = failure(&parser);
	yaml_parser_delete(&parser);
	return err;
}

rg_error *rg_yaml_load(yaml_document_t **out, const void *data, size_t size, size_t *documents)
{
	*out = NULL;
	if (documents)
		*documents = 0;
	RG_TRY(check_limits(data, size, documents));
	/* An empty one can be deleted. */
	yaml_document_t *document = rg_calloc(1, sizeof(*document));
	rg_error *err = load(document, data, size);
	if (err)
		rg_yaml_free(document);
	else
		*out = document;
	return err;
}

void rg_yaml_free(yaml_document_t *document)
{
	if (!document)
		return;
	yaml_document_delete(document);
	free(document);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/yaml.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <yaml.h>

typedef yaml_parser_t parser;

static void parser_init(parser *p, const void *data, size_t size)
{
	if (!yaml_parser_initialize(p))
		rg_out_of_memory();
	yaml_parser_set_input_string(p, data, size);
}

static void parser_release(parser *p)
{
	yaml_parser_delete(p);
}

static rg_error *failure(const parser *p)
{
	return rg_error_new(RG_E_PARSE, "not YAML: line %zu: %s", p->problem_mark.line + 1,
			    p->problem ? p->problem : "broken");
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
	RG_AUTO(parser) p = {0};
	measure m = {0};
	yaml_event_t event;

	parser_init(&p, data, size);
	for (bool done = false; !done;) {
		if (!yaml_parser_parse(&p, &event))
			return failure(&p);
		count_event(&m, &event);
		if (event.type == YAML_DOCUMENT_END_EVENT && documents)
			++*documents;
		done = event.type == YAML_STREAM_END_EVENT ||
		       (event.type == YAML_DOCUMENT_END_EVENT && !documents);
		yaml_event_delete(&event);
		if (m.depth > RG_YAML_DEPTH_MAX)
			return rg_error_new(RG_E_LIMIT, "is nested deeper than %d levels",
					    RG_YAML_DEPTH_MAX);
		if (m.aliases > RG_YAML_ALIASES_MAX)
			return rg_error_new(RG_E_LIMIT, "has more than %d anchors and aliases",
					    RG_YAML_ALIASES_MAX);
	}
	return NULL;
}

rg_error *rg_yaml_load(yaml_document_t **out, const void *data, size_t size, size_t *documents)
{
	RG_AUTO(parser) p = {0};

	*out = NULL;
	if (documents)
		*documents = 0;
	RG_TRY(check_limits(data, size, documents));
	parser_init(&p, data, size);
	*out = rg_calloc(1, sizeof(**out));
	if (yaml_parser_load(&p, *out))
		return NULL;
	rg_yaml_free(*out); /* an empty one can be deleted */
	*out = NULL;
	return failure(&p);
}

void rg_yaml_free(yaml_document_t *document)
{
	if (!document)
		return;
	yaml_document_delete(document);
	free(document);
}

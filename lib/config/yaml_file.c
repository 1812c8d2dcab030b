/* SPDX-License-Identifier: Apache-2.0 */
#include "config/yaml_file.h"

#include "base/memory.h"
#include "base/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct rg_yaml_file {
	yaml_document_t *document;
	const char **names; /* of the last list */
};

static const yaml_node_t *root_of(const rg_yaml_file *file)
{
	return yaml_document_get_root_node(file->document);
}

rg_error *rg_yaml_file_parse(rg_yaml_file **out, const void *data, size_t size)
{
	RG_AUTO_PTR(rg_yaml_file) file = rg_calloc(1, sizeof(*file));

	*out = NULL;
	if (size > RG_YAML_BYTES_MAX)
		return rg_error_new(RG_E_LIMIT, "is larger than %d bytes", RG_YAML_BYTES_MAX);
	/* Only the first document counts. */
	RG_TRY(rg_yaml_load(&file->document, data, size, NULL));
	const yaml_node_t *root = root_of(file);
	if (!root || root->type != YAML_MAPPING_NODE)
		return rg_error_new(RG_E_PARSE, "is not a YAML mapping");
	*out = RG_TAKE(file);
	return NULL;
}

void rg_yaml_file_free(rg_yaml_file *file)
{
	if (!file)
		return;
	rg_yaml_free(file->document);
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

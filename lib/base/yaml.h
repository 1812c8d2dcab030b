/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_YAML_H
#define REGILD_BASE_YAML_H

#include "base/error.h"

#include <stddef.h>

/*
 * libyaml's documents, bounded before they are made: whoever reads one includes <yaml.h>. Nothing
 * of it is executed, included or expanded.
 */
struct yaml_document_s;

enum {
	RG_YAML_DEPTH_MAX = 64,
	RG_YAML_ALIASES_MAX = 1000, /* and anchors */
};

/*
 * Makes a document of the first of a text, which may have no root; *out is the caller's, freed with
 * rg_yaml_free. *documents, which may be NULL, is how many there are. RG_E_PARSE with the line for
 * what is not YAML, RG_E_LIMIT for what is deeper or has more aliases than that.
 */
RG_CHECKED rg_error *rg_yaml_load(struct yaml_document_s **out, const void *data, size_t size,
				  size_t *documents);
void rg_yaml_free(struct yaml_document_s *document);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CONFIG_YAML_FILE_H
#define REGILD_CONFIG_YAML_FILE_H

#include "base/cleanup.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Reads a few names from a test's own settings, a YAML file that comes with a clone. Nothing in it
 * is executed, included or expanded.
 */
typedef struct rg_yaml_file rg_yaml_file;

enum { RG_YAML_BYTES_MAX = 1 << 20 };

/* RG_E_PARSE for what is not a YAML mapping, with the line; RG_E_LIMIT for what is larger
 * than that, or more than base/yaml.h takes. *out is the caller's, freed with rg_yaml_file_free. */
RG_CHECKED rg_error *rg_yaml_file_parse(rg_yaml_file **out, const void *data, size_t size);
void rg_yaml_file_free(rg_yaml_file *file);
RG_FREE_AT(rg_yaml_file)

/* The text of the variable: of that key at the top, else of the one in ENV_VARS; NULL where neither
 * is there or it is a list or mapping. Of equal keys the last counts. Borrowed, as below. */
const char *rg_yaml_file_variable(const rg_yaml_file *file, const char *name);
/* The texts of a list at the top, in its order; *names is NULL where there is none, and RG_E_PARSE
 * comes back where the key is something else than a list of texts. */
RG_CHECKED rg_error *rg_yaml_file_list(rg_yaml_file *file, const char *name,
				       const char *const **names, size_t *count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_RENAME_H
#define REGILD_SOURCE_RENAME_H

#include "base/error.h"

#include <stddef.h>

/*
 * Names that a golden has where it is made, and those that it has in the repository:
 * "generations*.json -> golden_values*.json", several with commas or line ends between them. Each
 * side has one `*`, which stands for the same text.
 */
typedef struct {
	char *from, *to; /* as globs */
} rg_rename;

typedef struct {
	rg_rename *items;
	size_t count, capacity;
} rg_renames;

/* RG_E_USAGE for what does not read so. `text` NULL or blank: none. Released whatever comes back.
 */
RG_CHECKED rg_error *rg_renames_parse(rg_renames *out, const char *text);
void rg_renames_release(rg_renames *renames);

/* The name by the first of them that fits, NULL where none does; *out is the caller's to free. */
void rg_rename_apply(char **out, const rg_renames *renames, const char *name);

#endif

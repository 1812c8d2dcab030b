/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_COLUMN_LIST_H
#define REGILD_GOLDEN_COLUMN_LIST_H

#include "golden/golden.h"

/* Names of columns with commas between them, as [table "PATTERN"] has them; blanks around a name do
 * not count. */

/* The first name of a list, or what is left of it; *rest is NULL after the last. */
typedef struct {
	const char *name;
	size_t length;
} rg_column_name;
rg_column_name rg_column_list_next(const char **rest);
/* Is it one of them? */
bool rg_column_list_has(const char *list, const char *name, size_t length);

/* The rule for the file: of several patterns that match the most specific, of equally specific ones
 * the last. NULL: there is none. */
const rg_table_rule *rg_table_rule_of(const rg_golden_options *options, const char *name);

/* Cuts blanks off both ends. */
void rg_cell_trim(const char **cell, size_t *length);

#endif

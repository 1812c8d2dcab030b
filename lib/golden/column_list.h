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

/* A table has no more columns. */
#define RG_CSV_COLUMNS_MAX 1024

/* The place of a column, SIZE_MAX where it is not there. */
size_t rg_columns_find(const rg_column_name *columns, size_t count, const char *name,
		       size_t length);
/* Adds a column, whose name is copied, to a list that has room. RG_E_PARSE for a second one of that
 * name. */
RG_CHECKED rg_error *rg_columns_add(rg_column_name *columns, size_t *count, rg_arena *arena,
				    const char *name, size_t length);
/* Adds the columns of a file without a header: as the rule, which may be NULL, names them, or "c1",
 * "c2" … for so many cells. The list has room for RG_CSV_COLUMNS_MAX. */
RG_CHECKED rg_error *rg_columns_name(rg_column_name *columns, size_t *count, rg_arena *arena,
				     const rg_table_rule *rule, size_t cells);

/* The columns, in the key's order, of the first of the rule's keys whose columns are all there; the
 * first column without a rule. `key` has room for `count`. RG_E_PARSE where no key is there. */
RG_CHECKED rg_error *rg_columns_key(size_t *key, size_t *key_count, const rg_column_name *columns,
				    size_t count, const rg_table_rule *rule);

/* Cuts blanks off both ends. */
void rg_cell_trim(const char **cell, size_t *length);

#endif

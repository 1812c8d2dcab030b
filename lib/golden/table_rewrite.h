/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TABLE_REWRITE_H
#define REGILD_GOLDEN_TABLE_REWRITE_H

#include "base/buf.h"
#include "golden/golden.h"

/*
 * Writes a table in the manner of an old one: its line ends, quotes, blanks around cells, blank
 * lines, the order of its records and columns, and the text of each number that is still the same
 * are the old one's. A new record, or column, follows the one that it follows in the new table.
 */
typedef struct {
	const char *name;          /* of the old table */
	const rg_table_rule *rule; /* for both; NULL: there is none */
	unsigned digits;           /* numbers that are the same so far are the same; 0: exactly */
} rg_table_manner;

/* Is a file a table by its rule, its name or its first bytes? */
bool rg_table_is_named(const rg_table_manner *manner, rg_bytes bytes);

/* `out` (initialised, empty) gets the records of `fresh`. RG_E_PARSE where one of them is no table.
 */
RG_CHECKED rg_error *rg_table_rewrite(rg_buf *out, rg_bytes old, rg_bytes fresh,
				      const rg_table_manner *manner);
/* `out` gets the old table with one metric of the new one, in the records that both have. *found is
 * false, and nothing is in `out`, where one of them lacks it. */
RG_CHECKED rg_error *rg_table_splice(rg_buf *out, rg_bytes old, rg_bytes fresh,
				     const rg_table_manner *manner, const char *metric,
				     bool *found);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_STAGING_TABLES_H
#define REGILD_SOURCE_STAGING_TABLES_H

#include "golden/column_list.h"
#include "golden/table_rewrite.h"
#include "source/fetch_options.h"
#include "source/taken.h"

/* Goldens that are tables written anew (rg_rule_rewrites). */

/* A file that goes into one, and whose it is. */
typedef struct {
	const rg_taken_file *file;
	const rg_manifest_artifact *artifact;
	const char *shard; /* what {shard} stands for; NULL: nothing */
} rg_table_part;

/* Shards in the order of {shard}, else of their artifacts' names, numbers in these as numbers. */
int rg_table_parts_compare(const rg_table_part *a, const rg_table_part *b);

/*
 * Writes the table that the parts make into a file beside the first one's: *made, in `arena`. The
 * golden, which has its target, gets its size, hash and `rewrite`. *why (in `arena`) is NULL, or
 * says why there is none: then parts[*bad] is no such table, or, where *bad is SIZE_MAX, two of
 * them do not go together.
 */
RG_CHECKED rg_error *rg_table_parts_write(const rg_table_part *parts, size_t count,
					  const rg_fetch_options *options, rg_arena *arena,
					  rg_manifest_golden *golden, const char **made,
					  const char **why, size_t *bad);

/* How a golden's table is written; it borrows both. */
rg_table_manner rg_golden_manner(const rg_manifest_golden *golden,
				 const rg_golden_options *formats);
/* Makes `fresh` the whole table in the old one's manner, of `max` bytes at most. */
RG_CHECKED rg_error *rg_golden_rewrite(const rg_table_manner *manner, size_t max, const rg_buf *old,
				       rg_buf *fresh);

#endif

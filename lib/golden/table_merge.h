/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TABLE_MERGE_H
#define REGILD_GOLDEN_TABLE_MERGE_H

#include "base/buf.h"
#include "golden/golden.h"

/* One table out of shards. */

typedef struct {
	const char *name; /* the file's: what is between its cells */
	rg_bytes bytes;
} rg_table_shard;

typedef struct {
	const char *name;          /* of the table that is made */
	const rg_table_rule *rule; /* for it; NULL: there is none */
	const char *columns;       /* a list: what it keeps; NULL: all */
	unsigned digits;           /* significant ones of its numbers; 0: as they are */
} rg_table_shape;

/*
 * Writes the header once and then the records of all shards, one after the other, in the manner of
 * the first shard. A record that two shards have with the same cells is written once. RG_E_PARSE:
 * shard clash[0] is no such table. RG_E_CONFLICT: clash[0] and clash[1] do not go together, as the
 * message says: their columns differ, or the cells of a record.
 */
RG_CHECKED rg_error *rg_table_merge(rg_buf *out, const rg_table_shard *shards, size_t count,
				    const rg_table_shape *shape, size_t clash[static 2]);

#endif

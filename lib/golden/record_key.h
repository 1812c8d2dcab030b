/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_RECORD_KEY_H
#define REGILD_GOLDEN_RECORD_KEY_H

#include "golden/records.h"

/* Columns of a key that is found; more tell no record apart that these do not. */
enum { RG_RECORD_KEY_MAX = 16 };

typedef struct {
	const char *name;
	const rg_record_column *cells; /* of all records, by their places */
} rg_key_column;

/*
 * The columns that together tell `records` records apart, where no one has said which do: those of
 * texts, then, beside one of texts, those of whole numbers, in front of the first column of other
 * numbers, or called "Param…", as JMH calls them. Only those count that tell more records apart
 * than the ones before, and a column of numbers has to be left. They are in `key`, by their places
 * among the columns, and their names in the list that is returned, "" where there are none: as
 * rg_golden.record_key has them.
 */
const char *rg_record_key_find(size_t key[static RG_RECORD_KEY_MAX], size_t *key_count,
			       rg_arena *arena, const rg_key_column *columns, size_t count,
			       size_t records);

/* The rank of a key that was found (rg_golden.record_key): the longer of two keys tells more
 * records apart. A place has the highest rank, as no key tells the records apart. */
size_t rg_record_key_rank(const char *key);
/* The rule, which may be NULL, with that key instead of its own; the key is borrowed. */
rg_table_rule rg_record_key_rule(const rg_table_rule *rule, const char *const *key);

#endif

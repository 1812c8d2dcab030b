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
 * than the ones before, and a column of numbers has to be left. Returns how many are in `key`, by
 * their places among the columns; 0: there are none.
 */
size_t rg_record_key_find(size_t key[static RG_RECORD_KEY_MAX], const rg_key_column *columns,
			  size_t count, size_t records);

#endif

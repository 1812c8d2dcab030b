/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_UNREAD_JSON_H
#define REGILD_GOLDEN_UNREAD_JSON_H

#include "base/json.h"
#include "golden/unread.h"

/*
 * Readers of JSON take the numbers that metrics have, and at the end name what nobody has taken.
 */

/* A bit of cJSON's type that cJSON has no use for. */
#define RG_JSON_TAKEN (1 << 16)

/* A metric, or what names one, has the number. */
static inline void rg_json_take(const cJSON *item)
{
	((cJSON *)(uintptr_t)item)->type |= RG_JSON_TAKEN;
}

static inline bool rg_json_is_taken(const cJSON *item)
{
	return item->type & RG_JSON_TAKEN;
}

/* Adds the numbers of the item and below it that nobody has taken, and the words that were. `name`
 * is the item's, "" for a document. */
void rg_unread_json(rg_unread *unread, rg_arena *arena, const char *name, const cJSON *item);

#endif

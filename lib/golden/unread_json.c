/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/unread_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct {
	rg_unread *unread;
	rg_arena *arena;
	rg_buf *name;
} walk;

/* Names what is unread, and sums up what is a word. `hash` is the name's. Recursion is bounded by
 * the depth that rg_json_parse allowed. */
static void walk_item(walk *w, const cJSON *item, uint64_t hash)
{
	const bool is_nan = cJSON_IsString(item) && !strcmp(item->valuestring, RG_JSON_NAN);
	const double value = is_nan ? NAN : item->valuedouble;
	const size_t length = w->name->length;
	const cJSON *member;
	size_t index = 0;

	if ((is_nan || cJSON_IsNumber(item)) && !rg_json_is_taken(item))
		rg_unread_named(w->unread, w->arena, w->name->data,
				rg_hash_bytes(hash, &value, sizeof(value)));
	else if (rg_json_is_taken(item) &&
		 (cJSON_IsBool(item) ||
		  (cJSON_IsString(item) && !is_nan && strcasecmp(item->valuestring, "nan") != 0)))
		w->unread->words += rg_hash_bytes(hash, cJSON_IsBool(item) ? "b" : "t", 1);
	cJSON_ArrayForEach(member, item)
	{
		char place[24];
		const char *key = member->string;
		if (!key) {
			snprintf(place, sizeof(place), "%zu", index++);
			key = place;
		}
		rg_buf_printf(w->name, "%s%s", length ? "/" : "", key);
		walk_item(w, member, rg_hash_bytes(hash, key, strlen(key) + 1));
		rg_buf_truncate(w->name, length);
	}
}

void rg_unread_json(rg_unread *unread, rg_arena *arena, const char *name, const cJSON *item)
{
	RG_AUTO(rg_buf) path = rg_buf_of(RG_BUF_ANY);
	walk w = {.unread = unread, .arena = arena, .name = &path};
	rg_buf_str(&path, name);
	walk_item(&w, item, rg_hash_bytes(RG_HASH_NONE, name, strlen(name)));
}

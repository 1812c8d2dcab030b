/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/cache_list.h"

typedef struct {
	rg_cache_facts *facts;
	size_t capacity;
	rg_arena *arena;
} list_state;

static void append_item(void *context, const rg_cache_item *item)
{
	list_state *list = context;
	rg_cache_facts *facts = list->facts;

	*RG_ARENA_PUSH(list->arena, facts->items, facts->count, list->capacity) =
		(rg_cache_fact){rg_arena_text(list->arena, item->name), item->artifact_id,
				item->files, item->bytes, item->last_used};
	facts->bytes += item->bytes;
}

static rg_error *open_cache(rg_cache **cache, rg_cache_facts *out, const rg_flow *flow)
{
	uint64_t bytes;

	*out = (rg_cache_facts){0};
	RG_TRY(rg_config_size(flow->config, "regild.maxCache", 0, &bytes));
	RG_TRY(rg_cache_open(cache, NULL, bytes, &flow->log));
	out->folder = rg_arena_text(flow->arena, rg_cache_folder(*cache));
	return NULL;
}

rg_error *rg_flow_list_cache(rg_cache_facts *out, const rg_flow *flow)
{
	RG_AUTO_PTR(rg_cache) cache = NULL;
	list_state list = {.facts = out, .arena = flow->arena};

	RG_TRY(open_cache(&cache, out, flow));
	return rg_cache_list(cache, append_item, &list);
}

rg_error *rg_flow_clear_cache(rg_cache_facts *out, size_t *entries, const rg_flow *flow)
{
	RG_AUTO_PTR(rg_cache) cache = NULL;

	RG_TRY(open_cache(&cache, out, flow));
	out->cleared = true;
	return rg_cache_clear(cache, entries, &out->bytes);
}

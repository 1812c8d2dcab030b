/* SPDX-License-Identifier: Apache-2.0 */
#include "source/take_cache.h"

#include "base/memory.h"
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

static rg_error *make_key(rg_cache_key *out, const rg_fetch_options *options, const rg_run *run,
			  const rg_artifact *artifact, uint64_t rules, rg_arena *arena)
{
	*out = (rg_cache_key){.api = options->source->address,
			      .host = run->host,
			      .repository = run->repository,
			      .artifact_id = artifact->id,
			      .digest = artifact->digest};
	if (!artifact->log)
		return rg_rules_text(&out->patterns, options->rules, rules, arena);
	out->patterns = options->logs->items[artifact->log - 1].text;
	return NULL;
}

/* The cache knows no limits: what is over today's is fetched again, and refused there. */
static bool is_within(const rg_cache_entry *entry, const rg_zip_limits *limits)
{
	uint64_t total = 0;
	for (size_t i = 0; i < entry->count; i++) {
		if (entry->files[i].size > limits->member_size)
			return false;
		total += entry->files[i].size;
	}
	return total <= limits->total_size;
}

rg_error *rg_take_from_cache(rg_cache_entry *out, const rg_fetch_options *options,
			     const rg_run *run, const rg_artifact *artifact, uint64_t rules,
			     bool *found)
{
	rg_cache_key key;
	rg_arena arena;

	*found = false;
	if (!options->cache || !options->source->address)
		return NULL;
	rg_arena_init(&arena);
	rg_error *err = make_key(&key, options, run, artifact, rules, &arena);
	if (!err)
		err = rg_cache_get(options->cache, &key, out, found);
	rg_arena_release(&arena);
	RG_TRY(err);
	if (*found && !is_within(out, &options->limits)) {
		rg_cache_entry_release(out);
		*found = false;
	}
	return NULL;
}

static rg_error *put(const rg_taken *taken, const rg_fetch_options *options,
		     const rg_cache_key *key)
{
	rg_cache_entry entry = {.files = rg_calloc(taken->count + 1, sizeof(*entry.files))};
	rg_map *maps = rg_calloc(taken->count + 1, sizeof(*maps));
	rg_error *err = NULL;

	for (; !err && entry.count < taken->count; entry.count++) {
		const rg_taken_file *from = &taken->files[entry.count];
		rg_cache_file *file = &entry.files[entry.count];

		err = rg_map_open(&maps[entry.count], from->part);
		*file = (rg_cache_file){from->path, maps[entry.count].data, (size_t)from->size, ""};
		memcpy(file->sha256, from->sha256, sizeof(file->sha256));
	}
	if (!err)
		err = rg_cache_put(options->cache, key, &entry);
	while (entry.count)
		rg_map_release(&maps[--entry.count]);
	free(maps);
	free(entry.files);
	return err;
}

rg_error *rg_take_into_cache(const rg_taken *taken, const rg_fetch_options *options,
			     const rg_run *run, const rg_artifact *artifact, uint64_t rules)
{
	rg_cache_key key;
	rg_arena arena;

	if (!options->cache || !options->source->address)
		return NULL;
	rg_arena_init(&arena);
	rg_error *err = make_key(&key, options, run, artifact, rules, &arena);
	if (!err)
		err = put(taken, options, &key);
	rg_arena_release(&arena);

	if (err && rg_error_get_code(err) == RG_E_CANCELLED)
		return err;
	if (err)
		rg_log_say(options->log, RG_LOG_DETAIL, "the cache is not written: %s",
			   rg_error_message(err));
	rg_error_free(err);
	return NULL;
}

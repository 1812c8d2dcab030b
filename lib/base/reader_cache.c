/* SPDX-License-Identifier: Apache-2.0 */
#include "base/reader.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64 << 10, STRETCH_MAX = 4 << 20, MEMORY_MAX = 8 << 20 };
/* If more ranges than REQUESTS are planned, a request costs more than to move WASTE_MAX bytes. */
enum { JOIN_GAP = 16 << 10, WASTE_MAX = 1 << 20, REQUESTS = 2 };

typedef struct {
	uint64_t offset;
	size_t length;
	char *bytes;
	uint64_t used; /* the clock's value at the last read */
} stretch;

struct rg_reader_cache {
	rg_reader reader;
	const rg_reader *below;
	rg_reader_cache_options options;
	stretch *held; /* ascending, without overlap */
	size_t count, capacity, bytes;
	rg_range *plan; /* ascending, without overlap */
	size_t planned;
	uint64_t clock;
};

/* How many stretches begin at or before `offset`: the one that may hold it is the last of them. */
static size_t held_up_to(const rg_reader_cache *cache, uint64_t offset)
{
	size_t i = 0;
	while (i < cache->count && cache->held[i].offset <= offset)
		i++;
	return i;
}

/* The last stretch that begins at or before `offset`, and the first after it; NULL for none. */
static stretch *held_before(const rg_reader_cache *cache, uint64_t offset)
{
	size_t up_to = held_up_to(cache, offset);
	return cache->held && up_to ? &cache->held[up_to - 1] : NULL;
}

static stretch *held_after(const rg_reader_cache *cache, uint64_t offset)
{
	size_t up_to = held_up_to(cache, offset);
	return cache->held && up_to < cache->count ? &cache->held[up_to] : NULL;
}

static const rg_range *planned_at(const rg_reader_cache *cache, uint64_t offset)
{
	size_t low = 0, high = cache->planned;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (cache->plan[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || offset - cache->plan[low - 1].offset >= cache->plan[low - 1].length)
		return NULL;
	return &cache->plan[low - 1];
}

static void make_room(rg_reader_cache *cache, size_t length)
{
	while (cache->count && cache->bytes + length > cache->options.memory_max) {
		size_t oldest = 0;
		for (size_t i = 1; i < cache->count; i++)
			if (cache->held[i].used < cache->held[oldest].used)
				oldest = i;
		cache->bytes -= cache->held[oldest].length;
		free(cache->held[oldest].bytes);
		cache->count--;
		memmove(&cache->held[oldest], &cache->held[oldest + 1],
			(cache->count - oldest) * sizeof(*cache->held));
	}
}

/* Puts a stretch in its place; takes `bytes` over. */
static void hold(rg_reader_cache *cache, uint64_t offset, char *bytes, size_t length)
{
	rg_grow(&cache->held, &cache->capacity, cache->count + 1, sizeof(*cache->held));
	size_t at = held_up_to(cache, offset);
	memmove(&cache->held[at + 1], &cache->held[at], (cache->count - at) * sizeof(*cache->held));
	cache->held[at] = (stretch){offset, length, bytes, ++cache->clock};
	cache->count++;
	cache->bytes += length;
}

/*
 * The range to ask for if `offset` is missing: the planned range around it, else whole blocks
 * around `length` bytes; between the stretches that are held, and no more than stretch_max.
 */
static rg_range request_for(const rg_reader_cache *cache, uint64_t offset, size_t length)
{
	const rg_range *planned = planned_at(cache, offset);
	uint64_t block = cache->options.block, stretch_max = cache->options.stretch_max;
	uint64_t start = offset - offset % block, end = cache->reader.size;
	const stretch *before = held_before(cache, offset), *after = held_after(cache, offset);

	if (planned) {
		start = planned->offset;
		end = planned->offset + planned->length;
	} else if (length < end - offset) {
		uint64_t past = (offset + length) % block;
		if (past && block - past < end - offset - length)
			end = offset + length + block - past;
		else if (!past)
			end = offset + length;
	}
	if (before && before->offset + before->length > start)
		start = before->offset + before->length;
	if (after && after->offset < end)
		end = after->offset;
	if (offset - start >= stretch_max)
		start = offset;
	if (end - start > stretch_max)
		end = start + stretch_max;
	return (rg_range){start, end - start};
}

static rg_error *fetch(rg_reader_cache *cache, uint64_t offset, size_t length)
{
	rg_range request = request_for(cache, offset, length);
	size_t size = (size_t)request.length;

	make_room(cache, size);
	RG_AUTO_FREE char *bytes = rg_malloc(size);
	RG_TRY(rg_reader_read(cache->below, request.offset, bytes, size));
	hold(cache, request.offset, RG_TAKE(bytes), size);
	return NULL;
}

static rg_error *cache_read_at(void *context, uint64_t offset, void *buffer, size_t length)
{
	rg_reader_cache *cache = context;
	char *into = buffer;

	while (length) {
		stretch *found = held_before(cache, offset);
		size_t take;

		if (!found || offset - found->offset >= found->length) {
			const stretch *after = held_after(cache, offset);
			take = after && after->offset - offset < length
				       ? (size_t)(after->offset - offset)
				       : length;
			if (take <= cache->options.stretch_max) {
				RG_TRY(fetch(cache, offset, length));
				continue;
			}
			/* The caller has the room: one request, and nothing is kept. */
			RG_TRY(rg_reader_read(cache->below, offset, into, take));
		} else {
			take = found->length - (size_t)(offset - found->offset);
			if (take > length)
				take = length;
			memcpy(into, found->bytes + (offset - found->offset), take);
			found->used = ++cache->clock;
		}
		into += take;
		offset += take;
		length -= take;
	}
	return NULL;
}

/* Only remembers the plan: each of its ranges is fetched whole at its first read, so that memory
 * stays bounded however much is planned. */
static rg_error *cache_prefetch(void *context, const rg_range *ranges, size_t count)
{
	rg_reader_cache *cache = context;
	rg_range *plan = rg_calloc(count ? count : 1, sizeof(*plan));
	if (count)
		memcpy(plan, ranges, count * sizeof(*plan));
	free(cache->plan);
	cache->plan = plan;
	cache->planned = rg_ranges_join(plan, count, cache->options.join_gap);
	if (cache->planned > REQUESTS)
		cache->planned = rg_ranges_join(plan, cache->planned, WASTE_MAX);
	return NULL;
}

rg_reader_cache *rg_reader_cache_new(const rg_reader *below, const rg_reader_cache_options *options)
{
	rg_reader_cache *cache = rg_calloc(1, sizeof(*cache));
	rg_reader_cache_options *own = &cache->options;
	if (options)
		*own = *options;
	own->block = own->block ? own->block : BLOCK;
	own->stretch_max = own->stretch_max ? own->stretch_max : STRETCH_MAX;
	own->memory_max = own->memory_max ? own->memory_max : MEMORY_MAX;
	own->join_gap = own->join_gap ? own->join_gap : JOIN_GAP;
	if (own->stretch_max < own->block)
		own->stretch_max = own->block;
	if (own->memory_max < 2 * own->stretch_max)
		own->memory_max = 2 * own->stretch_max;
	cache->below = below;
	cache->reader = (rg_reader){.name = below->name,
				    .size = below->size,
				    .read_at = cache_read_at,
				    .prefetch = cache_prefetch,
				    .context = cache};
	return cache;
}

void rg_reader_cache_free(rg_reader_cache *cache)
{
	if (!cache)
		return;
	for (size_t i = 0; i < cache->count; i++)
		free(cache->held[i].bytes);
	free(cache->held);
	free(cache->plan);
	free(cache);
}

const rg_reader *rg_reader_cache_reader(const rg_reader_cache *cache)
{
	return &cache->reader;
}

void rg_reader_cache_put(rg_reader_cache *cache, uint64_t offset, const void *bytes, size_t length)
{
	const stretch *before = held_before(cache, offset), *after = held_after(cache, offset);
	if (!length || length > cache->options.memory_max ||
	    (before && before->offset + before->length > offset) ||
	    (after && after->offset - offset < length))
		return;
	make_room(cache, length);
	char *copy = rg_malloc(length);
	memcpy(copy, bytes, length);
	hold(cache, offset, copy, length);
}

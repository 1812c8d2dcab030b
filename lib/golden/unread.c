/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/unread.h"

#include "golden/text_token.h"

#include <stdbool.h>
#include <string.h>

/* Names that are kept of a file's numbers. */
enum { LIST_MAX = 4096 };

uint64_t rg_hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	/* FNV-1a */
	while (length--)
		hash = (hash ^ *p++) * 1099511628211u;
	return hash;
}

static void count_hash(rg_unread *unread, uint64_t hash)
{
	unread->sum += hash;
	unread->count++;
}

static void list_one(rg_unread *unread, rg_arena *arena, const char *name, uint64_t hash)
{
	if (unread->listed < LIST_MAX)
		*RG_ARENA_PUSH(arena, unread->list, unread->listed, unread->room) =
			(rg_unread_one){rg_arena_text(arena, name), hash};
}

void rg_unread_named(rg_unread *unread, rg_arena *arena, const char *name, uint64_t hash)
{
	list_one(unread, arena, name, hash);
	if (!unread->first)
		unread->first = unread->list[0].name;
	count_hash(unread, hash);
}

void rg_unread_number(rg_unread *unread, rg_arena *arena, const char *name, double value)
{
	const uint64_t hash = rg_hash_bytes(RG_HASH_NONE, name, strlen(name));
	rg_unread_named(unread, arena, name, rg_hash_bytes(hash, &value, sizeof(value)));
}

void rg_unread_line(rg_unread *unread, const char *line, size_t length)
{
	uint64_t hash = RG_HASH_NONE;
	size_t count = 0;

	length -= length && line[length - 1] == '\n';
	for (size_t at = 0, end; at < length; at = end) {
		rg_text_number number;
		end = at + 1;
		if (rg_text_is_blank(line[at]) || rg_text_separates(line, length, at))
			continue;
		end = rg_text_date_end(line, length, at);
		if (end > at)
			continue;
		end = rg_text_token_end(line, length, at);
		if ((line[at] < '0' || line[at] > '9') &&
		    !rg_text_number_parse(&number, line + at, end - at))
			continue;
		hash = rg_hash_bytes(rg_hash_bytes(hash, " ", 1), line + at, end - at);
		count++;
	}
	if (!count)
		return;
	if (!unread->first)
		unread->first = "in a remark";
	count_hash(unread, hash);
	unread->count += count - 1;
}

void rg_unread_join(rg_unread *unread, const rg_unread *other, rg_arena *arena)
{
	if (!unread->first && other->first)
		unread->first = rg_arena_text(arena, other->first);
	for (size_t i = 0; i < other->listed; i++)
		list_one(unread, arena, other->list[i].name, other->list[i].hash);
	unread->count += other->count;
	unread->sum += other->sum;
	unread->words += other->words;
}

static bool has_one(const rg_unread *unread, size_t at, uint64_t hash)
{
	if (at < unread->listed && unread->list[at].hash == hash)
		return true;
	for (size_t i = 0; i < unread->listed; i++)
		if (unread->list[i].hash == hash)
			return true;
	return false;
}

const char *rg_unread_difference(const rg_unread *old, const rg_unread *fresh)
{
	if (old->count == fresh->count && old->sum == fresh->sum)
		return NULL;
	for (size_t i = 0; i < fresh->listed; i++)
		if (!has_one(old, i, fresh->list[i].hash))
			return fresh->list[i].name;
	for (size_t i = 0; i < old->listed; i++)
		if (!has_one(fresh, i, old->list[i].hash))
			return old->list[i].name;
	return fresh->count >= old->count ? fresh->first : old->first;
}

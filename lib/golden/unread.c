/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/unread.h"

#include <string.h>

uint64_t rg_hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	/* FNV-1a */
	while (length--)
		hash = (hash ^ *p++) * 1099511628211u;
	return hash;
}

void rg_unread_hash(rg_unread *unread, uint64_t hash)
{
	unread->sum += hash;
	unread->count++;
}

void rg_unread_number(rg_unread *unread, rg_arena *arena, const char *name, double value)
{
	const uint64_t hash = rg_hash_bytes(RG_HASH_NONE, name, strlen(name));
	if (!unread->first)
		unread->first = rg_arena_text(arena, name);
	rg_unread_hash(unread, rg_hash_bytes(hash, &value, sizeof(value)));
}

void rg_unread_line(rg_unread *unread, const char *line, size_t length)
{
	size_t i = 0;
	while (i < length && (line[i] < '0' || line[i] > '9'))
		i++;
	if (i == length)
		return;
	if (!unread->first)
		unread->first = "in a remark";
	rg_unread_hash(unread, rg_hash_bytes(RG_HASH_NONE, line, length));
}

void rg_unread_join(rg_unread *unread, const rg_unread *other, rg_arena *arena)
{
	if (!unread->first && other->first)
		unread->first = rg_arena_text(arena, other->first);
	unread->count += other->count;
	unread->sum += other->sum;
}

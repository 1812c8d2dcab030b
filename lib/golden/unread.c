/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/unread.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

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

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A digit, or a word for what is not finite. */
static bool has_number(const char *line, size_t length)
{
	for (size_t i = 0, word; i < length; i += word + 1) {
		for (word = 0; i + word < length && is_letter(line[i + word]); word++)
			;
		if (i + word < length && line[i + word] >= '0' && line[i + word] <= '9')
			return true;
		if (word == 3 &&
		    (!strncasecmp(line + i, "nan", 3) || !strncasecmp(line + i, "inf", 3)))
			return true;
	}
	return false;
}

void rg_unread_line(rg_unread *unread, const char *line, size_t length)
{
	if (!has_number(line, length))
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

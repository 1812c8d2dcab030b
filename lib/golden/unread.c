/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/unread.h"

#include "golden/text_token.h"

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

/* "Nov", "November", "Nov." */
static bool is_month(const char *word, size_t length)
{
	static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";
	for (size_t i = 0; length >= 3 && months[i]; i += 3)
		if (!strncasecmp(word, months + i, 3))
			return true;
	return false;
}

/* A day or a year: one or two digits, or four. */
static bool is_part_of_date(const rg_text_number *number, size_t length)
{
	return number->whole && (length <= 2 || length == 4);
}

/* Is the next word a month? */
static bool month_follows(const char *line, size_t length, size_t at)
{
	while (at < length && rg_text_is_blank(line[at]))
		at++;
	return is_month(line + at, length - at);
}

void rg_unread_line(rg_unread *unread, const char *line, size_t length)
{
	uint64_t hash = RG_HASH_NONE;
	size_t count = 0;
	bool dated = false; /* is the word before of a date? */

	for (size_t at = 0, end; at < length; at = end) {
		rg_text_number number;
		end = at + 1;
		if (rg_text_is_blank(line[at]) || rg_text_separates(line, length, at))
			continue;
		end = rg_text_moment_end(line, length, at);
		if (end > at) {
			dated = true;
			continue;
		}
		end = rg_text_token_end(line, length, at);
		if (!rg_text_number_parse(&number, line + at, end - at)) {
			/* "12:30:45 UTC 2026" */
			dated = is_month(line + at, end - at) || (dated && end - at <= 4);
			continue;
		}
		dated = (dated || month_follows(line, length, end)) &&
			is_part_of_date(&number, end - at);
		if (dated)
			continue;
		hash = rg_hash_bytes(rg_hash_bytes(hash, " ", 1), line + at, end - at);
		count++;
	}
	if (!count)
		return;
	if (!unread->first)
		unread->first = "in a remark";
	rg_unread_hash(unread, hash);
	unread->count += count - 1;
}

void rg_unread_join(rg_unread *unread, const rg_unread *other, rg_arena *arena)
{
	if (!unread->first && other->first)
		unread->first = rg_arena_text(arena, other->first);
	unread->count += other->count;
	unread->sum += other->sum;
}

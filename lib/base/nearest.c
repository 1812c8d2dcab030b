/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* One wrong letter in so many is a slip; more is another word. An abbreviation has at least so many
 * letters, and one in so many of the name's. */
enum { LETTERS_PER_SLIP = 3, ABBREVIATION_MIN = 3, LETTERS_PER_KEPT = 3 };

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* How many letters to put in, take out, change or swap with their neighbour make `a` into `b`
 * (optimal string alignment). */
static size_t spelling_distance(const char *a, const char *b)
{
	size_t rows[3][RG_NEAREST_MAX + 1];
	size_t *before = rows[0], *last = rows[1], *now = rows[2];
	size_t length = strlen(b);

	for (size_t j = 0; j <= length; j++)
		last[j] = j;
	for (size_t i = 1; a[i - 1]; i++) {
		size_t *spare = before;
		now[0] = i;
		for (size_t j = 1; j <= length; j++) {
			now[j] = least(last[j - 1] + (a[i - 1] != b[j - 1]),
				       least(last[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], before[j - 2] + 1);
		}
		before = last;
		last = now;
		now = spare;
	}
	return last[length];
}

/* "cmp" for "compare": it begins like the name and has some of its letters in their order. */
static bool abbreviates(const char *text, const char *name)
{
	if (*text != *name)
		return false;
	for (; *text; name++) {
		if (!*name)
			return false;
		text += *text == *name;
	}
	return true;
}

/* "level" in "noise-level": words with dashes between them. */
static bool has_words(const char *name, const char *words)
{
	size_t length = strlen(words);
	for (const char *at = name; (at = strstr(at, words)) != NULL; at++)
		if ((at == name || at[-1] == '-') && (!at[length] || at[length] == '-'))
			return true;
	return false;
}

void rg_nearest_init(rg_nearest *n, const char *text)
{
	*n = (rg_nearest){text, NULL, SIZE_MAX};
}

void rg_nearest_offer(rg_nearest *n, const char *name)
{
	size_t written = strlen(n->text), length = strlen(name);
	if (written > RG_NEAREST_MAX || length > RG_NEAREST_MAX)
		return;
	size_t longer = written > length ? written : length;
	size_t distance = spelling_distance(n->text, name);
	bool slipped = distance * LETTERS_PER_SLIP <= longer;
	bool long_enough = written >= ABBREVIATION_MIN && length >= ABBREVIATION_MIN;

	if (long_enough && !strncmp(name, n->text, written))
		distance = least(distance, 1);
	else if (!slipped && long_enough && (has_words(name, n->text) || has_words(n->text, name)))
		distance += longer;
	else if (!slipped && long_enough && written * LETTERS_PER_KEPT >= length &&
		 abbreviates(n->text, name))
		distance += 2 * longer;
	else if (!slipped)
		return;
	if (distance < n->distance) {
		n->distance = distance;
		n->name = name;
	}
}

const char *rg_nearest_name(const rg_nearest *n)
{
	return n->name;
}

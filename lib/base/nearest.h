/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_NEAREST_H
#define REGILD_BASE_NEAREST_H

#include <stddef.h>

/*
 * Which of some names was meant by a misspelled one: offer them all, then ask. Names of up to
 * RG_NEAREST_MAX bytes are looked at, longer ones are never near.
 */
enum { RG_NEAREST_MAX = 32 };

typedef struct {
	const char *text, *name; /* borrowed; what was written, and the nearest until now or NULL */
	size_t distance;
} rg_nearest;

void rg_nearest_init(rg_nearest *n, const char *text);
void rg_nearest_offer(rg_nearest *n, const char *name);

/* The first of the nearest, NULL if none is near enough to be meant. Nearest are names that the
 * text begins or that differ from it in few letters, then those that share whole words with it
 * ("noise-level" for "level"), then those that it abbreviates ("compare" for "cmp"). */
const char *rg_nearest_name(const rg_nearest *n);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_UNREAD_H
#define REGILD_GOLDEN_UNREAD_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Numbers of a file that no metric has, such as those that describe a run. If the sums of a
 * golden's two sides are not the same, the sides differ in something that no row shows.
 */
typedef struct {
	const char *name; /* "context/num_cpus" */
	uint64_t hash;    /* of the name and the value */
} rg_unread_one;

typedef struct {
	size_t count;
	uint64_t sum;      /* of their names and values, the same in any order */
	const char *first; /* the name of one of them */
	/* Those that have a name of their own; no more than some thousand. */
	rg_unread_one *list;
	size_t listed, room;
	/* A sum over the values that metrics have, but that the file has as a text or a boolean. */
	uint64_t words;
} rg_unread;

/* The hash of these bytes and of those before them, which had `hash`; RG_HASH_NONE: none. */
#define RG_HASH_NONE 14695981039346656037u
uint64_t rg_hash_bytes(uint64_t hash, const void *bytes, size_t length);

/* Names are copied. */
void rg_unread_number(rg_unread *unread, rg_arena *arena, const char *name, double value);
void rg_unread_named(rg_unread *unread, rg_arena *arena, const char *name, uint64_t hash);
/* The numbers of a line that says nothing to a reader, such as a remark; dates and times are none.
 */
void rg_unread_line(rg_unread *unread, const char *line, size_t length);
void rg_unread_join(rg_unread *unread, const rg_unread *other, rg_arena *arena);
/* The name of one in which two sides differ, the new side's if it has one; NULL: they do not. */
const char *rg_unread_difference(const rg_unread *old, const rg_unread *fresh);

#endif

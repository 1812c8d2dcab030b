/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TEXT_NAMES_H
#define REGILD_GOLDEN_TEXT_NAMES_H

#include "base/buf.h"
#include "golden/text.h"

/*
 * What numbers in text are called: lines come one by one, and each number of a line gets its
 * metric. Names and skeletons are kept once.
 */
typedef struct {
	void *entries; /* a hash table: places, 0 is none */
	size_t room;
} rg_text_index;

typedef struct {
	rg_text_skeleton *items;
	/* Of each, the metrics that its numbers have under the heading that was there last. */
	struct rg_text_named *named;
	size_t count, capacity, named_capacity;
} rg_text_skeletons;

typedef struct {
	rg_arena *arena;
	const char **names;
	size_t count, capacity;
	rg_text_skeletons skeletons;
	rg_text_index by_name, by_skeleton;
	size_t heading; /* the skeleton of the last line with a letter and no number; SIZE_MAX */
	rg_buf base, name;
} rg_text_names;

void rg_text_names_init(rg_text_names *names, rg_arena *arena);
void rg_text_names_release(rg_text_names *names);

/* The next line by its skeleton, which is not empty: fills in the metrics of its numbers, and
 * returns which skeleton it is. */
uint32_t rg_text_names_find(rg_text_names *names, const char *skeleton, size_t length,
			    size_t numbers, uint32_t *metrics);

/* The metric of that name. */
uint32_t rg_text_names_keep(rg_text_names *names, const char *name);

/* The name that the pattern's text is, in the manner of other names: without {value}, `*` and what
 * is trimmed. RG_E_USAGE where nothing is left. */
RG_CHECKED rg_error *rg_text_pattern_name(rg_buf *out, const char *pattern);

/* Gives the arena names and skeletons. */
void rg_text_names_hand_over(rg_text_names *names, rg_text_lines *out, rg_arena *arena);

#endif

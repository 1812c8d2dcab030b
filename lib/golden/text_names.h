/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TEXT_NAMES_H
#define REGILD_GOLDEN_TEXT_NAMES_H

#include "base/buf.h"
#include "golden/text.h"

/*
 * Names the numbers in text. Lines come one by one, and each number of a line gets its metric: by
 * the words between it and the number before, else by that number's words, else by what is above
 * the line: a list of columns, a header of columns, a heading. Names and skeletons are kept once.
 */
typedef struct {
	void *entries; /* a hash table: places, 0 is none */
	size_t room;
} rg_text_index;

typedef struct {
	rg_text_skeleton *items;
	/* For each, the metrics that its numbers had in the context that was there last. */
	struct rg_text_named *named;
	size_t count, capacity, named_capacity;
} rg_text_skeletons;

/* Everything above a line that names its numbers. */
typedef struct {
	size_t heading; /* the skeleton of the last line with a letter and no number; SIZE_MAX */
	bool is_header; /* nothing with a letter came after it, but rows of its columns */
	uint32_t list;  /* which list of columns holds, from 1; 0: none */
	uint32_t block; /* of lines without a word, from 0 */
} rg_text_context;

/* How often a line has had a name. */
typedef struct {
	uint32_t line, times;
} rg_text_seen;

typedef struct {
	rg_arena *arena;
	const char **names;
	size_t count, capacity;
	rg_text_skeletons skeletons;
	rg_text_index by_name, by_skeleton;
	rg_text_context context;
	size_t block_lines;   /* lines without a word since the last blank line */
	uint32_t lists;       /* how many lists there were */
	const char **columns; /* of the list; NULL: it has no such column */
	size_t column_count, column_capacity;
	rg_text_seen *seen; /* for each name */
	size_t seen_capacity;
	uint32_t line; /* the one under way */
	rg_buf base, name, element;
} rg_text_names;

void rg_text_names_init(rg_text_names *names, rg_arena *arena);
void rg_text_names_release(rg_text_names *names);

/* The next line by its skeleton, which is not empty: fills in the metrics of its numbers, and
 * returns which skeleton it is. */
uint32_t rg_text_names_find(rg_text_names *names, const char *skeleton, size_t length,
			    size_t numbers, uint32_t *metrics);

/* The place of a line that has a skeleton and is none of the lines that names come from. */
uint32_t rg_text_names_skeleton(rg_text_names *names, const char *text, size_t length);

/* The next line is blank: what follows a table of numbers alone is another one. */
void rg_text_names_blank(rg_text_names *names);

/* Is the next line a command of Grace's, or one of a list of columns, "# 14: NAME" or
 * "@ s0 legend "NAME""? Such a list names the columns of the lines below. No number of these lines
 * is a value. */
bool rg_text_names_column(rg_text_names *names, const char *line, size_t length);

/* The metric of that name, which is copied. */
uint32_t rg_text_names_keep(rg_text_names *names, const char *name, size_t length);

/* The name that the pattern's text is, in the manner of other names: without {value}, `*` and what
 * is trimmed. RG_E_USAGE where nothing is left. */
RG_CHECKED rg_error *rg_text_pattern_name(rg_buf *out, const char *pattern);

/* Gives the arena names and skeletons. */
void rg_text_names_hand_over(rg_text_names *names, rg_text_lines *out, rg_arena *arena);

#endif

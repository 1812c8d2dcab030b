/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_CHECK_LINES_H
#define REGILD_FLOW_CHECK_LINES_H

#include "base/memory.h"

/* What is said of goldens, a line for all of which the same is said. */
typedef struct {
	const char *path;       /* of the first, as it was named or from the repository's root */
	const char *inner_path; /* from the repository's root where it is in there, else `path` */
	const char *text;
	size_t goldens; /* how many it is said of */
	unsigned rank;
	size_t place; /* among all that was added */
} rg_check_line;

/* Starts all zero. */
typedef struct {
	rg_check_line *items;
	size_t count, capacity;
	rg_arena arena;
} rg_check_lines;

void rg_check_lines_release(rg_check_lines *lines);
/* Texts are copied. A golden says the same only once. */
void rg_check_lines_add(rg_check_lines *lines, unsigned rank, const char *path,
			const char *inner_path, const char *text);
/* Makes one line of those with the same rank and text; by rank, and then as they were added. */
void rg_check_lines_group(rg_check_lines *lines);

#endif

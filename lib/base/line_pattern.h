/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_LINE_PATTERN_H
#define REGILD_BASE_LINE_PATTERN_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A line that prints a value, in a log or in a text: "step: *{step} *loss: *{value}". `*` is any
 * text, {step} an integer, {value} a number, "nan" or "inf"; all else is itself, case included. A
 * line fits if the pattern is somewhere in it. Each part is found at the first place after the part
 * before it, and a number is always taken whole: if `*` or the pattern's end is beside it, it must
 * not be a part of a word or of a longer number.
 */
typedef struct rg_line_pattern rg_line_pattern;

typedef struct {
	int64_t step;
	const char *value; /* as it is printed, in the line */
	size_t value_length;
	double number; /* that it stands for */
	bool masked;   /* a server has put "***" or "[MASKED]" in place of a part of it */
	bool at_end;   /* the line ends with it */
} rg_line_match;

/* RG_E_USAGE for an unknown or unclosed field, one that is missing or appears twice, or two with
 * nothing between them. The pattern is in the arena. */
RG_CHECKED rg_error *rg_line_pattern_new(rg_line_pattern **out, rg_arena *arena, const char *text);
/* The same without {step}, which is not one of its fields then. */
RG_CHECKED rg_error *rg_line_pattern_new_of_value(rg_line_pattern **out, rg_arena *arena,
						  const char *text);

/* Takes steps in proportion to pattern × line. */
bool rg_line_pattern_match(const rg_line_pattern *pattern, const char *line, size_t length,
			   rg_line_match *out);

/* Does the text hold what a server puts in place of a secret? */
bool rg_log_is_masked(const char *text, size_t length);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TEXT_H
#define REGILD_GOLDEN_TEXT_H

#include "base/line_pattern.h"
#include "golden/golden.h"

/*
 * Numbers in text, for files that no other reader takes and that have a number. A metric is named
 * by the words before a number; its step says which occurrence of the metric the number is.
 */

/* A line that is not blank. Its skeleton is the line with a NUL for each number, white space
 * squeezed to one blank, without any at its ends. */
typedef struct {
	const char *text;  /* in the input, without its end */
	size_t first;      /* its first number, of all */
	uint32_t place;    /* in the file, from 1 */
	uint32_t length;   /* bytes */
	uint32_t numbers;  /* how many it has */
	uint32_t skeleton; /* into rg_text_lines.skeletons */
} rg_text_line;

typedef struct {
	const char *text; /* with NULs */
	size_t length;
} rg_text_skeleton;

/* An alignment needs these beside the metrics. */
typedef struct rg_text_lines {
	const rg_text_line *lines;
	size_t count;
	const rg_text_skeleton *skeletons; /* no two are the same */
	size_t skeleton_count;
	const uint32_t *metrics;  /* of each number: which of `names` */
	const char *const *names; /* of metrics, but for some that have no number */
	size_t name_count;
} rg_text_lines;

typedef struct {
	rg_line_pattern *pattern;
	const char *metric;
} rg_text_named_value;

/* How texts are to be read ([text "PATTERN"] in .regild). */
typedef struct rg_text_rule {
	const char *pattern;       /* as a table's */
	const char *const *ignore; /* globs on a whole line, that is left out */
	size_t ignore_count;
	/* Patterns of lines whose value has a name of its own; if several take the same value, the
	 * first counts. */
	const rg_text_named_value *named;
	size_t named_count;
} rg_text_rule;

/* The metric of lines that one side alone has. Its name begins with a bracket, as no name
 * out of a text does. */
#define RG_TEXT_METRIC "(text)"
#define RG_TEXT_FORMAT "text"

#endif

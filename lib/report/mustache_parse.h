/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_MUSTACHE_PARSE_H
#define REGILD_REPORT_MUSTACHE_PARSE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* A template (report/mustache.h) as tokens, which borrow its text. */

#define RG_TEMPLATE_DEPTH 32
/* Partials in partials. */
#define RG_TEMPLATE_PARTIALS 4

typedef enum {
	RG_TOKEN_TEXT,
	RG_TOKEN_VALUE,
	RG_TOKEN_RAW,
	RG_TOKEN_SECTION,
	RG_TOKEN_INVERTED,
	RG_TOKEN_END,
	RG_TOKEN_COMMENT,
	RG_TOKEN_PARTIAL /* never in a list: its text's tokens are */
} rg_token_kind;
typedef enum {
	RG_FILTER_NONE,
	RG_FILTER_PLURAL,
	RG_FILTER_SHIFT,
	RG_FILTER_PERCENT,
	RG_FILTER_EXACT
} rg_token_filter;

typedef struct {
	rg_token_kind kind;
	const char *text; /* of a tag: its name */
	size_t length;
	rg_token_filter filter; /* of a value */
	const char *forms;      /* RG_FILTER_PLURAL: "ONE,MANY" */
	size_t forms_length;
	size_t line;
	size_t end; /* of a section: the place of its RG_TOKEN_END */
} rg_token;

typedef struct {
	rg_token *items;
	size_t count, capacity;
	size_t open[RG_TEMPLATE_DEPTH]; /* places of the sections that are not closed yet */
	size_t depth;
} rg_token_list;

/* `out` starts all zero, and is released whatever comes back. RG_E_USAGE with the line for a
 * template that is wrong, RG_E_LIMIT for one that is nested deeper than RG_TEMPLATE_DEPTH. */
RG_CHECKED rg_error *rg_tokens_parse(rg_token_list *out, const char *text);
void rg_tokens_release(rg_token_list *list);

/* Is that the name? */
bool rg_token_is_called(const char *name, size_t length, const char *wanted);

#endif

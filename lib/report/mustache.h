/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_MUSTACHE_H
#define REGILD_REPORT_MUSTACHE_H

#include "base/buf.h"
#include "base/error.h"
#include "report/table.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Templates: a small Mustache (https://mustache.github.io/mustache.5.html).
 *
 *	{{name}}            a value, escaped; {{{name}}} and {{&name}} as it is; {{a.b}} inside
 *	                    another; {{.}} the item of a list itself
 *	{{#name}} … {{/name}}   once for a true value, its keys in reach; for each item of a list
 *	{{^name}} … {{/name}}   where the value is false
 *	{{! … }}            a comment
 *	{{> name}}          the built-in text of that name (templates/NAME), itself a template
 *
 *	{{n|plural:the row,# rows}}   the first form where the count is 1, else the second; '#' in
 *	                    a form is the count
 *	{{x|shift}}         an avg_rel_diff as a change: "+21.7 %" of -0.217
 *	{{x|change}}        (new - old) / |old|: "+21.7 %" of 0.217
 *	{{x|percent}}       a share: "2.74 %"
 *	{{x|exact}}         all digits that it takes to read the same number back
 *	{{x|shade}}         a percentage as so many twentieths: "3"
 *	{{x|lines}}         a text with its line ends, the last one too
 *	{{x|at_most}}       a share that is a bound, in two digits, rounded up: "17 %"
 *	{{x|chance}}        a probability: "1 of 21"
 *	{{x|signed}}        a number with its sign: "+1.01"
 *	{{x|name}}          a run's or commit's name: ten digits of a hash
 *	{{#code}} … {{/code}}   the text inside, not escaped, written as code
 *	{{#.first}} … {{/.first}}   only in the first item of the innermost list
 *
 * Whole numbers are written as they are, others with three significant digits. False are: what is
 * missing, null, false, 0, an empty text and an empty list. A line that holds nothing but a
 * section's or partial's tag or a comment leaves no line behind. A list says of itself how many
 * items it has in {{list.count}}, how many are cut off in {{list.more}}, and in {{list.more_n}} the
 * sum of their n. A template includes no other file, and neither changed delimiters nor functions
 * in the data are there.
 */

/* Appends `text` so that it means itself where it is written to. */
typedef void rg_escape_fn(rg_buf *out, const char *text, size_t length);

/* How a template's parts are written. NULL: values as they are, and no section is code or a table.
 * A section called "table" hands its lines, with values escaped, to `table`. */
typedef struct {
	rg_escape_fn *escape, *code;
	rg_escape_fn *html_code; /* a section called "html_code": code inside of an HTML element */
	rg_escape_fn *fence; /* one called "fence": a block of lines whose values are one each */
	rg_error *(*table)(rg_buf *out, const char *lines, size_t length,
			   const rg_table_style *table_style);
	const rg_table_style *table_style;
} rg_mustache_style;

/* Lists that may be cut give way in the order of their ranks. */
typedef enum {
	RG_MUSTACHE_WHOLE, /* never cut */
	RG_MUSTACHE_DETAIL,
	RG_MUSTACHE_LIST,
	RG_MUSTACHE_STORY,
	RG_MUSTACHE_RANKS
} rg_mustache_rank;
void rg_mustache_cut(cJSON *list, rg_mustache_rank rank);

typedef struct {
	size_t items[RG_MUSTACHE_RANKS]; /* that are shown of a list, by its rank */
	size_t text; /* bytes of a text, more than which lose their middle; 0: none do */
} rg_mustache_limits;
/* Texts are whole, and a list has so many items. */
#define RG_MUSTACHE_ITEMS(count)                          \
	{                                                 \
		.items = { 0, (count), (count), (count) } \
	}

/*
 * Appends the rendered template to `out`. `view` is an object. RG_E_USAGE with the line for a
 * template that is wrong ("line 3: '{{/a}}' closes '{{#b}}'"), RG_E_LIMIT for one that is nested
 * deeper than 32, needs more than 5 million steps, or whose output is more than `out` takes.
 */
RG_CHECKED rg_error *rg_mustache_render(rg_buf *out, const char *template_text, const cJSON *view,
					const rg_mustache_style *style,
					const rg_mustache_limits *limits);

/* RG_E_USAGE or RG_E_LIMIT for a template that could never be rendered, whatever the data. */
RG_CHECKED rg_error *rg_mustache_check(const char *template_text);

/* A template as tokens, which borrow its text. */

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
	RG_FILTER_CHANGE,
	RG_FILTER_EXACT,
	RG_FILTER_SHADE,
	RG_FILTER_LINES,
	RG_FILTER_AT_MOST,
	RG_FILTER_CHANCE,
	RG_FILTER_SIGNED,
	RG_FILTER_NAME
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
void rg_token_list_release(rg_token_list *list);

#endif

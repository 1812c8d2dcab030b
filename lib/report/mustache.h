#ifndef REGILD_REPORT_MUSTACHE_H
#define REGILD_REPORT_MUSTACHE_H

#include "base/buf.h"

#include <cjson/cJSON.h>

/*
 * Templates: a small Mustache (https://mustache.github.io/mustache.5.html).
 *
 *	{{name}}            a value, escaped; {{{name}}} and {{&name}} as it is; {{a.b}} inside
 *	                    another; {{.}} the item of a list itself
 *	{{#name}} … {{/name}}   once for a true value, its keys in reach; for each item of a list
 *	{{^name}} … {{/name}}   where the value is false
 *	{{! … }}            a comment
 *
 * False are: what is missing, null, false, 0, an empty text and an empty list. A line that holds
 * nothing but a section's tag or a comment leaves no line behind. Partials, changed delimiters and
 * functions in the data are not there; filters are what functions are for: a section of a filter's
 * name has its text (values inside it not escaped) written by it.
 */

/* Appends `text` so that it means itself where it is written to. */
typedef void rg_escape_fn(rg_buf *out, const char *text, size_t length);

typedef struct {
	const char *name; /* NULL ends a list */
	rg_escape_fn *write;
} rg_mustache_filter;

/*
 * Appends the rendered template to `out`. `view` is an object; `escape`
 * (nothing is escaped) and `filters` may be NULL. RG_E_USAGE
 * with the line for a template that is wrong ("line 3: '{{/a}}' closes '{{#b}}'"), RG_E_LIMIT for
 * one that is nested deeper than 32, needs more than 5 million steps, or whose output is more than
 * `out` takes.
 */
RG_CHECKED rg_error *rg_mustache_render(rg_buf *out, const char *template_text, const cJSON *view,
					rg_escape_fn *escape, const rg_mustache_filter *filters);

#endif

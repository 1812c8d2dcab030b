/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "base/number.h"
#include "golden/column_list.h"
#include "golden/format.h"

#include <string.h>

/*
 * Lists of a step and its value a line, as training scripts print them:
 *
 *	1 8.049097061157227
 *	2 7.750823974609375
 */

/* Lines are shorter; a longer one is quoted no further. */
enum { LINE_MAX_BYTES = 256, QUOTED = 40 };

typedef struct {
	const char *at, *end;
	size_t line; /* from 1 */
} reader;

/* The next line that is not blank, without the blanks around it. */
static bool next_line(reader *r, const char **line, size_t *length)
{
	while (r->at < r->end) {
		const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
		const char *end = newline ? newline : r->end;

		*line = r->at;
		*length = (size_t)(end - r->at);
		r->at = newline ? newline + 1 : r->end;
		r->line++;
		if (*length && (*line)[*length - 1] == '\r')
			--*length;
		rg_cell_trim(line, length);
		if (*length)
			return true;
	}
	return false;
}

static bool parse_line(const char *line, size_t length, int64_t *step, double *value)
{
	size_t digits = 0;
	const char *rest;

	if (length > LINE_MAX_BYTES)
		return false;
	while (digits < length && line[digits] != ' ' && line[digits] != '\t')
		digits++;
	rest = line + digits;
	length -= digits;
	rg_cell_trim(&rest, &length);
	return length && rg_int64_parse(line, digits, step) && rg_double_parse(rest, length, value);
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	const rg_table_rule *rule = rg_table_rule_of(options, in->name);
	const char *name = rule && rule->value ? rule->value : "value", *line;
	reader r = {in->data, (const char *)in->data + in->size, 0};
	rg_metric *metric;
	size_t length;
	int64_t step;
	double value;

	while (next_line(&r, &line, &length)) {
		if (!parse_line(line, length, &step, &value))
			return rg_error_new(RG_E_PARSE,
					    "line %zu: '%.*s' is not a step and its value", r.line,
					    (int)(length < QUOTED ? length : QUOTED), line);
		RG_TRY(rg_golden_builder_value(builder, step, value));
	}
	RG_TRY(rg_golden_builder_series(builder, name, strlen(name), &metric));
	if (metric->duplicate_keys)
		return rg_error_new(RG_E_PARSE, "step %lld has two values",
				    (long long)metric->duplicate_step);
	return NULL;
}

static int bid(const rg_input *in)
{
	reader r = {in->data, in->data ? (const char *)in->data + in->size : NULL, 0};
	const char *line;
	size_t length;
	int64_t step;
	double value;

	if (!rg_ends_with(in->name, ".txt") || !next_line(&r, &line, &length))
		return 0;
	return parse_line(line, length, &step, &value) ? 100 : 0;
}

const rg_format rg_format_step_list = {
	.name = "step-list", .bid = bid, .read = read_golden, .when_named = true};

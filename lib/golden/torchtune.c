/* SPDX-License-Identifier: Apache-2.0 */
#include "base/number.h"
#include "golden/cursor.h"
#include "golden/format.h"
#include "golden/long_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * torchtune's log, a step and its named values a line:
 *
 *	Step 1 | loss:2.3 lr:2e-05 tokens_per_second_per_gpu:512.7
 */

/* "Step 1 |" */
static bool take_step(rg_cursor *c, int64_t *step)
{
	rg_cursor_skip_blanks(c);
	if (!rg_cursor_take_word(c, "Step "))
		return false;
	const char *digits = c->at;
	while (c->at < c->end && *c->at >= '0' && *c->at <= '9')
		c->at++;
	return rg_int64_parse(digits, (size_t)(c->at - digits), step) &&
	       rg_cursor_take_word(c, " |");
}

/* "loss:2.3", of which the last colon is before the value. */
static bool take_value(rg_cursor *c, rg_cursor *name, rg_cursor *value)
{
	rg_cursor_skip_blanks(c);
	const char *begin = c->at, *colon = NULL;
	for (; c->at < c->end && *c->at != ' ' && *c->at != '\t' && *c->at != '\r'; c->at++)
		if (*c->at == ':')
			colon = c->at;
	if (!colon || colon == begin)
		return false;
	*name = (rg_cursor){begin, colon};
	*value = (rg_cursor){colon + 1, c->at};
	return true;
}

static rg_error *read_line(rg_long_table *table, rg_cursor line, rg_arena *arena)
{
	rg_cursor name, value;
	int64_t step;

	rg_cursor_skip_blanks(&line);
	if (line.at == line.end)
		return NULL;
	if (!take_step(&line, &step))
		return rg_error_new(RG_E_PARSE, "does not begin with 'Step N |'");
	*RG_PUSH(table->steps, table->step_count, table->step_capacity) = step;
	for (rg_cursor_skip_blanks(&line); line.at < line.end; rg_cursor_skip_blanks(&line)) {
		if (!take_value(&line, &name, &value))
			return rg_error_new(RG_E_PARSE, "is not made of NAME:VALUE");
		rg_long_cell cell = {.metric = name.at,
				     .metric_length = rg_cursor_length(name),
				     .record = table->step_count - 1,
				     .tolerance = NAN,
				     .error = NAN};
		rg_long_cell_set(&cell, value.at, rg_cursor_length(value), false, arena);
		rg_long_table_add(table, &cell);
	}
	return NULL;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	RG_AUTO(rg_long_table) table = {0};
	const char *data = in->data;
	rg_cursor file = {data, data + in->size}, line;

	(void)options;
	builder->gave_up = true; /* after an error it is a text */
	if (in->size && memchr(data, '\0', in->size))
		return rg_error_new(RG_E_PARSE, "has a NUL in it");
	for (size_t n = 1; rg_cursor_next_line(&file, &line); n++)
		RG_TRY(rg_error_wrap(read_line(&table, line, &builder->golden->arena), "line %zu",
				     n));
	return rg_long_table_finish_steps(&table, builder);
}

static int bid(const rg_input *in)
{
	const char *data = in->data;
	rg_cursor c = {data, data ? data + in->size : NULL}, name, value;
	int64_t step;
	return take_step(&c, &step) && take_value(&c, &name, &value) ? 110 : 0;
}

const rg_format rg_format_torchtune = {
	.name = "torchtune", .bid = bid, .read = read_golden, .when_named = true, .is_text = true};

/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/series.h"

#include "base/number.h"
#include "golden/builder.h"
#include "golden/cursor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 *	{"NAME": {"start_step": 1, "end_step": 50, "step_interval": 1, "value_precision": "full",
 *		"values": {"1": 10.9, …}}, …}
 *
 * Functions return false where the text is not plainly this; the scanner's place is then lost.
 */
typedef struct {
	rg_cursor text;
	rg_read_part part;
	rg_golden_builder builder;
	rg_error *err; /* of the builder */
} scanner;

/* A comma before the next member (*more), or the closing brace. */
static inline bool take_separator(rg_cursor *text, bool *more)
{
	rg_cursor_skip_blanks(text);
	*more = rg_cursor_take(text, ',');
	return *more || rg_cursor_take(text, '}');
}

/* A string of printable ASCII without escapes, which is itself UTF-8 and has no NUL. */
static bool take_name(scanner *s, const char **name, size_t *length)
{
	if (!rg_cursor_take_sign(&s->text, '"'))
		return false;
	const char *start = s->text.at;
	while (s->text.at < s->text.end && *s->text.at != '"') {
		unsigned char c = (unsigned char)*s->text.at++;
		if (c == '\\' || c < 0x20 || c > 0x7e)
			return false;
	}
	*name = start;
	*length = (size_t)(s->text.at - start);
	return rg_cursor_take(&s->text, '"');
}

/* Up to 15 digits: a whole number that a double holds too. */
static inline bool take_integer(rg_cursor *text, int64_t *out)
{
	const char *const start = text->at, *p = start;
	int64_t value = 0;
	for (unsigned digit; p < text->end && (digit = (unsigned)(*p - '0')) <= 9 && p - start < 16;
	     p++)
		value = value * 10 + digit;
	text->at = p;
	*out = value;
	return p > start && p - start <= 15;
}

/* cJSON reads no more than 63 bytes of a number. */
enum { NUMBER_MAX = 60 };

static inline bool take_value(rg_cursor *text, rg_golden_builder *builder, double *out)
{
	rg_cursor_skip_blanks(text);
	if (text->at == text->end)
		return false;
	*out = NAN;
	if (*text->at == 'N')
		return rg_cursor_take_word(text, "NaN");
	if (*text->at == '"') {
		rg_golden_builder_note_quoted(builder);
		return rg_cursor_take_word(text, "\"nan\"");
	}
	const char *start = text->at, *p = start;
	if (!rg_json_number_read(&p, text->end, out) || p - start > NUMBER_MAX)
		return false;
	rg_golden_builder_note_whole(builder, start, (size_t)(p - start), *out);
	text->at = p;
	return true;
}

static bool take_values(scanner *s)
{
	rg_cursor text = s->text; /* in registers: nothing else can write to it */
	int64_t step;
	double value;
	bool more;

	if (!rg_cursor_take_sign(&text, '{'))
		return false;
	more = !rg_cursor_take_sign(&text, '}');
	while (more) {
		if (!rg_cursor_take_sign(&text, '"') || !take_integer(&text, &step) ||
		    !rg_cursor_take(&text, '"') || !rg_cursor_take_sign(&text, ':') ||
		    !take_value(&text, &s->builder, &value))
			return false;
		rg_golden_builder_value(&s->builder, step, value);
		rg_read_up_to(&s->part, text.at);
		if (!take_separator(&text, &more))
			return false;
	}
	s->text = text;
	return true;
}

enum { START, END, INTERVAL, STEPS, VALUES = STEPS, PRECISION, KEYS };

typedef struct {
	unsigned has; /* a bit for each key */
	int64_t steps[STEPS];
	bool full; /* its precision */
} block;

static bool take_block_member(scanner *s, block *b)
{
	static const char *const keys[KEYS] = {"start_step", "end_step", "step_interval", "values",
					       "value_precision"};
	const char *name;
	size_t length, key = 0;

	if (!take_name(s, &name, &length) || !rg_cursor_take_sign(&s->text, ':'))
		return false;
	while (key < KEYS && (strlen(keys[key]) != length || memcmp(keys[key], name, length) != 0))
		key++;
	if (key == KEYS || b->has & 1U << key)
		return false;
	b->has |= 1U << key;
	if (key == VALUES)
		return take_values(s);
	if (key == PRECISION) {
		if (!take_name(s, &name, &length))
			return false;
		b->full = length == 4 && !memcmp(name, "full", 4);
		return true;
	}
	rg_cursor_skip_blanks(&s->text);
	const char *digits = s->text.at;
	return take_integer(&s->text, &b->steps[key]) &&
	       (*digits != '0' || s->text.at == digits + 1);
}

static bool take_metric(scanner *s)
{
	const unsigned all = (1U << STEPS) - 1;
	const char *name;
	size_t length;
	block b = {0};
	rg_metric *metric;
	bool more;

	if (!take_name(s, &name, &length) || !rg_cursor_take_sign(&s->text, ':') ||
	    !rg_cursor_take_sign(&s->text, '{'))
		return false;
	do {
		if (!take_block_member(s, &b) || !take_separator(&s->text, &more))
			return false;
	} while (more);
	if (!(b.has & 1U << VALUES))
		return false;
	s->err = rg_golden_builder_series(&s->builder, name, length, &metric);
	if (s->err)
		return false;
	metric->precision = b.full ? RG_PRECISION_FULL : RG_PRECISION_MISSING;
	if (b.has & all && (b.has & all) != all)
		return false; /* json.c tells which it has */
	if (b.has & all)
		rg_golden_builder_steps(&s->builder, metric, b.steps[START], b.steps[END],
					b.steps[INTERVAL]);
	return true;
}

static bool take_document(scanner *s)
{
	bool more;
	if (!rg_cursor_take_sign(&s->text, '{'))
		return false;
	do {
		if (!take_metric(s) || !take_separator(&s->text, &more))
			return false;
	} while (more);
	rg_cursor_skip_blanks(&s->text);
	return s->text.at == s->text.end;
}

/* Sorts the metrics. False if a name appears twice: json.c knows which one to take. */
static bool names_differ(rg_golden_builder *builder)
{
	qsort(builder->metrics, builder->count, sizeof(*builder->metrics), rg_metric_compare);
	for (size_t i = 1; i < builder->count; i++)
		if (!strcmp(builder->metrics[i - 1].name, builder->metrics[i].name))
			return false;
	return true;
}

rg_error *rg_series_read(rg_golden *golden, const rg_input *in, bool *taken)
{
	const char *text = in->data;
	scanner s = {.text = {text, text + in->size}, .part = {in->forget, text, text}};

	rg_golden_builder_init(&s.builder, golden, in->size);
	*taken = take_document(&s) && names_differ(&s.builder);
	if (*taken)
		rg_golden_builder_finish(&s.builder);
	rg_golden_builder_release(&s.builder);
	if (!*taken) {
		golden->unread = (rg_unread){0};
		rg_arena_release(&golden->arena);
	}
	return s.err;
}

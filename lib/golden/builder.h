/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BUILDER_H
#define REGILD_GOLDEN_BUILDER_H

#include "golden/golden.h"

/*
 * Readers put a golden together with it. The values of a series come in file order and end up in
 * ascending steps; if a step came twice, the last one counts. Everything that it keeps is in the
 * golden's arena.
 */
typedef struct {
	rg_golden *golden;
	rg_metric *metrics;
	size_t count, capacity;
	size_t name_bytes, name_bytes_max; /* hostile nesting cannot make names without end */
	/* The series under way. */
	int64_t *steps;
	double *values;
	size_t step_count, capacity_steps; /* room in both */
	bool ascending;                    /* strictly, so far */
	size_t *invalid;                   /* positions that hold no value, ascending */
	size_t invalid_count, invalid_capacity;
	bool gave_up; /* the reader found out that the file is none of its own: it is opaque */
	/* Whole numbers that doubles do not hold, ascending by `step`: a position. */
	rg_record_text *digits;
	size_t digit_count, digit_capacity;
	size_t *quoted; /* positions whose values are in quotes, ascending */
	size_t quoted_count, quoted_capacity;
	rg_golden_note *notes;
	size_t note_count, note_capacity;
} rg_golden_builder;

/* `input_size`: bytes of the file, which bounds what names may take. */
void rg_golden_builder_init(rg_golden_builder *builder, rg_golden *golden, size_t input_size);
void rg_golden_builder_release(rg_golden_builder *builder);

/* Room for more values than there are. */
void rg_golden_builder_grow(rg_golden_builder *builder);

/* Inline, because reading a golden is little else. */
static inline void rg_golden_builder_value(rg_golden_builder *builder, int64_t step, double value)
{
	size_t n = builder->step_count;

	if (n == builder->capacity_steps)
		rg_golden_builder_grow(builder);
	if (n && builder->steps[n - 1] >= step)
		builder->ascending = false;
	builder->steps[n] = step;
	builder->values[n] = value;
	builder->step_count++;
}

/* A step in the file without a value: null, an object, a text that is not a number. */
void rg_golden_builder_no_value(rg_golden_builder *builder, int64_t step);

/* The digits of a whole number as it is written, if its double does not hold them, without '+' and
 * zeros in front; else NULL. */
const char *rg_long_digits(rg_arena *arena, const char *text, size_t length, double value);
static inline const char *rg_whole_digits(rg_arena *arena, const char *text, size_t length,
					  double value)
{
	return value >= 0x1p53 || value <= -0x1p53 ? rg_long_digits(arena, text, length, value)
						   : NULL;
}
void rg_golden_builder_keep_digits(rg_golden_builder *builder, const char *digits);
/* Says how the next value is written. */
static inline void rg_golden_builder_note_whole(rg_golden_builder *builder, const char *text,
						size_t length, double value)
{
	const char *digits = rg_whole_digits(&builder->golden->arena, text, length, value);
	if (digits)
		rg_golden_builder_keep_digits(builder, digits);
}

/* A value that does not count, as its step appears again, adds this to rg_metric.shadowed. `text`,
 * digits or a text that count in place of the number, may be NULL. */
uint64_t rg_shadow_of(int64_t step, double value, const char *text);

/* The next value is in quotes in the file. */
void rg_golden_builder_note_quoted(rg_golden_builder *builder);

/*
 * Ends the series under way, or adds exact values. *out (borrowed until the next call) is for other
 * facts about the metric (start_step …); it may be NULL. Names are copied.
 */
RG_CHECKED rg_error *rg_golden_builder_series(rg_golden_builder *builder, const char *name,
					      size_t name_length, rg_metric **out);
RG_CHECKED rg_error *rg_golden_builder_text(rg_golden_builder *builder, const char *name,
					    size_t name_length, const char *text, size_t length);
/* Takes what the file says about the steps of a series. If the steps are different, its numbers are
 * ones that no metric has. */
void rg_golden_builder_steps(rg_golden_builder *builder, rg_metric *metric, int64_t start,
			     int64_t end, int64_t interval);
/* Puts the metric that was added last on a scale. */
void rg_golden_builder_place(rg_golden_builder *builder, rg_scale scale, double at);
/* Says which unit its values are in. */
void rg_golden_builder_unit(rg_golden_builder *builder, const char *unit);
/* `tokens` is copied. */
RG_CHECKED rg_error *rg_golden_builder_tokens(rg_golden_builder *builder, const char *name,
					      size_t name_length, const int64_t *tokens,
					      size_t count);

/* Adds a metric without values, which the reader fills in. The name is copied. */
RG_CHECKED rg_error *rg_golden_builder_metric(rg_golden_builder *builder, const char *name,
					      size_t name_length, rg_metric_kind kind,
					      rg_metric **out);

/* Adds a note to the golden. */
void rg_golden_builder_note(rg_golden_builder *builder, rg_note_kind kind, const char *format, ...)
	RG_PRINTF(3, 4);

/* Hands the metrics to the golden, in the order in which they came. */
void rg_golden_builder_finish(rg_golden_builder *builder);

#endif

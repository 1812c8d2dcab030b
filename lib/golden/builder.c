/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/builder.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/order.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void rg_golden_builder_init(rg_golden_builder *builder, rg_golden *golden, size_t input_size)
{
	*builder = (rg_golden_builder){.golden = golden, .ascending = true};
	builder->name_bytes_max = input_size > SIZE_MAX / 32 ? SIZE_MAX : input_size * 16 + 65536;
}

void rg_golden_builder_release(rg_golden_builder *builder)
{
	free(builder->metrics);
	free(builder->steps);
	free(builder->values);
	free(builder->invalid);
	free(builder->quoted);
	free(builder->digits);
	free(builder->notes);
	*builder = (rg_golden_builder){0};
}

enum { FIRST_STEPS = 256, SPILLED_FROM = 1 << 19 };

void rg_golden_builder_grow(rg_golden_builder *builder)
{
	size_t wanted = builder->capacity_steps ? 2 * builder->capacity_steps : FIRST_STEPS;
	if (wanted > SIZE_MAX / sizeof(*builder->values))
		rg_out_of_memory();
	builder->steps = rg_realloc(builder->steps, wanted * sizeof(*builder->steps));
	builder->values = rg_realloc(builder->values, wanted * sizeof(*builder->values));
	builder->capacity_steps = wanted;
}

void rg_golden_builder_no_value(rg_golden_builder *builder, int64_t step)
{
	*RG_PUSH(builder->invalid, builder->invalid_count, builder->invalid_capacity) =
		builder->step_count;
	rg_golden_builder_value(builder, step, 0);
}

rg_error *rg_golden_builder_metric(rg_golden_builder *builder, const char *name, size_t name_length,
				   rg_metric_kind kind, rg_metric **out)
{
	if (name_length > builder->name_bytes_max - builder->name_bytes)
		return rg_error_new(RG_E_LIMIT, "the names of its metrics are too long");
	builder->name_bytes += name_length;
	*out = RG_PUSH(builder->metrics, builder->count, builder->capacity);
	**out = (rg_metric){.kind = kind,
			    .name = rg_arena_copy(&builder->golden->arena, name, name_length)};
	return NULL;
}

void rg_golden_builder_note_quoted(rg_golden_builder *builder)
{
	*RG_PUSH(builder->quoted, builder->quoted_count, builder->quoted_capacity) =
		builder->step_count;
}

const char *rg_long_digits(rg_arena *arena, const char *text, size_t length, double value)
{
	char held[400]; /* of the largest double there are 309 */
	const bool minus = length && *text == '-';

	for (size_t i = length && (minus || *text == '+'); i < length; i++)
		if (text[i] < '0' || text[i] > '9')
			return NULL;
	while (length && !(*text >= '1' && *text <= '9'))
		text++, length--;
	int held_length = snprintf(held, sizeof(held), "%.0f", fabs(value));
	if ((size_t)held_length == length && !memcmp(held, text, length))
		return NULL;
	char *digits = rg_arena_alloc(arena, length + minus + 1);
	digits[0] = '-';
	memcpy(digits + minus, text, length);
	digits[length + minus] = '\0';
	return digits;
}

void rg_golden_builder_keep_digits(rg_golden_builder *builder, const char *digits)
{
	*RG_PUSH(builder->digits, builder->digit_count, builder->digit_capacity) =
		(rg_record_text){(int64_t)builder->step_count, digits};
}

uint64_t rg_shadow_of(int64_t step, double value, const char *text)
{
	uint64_t hash = rg_hash_bytes(RG_HASH_NONE, &step, sizeof(step));
	hash = rg_hash_bytes(hash, &value, sizeof(value));
	return text ? rg_hash_bytes(hash, text, strlen(text) + 1) : hash;
}

/* A value's place in the file, for sorting. */
typedef struct {
	int64_t step;
	size_t position;
} place;

RG_ORDER(compare_places, place, RG_RISING(step));
RG_ORDER(compare_texts, rg_record_text, RG_RISING(step));

/* The kinds of values at a position of the file; COUNTS is set beside if the value counts. */
enum { IS_NUMBER, IS_QUOTED, IS_INVALID, COUNTS = 4 };

static const rg_record_text *digits_at(const rg_golden_builder *builder, size_t position)
{
	const rg_record_text key = {.step = (int64_t)position};
	return builder->digit_count ? bsearch(&key, builder->digits, builder->digit_count,
					      sizeof(key), compare_texts)
				    : NULL;
}

/* The value at a position, as rg_metric.shadowed has it. */
static uint64_t shadow_at(const rg_golden_builder *builder, size_t position, unsigned char what)
{
	const rg_record_text *digits = digits_at(builder, position);
	return rg_shadow_of(builder->steps[position], builder->values[position],
			    what & IS_INVALID ? ""
			    : digits          ? digits->text
					      : NULL);
}

/* `kept` are the places that count, in the order of their steps. */
static uint64_t sum_shadowed(const rg_golden_builder *builder, const place *kept, size_t count,
			     unsigned char *what)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < count; i++)
		what[kept[i].position] |= COUNTS;
	for (size_t i = 0; i < builder->step_count; i++) {
		const place key = {.step = builder->steps[i]};
		if (what[i] & COUNTS)
			continue;
		const place *last = bsearch(&key, kept, count, sizeof(key), compare_places);
		const uint64_t shadow = shadow_at(builder, i, what[i]);
		if (shadow != shadow_at(builder, last->position, what[last->position]))
			sum += shadow;
	}
	for (size_t i = 0; i < count; i++)
		what[kept[i].position] &= (unsigned char)~COUNTS;
	return sum;
}

/* The general case: out of order, twice, or without a value here and there. */
static void keep_settled(rg_golden_builder *builder, rg_metric *metric, int64_t *steps,
			 double *values, size_t *quoted, rg_record_text *digits)
{
	size_t count = builder->step_count, kept = 0;
	RG_AUTO_FREE place *places = rg_malloc((count + 1) * sizeof(*places));
	RG_AUTO_FREE unsigned char *what = rg_calloc(count + 1, 1);
	place dropped = {0};

	for (size_t i = 0; i < count; i++)
		places[i] = (place){builder->steps[i], i};
	for (size_t i = 0; i < builder->quoted_count; i++)
		what[builder->quoted[i]] = IS_QUOTED;
	for (size_t i = 0; i < builder->invalid_count; i++)
		what[builder->invalid[i]] = IS_INVALID;
	rg_sort_keep_last(places, &count, sizeof(*places), compare_places, &dropped);
	metric->duplicate_keys = builder->step_count - count;
	if (metric->duplicate_keys) {
		metric->duplicate_step = dropped.step;
		metric->shadowed = sum_shadowed(builder, places, count, what);
	}
	for (size_t i = 0; i < count; i++) {
		if (what[places[i].position] == IS_INVALID) {
			if (!metric->invalid_values++)
				metric->invalid_step = places[i].step;
			metric->has_invalid_step = true;
			continue;
		}
		if (what[places[i].position] == IS_QUOTED)
			quoted[metric->quoted_count++] = kept;
		const rg_record_text *own = digits_at(builder, places[i].position);
		if (own)
			digits[metric->digit_count++] = (rg_record_text){places[i].step, own->text};
		steps[kept] = places[i].step;
		values[kept++] = builder->values[places[i].position];
	}
	metric->count = kept;
}

/* The steps of the metric before, if the series has the same: a golden's usually do. */
static const int64_t *find_steps(const rg_golden_builder *builder)
{
	const size_t count = builder->step_count;
	const rg_metric *before = &builder->metrics[builder->count - 1];
	return builder->count > 1 && builder->ascending && !builder->invalid_count && count &&
			       before[-1].steps && before[-1].count == count &&
			       !memcmp(before[-1].steps, builder->steps, count * sizeof(int64_t))
		       ? before[-1].steps
		       : NULL;
}

/* Copies a part of the series to its place in the room for it. */
static void put(const rg_metric *metric, int file, void *to, const void *from, size_t size)
{
	const char *room = metric->spilled.data;
	if (room)
		rg_spill_write((void *)(uintptr_t)room, file, (size_t)((char *)to - room), from,
			       size);
	else
		memcpy(to, from, size);
}

/* Copies the series, so that the room for the next one is there already. */
static void copy_series(rg_golden_builder *builder, rg_metric *metric)
{
	rg_arena *arena = &builder->golden->arena;
	const size_t count = builder->step_count;
	const int64_t *shared = find_steps(builder);
	/* The steps follow the values. */
	const size_t size = count * (sizeof(double) + (shared ? 0 : sizeof(int64_t)));
	int file = -1;
	double *values = size < SPILLED_FROM ? NULL : rg_spill_new(size, &file);
	if (values) {
		rg_arena_adopt_map(arena, values, size);
		metric->spilled = (rg_span){values, size, rg_map_forget};
	} else {
		values = rg_arena_alloc(arena, size);
	}
	int64_t *steps = shared ? NULL : (int64_t *)(void *)(values + count);
	size_t *quoted = rg_arena_alloc(arena, builder->quoted_count * sizeof(*quoted));
	rg_record_text *digits = rg_arena_alloc(arena, builder->digit_count * sizeof(*digits));
	metric->steps = shared ? shared : steps;
	metric->values = values;
	metric->quoted = quoted;
	metric->digits = digits;
	if (!builder->ascending || builder->invalid_count) {
		keep_settled(builder, metric, steps, values, quoted, digits);
		if (file >= 0)
			close(file);
		return;
	}
	if (count) {
		put(metric, file, values, builder->values, count * sizeof(*values));
		if (steps)
			put(metric, file, steps, builder->steps, count * sizeof(*steps));
	}
	if (file >= 0)
		close(file); /* it is in the map, too */
	if (builder->quoted_count)
		memcpy(quoted, builder->quoted, builder->quoted_count * sizeof(*quoted));
	metric->quoted_count = builder->quoted_count;
	for (size_t i = 0; i < builder->digit_count; i++)
		digits[i] = (rg_record_text){builder->steps[builder->digits[i].step],
					     builder->digits[i].text};
	metric->digit_count = builder->digit_count;
	metric->count = count;
}

rg_error *rg_golden_builder_series(rg_golden_builder *builder, const char *name, size_t name_length,
				   rg_metric **out)
{
	rg_metric *metric;
	RG_TRY(rg_golden_builder_metric(builder, name, name_length, RG_METRIC_SERIES, &metric));
	copy_series(builder, metric);
	rg_metric_forget(metric);
	builder->step_count = builder->invalid_count = builder->quoted_count = 0;
	builder->digit_count = 0;
	builder->ascending = true;
	if (out)
		*out = metric;
	return NULL;
}

/* The greatest common divisor of all distances between steps. */
static uint64_t interval_from(const int64_t *steps, size_t count)
{
	uint64_t found = 0;
	for (size_t i = 1; i < count && found != 1; i++) {
		uint64_t a = (uint64_t)steps[i] - (uint64_t)steps[i - 1], b = found;
		while (b) {
			const uint64_t rest = a % b;
			a = b;
			b = rest;
		}
		found = a;
	}
	return found;
}

/* A log of every fifth step has the first one, too. One step has no distance. */
static bool are_its_steps(const rg_metric *m, int64_t start, int64_t end, int64_t interval)
{
	if (!m->count || start != m->steps[0] || end != m->steps[m->count - 1])
		return false;
	return m->count == 1
		       ? interval == 0 || interval == 1
		       : (uint64_t)interval == interval_from(m->steps, m->count) ||
				 (uint64_t)interval == interval_from(m->steps + 1, m->count - 1);
}

static void note_unread_step(rg_golden_builder *builder, const rg_metric *metric, const char *key,
			     int64_t step)
{
	RG_AUTO_FREE char *name = rg_textf("%s/%s", metric->name, key);
	rg_unread_number(&builder->golden->unread, &builder->golden->arena, name, (double)step);
}

void rg_golden_builder_steps(rg_golden_builder *builder, rg_metric *metric, int64_t start,
			     int64_t end, int64_t interval)
{
	metric->start_step = start;
	metric->end_step = end;
	metric->step_interval = interval;
	if (are_its_steps(metric, start, end, interval))
		return;
	note_unread_step(builder, metric, "start_step", start);
	note_unread_step(builder, metric, "end_step", end);
	note_unread_step(builder, metric, "step_interval", interval);
}

rg_error *rg_golden_builder_text(rg_golden_builder *builder, const char *name, size_t name_length,
				 const char *text, size_t length)
{
	rg_metric *metric;
	RG_TRY(rg_golden_builder_metric(builder, name, name_length, RG_METRIC_TEXT, &metric));
	metric->count = length;
	metric->text = rg_arena_copy(&builder->golden->arena, text, length);
	return NULL;
}

void rg_golden_builder_place(rg_golden_builder *builder, rg_scale scale, double at)
{
	rg_metric *metric = &builder->metrics[builder->count - 1];
	metric->scale = scale;
	metric->place = at;
}

void rg_golden_builder_unit(rg_golden_builder *builder, const char *unit)
{
	builder->metrics[builder->count - 1].unit = unit;
}

rg_error *rg_golden_builder_tokens(rg_golden_builder *builder, const char *name, size_t name_length,
				   const int64_t *tokens, size_t count)
{
	rg_metric *metric;
	RG_TRY(rg_golden_builder_metric(builder, name, name_length, RG_METRIC_TOKENS, &metric));
	int64_t *copy = rg_arena_alloc(&builder->golden->arena, count * sizeof(*copy));
	if (count)
		memcpy(copy, tokens, count * sizeof(*copy));
	metric->count = count;
	metric->tokens = copy;
	return NULL;
}

void rg_golden_builder_note(rg_golden_builder *builder, rg_note_kind kind, const char *format, ...)
{
	char text[4096];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	*RG_PUSH(builder->notes, builder->note_count, builder->note_capacity) =
		(rg_golden_note){kind, rg_arena_text(&builder->golden->arena, text)};
}

void rg_golden_builder_finish(rg_golden_builder *builder)
{
	rg_arena *arena = &builder->golden->arena;
	rg_golden_note *notes = rg_arena_alloc(arena, builder->note_count * sizeof(*notes));
	/* There may be hundreds of thousands of metrics, so they are not copied. */
	rg_metric *metrics =
		rg_realloc(RG_TAKE(builder->metrics), builder->count * sizeof(*metrics));
	rg_arena_adopt(arena, metrics);
	if (builder->note_count)
		memcpy(notes, builder->notes, builder->note_count * sizeof(*notes));
	builder->golden->metrics = metrics;
	builder->golden->count = builder->count;
	builder->golden->notes = notes;
	builder->golden->note_count = builder->note_count;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "source/log_series.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void rg_log_series_init(rg_log_series *series, size_t max)
{
	*series = (rg_log_series){0};
	rg_buf_init(&series->texts, max);
}

void rg_log_series_release(rg_log_series *series)
{
	free(series->values);
	rg_buf_release(&series->texts);
	rg_log_series_init(series, series->texts.max);
}

static bool is_same(const rg_log_value *a, const rg_log_value *b)
{
	return a->number == b->number || (isnan(a->number) && isnan(b->number));
}

rg_error *rg_log_series_add(rg_log_series *series, const rg_line_match *match, uint64_t line)
{
	rg_log_value value = {match->step,         match->number, series->texts.length,
			      match->value_length, line,          series->count};
	const rg_log_value *last = series->count ? &series->values[series->count - 1] : NULL;

	/* All ranks of a job print the same. */
	if (last && last->step == value.step && is_same(last, &value))
		return NULL;
	if (series->count == RG_LOG_STEPS_MAX) {
		RG_TRY(rg_log_series_settle(series));
		if (series->count > RG_LOG_STEPS_MAX / 2)
			return rg_error_new(RG_E_LIMIT, "line %" PRIu64 ": more than %zu steps",
					    line, RG_LOG_STEPS_MAX / 2);
		value.order = series->count;
	}
	rg_buf_add(&series->texts, match->value, match->value_length);
	RG_TRY(rg_buf_check(&series->texts, "its values"));
	rg_grow(&series->values, &series->capacity, series->count + 1, sizeof(value));
	series->values[series->count++] = value;
	return NULL;
}

static int compare_values(const void *a, const void *b)
{
	const rg_log_value *x = a, *y = b;
	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static const char *text_of(const rg_log_series *series, const rg_log_value *value)
{
	return series->texts.data + value->text;
}

static rg_error *say_conflict(const rg_log_series *series, const rg_log_value *a,
			      const rg_log_value *b)
{
	return rg_error_new(RG_E_PARSE,
			    "step %" PRId64 " has two values: %.*s in line %" PRIu64
			    ", %.*s in line %" PRIu64,
			    a->step, (int)a->length, text_of(series, a), a->line, (int)b->length,
			    text_of(series, b), b->line);
}

rg_error *rg_log_series_settle(rg_log_series *series)
{
	size_t kept = 0;
	if (!series->values)
		return NULL;
	qsort(series->values, series->count, sizeof(*series->values), compare_values);
	for (size_t i = 0; i < series->count; i++) {
		const rg_log_value *last = kept ? &series->values[kept - 1] : NULL;
		if (!last || last->step != series->values[i].step) {
			series->values[kept++] = series->values[i];
			continue;
		}
		if (!is_same(last, &series->values[i]))
			return say_conflict(series, last, &series->values[i]);
	}
	series->count = kept;
	for (size_t i = 0; i < kept; i++)
		series->values[i].order = i;
	return NULL;
}

static uint64_t distance(int64_t low, int64_t high)
{
	return (uint64_t)high - (uint64_t)low;
}

/* The largest interval that reaches all steps. */
static uint64_t interval_of(const rg_log_series *series)
{
	uint64_t all = 0;
	for (size_t i = 1; i < series->count && all != 1; i++) {
		uint64_t a = distance(series->values[i - 1].step, series->values[i].step), rest;
		for (; all; all = rest) {
			rest = a % all;
			a = all;
		}
		all = a;
	}
	return all ? all : 1;
}

static void write_number(const rg_log_series *series, const rg_log_value *value, rg_buf *out)
{
	const char *text = text_of(series, value), *at = text, *end = text + value->length;
	char repr[RG_DOUBLE_REPR_SIZE];
	double same;

	if (!isfinite(value->number)) {
		rg_double_repr(value->number, repr);
		rg_buf_printf(out, "\"%s\"", repr);
	} else if (rg_json_number_read(&at, end, &same) && at == end) {
		rg_buf_add(out, text, value->length);
	} else {
		rg_double_repr(value->number, repr);
		rg_buf_str(out, repr);
	}
}

void rg_log_series_write(const rg_log_series *series, const char *metric, rg_buf *out)
{
	const rg_log_value *values = series->values;
	rg_json_out name;

	rg_json_out_init(&name, out);
	rg_buf_str(out, "{\n    ");
	rg_json_text(&name, metric);
	rg_buf_printf(out,
		      ": {\n        \"start_step\": %" PRId64 ",\n        \"end_step\": %" PRId64
		      ",\n        \"step_interval\": %" PRIu64 ",\n        \"values\": {",
		      values[0].step, values[series->count - 1].step, interval_of(series));
	for (size_t i = 0; i < series->count; i++) {
		rg_buf_printf(out, "%s\n            \"%" PRId64 "\": ", i ? "," : "",
			      values[i].step);
		write_number(series, &values[i], out);
	}
	rg_buf_str(out, "\n        }\n    }\n}\n");
}

void rg_log_series_list(const rg_log_series *series, rg_buf *out)
{
	for (size_t i = 0; i < series->count; i++) {
		const rg_log_value *value = &series->values[i];
		rg_buf_printf(out, "%" PRId64 " %.*s\n", value->step, (int)value->length,
			      text_of(series, value));
	}
}

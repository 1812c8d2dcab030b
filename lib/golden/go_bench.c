/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/number.h"
#include "golden/cursor.h"
#include "golden/format.h"
#include "golden/long_table.h"
#include "golden/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The output of `go test -bench`:
 *
 *	goos: linux
 *	BenchmarkSort-8   	    1000	      1050 ns/op	      64 B/op
 *	PASS
 *
 * A benchmark is a record, the Nth repetition of one NAME[N]; each unit is a metric, and so are the
 * iterations. The other lines of go test are text; numbers of lines that are not its own are lost.
 * Where there are several packages, their names are in front of their benchmarks'.
 */

enum { PROBE_BYTES = 64 * 1024 };

typedef struct {
	rg_arena *arena;
	rg_text_names benchmarks;
	rg_long_table cells;
	size_t *times; /* how often each benchmark was there */
	size_t times_capacity;
	const char **names; /* of the records */
	size_t count, capacity;
	const char *package; /* NULL: there is one at most */
	rg_buf name;
} reader;

static void reader_release(reader *r)
{
	rg_long_table_release(&r->cells);
	rg_text_names_release(&r->benchmarks);
	rg_buf_release(&r->name);
	free(r->times);
	free(r->names);
}

/* A number and its unit. */
static bool next_value(rg_cursor *line, rg_cursor *number, double *value, rg_cursor *unit)
{
	return rg_cursor_next_word(line, number) &&
	       rg_double_parse(number->at, rg_cursor_length(*number), value) &&
	       rg_cursor_next_word(line, unit);
}

/* "BenchmarkSort-8 1000 1050 ns/op", of which `line` is left after the iterations. */
static bool take_benchmark(rg_cursor *line, rg_cursor *name, rg_cursor *iterations, double *count)
{
	rg_cursor rest = *line, number, unit;
	double value;

	if (!rg_cursor_take_word(&rest, "Benchmark") || !rg_cursor_next_word(line, name) ||
	    !rg_cursor_next_word(line, iterations) ||
	    !rg_double_parse(iterations->at, rg_cursor_length(*iterations), count))
		return false;
	rest = *line;
	return next_value(&rest, &number, &value, &unit);
}

static void append_cell(reader *r, rg_cursor number, double value, rg_cursor metric)
{
	const size_t length = rg_cursor_length(metric);
	const char *slash = memchr(metric.at, '/', length);
	const rg_long_cell cell = {
		.metric = metric.at,
		.metric_length = length,
		.record = r->count - 1,
		.value = value,
		.digits = rg_whole_digits(r->arena, number.at, rg_cursor_length(number), value),
		.unit = rg_unit_find(metric.at, slash ? (size_t)(slash - metric.at) : length),
		.tolerance = NAN,
		.error = NAN};
	rg_long_table_add(&r->cells, &cell);
}

static rg_error *append_benchmark(reader *r, rg_cursor line, rg_cursor name, rg_cursor iterations,
				  double count)
{
	static const char first[] = "iterations";
	rg_cursor number, unit;
	double value;

	rg_buf_clear(&r->name);
	if (r->package)
		rg_buf_printf(&r->name, "%s.", r->package);
	rg_buf_add(&r->name, name.at, rg_cursor_length(name));
	RG_TRY(rg_buf_check(&r->name, "a benchmark's name"));
	const size_t at = rg_text_names_keep(&r->benchmarks, r->name.data, r->name.length);
	rg_grow(&r->times, &r->times_capacity, at + 1, sizeof(*r->times));
	if (++r->times[at] > 1)
		rg_buf_printf(&r->name, "[%zu]", r->times[at]);
	*RG_PUSH(r->names, r->count, r->capacity) = rg_arena_text(r->arena, r->name.data);
	append_cell(r, iterations, count, (rg_cursor){first, first + sizeof(first) - 1});
	while (next_value(&line, &number, &value, &unit))
		append_cell(r, number, value, unit);
	return NULL;
}

static bool is_of_go_test(rg_cursor line)
{
	static const char *const own[] = {"goos: ", "goarch: ", "pkg: ", "cpu: ", "PASS",
					  "FAIL",   "ok  ",     "--- ",  "=== "};
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (rg_cursor_take_word(&line, own[i]))
			return true;
	return false;
}

/* Is there another package than the first? */
static bool has_packages(rg_cursor c)
{
	rg_cursor line, first = {0};
	while (rg_cursor_next_line(&c, &line)) {
		if (!rg_cursor_take_word(&line, "pkg: "))
			continue;
		const size_t length = rg_cursor_length(line);
		if (first.at &&
		    (rg_cursor_length(first) != length || memcmp(first.at, line.at, length) != 0))
			return true;
		first = line;
	}
	return false;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	const char *data = in->data;
	rg_cursor c = {data, data + in->size}, line, name, iterations;
	rg_read_part part = {in->forget, data, data};
	const bool packages = has_packages(c);
	RG_AUTO(reader) r = {.arena = &builder->golden->arena, .name = rg_buf_of(RG_BUF_TEXT)};
	double count;

	builder->gave_up = true; /* after an error it is a text */
	rg_text_names_init(&r.benchmarks, r.arena);
	while (rg_cursor_next_line(&c, &line)) {
		rg_cursor rest = line;
		rg_read_up_to(&part, line.at);
		if (take_benchmark(&rest, &name, &iterations, &count))
			RG_TRY(append_benchmark(&r, rest, name, iterations, count));
		else if (packages && rg_cursor_take_word(&rest, "pkg: "))
			r.package = rg_arena_copy(r.arena, rest.at, rg_cursor_length(rest));
		else if (!is_of_go_test(line))
			rg_unread_line(&builder->golden->unread, line.at, rg_cursor_length(line));
	}
	return rg_long_table_finish(&r.cells, builder, r.names, r.count, options->like);
}

/* Bids by the first line of a benchmark. Only lines of go test may be before it. */
static int bid(const rg_input *in)
{
	const size_t size = in->size < PROBE_BYTES ? in->size : PROBE_BYTES;
	rg_cursor c = {in->data, in->data ? (const char *)in->data + size : NULL}, line, a, b;
	double count;

	while (rg_cursor_next_line(&c, &line)) {
		rg_cursor rest = line;
		if (take_benchmark(&rest, &a, &b, &count))
			return 60;
		if (line.at < line.end && !is_of_go_test(line) &&
		    !rg_cursor_take_word(&line, "Benchmark"))
			return 0;
	}
	return 0;
}

const rg_format rg_format_go_bench = {.name = "go-bench",
				      .bid = bid,
				      .read = read_golden,
				      .in_order = true,
				      .when_named = true,
				      .is_text = true};

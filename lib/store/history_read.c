/* SPDX-License-Identifier: Apache-2.0 */

#include "store/history.h"

#include "base/bytes.h"
#include "base/memory.h"
#include "golden/records.h"
#include "store/history_kept.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

/* The columns of rg_store_sql's `goldens`: goldens by run or by path, each with its own row first
 * and its metrics by name. */
#define TYPES "qbssqSsQQsd"
enum { BATCH, KIND, FILE_NAME, DIGEST, BYTES, RECORDS, METRIC, STEPS, VALUES, TEXT, METRICS };

/* ---- one golden out of its rows ---- */

/* A walk under way. */
typedef struct {
	const rg_history_run *runs;
	size_t count;
	uint64_t bytes_max;
	rg_history_take_fn *take;
	void *context;
	size_t taken; /* goldens that were handed out: after a second try they come again */
	/* Since the answer began. */
	size_t seen, at;          /* goldens, and the run that the last one is of */
	rg_history_golden golden; /* under way; its path NULL: none */
	char *path;
	rg_metric *metrics;
	size_t capacity, expected; /* expected: so many metrics should come */
} golden_walk;

static void forget_golden(golden_walk *walk)
{
	rg_golden_free(walk->golden.golden);
	rg_error_free(walk->golden.why);
	free(walk->metrics);
	free(walk->path);
	walk->metrics = NULL;
	walk->path = NULL;
	walk->capacity = 0;
	walk->golden = (rg_history_golden){0};
}

static void begin_walk(void *context)
{
	golden_walk *walk = context;
	forget_golden(walk);
	walk->seen = walk->at = 0;
}

/* Drops the golden under way, and keeps the reason. */
static void spoil(golden_walk *walk, rg_error *why)
{
	rg_golden_free(walk->golden.golden);
	walk->golden.golden = NULL;
	free(walk->metrics);
	walk->metrics = NULL;
	walk->capacity = 0;
	walk->golden.why = why;
}

/* Hands out the golden that is whole now. */
static rg_error *end_golden(golden_walk *walk)
{
	rg_history_golden *golden = &walk->golden;
	rg_error *err = NULL;

	if (!golden->path)
		return NULL;
	if (golden->golden && golden->golden->count != walk->expected)
		spoil(walk, rg_history_incomplete());
	if (golden->golden) {
		if (walk->metrics)
			rg_arena_adopt(&golden->golden->arena, walk->metrics);
		golden->golden->metrics = walk->metrics;
		walk->metrics = NULL;
	}
	if (walk->seen++ >= walk->taken) {
		rg_history_golden whole = *golden;
		walk->taken = walk->seen;
		golden->golden = NULL;
		golden->why = NULL;
		err = walk->take(walk->context, walk->at, &whole);
	}
	forget_golden(walk);
	return err;
}

static rg_error *read_records(rg_golden *golden, const rg_row_cell *cell)
{
	const size_t count = (size_t)cell->number;
	const char **names = rg_arena_alloc(&golden->arena, (count + 1) * sizeof(*names));
	const unsigned char *at = cell->bytes;
	rg_records *records;
	if (!at)
		return rg_history_damaged("a table");
	for (size_t i = 0; i < count; i++) {
		rg_row_cell name = {0};
		name.bytes = (const unsigned char *)rg_row_next_text(&at, &name.size);
		RG_TRY(rg_row_copy(&name, &golden->arena, &names[i]));
	}
	rg_error *err = rg_records_new(&records, &golden->arena, names, count);
	if (err && rg_error_get_code(err) == RG_E_PARSE) {
		rg_error_free(err);
		return rg_history_damaged("a table");
	}
	golden->records = records;
	return err;
}

/* The run that the batch is of: most often the same as before, or the next one. */
static bool find_run(golden_walk *walk, int64_t batch)
{
	for (size_t i = 0; i < walk->count; i++) {
		size_t at = (walk->at + i) % walk->count;
		if (walk->runs[at].key != batch)
			continue;
		walk->at = at;
		return true;
	}
	return false;
}

static rg_error *start_golden(golden_walk *walk, const rg_row_cell *cells)
{
	rg_history_golden *golden = &walk->golden;
	rg_error *err = NULL;

	if (!find_run(walk, (int64_t)cells[BATCH].number))
		return rg_history_damaged("the list of runs");
	walk->path = rg_strndup((const char *)cells[FILE_NAME].bytes, cells[FILE_NAME].size);
	*golden = (rg_history_golden){.path = walk->path, .bytes = cells[BYTES].number};
	walk->expected = (size_t)cells[METRICS].number;
	golden->golden = rg_calloc(1, sizeof(*golden->golden));
	golden->golden->format = RG_HISTORY_FORMAT;
	if (!rg_history_digest_take(golden->sha256, cells[DIGEST].bytes, cells[DIGEST].size))
		err = rg_history_damaged("a digest");
	else if (golden->bytes > walk->bytes_max)
		err = rg_error_new(RG_E_LIMIT, "%llu bytes, more than the limit of %llu",
				   (unsigned long long)golden->bytes,
				   (unsigned long long)walk->bytes_max);
	else if (cells[TEXT].size)
		err = read_records(golden->golden, &cells[RECORDS]);
	if (err)
		spoil(walk, err);
	return NULL;
}

/* ---- metrics ---- */

static rg_error *read_series(rg_metric *metric, rg_golden *golden, const rg_row_cell *cells)
{
	double *values = rg_arena_alloc(&golden->arena, cells[VALUES].size + 1);
	int64_t *steps = rg_arena_alloc(&golden->arena, cells[STEPS].size + 1);
	const size_t count = (size_t)cells[VALUES].number;

	if (!cells[STEPS].bytes || !cells[VALUES].bytes ||
	    cells[STEPS].number != cells[VALUES].number)
		return rg_history_damaged("a series");
	metric->kind = RG_METRIC_SERIES;
	metric->values = values;
	metric->count = count;
	metric->records = golden->records;
	for (size_t i = 0; i < count; i++) {
		values[i] = rg_row_double_at(cells[VALUES].bytes + i * 8);
		steps[i] = (int64_t)rg_le64(cells[STEPS].bytes + i * 8);
		if (i && steps[i] <= steps[i - 1])
			return rg_history_damaged("a series");
	}
	/* Steps 0 … count - 1 are left out here, and in goldens. */
	if (count && (steps[0] || steps[count - 1] != (int64_t)count - 1))
		metric->steps = steps;
	return !metric->records || rg_history_are_places(metric) ? NULL
								 : rg_history_damaged("a series");
}

static rg_error *append_metric(golden_walk *walk, const rg_row_cell *cells)
{
	rg_golden *golden = walk->golden.golden;
	const char *name;

	RG_TRY(rg_row_copy(&cells[METRIC], &golden->arena, &name));
	bool series = cells[KIND].number == RG_STORED_SERIES;
	if (golden->count) {
		const rg_metric *last = &walk->metrics[golden->count - 1];
		int order = strcmp(last->name, name);
		if (!order && (last->kind == RG_METRIC_SERIES) == series)
			return NULL; /* a row that was written twice */
		if (order >= 0)
			return rg_history_damaged("a golden");
	}
	rg_grow(&walk->metrics, &walk->capacity, golden->count + 1, sizeof(*walk->metrics));
	rg_metric *metric = &walk->metrics[golden->count];
	*metric = (rg_metric){.name = name};
	if (series) {
		RG_TRY(read_series(metric, golden, cells));
	} else {
		RG_TRY(rg_row_copy(&cells[TEXT], &golden->arena, &metric->text));
		metric->count = cells[TEXT].size;
		metric->kind = rg_history_text_kind(name);
	}
	golden->count++;
	return NULL;
}

static rg_error *take_row(void *context, const rg_row_cell *cells)
{
	golden_walk *walk = context;
	const bool same = walk->path && walk->runs[walk->at].key == (int64_t)cells[BATCH].number &&
			  strlen(walk->path) == cells[FILE_NAME].size &&
			  !memcmp(walk->path, cells[FILE_NAME].bytes, cells[FILE_NAME].size);

	if (!same) {
		RG_TRY(end_golden(walk));
		RG_TRY(start_golden(walk, cells));
	}
	if (walk->golden.why || cells[KIND].number == RG_STORED_GOLDEN)
		return NULL; /* or a golden's row was written twice */
	if (!same) {
		spoil(walk, rg_history_incomplete()); /* its own row is not here */
		return NULL;
	}
	rg_error *err = append_metric(walk, cells);
	if (err && rg_error_get_code(err) == RG_E_MISMATCH) {
		spoil(walk, err);
		return NULL;
	}
	return err;
}

/* ---- statements ---- */

static rg_error *run_walk(golden_walk *walk, rg_history_store *history, const char *what,
			  rg_buf *sql)
{
	const rg_row_reader reader = {TYPES, begin_walk, take_row, walk, RG_ANSWER_SERIES};
	const rg_store_sql *words = history->driver->sql;

	rg_buf_printf(sql, ", %s%s", words->by_metric, words->goldens_end);
	rg_error *err = rg_store_select(history, what, sql, &reader);
	if (!err)
		err = end_golden(walk);
	forget_golden(walk);
	return err;
}

/* The context of a walk whose statement begins at the run `first`. */
typedef struct {
	rg_history_take_fn *take;
	void *context;
	size_t first;
} later_runs;

static rg_error *take_later(void *context, size_t run, rg_history_golden *golden)
{
	const later_runs *later = context;
	return later->take(later->context, later->first + run, golden);
}

static rg_error *walk_some(rg_history_store *history, const char *const *paths, size_t path_count,
			   golden_walk *walk)
{
	const rg_store_sql *words = history->driver->sql;
	RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);

	rg_buf_str(&sql, words->goldens);
	rg_store_add_runs(&sql, words, walk->runs, walk->count);
	for (size_t i = 0; i < path_count; i++) {
		rg_buf_str(&sql, i ? ", " : " AND file IN (");
		words->quote(&sql, paths[i]);
	}
	rg_buf_printf(&sql, ") ORDER BY %s, when_text, run, batch", words->by_path);
	return run_walk(walk, history, path_count > 1 ? "goldens" : *paths, &sql);
}

/* Several statements would come to one path after the other only where there is one. */
rg_error *rg_history_walk(rg_history_store *history, const char *const *paths, size_t path_count,
			  const rg_history_run *runs, size_t count, uint64_t bytes_max,
			  rg_history_take_fn *take, void *context)
{
	size_t at_once = count > RG_STORE_KEYS ? 1 : path_count, some;

	for (size_t at = 0; at < path_count; at += at_once) {
		later_runs later = {take, context, 0};
		for (; later.first < count; later.first += some) {
			golden_walk walk = {.runs = runs + later.first,
					    .bytes_max = bytes_max,
					    .take = take_later,
					    .context = &later};

			some = count - later.first;
			if (some > RG_STORE_KEYS)
				some = RG_STORE_KEYS;
			walk.count = some;
			RG_TRY(walk_some(history, paths + at, at_once, &walk));
		}
	}
	return NULL;
}

static rg_error *take_only(void *context, size_t run, rg_history_golden *found)
{
	rg_golden **out = context;
	(void)run;
	*out = found->golden;
	return found->why;
}

rg_error *rg_history_get(rg_history_store *history, const rg_history_run *run, const char *path,
			 uint64_t bytes_max, rg_golden **out)
{
	*out = NULL;
	return rg_history_walk(history, &path, 1, run, 1, bytes_max, take_only, out);
}

/* ---- whole runs ---- */

/* How many goldens of each run were handed out. */
typedef struct {
	rg_history_take_fn *take;
	void *context;
	size_t *counts;
	size_t of; /* the run of the statement, where it has one alone */
} counted_walk;

static rg_error *take_counted(void *context, size_t run, rg_history_golden *golden)
{
	const counted_walk *counted = context;
	counted->counts[counted->of + run]++;
	return counted->take(counted->context, counted->of + run, golden);
}

static rg_error *walk_runs(rg_history_store *history, golden_walk *walk)
{
	const rg_store_sql *words = history->driver->sql;
	RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);

	rg_buf_str(&sql, words->goldens);
	rg_store_add_runs(&sql, words, walk->runs, walk->count);
	for (size_t i = 0; words->at_time && i < walk->count; i++) {
		rg_buf_printf(&sql, "%s%s", i ? ", " : " AND `when` IN (", words->at_time);
		words->quote(&sql, walk->runs[i].when);
		rg_buf_str(&sql, words->at_time_end);
	}
	rg_buf_printf(&sql, "%s ORDER BY %s", words->at_time ? ")" : "", words->place);
	rg_store_add_keys(&sql, walk->runs, walk->count);
	rg_buf_printf(&sql, "%s, %s", words->place_end, words->by_path);
	return run_walk(walk, history, walk->count > 1 ? "runs' goldens" : "a run's goldens", &sql);
}

/* A damaged page may be one golden's alone: this finds out whose. */
static rg_error *save_goldens(rg_history_store *history, const rg_history_run *run,
			      uint64_t bytes_max, counted_walk *counted)
{
	RG_AUTO(rg_arena) arena = {0};
	RG_AUTO_FREE const char **files = NULL;
	size_t count;

	RG_TRY(rg_history_files(history, run, 1, &arena, &files, &count));
	for (size_t i = 0; i < count; i++) {
		rg_error *err = rg_history_walk(history, &files[i], 1, run, 1, bytes_max,
						take_counted, counted);
		if (err && rg_error_get_code(err) == RG_E_PARSE) {
			rg_history_golden damaged = {.path = files[i], .why = err};
			err = take_counted(counted, 0, &damaged);
		}
		RG_TRY(err);
	}
	return NULL;
}

rg_error *rg_history_goldens(rg_history_store *history, const rg_history_run *runs, size_t count,
			     uint64_t bytes_max, rg_history_take_fn *take, void *context)
{
	RG_AUTO_FREE size_t *counts = rg_calloc(count + 1, sizeof(*counts));
	counted_walk counted = {take, context, counts, 0};
	golden_walk walk = {.runs = runs,
			    .count = count,
			    .bytes_max = bytes_max,
			    .take = take_counted,
			    .context = &counted};
	rg_error *err = walk_runs(history, &walk);

	if (err && rg_error_get_code(err) == RG_E_PARSE && !walk.taken) {
		rg_error_free(err);
		err = NULL;
		for (; !err && counted.of < count; counted.of++)
			err = save_goldens(history, &runs[counted.of], bytes_max, &counted);
	}
	RG_TRY(err);
	for (size_t i = 0; i < count; i++) {
		uint64_t rows;

		if (counts[i] == runs[i].goldens)
			continue;
		/* A run that has been put again since it was listed may have other goldens. */
		RG_TRY(rg_history_count_rows(history, &runs[i], 1, &rows));
		if (rows != runs[i].rows)
			return rg_history_incomplete();
	}
	return NULL;
}

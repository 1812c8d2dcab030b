/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_clickhouse.h"

#include "base/memory.h"
#include "base/path.h"
#include "golden/records.h"
#include "store/history_kept.h"
#include "store/history_tables.h"

#include <stdlib.h>
#include <string.h>

/* Columns of a statement that reads goldens, and their order: goldens by run or by path, each with
 * its own row first and its metrics by name. */
#define COLUMNS                                                                             \
	"SELECT batch, kind, file, sha256, bytes, records, metric, steps, `values`, text, " \
	"metrics "
#define TYPES "qbssqSsQQsd"
enum { BATCH, KIND, FILE_NAME, DIGEST, BYTES, RECORDS, METRIC, STEPS, VALUES, TEXT, METRICS };
#define METRICS_ORDER "kind != 'golden', metric"

/* A server remembers each row that it counts: these take some 100 MB. */
enum { COUNTED_MAX = 2000000 };

rg_error *rg_clickhouse_check(rg_clickhouse_store *store)
{
	rg_error *err = NULL;
	pthread_mutex_lock(&store->lock);
	if (!store->checked)
		err = rg_history_check_version(store->server);
	store->checked = !err;
	pthread_mutex_unlock(&store->lock);
	return err;
}

void rg_clickhouse_keys(rg_buf *sql, const rg_history_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		rg_buf_printf(sql, "%s%lld", i ? "," : "(", (long long)runs[i].key);
	rg_buf_char(sql, ')');
}

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

/* From now on there is no golden, and this is why. */
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
	const char **names = rg_arena_alloc(&golden->arena, (cell->number + 1) * sizeof(*names));
	const unsigned char *at = cell->bytes;
	rg_records *records;
	for (size_t i = 0; i < cell->number; i++) {
		rg_row_cell name = {0};
		name.bytes = (const unsigned char *)rg_row_next_text(&at, &name.size);
		RG_TRY(rg_row_copy(&name, &golden->arena, &names[i]));
	}
	rg_error *err = rg_records_new(&records, &golden->arena, names, cell->number);
	if (err && rg_error_get_code(err) == RG_E_PARSE) {
		rg_error_free(err);
		return rg_history_damaged("a table");
	}
	golden->records = records;
	return err;
}

/* The run that the batch is of: they come in the runs' order. */
static bool find_run(golden_walk *walk, int64_t batch)
{
	while (walk->at < walk->count && walk->runs[walk->at].key != batch)
		walk->at++;
	return walk->at < walk->count;
}

static rg_error *start_golden(golden_walk *walk, const rg_row_cell *cells)
{
	rg_history_golden *golden = &walk->golden;
	rg_error *err = NULL;

	if (!find_run(walk, (int64_t)cells[BATCH].number))
		return rg_history_damaged("the order of runs");
	walk->path = rg_strndup((const char *)cells[FILE_NAME].bytes, cells[FILE_NAME].size);
	*golden = (rg_history_golden){.path = walk->path, .bytes = cells[BYTES].number};
	walk->expected = (size_t)cells[METRICS].number;
	golden->golden = rg_calloc(1, sizeof(*golden->golden));
	golden->golden->format = RG_HISTORY_FORMAT;
	rg_arena_init(&golden->golden->arena);
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

static rg_error *read_steps(rg_metric *metric, rg_arena *arena, const rg_row_cell *cell)
{
	int64_t *steps = rg_arena_alloc(arena, cell->size + 1);
	size_t i;
	for (i = 0; i < metric->count; i++) {
		steps[i] = (int64_t)rg_row_number_at(cell->bytes + i * 8);
		if (i && steps[i] <= steps[i - 1])
			return rg_history_damaged("a series");
	}
	/* As goldens have them: 0 … count - 1 go without saying. */
	if (i && (steps[0] || steps[i - 1] != (int64_t)i - 1))
		metric->steps = steps;
	return NULL;
}

static rg_error *read_series(rg_metric *metric, rg_golden *golden, const rg_row_cell *cells)
{
	double *values = rg_arena_alloc(&golden->arena, cells[VALUES].size + 1);
	if (cells[STEPS].number != cells[VALUES].number)
		return rg_history_damaged("a series");
	metric->kind = RG_METRIC_SERIES;
	metric->values = values;
	metric->count = (size_t)cells[VALUES].number;
	metric->records = golden->records;
	for (size_t i = 0; i < metric->count; i++)
		values[i] = rg_row_double_at(cells[VALUES].bytes + i * 8);
	RG_TRY(read_steps(metric, &golden->arena, &cells[STEPS]));
	return !metric->records || rg_history_are_places(metric) ? NULL
								 : rg_history_damaged("a series");
}

static rg_error *add_metric(golden_walk *walk, const rg_row_cell *cells)
{
	rg_golden *golden = walk->golden.golden;
	const char *name;

	RG_TRY(rg_row_copy(&cells[METRIC], &golden->arena, &name));
	if (golden->count) {
		int order = strcmp(walk->metrics[golden->count - 1].name, name);
		if (!order)
			return NULL; /* a row that was written twice */
		if (order > 0)
			return rg_history_damaged("a golden");
	}
	rg_grow(&walk->metrics, &walk->capacity, golden->count + 1, sizeof(*walk->metrics));
	rg_metric *metric = &walk->metrics[golden->count];
	*metric = (rg_metric){.name = name};
	if (cells[KIND].number == RG_CLICKHOUSE_SERIES) {
		RG_TRY(read_series(metric, golden, cells));
	} else {
		RG_TRY(rg_row_copy(&cells[TEXT], &golden->arena, &metric->text));
		metric->count = cells[TEXT].size;
		metric->kind = rg_history_text_kind(name);
	}
	golden->count++;
	return NULL;
}

static bool is_of_golden(const golden_walk *walk, const rg_row_cell *cells)
{
	return walk->path && walk->runs[walk->at].key == (int64_t)cells[BATCH].number &&
	       strlen(walk->path) == cells[FILE_NAME].size &&
	       !memcmp(walk->path, cells[FILE_NAME].bytes, cells[FILE_NAME].size);
}

static rg_error *take_row(void *context, const rg_row_cell *cells)
{
	golden_walk *walk = context;
	bool same = is_of_golden(walk, cells);

	if (!same) {
		RG_TRY(end_golden(walk));
		RG_TRY(start_golden(walk, cells));
	}
	if (walk->golden.why || cells[KIND].number == RG_CLICKHOUSE_GOLDEN)
		return NULL; /* or a golden's row was written twice */
	if (!same) {
		spoil(walk, rg_history_incomplete()); /* its own row is not here */
		return NULL;
	}
	rg_error *err = add_metric(walk, cells);
	if (err && rg_error_get_code(err) == RG_E_MISMATCH) {
		spoil(walk, err);
		return NULL;
	}
	return err;
}

/* ---- statements ---- */

static rg_error *run_walk(golden_walk *walk, rg_clickhouse_store *store, const char *what,
			  const rg_buf *sql)
{
	const rg_clickhouse_reader reader = {TYPES, begin_walk, take_row, walk, RG_ANSWER_SERIES};
	rg_error *err = rg_buf_check(sql, what);

	if (!err)
		err = rg_clickhouse_select(store->server, what, sql->data, &reader);
	if (!err)
		err = end_golden(walk);
	forget_golden(walk);
	return err;
}

/* `runs` are of one repository, whose rows are together. */
static void add_runs(rg_buf *sql, const rg_history_run *runs, size_t count)
{
	size_t i = 1;
	while (i < count && !strcmp(runs[i].repository, runs[0].repository))
		i++;
	if (i == count) {
		rg_buf_str(sql, "repository = ");
		rg_clickhouse_quote(sql, runs[0].repository);
		rg_buf_str(sql, " AND ");
	}
	rg_buf_str(sql, "batch IN ");
	rg_clickhouse_keys(sql, runs, count);
}

/* What a walk gets for `first` more runs than its statement knows. */
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

static rg_error *walk_some(rg_clickhouse_store *store, const char *path, golden_walk *walk)
{
	rg_buf sql;
	rg_buf_init(&sql, RG_BUF_TEXT);
	rg_buf_str(&sql, COLUMNS "FROM series WHERE ");
	add_runs(&sql, walk->runs, walk->count);
	rg_buf_str(&sql, " AND file = ");
	rg_clickhouse_quote(&sql, path);
	rg_buf_str(&sql, " ORDER BY when_text, run, batch, " METRICS_ORDER);
	rg_error *err = run_walk(walk, store, path, &sql);
	rg_buf_release(&sql);
	return err;
}

rg_error *rg_clickhouse_walk(rg_history_store *history, const char *path,
			     const rg_history_run *runs, size_t count, uint64_t bytes_max,
			     rg_history_take_fn *take, void *context)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	later_runs later = {take, context, 0};
	size_t some;

	RG_TRY(rg_clickhouse_check(store));
	for (; later.first < count; later.first += some) {
		golden_walk walk = {.runs = runs + later.first,
				    .bytes_max = bytes_max,
				    .take = take_later,
				    .context = &later};

		some = count - later.first;
		if (some > RG_CLICKHOUSE_KEYS)
			some = RG_CLICKHOUSE_KEYS;
		walk.count = some;
		RG_TRY(walk_some(store, path, &walk));
	}
	return NULL;
}

rg_error *rg_clickhouse_goldens(rg_history_store *history, const rg_history_run *run,
				uint64_t bytes_max, rg_history_take_fn *take, void *context)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	golden_walk walk = {
		.runs = run, .count = 1, .bytes_max = bytes_max, .take = take, .context = context};
	rg_error *err;
	rg_buf sql;

	RG_TRY(rg_clickhouse_check(store));
	rg_buf_init(&sql, RG_BUF_TEXT);
	rg_buf_str(&sql, COLUMNS "FROM series WHERE ");
	add_runs(&sql, run, 1);
	rg_buf_str(&sql, " AND `when` = parseDateTimeBestEffortOrZero(");
	rg_clickhouse_quote(&sql, run->when);
	/* By path components: a slash comes before whatever a name holds. */
	rg_buf_str(&sql, ", 'UTC') ORDER BY replaceAll(file, '/', '\\0'), " METRICS_ORDER);
	err = run_walk(&walk, store, "a run's goldens", &sql);
	rg_buf_release(&sql);
	return !err && walk.seen < run->goldens ? rg_history_incomplete() : err;
}

/* ---- counting ---- */

typedef struct {
	const rg_history_run *runs;
	size_t count;
	uint64_t *rows;
} row_counts;

static rg_error *take_count(void *context, const rg_row_cell *cells)
{
	const row_counts *counts = context;
	for (size_t i = 0; i < counts->count; i++)
		if (counts->runs[i].key == (int64_t)cells[0].number)
			counts->rows[i] = cells[1].number;
	return NULL;
}

static rg_error *count_some(rg_clickhouse_store *store, row_counts *counts)
{
	const rg_clickhouse_reader reader = {"qq", NULL, take_count, counts, RG_ANSWER_LIST};
	rg_buf sql;

	rg_buf_init(&sql, RG_BUF_TEXT);
	/* One that was written twice counts once. */
	rg_buf_str(&sql, "SELECT batch, uniqExact(file, kind, metric) FROM series WHERE ");
	add_runs(&sql, counts->runs, counts->count);
	rg_buf_str(&sql, " GROUP BY batch");
	rg_error *err = rg_buf_check(&sql, "the rows");
	if (!err)
		err = rg_clickhouse_select(store->server, "the rows", sql.data, &reader);
	rg_buf_release(&sql);
	return err;
}

rg_error *rg_clickhouse_count_rows(rg_history_store *history, const rg_history_run *runs,
				   size_t count, uint64_t *rows)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	size_t next;

	RG_TRY(rg_clickhouse_check(store));
	memset(rows, 0, count * sizeof(*rows));
	for (size_t first = 0; first < count; first = next) {
		row_counts counts = {runs + first, 0, rows + first};
		uint64_t asked = 0;

		for (next = first;
		     next < count && next - first < RG_CLICKHOUSE_KEYS && asked < COUNTED_MAX;
		     next++)
			asked += runs[next].rows;
		counts.count = next - first;
		RG_TRY(count_some(store, &counts));
	}
	return NULL;
}

/* ---- paths ---- */

typedef struct {
	const char **items;
	size_t count, capacity, kept; /* kept: of earlier statements */
	rg_arena *arena;
} file_list;

static void begin_files(void *context)
{
	file_list *list = context;
	list->count = list->kept;
}

static rg_error *add_file(void *context, const rg_row_cell *cells)
{
	file_list *list = context;
	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	RG_TRY(rg_row_copy(&cells[0], list->arena, &list->items[list->count]));
	list->count++;
	return rg_path_check(list->items[list->count - 1]);
}

static rg_error *list_some(rg_clickhouse_store *store, file_list *list, const rg_history_run *runs,
			   size_t count)
{
	const rg_clickhouse_reader reader = {"s", begin_files, add_file, list, RG_ANSWER_LIST};
	rg_buf sql;

	rg_buf_init(&sql, RG_BUF_TEXT);
	rg_buf_str(&sql, "SELECT DISTINCT file FROM series WHERE kind = 'golden' AND ");
	add_runs(&sql, runs, count);
	rg_error *err = rg_buf_check(&sql, "the goldens");
	if (!err)
		err = rg_clickhouse_select(store->server, "the goldens", sql.data, &reader);
	rg_buf_release(&sql);
	if (!err && list->items)
		list->count = rg_path_sort_unique(list->items, list->count);
	list->kept = list->count;
	return err;
}

rg_error *rg_clickhouse_files(rg_history_store *history, const rg_history_run *runs, size_t count,
			      rg_arena *arena, const char ***out, size_t *file_count)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	file_list list = {.arena = arena};
	rg_error *err = rg_clickhouse_check(store);
	size_t some;

	for (size_t at = 0; !err && at < count; at += some) {
		some = count - at < RG_CLICKHOUSE_KEYS ? count - at : RG_CLICKHOUSE_KEYS;
		err = list_some(store, &list, runs + at, some);
	}
	*out = NULL;
	*file_count = 0;
	if (err) {
		free(list.items);
		return err;
	}
	*out = list.items;
	*file_count = list.count;
	return NULL;
}

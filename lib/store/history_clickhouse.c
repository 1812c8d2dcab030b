/* SPDX-License-Identifier: Apache-2.0 */
#include "store/store.h"

#include "base/memory.h"
#include "base/number.h"
#include "golden/records.h"
#include "golden/series_summary.h"
#include "store/clickhouse.h"
#include "store/history_kept.h"
#include "store/history_tables.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h> /* where macOS has getentropy, */
#include <unistd.h>     /* and here the others */

/* Whole runs that are sent together. */
typedef struct {
	rg_buf series, runs; /* rows of these tables */
	size_t count;
	uint64_t first, last; /* runs' ids */
} run_bundle;

/* A run as the server has it. */
typedef struct {
	rg_history_run run; /* its key 0: nothing that counts */
	uint32_t revision;  /* of what was there last; 0: nothing ever was */
	bool old;           /* somebody has begun to put it since */
} known_run;
typedef struct {
	known_run *items; /* sorted by rg_history_run_compare */
	size_t count;
	rg_arena arena;
} known_runs;

/*
 * Runs on ClickHouse. Rows are only ever added: a run's rows in `series` have a number of their
 * own, its batch, and count once a row in `runs` names that batch. Of several rows for one run in
 * `runs` one counts (history_tables.h). A batch is a run's key.
 */
typedef struct {
	rg_history_store base;
	rg_clickhouse *server;
	pthread_mutex_t lock; /* of what follows */
	bool checked;         /* the tables are of our version */
	run_bundle waiting;
	known_runs expected;
} clickhouse_store;

/* ---- what the server has of runs that are put ---- */

static rg_error *check_version(clickhouse_store *store)
{
	rg_error *err = NULL;
	pthread_mutex_lock(&store->lock);
	if (!store->checked)
		err = rg_history_check_version(store->server);
	store->checked = !err;
	pthread_mutex_unlock(&store->lock);
	return err;
}

/* It is asked for many at once where it is known which. */

static void known_runs_release(known_runs *known)
{
	free(known->items);
	rg_arena_release(&known->arena);
	*known = (known_runs){0};
}

static known_run *find_known(const known_runs *known, const rg_history_run *run)
{
	return known->count ? bsearch(run, known->items, known->count, sizeof(*known->items),
				      rg_history_run_compare)
			    : NULL;
}

static rg_error *read_known(void *context, const rg_row_cell *cells)
{
	known_runs *known = context;
	rg_history_run name = {.id = cells[3].number};

	RG_TRY(rg_row_copy(&cells[0], &known->arena, &name.repository));
	RG_TRY(rg_row_copy(&cells[1], &known->arena, &name.source));
	RG_TRY(rg_row_copy(&cells[2], &known->arena, &name.settings));
	known_run *found = find_known(known, &name);
	if (!found)
		return NULL;
	found->revision = (uint32_t)cells[8].number;
	if (cells[7].number)
		return NULL; /* removed */
	found->run.key = (int64_t)cells[4].number;
	found->run.attempt = (unsigned)cells[5].number;
	found->run.complete = cells[6].number != 0;
	found->run.rows = cells[9].number;
	found->run.goldens = (size_t)cells[10].number;
	return NULL;
}

/* `out` starts all zero. */
static rg_error *learn(known_runs *out, clickhouse_store *store, const rg_history_run *runs,
		       size_t count)
{
	rg_arena_init(&out->arena);
	out->items = rg_calloc(count + 1, sizeof(*out->items));
	for (; out->count < count; out->count++) {
		rg_history_run *run = &out->items[out->count].run;
		rg_history_run_copy(run, &runs[out->count], &(const rg_history_run){0},
				    &out->arena);
		run->key = 0;
	}
	qsort(out->items, count, sizeof(*out->items), rg_history_run_compare);
	const rg_row_reader reader = {"sssqqdbbdqd", NULL, read_known, out, RG_ANSWER_LIST};
	RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);

	/* Their names, which others may have made as long as they like, are compared here. */
	rg_buf_str(&sql, "SELECT repository, source, settings, id, batch, attempt, complete, "
			 "removed, revision, rows, goldens FROM runs WHERE id IN (");
	for (size_t i = 0; i < out->count; i++)
		rg_buf_printf(&sql, i ? ",%llu" : "%llu", (unsigned long long)out->items[i].run.id);
	rg_buf_str(&sql, ") " RG_HISTORY_NEWEST);
	RG_TRY(rg_buf_check(&sql, "the runs"));
	return rg_clickhouse_select(store->server, "the runs", sql.data, &reader);
}

static rg_error *expect_runs(rg_history_store *history, const rg_history_run *runs, size_t count)
{
	clickhouse_store *store = (clickhouse_store *)history;
	RG_AUTO(known_runs) known = {0};

	if (!count)
		return NULL;
	RG_TRY(check_version(store));
	RG_TRY(learn(&known, store, runs, count));
	pthread_mutex_lock(&store->lock);
	known_runs before = store->expected;
	store->expected = known;
	pthread_mutex_unlock(&store->lock);
	known = before;
	return NULL;
}

/* False where nothing is known of it, or not any more. */
static bool take(const known_runs *known, const rg_history_run *run, rg_history_run *there,
		 uint32_t *revision)
{
	known_run *found = find_known(known, run);
	if (!found || found->old)
		return false;
	found->old = true;
	*there = *run;
	there->key = found->run.key;
	if (there->key) {
		there->attempt = found->run.attempt;
		there->complete = found->run.complete;
		there->rows = found->run.rows;
		there->goldens = found->run.goldens;
	}
	*revision = found->revision;
	return true;
}

static rg_error *find_run(clickhouse_store *store, const rg_history_run *run, rg_history_run *there,
			  uint32_t *revision)
{
	RG_AUTO(known_runs) known = {0};
	pthread_mutex_lock(&store->lock);
	bool taken = take(&store->expected, run, there, revision);
	pthread_mutex_unlock(&store->lock);
	if (taken)
		return NULL;
	RG_TRY(learn(&known, store, run, 1));
	take(&known, run, there, revision);
	return NULL;
}

/* ---- putting ---- */

/*
 * Rows are gathered and sent in blocks, of many runs where these come one after another, those in
 * `series` first. Only when all shards have said that they have them come the rows in `runs`, with
 * which they count.
 */

enum {
	BLOCK_MAX = 16 << 20,  /* bytes that are sent together */
	ROWS_MAX = 1000000000, /* bytes of one golden's rows */
	/* So that no INSERT is for more months than servers take (max_partitions_per_insert_block).
	 */
	RUNS_MAX = 100,
};

#define SERIES_COLUMNS                                                                            \
	"INSERT INTO series (repository, run, commit, branch, when_text, file, kind, metric, "    \
	"steps, `values`, "                                                                       \
	"text, records, metrics, sha256, bytes, not_finite, mean, minimum, maximum, last_value, " \
	"batch) "                                                                                 \
	"FORMAT RowBinary"
#define RUN_COLUMNS                                                                            \
	"INSERT INTO runs (repository, source, settings, id, attempt, commit, branch, event, " \
	"when_text, fork, complete, removed, goldens, rows, revision, batch) FORMAT RowBinary"

typedef struct {
	rg_history_put base;
	clickhouse_store *store;
	rg_history_run run;   /* its key is the batch */
	rg_history_run there; /* of which goldens stay; its key 0: none */
	uint32_t revision;
	rg_buf rows;        /* of `series`, not sent yet */
	uint64_t row_count; /* of all so far */
	const char **paths; /* of the goldens so far */
	size_t count, capacity;
	rg_arena arena;
} clickhouse_put;

/* ---- rows ---- */

/* The columns of a row that say whose it is. */
typedef struct {
	const clickhouse_put *put;
	const char *path, *sha256;
	uint64_t bytes;
	rg_buf *out;
	size_t metrics; /* so far */
} row_of;

static void write_front(const row_of *of, unsigned kind, const char *metric)
{
	rg_row_text(of->out, of->put->run.repository);
	rg_row_number(of->out, of->put->run.id, 8);
	rg_row_text(of->out, of->put->run.commit);
	rg_row_text(of->out, of->put->run.branch);
	rg_row_text(of->out, of->put->run.when);
	rg_row_text(of->out, of->path);
	rg_row_number(of->out, kind, 1);
	rg_row_text(of->out, metric);
}

/* The digest is a golden's own, and "" beside its metrics. */
static void write_end(const row_of *of, const char *sha256, const rg_series_summary *summary)
{
	rg_row_text(of->out, sha256);
	rg_row_number(of->out, of->bytes, 8);
	rg_row_number(of->out, summary->not_finite, 8);
	rg_row_double(of->out, summary->mean);
	rg_row_double(of->out, summary->minimum);
	rg_row_double(of->out, summary->maximum);
	rg_row_double(of->out, summary->last);
	rg_row_number(of->out, (uint64_t)of->put->run.key, 8);
}

static const rg_series_summary no_summary = {0, NAN, NAN, NAN, NAN};

static rg_error *write_metric(void *context, const rg_metric *metric)
{
	row_of *of = context;
	rg_series_summary summary = no_summary;
	bool series = metric->kind == RG_METRIC_SERIES;

	of->metrics++;
	write_front(of, series ? RG_STORED_SERIES : RG_STORED_TEXT, metric->name);
	if (series) {
		RG_TRY(rg_series_summarise(&summary, metric));
		double values[1024];
		rg_row_length(of->out, metric->count);
		for (size_t i = 0; i < metric->count; i++)
			rg_row_number(of->out, (uint64_t)rg_metric_step(metric, i), 8);
		rg_row_length(of->out, metric->count);
		for (size_t first = 0; first < metric->count; first += 1024) {
			size_t left = metric->count - first, count = left < 1024 ? left : 1024;
			RG_TRY(rg_metric_read(metric, first, count, values));
			for (size_t i = 0; i < count; i++)
				rg_row_double(of->out, values[i]);
		}
		rg_row_text(of->out, "");
	} else {
		rg_row_length(of->out, 0);
		rg_row_length(of->out, 0);
		rg_row_text(of->out, metric->text);
	}
	rg_row_length(of->out, 0);
	rg_row_number(of->out, 0, 4);
	write_end(of, "", &summary);
	return NULL;
}

static void write_golden(const row_of *of, const rg_records *records)
{
	write_front(of, RG_STORED_GOLDEN, "");
	rg_row_length(of->out, 0);
	rg_row_length(of->out, 0);
	rg_row_text(of->out, records ? RG_ROW_TABLE : "");
	rg_row_length(of->out, records ? records->count : 0);
	for (size_t i = 0; records && i < records->count; i++)
		rg_row_text(of->out, records->names[i]);
	rg_row_number(of->out, of->metrics, 4);
	write_end(of, of->sha256, &no_summary);
}

static rg_error *send_series(const rg_buf *rows, clickhouse_store *store)
{
	RG_TRY(rg_buf_check(rows, "runs' series"));
	if (!rows->length)
		return NULL;
	return rg_clickhouse_insert(store->server, "runs' series", SERIES_COLUMNS, rows);
}

static void write_run(rg_buf *out, const clickhouse_put *put, bool complete)
{
	const rg_history_run *run = &put->run;
	rg_row_text(out, run->repository);
	rg_row_text(out, run->source);
	rg_row_text(out, run->settings);
	rg_row_number(out, run->id, 8);
	rg_row_number(out, run->attempt, 4);
	rg_row_text(out, run->commit);
	rg_row_text(out, run->branch);
	rg_row_text(out, run->event);
	rg_row_text(out, run->when);
	rg_row_number(out, run->fork, 1);
	rg_row_number(out, complete, 1);
	rg_row_number(out, 0, 1);
	rg_row_number(out, put->count, 4);
	rg_row_number(out, put->row_count, 8);
	rg_row_number(out, put->revision, 4);
	rg_row_number(out, (uint64_t)run->key, 8);
}

/* ---- the beginning ---- */

/* A number that nobody else draws. */
static rg_error *draw_batch(int64_t *batch)
{
	uint64_t bits;
	if (getentropy(&bits, sizeof(bits)))
		return rg_error_new(RG_E_IO, "the system has no random numbers");
	*batch = (int64_t)(bits >> 1 | 1);
	return NULL;
}

/* The rows that were sent count for nothing without their run. */
static void abandon_put(rg_history_put *base)
{
	clickhouse_put *put = (clickhouse_put *)base;
	rg_buf_release(&put->rows);
	free(put->paths);
	rg_arena_release(&put->arena);
	free(put);
}

static rg_error *begin_put(rg_history_put **out, rg_history_store *history,
			   const rg_history_run *run, rg_history_run *there)
{
	clickhouse_store *store = (clickhouse_store *)history;
	clickhouse_put *put;

	*out = NULL;
	RG_TRY(check_version(store));
	put = rg_calloc(1, sizeof(*put));
	put->base.driver = history->driver;
	put->store = store;
	rg_arena_init(&put->arena);
	rg_buf_init(&put->rows, ROWS_MAX);
	rg_history_run_copy(&put->run, run, &(const rg_history_run){0}, &put->arena);
	rg_error *err = draw_batch(&put->run.key);
	if (!err)
		err = find_run(store, run, there, &put->revision);
	if (!err) {
		put->revision++;
		put->there = put->run;
		put->there.key = there->key;
		put->there.goldens = there->goldens;
		put->there.rows = there->rows;
		*out = &put->base;
	} else {
		abandon_put(&put->base);
	}
	return err;
}

static rg_error *clear_put(rg_history_put *base)
{
	((clickhouse_put *)base)->there.key = 0;
	return NULL;
}

static bool has_path(const clickhouse_put *put, const char *path)
{
	size_t i = put->count;
	while (i && strcmp(put->paths[i - 1], path) != 0)
		i--;
	return i > 0;
}

static rg_error *add_to_put(rg_history_put *base, const char *path,
			    const char sha256[static RG_SHA256_HEX], uint64_t bytes,
			    const rg_golden *golden)
{
	clickhouse_put *put = (clickhouse_put *)base;
	row_of of = {put, path, sha256, bytes, &put->rows, 0};

	if (has_path(put, path))
		return rg_error_new(RG_E_CONFLICT, "%s: twice in one run", path);
	*RG_PUSH(put->paths, put->count, put->capacity) = rg_arena_text(&put->arena, path);
	RG_TRY(rg_history_keep(golden, write_metric, &of));
	write_golden(&of, golden->records);
	put->row_count += of.metrics + 1;
	if (put->rows.length < BLOCK_MAX)
		return rg_buf_check(&put->rows, "a golden's series");
	RG_TRY(send_series(&put->rows, put->store));
	rg_buf_clear(&put->rows);
	return NULL;
}

/* ---- the end ---- */

static rg_error *keep_golden(void *context, size_t run, rg_history_golden *golden)
{
	clickhouse_put *put = context;
	rg_error *err = NULL;

	(void)run;
	if (!has_path(put, golden->path)) {
		err = golden->why;
		golden->why = NULL;
		if (!err)
			err = add_to_put(&put->base, golden->path, golden->sha256, golden->bytes,
					 golden->golden);
	}
	rg_error_free(golden->why);
	rg_golden_free(golden->golden);
	return err;
}

/* Goldens that were there and are not given again. */
static rg_error *keep_others(clickhouse_put *put)
{
	return rg_history_goldens(&put->store->base, &put->there, 1, UINT64_MAX, keep_golden, put);
}

static run_bundle empty_bundle(void)
{
	return (run_bundle){.series = rg_buf_of(ROWS_MAX), .runs = rg_buf_of(RG_BUF_TEXT)};
}

static void run_bundle_release(run_bundle *bundle)
{
	rg_buf_release(&bundle->series);
	rg_buf_release(&bundle->runs);
}

static rg_error *send_bundle(const run_bundle *bundle, clickhouse_store *store)
{
	RG_TRY(rg_buf_check(&bundle->runs, "runs"));
	RG_TRY(send_series(&bundle->series, store));
	return rg_clickhouse_insert(store->server, "runs", RUN_COLUMNS, &bundle->runs);
}

static void add_to_bundle(run_bundle *bundle, const clickhouse_put *put, bool complete)
{
	rg_buf_add(&bundle->series, put->rows.data, put->rows.length);
	write_run(&bundle->runs, put, complete);
	if (!bundle->count++)
		bundle->first = put->run.id;
	bundle->last = put->run.id;
}

static rg_error *commit_put(rg_history_put *base, bool complete)
{
	clickhouse_put *put = (clickhouse_put *)base;
	rg_error *err = put->there.key ? keep_others(put) : NULL;
	RG_AUTO(run_bundle) only = empty_bundle();

	if (!err) {
		add_to_bundle(&only, put, complete);
		err = send_bundle(&only, put->store);
	}
	abandon_put(base);
	return err;
}

static rg_error *gather_put(rg_history_put *base, bool complete, bool *full)
{
	clickhouse_put *put = (clickhouse_put *)base;
	run_bundle *waiting = &put->store->waiting;
	rg_error *err = put->there.key ? keep_others(put) : NULL;

	if (!err) {
		pthread_mutex_lock(&put->store->lock);
		add_to_bundle(waiting, put, complete);
		*full = waiting->count >= RUNS_MAX || waiting->series.length >= BLOCK_MAX;
		pthread_mutex_unlock(&put->store->lock);
	}
	abandon_put(base);
	return err;
}

static rg_error *flush_puts(rg_history_store *history)
{
	clickhouse_store *store = (clickhouse_store *)history;
	rg_error *err = NULL;

	pthread_mutex_lock(&store->lock);
	RG_AUTO(run_bundle) bundle = store->waiting;
	store->waiting = empty_bundle();
	pthread_mutex_unlock(&store->lock);
	if (bundle.count)
		err = send_bundle(&bundle, store);
	if (bundle.count < 2)
		return rg_error_wrap(err, "run %llu is not sent", (unsigned long long)bundle.first);
	return rg_error_wrap(err, "%zu runs, from %llu to %llu, are not sent", bundle.count,
			     (unsigned long long)bundle.first, (unsigned long long)bundle.last);
}

/* ---- asking ---- */

/*
 * The answer comes as lines of cells with tabs between them, the columns' names and types first:
 * nobody has to say beforehand which types there are.
 */

typedef struct {
	char *at, *end;
} answer_lines;

/* Takes a backslash and what follows it for what they stand for, in place. */
static void unescape(char *text)
{
	static const char letters[] = "bfnrt0", meant[] = "\b\f\n\r\t";
	char *out = text;
	for (; *text; text++) {
		if (*text == '\\' && text[1]) {
			const char *letter = strchr(letters, *++text);
			*out++ = letter ? meant[letter - letters] : *text;
		} else {
			*out++ = *text;
		}
	}
	*out = '\0';
}

/* The cells of the next line, in place; 0 where there is none. */
static size_t next_line(answer_lines *lines, char *cells[static RG_REPLY_COLUMNS])
{
	char *end = lines->at < lines->end
			    ? memchr(lines->at, '\n', (size_t)(lines->end - lines->at))
			    : NULL;
	size_t count = 0;
	if (!end)
		return 0;
	*end = '\0';
	for (char *at = lines->at; at && count < RG_REPLY_COLUMNS;) {
		char *tab = strchr(at, '\t');
		if (tab)
			*tab++ = '\0';
		cells[count++] = at;
		at = tab;
	}
	lines->at = end + 1;
	return count;
}

static void read_cell(rg_reply_cell *out, char *text, const char *type)
{
	*out = (rg_reply_cell){.kind = RG_REPLY_NAN, .text = text};
	if (!strcmp(text, "\\N"))
		return;
	if (strstr(type, "Float")) {
		if (rg_double_parse(text, strlen(text), &out->real) && !isnan(out->real))
			out->kind = RG_REPLY_REAL;
	} else if (strstr(type, "Int")) {
		out->kind = RG_REPLY_WHOLE;
	} else {
		unescape(text);
		out->kind = RG_REPLY_TEXT;
	}
}

static rg_error *ask(rg_history_store *history, const char *what, const char *sql,
		     const rg_reply_taker *taker)
{
	clickhouse_store *store = (clickhouse_store *)history;
	RG_AUTO(rg_buf) answer = rg_buf_of(RG_ANSWER_LIST);

	RG_TRY(check_version(store));
	RG_TRY(rg_clickhouse_answer(store->server, what, sql, &answer));
	answer_lines lines = {answer.data, answer.data + answer.length};
	char *names[RG_REPLY_COLUMNS], *types[RG_REPLY_COLUMNS], *texts[RG_REPLY_COLUMNS];
	rg_reply_cell cells[RG_REPLY_COLUMNS];
	size_t count = next_line(&lines, names);

	if (!count || next_line(&lines, types) != count)
		return rg_history_damaged("the answer");
	RG_TRY(taker->columns(taker->context, (const char *const *)names, count));
	while (lines.at < lines.end) {
		if (next_line(&lines, texts) != count)
			return rg_history_damaged("the answer");
		for (size_t i = 0; i < count; i++)
			read_cell(&cells[i], texts[i], types[i]);
		RG_TRY(taker->row(taker->context, cells, count));
	}
	return NULL;
}

/* ---- selecting ---- */

static rg_error *select_rows(rg_history_store *history, const char *what, const char *sql,
			     const rg_row_reader *reader)
{
	clickhouse_store *store = (clickhouse_store *)history;
	RG_TRY(check_version(store));
	return rg_clickhouse_select(store->server, what, sql, reader);
}

static rg_error *insert_rows(rg_history_store *history, const char *what, const char *sql,
			     const char *types, const rg_buf *rows)
{
	clickhouse_store *store = (clickhouse_store *)history;
	(void)types;
	RG_TRY(check_version(store));
	return rg_clickhouse_insert(store->server, what, sql, rows);
}

static const rg_store_sql words = {
	.quote = rg_clickhouse_quote,
	.runs = "runs",
	.newest = RG_HISTORY_NEWEST,
	/* One that was written twice counts once. */
	.count = "SELECT batch, uniqExact(file, kind, metric), toUInt64(0) FROM series WHERE ",
	.count_end = " GROUP BY batch",
	.files = "SELECT DISTINCT file FROM series WHERE kind = 'golden' AND ",
	.goldens = "SELECT batch, kind, file, sha256, bytes, records, metric, steps, `values`, "
		   "text, metrics FROM series WHERE ",
	/* A slash comes before whatever a name holds. */
	.by_path = "replaceAll(file, '/', '\\0')",
	.by_metric = "kind != 'golden', metric",
	.goldens_end = "",
	.verdicts = "INSERT INTO verdicts (repository, file, metric, runs_of, "
		    "made, verdict, runs, spread, tolerance, failed_today, "
		    "failed_recommended, breaks) FORMAT RowBinary",
	.breaks = "INSERT INTO breaks (repository, file, metric, runs_of, made, "
		  "run, \"commit\", when_text, before, after, shift, p) FORMAT "
		  "RowBinary",
	.last_verdicts = RG_LAST_VERDICTS("nan"),
	.last_breaks = RG_LAST_BREAKS("nan"),
	.place = "indexOf([",
	.place_end = "], batch)",
	.at_time = "parseDateTimeBestEffortOrZero(",
	.at_time_end = ", 'UTC')",
};

/* ---- removing ---- */

/* A row that says so: what it takes back stays until rg_history_delete_removed. */
static rg_error *remove_some(clickhouse_store *store, const rg_history_run *runs, size_t count)
{
	RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);
	rg_buf_str(&sql, "INSERT INTO runs (repository, source, settings, id, attempt, commit, "
			 "branch, event, when_text, fork, complete, removed, goldens, rows, "
			 "revision, batch) SELECT repository, source, settings, id, attempt, "
			 "commit, branch, "
			 "event, when_text, fork, complete, toUInt8(1), goldens, rows, "
			 "toUInt32(revision + 1), batch FROM runs WHERE removed = 0 AND batch IN ");
	rg_buf_char(&sql, '(');
	rg_store_add_keys(&sql, runs, count);
	rg_buf_char(&sql, ')');
	RG_TRY(rg_buf_check(&sql, "the runs"));
	return rg_clickhouse_run(store->server, "removing runs", sql.data);
}

static rg_error *remove_runs(rg_history_store *history, const rg_history_run *runs, size_t count,
			     bool dry_run, uint64_t *freed)
{
	clickhouse_store *store = (clickhouse_store *)history;
	size_t some;

	*freed = 0;
	RG_TRY(check_version(store));
	for (size_t at = 0; !dry_run && at < count; at += some) {
		some = count - at < RG_STORE_KEYS ? count - at : RG_STORE_KEYS;
		RG_TRY(remove_some(store, runs + at, some));
	}
	return NULL;
}

/* ---- the store ---- */

static void close_store(rg_history_store *history)
{
	clickhouse_store *store = (clickhouse_store *)history;
	known_runs_release(&store->expected);
	run_bundle_release(&store->waiting);
	rg_clickhouse_free(store->server);
	pthread_mutex_destroy(&store->lock);
	free(store);
}

static const rg_store_driver driver = {
	.sql = &words,
	.far = true,
	.close = close_store,
	.select = select_rows,
	.insert = insert_rows,
	.expect = expect_runs,
	.begin = begin_put,
	.clear = clear_put,
	.add = add_to_put,
	.commit = commit_put,
	.gather = gather_put,
	.flush = flush_puts,
	.abandon = abandon_put,
	.remove = remove_runs,
	.ask = ask,
};

rg_error *rg_history_clickhouse_open(rg_history_store **out, const char *address,
				     const rg_history_access *access)
{
	clickhouse_store *store = rg_calloc(1, sizeof(*store));
	*out = NULL;
	pthread_mutex_init(&store->lock, NULL);
	store->base.driver = &driver;
	store->waiting = empty_bundle();
	rg_arena_init(&store->expected.arena);
	rg_error *err =
		rg_clickhouse_open(&store->server, address, &access->http, access->insecure);
	if (err)
		close_store(&store->base);
	else
		*out = &store->base;
	return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/history_files.h"

#include "base/memory.h"
#include "archive/zstd_writer.h"
#include "base/cancel.h"
#include "base/file.h"
#include "flow/history_rows.h"

#include <stdlib.h>
#include <string.h>

enum {
	DAY = sizeof("2026-11-23"),
	LINE_MAX_BYTES = 1 << 30,
	/* So much is one statement: a server is far away, and sorts them all before it says a word.
	 */
	RUNS_AT_ONCE = 50,
	ROWS_AT_ONCE = 20000,
};

typedef struct {
	const rg_flow *flow;
	const rg_history_export_options *options;
	rg_history_exported *out;
	rg_history_run *run, *end; /* under way, and after the last one */
	rg_history_run *asked;     /* the first of those that were asked for together */
	bool any_golden;           /* of the run */
	/* The file under way, where `open`: */
	bool open;
	char *path;
	rg_output output;
	rg_zstd_writer *writer;
	rg_history_run *first; /* of the file */
	bool wrong;            /* rows say that a run is whole which is not */
	rg_buf line;
	/* The first runs of files that are to be written again for that reason. */
	rg_history_run **again;
	size_t count, capacity;
	bool is_again;
} export_state;

static void export_state_release(export_state *e)
{
	rg_buf_release(&e->line);
	free(e->again);
}

static rg_error *write_row(export_state *e, const rg_history_golden *golden,
			   const rg_metric *metric)
{
	const rg_history_row row = {.run = e->run, .golden = golden, .metric = metric};
	rg_buf_clear(&e->line);
	rg_history_rows_add(&e->line, e->options->csv, &row);
	RG_TRY(rg_buf_check(&e->line, golden ? golden->path : e->path));
	return rg_zstd_writer_add(e->writer, e->line.data, e->line.length);
}

/* ---- a day ---- */

/* The date that a time begins with; "undated" where it does not. */
static void day_of(const rg_history_run *run, char out[static DAY])
{
	static const char digits[] = "0000-00-00";
	size_t i;

	for (i = 0; digits[i]; i++)
		if (digits[i] == '0' ? run->when[i] < '0' || run->when[i] > '9'
				     : run->when[i] != '-')
			break;
	memcpy(out, digits[i] ? "undated" : run->when, digits[i] ? sizeof("undated") : DAY - 1);
	out[DAY - 1] = '\0';
}

static bool is_of_same_day(const rg_history_run *a, const rg_history_run *b)
{
	char day[DAY], other[DAY];
	day_of(a, day);
	day_of(b, other);
	return !strcmp(day, other);
}

/* Begins the file of the run's day, too, unless that is under way. */
static rg_error *begin_run(export_state *e)
{
	char day[DAY];

	e->any_golden = false;
	RG_TRY(rg_cancel_check());
	if (e->open)
		return NULL;
	day_of(e->run, day);
	e->path = rg_textf("%s/%s.%s.zst", e->options->folder, day,
			   e->options->csv ? "csv" : "jsonl");
	e->writer = NULL;
	e->first = e->run;
	e->wrong = false;
	rg_error *err = rg_output_open(&e->output, e->path);
	e->open = !err;
	if (err) {
		free(e->path);
		return err;
	}
	RG_TRY(rg_zstd_writer_open(&e->writer, e->output.fd, e->path));
	rg_buf_clear(&e->line);
	if (e->options->csv)
		rg_history_rows_head(&e->line);
	return rg_zstd_writer_add(e->writer, e->line.data, e->line.length);
}

/* After an error, or if rows are wrong, the file that was there stays. */
static rg_error *end_file(export_state *e, rg_error *err)
{
	if (!e->open)
		return err;
	bool again = !err && e->wrong;
	if (again)
		err = rg_error_new(RG_E_CANCELLED, "written again");
	err = rg_zstd_writer_close(e->writer, err);
	err = rg_output_close(&e->output, err);
	free(e->path);
	e->open = false;
	if (again) {
		rg_error_free(err);
		*RG_PUSH(e->again, e->count, e->capacity) = e->first;
		return NULL;
	}
	if (!err) {
		e->out->runs += (size_t)(e->run - e->first);
		e->out->files++;
	}
	return err;
}

/* ---- runs, each in the file of its day ---- */

static rg_error *go_to(export_state *e, const rg_history_run *run)
{
	while (e->run < run) {
		if (!e->any_golden)
			RG_TRY(write_row(e, NULL, NULL));
		e->run++;
		if (e->run == e->end || !is_of_same_day(e->run, e->first))
			RG_TRY(end_file(e, NULL));
		if (e->run < e->end)
			RG_TRY(begin_run(e));
	}
	return NULL;
}

/* A golden that cannot be read must not keep the others here. */
static rg_error *write_golden(void *context, size_t run, rg_history_golden *golden)
{
	export_state *e = context;
	RG_AUTO_PTR(rg_golden) read = golden->golden;
	RG_AUTO_PTR(rg_error) why = golden->why;

	RG_TRY(go_to(e, e->asked + run));
	if (why) {
		if (!e->is_again) {
			rg_log_say(&e->flow->log, RG_LOG_MISSING, "run %llu: %s: %s; left out",
				   (unsigned long long)e->run->id, golden->path,
				   rg_error_message(why));
			e->out->left_out++;
		}
		e->wrong |= e->run->complete;
		e->run->complete = false;
		return NULL;
	}
	e->any_golden = true;
	if (!read->count)
		return write_row(e, golden, NULL);
	for (size_t i = 0; i < read->count; i++)
		RG_TRY(write_row(e, golden, &read->metrics[i]));
	return NULL;
}

static rg_error *write_runs(export_state *e, rg_history_run *runs, rg_history_run *end)
{
	size_t count;

	e->run = runs;
	e->end = end;
	rg_error *err = runs < end ? begin_run(e) : NULL;
	for (e->asked = runs; !err && e->asked < end; e->asked += count) {
		uint64_t rows = e->asked->rows;
		for (count = 1; e->asked + count < end && count < RUNS_AT_ONCE &&
				rows + e->asked[count].rows <= ROWS_AT_ONCE;
		     count++)
			rows += e->asked[count].rows;
		err = rg_history_goldens(e->options->history, e->asked, count, UINT64_MAX,
					 write_golden, e);
	}
	if (!err)
		err = go_to(e, end);
	return end_file(e, err);
}

/* The order is by day and then by name: not by when a run came into the history. */
static int compare_runs(const void *a, const void *b)
{
	const rg_history_run *x = a, *y = b;
	char day[DAY], other[DAY];

	day_of(x, day);
	day_of(y, other);
	int order = strcmp(day, other);
	if (!order)
		order = strcmp(x->when, y->when);
	return order ? order : rg_history_run_compare(x, y);
}

rg_error *rg_history_export(rg_history_exported *out, const rg_flow *flow,
			    const rg_history_export_options *options)
{
	RG_AUTO(export_state) e = {.flow = flow, .options = options, .out = out};
	RG_AUTO(rg_arena) arena = {0};

	rg_buf_init(&e.line, LINE_MAX_BYTES);
	*out = (rg_history_exported){0};
	const rg_history_query any = {0};
	size_t count, kept = 0;
	rg_history_run *runs;

	RG_TRY(rg_history_list(e.options->history, &any, &arena, &runs, &count));
	for (size_t i = 0; i < count; i++)
		if (rg_history_run_is_of(&runs[i], e.options->repository))
			runs[kept++] = runs[i];
	/* Runs that are not whole go. In a damaged file each golden says so for itself. */
	const size_t before = kept;
	RG_AUTO_PTR(rg_error)
	err = rg_history_keep_whole(e.options->history, &flow->log, runs, &kept);
	out->left_out += before - kept;
	if (err && rg_error_get_code(err) != RG_E_PARSE)
		return RG_TAKE(err);
	RG_TRY(rg_make_dirs(e.options->folder, 0777));
	if (kept)
		qsort(runs, kept, sizeof(*runs), compare_runs);
	RG_TRY(write_runs(&e, runs, runs + kept));
	/* Now it is known which of their runs are not whole. */
	e.is_again = true;
	for (size_t i = 0; i < e.count; i++) {
		rg_history_run *end = e.again[i];
		while (end < runs + kept && is_of_same_day(end, e.again[i]))
			end++;
		RG_TRY(write_runs(&e, e.again[i], end));
	}
	return NULL;
}

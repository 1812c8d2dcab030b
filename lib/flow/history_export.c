/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/history_files.h"

#include "base/memory.h"
#include "archive/zstd_writer.h"
#include "base/cancel.h"
#include "base/file.h"
#include "flow/history_rows.h"

#include <stdlib.h>
#include <string.h>

enum { DAY = sizeof("2026-11-23"), LINE_MAX_BYTES = 1 << 30 };

typedef struct {
	const rg_flow *flow;
	const rg_history_export_options *options;
	rg_history_exported *out;
	/* The file under way: */
	char *path;
	rg_output output;
	rg_zstd_writer *writer;
	rg_history_run *run;
	bool any_golden;
	bool again, wrong; /* it is written again where rows say that a run is whole which is not */
	rg_buf line;
} exporter;

static rg_error *add_row(exporter *e, const rg_history_golden *golden, const rg_metric *metric)
{
	const rg_history_row row = {.run = e->run, .golden = golden, .metric = metric};
	rg_buf_clear(&e->line);
	rg_history_rows_add(&e->line, e->options->csv, &row);
	RG_TRY(rg_buf_check(&e->line, golden ? golden->path : e->path));
	return rg_zstd_writer_add(e->writer, e->line.data, e->line.length);
}

static rg_error *add_metrics(exporter *e, const rg_history_golden *golden)
{
	e->any_golden = true;
	if (!golden->golden->count)
		return add_row(e, golden, NULL);
	for (size_t i = 0; i < golden->golden->count; i++)
		RG_TRY(add_row(e, golden, &golden->golden->metrics[i]));
	return NULL;
}

static void leave_out(exporter *e, const rg_history_golden *golden)
{
	if (!e->again) {
		rg_log_say(&e->flow->log, RG_LOG_MISSING, "run %llu: %s: %s; left out",
			   (unsigned long long)e->run->id, golden->path,
			   rg_error_message(golden->why));
		e->out->left_out++;
	}
	e->wrong |= e->run->complete;
	e->run->complete = false;
	rg_error_free(golden->why);
}

/* One that cannot be read must not keep the others here. */
static rg_error *add_golden(void *context, size_t run, rg_history_golden *golden)
{
	exporter *e = context;
	rg_error *err = NULL;

	(void)run;
	if (golden->why)
		leave_out(e, golden);
	else
		err = add_metrics(e, golden);
	rg_golden_free(golden->golden);
	return err;
}

static rg_error *add_run(exporter *e, rg_history_run *run)
{
	RG_TRY(rg_cancel_check());
	e->run = run;
	e->any_golden = false;
	RG_TRY(rg_history_goldens(e->options->history, run, 1, UINT64_MAX, add_golden, e));
	return e->any_golden ? NULL : add_row(e, NULL, NULL);
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

static rg_error *write_runs(exporter *e, rg_history_run *runs, size_t count)
{
	RG_TRY(rg_zstd_writer_open(&e->writer, e->output.fd, e->path));
	rg_buf_clear(&e->line);
	if (e->options->csv)
		rg_history_rows_head(&e->line);
	RG_TRY(rg_zstd_writer_add(e->writer, e->line.data, e->line.length));
	for (size_t i = 0; i < count; i++)
		RG_TRY(add_run(e, &runs[i]));
	return NULL;
}

static rg_error *write_file(exporter *e, rg_history_run *runs, size_t count)
{
	RG_TRY(rg_output_open(&e->output, e->path));
	e->writer = NULL;
	e->wrong = false;
	rg_error *err = write_runs(e, runs, count);
	err = rg_zstd_writer_close(e->writer, err);
	return rg_output_close(&e->output, err);
}

static rg_error *write_day(exporter *e, const char *day, rg_history_run *runs, size_t count)
{
	e->path = rg_textf("%s/%s.%s.zst", e->options->folder, day,
			   e->options->csv ? "csv" : "jsonl");
	e->again = false;
	rg_error *err = write_file(e, runs, count);
	if (!err && e->wrong) {
		e->again = true;
		err = write_file(e, runs, count);
	}
	free(e->path);
	if (!err) {
		e->out->runs += count;
		e->out->files++;
	}
	return err;
}

/* By day, and then by what a run is called: not by when it came into the history. */
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

static rg_error *write_days(exporter *e, rg_history_run *runs, size_t count)
{
	size_t next;
	if (count)
		qsort(runs, count, sizeof(*runs), compare_runs);
	for (size_t first = 0; first < count; first = next) {
		char day[DAY], other[DAY];
		day_of(&runs[first], day);
		for (next = first + 1; next < count; next++) {
			day_of(&runs[next], other);
			if (strcmp(day, other) != 0)
				break;
		}
		RG_TRY(write_day(e, day, runs + first, next - first));
	}
	return NULL;
}

/* Those that are not whole go. In a damaged file each golden says for itself whether it is. */
static rg_error *leave_out_runs(exporter *e, rg_history_run *runs, size_t *count)
{
	size_t before = *count;
	rg_error *err = rg_history_keep_whole(e->options->history, &e->flow->log, runs, count);

	e->out->left_out += before - *count;
	if (!err || rg_error_get_code(err) != RG_E_PARSE)
		return err;
	rg_error_free(err);
	return NULL;
}

static rg_error *export_all(exporter *e, rg_arena *arena)
{
	const rg_history_query any = {0};
	size_t count, kept = 0;
	rg_history_run *runs;

	RG_TRY(rg_history_list(e->options->history, &any, arena, &runs, &count));
	for (size_t i = 0; i < count; i++)
		if (rg_history_run_is_of(&runs[i], e->options->repository))
			runs[kept++] = runs[i];
	RG_TRY(leave_out_runs(e, runs, &kept));
	RG_TRY(rg_make_dirs(e->options->folder, 0777));
	return write_days(e, runs, kept);
}

rg_error *rg_history_export(rg_history_exported *out, const rg_flow *flow,
			    const rg_history_export_options *options)
{
	exporter e = {.flow = flow, .options = options, .out = out};
	rg_arena arena;

	*out = (rg_history_exported){0};
	rg_arena_init(&arena);
	rg_buf_init(&e.line, LINE_MAX_BYTES);
	rg_error *err = export_all(&e, &arena);
	rg_buf_release(&e.line);
	rg_arena_release(&arena);
	return err;
}

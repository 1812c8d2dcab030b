/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/history_json.h"

#include "base/path.h"
#include "golden/records.h"

typedef struct {
	rg_json_out json;
	rg_history_choice *choice;
} writer;

static void add_series(rg_json_out *json, const rg_metric *series)
{
	rg_json_key_open_flat(json, rg_step_word(series->records, false), '[');
	for (size_t i = 0; i < series->count; i++)
		if (series->records)
			rg_json_text(json, series->records->names[rg_metric_step(series, i)]);
		else
			rg_json_integer(json, rg_metric_step(series, i));
	rg_json_close(json, ']');
	rg_json_key_open_flat(json, "values", '[');
	for (size_t i = 0; i < series->count; i++)
		rg_json_number(json, series->values[i]);
	rg_json_close(json, ']');
}

static void add_metric(rg_json_out *json, const rg_metric *metric)
{
	rg_json_open(json, '{');
	rg_json_key_text(json, "metric", metric->name);
	if (metric->kind == RG_METRIC_SERIES)
		add_series(json, metric);
	else
		rg_json_key_text(json, "text", metric->text);
	rg_json_close(json, '}');
}

static rg_error *add_golden(void *context, size_t run, rg_history_golden *golden)
{
	writer *w = context;
	rg_json_out *json = &w->json;

	(void)run;
	if (golden->why)
		return rg_error_wrap(golden->why, "%s", golden->path);
	if (!w->choice->file || rg_path_ends_with(golden->path, w->choice->file)) {
		w->choice->shown++;
		rg_json_open(json, '{');
		rg_json_key_text(json, "file", golden->path);
		rg_json_key_text(json, "sha256", golden->sha256);
		rg_json_key_count(json, "bytes", golden->bytes);
		rg_json_key_open(json, "metrics", '[');
		for (size_t i = 0; i < golden->golden->count; i++)
			add_metric(json, &golden->golden->metrics[i]);
		rg_json_close(json, ']');
		rg_json_close(json, '}');
	}
	rg_golden_free(golden->golden);
	return rg_buf_check(json->out, "the document");
}

static rg_error *add_run(writer *w, rg_history_store *history, const rg_history_run *run)
{
	rg_json_out *json = &w->json;
	rg_error *err = NULL;

	rg_json_open(json, '{');
	rg_json_key_count(json, "id", run->id);
	rg_json_key_text(json, "repository", run->repository);
	rg_json_key_text(json, "source", run->source);
	rg_json_key_text(json, "settings", run->settings);
	rg_json_key_count(json, "attempt", run->attempt);
	rg_json_key_text(json, "commit", run->commit);
	rg_json_key_text(json, "branch", run->branch);
	rg_json_key_text(json, "event", run->event);
	rg_json_key_text(json, "when", run->when);
	rg_json_key_truth(json, "fork", run->fork);
	rg_json_key_truth(json, "complete", run->complete);
	rg_json_key_count(json, "goldens", run->goldens);
	if (w->choice) {
		rg_json_key_open(json, "files", '[');
		err = rg_error_wrap(rg_history_goldens(history, run, UINT64_MAX, add_golden, w),
				    "run %llu", (unsigned long long)run->id);
		rg_json_close(json, ']');
	}
	rg_json_close(json, '}');
	return err;
}

rg_error *rg_history_json(rg_buf *out, rg_history_store *history, const rg_history_run *runs,
			  size_t count, rg_history_choice *choice)
{
	writer w = {.choice = choice};
	rg_json_document(&w.json, out, "regild-history");
	rg_json_key_open(&w.json, "runs", '[');
	for (size_t i = 0; i < count; i++)
		RG_TRY(add_run(&w, history, &runs[i]));
	rg_json_close(&w.json, ']');
	rg_json_close(&w.json, '}');
	return rg_buf_check(out, "the document");
}

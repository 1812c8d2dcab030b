/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/history_json.h"

#include "base/fields.h"
#include "base/path.h"
#include "golden/records.h"

#include <string.h>
#include <time.h>

enum { TIME = 40 };

/* The time so many days ago, as runs have theirs: such texts sort by time. */
static rg_error *days_ago(unsigned days, char out[static TIME])
{
	time_t then = time(NULL) - (time_t)days * 24 * 60 * 60;
	struct tm tm;

	if (!gmtime_r(&then, &tm) || !strftime(out, TIME, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return rg_error_new(RG_E_USAGE, "%u days ago is no time", days);
	return NULL;
}

static rg_error *prune(rg_history_pruned *out, rg_history_store *history, const char *repository,
		       unsigned days, bool dry_run, rg_arena *arena)
{
	const rg_history_query any = {0};
	size_t count, old = 0;
	rg_history_run *runs;
	char first[TIME];

	RG_TRY(days_ago(days, first));
	RG_TRY(rg_history_list(history, &any, arena, &runs, &count));
	for (size_t i = 0; i < count; i++) {
		const rg_history_run *run = &runs[i];
		if (rg_history_run_is_of(run, repository) && *run->when &&
		    strcmp(run->when, first) < 0) {
			runs[old++] = *run;
			continue;
		}
		out->kept++;
		out->undated += !*run->when;
	}
	out->runs = old;
	return old ? rg_history_remove(history, runs, old, dry_run, &out->freed) : NULL;
}

rg_error *rg_history_prune(rg_history_pruned *out, rg_history_store *history,
			   const char *repository, unsigned days, bool dry_run)
{
	rg_arena arena;
	*out = (rg_history_pruned){0};
	rg_arena_init(&arena);
	rg_error *err = prune(out, history, repository, days, dry_run, &arena);
	rg_arena_release(&arena);
	return err;
}

/* --- the keys --- */

static const rg_json_field metric_fields[] = {
	RG_SAID("metric", TEXT, "Its name."),
	RG_SAID_OPTIONAL("steps", STEPS, "Of a series, ascending."),
	RG_SAID_OPTIONAL("records", TEXTS,
			 "Of a table's column, instead of steps: the keys of its records."),
	RG_SAID_OPTIONAL("values", NUMBERS, "As many as there are steps or records."),
	RG_SAID_OPTIONAL("text", TEXT,
			 "Of what is not a series; the SHA-256 of a file that no reader takes."),
	{0}};

#define OF rg_history_golden
static const rg_json_field file_fields[] = {
	RG_KEY_AS("file", path, "The golden's path from the repository's root."),
	RG_KEY(sha256, "Of the golden's file."),
	RG_KEY_OF("bytes", RG_JSON_WHOLE, bytes, RG_JSON_ALWAYS, "The file's size."),
	RG_SAID_OF("metrics", LIST, ALWAYS, metric_fields, "By name."),
	{0}};
#undef OF

#define OF rg_history_run
static const rg_json_field run_fields[] = {
	RG_KEY_OF("id", RG_JSON_WHOLE, id, RG_JSON_ALWAYS, "Its number."),
	RG_KEY(repository, "'github.com/OWNER/NAME'."),
	RG_KEY(source, "'github' or 'gitlab'."),
	RG_KEY(settings, "A digest of the settings that decide which of its files are goldens."),
	RG_KEY_OF("attempt", RG_JSON_WHOLE, attempt, RG_JSON_ALWAYS,
		  "Which attempt of the run it was."),
	RG_KEY(commit, "Its commit, or ''."),
	RG_KEY(branch, "Its branch, or ''."),
	RG_KEY(event, "What started it, or ''."),
	RG_KEY(when, "When it began, in ISO 8601, or ''."),
	RG_KEY(fork, "Is its commit another repository's?"),
	RG_KEY(complete, "False where something could not be fetched."),
	RG_KEY_OF("goldens", RG_JSON_WHOLE, goldens, RG_JSON_ALWAYS, "How many the history has."),
	RG_SAID_OF("files", LIST, OPTIONAL, file_fields,
		   "'show' alone: the goldens that were asked for, by path."),
	{0}};
#undef OF

const rg_json_field rg_history_fields[] = {
	RG_SAID_OF("runs", LIST, ALWAYS, run_fields, "Oldest first."), {0}};

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
		rg_json_put_fields(json, file_fields, golden, NULL);
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
	rg_json_put_fields(json, run_fields, run, NULL);
	if (w->choice) {
		rg_json_key_open(json, "files", '[');
		err = rg_error_wrap(rg_history_goldens(history, run, 1, UINT64_MAX, add_golden, w),
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

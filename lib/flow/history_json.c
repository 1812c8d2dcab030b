/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/history_json.h"

#include "base/fields.h"
#include "base/path.h"
#include "golden/records.h"

#include <string.h>
#include <time.h>

enum { TIME = 40 };

rg_error *rg_history_prune(rg_history_pruned *out, rg_history_store *history,
			   const char *repository, unsigned days, bool dry_run)
{
	const rg_history_query any = {0};
	RG_AUTO(rg_arena) arena = {0};
	size_t count, old = 0;
	rg_history_run *runs;
	char first[TIME];

	*out = (rg_history_pruned){0};
	/* Runs have their times as such texts, which sort by time. */
	time_t then = time(NULL) - (time_t)days * 24 * 60 * 60;
	struct tm tm;

	if (!gmtime_r(&then, &tm) || !strftime(first, TIME, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return rg_error_new(RG_E_USAGE, "%u days ago is no time", days);
	RG_TRY(rg_history_list(history, &any, &arena, &runs, &count));
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

/* --- the keys --- */

/* The context of a golden's table of keys. */
typedef struct {
	rg_history_store *history;
	rg_history_choice *choice; /* NULL: no goldens are shown */
	rg_json_out *json;
	rg_error *err; /* the first: nothing is read after it */
} write_state;

static void write_steps(rg_json_out *json, const void *from, const void *context)
{
	const rg_metric *series = from;
	(void)context;
	if (series->records)
		return;
	rg_json_key_open_flat(json, "steps", '[');
	for (size_t i = 0; i < series->count; i++)
		rg_json_integer(json, rg_metric_step(series, i));
	rg_json_close(json, ']');
}

static void write_records(rg_json_out *json, const void *from, const void *context)
{
	const rg_metric *series = from;
	(void)context;
	if (!series->records)
		return;
	rg_json_key_open_flat(json, "records", '[');
	for (size_t i = 0; i < series->count; i++)
		rg_json_text(json, series->records->names[rg_metric_step(series, i)]);
	rg_json_close(json, ']');
}

#define OF rg_metric
static const rg_json_field series_fields[] = {
	RG_PUT("steps", STEPS, OPTIONAL, NULL, write_steps, "Of a series, ascending."),
	RG_PUT("records", TEXTS, OPTIONAL, NULL, write_records,
	       "Of a table's column, instead of steps: the keys of its records."),
	RG_KEY_NUMBERS("values", NUMBERS, values, count, "As many as there are steps or records."),
	{0}};
#undef OF

typedef struct {
	const char *name;
	const rg_metric *series;
	const char *text; /* of what is not a series */
} metric_view;

#define OF metric_view
static const rg_json_field metric_fields[] = {
	RG_KEY_AS("metric", name, "Its name."),
	RG_SPREAD_TO(series, series_fields, OPTIONAL),
	RG_KEY_OPTIONAL(text,
			"Of what is not a series; the SHA-256 of a file that no reader takes."),
	{0}};
#undef OF

static void write_metrics(rg_json_out *json, const void *from, const void *context)
{
	const rg_golden *golden = ((const rg_history_golden *)from)->golden;

	rg_json_open(json, '[');
	for (size_t i = 0; i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		const bool series = metric->kind == RG_METRIC_SERIES;
		const metric_view view = {metric->name, series ? metric : NULL,
					  series ? NULL : metric->text};
		rg_json_open(json, '{');
		rg_json_put_fields(json, metric_fields, &view, context);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
}

#define OF rg_history_golden
static const rg_json_field file_fields[] = {
	RG_KEY_AS("file", path, "The golden's path from the repository's root."),
	RG_KEY(sha256, "Of the golden's file."),
	RG_KEY_OF("bytes", RG_JSON_WHOLE, bytes, RG_JSON_ALWAYS, "The file's size."),
	RG_PUT("metrics", LIST, ALWAYS, metric_fields, write_metrics, "By name."),
	{0}};
#undef OF

static rg_error *write_golden(void *context, size_t run, rg_history_golden *golden)
{
	write_state *w = context;

	(void)run;
	if (golden->why)
		return rg_error_wrap(golden->why, "%s", golden->path);
	if (!w->choice->file || rg_path_ends_with(golden->path, w->choice->file)) {
		w->choice->shown++;
		rg_json_open(w->json, '{');
		rg_json_put_fields(w->json, file_fields, golden, NULL);
		rg_json_close(w->json, '}');
	}
	rg_golden_free(golden->golden);
	return rg_buf_check(w->json->out, "the document");
}

static void write_files(rg_json_out *json, const void *from, const void *context)
{
	const rg_history_run *run = from;
	write_state *w = *(write_state *const *)context;

	if (!w->choice || w->err)
		return;
	w->json = json;
	rg_json_key_open(json, "files", '[');
	w->err = rg_error_wrap(rg_history_goldens(w->history, run, 1, UINT64_MAX, write_golden, w),
			       "run %llu", (unsigned long long)run->id);
	rg_json_close(json, ']');
}

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
	RG_PUT("files", LIST, OPTIONAL, file_fields, write_files,
	       "'show' alone: the goldens that were asked for, by path."),
	{0}};
#undef OF

typedef struct {
	const rg_history_run *runs;
	size_t count;
} runs_view;

#define OF runs_view
const rg_json_field rg_history_fields[] = {
	RG_KEY_TALL_LIST("runs", runs, count, run_fields, "Oldest first."), {0}};
#undef OF

rg_error *rg_history_json(rg_buf *out, rg_history_store *history, const rg_history_run *runs,
			  size_t count, rg_history_choice *choice)
{
	const runs_view t = {runs, count};
	write_state w = {.history = history, .choice = choice}, *to = &w;
	RG_AUTO_PTR(rg_error)
	err = rg_json_write(out, "regild-history", rg_history_fields, &t, &to);
	return w.err ? w.err : RG_TAKE(err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/runs.h"

#include "base/memory.h"
#include "base/fields.h"
#include "base/path.h"
#include "base/thread.h"
#include "flow/choose_run.h"
#include "flow/open_history.h"
#include "source/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- the keys --- */

static const char *const stored_names[] = {
	[RG_RUN_NOT_STORED] = "no", [RG_RUN_PARTLY_STORED] = "part", [RG_RUN_STORED] = "yes"};

#define OF rg_run_row
static const rg_json_field job_fields[] = {
	RG_KEY_OF("all", RG_JSON_WHOLE, jobs, RG_JSON_ALWAYS, "All of them."),
	RG_KEY_OF("passed", RG_JSON_WHOLE, passed, RG_JSON_ALWAYS, "That succeeded."),
	RG_KEY_OF("failed", RG_JSON_WHOLE, failed, RG_JSON_ALWAYS, "That failed or timed out."),
	RG_KEY_OF("unfinished", RG_JSON_WHOLE, unfinished, RG_JSON_ALWAYS, "That are still going."),
	{0}};

static const rg_json_field artifact_fields[] = {
	RG_KEY_OF("with_goldens", RG_JSON_WHOLE, goldens, RG_JSON_ALWAYS, "That can be taken."),
	RG_KEY_OF("expired", RG_JSON_WHOLE, expired, RG_JSON_ALWAYS, "That are gone."),
	{0}};
#undef OF

#define OF rg_listed_run
static const rg_json_field listed_fields[] = {
	RG_KEY_OF("id", RG_JSON_WHOLE, id, RG_JSON_ALWAYS, "Its number."),
	RG_KEY(created_at, "When it began, as the source has it."),
	RG_KEY(branch, "Its branch, or ''."),
	RG_KEY(commit, "Its commit, or ''."),
	RG_KEY(event, "What started it, or ''."),
	RG_KEY(workflow, "The path of its workflow's file, or ''."),
	RG_KEY(title, "What the source shows for it, or ''."),
	RG_KEY_OR_NULL(status, "As the source has it: 'completed', 'in_progress'."),
	RG_KEY_OR_NULL(conclusion,
		       "As the source has it: 'success', 'failure'; null: it has not finished."),
	RG_KEY(attempt, "How many attempts there are."),
	RG_KEY(fork, "Is it of another repository's commit?"),
	{0}};
#undef OF

typedef struct {
	const rg_listed_run *run;
	const rg_run_row *counted; /* NULL: it could not be read */
	rg_run_stored stored;
} run_view;

#define OF run_view
static const rg_json_field run_fields[] = {
	RG_SPREAD_TO(run, listed_fields, ALWAYS),
	RG_KEY_TO("jobs", counted, job_fields, OR_NULL, false,
		  "How many jobs there are; null: the run could not be read."),
	RG_KEY_TO("artifacts", counted, artifact_fields, OR_NULL, false,
		  "How many artifacts have goldens, by their names; null: the run could not be "
		  "read."),
	RG_KEY_WORD(
		"history", stored, stored_names,
		"Has the history its goldens, by the settings of today: 'no', 'part' or 'yes'?"),
	{0}};
#undef OF

typedef struct {
	const char *repository;
	const run_view *runs;
	size_t count;
} runs_view;

#define OF runs_view
const rg_json_field rg_runs_fields[] = {
	RG_KEY(repository, "Whose runs they are: 'github.com/OWNER/NAME'."),
	RG_KEY_LIST("runs", runs, count, run_fields, "Newest first."),
	{0}};
#undef OF

/* Runs that are read side by side, each with some requests of its own. */
enum { LIMIT_DEFAULT = 10, WORKERS = 8 };

/* ---- each run ---- */

/* The open source and settings are all workers'; a row is one's. */
typedef struct {
	rg_runs *runs;
	const rg_flow *flow;
} read_state;

static rg_error *read_run(void *context, size_t worker, size_t part)
{
	const read_state *r = context;
	const rg_open_source *open = &r->runs->open;
	rg_run_row *row = &r->runs->rows[part];

	(void)worker;
	RG_AUTO(rg_run) run = {0};
	rg_run_init(&run);
	rg_error *err = open->source->load(open->source, row->run->id, 0, &run);
	if (!err) {
		const rg_match_options options = {.rules = &open->settings.rules};
		RG_AUTO(rg_manifest) manifest = {0};

		row->jobs = run.job_count;
		for (size_t i = 0; i < run.job_count; i++) {
			const rg_job *job = &run.jobs[i];
			row->passed += job->conclusion && !strcmp(job->conclusion, "success");
			row->failed += rg_job_has_failed(job);
			row->unfinished += !job->conclusion;
		}
		rg_manifest_init(&manifest);
		rg_match(&run, &options, &manifest);
		for (size_t i = 0; i < manifest.artifact_count; i++) {
			row->goldens += manifest.artifacts[i].outcome == RG_OUTCOME_TAKEN;
			row->expired += manifest.artifacts[i].outcome == RG_OUTCOME_EXPIRED;
		}
		return NULL;
	}
	/* A run that is gone, or makes no sense, does not take the others' rows away. */
	rg_error_code code = rg_error_get_code(err);
	if (code != RG_E_NOTFOUND && code != RG_E_GONE && code != RG_E_PARSE && code != RG_E_LIMIT)
		return err;
	rg_log_say(&r->flow->log, RG_LOG_MISSING, "%s", rg_error_message(err));
	rg_error_free(err);
	row->why = rg_strdup("could not be read");
	return NULL;
}

/* ---- the history ---- */

static rg_run_row *find_row(const rg_runs *runs, uint64_t id)
{
	for (size_t i = 0; i < runs->count; i++)
		if (runs->rows[i].run->id == id)
			return &runs->rows[i];
	return NULL;
}

static rg_error *find_stored(rg_runs *runs, const rg_flow *flow)
{
	const rg_repository *repository = &runs->open.repository;
	char settings[RG_LAYOUT_KEY_SIZE];
	rg_history_query query = {.settings = settings};
	RG_AUTO_PTR(rg_history_store) history = NULL;
	RG_AUTO(rg_arena) arena = {0};
	rg_history_run *stored;
	size_t count, kept = 0;

	RG_TRY(rg_settings_layout_key(settings, flow->config));
	runs->repository = rg_textf("%s/%s", repository->host, repository->path);
	query.repository = runs->repository;
	RG_TRY(rg_flow_open_history(&history, flow));
	RG_TRY(rg_history_list(history, &query, &arena, &stored, &count));
	for (size_t i = 0; i < count; i++)
		if (find_row(runs, stored[i].id))
			stored[kept++] = stored[i];
	uint64_t *rows = rg_arena_alloc(&arena, (kept + 1) * sizeof(*rows));
	RG_TRY(rg_history_count_rows(history, stored, kept, rows));
	for (size_t i = 0; i < kept; i++) {
		rg_run_row *row = find_row(runs, stored[i].id);
		bool whole = stored[i].complete && stored[i].rows == rows[i];
		row->stored = whole && stored[i].attempt >= row->run->attempt
				      ? RG_RUN_STORED
				      : RG_RUN_PARTLY_STORED;
	}
	return NULL;
}

/* ---- all of it ---- */

static rg_error *open_runs(rg_runs *out, const rg_flow *flow, const rg_runs_options *options)
{
	read_state r = {out, flow};
	RG_TRY(rg_flow_open_source(&out->open, flow, &options->source));
	rg_run_query query = {.last = options->limit.given ? (size_t)options->limit.value
							   : LIMIT_DEFAULT,
			      .branch = options->branch,
			      .event = options->event,
			      .pull = options->pull.given ? options->pull.value : 0,
			      .unfinished = true};
	char commit[41];

	if (options->pull.given && options->commit)
		return rg_error_new(RG_E_USAGE, "--pr and --commit exclude each other");
	RG_TRY(rg_flow_workflow(&query.workflow, flow, options->workflow));
	if (options->commit) {
		RG_TRY(rg_flow_commit(commit, flow, options->commit));
		query.commit = commit;
	}
	rg_flow_waits_for(flow, "the list of runs");
	RG_TRY(out->open.source->list(out->open.source, &query, &out->list));
	RG_TRY(out->list.count ? NULL : rg_error_new(RG_E_NOTFOUND, "no run fits"));
	out->rows = rg_calloc(out->list.count, sizeof(*out->rows));
	out->count = out->list.count;
	for (size_t i = 0; i < out->count; i++)
		out->rows[i].run = &out->list.items[i];
	RG_TRY(find_stored(out, flow));
	rg_flow_waits_for(flow, "the runs' jobs and artifacts");
	return rg_workers_run(out->count < WORKERS ? out->count : WORKERS, out->count, read_run,
			      &r);
}

rg_error *rg_runs_open(rg_runs *out, const rg_flow *flow, const rg_runs_options *options)
{
	*out = (rg_runs){0};
	rg_error *err = open_runs(out, flow, options);
	rg_flow_waits_for(flow, NULL);
	return err;
}

void rg_runs_close(rg_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		free(runs->rows[i].why);
	free(runs->rows);
	free(runs->repository);
	rg_run_list_release(&runs->list);
	rg_open_source_release(&runs->open);
}

/* ---- in words ---- */

/* A name may contain the characters that separate cells. */
static void append_cell(rg_buf *out, const char *text)
{
	rg_buf_char(out, '\t');
	for (; *text; text++)
		rg_buf_char(out, *text == '\t' || *text == '\n' ? ' ' : *text);
}

/* "2026-03-01 04:00", in UTC: GitLab gives the server's own time. */
static void append_time(rg_buf *out, const rg_listed_run *run)
{
	int64_t when;
	struct tm utc;
	char text[32];

	if (!rg_time_parse(run->created_at, &when)) {
		append_cell(out, run->created_at);
		return;
	}
	time_t seconds = (time_t)when;
	if (gmtime_r(&seconds, &utc) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &utc))
		append_cell(out, text);
	else
		append_cell(out, run->created_at);
}

static void append_count(rg_buf *out, const rg_run_row *row, size_t count)
{
	if (row->why)
		append_cell(out, "-");
	else
		rg_buf_printf(out, "\t%zu", count);
}

/* The columns that a choice is made by come first: columns at the end have no room in narrow
 * windows. */
rg_error *rg_runs_lines(const rg_runs *runs, bool numbered, rg_buf *out)
{
	/* Few lists need these columns. */
	bool workflows = false, expired = false;
	for (size_t i = 0; i < runs->count; i++) {
		workflows |= *runs->rows[i].run->workflow;
		expired |= runs->rows[i].expired > 0;
	}
	rg_buf_printf(out,
		      "%s>run\t>when\tbranch\t>passed\t>failed\t>goldens\tkept\tstate\tevent\t"
		      "commit%s%s\n",
		      numbered ? ">#\t" : "", workflows ? "\tworkflow" : "",
		      expired ? "\t>expired" : "");
	for (size_t i = 0; i < runs->count; i++) {
		const rg_run_row *row = &runs->rows[i];
		const rg_listed_run *run = row->run;
		char commit[11];

		if (numbered)
			rg_buf_printf(out, "%zu\t", i + 1);
		rg_buf_printf(out, "%llu", (unsigned long long)run->id);
		append_time(out, run);
		append_cell(out, run->branch);
		rg_buf_str(out, run->fork ? " (fork)" : "");
		append_count(out, row, row->passed);
		append_count(out, row, row->failed);
		append_count(out, row, row->goldens);
		append_cell(out, stored_names[row->stored]);
		/* "completed" runs by their conclusion, others by their status. */
		append_cell(out, run->conclusion ? run->conclusion
				 : run->status   ? run->status
						 : "");
		append_cell(out, run->event);
		snprintf(commit, sizeof(commit), "%s", run->commit);
		append_cell(out, commit);
		if (workflows)
			append_cell(out, rg_path_name(run->workflow));
		if (expired)
			append_count(out, row, row->expired);
		rg_buf_char(out, '\n');
	}
	return rg_buf_check(out, "the list of runs");
}

rg_error *rg_runs_json(const rg_runs *runs, rg_buf *out)
{
	RG_AUTO_FREE run_view *list = rg_calloc(runs->count + 1, sizeof(*list));
	const runs_view t = {runs->repository, list, runs->count};

	for (size_t i = 0; i < runs->count; i++) {
		const rg_run_row *row = &runs->rows[i];
		list[i] = (run_view){row->run, row->why ? NULL : row, row->stored};
	}
	return rg_json_write(out, "regild-runs", rg_runs_fields, &t, NULL);
}

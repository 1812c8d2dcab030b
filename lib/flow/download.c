/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/download.h"

#include "base/buf.h"
#include "base/cancel.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "flow/context.h"
#include "flow/settings.h"
#include "base/clock.h"
#include "source/empty_run.h"
#include "source/fetch.h"
#include "source/log_artifact.h"
#include "source/match.h"
#include "source/plain_url.h"
#include "source/settings.h"
#include "source/source.h"
#include "source/staging.h"
#include "store/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TEXT_SIZE = 128 };

/* Only news is logged. */
static void log_progress(const rg_flow *flow, const rg_run *run, char told[static TEXT_SIZE])
{
	char jobs[TEXT_SIZE], line[TEXT_SIZE + 32];
	/* "3 of 12 jobs done, 2 failing" */
	size_t done = 0, failing = 0;
	for (size_t i = 0; i < run->job_count; i++) {
		const char *conclusion = run->jobs[i].conclusion;
		done += conclusion != NULL;
		failing += rg_job_has_failed(&run->jobs[i]);
	}
	if (!run->job_count)
		snprintf(jobs, TEXT_SIZE, "no job yet");
	else if (failing)
		snprintf(jobs, TEXT_SIZE, "%zu of %zu jobs done, %zu failing", done, run->job_count,
			 failing);
	else
		snprintf(jobs, TEXT_SIZE, "%zu of %zu jobs done", done, run->job_count);
	snprintf(line, sizeof(line), "run %llu: %s", (unsigned long long)run->id, jobs);
	if (strcmp(jobs, told) != 0)
		rg_log_say(&flow->log, RG_LOG_INFO, "%s", line);
	memcpy(told, jobs, TEXT_SIZE);
	rg_flow_waits_for(flow, line);
}

/*
 * Loads `run` again and again until it has finished; it is loaded, and stays so. Progress and log
 * hear how many of its jobs are done. RG_E_CONFLICT, saying what to do, where it has not finished
 * within so many seconds.
 */
static rg_error *flow_wait_for_run(const rg_flow *flow, rg_source *source, unsigned attempt,
				   double seconds, rg_run *run)
{
	double end = rg_clock_monotonic() + seconds, pause = rg_settings_poll_pause();
	const uint64_t id = run->id;
	char told[TEXT_SIZE] = "";

	while (!rg_run_is_finished(run)) {
		double left = end - rg_clock_monotonic();

		log_progress(flow, run, told);
		if (left <= 0)
			return rg_error_new(RG_E_CONFLICT,
					    "run %llu: has not finished in time (%s, %s); wait on "
					    "with --wait, or take what there is with --in-progress",
					    (unsigned long long)id, run->status, told);
		rg_error *err = rg_clock_sleep(left < pause ? left : pause);
		if (err)
			return rg_error_wrap(
				err,
				"run %llu: has not finished (%s); wait on with --wait, "
				"or take what there is with --in-progress",
				(unsigned long long)id, told);
		rg_run_release(run);
		RG_TRY(source->load(source, id, attempt, run));
	}
	if (*told)
		log_progress(flow, run, told);
	return NULL;
}

enum { JOBS_DEFAULT = 8, NAMES_SHOWN = 5, EXPIRED_NAMED = 3 };
/* A smaller artifact is fetched whole: one request instead of two or three. */
enum { WHOLE_UNDER = 128 * 1024 };

/* Everything that a download holds open. */
typedef struct {
	const rg_flow *flow;
	const rg_download_options *options;
	rg_open_source open;
	rg_formats formats;
	rg_run run;
	rg_staging *staging;
} download_state;

void rg_download_result_init(rg_download_result *result)
{
	*result = (rg_download_result){0};
	rg_manifest_init(&result->manifest);
}

void rg_download_result_release(rg_download_result *result)
{
	free(result->folder);
	rg_manifest_release(&result->manifest);
}

/* An address may take its fields from a run. Nothing else has jobs that failed, or attempts. */
static rg_error *check_from(const rg_download_options *options)
{
	const rg_texts *from = &options->source.from;
	const bool run = options->source.run || rg_run_choice_is_made(&options->choice);
	unsigned fields;

	if (run && (from->count > 1 || !rg_is_plain_url(from->items[0])))
		return rg_error_new(RG_E_USAGE, "a run and --from exclude each other, unless "
						"--from is one https:// address");
	for (size_t i = 0; i < from->count; i++) {
		if (!rg_is_plain_url(from->items[i]))
			continue;
		RG_TRY(rg_error_wrap(rg_plain_url_check(from->items[i], &fields), "--from"));
		if (fields && !run)
			return rg_error_new(RG_E_USAGE,
					    "--from: its fields are filled in from a "
					    "run; say --run, --latest, --pr or --commit");
	}
	if (run)
		return NULL;
	if (options->only_failing)
		return rg_error_new(RG_E_USAGE, "--only-failing: what --from names does not say "
						"which jobs failed; leave it out");
	if (options->attempt.given)
		return rg_error_new(RG_E_USAGE, "--attempt and --from exclude each other");
	if (options->wait.given)
		return rg_error_new(RG_E_USAGE, "--wait and --from exclude each other");
	return rg_run_choice_check(&options->choice, "--from");
}

rg_error *rg_download_check(const rg_download_options *options)
{
	RG_AUTO(rg_run_name) name = {0};
	if (options->source.from.count)
		RG_TRY(check_from(options));
	if (options->wait.given && options->in_progress)
		return rg_error_new(RG_E_USAGE, "--wait and --in-progress contradict each other");
	RG_TRY(rg_run_choice_check(&options->choice, options->source.run ? "--run" : NULL));
	if (!options->source.run)
		return NULL;
	RG_TRY(rg_error_wrap(rg_run_name_parse(&name, options->source.run), "--run"));
	if (name.attempt && options->attempt.given && name.attempt != options->attempt.value)
		return rg_error_new(RG_E_USAGE, "--run names attempt %u, but --attempt %llu",
				    name.attempt, options->attempt.value);
	return NULL;
}

/* Names the artifacts that --only-failing cannot tell apart, as far as a line goes. */
static void log_jobless(const rg_log *log, const rg_manifest *manifest)
{
	RG_AUTO(rg_buf) names = rg_buf_of(RG_BUF_ANY);
	size_t count = 0;

	for (size_t i = 0; i < manifest->artifact_count; i++) {
		const rg_manifest_artifact *artifact = &manifest->artifacts[i];
		if (artifact->job_id || artifact->outcome != RG_OUTCOME_TAKEN)
			continue;
		if (count++ < NAMES_SHOWN)
			rg_buf_printf(&names, "%s'%s'", names.length ? ", " : "", artifact->name);
	}
	if (count > NAMES_SHOWN)
		rg_buf_printf(&names, " and %zu more", count - NAMES_SHOWN);
	if (count)
		rg_log_say(log, RG_LOG_INFO,
			   "--only-failing: %s cannot be told by job, and %s taken whole: %s",
			   count == 1 ? "an artifact" : "some artifacts", count == 1 ? "is" : "are",
			   names.data);
}

/* Checks that the one job that was asked for is the run's. */
static rg_error *check_job(const download_state *d)
{
	const rg_run *run = &d->run;
	unsigned long long id = d->open.name.job;
	const rg_job *job = id ? rg_run_find_job(run, id) : NULL;

	if (job)
		rg_log_say(&d->flow->log, RG_LOG_INFO, "one job of run %llu: %s",
			   (unsigned long long)run->id, job->name);
	if (job || !id)
		return NULL;
	for (size_t i = 0; i < run->earlier_count; i++)
		if (run->earlier[i].id == id)
			return rg_error_new(RG_E_NOTFOUND,
					    "run %llu: job %llu (%s) was run again; name the newer "
					    "job%s",
					    (unsigned long long)run->id, id, run->earlier[i].name,
					    run->latest_attempt > 1 ? ", or its --attempt" : "");
	return rg_error_new(RG_E_NOTFOUND, "run %llu: attempt %u of it has no job %llu",
			    (unsigned long long)run->id, run->attempt, id);
}

static rg_error *load_run(download_state *d, rg_manifest *out)
{
	unsigned attempt = d->options->attempt.given ? (unsigned)d->options->attempt.value
						     : d->open.name.attempt;
	rg_match_options options = {.rules = &d->open.settings.rules,
				    .job = d->open.name.job,
				    .only_failing = d->options->only_failing,
				    .take_ambiguous = d->options->take_ambiguous};
	const char *root = rg_config_get(d->flow->config, "regild.root");

	rg_flow_waits_for(d->flow, "the run's jobs and artifacts");
	RG_TRY(d->open.source->load(d->open.source, d->open.name.id, attempt, &d->run));
	if (d->options->wait.given)
		RG_TRY(flow_wait_for_run(d->flow, d->open.source, attempt,
					 (double)d->options->wait.value, &d->run));
	options.earlier_attempt = d->run.attempt < d->run.latest_attempt;
	if (!rg_run_is_finished(&d->run) && !d->options->in_progress)
		return rg_error_new(
			RG_E_CONFLICT, "run %llu: has not finished (%s); %s",
			(unsigned long long)d->run.id, d->run.status,
			d->options->if_unfinished
				? d->options->if_unfinished
				: "--wait waits for it, --in-progress takes what there is");
	RG_TRY(check_job(d));
	rg_match(&d->run, &options, out);
	if (options.only_failing)
		log_jobless(&d->flow->log, out);
	if (d->open.source->read_log) {
		rg_log_artifacts_add(&d->run, &d->open.settings.logs, &options, out);
		/* A slip in a pattern of jobs' names would be silent otherwise. */
		const rg_log_rules *rules = &d->open.settings.logs;
		size_t k;

		for (size_t i = 0; i < rules->count; i++) {
			for (k = 0; k < d->run.artifact_count && d->run.artifacts[k].log != i + 1;
			     k++)
				;
			if (k == d->run.artifact_count)
				rg_log_say(&d->flow->log, RG_LOG_WARNING,
					   "source.%s.log: fits the name of no job that has a log",
					   rules->items[i].name);
		}
	}
	out->root = rg_arena_copy(&out->arena, root ? root : "", strlen(root ? root : ""));
	return NULL;
}

static rg_fetch_options fetch_options(const download_state *d, const rg_manifest *manifest)
{
	const rg_download_options *given = d->options;
	return (rg_fetch_options){
		.source = d->open.source,
		.cache = d->open.cache,
		.rules = &d->open.settings.rules,
		.logs = &d->open.settings.logs,
		.formats = &d->formats.options,
		.root = manifest->root,
		.worktree = d->flow->worktree ? rg_worktree_root(d->flow->worktree) : NULL,
		.limits = d->open.settings.limits,
		.artifact_max = d->open.settings.artifact_max,
		.whole_under = WHOLE_UNDER,
		.whole = given->whole,
		.workers = given->jobs.given ? (unsigned)given->jobs.value : JOBS_DEFAULT,
		.log = &d->flow->log,
		.progress = &d->flow->progress,
	};
}

/* Missing artifacts are reported with -q too, the others with -v. */
static bool log_artifacts(const rg_log *log, const rg_manifest *manifest)
{
	size_t expired = 0;
	bool missing = false;

	for (size_t i = 0; i < manifest->artifact_count; i++)
		expired += manifest->artifacts[i].outcome == RG_OUTCOME_EXPIRED;
	for (size_t i = 0; i < manifest->artifact_count; i++) {
		const rg_manifest_artifact *artifact = &manifest->artifacts[i];
		bool lost = rg_outcome_is_missing(artifact->outcome);
		bool one_of_many = artifact->outcome == RG_OUTCOME_EXPIRED &&
				   expired > EXPIRED_NAMED;

		missing |= lost;
		rg_log_say(log, lost && !one_of_many ? RG_LOG_MISSING : RG_LOG_DETAIL,
			   "artifact %llu '%s': %s%s%s", (unsigned long long)artifact->id,
			   artifact->name, rg_outcome_text(artifact->outcome),
			   artifact->why ? ": " : "", artifact->why ? artifact->why : "");
	}
	if (expired > EXPIRED_NAMED) {
		/* "20 artifacts expired: logs-a, logs-b, logs-c and 17 more (-v names each, and
		 * says when)". */
		RG_AUTO(rg_buf) names = rg_buf_of(RG_BUF_TEXT);
		size_t named = 0;

		for (size_t i = 0; named < EXPIRED_NAMED; i++)
			if (manifest->artifacts[i].outcome == RG_OUTCOME_EXPIRED)
				rg_buf_printf(&names, "%s%s", named++ ? ", " : "",
					      manifest->artifacts[i].name);
		rg_log_say(log, RG_LOG_MISSING,
			   "%zu artifacts expired: %s and %zu more (-v names each, and says when); "
			   "re-run their jobs to make them again",
			   expired, names.data, expired - named);
	}
	return missing;
}

/* Lists the outcomes; true where something is missing. */
static bool log_outcomes(const rg_log *log, const rg_manifest *manifest)
{
	bool missing = false;
	for (size_t i = 0; i < manifest->job_count; i++) {
		const rg_manifest_job *job = &manifest->jobs[i];
		bool lost = rg_outcome_is_missing(job->outcome);
		bool told = lost &&
			    !rg_manifest_is_unread(manifest, job); /* by its artifact, below */

		missing |= lost;
		/* Jobs that --in-progress leaves out are on no other list. */
		rg_log_say(log,
			   lost && !told                                   ? RG_LOG_MISSING
			   : job->outcome == RG_OUTCOME_SKIPPED_UNFINISHED ? RG_LOG_INFO
									   : RG_LOG_DETAIL,
			   "job %llu '%s': %s%s%s", (unsigned long long)job->id, job->name,
			   rg_outcome_text(job->outcome), job->why && !told ? ": " : "",
			   job->why && !told ? job->why : "");
	}
	return log_artifacts(log, manifest) || missing;
}

/* Does the folder have files that git tracks, or the goldens' root? */
static bool holds_checkout(const rg_flow *flow, const char *folder)
{
	const char *root = rg_config_get(flow->config, "regild.root");
	return (root && (!strcmp(root, folder) || rg_path_is_below(folder, root))) ||
	       rg_worktree_tracks(flow->worktree, folder, NULL);
}

/* The checkout is not a run: its goldens would be compared with themselves. */
static rg_error *refuse_checkout(const rg_flow *flow, const char *path)
{
	RG_AUTO_FREE char *whole = realpath(path, NULL);
	RG_AUTO_FREE char *root = flow->worktree ? realpath(rg_worktree_root(flow->worktree), NULL)
						 : NULL;
	bool refused = false, inside = false;
	struct stat st;

	/* The source reports what cannot be looked at. */
	if (whole && root && !stat(whole, &st) && S_ISDIR(st.st_mode)) {
		inside = rg_path_is_below(root, whole);
		refused = inside ? holds_checkout(flow, whole + strlen(root) + 1)
				 : !strcmp(whole, root) || rg_path_is_below(whole, root);
	}
	if (refused)
		return rg_error_new(
			RG_E_USAGE,
			"--from: '%s' has this checkout's own files, which would be "
			"compared with themselves; name what a run left, in a folder of "
			"its own, or see what changed here with 'regild compare'",
			path);
	if (inside)
		rg_log_say(&flow->log, RG_LOG_WARNING,
			   "--from: '%s' is a folder inside the checkout; it is read as a run's "
			   "output",
			   path);
	return NULL;
}

static rg_error *open_source(download_state *d)
{
	rg_source_options source = d->options->source;
	for (size_t i = 0; i < source.from.count; i++)
		RG_TRY(refuse_checkout(d->flow, source.from.items[i]));
	RG_TRY(rg_formats_load(&d->formats, d->flow, NULL));
	source.with_jobs = d->options->only_failing || d->options->wait.given;
	if (d->options->attempt.given)
		source.attempt = (unsigned)d->options->attempt.value;
	return rg_flow_open_source(&d->open, d->flow, &source);
}

static rg_error *fetch_all(download_state *d, rg_download_result *out)
{
	RG_TRY(rg_download_check(d->options));
	/* That there is no place for the staging folder is said before anything is asked for. */
	if (d->options->folder && !*d->options->folder)
		return rg_error_new(RG_E_USAGE, "-o: the folder has no name");
	if (!d->options->folder && !d->flow->worktree)
		return rg_error_new(RG_E_USAGE, "%s; or say where to with -o DIR",
				    rg_error_message(d->flow->no_worktree));
	RG_TRY(open_source(d));
	out->folder = d->options->folder ? rg_strdup(d->options->folder)
					 : rg_flow_staging_folder(d->flow, d->open.name.id);
	RG_TRY(rg_staging_begin(&d->staging, out->folder));
	RG_TRY(load_run(d, &out->manifest));
	const rg_fetch_options options = fetch_options(d, &out->manifest);
	RG_TRY(rg_fetch(&d->run, &options, rg_staging_folder(d->staging), &out->manifest));
	RG_TRY(rg_cancel_check());
	return rg_staging_commit(d->staging, &out->manifest);
}

static void download_state_release(download_state *d)
{
	rg_staging_free(d->staging);
	rg_run_release(&d->run);
	rg_formats_release(&d->formats);
	rg_open_source_release(&d->open);
}

rg_error *rg_download(rg_download_result *out, const rg_flow *flow,
		      const rg_download_options *options)
{
	double start = rg_clock_monotonic();
	RG_AUTO(download_state) d = {.flow = flow, .options = options};

	rg_run_init(&d.run);
	rg_error *err = fetch_all(&d, out);
	rg_flow_waits_for(flow, NULL);
	out->seconds = rg_clock_monotonic() - start;
	RG_TRY(err);
	out->missing = log_outcomes(&flow->log, &out->manifest);
	if (out->manifest.golden_count)
		return NULL;
	/* A run that holds nothing is not a run in which all is well, unless all jobs passed. */
	rg_empty_run empty;
	rg_empty_run_explain(&out->manifest, &empty);
	out->missing |= !empty.all_passed;
	if (empty.why)
		rg_log_say(&flow->log, empty.all_passed ? RG_LOG_INFO : RG_LOG_MISSING,
			   "no golden found: %s; %s", empty.why, empty.next);
	return NULL;
}

/* Temporary files of large artifacts go to a folder that is gone again. */
static rg_error *explain(download_state *d, rg_explain_line *line, void *context)
{
	RG_AUTO(rg_manifest) manifest = {0};
	RG_AUTO_FREE char *folder = NULL;

	RG_TRY(rg_scratch_make_default(&folder));
	rg_manifest_init(&manifest);
	rg_error *err = load_run(d, &manifest);
	rg_fetch_options options = fetch_options(d, &manifest);
	if (!err)
		err = rg_explain(&d->run, &options, folder, &manifest, line, context);
	return rg_error_first(err, rg_remove_tree(folder));
}

rg_error *rg_download_explain(const rg_flow *flow, const rg_download_options *options,
			      rg_explain_line *line, void *context)
{
	RG_AUTO(download_state) d = {.flow = flow, .options = options};
	rg_run_init(&d.run);
	rg_error *err = rg_download_check(options);
	if (!err)
		err = open_source(&d);
	if (!err)
		err = explain(&d, line, context);
	rg_flow_waits_for(flow, NULL);
	return err;
}

/* --- what was downloaded --- */

/* A download that was killed, or is under way, has made the run's folder and no manifest yet. */
static bool is_downloaded(DIR *runs, const char *name, uint64_t *id)
{
	char manifest[64];
	uint64_t number;
	struct stat st;

	if (!strcmp(name, "from"))
		number = 0;
	else if (!rg_uint64_parse(name, strlen(name), &number))
		return false;
	snprintf(manifest, sizeof(manifest), "%.24s/manifest.json", name);
	if (fstatat(dirfd(runs), manifest, &st, 0))
		return false;
	*id = number;
	return true;
}

static rg_error *find_only_run(const rg_flow *flow, uint64_t *id)
{
	struct dirent *entry;
	size_t count = 0;
	const char *path =
		rg_arena_path(flow->arena, rg_worktree_git_dir(flow->worktree), "regild/runs");

	DIR *folder = opendir(path);
	rg_error *err = NULL;
	while (folder && (errno = 0, entry = readdir(folder)) != NULL)
		count += is_downloaded(folder, entry->d_name, id);
	if (errno && errno != ENOENT)
		err = rg_error_io(errno, "%s", path);
	if (folder)
		closedir(folder);
	RG_TRY(err);
	if (!count)
		return rg_error_new(RG_E_USAGE,
				    "nothing is downloaded yet; 'regild download' does it, or name "
				    "a folder");
	if (count > 1)
		return rg_error_new(RG_E_USAGE,
				    "%zu runs are downloaded; name one with --run, or the folder",
				    count);
	return NULL;
}

rg_error *rg_flow_find_staged(char **out, const rg_flow *flow, const char *run)
{
	RG_AUTO(rg_run_name) name = {0};
	uint64_t id = 0;

	if (run) {
		/* The repository does not matter here. */
		RG_TRY(rg_error_wrap(rg_run_name_parse(&name, run), "--run"));
		id = name.id;
		if (!id)
			return rg_error_new(RG_E_USAGE,
					    "--run: '%s' does not say its pipeline; "
					    "name that",
					    run);
	} else {
		RG_TRY(find_only_run(flow, &id));
	}
	*out = rg_flow_staging_folder(flow, id);
	return NULL;
}

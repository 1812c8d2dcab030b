#include "download.h"

#include "commands.h"
#include "progress.h"
#include "terminal.h"
#include "update.h"

#include "base/cancel.h"
#include "base/number.h"
#include "net/clock.h"
#include "source/fetch.h"
#include "source/github.h"
#include "source/match.h"
#include "source/settings.h"
#include "source/staging.h"
#include "source/token.h"

#include <stdlib.h>
#include <string.h>

enum { JOBS_DEFAULT = 8, OUTCOMES = RG_OUTCOME_FAILED + 1 };
/* A smaller artifact is fetched whole: one request instead of two or three. */
enum { WHOLE_UNDER = 128 * 1024 };

typedef struct {
	download_arguments download;
	const char *output;
} download_command_arguments;

const option download_options[] = {
	{0, "run", "ID", OPTION_TEXT | OPTION_NEEDED, offsetof(download_arguments, run),
	 "the CI run: its id or its URL", NULL, 0, 0},
	{0, "only-failing", NULL, OPTION_FLAG | OPTION_OR_NEXT,
	 offsetof(download_arguments, only_failing), "leave out jobs that passed", NULL, 0, 0},
	{0, "all", NULL, OPTION_FLAG, offsetof(download_arguments, all), "take every job's goldens",
	 NULL, 0, 0},
	{0, "attempt", "N", OPTION_INTEGER, offsetof(download_arguments, attempt),
	 "an earlier attempt of the run (default: the latest)", NULL, 1, RG_ATTEMPT_MAX},
	{0, "in-progress", NULL, OPTION_FLAG, offsetof(download_arguments, in_progress),
	 "take a run that has not finished, as far as it is", NULL, 0, 0},
	{0, "take-ambiguous", NULL, OPTION_FLAG, offsetof(download_arguments, take_ambiguous),
	 "take artifacts that could be of more than one job", NULL, 0, 0},
	{'j', "jobs", "N", OPTION_INTEGER, offsetof(download_arguments, jobs),
	 "downloads side by side, at most 32 (default: 8)", NULL, 1, RG_FETCH_WORKERS_MAX},
	{0, "max-wait", "SECONDS", OPTION_INTEGER, offsetof(download_arguments, max_wait),
	 "give up rather than wait longer for a rate limit (default: 900)", NULL, 0, 86400},
	{0, "whole", NULL, OPTION_FLAG, offsetof(download_arguments, whole),
	 "fetch whole artifacts, not only the goldens in them", NULL, 0, 0},
	{0, "no-cache", NULL, OPTION_FLAG, offsetof(download_arguments, no_cache),
	 "neither use nor fill the cache", NULL, 0, 0},
	{0},
};

/* Everything that a download holds open. */
typedef struct {
	environment *env;
	const download_arguments *arguments;
	bool only_failing;
	rg_run_name name;
	rg_repository repository;
	rg_settings settings;
	char *token, *api_url, *dir;
	progress_display *display;
	rg_cache *cache;
	rg_http *http;
	rg_source *source;
	rg_run run;
	rg_staging *staging;
	double start;
} download;

/* The scope is never guessed. */
static rg_error *decide_scope(const download_arguments *arguments, bool *only_failing)
{
	bool all = false;

	*only_failing = arguments->only_failing;
	if (arguments->only_failing && arguments->all)
		return usage_error("--only-failing and --all contradict each other");
	if (arguments->only_failing || arguments->all)
		return NULL;
	if (!terminal_is_interactive())
		return usage_error("which jobs? say --only-failing or --all");
	RG_TRY(terminal_confirm("Take the goldens of failing jobs only?", only_failing));
	if (*only_failing)
		return NULL;
	RG_TRY(terminal_confirm("Take the goldens of all jobs?", &all));
	return all ? NULL : usage_error("neither: say --only-failing or --all");
}

static rg_error *read_arguments(download *d)
{
	const download_arguments *arguments = d->arguments;

	if (!arguments->run)
		return usage_error("which run? name it with --run ID or its URL");
	RG_TRY(rg_error_wrap(rg_run_name_parse(&d->name, arguments->run), "--run"));
	if (d->name.attempt && arguments->attempt.given &&
	    d->name.attempt != arguments->attempt.value)
		return usage_error("--run names attempt %u, but --attempt %llu", d->name.attempt,
				   arguments->attempt.value);
	return decide_scope(arguments, &d->only_failing);
}

static rg_error *open_cache(download *d)
{
	rg_error *err;

	if (d->arguments->no_cache || !d->settings.cache_max)
		return NULL;
	err = rg_cache_open(&d->cache, NULL, d->settings.cache_max);
	if (!err || rg_error_get_code(err) == RG_E_NOMEM)
		return err;
	rg_log_say(&d->env->log, RG_LOG_DETAIL, "without a cache: %s", rg_error_message(err));
	rg_error_free(err);
	return NULL;
}

void download_http_options(rg_http_options *out, const environment *env, rg_limiter *limiter,
			   const option_integer *max_wait)
{
	*out = rg_http_options_default();
	rg_settings_timing(out);
	out->log = &env->log;
	out->limiter = limiter;
	out->max_wait_name = "--max-wait";
	if (max_wait->given)
		out->max_wait = (double)max_wait->value;
}

static rg_error *open_source(download *d)
{
	const download_arguments *arguments = d->arguments;
	rg_http_options options;
	environment *env = d->env;

	RG_TRY(rg_settings_load(&d->settings, env->config));
	RG_TRY(rg_settings_repository(&d->repository, env->common->repository, &d->name,
				      env->config, env->worktree));
	RG_TRY(rg_settings_api_url(&d->api_url, &d->repository));
	RG_TRY(rg_token_find(&d->token, d->repository.host));
	RG_TRY(open_cache(d));
	download_http_options(&options, env, arguments->limiter, &arguments->max_wait);
	options.api_url = d->api_url;
	options.token = d->token;
	options.waiting = progress_waiting;
	options.waiting_context = d->display;
	RG_TRY(rg_http_new(&d->http, &options));
	return rg_github_new(&d->source, d->http, &d->repository, d->cache, &env->log);
}

static rg_error *load_run(download *d, rg_manifest *out)
{
	unsigned attempt = d->arguments->attempt.given ? (unsigned)d->arguments->attempt.value
						       : d->name.attempt;
	rg_match_options options = {.job = d->settings.job,
				    .artifact = d->settings.artifact,
				    .only_failing = d->only_failing,
				    .take_ambiguous = d->arguments->take_ambiguous};
	const char *root = rg_config_get(d->env->config, "regild.root");

	RG_TRY(d->source->load(d->source, d->name.id, attempt, &d->run));
	options.earlier_attempt = d->run.attempt < d->run.latest_attempt;
	if (!rg_run_is_finished(&d->run) && !d->arguments->in_progress)
		return rg_error_new(RG_E_CONFLICT, "run %llu: has not finished (%s); %s",
				    (unsigned long long)d->run.id, d->run.status,
				    d->arguments->if_unfinished
					    ? d->arguments->if_unfinished
					    : "wait, or take what there is with --in-progress");
	RG_TRY(rg_match(&d->run, &options, out));
	out->root = rg_arena_copy(&out->arena, root ? root : "", strlen(root ? root : ""));
	return out->root ? NULL : rg_error_nomem();
}

static rg_error *fetch(download *d, rg_manifest *out)
{
	const download_arguments *arguments = d->arguments;
	const rg_fetch_options options = {
		.source = d->source,
		.http = d->http,
		.cache = d->cache,
		.patterns = (const char *const *)d->settings.patterns,
		.pattern_count = d->settings.pattern_count,
		.patterns_text = d->settings.patterns_text,
		.target = d->settings.target,
		.root = out->root,
		.worktree = d->env->worktree ? rg_worktree_root(d->env->worktree) : NULL,
		.limits = d->settings.limits,
		.artifact_max = d->settings.artifact_max,
		.whole_under = WHOLE_UNDER,
		.whole = arguments->whole,
		.workers = arguments->jobs.given ? (unsigned)arguments->jobs.value : JOBS_DEFAULT,
		.log = &d->env->log,
		.progress = &d->env->progress,
	};

	RG_TRY(rg_fetch(&d->run, &options, rg_staging_folder(d->staging), out));
	RG_TRY(rg_cancel_check());
	return rg_staging_commit(d->staging, out);
}

/* "jobs: 5 taken, 3 skipped: passing": how many of each outcome. */
static void say_counts(const rg_log *log, const char *what, const size_t counts[static OUTCOMES])
{
	const char *separator = "";
	rg_buf text;
	int i;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (i = 0; i < OUTCOMES; i++)
		if (counts[i]) {
			rg_buf_printf(&text, "%s%zu %s", separator, counts[i],
				      rg_outcome_text((rg_outcome)i));
			separator = ", ";
		}
	rg_log_say(log, RG_LOG_INFO, "%s: %s", what, *separator ? text.data : "none");
	rg_buf_release(&text);
}

/* What is missing is said with -q too, the rest with -v. */
static bool say_one(const rg_log *log, const char *what, uint64_t id, const char *name,
		    rg_outcome outcome, const char *why)
{
	bool missing = rg_outcome_is_missing(outcome);

	rg_log_say(log, missing ? RG_LOG_MISSING : RG_LOG_DETAIL, "%s %llu '%s': %s%s%s", what,
		   (unsigned long long)id, name, rg_outcome_text(outcome), why ? ": " : "",
		   why ? why : "");
	return missing;
}

/* Lists the outcomes; true where something is missing. */
static bool say_outcomes(const rg_log *log, const rg_manifest *manifest)
{
	bool missing = false;
	size_t i;

	for (i = 0; i < manifest->job_count; i++) {
		const rg_manifest_job *job = &manifest->jobs[i];
		bool told = rg_outcome_is_missing(job->outcome); /* by its artifact, below */

		missing |= told;
		/* What --in-progress leaves out is on no other list. */
		rg_log_say(log,
			   job->outcome == RG_OUTCOME_SKIPPED_UNFINISHED ? RG_LOG_INFO
									 : RG_LOG_DETAIL,
			   "job %llu '%s': %s%s%s", (unsigned long long)job->id, job->name,
			   rg_outcome_text(job->outcome), job->why && !told ? ": " : "",
			   job->why && !told ? job->why : "");
	}
	for (i = 0; i < manifest->artifact_count; i++) {
		const rg_manifest_artifact *artifact = &manifest->artifacts[i];

		missing |= say_one(log, "artifact", artifact->id, artifact->name, artifact->outcome,
				   artifact->why);
	}
	return missing;
}

static void say_all_counts(const rg_log *log, const rg_manifest *manifest)
{
	size_t jobs[OUTCOMES] = {0}, artifacts[OUTCOMES] = {0}, i;

	for (i = 0; i < manifest->job_count; i++)
		jobs[manifest->jobs[i].outcome]++;
	for (i = 0; i < manifest->artifact_count; i++)
		artifacts[manifest->artifacts[i].outcome]++;
	say_counts(log, "jobs", jobs);
	say_counts(log, "artifacts", artifacts);
}

static void say_moved(const download *d, const rg_manifest *manifest)
{
	char moved[RG_SIZE_TEXT], total[RG_SIZE_TEXT];
	double saved = 0;

	if (manifest->bytes_total > manifest->bytes_moved)
		saved = 100.0 * (double)(manifest->bytes_total - manifest->bytes_moved) /
			(double)manifest->bytes_total;
	rg_size_text(manifest->bytes_moved, moved);
	rg_size_text(manifest->bytes_total, total);
	rg_log_say(&d->env->log, RG_LOG_INFO, "moved %s of %s, saved %.1f %%, in %.1f s", moved,
		   total, saved, rg_clock_monotonic() - d->start);
}

static rg_error *run_all(download *d, const char *dir, rg_manifest *out)
{
	RG_TRY(read_arguments(d));
	if (dir && !*dir)
		return usage_error("-o: the folder has no name");
	if (!dir && !d->env->worktree)
		return usage_error("%s; or say where to with -o DIR",
				   rg_error_message(d->env->no_worktree));
	if (dir)
		RG_TRY(rg_strdup(&d->dir, dir));
	else
		RG_TRY(update_staging_dir(d->env, d->name.id, &d->dir));
	RG_TRY(rg_staging_begin(&d->staging, d->dir));
	RG_TRY(progress_open(&d->display, d->env));
	RG_TRY(open_source(d));
	RG_TRY(load_run(d, out));
	return fetch(d, out);
}

static void release(download *d)
{
	rg_staging_free(d->staging);
	rg_run_release(&d->run);
	if (d->source)
		d->source->free(d->source);
	rg_http_free(d->http);
	rg_cache_free(d->cache);
	rg_settings_release(&d->settings);
	rg_repository_release(&d->repository);
	rg_run_name_release(&d->name);
	rg_token_free(d->token);
	free(d->api_url);
	free(d->dir);
}

rg_error *download_run(environment *env, const download_arguments *arguments, const char *dir,
		       rg_manifest *out, char **staged)
{
	download d = {.env = env, .arguments = arguments, .start = rg_clock_monotonic()};
	rg_error *err;

	*staged = NULL;
	rg_run_init(&d.run);
	err = run_all(&d, dir, out);
	progress_close(d.display);
	if (!err) {
		if (say_outcomes(&env->log, out))
			env->exit_code = EXIT_PARTIAL;
		if (!arguments->without_totals) {
			say_all_counts(&env->log, out);
			say_moved(&d, out);
		}
		*staged = d.dir;
		d.dir = NULL;
	}
	release(&d);
	return err;
}

static rg_error *run_download(environment *env, void *arguments)
{
	const download_command_arguments *own = arguments;
	rg_manifest manifest;
	size_t tests = 0;
	char *staged;
	rg_error *err;

	rg_manifest_init(&manifest);
	err = download_run(env, &own->download, own->output, &manifest, &staged);
	env->changed = !err;
	if (!err)
		err = rg_manifest_tests(&manifest, &tests);
	if (!err) {
		printf("%zu test%s with goldens, %zu golden%s in ", tests, tests == 1 ? "" : "s",
		       manifest.golden_count, manifest.golden_count == 1 ? "" : "s");
		terminal_print_safe(stdout, staged);
		putchar('\n');
	}
	free(staged);
	rg_manifest_release(&manifest);
	return err;
}

static const option own_options[] = {
	{'o', "output", "DIR", OPTION_TEXT, offsetof(download_command_arguments, output),
	 "the staging folder (default: regild/runs/ID in the git directory)", NULL, 0, 0},
	{0},
};

static const option_group groups[] = {
	{"What to fetch, and how", download_options,
	 offsetof(download_command_arguments, download)},
	{"Where to", own_options, 0},
	{0},
};

const command command_download = {
	.name = "download",
	.summary = "fetch a run's goldens into a staging folder",
	.stray = "a run is named with --run",
	.description =
		"Finds the goldens in the artifacts of a CI run and fetches them into a staging\n"
		"folder, with a manifest of what was taken and what was not. The working tree is\n"
		"not touched: 'regild update' puts staged goldens into it.",
	.groups = groups,
	.arguments_size = sizeof(download_command_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run_download,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "compare.h"
#include "facts.h"
#include "interactive.h"
#include "progress.h"
#include "runs_show.h"
#include "terminal.h"
#include "update.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "flow/download.h"
#include "flow/runs.h"
#include "flow/several_runs.h"
#include "flow/undo.h"

#include <stdio.h>
#include <string.h>

enum { OUTCOMES = RG_OUTCOME_FAILED + 1 };

#define OF rg_download_options
/* clang-format off */
static const option download_options[] = {
	OPTION("run", "ID", source.run,
	       "the CI run, by id or URL; a job's URL takes only that job",
	       .several = "regild refresh --runs", .or_next = true),
	OPTION("pr", "N", choice.pull,
	       "the newest run for a pull request's newest commit", .or_next = true, .minimum = 1),
	OPTION("commit", "REV", choice.commit, "the newest run of a commit", .or_next = true),
	OPTION("latest", NULL, choice.latest,
	       "the newest run of the current branch", .or_next = true),
	OPTION("from", "PATH", source.from, "artifacts from a folder or archive instead of a "
					    "run; may be repeated"),
	SOURCE_OPTION(source.source),
	OPTION("branch", "B", choice.branch, "with --latest: this branch instead"),
	OPTION("workflow", "FILE", choice.workflow, "only runs of this workflow (default: "
						    "regild.workflow)"),
	OPTION("wait", "SECONDS", wait,
	       "wait until the run has finished, at most SECONDS (default: no limit)",
	       .argument_optional = true, .maximum = 3024000),
	OPTION("only-failing", NULL, only_failing, "skip jobs that passed", .or_next = true),
	OPTION("all", NULL, all, "take every job's goldens"),
	OPTION("attempt", "N", attempt,
	       "use this attempt of the run (default: the latest)",
	       .minimum = 1, .maximum = RG_ATTEMPT_MAX),
	OPTION("in-progress", NULL, in_progress, "take what an unfinished run has so far"),
	OPTION("take-ambiguous", NULL, take_ambiguous, "take artifacts that could belong to more "
						       "than one job"),
	OPTION("jobs", "N", jobs,
	       "parallel downloads, at most 32 (default: 8)",
	       .letter = 'j', .minimum = 1, .maximum = RG_FETCH_WORKERS_MAX),
	OPTION("max-wait", "SECONDS", source.max_wait,
	       "give up if a rate limit needs a longer wait (default: 900)", .maximum = 86400),
	OPTION("whole", NULL, whole, "fetch whole artifacts, not only the goldens in them"),
	OPTION("no-cache", NULL, source.no_cache, "neither use nor fill the cache"),
	{0},
};
/* clang-format on */

/* --- which run --- */

/* One of `count` that are on the screen; *out is its place. */
static rg_error *ask(const char *what, size_t count, size_t *out)
{
	char answer[32];
	uint64_t number;
	bool end;

	for (;;) {
		fprintf(stderr, "which %s [1-%zu,q,?]? ", what, count);
		RG_TRY(terminal_read_line(answer, sizeof(answer), &end));
		if (end || !strcmp(answer, "q"))
			return rg_error_new(RG_E_CANCELLED, "no %s was chosen; nothing is changed",
					    what);
		if (rg_uint64_parse(answer, strlen(answer), &number) && number && number <= count) {
			*out = (size_t)number - 1;
			return NULL;
		}
		fprintf(stderr, "1 to %zu: the %s of that line; q: none, and nothing is changed\n",
			count, what);
	}
}

typedef struct {
	command_context *context;
	progress_display *display; /* of the list under way; closed for the question */
} choose_state;

static rg_error *choose_workflow(void *context, const rg_run_list *list, size_t *out)
{
	choose_state *c = context;
	progress_close(RG_TAKE(c->display));
	for (size_t i = 0; i < list->count; i++) {
		const rg_listed_run *run = &list->items[i];
		terminal_printf(stderr, "%zu  %s  run %llu, %s\n", i + 1,
				rg_path_name(run->workflow), (unsigned long long)run->id,
				run->created_at);
	}
	return ask("workflow", list->count, out);
}

static rg_error *choose_fitting(uint64_t *id, command_context *context, rg_source *source,
				rg_run_choice choice, bool unfinished)
{
	choose_state c = {.context = context};
	choice.unfinished = unfinished;
	RG_TRY(progress_open(&c.display, context));
	rg_error *err = rg_flow_choose_run(id, &context->flow, source, &choice,
					   terminal_is_interactive() ? choose_workflow : NULL, &c);
	return progress_end(c.display, err);
}

/* The user picks a run from a list. */
static rg_error *choose_listed(uint64_t *id, command_context *context,
			       const rg_download_options *options)
{
	const rg_runs_options wanted = {.source = options->source,
					.workflow = options->choice.workflow};
	const rg_table_style style = {.color = terminal_use_color(context->common->color, stderr),
				      .width = terminal_columns(stderr)};
	AUTO_CLOSE(rg_runs) runs = {0};
	progress_display *display;
	size_t chosen = 0;

	RG_TRY(progress_open(&display, context));
	RG_TRY(progress_end(display, rg_runs_open(&runs, &context->flow, &wanted)));
	RG_TRY(runs_show(&runs, true, &style, stderr));
	RG_TRY(ask("run", runs.count, &chosen));
	*id = runs.rows[chosen].run->id;
	return NULL;
}

/*
 * Makes `options` name a run: the one that their choice fits, or one that the user picks from the
 * last ten. The user is asked on a terminal only; without one the call is RG_E_USAGE, with what to
 * say. The options then borrow from *open, which the caller closes whatever comes back. Nothing is
 * done if they name a run already.
 */
static rg_error *choose_run(rg_open_source *open, char id[static 32], command_context *context,
			    rg_download_options *options)
{
	bool chosen = rg_run_choice_is_made(&options->choice);
	rg_source_options source = options->source;
	uint64_t number = 0;

	if (options->source.run || (options->source.from.count && !chosen))
		return NULL;
	source.from = (rg_texts){0}; /* the place of its artifacts does not matter yet */
	if (!chosen && !terminal_is_interactive())
		return usage_error(
			"missing run: name it with --run ID or its URL, or say --latest, "
			"--pr N or --commit REV ('regild runs' lists runs); or name a "
			"folder or archive with --from");
	RG_TRY(rg_flow_open_source(open, &context->flow, &source));
	RG_TRY(chosen ? choose_fitting(&number, context, open->source, options->choice,
				       options->wait.given || options->in_progress)
		      : choose_listed(&number, context, options));
	snprintf(id, 32, "%llu", (unsigned long long)number);
	options->source.run = id;
	options->choice = (rg_run_choice){0};
	options->source.repository = &open->repository;
	return NULL;
}

/* Asks for the scope on a terminal where the options give none; elsewhere that is RG_E_USAGE. It is
 * never guessed; what --from names has just one. */
static rg_error *choose_scope(rg_download_options *options)
{
	if (options->source.from.count && !options->source.run &&
	    !rg_run_choice_is_made(&options->choice))
		return NULL;
	if (options->only_failing && options->all)
		return usage_error("--only-failing and --all contradict each other");
	if (options->only_failing || options->all || options->explain ||
	    (options->source.run && rg_run_name_is_job(options->source.run)))
		return NULL;
	if (!terminal_is_interactive())
		return usage_error("missing option: --only-failing or --all");
	RG_TRY(terminal_confirm("Take the goldens of failing jobs only?", &options->only_failing));
	if (options->only_failing)
		return NULL;
	RG_TRY(terminal_confirm("Take the goldens of all jobs?", &options->all));
	return options->all ? NULL : usage_error("neither: say --only-failing or --all");
}

/* The names of outcomes in the line of counts: skipped ones come after the others. */
static const struct {
	const char *one, *several;
	bool skipped;
} outcome_words[OUTCOMES] = {
	[RG_OUTCOME_TAKEN] = {"taken", "taken", false},
	[RG_OUTCOME_UNCHANGED] = {"unchanged", "unchanged", false},
	[RG_OUTCOME_SKIPPED_PASSING] = {"passed", "passed", true},
	[RG_OUTCOME_SKIPPED_OTHER_JOB] = {"of another job", "of other jobs", true},
	[RG_OUTCOME_SKIPPED_NOT_A_TEST] = {"not a test", "not tests", true},
	[RG_OUTCOME_SKIPPED_NO_GOLDENS] = {"without goldens", "without goldens", true},
	[RG_OUTCOME_SKIPPED_UNFINISHED] = {"unfinished", "unfinished", true},
	[RG_OUTCOME_SUPERSEDED] = {"superseded", "superseded", false},
	[RG_OUTCOME_NOT_REPLACED] = {"not replaced", "not replaced", false},
	[RG_OUTCOME_EXPIRED] = {"expired", "expired", false},
	[RG_OUTCOME_AMBIGUOUS] = {"ambiguous", "ambiguous", false},
	[RG_OUTCOME_CONFLICT] = {"conflicting", "conflicting", false},
	[RG_OUTCOME_FAILED] = {"failed", "failed", false},
};

static bool append_some(rg_buf *text, const size_t counts[static OUTCOMES], bool skipped,
			const char *before)
{
	const char *separator = before;
	for (int i = 0; i < OUTCOMES; i++) {
		if (!counts[i] || outcome_words[i].skipped != skipped)
			continue;
		rg_buf_printf(text, "%s%zu %s", separator, counts[i],
			      counts[i] == 1 ? outcome_words[i].one : outcome_words[i].several);
		separator = ", ";
	}
	return separator != before;
}

/* "jobs: 6 taken, 1 expired; skipped: 3 passed, 2 not tests" */
static void write_counts(const command_context *context, const char *what,
			 const size_t counts[static OUTCOMES])
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	const bool any = append_some(&text, counts, false, "");
	if (!append_some(&text, counts, true, any ? "; skipped: " : "skipped: ") && !any)
		rg_buf_str(&text, "none");
	tell(context, RG_LOG_INFO, "%s: %s", what, text.data);
}

/* The artifacts have a line of their own if something became of them that their jobs do not say. */
static void write_all_counts(const command_context *context, const rg_manifest *manifest)
{
	size_t jobs[OUTCOMES] = {0}, artifacts[OUTCOMES] = {0};
	bool differ = false;

	for (size_t i = 0; i < manifest->job_count; i++)
		jobs[manifest->jobs[i].outcome]++;
	for (size_t i = 0; i < manifest->artifact_count; i++)
		artifacts[manifest->artifacts[i].outcome]++;
	for (size_t i = 0; i < OUTCOMES; i++)
		differ |= !outcome_words[i].skipped && artifacts[i] != jobs[i];
	if (manifest->job_count || !manifest->artifact_count)
		write_counts(context, "jobs", jobs);
	if (differ)
		write_counts(context, "artifacts", artifacts);
}

static void write_moved(const command_context *context, const rg_manifest *manifest, double seconds)
{
	char moved[RG_SIZE_TEXT], total[RG_SIZE_TEXT];
	const double all = (double)manifest->bytes_total;
	const double saved = manifest->bytes_total > manifest->bytes_moved
				     ? 100.0 * (all - (double)manifest->bytes_moved) / all
				     : 0;

	rg_size_text(manifest->bytes_moved, moved);
	rg_size_text(manifest->bytes_total, total);
	if (manifest->paths.count) /* nobody has said how large the archives are */
		tell(context, RG_LOG_INFO, "moved %s in %.1f s", moved, seconds);
	else
		tell(context, RG_LOG_INFO, "moved %s of %s, saved %.1f %%, in %.1f s", moved, total,
		     saved, seconds);
}

static void print_line(void *context, const char *line)
{
	(void)context;
	terminal_printf(stdout, "%s\n", line);
}

/* Operands are more paths of --from; without it they are meant for --run. */
static rg_error *take_operands(const command_context *context, rg_download_options *options)
{
	if (context->operand_count && !options->source.from.count)
		return usage_error("unexpected argument '%s'; a run is named with --run, a folder "
				   "or archive with --from",
				   context->operands[0]);
	options_append_operands(&options->source.from, context);
	return NULL;
}

/*
 * Fetches with progress and closing lines on stderr, and sets context->exit_code to EXIT_PARTIAL
 * if something of the scope is missing. `out` must be initialised.
 */
static rg_error *download(command_context *context, const rg_download_options *given,
			  rg_download_result *out)
{
	RG_AUTO(rg_open_source) open = {0};
	progress_display *display;
	char id[32];

	rg_download_options options = *given;
	options.source.repository_name = context->common->repository;
	RG_TRY(rg_download_check(&options));
	/* Settles which run, and which jobs. A user who is to choose a run sees it before being
	 * asked for jobs; without a terminal to ask on, the missing option is reported at once. */
	bool picks = !options.source.run && terminal_is_interactive();
	if (!picks)
		RG_TRY(choose_scope(&options));
	RG_TRY(choose_run(&open, id, context, &options));
	RG_TRY(picks ? choose_scope(&options) : NULL);
	if (options.explain)
		return rg_download_explain(&context->flow, &options, print_line, NULL);
	RG_TRY(progress_open(&display, context));
	RG_TRY(progress_end(display, rg_download(out, &context->flow, &options)));
	if (out->missing)
		context->exit_code = EXIT_PARTIAL;
	write_all_counts(context, &out->manifest);
	if (!out->manifest.paths.count || out->manifest.bytes_moved)
		write_moved(context, &out->manifest, out->seconds);
	return NULL;
}

typedef struct {
	rg_download_options options;
	const char *json;
} download_arguments;

static rg_error *run_download(command_context *context, void *arguments)
{
	download_arguments *given = arguments;
	RG_AUTO(rg_download_result) result;

	rg_download_result_init(&result);
	RG_TRY(take_operands(context, &given->options));
	RG_TRY(download(context, &given->options, &result));
	if (given->options.explain)
		return NULL;
	context->changed = true;
	const rg_manifest *manifest = &result.manifest;
	const size_t tests = rg_manifest_tests(manifest), goldens = manifest->golden_count;
	if (!is_stdout(given->json))
		terminal_printf(stdout, "%zu test%s with goldens, %zu golden%s in %s\n", tests,
				rg_plural(tests), goldens, rg_plural(goldens), result.folder);
	const rg_download_facts said = {result.folder, manifest->run_id, tests, goldens,
					result.missing};
	rg_facts facts = facts_of(context);
	if (context->flow.worktree && goldens) {
		rg_facts_can(&facts, "shows what they would change", "update", "--dry-run", "--",
			     result.folder, NULL);
		rg_facts_can(&facts, "puts them into the working tree", "update", "--",
			     result.folder, NULL);
	}
	return facts_finish(&facts, context, given->json, "regild-download", &said);
}

/* clang-format off */
#undef OF
#define OF download_arguments
static const option where_options[] = {
	OPTION("output", "DIR", options.folder,
	       "the staging folder (default: regild/runs/ID in the git directory)", .letter = 'o'),
	OPTION("explain", NULL, options.explain, "download nothing; explain how [jobs] and "
						 "[source] read each name"),
	JSON_OPTION(download_arguments, json),
	{0},
};
/* clang-format on */

static const option_group download_groups[] = {
	{.title = "What to fetch, and how", .options = download_options},
	{.title = "Where to", .options = where_options},
	{0},
};

const command command_download = {
	.name = "download",
	.summary = "fetch a run's goldens into a staging folder",
	.operands = "[PATH...]",
	.operands_max = -1,
	.description =
		"Finds the goldens in the artifacts of a CI run and downloads them into a "
		"staging folder, with a manifest of what was taken and what was not. The working "
		"tree stays as it is: 'regild update' puts staged goldens into it.",
	.examples = "regild download --run 22651183945 --only-failing\n"
		    "regild download --run 22651183945 --all -o staged\n"
		    "regild download --from artifacts/\n"
		    "regild download --run 22651183945 --explain",
	.groups = download_groups,
	.arguments_size = sizeof(download_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run_download,
};

/* --- refresh --- */

typedef struct {
	const char *runs, *take;
} several_arguments;

#undef OF
#define OF several_arguments
/* clang-format off */
static const option several_options[] = {
	OPTION("runs", "ID,ID,...", runs, "several runs of one change: test them together and "
					  "take one"),
	OPTION("take", "RUN", take,
	       "the run to take: median-run or first (default: median-run)", .choices = "median-run|first"),
	{0},
};
/* clang-format on */

/* Each part's own arguments, filled by each part's own table. */
typedef struct {
	rg_download_options download;
	several_arguments several;
	update_arguments update;
	compare_arguments compare;
} refresh_arguments;

static const option_group refresh_groups[] = {
	{.title = "What to fetch",
	 .options = download_options,
	 .offset = offsetof(refresh_arguments, download)},
	{.title = "Instead of one run",
	 .options = several_options,
	 .offset = offsetof(refresh_arguments, several)},
	{.title = "What to put in",
	 .options = update_options,
	 .offset = offsetof(refresh_arguments, update)},
	COMPARE_REPORTS(offsetof(refresh_arguments, compare)),
	{0},
};

/* Reports what is wrong with the call before anything is fetched. */
static rg_error *prepare(command_context *context, comparison_run *c, rg_several_runs *runs,
			 refresh_arguments *arguments)
{
	const several_arguments *several = &arguments->several;
	const rg_download_options *options = &arguments->download;

	RG_TRY(take_operands(context, &arguments->download));
	if (!several->runs && several->take)
		return usage_error("--take goes with --runs");
	if (several->runs && options->source.run)
		return usage_error("--run and --runs exclude each other");
	if (several->runs) {
		RG_TRY(rg_run_choice_check(&options->choice, "--runs"));
		RG_TRY(rg_several_runs_parse(runs, several->runs, several->take));
	}
	RG_TRY(update_check_plan(&arguments->update));
	arguments->compare.compare.from = &options->source.from;
	RG_TRY(update_compare_prepare(c, context, &arguments->update, &arguments->compare));
	if (arguments->update.interactive)
		RG_TRY(interactive_check());
	if (!options->source.from.count)
		RG_TRY(rg_flow_need_layout(&context->flow));
	return arguments->update.update.dry_run ? NULL : rg_flow_refuse_pending(&context->flow);
}

/* Fetches all runs, and chooses one of them. */
static rg_error *fetch_runs(rg_several_runs *runs, command_context *context,
			    refresh_arguments *arguments, const rg_compare_rules *rules)
{
	rg_download_options options = arguments->download;
	RG_TRY(choose_scope(&options));
	for (size_t i = 0; i < runs->name_count; i++) {
		RG_AUTO(rg_download_result) result;

		tell(context, RG_LOG_INFO, "run %s (%zu of %zu)", runs->names[i], i + 1,
		     runs->name_count);
		rg_download_result_init(&result);
		options.source.run = runs->names[i];
		rg_error *err = download(context, &options, &result);
		RG_TRY(rg_several_runs_add(runs, &context->flow, &result, err));
	}
	RG_TRY(rg_several_runs_choose(runs, &context->flow, &arguments->compare.compare, rules));
	if (runs->missing)
		context->exit_code = EXIT_PARTIAL;
	arguments->compare.compare.new_runs = &runs->new_runs;
	return NULL;
}

static rg_error *run_refresh(command_context *context, void *own)
{
	refresh_arguments *arguments = own;
	update_arguments *what = &arguments->update;
	RG_AUTO(rg_download_result) one;
	RG_AUTO(rg_several_runs) runs;
	RG_AUTO(comparison_run) c = {0};
	RG_AUTO(rg_update) update;

	rg_download_result_init(&one);
	rg_several_runs_init(&runs);
	rg_update_init(&update);
	RG_TRY(prepare(context, &c, &runs, arguments));
	if (runs.name_count)
		RG_TRY(fetch_runs(&runs, context, arguments, &c.rules));
	else
		RG_TRY(download(context, &arguments->download, &one));
	rg_download_result *fetched = runs.name_count ? &runs.fetched[runs.taken] : &one;
	const bool taken = comparison_takes_stdout(&arguments->compare) || is_stdout(what->plan);
	const update_view view = {.listing = taken ? stderr : stdout, .rows_follow = true};
	what->update.manifest = &fetched->manifest;
	if (what->update.dry_run)
		what->json = arguments->compare.report.files[RG_REPORT_JSON];
	RG_TRY(update_run(&update, context, what, fetched->folder, &view));
	if (!what->update.dry_run)
		return update_compare(&c, context, &arguments->compare, &update, comparison_show);
	tell(context, RG_LOG_INFO, "nothing was written (--dry-run)");
	return NULL;
}

const command command_refresh = {
	.name = "refresh",
	.summary = "put a CI run's goldens into the working tree and compare",
	.operands = "[PATH...]",
	.operands_max = -1,
	.description =
		"Downloads the goldens of a CI run, puts them into the working tree, compares "
		"them with HEAD and writes the reports that you ask for.",
	.examples = "regild refresh --run 22651183945 --only-failing --markdown summary.md\n"
		    "regild refresh --run 22651183945 --all --except '*t5*' --stage\n"
		    "regild refresh --runs 22651183945,22651190112,22651194470 --all\n"
		    "regild refresh --from ~/Downloads/logs-*.zip",
	.groups = refresh_groups,
	.arguments_size = sizeof(refresh_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING | COMMAND_IS_BRIEF,
	.run = run_refresh,
};

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
#include <stdlib.h>
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
	OPTION("source", "KIND", source.source,
	       "the CI: github or gitlab (default: from the repository's host)",
	       .choices = "github|gitlab"),
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

/* --- among workflows --- */

typedef struct {
	command_context *context;
	progress_display *display; /* of the list under way; closed for the question */
} choosing;

static void end_progress(choosing *c)
{
	progress_close(c->display);
	c->display = NULL;
}

static rg_error *choose_workflow(void *context, const rg_run_list *list, size_t *out)
{
	end_progress(context);
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
	choosing c = {.context = context};
	choice.unfinished = unfinished;
	RG_TRY(progress_open(&c.display, context));
	rg_error *err = rg_flow_choose_run(id, &context->flow, source, &choice,
					   terminal_is_interactive() ? choose_workflow : NULL, &c);
	end_progress(&c);
	return err;
}

/* --- from a list --- */

static rg_error *choose_listed(uint64_t *id, command_context *context,
			       const rg_download_options *options)
{
	const rg_runs_options wanted = {.source = options->source,
					.workflow = options->choice.workflow};
	progress_display *display;
	rg_table_style style = {.color = terminal_use_color(context->common->color, stderr),
				.width = terminal_columns(stderr)};
	rg_error *err;
	size_t chosen;
	rg_runs runs;

	RG_TRY(progress_open(&display, context));
	err = rg_runs_open(&runs, &context->flow, &wanted);
	progress_close(display);
	if (!err)
		err = runs_show(&runs, true, &style, stderr);
	if (!err)
		err = ask("run", runs.count, &chosen);
	if (!err)
		*id = runs.rows[chosen].run->id;
	rg_runs_close(&runs);
	return err;
}

/*
 * Makes `options` name a run: the one that their choice fits, or one that the user picks from the
 * last ten. What a terminal could answer is asked there; elsewhere it is RG_E_USAGE, with what to
 * say. *open is what the options then borrow from, closed by the caller with rg_flow_close_source,
 * whatever comes back. Nothing is done where they name a run already.
 */
static rg_error *choose_run(rg_open_source *open, char id[static 32], command_context *context,
			    rg_download_options *options)
{
	bool chosen = rg_run_choice_is_made(&options->choice);
	rg_source_options source = options->source;
	uint64_t number = 0;

	*open = (rg_open_source){0};
	if (options->source.run || (options->source.from.count && !chosen))
		return NULL;
	/* Where its artifacts are kept does not matter yet. */
	source.from = (rg_texts){0};
	if (!chosen && !terminal_is_interactive())
		return usage_error("which run? name it with --run ID or its URL, or say --latest, "
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

static bool add_some(rg_buf *text, const size_t counts[static OUTCOMES], bool skipped,
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
static void say_counts(const rg_log *log, const char *what, const size_t counts[static OUTCOMES])
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_printf(&text, "%s: ", what);
	const bool any = add_some(&text, counts, false, "");
	if (!add_some(&text, counts, true, any ? "; skipped: " : "skipped: ") && !any)
		rg_buf_str(&text, "none");
	rg_log_say(log, RG_LOG_INFO, "%s", text.data);
	rg_buf_release(&text);
}

/* The artifacts have a line of their own if something became of them that their jobs do not say. */
static void say_all_counts(const rg_log *log, const rg_manifest *manifest)
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
		say_counts(log, "jobs", jobs);
	if (differ)
		say_counts(log, "artifacts", artifacts);
}

static void say_moved(const rg_log *log, const rg_manifest *manifest, double seconds)
{
	char moved[RG_SIZE_TEXT], total[RG_SIZE_TEXT];
	double saved = 0;

	if (manifest->bytes_total > manifest->bytes_moved)
		saved = 100.0 * (double)(manifest->bytes_total - manifest->bytes_moved) /
			(double)manifest->bytes_total;
	rg_size_text(manifest->bytes_moved, moved);
	if (manifest->paths.count) {
		/* How large the archives are nobody has said. */
		rg_log_say(log, RG_LOG_INFO, "moved %s in %.1f s", moved, seconds);
		return;
	}
	rg_size_text(manifest->bytes_total, total);
	rg_log_say(log, RG_LOG_INFO, "moved %s of %s, saved %.1f %%, in %.1f s", moved, total,
		   saved, seconds);
}

/* Operands are more paths of --from; without it they are meant for --run. */
static rg_error *add_paths(command_context *context, rg_texts *from)
{
	if (context->operand_count && !from->count)
		return usage_error("unexpected argument '%s'; a run is named with --run, a folder "
				   "or archive with --from",
				   context->operands[0]);
	for (int i = 0; i < context->operand_count; i++) {
		rg_grow(&from->items, &from->capacity, from->count + 1, sizeof(*from->items));
		from->items[from->count++] = context->operands[i];
	}
	return NULL;
}

/* Which run, and which jobs. Whoever is to choose a run sees it before being asked for jobs;
 * whoever cannot be asked hears what is missing at once. */
static rg_error *settle(rg_open_source *open, char id[static 32], command_context *context,
			rg_download_options *options)
{
	bool picks = !options->source.run && terminal_is_interactive();
	*open = (rg_open_source){0};
	if (!picks)
		RG_TRY(choose_scope(options));
	RG_TRY(choose_run(open, id, context, options));
	return picks ? choose_scope(options) : NULL;
}

static void print_line(void *context, const char *line)
{
	(void)context;
	terminal_printf(stdout, "%s\n", line);
}

static rg_error *fetch(command_context *context, const rg_download_options *options,
		       rg_download_result *out)
{
	progress_display *display;
	if (options->explain)
		return rg_download_explain(&context->flow, options, print_line, NULL);
	RG_TRY(progress_open(&display, context));
	rg_error *err = rg_download(out, &context->flow, options);
	progress_close(display);
	return err;
}

/*
 * Fetches with progress and closing lines on stderr, and sets context->exit_code to EXIT_PARTIAL
 * where something of the scope is missing. `out` must be initialised.
 */
static rg_error *download(command_context *context, rg_download_options *given,
			  rg_download_result *out)
{
	rg_open_source open;
	char id[32];

	RG_TRY(add_paths(context, &given->source.from));
	rg_download_options options = *given;
	options.source.repository_name = context->common->repository;
	RG_TRY(rg_download_check(&options));
	rg_error *err = settle(&open, id, context, &options);
	if (!err)
		err = fetch(context, &options, out);
	rg_flow_close_source(&open);
	if (err || options.explain)
		return err;
	if (out->missing)
		context->exit_code = EXIT_PARTIAL;
	say_all_counts(&context->flow.log, &out->manifest);
	if (!out->manifest.paths.count || out->manifest.bytes_moved)
		say_moved(&context->flow.log, &out->manifest, out->seconds);
	return NULL;
}

typedef struct {
	rg_download_options options;
	const char *json;
} download_arguments;

static rg_error *write_facts(const command_context *context, const rg_download_result *result,
			     size_t tests, const char *file)
{
	const rg_manifest *manifest = &result->manifest;
	const rg_download_facts said = {result->folder, manifest->run_id, tests,
					manifest->golden_count, result->missing};
	rg_facts facts;
	facts_begin(&facts, context);
	if (context->flow.worktree && manifest->golden_count) {
		rg_facts_can(&facts, "shows what they would change", "update", "--dry-run", "--",
			     result->folder, NULL);
		rg_facts_can(&facts, "puts them into the working tree", "update", "--",
			     result->folder, NULL);
	}
	return facts_finish(&facts, context, file, "regild-download", &said);
}

static rg_error *run_download(command_context *context, void *arguments)
{
	download_arguments *given = arguments;
	const rg_download_options *options = &given->options;
	rg_download_result result;
	size_t tests = 0;

	rg_download_result_init(&result);
	rg_error *err = download(context, &given->options, &result);
	if (options->explain) {
		rg_download_result_release(&result);
		return err;
	}
	context->changed = !err;
	if (!err)
		tests = rg_manifest_tests(&result.manifest);
	if (!err && !is_stdout(given->json)) {
		size_t goldens = result.manifest.golden_count;
		terminal_printf(stdout, "%zu test%s with goldens, %zu golden%s in %s\n", tests,
				tests == 1 ? "" : "s", goldens, goldens == 1 ? "" : "s",
				result.folder);
	}
	if (!err)
		err = write_facts(context, &result, tests, given->json);
	rg_download_result_release(&result);
	return err;
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

static rg_error *parse_runs(rg_several_runs *runs, const refresh_arguments *arguments)
{
	const several_arguments *several = &arguments->several;
	if (!several->runs)
		return several->take ? usage_error("--take goes with --runs") : NULL;
	if (arguments->download.source.run)
		return usage_error("--run and --runs exclude each other");
	RG_TRY(rg_run_choice_check(&arguments->download.choice, "--runs"));
	return rg_several_runs_parse(runs, several->runs, several->take);
}

/* What is wrong with the call is said before anything is fetched. */
static rg_error *prepare(command_context *context, comparison_run *c, rg_several_runs *runs,
			 refresh_arguments *arguments)
{
	RG_TRY(parse_runs(runs, arguments));
	RG_TRY(update_check_plan(&arguments->update));
	arguments->compare.compare.from = &arguments->download.source.from;
	RG_TRY(update_compare_prepare(c, context, &arguments->update, &arguments->compare));
	if (arguments->update.interactive)
		RG_TRY(interactive_check());
	if (!arguments->download.source.from.count)
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
		rg_download_result result;
		rg_error *err;

		tell(context, RG_LOG_INFO, "run %s (%zu of %zu)", runs->names[i], i + 1,
		     runs->name_count);
		rg_download_result_init(&result);
		options.source.run = runs->names[i];
		err = download(context, &options, &result);
		err = rg_several_runs_add(runs, &context->flow, &result, err);
		rg_download_result_release(&result);
		RG_TRY(err);
	}
	RG_TRY(rg_several_runs_choose(runs, &context->flow, &arguments->compare.compare, rules));
	if (runs->missing)
		context->exit_code = EXIT_PARTIAL;
	arguments->compare.compare.new_runs = &runs->new_runs;
	return NULL;
}

static rg_error *put_in(command_context *context, refresh_arguments *arguments, comparison_run *c,
			rg_download_result *fetched)
{
	bool taken = comparison_takes_stdout(&arguments->compare) ||
		     is_stdout(arguments->update.plan);
	const update_view view = {.listing = taken ? stderr : stdout, .rows_follow = true};
	rg_update update;
	rg_error *err;

	rg_update_init(&update);
	arguments->update.update.manifest = &fetched->manifest;
	if (arguments->update.update.dry_run)
		arguments->update.json = arguments->compare.report.files[RG_REPORT_JSON];
	err = update_run(&update, context, &arguments->update, fetched->folder, &view);
	if (!err && arguments->update.update.dry_run)
		tell(context, RG_LOG_INFO, "nothing was written (--dry-run)");
	else if (!err)
		err = update_compare(c, context, &arguments->compare, &update, comparison_show);
	rg_update_release(&update);
	return err;
}

static rg_error *run_refresh(command_context *context, void *own)
{
	refresh_arguments *arguments = own;
	rg_download_result one;
	rg_several_runs runs;
	comparison_run c = {0};

	rg_download_result_init(&one);
	rg_several_runs_init(&runs);
	rg_error *err = prepare(context, &c, &runs, arguments);
	if (!err && runs.name_count)
		err = fetch_runs(&runs, context, arguments, &c.rules);
	else if (!err)
		err = download(context, &arguments->download, &one);
	if (!err)
		err = put_in(context, arguments, &c,
			     runs.name_count ? &runs.fetched[runs.taken] : &one);
	comparison_release(&c);
	rg_several_runs_release(&runs);
	rg_download_result_release(&one);
	return err;
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

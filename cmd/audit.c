/* SPDX-License-Identifier: Apache-2.0 */
#include "browser.h"
#include "base/memory.h"
#include "commands.h"
#include "facts.h"
#include "pager.h"
#include "progress.h"
#include "runner.h"
#include "flow/settings.h"
#include "terminal.h"

#include "base/file.h"
#include "base/thread.h"
#include "flow/policy_text.h"
#include "flow/audit_runs.h"
#include "flow/keep_audit.h"
#include "flow/noise.h"
#include "report/audit_report.h"
#include "report/markdown.h"
#include "report/workflow_command.h"
#include "report/mustache.h"

#include <string.h>
#include <unistd.h>

typedef struct {
	rg_audit_runs_options source;
	bool dry_run; /* print the runs and stop */
	const char *by;
	rg_optional_number multiplier, fail_rate;
	rg_optional_integer start_step;
	rg_optional_integer top;
	const char *csv, *json, *markdown, *html, *exported, *model;
	const char *template_file, *html_template_file;
	bool open;
	bool write_policy;
} audit_arguments;

#define OF audit_arguments
/* clang-format off */
static const option source_options[] = {
	OPTION("runs", "ID,ID...", source.runs, "these runs, by id or URL; may be repeated"),
	OPTION("workflow", "FILE", source.workflow, "the newest completed runs of a GitHub "
						    "workflow"),
	OPTION("pipelines", "REF", source.pipelines, "the newest finished pipelines of a GitLab "
						     "branch"),
	OPTION("last", "N", source.last,
	       "with --workflow or --pipelines: how many runs (default: 30)", .minimum = 1, .maximum = 1000000),
	OPTION("branch", "B", source.branch, "with --workflow: only runs of this branch"),
	OPTION("event", "E", source.event, "with --workflow: only runs that this event started"),
	OPTION("source", "S", source.source, "with --pipelines: only pipelines that this "
					     "started, such as schedule, push or web"),
	OPTION("since", "DATE", source.since, "with --workflow or --pipelines: only runs created "
					      "on DATE or later"),
	OPTION("max-wait", "SECONDS", source.max_wait,
	       "give up if a rate limit needs a longer wait (default: 900)", .maximum = 86400),
	OPTION("dry-run", NULL, dry_run, "list the CI runs that would be used, and stop", .letter = 'n'),
	OPTION("history", "REV..REV", source.history,
	       "each golden's versions in git: a commit is a run"),
	OPTION("from", "PATH", source.from,
	       "folders or files, one for each run, in order (--from A B or --from A --from B)"),
	{0},
};

static const option own_options[] = {
	OPTION("by", "WHAT", by,
	       "group runs by commit, branch or all (default: all; for CI runs branch)",
	       .choices = "commit|branch|all"),
	OPTION("only", "PATTERN", source.only,
	       "only goldens whose path, or its end, matches; may be repeated"),
	OPTION("confidence-multiplier", "X", multiplier,
	       "set tolerances to X times the largest deviation, whatever the fail rate"),
	OPTION("fail-rate", "R", fail_rate,
	       "set tolerances that a new run fails in at most R of cases (default: 0.05)", .fraction = true),
	OPTION("start-step", "N", start_step,
	       "ignore steps before N in tolerances (default: 0)", .maximum = INT64_MAX),
	OPTION("top", "N", top, "show all tables, N lines of each; 0 shows all (default: one screen)", .unsaid = true),
	OPTION("csv", "FILE", csv, "write a line for each file and metric as CSV; '-' is stdout", .unsaid = true),
	OPTION("json", "FILE", json, "write everything as JSON, with the statistics of each "
				     "step; '-' is stdout", .unsaid = true),
	OPTION("markdown", "FILE", markdown, "write the summary as markdown; '-' is stdout", .unsaid = true),
	OPTION("template", "FILE", template_file, "render the summary from this template", .unsaid = true),
	OPTION("html", "FILE", html, "write an HTML page; '-' is stdout", .unsaid = true),
	OPTION("html-template", "FILE", html_template_file, "render the page from this template", .unsaid = true),
	OPTION("open", NULL, open, "open the page in a browser ($BROWSER or xdg-open)", .unsaid = true),
	OPTION("model", "FILE", model, "write the noise model for 'regild compare --noise'; '-' "
				       "is stdout", .unsaid = true),
	OPTION("write-policy", NULL, write_policy, "write the tolerances and their evidence into "
						   ".regild"),
	OPTION("export", "FILE", exported,
	       "write every value as CSV (run,file,metric,step,value); '-' is stdout", .unsaid = true),
	{0},
};
/* clang-format on */

enum { OUTPUTS = 6 };

/* Lists the outputs, and returns how many of them are stdout. */
static int list_outputs(output_file out[static OUTPUTS], const audit_arguments *arguments)
{
	int count = 0;

	out[0] = (output_file){"--csv", arguments->csv};
	out[1] = (output_file){"--json", arguments->json};
	out[2] = (output_file){"--markdown", arguments->markdown};
	out[3] = (output_file){"--model", arguments->model};
	out[4] = (output_file){"--export", arguments->exported};
	out[5] = (output_file){"--html", arguments->html};
	for (int i = 0; i < OUTPUTS; i++)
		count += is_stdout(out[i].path);
	return count;
}

static bool is_of_ci(const rg_audit_runs_options *source)
{
	return source->workflow || source->pipelines || source->runs.count;
}

static rg_error *make_options(rg_audit_options *out, const audit_arguments *arguments,
			      const rg_policy *policy)
{
	double multiplier = arguments->multiplier.given ? arguments->multiplier.value : 0;
	double rate = arguments->fail_rate.given ? arguments->fail_rate.value : 0.05;
	output_file outputs[OUTPUTS];

	if (arguments->multiplier.given && arguments->fail_rate.given)
		return usage_error("--confidence-multiplier and --fail-rate do not go together");
	if (arguments->multiplier.given && !(multiplier > 0))
		return usage_error("--confidence-multiplier: %g is not over 0", multiplier);
	if (!(rate > 0 && rate < 1))
		return usage_error("--fail-rate: %g is not over 0 and under 1", rate);
	if (list_outputs(outputs, arguments) > 1)
		return usage_error(
			"only one of --csv, --json, --markdown, --html, --model and --export "
			"can go to stdout");
	if (arguments->template_file && !arguments->markdown)
		return usage_error("--template goes with --markdown");
	if (arguments->html_template_file && !arguments->html)
		return usage_error("--html-template goes with --html");
	*out = (rg_audit_options){
		.tolerance = {multiplier, (int64_t)arguments->start_step.value,
			      arguments->multiplier.given ? 0 : rate},
		/* Branches differ on purpose, so runs of CI are not mixed unless asked for. */
		.grouping = is_of_ci(&arguments->source) ? RG_BY_BRANCH : RG_BY_ALL,
		.error_rate = 0.05,
		.policy = policy,
		.workers = rg_cores(),
		.without_steps = !arguments->json,
		.without_values = !arguments->model,
	};
	for (int i = 0; arguments->by && i < RG_GROUPINGS; i++)
		if (!strcmp(arguments->by, rg_audit_grouping_names[i]))
			out->grouping = (rg_audit_grouping)i;
	return NULL;
}

static rg_error *write_csv(const rg_audit *audit, const char *path)
{
	RG_AUTO(rg_buf) text = rg_buf_of((size_t)1 << 30);
	if (!path)
		return NULL;
	RG_TRY(rg_audit_csv(&text, audit));
	return rg_error_wrap(write_output(path, &text), "--csv");
}

/* The texts of templates that were named; empty ones are built in. */
typedef struct {
	rg_buf markdown, html;
} template_texts;

static void template_texts_release(template_texts *texts)
{
	rg_buf_release(&texts->markdown);
	rg_buf_release(&texts->html);
}

static void story_delete_at(cJSON **story)
{
	cJSON_Delete(*story);
}

static const char *text_of(const rg_buf *text)
{
	return text->length ? text->data : NULL;
}

typedef struct {
	const rg_audit *audit;
	const rg_column_context *columns;
} written_audit;

static rg_error *make_document(rg_buf *out, const void *from)
{
	const written_audit *written = from;
	return rg_audit_json(out, written->audit, written->columns);
}

/* Appends the calls that can follow. One run has no noise to judge by. */
static void append_calls(rg_facts *facts, const command_context *env,
			 const audit_arguments *arguments, const rg_audit *audit)
{
	const bool model = arguments->model && !is_stdout(arguments->model);
	if (!arguments->top.given && !env->common->verbose)
		rg_facts_again(facts, "list all findings, series and goldens", "--top", "0", NULL);
	if (audit->run_count < 2)
		return;
	if (!model)
		rg_facts_again(facts, "write the noise model", "--model", "noise.db", NULL);
	rg_facts_can(facts, "judge changes by it", "compare", "--noise",
		     model ? arguments->model : "noise.db", NULL);
}

/* Makes the reports from the document, like `regild report`. The page comes last: its numbers
 * become figures. */
static rg_error *write_story(const command_context *env, const audit_arguments *arguments,
			     const rg_audit *audit, const template_texts *texts)
{
	const rg_column_context columns = rg_columns_of(env->flow.config);
	const bool page = arguments->json || arguments->html;
	__attribute__((cleanup(story_delete_at))) cJSON *story = NULL;
	RG_AUTO(rg_buf) markdown = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) html = rg_buf_of(RG_AUDIT_PAGE_MAX);

	if (arguments->html || arguments->markdown)
		RG_TRY(rg_audit_story(&story, audit, page ? &columns : NULL));
	if (arguments->json) {
		rg_facts facts = facts_of(env);
		append_calls(&facts, env, arguments, audit);
		RG_TRY(facts_finish_large(&facts, env, arguments->json, make_document,
					  &(written_audit){audit, &columns}));
	}
	if (arguments->markdown) {
		rg_error *err = rg_audit_markdown(&markdown, story, text_of(&texts->markdown),
						  RG_MARKDOWN_MAX - 1, RG_AUDIT_MARKDOWN_ITEMS);
		RG_TRY(rg_error_wrap(err ? err : write_output(arguments->markdown, &markdown),
				     "--markdown"));
	}
	if (!arguments->html)
		return NULL;
	rg_error *err = rg_audit_html(&html, story, text_of(&texts->html));
	return rg_error_wrap(err ? err : write_output(arguments->html, &html), "--html");
}

static rg_error *make_export(const void *source, rg_audit_write_fn *write, void *to)
{
	return rg_audit_export(source, write, to);
}

static rg_error *make_model(const void *audit, rg_audit_write_fn *write, void *to)
{
	return rg_flow_write_noise(audit, write, to);
}

/* Too large to hold, so it is written as it comes. */
static rg_error *write_large(rg_error *(*make)(const void *from, rg_audit_write_fn *write,
					       void *to),
			     const void *from, const char *option_name, const char *path)
{
	rg_output out = {.fd = STDOUT_FILENO, .path = "standard output"};
	rg_workflow_guard guard = {0};

	if (!path)
		return NULL;
	if (runner_reads(path))
		RG_TRY(rg_error_wrap(make(from, runner_check, &guard), "%s", option_name));
	if (is_stdout(path))
		return make(from, rg_output_write, &out);
	RG_TRY(rg_output_open(&out, path));
	return rg_error_wrap(rg_output_close(&out, make(from, rg_output_write, &out)), "%s",
			     option_name);
}

static rg_error *read_template(rg_buf *text, const char *path, const char *option_name)
{
	if (!path)
		return NULL;
	rg_error *err = rg_file_read(text, path);
	return rg_error_wrap(err ? err : rg_error_wrap(rg_mustache_check(text->data), "%s", path),
			     "%s", option_name);
}

/* Reports what cannot be written or read before the runs are fetched and measured. */
static rg_error *prepare(const command_context *env, const audit_arguments *arguments,
			 template_texts *texts)
{
	output_file outputs[OUTPUTS];
	list_outputs(outputs, arguments);
	RG_TRY(check_output_files(outputs, OUTPUTS));
	if (arguments->write_policy && arguments->source.history)
		return usage_error("--write-policy goes with repeated runs: what git has are "
				   "accepted changes, and these are not noise");
	if (arguments->model && rg_noise_is_history(arguments->model))
		return usage_error("--model: %s is a history, which a noise model would replace; "
				   "name another file",
				   arguments->model);
	if (arguments->write_policy)
		RG_TRY(rg_audit_policy_check(&env->flow));
	RG_TRY(read_template(&texts->markdown, arguments->template_file, "--template"));
	return read_template(&texts->html, arguments->html_template_file, "--html-template");
}

static rg_error *write_policy(command_context *env, const rg_audit *audit)
{
	rg_policy_written written;
	RG_TRY(rg_audit_policy_write(&written, &env->flow, audit));
	const bool one = written.files == 1;
	env->changed = true;
	tell(env, RG_LOG_INFO, "tolerances of %zu metric%s are in .regild", written.metrics,
	     rg_plural(written.metrics));
	if (written.files)
		tell(env, RG_LOG_INFO, "%zu golden%s from those of %s metric, and %s of %s own",
		     written.files, one ? " differs" : "s differ", one ? "its" : "their",
		     one ? "has one" : "have tolerances", one ? "its" : "their");
	if (written.left_out)
		tell(env, RG_LOG_WARNING,
		     "%zu tolerance%s left out of .regild (a comment there says why)",
		     written.left_out, written.left_out == 1 ? " is" : "s are");
	return NULL;
}

static rg_error *report(command_context *env, const audit_arguments *arguments,
			const rg_audit *audit, const rg_audit_source *source,
			const template_texts *texts)
{
	enum { OPAQUE_MAX = 10 }; /* so many are named without -v */
	const bool many = audit->opaque_count > OPAQUE_MAX, verbose = env->common->verbose;
	/* With -q, the files that were asked for are the result; without one, the tables are. */
	const bool files = arguments->csv || arguments->json || arguments->markdown ||
			   arguments->html || arguments->model || arguments->exported ||
			   arguments->write_policy;
	output_file outputs[OUTPUTS];

	if (audit->unreadable_count)
		env->exit_code = EXIT_PARTIAL;
	for (size_t i = 0; i < audit->opaque_count; i++)
		tell(env, many ? RG_LOG_DETAIL : RG_LOG_INFO, "%s: opaque, and not measured",
		     audit->opaque[i].path);
	if (many)
		tell(env, RG_LOG_INFO, "%zu goldens are opaque, and not measured (-v names them)",
		     audit->opaque_count);
	for (size_t i = 0; i < audit->unreadable_count; i++)
		tell(env, RG_LOG_MISSING, "run %s: %s", audit->runs[audit->unreadable[i].run].id,
		     audit->unreadable[i].why);
	if (!list_outputs(outputs, arguments) && !(env->common->quiet && files)) {
		RG_AUTO(rg_buf) tables = rg_buf_of((size_t)256 << 20);
		if (!arguments->open)
			pager_open(env);
		RG_TRY(rg_audit_terminal(&tables, audit, !arguments->top.given && !verbose,
					 (size_t)arguments->top.value, &env->style));
		terminal_print(&tables);
		RG_AUTO(rg_facts) facts = facts_of(env);
		append_calls(&facts, env, arguments, audit);
		facts_show_next(&facts, env);
	}
	RG_TRY(write_csv(audit, arguments->csv));
	RG_TRY(write_story(env, arguments, audit, texts));
	RG_TRY(write_large(make_model, audit, "--model", arguments->model));
	RG_TRY(write_large(make_export, source, "--export", arguments->exported));
	return arguments->write_policy ? write_policy(env, audit) : NULL;
}

static rg_error *check_source(const command_context *env, const audit_arguments *arguments)
{
	const rg_audit_runs_options *source = &arguments->source;
	int sources = (source->from.count > 0) + (source->history != NULL) +
		      (source->workflow != NULL) + (source->pipelines != NULL) +
		      (source->runs.count > 0);

	if (sources != 1)
		return usage_error("missing option: one of --runs, --workflow, --pipelines, "
				   "--history and --from");
	if (!source->workflow && (source->branch || source->event))
		return usage_error("--branch and --event go with --workflow");
	if (!source->pipelines && source->source)
		return usage_error("--source goes with --pipelines");
	if (!source->workflow && !source->pipelines && (source->last.given || source->since))
		return usage_error("--last and --since go with --workflow or --pipelines");
	if (!is_of_ci(source) && arguments->dry_run)
		return usage_error("--dry-run goes with --runs, --workflow or --pipelines");
	if (!is_of_ci(source) && source->max_wait.given)
		return usage_error("--max-wait goes with --runs, --workflow or --pipelines");
	if (!source->from.count && env->operand_count)
		return usage_error("'%s': only --from takes paths", env->operands[0]);
	/* Their order is the runs', which paths after the first of two would leave open. */
	if (source->from.count > 1 && env->operand_count)
		return usage_error("--from: give it once, or for each path");
	return NULL;
}

static rg_error *measure(command_context *env, const audit_arguments *arguments,
			 rg_audit_options *options, const template_texts *texts)
{
	progress_display *display;
	AUTO_CLOSE(rg_audit_runs) runs = {0};
	RG_AUTO(rg_audit) audit = {0};

	RG_TRY(progress_open(&display, env));
	RG_TRY(progress_end(display, rg_audit_runs_open(&runs, &env->flow, &arguments->source)));
	RG_TRY(rg_audit_runs_fit(&runs, options, &env->flow));
	RG_TRY(rg_audit_make(&audit, &runs.source, options));
	rg_flow_keep_audit(&env->flow, &runs, &audit);
	if (runs.missing)
		env->exit_code = EXIT_PARTIAL;
	return report(env, arguments, &audit, &runs.source, texts);
}

static rg_error *run(command_context *env, void *argument)
{
	audit_arguments *arguments = argument;
	rg_audit_options options;
	RG_AUTO_PTR(rg_policy) policy = NULL;
	RG_AUTO(template_texts) texts = {rg_buf_of(RG_BUF_TEXT), rg_buf_of(RG_BUF_TEXT)};
	RG_AUTO(browser_page) page = {0};

	RG_TRY(browser_prepare(&page, arguments->open, &arguments->html));
	RG_TRY(rg_policy_load(&policy, env->flow.config));
	RG_TRY(make_options(&options, arguments, policy));
	RG_TRY(prepare(env, arguments, &texts));
	RG_TRY(check_source(env, arguments));
	options_append_operands(&arguments->source.from, env);
	arguments->source.repository = env->common->repository;
	if (arguments->dry_run) {
		RG_AUTO(rg_audit_run_list) list = {0};

		RG_TRY(rg_audit_runs_list(&list, &env->flow, &arguments->source));
		for (size_t i = 0; i < list.count; i++)
			printf("%llu  %s\n", (unsigned long long)list.items[i].id,
			       list.items[i].stored ? "in the history" : "to be fetched");
		tell(env, RG_LOG_INFO, "%zu run%s, %zu of them in the history", list.count,
		     rg_plural(list.count), list.stored);
		return NULL;
	}
	RG_TRY(measure(env, arguments, &options, &texts));
	browser_show(&page, env);
	return NULL;
}

const command command_audit = {
	.name = "audit",
	.summary = "measure the noise between runs",
	.operands = "[PATH...]",
	.operands_max = -1,
	.description =
		"Measures the noise of each metric over many runs of the same tests: its spread, "
		"breaks and bad runs, and the tolerances that follow.",
	.examples =
		"regild audit --workflow cicd-main.yml --last 50 --branch main --model noise.db\n"
		"regild audit --history HEAD --start-step 10",
	.groups =
		(const option_group[]){
			{.title = "Where the runs come from", .options = source_options},
			{.title = "What to measure and write", .options = own_options},
			{0}},
	.arguments_size = sizeof(audit_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run,
};

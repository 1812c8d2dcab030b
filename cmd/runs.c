/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "pager.h"
#include "progress.h"
#include "runs_show.h"
#include "terminal.h"

#include "report/table.h"

typedef struct {
	rg_runs_options runs;
	const char *json;
} runs_arguments;

#define OF runs_arguments
/* clang-format off */
static const option own_options[] = {
	OPTION("workflow", "FILE", runs.workflow,
	       "only runs of this workflow (default: regild.workflow, else any)"),
	OPTION("branch", "B", runs.branch, "only runs of this branch"),
	OPTION("event", "E", runs.event, "only runs that this event started, such as push or "
					 "schedule"),
	OPTION("pr", "N", runs.pull, "only runs for a pull request's newest commit", .minimum = 1),
	OPTION("commit", "REV", runs.commit, "only runs of this commit"),
	OPTION("source", "KIND", runs.source.source,
	       "the CI: github or gitlab (default: from the repository's host)",
	       .choices = "github|gitlab"),
	OPTION("limit", "N", runs.limit,
	       "how many runs to list (default: 10)", .minimum = 1, .maximum = 1000),
	OPTION("json", "FILE", json, "write JSON instead; '-' is stdout"),
	{0},
};
/* clang-format on */

static const option_group groups[] = {
	{.title = "Which runs", .options = own_options},
	{0},
};

rg_error *runs_show(const rg_runs *runs, bool numbered, const rg_table_style *style, FILE *out)
{
	rg_buf lines, table;
	rg_buf_init(&lines, RG_BUF_TEXT);
	rg_buf_init(&table, RG_BUF_TEXT);
	rg_error *err = rg_runs_lines(runs, numbered, &lines);
	if (!err)
		err = rg_table_from_lines(&table, lines.data, lines.length, style);
	if (!err)
		fwrite(table.data, 1, table.length, out);
	rg_buf_release(&table);
	rg_buf_release(&lines);
	return err;
}

/* Of the newest finished run with goldens. */
static void add_calls(rg_facts *facts, const rg_runs *runs)
{
	size_t i = 0;
	while (i < runs->count &&
	       (runs->rows[i].why || !runs->rows[i].goldens || !runs->rows[i].run->conclusion))
		i++;
	if (i == runs->count)
		return;
	const char *id =
		rg_arena_textf(&facts->arena, "%llu", (unsigned long long)runs->rows[i].run->id);
	if (runs->rows[i].failed)
		rg_facts_can(facts, "explain the failed tests", "triage", id, NULL);
	rg_facts_can(facts, "show what a refresh would take", "refresh", "--run", id, "--all",
		     "--dry-run", NULL);
}

static rg_error *write_document(const command_context *context, const rg_runs *runs,
				const char *path)
{
	rg_facts facts;
	rg_buf text;

	facts_begin(&facts, context);
	add_calls(&facts, runs);
	rg_buf_init(&text, RG_BUF_TEXT);
	return facts_finish_document(&facts, context, path, &text, rg_runs_json(runs, &text));
}

static rg_error *show(command_context *context, const rg_runs *runs, const char *json)
{
	for (size_t i = 0; i < runs->count; i++)
		if (runs->rows[i].why)
			context->exit_code = EXIT_PARTIAL;
	if (json)
		return write_document(context, runs, json);
	pager_open(context);
	return runs_show(runs, false, &context->style, stdout);
}

static rg_error *run(command_context *context, void *own)
{
	runs_arguments *arguments = own;
	const output_file files[] = {{"--json", arguments->json}};
	progress_display *display;
	rg_runs runs;

	arguments->runs.source.repository_name = context->common->repository;
	RG_TRY(check_output_files(files, 1));
	RG_TRY(progress_open(&display, context));
	rg_error *err = rg_runs_open(&runs, &context->flow, &arguments->runs);
	progress_close(display);
	if (!err)
		err = show(context, &runs, arguments->json);
	rg_runs_close(&runs);
	return err;
}

const command command_runs = {
	.name = "runs",
	.summary = "list CI runs and how many goldens each has",
	.stray = "a branch is named with --branch",
	.description =
		"Lists the newest CI runs: their start, branch and commit, how many jobs passed "
		"and failed, how many artifacts have goldens, and whether the history has the "
		"run.",
	.examples = "regild runs\n"
		    "regild runs --workflow cicd-main.yml --branch main --limit 30",
	.groups = groups,
	.arguments_size = sizeof(runs_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run,
};

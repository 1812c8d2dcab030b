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
	SOURCE_OPTION(runs.source.source),
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
	RG_AUTO(rg_buf) lines = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) table = rg_buf_of(RG_BUF_TEXT);

	RG_TRY(rg_runs_lines(runs, numbered, &lines));
	RG_TRY(rg_table_from_lines(&table, lines.data, lines.length, style));
	fwrite(table.data, 1, table.length, out);
	return NULL;
}

/* The calls that follow are about the newest finished run with goldens. */
static rg_error *write_document(const command_context *context, const rg_runs *runs,
				const char *path)
{
	rg_facts facts = facts_of(context);
	rg_buf text = rg_buf_of(RG_BUF_TEXT);
	size_t i = 0;

	while (i < runs->count &&
	       (runs->rows[i].why || !runs->rows[i].goldens || !runs->rows[i].run->conclusion))
		i++;
	if (i < runs->count) {
		const char *id = rg_arena_textf(&facts.arena, "%llu",
						(unsigned long long)runs->rows[i].run->id);
		if (runs->rows[i].failed)
			rg_facts_can(&facts, "explain the failed tests", "triage", id, NULL);
		rg_facts_can(&facts, "show what a refresh would take", "refresh", "--run", id,
			     "--all", "--dry-run", NULL);
	}
	return facts_finish_document(&facts, context, path, &text, rg_runs_json(runs, &text));
}

static rg_error *run(command_context *context, void *own)
{
	runs_arguments *arguments = own;
	progress_display *display;
	AUTO_CLOSE(rg_runs) runs = {0};

	arguments->runs.source.repository_name = context->common->repository;
	RG_TRY(check_output_file("--json", arguments->json));
	RG_TRY(progress_open(&display, context));
	RG_TRY(progress_end(display, rg_runs_open(&runs, &context->flow, &arguments->runs)));
	for (size_t i = 0; i < runs.count; i++)
		if (runs.rows[i].why)
			context->exit_code = EXIT_PARTIAL;
	if (arguments->json)
		return write_document(context, &runs, arguments->json);
	pager_open(context);
	return runs_show(&runs, false, &context->style, stdout);
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

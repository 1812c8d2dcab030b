/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "pager.h"
#include "runner.h"
#include "terminal.h"

#include "base/number.h"
#include "base/utf8.h"
#include "flow/manual_edits.h"
#include "flow/check.h"
#include "report/workflow_command.h"
#include "worktree/revisions.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* More lines nobody reads. */
enum { LINES = 80 };

typedef struct {
	bool changed, staged;
	const char *base;
	bool github;
	const char *json;
} check_arguments;

#define OF check_arguments
/* clang-format off */
static const option check_options[] = {
	OPTION("changed", NULL, changed, "check only goldens that differ from --base"),
	OPTION("staged", NULL, staged, "check only staged goldens, as a commit would take them"),
	OPTION("base", "REV", base, "with --changed or --staged: compare with the merge base of "
				    "REV and HEAD (default: HEAD)"),
	OPTION("github", NULL, github, "print findings as GitHub annotations"),
	JSON_OPTION(check_arguments, json),
	{0},
};
/* clang-format on */

static void print(const check_arguments *arguments, const rg_buf *text)
{
	if (arguments->github)
		runner_print_commands(text);
	else
		terminal_print(text);
}

/* "FILE: TEXT", "N goldens: TEXT", or the annotation that puts it beside FILE in a pull request. */
static void print_line(const check_arguments *arguments, const rg_check_line *line)
{
	RG_AUTO(rg_buf) safe = rg_buf_of(RG_BUF_ANY);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	char count[RG_COUNT_TEXT];

	if (arguments->github) {
		/* A workflow knows files by these paths. */
		rg_buf_str(&text, "::error file=");
		rg_workflow_add_escaped(&text, line->inner_path, true);
		rg_buf_str(&text, ",title=regild check::");
	} else if (line->goldens == 1) {
		rg_utf8_add_safe(&text, line->path, strlen(line->path));
		rg_buf_str(&text, ": ");
	}
	if (line->goldens > 1)
		rg_buf_printf(&text, "%s goldens: ", rg_count_text(line->goldens, count));
	rg_utf8_add_safe(&safe, line->text, strlen(line->text));
	if (arguments->github)
		rg_workflow_add_escaped(&text, safe.data, false);
	else
		rg_buf_str(&text, safe.data);
	rg_buf_char(&text, '\n');
	print(arguments, &text);
}

static void print_lines(const command_context *context, const check_arguments *arguments,
			const rg_check_lines *lines)
{
	size_t most = arguments->github ? RG_ANNOTATIONS_MAX : LINES, shown = lines->count;
	RG_AUTO(rg_buf) rest = rg_buf_of(RG_BUF_TEXT);
	char count[RG_COUNT_TEXT];

	/* The last one says how many are left out. */
	if (lines->count > most && !context->common->verbose)
		shown = most - 1;
	for (size_t i = 0; i < shown; i++)
		print_line(arguments, &lines->items[i]);
	if (shown == lines->count)
		return;
	rg_buf_printf(&rest, "%s%s more findings (-v names all)\n",
		      arguments->github ? "::error title=regild check::" : "",
		      rg_count_text(lines->count - shown, count));
	print(arguments, &rest);
}

static void write_counts(const command_context *context, const rg_check_result *result)
{
	const rg_check_lines *passed = &result->passed_lines;
	char files[RG_COUNT_TEXT], count[RG_COUNT_TEXT];
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	bool named = true;

	for (size_t i = 0; i < RG_CHECK_KINDS; i++)
		if (result->by_kind[i])
			rg_buf_printf(&text, "%s%s %s", text.length ? ", " : ": ",
				      rg_count_text(result->by_kind[i], count),
				      rg_check_kind_names[i]);
	for (size_t i = 0; i < result->lines.count; i++)
		named &= result->lines.items[i].goldens == 1;
	tell(context, RG_LOG_INFO, "%s golden%s checked, %s with findings%s%s",
	     rg_count_text(result->files, files), rg_plural(result->files),
	     rg_count_text(result->found, count), text.data, named ? "" : " (-v names each)");
	/* Nothing is left out in silence: the rest is passed over or not judged. */
	for (size_t i = 0; i < passed->count; i++)
		tell(context, RG_LOG_DETAIL, "%s passed over in %s golden%s", passed->items[i].text,
		     rg_count_text(passed->items[i].goldens, count),
		     rg_plural(passed->items[i].goldens));
	if (result->refused)
		tell(context, RG_LOG_INFO,
		     "regild.nonfinite allows no NaN and no infinite value in a changed golden: "
		     "refresh it from a run that leaves such steps out");
	if (result->no_baseline)
		tell(context, RG_LOG_WARNING,
		     "%s golden%s checked without a baseline, which cannot be read (-v says why)",
		     rg_count_text(result->no_baseline, count), rg_plural(result->no_baseline));
	if (result->passed)
		tell(context, RG_LOG_INFO, "%s series with leading or periodic NaN passed over",
		     rg_count_text(result->passed, count));
}

/* An edit by hand is not a finding, as a golden may be mended so, but a reviewer should know. */
static rg_error *write_manual_edits(const command_context *context,
				    const check_arguments *arguments, const rg_check_result *result)
{
	const char *base = arguments->base && *result->base_id ? result->base_id : arguments->base;
	enum { NAMED = 5 };
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_manual_edits) found = {0};

	RG_TRY(rg_manual_edits_find(&found, &context->flow, base, arguments->staged));
	const size_t count = found.paths.count;
	for (size_t i = 0; i < count && i < NAMED; i++)
		rg_buf_printf(&text, "%s%s", i ? ", " : "", found.paths.items[i]);
	if (count > NAMED)
		rg_buf_printf(&text, " and %zu more", count - NAMED);
	if (count)
		tell(context, RG_LOG_INFO,
		     "%zu golden%s edited by hand (no commit names a run for %s, and regild did "
		     "not write %s): %s",
		     count, count == 1 ? " looks" : "s look", count == 1 ? "it" : "them",
		     count == 1 ? "it" : "them", text.data);
	if (found.unseen)
		tell(context, RG_LOG_INFO, "unknown whether %zu golden%s edited by hand: %s",
		     found.unseen, found.unseen == 1 ? " was" : "s were",
		     rg_worktree_history_ends(context->flow.worktree));
	if (found.unknown)
		tell(context, RG_LOG_INFO, "%zu more goldens not searched for edits by hand",
		     found.unknown);
	return NULL;
}

static rg_error *run_check(command_context *context, void *own)
{
	check_arguments *arguments = own;
	const rg_check_options options = {.files = context->operands,
					  .file_count = (size_t)context->operand_count,
					  .changed = arguments->changed || arguments->staged,
					  .staged = arguments->staged,
					  .base = arguments->base,
					  .each = context->common->verbose || arguments->json};
	RG_AUTO(rg_check_result) result = {0};

	if (arguments->changed && arguments->staged)
		return usage_error("--changed and --staged exclude each other");
	if (arguments->base && !options.changed)
		return usage_error("--base goes with --changed or --staged");
	if (context->operand_count && options.changed)
		return usage_error("either FILES or %s",
				   arguments->staged ? "--staged" : "--changed");
	RG_TRY(rg_check(&result, &context->flow, &options));
	if (!is_stdout(arguments->json)) {
		pager_open(context);
		print_lines(context, arguments, &result.lines);
	}
	write_counts(context, &result);
	if (options.changed && !result.no_commit)
		RG_TRY(write_manual_edits(context, arguments, &result));
	if (result.found)
		context->exit_code = result.by_kind[RG_CHECK_UNREADABLE] ? EXIT_PARTIAL : EXIT_GATE;
	/* The calls that follow find the runs of the first few goldens with findings. */
	enum { NAMED = 5 };
	rg_facts facts = facts_at_root(context);
	for (size_t i = 0; i < result.lines.count && facts.count < NAMED; i++) {
		const char *golden = result.lines.items[i].inner_path;
		bool same = i && !strcmp(golden, result.lines.items[i - 1].inner_path);
		if (context->flow.worktree && !same)
			rg_facts_can(&facts, "find the run that it is from", "blame", "--", golden,
				     NULL);
	}
	return facts_finish(&facts, context, arguments->json, "regild-check", &result);
}

const command command_check = {
	.name = "check",
	.summary = "find broken goldens: NaNs, wrong steps, duplicate keys",
	.operands = "[FILE...]",
	.operands_max = -1,
	.description = "Checks FILE, or every golden below regild.root. Prints a line for each "
		       "finding: FILE: METRIC: what is wrong at STEPS. If several goldens have the "
		       "same finding, they share a line that begins with their number. Exits with "
		       "1 if there is a finding.",
	.examples = "regild check --changed\n"
		    "regild check --staged\n"
		    "regild check old.json",
	.groups = OPTIONS(check_options),
	.arguments_size = sizeof(check_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run_check,
};

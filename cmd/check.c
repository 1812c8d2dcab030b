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

/* "FILE: ", "N goldens: ", or the annotation that puts the text beside FILE in a pull request. */
static void add_subject(rg_buf *out, const check_arguments *arguments, const rg_check_line *line)
{
	char count[RG_COUNT_TEXT];
	if (arguments->github) {
		/* A workflow knows files by these paths. */
		rg_buf_str(out, "::error file=");
		rg_workflow_add_escaped(out, line->inner_path, true);
		rg_buf_str(out, ",title=regild check::");
	} else if (line->goldens == 1) {
		rg_utf8_add_safe(out, line->path, strlen(line->path));
		rg_buf_str(out, ": ");
	}
	if (line->goldens > 1)
		rg_buf_printf(out, "%s goldens: ", rg_count_text(line->goldens, count));
}

static void print(const check_arguments *arguments, const rg_buf *text)
{
	if (arguments->github)
		runner_print_commands(text);
	else
		terminal_print(text);
}

static void print_line(const check_arguments *arguments, const rg_check_line *line)
{
	rg_buf safe, text;
	rg_buf_init(&safe, RG_BUF_ANY);
	rg_buf_init(&text, RG_BUF_ANY);
	rg_utf8_add_safe(&safe, line->text, strlen(line->text));
	add_subject(&text, arguments, line);
	if (arguments->github)
		rg_workflow_add_escaped(&text, safe.data, false);
	else
		rg_buf_str(&text, safe.data);
	rg_buf_char(&text, '\n');
	print(arguments, &text);
	rg_buf_release(&text);
	rg_buf_release(&safe);
}

static void print_rest(const check_arguments *arguments, size_t rest)
{
	char count[RG_COUNT_TEXT];
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_printf(&text, "%s%s more findings (-v names all)\n",
		      arguments->github ? "::error title=regild check::" : "",
		      rg_count_text(rest, count));
	print(arguments, &text);
	rg_buf_release(&text);
}

static void print_lines(const command_context *context, const check_arguments *arguments,
			const rg_check_lines *lines)
{
	size_t most = arguments->github ? RG_ANNOTATIONS_MAX : LINES, shown = lines->count;
	/* The last one says how many are left out. */
	if (lines->count > most && !context->common->verbose)
		shown = most - 1;
	for (size_t i = 0; i < shown; i++)
		print_line(arguments, &lines->items[i]);
	if (shown < lines->count)
		print_rest(arguments, lines->count - shown);
}

static void say_counts(const command_context *context, const rg_check_result *result)
{
	char files[RG_COUNT_TEXT], count[RG_COUNT_TEXT];
	bool named = true;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (size_t i = 0; i < RG_CHECK_KINDS; i++)
		if (result->by_kind[i])
			rg_buf_printf(&text, "%s%s %s", text.length ? ", " : ": ",
				      rg_count_text(result->by_kind[i], count),
				      rg_check_kind_names[i]);
	for (size_t i = 0; i < result->lines.count; i++)
		named &= result->lines.items[i].goldens == 1;
	tell(context, RG_LOG_INFO, "%s golden%s checked, %s with findings%s%s",
	     rg_count_text(result->files, files), result->files == 1 ? "" : "s",
	     rg_count_text(result->found, count), text.data, named ? "" : " (-v names each)");
	rg_buf_release(&text);
}

/* What is no finding, so that nothing is left out in silence; the count stands last. */
static void say_passed(const command_context *context, const rg_check_result *result)
{
	const rg_check_lines *lines = &result->passed_lines;
	char count[RG_COUNT_TEXT];

	for (size_t i = 0; i < lines->count; i++)
		tell(context, RG_LOG_DETAIL, "%s passed over in %s golden%s", lines->items[i].text,
		     rg_count_text(lines->items[i].goldens, count),
		     lines->items[i].goldens == 1 ? "" : "s");
	if (result->refused)
		tell(context, RG_LOG_INFO,
		     "regild.nonfinite allows no NaN and no infinite value in a changed golden: "
		     "refresh it from a run that leaves such steps out");
	if (result->no_baseline)
		tell(context, RG_LOG_WARNING,
		     "%s golden%s checked without a baseline, which cannot be read (-v says why)",
		     rg_count_text(result->no_baseline, count),
		     result->no_baseline == 1 ? "" : "s");
	if (result->passed)
		tell(context, RG_LOG_INFO, "%s series with leading or periodic NaN passed over",
		     rg_count_text(result->passed, count));
}

/* Of the goldens with findings the first few: where they are from. */
static rg_error *write_facts(const command_context *context, const rg_check_result *result,
			     const char *file)
{
	enum { NAMED = 5 };
	rg_facts facts;
	facts_begin_at_root(&facts, context);
	for (size_t i = 0; i < result->lines.count && facts.count < NAMED; i++) {
		const char *golden = result->lines.items[i].inner_path;
		bool same = i && !strcmp(golden, result->lines.items[i - 1].inner_path);
		if (context->flow.worktree && !same)
			rg_facts_can(&facts, "find the run that it is from", "blame", "--", golden,
				     NULL);
	}
	return facts_finish(&facts, context, file, "regild-check", result);
}

/* No finding: a golden may be mended by hand. But a reviewer should know. */
static rg_error *say_manual_edits(const command_context *context, const check_arguments *arguments,
				  const rg_check_result *result)
{
	const char *base = arguments->base && *result->base_id ? result->base_id : arguments->base;
	enum { NAMED = 5 };
	rg_manual_edits found;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_error *err = rg_manual_edits_find(&found, &context->flow, base, arguments->staged);
	for (size_t i = 0; !err && i < found.paths.count && i < NAMED; i++)
		rg_buf_printf(&text, "%s%s", i ? ", " : "", found.paths.items[i]);
	if (!err && found.paths.count > NAMED)
		rg_buf_printf(&text, " and %zu more", found.paths.count - NAMED);
	if (!err && found.paths.count)
		rg_log_say(
			&context->flow.log, RG_LOG_INFO,
			"%zu golden%s edited by hand (no commit names a run for %s, and regild did "
			"not write %s): %s",
			found.paths.count, found.paths.count == 1 ? " looks" : "s look",
			found.paths.count == 1 ? "it" : "them",
			found.paths.count == 1 ? "it" : "them", text.data);
	if (!err && found.unseen)
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "unknown whether %zu golden%s edited by hand: %s", found.unseen,
			   found.unseen == 1 ? " was" : "s were",
			   rg_worktree_history_ends(context->flow.worktree));
	if (!err && found.unknown)
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "%zu more goldens not searched for edits by hand", found.unknown);
	rg_buf_release(&text);
	rg_manual_edits_release(&found);
	return err;
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
	rg_check_result result;

	if (arguments->changed && arguments->staged)
		return usage_error("--changed and --staged exclude each other");
	if (arguments->base && !options.changed)
		return usage_error("--base goes with --changed or --staged");
	if (context->operand_count && options.changed)
		return usage_error("either FILES or %s",
				   arguments->staged ? "--staged" : "--changed");
	rg_error *err = rg_check(&result, &context->flow, &options);
	if (!err && !is_stdout(arguments->json)) {
		pager_open(context);
		print_lines(context, arguments, &result.lines);
	}
	if (!err) {
		say_counts(context, &result);
		say_passed(context, &result);
	}
	if (!err && options.changed && !result.no_commit)
		err = say_manual_edits(context, arguments, &result);
	if (!err && result.found)
		context->exit_code = result.by_kind[RG_CHECK_UNREADABLE] ? EXIT_PARTIAL : EXIT_GATE;
	if (!err)
		err = write_facts(context, &result, arguments->json);
	rg_check_result_release(&result);
	return err;
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

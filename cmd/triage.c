/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "progress.h"
#include "terminal.h"
#include "update.h"

#include "base/memory.h"
#include "base/shorten.h"
#include "base/utf8.h"
#include "flow/triage.h"
#include "source/manifest.h"
#include "source/run_url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	rg_triage_options triage;
	const char *json, *markdown;
} triage_arguments;

#define OF triage_arguments
/* clang-format off */
static const option own_options[] = {
	NOISE_OPTIONS(triage.noise, "a break"),
	OPTION("base", "REV", triage.base,
	       "compare with the goldens of REV (default: the run's commit)"),
	OPTION("branch", "B", triage.branch,
	       "compare with the merge base of the run's commit and this branch"),
	OPTION("attempt", "N", triage.attempt, "use this attempt of the run (default: the latest)",
	       .minimum = 1, .maximum = RG_ATTEMPT_MAX),
	SOURCE_OPTION(triage.source.source),
	OPTION("markdown", "FILE", markdown, "write the table as markdown; '-' is stdout",
	       .unsaid = true),
	JSON_OPTION(triage_arguments, json),
	{0},
};
/* clang-format on */

/* ---- what can follow ---- */

/* Appends an option to the facts' last call if there is a value, which is borrowed. */
static void append_option(rg_facts *facts, const char *name, const char *value)
{
	rg_call *call = &facts->next[facts->count - 1];
	if (!value)
		return;
	rg_call_add(call, name);
	rg_call_add(call, value);
}

/* `model`: instead of what was given, whose runs are too few; NULL: that. */
static void append_noise(rg_facts *facts, const rg_noise_options *given, const char *model)
{
	append_option(facts, "--noise", model ? model : given->from);
	for (size_t i = 0; i < given->runs.count && !model; i++)
		append_option(facts, "--noise-runs", given->runs.items[i]);
	if (given->last.given && !model)
		append_option(facts, "--noise-last",
			      rg_arena_textf(&facts->arena, "%llu", given->last.value));
	append_option(facts, "--noise-branch", model ? NULL : given->branch);
	if (given->level.given)
		append_option(facts, "--noise-level",
			      rg_arena_textf(&facts->arena, "%.15g", given->level.value));
}

/* No call without a workflow or branch: which runs to measure is not guessed. */
static void append_audit(rg_facts *facts, const rg_triage *triage, const triage_arguments *given,
			 const char *run)
{
	const rg_triage_options *o = &given->triage;
	const bool has_model = o->noise.from && !rg_noise_is_history(o->noise.from);
	const char *model = has_model ? o->noise.from : "noise.db";
	bool pipelines = triage->source && !strcmp(triage->source, "gitlab");

	if (pipelines ? !triage->branch : !triage->workflow)
		return;
	rg_facts_can(facts, "measure enough runs", "audit", NULL);
	append_option(facts, "--workflow", triage->workflow);
	append_option(facts, pipelines ? "--pipelines" : "--branch", triage->branch);
	append_option(facts, "--last", rg_arena_textf(&facts->arena, "%zu", triage->runs_wanted));
	append_option(facts, "--model", model);
	rg_facts_can(facts, "triage again with these runs", "triage", run, NULL);
	append_noise(facts, &o->noise, model);
	if (o->attempt.given)
		append_option(facts, "--attempt",
			      rg_arena_textf(&facts->arena, "%llu", o->attempt.value));
	append_option(facts, "--base", o->base);
	append_option(facts, "--branch", o->branch);
	append_option(facts, "--source", o->source.source);
}

static void append_calls(rg_facts *facts, const rg_triage *triage, const triage_arguments *given,
			 const char *run)
{
	if (triage->counts[RG_TRIAGE_BREAK]) {
		rg_facts_can(facts, "show which rows are off, and how far", "compare",
			     rg_arena_textf(&facts->arena, "rev:%s", triage->base),
			     rg_arena_textf(&facts->arena, "run:%s", run), NULL);
		append_noise(facts, &given->triage.noise, NULL);
	}
	if (triage->counts[RG_TRIAGE_DRIFT])
		rg_facts_can(facts,
			     "show the refresh that the drift needs, for a person to agree to",
			     "refresh", "--run", run, "--only-failing", "--dry-run", NULL);
	/* Only the goldens that drifted. */
	for (size_t i = 0; i < triage->count && triage->counts[RG_TRIAGE_DRIFT]; i++)
		if (triage->lines[i].word == RG_TRIAGE_DRIFT)
			append_option(facts, "--only",
				      update_glob_of(&facts->arena, triage->lines[i].golden));
	if (triage->runs_wanted)
		append_audit(facts, triage, given, run);
}

/* ---- what is shown ---- */

/* Is a line of the text wider than the window? */
static bool is_wide(const rg_buf *text, size_t window)
{
	for (const char *line = text->data; window && line && *line;) {
		const size_t length = strcspn(line, "\n");
		if (rg_utf8_columns(line, length) > window)
			return true;
		line += length + (line[length] ? 1 : 0);
	}
	return false;
}

/* The lines are a table, or below each other in a window that has no room for it. */
static rg_error *append_lines(rg_buf *out, const rg_triage *triage, const rg_table_style *style)
{
	const rg_table_style wide = {.color = false};
	RG_AUTO(rg_buf) cells = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) table = rg_buf_of(RG_BUF_TEXT);

	if (!triage->count)
		return NULL;
	rg_triage_table(&cells, triage);
	RG_TRY(rg_table_from_lines(&table, cells.data, cells.length, &wide));
	if (!is_wide(&table, style->width))
		return rg_table_from_lines(out, cells.data, cells.length, style);
	rg_buf_clear(&cells);
	rg_triage_list(&cells, triage);
	rg_text_fold(out, cells.data, style->width);
	return NULL;
}

static rg_error *show(const command_context *context, const rg_triage *triage,
		      const rg_facts *facts)
{
	RG_AUTO(rg_buf) lines = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);

	rg_triage_say(&lines, triage);
	rg_buf_char(&lines, '\n');
	rg_triage_say_base(&lines, triage);
	rg_text_fold(&text, lines.data, context->style.width);
	RG_TRY(append_lines(&text, triage, &context->style));
	terminal_print(&text);
	facts_show_next(facts, context);
	return NULL;
}

static rg_error *run(command_context *context, void *own)
{
	triage_arguments *given = own;
	const output_file files[] = {{"--json", given->json}, {"--markdown", given->markdown}};
	progress_display *display;
	RG_AUTO(rg_triage) found = {0};
	RG_AUTO(rg_run_name) name = {0};

	RG_TRY(rg_run_name_parse(&name, context->operands[0])); /* it is no --run here */
	RG_TRY(check_output_files(files, 2));
	given->triage.source.run = context->operands[0];
	given->triage.source.repository_name = context->common->repository;
	RG_TRY(progress_open(&display, context));
	RG_TRY(progress_end(display, rg_triage_run(&found, &context->flow, &given->triage)));
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_error *err = NULL;

	context->exit_code = found.counts[RG_TRIAGE_BREAK] || found.counts[RG_TRIAGE_DRIFT]
				     ? EXIT_GATE
			     : rg_triage_needs_look(&found) ? EXIT_PARTIAL
							    : EXIT_DONE;
	rg_facts facts = facts_of(context);
	append_calls(&facts, &found, given, context->operands[0]);
	if (!is_stdout(given->json) && !is_stdout(given->markdown))
		err = show(context, &found, &facts);
	if (!err && given->markdown) {
		err = rg_triage_markdown(&text, &found, RG_TRIAGE_MARKDOWN_MAX);
		err = rg_error_wrap(err ? err : write_output(given->markdown, &text), "--markdown");
	}
	return rg_error_first(err, facts_finish(&facts, context, err ? NULL : given->json,
						"regild-triage", &found));
}

const command command_triage = {
	.name = "triage",
	.summary = "explain failed tests: flake, drift, break or no values",
	.operands = "RUN",
	.missing = "its id or its URL",
	.operands_max = 1,
	.description =
		"Compares the goldens of a run's failed tests with those in git, and both with a "
		"noise model, and says why each test failed. Changes no file.",
	.examples = "regild triage 22651183945 --base HEAD --noise noise.db\n"
		    "regild triage 22651183945 --base HEAD --json triage.json",
	.groups = OPTIONS(own_options),
	.arguments_size = sizeof(triage_arguments),
	.flags = COMMAND_NEEDS_WORKTREE,
	.run = run,
};

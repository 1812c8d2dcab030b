/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include "commands.h"
#include "pager.h"
#include "progress.h"
#include "base/memory.h"
#include "flow/run_base.h"

#include <string.h>

#define OF compare_arguments
/* clang-format off */
static const option side_options[] = {
	OPTION("base", "REV", compare.sides.base, "the old side (default: HEAD)"),
	OPTION("to", "REV", compare.sides.to, "the new side (default: the working tree)"),
	OPTION("staged", NULL, compare.sides.staged, "use the index as the new side"),
	OPTION("merge-base", NULL, compare.sides.merge_base,
	       "use the merge base of REV and HEAD (or --to) as the old side"),
	OPTION("no-renames", NULL, compare.sides.no_renames, "do not follow renamed goldens"),
	OPTION("file", "FILE", compare.sides.files, "compare this file, changed or not; may be repeated"),
	OPTION("old", "SIDE", compare.sides.old_path,
	       "the old side: a file, a folder, run:ID and so on; needs --new"),
	OPTION("new", "SIDE", compare.sides.new_paths,
	       "the new side; several are tested together, and the table shows the first"),
	OPTION("source", "KIND", compare.source,
	       "the CI of run:ID and latest:BRANCH (default: from the repository's host)",
	       .choices = "github|gitlab"),
	OPTION("workflow", "FILE", compare.workflow,
	       "the workflow of latest:BRANCH (default: regild.workflow)"),
	OPTION("dtype", "TYPE", compare.formats.dtype,
	       "the element type of raw tensors (.bin) that have no program beside them"),
	OPTION("shape", "N,N,...", compare.formats.shape, "the shape of these tensors (default: "
							  "flat)"),
	OPTION("run-index", "N", compare.formats.run_index,
	       "the run in an opdiff file, counted from 0 (default: all, merged)", .maximum = 1000000),
	OPTION("old-backend", "NAME", compare.old_part,
	       "in opdiff results, the backend of the old side"),
	OPTION("new-backend", "NAME", compare.new_part, "in opdiff results, the backend of "
							   "the new side"),
	{0},
};
/* clang-format on */

static const char *condition_word(size_t i, const char **argument, const char **help)
{
	*argument = rg_conditions[i].argument ? rg_conditions[i].argument : "";
	*help = rg_conditions[i].help;
	return rg_conditions[i].name;
}

/* clang-format off */
const option compare_report_options[] = {
	OPTION("threshold", "X", report.threshold,
	       "show rows with |avg_rel_diff| of X or more (default: 0)", .fraction = true),
	OPTION("top", "N", report.top,
	       "show the first N rows; 0 shows all (default: 20)", .unsaid = true),
	OPTION("columns", "LIST", report.columns, "these columns in this order, or 'all'; "
						  "regild-compare(1) lists them"),
	OPTION("sort", "[-]COLUMN", report.sort, "sort rows by a column; '-' reverses the order"),
	OPTION("filter", "KEY=GLOB", compare.filters,
	       "show only rows whose file, metric, stage, test, variant or checks matches, or "
	       "with 'review' those that need review; may be repeated"),
	OPTION("csv", "FILE", report.files[RG_REPORT_CSV],
	       "write all rows as CSV; '-' is stdout", .unsaid = true),
	OPTION("markdown", "FILE", report.files[RG_REPORT_MARKDOWN],
	       "write the summary as markdown; '-' is stdout", .unsaid = true),
	OPTION("json", "FILE", report.files[RG_REPORT_JSON],
	       "write everything as JSON; '-' is stdout", .unsaid = true),
	OPTION("html", "FILE", report.files[RG_REPORT_HTML],
	       "write an HTML page with curves of the worst rows; '-' is stdout", .unsaid = true),
	OPTION("open", NULL, open, "open the page in a browser ($BROWSER or xdg-open)", .unsaid = true),
	OPTION("step-summary", NULL, report.step_summary,
	       "append the summary to the file $GITHUB_STEP_SUMMARY", .unsaid = true),
	OPTION("annotate", NULL, report.annotate,
	       "print the worst goldens as GitHub annotations", .unsaid = true),
	OPTION("max-chars", "N", report.max_chars,
	       "the summary's maximum length in bytes (default: 12000)",
	       .unsaid = true, .minimum = 1000, .maximum = 1000000),
	OPTION("template", "FILE", report.template_file,
	       "render the summary from this template", .unsaid = true),
	OPTION("html-template", "FILE", report.html_template_file,
	       "render the page from this template", .unsaid = true),
	NOISE_OPTIONS(compare.noise, "a change"),
	OPTION("fail-above", "[METRIC=]X", compare.limits,
	       "exit with 1 if a relative difference is over X; may be repeated"),
	OPTION("fail-on", "CONDITION[,CONDITION...]", compare.conditions,
	       "exit with 1 if a condition holds; may be repeated. The conditions:", .word = condition_word),
	{0},
};
/* clang-format on */

/* A table of its own: a refresh already has --allow, for the guards that hold goldens back. */
/* clang-format off */
static const option gate_options[] = {
	OPTION("allow", "GUARD", allow,
	       "let through lost values (shrink), differences without a figure (no-figure) or a "
	       "gate that matches nothing (no-match)",
	       .choices = "shrink|no-figure|no-match"),
	{0},
};
/* clang-format on */

static const option_group groups[] = {
	{.title = "What to compare", .options = side_options},
	COMPARE_REPORTS(0),
	{.title = "What to let through", .options = gate_options},
	{0},
};

/* --merge-base run:ID compares the run with the commit at which it parted from the branch, which
 * git here need not know. *operands is the caller's to free. */
static rg_error *find_run_base(command_context *context, rg_compare_options *options)
{
	enum { BASE_SIZE = 48 };
	rg_side_options *sides = &options->sides;
	bool one = sides->operand_count - sides->after_dashes == 1;

	if (!sides->merge_base || !one || strncmp(sides->operands[0], "run:", 4) != 0)
		return NULL;
	if (sides->to)
		return usage_error("--to and a run exclude each other: the run is the new side");
	const rg_source_options source = {.run = sides->operands[0] + 4,
					  .source = options->source,
					  .repository_name = options->repository};
	char *base = rg_arena_alloc(context->flow.arena, BASE_SIZE);
	RG_TRY(rg_run_base(base + 4, &context->flow, &source, sides->base));
	memcpy(base, "rev:", 4);
	char **operands =
		rg_arena_alloc(context->flow.arena, (sides->operand_count + 1) * sizeof(*operands));
	operands[0] = base;
	memcpy(operands + 1, sides->operands, sides->operand_count * sizeof(*operands));
	sides->operands = operands;
	sides->operand_count++;
	sides->merge_base = false;
	sides->base = NULL;
	return NULL;
}

static rg_error *run(command_context *context, void *own)
{
	compare_arguments *arguments = own;
	rg_compare_options *options = &arguments->compare;
	RG_AUTO(comparison_run) c = {0};
	progress_display *display;

	rg_side_options *sides = &options->sides;
	options->repository = context->common->repository;
	sides->operands = context->operands;
	sides->operand_count = (size_t)context->operand_count;
	sides->dashes = context->operand_dashes;
	sides->after_dashes = (size_t)context->operands_after_dashes;
	/* Without a repository, one --file and nothing else is shown alone. */
	if (!context->flow.worktree && sides->files.count == 1 && !sides->base && !sides->to &&
	    !sides->staged && !sides->merge_base && !sides->no_renames && !sides->old_path &&
	    !sides->new_paths.count && !sides->operand_count)
		sides->alone = sides->files.items[0];
	for (size_t i = 0; i < arguments->allow.count; i++) {
		const char *guard = arguments->allow.items[i];
		if (!strcmp(guard, "shrink"))
			options->allow_lost = true;
		else if (!strcmp(guard, RG_ALLOW_NO_FIGURE))
			options->allow_no_figure = true;
		else if (!strcmp(guard, RG_ALLOW_NO_MATCH))
			options->allow_idle = true;
		else
			return usage_error("--allow: '%s' is not shrink, no-figure or no-match",
					   guard);
	}
	RG_TRY(find_run_base(context, options));
	RG_TRY(comparison_prepare(&c, context, arguments));
	/* Some sides have to be downloaded. */
	RG_TRY(progress_open(&display, context));
	RG_TRY(progress_end(display, rg_compare_run(&c.result, &context->flow, options, &c.rules)));
	if (!arguments->open)
		pager_open(context);
	return comparison_show(&c, context);
}

const command command_compare = {
	.name = "compare",
	.summary = "compare goldens with HEAD, or any two sides",
	.operands = "[OLD [NEW]] [-- PATH...]",
	.operands_max = -1,
	.description = "Compares the goldens that differ between two sides, metric by metric. The "
		       "default sides are HEAD and the working tree. A side is a revision, a path, "
		       "run:ID, latest:BRANCH, zip:PATH, rev:REV or path:PATH. A..B and A...B name "
		       "two sides. avg_rel_diff is mean((old - new) / old): it is positive if "
		       "positive values became smaller.",
	.examples = "regild compare\n"
		    "regild compare main... --markdown summary.md\n"
		    "regild compare latest:main run:22651183945\n"
		    "regild compare old.json new.json",
	.groups = groups,
	.arguments_size = sizeof(compare_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include "commands.h"
#include "pager.h"
#include "progress.h"

#include <string.h>

#define SOURCE(field) OPTION_FIELD(compare_arguments, compare.field)
#define REPORT(field) OPTION_FIELD(compare_arguments, field)

/* clang-format off */
static const option side_options[] = {
	{.name = "base", .argument = "REV", SOURCE(sides.base), .help = "the old side (default: HEAD)"},
	{.name = "to", .argument = "REV", SOURCE(sides.to),
	 .help = "the new side (default: the working tree)"},
	{.name = "staged", SOURCE(sides.staged), .help = "the new side is the index"},
	{.name = "merge-base", SOURCE(sides.merge_base),
	 .help = "the old side is where REV and HEAD (or --to) parted"},
	{.name = "no-renames", SOURCE(sides.no_renames), .help = "do not follow renamed goldens"},
	{.name = "file", .argument = "FILE", SOURCE(sides.files),
	 .help = "compare this file, changed or not; may be repeated"},
	{.name = "old", .argument = "SIDE", SOURCE(sides.old_path),
	 .help = "the old side: a file or folder, run:ID, …; with --new"},
	{.name = "new", .argument = "SIDE", SOURCE(sides.new_paths),
	 .help = "the new side; several are tested together, the table is of the first"},
	{.name = "source", .argument = "KIND", .choices = "github|gitlab", SOURCE(source),
	 .help = "whose run:ID and latest:BRANCH are (default: the repository's host tells)"},
	{.name = "workflow", .argument = "FILE", SOURCE(workflow),
	 .help = "whose runs latest:BRANCH looks at (default: regild.workflow)"},
	{.name = "dtype", .argument = "TYPE", SOURCE(formats.dtype),
	 .help = "the type of raw tensors (.bin) with no program beside them"},
	{.name = "shape", .argument = "N,N,...", SOURCE(formats.shape),
	 .help = "their shape (default: flat)"},
	{.name = "run-index", .argument = "N", .maximum = 1000000, SOURCE(formats.run_index),
	 .help = "which run of an opdiff file, from 0 (default: the last)"},
	{.name = "old-backend", .argument = "NAME", SOURCE(old_backend),
	 .help = "of opdiff results, compare this backend on the old side"},
	{.name = "new-backend", .argument = "NAME", SOURCE(new_backend),
	 .help = "… with this one on the new side"},
	{0},
};
/* clang-format on */

static const char *condition_word(size_t i, const char **help)
{
	*help = rg_conditions[i].help;
	return rg_conditions[i].name;
}

/* clang-format off */
const option compare_report_options[] = {
	{.name = "threshold", .argument = "X", .fraction = true, REPORT(report.threshold),
	 .help = "show rows with |avg_rel_diff| of X or more (default: 0)"},
	{.name = "top", .unsaid = true, .argument = "N", REPORT(report.top),
	 .help = "show the first N of all rows; 0 shows all (default: 20)"},
	{.name = "columns", .argument = "LIST", REPORT(report.columns),
	 .help = "which columns in which order, or 'all'"},
	{.name = "sort", .argument = "[-]COLUMN", REPORT(report.sort),
	 .help = "order rows by a column; '-' reverses the order"},
	{.name = "filter", .argument = "KEY=GLOB", REPORT(compare.filters),
	 .help = "only where file, metric, stage, test, variant or checks matches; may be repeated"},
	{.name = "csv", .unsaid = true, .argument = "FILE", REPORT(report.files[RG_REPORT_CSV]),
	 .help = "write all rows as CSV; '-' is stdout"},
	{.name = "markdown", .unsaid = true, .argument = "FILE",
	 REPORT(report.files[RG_REPORT_MARKDOWN]),
	 .help = "write the summary for people; '-' is stdout"},
	{.name = "json", .unsaid = true, .argument = "FILE", REPORT(report.files[RG_REPORT_JSON]),
	 .help = "write everything as JSON; '-' is stdout"},
	{.name = "html", .unsaid = true, .argument = "FILE", REPORT(report.files[RG_REPORT_HTML]),
	 .help = "write a page with curves of the worst rows; '-' is stdout"},
	{.name = "open", .unsaid = true, REPORT(open),
	 .help = "show the page in a browser (BROWSER, or xdg-open)"},
	{.name = "step-summary", .unsaid = true, REPORT(report.step_summary),
	 .help = "append the summary to the file GITHUB_STEP_SUMMARY"},
	{.name = "annotate", .unsaid = true, REPORT(report.annotate),
	 .help = "print the worst goldens as a GitHub job's annotations"},
	{.name = "max-chars", .unsaid = true, .argument = "N", .minimum = 1000, .maximum = 1000000,
	 REPORT(report.max_chars), .help = "how long the summary may get, in bytes (default: 8192)"},
	{.name = "template", .unsaid = true, .argument = "FILE", REPORT(report.template_file),
	 .help = "render the summary from this template"},
	{.name = "html-template", .unsaid = true, .argument = "FILE",
	 REPORT(report.html_template_file),
	 .help = "render the page from this template"},
	{.name = "noise", .argument = "FILE", REPORT(compare.noise),
	 .help = "judge rows by this noise model (of regild audit --model)"},
	{.name = "noise-level", .argument = "X", .fraction = true, REPORT(compare.noise_level),
	 .help = "how often, at most, noise is called a change (default: 0.1)"},
	{.name = "fail-above", .argument = "[METRIC=]X", REPORT(compare.limits),
	 .help = "exit with 1 where |avg_rel_diff| is over X; may be repeated"},
	{.name = "fail-on", .argument = "CONDITION[,CONDITION...]", REPORT(compare.conditions),
	 .help = "exit with 1 where a condition holds; may be repeated:", .word = condition_word},
	{0},
};
/* clang-format on */

/* Of its own: a refresh has an --allow already, for the guards that hold goldens back. */
/* clang-format off */
static const option gate_options[] = {
	{.name = "allow", .argument = "GUARD", .choices = "shrink|no-match", REPORT(allow),
	 .help = "let through what is lost (shrink), or a gate that can hold nothing (no-match)"},
	{0},
};
/* clang-format on */

static const option_group groups[] = {
	{.title = "What to compare", .options = side_options},
	COMPARE_REPORTS(0),
	{.title = "What to let through", .options = gate_options},
	{0},
};

/* With the progress of what has to be downloaded. */
static rg_error *compare(comparison_run *c, command_context *context, compare_arguments *arguments)
{
	progress_display *display;
	RG_TRY(progress_open(&display, context));
	rg_error *err = rg_compare_run(&c->result, &context->flow, &arguments->compare, &c->rules);
	progress_close(display);
	return err;
}

/* Without a repository, one --file and nothing else is shown alone. */
static const char *file_alone(const rg_side_options *sides, const command_context *context)
{
	bool others = sides->base || sides->to || sides->staged || sides->merge_base ||
		      sides->no_renames || sides->old_path || sides->new_paths.count ||
		      sides->operand_count;

	return !context->flow.worktree && !others && sides->files.count == 1 ? sides->files.items[0]
									     : NULL;
}

static void name_sides(rg_compare_options *options, const command_context *context)
{
	options->repository = context->common->repository;
	options->sides.operands = context->operands;
	options->sides.operand_count = (size_t)context->operand_count;
	options->sides.dashes = context->operand_dashes;
	options->sides.after_dashes = (size_t)context->operands_after_dashes;
	options->sides.alone = file_alone(&options->sides, context);
}

static rg_error *run(command_context *context, void *own)
{
	compare_arguments *arguments = own;
	comparison_run c = {0};

	name_sides(&arguments->compare, context);

	for (size_t i = 0; i < arguments->allow.count; i++) {
		const char *guard = arguments->allow.items[i];
		if (!strcmp(guard, "shrink"))
			arguments->compare.allow_lost = true;
		else if (!strcmp(guard, RG_ALLOW_NO_MATCH))
			arguments->compare.allow_idle = true;
		else
			return usage_error("--allow: '%s' is not shrink or no-match", guard);
	}
	rg_error *err = comparison_prepare(&c, context, arguments);
	if (!err)
		err = compare(&c, context, arguments);
	if (!err) {
		if (!arguments->open)
			pager_open(context);
		err = comparison_show(&c, context);
	}
	comparison_release(&c);
	return err;
}

const command command_compare = {
	.name = "compare",
	.summary = "see what changed since HEAD, or between any two sides",
	.operands = "[OLD [NEW]] [-- PATH...]",
	.operands_max = -1,
	.description = "Compares the goldens that differ between two sides, metric by metric. By "
		       "default these\n"
		       "are HEAD and the working tree. A side is a revision (A..B and A...B are "
		       "two), a path,\n"
		       "or run:ID, latest:BRANCH, zip:PATH, rev:REV, path:PATH. avg_rel_diff is\n"
		       "mean((old - new) / old): positive where the new run is smaller.",
	.examples = "regild compare\n"
		    "regild compare main... --markdown summary.md\n"
		    "regild compare latest:main run:22651183945\n"
		    "regild compare old.json new.json",
	.groups = groups,
	.arguments_size = sizeof(compare_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include "commands.h"
#include "pager.h"

#define OF compare_arguments
/* clang-format off */
static const option options[] = {
	OPTION("json", "FILE", report.files[RG_REPORT_JSON], "write everything as JSON; '-' is stdout"),
	OPTION("markdown", "FILE", report.files[RG_REPORT_MARKDOWN],
	       "write the tables as markdown; '-' is stdout"),
	OPTION("html", "FILE", report.files[RG_REPORT_HTML], "write an HTML page with curves; "
							     "'-' is stdout"),
	OPTION("open", NULL, open, "open the page in a browser ($BROWSER or xdg-open)", .unsaid = true),
	OPTION("max-chars", "N", report.max_chars,
	       "the markdown's maximum length in bytes (default: 65536)",
	       .minimum = 1000, .maximum = 1000000),
	OPTION("run-index", "N", compare.formats.run_index,
	       "the run in an opdiff file, counted from 0 (default: all, merged)", .maximum = 1000000),
	OPTION("backend", "NAME", compare.new_part, "show only this backend of opdiff results"),
	{0},
};
/* clang-format on */

static rg_error *run(command_context *context, void *own)
{
	compare_arguments *arguments = own;
	RG_AUTO(comparison_run) c = {0};

	arguments->compare.sides.alone = context->operands[0];
	RG_TRY(comparison_prepare(&c, context, arguments));
	RG_TRY(rg_compare_run(&c.result, &context->flow, &arguments->compare, &c.rules));
	if (!c.result.comparison.unreadable && !rg_format_reports_any(&c.result.reports))
		return rg_error_new(RG_E_USAGE,
				    "%s: has no report of its own, as opdiff results and backend "
				    "tests have; 'regild textconv' prints its values",
				    context->operands[0]);
	if (!arguments->open)
		pager_open(context);
	return comparison_show(&c, context);
}

const command command_show = {
	.name = "show",
	.summary = "report on one file of opdiff results or backend tests",
	.operands = "FILE",
	.operands_max = 1,
	.description = "Reports on one file of results. For opdiff: which backend supports what, "
		       "how far its outputs and times are from the baseline's, and what went "
		       "wrong, as in opdiff's own reports. For backend tests: pass rates and "
		       "failures.",
	.examples = "regild show results.jsonl\n"
		    "regild show results.jsonl --html report.html",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(compare_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run,
};

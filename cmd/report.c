/* SPDX-License-Identifier: Apache-2.0 */
#include "browser.h"
#include "commands.h"
#include "terminal.h"

#include "flow/report.h"

#include <stdint.h>

typedef struct {
	rg_report_options report;
	bool open;
} report_arguments;

#define OF report_arguments
/* clang-format off */
static const option options[] = {
	OPTION("markdown", "FILE", report.files[RG_REPORT_MARKDOWN],
	       "write the summary; '-' is stdout, the default"),
	OPTION("html", "FILE", report.files[RG_REPORT_HTML], "write the page; '-' is stdout"),
	OPTION("open", NULL, open, "open the page in a browser ($BROWSER or xdg-open)"),
	OPTION("max-chars", "N", report.max_chars,
	       "the summary's maximum length in bytes (default: 12000; for an audit 65535)",
	       .minimum = 1000, .maximum = 1000000),
	OPTION("top", "N", report.top,
	       "show N items of each list of the summary; 0 shows all that fit (default: 0; for "
	       "an audit 100)"),
	OPTION("template", "FILE", report.template_file, "render the summary from this template"),
	OPTION("html-template", "FILE", report.html_template_file, "render the page from this template"),
	{0},
};
/* clang-format on */

static rg_error *render(command_context *context, const rg_report_options *given)
{
	static const rg_report_kind kinds[] = {RG_REPORT_MARKDOWN, RG_REPORT_HTML};
	const output_file outputs[] = {{"--markdown", given->files[RG_REPORT_MARKDOWN]},
				       {"--html", given->files[RG_REPORT_HTML]}};
	RG_AUTO(rg_report_document) document = {0};
	RG_AUTO(rg_report) report = {0};
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	if (is_stdout(outputs[0].path) && is_stdout(outputs[1].path))
		return usage_error("only one of --markdown and --html can go to stdout");
	RG_TRY(check_output_files(outputs, 2));
	RG_TRY(rg_report_prepare(&report, &context->flow, given));
	RG_TRY(rg_report_document_read(&document, context->operands[0]));
	for (size_t i = 0; i < 2; i++) {
		if (!outputs[i].path)
			continue;
		rg_buf_clear(&text);
		RG_TRY(rg_report_again(&text, &report, &document, kinds[i]));
		RG_TRY(write_output(outputs[i].path, &text));
	}
	return NULL;
}

static rg_error *run(command_context *context, void *own)
{
	report_arguments *arguments = own;
	const char **files = arguments->report.files;
	RG_AUTO(browser_page) page = {0};

	RG_TRY(browser_prepare(&page, arguments->open, &files[RG_REPORT_HTML]));
	if (!files[RG_REPORT_HTML] && !files[RG_REPORT_MARKDOWN])
		files[RG_REPORT_MARKDOWN] = "-";
	RG_TRY(render(context, &arguments->report));
	browser_show(&page, context);
	return NULL;
}

const command command_report = {
	.name = "report",
	.summary = "render a report again from its JSON",
	.operands = "FILE",
	.missing = "'regild compare --json FILE' writes one",
	.operands_max = 1,
	.description =
		"Renders the summary and the page of a comparison, refresh or audit from the "
		"file that --json wrote. The bytes are the same, and it needs no goldens, "
		"repository or network.",
	.examples = "regild report rows.json\n"
		    "regild report rows.json --html report.html\n"
		    "regild report rows.json --markdown body.md --max-chars 60000\n"
		    "regild report audit.json --html audit.html\n",
	.groups = (const option_group[]){{.title = "What to render", .options = options}, {0}},
	.arguments_size = sizeof(report_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run,
};

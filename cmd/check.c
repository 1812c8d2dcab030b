/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "pager.h"
#include "terminal.h"

#include "base/utf8.h"
#include "flow/check.h"

#include <stdio.h>
#include <string.h>

typedef struct {
	bool changed;
	const char *base;
	bool github;
} check_arguments;

/* clang-format off */
static const option check_options[] = {
	{.name = "changed", OPTION_FIELD(check_arguments, changed),
	 .help = "only goldens that differ from --base"},
	{.name = "base", .argument = "REV", OPTION_FIELD(check_arguments, base),
	 .help = "the revision that --changed looks from (default HEAD)"},
	{.name = "github", OPTION_FIELD(check_arguments, github),
	 .help = "print findings as annotations of a GitHub workflow"},
	{0},
};
/* clang-format on */

/* Workflow commands:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 * A property ends at ':' and ',', so they are escaped there too. */
static void add_escaped(rg_buf *out, const char *text, bool is_property)
{
	size_t left = strlen(text), width;
	char safe[RG_UTF8_SAFE_SIZE];

	while (left) {
		size_t taken = rg_utf8_next_safe(text, left, safe, &width);

		if (strchr(is_property ? "%\r\n:," : "%\r\n", *text))
			rg_buf_printf(out, "%%%02X", (unsigned)*text);
		else
			rg_buf_str(out, safe);
		text += taken;
		left -= taken;
	}
}

/* "FILE: TEXT", or the annotation that puts TEXT beside FILE in a pull request. */
static rg_error *print_finding(void *context, const rg_check_finding *finding)
{
	const check_arguments *arguments = context;
	rg_buf safe, line;
	rg_error *err;

	rg_buf_init(&safe, RG_BUF_TEXT);
	rg_buf_init(&line, RG_BUF_TEXT);
	rg_utf8_add_safe(&safe, finding->text, strlen(finding->text));
	if (arguments->github) {
		/* A workflow knows files by these paths. */
		rg_buf_str(&line, "::error file=");
		add_escaped(&line, finding->inner_path, true);
		rg_buf_str(&line, ",title=regild check::");
		add_escaped(&line, safe.data, false);
	} else {
		rg_utf8_add_safe(&line, finding->path, strlen(finding->path));
		rg_buf_printf(&line, ": %s", safe.data);
	}
	err = rg_error_first(rg_buf_check(&safe, finding->path),
			     rg_buf_check(&line, finding->path));
	if (!err)
		puts(line.data);
	rg_buf_release(&line);
	rg_buf_release(&safe);
	return err;
}

static rg_error *run_check(command_context *context, void *own)
{
	check_arguments *arguments = own;
	const rg_check_options options = {.files = context->operands,
					  .file_count = (size_t)context->operand_count,
					  .changed = arguments->changed,
					  .base = arguments->base,
					  .found = print_finding,
					  .context = arguments};
	rg_check_result result;

	if (arguments->base && !arguments->changed)
		return usage_error("--base goes with --changed");
	if (context->operand_count && arguments->changed)
		return usage_error("either FILES or --changed");
	pager_open(context);
	RG_TRY(rg_check(&result, &context->flow, &options));
	rg_log_say(&context->flow.log, RG_LOG_INFO,
		   "%zu golden%s checked, %zu unreadable, %zu finding%s", result.files,
		   result.files == 1 ? "" : "s", result.unreadable, result.findings,
		   result.findings == 1 ? "" : "s");
	if (result.findings)
		context->exit_code = result.unreadable ? EXIT_PARTIAL : EXIT_GATE;
	return NULL;
}

static const option_group check_groups[] = {{"Options", check_options, 0}, {0}};

const command command_check = {
	.name = "check",
	.summary = "look for goldens that are broken in themselves",
	.operands = "[FILE…]",
	.operands_max = -1,
	.description =
		"Without FILE, every golden below regild.root is checked. Each finding is a line,\n"
		"FILE: METRIC: STEP: what is wrong; the exit code is then 1.",
	.examples = "regild check --changed\n"
		    "regild check old.json",
	.groups = check_groups,
	.arguments_size = sizeof(check_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run_check,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "artifact_print.h"
#include "commands.h"
#include "terminal.h"

#include "base/number.h"

typedef struct {
	const char *output;
	bool skip_incomplete;
} pack_arguments;

/* clang-format off */
static const option pack_options[] = {
	{.letter = 'o', .name = "output", .argument = "ZIP", .needed = true,
	 OPTION_FIELD(pack_arguments, output),
	 .help = "the zip to write (required)"},
	{.name = "skip-incomplete", OPTION_FIELD(pack_arguments, skip_incomplete),
	 .help = "leave out models that are not whole, and name what they lack"},
	{0},
};
/* clang-format on */

static const option_group groups[] = {{"Options", pack_options, 0}, {0}};

/* What is in the folder but not part of a golden is said, so that nobody misses it in the zip. */
static void say_left_out(const command_context *context, const rg_artifact_result *result)
{
	const rg_artifact_source *source = &result->source;
	for (size_t i = 0; i < source->files.count; i++)
		if (!result->check.part[i] && !result->check.skipped[i])
			rg_log_say(&context->flow.log, RG_LOG_WARNING,
				   "%s: left out: no program, no tensor", source->files.names[i]);
	if (source->links)
		rg_log_say(&context->flow.log, RG_LOG_WARNING, "%zu symbolic link%s left out",
			   source->links, source->links == 1 ? "" : "s");
}

static void print_packed(const rg_artifact_result *result, const char *zip)
{
	char size[RG_SIZE_TEXT];
	rg_size_text(result->size, size);
	artifact_print_counts(&result->check, stdout);
	printf(" in ");
	terminal_print_safe(stdout, zip);
	printf(" (%s)", size);
	if (result->check.skipped_models)
		printf(", %zu incomplete model%s left out", result->check.skipped_models,
		       result->check.skipped_models == 1 ? "" : "s");
	putchar('\n');
}

static rg_error *run(command_context *context, void *arguments)
{
	const pack_arguments *given = arguments;
	rg_artifact_result result;

	if (context->operand_count != 1)
		return usage_error("which folder? 'regild pack DIR -o ZIP'");
	if (!given->output)
		return usage_error("-o ZIP is needed");
	if (!*given->output)
		return usage_error("-o: the file has no name");
	if (is_stdout(given->output))
		return usage_error("a zip does not go to stdout; -o names its file");
	rg_error *err = rg_artifact_pack(&result, &context->flow, context->operands[0],
					 given->output, given->skip_incomplete);
	context->changed = result.changed;
	artifact_say_trouble(&result);
	if (result.check.part && (!result.check.problem_count || result.changed))
		say_left_out(context, &result);
	if (!err && !context->common->quiet)
		print_packed(&result, given->output);
	rg_artifact_result_release(&result);
	return err;
}

const command command_pack = {
	.name = "pack",
	.summary = "package ExecuTorch goldens as a deterministic zip",
	.operands = "DIR",
	.operands_max = 1,
	.flags = COMMAND_MAY_USE_WORKTREE,
	.description = "Packages FLOW/MODEL.pte with its inputs and expected outputs (.bin), flows "
		       "kept.\nThe same goldens make the same bytes. A golden that is not whole is "
		       "refused,\nor left out with --skip-incomplete.",
	.examples = "regild pack goldens -o golden_artifacts_26112103.zip",
	.groups = groups,
	.arguments_size = sizeof(pack_arguments),
	.run = run,
};

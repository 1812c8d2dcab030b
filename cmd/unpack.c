/* SPDX-License-Identifier: Apache-2.0 */
#include "artifact_print.h"
#include "base/memory.h"
#include "commands.h"
#include "terminal.h"

#include "base/path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
	const char *output;
} unpack_arguments;

/* clang-format off */
static const option unpack_options[] = {
	{.letter = 'o', .name = "output", .argument = "DIR", OPTION_FIELD(unpack_arguments, output),
	 .help = "the folder to make (default: the zip's name without .zip)"},
	{0},
};
/* clang-format on */

static const option_group groups[] = {{"Options", unpack_options, 0}, {0}};

/* *out is the caller's to free. */
static rg_error *target_of(char **out, const char *zip, const char *given)
{
	const char *base = rg_path_name(zip);
	size_t length = strlen(base);
	struct stat st;

	if (!given && (length <= 4 || !rg_ends_with(base, ".zip")))
		return usage_error("-o DIR is needed: '%s' does not end in .zip", base);
	if (given) {
		*out = rg_strdup(given);
	} else {
		*out = rg_strndup(base, length - 4);
	}
	length = strlen(*out);
	while (length > 1 && (*out)[length - 1] == '/')
		(*out)[--length] = '\0';
	if (!lstat(*out, &st)) {
		rg_error *err = rg_error_new(RG_E_CONFLICT,
					     "%s: exists already; name another with -o", *out);

		free(*out);
		*out = NULL;
		return err;
	}
	return NULL;
}

static void print_unpacked(const rg_artifact_files *files, const char *folder)
{
	printf("%zu file%s in ", files->count, files->count == 1 ? "" : "s");
	terminal_print_safe(stdout, folder);
	if (files->refused_count)
		printf(", %zu refused", files->refused_count);
	putchar('\n');
}

static rg_error *run(command_context *context, void *arguments)
{
	const unpack_arguments *given = arguments;
	rg_artifact_result result;
	char *target;

	if (context->operand_count != 1)
		return usage_error("which zip? 'regild unpack ZIP'");
	if (given->output && !*given->output)
		return usage_error("-o: the folder has no name");
	RG_TRY(target_of(&target, context->operands[0], given->output));
	rg_error *err = rg_artifact_unpack(&result, &context->flow, context->operands[0], target);
	context->changed = result.changed;
	artifact_say_trouble(&result);
	if (!err && result.source.files.refused_count)
		context->exit_code = EXIT_PARTIAL;
	if (!err && !context->common->quiet)
		print_unpacked(&result.source.files, target);
	rg_artifact_result_release(&result);
	free(target);
	return err;
}

const command command_unpack = {
	.name = "unpack",
	.summary = "unpack a zip of ExecuTorch goldens, flows kept apart",
	.operands = "ZIP",
	.operands_max = 1,
	.flags = COMMAND_MAY_USE_WORKTREE,
	.description = "Unpacks into a new folder: all of it, or nothing is made. A zip inside the "
		       "artifact's\nzip is opened too. Unsafe names are refused.",
	.examples = "regild unpack golden_artifacts_26112103.zip -o goldens",
	.groups = groups,
	.arguments_size = sizeof(unpack_arguments),
	.run = run,
};

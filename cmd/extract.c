/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "base/memory.h"
#include "terminal.h"

#include "base/path.h"
#include "flow/bundle.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	const char *output, *format;
} extract_arguments;

/* clang-format off */
static const option extract_options[] = {
	{.letter = 'o', .name = "output", .argument = "DIR",
	 OPTION_FIELD(extract_arguments, output),
	 .help = "where to (default: the file's name without .bpte)"},
	{.name = "format", .argument = "npy|bin", .choices = "npy|bin",
	 OPTION_FIELD(extract_arguments, format),
	 .help = "NumPy files, or raw elements (default: npy)"},
	{0},
};
/* clang-format on */

static const option_group groups[] = {{"Options", extract_options, 0}, {0}};

/* What ended it in the middle is said here: it is done in part then. */
static rg_error *say_part(command_context *context, rg_error *err, size_t written,
			  const char *folder)
{
	if (!err || !written || rg_error_get_code(err) == RG_E_CANCELLED)
		return err;
	terminal_say("%s", rg_error_message(err));
	terminal_say("%s: %zu file%s written before that", folder, written,
		     written == 1 ? " was" : "s were");
	rg_error_free(err);
	context->exit_code = EXIT_PARTIAL;
	return NULL;
}

/* *out is the caller's to free. */
static rg_error *folder_of(char **out, const char *file, const char *given)
{
	const char *base = rg_path_name(file);
	size_t length = strlen(base);

	if (given) {
		*out = rg_strdup(given);
		return NULL;
	}
	if (length <= 5 || !rg_ends_with(base, ".bpte"))
		return usage_error("-o DIR is needed: '%s' does not end in .bpte", base);
	*out = rg_strndup(base, length - 5);
	return NULL;
}

static rg_error *run(command_context *context, void *arguments)
{
	const extract_arguments *given = arguments;
	bool npy = !given->format || !strcmp(given->format, "npy");
	rg_bundle_result result;
	char *folder = NULL;

	if (context->operand_count != 1)
		return usage_error("which file? 'regild extract FILE.bpte'");
	if (given->output && !given->output[0])
		return usage_error("-o: which folder? '.' is the current one");
	RG_TRY(folder_of(&folder, context->operands[0], given->output));
	rg_error *err = rg_bundle_extract(&result, context->operands[0], folder, npy);
	context->changed = !err;
	err = say_part(context, err, result.written, folder);
	if (!err && !context->exit_code && !context->common->quiet) {
		printf("%zu value%s of %zu case%s in ", result.bundle.count,
		       result.bundle.count == 1 ? "" : "s", result.bundle.case_count,
		       result.bundle.case_count == 1 ? "" : "s");
		terminal_print_safe(stdout, folder);
		putchar('\n');
	}
	rg_bundle_result_release(&result);
	free(folder);
	return err;
}

const command command_extract = {
	.name = "extract",
	.summary = "take inputs and expected outputs out of a bundled program",
	.operands = "FILE.bpte",
	.operands_max = 1,
	.description = "Writes METHOD/CASE/input_i.npy and METHOD/CASE/output_i.npy, and the "
		       "program as\nprogram.pte. Types that NumPy lacks (bfloat16, float8) "
		       "are written raw, as .bin.",
	.examples = "regild extract model.bpte\n"
		    "regild extract model.bpte -o cases --format bin",
	.groups = groups,
	.arguments_size = sizeof(extract_arguments),
	.run = run,
};

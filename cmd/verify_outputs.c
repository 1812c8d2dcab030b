/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "terminal.h"

#include "flow/bundle.h"

#include <errno.h>
#include <sys/stat.h>

typedef struct {
	const char *actual;
	rg_optional_number rtol, atol;
} verify_arguments;

/* clang-format off */
static const option verify_options[] = {
	{.name = "actual", .argument = "DIR", .needed = true,
	 OPTION_FIELD(verify_arguments, actual),
	 .help = "the runtime's outputs: METHOD/CASE/output_i.npy or .bin (required)"},
	{.name = "rtol", .argument = "X", OPTION_FIELD(verify_arguments, rtol),
	 .help = "relative tolerance of floats (default: 1e-05)"},
	{.name = "atol", .argument = "X", OPTION_FIELD(verify_arguments, atol),
	 .help = "absolute tolerance of floats (default: 1e-08)"},
	{0},
};
/* clang-format on */

static const option_group groups[] = {{"Options", verify_options, 0}, {0}};

static void print_failure(const rg_bundle_value *value, const rg_runtime_verdict *verdict)
{
	terminal_print_safe(stdout, value->method);
	printf("/%zu/output/%zu: ", value->case_index, value->index);
	terminal_print_safe(stdout, verdict->why);
	if (verdict->wrong > 1)
		printf(" (and %zu more)", verdict->wrong - 1);
	putchar('\n');
}

static void print_case(const rg_bundle_result *result, const rg_bundle_case *c, bool quiet)
{
	const rg_bundle_value *first = &result->bundle.values[c->first];
	size_t i;

	for (i = c->first; i < c->first + c->count; i++)
		if (result->bundle.values[i].output && !result->verdicts[i].passed)
			print_failure(&result->bundle.values[i], &result->verdicts[i]);
	if (quiet)
		return;
	terminal_print_safe(stdout, first->method);
	printf("/%zu: %s\n", first->case_index, c->failed ? "FAIL" : "pass");
}

static void print_result(const rg_bundle_result *result, bool quiet)
{
	size_t i;

	for (i = 0; i < result->case_count; i++)
		print_case(result, &result->cases[i], quiet);
	printf("%zu of %zu cases passed (%zu of %zu outputs)\n",
	       result->case_count - result->failed_cases, result->case_count, result->passed,
	       result->passed + result->failed);
}

/* A folder that is not there is a mistake in the call, not a runtime that failed. */
static rg_error *check_folder(const char *folder)
{
	struct stat st;

	if (stat(folder, &st))
		return rg_error_io(errno, "%s", folder);
	return S_ISDIR(st.st_mode) ? NULL : rg_error_io(ENOTDIR, "%s", folder);
}

static rg_error *check_tolerance(const rg_optional_number *given, const char *name)
{
	if (given->given && !(given->value >= 0))
		return usage_error("--%s: less than 0", name);
	return NULL;
}

static rg_error *run(command_context *context, void *arguments)
{
	const verify_arguments *given = arguments;
	const rg_verify_options options = {
		.folder = given->actual,
		.rtol = given->rtol.given ? given->rtol.value : RG_RUNTIME_RTOL,
		.atol = given->atol.given ? given->atol.value : RG_RUNTIME_ATOL,
	};
	rg_bundle_result result;
	rg_error *err;

	if (context->operand_count != 1)
		return usage_error("which file? 'regild verify-outputs FILE.bpte --actual DIR'");
	if (!given->actual)
		return usage_error("--actual DIR is needed");
	RG_TRY(check_tolerance(&given->rtol, "rtol"));
	RG_TRY(check_tolerance(&given->atol, "atol"));
	RG_TRY(rg_error_wrap(check_folder(given->actual), "--actual"));
	err = rg_bundle_verify(&result, context->operands[0], &options);
	if (!err) {
		print_result(&result, context->common->quiet);
		if (result.failed)
			context->exit_code = EXIT_GATE;
	}
	rg_bundle_result_release(&result);
	return err;
}

const command command_verify_outputs = {
	.name = "verify-outputs",
	.summary = "check a runtime's outputs against a bundled program's",
	.operands = "FILE.bpte",
	.operands_max = 1,
	.description = "By the runtime's own rule: equal shapes and types, integers equal, floats\n"
		       "|actual - expected| <= atol + rtol * |actual|, NaN equal to NaN. Exit "
		       "code 1 where\nan output fails.",
	.examples = "regild extract model.bpte -o expected\n"
		    "regild verify-outputs model.bpte --actual expected",
	.groups = groups,
	.arguments_size = sizeof(verify_arguments),
	.run = run,
};

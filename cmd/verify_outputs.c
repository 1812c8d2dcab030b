/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "terminal.h"

#include "base/number.h"
#include "flow/bundle_verify.h"

#include <errno.h>
#include <stdint.h>
#include <sys/stat.h>

typedef struct {
	const char *actual;
	rg_optional_number rtol, atol;
	const char *json;
	bool stats;
} verify_arguments;

/* clang-format off */
static const option verify_options[] = {
	{.name = "actual", .argument = "DIR", .needed = true,
	 OPTION_FIELD(verify_arguments, actual),
	 .help = "the runtime's outputs: METHOD/CASE/output_i.npy or .bin (required)"},
	{.name = "rtol", .argument = "X", .fraction = true, OPTION_FIELD(verify_arguments, rtol),
	 .help = "relative tolerance of floats (default: 1e-05)"},
	{.name = "atol", .argument = "X", OPTION_FIELD(verify_arguments, atol),
	 .help = "absolute tolerance of floats (default: 1e-08)"},
	{.name = "stats", OPTION_FIELD(verify_arguments, stats),
	 .help = "the runtime's error statistics of each case too"},
	{.name = "json", .argument = "FILE", OPTION_FIELD(verify_arguments, json),
	 .help = "write the verdicts as JSON; '-' is stdout, instead of the list"},
	{0},
};
/* clang-format on */

static const option_group groups[] = {{"Options", verify_options, 0}, {0}};

static void print_name(const rg_bundle_case *c)
{
	terminal_print_safe(stdout, c->method);
	printf("/%zu", c->index);
}

static void print_failure(const rg_bundle_case *c, const rg_bundle_value *value,
			  const rg_runtime_verdict *verdict)
{
	print_name(c);
	printf("/output/%zu: ", value->index);
	terminal_print_safe(stdout, verdict->why);
	if (verdict->wrong > 1)
		printf(" (and %zu more)", verdict->wrong - 1);
	putchar('\n');
}

/* As the runtime has them, which has none of other types. */
static void print_errors(const rg_bundle_case *c, const rg_case_verdict *of_case)
{
	const rg_runtime_errors *errors = &of_case->errors;
	double count = errors->count ? (double)errors->count : 1;
	char text[4][RG_DOUBLE_REPR_SIZE];

	if (of_case->state == RG_CASE_NOT_CHECKED)
		return;
	print_name(c);
	if (!of_case->has_errors) {
		puts(": no error statistics: the runtime has them of float32 alone");
		return;
	}
	rg_double_repr(errors->sum_abs / count, text[0]);
	rg_double_repr(errors->max_abs, text[1]);
	rg_double_repr(errors->sum_rel / count, text[2]);
	rg_double_repr(errors->max_rel, text[3]);
	printf(": mean_abs %s, max_abs %s, mean_rel %s, max_rel %s\n", text[0], text[1], text[2],
	       text[3]);
}

static void print_case(const rg_bundle_verdict *v, size_t index, bool quiet, bool stats)
{
	const rg_bundle_case *c = &v->file.bundle.cases[index];
	const rg_case_verdict *of_case = &v->cases[index];
	size_t outputs = c->first + c->inputs;

	for (size_t i = outputs; i < outputs + c->outputs; i++)
		if (!v->verdicts[i].passed)
			print_failure(c, &v->file.bundle.values[i], &v->verdicts[i]);
	for (size_t i = 0; i < of_case->extras; i++) {
		print_name(c);
		putchar('/');
		terminal_print_safe(stdout, v->extras[of_case->first_extra + i]);
		puts(": not checked: nothing is expected for it");
	}
	if (stats)
		print_errors(c, of_case);
	if (quiet)
		return;
	print_name(c);
	printf(": %s%s\n", rg_case_state_names[of_case->state],
	       of_case->state == RG_CASE_NOT_CHECKED ? ": no expected output" : "");
}

static void print_result(const rg_bundle_verdict *v, bool quiet, bool stats)
{
	for (size_t i = 0; i < v->file.bundle.case_count; i++)
		print_case(v, i, quiet, stats);
	printf("%zu of %zu cases passed (%zu of %zu outputs)", v->passed_cases,
	       v->file.bundle.case_count, v->passed, v->passed + v->failed);
	if (v->unchecked_cases)
		printf(", %zu not checked", v->unchecked_cases);
	putchar('\n');
}

static rg_error *write_document(const rg_bundle_verdict *verdict, const rg_verify_options *options,
				const char *path)
{
	rg_buf text;
	rg_buf_init(&text, SIZE_MAX / 4);
	rg_error *err = rg_bundle_verdict_json(verdict, options, &text);
	if (!err)
		err = write_json(path, &text);
	rg_buf_release(&text);
	return err;
}

static rg_error *show(command_context *context, const rg_bundle_verdict *verdict,
		      const rg_verify_options *options, const verify_arguments *given)
{
	if (verdict->failed)
		context->exit_code = EXIT_GATE;
	if (given->json)
		RG_TRY(write_document(verdict, options, given->json));
	if (!given->json || !is_stdout(given->json))
		print_result(verdict, context->common->quiet, given->stats);
	return NULL;
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
	const output_file files[] = {{"--json", given->json}};
	rg_bundle_verdict verdict;
	rg_error *err;

	if (context->operand_count != 1)
		return usage_error("which file? 'regild verify-outputs FILE.bpte --actual DIR'");
	if (!given->actual)
		return usage_error("--actual DIR is needed");
	RG_TRY(check_tolerance(&given->rtol, "rtol"));
	RG_TRY(check_tolerance(&given->atol, "atol"));
	RG_TRY(rg_error_wrap(check_folder(given->actual), "--actual"));
	RG_TRY(check_output_files(files, 1));
	err = rg_bundle_verify(&verdict, context->operands[0], &options);
	if (!err)
		err = show(context, &verdict, &options, given);
	rg_bundle_verdict_release(&verdict);
	return err;
}

const command command_verify_outputs = {
	.name = "verify-outputs",
	.summary = "check a runtime's outputs against a bundled program's",
	.operands = "FILE.bpte",
	.operands_max = 1,
	.description = "By the runtime's own rule, to the bit: equal types and shapes; float32, "
		       "float64 and\nfloat16 |expected - actual| <= atol + rtol * |actual|, NaN "
		       "equal to NaN; all others,\nbfloat16 too, equal in bytes. A case without "
		       "expected outputs is not checked. Exit\ncode 1 where an output fails.",
	.examples = "regild extract model.bpte -o expected\n"
		    "regild verify-outputs model.bpte --actual expected",
	.groups = groups,
	.arguments_size = sizeof(verify_arguments),
	.run = run,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "base/memory.h"
#include "terminal.h"

#include "base/number.h"
#include "base/path.h"
#include "flow/executorch/artifact.h"
#include "flow/executorch/bundle.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The options of all subcommands; each fills those that it takes. */
typedef struct {
	const char *output, *format, *actual, *json;
	bool skip_incomplete, stats;
	rg_optional_number rtol, atol;
} executorch_arguments;
#define OF executorch_arguments

/* All subcommands have these. */
#define PART .operands_max = 1, .arguments_size = sizeof(executorch_arguments)

/* ---- as JSON ---- */

#define EXECUTORCH_JSON JSON_OPTION(executorch_arguments, json)

/* Nothing goes to stdout beside the document. */
static bool is_quiet(const command_context *context, const executorch_arguments *given)
{
	return context->common->quiet || is_stdout(given->json);
}

static rg_error *check_json(const executorch_arguments *given)
{
	const output_file files[] = {{"--json", given->json}};
	return check_output_files(files, 1);
}

static rg_executorch_facts facts_of_zip(const rg_artifact_result *result)
{
	const rg_artifact_check *check = &result->check;
	const rg_artifact_files *files = &result->source.files;
	return (rg_executorch_facts){
		.flows = check->flows,
		.models = check->models,
		.inputs = check->inputs,
		.outputs = check->outputs,
		.left_out = check->skipped_models,
		.others = check->strays,
		.whole = !check->problem_count && !files->refused_count,
		.refused = result->source.refusals,
		.refused_count = files->refused_count,
		.problems = check->problems,
		.problem_count = check->problem_count,
	};
}

/* `part` NULL: nothing follows; else the part that can be called with `operand`. */
static rg_error *write_facts(const command_context *context, const executorch_arguments *given,
			     const rg_executorch_facts *said, const char *part, const char *operand)
{
	rg_facts facts = facts_of(context);
	if (part)
		rg_facts_can(&facts, "checks it", "executorch", part, operand, NULL);
	return facts_finish(&facts, context, given->json, "regild-executorch", said);
}

/* ---- zips of goldens ---- */

/* Members that could not be had, and the check's problems, on stderr. */
static void say_trouble(const rg_artifact_result *result)
{
	for (size_t i = 0; i < result->source.files.refused_count; i++)
		terminal_say("%s", result->source.refusals[i]);
	for (size_t i = 0; i < result->check.problem_count; i++)
		terminal_say("%s", result->check.problems[i]);
}

static void print_count(size_t count, const char *what, const char *after)
{
	printf("%zu %s%s%s", count, what, rg_plural(count), after);
}

/* "2 flows, 3 models, 4 inputs, 3 outputs". */
static void print_counts(const rg_artifact_check *check)
{
	print_count(check->flows, "flow", ", ");
	print_count(check->models, "model", ", ");
	print_count(check->inputs, "input", ", ");
	print_count(check->outputs, "output", "");
}

/* clang-format off */
static const option pack_options[] = {
	OPTION("output", "ZIP", output, "the zip to write (required)", .letter = 'o', .needed = true),
	OPTION("skip-incomplete", NULL, skip_incomplete,
	       "leave out incomplete models, and name what they lack"),
	EXECUTORCH_JSON,
	{0},
};
/* clang-format on */

static void print_packed(const rg_artifact_result *result, const char *zip)
{
	char size[RG_SIZE_TEXT];
	rg_size_text(result->size, size);
	print_counts(&result->check);
	terminal_printf(stdout, " in %s (%s)", zip, size);
	if (result->check.skipped_models)
		printf(", %zu incomplete model%s left out", result->check.skipped_models,
		       rg_plural(result->check.skipped_models));
	putchar('\n');
}

static rg_error *pack(command_context *context, void *arguments)
{
	const executorch_arguments *given = arguments;
	RG_AUTO(rg_artifact_result) result = {0};

	if (!given->output)
		return usage_error("-o ZIP is needed");
	if (!*given->output)
		return usage_error("-o: the file has no name");
	if (is_stdout(given->output))
		return usage_error("a zip does not go to stdout; -o names its file");
	RG_TRY(check_json(given));
	rg_error *err = rg_artifact_pack(&result, &context->flow, context->operands[0],
					 given->output, given->skip_incomplete);
	context->changed = result.changed;
	say_trouble(&result);
	if (result.check.part && (!result.check.problem_count || result.changed)) {
		/* A file of the folder that is left out is named, so that nobody misses it in the
		 * zip. */
		const rg_artifact_source *source = &result.source;
		for (size_t i = 0; i < source->files.count; i++)
			if (!result.check.part[i] && !result.check.skipped[i])
				tell(context, RG_LOG_WARNING, "%s: left out: no program, no tensor",
				     source->files.names[i]);
		if (source->links)
			tell(context, RG_LOG_WARNING, "%zu symbolic link%s left out", source->links,
			     rg_plural(source->links));
	}
	RG_TRY(err);
	if (!is_quiet(context, given))
		print_packed(&result, given->output);
	rg_executorch_facts said = facts_of_zip(&result);
	said.file = given->output;
	said.folder = context->operands[0];
	return write_facts(context, given, &said, "verify", given->output);
}

static const command command_pack = {
	PART,
	.name = "executorch pack",
	.summary = "pack ExecuTorch goldens into a deterministic zip",
	.operands = "DIR",
	.missing = "regild executorch pack DIR -o ZIP",
	.flags = COMMAND_MAY_USE_WORKTREE,
	.description = "Packs each FLOW/MODEL.pte with its inputs and expected outputs (.bin), "
		       "and keeps the flows' folders. The same goldens make the same bytes. "
		       "Refuses incomplete goldens, or leaves them out with --skip-incomplete.",
	.examples = "regild executorch pack goldens -o golden_artifacts_26112103.zip",
	.groups = OPTIONS(pack_options),
	.run = pack,
};

/* clang-format off */
static const option unpack_options[] = {
	OPTION("output", "DIR", output,
	       "the new folder (default: the zip's name without .zip)", .letter = 'o'),
	EXECUTORCH_JSON,
	{0},
};
/* clang-format on */

/* Which folder: the one that is given, or the file's name without `suffix`. *out is the caller's to
 * free. */
static rg_error *folder_of(char **out, const char *file, const char *suffix, const char *given)
{
	const char *base = rg_path_name(file);
	size_t length = strlen(base), end = strlen(suffix);

	if (!given && (length <= end || !rg_ends_with(base, suffix)))
		return usage_error("-o DIR is needed: '%s' does not end in %s", base, suffix);
	*out = given ? rg_strdup(given) : rg_strndup(base, length - end);
	return NULL;
}

/* The same of a zip; there is no such folder yet. */
static rg_error *target_of(char **out, const char *zip, const char *given)
{
	struct stat st;
	RG_TRY(folder_of(out, zip, ".zip", given));
	size_t length = strlen(*out);
	while (length > 1 && (*out)[length - 1] == '/')
		(*out)[--length] = '\0';
	return lstat(*out, &st) ? NULL
				: rg_error_new(RG_E_CONFLICT,
					       "%s: exists already; name another with -o", *out);
}

static rg_error *unpack(command_context *context, void *arguments)
{
	const executorch_arguments *given = arguments;
	RG_AUTO(rg_artifact_result) result = {0};
	RG_AUTO_FREE char *target = NULL;

	if (given->output && !*given->output)
		return usage_error("-o: the folder has no name");
	RG_TRY(check_json(given));
	RG_TRY(target_of(&target, context->operands[0], given->output));
	rg_error *err = rg_artifact_unpack(&result, &context->flow, context->operands[0], target);
	context->changed = result.changed;
	say_trouble(&result);
	RG_TRY(err);
	if (result.source.files.refused_count)
		context->exit_code = EXIT_PARTIAL;
	if (!is_quiet(context, given)) {
		terminal_printf(stdout, "%zu file%s in %s", result.source.files.count,
				rg_plural(result.source.files.count), target);
		if (result.source.files.refused_count)
			printf(", %zu refused", result.source.files.refused_count);
		putchar('\n');
	}
	rg_executorch_facts said = facts_of_zip(&result);
	said.file = context->operands[0];
	said.folder = target;
	said.files = result.source.files.count;
	return write_facts(context, given, &said, NULL, NULL);
}

static const command command_unpack = {
	PART,
	.name = "executorch unpack",
	.summary = "unpack a zip of ExecuTorch goldens",
	.operands = "ZIP",
	.flags = COMMAND_MAY_USE_WORKTREE,
	.description = "Unpacks everything into a new folder, or makes nothing. Opens a zip "
		       "inside the artifact's zip, too. Refuses unsafe names.",
	.examples = "regild executorch unpack golden_artifacts_26112103.zip -o unpacked",
	.groups = OPTIONS(unpack_options),
	.run = unpack,
};

static const option verify_options[] = {EXECUTORCH_JSON, {0}};

static rg_error *verify(command_context *context, void *arguments)
{
	const executorch_arguments *given = arguments;
	RG_AUTO(rg_artifact_result) result = {0};

	RG_TRY(check_json(given));
	rg_error *err = rg_artifact_verify(&result, &context->flow, context->operands[0]);
	say_trouble(&result);
	RG_TRY(err);
	rg_executorch_facts said = facts_of_zip(&result);
	said.file = context->operands[0];
	if (!said.whole)
		context->exit_code = EXIT_GATE;
	if (!is_quiet(context, given)) {
		terminal_printf(stdout, "%s: %s: ", context->operands[0],
				said.whole ? "whole" : "not whole");
		print_counts(&result.check);
		if (result.check.strays)
			printf(", %zu other file%s", result.check.strays,
			       rg_plural(result.check.strays));
		putchar('\n');
	}
	return write_facts(context, given, &said, NULL, NULL);
}

static const command command_verify = {
	PART,
	.name = "executorch verify",
	.summary = "check that a zip of ExecuTorch goldens is complete",
	.operands = "ZIP",
	.flags = COMMAND_MAY_USE_WORKTREE,
	.description = "Checks that every checksum is right, that every program has inputs and "
		       "expected outputs of the right size, and that every tensor has its "
		       "program. Exits with 1 if not.",
	.examples = "regild executorch verify golden_artifacts_26112103.zip",
	.groups = OPTIONS(verify_options),
	.run = verify,
};

/* ---- bundled programs ---- */

/* clang-format off */
static const option extract_options[] = {
	OPTION("output", "DIR", output, "the folder to write to (default: the file's name "
					"without .bpte)", .letter = 'o'),
	OPTION("format", "npy|bin", format,
	       "NumPy files or raw elements (default: npy)", .choices = "npy|bin"),
	EXECUTORCH_JSON,
	{0},
};
/* clang-format on */

/* An extraction that ended in the middle is done in part: its error is said here. */
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

static rg_error *extract(command_context *context, void *arguments)
{
	const executorch_arguments *given = arguments;
	bool npy = !given->format || !strcmp(given->format, "npy");
	RG_AUTO(rg_bundle_result) result = {0};
	RG_AUTO_FREE char *folder = NULL;

	if (given->output && !given->output[0])
		return usage_error("-o: missing folder; '.' is the current one");
	RG_TRY(check_json(given));
	RG_TRY(folder_of(&folder, context->operands[0], ".bpte", given->output));
	rg_error *err = rg_bundle_extract(&result, context->operands[0], folder, npy);
	context->changed = !err;
	RG_TRY(say_part(context, err, result.written, folder));
	if (!context->exit_code && !is_quiet(context, given))
		terminal_printf(stdout, "%zu value%s of %zu case%s in %s\n", result.bundle.count,
				rg_plural(result.bundle.count), result.bundle.case_count,
				rg_plural(result.bundle.case_count), folder);
	const rg_executorch_facts said = {.file = context->operands[0],
					  .folder = folder,
					  .files = result.written,
					  .cases = result.bundle.case_count,
					  .whole = !context->exit_code};
	return write_facts(context, given, &said, NULL, NULL);
}

static const command command_extract = {
	PART,
	.name = "executorch extract",
	.summary = "extract a bundled program's inputs and expected outputs",
	.operands = "FILE.bpte",
	.description = "Writes METHOD/CASE/input_i.npy and METHOD/CASE/output_i.npy, and the "
		       "program as program.pte. Types that NumPy lacks (bfloat16, float8) are "
		       "written raw, as .bin.",
	.examples = "regild executorch extract model.bpte\n"
		    "regild executorch extract model.bpte -o cases --format bin",
	.groups = OPTIONS(extract_options),
	.run = extract,
};

/* clang-format off */
static const option outputs_options[] = {
	OPTION("actual", "DIR", actual,
	       "the runtime's outputs: METHOD/CASE/output_i.npy or .bin (required)", .needed = true),
	OPTION("rtol", "X", rtol, "relative tolerance of floats (default: 1e-05)", .fraction = true),
	OPTION("atol", "X", atol, "absolute tolerance of floats (default: 1e-08)"),
	OPTION("stats", NULL, stats, "also print the runtime's error statistics of each case"),
	OPTION("json", "FILE", json, "write the verdicts as JSON; '-' is stdout, in place of the "
				     "list"),
	{0},
};
/* clang-format on */

static void print_name(const rg_bundle_case *c)
{
	terminal_printf(stdout, "%s/%zu", c->method, c->index);
}

/* As the runtime has them, which has none of other types. */
static void print_errors(const rg_case_verdict *of_case)
{
	const rg_case_errors *errors = of_case->errors;
	char text[4][RG_DOUBLE_REPR_SIZE];

	if (of_case->state == RG_CASE_NOT_CHECKED)
		return;
	print_name(&of_case->of);
	if (!errors) {
		puts(": no error statistics: the runtime has them of float32 alone");
		return;
	}
	rg_double_repr(errors->mean_abs, text[0]);
	rg_double_repr(errors->max_abs, text[1]);
	rg_double_repr(errors->mean_rel, text[2]);
	rg_double_repr(errors->max_rel, text[3]);
	printf(": mean_abs %s, max_abs %s, mean_rel %s, max_rel %s\n", text[0], text[1], text[2],
	       text[3]);
}

static void print_case(const rg_bundle_verdict *v, size_t index, bool quiet, bool stats)
{
	const rg_case_verdict *of_case = &v->cases[index];
	const rg_bundle_case *c = &of_case->of;
	size_t outputs = c->first + c->inputs;

	for (size_t i = outputs; i < outputs + c->outputs; i++)
		if (!v->verdicts[i].passed) {
			print_name(c);
			terminal_printf(stdout, "/output/%zu: %s", v->file.bundle.values[i].index,
					v->verdicts[i].why);
			if (v->verdicts[i].wrong > 1)
				printf(" (and %zu more)", v->verdicts[i].wrong - 1);
			putchar('\n');
		}
	for (size_t i = 0; i < of_case->extra_count; i++) {
		print_name(c);
		terminal_printf(stdout, "/%s: not checked: nothing is expected for it\n",
				of_case->extras[i]);
	}
	if (stats)
		print_errors(of_case);
	if (quiet)
		return;
	print_name(c);
	printf(": %s%s\n", rg_case_state_names[of_case->state],
	       of_case->state == RG_CASE_NOT_CHECKED ? ": no expected output" : "");
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

static rg_error *verify_outputs(command_context *context, void *arguments)
{
	const executorch_arguments *given = arguments;
	const rg_verify_options options = {
		.folder = given->actual,
		.rtol = given->rtol.given ? given->rtol.value : RG_RUNTIME_RTOL,
		.atol = given->atol.given ? given->atol.value : RG_RUNTIME_ATOL,
	};
	RG_AUTO(rg_bundle_verdict) verdict = {0};

	if (!given->actual)
		return usage_error("--actual DIR is needed");
	RG_TRY(check_tolerance(&given->rtol, "rtol"));
	RG_TRY(check_tolerance(&given->atol, "atol"));
	RG_TRY(rg_error_wrap(check_folder(given->actual), "--actual"));
	RG_TRY(check_json(given));
	RG_TRY(rg_bundle_verify(&verdict, context->operands[0], &options));
	if (verdict.failed)
		context->exit_code = EXIT_GATE;
	if (given->json) {
		rg_facts facts = facts_of(context);
		rg_buf text = rg_buf_of(RG_BUF_ANY);
		RG_TRY(facts_finish_document(&facts, context, given->json, &text,
					     rg_bundle_verdict_json(&verdict, &options, &text)));
	}
	if (!given->json || !is_stdout(given->json)) {
		for (size_t i = 0; i < verdict.file.bundle.case_count; i++)
			print_case(&verdict, i, context->common->quiet, given->stats);
		printf("%zu of %zu cases passed (%zu of %zu outputs)", verdict.passed_cases,
		       verdict.file.bundle.case_count, verdict.passed,
		       verdict.passed + verdict.failed);
		if (verdict.unchecked_cases)
			printf(", %zu not checked", verdict.unchecked_cases);
		putchar('\n');
	}
	return NULL;
}

static const command command_verify_outputs = {
	PART,
	.name = "executorch verify-outputs",
	.summary = "compare a runtime's outputs with a bundled program's",
	.operands = "FILE.bpte",
	.missing = "regild executorch verify-outputs FILE.bpte --actual DIR",
	.description = "Compares outputs by the runtime's own rule, to the bit. Types and shapes "
		       "must be equal. In float32, float64 and float16, |expected - actual| <= "
		       "atol + rtol * |actual| must hold, and NaN equals NaN. All other types, "
		       "bfloat16 too, must have equal bytes. A case without expected outputs is "
		       "not checked. Exits with 1 if an output fails.",
	.examples = "regild executorch extract model.bpte -o expected\n"
		    "regild executorch verify-outputs model.bpte --actual expected",
	.groups = OPTIONS(outputs_options),
	.run = verify_outputs,
};

static const command *const parts[] = {&command_pack,    &command_unpack,         &command_verify,
				       &command_extract, &command_verify_outputs, NULL};

const command command_executorch = {
	.name = "executorch",
	.summary = "pack, verify and unpack ExecuTorch goldens",
	.parts = parts,
	.operands = "COMMAND",
	.missing = "pack, unpack, verify, extract or verify-outputs",
	.description = "Works with zips of ExecuTorch goldens and with bundled programs (.bpte). "
		       "'regild executorch COMMAND --help' shows a command's options.",
	.examples = "regild executorch pack goldens -o golden_artifacts_26112103.zip\n"
		    "regild executorch verify golden_artifacts_26112103.zip\n"
		    "regild executorch unpack golden_artifacts_26112103.zip -o unpacked\n"
		    "regild executorch extract model.bpte -o cases --format bin",
	.groups = NO_OPTIONS,
};

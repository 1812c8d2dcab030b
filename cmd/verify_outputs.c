#include "bundle_file.h"
#include "commands.h"
#include "terminal.h"

#include "base/cancel.h"
#include "base/file.h"
#include "golden/lfs.h"
#include "golden/npy.h"
#include "golden/runtime_check.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
	const char *actual;
	option_number rtol, atol;
} verify_arguments;

static const option verify_options[] = {
	{0, "actual", "DIR", OPTION_TEXT | OPTION_NEEDED, offsetof(verify_arguments, actual),
	 "the runtime's outputs: METHOD/CASE/output_i.npy or .bin (needed)", NULL, 0, 0},
	{0, "rtol", "X", OPTION_NUMBER, offsetof(verify_arguments, rtol),
	 "relative tolerance of floats (default: 1e-05)", NULL, 0, 0},
	{0, "atol", "X", OPTION_NUMBER, offsetof(verify_arguments, atol),
	 "absolute tolerance of floats (default: 1e-08)", NULL, 0, 0},
	{0},
};

static const option_group groups[] = {{"Options", verify_options, 0}, {0}};

typedef struct {
	const char *folder;
	double rtol, atol;
	size_t passed, failed, cases, failed_cases;
	bool quiet, case_failed;
} verification;

/* Opens METHOD/CASE/output_i with that extension; *found is false where there is none. */
static rg_error *open_actual(rg_map *map, const verification *v, const rg_bundle_value *value,
			     const char *extension, bool *found)
{
	char *name, *path;
	rg_error *err;

	*found = true;
	RG_TRY(bundle_file_name(&name, value, extension));
	err = rg_path_join(&path, v->folder, name);
	free(name);
	if (err)
		return err;
	err = rg_map_open(map, path);
	free(path);
	if (err && rg_error_errno(err) == ENOENT) {
		rg_error_free(err);
		*found = false;
		return NULL;
	}
	return err ? err : rg_lfs_refuse_pointer(map->data, map->size);
}

static rg_error *check_npy(rg_runtime_verdict *verdict, const verification *v,
			   const rg_bundle_value *value, const rg_map *map)
{
	rg_tensor actual;

	RG_TRY(rg_npy_read(&actual, map->data, map->size));
	rg_runtime_check(verdict, &value->tensor, &actual, v->rtol, v->atol);
	return NULL;
}

/* Raw elements are of the expected type and shape, or of a wrong size. */
static rg_error *check_raw(rg_runtime_verdict *verdict, const verification *v,
			   const rg_bundle_value *value, const rg_map *map)
{
	rg_tensor actual = value->tensor;

	actual.data = map->data;
	actual.size = map->size;
	rg_tensor_row_major(&actual);
	RG_TRY(rg_tensor_check(&actual));
	rg_runtime_check(verdict, &value->tensor, &actual, v->rtol, v->atol);
	return NULL;
}

/* What is wrong with a file is a failed output, not the end of the verification. */
static void check_output(rg_runtime_verdict *verdict, const verification *v,
			 const rg_bundle_value *value)
{
	rg_map map = {.data = ""};
	rg_error *err;
	bool found;

	*verdict = (rg_runtime_verdict){0};
	err = open_actual(&map, v, value, "npy", &found);
	if (!err && found) {
		err = check_npy(verdict, v, value, &map);
	} else if (!err) {
		err = open_actual(&map, v, value, "bin", &found);
		if (!err && found)
			err = check_raw(verdict, v, value, &map);
		else if (!err)
			snprintf(verdict->why, sizeof(verdict->why),
				 "is missing: neither .npy nor .bin is there");
	}
	if (err)
		snprintf(verdict->why, sizeof(verdict->why), "%s", rg_error_message(err));
	rg_error_free(err);
	rg_map_release(&map);
}

static void print_failure(const rg_bundle_value *value, const rg_runtime_verdict *verdict)
{
	terminal_print_safe(stdout, value->method);
	printf("/%zu/output/%zu: ", value->case_index, value->index);
	terminal_print_safe(stdout, verdict->why);
	if (verdict->wrong > 1)
		printf(" (and %zu more)", verdict->wrong - 1);
	putchar('\n');
}

static void end_case(verification *v, const rg_bundle_value *last)
{
	v->cases++;
	v->failed_cases += v->case_failed ? 1 : 0;
	if (!v->quiet) {
		terminal_print_safe(stdout, last->method);
		printf("/%zu: %s\n", last->case_index, v->case_failed ? "FAIL" : "pass");
	}
	v->case_failed = false;
}

static bool same_case(const rg_bundle_value *a, const rg_bundle_value *b)
{
	return a->case_index == b->case_index && a->method == b->method;
}

static rg_error *check_bundle(verification *v, const rg_bundle *bundle)
{
	rg_runtime_verdict verdict;
	size_t i;

	for (i = 0; i < bundle->count; i++) {
		const rg_bundle_value *value = &bundle->values[i];

		if (value->output) {
			check_output(&verdict, v, value);
			v->passed += verdict.passed ? 1 : 0;
			v->failed += verdict.passed ? 0 : 1;
			if (!verdict.passed) {
				v->case_failed = true;
				print_failure(value, &verdict);
			}
		}
		if (i + 1 == bundle->count || !same_case(value, value + 1))
			end_case(v, value);
		RG_TRY(rg_cancel_check());
	}
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

static rg_error *check_tolerance(const option_number *given, const char *name)
{
	if (given->given && !(given->value >= 0))
		return usage_error("--%s: less than 0", name);
	return NULL;
}

static rg_error *run(environment *env, void *arguments)
{
	const verify_arguments *given = arguments;
	verification v = {.folder = given->actual,
			  .rtol = given->rtol.given ? given->rtol.value : RG_RUNTIME_RTOL,
			  .atol = given->atol.given ? given->atol.value : RG_RUNTIME_ATOL,
			  .quiet = env->common->quiet};
	bundle_file file;
	rg_error *err;

	if (env->operand_count != 1)
		return usage_error("which file? 'regild verify-outputs FILE.bpte --actual DIR'");
	if (!given->actual)
		return usage_error("--actual DIR is needed");
	RG_TRY(check_tolerance(&given->rtol, "rtol"));
	RG_TRY(check_tolerance(&given->atol, "atol"));
	RG_TRY(rg_error_wrap(check_folder(v.folder), "--actual"));
	err = bundle_file_open(&file, env->operands[0]);
	if (!err)
		err = check_bundle(&v, &file.bundle);
	if (!err && !(v.passed + v.failed))
		err = rg_error_new(RG_E_NOTFOUND, "%s: no expected output in it; nothing to verify",
				   env->operands[0]);
	if (!err) {
		printf("%zu of %zu cases passed (%zu of %zu outputs)\n", v.cases - v.failed_cases,
		       v.cases, v.passed, v.passed + v.failed);
		if (v.failed)
			env->exit_code = EXIT_GATE;
	}
	bundle_file_release(&file);
	return err;
}

const command command_verify_outputs = {
	.name = "verify-outputs",
	.summary = "hold a runtime's outputs against a bundled program's",
	.operands = "FILE.bpte",
	.operands_max = 1,
	.description = "By the runtime's own rule: equal shapes and types, integers equal, floats\n"
		       "|actual - expected| <= atol + rtol * |actual|, NaN equal to NaN. Exit "
		       "code 1 where\nan output fails.",
	.groups = groups,
	.arguments_size = sizeof(verify_arguments),
	.run = run,
};

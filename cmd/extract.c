#include "bundle_file.h"
#include "commands.h"
#include "terminal.h"

#include "base/cancel.h"
#include "base/file.h"
#include "golden/npy.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
	const char *output, *format;
} extract_arguments;

static const option extract_options[] = {
	{'o', "output", "DIR", OPTION_TEXT, offsetof(extract_arguments, output),
	 "where to (default: the file's name without .bpte)", NULL, 0, 0},
	{0, "format", "npy|bin", OPTION_CHOICE, offsetof(extract_arguments, format),
	 "NumPy files, or raw elements (default: npy)", "npy|bin", 0, 0},
	{0},
};

static const option_group groups[] = {{"Options", extract_options, 0}, {0}};

/* All elements in row-major order and little-endian. */
static rg_error *add_elements(rg_buf *out, const rg_tensor *tensor)
{
	size_t size = tensor->count * rg_dtype_size(tensor->dtype);

	if (!rg_buf_reserve(out, size))
		return rg_buf_check(out, "tensor");
	rg_tensor_bytes(tensor, 0, tensor->count, out->data + out->length);
	/* From this machine's byte order: the same swap as to it. */
	rg_dtype_to_host(tensor->dtype, false, out->data + out->length, tensor->count);
	out->length += size;
	return NULL;
}

static rg_error *write_value(const rg_bundle_value *value, const char *folder, bool npy)
{
	char *name, *path = NULL;
	rg_error *err;
	rg_buf bytes;

	npy = npy && rg_npy_has_type(value->tensor.dtype);
	rg_buf_init(&bytes, SIZE_MAX / 4);
	RG_TRY(bundle_file_name(&name, value, npy ? "npy" : "bin"));
	err = rg_path_join(&path, folder, name);
	if (!err && npy)
		err = rg_npy_header(&bytes, value->tensor.dtype, value->tensor.shape,
				    value->tensor.dimensions);
	if (!err)
		err = add_elements(&bytes, &value->tensor);
	if (!err)
		err = rg_make_parent_dirs(path, 0777);
	if (!err)
		err = rg_file_replace(path, bytes.data, bytes.length, 0666);
	free(path);
	free(name);
	rg_buf_release(&bytes);
	return err;
}

static rg_error *write_program(const rg_bundle *bundle, const char *folder)
{
	rg_error *err;
	char *path;

	if (!bundle->program.size)
		return NULL;
	RG_TRY(rg_path_join(&path, folder, "program.pte"));
	err = rg_make_parent_dirs(path, 0777);
	if (!err)
		err = rg_file_replace(path, bundle->program.data, bundle->program.size, 0666);
	free(path);
	return err;
}

/* The methods' names come from the file; of one that is no path, nothing is written. */
static rg_error *check_names(const rg_bundle *bundle)
{
	rg_error *err = NULL;
	size_t i;

	for (i = 0; !err && i < bundle->count; i++) {
		char *name;

		RG_TRY(bundle_file_name(&name, &bundle->values[i], "npy"));
		err = rg_path_check(name);
		free(name);
	}
	return err;
}

/* *written counts the files that are there, also after an error. */
static rg_error *write_all(const rg_bundle *bundle, const char *folder, bool npy, size_t *written)
{
	size_t i;

	*written = 0;
	RG_TRY(check_names(bundle));
	RG_TRY(write_program(bundle, folder));
	*written += bundle->program.size ? 1 : 0;
	for (i = 0; i < bundle->count; i++) {
		RG_TRY(rg_cancel_check());
		RG_TRY(write_value(&bundle->values[i], folder, npy));
		++*written;
	}
	return NULL;
}

/* What ended it in the middle is said here: it is done in part then. */
static rg_error *say_part(environment *env, rg_error *err, size_t written, const char *folder)
{
	if (!err || !written || rg_error_get_code(err) == RG_E_CANCELLED)
		return err;
	terminal_say("%s", rg_error_message(err));
	terminal_say("%s: %zu file%s written before that", folder, written,
		     written == 1 ? " was" : "s were");
	rg_error_free(err);
	env->exit_code = EXIT_PARTIAL;
	return NULL;
}

/* *out is the caller's to free. */
static rg_error *folder_of(char **out, const char *file, const char *given)
{
	const char *base = rg_path_name(file);
	size_t length = strlen(base);

	if (given)
		return rg_strdup(out, given);
	if (length <= 5 || !rg_ends_with(base, ".bpte"))
		return usage_error("-o DIR is needed: '%s' does not end in .bpte", base);
	return rg_strndup(out, base, length - 5);
}

static rg_error *run(environment *env, void *arguments)
{
	const extract_arguments *given = arguments;
	bool npy = !given->format || !strcmp(given->format, "npy");
	char *folder = NULL;
	bundle_file file;
	size_t written = 0;
	rg_error *err;

	if (env->operand_count != 1)
		return usage_error("which file? 'regild extract FILE.bpte'");
	if (given->output && !given->output[0])
		return usage_error("-o: which folder? '.' is the current one");
	RG_TRY(folder_of(&folder, env->operands[0], given->output));
	err = bundle_file_open(&file, env->operands[0]);
	if (!err)
		err = write_all(&file.bundle, folder, npy, &written);
	env->changed = !err;
	err = say_part(env, err, written, folder);
	if (!err && !env->exit_code && !env->common->quiet) {
		printf("%zu value%s of %zu case%s in ", file.bundle.count,
		       file.bundle.count == 1 ? "" : "s", file.bundle.cases,
		       file.bundle.cases == 1 ? "" : "s");
		terminal_print_safe(stdout, folder);
		putchar('\n');
	}
	bundle_file_release(&file);
	free(folder);
	return err;
}

const command command_extract = {
	.name = "extract",
	.summary = "take inputs and expected outputs out of a bundled program",
	.operands = "FILE.bpte",
	.operands_max = 1,
	.description = "Writes METHOD/CASE/input_i.npy and METHOD/CASE/output_i.npy, and the "
		       "program as\nprogram.pte. Types that NumPy has not (bfloat16, float8) "
		       "are written raw, as .bin.",
	.groups = groups,
	.arguments_size = sizeof(extract_arguments),
	.run = run,
};

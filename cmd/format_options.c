#include "format_options.h"

#include "golden/dtype.h"
#include "golden/tensor.h"

#include <stdlib.h>
#include <string.h>

/* `dashes` stand in front of the names of flags. */
static rg_error *set_type(rg_tensor_type *type, const char *pattern, const char *dtype,
			  const char *shape, const char *dashes)
{
	rg_dtype parsed;

	*type = (rg_tensor_type){.pattern = pattern, .dtype = dtype};
	if (!dtype)
		return usage_error("%sshape: a dtype is needed with it", dashes);
	if (!rg_dtype_parse(dtype, &parsed))
		return usage_error("%sdtype: '%s' is no type of tensors; float32 is one", dashes,
				   dtype);
	return shape ? rg_error_wrap(rg_shape_parse(shape, type->shape, &type->dimensions),
				     "%sshape", dashes)
		     : NULL;
}

static rg_error *check_keys(const rg_config *config, const char *pattern)
{
	const char *key;
	size_t i;

	for (i = 0; rg_config_subsection_key(config, "tensor", pattern, i, &key); i++)
		if (strcmp(key, "dtype") != 0 && strcmp(key, "shape") != 0)
			return rg_config_subsection_blame(
				config, "tensor", pattern, key,
				usage_error(
					"[tensor \"%s\"]: '%s' is none of its keys: dtype, shape",
					pattern, key));
	return NULL;
}

static rg_error *load_section(rg_tensor_type *type, const rg_config *config, const char *pattern)
{
	const char *dtype = rg_config_subsection_get(config, "tensor", pattern, "dtype");
	const char *shape = rg_config_subsection_get(config, "tensor", pattern, "shape");
	rg_error *err;

	RG_TRY(check_keys(config, pattern));
	err = rg_error_wrap(set_type(type, pattern, dtype, shape, ""), "[tensor \"%s\"]", pattern);
	return rg_config_subsection_blame(config, "tensor", pattern, dtype ? "dtype" : "shape",
					  err);
}

rg_error *format_options_load(format_options *loaded, const environment *env,
			      const format_arguments *arguments)
{
	const char *pattern;
	rg_error *err = NULL;
	size_t count = 0, i;

	*loaded = (format_options){.options = {.run_index = -1}};
	if (arguments && arguments->run_index.given)
		loaded->options.run_index = (int)arguments->run_index.value;
	while (rg_config_subsection(env->config, "tensor", count, &pattern))
		count++;
	loaded->types = calloc(count + 1, sizeof(*loaded->types));
	if (!loaded->types)
		return rg_error_nomem();
	if (arguments && (arguments->dtype || arguments->shape)) {
		/* Flags stand for all that no program says, whatever the sections say. */
		RG_TRY(set_type(&loaded->types[0], NULL, arguments->dtype, arguments->shape, "--"));
		count = 1;
	} else {
		for (i = 0; !err && i < count; i++)
			if (rg_config_subsection(env->config, "tensor", i, &pattern))
				err = load_section(&loaded->types[i], env->config, pattern);
	}
	loaded->options.tensor_types = loaded->types;
	loaded->options.tensor_type_count = count;
	return err;
}

void format_options_release(format_options *loaded)
{
	free(loaded->types);
	*loaded = (format_options){0};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/settings.h"

#include "golden/dtype.h"
#include "golden/tensor.h"

#include <stdlib.h>
#include <string.h>

/* `dashes` come before the names of flags. */
static rg_error *set_type(rg_tensor_type *type, const char *pattern, const char *dtype,
			  const char *shape, const char *dashes)
{
	rg_dtype parsed;

	*type = (rg_tensor_type){.pattern = pattern, .dtype = dtype};
	if (!dtype)
		return rg_error_new(RG_E_USAGE, "%sshape: a dtype is needed with it", dashes);
	if (!rg_dtype_parse(dtype, &parsed))
		return rg_error_new(RG_E_USAGE,
				    "%sdtype: '%s' is not a tensor type; float32 is one", dashes,
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
				rg_error_new(RG_E_USAGE,
					     "[tensor \"%s\"]: '%s' is not one of its keys: dtype, "
					     "shape",
					     pattern, key));
	return NULL;
}

static rg_error *load_tensor(rg_tensor_type *type, const rg_config *config, const char *pattern)
{
	const char *dtype = rg_config_subsection_get(config, "tensor", pattern, "dtype");
	const char *shape = rg_config_subsection_get(config, "tensor", pattern, "shape");
	rg_error *err;

	RG_TRY(check_keys(config, pattern));
	err = rg_error_wrap(set_type(type, pattern, dtype, shape, ""), "[tensor \"%s\"]", pattern);
	return rg_config_subsection_blame(config, "tensor", pattern, dtype ? "dtype" : "shape",
					  err);
}

rg_error *rg_formats_load(rg_formats *loaded, const rg_config *config,
			  const rg_format_choice *choice)
{
	const char *pattern;
	rg_error *err = NULL;
	size_t count = 0, i;

	*loaded = (rg_formats){.options = {.run_index = -1}};
	if (choice && choice->run_index.given)
		loaded->options.run_index = (int)choice->run_index.value;
	while (rg_config_subsection(config, "tensor", count, &pattern))
		count++;
	loaded->types = calloc(count + 1, sizeof(*loaded->types));
	if (!loaded->types)
		return rg_error_nomem();
	if (choice && (choice->dtype || choice->shape)) {
		/* Flags are for all that no program says, whatever the sections say. */
		RG_TRY(set_type(&loaded->types[0], NULL, choice->dtype, choice->shape, "--"));
		count = 1;
	} else {
		for (i = 0; !err && i < count; i++)
			if (rg_config_subsection(config, "tensor", i, &pattern))
				err = load_tensor(&loaded->types[i], config, pattern);
	}
	loaded->options.tensor_types = loaded->types;
	loaded->options.tensor_type_count = count;
	return err;
}

void rg_formats_release(rg_formats *loaded)
{
	free(loaded->types);
	*loaded = (rg_formats){0};
}

/* --- policy --- */

static rg_error *load_metric(rg_policy *policy, const rg_config *config, const char *pattern)
{
	const char *key;
	size_t i;

	for (i = 0; rg_config_subsection_key(config, "metric", pattern, i, &key); i++) {
		const char *value = rg_config_subsection_get(config, "metric", pattern, key);

		if (rg_config_subsection_is_default(config, "metric", pattern, key))
			RG_TRY(rg_policy_set_default(policy, pattern, key, value));
		else
			RG_TRY(rg_config_subsection_blame(
				config, "metric", pattern, key,
				rg_policy_set(policy, pattern, key, value)));
	}
	return NULL;
}

rg_error *rg_policy_load(rg_policy **out, const rg_config *config)
{
	const char *pattern;
	rg_error *err = NULL;
	size_t i;

	RG_TRY(rg_policy_new(out));
	for (i = 0; !err && rg_config_subsection(config, "metric", i, &pattern); i++)
		err = load_metric(*out, config, pattern);
	if (err) {
		rg_policy_free(*out);
		*out = NULL;
	}
	return err;
}

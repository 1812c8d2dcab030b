/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a project's tests, which come with a clone. */
#include "config/yaml_file.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *const *names;
	rg_yaml_file *file;
	rg_error *err = rg_yaml_file_parse(&file, data, size);
	size_t count, length = 0, i;
	const char *value;

	if (!err) {
		value = rg_yaml_file_variable(file, "NON_DETERMINSTIC_RESULTS");
		length += value ? strlen(value) : 0;
		err = rg_yaml_file_list(file, "METRICS", &names, &count);
		for (i = 0; !err && names && i < count; i++)
			length += strlen(names[i]);
		rg_yaml_file_free(file);
	}
	rg_error_free(err);
	(void)length;
	return 0;
}

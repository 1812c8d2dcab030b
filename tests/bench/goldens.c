/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes goldens as Megatron-LM's are: five metrics with 50 to 100 steps each, or as many steps as
 * a given size needs. What is written depends on nothing but the arguments.
 *
 * usage: goldens DIR FROM TO ROUND [BYTES]
 *   writes files FROM … TO - 1 of a tree under DIR; another ROUND has other values in the same
 * places.
 */
#include "golden_text.h"

#include "base/file.h"
#include "base/number.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LARGE = 256 << 20 };

static rg_error *write_golden(const char *folder, size_t index, uint64_t round, uint64_t bytes)
{
	enum { BYTES_A_STEP = 21 };
	size_t steps = bytes ? (size_t)bytes / BYTES_A_STEP / METRICS : 50 + index % 51;
	char file[256], path[1024];
	rg_buf out;
	rg_error *err;

	rg_buf_init(&out, LARGE);
	add_golden(&out, index, round, steps);
	golden_path(file, sizeof(file), index);
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	err = rg_buf_check(&out, path);
	if (!err)
		err = rg_make_parent_dirs(path, 0755);
	if (!err)
		err = rg_file_write_output(path, out.data, out.length);
	rg_buf_release(&out);
	return err;
}

int main(int argc, char **argv)
{
	uint64_t numbers[4] = {0}; /* from, to, round, bytes */
	rg_error *err = NULL;
	uint64_t i;
	int k;

	for (k = 2; k < argc && k < 6; k++)
		if (!rg_uint64_parse(argv[k], strlen(argv[k]), &numbers[k - 2]))
			argc = 0;
	if (argc < 5 || argc > 6) {
		fprintf(stderr, "usage: goldens DIR FROM TO ROUND [BYTES]\n");
		return 2;
	}
	for (i = numbers[0]; !err && i < numbers[1]; i++)
		err = write_golden(argv[1], (size_t)i, numbers[2], numbers[3]);
	if (err) {
		fprintf(stderr, "%s\n", rg_error_message(err));
		rg_error_free(err);
		return 1;
	}
	return 0;
}

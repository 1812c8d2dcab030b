/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target on files: the ordinary test run replays the corpora with it, and a crash that
 * a fuzzer found is looked at with it.
 *
 * usage: fuzz_NAME FILE|FOLDER…   (folders with all that is under them)
 */
#include "base/file.h"

#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILE_MAX = 64 << 20, FOLDERS_OPEN = 16 };

static unsigned long replayed;

static int replay(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	rg_buf bytes;
	rg_error *err;
	uint8_t *copy;

	(void)status;
	(void)walk;
	if (type != FTW_F)
		return 0;
	rg_buf_init(&bytes, FILE_MAX);
	err = rg_file_read(&bytes, path);
	if (err) {
		fprintf(stderr, "%s\n", rg_error_message(err));
		rg_error_free(err);
		return 1;
	}
	/* Exactly as many bytes as there are, so that a sanitizer sees a read past them. */
	copy = malloc(bytes.length ? bytes.length : 1);
	memcpy(copy, bytes.data, bytes.length);
	LLVMFuzzerTestOneInput(copy, bytes.length);
	free(copy);
	rg_buf_release(&bytes);
	replayed++;
	return 0;
}

int main(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (nftw(argv[i], replay, FOLDERS_OPEN, FTW_PHYS)) {
			fprintf(stderr, "%s: could not be replayed\n", argv[i]);
			return 1;
		}
	printf("%lu files replayed\n", replayed);
	return replayed ? 0 : 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of goldens against cJSON's parser on the same bytes, in turn, in one process.
 *
 * usage: reader ROUNDS FILE…
 *   prints two lines, cJSON's and the reader's: median seconds for all files, and MB/s.
 */
#include "base/file.h"
#include "base/number.h"
#include "golden/golden.h"

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS_MAX = 200, FILE_MAX = 256 << 20 };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool parse_with_cjson(const rg_buf *bytes)
{
	cJSON *tree = cJSON_ParseWithLength(bytes->data, bytes->length);

	cJSON_Delete(tree);
	return tree != NULL;
}

static bool parse_with_reader(const rg_buf *bytes)
{
	rg_input in = {.name = "golden.json", .data = bytes->data, .size = bytes->length};
	rg_golden *golden;
	rg_error *err = rg_golden_read(&golden, &in, NULL);
	bool fine = !err;

	rg_error_free(err);
	rg_golden_free(golden);
	return fine;
}

static double time_all(bool (*parse)(const rg_buf *), const rg_buf *files, int count)
{
	double start = now();
	int i;

	for (i = 0; i < count; i++)
		if (!parse(&files[i]))
			exit(1);
	return now() - start;
}

static int compare_seconds(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return left < right ? -1 : left > right;
}

static void print_line(double *seconds, size_t rounds, size_t bytes)
{
	qsort(seconds, rounds, sizeof(*seconds), compare_seconds);
	printf("%.6f %.1f\n", seconds[rounds / 2], (double)bytes / 1e6 / seconds[rounds / 2]);
}

int main(int argc, char **argv)
{
	static double cjson[ROUNDS_MAX], reader[ROUNDS_MAX];
	uint64_t rounds;
	size_t round;
	size_t bytes = 0;
	rg_buf *files;
	int i, count = argc - 2;

	if (count < 1 || !rg_uint64_parse(argv[1], strlen(argv[1]), &rounds) || !rounds ||
	    rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: reader ROUNDS FILE…\n");
		return 2;
	}
	files = calloc((size_t)count, sizeof(*files));
	for (i = 0; i < count; i++) {
		rg_buf_init(&files[i], FILE_MAX);
		if (rg_file_read(&files[i], argv[i + 2]))
			return 1;
		bytes += files[i].length;
	}
	for (round = 0; round < rounds; round++) {
		cjson[round] = time_all(parse_with_cjson, files, count);
		reader[round] = time_all(parse_with_reader, files, count);
	}
	print_line(cjson, round, bytes);
	print_line(reader, round, bytes);
	for (i = 0; i < count; i++)
		rg_buf_release(&files[i]);
	free(files);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real refreshes: each golden of ../shared/corpus/refresh before and after, against the rows that a
 * comparison must give. Skipped where the corpus is not there.
 */

#include "unit.h"

#include "base/file.h"
#include "base/number.h"
#include "compare/compare.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#define CORPUS "../shared/corpus/refresh"

/* NULL where the file cannot be read as a golden; `bytes` is what it borrows. */
static rg_golden *load(const char *folder, const char *side, const char *file, rg_buf *bytes)
{
	rg_golden *golden = NULL;
	char path[4096];
	rg_input in;
	rg_error *err;

	snprintf(path, sizeof(path), "%s/%s/%s", folder, side, file);
	rg_buf_init(bytes, (size_t)1 << 28);
	err = rg_file_read(bytes, path);
	in = (rg_input){.name = path, .data = bytes->data, .size = bytes->length};
	if (!err)
		err = rg_golden_read(&golden, &in, NULL);
	rg_error_free(err);
	return golden;
}

static void compare_file(rg_comparison *comparison, const char *folder, const char *file)
{
	rg_file_name name = {file, NULL};
	rg_buf old_bytes, new_bytes;
	rg_golden *old = load(folder, "base", file, &old_bytes);
	rg_golden *fresh = load(folder, "new", file, &new_bytes);

	if (old && fresh)
		assert_null(rg_compare_goldens(comparison, &name, old, fresh, NULL));
	rg_golden_free(old);
	rg_golden_free(fresh);
	rg_buf_release(&old_bytes);
	rg_buf_release(&new_bytes);
}

/* The expected rows of one file come together; further rows may come between them. */
static void expect_row(const rg_comparison *comparison, size_t *at, const char *metric,
		       const char *n_steps, const char *average)
{
	char number[RG_DOUBLE_REPR_SIZE];

	while (*at < comparison->row_count && strcmp(comparison->rows[*at].metric, metric) != 0)
		++*at;
	if (*at == comparison->row_count)
		fail_msg("no row '%s'", metric);
	snprintf(number, sizeof(number), "%zu", comparison->rows[*at].n_steps);
	assert_string_equal(number, n_steps);
	rg_double_repr(comparison->rows[*at].avg_rel_diff, number);
	assert_string_equal(number, average);
}

static void check_folder(const char *folder)
{
	char path[4096], *line, *rest = NULL;
	rg_comparison comparison;
	size_t at = 0, lines = 0;
	rg_buf expected;

	snprintf(path, sizeof(path), "%s/expected.csv", folder);
	rg_buf_init(&expected, RG_BUF_TEXT);
	assert_null(rg_file_read(&expected, path));
	rg_comparison_init(&comparison);
	line = strtok_r(expected.data, "\r\n", &rest); /* the header */
	while ((line = strtok_r(NULL, "\r\n", &rest)) != NULL) {
		char *metric = strchr(line, ','), *n_steps, *average;

		assert_non_null(metric);
		*metric++ = '\0';
		n_steps = strchr(metric, ',');
		assert_non_null(n_steps);
		*n_steps++ = '\0';
		average = strchr(n_steps, ',');
		assert_non_null(average);
		*average++ = '\0';
		if (!comparison.file_count ||
		    strcmp(comparison.files[comparison.file_count - 1].file, line) != 0) {
			at = comparison.row_count;
			compare_file(&comparison, folder, line);
		}
		expect_row(&comparison, &at, metric, n_steps, average);
		lines++;
	}
	print_message("%s: %zu rows\n", folder, lines);
	rg_comparison_release(&comparison);
	rg_buf_release(&expected);
}

TEST(refreshes)
{
	glob_t folders;
	size_t i;

	if (glob(CORPUS "/*", GLOB_ONLYDIR, NULL, &folders))
		skip();
	for (i = 0; i < folders.gl_pathc; i++)
		check_folder(folders.gl_pathv[i]);
	globfree(&folders);
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_TEST_NAME_H
#define REGILD_REPORT_TEST_NAME_H

#include "base/buf.h"
#include "report/columns.h"

/*
 * What a golden is of, as people say it: "gpt/t5_11b [dev_dgx_h100]". All of it comes out of the
 * path by names.test; without that stage and test by jobs.target, and the variant out of the file's
 * name by the '*' of regild.files.
 */

/* A part of a path; `text` is NULL where the path has no such part. Not NUL-terminated. */
typedef struct {
	const char *text;
	size_t length;
} rg_name_part;

typedef struct {
	rg_name_part stage, test, variant; /* of a path that is not laid out so, none */
} rg_test_name;

/* The parts point into `path`. */
rg_test_name rg_test_name_split(const char *path, const rg_column_context *context);

/* "stage/test [variant]", as far as the path has them; the path itself below the root where it has
 * no test. As it is: the writer escapes it. */
void rg_test_name_add(rg_buf *out, const char *path, const rg_column_context *context);

#endif

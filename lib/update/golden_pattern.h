/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_GOLDEN_PATTERN_H
#define REGILD_UPDATE_GOLDEN_PATTERN_H

#include <stdbool.h>

/* Does a person's pattern name the golden at `path`, which is below `root`: the path with or
 * without root, the file's name, or the folder that it is in, or that is its test's ("STAGE/TEST"
 * or "TEST") by `target`, jobs.target, or by `names`, names.test, which counts in its place
 * where it is not NULL? */
bool rg_names_golden(const char *pattern, const char *root, const char *target, const char *names,
		     const char *path);

#endif

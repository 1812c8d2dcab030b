/* SPDX-License-Identifier: Apache-2.0 */
#include "update/golden_pattern.h"

#include "base/name_pattern.h"
#include "base/pattern.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 4097 };

/* The first `length` bytes of the path, as a folder that the pattern may name. */
static bool names_folder(const char *pattern, const char *path, size_t length)
{
	char folder[TEXT_SIZE];
	if (!length || length >= sizeof(folder))
		return false;
	memcpy(folder, path, length);
	folder[length] = '\0';
	return rg_glob_match_end(pattern, folder);
}

/* How much of the path, which is below the root, is the test's folder; 0: it has none. */
static size_t test_folder(const char *target, const char *path)
{
	const char *test = strstr(target, "{test}"), *end = path;
	if (!test)
		return 0;
	for (; target < test; target++)
		if (*target == '/') {
			end = strchr(end, '/');
			if (!end)
				return 0;
			end++;
		}
	end = strchr(end, '/');
	return end ? (size_t)(end - path) : 0;
}

/* "TEST" or "STAGE/TEST" by names.test. */
static bool names_test(const char *pattern, const char *names, const char *path)
{
	rg_name_fields fields;
	char text[TEXT_SIZE];

	if (!rg_path_names_match(names, path, &fields))
		return false;
	rg_field_value stage = fields.fields[RG_FIELD_STAGE];
	rg_field_value test = fields.fields[RG_FIELD_TEST];
	if (stage.length + test.length + 2 > sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%.*s/%.*s", (int)stage.length, stage.start ? stage.start : "",
		 (int)test.length, test.start);
	return rg_glob_match(pattern, text + (stage.start ? 0 : 1), 0) ||
	       rg_glob_match(pattern, text + stage.length + 1, 0);
}

bool rg_names_golden(const char *pattern, const char *root, const char *target, const char *names,
		     const char *path)
{
	size_t length = strlen(root);
	const char *inside = path;

	if (!strncmp(path, root, length) && path[length] == '/')
		inside = path + length + 1;
	const char *slash = strrchr(inside, '/');
	if (rg_glob_match(pattern, path, 0) || rg_glob_match(pattern, inside, 0) ||
	    (slash && rg_glob_match(pattern, slash + 1, 0)))
		return true;
	if (names && names_test(pattern, names, inside))
		return true;
	return slash && (names_folder(pattern, inside, (size_t)(slash - inside)) ||
			 (!names && names_folder(pattern, inside, test_folder(target, inside))));
}

#include "update/names.h"

#include "base/pattern.h"

#include <string.h>

enum { TEXT_SIZE = 4097 };
static const char blanks[] = " \t\r\n";

/* The pattern against the path, and against what stands behind each '/' in it. */
static bool matches_end(const char *pattern, const char *path)
{
	for (; path; path = strchr(path, '/') ? strchr(path, '/') + 1 : NULL)
		if (rg_glob_match(pattern, path, 0))
			return true;
	return false;
}

bool rg_is_golden_name(const char *files, const char *path)
{
	const char *word = files + strspn(files, blanks);

	while (*word) {
		size_t length = strcspn(word, blanks);
		char pattern[TEXT_SIZE], *inner;

		if (length < sizeof(pattern)) {
			memcpy(pattern, word, length);
			pattern[length] = '\0';
			inner = strrchr(pattern, '!');
			if (matches_end(inner ? inner + 1 : pattern, path))
				return true;
		}
		word += length;
		word += strspn(word, blanks);
	}
	return false;
}

bool rg_names_golden(const char *pattern, const char *root, const char *path)
{
	size_t length = strlen(root);
	const char *inside = path, *slash;
	char folder[TEXT_SIZE];

	if (!strncmp(path, root, length) && path[length] == '/')
		inside = path + length + 1;
	slash = strrchr(inside, '/');
	if (rg_glob_match(pattern, path, 0) || rg_glob_match(pattern, inside, 0) ||
	    (slash && rg_glob_match(pattern, slash + 1, 0)))
		return true;
	if (!slash || (size_t)(slash - inside) >= sizeof(folder))
		return false;
	memcpy(folder, inside, (size_t)(slash - inside));
	folder[slash - inside] = '\0';
	return matches_end(pattern, folder);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/path.h"

#include "base/order.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* rg_remove_tree goes 256 folders deep: nobody could remove a deeper path. */
enum { PART_MAX = 255, PATH_LENGTH_MAX = 4096, FOLDERS_MAX = 128 };

char *rg_path_join(const char *folder, const char *name)
{
	size_t length = strlen(folder);
	return rg_textf("%s%s%s", folder, length && folder[length - 1] != '/' ? "/" : "", name);
}

char *rg_arena_path(rg_arena *arena, const char *folder, const char *name)
{
	size_t length = strlen(folder);
	return rg_arena_textf(arena, "%s%s%s", folder,
			      length && folder[length - 1] != '/' ? "/" : "", name);
}

char *rg_path_sibling(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	return rg_textf("%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, name);
}

const char *rg_path_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool rg_path_is_below(const char *folder, const char *path)
{
	size_t length = strlen(folder);
	return !strncmp(folder, path, length) && path[length] == '/';
}

bool rg_bytes_end_with(const char *bytes, size_t length, const char *end)
{
	size_t end_length = strlen(end);
	return length >= end_length && !memcmp(bytes + length - end_length, end, end_length);
}

bool rg_ends_with(const char *text, const char *end)
{
	return rg_bytes_end_with(text, strlen(text), end);
}

bool rg_path_ends_with(const char *path, const char *end)
{
	size_t length = strlen(path), wanted = strlen(end);
	return !strcmp(path, end) ||
	       (length > wanted && rg_ends_with(path, end) && path[length - wanted - 1] == '/');
}

const char *rg_path_fault(const char *path)
{
	const char *part = path, *end = path + strlen(path);
	int folders = 0;

	if (!*path)
		return "is empty";
	if (end - path > PATH_LENGTH_MAX)
		return "is too long";
	if (*path == '/')
		return "is absolute";
	for (const char *p = path;; p++) {
		size_t length = (size_t)(p - part);
		if (*p == '\\')
			return "has a backslash";
		if (rg_utf8_length(p, (size_t)(end - p)) && rg_utf8_is_control(p))
			return "has a control character";
		if (*p && *p != '/')
			continue;
		if (!length)
			return "has an empty part";
		if (length > PART_MAX)
			return "has a part of over 255 bytes";
		if (!strncmp(part, "..", 2) && length == 2)
			return "has a '..' part";
		if (*part == '.' && length == 1)
			return "has a '.' part";
		if (!*p)
			return NULL;
		if (++folders > FOLDERS_MAX)
			return "is over 128 folders deep";
		part = p + 1;
	}
}

/* The length of a character that HFS+ leaves out of names: U+200C to U+200F, U+202A to U+202E,
 * U+206A to U+206F, U+FEFF; 0 for others. */
static size_t unseen_length(const char *text, size_t left)
{
	const unsigned char *p = (const unsigned char *)text;
	if (left < 3)
		return 0;
	bool unseen = (p[0] == 0xe2 && p[1] == 0x80 &&
		       ((p[2] >= 0x8c && p[2] <= 0x8f) || (p[2] >= 0xaa && p[2] <= 0xae))) ||
		      (p[0] == 0xe2 && p[1] == 0x81 && p[2] >= 0xaa && p[2] <= 0xaf) ||
		      (p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf);
	return unseen ? 3 : 0;
}

/* Would some file system take a part of a path for `name`, in small letters? They ignore case; HFS+
 * ignores unseen characters; NTFS ignores dots and blanks at the end, and a stream's name after
 * ':'. */
static bool spells(const char *part, size_t length, const char *name)
{
	const char *end = part + length;
	size_t unseen;

	for (; part < end; part += unseen ? unseen : 1) {
		unseen = unseen_length(part, (size_t)(end - part));
		if (unseen)
			continue;
		if (*name && tolower((unsigned char)*part) != *name)
			return false;
		if (!*name && *part != '.' && *part != ' ')
			return *part == ':';
		name += *name != '\0';
	}
	return !*name;
}

bool rg_path_has_git(const char *path)
{
	for (const char *part = path; part;
	     part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
		size_t length = strcspn(part, "/");
		if (spells(part, length, ".git") || spells(part, length, "git~1"))
			return true;
	}
	return false;
}

rg_error *rg_path_check(const char *path)
{
	const char *fault = rg_path_fault(path);
	return fault ? rg_error_new(RG_E_UNSAFE, "unsafe name '%s': it %s", path, fault) : NULL;
}

/* A path's end sorts before a part's end, and that before every other byte. */
static int weight(char byte)
{
	return byte == '/' ? 1 : byte ? (unsigned char)byte + 1 : 0;
}

int rg_path_compare(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return weight(*a) - weight(*b);
}

RG_ORDER_OF_POINTERS(by_path, char, RG_THEN(rg_path_compare(x, y)));

size_t rg_path_sort_unique(const char **paths, size_t count)
{
	size_t kept = 0;
	if (count)
		qsort(paths, count, sizeof(*paths), by_path);
	for (size_t i = 0; i < count; i++)
		if (!kept || strcmp(paths[kept - 1], paths[i]) != 0)
			paths[kept++] = paths[i];
	return kept;
}

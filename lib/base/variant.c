/* SPDX-License-Identifier: Apache-2.0 */
#include "base/variant.h"

#include "base/order.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
/* One of these keeps a TEXT from being part of ordinary names. */
static const char marks[] = ".~+=@";
static const char before[] = "{name}", after[] = "{variant}";
enum { NAME_MAX_BYTES = 64, TEXT_MIN = 2, TEXT_MAX = 32 };

rg_error *rg_variants_text(const char **out, rg_arena *arena, const char *pattern)
{
	size_t length = strlen(pattern), ends = strlen(before) + strlen(after);

	if (length >= ends + TEXT_MIN && length <= ends + TEXT_MAX &&
	    !strncmp(pattern, before, strlen(before)) &&
	    !strcmp(pattern + length - strlen(after), after)) {
		char *text = rg_arena_copy(arena, pattern + strlen(before), length - ends);
		const char *p = text;
		*out = text;
		while (*p && (strchr(letters, *p) || strchr(marks, *p)))
			p++;
		if (!*p && strpbrk(text, marks))
			return NULL;
	}
	return rg_error_new(RG_E_USAGE,
			    "'%s' is not {name}TEXT{variant}, with a TEXT of %d to %d letters, "
			    "digits, '_', '-' and at least one of '.', '~', '+', '=', '@'",
			    pattern, TEXT_MIN, TEXT_MAX);
}

static size_t name_length(const char *text)
{
	size_t length = strspn(text, letters);
	return *text == '_' || *text == '-' || length > NAME_MAX_BYTES ? 0 : length;
}

rg_error *rg_variant_name_check(const char *name)
{
	size_t length = name_length(name);
	if (length && !name[length])
		return NULL;
	return rg_error_new(
		RG_E_USAGE,
		"a variant's name is 1 to %d letters, digits, '_' and '-', and begins with "
		"a letter or digit",
		NAME_MAX_BYTES);
}

/* The place of a path's extension, to which ".gz" belongs: "a.csv.gz" has ".csv.gz". */
static size_t stem_length(const char *path)
{
	const char *name = rg_path_name(path), *dot = strrchr(name, '.');
	if (dot && dot > name && !strcmp(dot, ".gz"))
		for (const char *p = dot - 1; p > name; p--)
			if (*p == '.') {
				dot = p;
				break;
			}
	return dot && dot > name ? (size_t)(dot - path) : strlen(path);
}

const char *rg_variant_path(rg_arena *arena, const char *text, const char *golden, const char *name)
{
	size_t stem = stem_length(golden);
	return rg_arena_textf(arena, "%.*s%s%s%s", (int)stem, golden, text, name, golden + stem);
}

const char *rg_variant_name(rg_arena *arena, const char *text, const char *golden, const char *path)
{
	size_t stem = stem_length(golden), length = strlen(text);

	if (strncmp(path, golden, stem) != 0 || strncmp(path + stem, text, length) != 0)
		return NULL;
	const char *name = path + stem + length;
	length = name_length(name);
	return length && !strcmp(name + length, golden + stem) ? rg_arena_copy(arena, name, length)
							       : NULL;
}

void rg_variants_add(rg_variants *variants, rg_arena *arena, const char *text, const char *golden,
		     const char *path)
{
	const char *name = rg_variant_name(arena, text, golden, path);
	if (name)
		*RG_ARENA_PUSH(arena, variants->items, variants->count, variants->capacity) =
			(rg_variant){name, rg_arena_text(arena, path)};
}

RG_ORDER(by_name, rg_variant, RG_BY_TEXT(name));

void rg_variants_sort(rg_variants *variants)
{
	if (variants->count)
		qsort(variants->items, variants->count, sizeof(*variants->items), by_name);
}

rg_error *rg_variants_list(rg_variants *out, rg_arena *arena, const char *text, const char *golden,
			   int folder)
{
	const size_t before_name = (size_t)(rg_path_name(golden) - golden);
	struct dirent *entry;
	rg_error *err = NULL;

	*out = (rg_variants){0};
	if (folder < 0)
		return NULL;
	DIR *entries = fdopendir(folder);
	if (!entries) {
		err = rg_error_io(errno, "%.*s", (int)before_name, golden);
		close(folder);
		return err;
	}
	while ((errno = 0, entry = readdir(entries)) != NULL) {
		struct stat st;
		if (strstr(entry->d_name, text) &&
		    !fstatat(dirfd(entries), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
		    S_ISREG(st.st_mode))
			rg_variants_add(out, arena, text, golden,
					rg_arena_textf(arena, "%.*s%s", (int)before_name, golden,
						       entry->d_name));
	}
	if (errno)
		err = rg_error_io(errno, "%.*s", (int)before_name, golden);
	closedir(entries);
	rg_variants_sort(out);
	return err;
}

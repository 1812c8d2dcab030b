/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/golden_folders.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/pattern.h"
#include "golden/golden.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FILES_MAX = 200000, OPENED_MAX = 200, FOLDERS_MAX = 1000 };

/* Words of names, whatever their case. */
static const struct {
	const char *word;
	bool vague; /* may be of something else: what is in the files counts */
} words[] = {
	{"golden", false},       {"goldens", false},   {"gold", false},     {"expected", false},
	{"baseline", false},     {"baselines", false}, {"snapshot", false}, {"snapshots", false},
	{"results_true", false}, {"approved", false},  {"reference", true}, {"references", true},
	{"benchmark_ref", true}, {"ref", true},        {"truth", true},
};

/* Folders of others, and ends of names of what is code or is read by people. */
static const char elsewhere[] = "node_modules vendor third_party extern";
static const char not_goldens[] =
	".c .h .cc .cpp .cxx .hpp .cu .py .pyi .js .mjs .ts .tsx .jsx .go .rs .java .kt .rb .pl "
	".sh .m .f90 .f .md .rst .html .css .adoc .tex .pdf .cfg .toml .ini .cmake .mk .in "
	".lock .yml .bzl .ipynb .gitignore .gitattributes .gitkeep";

typedef struct {
	rg_golden_folders *out;
	const char *top;
	size_t opened;
} search;

/* The word that a part of a path is, or has between characters that are not letters; -1. */
static int word_of(const char *part, size_t length)
{
	for (int i = 0; i < (int)(sizeof(words) / sizeof(*words)); i++) {
		size_t size = strlen(words[i].word);
		for (size_t at = 0; at + size <= length; at++)
			if (!strncasecmp(part + at, words[i].word, size) &&
			    (!at || !isalpha((unsigned char)part[at - 1])) &&
			    (at + size == length || !isalpha((unsigned char)part[at + size])))
				return i;
	}
	return -1;
}

/* Is it one of the words of a list, whatever its case? */
static bool is_one_of(const char *list, const char *text, size_t length)
{
	size_t word;
	for (; *list; list += word + (list[word] == ' ')) {
		word = strcspn(list, " ");
		if (word == length && !strncasecmp(list, text, length))
			return true;
	}
	return false;
}

static bool is_code(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && is_one_of(not_goldens, dot, strlen(dot));
}

/* Does regild read it? What cannot be opened is not a golden. */
static bool is_read(search *s, const char *path)
{
	bool known = false;
	if (s->opened++ < OPENED_MAX)
		rg_error_free(rg_golden_recognised_file(&known, s->top, path, true));
	return known;
}

/* The first folder on the path that says that goldens are in it: where it begins and ends. False
 * where none does, or one is not to be looked into. */
static bool find_folder(const char *path, const char **start, const char **end, int *word)
{
	const char *slash;
	*word = -1;
	for (const char *part = path; (slash = strchr(part, '/')) != NULL; part = slash + 1) {
		size_t length = (size_t)(slash - part);
		if (*part == '.' || is_one_of(elsewhere, part, length))
			return false;
		if (*word >= 0 || (*word = word_of(part, length)) < 0)
			continue;
		*start = part;
		*end = slash;
	}
	return true;
}

static void count_in(search *s, const char *path, size_t length, const char *name,
		     size_t name_length, const char *word)
{
	rg_golden_folders *out = s->out;
	rg_golden_folder *folder;

	for (size_t i = out->count; i; i--) {
		folder = &out->items[i - 1];
		if (strlen(folder->path) == length && !memcmp(folder->path, path, length)) {
			folder->goldens++;
			return;
		}
	}
	if (out->count == FOLDERS_MAX)
		return;
	rg_grow(&out->items, &out->capacity, out->count + 1, sizeof(*out->items));
	folder = &out->items[out->count];
	*folder = (rg_golden_folder){.path = rg_arena_copy(&out->arena, path, length),
				     .name = name ? rg_arena_copy(&out->arena, name, name_length)
						  : NULL,
				     .word = word,
				     .goldens = 1};
	out->count++;
}

/* By the names of folders, or of files. */
static void look_at(search *s, const char *path, bool by_folder)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *start, *end;
	int word;

	if (rg_path_fault(path) || is_code(base) || !find_folder(path, &start, &end, &word))
		return;
	if (!by_folder)
		word = word_of(base, strlen(base));
	if (word < 0 || (words[word].vague && !is_read(s, path)))
		return;
	if (!by_folder) {
		count_in(s, slash ? path : ".", slash ? (size_t)(slash - path) : 1, NULL, 0,
			 words[word].word);
		return;
	}
	count_in(s, path, (size_t)(end - path), start, (size_t)(end - start), words[word].word);
}

static int more_first(const void *a, const void *b)
{
	const rg_golden_folder *x = a, *y = b;
	return x->goldens != y->goldens ? (x->goldens < y->goldens) - (x->goldens > y->goldens)
					: strcmp(x->path, y->path);
}

void rg_golden_folders_find(rg_golden_folders *out, const char *top, const rg_change_list *list)
{
	search s = {.out = out, .top = top};
	*out = (rg_golden_folders){0};
	rg_arena_init(&out->arena);
	for (int by_folder = 1; by_folder >= 0 && !out->count; by_folder--)
		for (size_t i = 0; i < list->count && i < FILES_MAX; i++)
			if (list->items[i].kind != RG_CHANGE_REMOVED)
				look_at(&s, list->items[i].path, by_folder);
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), more_first);
	for (size_t i = 0; i < out->count; i++)
		out->goldens += out->items[i].goldens;
}

void rg_golden_folders_release(rg_golden_folders *folders)
{
	free(folders->items);
	rg_arena_release(&folders->arena);
	*folders = (rg_golden_folders){0};
}

const char *rg_golden_folders_root(rg_golden_folders *folders)
{
	const char *first = folders->items[0].path;
	size_t shared = strlen(first), k;

	for (size_t i = 1; i < folders->count; i++) {
		const char *path = folders->items[i].path;
		/* Folders on both ways, and not the last part of either, which is a golden folder's
		 * name. */
		for (k = 0; k < shared && path[k] == first[k]; k++)
			;
		while (k && (first[k] != '/' || path[k] != '/'))
			k--;
		shared = k;
	}
	if (!shared)
		return ".";
	return rg_arena_copy(&folders->arena, first, shared);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/propose.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "base/pattern.h"
#include "golden/golden.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILES_MAX = 50, BYTES_MAX = 1 << 20, NAMES_MAX = 20 };

/* The meanings that a name may have; the first that fits counts. */
static const struct {
	const char *pattern, *keys;
} guesses[] = {
	{"*throughput*", ";\tduration = rate\n;\tflag = 5%\n"},
	{"*per[-_ ]s*", ";\tduration = rate\n;\tflag = 5%\n"},
	{"*time*", ";\tduration = yes\n;\tflag = 5%\n"},
	{"*latency*", ";\tduration = yes\n;\tflag = 5%\n"},
	{"*elapsed*", ";\tduration = yes\n;\tflag = 5%\n"},
	{"*duration*", ";\tduration = yes\n;\tflag = 5%\n"},
	{"mem[-_]*", ";\tflag = 5%\n"},
	{"*[-_]mem", ";\tflag = 5%\n"},
	{"*memory*", ";\tflag = 5%\n"},
};
enum { GUESSES = sizeof(guesses) / sizeof(*guesses) };

typedef struct {
	char **names;
	size_t count, capacity;
} name_list;

static size_t guess_of(const char *metric)
{
	size_t i = 0;
	while (i < GUESSES &&
	       !rg_glob_match(guesses[i].pattern, metric, RG_GLOB_ANY_SLASH | RG_GLOB_IGNORE_CASE))
		i++;
	return i;
}

/* A name that would need quoting in a section, or is a pattern, is left to the user. */
static bool is_plain(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == 0x7f || strchr("\"\\*?[]", *name))
			return false;
	return true;
}

/* A golden that cannot be read proposes nothing. */
static void look_into(name_list *list, const char *top, const char *path)
{
	RG_AUTO_FREE char *whole = rg_path_join(top, path);
	RG_AUTO(rg_buf) bytes = rg_buf_of(BYTES_MAX);
	RG_AUTO_PTR(rg_golden) golden = NULL;
	struct stat st;

	if (lstat(whole, &st) || !S_ISREG(st.st_mode) || !st.st_size || st.st_size > BYTES_MAX)
		return;
	RG_AUTO_PTR(rg_error) err = rg_file_read_regular(&bytes, whole);
	const rg_input in = {.name = path, .data = bytes.data, .size = bytes.length};
	if (!err && bytes.length)
		err = rg_golden_read(&golden, &in, NULL);
	for (size_t i = 0; !err && golden && i < golden->count; i++) {
		const char *name = golden->metrics[i].name;
		size_t k = 0;
		if (golden->metrics[i].kind != RG_METRIC_SERIES || !is_plain(name) ||
		    guess_of(name) == GUESSES)
			continue;
		while (k < list->count && strcmp(list->names[k], name) != 0)
			k++;
		if (k == list->count && list->count <= NAMES_MAX)
			*RG_PUSH(list->names, list->count, list->capacity) = rg_strdup(name);
	}
}

void rg_propose_levels(rg_buf *out, const char *top, const char *const *paths, size_t count)
{
	name_list list = {0};
	for (size_t i = 0; i < count && i < FILES_MAX; i++)
		look_into(&list, top, paths[i]);
	if (list.count)
		qsort(list.names, list.count, sizeof(*list.names), rg_compare_texts);
	if (list.count)
		rg_buf_str(
			out,
			"\n# Guesses, by the names of metrics that were found: which of them are "
			"durations (of which a larger value\n# is slower) or rates, and vary more "
			"than others. Take away the ';' of what is right. man 5 regild-config has\n"
			"# these keys; 'regild audit' measures how much each varies.\n");
	for (size_t i = 0; i < list.count && i < NAMES_MAX; i++)
		rg_buf_printf(out, "; [metric \"%s\"]\n%s", list.names[i],
			      guesses[guess_of(list.names[i])].keys);
	if (list.count > NAMES_MAX)
		rg_buf_str(out, "# There are more.\n");
	for (size_t i = 0; i < list.count; i++)
		free(list.names[i]);
	free(list.names);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "shell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *name;
	tool_fn *run;
} tools[] = {
	{"basename", tool_basename},
	{"cat", tool_cat},
	{"cmp", tool_cmp},
	{"cp", tool_cp},
	{"cut", tool_cut},
	{"diff", tool_diff},
	{"grep", tool_grep},
	{"head", tool_head},
	{"ln", tool_ln},
	{"mkdir", tool_mkdir},
	{"mkfifo", tool_mkfifo},
	{"mv", tool_mv},
	{"rm", tool_rm},
	{"sed", tool_sed},
	{"seq", tool_seq},
	{"sort", tool_sort},
	{"tail", tool_tail},
	{"tee", tool_tee},
	{"tr", tool_tr},
	{"uniq", tool_uniq},
	{"wc", tool_wc},
};

/* These are bash's own structures, which have been the same since version 2: its headers are in a
 * package of their own. */
typedef struct word_list {
	struct word_list *next;
	struct {
		char *word;
		int flags;
	} * word;
} word_list;

struct builtin {
	char *name;
	int (*function)(word_list *);
	int flags;
	char *const *long_doc;
	const char *short_doc;
	char *handle;
};

static int plain(word_list *list)
{
	char *argv[WORDS_MAX + 1];
	int argc = 0;

	for (; list; list = list->next) {
		if (argc == WORDS_MAX)
			return NOT_KNOWN;
		argv[argc++] = list->word->word;
	}
	argv[argc] = NULL;
	for (size_t i = 0; argc && i < sizeof(tools) / sizeof(*tools); i++)
		if (!strcmp(argv[0], tools[i].name))
			return tools[i].run(argc, argv);
	return NOT_KNOWN;
}

static char *const plain_doc[] = {"Does what PROGRAM does, or nothing, and returns 125.", NULL};
enum { BUILTIN_ENABLED = 1 };
extern struct builtin plain_struct;
struct builtin plain_struct = {
	"plain", plain, BUILTIN_ENABLED, plain_doc, "plain PROGRAM [ARGUMENT...]", NULL};

void text_add(text *to, const char *bytes, size_t length)
{
	if (to->capacity - to->length < length) {
		to->capacity = (to->length + length) * 2;
		to->bytes = realloc(to->bytes, to->capacity);
		if (!to->bytes)
			abort();
	}
	if (length)
		memcpy(to->bytes + to->length, bytes, length);
	to->length += length;
}

void text_add_char(text *to, char c)
{
	text_add(to, &c, 1);
}

void text_free(text *t)
{
	free(t->bytes);
	*t = (text){0};
}

static bool is_stdin(const char *path)
{
	return !path || !strcmp(path, "-");
}

bool can_read(const char *path)
{
	struct stat st;

	return is_stdin(path) ? !fstat(0, &st) && !S_ISDIR(st.st_mode)
			      : !stat(path, &st) && !S_ISDIR(st.st_mode) && !access(path, R_OK);
}

bool read_descriptor(int fd, text *out)
{
	char bytes[1 << 14];
	ssize_t n;

	while ((n = read(fd, bytes, sizeof(bytes))) != 0) {
		if (n > 0)
			text_add(out, bytes, (size_t)n);
		else if (errno != EINTR)
			break;
	}
	if (n < 0)
		text_free(out);
	return n == 0;
}

bool read_all(const char *path, text *out)
{
	int fd = is_stdin(path) ? 0 : open(path, O_RDONLY | O_CLOEXEC);
	bool all;

	*out = (text){0};
	if (fd < 0)
		return false;
	all = read_descriptor(fd, out);
	if (fd)
		close(fd);
	return all;
}

int put(const char *program, const char *bytes, size_t length)
{
	while (length) {
		ssize_t n = write(1, bytes, length);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			dprintf(2, "%s: ", program);
			perror("write error");
			return 1;
		}
		bytes += n;
		length -= (size_t)n;
	}
	return 0;
}

int put_text(const char *program, text *t)
{
	int status = put(program, t->bytes, t->length);

	text_free(t);
	return status;
}

bool next_line(const text *from, size_t *at, line *out)
{
	const char *start, *end;

	if (*at >= from->length)
		return false;
	start = from->bytes + *at;
	end = memchr(start, '\n', from->length - *at);
	*out = (line){start, end ? (size_t)(end - start) : from->length - *at, end != NULL};
	*at += out->length + out->ended;
	return true;
}

bool is_number(const char *word, long *out)
{
	char *end;

	if (!word || *word < '0' || *word > '9' || strlen(word) > 9)
		return false;
	*out = strtol(word, &end, 10);
	return !*end;
}

bool match_in(const regex_t *re, line in, size_t from, size_t groups, regmatch_t *found)
{
	found[0] = (regmatch_t){.rm_so = (regoff_t)from, .rm_eo = (regoff_t)in.length};
	return !regexec(re, in.at ? in.at : "", groups, found, REG_STARTEND);
}

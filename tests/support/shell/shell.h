/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SUPPORT_SHELL_H
#define TESTS_SUPPORT_SHELL_H

/*
 * The programs that command tests call most, as a builtin of bash: `plain NAME ARGUMENT…` does in
 * the shell's own process what the program would do in another. It knows what the tests use of a
 * program. Otherwise it does nothing, not even read, and returns NOT_KNOWN, so that the caller
 * starts the program: that includes every error, whose message is the program's. tests/cli/shell/
 * compares the two.
 */

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { NOT_KNOWN = 125, WORDS_MAX = 4096 };

/* argv[0] is the program's name and argv[argc] is NULL; none is changed. Returns the exit code. */
typedef int tool_fn(int argc, char **argv);

/* files.c */
tool_fn tool_basename, tool_cat, tool_cmp, tool_cp, tool_diff, tool_ln, tool_mkdir, tool_mkfifo,
	tool_mv, tool_rm, tool_tee;
/* lines.c */
tool_fn tool_cut, tool_head, tool_seq, tool_sort, tool_tail, tool_tr, tool_uniq, tool_wc;
/* grep.c, sed.c */
tool_fn tool_grep, tool_sed;

/* A text that grows. Memory that is not there ends the shell. */
typedef struct {
	char *bytes;
	size_t length, capacity;
} text;

void text_add(text *to, const char *bytes, size_t length);
void text_add_char(text *to, char c);
void text_free(text *t);

/* Is it a file, or a pipe, that can be read? stdin is "-" or NULL. */
bool can_read(const char *path);
/* Reads all of it. False, with nothing in *out, if it cannot be read. */
bool read_all(const char *path, text *out);
bool read_descriptor(int fd, text *out);
/* Writes to stdout, or says why not, as PROGRAM. Returns the exit code, 0 or 1. */
int put(const char *program, const char *bytes, size_t length);
int put_text(const char *program, text *t);

/* The line at *at, which is moved past it: without its end. False at the end. *ended: a newline
 * ended it. */
typedef struct {
	const char *at;
	size_t length;
	bool ended;
} line;
bool next_line(const text *from, size_t *at, line *out);

/* A decimal number without a sign. */
bool is_number(const char *word, long *out);

/* re in a line, from an offset on: regexec that takes bytes 0. */
bool match_in(const regex_t *re, line in, size_t from, size_t groups, regmatch_t *found);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_COMPLETION_H
#define REGILD_CMD_COMPLETION_H

#include "options.h"

#include <stdbool.h>
#include <stdio.h>

/*
 * What a shell may offer in the place of an argument is read out of its usage: a word in small
 * letters is typed as it is ("list|clear"), and a word in capitals says what has to be there
 * ("[FILE...]").
 */
typedef enum {
	COMPLETE_NOTHING, /* "ID", and arguments that are not there */
	COMPLETE_FILES,   /* "FILE", "GOLDEN", "PATH", "ZIP" */
	COMPLETE_FOLDERS, /* "DIR" */
	COMPLETE_COMMANDS /* "COMMAND" */
} completion_kind;

/* Of the usage of operands or of an option's argument; `usage` may be NULL. */
completion_kind completion_kind_of(const char *usage);
bool completion_has_words(const char *usage);
/* The words in small letters, with a blank between them. */
void completion_print_words(const char *usage, FILE *out);

/* An option's argument, by its choices or words where it has some; `words` is room for these. */
enum { COMPLETION_WORDS = 2048 };
const char *completion_usage(char words[static COMPLETION_WORDS], const option *o);
/* Several of its words may be given, with a comma between them. */
bool completion_is_list(const option *o);

/* "-C", `between`, "--directory"; or the second alone where there is no letter. */
void completion_print_names(const option *o, const char *between, FILE *out);

/* The script of a shell. */
void completion_print_bash(FILE *out);
void completion_print_zsh(FILE *out);
void completion_print_fish(FILE *out);

#endif

#ifndef REGILD_CMD_OPTIONS_H
#define REGILD_CMD_OPTIONS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * One table of options a command (or a group of options that commands share). Parsing, usage,
 * --help and the test that holds the man pages against them all come from the same rows.
 */
typedef enum {
	OPTION_FLAG,    /* bool */
	OPTION_COUNT,   /* int, counted up: -vv */
	OPTION_TEXT,    /* const char * */
	OPTION_TEXTS,   /* option_texts: may be given several times */
	OPTION_NUMBER,  /* option_number: a finite double */
	OPTION_INTEGER, /* option_integer: minimum … maximum */
	OPTION_CHOICE,  /* const char *, one of `choices` */
	OPTION_HELP,    /* bool; ends parsing, so that `--help` wins over what else is wrong */
} option_kind;

/* Beside a kind, for usage; that they are there is the command's to check. */
enum {
	OPTION_NEEDED = 16,
	OPTION_OR_NEXT = 32, /* this one or the row behind it is needed */
};

typedef struct {
	const char **items;
	size_t count, capacity;
} option_texts;

typedef struct {
	bool given;
	double value;
} option_number;

typedef struct {
	bool given;
	unsigned long long value;
} option_integer;

typedef struct {
	char letter;          /* 0: none */
	const char *name;     /* without dashes; NULL ends the table */
	const char *argument; /* "DIR" in usage; NULL for flags */
	unsigned kind;        /* an option_kind, with OPTION_NEEDED or OPTION_OR_NEXT */
	size_t offset;        /* of the target inside the group's struct */
	const char *help;
	const char *choices;                 /* OPTION_CHOICE: "auto|always|never" */
	unsigned long long minimum, maximum; /* OPTION_INTEGER; maximum 0: no bound */
} option;

/* A table and the struct that it fills. */
typedef struct {
	const char *title; /* heading in --help, "Common options" */
	const option *options;
	size_t offset; /* of that struct inside the command's arguments */
} option_group;

/* Groups (the last has a NULL table) and the struct that their offsets lead into. */
typedef struct {
	const option_group *groups; /* NULL ends an array of sets */
	void *arguments;
} option_set;

/*
 * Parses argv[1] …; options and operands may be mixed, "--" ends the options. With `leading_only`
 * the first operand ends them too: what a program takes in front of its command. *operands is argv
 * itself, reordered, behind the options, *operand_count how many.
 * RG_E_USAGE for what does not fit. OPTION_TEXTS lists are released by options_release.
 */
RG_CHECKED rg_error *options_parse(const option_set *sets, bool leading_only, int argc, char **argv,
				   char ***operands, int *operand_count);
void options_release(const option_set *sets);

/* The lines of --help for all groups. */
void options_print(const option_group *groups, FILE *out);
/* "--run ID [-o DIR] … OPERANDS" folded behind `indent` columns; `operands` may be NULL. */
void options_print_usage(const option_group *groups, const char *operands, int indent, FILE *out);

#endif

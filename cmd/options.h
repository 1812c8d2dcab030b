/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_OPTIONS_H
#define REGILD_CMD_OPTIONS_H

#include "base/buf.h"
#include "base/optional.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The call was wrong; command_fail adds where to look. */
#define usage_error(...) rg_error_new(RG_E_USAGE, __VA_ARGS__)

/*
 * One table of options a command (or a group of options that commands share). Parsing, usage,
 * --help and the test that compares the man pages with them all come from the same rows.
 */
typedef enum {
	OPTION_FLAG,    /* bool */
	OPTION_COUNT,   /* int, counted up: -vv */
	OPTION_TEXT,    /* const char * */
	OPTION_TEXTS,   /* rg_texts: may be given several times */
	OPTION_NUMBER,  /* rg_optional_number: a finite double; `fraction`: "1%", too */
	OPTION_INTEGER, /* rg_optional_integer: minimum … maximum */
} option_kind;

/* The parts of a call, in the order in which regild writes one. A call that follows may have words
 * of its own for a part: the call for one golden names its guards and its path. */
typedef enum {
	OPTION_GUARDS = 1,  /* let through what is held back */
	OPTION_HOW = 2,     /* what is done */
	OPTION_GOLDENS = 4, /* which goldens it is done to */
	OPTION_ANY = 7,
} option_part;

typedef struct {
	char letter;          /* 0: none */
	const char *name;     /* without dashes; NULL ends the table */
	const char *argument; /* "DIR" in usage; NULL for flags */
	option_kind kind;     /* both by OPTION_FIELD */
	size_t offset;        /* of the target inside the group's struct */
	const char *help;
	const char *choices; /* "auto|always|never", for completion, too; NULL: any text.
				   OPTION_TEXT takes nothing else, others check it themselves */
	/* The words that the text is made of, for --help: the i-th, and its argument, "=P%" or "";
	 * NULL after the last. */
	const char *(*word)(size_t i, const char **argument, const char **help);
	const char *several; /* OPTION_TEXT: what takes several such values; NULL: nothing does */
	unsigned long long minimum, maximum; /* OPTION_INTEGER; maximum 0: no bound */
	/* OPTION_INTEGER: its argument may be left out, and is the maximum then. One that is a word
	 * of its own has digits alone. */
	bool argument_optional;
	bool fraction;     /* OPTION_NUMBER */
	bool unsaid;       /* says nothing of what was done: left out where the command is shown */
	option_part part;  /* 0: OPTION_HOW */
	bool ends_parsing; /* so that `--help` wins over what else is wrong */
	/* For usage; the command checks that they are given. */
	bool needed;
	bool or_next; /* this option or the one in the next row is needed; or one of several */
} option;

/* Is the word after it its argument? */
static inline bool option_takes_word(const option *o)
{
	return o->argument && !o->argument_optional;
}

/* The member that an option fills; its type says which kind of option it is. */
#define OPTION_FIELD(type, member) \
	.kind = _Generic(((type *)NULL)->member,                                                   \
			bool: OPTION_FLAG,                                                         \
			int: OPTION_COUNT,                                                         \
			const char *: OPTION_TEXT,                                                 \
			rg_texts: OPTION_TEXTS,                                                \
			rg_optional_number: OPTION_NUMBER,                                              \
			rg_optional_integer: OPTION_INTEGER),                                           \
	.offset = offsetof(type, member)

/*
 * A row: its name, what it takes (NULL: nothing), the member of OF that it fills, its line of help,
 * and what else there is to say.
 *
 *	#define OF undo_arguments
 *	static const option own_options[] = {
 *		OPTION("dry-run", NULL, dry_run, "show what would be done", .letter = 'n'),
 *		{0},
 *	};
 */
#define OPTION(word, value, member, ...)                                                           \
	{                                                                                          \
		.name = (word), .argument = (value), OPTION_FIELD(OF, member), .help = __VA_ARGS__ \
	}

/* A row that several commands have. */
#define SOURCE_OPTION(member)                                                    \
	OPTION("source", "KIND", member,                                         \
	       "the CI: github or gitlab (default: from the repository's host)", \
	       .choices = "github|gitlab")

/* They fill an rg_noise_options, `member`, which takes no parentheses.
 * NOLINTBEGIN(bugprone-macro-parentheses) */
#define NOISE_OPTIONS(member, what)                                                           \
	OPTION("noise", "FILE", member.from,                                                  \
	       "judge by this noise model, which 'regild audit --model' writes, or by the "   \
	       "runs of a history, a file or an address (default: regild.noise, else none)"), \
		OPTION("noise-runs", "ID,ID...", member.runs,                                 \
		       "of a history: these runs, by id or URL; may be repeated"),            \
		OPTION("noise-last", "N", member.last,                                        \
		       "of a history: how many runs, the newest (default: 30)", .minimum = 1, \
		       .maximum = 1000000),                                                   \
		OPTION("noise-branch", "B", member.branch,                                    \
		       "of a history: only runs of this branch"),                             \
		OPTION("noise-level", "X", member.level,                                      \
		       "how often noise may be called " what ", at most (default: 0.1)",      \
		       .fraction = true)
/* NOLINTEND(bugprone-macro-parentheses) */

/* A table and the struct that it fills. */
typedef struct {
	const char *title; /* heading in --help, "Common options" */
	const option *options;
	size_t offset; /* of that struct inside the command's arguments */
	/* The group is shared, and `regild help TOPIC` shows it once; NULL: --help shows it. */
	const char *topic;
	const char *usage; /* what stands for such a group in usage: "[REPORT OPTIONS]" */
} option_group;

/* The groups of a command with one table, or with none. */
#define OPTIONS(table) ((const option_group[]){{.title = "Options", .options = (table)}, {0}})
#define NO_OPTIONS     ((const option_group[]){{0}})

/* Groups (the last has a NULL table) and the struct that their offsets lead into. */
typedef struct {
	const option_group *groups; /* NULL ends an array of sets */
	void *arguments;
} option_set;
#define OPTION_SET(groups, arguments) ((const option_set[]){{(groups), (arguments)}, {0}})

/* The words that are not options, in their order. */
typedef struct {
	char **items;
	int count;
	bool dashes;      /* there was a "--" */
	int after_dashes; /* so many of them came after it */
} option_operands;

/*
 * Parses argv[1] …; options and operands may be mixed, "--" ends the options. With `leading_only`
 * the first operand ends them too: what a program takes before its command. The operands' items are
 * in argv itself, which is reordered for that. `said` gets what a report shows of the call, NULL:
 * nothing does.
 * RG_E_USAGE for what does not fit; the operands then begin with an option that is refused,
 * and their items are NULL for other errors. OPTION_TEXTS lists are released by options_release.
 */
RG_CHECKED rg_error *options_parse(const option_set *sets, bool leading_only, int argc, char **argv,
				   option_operands *operands, rg_buf *said);
void options_release(const option_set *sets);

/* Adds the options of a part that a command was given to another call, from its arguments:
 * "--only", "t5". Words that the arguments do not have are in the arena. */
void options_write_call(rg_texts *words, rg_arena *arena, const option_set *sets, option_part part);
/* Returns how many options of the part were given; each value of an OPTION_TEXTS counts. */
size_t options_count_given(const option_set *sets, option_part part);

/* Is it one of "auto|always|never"? */
bool option_is_choice(const char *choices, const char *text);

/* The option that is typed so, or else the one that is meant: "top=3", "only-failing" for
 * "failing", "color=never" for "no-color". NULL: the groups have neither. */
const char *options_suggest(const option_group *groups, const char *typed);

/* The lines of --help for all groups. */
void options_print(const option_group *groups, int columns, FILE *out);
/* A paragraph, folded at `columns`, and a line's end; the first line begins at `column`, and the
 * others after `indent`. Returns the next paragraph of the text: a '\n' ends one. */
const char *options_print_folded(const char *text, int column, int indent, int columns, FILE *out);
/* "--run ID [-o DIR] … OPERANDS" folded after `indent` columns; `operands` may be NULL. */
void options_print_usage(const option_group *groups, const char *operands, int indent, int columns,
			 FILE *out);

#endif

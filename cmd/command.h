/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_COMMAND_H
#define REGILD_CMD_COMMAND_H

#include "exit.h"
#include "flow/context.h"
#include "options.h"
#include "report/table.h"

#include <stdbool.h>
#include <stdio.h>

/* The flags that every command takes. */
typedef struct {
	rg_texts dirs;          /* -C */
	const char *repository; /* --repo */
	bool quiet;
	int verbose;
	const char *color; /* auto, always, never; NULL: auto */
	bool help;
	bool no_pager;
	bool version; /* of regild alone */
} common_arguments;

extern const option_group common_group[];
/* The flags that regild takes without a command. */
extern const option_group version_group[];

typedef struct command command;

/* The things that a command works with; main makes it. */
typedef struct {
	const common_arguments *common;
	rg_flow flow; /* worktree: NULL only with COMMAND_MAY_USE_WORKTREE; config: only with
			 COMMAND_READS_NO_SETTINGS */
	rg_table_style style; /* of stdout, also where a pager shows it: colours, columns */
	bool paged;           /* stdout goes to a pager (pager_open) */
	const char
		*command_line; /* as reports show it: what was done, and not where it was written */
	int exit_code;         /* what a command that returned no error ends with: 0, 1 or 4 */
	bool changed;          /* files were, for good: what fails now is not all of it */
	char **operands;
	int operand_count;
	bool operand_dashes;       /* there was a "--" before the last of them */
	int operands_after_dashes; /* so many */
	const command *program;    /* all commands are its parts */
} command_context;

/* For types that are closed, as RG_AUTO is for those that are released. */
#define AUTO_CLOSE(type) __attribute__((cleanup(type##_close))) type

/* On stderr, or not, by its level and -q and -v. */
#define tell(context, ...) rg_log_say(&(context)->flow.log, __VA_ARGS__)

enum {
	COMMAND_NEEDS_WORKTREE = 1,    /* a repository with a working tree and at least a commit */
	COMMAND_MAY_USE_WORKTREE = 2,  /* one is used where there is one */
	COMMAND_HANDLES_PENDING = 4,   /* says itself that an update was interrupted */
	COMMAND_READS_NO_SETTINGS = 8, /* they may be wrong */
	COMMAND_IS_PLUMBING = 16,      /* called by other programs mostly; listed last */
	COMMAND_IS_BRIEF = 32          /* prints few lines where no terminal is (terminal_limit) */
};

struct command {
	const char *name;            /* as it is typed: "undo", "history show" */
	const char *summary;         /* one line, for `regild help` */
	const command *const *parts; /* its own commands, a NULL ends them; NULL: it has none. The
					first operand names one; without any, it runs itself */
	const char *operands;        /* in usage: "[DIR]", or "DIR" if one has to be given; NULL:
					takes none */
	const char *missing;         /* follows "missing FILE: " in errors; NULL: the call */
	int operands_max;            /* -1: any number */
	const char *stray;           /* what more operands may be meant for; NULL: nothing known */
	/* Sentences under the usage in --help, not folded: a '\n' ends a paragraph, and a line that
	 * begins with blanks is to be copied. */
	const char *description;
	const char
		*examples; /* calls, one a line, as they are in the man page's EXAMPLES, or NULL */
	const option_group *groups; /* ends with a NULL table; offsets into the arguments' struct;
				       common options are added by main */
	size_t arguments_size;
	unsigned flags;
	/* NULL on success; the exit code is then context->exit_code. */
	rg_error *(*run)(command_context *context, void *arguments);
};

/* All commands are its parts; cmd/commands.c. */
extern const command program;
enum { COMMANDS_DAILY = 6 }; /* so many of them come first in `regild help` */

/* cmd/suggest.c. The last word of its name: "show" of "history show". */
const char *command_word(const command *cmd);
/* The part whose last word it is; NULL: there is none. */
const command *command_part(const command *of, const char *name);
/* The same, but RG_E_USAGE where there is none, with the one that may be meant. */
RG_CHECKED rg_error *command_find(const command **out, const command *of, const char *name);
/* The first command with that option or with the one that is meant; see options_suggest. */
const char *command_of_option(const command **out, const command *of, const char *typed);

/* Says what went wrong, frees the error and returns the exit code. `cmd`: whose --help says more
 * where the call was wrong; NULL: nobody's. */
int command_fail(rg_error *err, const command *cmd);

/* Says why a part is missing of what was done, and makes the exit code EXIT_PARTIAL. `err` is
 * freed; NULL: nothing is missing. */
void command_miss(command_context *context, rg_error *err);

/* Finds the command that argv[0] names, parses what follows, opens what the command needs, runs it
 * and returns the exit code. *changed says that files were changed for good, whatever failed then.
 */
int command_run(const command *of, common_arguments *common, int argc, char **argv, bool *changed);

/* Adds the command's operands to the values of an option that they continue: --from A B. */
void options_append_operands(rg_texts *values, const command_context *context);

/* cmd/help.c. The width that help is folded at: the terminal's, 80 where there is none. */
int help_columns(FILE *out);
void print_command_help(const command *cmd, int columns, FILE *out);
void print_program_help(const command *of, int columns, FILE *out);
/* The options of a topic, which several commands share, once; false: no command has any. */
bool print_topic_help(const command *of, const char *name, int columns, FILE *out);
/* On stdout, at its width: of a command, "history", of a part, "history", "show", or of a topic. */
RG_CHECKED rg_error *print_help_of(const command *of, char *const *names, int count);
/* `verbose`: what reads goldens in processes of their own, too. */
void print_version(bool verbose);

#endif

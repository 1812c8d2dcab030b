#ifndef REGILD_CMD_COMMAND_H
#define REGILD_CMD_COMMAND_H

#include "base/error.h"
#include "base/log.h"
#include "exit.h"
#include "options.h"
#include "worktree/config.h"
#include "worktree/worktree.h"

#include <stdbool.h>
#include <stdio.h>

/* The flags that every command takes. */
typedef struct {
	option_texts dirs;      /* -C */
	const char *repository; /* --repo */
	bool quiet;
	int verbose;
	const char *color; /* auto, always, never; NULL: auto */
	bool help;
} common_arguments;

extern const option_group common_group[];

/* What a command works with; main makes it. */
typedef struct {
	const common_arguments *common;
	rg_worktree *worktree; /* NULL only with COMMAND_MAY_USE_WORKTREE */
	rg_error *no_worktree; /* then, why there is none */
	rg_config *config;     /* NULL only with COMMAND_READS_NO_SETTINGS */
	rg_log log;
	rg_progress progress;
	bool color; /* for stdout */
	/* Where what was done is listed: stdout, or stderr where a report takes stdout. */
	FILE *listing;
	/* The comparison's table follows: the listing leaves rows out. */
	bool rows_follow;
	const char *command_line; /* as a person would type it, quoted for a shell */
	int exit_code;            /* what a command that returned no error ends with: 0, 1 or 4 */
	bool pending_said;        /* that an update was interrupted; once is enough */
	bool changed;             /* files were, for good: what fails now is not all of it */
	char **operands;
	int operand_count;
} environment;

enum {
	COMMAND_NEEDS_WORKTREE = 1,   /* a repository with a working tree and at least a commit */
	COMMAND_MAY_USE_WORKTREE = 2, /* one is used where there is one */
	COMMAND_HANDLES_PENDING = 4,  /* says itself that an update was interrupted */
	COMMAND_READS_NO_SETTINGS = 8 /* they may be wrong */
};

typedef struct {
	const char *name;
	const char *summary;        /* one line, for `regild help` */
	const char *operands;       /* in usage: "[DIR]"; NULL: takes none */
	int operands_max;           /* -1: any number */
	const char *stray;          /* what more operands may be meant for; NULL: nothing known */
	const char *description;    /* a few lines under the usage in --help */
	const option_group *groups; /* ends with a NULL table; offsets into the arguments' struct;
				       common options are added by main */
	size_t arguments_size;
	unsigned flags;
	/* NULL on success; the exit code is then env->exit_code. */
	rg_error *(*run)(environment *env, void *arguments);
} command;

/* In the order of `regild help`; a NULL name ends it. cmd/commands.c. */
extern const command *const commands[];
/* RG_E_USAGE where it is none, with the one that may be meant. */
RG_CHECKED rg_error *command_find(const command **out, const char *name);

/* For commands that only may use a worktree, where they turn out to need one with a commit: why
 * there is none, or NULL. */
RG_CHECKED rg_error *environment_need_worktree(environment *env);

/* For commands that look for goldens: a root that is not there, where none was found, or that is in
 * a submodule is a slip, as a rule, which must not pass for goldens that are all well. */
RG_CHECKED rg_error *environment_warn_root(const environment *env, bool found);

/* The file that a setting names: a relative one stands in the repository, wherever the command is
 * started. *out is the caller's to free, NULL where the setting names none. */
RG_CHECKED rg_error *environment_setting_path(const environment *env, const char *setting,
					      char **out);

/* The call was wrong; main adds where to look. */
#define usage_error(...) rg_error_new(RG_E_USAGE, __VA_ARGS__)

void print_command_help(const command *cmd, FILE *out);
void print_program_help(FILE *out);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_UPDATE_H
#define REGILD_CMD_UPDATE_H

#include "command.h"
#include "compare.h"
#include "flow/facts.h"
#include "flow/plan_file.h"
#include "flow/update.h"

/* Decides which staged goldens go in, and how; shared by `update`, `apply` and `refresh`. */
typedef struct {
	rg_update_options update;
	bool interactive;
	const char *message; /* NULL: none is wanted */
	const char *json;    /* a file for what became of each golden; NULL: none is wanted */
	const char *plan;    /* a file for what a dry run would do; NULL: none is wanted */
	const rg_plan_file *follow; /* what is to be done, and no more; NULL: what is staged */
} update_arguments;

/* An option_group's table; its offsets lead into update_arguments. */
extern const option update_options[];

/* How `update` and `refresh` show an update: a line a file, and under it why it is held back or the
 * worst rows of the comparison with the file that it replaces. */
typedef struct {
	FILE *listing;    /* stdout, or stderr where a report takes stdout */
	bool rows_follow; /* the comparison's table does: the listing leaves rows out */
} update_view;

/*
 * Puts what is staged in `folder` into the working tree and shows what was done: -q leaves out what
 * is unchanged and the rows, -v shows all rows and what is left out. Sets context->exit_code to
 * EXIT_PARTIAL where a guard held something back. `out` must be initialised.
 */
RG_CHECKED rg_error *update_run(rg_update *out, command_context *context,
				const update_arguments *arguments, const char *folder,
				const update_view *view);

/* RG_E_USAGE where --message, --json or --plan would be written over a golden or each other. */
RG_CHECKED rg_error *update_check_files(const update_arguments *arguments,
					command_context *context);
/* RG_E_USAGE where a plan is asked for and the update is no dry run. */
RG_CHECKED rg_error *update_check_plan(const update_arguments *arguments);

/* The comparison with HEAD that follows an update: for all reports of a refresh, and for the commit
 * message of either. First update_compare_prepare, then update_run, then update_compare. */

/* Says what is wrong with the call, and has the update hand on what it compares. `c` borrows
 * `compare`, which gets the update's --message as one of the reports. */
RG_CHECKED rg_error *update_compare_prepare(comparison_run *c, command_context *context,
					    update_arguments *update, compare_arguments *compare);
/* Compares the whole of what now differs from HEAD (what an earlier refresh left uncommitted will
 * be in the same review) and has it shown. */
RG_CHECKED rg_error *update_compare(comparison_run *c, command_context *context,
				    compare_arguments *compare, rg_update *update,
				    rg_error *(*show)(comparison_run *, command_context *));

enum { UPDATE_RUN_ID = 24 };
/* Returns the source of the goldens, and fills `id` with the run's. */
rg_run_facts update_run_facts(const rg_update *update, char id[static UPDATE_RUN_ID]);

/* Shows what update_run has done. */
RG_CHECKED rg_error *update_show(command_context *context, rg_update *update,
				 const update_view *view);

/* A glob that is this path's alone. */
const char *update_glob_of(rg_arena *arena, const char *path);
/* The call of `regild update` that puts in a golden that is held back by guards that can be let
 * through, with what the update under way was told; `item` NULL: the one that does what was
 * planned. Words that nobody else has are in the arena. */
void update_make_call(rg_call *call, rg_arena *arena, const command_context *context,
		      const rg_update *update, const rg_plan_item *item);
/* Writes what became, or would become, of each golden as JSON (NULL: nowhere). */
RG_CHECKED rg_error *update_write_facts(const command_context *context, const rg_update *update,
					const char *file);

/* Prints the findings of guards: the first ones, unless `all` of them are asked for, and how many
 * more there are of which guards. */
void update_print_findings(const rg_plan_item *item, bool all, FILE *out);
/* An item's rows and findings, the rows at most `top` (0: all). */
void update_print_item(const rg_plan *plan, const rg_plan_item *item, size_t top, FILE *out);

#endif

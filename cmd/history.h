/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_HISTORY_H
#define REGILD_CMD_HISTORY_H

#include "command.h"

/* The verbs of `regild history`, whose table is in history.c. */

typedef struct {
	const char *json;
	const char *format;
	const char *keep;
	const char *cluster;
	rg_texts hosts;
	bool dry_run, replicated;
} history_arguments;

/* `operands` are what follows the verb. */
typedef rg_error *history_verb_fn(command_context *context, const history_arguments *arguments,
				  char *const *operands, int count);

history_verb_fn history_list, history_show, history_check; /* history_show.c */
history_verb_fn history_merge, history_push, history_pull, history_export, history_import,
	history_prune;                     /* history_move.c */
history_verb_fn history_ddl, history_init; /* history_tables.c */

/* *out: the address of the shared history, where that is on a server; else NULL. */
RG_CHECKED rg_error *history_server(const char **out, const command_context *context);
/* Frees the disks of a shared history's servers from what was pruned; of a local one it is freed
 * already. */
RG_CHECKED rg_error *history_free_disks(const command_context *context,
					const history_arguments *arguments);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_HISTORY_H
#define REGILD_CMD_HISTORY_H

#include "command.h"

/* The parts of `regild history`, whose table is in history.c. Each fills what it takes of this. */

typedef struct {
	const char *json, *csv;
	const char *format;
	const char *keep;
	const char *cluster;
	rg_texts hosts;
	bool dry_run, replicated;
} history_arguments;

/* history_show.c, history_move.c */
typedef rg_error *history_run_fn(command_context *context, void *arguments);
history_run_fn history_list, history_show, history_check, history_ask;
history_run_fn history_merge, history_export, history_import, history_prune, history_push,
	history_pull;
history_run_fn history_ddl, history_init;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_COMMANDS_H
#define REGILD_CMD_COMMANDS_H

#include "command.h"

/* One a file, cmd/NAME.c; download is in cmd/refresh.c. */
extern const command command_apply;
extern const command command_audit;
extern const command command_blame;
extern const command command_check;
extern const command command_comment;
extern const command command_compare;
extern const command command_completion;
extern const command command_cache;
extern const command command_download;
extern const command command_executorch;
extern const command command_help;
extern const command command_history;
extern const command command_init;
extern const command command_pr_of_run;
extern const command command_refresh;
extern const command command_accept;
extern const command command_reject;
extern const command command_report;
extern const command command_show;
extern const command command_reset;
extern const command command_runs;
extern const command command_textconv;
extern const command command_triage;
extern const command command_undo;
extern const command command_update;
extern const command command_version;

/* The scripts that `regild completion` prints ask `regild __complete WORD... CURRENT`: the words
 * that follow "regild" on the line, up to the one under way, which may be empty. */
#define COMPLETE "__complete"

/* Prints "nothing", "files" or "folders", which the shell is to offer too, then a line for each
 * word that may be in that place: "WORD<Tab>HELP". */
void complete(const command *of, char *const *words, int count);

#endif

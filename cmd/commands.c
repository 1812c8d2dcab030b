/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include <stddef.h>

/* In the order of `regild help`: those of every day first, plumbing last. One a line. */
/* clang-format off */
static const command *const commands[] = {
	&command_refresh,
	&command_compare,
	&command_undo,
	&command_check,
	&command_runs,
	&command_blame,
	&command_triage,
	&command_download,
	&command_update,
	&command_apply,
	&command_reset,
	&command_accept,
	&command_reject,
	&command_report,
	&command_comment,
	&command_show,
	&command_audit,
	&command_history,
	&command_init,
#ifndef REGILD_WITHOUT_EXECUTORCH
	&command_executorch,
#endif
	&command_help,
	&command_version,
	&command_pr_of_run,
	&command_textconv,
	&command_cache,
	&command_completion,
	NULL,
};
/* clang-format on */

const command program = {.name = "", .parts = commands};

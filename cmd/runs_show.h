/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_RUNS_SHOW_H
#define REGILD_CMD_RUNS_SHOW_H

#include "command.h"
#include "flow/runs.h"

/* The table of `regild runs`; `numbered` for a question. */
RG_CHECKED rg_error *runs_show(const rg_runs *runs, bool numbered, const rg_table_style *style,
			       FILE *out);

#endif

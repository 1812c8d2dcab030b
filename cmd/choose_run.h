/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_CHOOSE_RUN_H
#define REGILD_CMD_CHOOSE_RUN_H

#include "command.h"
#include "flow/download.h"

/*
 * Makes `options` name a run: the one that their choice fits, or one that the user picks from the
 * last ten. What a terminal could answer is asked there; elsewhere it is RG_E_USAGE, with what to
 * say. *open is what the options then borrow from, closed by the caller with rg_flow_close_source,
 * whatever comes back. Nothing is done where they name a run already.
 */
RG_CHECKED rg_error *choose_run(rg_open_source *open, char id[static 32], command_context *context,
				rg_download_options *options);

#endif

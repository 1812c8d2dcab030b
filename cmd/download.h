/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_DOWNLOAD_H
#define REGILD_CMD_DOWNLOAD_H

#include "command.h"
#include "flow/download.h"

/* For `download` and `refresh`: rows that fill an rg_download_options. */
extern const option download_options[];

/* Asks for the scope on a terminal where the options give none; elsewhere that is RG_E_USAGE. */
RG_CHECKED rg_error *download_choose_scope(rg_download_options *options);

/*
 * Fetches with progress and closing lines on stderr, and sets context->exit_code to EXIT_PARTIAL
 * where something of the scope is missing. Where `options` give no scope it asks on a terminal,
 * else RG_E_USAGE. `out` must be initialised.
 */
RG_CHECKED rg_error *download_run(command_context *context, rg_download_options *options,
				  rg_download_result *out);

#endif

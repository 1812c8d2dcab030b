/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_REMOVED_H
#define REGILD_STORE_HISTORY_REMOVED_H

#include "store/history_hosts.h"

/*
 * Has each host delete what removed runs have left there, which no reader takes any more; they do
 * so in the background. The cluster is the one over which the tables are spread, and that of
 * `where` is not read.
 */
RG_CHECKED rg_error *rg_history_delete_removed(const rg_history_hosts *where);

#endif

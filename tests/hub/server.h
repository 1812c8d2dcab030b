/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_SERVER_H
#define REGILD_TESTS_HUB_SERVER_H

#include "hub/hub.h"

/* One of the two HTTP servers, on 127.0.0.1 alone, a thread a connection. */
typedef struct server server;

/* `port` 0: any free one; *port is the one it got. `state` must outlive the server. */
RG_CHECKED rg_error *server_start(server **out, hub *state, side which, unsigned short *port);
void server_stop(server *running);

#endif

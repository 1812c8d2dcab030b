/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_NET_RESPONSE_HEADER_H
#define REGILD_NET_RESPONSE_HEADER_H

#include "net/exchange.h"

void rg_http_response_init(rg_http_response *response);
void rg_http_response_release(rg_http_response *response);

/* One header line as it came, with or without its line end, into the response. Lines that mean
 * nothing here, or nothing at all, are passed over; a status line starts the answer afresh. */
RG_CHECKED rg_error *rg_http_header(rg_http_response *out, const char *line, size_t length);

#endif

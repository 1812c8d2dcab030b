/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_NET_REMOTE_PLACE_H
#define REGILD_NET_REMOTE_PLACE_H

#include "net/http.h"

/* Where a remote file is: at a URL that has to be asked for and expires, or to which an API leads.
 */
typedef struct {
	rg_http *http;
	/* As in rg_remote_options. */
	const char *name;
	rg_error *(*locate)(void *context, char **url);
	rg_error *(*refuse)(void *context, const rg_http_request *request,
			    const rg_http_response *response);
	void *context;
	char *url;          /* freed by its owner; NULL: to be asked for */
	unsigned redirects; /* since it was */
} rg_remote_place;

/* Asks for the URL, again where it has one. */
RG_CHECKED rg_error *rg_remote_locate(rg_remote_place *place);

/* After an answer of the URL without bytes: NULL where it is to be asked again, there or at another
 * URL. The token does not go along to another server. */
RG_CHECKED rg_error *rg_remote_go_on(rg_remote_place *place, const rg_http_request *request,
				     const rg_http_response *response, rg_http_tries *tries);

#endif

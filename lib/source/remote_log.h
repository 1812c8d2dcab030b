/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_REMOTE_LOG_H
#define REGILD_SOURCE_REMOTE_LOG_H

#include "net/http.h"
#include "source/source.h"

/* A job's log at a URL: what rg_source.read_log of sources on the network is made of. */
typedef struct {
	rg_http *http;
	/* Asks for the URL that holds the log now, which may be the API's own; *url is freed by
	 * the caller. Asked again where the URL expired. */
	rg_error *(*locate)(void *context, char **url);
	/* As in rg_remote_options; or NULL. */
	rg_error *(*refuse)(void *context, const rg_http_request *request,
			    const rg_http_response *response);
	void *context;
} rg_remote_log;

/* As rg_source.read_log. The log is fetched before the sink gets any of it, into a nameless file
 * in the request's folder: a transfer that is cut goes on where it stopped. A log that is not there
 * (404, 410) is RG_E_GONE. */
RG_CHECKED rg_error *rg_remote_log_read(const rg_remote_log *from, const rg_take_request *request,
					rg_zip_sink *sink, void *context);

#endif

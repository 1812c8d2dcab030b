/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_REMOTE_ARTIFACT_H
#define REGILD_SOURCE_REMOTE_ARTIFACT_H

#include "net/http.h"
#include "source/source.h"

/* An artifact that is a file at a URL: a zip of which only what is wanted is fetched, or one file
 * as it is. What rg_source.take and read_log of sources on the network are made of. */
typedef struct {
	rg_http *http;
	const rg_artifact *artifact;
	/* Asks for the URL that holds the bytes now, which may be the API's own; *url is freed by
	 * the caller. RG_E_GONE where the artifact expired. Asked again where the URL did. */
	rg_error *(*locate)(void *context, char **url);
	/* As in rg_remote_options; or NULL. */
	rg_error *(*refuse)(void *context, const rg_http_request *request,
			    const rg_http_response *response);
	void *context;
	bool says_way; /* the log hears how it was fetched */
} rg_remote_artifact;

/* As rg_source.take. */
RG_CHECKED rg_error *rg_remote_artifact_take(const rg_remote_artifact *from,
					     const rg_take_request *request,
					     rg_selection *selection, const char **check);

/* The same for a job's log, which has no `artifact`, as rg_source.read_log: it is fetched before
 * the sink gets any of it, into a nameless file in the request's folder: a transfer that is cut
 * goes on where it stopped. A log that is not there (404, 410) is RG_E_GONE. */
RG_CHECKED rg_error *rg_remote_log_read(const rg_remote_artifact *from,
					const rg_take_request *request, rg_zip_sink *sink,
					void *context);

#endif

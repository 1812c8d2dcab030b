/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_NET_TRANSFER_H
#define REGILD_NET_TRANSFER_H

#include "base/log.h"
#include "net/curl.h"
#include "net/exchange.h"

/*
 * One exchange with libcurl; for http.c, which knows whom to ask, how often and with which headers.
 */
typedef struct {
	CURL *easy; /* its headers are set; everything else is set here */
	const rg_http_request *request;
	rg_http_response *response; /* empty */
	const char *shown;          /* the URL for people */
	double stall;               /* seconds */
	const rg_log *log;          /* NULL: silence */
	bool decoded;               /* compressed bodies are asked for, and unpacked */
	bool netrc;                 /* as in rg_http_options */
} rg_transfer;

/* As rg_http_exchange. */
RG_CHECKED rg_error *rg_transfer_run(const rg_transfer *transfer);

#endif

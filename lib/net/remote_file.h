/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_NET_REMOTE_FILE_H
#define REGILD_NET_REMOTE_FILE_H

#include "base/cleanup.h"
#include "base/reader.h"
#include "base/digest.h"
#include "net/http.h"

/*
 * A large file at a URL that has to be asked for and that expires, or that leads to such a one, as
 * a reader that fetches only what is read. Opening fetches the tail by a range (a zip's directory
 * is there); the size comes with the answer, because the listed one is only a claim. If that does
 * not pay or does not work (a small file, a server that answers 200 to a range, `whole`), the whole
 * file is fetched once into a nameless temporary file.
 *
 * Cut transfers continue where they stopped; a URL that is refused with 403 is asked for again. For
 * one thread at a time.
 */
typedef struct rg_remote rg_remote;

enum { RG_REMOTE_START = 512 };

typedef struct {
	const char *name;  /* for messages; borrowed */
	uint64_t size;     /* as listed; 0: not known */
	uint64_t size_max; /* more bytes than this are not fetched whole */
	bool whole;
	uint64_t whole_under; /* under this size it is fetched whole at once */
	/* If a prefetch takes all of the file, it is fetched whole, for its digest's sake, and the
	 * prefetch returns RG_E_NET: reading has to begin again. */
	bool whole_if_all;
	const char *folder; /* for the temporary file; borrowed */
	/* Asks for the URL; *url is freed by the remote. May be called again when it expired. It
	 * may be an API's, which answers with a redirect to another or with the bytes. */
	rg_error *(*locate)(void *context, char **url);
	/* The error for a 401, 403 or 404 that the API itself answers; NULL: as of any server. */
	rg_error *(*refuse)(void *context, const rg_http_request *request,
			    const rg_http_response *response);
	/* Looks at the first RG_REMOTE_START bytes of a whole body as soon as they are there, so
	 * that what is not wanted, and may have no end, is not waited for; may be NULL. */
	rg_error *(*look)(void *context, const void *start);
	/* Called for bytes as they come; may be NULL. */
	void (*moved)(void *context, uint64_t bytes);
	void *context;
} rg_remote_options;

RG_CHECKED rg_error *rg_remote_open(rg_remote **out, rg_http *http,
				    const rg_remote_options *options);
void rg_remote_free(rg_remote *remote);
RG_FREE_AT(rg_remote)

/* A reader of the temporary file once the whole is in it; an earlier reader stays valid, and keeps
 * the parts that it has. */
const rg_reader *rg_remote_reader(const rg_remote *remote);
bool rg_remote_is_whole(const rg_remote *remote);
/* The file's name as the server gave it with the body, unchecked; NULL where it gave none. */
const char *rg_remote_file_name(const rg_remote *remote);
/* The digest of the whole file, which is fetched first if only parts of it are here. */
RG_CHECKED rg_error *rg_remote_sha256(rg_remote *remote, char out[static RG_SHA256_HEX]);

#endif

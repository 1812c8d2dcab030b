/* SPDX-License-Identifier: Apache-2.0 */
#include "source/remote_log.h"

#include "net/remote_file.h"

typedef struct {
	const rg_remote_log *from;
	const rg_take_request *request;
	bool begun;
} reading;

static rg_error *locate(void *context, char **url)
{
	reading *r = context;
	RG_TRY(r->from->locate(r->from->context, url));
	if (!r->begun)
		r->request->begin(r->request->context);
	r->begun = true;
	return NULL;
}

static rg_error *refuse(void *context, const rg_http_request *request,
			const rg_http_response *response)
{
	const reading *r = context;
	return r->from->refuse(r->from->context, request, response);
}

static void moved(void *context, uint64_t bytes)
{
	const reading *r = context;
	r->request->moved(r->request->context, bytes);
}

/* Whoever listed the job may read it: what is not found was there once. */
static rg_error *say_gone(rg_error *err)
{
	if (!err ||
	    (rg_error_get_code(err) != RG_E_NOTFOUND && rg_error_get_code(err) != RG_E_GONE))
		return err;
	rg_error_free(err);
	return rg_error_new(RG_E_GONE,
			    "its log is not there any more; re-run the job to make it again");
}

rg_error *rg_remote_log_read(const rg_remote_log *from, const rg_take_request *request,
			     rg_zip_sink *sink, void *context)
{
	reading r = {from, request, false};
	const rg_remote_options options = {
		.name = "its log",
		.size_max = request->artifact_max,
		.whole = true,
		.folder = request->folder,
		.locate = locate,
		.refuse = from->refuse ? refuse : NULL,
		.moved = moved,
		.context = &r,
	};
	rg_remote *file;
	rg_error *err;

	RG_TRY(say_gone(rg_remote_open(&file, from->http, &options)));
	err = rg_reader_pass(rg_remote_reader(file), sink, context);
	rg_remote_free(file);
	return err;
}

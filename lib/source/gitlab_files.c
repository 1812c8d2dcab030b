/* SPDX-License-Identifier: Apache-2.0 */
#include "source/gitlab_files.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/json.h"
#include "net/url.h"
#include "source/gitlab_json.h"

#include <stdlib.h>
#include <string.h>

/* Past these the zip's directory, which says the same in one request, is the better list; and a
 * range of the zip the better way to many files, or to one that does not fit into memory easily. */
enum { TREE_PAGES_MAX = 5, FILES_MAX = 24 };
#define FILE_SIZE_MAX ((uint64_t)64 << 20)

typedef struct {
	const rg_gitlab_api *api;
	const rg_artifact *artifact;
	const rg_take_request *request;
	rg_listed *items;
	size_t count, capacity;
	rg_arena arena;
	bool begun;
} files;

/* ---- the list ---- */

static rg_error *add_file(void *context, const rg_json_in *in, const cJSON *object)
{
	static const char *const types[] = {"file", "directory"};
	files *f = context;
	size_t type;

	rg_grow(&f->items, &f->capacity, f->count + 1, sizeof(*f->items));
	rg_listed *file = &f->items[f->count++];
	*file = (rg_listed){0};
	RG_TRY(rg_json_get_text(in, object, "path", &file->name));
	RG_TRY(rg_json_get_word(in, object, "type", types, 2, &type));
	file->folder = type == 1;
	return file->folder ? NULL
			    : rg_json_get_count(in, object, "size", RG_JSON_EXACT_MAX, &file->size);
}

/* *listed: the instance has such a list; *whole: it is not longer than it may be. */
static rg_error *read_tree(files *f, bool *listed, bool *whole)
{
	rg_error *err;
	rg_buf body;
	int pages;

	*listed = *whole = false;
	char *url = rg_gitlab_url(f->api, f->artifact->project,
				  "/jobs/%llu/artifacts/tree?recursive=true&per_page=100",
				  (unsigned long long)f->artifact->job_id);
	rg_buf_init(&body, RG_GITLAB_PAGE_MAX);
	for (pages = 0, err = NULL; !err && url && pages < TREE_PAGES_MAX; pages++) {
		rg_buf_clear(&body);
		err = rg_cancel_check();
		if (!err)
			err = rg_gitlab_get(f->api, &url, "its list of files", &body);
		if (!err)
			err = rg_error_wrap(rg_gitlab_read_list("tree", body.data, body.length,
								&f->arena, add_file, f),
					    "its list of files");
	}
	*listed = !err;
	*whole = !err && !url;
	free(url);
	rg_buf_release(&body);
	if (!err || rg_error_get_code(err) != RG_E_NOTFOUND || pages > 1)
		return err;
	rg_error_free(err);
	return NULL;
}

/* Few files, none of them large? */
static bool is_little(const files *f)
{
	const rg_take_request *request = f->request;
	size_t count = 0;
	bool wanted;

	bool found = true;
	for (size_t i = 0; found && i < f->count; i++) {
		if (f->items[i].folder)
			continue;
		rg_select_wants(&wanted, f->items[i].name, request->patterns,
				request->pattern_count);
		/* What is over the limit is refused, and not asked for. */
		if (!wanted || f->items[i].size > request->limits.member_size)
			continue;
		found = ++count <= FILES_MAX && f->items[i].size <= FILE_SIZE_MAX;
	}
	return found;
}

/* ---- the files ---- */

/* "…/artifacts/a%20b/c.json" */
static rg_error *file_url(const files *f, const char *path, char **out)
{
	rg_buf text;
	*out = NULL;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_error *err = NULL;
	while (!err && path) {
		const char *slash = strchr(path, '/');
		char *escaped;

		char *part = rg_strndup(path, slash ? (size_t)(slash - path) : strlen(path));
		if (err)
			break;
		err = rg_url_escape(&escaped, part);
		free(part);
		if (err)
			break;
		rg_buf_char(&text, '/');
		rg_buf_str(&text, escaped);
		free(escaped);
		path = slash ? slash + 1 : NULL;
	}
	if (!err)
		err = rg_buf_check(&text, "a file's name");
	if (!err)
		*out = rg_gitlab_url(f->api, f->artifact->project, "/jobs/%llu/artifacts%s",
				     (unsigned long long)f->artifact->job_id, text.data);
	rg_buf_release(&text);
	return err;
}

/* The name is safe, and the size is within the limits. */
static rg_error *read_file(void *source, size_t index, rg_zip_sink *sink, void *context)
{
	files *f = source;
	const rg_listed *file = &f->items[index];
	rg_buf body;
	char *url;

	RG_TRY(file_url(f, file->name, &url));
	if (!f->begun)
		f->request->begin(f->request->context);
	f->begun = true;
	/* A byte more than there should be is enough to see that there are more. */
	rg_buf_init(&body, (size_t)file->size + 1);
	rg_error *err = rg_gitlab_get(f->api, &url, "the file", &body);
	f->request->moved(f->request->context, body.length);
	if (!err && body.length)
		err = sink(context, body.data, body.length);
	rg_buf_release(&body);
	free(url);
	return err;
}

rg_error *rg_gitlab_take_files(const rg_gitlab_api *api, const rg_artifact *artifact,
			       const rg_take_request *request, rg_selection *selection,
			       bool *listed, bool *taken)
{
	files f = {.api = api, .artifact = artifact, .request = request};
	*taken = false;
	rg_arena_init(&f.arena);
	rg_error *err = read_tree(&f, listed, taken);
	if (!err && *taken)
		*taken = is_little(&f);
	if (!err && *taken)
		err = rg_select_list(selection, f.items, f.count, read_file, &f, request->patterns,
				     request->pattern_count, &request->limits, request->take,
				     request->context);
	free(f.items);
	rg_arena_release(&f.arena);
	return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a job left: its archive, the list of what is in it, one file of it, its log. */
#include "hub/gitlab_route.h"
#include "hub/unpack.h"

#include <stdlib.h>
#include <string.h>

void gitlab_answer_archive(const gitlab_route *to, const fixture_step *job)
{
	const fixture_body *body;

	if (job->archive == NO_BODY) {
		gitlab_not_found(to, "");
		return;
	}
	if (!to->state->stream) {
		store_redirect(to->state, to->req, to->out, BLOB_ARCHIVE, job->id);
		return;
	}
	body = &to->state->data.bodies[job->archive];
	to->out->status = 200;
	to->out->bytes = body->bytes;
	to->out->length = body->length;
	reply_header(to->out, "Content-Type", "application/zip");
	reply_header(to->out, "Content-Disposition", "attachment; filename=\"artifacts.zip\"");
}

/* ---- the list ---- */

typedef struct {
	const unpack_entry **items;
	size_t count;
} tree;

static bool is_under(const unpack_entry *entry, const char *folder, bool recursive)
{
	size_t length = strlen(folder);
	const char *rest = entry->path + length, *slash;

	if (strncmp(entry->path, folder, length) != 0 || !*rest)
		return false;
	slash = strchr(rest, '/');
	return recursive || !slash || !slash[1];
}

/* All below the folder in their order; or what is in it itself, its folders first. */
static void choose_entries(tree *out, const unpack_list *list, const char *folder, bool recursive)
{
	for (int pass = 0; pass < (recursive ? 1 : 2); pass++)
		for (size_t i = 0; i < list->count; i++)
			if (is_under(&list->items[i], folder, recursive) &&
			    (recursive || list->items[i].directory == (pass == 0)))
				out->items[out->count++] = &list->items[i];
}

static cJSON *render_entry(const gitlab_route *to, const void *context, size_t i)
{
	const unpack_entry *entry = ((const tree *)context)->items[i];
	size_t length = strlen(entry->path);
	const char *name = entry->path;
	cJSON *json = cJSON_CreateObject();

	(void)to;
	for (size_t at = 0; at + 1 < length; at++)
		if (entry->path[at] == '/')
			name = entry->path + at + 1;
	json_add_text(json, "name", "%s", name);
	cJSON_AddStringToObject(json, "path", entry->path);
	json_add_text(json, "type", "%s", entry->directory ? "directory" : "file");
	if (!entry->directory)
		json_add_number(json, "size", entry->size);
	json_add_text_or_null(json, "mode",
			      entry->implied     ? NULL
			      : entry->directory ? "040755"
						 : "100644");
	return json;
}

static bool has_folder(const unpack_list *list, const char *folder)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->items[i].path, folder) == 0)
			return true;
	return !*folder;
}

static void answer_folder(const gitlab_route *to, const unpack_list *list)
{
	const char *path = request_argument(to->req, "path");
	const char *recursive = request_argument(to->req, "recursive");
	char folder[4096] = "";
	tree chosen = {.items = calloc(list->count + 1, sizeof(*chosen.items))};

	if (path && *path)
		snprintf(folder, sizeof(folder), "%.*s/",
			 (int)(strlen(path) - (path[strlen(path) - 1] == '/')), path);
	if (!chosen.items) {
		to->out->failed = true;
	} else if (!has_folder(list, folder)) {
		gitlab_not_found(to, "Path ");
	} else {
		choose_entries(&chosen, list, folder, recursive && strcmp(recursive, "true") == 0);
		gitlab_answer_list(to, chosen.count, render_entry, &chosen);
	}
	free(chosen.items);
}

void gitlab_answer_tree(const gitlab_route *to, const fixture_step *job)
{
	const fixture_body *body;
	unpack_list list;
	rg_error *err;

	if (job->archive == NO_BODY) {
		gitlab_not_found(to, "Artifacts ");
		return;
	}
	body = &to->state->data.bodies[job->archive];
	err = unpack_list_make(&list, body->bytes, body->length);
	if (err) {
		rg_error_free(err);
		gitlab_not_found(to, "Artifacts metadata ");
		return;
	}
	answer_folder(to, &list);
	unpack_list_release(&list);
}

/* ---- one file, and the log ---- */

void gitlab_answer_file(const gitlab_route *to, const fixture_step *job, const char *path)
{
	const fixture_body *body;
	size_t size, got;
	char *bytes;
	rg_error *err;

	if (job->archive == NO_BODY) {
		gitlab_not_found(to, "");
		return;
	}
	body = &to->state->data.bodies[job->archive];
	err = unpack_file(&bytes, &size, &got, body->bytes, body->length, path);
	if (err) {
		rg_error_free(err);
		gitlab_not_found(to, "");
		return;
	}
	to->out->status = 200;
	to->out->owned = bytes;
	to->out->bytes = (const unsigned char *)bytes;
	to->out->length = size;
	/* A member that breaks off has sent its length before that is noticed. */
	if (got < size)
		to->out->wire.cut_at = got;
	reply_header(to->out, "Content-Type", "application/octet-stream");
	reply_header(to->out, "Content-Disposition", "attachment");
}

void gitlab_answer_trace(const gitlab_route *to, const fixture_step *job)
{
	bool none = job->log == NO_BODY || json_text(job->json, "erased_at", NULL);
	const fixture_body *body = none ? NULL : &to->state->data.bodies[job->log];

	to->out->status = 200;
	to->out->bytes = body ? body->bytes : NULL;
	to->out->length = body ? body->length : 0;
	reply_header(to->out, "Content-Type", "text/plain");
	reply_header(to->out, "Content-Disposition", "infile; filename=\"%llu.log\"",
		     (unsigned long long)job->id);
}

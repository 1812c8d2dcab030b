/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/history_files.h"

#include "base/memory.h"
#include "archive/tar_bytes.h"
#include "base/cancel.h"
#include "base/file.h"
#include "flow/history_rows.h"
#include "golden/records.h"
#include "store/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1 << 30 }; /* a series of 50 million values */

/* The files' rows go into a history of their own first. So nothing of a file that is not whole
 * is merged, and there is one way to merge. */
typedef struct {
	rg_history_store *scratch;
	/* The file under way: */
	const char *path;
	size_t line;
	/* The run and the golden of the rows so far: */
	rg_history_put *put;
	rg_history_row_in *first; /* of the golden; in `arena` */
	rg_metric *metrics;
	size_t count, capacity;
	rg_arena arena; /* of the golden's rows */
	rg_arena run_arena;
	rg_history_run run;
} import_state;

static void import_state_release(import_state *im)
{
	rg_history_abandon(im->put);
	rg_history_close(im->scratch);
	free(im->metrics);
	rg_arena_release(&im->arena);
	rg_arena_release(&im->run_arena);
}

/* ---- rows into goldens ---- */

static bool fits_records(const rg_metric *metric, size_t count)
{
	for (size_t i = 0; i < metric->count; i++)
		if (rg_metric_step(metric, i) < 0 || (uint64_t)rg_metric_step(metric, i) >= count)
			return false;
	return true;
}

static rg_error *make_golden(import_state *im, rg_golden *out)
{
	rg_records *records = NULL;
	*out = (rg_golden){.format = RG_HISTORY_FORMAT, .metrics = im->metrics, .count = im->count};
	if (im->first->records)
		RG_TRY(rg_records_new(&records, &im->arena, im->first->records,
				      im->first->record_count));
	out->records = records;
	if (im->count)
		qsort(im->metrics, im->count, sizeof(*im->metrics), rg_metric_compare);
	for (size_t i = 0; i < im->count; i++) {
		rg_metric *metric = &im->metrics[i];
		if (i && !strcmp(metric[-1].name, metric->name))
			return rg_error_new(RG_E_PARSE, "has the metric '%s' twice", metric->name);
		if (metric->kind != RG_METRIC_SERIES)
			continue;
		metric->records = records;
		if (records && !fits_records(metric, records->count))
			return rg_error_new(RG_E_PARSE, "'%s' has a step that is not a record's",
					    metric->name);
	}
	return NULL;
}

/* Puts the golden whose rows have been read. */
static rg_error *end_golden(import_state *im)
{
	const rg_history_row_in *first = im->first;
	rg_golden golden;

	if (!first)
		return NULL;
	rg_error *err = make_golden(im, &golden);
	if (!err)
		err = rg_history_add(im->put, first->golden.path, first->golden.sha256,
				     first->golden.bytes, &golden);
	err = rg_error_wrap(err, "%s", first->golden.path);
	im->first = NULL;
	im->count = 0;
	rg_arena_release(&im->arena);
	rg_arena_init(&im->arena);
	return err;
}

static rg_error *end_run(import_state *im)
{
	rg_history_put *put = im->put;
	RG_TRY(end_golden(im));
	im->put = NULL;
	return put ? rg_history_commit(put, im->run.complete) : NULL;
}

static bool is_text(const cJSON *object, const char *key, const char *text)
{
	const cJSON *item = rg_json_member(object, key);
	return cJSON_IsString(item) && !strcmp(item->valuestring, text);
}

/* Does the row go on with the golden of the row before it? */
static bool continues(const import_state *im, const cJSON *object)
{
	uint64_t id;
	return im->first && is_text(object, "path", im->first->golden.path) &&
	       is_text(object, "repository", im->run.repository) &&
	       is_text(object, "source", im->run.source) &&
	       is_text(object, "settings", im->run.settings) &&
	       rg_json_is_count(rg_json_member(object, "id"), INT64_MAX, &id) && id == im->run.id;
}

static rg_error *take_row(import_state *im, const cJSON *object)
{
	if (!continues(im, object))
		RG_TRY(end_golden(im));
	rg_history_row_in *row = rg_arena_alloc(&im->arena, sizeof(*row));
	RG_TRY(rg_history_rows_parse(row, object, &im->arena));
	if (!im->put || rg_history_run_compare(&im->run, &row->run) != 0) {
		rg_history_run there;
		RG_TRY(end_run(im));
		rg_arena_release(&im->run_arena);
		rg_arena_init(&im->run_arena);
		im->run = row->run;
		im->run.repository = rg_arena_text(&im->run_arena, row->run.repository);
		im->run.source = rg_arena_text(&im->run_arena, row->run.source);
		im->run.settings = rg_arena_text(&im->run_arena, row->run.settings);
		RG_TRY(rg_history_begin(&im->put, im->scratch, &row->run, &there));
	}
	if (row->has_golden && !im->first)
		im->first = row;
	if (row->has_metric)
		*RG_PUSH(im->metrics, im->count, im->capacity) = row->metric;
	return NULL;
}

/* ---- files into lines, lines into rows ---- */

static rg_error *take_packed(import_state *im, rg_tar_bytes *packed, rg_buf *lines)
{
	const void *bytes;
	size_t length;

	do {
		RG_TRY(rg_tar_bytes_next(packed, &bytes, &length));
		size_t start = 0;
		const char *end;

		rg_buf_add(lines, bytes, length);
		RG_TRY(rg_buf_check(lines, "a line"));
		const char *seen = lines->data + (lines->length - length);
		while ((end = memchr(seen, '\n', (size_t)(lines->data + lines->length - seen))) !=
		       NULL) {
			seen = end + 1;
			RG_AUTO_PTR(cJSON) object = NULL;
			im->line++;
			RG_TRY(rg_cancel_check());
			rg_error *err = rg_json_parse_bytes(&object, lines->data + start,
							    (size_t)(seen - lines->data) - start);
			if (!err)
				err = take_row(im, object);
			RG_TRY(rg_error_wrap(err, "line %zu", im->line));
			start = (size_t)(seen - lines->data);
		}
		memmove(lines->data, lines->data + start, lines->length - start);
		rg_buf_truncate(lines, lines->length - start);
	} while (length);
	if (lines->length)
		return rg_error_new(RG_E_PARSE, "does not end with a whole line");
	return end_run(im);
}

static bool is_ours(const char *name)
{
	return rg_ends_with(name, ".jsonl") || rg_ends_with(name, ".jsonl.zst");
}

static rg_error *import_file(import_state *im, const char *path)
{
	rg_zip_limits limits = rg_zip_limits_default();
	RG_AUTO(rg_buf) lines = rg_buf_of(LINE_MAX_BYTES);
	RG_AUTO(rg_reader_file) file = {0};
	RG_AUTO_PTR(rg_tar_bytes) packed = NULL;

	im->path = path;
	im->line = 0;
	if (!is_ours(path))
		return rg_error_new(RG_E_USAGE,
				    "%s: is not a .jsonl or .jsonl.zst; "
				    "'regild history merge' takes a database",
				    path);
	/* A history says the same again and again: no ratio is too good to be true. */
	limits.ratio = 0;
	RG_TRY(rg_reader_file_open(&file, path));
	RG_TRY(rg_error_wrap(rg_tar_bytes_open(&packed, &file.reader, &limits), "%s", path));
	return rg_error_wrap(take_packed(im, packed, &lines), "%s", path);
}

/* ---- which files ---- */

static rg_error *import_folder(import_state *im, const char *folder)
{
	RG_AUTO(rg_arena) arena = {0};
	size_t count = 0, capacity = 0;
	const struct dirent *entry;
	char **paths = NULL;

	DIR *entries = opendir(folder);
	if (!entries)
		return rg_error_io(errno, "%s", folder);
	while ((entry = readdir(entries)) != NULL)
		if (*entry->d_name != '.' && is_ours(entry->d_name))
			*RG_ARENA_PUSH(&arena, paths, count, capacity) =
				rg_arena_textf(&arena, "%s/%s", folder, entry->d_name);
	closedir(entries);
	if (!count)
		return rg_error_new(RG_E_NOTFOUND, "%s: has no .jsonl or .jsonl.zst", folder);
	qsort(paths, count, sizeof(*paths), rg_compare_texts);
	for (size_t i = 0; i < count; i++)
		RG_TRY(import_file(im, paths[i]));
	return NULL;
}

static rg_error *import_through(const char *folder, rg_history_merged *out, const rg_flow *flow,
				rg_history_store *into, char *const *paths, size_t count)
{
	rg_history_merge_options merge = {.into = into, .bytes_max = UINT64_MAX, .log = &flow->log};
	RG_AUTO(import_state) im = {0};

	rg_history_open_scratch(&im.scratch, rg_arena_path(flow->arena, folder, "history.db"));
	for (size_t i = 0; i < count; i++)
		RG_TRY(rg_is_folder(paths[i]) ? import_folder(&im, paths[i])
					      : import_file(&im, paths[i]));
	merge.from = im.scratch;
	return rg_history_merge(out, &merge);
}

rg_error *rg_history_import(rg_history_merged *out, const rg_flow *flow, rg_history_store *into,
			    char *const *paths, size_t count)
{
	RG_AUTO_FREE char *folder = NULL;
	*out = (rg_history_merged){0};
	RG_TRY(rg_scratch_make_default(&folder));
	rg_error *err = import_through(folder, out, flow, into, paths, count);
	return rg_error_first(err, rg_remove_tree(folder));
}

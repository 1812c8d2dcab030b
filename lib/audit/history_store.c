#include "audit/history_store.h"

#include "audit/history_format.h"
#include "base/file.h"
#include "base/json_out.h"
#include "worktree/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUN_MAX ((size_t)4 << 30)

rg_error *rg_history_folder(char **out)
{
	const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");

	*out = NULL;
	if (data && *data == '/')
		return rg_textf(out, "%s/regild/history", data);
	if (home && *home)
		return rg_textf(out, "%s/.local/share/regild/history", home);
	return rg_error_new(RG_E_IO, "nowhere to keep runs' history: set XDG_DATA_HOME or HOME");
}

/* ---- writing ---- */

struct rg_history_writer {
	rg_buf blocks;
	rg_history_place *places;
	size_t count, capacity;
	rg_arena arena;
};

rg_error *rg_history_writer_new(rg_history_writer **out)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return rg_error_nomem();
	rg_buf_init(&(*out)->blocks, RUN_MAX);
	rg_arena_init(&(*out)->arena);
	return NULL;
}

void rg_history_writer_free(rg_history_writer *writer)
{
	if (!writer)
		return;
	rg_buf_release(&writer->blocks);
	rg_arena_release(&writer->arena);
	free(writer->places);
	free(writer);
}

rg_error *rg_history_writer_add(rg_history_writer *writer, const char *path,
				const rg_golden *golden)
{
	size_t start = writer->blocks.length;
	rg_history_place *place;
	rg_error *err;

	RG_TRY(rg_path_check(path));
	err = rg_history_put_block(&writer->blocks, golden);
	if (err && writer->blocks.state == RG_BUF_FINE)
		rg_buf_truncate(&writer->blocks, start);
	RG_TRY(err);
	RG_TRY(rg_grow(&writer->places, &writer->capacity, writer->count + 1,
		       sizeof(*writer->places)));
	place = &writer->places[writer->count];
	place->path = rg_arena_copy(&writer->arena, path, strlen(path));
	if (!place->path)
		return rg_error_nomem();
	place->offset = start;
	place->size = writer->blocks.length - start;
	RG_TRY(rg_sha256_hex(writer->blocks.data + start, (size_t)place->size, place->sha256));
	writer->count++;
	return NULL;
}

static int compare_places(const void *a, const void *b)
{
	const rg_history_place *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static bool has_place(const rg_history_place *sorted, size_t count, const char *path)
{
	const rg_history_place wanted = {.path = path};

	return count && bsearch(&wanted, sorted, count, sizeof(*sorted), compare_places);
}

rg_error *rg_history_writer_keep(rg_history_writer *writer, const char *path)
{
	size_t added = writer->count, file;
	rg_history_runs *runs;
	rg_audit_source source;
	rg_error *err = NULL;
	rg_buf bytes;

	RG_TRY(rg_history_runs_open(&runs, &path, 1));
	source = rg_history_runs_source(runs, RUN_MAX);
	rg_buf_init(&bytes, source.golden_max);
	if (added)
		qsort(writer->places, added, sizeof(*writer->places), compare_places);
	for (file = 0; !err && file < source.file_count; file++) {
		rg_golden *golden = NULL;

		if (has_place(writer->places, added, source.files[file]))
			continue;
		rg_buf_clear(&bytes);
		err = source.read(source.context, 0, file, &bytes, &golden);
		if (!err)
			err = rg_history_writer_add(writer, source.files[file], golden);
		rg_golden_free(golden);
		if (err && rg_audit_is_of_one_golden(err)) {
			rg_error_free(err);
			err = NULL;
		}
	}
	rg_buf_release(&bytes);
	rg_history_runs_free(runs);
	return err;
}

static void put_head(rg_json_out *json, const rg_history_writer *writer, const rg_history_run *run)
{
	size_t i;

	rg_json_open_flat(json, '{');
	rg_json_key(json, "run");
	rg_json_open(json, '{');
	rg_json_key_count(json, "id", run->id);
	rg_json_key_count(json, "attempt", run->attempt);
	rg_json_key_text(json, "when", run->when);
	rg_json_key_text(json, "branch", run->branch);
	rg_json_key_text(json, "commit", run->commit);
	rg_json_key_text(json, "event", run->event);
	rg_json_key_truth(json, "complete", run->complete);
	rg_json_close(json, '}');
	rg_json_key(json, "goldens");
	rg_json_open(json, '[');
	for (i = 0; i < writer->count; i++) {
		const rg_history_place *place = &writer->places[i];

		rg_json_open(json, '{');
		rg_json_key_text(json, "path", place->path);
		rg_json_key_count(json, "offset", place->offset);
		rg_json_key_count(json, "size", place->size);
		rg_json_key_text(json, "sha256", place->sha256);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
	rg_json_close(json, '}');
}

rg_error *rg_history_writer_finish(rg_history_writer *writer, const rg_history_run *run,
				   const char *path)
{
	char sha256[RG_SHA256_HEX];
	rg_buf head, file;
	rg_json_out json;
	rg_error *err;

	RG_TRY(rg_buf_check(&writer->blocks, "a run's history"));
	if (writer->count)
		qsort(writer->places, writer->count, sizeof(*writer->places), compare_places);
	rg_buf_init(&head, RG_HISTORY_HEAD_MAX);
	rg_buf_init(&file, RUN_MAX + RG_HISTORY_HEAD_MAX);
	rg_json_out_init(&json, &head);
	put_head(&json, writer, run);
	err = rg_buf_check(&head, "a run's history");
	if (!err)
		err = rg_sha256_hex(head.data, head.length, sha256);
	if (!err) {
		rg_buf_printf(&file, RG_HISTORY_MAGIC "%s %zu\n", sha256, head.length);
		rg_buf_add(&file, head.data, head.length);
		rg_buf_add(&file, writer->blocks.data, writer->blocks.length);
		err = rg_buf_check(&file, "a run's history");
	}
	if (!err)
		err = rg_make_parent_dirs(path, 0700);
	if (!err)
		err = rg_file_replace(path, file.data, file.length, 0600);
	rg_buf_release(&file);
	rg_buf_release(&head);
	return err;
}

/* ---- reading ---- */

static rg_error *open_head(const char *path, rg_arena *arena, rg_history_head *out)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe must not hang it */
	rg_error *err;

	if (fd < 0)
		return rg_error_io(errno, "%s", path);
	err = rg_error_wrap(rg_history_read_head(fd, arena, out), "%s", path);
	close(fd);
	return err;
}

rg_error *rg_history_peek(const char *path, rg_arena *arena, rg_history_run *out, bool *found)
{
	rg_history_head head = {0};
	rg_error *err = open_head(path, arena, &head);

	*found = !err;
	*out = head.run;
	if (err && rg_error_errno(err) == ENOENT) {
		rg_error_free(err);
		return NULL;
	}
	return err;
}

bool rg_history_is_damaged(const rg_error *err)
{
	return err &&
	       (rg_error_get_code(err) == RG_E_PARSE || rg_error_get_code(err) == RG_E_MISMATCH);
}

typedef struct {
	const char *path;
	size_t *files; /* of each place: into rg_history_runs.files, ascending */
	const rg_history_place *places;
	size_t count;
	uint64_t blocks; /* see rg_history_head */
} stored_run;

struct rg_history_runs {
	rg_audit_run *runs;
	stored_run *stored;
	size_t count;
	const char **files; /* every path, in path-component order; a head's are in strcmp's */
	size_t file_count, file_capacity;
	rg_arena arena;
};

static int compare_places_by_path(const void *a, const void *b)
{
	const rg_history_place *x = a, *y = b;

	return rg_path_compare(x->path, y->path);
}

static rg_error *keep_head(rg_history_runs *runs, size_t run, const rg_history_head *head)
{
	char *id;
	size_t i;

	RG_TRY(rg_textf(&id, "%llu", (unsigned long long)head->run.id));
	runs->runs[run] = (rg_audit_run){rg_arena_copy(&runs->arena, id, strlen(id)),
					 head->run.when, head->run.branch, head->run.commit};
	free(id);
	if (!runs->runs[run].id)
		return rg_error_nomem();
	for (i = 0; i < head->count; i++) {
		RG_TRY(rg_grow(&runs->files, &runs->file_capacity, runs->file_count + 1,
			       sizeof(*runs->files)));
		runs->files[runs->file_count++] = head->places[i].path;
	}
	return NULL;
}

static rg_error *place_goldens(rg_history_runs *runs, size_t run, rg_history_head *head)
{
	stored_run *stored = &runs->stored[run];
	size_t i, file = 0;

	stored->files = rg_arena_alloc(&runs->arena, (head->count + 1) * sizeof(*stored->files));
	if (!stored->files)
		return rg_error_nomem();
	if (head->count)
		qsort(head->places, head->count, sizeof(*head->places), compare_places_by_path);
	for (i = 0; i < head->count; i++) {
		while (strcmp(runs->files[file], head->places[i].path) != 0)
			file++;
		stored->files[i] = file;
	}
	stored->places = head->places;
	stored->count = head->count;
	stored->blocks = head->blocks;
	return NULL;
}

static rg_error *open_runs(rg_history_runs *runs, const char *const *paths)
{
	rg_history_head *heads = calloc(runs->count + 1, sizeof(*heads));
	rg_error *err = heads ? NULL : rg_error_nomem();
	size_t i;

	for (i = 0; !err && i < runs->count; i++) {
		runs->stored[i].path = rg_arena_copy(&runs->arena, paths[i], strlen(paths[i]));
		err = runs->stored[i].path ? open_head(paths[i], &runs->arena, &heads[i])
					   : rg_error_nomem();
		if (!err)
			err = keep_head(runs, i, &heads[i]);
	}
	if (!err)
		runs->file_count = rg_path_sort_unique(runs->files, runs->file_count);
	for (i = 0; !err && i < runs->count; i++)
		err = place_goldens(runs, i, &heads[i]);
	free(heads);
	return err;
}

rg_error *rg_history_runs_open(rg_history_runs **out, const char *const *paths, size_t count)
{
	rg_history_runs *runs = calloc(1, sizeof(*runs));
	rg_error *err = NULL;

	*out = NULL;
	if (!runs)
		return rg_error_nomem();
	rg_arena_init(&runs->arena);
	runs->count = count;
	runs->runs = calloc(count + 1, sizeof(*runs->runs));
	runs->stored = calloc(count + 1, sizeof(*runs->stored));
	if (!runs->runs || !runs->stored)
		err = rg_error_nomem();
	if (!err)
		err = open_runs(runs, paths);
	if (err)
		rg_history_runs_free(runs);
	else
		*out = runs;
	return err;
}

void rg_history_runs_free(rg_history_runs *runs)
{
	if (!runs)
		return;
	free(runs->files);
	free(runs->stored);
	free(runs->runs);
	rg_arena_release(&runs->arena);
	free(runs);
}

static const rg_history_place *find_golden(const stored_run *run, size_t file)
{
	size_t low = 0, high = run->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (run->files[middle] == file)
			return &run->places[middle];
		if (run->files[middle] < file)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static rg_error *read_block(const stored_run *run, const rg_history_place *golden, rg_buf *bytes)
{
	char found[RG_SHA256_HEX];
	rg_error *err;
	int fd;

	if (golden->size > bytes->max)
		return rg_config_name_golden_max(
			rg_error_new(RG_E_LIMIT, "%llu bytes, more than the limit of %zu",
				     (unsigned long long)golden->size, bytes->max));
	if (!rg_buf_reserve(bytes, (size_t)golden->size))
		return rg_buf_check(bytes, "reading");
	fd = open(run->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return rg_error_io(errno, "opening");
	err = rg_history_read_at(fd, bytes->data, (size_t)golden->size,
				 run->blocks + golden->offset);
	close(fd);
	RG_TRY(err);
	bytes->length = (size_t)golden->size;
	RG_TRY(rg_sha256_hex(bytes->data, bytes->length, found));
	if (strcmp(found, golden->sha256) != 0)
		return rg_error_new(RG_E_MISMATCH,
				    "damaged: a golden's checksum does not fit; remove the "
				    "file to have the run fetched anew");
	return NULL;
}

static rg_error *read_one(void *context, size_t run, size_t file, rg_buf *bytes, rg_golden **out)
{
	const rg_history_runs *runs = context;
	const stored_run *stored = &runs->stored[run];
	const rg_history_place *golden = find_golden(stored, file);
	rg_error *err;

	if (!golden)
		return NULL;
	err = read_block(stored, golden, bytes);
	if (!err)
		err = rg_history_parse_block(out, bytes->data, bytes->length);
	return rg_error_wrap(err, "%s: %s", stored->path, runs->files[file]);
}

rg_audit_source rg_history_runs_source(rg_history_runs *runs, size_t golden_max)
{
	return (rg_audit_source){.runs = runs->runs,
				 .run_count = runs->count,
				 .files = runs->files,
				 .file_count = runs->file_count,
				 .golden_max = golden_max,
				 .read = read_one,
				 .context = runs};
}

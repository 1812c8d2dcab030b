/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

/* A server remembers each row that it counts: these take some 100 MB. */
enum { COUNTED_MAX = 2000000 };
enum { NAMED_MAX = 5 }; /* incomplete runs */

int rg_history_run_compare(const void *a, const void *b)
{
	const rg_history_run *x = a, *y = b;
	int order = 0;

	(void)(RG_BY_TEXT(repository) || RG_BY_TEXT(source) || RG_BY_TEXT(settings) ||
	       RG_RISING(id));
	return order;
}

static void copy_text(const char **out, const char *text, const char *before, rg_arena *arena)
{
	*out = before;
	if (!(before && !strcmp(text, before)))
		*out = rg_arena_text(arena, text);
}

void rg_history_run_copy(rg_history_run *out, const rg_history_run *run,
			 const rg_history_run *before, rg_arena *arena)
{
	*out = *run;
	copy_text(&out->repository, run->repository, before->repository, arena);
	copy_text(&out->source, run->source, before->source, arena);
	copy_text(&out->settings, run->settings, before->settings, arena);
	copy_text(&out->commit, run->commit, before->commit, arena);
	copy_text(&out->branch, run->branch, before->branch, arena);
	copy_text(&out->event, run->event, before->event, arena);
	copy_text(&out->when, run->when, before->when, arena);
}

bool rg_history_run_is_of(const rg_history_run *run, const char *repository)
{
	return !repository || rg_path_ends_with(run->repository, repository);
}

rg_error *rg_history_incomplete(void)
{
	return rg_error_new(RG_E_MISMATCH, "incomplete here: a replica is behind, or data is lost");
}

/* ---- statements ---- */

void rg_store_add_keys(rg_buf *sql, const rg_history_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		rg_buf_printf(sql, i ? ",%lld" : "%lld", (long long)runs[i].key);
}

void rg_store_add_runs(rg_buf *sql, const rg_store_sql *words, const rg_history_run *runs,
		       size_t count)
{
	size_t i = 1;
	while (i < count && !strcmp(runs[i].repository, runs[0].repository))
		i++;
	/* The rows of a repository are together. */
	if (i == count) {
		rg_buf_str(sql, "repository = ");
		words->quote(sql, runs[0].repository);
		rg_buf_str(sql, " AND ");
	}
	rg_buf_str(sql, "batch IN (");
	rg_store_add_keys(sql, runs, count);
	rg_buf_char(sql, ')');
}

rg_error *rg_store_select(rg_history_store *store, const char *what, const rg_buf *sql,
			  const rg_row_reader *reader)
{
	RG_TRY(rg_buf_check(sql, what));
	return store->driver->select(store, what, sql->data, reader);
}

/* ---- runs ---- */

typedef struct {
	rg_history_run *items;
	size_t count, capacity;
	rg_arena *arena;
} run_list;

static void begin_runs(void *context)
{
	((run_list *)context)->count = 0;
}

/* Its texts are shared with those of the run before it, where they are the same. */
static rg_error *append_run(void *context, const rg_row_cell *cells)
{
	static const rg_history_run none = {0};
	rg_history_run run = {.key = (int64_t)cells[0].number,
			      .id = cells[1].number,
			      .attempt = (unsigned)cells[2].number,
			      .complete = cells[3].number != 0,
			      .goldens = (size_t)cells[4].number,
			      .fork = cells[12].number != 0,
			      .rows = cells[13].number};
	const char **const texts[] = {&run.repository, &run.source, &run.settings, &run.commit,
				      &run.branch,     &run.event,  &run.when};
	RG_AUTO(rg_arena) arena = {0};
	run_list *list = context;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		RG_TRY(rg_row_copy(&cells[5 + i], &arena, texts[i]));
	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	rg_history_run_copy(&list->items[list->count], &run,
			    list->count ? &list->items[list->count - 1] : &none, list->arena);
	list->count++;
	return NULL;
}

static void append_condition(rg_buf *sql, const rg_store_sql *words, const char *column,
			     const char *value)
{
	if (!value)
		return;
	rg_buf_printf(sql, " AND %s = ", column);
	words->quote(sql, value);
}

rg_error *rg_history_list(rg_history_store *history, const rg_history_query *query, rg_arena *arena,
			  rg_history_run **out, size_t *count)
{
	const rg_store_sql *words = history->driver->sql;
	run_list list = {.arena = arena};
	const rg_row_reader reader = {"qqdbdsssssssbq", begin_runs, append_run, &list,
				      RG_ANSWER_LIST};
	RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);

	*out = NULL;
	*count = 0;
	rg_buf_printf(
		&sql,
		"SELECT batch, id, attempt, complete, goldens, repository, source, settings, "
		"\"commit\", branch, event, when_text, fork, rows FROM (SELECT * FROM %s WHERE 1",
		words->runs);
	append_condition(&sql, words, "repository", query->repository);
	append_condition(&sql, words, "settings", query->settings);
	if (query->id)
		rg_buf_printf(&sql, " AND id = %llu", (unsigned long long)query->id);
	rg_buf_printf(&sql, " %s) WHERE removed = 0 ORDER BY when_text, id, batch", words->newest);
	rg_error *err = rg_store_select(history, "the runs", &sql, &reader);
	if (list.items)
		rg_arena_adopt(arena, list.items);
	RG_TRY(err);
	*out = list.items;
	*count = list.count;
	return NULL;
}

/* ---- counting ---- */

typedef struct {
	const rg_history_run *runs;
	size_t count;
	uint64_t *rows;
} row_counts;

/* All rows are also here of a run that has been put again since it was listed. */
static rg_error *take_count(void *context, const rg_row_cell *cells)
{
	const row_counts *counts = context;
	bool whole = cells[1].number == cells[2].number;
	for (size_t i = 0; i < counts->count; i++)
		if (counts->runs[i].key == (int64_t)cells[0].number)
			counts->rows[i] = whole ? counts->runs[i].rows : cells[1].number;
	return NULL;
}

rg_error *rg_history_count_rows(rg_history_store *history, const rg_history_run *runs, size_t count,
				uint64_t *rows)
{
	const rg_store_sql *words = history->driver->sql;
	size_t next;

	memset(rows, 0, count * sizeof(*rows));
	for (size_t first = 0; first < count; first = next) {
		row_counts counts = {runs + first, 0, rows + first};
		const rg_row_reader reader = {"qqq", NULL, take_count, &counts, RG_ANSWER_LIST};
		RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);
		uint64_t asked = 0;

		for (next = first;
		     next < count && next - first < RG_STORE_KEYS && asked < COUNTED_MAX; next++)
			asked += runs[next].rows;
		counts.count = next - first;
		rg_buf_str(&sql, words->count);
		rg_store_add_runs(&sql, words, counts.runs, counts.count);
		rg_buf_str(&sql, words->count_end);
		RG_TRY(rg_store_select(history, "the rows", &sql, &reader));
	}
	return NULL;
}

rg_error *rg_history_keep_whole(rg_history_store *history, const rg_log *log, rg_history_run *runs,
				size_t *count)
{
	RG_AUTO_FREE uint64_t *rows = rg_calloc(*count + 1, sizeof(*rows));
	RG_AUTO_FREE rg_history_run *torn = rg_calloc(*count + 1, sizeof(*torn));
	RG_AUTO_PTR(rg_error) why = rg_history_incomplete();
	size_t kept = 0, lost = 0;

	RG_TRY(rg_history_count_rows(history, runs, *count, rows));
	for (size_t i = 0; i < *count; i++)
		if (rows[i] == runs[i].rows)
			runs[kept++] = runs[i];
		else
			torn[lost++] = runs[i];
	*count = kept;
	/* A warning for each of a few runs, and one for many. */
	for (size_t i = 0; i < lost && lost <= NAMED_MAX; i++)
		rg_log_say(log, RG_LOG_MISSING, "run %llu: %s; left out",
			   (unsigned long long)torn[i].id, rg_error_message(why));
	if (lost > NAMED_MAX)
		rg_log_say(log, RG_LOG_MISSING,
			   "%zu runs, %llu the first of them: %s; left out; 'regild history check' "
			   "names them all",
			   lost, (unsigned long long)torn[0].id, rg_error_message(why));
	return NULL;
}

/* ---- paths ---- */

typedef struct {
	const char **items;
	size_t count, capacity, kept; /* kept: of earlier statements */
	rg_arena *arena;
} file_list;

static void begin_files(void *context)
{
	file_list *list = context;
	list->count = list->kept;
}

static rg_error *append_file(void *context, const rg_row_cell *cells)
{
	file_list *list = context;
	const char **path = RG_PUSH(list->items, list->count, list->capacity);
	RG_TRY(rg_row_copy(&cells[0], list->arena, path));
	return rg_path_check(*path);
}

static void file_list_release(file_list *list)
{
	free(list->items);
}

rg_error *rg_history_files(rg_history_store *history, const rg_history_run *runs, size_t count,
			   rg_arena *arena, const char ***out, size_t *file_count)
{
	RG_AUTO(file_list) list = {.arena = arena};
	const rg_row_reader reader = {"s", begin_files, append_file, &list, RG_ANSWER_LIST};
	size_t some;

	*out = NULL;
	*file_count = 0;
	for (size_t at = 0; at < count; at += some) {
		RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);

		some = count - at < RG_STORE_KEYS ? count - at : RG_STORE_KEYS;
		rg_buf_str(&sql, history->driver->sql->files);
		rg_store_add_runs(&sql, history->driver->sql, runs + at, some);
		RG_TRY(rg_store_select(history, "the goldens", &sql, &reader));
		if (list.items)
			list.count = rg_path_sort_unique(list.items, list.count);
		list.kept = list.count;
	}
	*out = RG_TAKE(list.items);
	*file_count = list.count;
	return NULL;
}

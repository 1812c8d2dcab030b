/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_clickhouse.h"

#include "base/memory.h"
#include "store/history_tables.h"

#include <stdlib.h>

rg_error *rg_clickhouse_check(rg_clickhouse_store *store)
{
	rg_error *err = NULL;
	pthread_mutex_lock(&store->lock);
	if (!store->checked)
		err = rg_history_check_version(store->server);
	store->checked = !err;
	pthread_mutex_unlock(&store->lock);
	return err;
}

/* What the server has of runs that are put: asked for many at once where it is known which. */

void rg_clickhouse_known_release(rg_clickhouse_known *known)
{
	free(known->items);
	rg_arena_release(&known->arena);
	known->items = NULL;
	known->count = 0;
}

static rg_clickhouse_known_run *find_known(const rg_clickhouse_known *known,
					   const rg_history_run *run)
{
	return known->count ? bsearch(run, known->items, known->count, sizeof(*known->items),
				      rg_history_run_compare)
			    : NULL;
}

static rg_error *read_known(void *context, const rg_row_cell *cells)
{
	rg_clickhouse_known *known = context;
	rg_history_run name = {.id = cells[3].number};

	RG_TRY(rg_row_copy(&cells[0], &known->arena, &name.repository));
	RG_TRY(rg_row_copy(&cells[1], &known->arena, &name.source));
	RG_TRY(rg_row_copy(&cells[2], &known->arena, &name.settings));
	rg_clickhouse_known_run *found = find_known(known, &name);
	if (!found)
		return NULL;
	found->revision = (uint32_t)cells[8].number;
	if (cells[7].number)
		return NULL; /* removed */
	found->run.key = (int64_t)cells[4].number;
	found->run.attempt = (unsigned)cells[5].number;
	found->run.complete = cells[6].number != 0;
	found->run.rows = cells[9].number;
	found->run.goldens = (size_t)cells[10].number;
	return NULL;
}

static rg_error *ask(rg_clickhouse_known *known, rg_clickhouse *server)
{
	const rg_row_reader reader = {"sssqqdbbdqd", NULL, read_known, known, RG_ANSWER_LIST};
	rg_buf sql;

	rg_buf_init(&sql, RG_BUF_TEXT);
	/* Their names, which others may have made as long as they like, are compared here. */
	rg_buf_str(&sql, "SELECT repository, source, settings, id, batch, attempt, complete, "
			 "removed, revision, rows, goldens FROM runs WHERE id IN (");
	for (size_t i = 0; i < known->count; i++)
		rg_buf_printf(&sql, i ? ",%llu" : "%llu",
			      (unsigned long long)known->items[i].run.id);
	rg_buf_str(&sql, ") " RG_HISTORY_NEWEST);
	rg_error *err = rg_buf_check(&sql, "the runs");
	if (!err)
		err = rg_clickhouse_select(server, "the runs", sql.data, &reader);
	rg_buf_release(&sql);
	return err;
}

static void copy_names(rg_clickhouse_known *known, const rg_history_run *runs, size_t count)
{
	known->items = rg_calloc(count + 1, sizeof(*known->items));
	for (; known->count < count; known->count++) {
		rg_history_run *run = &known->items[known->count].run;
		const rg_history_run *from = &runs[known->count];

		run->id = from->id;
		run->repository = rg_arena_text(&known->arena, from->repository);
		run->source = rg_arena_text(&known->arena, from->source);
		run->settings = rg_arena_text(&known->arena, from->settings);
	}
	qsort(known->items, count, sizeof(*known->items), rg_history_run_compare);
}

static rg_error *learn(rg_clickhouse_known *out, rg_clickhouse_store *store,
		       const rg_history_run *runs, size_t count)
{
	*out = (rg_clickhouse_known){0};
	rg_arena_init(&out->arena);
	copy_names(out, runs, count);
	rg_error *err = ask(out, store->server);
	if (err)
		rg_clickhouse_known_release(out);
	return err;
}

rg_error *rg_clickhouse_expect(rg_history_store *history, const rg_history_run *runs, size_t count)
{
	rg_clickhouse_store *store = (rg_clickhouse_store *)history;
	rg_clickhouse_known known;

	if (!count)
		return NULL;
	RG_TRY(rg_clickhouse_check(store));
	RG_TRY(learn(&known, store, runs, count));
	pthread_mutex_lock(&store->lock);
	rg_clickhouse_known before = store->expected;
	store->expected = known;
	pthread_mutex_unlock(&store->lock);
	rg_clickhouse_known_release(&before);
	return NULL;
}

/* False where nothing is known of it, or not any more. */
static bool take(const rg_clickhouse_known *known, const rg_history_run *run, rg_history_run *there,
		 uint32_t *revision)
{
	rg_clickhouse_known_run *found = find_known(known, run);
	if (!found || found->old)
		return false;
	found->old = true;
	*there = *run;
	there->key = found->run.key;
	if (there->key) {
		there->attempt = found->run.attempt;
		there->complete = found->run.complete;
		there->rows = found->run.rows;
		there->goldens = found->run.goldens;
	}
	*revision = found->revision;
	return true;
}

rg_error *rg_clickhouse_find(rg_clickhouse_store *store, const rg_history_run *run,
			     rg_history_run *there, uint32_t *revision)
{
	rg_clickhouse_known known;
	pthread_mutex_lock(&store->lock);
	bool taken = take(&store->expected, run, there, revision);
	pthread_mutex_unlock(&store->lock);
	if (taken)
		return NULL;
	RG_TRY(learn(&known, store, run, 1));
	take(&known, run, there, revision);
	rg_clickhouse_known_release(&known);
	return NULL;
}

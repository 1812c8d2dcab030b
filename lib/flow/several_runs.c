/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/several_runs.h"

#include "base/memory.h"
#include "base/path.h"
#include "flow/new_runs.h"
#include "source/run_url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Goldens that the log names. */
enum { NAMED_MAX = 5 };

void rg_several_runs_init(rg_several_runs *runs)
{
	*runs = (rg_several_runs){0};
	rg_arena_init(&runs->arena);
	rg_download_result_init(&runs->empty);
}

void rg_several_runs_release(rg_several_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		rg_download_result_release(&runs->fetched[i]);
	rg_download_result_release(&runs->empty);
	rg_new_runs_release(&runs->new_runs);
	rg_arena_release(&runs->arena);
}

/* --- which they are --- */

rg_error *rg_several_runs_parse(rg_several_runs *out, const char *list, const char *take)
{
	size_t capacity = 0;

	if (take && !strcmp(take, rg_manifest_takes[RG_TAKE_FIRST]))
		out->take = RG_TAKE_FIRST;
	for (;; list++) {
		const size_t length = strcspn(list, ",");
		*RG_ARENA_PUSH(&out->arena, out->names, out->name_count, capacity) =
			rg_arena_copy(&out->arena, list, length);
		list += length;
		if (!*list)
			break;
	}
	if (out->name_count < 2)
		return rg_error_new(RG_E_USAGE, "--runs: name several runs, with commas between "
						"them; one run is named with --run");
	/* Each run is staged by its id, whichever attempt or repository is meant. */
	uint64_t *ids = rg_arena_alloc(&out->arena, out->name_count * sizeof(*ids));
	for (size_t i = 0; i < out->name_count; i++) {
		RG_AUTO(rg_run_name) name = {0};
		RG_TRY(rg_error_wrap(rg_run_name_parse_whole(&name, out->names[i]), "--runs"));
		ids[i] = name.id;
		for (size_t k = 0; k < i; k++)
			if (ids[k] == ids[i])
				return rg_error_new(RG_E_USAGE, "--runs: run %llu is named twice",
						    (unsigned long long)ids[i]);
	}
	out->fetched = rg_arena_alloc(&out->arena, out->name_count * sizeof(*out->fetched));
	return NULL;
}

/* --- what came of them --- */

/* Is the error one run's alone, and not that of the run to be taken? */
static bool may_go_on(const rg_several_runs *runs, const rg_error *err)
{
	if (runs->take == RG_TAKE_FIRST && !runs->count)
		return false;
	switch (rg_error_get_code(err)) {
	case RG_E_NOTFOUND:
	case RG_E_GONE:
	case RG_E_NET:
	case RG_E_PARSE:
	case RG_E_LIMIT:
	case RG_E_CONFLICT:
		return true;
	default:
		return false;
	}
}

rg_error *rg_several_runs_add(rg_several_runs *runs, const rg_flow *flow,
			      rg_download_result *result, rg_error *err)
{
	if (!err && !result->manifest.golden_count && !result->missing &&
	    runs->take == RG_TAKE_MEDIAN_RUN) {
		/* All is well in such a run: it has no part in the tests. */
		rg_log_say(&flow->log, RG_LOG_INFO, "run %llu: no golden of it is in the scope",
			   (unsigned long long)result->manifest.run_id);
		if (!runs->empty.folder) {
			runs->empty = *result;
			rg_download_result_init(result);
		}
		return NULL;
	}
	if (!err && !result->manifest.golden_count)
		err = rg_error_new(RG_E_NOTFOUND, "run %llu: no golden of it is in the scope",
				   (unsigned long long)result->manifest.run_id);
	if (!err) {
		runs->fetched[runs->count++] = *result;
		rg_download_result_init(result);
		return NULL;
	}
	if (!may_go_on(runs, err))
		return err;
	rg_texts *missed = &runs->missed;
	const char *message = rg_error_message(err);
	rg_log_say(&flow->log, RG_LOG_MISSING, "%s", message);
	*RG_ARENA_PUSH(&runs->arena, missed->items, missed->count, missed->capacity) =
		rg_arena_text(&runs->arena, message);
	rg_error_free(err);
	return NULL;
}

/* --- the one that is taken --- */

static unsigned long long id_of(const rg_several_runs *runs, size_t place)
{
	return runs->fetched[place].manifest.run_id;
}

/* `rows`: those that decided; 0: it is the first. */
static void log_taken(const rg_several_runs *runs, const rg_flow *flow, size_t rows)
{
	unsigned long long id = id_of(runs, runs->taken);
	if (runs->count == 1)
		rg_log_say(&flow->log, RG_LOG_INFO,
			   "run %llu is taken, the only one that could be fetched", id);
	else if (rows)
		rg_log_say(&flow->log, RG_LOG_INFO,
			   "run %llu is taken, %s of %zu by %zu row%s that all have", id,
			   runs->count == 2 ? "one" : "the middle one", runs->count, rows,
			   rg_plural(rows));
	else
		rg_log_say(&flow->log, RG_LOG_INFO, "run %llu is taken, the first of %zu", id,
			   runs->count);
}

static int compare_targets(const void *key, const void *item)
{
	return rg_path_compare(key, ((const rg_manifest_golden *)item)->target);
}

/* Goldens that only other runs have stay as they are: a mix would be no run's. */
static void log_others(const rg_several_runs *runs, const rg_flow *flow, size_t place)
{
	const rg_manifest *taken = &runs->fetched[runs->taken].manifest;
	const rg_manifest *other = &runs->fetched[place].manifest;
	RG_AUTO(rg_buf) names = rg_buf_of(RG_BUF_ANY);
	size_t count = 0;

	for (size_t i = 0; i < other->golden_count; i++) {
		const char *target = other->goldens[i].target;
		if (bsearch(target, taken->goldens, taken->golden_count, sizeof(*taken->goldens),
			    compare_targets))
			continue;
		if (count++ < NAMED_MAX)
			rg_buf_printf(&names, "%s%s", names.length ? ", " : "", target);
	}
	if (count > NAMED_MAX)
		rg_buf_printf(&names, " and %zu more", count - NAMED_MAX);
	if (count)
		rg_log_say(&flow->log, RG_LOG_INFO,
			   "run %llu has %zu golden%s that run %llu has not, and %s not taken: %s",
			   id_of(runs, place), count, rg_plural(count), id_of(runs, runs->taken),
			   count == 1 ? "it is" : "they are", names.data);
}

static rg_error *note(const rg_several_runs *runs)
{
	rg_download_result *taken = &runs->fetched[runs->taken];
	rg_manifest *m = &taken->manifest;
	char id[32];

	m->take = rg_manifest_takes[runs->take];
	for (size_t i = 0; i < runs->count; i++) {
		snprintf(id, sizeof(id), "%llu", id_of(runs, i));
		rg_manifest_add_text(m, &m->among, id);
	}
	for (size_t i = 0; i < runs->missed.count; i++)
		rg_manifest_add_text(m, &m->missed, runs->missed.items[i]);
	return rg_manifest_save(m, taken->folder);
}

rg_error *rg_several_runs_choose(rg_several_runs *runs, const rg_flow *flow,
				 const rg_compare_options *options, const rg_compare_rules *rules)
{
	size_t rows = 0;
	if (!runs->count && runs->empty.folder && !runs->missed.count) {
		runs->fetched[runs->count++] = runs->empty;
		rg_download_result_init(&runs->empty);
		return NULL;
	}
	if (!runs->count)
		return rg_error_new(RG_E_NOTFOUND, "none of the %zu runs could be fetched",
				    runs->name_count);
	if (runs->count > 1)
		RG_TRY(rg_new_runs_compare_staged(&runs->new_runs, flow, options, rules,
						  runs->fetched, runs->count));
	if (runs->count > 1 && runs->take == RG_TAKE_MEDIAN_RUN) {
		/* Without a row that all have, the first is as good as any. */
		bool *whole = rg_arena_alloc(&runs->arena, runs->count * sizeof(*whole));
		bool any = false;
		for (size_t i = 0; i < runs->count; i++) {
			whole[i] = !runs->fetched[i].missing;
			any |= whole[i];
		}
		size_t middle = rg_new_runs_middle(&runs->new_runs, any ? whole : NULL, &rows);
		if (rows)
			runs->taken = middle;
		else
			runs->take = RG_TAKE_FIRST;
	}
	rg_new_runs_filter(&runs->new_runs, rules);
	log_taken(runs, flow, rows);
	runs->missing = runs->missed.count > 0;
	for (size_t i = 0; i < runs->count; i++) {
		runs->missing |= runs->fetched[i].missing;
		log_others(runs, flow, i);
	}
	return note(runs);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "base/order.h"
#include "base/thread.h"
#include "compare/align.h"
#include "golden/records.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Files handed out to workers one by one. */
typedef struct {
	rg_audit *audit;
	const rg_audit_source *source;
	bool again;           /* the second time, over newest regimes */
	pthread_mutex_t lock; /* held while a golden adds to the audit */
} shared_work;

const char *const rg_audit_grouping_names[RG_GROUPINGS] = {"all", "branch", "commit"};

bool rg_audit_run_has_day(const rg_audit_run *run)
{
	return strspn(run->when, "0123456789-") >= strlen("2026-04-02");
}

const char *rg_audit_group_of(const rg_audit_run *run, rg_audit_grouping grouping)
{
	switch (grouping) {
	case RG_BY_BRANCH:
		return run->branch;
	case RG_BY_COMMIT:
		return run->commit;
	default:
		return "all";
	}
}

typedef struct {
	const char *key;
	size_t run;
} keyed_run;

RG_ORDER(by_key, keyed_run, RG_BY_TEXT(key) || RG_RISING(run));
RG_ORDER(by_first_run, rg_audit_group, RG_RISING(runs[0]));

/* Groups in the order of their first runs. */
static void make_groups(rg_audit *audit)
{
	size_t n = audit->run_count, i, start;
	keyed_run *keyed = rg_arena_alloc(&audit->arena, (n + 1) * sizeof(*keyed));
	size_t *runs = rg_arena_alloc(&audit->arena, (n + 1) * sizeof(*runs));
	audit->groups = rg_arena_alloc(&audit->arena, (n + 1) * sizeof(*audit->groups));
	for (i = 0; i < n; i++)
		keyed[i] =
			(keyed_run){rg_audit_group_of(&audit->runs[i], audit->options.grouping), i};
	qsort(keyed, n, sizeof(*keyed), by_key);
	for (i = 0, start = 0; i < n; i++) {
		runs[i] = keyed[i].run;
		if (i + 1 < n && !strcmp(keyed[i].key, keyed[i + 1].key))
			continue;
		audit->groups[audit->group_count++] =
			(rg_audit_group){*keyed[start].key ? keyed[start].key : "unknown",
					 runs + start, i + 1 - start};
		start = i + 1;
	}
	qsort(audit->groups, audit->group_count, sizeof(*audit->groups), by_first_run);
}

bool rg_audit_is_of_one_golden(const rg_error *err)
{
	switch (rg_error_get_code(err)) {
	case RG_E_PARSE:
	case RG_E_IO:
	case RG_E_LIMIT:
	case RG_E_MISMATCH:
	case RG_E_NOTFOUND:
		return true;
	default:
		return false;
	}
}

/* Takes `err` over. */
static rg_error *note_unreadable(shared_work *work, size_t run, size_t file, rg_error *err)
{
	rg_audit *audit = work->audit;
	if (!rg_audit_is_of_one_golden(err))
		return err;
	pthread_mutex_lock(&work->lock);
	if (!work->again) {
		const char *why = rg_arena_text(&audit->arena, rg_error_message(err));
		*RG_PUSH(audit->unreadable, audit->unreadable_count, audit->unreadable_capacity) =
			(rg_audit_unreadable){run, file, work->source->files[file], why};
	}
	pthread_mutex_unlock(&work->lock);
	rg_error_free(err);
	return NULL;
}

/* One golden under way over all runs of its group. */
typedef struct {
	shared_work *work;
	size_t source_file;
	rg_runs_table table;
	rg_followed_cases cases;
	rg_golden *first; /* of a table: its records are the steps of all */
} measure_state;

static void measure_state_release(measure_state *state)
{
	rg_golden_free(state->first);
	rg_runs_table_release(&state->table);
	rg_followed_cases_release(&state->cases);
}

/* The names of a table's records outlive it. */
static rg_error *keep_records(rg_audit_file *file, const rg_records *records)
{
	rg_records *kept;
	if (file->records)
		return NULL; /* the second time they are the same */
	const char **names = rg_arena_alloc(file->arena, (records->count + 1) * sizeof(*names));
	for (size_t i = 0; i < records->count; i++)
		names[i] = rg_arena_text(file->arena, records->names[i]);
	RG_TRY(rg_records_new(&kept, file->arena, names, records->count));
	file->records = kept;
	return NULL;
}

static rg_error *take_golden(void *context, size_t run, rg_error *err, rg_golden *golden)
{
	measure_state *to = context;
	if (!err && golden && to->first)
		err = rg_golden_follow(to->first, golden);
	if (!err && golden) {
		const bool opaque = rg_golden_is_opaque(golden);
		if (opaque && !to->work->again) {
			/* Notes the golden once, however many runs have it. */
			rg_audit *audit = to->work->audit;
			size_t i = 0;
			pthread_mutex_lock(&to->work->lock);
			while (i < audit->opaque_count &&
			       audit->opaque[i].source_file != to->source_file)
				i++;
			if (i == audit->opaque_count)
				*RG_PUSH(audit->opaque, audit->opaque_count,
					 audit->opaque_capacity) = (rg_audit_opaque){
					.path = to->work->source->files[to->source_file],
					.source_file = to->source_file};
			audit->opaque[i].runs++;
			pthread_mutex_unlock(&to->work->lock);
		} else if (!to->work->again)
			rg_followed_cases_add(&to->cases, run, golden);
		err = opaque ? NULL : rg_runs_table_add(&to->table, run, golden);
	}
	if (!err && golden && golden->records && !to->first)
		to->first = golden;
	else
		rg_golden_free(golden);
	if (err)
		err = note_unreadable(to->work, run, to->source_file, err);
	return err ? err : rg_cancel_check();
}

rg_error *rg_audit_walk(const rg_audit_source *source, size_t file, const size_t *runs,
			size_t count, rg_audit_take_fn *take, void *taker)
{
	if (source->left_out && source->left_out[file])
		return NULL;
	if (source->walk)
		return source->walk(source->context, file, runs, count, take, taker);
	RG_AUTO(rg_buf) bytes = rg_buf_of(source->golden_max);
	for (size_t i = 0; i < count; i++) {
		rg_golden *golden = NULL;
		rg_buf_clear(&bytes);
		rg_error *err = source->read(source->context, runs[i], file, &bytes, &golden);
		RG_TRY(take(taker, runs[i], err, golden));
	}
	return NULL;
}

static void init_series(rg_audit_series *series, rg_audit_file *file, const rg_runs_table *table,
			const rg_runs_metric *metric)
{
	size_t count = metric->row_count;
	series->file = file->path;
	series->test = file->test;
	series->metric = rg_arena_text(file->arena, metric->name);
	series->group = file->group;
	series->derived = metric->derived;
	series->records = metric->derived ? NULL : file->records;
	series->runs = series->row_count = count;
	series->missing = table->runs - count;
	/* Most of a golden's series are in the same runs, and share the list. */
	bool same = file->series->row_runs && file->series->row_count == count;
	for (size_t i = 0; same && i < count; i++)
		same = file->series->row_runs[i] == metric->rows[i].run;
	size_t *runs = same ? NULL : rg_arena_alloc(file->arena, (count + 1) * sizeof(*runs));
	for (size_t i = 0; runs && i < count; i++)
		runs[i] = metric->rows[i].run;
	series->row_runs = same ? file->series->row_runs : runs;
	series->pooled = rg_arena_alloc(file->arena, (count + 1) * sizeof(*series->pooled));
	for (size_t i = 0; i < count; i++)
		series->pooled[i] = true;
}

/* Near zero is where today's policy has it. */
static rg_error *make_figures(rg_figures *out, const rg_audit *audit, const rg_audit_file *file,
			      const rg_runs_metric *metric, const bool *use, size_t packed_from)
{
	const rg_audit_options *options = &audit->options;
	rg_metric_policy own;
	rg_policy_resolve(options->policy, file->path, metric->name, &own);
	return rg_figures_make(out, file->arena, options->without_steps ? NULL : file->arena,
			       options->without_values ? NULL : file->arena, metric, use,
			       packed_from, own.near_zero, &options->tolerance);
}

static rg_error *measure_first(rg_audit *audit, rg_audit_file *file, const rg_runs_table *table)
{
	file->runs = table->runs;
	file->series = rg_arena_alloc(file->arena, (table->count + 1) * sizeof(*file->series));
	for (size_t i = 0; i < table->count; i++) {
		rg_audit_series *series = &file->series[file->series_count++];
		init_series(series, file, table, table->metrics[i]);
		RG_TRY(make_figures(&series->all, audit, file, table->metrics[i], NULL, 0));
		series->noise = series->all;
		RG_TRY(rg_audit_count_failures(series, file, table->metrics[i], &audit->options));
	}
	return NULL;
}

/* The series that have a regime of their own, and what each run fails, again. */
static rg_error *measure_again(rg_audit *audit, rg_audit_file *file, const rg_runs_table *table)
{
	for (size_t i = 0; i < table->count || i < file->series_count; i++) {
		if (table->count != file->series_count ||
		    strcmp(file->series[i].metric, table->metrics[i]->name) != 0 ||
		    file->series[i].row_count != table->metrics[i]->row_count)
			return rg_error_new(RG_E_CONFLICT,
					    "%s: changed during the audit; run it again",
					    file->path);
		rg_audit_series *series = &file->series[i];
		series->failed_today = series->failed_recommended = 0;
		/* Bad runs are in the noise model: a new run is compared with them all, as it
		 * may be bad itself. */
		size_t first = 0;
		while (first < series->row_count && series->row_runs[first] < series->regime_from)
			first++;
		if (rg_audit_needs_regime(series))
			RG_TRY(make_figures(&series->noise, audit, file, table->metrics[i],
					    series->pooled, first));
		RG_TRY(rg_audit_count_failures(series, file, table->metrics[i], &audit->options));
	}
	return NULL;
}

/* The flags by run are there only meanwhile: of many groups they would be most of the memory. */
static rg_error *measure_table(shared_work *work, rg_audit_file *file, const rg_runs_table *table)
{
	rg_audit *audit = work->audit;
	RG_AUTO_FREE rg_failed_run *failed = rg_calloc(audit->run_count, sizeof(*failed));
	file->failed = failed;
	rg_error *err = work->again ? measure_again(audit, file, table)
				    : measure_first(audit, file, table);
	file->failed_today = file->failed_recommended = 0;
	for (size_t i = 0; i < audit->run_count; i++) {
		file->failed_today += failed[i].today ? 1 : 0;
		file->failed_recommended += failed[i].recommended ? 1 : 0;
	}
	file->failed = NULL;
	return err;
}

static rg_error *measure(shared_work *work, rg_audit_file *file, rg_arena *arena)
{
	rg_audit *audit = work->audit;
	const rg_audit_group *group = &audit->groups[file->group];
	RG_AUTO(measure_state) to = {.work = work};
	to.source_file = (size_t)(file - audit->files) % work->source->file_count;
	file->arena = arena;
	rg_followed_cases_init(&to.cases);
	rg_runs_table_init(&to.table, audit->options.tolerance.start_step);
	RG_TRY(rg_audit_walk(work->source, to.source_file, group->runs, group->run_count,
			     take_golden, &to));
	if (to.first)
		RG_TRY(keep_records(file, to.first->records));
	rg_golden_free(RG_TAKE(to.first));
	if (to.table.runs || work->again)
		RG_TRY(measure_table(work, file, &to.table));
	pthread_mutex_lock(&work->lock);
	rg_audit_add_cases(audit, file->path, file->group, &to.cases);
	pthread_mutex_unlock(&work->lock);
	file->arena = NULL;
	return NULL;
}

static rg_error *measure_file(void *context, size_t worker, size_t index)
{
	shared_work *work = context;
	rg_audit_file *file = &work->audit->files[index];
	bool needed = !work->again;
	for (size_t i = 0; !needed && i < file->series_count; i++)
		needed = rg_audit_needs_regime(&file->series[i]);
	return needed ? measure(work, file, &work->audit->worker_arenas[worker]) : NULL;
}

static rg_error *measure_all(rg_audit *audit, const rg_audit_source *source, bool again)
{
	shared_work work = {.audit = audit, .source = source, .again = again};
	if (pthread_mutex_init(&work.lock, NULL))
		rg_out_of_memory();
	rg_error *err =
		rg_workers_run(audit->options.workers, audit->file_count, measure_file, &work);
	pthread_mutex_destroy(&work.lock);
	return err;
}

RG_ORDER(by_file, rg_audit_opaque, RG_RISING(source_file));
RG_ORDER(by_file_and_run, rg_audit_unreadable, RG_RISING(source_file) || RG_RISING(run));

rg_error *rg_audit_make(rg_audit *out, const rg_audit_source *source,
			const rg_audit_options *options)
{
	*out = (rg_audit){
		.runs = source->runs, .run_count = source->run_count, .options = *options};
	rg_arena_init(&out->arena);
	for (size_t i = 0; i < RG_WORKERS_MAX; i++)
		rg_arena_init(&out->worker_arenas[i]);
	rg_audit_number_commits(out);
	make_groups(out);
	size_t count = out->group_count * source->file_count;
	out->files = rg_arena_alloc(&out->arena, (count + 1) * sizeof(*out->files));
	for (size_t i = 0; i < count; i++) {
		rg_audit_file *file = &out->files[i];
		file->group = i / source->file_count;
		file->path = source->files[i % source->file_count];
		file->test = source->tests ? source->tests[i % source->file_count] : file->path;
		out->file_count++;
	}
	rg_error *err = measure_all(out, source, false);
	if (!err)
		err = rg_audit_find(out);
	if (!err)
		err = measure_all(out, source, true);
	if (err) {
		rg_audit_release(out);
		return err;
	}
	if (out->opaque_count)
		qsort(out->opaque, out->opaque_count, sizeof(*out->opaque), by_file);
	if (out->unreadable_count)
		qsort(out->unreadable, out->unreadable_count, sizeof(*out->unreadable),
		      by_file_and_run);
	/* A golden that no run of a group could give is left out of that group. */
	size_t kept = 0;
	for (size_t i = 0; i < out->file_count; i++)
		if (out->files[i].runs)
			out->files[kept++] = out->files[i];
	out->file_count = kept;
	rg_audit_sort_cases(out);
	rg_audit_summarise(out);
	return NULL;
}

void rg_audit_release(rg_audit *audit)
{
	RG_EACH_SERIES(audit, series)
	free(series->breaks);
	for (size_t i = 0; i < RG_WORKERS_MAX; i++)
		rg_arena_release(&audit->worker_arenas[i]);
	free(audit->odd_runs);
	free(audit->common_breaks);
	free(audit->unreadable);
	free(audit->opaque);
	free(audit->metrics);
	free(audit->cases);
	rg_arena_release(&audit->arena);
	*audit = (rg_audit){0};
}

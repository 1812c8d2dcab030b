#include "compare/parallel.h"

#include "base/cancel.h"
#include "base/thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { WORKERS_MAX = 16 };
#define NO_PART SIZE_MAX

size_t rg_compare_workers(size_t count)
{
	size_t workers = rg_cores();

	if (workers > WORKERS_MAX)
		workers = WORKERS_MAX;
	if (workers > count)
		workers = count;
	return workers ? workers : 1;
}

typedef struct {
	const rg_pair_source *source;
	atomic_size_t next; /* the first pair that nobody took */
	atomic_bool stop;
	rg_comparison *parts;        /* one a worker */
	rg_comparison_place *places; /* one a pair; NO_PART where it was left out */
} work;

typedef struct {
	work *work;
	size_t index;
	pthread_t thread;
	rg_error *err;
} worker;

static bool stops_all(const rg_error *err)
{
	rg_error_code code = rg_error_get_code(err);

	return code == RG_E_NOMEM || code == RG_E_CANCELLED || code == RG_E_USAGE;
}

static rg_error *read_side(rg_golden **out, const rg_input *in, const char *label,
			   const char *fallback, const rg_golden_options *options)
{
	return rg_error_wrap(rg_golden_read(out, in, options), "%s", label ? label : fallback);
}

static rg_error *compare_pair(rg_comparison *part, const rg_pair_source *source,
			      const rg_pair *pair)
{
	rg_golden *old = NULL, *new = NULL;
	rg_error *err = NULL;

	if (pair->status == RG_FILE_COMPARED)
		err = read_side(&old, &pair->old_side, pair->old_label, "old side",
				source->options);
	if (!err && pair->status != RG_FILE_REMOVED && pair->new_side.name)
		err = read_side(&new, &pair->new_side, pair->new_label, "new side",
				source->new_options ? source->new_options : source->options);
	if (!err && pair->status == RG_FILE_COMPARED) {
		err = rg_compare_goldens(part, &pair->name, old, new, source->policy);
		if (!err && source->judge)
			err = source->judge(source->judge_context, part, new);
	} else if (!err) {
		err = rg_comparison_add_file(part, &pair->name, pair->status, NULL);
	}
	rg_golden_free(new);
	rg_golden_free(old);
	return err;
}

/* What goes wrong with one file is that file's outcome; what stops all is returned. */
static rg_error *work_on_pair(worker *self, size_t index)
{
	const rg_pair_source *source = self->work->source;
	rg_comparison *part = &self->work->parts[self->index];
	rg_pair pair = {0};
	rg_error *err;

	self->work->places[index] = (rg_comparison_place){self->index, part->file_count};
	err = source->load(source->context, self->index, index, &pair);
	if (!err && pair.leave_out)
		self->work->places[index].part = NO_PART;
	else if (!err)
		err = compare_pair(part, source, &pair);
	if (err && !stops_all(err) && pair.name.file) {
		rg_error *told = rg_comparison_add_file(part, &pair.name, RG_FILE_UNREADABLE,
							rg_error_message(err));

		rg_error_free(err);
		err = told;
	} else if (err && rg_error_get_code(err) == RG_E_USAGE && pair.name.file) {
		err = rg_error_wrap(err, "%s", pair.name.file);
	}
	return err;
}

static void *run(void *argument)
{
	worker *self = argument;
	work *w = self->work;

	while (!self->err && !atomic_load(&w->stop)) {
		size_t index = atomic_fetch_add(&w->next, 1);

		if (index >= w->source->count)
			break;
		self->err = rg_cancel_check();
		if (!self->err)
			self->err = work_on_pair(self, index);
	}
	if (self->err)
		atomic_store(&w->stop, true);
	return NULL;
}

/* The caller's thread is worker 0. Where a thread cannot be had, the others do its share. */
static rg_error *run_workers(work *w, size_t count)
{
	worker workers[WORKERS_MAX] = {0};
	rg_error *err = NULL;
	size_t started = 1, i;

	for (i = 0; i < count; i++)
		workers[i] = (worker){.work = w, .index = i};
	while (started < count && rg_thread_start(&workers[started].thread, run, &workers[started]))
		started++;
	run(&workers[0]);
	for (i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	for (i = 0; i < started; i++)
		err = rg_error_first(err, workers[i].err);
	return err;
}

/* Returns how many places are left. */
static size_t drop_left_out(rg_comparison_place *places, size_t count)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++)
		if (places[i].part != NO_PART)
			places[kept++] = places[i];
	return kept;
}

rg_error *rg_compare_pairs(rg_comparison *out, const rg_pair_source *source)
{
	size_t workers = source->workers ? source->workers : 1, i;
	work w = {.source = source};
	rg_error *err;

	if (workers > WORKERS_MAX)
		workers = WORKERS_MAX;
	w.parts = calloc(workers, sizeof(*w.parts));
	w.places = calloc(source->count + 1, sizeof(*w.places));
	if (!w.parts || !w.places) {
		err = rg_error_nomem();
		goto done;
	}
	err = run_workers(&w, workers);
	if (!err)
		err = rg_comparison_join(out, w.parts, workers, w.places,
					 drop_left_out(w.places, source->count));
done:
	for (i = 0; w.parts && i < workers; i++)
		rg_comparison_release(&w.parts[i]);
	free(w.places);
	free(w.parts);
	return err;
}

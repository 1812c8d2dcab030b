/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/compare_pairs.h"

#include "base/memory.h"
#include "base/thread.h"
#include "compare/align.h"
#include "compare/formatting.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define NO_PART SIZE_MAX

/* Both sides of a pair are read at once if each has so many bytes. */
enum { LARGE = 1 << 20 };

typedef struct {
	const rg_pair_source *source;
	rg_comparison *parts;        /* one a worker, and what is known */
	size_t known;                /* its place among them */
	rg_comparison_place *places; /* one a pair; NO_PART where it was left out */
	atomic_size_t busy;          /* threads */
} pairs_state;

static bool stops_all(const rg_error *err)
{
	rg_error_code code = rg_error_get_code(err);
	return code == RG_E_CANCELLED || code == RG_E_USAGE;
}

static rg_error *read_old(rg_golden **out, const pairs_state *w, const rg_pair *pair)
{
	return rg_error_wrap(rg_golden_read(out, &pair->old_side, w->source->options), "%s",
			     pair->old_label ? pair->old_label : "old side");
}

/* Its records are likely to be those of the old side, if that was read before. */
static rg_error *read_new(rg_golden **out, const pairs_state *w, const rg_pair *pair,
			  const rg_golden *old)
{
	const rg_golden_options *given = w->source->new_options ? w->source->new_options
								: w->source->options;
	rg_golden_options options = given ? *given : (rg_golden_options){.run_index = -1};
	options.like = old ? old->records : NULL;
	return rg_error_wrap(rg_golden_read(out, &pair->new_side, &options), "%s",
			     pair->new_label ? pair->new_label : "new side");
}

/* Two sides that are read at once: the old one, then the new one. */
typedef struct {
	const pairs_state *work;
	const rg_pair *pair;
	rg_golden *goldens[2];
	rg_error *errors[2];
} both_sides;

static rg_error *read_one_of_both(void *context, size_t worker, size_t side)
{
	both_sides *both = context;
	(void)worker;
	both->errors[side] = side ? read_new(&both->goldens[side], both->work, both->pair, NULL)
				  : read_old(&both->goldens[side], both->work, both->pair);
	return NULL;
}

static rg_error *read_both_at_once(rg_golden **old, rg_golden **fresh, const pairs_state *w,
				   const rg_pair *pair)
{
	both_sides both = {.work = w, .pair = pair};
	rg_error *err = rg_workers_run(2, 2, read_one_of_both, &both);
	*old = both.goldens[0];
	*fresh = both.goldens[1];
	return rg_error_first(rg_error_first(both.errors[0], both.errors[1]), err);
}

static rg_error *read_both(rg_golden **old, rg_golden **fresh, pairs_state *w, const rg_pair *pair)
{
	const bool large = pair->old_side.size >= LARGE && pair->new_side.size >= LARGE &&
			   rg_golden_reads_all(&pair->old_side) &&
			   rg_golden_reads_all(&pair->new_side);
	rg_error *err = NULL;

	/* The other cores may have pairs of their own. */
	if (large && atomic_fetch_add(&w->busy, 1) < rg_cores())
		err = read_both_at_once(old, fresh, w, pair);
	else
		err = read_old(old, w, pair);
	if (large)
		atomic_fetch_sub(&w->busy, 1);
	return err || *fresh ? err : read_new(fresh, w, pair, *old);
}

static rg_error *compare_pair(pairs_state *w, size_t worker, const rg_pair *pair)
{
	const rg_pair_source *source = w->source;
	rg_comparison *part = &w->parts[worker];
	RG_AUTO_PTR(rg_golden) old = NULL;
	RG_AUTO_PTR(rg_golden) fresh = NULL;

	if (pair->status == RG_FILE_COMPARED)
		RG_TRY(read_both(&old, &fresh, w, pair));
	if (pair->status == RG_FILE_REMOVED && pair->old_side.name) {
		/* The row only says what the golden was: it need not be readable. */
		rg_error *err = rg_golden_read(&old, &pair->old_side, source->options);
		if (err && stops_all(err))
			return err;
		rg_error_free(err);
	} else if (pair->status == RG_FILE_NEW && pair->new_side.name) {
		RG_TRY(read_new(&fresh, w, pair, NULL));
	}
	RG_TRY(rg_goldens_align(old, fresh));
	if (pair->status == RG_FILE_COMPARED)
		RG_TRY(rg_compare_goldens(part, &pair->name, old, fresh, source->policy));
	else
		RG_TRY(rg_comparison_add_alone(part, &pair->name, old, fresh, pair->status,
					       source->policy));
	rg_file_outcome *file = &part->files[part->file_count - 1];
	if (old && fresh && file->identical && !rg_comparison_dropped(part, file)) {
		const rg_span was = rg_input_span(&pair->old_side);
		const rg_span is = rg_input_span(&pair->new_side);
		file->layout = rg_layout_compare(&was, &is, fresh->format);
	}
	file->has_nonfinite |= pair->has_nonfinite;
	return source->compared ? source->compared(source->context, worker, part, old, fresh)
				: NULL;
}

/* An error of one file becomes that file's outcome; one that stops all is returned. */
static rg_error *work_on_pair(void *context, size_t worker, size_t index)
{
	pairs_state *w = context;
	const rg_pair_source *source = w->source;
	rg_comparison *part = &w->parts[worker];
	rg_pair pair = {0};

	w->places[index] = (rg_comparison_place){worker, part->file_count};
	rg_error *err = source->load(source->context, worker, index, &pair);
	if (!err && pair.leave_out)
		w->places[index].part = NO_PART;
	else if (!err && pair.is_known)
		w->places[index] = (rg_comparison_place){w->known, pair.known_file};
	else if (!err) {
		atomic_fetch_add(&w->busy, 1);
		err = compare_pair(w, worker, &pair);
		atomic_fetch_sub(&w->busy, 1);
	}
	if (err && !stops_all(err) && pair.name.file) {
		rg_comparison_add_file(part, &pair.name, RG_FILE_UNREADABLE, rg_error_message(err));
		rg_error_free(err);
		err = NULL;
	} else if (err && rg_error_get_code(err) == RG_E_USAGE && pair.name.file) {
		err = rg_error_wrap(err, "%s", pair.name.file);
	}
	return err;
}

static void pairs_state_release(pairs_state *w)
{
	for (size_t i = 0; i <= w->known; i++)
		rg_comparison_release(&w->parts[i]);
	free(w->places);
	free(w->parts);
}

rg_error *rg_compare_pairs(rg_comparison *out, const rg_pair_source *source)
{
	size_t workers = source->workers ? source->workers : 1, kept = 0;

	if (workers > RG_WORKERS_MAX)
		workers = RG_WORKERS_MAX;
	RG_AUTO(pairs_state) w = {.source = source, .known = workers};
	w.parts = rg_calloc(workers + 1, sizeof(*w.parts));
	w.places = rg_calloc(source->count + 1, sizeof(*w.places));
	if (source->known) {
		w.parts[workers] = *source->known;
		rg_comparison_init(source->known);
	}
	RG_TRY(rg_workers_run(workers, source->count, work_on_pair, &w));
	for (size_t i = 0; i < source->count; i++)
		if (w.places[i].part != NO_PART)
			w.places[kept++] = w.places[i];
	rg_comparison_join(out, w.parts, workers + 1, w.places, kept);
	return NULL;
}

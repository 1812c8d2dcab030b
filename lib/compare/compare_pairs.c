/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/compare_pairs.h"

#include "base/memory.h"
#include "base/thread.h"
#include "compare/align.h"
#include "compare/formatting.h"

#include <stdint.h>
#include <stdlib.h>

#define NO_PART SIZE_MAX

typedef struct {
	const rg_pair_source *source;
	rg_comparison *parts;        /* one a worker, and what is known */
	size_t known;                /* its place among them */
	rg_comparison_place *places; /* one a pair; NO_PART where it was left out */
} pairs_state;

static bool stops_all(const rg_error *err)
{
	rg_error_code code = rg_error_get_code(err);
	return code == RG_E_CANCELLED || code == RG_E_USAGE;
}

static rg_error *read_side(rg_golden **out, const rg_input *in, const char *label,
			   const char *fallback, const rg_golden_options *options)
{
	return rg_error_wrap(rg_golden_read(out, in, options), "%s", label ? label : fallback);
}

static rg_error *compare_pair(const pairs_state *w, size_t worker, const rg_pair *pair)
{
	const rg_pair_source *source = w->source;
	rg_comparison *part = &w->parts[worker];
	RG_AUTO_PTR(rg_golden) old = NULL;
	RG_AUTO_PTR(rg_golden) fresh = NULL;

	if (pair->status == RG_FILE_COMPARED)
		RG_TRY(read_side(&old, &pair->old_side, pair->old_label, "old side",
				 source->options));
	if (pair->status == RG_FILE_REMOVED && pair->old_side.name) {
		/* The row only says what the golden was: it need not be readable. */
		rg_error *err = rg_golden_read(&old, &pair->old_side, source->options);
		if (err && stops_all(err))
			return err;
		rg_error_free(err);
	} else if (pair->status != RG_FILE_REMOVED && pair->new_side.name) {
		const rg_golden_options *given = source->new_options ? source->new_options
								     : source->options;
		rg_golden_options options = given ? *given : (rg_golden_options){.run_index = -1};
		/* Its records are likely to be those of the old side. */
		options.like = old ? old->records : NULL;
		RG_TRY(read_side(&fresh, &pair->new_side, pair->new_label, "new side", &options));
	}
	RG_TRY(rg_goldens_align(old, fresh));
	if (pair->status == RG_FILE_COMPARED)
		RG_TRY(rg_compare_goldens(part, &pair->name, old, fresh, source->policy));
	else
		RG_TRY(rg_comparison_add_alone(part, &pair->name, old, fresh, pair->status,
					       source->policy));
	rg_file_outcome *file = &part->files[part->file_count - 1];
	if (pair->status == RG_FILE_COMPARED && file->identical &&
	    !rg_comparison_dropped(part, file)) {
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
	const pairs_state *w = context;
	const rg_pair_source *source = w->source;
	rg_comparison *part = &w->parts[worker];
	rg_pair pair = {0};

	w->places[index] = (rg_comparison_place){worker, part->file_count};
	rg_error *err = source->load(source->context, worker, index, &pair);
	if (!err && pair.leave_out)
		w->places[index].part = NO_PART;
	else if (!err && pair.is_known)
		w->places[index] = (rg_comparison_place){w->known, pair.known_file};
	else if (!err)
		err = compare_pair(w, worker, &pair);
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

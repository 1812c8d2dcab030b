/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_merge.h"

#include "base/cancel.h"
#include "store/history_audit.h"
#include "store/history_digest.h"

#include <stdlib.h>
#include <string.h>

enum {
	TEXT_MAX = 1024, /* of a branch, a commit …: git and GitHub have shorter ones */
	NAMED_MAX = 5,   /* runs that are left out, with why */
	EXPECTED = 100,  /* runs of which a server is asked together what it has */
	/* Runs that `from` is asked for together, with so many rows at most: it sorts them. */
	TOGETHER = 50,
	ROWS_TOGETHER = 20000,
};

typedef struct {
	const rg_history_merge_options *options;
	rg_history_run *from;   /* as it lists them */
	size_t count, expected; /* expected: the end of those of which `into` was asked */
	rg_history_run *into;   /* sorted by rg_history_run_compare */
	bool *torn;             /* of each: `from` has it, too, and some of its rows are not here */
	size_t into_count;
	rg_history_merged *out;
	rg_history_merged waiting; /* put, and counted once they are sent */
	bool full;                 /* they are to be sent now */
	rg_arena arena;
} merge_state;

/* Compares figures that need no reading; under 0 if `b` is the one that stays. */
static int compare_figures(const rg_history_run *a, const rg_history_run *b)
{
	if (a->attempt != b->attempt)
		return a->attempt > b->attempt ? 1 : -1;
	if (a->complete != b->complete)
		return a->complete ? 1 : -1;
	return (a->goldens > b->goldens) - (a->goldens < b->goldens);
}

/* Is it about this run alone, and not about memory, the disk or the other history? */
static bool is_of_one_run(const rg_error *err)
{
	rg_error_code code = rg_error_get_code(err);
	return code == RG_E_MISMATCH || code == RG_E_LIMIT || code == RG_E_UNSAFE;
}

/* ---- which of the two stays ---- */

static const rg_history_run *find_ours(const merge_state *m, const rg_history_run *theirs)
{
	return m->into_count ? bsearch(theirs, m->into, m->into_count, sizeof(*m->into),
				       rg_history_run_compare)
			     : NULL;
}

/* *order as compare_figures. */
static rg_error *compare_runs(const merge_state *m, const rg_history_run *ours,
			      const rg_history_run *theirs, int *order)
{
	char our_digest[RG_SHA256_HEX], their_digest[RG_SHA256_HEX];
	const rg_history_run *listed = find_ours(m, ours);

	*order = compare_figures(ours, theirs);
	/* This is about the run as it was listed first: a process that has put it since has put all
	 * of it. */
	if (!*order && listed == ours && m->torn[listed - m->into])
		*order = -1;
	if (*order || m->options->by_figures)
		return NULL;
	RG_TRY(rg_history_digest(m->options->from, theirs, m->options->bytes_max, their_digest));
	rg_error *err =
		rg_history_digest(m->options->into, ours, m->options->bytes_max, our_digest);
	if (err && !is_of_one_run(err))
		return err;
	/* A run that can no longer be read is no reason to keep it. */
	*order = err ? -1 : strcmp(our_digest, their_digest);
	rg_error_free(err);
	return NULL;
}

/* ---- putting one ---- */

static rg_error *add_golden(void *context, size_t run, rg_history_golden *found)
{
	RG_AUTO_PTR(rg_golden) golden = found->golden;
	(void)run;
	RG_TRY(rg_error_wrap(found->why, "%s", found->path));
	return rg_error_wrap(
		rg_history_add(context, found->path, found->sha256, found->bytes, golden), "%s",
		found->path);
}

/* This run and some after it are put next. */
static rg_error *expect_runs(merge_state *m, const rg_history_run *run)
{
	size_t first = (size_t)(run - m->from), left = m->count - first;
	if (first < m->expected)
		return NULL;
	m->expected = first + (left < EXPECTED ? left : EXPECTED);
	return rg_history_expect(m->options->into, run, m->expected - first);
}

/* *changed where somebody else has put the run since `ours` (NULL: none) was listed. */
static rg_error *put_run(merge_state *m, const rg_history_run *theirs, const rg_history_run *ours,
			 bool *changed)
{
	const rg_history_merge_options *options = m->options;
	rg_history_run there;
	rg_history_put *put;

	RG_TRY(expect_runs(m, theirs));
	RG_TRY(rg_history_begin(&put, options->into, theirs, &there));
	*changed = ours ? !there.key || there.attempt != ours->attempt ||
				   there.complete != ours->complete
			: there.key != 0;
	rg_error *err = *changed ? NULL : rg_history_clear(put);
	if (!err && !*changed)
		err = rg_history_goldens(options->from, theirs, 1, options->bytes_max, add_golden,
					 put);
	if (!err && !*changed)
		return rg_history_gather(put, theirs->complete, &m->full);
	rg_history_abandon(put);
	return err;
}

static rg_error *merge_with(merge_state *m, const rg_history_run *theirs,
			    const rg_history_run *ours, bool *changed)
{
	int order = -1;
	*changed = false;
	if (ours)
		RG_TRY(compare_runs(m, ours, theirs, &order));
	if (order < 0)
		RG_TRY(put_run(m, theirs, ours, changed));
	if (!*changed)
		++*(order > 0    ? &m->out->kept
		    : order == 0 ? &m->out->same
		    : ours       ? &m->waiting.replaced
				 : &m->waiting.added);
	return NULL;
}

static rg_error *check_run(const rg_history_run *run)
{
	const char *const texts[][2] = {{run->repository, "its repository"},
					{run->source, "its source"},
					{run->settings, "the key of its settings"},
					{run->commit, "its commit"},
					{run->branch, "its branch"},
					{run->event, "its event"},
					{run->when, "its time"}};

	if (!run->id || run->id > INT64_MAX || !*run->repository)
		return rg_error_new(RG_E_MISMATCH, "has no number or no repository");
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (strlen(texts[i][0]) > TEXT_MAX)
			return rg_error_new(RG_E_LIMIT, "%s has more than %d bytes", texts[i][1],
					    TEXT_MAX);
	return NULL;
}

static rg_error *merge_run(merge_state *m, const rg_history_run *theirs)
{
	const rg_history_query query = {
		.repository = theirs->repository, .settings = theirs->settings, .id = theirs->id};
	const rg_history_run *ours = find_ours(m, theirs);
	bool changed = false;

	RG_TRY(check_run(theirs));
	do {
		rg_history_run *runs = NULL;
		size_t count = 0;

		RG_TRY(rg_cancel_check());
		/* `into` is asked again for what it has now. */
		if (changed) {
			RG_TRY(rg_history_list(m->options->into, &query, &m->arena, &runs, &count));
			ours = NULL;
		}
		for (size_t i = 0; i < count; i++)
			if (!rg_history_run_compare(&runs[i], theirs))
				ours = &runs[i];
		RG_TRY(merge_with(m, theirs, ours, &changed));
	} while (changed);
	return NULL;
}

static rg_error *send_waiting(merge_state *m)
{
	rg_error *err = rg_history_flush(m->options->into);
	if (!err) {
		m->out->added += m->waiting.added;
		m->out->replaced += m->waiting.replaced;
	}
	m->waiting = (rg_history_merged){0};
	m->full = false;
	m->expected = 0;
	return err;
}

/* An error that is about this run alone is only logged. */
static rg_error *merge_and_send(merge_state *m, const rg_history_run *run)
{
	rg_error *err = rg_error_wrap(merge_run(m, run), "run %llu", (unsigned long long)run->id);
	if (err && !is_of_one_run(err))
		return err;
	if (err && m->out->left_out++ < NAMED_MAX)
		rg_log_say(m->options->log, RG_LOG_MISSING, "%s; left out", rg_error_message(err));
	rg_error_free(err);
	return m->full ? send_waiting(m) : NULL;
}

/* ---- several that `into` does not have ---- */

/* They come together, and one is put after the other. */
typedef struct {
	merge_state *m;
	const rg_history_run *theirs[TOGETHER];
	rg_history_run runs[TOGETHER];
	size_t count, at; /* at: the one under way; those before it are put */
	uint64_t rows;
	rg_history_put *put; /* of that one; NULL: it has not begun */
	size_t goldens;      /* its, so far */
} run_batch;

static rg_error *end_this(run_batch *batch)
{
	const rg_history_run *run = &batch->runs[batch->at];
	rg_history_put *put = batch->put;

	if (batch->goldens != run->goldens)
		return rg_history_incomplete();
	batch->put = NULL;
	RG_TRY(rg_history_gather(put, run->complete, &batch->m->full));
	batch->at++;
	batch->m->waiting.added++;
	return batch->m->full ? send_waiting(batch->m) : NULL;
}

static rg_error *take_next(void *context, size_t run, rg_history_golden *found)
{
	run_batch *batch = context;
	RG_AUTO_PTR(rg_golden) golden = found->golden;
	RG_AUTO_PTR(rg_error) why = found->why;

	RG_TRY(rg_cancel_check());
	if (batch->put && run != batch->at)
		RG_TRY(end_this(batch));
	if (!batch->put) {
		const rg_history_run *theirs = batch->theirs[batch->at];
		rg_history_run there;

		if (run != batch->at)
			return rg_history_incomplete();
		RG_TRY(expect_runs(batch->m, theirs));
		RG_TRY(rg_history_begin(&batch->put, batch->m->options->into, theirs, &there));
		batch->goldens = 0;
		if (there.key)
			return rg_error_new(RG_E_MISMATCH, "somebody else has put it");
	}
	batch->goldens++;
	found->golden = RG_TAKE(golden);
	found->why = RG_TAKE(why);
	return rg_error_wrap(add_golden(batch->put, run, found), "run %llu",
			     (unsigned long long)batch->runs[run].id);
}

/* The first that has anything wrong with it, and those after it, come one by one. */
static rg_error *put_batch(run_batch *batch)
{
	merge_state *m = batch->m;
	const rg_history_merge_options *options = m->options;
	rg_error *err = rg_history_goldens(options->from, batch->runs, batch->count,
					   options->bytes_max, take_next, batch);

	if (!err && batch->put)
		err = end_this(batch);
	rg_history_abandon(batch->put);
	if (err && !is_of_one_run(err))
		return err;
	rg_error_free(err);
	for (size_t i = batch->at; i < batch->count; i++)
		RG_TRY(merge_and_send(m, batch->theirs[i]));
	*batch = (run_batch){.m = m};
	return NULL;
}

static bool may_come_together(const merge_state *m, const rg_history_run *run)
{
	RG_AUTO_PTR(rg_error) odd = check_run(run);
	return !odd && run->goldens && !find_ours(m, run);
}

/* ---- all of them ---- */

/* Finds the runs that both have and of which `into` has lost rows. */
static rg_error *find_torn(merge_state *m)
{
	rg_history_run *both = rg_arena_alloc(&m->arena, (m->into_count + 1) * sizeof(*both));
	uint64_t *rows = rg_arena_alloc(&m->arena, (m->into_count + 1) * sizeof(*rows));
	size_t count = 0, i;

	m->torn = rg_arena_alloc(&m->arena, m->into_count + 1);
	for (i = 0; i < m->count; i++) {
		const rg_history_run *ours = find_ours(m, &m->from[i]);
		if (ours && rg_history_run_is_of(ours, m->options->repository))
			m->torn[ours - m->into] = true;
	}
	for (i = 0; i < m->into_count; i++)
		if (m->torn[i])
			both[count++] = m->into[i];
	if (count)
		RG_TRY(rg_history_count_rows(m->options->into, both, count, rows));
	for (i = 0, count = 0; i < m->into_count; i++)
		if (m->torn[i])
			m->torn[i] = rows[count++] != m->into[i].rows;
	return NULL;
}

static rg_error *merge_runs(merge_state *m)
{
	const rg_history_merge_options *options = m->options;
	run_batch batch = {.m = m};
	const rg_history_query any = {0};

	RG_TRY(rg_history_list(options->from, &any, &m->arena, &m->from, &m->count));
	RG_TRY(rg_history_list(options->into, &any, &m->arena, &m->into, &m->into_count));
	if (m->into_count)
		qsort(m->into, m->into_count, sizeof(*m->into), rg_history_run_compare);
	RG_TRY(find_torn(m));
	for (size_t i = 0; i < m->count; i++) {
		const rg_history_run *run = &m->from[i];
		if (!rg_history_run_is_of(run, options->repository))
			continue;
		if (!may_come_together(m, run)) {
			RG_TRY(merge_and_send(m, run));
			continue;
		}
		if (batch.count == TOGETHER || batch.rows + run->rows > ROWS_TOGETHER)
			RG_TRY(put_batch(&batch));
		batch.theirs[batch.count] = run;
		batch.runs[batch.count++] = *run;
		batch.rows += run->rows;
	}
	return batch.count ? put_batch(&batch) : NULL;
}

static void merge_state_release(merge_state *m)
{
	rg_arena_release(&m->arena);
}

rg_error *rg_history_merge(rg_history_merged *out, const rg_history_merge_options *options)
{
	RG_AUTO(merge_state) m = {.options = options, .out = out};
	size_t odd = 0;

	*out = (rg_history_merged){0};
	rg_error *err = merge_runs(&m);
	rg_error *last = send_waiting(&m);
	if (!err && !last)
		err = rg_history_merge_audits(&out->verdicts, &odd, options->into, options->from,
					      options->repository);
	if (odd)
		rg_log_say(options->log, RG_LOG_MISSING,
			   "%zu row%s of what audits found %s not what regild writes; left out",
			   odd, odd == 1 ? "" : "s", odd == 1 ? "is" : "are");
	if (out->left_out > NAMED_MAX)
		rg_log_say(options->log, RG_LOG_MISSING, "%zu more run%s left out",
			   out->left_out - NAMED_MAX,
			   out->left_out == NAMED_MAX + 1 ? " is" : "s are");
	if (err && last)
		rg_log_say(options->log, RG_LOG_MISSING, "%s", rg_error_message(last));
	return rg_error_first(err, last);
}

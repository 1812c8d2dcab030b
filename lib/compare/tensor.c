#include "compare/tensor.h"

#include "base/cancel.h"
#include "base/sum.h"
#include "base/thread.h"
#include "compare/compare.h"
#include "compare/tensor_chunk.h"
#include "compare/tensor_norms.h"
#include "compare/tensor_pair.h"
#include "compare/tensor_ulps.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Elements a segment: what a core has in memory at a time, and the unit of the sums' order. */
enum { SEGMENT = 1 << 18, WORKERS_MAX = 16 };

/* What comes of a segment; `at` figures are elements' numbers, the first where there are several.
 */
typedef struct {
	rg_sum sums[RG_SUMS];
	size_t finite, counted, above_zero;
	size_t near_zero, old_nonfinite, new_nonfinite, mismatches;
	double max_abs, max_rel; /* -1: none yet */
	size_t max_abs_at, max_rel_at;
	bool old_any, new_any; /* bits that are not zero */
	bool differs;
	size_t first_diff;
	uint64_t max_ulps;
} segment;

/* A chunk's elements under way. */
typedef struct {
	const rg_tensor_pair *pair;
	const rg_chunk_functions *functions;
	rg_dtype dtype;
	rg_chunk_kind kind;
	rg_lane_sums lanes;
	unsigned char old_room[RG_CHUNK * 8], new_room[RG_CHUNK * 8];
	double old_values[RG_CHUNK], new_values[RG_CHUNK];
} worker;

static void note_nonfinite(segment *s, double old, double new)
{
	*(isfinite(old) ? &s->new_nonfinite : &s->old_nonfinite) += 1;
	s->mismatches += rg_is_mismatch(old, new) ? 1 : 0;
}

static void note_largest(double *largest, size_t *where, double value, size_t at)
{
	if (value > *largest || (value == *largest && at < *where)) {
		*largest = value;
		*where = at;
	}
}

static void note_relative(segment *s, size_t at, double old, double new)
{
	double difference = (old - new) / old;

	rg_sum_add(&s->sums[RG_SUM_RELATIVE], difference);
	rg_sum_add(&s->sums[RG_SUM_ABS_RELATIVE], fabs(difference));
	rg_sum_add(&s->sums[RG_SUM_OLD], old);
	rg_sum_add(&s->sums[RG_SUM_NEW], new);
	s->counted++;
	s->above_zero += difference > 0 ? 1 : 0;
	note_largest(&s->max_rel, &s->max_rel_at, fabs(difference), at);
}

/* One pair by itself: the ends of tensors, and chunks that are not finite throughout. */
static void add_pair(segment *s, size_t at, double old, double new)
{
	double err = new - old;

	if (!isfinite(old) || !isfinite(new)) {
		note_nonfinite(s, old, new);
		return;
	}
	rg_sum_add(&s->sums[RG_SUM_ERR2], err * err);
	rg_sum_add(&s->sums[RG_SUM_REF2], old * old);
	rg_sum_add(&s->sums[RG_SUM_NEW2], new *new);
	rg_sum_add(&s->sums[RG_SUM_PRODUCT], old * new);
	rg_sum_add(&s->sums[RG_SUM_ABS_ERR], fabs(err));
	rg_sum_add(&s->sums[RG_SUM_ERR], err);
	s->finite++;
	note_largest(&s->max_abs, &s->max_abs_at, fabs(err), at);
	if (fabs(old) >= RG_NEAR_ZERO)
		note_relative(s, at, old, new);
	else
		s->near_zero++;
}

/* The number of the first element among those that are marked; one is. */
static size_t first_of(const worker *w, size_t at, const bool *marked, size_t count)
{
	size_t i = 0;

	if (w->pair->permuted)
		return rg_tensor_pair_first(w->pair, at, count, marked, SIZE_MAX);
	while (i + 1 < count && !marked[i])
		i++;
	return at + i;
}

/* Is one of these elements in front of the one that is known? Not where they lie in their order. */
static bool may_be_first(const worker *w, size_t at, size_t count, size_t known)
{
	return w->pair->permuted && rg_tensor_pair_first(w->pair, at, count, NULL, known) < known;
}

/* May a chunk's largest difference change what is known: by its size, or by its place? */
static bool is_news(const worker *w, size_t at, double value, double largest, size_t where)
{
	return value > largest ||
	       (value == largest && value > 0 && may_be_first(w, at, RG_CHUNK, where));
}

static bool abs_is_news(const worker *w, const segment *s, const rg_chunk_figures *f, size_t at)
{
	return is_news(w, at, f->max_abs, s->max_abs, s->max_abs_at);
}

static bool rel_is_news(const worker *w, const segment *s, const rg_chunk_figures *f, size_t at)
{
	return f->counted && is_news(w, at, f->max_rel, s->max_rel, s->max_rel_at);
}

/* The first element of a chunk that reaches its largest differences. */
static void find_largest(worker *w, segment *s, const rg_chunk_figures *f, size_t at)
{
	const double *old = w->old_values, *new = w->new_values;
	bool marked[RG_CHUNK];
	size_t i;

	if (abs_is_news(w, s, f, at)) {
		for (i = 0; i < RG_CHUNK; i++)
			marked[i] = fabs(new[i] - old[i]) == f->max_abs;
		note_largest(&s->max_abs, &s->max_abs_at, f->max_abs,
			     first_of(w, at, marked, RG_CHUNK));
	}
	if (rel_is_news(w, s, f, at)) {
		/* The largest may be infinite though all that it is taken from is finite. */
		for (i = 0; i < RG_CHUNK; i++)
			marked[i] = isfinite(new[i]) && fabs(old[i]) >= RG_NEAR_ZERO &&
				    fabs((old[i] - new[i]) / old[i]) == f->max_rel;
		note_largest(&s->max_rel, &s->max_rel_at, f->max_rel,
			     first_of(w, at, marked, RG_CHUNK));
	}
}

/* Are a chunk's elements turned into doubles before they are added? */
static bool converts(const worker *w)
{
	return w->kind == RG_CHUNK_DOUBLES && w->dtype != RG_DTYPE_FLOAT64;
}

/* The elements as doubles, whatever their type. */
static void values_of(worker *w, const unsigned char *old, const unsigned char *new, size_t count)
{
	bool big_endian = !rg_dtype_is_host_order(w->dtype, false);

	rg_dtype_to_double(w->dtype, big_endian, old, count, w->old_values);
	rg_dtype_to_double(w->dtype, big_endian, new, count, w->new_values);
}

static void add_figures(worker *w, segment *s, const rg_chunk_figures *figures, size_t at,
			size_t finite)
{
	s->finite += finite;
	s->counted += figures->counted;
	s->above_zero += figures->above_zero;
	s->near_zero += finite - figures->counted;
	find_largest(w, s, figures, at);
}

/* Adds a whole chunk by vectors; false where it holds what is not finite. Leaves the values
 * converted where they are not read as they stand. */
static bool add_chunk(worker *w, segment *s, size_t at, const unsigned char *old,
		      const unsigned char *new, bool equal)
{
	const rg_chunk_functions *f = w->functions;
	const void *left = old, *right = new;
	rg_chunk_figures figures;

	if (converts(w)) {
		values_of(w, old, new, RG_CHUNK);
		left = w->old_values;
		right = w->new_values;
	}
	if (!(equal ? f->equal : f->pairs)[w->kind](&w->lanes, &figures, left, right))
		return false;
	if (!converts(w) && (abs_is_news(w, s, &figures, at) || rel_is_news(w, s, &figures, at)))
		values_of(w, old, new, RG_CHUNK);
	add_figures(w, s, &figures, at, RG_CHUNK);
	return true;
}

/* Adds a whole chunk of which some pairs are not finite: these add nothing as zeros. False where a
 * difference is past the range of doubles, with nothing added. */
static bool add_finite_part(worker *w, segment *s, size_t at)
{
	double old[RG_CHUNK], new[RG_CHUNK];
	rg_chunk_figures figures;
	size_t finite = 0, i;

	for (i = 0; i < RG_CHUNK; i++) {
		bool both = isfinite(w->old_values[i]) && isfinite(w->new_values[i]);

		old[i] = both ? w->old_values[i] : 0;
		new[i] = both ? w->new_values[i] : 0;
		finite += both ? 1 : 0;
	}
	if (!w->functions->pairs[RG_CHUNK_DOUBLES](&w->lanes, &figures, old, new))
		return false;
	for (i = 0; i < RG_CHUNK; i++)
		if (!isfinite(w->old_values[i]) || !isfinite(w->new_values[i]))
			note_nonfinite(s, w->old_values[i], w->new_values[i]);
	if (finite)
		add_figures(w, s, &figures, at, finite);
	return true;
}

/* Elements that are not all equal. */
static void note_difference(const worker *w, segment *s, size_t at, const unsigned char *old,
			    const unsigned char *new, size_t count)
{
	size_t size = rg_dtype_size(w->dtype), first, i;
	bool marked[RG_CHUNK];

	if (s->differs && !may_be_first(w, at, count, s->first_diff))
		return;
	for (i = 0; i < count; i++)
		marked[i] = memcmp(old + i * size, new + i *size, size) != 0;
	first = first_of(w, at, marked, count);
	if (!s->differs || first < s->first_diff)
		s->first_diff = first;
	s->differs = true;
}

/* The largest distance of the values' representations; pairs that are not finite have none. */
static uint64_t ulps_of(worker *w, const unsigned char *old, const unsigned char *new, size_t count)
{
	size_t size = rg_dtype_size(w->dtype), i;

	memmove(w->old_room, old, count * size);
	memmove(w->new_room, new, count * size);
	for (i = 0; i < count; i++)
		if (!isfinite(w->old_values[i]) || !isfinite(w->new_values[i]))
			memcpy(w->new_room + i * size, w->old_room + i * size, size);
	return rg_tensor_ulps(w->dtype, w->old_room, w->new_room, count);
}

/* Looks through no more than it takes to find some. */
static void note_bits(segment *s, const unsigned char *old, const unsigned char *new, size_t length)
{
	static const unsigned char zeros[RG_CHUNK * 8];

	if (!s->old_any)
		s->old_any = memcmp(old, zeros, length) != 0;
	if (!s->new_any)
		s->new_any = memcmp(new, zeros, length) != 0;
}

/* Up to RG_CHUNK elements from place `at` on. */
static void add_elements(worker *w, segment *s, size_t at, size_t count)
{
	const rg_tensor_pair *p = w->pair;
	const unsigned char *old = rg_tensor_pair_bytes(p, &p->old, at, count, w->old_room);
	const unsigned char *new = rg_tensor_pair_bytes(p, &p->new, at, count, w->new_room);
	size_t size = rg_dtype_size(w->dtype), i;
	bool equal = !memcmp(old, new, count * size), whole = count == RG_CHUNK;
	uint64_t ulps = 0;

	note_bits(s, old, new, count * size);
	if (!equal)
		note_difference(w, s, at, old, new, count);
	if (whole && add_chunk(w, s, at, old, new, equal)) {
		if (!equal)
			ulps = w->functions->ulps[w->kind]
				       ? w->functions->ulps[w->kind](old, new)
				       : rg_tensor_ulps(w->dtype, old, new, count);
	} else {
		if (!whole || !converts(w))
			values_of(w, old, new, count);
		if (!whole || !add_finite_part(w, s, at))
			for (i = 0; i < count; i++)
				add_pair(s, rg_tensor_pair_element(p, at + i), w->old_values[i],
					 w->new_values[i]);
		if (!equal)
			ulps = ulps_of(w, old, new, count);
	}
	s->max_ulps = ulps > s->max_ulps ? ulps : s->max_ulps;
}

static void add_segment(worker *w, segment *s, size_t at, size_t count)
{
	size_t i, k;

	*s = (segment){.max_abs = -1, .max_rel = -1};
	memset(&w->lanes, 0, sizeof(w->lanes));
	for (i = 0; i < count; i += RG_CHUNK)
		add_elements(w, s, at + i, count - i < RG_CHUNK ? count - i : RG_CHUNK);
	for (k = 0; k < RG_SUMS; k++)
		for (i = 0; i < RG_LANES; i++) {
			rg_sum_add(&s->sums[k], w->lanes.sum[k][i]);
			s->sums[k].correction += w->lanes.correction[k][i];
		}
	rg_tensor_pair_forget(w->pair, at, count);
}

/* The tensor under way: workers take segments as they come, and each has its place. */
typedef struct {
	const rg_tensor_pair *pair;
	segment *segments;
	size_t count;
	atomic_size_t next;
} job;

/* How a chunk's elements are handed to the functions for it: as they stand, or as doubles. */
static rg_chunk_kind kind_of(rg_dtype dtype)
{
	switch (dtype) {
	case RG_DTYPE_FLOAT32:
		return RG_CHUNK_FLOATS;
	case RG_DTYPE_FLOAT16:
		return RG_CHUNK_HALVES;
	case RG_DTYPE_BFLOAT16:
		return RG_CHUNK_BRAINS;
	default:
		return RG_CHUNK_DOUBLES;
	}
}

static void *run(void *context)
{
	job *j = context;
	worker w = {.pair = j->pair,
		    .functions = rg_chunk_functions_best(),
		    .dtype = j->pair->old.dtype,
		    .kind = kind_of(j->pair->old.dtype)};
	size_t i;

	while ((i = atomic_fetch_add(&j->next, 1)) < j->count && !rg_cancelled()) {
		size_t at = i * SEGMENT, left = j->pair->old.count - at;

		add_segment(&w, &j->segments[i], at, left < SEGMENT ? left : SEGMENT);
	}
	return NULL;
}

static size_t worker_count(size_t segments)
{
	size_t n = rg_cores();

	n = n < WORKERS_MAX ? n : WORKERS_MAX;
	return n < segments ? n : segments;
}

static void run_all(job *j)
{
	size_t count = worker_count(j->count), started = 0, i;
	pthread_t threads[WORKERS_MAX];

	/* This thread works too; without others it does all. */
	while (started + 1 < count && rg_thread_start(&threads[started], run, j))
		started++;
	run(j);
	for (i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
}

static void join(segment *total, const segment *s)
{
	size_t k;

	for (k = 0; k < RG_SUMS; k++) {
		rg_sum_add(&total->sums[k], s->sums[k].sum);
		total->sums[k].correction += s->sums[k].correction;
	}
	total->finite += s->finite;
	total->counted += s->counted;
	total->above_zero += s->above_zero;
	total->near_zero += s->near_zero;
	total->old_nonfinite += s->old_nonfinite;
	total->new_nonfinite += s->new_nonfinite;
	total->mismatches += s->mismatches;
	note_largest(&total->max_abs, &total->max_abs_at, s->max_abs, s->max_abs_at);
	note_largest(&total->max_rel, &total->max_rel_at, s->max_rel, s->max_rel_at);
	total->old_any |= s->old_any;
	total->new_any |= s->new_any;
	if (s->differs && (!total->differs || s->first_diff < total->first_diff))
		total->first_diff = s->first_diff;
	total->differs |= s->differs;
	total->max_ulps = s->max_ulps > total->max_ulps ? s->max_ulps : total->max_ulps;
}

static void fill_row(rg_row *row, const segment *t)
{
	double n = (double)t->counted;

	row->n_steps = t->counted;
	row->left_out.near_zero = t->near_zero;
	row->left_out.old_nonfinite = t->old_nonfinite;
	row->left_out.new_nonfinite = t->new_nonfinite;
	row->avg_rel_diff = n > 0 ? rg_sum_mean(&t->sums[RG_SUM_RELATIVE], t->counted) : NAN;
	row->mean_abs_rel = n > 0 ? rg_sum_total(&t->sums[RG_SUM_ABS_RELATIVE]) / n : NAN;
	row->old_mean = n > 0 ? rg_sum_total(&t->sums[RG_SUM_OLD]) / n : NAN;
	row->new_mean = n > 0 ? rg_sum_total(&t->sums[RG_SUM_NEW]) / n : NAN;
	row->share_above_zero = n > 0 ? (double)t->above_zero / n : NAN;
	row->max_abs_rel = n > 0 ? t->max_rel : NAN;
	row->max_abs_rel_step = (int64_t)t->max_rel_at;
	row->max_abs = t->max_abs > 0 ? t->max_abs : 0;
	row->max_ulps = t->max_ulps;
	row->identical = !t->differs;
	row->first_diff_known = t->differs;
	row->first_diff = (int64_t)t->first_diff;
}

bool rg_tensor_is_pair(const rg_metric *old, const rg_metric *new)
{
	const rg_tensor *a = old->tensor, *b = new->tensor;

	return a && b && a->dtype == b->dtype && rg_tensor_same_shape(a, b);
}

rg_error *rg_tensor_statistics(rg_row *row, rg_arena *arena, const rg_metric *old,
			       const rg_metric *new)
{
	rg_tensor_pair pair;
	job j = {.pair = &pair};
	segment total = {.max_abs = -1, .max_rel = -1};
	rg_tensor_sums sums;
	rg_tensor_norms norms;
	rg_tensor_stats *stats;
	rg_error *err;
	size_t i;

	rg_tensor_pair_init(&pair, old->tensor, new->tensor);
	j.count = (pair.old.count + SEGMENT - 1) / SEGMENT;
	j.segments = calloc(j.count + 1, sizeof(*j.segments));
	if (!j.segments)
		return rg_error_nomem();
	run_all(&j);
	err = rg_cancel_check();
	for (i = 0; i < j.count; i++)
		join(&total, &j.segments[i]);
	free(j.segments);
	if (err)
		return err;
	fill_row(row, &total);
	sums = (rg_tensor_sums){
		.err2 = rg_sum_total(&total.sums[RG_SUM_ERR2]),
		.ref2 = rg_sum_total(&total.sums[RG_SUM_REF2]),
		.new2 = rg_sum_total(&total.sums[RG_SUM_NEW2]),
		.product = rg_sum_total(&total.sums[RG_SUM_PRODUCT]),
		.abs_err = rg_sum_total(&total.sums[RG_SUM_ABS_ERR]),
		.err = rg_sum_total(&total.sums[RG_SUM_ERR]),
		.count = total.finite,
		.mismatches = total.mismatches,
		.worst = total.max_abs_at,
		.old_is_zero = !total.old_any,
		.new_is_zero = !total.new_any,
	};
	/* No other type's values are so large or small. */
	if (pair.old.dtype == RG_DTYPE_FLOAT64 && rg_tensor_norms_begin(&norms, &sums)) {
		RG_TRY(rg_tensor_pairs(old, new, true, rg_tensor_norms_add, &norms));
		rg_tensor_norms_finish(&norms, &sums);
	}
	RG_TRY(rg_tensor_stats_make(&stats, arena, &sums, new));
	row->tensor = stats;
	return NULL;
}

rg_error *rg_tensor_pairs(const rg_metric *old, const rg_metric *new, bool equal,
			  rg_tensor_pairs_fn *add, void *context)
{
	worker w = {.dtype = old->tensor->dtype};
	size_t size = rg_dtype_size(w.dtype), at, count;
	rg_tensor_pair pair;
	rg_error *err;

	rg_tensor_pair_init(&pair, old->tensor, new->tensor);
	for (at = 0; at < pair.old.count; at += count) {
		const unsigned char *left, *right;

		count = pair.old.count - at < RG_CHUNK ? pair.old.count - at : RG_CHUNK;
		left = rg_tensor_pair_bytes(&pair, &pair.old, at, count, w.old_room);
		right = rg_tensor_pair_bytes(&pair, &pair.new, at, count, w.new_room);
		if (!equal && !memcmp(left, right, count * size)) {
			err = add(context, NULL, NULL, 0);
		} else {
			values_of(&w, left, right, count);
			err = add(context, w.old_values, w.new_values, count);
		}
		if (err)
			return err;
		if ((at + count) % SEGMENT == 0) {
			RG_TRY(rg_cancel_check());
			rg_tensor_pair_forget(&pair, at + count - SEGMENT, SEGMENT);
		}
	}
	return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/pair_figures.h"

#include "golden/records.h"

#include <math.h>
#include <string.h>

void rg_pair_figures_begin(rg_pair_figures *out, rg_pair_scratch *scratch,
			   const rg_pair_setting *setting)
{
	*out = (rg_pair_figures){.setting = setting, .max_abs = -1, .max_rel = -1};
	rg_score_init(&out->score, setting->policy);
	memset(&scratch->lanes, 0, sizeof(scratch->lanes));
	scratch->place = 0;
}

void rg_pair_figures_release(rg_pair_figures *figures)
{
	rg_score_release(&figures->score);
}

static void scale(double *values, size_t count, int exponent)
{
	const double by = ldexp(1, exponent);
	for (size_t i = 0; i < count && exponent; i++)
		values[i] *= by;
}

/* Are all integers ones that doubles have? */
static bool are_small(const rg_pair_scratch *s, size_t count)
{
	double largest = 0;
	for (size_t i = 0; i < count; i++) {
		largest = fabs(s->old[i]) > largest ? fabs(s->old[i]) : largest;
		largest = fabs(s->fresh[i]) > largest ? fabs(s->fresh[i]) : largest;
	}
	return largest < 0x1p53;
}

/* Finds the parts of differences that the doubles of a wide type leave out; false if there are
 * none. Scaled values keep no more than their doubles. */
static bool find_more(const rg_pair_figures *f, rg_pair_scratch *s, const rg_pair_chunk *c)
{
	double of_old[RG_CHUNK];
	bool found = false;

	if (!rg_dtype_is_wide(c->dtype) || f->setting->old_exponent || f->setting->new_exponent ||
	    (c->dtype != RG_DTYPE_LONGDOUBLE && are_small(s, c->count)))
		return false;
	rg_dtype_rest(c->dtype, c->old, c->count, of_old);
	rg_dtype_rest(c->dtype, c->fresh, c->count, s->more);
	for (size_t i = 0; i < c->count; i++) {
		s->more[i] -= of_old[i];
		found |= s->more[i] != 0;
	}
	return found;
}

static double scale_of(const rg_pair_figures *f)
{
	return f->setting->scaled ? RG_SCALE : 1;
}

static double difference_of(const rg_pair_scratch *s, size_t i)
{
	const double difference = s->fresh[i] - s->old[i];
	return s->wide ? difference + s->more[i] : difference;
}

/* fresh - old, scaled: before they are subtracted only where no double is that large, as small
 * values would lose digits. */
static double error_of(const rg_pair_figures *f, const rg_pair_scratch *s, size_t i)
{
	const double by = scale_of(f), difference = difference_of(s, i);
	return isinf(difference) ? s->fresh[i] * by - s->old[i] * by : difference * by;
}

/* The same, relative to the old value. */
static double relative_of(const rg_pair_figures *f, const rg_pair_scratch *s, size_t i)
{
	const double difference = difference_of(s, i);
	return isinf(difference) ? error_of(f, s, i) / s->old[i]
				 : difference / s->old[i] * scale_of(f);
}

/* The chunk's values as doubles, filled up with zeros, which add nothing, to whole lanes. */
static void convert(const rg_pair_figures *f, rg_pair_scratch *s, const rg_pair_chunk *c)
{
	const bool big_endian = !rg_dtype_is_host_order(c->dtype, false);
	if (s->converted)
		return;
	s->converted = true;
	rg_dtype_to_double(c->dtype, big_endian, c->old, c->count, s->old);
	rg_dtype_to_double(c->dtype, big_endian, c->fresh, c->count, s->fresh);
	scale(s->old, c->count, f->setting->old_exponent);
	scale(s->fresh, c->count, f->setting->new_exponent);
	s->wide = find_more(f, s, c);
	for (size_t i = c->count; i % RG_LANES; i++)
		s->old[i] = s->fresh[i] = 0;
}

/* Has a relative figure. */
static bool counts(const rg_pair_figures *f, double old)
{
	return fabs(old) >= f->setting->policy->near_zero;
}

static bool is_finite_pair(const rg_pair_scratch *s, size_t i)
{
	return isfinite(s->old[i]) && isfinite(s->fresh[i]);
}

/* The step, or the element's number, of the first pair that is marked; one is. */
static int64_t first_of(const rg_pair_chunk *c, const bool *marked)
{
	size_t i = 0;
	if (c->permuted)
		return (int64_t)rg_tensor_pair_first(c->permuted, (size_t)c->first_step, c->count,
						     marked, SIZE_MAX);
	while (i + 1 < c->count && !marked[i])
		i++;
	return rg_chunk_step(c, i);
}

/* Does one of these pairs come before the one that is known? Never where they are read in order. */
static bool may_come_before(const rg_pair_chunk *c, int64_t known)
{
	return c->permuted && known > 0 &&
	       rg_tensor_pair_first(c->permuted, (size_t)c->first_step, c->count, NULL,
				    (size_t)known) < (size_t)known;
}

static void note_largest(double *largest, int64_t *where, double value, int64_t at)
{
	if (value > *largest || (value == *largest && at < *where)) {
		*largest = value;
		*where = at;
	}
}

/* Looks for the first pair that reaches the chunk's largest |old - fresh|, or `relative` that by
 * |old|. */
static void find_max(rg_pair_figures *f, rg_pair_scratch *s, const rg_pair_chunk *c, bool relative,
		     double max)
{
	double *largest = relative ? &f->max_rel : &f->max_abs;
	int64_t *where = relative ? &f->max_rel_at : &f->max_abs_at;
	bool marked[RG_CHUNK];

	/* Its size, or else its place, must change what is known. */
	if (!(max > *largest || (max == *largest && max > 0 && may_come_before(c, *where))))
		return;
	convert(f, s, c);
	for (size_t i = 0; i < c->count; i++) {
		marked[i] = is_finite_pair(s, i) && (!relative || counts(f, s->old[i])) &&
			    fabs(relative ? relative_of(f, s, i) : error_of(f, s, i)) == max;
	}
	note_largest(largest, where, max, first_of(c, marked));
}

/* The chunk's bytes are not the same on both sides. */
static void note_difference(rg_pair_figures *f, const rg_pair_chunk *c)
{
	size_t size = rg_dtype_size(c->dtype);
	bool marked[RG_CHUNK];

	if (f->differs && !may_come_before(c, f->first_diff))
		return;
	for (size_t i = 0; i < c->count; i++)
		marked[i] = memcmp(c->old + i * size, c->fresh + i * size, size) != 0;
	int64_t first = first_of(c, marked);
	if (!f->differs || first < f->first_diff)
		f->first_diff = first;
	f->differs = true;
}

/* The largest distance among the finite pairs. */
static void note_ulps(rg_pair_figures *f, const rg_pair_scratch *s, const rg_pair_chunk *c,
		      bool all_finite)
{
	rg_ulps_fn *ulps_of = rg_pair_kernel_get(false)->ulps[c->dtype];
	size_t size = rg_dtype_size(c->dtype);
	uint64_t ulps = all_finite ? ulps_of(c->old, c->fresh, c->count) : 0;

	for (size_t i = 0; i < c->count && !all_finite; i++)
		if (is_finite_pair(s, i)) {
			uint64_t one = ulps_of(c->old + i * size, c->fresh + i * size, 1);
			ulps = one > ulps ? one : ulps;
		}
	f->max_ulps = ulps > f->max_ulps ? ulps : f->max_ulps;
}

static void leave_out(rg_pair_figures *f, const rg_pair_scratch *s, const rg_pair_chunk *c,
		      size_t i, rg_left_reason reason)
{
	int64_t step = rg_chunk_step(c, i);
	f->left_out.by[reason]++;
	if (f->setting->left)
		rg_step_ranges_add(&f->setting->left->by[reason], s->place + i, step, step, 1);
}

/* All steps of a chunk. */
static void leave_out_all(const rg_pair_figures *f, const rg_pair_scratch *s,
			  const rg_pair_chunk *c, rg_left_reason reason)
{
	rg_step_ranges *ranges = f->setting->left ? &f->setting->left->by[reason] : NULL;
	if (!ranges)
		return;
	if (!ranges->records)
		rg_step_ranges_add(ranges, s->place, rg_chunk_step(c, 0),
				   rg_chunk_step(c, c->count - 1), c->count);
	for (size_t i = 0; ranges->records && i < c->count; i++)
		rg_step_ranges_add(ranges, s->place + i, rg_chunk_step(c, i), rg_chunk_step(c, i),
				   1);
}

/* The pairs that do not count in relative figures, one by one. */
static void note_left_out(rg_pair_figures *f, rg_pair_scratch *s, const rg_pair_chunk *c)
{
	convert(f, s, c);
	for (size_t i = 0; i < c->count; i++) {
		double old = s->old[i], fresh = s->fresh[i];
		bool news = rg_nonfinite_is_news(old, fresh);
		if (news)
			leave_out(f, s, c, i, RG_LEFT_NEW_NONFINITE);
		else if (!isfinite(old))
			leave_out(f, s, c, i, RG_LEFT_OLD_NONFINITE);
		else if (!counts(f, old))
			leave_out(f, s, c, i, RG_LEFT_NEAR_ZERO);
		if (news || rg_nonfinite_is_news(fresh, old)) {
			f->mismatches++;
			f->differing++;
			f->unscored += isfinite(old) ? 0 : 1;
		}
	}
}

static void keep_too_small(rg_too_small *kept, const rg_too_small *more)
{
	if (more->count &&
	    (!kept->count || fabs(more->fresh - more->old) > fabs(kept->fresh - kept->old))) {
		kept->old = more->old;
		kept->fresh = more->fresh;
	}
	kept->rel = fmax(kept->rel, more->rel);
	kept->count += more->count;
}

static void keep_from_zero(rg_from_zero *kept, const rg_from_zero *more)
{
	if (fabs(more->largest) > fabs(kept->largest)) {
		kept->largest = more->largest;
		kept->old = more->old;
	}
	kept->count += more->count;
}

/* The pairs that differ and do not count; those under the floor are equal. */
static void note_too_small(rg_pair_figures *f, rg_pair_scratch *s, const rg_pair_chunk *c)
{
	const rg_metric_policy *policy = f->setting->policy;
	convert(f, s, c);
	for (size_t i = 0; i < c->count; i++) {
		rg_too_small one = {.count = 1, .old = s->old[i], .fresh = s->fresh[i]};
		const bool from_zero = one.old == 0 || counts(f, one.fresh);
		if (!is_finite_pair(s, i) || counts(f, one.old) || error_of(f, s, i) == 0 ||
		    rg_policy_is_under_floor(policy, one.old, one.fresh))
			continue;
		if (from_zero)
			keep_from_zero(
				&f->from_zero,
				&(rg_from_zero){.count = 1, .largest = one.fresh, .old = one.old});
		else
			one.rel = fabs(relative_of(f, s, i));
		keep_too_small(&f->too_small, &one);
	}
}

/* Adds pairs whose differences no doubles show, or only scaled. Returns how many are finite. */
static size_t add_wide(const rg_pair_figures *f, rg_pair_scratch *s, rg_chunk_figures *got,
		       size_t count)
{
	size_t finite = 0;
	*got = (rg_chunk_figures){0};
	for (size_t i = 0; i < count; i++) {
		const double old = s->old[i], fresh = s->fresh[i], err = error_of(f, s, i);
		const bool counted = counts(f, old);
		const double rel = counted ? relative_of(f, s, i) : 0;
		const double part = counted ? scale_of(f) : 0;
		const double terms[RG_SUMS] = {
			[RG_SUM_ERR2] = err * err,     [RG_SUM_REF2] = old * old,
			[RG_SUM_NEW2] = fresh * fresh, [RG_SUM_PRODUCT] = old * fresh,
			[RG_SUM_ABS_ERR] = fabs(err),  [RG_SUM_ERR] = err,
			[RG_SUM_RELATIVE] = -rel,      [RG_SUM_ABS_RELATIVE] = fabs(rel),
			[RG_SUM_OLD] = old * part,     [RG_SUM_NEW] = fresh * part,
		};

		if (!is_finite_pair(s, i))
			continue;
		finite++;
		for (size_t k = 0; k < RG_SUMS; k++) {
			rg_sum sum = {s->lanes.sum[k][i % RG_LANES],
				      s->lanes.correction[k][i % RG_LANES]};

			rg_sum_add(&sum, terms[k]);
			s->lanes.sum[k][i % RG_LANES] = sum.sum;
			s->lanes.correction[k][i % RG_LANES] = sum.correction;
		}
		got->counted += counted;
		got->above_zero += rel < 0;
		const bool differ = difference_of(s, i) != 0;
		got->differing += differ;
		got->too_small += differ && !counted;
		got->max_abs = fmax(got->max_abs, fabs(err));
		if (differ)
			got->max_rel_any = fmax(got->max_rel_any, fabs(relative_of(f, s, i)));
		got->max_rel = fmax(got->max_rel, fabs(rel));
	}
	return finite;
}

/* Adds the chunk to the sums as doubles; pairs that are not finite add zeros. Returns how many are
 * finite. */
static size_t add_doubles(rg_pair_figures *f, rg_pair_scratch *s, const rg_pair_chunk *c,
			  rg_chunk_figures *got)
{
	rg_add_pairs_fn *add = rg_pair_kernel_get(false)->add[RG_READ_DOUBLES];
	size_t whole = (c->count + RG_LANES - 1) / RG_LANES * RG_LANES, finite = 0;
	double old[RG_CHUNK], fresh[RG_CHUNK], near_zero = f->setting->policy->near_zero;

	convert(f, s, c);
	if (s->wide || f->setting->scaled)
		return add_wide(f, s, got, c->count);
	if (add(&s->lanes, got, s->old, s->fresh, whole, near_zero, false))
		return c->count;
	for (size_t i = 0; i < whole; i++) {
		bool both = is_finite_pair(s, i);
		old[i] = both ? s->old[i] : 0;
		fresh[i] = both ? s->fresh[i] : 0;
		finite += both && i < c->count;
	}
	(void)add(&s->lanes, got, old, fresh, whole, near_zero, true);
	return finite;
}

/* Pairs that the policy looks at. */
static void add_pairs(rg_pair_figures *f, rg_pair_scratch *s, const rg_pair_chunk *c)
{
	static const rg_read_as read_as[RG_DTYPE_COUNT] = {[RG_DTYPE_FLOAT32] = RG_READ_FLOATS,
							   [RG_DTYPE_FLOAT16] = RG_READ_HALVES,
							   [RG_DTYPE_BFLOAT16] = RG_READ_BRAINS};
	const rg_read_as as = read_as[c->dtype];
	bool equal = !memcmp(c->old, c->fresh, c->count * rg_dtype_size(c->dtype));
	const rg_pair_kernel *kernel = rg_pair_kernel_get(false);
	size_t finite = c->count;
	rg_chunk_figures got;

	s->converted = false;
	if (!equal)
		note_difference(f, c);
	if (as == RG_READ_DOUBLES || c->count < RG_CHUNK || f->setting->scaled ||
	    !(equal ? kernel->add_equal : kernel->add)[as](&s->lanes, &got, c->old, c->fresh,
							   c->count, f->setting->policy->near_zero,
							   false))
		finite = add_doubles(f, s, c, &got);
	f->finite += finite;
	f->counted += got.counted;
	f->above_zero += got.above_zero;
	f->differing += got.differing;
	f->max_rel_any = fmax(f->max_rel_any, got.max_rel_any);
	if (finite < c->count || (f->setting->left && got.counted < finite))
		note_left_out(f, s, c);
	else
		f->left_out.near_zero += finite - got.counted;
	if (got.too_small)
		note_too_small(f, s, c);
	if (finite)
		find_max(f, s, c, false, got.max_abs);
	if (got.counted)
		find_max(f, s, c, true, got.max_rel);
	if (!equal)
		note_ulps(f, s, c, finite == c->count);
	if (!rg_score_needs_pairs(f->setting->policy))
		return;
	convert(f, s, c);
	rg_score_add(&f->score, c, s->old, s->fresh, s->wide ? s->more : NULL);
}

/* Steps that the policy does not look at: are they the same? */
static void pass_over(rg_pair_figures *f, rg_pair_scratch *s, const rg_pair_chunk *c)
{
	if (!c->count)
		return;
	f->left_out.not_looked_at += c->count;
	if (memcmp(c->old, c->fresh, c->count * rg_dtype_size(c->dtype)) != 0) {
		f->differs_elsewhere = true;
		s->converted = false;
		convert(f, s, c);
		for (size_t i = 0; i < c->count; i++)
			f->nonfinite_elsewhere += rg_nonfinite_is_news(s->old[i], s->fresh[i]);
	}
	leave_out_all(f, s, c, RG_LEFT_NOT_LOOKED_AT);
}

/* Adds steps of one side; the policy looks at those from `from` to before `to`. Those of a record
 * that the other side lacks are counted with the record. */
static void add_alone(rg_pair_figures *f, const rg_pair_scratch *s, const rg_pair_chunk *c,
		      size_t from, size_t to)
{
	const rg_records *records = f->setting->left ? f->setting->left->by[0].records : NULL;
	const bool of_old = c->side == RG_OLD_ONLY;
	const rg_left_reason reason = of_old ? RG_LEFT_OLD_ONLY : RG_LEFT_NEW_ONLY;
	size_t *alone = of_old ? &f->lost : &f->gained;

	if (!c->old && !records) {
		*alone += to - from;
		f->left_out.by[reason] += c->count;
		leave_out_all(f, s, c, reason);
		return;
	}
	for (size_t i = 0; i < c->count; i++) {
		const int64_t step = rg_chunk_step(c, i);
		double value = 0;

		if (c->old)
			memcpy(&value, c->old + i * sizeof(value), sizeof(value));
		if (rg_record_is_alone(records, step))
			continue;
		const bool dropped = rg_is_placeholder(value, records, step);
		leave_out(f, s, c, i, dropped ? RG_LEFT_OLD_PLACEHOLDER : reason);
		*alone += !dropped && i >= from && i < to;
	}
}

/* `count` steps of the chunk, from place `from` on. */
static rg_pair_chunk part_of(const rg_pair_chunk *chunk, size_t from, size_t count)
{
	const size_t bytes = from * rg_dtype_size(chunk->dtype);
	rg_pair_chunk part = *chunk;

	part.count = count;
	part.first_step += (int64_t)from;
	if (part.steps)
		part.steps += from;
	if (part.side == RG_BOTH_SIDES) {
		part.old += bytes;
		part.fresh += bytes;
	}
	return part;
}

void rg_pair_figures_add(rg_pair_figures *f, rg_pair_scratch *s, const rg_pair_chunk *c)
{
	const rg_metric_policy *policy = f->setting->policy;
	size_t from = 0, to = c->count;

	if (policy->first_step != INT64_MIN)
		from = rg_chunk_steps_before(c, policy->first_step);
	if (policy->last_step != INT64_MAX)
		to = rg_chunk_steps_before(c, policy->last_step + 1);
	if (c->side != RG_BOTH_SIDES) {
		add_alone(f, s, c, from, to);
		s->place += c->count;
		return;
	}
	rg_pair_chunk part = part_of(c, 0, from);
	pass_over(f, s, &part);
	s->place += from;
	if (to > from) {
		part = part_of(c, from, to - from);
		add_pairs(f, s, &part);
	}
	s->place += to - from;
	part = part_of(c, to, c->count - to);
	pass_over(f, s, &part);
	s->place += c->count - to;
}

void rg_pair_figures_end(rg_pair_figures *f, const rg_pair_scratch *s)
{
	for (size_t k = 0; k < RG_SUMS; k++)
		for (size_t i = 0; i < RG_LANES; i++) {
			rg_sum_add(&f->sums[k], s->lanes.sum[k][i]);
			f->sums[k].correction += s->lanes.correction[k][i];
		}
}

void rg_pair_figures_join(rg_pair_figures *f, const rg_pair_figures *part)
{
	for (size_t k = 0; k < RG_SUMS; k++) {
		rg_sum_add(&f->sums[k], part->sums[k].sum);
		f->sums[k].correction += part->sums[k].correction;
	}
	f->finite += part->finite;
	f->counted += part->counted;
	f->above_zero += part->above_zero;
	f->differing += part->differing;
	f->mismatches += part->mismatches;
	keep_too_small(&f->too_small, &part->too_small);
	keep_from_zero(&f->from_zero, &part->from_zero);
	f->unscored += part->unscored;
	for (size_t k = 0; k < RG_LEFT_REASONS; k++)
		f->left_out.by[k] += part->left_out.by[k];
	note_largest(&f->max_abs, &f->max_abs_at, part->max_abs, part->max_abs_at);
	note_largest(&f->max_rel, &f->max_rel_at, part->max_rel, part->max_rel_at);
	f->max_rel_any = fmax(f->max_rel_any, part->max_rel_any);
	if (part->differs && (!f->differs || part->first_diff < f->first_diff))
		f->first_diff = part->first_diff;
	f->differs |= part->differs;
	f->differs_elsewhere |= part->differs_elsewhere;
	f->nonfinite_elsewhere += part->nonfinite_elsewhere;
	f->max_ulps = part->max_ulps > f->max_ulps ? part->max_ulps : f->max_ulps;
	rg_score_join(&f->score, &part->score);
}

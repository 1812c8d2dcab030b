/* SPDX-License-Identifier: Apache-2.0 */
#include "story/parts.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer rows have no spread to compare one of them with: those of all variants are taken then. */
enum { SPREAD_MIN = 5 };
/* So many robust deviations away is an outlier: a normal distribution has 2 in 1,000,000,000
 * there. */
static const double OUTLIER = 6;
/* The median of |deviation| times this is a normal distribution's standard deviation. */
static const double MAD_SCALE = 1.4826;

const char *const rg_story_mark_names[RG_MARKS] = {
	"outlier", "fails a check", "over its flag level", "cancels", "lost or not finite"};

/* --- outliers --- */

/* The rows that one is compared with. */
typedef struct {
	double *sorted; /* their changes */
	size_t count;
	double deviation;
} crowd;

/* `values` has room for twice as many as there are rows. */
static crowd crowd_of(const rg_story_row *rows, size_t count, double *values)
{
	crowd c = {.sorted = values};
	double *away = values + count;

	for (size_t i = 0; i < count; i++)
		if (isfinite(rg_story_change(rows[i].row)))
			values[c.count++] = rg_story_change(rows[i].row);
	qsort(values, c.count, sizeof(*values), rg_compare_doubles);
	memcpy(away, values, c.count * sizeof(*away));
	const double median = rg_median(away, c.count);
	for (size_t i = 0; i < c.count; i++)
		away[i] = fabs(values[i] - median);
	c.deviation = MAD_SCALE * rg_median(away, c.count);
	return c;
}

/* The one at `at` of the sorted values, if `without` were not among them. */
static double value_without(const crowd *c, double without, size_t at)
{
	return c->sorted[at + (c->sorted[at] >= without)];
}

static double median_without(const crowd *c, double without)
{
	const size_t rest = c->count - 1;
	return (value_without(c, without, (rest - 1) / 2) + value_without(c, without, rest / 2)) /
	       2;
}

/* A row less than a flag level, or than half of the shift, away from the others is with them,
 * however close they are. */
static void compare_with(rg_story_row *r, const crowd *c, bool of_stage)
{
	const double value = rg_story_change(r->row);
	r->distance = 0;
	r->outlier = false;
	if (!isfinite(value) || c->count < SPREAD_MIN || r->policy.kind == RG_POLICY_IGNORE)
		return;
	const double others = median_without(c, value), away = fabs(value - others);
	const double near = fmax(rg_story_level(&r->policy), fabs(others) / 2);
	r->of_stage = of_stage;
	r->others = c->count - 1;
	r->others_median = others;
	r->distance = away > 0 ? away / fmax(c->deviation, near / OUTLIER) : 0;
	r->outlier = r->distance >= OUTLIER;
}

static void find_outliers(rg_story_row *rows, size_t count, double *values, bool of_stage)
{
	const crowd c = crowd_of(rows, count, values);
	for (size_t i = 0; i < count; i++)
		compare_with(&rows[i], &c, of_stage);
}

static bool same_family(const rg_story_row *a, const rg_story_row *b)
{
	return !strcmp(a->family, b->family);
}

static bool same_stage(const rg_story_row *a, const rg_story_row *b)
{
	return !strcmp(a->family, b->family) && a->row->kind == b->row->kind &&
	       !rg_name_part_compare(&a->name.stage, &b->name.stage);
}

static bool same_group(const rg_story_row *a, const rg_story_row *b)
{
	return same_stage(a, b) && !rg_name_part_compare(&a->name.variant, &b->name.variant);
}

/* How many rows from the first on are alike. */
static size_t run_of(const rg_story_row *rows, size_t count,
		     bool same(const rg_story_row *, const rg_story_row *))
{
	size_t n = 1;
	while (n < count && same(&rows[0], &rows[n]))
		n++;
	return n;
}

/* The rows of one metric and stage, of all variants first. */
static void find_in_stage(rg_story_row *rows, size_t count, size_t *group, double *values)
{
	const bool counted = rg_story_is_counted(rows);
	size_t n;

	if (!counted)
		find_outliers(rows, count, values, true);
	for (size_t at = 0; at < count; at += n) {
		n = run_of(rows + at, count - at, same_group);
		if (!counted && n >= SPREAD_MIN)
			find_outliers(rows + at, n, values, false);
		for (size_t i = at; i < at + n; i++)
			rows[i].group = *group;
		++*group;
	}
}

static void find_all_outliers(rg_story *story)
{
	RG_AUTO_FREE double *values = rg_malloc((story->row_count + 1) * 2 * sizeof(*values));
	size_t group = 0, n;

	for (size_t at = 0; at < story->row_count; at += n) {
		n = run_of(story->rows + at, story->row_count - at, same_family);
		for (size_t i = at; i < at + n; i++)
			story->rows[i].kin = n;
	}
	for (size_t at = 0; at < story->row_count; at += n) {
		n = run_of(story->rows + at, story->row_count - at, same_stage);
		find_in_stage(story->rows + at, n, &group, values);
	}
}

/* --- order --- */

/* How many levels a row is over what is expected of it, or away from the others. */
static double weight_of(const rg_story_row *r)
{
	const double away = fabs(rg_story_change(r->row) - r->others_median);
	return r->outlier ? fmax(r->over, away / rg_story_level(&r->policy)) : r->over;
}

/* Rows that break a gate come first. */
static int tier_of(const rg_story_row *r)
{
	return r->row->level == RG_LEVEL_FAIL ? 0 : 1 + !(r->outlier || r->review);
}

/* Nothing is worse than a value that is gone or no number. */
static bool is_broken(const rg_story_row *r)
{
	return r->row->left_out.new_nonfinite || r->row->lost;
}

/* Rows and gaps lie in arrays of their own. */
RG_ORDER(by_weight, rg_story_row,
	 RG_BY(tier_of(x), tier_of(y)) || RG_RISING(class_of) ||
		 RG_BY(is_broken(y), is_broken(x)) || RG_BY(weight_of(y), weight_of(x)) ||
		 RG_FALLING(outlier) || RG_FALLING(size) || RG_RISING(row->gap) || RG_RISING(row));

/* --- a row --- */

static double over_level(const rg_story_row *r)
{
	const double level = rg_story_level(&r->policy);
	const double score = fmax(r->row->level == RG_LEVEL_NONE ? 0 : r->row->score,
				  rg_row_hidden(r->row, &r->policy));

	if (isinf(r->size) || (score > 0 && level == 0))
		return INFINITY;
	return score > 0 ? score / level : 0;
}

/* Over a flag level, but no more than what was measured: that was looked at already. */
static bool is_measured_noise(const rg_row *row)
{
	return rg_row_is_measured_noise(row) && row->level != RG_LEVEL_FAIL &&
	       !row->left_out.new_nonfinite && !row->lost && !row->filled && !row->over.count &&
	       !row->from_zero.needs_look && !row->beside && !row->check_needs_look && !row->passed;
}

static void judge(rg_story_row *r)
{
	const rg_row *row = r->row;

	r->cancels = rg_row_cancels(row, &r->policy);
	r->size = row->tensor && row->kind == RG_ROW_SERIES ? rg_row_noise(row)
		  : row->kind == RG_ROW_EXACT || isnan(row->moved) || row->beside
			  ? (rg_story_differs(row) ? INFINITY : 0)
		  : r->cancels ? row->mean_abs_rel
			       : row->moved;
	r->over = over_level(r);
	r->review = !is_measured_noise(row) &&
		    (rg_row_needs_review(row) || row->repaired ||
		     (row->tensor && row->tensor->types) ||
		     (row->left_out.new_only && !row->ignored) ||
		     (row->kind == RG_ROW_EXACT && isinf(r->size) && !row->ignored) ||
		     rg_row_hidden(row, &r->policy) >= rg_story_level(&r->policy));
}

/* --- every row's place --- */

/* A row by itself; mark_outlier has its place in its group. */
static void mark(rg_story_place *out, const rg_story_row *r)
{
	const rg_row *row = r->row;
	const bool over = (row->level >= RG_LEVEL_FLAG && row->score >= r->policy.flag) ||
			  row->score > row->fail_at ||
			  rg_row_hidden(row, &r->policy) >= rg_story_level(&r->policy);

	*out = (rg_story_place){.look = row->level == RG_LEVEL_FAIL ? RG_LOOK_FAILS
					: r->review                 ? RG_LOOK_MUST
								    : RG_LOOK_NONE,
				.over = r->over,
				.size = r->size,
				.is_member = true};
	out->marks = (row->verdict.stands_out ? RG_MARK_OUTLIER : 0U) |
		     (row->check_needs_look ? RG_MARK_CHECK : 0U) |
		     (over && !is_measured_noise(row) && !row->ignored ? RG_MARK_LEVEL : 0U) |
		     (r->cancels && r->review ? RG_MARK_CANCELS : 0U) |
		     (row->left_out.new_nonfinite || row->lost ? RG_MARK_LOST : 0U);
}

static void mark_outlier(rg_story_place *out, const rg_story_row *r)
{
	out->is_member = false;
	if (!r->outlier)
		return;
	out->marks |= RG_MARK_OUTLIER;
	if (out->look == RG_LOOK_NONE)
		out->look = RG_LOOK_MUST;
}

RG_ORDER_OF_POINTERS(by_place, rg_story_place,
		     RG_BY(!x->look, !y->look) || RG_RISING(of) || RG_RISING(is_member) ||
			     RG_FALLING(over) || RG_FALLING(size) || RG_BY(x, y));

/* Once rows are in the story's order: each place knows its family's number until then. */
static void add_places(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	RG_AUTO_FREE const rg_story_row **families =
		rg_malloc((story->row_count + 1) * sizeof(*families));
	RG_AUTO_FREE rg_story_place **order = rg_malloc((c->row_count + 1) * sizeof(*order));
	size_t last = SIZE_MAX;

	for (size_t i = 0; i < story->row_count; i++) {
		const rg_story_row *r = &story->rows[i];
		families[r->number] = r;
		if (r->row->gap == RG_GAP_NONE)
			mark_outlier(&story->places[r->row - c->rows], r);
	}
	for (size_t i = 0; i < c->row_count; i++) {
		order[i] = &story->places[i];
		order[i]->of = families[order[i]->place];
		story->review += order[i]->look != RG_LOOK_NONE;
		if (order[i]->look != RG_LOOK_NONE && c->rows[i].file_index != last) {
			last = c->rows[i].file_index;
			story->review_goldens++;
		}
	}
	if (c->row_count)
		qsort(order, c->row_count, sizeof(*order), by_place);
	for (size_t i = 0; i < c->row_count; i++)
		order[i]->place = i;
}

/* --- rows by golden and family --- */

/* A family of its own so far. */
static void append_member(rg_story *story, const rg_row *row, rg_buf *family)
{
	rg_story_row *r = &story->rows[story->row_count++];
	r->row = row;
	r->metric = row->metric;
	r->class_of = rg_row_class(row);
	r->members = 1;
	r->changed = rg_story_differs(row);
	story->differing += r->changed;
	r->name = rg_test_name_split(row->file, story->summary->context);
	rg_policy_resolve(story->summary->policy, row->file, row->metric, &r->policy);
	judge(r);
	if (row->by_record)
		rg_family_add_column(family, row->metric);
	else
		rg_family_add(family, row->metric);
	r->family = rg_story_keep(story, family);
}

/* Rows of one metric, stage and variant come together. */
RG_ORDER(by_group, rg_story_row,
	 RG_BY_TEXT(family) || RG_RISING(row->kind) ||
		 RG_THEN(rg_name_part_compare(&x->name.stage, &y->name.stage)) ||
		 RG_THEN(rg_name_part_compare(&x->name.variant, &y->name.variant)));

RG_ORDER(by_member, rg_story_row,
	 RG_THEN(by_group(x, y)) || RG_RISING(row->file_index) || RG_RISING(row->gap) ||
		 RG_RISING(row));

static bool is_worse(const rg_story_row *a, const rg_story_row *b)
{
	if (a->review != b->review)
		return a->review;
	return a->over != b->over ? a->over > b->over : a->size > b->size;
}

/* Rows are still in the comparison's order. */
static rg_error *append_models(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	for (size_t i = 0; i < c->row_count; i++) {
		rg_story_row *r = &story->rows[i];
		rg_story_place *place = &story->places[i];

		mark(place, r);
		r->of_model = rg_models_have(c, r->row);
		if (!r->of_model)
			continue;
		rg_models_add(&story->models, &story->arena, c, story->summary->context,
			      c->row_count,
			      &(rg_model_row){.row = r->row,
					      .look = place->look,
					      .size = r->size,
					      .over = r->over});
	}
	return rg_models_finish(&story->models, &story->arena);
}

/* The members of a family that come together become one row. Returns how many there are. */
static size_t join_members(const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	rg_story_row *rows = story->rows;
	size_t kept = 0;
	for (size_t i = 0; i < story->row_count; i++) {
		rg_story_row *last = kept ? &rows[kept - 1] : NULL, one = rows[i];
		const bool begins = !last || last->row->file_index != one.row->file_index ||
				    by_group(last, &one) != 0;
		if (one.row->gap == RG_GAP_NONE)
			story->places[one.row - c->rows].place = begins ? kept : kept - 1;
		one.number = begins ? kept : kept - 1;
		if (begins) {
			rows[kept++] = one;
			continue;
		}
		one.members += last->members;
		one.changed += last->changed;
		one.metric = one.family;
		if (is_worse(last, &one)) {
			one.row = last->row;
			one.policy = last->policy;
			judge(&one);
		}
		*last = one;
	}
	return kept;
}

rg_error *rg_story_add_rows(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	story->rows = rg_calloc(c->row_count + c->gap_count + 1, sizeof(*story->rows));
	story->places = rg_calloc(c->row_count + 1, sizeof(*story->places));
	/* The rows come first, then the gaps that differ without a figure. */
	RG_AUTO(rg_buf) family = rg_buf_of(RG_BUF_ANY);
	for (size_t i = 0; i < c->row_count; i++) {
		append_member(story, &c->rows[i], &family);
		story->unchanged += c->rows[i].identical;
	}
	for (size_t i = 0; i < c->gap_count; i++)
		if (c->gaps[i].gap == RG_GAP_NO_STEPS && rg_story_differs(&c->gaps[i]))
			append_member(story, &c->gaps[i], &family);
	RG_TRY(append_models(story));
	qsort(story->rows, story->row_count, sizeof(*story->rows), by_member);
	story->row_count = join_members(story);
	find_all_outliers(story);
	if (story->row_count)
		qsort(story->rows, story->row_count, sizeof(*story->rows), by_weight);
	add_places(story);
	return NULL;
}

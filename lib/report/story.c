/* SPDX-License-Identifier: Apache-2.0 */
#include "base/median.h"
#include "base/memory.h"
#include "report/test_name.h"
#include "report/review.h"
#include "report/story_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Fewer rows have no spread to hold one of them against: those of all variants are taken then. */
enum { SPREAD_MIN = 5 };
/* As many robust deviations away is apart: a normal distribution has 2 in 1,000,000,000 there. */
static const double APART = 6;
/* The median of |deviation| times this is a normal distribution's standard deviation. */
static const double MAD_SCALE = 1.4826;

/* --- who is apart --- */

/* The rows that one is held against. */
typedef struct {
	double *sorted; /* their rg_row_typical */
	size_t count;
	double deviation;
} crowd;

/* `values` has room for twice as many as there are rows. */
static crowd crowd_of(const rg_story_row *rows, size_t count, double *values)
{
	crowd c = {.sorted = values};
	double *away = values + count;

	for (size_t i = 0; i < count; i++)
		if (isfinite(rg_row_typical(rows[i].row)))
			values[c.count++] = rg_row_typical(rows[i].row);
	qsort(values, c.count, sizeof(*values), rg_compare_doubles);
	memcpy(away, values, c.count * sizeof(*away));
	double median = rg_median(away, c.count);
	for (size_t i = 0; i < c.count; i++)
		away[i] = fabs(values[i] - median);
	c.deviation = MAD_SCALE * rg_median(away, c.count);
	return c;
}

/* Of the sorted values, the one at `at` if `without` were not among them. */
static double value_without(const crowd *c, double without, size_t at)
{
	return c->sorted[at + (c->sorted[at] >= without)];
}

static double median_without(const crowd *c, double without)
{
	size_t rest = c->count - 1;
	return (value_without(c, without, (rest - 1) / 2) + value_without(c, without, rest / 2)) /
	       2;
}

/* What is less than a level, or than half of the shift, away from the others is with them, however
 * close they are. */
static void hold_against(rg_story_row *r, const crowd *c, bool of_stage)
{
	double value = rg_row_typical(r->row);
	r->distance = 0;
	r->apart = false;
	if (!isfinite(value) || c->count < SPREAD_MIN || r->policy.kind == RG_POLICY_IGNORE)
		return;
	double others = median_without(c, value);
	double away = fabs(value - others);
	double near = fmax(rg_story_level(&r->policy), fabs(others) / 2);
	r->of_stage = of_stage;
	r->others = c->count - 1;
	r->others_median = others;
	r->distance = away > 0 ? away / fmax(c->deviation, near / APART) : 0;
	r->apart = r->distance >= APART;
}

static void find_apart(rg_story_row *rows, size_t count, double *values, bool of_stage)
{
	crowd c = crowd_of(rows, count, values);
	for (size_t i = 0; i < count; i++)
		hold_against(&rows[i], &c, of_stage);
}

static bool same_metric_and_stage(const rg_story_row *a, const rg_story_row *b)
{
	return !strcmp(a->family, b->family) && a->row->kind == b->row->kind &&
	       !rg_name_part_compare(&a->name.stage, &b->name.stage);
}

static bool same_group(const rg_story_row *a, const rg_story_row *b)
{
	return same_metric_and_stage(a, b) &&
	       !rg_name_part_compare(&a->name.variant, &b->name.variant);
}

typedef bool same_fn(const rg_story_row *a, const rg_story_row *b);

/* How many rows from the first on are alike. */
static size_t run_of(const rg_story_row *rows, size_t count, same_fn *same)
{
	size_t n = 1;
	while (n < count && same(&rows[0], &rows[n]))
		n++;
	return n;
}

/* --- a group --- */

/* Is there no shift to speak of, only what differs? */
static bool is_counted(const rg_story_row *row)
{
	return row->row->kind == RG_ROW_EXACT || row->of_model || rg_family_is_of_ids(row->family);
}

static rg_tier tier_of(const rg_story_row *r)
{
	const rg_row *row = r->row;
	bool lost = row->left_out.new_nonfinite || row->lost || row->over.count;

	if (row->level == RG_LEVEL_FAIL || (lost && r->class_of < RG_CLASS_TIME))
		return RG_TIER_BROKEN;
	return r->apart || r->looked_at ? RG_TIER_LOOK : RG_TIER_REST;
}

static void count_row(rg_group *c, rg_story_row *r)
{
	r->tier = tier_of(r);
	c->tier = r->tier < c->tier ? r->tier : c->tier;
	c->changed += r->changed > 0;
	c->over += r->looked_at || r->apart;
	c->apart += r->apart;
	c->rows += r->members;
	c->rows_changed += r->changed;
	c->errors = fmax(c->errors, r->row->standard_errors);
	if (r->members > 1)
		c->metric = r->family;
	if (!c->counted)
		rg_story_shift_add(&c->shift, &r->shift);
}

static rg_group_kind kind_of(const rg_group *c)
{
	if (!c->changed && c->tier == RG_TIER_REST)
		return RG_GROUP_SAME;
	if (c->counted)
		return RG_GROUP_DIFFERS;
	if (c->tier == RG_TIER_REST)
		return RG_GROUP_QUIET;
	return c->shift.high < 0  ? RG_GROUP_LARGER
	       : c->shift.low > 0 ? RG_GROUP_SMALLER
				  : RG_GROUP_MIXED;
}

static void describe(rg_group *c, rg_story_row *rows, size_t n, double *values)
{
	size_t count = 0;
	*c = (rg_group){.family = rows->family,
			.metric = rows->metric,
			.class_of = rows->class_of,
			.stage = rows->name.stage,
			.variant = rows->name.variant,
			.tier = RG_TIER_REST,
			.counted = is_counted(rows),
			.of_models = rows->of_model,
			.n = n,
			.flag = rows->policy.flag,
			.shift = RG_STORY_NO_SHIFT,
			.errors = NAN};
	for (size_t i = 0; i < n; i++) {
		count_row(c, &rows[i]);
		/* Durations are all of them, or none is. */
		if (rows[i].class_of != c->class_of)
			c->class_of = rg_metric_class_of(rows->row->metric);
		if (!c->counted && !isnan(rows[i].row->avg_rel_diff))
			values[count++] = rows[i].row->avg_rel_diff;
	}
	c->median = rg_median(values, count);
	c->kind = kind_of(c);
}

/* The groups of one metric and stage; rows that are apart are found first. */
static void describe_stage(rg_story *story, rg_story_row *rows, size_t count, double *values)
{
	bool counted = is_counted(rows);
	size_t n;

	if (!counted)
		find_apart(rows, count, values, true);
	for (size_t at = 0; at < count; at += n) {
		n = run_of(rows + at, count - at, same_group);
		if (!counted && n >= SPREAD_MIN)
			find_apart(rows + at, n, values, false);
		for (size_t i = at; i < at + n; i++)
			rows[i].group = story->group_count;
		describe(&story->groups[story->group_count++], rows + at, n, values);
	}
}

/* --- order --- */

/* How many levels a row is over what is expected of it, or away from the others. */
static double weight_of(const rg_story_row *r)
{
	double away = fabs(rg_row_typical(r->row) - r->others_median);
	return r->apart ? fmax(r->over, away / rg_story_level(&r->policy)) : r->over;
}

/* What breaks a gate comes first; then losses before everything else. */
static int place_of(const rg_story_row *r)
{
	return r->row->level == RG_LEVEL_FAIL ? 0 : 1 + (r->tier == RG_TIER_REST);
}

static int compare_rows(const void *a, const void *b)
{
	const rg_story_row *x = a, *y = b;
	double left = weight_of(x), right = weight_of(y);

	if (place_of(x) != place_of(y))
		return place_of(x) - place_of(y);
	if (x->class_of != y->class_of)
		return x->class_of < y->class_of ? -1 : 1;
	if (x->tier != y->tier)
		return x->tier < y->tier ? -1 : 1;
	if (left != right)
		return left > right ? -1 : 1;
	if (x->apart != y->apart)
		return x->apart ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	/* Rows and gaps lie in arrays of their own. */
	if (x->row->gap != y->row->gap)
		return x->row->gap < y->row->gap ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static int compare_ranked(const void *a, const void *b)
{
	const rg_group *x = *(const rg_group *const *)a, *y = *(const rg_group *const *)b;
	int order = (x->tier == RG_TIER_REST) - (y->tier == RG_TIER_REST);

	order = order ? order : (x->kind == RG_GROUP_SAME) - (y->kind == RG_GROUP_SAME);
	order = order ? order : (int)x->class_of - (int)y->class_of;
	order = order ? order : (int)x->tier - (int)y->tier;
	return order ? order : (x > y) - (x < y);
}

/* Sorts the groups, and tells the rows their new places. */
static void sort_groups(rg_story *story)
{
	size_t count = story->group_count;
	const rg_group **order = rg_malloc((count + 1) * sizeof(*order));
	rg_group *sorted = rg_calloc(count + 1, sizeof(*sorted));
	size_t *places = rg_calloc(count + 1, sizeof(*places));

	for (size_t i = 0; i < count; i++)
		order[i] = &story->groups[i];
	if (count)
		qsort(order, count, sizeof(*order), compare_ranked);
	for (size_t i = 0; i < count; i++) {
		sorted[i] = *order[i];
		places[order[i] - story->groups] = i;
	}
	for (size_t i = 0; i < story->row_count; i++)
		story->rows[i].group = places[story->rows[i].group];
	free(story->groups);
	story->groups = sorted;
	free(places);
	free(order);
}

static void count_and_name_worst(rg_story *story)
{
	for (size_t i = 0; i < story->row_count; i++) {
		const rg_story_row *r = &story->rows[i];
		rg_group *c = &story->groups[r->group];

		story->apart_count += r->apart;
		story->looked_at_count += r->looked_at && !r->apart;
		if (!c->worst || rg_story_is_worse(r, c->worst))
			c->worst = r;
		if (r->cancels &&
		    (!c->jitters || r->row->mean_abs_rel > c->jitters->row->mean_abs_rel))
			c->jitters = r;
	}
}

/* Fills groups, and what rows know of them. Leaves the rows in the story's order. */
static void add_groups(rg_story *story)
{
	double *values = rg_malloc((story->row_count + 1) * 2 * sizeof(*values));
	size_t n;

	story->groups = rg_calloc(story->row_count + 1, sizeof(*story->groups));
	for (size_t at = 0; at < story->row_count; at += n) {
		n = run_of(story->rows + at, story->row_count - at, same_metric_and_stage);
		describe_stage(story, story->rows + at, n, values);
	}
	free(values);
	sort_groups(story);
	if (story->row_count)
		qsort(story->rows, story->row_count, sizeof(*story->rows), compare_rows);
	count_and_name_worst(story);
}

/* --- a row --- */

static bool differs(const rg_row *row)
{
	if (row->tensor || row->kind == RG_ROW_EXACT)
		return !row->identical;
	return row->values_differ || row->left_out.new_nonfinite;
}

static double over_level(const rg_story_row *r)
{
	double score = r->row->level == RG_LEVEL_NONE ? 0 : r->row->score;
	double level = rg_story_level(&r->policy);

	score = fmax(score, rg_row_hidden(r->row, &r->policy));
	if (isinf(r->size) || (score > 0 && level == 0))
		return INFINITY;
	return score > 0 ? score / level : 0;
}

/* Over a flag level, but no more than what was measured: that was looked at already. */
static bool is_measured_noise(const rg_row *row)
{
	return rg_row_is_measured_noise(row) && row->level != RG_LEVEL_FAIL &&
	       !row->left_out.new_nonfinite && !row->lost && !row->filled && !row->over.count &&
	       !row->from_zero.needs_look && !row->beside && !row->check_needs_look;
}

static void judge(rg_story_row *r)
{
	const rg_row *row = r->row;

	r->cancels = rg_row_cancels(row, &r->policy);
	r->size = row->tensor && row->kind == RG_ROW_SERIES ? rg_row_noise(row)
		  : row->kind == RG_ROW_EXACT || isnan(row->moved) || row->beside
			  ? (differs(row) ? INFINITY : 0)
		  : r->cancels ? row->mean_abs_rel
			       : row->moved;
	r->over = over_level(r);
	r->looked_at = !is_measured_noise(row) &&
		       (rg_row_must_look(row) || (row->repaired && r->class_of < RG_CLASS_TIME) ||
			(row->kind == RG_ROW_EXACT && isinf(r->size) && !row->ignored) ||
			rg_row_hidden(row, &r->policy) >= rg_story_level(&r->policy));
}

static void shift_of(rg_story_shift *out, const rg_story_row *r)
{
	double avg = rg_row_typical(r->row);
	*out = (rg_story_shift)RG_STORY_NO_SHIFT;
	out->counts[RG_SHIFT_NONFINITE] = r->row->left_out.new_nonfinite > 0;
	out->counts[RG_SHIFT_LOST] = r->row->lost > 0;
	out->counts[RG_SHIFT_REPAIRED] = r->row->repaired > 0;
	if (!r->changed || isnan(avg) || r->row->too_small.alone || r->row->beside)
		return;
	out->low = out->high = avg;
	out->least = out->most = r->row->avg_rel_diff;
	out->typical = r->row->median_known;
	if (rg_row_mean_differs(r->row)) {
		out->disputed = 1;
		out->one_step = r->row->one_step;
		out->mean_low = out->mean_high = rg_row_shift(r->row);
	}
	out->jitter = r->cancels ? r->row->mean_abs_rel : NAN;
	out->larger = avg < 0;
	out->smaller = avg > 0;
}

/* --- every row's place --- */

/* A row by itself: what it is in its group, mark_apart has. */
static void mark(rg_story_place *out, const rg_story_row *r)
{
	const rg_row *row = r->row;
	const bool noise = is_measured_noise(row);
	const bool over = (row->level >= RG_LEVEL_FLAG && row->score >= r->policy.flag) ||
			  row->score > row->fail_at ||
			  rg_row_hidden(row, &r->policy) >= rg_story_level(&r->policy);

	*out = (rg_story_place){.look = row->level == RG_LEVEL_FAIL        ? RG_LOOK_FAILS
					: r->looked_at || row->check_fails ? RG_LOOK_MUST
									   : RG_LOOK_NONE,
				.over = r->over,
				.size = r->size,
				.is_member = true};
	out->marks = (row->verdict.stands_out ? RG_MARK_APART : 0U) |
		     (row->check_fails ? RG_MARK_CHECK : 0U) |
		     (over && !noise && !row->ignored ? RG_MARK_LEVEL : 0U) |
		     (r->cancels && r->looked_at ? RG_MARK_CANCELS : 0U) |
		     (row->left_out.new_nonfinite || row->lost ? RG_MARK_LOST : 0U);
}

static void mark_apart(rg_story_place *out, const rg_story_row *r)
{
	out->is_member = false;
	if (!r->apart)
		return;
	out->marks |= RG_MARK_APART;
	if (out->look == RG_LOOK_NONE)
		out->look = RG_LOOK_MUST;
}

static int compare_places(const void *a, const void *b)
{
	const rg_story_place *x = *(rg_story_place *const *)a, *y = *(rg_story_place *const *)b;
	if (!x->look != !y->look)
		return x->look ? -1 : 1;
	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	if (x->is_member != y->is_member)
		return x->is_member ? 1 : -1;
	if (x->over != y->over)
		return x->over > y->over ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return (x > y) - (x < y);
}

/* Once rows are in the story's order: each place knows its family's number until then. */
static void add_places(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	const rg_story_row **families = rg_malloc((story->row_count + 1) * sizeof(*families));
	rg_story_place **order = rg_malloc((c->row_count + 1) * sizeof(*order));

	for (size_t i = 0; i < story->row_count; i++) {
		const rg_story_row *r = &story->rows[i];
		families[r->number] = r;
		if (r->row->gap != RG_GAP_NONE)
			story->groups[r->group].looks += r->looked_at;
		else
			mark_apart(&story->places[r->row - c->rows], r);
	}
	for (size_t i = 0; i < c->row_count; i++) {
		order[i] = &story->places[i];
		order[i]->of = families[order[i]->place];
		story->looks += order[i]->look != RG_LOOK_NONE;
		story->groups[order[i]->of->group].looks += order[i]->look != RG_LOOK_NONE;
	}
	if (c->row_count)
		qsort(order, c->row_count, sizeof(*order), compare_places);
	for (size_t i = 0; i < c->row_count; i++)
		order[i]->place = i;
	free(order);
	free(families);
}

/* --- rows by golden and family --- */

/* A family of its own so far. */
static void add_member(rg_story *story, const rg_row *row, rg_buf *family)
{
	rg_story_row *r = &story->rows[story->row_count++];
	r->row = row;
	r->metric = row->metric;
	r->class_of = rg_row_class(row);
	r->members = 1;
	r->changed = differs(row);
	story->differing += r->changed;
	r->name = rg_test_name_split(row->file, story->summary->context);
	rg_policy_resolve(story->summary->policy, row->file, row->metric, &r->policy);
	judge(r);
	shift_of(&r->shift, r);
	if (row->by_record)
		rg_family_add_column(family, row->metric);
	else
		rg_family_add(family, row->metric);
	r->family = rg_story_keep(story, family);
}

/* The rows, then the gaps that differ without a figure. */
static void list_members(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	rg_buf family;

	rg_buf_init(&family, RG_BUF_ANY);
	for (size_t i = 0; i < c->row_count; i++)
		add_member(story, &c->rows[i], &family);
	story->unchanged = c->row_count - story->differing;
	for (size_t i = 0; i < c->gap_count; i++)
		if (c->gaps[i].gap == RG_GAP_NO_STEPS && differs(&c->gaps[i]))
			add_member(story, &c->gaps[i], &family);
	rg_buf_release(&family);
}

/* Rows of one metric, stage and variant come together. */
static int compare_groups(const rg_story_row *a, const rg_story_row *b)
{
	int order = strcmp(a->family, b->family);
	order = order ? order : (int)a->row->kind - (int)b->row->kind;
	order = order ? order : rg_name_part_compare(&a->name.stage, &b->name.stage);
	return order ? order : rg_name_part_compare(&a->name.variant, &b->name.variant);
}

static int compare_members(const void *a, const void *b)
{
	const rg_story_row *x = a, *y = b;
	int order = compare_groups(x, y);

	if (!order && x->row->file_index != y->row->file_index)
		order = x->row->file_index < y->row->file_index ? -1 : 1;
	if (!order && x->row->gap != y->row->gap)
		order = x->row->gap < y->row->gap ? -1 : 1;
	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static bool is_worse(const rg_story_row *a, const rg_story_row *b)
{
	if (a->looked_at != b->looked_at)
		return a->looked_at;
	return a->over != b->over ? a->over > b->over : a->size > b->size;
}

/* Rows are still in the comparison's order. */
static rg_error *add_models(rg_story *story)
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
		bool begins = !last || last->row->file_index != one.row->file_index ||
			      compare_groups(last, &one) != 0;
		if (one.row->gap == RG_GAP_NONE)
			story->places[one.row - c->rows].place = begins ? kept : kept - 1;
		one.number = begins ? kept : kept - 1;
		if (begins) {
			rows[kept++] = one;
			continue;
		}
		one.members += last->members;
		one.changed += last->changed;
		rg_story_shift_add(&one.shift, &last->shift);
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

/* Fills rows, a row for each family of each golden, by group. */
static rg_error *add_rows(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	story->rows = rg_calloc(c->row_count + c->gap_count + 1, sizeof(*story->rows));
	story->places = rg_calloc(c->row_count + 1, sizeof(*story->places));
	list_members(story);
	RG_TRY(add_models(story));
	qsort(story->rows, story->row_count, sizeof(*story->rows), compare_members);
	story->row_count = join_members(story);
	return NULL;
}

/* --- the whole --- */

static void name_goldens(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	for (size_t i = 0; i < c->file_count; i++)
		rg_test_names_add(&story->names, c->files[i].file);
	for (size_t i = 0; i < c->row_count; i++)
		if (!i || c->rows[i].file_index != c->rows[i - 1].file_index)
			rg_test_names_add(&story->names, c->rows[i].file);
	rg_test_names_make(&story->names, story->summary->context);
}

rg_error *rg_story_make(rg_story *out, const rg_summary *summary)
{
	*out = (rg_story){.summary = summary};
	rg_arena_init(&out->arena);
	rg_test_names_init(&out->names);
	name_goldens(out);
	RG_TRY(add_rows(out));
	add_groups(out);
	add_places(out);
	rg_story_add_shapes(out);
	rg_story_add_cards(out);
	rg_story_add_heads(out);
	rg_story_add_lines(out);
	return NULL;
}

void rg_story_release(rg_story *story)
{
	free(story->rows);
	free(story->places);
	free(story->groups);
	free(story->shapes);
	free(story->cards);
	free(story->heads);
	rg_models_release(&story->models);
	rg_test_names_release(&story->names);
	rg_arena_release(&story->arena);
}

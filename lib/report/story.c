/* SPDX-License-Identifier: Apache-2.0 */
#include "report/family.h"
#include "base/memory.h"
#include "report/review.h"
#include "report/story_parts.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
	       !row->left_out.new_nonfinite && !row->lost && !row->over.count &&
	       !row->from_zero.needs_look && !row->beside && !row->check_needs_look;
}

static void judge(rg_story_row *r)
{
	const rg_row *row = r->row;
	double avg = row->avg_rel_diff;

	r->cancels = rg_row_cancels(row, &r->policy);
	r->size = row->tensor && row->kind == RG_ROW_SERIES ? rg_row_noise(row)
		  : row->kind == RG_ROW_EXACT || isnan(avg) || row->too_small.alone || row->beside
			  ? (differs(row) ? INFINITY : 0)
		  : r->cancels ? row->mean_abs_rel
			       : fabs(avg);
	r->over = over_level(r);
	r->looked_at = !is_measured_noise(row) &&
		       (rg_row_must_look(row) || (row->repaired && r->class_of < RG_CLASS_TIME) ||
			(row->kind == RG_ROW_EXACT && isinf(r->size) && !row->ignored) ||
			rg_row_hidden(row, &r->policy) >= rg_story_level(&r->policy));
}

static void shift_of(rg_story_shift *out, const rg_story_row *r)
{
	double avg = r->row->avg_rel_diff;
	*out = (rg_story_shift){.low = NAN,
				.high = NAN,
				.jitter = NAN,
				.counts = {r->row->left_out.new_nonfinite > 0, r->row->lost > 0,
					   r->row->repaired > 0}};
	if (!r->changed || isnan(avg) || r->row->too_small.alone || r->row->beside)
		return;
	out->low = out->high = avg;
	out->jitter = r->cancels ? r->row->mean_abs_rel : NAN;
	out->larger = avg < 0;
	out->smaller = avg > 0;
}

/* --- rows by golden and family --- */

/* A family of its own so far. */
static rg_error *add_member(rg_story *story, const rg_row *row, rg_buf *family)
{
	rg_story_row *r = &story->rows[story->row_count++];
	r->row = row;
	r->metric = row->metric;
	r->class_of = rg_metric_class_of(row->metric);
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
	return rg_story_keep(story, family, &r->family);
}

/* The rows, then the gaps that differ without a figure. */
static rg_error *list_members(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	rg_error *err = NULL;
	rg_buf family;

	rg_buf_init(&family, SIZE_MAX / 4);
	for (size_t i = 0; i < c->row_count && !err; i++)
		err = add_member(story, &c->rows[i], &family);
	story->unchanged = c->row_count - story->differing;
	for (size_t i = 0; i < c->gap_count && !err; i++)
		if (c->gaps[i].gap == RG_GAP_NO_STEPS && differs(&c->gaps[i]))
			err = add_member(story, &c->gaps[i], &family);
	rg_buf_release(&family);
	return err;
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

static rg_error *add_models(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	for (size_t i = 0; i < c->row_count; i++) {
		rg_story_row *r = &story->rows[i];
		rg_look look = rg_row_look(r->row);

		r->of_model = rg_models_have(c, r->row);
		if (!r->of_model)
			continue;
		if (look != RG_LOOK_FAILS)
			look = r->looked_at ? RG_LOOK_MUST : RG_LOOK_NONE;
		rg_models_add(
			&story->models, &story->arena, c, story->summary->context, c->row_count,
			&(rg_model_row){
				.row = r->row, .look = look, .size = r->size, .over = r->over});
	}
	return rg_models_finish(&story->models, &story->arena);
}

/* The members of `count` families that come together become one row each. Returns how many. */
static size_t join_members(rg_story_row *rows, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		rg_story_row *last = kept ? &rows[kept - 1] : NULL, one = rows[i];
		if (!last || last->row->file_index != one.row->file_index ||
		    compare_groups(last, &one) != 0) {
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
	RG_TRY(list_members(story));
	/* Rows are still in the comparison's order. */
	RG_TRY(add_models(story));
	qsort(story->rows, story->row_count, sizeof(*story->rows), compare_members);
	story->row_count = join_members(story->rows, story->row_count);
	return NULL;
}

/* --- the whole --- */

rg_error *rg_story_make(rg_story *out, const rg_summary *summary)
{
	*out = (rg_story){.summary = summary};
	rg_arena_init(&out->arena);
	RG_TRY(add_rows(out));
	rg_story_add_groups(out);
	RG_TRY(rg_story_add_shapes(out));
	return rg_story_add_lines(out);
}

void rg_story_release(rg_story *story)
{
	free(story->rows);
	free(story->groups);
	free(story->shapes);
	rg_models_release(&story->models);
	rg_arena_release(&story->arena);
}

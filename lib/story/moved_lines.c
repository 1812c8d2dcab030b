/* SPDX-License-Identifier: Apache-2.0 */
#include "story/parts.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Stages that are compared with each other: there are few, or they are no stages. */
enum { STAGES_COMPARED = 100 };

/* --- one line --- */

typedef struct {
	double *values; /* room for all rows */
	size_t count;
} figures;

static void count_row(rg_moved *m, const rg_story_row *r)
{
	m->goldens++;
	m->changed += r->changed > 0;
	m->rows += r->members;
	m->rows_changed += r->changed;
	m->counted |= rg_story_is_counted(r);
	m->of_models |= r->of_model;
	/* Durations are all of them, or none is. */
	if (r->class_of != m->class_of)
		m->class_of = rg_metric_class_of(r->family);
	if (r->members > 1 || strcmp(r->row->metric, m->only) != 0)
		m->metric = r->family;
}

/* Has the row a change, which can be in a range? */
static bool has_change(const rg_story_row *r)
{
	return !rg_story_is_counted(r) && r->row->n_steps && !r->row->beside &&
	       isfinite(rg_story_change(r->row)) && !r->row->too_small.alone;
}

static void add_change(rg_moved *m, figures *f, const rg_story_row *r)
{
	m->still &= !r->row->left_out.new_nonfinite && (r->in_review || r->over < 1);
	if (!has_change(r))
		return;
	const double change = rg_story_change(r->row);
	m->typical |= r->row->median_known;
	m->larger += change > 0;
	m->smaller += change < 0;
	if (r->in_review && !m->all)
		return;
	f->values[f->count++] = change;
	m->low = fmin(m->low, change);
	m->high = fmax(m->high, change);
}

/* A finding has one figure: what most rows do is not left to it, nor the trend of durations, of
 * which the line counts all. */
static bool is_of_all(const rg_story_row *const *rows, size_t count)
{
	const rg_metric_class class_of = rows[0]->class_of;
	size_t changes = 0, in_review = 0;
	for (size_t i = 0; i < count; i++)
		if (has_change(rows[i])) {
			changes++;
			in_review += rows[i]->in_review;
		}
	if (class_of == RG_CLASS_TIME || class_of == RG_CLASS_RATE)
		return in_review && changes > 1;
	return in_review > 1 && in_review > changes / 2;
}

/* The rows of one metric, or of one of its stages. */
static rg_moved sum_up(const rg_story_row *const *rows, size_t count, double *values)
{
	rg_moved m = {.metric = rows[0]->metric,
		      .only = rows[0]->row->metric,
		      .class_of = rows[0]->class_of,
		      .low = NAN,
		      .high = NAN,
		      .abs_median = NAN,
		      .abs_max = NAN,
		      .mean_signed = NAN,
		      .interval_low = NAN,
		      .interval_high = NAN,
		      .all = is_of_all(rows, count)};
	figures f = {.values = values};
	double low, high;

	m.still = !m.all;
	for (size_t i = 0; i < count; i++) {
		count_row(&m, rows[i]);
		add_change(&m, &f, rows[i]);
	}
	if (m.metric != rows[0]->row->metric)
		m.only = NULL;
	m.trend = rg_median_interval(f.values, f.count, &low, &high) && (low > 0 || high < 0);
	m.median = rg_median(f.values, f.count);
	return m;
}

/* Sizes of all rows, as the headline numbers have them. */
static void add_sizes(rg_moved *m, const rg_row *const *rows, size_t count, double *values)
{
	rg_sum sum = {0};
	size_t n = 0;

	m->sized = count;
	for (size_t i = 0; i < count; i++) {
		values[i] = rg_row_size(rows[i]);
		m->abs_max = fmax(m->abs_max, values[i]);
	}
	if (count)
		m->abs_median = rg_median(values, count);
	for (size_t i = 0; i < count; i++)
		if (!isnan(rows[i]->avg_rel_diff)) {
			values[n++] = rows[i]->avg_rel_diff;
			rg_sum_add(&sum, rows[i]->avg_rel_diff);
		}
	if (n)
		m->mean_signed = rg_sum_total(&sum) / (double)n;
	rg_median_interval(values, n, &m->interval_low, &m->interval_high);
}

/* --- stages --- */

RG_ORDER(by_goldens, rg_moved, RG_FALLING(goldens) || RG_BY_TEXT(stage));

/* Do two stages go different ways: with ranges without a common figure, in opposite directions or
 * one ten times as far as the other? */
static bool go_apart(const rg_moved *a, const rg_moved *b)
{
	const double far = fmax(fabs(a->median), fabs(b->median));
	const double near = fmin(fabs(a->median), fabs(b->median));

	if (!(a->high < b->low || b->high < a->low))
		return false;
	return (a->high <= 0 && b->low >= 0) || (b->high <= 0 && a->low >= 0) || far >= 10 * near;
}

static bool stages_differ(const rg_moved *stages, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = i + 1; k < count && k < STAGES_COMPARED; k++)
			if (go_apart(&stages[i], &stages[k]))
				return true;
	return false;
}

static void append_stages(rg_story *story, rg_moved *m, const rg_story_row *const *rows,
			  size_t count, double *values)
{
	size_t stages = 0, n;
	for (size_t i = 0; i < count; i++)
		stages += !i ||
			  rg_name_part_compare(&rows[i]->name.stage, &rows[i - 1]->name.stage);
	if (stages < 2 || !rows[0]->name.stage.text)
		return;
	m->stages = rg_arena_alloc(&story->arena, stages * sizeof(*m->stages));
	for (size_t at = 0; at < count; at += n) {
		for (n = 1; at + n < count; n++)
			if (rg_name_part_compare(&rows[at]->name.stage, &rows[at + n]->name.stage))
				break;
		rg_moved *stage = &m->stages[m->stage_count++];
		*stage = sum_up(rows + at, n, values);
		stage->stage = rg_arena_copy(&story->arena, rows[at]->name.stage.text,
					     rows[at]->name.stage.length);
	}
	qsort(m->stages, m->stage_count, sizeof(*m->stages), by_goldens);
	m->differ = !m->counted && stages_differ(m->stages, m->stage_count);
}

/* --- all --- */

RG_ORDER_OF_POINTERS(by_stage, rg_story_row,
		     RG_BY_TEXT(family) ||
			     RG_THEN(rg_name_part_compare(&x->name.stage, &y->name.stage)) ||
			     RG_BY(x, y));

static double size_of(const rg_moved *m)
{
	return fmax(m->changed ? 0 : -1, fmax(fabs(m->low), fabs(m->high)));
}

/* Losses first, then figures by falling size, then what is only counted; models, which have lists
 * of their own, last. */
RG_ORDER(by_weight, rg_moved,
	 RG_RISING(of_models) ||
		 RG_BY(y->class_of == RG_CLASS_LOSS, x->class_of == RG_CLASS_LOSS) ||
		 RG_RISING(counted) || RG_BY(size_of(y), size_of(x)) || RG_BY_TEXT(metric));

/* Which line a family has, by the row that moved most: the first of them in the story's order. */
static void set_worst(rg_story *story, rg_moved *m, const rg_story_row *const *rows, size_t count)
{
	const rg_story_row *worst = rows[0];
	for (size_t i = 1; i < count; i++)
		if (rows[i] < worst)
			worst = rows[i];
	m->worst_file = worst->row->file;
	m->worst_metric = worst->row->metric;
	m->worst_name = rg_story_name(story, worst->row->file);
}

/* The comparison's rows with a size, by family. */
typedef struct {
	const char *family;
	const rg_row *row;
} sized_row;

RG_ORDER(by_family, sized_row, RG_BY_TEXT(family) || RG_RISING(row));

typedef struct {
	sized_row *items;
	const rg_row **rows;
	size_t count, at;
} sized_rows;

/* Those of the family, which come after those of the last. */
static size_t take_sized(sized_rows *all, const char *family)
{
	size_t n = 0;
	while (all->at < all->count && strcmp(all->items[all->at].family, family) < 0)
		all->at++;
	for (; all->at < all->count && !strcmp(all->items[all->at].family, family); all->at++)
		all->rows[n++] = all->items[all->at].row;
	return n;
}

/* Sorts the lines, and tells the rows which line is theirs. */
static void sort_lines(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	RG_AUTO_FREE size_t *places = rg_calloc(story->moved_count + 1, sizeof(*places));

	if (story->moved_count)
		qsort(story->moved, story->moved_count, sizeof(*story->moved), by_weight);
	for (size_t i = 0; i < story->moved_count; i++)
		places[story->moved[i].number] = i;
	for (size_t i = 0; i < c->row_count; i++) {
		rg_story_place *place = &story->places[i];
		place->metric = places[place->of->line];
		story->moved[place->metric].review += place->look != RG_LOOK_NONE;
	}
}

void rg_story_add_moved(rg_story *story)
{
	RG_AUTO_FREE const rg_story_row **rows = rg_malloc((story->row_count + 1) * sizeof(*rows));
	RG_AUTO_FREE double *values = rg_malloc(
		(story->summary->comparison->row_count + story->row_count + 1) * sizeof(*values));
	const rg_comparison *c = story->summary->comparison;
	RG_AUTO_FREE sized_row *items = rg_malloc((c->row_count + 1) * sizeof(*items));
	RG_AUTO_FREE const rg_row **of_family = rg_malloc((c->row_count + 1) * sizeof(*of_family));
	sized_rows sized = {.items = items, .rows = of_family};
	size_t n;

	for (size_t i = 0; i < c->row_count; i++)
		if (rg_row_has_size(&c->rows[i]))
			items[sized.count++] =
				(sized_row){story->places[i].of->family, &c->rows[i]};
	qsort(items, sized.count, sizeof(*items), by_family);
	for (size_t i = 0; i < story->row_count; i++)
		rows[i] = &story->rows[i];
	qsort(rows, story->row_count, sizeof(*rows), by_stage);
	story->moved = rg_calloc(story->row_count + 1, sizeof(*story->moved));
	for (size_t at = 0; at < story->row_count; at += n) {
		for (n = 1; at + n < story->row_count; n++)
			if (strcmp(rows[at]->family, rows[at + n]->family) != 0)
				break;
		rg_moved *m = &story->moved[story->moved_count];
		*m = sum_up(rows + at, n, values);
		m->number = story->moved_count++;
		append_stages(story, m, rows + at, n, values);
		add_sizes(m, sized.rows, take_sized(&sized, rows[at]->family), values);
		set_worst(story, m, rows + at, n);
		for (size_t i = at; i < at + n; i++)
			story->rows[rows[i] - story->rows].line = m->number;
	}
	sort_lines(story);
}

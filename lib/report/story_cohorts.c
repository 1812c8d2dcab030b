/* SPDX-License-Identifier: Apache-2.0 */
#include "base/median.h"
#include "report/family.h"
#include "report/story_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Fewer rows have no spread to hold one of them against: those of all variants are taken then. */
enum { SPREAD_MIN = 5 };
/* Where more than one in so many, rounded up, is away from the others, the cohort does not move as
 * one: that is its spread, and nobody is apart from it. */
enum { APART_ONE_IN = 5 };
/* As many robust deviations away is apart: a normal distribution has 2 in 1,000,000,000 there. */
static const double APART = 6;
/* The median of |deviation| times this is a normal distribution's standard deviation. */
static const double MAD_SCALE = 1.4826;

typedef struct {
	double median, deviation;
} spread;

/* Of the rows' avg_rel_diff; `values` has room for all of them. */
static spread spread_of(const rg_story_row *rows, size_t count, double *values)
{
	spread s;
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		if (isfinite(rows[i].row->avg_rel_diff))
			values[n++] = rows[i].row->avg_rel_diff;
	s.median = rg_median(values, n);
	for (i = 0; i < n; i++)
		values[i] = fabs(values[i] - s.median);
	s.deviation = MAD_SCALE * rg_median(values, n);
	return s;
}

/* What is less than a level, or than half of the shift, away from the others is with them, however
 * close they are. */
static void hold_against(rg_story_row *r, const spread *s)
{
	double away = fabs(r->row->avg_rel_diff - s->median);
	double near = fmax(rg_story_level(&r->policy), fabs(s->median) / 2);
	double unit = fmax(s->deviation, near / APART);

	r->distance = isfinite(away) && away > 0 ? away / unit : 0;
	r->apart = r->distance >= APART && r->policy.kind != RG_POLICY_IGNORE;
}

/* Finds those of the rows that are apart from the others. */
static void find_apart(rg_story_row *rows, size_t count, double *values)
{
	spread s = spread_of(rows, count, values);
	size_t apart = 0, i;

	for (i = 0; i < count; i++) {
		hold_against(&rows[i], &s);
		apart += rows[i].apart;
	}
	for (i = 0; i < count && apart > (count + APART_ONE_IN - 1) / APART_ONE_IN; i++)
		rows[i].apart = false;
}

static bool same_metric_and_stage(const rg_story_row *a, const rg_story_row *b)
{
	return !strcmp(a->family, b->family) && a->row->kind == b->row->kind &&
	       !rg_name_part_compare(&a->name.stage, &b->name.stage);
}

static bool same_cohort(const rg_story_row *a, const rg_story_row *b)
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

/* --- a cohort --- */

/* Is there no shift to speak of, only what differs? */
static bool is_counted(const rg_story_row *row)
{
	return row->row->kind == RG_ROW_EXACT || row->of_model || rg_family_is_of_ids(row->family);
}

static void count_rows(rg_cohort *c, const rg_story_row *rows)
{
	size_t i, cancel = 0;

	for (i = 0; i < c->n; i++) {
		const rg_story_row *r = &rows[i];

		c->changed += r->changed > 0;
		c->over += r->looked_at;
		c->apart += r->apart;
		c->rows += r->members;
		c->rows_changed += r->changed;
		cancel += r->changed && r->cancels;
		if (r->members > 1)
			c->metric = r->family;
	}
	c->cancels = c->changed && 2 * cancel >= c->changed;
}

static void take_figures(rg_cohort *c, const rg_story_row *rows, double *values)
{
	size_t i, n = 0;

	for (i = 0; i < c->n; i++) {
		double value = rows[i].row->avg_rel_diff;

		if (isnan(value))
			continue;
		values[n++] = value;
		if (rows[i].apart)
			continue;
		c->low = isnan(c->low) ? value : fmin(c->low, value);
		c->high = isnan(c->high) ? value : fmax(c->high, value);
	}
	c->median = rg_median(values, n);
	for (i = n = 0; i < c->n; i++) {
		c->errors = fmax(c->errors, rows[i].row->standard_errors);
		if (!isnan(rows[i].row->mean_abs_rel))
			values[n++] = rows[i].row->mean_abs_rel;
	}
	c->mean_abs = rg_median(values, n);
}

static rg_cohort_kind kind_of(const rg_cohort *c)
{
	if (!c->changed)
		return RG_COHORT_SAME;
	if (c->counted)
		return RG_COHORT_DIFFERS;
	if (c->over <= c->apart)
		return RG_COHORT_QUIET;
	return c->high < 0 ? RG_COHORT_LARGER : c->low > 0 ? RG_COHORT_SMALLER : RG_COHORT_MIXED;
}

static void describe(rg_cohort *c, const rg_story_row *rows, size_t n, double *values)
{
	*c = (rg_cohort){.metric = rows->metric,
			 .stage = rows->name.stage,
			 .variant = rows->name.variant,
			 .n = n,
			 .flag = rows->policy.flag,
			 .median = NAN,
			 .low = NAN,
			 .high = NAN,
			 .mean_abs = NAN,
			 .errors = NAN};
	c->counted = is_counted(rows);
	c->of_models = rows->of_model;
	count_rows(c, rows);
	if (!c->counted)
		take_figures(c, rows, values);
	c->kind = kind_of(c);
}

/* The cohorts of one metric and stage; rows that are apart are found first. */
static void describe_stage(rg_story *story, rg_story_row *rows, size_t count, double *values)
{
	bool counted = is_counted(rows);
	size_t at, n, i;

	if (!counted && count >= SPREAD_MIN)
		find_apart(rows, count, values);
	for (at = 0; at < count; at += n) {
		n = run_of(rows + at, count - at, same_cohort);
		if (!counted && n >= SPREAD_MIN)
			find_apart(rows + at, n, values);
		for (i = at; i < at + n; i++)
			rows[i].cohort = story->cohort_count;
		describe(&story->cohorts[story->cohort_count++], rows + at, n, values);
	}
}

/* --- order --- */

/* What a model computes, then how: losses, other values, memory, times. */
static int class_of(const char *metric)
{
	return strstr(metric, "loss")        ? 0
	       : !strncmp(metric, "mem-", 4) ? 2
	       : strstr(metric, "time") || strstr(metric, "latency") || strstr(metric, "tpot") ||
			       strstr(metric, "ttft") || strstr(metric, "throughput")
		       ? 3
		       : 1;
}

/* What needs a look first. */
static int compare_rows(const void *a, const void *b)
{
	const rg_story_row *x = a, *y = b;

	if (x->apart != y->apart)
		return x->apart ? -1 : 1;
	if (x->apart && class_of(x->family) != class_of(y->family))
		return class_of(x->family) - class_of(y->family);
	if (x->apart && x->distance != y->distance)
		return x->distance > y->distance ? -1 : 1;
	if (x->looked_at != y->looked_at)
		return x->looked_at ? -1 : 1;
	if (x->row->check_needs_look != y->row->check_needs_look)
		return x->row->check_needs_look ? -1 : 1;
	if (!x->row->over.count != !y->row->over.count)
		return x->row->over.count ? -1 : 1;
	if ((x->row->level == RG_LEVEL_FAIL) != (y->row->level == RG_LEVEL_FAIL))
		return x->row->level == RG_LEVEL_FAIL ? -1 : 1;
	if (x->over != y->over)
		return x->over > y->over ? -1 : 1;
	if (x->size != y->size)
		return x->size > y->size ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* Differences first, then what moved by its level, then the others; each by metric. */
static int rank_of(const rg_cohort *c)
{
	static const int ranks[] = {
		[RG_COHORT_LARGER] = 0,  [RG_COHORT_SMALLER] = 0, [RG_COHORT_MIXED] = 0,
		[RG_COHORT_DIFFERS] = 1, [RG_COHORT_QUIET] = 2,   [RG_COHORT_SAME] = 3,
	};

	return c->apart && ranks[c->kind] ? 1 : ranks[c->kind];
}

static int compare_ranked(const void *a, const void *b)
{
	const rg_cohort *x = *(const rg_cohort *const *)a, *y = *(const rg_cohort *const *)b;
	int order = rank_of(x) - rank_of(y);

	order = order ? order : class_of(x->metric) - class_of(y->metric);
	return order ? order : (x > y) - (x < y);
}

/* Sorts the cohorts, and tells the rows their new places. */
static rg_error *sort_cohorts(rg_story *story)
{
	size_t count = story->cohort_count, i;
	const rg_cohort **order = malloc((count + 1) * sizeof(*order));
	rg_cohort *sorted = calloc(count + 1, sizeof(*sorted));
	size_t *places = calloc(count + 1, sizeof(*places));
	bool fine = order && sorted && places;

	for (i = 0; fine && i < count; i++)
		order[i] = &story->cohorts[i];
	if (fine && count)
		qsort(order, count, sizeof(*order), compare_ranked);
	for (i = 0; fine && i < count; i++) {
		sorted[i] = *order[i];
		places[order[i] - story->cohorts] = i;
	}
	for (i = 0; fine && i < story->row_count; i++)
		story->rows[i].cohort = places[story->rows[i].cohort];
	if (fine) {
		free(story->cohorts);
		story->cohorts = sorted;
	} else {
		free(sorted);
	}
	free(places);
	free(order);
	return fine ? NULL : rg_error_nomem();
}

/* Rows come in the story's order now: the first of a cohort is its worst. */
static void count_and_name_worst(rg_story *story)
{
	size_t i;

	for (i = 0; i < story->row_count; i++) {
		const rg_story_row *r = &story->rows[i];
		rg_cohort *c = &story->cohorts[r->cohort];

		story->apart_count += r->apart;
		story->looked_at_count += r->looked_at && !r->apart;
		if (!c->worst)
			c->worst = r;
	}
}

rg_error *rg_story_add_cohorts(rg_story *story)
{
	double *values = malloc((story->row_count + 1) * sizeof(*values));
	size_t at, n;

	story->cohorts = calloc(story->row_count + 1, sizeof(*story->cohorts));
	if (!values || !story->cohorts) {
		free(values);
		return rg_error_nomem();
	}
	for (at = 0; at < story->row_count; at += n) {
		n = run_of(story->rows + at, story->row_count - at, same_metric_and_stage);
		describe_stage(story, story->rows + at, n, values);
	}
	free(values);
	RG_TRY(sort_cohorts(story));
	if (story->row_count)
		qsort(story->rows, story->row_count, sizeof(*story->rows), compare_rows);
	count_and_name_worst(story);
	return NULL;
}

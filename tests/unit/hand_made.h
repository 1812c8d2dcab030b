/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HAND_MADE_H
#define REGILD_TESTS_HAND_MADE_H

/* Comparisons made by hand, golden by golden, and their stories. */

#include "unit.h"

#include "base/memory.h"
#include "story/story.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	rg_comparison c;
	rg_summary summary;
	rg_policy *policy;
	rg_arena arena;
} hand_made;

static inline void hand_made_init(hand_made *made, const rg_column_context *context)
{
	*made = (hand_made){.policy = rg_policy_new()};
	rg_arena_init(&made->arena);
	made->summary = (rg_summary){.comparison = &made->c,
				     .policy = made->policy,
				     .old_side = "HEAD",
				     .new_side = "the working tree",
				     .command = "regild compare",
				     .context = context};
}

static inline void hand_made_release(hand_made *made)
{
	free(made->c.rows);
	free(made->c.gaps);
	free(made->c.files);
	rg_policy_free(made->policy);
	rg_arena_release(&made->arena);
}

static inline void set_level(hand_made *made, const char *metric, const char *key,
			     const char *level)
{
	assert_success(rg_policy_set(made->policy, metric, key, level));
}

/* Rows and gaps that are added next are of it. */
static inline rg_file_outcome *add_golden(hand_made *made, const char *path)
{
	rg_comparison *c = &made->c;
	rg_file_outcome *file = RG_PUSH(c->files, c->file_count, c->file_capacity);
	path = rg_arena_text(&made->arena, path);
	*file = (rg_file_outcome){.file = path,
				  .old_file = path,
				  .first_row = c->row_count,
				  .first_gap = c->gap_count};
	c->compared++;
	return file;
}

/* One that was not compared. */
static inline rg_file_outcome *add_alone(hand_made *made, rg_file_status status, const char *path)
{
	rg_file_outcome *file = add_golden(made, path);
	file->status = status;
	made->c.compared--;
	made->c.new_files += status == RG_FILE_NEW;
	made->c.removed += status == RG_FILE_REMOVED;
	made->c.unreadable += status == RG_FILE_UNREADABLE;
	return file;
}

static inline void set_figure(rg_row *row, double change)
{
	row->avg_rel_diff = 0 - change;
	row->mean_abs_rel = row->moved = row->max_abs = row->score = fabs(change);
	row->values_differ = change != 0;
	row->identical = change == 0;
}

static inline void judge_row(const hand_made *made, rg_row *row)
{
	rg_metric_policy policy;
	rg_policy_resolve(made->policy, row->file, row->metric, &policy);
	row->fail_at = policy.fail;
	row->level = row->score > policy.fail    ? RG_LEVEL_FAIL
		     : row->score >= policy.flag ? RG_LEVEL_FLAG
						 : RG_LEVEL_PLAIN;
}

/* A series of ten steps, of which each changed by so much, (new - old) / old. */
static inline rg_row *add_row(hand_made *made, const char *metric, double change)
{
	rg_comparison *c = &made->c;
	rg_row *row = RG_PUSH(c->rows, c->row_count, c->row_capacity);
	rg_file_outcome *file = &c->files[c->file_count - 1];
	*row = (rg_row){.file = file->file,
			.old_file = file->old_file,
			.file_index = c->file_count - 1,
			.metric = metric,
			.n_steps = 10,
			.old_mean = 1,
			.near_zero = RG_NEAR_ZERO};
	set_figure(row, change);
	judge_row(made, row);
	file->row_count++;
	c->series_rows++;
	return row;
}

/* A duration, of which the median step changed by so much. */
static inline rg_row *add_duration(hand_made *made, const char *metric, double change,
				   double median)
{
	rg_row *row = add_row(made, metric, change);
	row->measure = RG_MEASURE_DURATION;
	row->median_known = true;
	row->median_rel_diff = 0 - median;
	return row;
}

/* A row without a figure. */
static inline rg_row *add_exact(hand_made *made, const char *metric, const char *old,
				const char *fresh)
{
	rg_row *row = add_row(made, metric, 0);
	made->c.series_rows--;
	row->kind = RG_ROW_EXACT;
	row->n_steps = 0;
	row->avg_rel_diff = row->moved = NAN;
	row->old_excerpt = old;
	row->new_excerpt = fresh;
	row->values_differ = old != NULL;
	row->identical = !old;
	return row;
}

static inline rg_row *add_gap(hand_made *made, rg_gap_kind kind, const char *metric)
{
	rg_comparison *c = &made->c;
	rg_row *gap = RG_PUSH(c->gaps, c->gap_count, c->gap_capacity);
	rg_file_outcome *file = &c->files[c->file_count - 1];
	*gap = (rg_row){.gap = kind,
			.file = file->file,
			.old_file = file->old_file,
			.file_index = c->file_count - 1,
			.metric = metric,
			.avg_rel_diff = NAN,
			.moved = NAN,
			.fail_at = NAN};
	file->gap_count++;
	return gap;
}

#endif

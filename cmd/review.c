/* SPDX-License-Identifier: Apache-2.0 */
#include "review.h"

#include "flow/settings.h"
#include "report/story_parts.h"

#include <stdint.h>
#include <stdlib.h>

/* --- what is asked about --- */

static rg_error *make_room(review *r)
{
	const rg_comparison *all = &r->plan->comparison;

	r->questions = calloc(r->plan->count + 1, sizeof(*r->questions));
	r->asked.files = calloc(all->file_count + 1, sizeof(*all->files));
	r->asked.rows = calloc(all->row_count + 1, sizeof(*all->rows));
	r->asked.gaps = calloc(all->gap_count + 1, sizeof(*all->gaps));
	return r->questions && r->asked.files && r->asked.rows && r->asked.gaps ? NULL
										: rg_error_nomem();
}

static void copy_rows(rg_row *out, size_t *count, const rg_row *rows, size_t n, size_t file)
{
	size_t i;

	for (i = 0; i < n; i++) {
		out[*count] = rows[i];
		out[(*count)++].file_index = file;
	}
}

/* What the plan's comparison has of a golden. */
static size_t copy_file(rg_comparison *asked, const rg_comparison *all, size_t index)
{
	size_t at = asked->file_count++, i;
	rg_file_outcome *file = &asked->files[at];

	*file = all->files[index];
	file->first_row = asked->row_count;
	file->first_gap = asked->gap_count;
	copy_rows(asked->rows, &asked->row_count, &all->rows[all->files[index].first_row],
		  file->row_count, at);
	copy_rows(asked->gaps, &asked->gap_count, &all->gaps[all->files[index].first_gap],
		  file->gap_count, at);
	for (i = 0; i < file->row_count; i++)
		asked->series_rows += asked->rows[file->first_row + i].kind == RG_ROW_SERIES;
	asked->compared++;
	return at;
}

static rg_error *collect(review *r, rg_plan *plan)
{
	size_t i;

	RG_TRY(make_room(r));
	for (i = 0; i < plan->count; i++) {
		rg_plan_item *item = &plan->items[i];
		review_question *q = &r->questions[r->count];

		r->held += item->change != RG_PLAN_UNCHANGED && !item->left_out && item->held;
		if (!rg_plan_item_is_taken(item))
			continue;
		*q = (review_question){
			.item = item,
			.name = rg_test_name_split(item->golden->target, &r->columns),
			.file = SIZE_MAX,
		};
		if (item->file_index != SIZE_MAX)
			q->file = copy_file(&r->asked, &plan->comparison, item->file_index);
		r->count++;
	}
	return NULL;
}

/* --- in which order --- */

bool review_has_to_say(const review *r, const rg_story_row *row)
{
	return (row->changed || row->looked_at || row->apart) &&
	       !r->asked.files[row->row->file_index].identical;
}

/* After all that have a row that differs. */
static size_t rank_without_rows(const review *r, const review_question *q)
{
	bool equal = q->file != SIZE_MAX && r->asked.files[q->file].identical &&
		     !q->item->findings.count;

	return r->story.row_count + (equal ? 2 : q->item->change == RG_PLAN_NEW ? 1 : 0);
}

static int compare_rank(const void *a, const void *b)
{
	const review_question *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->item > y->item) - (x->item < y->item);
}

/* The story has its rows by what needs a look: a golden is where its first one is. */
static rg_error *rank(review *r)
{
	size_t *first = calloc(r->asked.file_count + 1, sizeof(*first)), i;

	if (!first)
		return rg_error_nomem();
	for (i = r->story.row_count; i--;)
		if (review_has_to_say(r, &r->story.rows[i]))
			first[r->story.rows[i].row->file_index] = i + 1;
	for (i = 0; i < r->count; i++) {
		review_question *q = &r->questions[i];
		size_t at = q->file == SIZE_MAX ? 0 : first[q->file];

		q->worst = at ? &r->story.rows[at - 1] : NULL;
		q->rank = at ? at - 1 : rank_without_rows(r, q);
	}
	free(first);
	qsort(r->questions, r->count, sizeof(*r->questions), compare_rank);
	return NULL;
}

rg_error *review_make(review *out, rg_plan *plan, const rg_config *config)
{
	*out = (review){
		.plan = plan,
		.columns = rg_columns_of(config),
	};
	out->summary = (rg_summary){
		.comparison = &out->asked,
		.policy = plan->options->policy,
		.context = &out->columns,
	};
	RG_TRY(collect(out, plan));
	RG_TRY(rg_story_make(&out->story, &out->summary));
	return rank(out);
}

void review_release(review *r)
{
	rg_story_release(&r->story);
	free(r->asked.gaps);
	free(r->asked.rows);
	free(r->asked.files);
	free(r->questions);
}

bool review_is_cohort(const review_question *a, const review_question *b)
{
	return a->name.test.text && b->name.test.text &&
	       !rg_name_part_compare(&a->name.stage, &b->name.stage) &&
	       !rg_name_part_compare(&a->name.variant, &b->name.variant);
}

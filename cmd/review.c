/* SPDX-License-Identifier: Apache-2.0 */
#include "review.h"

#include "base/memory.h"
#include "base/order.h"
#include "flow/settings.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- what is asked about --- */

static void copy_rows(rg_row *out, size_t *count, const rg_row *rows, size_t n, size_t file)
{
	for (size_t i = 0; i < n; i++) {
		out[*count] = rows[i];
		out[(*count)++].file_index = file;
	}
}

/* Copies a golden's part of the plan's comparison. */
static size_t copy_file(rg_comparison *asked, const rg_comparison *all, size_t index)
{
	size_t at = asked->file_count++;
	rg_file_outcome *file = &asked->files[at];

	*file = all->files[index];
	file->first_row = asked->row_count;
	file->first_gap = asked->gap_count;
	copy_rows(asked->rows, &asked->row_count, &all->rows[all->files[index].first_row],
		  file->row_count, at);
	copy_rows(asked->gaps, &asked->gap_count, &all->gaps[all->files[index].first_gap],
		  file->gap_count, at);
	for (size_t i = 0; i < file->row_count; i++)
		asked->series_rows += asked->rows[file->first_row + i].kind == RG_ROW_SERIES;
	asked->compared++;
	return at;
}

bool review_is_stuck(const rg_plan_item *item)
{
	return item->change != RG_PLAN_UNCHANGED && !item->left_out &&
	       item->held & ~(unsigned)RG_GUARD_ALLOWABLE;
}

/* --- in which order --- */

bool review_has_to_say(const review *r, const rg_story_row *row)
{
	return (row->changed || row->review || row->outlier) &&
	       !r->asked.files[row->row->file_index].identical;
}

bool review_is_loss(const char *metric)
{
	return strstr(metric, "loss") != NULL;
}

static bool is_held_for_loss(const rg_plan_item *item)
{
	for (size_t i = 0; item->held && i < item->findings.count; i++)
		if (item->findings.items[i].metric &&
		    review_is_loss(item->findings.items[i].metric))
			return true;
	return false;
}

/* By its worst row; what has none comes after all that have one. */
static size_t rank_of(const review *r, const review_question *q)
{
	const size_t rows = r->story.row_count;
	bool equal = q->file != SIZE_MAX && r->asked.files[q->file].identical &&
		     !q->item->findings.count;

	if (is_held_for_loss(q->item))
		return 0;
	if (!q->worst)
		return 1 + 2 * rows + (equal ? 2 : q->item->change == RG_PLAN_NEW ? 1 : 0);
	return 1 + (size_t)(q->worst - r->story.rows) +
	       (review_is_loss(q->worst->metric) ? 0 : rows);
}

RG_ORDER(compare_rank, review_question, RG_RISING(rank) || RG_RISING(item));

/* The story has its rows by what needs a look: the worst is a golden's first one, of its losses if
 * one has something to say. */
static void rank(review *r)
{
	RG_AUTO_FREE const rg_story_row **worst =
		rg_calloc(r->asked.file_count + 1, sizeof(*worst));
	for (size_t i = 0; i < r->story.row_count; i++) {
		const rg_story_row *row = &r->story.rows[i];
		const rg_story_row **of = &worst[row->row->file_index];
		if (review_has_to_say(r, row) &&
		    (!*of || (review_is_loss(row->metric) && !review_is_loss((*of)->metric))))
			*of = row;
	}
	for (size_t i = 0; i < r->count; i++) {
		review_question *q = &r->questions[i];
		q->worst = q->file == SIZE_MAX ? NULL : worst[q->file];
		q->rank = rank_of(r, q);
	}
	qsort(r->questions, r->count, sizeof(*r->questions), compare_rank);
}

rg_error *review_make(review *out, rg_plan *plan, const rg_config *config)
{
	*out = (review){.plan = plan, .columns = rg_columns_of(config)};
	out->summary = (rg_summary){.comparison = &out->asked,
				    .policy = plan->options->policy,
				    .context = &out->columns};
	const rg_comparison *all = &plan->comparison;

	out->questions = rg_calloc(plan->count + 1, sizeof(*out->questions));
	out->asked.files = rg_calloc(all->file_count + 1, sizeof(*all->files));
	out->asked.rows = rg_calloc(all->row_count + 1, sizeof(*all->rows));
	out->asked.gaps = rg_calloc(all->gap_count + 1, sizeof(*all->gaps));
	for (size_t i = 0; i < plan->count; i++) {
		rg_plan_item *item = &plan->items[i];
		review_question *q = &out->questions[out->count];

		out->stuck += review_is_stuck(item);
		if (item->change == RG_PLAN_UNCHANGED || item->left_out || review_is_stuck(item))
			continue;
		out->held += item->held != 0;
		*q = (review_question){
			.item = item,
			.name = rg_test_name_split(item->golden->target, &out->columns),
			.file = SIZE_MAX,
		};
		if (item->file_index != SIZE_MAX)
			q->file = copy_file(&out->asked, all, item->file_index);
		out->count++;
	}
	RG_TRY(rg_story_make(&out->story, &out->summary));
	rank(out);
	return NULL;
}

void review_release(review *r)
{
	rg_story_release(&r->story);
	free(r->asked.gaps);
	free(r->asked.rows);
	free(r->asked.files);
	free(r->questions);
}

bool review_is_group(const review_question *a, const review_question *b)
{
	return a->name.test.text && b->name.test.text &&
	       !rg_name_part_compare(&a->name.stage, &b->name.stage) &&
	       !rg_name_part_compare(&a->name.variant, &b->name.variant);
}

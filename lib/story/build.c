/* SPDX-License-Identifier: Apache-2.0 */
#include "story/parts.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Has one of the golden's rows steps that had a placeholder? */
static bool drops_placeholders(const rg_comparison *c, const rg_file_outcome *file)
{
	for (size_t i = 0; i < file->row_count; i++)
		if (c->rows[file->first_row + i].left_out.old_placeholder)
			return true;
	for (size_t i = 0; i < file->gap_count; i++)
		if (c->gaps[file->first_gap + i].left_out.old_placeholder ||
		    c->gaps[file->first_gap + i].gap == RG_GAP_DROPPED)
			return true;
	return false;
}

static void count_facts(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	size_t capacity = 0;
	for (size_t i = 0; i < c->file_count; i++) {
		const rg_file_outcome *file = &c->files[i];
		story->facts.shown += file->row_count || file->gap_count;
		story->facts.formatted += file->layout == RG_LAYOUT_FORMATTING && !file->unread;
		story->facts.unshown += file->layout == RG_LAYOUT_UNSHOWN && !file->unread;
		story->facts.variants += file->variant != NULL;
		if (file->status == RG_FILE_COMPARED && strcmp(file->file, file->old_file) != 0)
			*RG_PUSH(story->renames, story->rename_count, capacity) =
				(rg_story_rename){file->old_file, file->file};
		story->facts.placeholders += file->status == RG_FILE_COMPARED &&
					     drops_placeholders(c, file);
	}
	if (story->summary->only_review)
		story->facts.shown = story->review_goldens;
}

/* A table's columns say more than its rows' number. */
static void count_columns(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	for (size_t i = 0; i < c->row_count; i++)
		if (!c->rows[i].by_record)
			return;
	RG_AUTO_FREE const char **names = rg_calloc(c->row_count + 1, sizeof(const char *));
	for (size_t i = 0; i < c->row_count; i++)
		names[i] = c->rows[i].metric;
	qsort(names, c->row_count, sizeof(const char *), rg_compare_texts);
	for (size_t i = 0; i < c->row_count; i++)
		story->facts.columns += !i || strcmp(names[i - 1], names[i]) != 0;
}

rg_error *rg_story_make(rg_story *out, const rg_summary *summary)
{
	*out = (rg_story){.summary = summary};
	rg_arena_init(&out->arena);
	rg_test_names_init(&out->names);
	const rg_comparison *c = summary->comparison;
	for (size_t i = 0; i < c->file_count; i++)
		rg_test_names_add(&out->names, c->files[i].file);
	for (size_t i = 0; i < c->row_count; i++)
		if (!i || c->rows[i].file_index != c->rows[i - 1].file_index)
			rg_test_names_add(&out->names, c->rows[i].file);
	const rg_refresh *refresh = summary->refresh;
	for (size_t i = 0; refresh && i < refresh->count; i++)
		if (refresh->items[i].outcome == RG_REFRESH_HELD)
			rg_test_names_add(&out->names, refresh->items[i].name);
	rg_test_names_make(&out->names, summary->context);
	RG_TRY(rg_story_add_rows(out));
	rg_story_add_findings(out);
	rg_story_add_moved(out);
	rg_story_checks_make(&out->checks, &out->check_count, &out->arena, summary->comparison);
	rg_story_add_next(out);
	count_facts(out);
	count_columns(out);
	return NULL;
}

void rg_story_release(rg_story *story)
{
	free(story->rows);
	free(story->places);
	free(story->findings);
	free(story->moved);
	free(story->renames);
	rg_models_release(&story->models);
	rg_test_names_release(&story->names);
	rg_arena_release(&story->arena);
}

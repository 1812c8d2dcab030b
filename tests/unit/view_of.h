/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_VIEW_OF_H
#define REGILD_TESTS_VIEW_OF_H

#include "unit.h"

#include "report/json.h"
#include "report/summary_view.h"

/* The data of a summary's template, by way of the document; the caller deletes it. */
static inline cJSON *view_of(const rg_summary *summary)
{
	static const rg_page_rows no_page;
	rg_json_about about = {.page = &no_page};
	rg_arena arena;
	rg_json_in in = {.arena = &arena};
	rg_story story;
	cJSON *view;

	rg_arena_init(&arena);
	assert_success(rg_story_make(&story, summary));
	about.story = &story;
	cJSON *root = rg_comparison_told(summary->comparison, &about);
	in.root = root;
	assert_success(rg_summary_view(&view, &in, root));
	cJSON_Delete(root);
	rg_story_release(&story);
	rg_arena_release(&arena);
	return view;
}

#endif

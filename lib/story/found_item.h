/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORY_FOUND_ITEM_H
#define REGILD_STORY_FOUND_ITEM_H

#include "story/story.h"

/* A finding of one golden, before those that are alike become one. */
typedef struct {
	rg_story_finding f;
	const char *family; /* NULL: of goldens as a whole */
	size_t group;       /* of outliers */
	size_t file_index;
	const rg_row *row;
	rg_story_row *of; /* NULL: no row of the story has it */
} rg_found_item;

/* The story's findings and reasons, of items that it reorders: those that are alike become one. */
void rg_story_join_findings(rg_story *story, rg_found_item *items, size_t count);

#endif

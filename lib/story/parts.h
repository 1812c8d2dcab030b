/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORY_PARTS_H
#define REGILD_STORY_PARTS_H

#include "story/story.h"

/* The steps of rg_story_make, in their order; nobody else calls them. */
RG_CHECKED rg_error *rg_story_add_rows(rg_story *story);
void rg_story_add_findings(rg_story *story);
void rg_story_add_moved(rg_story *story);
void rg_story_add_next(rg_story *story);

/* Moves what was written into the arena, and empties the buffer, which has no maximum. */
const char *rg_story_keep(rg_story *story, rg_buf *text);
/* Appends the steps of several texts ("1..95, 105", or records; NULL: none), each once and in their
 * order; a range has those inside it. */
void rg_story_join_steps(rg_buf *out, const char *const *texts, size_t count, bool by_record);
/* Is the row only counted: a text, an id or a part of a model, which have no figure? */
bool rg_story_is_counted(const rg_story_row *row);
/* Do the values of the row differ? */
bool rg_story_differs(const rg_row *row);
/* The change of a row, (new - old) / |old|, of a duration its median step's. */
double rg_story_change(const rg_row *row);

#endif

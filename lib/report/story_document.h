/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_STORY_DOCUMENT_H
#define REGILD_REPORT_STORY_DOCUMENT_H

#include "base/fields.h"
#include "report/blocks.h"
#include "story/story.h"

/* The story in the document: its object "story", which the blocks of a summary are read from
 * again. */

/* The keys of that object. */
extern const rg_json_field rg_story_fields[];
/* That object, which the caller frees. */
cJSON *rg_story_tree(const rg_story *story);

/* The blocks of the document that `in` is of. Texts and lists are in in->arena, or the document's.
 * RG_E_PARSE for what is no such document. */
RG_CHECKED rg_error *rg_blocks_read(rg_blocks *out, const rg_json_in *in);

#endif

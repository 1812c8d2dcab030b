/* SPDX-License-Identifier: Apache-2.0 */
#include "story/parts.h"

#include <math.h>

static const double LEVEL_DEFAULT = 1e-3;

double rg_story_level(const rg_metric_policy *policy)
{
	return isnan(policy->flag) ? LEVEL_DEFAULT : policy->flag;
}

double rg_story_change(const rg_row *row)
{
	return 0 - rg_row_typical(row);
}

bool rg_story_differs(const rg_row *row)
{
	if (row->tensor || row->kind == RG_ROW_EXACT)
		return !row->identical;
	return row->values_differ || row->left_out.new_nonfinite;
}

bool rg_story_is_counted(const rg_story_row *r)
{
	return r->row->kind == RG_ROW_EXACT || r->of_model || rg_family_is_of_ids(r->family);
}

const char *rg_story_keep(rg_story *story, rg_buf *text)
{
	const char *kept = rg_arena_text(&story->arena, text->data);
	rg_buf_clear(text);
	return kept;
}

const char *rg_story_name(const rg_story *story, const char *file)
{
	return rg_test_names_find(&story->names, file);
}

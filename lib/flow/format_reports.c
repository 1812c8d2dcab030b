/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/format_reports.h"

#include "base/memory.h"
#include "compare/opaque_row.h"
#include "report/format_view.h"
#include "report/summary_view.h"
#include "worktree/text_diff.h"

#include <stdlib.h>

static void keep_picture(rg_opaque_side *side, rg_arena *arena, const rg_golden *golden)
{
	if (side->kind != RG_OPAQUE_PNG || side->size > RG_OPAQUE_PICTURE_MAX ||
	    (uint64_t)side->width * side->height > RG_OPAQUE_DOTS_MAX)
		return;
	side->picture =
		(const unsigned char *)rg_arena_copy(arena, golden->metrics->text, side->size);
}

static rg_error *add_lines(rg_opaque *opaque, rg_arena *arena, const rg_golden *old,
			   const rg_golden *fresh)
{
	rg_text_diff diff;
	if (opaque->old.kind != RG_OPAQUE_TEXT || opaque->fresh.kind != RG_OPAQUE_TEXT)
		return NULL;
	opaque->too_large = opaque->old.size > RG_TEXT_DIFF_INPUT_MAX ||
			    opaque->fresh.size > RG_TEXT_DIFF_INPUT_MAX;
	if (opaque->too_large)
		return NULL;
	RG_TRY(rg_text_diff_make(&diff, arena, old->metrics->text, old->metrics->count,
				 fresh->metrics->text, fresh->metrics->count));
	opaque->lines = diff.lines;
	opaque->line_count = diff.count;
	opaque->more = diff.more;
	return NULL;
}

rg_error *rg_opaque_details_add(rg_comparison *comparison, const rg_golden *old,
				const rg_golden *fresh, const rg_opaque_wanted *wanted)
{
	const rg_file_outcome *file = &comparison->files[comparison->file_count - 1];
	rg_opaque *opaque = rg_opaque_of(comparison, file);
	rg_arena *arena = &comparison->arenas[0];

	if (!opaque)
		return NULL;
	if (wanted->pictures) {
		keep_picture(&opaque->old, arena, old);
		keep_picture(&opaque->fresh, arena, fresh);
	}
	return wanted->lines ? add_lines(opaque, arena, old, fresh) : NULL;
}

void rg_format_reports_begin(rg_format_reports *reports, size_t pairs)
{
	size_t hooks = 0;
	while (rg_format_hooks_list[hooks])
		hooks++;
	reports->kept = rg_calloc(hooks * pairs + 1, sizeof(*reports->kept));
	reports->pairs = pairs;
}

void rg_format_reports_release(rg_format_reports *reports)
{
	void **kept = reports->kept;
	for (size_t h = 0; kept && rg_format_hooks_list[h]; h++)
		for (size_t i = 0; i < reports->pairs; i++, kept++)
			if (*kept)
				rg_format_hooks_list[h]->free(*kept);
	free(reports->kept);
	reports->kept = NULL;
}

void rg_format_reports_collect(rg_format_reports *reports, size_t index, const rg_pair *pair)
{
	for (size_t h = 0; rg_format_hooks_list[h]; h++)
		reports->kept[h * reports->pairs + index] =
			rg_format_hooks_list[h]->collect(pair, &reports->request);
}

bool rg_format_reports_any(const rg_format_reports *reports)
{
	for (size_t h = 0; reports->kept && rg_format_hooks_list[h]; h++)
		for (size_t i = 0; i < reports->pairs; i++)
			if (reports->kept[h * reports->pairs + i])
				return true;
	return false;
}

rg_error *rg_format_reports_view(cJSON **out, const rg_format_reports *reports,
				 const rg_comparison *comparison)
{
	RG_AUTO_FREE void **own = rg_calloc(reports->pairs + 1, sizeof(*own));
	void *const *kept = reports->kept;
	cJSON *formats = cJSON_CreateObject();

	*out = NULL;
	for (size_t h = 0; kept && rg_format_hooks_list[h]; h++) {
		const rg_format_hooks *hooks = rg_format_hooks_list[h];
		size_t count = 0;
		for (size_t i = 0; i < reports->pairs; i++, kept++)
			if (*kept)
				own[count++] = *kept;
		if (count)
			cJSON_AddItemToObject(formats, hooks->name,
					      hooks->view(own, count, &reports->request));
	}
	rg_opaque_view_add(formats, comparison);
	rg_tables_view_add(formats, comparison);
	if (formats->child)
		return rg_summary_view_close(out, formats);
	cJSON_Delete(formats);
	return NULL;
}

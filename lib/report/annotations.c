/* SPDX-License-Identifier: Apache-2.0 */
#include "report/annotations.h"

#include "report/words.h"
#include "report/workflow_command.h"

rg_error *rg_annotations_add(rg_buf *out, const rg_story *story, bool in_repository)
{
	for (size_t i = 0; i < story->finding_count && i < RG_ANNOTATIONS_MAX; i++) {
		const rg_story_finding *f = &story->findings[i];
		RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
		rg_finding_say_metric(&text, f);
		rg_buf_str(&text, text.length ? ": " : "");
		rg_finding_say_figure(&text, f);
		const size_t before = text.length;
		rg_buf_str(&text, " (");
		rg_finding_say_note(&text, f, false);
		if (text.length == before + 2)
			rg_buf_truncate(&text, before);
		else
			rg_buf_char(&text, ')');
		rg_buf_printf(out, "::%s ", f->gate ? "error" : "warning");
		if (in_repository && f->file && f->kind != RG_FOUND_MISSING) {
			rg_buf_str(out, "file=");
			rg_workflow_add_escaped(out, f->file, true);
			rg_buf_char(out, ',');
		}
		rg_buf_str(out, "title=");
		rg_workflow_add_escaped(out, f->name ? f->name : "goldens", true);
		rg_buf_str(out, "::");
		rg_workflow_add_escaped(out, text.data, false);
		rg_buf_char(out, '\n');
	}
	return rg_buf_check(out, "the annotations");
}

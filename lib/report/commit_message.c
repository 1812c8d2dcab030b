/* SPDX-License-Identifier: Apache-2.0 */
#include "report/commit_message.h"

#include "base/utf8.h"
#include "report/blocks.h"

#include <stdio.h>
#include <string.h>

/* Columns of a line, and bytes of what the CI says that a trailer takes. */
enum { WIDTH = 72, VALUE_MAX = 500 };

/* Those of the run; *added is how many of them are new. */
static size_t count_goldens(const rg_summary *summary, size_t *added)
{
	const rg_comparison *comparison = summary->comparison;
	size_t count = 0, i;

	for (*added = i = 0; i < comparison->file_count; i++) {
		const rg_file_outcome *file = &comparison->files[i];
		if (!rg_refresh_is_from_run(summary->refresh, file->file))
			continue;
		count++;
		*added += file->status == RG_FILE_NEW;
	}
	return count;
}

static void append_trailer(rg_buf *out, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	rg_buf_printf(out, "%s: ", key);
	rg_utf8_add_safe(out, value, strnlen(value, VALUE_MAX));
	rg_buf_char(out, '\n');
}

rg_error *rg_commit_message_add(rg_buf *out, const rg_story *story)
{
	const rg_summary *summary = story->summary;
	const rg_run_facts *run = &summary->run;
	const bool pipeline = rg_run_page_of(run->url).gitlab; /* it has no attempts */
	const rg_blocks_style style = {
		.table = {.width = WIDTH}, .findings = RG_FINDINGS_SHOWN, .without_next = true};
	size_t added, goldens = count_goldens(summary, &added);
	rg_blocks blocks;
	char attempt[16];

	if (!goldens)
		return NULL;
	snprintf(attempt, sizeof(attempt), "%u", run->attempt);
	/* "Refresh 8 goldens, add 1 from run 22651183945". */
	size_t replaced = goldens - added;
	if (replaced)
		rg_buf_printf(out, "Refresh %zu golden%s", replaced, rg_plural(replaced));
	if (replaced && added)
		rg_buf_printf(out, ", add %zu", added);
	else if (added)
		rg_buf_printf(out, "Add %zu golden%s", added, rg_plural(added));
	if (run->id)
		rg_buf_printf(out, " from %s %s",
			      rg_run_page_of(run->url).gitlab ? "pipeline" : "run", run->id);
	else if (run->from)
		rg_buf_printf(out, " from %s", run->from);
	rg_buf_str(out, "\n\n");
	rg_blocks_of(&blocks, story);
	rg_blocks_text(out, &blocks, &style);
	rg_buf_char(out, '\n');
	append_trailer(out, RG_TRAILER_RUN, run->url ? run->url : run->id);
	append_trailer(out, RG_TRAILER_ATTEMPT, run->attempt && !pipeline ? attempt : NULL);
	append_trailer(out, RG_TRAILER_COMMIT, run->commit);
	if (run->id)
		append_trailer(out, RG_TRAILER_SCOPE,
			       run->job            ? "one job"
			       : run->only_failing ? "only-failing"
						   : "all");
	else
		append_trailer(out, RG_TRAILER_FROM, run->from);
	return rg_buf_check(out, "the commit message");
}

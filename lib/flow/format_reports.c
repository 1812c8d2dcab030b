/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/format_reports.h"

#include "base/memory.h"
#include "compare/opaque_row.h"
#include "report/summary_view.h"
#include "worktree/text_diff.h"

#include <stdlib.h>
#include <string.h>

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

struct rg_format_pair {
	rg_case_list old_cases, new_cases;
	bool has_cases;
	rg_opdiff_run *old_run, *new_run; /* both, or of a new file the latter, or none */
	char *name;
};

void rg_format_reports_begin(rg_format_reports *reports, size_t pairs)
{
	reports->pairs = rg_calloc(pairs + 1, sizeof(*reports->pairs));
	reports->count = pairs;
}

static void free_run(rg_opdiff_run *run)
{
	if (run)
		rg_opdiff_release(run);
	free(run);
}

void rg_format_reports_release(rg_format_reports *reports)
{
	for (size_t i = 0; reports->pairs && i < reports->count; i++) {
		struct rg_format_pair *p = &reports->pairs[i];
		rg_case_list_release(&p->old_cases);
		rg_case_list_release(&p->new_cases);
		free_run(p->old_run);
		free_run(p->new_run);
		free(p->name);
	}
	free(reports->pairs);
	reports->pairs = NULL;
}

static bool is_case_report(const rg_input *in)
{
	return in->size && rg_case_report_kind(in->data, in->size) != RG_CASE_REPORT_NONE;
}

/* A pair of which one side cannot be read is left out as a whole: its cases are not gone. */
static void collect_cases(struct rg_format_pair *p, const rg_pair *pair)
{
	bool old = is_case_report(&pair->old_side), fresh = is_case_report(&pair->new_side);
	rg_error *err = NULL;

	if (old)
		err = rg_case_list_add(&p->old_cases, pair->old_side.data, pair->old_side.size);
	if (!err && fresh)
		err = rg_case_list_add(&p->new_cases, pair->new_side.data, pair->new_side.size);
	if (err) {
		rg_case_list_release(&p->old_cases);
		rg_case_list_release(&p->new_cases);
		rg_error_free(err);
		return;
	}
	p->has_cases = old || fresh;
}

/* NULL for what cannot be read. */
static void read_run(rg_opdiff_run **out, const rg_input *in, int run_index)
{
	*out = rg_calloc(1, sizeof(**out));
	rg_error *err = rg_opdiff_read(*out, in->data, in->size, run_index);
	if (err) {
		free_run(*out);
		*out = NULL;
		rg_error_free(err);
	}
}

void rg_format_reports_collect(rg_format_reports *reports, size_t index, const rg_pair *pair)
{
	struct rg_format_pair *p = &reports->pairs[index];
	bool is_new = pair->status == RG_FILE_NEW;

	collect_cases(p, pair);
	if (!rg_opdiff_recognised(pair->new_side.data, pair->new_side.size))
		return;
	if (!is_new && !rg_opdiff_recognised(pair->old_side.data, pair->old_side.size))
		return;
	if (!is_new)
		read_run(&p->old_run, &pair->old_side, reports->run_index);
	if (is_new || p->old_run)
		read_run(&p->new_run, &pair->new_side, reports->run_index);
	p->name = rg_strdup(pair->name.file);
}

bool rg_format_reports_any(const rg_format_reports *reports)
{
	for (size_t i = 0; reports->pairs && i < reports->count; i++)
		if (reports->pairs[i].has_cases || reports->pairs[i].new_run)
			return true;
	return false;
}

static void add_opdiff(cJSON *list, const rg_format_reports *reports,
		       const struct rg_format_pair *p)
{
	rg_opdiff_comparison comparison;
	rg_opdiff_compare(&comparison, p->old_run, p->new_run, reports->old_backend,
			  reports->new_backend);
	cJSON_AddItemToArray(list, rg_opdiff_view(&comparison, p->name));
	rg_opdiff_comparison_release(&comparison);
}

/* All files' cases in one list each, which borrows their texts. */
static void add_cases(cJSON *formats, const rg_format_reports *reports)
{
	rg_case_list old = {0}, fresh = {0};
	rg_case_comparison comparison;
	bool any = false;

	for (size_t i = 0; i < reports->count; i++) {
		const struct rg_format_pair *p = &reports->pairs[i];
		any |= p->has_cases;
		rg_case_list_join(&old, &p->old_cases);
		rg_case_list_join(&fresh, &p->new_cases);
	}
	rg_case_list_finish(&old);
	rg_case_list_finish(&fresh);
	rg_case_list_spread(&old, &fresh);
	rg_case_list_spread(&fresh, &old);
	rg_cases_compare(&comparison, &old, &fresh);
	if (any)
		cJSON_AddItemToObject(formats, "cases", rg_cases_view(&comparison));
	rg_case_comparison_release(&comparison);
	rg_case_list_release(&fresh);
	rg_case_list_release(&old);
}

static void add_reports(cJSON *formats, const rg_format_reports *reports)
{
	cJSON *list = NULL;
	add_cases(formats, reports);
	for (size_t i = 0; i < reports->count; i++) {
		if (!reports->pairs[i].new_run)
			continue;
		if (!list)
			list = cJSON_AddArrayToObject(formats, "opdiff");
		add_opdiff(list, reports, &reports->pairs[i]);
	}
}

rg_error *rg_format_reports_view(cJSON **out, const rg_format_reports *reports,
				 const rg_comparison *comparison)
{
	cJSON *formats = cJSON_CreateObject();

	if (reports->pairs)
		add_reports(formats, reports);
	rg_opaque_view_add(formats, comparison);
	rg_tables_view_add(formats, comparison);
	if (formats->child)
		return rg_summary_view_close(out, formats);
	cJSON_Delete(formats);
	*out = NULL;
	return NULL;
}

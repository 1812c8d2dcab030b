/* SPDX-License-Identifier: Apache-2.0 */
#include "story/summary.h"

#include "base/fields.h"
#include "base/memory.h"
#include "base/order.h"
#include "compare/condition.h"
#include "golden/format.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

const char *const rg_refresh_names[RG_REFRESH_OUTCOMES] = {
	[RG_REFRESH_UPDATED] = "updated",     [RG_REFRESH_NEW] = "new",
	[RG_REFRESH_UNCHANGED] = "unchanged", [RG_REFRESH_HELD] = "held back",
	[RG_REFRESH_LEFT_OUT] = "left out",   [RG_REFRESH_MISSING] = "missing",
	[RG_REFRESH_GONE] = "no longer made",
};

void rg_refresh_init(rg_refresh *refresh)
{
	*refresh = (rg_refresh){0};
	rg_arena_init(&refresh->arena);
}

void rg_refresh_release(rg_refresh *refresh)
{
	free(refresh->items);
	rg_arena_release(&refresh->arena);
	rg_refresh_init(refresh);
}

void rg_refresh_add(rg_refresh *refresh, rg_refresh_outcome outcome, const char *name,
		    const char *why)
{
	rg_refresh_item *item = RG_PUSH(refresh->items, refresh->count, refresh->capacity);
	*item = (rg_refresh_item){.outcome = outcome};
	item->name = rg_arena_text(&refresh->arena, name);
	if (why)
		item->why = rg_arena_text(&refresh->arena, why);
	refresh->counts[outcome]++;
}

RG_ORDER(by_name, rg_refresh_item,
	 RG_BY(x->outcome == RG_REFRESH_MISSING, y->outcome == RG_REFRESH_MISSING) ||
		 RG_BY_TEXT(name));

void rg_refresh_sort(rg_refresh *refresh)
{
	if (refresh->count)
		qsort(refresh->items, refresh->count, sizeof(*refresh->items), by_name);
}

static int compare_path(const void *path, const void *item)
{
	return strcmp(path, ((const rg_refresh_item *)item)->name);
}

static const rg_refresh_item *find_item(const rg_refresh *refresh, const char *path)
{
	size_t goldens = refresh->count - refresh->counts[RG_REFRESH_MISSING];
	return goldens ? bsearch(path, refresh->items, goldens, sizeof(*refresh->items),
				 compare_path)
		       : NULL;
}

bool rg_refresh_is_from_run(const rg_refresh *refresh, const char *path)
{
	const rg_refresh_item *item = find_item(refresh, path);
	/* One that is unchanged for a reason is so for a variant, which has the run's values. */
	return item && item->outcome <= RG_REFRESH_UNCHANGED &&
	       !(item->outcome == RG_REFRESH_UNCHANGED && item->why);
}

bool rg_refresh_is_own(const rg_refresh *refresh, const char *path)
{
	return refresh && !rg_refresh_is_from_run(refresh, path);
}

#define OF rg_refresh_item
const rg_json_field rg_coverage_golden_fields[] = {
	RG_KEY(name, "The file; for what is missing, the job."),
	RG_KEY_WORD("outcome", outcome, rg_refresh_names, "What became of it."),
	RG_KEY_OR_NULL(why, "Why it was held back, is missing, or is unchanged for a variant."),
	{0}};
#undef OF

#define OF rg_among
const rg_json_field rg_among_fields[] = {
	RG_KEY(take, "The run in the middle, or the first."),
	RG_KEY_TEXTS("runs", runs.items, runs.count, ALWAYS,
		     "The ids of those that were fetched, in the order in which they were named."),
	RG_KEY_TEXTS("missing", missed.items, missed.count, ALWAYS,
		     "What is wrong with each that could not be fetched."),
	{0}};
#undef OF

rg_run_page rg_run_page_of(const char *url)
{
	const char *github = url ? strstr(url, "/actions/runs/") : NULL;
	const char *gitlab = url ? strstr(url, "/-/pipelines/") : NULL;

	if (github)
		return (rg_run_page){(int)(github - url), "", false};
	if (gitlab)
		return (rg_run_page){(int)(gitlab - url), "/-", true};
	return (rg_run_page){0, "", false};
}

static bool is_test_report(const rg_file_outcome *file)
{
	const rg_format *format = rg_format_named(file->format);
	return format && format->has_results;
}

bool rg_is_test_row(const rg_comparison *comparison, const rg_row *row)
{
	return is_test_report(&comparison->files[row->file_index]);
}

static size_t is_worse(const rg_row *row, rg_breach_kind kind)
{
	return rg_condition_of(kind)->worse(row) > 0 ? 1 : 0;
}

static void count_row(rg_test_counts *out, const rg_row *row)
{
	out->any = true;
	out->newly_failing += is_worse(row, RG_BREACH_NEWLY_FAILING);
	out->crashed += is_worse(row, RG_BREACH_CRASH);
	out->undelegated += is_worse(row, RG_BREACH_UNDELEGATED);
	out->lower_snr += is_worse(row, RG_BREACH_SNR_DROP);
	out->gone += row->gap == RG_GAP_OLD_ONLY && row->scale == RG_SCALE_RESULT;
}

void rg_test_rows_count(rg_test_counts *out, const rg_comparison *comparison)
{
	*out = (rg_test_counts){0};
	for (size_t i = 0; i < comparison->row_count; i++)
		if (rg_is_test_row(comparison, &comparison->rows[i]))
			count_row(out, &comparison->rows[i]);
		else if (comparison->rows[i].scale == RG_SCALE_STATUS &&
			 comparison->rows[i].gap == RG_GAP_NONE)
			out->worse += comparison->rows[i].new_place > comparison->rows[i].old_place;
	for (size_t i = 0; i < comparison->gap_count; i++)
		if (rg_is_test_row(comparison, &comparison->gaps[i]))
			count_row(out, &comparison->gaps[i]);
}

/* Adds the file with its rows and gaps, or without. */
static void append_file(rg_comparison *out, const rg_comparison *from, const rg_file_outcome *file,
			bool keep)
{
	rg_file_outcome *to = &out->files[out->file_count++];

	*to = *file;
	to->first_row = out->row_count;
	to->first_gap = out->gap_count;
	to->row_count = keep ? file->row_count : 0;
	to->gap_count = keep ? file->gap_count : 0;
	for (size_t i = 0; i < to->row_count; i++) {
		const rg_row *row = &from->rows[file->first_row + i];
		out->rows[out->row_count++] = *row;
		out->series_rows += rg_row_has_size(row);
	}
	for (size_t i = 0; i < to->gap_count; i++)
		out->gaps[out->gap_count++] = from->gaps[file->first_gap + i];
}

static void make_room(rg_comparison *out, const rg_comparison *comparison)
{
	*out = *comparison;
	out->rows = rg_malloc((comparison->row_count + 1) * sizeof(*out->rows));
	out->gaps = rg_malloc((comparison->gap_count + 1) * sizeof(*out->gaps));
	out->files = rg_malloc((comparison->file_count + 1) * sizeof(*out->files));
	out->row_count = out->gap_count = out->file_count = out->series_rows = 0;
}

void rg_without_test_rows(rg_comparison *out, const rg_comparison *comparison)
{
	make_room(out, comparison);
	for (size_t i = 0; i < comparison->file_count; i++)
		append_file(out, comparison, &comparison->files[i],
			    !is_test_report(&comparison->files[i]));
}

void rg_comparison_subset(rg_comparison *out, const rg_comparison *comparison, const bool *wanted)
{
	size_t *const counts[] = {[RG_FILE_COMPARED] = &out->compared,
				  [RG_FILE_NEW] = &out->new_files,
				  [RG_FILE_REMOVED] = &out->removed,
				  [RG_FILE_UNREADABLE] = &out->unreadable};

	make_room(out, comparison);
	out->compared = out->new_files = out->removed = out->unreadable = 0;
	for (size_t i = 0; i < comparison->file_count; i++) {
		if (!wanted[i])
			continue;
		const size_t first_row = out->row_count, first_gap = out->gap_count;
		++*counts[comparison->files[i].status];
		append_file(out, comparison, &comparison->files[i], true);
		for (size_t k = first_row; k < out->row_count; k++)
			out->rows[k].file_index = out->file_count - 1;
		for (size_t k = first_gap; k < out->gap_count; k++)
			out->gaps[k].file_index = out->file_count - 1;
	}
}

void rg_without_test_rows_release(rg_comparison *comparison)
{
	free(comparison->rows);
	free(comparison->gaps);
	free(comparison->files);
}

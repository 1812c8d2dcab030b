/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/distance.h"

#include "compare/align.h"

#include <math.h>

static bool needs_look(const rg_row *row)
{
	return row->level >= RG_LEVEL_FLAG || row->left_out.new_nonfinite || row->lost ||
	       row->over.count || row->from_zero.needs_look || row->beside ||
	       row->kind == RG_ROW_EXACT;
}

static void count_rows(rg_distance *out, const rg_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const rg_row *row = &rows[i];
		if (row->identical || row->ignored || row->gap == RG_GAP_DROPPED)
			continue;
		out->differing++;
		out->to_look_at += row->gap == RG_GAP_OLD_ONLY || row->gap == RG_GAP_NEW_ONLY ||
				   needs_look(row);
		if (!row->gap && row->kind == RG_ROW_SERIES && row->n_steps)
			out->largest = fmax(out->largest, row->max_abs_rel);
	}
}

rg_error *rg_distance_measure(rg_distance *out, bool *known, const char *file, rg_golden *old,
			      rg_golden *fresh, const rg_policy *policy, rg_error *unread)
{
	RG_AUTO_PTR(rg_golden) was = old;
	RG_AUTO_PTR(rg_golden) is = fresh;
	RG_AUTO(rg_comparison) comparison = {0};
	const rg_file_name name = {file, NULL};

	*out = (rg_distance){0};
	rg_error *err = unread ? unread : rg_goldens_align(was, is);
	if (!err)
		err = rg_compare_goldens(&comparison, &name, was, is, policy);
	*known = !err;
	if (err && rg_error_get_code(err) == RG_E_CANCELLED)
		return err;
	if (err) {
		rg_error_free(err);
		return NULL;
	}
	count_rows(out, comparison.rows, comparison.row_count);
	count_rows(out, comparison.gaps, comparison.gap_count);
	const size_t alone = comparison.files->lost.count + comparison.files->gained.count;
	out->differing += alone;
	out->to_look_at += alone;
	return NULL;
}

bool rg_distance_is_less(const rg_distance *a, const rg_distance *b)
{
	if (a->to_look_at != b->to_look_at)
		return a->to_look_at < b->to_look_at;
	if (a->differing != b->differing)
		return a->differing < b->differing;
	return a->largest < b->largest;
}

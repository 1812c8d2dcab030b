/* SPDX-License-Identifier: Apache-2.0 */
#include "report/story.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* 12300 as "12,300": three digits that count, then zeros. */
static void add_large(rg_buf *out, double value)
{
	double unit = pow(10, floor(log10(fabs(value))) - 2);
	char digits[32];
	size_t length, i;

	snprintf(digits, sizeof(digits), "%.0f", round(fabs(value) / unit) * unit);
	length = strlen(digits);
	if (value < 0)
		rg_buf_char(out, '-');
	for (i = 0; i < length; i++) {
		rg_buf_char(out, digits[i]);
		if (i + 1 < length && (length - i - 1) % 3 == 0)
			rg_buf_char(out, ',');
	}
}

void rg_story_add_figure(rg_buf *out, double value)
{
	if (isfinite(value) && fabs(value) >= 1000 && fabs(value) < 1e9)
		add_large(out, value);
	else
		rg_buf_printf(out, "%.3g", value);
}

static void add_percent(rg_buf *out, double share)
{
	rg_story_add_figure(out, fabs(share) * 100);
}

static const char *direction_of(double avg_rel_diff)
{
	return avg_rel_diff > 0 ? "smaller" : "larger";
}

void rg_story_say_shift(rg_buf *out, double avg_rel_diff)
{
	if (avg_rel_diff == 0) {
		rg_buf_str(out, "equal on average");
		return;
	}
	if (isnan(avg_rel_diff)) {
		rg_buf_str(out, "no relative figure");
		return;
	}
	rg_buf_str(out, "new is ");
	add_percent(out, avg_rel_diff);
	rg_buf_printf(out, " %% %s", direction_of(avg_rel_diff));
}

void rg_story_say_range(rg_buf *out, double low, double high)
{
	double nearer = fmin(fabs(low), fabs(high)), farther = fmax(fabs(low), fabs(high));

	/* What is lost in the other end's digits is nothing. */
	if (nearer < farther / 100)
		nearer = 0;
	if (low == high || isnan(low) || isnan(high)) {
		rg_story_say_shift(out, low);
		return;
	}
	rg_buf_str(out, "new is ");
	if (low < 0 && high > 0 && nearer > 0) {
		add_percent(out, high);
		rg_buf_str(out, " % smaller to ");
		add_percent(out, low);
		rg_buf_str(out, " % larger");
		return;
	}
	if (nearer == 0) {
		rg_buf_str(out, "up to ");
	} else {
		add_percent(out, nearer);
		rg_buf_str(out, " to ");
	}
	add_percent(out, farther);
	rg_buf_printf(out, " %% %s", fabs(high) >= fabs(low) && high > 0 ? "smaller" : "larger");
}

void rg_story_say_spread(rg_buf *out, double mean_abs_rel)
{
	add_percent(out, mean_abs_rel);
	rg_buf_str(out, " % off step by step, in both directions");
}

static void say_errors(rg_buf *out, double errors, bool several)
{
	if (errors > 0)
		rg_buf_printf(out, ", %.2g standard errors%s", errors, several ? " at most" : "");
}

void rg_story_say_errors(rg_buf *out, const rg_cohort *cohorts, size_t count)
{
	double errors = NAN;
	size_t i;

	for (i = 0; i < count; i++)
		errors = fmax(errors, cohorts[i].errors);
	say_errors(out, errors, true);
}

void rg_story_say_tensor(rg_buf *out, const rg_row *row)
{
	const rg_tensor_stats *tensor = row->tensor;

	if (!tensor) {
		const char *old = row->old_excerpt ? row->old_excerpt : "it",
			   *fresh = row->new_excerpt ? row->new_excerpt : "of another kind";

		/* Why neither side can be read is said once. */
		if (!strcmp(old, fresh))
			rg_buf_printf(out, "%s, and the bytes differ", old);
		else
			rg_buf_printf(out, "%s became %s", old, fresh);
		return;
	}
	if (tensor->types)
		rg_buf_printf(out, "%s, ", tensor->types);
	if (tensor->types && tensor->share_differing == 0) {
		rg_buf_str(out, "equal values");
		return;
	}
	if (tensor->nonfinite_mismatches)
		rg_buf_printf(out, "%zu non-finite mismatch%s, ", tensor->nonfinite_mismatches,
			      tensor->nonfinite_mismatches == 1 ? "" : "es");
	rg_buf_str(out, "max_abs ");
	rg_story_add_figure(out, row->max_abs);
	if (row->max_abs > 0)
		rg_buf_printf(out, " at %s", tensor->worst_text);
	if (!tensor->nonfinite_mismatches || isfinite(tensor->snr_db))
		rg_buf_printf(out, ", SNR %.3g dB", tensor->snr_db);
	rg_buf_str(out, ", ");
	add_percent(out, tensor->share_differing);
	rg_buf_str(out, " % of its elements differ");
}

void rg_story_say_models(rg_buf *out, const rg_models *models)
{
	const rg_model_row *worst;
	rg_model_part part;

	for (part = 0; part < RG_PARTS && models->differing; part++) {
		size_t differ = models->counts.differ[part];

		if (!differ)
			continue;
		worst = models->items[0].rows;
		rg_buf_printf(out, "%s%zu of %zu %s%s %s", out->length ? "; " : "", differ,
			      models->counts.of[part], rg_part_names[part],
			      models->counts.of[part] == 1 ? "" : "s",
			      differ == 1 ? "differs" : "differ");
		if (part != worst->part || part == RG_PART_PROGRAM)
			continue;
		rg_buf_printf(out, ", worst %s%s%s: ", worst->model, *worst->model ? " " : "",
			      worst->label);
		rg_story_say_tensor(out, worst->row);
	}
}

void rg_story_say_row(rg_buf *out, const rg_row *row, bool cancels)
{
	if (row->tensor && !row->identical)
		rg_story_say_tensor(out, row);
	else if (row->changes)
		rg_buf_str(out, row->changes_brief);
	else if (row->kind == RG_ROW_EXACT && row->first_diff_known)
		rg_buf_printf(out, "differs from position %" PRId64, row->first_diff);
	else if (row->kind == RG_ROW_EXACT)
		rg_buf_str(out, row->identical ? "equal" : "is of another kind or shape");
	else if (cancels)
		rg_story_say_spread(out, row->mean_abs_rel);
	else
		rg_story_say_shift(out, row->avg_rel_diff);
	if (!row->identical)
		say_errors(out, row->standard_errors, row->n_steps > 1);
}

void rg_story_say_over(rg_buf *out, const rg_comparison *comparison)
{
	size_t goldens = 0, last = SIZE_MAX, i;

	for (i = 0; i < comparison->row_count; i++) {
		const rg_row *row = &comparison->rows[i];

		goldens += row->over.count && row->file_index != last;
		last = row->over.count ? row->file_index : last;
	}
	if (goldens)
		rg_buf_printf(out, "%s%zu golden%s records over their own tolerance",
			      out->length ? "; " : "", goldens, goldens == 1 ? " has" : "s have");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/words.h"

#include "base/number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void rg_say_count(rg_buf *out, size_t count, const char *one)
{
	char number[RG_COUNT_TEXT];
	rg_buf_printf(out, "%s %s%s", rg_count_text(count, number), one, rg_plural(count));
}

/* --- figures --- */

/* 12300 as "12,300": three digits that count, then zeros. */
static void append_large(rg_buf *out, double value)
{
	const double unit = pow(10, floor(log10(fabs(value))) - 2);
	char digits[64];

	snprintf(digits, sizeof(digits), "%.0f", round(fabs(value) / unit) * unit);
	const size_t length = strlen(digits);
	if (value < 0)
		rg_buf_char(out, '-');
	for (size_t i = 0; i < length; i++) {
		rg_buf_char(out, digits[i]);
		if (i + 1 < length && (length - i - 1) % 3 == 0)
			rg_buf_char(out, ',');
	}
}

void rg_say_figure(rg_buf *out, double value)
{
	if (isnan(value))
		rg_buf_str(out, "NaN");
	else if (fabs(value) >= 999.5 && fabs(value) < 1e9)
		append_large(out, value);
	else
		rg_buf_printf(out, "%.3g", value);
}

/* The digits of a percentage, of 0 or more: three, after the point no more than five, without zeros
 * at the end. */
static void append_percent(rg_buf *out, double percent)
{
	enum { DECIMALS = 5 };
	char digits[64];

	if (percent >= 1e9) {
		rg_buf_str(out, isinf(percent) ? "inf" : "over 1,000,000,000");
		return;
	}
	if (percent >= 999.5) {
		append_large(out, percent);
		return;
	}
	int decimals = percent >= 99.95 ? 0 : percent >= 9.995 ? 1 : 2;
	while (decimals < DECIMALS && percent > 0 && percent < 9.95 * pow(10, -decimals))
		decimals++;
	snprintf(digits, sizeof(digits), "%.*f", decimals, percent);
	size_t length = strlen(digits);
	while (decimals && length && digits[length - 1] == '0')
		length--;
	length -= length && digits[length - 1] == '.';
	rg_buf_add(out, digits, length);
}

static const double LEAST_PERCENT = 0.00001;

static void append_change(rg_buf *out, double change)
{
	const double percent = fabs(change) * 100;
	if (percent > 0 && percent < LEAST_PERCENT) {
		rg_buf_str(out, "< 0.00001");
		return;
	}
	if (percent > 0)
		rg_buf_char(out, change < 0 ? '-' : '+');
	/* A percentage may be infinite where the change is not. */
	append_percent(out, isinf(change) ? percent : fmin(percent, DBL_MAX));
}

void rg_say_change(rg_buf *out, double change)
{
	if (isnan(change)) {
		rg_buf_str(out, "no percentage");
		return;
	}
	append_change(out, change);
	rg_buf_str(out, " %");
}

void rg_say_range(rg_buf *out, double low, double high)
{
	const size_t start = out->length;
	append_change(out, low);
	const size_t length = out->length - start;
	rg_buf_str(out, " to ");
	append_change(out, high);
	if (!out->is_full && out->length == start + 2 * length + 4 &&
	    !strncmp(out->data + start, out->data + start + length + 4, length))
		rg_buf_truncate(out, start + length);
	rg_buf_str(out, " %");
}

void rg_say_share(rg_buf *out, double share)
{
	append_percent(out, fabs(share) * 100);
	rg_buf_str(out, " %");
}

void rg_say_within(rg_buf *out, double share)
{
	const double percent = fabs(share) * 100;
	/* No finer than what is printed. */
	const double unit = percent > 0 ? fmax(pow(10, floor(log10(percent)) - 1), LEAST_PERCENT)
					: 1;

	if (percent > 0 && percent < LEAST_PERCENT) {
		rg_buf_str(out, "< 0.00001 %");
		return;
	}
	/* A hair less, so that 5 % is within 5 %. */
	append_percent(out, ceil(percent / unit * (1 - 1e-12)) * unit);
	rg_buf_str(out, " %");
}

static void write_digits(char *out, size_t size, int digits, double value)
{
	if (isnan(value))
		snprintf(out, size, "NaN");
	else
		snprintf(out, size, "%.*g", digits, value);
}

void rg_say_both(rg_buf *out, double old, double fresh)
{
	char before[64], after[64];
	for (int digits = 3; digits <= 17; digits += digits < 6 ? 3 : 11) {
		write_digits(before, sizeof(before), digits, old);
		write_digits(after, sizeof(after), digits, fresh);
		if (strcmp(before, after) != 0)
			break;
	}
	rg_buf_printf(out, "%s -> %s", before, after);
}

/* --- a finding --- */

void rg_finding_say_metric(rg_buf *out, const rg_story_finding *f)
{
	rg_buf_str(out, f->metric ? f->metric : "");
	if (f->metric && f->metrics > 1)
		rg_buf_printf(out, " and %zu more", f->metrics - 1);
}

static const char *unit_of(const rg_story_finding *f)
{
	return f->by_record ? "cell" : f->by_element ? "element" : "step";
}

static void append_goldens(rg_buf *out, const rg_story_finding *f, const char *before,
			   const char *after)
{
	if (f->goldens == 1)
		rg_buf_printf(out, "%sgolden%s", before, after);
	else
		rg_buf_printf(out, "%zu %sgoldens%s", f->goldens, before, after);
}

/* Changes that have no figure. */
static const char *const plain_figures[RG_FOUND_KINDS] = {
	[RG_FOUND_METRIC_REMOVED] = "removed", [RG_FOUND_METRIC_NEW] = "new",
	[RG_FOUND_UNREADABLE] = "unreadable",  [RG_FOUND_HELD] = "held back",
	[RG_FOUND_MISSING] = "missing",        [RG_FOUND_RUN] = "the run has changed",
	[RG_FOUND_RESHAPED] = "another kind",  [RG_FOUND_TEXT] = "differs",
	[RG_FOUND_UNREAD] = "partly read",
};

/* "3 records removed" */
static void append_counted(rg_buf *out, const rg_story_finding *f, const char *one,
			   const char *what)
{
	rg_say_count(out, f->count, one);
	rg_buf_printf(out, " %s", what);
}

void rg_finding_say_figure(rg_buf *out, const rg_story_finding *f)
{
	if (plain_figures[f->kind]) {
		rg_buf_str(out, plain_figures[f->kind]);
		return;
	}
	switch (f->kind) {
	case RG_FOUND_NONFINITE:
		if (f->by_element && !f->is_nan && !f->is_inf)
			append_counted(out, f, unit_of(f), "not finite");
		else
			rg_buf_str(out, f->is_nan && f->is_inf ? "now NaN, inf"
					: f->is_inf            ? "now inf"
					: f->is_nan            ? "now NaN"
							       : "not finite");
		break;
	case RG_FOUND_REPAIRED:
		rg_buf_str(out, f->is_nan ? "no longer NaN" : "finite again");
		break;
	case RG_FOUND_VALUES_REMOVED:
		append_counted(out, f, unit_of(f), f->by_element ? "masked" : "removed");
		break;
	case RG_FOUND_VALUES_ADDED:
		append_counted(out, f, unit_of(f), f->by_element ? "no longer masked" : "added");
		break;
	case RG_FOUND_RECORDS_REMOVED:
		append_counted(out, f, "record", "removed");
		break;
	case RG_FOUND_RECORDS_ADDED:
		append_counted(out, f, "record", "added");
		break;
	case RG_FOUND_GOLDEN_REMOVED:
		append_goldens(out, f, "", " removed");
		break;
	case RG_FOUND_GOLDEN_NEW:
		append_goldens(out, f, "new ", "");
		break;
	case RG_FOUND_TESTS:
		rg_buf_printf(out, "%zu %s", f->count, f->text);
		break;
	case RG_FOUND_FROM_ZERO:
		rg_say_both(out, f->old, f->fresh);
		break;
	case RG_FOUND_TENSOR:
		if (isfinite(f->old)) {
			rg_say_both(out, f->old, f->fresh);
			break;
		}
		rg_buf_str(out, "max_abs ");
		rg_say_figure(out, f->max_abs);
		break;
	case RG_FOUND_CHECK:
		rg_buf_printf(out, "fails %s", f->text);
		break;
	case RG_FOUND_PASSED:
		rg_buf_printf(out, "passes %s", f->text);
		break;
	default:
		if (isnan(f->change))
			rg_buf_str(out, "differs");
		else
			rg_say_change(out, f->change);
	}
}

static void append_steps(rg_buf *out, const rg_story_finding *f, size_t start)
{
	if (!f->steps || !*f->steps)
		return;
	rg_buf_str(out, out->length > start ? ", " : "");
	if (!f->by_record)
		rg_buf_str(out, strpbrk(f->steps, ".,") ? "steps " : "step ");
	rg_buf_str(out, f->steps);
}

/* "3 of 4 records smaller (to -21.7 %), 1 larger (+44.1 %)" */
static void append_both_ways(rg_buf *out, const rg_story_finding *f)
{
	const bool first_larger = f->larger > f->smaller;
	for (size_t i = 0; i < 2; i++) {
		const bool larger = first_larger == !i;
		const size_t count = larger ? f->larger : f->smaller;
		rg_buf_printf(out, i ? ", %zu" : "%zu", count);
		if (!i)
			rg_buf_printf(out, " of %zu records", f->steps_counted);
		rg_buf_printf(out, " %s (%s", larger ? "larger" : "smaller",
			      count > 1 ? "to " : "");
		rg_say_change(out, larger ? f->most_larger : f->most_smaller);
		rg_buf_char(out, ')');
	}
}

/* Says in one clause what the figure is of, or is compared with. */
static void append_figure_of(rg_buf *out, const rg_story_finding *f)
{
	if (f->kind == RG_FOUND_OUTLIER && !f->runs) {
		if (f->goldens > 1)
			rg_buf_printf(out, "%zu others: ", f->others);
		else
			rg_buf_printf(out, "%zu others in its %s: ", f->others,
				      f->of_stage ? "stage" : "group");
		rg_say_change(out, f->others_median);
	} else if (f->runs) {
		rg_buf_printf(out, "outside all %zu measured runs", f->runs);
	} else if (f->text) {
		rg_buf_str(out, f->text);
	} else if (!isnan(f->median)) {
		rg_buf_str(out, f->by_median ? "median step; mean " : "mean; median step ");
		rg_say_change(out, f->median);
	} else if (!isnan(f->per_step)) {
		rg_buf_str(out, "mean; varies by ");
		rg_say_share(out, f->per_step);
		rg_buf_str(out, " per step");
	} else if (f->larger && f->smaller) {
		append_both_ways(out, f);
	} else if (f->at) {
		rg_buf_printf(out, "%s %s", f->by_record ? "record" : "step", f->at);
	} else if (!isnan(f->score)) {
		rg_buf_printf(out, "score %.3g, flag level %g", f->score, f->level);
	} else if (!isnan(f->level) && f->over >= 1 && f->goldens == 1) {
		rg_buf_str(out, "flag level ");
		rg_say_share(out, f->level);
	}
}

static void append_moved_note(rg_buf *out, const rg_story_finding *f)
{
	const size_t start = out->length;
	/* Mean and median are two clauses already. */
	if (f->goldens > 1 && isnan(f->median) && isnan(f->per_step)) {
		rg_buf_printf(out, "%zu goldens", f->goldens);
		if (f->kind == RG_FOUND_MOVED && !isnan(f->level) && isnan(f->score) &&
		    f->over >= 1 && !f->at && !f->runs && !f->larger) {
			rg_buf_str(out, " over ");
			rg_say_share(out, f->level);
			return;
		}
		if (out->length > start)
			rg_buf_str(out, "; ");
	}
	const size_t before = out->length;
	append_figure_of(out, f);
	if (out->length == before && before > start)
		rg_buf_truncate(out, before - 2);
}

/* The name without the folders that it shares with another one, which is in front of it. */
static const char *beside_name(const char *name, const char *other)
{
	const char *own = name;
	for (const char *at = name; *at && *at == *other; at++, other++)
		if (*at == '/')
			own = at + 1;
	return own;
}

/* "3 of 6 in tasks/koios: proxy.5.v, proxy.7.v; 3 of 6 in koios_no_hard_block" */
static void append_records(rg_buf *out, const rg_story_finding *f, bool brief)
{
	rg_buf_printf(out, "%zu of %zu in %s", f->first_count, f->first_of, f->name);
	if (f->steps && *f->steps && !brief)
		rg_buf_printf(out, ": %s", f->steps);
	if (f->goldens == 2 && f->also)
		rg_buf_printf(out, "; %zu of %zu in %s", f->also_count, f->also_of,
			      beside_name(f->also, f->name));
	else if (f->goldens > 1)
		rg_buf_printf(out, "; and %zu more goldens", f->goldens - 1);
}

static void append_tensor_note(rg_buf *out, const rg_story_finding *f)
{
	if (f->text)
		rg_buf_printf(out, "%s, ", f->text);
	if (f->text && f->share == 0) {
		rg_buf_str(out, "equal values");
		return;
	}
	if (isfinite(f->old)) {
		if (f->old != 0)
			rg_say_change(out, (f->fresh - f->old) / fabs(f->old));
		return;
	}
	if (f->count)
		rg_buf_printf(out, "%zu non-finite mismatch%s", f->count,
			      f->count == 1 ? "" : "es");
	else if (f->at)
		rg_buf_printf(out, "at %s", f->at);
	if (!f->count && isfinite(f->snr_db))
		rg_buf_printf(out, "%sSNR %.3g dB", f->at ? ", " : "", f->snr_db);
}

/* "though 1 element became infinite" */
static void append_passed(rg_buf *out, const rg_story_finding *f)
{
	if (f->goldens > 1)
		rg_buf_printf(out, "%zu goldens, ", f->goldens);
	rg_buf_str(out, "though ");
	if (f->count)
		append_counted(out, f, f->by_record ? "record" : unit_of(f), f->at);
	else
		rg_buf_str(out, f->at);
}

bool rg_finding_names_golden(const rg_story_finding *f)
{
	return f->kind == RG_FOUND_RECORDS_REMOVED || f->kind == RG_FOUND_RECORDS_ADDED;
}

void rg_finding_say_note(rg_buf *out, const rg_story_finding *f, bool brief)
{
	const size_t start = out->length;
	switch (f->kind) {
	case RG_FOUND_RECORDS_REMOVED:
	case RG_FOUND_RECORDS_ADDED:
		append_records(out, f, brief);
		return;
	case RG_FOUND_OUTLIER:
	case RG_FOUND_MOVED:
		append_moved_note(out, f);
		return;
	case RG_FOUND_TENSOR:
		append_tensor_note(out, f);
		return;
	case RG_FOUND_TESTS:
		return;
	case RG_FOUND_RUN:
		rg_buf_printf(out, "compared with %zu measured run%s", f->runs, rg_plural(f->runs));
		return;
	case RG_FOUND_CHECK:
		if (f->goldens > 1)
			rg_buf_printf(out, "%zu goldens", f->goldens);
		return;
	case RG_FOUND_PASSED:
		append_passed(out, f);
		return;
	default:
		break;
	}
	/* A figure that is about several goldens has their number itself. */
	if (f->goldens > 1 && f->kind != RG_FOUND_GOLDEN_NEW && f->kind != RG_FOUND_GOLDEN_REMOVED)
		rg_buf_printf(out, "%zu %s", f->goldens,
			      f->kind == RG_FOUND_MISSING ? "artifacts" : "goldens");
	if (f->kind == RG_FOUND_FROM_ZERO && f->count > 1)
		rg_buf_printf(out, "%s%zu %ss from zero", out->length > start ? ", " : "", f->count,
			      f->by_record ? "record" : "step");
	if (!brief)
		append_steps(out, f, start);
	if (f->kind == RG_FOUND_GOLDEN_NEW && f->count)
		rg_buf_str(out, "with NaN or infinite values");
	else if (f->text && f->goldens == 1)
		rg_buf_printf(out, "%s%.*s", out->length > start ? ": " : "",
			      (int)strcspn(f->text, "\n"), f->text);
}

/* --- what moved --- */

static bool is_duration(const rg_moved *m)
{
	return m->class_of == RG_CLASS_TIME || m->class_of == RG_CLASS_RATE;
}

bool rg_moved_is_in_review(const rg_moved *m)
{
	return m->review && m->low == 0 && m->high == 0;
}

/* A duration that needs review somewhere has a line: if most goldens are slower, the machine is.
 * Texts and ids have no flag level to be within. A metric whose rows are all in REVIEW has no line,
 * and be it a loss: REVIEW has its change, and begins with it. */
bool rg_moved_is_shown(const rg_moved *m)
{
	if (m->of_models || (m->changed && isnan(m->low) && !m->counted))
		return false;
	return m->class_of == RG_CLASS_LOSS ||
	       (m->changed && !rg_moved_is_in_review(m) &&
		(!m->still || m->counted ||
		 (is_duration(m) && m->review && m->larger + m->smaller > 0)));
}

void rg_moved_say_change(rg_buf *out, const rg_moved *m)
{
	if (m->counted && m->rows_changed)
		rg_buf_printf(out, "%zu of %zu differ", m->rows_changed, m->rows);
	else if (!m->changed)
		rg_buf_str(out, "equal");
	else if (isnan(m->low))
		rg_buf_str(out, m->review ? "in REVIEW" : "-");
	else if (is_duration(m)) {
		/* "66 slower, 60 faster (median step), no trend" */
		const bool rate = m->class_of == RG_CLASS_RATE;
		const size_t start = out->length;
		if (m->larger)
			rg_buf_printf(out, "%zu %s", m->larger, rate ? "larger" : "slower");
		if (m->smaller)
			rg_buf_printf(out, "%s%zu %s", out->length > start ? ", " : "", m->smaller,
				      rate ? "smaller" : "faster");
		if (out->length == start)
			rg_buf_str(out, "equal");
		if (m->typical)
			rg_buf_str(out, " (median step)");
		if (!m->trend && m->larger + m->smaller > 1)
			rg_buf_str(out, ", no trend");
	} else {
		rg_buf_str(out, m->all ? "all: " : "");
		rg_say_range(out, m->low, m->high);
	}
}

void rg_moved_say_median(rg_buf *out, const rg_moved *m)
{
	if (m->counted || !m->changed || isnan(m->median) || m->low == m->high ||
	    (is_duration(m) && !m->trend))
		return;
	rg_say_change(out, m->median);
}

/* --- a row --- */

void rg_row_say_tensor(rg_buf *out, const rg_row *row)
{
	const rg_tensor_stats *tensor = row->tensor;
	if (!tensor) {
		const char *old = row->old_excerpt ? row->old_excerpt : "it",
			   *fresh = row->new_excerpt ? row->new_excerpt : "another kind";

		/* Why neither side can be read is said once. */
		if (!strcmp(old, fresh))
			rg_buf_printf(out, "%s, and the bytes differ", old);
		else
			rg_buf_printf(out, "%s -> %s", old, fresh);
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
	if (isfinite(tensor->old) && isfinite(tensor->fresh) && tensor->old != tensor->fresh) {
		rg_say_both(out, tensor->old, tensor->fresh);
		return;
	}
	rg_buf_str(out, "max_abs ");
	rg_say_figure(out, row->max_abs);
	if (row->max_abs > 0)
		rg_buf_printf(out, " at %s", tensor->worst_text);
	if (!tensor->nonfinite_mismatches || isfinite(tensor->snr_db))
		rg_buf_printf(out, ", SNR %.3g dB", tensor->snr_db);
	rg_buf_str(out, ", ");
	rg_say_share(out, tensor->share_differing);
	rg_buf_str(out, " of its elements differ");
}

static void append_values(rg_buf *out, const rg_row *row, const char *what, const char *steps,
			  size_t count, size_t start)
{
	if (!count)
		return;
	rg_buf_str(out, out->length > start ? ", " : "");
	rg_buf_str(out, what);
	if (steps && row->by_record)
		rg_buf_printf(out, " at %s", steps);
	else if (steps)
		rg_buf_printf(out, " at step%s %s", count > 1 ? "s" : "", steps);
	else
		rg_buf_printf(out, " at %zu %s%s", count, row->by_record ? "record" : "step",
			      rg_plural(count));
}

static const char *nonfinite_word(const rg_row *row)
{
	return row->now_nan && row->now_inf ? "now NaN, inf"
	       : row->now_inf               ? "now inf"
	       : row->now_nan               ? "now NaN"
					    : "not finite";
}

/* The change of a series, and what else of the same metric says something else. */
static void append_series(rg_buf *out, const rg_row *row, const rg_metric_policy *policy)
{
	const double mean = 0 - rg_row_shift(row);
	if (row->n_steps && !(row->too_small.count && mean == 0)) {
		rg_say_change(out, mean);
		if (row->by_largest && row->n_steps > 1 && row->max_abs_rel_record)
			rg_buf_printf(out, " (record %s)", row->max_abs_rel_record);
		else if (row->by_largest && row->n_steps > 1)
			rg_buf_printf(out, " (step %" PRId64 ")", row->max_abs_rel_step);
		else if (row->median_known && rg_row_mean_differs(row)) {
			rg_buf_str(out, " (mean; median step ");
			rg_say_change(out, 0 - row->median_rel_diff);
			rg_buf_char(out, ')');
		} else if (rg_row_cancels(row, policy)) {
			rg_buf_str(out, " (mean; varies by ");
			rg_say_share(out, row->mean_abs_rel);
			rg_buf_str(out, " per step)");
		}
		if (!row->from_zero.count)
			return;
		rg_buf_str(out, ", ");
	}
	if (row->from_zero.count)
		rg_say_both(out, row->from_zero.old, row->from_zero.largest);
	else if (row->too_small.count)
		rg_say_both(out, row->too_small.old, row->too_small.fresh);
	else
		rg_buf_str(out, "no percentage");
}

void rg_row_say(rg_buf *out, const rg_row *row, const rg_metric_policy *policy)
{
	const size_t start = out->length;
	if (row->tensor && !row->identical) {
		rg_row_say_tensor(out, row);
		return;
	}
	if (row->kind == RG_ROW_EXACT && !row->by_record) {
		if (row->changes)
			rg_buf_str(out, row->changes_brief);
		else if (row->first_diff_known)
			rg_buf_printf(out, "differs from position %" PRId64, row->first_diff);
		else
			rg_buf_str(out, row->identical ? "equal" : "another kind or shape");
		return;
	}
	append_values(out, row, nonfinite_word(row), row->nonfinite_steps,
		      row->left_out.new_nonfinite, start);
	append_values(out, row, "removed", row->lost_steps, row->left_out.old_only, start);
	append_values(out, row, row->repaired_nan ? "no longer NaN" : "finite again",
		      row->repaired_steps, row->repaired, start);
	append_values(out, row, "added", row->gained_steps, row->left_out.new_only, start);
	const bool moved = row->n_steps && (row->max_abs > 0 || row->avg_rel_diff != 0);
	rg_buf_str(out, out->length > start && (moved || row->beside || row->changes) ? ", " : "");
	if (row->beside)
		rg_buf_str(out, row->beside);
	else if (row->kind == RG_ROW_EXACT)
		rg_buf_str(out, row->changes          ? row->changes_brief
				: row->identical      ? "equal"
				: out->length > start ? ""
						      : "another kind or shape");
	else if (row->identical && out->length == start)
		rg_buf_str(out, "equal");
	else if (out->length == start || moved)
		append_series(out, row, policy);
	if (!row->identical && row->standard_errors > 0)
		rg_buf_printf(out, ", %.2g standard errors%s", row->standard_errors,
			      row->n_steps > 1 ? " at most" : "");
}

/* By which level a score needs review. */
static void append_level(rg_buf *out, const rg_row *row, const rg_metric_policy *policy)
{
	const bool fails = row->level == RG_LEVEL_FAIL;
	if (!fails && !(row->level >= RG_LEVEL_FLAG && row->score >= policy->flag))
		return;
	rg_buf_str(out, out->length ? "; " : "");
	/* The figure that is shown is the score of that kind alone. */
	if (policy->kind != RG_POLICY_RELATIVE)
		rg_buf_printf(out, "score %.3g, ", row->score);
	if (fails)
		rg_buf_printf(out, "over the fail level %g", row->fail_at);
	else
		rg_buf_printf(out, "flag level %g", policy->flag);
}

void rg_row_say_why(rg_buf *out, const rg_story *story, const rg_row *row)
{
	const rg_story_place *place = &story->places[row - story->summary->comparison->rows];
	rg_metric_policy policy;
	size_t named = 0;

	if (place->look == RG_LOOK_NONE)
		return;
	rg_policy_resolve(story->summary->policy, row->file, row->metric, &policy);
	for (size_t i = 0; i < RG_MARKS; i++)
		if (place->marks >> i & 1)
			rg_buf_printf(out, "%s%s", named++ ? ", " : "", rg_story_mark_names[i]);
	rg_buf_str(out, named ? ": " : "");
	rg_row_say(out, row, &policy);
	if (place->of->outlier && place->of->row == row) {
		rg_buf_printf(out, " (%zu others in its %s: ", place->of->others,
			      place->of->of_stage ? "stage" : "group");
		rg_say_change(out, place->of->others_median);
		rg_buf_char(out, ')');
	}
	RG_AUTO(rg_buf) reasons = rg_buf_of(RG_BUF_TEXT);
	if (row->over.count)
		rg_buf_str(&reasons, row->over.text);
	append_level(&reasons, row, &policy);
	if (row->check_needs_look)
		rg_buf_printf(&reasons, "%sfails %s", reasons.length ? "; " : "",
			      row->check_reason);
	if (row->verdict.kind != RG_VERDICT_NONE && row->verdict.text)
		rg_buf_printf(&reasons, "%s%s", reasons.length ? "; " : "", row->verdict.text);
	if (reasons.length)
		rg_buf_printf(out, " (%s)", reasons.data);
	rg_buf_inherit(out, &reasons);
}

/* --- runs --- */

void rg_among_say(rg_buf *out, const rg_among *among)
{
	size_t count = among->runs.count;
	if (!among->take)
		return;
	if (count == 1)
		rg_buf_printf(out, "the only one of %zu runs that could be fetched",
			      count + among->missed.count);
	else if (!strcmp(among->take, "first"))
		rg_buf_printf(out, "the first of %zu runs", count);
	else /* of two none is in the middle */
		rg_buf_printf(out, "%s of %zu runs", count == 2 ? "one" : "the middle one", count);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/story_parts.h"

#include "base/shell.h"
#include "report/review.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LEVEL_DEFAULT = 1e-3;

const char *const rg_story_mark_names[RG_MARKS] = {"stands out", "fails a check", "over its level",
						   "cancels", "lost or not finite"};

const char *rg_story_keep(rg_story *story, rg_buf *text)
{
	const char *kept = rg_arena_text(&story->arena, text->data);
	rg_buf_clear(text);
	return kept;
}

double rg_story_level(const rg_metric_policy *policy)
{
	return isnan(policy->flag) ? LEVEL_DEFAULT : policy->flag;
}

void rg_story_shift_add(rg_story_shift *to, const rg_story_shift *more)
{
	to->low = fmin(to->low, more->low);
	to->high = fmax(to->high, more->high);
	to->least = fmin(to->least, more->least);
	to->most = fmax(to->most, more->most);
	to->jitter = fmax(to->jitter, more->jitter);
	to->mean_low = fmin(to->mean_low, more->mean_low);
	to->mean_high = fmax(to->mean_high, more->mean_high);
	to->typical |= more->typical;
	to->disputed += more->disputed;
	to->one_step += more->one_step;
	to->larger += more->larger;
	to->smaller += more->smaller;
	for (size_t i = 0; i < RG_SHIFT_COUNTS; i++)
		to->counts[i] += more->counts[i];
}

/* What jitters is no worse for it: its shift is what the range is of. */
static double shift_size(const rg_story_row *r)
{
	return r->row->median_known ? fabs(r->row->median_rel_diff)
	       : r->cancels         ? fabs(r->row->avg_rel_diff)
				    : r->size;
}

int rg_story_row_order(const rg_story_row *a, const rg_story_row *b)
{
	if (a->tier != b->tier)
		return a->tier < b->tier ? -1 : 1;
	if (a->over != b->over)
		return a->over > b->over ? -1 : 1;
	return (a->size < b->size) - (a->size > b->size);
}

bool rg_story_is_worse(const rg_story_row *a, const rg_story_row *b)
{
	const rg_row *x = a->row, *y = b->row;
	if (x->left_out.new_nonfinite != y->left_out.new_nonfinite)
		return x->left_out.new_nonfinite > y->left_out.new_nonfinite;
	if (!x->lost != !y->lost)
		return x->lost;
	if (shift_size(a) != shift_size(b))
		return shift_size(a) > shift_size(b);
	if (x->repaired != y->repaired)
		return x->repaired > y->repaired;
	return fabs(a->row->too_small.fresh - a->row->too_small.old) >
	       fabs(b->row->too_small.fresh - b->row->too_small.old);
}

/* 12300 as "12,300": three digits that count, then zeros. */
static void add_large(rg_buf *out, double value)
{
	double unit = pow(10, floor(log10(fabs(value))) - 2);
	char digits[32];

	snprintf(digits, sizeof(digits), "%.0f", round(fabs(value) / unit) * unit);
	size_t length = strlen(digits);
	if (value < 0)
		rg_buf_char(out, '-');
	for (size_t i = 0; i < length; i++) {
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

void rg_story_say_percents(rg_buf *out, double from, double to)
{
	size_t start = out->length;
	add_percent(out, from);
	size_t length = out->length - start;
	rg_buf_str(out, " to ");
	add_percent(out, to);
	if (!out->is_full && out->length == start + 2 * length + 4 &&
	    !strncmp(out->data + start, out->data + start + length + 4, length))
		rg_buf_truncate(out, start + length);
	rg_buf_str(out, " %");
}

void rg_story_say_within(rg_buf *out, double share)
{
	double percent = fabs(share) * 100;
	double unit = percent > 0 ? pow(10, floor(log10(percent)) - 1) : 1;

	/* A hair less, so that 5 % is within 5 %. */
	rg_story_add_figure(out, ceil(percent / unit * (1 - 1e-12)) * unit);
	rg_buf_str(out, " %");
}

/* "2.0 to 2.8 % larger": of two ends that are numbers, and not both 0. */
static void add_range(rg_buf *out, double low, double high)
{
	double nearer = fmin(fabs(low), fabs(high)), farther = fmax(fabs(low), fabs(high));
	if (low < 0 && high > 0) {
		add_percent(out, high);
		rg_buf_str(out, " % smaller to ");
		add_percent(out, low);
		rg_buf_str(out, " % larger");
		return;
	}
	/* What is lost in the other end's digits is nothing. */
	if (low == high) {
		add_percent(out, low);
		rg_buf_str(out, " %");
	} else if (nearer < farther / 100) {
		rg_buf_str(out, "up to ");
		add_percent(out, farther);
		rg_buf_str(out, " %");
	} else {
		rg_story_say_percents(out, nearer, farther);
	}
	rg_buf_printf(out, " %s", fabs(high) >= fabs(low) && high > 0 ? "smaller" : "larger");
}

void rg_story_say_range(rg_buf *out, double low, double high)
{
	if (low == high || isnan(low) || isnan(high)) {
		rg_story_say_shift(out, low);
		return;
	}
	rg_buf_str(out, "new is ");
	add_range(out, low, high);
}

void rg_story_say_means(rg_buf *out, const rg_story_shift *shift, size_t of, const int64_t *step)
{
	if (!shift->disputed)
		return;
	rg_buf_str(out, ", on average ");
	if (shift->mean_low == 0 && shift->mean_high == 0)
		rg_buf_str(out, "equal");
	else
		add_range(out, shift->mean_low, shift->mean_high);
	if (shift->disputed < of)
		rg_buf_printf(out, " in %zu of %zu", shift->disputed, of);
	if (step && shift->one_step)
		rg_buf_printf(out, ", most of it at step %" PRId64, *step);
	else if (shift->one_step)
		rg_buf_printf(out, ", in %zu most of it at one step", shift->one_step);
}

bool rg_story_is_of_one(const rg_story_shift *shift, size_t rows)
{
	size_t counts = 0;
	for (size_t i = 0; i < RG_SHIFT_COUNTS; i++)
		counts += shift->counts[i];
	return rows == 1 || (isnan(shift->low) && !counts);
}

static const double NO_SHIFT = 1e-3;

void rg_story_say_counts(rg_buf *out, const rg_story_shift *shift, size_t of)
{
	static const char *const words[RG_SHIFT_COUNTS] = {"not finite", "lost values",
							   "finite again"};
	const char *between = "";
	for (size_t i = 0; i < RG_SHIFT_COUNTS; i++) {
		if (!shift->counts[i])
			continue;
		rg_buf_printf(out, "%s%zu of %zu %s", between, shift->counts[i], of, words[i]);
		between = ", ";
	}
}

bool rg_story_has_range(const rg_story_shift *shift)
{
	return !isnan(shift->low) && !rg_story_is_still(shift);
}

bool rg_story_is_still(const rg_story_shift *shift)
{
	return shift->low == 0 && shift->high == 0 && isnan(shift->jitter) && !shift->disputed;
}

void rg_story_say_moved(rg_buf *out, const rg_story_shift *shift, double level, size_t of)
{
	size_t start = out->length;
	double farther = fmax(fabs(shift->low), fabs(shift->high));
	/* A level may be as wide as a shift that is worth its figure. */
	bool jitters = shift->jitter > farther, still = jitters && farther < fmin(level, NO_SHIFT);

	rg_story_say_counts(out, shift, of);
	if (!rg_story_has_range(shift) && out->length > start)
		return;
	rg_buf_str(out, out->length > start ? ", " : "");
	if (!still && shift->typical && shift->low == 0 && shift->high == 0)
		rg_buf_str(out, "equal at the median step");
	else if (!still) {
		rg_story_say_range(out, shift->low, shift->high);
		rg_buf_str(out, shift->typical ? " at the median step" : "");
	}
	if (!jitters)
		return;
	rg_buf_printf(out, "%sjitters by %s", still ? "" : ", ", of > 1 ? "up to " : "");
	add_percent(out, shift->jitter);
	rg_buf_printf(out, " %% a step%s", still ? ", no shift" : "");
}

static void say_errors(rg_buf *out, double errors, bool several)
{
	if (errors > 0)
		rg_buf_printf(out, ", %.2g standard errors%s", errors, several ? " at most" : "");
}

void rg_story_say_errors(rg_buf *out, const rg_group *const *groups, size_t count)
{
	double errors = NAN;
	for (size_t i = 0; i < count; i++)
		errors = fmax(errors, groups[i]->errors);
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
	for (rg_model_part part = 0; part < RG_PARTS && models->differing; part++) {
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

static void say_steps(rg_buf *out, const rg_row *row, const char *which, size_t count)
{
	if (which)
		rg_buf_printf(out, "%s%s",
			      row->by_record ? ""
			      : count > 1    ? "steps "
					     : "step ",
			      which);
	else
		rg_buf_printf(out, "%zu %s%s", count, row->by_record ? "record" : "step",
			      count == 1 ? "" : "s");
}

/* "not finite at steps 14..50, step 1 gone, finite again at steps 2..3": nothing where none of it
 * is so. */
static void say_broken(rg_buf *out, const rg_row *row)
{
	size_t start = out->length;
	if (row->left_out.new_nonfinite) {
		rg_buf_str(out, "not finite at ");
		say_steps(out, row, row->nonfinite_steps, row->left_out.new_nonfinite);
	}
	if (row->lost) {
		rg_buf_str(out, out->length > start ? ", " : "");
		say_steps(out, row, row->lost_steps, row->left_out.old_only);
		rg_buf_str(out, " gone");
	}
	if (row->repaired) {
		rg_buf_str(out, out->length > start ? ", finite again at " : "finite again at ");
		say_steps(out, row, row->repaired_steps, row->repaired);
	}
	if (row->filled)
		rg_buf_printf(out, "%s%zu no longer missing", out->length > start ? ", " : "",
			      row->filled);
}

/* Where no step has a relative figure. */
static void say_too_small(rg_buf *out, const rg_row *row)
{
	const rg_too_small *small = &row->too_small;
	rg_buf_str(out, small->old == 0                        ? "from zero: "
			: fabs(small->fresh) >= row->near_zero ? "from near zero: "
							       : "near zero: ");
	rg_buf_printf(out, "%.3g to ", small->old);
	rg_story_add_figure(out, small->fresh);
}

/* "3 of 4 records smaller (to -21.7 %), 1 larger (+44.1 %)" */
static void say_both_ways(rg_buf *out, const rg_row *row)
{
	const bool first_larger = row->larger > row->smaller;
	for (size_t i = 0; i < 2; i++) {
		const bool larger = first_larger == !i;
		const size_t count = larger ? row->larger : row->smaller;
		rg_buf_printf(out, i ? ", %zu" : "%zu", count);
		if (!i)
			rg_buf_printf(out, " of %zu records", row->n_steps);
		rg_buf_printf(out, " %s (%s%c", larger ? "larger" : "smaller",
			      count > 1 ? "to " : "", larger ? '+' : '-');
		add_percent(out, larger ? row->most_larger : row->most_smaller);
		rg_buf_str(out, " %)");
	}
	if (row->by_largest && row->max_abs_rel_record)
		rg_buf_printf(out, ", most in record %s", row->max_abs_rel_record);
}

static void say_series(rg_buf *out, const rg_row *row, const rg_metric_policy *policy)
{
	const bool cancels = rg_row_cancels(row, policy);
	const rg_story_shift shift = {.low = rg_row_typical(row),
				      .high = rg_row_typical(row),
				      .typical = row->median_known,
				      .disputed = rg_row_mean_differs(row) ? 1 : 0,
				      .one_step = row->one_step ? 1 : 0,
				      .mean_low = rg_row_shift(row),
				      .mean_high = rg_row_shift(row),
				      .jitter = cancels ? row->mean_abs_rel : NAN};
	bool moved = !isnan(shift.low) && (shift.low != 0 || cancels || !row->too_small.count);

	if (moved && row->by_record && row->larger && row->smaller) {
		say_both_ways(out, row);
	} else if (moved && row->by_largest && row->n_steps > 1 && shift.low != 0) {
		rg_story_say_shift(out, shift.low);
		if (row->max_abs_rel_record)
			rg_buf_printf(out, " in record %s", row->max_abs_rel_record);
		else
			rg_buf_printf(out, " at step %" PRId64, row->max_abs_rel_step);
	} else if (moved) {
		rg_story_say_moved(out, &shift, rg_story_level(policy), 1);
		rg_story_say_means(out, &shift, 1, &row->max_abs_rel_step);
	}
	if (moved && row->too_small.count && fabs(row->too_small.fresh) >= row->near_zero)
		rg_buf_str(out, ", and ");
	else if (moved)
		return;
	if (row->too_small.count)
		say_too_small(out, row);
	else
		rg_story_say_shift(out, NAN);
}

void rg_story_say_row(rg_buf *out, const rg_row *row, const rg_metric_policy *policy)
{
	size_t start = out->length;
	if (row->tensor && !row->identical)
		rg_story_say_tensor(out, row);
	else if (row->changes)
		rg_buf_str(out, row->changes_brief);
	else if (row->kind == RG_ROW_EXACT && row->first_diff_known)
		rg_buf_printf(out, "differs from position %" PRId64, row->first_diff);
	else if (row->kind == RG_ROW_EXACT)
		rg_buf_str(out, row->identical ? "equal" : "is of another kind or shape");
	else {
		bool moved = row->n_steps && (row->max_abs > 0 || row->avg_rel_diff != 0);
		say_broken(out, row);
		if (row->beside) {
			rg_buf_printf(out, "%s%s", out->length > start ? ", " : "", row->beside);
			return;
		}
		rg_buf_str(out, out->length > start && moved ? ", " : "");
		if (row->identical && out->length == start)
			rg_buf_str(out, "equal");
		else if (out->length == start || moved)
			say_series(out, row, policy);
	}
	if (!row->identical)
		say_errors(out, row->standard_errors, row->n_steps > 1);
}

void rg_story_say_group(rg_buf *out, const rg_group *group, bool in)
{
	const rg_metric_policy policy = {.flag = group->flag};
	if (group->counted)
		rg_buf_printf(out, "%zu of %zu differ", group->rows_changed, group->rows);
	else if (rg_story_is_of_one(&group->shift, group->rows) && group->worst) {
		rg_buf_str(out, group->n > 1 && group->changed ? "at worst " : "");
		rg_story_say_row(out, group->worst->row, &group->worst->policy);
	} else {
		rg_story_say_moved(out, &group->shift, rg_story_level(&policy), group->rows);
		if (in && group->changed < group->n && rg_story_has_range(&group->shift))
			rg_buf_printf(out, " in %zu", group->changed);
		rg_story_say_means(out, &group->shift, group->rows, NULL);
	}
}

void rg_story_say_apart(rg_buf *out, const rg_story_row *row)
{
	rg_story_say_row(out, row->row, &row->policy);
	rg_buf_printf(out, " (the median of the %zu others of its %s: ", row->others,
		      row->of_stage ? "stage" : "group");
	rg_story_say_shift(out, row->others_median);
	rg_buf_char(out, ')');
}

void rg_story_say_with_reason(rg_buf *out, const rg_story_row *row)
{
	rg_buf reason;
	if (row->apart)
		rg_story_say_apart(out, row);
	else
		rg_story_say_row(out, row->row, &row->policy);
	rg_buf_init(&reason, RG_BUF_TEXT);
	rg_review_row_reason(&reason, row->row, &row->policy);
	if (reason.length)
		rg_buf_printf(out, " (%s)", reason.data);
	rg_buf_inherit(out, &reason);
	rg_buf_release(&reason);
}

void rg_story_say_why(rg_buf *out, const rg_story *story, const rg_row *row)
{
	const rg_story_place *place = &story->places[row - story->summary->comparison->rows];
	rg_story_row one = *place->of;
	size_t named = 0;

	if (place->look == RG_LOOK_NONE)
		return;
	for (size_t i = 0; i < RG_MARKS; i++)
		if (place->marks >> i & 1)
			rg_buf_printf(out, "%s%s", named++ ? ", " : "", rg_story_mark_names[i]);
	rg_buf_str(out, named ? ": " : "");
	one.apart = one.apart && one.row == row;
	one.row = row;
	rg_policy_resolve(story->summary->policy, row->file, row->metric, &one.policy);
	rg_story_say_with_reason(out, &one);
	if (row->check_reason && !row->check_needs_look)
		rg_buf_printf(out, "; fails %s", row->check_reason);
}

/* How much of a command line comes before " --", which ends the options. */
static size_t before_dashes(const char *command)
{
	bool quoted = false;
	size_t i;

	for (i = 0; command[i]; i++) {
		if (!quoted && !strncmp(command + i, " --", 3) &&
		    (!command[i + 3] || command[i + 3] == ' '))
			break;
		if (!quoted && command[i] == '\\' && command[i + 1])
			i++;
		else if (command[i] == '\'')
			quoted = !quoted;
	}
	return i;
}

void rg_story_say_command(rg_buf *out, const rg_summary *summary, const char *filter,
			  const char *options)
{
	const char *said = summary->refresh ? NULL : summary->command;
	const char *command = said ? said : "regild compare";
	size_t before = before_dashes(command);

	rg_buf_add(out, command, before);
	if (filter) {
		rg_buf_str(out, " --filter ");
		rg_shell_quote(out, filter);
	}
	rg_buf_printf(out, "%s%s", options, command + before);
}

void rg_story_name_add(rg_buf *out, const rg_story *story, const char *file)
{
	rg_buf_str(out, rg_test_names_find(&story->names, file));
}

void rg_story_say_over(rg_buf *out, const rg_comparison *comparison)
{
	size_t goldens = 0, last = SIZE_MAX;
	for (size_t i = 0; i < comparison->row_count; i++) {
		const rg_row *row = &comparison->rows[i];
		goldens += row->over.count && row->file_index != last;
		last = row->over.count ? row->file_index : last;
	}
	if (goldens)
		rg_buf_printf(out, "%s%zu golden%s records over their own tolerance",
			      out->length ? "; " : "", goldens, goldens == 1 ? " has" : "s have");
}

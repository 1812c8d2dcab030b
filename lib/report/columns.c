/* SPDX-License-Identifier: Apache-2.0 */
#include "report/columns.h"

#include "base/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- cells --- */

static rg_cell text_of(const char *text, size_t length)
{
	return (rg_cell){
		.kind = text ? RG_CELL_TEXT : RG_CELL_NONE, .text = text, .length = length};
}

rg_cell rg_text_cell(const char *value)
{
	return text_of(value, value ? strlen(value) : 0);
}

rg_cell rg_count_cell(uint64_t value)
{
	return (rg_cell){.kind = RG_CELL_COUNT, .count = value};
}

rg_cell rg_truth_cell(bool value)
{
	return (rg_cell){.kind = RG_CELL_TRUTH, .truth = value};
}

/* A step or index that may be unknown. */
rg_cell rg_step_cell(bool known, int64_t value)
{
	return (rg_cell){.kind = known ? RG_CELL_STEP : RG_CELL_NONE, .step = value};
}

/* The same where a table's records have names. */
static rg_cell named_step(bool known, int64_t value, const char *record)
{
	return known && record ? rg_text_cell(record) : rg_step_cell(known, value);
}

rg_cell rg_number_cell(bool known, double value)
{
	return (rg_cell){.kind = known ? RG_CELL_NUMBER : RG_CELL_NONE, .number = value};
}

/* A figure of series rows. */
static rg_cell figure(const rg_row *row, double value)
{
	return rg_number_cell(row->kind == RG_ROW_SERIES && row->n_steps, value);
}

/* A row that only went from zero has no relative figure. */
static rg_cell moved(const rg_row *row)
{
	const double change = 0 - rg_row_shift(row);
	return row->from_zero.count && change == 0 ? (rg_cell){0} : figure(row, change);
}

/* A count of series rows. */
static rg_cell tally(const rg_row *row, uint64_t value)
{
	return row->kind == RG_ROW_SERIES ? rg_count_cell(value) : (rg_cell){0};
}

static const char *const kind_names[] = {"series", "exact"};
const char *const rg_level_names[] = {NULL, "quiet", "plain", "flag", "fail"};
const char *const rg_verdict_names[] = {NULL, "within", "outside", "inconclusive", "unmeasured"};

static rg_cell path_part_cell(const rg_row *row, rg_field part, const rg_column_context *context)
{
	size_t length = 0;
	const char *found = rg_path_part(row->file, part, context, &length);

	return text_of(found, length);
}

/* A figure of the verdict: none where nothing was measured. */
static rg_cell verdict_number(const rg_row *row, double value)
{
	return rg_number_cell(row->verdict.kind != RG_VERDICT_NONE && !isnan(value), value);
}

/* None where there is no element, or a norm of zero. */
static rg_cell tensor_number(double value)
{
	return rg_number_cell(!isnan(value), value);
}

#define TENSOR(figure) (row->tensor ? tensor_number(row->tensor->figure) : (rg_cell){0})

/* The columns that files of rows have for tensors beside the plain ones. */
#define TENSOR_COLUMNS "max_abs,mean_abs,snr_db,cosine,share_differing,worst_index"

enum {
	RIGHT = RG_COLUMN_RIGHT,
	PLAIN = RG_COLUMN_PLAIN,
	SHARE = RG_COLUMN_SHARE,
	/* The kind of a cell; without one of these a number. */
	TEXT = 8,
	WHOLE = 16,
	STEP = 32,
	TRUTH = 64,
	ALWAYS = 128, /* no cell is empty */
};

/* One row a column: its name, flags, help, and its cell of a row. */
/* clang-format off */
#define COLUMNS(X) \
	X(file, PLAIN | TEXT | ALWAYS, "the golden's path, or OLD vs NEW", rg_text_cell(row->file)) \
	X(metric, PLAIN | TEXT | ALWAYS, "the metric's name", rg_text_cell(row->metric)) \
	X(n_steps, PLAIN | RIGHT | WHOLE | ALWAYS, "steps that counted", rg_count_cell(row->n_steps)) \
	X(avg_rel_diff, PLAIN | RIGHT, "mean((old - new) / old); positive: new is smaller, where old is over 0", \
	  figure(row, row->avg_rel_diff)) \
	X(change, RIGHT | SHARE, "how far new moved, relative to |old|: positive where it is the larger number", \
	  moved(row)) \
	X(moved, RIGHT, "by how much it moved, as --fail-above looks at it: |avg_rel_diff|, or a table's largest", \
	  rg_number_cell(!isnan(row->moved), row->moved)) \
	X(median_rel_diff, RIGHT, "times and rates of three steps or more: the median of (old - new) / old", \
	  rg_number_cell(row->median_known, row->median_rel_diff)) \
	X(old_file, TEXT | ALWAYS, "the path on the old side", rg_text_cell(row->old_file)) \
	X(stage, TEXT, "the stage in the path", path_part_cell(row, RG_FIELD_STAGE, context)) \
	X(test, TEXT, "the test in the path", path_part_cell(row, RG_FIELD_TEST, context)) \
	X(kind, TEXT | ALWAYS, "series, exact for texts and tokens, or opaque for a file as a whole", \
	  rg_text_cell(row->opaque ? RG_OPAQUE_FORMAT : kind_names[row->kind])) \
	X(mean_abs_rel, RIGHT, "mean(|old - new| / |old|)", figure(row, row->mean_abs_rel)) \
	X(max_abs_rel, RIGHT, "the largest |old - new| / |old|", figure(row, row->max_abs_rel)) \
	X(max_abs_rel_step, RIGHT | STEP, "the first step, or a table's record, that reaches it", \
	  named_step(row->kind == RG_ROW_SERIES, row->max_abs_rel_step, \
		     row->max_abs_rel_record)) \
	X(max_abs, RIGHT, "the largest |old - new|", rg_number_cell(rg_row_has_size(row), row->max_abs)) \
	X(standard_errors, RIGHT, "the largest |old - new| in standard errors, where the files give them", \
	  rg_number_cell(row->kind == RG_ROW_SERIES && !isnan(row->standard_errors), \
		 row->standard_errors)) \
	X(max_ulps, RIGHT | WHOLE, "the largest distance in representable doubles; of tensors, in their type", \
	  rg_row_has_size(row) ? rg_count_cell(row->max_ulps) : (rg_cell){0}) \
	X(first_diff, RIGHT | STEP, "the first step, record or index that differs", \
	  named_step(row->first_diff_known, row->first_diff, row->first_diff_record)) \
	X(share_above_zero, RIGHT, "the share of steps where new is the smaller one, 0 to 1", \
	  figure(row, row->share_above_zero)) \
	X(identical, TRUTH | ALWAYS, "true where both sides are the same, bit for bit", rg_truth_cell(row->identical)) \
	X(old_mean, RIGHT, "the old side's mean over the steps that counted", \
	  figure(row, row->old_mean)) \
	X(new_mean, RIGHT, "the new side's", figure(row, row->new_mean)) \
	X(near_zero, RIGHT | WHOLE, "steps left out because |old| < near-zero", \
	  tally(row, row->left_out.near_zero)) \
	X(from_zero, RIGHT | WHOLE, "steps that were 0 or near it and are not", tally(row, row->from_zero.count)) \
	X(from_zero_largest, RIGHT, "the new value of these that is farthest from 0", \
	  rg_number_cell(row->from_zero.count, row->from_zero.largest)) \
	X(old_nonfinite, RIGHT | WHOLE, "steps left out because old is NaN or infinite", \
	  tally(row, row->left_out.old_nonfinite)) \
	X(new_nonfinite, RIGHT | WHOLE, "steps left out because new became NaN or infinite", \
	  tally(row, row->left_out.new_nonfinite)) \
	X(old_only, RIGHT | WHOLE, "steps on the old side only", tally(row, row->left_out.old_only)) \
	X(new_only, RIGHT | WHOLE, "steps on the new side only", tally(row, row->left_out.new_only)) \
	X(not_looked_at, RIGHT | WHOLE, "steps outside the policy's 'steps'", \
	  tally(row, row->left_out.not_looked_at)) \
	X(no_step, RIGHT | WHOLE, "values of both sides under keys that are not steps", \
	  tally(row, row->left_out.no_step)) \
	X(left_out, TEXT, "the steps that were left out, and why", rg_text_cell(row->left_out_text)) \
	X(old_excerpt, TEXT, "exact rows: the old side at the first difference, or all of two short ones", \
	  rg_text_cell(row->old_excerpt)) \
	X(new_excerpt, TEXT, "exact rows: the new side there", rg_text_cell(row->new_excerpt)) \
	X(changes, TEXT, "a table's texts: from what to what, how often, and in which records", \
	  rg_text_cell(context && context->brief ? row->changes_brief : row->changes)) \
	X(old_count, RIGHT | WHOLE, "exact rows: bytes, tokens or texts on the old side", \
	  row->kind == RG_ROW_EXACT ? rg_count_cell(row->old_count) : (rg_cell){0}) \
	X(new_count, RIGHT | WHOLE, "exact rows: on the new side", \
	  row->kind == RG_ROW_EXACT ? rg_count_cell(row->new_count) : (rg_cell){0}) \
	X(level, TEXT, "quiet, plain, flag or fail, by the [metric] policy", \
	  rg_text_cell(rg_level_names[row->level])) \
	X(score, RIGHT, "the figure that the level was found by", \
	  rg_number_cell(row->level != RG_LEVEL_NONE, row->score)) \
	X(checks, TEXT, "the project's checks, and which the new values pass", rg_text_cell(row->checks_text)) \
	X(check_reason, TEXT, "why the new values fail checks of the project", rg_text_cell(row->check_reason)) \
	X(verdict, TEXT, "within, outside, inconclusive or unmeasured, by a noise model", \
	  rg_text_cell(rg_verdict_names[row->verdict.kind])) \
	X(verdict_runs, RIGHT | WHOLE, "the runs behind the verdict", \
	  row->verdict.kind == RG_VERDICT_NONE ? (rg_cell){0} : rg_count_cell(row->verdict.runs)) \
	X(verdict_text, TEXT, "the verdict as a sentence", rg_text_cell(row->verdict.text)) \
	X(verdict_p, RIGHT, "a run of the same kind deviates as much in at most this share of cases", \
	  verdict_number(row, row->verdict.p)) \
	X(verdict_beyond, RIGHT, "how far past all runs it is, in units of their range", \
	  verdict_number(row, row->verdict.beyond)) \
	X(verdict_stands_out, TRUTH, "true where it needs review: it shows how the run differs, or it is outside "\
	  "by too few runs to tell of the run", \
	  row->verdict.kind == RG_VERDICT_NONE ? (rg_cell){0} : rg_truth_cell(row->verdict.stands_out)) \
	X(verdict_bound, RIGHT, "what the share is at least, of so many runs", \
	  verdict_number(row, row->verdict.bound)) \
	X(verdict_low, RIGHT, "the runs' least mean deviation from the median of all", \
	  verdict_number(row, row->verdict.low)) \
	X(verdict_high, RIGHT, "the largest", verdict_number(row, row->verdict.high)) \
	X(l2, RIGHT, "tensors: the norm of new - old", TENSOR(l2)) \
	X(mse, RIGHT, "tensors: mean((new - old)^2)", TENSOR(mse)) \
	X(mean_abs, RIGHT, "tensors: mean(|new - old|)", TENSOR(mean_abs)) \
	X(mean_error, RIGHT, "tensors: mean(new - old)", TENSOR(mean_signed)) \
	X(worst, RIGHT | WHOLE, "tensors: the element of the largest |new - old|", \
	  row->tensor && row->tensor->count ? rg_count_cell(row->tensor->worst) : (rg_cell){0}) \
	X(worst_index, TEXT, "tensors: its index in each dimension", \
	  rg_text_cell(row->tensor ? row->tensor->worst_text : NULL)) \
	X(nonfinite_mismatches, RIGHT | WHOLE, "tensors: elements finite on one side only, or otherwise", \
	  row->tensor ? rg_count_cell(row->tensor->nonfinite_mismatches) : (rg_cell){0}) \
	X(snr_db, RIGHT, "tensors: ExecuTorch's SNR, 20 log10(|new| / |new - old|) of norms, in dB", \
	  TENSOR(snr_db)) \
	X(cosine, RIGHT, "tensors: cosine of the angle between both sides", TENSOR(cosine)) \
	X(max_rel, RIGHT, "tensors: the largest |new - old| / |old|; inf where a 0 changed", \
	  TENSOR(max_rel)) \
	X(share_differing, RIGHT, "tensors: the share of elements whose values differ, 0 to 1", \
	  TENSOR(share_differing))
/* clang-format on */

#define OF rg_too_small
const rg_json_field rg_too_small_fields[] = {
	RG_KEY(count, "How many."),
	RG_KEY(old, "The old value of the one that differs most."),
	RG_KEY_AS("new", fresh, "Its new value."),
	RG_KEY_AS("relative", rel,
		  "The largest |old - new| / |old| of those not from zero, else 0."),
	{0}};
#undef OF

#define CELL(name, flags, help, expression)                                    \
	static rg_cell name##_cell(const void *of_row, const void *of_context) \
	{                                                                      \
		const rg_row *row = of_row;                                    \
		const rg_column_context *context = of_context;                 \
                                                                               \
		(void)row;                                                     \
		(void)context;                                                 \
		return expression;                                             \
	}
COLUMNS(CELL)

#define COLUMN(name, flags, help, expression) {#name, flags, help, name##_cell},
const rg_column rg_columns[] = {COLUMNS(COLUMN){NULL, 0, NULL, NULL}};
_Static_assert(sizeof(rg_columns) / sizeof(*rg_columns) <= RG_COLUMNS_MAX, "room for all columns");

#define KIND(flags)                      \
	((flags)&TEXT    ? RG_JSON_TEXT  \
	 : (flags)&WHOLE ? RG_JSON_WHOLE \
	 : (flags)&STEP  ? RG_JSON_STEP  \
	 : (flags)&TRUTH ? RG_JSON_TRUTH \
			 : RG_JSON_NUMBER)
#define FIELD(name, of_kind, sentence, expression)                        \
	{.key = #name,                                                    \
	 .kind = KIND(of_kind),                                           \
	 .presence = (of_kind)&ALWAYS ? RG_JSON_ALWAYS : RG_JSON_OR_NULL, \
	 .help = (sentence)},
const rg_json_field rg_row_fields[] = {
	COLUMNS(FIELD) RG_SAID_OF("too_small", OBJECT, OPTIONAL, rg_too_small_fields,
				  "Steps that differ and are under near-zero; absent where there "
				  "are none."),
	RG_SAID_OPTIONAL("from_run", TRUTH,
			 "Only for a refresh: whether the working tree has the run's bytes."),
	{0}};

/* --- picking --- */

static rg_error *unknown_column(const char *name, size_t length)
{
	char text[RG_NEAREST_MAX + 2];
	rg_nearest nearest;

	snprintf(text, sizeof(text), "%.*s", (int)length, name);
	rg_nearest_init(&nearest, text);
	for (const rg_column *column = rg_columns; column->name; column++)
		rg_nearest_offer(&nearest, column->name);
	const char *meant = rg_nearest_name(&nearest);
	return rg_error_new(
		RG_E_USAGE,
		"'%.*s' is not a column; %s%s%sregild-compare(1) lists them under COLUMNS",
		length < 60 ? (int)length : 60, name, meant ? "did you mean '" : "",
		meant ? meant : "", meant ? "'? " : "");
}

rg_error *rg_column_find(const rg_column **out, const char *name, size_t length)
{
	const rg_column *column = rg_columns;
	while (column->name &&
	       (strlen(column->name) != length || memcmp(column->name, name, length) != 0))
		column++;
	*out = column;
	return column->name ? NULL : unknown_column(name, length);
}

static rg_error *append(rg_column_list *out, const char *list)
{
	for (;; list++) {
		size_t length = strcspn(list, ",");
		const rg_column *column;

		RG_TRY(rg_column_find(&column, list, length));
		for (size_t i = 0; i < out->count; i++)
			if (out->items[i] == column)
				return rg_error_new(RG_E_USAGE, "column '%s' is asked for twice",
						    column->name);
		out->items[out->count++] = column; /* at most all of them, as none appears twice */
		list += length;
		if (!*list)
			return NULL;
	}
}

rg_error *rg_columns_parse(rg_column_list *out, const char *list)
{
	out->count = 0;
	if (!list || !strcmp(list, "all")) {
		const unsigned flags = list ? 0 : RG_COLUMN_PLAIN;
		for (const rg_column *column = rg_columns; column->name; column++)
			if ((column->flags & flags) == flags && out->count < RG_COLUMNS_MAX)
				out->items[out->count++] = column;
		return NULL;
	}
	return append(out, list);
}

rg_error *rg_columns_add_of_tensors(rg_column_list *out, const rg_comparison *comparison)
{
	size_t i = 0;
	while (i < comparison->row_count && !comparison->rows[i].tensor)
		i++;
	return i < comparison->row_count ? append(out, TENSOR_COLUMNS) : NULL;
}

/* --- comparing --- */

int rg_cell_compare(const rg_cell *a, const rg_cell *b)
{
	if (a->kind == RG_CELL_NONE || b->kind == RG_CELL_NONE)
		return (a->kind != RG_CELL_NONE) - (b->kind != RG_CELL_NONE);
	/* Records after steps. */
	if (a->kind != b->kind)
		return (a->kind == RG_CELL_TEXT) - (b->kind == RG_CELL_TEXT);
	if (a->kind == RG_CELL_TEXT) {
		size_t shorter = a->length < b->length ? a->length : b->length;
		int order = memcmp(a->text, b->text, shorter);

		return order ? order : (a->length > b->length) - (a->length < b->length);
	}
	/* Distances in ULPs go beyond 2^53, where doubles skip whole numbers. */
	if (a->kind == RG_CELL_COUNT)
		return (a->count > b->count) - (a->count < b->count);
	if (a->kind == RG_CELL_STEP)
		return (a->step > b->step) - (a->step < b->step);
	if (a->kind == RG_CELL_TRUTH)
		return a->truth - b->truth;
	double x = a->number;
	double y = b->number;
	if (isnan(x) || isnan(y))
		return !!isnan(x) - !!isnan(y);
	return (x > y) - (x < y);
}

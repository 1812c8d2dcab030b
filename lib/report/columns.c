#include "report/columns.h"

#include <math.h>
#include <string.h>

/* --- cells --- */

static rg_cell none(void)
{
	return (rg_cell){.kind = RG_CELL_NONE};
}

static rg_cell text_of(const char *text, size_t length)
{
	return (rg_cell){
		.kind = text ? RG_CELL_TEXT : RG_CELL_NONE, .text = text, .length = length};
}

static rg_cell text(const char *value)
{
	return text_of(value, value ? strlen(value) : 0);
}

static rg_cell count(uint64_t value)
{
	return (rg_cell){.kind = RG_CELL_COUNT, .count = value};
}

static rg_cell truth(bool value)
{
	return (rg_cell){.kind = RG_CELL_TRUTH, .truth = value};
}

/* A step or index that may be unknown. */
static rg_cell step(bool known, int64_t value)
{
	return known ? (rg_cell){.kind = RG_CELL_STEP, .step = value} : none();
}

static rg_cell number(bool known, double value)
{
	return known ? (rg_cell){.kind = RG_CELL_NUMBER, .number = value} : none();
}

/* A figure of series rows. */
static rg_cell figure(const rg_row *row, double value)
{
	return number(row->kind == RG_ROW_SERIES, value);
}

/* A count of series rows. */
static rg_cell tally(const rg_row *row, uint64_t value)
{
	return row->kind == RG_ROW_SERIES ? count(value) : none();
}

#define COLUMN(name, expression)                                                        \
	static rg_cell name##_cell(const rg_row *row, const rg_column_context *context) \
	{                                                                               \
		(void)row;                                                              \
		(void)context;                                                          \
		return expression;                                                      \
	}

static const char *const kind_names[] = {"series", "exact"};
const char *const rg_level_names[] = {NULL, "quiet", "plain", "flag", "fail"};
const char *const rg_verdict_names[] = {NULL, "within", "outside", "inconclusive", "unmeasured"};

static rg_cell path_part_cell(const rg_row *row, const char *part, const rg_column_context *context)
{
	size_t length = 0;
	const char *found = rg_path_part(row->file, part, context, &length);

	return text_of(found, length);
}

/* A figure of the verdict: none where nothing was measured. */
static rg_cell verdict_number(const rg_row *row, double value)
{
	return number(row->verdict.kind != RG_VERDICT_NONE && !isnan(value), value);
}

/* None where no element, or a norm of zero, stands behind it. */
static rg_cell tensor_figure(double value)
{
	return number(!isnan(value), value);
}

COLUMN(file, text(row->file))
COLUMN(old_file, text(row->old_file))
COLUMN(stage, path_part_cell(row, "{stage}", context))
COLUMN(test, path_part_cell(row, "{test}", context))
COLUMN(metric, text(row->metric))
COLUMN(kind, text(kind_names[row->kind]))
COLUMN(n_steps, count(row->n_steps))
COLUMN(avg_rel_diff, figure(row, row->avg_rel_diff))
COLUMN(mean_abs_rel, figure(row, row->mean_abs_rel))
COLUMN(max_abs_rel, figure(row, row->max_abs_rel))
COLUMN(max_abs_rel_step, step(row->kind == RG_ROW_SERIES, row->max_abs_rel_step))
COLUMN(max_abs, figure(row, row->max_abs))
COLUMN(max_ulps, tally(row, row->max_ulps))
COLUMN(first_diff, step(row->first_diff_known, row->first_diff))
COLUMN(share_above_zero, figure(row, row->share_above_zero))
COLUMN(identical, truth(row->identical))
COLUMN(old_mean, figure(row, row->old_mean))
COLUMN(new_mean, figure(row, row->new_mean))
COLUMN(near_zero, tally(row, row->left_out.near_zero))
COLUMN(old_nonfinite, tally(row, row->left_out.old_nonfinite))
COLUMN(new_nonfinite, tally(row, row->left_out.new_nonfinite))
COLUMN(old_only, tally(row, row->left_out.old_only))
COLUMN(new_only, tally(row, row->left_out.new_only))
COLUMN(not_looked_at, tally(row, row->left_out.not_looked_at))
COLUMN(left_out, text(row->left_out_text))
COLUMN(old_excerpt, text(row->old_excerpt))
COLUMN(new_excerpt, text(row->new_excerpt))
COLUMN(level, text(rg_level_names[row->level]))
COLUMN(score, number(row->level != RG_LEVEL_NONE, row->score))
COLUMN(verdict, text(rg_verdict_names[row->verdict.kind]))
COLUMN(verdict_text, text(row->verdict.text))
COLUMN(verdict_runs, row->verdict.kind == RG_VERDICT_NONE ? none() : count(row->verdict.runs))
COLUMN(verdict_bound, verdict_number(row, row->verdict.bound))
COLUMN(verdict_low, verdict_number(row, row->verdict.low))
COLUMN(verdict_high, verdict_number(row, row->verdict.high))
COLUMN(old_count, row->kind == RG_ROW_EXACT ? count(row->old_count) : none())
COLUMN(new_count, row->kind == RG_ROW_EXACT ? count(row->new_count) : none())
COLUMN(l2, row->tensor ? tensor_figure(row->tensor->l2) : none())
COLUMN(mse, row->tensor ? tensor_figure(row->tensor->mse) : none())
COLUMN(mae, row->tensor ? tensor_figure(row->tensor->mae) : none())
COLUMN(mean_error, row->tensor ? tensor_figure(row->tensor->mean_signed) : none())
COLUMN(worst, row->tensor && row->tensor->count ? count(row->tensor->worst) : none())
COLUMN(worst_index, text(row->tensor ? row->tensor->worst_text : NULL))
COLUMN(nonfinite_mismatches, row->tensor ? count(row->tensor->nonfinite_mismatches) : none())
COLUMN(snr_db, row->tensor ? tensor_figure(row->tensor->snr_db) : none())
COLUMN(cosine, row->tensor ? tensor_figure(row->tensor->cosine) : none())

enum { RIGHT = RG_COLUMN_RIGHT, PLAIN = RG_COLUMN_PLAIN };

const rg_column rg_columns[] = {
	{"file", PLAIN, "the golden's path, or OLD vs NEW", file_cell},
	{"metric", PLAIN, "the metric's name", metric_cell},
	{"n_steps", PLAIN | RIGHT, "steps that counted", n_steps_cell},
	{"avg_rel_diff", PLAIN | RIGHT, "mean((old - new) / old); positive: the new run is smaller",
	 avg_rel_diff_cell},
	{"old_file", 0, "the path on the old side", old_file_cell},
	{"stage", 0, "the stage in the path", stage_cell},
	{"test", 0, "the test in the path", test_cell},
	{"kind", 0, "series, or exact for texts and tokens", kind_cell},
	{"mean_abs_rel", RIGHT, "mean(|old - new| / |old|)", mean_abs_rel_cell},
	{"max_abs_rel", RIGHT, "the largest |old - new| / |old|", max_abs_rel_cell},
	{"max_abs_rel_step", RIGHT, "the first step that reaches it", max_abs_rel_step_cell},
	{"max_abs", RIGHT, "the largest |old - new|", max_abs_cell},
	{"max_ulps", RIGHT,
	 "the largest distance in representable doubles; of tensors, in their type", max_ulps_cell},
	{"first_diff", RIGHT, "the first step or index that differs", first_diff_cell},
	{"share_above_zero", RIGHT, "the share of steps where new is the smaller one, 0 to 1",
	 share_above_zero_cell},
	{"identical", 0, "true where both sides are the same, bit for bit", identical_cell},
	{"old_mean", RIGHT, "the old side's mean over the steps that counted", old_mean_cell},
	{"new_mean", RIGHT, "the new side's", new_mean_cell},
	{"near_zero", RIGHT, "steps left out because |old| < 1e-12", near_zero_cell},
	{"old_nonfinite", RIGHT, "steps left out because old is NaN or infinite",
	 old_nonfinite_cell},
	{"new_nonfinite", RIGHT, "steps left out because only new is NaN or infinite",
	 new_nonfinite_cell},
	{"old_only", RIGHT, "steps on the old side only", old_only_cell},
	{"new_only", RIGHT, "steps on the new side only", new_only_cell},
	{"not_looked_at", RIGHT, "steps outside the policy's 'steps'", not_looked_at_cell},
	{"left_out", 0, "the steps that were left out, and why", left_out_cell},
	{"old_excerpt", 0,
	 "exact rows: the old side at the first difference, or all of two short ones",
	 old_excerpt_cell},
	{"new_excerpt", 0, "exact rows: the new side there", new_excerpt_cell},
	{"old_count", RIGHT, "exact rows: bytes or tokens on the old side", old_count_cell},
	{"new_count", RIGHT, "exact rows: on the new side", new_count_cell},
	{"level", 0, "quiet, plain, flag or fail, by the [metric] policy", level_cell},
	{"score", RIGHT, "the figure that the level was found by", score_cell},
	{"verdict", 0, "within, outside, inconclusive or unmeasured, by a noise model",
	 verdict_cell},
	{"verdict_runs", RIGHT, "the runs behind the verdict", verdict_runs_cell},
	{"verdict_text", 0, "the verdict as a sentence", verdict_text_cell},
	{"verdict_bound", RIGHT, "how often a run may fall outside by chance", verdict_bound_cell},
	{"verdict_low", RIGHT, "the least avg_rel_diff that was measured", verdict_low_cell},
	{"verdict_high", RIGHT, "the largest", verdict_high_cell},
	{"l2", RIGHT, "tensors: the norm of new - old", l2_cell},
	{"mse", RIGHT, "tensors: mean((new - old)^2)", mse_cell},
	{"mae", RIGHT, "tensors: mean(|new - old|)", mae_cell},
	{"mean_error", RIGHT, "tensors: mean(new - old)", mean_error_cell},
	{"worst", RIGHT, "tensors: the element of the largest |new - old|", worst_cell},
	{"worst_index", 0, "tensors: its index in each dimension", worst_index_cell},
	{"nonfinite_mismatches", RIGHT, "tensors: elements finite on one side only, or otherwise",
	 nonfinite_mismatches_cell},
	{"snr_db", RIGHT, "tensors: signal to noise in dB", snr_db_cell},
	{"cosine", RIGHT, "tensors: cosine of the angle between both sides", cosine_cell},
	{NULL, 0, NULL, NULL},
};

/* --- picking --- */

static rg_error *unknown_column(const char *name, size_t length)
{
	const rg_column *column;
	rg_buf names;
	rg_error *err;

	rg_buf_init(&names, RG_BUF_TEXT);
	for (column = rg_columns; column->name; column++)
		rg_buf_printf(&names, "%s%s", column == rg_columns ? "" : ", ", column->name);
	err = rg_error_new(RG_E_USAGE, "'%.*s' is not a column; there are %s",
			   length < 60 ? (int)length : 60, name, names.data);
	rg_buf_release(&names);
	return err;
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

static void add_flagged(rg_column_list *out, unsigned flags)
{
	const rg_column *column;

	for (column = rg_columns; column->name; column++)
		if ((column->flags & flags) == flags && out->count < RG_COLUMNS_MAX)
			out->items[out->count++] = column;
}

rg_error *rg_columns_parse(rg_column_list *out, const char *list)
{
	size_t i;

	out->count = 0;
	if (!list || !strcmp(list, "all")) {
		add_flagged(out, list ? 0 : RG_COLUMN_PLAIN);
		return NULL;
	}
	for (;; list++) {
		size_t length = strcspn(list, ",");
		const rg_column *column;

		RG_TRY(rg_column_find(&column, list, length));
		for (i = 0; i < out->count; i++)
			if (out->items[i] == column)
				return rg_error_new(RG_E_USAGE, "column '%s' is asked for twice",
						    column->name);
		out->items[out->count++] = column; /* at most all of them, as none stands twice */
		list += length;
		if (!*list)
			return NULL;
	}
}

/* --- comparing --- */

int rg_cell_compare(const rg_cell *a, const rg_cell *b)
{
	double x, y;

	if (a->kind == RG_CELL_NONE || b->kind == RG_CELL_NONE)
		return (a->kind != RG_CELL_NONE) - (b->kind != RG_CELL_NONE);
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
	x = a->number;
	y = b->number;
	if (isnan(x) || isnan(y))
		return !!isnan(x) - !!isnan(y);
	return (x > y) - (x < y);
}

/* --- stage and test --- */

const char *rg_path_part(const char *path, const char *part, const rg_column_context *context,
			 size_t *length)
{
	size_t root = strlen(context->root);
	const char *target = context->target;

	if (strncmp(path, context->root, root) != 0 || (root && path[root] != '/'))
		return NULL;
	path += root + (root > 0);
	for (;;) {
		size_t wanted = strcspn(target, "/"), given = strcspn(path, "/");

		if (wanted == strlen(part) && !strncmp(target, part, wanted)) {
			*length = given;
			return given ? path : NULL;
		}
		if (!target[wanted] || !path[given])
			return NULL;
		target += wanted + 1;
		path += given + 1;
	}
}

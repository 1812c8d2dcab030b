/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/checks_apply.h"

#include "base/buf.h"
#include "golden/records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The metrics of one golden that a check looks at. */
typedef struct {
	const rg_checks_check *check;
	uint32_t bit;
	bool left_out;
	const char *const *names; /* only these metrics; NULL: all that its patterns match */
	size_t count;
	bool listed; /* by a file beside the golden: each must be there */
} scope;

static rg_error *find_scope(scope *out, const rg_checks_check *check,
			    const rg_checks_beside *beside)
{
	out->check = check;
	out->left_out = !check->pattern_count;
	for (size_t i = 0; i < check->unless_count && !out->left_out; i++)
		RG_TRY(beside->is_one(beside->context, &check->unless[i], &out->left_out));
	if (out->left_out || !check->listed.name)
		return NULL;
	RG_TRY(beside->list(beside->context, &check->listed, &out->names, &out->count));
	out->listed = out->names != NULL;
	if (!out->listed && check->otherwise_count) {
		out->names = check->otherwise;
		out->count = check->otherwise_count;
	}
	return NULL;
}

static bool is_in_scope(const scope *s, const char *metric)
{
	size_t i = 0;
	if (s->left_out || !rg_checks_match(s->check, metric))
		return false;
	while (s->names && i < s->count && !rg_checks_names(s->names[i], metric))
		i++;
	return !s->names || i < s->count;
}

rg_error *rg_checks_select(const rg_checks_check *check, const rg_golden *golden,
			   const rg_checks_beside *beside, bool *applies, bool *any)
{
	scope s = {0};
	*any = false;
	RG_TRY(find_scope(&s, check, beside));
	for (size_t i = 0; i < golden->count; i++) {
		applies[i] = is_in_scope(&s, golden->metrics[i].name);
		*any |= applies[i];
	}
	return NULL;
}

/* --- rows --- */

/* The file whose rows are being checked. */
typedef struct {
	rg_comparison *comparison;
	rg_file_outcome *file;
	rg_arena *arena;
	const rg_golden *old, *fresh;
	rg_buf *text; /* of one row or file */
} apply_state;

static void keep_text(apply_state *w, const char **out)
{
	if (w->text->length)
		*out = rg_arena_text(w->arena, w->text->data);
	rg_buf_clear(w->text);
}

/* Why it fails: "2 of 3 steps not within 5 % (1 may be)", "… not within 0.01 + 5 %". */
static void append_reason(rg_buf *out, const rg_checks_limits *limits,
			  const rg_checks_result *result, const rg_metric *old,
			  const rg_metric *fresh)
{
	static const char *const figures[] = {[RG_AGGREGATE_NONE] = "",
					      [RG_AGGREGATE_MEAN] = "mean",
					      [RG_AGGREGATE_MEDIAN] = "median",
					      [RG_AGGREGATE_MAX] = "maximum"};

	if (!result->steps) {
		rg_buf_str(out, !old     ? "the old side lacks it"
				: !fresh ? "the new side lacks it"
				: old->kind == RG_METRIC_SERIES && fresh->kind == old->kind
					? "no step is looked at"
					: "the sides differ");
		return;
	}
	if (limits->aggregate != RG_AGGREGATE_NONE) {
		rg_buf_printf(out, "the %s of %zu step%s is ", figures[limits->aggregate],
			      result->steps, result->steps == 1 ? "" : "s");
		if (isfinite(result->off))
			rg_buf_printf(out, "%.3g %% off, ", 100 * result->off);
	} else {
		rg_buf_printf(out, "%zu of %zu step%s ", result->failed, result->steps,
			      result->steps == 1 ? "" : "s");
	}
	rg_buf_str(out, rg_checks_limits_are_exact(limits) ? "not equal" : "not within ");
	if (limits->atol > 0)
		rg_buf_printf(out, "%g%s", limits->atol, limits->rtol > 0 ? " + " : "");
	if (limits->rtol > 0)
		rg_buf_printf(out, "%g %%", 100 * limits->rtol);
	if (result->allowed)
		rg_buf_printf(out, " (%zu may be)", result->allowed);
}

static void append_count(rg_buf *out, size_t count, const rg_metric *of, const char *what)
{
	const bool one = count == 1;
	rg_buf_printf(out, "%zu %s%s", count,
		      !of->tensor ? rg_step_word(of->records, one)
		      : one       ? "element"
				  : "elements",
		      what);
}

enum { KINDS = 11 };
/* A change of kind: "became infinite", and of how many values; 0 for all of them. */
typedef struct {
	bool is_there;
	size_t count;
	const char *what;
} kind_change;

static void find_kinds(kind_change out[static KINDS], const rg_checks_result *r, const rg_row *row)
{
	const kind_change all[KINDS] = {{r->lost, r->lost, "went missing"},
					{r->gained, r->gained, "appeared"},
					{r->now_nan, r->now_nan, "became NaN"},
					{r->now_masked, r->now_masked, "became masked"},
					{r->now_inf, r->now_inf, "became infinite"},
					{r->now_finite, r->now_finite, "became finite"},
					{r->moved, r->moved, "moved to other places"},
					{r->reshaped, 0, "the shape changed"},
					{r->retyped, 0, "the type changed"},
					{r->attribute, 0, "the attribute changed"},
					{row->other_unit, 0, "the unit changed"}};
	memcpy(out, all, sizeof(all));
}

/* "3 of 50 steps", "1 step went missing", "mean difference 1" */
static void append_failure(rg_buf *out, const rg_checks_result *result, const rg_metric *old)
{
	if (result->why == RG_WHY_MEAN)
		rg_buf_printf(out, "mean difference %.3g", result->off);
	else if (result->why == RG_WHY_SHAPE && !result->lost && !result->gained)
		rg_buf_str(out, "another shape");
	else if (result->why == RG_WHY_SHAPE) {
		if (result->lost)
			append_count(out, result->lost, old, " went missing");
		rg_buf_str(out, result->lost && result->gained ? ", " : "");
		if (result->gained)
			append_count(out, result->gained, old, " appeared");
	} else {
		rg_buf_printf(out, "%zu of ", result->failed);
		append_count(out, result->steps, old, "");
	}
}

/* Adds "approximate: fails", and what a tool fails by. */
static void add_text(apply_state *w, const scope *s, rg_row *row, const char *by)
{
	const bool fails = row->check_fails & s->bit;
	row->checks_text = rg_arena_textf(
		w->arena, "%s%s%s: %s%s%s%s", row->checks_text ? row->checks_text : "",
		row->checks_text ? ", " : "", s->check->name, fails ? "fails" : "passes",
		by ? " (" : "", by ? by : "", by ? ")" : "");
}

static void add_passed(apply_state *w, const scope *s, const rg_passed_change **list,
		       const char *what, size_t count, bool by_element)
{
	rg_passed_change *one = rg_arena_alloc(w->arena, sizeof(*one));
	*one = (rg_passed_change){s->check->name, what, count, by_element, *list};
	*list = one;
}

static rg_error *hold(apply_state *w, const scope *s, rg_row *row)
{
	rg_checks_limits limits;
	rg_checks_result result;
	const char *by = NULL;

	if (!is_in_scope(s, row->metric))
		return NULL;
	const rg_metric *old = rg_golden_find(w->old, row->metric);
	const rg_metric *fresh = rg_golden_find(w->fresh, row->metric);
	rg_checks_resolve(s->check, row->metric, &limits);
	RG_TRY(rg_tool_rule_judge(&result, &limits, old, fresh));
	result.moved = row->identical ? 0 : result.moved;
	row->checked |= s->bit;
	if (result.passes) {
		kind_change kinds[KINDS];
		find_kinds(kinds, &result, row);
		for (size_t i = 0; i < KINDS; i++)
			if (kinds[i].is_there)
				add_passed(w, s, &row->passed, kinds[i].what, kinds[i].count,
					   old->tensor);
		add_text(w, s, row, NULL);
		return NULL;
	}
	row->check_fails |= s->bit;
	if (result.why != RG_WHY_MEGATRON) {
		append_failure(w->text, &result, old);
		keep_text(w, &by);
	}
	add_text(w, s, row, by);
	const bool exact = rg_checks_limits_are_exact(&limits);
	/* A reason with a tolerance says more than one about equal values. */
	if (exact && row->check_needs_look)
		return NULL;
	if (row->check_reason && (row->check_needs_look || exact))
		rg_buf_printf(w->text, "%s, ", row->check_reason);
	row->check_needs_look |= !exact;
	rg_buf_printf(w->text, "%s: ", s->check->name);
	if (by)
		rg_buf_str(w->text, by);
	else
		append_reason(w->text, &limits, &result, old, fresh);
	keep_text(w, &row->check_reason);
	return NULL;
}

static bool is_there(const apply_state *w, const char *name)
{
	const rg_golden *sides[] = {w->old, w->fresh};
	for (size_t side = 0; side < 2; side++)
		for (size_t i = 0; i < sides[side]->count; i++)
			if (rg_checks_names(name, sides[side]->metrics[i].name))
				return true;
	return false;
}

static rg_error *hold_all(apply_state *w, const scope *s)
{
	rg_file_outcome *file = w->file;
	bool any = false;
	for (size_t i = 0; i < file->row_count; i++) {
		rg_row *row = &w->comparison->rows[file->first_row + i];
		RG_TRY(hold(w, s, row));
		any |= row->checked & s->bit;
	}
	for (size_t i = 0; i < file->gap_count; i++)
		RG_TRY(hold(w, s, &w->comparison->gaps[file->first_gap + i]));
	/* Metrics that have to be checked and are on neither side. */
	for (size_t i = 0; s->listed && i < s->count; i++) {
		if (!rg_checks_match(s->check, s->names[i]) || is_there(w, s->names[i]))
			continue;
		rg_buf_printf(w->text, "%s%s", w->text->length ? ", " : "", s->names[i]);
		file->check_fails |= s->bit;
	}
	keep_text(w, &file->missing_metrics);
	/* JSON's "1" and true are numbers to regild, and may be another kind of values to tests. */
	if (any && file->identical && s->check->rule && s->check->rule->equal &&
	    w->old->unread.words != w->fresh->unread.words)
		add_passed(w, s, &file->passed, "values are text or boolean on one side only", 0,
			   false);
	return NULL;
}

rg_error *rg_checks_apply(const rg_checks *checks, rg_comparison *comparison, const rg_golden *old,
			  const rg_golden *fresh, const rg_checks_beside *beside)
{
	RG_AUTO(rg_buf)
	text = rg_buf_of(RG_BUF_ANY); /* names are as long as the goldens have them */
	rg_file_outcome *file = &comparison->files[comparison->file_count - 1];
	apply_state w = {.comparison = comparison,
			 .file = file,
			 .arena = &comparison->arenas[0],
			 .old = old,
			 .fresh = fresh,
			 .text = &text};

	for (size_t i = 0; i < checks->count; i++) {
		scope s = {.bit = (uint32_t)1 << i};
		rg_error *err = find_scope(&s, &checks->items[i], beside);
		if (!err) {
			RG_TRY(hold_all(&w, &s));
			continue;
		}
		/* A fault of a file beside the golden is kept, and the other checks are made. */
		if (rg_error_get_code(err) == RG_E_CANCELLED)
			return err;
		file->unchecked |= s.bit;
		file->unchecked_why = rg_arena_text(w.arena, rg_error_message(err));
		rg_error_free(err);
	}
	return NULL;
}

/* --- counts --- */

rg_checks_count rg_checks_count_goldens(const rg_comparison *comparison, size_t check)
{
	rg_checks_count out = {0};
	for (size_t i = 0; i < comparison->file_count; i++) {
		const rg_file_outcome *file = &comparison->files[i];
		uint32_t fails = file->check_fails, checked = fails;

		for (size_t k = 0; k < file->row_count; k++) {
			checked |= comparison->rows[file->first_row + k].checked;
			fails |= comparison->rows[file->first_row + k].check_fails;
		}
		for (size_t k = 0; k < file->gap_count; k++) {
			checked |= comparison->gaps[file->first_gap + k].checked;
			fails |= comparison->gaps[file->first_gap + k].check_fails;
		}
		out.applied += checked >> check & 1;
		out.fails += fails >> check & 1;
		out.unchecked += file->unchecked >> check & 1;
	}
	return out;
}

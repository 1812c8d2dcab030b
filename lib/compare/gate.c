/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/gate.h"

#include "base/memory.h"
#include "base/buf.h"
#include "base/number.h"
#include "base/pattern.h"
#include "compare/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rg_gate_init(rg_gate *gate)
{
	*gate = (rg_gate){0};
	rg_arena_init(&gate->arena);
}

void rg_gate_release(rg_gate *gate)
{
	free(gate->conditions);
	free(gate->limits);
	rg_arena_release(&gate->arena);
	*gate = (rg_gate){0};
}

void rg_breach_list_release(rg_breach_list *list)
{
	free(list->items);
	*list = (rg_breach_list){0};
}

rg_error *rg_gate_add(rg_gate *gate, const char *text)
{
	const char *equals = strrchr(text, '=');
	const char *number = equals ? equals + 1 : text;
	rg_gate_limit limit = {0};

	if (!rg_fraction_parse(number, strlen(number), &limit.limit) || !isfinite(limit.limit) ||
	    limit.limit < 0)
		return rg_error_new(RG_E_USAGE, "'%s' is not [METRIC=]X with X of 0 or more", text);
	limit.text = rg_arena_text(&gate->arena, number);
	if (equals) {
		limit.pattern = rg_arena_copy(&gate->arena, text, (size_t)(equals - text));
	}
	rg_grow(&gate->limits, &gate->capacity, gate->count + 1, sizeof(*gate->limits));
	gate->limits[gate->count++] = limit;
	return NULL;
}

static bool is_asked(const rg_gate *gate, const rg_asked_condition *asked)
{
	for (size_t i = 0; i < gate->condition_count; i++)
		if (gate->conditions[i].condition == asked->condition &&
		    (!asked->argument || !strcmp(gate->conditions[i].argument, asked->argument)))
			return true;
	return false;
}

static rg_error *add_condition(rg_gate *gate, const char *text, size_t length)
{
	const char *copy = rg_arena_copy(&gate->arena, text, length);
	rg_asked_condition asked;
	RG_TRY(rg_condition_find(&asked, rg_conditions, copy));
	if (is_asked(gate, &asked))
		return NULL;
	rg_grow(&gate->conditions, &gate->condition_capacity, gate->condition_count + 1,
		sizeof(*gate->conditions));
	gate->conditions[gate->condition_count++] = asked;
	return NULL;
}

rg_error *rg_gate_add_conditions(rg_gate *gate, const char *text)
{
	size_t length = strcspn(text, ",");
	while (text[length]) {
		RG_TRY(add_condition(gate, text, length));
		text += length + 1;
		length = strcspn(text, ",");
	}
	return add_condition(gate, text, length);
}

static rg_error *unknown_check(const rg_checks *checks, const char *name)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_printf(&text, "'%s' is not a check of the project; there ", name);
	if (!checks->count)
		rg_buf_str(&text, "are none ([check \"NAME\"] in .regild)");
	for (size_t i = 0; i < checks->count; i++)
		rg_buf_printf(&text, "%s%s",
			      i                   ? ", "
			      : checks->count > 1 ? "are "
						  : "is ",
			      checks->items[i].name);
	rg_error *err = rg_buf_check(&text, "checks");
	if (!err)
		err = rg_error_new(RG_E_USAGE, "%s", text.data);
	rg_buf_release(&text);
	return err;
}

rg_error *rg_gate_find_checks(const rg_gate *gate, const rg_checks *checks)
{
	for (size_t i = 0; i < gate->condition_count; i++) {
		const rg_asked_condition *c = &gate->conditions[i];
		if (c->condition->kind == RG_BREACH_CHECK &&
		    rg_checks_find(checks, c->argument) == RG_CHECKS_MAX)
			return unknown_check(checks, c->argument);
	}
	return NULL;
}

/* The tightest limit that a metric is under; NULL where there is none. What the policy ignores is
 * only under limits that name it. */
static const rg_gate_limit *limit_for(rg_gate *gate, const char *metric, bool ignored)
{
	const rg_gate_limit *tightest = NULL;
	for (size_t i = 0; i < gate->count; i++) {
		rg_gate_limit *l = &gate->limits[i];
		if (l->pattern ? !rg_glob_match(l->pattern, metric, RG_GLOB_ANY_SLASH) : ignored)
			continue;
		l->matched++;
		if (!tightest || l->limit < tightest->limit)
			tightest = l;
	}
	return tightest;
}

static void add_breach(rg_breach_list *out, const rg_breach *breach)
{
	rg_grow(&out->items, &out->capacity, out->count + 1, sizeof(*out->items));
	out->items[out->count++] = *breach;
}

/* What a breach of the condition is over; NaN where nothing is. */
static double limit_of(const rg_asked_condition *asked, const rg_row *row)
{
	if (asked->condition->kind == RG_BREACH_TOLERANCE && row)
		return row->over.tolerance;
	return asked->condition->takes > RG_ARGUMENT_OPTIONAL_LEVEL ? asked->number : NAN;
}

/* What --fail-on asks for. */
static void hold_conditions(const rg_gate *gate, const rg_condition_subject *subject,
			    rg_breach_list *out)
{
	rg_breach breach = {
		.asked = true, .file = subject->file->file, .row = subject->row, .limit = NAN};

	for (size_t i = 0; i < gate->condition_count; i++) {
		const rg_asked_condition *asked = &gate->conditions[i];
		if (asked->condition->kind == RG_BREACH_BULK && gate->allow_bulk)
			continue;
		/* The row says which metric it is. */
		breach.argument = asked->condition->takes == RG_ARGUMENT_OPTIONAL_NAME
					  ? NULL
					  : asked->argument;
		breach.text = asked->text;
		breach.kind = asked->condition->kind;
		if (breach.kind == RG_BREACH_CHECK && !subject->row)
			breach.kind = RG_BREACH_NEEDED;
		else if (breach.kind == RG_BREACH_NONFINITE && !subject->row)
			breach.kind = RG_BREACH_NEW_NONFINITE;
		breach.value = rg_condition_test(asked, subject);
		breach.limit = limit_of(asked, subject->row);
		if (!isnan(breach.value))
			add_breach(out, &breach);
	}
}

static bool asks_for(const rg_gate *gate, rg_breach_kind kind)
{
	size_t i = 0;
	while (i < gate->condition_count && gate->conditions[i].condition->kind != kind)
		i++;
	return i < gate->condition_count;
}

/* Every gate holds what a golden says of its own records, unless the policy ignores the metric. */
static bool holds_tolerances(const rg_gate *gate, const rg_row *row)
{
	bool any = gate->count || gate->condition_count || !isnan(row->fail_at);
	return any && row->over.count && !row->ignored && !asks_for(gate, RG_BREACH_TOLERANCE);
}

/* The most severe reason that nobody had to ask for; false where there is none. A gate that cannot
 * look at its metric any more must not pass for that: gaps are held, too. */
static bool breaks(const rg_gate *gate, const rg_gate_limit *limit, bool gated, rg_breach *breach)
{
	const rg_row *row = breach->row;
	bool lost = row->gap == RG_GAP_OLD_ONLY || row->lost;

	if (gated && lost && !gate->allow_lost && !asks_for(gate, RG_BREACH_LOST)) {
		breach->kind = RG_BREACH_LOST;
		breach->value = (double)row->lost;
	} else if (gated && row->left_out.new_nonfinite && !asks_for(gate, RG_BREACH_NONFINITE)) {
		breach->kind = RG_BREACH_NONFINITE;
		breach->value = (double)row->left_out.new_nonfinite;
	} else if (row->level == RG_LEVEL_FAIL) {
		breach->kind = RG_BREACH_POLICY;
		breach->value = row->score;
		breach->limit = row->fail_at;
	} else if (gated && row->reshaped) {
		breach->kind = RG_BREACH_RESHAPED;
	} else if (holds_tolerances(gate, row)) {
		breach->kind = RG_BREACH_TOLERANCE;
		breach->value = isnan(row->over.off) ? INFINITY : row->over.off;
		breach->limit = row->over.tolerance;
	} else if (limit && fabs(row->avg_rel_diff) > limit->limit) {
		breach->kind = RG_BREACH_LIMIT;
		breach->value = fabs(row->avg_rel_diff);
		breach->limit = limit->limit;
		breach->limit_text = limit->text;
	} else {
		return false;
	}
	return true;
}

static void hold(rg_gate *gate, const rg_comparison *c, const rg_row *row, rg_breach_list *out)
{
	rg_condition_subject subject = {
		.row = row, .file = &c->files[row->file_index], .checks = c->checks};
	rg_breach breach = {.file = row->file, .row = row, .value = NAN, .limit = NAN};
	const rg_gate_limit *limit = NULL;

	/* Tensors of zeros are exact rows, but under the limits of series, too. */
	if (row->kind == RG_ROW_SERIES || row->reshaped || row->tensor)
		limit = limit_for(gate, row->metric, row->ignored);
	bool gated = row->gap != RG_GAP_NEW_ONLY && (limit || !isnan(row->fail_at));
	/* What was readable has no metrics left for any gate to look at. */
	gated |= row->opaque && row->reshaped && (gate->count || gate->condition_count);
	out->looked_at += gated || gate->condition_count;
	hold_conditions(gate, &subject, out);
	if (breaks(gate, limit, gated, &breach))
		add_breach(out, &breach);
}

static bool is_changed(const rg_comparison *c, const rg_file_outcome *file)
{
	if (file->status != RG_FILE_COMPARED || file->gap_count)
		return true;
	for (size_t i = 0; i < file->row_count; i++)
		if (!c->rows[file->first_row + i].identical)
			return true;
	return false;
}

void rg_gate_evaluate(rg_gate *gate, const rg_comparison *comparison, rg_breach_list *out)
{
	size_t changed = 0;
	for (size_t i = 0; i < comparison->file_count; i++)
		changed += is_changed(comparison, &comparison->files[i]);
	for (size_t i = 0; i < comparison->file_count; i++) {
		const rg_condition_subject golden = {
			.file = &comparison->files[i],
			.checks = comparison->checks,
			.changed = is_changed(comparison, &comparison->files[i]),
			.changed_goldens = changed};

		hold_conditions(gate, &golden, out);
	}
	for (size_t i = 0; i < comparison->row_count; i++)
		hold(gate, comparison, &comparison->rows[i], out);
	for (size_t i = 0; i < comparison->gap_count; i++)
		hold(gate, comparison, &comparison->gaps[i], out);
}

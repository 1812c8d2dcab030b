/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/gate.h"

#include "base/buf.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/pattern.h"
#include "compare/checks.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void rg_gate_init(rg_gate *gate)
{
	*gate = (rg_gate){0};
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
	static const char from_zero[] = "from-zero";
	const size_t word = sizeof(from_zero) - 1;
	rg_gate_limit limit = {0};

	if (!rg_fraction_parse(number, strlen(number), &limit.limit) || !isfinite(limit.limit) ||
	    limit.limit < 0)
		return rg_error_new(RG_E_USAGE, "'%s' is not [METRIC=]X with X of 0 or more", text);
	limit.text = rg_arena_text(&gate->arena, number);
	size_t length = equals ? (size_t)(equals - text) : 0;
	if (length >= word && !memcmp(equals - word, from_zero, word) &&
	    (length == word || equals[-(ptrdiff_t)word - 1] == ':')) {
		limit.from_zero = true;
		length -= length == word ? word : word + 1;
	}
	if (length || (equals && !limit.from_zero))
		limit.pattern = rg_arena_copy(&gate->arena, text, length);
	*RG_PUSH(gate->limits, gate->count, gate->capacity) = limit;
	return NULL;
}

/* Appends a condition once. */
static rg_error *append_condition(rg_gate *gate, const char *text, size_t length)
{
	const char *copy = rg_arena_copy(&gate->arena, text, length);
	rg_asked_condition asked;

	RG_TRY(rg_condition_find(&asked, rg_conditions, copy));
	for (size_t i = 0; i < gate->condition_count; i++)
		if (gate->conditions[i].condition == asked.condition &&
		    (!asked.argument || !strcmp(gate->conditions[i].argument, asked.argument)))
			return NULL;
	*RG_PUSH(gate->conditions, gate->condition_count, gate->condition_capacity) = asked;
	return NULL;
}

rg_error *rg_gate_add_conditions(rg_gate *gate, const char *text)
{
	size_t length = strcspn(text, ",");
	while (text[length]) {
		RG_TRY(append_condition(gate, text, length));
		text += length + 1;
		length = strcspn(text, ",");
	}
	return append_condition(gate, text, length);
}

rg_error *rg_gate_find_checks(const rg_gate *gate, const rg_checks *checks)
{
	for (size_t i = 0; i < gate->condition_count; i++) {
		const rg_asked_condition *c = &gate->conditions[i];
		RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

		if (c->condition->kind != RG_BREACH_CHECK ||
		    rg_checks_find(checks, c->argument) < RG_CHECKS_MAX)
			continue;
		if (!checks->count)
			rg_buf_str(&text, "are none ([check \"NAME\"] in .regild)");
		for (size_t k = 0; k < checks->count; k++)
			rg_buf_printf(&text, "%s%s",
				      k                   ? ", "
				      : checks->count > 1 ? "are "
							  : "is ",
				      checks->items[k].name);
		return rg_error_new(RG_E_USAGE, "'%s' is not a check of the project; there %s",
				    c->argument, text.data);
	}
	return NULL;
}

/* The tightest limit of its kind that a metric is under; NULL where there is none. What the policy
 * ignores is only under limits that name it. */
static const rg_gate_limit *limit_for(rg_gate *gate, const char *metric, bool ignored,
				      bool from_zero)
{
	const rg_gate_limit *tightest = NULL;
	for (size_t i = 0; i < gate->count; i++) {
		rg_gate_limit *l = &gate->limits[i];
		if (l->from_zero != from_zero)
			continue;
		if (l->pattern ? !rg_glob_match(l->pattern, metric, RG_GLOB_ANY_SLASH) : ignored)
			continue;
		l->matched++;
		if (!tightest || l->limit < tightest->limit)
			tightest = l;
	}
	return tightest;
}

static bool asks_for(const rg_gate *gate, rg_breach_kind kind)
{
	size_t i = 0;
	while (i < gate->condition_count && gate->conditions[i].condition->kind != kind)
		i++;
	return i < gate->condition_count;
}

/* Checks the subject by the conditions of --fail-on. */
static void hold_conditions(const rg_gate *gate, const rg_condition_subject *subject,
			    rg_breach_list *out)
{
	rg_breach breach = {.asked = true,
			    .file = subject->file->file,
			    .golden = subject->file,
			    .row = subject->row,
			    .limit = NAN};

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
		if (breach.kind == RG_BREACH_LOST && subject->file->status == RG_FILE_REMOVED) {
			if (asks_for(gate, RG_BREACH_REMOVED))
				continue;
			breach.kind = RG_BREACH_REMOVED;
		} else if (breach.kind == RG_BREACH_CHECK && !subject->row)
			breach.kind = RG_BREACH_NEEDED;
		else if (breach.kind == RG_BREACH_NONFINITE && !subject->row)
			breach.kind = RG_BREACH_NEW_NONFINITE;
		else if (breach.kind == RG_BREACH_NEW && !subject->row)
			breach.kind = subject->file->status == RG_FILE_NEW ? RG_BREACH_NEW_GOLDEN
									   : RG_BREACH_NEW_RECORDS;
		breach.value = rg_condition_test(asked, subject);
		breach.limit = asked->condition->kind == RG_BREACH_TOLERANCE && subject->row
				       ? subject->row->over.tolerance
			       : asked->condition->takes > RG_ARGUMENT_OPTIONAL_LEVEL
				       ? asked->number
				       : NAN;
		if (!isnan(breach.value))
			*RG_PUSH(out->items, out->count, out->capacity) = breach;
	}
}

/* Every gate holds what a golden says of its own records, unless the policy ignores the metric. */
static bool holds_tolerances(const rg_gate *gate, const rg_row *row)
{
	bool any = gate->count || gate->condition_count || !isnan(row->fail_at);
	return any && row->over.count && !row->ignored && !asks_for(gate, RG_BREACH_TOLERANCE);
}

/* Does a text say in which unit its neighbours are: "time_unit", "run/units"? */
static bool is_unit(const rg_row *row)
{
	const char *slash = strrchr(row->metric, '/'), *last = slash ? slash + 1 : row->metric;
	size_t length = strlen(last);
	bool plural = length && (last[length - 1] == 's' || last[length - 1] == 'S');

	length -= plural;
	return row->kind == RG_ROW_EXACT && !row->opaque && length >= 4 &&
	       !strncasecmp(last + length - 4, "unit", 4) &&
	       (length == 4 || !isalpha((unsigned char)last[length - 5]));
}

static bool is_on_both_sides(const rg_row *row)
{
	return row->gap == RG_GAP_NONE || row->gap == RG_GAP_NO_STEPS;
}

/* Texts, tokens, files as a whole, and series of which no value has one. */
static bool has_no_figure(const rg_row *row)
{
	return is_on_both_sides(row) && isnan(row->moved) && !row->from_zero.count;
}

static bool differs_without_figure(const rg_row *row)
{
	return row->unscored || (row->gap == RG_GAP_NONE && row->kind == RG_ROW_EXACT &&
				 !row->identical && has_no_figure(row));
}

/* The most severe reason that nobody had to ask for; false where there is none. A gate that cannot
 * look at its metric any more must not pass for that: gaps are held, too. */
static bool breaks(const rg_gate *gate, const rg_gate_limit *limit, const rg_gate_limit *from_zero,
		   bool gated, rg_breach *breach)
{
	const rg_row *row = breach->row;
	bool lost = row->gap == RG_GAP_OLD_ONLY || row->lost;
	const double moved = fmax(row->moved, row->beside_rel);

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
	} else if ((gate->count || gated) && row->gap == RG_GAP_NONE && !row->identical &&
		   !row->ignored && (row->other_unit || is_unit(row))) {
		breach->kind = RG_BREACH_UNIT;
	} else if (holds_tolerances(gate, row)) {
		breach->kind = RG_BREACH_TOLERANCE;
		breach->value = isnan(row->over.off) ? INFINITY : row->over.off;
		breach->limit = row->over.tolerance;
	} else if (limit && moved > limit->limit) {
		breach->kind = RG_BREACH_LIMIT;
		breach->value = moved;
		breach->limit = limit->limit;
		breach->limit_text = limit->text;
	} else if ((limit || from_zero) && row->from_zero.count &&
		   fabs(row->from_zero.largest) > (from_zero ? from_zero->limit : 0)) {
		breach->kind = RG_BREACH_FROM_ZERO;
		breach->value = row->from_zero.largest;
		breach->limit = from_zero ? from_zero->limit : 0;
		breach->limit_text = from_zero ? from_zero->text : "0";
	} else if (!gate->allow_no_figure && (limit || !isnan(row->fail_at)) &&
		   differs_without_figure(row)) {
		breach->kind = RG_BREACH_NO_FIGURE;
	} else {
		return false;
	}
	return true;
}

/* Is the row under a limit or a `fail` level? */
static bool hold(rg_gate *gate, const rg_comparison *c, const rg_row *row, rg_breach_list *out)
{
	rg_condition_subject subject = {
		.row = row, .file = &c->files[row->file_index], .checks = c->checks};
	rg_breach breach = {
		.file = row->file, .golden = subject.file, .row = row, .value = NAN, .limit = NAN};
	const rg_gate_limit *limit, *from_zero;

	/* Texts are under them, too: one that differs has no figure that is under a limit. */
	limit = limit_for(gate, row->metric, row->ignored, false);
	from_zero = limit_for(gate, row->metric, row->ignored, true);
	bool gated = row->gap != RG_GAP_NEW_ONLY && (limit || from_zero || !isnan(row->fail_at));
	/* A golden that was readable has no metrics left for any gate to look at. */
	gated |= row->opaque && row->reshaped && (gate->count || gate->condition_count);
	out->looked_at += gated || gate->condition_count;
	out->without_figure += limit && has_no_figure(row);
	hold_conditions(gate, &subject, out);
	if (breaks(gate, limit, from_zero, gated, &breach))
		*RG_PUSH(out->items, out->count, out->capacity) = breach;
	return gated;
}

/* Numbers that no metric has are under the limits on all metrics, and under those on their name. */
static bool holds_unread(const rg_gate *gate, const rg_file_outcome *file)
{
	for (size_t i = 0; file->unread && i < gate->count; i++) {
		const rg_gate_limit *l = &gate->limits[i];
		if (!l->from_zero &&
		    (!l->pattern || rg_glob_match(l->pattern, file->unread, RG_GLOB_ANY_SLASH)))
			return true;
	}
	return file->unread && file->may_fail;
}

/* Has every gate lost what it would look at? */
static bool holds_removed(const rg_gate *gate, const rg_file_outcome *file)
{
	return file->status == RG_FILE_REMOVED && !gate->allow_lost &&
	       (gate->count || gate->condition_count || file->may_fail) &&
	       !asks_for(gate, RG_BREACH_LOST) && !asks_for(gate, RG_BREACH_REMOVED);
}

/* Appends the breach of a golden as a whole that nobody had to ask for. */
static void hold_golden(const rg_gate *gate, const rg_file_outcome *file, rg_breach_list *out)
{
	const bool removed = holds_removed(gate, file);

	if (removed || (!gate->allow_no_figure && holds_unread(gate, file)))
		*RG_PUSH(out->items, out->count, out->capacity) =
			(rg_breach){.kind = removed ? RG_BREACH_REMOVED : RG_BREACH_UNREAD,
				    .file = file->file,
				    .golden = file,
				    .value = NAN,
				    .limit = NAN};
}

static bool is_changed(const rg_comparison *c, const rg_file_outcome *file)
{
	if (file->status != RG_FILE_COMPARED || file->gap_count || file->lost.count ||
	    file->gained.count)
		return true;
	for (size_t i = 0; i < file->row_count; i++)
		if (!c->rows[file->first_row + i].identical)
			return true;
	return false;
}

static const rg_row *row_or_gap(const rg_comparison *c, size_t i)
{
	return i < c->row_count ? &c->rows[i] : &c->gaps[i - c->row_count];
}

void rg_gate_evaluate(rg_gate *gate, const rg_comparison *comparison, rg_breach_list *out)
{
	RG_AUTO_FREE bool *gated = rg_calloc(comparison->file_count + 1, sizeof(*gated));
	size_t changed = 0;
	for (size_t i = 0; i < comparison->file_count; i++)
		changed += is_changed(comparison, &comparison->files[i]);
	for (size_t i = 0; i < comparison->file_count; i++) {
		const rg_condition_subject golden = {
			.file = &comparison->files[i],
			.checks = comparison->checks,
			.changed = is_changed(comparison, &comparison->files[i]),
			.changed_goldens = changed};

		out->new_looked_at += gate->condition_count && golden.file->status == RG_FILE_NEW;
		hold_conditions(gate, &golden, out);
		hold_golden(gate, golden.file, out);
	}
	for (size_t i = 0; i < comparison->row_count + comparison->gap_count; i++) {
		const rg_row *row = row_or_gap(comparison, i);
		gated[row->file_index] |= hold(gate, comparison, row, out);
	}
	/* No limit can look at the values of a missing record. */
	for (size_t i = 0; i < comparison->file_count && !asks_for(gate, RG_BREACH_LOST); i++) {
		const rg_file_outcome *file = &comparison->files[i];
		if (gated[i] && file->lost.count && !gate->allow_lost)
			*RG_PUSH(out->items, out->count, out->capacity) =
				(rg_breach){.kind = RG_BREACH_LOST,
					    .file = file->file,
					    .golden = file,
					    .value = (double)file->lost.count,
					    .limit = NAN};
	}
}

/* How far a breach is over its limit; for the others, how much is lost or not finite. */
static double badness(const rg_breach *b)
{
	if (b->kind == RG_BREACH_LOST && b->row && b->row->gap == RG_GAP_OLD_ONLY)
		return INFINITY;
	if (b->kind == RG_BREACH_FROM_ZERO)
		return fabs(b->value);
	if (b->kind == RG_BREACH_POLICY || b->kind == RG_BREACH_LIMIT ||
	    b->kind == RG_BREACH_TOLERANCE)
		return b->value / b->limit; /* a limit of 0: infinite, as the value is not 0 */
	return isnan(b->value) ? 0 : b->value;
}

/* If something gets worse, each metric is of a test or an operator of its own: one group has all
 * of them. */
static bool is_of_many(rg_breach_kind kind)
{
	const rg_condition *condition = rg_condition_of(kind);
	return kind == RG_BREACH_NO_FIGURE || (condition && condition->worse);
}

bool rg_gate_group_is_of_many(const rg_gate_group *group)
{
	return is_of_many(group->kind);
}

/* Breaches are grouped by this metric; NULL if it does not matter. */
static const char *metric_of(const rg_breach *b)
{
	return b->row && !is_of_many(b->kind) ? b->row->metric : NULL;
}

/* Goldens as a whole have no metric, and come before metrics. */
static int compare_names(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

RG_ORDER(compare_breaches, rg_breach,
	 RG_RISING(kind) || RG_THEN(compare_names(metric_of(x), metric_of(y))) ||
		 RG_THEN(compare_names(x->argument, y->argument)) ||
		 RG_BY(badness(y), badness(x)) || (x->row && RG_FALLING(value)) ||
		 RG_BY_TEXT(file) || (x->row && RG_BY_TEXT(row->metric)));

/* A breach of a configured level and one of --fail-above have the same rank. */
static int rank_of(const rg_gate_group *group)
{
	return group->kind == RG_BREACH_LIMIT ? RG_BREACH_POLICY : (int)group->kind;
}

RG_ORDER(compare_groups, rg_gate_group,
	 RG_THEN(rank_of(x) - rank_of(y)) || RG_BY(badness(y->worst), badness(x->worst)) ||
		 RG_FALLING(n) || RG_THEN(compare_names(x->metric, y->metric)) ||
		 RG_THEN(compare_names(x->argument, y->argument)) || RG_RISING(kind));

RG_ORDER(by_metric, rg_gate_group,
	 RG_RISING(kind) || RG_THEN(compare_names(x->metric, y->metric)) ||
		 RG_THEN(compare_names(x->argument, y->argument)));

/* Could the row or gap break a gate so? A metric on both sides could; one of the old side only can
 * be lost, and one of the new side only may not be finite. */
static bool could_break(rg_breach_kind kind, const rg_row *row)
{
	return is_on_both_sides(row) || kind == RG_BREACH_CHANGED ||
	       (row->gap == RG_GAP_OLD_ONLY && kind == RG_BREACH_LOST) ||
	       (row->gap == RG_GAP_NEW_ONLY &&
		(kind == RG_BREACH_NONFINITE || kind == RG_BREACH_NEW));
}

static rg_gate_group *find_group(rg_gate_groups *groups, const rg_gate_group *key)
{
	return bsearch(key, groups->items, groups->count, sizeof(*groups->items), by_metric);
}

static void count_row(rg_gate_groups *groups, const rg_comparison *c, const rg_row *row)
{
	const size_t check_count = c->checks ? c->checks->count : 0;
	rg_gate_group key = {.metric = row->metric};

	for (key.kind = RG_BREACH_LOST; key.kind < RG_BREACH_CHECK; key.kind++) {
		rg_gate_group *group = is_of_many(key.kind) ? NULL : find_group(groups, &key);
		if (group)
			group->of += could_break(key.kind, row);
	}
	for (size_t i = 0; i < check_count; i++) {
		key.argument = c->checks->items[i].name;
		rg_gate_group *group = row->checked >> i & 1 ? find_group(groups, &key) : NULL;
		if (group)
			group->of++;
	}
}

/* The groups are still in the order of by_metric. */
static void count_all(rg_gate_groups *groups, const rg_comparison *c)
{
	const size_t all = c->row_count + c->gap_count;

	for (size_t i = 0; i < groups->count; i++) {
		rg_gate_group *group = &groups->items[i];
		const rg_breach_kind kind = group->kind;
		const rg_condition *condition = rg_condition_of(kind);

		if (!is_of_many(kind) && !group->worst->row)
			group->of = kind == RG_BREACH_REMOVED         ? c->file_count - c->new_files
				    : kind == RG_BREACH_NEW_NONFINITE ? c->new_files
				    : kind == RG_BREACH_NEEDED || kind == RG_BREACH_LOST ||
						    kind == RG_BREACH_UNREAD
					    ? c->compared
					    : c->file_count;
		/* Rows and gaps that could have got worse so. */
		for (size_t k = 0; is_of_many(kind) && k < all; k++) {
			const rg_row *row = row_or_gap(c, k);
			if (condition ? !isnan(condition->worse(row))
				      : has_no_figure(row) || row->unscored)
				group->of++;
		}
	}
	for (size_t i = 0; groups->count && i < all; i++)
		count_row(groups, c, row_or_gap(c, i));
}

void rg_gate_groups_make(rg_gate_groups *out, rg_breach_list *breaches,
			 const rg_comparison *comparison)
{
	if (!breaches->count)
		return;
	qsort(breaches->items, breaches->count, sizeof(*breaches->items), compare_breaches);
	for (size_t i = 0; i < breaches->count; i++) {
		const rg_breach *breach = &breaches->items[i];
		const rg_gate_group key = {.kind = breach->kind,
					   .metric = metric_of(breach),
					   .argument = breach->argument,
					   .worst = breach};

		if (!out->count || by_metric(&out->items[out->count - 1], &key))
			*RG_PUSH(out->items, out->count, out->capacity) = key;
		out->items[out->count - 1].n++;
	}
	count_all(out, comparison);
	for (size_t i = 0; i < out->count; i++)
		if (out->items[i].worst->row)
			out->items[i].metric = out->items[i].worst->row->metric;
	qsort(out->items, out->count, sizeof(*out->items), compare_groups);
}

void rg_gate_groups_release(rg_gate_groups *groups)
{
	free(groups->items);
	*groups = (rg_gate_groups){0};
}

const char *rg_gate_group_name(const rg_gate_group *group)
{
	const rg_breach_kind kind = group->kind == RG_BREACH_NEW_NONFINITE ? RG_BREACH_NONFINITE
				    : group->kind == RG_BREACH_NEW_GOLDEN ||
						    group->kind == RG_BREACH_NEW_RECORDS
					    ? RG_BREACH_NEW
					    : group->kind;
	const rg_condition *condition = rg_condition_of(kind);

	if (group->argument)
		return group->worst->text;
	return condition                            ? condition->name
	       : group->kind == RG_BREACH_RESHAPED  ? "reshaped"
	       : group->kind == RG_BREACH_UNIT      ? "unit"
	       : group->kind == RG_BREACH_UNREAD    ? "partly-read"
	       : group->kind == RG_BREACH_NO_FIGURE ? "no-figure"
	       : group->kind == RG_BREACH_POLICY    ? "fail"
						    : "fail-above";
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/gate_groups.h"

#include "base/memory.h"
#include "compare/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* `b` first where it is larger. */
static int falling(double a, double b)
{
	return (a < b) - (a > b);
}

/* How far over its limit; the others by how much is lost or not finite. */
static double badness(const rg_breach *b)
{
	if (b->kind == RG_BREACH_LOST && b->row->gap == RG_GAP_OLD_ONLY)
		return INFINITY;
	if (b->kind == RG_BREACH_FROM_ZERO)
		return fabs(b->value);
	if (b->kind == RG_BREACH_POLICY || b->kind == RG_BREACH_LIMIT ||
	    b->kind == RG_BREACH_TOLERANCE)
		return b->value / b->limit; /* a limit of 0: infinite, as the value is not 0 */
	return b->kind == RG_BREACH_RESHAPED || b->kind == RG_BREACH_UNIT ? 0 : b->value;
}

/* Of what gets worse, each metric is of a test or an operator of its own: one group has them all.
 */
static bool is_of_many(rg_breach_kind kind)
{
	const rg_condition *condition = rg_condition_of(kind);
	return condition && condition->worse;
}

bool rg_gate_group_is_of_many(const rg_gate_group *group)
{
	return is_of_many(group->kind);
}

/* By which breaches are grouped; NULL where it does not matter. */
static const char *metric_of(const rg_breach *b)
{
	return b->row && !is_of_many(b->kind) ? b->row->metric : NULL;
}

/* Those of one kind are of goldens or of metrics, never of both; and all or none are of checks. */
static int compare_names(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : 0;
}

static int compare_breaches(const void *one, const void *other)
{
	const rg_breach *a = one, *b = other;
	int order = (a->kind > b->kind) - (a->kind < b->kind);

	if (!order)
		order = compare_names(metric_of(a), metric_of(b));
	if (!order)
		order = compare_names(a->argument, b->argument);
	if (!order)
		order = falling(badness(a), badness(b));
	if (!order && a->row)
		order = falling(a->value, b->value);
	if (!order)
		order = strcmp(a->file, b->file);
	return order || !a->row ? order : strcmp(a->row->metric, b->row->metric);
}

/* Over a configured level and over a limit of --fail-above is one rank. */
static int rank_of(const rg_gate_group *group)
{
	return group->kind == RG_BREACH_LIMIT ? RG_BREACH_POLICY : (int)group->kind;
}

static int compare_groups(const void *one, const void *other)
{
	const rg_gate_group *a = one, *b = other;
	int order = rank_of(a) - rank_of(b);

	if (!order)
		order = falling(badness(a->worst), badness(b->worst));
	if (!order)
		order = falling((double)a->n, (double)b->n);
	if (!order)
		order = compare_names(a->metric, b->metric);
	if (!order)
		order = compare_names(a->argument, b->argument);
	return order ? order : (int)a->kind - (int)b->kind;
}

static int by_metric(const void *one, const void *other)
{
	const rg_gate_group *a = one, *b = other;
	int order = (int)a->kind - (int)b->kind;

	if (!order)
		order = compare_names(a->metric, b->metric);
	return order ? order : compare_names(a->argument, b->argument);
}

/* Could the row or gap break a gate so? What is on both sides, and of a loss what the old side had;
 * what is new may not be finite. */
static bool could_break(rg_breach_kind kind, const rg_row *row)
{
	return row->gap == RG_GAP_NONE || row->gap == RG_GAP_NO_STEPS ||
	       (row->gap == RG_GAP_OLD_ONLY && kind == RG_BREACH_LOST) ||
	       (row->gap == RG_GAP_NEW_ONLY && kind == RG_BREACH_NONFINITE);
}

static rg_gate_group *find_group(rg_gate_groups *groups, const rg_gate_group *key)
{
	return bsearch(key, groups->items, groups->count, sizeof(*groups->items), by_metric);
}

static void count_checks(rg_gate_groups *groups, const rg_checks *checks, const rg_row *row)
{
	rg_gate_group key = {.kind = RG_BREACH_CHECK, .metric = row->metric};
	for (size_t i = 0; checks && i < checks->count; i++) {
		key.argument = checks->items[i].name;
		rg_gate_group *group = row->checked >> i & 1 ? find_group(groups, &key) : NULL;
		if (group)
			group->of++;
	}
}

static void count_row(rg_gate_groups *groups, const rg_comparison *c, const rg_row *row)
{
	rg_gate_group key = {.metric = row->metric};
	for (key.kind = RG_BREACH_LOST; key.kind < RG_BREACH_CHECK; key.kind++) {
		rg_gate_group *group = is_of_many(key.kind) ? NULL : find_group(groups, &key);
		if (group)
			group->of += could_break(key.kind, row);
	}
	count_checks(groups, c->checks, row);
}

/* Rows and gaps that could have got worse so. */
static void count_many(rg_gate_group *group, const rg_comparison *c)
{
	const rg_condition *condition = rg_condition_of(group->kind);
	for (size_t i = 0; i < c->row_count; i++)
		group->of += isnan(condition->worse(&c->rows[i])) ? 0 : 1;
	for (size_t i = 0; i < c->gap_count; i++)
		group->of += isnan(condition->worse(&c->gaps[i])) ? 0 : 1;
}

/* The groups are still in the order of by_metric. */
static void count_all(rg_gate_groups *groups, const rg_comparison *c)
{
	size_t i;
	for (i = 0; i < groups->count && !groups->items[i].worst->row; i++)
		groups->items[i].of = groups->items[i].kind == RG_BREACH_REMOVED
					      ? c->file_count - c->new_files
				      : groups->items[i].kind == RG_BREACH_NEW_NONFINITE
					      ? c->new_files
				      : groups->items[i].kind == RG_BREACH_NEEDED ? c->compared
										  : c->file_count;
	for (; i < groups->count; i++)
		if (is_of_many(groups->items[i].kind))
			count_many(&groups->items[i], c);
	for (i = 0; groups->count && i < c->row_count; i++)
		count_row(groups, c, &c->rows[i]);
	for (i = 0; groups->count && i < c->gap_count; i++)
		count_row(groups, c, &c->gaps[i]);
}

static void add_breach(rg_gate_groups *out, const rg_breach *breach)
{
	const rg_gate_group key = {
		.kind = breach->kind, .metric = metric_of(breach), .argument = breach->argument};
	rg_gate_group *last = out->count ? &out->items[out->count - 1] : NULL;

	if (!last || by_metric(last, &key)) {
		rg_grow(&out->items, &out->capacity, out->count + 1, sizeof(*out->items));
		last = &out->items[out->count++];
		*last = key;
		last->worst = breach;
	}
	last->n++;
}

void rg_gate_groups_make(rg_gate_groups *out, rg_breach_list *breaches,
			 const rg_comparison *comparison)
{
	if (!breaches->count)
		return;
	qsort(breaches->items, breaches->count, sizeof(*breaches->items), compare_breaches);
	for (size_t i = 0; i < breaches->count; i++)
		add_breach(out, &breaches->items[i]);
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
	const rg_condition *condition = rg_condition_of(
		group->kind == RG_BREACH_NEW_NONFINITE ? RG_BREACH_NONFINITE : group->kind);

	if (group->argument)
		return group->worst->text;
	return condition                           ? condition->name
	       : group->kind == RG_BREACH_RESHAPED ? "reshaped"
	       : group->kind == RG_BREACH_UNIT     ? "unit"
	       : group->kind == RG_BREACH_POLICY   ? "fail"
						   : "fail-above";
}

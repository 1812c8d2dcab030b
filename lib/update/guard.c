#include "update/guard.h"

#include "base/number.h"
#include "compare/check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	unsigned guard;
	const char *name;
} names[] = {
	{RG_GUARD_NONFINITE, "nonfinite"},
	{RG_GUARD_SHRINK, "shrink"},
	{RG_GUARD_EMPTY, "empty"},
	{RG_GUARD_DIRTY, "dirty"},
	{RG_GUARD_LFS, "lfs"},
	{RG_GUARD_SPARSE, "sparse"},
	{RG_GUARD_TWIN, "twin"},
	{RG_GUARD_UNREADABLE, "unreadable"},
	{RG_GUARD_REPOSITORY, "repository"},
};

const char *rg_guard_name(unsigned guard)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (guard & names[i].guard)
			return names[i].name;
	return "";
}

unsigned rg_guard_parse(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i].name))
			return names[i].guard & RG_GUARD_ALLOWABLE;
	return 0;
}

void rg_findings_release(rg_findings *findings)
{
	free(findings->items);
	*findings = (rg_findings){0};
}

rg_error *rg_findings_add(rg_findings *findings, rg_arena *arena, unsigned guard,
			  const char *metric, const char *format, ...)
{
	rg_finding finding = {.guard = guard};
	rg_error *err;
	va_list args;
	char *text;

	va_start(args, format);
	err = rg_vtextf(&text, format, args);
	va_end(args);
	if (err)
		return err;
	finding.text = rg_arena_copy(arena, text, strlen(text));
	free(text);
	finding.metric = metric ? rg_arena_copy(arena, metric, strlen(metric)) : NULL;
	if (!finding.text || (metric && !finding.metric))
		return rg_error_nomem();
	RG_TRY(rg_grow(&findings->items, &findings->capacity, findings->count + 1,
		       sizeof(*findings->items)));
	findings->items[findings->count++] = finding;
	return NULL;
}

enum { WINDOW = 4096 };

/* A series whose values are asked for in order. */
typedef struct {
	const rg_metric *metric;
	size_t first, count; /* of those at hand */
	double values[WINDOW];
} series;

/* Not by assignment, which would clear all of `values` for each metric. */
static void series_open(series *s, const rg_metric *metric)
{
	s->metric = metric;
	s->first = s->count = 0;
}

static rg_error *value_at(series *s, size_t i, double *out)
{
	if (i >= s->first + s->count) {
		size_t left = s->metric->count - i;

		s->first = i;
		s->count = left < WINDOW ? left : WINDOW;
		RG_TRY(rg_metric_read(s->metric, i, s->count, s->values));
	}
	*out = s->values[i - s->first];
	return NULL;
}

/* What merging two series by step shows. */
typedef struct {
	size_t vanished;
	int64_t first_vanished;
	size_t nonfinite;
	int64_t first_nonfinite;
	double nonfinite_value;
} losses;

static rg_error *note_nonfinite(losses *l, series *new, size_t i, const rg_metric_policy *policy)
{
	double value;

	RG_TRY(value_at(new, i, &value));
	if (!isfinite(value) && rg_check_looks_at(new->metric, policy, i) && !l->nonfinite++) {
		l->first_nonfinite = rg_metric_step(new->metric, i);
		l->nonfinite_value = value;
	}
	return NULL;
}

static rg_error *merge(losses *l, series *old, series *new, const rg_metric_policy *policy)
{
	size_t i = 0, j = 0;

	while (i < old->metric->count || j < new->metric->count) {
		bool old_left = i < old->metric->count, new_left = j < new->metric->count;
		double before;

		if (old_left && (!new_left ||
				 rg_metric_step(old->metric, i) < rg_metric_step(new->metric, j))) {
			if (!l->vanished++)
				l->first_vanished = rg_metric_step(old->metric, i);
			i++;
		} else if (!old_left ||
			   rg_metric_step(new->metric, j) < rg_metric_step(old->metric, i)) {
			RG_TRY(note_nonfinite(l, new, j++, policy));
		} else {
			RG_TRY(value_at(old, i++, &before));
			if (isfinite(before))
				RG_TRY(note_nonfinite(l, new, j, policy));
			j++;
		}
	}
	return NULL;
}

/* Adds a finding about a step. */
static rg_error *add_at(rg_findings *findings, rg_arena *arena, unsigned guard, const char *metric,
			int64_t step, const char *text)
{
	RG_TRY(rg_findings_add(findings, arena, guard, metric, "%s", text));
	findings->items[findings->count - 1].step_known = true;
	findings->items[findings->count - 1].step = step;
	return NULL;
}

static rg_error *report_losses(rg_findings *findings, rg_arena *arena, const losses *l,
			       const series *old, const series *new)
{
	const char *name = new->metric->name;
	char text[128], number[RG_DOUBLE_REPR_SIZE];

	if (l->nonfinite) {
		rg_double_repr(l->nonfinite_value, number);
		snprintf(text, sizeof(text), "is %s and was not", number);
		if (l->nonfinite > 1)
			snprintf(text, sizeof(text), "is %s and was not, like %zu more", number,
				 l->nonfinite - 1);
		RG_TRY(add_at(findings, arena, RG_GUARD_NONFINITE, name, l->first_nonfinite, text));
	}
	snprintf(text, sizeof(text), "vanishes");
	if (l->vanished > 1)
		snprintf(text, sizeof(text), "vanishes, like %zu more", l->vanished - 1);
	if (!old->metric->name)
		return NULL; /* new to the file: nothing can have shrunk */
	if (l->vanished)
		return add_at(findings, arena, RG_GUARD_SHRINK, name, l->first_vanished, text);
	if (old->metric->count != new->metric->count)
		return rg_findings_add(findings, arena, RG_GUARD_SHRINK, name,
				       "has %zu value%s where there %s %zu", new->metric->count,
				       new->metric->count == 1 ? "" : "s",
				       old->metric->count == 1 ? "was" : "were",
				       old->metric->count);
	return NULL;
}

static rg_error *guard_series(rg_findings *findings, rg_arena *arena, const rg_metric *old,
			      const rg_metric *new, const rg_policy *policy)
{
	rg_metric_policy own;
	series a, b;
	losses l = {0};

	rg_policy_resolve(policy, new->name, &own);
	series_open(&a, old);
	series_open(&b, new);
	RG_TRY(merge(&l, &a, &b, &own));
	return report_losses(findings, arena, &l, &a, &b);
}

rg_error *rg_guard_goldens(rg_findings *findings, rg_arena *arena, const rg_golden *old,
			   const rg_golden *new, const rg_policy *policy)
{
	static const rg_metric nothing = {.kind = RG_METRIC_SERIES};
	size_t i;

	if (!new->count && old->count)
		return rg_findings_add(findings, arena, RG_GUARD_EMPTY, NULL,
				       "holds no metric where there were %zu", old->count);
	for (i = 0; i < old->count; i++)
		if (!rg_golden_find(new, old->metrics[i].name))
			RG_TRY(rg_findings_add(findings, arena, RG_GUARD_SHRINK,
					       old->metrics[i].name, "vanishes"));
	for (i = 0; i < new->count; i++) {
		const rg_metric *metric = &new->metrics[i];
		const rg_metric *before = rg_golden_find(old, metric->name);

		if (before && before->kind != RG_METRIC_SERIES)
			continue;
		if (metric->kind == RG_METRIC_SERIES)
			RG_TRY(guard_series(findings, arena, before ? before : &nothing, metric,
					    policy));
		else if (before)
			RG_TRY(rg_findings_add(findings, arena, RG_GUARD_SHRINK, metric->name,
					       "has no numbers any more"));
	}
	return NULL;
}

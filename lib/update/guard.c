/* SPDX-License-Identifier: Apache-2.0 */
#include "update/guard.h"

#include "base/number.h"
#include "compare/defects.h"
#include "compare/series_walk.h"

#include <inttypes.h>
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

rg_error *rg_guard_names(rg_arena *arena, unsigned guards, const char **out)
{
	rg_error *err;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (; guards; guards &= guards - 1)
		rg_buf_printf(&text, "%s%s", text.length ? ", " : "", rg_guard_name(guards));
	err = rg_buf_check(&text, "guards");
	if (!err)
		err = rg_arena_text(arena, text.data, out);
	rg_buf_release(&text);
	return err;
}

unsigned rg_guard_parse(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i].name))
			return names[i].guard & RG_GUARD_ALLOWABLE;
	return 0;
}

void rg_finding_add_text(rg_buf *out, const rg_finding *finding)
{
	rg_buf_printf(out, "%s: ", rg_guard_name(finding->guard));
	if (finding->metric)
		rg_buf_str(out, finding->metric);
	if (finding->metric && finding->step_known)
		rg_buf_printf(out, ", step %" PRId64, finding->step);
	rg_buf_printf(out, "%s%s", finding->metric ? " " : "", finding->text);
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

enum { WINDOW = 1024 };

/* What walking two series by step shows. */
typedef struct {
	const rg_metric *old, *fresh;
	const rg_metric_policy *policy;
	size_t at; /* of the new values, how many were looked at */
	size_t vanished;
	int64_t first_vanished;
	size_t nonfinite;
	int64_t first_nonfinite;
	double nonfinite_value;
} losses;

static void look_at_value(losses *l, double value)
{
	if (!isfinite(value) && rg_check_looks_at(l->fresh, l->policy, l->at) && !l->nonfinite++) {
		l->first_nonfinite = rg_metric_step(l->fresh, l->at);
		l->nonfinite_value = value;
	}
	l->at++;
}

static rg_error *take_steps(void *context, const rg_pair_chunk *chunk)
{
	losses *l = context;
	double window[WINDOW];
	size_t from, count, i;

	if (chunk->side == RG_OLD_ONLY) {
		if (!l->vanished)
			l->first_vanished = rg_chunk_step(chunk, 0);
		l->vanished += chunk->count;
		return NULL;
	}
	for (from = 0; from < chunk->count; from += count) {
		count = chunk->count - from < WINDOW ? chunk->count - from : WINDOW;
		RG_TRY(rg_metric_read(l->fresh, l->at, count, window));
		for (i = 0; i < count; i++) {
			double before = 0;

			if (chunk->side == RG_BOTH_SIDES)
				memcpy(&before, chunk->old + (from + i) * sizeof(before),
				       sizeof(before));
			look_at_value(l, isfinite(before) ? window[i] : 0);
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

static rg_error *report_losses(rg_findings *findings, rg_arena *arena, const losses *l)
{
	const char *name = l->fresh->name;
	size_t before = l->old->count, after = l->fresh->count;
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
	if (!l->old->name)
		return NULL; /* new to the file: nothing can have shrunk */
	if (l->vanished)
		return add_at(findings, arena, RG_GUARD_SHRINK, name, l->first_vanished, text);
	if (before != after)
		return rg_findings_add(findings, arena, RG_GUARD_SHRINK, name,
				       "has %zu value%s where there %s %zu", after,
				       after == 1 ? "" : "s", before == 1 ? "was" : "were", before);
	return NULL;
}

static rg_error *guard_series(rg_findings *findings, rg_arena *arena, const rg_metric *old,
			      const rg_metric *fresh, const rg_policy *policy)
{
	rg_metric_policy own;
	losses l = {.old = old, .fresh = fresh, .policy = &own};

	rg_policy_resolve(policy, fresh->name, &own);
	RG_TRY(rg_series_walk(old, fresh, take_steps, &l));
	return report_losses(findings, arena, &l);
}

rg_error *rg_guard_goldens(rg_findings *findings, rg_arena *arena, const rg_golden *old,
			   const rg_golden *fresh, const rg_policy *policy)
{
	static const rg_metric nothing = {.kind = RG_METRIC_SERIES};
	size_t i;

	if (!fresh->count && old->count)
		return rg_findings_add(findings, arena, RG_GUARD_EMPTY, NULL,
				       "has no metrics where there were %zu", old->count);
	for (i = 0; i < old->count; i++)
		if (!rg_golden_find(fresh, old->metrics[i].name))
			RG_TRY(rg_findings_add(findings, arena, RG_GUARD_SHRINK,
					       old->metrics[i].name, "vanishes"));
	for (i = 0; i < fresh->count; i++) {
		const rg_metric *metric = &fresh->metrics[i];
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

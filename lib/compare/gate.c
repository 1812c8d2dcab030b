/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/gate.h"

#include "base/number.h"
#include "base/pattern.h"

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

	if (!rg_double_parse(number, strlen(number), &limit.limit) || !isfinite(limit.limit) ||
	    limit.limit < 0)
		return rg_error_new(RG_E_USAGE, "'%s' is not [METRIC=]X with X of 0 or more", text);
	if (equals) {
		limit.pattern = rg_arena_copy(&gate->arena, text, (size_t)(equals - text));
		if (!limit.pattern)
			return rg_error_nomem();
	}
	RG_TRY(rg_grow(&gate->limits, &gate->capacity, gate->count + 1, sizeof(*gate->limits)));
	gate->limits[gate->count++] = limit;
	return NULL;
}

/* The tightest limit that a metric is under; NaN where there is none. What the policy ignores is
 * only under limits that name it. */
static double limit_for(rg_gate *gate, const char *metric, bool ignored)
{
	double limit = NAN;
	size_t i;

	for (i = 0; i < gate->count; i++) {
		rg_gate_limit *l = &gate->limits[i];

		if (l->pattern ? !rg_glob_match(l->pattern, metric, RG_GLOB_ANY_SLASH) : ignored)
			continue;
		l->matched++;
		if (!(l->limit >= limit))
			limit = l->limit;
	}
	return limit;
}

/* A gate that cannot look at its metric any more must not pass for that: gaps are held, too. */
static rg_error *hold(rg_gate *gate, const rg_row *row, rg_breach_list *out)
{
	rg_breach breach = {.row = row, .value = NAN, .limit = NAN};
	bool lost = row->gap == RG_GAP_OLD_ONLY || row->lost, gated;
	double limit = NAN;

	/* Tensors of zeros are exact rows, but under the limits of series, too. */
	if (row->kind == RG_ROW_SERIES || row->reshaped || row->tensor)
		limit = limit_for(gate, row->metric, row->ignored);
	gated = row->gap != RG_GAP_NEW_ONLY && (!isnan(limit) || !isnan(row->fail_at));
	if (gated && lost && !gate->allow_lost) {
		breach.kind = RG_BREACH_LOST;
		breach.value = (double)row->lost;
	} else if (gated && row->left_out.new_nonfinite) {
		breach.kind = RG_BREACH_NONFINITE;
	} else if (row->level == RG_LEVEL_FAIL) {
		breach.kind = RG_BREACH_POLICY;
		breach.value = row->score;
		breach.limit = row->fail_at;
	} else if (gated && row->reshaped) {
		breach.kind = RG_BREACH_RESHAPED;
	} else if (fabs(row->avg_rel_diff) > limit) {
		breach.kind = RG_BREACH_LIMIT;
		breach.value = fabs(row->avg_rel_diff);
		breach.limit = limit;
	} else {
		return NULL;
	}
	RG_TRY(rg_grow(&out->items, &out->capacity, out->count + 1, sizeof(*out->items)));
	out->items[out->count++] = breach;
	return NULL;
}

rg_error *rg_gate_evaluate(rg_gate *gate, const rg_comparison *comparison, rg_breach_list *out)
{
	size_t i;

	for (i = 0; i < comparison->row_count; i++)
		RG_TRY(hold(gate, &comparison->rows[i], out));
	for (i = 0; i < comparison->gap_count; i++)
		RG_TRY(hold(gate, &comparison->gaps[i], out));
	return NULL;
}

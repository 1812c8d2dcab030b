/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/executorch/backend_compare.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "compare/condition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void count(rg_case_counts *counts, const rg_case *c)
{
	if (!c)
		return;
	counts->passed += c->result == RG_CASE_PASS;
	counts->failed += c->result == RG_CASE_FAIL;
	counts->skipped += c->result == RG_CASE_SKIP;
}

/* False for a case of which there is nothing to say. */
static bool classify(const rg_case *old, const rg_case *fresh, rg_case_change_kind *kind)
{
	if (!old || !fresh)
		*kind = old ? RG_CASE_GONE : RG_CASE_NEW;
	else if (fresh->result == RG_CASE_FAIL)
		*kind = old->result == RG_CASE_FAIL ? RG_CASE_STILL_FAILING : RG_CASE_NEWLY_FAILING;
	else if (old->result == RG_CASE_FAIL && fresh->result == RG_CASE_PASS)
		*kind = RG_CASE_FIXED;
	else if (old->result != fresh->result)
		*kind = RG_CASE_OTHER;
	else
		return false;
	return true;
}

/* The case's own side: what there is of it now, else what there was. */
static const rg_case *either(const rg_case_change *change)
{
	return change->fresh ? change->fresh : change->old;
}

/* How it failed: now, or before where it does not any more. */
static const char *detail_of(const rg_case_change *change)
{
	if (change->fresh && change->fresh->result == RG_CASE_FAIL)
		return change->fresh->detail;
	return change->old && change->old->result == RG_CASE_FAIL ? change->old->detail : "";
}

/* One contribution to a group; equal names are added up afterwards. */
static void add_group(rg_case_group **groups, size_t *count_of, size_t *capacity, const char *name,
		      const char *detail, const rg_case *old, const rg_case *fresh,
		      const rg_case_change *change)
{
	rg_grow(groups, capacity, *count_of + 1, sizeof(**groups));
	rg_case_group *group = &(*groups)[(*count_of)++];
	*group = (rg_case_group){.name = name, .detail = detail};
	count(&group->old, old);
	count(&group->fresh, fresh);
	if (change)
		group->changes[change->kind]++;
}

RG_ORDER(compare_groups, rg_case_group, RG_BY_TEXT(name) || RG_BY_TEXT(detail));

static void add_counts(rg_case_counts *to, const rg_case_counts *from)
{
	to->passed += from->passed;
	to->failed += from->failed;
	to->skipped += from->skipped;
}

/* Sorts, and adds up what has one name and detail. Returns how many are left. */
static size_t join_groups(rg_case_group *groups, size_t count_of)
{
	size_t kept = 0;
	if (count_of)
		qsort(groups, count_of, sizeof(*groups), compare_groups);
	for (size_t i = 0; i < count_of; i++) {
		if (!kept || compare_groups(&groups[kept - 1], &groups[i])) {
			groups[kept++] = groups[i];
			continue;
		}
		add_counts(&groups[kept - 1].old, &groups[i].old);
		add_counts(&groups[kept - 1].fresh, &groups[i].fresh);
		groups[kept - 1].outputs += groups[i].outputs;
		groups[kept - 1].lower += groups[i].lower;
		groups[kept - 1].from_infinite += groups[i].from_infinite;
		for (size_t k = 0; k < RG_CASE_CHANGES; k++)
			groups[kept - 1].changes[k] += groups[i].changes[k];
	}
	return kept;
}

/* Delegated as the report says; NULL where it does not say. */
static const char *delegated(const rg_case *c)
{
	const rg_case_field *field = rg_case_field_of(c, "Delegated");
	return field && c->result == RG_CASE_PASS ? field->text : NULL;
}

static void look_at_delegation(rg_case_comparison *out, const rg_case *old, const rg_case *fresh)
{
	const char *was = delegated(old), *is = delegated(fresh);
	if (!was || !is || strcmp(was, "True") != 0 || !strcmp(is, "True"))
		return;
	*RG_PUSH(out->undelegated, out->undelegated_count, out->undelegated_capacity) =
		(rg_case_change){.kind = RG_CASE_OTHER, .old = old, .fresh = fresh};
}

/* Counts the outputs in the case's share of its flow's group. */
static void look_at_snrs(rg_case_comparison *out, rg_case_group *flow, const rg_case *old,
			 const rg_case *fresh)
{
	for (size_t i = 0; i < old->field_count; i++) {
		const rg_case_field *was = &old->fields[i], *is;
		rg_case_snr snr = {old, fresh, was->column, was->value, 0, 0};

		if (was->text || !rg_ends_with(was->column, " SNR"))
			continue;
		is = rg_case_field_of(fresh, was->column);
		if (!is || is->text)
			continue;
		flow->outputs++;
		snr.now = is->value;
		snr.drop = rg_snr_drop(snr.before, snr.now);
		if (!(snr.drop > 0))
			continue;
		flow->lower++;
		flow->from_infinite += isinf(snr.before) ? 1 : 0;
		*RG_PUSH(out->snrs, out->snr_count, out->snr_capacity) = snr;
	}
}

/* Those that were infinite are in the order of what they are now. */
RG_ORDER(compare_snrs, rg_case_snr,
	 RG_FALLING(drop) || RG_RISING(now) || RG_THEN(rg_case_compare(x->fresh, y->fresh)) ||
		 RG_BY_TEXT(column));

static void add_case(rg_case_comparison *out, const rg_case *old, const rg_case *fresh)
{
	rg_case_change change = {.old = old, .fresh = fresh};
	bool listed = classify(old, fresh, &change.kind);
	const rg_case *own = either(&change);

	count(&out->old, old);
	count(&out->fresh, fresh);
	add_group(&out->flows, &out->flow_count, &out->flow_capacity, own->flow, "", old, fresh,
		  listed ? &change : NULL);
	if (old && fresh) {
		look_at_delegation(out, old, fresh);
		look_at_snrs(out, &out->flows[out->flow_count - 1], old, fresh);
	}
	if (*own->params)
		add_group(&out->params, &out->param_count, &out->param_capacity, own->params, "",
			  old, fresh, listed ? &change : NULL);
	if (!listed)
		return;
	if ((old && old->result == RG_CASE_FAIL) || (fresh && fresh->result == RG_CASE_FAIL))
		add_group(&out->failures, &out->failure_count, &out->failure_capacity, own->flow,
			  detail_of(&change), old, fresh, &change);
	*RG_PUSH(out->changes, out->count, out->capacity) = change;
	out->counts[change.kind]++;
}

RG_ORDER(compare_changes, rg_case_change,
	 RG_RISING(kind) || RG_THEN(strcmp(detail_of(x), detail_of(y))) ||
		 RG_THEN(rg_case_compare(either(x), either(y))));

void rg_cases_compare(rg_case_comparison *out, const rg_case_list *old, const rg_case_list *fresh)
{
	size_t i = 0, k = 0;
	*out = (rg_case_comparison){0};
	while (i < old->count || k < fresh->count) {
		int order = i == old->count     ? 1
			    : k == fresh->count ? -1
						: rg_case_compare(&old->cases[i], &fresh->cases[k]);

		add_case(out, order <= 0 ? &old->cases[i] : NULL,
			 order >= 0 ? &fresh->cases[k] : NULL);
		i += order <= 0 ? 1 : 0;
		k += order >= 0 ? 1 : 0;
	}
	out->flow_count = join_groups(out->flows, out->flow_count);
	out->param_count = join_groups(out->params, out->param_count);
	out->failure_count = join_groups(out->failures, out->failure_count);
	if (out->count)
		qsort(out->changes, out->count, sizeof(*out->changes), compare_changes);
	if (out->snr_count)
		qsort(out->snrs, out->snr_count, sizeof(*out->snrs), compare_snrs);
	/* The drops are in order. */
	for (i = 0; i < out->flow_count; i++)
		for (k = 0; k < out->snr_count && out->flows[i].lower && !out->flows[i].worst; k++)
			if (!strcmp(out->snrs[k].fresh->flow, out->flows[i].name))
				out->flows[i].worst = &out->snrs[k];
}

void rg_case_comparison_release(rg_case_comparison *comparison)
{
	free(comparison->changes);
	free(comparison->undelegated);
	free(comparison->snrs);
	free(comparison->flows);
	free(comparison->params);
	free(comparison->failures);
	*comparison = (rg_case_comparison){0};
}

double rg_case_pass_rate(const rg_case_counts *counts)
{
	size_t run = counts->passed + counts->failed;
	return run ? (double)counts->passed / (double)run : NAN;
}

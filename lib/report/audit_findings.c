/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_facts.h"

#include "base/memory.h"
#include "base/order.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *const rg_audit_finding_names[RG_AUDIT_FINDING_KINDS] = {
	[RG_AUDIT_UNREADABLE] = "unreadable golden",
	[RG_AUDIT_FAILING_CASE] = "failing test case",
	[RG_AUDIT_BAD_RUN] = "bad run",
	[RG_AUDIT_ODD_END] = "outlier at an end",
	[RG_AUDIT_COMMON_BREAK] = "common break",
	[RG_AUDIT_BREAK] = "break",
	[RG_AUDIT_DRIFT] = "drift",
	[RG_AUDIT_POSSIBLE_BREAK] = "possible break",
	[RG_AUDIT_FLAKY_CASE] = "flaky test case",
	[RG_AUDIT_FAILING_GOLDEN] = "failing golden",
};

static rg_audit_finding *add(rg_audit_facts *facts, rg_audit_finding_kind kind)
{
	rg_audit_finding *found = RG_ARENA_PUSH(&facts->arena, facts->findings,
						facts->finding_count, facts->finding_capacity);
	*found = (rg_audit_finding){
		.kind = kind, .place = facts->finding_count, .size = {NAN, NAN, NAN}, .p = NAN};
	return found;
}

static const char *run_of(const rg_audit_facts *facts, size_t run)
{
	return facts->audit->runs[run].id;
}

/* The commit, unless the run is called by it. */
static const char *commit_of(const rg_audit_facts *facts, size_t run)
{
	const rg_audit_run *of = &facts->audit->runs[run];
	return *of->commit && strcmp(of->commit, of->id) ? of->commit : NULL;
}

static const char *group_of(const rg_audit_facts *facts, size_t group)
{
	return facts->grouped ? rg_audit_group_name(facts, group) : NULL;
}

static void find_runs(rg_audit_facts *facts)
{
	const rg_audit *audit = facts->audit;
	for (size_t i = 0; i < audit->odd_count; i++) {
		const rg_audit_odd_run *odd = &audit->odd_runs[i];
		rg_audit_finding *found = add(
			facts, odd->kind == RG_ODD_RUN_BAD ? RG_AUDIT_BAD_RUN : RG_AUDIT_ODD_END);
		found->run = run_of(facts, odd->run);
		found->commit = commit_of(facts, odd->run);
		found->series = odd->series;
		found->of = odd->of;
		found->files = odd->files;
	}
	for (size_t i = 0; i < audit->common_count; i++) {
		const rg_audit_common_break *common = &audit->common_breaks[i];
		const double chance = rg_audit_chance(audit, common->p);
		rg_audit_finding *found =
			add(facts, isnan(chance) ? RG_AUDIT_POSSIBLE_BREAK : RG_AUDIT_COMMON_BREAK);
		found->run = run_of(facts, common->run);
		found->commit = commit_of(facts, common->run);
		found->series = common->series;
		found->of = common->of;
		found->p = chance;
	}
}

/* A break of one series, beside the others at the same run. */
typedef struct {
	const rg_audit_entry *entry;
	const rg_audit_break *item;
} placed_break;

RG_ORDER(by_run, placed_break,
	 RG_RISING(item->at) || RG_BY_TEXT(entry->family) || RG_RISING(item->adjusted) ||
		 (order = rg_audit_by_spread(&x->entry->series, &y->entry->series)));

/* The breaks of a family's series at one run: how many rose and fell, and the clearest of them. */
static size_t find_break(rg_audit_facts *facts, const placed_break *first, size_t count)
{
	const rg_audit_break *clearest = first->item;
	const double chance = rg_audit_chance(facts->audit, clearest->adjusted);
	rg_audit_finding *found =
		add(facts, isnan(chance) ? RG_AUDIT_POSSIBLE_BREAK : RG_AUDIT_BREAK);
	size_t n = 0;

	for (; n < count && first[n].item->at == clearest->at &&
	       !strcmp(first[n].entry->family, first->entry->family);
	     n++) {
		found->rose += first[n].item->size.size > 0 ? 1 : 0;
		found->fell += first[n].item->size.size < 0 ? 1 : 0;
	}
	found->run = run_of(facts, clearest->at);
	found->commit = commit_of(facts, clearest->at);
	if (clearest->first != clearest->last) {
		found->first_run = run_of(facts, clearest->first);
		found->last_run = run_of(facts, clearest->last);
	}
	found->metric = first->entry->family;
	found->golden = first->entry->series->file;
	found->group = group_of(facts, first->entry->series->group);
	found->series = n;
	found->more = n - 1;
	found->before = clearest->before;
	found->after = clearest->after;
	found->size = clearest->size;
	found->p = chance;
	return n;
}

static void find_breaks(rg_audit_facts *facts)
{
	size_t total = 0, n = 0;
	for (size_t i = 0; i < facts->series_count; i++)
		total += facts->entries[i].series->break_count;
	RG_AUTO_FREE placed_break *all = rg_calloc(total + 1, sizeof(*all));
	for (size_t i = 0; i < facts->series_count; i++)
		for (size_t k = 0; k < facts->entries[i].series->break_count; k++)
			all[n++] = (placed_break){&facts->entries[i],
						  &facts->entries[i].series->breaks[k]};
	if (n)
		qsort(all, n, sizeof(*all), by_run);
	for (size_t i = 0; i < n;)
		i += find_break(facts, &all[i], n - i);
}

static void find_drifts(rg_audit_facts *facts)
{
	for (size_t i = 0; i < facts->family_count; i++) {
		const rg_audit_kin *kin = &facts->families[i];
		rg_audit_finding *found = NULL;
		for (size_t k = 0; k < kin->count; k++) {
			const rg_audit_entry *entry = kin->entries[k];
			if (!entry->series->drifts)
				continue;
			if (!found) {
				found = add(facts, RG_AUDIT_DRIFT);
				found->metric = entry->family;
				found->golden = entry->series->file;
				found->group = group_of(facts, entry->series->group);
				found->of = kin->count;
			}
			found->more = found->series++;
		}
	}
}

static void find_case(rg_audit_facts *facts, const rg_audit_case *c, rg_audit_finding_kind kind)
{
	rg_audit_finding *found = add(facts, kind);
	found->test_case = c->name;
	found->golden = c->file;
	found->group = group_of(facts, c->group);
	found->why = *c->detail ? c->detail : NULL;
	found->passed = c->passed;
	found->failed = c->failed;
	found->turns = c->turns;
	if (kind == RG_AUDIT_FAILING_CASE) {
		found->run = run_of(facts, c->failing_since);
	} else if (c->flaky == RG_FLAKY_ON_COMMIT) {
		found->commit = facts->audit->runs[c->pass_run].commit;
		found->run = run_of(facts, c->pass_run);
		found->other_run = run_of(facts, c->fail_run);
	}
}

/* The golden whose runs fail most often, and how many more fail. */
static void find_failing(rg_audit_facts *facts)
{
	const rg_audit_golden *worst = NULL;
	size_t count = 0;

	for (size_t i = 0; i < facts->golden_count; i++) {
		const rg_audit_file *file = facts->goldens[i].file;
		if (!file->failed_today && !file->failed_recommended)
			continue;
		count++;
		if (!worst || file->failed_today > worst->file->failed_today)
			worst = &facts->goldens[i];
	}
	if (!worst)
		return;
	rg_audit_finding *found = add(facts, RG_AUDIT_FAILING_GOLDEN);
	found->golden = worst->file->path;
	found->group = group_of(facts, worst->file->group);
	found->more = count - 1;
	found->runs = worst->file->runs;
	found->failed_today = worst->file->failed_today;
	found->failed_recommended =
		worst->failed_recommended == SIZE_MAX ? 0 : worst->failed_recommended;
}

static bool is_loss(const rg_audit_finding *found)
{
	return found->metric && strstr(found->metric, "loss");
}

/* The kinds in their order, losses first, then the smallest p; else as they were found. */
RG_ORDER(by_weight, rg_audit_finding,
	 RG_RISING(kind) || RG_BY(is_loss(y), is_loss(x)) || RG_RISING(p) || RG_RISING(place));

void rg_audit_find_findings(rg_audit_facts *facts)
{
	const rg_audit *audit = facts->audit;

	for (size_t i = 0; i < audit->unreadable_count; i++) {
		rg_audit_finding *found = add(facts, RG_AUDIT_UNREADABLE);
		found->run = run_of(facts, audit->unreadable[i].run);
		found->golden = audit->unreadable[i].path;
		found->why = audit->unreadable[i].why;
	}
	find_runs(facts);
	find_breaks(facts);
	find_drifts(facts);
	for (size_t i = 0; i < facts->audit->case_count; i++) {
		const rg_audit_case *c = &facts->audit->cases[i];
		if (rg_audit_case_is(c, true))
			find_case(facts, c, RG_AUDIT_FLAKY_CASE);
		if (rg_audit_case_is(c, false))
			find_case(facts, c, RG_AUDIT_FAILING_CASE);
	}
	find_failing(facts);
	if (facts->finding_count)
		qsort(facts->findings, facts->finding_count, sizeof(*facts->findings), by_weight);
	facts->reasons =
		rg_arena_alloc(&facts->arena, RG_AUDIT_FINDING_KINDS * sizeof(*facts->reasons));
	for (size_t i = 0; i < facts->finding_count; i++) {
		const rg_audit_finding *found = &facts->findings[i];
		if (!i || found->kind != found[-1].kind)
			facts->reasons[facts->reason_count++] =
				(rg_audit_reason){.kind = found->kind};
		facts->reasons[facts->reason_count - 1].count +=
			found->kind == RG_AUDIT_FAILING_GOLDEN ? found->more + 1 : 1;
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "update/guard.h"

#include "base/memory.h"
#include "compare/defects.h"
#include "compare/nonfinite.h"
#include "compare/text_align.h"
#include "golden/records.h"

#include <stdarg.h>
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
	{RG_GUARD_FORK, "fork"},
	{RG_GUARD_OPAQUE, "opaque"},
	{RG_GUARD_LFS, "lfs"},
	{RG_GUARD_SPARSE, "sparse"},
	{RG_GUARD_TWIN, "twin"},
	{RG_GUARD_UNREADABLE, "unreadable"},
	{RG_GUARD_REPOSITORY, "repository"},
	{RG_GUARD_REJECTED, "rejected"},
	{RG_GUARD_LINK, "link"},
};

const char *rg_guard_name(unsigned guard)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (guard & names[i].guard)
			return names[i].name;
	return "";
}

const char *rg_guard_names(rg_arena *arena, unsigned guards)
{
	rg_buf text = rg_buf_of(RG_BUF_ANY); /* kept in the arena */
	for (; guards; guards &= guards - 1)
		rg_buf_printf(&text, "%s%s", text.length ? ", " : "", rg_guard_name(guards));
	return rg_buf_keep(&text, arena);
}

unsigned rg_guard_parse(const char *name)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i].name))
			return names[i].guard & RG_GUARD_ALLOWABLE;
	return 0;
}

void rg_finding_add_text(rg_buf *out, const rg_finding *finding)
{
	rg_buf_printf(out, "%s: ", finding->guard ? rg_guard_name(finding->guard) : "found");
	if (finding->metric)
		rg_buf_printf(out, "%s%s ", finding->metric, finding->step_known ? ":" : "");
	rg_buf_str(out, finding->text);
}

void rg_findings_release(rg_findings *findings)
{
	free(findings->items);
	*findings = (rg_findings){0};
}

void rg_findings_add(rg_findings *findings, rg_arena *arena, unsigned guard, const char *metric,
		     const char *format, ...)
{
	rg_finding finding = {.guard = guard};
	va_list args;

	va_start(args, format);
	RG_AUTO_FREE char *text = rg_vtextf(format, args);
	va_end(args);
	finding.text = rg_arena_text(arena, text);
	finding.metric = metric ? rg_arena_text(arena, metric) : NULL;
	*RG_PUSH(findings->items, findings->count, findings->capacity) = finding;
}

/* Adds a finding about steps, of which `step` is the first. */
static void append_at(rg_findings *findings, rg_arena *arena, unsigned guard, const char *metric,
		      int64_t step, const rg_buf *text)
{
	rg_findings_add(findings, arena, guard, metric, "%s", text->data);
	findings->items[findings->count - 1].step_known = true;
	findings->items[findings->count - 1].step = step;
}

static void report_nonfinite(rg_findings *findings, rg_arena *arena, const rg_nonfinite *found,
			     const rg_metric *fresh, const char *when)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_nonfinite_say(&text, found, fresh);
	rg_buf_str(&text, when);
	append_at(findings, arena, RG_GUARD_NONFINITE, fresh->name, rg_nonfinite_first(found),
		  &text);
}

static rg_error *guard_series(rg_findings *findings, rg_arena *arena, const rg_metric *old,
			      const rg_metric *fresh, const rg_policy *policy, const char *file)
{
	rg_nan_pattern pattern;
	rg_metric_policy own;
	const rg_nonfinite_query query = {old, fresh, &own, &pattern, true};
	rg_nonfinite found = {0};

	rg_policy_resolve(policy, file, fresh->name, &own);
	RG_TRY(rg_nan_pattern_find(&pattern, fresh));
	RG_TRY(rg_nonfinite_find(&found, &query));
	if (rg_nonfinite_steps(&found))
		report_nonfinite(findings, arena, &found, fresh, ", not before");
	if (old && found.gone.steps) {
		RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
		rg_buf_str(&text, "gone at ");
		rg_step_ranges_say(&text, &found.gone);
		rg_steps_say_share(&text, found.gone.steps, old);
		append_at(findings, arena, RG_GUARD_SHRINK, old->name, found.gone.kept[0].first,
			  &text);
		return NULL;
	}
	/* More values are none the fewer if each has a record of its own. */
	if (old && !fresh->records && old->count - found.placeholders != fresh->count)
		rg_findings_add(findings, arena, RG_GUARD_SHRINK, fresh->name,
				"has %zu value%s where there %s %zu", fresh->count,
				fresh->count == 1 ? "" : "s", old->count == 1 ? "was" : "were",
				old->count);
	return NULL;
}

/* Only the size of an opaque golden is known. */
static void guard_opaque(rg_findings *findings, rg_arena *arena, const rg_golden *old,
			 const rg_golden *fresh)
{
	const char *why = fresh->why_opaque;
	if (!rg_golden_is_opaque(old)) {
		rg_findings_add(findings, arena, RG_GUARD_OPAQUE, NULL,
				"was readable (%s), no reader takes it now%s%s", old->format,
				why ? ": " : "", why ? why : "");
		return;
	}
	if (!fresh->metrics->count && old->metrics->count)
		rg_findings_add(findings, arena, RG_GUARD_EMPTY, NULL, "has no bytes");
}

/* Lines of two texts that have no partner. */
static void guard_text(rg_findings *findings, rg_arena *arena, const rg_golden *fresh,
		       const rg_metric *lines)
{
	if (fresh->count == 1)
		rg_findings_add(findings, arena, RG_GUARD_OPAQUE, NULL,
				"is another text: no line with a number is in both");
	else if (lines->lost_numbers)
		rg_findings_add(findings, arena, RG_GUARD_SHRINK, NULL,
				"loses %zu number%s with lines that are gone", lines->lost_numbers,
				lines->lost_numbers == 1 ? "" : "s");
}

/* Records are told once, not in each of their columns. */
static void guard_records(rg_findings *findings, rg_arena *arena, const rg_golden *old,
			  const rg_golden *fresh)
{
	rg_records_alone lost = {0};
	if (old->records && old->records == fresh->records)
		rg_records_alone_find(&lost, arena, old->records, RG_RECORD_OLD);
	if (lost.count)
		rg_findings_add(findings, arena, RG_GUARD_SHRINK, NULL,
				"loses %zu of %zu record%s: %s", lost.count, lost.of,
				lost.of == 1 ? "" : "s", lost.brief);
}

rg_error *rg_guard_goldens(rg_findings *findings, rg_arena *arena, const rg_golden *old,
			   const rg_golden *fresh, const rg_policy *policy, const char *file)
{
	bool was_opaque = rg_golden_is_opaque(old);
	if (rg_golden_is_opaque(fresh)) {
		guard_opaque(findings, arena, old, fresh);
		return NULL;
	}
	if (!fresh->count && old->count) {
		rg_findings_add(findings, arena, RG_GUARD_EMPTY, NULL,
				"has no metrics where there were %zu", old->count);
		return NULL;
	}
	guard_records(findings, arena, old, fresh);
	for (size_t i = 0; i < old->count && !was_opaque; i++)
		if ((rg_records_count_shared(&old->metrics[i]) || !old->metrics[i].count) &&
		    !rg_golden_find(fresh, old->metrics[i].name) &&
		    !rg_are_placeholders(&old->metrics[i]))
			rg_findings_add(findings, arena, RG_GUARD_SHRINK, old->metrics[i].name,
					"vanishes");
	for (size_t i = 0; i < fresh->count; i++) {
		const rg_metric *metric = &fresh->metrics[i];
		const rg_metric *before = rg_golden_find(old, metric->name);

		if (before && rg_is_text_metric(before))
			guard_text(findings, arena, fresh, before);
		if (before && before->kind != RG_METRIC_SERIES)
			continue;
		if (metric->kind == RG_METRIC_SERIES)
			RG_TRY(guard_series(findings, arena, before, metric, policy, file));
		else if (before)
			rg_findings_add(findings, arena, RG_GUARD_SHRINK, metric->name,
					"has no numbers any more");
	}
	return NULL;
}

/* Collects what a check finds in a golden that is new. */
typedef struct {
	rg_findings *findings;
	rg_arena *arena;
} finder;

static rg_error *append_defect(void *context, const rg_defect *defect)
{
	const finder *f = context;
	unsigned guard = defect->kind == RG_DEFECT_EMPTY ? RG_GUARD_EMPTY : 0;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	if (defect->kind == RG_DEFECT_NONFINITE) {
		report_nonfinite(f->findings, f->arena, &defect->nonfinite, defect->metric, "");
		return NULL;
	}
	if (defect->kind >= RG_DEFECT_NONE_LEADING)
		return NULL;
	rg_defect_say(&text, defect);
	rg_findings_add(f->findings, f->arena, guard, NULL, "%s", text.data);
	return NULL;
}

rg_error *rg_guard_new(rg_findings *findings, rg_arena *arena, const rg_golden *fresh,
		       const rg_policy *policy, const char *file)
{
	finder f = {findings, arena};
	const rg_defect_options options = {
		.policy = policy, .file = file, .found = append_defect, .context = &f};

	return rg_golden_check(fresh, &options);
}

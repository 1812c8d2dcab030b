/* SPDX-License-Identifier: Apache-2.0 */
#include "gate_show.h"

#include "facts.h"
#include "runner.h"
#include "terminal.h"

#include "report/words.h"
#include "story/story.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_NAMED = 20 }; /* unless -v asks for all */

static void write_lost(const rg_breach *breach)
{
	const char *hint = breach->asked ? "" : " (--allow shrink lets it through)";
	size_t steps = (size_t)breach->value;

	if (!breach->row)
		terminal_say("%s: %zu of %zu records removed: %s: the gate breaks%s", breach->file,
			     breach->golden->lost.count, breach->golden->lost.of,
			     breach->golden->lost.brief, hint);
	else if (breach->row->gap == RG_GAP_OLD_ONLY)
		terminal_say("%s: %s: missing on the new side: the gate breaks%s", breach->file,
			     breach->row->metric, hint);
	else
		terminal_say("%s: %s: %zu %s%s missing on the new side: the gate breaks%s",
			     breach->file, breach->row->metric, steps,
			     breach->row->by_record              ? "cell"
			     : breach->row->kind == RG_ROW_EXACT ? "number"
								 : "step",
			     rg_plural(steps), hint);
}

/* "over 5 % slower"; for what has no limit, the condition in words. */
static void append_worse(rg_buf *out, const rg_breach *breach)
{
	switch (breach->kind) {
	case RG_BREACH_CRASH:
		rg_buf_str(out, "crashed");
		break;
	case RG_BREACH_NEWLY_FAILING:
		rg_buf_str(out, "newly failing");
		break;
	case RG_BREACH_UNDELEGATED:
		rg_buf_str(out, "no longer delegated");
		break;
	case RG_BREACH_SLOWER:
		rg_buf_printf(out, "over %g %% slower", 100 * breach->limit);
		break;
	case RG_BREACH_NO_FIGURE:
		rg_buf_str(out, "differs, and has no figure");
		break;
	case RG_BREACH_SNR_DROP:
		rg_buf_printf(out, "SNR over %g dB lower", breach->limit);
		break;
	default:
		rg_buf_str(out, "worse status");
	}
}

/* "xnnpack/add/0/Result (Pass -> Fail: PTE Run Failed)" */
static void append_change(rg_buf *out, const rg_breach *breach)
{
	const rg_row *row = breach->row;
	rg_buf_str(out, row->metric);
	if (breach->kind == RG_BREACH_SLOWER)
		rg_buf_printf(out, " (%.3g %%)", 100 * breach->value);
	else if (breach->kind == RG_BREACH_SNR_DROP)
		rg_buf_printf(out, " (%.4g -> %.4g dB)", row->old_place, row->new_place);
	else if (row->old_excerpt && row->new_excerpt)
		rg_buf_printf(out, " (%s -> %s)", row->old_excerpt, row->new_excerpt);
}

/* The word for a breach that a golden makes as a whole. */
static const char *whole_word(rg_breach_kind kind)
{
	return kind == RG_BREACH_REMOVED         ? "removed"
	       : kind == RG_BREACH_NEW_NONFINITE ? "new and not finite"
	       : kind == RG_BREACH_NEW_GOLDEN    ? "new"
	       : kind == RG_BREACH_NEW_RECORDS   ? "with new records"
	       : kind == RG_BREACH_BULK          ? "changed, more than may be at a time"
	       : kind == RG_BREACH_CHANGED       ? "changed in records, formatting or as a whole"
	       : kind == RG_BREACH_UNREAD        ? "with other numbers that no metric has"
						 : "unreadable";
}

/* With -v: a row, gap or golden that broke the gate. */
static void write_breach(const rg_breach *breach)
{
	const char *file = breach->file, *metric = breach->row ? breach->row->metric : NULL;
	if (breach->kind == RG_BREACH_CHECK || breach->kind == RG_BREACH_NEEDED)
		terminal_say("%s: %s%sfails the check '%s': the gate breaks", file,
			     metric ? metric : "", metric ? ": " : "", breach->argument);
	else if (breach->kind == RG_BREACH_LOST)
		write_lost(breach);
	else if (!metric)
		terminal_say("%s: %s: the gate breaks", file, whole_word(breach->kind));
	else if (breach->kind == RG_BREACH_RESHAPED)
		terminal_say("%s: %s: of another kind or shape: the gate breaks", file, metric);
	else if (breach->kind == RG_BREACH_UNIT)
		terminal_say("%s: %s: another unit: the gate breaks", file, metric);
	else if (breach->kind == RG_BREACH_NEW)
		terminal_say("%s: %s: %s: the gate breaks", file, metric,
			     breach->row->gap == RG_GAP_NEW_ONLY ? "new" : "new steps");
	else if (breach->kind == RG_BREACH_NONFINITE)
		terminal_say("%s: %s: newly NaN or infinite: the gate breaks", file, metric);
	else if (breach->kind == RG_BREACH_TOLERANCE)
		terminal_say("%s: %s: %s: the gate breaks", file, metric, breach->row->over.text);
	else if (breach->kind == RG_BREACH_OUTSIDE || breach->kind == RG_BREACH_RUN ||
		 breach->kind == RG_BREACH_UNMEASURED)
		terminal_say("%s: %s: %s: the gate breaks", file, metric,
			     breach->row->verdict.text ? breach->row->verdict.text
						       : "there is no noise model");
	else if (breach->kind == RG_BREACH_FROM_ZERO)
		terminal_say("%s: %s: 0 became %g, over %g: the gate breaks", file, metric,
			     breach->value, breach->limit);
	else if (breach->kind == RG_BREACH_CHANGED || breach->row->kind == RG_ROW_EXACT)
		terminal_say("%s: %s: differs: the gate breaks", file, metric);
	else
		terminal_say("%s: %s: %s of %g is over %g: the gate breaks", file, metric,
			     breach->kind == RG_BREACH_LIMIT ? "difference" : "score",
			     breach->value, breach->limit);
}

static void append_figure(rg_buf *out, const rg_gate_group *group)
{
	const rg_breach *worst = group->worst;
	if (group->kind == RG_BREACH_POLICY && worst->row->kind == RG_ROW_EXACT) {
		rg_buf_str(out, "differ, first");
		return;
	}
	if (group->kind == RG_BREACH_FROM_ZERO)
		rg_buf_printf(out, "from zero to over %s, worst ", worst->limit_text);
	else if (group->kind == RG_BREACH_LIMIT)
		rg_buf_printf(out, "over %s, worst ", worst->limit_text);
	else
		rg_buf_printf(out, "over the fail level %g, worst score ", worst->limit);
	rg_say_figure(out, worst->value);
}

static void append_kind(rg_buf *out, const rg_gate_group *group)
{
	/* Before and after "in N of M goldens". */
	static const char *const words[][2] = {
		[RG_BREACH_RESHAPED] = {"of another kind or shape", "first"},
		[RG_BREACH_RUN] = {"shows a change beyond noise", "worst in"},
		[RG_BREACH_OUTSIDE] = {"outside of what was measured", "worst in"},
		[RG_BREACH_UNMEASURED] = {"unmeasured", "first"},
		[RG_BREACH_CHANGED] = {"differs", "first"},
	};
	const rg_breach *worst = group->worst;
	const rg_row *row = worst->row;
	const size_t kind = (size_t)group->kind, n = group->n, of = group->of;

	if (kind < sizeof(words) / sizeof(*words) && words[kind][0])
		rg_buf_printf(out, "%s in %zu of %zu goldens, %s", words[kind][0], n, of,
			      words[kind][1]);
	else if (kind == RG_BREACH_NEW)
		rg_buf_printf(out, "%s in %zu of %zu goldens, first",
			      row->gap == RG_GAP_NEW_ONLY ? "new" : "new steps", n, of);
	else if (kind == RG_BREACH_LOST && row->gap == RG_GAP_OLD_ONLY)
		rg_buf_printf(out, "lost in %zu of %zu goldens, the whole metric in", n, of);
	else if (kind == RG_BREACH_LOST)
		rg_buf_printf(out, "lost in %zu of %zu goldens, worst %s in", n, of,
			      row->lost_text);
	else if (kind == RG_BREACH_NONFINITE)
		rg_buf_printf(out, "not finite in %zu of %zu goldens, worst %.0f value%s in", n, of,
			      worst->value, worst->value == 1 ? "" : "s");
	else if (kind == RG_BREACH_UNIT && row->other_unit)
		rg_buf_printf(out, "another unit in %zu of %zu goldens, %s first in", n, of,
			      row->other_unit);
	else if (kind == RG_BREACH_UNIT)
		rg_buf_printf(out, "another unit in %zu of %zu goldens, %s -> %s first in", n, of,
			      row->old_excerpt ? row->old_excerpt : "nothing",
			      row->new_excerpt ? row->new_excerpt : "nothing");
	else if (kind == RG_BREACH_TOLERANCE)
		rg_buf_printf(out,
			      "over its records' tolerances in %zu of %zu goldens, worst %s, in", n,
			      of, row->over.text);
	else if (kind == RG_BREACH_CHECK)
		rg_buf_printf(out, "fail the check '%s', first", group->argument);
	else
		append_figure(out, group);
}

/* "lm loss: 125 of 126 rows over 1e-3, worst 0.217", and in a sentence "125 of 126 lm loss rows
 * over 1e-3, worst 0.217". */
static void append_group(rg_buf *out, const rg_gate_group *group, bool sentence)
{
	const rg_breach *worst = group->worst;
	const rg_records_alone *lost = &worst->golden->lost;
	const bool rows = group->kind == RG_BREACH_LIMIT || group->kind == RG_BREACH_FROM_ZERO ||
			  group->kind == RG_BREACH_POLICY || group->kind == RG_BREACH_CHECK;
	double sum = 0;

	/* "newly failing: 2 of 6, first xnnpack/add/0/Result (Pass -> Fail: PTE Run Failed) in" */
	if (rg_gate_group_is_of_many(group)) {
		if (group->kind == RG_BREACH_NO_FIGURE) {
			rg_buf_printf(out, "%zu %s no relative figure, first ", group->n,
				      group->n == 1 ? "row differs and has"
						    : "rows differ and have");
		} else {
			append_worse(out, worst);
			rg_buf_printf(out, ": %zu of %zu, %s ", group->n, group->of,
				      isnan(worst->limit) ? "first" : "worst");
		}
		append_change(out, worst);
		rg_buf_str(out, " in ");
		return;
	}
	for (size_t i = 0; i < group->n; i++)
		sum += worst[i].value;
	if (group->kind == RG_BREACH_NEEDED)
		rg_buf_printf(out, "%zu of %zu goldens lack what the check '%s' needs, first",
			      group->n, group->of, group->argument);
	else if (!group->metric && group->kind == RG_BREACH_LOST)
		rg_buf_printf(
			out,
			"%.0f record%s removed from %zu of %zu goldens, worst %zu of %zu (%s) "
			"in",
			sum, sum == 1 ? "" : "s", group->n, group->of, lost->count, lost->of,
			lost->brief);
	else if (!group->metric)
		rg_buf_printf(out, "%zu of %zu goldens %s, first", group->n, group->of,
			      whole_word(group->kind));
	else if (rows && sentence)
		rg_buf_printf(out, "%zu of %zu %s rows ", group->n, group->of, group->metric);
	else if (rows)
		rg_buf_printf(out, "%s: %zu of %zu rows ", group->metric, group->n, group->of);
	else
		rg_buf_printf(out, "%s%s ", group->metric, sentence ? "" : ":");
	if (group->metric)
		append_kind(out, group);
	rg_buf_char(out, ' ');
}

static void write_group(const rg_gate_group *group)
{
	const bool is_loss = group->kind == RG_BREACH_LOST || group->kind == RG_BREACH_REMOVED;
	const char *guard = group->kind == RG_BREACH_NO_FIGURE || group->kind == RG_BREACH_UNREAD
				    ? "no-figure"
			    : is_loss && !group->worst->asked ? "shrink"
							      : NULL;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	append_group(&text, group, false);
	rg_buf_str(&text, group->worst->file);
	if (guard)
		rg_buf_printf(&text, " (--allow %s lets it through)", guard);
	terminal_say("%s", text.data);
	for (size_t i = 0; terminal_shows(RG_LOG_DETAIL) && i < group->n; i++) {
		const rg_breach *breach = &group->worst[i];
		if (!rg_gate_group_is_of_many(group)) {
			write_breach(breach);
			continue;
		}
		rg_buf_clear(&text);
		append_change(&text, breach);
		rg_buf_str(&text, ": ");
		append_worse(&text, breach);
		terminal_say("%s: %s: the gate breaks", breach->file, text.data);
	}
}

/* A limit that holds nothing must not pass for one that holds. */
static void write_idle(const rg_idle_limit *idle)
{
	const char *meant = idle->meant;
	if (idle->asked)
		terminal_say("--fail-on %s: %s (--allow no-match lets it through)",
			     idle->asked->text, idle->asked->condition->needed);
	else if (idle->known)
		terminal_say("warning: --fail-above: nothing that is compared matches '%s'",
			     idle->pattern ? idle->pattern : "*");
	else
		terminal_say("--fail-above: no golden has a metric that '%s' matches%s%s%s "
			     "(--allow no-match lets it through)",
			     idle->pattern, meant ? "; did you mean '" : "", meant ? meant : "",
			     meant ? "'?" : "");
}

/* "gate: passed, 184 rows looked at (12 have no relative figure); exit 0" */
static void write_passed(const command_context *context, const rg_breach_list *breaches)
{
	const size_t without = breaches->without_figure, fresh = breaches->new_looked_at;
	char figures[64] = "";

	if (without)
		snprintf(figures, sizeof(figures), " (%zu %s no relative figure)", without,
			 without == 1 ? "has" : "have");
	if (!breaches->looked_at && !fresh)
		tell(context, RG_LOG_INFO, "gate: nothing was looked at; exit %d",
		     context->exit_code);
	else if (!breaches->looked_at)
		tell(context, RG_LOG_INFO, "gate: passed, %zu new golden%s looked at; exit %d",
		     fresh, rg_plural(fresh), context->exit_code);
	else
		tell(context, RG_LOG_INFO, "gate: passed, %zu row%s looked at%s; exit %d",
		     breaches->looked_at, rg_plural(breaches->looked_at), figures,
		     context->exit_code);
}

void gate_decide(command_context *context, const rg_compare_result *result)
{
	if (result->breaches.count && context->exit_code == EXIT_DONE)
		context->exit_code = EXIT_GATE;
	for (size_t i = 0; i < result->idle_count; i++)
		if (!result->idle[i].known &&
		    (context->exit_code == EXIT_DONE || context->exit_code == EXIT_GATE))
			context->exit_code = EXIT_USAGE;
}

void gate_show(const command_context *context, const rg_compare_result *result,
	       const rg_column_context *columns)
{
	const rg_gate_groups *groups = &result->groups;
	const size_t count = groups->count;
	size_t named = count;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);

	if (named > GROUPS_NAMED && !terminal_shows(RG_LOG_DETAIL))
		named = GROUPS_NAMED;
	for (size_t i = 0; i < named; i++)
		write_group(&groups->items[i]);
	if (named < count)
		terminal_say("%zu more reason%s; -v lists them", count - named,
			     rg_plural(count - named));
	for (size_t i = 0; i < result->idle_count; i++)
		write_idle(&result->idle[i]);
	if (count) {
		/* "gate: 125 of 126 lm loss rows over 1e-3, worst 0.217 t5_11b [dev]; exit 1" */
		append_group(&text, &groups->items[0], true);
		rg_test_name_add(&text, groups->items[0].worst->file, columns);
		if (count > 1)
			rg_buf_printf(&text, "; %zu more reason%s", count - 1,
				      rg_plural(count - 1));
		terminal_say("gate: %s; exit %d", text.data, context->exit_code);
		return;
	}
	if (!result->gated || context->exit_code == EXIT_USAGE)
		return;
	if (result->comparison.file_count)
		write_passed(context, &result->breaches);
	else
		tell(context, RG_LOG_INFO,
		     "gate: no golden changed, so there was nothing to look at; exit %d",
		     context->exit_code);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/blocks.h"

#include "base/number.h"
#include "base/utf8.h"
#include "report/words.h"

#include <math.h>
#include <string.h>

enum { QUIET_NAMED = 6, RENAMES_NAMED = 3, FAILURES_NAMED = 3, REASONS_NAMED = 2 };

void rg_blocks_of(rg_blocks *out, const rg_story *story)
{
	const rg_summary *summary = story->summary;
	const rg_comparison *c = summary->comparison;

	*out = (rg_blocks){.findings = story->findings,
			   .finding_count = story->finding_count,
			   .reasons = story->reasons,
			   .reason_count = story->reason_count,
			   .moved = story->moved,
			   .moved_count = story->moved_count,
			   .checks = story->checks,
			   .check_count = story->check_count,
			   .facts = story->facts,
			   .renames = story->renames,
			   .rename_count = story->rename_count,
			   .next = story->next,
			   .next_count = story->next_count,
			   .review_command = story->review_command,
			   .all_command = story->all_command,
			   .old_side = summary->old_side,
			   .new_side = summary->new_side,
			   .old_commit = summary->old_commit,
			   .new_commit = summary->new_commit,
			   .filter = summary->filter,
			   .refreshed = summary->refresh != NULL,
			   .dry_run = summary->dry_run,
			   .compared = c->compared,
			   .shown = story->facts.shown,
			   .rows = c->row_count,
			   .columns = story->facts.columns,
			   .run = c->run.fresh.answer ? &c->run : NULL};
	if (summary->new_runs && summary->new_runs->runs) {
		out->new_runs = summary->new_runs->runs;
		memcpy(out->new_run_counts, summary->new_runs->counts, sizeof(out->new_run_counts));
	}
	for (size_t i = 0; i < c->row_count; i++)
		out->verdicts[c->rows[i].verdict.kind]++;
	for (size_t i = 0; i < c->gap_count; i++)
		out->verdicts[c->gaps[i].verdict.kind]++;
}

/* --- the verdict --- */

static void append_goldens(rg_buf *out, size_t count)
{
	rg_say_count(out, count, "golden");
}

static const rg_story_finding *first_of(const rg_blocks *b, rg_found kind)
{
	for (size_t i = 0; i < b->finding_count; i++)
		if (b->findings[i].kind == kind)
			return &b->findings[i];
	return NULL;
}

/* "values removed from " 2 "golden"s; a reason without a noun has no number. */
typedef struct {
	const char *before, *noun, *one, *several;
} reason_words;

static const reason_words words_of[RG_FOUND_KINDS] = {
	[RG_FOUND_NONFINITE] = {"", "golden", " has new ", " have new "},
	[RG_FOUND_VALUES_REMOVED] = {"values removed from ", "golden", "", ""},
	[RG_FOUND_METRIC_REMOVED] = {"metrics removed from ", "golden", "", ""},
	[RG_FOUND_UNREADABLE] = {"", "golden", " unreadable", " unreadable"},
	[RG_FOUND_HELD] = {"", "golden", " held back", " held back"},
	[RG_FOUND_MISSING] = {"", "artifact", " missing", " missing"},
	[RG_FOUND_RECORDS_REMOVED] = {"records removed", NULL, "", ""},
	[RG_FOUND_GOLDEN_REMOVED] = {"", "golden", " removed", " removed"},
	[RG_FOUND_TESTS] = {"", "test or operator result", " worse", " worse"},
	[RG_FOUND_RESHAPED] = {"another kind of values in ", "golden", "", ""},
	[RG_FOUND_OUTLIER] = {"outliers in ", "golden", "", ""},
	[RG_FOUND_MOVED] = {"", "golden", " over its flag level", " over their flag levels"},
	[RG_FOUND_FROM_ZERO] = {"values that were 0 or tiny in ", "golden", "", ""},
	[RG_FOUND_TENSOR] = {"", "golden", " over its flag level", " over their flag levels"},
	[RG_FOUND_REPAIRED] = {"", "golden", " is finite again", " are finite again"},
	[RG_FOUND_VALUES_ADDED] = {"values added to ", "golden", "", ""},
	[RG_FOUND_PASSED] = {"a rule passes another kind of values in ", "golden", "", ""},
	[RG_FOUND_RUN] = {"the run has changed", NULL, "", ""},
	[RG_FOUND_METRIC_NEW] = {"metrics added to ", "golden", "", ""},
	[RG_FOUND_RECORDS_ADDED] = {"records added", NULL, "", ""},
	[RG_FOUND_GOLDEN_NEW] = {"", "new golden", "", ""},
	[RG_FOUND_TEXT] = {"", "golden", " differs without a figure", " differ without a figure"},
	[RG_FOUND_UNREAD] = {"", "golden", " partly read", " partly read"},
};

/* The word for the values of all findings of the kind. */
static const char *nonfinite_values(const rg_blocks *b)
{
	bool nan = false, inf = false, other = false;
	for (size_t i = 0; i < b->finding_count; i++) {
		const rg_story_finding *f = &b->findings[i];
		if (f->kind != RG_FOUND_NONFINITE)
			continue;
		nan |= f->is_nan;
		inf |= f->is_inf;
		other |= !f->is_nan && !f->is_inf;
	}
	return other || (nan && inf) ? "NaN or infinite values" : inf ? "infinite values" : "NaNs";
}

/* One reason why something needs review; false: there is nothing to say of the kind. */
static bool append_reason(rg_buf *out, const rg_blocks *b, const rg_story_reason *r)
{
	static const reason_words moved = {"", "golden", " moved", " moved"};
	const rg_story_finding *first = first_of(b, r->kind);
	const reason_words *words = &words_of[r->kind];
	const size_t count = r->kind == RG_FOUND_TESTS ? r->count : r->goldens;

	if (r->kind == RG_FOUND_CHECK) {
		if (first)
			rg_buf_printf(out, "%zu fail%s %s", first->goldens,
				      first->goldens == 1 ? "s" : "", first->text);
		return first;
	}
	/* A row that breaks a gate may be under its flag level. */
	if ((r->kind == RG_FOUND_MOVED || r->kind == RG_FOUND_TENSOR) && r->over < r->goldens)
		words = &moved;
	rg_buf_str(out, words->before);
	if (words->noun)
		rg_say_count(out, count, words->noun);
	rg_buf_str(out, count == 1 ? words->one : words->several);
	if (r->kind == RG_FOUND_NONFINITE)
		rg_buf_str(out, nonfinite_values(b));
	return true;
}

/* The kinds of findings, those that decide a verdict first. */
static const rg_found weights[] = {RG_FOUND_NONFINITE,      RG_FOUND_UNREADABLE,
				   RG_FOUND_METRIC_REMOVED, RG_FOUND_VALUES_REMOVED,
				   RG_FOUND_GOLDEN_REMOVED, RG_FOUND_RECORDS_REMOVED,
				   RG_FOUND_MISSING,        RG_FOUND_HELD,
				   RG_FOUND_TESTS,          RG_FOUND_RUN,
				   RG_FOUND_CHECK,          RG_FOUND_RESHAPED,
				   RG_FOUND_PASSED,         RG_FOUND_OUTLIER,
				   RG_FOUND_MOVED,          RG_FOUND_TENSOR,
				   RG_FOUND_FROM_ZERO,      RG_FOUND_REPAIRED,
				   RG_FOUND_GOLDEN_NEW,     RG_FOUND_METRIC_NEW,
				   RG_FOUND_RECORDS_ADDED,  RG_FOUND_VALUES_ADDED,
				   RG_FOUND_TEXT,           RG_FOUND_UNREAD};

/* "main (1a2b3c4)" */
static void append_side(rg_buf *out, const char *side, const char *commit)
{
	enum { COMMIT_SHOWN = 7 };
	rg_buf_str(out, side);
	if (commit)
		rg_buf_printf(out, " (%.*s)", COMMIT_SHOWN, commit);
}

void rg_blocks_say_verdict(rg_buf *out, const rg_blocks *b)
{
	if (b->filter) {
		rg_buf_printf(out, "showing %s: %zu of ", b->filter, b->shown);
		append_goldens(out, b->compared);
	} else {
		append_goldens(out, b->compared);
		rg_buf_str(out, " compared");
	}
	if (b->old_side && b->new_side) {
		rg_buf_str(out, ", ");
		append_side(out, b->old_side, b->old_commit);
		rg_buf_str(out, " -> ");
		append_side(out, b->new_side, b->new_commit);
	}
	if (!b->finding_count) {
		/* A filter may hide what needs review. */
		if (!b->filter)
			rg_buf_str(out,
				   b->compared ? ": nothing to review" : ": nothing to compare");
		else if (b->compared && !b->shown)
			rg_buf_str(out, ": --filter keeps no metric");
		return;
	}
	rg_buf_str(out, ": needs review");
	size_t named = 0;
	for (size_t k = 0; k < sizeof(weights) / sizeof(*weights) && named < REASONS_NAMED; k++)
		for (size_t i = 0; i < b->reason_count; i++) {
			if (b->reasons[i].kind != weights[k])
				continue;
			rg_buf_str(out, named ? "; " : " (");
			named += append_reason(out, b, &b->reasons[i]);
		}
	rg_buf_str(out, named ? ")" : "");
}

/* --- facts --- */

/* Escapes the ends of lines in a name, as these texts have several lines. */
static void append_name(rg_buf *out, const char *name)
{
	rg_utf8_add_safe(out, name, strlen(name));
}

static void begin_line(rg_buf *out, size_t start)
{
	rg_buf_str(out, out->length > start ? "\n" : "");
}

static void append_fact(rg_buf *out, size_t count, const char *text, size_t start)
{
	if (!count)
		return;
	begin_line(out, start);
	rg_buf_str(out, text);
	append_goldens(out, count);
}

/* Did a metric move within its flag level? */
static bool is_quiet(const rg_moved *m)
{
	return !rg_moved_is_shown(m) && !m->of_models && m->changed && !isnan(m->low) &&
	       !rg_moved_is_in_review(m);
}

static bool any_changed(const rg_blocks *b)
{
	size_t i = 0;
	while (i < b->moved_count && (!b->moved[i].changed || b->moved[i].of_models))
		i++;
	return i < b->moved_count;
}

bool rg_blocks_have_moved(const rg_blocks *b)
{
	size_t i = 0;
	while (i < b->moved_count && !rg_moved_is_shown(&b->moved[i]) && !is_quiet(&b->moved[i]))
		i++;
	return i < b->moved_count && any_changed(b);
}

static void append_equal(rg_buf *out, const rg_blocks *b, size_t start)
{
	const size_t count = b->columns ? b->columns : b->rows;
	char number[RG_COUNT_TEXT];

	for (size_t i = 0; i < b->moved_count; i++)
		if (b->moved[i].changed)
			return;
	if (!b->rows)
		return;
	begin_line(out, start);
	rg_buf_printf(
		out, "%s equal (%s %s%s)", b->finding_count ? "everything else is" : "values are",
		rg_count_text(count, number), b->columns ? "column" : "row", rg_plural(count));
}

void rg_blocks_say_facts(rg_buf *out, const rg_blocks *b)
{
	const size_t start = out->length;
	append_equal(out, b, start);
	append_fact(out, b->facts.placeholders, "NaN placeholders removed from ", start);
	append_fact(out, b->facts.formatted, "same values, different formatting in ", start);
	append_fact(out, b->facts.unshown, "same values, other differences that no row shows in ",
		    start);
	size_t i;
	for (i = 0; i < b->rename_count && i < RENAMES_NAMED; i++) {
		begin_line(out, start);
		rg_buf_str(out, "renamed: ");
		append_name(out, b->renames[i].old_file);
		rg_buf_str(out, " -> ");
		append_name(out, b->renames[i].file);
	}
	if (i < b->rename_count) {
		begin_line(out, start);
		rg_buf_printf(out, "renamed: %zu more", b->rename_count - i);
	}
	append_fact(out, b->facts.variants, "compared with the nearest accepted variant: ", start);
}

/* --- what moved --- */

void rg_blocks_say_quiet(rg_buf *out, const rg_blocks *b)
{
	size_t named = 0, more = 0;
	for (size_t i = 0; i < b->moved_count; i++) {
		const rg_moved *m = &b->moved[i];
		if (!is_quiet(m))
			continue;
		if (named == QUIET_NAMED) {
			more++;
			continue;
		}
		rg_buf_str(out, named++ ? ", " : "within their flag levels: ");
		rg_buf_printf(out, "%s (", m->metric);
		rg_say_within(out, fmax(fabs(m->low), fabs(m->high)));
		rg_buf_char(out, ')');
	}
	if (more)
		rg_buf_printf(out, " and %zu more", more);
}

/* --- checks --- */

void rg_blocks_say_checks(rg_buf *out, const rg_blocks *b)
{
	for (size_t i = 0; i < b->check_count; i++) {
		/* Two are a line, more a line each. */
		rg_buf_str(out, !i ? "" : b->check_count == 2 ? "; " : "\n");
		const rg_story_check *check = &b->checks[i];
		append_name(out, check->name);
		rg_buf_printf(out, ": %zu of %zu pass", check->passes, check->goldens);
		if (check->fails && !check->exact && check->failure_count) {
			size_t k;
			for (k = 0; k < check->failure_count && k < FAILURES_NAMED; k++) {
				rg_buf_str(out, k ? ", " : " (failures: ");
				append_name(out, check->failures[k].metric);
				rg_buf_printf(out, " %zu", check->failures[k].goldens);
			}
			if (k < check->failure_count)
				rg_buf_printf(out, " and %zu more", check->failure_count - k);
			rg_buf_char(out, ')');
		}
		if (check->unchecked)
			rg_buf_printf(out, ", %zu could not be checked", check->unchecked);
	}
}

/* --- noise --- */

/* " of 12 goldens"; older reports do not have their number. */
static void append_measured(rg_buf *out, const rg_run_test *t)
{
	if (!t->goldens)
		return;
	rg_buf_str(out, " of ");
	rg_say_count(out, t->goldens, "golden");
}

/* "not enough runs: lm loss of gpt/a.json is outside all of its own, and so are 2 more rows" */
static void append_open(rg_buf *out, const rg_run_test *t)
{
	if (t->open_rows && t->open_metric && t->open_file) {
		rg_buf_str(out, "not enough runs: ");
		append_name(out, t->open_metric);
		rg_buf_str(out, " of ");
		append_name(out, t->open_file);
		rg_buf_str(out, " is outside all of its own");
		if (t->open_rows > 1) {
			rg_buf_str(out, t->open_rows == 2 ? ", and so is " : ", and so are ");
			rg_say_count(out, t->open_rows - 1, "more row");
		}
	} else if (t->too_few) {
		rg_buf_str(out, "not enough runs");
		append_measured(out, t);
		rg_buf_printf(out, ": %zu measured, %zu needed", t->runs, t->runs + t->missing);
	} else {
		rg_buf_str(out, "no row can be judged: the model lacks them, or their runs drift");
	}
}

static void append_run(rg_buf *out, const rg_run_test *t, const char *what)
{
	const bool changed = t->answer == RG_ANSWER_CHANGED;
	if (t->answer == RG_ANSWER_OPEN)
		append_open(out, t);
	if (!changed && t->answer != RG_ANSWER_NOISE)
		return;
	rg_buf_printf(out, "%s %s the ", what, changed ? "differs from" : "is like");
	rg_say_count(out, t->runs, "measured run");
	append_measured(out, t);
	if (changed && t->by == RG_SHOWN_BY_METRIC && t->metric) {
		rg_buf_str(out, " (");
		append_name(out, t->metric);
		rg_buf_char(out, ')');
	}
	/* A p of 1 / 21 or less is by chance in at most 1 of 21 runs. */
	if (changed && t->p > 0 && t->p <= 1)
		rg_buf_printf(out, ", by chance in at most 1 of %.0f runs", floor(1 / t->p + 1e-9));
}

/* The tests of several new runs together. */
static void append_new_runs(rg_buf *out, const rg_blocks *b, size_t start)
{
	static const char *const words[RG_NEW_RUNS_VERDICTS] = {
		[RG_NEW_RUNS_MOVED] = "moved",
		[RG_NEW_RUNS_UNDECIDED] = "undecided",
		[RG_NEW_RUNS_ALIKE] = "alike",
		[RG_NEW_RUNS_UNTESTED] = "not tested, as the measured runs drift"};
	size_t named = 0;
	if (!b->new_runs)
		return;
	begin_line(out, start);
	rg_buf_printf(out, "metrics of the %zu new runs together: ", b->new_runs);
	for (size_t i = 0; i < RG_NEW_RUNS_VERDICTS; i++)
		if (b->new_run_counts[i])
			rg_buf_printf(out, "%s%zu %s", named++ ? ", " : "", b->new_run_counts[i],
				      words[i]);
	rg_buf_str(out, named ? "" : "none");
}

void rg_blocks_say_noise(rg_buf *out, const rg_blocks *b)
{
	const size_t start = out->length;
	if (!b->run) {
		if (any_changed(b))
			rg_buf_str(out, "not measured; flag levels come from the settings "
					"(regild audit measures noise)");
		append_new_runs(out, b, start);
		return;
	}
	append_run(out, &b->run->fresh, "the new run");
	if (b->run->golden.answer == RG_ANSWER_NOISE ||
	    b->run->golden.answer == RG_ANSWER_CHANGED) {
		begin_line(out, start);
		append_run(out, &b->run->golden, "the golden");
	}
	static const char *const words[RG_VERDICTS] = {NULL, "within the noise", "outside",
						       "inconclusive", "unmeasured"};
	size_t named = 0;
	rg_buf_str(out, "\nrows: ");
	for (size_t i = 1; i < RG_VERDICTS; i++)
		if (b->verdicts[i])
			rg_buf_printf(out, "%s%zu %s", named++ ? ", " : "", b->verdicts[i],
				      words[i]);
	if (!named)
		rg_buf_str(out, "none measured");
	append_new_runs(out, b, start);
}

const char *rg_next_purpose(rg_next_kind kind)
{
	static const char *const purposes[RG_NEXT_KINDS] = {
		[RG_NEXT_FAILS] = "show what fails",
		[RG_NEXT_CHECK] = "show what the merge gate refuses",
		[RG_NEXT_UNDO] = "undo the refresh",
		[RG_NEXT_KEEP] = "keep the refresh"};
	return purposes[kind];
}

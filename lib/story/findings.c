/* SPDX-License-Identifier: Apache-2.0 */
#include "story/found_item.h"
#include "story/parts.h"

#include "base/memory.h"
#include "base/order.h"
#include "compare/checks.h"
#include "compare/gate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	rg_story *story;
	rg_found_item *items;
	size_t count, capacity;
	/* Rows, and goldens as a whole, that broke a gate: sorted. */
	const rg_row **broken;
	const char **broken_files;
	size_t broken_count, broken_file_count;
} find_state;

static void find_state_release(find_state *w)
{
	free(w->broken_files);
	free(w->broken);
	free(w->items);
}

/* Copies of a row have the same texts. */
RG_ORDER_OF_POINTERS(by_texts, rg_row, RG_RISING(metric) || RG_RISING(file));

static rg_found_item *add(find_state *w, rg_found kind, const char *file, size_t file_index)
{
	rg_found_item *one = RG_PUSH(w->items, w->count, w->capacity);
	*one = (rg_found_item){.f = RG_STORY_FINDING_NONE, .file_index = file_index};
	one->f.kind = kind;
	one->f.class_of = RG_CLASS_VALUE;
	one->f.metrics = one->f.goldens = 1;
	one->f.file = file;
	one->f.gate = file && w->broken_file_count &&
		      bsearch(&file, w->broken_files, w->broken_file_count, sizeof(file),
			      rg_compare_texts);
	return one;
}

static bool breaks(const find_state *w, const rg_row *row)
{
	return w->broken_count &&
	       bsearch(&row, w->broken, w->broken_count, sizeof(const rg_row *), by_texts);
}

static rg_found_item *append_of_row(find_state *w, rg_found kind, const rg_row *row,
				    const char *family, rg_story_row *of)
{
	rg_found_item *one = add(w, kind, row->file, row->file_index);
	one->family = family;
	one->row = row;
	one->of = of;
	one->f.metric = row->metric;
	one->f.row = row->gap == RG_GAP_NONE ? row->metric : NULL;
	one->f.class_of = rg_row_class(row);
	one->f.by_record = row->by_record;
	one->f.by_element = row->tensor != NULL;
	one->f.gate = breaks(w, row);
	return one;
}

/* --- values that came and went --- */

static void append_steps(find_state *w, rg_found kind, const rg_row *row, const char *family,
			 size_t count, const char *steps)
{
	if (!count)
		return;
	rg_found_item *one = append_of_row(w, kind, row, family, NULL);
	one->f.count = count;
	one->f.steps = steps;
	one->f.is_nan = kind == RG_FOUND_NONFINITE ? row->now_nan
						   : kind == RG_FOUND_REPAIRED && row->repaired_nan;
	one->f.is_inf = kind == RG_FOUND_NONFINITE && row->now_inf;
}

/* Does look_at_values() say which of its values came, went or are not finite? */
static bool has_values(const rg_row *row)
{
	return row->kind == RG_ROW_SERIES || row->by_record;
}

static void look_at_values(find_state *w, const rg_row *row, const char *family)
{
	append_steps(w, RG_FOUND_NONFINITE, row, family, row->left_out.new_nonfinite,
		     row->nonfinite_steps);
	append_steps(w, RG_FOUND_VALUES_REMOVED, row, family, row->left_out.old_only,
		     row->lost_steps);
	append_steps(w, RG_FOUND_REPAIRED, row, family, row->repaired, row->repaired_steps);
	append_steps(w, RG_FOUND_VALUES_ADDED, row, family,
		     row->ignored ? 0 : row->left_out.new_only + row->filled, row->gained_steps);
}

static void set_passed(rg_story_finding *f, const rg_passed_change *one)
{
	f->text = one->check;
	f->at = one->what;
	f->count = one->count;
	f->by_element = one->by_element;
}

static void append_passed(find_state *w, const rg_row *row, const char *family)
{
	for (const rg_passed_change *one = row->passed; one; one = one->next)
		set_passed(&append_of_row(w, RG_FOUND_PASSED, row, family, NULL)->f, one);
}

static void look_at_gap(find_state *w, const rg_row *gap, const char *family)
{
	append_passed(w, gap, family);
	if (gap->gap == RG_GAP_OLD_ONLY)
		append_of_row(w, RG_FOUND_METRIC_REMOVED, gap, family, NULL);
	else if (gap->gap == RG_GAP_NEW_ONLY && gap->left_out.new_nonfinite)
		append_steps(w, RG_FOUND_NONFINITE, gap, family, gap->left_out.new_nonfinite, NULL);
	else if (gap->gap == RG_GAP_NEW_ONLY && !gap->ignored)
		append_of_row(w, RG_FOUND_METRIC_NEW, gap, family, NULL);
	else if (gap->gap == RG_GAP_NO_STEPS)
		look_at_values(w, gap, family);
}

/* --- figures --- */

static const char *step_text(find_state *w, const rg_row *row)
{
	if (row->max_abs_rel_record)
		return row->max_abs_rel_record;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_buf_printf(&text, "%" PRId64, row->max_abs_rel_step);
	return rg_story_keep(w->story, &text);
}

/* Both the mean and the median of a duration, if one of them says something else. */
static void set_duration(rg_story_finding *f, const rg_row *row, double level)
{
	const double mean = 0 - rg_row_shift(row), median = 0 - row->median_rel_diff;
	const bool mean_over = fabs(mean) >= level, median_over = fabs(median) >= level;
	const bool opposed = (mean > 0 && median < 0) || (mean < 0 && median > 0);

	f->change = mean;
	if (!row->median_known || (mean_over == median_over && !opposed))
		return;
	f->by_median = median_over && !mean_over;
	f->change = f->by_median ? median : mean;
	f->median = f->by_median ? mean : median;
}

static const char past_doubles[] = "a difference is past the largest double, 1.8e308";

static void set_figures(find_state *w, rg_found_item *one, const rg_row *row, const rg_story_row *r)
{
	rg_story_finding *f = &one->f;
	const double level = rg_story_level(&r->policy);

	f->over = r->over;
	f->level = r->policy.flag;
	if (r->policy.kind != RG_POLICY_RELATIVE && row->level >= RG_LEVEL_FLAG)
		f->score = row->score;
	if (row->level == RG_LEVEL_FAIL && isnan(f->level))
		f->level = row->fail_at;
	if (row->n_steps)
		set_duration(f, row, level);
	if (r->cancels && r->row == row)
		f->per_step = row->mean_abs_rel;
	if (row->by_record && row->larger && row->smaller) {
		f->larger = row->larger;
		f->smaller = row->smaller;
		f->most_larger = 0 - row->most_larger;
		f->most_smaller = 0 - row->most_smaller;
	}
	f->steps_counted = row->n_steps;
	if (row->by_largest && row->n_steps > 1)
		f->at = step_text(w, row);
	f->runs = row->verdict.stands_out ? row->verdict.runs : 0;
	f->text = row->over.count       ? row->over.text
		  : isinf(row->max_abs) ? past_doubles
					: row->beside;
}

/* Is the row to be looked at for tiny values alone? */
static bool is_of_tiny(const rg_row *row, const rg_metric_policy *policy)
{
	return (!row->n_steps && row->too_small.count) ||
	       (!row->over.count && (row->too_small.alone ||
				     (row->too_small.rel > 0 && row->too_small.rel == row->moved &&
				      fabs(rg_row_shift(row)) < rg_story_level(policy))));
}

/* Values without a percentage: from zero, tiny, or too far apart. */
static void set_both_values(rg_story_finding *f, const rg_row *row)
{
	const bool past = isinf(row->max_abs_rel), zero = !past && row->from_zero.count;

	f->old = past ? row->past_old : zero ? row->from_zero.old : row->too_small.old;
	f->fresh = past ? row->past_new : zero ? row->from_zero.largest : row->too_small.fresh;
	f->count = zero ? row->from_zero.count : 0;
	f->text = past   ? "their percentage is past the largest double, 1.8e308"
		  : zero ? NULL
			 : "too small for a percentage";
}

/* "float32 [2] -> float32 [3]", "5 ns -> 6 ms"; NULL: nothing says it. */
static const char *became(find_state *w, const char *old, const char *fresh)
{
	if (!old && !fresh)
		return NULL;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_buf_printf(&text, "%s -> %s", old ? old : "nothing", fresh ? fresh : "nothing");
	return rg_story_keep(w->story, &text);
}

/* Did values come, go or turn NaN, and no other one change? The findings of these have it. */
static bool is_of_values(const rg_row *row)
{
	return row->moved == 0 && (row->left_out.new_nonfinite || row->left_out.old_only ||
				   row->left_out.new_only || row->filled || row->repaired);
}

static void look_at_figures(find_state *w, const rg_row *row, rg_story_row *r, const rg_look look,
			    unsigned marks)
{
	const bool gate = breaks(w, row), outlier = r->outlier && r->row == row;
	const unsigned moved = RG_MARK_LEVEL | RG_MARK_CANCELS | RG_MARK_OUTLIER;

	if (row->tensor && !row->identical && (look || gate)) {
		/* That the finding of new NaN and infinite values says already. */
		if (row->max_abs == 0 && has_values(row) && row->left_out.new_nonfinite &&
		    row->left_out.new_nonfinite == row->tensor->nonfinite_mismatches)
			return;
		rg_found_item *one = append_of_row(w, RG_FOUND_TENSOR, row, r->family, r);
		one->f.over = r->over;
		one->f.max_abs = row->max_abs;
		/* Large whole numbers may be one double. */
		if (isfinite(row->tensor->old) && isfinite(row->tensor->fresh) &&
		    row->tensor->old != row->tensor->fresh) {
			one->f.old = row->tensor->old;
			one->f.fresh = row->tensor->fresh;
		}
		one->f.snr_db = row->tensor->snr_db;
		one->f.share = row->tensor->share_differing;
		one->f.at = row->max_abs > 0 ? row->tensor->worst_text : NULL;
		one->f.count = row->tensor->nonfinite_mismatches;
		one->f.text = !row->tensor->types && isinf(row->max_abs) ? past_doubles
									 : row->tensor->types;
	} else if (outlier) {
		rg_found_item *one = append_of_row(w, RG_FOUND_OUTLIER, row, r->family, r);
		set_figures(w, one, row, r);
		one->group = r->group + 1;
		one->f.others = r->others;
		one->f.of_stage = r->of_stage;
		one->f.others_median = r->others_median;
	} else if (row->from_zero.needs_look || isinf(row->max_abs_rel) ||
		   is_of_tiny(row, &r->policy)) {
		if (look || gate) {
			rg_found_item *one =
				append_of_row(w, RG_FOUND_FROM_ZERO, row, r->family, r);
			one->f.over = r->over;
			set_both_values(&one->f, row);
		}
	} else if (marks & moved || row->level == RG_LEVEL_FAIL || row->over.count || row->beside ||
		   (gate && rg_story_differs(row) && !is_of_values(row))) {
		set_figures(w, append_of_row(w, RG_FOUND_MOVED, row, r->family, r), row, r);
	}
}

static void look_at_row(find_state *w, const rg_row *row, rg_story_row *r, const rg_look look,
			unsigned marks)
{
	append_passed(w, row, r->family);
	if (has_values(row))
		look_at_values(w, row, r->family);
	const char *types = row->tensor ? row->tensor->types : NULL;
	if (row->reshaped || row->other_unit || types) {
		rg_found_item *one = append_of_row(w, RG_FOUND_RESHAPED, row, r->family, r);
		one->f.text = types             ? types
			      : row->other_unit ? row->other_unit
						: became(w, row->old_excerpt, row->new_excerpt);
		one->f.over = INFINITY;
	} else if (row->kind == RG_ROW_EXACT && !row->tensor) {
		if (!row->identical && (look || breaks(w, row))) {
			rg_found_item *one = append_of_row(w, RG_FOUND_TEXT, row, r->family, r);
			if (row->changes)
				one->f.text = row->changes_brief;
			else if (row->opaque)
				one->f.text =
					became(w, row->opaque->old.says, row->opaque->fresh.says);
			else
				one->f.text = became(w, row->old_excerpt, row->new_excerpt);
		}
	} else {
		look_at_figures(w, row, r, look, marks);
	}
}

static void look_at_rows(find_state *w)
{
	rg_story *story = w->story;
	const rg_comparison *c = story->summary->comparison;

	for (size_t i = 0; i < c->row_count; i++) {
		const rg_story_place *place = &story->places[i];
		if (!rg_is_test_row(c, &c->rows[i]))
			look_at_row(w, &c->rows[i], &story->rows[place->of - story->rows],
				    place->look, place->marks);
	}
	/* Metrics of both sides without a figure. */
	for (size_t i = 0; i < story->row_count; i++) {
		rg_story_row *r = &story->rows[i];
		if (r->row->gap != RG_GAP_NONE && !rg_is_test_row(c, r->row))
			look_at_figures(w, r->row, r, r->review ? RG_LOOK_MUST : RG_LOOK_NONE, 0);
	}
	RG_AUTO(rg_buf) family = rg_buf_of(RG_BUF_ANY);
	for (size_t i = 0; i < c->gap_count; i++) {
		if (rg_is_test_row(c, &c->gaps[i]))
			continue;
		rg_family_add(&family, c->gaps[i].metric);
		look_at_gap(w, &c->gaps[i], rg_story_keep(story, &family));
	}
}

/* --- goldens --- */

static void append_records(find_state *w, rg_found kind, const rg_file_outcome *file, size_t i,
			   const rg_records_alone *alone)
{
	if (!alone->count)
		return;
	rg_found_item *one = add(w, kind, file->file, i);
	one->f.count = alone->count;
	one->f.count_of = alone->of;
	one->f.steps = alone->brief;
	one->f.by_record = true;
}

static void look_at_file(find_state *w, const rg_file_outcome *file, size_t i)
{
	static const rg_found kinds[] = {[RG_FILE_NEW] = RG_FOUND_GOLDEN_NEW,
					 [RG_FILE_REMOVED] = RG_FOUND_GOLDEN_REMOVED,
					 [RG_FILE_UNREADABLE] = RG_FOUND_UNREADABLE};
	if (file->status != RG_FILE_COMPARED) {
		rg_found_item *one = add(w, kinds[file->status], file->file, i);
		one->f.text = file->why ? file->why : file->notes;
		one->f.count = file->nonfinite;
		return;
	}
	for (const rg_passed_change *one = file->passed; one; one = one->next)
		set_passed(&add(w, RG_FOUND_PASSED, file->file, i)->f, one);
	append_records(w, RG_FOUND_RECORDS_REMOVED, file, i, &file->lost);
	append_records(w, RG_FOUND_RECORDS_ADDED, file, i, &file->gained);
	if (file->unread)
		add(w, RG_FOUND_UNREAD, file->file, i)->f.text = file->unread;
}

static bool has_broken_test(const find_state *w)
{
	size_t i = 0;
	while (i < w->broken_count && !rg_is_test_row(w->story->summary->comparison, w->broken[i]))
		i++;
	return i < w->broken_count;
}

static void look_at_tests(find_state *w)
{
	const rg_test_counts *tests = &w->story->summary->tests;
	const struct {
		const char *what;
		size_t count;
	} worse[] = {{"newly failing", tests->newly_failing},
		     {"crashed", tests->crashed},
		     {"gone", tests->gone},
		     {"no longer delegated", tests->undelegated},
		     {"with a lower SNR", tests->lower_snr},
		     {tests->worse == 1 ? "operator worse" : "operators worse", tests->worse}};
	for (size_t i = 0; i < sizeof(worse) / sizeof(*worse); i++) {
		if (!worse[i].count)
			continue;
		rg_found_item *one = add(w, RG_FOUND_TESTS, NULL, i);
		one->f.text = worse[i].what;
		one->f.count = worse[i].count;
		one->f.gate = has_broken_test(w);
	}
}

/* --- checks and the run --- */

static bool fails_with_tolerance(const rg_row *row, size_t check, const rg_checks *checks)
{
	return row->check_fails >> check & 1 && row->check_needs_look &&
	       !checks->items[check].exact;
}

/* Has somebody asked a gate for the check? */
static bool is_gated(const find_state *w, const char *check)
{
	const rg_gate_groups *broken = w->story->summary->broken;
	for (size_t i = 0; broken && i < broken->count; i++)
		if ((broken->items[i].kind == RG_BREACH_CHECK ||
		     broken->items[i].kind == RG_BREACH_NEEDED) &&
		    broken->items[i].argument && !strcmp(broken->items[i].argument, check))
			return true;
	return false;
}

static void look_at_checks(find_state *w)
{
	const rg_comparison *c = w->story->summary->comparison;
	for (size_t k = 0; c->checks && k < c->checks->count; k++) {
		const char *name = c->checks->items[k].name;
		const bool gate = is_gated(w, name);
		for (size_t i = 0; i < c->row_count + c->gap_count; i++) {
			const rg_row *row = i < c->row_count ? &c->rows[i]
							     : &c->gaps[i - c->row_count];
			if (!(fails_with_tolerance(row, k, c->checks) ||
			      (gate && row->check_fails >> k & 1)))
				continue;
			rg_found_item *one = add(w, RG_FOUND_CHECK, row->file, row->file_index);
			one->f.text = name;
			one->f.gate = gate;
		}
		for (size_t i = 0; i < c->file_count; i++)
			if (c->files[i].check_fails >> k & 1) {
				rg_found_item *one = add(w, RG_FOUND_CHECK, c->files[i].file, i);
				one->f.text = name;
				one->f.gate = gate;
			}
	}
	if (c->run.fresh.answer == RG_ANSWER_CHANGED) {
		rg_found_item *one = add(w, RG_FOUND_RUN, NULL, 0);
		one->f.over = INFINITY;
		one->f.runs = c->run.fresh.runs;
	}
}

/* --- gates --- */

static bool is_whole(const rg_breach *breach)
{
	return !breach->row && breach->kind != RG_BREACH_NEEDED;
}

static void find_broken(find_state *w)
{
	const rg_gate_groups *broken = w->story->summary->broken;
	size_t count = 0;
	for (size_t i = 0; broken && i < broken->count; i++)
		count += broken->items[i].n;
	w->broken = rg_calloc(count + 1, sizeof(const rg_row *));
	w->broken_files = rg_calloc(count + 1, sizeof(const char *));
	for (size_t i = 0; broken && i < broken->count; i++)
		for (size_t k = 0; k < broken->items[i].n; k++) {
			const rg_breach *breach = &broken->items[i].worst[k];
			if (breach->row)
				w->broken[w->broken_count++] = breach->row;
			else if (is_whole(breach))
				w->broken_files[w->broken_file_count++] = breach->file;
		}
	qsort(w->broken, w->broken_count, sizeof(const rg_row *), by_texts);
	qsort(w->broken_files, w->broken_file_count, sizeof(const char *), rg_compare_texts);
}

/* A golden that broke a gate as a whole, and that nothing else was found in. */
static void append_broken_goldens(find_state *w)
{
	const rg_gate_groups *broken = w->story->summary->broken;
	RG_AUTO_FREE const char **found = rg_calloc(w->count + 1, sizeof(const char *));
	size_t count = 0;

	for (size_t i = 0; i < w->count; i++)
		if (w->items[i].f.gate && !w->items[i].row && w->items[i].f.file)
			found[count++] = w->items[i].f.file;
	qsort(found, count, sizeof(const char *), rg_compare_texts);
	for (size_t i = 0; broken && i < broken->count; i++)
		for (size_t k = 0; k < broken->items[i].n; k++) {
			const rg_breach *breach = &broken->items[i].worst[k];
			if (!is_whole(breach) || bsearch(&breach->file, found, count,
							 sizeof(const char *), rg_compare_texts))
				continue;
			add(w, RG_FOUND_TEXT, breach->file, k)->f.text =
				breach->kind == RG_BREACH_BULK
					? "more goldens changed than may change at a time"
					: "same values, different formatting";
		}
}

/* A row that broke a gate, and that nothing else was found in: it differs without a figure, as one
 * that no longer writes NaN for steps without a value. */
static void append_broken_rows(find_state *w)
{
	const rg_comparison *c = w->story->summary->comparison;
	RG_AUTO_FREE const rg_row **found = rg_calloc(w->count + 1, sizeof(const rg_row *));
	size_t count = 0;

	for (size_t i = 0; i < w->count; i++)
		if (w->items[i].f.gate && w->items[i].row)
			found[count++] = w->items[i].row;
	qsort(found, count, sizeof(const rg_row *), by_texts);
	RG_AUTO(rg_buf) family = rg_buf_of(RG_BUF_ANY);
	for (size_t i = 0; i < w->broken_count; i++) {
		const rg_row *row = w->broken[i];
		if ((i && !by_texts(&row, &w->broken[i - 1])) || rg_is_test_row(c, row) ||
		    bsearch(&row, found, count, sizeof(const rg_row *), by_texts))
			continue;
		rg_family_add(&family, row->metric);
		append_of_row(w, RG_FOUND_TEXT, row, rg_story_keep(w->story, &family), NULL)
			->f.text = "without a relative figure";
	}
}

void rg_story_add_findings(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	RG_AUTO(find_state) w = {.story = story};

	find_broken(&w);
	look_at_rows(&w);
	for (size_t i = 0; i < c->file_count; i++)
		look_at_file(&w, &c->files[i], i);
	const rg_refresh *refresh = story->summary->refresh;
	for (size_t i = 0; refresh && i < refresh->count; i++) {
		const rg_refresh_item *one = &refresh->items[i];
		if (one->outcome == RG_REFRESH_HELD || one->outcome == RG_REFRESH_MISSING)
			add(&w, one->outcome == RG_REFRESH_HELD ? RG_FOUND_HELD : RG_FOUND_MISSING,
			    one->name, i)
				->f.text = one->why;
	}
	look_at_tests(&w);
	look_at_checks(&w);
	append_broken_rows(&w);
	append_broken_goldens(&w);
	rg_story_join_findings(story, w.items, w.count);
}

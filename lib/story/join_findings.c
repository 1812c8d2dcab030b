/* SPDX-License-Identifier: Apache-2.0 */
#include "story/found_item.h"
#include "story/parts.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	rg_story *story;
	rg_found_item *items;
	size_t count;
} join_state;

/* Only these are told apart by their texts. */
static bool has_key(rg_found kind)
{
	return kind == RG_FOUND_CHECK || kind == RG_FOUND_PASSED || kind == RG_FOUND_TESTS;
}

RG_ORDER(by_likeness, rg_found_item,
	 RG_RISING(f.kind) || RG_THEN(rg_finding_compare_texts(x->family, y->family)) ||
		 (has_key(x->f.kind) && (RG_THEN(rg_finding_compare_texts(x->f.text, y->f.text)) ||
					 RG_THEN(rg_finding_compare_texts(x->f.at, y->f.at)))) ||
		 RG_RISING(group));

RG_ORDER(by_golden, rg_found_item,
	 RG_THEN(by_likeness(x, y)) || RG_RISING(file_index) || RG_RISING(row));

static double size_of(const rg_found_item *one)
{
	if (!isnan(one->f.change))
		return fabs(one->f.change);
	return isnan(one->f.fresh) ? (double)one->f.count : fabs(one->f.fresh - one->f.old);
}

/* A finding that breaks a gate comes first, then the farthest over its level. */
static bool is_worse(const rg_found_item *a, const rg_found_item *b)
{
	if (a->f.gate != b->f.gate)
		return a->f.gate;
	if (a->f.over != b->f.over)
		return a->f.over > b->f.over;
	return size_of(a) > size_of(b);
}

/* The steps of all of them, each once and in their order. */
static const char *join_steps(join_state *w, const rg_found_item *items, size_t count)
{
	RG_AUTO_FREE const char **texts = rg_calloc(count + 1, sizeof(*texts));

	for (size_t i = 0; i < count; i++)
		texts[i] = items[i].f.steps;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_story_join_steps(&text, texts, count, items->f.by_record);
	return text.length ? rg_story_keep(w->story, &text) : NULL;
}

/* The others of several outliers are the rows of the group that are none of them. */
static void set_others(rg_story_finding *f, const rg_story *story, const rg_story_row *one)
{
	RG_AUTO_FREE double *changes = rg_malloc((story->row_count + 1) * sizeof(*changes));
	size_t count = 0;

	for (size_t i = 0; i < story->row_count; i++) {
		const rg_story_row *r = &story->rows[i];
		const bool alike = one->of_stage ? !strcmp(r->family, one->family) &&
							   r->row->kind == one->row->kind &&
							   !rg_name_part_compare(&r->name.stage,
										 &one->name.stage)
						 : r->group == one->group;
		if (alike && !(r->outlier && r->group == one->group) &&
		    isfinite(rg_story_change(r->row)))
			changes[count++] = rg_story_change(r->row);
	}
	/* If all of them are, the one is compared with all the others. */
	if (count) {
		f->others = count;
		f->others_median = rg_median(changes, count);
	}
}

/* `count` items that are alike, in the order of their goldens. */
static void append_finding(join_state *w, rg_found_item *items, size_t count)
{
	rg_story *story = w->story;
	rg_found_item *worst = items;
	size_t goldens = 0, sum = 0, of = 0;
	bool same = true, over = true, gate = false, nan = false, inf = false;

	for (size_t i = 0; i < count; i++) {
		goldens += !i || items[i].file_index != items[i - 1].file_index;
		sum += items[i].f.count;
		of += items[i].f.count_of;
		over &= items[i].f.over >= 1 && items[i].f.level == worst->f.level;
		gate |= items[i].f.gate;
		nan |= items[i].f.is_nan;
		inf |= items[i].f.is_inf;
		same &= !rg_finding_compare_texts(items[i].f.metric, items->f.metric);
		worst = is_worse(&items[i], worst) ? &items[i] : worst;
		if (items[i].of &&
		    (items[i].f.kind == RG_FOUND_OUTLIER || items[i].f.kind == RG_FOUND_MOVED))
			items[i].of->in_review = true;
	}
	rg_story_finding *f = &story->findings[story->finding_count++];
	*f = worst->f;
	f->metric = same ? f->metric : items->family;
	f->goldens = goldens;
	/* Not all of them are over it: some cancel. */
	f->level = over || count == 1 ? f->level : NAN;
	f->gate = gate;
	f->is_nan = nan;
	f->is_inf = inf;
	if (f->kind != RG_FOUND_FROM_ZERO && f->kind != RG_FOUND_TENSOR) {
		f->count = sum;
		f->count_of = of;
	}
	if (f->kind == RG_FOUND_OUTLIER && goldens > 1)
		set_others(f, story, worst->of);
	f->steps = f->by_record && goldens > 1 ? f->steps : join_steps(w, items, count);
	if (f->by_record && !f->metric) {
		f->first_count = worst->f.count;
		f->first_of = worst->f.count_of;
	}
	if (f->by_record && !f->metric && count == 2) {
		const rg_found_item *other = worst == items ? &items[1] : items;
		f->also = rg_story_name(story, other->f.file);
		f->also_count = other->f.count;
		f->also_of = other->f.count_of;
	}
	f->name = f->file && f->kind != RG_FOUND_MISSING ? rg_story_name(story, f->file) : f->file;
}

/* Came, went or turned alike in the same goldens: one finding, of several metrics. */
static bool is_joined(const rg_story_finding *a, const rg_story_finding *b)
{
	const bool values = a->kind <= RG_FOUND_METRIC_REMOVED || a->kind == RG_FOUND_REPAIRED ||
			    a->kind == RG_FOUND_VALUES_ADDED || a->kind == RG_FOUND_METRIC_NEW ||
			    a->kind == RG_FOUND_RESHAPED ||
			    (a->kind == RG_FOUND_PASSED && a->count == b->count &&
			     !rg_finding_compare_texts(a->at, b->at));
	return values && a->kind == b->kind && a->goldens == b->goldens && a->file == b->file &&
	       !rg_finding_compare_texts(a->steps, b->steps) &&
	       !rg_finding_compare_texts(a->text, b->text);
}

RG_ORDER(by_joined, rg_story_finding,
	 RG_RISING(kind) || RG_RISING(goldens) ||
		 RG_THEN(rg_finding_compare_texts(x->file, y->file)) ||
		 RG_THEN(rg_finding_compare_texts(x->steps, y->steps)) ||
		 RG_THEN(rg_finding_compare_texts(x->text, y->text)) ||
		 RG_THEN(rg_finding_compare_texts(x->at, y->at)) || RG_RISING(count) ||
		 RG_RISING(class_of) || RG_THEN(rg_finding_compare_texts(x->metric, y->metric)));

/* The items are sorted by kind, then by family. */
RG_ORDER(by_outlier, rg_found_item,
	 RG_BY(RG_FOUND_OUTLIER, y->f.kind) ||
		 RG_THEN(rg_finding_compare_texts(x->family, y->family)));

/* If most goldens moved, and one is an outlier, the table of what moved has the others. */
static bool is_said(const join_state *w, const rg_found_item *items, size_t count)
{
	if (items->f.kind != RG_FOUND_MOVED || 2 * count <= items->of->kin)
		return false;
	for (size_t i = 0; i < count; i++)
		if (items[i].f.gate || items[i].f.runs || items[i].f.text)
			return false;
	return bsearch(items, w->items, w->count, sizeof(*w->items), by_outlier);
}

RG_ORDER(by_kind, rg_found_item, RG_RISING(f.kind) || RG_RISING(file_index));

static void append_reasons(join_state *w)
{
	rg_story *story = w->story;
	bool is_over = false;
	qsort(w->items, w->count, sizeof(*w->items), by_kind);
	story->reasons = rg_arena_alloc(&story->arena, RG_FOUND_KINDS * sizeof(*story->reasons));
	for (size_t i = 0; i < w->count; i++) {
		const bool same = i && w->items[i].f.kind == w->items[i - 1].f.kind;
		const bool golden = !same || w->items[i].file_index != w->items[i - 1].file_index;
		if (!same)
			story->reasons[story->reason_count++] =
				(rg_story_reason){.kind = w->items[i].f.kind};
		rg_story_reason *reason = &story->reasons[story->reason_count - 1];
		is_over = !golden && is_over;
		reason->goldens += golden;
		reason->over += !is_over && w->items[i].f.over >= 1;
		is_over |= w->items[i].f.over >= 1;
		reason->count += w->items[i].f.count;
	}
}

void rg_story_join_findings(rg_story *story, rg_found_item *items, size_t count)
{
	join_state w = {story, items, count};
	if (!count)
		return;
	qsort(items, count, sizeof(*items), by_golden);
	story->findings = rg_calloc(count + 1, sizeof(*story->findings));
	for (size_t at = 0, n; at < count; at += n) {
		for (n = 1; at + n < count; n++)
			if (by_likeness(&items[at], &items[at + n]))
				break;
		if (!is_said(&w, items + at, n))
			append_finding(&w, items + at, n);
	}
	append_reasons(&w);
	size_t kept = 0;
	qsort(story->findings, story->finding_count, sizeof(*story->findings), by_joined);
	for (size_t i = 0; i < story->finding_count; i++) {
		rg_story_finding *last = kept ? &story->findings[kept - 1] : NULL;
		if (!last || !is_joined(last, &story->findings[i])) {
			story->findings[kept++] = story->findings[i];
			continue;
		}
		last->metrics++;
		last->gate |= story->findings[i].gate;
	}
	story->finding_count = kept;
	qsort(story->findings, story->finding_count, sizeof(*story->findings), rg_finding_compare);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "story/found_item.h"
#include "story/parts.h"

#include "base/median.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	rg_story *story;
	rg_found_item *items;
	size_t count;
} work;

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Only these are told apart by their texts. */
static bool has_key(rg_found kind)
{
	return kind == RG_FOUND_CHECK || kind == RG_FOUND_TESTS;
}

static int compare_alike(const rg_found_item *x, const rg_found_item *y)
{
	int order = (int)x->f.kind - (int)y->f.kind;
	order = order ? order : compare_texts(x->family, y->family);
	if (!order && has_key(x->f.kind))
		order = compare_texts(x->f.text, y->f.text);
	return order ? order : (x->group > y->group) - (x->group < y->group);
}

static int compare_items(const void *a, const void *b)
{
	const rg_found_item *x = a, *y = b;
	int order = compare_alike(x, y);
	order = order ? order : (x->file_index > y->file_index) - (x->file_index < y->file_index);
	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static double size_of(const rg_found_item *one)
{
	if (!isnan(one->f.change))
		return fabs(one->f.change);
	return isnan(one->f.fresh) ? (double)one->f.count : fabs(one->f.fresh - one->f.old);
}

/* What breaks a gate comes first, then the farthest over its level. */
static bool is_worse(const rg_found_item *a, const rg_found_item *b)
{
	if (a->f.gate != b->f.gate)
		return a->f.gate;
	if (a->f.over != b->f.over)
		return a->f.over > b->f.over;
	return size_of(a) > size_of(b);
}

/* The steps of all of them, each once and in their order. */
static const char *join_steps(work *w, const rg_found_item *items, size_t count)
{
	const char **texts = rg_calloc(count + 1, sizeof(*texts));
	rg_buf text;

	for (size_t i = 0; i < count; i++)
		texts[i] = items[i].f.steps;
	rg_buf_init(&text, RG_BUF_ANY);
	rg_story_join_steps(&text, texts, count, items->f.by_record);
	const char *joined = text.length ? rg_story_keep(w->story, &text) : NULL;
	rg_buf_release(&text);
	free(texts);
	return joined;
}

/* The others of several outliers are the rows of the group that are none of them. */
static void set_others(rg_story_finding *f, const rg_story *story, const rg_story_row *one)
{
	double *changes = rg_malloc((story->row_count + 1) * sizeof(*changes));
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
	free(changes);
}

/* `count` items that are alike, in the order of their goldens. */
static void add_finding(work *w, rg_found_item *items, size_t count)
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
		same &= !compare_texts(items[i].f.metric, items->f.metric);
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
			    a->kind == RG_FOUND_RESHAPED;
	return values && a->kind == b->kind && a->goldens == b->goldens && a->file == b->file &&
	       !compare_texts(a->steps, b->steps) && !compare_texts(a->text, b->text);
}

static int compare_joined(const void *a, const void *b)
{
	const rg_story_finding *x = a, *y = b;
	int order = (int)x->kind - (int)y->kind;
	order = order ? order : (x->goldens > y->goldens) - (x->goldens < y->goldens);
	order = order ? order : compare_texts(x->file, y->file);
	order = order ? order : compare_texts(x->steps, y->steps);
	order = order ? order : compare_texts(x->text, y->text);
	order = order ? order : (int)x->class_of - (int)y->class_of;
	return order ? order : compare_texts(x->metric, y->metric);
}

static void join_metrics(rg_story *story)
{
	size_t kept = 0;
	qsort(story->findings, story->finding_count, sizeof(*story->findings), compare_joined);
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
}

/* The items are sorted by kind, then by family. */
static int compare_to_outlier(const void *a, const void *b)
{
	const rg_found_item *wanted = a, *one = b;
	const int order = (int)RG_FOUND_OUTLIER - (int)one->f.kind;
	return order ? order : compare_texts(wanted->family, one->family);
}

/* If most goldens moved, and one is an outlier, the table of what moved has the others. */
static bool is_said(const work *w, const rg_found_item *items, size_t count)
{
	if (items->f.kind != RG_FOUND_MOVED || 2 * count <= items->of->kin)
		return false;
	for (size_t i = 0; i < count; i++)
		if (items[i].f.gate || items[i].f.runs || items[i].f.text)
			return false;
	return bsearch(items, w->items, w->count, sizeof(*w->items), compare_to_outlier);
}

static int compare_kinds(const void *a, const void *b)
{
	const rg_found_item *x = a, *y = b;
	const int order = (int)x->f.kind - (int)y->f.kind;
	return order ? order : (x->file_index > y->file_index) - (x->file_index < y->file_index);
}

static void add_reasons(work *w)
{
	rg_story *story = w->story;
	bool is_over = false;
	qsort(w->items, w->count, sizeof(*w->items), compare_kinds);
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

static void add_all(work *w)
{
	size_t n;
	qsort(w->items, w->count, sizeof(*w->items), compare_items);
	w->story->findings = rg_calloc(w->count + 1, sizeof(*w->story->findings));
	for (size_t at = 0; at < w->count; at += n) {
		for (n = 1; at + n < w->count; n++)
			if (compare_alike(&w->items[at], &w->items[at + n]))
				break;
		if (!is_said(w, w->items + at, n))
			add_finding(w, w->items + at, n);
	}
	add_reasons(w);
}

void rg_story_join_findings(rg_story *story, rg_found_item *items, size_t count)
{
	work w = {story, items, count};
	if (!count)
		return;
	add_all(&w);
	join_metrics(story);
	qsort(story->findings, story->finding_count, sizeof(*story->findings), rg_finding_compare);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/differences.h"

#include "base/memory.h"
#include "base/cancel.h"
#include "golden/records.h"
#include "golden/tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the largest of many --- */

/* One of the largest so far: `place` is an element's, or a record's. */
typedef struct {
	rg_difference difference;
	size_t place;
} kept;

typedef struct {
	kept *items; /* room for `most` */
	size_t count, most, all;
	double least; /* no smaller difference has a place any more */
} largest_list;

static largest_list largest_of(size_t most)
{
	return (largest_list){.items = rg_calloc(most, sizeof(kept)), .most = most, .least = -1};
}

static void largest_list_release(largest_list *l)
{
	free(l->items);
}

static void keep(largest_list *l, size_t place, const rg_difference *difference)
{
	size_t at = l->count;
	if (!(difference->size > l->least))
		return;
	while (at && difference->size > l->items[at - 1].difference.size)
		at--;
	l->count -= l->count == l->most;
	memmove(&l->items[at + 1], &l->items[at], (l->count - at) * sizeof(*l->items));
	l->items[at] = (kept){*difference, place};
	l->count++;
	if (l->count == l->most)
		l->least = l->items[l->count - 1].difference.size;
}

/* The list, with room for its items in the arena. */
static void finish(rg_differences *out, rg_difference **items, rg_arena *arena,
		   const largest_list *l)
{
	*items = rg_arena_alloc(arena, (l->count + 1) * sizeof(**items));
	for (size_t i = 0; i < l->count; i++)
		(*items)[i] = l->items[i].difference;
	*out = (rg_differences){*items, l->count, l->all - l->count};
}

/* |fresh - old|; 0 for what is the same, NaN being the same as NaN. */
static double distance(double old, double fresh)
{
	double size = fabs(fresh - old);
	if (old == fresh || (isnan(old) && isnan(fresh)))
		return 0;
	return isnan(size) ? INFINITY : size;
}

/* --- elements --- */

/* A large tensor is given back after each SEGMENT of values. */
enum { BLOCK = 4096, SEGMENT = 256 * BLOCK };

/* Most pairs of a large tensor are equal, or not among the largest. */
static void look_at_block(largest_list *l, size_t first, const double *old, const double *fresh,
			  size_t count)
{
	for (size_t i = 0; i < count; i++) {
		double size = fabs(fresh[i] - old[i]);
		if (size <= 0)
			continue;
		size = distance(old[i], fresh[i]);
		l->all += size > 0;
		if (size > 0 && size > l->least)
			keep(l, first + i,
			     &(rg_difference){.old = {.there = true, .number = old[i]},
					      .fresh = {.there = true, .number = fresh[i]},
					      .size = size});
	}
}

/* Keeps the digits of a whole number that a double may not hold, or that it is masked. */
static void name_value(rg_json_value *value, rg_arena *arena, const rg_tensor *tensor, size_t place)
{
	char text[RG_DOUBLE_REPR_SIZE];
	if (!rg_is_masked(value->number) &&
	    (rg_dtype_is_float(tensor->dtype) || fabs(value->number) < 0x1p53))
		return;
	rg_tensor_element_text(tensor, place, text);
	value->text = rg_arena_text(arena, text);
}

rg_error *rg_differing_elements(const rg_differences **out, rg_arena *arena, const rg_metric *old,
				const rg_metric *fresh)
{
	RG_AUTO_FREE double *block = rg_malloc(2 * BLOCK * sizeof(*block));
	RG_AUTO(largest_list) l = largest_of(RG_DIFFERING_ELEMENTS);
	rg_differences *list = rg_arena_alloc(arena, sizeof(*list));
	int64_t index[RG_METRIC_DIMENSIONS];
	char text[RG_SHAPE_TEXT];
	rg_difference *items;

	*out = NULL;
	for (size_t at = 0; at < old->count; at += BLOCK) {
		size_t count = old->count - at < BLOCK ? old->count - at : BLOCK;
		RG_TRY(rg_metric_read(old, at, count, block));
		RG_TRY(rg_metric_read(fresh, at, count, block + BLOCK));
		look_at_block(&l, at, block, block + BLOCK, count);
		if ((at + count) % SEGMENT != 0)
			continue;
		RG_TRY(rg_cancel_check());
		rg_tensor_forget(old->tensor, at + count - SEGMENT, SEGMENT);
		rg_tensor_forget(fresh->tensor, at + count - SEGMENT, SEGMENT);
	}
	finish(list, &items, arena, &l);
	for (size_t i = 0; i < l.count; i++) {
		rg_unravel(fresh->shape, fresh->dimensions, l.items[i].place, index);
		rg_shape_text(index, fresh->dimensions, text);
		items[i].at = rg_arena_text(arena, text);
		name_value(&items[i].old, arena, old->tensor, l.items[i].place);
		name_value(&items[i].fresh, arena, fresh->tensor, l.items[i].place);
	}
	if (l.count)
		*out = list;
	return NULL;
}

/* --- tables --- */

typedef struct {
	const rg_records *records;
	largest_list numbers, texts;
	bool *changed; /* by record */
} table_state;

static void table_state_release(table_state *t)
{
	largest_list_release(&t->texts);
	largest_list_release(&t->numbers);
	free(t->changed);
}

static void note(table_state *t, largest_list *l, int64_t step, rg_difference *difference)
{
	if (rg_record_is_of(t->records, step, RG_RECORD_OLD) ||
	    rg_record_is_of(t->records, step, RG_RECORD_NEW))
		return;
	difference->at = t->records->names[step];
	t->changed[step] = true;
	l->all++;
	keep(l, (size_t)step, difference);
}

static void compare_numbers(table_state *t, const rg_column_pair *column)
{
	const rg_metric *old = column->old, *fresh = column->fresh;
	size_t i = 0, j = 0;

	while (i < old->count || j < fresh->count) {
		int64_t a = i < old->count ? rg_metric_step(old, i) : INT64_MAX;
		int64_t b = j < fresh->count ? rg_metric_step(fresh, j) : INT64_MAX;
		rg_difference d = {.metric = fresh->name, .size = INFINITY};

		if (a <= b)
			d.old = (rg_json_value){.there = true, .number = old->values[i++]};
		if (b <= a)
			d.fresh = (rg_json_value){.there = true, .number = fresh->values[j++]};
		if (a == b) {
			d.size = distance(d.old.number, d.fresh.number);
			if (d.size > 0 && isfinite(d.size))
				d.size /= fabs(d.old.number);
		}
		if (d.size > 0)
			note(t, &t->numbers, a < b ? a : b, &d);
	}
}

static void compare_texts(table_state *t, const rg_column_pair *column)
{
	const rg_metric *old = column->old, *fresh = column->fresh;
	size_t i = 0, j = 0;

	while (i < old->text_count || j < fresh->text_count) {
		int64_t a = i < old->text_count ? old->texts[i].step : INT64_MAX;
		int64_t b = j < fresh->text_count ? fresh->texts[j].step : INT64_MAX;
		rg_difference d = {.metric = fresh->name};

		if (a <= b)
			d.old = (rg_json_value){.there = true, .text = old->texts[i++].text};
		if (b <= a)
			d.fresh = (rg_json_value){.there = true, .text = fresh->texts[j++].text};
		if (a != b || strcmp(d.old.text, d.fresh.text) != 0)
			note(t, &t->texts, a < b ? a : b, &d);
	}
}

static void own_value(rg_json_value *value, rg_arena *arena)
{
	if (value->text)
		value->text = rg_arena_text(arena, value->text);
}

static void own_differences(rg_differences *out, rg_arena *arena, const largest_list *l)
{
	rg_difference *items;
	finish(out, &items, arena, l);
	for (size_t i = 0; i < l->count; i++) {
		items[i].at = rg_arena_text(arena, items[i].at);
		items[i].metric = rg_arena_text(arena, items[i].metric);
		own_value(&items[i].old, arena);
		own_value(&items[i].fresh, arena);
	}
}

/* Lists the keys of the records that one side has alone. */
static void list_alone(const char *const **out, size_t *shown, size_t *all, rg_arena *arena,
		       const rg_records *records, unsigned char side)
{
	const char **names = rg_arena_alloc(arena, RG_DIFFERING_RECORDS * sizeof(*names));
	size_t i;
	for (i = *all = *shown = 0; i < records->count; i++) {
		if (!rg_record_is_of(records, (int64_t)i, side))
			continue;
		if ((*all)++ < RG_DIFFERING_RECORDS)
			names[(*shown)++] = rg_arena_text(arena, records->names[i]);
	}
	*out = names;
}

void rg_table_differences_find(const rg_table_differences **out, rg_arena *arena,
			       const rg_column_pair *columns, size_t count,
			       const rg_records *records)
{
	RG_AUTO(table_state)
	t = {.records = records,
	     .numbers = largest_of(RG_DIFFERING_CELLS),
	     .texts = largest_of(RG_DIFFERING_TEXTS),
	     .changed = rg_calloc(records->count + 1, sizeof(*t.changed))};

	*out = NULL;
	for (size_t i = 0; i < count; i++) {
		const rg_metric *old = columns[i].old, *fresh = columns[i].fresh;
		if (old->kind == RG_METRIC_SERIES && fresh->kind == RG_METRIC_SERIES &&
		    old->values && fresh->values)
			compare_numbers(&t, &columns[i]);
		else if (old->kind == RG_METRIC_TEXTS && fresh->kind == RG_METRIC_TEXTS)
			compare_texts(&t, &columns[i]);
	}
	rg_table_differences *found = rg_arena_alloc(arena, sizeof(*found));
	for (size_t i = 0; i < records->count; i++)
		found->changed += t.changed[i];
	own_differences(&found->numbers, arena, &t.numbers);
	own_differences(&found->texts, arena, &t.texts);
	list_alone(&found->lost, &found->lost_shown, &found->lost_count, arena, records,
		   RG_RECORD_OLD);
	list_alone(&found->gained, &found->gained_shown, &found->gained_count, arena, records,
		   RG_RECORD_NEW);
	if (found->changed || found->lost_count || found->gained_count)
		*out = found;
}

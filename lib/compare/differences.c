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

/* The largest so far: `place` is an element's, or a record's. */
typedef struct {
	rg_difference difference;
	size_t place;
} kept;

typedef struct {
	kept *items; /* room for `most` */
	size_t count, most, all;
	double least; /* what is no larger has no place any more */
} largest;

static void start(largest *l, size_t most)
{
	*l = (largest){.items = rg_calloc(most, sizeof(*l->items)), .most = most, .least = -1};
}

static void keep(largest *l, size_t place, const rg_difference *difference)
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
static void finish(rg_differences *out, rg_difference **items, rg_arena *arena, const largest *l)
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
static void look_at_block(largest *l, size_t first, const double *old, const double *fresh,
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

static rg_error *look_at_all(largest *l, const rg_metric *old, const rg_metric *fresh,
			     double *block)
{
	for (size_t at = 0; at < old->count; at += BLOCK) {
		size_t count = old->count - at < BLOCK ? old->count - at : BLOCK;
		RG_TRY(rg_metric_read(old, at, count, block));
		RG_TRY(rg_metric_read(fresh, at, count, block + BLOCK));
		look_at_block(l, at, block, block + BLOCK, count);
		if ((at + count) % SEGMENT != 0)
			continue;
		RG_TRY(rg_cancel_check());
		rg_tensor_forget(old->tensor, at + count - SEGMENT, SEGMENT);
		rg_tensor_forget(fresh->tensor, at + count - SEGMENT, SEGMENT);
	}
	return NULL;
}

/* A whole number that a double may not hold. */
static void name_value(rg_json_value *value, rg_arena *arena, const rg_tensor *tensor, size_t place)
{
	char text[RG_DOUBLE_REPR_SIZE];
	if (rg_dtype_is_float(tensor->dtype) || fabs(value->number) < 0x1p53)
		return;
	rg_tensor_element_text(tensor, place, text);
	value->text = rg_arena_text(arena, text);
}

static void name_elements(rg_difference *items, rg_arena *arena, const largest *l,
			  const rg_metric *old, const rg_metric *fresh)
{
	int64_t index[RG_METRIC_DIMENSIONS];
	char text[RG_SHAPE_TEXT];

	for (size_t i = 0; i < l->count; i++) {
		rg_unravel(fresh->shape, fresh->dimensions, l->items[i].place, index);
		rg_shape_text(index, fresh->dimensions, text);
		items[i].at = rg_arena_text(arena, text);
		name_value(&items[i].old, arena, old->tensor, l->items[i].place);
		name_value(&items[i].fresh, arena, fresh->tensor, l->items[i].place);
	}
}

rg_error *rg_differing_elements(const rg_differences **out, rg_arena *arena, const rg_metric *old,
				const rg_metric *fresh)
{
	rg_differences *list = rg_arena_alloc(arena, sizeof(*list));
	double *block = rg_malloc(2 * BLOCK * sizeof(*block));
	rg_difference *items;
	largest l;
	start(&l, RG_DIFFERING_ELEMENTS);
	*out = NULL;

	rg_error *err = look_at_all(&l, old, fresh, block);
	if (!err)
		finish(list, &items, arena, &l);
	if (!err)
		name_elements(items, arena, &l, old, fresh);
	if (!err && l.count)
		*out = list;
	free(block);
	free(l.items);
	return err;
}

/* --- tables --- */

typedef struct {
	const rg_records *records;
	largest numbers, texts;
	bool *changed; /* by record */
} table;

static bool is_on_both(const table *t, int64_t step)
{
	return !rg_record_is_of(t->records, step, RG_RECORD_OLD) &&
	       !rg_record_is_of(t->records, step, RG_RECORD_NEW);
}

static void note(table *t, largest *l, int64_t step, rg_difference *difference)
{
	if (!is_on_both(t, step))
		return;
	difference->at = t->records->names[step];
	t->changed[step] = true;
	l->all++;
	keep(l, (size_t)step, difference);
}

static void look_at_numbers(table *t, const rg_column_pair *column, int64_t step, const double *old,
			    const double *fresh)
{
	rg_difference d = {.metric = column->fresh->name, .size = INFINITY};
	if (old)
		d.old = (rg_json_value){.there = true, .number = *old};
	if (fresh)
		d.fresh = (rg_json_value){.there = true, .number = *fresh};
	if (old && fresh) {
		d.size = distance(*old, *fresh);
		if (d.size > 0 && isfinite(d.size))
			d.size /= fabs(*old);
	}
	if (d.size > 0)
		note(t, &t->numbers, step, &d);
}

static void compare_numbers(table *t, const rg_column_pair *column)
{
	const rg_metric *old = column->old, *fresh = column->fresh;
	size_t i = 0, j = 0;

	while (i < old->count || j < fresh->count) {
		int64_t a = i < old->count ? rg_metric_step(old, i) : INT64_MAX;
		int64_t b = j < fresh->count ? rg_metric_step(fresh, j) : INT64_MAX;

		look_at_numbers(t, column, a < b ? a : b, a <= b ? &old->values[i] : NULL,
				b <= a ? &fresh->values[j] : NULL);
		i += a <= b;
		j += b <= a;
	}
}

static void look_at_texts(table *t, const rg_column_pair *column, int64_t step, const char *old,
			  const char *fresh)
{
	rg_difference d = {.metric = column->fresh->name,
			   .old = {.there = old, .text = old},
			   .fresh = {.there = fresh, .text = fresh}};

	if (!old || !fresh || strcmp(old, fresh) != 0)
		note(t, &t->texts, step, &d);
}

static void compare_texts(table *t, const rg_column_pair *column)
{
	const rg_metric *old = column->old, *fresh = column->fresh;
	size_t i = 0, j = 0;

	while (i < old->text_count || j < fresh->text_count) {
		int64_t a = i < old->text_count ? old->texts[i].step : INT64_MAX;
		int64_t b = j < fresh->text_count ? fresh->texts[j].step : INT64_MAX;

		look_at_texts(t, column, a < b ? a : b, a <= b ? old->texts[i].text : NULL,
			      b <= a ? fresh->texts[j].text : NULL);
		i += a <= b;
		j += b <= a;
	}
}

static void compare_columns(table *t, const rg_column_pair *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const rg_metric *old = columns[i].old, *fresh = columns[i].fresh;
		if (old->kind == RG_METRIC_SERIES && fresh->kind == RG_METRIC_SERIES &&
		    old->values && fresh->values)
			compare_numbers(t, &columns[i]);
		else if (old->kind == RG_METRIC_TEXTS && fresh->kind == RG_METRIC_TEXTS)
			compare_texts(t, &columns[i]);
	}
}

static void own_value(rg_json_value *value, rg_arena *arena)
{
	if (value->text)
		value->text = rg_arena_text(arena, value->text);
}

static void own_differences(rg_differences *out, rg_arena *arena, const largest *l)
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

/* The keys of the records that one side has alone. */
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

static void own_table(const rg_table_differences **out, rg_arena *arena, const table *t)
{
	rg_table_differences *found = rg_arena_alloc(arena, sizeof(*found));
	*found = (rg_table_differences){0};
	for (size_t i = 0; i < t->records->count; i++)
		found->changed += t->changed[i];
	own_differences(&found->numbers, arena, &t->numbers);
	own_differences(&found->texts, arena, &t->texts);
	list_alone(&found->lost, &found->lost_shown, &found->lost_count, arena, t->records,
		   RG_RECORD_OLD);
	list_alone(&found->gained, &found->gained_shown, &found->gained_count, arena, t->records,
		   RG_RECORD_NEW);
	if (found->changed || found->lost_count || found->gained_count)
		*out = found;
}

void rg_table_differences_find(const rg_table_differences **out, rg_arena *arena,
			       const rg_column_pair *columns, size_t count,
			       const rg_records *records)
{
	table t = {.records = records};
	*out = NULL;
	t.changed = rg_calloc(records->count + 1, sizeof(*t.changed));
	start(&t.numbers, RG_DIFFERING_CELLS);
	start(&t.texts, RG_DIFFERING_TEXTS);
	compare_columns(&t, columns, count);
	own_table(out, arena, &t);
	free(t.texts.items);
	free(t.numbers.items);
	free(t.changed);
}

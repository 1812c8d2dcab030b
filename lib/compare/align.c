/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/align.h"

#include "base/memory.h"
#include "base/order.h"
#include "compare/record_pair.h"
#include "compare/text_align.h"
#include "golden/golden.h"
#include "golden/record_key.h"
#include "golden/records.h"
#include "golden/test_results.h"

#include <stdlib.h>
#include <string.h>

/* The names of results end with this. */
enum { SUFFIX = sizeof("/Result") - 1 };

/* How much of the metric's name is its test's; 0 where it is not a result. */
static size_t test_length(const rg_metric *metric)
{
	size_t length = strlen(metric->name);
	return metric->scale == RG_SCALE_RESULT && length > SUFFIX ? length - SUFFIX : 0;
}

/* The first metric whose name is not before "TEST/". */
static size_t find_subtests(const rg_golden *golden, const char *test, size_t length)
{
	size_t low = 0, high = golden->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strncmp(golden->metrics[middle].name, test, length + 1) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

typedef struct {
	rg_metric *items;
	size_t count, capacity;
} metric_list;

/* Appends the test's result, for each subtest that the other side has alone, or as it is. */
static void append_result(metric_list *to, rg_golden *golden, const rg_golden *other,
			  const rg_metric *result)
{
	const size_t length = test_length(result), before = to->count;
	const bool is_whole = length && !rg_golden_find(other, result->name);

	for (size_t i = is_whole ? find_subtests(other, result->name, length) : other->count;
	     i < other->count; i++) {
		const rg_metric *theirs = &other->metrics[i];

		if (strncmp(theirs->name, result->name, length + 1) != 0)
			break;
		if (!rg_is_subtest_of(theirs->name, test_length(theirs), result->name, length) ||
		    rg_golden_find(golden, theirs->name))
			continue;
		*RG_PUSH(to->items, to->count, to->capacity) = *result;
		to->items[to->count - 1].name = rg_arena_text(&golden->arena, theirs->name);
	}
	if (to->count == before)
		*RG_PUSH(to->items, to->count, to->capacity) = *result;
}

static void spread(rg_golden *golden, const rg_golden *other)
{
	metric_list list = {0};
	for (size_t i = 0; i < golden->count; i++)
		append_result(&list, golden, other, &golden->metrics[i]);
	if (!list.count)
		return;
	qsort(list.items, list.count, sizeof(*list.items), rg_metric_compare);
	rg_arena_adopt(&golden->arena, list.items);
	golden->metrics = list.items;
	golden->count = list.count;
}

/* Is there a result for which spread would have to look? */
static bool has_results(const rg_golden *golden)
{
	for (size_t i = 0; i < golden->count; i++)
		if (golden->metrics[i].scale == RG_SCALE_RESULT)
			return true;
	return false;
}

/* Two tables that are being aligned. */
typedef struct {
	rg_golden *old, *fresh;
	const rg_records *all; /* of both sides, the old side's first */
	size_t *places;        /* of the new side's records among them */
	bool in_order;         /* those ascend */
	bool by_cells;         /* they have no names, and are paired by what is in them */
	bool same;             /* both sides have the same records in the same order */
	size_t *at;            /* room: for each of all records */
	const int64_t
		*whole; /* the steps of columns with a value in each of the new side's records */
} alignment;

static void alignment_release(alignment *a)
{
	free(a->places);
	free(a->at);
}

/* --- records --- */

/* Joins both sides' names, which ascend by `order`. */
static size_t find_places(alignment *a)
{
	const rg_records *old = a->old->records, *fresh = a->fresh->records;
	size_t i = 0, next = old->count;

	for (size_t k = 0; k < fresh->count; k++)
		a->places[k] = SIZE_MAX;
	if (a->by_cells)
		rg_records_pair(a->old, a->fresh, a->places);
	for (size_t k = 0; k < fresh->count && !a->by_cells; k++) {
		const char *name = fresh->names[fresh->order[k]];
		while (i < old->count && strcmp(old->names[old->order[i]], name) < 0)
			i++;
		if (i < old->count && !strcmp(old->names[old->order[i]], name))
			a->places[fresh->order[k]] = old->order[i];
	}
	a->in_order = true;
	for (size_t k = 0; k < fresh->count; k++) {
		if (a->places[k] == SIZE_MAX)
			a->places[k] = next++;
		a->in_order &= !k || a->places[k - 1] < a->places[k];
	}
	return next;
}

static bool same_names(const rg_records *a, const rg_records *b)
{
	size_t i = 0;
	while (i < a->count && i < b->count && !strcmp(a->names[i], b->names[i]))
		i++;
	return i == a->count && i == b->count;
}

static rg_error *join_records(alignment *a)
{
	const rg_records *old = a->old->records, *fresh = a->fresh->records;
	rg_arena *arena = &a->old->arena;
	rg_records *all;

	a->same = !old->sides && same_names(old, fresh);
	if (a->same) {
		a->all = old;
		return NULL;
	}
	a->places = rg_calloc(fresh->count + 1, sizeof(*a->places));
	size_t count = find_places(a);
	a->at = rg_calloc(count + 1, sizeof(*a->at));
	const char **names = rg_arena_alloc(arena, count * sizeof(*names));
	unsigned char *sides = rg_arena_alloc(arena, count + 1);
	memset(sides, RG_RECORD_OLD, old->count);
	if (old->count)
		memcpy(names, old->names, old->count * sizeof(*names));
	for (size_t k = 0; k < fresh->count; k++) {
		sides[a->places[k]] |= RG_RECORD_NEW;
		/* A record that the new side has alone needs a name that no old record has. */
		if (a->places[k] >= old->count)
			names[a->places[k]] = rg_arena_textf(
				arena, "%s%s", a->by_cells ? "new " : "", fresh->names[k]);
	}
	RG_TRY(rg_records_new(&all, arena, names, count));
	all->sides = sides;
	if (!a->in_order) {
		size_t *order = rg_arena_alloc(arena, fresh->count * sizeof(*order));
		memcpy(order, a->places, fresh->count * sizeof(*order));
		all->new_order = order;
		all->new_count = fresh->count;
	}
	a->all = all;
	return NULL;
}

/* Writes to a list that is the golden's own, though its type is const. */
static void reorder(const alignment *a, const double *list, size_t count)
{
	double *own;
	if (!list)
		return;
	RG_AUTO_FREE double *sorted = rg_malloc((count + 1) * sizeof(*sorted));
	for (size_t i = 0; i < count; i++)
		sorted[i] = list[a->at[i]];
	memcpy(&own, &list, sizeof(own));
	memcpy(own, sorted, count * sizeof(*own));
}

/* Gives the new side's series the places that its records have now. */
static void move_values(alignment *a, rg_metric *metric)
{
	const bool whole = !metric->steps && metric->count == a->fresh->records->count;
	const int64_t *steps = whole ? a->whole : NULL;

	/* a->at gets the places of the values in their new order. */
	for (size_t i = 0; !a->in_order && i < a->all->count; i++)
		a->at[i] = SIZE_MAX;
	for (size_t i = 0; !a->in_order && i < metric->count; i++)
		a->at[a->places[rg_metric_step(metric, i)]] = i;
	for (size_t i = 0, kept = 0; !a->in_order && i < a->all->count; i++)
		if (a->at[i] != SIZE_MAX)
			a->at[kept++] = a->at[i];
	if (!steps) {
		int64_t *moved = rg_arena_alloc(&a->fresh->arena, metric->count * sizeof(*moved));
		for (size_t i = 0; i < metric->count; i++)
			moved[i] = (int64_t)a->places[rg_metric_step(metric,
								     a->in_order ? i : a->at[i])];
		steps = moved;
	}
	if (whole)
		a->whole = steps;
	metric->steps = steps;
	if (a->in_order)
		return;
	reorder(a, metric->values, metric->count);
	rg_metric_forget(metric);
	reorder(a, metric->tolerances, metric->count);
	reorder(a, metric->errors, metric->count);
}

RG_ORDER(compare_texts, rg_record_text, RG_RISING(step));

static void move_texts(const alignment *a, const rg_record_text **list, size_t count)
{
	rg_record_text *texts = rg_arena_alloc(&a->fresh->arena, count * sizeof(*texts));
	for (size_t i = 0; i < count; i++)
		texts[i] = (rg_record_text){(int64_t)a->places[(*list)[i].step], (*list)[i].text};
	if (!a->in_order && count)
		qsort(texts, count, sizeof(*texts), compare_texts);
	*list = texts;
}

/* --- columns --- */

/* A golden's metrics while they are made anew. */
typedef struct {
	rg_metric *metrics;
	size_t count;
} columns;

static bool has_numbers(const rg_metric *metric)
{
	return metric && metric->kind == RG_METRIC_SERIES && metric->count;
}

static bool has_texts(const rg_metric *metric)
{
	return metric && metric->text_count;
}

/* Appends a side's column as it was, as numbers alone, or, under `name`, as texts alone. */
static void append_column(columns *to, const rg_metric *from, const alignment *a)
{
	to->metrics[to->count] = *from;
	if (from->records)
		to->metrics[to->count].records = a->all;
	to->count++;
}

static void append_numbers(columns *to, const rg_metric *from, const alignment *a)
{
	static const double none;
	rg_metric *metric = &to->metrics[to->count];

	append_column(to, from, a);
	if (metric->kind == RG_METRIC_TEXTS) {
		metric->kind = RG_METRIC_SERIES;
		metric->count = 0;
		metric->values = &none;
	}
	metric->texts = NULL;
	metric->text_count = 0;
}

static void append_texts(columns *to, const rg_metric *from, const char *name, const alignment *a)
{
	rg_metric *metric = &to->metrics[to->count];
	append_column(to, from, a);
	metric->name = name;
	metric->kind = RG_METRIC_TEXTS;
	metric->count = metric->text_count;
	metric->values = metric->tolerances = metric->errors = NULL;
	metric->steps = NULL;
	metric->digits = metric->units = NULL;
	metric->digit_count = metric->unit_count = 0;
	metric->unit = NULL;
}

/* Makes a name that neither side has. */
static const char *free_name(const alignment *a, const rg_metric *metric, const char *suffix)
{
	rg_buf name = rg_buf_of(RG_BUF_ANY);
	rg_buf_str(&name, metric->name);
	do
		rg_buf_str(&name, suffix);
	while (name.length &&
	       (rg_golden_find(a->old, name.data) || rg_golden_find(a->fresh, name.data)));
	return rg_buf_keep(&name, &a->old->arena);
}

/* Does it have numbers with a unit and numbers without one? */
static bool mixes_units(const rg_metric *metric)
{
	return metric && metric->unit_count && metric->unit_count < metric->count;
}

/* Leaves a column the numbers that have a unit, or the others. */
static void keep_units(rg_metric *metric, rg_arena *arena, bool with)
{
	const rg_metric all = *metric;
	double *values = rg_arena_alloc(arena, (all.count + 1) * sizeof(*values));
	double *tolerances = rg_arena_alloc(arena, (all.count + 1) * sizeof(*values));
	int64_t *steps = rg_arena_alloc(arena, (all.count + 1) * sizeof(*steps));
	rg_record_text *digits = rg_arena_alloc(arena, (all.digit_count + 1) * sizeof(*digits));

	metric->count = metric->digit_count = 0;
	for (size_t i = 0; i < all.count; i++) {
		steps[metric->count] = rg_metric_step(&all, i);
		if (!rg_metric_unit(&all, steps[metric->count]) == with)
			continue;
		if (all.tolerances)
			tolerances[metric->count] = all.tolerances[i];
		values[metric->count++] = all.values[i];
	}
	for (size_t i = 0; i < all.digit_count; i++)
		if (!rg_metric_unit(&all, all.digits[i].step) != with)
			digits[metric->digit_count++] = all.digits[i];
	metric->values = values;
	metric->steps = steps;
	metric->tolerances = all.tolerances ? tolerances : NULL;
	metric->digits = digits;
	metric->spilled = (rg_span){0};
	if (!with) {
		metric->unit = NULL;
		metric->unit_count = 0;
	}
}

/* A column may mix numbers with a unit and numbers without: "61.2 MiB", and -1 where nothing was
 * measured. The former become a column of their own on both sides, as no figure can be of both. */
static void split_units(columns *to, const char *name, rg_arena *arena)
{
	rg_metric *without = &to->metrics[to->count - 1], *with = without + 1;
	if (without->kind != RG_METRIC_SERIES || (!without->unit && !without->unit_count))
		return;
	*with = *without;
	to->count++;
	with->name = name;
	keep_units(with, arena, true);
	keep_units(without, arena, false);
}

static bool is_column(const rg_metric *metric)
{
	return !metric || metric->records;
}

static void settle(const alignment *a, const rg_metric *const sides[2], columns to[2])
{
	const bool numbers = has_numbers(sides[0]) || has_numbers(sides[1]);
	const bool texts = has_texts(sides[0]) || has_texts(sides[1]);
	const bool both = is_column(sides[0]) && is_column(sides[1]);
	const rg_metric *one = sides[0] ? sides[0] : sides[1];
	const char *name = NULL, *with = NULL;

	if (numbers && texts && both)
		name = free_name(a, one, " (texts)");
	if (both && (mixes_units(sides[0]) || mixes_units(sides[1])))
		with = free_name(a, one, " (with units)");
	for (size_t i = 0; i < 2; i++) {
		if (!sides[i])
			continue;
		if (numbers && both)
			append_numbers(&to[i], sides[i], a);
		else
			append_column(&to[i], sides[i], a);
		if (with)
			split_units(&to[i], with, i ? &a->fresh->arena : &a->old->arena);
		if (name)
			append_texts(&to[i], sides[i], name, a);
	}
}

static void settle_columns(const alignment *a, columns to[2])
{
	const rg_golden *old = a->old, *fresh = a->fresh;
	size_t i = 0, k = 0;

	while (i < old->count || k < fresh->count) {
		const rg_metric *sides[2] = {NULL, NULL};
		int order = i == old->count ? 1
			    : k == fresh->count
				    ? -1
				    : strcmp(old->metrics[i].name, fresh->metrics[k].name);

		if (order <= 0)
			sides[0] = &old->metrics[i++];
		if (order >= 0)
			sides[1] = &fresh->metrics[k++];
		settle(a, sides, to);
	}
}

static void begin_columns(columns *to, rg_golden *golden)
{
	to->metrics = rg_arena_alloc(&golden->arena, (3 * golden->count + 1) * sizeof(rg_metric));
}

static void end_columns(columns *from, rg_golden *golden, const rg_records *all)
{
	if (from->count)
		qsort(from->metrics, from->count, sizeof(rg_metric), rg_metric_compare);
	golden->metrics = from->metrics;
	golden->count = from->count;
	golden->records = all;
}

/* Gives the new side's metrics the places that its records have now. */
static void move_columns(alignment *a, columns *fresh)
{
	for (size_t i = 0; i < fresh->count && !a->same; i++) {
		rg_metric *metric = &fresh->metrics[i];
		if (metric->records && metric->kind == RG_METRIC_SERIES && metric->count)
			move_values(a, metric);
		if (metric->records && metric->text_count)
			move_texts(a, &metric->texts, metric->text_count);
		if (metric->records && metric->digit_count)
			move_texts(a, &metric->digits, metric->digit_count);
		if (metric->records && metric->unit_count)
			move_texts(a, &metric->units, metric->unit_count);
	}
}

/* Makes both sides name their records by the same key, or by their places if the other side has no
 * such key, and notes which. */
static rg_error *agree_on_key(alignment *a)
{
	rg_golden *sides[2] = {a->old, a->fresh};
	const bool numbered = a->old->is_numbered && a->fresh->is_numbered;
	const size_t low = rg_record_key_rank(a->old->record_key) >
			   rg_record_key_rank(a->fresh->record_key);
	const char *key = numbered ? "" : sides[!low]->record_key;

	if (!key)
		return NULL;
	for (size_t i = 0; numbered && i < 2; i++)
		if (a->old->records->count != a->fresh->records->count)
			RG_TRY(rg_golden_read_by(sides[i], ""));
	if (!numbered && (!sides[low]->record_key || strcmp(sides[low]->record_key, key) != 0)) {
		rg_error *err = rg_golden_read_by(sides[low], key);
		const bool both = err && *key;
		if (both)
			rg_error_free(err);
		else
			RG_TRY(err);
		for (size_t i = 0; both && i < 2; i++)
			RG_TRY(rg_golden_read_by(sides[i], ""));
		key = sides[low]->record_key ? sides[low]->record_key : "";
	}
	a->by_cells = !*key && a->old->records && a->fresh->records &&
		      a->old->records->count != a->fresh->records->count;
	RG_AUTO_FREE char *note = rg_textf(
		*key          ? "records are paired by %s, as nothing shorter tells them apart"
		: a->by_cells ? "records are paired by their cells: no column names them, and one "
				"side has more"
			      : "records are paired by position: no column names them",
		key);
	rg_golden_add_note(a->fresh, RG_NOTE_READ, note);
	return NULL;
}

rg_error *rg_goldens_align(rg_golden *old, rg_golden *fresh)
{
	RG_AUTO(alignment) a = {.old = old, .fresh = fresh};
	columns to[2] = {{0}, {0}};

	if (!old || !fresh)
		return NULL;
	if (!old->lines != !fresh->lines)
		rg_golden_as_text(old->lines ? fresh : old);
	/* A process that crashed failed all subtests: each gets the result of its whole test
	 * (golden/test_results.h) if the other side has the subtest. */
	if (has_results(old) && has_results(fresh)) {
		spread(old, fresh);
		spread(fresh, old);
	}
	if (old->lines && fresh->lines)
		RG_TRY(rg_texts_align(old, fresh));
	if (old->records && fresh->records)
		RG_TRY(agree_on_key(&a));
	if (!old->records || !fresh->records || old->records == fresh->records)
		return NULL;
	RG_TRY(join_records(&a));
	begin_columns(&to[0], old);
	begin_columns(&to[1], fresh);
	settle_columns(&a, to);
	move_columns(&a, &to[1]);
	end_columns(&to[0], old, a.all);
	end_columns(&to[1], fresh, a.all);
	return NULL;
}

rg_error *rg_golden_follow(rg_golden *first, rg_golden *golden)
{
	RG_AUTO(alignment) a = {.old = first, .fresh = golden};
	columns to = {0};

	if (!first->records || !golden->records || same_names(first->records, golden->records))
		return NULL;
	RG_TRY(join_records(&a));
	begin_columns(&to, golden);
	for (size_t i = 0; i < golden->count; i++)
		append_column(&to, &golden->metrics[i], &a);
	move_columns(&a, &to);
	end_columns(&to, golden, a.all);
	first->records = a.all;
	return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "random.h"
#include "unit.h"

#include "compare/align.h"
#include "compare/differences.h"
#include "support/tensor_golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- elements --- */

enum { ROWS = 100, COLUMNS = 101, ELEMENTS = ROWS * COLUMNS };

static void make_golden(rg_golden *golden, rg_dtype dtype, const void *data)
{
	rg_tensor tensor = {.dtype = dtype,
			    .dimensions = 2,
			    .shape = {ROWS, COLUMNS},
			    .data = data,
			    .size = ELEMENTS * rg_dtype_size(dtype)};

	memset(golden, 0, sizeof(*golden));
	rg_arena_init(&golden->arena);
	rg_tensor_row_major(&tensor);
	assert_success(tensor_golden(golden, &tensor));
}

static const rg_differences *find_elements(rg_golden *old, rg_golden *fresh, rg_dtype dtype,
					   const void *a, const void *b)
{
	const rg_differences *found;

	make_golden(old, dtype, a);
	make_golden(fresh, dtype, b);
	assert_success(rg_differing_elements(&found, &old->arena, old->metrics, fresh->metrics));
	return found;
}

static void free_both(rg_golden *old, rg_golden *fresh)
{
	rg_arena_release(&fresh->arena);
	rg_arena_release(&old->arena);
}

/* So many elements differ by more, or by as much and come earlier. */
static size_t rank_of(const double *old, const double *fresh, size_t place)
{
	double size = fabs(fresh[place] - old[place]);
	size_t rank = 0, i;

	for (i = 0; i < ELEMENTS; i++) {
		double other = fabs(fresh[i] - old[i]);

		rank += other > size || (other == size && i < place);
	}
	return rank;
}

TEST(largest_elements)
{
	double *old = calloc(ELEMENTS, sizeof(*old)), *fresh = calloc(ELEMENTS, sizeof(*fresh));
	const rg_differences *found;
	rg_golden goldens[2];
	uint32_t random = 1;
	size_t i, places[RG_DIFFERING_ELEMENTS] = {0};
	char text[RG_SHAPE_TEXT];

	/* Few sizes, so that there are equal ones. */
	for (i = 0; i < ELEMENTS; i++) {
		old[i] = (double)(next_random(&random) % 100);
		fresh[i] = old[i] + (double)(next_random(&random) % 300);
	}
	for (i = 0; i < ELEMENTS; i++)
		if (rank_of(old, fresh, i) < RG_DIFFERING_ELEMENTS)
			places[rank_of(old, fresh, i)] = i;
	found = find_elements(&goldens[0], &goldens[1], RG_DTYPE_FLOAT64, old, fresh);
	assert_int_equal(found->count, RG_DIFFERING_ELEMENTS);
	for (i = 0; i < found->count; i++) {
		const int64_t index[] = {(int64_t)(places[i] / COLUMNS),
					 (int64_t)(places[i] % COLUMNS)};

		rg_shape_text(index, 2, text);
		assert_string_equal(found->items[i].at, text);
		assert_true(found->items[i].old.number == old[places[i]]);
		assert_true(found->items[i].fresh.number == fresh[places[i]]);
	}
	for (places[0] = i = 0; i < ELEMENTS; i++)
		places[0] += old[i] < fresh[i];
	assert_int_equal(found->count + found->more, places[0]);
	free_both(&goldens[0], &goldens[1]);
	free(old);
	free(fresh);
}

/* What is no longer finite comes first; NaN is NaN, and 0 is -0. */
TEST(elements_that_are_not_finite)
{
	double *old = calloc(ELEMENTS, sizeof(*old)), *fresh = calloc(ELEMENTS, sizeof(*fresh));
	const rg_differences *found;
	rg_golden goldens[2];

	old[1] = fresh[1] = NAN;
	old[2] = fresh[2] = INFINITY;
	old[3] = -0.0;
	fresh[4] = 7;
	old[5] = NAN;
	old[6] = INFINITY;
	fresh[6] = -INFINITY;
	found = find_elements(&goldens[0], &goldens[1], RG_DTYPE_FLOAT64, old, fresh);
	assert_int_equal(found->count, 3);
	assert_int_equal(found->count + found->more, 3);
	assert_string_equal(found->items[0].at, "[0, 5]");
	assert_string_equal(found->items[1].at, "[0, 6]");
	assert_string_equal(found->items[2].at, "[0, 4]");
	free_both(&goldens[0], &goldens[1]);
	found = find_elements(&goldens[0], &goldens[1], RG_DTYPE_FLOAT64, old, old);
	assert_null(found);
	free_both(&goldens[0], &goldens[1]);
	free(old);
	free(fresh);
}

/* A hash in an int64 is shown as it is. */
TEST(wide_elements)
{
	int64_t *old = calloc(ELEMENTS, sizeof(*old)), *fresh = calloc(ELEMENTS, sizeof(*fresh));
	const rg_differences *found;
	rg_golden goldens[2];

	old[9] = 9007199254740993;
	fresh[9] = 5;
	found = find_elements(&goldens[0], &goldens[1], RG_DTYPE_INT64, old, fresh);
	assert_int_equal(found->count, 1);
	assert_string_equal(found->items[0].old.text, "9007199254740993");
	assert_null(found->items[0].fresh.text);
	free_both(&goldens[0], &goldens[1]);
	free(old);
	free(fresh);
}

/* --- tables --- */

typedef struct {
	rg_golden *old, *fresh;
	rg_arena arena;
	const rg_table_differences *found;
} tables;

static void find_records(tables *t, const char *old, const char *fresh)
{
	const char *const texts[] = {old, fresh};
	rg_golden **const sides[] = {&t->old, &t->fresh};
	rg_column_pair columns[8];
	size_t count = 0, i;

	for (i = 0; i < 2; i++) {
		const rg_input in = {.name = "x.csv", .data = texts[i], .size = strlen(texts[i])};

		assert_success(rg_golden_read(sides[i], &in, NULL));
	}
	rg_arena_init(&t->arena);
	assert_success(rg_goldens_align(t->old, t->fresh));
	for (i = 0; i < t->old->count; i++)
		if (rg_golden_find(t->fresh, t->old->metrics[i].name))
			columns[count++] =
				(rg_column_pair){&t->old->metrics[i],
						 rg_golden_find(t->fresh, t->old->metrics[i].name)};
	rg_table_differences_find(&t->found, &t->arena, columns, count, t->old->records);
	/* Nothing borrows them. */
	rg_golden_free(t->fresh);
	rg_golden_free(t->old);
}

static void assert_cell(const rg_difference *cell, const char *record, const char *column,
			double size)
{
	assert_string_equal(cell->at, record);
	assert_string_equal(cell->metric, column);
	assert_true(cell->size == size);
}

TEST(changed_records)
{
	tables t;

	find_records(&t, "name,state,time,n\na,pass,2,0\nb,pass,4,1\nc,fail,8,1\ngone,pass,1,1\n",
		     "name,state,time,n\nnew,pass,9,9\nc,pass,6,\nb,pass,4,1\na,pass,3,5\n");
	assert_int_equal(t.found->changed, 2);
	assert_int_equal(t.found->numbers.count + t.found->numbers.more, 4);
	/* A 0 that changed and a cell that is no longer there, then the relative change. */
	assert_cell(&t.found->numbers.items[0], "a", "n", INFINITY);
	assert_cell(&t.found->numbers.items[1], "c", "n", INFINITY);
	assert_false(t.found->numbers.items[1].fresh.there);
	assert_cell(&t.found->numbers.items[2], "a", "time", 0.5);
	assert_cell(&t.found->numbers.items[3], "c", "time", 0.25);
	assert_int_equal(t.found->texts.count, 1);
	assert_cell(&t.found->texts.items[0], "c", "state", 0);
	assert_string_equal(t.found->texts.items[0].old.text, "fail");
	assert_string_equal(t.found->texts.items[0].fresh.text, "pass");
	assert_int_equal(t.found->lost_count, 1);
	assert_string_equal(t.found->lost[0], "gone");
	assert_int_equal(t.found->gained_count, 1);
	assert_string_equal(t.found->gained[0], "new");
	rg_arena_release(&t.arena);
}

TEST(equal_tables)
{
	tables t;

	find_records(&t, "name,time,zero\na,2,0\nb,nan,0\n", "name,time,zero\nb,nan,0\na,2,-0\n");
	assert_null(t.found);
	rg_arena_release(&t.arena);
}

static void add_record(char *out, size_t size, size_t i, double value)
{
	size_t length = strlen(out);

	snprintf(out + length, size - length, "r%03zu,%g,x%g\n", i, value, value);
}

/* Lists are bounded, and count the rest. */
TEST(many_records)
{
	enum { RECORDS = 100, ROOM = 8192 };
	char *old = calloc(2, ROOM), *fresh = old + ROOM;
	tables t;
	size_t i;

	snprintf(old, ROOM, "name,v,text\n");
	snprintf(fresh, ROOM, "name,v,text\n");
	for (i = 0; i < RECORDS; i++) {
		add_record(old, ROOM, i, 1000);
		add_record(fresh, ROOM, i, 1001 + (double)(i * 37 % RECORDS));
		add_record(old, ROOM, RECORDS + i, 1);
		add_record(fresh, ROOM, 2 * RECORDS + i, 1);
	}
	find_records(&t, old, fresh);
	assert_int_equal(t.found->changed, RECORDS);
	assert_int_equal(t.found->numbers.count + t.found->numbers.more, RECORDS);
	assert_int_equal(t.found->numbers.count, RG_DIFFERING_CELLS);
	for (i = 0; i < t.found->numbers.count; i++)
		assert_true(t.found->numbers.items[i].fresh.number == 1100 - (double)i);
	assert_int_equal(t.found->texts.count + t.found->texts.more, RECORDS);
	assert_int_equal(t.found->texts.count, RG_DIFFERING_TEXTS);
	assert_string_equal(t.found->texts.items[1].at, "r001");
	assert_int_equal(t.found->lost_count, RECORDS);
	assert_int_equal(t.found->lost_shown, RG_DIFFERING_RECORDS);
	assert_int_equal(t.found->gained_count, RECORDS);
	assert_string_equal(t.found->gained[1], "r201");
	rg_arena_release(&t.arena);
	free(old);
}

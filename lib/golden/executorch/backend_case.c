/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/backend_case.h"

#include "base/memory.h"
#include "base/number.h"
#include "golden/text_token.h"
#include "golden/unit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Columns with a place of their own in rg_case; the others are fields. */
enum { TEST_ID, TEST_CASE, SUBTEST, FLOW, PARAMS, RESULT, DETAIL, ERROR_TEXT, KNOWN_COLUMNS };
_Static_assert(KNOWN_COLUMNS == (int)RG_CASE_COLUMNS, "as many as others know");

static const char *const known_columns[KNOWN_COLUMNS] = {
	[TEST_ID] = "Test ID",      [TEST_CASE] = "Test Case",
	[SUBTEST] = "Subtest",      [FLOW] = "Flow",
	[PARAMS] = "Params",        [RESULT] = "Result",
	[DETAIL] = "Result Detail", [ERROR_TEXT] = "Error",
};

int rg_case_column(const char *name)
{
	for (int i = 0; i < KNOWN_COLUMNS; i++)
		if (!strcmp(name, known_columns[i]))
			return i;
	return -1;
}

const char *rg_case_result_text(rg_case_result result)
{
	static const char *const texts[] = {"Pass", "Skip", "Fail"};
	return texts[result];
}

static bool parse_result(const char *text, rg_case_result *out)
{
	for (int i = RG_CASE_PASS; i <= RG_CASE_FAIL; i++)
		if (!strcmp(text, rg_case_result_text((rg_case_result)i))) {
			*out = (rg_case_result)i;
			return true;
		}
	return false;
}

rg_result_place rg_case_place(const rg_case *c)
{
	if (c->result == RG_CASE_FAIL)
		return strcmp(c->detail, RG_CASE_CRASH) ? RG_PLACE_FAIL : RG_PLACE_CRASH;
	return c->result == RG_CASE_SKIP ? RG_PLACE_SKIP : RG_PLACE_PASS;
}

/* Subtests are numbers mostly: 9 comes before 10. */
static int compare_subtests(const char *a, const char *b)
{
	int64_t left, right;
	bool left_number = rg_int64_parse(a, strlen(a), &left);
	bool right_number = rg_int64_parse(b, strlen(b), &right);

	if (left_number && right_number && left != right)
		return left < right ? -1 : 1;
	if (left_number != right_number)
		return left_number ? -1 : 1;
	return strcmp(a, b);
}

static int compare_tests(const rg_case *a, const rg_case *b)
{
	int order = strcmp(a->flow, b->flow);
	return order ? order : strcmp(a->test_id, b->test_id);
}

int rg_case_compare(const rg_case *a, const rg_case *b)
{
	int order = compare_tests(a, b);
	return order ? order : compare_subtests(a->subtest, b->subtest);
}

static int compare_cases(const void *a, const void *b)
{
	return rg_case_compare(a, b);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	return rg_hash_bytes(hash, text, strlen(text) + 1);
}

/* Takes in all that is compared of a case. */
static uint64_t hash_case(const rg_case *c)
{
	uint64_t hash = hash_text(hash_text(RG_HASH_NONE, c->flow), c->test_id);
	hash = hash_text(hash_text(hash, c->subtest), c->detail);
	hash = rg_hash_bytes(hash, &c->result, sizeof(c->result));
	for (size_t i = 0; i < c->field_count; i++) {
		const rg_case_field *field = &c->fields[i];
		hash = hash_text(hash, field->column);
		hash = field->text ? hash_text(hash, field->text)
				   : rg_hash_bytes(hash, &field->value, sizeof(field->value));
	}
	return hash;
}

static uint64_t sum_hashes(const rg_case_list *list)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < list->count; i++)
		sum += hash_case(&list->cases[i]);
	return sum;
}

void rg_case_list_finish(rg_case_list *list)
{
	const size_t count = list->count;
	const uint64_t sum = sum_hashes(list);
	rg_unread dropped = {0};
	rg_case first;

	rg_sort_keep_last(list->cases, &list->count, sizeof(*list->cases), compare_cases, &first);
	dropped.count = count - list->count;
	list->duplicates += dropped.count;
	if (!dropped.count)
		return;
	dropped.sum = sum - sum_hashes(list);
	dropped.first = rg_arena_textf(&list->arena, "%s/%s/%s, which comes again", first.flow,
				       first.test_id, first.subtest);
	rg_unread_join(&list->unread, &dropped, &list->arena);
}

const rg_case_field *rg_case_field_of(const rg_case *c, const char *column)
{
	for (size_t i = 0; i < c->field_count; i++)
		if (!strcmp(c->fields[i].column, column))
			return &c->fields[i];
	return NULL;
}

/* The first case of the test; where there is none, any other. */
static size_t find_test(const rg_case_list *list, const rg_case *test)
{
	size_t low = 0, high = list->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_tests(&list->cases[middle], test) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Among the first `count`, which are in order. */
static bool has_case(const rg_case_list *list, size_t count, const rg_case *c)
{
	return count && bsearch(c, list->cases, count, sizeof(*c), compare_cases) != NULL;
}

/* Adds a case for each subtest that the other list has and the first `own` cases lack. */
static void spread_one(rg_case_list *list, size_t own, size_t at, const rg_case_list *other)
{
	rg_case one = list->cases[at];
	if (*one.subtest || has_case(other, other->count, &one))
		return;
	for (size_t k = find_test(other, &one); k < other->count; k++) {
		if (compare_tests(&other->cases[k], &one))
			break;
		one.subtest = other->cases[k].subtest;
		if (has_case(list, own, &one))
			continue;
		*RG_PUSH(list->cases, list->count, list->capacity) = one;
	}
}

void rg_case_list_spread(rg_case_list *list, const rg_case_list *other)
{
	RG_AUTO_FREE bool *spread = rg_calloc(list->count + 1, sizeof(*spread));
	size_t own = list->count, kept = 0;

	for (size_t i = 0; i < own; i++) {
		size_t before = list->count;
		spread_one(list, own, i, other);
		spread[i] = list->count > before;
	}
	for (size_t i = 0; i < list->count; i++)
		if (i >= own || !spread[i])
			list->cases[kept++] = list->cases[i];
	list->count = kept;
	rg_case_list_finish(list);
}

void rg_case_list_join(rg_case_list *list, const rg_case_list *other)
{
	rg_grow(&list->cases, &list->capacity, list->count + other->count, sizeof(*list->cases));
	if (other->count)
		memcpy(list->cases + list->count, other->cases,
		       other->count * sizeof(*list->cases));
	list->count += other->count;
	list->duplicates += other->duplicates;
}

void rg_case_list_release(rg_case_list *list)
{
	free(list->cases);
	rg_arena_release(&list->arena);
	*list = (rg_case_list){0};
}

rg_case *rg_case_new(rg_case_list *list, size_t fields)
{
	rg_grow(&list->cases, &list->capacity, list->count + 1, sizeof(*list->cases));
	rg_case *c = &list->cases[list->count];
	*c = (rg_case){.flow = "",
		       .test_id = "",
		       .subtest = "",
		       .test_case = "",
		       .params = "",
		       .detail = "",
		       .error = "",
		       .result = RG_CASE_FAIL};
	c->fields = rg_arena_alloc(&list->arena, (fields + 1) * sizeof(*c->fields));
	return c;
}

void rg_case_add_field(rg_case_list *list, rg_case *c, const char *column, const char *cell)
{
	rg_case_field *field = &c->fields[c->field_count];
	if (!*cell)
		return;
	*field = (rg_case_field){.column = column};
	rg_text_number number;
	if (rg_cell_number_parse(&number, cell, strlen(cell), false)) {
		field->value = number.value;
		field->unit = number.unit ? number.unit : rg_unit_of_name(column, strlen(column));
	} else {
		field->text = rg_arena_text(&list->arena, cell);
	}
	c->field_count++;
}

rg_error *rg_case_set(rg_case_list *list, rg_case *c, int column, const char *cell)
{
	const char **const texts[KNOWN_COLUMNS] = {
		[TEST_ID] = &c->test_id,  [TEST_CASE] = &c->test_case, [SUBTEST] = &c->subtest,
		[FLOW] = &c->flow,        [PARAMS] = &c->params,       [DETAIL] = &c->detail,
		[ERROR_TEXT] = &c->error,
	};

	if (column != RESULT)
		*texts[column] = rg_arena_text(&list->arena, cell);
	else if (!parse_result(cell, &c->result))
		return rg_error_new(RG_E_PARSE, "result '%s' is not one of Pass, Skip, Fail", cell);
	return NULL;
}

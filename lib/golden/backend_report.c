/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/backend_report.h"

#include "base/number.h"
#include "golden/csv_reader.h"
#include "golden/cursor.h"
#include "golden/format.h"
#include "base/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How far into a file its kind is looked for: what pytest-json-report begins with. */
enum { PROBE = 1024 };

/* Columns with a place of their own in rg_case; the others are fields. */
enum { TEST_ID, TEST_CASE, SUBTEST, FLOW, PARAMS, RESULT, DETAIL, ERROR_TEXT, KNOWN_COLUMNS };
static const char *const known_columns[KNOWN_COLUMNS] = {
	[TEST_ID] = "Test ID",
	[TEST_CASE] = "Test Case",
	[SUBTEST] = "Subtest",
	[FLOW] = "Flow",
	[PARAMS] = "Params",
	[RESULT] = "Result",
	[DETAIL] = "Result Detail",
	/* A message with addresses and line numbers in it: nothing to compare. */
	[ERROR_TEXT] = "Error",
};

static int known_column(const char *name)
{
	int i;

	for (i = 0; i < KNOWN_COLUMNS; i++)
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
	int i;

	for (i = RG_CASE_PASS; i <= RG_CASE_FAIL; i++)
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

int rg_case_compare(const rg_case *a, const rg_case *b)
{
	int order = strcmp(a->flow, b->flow);

	if (!order)
		order = strcmp(a->test_id, b->test_id);
	return order ? order : compare_subtests(a->subtest, b->subtest);
}

static int compare_cases(const void *a, const void *b)
{
	return rg_case_compare(a, b);
}

rg_error *rg_case_list_finish(rg_case_list *list)
{
	size_t count = list->count;

	RG_TRY(rg_sort_keep_last(list->cases, &list->count, sizeof(*list->cases), compare_cases,
				 NULL));
	list->duplicates += count - list->count;
	return NULL;
}

rg_error *rg_case_list_join(rg_case_list *list, const rg_case_list *other)
{
	RG_TRY(rg_grow(&list->cases, &list->capacity, list->count + other->count,
		       sizeof(*list->cases)));
	if (other->count)
		memcpy(list->cases + list->count, other->cases,
		       other->count * sizeof(*list->cases));
	list->count += other->count;
	list->duplicates += other->duplicates;
	return NULL;
}

void rg_case_list_release(rg_case_list *list)
{
	free(list->cases);
	rg_arena_release(&list->arena);
	*list = (rg_case_list){0};
}

static rg_error *new_case(rg_case_list *list, size_t fields, rg_case **out)
{
	rg_case *c;

	RG_TRY(rg_grow(&list->cases, &list->capacity, list->count + 1, sizeof(*list->cases)));
	c = &list->cases[list->count];
	*c = (rg_case){.flow = "",
		       .test_id = "",
		       .subtest = "",
		       .test_case = "",
		       .params = "",
		       .detail = "",
		       .result = RG_CASE_FAIL};
	c->fields = rg_arena_alloc(&list->arena, (fields + 1) * sizeof(*c->fields));
	*out = c;
	return c->fields ? NULL : rg_error_nomem();
}

/* A cell as a number, or as a text where it is none. */
static rg_error *add_field(rg_case_list *list, rg_case *c, const char *column, const char *cell)
{
	rg_case_field *field = &c->fields[c->field_count];

	if (!*cell)
		return NULL;
	*field = (rg_case_field){.column = column};
	if (!rg_double_parse(cell, strlen(cell), &field->value))
		RG_TRY(rg_arena_text(&list->arena, cell, &field->text));
	c->field_count++;
	return NULL;
}

/* A cell of a known column. */
static rg_error *set_known(rg_case_list *list, rg_case *c, int column, const char *cell)
{
	switch (column) {
	case TEST_ID:
		return rg_arena_text(&list->arena, cell, &c->test_id);
	case TEST_CASE:
		return rg_arena_text(&list->arena, cell, &c->test_case);
	case SUBTEST:
		return rg_arena_text(&list->arena, cell, &c->subtest);
	case FLOW:
		return rg_arena_text(&list->arena, cell, &c->flow);
	case PARAMS:
		return rg_arena_text(&list->arena, cell, &c->params);
	case DETAIL:
		return rg_arena_text(&list->arena, cell, &c->detail);
	case RESULT:
		if (!parse_result(cell, &c->result))
			return rg_error_new(RG_E_PARSE,
					    "result '%s' is not one of Pass, Skip, Fail", cell);
		break;
	default:
		break;
	}
	return NULL;
}

/* CSV */

typedef struct {
	int known[RG_CSV_COLUMNS_MAX]; /* -1: a field */
	const char *names[RG_CSV_COLUMNS_MAX];
	size_t count;
} columns;

static rg_error *read_header(rg_case_list *list, const rg_csv_reader *csv, columns *header)
{
	bool seen[KNOWN_COLUMNS] = {false};
	size_t i;

	for (i = 0; i < csv->count; i++) {
		int known = known_column(rg_csv_cell(csv, i));

		header->known[i] = known;
		if (known >= 0 && seen[known])
			return rg_error_new(RG_E_PARSE, "column '%s' appears twice",
					    known_columns[known]);
		if (known >= 0)
			seen[known] = true;
		RG_TRY(rg_arena_text(&list->arena, rg_csv_cell(csv, i), &header->names[i]));
	}
	header->count = csv->count;
	if (!seen[TEST_ID] || !seen[RESULT])
		return rg_error_new(RG_E_PARSE, "not a report of backend tests: no column '%s'",
				    known_columns[seen[TEST_ID] ? RESULT : TEST_ID]);
	return NULL;
}

static rg_error *read_record(rg_case_list *list, const rg_csv_reader *csv, const columns *header)
{
	size_t i;
	rg_case *c;

	if (csv->count != header->count)
		return rg_error_new(RG_E_PARSE, "%zu cells under %zu columns", csv->count,
				    header->count);
	RG_TRY(new_case(list, header->count, &c));
	for (i = 0; i < header->count; i++)
		if (header->known[i] >= 0)
			RG_TRY(set_known(list, c, header->known[i], rg_csv_cell(csv, i)));
		else
			RG_TRY(add_field(list, c, header->names[i], rg_csv_cell(csv, i)));
	if (!*c->test_id)
		return rg_error_new(RG_E_PARSE, "an empty 'Test ID'");
	list->count++;
	return NULL;
}

static bool is_blank(const rg_csv_reader *csv)
{
	return csv->count == 1 && !*rg_csv_cell(csv, 0);
}

static rg_error *add_csv(rg_case_list *list, const void *data, size_t size)
{
	columns *header = calloc(1, sizeof(*header));
	rg_csv_reader csv;
	rg_error *err;
	bool more;

	if (!header)
		return rg_error_nomem();
	rg_csv_reader_init(&csv, data, size);
	err = rg_csv_next(&csv, &more);
	if (!err)
		err = read_header(list, &csv, header);
	while (!err && !(err = rg_csv_next(&csv, &more)) && more)
		if (!is_blank(&csv))
			err = rg_error_wrap(read_record(list, &csv, header), "record %zu",
					    csv.record);
	rg_csv_reader_release(&csv);
	free(header);
	return err;
}

/* pytest-json-report */

static const char *text_of(const cJSON *value, char number[static RG_DOUBLE_REPR_SIZE])
{
	if (cJSON_IsString(value))
		return strcmp(value->valuestring, RG_JSON_NAN) ? value->valuestring : "nan";
	if (cJSON_IsBool(value))
		return cJSON_IsTrue(value) ? "True" : "False";
	if (!cJSON_IsNumber(value))
		return "";
	/* Subtests are numbers here and "0" in CSV. */
	rg_double_repr(value->valuedouble, number);
	if (strlen(number) > 2 && !strcmp(number + strlen(number) - 2, ".0"))
		number[strlen(number) - 2] = '\0';
	return number;
}

/* {op: count}, as fields COLUMN/OP. */
static rg_error *add_counts(rg_case_list *list, rg_case *c, const cJSON *counts)
{
	char number[RG_DOUBLE_REPR_SIZE];
	const cJSON *count;

	cJSON_ArrayForEach(count, counts)
	{
		size_t length = strlen(counts->string) + 1 + strlen(count->string);
		char *column = rg_arena_alloc(&list->arena, length + 1);

		if (!column)
			return rg_error_nomem();
		memcpy(column, counts->string, strlen(counts->string));
		column[strlen(counts->string)] = '/';
		memcpy(column + strlen(counts->string) + 1, count->string, strlen(count->string));
		RG_TRY(add_field(list, c, column, text_of(count, number)));
	}
	return NULL;
}

static size_t count_fields(const cJSON *subtest)
{
	const cJSON *value;
	size_t n = 0;

	cJSON_ArrayForEach(value, subtest)
	{
		n += cJSON_IsObject(value) ? (size_t)cJSON_GetArraySize(value) : 1;
	}
	return n;
}

static rg_error *read_subtest(rg_case_list *list, const cJSON *subtest, rg_case *c)
{
	char number[RG_DOUBLE_REPR_SIZE];
	const cJSON *value;
	const char *column;

	cJSON_ArrayForEach(value, subtest)
	{
		int known = known_column(value->string);

		if (cJSON_IsNull(value))
			continue;
		if (known >= 0) {
			RG_TRY(set_known(list, c, known, text_of(value, number)));
		} else if (cJSON_IsObject(value)) {
			RG_TRY(add_counts(list, c, value));
		} else {
			RG_TRY(rg_arena_text(&list->arena, value->string, &column));
			RG_TRY(add_field(list, c, column, text_of(value, number)));
		}
	}
	return NULL;
}

/* pytest's own word on a test; also what a subtest without a result has. */
static rg_case_result result_of_outcome(const cJSON *test)
{
	const char *text = cJSON_GetStringValue(rg_json_member(test, "outcome"));

	if (!text)
		return RG_CASE_FAIL;
	if (!strcmp(text, "passed") || !strcmp(text, "xpassed"))
		return RG_CASE_PASS;
	return !strcmp(text, "skipped") || !strcmp(text, "xfailed") ? RG_CASE_SKIP : RG_CASE_FAIL;
}

static rg_error *add_test_case(rg_case_list *list, const cJSON *test, const cJSON *subtest)
{
	const char *nodeid = cJSON_GetStringValue(rg_json_member(test, "nodeid"));
	rg_case *c;

	if (!nodeid || (subtest && !cJSON_IsObject(subtest)))
		return rg_error_new(RG_E_PARSE, "a test without nodeid, or a broken subtest");
	RG_TRY(new_case(list, count_fields(subtest), &c));
	c->result = result_of_outcome(test);
	if (subtest)
		RG_TRY(rg_error_wrap(read_subtest(list, subtest, c), "test '%s'", nodeid));
	if (!*c->test_id)
		RG_TRY(rg_arena_text(&list->arena, nodeid, &c->test_id));
	list->count++;
	return NULL;
}

static rg_error *add_document(rg_case_list *list, const cJSON *document)
{
	const cJSON *tests = rg_json_member(document, "tests"), *test, *subtest;

	if (!cJSON_IsArray(tests))
		return rg_error_new(RG_E_PARSE, "not a report of backend tests: no list 'tests'");
	cJSON_ArrayForEach(test, tests)
	{
		const cJSON *metadata = rg_json_member(test, "metadata");
		const cJSON *subtests = rg_json_member(metadata, "subtests");

		if (!cJSON_IsArray(subtests) || !subtests->child) {
			RG_TRY(add_test_case(list, test, NULL));
			continue;
		}
		cJSON_ArrayForEach(subtest, subtests)
		{
			RG_TRY(add_test_case(list, test, subtest));
		}
	}
	return NULL;
}

static rg_error *add_json(rg_case_list *list, const void *data, size_t size)
{
	cJSON *document;
	rg_error *err;

	RG_TRY(rg_json_parse(&document, data, size));
	err = add_document(list, document);
	cJSON_Delete(document);
	return err;
}

static bool is_json_report(const char *data, size_t size)
{
	rg_cursor c = {data, data + size};

	return rg_cursor_take_sign(&c, '{') &&
	       (rg_cursor_holds(c, "\"exitcode\"") ||
		(rg_cursor_holds(c, "\"tests\"") && rg_cursor_holds(c, "\"nodeid\"")));
}

static bool is_csv_report(const char *data, size_t size)
{
	const char *newline = memchr(data, '\n', size);
	rg_cursor line = {data, newline ? newline : data + size};

	return rg_cursor_holds(line, "Test ID") && rg_cursor_holds(line, "Result");
}

rg_case_report rg_case_report_kind(const void *data, size_t size)
{
	size_t probed = size < PROBE ? size : PROBE;

	if (size && is_json_report(data, probed))
		return RG_CASE_REPORT_JSON;
	return size && is_csv_report(data, probed) ? RG_CASE_REPORT_CSV : RG_CASE_REPORT_NONE;
}

rg_error *rg_case_list_add(rg_case_list *list, const void *data, size_t size)
{
	return rg_case_report_kind(data, size) == RG_CASE_REPORT_JSON ? add_json(list, data, size)
								      : add_csv(list, data, size);
}

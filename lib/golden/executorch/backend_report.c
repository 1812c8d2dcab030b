/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/backend_report.h"

#include "base/memory.h"
#include "golden/csv_reader.h"
#include "golden/cursor.h"
#include "golden/format.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How far into a file its kind is looked for: what pytest-json-report begins with. */
enum { PROBE = 1024 };

typedef struct {
	int known[RG_CSV_COLUMNS_MAX]; /* -1: a field */
	const char *names[RG_CSV_COLUMNS_MAX];
	size_t count;
} columns;

static rg_error *read_header(rg_case_list *list, const rg_csv_reader *csv, columns *header)
{
	static const char *const needed[] = {"Test ID", "Result"};
	bool seen[RG_CASE_COLUMNS] = {false};
	for (size_t i = 0; i < csv->count; i++) {
		int known = rg_case_column(rg_csv_cell(csv, i));
		header->known[i] = known;
		if (known >= 0 && seen[known])
			return rg_error_new(RG_E_PARSE, "column '%s' appears twice",
					    rg_csv_cell(csv, i));
		if (known >= 0)
			seen[known] = true;
		header->names[i] = rg_arena_text(&list->arena, rg_csv_cell(csv, i));
	}
	header->count = csv->count;
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!seen[rg_case_column(needed[i])])
			return rg_error_new(RG_E_PARSE,
					    "not a report of backend tests: no column '%s'",
					    needed[i]);
	return NULL;
}

static rg_error *read_record(rg_case_list *list, const rg_csv_reader *csv, const columns *header)
{
	if (csv->count != header->count)
		return rg_error_new(RG_E_PARSE, "%zu cells under %zu columns", csv->count,
				    header->count);
	rg_case *c = rg_case_new(list, header->count);
	for (size_t i = 0; i < header->count; i++)
		if (header->known[i] >= 0)
			RG_TRY(rg_case_set(list, c, header->known[i], rg_csv_cell(csv, i)));
		else
			rg_case_add_field(list, c, header->names[i], rg_csv_cell(csv, i));
	if (!*c->test_id)
		return rg_error_new(RG_E_PARSE, "an empty 'Test ID'");
	list->count++;
	return NULL;
}

static rg_error *add_csv(rg_case_list *list, const void *data, size_t size)
{
	RG_AUTO_FREE columns *header = rg_calloc(1, sizeof(*header));
	RG_AUTO(rg_csv_reader) csv = {0};
	bool more;

	rg_csv_reader_init(&csv, data, size);
	RG_TRY(rg_csv_next(&csv, &more));
	RG_TRY(read_header(list, &csv, header));
	for (;;) {
		RG_TRY(rg_csv_next(&csv, &more));
		if (!more)
			return NULL;
		if (csv.count > 1 || *rg_csv_cell(&csv, 0)) /* not a blank line */
			RG_TRY(rg_error_wrap(read_record(list, &csv, header), "record %zu",
					     csv.record));
	}
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
	return rg_case_report_kind(data, size) == RG_CASE_REPORT_JSON
		       ? rg_case_list_add_json(list, data, size)
		       : add_csv(list, data, size);
}

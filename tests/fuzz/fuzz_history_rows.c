/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line of an exported history: it is refused, or written it is the same row when it is read
 * again.
 */
#include "require.h"

#include "flow/history_rows.h"
#include "golden/records.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Appends what the row says as a line of JSON; false where its records are not a table's. */
static bool write_row(rg_buf *out, rg_history_row_in *in, rg_arena *arena)
{
	rg_golden golden = {.metrics = &in->metric, .count = in->has_metric};
	rg_history_row row = {.run = &in->run};
	rg_records *records = NULL;

	if (in->records) {
		rg_error *err = rg_records_new(&records, arena, in->records, in->record_count);

		rg_error_free(err);
		if (err)
			return false;
	}
	golden.records = records;
	in->golden.golden = &golden;
	if (in->has_golden)
		row.golden = &in->golden;
	if (in->has_metric)
		row.metric = &in->metric;
	rg_history_rows_add(out, false, &row);
	return true;
}

static bool copy_row(rg_buf *out, const cJSON *object)
{
	rg_history_row_in row;
	rg_arena arena;
	rg_error *err;
	bool written;

	rg_arena_init(&arena);
	err = rg_history_rows_parse(&row, object, &arena);
	written = !err && write_row(out, &row, &arena);
	rg_error_free(err);
	rg_arena_release(&arena);
	return written;
}

static void try_row(const cJSON *object)
{
	cJSON *read;

	RG_AUTO(rg_buf) once = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) again = rg_buf_of(RG_BUF_TEXT);
	if (copy_row(&once, object)) {
		require(!rg_json_parse_bytes(&read, once.data, once.length), "it is JSON");
		require(copy_row(&again, read), "it is read again");
		require(!strcmp(once.data, again.data), "it is the same");
		cJSON_Delete(read);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[4096];
	cJSON *object = NULL;

	if (size >= sizeof(text))
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	rg_error_free(rg_json_parse_bytes(&object, text, size));
	if (object)
		try_row(object);
	cJSON_Delete(object);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table in the manner of another one: whatever the bytes, they are refused, or what comes out has
 * the new table's records with their values, those of the old one in its order; and doing it again,
 * or with the old table itself, changes nothing. The input is how to read them (a byte), then two
 * tables with a NUL between.
 */
#include "golden/csv_reader.h"
#include "golden/table_merge.h"
#include "golden/table_rewrite.h"
#include "golden/table_round.h"
#include "require.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const keys[] = {"a,b", "a"};
static const rg_table_rule rules[] = {
	{.pattern = "*", .keys = keys, .key_count = 2},
	{.pattern = "*", .header = RG_HEADER_NO, .names = "a,m,v", .metric = "m", .value = "v"},
	{.pattern = "*", .delimiter = ';', .comment = "#", .skip = 1},
};

static rg_bytes bytes_of(const rg_buf *buf)
{
	return (rg_bytes){buf->data, buf->length};
}

static bool rewrite(rg_buf *out, rg_bytes old, rg_bytes fresh, const rg_table_manner *manner)
{
	rg_error *err = rg_table_rewrite(out, old, fresh, manner);
	bool fine = !err;

	rg_error_free(err);
	return fine;
}

static void read_table(rg_table_text *out, rg_bytes bytes, const rg_table_manner *manner)
{
	rg_error *err = rg_table_text_read(out, manner->name, bytes, manner->rule, NULL);

	require(!err, "what comes out is a table");
}

/* Each of its records is in the new table, with the same values. */
static void hold_values(const rg_table_text *made, const rg_table_text *fresh, unsigned digits)
{
	size_t i, c, at, column;

	require(made->count == fresh->count && made->column_count == fresh->column_count,
		"as many records and columns");
	/* The names that found columns make follow the order of these. */
	if (made->record_key || fresh->record_key)
		return;
	for (i = 0; i < made->count; i++) {
		require(rg_records_find(fresh->records, made->records->names[i], &at),
			"each record is a new one");
		for (c = 0; c < made->column_count; c++) {
			column = rg_columns_find(fresh->columns, fresh->column_count,
						 made->columns[c].name, made->columns[c].length);
			require(column != SIZE_MAX, "each column is a new one");
			require(rg_table_cells_agree(&made->lines[i].cells[c],
						     &fresh->lines[at].cells[column], digits),
				"each cell says the same");
		}
	}
}

static void hold_order(const rg_table_text *made, const rg_table_text *old)
{
	size_t i, at, next = 0;

	for (i = 0; i < made->count; i++) {
		if (!rg_records_find(old->records, made->records->names[i], &at))
			continue;
		require(at >= next, "the order is the old one");
		next = at + 1;
	}
}

static void hold(const rg_buf *made, rg_bytes old, rg_bytes fresh, const rg_table_manner *manner)
{
	rg_table_text tables[3];
	size_t i;

	read_table(&tables[0], bytes_of(made), manner);
	read_table(&tables[1], fresh, manner);
	read_table(&tables[2], old, manner);
	hold_values(&tables[0], &tables[1], manner->digits);
	hold_order(&tables[0], &tables[2]);
	for (i = 0; i < 3; i++)
		rg_table_text_release(&tables[i]);
	RG_AUTO(rg_buf) again = rg_buf_of(RG_BUF_TEXT);
	require(rewrite(&again, bytes_of(made), fresh, manner), "it can be done again");
	require(again.length == made->length && !memcmp(again.data, made->data, made->length),
		"again changes nothing");
	rg_buf_clear(&again);
	require(rewrite(&again, old, old, manner), "the old one fits itself");
	require(again.length == old.size && !memcmp(again.data, old.data, old.size),
		"the old one stays itself");
}

/* Two shards go together or not; what comes out is a table. */
static void try_merge(rg_bytes old, rg_bytes fresh, const rg_table_manner *manner)
{
	const rg_table_shard shards[] = {{manner->name, old}, {manner->name, fresh}};
	const rg_table_shape shape = {manner->name, manner->rule, NULL, manner->digits};
	rg_table_text table;
	size_t clash[2];
	rg_error *err;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	err = rg_table_merge(&out, shards, 2, &shape, clash);
	if (!err) {
		read_table(&table, bytes_of(&out), manner);
		rg_table_text_release(&table);
	}
	rg_error_free(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *cut = size > 1 ? memchr(data + 1, 0, size - 1) : NULL;
	unsigned how = size ? data[0] : 0;
	const rg_table_manner manner = {how & 1 ? "t.csv" : "t.tsv",
					how & 2     ? &rules[how >> 2 & 1]
					: how & 128 ? &rules[2]
						    : NULL,
					how >> 3 & 15};
	rg_bytes old, fresh;
	rg_buf out;

	if (!cut)
		return 0;
	old = (rg_bytes){data + 1, (size_t)(cut - data) - 1};
	fresh = (rg_bytes){cut + 1, (size_t)(data + size - cut) - 1};
	rg_buf_init(&out, RG_BUF_TEXT);
	if (rewrite(&out, old, fresh, &manner))
		hold(&out, old, fresh, &manner);
	rg_buf_release(&out);
	try_merge(old, fresh, &manner);
	return 0;
}

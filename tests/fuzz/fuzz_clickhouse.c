/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two ways between regild and ClickHouse. A text that is quoted is one literal, which reads
 * back as the text; rows of any bytes are read within their bounds, and what is written comes back.
 */
#include "fuzz/require.h"

#include "store/clickhouse.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* As ClickHouse reads a literal: to the first quote that no backslash is in front of. */
static void read_literal(const rg_buf *sql, const char *text)
{
	const char *p = sql->data;

	require(*p++ == '\'', "a literal begins with a quote");
	for (; *text; text++) {
		require(*p != '\'', "no quote in it stands alone");
		if (*p == '\\') {
			p++;
			require(*p == '\'' || *p == '\\',
				"only quotes and backslashes are escaped");
		}
		require(*p++ == *text, "it reads back");
	}
	require(p[0] == '\'' && p + 1 == sql->data + sql->length, "it ends with the text");
}

static void quote(const char *text)
{
	RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);
	rg_clickhouse_quote(&sql, text);
	require(!sql.is_full, "it was quoted");
	read_literal(&sql, text);
}

/* Every byte of every cell is one of the input's. */
static void read_rows(const uint8_t *data, size_t size)
{
	static const char types[] = "bdqsQS";
	const unsigned char *at = data, *end = data + size, *next;
	rg_row_cell cells[RG_ROW_CELLS];
	size_t i, length;
	unsigned sum = 0;

	while (rg_row_read(&at, end, types, cells)) {
		require(at <= end, "a row ends where it is read to");
		for (i = 0; i < 6; i++) {
			require(cells[i].bytes >= data && cells[i].bytes <= at,
				"a cell is in its row");
			require(cells[i].size <= (size_t)(at - cells[i].bytes), "and ends there");
		}
		require(cells[4].size == cells[4].number * 8, "eight bytes each");
		next = cells[5].bytes;
		for (i = 0; i < cells[5].number && i < 1000; i++) {
			const char *text = rg_row_next_text(&next, &length);

			require((const unsigned char *)text + length <= at,
				"a text is in its array");
			sum += length ? (unsigned char)text[length - 1] : 0;
		}
	}
	require(sum < UINT32_MAX, "the texts are there");
}

static void write_and_read(const char *text, size_t size)
{
	const unsigned char *at;
	rg_row_cell cells[RG_ROW_CELLS];

	RG_AUTO(rg_buf) out = rg_buf_of((size_t)1 << 24);
	rg_row_text(&out, text);
	rg_row_number(&out, size, 8);
	require(!out.is_full, "rows were written");
	at = (const unsigned char *)out.data;
	require(rg_row_read(&at, at + out.length, "sq", cells), "they are whole");
	require(cells[0].size == strlen(text) && !memcmp(cells[0].bytes, text, cells[0].size),
		"the text comes back");
	require(cells[1].number == size && at == (const unsigned char *)out.data + out.length,
		"and the number");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (size > 1 << 20) {
		free(text);
		return 0;
	}
	memcpy(text, data, size);
	text[size] = '\0';
	quote(text);
	read_rows(data, size);
	write_and_read(text, size);
	free(text);
	return 0;
}

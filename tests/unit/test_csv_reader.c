/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/buf.h"
#include "golden/csv_reader.h"

#include <string.h>

/* The records as "a|b;c|d;". */
static rg_error *print_records(const char *text, size_t size, rg_buf *out)
{
	rg_error *err = NULL;
	rg_csv_reader csv;
	bool more = true;
	size_t i;

	rg_buf_clear(out);
	rg_csv_reader_init(&csv, text, size);
	while (!err && !(err = rg_csv_next(&csv, &more)) && more) {
		for (i = 0; i < csv.count; i++) {
			rg_buf_str(out, i ? "|" : "");
			rg_buf_str(out, rg_csv_cell(&csv, i));
		}
		rg_buf_char(out, ';');
		assert_string_equal(rg_csv_cell(&csv, csv.count), "");
	}
	rg_csv_reader_release(&csv);
	return err;
}

TEST(records)
{
	static const struct {
		const char *text, *records;
	} cases[] = {
		{"", ""},
		{"a", "a;"},
		{"a,b\r\nc,d\r\n", "a|b;c|d;"},
		{"a,b\nc,d", "a|b;c|d;"},
		{"a\rb\r", "a;b;"},
		{"a,\n,b\n", "a|;|b;"},
		{",", "|;"},
		{"\n\n", ";;"},
		{"\"a,b\",\"c\"\"d\",\"e\r\nf\"\r\n", "a,b|c\"d|e\r\nf;"},
		{"\"\",\"\"\"\"", "|\";"},
		{"\xef\xbb\xbf"
		 "a,b\n",
		 "a|b;"},
		{"a\"b,c\n", "a\"b|c;"},
		{" \"a\"\n", "a;"},
		{" \"a,\"\"\" \t, \"b\" c,\"d\" ,e\n", "a,\"| \"b\" c|d|e;"},
		{" \"a\n", " \"a;"},
	};
	size_t i;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_success(print_records(cases[i].text, strlen(cases[i].text), &out));
		assert_string_equal(out.data, cases[i].records);
	}
}

TEST(refused)
{
	char many[2 * RG_CSV_COLUMNS_MAX];

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_error(print_records("a\n\"b", 4, &out), RG_E_PARSE,
		     "csv: record 2: a quote does not close");
	assert_error(print_records("\"a\"b\n", 5, &out), RG_E_PARSE,
		     "csv: record 1: text after a closing quote");
	assert_error(print_records("a\0b\n", 4, &out), RG_E_PARSE,
		     "csv: record 1: a NUL in a cell");
	assert_error(print_records("\"\0\"\n", 4, &out), RG_E_PARSE,
		     "csv: record 1: a NUL in a cell");
	memset(many, ',', sizeof(many));
	assert_success(print_records(many, RG_CSV_COLUMNS_MAX - 1, &out));
	assert_error(print_records(many, RG_CSV_COLUMNS_MAX, &out), RG_E_LIMIT,
		     "csv: record 1: more than 1024 columns");
}

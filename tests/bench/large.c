/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes one side of a large pair: a table, a golden of series, or a log. What is written depends
 * on nothing but the arguments; of two SIDEs every value, or one line of the log in ten, is
 * different.
 *
 * usage: large csv|json|text FILE SIDE ROWS
 */
#include "uniform.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 19, SERIES = 40, LARGE = 1 << 30 };

/* A record has a name, and 19 numbers of nine digits. */
static void add_record(rg_buf *out, size_t row)
{
	rg_buf_printf(out, "r%06zu", row);
	for (size_t column = 0; column < COLUMNS; column++)
		rg_buf_printf(out, ",%.6f", 100 + uniform() * 899);
	rg_buf_char(out, '\n');
}

static void add_csv(rg_buf *out, size_t rows, size_t side)
{
	(void)side;
	rg_buf_str(out, "name");
	for (size_t column = 0; column < COLUMNS; column++)
		rg_buf_printf(out, ",c%zu", column);
	rg_buf_char(out, '\n');
	for (size_t row = 0; row < rows; row++)
		add_record(out, row);
}

/* Forty series, laid out as Python's json.dump does with an indent; values have all their digits.
 */
static void add_json(rg_buf *out, size_t rows, size_t side)
{
	char text[RG_DOUBLE_REPR_SIZE];
	(void)side;
	rg_buf_str(out, "{\n");
	for (size_t series = 0; series < SERIES; series++) {
		rg_buf_printf(out,
			      "    \"metric %zu\": {\n        \"start_step\": 1,\n"
			      "        \"end_step\": %zu,\n        \"step_interval\": 1,\n"
			      "        \"values\": {\n",
			      series, rows / SERIES);
		for (size_t step = 1; step <= rows / SERIES; step++) {
			rg_double_repr(10 + uniform(), text);
			rg_buf_printf(out, "            \"%zu\": %s%s\n", step, text,
				      step < rows / SERIES ? "," : "");
		}
		rg_buf_printf(out, "        }\n    }%s\n", series + 1 < SERIES ? "," : "");
	}
	rg_buf_str(out, "}\n");
}

/* Lines that training prints: names, and four numbers each. One in ten is another value's, and the
 * second side has one more in a thousand. */
static void add_text(rg_buf *out, size_t rows, size_t side)
{
	for (size_t row = 0; row < rows; row++) {
		seed = (row + 1) * UINT64_C(0x9E3779B97F4A7C15) + (row % 10 ? 0 : side);
		rg_buf_printf(out, "iteration %zu: loss = %.6f, grad norm = %.4f, %.1f ms\n", row,
			      10 * uniform(), uniform(), 100 + 20 * uniform());
		if (side > 1 && row % 1000 == 500)
			rg_buf_printf(out, "saved checkpoint %zu in %.2f s\n", row, uniform());
	}
}

int main(int argc, char **argv)
{
	uint64_t side, rows;
	rg_error *err;
	rg_buf out;

	if (argc != 5 || !rg_uint64_parse(argv[3], strlen(argv[3]), &side) ||
	    !rg_uint64_parse(argv[4], strlen(argv[4]), &rows)) {
		fprintf(stderr, "usage: large csv|json|text FILE SIDE ROWS\n");
		return 2;
	}
	seed = UINT64_C(0x9E3779B97F4A7C15) + side;
	rg_buf_init(&out, LARGE);
	(*argv[1] == 'c' ? add_csv : *argv[1] == 'j' ? add_json : add_text)(&out, rows, side);
	err = rg_buf_check(&out, argv[2]);
	if (!err)
		err = rg_file_write_output(argv[2], out.data, out.length);
	rg_buf_release(&out);
	if (err)
		fprintf(stderr, "%s\n", rg_error_message(err));
	rg_error_free(err);
	return err != NULL;
}

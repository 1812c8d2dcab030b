/* SPDX-License-Identifier: Apache-2.0 */
#include "report/table.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdint.h>
#include <stdlib.h>

void rg_table_init(rg_table *table, const rg_table_column *columns, size_t column_count)
{
	*table = (rg_table){.columns = columns, .column_count = column_count};
	rg_buf_init(&table->texts, SIZE_MAX / 4); /* what the table is written into has a limit */
}

void rg_table_release(rg_table *table)
{
	free(table->cells);
	rg_buf_release(&table->texts);
	*table = (rg_table){0};
}

rg_error *rg_table_add(rg_table *table, const char *text, size_t length)
{
	size_t begin = table->texts.length;
	rg_grow(&table->cells, &table->capacity, table->count + 1, sizeof(*table->cells));
	size_t width = rg_utf8_add_safe(&table->texts, text, length);
	RG_TRY(rg_buf_check(&table->texts, "table"));
	table->cells[table->count++] = (rg_table_cell){begin, table->texts.length - begin, width};
	return NULL;
}

void rg_terminal_text(rg_buf *out, const char *text, size_t length)
{
	rg_utf8_add_safe(out, text, length);
}

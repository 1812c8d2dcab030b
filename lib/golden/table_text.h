/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TABLE_TEXT_H
#define REGILD_GOLDEN_TABLE_TEXT_H

#include "base/buf.h"
#include "golden/column_list.h"
#include "golden/records.h"

/*
 * A table as it is written: the text of each cell, and its bytes in the file. Comparisons read
 * tables by golden/table.c; this is for writing one (golden/table_merge.h, table_rewrite.h).
 */

typedef struct {
	const char *raw; /* in the file, with blanks and quotes; NULL: the line ends before it */
	size_t raw_length;
	const char *text; /* what it says */
	size_t length;
} rg_table_cell;

typedef struct {
	const char *begin, *end;    /* in the file; its line end is the end of it */
	const rg_table_cell *cells; /* one a column */
} rg_table_line;

typedef struct {
	const char *begin, *end; /* of the file, after a byte order mark */
	bool marked;             /* it has one */
	const char *first; /* its first line that is neither skipped nor blank nor a comment */
	char delimiter;
	bool has_header;
	rg_table_line header;
	rg_column_name *columns;
	size_t column_count;
	rg_table_line *lines; /* of the records, but for blank ones */
	size_t count, capacity;
	const rg_records *records; /* their keys; of a long table the metric is in them */
	const char *record_key;    /* as rg_golden has it */
	bool *is_key;              /* a column */
	rg_arena arena;
} rg_table_text;

/*
 * Reads a table, whose bytes, and the rule, are borrowed. `name` says what is between cells
 * (rg_csv_reader_open), and `rule` (may be NULL) says which columns are its key. `wanted`, a list
 * of columns, or NULL, is what is left of its columns, in that order. RG_E_PARSE for what
 * golden/table.c refuses, and where a wanted column is missing. Released whatever comes back.
 */
RG_CHECKED rg_error *rg_table_text_read(rg_table_text *out, const char *name, rg_bytes bytes,
					const rg_table_rule *rule, const char *wanted);
void rg_table_text_release(rg_table_text *table);

/* How comments begin in a table of which `out` has at least the first line; NULL: it has none. */
const char *rg_table_comment(const rg_buf *out, const rg_table_rule *rule);
/* RG_E_PARSE where a line that was written from `start` on is not a record's to a reader: the rule,
 * which may be NULL, has it as a comment. */
RG_CHECKED rg_error *rg_table_check_line(const rg_buf *out, size_t start,
					 const rg_table_rule *rule);
/* RG_E_PARSE where a table that was written is not read with its delimiter. */
RG_CHECKED rg_error *rg_table_check_delimiter(const rg_buf *out, char delimiter, const char *name,
					      const rg_table_rule *rule);

/* Its line end; "" for a last line without one. */
const char *rg_table_line_end(const rg_table_line *line, size_t *length);
/* The line end that the table has, "\n" where it has none. */
const char *rg_table_ending(const rg_table_text *table, size_t *length);

static inline bool rg_table_cell_is_quoted(const rg_table_cell *cell, char delimiter)
{
	size_t i = 0;
	while (i < cell->raw_length && (cell->raw[i] == ' ' || cell->raw[i] == '\t'))
		i++;
	return delimiter != '\t' && i < cell->raw_length && cell->raw[i] == '"';
}
/* Does a text need quotes to be a cell? */
bool rg_table_needs_quotes(const char *text, size_t length, char delimiter);
/* Writes a text as a cell, with the blanks around it that `like` has, which may be NULL. RG_E_PARSE
 * for one that a table with tabs cannot hold. */
RG_CHECKED rg_error *rg_table_cell_write(rg_buf *out, const char *text, size_t length,
					 char delimiter, bool quoted, const rg_table_cell *like);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_CSV_READER_H
#define REGILD_GOLDEN_CSV_READER_H

#include "base/buf.h"
#include "golden/column_list.h"
#include "golden/cursor.h"
#include "golden/golden.h"

/*
 * Reads CSV as RFC 4180 has it, and as people's tools write it: cells in quotes may hold commas,
 * doubled quotes and line breaks; records end with CRLF, LF or CR; a byte order mark in front is
 * skipped; blanks around quotes do not count; the last record needs no line break. In a table with
 * tabs or blanks nothing is quoted.
 */
/* A record has no more bytes. */
#define RG_CSV_RECORD_MAX ((size_t)16 << 20)

/* A cell of the record read last. */
typedef struct {
	size_t start, length; /* in the reader's text, if it is no `number` */
	const char *raw;      /* in the file, with its quotes */
	size_t raw_length;
	double number;
	bool is_number; /* one without quotes, blanks and units */
} rg_csv_cell_place;

typedef struct {
	const char *p, *end;
	const char *begin, *at; /* of the text, and of the record read last */
	char delimiter;         /* between cells; ' ': any number of blanks and tabs */
	const char *comment;    /* rg_csv_next_filled leaves out lines that begin so; NULL: none */
	size_t record;          /* from 1: the one read last */
	rg_unread unread;       /* remarks that nobody has named as comments */
	rg_buf text;            /* the record's cells, each with a NUL after it */
	rg_csv_cell_place *cells;
	size_t count, capacity;
	/* Numbers are read with the cells, and their texts are not copied: only rg_csv_trimmed has
	 * them. The caller sets it. */
	bool numbers;
	size_t left_out;   /* bytes of the record that were not copied therefore */
	char ends_of;      /* the delimiter that `ends` is of; 0: none yet */
	bool ends[256];    /* characters that end a cell without quotes, and NUL */
	bool has_nul;      /* the cell read last */
	rg_read_part part; /* what was read is forgotten where this says so */
} rg_csv_reader;

/* `data` is borrowed until release. */
void rg_csv_reader_init(rg_csv_reader *reader, const void *data, size_t size);
/* The same for a table: its rule, which may be NULL and is borrowed, or its name and its first line
 * say how it is written. In a file that ends in ".csv" there are commas between cells, or, where
 * that line has none, semicolons; in others tabs, or, where there is a rule and that line has no
 * tab, blanks. A line "sep=;" in front says it, too. Where no rule says what a comment is, lines in
 * front that begin with "#" are remarks, and then wherever they are; a last one that has as many
 * cells as the line after it, which has a number, is the header. */
void rg_csv_reader_open(rg_csv_reader *reader, const void *data, size_t size, const char *name,
			const rg_table_rule *rule);
void rg_csv_reader_release(rg_csv_reader *reader);

/* Reads the next record; *more is false after the last one. RG_E_PARSE for a quote that does not
 * close, text after a closing quote, or a NUL; RG_E_LIMIT for too many columns or bytes. */
RG_CHECKED rg_error *rg_csv_next(rg_csv_reader *reader, bool *more);
/* The same, past comments and records whose cells are all blank. */
RG_CHECKED rg_error *rg_csv_next_filled(rg_csv_reader *reader, bool *more);
static inline bool rg_csv_has_quotes(char delimiter)
{
	return delimiter != '\t' && delimiter != ' ';
}
/* Is a comma in a number its decimal point? It is if other signs are between cells: people whose
 * numbers have commas write tables so. */
static inline bool rg_csv_has_decimal_comma(const rg_csv_reader *reader)
{
	return reader->delimiter == ';' || reader->delimiter == '\t';
}
/* RG_E_PARSE where the record has more cells. Those that it lacks at its end are blank; between
 * blanks none is. */
RG_CHECKED rg_error *rg_csv_check_count(const rg_csv_reader *reader, size_t columns);
/* Is the record read last, the first one, a header? The rule, which may be NULL, says so or
 * names a column of it; else one with a number is none, unless its first cell is blank, so that it
 * is no record. */
bool rg_csv_is_header(const rg_csv_reader *reader, const rg_table_rule *rule);
/* The end of the line at p, after its line break. */
const char *rg_csv_after_line(const char *p, const char *end);
/* Excel's line "sep=;": moves *at past it, and says what it says; 0: there is no such line. */
char rg_csv_separator(const char **at, const char *end);
/* The line, from 1, in which the record read last begins. */
size_t rg_csv_line(const rg_csv_reader *reader);
/* Cell `index` of the record read last, until the next one is read; "" where it has fewer. */
const char *rg_csv_cell(const rg_csv_reader *reader, size_t index);
/* The same without the blanks at both ends, and maybe without a NUL after it. */
const char *rg_csv_trimmed(const rg_csv_reader *reader, size_t index, size_t *length);
/* Its value, if the reader reads numbers and it is one; else NULL. */
static inline const double *rg_csv_number(const rg_csv_reader *reader, size_t index)
{
	return index < reader->count && reader->cells[index].is_number
		       ? &reader->cells[index].number
		       : NULL;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_CSV_READER_H
#define REGILD_GOLDEN_CSV_READER_H

#include "base/buf.h"

/*
 * Reads CSV as RFC 4180 has it, and as people's tools write it: cells in quotes may hold commas,
 * doubled quotes and line breaks; records end with CRLF, LF or CR; a byte order mark in front is
 * skipped; the last record needs no line break. In a table with tabs nothing is quoted.
 */
#define RG_CSV_COLUMNS_MAX 1024
/* A record has no more bytes. */
#define RG_CSV_RECORD_MAX ((size_t)16 << 20)

typedef struct {
	const char *p, *end;
	const char *begin, *at; /* of the text, and of the record read last */
	char delimiter;         /* ',', or '\t' */
	size_t record;          /* from 1: the one read last */
	rg_buf text;            /* the record's cells, each with a NUL after it */
	size_t *starts;         /* of each cell in text */
	size_t count, capacity;
} rg_csv_reader;

/* `data` is borrowed until release. */
void rg_csv_reader_init(rg_csv_reader *reader, const void *data, size_t size);
/* With tabs between cells. */
void rg_csv_reader_init_tabs(rg_csv_reader *reader, const void *data, size_t size);
void rg_csv_reader_release(rg_csv_reader *reader);

/* Reads the next record; *more is false after the last one. RG_E_PARSE for a quote that does not
 * close, text after a closing quote, or a NUL; RG_E_LIMIT for too many columns or bytes. */
RG_CHECKED rg_error *rg_csv_next(rg_csv_reader *reader, bool *more);
/* The line, from 1, in which that record begins. */
size_t rg_csv_line(const rg_csv_reader *reader);
/* Cell `index` of the record read last, until the next one is read; "" where it has fewer. */
const char *rg_csv_cell(const rg_csv_reader *reader, size_t index);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/csv_reader.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "golden/cursor.h"
#include "golden/text_token.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rg_csv_reader_init(rg_csv_reader *reader, const void *data, size_t size)
{
	static const char bom[] = "\xef\xbb\xbf";
	*reader = (rg_csv_reader){.p = data, .end = (const char *)data + size, .delimiter = ','};
	if (size >= 3 && !memcmp(data, bom, 3))
		reader->p += 3;
	reader->begin = reader->at = reader->p;
	rg_buf_init(&reader->text, size * 2 + 16);
}

const char *rg_csv_after_line(const char *p, const char *end)
{
	while (p < end && *p != '\n' && *p != '\r')
		p++;
	if (p < end && *p++ == '\r' && p < end && *p == '\n')
		p++;
	return p;
}

static bool begins_so(const rg_csv_reader *reader, const char *text)
{
	size_t length = strlen(text);
	return (size_t)(reader->end - reader->p) >= length && !memcmp(reader->p, text, length);
}

/* A remark begins with this, unless a rule says otherwise. */
static const char remark_sign[] = "#";

/* Skips blank lines and comments. */
static void skip_idle_lines(rg_csv_reader *reader)
{
	while (reader->p < reader->end &&
	       (*reader->p == '\n' || *reader->p == '\r' ||
		(reader->comment && begins_so(reader, reader->comment)))) {
		const char *line = reader->p;
		reader->p = rg_csv_after_line(line, reader->end);
		if (reader->comment == remark_sign)
			rg_unread_line(&reader->unread, line, (size_t)(reader->p - line));
	}
}

/* Has the line a semicolon, and no comma, outside of quotes? */
static bool has_semicolons(const rg_csv_reader *reader)
{
	bool quoted = false, found = false;
	for (const char *p = reader->p; p < reader->end; p++) {
		quoted ^= *p == '"';
		if (!quoted && (*p == ',' || *p == '\n' || *p == '\r'))
			return found && *p != ',';
		found |= !quoted && *p == ';';
	}
	return found;
}

/* Skips the remarks in front; returns the last one, if it could be a header. */
static const char *skip_remarks(rg_csv_reader *reader, rg_unread *before)
{
	const char *remark = NULL;
	if (begins_so(reader, remark_sign))
		reader->comment = remark_sign;
	while (reader->p < reader->end && begins_so(reader, remark_sign)) {
		remark = reader->p;
		*before = reader->unread;
		while (remark < reader->end && *remark == '#')
			remark++;
		reader->p = rg_csv_after_line(reader->p, reader->end);
		rg_unread_line(&reader->unread, remark, (size_t)(reader->p - remark));
		while (reader->p < reader->end && (*reader->p == '\n' || *reader->p == '\r'))
			reader->p++;
	}
	return remark;
}

/* How many cells the record at `from` has; 0: it is not a record. */
static size_t count_cells(rg_csv_reader *reader, const char *from)
{
	const char *at = reader->p;
	bool more;
	reader->p = from;
	RG_AUTO_PTR(rg_error) err = rg_csv_next(reader, &more);
	reader->p = at;
	reader->record = 0;
	return err ? 0 : reader->count;
}

/* Is the remark the header of what follows? Between blanks, as many words are enough. */
static bool is_header_above(rg_csv_reader *reader, const char *remark)
{
	const size_t count = count_cells(reader, remark);
	return count && count_cells(reader, reader->p) == count &&
	       (reader->delimiter == ' ' || !rg_csv_is_header(reader, NULL));
}

/* A name that promises no tabs or commas, and a first line with several words and no tab. */
static bool has_blanks(const rg_csv_reader *reader, const char *name)
{
	const rg_cursor line = {reader->p, rg_csv_after_line(reader->p, reader->end)};
	return !rg_ends_with(name, ".csv") && !rg_ends_with(name, ".tsv") && line.at < line.end &&
	       !memchr(line.at, '\t', rg_cursor_length(line)) && rg_cursor_count_words(line) > 1;
}

char rg_csv_separator(const char **at, const char *end)
{
	static const char sign[] = "sep=", separators[] = ",;|:\t";
	const char *line = *at, *next = rg_csv_after_line(line, end);
	if (next - line < 6 || memcmp(line, sign, strlen(sign)) != 0 ||
	    (line[5] != '\r' && line[5] != '\n') ||
	    !memchr(separators, line[4], strlen(separators)))
		return 0;
	*at = next;
	return line[4];
}

void rg_csv_reader_open(rg_csv_reader *reader, const void *data, size_t size, const char *name,
			const rg_table_rule *rule)
{
	rg_unread before = {0};
	rg_csv_reader_init(reader, data, size);
	reader->comment = rule ? rule->comment : NULL;
	for (size_t i = 0; rule && i < rule->skip; i++)
		reader->p = rg_csv_after_line(reader->p, reader->end);
	const char separator = rg_csv_separator(&reader->p, reader->end);
	skip_idle_lines(reader);
	const char *remark = reader->comment ? NULL : skip_remarks(reader, &before);
	if (rule && rule->delimiter)
		reader->delimiter = rule->delimiter;
	else if (separator)
		reader->delimiter = separator;
	else if (rule && has_blanks(reader, name))
		reader->delimiter = ' ';
	else if (!rg_ends_with(name, ".csv"))
		reader->delimiter = '\t';
	else if (has_semicolons(reader))
		reader->delimiter = ';';
	if (reader->delimiter == ' ' && !reader->comment)
		reader->comment = remark_sign;
	if (remark && !(rule && rule->header == RG_HEADER_NO) && is_header_above(reader, remark)) {
		reader->p = remark;
		reader->unread = before;
	}
	reader->at = reader->p;
}

void rg_csv_reader_release(rg_csv_reader *reader)
{
	free(reader->cells);
	rg_buf_release(&reader->text);
	*reader = (rg_csv_reader){0};
	rg_buf_init(&reader->text, 0);
}

static rg_error *refuse(const rg_csv_reader *reader, const char *what)
{
	return rg_error_new(RG_E_PARSE, "csv: record %zu: %s", reader->record, what);
}

/* The cell in quotes that begins at p; doubled quotes stand for one. */
static rg_error *read_quoted(rg_csv_reader *reader)
{
	for (reader->p++;;) {
		const char *quote = memchr(reader->p, '"', (size_t)(reader->end - reader->p));
		if (!quote)
			return refuse(reader, "a quote does not close");
		const size_t length = (size_t)(quote - reader->p);
		reader->has_nul |= memchr(reader->p, '\0', length) != NULL;
		rg_buf_add(&reader->text, reader->p, length);
		reader->p = quote + 1;
		if (reader->p == reader->end || *reader->p != '"')
			return NULL;
		rg_buf_char(&reader->text, '"');
		reader->p++;
	}
}

static const char *after_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static bool ends_cell(const rg_csv_reader *reader)
{
	return reader->p == reader->end || (*reader->p && reader->ends[(unsigned char)*reader->p]);
}

static void find_ends(rg_csv_reader *reader)
{
	memset(reader->ends, 0, sizeof(reader->ends));
	reader->ends[(unsigned char)reader->delimiter] = true;
	reader->ends['\r'] = reader->ends['\n'] = reader->ends['\0'] = true;
	reader->ends['\t'] |= reader->delimiter == ' ';
	reader->ends_of = reader->delimiter;
}

static void read_plain(rg_csv_reader *reader)
{
	const char *start = reader->p, *p = start, *end = reader->end;
	while (p < end && !reader->ends[(unsigned char)*p])
		p++;
	for (; p < end && (!reader->ends[(unsigned char)*p] || !*p); p++)
		reader->has_nul = true;
	reader->p = p;
	rg_buf_add(&reader->text, start, (size_t)(p - start));
}

/* Reads a cell in quotes, with blanks around them or not, or a plain one. */
static rg_error *read_quoted_or_plain(rg_csv_reader *reader)
{
	const char *cell = reader->p;
	const size_t length = reader->text.length;
	reader->p = after_blanks(cell, reader->end);
	if (reader->p < reader->end && *reader->p == '"') {
		const bool padded = reader->p > cell;
		RG_AUTO_PTR(rg_error) err = read_quoted(reader);
		if (!err)
			reader->p = after_blanks(reader->p, reader->end);
		if (!padded || (!err && ends_cell(reader)))
			return RG_TAKE(err);
		/* It is a plain cell that has quotes in it. */
		rg_buf_truncate(&reader->text, length);
		reader->has_nul = false;
	}
	reader->p = cell;
	read_plain(reader);
	return NULL;
}

/* Skips the blanks in front of a cell, if blanks are between cells. */
static void skip_blanks(rg_csv_reader *reader)
{
	if (reader->delimiter == ' ')
		reader->p = after_blanks(reader->p, reader->end);
}

/* Takes a cell that is a number as a whole. Infinite ones are texts to some readers. */
static bool take_number(rg_csv_reader *reader, rg_csv_cell_place *cell)
{
	const char *p = reader->p, *end = reader->end;
	if (p == end || *p > '9' || reader->ends[(unsigned char)*p] ||
	    !rg_decimal_read(&p, end, &cell->number) || !isfinite(cell->number) ||
	    (p < end && (!*p || !reader->ends[(unsigned char)*p])))
		return false;
	cell->is_number = true;
	cell->length = cell->raw_length = (size_t)(p - reader->p);
	reader->left_out += cell->length + 1;
	reader->p = p;
	return true;
}

static rg_error *check_record_size(const rg_csv_reader *reader)
{
	if (reader->text.length + reader->left_out > RG_CSV_RECORD_MAX)
		return rg_error_new(RG_E_LIMIT, "csv: record %zu: more than %zu bytes",
				    reader->record, RG_CSV_RECORD_MAX);
	return NULL;
}

static rg_error *read_cell(rg_csv_reader *reader)
{
	size_t start = reader->text.length;
	if (reader->count == RG_CSV_COLUMNS_MAX)
		return rg_error_new(RG_E_LIMIT, "csv: record %zu: more than %d columns",
				    reader->record, RG_CSV_COLUMNS_MAX);
	rg_csv_cell_place *cell = RG_PUSH(reader->cells, reader->count, reader->capacity);
	*cell = (rg_csv_cell_place){.start = start, .raw = reader->p};
	if (reader->numbers && take_number(reader, cell))
		return check_record_size(reader);
	reader->has_nul = false;
	if (rg_csv_has_quotes(reader->delimiter) && reader->p < reader->end &&
	    (*reader->p == '"' || *reader->p == ' ' || *reader->p == '\t'))
		RG_TRY(read_quoted_or_plain(reader));
	else
		read_plain(reader);
	cell->raw_length = (size_t)(reader->p - cell->raw);
	cell->length = reader->text.length - start;
	RG_TRY(rg_buf_check(&reader->text, "csv"));
	RG_TRY(check_record_size(reader));
	if (reader->has_nul)
		return refuse(reader, "a NUL in a cell");
	rg_buf_char(&reader->text, '\0');
	return rg_buf_check(&reader->text, "csv");
}

rg_error *rg_csv_next(rg_csv_reader *reader, bool *more)
{
	rg_buf_clear(&reader->text);
	reader->count = reader->left_out = 0;
	*more = reader->p < reader->end;
	if (!*more)
		return NULL;
	reader->record++;
	reader->at = reader->p;
	if (reader->ends_of != reader->delimiter)
		find_ends(reader);
	rg_read_up_to(&reader->part, reader->at);
	skip_blanks(reader);
	for (;;) {
		RG_TRY(read_cell(reader));
		skip_blanks(reader);
		if (reader->p == reader->end)
			return NULL;
		if (reader->delimiter == ' ' && *reader->p != '\r' && *reader->p != '\n')
			continue;
		if (*reader->p == reader->delimiter) {
			reader->p++;
			continue;
		}
		switch (*reader->p++) {
		case '\r':
			if (reader->p < reader->end && *reader->p == '\n')
				reader->p++;
			return NULL;
		case '\n':
			return NULL;
		default:
			return refuse(reader, "text after a closing quote");
		}
	}
}

const char *rg_csv_cell(const rg_csv_reader *reader, size_t index)
{
	return index < reader->count ? reader->text.data + reader->cells[index].start : "";
}

rg_error *rg_csv_check_count(const rg_csv_reader *reader, size_t columns)
{
	if (reader->delimiter == ' ' ? reader->count == columns : reader->count <= columns)
		return NULL;
	return rg_error_new(RG_E_PARSE, "%zu cell%s under %zu column%s", reader->count,
			    reader->count == 1 ? "" : "s", columns, columns == 1 ? "" : "s");
}

/* Does the rule name a column so? */
static bool names_column(const rg_table_rule *rule, const char *name, size_t length)
{
	for (size_t i = 0; rule && i < rule->key_count; i++)
		if (rg_column_list_has(rule->keys[i], name, length))
			return true;
	return rule && rg_column_list_has(rule->columns, name, length);
}

bool rg_csv_is_header(const rg_csv_reader *reader, const rg_table_rule *rule)
{
	const bool comma = rg_csv_has_decimal_comma(reader);
	bool any = false;
	size_t length;
	rg_text_number number;
	if (rule && rule->header != RG_HEADER_NOT_SAID)
		return rule->header == RG_HEADER_YES;
	for (size_t i = 0; i < reader->count; i++) {
		const char *cell = rg_csv_trimmed(reader, i, &length);
		if ((!i && !length) || names_column(rule, cell, length))
			return true;
		any |= rg_cell_number_parse(&number, cell, length, comma);
	}
	return !any;
}

size_t rg_csv_line(const rg_csv_reader *reader)
{
	size_t line = 1;
	for (const char *p = reader->begin; p < reader->at; p++)
		line += *p == '\n' || (*p == '\r' && p[1] != '\n');
	return line;
}

const char *rg_csv_trimmed(const rg_csv_reader *reader, size_t index, size_t *length)
{
	const char *cell = rg_csv_cell(reader, index);
	*length = index < reader->count ? reader->cells[index].length : 0;
	if (rg_csv_number(reader, index))
		return reader->cells[index].raw;
	rg_cell_trim(&cell, length);
	return cell;
}

static bool is_blank(const rg_csv_reader *reader)
{
	size_t length;
	for (size_t i = 0; i < reader->count; i++) {
		(void)rg_csv_trimmed(reader, i, &length);
		if (length)
			return false;
	}
	return true;
}

rg_error *rg_csv_next_filled(rg_csv_reader *reader, bool *more)
{
	do {
		skip_idle_lines(reader);
		RG_TRY(rg_csv_next(reader, more));
	} while (*more && is_blank(reader));
	return NULL;
}

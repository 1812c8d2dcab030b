/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/table_text.h"

#include "base/memory.h"
#include "base/path.h"
#include "golden/csv_reader.h"
#include "golden/record_key.h"

#include <stdlib.h>
#include <string.h>

/* A table on its way. */
typedef struct {
	rg_table_text *table;
	const rg_table_rule *rule;
	rg_csv_reader csv;
	size_t read_count;      /* columns in the file */
	size_t *places;         /* of the table's columns in the file; NULL: as they are */
	size_t *key, key_count; /* columns of the table, in the key's order */
	const char **names;     /* of the records */
	rg_buf text;
} read_state;

static void read_state_release(read_state *r)
{
	rg_csv_reader_release(&r->csv);
	rg_buf_release(&r->text);
	free(r->key);
	free(r->places);
}

/* --- lines --- */

/* The record that was read last, with `count` cells of the table. */
static rg_table_line keep_line(read_state *r, size_t count)
{
	rg_arena *arena = &r->table->arena;
	rg_table_cell *cells = rg_arena_alloc(arena, (count + 1) * sizeof(*cells));
	const rg_csv_cell_place none = {0};

	for (size_t i = 0; i < count; i++) {
		const size_t index = r->places ? r->places[i] : i;
		const rg_csv_cell_place *place = index < r->csv.count ? &r->csv.cells[index]
								      : &none;
		rg_table_cell *cell = &cells[i];
		*cell = (rg_table_cell){.raw = place->raw, .raw_length = place->raw_length};
		cell->text = rg_csv_trimmed(&r->csv, index, &cell->length);
		if (!cell->raw) {
			cell->text = "";
		} else if (rg_table_cell_is_quoted(cell, r->csv.delimiter)) {
			cell->text = rg_arena_copy(arena, cell->text, cell->length);
		} else { /* the reader's own text lasts no longer than the line */
			cell->text = cell->raw;
			cell->length = cell->raw_length;
			rg_cell_trim(&cell->text, &cell->length);
		}
	}
	return (rg_table_line){r->csv.at, r->csv.p, cells};
}

/* --- columns --- */

static rg_error *read_header(read_state *r, const char *wanted)
{
	rg_table_text *t = r->table;
	rg_arena *arena = &t->arena;

	r->read_count = r->csv.count;
	t->header = keep_line(r, r->csv.count);
	for (size_t i = 0; i < r->csv.count; i++)
		RG_TRY(rg_columns_add(t->columns, &t->column_count, arena, t->header.cells[i].text,
				      t->header.cells[i].length));
	if (!wanted)
		return NULL;
	RG_AUTO_FREE rg_column_name *all = RG_TAKE(t->columns);
	t->column_count = 0;
	t->columns = rg_calloc(r->read_count + 1, sizeof(*t->columns));
	r->places = rg_calloc(r->read_count + 1, sizeof(*r->places));
	while (wanted) {
		rg_column_name name = rg_column_list_next(&wanted);
		size_t at = rg_columns_find(all, r->read_count, name.name, name.length);
		if (at == SIZE_MAX)
			return rg_error_new(RG_E_PARSE, "has no column '%.*s'", (int)name.length,
					    name.name);
		r->places[t->column_count] = at;
		RG_TRY(rg_columns_add(t->columns, &t->column_count, arena, name.name, name.length));
	}
	t->header = keep_line(r, t->column_count);
	return NULL;
}

/* Finds the key's columns. The metric tells records of a long table apart, too. */
static rg_error *choose_key(read_state *r)
{
	rg_table_text *t = r->table;
	const char *metric = r->rule ? r->rule->metric : NULL;

	r->key = rg_calloc(t->column_count + 2, sizeof(*r->key));
	t->is_key = rg_calloc(t->column_count + 1, sizeof(*t->is_key));
	if (r->rule && r->rule->by_place)
		return NULL;
	RG_TRY(rg_columns_key(r->key, &r->key_count, t->columns, t->column_count, r->rule));
	for (size_t i = 0; i < r->key_count; i++)
		t->is_key[r->key[i]] = true;
	if (!metric)
		return NULL;
	size_t at = rg_columns_find(t->columns, t->column_count, metric, strlen(metric));
	if (at == SIZE_MAX)
		return rg_error_new(RG_E_PARSE,
				    "has no column '%s', which [table \"%s\"] has as its metric",
				    metric, r->rule->pattern);
	if (!t->is_key[at])
		r->key[r->key_count++] = at;
	t->is_key[at] = true;
	return NULL;
}

/* --- records --- */

static rg_error *name_records(read_state *r)
{
	rg_table_text *t = r->table;
	rg_records *records;
	r->names = rg_arena_alloc(&t->arena, (t->count + 1) * sizeof(*r->names));
	for (size_t k = 0; k < t->count; k++) {
		size_t all = 0;
		rg_buf_clear(&r->text);
		for (size_t i = 0; i < r->key_count; i++) {
			const rg_table_cell *cell = &t->lines[k].cells[r->key[i]];
			all += cell->length;
			rg_record_key_add(&r->text, cell->text, cell->length, i, r->key_count);
		}
		if (!r->key_count)
			rg_buf_printf(&r->text, "place %zu", k + 1);
		RG_TRY(rg_error_wrap(rg_buf_check(&r->text, "a record's key"), "record %zu",
				     k + 1));
		if (!all && r->key_count && !t->record_key)
			return rg_error_new(RG_E_PARSE, "record %zu: a record without a key",
					    k + 1);
		r->names[k] = rg_arena_copy(&t->arena, r->text.data, r->text.length);
	}
	RG_TRY(rg_records_new(&records, &t->arena, r->names, t->count));
	t->records = records;
	return NULL;
}

/* The first column names no record: others together may, or their places do. */
static rg_error *find_key(read_state *r)
{
	rg_table_text *t = r->table;
	const bool comma = rg_csv_has_decimal_comma(&r->csv);
	RG_AUTO_FREE rg_record_column *cells = rg_calloc(t->column_count + 1, sizeof(*cells));
	RG_AUTO_FREE rg_key_column *columns = rg_calloc(t->column_count + 1, sizeof(*columns));
	size_t key[RG_RECORD_KEY_MAX];

	for (size_t c = 0; c < t->column_count; c++) {
		for (size_t i = 0; i < t->count; i++)
			rg_record_column_cell(&cells[c], (int64_t)i, t->lines[i].cells[c].text,
					      t->lines[i].cells[c].length, NULL, comma, &t->arena);
		columns[c] = (rg_key_column){t->columns[c].name, &cells[c]};
	}
	t->record_key = rg_record_key_find(key, &r->key_count, &t->arena, columns, t->column_count,
					   t->count);
	t->is_key[r->key[0]] = false;
	r->key = rg_realloc(r->key, (RG_RECORD_KEY_MAX + 1) * sizeof(*r->key));
	for (size_t i = 0; i < r->key_count; i++)
		t->is_key[r->key[i] = key[i]] = true;
	for (size_t c = 0; c < t->column_count; c++)
		rg_record_column_release(&cells[c]);
	return name_records(r);
}

static rg_error *read_table(read_state *r, const char *wanted)
{
	const rg_table_rule *rule = r->rule;
	rg_table_text *t = r->table;
	bool more;

	t->columns = rg_calloc(RG_CSV_COLUMNS_MAX, sizeof(*t->columns));
	RG_TRY(rg_csv_next_filled(&r->csv, &more));
	if (!more)
		return rg_error_new(RG_E_PARSE, "a table without a line");
	t->has_header = rg_csv_is_header(&r->csv, rule) ||
			(wanted && !(rule && rule->header == RG_HEADER_NO));
	if (!t->has_header && wanted)
		return rg_error_new(RG_E_PARSE, "a table without a header, of which no columns can "
						"be chosen");
	if (t->has_header) {
		RG_TRY(read_header(r, wanted));
	} else {
		RG_TRY(rg_columns_name(t->columns, &t->column_count, &t->arena, rule,
				       r->csv.count));
		r->read_count = t->column_count;
	}
	RG_TRY(choose_key(r));
	if (t->has_header)
		RG_TRY(rg_csv_next_filled(&r->csv, &more));
	while (more) {
		rg_error *err = rg_csv_check_count(&r->csv, r->read_count);
		if (err) /* lines are counted only then, from the beginning of the file */
			return rg_error_wrap(err, "line %zu", rg_csv_line(&r->csv));
		*RG_PUSH(t->lines, t->count, t->capacity) = keep_line(r, t->column_count);
		RG_TRY(rg_csv_next_filled(&r->csv, &more));
	}
	RG_AUTO_PTR(rg_error) err = name_records(r);
	if (!err || (rule && (rule->key_count || rule->by_place || rule->metric)))
		return RG_TAKE(err);
	return find_key(r);
}

rg_error *rg_table_text_read(rg_table_text *out, const char *name, rg_bytes bytes,
			     const rg_table_rule *rule, const char *wanted)
{
	RG_AUTO(read_state) r = {.table = out, .rule = rule};
	*out = (rg_table_text){0};
	rg_arena_init(&out->arena);
	rg_buf_init(&r.text, RG_CSV_RECORD_MAX * 3);
	rg_csv_reader_open(&r.csv, bytes.data, bytes.size, name, rule);
	out->begin = r.csv.begin;
	out->end = r.csv.end;
	out->first = r.csv.p;
	out->marked = out->begin != bytes.data;
	out->delimiter = r.csv.delimiter;
	if (out->delimiter == ' ')
		return rg_error_new(RG_E_PARSE,
				    "blanks between cells, which are read but never written");
	return read_table(&r, wanted);
}

void rg_table_text_release(rg_table_text *table)
{
	free(table->columns);
	free(table->lines);
	free(table->is_key);
	rg_arena_release(&table->arena);
	*table = (rg_table_text){0};
}

const char *rg_table_comment(const rg_buf *out, const rg_table_rule *rule)
{
	static const char mark[] = "\xef\xbb\xbf";
	const char *at = out->data, *end = out->data + out->length;

	if (rule && rule->comment)
		return rule->comment;
	if ((size_t)(end - at) >= strlen(mark) && !memcmp(at, mark, strlen(mark)))
		at += strlen(mark);
	(void)rg_csv_separator(&at, end);
	while (at < end && (*at == '\n' || *at == '\r'))
		at++;
	return (at < end && *at == '#') || (rule && rule->delimiter == ' ') ? "#" : NULL;
}

rg_error *rg_table_check_line(const rg_buf *out, size_t start, const rg_table_rule *rule)
{
	const char *comment = rg_table_comment(out, rule);
	size_t length = comment ? strlen(comment) : 0;
	if (!comment || out->length - start < length || memcmp(out->data + start, comment, length))
		return NULL;
	return rg_error_new(RG_E_PARSE, "a record begins with '%s', as a comment does", comment);
}

rg_error *rg_table_check_delimiter(const rg_buf *out, char delimiter, const char *name,
				   const rg_table_rule *rule)
{
	RG_AUTO(rg_csv_reader) csv = {0};
	rg_csv_reader_open(&csv, out->data, out->length, name, rule);
	size_t size = (size_t)(csv.end - csv.p);
	/* One column alone has no delimiter. */
	if (csv.delimiter == delimiter ||
	    (csv.delimiter == ',' && !memchr(csv.p, ',', size) && !memchr(csv.p, delimiter, size)))
		return NULL;
	return rg_error_new(RG_E_PARSE,
			    "its first line would be read with other delimiters; "
			    "say which it has in .regild: [table \"%s\"] delimiter",
			    rg_path_name(name));
}

/* --- line ends --- */

const char *rg_table_line_end(const rg_table_line *line, size_t *length)
{
	const char *p = line->end;
	if (p > line->begin && p[-1] == '\n')
		p--;
	if (p > line->begin && p[-1] == '\r')
		p--;
	*length = (size_t)(line->end - p);
	return p;
}

const char *rg_table_ending(const rg_table_text *table, size_t *length)
{
	const rg_table_line *line = table->has_header ? &table->header : table->lines;
	const char *end = "";

	*length = 0;
	if (table->has_header || table->count)
		end = rg_table_line_end(line, length);
	if (*length)
		return end;
	*length = 1;
	return "\n";
}

/* --- cells --- */

bool rg_table_needs_quotes(const char *text, size_t length, char delimiter)
{
	for (size_t i = 0; i < length; i++)
		if (text[i] == delimiter || text[i] == '"' || text[i] == '\r' || text[i] == '\n')
			return true;
	return false;
}

rg_error *rg_table_cell_write(rg_buf *out, const char *text, size_t length, char delimiter,
			      bool quoted, const rg_table_cell *like)
{
	size_t before = 0;
	quoted = delimiter != '\t' && (quoted || rg_table_needs_quotes(text, length, delimiter));
	for (size_t i = 0; delimiter == '\t' && i < length; i++)
		if (text[i] == delimiter || text[i] == '\r' || text[i] == '\n')
			return rg_error_new(RG_E_PARSE, "a cell with a tab or a line end, which no "
							"table with tabs can hold");
	if (quoted) { /* a quote must be the cell's first byte */
		rg_buf_quoted(out, text, length);
		return NULL;
	}
	if (like && (!like->raw || rg_table_cell_is_quoted(like, delimiter)))
		like = NULL;
	if (like)
		before = (size_t)(like->text - like->raw);
	if (before)
		rg_buf_add(out, like->raw, before);
	rg_buf_add(out, text, length);
	if (like && like->raw_length > before + like->length)
		rg_buf_add(out, like->text + like->length,
			   like->raw_length - before - like->length);
	return NULL;
}

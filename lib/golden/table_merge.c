/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/table_merge.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "golden/csv_reader.h"
#include "golden/record_key.h"
#include "golden/table_round.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A record of a shard. */
typedef struct {
	const char *key;
	size_t shard, line;
} record;

typedef struct {
	const rg_table_shape *shape;
	rg_table_text *tables;
	size_t count;
	record *records; /* by key */
	size_t record_count;
	bool **dropped; /* of each shard's lines: an earlier shard has the record */
	char delimiter;
	rg_arena arena;
	rg_buf *out;
} merge_state;

static void merge_state_release(merge_state *m)
{
	for (size_t i = 0; i < m->count; i++)
		rg_table_text_release(&m->tables[i]);
	rg_arena_release(&m->arena);
	free(m->records);
	free(m->dropped);
	free(m->tables);
}

static const rg_table_line *line_of(const merge_state *m, const record *r)
{
	return &m->tables[r->shard].lines[r->line];
}

/* The key that was found in a shard, and its first column, which tells records of others apart. */
static const char *widen(merge_state *m, const rg_table_text *t)
{
	const rg_column_name *first = &t->columns[0];
	if (rg_column_list_has(t->record_key, first->name, first->length) ||
	    memchr(first->name, ',', first->length) || !*t->record_key)
		return rg_arena_text(&m->arena, t->record_key);
	return rg_arena_textf(&m->arena, "%.*s,%s", (int)first->length, first->name, t->record_key);
}

static rg_error *read_shards(merge_state *m, const rg_table_shard *shards, size_t *clash)
{
	for (size_t i = 0; i < m->count; i++) {
		rg_table_text *t = &m->tables[i];
		clash[0] = i;
		RG_TRY(rg_table_text_read(t, shards[i].name, shards[i].bytes, m->shape->rule,
					  m->shape->columns));
		/* A place does not say that two shards have the same record. */
		if (m->count > 1 && t->record_key && !*t->record_key)
			return rg_error_new(RG_E_PARSE,
					    "its first column, '%.*s', is there twice with the "
					    "same value: name "
					    "the columns that tell its records apart in .regild: "
					    "[table \"%s\"] "
					    "key = COLUMN,COLUMN",
					    (int)t->columns[0].length, t->columns[0].name,
					    rg_path_name(m->shape->name));
	}
	return NULL;
}

/* Reads them again by one key, if one was found: by that which tells the most records apart. */
static rg_error *agree_on_key(merge_state *m, const rg_table_shard *shards, size_t *clash)
{
	const char *key = NULL;
	for (size_t i = 0; i < m->count; i++) {
		const rg_table_text *t = &m->tables[i];
		const char *found = t->record_key ? widen(m, t) : NULL;
		if (rg_record_key_rank(found) > rg_record_key_rank(key))
			key = found;
	}
	if (!key || !*key)
		return NULL;
	const rg_table_rule rule = rg_record_key_rule(m->shape->rule, &key);
	for (size_t i = 0; i < m->count; i++) {
		clash[0] = i;
		rg_table_text_release(&m->tables[i]);
		RG_TRY(rg_table_text_read(&m->tables[i], shards[i].name, shards[i].bytes, &rule,
					  m->shape->columns));
	}
	return NULL;
}

/* The new table's delimiter: by its name or, if that leaves a choice, as in the first shard. */
static char delimiter_of(const merge_state *m)
{
	if (m->shape->rule && m->shape->rule->delimiter)
		return m->shape->rule->delimiter;
	if (!rg_ends_with(m->shape->name, ".csv"))
		return '\t';
	return m->tables[0].delimiter == ';' ? ';' : ',';
}

/* The first column of `a` that `b` lacks; NULL: there is none. */
static const rg_column_name *find_lacking(const rg_table_text *a, const rg_table_text *b)
{
	for (size_t c = 0; c < a->column_count; c++)
		if (rg_columns_find(b->columns, b->column_count, a->columns[c].name,
				    a->columns[c].length) == SIZE_MAX)
			return &a->columns[c];
	return NULL;
}

static rg_error *check_columns(const merge_state *m, size_t *clash)
{
	const rg_table_text *first = &m->tables[0];
	for (size_t i = 1; i < m->count; i++) {
		const rg_table_text *t = &m->tables[i];
		bool same = t->column_count == first->column_count;

		for (size_t c = 0; same && c < t->column_count; c++)
			same = rg_columns_find(&first->columns[c], 1, t->columns[c].name,
					       t->columns[c].length) == 0;
		clash[1] = i;
		if (same)
			continue;
		const rg_column_name *name = find_lacking(first, t);
		name = name ? name : find_lacking(t, first);
		return name ? rg_error_new(RG_E_CONFLICT, "only one has a column '%.*s'",
					   (int)name->length, name->name)
			    : rg_error_new(RG_E_CONFLICT,
					   "their columns are not in the same order");
	}
	return NULL;
}

RG_ORDER(compare_records, record, RG_BY_TEXT(key) || RG_RISING(shard));

/* A key appears at most once in a shard; the first of several shards that have it counts. */
static rg_error *drop_doubles(merge_state *m, size_t *clash)
{
	const rg_table_text *t = &m->tables[0];
	size_t first = 0, n = 0;

	for (size_t i = 0; i < m->count; i++)
		m->record_count += m->tables[i].count;
	m->records = rg_calloc(m->record_count + 1, sizeof(*m->records));
	for (size_t i = 0; i < m->count; i++) {
		m->dropped[i] = rg_arena_alloc(&m->arena, m->tables[i].count + 1);
		for (size_t k = 0; k < m->tables[i].count; k++)
			m->records[n++] = (record){m->tables[i].records->names[k], i, k};
	}
	qsort(m->records, n, sizeof(*m->records), compare_records);
	for (size_t i = 1; i < m->record_count; i++) {
		const record *a = &m->records[first], *b = &m->records[i];
		if (strcmp(a->key, b->key) != 0) {
			first = i;
			continue;
		}
		for (size_t c = 0; c < t->column_count; c++) {
			const rg_table_cell *left = &line_of(m, a)->cells[c];
			const rg_table_cell *right = &line_of(m, b)->cells[c];

			if (rg_table_cells_agree(left, right, m->shape->digits))
				continue;
			clash[0] = a->shard;
			clash[1] = b->shard;
			return rg_error_new(
				RG_E_CONFLICT, "record '%.200s' has '%.*s' and '%.*s' under '%.*s'",
				a->key, (int)left->length, left->text, (int)right->length,
				right->text, (int)t->columns[c].length, t->columns[c].name);
		}
		m->dropped[b->shard][b->line] = true;
	}
	return NULL;
}

/* --- writing --- */

static void write_span(const merge_state *m, const char *from, const char *to)
{
	rg_buf_add(m->out, from, (size_t)(to - from));
}

/*
 * Writes the comments and blank lines between two records of a table. Under another delimiter a
 * line of delimiters is not blank, and in a table without remarks a remark would be a record.
 */
static void write_gap(const merge_state *m, const rg_table_text *t, const char *from,
		      const char *to)
{
	const char *comment = rg_table_comment(m->out, m->shape->rule), *next;
	const size_t length = comment ? strlen(comment) : 0;

	for (; from < to; from = next) {
		const bool remark = comment && (size_t)(to - from) >= length &&
				    !memcmp(from, comment, length);

		next = rg_csv_after_line(from, to);
		if (remark || *from == '\n' || *from == '\r' ||
		    (t->delimiter == m->delimiter && *from != '#'))
			write_span(m, from, next);
	}
}

/* The cells that name a record are never rounded. */
static rg_error *write_cells(merge_state *m, const rg_table_text *t, const rg_table_line *line,
			     unsigned digits)
{
	const bool same = t->delimiter == m->delimiter;
	const size_t start = m->out->length;
	const char *text;
	size_t length;

	for (size_t c = 0; c < t->column_count; c++) {
		const rg_table_cell *cell = &line->cells[c];
		if (c)
			rg_buf_char(m->out, m->delimiter);
		rg_table_round(cell, t->is_key[c] ? 0 : digits, &m->arena, &text, &length);
		if (same && length == cell->length && !memcmp(text, cell->text, length))
			rg_buf_add(m->out, cell->raw, cell->raw_length);
		else
			RG_TRY(rg_table_cell_write(m->out, text, length, m->delimiter,
						   rg_table_cell_is_quoted(cell, t->delimiter),
						   same ? cell : NULL));
	}
	RG_TRY(rg_buf_check(m->out, "the table"));
	return rg_table_check_line(m->out, start, m->shape->rule);
}

/* Lines end as the first shard's do; whether the last one does is for the caller. */
static rg_error *write_shard(merge_state *m, size_t shard, bool *first)
{
	const rg_table_text *t = &m->tables[shard];
	const char *end = t->has_header ? t->header.end : t->first;
	size_t length;

	const char *ending = rg_table_ending(&m->tables[0], &length);
	for (size_t i = 0; i < t->count; i++) {
		const rg_table_line *line = &t->lines[i];
		const char *before = end;

		end = line->end;
		if (m->dropped[shard][i])
			continue;
		if (!*first)
			rg_buf_add(m->out, ending, length);
		*first = false;
		write_gap(m, t, before, line->begin);
		RG_TRY(write_cells(m, t, line, m->shape->digits));
	}
	return NULL;
}

/* One line in front can decide how all others are read: the table is read back. */
static rg_error *check_merged(const merge_state *m)
{
	RG_AUTO(rg_table_text) made = {0};
	size_t count = 0;

	RG_TRY(rg_table_text_read(&made, m->shape->name, (rg_bytes){m->out->data, m->out->length},
				  m->shape->rule, NULL));
	for (size_t i = 0; i < m->count; i++)
		for (size_t k = 0; k < m->tables[i].count; k++)
			count += !m->dropped[i][k];
	return made.count == count && made.column_count == m->tables[0].column_count
		       ? NULL
		       : rg_error_new(RG_E_PARSE,
				      "together they would be read as another table: name their "
				      "key and header in .regild: [table \"%s\"]",
				      rg_path_name(m->shape->name));
}

static rg_error *write_merged(merge_state *m)
{
	static const char mark[] = "\xef\xbb\xbf";
	const rg_table_text *t = &m->tables[0];
	const rg_table_line *last = t->count ? &t->lines[t->count - 1] : &t->header;
	bool first = true;
	size_t length;

	if (t->marked)
		rg_buf_str(m->out, mark);
	write_span(m, t->begin, t->first);
	if (t->has_header) {
		write_gap(m, t, t->first, t->header.begin);
		RG_TRY(write_cells(m, t, &t->header, 0));
		first = false;
	}
	for (size_t i = 0; i < m->count; i++)
		RG_TRY(write_shard(m, i, &first));
	/* The first table ends with its own line end and blank lines. */
	const char *own = rg_table_line_end(last, &length);
	rg_buf_add(m->out, own, length);
	write_gap(m, t, last->end, t->end);
	RG_TRY(rg_buf_check(m->out, "the table"));
	RG_TRY(rg_table_check_delimiter(m->out, m->delimiter, m->shape->name, m->shape->rule));
	return check_merged(m);
}

rg_error *rg_table_merge(rg_buf *out, const rg_table_shard *shards, size_t count,
			 const rg_table_shape *shape, size_t clash[static 2])
{
	RG_AUTO(merge_state) m = {.shape = shape, .count = count, .out = out};

	m.tables = rg_calloc(count + 1, sizeof(*m.tables));
	m.dropped = rg_calloc(count + 1, sizeof(*m.dropped));
	rg_arena_init(&m.arena);
	clash[0] = clash[1] = 0;
	RG_TRY(read_shards(&m, shards, clash));
	m.delimiter = delimiter_of(&m);
	clash[0] = 0;
	RG_TRY(check_columns(&m, clash));
	RG_TRY(agree_on_key(&m, shards, clash));
	clash[0] = 0;
	RG_TRY(drop_doubles(&m, clash));
	return write_merged(&m);
}

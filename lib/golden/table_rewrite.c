/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/table_rewrite.h"

#include "base/memory.h"
#include "base/path.h"
#include "golden/format.h"
#include "golden/record_key.h"
#include "golden/table_round.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NONE SIZE_MAX

/* A record or column that is written, by its place on both sides; NONE: that side lacks it. */
typedef struct {
	size_t old, fresh;
} match;

typedef struct {
	const rg_table_manner *manner;
	rg_table_text old, fresh;
	match *lines, *columns;
	size_t line_count, column_count;
	bool *quotes;       /* of the old columns: cells have quotes that need none */
	const char *metric; /* the only one that changes; NULL: all do */
	size_t value;       /* its column in the old table */
	size_t named;       /* in a long table, the column that names it; else NONE */
	bool found;
	bool is_named;      /* the new table's records, alone: no key had to be found */
	size_t front, back; /* how many records that nothing names are the same at both ends */
	rg_buf *out;
} rewrite_state;

static void rewrite_state_release(rewrite_state *r)
{
	free(r->quotes);
	free(r->columns);
	free(r->lines);
	rg_table_text_release(&r->fresh);
	rg_table_text_release(&r->old);
}

/* --- places in both tables --- */

/* The record, or column, of the old table that is `index` of the new one. */
typedef size_t find_fn(const rewrite_state *r, size_t index);

static bool is_by_place(const rg_table_text *t)
{
	return t->record_key && !*t->record_key;
}

static bool same_cells(const rewrite_state *r, size_t old, size_t fresh)
{
	for (size_t c = 0; c < r->old.column_count; c++) {
		const rg_table_cell *a = &r->old.lines[old].cells[c];
		const rg_table_cell *b = &r->fresh.lines[fresh].cells[c];
		if (c == r->fresh.column_count || a->length != b->length ||
		    memcmp(a->text, b->text, a->length) != 0)
			return false;
	}
	return true;
}

/* Counts the records that are the same in front, and those of the rest that are at the end. */
static void find_ends(rewrite_state *r)
{
	const size_t old = r->old.count, fresh = r->fresh.count, least = old < fresh ? old : fresh;
	while (r->front < least && same_cells(r, r->front, r->front))
		r->front++;
	while (r->front + r->back < least && same_cells(r, old - r->back - 1, fresh - r->back - 1))
		r->back++;
}

static size_t find_line(const rewrite_state *r, size_t index)
{
	const size_t old = r->old.count, fresh = r->fresh.count;
	size_t place;

	if (!is_by_place(&r->old))
		return rg_records_find(r->old.records, r->fresh.records->names[index], &place)
			       ? place
			       : NONE;
	/* Nothing names the records: they are counted from the end that is the same. */
	if (index + r->back >= fresh)
		return old - (fresh - index);
	return index + r->back < old ? index : NONE;
}

static size_t find_column(const rewrite_state *r, size_t index)
{
	const rg_column_name *name = &r->fresh.columns[index];
	return rg_columns_find(r->old.columns, r->old.column_count, name->name, name->length);
}

/* Lists the old ones that are kept in their order, each followed by those that are new after it. */
static void match_up(const rewrite_state *r, find_fn *find, size_t old_count, size_t fresh_count,
		     match **out, size_t *count)
{
	RG_AUTO_FREE size_t *fresh_of = rg_calloc(old_count + 1, sizeof(*fresh_of));
	RG_AUTO_FREE size_t *old_of = rg_calloc(fresh_count + 1, sizeof(*old_of));
	match *list = rg_calloc(old_count + fresh_count + 1, sizeof(*list));
	size_t n = 0;

	for (size_t i = 0; i < old_count; i++)
		fresh_of[i] = NONE;
	for (size_t i = 0; i < fresh_count; i++) {
		old_of[i] = find(r, i);
		if (old_of[i] != NONE)
			fresh_of[old_of[i]] = i;
	}
	for (size_t k = 0; k < fresh_count && old_of[k] == NONE; k++)
		list[n++] = (match){NONE, k};
	for (size_t i = 0; i < old_count; i++) {
		if (fresh_of[i] == NONE)
			continue;
		list[n++] = (match){i, fresh_of[i]};
		for (size_t k = fresh_of[i] + 1; k < fresh_count && old_of[k] == NONE; k++)
			list[n++] = (match){NONE, k};
	}
	*out = list;
	*count = n;
}

/* Leaves every record, or column, of the old table, with the one of the new table that it is. */
static void keep_old(match *list, size_t *count, size_t old_count)
{
	size_t kept = 0, place = 0;
	for (size_t i = 0; i < *count; i++)
		if (list[i].old != NONE)
			list[kept++] = list[i];
	/* They ascend by `old`: those that are missing go in from the end. */
	*count = old_count;
	for (size_t i = old_count; i-- > 0;) {
		place = kept && list[kept - 1].old == i ? list[--kept].fresh : NONE;
		list[i] = (match){i, place};
	}
}

/* --- the old table's manner --- */

static void find_quotes(rewrite_state *r)
{
	const rg_table_text *old = &r->old;
	for (size_t i = 0; i < old->count; i++)
		for (size_t c = 0; c < old->column_count; c++) {
			const rg_table_cell *cell = &old->lines[i].cells[c];
			if (rg_table_cell_is_quoted(cell, old->delimiter) &&
			    !rg_table_needs_quotes(cell->text, cell->length, old->delimiter))
				r->quotes[c] = true;
		}
}

/* The blank lines between the line before a record and the record. */
static const char *gap_before(const rg_table_text *t, size_t line, size_t *length)
{
	const char *from = line ? t->lines[line - 1].end : t->has_header ? t->header.end : t->begin;
	*length = (size_t)(t->lines[line].begin - from);
	return from;
}

static bool is_blank(const char *text, size_t length)
{
	size_t i = 0;
	while (i < length && strchr(" \t\r\n", text[i]) && text[i])
		i++;
	return i == length;
}

/* The gap that more than half of the records have, if one has. A comment belongs to its own record,
 * and does not count. */
static const char *usual_gap(const rg_table_text *t, size_t *length)
{
	size_t i = !t->has_header, votes = 0, n;
	const char *usual = "", *gap;

	*length = 0;
	for (; i < t->count; i++) {
		gap = gap_before(t, i, &n);
		if (!is_blank(gap, n))
			n = 0;
		if (!votes) {
			usual = gap;
			*length = n;
		}
		if (n == *length && !memcmp(gap, usual, n))
			votes++;
		else
			votes--;
	}
	return usual;
}

/* --- writing --- */

static const rg_table_cell *old_cell(const rewrite_state *r, size_t line, size_t column)
{
	return line == NONE || column == NONE ? NULL : &r->old.lines[line].cells[column];
}

/* Does this cell of a kept record take the new value? */
static bool is_taken(const rewrite_state *r, const match *line, const match *column)
{
	if (!r->metric)
		return true;
	if (line->fresh == NONE || column->old != r->value || column->fresh == NONE)
		return false;
	const rg_table_cell *name = r->named == NONE ? NULL
						     : &r->old.lines[line->old].cells[r->named];
	return !name ||
	       (name->length == strlen(r->metric) && !memcmp(name->text, r->metric, name->length));
}

/* The cell that this one has to be read as. */
static const rg_table_cell *source_of(const rewrite_state *r, const match *line,
				      const match *column)
{
	const rg_table_cell *own = old_cell(r, line->old, column->old);
	return own && !is_taken(r, line, column)
		       ? own
		       : &r->fresh.lines[line->fresh].cells[column->fresh];
}

static bool wants_quotes(const rewrite_state *r, const rg_table_cell *own, size_t column)
{
	if (column == NONE)
		return false;
	if (own && !rg_table_needs_quotes(own->text, own->length, r->old.delimiter))
		return rg_table_cell_is_quoted(own, r->old.delimiter);
	return r->quotes[column];
}

/* `neighbour` is an old record whose layout a new one takes over. */
static rg_error *write_cell(rewrite_state *r, const match *line, const match *column,
			    size_t neighbour)
{
	const rg_table_cell *own = old_cell(r, line->old, column->old);
	if (own && !is_taken(r, line, column)) {
		rg_buf_add(r->out, own->raw, own->raw_length);
		return NULL;
	}
	r->found = true;
	const rg_table_cell *fresh = &r->fresh.lines[line->fresh].cells[column->fresh];
	if (own && rg_table_cells_agree(own, fresh, r->manner->digits)) {
		rg_buf_add(r->out, own->raw, own->raw_length);
		return NULL;
	}
	return rg_table_cell_write(r->out, fresh->text, fresh->length, r->old.delimiter,
				   wants_quotes(r, own, column->old),
				   own ? own : old_cell(r, neighbour, column->old));
}

/* A line that ended before its last cells still does, where there is nothing in them. */
static rg_error *write_cells(rewrite_state *r, const match *line, size_t neighbour)
{
	size_t kept = 0, start = r->out->length;
	for (size_t c = 0; c < r->column_count; c++) {
		const rg_table_cell *own = old_cell(r, line->old, r->columns[c].old);
		if (c)
			rg_buf_char(r->out, r->old.delimiter);
		size_t before = r->out->length;
		RG_TRY(write_cell(r, line, &r->columns[c], neighbour));
		if (!own || own->raw || r->out->length > before)
			kept = r->out->length;
	}
	rg_buf_truncate(r->out, kept);
	RG_TRY(rg_buf_check(r->out, "the table"));
	return rg_table_check_line(r->out, start, r->manner->rule);
}

static rg_error *write_header(rewrite_state *r)
{
	const rg_table_text *old = &r->old;
	rg_buf_add(r->out, old->begin, (size_t)(old->header.begin - old->begin));
	for (size_t c = 0; c < r->column_count; c++) {
		const match *column = &r->columns[c];
		const rg_table_cell *cell = column->old != NONE
						    ? &old->header.cells[column->old]
						    : &r->fresh.header.cells[column->fresh];

		if (c)
			rg_buf_char(r->out, old->delimiter);
		if (column->old != NONE)
			rg_buf_add(r->out, cell->raw, cell->raw_length);
		else
			RG_TRY(rg_table_cell_write(r->out, cell->text, cell->length, old->delimiter,
						   false, NULL));
	}
	return NULL;
}

/* Writes the line end of the old line, but at the end of the file that of the last one. */
static void end_line(rewrite_state *r, size_t line, bool last)
{
	const rg_table_text *old = &r->old;
	const rg_table_line *own = line != NONE      ? &old->lines[line]
				   : old->has_header ? &old->header
						     : NULL;
	const char *end = "";
	size_t length = 0;

	if (last) /* whatever it is: the file ends as it did */
		own = old->count ? &old->lines[old->count - 1] : &old->header;
	if (own)
		end = rg_table_line_end(own, &length);
	if (!length && !last)
		end = rg_table_ending(old, &length);
	rg_buf_add(r->out, end, length);
}

static rg_error *write_lines(rewrite_state *r)
{
	const rg_table_text *old = &r->old;
	size_t usual_length, length, neighbour = old->count ? 0 : NONE;
	const char *usual = usual_gap(old, &usual_length), *gap;

	for (size_t i = 0; i < r->line_count; i++) {
		const match *line = &r->lines[i];
		size_t own = line->old;

		/* The file's first line keeps its place. */
		if (!i && !old->has_header)
			own = 0;
		gap = usual;
		length = usual_length;
		if (own != NONE && (own || !i || old->has_header))
			gap = gap_before(old, own, &length);
		rg_buf_add(r->out, gap, length);
		if (line->old != NONE)
			neighbour = line->old;
		RG_TRY(write_cells(r, line, neighbour));
		end_line(r, line->old, i + 1 == r->line_count);
	}
	return NULL;
}

static rg_error *write_table(rewrite_state *r)
{
	static const char mark[] = "\xef\xbb\xbf";
	const rg_table_text *old = &r->old;
	const char *tail = old->count ? old->lines[old->count - 1].end : old->header.end;

	if (old->marked)
		rg_buf_str(r->out, mark);
	if (old->has_header) {
		RG_TRY(write_header(r));
		end_line(r, NONE, !r->line_count);
	}
	RG_TRY(write_lines(r));
	rg_buf_add(r->out, tail, (size_t)(old->end - tail));
	/* In the new table, blank lines were before it. */
	if (!old->marked && r->out->length >= sizeof(mark) - 1 &&
	    !memcmp(r->out->data, mark, sizeof(mark) - 1))
		return rg_error_new(RG_E_PARSE, "its first record begins with a byte order mark, "
						"which would be read as the file's own");
	return rg_buf_check(r->out, "the table");
}

/* One line in front can decide how all others are read, and one record how they are named: what is
 * written is read back, and has to be the records that were to be written. */
static rg_error *check_values(const rewrite_state *r, rg_bytes from)
{
	RG_AUTO(rg_table_text) made = {0};
	const rg_table_manner *manner = r->manner;
	bool same = r->out->length == from.size && !memcmp(r->out->data, from.data, from.size);

	if (same)
		return NULL;
	RG_TRY(rg_table_text_read(&made, manner->name, (rg_bytes){r->out->data, r->out->length},
				  manner->rule, NULL));
	same = made.count == r->line_count && made.column_count == r->column_count &&
	       made.has_header == r->old.has_header;
	/* Another text is another record if the first column or a rule names the records. */
	const bool named = !made.record_key && r->is_named && !r->metric;
	for (size_t i = 0; same && i < made.count; i++)
		for (size_t c = 0; same && c < made.column_count; c++) {
			const rg_table_cell *is = &made.lines[i].cells[c];
			const rg_table_cell *was = source_of(r, &r->lines[i], &r->columns[c]);

			same = named && made.is_key[c]
				       ? is->length == was->length &&
						 !memcmp(is->text, was->text, is->length)
				       : rg_table_cells_agree(is, was, manner->digits);
		}
	return same ? NULL
		    : rg_error_new(RG_E_PARSE,
				   "in the old table's manner it would be read as another table: "
				   "name its key and header in .regild: [table \"%s\"]",
				   rg_path_name(manner->name));
}

/* --- both ways --- */

/* Finds the metric's column and, in a long table, the one with the metrics' names. */
static bool find_metric(rewrite_state *r)
{
	const rg_table_rule *rule = r->manner->rule;
	const char *value = rule && rule->metric ? rule->value : r->metric;

	r->named = NONE;
	if (rule && rule->metric)
		r->named = rg_columns_find(r->old.columns, r->old.column_count, rule->metric,
					   strlen(rule->metric));
	r->value =
		value ? rg_columns_find(r->old.columns, r->old.column_count, value, strlen(value))
		      : NONE;
	return r->value != NONE && !r->old.is_key[r->value] &&
	       rg_columns_find(r->fresh.columns, r->fresh.column_count,
			       r->old.columns[r->value].name,
			       r->old.columns[r->value].length) != NONE;
}

/* A key's column of `a` that names nothing in `b`; NULL where there is none. */
static const rg_column_name *find_foreign_key(const rg_table_text *a, const rg_table_text *b)
{
	size_t at;
	for (size_t c = 0; c < a->column_count; c++) {
		const rg_column_name *name = &a->columns[c];
		at = rg_columns_find(b->columns, b->column_count, name->name, name->length);
		if (a->is_key[c] && (at == NONE || !b->is_key[at]))
			return name;
	}
	return NULL;
}

/* Both tables need the same key: else they would have no record in common. Without a key, their
 * first columns have to be the same. */
static rg_error *check_keys(const rewrite_state *r)
{
	const rg_column_name *key = find_foreign_key(&r->old, &r->fresh);
	if (!key)
		key = find_foreign_key(&r->fresh, &r->old);
	if (!key && r->old.record_key &&
	    rg_columns_find(r->old.columns, 1, r->fresh.columns[0].name,
			    r->fresh.columns[0].length) != 0)
		key = &r->fresh.columns[0];
	return key ? rg_error_new(RG_E_PARSE,
				  "only one of the two has its records by column '%.*s': name the "
				  "columns that tell them apart in .regild: [table \"%s\"] key = "
				  "COLUMN,COLUMN",
				  (int)key->length, key->name, rg_path_name(r->manner->name))
		   : NULL;
}

static rg_error *read_again(rg_table_text *t, rg_bytes bytes, const char *key,
			    const rg_table_manner *manner)
{
	const rg_table_rule rule = rg_record_key_rule(manner->rule, &key);
	rg_table_text_release(t);
	rg_error *err = rg_table_text_read(t, manner->name, bytes, &rule, NULL);
	t->record_key = *key ? rg_arena_text(&t->arena, key) : "";
	return err;
}

/* Reads a table again if the two do not tell their records apart by the same key, as a comparison
 * does. */
static rg_error *agree_on_key(rewrite_state *r, rg_bytes old, rg_bytes fresh)
{
	const char *a = r->old.record_key, *b = r->fresh.record_key;
	const bool old_rules = rg_record_key_rank(a) > rg_record_key_rank(b);
	const char *key = old_rules ? a : b;
	if (!key || (a && b && !strcmp(a, b)))
		return NULL;
	RG_AUTO_PTR(rg_error)
	err = old_rules ? read_again(&r->fresh, fresh, key, r->manner)
			: read_again(&r->old, old, key, r->manner);
	if (!err || !*key)
		return RG_TAKE(err);
	RG_TRY(read_again(&r->old, old, "", r->manner));
	return read_again(&r->fresh, fresh, "", r->manner);
}

static rg_error *rewrite(rewrite_state *r, rg_bytes from, rg_bytes to)
{
	const rg_table_manner *manner = r->manner;
	const rg_table_text *old = &r->old, *fresh = &r->fresh;

	RG_TRY(rg_table_text_read(&r->old, manner->name, from, manner->rule, NULL));
	RG_TRY(rg_table_text_read(&r->fresh, manner->name, to, manner->rule, NULL));
	r->is_named = !fresh->record_key;
	RG_TRY(agree_on_key(r, from, to));
	if (old->has_header != fresh->has_header)
		return rg_error_new(RG_E_PARSE,
				    "only one of the two has a header: say which in .regild: "
				    "[table \"%s\"] header",
				    rg_path_name(manner->name));
	RG_TRY(check_keys(r));
	if (is_by_place(old) && r->metric && old->count != fresh->count)
		return rg_error_new(
			RG_E_PARSE,
			"its %zu records are now %zu, and no column tells which of them "
			"are the same: name some in .regild: [table \"%s\"] key = "
			"COLUMN,COLUMN",
			old->count, fresh->count, rg_path_name(manner->name));
	if (is_by_place(old))
		find_ends(r);
	match_up(r, find_line, old->count, fresh->count, &r->lines, &r->line_count);
	match_up(r, find_column, old->column_count, fresh->column_count, &r->columns,
		 &r->column_count);
	r->quotes = rg_calloc(old->column_count + 1, sizeof(*r->quotes));
	find_quotes(r);
	if (r->metric && !find_metric(r))
		return NULL;
	if (r->metric) {
		keep_old(r->lines, &r->line_count, old->count);
		keep_old(r->columns, &r->column_count, old->column_count);
	}
	RG_TRY(write_table(r));
	if (!r->found)
		return NULL;
	RG_TRY(rg_table_check_delimiter(r->out, old->delimiter, manner->name, manner->rule));
	return check_values(r, from);
}

rg_error *rg_table_splice(rg_buf *out, rg_bytes old, rg_bytes fresh, const rg_table_manner *manner,
			  const char *metric, bool *found)
{
	RG_AUTO(rewrite_state) r = {.manner = manner, .metric = metric, .out = out};
	r.found = !metric;
	rg_error *err = rewrite(&r, old, fresh);
	*found = !err && r.found;
	if (!*found)
		rg_buf_clear(out);
	return err;
}

rg_error *rg_table_rewrite(rg_buf *out, rg_bytes old, rg_bytes fresh, const rg_table_manner *manner)
{
	bool found;
	return rg_table_splice(out, old, fresh, manner, NULL, &found);
}

bool rg_table_is_named(const rg_table_manner *manner, rg_bytes bytes)
{
	const rg_input in = {.name = manner->name, .data = bytes.data, .size = bytes.size};
	return (manner->rule && manner->rule->delimiter) || rg_format_table.bid(&in) > 0;
}

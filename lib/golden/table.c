/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "base/number.h"
#include "base/path.h"
#include "golden/sections.h"
#include "golden/column_list.h"
#include "golden/csv_reader.h"
#include "golden/format.h"
#include "golden/long_table.h"
#include "golden/record_key.h"
#include "golden/text_token.h"
#include "golden/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Tables: a header with the columns' names, then a record a line. Lines that are blank, and blanks
 * around a cell, say nothing.
 */

/* The use of a column. */
typedef enum {
	COLUMN_UNREAD,
	COLUMN_METRIC,    /* its cells are values, under its own name */
	COLUMN_KEY,       /* they name the records */
	COLUMN_VALUE,     /* values under the name that METRIC_NAME has */
	COLUMN_NAMES,     /* the metric of the record's value */
	COLUMN_TOLERANCE, /* what the record may differ by */
} column_use;

typedef struct {
	column_use use;
	rg_record_column cells;
} column;

typedef struct {
	rg_golden_builder *builder;
	rg_arena *arena;  /* the golden's */
	const char *name; /* the file's */
	const rg_table_rule *rule;
	const rg_records *like; /* rg_golden_options.like */
	rg_csv_reader csv;
	bool is_long; /* a column names each record's metric */
	bool by_step; /* a log: its lines are steps */
	size_t step;  /* the column that counts them */

	bool comma;            /* a decimal one (rg_csv_has_decimal_comma) */
	rg_column_name *names; /* of the columns */
	column *columns;
	size_t count;
	size_t key[RG_CSV_COLUMNS_MAX], key_count; /* the columns, in the key's order */
	const char *found; /* a key, where the first column names no record: rg_golden.record_key */
	bool is_blank;     /* a record has nothing under its key */
	bool is_ambiguous; /* so, or another's name, where nobody said what names records */
	size_t tolerance;  /* SIZE_MAX: no column has it */
	const char **records; /* their names */
	size_t record_count, record_capacity;
	rg_buf key_text;
	rg_long_table long_table;
} table;

/* --- the header --- */

/* Reads the names from the first record or, if the file has no header, from the rule. */
static rg_error *read_names(table *t, bool *more)
{
	RG_TRY(rg_csv_next_filled(&t->csv, more));
	if (!*more)
		return rg_error_new(RG_E_PARSE, "a table without a line");
	t->names = rg_calloc(RG_CSV_COLUMNS_MAX, sizeof(*t->names));
	t->columns = rg_calloc(RG_CSV_COLUMNS_MAX, sizeof(*t->columns));
	if (t->by_step || rg_csv_is_header(&t->csv, t->rule)) {
		for (size_t i = 0; i < t->csv.count; i++) {
			size_t length;
			const char *cell = rg_csv_trimmed(&t->csv, i, &length);
			RG_TRY(rg_columns_add(t->names, &t->count, t->arena, cell, length));
		}
		return rg_csv_next_filled(&t->csv, more);
	}
	RG_TRY(rg_columns_name(t->names, &t->count, t->arena, t->rule, t->csv.count));
	if (!(t->rule && (t->rule->names || t->rule->header)) && !t->builder->note_count)
		rg_golden_builder_note(t->builder, RG_NOTE_READ,
				       "its first line has a number, and is read as a record: "
				       "[table \"%s\"] header = yes reads it as the header",
				       rg_path_name(t->name));
	return NULL;
}

/* Finds a column that the rule names for one use. */
static rg_error *take_named(table *t, const char *key, const char *name, column_use use,
			    size_t *out)
{
	*out = SIZE_MAX;
	if (!name)
		return NULL;
	*out = rg_columns_find(t->names, t->count, name, strlen(name));
	if (*out == SIZE_MAX)
		return rg_error_new(RG_E_PARSE,
				    "has no column '%s', which [table \"%s\"] has as its %s", name,
				    t->rule->pattern, key);
	t->columns[*out].use = use;
	return NULL;
}

static rg_error *choose_columns(table *t)
{
	const char *wanted = t->rule ? t->rule->columns : NULL;
	size_t at;

	for (size_t i = 0; i < t->count; i++) {
		const rg_column_name *name = &t->names[i];
		if (!wanted || rg_column_list_has(wanted, name->name, name->length))
			t->columns[i].use = COLUMN_METRIC;
		t->columns[i].cells.named_unit = rg_unit_of_name(name->name, name->length);
	}
	t->tolerance = SIZE_MAX;
	if (t->by_step) {
		t->step = rg_columns_find(t->names, t->count, "step", strlen("step"));
		if (t->step == SIZE_MAX)
			return rg_error_new(RG_E_PARSE, "no column 'step'");
		t->columns[t->step].use = COLUMN_KEY;
		return NULL;
	}
	t->key_count = 0;
	if (t->builder->golden->is_numbered)
		t->columns[0].use = COLUMN_UNREAD;
	if (!t->rule || !t->rule->by_place)
		RG_TRY(rg_columns_key(t->key, &t->key_count, t->names, t->count, t->rule));
	for (size_t i = 0; i < t->key_count; i++)
		t->columns[t->key[i]].use = COLUMN_KEY;
	if (!t->rule)
		return NULL;
	RG_TRY(take_named(t, "tolerance", t->rule->tolerance, COLUMN_TOLERANCE, &t->tolerance));
	RG_TRY(take_named(t, "metric", t->rule->metric, COLUMN_NAMES, &at));
	t->is_long = at != SIZE_MAX;
	if (t->is_long && !t->rule->value)
		return rg_error_new(RG_E_USAGE,
				    "[table \"%s\"] has a metric column; give it its value column, "
				    "too",
				    t->rule->pattern);
	RG_TRY(take_named(t, "value", t->rule->value, t->is_long ? COLUMN_VALUE : COLUMN_METRIC,
			  &at));
	/* If the values have a column of their own, no other column has values. */
	for (size_t i = 0; at != SIZE_MAX && !wanted && i < t->count; i++)
		if (t->columns[i].use == COLUMN_METRIC && i != at)
			t->columns[i].use = COLUMN_UNREAD;
	return NULL;
}

/* --- the records --- */

/* Does the rule say what names its records? */
static bool is_keyed(const table *t)
{
	const rg_table_rule *rule = t->rule;
	return t->is_long || (rule && (rule->key_count || rule->by_place || rule->rows));
}

static rg_error *append_name(table *t)
{
	size_t length, all = 0;

	rg_buf_clear(&t->key_text);
	for (size_t i = 0; i < t->key_count; i++) {
		const char *cell = rg_csv_trimmed(&t->csv, t->key[i], &length);
		all += length;
		rg_record_key_add(&t->key_text, cell, length, i, t->key_count);
	}
	RG_TRY(rg_buf_check(&t->key_text, "a record's key"));
	t->is_blank |= t->key_count && !all;
	if (!t->key_count)
		rg_buf_printf(&t->key_text, "place %zu", t->record_count + 1);
	else if (!all && is_keyed(t))
		return rg_error_new(RG_E_PARSE, "a record without a key: nothing is under '%s'",
				    t->names[t->key[0]].name);
	const char *name = rg_records_share_name(t->like, t->record_count, t->key_text.data,
						 t->key_text.length);
	*RG_PUSH(t->records, t->record_count, t->record_capacity) =
		name ? name : rg_arena_copy(t->arena, t->key_text.data, t->key_text.length);
	return NULL;
}

static rg_error *read_tolerance(const table *t, double *out)
{
	rg_text_number number;
	size_t length;

	*out = NAN;
	if (t->tolerance == SIZE_MAX)
		return NULL;
	const char *cell = rg_csv_trimmed(&t->csv, t->tolerance, &length);
	if (!length)
		return NULL;
	if (!rg_cell_number_parse(&number, cell, length, t->comma) || number.unit ||
	    !isfinite(number.value) || number.value < 0)
		return rg_error_new(RG_E_PARSE, "'%.*s' is not a tolerance", (int)length, cell);
	*out = number.value;
	return NULL;
}

/* Adds a record of a table in which one column names the metric and another has its value. */
static rg_error *append_long_value(table *t, double tolerance)
{
	rg_long_cell cell = {.record = t->record_count - 1, .tolerance = tolerance, .error = NAN};
	size_t length;

	for (size_t i = 0; i < t->count; i++) {
		const char *text = rg_csv_trimmed(&t->csv, i, &length);
		if (t->columns[i].use == COLUMN_NAMES) {
			cell.metric = text;
			cell.metric_length = length;
		} else if (t->columns[i].use == COLUMN_VALUE && length) {
			rg_long_cell_set(&cell, text, length, t->comma, t->arena);
		} else if (t->columns[i].use == COLUMN_VALUE) {
			return rg_error_new(RG_E_PARSE, "a record without a value");
		}
	}
	if (!cell.metric_length)
		return rg_error_new(RG_E_PARSE, "a record without a metric");
	rg_long_table_add(&t->long_table, &cell);
	return NULL;
}

/* Adds the cells of a line as values of the metric; NULL: each is its column's, at the record. */
static void append_cells(table *t, const char *metric, size_t record)
{
	size_t length;
	for (size_t i = 0, place = 0; i < t->count; i++) {
		const char *text = rg_csv_trimmed(&t->csv, i, &length);
		if (t->columns[i].use != COLUMN_METRIC)
			continue;
		rg_long_cell cell = {.metric = metric ? metric : t->names[i].name,
				     .metric_length = metric ? strlen(metric) : t->names[i].length,
				     .record = metric ? place : record,
				     .tolerance = NAN,
				     .error = NAN};
		place++;
		if (!length)
			continue;
		rg_long_cell_set(&cell, text, length, t->comma, t->arena);
		rg_long_table_add(&t->long_table, &cell);
	}
}

/* Adds a line of a log. An empty cell says nothing. */
static rg_error *append_step(table *t)
{
	double step = 0;
	size_t length;
	const char *text = rg_csv_trimmed(&t->csv, t->step, &length);
	/* pandas writes whole numbers beside empty cells as 49.0. */
	if (!rg_double_parse(text, length, &step) || !(fabs(step) < 0x1p53) || step != floor(step))
		return rg_error_new(RG_E_PARSE, "'%.*s' is not a step", (int)length, text);
	*RG_PUSH(t->long_table.steps, t->long_table.step_count, t->long_table.step_capacity) =
		(int64_t)step;
	append_cells(t, NULL, t->record_count++);
	return NULL;
}

static rg_error *append_record(table *t)
{
	double tolerance;
	size_t length;

	RG_TRY(rg_csv_check_count(&t->csv, t->count));
	if (t->by_step)
		return append_step(t);
	RG_TRY(append_name(t));
	RG_TRY(read_tolerance(t, &tolerance));
	if (t->is_long)
		return append_long_value(t, tolerance);
	if (t->rule && t->rule->rows) {
		append_cells(t, t->records[t->record_count - 1], 0);
		return NULL;
	}
	for (size_t i = 0; i < t->count; i++) {
		rg_record_column *cells = &t->columns[i].cells;
		const size_t before = cells->count;
		if (t->columns[i].use != COLUMN_METRIC)
			continue;
		const double *known = rg_csv_number(&t->csv, i);
		if (!known || !rg_record_column_plain(cells, t->record_count - 1, *known)) {
			const char *cell = rg_csv_trimmed(&t->csv, i, &length);
			rg_record_column_cell(cells, (int64_t)t->record_count - 1, cell, length,
					      known, t->comma, t->arena);
		}
		if (cells->count > before && t->tolerance != SIZE_MAX)
			rg_record_column_tolerance(cells, tolerance);
	}
	return NULL;
}

/* --- the golden --- */

/* Is it a metric, and not a column that a blank at the end of the lines has made? */
static bool is_metric(const table *t, size_t index)
{
	const column *c = &t->columns[index];
	return c->use == COLUMN_METRIC &&
	       (t->names[index].length || c->cells.count || c->cells.text_count);
}

/* If rows are metrics, the columns are steps: the numbers that are their names, if these rise, or
 * records. */
static rg_error *finish_rows(table *t)
{
	const char **names = rg_arena_alloc(t->arena, (t->count + 1) * sizeof(*names));
	rg_long_table *cells = &t->long_table;
	int64_t step = 0, before = 0;
	size_t count = 0;
	bool rising = true;

	for (size_t i = 0; i < t->count; i++) {
		const rg_column_name *name = &t->names[i];
		if (t->columns[i].use != COLUMN_METRIC)
			continue;
		rising &= rg_int64_parse(name->name, name->length, &step) &&
			  (!count || before < step);
		before = step;
		*RG_PUSH(cells->steps, cells->step_count, cells->step_capacity) = step;
		names[count++] = name->name;
	}
	return rising ? rg_long_table_finish_steps(cells, t->builder)
		      : rg_long_table_finish(cells, t->builder, names, count, t->like);
}

/* Does a first column without a name number the records, from 0 or 1? */
static bool is_numbered(const table *t, const rg_records *records)
{
	uint64_t first = 0, number;
	bool numbered = t->key_count == 1 && !t->key[0] && !*t->names[0].name && t->count > 1;
	for (size_t i = 0; numbered && i < records->count; i++) {
		numbered = rg_uint64_parse(records->names[i], strlen(records->names[i]), &number);
		first = i ? first : number;
		numbered &= first <= 1 && number == first + i;
	}
	return numbered;
}

static rg_error *make_golden(table *t)
{
	RG_AUTO_PTR(rg_error) err = NULL;
	rg_records *records;

	if (t->by_step)
		return rg_long_table_finish_steps(&t->long_table, t->builder);
	if (t->rule && t->rule->rows)
		return finish_rows(t);
	if (t->is_long)
		return rg_long_table_finish(&t->long_table, t->builder, t->records, t->record_count,
					    t->like);
	if (!rg_records_share(&records, t->arena, t->like, t->records, t->record_count)) {
		const char **names = RG_TAKE(t->records);
		rg_arena_adopt(t->arena, names);
		err = rg_records_new(&records, t->arena, names, t->record_count);
	}
	t->is_ambiguous = !is_keyed(t) && (err || t->is_blank);
	if (err || t->is_ambiguous)
		return t->is_ambiguous ? NULL : RG_TAKE(err);
	t->builder->golden->records = records;
	t->builder->golden->is_numbered |= !is_keyed(t) && is_numbered(t, records);
	t->builder->golden->record_key = t->found;
	for (size_t i = 0; i < t->count; i++)
		if (is_metric(t, i))
			RG_TRY(rg_record_column_finish(&t->columns[i].cells, t->builder, records,
						       t->names[i].name));
	if (t->builder->count || !t->record_count || !t->key_count)
		return NULL;
	return rg_records_add_keys(t->builder, records, t->names[t->key[0]].name);
}

/* Forgets what was read, so that the table can be read again. */
static void forget(table *t)
{
	for (size_t i = 0; i < t->count; i++)
		rg_record_column_release(&t->columns[i].cells);
	free(t->columns);
	free(t->names);
	free(t->records);
	rg_long_table_release(&t->long_table);
	rg_csv_reader_release(&t->csv);
	t->columns = NULL;
	t->names = NULL;
	t->records = NULL;
	t->count = t->record_count = t->record_capacity = 0;
}

static rg_error *read_by(table *t, const rg_input *in, const rg_table_rule *rule)
{
	bool more;

	forget(t);
	t->rule = rule;
	rg_csv_reader_open(&t->csv, in->data, in->size, in->name, rule);
	t->comma = rg_csv_has_decimal_comma(&t->csv);
	t->csv.part = (rg_read_part){in->forget, in->data, in->data};
	t->csv.numbers = t->csv.delimiter == ',' || t->csv.delimiter == ';' ||
			 t->csv.delimiter == '\t';
	RG_TRY(read_names(t, &more));
	RG_TRY(choose_columns(t));
	while (more) {
		rg_error *err = append_record(t);
		if (err) /* lines are counted only then, from the beginning of the file */
			return rg_error_wrap(err, "line %zu", rg_csv_line(&t->csv));
		RG_TRY(rg_csv_next_filled(&t->csv, &more));
	}
	return NULL;
}

/* The first column names no record: others together may, or nothing does. */
static rg_error *read_ambiguous(table *t, const rg_input *in)
{
	const rg_table_rule *said = t->rule;
	const char *found = "";
	size_t key[RG_RECORD_KEY_MAX], count;

	rg_table_rule rule = rg_record_key_rule(said, &found);
	RG_TRY(read_by(t, in, &rule));
	RG_AUTO_FREE rg_key_column *columns = rg_calloc(t->count + 1, sizeof(*columns));
	for (size_t i = 0; i < t->count; i++)
		columns[i] = (rg_key_column){t->names[i].name, &t->columns[i].cells};
	found = t->found =
		rg_record_key_find(key, &count, t->arena, columns, t->count, t->record_count);
	rule = rg_record_key_rule(said, &found);
	if (count)
		RG_TRY(read_by(t, in, &rule));
	RG_TRY(make_golden(t));
	t->rule = NULL; /* it ends here */
	return NULL;
}

static void table_free(table *t)
{
	forget(t);
	rg_buf_release(&t->key_text);
	free(t);
}
RG_FREE_AT(table)

static rg_error *read_so(rg_golden_builder *builder, const rg_input *in,
			 const rg_golden_options *options, bool by_step)
{
	const unsigned char *bytes = in->data;
	if (in->size >= 2 &&
	    ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff)))
		return rg_error_new(RG_E_PARSE, "a table in UTF-16; save it as UTF-8");
	RG_AUTO_PTR(table) t = rg_calloc(1, sizeof(*t));
	t->builder = builder;
	t->by_step = by_step;
	t->arena = &builder->golden->arena;
	t->like = options->like;
	rg_buf_init(&t->key_text, RG_CSV_RECORD_MAX * 3);
	t->name = in->name;
	RG_TRY(read_by(t, in, rg_table_rule_of(options, in->name)));
	RG_TRY(make_golden(t));
	if (t->is_ambiguous)
		RG_TRY(read_ambiguous(t, in));
	rg_unread_join(&builder->golden->unread, &t->csv.unread, t->arena);
	return NULL;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	return read_so(builder, in, options, false);
}

static int bid(const rg_input *in)
{
	if (rg_ends_with(in->name, ".csv") || rg_ends_with(in->name, ".tsv"))
		return 10;
	if (!rg_ends_with(in->name, ".txt") || !in->size)
		return 0;
	/* Is there a tab in the first line that is neither blank nor a remark? */
	const char *p = in->data, *end = p + in->size;
	while (p < end && (*p == '\n' || *p == '\r' || *p == '#'))
		p = rg_csv_after_line(p, end);
	while (p < end && *p != '\n' && *p != '\r' && *p != '\t' && *p)
		p++;
	return p < end && *p == '\t' ? 50 : 0;
}

const rg_format rg_format_table = {.name = "table",
				   .bid = bid,
				   .read = read_golden,
				   .in_order = true,
				   .when_named = true,
				   .heeds = RG_SET_TABLE};

/*
 * Lightning's metrics.csv, and other logs with the columns "step" and "epoch":
 *
 *	epoch,step,train_loss,val_loss
 *	0,49,0.61,
 *	0,49,,0.55
 */

static rg_error *read_log(rg_golden_builder *builder, const rg_input *in,
			  const rg_golden_options *options)
{
	return read_so(builder, in, options, true);
}

/* Bids if there are both columns, and another. */
static int bid_log(const rg_input *in)
{
	const size_t start = in->size < RG_CSV_RECORD_MAX ? in->size : RG_CSV_RECORD_MAX;
	const char *end = start ? memchr(in->data, '\n', start) : NULL;
	bool step = false, epoch = false, more = false;
	RG_AUTO(rg_csv_reader) csv = {0};
	size_t length;

	if (!end || !rg_ends_with(in->name, ".csv"))
		return 0;
	rg_csv_reader_open(&csv, in->data, (size_t)(end - (const char *)in->data), in->name, NULL);
	rg_error_free(rg_csv_next(&csv, &more));
	for (size_t i = 0; more && i < csv.count; i++) {
		const char *name = rg_csv_trimmed(&csv, i, &length);
		step = step || (length == 4 && !memcmp(name, "step", length));
		epoch = epoch || (length == 5 && !memcmp(name, "epoch", length));
	}
	return step && epoch && csv.count > 2 ? 110 : 0;
}

const rg_format rg_format_metrics_csv = {.name = "metrics-csv",
					 .bid = bid_log,
					 .read = read_log,
					 .in_order = true,
					 .heeds = RG_SET_COLUMNS | RG_SET_HEADER | RG_SET_COMMENT |
						  RG_SET_SKIP,
					 .when_named = true};

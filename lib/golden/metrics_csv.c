/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"
#include "base/number.h"
#include "golden/column_list.h"
#include "golden/csv_reader.h"
#include "golden/format.h"
#include "golden/long_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Lightning's metrics.csv, and other logs with the columns "step" and "epoch":
 *
 *	epoch,step,train_loss,val_loss
 *	0,49,0.61,
 *	0,49,,0.55
 *
 * A metric is a series by step, to which an empty cell adds nothing.
 */

typedef struct {
	rg_csv_reader csv;
	rg_arena *arena;
	const char **names; /* of the columns */
	size_t count, step; /* … and which of them counts */
	rg_long_table cells;
	int64_t *steps; /* of each line */
	size_t lines, capacity;
} reader;

static rg_error *read_header(reader *r, const rg_table_rule *rule)
{
	bool more;
	size_t length;
	RG_TRY(rg_csv_next_filled(&r->csv, &more));
	r->count = r->csv.count;
	r->names = rg_calloc(r->count + 1, sizeof(*r->names));
	for (size_t i = 0; i < r->count; i++) {
		const char *name = rg_csv_trimmed(&r->csv, i, &length);
		r->names[i] = rg_arena_copy(r->arena, name, length);
		for (size_t k = 0; k < i; k++)
			if (!strcmp(r->names[k], r->names[i]))
				return rg_error_new(RG_E_PARSE, "two columns are both '%s'",
						    r->names[i]);
	}
	while (r->step < r->count && strcmp(r->names[r->step], "step") != 0)
		r->step++;
	if (r->step == r->count)
		return rg_error_new(RG_E_PARSE, "no column 'step'");
	for (size_t i = 0; i < r->count; i++) {
		if (i == r->step ||
		    (rule && rule->columns &&
		     !rg_column_list_has(rule->columns, r->names[i], strlen(r->names[i]))))
			r->names[i] = NULL;
	}
	return NULL;
}

static rg_error *add_line(reader *r)
{
	rg_long_cell cell = {.record = r->lines, .tolerance = NAN, .error = NAN};
	double step = 0;
	size_t length;

	RG_TRY(rg_csv_check_count(&r->csv, r->count));
	const char *text = rg_csv_trimmed(&r->csv, r->step, &length);
	/* pandas writes whole numbers beside empty cells as 49.0. */
	if (!rg_double_parse(text, length, &step) || !(fabs(step) < 0x1p53) || step != floor(step))
		return rg_error_new(RG_E_PARSE, "'%.*s' is not a step", (int)length, text);
	rg_grow(&r->steps, &r->capacity, r->lines + 1, sizeof(*r->steps));
	r->steps[r->lines++] = (int64_t)step;
	for (size_t i = 0; i < r->count; i++) {
		text = rg_csv_trimmed(&r->csv, i, &length);
		if (!r->names[i] || !length)
			continue;
		cell.metric = r->names[i];
		rg_long_cell_set(&cell, text, length, rg_csv_has_decimal_comma(&r->csv), r->arena);
		rg_long_table_add(&r->cells, &cell);
	}
	return NULL;
}

static rg_error *read_lines(reader *r, const rg_table_rule *rule)
{
	bool more;
	RG_TRY(read_header(r, rule));
	RG_TRY(rg_csv_next_filled(&r->csv, &more));
	while (more) {
		rg_error *err = add_line(r);
		if (err)
			return rg_error_wrap(err, "line %zu", rg_csv_line(&r->csv));
		RG_TRY(rg_csv_next_filled(&r->csv, &more));
	}
	return NULL;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	const rg_table_rule *rule = rg_table_rule_of(options, in->name);
	reader r = {.arena = &builder->golden->arena};

	rg_csv_reader_open(&r.csv, in->data, in->size, in->name, rule);
	r.csv.part = (rg_read_part){in->forget, in->data, in->data};
	rg_error *err = read_lines(&r, rule);
	if (!err)
		err = rg_long_table_finish_steps(&r.cells, builder, r.steps, r.lines);
	rg_long_table_release(&r.cells);
	rg_csv_reader_release(&r.csv);
	free(r.names);
	free(r.steps);
	return err;
}

/* Are there both columns, and another? */
static bool is_log(const rg_input *in)
{
	const size_t start = in->size < RG_CSV_RECORD_MAX ? in->size : RG_CSV_RECORD_MAX;
	const char *end = start ? memchr(in->data, '\n', start) : NULL;
	bool step = false, epoch = false, more = false;
	rg_csv_reader csv;
	size_t length;

	if (!end)
		return false;
	rg_csv_reader_open(&csv, in->data, (size_t)(end - (const char *)in->data), in->name, NULL);
	rg_error_free(rg_csv_next(&csv, &more));
	for (size_t i = 0; more && i < csv.count; i++) {
		const char *name = rg_csv_trimmed(&csv, i, &length);
		step = step || (length == 4 && !memcmp(name, "step", length));
		epoch = epoch || (length == 5 && !memcmp(name, "epoch", length));
	}
	more = csv.count > 2;
	rg_csv_reader_release(&csv);
	return step && epoch && more;
}

static int bid(const rg_input *in)
{
	return rg_ends_with(in->name, ".csv") && is_log(in) ? 110 : 0;
}

const rg_format rg_format_metrics_csv = {.name = "metrics-csv",
					 .bid = bid,
					 .read = read_golden,
					 .in_order = true,
					 .heeds = RG_SET_COLUMNS | RG_SET_HEADER | RG_SET_COMMENT |
						  RG_SET_SKIP,
					 .when_named = true};

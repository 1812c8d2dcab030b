#include "report/json.h"

#include "base/number.h"
#include "base/utf8.h"
#include "compare/summary.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * One object a line is built by cJSON and printed at once, so that memory is bounded by the longest
 * line. cJSON's functions fail for want of memory only; `failed` keeps that.
 */
typedef struct {
	rg_buf *out;
	bool failed;
} writer;

static void add(writer *w, cJSON *object, const char *name, cJSON *value)
{
	if (value && cJSON_AddItemToObject(object, name, value))
		return;
	cJSON_Delete(value);
	w->failed = true;
}

static void add_text(writer *w, cJSON *object, const char *name, const char *text, size_t length)
{
	rg_buf valid;

	rg_buf_init(&valid, RG_BUF_TEXT);
	rg_utf8_add_valid(&valid, text, length);
	w->failed |= valid.state != RG_BUF_FINE;
	add(w, object, name, cJSON_CreateString(valid.data));
	rg_buf_release(&valid);
}

/* NULL is written as null. */
static void add_string(writer *w, cJSON *object, const char *name, const char *text)
{
	if (text)
		add_text(w, object, name, text, strlen(text));
	else
		add(w, object, name, cJSON_CreateNull());
}

static void add_count(writer *w, cJSON *object, const char *name, uint64_t count)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, count);
	add(w, object, name, cJSON_CreateRaw(text));
}

static void add_number(writer *w, cJSON *object, const char *name, double number)
{
	char text[RG_DOUBLE_REPR_SIZE];

	rg_double_repr(number, text);
	add(w, object, name, isfinite(number) ? cJSON_CreateRaw(text) : cJSON_CreateString(text));
}

static void add_cell(writer *w, cJSON *object, const char *name, const rg_cell *cell)
{
	char text[32];

	switch (cell->kind) {
	case RG_CELL_NONE:
		add(w, object, name, cJSON_CreateNull());
		break;
	case RG_CELL_TEXT:
		add_text(w, object, name, cell->text, cell->length);
		break;
	case RG_CELL_COUNT:
		add_count(w, object, name, cell->count);
		break;
	case RG_CELL_STEP:
		snprintf(text, sizeof(text), "%" PRId64, cell->step);
		add(w, object, name, cJSON_CreateRaw(text));
		break;
	case RG_CELL_NUMBER:
		add_number(w, object, name, cell->number);
		break;
	case RG_CELL_TRUTH:
		add(w, object, name, cJSON_CreateBool(cell->truth));
		break;
	}
}

/* Prints and frees an object behind `before`. */
static void put(writer *w, const char *before, cJSON *object)
{
	char *text = object && !w->failed ? cJSON_PrintUnformatted(object) : NULL;

	w->failed |= !text;
	rg_buf_str(w->out, before);
	if (text)
		rg_buf_str(w->out, text);
	cJSON_free(text);
	cJSON_Delete(object);
}

static const char *separator(size_t index)
{
	return index ? ",\n    " : "\n    ";
}

static void put_about(writer *w, const rg_comparison *c, const rg_json_about *about)
{
	cJSON *object = cJSON_CreateObject();

	rg_buf_printf(w->out, "{\n  \"schema\": \"regild-compare\",\n  \"version\": %d",
		      RG_COMPARE_JSON_VERSION);
	add_string(w, object, "old", about->old_side);
	add_string(w, object, "new", about->new_side);
	add_string(w, object, "run", about->run);
	put(w, ",\n  \"about\": ", object);
	object = cJSON_CreateObject();
	add_count(w, object, "files", c->file_count);
	add_count(w, object, "compared", c->compared);
	add_count(w, object, "new", c->new_files);
	add_count(w, object, "removed", c->removed);
	add_count(w, object, "unreadable", c->unreadable);
	add_count(w, object, "rows", c->row_count);
	add_count(w, object, "series_rows", c->series_rows);
	add_count(w, object, "gaps", c->gap_count);
	put(w, ",\n  \"counts\": ", object);
}

static void put_buckets(writer *w, const rg_comparison *c)
{
	size_t counts[RG_BUCKETS], i;

	rg_bucket_counts(c, counts);
	rg_buf_str(w->out, ",\n  \"buckets\": [");
	for (i = 0; i < RG_BUCKETS; i++) {
		cJSON *object = cJSON_CreateObject();

		add_string(w, object, "range", rg_bucket_names[i]);
		add_count(w, object, "rows", counts[i]);
		put(w, separator(i), object);
	}
	rg_buf_str(w->out, "\n  ]");
}

static rg_error *put_metrics(writer *w, const rg_comparison *c)
{
	rg_metric_summaries metrics = {0};
	size_t i;

	RG_TRY(rg_metric_summaries_make(&metrics, c));
	rg_buf_str(w->out, ",\n  \"metrics\": [");
	for (i = 0; i < metrics.count; i++) {
		const rg_metric_summary *m = &metrics.items[i];
		cJSON *object = cJSON_CreateObject();

		add_string(w, object, "metric", m->metric);
		add_count(w, object, "n", m->n);
		add_number(w, object, "median", m->median);
		add_number(w, object, "max", m->max);
		add_number(w, object, "mean_signed", m->mean_signed);
		put(w, separator(i), object);
	}
	rg_buf_str(w->out, "\n  ]");
	rg_metric_summaries_release(&metrics);
	return NULL;
}

static void put_files(writer *w, const rg_comparison *c)
{
	static const char *const statuses[] = {"compared", "new", "removed", "unreadable"};
	size_t i;

	rg_buf_str(w->out, ",\n  \"files\": [");
	for (i = 0; i < c->file_count; i++) {
		const rg_file_outcome *file = &c->files[i];
		cJSON *object = cJSON_CreateObject();

		add_string(w, object, "file", file->file);
		add_string(w, object, "old_file", file->old_file);
		add_string(w, object, "status", statuses[file->status]);
		add_string(w, object, "why", file->why);
		add_string(w, object, "format", file->format);
		add_count(w, object, "rows", file->row_count);
		add_count(w, object, "gaps", file->gap_count);
		add(w, object, "identical", cJSON_CreateBool(file->identical));
		put(w, separator(i), object);
	}
	rg_buf_str(w->out, "\n  ]");
}

static void put_rows(writer *w, const rg_row *const *rows, size_t count,
		     const rg_column_context *context)
{
	size_t i;

	rg_buf_str(w->out, ",\n  \"rows\": [");
	for (i = 0; i < count && !w->failed; i++) {
		cJSON *object = cJSON_CreateObject();
		const rg_column *column;

		for (column = rg_columns; column->name; column++) {
			rg_cell cell = column->cell(rows[i], context);

			add_cell(w, object, column->name, &cell);
		}
		put(w, separator(i), object);
	}
	rg_buf_str(w->out, "\n  ]");
}

static void put_gaps(writer *w, const rg_comparison *c)
{
	static const char *const kinds[] = {"old only", "new only", "no steps"};
	size_t i;

	rg_buf_str(w->out, ",\n  \"gaps\": [");
	for (i = 0; i < c->gap_count; i++) {
		const rg_gap *gap = &c->gaps[i];
		cJSON *object = cJSON_CreateObject();

		add_string(w, object, "file", c->files[gap->file_index].file);
		add_string(w, object, "metric", gap->metric);
		add_string(w, object, "kind", kinds[gap->kind]);
		add_count(w, object, "old_count", gap->old_count);
		add_count(w, object, "new_count", gap->new_count);
		add_count(w, object, "near_zero", gap->left_out.near_zero);
		add_count(w, object, "old_nonfinite", gap->left_out.old_nonfinite);
		add_count(w, object, "new_nonfinite", gap->left_out.new_nonfinite);
		add_count(w, object, "old_only", gap->left_out.old_only);
		add_count(w, object, "new_only", gap->left_out.new_only);
		add_count(w, object, "not_looked_at", gap->left_out.not_looked_at);
		add_string(w, object, "left_out", gap->left_out_text);
		add(w, object, "identical", cJSON_CreateBool(gap->identical));
		add_string(w, object, "level", rg_level_names[gap->level]);
		if (gap->level != RG_LEVEL_NONE)
			add_number(w, object, "score", gap->score);
		else
			add_string(w, object, "score", NULL);
		put(w, separator(i), object);
	}
	rg_buf_str(w->out, "\n  ]\n}\n");
}

rg_error *rg_comparison_json(rg_buf *out, const rg_comparison *comparison,
			     const rg_row *const *rows, const rg_column_context *context,
			     const rg_json_about *about)
{
	writer w = {.out = out};

	put_about(&w, comparison, about);
	put_buckets(&w, comparison);
	RG_TRY(put_metrics(&w, comparison));
	put_files(&w, comparison);
	put_rows(&w, rows, comparison->row_count, context);
	put_gaps(&w, comparison);
	return w.failed ? rg_error_nomem() : rg_buf_check(out, "JSON");
}

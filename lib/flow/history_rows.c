/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/history_rows.h"

#include "base/memory.h"
#include "base/number.h"
#include "golden/records.h"
#include "report/cells.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Appends a value, a text's bytes or JSON; false where there is none. */
typedef bool write_fn(rg_buf *out, const rg_history_row *row);

/* ---- writing ---- */

static bool write_text(rg_buf *out, const char *text)
{
	rg_buf_str(out, text);
	return true;
}

static bool write_count(rg_buf *out, uint64_t count)
{
	rg_json_out json;
	rg_json_out_init(&json, out);
	rg_json_count(&json, count);
	return true;
}

/* A list's item, after a comma but for the first. */
typedef void put_item_fn(rg_json_out *json, const void *of, size_t at);

/* Lists are in one line; a document's own are not at its end. */
static bool write_list(rg_buf *out, put_item_fn *put, const void *of, size_t count)
{
	rg_json_out json;
	rg_buf_char(out, '[');
	for (size_t i = 0; i < count; i++) {
		if (i)
			rg_buf_str(out, ", ");
		rg_json_out_init(&json, out);
		put(&json, of, i);
	}
	rg_buf_char(out, ']');
	return true;
}

static bool write_id(rg_buf *out, const rg_history_row *row)
{
	return write_count(out, row->run->id);
}

static bool write_attempt(rg_buf *out, const rg_history_row *row)
{
	return write_count(out, row->run->attempt);
}

static bool write_fork(rg_buf *out, const rg_history_row *row)
{
	return write_text(out, row->run->fork ? "true" : "false");
}

static bool write_complete(rg_buf *out, const rg_history_row *row)
{
	return write_text(out, row->run->complete ? "true" : "false");
}

static bool is_series(const rg_history_row *row)
{
	return row->metric && row->metric->kind == RG_METRIC_SERIES;
}

static bool write_kind(rg_buf *out, const rg_history_row *row)
{
	return write_text(out, is_series(row) ? "series"
			       : row->metric  ? "text"
			       : row->golden  ? "golden"
					      : "run");
}

static bool write_path(rg_buf *out, const rg_history_row *row)
{
	return row->golden && write_text(out, row->golden->path);
}

static bool write_sha256(rg_buf *out, const rg_history_row *row)
{
	return row->golden && write_text(out, row->golden->sha256);
}

static bool write_bytes(rg_buf *out, const rg_history_row *row)
{
	return row->golden && write_count(out, row->golden->bytes);
}

static void write_record(rg_json_out *json, const void *of, size_t at)
{
	rg_json_path(json, ((const rg_records *)of)->names[at]);
}

static bool write_records(rg_buf *out, const rg_history_row *row)
{
	const rg_records *records = row->golden ? row->golden->golden->records : NULL;
	return records && write_list(out, write_record, records, records->count);
}

static bool write_metric(rg_buf *out, const rg_history_row *row)
{
	return row->metric && write_text(out, row->metric->name);
}

static bool write_metric_text(rg_buf *out, const rg_history_row *row)
{
	return row->metric && !is_series(row) && write_text(out, row->metric->text);
}

static void write_step(rg_json_out *json, const void *of, size_t at)
{
	rg_json_integer(json, rg_metric_step(of, at));
}

static bool write_steps(rg_buf *out, const rg_history_row *row)
{
	return is_series(row) && write_list(out, write_step, row->metric, row->metric->count);
}

static void write_value(rg_json_out *json, const void *of, size_t at)
{
	rg_json_number(json, ((const rg_metric *)of)->values[at]);
}

static bool write_values(rg_buf *out, const rg_history_row *row)
{
	return is_series(row) && write_list(out, write_value, row->metric, row->metric->count);
}

static const struct {
	const char *name;
	bool text; /* else JSON */
	write_fn *put;
	size_t of_run; /* without `put`: where the run has the text */
} columns[] = {
	{"repository", true, NULL, offsetof(rg_history_run, repository)},
	{"source", true, NULL, offsetof(rg_history_run, source)},
	{"settings", true, NULL, offsetof(rg_history_run, settings)},
	{"id", false, write_id, 0},
	{"attempt", false, write_attempt, 0},
	{"commit", true, NULL, offsetof(rg_history_run, commit)},
	{"branch", true, NULL, offsetof(rg_history_run, branch)},
	{"event", true, NULL, offsetof(rg_history_run, event)},
	{"when", true, NULL, offsetof(rg_history_run, when)},
	{"fork", false, write_fork, 0},
	{"complete", false, write_complete, 0},
	{"kind", true, write_kind, 0},
	{"path", true, write_path, 0},
	{"sha256", true, write_sha256, 0},
	{"bytes", false, write_bytes, 0},
	{"records", false, write_records, 0},
	{"metric", true, write_metric, 0},
	{"text", true, write_metric_text, 0},
	{"steps", false, write_steps, 0},
	{"values", false, write_values, 0},
};
enum { COLUMNS = sizeof(columns) / sizeof(*columns) };

void rg_history_rows_head(rg_buf *out)
{
	for (size_t i = 0; i < COLUMNS; i++)
		rg_csv_field(out, !i, columns[i].name, strlen(columns[i].name));
	rg_csv_end(out);
}

void rg_history_rows_add(rg_buf *out, bool csv, const rg_history_row *row)
{
	RG_AUTO(rg_buf) cell = rg_buf_of(out->max);
	for (size_t i = 0; i < COLUMNS; i++) {
		rg_buf_clear(&cell);
		bool there =
			columns[i].put
				? columns[i].put(&cell, row)
				: write_text(&cell, *(const char *const *)((const char *)row->run +
									   columns[i].of_run));
		rg_buf_inherit(out, &cell);
		if (csv) {
			rg_csv_field(out, !i, cell.data, cell.length);
		} else {
			rg_json_out json;
			rg_buf_printf(out, "%s\"%s\": ", i ? ", " : "{", columns[i].name);
			rg_json_out_init(&json, out);
			if (!there)
				rg_json_null(&json);
			else if (columns[i].text)
				rg_json_path(&json, cell.data);
			else
				rg_buf_add(out, cell.data, cell.length);
		}
	}
	if (csv)
		rg_csv_end(out);
	else
		rg_buf_str(out, "}\n");
}

/* ---- reading ---- */

/* A whole number; past 2^53 as a text. */
static bool read_step(const cJSON *item, int64_t *out)
{
	if (cJSON_IsString(item))
		return rg_int64_parse(item->valuestring, strlen(item->valuestring), out);
	if (!cJSON_IsNumber(item) || item->valuedouble != floor(item->valuedouble) ||
	    fabs(item->valuedouble) > (double)RG_JSON_EXACT_MAX)
		return false;
	*out = (int64_t)item->valuedouble;
	return true;
}

static rg_error *parse_steps(const rg_json_in *in, const cJSON *object, rg_metric *out)
{
	const cJSON *list = rg_json_member(object, "steps"), *item;
	size_t count = (size_t)cJSON_GetArraySize(list), at = 0;

	if (!cJSON_IsArray(list) || count != out->count)
		return rg_json_wrong(in, object, "steps", "is not a list of as many as 'values'");
	int64_t *steps = rg_arena_alloc(in->arena, (count + 1) * sizeof(*steps));
	cJSON_ArrayForEach(item, list)
	{
		if (!read_step(item, &steps[at]) || (at && steps[at] <= steps[at - 1]))
			return rg_json_wrong(in, object, "steps",
					     "is not a list of ascending whole numbers");
		at++;
	}
	out->steps = steps;
	return NULL;
}

static rg_error *parse_run(rg_history_run *out, const rg_json_in *in, const cJSON *object)
{
	uint64_t attempt;
	RG_TRY(rg_json_get_text(in, object, "repository", &out->repository));
	RG_TRY(rg_json_get_text(in, object, "source", &out->source));
	RG_TRY(rg_json_get_text(in, object, "settings", &out->settings));
	RG_TRY(rg_json_get_count(in, object, "id", INT64_MAX, &out->id));
	RG_TRY(rg_json_get_count(in, object, "attempt", UINT32_MAX, &attempt));
	out->attempt = (unsigned)attempt;
	RG_TRY(rg_json_get_text(in, object, "commit", &out->commit));
	RG_TRY(rg_json_get_text(in, object, "branch", &out->branch));
	RG_TRY(rg_json_get_text(in, object, "event", &out->event));
	RG_TRY(rg_json_get_text(in, object, "when", &out->when));
	RG_TRY(rg_json_get_truth(in, object, "fork", &out->fork));
	return rg_json_get_truth(in, object, "complete", &out->complete);
}

rg_error *rg_history_rows_parse(rg_history_row_in *out, const cJSON *object, rg_arena *arena)
{
	static const char *const kinds[] = {"run", "golden", "text", "series"};
	const rg_json_in in = {.root = object, .arena = arena};
	size_t kind;

	*out = (rg_history_row_in){0};
	if (!cJSON_IsObject(object))
		return rg_error_new(RG_E_PARSE, "is not an object");
	RG_TRY(parse_run(&out->run, &in, object));
	RG_TRY(rg_json_get_word(&in, object, "kind", kinds, sizeof(kinds) / sizeof(*kinds), &kind));
	out->has_golden = kind > 0;
	out->has_metric = kind > 1;
	if (out->has_golden) {
		const char *sha256;
		RG_TRY(rg_json_get_path(&in, object, "path", &out->golden.path));
		RG_TRY(rg_json_get_text(&in, object, "sha256", &sha256));
		if (strlen(sha256) != RG_SHA256_HEX - 1 ||
		    strspn(sha256, "0123456789abcdef") != RG_SHA256_HEX - 1)
			return rg_json_wrong(&in, object, "sha256", "is not a SHA-256");
		memcpy(out->golden.sha256, sha256, RG_SHA256_HEX);
		RG_TRY(rg_json_get_count(&in, object, "bytes", INT64_MAX, &out->golden.bytes));
		RG_TRY(rg_json_get_texts(&in, object, "records", &out->records,
					 &out->record_count));
	}
	if (!out->has_metric)
		return NULL;
	RG_TRY(rg_json_get_text(&in, object, "metric", &out->metric.name));
	if (kind > 2) {
		out->metric.kind = RG_METRIC_SERIES;
		RG_TRY(rg_json_get_numbers(&in, object, "values", &out->metric.values,
					   &out->metric.count));
		return parse_steps(&in, object, &out->metric);
	}
	RG_TRY(rg_json_get_text(&in, object, "text", &out->metric.text));
	out->metric.kind = strcmp(out->metric.name, RG_OPAQUE_METRIC) != 0 ? RG_METRIC_TEXT
									   : RG_METRIC_OPAQUE;
	out->metric.count = strlen(out->metric.text);
	return NULL;
}

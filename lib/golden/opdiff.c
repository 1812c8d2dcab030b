/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/opdiff.h"

#include "base/median.h"
#include "golden/cursor.h"
#include "golden/golden.h"
#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The name of the format is within the first bytes, whatever else the first line says. */
enum { PROBE = 256 << 10 };

static const char *const statuses[RG_OPDIFF_STATUSES] = {
	"OK", "SKIPPED", "EXPORT_FAIL", "INFER_FAIL", "TIMING_FAIL", "TIMED_ERROR", "ERROR"};
static const char *const codes[RG_OPDIFF_CODES] = {"NOT_COMPARABLE_SHAPE", "NOT_COMPARABLE_EMPTY",
						   "NAN_IN_BASELINE", "NAN_IN_OUTPUT", "other"};

const char *rg_opdiff_status_text(rg_opdiff_status status)
{
	return statuses[status];
}

const char *rg_opdiff_code_text(rg_opdiff_code code)
{
	return codes[code];
}

/* NaN where it is not a number. */
static double number_field(const cJSON *object, const char *name)
{
	const cJSON *value = rg_json_member(object, name);

	return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

/* One repeat: its status and time. */
static rg_error *read_repeat(const rg_json_in *in, const cJSON *repeat, rg_opdiff_result *out)
{
	size_t status;

	RG_TRY(rg_json_get_word(in, repeat, "status", statuses, RG_OPDIFF_STATUSES, &status));
	if ((rg_opdiff_status)status > out->status)
		out->status = (rg_opdiff_status)status;
	out->ms[out->ms_count++] = number_field(repeat, "ms");
	return NULL;
}

static rg_error *read_diff(const rg_json_in *in, const cJSON *diff, rg_opdiff_diff *out)
{
	const char *code = cJSON_GetStringValue(rg_json_member(diff, "code"));
	int i;

	RG_TRY(rg_json_get_truth(in, diff, "ok", &out->ok));
	out->mse = number_field(diff, "mse");
	out->max_abs = number_field(diff, "max_abs");
	out->mean_abs = number_field(diff, "mean_abs");
	out->code = RG_OPDIFF_OTHER;
	for (i = 0; code && i < RG_OPDIFF_OTHER; i++)
		if (!strcmp(code, codes[i]))
			out->code = (rg_opdiff_code)i;
	return NULL;
}

/* The median of those that are not NaN. */
static double median(double *values, size_t count)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		if (!isnan(values[i]))
			values[n++] = values[i];
	return rg_median(values, n);
}

static rg_error *set_medians(rg_arena *arena, rg_opdiff_result *r)
{
	size_t n = r->ms_count > r->diff_count ? r->ms_count : r->diff_count, i;
	double *values = rg_arena_alloc(arena, (n + 1) * sizeof(*values));

	if (!values)
		return rg_error_nomem();
	for (i = 0; i < r->ms_count; i++)
		values[i] = r->ms[i];
	r->median_ms = median(values, r->ms_count);
	for (i = 0; i < r->diff_count; i++)
		values[i] = r->diffs[i].ok ? r->diffs[i].max_abs : NAN;
	r->median_max_abs = median(values, r->diff_count);
	for (i = 0; i < r->diff_count; i++)
		values[i] = r->diffs[i].ok ? r->diffs[i].mse : NAN;
	r->median_mse = median(values, r->diff_count);
	for (i = 0; i < r->diff_count; i++)
		values[i] = r->diffs[i].ok ? r->diffs[i].mean_abs : NAN;
	r->median_mean_abs = median(values, r->diff_count);
	return NULL;
}

/* A list that may be missing. */
static rg_error *get_objects(const rg_json_in *in, const cJSON *object, const char *key,
			     const cJSON **out, size_t *count)
{
	*out = NULL;
	*count = 0;
	return rg_json_member(object, key) ? rg_json_get_objects(in, object, key, out, count)
					   : NULL;
}

static rg_error *read_backend(const rg_json_in *in, const cJSON *object, rg_opdiff_result *out)
{
	const cJSON *repeats, *diffs, *one;
	size_t count, diff_count;

	RG_TRY(rg_json_get_text(in, object, "backend", &out->backend));
	RG_TRY(rg_json_get_objects(in, object, "res", &repeats, &count));
	RG_TRY(get_objects(in, object, "diff_all", &diffs, &diff_count));
	out->ms = rg_arena_alloc(in->arena, (count + 1) * sizeof(*out->ms));
	out->diffs = rg_arena_alloc(in->arena, (diff_count + 1) * sizeof(*out->diffs));
	if (!out->ms || !out->diffs)
		return rg_error_nomem();
	if (!count)
		out->status = RG_OPDIFF_ERROR; /* as opdiff's own support matrix has it */
	cJSON_ArrayForEach(one, repeats)
	{
		RG_TRY(read_repeat(in, one, out));
	}
	cJSON_ArrayForEach(one, diffs)
	{
		RG_TRY(read_diff(in, one, &out->diffs[out->diff_count++]));
	}
	return set_medians(in->arena, out);
}

static rg_error *read_baseline(const rg_json_in *in, const cJSON *object, rg_opdiff_item *item)
{
	rg_opdiff_result *out = &item->baseline;

	if (!cJSON_IsObject(object))
		return NULL;
	item->has_baseline = true;
	out->ms = rg_arena_alloc(in->arena, sizeof(*out->ms));
	if (!out->ms)
		return rg_error_nomem();
	RG_TRY(rg_json_get_text(in, object, "backend", &out->backend));
	RG_TRY(read_repeat(in, object, out));
	return set_medians(in->arena, out);
}

static rg_error *read_item(rg_opdiff_run *run, const rg_json_in *in)
{
	const cJSON *backends, *backend;
	rg_opdiff_item *item;
	size_t count;

	RG_TRY(rg_grow(&run->items, &run->capacity, run->count + 1, sizeof(*run->items)));
	item = &run->items[run->count];
	*item = (rg_opdiff_item){0};
	RG_TRY(rg_json_get_text(in, in->root, "id", &item->id));
	RG_TRY(read_baseline(in, rg_json_member(in->root, "baseline"), item));
	RG_TRY(get_objects(in, in->root, "backends", &backends, &count));
	item->results = rg_arena_alloc(in->arena, (count + 1) * sizeof(*item->results));
	if (!item->results)
		return rg_error_nomem();
	cJSON_ArrayForEach(backend, backends)
	{
		RG_TRY(read_backend(in, backend, &item->results[item->result_count++]));
	}
	run->count++;
	return NULL;
}

static rg_error *read_meta(const cJSON *meta)
{
	const char *name = cJSON_GetStringValue(rg_json_member(meta, "format_name"));

	if (!name || strcmp(name, "opdiff_run") != 0)
		return rg_error_new(RG_E_PARSE, "its format_name is not 'opdiff_run'");
	if (number_field(meta, "format_version") != 1)
		return rg_error_new(RG_E_PARSE, "its format_version is not 1");
	return NULL;
}

/* Begins a run: what was read of an earlier one is dropped. */
static rg_error *begin_run(rg_opdiff_run *run, const rg_json_in *in, const cJSON *meta)
{
	rg_arena_release(&run->arena);
	rg_arena_init(&run->arena);
	run->count = 0;
	run->created_at = "";
	return cJSON_IsString(rg_json_member(meta, "created_at"))
		       ? rg_json_get_text(in, meta, "created_at", &run->created_at)
		       : NULL;
}

static rg_error *read_line(rg_opdiff_run *run, const cJSON *line, int wanted)
{
	const rg_json_in in = {line, &run->arena};
	const cJSON *meta = rg_json_member(line, "meta");
	static const char *const types[] = {"meta", "item"};
	size_t type;

	RG_TRY(rg_json_get_word(&in, line, "type", types, 2, &type));
	if (type == 0) {
		RG_TRY(read_meta(meta));
		run->runs++;
		if (wanted < 0 || run->runs == (size_t)wanted + 1)
			return begin_run(run, &in, meta);
		return NULL;
	}
	if (!run->runs)
		return rg_error_new(RG_E_PARSE, "an item before the first meta line");
	return wanted < 0 || run->runs == (size_t)wanted + 1 ? read_item(run, &in) : NULL;
}

static rg_error *read_lines(rg_opdiff_run *run, const char *p, const char *end, int wanted)
{
	size_t number = 0;

	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		const char *stop = newline ? newline : end;
		rg_cursor text = {p, stop};
		rg_error *err = NULL;
		cJSON *line;

		number++;
		rg_cursor_skip_blanks(&text);
		if (text.at < stop) {
			err = rg_json_parse(&line, p, (size_t)(stop - p));
			if (!err) {
				err = read_line(run, line, wanted);
				cJSON_Delete(line);
			}
		}
		if (err)
			return rg_error_wrap(err, "line %zu", number);
		p = newline ? newline + 1 : end;
	}
	return NULL;
}

static int compare_items(const void *a, const void *b)
{
	return strcmp(((const rg_opdiff_item *)a)->id, ((const rg_opdiff_item *)b)->id);
}

rg_error *rg_opdiff_read(rg_opdiff_run *out, const void *data, size_t size, int run_index)
{
	size_t count;

	*out = (rg_opdiff_run){.created_at = ""};
	rg_arena_init(&out->arena);
	RG_TRY(read_lines(out, data, (const char *)data + size, run_index));
	if (!out->runs)
		return rg_error_new(RG_E_PARSE, "not results of opdiff: no meta line");
	if (run_index >= 0 && (size_t)run_index >= out->runs)
		return rg_error_new(RG_E_USAGE, "run %d was asked for, but it holds %zu (from 0)",
				    run_index, out->runs);
	count = out->count;
	RG_TRY(rg_sort_keep_last(out->items, &out->count, sizeof(*out->items), compare_items,
				 NULL));
	out->duplicates = count - out->count;
	return NULL;
}

void rg_opdiff_release(rg_opdiff_run *run)
{
	free(run->items);
	rg_arena_release(&run->arena);
	*run = (rg_opdiff_run){0};
}

static int compare_id(const void *key, const void *item)
{
	return strcmp(key, ((const rg_opdiff_item *)item)->id);
}

const rg_opdiff_item *rg_opdiff_find(const rg_opdiff_run *run, const char *id)
{
	if (!run->count)
		return NULL;
	return bsearch(id, run->items, run->count, sizeof(*run->items), compare_id);
}

const rg_opdiff_result *rg_opdiff_backend(const rg_opdiff_item *item, const char *backend)
{
	size_t i;

	for (i = 0; i < item->result_count; i++)
		if (!strcmp(item->results[i].backend, backend))
			return &item->results[i];
	return item->has_baseline && !strcmp(backend, "baseline") ? &item->baseline : NULL;
}

bool rg_opdiff_recognised(const void *data, size_t size)
{
	const char *probed = (const char *)data + (size < PROBE ? size : PROBE), *newline;
	rg_cursor c = {data, probed};

	if (!size || !rg_cursor_take_sign(&c, '{'))
		return false;
	newline = memchr(c.at, '\n', (size_t)(c.end - c.at));
	c.end = newline ? newline : c.end;
	return rg_cursor_holds(c, "\"opdiff_run\"");
}

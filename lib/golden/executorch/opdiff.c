/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/executorch/opdiff.h"

#include "base/memory.h"
#include "base/median.h"
#include "base/order.h"
#include "golden/cursor.h"
#include "golden/golden.h"
#include "base/json.h"
#include "golden/unread_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name of the format is within the first bytes, whatever else the first line says. */
enum { PROBE = 256 << 10 };

const char *const rg_opdiff_status_texts[RG_OPDIFF_STATUSES] = {
	"OK", "SKIPPED", "EXPORT_FAIL", "INFER_FAIL", "TIMING_FAIL", "TIMED_ERROR", "ERROR"};
const char *const rg_opdiff_code_texts[RG_OPDIFF_CODES] = {"NOT_COMPARABLE_SHAPE",
							   "NOT_COMPARABLE_EMPTY",
							   "NAN_IN_BASELINE",
							   "NAN_IN_OUTPUT",
							   "NONFINITE",
							   "other"};

const char *rg_opdiff_why(const rg_opdiff_result *result)
{
	if (result->err_count)
		return result->errs[0];
	return result->state == RG_OPDIFF_DIFF_ERR ? rg_opdiff_code_texts[result->code] : "";
}

/* NaN where it is not a number. */
static double number_field(const cJSON *object, const char *name)
{
	const cJSON *value = rg_json_member(object, name);
	return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

/* An exception is a text, or where a subprocess told of it an object with its type. */
static const char *error_text(rg_arena *arena, const cJSON *err)
{
	const char *type = cJSON_GetStringValue(rg_json_member(err, "type"));
	const char *message = cJSON_GetStringValue(rg_json_member(err, "msg"));

	if (cJSON_IsString(err))
		return rg_arena_text(arena, err->valuestring);
	if (type && message)
		return rg_arena_textf(arena, "%s: %s", type, message);
	RG_AUTO_FREE char *text = cJSON_PrintUnformatted(err);
	if (!text)
		rg_out_of_memory();
	return rg_arena_text(arena, text);
}

/* One side: its status, time and error. */
static rg_error *read_side(const rg_json_in *in, const cJSON *side, rg_opdiff_result *out)
{
	const cJSON *err = rg_json_member(side, "err");
	size_t status;

	RG_TRY(rg_json_get_word(in, side, "status", rg_opdiff_status_texts, RG_OPDIFF_STATUSES,
				&status));
	if ((rg_opdiff_status)status > out->status)
		out->status = (rg_opdiff_status)status;
	out->ms[out->ms_count++] = number_field(side, "ms");
	if (cJSON_IsNumber(rg_json_member(side, "ms")))
		rg_json_take(rg_json_member(side, "ms"));
	if (!err)
		return NULL;
	out->errs[out->err_count] = error_text(in->arena, err);
	out->err_count += *out->errs[out->err_count] != '\0';
	return NULL;
}

static rg_error *read_diff(const rg_json_in *in, const cJSON *diff, rg_opdiff_diff *out)
{
	const char *code = cJSON_GetStringValue(rg_json_member(diff, "code"));
	RG_TRY(rg_json_get_truth(in, diff, "ok", &out->ok));
	out->mse = number_field(diff, "mse");
	out->max_abs = number_field(diff, "max_abs");
	out->mean_abs = number_field(diff, "mean_abs");
	out->code = out->ok ? RG_OPDIFF_NONFINITE : RG_OPDIFF_OTHER;
	for (int i = 0; !out->ok && code && i < RG_OPDIFF_NONFINITE; i++)
		if (!strcmp(code, rg_opdiff_code_texts[i]))
			out->code = (rg_opdiff_code)i;
	out->ok = out->ok && out->max_abs >= 0 && isfinite(out->max_abs);
	/* A result that is not OK has no figure of any metric. */
	for (const cJSON *figure = diff->child; out->ok && figure; figure = figure->next)
		if (cJSON_IsNumber(figure) &&
		    (!strcmp(figure->string, "mse") || !strcmp(figure->string, "max_abs") ||
		     !strcmp(figure->string, "mean_abs")))
			rg_json_take(figure);
	return NULL;
}

/* The median of those that are not NaN. */
static double median(double *values, size_t count)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		if (!isnan(values[i]))
			values[n++] = values[i];
	return rg_median(values, n);
}

/* One repeat without a figure leaves none of the others to count, as in opdiff's report. */
static void set_state(rg_opdiff_result *r)
{
	size_t i = 0;
	while (i < r->diff_count && r->diffs[i].ok)
		i++;
	r->state = !r->diff_count       ? RG_OPDIFF_DIFF_MISSING
		   : i == r->diff_count ? RG_OPDIFF_DIFF_OK
					: RG_OPDIFF_DIFF_ERR;
	r->code = i < r->diff_count ? r->diffs[i].code : RG_OPDIFF_OTHER;
}

static void set_medians(rg_arena *arena, rg_opdiff_result *r)
{
	size_t n = r->ms_count > r->diff_count ? r->ms_count : r->diff_count;
	double *values = rg_arena_alloc(arena, (n + 1) * sizeof(*values));
	double *const medians[] = {&r->median_max_abs, &r->median_mse, &r->median_mean_abs};
	for (size_t i = 0; i < r->ms_count; i++)
		values[i] = r->ms[i];
	double time = median(values, r->ms_count);
	r->time = r->status == RG_OPDIFF_OK && time > 0 ? time : NAN;
	set_state(r);
	for (size_t k = 0; k < sizeof(medians) / sizeof(*medians); k++) {
		for (size_t i = 0; i < r->diff_count; i++)
			values[i] = k == 0   ? r->diffs[i].max_abs
				    : k == 1 ? r->diffs[i].mse
					     : r->diffs[i].mean_abs;
		*medians[k] = r->state == RG_OPDIFF_DIFF_OK ? median(values, r->diff_count) : NAN;
	}
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

/* `sides` are in the list of a backend's, or one alone is the baseline itself. */
static rg_error *begin_result(const rg_json_in *in, const cJSON *object, size_t sides,
			      rg_opdiff_result *out)
{
	RG_TRY(rg_json_get_text(in, object, "backend", &out->backend));
	out->ms = rg_arena_alloc(in->arena, (sides + 1) * sizeof(*out->ms));
	out->errs = rg_arena_alloc(in->arena, (sides + 1) * sizeof(*out->errs));
	return NULL;
}

static rg_error *read_backend(const rg_json_in *in, const cJSON *object, rg_opdiff_result *out)
{
	const cJSON *sides, *diffs, *one;
	size_t count, diff_count;

	RG_TRY(rg_json_get_objects(in, object, "res", &sides, &count));
	RG_TRY(get_objects(in, object, "diff_all", &diffs, &diff_count));
	RG_TRY(begin_result(in, object, count, out));
	out->target = true;
	out->diffs = rg_arena_alloc(in->arena, (diff_count + 1) * sizeof(*out->diffs));
	if (!count)
		out->status = RG_OPDIFF_ERROR; /* as opdiff's own support matrix has it */
	cJSON_ArrayForEach(one, sides)
	{
		RG_TRY(read_side(in, one, out));
	}
	cJSON_ArrayForEach(one, diffs)
	{
		RG_TRY(read_diff(in, one, &out->diffs[out->diff_count++]));
	}
	set_medians(in->arena, out);
	return NULL;
}

static rg_error *read_baseline(const rg_json_in *in, const cJSON *object, rg_opdiff_item *item,
			       rg_opdiff_result *out)
{
	RG_TRY(begin_result(in, object, 1, out));
	RG_TRY(read_side(in, object, out));
	item->baseline = out->backend;
	set_medians(in->arena, out);
	return NULL;
}

/* The baseline first, as what stands behind it in the line counts more. */
static rg_error *read_results(rg_opdiff_item *item, const rg_json_in *in)
{
	const cJSON *baseline = rg_json_member(in->root, "baseline"), *backends, *backend;
	size_t count;

	RG_TRY(get_objects(in, in->root, "backends", &backends, &count));
	item->results = rg_arena_alloc(in->arena, (count + 1) * sizeof(*item->results));
	memset(item->results, 0, (count + 1) * sizeof(*item->results));
	if (cJSON_IsObject(baseline))
		RG_TRY(read_baseline(in, baseline, item, &item->results[item->result_count++]));
	cJSON_ArrayForEach(backend, backends)
	{
		RG_TRY(read_backend(in, backend, &item->results[item->result_count++]));
	}
	for (size_t i = 0; i < item->result_count; i++) {
		item->results[i].line = item->line;
		item->results[i].place = i;
	}
	return NULL;
}

static rg_error *read_item(rg_opdiff_run *run, const rg_json_in *in)
{
	const char *op = cJSON_GetStringValue(
		rg_json_member(cJSON_GetArrayItem(rg_json_member(in->root, "cases"), 0), "op"));

	rg_grow(&run->items, &run->capacity, run->count + 1, sizeof(*run->items));
	rg_opdiff_item *item = &run->items[run->count];
	*item = (rg_opdiff_item){.run = run->runs, .line = run->count};
	RG_TRY(rg_json_get_text(in, in->root, "id", &item->id));
	item->op = rg_arena_text(in->arena, op ? op : "");
	RG_TRY(read_results(item, in));
	run->count++;
	return NULL;
}

static rg_error *read_line(rg_opdiff_run *run, const cJSON *line, int wanted)
{
	const rg_json_in in = {line, &run->arena};
	const cJSON *meta = rg_json_member(line, "meta");
	static const char *const types[] = {"meta", "item"};
	size_t type;

	RG_TRY(rg_json_get_word(&in, line, "type", types, 2, &type));
	if (type == 0) {
		run->runs++;
		const char *name = cJSON_GetStringValue(rg_json_member(meta, "format_name"));
		if (!name || strcmp(name, "opdiff_run") != 0)
			return rg_error_new(RG_E_PARSE, "its format_name is not 'opdiff_run'");
		if (number_field(meta, "format_version") != 1)
			return rg_error_new(RG_E_PARSE, "its format_version is not 1");
		rg_json_take(rg_json_member(meta, "format_version"));
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
		char name[24];
		cJSON *line;

		number++;
		rg_cursor_skip_blanks(&text);
		if (text.at < stop) {
			RG_TRY(rg_error_wrap(rg_json_parse(&line, p, (size_t)(stop - p)),
					     "line %zu", number));
			rg_error *err = read_line(run, line, wanted);
			snprintf(name, sizeof(name), "%zu", number);
			rg_unread_json(&run->unread, &run->arena, name, line);
			cJSON_Delete(line);
			RG_TRY(rg_error_wrap(err, "line %zu", number));
		}
		p = newline ? newline + 1 : end;
	}
	return NULL;
}

/* --- all lines of an operator --- */

RG_ORDER(compare_results, rg_opdiff_result,
	 RG_BY_TEXT(backend) || RG_RISING(line) || RG_RISING(place));

/* The later result counts, but it keeps what it cannot have itself: a baseline has no differences,
 * and a line without a time keeps the earlier one. */
static void replace(rg_opdiff_result *kept, const rg_opdiff_result *later)
{
	rg_opdiff_result old = *kept;
	*kept = *later;
	if (old.line == later->line && isnan(later->time))
		kept->time = old.time;
	if (!old.target || later->target)
		return;
	kept->target = true;
	kept->diffs = old.diffs;
	kept->diff_count = old.diff_count;
	kept->state = old.state;
	kept->code = old.code;
	kept->median_max_abs = old.median_max_abs;
	kept->median_mse = old.median_mse;
	kept->median_mean_abs = old.median_mean_abs;
}

/* Makes one item of `count` lines of an operator, in the file's order. */
static void merge_lines(rg_opdiff_item *out, const rg_opdiff_item *lines, size_t count,
			rg_arena *arena)
{
	size_t results = 0, errs = 0, kept = 0;
	rg_opdiff_item item = lines[count - 1];

	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < lines[i].result_count; k++)
			errs += lines[i].results[k].err_count;
		results += lines[i].result_count;
		item.baseline = lines[i].baseline ? lines[i].baseline : item.baseline;
	}
	item.results = rg_arena_alloc(arena, (results + 1) * sizeof(*item.results));
	item.errs = rg_arena_alloc(arena, (errs + 1) * sizeof(*item.errs));
	item.result_count = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < lines[i].result_count; k++) {
			const rg_opdiff_result *one = &lines[i].results[k];
			item.results[item.result_count++] = *one;
			for (size_t e = 0; (!i || one->target) && e < one->err_count; e++)
				item.errs[item.err_count++] =
					(rg_opdiff_err){one->backend, one->errs[e]};
		}
	if (results)
		qsort(item.results, results, sizeof(*item.results), compare_results);
	for (size_t i = 0; i < results; i++)
		if (kept && !strcmp(item.results[kept - 1].backend, item.results[i].backend))
			replace(&item.results[kept - 1], &item.results[i]);
		else
			item.results[kept++] = item.results[i];
	item.result_count = kept;
	*out = item;
}

RG_ORDER(compare_items, rg_opdiff_item, RG_BY_TEXT(id) || RG_RISING(line));

rg_error *rg_opdiff_read(rg_opdiff_run *out, const void *data, size_t size, int run_index)
{
	*out = (rg_opdiff_run){0};
	rg_arena_init(&out->arena);
	RG_TRY(read_lines(out, data, (const char *)data + size, run_index));
	if (!out->runs)
		return rg_error_new(RG_E_PARSE, "not results of opdiff: no meta line");
	if (run_index >= 0 && (size_t)run_index >= out->runs)
		return rg_error_new(RG_E_USAGE, "run %d was asked for, but it holds %zu (from 0)",
				    run_index, out->runs);
	out->merged = run_index < 0 ? out->runs : 1;
	size_t count = out->count, after;
	if (count)
		qsort(out->items, count, sizeof(*out->items), compare_items);
	out->count = 0;
	for (size_t first = 0; first < count; first = after) {
		for (after = first + 1;
		     after < count && !strcmp(out->items[first].id, out->items[after].id); after++)
			out->duplicates += out->items[after - 1].run == out->items[after].run;
		merge_lines(&out->items[out->count], &out->items[first], after - first,
			    &out->arena);
		out->count++;
	}
	return NULL;
}

void rg_opdiff_run_release(rg_opdiff_run *run)
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

static int compare_backend(const void *key, const void *result)
{
	return strcmp(key, ((const rg_opdiff_result *)result)->backend);
}

const rg_opdiff_result *rg_opdiff_backend(const rg_opdiff_item *item, const char *backend)
{
	if (!item->result_count)
		return NULL;
	const rg_opdiff_result *found = bsearch(backend, item->results, item->result_count,
						sizeof(*item->results), compare_backend);
	if (found || !item->baseline || strcmp(backend, "baseline") != 0)
		return found;
	return rg_opdiff_backend(item, item->baseline);
}

bool rg_opdiff_recognised(const void *data, size_t size)
{
	const char *probed = (const char *)data + (size < PROBE ? size : PROBE);
	rg_cursor c = {data, probed};

	if (!size || !rg_cursor_take_sign(&c, '{'))
		return false;
	const char *newline = memchr(c.at, '\n', (size_t)(c.end - c.at));
	c.end = newline ? newline : c.end;
	return rg_cursor_holds(c, "\"opdiff_run\"");
}

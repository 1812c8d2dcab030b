#include "golden/opdiff.h"

#include "golden/golden.h"
#include "golden/json_text.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The name of the format stands within the first bytes, whatever else the first line says. */
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

static const cJSON *field(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

static rg_error *text_field(rg_arena *arena, const cJSON *object, const char *name,
			    const char **out)
{
	const cJSON *value = field(object, name);

	if (!cJSON_IsString(value))
		return rg_error_new(RG_E_PARSE, "no text '%s'", name);
	return rg_arena_text(arena, value->valuestring, out);
}

static double number_field(const cJSON *object, const char *name)
{
	const cJSON *value = field(object, name);

	return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

static rg_error *read_status(const cJSON *object, rg_opdiff_status *out)
{
	const cJSON *value = field(object, "status");
	int i;

	for (i = 0; cJSON_IsString(value) && i < RG_OPDIFF_STATUSES; i++)
		if (!strcmp(value->valuestring, statuses[i])) {
			*out = (rg_opdiff_status)i;
			return NULL;
		}
	return rg_error_new(RG_E_PARSE, "status '%s' is not known",
			    cJSON_IsString(value) ? value->valuestring : "");
}

/* One repeat: its status and time. */
static rg_error *read_repeat(const cJSON *repeat, rg_opdiff_result *out)
{
	rg_opdiff_status status;

	RG_TRY(read_status(repeat, &status));
	if (status > out->status)
		out->status = status;
	out->ms[out->ms_count++] = number_field(repeat, "ms");
	return NULL;
}

static rg_error *read_diff(const cJSON *diff, rg_opdiff_diff *out)
{
	const cJSON *ok = field(diff, "ok"), *code = field(diff, "code");
	int i;

	if (!cJSON_IsBool(ok))
		return rg_error_new(RG_E_PARSE, "a difference without 'ok'");
	out->ok = cJSON_IsTrue(ok);
	out->mse = number_field(diff, "mse");
	out->max_abs = number_field(diff, "max_abs");
	out->mean_abs = number_field(diff, "mean_abs");
	out->code = RG_OPDIFF_OTHER;
	for (i = 0; cJSON_IsString(code) && i < RG_OPDIFF_OTHER; i++)
		if (!strcmp(code->valuestring, codes[i]))
			out->code = (rg_opdiff_code)i;
	return NULL;
}

/* Leaves out what is NaN and sorts the others. */
static double median(double *values, size_t count)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		if (!isnan(values[i]))
			values[n++] = values[i];
	if (!n)
		return NAN;
	qsort(values, n, sizeof(*values), rg_compare_doubles);
	return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
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

static size_t list_size(const cJSON *list)
{
	return cJSON_IsArray(list) ? (size_t)cJSON_GetArraySize(list) : 0;
}

static rg_error *read_backend(rg_arena *arena, const cJSON *object, rg_opdiff_result *out)
{
	const cJSON *repeats = field(object, "res"), *diffs = field(object, "diff_all"), *one;

	RG_TRY(text_field(arena, object, "backend", &out->backend));
	out->ms = rg_arena_alloc(arena, (list_size(repeats) + 1) * sizeof(*out->ms));
	out->diffs = rg_arena_alloc(arena, (list_size(diffs) + 1) * sizeof(*out->diffs));
	if (!out->ms || !out->diffs)
		return rg_error_nomem();
	if (!cJSON_IsArray(repeats))
		return rg_error_new(RG_E_PARSE, "backend '%s': no list 'res'", out->backend);
	if (!list_size(repeats))
		out->status = RG_OPDIFF_ERROR; /* as opdiff's own support matrix has it */
	cJSON_ArrayForEach(one, repeats)
	{
		RG_TRY(rg_error_wrap(read_repeat(one, out), "backend '%s'", out->backend));
	}
	for (one = list_size(diffs) ? diffs->child : NULL; one; one = one->next) {
		RG_TRY(rg_error_wrap(read_diff(one, &out->diffs[out->diff_count]), "backend '%s'",
				     out->backend));
		out->diff_count++;
	}
	return set_medians(arena, out);
}

static rg_error *read_baseline(rg_arena *arena, const cJSON *object, rg_opdiff_item *item)
{
	rg_opdiff_result *out = &item->baseline;

	if (!cJSON_IsObject(object))
		return NULL;
	item->has_baseline = true;
	out->ms = rg_arena_alloc(arena, sizeof(*out->ms));
	if (!out->ms)
		return rg_error_nomem();
	RG_TRY(text_field(arena, object, "backend", &out->backend));
	RG_TRY(rg_error_wrap(read_repeat(object, out), "baseline '%s'", out->backend));
	return set_medians(arena, out);
}

static rg_error *read_item(rg_opdiff_run *run, const cJSON *object)
{
	const cJSON *backends = field(object, "backends"), *backend;
	rg_opdiff_item *item;

	RG_TRY(rg_grow(&run->items, &run->capacity, run->count + 1, sizeof(*run->items)));
	item = &run->items[run->count];
	*item = (rg_opdiff_item){.place = run->count};
	RG_TRY(text_field(&run->arena, object, "id", &item->id));
	RG_TRY(read_baseline(&run->arena, field(object, "baseline"), item));
	item->results =
		rg_arena_alloc(&run->arena, (list_size(backends) + 1) * sizeof(*item->results));
	if (!item->results)
		return rg_error_nomem();
	cJSON_ArrayForEach(backend, backends)
	{
		RG_TRY(rg_error_wrap(
			read_backend(&run->arena, backend, &item->results[item->result_count]),
			"item '%s'", item->id));
		item->result_count++;
	}
	run->count++;
	return NULL;
}

static rg_error *read_meta(const cJSON *line)
{
	const cJSON *meta = field(line, "meta");
	const cJSON *name = field(meta, "format_name");

	if (!cJSON_IsString(name) || strcmp(name->valuestring, "opdiff_run") != 0)
		return rg_error_new(RG_E_PARSE, "its format_name is not 'opdiff_run'");
	if (number_field(meta, "format_version") != 1)
		return rg_error_new(RG_E_PARSE, "its format_version is not 1");
	return NULL;
}

/* Begins a run: what was read of an earlier one is dropped. */
static rg_error *begin_run(rg_opdiff_run *run, const cJSON *meta)
{
	rg_arena_release(&run->arena);
	rg_arena_init(&run->arena);
	run->count = 0;
	if (cJSON_IsString(field(meta, "created_at")))
		return text_field(&run->arena, meta, "created_at", &run->created_at);
	run->created_at = "";
	return NULL;
}

static rg_error *read_line(rg_opdiff_run *run, const cJSON *line, int wanted)
{
	const cJSON *type = field(line, "type");
	const char *text = cJSON_IsString(type) ? type->valuestring : "";

	if (!strcmp(text, "meta")) {
		RG_TRY(read_meta(line));
		run->runs++;
		if (wanted < 0 || run->runs == (size_t)wanted + 1)
			return begin_run(run, field(line, "meta"));
		return NULL;
	}
	if (strcmp(text, "item") != 0)
		return rg_error_new(RG_E_PARSE, "type '%s' is neither 'meta' nor 'item'", text);
	if (!run->runs)
		return rg_error_new(RG_E_PARSE, "an item before the first meta line");
	return wanted < 0 || run->runs == (size_t)wanted + 1 ? read_item(run, line) : NULL;
}

/* Where something else than blanks begins; `end`: nowhere. */
static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'))
		p++;
	return p;
}

static rg_error *read_lines(rg_opdiff_run *run, const char *p, const char *end, int wanted)
{
	size_t number = 0;

	while (p < end) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		const char *stop = newline ? newline : end;
		rg_error *err = NULL;
		cJSON *line;

		number++;
		if (skip_blanks(p, stop) < stop) {
			err = rg_json_parse(&line, p, (size_t)(stop - p), RG_GOLDEN_DEPTH_MAX);
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
	const rg_opdiff_item *left = a, *right = b;
	int order = strcmp(left->id, right->id);

	return order ? order : (left->place > right->place) - (left->place < right->place);
}

/* In order, of equal ids the last one. */
static void order_items(rg_opdiff_run *run)
{
	size_t i, kept = 0;

	if (run->count)
		qsort(run->items, run->count, sizeof(*run->items), compare_items);
	for (i = 0; i < run->count; i++) {
		if (i + 1 < run->count && !strcmp(run->items[i].id, run->items[i + 1].id))
			run->duplicates++;
		else
			run->items[kept++] = run->items[i];
	}
	run->count = kept;
}

rg_error *rg_opdiff_read(rg_opdiff_run *out, const void *data, size_t size, int run_index)
{
	*out = (rg_opdiff_run){.created_at = ""};
	rg_arena_init(&out->arena);
	RG_TRY(read_lines(out, data, (const char *)data + size, run_index));
	if (!out->runs)
		return rg_error_new(RG_E_PARSE, "no results of opdiff: no meta line");
	if (run_index >= 0 && (size_t)run_index >= out->runs)
		return rg_error_new(RG_E_USAGE, "run %d was asked for, but it holds %zu (from 0)",
				    run_index, out->runs);
	order_items(out);
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
	static const char name[] = "\"opdiff_run\"";
	enum { BEFORE = sizeof("\"opdiff") - 1, LENGTH = sizeof(name) - 1 };
	const char *probed = (const char *)data + (size < PROBE ? size : PROBE);
	const char *start = size ? skip_blanks(data, probed) : probed, *p = start, *end;

	if (start == probed || *start != '{')
		return false;
	end = memchr(start, '\n', (size_t)(probed - start));
	end = end ? end : probed;
	/* By its underscore: most of what is asked about are numbers, which have none. */
	for (; (p = memchr(p, '_', (size_t)(end - p))) != NULL; p++)
		if (p - start >= BEFORE && end - p >= LENGTH - BEFORE &&
		    !memcmp(p - BEFORE, name, LENGTH))
			return true;
	return false;
}

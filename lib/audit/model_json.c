#include "audit/model.h"

#include "base/file.h"
#include "base/json_out.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "regild noise model"
enum { VERSION = 1, RUNS_MAX = 1000000, SERIES_MAX = 10000000 };
#define MODEL_MAX ((size_t)1 << 30)
/* Whole numbers that a double holds. */
#define STEP_MAX ((int64_t)1 << 53)

/* ---- writing ---- */

/* A new run can be held against the centre where that is finite at some step. */
static bool is_writable(const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	size_t count = noise->centre_count, i = 0;

	while (i < count && isnan(noise->centre[i]))
		i++;
	return !series->derived && i < count &&
	       noise->runs > noise->other_steps + noise->nonfinite &&
	       noise->centre_steps[0] >= -STEP_MAX && noise->centre_steps[count - 1] <= STEP_MAX;
}

static int compare_series(const void *a, const void *b)
{
	const rg_audit_series *x = *(const rg_audit_series *const *)a;
	const rg_audit_series *y = *(const rg_audit_series *const *)b;
	int order = strcmp(x->file, y->file);

	if (!order)
		order = strcmp(x->metric, y->metric);
	if (order)
		return order;
	if (x->noise.measured != y->noise.measured)
		return x->noise.measured < y->noise.measured ? 1 : -1;
	return (x->group < y->group) - (x->group > y->group);
}

/* The best series of each file and metric, in order. */
static rg_error *choose(const rg_audit *audit, const rg_audit_series ***out, size_t *count)
{
	size_t total, kept = 0, i;

	RG_TRY(rg_audit_all_series(audit, out, &total));
	qsort(*out, total, sizeof(**out), compare_series);
	for (i = 0; i < total; i++) {
		const rg_audit_series *series = (*out)[i];

		if (!is_writable(series))
			continue;
		if (!kept || strcmp((*out)[kept - 1]->file, series->file) ||
		    strcmp((*out)[kept - 1]->metric, series->metric))
			(*out)[kept++] = series;
	}
	*count = kept;
	return NULL;
}

/* Steps one behind the other are written as the first of them. */
static void put_steps(rg_json_out *json, const int64_t *steps, size_t count)
{
	size_t i;

	if (steps[count - 1] - steps[0] == (int64_t)(count - 1)) {
		rg_json_key(json, "first_step");
		rg_json_integer(json, steps[0]);
		return;
	}
	rg_json_key(json, "steps");
	rg_json_open_flat(json, '[');
	for (i = 0; i < count; i++)
		rg_json_integer(json, steps[i]);
	rg_json_close(json, ']');
}

/* A run with the common steps that is finite: it has a deviation, unless no step of the centre is a
 * yardstick. */
static bool is_in(const rg_audit_series *series, size_t row)
{
	return series->noise.rows_common[row] && !series->noise.rows_nonfinite[row];
}

static void put_series(rg_json_out *json, const rg_audit *audit, const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	size_t i;

	rg_json_open(json, '{');
	rg_json_key_text(json, "file", series->file);
	rg_json_key_text(json, "metric", series->metric);
	rg_json_key_text(json, "group", audit->groups[series->group].name);
	rg_json_key_text(json, "regime_from",
			 series->break_count ? audit->runs[series->regime_from].id : NULL);
	rg_json_key_truth(json, "deterministic", noise->deterministic);
	rg_json_key_truth(json, "bounded", !noise->unsteady);
	put_steps(json, noise->centre_steps, noise->centre_count);
	rg_json_key(json, "centre");
	rg_json_open_flat(json, '[');
	for (i = 0; i < noise->centre_count; i++)
		rg_json_number(json, noise->centre[i]);
	rg_json_close(json, ']');
	rg_json_key(json, "runs");
	rg_json_open_flat(json, '[');
	for (i = 0; i < series->row_count; i++)
		if (is_in(series, i))
			rg_json_count(json, series->row_runs[i]);
	rg_json_close(json, ']');
	rg_json_key(json, "deviations");
	rg_json_open_flat(json, '[');
	for (i = 0; i < series->row_count; i++)
		if (is_in(series, i))
			rg_json_number(json, noise->deviations[i]);
	rg_json_close(json, ']');
	rg_json_close(json, '}');
}

rg_error *rg_noise_model_write(rg_buf *out, const rg_audit *audit)
{
	const rg_audit_series **series = NULL;
	rg_json_out json;
	size_t count = 0, i;

	RG_TRY(choose(audit, &series, &count));
	rg_json_out_init(&json, out);
	rg_json_open(&json, '{');
	rg_json_key_text(&json, "format", FORMAT);
	rg_json_key_count(&json, "version", VERSION);
	rg_json_key_text(&json, "group_by", rg_audit_grouping_names[audit->options.grouping]);
	rg_json_key(&json, "runs");
	rg_json_open(&json, '[');
	for (i = 0; i < audit->run_count; i++) {
		rg_json_open_flat(&json, '{');
		rg_json_key_text(&json, "id", audit->runs[i].id);
		rg_json_key_text(&json, "when", audit->runs[i].when);
		rg_json_key_text(&json, "branch", audit->runs[i].branch);
		rg_json_key_text(&json, "commit", audit->runs[i].commit);
		rg_json_close(&json, '}');
	}
	rg_json_close(&json, ']');
	rg_json_key(&json, "series");
	rg_json_open(&json, '[');
	for (i = 0; i < count; i++)
		put_series(&json, audit, series[i]);
	rg_json_close(&json, ']');
	rg_json_close(&json, '}');
	free(series);
	return rg_buf_check(out, "the noise model");
}

/* ---- reading ---- */

static rg_error *wrong(const char *key, const char *what)
{
	return rg_error_new(RG_E_PARSE, "'%s' %s", key, what);
}

static rg_error *get_text(rg_arena *arena, const cJSON *object, const char *key, bool may_be_null,
			  const char **out)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	*out = NULL;
	if (may_be_null && (!item || cJSON_IsNull(item)))
		return NULL;
	if (!cJSON_IsString(item))
		return wrong(key, "is not a text");
	*out = rg_arena_copy(arena, item->valuestring, strlen(item->valuestring));
	return *out ? NULL : rg_error_nomem();
}

static rg_error *get_truth(const cJSON *object, const char *key, bool *out)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	*out = cJSON_IsTrue(item);
	return cJSON_IsBool(item) ? NULL : wrong(key, "is not true or false");
}

static rg_error *get_list(const cJSON *object, const char *key, size_t max, const cJSON **out,
			  size_t *count)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key), *item;

	*count = 0;
	*out = NULL;
	if (!cJSON_IsArray(list))
		return wrong(key, "is not a list");
	cJSON_ArrayForEach(item, list) if (++*count > max) return wrong(key, "is too long");
	*out = list;
	return NULL;
}

/* A list of numbers; null is NaN. */
static rg_error *get_numbers(rg_arena *arena, const cJSON *object, const char *key,
			     const double **out, size_t *count)
{
	const cJSON *list = NULL, *item;
	double *numbers;
	size_t i = 0;

	RG_TRY(get_list(object, key, SIZE_MAX / 16, &list, count));
	numbers = rg_arena_alloc(arena, (*count + 1) * sizeof(*numbers));
	if (!numbers)
		return rg_error_nomem();
	cJSON_ArrayForEach(item, list)
	{
		bool number = cJSON_IsNumber(item) && isfinite(item->valuedouble);

		if (!number && !cJSON_IsNull(item))
			return wrong(key, "holds something that is no number");
		numbers[i++] = number ? item->valuedouble : NAN;
	}
	*out = numbers;
	return NULL;
}

static bool is_whole(double value, double min, double max)
{
	return value >= min && value <= max && floor(value) == value;
}

/* "first_step", or NaN where the steps are listed. */
static rg_error *get_first_step(const cJSON *object, double *out)
{
	const cJSON *first = cJSON_GetObjectItemCaseSensitive(object, "first_step");

	*out = NAN;
	if (!first)
		return NULL;
	if (!cJSON_IsNumber(first) ||
	    !is_whole(first->valuedouble, -(double)STEP_MAX, (double)STEP_MAX))
		return wrong("first_step", "is not a whole number");
	*out = first->valuedouble;
	return NULL;
}

static rg_error *get_steps(rg_arena *arena, const cJSON *object, rg_noise_series *series)
{
	const double limit = (double)STEP_MAX, *numbers = NULL;
	size_t count = series->count, i;
	int64_t *steps;
	double first;

	RG_TRY(get_first_step(object, &first));
	if (isnan(first)) {
		RG_TRY(get_numbers(arena, object, "steps", &numbers, &count));
		if (count != series->count)
			return wrong("steps", "are not as many as the centre's values");
	}
	steps = rg_arena_alloc(arena, (count + 1) * sizeof(*steps));
	if (!steps)
		return rg_error_nomem();
	for (i = 0; i < count; i++) {
		if (numbers && !is_whole(numbers[i], -limit, limit))
			return wrong("steps", "holds something that is no whole number");
		steps[i] = numbers ? (int64_t)numbers[i] : (int64_t)first + (int64_t)i;
		if (i && steps[i] <= steps[i - 1])
			return wrong("steps", "do not ascend");
	}
	series->steps = steps;
	return NULL;
}

static rg_error *get_runs(rg_arena *arena, const cJSON *object, size_t all, rg_noise_series *series)
{
	const double *numbers;
	size_t count, i, *runs;

	RG_TRY(get_numbers(arena, object, "runs", &numbers, &series->run_count));
	RG_TRY(get_numbers(arena, object, "deviations", &series->deviations, &count));
	if (!series->run_count)
		return wrong("runs", "is empty");
	if (count != series->run_count)
		return wrong("deviations", "are not as many as the runs");
	runs = rg_arena_alloc(arena, count * sizeof(*runs));
	if (!runs)
		return rg_error_nomem();
	series->low = series->high = series->deviations[0];
	for (i = 0; i < count; i++) {
		double value = series->deviations[i];

		if (!is_whole(numbers[i], 0, (double)all - 1) ||
		    (i && numbers[i] <= numbers[i - 1]))
			return wrong("runs", "do not ascend or name a run that is not there");
		runs[i] = (size_t)numbers[i];
		if (isnan(value) != isnan(series->deviations[0]))
			return wrong("deviations", "are not all numbers");
		series->low = value < series->low ? value : series->low;
		series->high = value > series->high ? value : series->high;
	}
	series->runs = runs;
	return NULL;
}

static rg_error *parse_series(rg_noise_model *model, const cJSON *object, rg_noise_series *out)
{
	rg_arena *arena = &model->arena;

	RG_TRY(get_text(arena, object, "file", false, &out->file));
	RG_TRY(get_text(arena, object, "metric", false, &out->metric));
	RG_TRY(get_text(arena, object, "group", false, &out->group));
	RG_TRY(get_text(arena, object, "regime_from", true, &out->regime_from));
	RG_TRY(get_truth(object, "deterministic", &out->deterministic));
	RG_TRY(get_truth(object, "bounded", &out->bounded));
	RG_TRY(get_numbers(arena, object, "centre", &out->centre, &out->count));
	if (!out->count)
		return wrong("centre", "is empty");
	RG_TRY(get_steps(arena, object, out));
	return get_runs(arena, object, model->run_count, out);
}

static rg_error *parse_runs(rg_noise_model *model, const cJSON *root)
{
	const cJSON *list = NULL, *item;
	size_t count, i = 0;

	RG_TRY(get_list(root, "runs", RUNS_MAX, &list, &count));
	model->runs = rg_arena_alloc(&model->arena, (count + 1) * sizeof(*model->runs));
	if (!model->runs)
		return rg_error_nomem();
	cJSON_ArrayForEach(item, list)
	{
		rg_audit_run *run = &model->runs[i++];

		RG_TRY(get_text(&model->arena, item, "id", false, &run->id));
		RG_TRY(get_text(&model->arena, item, "when", false, &run->when));
		RG_TRY(get_text(&model->arena, item, "branch", false, &run->branch));
		RG_TRY(get_text(&model->arena, item, "commit", false, &run->commit));
	}
	model->run_count = count;
	return NULL;
}

static int compare_noise(const void *a, const void *b)
{
	const rg_noise_series *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	return order ? order : strcmp(x->metric, y->metric);
}

static rg_error *parse_root(rg_noise_model *model, const cJSON *root)
{
	const cJSON *format = cJSON_GetObjectItemCaseSensitive(root, "format");
	const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "version"), *list = NULL,
		    *item;
	const char *grouping = "";
	size_t i = 0;

	if (!cJSON_IsString(format) || strcmp(format->valuestring, FORMAT) != 0)
		return rg_error_new(RG_E_PARSE, "is not a noise model of regild audit --model");
	if (!cJSON_IsNumber(version) || version->valuedouble != VERSION)
		return wrong("version", "is not 1; write the model anew with this regild");
	RG_TRY(get_text(&model->arena, root, "group_by", false, &grouping));
	for (i = 0; strcmp(rg_audit_grouping_names[i], grouping) != 0;)
		if (++i == RG_GROUPINGS)
			return wrong("group_by", "is not all, branch or commit");
	model->grouping = (rg_audit_grouping)i;
	RG_TRY(parse_runs(model, root));
	RG_TRY(get_list(root, "series", SERIES_MAX, &list, &model->count));
	model->series = rg_arena_alloc(&model->arena, (model->count + 1) * sizeof(*model->series));
	if (!model->series)
		return rg_error_nomem();
	i = 0;
	cJSON_ArrayForEach(item, list)
	{
		RG_TRY(rg_error_wrap(parse_series(model, item, &model->series[i]), "series %zu",
				     i + 1));
		i++;
	}
	qsort(model->series, model->count, sizeof(*model->series), compare_noise);
	for (i = 1; i < model->count; i++)
		if (!compare_noise(&model->series[i - 1], &model->series[i]))
			return rg_error_new(RG_E_PARSE, "'%s' of %s stands twice",
					    model->series[i].metric, model->series[i].file);
	return NULL;
}

rg_error *rg_noise_model_parse(rg_noise_model *out, const char *text, size_t length)
{
	const char *end = NULL;
	rg_error *err;
	cJSON *root;
	size_t at;

	*out = (rg_noise_model){0};
	rg_arena_init(&out->arena);
	root = cJSON_ParseWithLengthOpts(text, length, &end, false);
	at = end ? (size_t)(end - text) : 0;
	while (root && at < length && text[at] && strchr(" \t\r\n", text[at]))
		at++;
	/* Two models in one file are none: which of them counts would be a guess. */
	if (root && at == length)
		err = parse_root(out, root);
	else
		err = rg_error_new(RG_E_PARSE, "is not JSON (byte %zu)", at);
	cJSON_Delete(root);
	if (err)
		rg_noise_model_release(out);
	return err;
}

rg_error *rg_noise_model_load(rg_noise_model *out, const char *path)
{
	rg_error *err;
	rg_buf text;

	rg_buf_init(&text, MODEL_MAX);
	err = rg_file_read(&text, path);
	if (!err)
		err = rg_error_wrap(rg_noise_model_parse(out, text.data, text.length), "%s", path);
	rg_buf_release(&text);
	return err;
}

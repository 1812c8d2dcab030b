/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/model.h"

#include "base/base64.h"
#include "base/fields.h"
#include "base/order.h"
#include "golden/records.h"
#include "golden/series_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

RG_ORDER(by_name, rg_noise_series, RG_BY_TEXT(file) || RG_BY_TEXT(metric));

/* A file's name from the whole path to its last two parts, or the last: the next one, or NULL. */
typedef struct {
	const char *name;
	size_t parts;
	bool bare;
} name_parts;

static name_parts first_parts(const char *file)
{
	const char *after = strstr(file, " vs ");
	/* "OLDNAME vs NEWNAME": the new one. */
	name_parts at = {.name = after ? after + 4 : file, .parts = 1};
	for (const char *c = at.name; *c; c++)
		at.parts += *c == '/' ? 1 : 0;
	at.bare = at.parts == 1 || after;
	return at;
}

static bool next_parts(name_parts *at)
{
	const char *slash = strchr(at->name, '/');
	if (!slash || (at->parts <= 2 && !at->bare))
		return false;
	at->name = slash + 1;
	at->parts--;
	return true;
}

const rg_noise_series *rg_noise_model_find(const rg_noise_model *model, const char *file,
					   const char *metric)
{
	name_parts at = first_parts(file);
	const rg_noise_series *series = NULL;
	if (!model->count)
		return NULL;
	do {
		const rg_noise_series key = {.file = at.name, .metric = metric};
		series = bsearch(&key, model->series, model->count, sizeof(key), by_name);
	} while (!series && next_parts(&at));
	return series;
}

void rg_noise_model_mark(const rg_noise_model *model, const char *file, bool *marks)
{
	name_parts at = first_parts(file);
	size_t low, high;
	do {
		for (low = 0, high = model->count; low < high;) {
			size_t middle = low + (high - low) / 2;
			if (strcmp(model->series[middle].file, at.name) < 0)
				low = middle + 1;
			else
				high = middle;
		}
		for (; low < model->count && !strcmp(model->series[low].file, at.name); low++)
			marks[low] = true;
	} while (next_parts(&at));
}

rg_error *rg_noise_series_values(double *out, const rg_noise_series *series)
{
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_TEXT);
	rg_error *err = rg_base64_read(&bytes, series->values);
	if (!err)
		err = rg_series_unpack(out, series->run_count * series->count, bytes.data,
				       bytes.length);
	/* Whatever is wrong with them, it is the model's text. */
	return err ? rg_error_wrap(err, "the noise model's values of '%s' in %s", series->metric,
				   series->file)
		   : NULL;
}

void rg_noise_model_release(rg_noise_model *model)
{
	rg_arena_release(&model->arena);
	*model = (rg_noise_model){0};
}

/* --- the keys --- */

#define OF rg_audit_run
static const rg_json_field run_fields[] = {RG_KEY(id, "Its number, a commit or a path."),
					   RG_KEY(when, "When it began; empty: not known."),
					   RG_KEY(branch, "Its branch; empty: not known."),
					   RG_KEY(commit, "Its commit; empty: not known."),
					   {0}};
#undef OF

#define OF rg_noise_series
static const rg_json_field series_fields[] = {
	RG_KEY(file, "The golden's path."),
	RG_KEY(metric, "The metric's name."),
	RG_KEY(group, "The group of runs."),
	RG_KEY_OR_NULL(regime_from, "The run of the newest break; null: there is none."),
	RG_SAID("step_count", COUNT, "Steps."),
	RG_SAID_OPTIONAL("first_step", INTEGER,
			 "The first step, if each step follows the one before."),
	RG_SAID_OPTIONAL("steps", INTEGERS, "The steps, if they do not."),
	RG_SAID_OPTIONAL("records", TEXTS,
			 "Of a table, the keys of its records, instead of steps."),
	RG_SAID("runs", COUNTS, "Places in the list of runs, counted from 0."),
	RG_KEY(values, "The values of each of these runs, one run after the other: lines, "
		       "compressed by zlib, in base64."),
	RG_KEY_OPTIONAL(drifts,
			"Do the runs drift, so that ranks among them bound nothing? Missing: no."),
	{0}};
#undef OF

const rg_json_field rg_noise_model_fields[] = {
	RG_SAID_WORD("group_by", ALWAYS, rg_audit_grouping_names, "What makes runs comparable."),
	RG_SAID_OF("runs", LIST, ALWAYS, run_fields, "The runs."),
	RG_SAID_OF("series", LIST, ALWAYS, series_fields, "Each metric that can be judged."),
	{0}};

/* zlib makes that much of a byte, at most; a value has two. */
#define UNPACKED_MAX 516

static const char schema[] = "regild-model";
/* Whole numbers that a double holds. */
#define STEP_MAX ((int64_t)RG_JSON_EXACT_MAX)

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

RG_ORDER_OF_POINTERS(by_worth, rg_audit_series,
		     RG_BY_TEXT(file) || RG_BY_TEXT(metric) || RG_FALLING(noise.measured) ||
			     RG_FALLING(group));

static void write_series(rg_json_out *json, const rg_audit *audit, const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	const int64_t *steps = noise->centre_steps;
	const size_t count = noise->centre_count;
	char number[RG_STEP_TEXT];
	rg_json_open(json, '{');
	rg_json_key_text(json, "file", series->file);
	rg_json_key_text(json, "metric", series->metric);
	rg_json_key_text(json, "group", audit->groups[series->group].name);
	rg_json_key_text(json, "regime_from",
			 series->break_count ? audit->runs[series->regime_from].id : NULL);
	rg_json_key_count(json, "step_count", count);
	/* A record's place differs from table to table, its name does not. Steps that follow one
	 * another are written as the first of them. */
	if (!series->records && steps[count - 1] - steps[0] == (int64_t)(count - 1)) {
		rg_json_key(json, "first_step");
		rg_json_integer(json, steps[0]);
	} else {
		rg_json_key_open_flat(json, series->records ? "records" : "steps", '[');
		for (size_t i = 0; i < count; i++)
			if (series->records)
				rg_json_text(json, rg_step_name(series->records, steps[i], number));
			else
				rg_json_integer(json, steps[i]);
		rg_json_close(json, ']');
	}
	rg_json_key_open_flat(json, "runs", '[');
	for (size_t i = 0; i < series->row_count; i++)
		if (noise->rows_packed[i])
			rg_json_count(json, series->row_runs[i]);
	rg_json_close(json, ']');
	if (series->drifts)
		rg_json_key_truth(json, "drifts", true);
	rg_json_key_text(json, "values", noise->packed);
	rg_json_close(json, '}');
}

rg_error *rg_noise_model_write(rg_buf *out, const rg_audit *audit)
{
	RG_AUTO_FREE const rg_audit_series **series = NULL;
	rg_json_out json;
	/* The best series of each file and metric, in order. */
	size_t total, count = 0;
	rg_audit_all_series(audit, &series, &total);
	qsort(series, total, sizeof(*series), by_worth);
	for (size_t i = 0; i < total; i++) {
		const rg_audit_series *one = series[i];
		if (is_writable(one) && (!count || strcmp(series[count - 1]->file, one->file) ||
					 strcmp(series[count - 1]->metric, one->metric)))
			series[count++] = one;
	}
	rg_json_document(&json, out, schema);
	rg_json_key_text(&json, "group_by", rg_audit_grouping_names[audit->options.grouping]);
	rg_json_key_list(&json, "runs", run_fields, audit->runs, audit->run_count,
			 sizeof(*audit->runs), NULL);
	rg_json_key_open(&json, "series", '[');
	for (size_t i = 0; i < count; i++)
		write_series(&json, audit, series[i]);
	rg_json_close(&json, ']');
	rg_json_close(&json, '}');
	return rg_buf_check(out, "the noise model");
}

/* ---- reading ---- */

static bool is_whole(double value, double min, double max)
{
	return value >= min && value <= max && floor(value) == value;
}

/* The names of a table's records, which are in the series' order; none where there are steps. */
static rg_error *get_records(const rg_json_in *in, const cJSON *object, rg_noise_series *series)
{
	const cJSON *list = rg_json_member(object, "records"), *item;
	rg_records *records;
	size_t count = 0;
	if (!list)
		return NULL;
	if (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != series->count)
		return rg_json_wrong(in, object, "records", "are not as many as step_count says");
	const char **names = rg_arena_alloc(in->arena, (series->count + 1) * sizeof(*names));
	cJSON_ArrayForEach(item, list)
	{
		if (!cJSON_IsString(item))
			return rg_json_wrong(in, object, "records", "are not texts");
		names[count++] = rg_arena_text(in->arena, item->valuestring);
	}
	RG_TRY(rg_records_new(&records, in->arena, names, count));
	series->records = records;
	return NULL;
}

/* More than its packed values can be are refused before there is room for them. */
static rg_error *get_step_count(const rg_json_in *in, const cJSON *object, rg_noise_series *series)
{
	const size_t most = strlen(series->values) * UNPACKED_MAX / series->run_count;
	const cJSON *item = rg_json_member(object, "step_count");
	double count = 0;
	if (!item || !rg_json_is_number(item, &count) || !is_whole(count, 1, (double)most))
		return rg_json_wrong(in, object, "step_count",
				     "is not a number of steps that the values are of");
	series->count = (size_t)count;
	return NULL;
}

static rg_error *get_steps(const rg_json_in *in, const cJSON *object, rg_noise_series *series)
{
	const double limit = (double)STEP_MAX, *numbers = NULL;
	const cJSON *item = rg_json_member(object, "first_step");
	size_t count = series->count;
	double first = 0;
	if (item && (!rg_json_is_number(item, &first) || !is_whole(first, -limit, limit)))
		return rg_json_wrong(in, object, "first_step", "is not a whole number");
	RG_TRY(get_records(in, object, series));
	if (series->records)
		first = 0;
	else if (!item)
		RG_TRY(rg_json_get_numbers(in, object, "steps", &numbers, &count));
	if (count != series->count)
		return rg_json_wrong(in, object, "steps", "are not as many as step_count says");
	int64_t *steps = rg_arena_alloc(in->arena, (count + 1) * sizeof(*steps));
	for (size_t i = 0; i < count; i++) {
		if (numbers && !is_whole(numbers[i], -limit, limit))
			return rg_json_wrong(in, object, "steps", "are not whole numbers");
		steps[i] = numbers ? (int64_t)numbers[i] : (int64_t)first + (int64_t)i;
		if (i && steps[i] <= steps[i - 1])
			return rg_json_wrong(in, object, "steps", "do not ascend");
	}
	series->steps = steps;
	return NULL;
}

static rg_error *get_runs(const rg_json_in *in, const cJSON *object, size_t all,
			  rg_noise_series *series)
{
	const double *numbers;
	size_t *runs;
	RG_TRY(rg_json_get_numbers(in, object, "runs", &numbers, &series->run_count));
	if (!series->run_count)
		return rg_json_wrong(in, object, "runs", "is empty");
	runs = rg_arena_alloc(in->arena, series->run_count * sizeof(*runs));
	for (size_t i = 0; i < series->run_count; i++) {
		if (!is_whole(numbers[i], 0, (double)all - 1) ||
		    (i && numbers[i] <= numbers[i - 1]))
			return rg_json_wrong(in, object, "runs",
					     "do not ascend or name a run that is not there");
		runs[i] = (size_t)numbers[i];
	}
	series->runs = runs;
	return NULL;
}

static rg_error *parse_runs(rg_noise_model *model, const rg_json_in *in)
{
	const cJSON *list, *item;
	size_t count;
	RG_TRY(rg_json_get_objects(in, in->root, "runs", &list, &count));
	model->runs = rg_arena_alloc(in->arena, (count + 1) * sizeof(*model->runs));
	cJSON_ArrayForEach(item, list)
	{
		rg_audit_run *run = &model->runs[model->run_count++];
		RG_TRY(rg_json_get_fields(in, item, run_fields, run));
	}
	return NULL;
}

static rg_error *parse_root(rg_noise_model *model, const cJSON *root)
{
	const rg_json_in in = {root, &model->arena};
	const cJSON *list, *item;
	size_t grouping, count;
	RG_TRY(rg_json_get_head(&in, schema));
	RG_TRY(rg_json_get_word(&in, root, "group_by", rg_audit_grouping_names, RG_GROUPINGS,
				&grouping));
	model->grouping = (rg_audit_grouping)grouping;
	RG_TRY(parse_runs(model, &in));
	RG_TRY(rg_json_get_objects(&in, root, "series", &list, &count));
	model->series = rg_arena_alloc(in.arena, (count + 1) * sizeof(*model->series));
	cJSON_ArrayForEach(item, list)
	{
		rg_noise_series *series = &model->series[model->count++];
		RG_TRY(rg_json_get_fields(&in, item, series_fields, series));
		RG_TRY(get_runs(&in, item, model->run_count, series));
		RG_TRY(get_step_count(&in, item, series));
		RG_TRY(get_steps(&in, item, series));
	}
	qsort(model->series, model->count, sizeof(*model->series), by_name);
	for (size_t i = 1; i < model->count; i++)
		if (!by_name(&model->series[i - 1], &model->series[i]))
			return rg_error_new(RG_E_PARSE, "'%s' of %s appears twice",
					    model->series[i].metric, model->series[i].file);
	return NULL;
}

rg_error *rg_noise_model_parse(rg_noise_model *out, const char *text, size_t length)
{
	cJSON *root;
	*out = (rg_noise_model){0};
	RG_TRY(rg_json_parse_document(&root, text, length, schema));
	rg_error *err = parse_root(out, root);
	cJSON_Delete(root);
	if (err)
		rg_noise_model_release(out);
	return err;
}

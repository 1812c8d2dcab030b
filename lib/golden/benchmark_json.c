/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/json_table.h"
#include "golden/unread_json.h"

#include "golden/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reports of benchmarks: a record each, and nothing of what describes the machine and the run. */

/* --- Google Benchmark --- */

static const char *google_unit(const rg_json_table *table, const char *metric)
{
	return !strcmp(metric, "real_time") || !strcmp(metric, "cpu_time") ? table->time_unit
									   : NULL;
}

/* A benchmark that was repeated appears once for each repetition. */
static rg_error *add_google(rg_json_table *table, const cJSON *object, rg_buf *key)
{
	static const char *const described[] = {"name",
						"family_index",
						"per_family_instance_index",
						"run_name",
						"run_type",
						"repetitions",
						"repetition_index",
						"threads",
						"aggregate_name",
						"aggregate_unit",
						NULL};
	const char *name = cJSON_GetStringValue(rg_json_member(object, "name"));
	const cJSON *repetitions = rg_json_member(object, "repetitions");
	const cJSON *index = rg_json_member(object, "repetition_index");
	const char *unit = cJSON_GetStringValue(rg_json_member(object, "time_unit"));

	if (!name)
		return rg_error_new(RG_E_PARSE, "a benchmark without a name");
	rg_buf_str(key, name);
	if (cJSON_IsNumber(index) && cJSON_IsNumber(repetitions) && repetitions->valuedouble > 1)
		rg_buf_printf(key, ",%.0f", index->valuedouble);
	RG_TRY(rg_json_table_record(table, key));
	table->unit_of = google_unit;
	table->time_unit = unit ? rg_unit_find(unit, strlen(unit)) : NULL;
	return rg_json_table_cells(table, object, described);
}

/* --- pytest-benchmark --- */

/* Seconds; how far they are apart is no time. */
static const char *pytest_unit(const rg_json_table *table, const char *metric)
{
	static const char *const times[] = {"min", "max",     "mean",    "median", "q1",
					    "q3",  "ld15iqr", "hd15iqr", "total"};
	(void)table;
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (!strcmp(metric, times[i]))
			return rg_unit_find("s", 1);
	return NULL;
}

static rg_error *add_pytest(rg_json_table *table, const cJSON *object, rg_buf *key)
{
	/* The single times, and counts that are texts: "1;2". */
	static const char *const left_out[] = {"data", "outliers", NULL};
	const char *name = cJSON_GetStringValue(rg_json_member(object, "fullname"));

	if (!name)
		name = cJSON_GetStringValue(rg_json_member(object, "name"));
	if (!name)
		return rg_error_new(RG_E_PARSE, "a benchmark without a name");
	rg_buf_str(key, name);
	RG_TRY(rg_json_table_record(table, key));
	const char *outliers = cJSON_GetStringValue(rg_json_path_member(object, "stats/outliers"));
	if (outliers)
		rg_unread_line(&table->builder->golden->unread, outliers, strlen(outliers));
	table->unit_of = pytest_unit;
	return rg_json_table_cells(table, rg_json_member(object, "stats"), left_out);
}

/* --- PyTorch HUD --- */

/* The mean, and its standard error where there are several values. */
static rg_error *add_values(rg_json_table *table, const char *metric, const cJSON *values)
{
	double value, sum = 0, squares = 0, n = 0;
	const cJSON *item;

	cJSON_ArrayForEach(item, values)
	{
		if (!rg_json_is_number(item, &value))
			return rg_error_new(RG_E_PARSE, "'%s' has a value that is not a number",
					    metric);
		rg_json_take(item);
		sum += value;
		n++;
	}
	if (n == 0)
		return NULL;
	double mean = sum / n;
	cJSON_ArrayForEach(item, values)
	{
		(void)rg_json_is_number(item, &value);
		squares += (value - mean) * (value - mean);
	}
	return rg_json_table_number(table, metric, n > 1 ? mean : sum,
				    n > 1 ? sqrt(squares / (n - 1) / n) : NAN);
}

static rg_error *add_hud(rg_json_table *table, const cJSON *object, rg_buf *key)
{
	static const char *const parts[] = {"benchmark/name", "model/name"};
	const char *metric = cJSON_GetStringValue(rg_json_path_member(object, "metric/name"));
	bool first = true;

	if (!metric)
		return rg_error_new(RG_E_PARSE, "a metric without a name");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const char *text = cJSON_GetStringValue(rg_json_path_member(object, parts[i]));
		if (!text)
			continue;
		rg_record_key_add(key, text, strlen(text), first);
		first = false;
	}
	RG_TRY(rg_json_table_record(table, key));
	return add_values(table, metric, rg_json_path_member(object, "metric/benchmark_values"));
}

/* --- lm-evaluation-harness --- */

/* The standard error of "acc,none" is "acc_stderr,none". */
static double error_of(const cJSON *task, const char *metric)
{
	const char *comma = strchr(metric, ',');
	size_t length = comma ? (size_t)(comma - metric) : strlen(metric);
	char name[256];
	double error;

	if (snprintf(name, sizeof(name), "%.*s_stderr%s", (int)length, metric,
		     comma ? comma : "") >= (int)sizeof(name))
		return NAN;
	const cJSON *item = rg_json_member(task, name);
	if (!rg_json_is_number(item, &error) || isnan(error))
		return NAN;
	rg_json_take(item);
	return error;
}

static rg_error *add_task(rg_json_table *table, const cJSON *task, rg_buf *key)
{
	const cJSON *item;
	double value;

	rg_buf_str(key, task->string);
	RG_TRY(rg_json_table_record(table, key));
	cJSON_ArrayForEach(item, task)
	{
		if (strstr(item->string, "_stderr") || !rg_json_is_number(item, &value))
			continue;
		rg_json_take(item);
		RG_TRY(rg_json_table_number(table, item->string, value,
					    error_of(task, item->string)));
	}
	return NULL;
}

static bool is_lm_eval(const cJSON *document)
{
	static const char *const described[] = {"config", "configs",   "versions",
						"n-shot", "n-samples", "lm_eval_version"};
	const cJSON *results = rg_json_member(document, "results"), *task;
	bool found = false;

	if (!cJSON_IsObject(results) || !results->child)
		return false;
	cJSON_ArrayForEach(task, results)
	{
		if (!cJSON_IsObject(task))
			return false;
	}
	for (size_t i = 0; i < sizeof(described) / sizeof(*described); i++)
		found |= rg_json_member(document, described[i]) != NULL;
	return found;
}

/* --- all of them --- */

rg_benchmark_add_fn *rg_benchmark_json_reader(const rg_json_table *table, const cJSON *document,
					      const cJSON **list)
{
	/* A rule with a key says how any list is to be read. */
	if (table->rule && table->rule->key_count)
		return NULL;
	const cJSON *benchmarks = rg_json_member(document, "benchmarks");
	*list = document;
	if (rg_json_is_object_list(document))
		return cJSON_IsArray(
			       rg_json_path_member(document->child, "metric/benchmark_values"))
			       ? add_hud
			       : NULL;
	*list = benchmarks;
	if (rg_json_is_object_list(benchmarks)) {
		if (cJSON_IsObject(rg_json_member(benchmarks->child, "stats")))
			return add_pytest;
		if (cJSON_IsObject(rg_json_member(document, "context")))
			return add_google;
		return NULL;
	}
	*list = rg_json_member(document, "results");
	return is_lm_eval(document) ? add_task : NULL;
}

rg_error *rg_benchmark_json_read(rg_json_table *table, const cJSON *document, bool *taken)
{
	const cJSON *list;
	rg_benchmark_add_fn *add = rg_benchmark_json_reader(table, document, &list);
	rg_error *err = NULL;
	rg_buf key;

	*taken = add;
	if (!add)
		return NULL;
	rg_buf_init(&key, RG_BUF_TEXT);
	for (const cJSON *item = list->child; item && !err; item = item->next)
		err = add(table, item, &key);
	rg_buf_release(&key);
	return err;
}

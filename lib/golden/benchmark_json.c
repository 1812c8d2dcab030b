/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/json_table.h"
#include "golden/unread_json.h"

#include "base/memory.h"
#include "golden/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports of benchmarks. Each benchmark is a record; the machine and the run are left out. */

/* --- Google Benchmark --- */

/* The spread of repetitions, and how well a curve fits them, are not times. */
static const char *google_unit(const rg_json_table *table, const char *metric)
{
	static const char *const no_times[] = {"stddev", "cv", "BigO", "RMS", NULL};
	const size_t length = strcspn(metric, " ");
	if (table->suffix && rg_json_is_listed(table->suffix, no_times))
		return NULL;
	return !strncmp(metric, "real_time", length) || !strncmp(metric, "cpu_time", length)
		       ? table->time_unit
		       : NULL;
}

/* The statistic over all repetitions that the object holds, "mean" or "cv"; *length is then cut to
 * the benchmark's own name. NULL: the object is one run. Before version 1.5 only its name says so.
 */
static const char *aggregate_of(const cJSON *object, const char *name, size_t *length)
{
	static const char *const usual[] = {"mean", "median", "stddev", "cv"};
	const char *given = cJSON_GetStringValue(rg_json_member(object, "aggregate_name"));
	const char *const *names = given ? &given : usual;
	const size_t count = given ? 1 : sizeof(usual) / sizeof(*usual);

	for (size_t i = 0; i < count && (given || !rg_json_member(object, "run_type")); i++) {
		const size_t n = strlen(names[i]);
		if (*length <= n + 1 || name[*length - n - 1] != '_' ||
		    strcmp(name + *length - n, names[i]) != 0)
			continue;
		*length -= n + 1;
		return names[i];
	}
	return given;
}

/* A repeated benchmark has a record for each repetition and one for all of them, whose metrics say
 * which statistic they are: "real_time cv". */
static rg_error *append_google(rg_json_table *table, const cJSON *object, rg_buf *key)
{
	static const char *const described[] = {"time_unit",
						"name",
						"run_name",
						"run_type",
						"aggregate_name",
						"aggregate_unit",
						"repetition_index",
						"family_index",
						"per_family_instance_index",
						NULL};
	const char *name = cJSON_GetStringValue(rg_json_member(object, "name"));
	const cJSON *repetitions = rg_json_member(object, "repetitions");
	const cJSON *index = rg_json_member(object, "repetition_index");
	const char *unit = cJSON_GetStringValue(rg_json_member(object, "time_unit"));

	if (!name)
		return rg_error_new(RG_E_PARSE, "a benchmark without a name");
	size_t length = strlen(name);
	table->suffix = aggregate_of(object, name, &length);
	table->unit_of = google_unit;
	table->time_unit = unit ? rg_unit_find(unit, strlen(unit)) : NULL;
	rg_buf_add(key, name, length);
	if (cJSON_IsNumber(index) &&
	    (cJSON_IsNumber(repetitions) ? repetitions->valuedouble > 1 : index->valuedouble > 0))
		rg_buf_printf(key, ",%.0f", index->valuedouble);
	RG_TRY(rg_json_table_record(table, key));
	/* A unit that nobody knows is a text of its own. */
	return rg_json_table_cells(table, object, table->time_unit ? described : described + 1);
}

/* --- pytest-benchmark --- */

/* Times are in seconds. Their spread is not a time. */
static const char *pytest_unit(const rg_json_table *table, const char *metric)
{
	static const char *const times[] = {"min", "max",     "mean",    "median", "q1",
					    "q3",  "ld15iqr", "hd15iqr", "total",  NULL};
	(void)table;
	return rg_json_is_listed(metric, times) ? rg_unit_find("s", 1) : NULL;
}

static rg_error *append_pytest(rg_json_table *table, const cJSON *object, rg_buf *key)
{
	/* The single times, and two counts in one text: "1;2". */
	static const char *const left_out[] = {"data", "outliers", NULL};
	static const char *const described[] = {"name", "fullname", "stats", NULL};
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
	const cJSON *stats = rg_json_member(object, "stats");
	table->unit_of = pytest_unit;
	RG_TRY(rg_json_table_cells(table, stats, left_out));
	table->unit_of = NULL;
	return rg_json_table_cells(table, object, described);
}

/* A number, or a text that is one, for a metric. */
static bool number_of(const cJSON *item, double *out)
{
	rg_text_number number = {0};
	if (!rg_json_is_number(item, out)) {
		if (!rg_json_text_number(item, &number))
			return false;
		*out = number.value;
	}
	rg_json_take(item);
	return true;
}

/* --- PyTorch HUD --- */

/* The mean, and its standard error where there are several values. */
static rg_error *append_values(rg_json_table *table, const char *metric, const cJSON *values)
{
	double value, sum = 0, squares = 0, n = 0;
	const cJSON *item;

	cJSON_ArrayForEach(item, values)
	{
		if (!number_of(item, &value))
			return rg_error_new(RG_E_PARSE, "'%s' has a value that is not a number",
					    metric);
		sum += value;
		n++;
	}
	if (n == 0)
		return NULL;
	double mean = sum / n;
	cJSON_ArrayForEach(item, values)
	{
		(void)number_of(item, &value);
		squares += (value - mean) * (value - mean);
	}
	return rg_json_table_number(table, metric, n > 1 ? mean : sum,
				    n > 1 ? sqrt(squares / (n - 1) / n) : NAN);
}

static rg_error *append_hud(rg_json_table *table, const cJSON *object, rg_buf *key)
{
	static const char *const parts[] = {"benchmark/name", "model/name"};
	const char *metric = cJSON_GetStringValue(rg_json_path_member(object, "metric/name"));
	double target;

	if (!metric)
		return rg_error_new(RG_E_PARSE, "a metric without a name");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		const char *text = cJSON_GetStringValue(rg_json_path_member(object, parts[i]));
		if (text)
			rg_record_key_add(key, text, strlen(text), key->length > 0, 2);
	}
	RG_TRY(rg_json_table_record(table, key));
	if (number_of(rg_json_path_member(object, "metric/target_value"), &target)) {
		RG_AUTO_FREE char *name = rg_textf("%s target_value", metric);
		RG_TRY(rg_json_table_number(table, name, target, NAN));
	}
	return append_values(table, metric, rg_json_path_member(object, "metric/benchmark_values"));
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

static rg_error *append_task(rg_json_table *table, const cJSON *task, rg_buf *key)
{
	const cJSON *item;
	double value;

	rg_buf_str(key, task->string);
	RG_TRY(rg_json_table_record(table, key));
	cJSON_ArrayForEach(item, task)
	{
		if (number_of(item, &value))
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
			       ? append_hud
			       : NULL;
	*list = benchmarks;
	if (rg_json_is_object_list(benchmarks)) {
		if (cJSON_IsObject(rg_json_member(benchmarks->child, "stats")))
			return append_pytest;
		if (cJSON_IsObject(rg_json_member(document, "context")))
			return append_google;
		return NULL;
	}
	*list = rg_json_member(document, "results");
	return is_lm_eval(document) ? append_task : NULL;
}

rg_error *rg_benchmark_json_read(rg_json_table *table, const cJSON *document, bool *taken)
{
	const cJSON *list;
	rg_benchmark_add_fn *add = rg_benchmark_json_reader(table, document, &list);
	RG_AUTO(rg_buf) key = rg_buf_of(RG_BUF_TEXT);

	*taken = add;
	for (const cJSON *item = add ? list->child : NULL; item; item = item->next)
		RG_TRY(add(table, item, &key));
	return NULL;
}

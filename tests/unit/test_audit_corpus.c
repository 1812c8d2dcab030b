/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "audit/audit.h"
#include "base/memory.h"
#include "report/audit_report.h"
#include "base/file.h"
#include "flow/audit_paths.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Every committed version of four goldens, and what was computed over them elsewhere: statistics of
 * each step within the digits that JSON has, rounded figures exactly.
 */
#define CORPUS "../shared/corpus/history"

static cJSON *read_json(const char *path)
{
	cJSON *json;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	assert_null(rg_file_read(&text, path));
	json = cJSON_Parse(text.data);
	assert_non_null(json);
	return json;
}

static const cJSON *get(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!item)
		fail_msg("'%s' is missing", key);
	return item;
}

static void compare_number(const cJSON *ours, const cJSON *wanted, const char *where,
			   const char *key, double tolerance)
{
	double a = get(ours, key)->valuedouble, b = get(wanted, key)->valuedouble;

	if (!(fabs(a - b) <= tolerance * fabs(b)))
		fail_msg("%s: %s is %.17g, not %.17g", where, key, a, b);
}

/* A column's figure of a step; where all runs agree there is only their value, and where all have
 * the step no count of them. */
static double figure_of(const cJSON *ours, const char *key, int step)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(ours, "value");
	const cJSON *column = cJSON_GetObjectItemCaseSensitive(ours, key);

	if (!column && !strcmp(key, "count"))
		return get(ours, "num_samples")->valuedouble;
	if (!column && value)
		return strcmp(key, "std") != 0 ? cJSON_GetArrayItem(value, step)->valuedouble : 0;
	assert_non_null(column);
	return cJSON_GetArrayItem(column, step)->valuedouble;
}

static int place_of(const cJSON *ours, const char *name)
{
	const cJSON *step, *first = cJSON_GetObjectItemCaseSensitive(ours, "first_step");
	int at = 0;

	if (first)
		return (int)(strtod(name, NULL) - first->valuedouble);
	const cJSON *steps = get(ours, "steps");
	cJSON_ArrayForEach(step, steps)
	{
		if (cJSON_IsString(step) ? !strcmp(step->valuestring, name)
					 : step->valuedouble == strtod(name, NULL))
			return at;
		at++;
	}
	fail_msg("step %s is missing", name);
	return 0;
}

/* The series of a metric, of the one golden. */
static const cJSON *series_of(const cJSON *ours, const char *metric)
{
	const cJSON *one;
	cJSON_ArrayForEach(one, get(ours, "series"))
	{
		if (!strcmp(get(one, "metric")->valuestring, metric))
			return one;
	}
	fail_msg("no series of '%s'", metric);
	return NULL;
}

static size_t compare_statistics(const cJSON *ours, const cJSON *wanted)
{
	static const struct {
		const char *key;
		double tolerance;
	} figures[] = {{"min", 0}, {"max", 0}, {"mean", 1e-11}, {"std", 5e-3}, {"count", 0}};
	const cJSON *metric, *step;
	size_t checked = 0, i;

	cJSON_ArrayForEach(metric, wanted)
	{
		const cJSON *one = get(series_of(ours, metric->string), "statistics");
		const cJSON *some = cJSON_GetObjectItemCaseSensitive(one, "value");

		compare_number(one, metric, metric->string, "num_samples", 0);
		assert_int_equal(cJSON_GetArraySize(some ? some : get(one, "min")),
				 cJSON_GetArraySize(get(metric, "values")));
		cJSON_ArrayForEach(step, get(metric, "values"))
		{
			int at = place_of(one, step->string);

			for (i = 0; i < 5; i++, checked++) {
				double a = figure_of(one, figures[i].key, at);
				double b = get(step, figures[i].key)->valuedouble;

				if (!(fabs(a - b) <= figures[i].tolerance * fabs(b)))
					fail_msg("%s: %s is %.17g, not %.17g", metric->string,
						 figures[i].key, a, b);
			}
		}
	}
	return checked;
}

static void compare_tolerances(const cJSON *ours, const cJSON *wanted)
{
	const cJSON *metric, *figure;

	cJSON_ArrayForEach(metric, wanted)
	{
		/* One over 1 would let anything pass, and is not told. */
		bool told = get(metric, "relative_tolerance")->valuedouble <= 1;
		cJSON_ArrayForEach(figure, metric)
		{
			const cJSON *series = series_of(ours, metric->string);
			const cJSON *all =
				cJSON_GetObjectItemCaseSensitive(series, "tolerance_of_all_runs");
			const cJSON *one = all ? all : get(series, "tolerance");
			if (!told && strstr(figure->string, "_tolerance"))
				assert_true(cJSON_IsNull(get(one, figure->string)));
			else
				compare_number(one, metric, metric->string, figure->string, 0);
		}
	}
}

static cJSON *audit_files(const cJSON *names, const char *folder, int64_t start_step)
{
	const rg_audit_options options = {
		.tolerance = {1.5, start_step, 0}, .error_rate = 0.05, .workers = 2};
	size_t count = (size_t)cJSON_GetArraySize(names), i;
	char **paths = calloc(count, sizeof(*paths));
	rg_path_runs *runs;
	rg_audit_source source;
	rg_audit audit;
	cJSON *json;
	rg_buf text;

	for (i = 0; i < count; i++)
		paths[i] = rg_textf(CORPUS "/%s/%s", folder,
				    cJSON_GetArrayItem(names, (int)i)->valuestring);
	assert_null(rg_path_runs_open(&runs, (const char *const *)paths, count,
				      "golden_values*.json", true, NULL));
	source = rg_path_runs_source(runs, RG_BUF_TEXT);
	assert_null(rg_audit_make(&audit, &source, &options));
	assert_int_equal(audit.unreadable_count, 0);
	assert_int_equal(audit.file_count, 1);
	assert_string_equal(audit.files[0].path, folder);
	rg_buf_init(&text, (size_t)1 << 28);
	assert_null(rg_audit_json(&text, &audit, NULL));
	json = cJSON_Parse(text.data);
	assert_non_null(json);
	rg_buf_release(&text);
	rg_audit_release(&audit);
	rg_path_runs_free(runs);
	for (i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
	return json;
}

static void hold_folder(const char *folder, int64_t start_step, size_t at_least)
{
	char *path;
	cJSON *wanted, *ours;
	size_t checked;

	path = rg_textf(CORPUS "/%s/expected-start%d.json", folder, (int)start_step);
	wanted = read_json(path);
	free(path);
	ours = audit_files(get(get(wanted, "metadata"), "result_files"), folder, start_step);
	compare_number(get(ours, "metadata"), get(wanted, "metadata"), folder, "num_runs", 0);
	compare_number(get(ours, "metadata"), get(wanted, "metadata"), folder, "start_step", 0);
	checked = compare_statistics(ours, get(wanted, "statistics"));
	assert_true(checked >= at_least);
	compare_tolerances(ours, get(wanted, "recommended_tolerances"));
	cJSON_Delete(ours);
	cJSON_Delete(wanted);
}

TEST(history)
{
	static const struct {
		const char *folder;
		size_t at_least;
	} folders[] = {
		{"bert-tp1-pp2", 1250},
		{"inference-fp8", 20},
		{"moe-a2a", 1250},
		{"moe-memory-speed", 1500},
	};
	size_t i;

	if (access(CORPUS, F_OK))
		skip();
	for (i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		hold_folder(folders[i].folder, 0, folders[i].at_least);
		hold_folder(folders[i].folder, 10, folders[i].at_least);
	}
}

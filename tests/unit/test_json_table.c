/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "golden/golden.h"
#include "golden/records.h"

#include <math.h>
#include <string.h>

static rg_error *read_text(rg_golden **out, const char *text, const rg_table_rule *rule)
{
	const rg_golden_options options = {
		.run_index = -1, .table_rules = rule, .table_rule_count = rule ? 1 : 0};
	const rg_input in = {.name = "x.json", .data = text, .size = strlen(text)};

	return rg_golden_read(out, &in, &options);
}

static rg_golden *golden_of(const char *text)
{
	rg_golden *golden;

	assert_success(read_text(&golden, text, NULL));
	return golden;
}

/* The place of a record's value in a metric. */
static size_t place_of(const rg_golden *golden, const char *metric, const char *record)
{
	const rg_metric *m = rg_golden_find(golden, metric);
	size_t place, i;

	if (!m)
		fail_msg("no metric '%s'", metric);
	if (!rg_records_find(m->records, record, &place))
		fail_msg("no record '%s'", record);
	for (i = 0; i < m->count; i++)
		if (rg_metric_step(m, i) == (int64_t)place)
			return i;
	fail_msg("'%s' has no %s", record, metric);
	return 0;
}

static double value_of(const rg_golden *golden, const char *metric, const char *record)
{
	return rg_golden_find(golden, metric)->values[place_of(golden, metric, record)];
}

static double error_of(const rg_golden *golden, const char *metric, const char *record)
{
	return rg_golden_find(golden, metric)->errors[place_of(golden, metric, record)];
}

/* NeMo-RL's metrics.json. */
TEST(step_maps)
{
	rg_golden *g = golden_of("{\"train/loss\": {\"1\": 0.25, \"10\": 0.5, \"2\": NaN}, "
				 "\"0\": {\"latency\": 9, \"map\": {\"3\": 4}}}");
	const rg_metric *m = rg_golden_find(g, "train/loss");

	assert_int_equal(m->count, 3);
	assert_int_equal(m->steps[1], 2);
	assert_true(m->values[2] == 0.5);
	/* Megatron-LM's requests keep their fields. */
	assert_non_null(rg_golden_find(g, "0/latency"));
	assert_non_null(rg_golden_find(g, "0/map/3"));
	rg_golden_free(g);
	g = golden_of("{\"1\": 0.25, \"2\": 0.5}");
	assert_int_equal(rg_golden_find(g, "value")->count, 2);
	rg_golden_free(g);
}

TEST(lists_of_objects)
{
	rg_golden *g = golden_of("[{\"name\": \"b\", \"time\": 2, \"stats\": {\"p50\": 1}, \"ok\": "
				 "\"yes\"}, {\"time\": 3, \"name\": \"a\"}]");

	assert_true(value_of(g, "time", "b") == 2);
	assert_true(value_of(g, "time", "a") == 3);
	assert_true(value_of(g, "stats/p50", "b") == 1);
	assert_int_equal(rg_golden_find(g, "ok")->kind, RG_METRIC_TEXTS);
	assert_null(rg_golden_find(g, "name"));
	rg_golden_free(g);
	g = golden_of("{\"models\": [{\"name\": \"a\", \"loss\": 1}], \"total\": 3}");
	assert_true(value_of(g, "models/loss", "a") == 1);
	assert_int_equal(rg_golden_find(g, "total")->count, 1);
	rg_golden_free(g);
}

/* By place only where nothing in them could be a name. */
TEST(lists_by_place)
{
	rg_golden *g =
		golden_of("[{\"a\": 1, \"b\": {\"c\": \"nan\"}}, {\"a\": 3, \"b\": {\"c\": 4}}]");

	assert_true(value_of(g, "a", "place 2") == 3);
	assert_true(isnan(value_of(g, "b/c", "place 1")));
	rg_golden_free(g);
	g = golden_of("{\"runs\": [{\"a\": 1}], \"x\": [{\"name\": \"n\", \"a\": 2}]}");
	assert_true(value_of(g, "runs/a", "place 1") == 1);
	assert_true(value_of(g, "x/a", "n") == 2);
	assert_int_equal(g->note_count, 1);
	rg_golden_free(g);
	/* Whatever their members are. */
	g = golden_of("[{\"a\": 1}, {\"a\": 2, \"b\": \"x\"}, {\"a\": 3}]");
	assert_true(value_of(g, "a", "place 3") == 3);
	assert_string_equal(g->record_key, "");
	rg_golden_free(g);
}

/* What tells the objects apart is found. */
TEST(lists_without_a_key)
{
	const char *const keys[] = {"model,cfg/tp"};
	const rg_table_rule rule = {.pattern = "*.json", .keys = keys, .key_count = 1};
	static const char text[] = "[{\"model\": \"m\", \"cfg\": {\"tp\": 2}, \"loss\": 1}, "
				   "{\"model\": \"m\", \"cfg\": {\"tp\": 4}, \"loss\": 2}]";
	rg_golden *g;

	g = golden_of(text);
	assert_string_equal(g->record_key, "cfg/tp");
	assert_true(value_of(g, "loss", "4") == 2);
	assert_null(rg_golden_find(g, "cfg/tp"));
	rg_golden_free(g);
	assert_success(read_text(&g, text, &rule));
	assert_true(value_of(g, "loss", "m,4") == 2);
	assert_int_equal(g->count, 1);
	rg_golden_free(g);
	/* Below a member, too. */
	assert_success(
		read_text(&g,
			  "{\"list\": [{\"a\": \"m\", \"p\": {\"n\": \"1\"}, \"x\": 1}, "
			  "{\"a\": \"m\", \"p\": {\"n\": \"2\"}, \"x\": 2}], \"version\": 1}",
			  NULL));
	assert_string_equal(g->record_key, "p/n");
	assert_true(value_of(g, "list/x", "2") == 2);
	rg_golden_free(g);
}

/* Names that are there twice, or not everywhere, do not tell objects apart. */
TEST(names_that_are_none)
{
	rg_golden *g;
	g = golden_of("[{\"name\": \"a\", \"x\": 1}, {\"name\": \"a\", \"x\": 2}]");
	assert_string_equal(g->record_key, "");
	assert_true(value_of(g, "x", "place 2") == 2);
	rg_golden_free(g);
	g = golden_of("[{\"name\": \"a\", \"n\": \"k\", \"x\": 1}, "
		      "{\"name\": \"a\", \"n\": \"l\", \"x\": 2}, "
		      "{\"name\": \"b\", \"n\": \"k\", \"x\": 3}]");
	assert_string_equal(g->record_key, "name,n");
	assert_true(value_of(g, "x", "b,k") == 3);
	rg_golden_free(g);
	g = golden_of("{\"r\": [{\"name\": \"a\", \"x\": 1}, {\"x\": 2}]}");
	assert_string_equal(g->record_key, "name");
	rg_golden_free(g);
	g = golden_of("[{\"name\": \"a\", \"x\": 1}, {\"name\": \"a\", \"y\": 2}]");
	assert_null(g->record_key);
	assert_true(value_of(g, "y", "a") == 2);
	rg_golden_free(g);
}

/* What vLLM and others write. */
TEST(pytorch_hud)
{
	rg_golden *g = golden_of(
		"[{\"benchmark\": {\"name\": \"vLLM\"}, \"model\": {\"name\": \"llama\"}, "
		"\"metric\": "
		"{\"name\": \"latency\", \"benchmark_values\": [1, 3], \"target_value\": 0}}, "
		"{\"benchmark\": {\"name\": \"vLLM\"}, \"model\": {\"name\": \"llama\"}, "
		"\"metric\": "
		"{\"name\": \"tokens\", \"benchmark_values\": [7]}}]");

	assert_int_equal(g->count, 3);
	assert_true(value_of(g, "latency target_value", "vLLM,llama") == 0);
	assert_int_equal(g->records->count, 1);
	assert_true(value_of(g, "latency", "vLLM,llama") == 2);
	assert_true(error_of(g, "latency", "vLLM,llama") == 1);
	assert_true(value_of(g, "tokens", "vLLM,llama") == 7);
	rg_golden_free(g);
}

TEST(google_benchmark)
{
	rg_golden *g = golden_of(
		"{\"context\": {\"date\": \"2026\", \"num_cpus\": 8}, \"benchmarks\": ["
		"{\"name\": \"BM_a\", \"run_type\": \"iteration\", \"repetitions\": 2, "
		"\"repetition_index\": 0, \"iterations\": 100, \"real_time\": 5.5, \"cpu_time\": "
		"5, "
		"\"time_unit\": \"ns\"},"
		"{\"name\": \"BM_a\", \"run_type\": \"iteration\", \"repetitions\": 2, "
		"\"repetition_index\": 1, \"iterations\": 100, \"real_time\": 6.5, \"cpu_time\": "
		"5, "
		"\"time_unit\": \"ns\"},"
		"{\"name\": \"BM_b\", \"run_type\": \"iteration\", \"repetitions\": 1, "
		"\"repetition_index\": 0, \"iterations\": 100, \"real_time\": 9, \"cpu_time\": 5, "
		"\"time_unit\": \"ms\"}]}");

	assert_int_equal(g->count, 4); /* iterations, repetitions and both times */
	assert_true(value_of(g, "real_time", "BM_a,1") == 6.5);
	assert_true(value_of(g, "real_time", "BM_b") == 9);
	/* In nanoseconds and in milliseconds, but times. */
	assert_null(rg_golden_find(g, "real_time")->unit);
	assert_int_equal(rg_golden_find(g, "real_time")->unit_count, 3);
	assert_string_equal(rg_golden_find(g, "real_time")->units[2].text, "ms");
	assert_true(rg_metric_is_duration(rg_golden_find(g, "real_time")));
	assert_false(rg_metric_is_duration(rg_golden_find(g, "iterations")));
	assert_null(rg_golden_find(g, "time_unit"));
	rg_golden_free(g);
}

/* What all repetitions come to is no further repetition, and their spread is no time. */
TEST(google_aggregates)
{
	rg_golden *g = golden_of(
		"{\"context\": {}, \"benchmarks\": ["
		"{\"name\": \"BM_a\", \"run_type\": \"iteration\", \"repetitions\": 2, "
		"\"repetition_index\": 0, \"real_time\": 5, \"time_unit\": \"ns\", \"items\": 3},"
		"{\"name\": \"BM_a\", \"run_type\": \"iteration\", \"repetitions\": 2, "
		"\"repetition_index\": 1, \"real_time\": 7, \"time_unit\": \"ns\", \"items\": 3},"
		"{\"name\": \"BM_a_mean\", \"run_type\": \"aggregate\", \"aggregate_name\": "
		"\"mean\", \"real_time\": 6, \"time_unit\": \"ns\", \"items\": 3},"
		"{\"name\": \"BM_a_cv\", \"run_type\": \"aggregate\", \"aggregate_name\": \"cv\", "
		"\"real_time\": 0.25, \"time_unit\": \"ns\"},"
		"{\"name\": \"BM_old_stddev\", \"real_time\": 0.5, \"time_unit\": \"ns\"},"
		"{\"name\": \"BM_mean\", \"run_type\": \"iteration\", \"real_time\": 9, "
		"\"time_unit\": \"ticks\"}]}");

	assert_int_equal(rg_golden_find(g, "real_time")->count, 3);
	assert_true(value_of(g, "real_time", "BM_mean") == 9);
	assert_true(value_of(g, "real_time mean", "BM_a") == 6);
	assert_true(value_of(g, "real_time cv", "BM_a") == 0.25);
	assert_true(value_of(g, "real_time stddev", "BM_old") == 0.5);
	assert_true(value_of(g, "items mean", "BM_a") == 3);
	assert_true(rg_metric_is_duration(rg_golden_find(g, "real_time mean")));
	assert_false(rg_metric_is_duration(rg_golden_find(g, "real_time cv")));
	assert_false(rg_metric_is_duration(rg_golden_find(g, "real_time stddev")));
	assert_int_equal(rg_golden_find(g, "time_unit")->count, 1);
	rg_golden_free(g);
}

TEST(pytest_benchmark)
{
	rg_golden *g = golden_of(
		"{\"machine_info\": {\"node\": \"x\"}, \"commit_info\": {\"id\": \"1\"}, "
		"\"benchmarks\": [{\"name\": \"t\", \"fullname\": \"tests/t.py::t\", \"stats\": "
		"{\"min\": 1, \"mean\": 2, \"stddev\": 0.5, \"data\": [1, 2], \"outliers\": "
		"\"1;2\"}, \"extra_info\": {\"accuracy\": 0.5, \"deep\": {\"n\": [1, \"2\"]}}}]}");

	assert_int_equal(g->count, 6);
	assert_true(value_of(g, "extra_info/accuracy", "tests/t.py::t") == 0.5);
	assert_true(value_of(g, "extra_info/deep/n/1", "tests/t.py::t") == 2);
	assert_true(value_of(g, "mean", "tests/t.py::t") == 2);
	assert_string_equal(rg_golden_find(g, "mean")->unit, "s");
	assert_null(rg_golden_find(g, "stddev")->unit);
	rg_golden_free(g);
}

/* What describes the run is not a metric; a standard error is its neighbour's. */
TEST(lm_eval)
{
	rg_golden *g = golden_of(
		"{\"results\": {\"gsm8k\": {\"alias\": \"gsm8k\", \"exact_match,strict-match\": "
		"0.5, "
		"\"exact_match_stderr,strict-match\": 0.01}, \"mmlu\": {\"acc,none\": 0.25, "
		"\"acc_stderr,none\": \"N/A\"}}, \"n-samples\": {}, \"date\": 1.5, \"config\": "
		"{\"seed\": 1}}");

	assert_int_equal(g->count, 3);
	assert_true(value_of(g, "exact_match_stderr,strict-match", "gsm8k") == 0.01);
	assert_true(value_of(g, "exact_match,strict-match", "gsm8k") == 0.5);
	assert_true(error_of(g, "exact_match,strict-match", "gsm8k") == 0.01);
	assert_true(value_of(g, "acc,none", "mmlu") == 0.25);
	rg_golden_free(g);
}

/* Ids are exact, however they are nested. */
TEST(integer_ids)
{
	rg_golden *g = golden_of("{\"0\": {\"generated_tokens\": [1, 2], \"routing_indices\": "
				 "{\"layer_1\": [[3, 4], [5, 6]]}, \"logprobs\": [-1, -2]}}");

	assert_int_equal(rg_golden_find(g, "0/generated_tokens")->kind, RG_METRIC_TOKENS);
	assert_int_equal(rg_golden_find(g, "0/routing_indices/layer_1/1")->kind, RG_METRIC_TOKENS);
	assert_int_equal(rg_golden_find(g, "0/logprobs")->kind, RG_METRIC_SERIES);
	rg_golden_free(g);
}

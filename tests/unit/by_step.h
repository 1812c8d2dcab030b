/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_BY_STEP_H
#define REGILD_TESTS_BY_STEP_H

#include "unit.h"

#include "golden/golden.h"

#include <string.h>

/* Logs and tables whose metrics are series by step. */

static inline rg_error *read_as(rg_golden **out, const char *name, const void *bytes, size_t size,
				const rg_table_rule *rule)
{
	const rg_golden_options options = {
		.run_index = -1, .table_rules = rule, .table_rule_count = rule ? 1 : 0};
	const rg_input in = {.name = name, .data = bytes, .size = size};

	return rg_golden_read(out, &in, &options);
}

static inline rg_golden *golden_of(const char *name, const char *text)
{
	rg_golden *golden;

	assert_success(read_as(&golden, name, text, strlen(text), NULL));
	return golden;
}

static inline const rg_metric *metric_of(const rg_golden *golden, const char *name)
{
	const rg_metric *metric = rg_golden_find(golden, name);

	if (!metric)
		fail_msg("no metric '%s'", name);
	return metric;
}

static inline double value_at(const rg_golden *golden, const char *name, int64_t step)
{
	const rg_metric *metric = metric_of(golden, name);

	for (size_t i = 0; i < metric->count; i++)
		if (rg_metric_step(metric, i) == step)
			return metric->values[i];
	fail_msg("'%s' has no step %lld", name, (long long)step);
	return 0;
}

static inline const char *text_at(const rg_golden *golden, const char *name, int64_t step)
{
	const rg_metric *metric = metric_of(golden, name);

	for (size_t i = 0; i < metric->text_count; i++)
		if (metric->texts[i].step == step)
			return metric->texts[i].text;
	fail_msg("'%s' has no text at step %lld", name, (long long)step);
	return NULL;
}

/* It is read as a text with numbers, and `why` says why it is not what it looked like. */
static inline void assert_text(const char *name, const char *text, const char *why)
{
	rg_golden *golden = golden_of(name, text);

	assert_string_equal(golden->format, "text");
	assert_int_equal(golden->note_count, 1);
	assert_string_equal(golden->notes[0].text, why);
	rg_golden_free(golden);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader of series against its oracle: whatever lib/golden/series.c takes, cJSON's way must
 * take too and give the same, to the bit. And a number that it reads is strtod's.
 */
#include "require.h"

#include "golden/format.h"
#include "golden/series.h"

#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same_bytes(const void *a, const void *b, size_t size)
{
	return !size || !memcmp(a, b, size);
}

static void require_same_metric(const rg_metric *a, const rg_metric *b)
{
	require(!strcmp(a->name, b->name), "names");
	require(a->kind == b->kind && a->count == b->count, "counts");
	require(same_bytes(a->steps, b->steps, a->count * sizeof(*a->steps)), "steps");
	require(same_bytes(a->values, b->values, a->count * sizeof(*a->values)), "values");
	require(a->start_step == b->start_step && a->end_step == b->end_step &&
			a->step_interval == b->step_interval,
		"what the block says of its steps");
	require(a->duplicate_keys == b->duplicate_keys && a->duplicate_step == b->duplicate_step,
		"steps that appear twice");
	require(a->invalid_values == b->invalid_values, "invalid values");
	require(a->quoted_count == b->quoted_count &&
			same_bytes(a->quoted, b->quoted, a->quoted_count * sizeof(*a->quoted)),
		"values in quotes");
	require(a->precision == b->precision, "precision");
}

static void require_same(const rg_golden *a, const rg_golden *b)
{
	size_t i;

	require(a->count == b->count && a->duplicate_keys == b->duplicate_keys, "metrics");
	for (i = 0; i < a->count; i++)
		require_same_metric(&a->metrics[i], &b->metrics[i]);
}

static void hold_against_oracle(const rg_input *in)
{
	rg_golden fast = {0}, oracle = {0};
	rg_error *err, *oracle_err;
	bool taken;

	rg_arena_init(&fast.arena);
	rg_arena_init(&oracle.arena);
	err = rg_series_read(&fast, in, &taken);
	if (taken && !err) {
		oracle_err = rg_format_read(&rg_format_json, &oracle, in, NULL);
		require(!oracle_err, "one takes it, the other does not");
		require_same(&fast, &oracle);
	}
	rg_error_free(err);
	rg_arena_release(&fast.arena);
	rg_arena_release(&oracle.arena);
}

/* The bytes as one number, followed by a blank that ends it. */
static void hold_number(const uint8_t *data, size_t size)
{
	char text[64] = {0};
	const char *at = text;
	double value, expected;

	if (!size || size > 60)
		return;
	memcpy(text, data, size);
	text[size] = ' ';
	if (!rg_json_number_read(&at, text + size + 1, &value))
		return;
	text[at - text] = '\0'; /* strtod would go on in "0x0e" */
	expected = strtod(text, NULL);
	require(!memcmp(&value, &expected, sizeof(value)), "a number");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_input in = {.name = "golden_values.json", .data = data, .size = size};
	rg_golden *golden;
	rg_error *err;

	hold_against_oracle(&in);
	hold_number(data, size);
	err = rg_golden_read(&golden, &in, NULL);
	rg_error_free(err);
	rg_golden_free(golden);
	return 0;
}

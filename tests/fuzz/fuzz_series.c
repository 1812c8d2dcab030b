/*
 * The reader of series against its oracle: whatever lib/golden/series.c takes, cJSON's way must
 * take too and give the same, to the bit. And a number that it reads is strtod's.
 */
#include "require.h"

#include "golden/golden.h"
#include "golden/digits.h"
#include "golden/series.h"

#include "base/memory.h"

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
		"steps that stand twice");
	require(a->invalid_values == b->invalid_values, "values that are none");
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
		oracle_err = rg_json_read(&oracle, in);
		require(!oracle_err, "one takes it, the other does not");
		require_same(&fast, &oracle);
	}
	rg_error_free(err);
	rg_arena_release(&fast.arena);
	rg_arena_release(&oracle.arena);
}

/* The short way takes the number with the same value, or leaves it. */
static void hold_short_number(const uint8_t *number, size_t length, double expected)
{
	char text[64 + RG_DIGITS_ROOM] = {0};
	rg_digits_usual_number usual = {0};
	const char *at = text;
	double value;

	memcpy(text, number, length);
	if (rg_digits_number(&at, &usual, &value))
		require(at == text + length && !memcmp(&value, &expected, sizeof(value)),
			"a short number");
}

/* The bytes as one number, with a blank behind that ends it. */
static void hold_number(const uint8_t *data, size_t size)
{
	char text[64] = {0};
	const char *at = text;
	double value, expected;

	if (!size || size > 60)
		return;
	memcpy(text, data, size);
	text[size] = ' ';
	if (!rg_series_number(&at, text + size + 1, &value))
		return;
	text[at - text] = '\0'; /* strtod would go on in "0x0e" */
	expected = strtod(text, NULL);
	require(!memcmp(&value, &expected, sizeof(value)), "a number");
	hold_short_number(data, (size_t)(at - text), expected);
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

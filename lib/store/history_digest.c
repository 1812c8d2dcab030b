/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_digest.h"

#include "golden/records.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 512 };

static rg_error *add_number(rg_sha256 *hash, uint64_t number)
{
	unsigned char bytes[8];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(number >> 8 * i);
	return rg_sha256_add(hash, bytes, sizeof(bytes));
}

/* With its length in front: no two lists of texts look alike. */
static rg_error *add_text(rg_sha256 *hash, const char *text)
{
	size_t length = strlen(text);
	RG_TRY(add_number(hash, length));
	return rg_sha256_add(hash, text, length);
}

/* A NaN is a NaN. */
static uint64_t bits_of(double value)
{
	uint64_t bits;
	if (isnan(value))
		value = NAN;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static rg_error *add_values(rg_sha256 *hash, const rg_metric *series)
{
	unsigned char bytes[BLOCK * 16];
	size_t at = 0;

	for (size_t i = 0; i < series->count; i++) {
		uint64_t step = (uint64_t)rg_metric_step(series, i),
			 value = bits_of(series->values[i]);

		for (size_t k = 0; k < 8; k++) {
			bytes[at + k] = (unsigned char)(step >> 8 * k);
			bytes[at + 8 + k] = (unsigned char)(value >> 8 * k);
		}
		at += 16;
		if (at < sizeof(bytes) && i + 1 < series->count)
			continue;
		RG_TRY(rg_sha256_add(hash, bytes, at));
		at = 0;
	}
	return NULL;
}

static rg_error *add_metric(rg_sha256 *hash, const rg_metric *metric)
{
	bool series = metric->kind == RG_METRIC_SERIES;
	RG_TRY(add_text(hash, metric->name));
	RG_TRY(add_number(hash, series));
	if (!series)
		return add_text(hash, metric->text);
	RG_TRY(add_number(hash, metric->count));
	return add_values(hash, metric);
}

static rg_error *add_records(rg_sha256 *hash, const rg_records *records)
{
	RG_TRY(add_number(hash, records != NULL));
	if (!records)
		return NULL;
	RG_TRY(add_number(hash, records->count));
	for (size_t i = 0; i < records->count; i++)
		RG_TRY(add_text(hash, records->names[i]));
	return NULL;
}

static rg_error *add_golden(rg_sha256 *hash, const rg_history_golden *golden)
{
	RG_TRY(add_text(hash, golden->path));
	RG_TRY(add_text(hash, golden->sha256));
	RG_TRY(add_number(hash, golden->bytes));
	RG_TRY(add_records(hash, golden->golden->records));
	RG_TRY(add_number(hash, golden->golden->count));
	for (size_t i = 0; i < golden->golden->count; i++)
		RG_TRY(add_metric(hash, &golden->golden->metrics[i]));
	return NULL;
}

static rg_error *take_golden(void *context, size_t run, rg_history_golden *golden)
{
	rg_error *err = rg_error_wrap(golden->why, "%s", golden->path);
	(void)run;
	if (!err)
		err = add_golden(context, golden);
	rg_golden_free(golden->golden);
	return err;
}

static rg_error *add_run(rg_sha256 *hash, const rg_history_run *run)
{
	RG_TRY(add_text(hash, run->repository));
	RG_TRY(add_text(hash, run->source));
	RG_TRY(add_text(hash, run->settings));
	RG_TRY(add_number(hash, run->id));
	RG_TRY(add_number(hash, run->attempt));
	RG_TRY(add_text(hash, run->commit));
	RG_TRY(add_text(hash, run->branch));
	RG_TRY(add_text(hash, run->event));
	RG_TRY(add_text(hash, run->when));
	RG_TRY(add_number(hash, run->fork));
	return add_number(hash, run->complete);
}

rg_error *rg_history_digest(rg_history_store *history, const rg_history_run *run,
			    uint64_t bytes_max, char out[static RG_SHA256_HEX])
{
	rg_sha256 *hash;
	RG_TRY(rg_sha256_new(&hash));
	rg_error *err = add_run(hash, run);
	if (!err)
		err = rg_history_goldens(history, run, 1, bytes_max, take_golden, hash);
	if (!err)
		err = rg_sha256_finish(hash, out);
	rg_sha256_free(hash);
	return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_digest.h"

#include "golden/records.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 512 };

static rg_error *hash_number(rg_sha256 *hash, uint64_t number)
{
	unsigned char bytes[8];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(number >> 8 * i);
	return rg_sha256_add(hash, bytes, sizeof(bytes));
}

/* The length comes first, so that no two lists of texts look alike. */
static rg_error *hash_text(rg_sha256 *hash, const char *text)
{
	size_t length = strlen(text);
	RG_TRY(hash_number(hash, length));
	return rg_sha256_add(hash, text, length);
}

static rg_error *hash_values(rg_sha256 *hash, const rg_metric *series)
{
	unsigned char bytes[BLOCK * 16];
	size_t at = 0;

	RG_TRY(hash_number(hash, series->count));
	for (size_t i = 0; i < series->count; i++) {
		/* All NaNs are the same. */
		double number = isnan(series->values[i]) ? NAN : series->values[i];
		uint64_t step = (uint64_t)rg_metric_step(series, i), value;

		memcpy(&value, &number, sizeof(value));
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

static rg_error *take_golden(void *context, size_t run, rg_history_golden *found)
{
	RG_AUTO_PTR(rg_golden) golden = found->golden;
	rg_sha256 *hash = context;

	(void)run;
	RG_TRY(rg_error_wrap(found->why, "%s", found->path));
	RG_TRY(hash_text(hash, found->path));
	RG_TRY(hash_text(hash, found->sha256));
	RG_TRY(hash_number(hash, found->bytes));
	RG_TRY(hash_number(hash, golden->records != NULL));
	if (golden->records)
		RG_TRY(hash_number(hash, golden->records->count));
	for (size_t i = 0; golden->records && i < golden->records->count; i++)
		RG_TRY(hash_text(hash, golden->records->names[i]));
	RG_TRY(hash_number(hash, golden->count));
	for (size_t i = 0; i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		const bool is_series = metric->kind == RG_METRIC_SERIES;

		RG_TRY(hash_text(hash, metric->name));
		RG_TRY(hash_number(hash, is_series));
		RG_TRY(is_series ? hash_values(hash, metric) : hash_text(hash, metric->text));
	}
	return NULL;
}

rg_error *rg_history_digest(rg_history_store *history, const rg_history_run *run,
			    uint64_t bytes_max, char out[static RG_SHA256_HEX])
{
	RG_AUTO_PTR(rg_sha256) hash = NULL;

	RG_TRY(rg_sha256_new(&hash));
	RG_TRY(hash_text(hash, run->repository));
	RG_TRY(hash_text(hash, run->source));
	RG_TRY(hash_text(hash, run->settings));
	RG_TRY(hash_number(hash, run->id));
	RG_TRY(hash_number(hash, run->attempt));
	RG_TRY(hash_text(hash, run->commit));
	RG_TRY(hash_text(hash, run->branch));
	RG_TRY(hash_text(hash, run->event));
	RG_TRY(hash_text(hash, run->when));
	RG_TRY(hash_number(hash, run->fork));
	RG_TRY(hash_number(hash, run->complete));
	RG_TRY(rg_history_goldens(history, run, 1, bytes_max, take_golden, hash));
	return rg_sha256_finish(hash, out);
}

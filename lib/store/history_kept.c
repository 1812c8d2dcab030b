/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_kept.h"

#include "golden/records.h"

#include <string.h>

enum { TEXT_MAX = 256 }; /* longer texts are not results */

static rg_error *keep_text(const rg_metric *metric, rg_history_keep_fn *keep, void *context)
{
	if (metric->count > TEXT_MAX || metric->count != strlen(metric->text))
		return NULL;
	return keep(context, metric);
}

/* Of a file that no reader takes, which it was. */
static rg_error *keep_opaque(const rg_metric *file, rg_history_keep_fn *keep, void *context)
{
	char sha256[RG_SHA256_HEX];
	rg_metric text = {.name = file->name,
			  .kind = RG_METRIC_TEXT,
			  .text = sha256,
			  .count = sizeof(sha256) - 1};

	RG_TRY(rg_sha256_hex(file->text, file->count, sha256));
	return keep(context, &text);
}

/* Is it an opaque file of a history, which has its digest instead of its bytes? */
static bool is_digest(const rg_golden *golden, const rg_metric *metric)
{
	return metric->kind == RG_METRIC_OPAQUE && !strcmp(golden->format, RG_HISTORY_FORMAT);
}

rg_error *rg_history_keep(const rg_golden *golden, rg_history_keep_fn *keep, void *context)
{
	rg_error *err = NULL;
	for (size_t i = 0; !err && i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		if (metric->kind == RG_METRIC_SERIES)
			err = keep(context, metric);
		else if (metric->kind == RG_METRIC_TEXT || is_digest(golden, metric))
			err = keep_text(metric, keep, context);
		else if (metric->kind == RG_METRIC_OPAQUE || metric->kind == RG_METRIC_UNREADABLE)
			err = keep_opaque(metric, keep, context);
	}
	return err;
}

rg_metric_kind rg_history_text_kind(const char *name)
{
	return strcmp(name, RG_OPAQUE_METRIC) != 0 ? RG_METRIC_TEXT : RG_METRIC_OPAQUE;
}

bool rg_history_are_places(const rg_metric *series)
{
	for (size_t i = 0; i < series->count; i++)
		if (rg_metric_step(series, i) < 0 ||
		    (uint64_t)rg_metric_step(series, i) >= series->records->count)
			return false;
	return true;
}

bool rg_history_digest_take(char out[static RG_SHA256_HEX], const void *bytes, size_t size)
{
	if (size != RG_SHA256_HEX - 1)
		return false;
	memcpy(out, bytes, size);
	out[size] = '\0';
	return strspn(out, "0123456789abcdef") == size;
}

rg_error *rg_history_damaged(const char *what)
{
	return rg_error_new(RG_E_MISMATCH, "%s in the history is damaged", what);
}

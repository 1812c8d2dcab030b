/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_kept.h"

#include "golden/records.h"

#include <string.h>

enum { TEXT_MAX = 256 }; /* longer texts are not results */

rg_error *rg_history_keep(const rg_golden *golden, rg_history_keep_fn *keep, void *context)
{
	for (size_t i = 0; i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		/* An opaque file of a history has its digest instead of its bytes. */
		bool is_text = metric->kind == RG_METRIC_TEXT ||
			       (metric->kind == RG_METRIC_OPAQUE &&
				!strcmp(golden->format, RG_HISTORY_FORMAT));
		bool is_result = metric->kind == RG_METRIC_SERIES ||
				 (is_text && metric->count <= TEXT_MAX &&
				  metric->count == strlen(metric->text));

		if (is_result)
			RG_TRY(keep(context, metric));
		else if (!is_text && (metric->kind == RG_METRIC_OPAQUE ||
				      metric->kind == RG_METRIC_UNREADABLE)) {
			/* A file that no reader takes is identified by its digest. */
			char sha256[RG_SHA256_HEX];
			rg_metric text = {.name = metric->name,
					  .kind = RG_METRIC_TEXT,
					  .text = sha256,
					  .count = sizeof(sha256) - 1};

			RG_TRY(rg_sha256_hex(metric->text, metric->count, sha256));
			RG_TRY(keep(context, &text));
		}
	}
	return NULL;
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

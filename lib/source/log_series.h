/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_LOG_SERIES_H
#define REGILD_SOURCE_LOG_SERIES_H

#include "base/buf.h"
#include "base/line_pattern.h"

/* The values that a log prints, by step, and the golden that they become. */

/* So many values are kept at once, those that come again with them; half as many steps at most. */
#define RG_LOG_STEPS_MAX ((size_t)1 << 20)

typedef struct {
	int64_t step;
	double number;
	size_t text, length; /* as it was printed, in the series' texts */
	uint64_t line;       /* in the log */
	size_t order;
} rg_log_value;

typedef struct {
	rg_log_value *values; /* as they came; settled: ascending by step, each once */
	size_t count, capacity;
	rg_buf texts;
} rg_log_series;

/* `max` bounds the texts, in bytes. */
void rg_log_series_init(rg_log_series *series, size_t max);
void rg_log_series_release(rg_log_series *series);
/* RG_E_LIMIT for too many; RG_E_PARSE where a step has two values that are not the same. */
RG_CHECKED rg_error *rg_log_series_add(rg_log_series *series, const rg_line_match *match,
				       uint64_t line);
RG_CHECKED rg_error *rg_log_series_settle(rg_log_series *series);

/* A settled series as Megatron-LM writes one. A number is in the words that it was printed in,
 * where JSON has them. */
void rg_log_series_write(const rg_log_series *series, const char *metric, rg_buf *out);
/* The same as a step list: "STEP VALUE" a line, each value as it was printed. */
void rg_log_series_list(const rg_log_series *series, rg_buf *out);

#endif

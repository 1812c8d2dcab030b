/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_HISTORY_ROWS_H
#define REGILD_FLOW_HISTORY_ROWS_H

#include "base/json.h"
#include "store/history.h"

/*
 * An exported history's rows, in CSV or JSON Lines; regild-export(5) has the columns. A row is a
 * metric; a golden without any is one row, too, and so is a run without goldens.
 */

typedef struct {
	const rg_history_run *run;
	const rg_history_golden *golden; /* NULL: the run has none */
	const rg_metric *metric;         /* NULL: the golden has none */
} rg_history_row;

/* Appends the line that CSV begins with. */
void rg_history_rows_head(rg_buf *out);
/* Appends a row; the caller checks `out`. */
void rg_history_rows_add(rg_buf *out, bool csv, const rg_history_row *row);

/* A row that was read, in an arena. */
typedef struct {
	rg_history_run run;
	bool has_golden, has_metric;
	rg_history_golden golden; /* without the golden itself */
	rg_metric metric;
	const char **records; /* of the golden; NULL: it is not a table */
	size_t record_count;
} rg_history_row_in;

/* RG_E_PARSE "'values' is not a list of numbers"; RG_E_UNSAFE for a path that leaves. Records and
 * steps are not compared with each other. */
RG_CHECKED rg_error *rg_history_rows_parse(rg_history_row_in *out, const cJSON *object,
					   rg_arena *arena);

#endif

#ifndef REGILD_REPORT_VIEW_H
#define REGILD_REPORT_VIEW_H

#include "report/markdown.h"

#include <cjson/cJSON.h>

/*
 * What a summary's template can use, as an object; the caller frees it with cJSON_Delete. Lists
 * hold at most `cap` items and say in `more` how many there are beyond.
 */
RG_CHECKED rg_error *rg_summary_view(cJSON **out, const rg_summary *summary, size_t cap);

/* Failed ones first, then what is not finite any more and exact rows, then by falling
 * |avg_rel_diff|, then as they stand. */
void rg_rows_worst_first(const rg_row **rows, size_t count);
/* At or over the flag level, outside of what was measured, or not finite any more. */
bool rg_row_must_look(const rg_row *row);

#endif

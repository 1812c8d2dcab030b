#ifndef REGILD_REPORT_VIEW_H
#define REGILD_REPORT_VIEW_H

#include "report/markdown.h"

#include <cjson/cJSON.h>

/*
 * What a summary's template can use, as an object; the caller frees it with cJSON_Delete. Lists
 * hold at most `cap` items and say in `more` how many there are beyond.
 */
RG_CHECKED rg_error *rg_summary_view(cJSON **out, const rg_summary *summary, size_t cap);

#endif

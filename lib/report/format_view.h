/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_FORMAT_VIEW_H
#define REGILD_REPORT_FORMAT_VIEW_H

#include "base/fields.h"
#include "compare/backend_compare.h"
#include "compare/opdiff_compare.h"

#include <cJSON.h>

/*
 * What particular formats have to say beside rows, as data of templates: backend tests by what
 * became of their cases, and opdiff runs by status, accuracy and time. The same data are in the
 * JSON. *out is freed with cJSON_Delete.
 */
RG_CHECKED rg_error *rg_cases_view(cJSON **out, const rg_case_comparison *comparison);
/* `title` is the file's name, or both files'. */
RG_CHECKED rg_error *rg_opdiff_view(cJSON **out, const rg_opdiff_comparison *comparison,
				    const char *title);

/* Adds the figures of a page to a view of opdiff, which may have been read: of each column its
 * errors and its times to the baseline, and of the new side's times to the old one's. */
RG_CHECKED rg_error *rg_opdiff_put_figures(cJSON *view);

/* The keys of that, in JSON. */
extern const rg_json_field rg_cases_fields[];
extern const rg_json_field rg_opdiff_fields[];

#endif

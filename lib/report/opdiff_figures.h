/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_OPDIFF_FIGURES_H
#define REGILD_REPORT_OPDIFF_FIGURES_H

#include "base/error.h"
#include "compare/opdiff_compare.h"

#include <cJSON.h>

/* Cumulative distributions of opdiff results, as figures of a page. */

/* What a figure draws of values, as the list "drawn": all, or evenly taken ones of many. */
void rg_opdiff_put_drawn(cJSON *object, const rg_opdiff_values *values);

/* Adds the figures to a view (report/format_view.h), which may have been read: of each column its
 * errors and its times to the baseline, and of the new side's times to the old one's. */
RG_CHECKED rg_error *rg_opdiff_put_figures(cJSON *view);

#endif

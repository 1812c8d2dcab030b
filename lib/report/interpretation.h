/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_INTERPRETATION_H
#define REGILD_REPORT_INTERPRETATION_H

#include "compare/summary.h"
#include "report/summary.h"

#include <cJSON.h>

/* What the rows say, by the levels that are configured and by a noise model: "interpretation" in
 * the data of a template, and all that goes with it. */
void rg_view_add_interpretation(bool *failed, cJSON *view, const rg_summary *summary,
				const rg_metric_summaries *metrics);

#endif

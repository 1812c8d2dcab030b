/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_MEASURED_NOISE_H
#define REGILD_REPORT_MEASURED_NOISE_H

#include "base/fields.h"
#include "compare/row.h"

#include <cJSON.h>

/* What a noise model says of all rows: "measured" in the data of a template; nothing without a
 * noise model. */
void rg_view_add_measured(cJSON *view, const rg_comparison *comparison);

/* The keys of that, in JSON. */
extern const rg_json_field rg_measured_fields[];

#endif

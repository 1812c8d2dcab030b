/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_MODELS_VIEW_H
#define REGILD_REPORT_MODELS_VIEW_H

#include "base/fields.h"
#include "story/models.h"
#include "report/table.h"

#include <cjson/cJSON.h>

/* Models as the data of templates. */

typedef struct {
	double threshold; /* of rg_row_size: tensors under it are not shown */
	size_t top;       /* rows at most, over all models; SIZE_MAX: there is no limit */
	bool equal;       /* with those that do not differ */
} rg_models_shown;

/* Adds "models": for each its name, what it says, and its rows, as "tensors" and, where a row has
 * no figures, as "others"; "models_more" and "models_equal" count the rows that are not shown.
 * Nothing where there are no models. */
void rg_models_view(cJSON *view, const rg_models *models, const rg_models_shown *shown);

/* The same for the terminal: a table for each model. */
RG_CHECKED rg_error *rg_models_text(rg_buf *out, const rg_models *models,
				    const rg_models_shown *shown, const rg_table_style *style);

/* The keys of that, in JSON. */
extern const rg_json_field rg_model_fields[];

#endif

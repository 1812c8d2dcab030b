/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_CURVE_JSON_H
#define REGILD_REPORT_CURVE_JSON_H

#include "base/fields.h"
#include "base/json.h"
#include "report/curve.h"

/* The curves that the page has, in the JSON of a comparison. */

/* Writes the members "curves" and "curves_left_out"; `curves` may be NULL. */
void rg_curves_write(rg_json_out *json, const rg_curve_list *curves);

/* Reads them; rows and their texts, as far as a page needs them, are in in->arena. RG_E_PARSE for
 * what is not a curve, and for more of them than a page has. `out` is released whatever comes
 * back. */
RG_CHECKED rg_error *rg_curves_read(rg_curve_list *out, const rg_json_in *in);

/* The keys of that, in JSON. */
extern const rg_json_field rg_curve_fields[];

#endif

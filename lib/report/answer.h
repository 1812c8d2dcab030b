/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_ANSWER_H
#define REGILD_REPORT_ANSWER_H

#include "compare/row.h"
#include "report/columns.h"

/* Whether the run is noise or changed, and the golden: "noise: as the 24 runs are (p 0.4); so is
 * the golden (p 0.6)". Appends nothing where no noise model was given. */
void rg_answer_say(rg_buf *out, const rg_comparison *comparison, const rg_column_context *context);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_DEFECT_TEXT_H
#define REGILD_COMPARE_DEFECT_TEXT_H

#include "compare/defects.h"

/* "METRIC: what is wrong", or what is wrong with the file, in a line: "lm loss: nan at 2..4 (3 of
 * 50 steps)". The same for all goldens with the same defect. */
void rg_defect_say(rg_buf *out, const rg_defect *defect);

#endif

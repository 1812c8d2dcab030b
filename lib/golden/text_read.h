/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_TEXT_READ_H
#define REGILD_GOLDEN_TEXT_READ_H

#include "golden/text.h"

/* The rule for the file, chosen as a table's; NULL: there is none. */
const rg_text_rule *rg_text_rule_of(const rg_golden_options *options, const char *name);

/* False, and nothing was read, where the input is no text, has no number or has a line that is too
 * long. `golden` has an arena, its bytes and maybe a text rule, and is zero otherwise; its metrics
 * come in no order. */
bool rg_text_read(rg_golden *golden);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_YAML_SCALAR_H
#define REGILD_GOLDEN_YAML_SCALAR_H

#include "base/json.h"

/* Reads a plain scalar as a project's own reader does: by YAML 1.1 as PyYAML 6, or by 1.2's core
 * schema as npm's yaml 2. It is a number, true, false, null or a text; NaN is RG_JSON_NAN. */
cJSON *rg_yaml_scalar_read(const char *text, bool as_1_2);

#endif

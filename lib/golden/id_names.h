/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_ID_NAMES_H
#define REGILD_GOLDEN_ID_NAMES_H

#include <stdbool.h>

/* Lists of ids, which are compared one by one: "generated_tokens", "prompt_tokens", and, whatever
 * is around them, "routing_indices/layer_1". */
bool rg_names_ids(const char *name);

#endif

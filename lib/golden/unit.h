/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_UNIT_H
#define REGILD_GOLDEN_UNIT_H

#include <stdbool.h>
#include <stddef.h>

/* The units that numbers are written with: "ns", "MB", "%". */

/* The unit that the whole text is: one that lives as long as the program, the same pointer for the
 * same text. NULL: it is none. */
const char *rg_unit_find(const char *text, size_t length);

/* The unit in brackets that ends a column's name, "Lower Time (s)" or "size [MB]"; NULL: none. */
const char *rg_unit_of_name(const char *name, size_t length);

/* Is it a unit of time? NULL is none. */
bool rg_unit_is_duration(const char *unit);

#endif

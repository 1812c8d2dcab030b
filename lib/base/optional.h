/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_OPTIONAL_H
#define REGILD_BASE_OPTIONAL_H

#include <stdbool.h>
#include <stddef.h>

/* Options that a caller may give or leave out. All zero: nothing is given. */

typedef struct {
	bool given;
	double value;
} rg_optional_number;

typedef struct {
	bool given;
	unsigned long long value;
} rg_optional_integer;

/* The texts are borrowed, the list is its maker's. */
typedef struct {
	const char **items;
	size_t count, capacity;
} rg_texts;

#endif

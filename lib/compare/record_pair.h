/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_RECORD_PAIR_H
#define REGILD_COMPARE_RECORD_PAIR_H

#include "golden/golden.h"

/*
 * Pairs the records of two tables in which nothing names them, by what is in them, as the lines of
 * texts are paired (compare/text_pair.h): equal records first, then, in the gaps, in order, those
 * of the same texts, then those of as many numbers. places[k] is the old record of the new side's
 * record k, or SIZE_MAX.
 */
void rg_records_pair(const rg_golden *old, const rg_golden *fresh, size_t *places);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_ULPS_H
#define REGILD_COMPARE_ULPS_H

#include "golden/dtype.h"

#include <stdint.h>

/*
 * The distance of two doubles in values of a type, which means of its values may lie between: they
 * are rounded to it first. +0 and -0 are 0 apart. Neither is NaN. Values as they are stored have
 * rg_pair_kernel's functions.
 */
uint64_t rg_ulps_between(rg_dtype dtype, double a, double b);

#endif

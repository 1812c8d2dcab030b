/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_SIMULATE_SIMULATE_H
#define REGILD_TESTS_SIMULATE_SIMULATE_H

#include "base/error.h"
#include "simulate/noise.h"

/* Prints how often each kind of noise, and each kind of change, is found. */
RG_CHECKED rg_error *simulate_verdicts(size_t trials);
RG_CHECKED rg_error *simulate_breaks(size_t trials);
RG_CHECKED rg_error *simulate_tolerances(size_t trials);

#endif

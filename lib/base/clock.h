/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_CLOCK_H
#define REGILD_BASE_CLOCK_H

#include "base/error.h"

/* Seconds on a clock that only goes forward; its zero means nothing. */
double rg_clock_monotonic(void);
/* Seconds since 1970. */
double rg_clock_wall(void);
/* Sleeps that long; RG_E_CANCELLED soon after a signal. */
RG_CHECKED rg_error *rg_clock_sleep(double seconds);

/* "850 ms", "12 s", "3 min 20 s", "1 h 5 min". */
#define RG_DURATION_TEXT 32
void rg_duration_text(double seconds, char out[static RG_DURATION_TEXT]);

#endif

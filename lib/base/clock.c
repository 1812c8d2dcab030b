/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include "base/cancel.h"

#include <stdio.h>
#include <time.h>

/* How late Ctrl-C may be noticed while sleeping, in seconds. */
static const double slice = 0.1;

static double read_clock(clockid_t id)
{
	struct timespec now;
	clock_gettime(id, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double rg_clock_monotonic(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

double rg_clock_wall(void)
{
	return read_clock(CLOCK_REALTIME);
}

rg_error *rg_clock_sleep(double seconds)
{
	double end = rg_clock_monotonic() + seconds, left;
	while ((left = end - rg_clock_monotonic()) > 0) {
		double part = left < slice ? left : slice;
		struct timespec span = {0, (long)(part * 1e9)};

		RG_TRY(rg_cancel_check());
		nanosleep(&span, NULL);
	}
	return rg_cancel_check();
}

void rg_duration_text(double seconds, char out[static RG_DURATION_TEXT])
{
	unsigned long whole = seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 1000000000ul;
	if (seconds < 0.9995)
		snprintf(out, RG_DURATION_TEXT, "%d ms", (int)(seconds * 1000 + 0.5));
	else if (whole < 120)
		snprintf(out, RG_DURATION_TEXT, "%lu s", whole);
	else if (whole < 7200)
		snprintf(out, RG_DURATION_TEXT, "%lu min %lu s", whole / 60, whole % 60);
	else
		snprintf(out, RG_DURATION_TEXT, "%lu h %lu min", whole / 3600, whole / 60 % 60);
}

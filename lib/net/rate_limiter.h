/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_NET_RATE_LIMITER_H
#define REGILD_NET_RATE_LIMITER_H

#include "base/cleanup.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * How fast the API may be asked, for all workers together. It knows no clock and never sleeps:
 * callers bring the time and do the waiting, so that every rule can be tested without either.
 * Times are seconds; `now` is monotonic, `wall` is since the epoch. Safe for several threads.
 *
 * The rules (docs.github.com, rate limits and best practices for the REST API):
 * - 900 points a minute, a GET being one: a bucket of 150 that refills at 12 a second, so that no
 *   minute sees more than 900;
 * - slower once x-ratelimit-remaining is under 100: what remains is spread to the reset, at
 *   slowest one a second; at 0 nothing is asked before x-ratelimit-reset;
 * - after a limited answer: retry-after; else, with nothing remaining, until the reset; else a
 *   minute, then twice that each time. Refusals that name a time which is over by our clock, one
 *   after the other, are waited for twice as long each time, from a second on. Jitter only ever
 *   adds.
 */
typedef struct rg_limiter rg_limiter;

/* Headers of an answer; -1 where absent. */
typedef struct {
	int64_t retry_after; /* seconds */
	int64_t remaining;
	int64_t reset; /* epoch seconds */
} rg_limit_headers;

/* Points that may be used at once, and those that each second adds. */
typedef struct {
	double at_once, a_second;
} rg_pace;

/* `first_back_off` is the minute of the last rule, in seconds (shorter in tests). */
rg_limiter *rg_limiter_new(double first_back_off);
void rg_limiter_free(rg_limiter *limiter);
RG_FREE_AT(rg_limiter)
/* Before it is used. Without it the pace is GitHub's: 150 at once, then 12 a second. */
void rg_limiter_set_pace(rg_limiter *limiter, const rg_pace *pace);

/* Takes a point and says how long to wait before using it; 0: go. *limited says whether the
 * server's limit is the reason and not our own pacing. */
double rg_limiter_take(rg_limiter *limiter, double now, bool *limited);
/* How long the limit holds everybody up from `now` on; 0: it does not. Takes nothing. */
double rg_limiter_blocked(rg_limiter *limiter, double now);
/* For how long, up to `now`, all answers have been refusals; 0 after one that is not. */
double rg_limiter_held(rg_limiter *limiter, double now);
/* Notes what an answer of the API says about the limit; `limited` is whether the answer was a
 * refusal for that reason (rg_limiter_is_limited). */
void rg_limiter_note(rg_limiter *limiter, double now, double wall, const rg_limit_headers *headers,
		     bool limited);

/* Notes for all that ask the same API that it refuses the newest of its versions that we speak. The
 * first caller gets true. */
bool rg_limiter_note_older(rg_limiter *limiter);
bool rg_limiter_is_older(rg_limiter *limiter);

/* Does this status mean a limit, and not missing permissions? `body` may be NULL. */
bool rg_limiter_is_limited(long status, const rg_limit_headers *headers, const char *body);

/* The pause before retry number `retry` (from 0): base * 2^retry, of which `random` in [0, 1) takes
 * between a half and all. */
double rg_retry_delay(double base, unsigned retry, double random);

#endif

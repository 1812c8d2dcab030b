/* SPDX-License-Identifier: Apache-2.0 */
#include "net/rate_limiter.h"

#include "base/memory.h"
#include "base/thread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double nearing = 100, slowest = 1; /* points left; points a second */
/* A reset is given in whole seconds of a clock that is not ours. */
static const double clock_slack = 0.5;
static const double back_off_max = 3600, jitter = 0.1; /* seconds; share of the wait */

struct rg_limiter {
	pthread_mutex_t lock;
	double first_back_off;
	rg_pace pace;
	double points, points_at; /* in the bucket (below 0: promised already), and when counted */
	double rate;              /* points a second now */
	double blocked_until;
	double held_since; /* the first of the refusals without an answer between; INFINITY: none */
	unsigned refusals; /* one after the other that did not say how long */
	unsigned late;     /* one after the other that named a time that was over */
	unsigned seed;
	bool older; /* the API speaks only an older version */
};

void rg_limiter_set_pace(rg_limiter *limiter, const rg_pace *pace)
{
	RG_LOCKED(&limiter->lock);
	limiter->pace = *pace;
	limiter->points = pace->at_once;
	limiter->rate = pace->a_second;
}

rg_limiter *rg_limiter_new(double first_back_off)
{
	static const rg_pace github = {150, 12};
	rg_limiter *limiter = rg_calloc(1, sizeof(*limiter));

	pthread_mutex_init(&limiter->lock, NULL);
	limiter->first_back_off = first_back_off;
	limiter->points_at = -INFINITY;
	limiter->held_since = INFINITY;
	rg_limiter_set_pace(limiter, &github);
	/* Processes that are refused together must not come back together. */
	limiter->seed = (unsigned)getpid();
	return limiter;
}

void rg_limiter_free(rg_limiter *limiter)
{
	if (!limiter)
		return;
	pthread_mutex_destroy(&limiter->lock);
	free(limiter);
}

static void refill_bucket(rg_limiter *limiter, double now)
{
	if (now > limiter->points_at)
		limiter->points += (now - limiter->points_at) * limiter->rate;
	if (limiter->points > limiter->pace.at_once)
		limiter->points = limiter->pace.at_once;
	limiter->points_at = now > limiter->points_at ? now : limiter->points_at;
}

double rg_limiter_take(rg_limiter *limiter, double now, bool *limited)
{
	RG_LOCKED(&limiter->lock);
	refill_bucket(limiter, now);
	limiter->points -= 1;
	double pacing = limiter->points < 0 ? -limiter->points / limiter->rate : 0;
	double blocked = fmax(limiter->blocked_until - now, 0);
	*limited = blocked > pacing || limiter->rate < limiter->pace.a_second;
	return fmax(pacing, blocked);
}

double rg_limiter_blocked(rg_limiter *limiter, double now)
{
	RG_LOCKED(&limiter->lock);
	return fmax(limiter->blocked_until - now, 0);
}

double rg_limiter_held(rg_limiter *limiter, double now)
{
	RG_LOCKED(&limiter->lock);
	return fmax(now - limiter->held_since, 0);
}

/* `first`, then twice that each time. */
static double back_off(double first, unsigned times)
{
	return fmin(ldexp(first, times < 16 ? (int)times : 16), fmax(back_off_max, first));
}

/* How long a refusal asks for, by the documented order. */
static double refusal_wait(rg_limiter *limiter, double wall, const rg_limit_headers *headers)
{
	double wait;
	if (headers->retry_after >= 0)
		wait = (double)headers->retry_after;
	else if (headers->remaining == 0 && headers->reset >= 0)
		wait = fmax((double)headers->reset - wall, 0) + clock_slack;
	else
		return back_off(limiter->first_back_off, limiter->refusals++);
	/* That time is over: believed once, for our clock may be ahead of the server's. */
	if (wait <= clock_slack && limiter->late++)
		wait = back_off(clock_slack, limiter->late - 1);
	return wait;
}

void rg_limiter_note(rg_limiter *limiter, double now, double wall, const rg_limit_headers *headers,
		     bool limited)
{
	const double remaining = (double)headers->remaining, left = (double)headers->reset - wall;
	double wait = 0;
	RG_LOCKED(&limiter->lock);
	refill_bucket(limiter, now);
	/* If nothing is left, the block is enough, and the reset brings everything back. */
	if (remaining > 0 && remaining < nearing && left > 0)
		limiter->rate = fmin(limiter->pace.a_second, fmax(slowest, remaining / left));
	else if (remaining >= 0)
		limiter->rate = limiter->pace.a_second;
	/* Points that were saved up while the limit was far do not count when it is near. */
	if (limiter->rate < limiter->pace.a_second && limiter->points > 1)
		limiter->points = 1;
	if (limited) {
		limiter->held_since = fmin(limiter->held_since, now);
		wait = refusal_wait(limiter, wall, headers);
		wait += wait * jitter * (double)rand_r(&limiter->seed) / ((double)RAND_MAX + 1);
	} else {
		limiter->refusals = limiter->late = 0;
		limiter->held_since = INFINITY;
		if (headers->remaining == 0 && left > 0)
			wait = left + clock_slack;
	}
	if (wait > 0 && now + wait > limiter->blocked_until)
		limiter->blocked_until = now + wait;
}

bool rg_limiter_note_older(rg_limiter *limiter)
{
	RG_LOCKED(&limiter->lock);
	bool first = !limiter->older;
	limiter->older = true;
	return first;
}

bool rg_limiter_is_older(rg_limiter *limiter)
{
	RG_LOCKED(&limiter->lock);
	return limiter->older;
}

bool rg_limiter_is_limited(long status, const rg_limit_headers *headers, const char *body)
{
	if (status == 429)
		return true;
	if (status != 403)
		return false;
	return headers->retry_after >= 0 || headers->remaining == 0 ||
	       (body && (strstr(body, "rate limit") || strstr(body, "abuse detection")));
}

double rg_retry_delay(double base, unsigned retry, double random)
{
	return ldexp(base, retry < 10 ? (int)retry : 10) * (0.5 + random / 2);
}

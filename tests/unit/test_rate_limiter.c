/* SPDX-License-Identifier: Apache-2.0 */
/* The limiter's rules, with a clock of our own. */
#include "unit/unit.h"

#include "net/rate_limiter.h"

#include <pthread.h>

static const rg_limit_headers plenty = {-1, 5000, 4000};

static rg_limiter *make(double first_back_off)
{
	rg_limiter *limiter;

	limiter = rg_limiter_new(first_back_off);
	return limiter;
}

/* How many points a minute sees, whoever takes them. */
static unsigned taken_in_a_minute(rg_limiter *limiter)
{
	double now = 100;
	unsigned taken = 0;
	bool limited;

	while (now <= 160) {
		double wait = rg_limiter_take(limiter, now, &limited);

		assert_false(limited);
		now += wait;
		taken += now <= 160;
	}
	return taken;
}

/* GitHub's 900 points, unless it is said that another server takes more: gitlab.com's 2,000. */
TEST(paces_a_minute)
{
	const rg_pace pace = {500, 25};
	rg_limiter *limiter = make(60);

	assert_in_range(taken_in_a_minute(limiter), 840, 900);
	rg_limiter_free(limiter);
	limiter = make(60);
	rg_limiter_set_pace(limiter, &pace);
	assert_in_range(taken_in_a_minute(limiter), 1940, 2000);
	rg_limiter_free(limiter);
}

TEST(lets_a_burst_through)
{
	rg_limiter *limiter = make(60);
	bool limited;
	int i;

	for (i = 0; i < 150; i++)
		assert_true(rg_limiter_take(limiter, 5, &limited) == 0);
	assert_true(rg_limiter_take(limiter, 5, &limited) > 0);
	rg_limiter_free(limiter);
}

static void check_block(const rg_limit_headers *headers, bool limited, double low, double high)
{
	rg_limiter *limiter = make(60);
	double blocked;
	bool reason;

	rg_limiter_note(limiter, 10, 1000, headers, limited);
	blocked = rg_limiter_blocked(limiter, 10);
	if (blocked < low || blocked > high)
		fail_msg("blocked for %g s, not %g to %g", blocked, low, high);
	if (blocked > 0) {
		assert_true(rg_limiter_take(limiter, 10, &reason) >= blocked);
		assert_true(reason);
	}
	assert_true(rg_limiter_blocked(limiter, 10 + high + 1) == 0);
	rg_limiter_free(limiter);
}

TEST(backs_off_in_the_documented_order)
{
	/* retry-after comes before everything else. */
	check_block(&(rg_limit_headers){7, 0, 1100}, true, 7, 7.7);
	check_block(&(rg_limit_headers){0, 0, 1100}, true, 0, 0);
	/* Nothing remains: until the reset. */
	check_block(&(rg_limit_headers){-1, 0, 1100}, true, 100, 111);
	/* Neither: a minute. */
	check_block(&(rg_limit_headers){-1, 12, 1100}, true, 60, 66);
	check_block(&(rg_limit_headers){-1, -1, -1}, true, 60, 66);
	/* Used up by an answer that itself was fine. */
	check_block(&(rg_limit_headers){-1, 0, 1100}, false, 100, 101);
	check_block(&(rg_limit_headers){-1, 0, 900}, false, 0, 0);
	check_block(&plenty, false, 0, 0);
}

TEST(doubles_each_time)
{
	const rg_limit_headers silent = {-1, -1, -1};
	rg_limiter *limiter = make(60);
	double now = 0, expected = 60;
	int i;

	for (i = 0; i < 4; i++, expected *= 2) {
		double blocked;

		rg_limiter_note(limiter, now, 1000, &silent, true);
		blocked = rg_limiter_blocked(limiter, now);
		assert_true(blocked >= expected && blocked <= expected * 1.1);
		now += blocked;
	}
	/* An answer that is fine starts it over. */
	rg_limiter_note(limiter, now, 1000, &plenty, false);
	rg_limiter_note(limiter, now, 1000, &silent, true);
	assert_true(rg_limiter_blocked(limiter, now) <= 66);
	rg_limiter_free(limiter);
}

/* A clock of ours that is ahead must not make it ask without a pause. */
TEST(backs_off_where_the_time_is_over)
{
	static const rg_limit_headers over[] = {{0, -1, -1}, {-1, 0, 900}};
	size_t i, k;

	for (i = 0; i < 2; i++) {
		rg_limiter *limiter = make(60);
		double now = 0, least = 0;

		for (k = 0; k<5; k++, least = least> 0 ? 2 * least : 1) {
			double blocked;

			rg_limiter_note(limiter, now, 1000, &over[i], true);
			blocked = rg_limiter_blocked(limiter, now);
			assert_true(blocked >= least && blocked <= least * 1.1 + 0.6);
			now += blocked;
		}
		rg_limiter_note(limiter, now, 1000, &plenty, false);
		rg_limiter_note(limiter, now, 1000, &over[i], true);
		assert_true(rg_limiter_blocked(limiter, now) <= 0.6);
		rg_limiter_free(limiter);
	}
}

static void *take_many(void *context)
{
	bool limited;
	int i;

	for (i = 0; i < 100000; i++)
		rg_limiter_take(context, i, &limited);
	return NULL;
}

/* For the thread sanitizer: one worker takes while another is answered. */
TEST(serves_several_threads)
{
	rg_limiter *limiter = make(60);
	pthread_t thread;
	int i;

	assert_int_equal(pthread_create(&thread, NULL, take_many, limiter), 0);
	for (i = 0; i < 100000; i++)
		rg_limiter_note(limiter, i, 1000, &(rg_limit_headers){-1, 50 + i % 100, 1025},
				false);
	pthread_join(thread, NULL);
	rg_limiter_free(limiter);
}

/* From the first refusal to the first answer that is none, whoever was refused. */
TEST(knows_since_when_nothing_comes)
{
	const rg_limit_headers told = {1, -1, -1};
	rg_limiter *limiter = make(60);

	assert_true(rg_limiter_held(limiter, 5) == 0);
	rg_limiter_note(limiter, 10, 1000, &told, true);
	rg_limiter_note(limiter, 12, 1002, &told, true);
	assert_true(rg_limiter_held(limiter, 14) == 4);
	rg_limiter_note(limiter, 15, 1005, &plenty, false);
	assert_true(rg_limiter_held(limiter, 16) == 0);
	rg_limiter_note(limiter, 20, 1010, &told, true);
	assert_true(rg_limiter_held(limiter, 21) == 1);
	rg_limiter_free(limiter);
}

TEST(slows_down_near_the_limit)
{
	rg_limiter *limiter = make(60);
	bool limited;
	double wait;

	/* 50 left for 25 s: two a second. */
	rg_limiter_note(limiter, 10, 1000, &(rg_limit_headers){-1, 50, 1025}, false);
	rg_limiter_take(limiter, 10, &limited);
	rg_limiter_take(limiter, 10, &limited);
	wait = rg_limiter_take(limiter, 10, &limited);
	assert_true(wait > 0.9 && wait < 1.1);
	assert_true(limited);
	/* 1 left for an hour: still one a second, until it is gone. */
	rg_limiter_note(limiter, 20, 1000, &(rg_limit_headers){-1, 1, 4600}, false);
	rg_limiter_take(limiter, 20, &limited);
	rg_limiter_take(limiter, 20, &limited);
	wait = rg_limiter_take(limiter, 20, &limited);
	assert_true(wait > 0.9 && wait < 2.1);
	/* Back to the full pace after the reset. */
	rg_limiter_note(limiter, 4600, 4700, &(rg_limit_headers){-1, 5000, 8200}, false);
	assert_true(rg_limiter_take(limiter, 4601, &limited) == 0);
	assert_false(limited);
	rg_limiter_free(limiter);
}

TEST(tells_limits_from_lack_of_rights)
{
	const rg_limit_headers none = {-1, -1, -1}, used_up = {-1, 0, 5}, told = {3, -1, -1};

	assert_true(rg_limiter_is_limited(429, &none, NULL));
	assert_true(rg_limiter_is_limited(403, &used_up, NULL));
	assert_true(rg_limiter_is_limited(403, &told, NULL));
	assert_true(rg_limiter_is_limited(403, &none, "You have exceeded a secondary rate limit"));
	assert_false(rg_limiter_is_limited(403, &plenty, "Resource not accessible"));
	assert_false(rg_limiter_is_limited(403, &none, NULL));
	assert_false(rg_limiter_is_limited(200, &used_up, NULL));
	assert_false(rg_limiter_is_limited(503, &told, NULL));
}

TEST(grows_retries)
{
	assert_true(rg_retry_delay(1, 0, 0) == 0.5);
	assert_true(rg_retry_delay(1, 3, 0) == 4);
	assert_true(rg_retry_delay(1, 3, 0.999) < 8);
	assert_true(rg_retry_delay(0.005, 4, 0.5) < 0.08);
}

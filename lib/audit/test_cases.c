/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/stages.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "golden/format.h"
#include "golden/test_results.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Results of tests (golden/test_results.h) over runs. */

typedef enum { PASSED, SKIPPED, FAILED } result;

struct rg_case_observation {
	const char *name, *detail; /* detail: what failed; "" */
	size_t run;                /* into rg_audit.runs */
	result result;
};

typedef struct rg_case_observation observation;

/* Is it a case's result? `name_length` is that of the case's name. */
static bool is_result(const rg_metric *metric, size_t *name_length)
{
	static const char suffix[] = "/Result";
	size_t length = strlen(metric->name), tail = sizeof(suffix) - 1;
	if (metric->kind != RG_METRIC_TEXT || length <= tail ||
	    strcmp(metric->name + length - tail, suffix) != 0)
		return false;
	*name_length = length - tail;
	return true;
}

static bool parse_result(const char *text, result *out, const char **detail)
{
	static const char *const words[] = {
		[PASSED] = "Pass", [SKIPPED] = "Skip", [FAILED] = "Fail"};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t length = strlen(words[i]);
		if (strncmp(text, words[i], length) != 0 || (text[length] && text[length] != ':'))
			continue;
		*out = (result)i;
		*detail = text[length] ? text + length + 1 + (text[length + 1] == ' ') : "";
		return true;
	}
	return false;
}

void rg_followed_cases_add(rg_followed_cases *out, size_t run, const rg_golden *golden)
{
	const rg_format *format = rg_format_named(golden->format);
	size_t length;
	if (!(format ? format->has_results : !strcmp(golden->format, "history")))
		return;
	for (size_t i = 0; i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		observation seen = {.run = run};

		if (!is_result(metric, &length) ||
		    !parse_result(metric->text, &seen.result, &seen.detail))
			continue;
		seen.name = rg_arena_copy(&out->arena, metric->name, length);
		seen.detail = rg_arena_text(&out->arena, seen.detail);
		*RG_PUSH(out->items, out->count, out->capacity) = seen;
	}
}

RG_ORDER(by_name_and_run, observation, RG_BY_TEXT(name) || RG_RISING(run));

typedef struct {
	const char *commit; /* "" where it is not known */
	const observation *seen;
} placed_observation;

RG_ORDER(by_commit_and_run, placed_observation, RG_BY_TEXT(commit) || RG_RISING(seen->run));

/* Looks for a pass and a failure on one commit. */
static void find_on_commit(rg_audit_case *c, const rg_audit *audit, const observation *seen,
			   size_t count)
{
	RG_AUTO_FREE placed_observation *sorted = rg_calloc(count, sizeof(*sorted));
	const observation *passed = NULL, *failed = NULL;
	for (size_t i = 0; i < count; i++)
		sorted[i] = (placed_observation){audit->runs[seen[i].run].commit, &seen[i]};
	qsort(sorted, count, sizeof(*sorted), by_commit_and_run);
	for (size_t i = 0; i < count && !c->flaky; i++) {
		if (i && strcmp(sorted[i].commit, sorted[i - 1].commit) != 0)
			passed = failed = NULL;
		if (!*sorted[i].commit || sorted[i].seen->result == SKIPPED)
			continue;
		if (sorted[i].seen->result == PASSED)
			passed = sorted[i].seen;
		else
			failed = sorted[i].seen;
		if (passed && failed) {
			c->flaky = RG_FLAKY_ON_COMMIT;
			c->pass_run = passed->run;
			c->fail_run = failed->run;
		}
	}
}

/* A case's observations, in the runs' order. */
static void add_case(rg_audit *audit, const char *file, size_t group, const observation *seen,
		     size_t count)
{
	rg_audit_case c = {
		.file = file, .group = group, .first_failed = SIZE_MAX, .failing_since = SIZE_MAX};
	const observation *last = NULL;
	audit->case_total++;
	for (size_t i = 0; i < count; i++) {
		if (seen[i].result != SKIPPED) {
			c.turns += last && last->result != seen[i].result ? 1 : 0;
			last = &seen[i];
		}
		c.passed += seen[i].result == PASSED;
		c.failed += seen[i].result == FAILED;
		c.skipped += seen[i].result == SKIPPED;
		if (seen[i].result == PASSED)
			c.failing_since = SIZE_MAX;
		if (seen[i].result != FAILED)
			continue;
		c.detail = seen[i].detail;
		if (c.first_failed == SIZE_MAX)
			c.first_failed = seen[i].run;
		if (c.failing_since == SIZE_MAX)
			c.failing_since = seen[i].run;
	}
	if (!c.failed)
		return;
	if (c.passed)
		find_on_commit(&c, audit, seen, count);
	if (!c.flaky && c.turns >= RG_FLAKY_TURNS)
		c.flaky = RG_FLAKY_ALTERNATES;
	c.name = rg_arena_text(&audit->arena, seen->name);
	c.detail = rg_arena_text(&audit->arena, c.detail);
	*RG_PUSH(audit->cases, audit->case_count, audit->case_capacity) = c;
}

void rg_followed_cases_init(rg_followed_cases *followed)
{
	*followed = (rg_followed_cases){0};
	rg_arena_init(&followed->arena);
}

void rg_followed_cases_release(rg_followed_cases *followed)
{
	free(followed->items);
	rg_arena_release(&followed->arena);
}

/* The end of the observations of the case at `start`. */
static size_t end_of(const rg_followed_cases *followed, size_t count, size_t start)
{
	size_t end = start + 1;
	while (end < count && !strcmp(followed->items[end].name, followed->items[start].name))
		end++;
	return end;
}

/* Adds the test's results, from `test` on, in those runs that the subtest from `at` on lacks. */
static void add_missing(rg_followed_cases *followed, size_t test, size_t test_end, size_t at,
			size_t end)
{
	const char *name = followed->items[at].name;
	for (; test < test_end; test++) {
		observation seen = followed->items[test];
		while (at < end && followed->items[at].run < seen.run)
			at++;
		if (at < end && followed->items[at].run == seen.run)
			continue;
		seen.name = name;
		*RG_PUSH(followed->items, followed->count, followed->capacity) = seen;
	}
}

/* Gives the results of a test as a whole, run by run, to its subtests. *spread: it has any. */
static void spread_test(rg_followed_cases *followed, size_t count, size_t start, size_t end,
			bool *spread)
{
	const char *test = followed->items[start].name;
	size_t length = strlen(test), at = end, next;
	/* Some other names come before "TEST/". */
	while (at < count && !strncmp(followed->items[at].name, test, length) &&
	       (unsigned char)followed->items[at].name[length] < '/')
		at++;
	for (; at < count; at = next) {
		const char *name = followed->items[at].name;
		if (strncmp(name, test, length) != 0 || name[length] != '/')
			break;
		next = end_of(followed, count, at);
		if (!rg_is_subtest_of(name, strlen(name), test, length))
			continue;
		*spread = true;
		add_missing(followed, start, end, at, next);
	}
}

/* By name, and each case by run; results of tests as a whole become those of their subtests. */
static void settle(rg_followed_cases *followed)
{
	size_t count = followed->count, end, kept = 0;
	RG_AUTO_FREE bool *spread = rg_calloc(count + 1, sizeof(*spread));
	if (count)
		qsort(followed->items, count, sizeof(*followed->items), by_name_and_run);
	for (size_t start = 0; start < count; start = end) {
		end = end_of(followed, count, start);
		spread_test(followed, count, start, end, &spread[start]);
		for (size_t i = start; i < end; i++)
			spread[i] = spread[start];
	}
	for (size_t i = 0; i < followed->count; i++)
		if (i >= count || !spread[i])
			followed->items[kept++] = followed->items[i];
	followed->count = kept;
	if (kept)
		qsort(followed->items, kept, sizeof(*followed->items), by_name_and_run);
}

void rg_audit_add_cases(rg_audit *audit, const char *file, size_t group,
			rg_followed_cases *followed)
{
	size_t end;
	settle(followed);
	for (size_t start = 0; start < followed->count; start = end) {
		end = end_of(followed, followed->count, start);
		add_case(audit, file, group, followed->items + start, end - start);
	}
}

RG_ORDER(by_file, rg_audit_case, RG_RISING(group) || RG_BY_PATH(file) || RG_BY_TEXT(name));

void rg_audit_sort_cases(rg_audit *audit)
{
	if (audit->case_count)
		qsort(audit->cases, audit->case_count, sizeof(*audit->cases), by_file);
}

bool rg_audit_case_is(const rg_audit_case *c, bool flaky)
{
	return flaky ? c->flaky != RG_FLAKY_NOT : c->failing_since != SIZE_MAX;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/whole_tests.h"

#include "base/memory.h"
#include "golden/backend_report.h"

#include <stdlib.h>
#include <string.h>

/* What ends the names of results. */
enum { SUFFIX = sizeof("/Result") - 1 };

/* How much of the metric's name is its test's; 0 where it is not a result. */
static size_t test_length(const rg_metric *metric)
{
	size_t length = strlen(metric->name);
	return metric->scale == RG_SCALE_RESULT && length > SUFFIX ? length - SUFFIX : 0;
}

/* The first metric whose name is not before "TEST/". */
static size_t find_subtests(const rg_golden *golden, const char *test, size_t length)
{
	size_t low = 0, high = golden->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strncmp(golden->metrics[middle].name, test, length + 1) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

typedef struct {
	rg_metric *items;
	size_t count, capacity;
} metric_list;

static void add(metric_list *to, const rg_metric *metric)
{
	rg_grow(&to->items, &to->capacity, to->count + 1, sizeof(*to->items));
	to->items[to->count++] = *metric;
}

/* Adds the test's result, for each subtest that the other side has alone, or as it is. */
static void add_result(metric_list *to, rg_golden *golden, const rg_golden *other,
		       const rg_metric *result)
{
	const size_t length = test_length(result), before = to->count;
	size_t i;

	if (!length || rg_golden_find(other, result->name)) {
		add(to, result);
		return;
	}
	for (i = find_subtests(other, result->name, length); i < other->count; i++) {
		const rg_metric *theirs = &other->metrics[i];
		rg_metric one = *result;

		if (strncmp(theirs->name, result->name, length + 1) != 0)
			break;
		if (!rg_is_subtest_of(theirs->name, test_length(theirs), result->name, length) ||
		    rg_golden_find(golden, theirs->name))
			continue;
		one.name = rg_arena_text(&golden->arena, theirs->name);
		add(to, &one);
	}
	if (!(to->count > before))
		add(to, result);
}

static void spread(rg_golden *golden, const rg_golden *other)
{
	metric_list list = {0};
	for (size_t i = 0; i < golden->count; i++)
		add_result(&list, golden, other, &golden->metrics[i]);
	rg_metric *metrics = rg_arena_alloc(&golden->arena, (list.count + 1) * sizeof(*metrics));
	if (list.count) {
		memcpy(metrics, list.items, list.count * sizeof(*metrics));
		qsort(metrics, list.count, sizeof(*metrics), rg_metric_compare);
		golden->metrics = metrics;
		golden->count = list.count;
	}
	free(list.items);
}

/* Is there a result for which spread would have to look? */
static bool has_results(const rg_golden *golden)
{
	for (size_t i = 0; golden && i < golden->count; i++)
		if (golden->metrics[i].scale == RG_SCALE_RESULT)
			return true;
	return false;
}

void rg_whole_tests_spread(rg_golden *old, rg_golden *fresh)
{
	if (!has_results(old) || !has_results(fresh))
		return;
	spread(old, fresh);
	spread(fresh, old);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "story/checks.h"

#include "base/order.h"
#include "compare/checks_apply.h"

#include <stdlib.h>
#include <string.h>

#define OF rg_story_failure
const rg_json_field rg_story_failure_fields[] = {
	RG_KEY(metric, "The metric."), RG_KEY(goldens, "Goldens in which it fails."), {0}};
#undef OF

#define OF rg_story_check
const rg_json_field rg_story_check_fields[] = {
	RG_KEY(name, "The NAME of [check \"NAME\"]."),
	RG_KEY(exact, "It has no tolerance: a row that fails only such checks needs no review."),
	RG_KEY(goldens, "Goldens that it looks at."),
	RG_KEY(passes, "Of these, whose new values pass."),
	RG_KEY(fails, "Of these, whose new values fail."),
	RG_KEY(unchecked, "Goldens that it could not be applied to."),
	RG_KEY_LIST("failures", failures, failure_count, rg_story_failure_fields,
		    "The metrics that fail, in the most goldens first."),
	{0}};
#undef OF

typedef struct {
	const char *metric;
	size_t file;
} failing;

RG_ORDER(by_metric, failing, RG_BY_TEXT(metric) || RG_RISING(file));

RG_ORDER(by_goldens, rg_story_failure, RG_FALLING(goldens) || RG_BY_TEXT(metric));

static void find_failures(rg_story_check *check, rg_arena *arena, const rg_comparison *c, size_t k)
{
	const size_t all = c->row_count + c->gap_count;
	RG_AUTO_FREE failing *items = rg_malloc((all + 1) * sizeof(*items));
	size_t count = 0;

	for (size_t i = 0; i < all; i++) {
		const rg_row *row = i < c->row_count ? &c->rows[i] : &c->gaps[i - c->row_count];
		if (row->check_fails >> k & 1)
			items[count++] = (failing){row->metric, row->file_index};
	}
	qsort(items, count, sizeof(*items), by_metric);
	check->failures = rg_arena_alloc(arena, (count + 1) * sizeof(*check->failures));
	for (size_t i = 0; i < count; i++) {
		const bool same = i && !strcmp(items[i].metric, items[i - 1].metric);
		if (!same)
			check->failures[check->failure_count++] =
				(rg_story_failure){items[i].metric, 0};
		if (!same || items[i].file != items[i - 1].file)
			check->failures[check->failure_count - 1].goldens++;
	}
	qsort(check->failures, check->failure_count, sizeof(*check->failures), by_goldens);
}

void rg_story_checks_make(rg_story_check **out, size_t *count, rg_arena *arena,
			  const rg_comparison *c)
{
	const size_t most = c->checks ? c->checks->count : 0;
	*out = rg_arena_alloc(arena, (most + 1) * sizeof(**out));
	*count = 0;
	for (int exact = 0; exact < 2; exact++)
		for (size_t k = 0; k < most; k++) {
			const rg_checks_count found = rg_checks_count_goldens(c, k);
			if (c->checks->items[k].exact != exact ||
			    (!found.applied && !found.unchecked))
				continue;
			rg_story_check *check = &(*out)[(*count)++];
			*check = (rg_story_check){.name = c->checks->items[k].name,
						  .exact = exact,
						  .goldens = found.applied,
						  .passes = found.applied - found.fails,
						  .fails = found.fails,
						  .unchecked = found.unchecked};
			find_failures(check, arena, c, k);
		}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/refresh.h"

#include "base/memory.h"
#include "report/template_data.h"

#include <stdlib.h>
#include <string.h>

const char *const rg_refresh_names[RG_REFRESH_OUTCOMES] = {
	[RG_REFRESH_UPDATED] = "updated",     [RG_REFRESH_NEW] = "new",
	[RG_REFRESH_UNCHANGED] = "unchanged", [RG_REFRESH_HELD] = "held back",
	[RG_REFRESH_LEFT_OUT] = "left out",   [RG_REFRESH_MISSING] = "missing",
	[RG_REFRESH_GONE] = "no longer made",
};

void rg_refresh_init(rg_refresh *refresh)
{
	*refresh = (rg_refresh){0};
	rg_arena_init(&refresh->arena);
}

void rg_refresh_release(rg_refresh *refresh)
{
	free(refresh->items);
	rg_arena_release(&refresh->arena);
	rg_refresh_init(refresh);
}

void rg_refresh_add(rg_refresh *refresh, rg_refresh_outcome outcome, const char *name,
		    const char *why)
{
	rg_grow(&refresh->items, &refresh->capacity, refresh->count + 1, sizeof(*refresh->items));
	rg_refresh_item *item = &refresh->items[refresh->count];
	*item = (rg_refresh_item){.outcome = outcome};
	item->name = rg_arena_text(&refresh->arena, name);
	if (why)
		item->why = rg_arena_text(&refresh->arena, why);
	refresh->counts[outcome]++;
	refresh->count++;
}

static int compare_items(const void *a, const void *b)
{
	const rg_refresh_item *x = a, *y = b;
	bool gone = x->outcome == RG_REFRESH_MISSING;

	if (gone != (y->outcome == RG_REFRESH_MISSING))
		return gone ? 1 : -1;
	return strcmp(x->name, y->name);
}

void rg_refresh_sort(rg_refresh *refresh)
{
	if (refresh->count)
		qsort(refresh->items, refresh->count, sizeof(*refresh->items), compare_items);
}

static int compare_path(const void *path, const void *item)
{
	return strcmp(path, ((const rg_refresh_item *)item)->name);
}

const rg_refresh_item *rg_refresh_find(const rg_refresh *refresh, const char *path)
{
	size_t goldens = refresh->count - refresh->counts[RG_REFRESH_MISSING];
	return goldens ? bsearch(path, refresh->items, goldens, sizeof(*refresh->items),
				 compare_path)
		       : NULL;
}

bool rg_refresh_is_from_run(const rg_refresh *refresh, const char *path)
{
	const rg_refresh_item *item = rg_refresh_find(refresh, path);
	return item && item->outcome <= RG_REFRESH_UNCHANGED;
}

bool rg_refresh_is_own(const rg_refresh *refresh, const char *path)
{
	return refresh && !rg_refresh_is_from_run(refresh, path);
}

bool rg_refresh_is_partial(const rg_refresh *refresh)
{
	return refresh->counts[RG_REFRESH_HELD] || refresh->counts[RG_REFRESH_LEFT_OUT] ||
	       refresh->counts[RG_REFRESH_MISSING];
}

#define OF rg_refresh_item
const rg_json_field rg_coverage_golden_fields[] = {
	RG_KEY(name, "The file; for what is missing, the job."),
	RG_KEY_WORD("outcome", outcome, rg_refresh_names, "What became of it."),
	RG_KEY_OR_NULL(why, "Why it was held back or is missing."),
	{0}};
#undef OF

/* Different outcomes: more than there are. */
enum { OUTCOMES_MAX = 32 };

static const struct {
	const char *list, *one;
} kinds[] = {{"goldens", "golden"}, {"artifacts", "artifact"}, {"jobs", "job"}};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

typedef struct {
	const char *outcome;
	bool missing;
	size_t counts[KINDS];
} row;

typedef struct {
	const cJSON *lists[KINDS];
	row rows[OUTCOMES_MAX];
	size_t count;
} coverage;

/* What is missing among goldens is an artifact or a job, and counts there. */
static const char *outcome_of(size_t kind, const cJSON *item)
{
	const char *outcome = cJSON_GetStringValue(rg_json_member(item, "outcome"));
	return !kind && outcome && !strcmp(outcome, rg_refresh_names[RG_REFRESH_MISSING]) ? NULL
											  : outcome;
}

static bool is_missing(size_t kind, const cJSON *item)
{
	const char *outcome = outcome_of(kind, item);
	return kind ? cJSON_IsTrue(rg_json_member(item, "missing"))
		    : outcome && !strcmp(outcome, rg_refresh_names[RG_REFRESH_HELD]);
}

static void count_item(coverage *c, size_t kind, const cJSON *item)
{
	const char *outcome = outcome_of(kind, item);
	size_t i = 0;

	if (!outcome)
		return;
	while (i < c->count && strcmp(c->rows[i].outcome, outcome) != 0)
		i++;
	if (i == OUTCOMES_MAX)
		return;
	if (i == c->count)
		c->rows[c->count++] = (row){.outcome = outcome};
	c->rows[i].missing |= is_missing(kind, item);
	c->rows[i].counts[kind]++;
}

static void put_outcomes(coverage *c, cJSON *view, bool missing)
{
	for (size_t i = 0; i < c->count; i++) {
		if (c->rows[i].missing != missing)
			continue;
		cJSON *item = rg_build_item(view);
		rg_build_text(item, "outcome", c->rows[i].outcome);
		rg_build_truth(item, "missing", missing);
		for (size_t kind = 0; kind < KINDS; kind++)
			rg_build_count(item, kinds[kind].list, c->rows[i].counts[kind]);
	}
}

static void put_covered(coverage *c, cJSON *list, size_t kind, bool missing)
{
	const cJSON *from;
	cJSON_ArrayForEach(from, c->lists[kind])
	{
		const char *name = cJSON_GetStringValue(rg_json_member(from, "name"));
		if (!outcome_of(kind, from) || is_missing(kind, from) != missing)
			continue;
		cJSON *item = rg_build_item(list);
		rg_build_text(item, "what", kinds[kind].one);
		rg_build_text(item, "name", name);
		rg_build_text(item, "outcome", outcome_of(kind, from));
		rg_build_truth(item, "missing", missing);
		rg_build_text(item, "why", cJSON_GetStringValue(rg_json_member(from, "why")));
	}
}

static void put_all(coverage *c, cJSON *view)
{
	cJSON *object = rg_build_object(view, "coverage");
	cJSON *list = rg_build_list(object, "outcomes");

	put_outcomes(c, list, true);
	put_outcomes(c, list, false);
	list = rg_build_list(object, "covered");
	for (size_t kind = 0; kind < KINDS; kind++)
		put_covered(c, list, kind, true);
	for (size_t kind = 0; kind < KINDS; kind++)
		put_covered(c, list, kind, false);
}

void rg_coverage_put(cJSON *view, const cJSON *goldens, const cJSON *provenance)
{
	coverage c = {.lists = {goldens}};
	const cJSON *item;

	for (size_t kind = 1; kind < KINDS; kind++)
		c.lists[kind] = rg_json_member(provenance, kinds[kind].list);
	for (size_t kind = 0; kind < KINDS; kind++)
		cJSON_ArrayForEach(item, c.lists[kind]) count_item(&c, kind, item);
	rg_build_remove(view, "coverage");
	if (c.count)
		put_all(&c, view);
}

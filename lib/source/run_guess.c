/* SPDX-License-Identifier: Apache-2.0 */
#include "source/run_guess.h"

#include "base/memory.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* A number that may be the run's. */
typedef struct {
	rg_field_value digits;
	size_t name; /* whose it is */
	size_t votes;
} candidate;

typedef struct {
	candidate *items;
	size_t count, capacity;
} candidates;

static void candidates_release(candidates *list)
{
	free(list->items);
}

static void append_of_name(candidates *list, const char *const *names, size_t name,
			   const rg_name_pattern *pattern)
{
	static const char digits[] = "0123456789";
	const char *p;
	size_t length;

	for (p = names[name]; *(p += strcspn(p, digits)); p += length) {
		rg_name_fields fixed = {0}, fields;
		length = strspn(p, digits);
		fixed.fields[RG_FIELD_RUN] = (rg_field_value){p, length};
		if (!rg_name_match(pattern, names[name], &fixed, &fields))
			continue;
		*RG_PUSH(list->items, list->count, list->capacity) =
			(candidate){fields.fields[RG_FIELD_RUN], name, 0};
	}
}

static int compare_digits(const rg_field_value *a, const rg_field_value *b)
{
	if (a->length != b->length)
		return a->length < b->length ? -1 : 1;
	return memcmp(a->start, b->start, a->length);
}

/* By number, and of one number by name. */
RG_ORDER(compare_candidates, candidate,
	 RG_THEN(compare_digits(&x->digits, &y->digits)) || RG_RISING(name));

/* A name has one vote for a number, however often it is in it. */
static void count_votes(candidates *list)
{
	size_t end, votes;
	qsort(list->items, list->count, sizeof(*list->items), compare_candidates);
	for (size_t i = 0; i < list->count; i = end) {
		const candidate *first = &list->items[i];
		for (votes = 0, end = i;
		     end < list->count && !compare_digits(&first->digits, &list->items[end].digits);
		     end++)
			votes += end == i || list->items[end].name != list->items[end - 1].name;
		while (i < end)
			list->items[i++].votes = votes;
	}
}

void rg_guess_runs(rg_field_value *out, const char *const *names, size_t count,
		   const rg_name_pattern *pattern)
{
	RG_AUTO_FREE size_t *votes = rg_calloc(count + 1, sizeof(*votes));
	RG_AUTO(candidates) list = {0};

	memset(out, 0, count * sizeof(*out));
	for (size_t i = 0; i < count && rg_name_pattern_has(pattern, RG_FIELD_RUN); i++)
		append_of_name(&list, names, i, pattern);
	if (list.count)
		count_votes(&list);
	/* Ascending: of equal ones the later is longer. */
	for (size_t i = 0; i < list.count; i++) {
		const candidate *c = &list.items[i];
		if (c->votes >= votes[c->name]) {
			votes[c->name] = c->votes;
			out[c->name] = c->digits;
		}
	}
}

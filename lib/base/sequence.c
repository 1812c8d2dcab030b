/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sequence.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>

/* Differences that a search goes through from each end before it takes what it has. */
enum { COST_MAX = 2048 };

/* Two parts under way: [old_from, old_to) against [from, to). */
typedef struct {
	size_t old_from, old_to, from, to;
} box;

typedef struct {
	const uint32_t *old, *fresh;
	size_t *old_partner, *fresh_partner;
	/* How far each diagonal was followed, from the front and from the back. */
	ptrdiff_t *front, *back;
} pairing;

/* Pairs what is equal at both ends. */
static void trim(const pairing *p, box *b)
{
	while (b->old_from < b->old_to && b->from < b->to &&
	       p->old[b->old_from] == p->fresh[b->from]) {
		p->old_partner[b->old_from] = b->from;
		p->fresh_partner[b->from++] = b->old_from++;
	}
	while (b->old_from < b->old_to && b->from < b->to &&
	       p->old[b->old_to - 1] == p->fresh[b->to - 1]) {
		p->old_partner[--b->old_to] = --b->to;
		p->fresh_partner[b->to] = b->old_to;
	}
}

/* The middle of a shortest way, by Myers' "An O(ND) Difference Algorithm": x of the old side, y of
 * the new one, from the box's corner. A way's place on diagonal k = x - y is in v[k + middle]. */
typedef struct {
	const uint32_t *old, *fresh; /* of the box */
	ptrdiff_t n, m, *front, *back;
	ptrdiff_t x, y;
} search;

/* One step further on all diagonals from the front; true where it met what came from the back. */
static bool advance(search *s, ptrdiff_t d, bool odd)
{
	const ptrdiff_t delta = s->n - s->m;
	ptrdiff_t *v = s->front;

	for (ptrdiff_t k = d <= s->m ? -d : d - 2 * s->m; k <= (d <= s->n ? d : 2 * s->n - d);
	     k += 2) {
		ptrdiff_t x = k == -d || (k != d && v[k - 1] < v[k + 1]) ? v[k + 1] : v[k - 1] + 1;
		while (x < s->n && x - k < s->m && s->old[x] == s->fresh[x - k])
			x++;
		v[k] = x;
		if (odd && k - delta > -d && k - delta < d && x >= s->back[k - delta]) {
			s->x = x;
			s->y = x - k;
			return true;
		}
	}
	return false;
}

/* The same from the back: diagonal k there is k + delta. */
static bool retreat(search *s, ptrdiff_t d, bool odd)
{
	const ptrdiff_t delta = s->n - s->m;
	ptrdiff_t *v = s->back;

	for (ptrdiff_t k = d <= s->n ? -d : d - 2 * s->n; k <= (d <= s->m ? d : 2 * s->m - d);
	     k += 2) {
		ptrdiff_t x = k == d || (k != -d && v[k - 1] < v[k + 1]) ? v[k - 1] : v[k + 1] - 1;
		while (x > 0 && x - k - delta > 0 && s->old[x - 1] == s->fresh[x - k - delta - 1])
			x--;
		v[k] = x;
		if (!odd && k + delta >= -d && k + delta <= d && x <= s->front[k + delta]) {
			s->x = x;
			s->y = x - k - delta;
			return true;
		}
	}
	return false;
}

/* What came furthest from the front, where the search is given up. */
static void take_furthest(search *s, ptrdiff_t d)
{
	s->x = s->y = 0;
	for (ptrdiff_t k = d <= s->m ? -d : d - 2 * s->m; k <= (d <= s->n ? d : 2 * s->n - d);
	     k += 2)
		if (2 * s->front[k] - k > s->x + s->y) {
			s->x = s->front[k];
			s->y = s->x - k;
		}
}

static void find_middle(search *s)
{
	const bool odd = (s->n - s->m) & 1;
	s->front[1] = 0;
	s->back[-1] = s->n;
	s->back[1] = s->n + 1;
	for (ptrdiff_t d = 0;; d++) {
		if (advance(s, d, odd) || retreat(s, d, odd))
			return;
		if (d == COST_MAX) {
			take_furthest(s, d);
			return;
		}
	}
}

static void pair_box(const pairing *p, box b)
{
	for (;;) {
		trim(p, &b);
		if (b.old_from == b.old_to || b.from == b.to)
			return;
		search s = {.old = p->old + b.old_from,
			    .fresh = p->fresh + b.from,
			    .n = (ptrdiff_t)(b.old_to - b.old_from),
			    .m = (ptrdiff_t)(b.to - b.from),
			    .front = p->front,
			    .back = p->back};
		find_middle(&s);
		const box rest = {b.old_from + (size_t)s.x, b.old_to, b.from + (size_t)s.y, b.to};
		if ((rest.old_from == b.old_from && rest.from == b.from) ||
		    (rest.old_from == b.old_to && rest.from == b.to))
			return; /* nothing is equal */
		/* The smaller part by a call of its own, so that few are under way. */
		b.old_to = rest.old_from;
		b.to = rest.from;
		if (b.old_to - b.old_from + b.to - b.from >
		    rest.old_to - rest.old_from + rest.to - rest.from) {
			pair_box(p, rest);
		} else {
			pair_box(p, b);
			b = rest;
		}
	}
}

/* Moves what stands alone down where what follows is the same. */
static void slide(const uint32_t *items, size_t count, size_t *partner, size_t *other)
{
	for (size_t from = 0, end; from < count; from = end) {
		end = from + 1;
		if (partner[from] != RG_NO_PARTNER)
			continue;
		while (end < count && partner[end] == RG_NO_PARTNER)
			end++;
		while (end < count && items[from] == items[end]) {
			partner[from] = partner[end];
			other[partner[from]] = from;
			partner[end++] = RG_NO_PARTNER;
			from++;
			while (end < count && partner[end] == RG_NO_PARTNER)
				end++;
		}
	}
}

void rg_sequences_pair(const uint32_t *old, size_t old_count, const uint32_t *fresh,
		       size_t fresh_count, size_t *old_partner, size_t *fresh_partner)
{
	const size_t sum = old_count + fresh_count, most = sum < COST_MAX ? sum : COST_MAX;
	ptrdiff_t *room = rg_calloc(4 * most + 12, sizeof(*room));
	const pairing p = {.old = old,
			   .fresh = fresh,
			   .old_partner = old_partner,
			   .fresh_partner = fresh_partner,
			   .front = room + most + 2,
			   .back = room + 3 * most + 8};

	for (size_t i = 0; i < old_count; i++)
		old_partner[i] = RG_NO_PARTNER;
	for (size_t i = 0; i < fresh_count; i++)
		fresh_partner[i] = RG_NO_PARTNER;
	pair_box(&p, (box){0, old_count, 0, fresh_count});
	slide(old, old_count, old_partner, fresh_partner);
	slide(fresh, fresh_count, fresh_partner, old_partner);
	free(room);
}

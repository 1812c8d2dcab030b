/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/text_pair.h"

#include "base/memory.h"
#include "golden/text_token.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
	     k += 2) {
		/* A way that was at an end of the box may have gone on beyond it. */
		ptrdiff_t x = s->front[k] < s->n ? s->front[k] : s->n;
		if (x - k > s->m)
			x = s->m + k;
		if (2 * x - k > s->x + s->y) {
			s->x = x;
			s->y = x - k;
		}
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

/* --- lines that are equal in full --- */

/* Levels of lines that are unique between two others; a hostile text could have any number. */
enum { UNIQUE_LEVELS = 8 };

/* How often each line is in the box, and where it was seen last. */
typedef struct {
	uint32_t old, fresh;
	size_t old_at, fresh_at;
} occurrence;

typedef struct {
	const pairing *lines;
	occurrence *occurrences; /* for each number of a line; zero between boxes */
	uint32_t *old, *fresh;   /* room for what is left of a box */
	size_t *old_places, *fresh_places, *old_partners, *fresh_partners;
	size_t *tails, *before; /* room for a rising sequence */
	ptrdiff_t *room;
} matcher;

static void count_lines(const matcher *m, const box *b)
{
	for (size_t i = b->old_from; i < b->old_to; i++) {
		occurrence *o = &m->occurrences[m->lines->old[i]];
		o->old++;
		o->old_at = i;
	}
	for (size_t k = b->from; k < b->to; k++) {
		occurrence *o = &m->occurrences[m->lines->fresh[k]];
		o->fresh++;
		o->fresh_at = k;
	}
}

static void forget_lines(const matcher *m, const box *b)
{
	for (size_t i = b->old_from; i < b->old_to; i++)
		m->occurrences[m->lines->old[i]] = (occurrence){0};
	for (size_t k = b->from; k < b->to; k++)
		m->occurrences[m->lines->fresh[k]] = (occurrence){0};
}

/* Pairs the most lines, unique on both sides, whose order is the same. Returns how many. */
static size_t pair_unique(const matcher *m, const box *b)
{
	size_t count = 0;
	for (size_t i = b->old_from; i < b->old_to; i++) {
		const occurrence *o = &m->occurrences[m->lines->old[i]];
		if (o->old != 1 || o->fresh != 1)
			continue;
		size_t low = 0, high = count;
		while (low < high) {
			const size_t middle = low + (high - low) / 2;
			const uint32_t line = m->lines->old[m->tails[middle]];
			if (m->occurrences[line].fresh_at < o->fresh_at)
				low = middle + 1;
			else
				high = middle;
		}
		m->before[i] = low ? m->tails[low - 1] : RG_NO_PARTNER;
		m->tails[low] = i;
		count += low == count;
	}
	for (size_t i = count ? m->tails[count - 1] : RG_NO_PARTNER; i != RG_NO_PARTNER;
	     i = m->before[i]) {
		const size_t k = m->occurrences[m->lines->old[i]].fresh_at;
		m->lines->old_partner[i] = k;
		m->lines->fresh_partner[k] = i;
	}
	return count;
}

/* Pairs the lines of the box that are on both sides, as many as can be. */
static void pair_common(const matcher *m, const box *b)
{
	size_t old = 0, fresh = 0;
	for (size_t i = b->old_from; i < b->old_to; i++)
		if (m->occurrences[m->lines->old[i]].fresh) {
			m->old[old] = m->lines->old[i];
			m->old_partners[old] = RG_NO_PARTNER;
			m->old_places[old++] = i;
		}
	for (size_t k = b->from; k < b->to; k++)
		if (m->occurrences[m->lines->fresh[k]].old) {
			m->fresh[fresh] = m->lines->fresh[k];
			m->fresh_partners[fresh] = RG_NO_PARTNER;
			m->fresh_places[fresh++] = k;
		}
	const pairing p = {.old = m->old,
			   .fresh = m->fresh,
			   .old_partner = m->old_partners,
			   .fresh_partner = m->fresh_partners,
			   .front = m->lines->front,
			   .back = m->lines->back};
	pair_box(&p, (box){0, old, 0, fresh});
	for (size_t i = 0; i < old; i++)
		if (p.old_partner[i] != RG_NO_PARTNER) {
			const size_t k = m->fresh_places[p.old_partner[i]];
			m->lines->old_partner[m->old_places[i]] = k;
			m->lines->fresh_partner[k] = m->old_places[i];
		}
}

/* As git's patience diff: what is unique first, then again between what was paired. */
static void pair_equal(const matcher *m, box b, unsigned level)
{
	trim(m->lines, &b);
	if (b.old_from == b.old_to || b.from == b.to)
		return;
	count_lines(m, &b);
	const size_t unique = level < UNIQUE_LEVELS ? pair_unique(m, &b) : 0;
	if (!unique)
		pair_common(m, &b);
	forget_lines(m, &b);
	for (box part = b; unique && part.old_from < b.old_to;) {
		size_t next = part.old_from;
		while (next < b.old_to && m->lines->old_partner[next] == RG_NO_PARTNER)
			next++;
		part.old_to = next;
		part.to = next < b.old_to ? m->lines->old_partner[next] : b.to;
		pair_equal(m, part, level + 1);
		part.old_from = next + 1;
		part.from = part.to + 1;
	}
}

static ptrdiff_t *new_room(pairing *p, size_t lines)
{
	const size_t most = lines < COST_MAX ? lines : COST_MAX;
	ptrdiff_t *room = rg_calloc(4 * most + 12, sizeof(*room));
	p->front = room + most + 2;
	p->back = room + 3 * most + 8;
	return room;
}

static void pair_equal_lines(const rg_text_side *old, const rg_text_side *fresh)
{
	const size_t counts[2] = {old->count, fresh->count};
	pairing p = {.old = old->lines,
		     .fresh = fresh->lines,
		     .old_partner = old->partners,
		     .fresh_partner = fresh->partners};
	ptrdiff_t *room = new_room(&p, counts[0] + counts[1]);
	size_t *places = rg_calloc(4 * counts[0] + 2 * counts[1] + 1, sizeof(*places));
	uint32_t *left = rg_calloc(counts[0] + counts[1] + 1, sizeof(*left));
	const matcher m = {
		.lines = &p,
		.occurrences = rg_calloc(counts[0] + counts[1] + 1, sizeof(occurrence)),
		.old = left,
		.fresh = left + counts[0],
		.old_places = places,
		.old_partners = places + counts[0],
		.tails = places + 2 * counts[0],
		.before = places + 3 * counts[0],
		.fresh_places = places + 4 * counts[0],
		.fresh_partners = places + 4 * counts[0] + counts[1],
	};

	pair_equal(&m, (box){0, counts[0], 0, counts[1]}, 0);
	free(m.occurrences);
	free(left);
	free(places);
	free(room);
}

/* --- lines that moved --- */

/* Pairs what is equal in full wherever it is, the first with the first. */
static void pair_moved(const rg_text_side *old, const rg_text_side *fresh)
{
	const size_t most = old->count + fresh->count;
	size_t *first = rg_calloc(most + 1, sizeof(*first));
	size_t *next = rg_calloc(fresh->count + 1, sizeof(*next));

	/* Places count from 1 here, so that 0 is none. */
	for (size_t k = fresh->count; k-- > 0;)
		if (fresh->partners[k] == RG_NO_PARTNER) {
			next[k] = first[fresh->lines[k]];
			first[fresh->lines[k]] = k + 1;
		}
	for (size_t i = 0; i < old->count; i++) {
		size_t *head = &first[old->lines[i]];
		if (old->partners[i] != RG_NO_PARTNER || !*head)
			continue;
		const size_t k = *head - 1;
		*head = next[k];
		old->partners[i] = k;
		fresh->partners[k] = i;
		old->fates[i] = fresh->fates[k] = RG_TEXT_MOVED;
	}
	free(next);
	free(first);
}

/* --- lines of one skeleton --- */

/* Pairs of lines that are looked at in a gap; pairs of numbers; pairs of lines by their words. */
enum { CELLS_MAX = 4 << 20, NUMBERS_MAX = 32 << 20, ALIKE_MAX = 1 << 18 };

enum { STEP_OLD = 1, STEP_NEW, STEP_BOTH };

/* The lines of a gap that could have a partner, and a row of the table for each of the old ones. */
typedef struct {
	const rg_text_side *sides[2];
	size_t *places[2]; /* of the lines */
	size_t counts[2];
	uint32_t *skeletons[2];
	size_t *partners[2]; /* among these lines */
	size_t *low, *high;  /* for each old line, and the end: the new lines it is held against */
	size_t cells;
	bool by_words; /* partners need no equal skeletons, only words that are alike */
} gap;

/* How good a way to a cell is: the more pairs the better, then the less their numbers differ. */
typedef struct {
	size_t pairs;
	double change;
} way;

static bool is_better(way a, way b)
{
	return a.pairs > b.pairs || (a.pairs == b.pairs && a.change < b.change);
}

/* |old - fresh| relative to the larger of them, so that no single number outweighs a line. */
static double number_change(double old, double fresh)
{
	const double most = fmax(fabs(old), fabs(fresh));
	if (old == fresh || (isnan(old) && isnan(fresh)))
		return 0;
	return isfinite(old) && isfinite(fresh) ? fabs(old / most - fresh / most) : 2;
}

static double line_change(const gap *g, size_t i, size_t k)
{
	const rg_text_side *old = g->sides[0], *fresh = g->sides[1];
	const size_t a = g->places[0][i], b = g->places[1][k];
	double change = 0;

	for (size_t n = 0; n < old->source->lines[a].numbers; n++)
		change +=
			number_change(rg_text_side_value(old, old->source->lines[a].first + n),
				      rg_text_side_value(fresh, fresh->source->lines[b].first + n));
	return change;
}

/* Takes the next word off a skeleton, or a number, which is empty; separators are neither. */
static bool next_token(const char **at, const char *end, const char **token, size_t *length)
{
	while (*at < end && **at &&
	       (rg_text_is_blank(**at) || rg_text_separates(*at, (size_t)(end - *at), 0)))
		++*at;
	*token = *at;
	while (*at < end && **at && !rg_text_is_blank(**at) &&
	       !rg_text_separates(*at, (size_t)(end - *at), 0))
		++*at;
	*length = (size_t)(*at - *token);
	if (*length)
		return true;
	++*at;
	return *at <= end;
}

static const char *name_of(const rg_text_side *side, size_t number)
{
	return side->source->names[side->source->metrics[number]];
}

/* Have the lines as many words and numbers in the same places, at least half of them equal, and are
 * the numbers called alike? */
static bool are_alike(const gap *g, size_t i, size_t k)
{
	const rg_text_side *old = g->sides[0], *fresh = g->sides[1];
	const rg_text_line *from = &old->source->lines[g->places[0][i]];
	const rg_text_line *to = &fresh->source->lines[g->places[1][k]];
	const rg_text_skeleton a = old->source->skeletons[from->skeleton];
	const rg_text_skeleton b = fresh->source->skeletons[to->skeleton];
	const char *x = a.text, *y = b.text, *word[2];
	size_t length[2], number = 0, equal = 0, all = 0;

	for (; from->numbers == to->numbers; all++) {
		const bool more = next_token(&x, a.text + a.length, &word[0], &length[0]);
		if (more != next_token(&y, b.text + b.length, &word[1], &length[1]) ||
		    !length[0] != !length[1])
			return false;
		if (!more)
			return 2 * equal >= all;
		if (length[0]) {
			equal += length[0] == length[1] && !memcmp(word[0], word[1], length[0]);
			continue;
		}
		const size_t one = from->first + number, other = to->first + number++;
		if (strcmp(name_of(old, one), name_of(fresh, other)) != 0)
			return false;
		equal += rg_text_side_value(old, one) == rg_text_side_value(fresh, other);
	}
	return false;
}

static bool may_pair(const gap *g, size_t i, size_t k)
{
	return g->by_words ? are_alike(g, i, k) : g->skeletons[0][i] == g->skeletons[1][k];
}

static bool same_skeletons(const gap *g)
{
	return g->counts[0] == g->counts[1] &&
	       !memcmp(g->skeletons[0], g->skeletons[1], g->counts[0] * sizeof(uint32_t));
}

/* Bounds the table by a way that has as many pairs as can be: others with as many go no further
 * aside than it leaves lines alone. In a large gap, they go less far. */
static void bound_rows(gap *g)
{
	const size_t n = g->counts[0], m = g->counts[1];
	size_t pairs = 0, numbers = 1, at = 0;

	for (size_t i = 0; i < n; i++) {
		pairs += g->partners[0][i] != RG_NO_PARTNER;
		numbers += g->sides[0]->source->lines[g->places[0][i]].numbers;
	}
	const size_t mean = numbers / (n + 1) + 1;
	const size_t most = NUMBERS_MAX / mean < CELLS_MAX ? NUMBERS_MAX / mean : CELLS_MAX;
	const size_t aside = most / (2 * (n + 1)) + 1;
	g->cells = 0;
	for (size_t i = 0; i <= n; i++) {
		const size_t from = at;
		if (i < n && g->partners[0][i] != RG_NO_PARTNER)
			at = g->partners[0][i] + 1;
		else if (i == n)
			at = m;
		const size_t least = i > n - pairs ? i - (n - pairs) : 0;
		const size_t last = i + (m - pairs) < m ? i + (m - pairs) : m;
		g->low[i] = from > aside && from - aside > least ? from - aside : least;
		g->high[i] = at + aside < last ? at + aside : last;
		g->cells += g->high[i] - g->low[i] + 1;
	}
}

/* Fills a row of ways from the one before, and how each cell was come to. */
static void fill_row(const gap *g, size_t i, const way *above, way *row, unsigned char *steps)
{
	const size_t low = g->low[i];
	for (size_t k = low; k <= g->high[i]; k++) {
		way best = {0};
		unsigned char step = 0;

		if (i && k >= g->low[i - 1] && k <= g->high[i - 1]) {
			best = above[k - g->low[i - 1]];
			step = STEP_OLD;
		}
		if (k > low && (!step || is_better(row[k - 1 - low], best))) {
			best = row[k - 1 - low];
			step = STEP_NEW;
		}
		if (i && k && k - 1 >= g->low[i - 1] && k - 1 <= g->high[i - 1] &&
		    may_pair(g, i - 1, k - 1)) {
			way both = above[k - 1 - g->low[i - 1]];
			both.pairs++;
			if (!step || both.pairs >= best.pairs) {
				both.change += line_change(g, i - 1, k - 1);
				if (!step || is_better(both, best)) {
					best = both;
					step = STEP_BOTH;
				}
			}
		}
		row[k - low] = best;
		steps[k - low] = step;
	}
}

/* Goes back the best way, from the end of both sides. */
static void take_way(gap *g, unsigned char *const *rows)
{
	size_t i = g->counts[0], k = g->counts[1];
	for (size_t n = 0; n < 2; n++)
		for (size_t at = 0; at < g->counts[n]; at++)
			g->partners[n][at] = RG_NO_PARTNER;
	while (i || k) {
		const unsigned char step = rows[i][k - g->low[i]];
		i -= step != STEP_NEW;
		k -= step != STEP_OLD;
		if (step == STEP_BOTH) {
			g->partners[0][i] = k;
			g->partners[1][k] = i;
		}
	}
}

/* Of all ways to pair the most lines in order, takes the one whose numbers differ least. */
static void pair_least_change(gap *g)
{
	const size_t n = g->counts[0];
	unsigned char **rows = rg_calloc(n + 1, sizeof(*rows));
	size_t widest = 0, at = 0;

	bound_rows(g);
	unsigned char *cells = rg_malloc(g->cells);
	for (size_t i = 0; i <= n; i++) {
		const size_t width = g->high[i] - g->low[i] + 1;
		rows[i] = cells + at;
		at += width;
		widest = width > widest ? width : widest;
	}
	way *ways = rg_calloc(2 * widest, sizeof(*ways));
	for (size_t i = 0; i <= n; i++)
		fill_row(g, i, ways + (i + 1) % 2 * widest, ways + i % 2 * widest, rows[i]);
	take_way(g, rows);
	free(ways);
	free(cells);
	free(rows);
}

/* Leaves out lines whose skeleton the other side lacks in the gap. `counts` is all zero, before
 * and after. */
static void drop_unlike(gap *g, uint32_t *counts)
{
	for (size_t n = 0; n < 2; n++) {
		const size_t others = g->counts[!n];
		size_t kept = 0;
		for (size_t i = 0; i < others; i++)
			counts[g->skeletons[!n][i]] = 1;
		for (size_t i = 0; i < g->counts[n]; i++)
			if (counts[g->skeletons[n][i]]) {
				g->places[n][kept] = g->places[n][i];
				g->skeletons[n][kept++] = g->skeletons[n][i];
			}
		g->counts[n] = kept;
		for (size_t i = 0; i < others; i++)
			counts[g->skeletons[!n][i]] = 0;
	}
}

/* The first way: lines of equal skeletons as a diff pairs them; none by words. */
static bool start_gap(gap *g, pairing *p)
{
	const size_t n = g->counts[0], m = g->counts[1];
	const bool same = !g->by_words && same_skeletons(g);
	for (size_t i = 0; i < n; i++)
		g->partners[0][i] = same ? i : RG_NO_PARTNER;
	for (size_t k = 0; k < m; k++)
		g->partners[1][k] = same ? k : RG_NO_PARTNER;
	if (!same && !g->by_words)
		pair_box(p, (box){0, n, 0, m});
	return !same;
}

static void pair_gap(gap *g, pairing *p, uint32_t *counts)
{
	if (!g->by_words)
		drop_unlike(g, counts);
	if (!g->counts[0] || !g->counts[1] ||
	    (g->by_words && g->counts[0] > ALIKE_MAX / g->counts[1]))
		return;
	if (start_gap(g, p))
		pair_least_change(g);
	for (size_t i = 0; i < g->counts[0]; i++)
		if (g->partners[0][i] != RG_NO_PARTNER) {
			const size_t at = g->places[0][i], k = g->places[1][g->partners[0][i]];
			g->sides[0]->partners[at] = k;
			g->sides[1]->partners[k] = at;
			if (g->by_words)
				g->sides[0]->fates[at] = g->sides[1]->fates[k] = RG_TEXT_REWORDED;
		}
}

/* Adds the lines with numbers that stand alone, from *at on, up to one that has a partner in order.
 * Returns whether there is one. */
static bool take_gap(gap *g, size_t side, size_t *at)
{
	const rg_text_side *s = g->sides[side];
	g->counts[side] = 0;
	for (; *at < s->count; ++*at) {
		const bool moved = s->fates[*at] == RG_TEXT_MOVED;
		if (s->partners[*at] != RG_NO_PARTNER && !moved)
			break;
		if (!moved && s->source->lines[*at].numbers) {
			g->skeletons[side][g->counts[side]] = s->skeletons[*at];
			g->places[side][g->counts[side]++] = *at;
		}
	}
	return *at < s->count;
}

static void walk_gaps(gap *g, pairing *p, uint32_t *counts)
{
	for (size_t i = 0, k = 0;; i++, k++) {
		const bool more = take_gap(g, 0, &i);
		take_gap(g, 1, &k);
		pair_gap(g, p, counts);
		if (!more)
			break;
	}
}

static void pair_gaps(const rg_text_side *old, const rg_text_side *fresh)
{
	const size_t sum = old->count + fresh->count;
	size_t *room = rg_calloc(4 * sum + 4, sizeof(*room));
	uint32_t *skeletons = rg_calloc(sum + 1, sizeof(*skeletons));
	uint32_t *counts = rg_calloc(old->skeleton_count + 1, sizeof(*counts));
	gap g = {.sides = {old, fresh},
		 .places = {room, room + old->count},
		 .partners = {room + sum, room + sum + old->count},
		 .low = room + 2 * sum,
		 .high = room + 3 * sum + 2,
		 .skeletons = {skeletons, skeletons + old->count}};
	pairing p = {.old = g.skeletons[0],
		     .fresh = g.skeletons[1],
		     .old_partner = g.partners[0],
		     .fresh_partner = g.partners[1]};
	ptrdiff_t *ways = new_room(&p, sum);

	walk_gaps(&g, &p, counts);
	g.by_words = true;
	walk_gaps(&g, &p, counts);
	free(ways);
	free(counts);
	free(skeletons);
	free(room);
}

void rg_text_sides_pair(const rg_text_side *old, const rg_text_side *fresh)
{
	for (size_t i = 0; i < old->count; i++)
		old->partners[i] = RG_NO_PARTNER;
	for (size_t k = 0; k < fresh->count; k++)
		fresh->partners[k] = RG_NO_PARTNER;
	pair_equal_lines(old, fresh);
	pair_moved(old, fresh);
	pair_gaps(old, fresh);
}

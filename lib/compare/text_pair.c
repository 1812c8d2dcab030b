/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/text_pair.h"

#include "base/memory.h"
#include "golden/text_token.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells of a table of ways, that many numbers at most; levels of unique lines between others; pairs
 * of lines that are compared by their words. */
enum { CELLS_MAX = 4 << 20, NUMBERS_MAX = 32 << 20, LEVELS_MAX = 8, ALIKE_MAX = 1 << 18 };

typedef enum {
	BY_WHOLE, /* lines that are equal in full */
	BY_SKELETON,
	BY_WORDS, /* lines that are alike */
} likeness;

/* How often an id is among the lines of each side, and which of the new ones was the last. */
typedef struct {
	uint32_t times[2];
	size_t last;
} occurrence;

/* Lines of both sides that may be paired, by their places. */
typedef struct {
	const rg_text_side *sides[2];
	likeness likeness;
	const uint32_t *ids[2]; /* of all lines: whole lines, or skeletons */
	size_t *places[2], counts[2];
	occurrence *occurrences; /* for each id; zero but within a function */
} pair_state;

/* How good a way to a cell is: the more pairs the better, then the less their numbers differ. */
typedef struct {
	size_t pairs;
	double change;
} way;

enum { STEP_OLD = 1, STEP_NEW, STEP_BOTH };

/* --- lines that may be a pair --- */

/* How much the numbers of two lines differ: |old - fresh| relative to the larger of them, so that
 * no single number outweighs a line. */
static double line_change(const pair_state *p, size_t i, size_t k)
{
	const rg_text_side *old = p->sides[0], *fresh = p->sides[1];
	const rg_text_line *from = &old->source->lines[p->places[0][i]];
	const rg_text_line *to = &fresh->source->lines[p->places[1][k]];
	double change = 0;

	for (size_t n = 0; p->likeness != BY_WHOLE && n < from->numbers; n++) {
		const double was = rg_text_side_value(old, from->first + n);
		const double is = rg_text_side_value(fresh, to->first + n);
		const double most = fmax(fabs(was), fabs(is));
		if (was != is && !(isnan(was) && isnan(is)))
			change += isfinite(was) && isfinite(is) ? fabs(was / most - is / most) : 2;
	}
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

/* Have the lines as many words and numbers in the same places, and are half of them equal, all but
 * one, or two thirds where a number has another name? */
static bool are_alike(const pair_state *p, size_t i, size_t k)
{
	const rg_text_side *old = p->sides[0], *fresh = p->sides[1];
	const rg_text_line *from = &old->source->lines[p->places[0][i]];
	const rg_text_line *to = &fresh->source->lines[p->places[1][k]];
	const rg_text_skeleton a = old->source->skeletons[from->skeleton];
	const rg_text_skeleton b = fresh->source->skeletons[to->skeleton];
	const char *x = a.text, *y = b.text, *word[2];
	size_t length[2], number = 0, equal = 0, all = 0;
	bool same_names = true;

	for (; from->numbers == to->numbers; all++) {
		const bool more = next_token(&x, a.text + a.length, &word[0], &length[0]);
		if (more != next_token(&y, b.text + b.length, &word[1], &length[1]) ||
		    !length[0] != !length[1])
			return false;
		if (!more)
			return same_names ? 2 * equal + 1 >= all && equal : 3 * equal >= 2 * all;
		if (length[0]) {
			equal += length[0] == length[1] && !memcmp(word[0], word[1], length[0]);
			continue;
		}
		const size_t one = from->first + number, other = to->first + number++;
		same_names &= !strcmp(name_of(old, one), name_of(fresh, other));
		equal += rg_text_side_value(old, one) == rg_text_side_value(fresh, other);
	}
	return false;
}

static uint32_t id_at(const pair_state *p, size_t side, size_t i)
{
	return p->ids[side][p->places[side][i]];
}

static bool may_pair(const pair_state *p, size_t i, size_t k)
{
	return p->likeness == BY_WORDS ? are_alike(p, i, k) : id_at(p, 0, i) == id_at(p, 1, k);
}

static void pair(const pair_state *p, size_t i, size_t k)
{
	const size_t from = p->places[0][i], to = p->places[1][k];
	p->sides[0]->partners[from] = to;
	p->sides[1]->partners[to] = from;
	if (p->likeness == BY_WORDS)
		p->sides[0]->fates[from] = p->sides[1]->fates[to] = RG_TEXT_REWORDED;
}

/* --- the best of all ways --- */

/* The cells of each row that ways are looked for in. */
typedef struct {
	size_t low, width;
	unsigned char *steps;
} row;

/* Cells near the diagonal, where all of them, or those of any corridor, are too many. */
static void bound_diagonal(row *rows, size_t n, size_t m, size_t most)
{
	const size_t aside = most / (2 * (n + 1)) + m / (n + 1) + 1;
	for (size_t i = 0; i <= n; i++) {
		const size_t middle = (size_t)((double)i / (double)n * (double)m);
		const size_t high = middle + aside < m ? middle + aside : m;
		rows[i].low = middle > aside ? middle - aside : 0;
		rows[i].width = high - rows[i].low + 1;
	}
}

/* Cells that a way comes by which leaves out at most `spare` lines more than the sides differ by.
 */
static void bound_corridor(row *rows, size_t n, size_t m, size_t spare)
{
	const size_t below = (n > m ? n - m : 0) + spare, above = (m > n ? m - n : 0) + spare;
	for (size_t i = 0; i <= n; i++) {
		const size_t high = i + above < m ? i + above : m;
		rows[i].low = i > below ? i - below : 0;
		rows[i].width = high - rows[i].low + 1;
	}
}

/* How many cells may be looked at: those with many numbers take longer. */
static size_t most_cells(const pair_state *p)
{
	size_t numbers = 0;
	for (size_t i = 0; i < p->counts[0]; i++)
		numbers += p->sides[0]->source->lines[p->places[0][i]].numbers;
	const size_t most = NUMBERS_MAX / (numbers / (p->counts[0] + 1) + 1);
	return most < CELLS_MAX ? most : CELLS_MAX;
}

static bool has_cell(const row *r, size_t k)
{
	return k >= r->low && k - r->low < r->width;
}

static bool is_better(way a, way b)
{
	return a.pairs > b.pairs || (a.pairs == b.pairs && a.change < b.change);
}

/* Fills row `i` of ways from the one above, and how each cell was come to. */
static void fill_row(const pair_state *p, const row *rows, size_t i, const way *above, way *ways)
{
	const row *r = &rows[i], *last = i ? r - 1 : NULL;
	for (size_t k = r->low; k < r->low + r->width; k++) {
		way best = {0};
		unsigned char step = 0;

		if (last && has_cell(last, k)) {
			best = above[k - last->low];
			step = STEP_OLD;
		}
		if (k > r->low && (!step || is_better(ways[k - 1 - r->low], best))) {
			best = ways[k - 1 - r->low];
			step = STEP_NEW;
		}
		if (last && k && has_cell(last, k - 1) && may_pair(p, i - 1, k - 1)) {
			way both = above[k - 1 - last->low];
			both.pairs++;
			both.change += both.pairs < best.pairs ? 0 : line_change(p, i - 1, k - 1);
			if (!step || is_better(both, best)) {
				best = both;
				step = STEP_BOTH;
			}
		}
		ways[k - r->low] = best;
		r->steps[k - r->low] = step;
	}
}

/* Fills the cells of all rows, and returns the best way to the last one. */
static way fill_rows(const pair_state *p, row *rows, unsigned char **cells)
{
	const size_t n = p->counts[0], m = p->counts[1];
	size_t sum = 0;
	for (size_t i = 0; i <= n; i++)
		sum += rows[i].width;
	unsigned char *next = *cells = rg_malloc(sum);
	RG_AUTO_FREE way *ways = rg_calloc(2 * (m + 1), sizeof(*ways));
	for (size_t i = 0; i <= n; i++) {
		rows[i].steps = next;
		next += rows[i].width;
		fill_row(p, rows, i, ways + (i + 1) % 2 * (m + 1), ways + i % 2 * (m + 1));
	}
	return ways[n % 2 * (m + 1) + rows[n].width - 1];
}

/* Takes, among all ways to pair the most lines in order, one whose numbers differ least. A way that
 * pairs all but `spare` lines of the shorter side is in a corridor, and so is each better one. */
static void pair_best(const pair_state *p)
{
	size_t i = p->counts[0], k = p->counts[1], spare = 0;
	const size_t shorter = i < k ? i : k, longer = i < k ? k : i, most = most_cells(p);
	RG_AUTO_FREE row *rows = rg_calloc(i + 1, sizeof(*rows));
	RG_AUTO_FREE unsigned char *cells = NULL;

	for (;; spare = spare ? 4 * spare : 1) {
		const size_t width = longer - shorter + 2 * spare + 1;
		const bool fits = width <= most / (i + 1);
		free(cells);
		if (fits)
			bound_corridor(rows, i, k, spare);
		else
			bound_diagonal(rows, i, k, most);
		if (shorter - fill_rows(p, rows, &cells).pairs <= spare || !fits)
			break;
	}
	while (i || k) {
		const unsigned char step = rows[i].steps[k - rows[i].low];
		i -= step != STEP_NEW;
		k -= step != STEP_OLD;
		if (step == STEP_BOTH)
			pair(p, i, k);
	}
}

/* --- lines in order --- */

/* Leaves out the lines that the other side lacks, and lists the new side's place of each old line
 * that is unique on both sides (RG_NO_PARTNER: it is not). */
static void drop_alone(pair_state *p, size_t *unique)
{
	const size_t all[2] = {p->counts[0], p->counts[1]};
	p->counts[0] = p->counts[1] = 0;
	for (size_t n = 0; n < 2; n++)
		for (size_t i = 0; i < all[n]; i++)
			p->occurrences[id_at(p, n, i)].times[n]++;
	for (size_t n = 2; n-- > 0;)
		for (size_t i = 0; i < all[n]; i++) {
			occurrence *o = &p->occurrences[id_at(p, n, i)];
			const size_t place = p->places[n][i], at = p->counts[n];
			if (!o->times[!n])
				continue;
			if (n)
				o->last = at;
			else
				unique[at] = o->times[0] == 1 && o->times[1] == 1 ? o->last
										  : RG_NO_PARTNER;
			p->places[n][i] = p->places[n][at];
			p->places[n][p->counts[n]++] = place;
		}
	for (size_t n = 0; n < 2; n++)
		for (size_t i = 0; i < all[n]; i++)
			p->occurrences[id_at(p, n, i)] = (occurrence){0};
}

/* Leaves in unique[] the most lines whose order is the same on both sides. */
static bool keep_rising(size_t *unique, size_t count)
{
	RG_AUTO_FREE size_t *tails = rg_calloc(2 * count + 1, sizeof(*tails));
	size_t *before = tails + count, length = 0;

	for (size_t i = 0; i < count; i++) {
		size_t low = 0, high = length;
		if (unique[i] == RG_NO_PARTNER)
			continue;
		while (low < high) {
			const size_t middle = low + (high - low) / 2;
			if (unique[tails[middle]] < unique[i])
				low = middle + 1;
			else
				high = middle;
		}
		before[i] = low ? tails[low - 1] : RG_NO_PARTNER;
		tails[low] = i;
		length += low == length;
	}
	size_t kept = length ? tails[length - 1] : RG_NO_PARTNER;
	for (size_t i = count; i-- > 0;)
		if (i == kept)
			kept = before[i];
		else
			unique[i] = RG_NO_PARTNER;
	return length;
}

/* The lines from `old` and `fresh` on, so many of them. */
static pair_state part_of(const pair_state *p, size_t old, size_t old_count, size_t fresh,
			  size_t fresh_count)
{
	pair_state part = *p;
	part.places[0] += old;
	part.places[1] += fresh;
	part.counts[0] = old_count;
	part.counts[1] = fresh_count;
	return part;
}

/* Pairs what is equal at both ends. */
static void trim(pair_state *p)
{
	size_t front = 0;
	while (p->counts[0] > front && p->counts[1] > front && may_pair(p, front, front)) {
		pair(p, front, front);
		front++;
	}
	*p = part_of(p, front, p->counts[0] - front, front, p->counts[1] - front);
	for (; p->counts[0] && p->counts[1] && may_pair(p, p->counts[0] - 1, p->counts[1] - 1);
	     p->counts[0]--, p->counts[1]--)
		pair(p, p->counts[0] - 1, p->counts[1] - 1);
}

/* Works as a patience diff: it pairs lines that are unique on both sides, then again between these.
 * The lines of each side follow each other. */
static void pair_equal(pair_state p, unsigned level)
{
	size_t old = 0, fresh = 0;

	trim(&p);
	if (!p.counts[0] || !p.counts[1])
		return;
	RG_AUTO_FREE size_t *places = rg_calloc(2 * p.counts[0] + p.counts[1], sizeof(*places));
	size_t *unique = places + p.counts[0] + p.counts[1];
	pair_state common = p;
	common.places[0] = memcpy(places, p.places[0], p.counts[0] * sizeof(*places));
	common.places[1] = memcpy(places + p.counts[0], p.places[1], p.counts[1] * sizeof(*places));
	drop_alone(&common, unique);
	const bool any = level < LEVELS_MAX && keep_rising(unique, common.counts[0]);
	if (!any && common.counts[0])
		pair_best(&common);
	for (size_t i = 0; any && i <= common.counts[0]; i++) {
		const bool more = i < common.counts[0];
		if (more && unique[i] == RG_NO_PARTNER)
			continue;
		const size_t from = more ? common.places[0][i] - *p.places[0] : p.counts[0];
		const size_t to = more ? common.places[1][unique[i]] - *p.places[1] : p.counts[1];
		if (from > old && to > fresh)
			pair_equal(part_of(&p, old, from - old, fresh, to - fresh), level + 1);
		if (more)
			pair(&p, from, to);
		old = from + 1;
		fresh = to + 1;
	}
}

/* --- lines that moved --- */

/* Pairs what is equal in full wherever it is, the first with the first. */
static void pair_moved(const rg_text_side *old, const rg_text_side *fresh)
{
	const size_t most = old->count + fresh->count;
	RG_AUTO_FREE size_t *first = rg_calloc(most + 1, sizeof(*first));
	RG_AUTO_FREE size_t *next = rg_calloc(fresh->count + 1, sizeof(*next));

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
}

/* --- lines between those that are equal --- */

/* Pairs the lines of a gap; by words only in a small one. */
static void pair_gap(pair_state p)
{
	size_t i = 0;
	if (!p.counts[0] || !p.counts[1] ||
	    (p.likeness == BY_WORDS && p.counts[0] > ALIKE_MAX / p.counts[1]))
		return;
	if (p.likeness == BY_SKELETON) {
		RG_AUTO_FREE size_t *unique = rg_calloc(p.counts[0], sizeof(*unique));
		drop_alone(&p, unique);
		while (p.counts[0] == p.counts[1] && i < p.counts[0] && may_pair(&p, i, i))
			i++;
	}
	if (i < p.counts[0] || p.counts[0] != p.counts[1]) {
		pair_best(&p);
		return;
	}
	while (i-- > 0)
		pair(&p, i, i);
}

/* Lists the lines with numbers that stand alone, from *at on, up to one with a partner in order.
 * Returns whether there is one. */
static bool take_gap(pair_state *p, size_t side, size_t *at)
{
	const rg_text_side *s = p->sides[side];
	p->counts[side] = 0;
	for (; *at < s->count; ++*at) {
		const bool moved = s->fates[*at] == RG_TEXT_MOVED;
		if (s->partners[*at] != RG_NO_PARTNER && !moved)
			return true;
		if (!moved && s->source->lines[*at].numbers)
			p->places[side][p->counts[side]++] = *at;
	}
	return false;
}

static void pair_gaps(pair_state *p, likeness by)
{
	p->likeness = by;
	p->ids[0] = p->sides[0]->skeletons;
	p->ids[1] = p->sides[1]->skeletons;
	for (size_t i = 0, k = 0;; i++, k++) {
		const bool more = take_gap(p, 0, &i);
		take_gap(p, 1, &k);
		pair_gap(*p);
		if (!more)
			return;
	}
}

void rg_text_sides_pair(const rg_text_side *old, const rg_text_side *fresh)
{
	const size_t sum = old->count + fresh->count;
	RG_AUTO_FREE size_t *places = rg_calloc(sum + 1, sizeof(*places));
	RG_AUTO_FREE occurrence *occurrences = rg_calloc(sum + 1, sizeof(*occurrences));
	pair_state p = {.sides = {old, fresh},
			.likeness = BY_WHOLE,
			.ids = {old->lines, fresh->lines},
			.places = {places, places + old->count},
			.counts = {old->count, fresh->count},
			.occurrences = occurrences};

	for (size_t n = 0; n < 2; n++)
		for (size_t i = 0; i < p.counts[n]; i++) {
			p.places[n][i] = i;
			p.sides[n]->partners[i] = RG_NO_PARTNER;
		}
	pair_equal(p, 0);
	pair_moved(old, fresh);
	pair_gaps(&p, BY_SKELETON);
	pair_gaps(&p, BY_WORDS);
}

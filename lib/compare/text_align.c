/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/text_align.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "compare/step_ranges.h"
#include "golden/text.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What has no partner. */
#define RG_NO_PARTNER SIZE_MAX

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

/*
 * Pairs two sequences as a diff does: partners are equal, and in the same order on both sides.
 * old_partner[i] is the place in `fresh` of old[i]'s, or RG_NO_PARTNER; fresh_partner likewise.
 * There are as many pairs as can be, but in sequences that differ in thousands of places, where
 * that would take too long. What could stand alone in several places of a run does at its end.
 */
static void sequences_pair(const uint32_t *old, size_t old_count, const uint32_t *fresh,
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

/* Bytes of a line that are shown. */
enum { LINE_SHOWN = 64 };

typedef struct {
	rg_golden *golden;
	const rg_text_lines *lines;
	uint32_t *skeletons; /* of each line, in numbers that hold for both sides */
	size_t *partners;    /* of each line */
} side;

typedef struct {
	side sides[2];
	rg_arena *arena; /* the old side's */
} alignment;

/* --- what belongs together --- */

typedef struct {
	rg_text_skeleton skeleton;
	uint32_t place;
} entry;

static int compare_entries(const void *a, const void *b)
{
	const rg_text_skeleton *x = &((const entry *)a)->skeleton;
	const rg_text_skeleton *y = &((const entry *)b)->skeleton;
	const size_t shorter = x->length < y->length ? x->length : y->length;
	const int order = memcmp(x->text, y->text, shorter);
	return order ? order : (x->length > y->length) - (x->length < y->length);
}

static entry *sorted_skeletons(const rg_text_lines *lines)
{
	entry *entries = rg_calloc(lines->skeleton_count + 1, sizeof(*entries));
	for (size_t i = 0; i < lines->skeleton_count; i++)
		entries[i] = (entry){lines->skeletons[i], (uint32_t)i};
	if (lines->skeleton_count)
		qsort(entries, lines->skeleton_count, sizeof(*entries), compare_entries);
	return entries;
}

static void number_lines(side *s, const uint32_t *numbers)
{
	s->skeletons = rg_calloc(s->lines->count + 1, sizeof(*s->skeletons));
	for (size_t i = 0; i < s->lines->count; i++)
		s->skeletons[i] = numbers[s->lines->lines[i].skeleton];
}

/* Gives the same skeletons of both sides one number. */
static void number_skeletons(side sides[2])
{
	entry *lists[2] = {sorted_skeletons(sides[0].lines), sorted_skeletons(sides[1].lines)};
	const size_t counts[2] = {sides[0].lines->skeleton_count, sides[1].lines->skeleton_count};
	uint32_t *numbers[2] = {rg_calloc(counts[0] + 1, sizeof(uint32_t)),
				rg_calloc(counts[1] + 1, sizeof(uint32_t))};
	size_t i = 0, k = 0;

	for (uint32_t next = 0; i < counts[0] || k < counts[1]; next++) {
		const int order = i == counts[0]   ? 1
				  : k == counts[1] ? -1
						   : compare_entries(&lists[0][i], &lists[1][k]);
		if (order <= 0)
			numbers[0][lists[0][i++].place] = next;
		if (order >= 0)
			numbers[1][lists[1][k++].place] = next;
	}
	for (size_t n = 0; n < 2; n++) {
		number_lines(&sides[n], numbers[n]);
		free(numbers[n]);
		free(lists[n]);
	}
}

static bool same_text(const side sides[2])
{
	return sides[0].lines->count == sides[1].lines->count &&
	       !memcmp(sides[0].skeletons, sides[1].skeletons,
		       sides[0].lines->count * sizeof(uint32_t));
}

static void pair_lines(side sides[2])
{
	for (size_t n = 0; n < 2; n++)
		sides[n].partners = rg_calloc(sides[n].lines->count + 1, sizeof(size_t));
	sequences_pair(sides[0].skeletons, sides[0].lines->count, sides[1].skeletons,
		       sides[1].lines->count, sides[0].partners, sides[1].partners);
}

/* --- the numbers of pairs --- */

/* A side's metrics while they are made anew, by the old side's names. */
typedef struct {
	double *values;
	rg_record_text *digits;
	size_t count, digit_count;
} column;

/* What a side's metrics have at each number, taken one by one. */
typedef struct {
	const rg_metric **metrics; /* NULL: no number has the name */
	size_t *next, *next_digits;
} cursor;

static cursor cursor_of(const side *s)
{
	const rg_text_lines *lines = s->lines;
	cursor c = {.metrics = rg_calloc(lines->name_count + 1, sizeof(*c.metrics)),
		    .next = rg_calloc(lines->name_count + 1, sizeof(*c.next)),
		    .next_digits = rg_calloc(lines->name_count + 1, sizeof(*c.next_digits))};
	for (size_t i = 0; i < lines->name_count; i++)
		c.metrics[i] = rg_golden_find(s->golden, lines->names[i]);
	return c;
}

static void cursor_free(cursor *c)
{
	free(c->metrics);
	free(c->next);
	free(c->next_digits);
}

/* The next value of that metric; `to` NULL: it has no partner. */
static void take(cursor *c, uint32_t name, column *to, int64_t step)
{
	const rg_metric *metric = c->metrics[name];
	const size_t at = c->next[name]++;
	size_t *digits = &c->next_digits[name];
	const bool has_digits = *digits < metric->digit_count &&
				metric->digits[*digits].step == (int64_t)at;

	if (to && has_digits)
		to->digits[to->digit_count++] =
			(rg_record_text){step, metric->digits[*digits].text};
	if (to)
		to->values[to->count++] = metric->values[at];
	*digits += has_digits;
}

static void take_line(const side *s, cursor *c, const rg_text_line *line)
{
	for (size_t i = 0; i < line->numbers; i++)
		take(c, s->lines->metrics[line->first + i], NULL, 0);
}

static size_t value_count(const cursor *c, size_t name)
{
	return c->metrics[name] ? c->metrics[name]->count : 0;
}

/* Room for as many values as the old side has. */
static void make_columns(const alignment *a, const cursor *old, column *columns[2], int64_t **steps)
{
	const size_t names = a->sides[0].lines->name_count;
	for (size_t n = 0; n < 2; n++) {
		columns[n] = rg_calloc(names + 1, sizeof(column));
		for (size_t i = 0; i < names; i++) {
			const size_t count = value_count(old, i);
			columns[n][i].values = rg_arena_alloc(a->arena, count * sizeof(double));
			columns[n][i].digits =
				rg_arena_alloc(a->arena, count * sizeof(rg_record_text));
		}
	}
	for (size_t i = 0; i < names; i++)
		steps[i] = rg_arena_alloc(a->arena, value_count(old, i) * sizeof(**steps));
}

/* Walks through both sides' lines at once, each side's in its order. */
static void fill_columns(const alignment *a, cursor cursors[2], column *columns[2],
			 int64_t *const *steps)
{
	const side *old = &a->sides[0], *fresh = &a->sides[1];
	size_t k = 0;

	for (size_t i = 0; i < old->lines->count; i++) {
		const rg_text_line *line = &old->lines->lines[i];
		if (old->partners[i] == RG_NO_PARTNER) {
			take_line(old, &cursors[0], line);
			continue;
		}
		for (; k < old->partners[i]; k++)
			take_line(fresh, &cursors[1], &fresh->lines->lines[k]);
		const rg_text_line *partner = &fresh->lines->lines[k++];
		for (size_t n = 0; n < line->numbers; n++) {
			const uint32_t name = old->lines->metrics[line->first + n];
			const int64_t step = (int64_t)cursors[0].next[name];
			steps[name][columns[0][name].count] = step;
			take(&cursors[0], name, &columns[0][name], step);
			take(&cursors[1], fresh->lines->metrics[partner->first + n],
			     &columns[1][name], step);
		}
	}
}

/* --- the lines without a partner --- */

static void add_lines(const alignment *a, const side *s, rg_metric *out)
{
	rg_record_text *lines = rg_arena_alloc(a->arena, s->lines->count * sizeof(*lines));
	rg_buf text, all;

	rg_buf_init(&text, RG_BUF_ANY);
	rg_buf_init(&all, RG_BUF_ANY);
	*out = (rg_metric){.name = RG_TEXT_METRIC, .kind = RG_METRIC_TEXT, .texts = lines};
	for (size_t i = 0; i < s->lines->count; i++) {
		const rg_text_line *line = &s->lines->lines[i];
		if (s->partners[i] != RG_NO_PARTNER)
			continue;
		rg_buf_clear(&text);
		rg_utf8_add_valid(&text, line->text, line->length);
		rg_buf_printf(&all, "%s%zu: ", all.length ? "\n" : "", line->place);
		rg_buf_add(&all, text.data, text.length);
		out->lost_numbers += line->numbers;
		lines[out->text_count++] = (rg_record_text){
			(int64_t)line->place, rg_arena_copy(a->arena, text.data, text.length)};
	}
	out->count = all.length;
	out->text = rg_arena_copy(a->arena, all.data, all.length);
	rg_buf_release(&all);
	rg_buf_release(&text);
}

static void make_metrics(const alignment *a, size_t n, const column *columns, int64_t *const *steps)
{
	const rg_text_lines *names = a->sides[0].lines;
	rg_metric *metrics = rg_arena_alloc(a->arena, (names->name_count + 1) * sizeof(*metrics));
	size_t count = 0;

	for (size_t i = 0; i < names->name_count; i++)
		if (columns[i].count)
			metrics[count++] = (rg_metric){.name = names->names[i],
						       .kind = RG_METRIC_SERIES,
						       .count = columns[i].count,
						       .steps = steps[i],
						       .values = columns[i].values,
						       .digits = columns[i].digits,
						       .digit_count = columns[i].digit_count};
	add_lines(a, &a->sides[n], &metrics[count++]);
	qsort(metrics, count, sizeof(*metrics), rg_metric_compare);
	a->sides[n].golden->metrics = metrics;
	a->sides[n].golden->count = count;
}

static void make_pairs(const alignment *a)
{
	cursor cursors[2] = {cursor_of(&a->sides[0]), cursor_of(&a->sides[1])};
	column *columns[2];
	int64_t **steps = rg_calloc(a->sides[0].lines->name_count + 1, sizeof(*steps));

	make_columns(a, &cursors[0], columns, steps);
	fill_columns(a, cursors, columns, steps);
	for (size_t n = 0; n < 2; n++) {
		cursor_free(&cursors[n]);
		make_metrics(a, n, columns[n], steps);
	}
	free(columns[0]);
	free(columns[1]);
	free(steps);
}

void rg_texts_align(rg_golden *old, rg_golden *fresh)
{
	alignment a = {.sides = {{.golden = old, .lines = old->lines},
				 {.golden = fresh, .lines = fresh->lines}},
		       .arena = &old->arena};

	/* Aligned once, they are as they should be. */
	if (rg_golden_find(old, RG_TEXT_METRIC))
		return;
	number_skeletons(a.sides);
	if (!same_text(a.sides)) {
		pair_lines(a.sides);
		make_pairs(&a);
	}
	for (size_t n = 0; n < 2; n++) {
		free(a.sides[n].skeletons);
		free(a.sides[n].partners);
	}
}

/* --- the row --- */

bool rg_is_text_metric(const rg_metric *metric)
{
	return metric->kind == RG_METRIC_TEXT && metric->texts;
}

static void say_lines(rg_buf *out, const rg_metric *metric, const char *what)
{
	rg_step_ranges places = {0};
	if (!metric->text_count)
		return;
	for (size_t i = 0; i < metric->text_count; i++) {
		const int64_t place = metric->texts[i].step;
		/* Ranges are of lines that follow each other in the file. */
		rg_step_ranges_add(&places, (size_t)place, place, place, 1);
	}
	rg_buf_printf(out, "%s%zu line%s %s (", out->length ? ", " : "", metric->text_count,
		      metric->text_count == 1 ? "" : "s", what);
	rg_step_ranges_say(out, &places);
	rg_buf_char(out, ')');
}

static const char *excerpt(rg_arena *arena, const rg_metric *metric)
{
	const char *text = metric->text_count ? metric->texts[0].text : "";
	size_t length = strlen(text);
	while (length > LINE_SHOWN || (text[length] & 0xc0) == 0x80)
		length--;
	return rg_arena_copy(arena, text, length);
}

void rg_text_row_fill(rg_row *row, rg_arena *arena, const rg_metric *old, const rg_metric *fresh)
{
	const rg_metric *first = old->text_count ? old : fresh;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_ANY);
	say_lines(&text, old, "went");
	say_lines(&text, fresh, "came");
	row->changes = row->changes_brief = rg_arena_text(arena, text.data);
	row->old_excerpt = excerpt(arena, old);
	row->new_excerpt = excerpt(arena, fresh);
	row->first_diff_known = true;
	row->first_diff = first->texts[0].step;
	row->lost = row->left_out.old_only = old->lost_numbers;
	row->left_out.new_only = fresh->lost_numbers;
	if (row->lost) {
		rg_buf_clear(&text);
		rg_buf_printf(&text, "%zu number%s", row->lost, row->lost == 1 ? "" : "s");
		row->lost_text = rg_arena_text(arena, text.data);
	}
	rg_buf_release(&text);
}

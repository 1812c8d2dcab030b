/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/text_align.h"

#include "base/memory.h"
#include "base/thread.h"
#include "base/utf8.h"
#include "compare/step_ranges.h"
#include "compare/text_pair.h"
#include "golden/records.h"
#include "golden/text_names.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a line that are shown. */
enum { LINE_SHOWN = 64 };

typedef struct {
	rg_golden *golden;
	const rg_text_lines *lines;
	uint32_t *skeletons, *whole; /* rg_text_side's */
	uint64_t *hashes;            /* of the lines: skeleton and values */
	const rg_metric **metrics;
	uint32_t *places;
	size_t *partners;
	rg_text_fate *fates;
} side;

typedef struct {
	side sides[2];
	rg_arena *arena; /* the old side's */
} alignment;

static void alignment_release(alignment *a)
{
	for (size_t n = 0; n < 2; n++) {
		side *s = &a->sides[n];
		free(s->skeletons);
		free(s->whole);
		free(s->hashes);
		free(s->metrics);
		free(s->places);
		free(s->partners);
		free(s->fates);
	}
}

/* --- what belongs together --- */

/* Gives the same skeletons of both sides one number. */
static void number_skeletons(side sides[2])
{
	RG_AUTO(rg_arena) arena = {0};
	RG_AUTO(rg_text_names) known = {0};

	rg_text_names_init(&known, &arena);
	for (size_t n = 0; n < 2; n++) {
		const rg_text_lines *lines = sides[n].lines;
		RG_AUTO_FREE uint32_t *numbers =
			rg_calloc(lines->skeleton_count + 1, sizeof(*numbers));
		for (size_t i = 0; i < lines->skeleton_count; i++)
			numbers[i] = rg_text_names_skeleton(&known, lines->skeletons[i].text,
							    lines->skeletons[i].length);
		sides[n].skeletons = rg_calloc(lines->count + 1, sizeof(*sides[n].skeletons));
		for (size_t i = 0; i < lines->count; i++)
			sides[n].skeletons[i] = numbers[lines->lines[i].skeleton];
	}
}

/* Have both sides the same skeletons, and their numbers, one by one, the same names? A blank line
 * more makes another block of a table. */
static bool same_text(const side sides[2])
{
	const rg_text_lines *old = sides[0].lines, *fresh = sides[1].lines;
	const rg_text_line *last = old->count ? &old->lines[old->count - 1] : NULL;
	const size_t numbers = last ? last->first + last->numbers : 0;
	RG_AUTO_FREE uint32_t *known =
		rg_calloc(old->name_count + 1, sizeof(*known)); /* the new side's, plus 1 */

	if (old->count != fresh->count ||
	    memcmp(sides[0].skeletons, sides[1].skeletons, old->count * sizeof(uint32_t)) != 0)
		return false;
	for (size_t i = 0; i < numbers; i++) {
		uint32_t *name = &known[old->metrics[i]];
		if (*name ? *name != fresh->metrics[i] + 1
			  : strcmp(old->names[old->metrics[i]], fresh->names[fresh->metrics[i]]) !=
				    0)
			return false;
		*name = fresh->metrics[i] + 1;
	}
	return true;
}

/* Finds each number's metric and its place there. */
static void place_numbers(side *s)
{
	const rg_text_lines *lines = s->lines;
	const rg_text_line *last = &lines->lines[lines->count - 1];
	const size_t numbers = lines->count ? last->first + last->numbers : 0;
	RG_AUTO_FREE uint32_t *next = rg_calloc(lines->name_count + 1, sizeof(*next));

	s->metrics = rg_calloc(lines->name_count + 1, sizeof(*s->metrics));
	s->places = rg_calloc(numbers + 1, sizeof(*s->places));
	for (size_t i = 0; i < lines->name_count; i++)
		s->metrics[i] = rg_golden_find(s->golden, lines->names[i]);
	for (size_t i = 0; i < numbers; i++)
		s->places[i] = next[lines->metrics[i]]++;
}

static const rg_metric *metric_of(const side *s, size_t number)
{
	return s->metrics[s->lines->metrics[number]];
}

/* NULL, as a rule: a double holds the number. */
static const char *digits_of(const side *s, size_t number)
{
	const rg_metric *metric = metric_of(s, number);
	return metric->digit_count ? rg_record_text_at(metric->digits, metric->digit_count,
						       (int64_t)s->places[number])
				   : NULL;
}

/* The bits of a number; all NaN are one. */
static uint64_t bits_of(const side *s, size_t number)
{
	const double value = metric_of(s, number)->values[s->places[number]];
	uint64_t bits = 0;
	if (value == value)
		memcpy(&bits, &value, sizeof(bits));
	else
		bits = UINT64_MAX;
	return bits;
}

static uint64_t hash_line(const side *s, size_t line)
{
	const rg_text_line *at = &s->lines->lines[line];
	uint64_t hash = s->skeletons[line];
	for (size_t i = 0; i < at->numbers; i++) {
		hash = (hash ^ bits_of(s, at->first + i)) * 0x9e3779b97f4a7c15u;
		hash ^= hash >> 29;
	}
	return hash ^ hash >> 32;
}

/* All that one side needs to be paired. */
static rg_error *prepare_side(void *context, size_t worker, size_t side_number)
{
	side *s = (side *)context + side_number;
	const size_t count = s->lines->count;

	(void)worker;
	place_numbers(s);
	s->partners = rg_calloc(count + 1, sizeof(*s->partners));
	s->fates = rg_calloc(count + 1, sizeof(*s->fates));
	s->whole = rg_calloc(count + 1, sizeof(*s->whole));
	s->hashes = rg_malloc((count + 1) * sizeof(*s->hashes));
	for (size_t i = 0; i < count; i++)
		s->hashes[i] = hash_line(s, i);
	return NULL;
}

static bool same_line(const side *a, size_t i, const side *b, size_t k)
{
	const rg_text_line *x = &a->lines->lines[i], *y = &b->lines->lines[k];
	if (a->skeletons[i] != b->skeletons[k])
		return false;
	for (size_t n = 0; n < x->numbers; n++) {
		if (bits_of(a, x->first + n) != bits_of(b, y->first + n))
			return false;
		const char *old = digits_of(a, x->first + n), *fresh = digits_of(b, y->first + n);
		if (!old != !fresh || (old && strcmp(old, fresh) != 0))
			return false;
	}
	return true;
}

/* A line that has a number, of all lines of both sides, plus 1; and the part of its hash that says
 * nothing about the slot. */
typedef struct {
	uint32_t line, tag;
} slot;

/* Lines that are equal in full: the skeleton and the values, however written. */
typedef struct {
	slot *slots;
	size_t room;
	uint32_t next; /* number of a line */
} whole_lines;

/* Numbers a line; *expected becomes the old side's line after the one that it is equal to. */
static void number_line(whole_lines *w, side sides[2], uint32_t n, size_t i, uint64_t hash,
			size_t *expected)
{
	const size_t count = sides[0].lines->count;
	const uint32_t tag = (uint32_t)(hash >> 32);
	side *s = &sides[n];
	size_t at = hash & (w->room - 1);

	++*expected;
	for (; w->slots[at].line; at = (at + 1) & (w->room - 1)) {
		const size_t line = w->slots[at].line - 1;
		const side *other = &sides[line >= count];
		const size_t place = line >= count ? line - count : line;
		if (w->slots[at].tag != tag || !same_line(other, place, s, i))
			continue;
		s->whole[i] = other->whole[place];
		if (other == sides)
			*expected = place + 1;
		return;
	}
	w->slots[at] = (slot){(uint32_t)((n ? count : 0) + i + 1), tag};
	s->whole[i] = w->next++;
}

static void number_whole_lines(side sides[2])
{
	enum { AHEAD = 8 };
	const size_t count = sides[0].lines->count, fresh = sides[1].lines->count;
	whole_lines w = {.room = 64};
	size_t expected = 0;

	while (w.room < 2 * (count + fresh))
		w.room *= 2;
	RG_AUTO_FREE slot *slots = rg_calloc(w.room, sizeof(*slots));
	const uint64_t *hashes = sides[0].hashes;
	w.slots = slots;
	for (size_t i = 0; i < count; i++) {
		if (i + AHEAD < count) /* the table is larger than the caches */
			__builtin_prefetch(&slots[hashes[i + AHEAD] & (w.room - 1)], 1);
		number_line(&w, sides, 0, i, hashes[i], &expected);
	}
	/* Most lines follow each other on both sides. */
	expected = 0;
	for (size_t i = 0; i < fresh; i++) {
		if (expected < count && same_line(&sides[0], expected, &sides[1], i))
			sides[1].whole[i] = sides[0].whole[expected++];
		else
			number_line(&w, sides, 1, i, sides[1].hashes[i], &expected);
	}
}

static rg_text_side text_side(const side *s)
{
	return (rg_text_side){.count = s->lines->count,
			      .lines = s->whole,
			      .skeletons = s->skeletons,
			      .source = s->lines,
			      .metrics = s->metrics,
			      .places = s->places,
			      .partners = s->partners,
			      .fates = s->fates};
}

/* --- the numbers of pairs --- */

/* Appends the value of a number as that of the old side's step. */
static void append_number(const side *s, size_t number, rg_record_column *to, int64_t step)
{
	const rg_metric *metric = metric_of(s, number);
	const double value = metric->values[s->places[number]];
	const bool has_unit = metric->unit || metric->unit_count;
	if (!has_unit && rg_record_column_plain(to, (size_t)step, value))
		return;
	rg_record_column_number(to, step, value);
	rg_record_column_digits(to, step, digits_of(s, number));
	rg_record_column_unit(to,
			      has_unit ? rg_metric_unit(metric, (int64_t)s->places[number]) : NULL);
}

typedef struct {
	const alignment *a;
	rg_record_column *columns[2]; /* each side's, by the old side's names */
} filling;

/* Fills one side's metrics anew. Walks through the old side's lines, so that its steps ascend. */
static rg_error *fill_columns(void *context, size_t worker, size_t side_number)
{
	const filling *f = context;
	const side *old = &f->a->sides[0], *own = &f->a->sides[side_number];

	(void)worker;
	for (size_t i = 0; i < old->lines->count; i++) {
		const rg_text_line *line = &old->lines->lines[i];
		if (old->partners[i] == RG_NO_PARTNER)
			continue;
		const size_t first = own == old ? line->first
						: own->lines->lines[old->partners[i]].first;
		for (size_t n = 0; n < line->numbers; n++)
			append_number(
				own, first + n,
				&f->columns[side_number][old->lines->metrics[line->first + n]],
				old->places[line->first + n]);
	}
	return NULL;
}

/* --- the lines without a partner --- */

/* Makes the metric of a side's lines without a partner, and of those that moved. */
static void make_lines(const alignment *a, const side *s, rg_metric *out)
{
	RG_AUTO(rg_buf) all = rg_buf_of(RG_BUF_ANY);
	size_t count = 0;

	for (size_t i = 0; i < s->lines->count; i++)
		count += s->fates[i] || s->partners[i] == RG_NO_PARTNER;
	rg_record_text *lines = rg_arena_alloc(a->arena, (count + 1) * sizeof(*lines));
	int64_t *moved = rg_arena_alloc(a->arena, (count + 1) * sizeof(*moved));
	*out = (rg_metric){
		.name = RG_TEXT_METRIC, .kind = RG_METRIC_TEXT, .texts = lines, .steps = moved};
	for (size_t i = 0; i < s->lines->count; i++) {
		const rg_text_line *line = &s->lines->lines[i];
		if (s->fates[i] == RG_TEXT_MOVED) {
			moved[out->moved++] = line->place;
			continue;
		}
		if (s->partners[i] != RG_NO_PARTNER && s->fates[i] != RG_TEXT_REWORDED)
			continue;
		rg_buf_printf(&all, "%s%" PRIu32 ": ", all.length ? "\n" : "", line->place);
		const size_t start = all.length;
		rg_utf8_add_valid(&all, line->text, line->length);
		lines[out->text_count++] = (rg_record_text){
			(int64_t)line->place,
			rg_arena_copy(a->arena, all.data + start, all.length - start)};
	}
	for (size_t i = 0; i < s->lines->count; i++)
		if (s->fates[i] == RG_TEXT_REWORDED)
			moved[out->moved + out->reworded++] = s->lines->lines[i].place;
	out->count = all.length;
	out->text = rg_arena_copy(a->arena, all.data, all.length);
}

/* Numbers of lines alone, and those of them that are not finite. */
typedef struct {
	size_t numbers, nonfinite;
} alone;

/* Counts those from *at on, up to a line that has a partner in order. */
static alone count_alone(const side *s, size_t *at)
{
	alone sum = {0};
	for (; *at < s->lines->count; ++*at) {
		const rg_text_line *line = &s->lines->lines[*at];
		if (s->partners[*at] != RG_NO_PARTNER && s->fates[*at] != RG_TEXT_MOVED)
			break;
		for (size_t i = 0; s->partners[*at] == RG_NO_PARTNER && i < line->numbers; i++) {
			const size_t number = line->first + i;
			sum.numbers++;
			sum.nonfinite +=
				isfinite(metric_of(s, number)->values[s->places[number]]) ? 0 : 1;
		}
	}
	return sum;
}

/* Counts the old side's numbers of lines alone for which the new side's lines alone have none of
 * the same name. */
static size_t count_unnamed(const alignment *a)
{
	const side *old = &a->sides[0], *fresh = &a->sides[1];
	const rg_metric *metrics = old->golden->metrics;
	RG_AUTO_FREE ptrdiff_t *left = rg_calloc(old->golden->count + 1, sizeof(*left));
	size_t sum = 0;

	for (size_t n = 0; n < 2; n++)
		for (size_t i = 0; i < a->sides[n].lines->count; i++) {
			const side *s = &a->sides[n];
			const rg_text_line *line = &s->lines->lines[i];
			for (size_t k = 0; s->partners[i] == RG_NO_PARTNER && k < line->numbers;
			     k++) {
				const uint32_t name = s->lines->metrics[line->first + k];
				const rg_metric *metric =
					n ? rg_golden_find(old->golden, fresh->lines->names[name])
					  : old->metrics[name];
				if (metric)
					left[metric - metrics] += n ? -1 : 1;
			}
		}
	for (size_t i = 0; i < old->golden->count; i++)
		sum += left[i] > 0 ? (size_t)left[i] : 0;
	return sum;
}

/* Numbers are lost where lines of one side alone have more of them than those that are there now,
 * and none of the same name came elsewhere. */
static void count_lost(const alignment *a, rg_metric sums[2])
{
	for (size_t i = 0, k = 0;; i++, k++) {
		const alone went = count_alone(&a->sides[0], &i);
		const alone came = count_alone(&a->sides[1], &k);
		sums[0].lost_numbers += went.numbers > came.numbers ? went.numbers - came.numbers
								    : 0;
		sums[1].lost_numbers += came.numbers > went.numbers ? came.numbers - went.numbers
								    : 0;
		sums[1].nonfinite_numbers +=
			came.nonfinite > went.nonfinite ? came.nonfinite - went.nonfinite : 0;
		if (i == a->sides[0].lines->count)
			break;
	}
	const size_t unnamed = count_unnamed(a);
	if (unnamed < sums[0].lost_numbers)
		sums[0].lost_numbers = unnamed;
}

/* Is a line alone, elsewhere, or one of other words? */
static bool has_lines(const side *s)
{
	size_t i = 0;
	while (i < s->lines->count && s->partners[i] != RG_NO_PARTNER && !s->fates[i])
		i++;
	return i < s->lines->count;
}

static void make_metrics(const alignment *a, size_t n, rg_record_column *columns,
			 const rg_metric *sums, bool lines)
{
	const rg_text_lines *names = a->sides[0].lines;
	rg_metric *metrics = rg_arena_alloc(a->arena, (names->name_count + 1) * sizeof(*metrics));
	size_t count = 0;

	for (size_t i = 0; i < names->name_count; i++) {
		if (!columns[i].count)
			continue;
		metrics[count] = (rg_metric){.name = names->names[i], .kind = RG_METRIC_SERIES};
		rg_record_column_hand_over(&columns[i], &metrics[count++], a->arena);
	}
	if (lines) {
		make_lines(a, &a->sides[n], &metrics[count]);
		metrics[count].lost_numbers = sums->lost_numbers;
		metrics[count++].nonfinite_numbers = sums->nonfinite_numbers;
	}
	qsort(metrics, count, sizeof(*metrics), rg_metric_compare);
	a->sides[n].golden->metrics = metrics;
	a->sides[n].golden->count = count;
}

rg_error *rg_texts_align(rg_golden *old, rg_golden *fresh)
{
	enum { LARGE = 1 << 14 }; /* lines that are worth a thread */
	RG_AUTO(alignment)
	a = {.sides = {{.golden = old, .lines = old->lines},
		       {.golden = fresh, .lines = fresh->lines}},
	     .arena = &old->arena};
	rg_metric sums[2] = {{0}};
	const size_t workers = old->lines->count >= LARGE ? 2 : 1;

	/* Texts that were aligned once are as they should be. */
	if (old->lines == fresh->lines || rg_golden_find(old, RG_TEXT_METRIC))
		return NULL;
	number_skeletons(a.sides);
	if (same_text(a.sides))
		return NULL;
	RG_TRY(rg_workers_run(workers, 2, prepare_side, a.sides));
	number_whole_lines(a.sides);
	const rg_text_side was = text_side(&a.sides[0]), is = text_side(&a.sides[1]);
	rg_text_sides_pair(&was, &is);
	const size_t names = old->lines->name_count;
	RG_AUTO_FREE rg_record_column *all = rg_calloc(2 * names + 1, sizeof(*all));
	filling both = {.a = &a, .columns = {all, all + names}};
	rg_error *err = rg_workers_run(workers, 2, fill_columns, &both);
	for (size_t i = 0; err && i < 2 * names; i++)
		rg_record_column_release(&all[i]);
	RG_TRY(err);
	count_lost(&a, sums);
	const bool lines = has_lines(&a.sides[0]) || has_lines(&a.sides[1]);
	for (size_t n = 0; n < 2; n++)
		make_metrics(&a, n, both.columns[n], &sums[n], lines);
	fresh->lines = old->lines;
	return NULL;
}

/* --- the row --- */

bool rg_is_text_metric(const rg_metric *metric)
{
	return metric->kind == RG_METRIC_TEXT && metric->texts;
}

static void append_lines(rg_buf *out, const rg_step_ranges *places, const char *what)
{
	if (!places->steps)
		return;
	rg_buf_printf(out, "%s%zu line%s %s (", out->length ? ", " : "", places->steps,
		      places->steps == 1 ? "" : "s", what);
	rg_step_ranges_say(out, places);
	rg_buf_char(out, ')');
}

/* Ranges are of lines that follow each other in the file. */
static void append_place(rg_step_ranges *places, int64_t place)
{
	rg_step_ranges_add(places, (size_t)place, place, place, 1);
}

/* The lines that one side alone has: those shown, but those with other words. */
static void append_alone(rg_step_ranges *out, const rg_metric *lines)
{
	const int64_t *reworded = lines->steps + lines->moved;
	for (size_t i = 0, k = 0; i < lines->text_count; i++)
		if (k < lines->reworded && reworded[k] == lines->texts[i].step)
			k++;
		else
			append_place(out, lines->texts[i].step);
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
	rg_step_ranges went = {0}, came = {0}, moved = {0}, reworded = {0};
	rg_buf text = rg_buf_of(RG_BUF_ANY);

	append_alone(&went, old);
	append_alone(&came, fresh);
	for (size_t i = 0; i < old->moved; i++)
		append_place(&moved, old->steps[i]);
	for (size_t i = 0; i < old->reworded; i++)
		append_place(&reworded, old->steps[old->moved + i]);
	append_lines(&text, &went, "went");
	append_lines(&text, &came, "came");
	append_lines(&text, &reworded, "with other words");
	append_lines(&text, &moved, "moved");
	row->changes = row->changes_brief = rg_buf_keep(&text, arena);
	if (old->text_count || fresh->text_count) {
		row->old_excerpt = excerpt(arena, old);
		row->new_excerpt = excerpt(arena, fresh);
	}
	row->first_diff_known = true;
	row->first_diff = first->text_count ? first->texts[0].step : *old->steps;
	row->lost = row->left_out.old_only = old->lost_numbers;
	row->left_out.new_only = fresh->lost_numbers;
	row->nonfinite = row->left_out.new_nonfinite = fresh->nonfinite_numbers;
	if (row->lost)
		row->lost_text =
			rg_arena_textf(arena, "%zu number%s", row->lost, row->lost == 1 ? "" : "s");
}

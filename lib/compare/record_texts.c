/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/record_texts.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/utf8.h"
#include "compare/step_ranges.h"
#include "golden/records.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Changes that are said, records that are named of each, and bytes of a text. */
enum { CHANGES_SAID = 4, RECORDS_NAMED = 3, EXCERPT = 40, LINE = 120, UNIT_MAX = 16 };

/* A record whose text differs; NULL: that side has none. */
typedef struct {
	const char *old, *fresh;
	int64_t step;
} change;

/* Changes of the same text to the same text: items[first …]. */
typedef struct {
	size_t first, count;
} group;

typedef struct {
	change *items;
	size_t count, capacity;
	group *groups;
	size_t group_count;
} changes;

static void changes_release(changes *c)
{
	free(c->groups);
	free(c->items);
}

static int64_t step_at(const rg_metric *metric, size_t i)
{
	return i < metric->text_count ? metric->texts[i].step : INT64_MAX;
}

static int compare_sides(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

RG_ORDER(compare_changes, change,
	 RG_THEN(compare_sides(x->old, y->old)) || RG_THEN(compare_sides(x->fresh, y->fresh)) ||
		 RG_RISING(step));

/* The most frequent first. */
RG_ORDER(compare_groups, group, RG_FALLING(count) || RG_RISING(first));

static void group_changes(changes *c)
{
	c->groups = rg_calloc(c->count + 1, sizeof(*c->groups));
	qsort(c->items, c->count, sizeof(*c->items), compare_changes);
	for (size_t i = 0; i < c->count; i++) {
		const change *one = &c->items[i];
		if (!i || compare_sides(one->old, one[-1].old) ||
		    compare_sides(one->fresh, one[-1].fresh))
			c->groups[c->group_count++].first = i;
		c->groups[c->group_count - 1].count++;
	}
	qsort(c->groups, c->group_count, sizeof(*c->groups), compare_groups);
}

static void append_text(rg_buf *out, const char *text)
{
	size_t length = text ? strlen(text) : 0, shown = length > EXCERPT ? EXCERPT : length;
	while (shown && shown < length && ((unsigned char)text[shown] & 0xc0) == 0x80)
		shown--;
	if (!text)
		rg_buf_str(out, "nothing");
	else
		rg_utf8_add_safe(out, text, shown);
	if (shown < length)
		rg_buf_str(out, "…");
}

static void append_change(rg_buf *out, const changes *c, const group *g)
{
	append_text(out, c->items[g->first].old);
	rg_buf_str(out, " → ");
	append_text(out, c->items[g->first].fresh);
	rg_buf_printf(out, ": %zu", g->count);
}

static void append_others(rg_buf *out, size_t count)
{
	if (count)
		rg_buf_printf(out, " and %zu other change%s", count, count == 1 ? "" : "s");
}

/* Makes the row's two texts: the most frequent changes with their records, and in brief as many
 * changes as a line has room for. */
static void format_changes(rg_row *row, rg_arena *arena, const changes *c,
			   const rg_records *records)
{
	const size_t said = c->group_count < CHANGES_SAID ? c->group_count : CHANGES_SAID;
	rg_buf text = rg_buf_of(RG_BUF_ANY), brief = rg_buf_of(RG_BUF_ANY);
	char number[RG_STEP_TEXT];
	size_t length = 0, i;

	for (i = 0; i < said; i++) {
		const group *g = &c->groups[i];
		rg_buf_str(&text, i ? ", " : "");
		append_change(&text, c, g);
		rg_buf_str(&text, " (");
		for (size_t k = 0; k < g->count && k < RECORDS_NAMED; k++) {
			rg_buf_str(&text, k ? ", " : "");
			append_text(&text,
				    rg_step_name(records, c->items[g->first + k].step, number));
		}
		rg_buf_str(&text, g->count > RECORDS_NAMED ? ", …)" : ")");
	}
	append_others(&text, c->group_count - said);
	const bool is_long = text.length > LINE;
	row->changes = row->changes_brief = rg_buf_keep(&text, arena);
	if (!is_long)
		return;
	for (i = 0; i < c->group_count; i++) {
		length = brief.length;
		rg_buf_str(&brief, i ? ", " : "");
		append_change(&brief, c, &c->groups[i]);
		if (i && brief.length > LINE)
			break;
	}
	if (i < c->group_count)
		rg_buf_truncate(&brief, length);
	append_others(&brief, c->group_count - i);
	row->changes_brief = rg_buf_keep(&brief, arena);
}

/* Returns the unit after the figure that a text begins with: one word without digits, so that the
 * digits of a hash are no figure. NULL: there is no such figure and unit. */
static const char *unit_in(const char *text)
{
	static const char digits[] = "0123456789";
	size_t length = strspn(text, "+-.0123456789");
	if (strcspn(text, digits) >= length || length > EXCERPT)
		return NULL;
	if (text[length] == 'e' || text[length] == 'E') {
		size_t sign = text[length + 1] == '-' || text[length + 1] == '+';
		size_t exponent = strspn(text + length + 1 + sign, digits);
		length += exponent ? 1 + sign + exponent : 0;
	}
	const char *unit = text + length + strspn(text + length, " ");
	const size_t word = strlen(unit);
	if (!word || word > UNIT_MAX || (ispunct((unsigned char)*unit) && *unit != '%'))
		return NULL;
	for (size_t i = 0; i < word; i++)
		if (isdigit((unsigned char)unit[i]) || (unsigned char)unit[i] <= ' ')
			return NULL;
	return unit;
}

bool rg_texts_are_of_two_units(const char *old, const char *fresh)
{
	const char *was = unit_in(old), *is = unit_in(fresh);
	return was && is && was - old == is - fresh && !memcmp(old, fresh, (size_t)(was - old)) &&
	       strcmp(was, is) != 0;
}

/* Notes the step of the first change, and the records whose text only one side has. */
static void note_steps(rg_row *row, rg_arena *arena, const changes *c, const rg_metric *old)
{
	rg_left_steps left;
	const rg_records *records = old->records;
	const change *first = &c->items[0];
	char number[RG_STEP_TEXT];

	rg_left_steps_init(&left, records);
	for (size_t i = 0; i < c->count; i++) {
		const change *one = &c->items[i];
		rg_left_reason reason = one->fresh ? RG_LEFT_NEW_ONLY : RG_LEFT_OLD_ONLY;

		if (one->old && one->fresh) {
			if (!row->other_unit && rg_texts_are_of_two_units(one->old, one->fresh))
				row->other_unit =
					rg_arena_textf(arena, "%s -> %s", one->old, one->fresh);
			continue;
		}
		row->left_out.by[reason]++;
		rg_step_ranges_add(&left.by[reason], i, one->step, one->step, 1);
	}
	row->first_diff_known = true;
	row->first_diff = first->step;
	if (records)
		row->first_diff_record =
			rg_arena_text(arena, rg_step_name(records, first->step, number));
	row->old_excerpt = rg_arena_text(arena, first->old ? first->old : "");
	row->new_excerpt = rg_arena_text(arena, first->fresh ? first->fresh : "");
	row->lost = row->left_out.old_only;
	rg_left_out_text(&row->left_out_text, arena, &row->left_out, &left);
	rg_lost_text(&row->lost_text, arena, row->left_out.old_only, old->text_count, &left);
	rg_left_steps_text(&row->lost_steps, arena, &left, RG_LEFT_OLD_ONLY);
	rg_left_steps_text(&row->gained_steps, arena, &left, RG_LEFT_NEW_ONLY);
}

const char *rg_shadowed_text(rg_arena *arena, const rg_metric *old, const rg_metric *fresh)
{
	const rg_metric *first = old->shadowed ? old : fresh;
	return rg_arena_textf(arena, "step %" PRId64 " appears twice, and its first value differs",
			      first->duplicate_step);
}

void rg_record_texts_compare(rg_row *row, rg_arena *arena, const rg_metric *old,
			     const rg_metric *fresh)
{
	RG_AUTO(changes) c = {0};

	size_t i = 0, k = 0;
	while (i < old->text_count || k < fresh->text_count) {
		const int64_t left = step_at(old, i), right = step_at(fresh, k);
		const int64_t step = left < right ? left : right;
		const char *was = left == step ? old->texts[i++].text : NULL;
		const char *is = right == step ? fresh->texts[k++].text : NULL;

		/* A record that one side lacks is reported itself. */
		if (!rg_record_is_alone(old->records, step) &&
		    (!was || !is || strcmp(was, is) != 0))
			*RG_PUSH(c.items, c.count, c.capacity) = (change){was, is, step};
	}
	row->by_record = old->records;
	row->identical = !c.count;
	if (c.count) {
		note_steps(row, arena, &c, old);
		group_changes(&c);
		format_changes(row, arena, &c, old->records);
	} else if (old->shadowed != fresh->shadowed) {
		row->identical = false;
		row->changes = row->changes_brief = rg_shadowed_text(arena, old, fresh);
	}
}

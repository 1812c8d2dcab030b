/* SPDX-License-Identifier: Apache-2.0 */
#include "review.h"

#include "terminal.h"
#include "update.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/shorten.h"
#include "base/utf8.h"
#include "compare/align.h"
#include "compare/record_texts.h"
#include "golden/records.h"
#include "report/blocks.h"
#include "report/curve.h"
#include "report/words.h"
#include "story/review.h"
#include "update/safe_tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CURVE_WIDTH = 60, STEPS_SHOWN = 10, RANGE_WIDTH = 50, BEFORE_DIFFERENCE = 20 };

/* One side of a metric, all of it. */
typedef struct {
	const rg_metric *metric; /* NULL: this side has none */
	double *values;          /* of a series, or tokens */
	size_t count;
} side;

static void side_release(side *s)
{
	free(s->values);
}

static rg_error *read_side(side *s, const rg_metric *metric)
{
	s->metric = metric;
	s->count = metric ? metric->count : 0;
	s->values = rg_calloc(s->count + 1, sizeof(*s->values));
	if (metric && metric->kind == RG_METRIC_TOKENS)
		for (size_t i = 0; i < s->count; i++)
			s->values[i] = (double)metric->tokens[i];
	else if (metric)
		return rg_metric_read(metric, 0, s->count, s->values);
	return NULL;
}

/* --- a metric: its curve --- */

static bool terminal_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *value = getenv(names[i]);
		if (value && *value)
			return strstr(value, "UTF-8") || strstr(value, "utf8");
	}
	return false;
}

static void draw(const char *label, const side *s, const rg_sparkline_scale *scale)
{
	RG_AUTO(rg_buf) line = rg_buf_of(RG_BUF_TEXT);
	if (!s->metric)
		return;
	rg_sparkline(&line, s->values, s->count, scale);
	fprintf(stderr, "  %s  %s\n", label, line.data);
}

static void draw_both(const char *name, const side *old, const side *fresh)
{
	rg_sparkline_scale scale = {INFINITY, -INFINITY, CURVE_WIDTH, terminal_is_utf8()};
	char low[RG_DOUBLE_REPR_SIZE], high[RG_DOUBLE_REPR_SIZE];
	const size_t count = old->count + fresh->count;
	RG_AUTO_FREE double *values = rg_calloc(count + 1, sizeof(*values));
	rg_curve_range range;

	memcpy(values, old->values, old->count * sizeof(*values));
	memcpy(values + old->count, fresh->values, fresh->count * sizeof(*values));
	rg_sparkline_fit(&scale, values, count);
	rg_curve_range_of(&range, values, count);
	/* The scale is wide enough for all values but a few outliers, which are counted. */
	if (range.beyond) {
		scale.low = range.low;
		scale.high = range.high;
	}
	rg_double_repr(scale.low, low);
	rg_double_repr(scale.high, high);
	terminal_print_shortened(stderr, name, RANGE_WIDTH);
	fprintf(stderr, ", %s to %s", low, high);
	if (range.beyond)
		fprintf(stderr, " and %zu value%s beyond", range.beyond, rg_plural(range.beyond));
	fputc('\n', stderr);
	draw("old", old, &scale);
	draw("new", fresh, &scale);
}

/* --- the values --- */

/* The places of one step in the values of each side; SIZE_MAX: that side does not have it. */
typedef struct {
	int64_t step;
	size_t old, fresh;
	double size; /* of the difference, relative */
} pair;

/* Those that differ most, the largest first; of equals the earlier step. */
typedef struct {
	pair items[STEPS_SHOWN];
	size_t count, differ;
} worst_pairs;

static double difference(double old, double fresh)
{
	if (old == fresh || (isnan(old) && isnan(fresh)))
		return 0;
	return isfinite(old) && isfinite(fresh) && old != 0 ? fabs((fresh - old) / old) : INFINITY;
}

static void offer(worst_pairs *worst, const pair *p)
{
	size_t at = worst->count;
	worst->differ++;
	while (at && worst->items[at - 1].size < p->size)
		at--;
	if (at == STEPS_SHOWN)
		return;
	if (worst->count < STEPS_SHOWN)
		worst->count++;
	memmove(&worst->items[at + 1], &worst->items[at],
		(worst->count - at - 1) * sizeof(*worst->items));
	worst->items[at] = *p;
}

/* Both sides' steps ascend. */
static void find_worst(worst_pairs *worst, const side *old, const side *fresh)
{
	/* A side without the metric has none of its steps. */
	const size_t old_count = old->metric ? old->count : 0;
	const size_t fresh_count = fresh->metric ? fresh->count : 0;
	size_t a = 0, b = 0;
	while (a < old_count || b < fresh_count) {
		pair p = {.old = SIZE_MAX, .fresh = SIZE_MAX, .size = INFINITY};
		int64_t left = a < old_count ? rg_metric_step(old->metric, a) : INT64_MAX;
		int64_t right = b < fresh_count ? rg_metric_step(fresh->metric, b) : INT64_MAX;

		p.step = left < right ? left : right;
		if (a < old_count && left == p.step)
			p.old = a++;
		if (b < fresh_count && right == p.step)
			p.fresh = b++;
		if (p.old != SIZE_MAX && p.fresh != SIZE_MAX)
			p.size = difference(old->values[p.old], fresh->values[p.fresh]);
		if (p.size > 0)
			offer(worst, &p);
	}
}

RG_ORDER(by_step, pair, RG_RISING(step));

static const char *value_text(const side *s, size_t at, char text[static RG_DOUBLE_REPR_SIZE])
{
	if (at == SIZE_MAX || !s->metric)
		return "-";
	if (s->metric->kind == RG_METRIC_TOKENS)
		snprintf(text, RG_DOUBLE_REPR_SIZE, "%" PRId64, s->metric->tokens[at]);
	else
		rg_double_repr(s->values[at], text);
	return text;
}

static void print_values(const side *old, const side *fresh)
{
	const rg_metric *any = fresh->metric ? fresh->metric : old->metric;
	const rg_records *records = any ? any->records : NULL;
	const size_t width = records ? 32 : 10; /* of a record's key, and of a step's number */
	char before[RG_DOUBLE_REPR_SIZE], after[RG_DOUBLE_REPR_SIZE], number[RG_STEP_TEXT];
	worst_pairs worst = {0};

	find_worst(&worst, old, fresh);
	if (!worst.differ) {
		fputs("  no value differs\n", stderr);
		return;
	}
	qsort(worst.items, worst.count, sizeof(*worst.items), by_step);
	fprintf(stderr, "  %*s  %22s  %22s\n", (int)width, rg_step_word(records, true), "old",
		"new");
	for (size_t i = 0; i < worst.count; i++) {
		const pair *p = &worst.items[i];
		const char *name = rg_step_name(records, p->step, number);
		RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
		size_t taken = rg_text_shorten(&text, name, strlen(name), width);
		fprintf(stderr, "  %*s%s  %22s  %22s\n", (int)(width > taken ? width - taken : 0),
			"", text.data, value_text(old, p->old, before),
			value_text(fresh, p->fresh, after));
	}
	if (worst.differ > worst.count)
		fprintf(stderr, "  of %zu %s that differ, the %zu that differ most\n", worst.differ,
			rg_step_word(records, false), worst.count);
}

/* --- a text --- */

/* As far as the line has room for it. */
static void print_text(const char *label, const rg_metric *metric, size_t from)
{
	size_t columns = terminal_columns(stderr), used = strlen("  old  "), width;
	char safe[RG_UTF8_SAFE_SIZE];

	if (!metric)
		return;
	fprintf(stderr, "  %s  ", label);
	while (from < metric->count) {
		from += rg_utf8_next_safe(metric->text + from, metric->count - from, safe, &width);
		used += width;
		if (used > columns)
			break;
		fputs(safe, stderr);
	}
	fputc('\n', stderr);
}

/* Prints both texts from shortly before the first difference. */
static void print_texts(const char *name, const rg_metric *old, const rg_metric *fresh)
{
	const rg_metric *any = fresh ? fresh : old;
	size_t differs = 0;

	while (old && fresh && differs < old->count && differs < fresh->count &&
	       old->text[differs] == fresh->text[differs])
		differs++;
	size_t from = differs > BEFORE_DIFFERENCE ? differs - BEFORE_DIFFERENCE : 0;
	while (from && from < differs && (any->text[from] & 0xc0) == 0x80)
		from++;
	terminal_print_shortened(stderr, name, RANGE_WIDTH);
	fprintf(stderr, ", from position %zu\n", from);
	print_text("old", old, from);
	print_text("new", fresh, from);
}

static rg_error *print_series(const char *name, const rg_metric *before, const rg_metric *after,
			      rg_metric_kind kind)
{
	RG_AUTO(side) old = {0};
	RG_AUTO(side) fresh = {0};
	RG_TRY(read_side(&old, before));
	RG_TRY(read_side(&fresh, after));
	if (kind == RG_METRIC_SERIES)
		draw_both(name, &old, &fresh);
	print_values(&old, &fresh);
	return NULL;
}

static rg_error *show_sides(const char *name, const rg_metric *before, const rg_metric *after)
{
	rg_metric_kind kind = after ? after->kind : before ? before->kind : RG_METRIC_SERIES;
	RG_AUTO(rg_arena) arena = {0};
	rg_row row = {0};

	if (before && before->kind != kind) {
		fputs("the two sides are not of one kind\n", stderr);
	} else if (kind == RG_METRIC_OPAQUE || kind == RG_METRIC_UNREADABLE) {
		printf("%s: %zu bytes, %zu now\n", name, before ? before->count : 0,
		       after ? after->count : 0);
	} else if (kind == RG_METRIC_TEXTS) {
		terminal_print_shortened(stderr, name, RANGE_WIDTH);
		if (before && after)
			rg_record_texts_compare(&row, &arena, before, after);
		fprintf(stderr, "\n  %s\n",
			row.changes ? row.changes
			: !before   ? "was not there before"
			: !after    ? "is not there any more"
				    : "no text differs");
	} else if (kind == RG_METRIC_TEXT) {
		print_texts(name, before, after);
	} else {
		return print_series(name, before, after, kind);
	}
	return NULL;
}

/* On stderr: its curve before and after, and the values of the steps that differ most; of a new
 * golden, the values that it has. RG_E_CONFLICT where a file was touched since the plan. */
static rg_error *show_values(const rg_plan *plan, const rg_plan_item *item, const char *metric)
{
	RG_AUTO(rg_buf) old_bytes = rg_buf_of(RG_TREE_FILE_MAX);
	RG_AUTO(rg_buf) new_bytes = rg_buf_of(RG_TREE_FILE_MAX);
	RG_AUTO_PTR(rg_golden) old = NULL;
	RG_AUTO_PTR(rg_golden) fresh = NULL;

	if (item->old.exists)
		RG_TRY(rg_tree_read_again(plan->tree, item->golden->target, &old_bytes,
					  &item->old));
	RG_TRY(rg_plan_bytes(plan, (size_t)(item - plan->items), &new_bytes));
	if (item->old.exists)
		RG_TRY(rg_plan_golden(&old, plan, item, &old_bytes, false));
	RG_TRY(rg_plan_golden(&fresh, plan, item, &new_bytes, true));
	RG_TRY(rg_goldens_align(old, fresh));
	return show_sides(metric, old ? rg_golden_find(old, metric) : NULL,
			  rg_golden_find(fresh, metric));
}

enum { ROWS_SHOWN = 3, STUCK_SHOWN = 5, HANGING = 2, ROW_HANGING = 6, WIDTH_MIN = 24 };

static const char bold[] = "\x1b[1m", red[] = "\x1b[31m", plain[] = "\x1b[0m";

/* A window that is narrower than any line wraps it. */
static size_t width_of_terminal(void)
{
	size_t columns = terminal_columns(stderr);
	return columns > WIDTH_MIN ? columns : WIDTH_MIN;
}

/* --- the story --- */

/* Continues in `column`, and breaks lines between words; those that follow are indented. A "%"
 * belongs to the word before it. A word without room loses its middle. */
static void append_wrapped(rg_buf *out, const char *text, size_t column, size_t hanging)
{
	size_t width = width_of_terminal();
	RG_AUTO(rg_buf) word = rg_buf_of(RG_BUF_TEXT);

	while (*text) {
		size_t length = strcspn(text, " ");
		while (text[length] == ' ' && text[length + 1] == '%')
			length += 1 + strcspn(text + length + 1, " ");
		rg_buf_clear(&word);
		size_t columns = rg_text_shorten(&word, text, length, width - hanging);
		if (column + 1 + columns > width) {
			rg_buf_printf(out, "\n%*s", (int)hanging, "");
			column = hanging;
		} else if (column) {
			rg_buf_char(out, ' ');
			column++;
		}
		rg_buf_str(out, word.data);
		column += columns;
		text += length;
		text += strspn(text, " ");
	}
}

static void print_wrapped(const char *text, const char *color)
{
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	append_wrapped(&out, text, 0, HANGING);
	fprintf(stderr, "%s%s%s\n", color, out.data, *color ? plain : "");
}

/* The bottom line has what changes and what stands out: this review is what was done and what is
 * next. */
void review_show_story(const review *r, bool color)
{
	RG_AUTO(rg_buf) first = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	size_t fresh = 0, shown = 0;
	rg_blocks blocks;

	for (size_t i = 0; i < r->count; i++)
		fresh += r->questions[i].item->change == RG_PLAN_NEW;
	rg_buf_printf(&first, "%zu golden%s to review", r->count, rg_plural(r->count));
	if (fresh)
		rg_buf_printf(&first, ", %zu of them new", fresh);
	if (r->held)
		rg_buf_printf(&first, ", %zu held back", r->held);
	print_wrapped(first.data, color ? bold : "");
	/* Nobody can let these through. */
	for (size_t i = 0; i < r->plan->count && shown < STUCK_SHOWN && shown < r->stuck; i++) {
		const rg_plan_item *item = &r->plan->items[i];
		if (!review_is_stuck(item))
			continue;
		terminal_printf(stderr, "cannot go in: %s\n", item->golden->target);
		update_print_findings(item, false, stderr);
		shown++;
	}
	if (shown < r->stuck)
		fprintf(stderr, "cannot go in: %zu more\n", r->stuck - shown);
	rg_blocks_of(&blocks, &r->story);
	rg_blocks_text(&text, &blocks,
		       &(rg_blocks_style){.table = {.width = width_of_terminal()},
					  .findings = RG_FINDINGS_SHOWN,
					  .without_next = true});
	fputs(text.data, stderr);
}

/* --- one golden --- */

static void print_row(const review *of, const rg_story_row *r, bool color)
{
	const char *mark = r->outlier || r->review ? "  *" : "   ";
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) line = rg_buf_of(RG_BUF_TEXT);

	rg_text_shorten(&text, r->metric, strlen(r->metric), width_of_terminal() - ROW_HANGING);
	rg_buf_str(&text, ": ");
	if (r->members > 1)
		rg_buf_printf(&text, "%zu of %zu differ, at worst: ", r->changed, r->members);
	const size_t before = text.length;
	if (r->row->gap == RG_GAP_NONE)
		rg_row_say_why(&text, &of->story, r->row);
	if (text.length == before)
		rg_row_say(&text, r->row, &r->policy);
	rg_buf_str(&line, mark);
	append_wrapped(&line, text.data, strlen(mark), ROW_HANGING);
	color &= mark[2] == '*';
	fprintf(stderr, "%s%s%s\n", color ? red : "", line.data, color ? plain : "");
}

/* The golden's rows as the story has them, by what needs a look, but losses first. */
static void print_rows(const review *r, const review_question *q, bool color)
{
	const size_t count = r->story.row_count;
	size_t shown = 0, more = 0;

	for (size_t i = 0; i < 2 * count; i++) {
		const rg_story_row *row = &r->story.rows[i < count ? i : i - count];
		if (row->row->file_index != q->file || !review_has_to_say(r, row) ||
		    review_is_loss(row->metric) != (i < count))
			continue;
		if (shown++ < ROWS_SHOWN)
			print_row(r, row, color);
		else
			more++;
	}
	if (more)
		fprintf(stderr, "    %zu more metric%s (s shows all)\n", more,
			more == 1 ? " differs" : "s differ");
}

/* The name is whole if a line has room for it: it tells two goldens apart. */
static void print_heading(const review *r, size_t place, bool color)
{
	const review_question *q = &r->questions[place];
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);

	rg_buf_printf(&text, "(%zu of %zu) ", place + 1, r->count);
	rg_test_name_add(&text, q->item->golden->target, &r->columns);
	rg_buf_str(&text, q->item->change == RG_PLAN_NEW ? ", new" : ", changed");
	if (q->item->held)
		rg_buf_str(&text, ", held back; y lets it through");
	fputc('\n', stderr);
	print_wrapped(text.data, color ? bold : "");
}

void review_show_question(const review *r, size_t place, bool color)
{
	const review_question *q = &r->questions[place];
	size_t group = 0;

	print_heading(r, place, color);
	if (q->worst) {
		update_print_findings(q->item, false, stderr);
		print_rows(r, q, color);
	} else {
		update_print_item(r->plan, q->item, ROWS_SHOWN, stderr);
	}
	for (size_t i = 0; i < r->count && !q->item->held; i++)
		group += !r->questions[i].decided && !r->questions[i].item->held &&
			 review_is_group(&r->questions[i], q);
	if (group > 1)
		fprintf(stderr, "    g puts in all %zu of its stage and variant\n", group);
}

/* The metric that holds it back, or that changes most; for a new golden the first. */
static const char *worst_metric(const review_question *q)
{
	const rg_plan_item *item = q->item;
	for (size_t i = 0; i < item->findings.count; i++)
		if (item->findings.items[i].guard & item->held && item->findings.items[i].metric)
			return item->findings.items[i].metric;
	if (q->worst)
		return q->worst->row->metric;
	return item->metric_count ? item->metrics[0].name : NULL;
}

rg_error *review_show_all(const review *r, size_t place)
{
	const review_question *q = &r->questions[place];
	const char *metric = worst_metric(q);

	terminal_printf(stderr, "%s\n", q->item->golden->target);
	update_print_item(r->plan, q->item, 0, stderr);
	return metric ? show_values(r->plan, q->item, metric) : NULL;
}

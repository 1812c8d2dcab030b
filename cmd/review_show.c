/* SPDX-License-Identifier: Apache-2.0 */
#include "review.h"

#include "base/shorten.h"
#include "base/utf8.h"
#include "report/review.h"
#include "terminal.h"
#include "update.h"
#include "values_show.h"

#include <string.h>

enum { ROWS_SHOWN = 3, STUCK_SHOWN = 5, HANGING = 2, ROW_HANGING = 6, WIDTH_MIN = 24 };

static const char bold[] = "\x1b[1m", red[] = "\x1b[31m", plain[] = "\x1b[0m";

/* A window that is narrower than any line wraps it. */
static size_t width_of_terminal(void)
{
	size_t columns = terminal_columns(stderr);
	return columns > WIDTH_MIN ? columns : WIDTH_MIN;
}

/* --- the story --- */

/* A word, and a "%" that belongs to it. */
static size_t word_length(const char *text)
{
	size_t length = strcspn(text, " ");
	while (text[length] == ' ' && text[length + 1] == '%')
		length += 1 + strcspn(text + length + 1, " ");
	return length;
}

/* Goes on in `column`, and breaks lines between words; those that follow are indented. A word
 * without room loses its middle. */
static void add_wrapped(rg_buf *out, const char *text, size_t column, size_t hanging)
{
	size_t width = width_of_terminal();
	rg_buf word;

	rg_buf_init(&word, RG_BUF_TEXT);
	while (*text) {
		size_t length = word_length(text);
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
	rg_buf_release(&word);
}

static void print_wrapped(const char *text, const char *color)
{
	rg_buf out;
	rg_buf_init(&out, RG_BUF_TEXT);
	add_wrapped(&out, text, 0, HANGING);
	fprintf(stderr, "%s%s%s\n", color, out.data, *color ? plain : "");
	rg_buf_release(&out);
}

static void count_questions(rg_buf *out, const review *r)
{
	size_t fresh = 0;
	for (size_t i = 0; i < r->count; i++)
		fresh += r->questions[i].item->change == RG_PLAN_NEW;
	rg_buf_printf(out, "%zu golden%s to review", r->count, r->count == 1 ? "" : "s");
	if (fresh)
		rg_buf_printf(out, ", %zu of them new", fresh);
	if (r->held)
		rg_buf_printf(out, ", %zu held back", r->held);
}

/* What nobody can let through. */
static void show_stuck(const review *r)
{
	size_t shown = 0;
	for (size_t i = 0; i < r->plan->count && shown < STUCK_SHOWN && shown < r->stuck; i++) {
		const rg_plan_item *item = &r->plan->items[i];
		if (!review_is_stuck(item))
			continue;
		fputs("cannot go in: ", stderr);
		terminal_print_safe(stderr, item->golden->target);
		fputc('\n', stderr);
		update_print_findings(item, false, stderr);
		shown++;
	}
	if (shown < r->stuck)
		fprintf(stderr, "cannot go in: %zu more\n", r->stuck - shown);
}

/* Of the bottom line, what changes and what stands out: what was done and what is next is this
 * review. */
void review_show_story(const review *r, bool color)
{
	static const rg_line_kind kinds[] = {RG_LINE_LOSSES, RG_LINE_SHAPE, RG_LINE_APART,
					     RG_LINE_CHANGED, RG_LINE_CHECKS};
	rg_buf first;

	rg_buf_init(&first, RG_BUF_TEXT);
	count_questions(&first, r);
	print_wrapped(first.data, color ? bold : "");
	rg_buf_release(&first);
	show_stuck(r);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (r->story.lines[kinds[i]])
			print_wrapped(r->story.lines[kinds[i]], "");
}

/* --- one golden --- */

static void say_size(rg_buf *out, const rg_story_row *r)
{
	if (r->members > 1)
		rg_buf_printf(out, "%zu of %zu differ, at worst: ", r->changed, r->members);
	if (r->apart)
		rg_story_say_apart(out, r);
	else
		rg_story_say_row(out, r->row, &r->policy);
}

static void say_why(rg_buf *out, const rg_story_row *r)
{
	rg_buf reason;
	rg_buf_init(&reason, RG_BUF_TEXT);
	rg_review_row_reason(&reason, r->row, &r->policy);
	if (reason.length)
		rg_buf_printf(out, " (%s)", reason.data);
	rg_buf_release(&reason);
}

static void print_row(const rg_story_row *r, bool color)
{
	const char *mark = r->apart || r->looked_at ? "  *" : "   ";
	rg_buf text, line;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_init(&line, RG_BUF_TEXT);
	rg_text_shorten(&text, r->metric, strlen(r->metric), width_of_terminal() - ROW_HANGING);
	rg_buf_str(&text, ": ");
	say_size(&text, r);
	say_why(&text, r);
	rg_buf_str(&line, mark);
	add_wrapped(&line, text.data, strlen(mark), ROW_HANGING);
	color &= mark[2] == '*';
	fprintf(stderr, "%s%s%s\n", color ? red : "", line.data, color ? plain : "");
	rg_buf_release(&line);
	rg_buf_release(&text);
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
			print_row(row, color);
		else
			more++;
	}
	if (more)
		fprintf(stderr, "    %zu more metric%s (s shows all)\n", more,
			more == 1 ? " differs" : "s differ");
}

/* How many go along with it, where it is not alone. */
static void offer_group(const review *r, const review_question *q)
{
	size_t count = 0;
	for (size_t i = 0; i < r->count && !q->item->held; i++)
		count += !r->questions[i].decided && !r->questions[i].item->held &&
			 review_is_group(&r->questions[i], q);
	if (count > 1)
		fprintf(stderr, "    g puts in all %zu of its stage and variant\n", count);
}

/* The name is whole where a line has room for it: it is what tells two goldens apart. */
static void print_heading(const review *r, size_t place, bool color)
{
	const review_question *q = &r->questions[place];
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_printf(&text, "(%zu of %zu) ", place + 1, r->count);
	rg_test_name_add(&text, q->item->golden->target, &r->columns);
	rg_buf_str(&text, q->item->change == RG_PLAN_NEW ? ", new" : ", changed");
	if (q->item->held)
		rg_buf_str(&text, ", held back; y lets it through");
	fputc('\n', stderr);
	print_wrapped(text.data, color ? bold : "");
	rg_buf_release(&text);
}

rg_error *review_show_question(const review *r, size_t place, bool color)
{
	const review_question *q = &r->questions[place];
	print_heading(r, place, color);
	if (q->worst) {
		update_print_findings(q->item, false, stderr);
		print_rows(r, q, color);
	} else {
		RG_TRY(update_print_item(r->plan, q->item, ROWS_SHOWN, stderr));
	}
	offer_group(r, q);
	return NULL;
}

/* What holds it back, or changes most; of a new golden the first. */
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

	terminal_print_safe(stderr, q->item->golden->target);
	fputc('\n', stderr);
	RG_TRY(update_print_item(r->plan, q->item, 0, stderr));
	return metric ? values_show(r->plan, q->item, metric) : NULL;
}

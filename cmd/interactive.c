/* SPDX-License-Identifier: Apache-2.0 */
#include "interactive.h"

#include "base/nearest.h"
#include "keys.h"
#include "review.h"
#include "terminal.h"
#include "values_show.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What a name that is typed gets of the line, at least. */
enum { NAME_ROOM = 32 };

/* How a question was before an answer, for undo. */
typedef struct {
	size_t question, answer; /* an answer may decide several */
	size_t asked;            /* the question that it was given to */
	bool decided, skipped, left_out;
} change;

typedef struct {
	review review;
	bool color;
	change *changes;
	size_t change_count, change_capacity, answers;
} session;

static const char prompt[] = "take this golden [y,n,a,d,A,D,b,u,s,t,m,r,c,q,?]? ";

static const char help[] = "y - take this golden\n"
			   "n - leave it out\n"
			   "a - take it and all that follow\n"
			   "d - leave out it and all that follow\n"
			   "A - take all of its stage and variant that are undecided\n"
			   "D - leave all of those out\n"
			   "t - take all of its test that are undecided\n"
			   "m - take all whose worst metric is the same\n"
			   "s - skip it for now; it is asked again at the end\n"
			   "b - go back to the one before\n"
			   "u - undo the last answer\n"
			   "r - show its path and all rows\n"
			   "c - show the values of a metric\n"
			   "q - stop; nothing is changed\n"
			   "? - show this help\n";

/* --- answers, and back --- */

static rg_error *keep(session *s, size_t asked, size_t question)
{
	const review_question *q = &s->review.questions[question];

	RG_TRY(rg_grow(&s->changes, &s->change_capacity, s->change_count + 1, sizeof(*s->changes)));
	s->changes[s->change_count++] = (change){
		.question = question,
		.answer = s->answers,
		.asked = asked,
		.decided = q->decided,
		.skipped = q->skipped,
		.left_out = q->item->left_out,
	};
	return NULL;
}

static rg_error *decide(session *s, size_t asked, size_t question, bool take)
{
	review_question *q = &s->review.questions[question];

	RG_TRY(keep(s, asked, question));
	q->decided = true;
	q->item->left_out = !take;
	return NULL;
}

/* The second time it is left out. */
static rg_error *skip(session *s, size_t place)
{
	review_question *q = &s->review.questions[place];

	if (q->decided)
		return NULL;
	if (q->skipped)
		return decide(s, place, place, false);
	RG_TRY(keep(s, place, place));
	q->skipped = true;
	return NULL;
}

static bool go_back(size_t *place)
{
	if (!*place) {
		fputs("this is the first one\n", stderr);
		return false;
	}
	(*place)--;
	return true;
}

static bool undo(session *s, size_t *place)
{
	size_t answer;

	if (!s->change_count) {
		fputs("there is no answer to undo\n", stderr);
		return false;
	}
	answer = s->changes[s->change_count - 1].answer;
	while (s->change_count && s->changes[s->change_count - 1].answer == answer) {
		const change *last = &s->changes[--s->change_count];
		review_question *q = &s->review.questions[last->question];

		q->decided = last->decided;
		q->skipped = last->skipped;
		q->item->left_out = last->left_out;
		*place = last->asked;
	}
	return true;
}

/* --- several at once --- */

static bool is_same_metric(const review_question *a, const review_question *b)
{
	return a->worst && b->worst && !strcmp(a->worst->row->metric, b->worst->row->metric);
}

static bool fits(const review_question *q, const review_question *other, char key)
{
	switch (key) {
	case 't':
		return !strcmp(q->item->test, other->item->test);
	case 'm':
		return is_same_metric(q, other);
	case 'A':
	case 'D':
		return review_is_cohort(q, other);
	default:
		return true;
	}
}

/* Decides the question and what is undecided and goes with it; *any: it has something that others
 * could share with it. */
static rg_error *decide_several(session *s, size_t place, char key, bool *any)
{
	review_question *questions = s->review.questions;
	bool take = key != 'd' && key != 'D';
	size_t i, count = 0;

	*any = fits(&questions[place], &questions[place], key);
	if (!*any) {
		fputs(key == 'm' ? "no metric changes here\n"
				 : "its path does not name a stage and a variant\n",
		      stderr);
		return NULL;
	}
	for (i = 0; i < s->review.count; i++)
		if (i == place ||
		    (!questions[i].decided && fits(&questions[place], &questions[i], key))) {
			RG_TRY(decide(s, place, i, take));
			count++;
		}
	fprintf(stderr, "%zu %s\n", count, take ? "taken" : "left out");
	return NULL;
}

/* --- a metric's values --- */

static void say_unknown(const rg_plan_item *item, const char *name)
{
	rg_nearest nearest;
	size_t i;

	rg_nearest_init(&nearest, name);
	for (i = 0; i < item->metric_count; i++)
		rg_nearest_offer(&nearest, item->metrics[i].name);
	fputs("no metric '", stderr);
	terminal_print_safe(stderr, name);
	fputs("' here", stderr);
	if (rg_nearest_name(&nearest)) {
		fputs("; did you mean '", stderr);
		terminal_print_safe(stderr, rg_nearest_name(&nearest));
		fputs("'?", stderr);
	}
	fputc('\n', stderr);
}

static bool has_metric(const rg_plan_item *item, const char *name)
{
	size_t i;

	for (i = 0; i < item->metric_count; i++)
		if (!strcmp(item->metrics[i].name, name))
			return true;
	return false;
}

static rg_error *input_ended(void)
{
	return rg_error_new(RG_E_CANCELLED,
			    "the input ended before the review did; nothing is changed");
}

static rg_error *read_name(char *line, size_t size)
{
	rg_error *err;
	bool end;

	err = terminal_read_line(line, size, &end);
	if (err || end)
		fputc('\n', stderr);
	return !err && end ? input_ended() : err;
}

/* Asks for the name; without one, of the worst metric. */
static rg_error *show_metric(const session *s, size_t place)
{
	const review_question *q = &s->review.questions[place];
	const char *worst = q->worst ? q->worst->row->metric : NULL, *name;
	char line[4096];

	fputs("metric", stderr);
	if (worst) {
		fputs(" [", stderr);
		terminal_print_shortened(stderr, worst, NAME_ROOM);
		fputc(']', stderr);
	}
	fputs(": ", stderr);
	RG_TRY(read_name(line, sizeof(line)));
	name = *line ? line : worst;
	if (!name)
		fputs("no metric changes here\n", stderr);
	else if (!has_metric(q->item, name))
		say_unknown(q->item, name);
	else
		return values_show(s->review.plan, q->item, name);
	return NULL;
}

/* --- the questions --- */

/* The first undecided one that follows; what was skipped comes at the end. `count`: there is none.
 */
static size_t next_of(const review *r, size_t place)
{
	size_t i;

	for (i = 1; i <= r->count; i++)
		if (!r->questions[(place + i) % r->count].decided)
			return (place + i) % r->count;
	return r->count;
}

/* Answers that decide; *decided: the review moves on. */
static rg_error *decide_by(session *s, char key, size_t place, bool *decided)
{
	*decided = true;
	s->answers++;
	switch (key) {
	case 'y':
	case 'n':
		return decide(s, place, place, key == 'y');
	case 's':
		return skip(s, place);
	default:
		return decide_several(s, place, key, decided);
	}
}

/* Does what the key says; *place is what is asked next, and *again says that nothing but the
 * question itself is to be shown of it. */
static rg_error *act(session *s, char key, size_t *place, bool *again)
{
	bool decided;

	*again = true;
	switch (key) {
	case 'b':
		*again = !go_back(place);
		return NULL;
	case 'u':
		*again = !undo(s, place);
		return NULL;
	case 'r':
		return review_show_all(&s->review, *place);
	case 'c':
		return show_metric(s, *place);
	case 'q':
		return rg_error_new(RG_E_CANCELLED, "the review was stopped; nothing is changed");
	case '?':
		fputs(help, stderr);
		return NULL;
	}
	if (!key || !strchr("ynstmaAdD", key)) {
		fputs(help, stderr);
		return NULL;
	}
	RG_TRY(decide_by(s, key, *place, &decided));
	if (decided)
		*place = next_of(&s->review, *place);
	*again = !decided;
	return NULL;
}

static rg_error *read_key(char *key)
{
	bool end;

	RG_TRY(keys_read(prompt, key, &end));
	if (end)
		return input_ended();
	/* Capitals are as good, where they have no meaning of their own. */
	if (!strchr("AD", *key))
		*key = (char)tolower((unsigned char)*key);
	return NULL;
}

static rg_error *ask_all(session *s)
{
	size_t place = 0;
	bool again = false;
	char key;

	if (!s->review.count)
		return NULL;
	review_show_story(&s->review, s->color);
	keys_forget();
	while (place < s->review.count) {
		if (!again)
			RG_TRY(review_show_question(&s->review, place, s->color));
		RG_TRY(read_key(&key));
		RG_TRY(act(s, key, &place, &again));
	}
	return NULL;
}

rg_error *interactive_check(void)
{
	return terminal_is_interactive() ? NULL : usage_error("--interactive needs a terminal");
}

rg_error *interactive_review(const command_context *context, rg_plan *plan)
{
	session s = {.color = terminal_use_color(context->common->color, stderr)};
	rg_error *err;

	RG_TRY(interactive_check());
	err = review_make(&s.review, plan, context->flow.config);
	if (!err)
		err = ask_all(&s);
	free(s.changes);
	review_release(&s.review);
	return err;
}

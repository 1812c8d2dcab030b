/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "compare/checks_apply.h"
#include "compare/losses.h"
#include "report/story_parts.h"

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void add_head(rg_story *story, rg_head_kind kind, rg_buf *text)
{
	if (text->length)
		story->heads[story->head_count++] = (rg_head){kind, rg_story_keep(story, text)};
}

/* Metrics that differ where no step counts have no row. */
static rg_head_kind say_looks(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	const size_t rows = c->row_count;
	size_t gaps = 0, fresh = 0, unread = 0;
	for (size_t i = 0; i < story->row_count; i++)
		gaps += story->rows[i].row->gap != RG_GAP_NONE &&
			story->rows[i].row->gap != RG_GAP_NEW_ONLY && story->rows[i].looked_at;
	for (size_t i = 0; i < c->gap_count; i++)
		fresh += c->gaps[i].gap == RG_GAP_NEW_ONLY;
	for (size_t i = 0; i < c->file_count; i++)
		unread += c->files[i].unread != NULL;
	const struct {
		size_t n;
		const char *what, *after;
	} others[] = {{gaps, "metric", " without a row"},
		      {unread, "partly read golden", ""},
		      {c->new_files, "new golden", ""},
		      {fresh, "new metric", ""}};
	if (story->looks)
		rg_buf_printf(out, "look at %zu of %zu row%s", story->looks, rows, plural(rows));
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (others[i].n)
			rg_buf_printf(out, "%s%zu %s%s%s", out->length ? " and " : "look at ",
				      others[i].n, others[i].what, plural(others[i].n),
				      others[i].after);
	if (out->length)
		return RG_HEAD_LOOK;
	if (rows)
		rg_buf_printf(out, "no row of %zu needs a look", rows);
	return RG_HEAD_GOOD;
}

/* Has it values that are not finite any more? */
static bool is_broken(const rg_comparison *c, const rg_file_outcome *file)
{
	size_t count = 0;
	for (size_t i = 0; i < file->row_count; i++)
		count += c->rows[file->first_row + i].left_out.new_nonfinite;
	for (size_t i = 0; i < file->gap_count; i++)
		count += c->gaps[file->first_gap + i].left_out.new_nonfinite;
	return count;
}

static void say_broken(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	size_t fails = 0, broken = 0;

	for (size_t i = 0; i < c->row_count; i++)
		fails += story->places[i].look == RG_LOOK_FAILS;
	for (size_t i = 0; i < c->file_count; i++)
		broken += is_broken(c, &c->files[i]);
	if (fails)
		rg_buf_printf(out, "%zu over a fail level%s", fails, broken ? ", " : "");
	if (broken)
		rg_buf_printf(out, "%zu golden%s not finite any more", broken,
			      broken == 1 ? " is" : "s are");
}

/* What checks with a tolerance say; of a project without one, what the others do. */
static rg_head_kind say_check_head(rg_buf *out, const rg_comparison *c)
{
	bool exact = true, fails = false;
	for (size_t i = 0; c->checks && i < c->checks->count; i++)
		exact &= c->checks->items[i].exact || !rg_checks_count_goldens(c, i).applied;
	for (size_t i = 0; c->checks && i < c->checks->count; i++) {
		const rg_checks_count count = rg_checks_count_goldens(c, i);
		if (c->checks->items[i].exact != exact || !count.applied)
			continue;
		rg_buf_str(out, out->length ? ", " : "");
		if (count.fails)
			rg_buf_printf(out, "%zu of %zu golden%s fail%s %s", count.fails,
				      count.applied, plural(count.applied),
				      count.applied == 1 ? "s" : "", c->checks->items[i].name);
		else
			rg_buf_printf(out, "%zu of %zu golden%s pass%s %s", count.applied,
				      count.applied, plural(count.applied),
				      count.applied == 1 ? "es" : "", c->checks->items[i].name);
		fails |= count.fails > 0;
	}
	return fails ? RG_HEAD_BAD : RG_HEAD_GOOD;
}

static rg_head_kind say_noise(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	static const struct {
		rg_head_kind kind;
		const char *text;
	} answers[RG_ANSWERS] = {
		[RG_ANSWER_NOISE] = {RG_HEAD_GOOD, "the run is as the measured ones are"},
		[RG_ANSWER_CHANGED] = {RG_HEAD_BAD, "the run is not as the measured ones are"},
		[RG_ANSWER_OPEN] = {RG_HEAD_QUIET, "too few measured runs to tell noise"},
	};
	size_t i = 0;

	rg_buf_str(out, answers[c->run.fresh.answer].text ? answers[c->run.fresh.answer].text : "");
	if (out->length || !story->row_count)
		return answers[c->run.fresh.answer].kind;
	while (i < c->row_count && c->rows[i].verdict.kind == RG_VERDICT_NONE)
		i++;
	rg_buf_str(out, i < c->row_count ? "noise measured" : "noise not measured");
	return RG_HEAD_QUIET;
}

/* What of the goldens is not there to be told of. */
static void say_left(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	const rg_refresh *refresh = story->summary->refresh;
	const struct {
		size_t n;
		const char *what;
	} parts[] = {
		{refresh ? refresh->counts[RG_REFRESH_HELD] : 0, "held back"},
		{refresh ? refresh->counts[RG_REFRESH_MISSING] : 0, "missing"},
		{c->unreadable, "unreadable"},
		{c->flawed, "new with findings"},
		{c->removed, "removed"},
	};
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (parts[i].n)
			rg_buf_printf(out, "%s%zu %s", out->length ? ", " : "", parts[i].n,
				      parts[i].what);
}

void rg_story_add_heads(rg_story *story)
{
	enum { HEADS = 8 };
	const rg_comparison *c = story->summary->comparison;
	rg_losses losses = {0};
	rg_head_kind kind;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_ANY);
	story->heads = rg_calloc(HEADS, sizeof(*story->heads));
	kind = say_looks(&text, story);
	add_head(story, kind, &text);
	say_broken(&text, story);
	add_head(story, RG_HEAD_BAD, &text);
	rg_losses_find(&losses, c);
	if (losses.count) {
		rg_buf_str(&text, "lost ");
		rg_losses_say(&text, &losses);
	}
	rg_losses_release(&losses);
	add_head(story, RG_HEAD_BAD, &text);
	rg_test_counts_say(&text, &story->summary->tests);
	kind = story->summary->tests.newly_failing || story->summary->tests.worse ? RG_HEAD_BAD
										  : RG_HEAD_LOOK;
	add_head(story, kind, &text);
	kind = say_check_head(&text, c);
	add_head(story, kind, &text);
	say_left(&text, story);
	add_head(story, RG_HEAD_LOOK, &text);
	kind = say_noise(&text, story);
	add_head(story, kind, &text);
	rg_buf_release(&text);
}

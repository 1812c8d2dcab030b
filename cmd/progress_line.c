/* SPDX-License-Identifier: Apache-2.0 */
#include "progress_line.h"

#include "base/number.h"
#include "base/shorten.h"
#include "net/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	PART_SIZE = 96,
	SIZE_COLUMNS = 10, /* "1023.9 KiB" */
	NAME_MIN = 10,     /* columns: less of a name says nothing */
};

/* A line that is being filled. */
typedef struct {
	rg_buf *out;
	size_t left; /* columns */
	bool full;
} line_space;

/* Adds a part as a whole, or nothing from there on. */
static void add_part(line_space *l, const char *text)
{
	size_t length = strlen(text);
	l->full |= length > l->left;
	if (l->full)
		return;
	rg_buf_add(l->out, text, length);
	l->left -= length;
}

/* Adds LEAD and as much of a name as fits. */
static void add_name(line_space *l, const char *lead, const char *name)
{
	size_t length = strlen(lead);
	l->full |= length + NAME_MIN > l->left;
	if (l->full)
		return;
	rg_buf_str(l->out, lead);
	l->left -= length;
	l->left -= rg_text_shorten(l->out, name, strlen(name), l->left);
}

static void add_wait(line_space *l, const progress_facts *facts, const char *lead)
{
	char text[PART_SIZE], time[RG_DURATION_TEXT];
	rg_duration_text(facts->waiting_seconds, time);
	snprintf(text, sizeof(text), "%swaiting %s: ", lead, time);
	add_name(l, text, facts->waiting);
}

/* As coarse as a guess is; "" before there is anything to guess from. Bytes would mislead: of most
 * artifacts few are moved. */
static void time_left(char *out, size_t size, const progress_facts *facts)
{
	const rg_progress_state *state = &facts->state;
	out[0] = '\0';
	if (!state->done || state->done >= state->total || facts->seconds <= 0)
		return;
	double seconds = facts->seconds / (double)state->done *
			 (double)(state->total - state->done);
	if (seconds < 60)
		snprintf(out, size, "%.0f s left", floor(seconds) + 1);
	else if (seconds < 3600)
		snprintf(out, size, "%.0f min left", seconds / 60);
	else if (seconds < 360000)
		snprintf(out, size, "%.1f h left", seconds / 3600);
}

static void add_figures(line_space *l, const progress_facts *facts)
{
	char text[PART_SIZE], moved[RG_SIZE_TEXT], total[RG_SIZE_TEXT], rate[RG_SIZE_TEXT];
	rg_size_text(facts->state.bytes_moved, moved);
	rg_size_text(facts->state.bytes_total, total);
	rg_size_text((uint64_t)facts->rate, rate);
	snprintf(text, sizeof(text), ", %*s of %s", SIZE_COLUMNS, moved, total);
	add_part(l, text);
	snprintf(text, sizeof(text), ", %*s/s", SIZE_COLUMNS, rate);
	add_part(l, text);
	time_left(moved, sizeof(moved), facts);
	if (!*moved)
		return;
	snprintf(text, sizeof(text), ", %*s", SIZE_COLUMNS, moved);
	add_part(l, text);
}

size_t progress_line(rg_buf *out, const progress_facts *facts, size_t width)
{
	const rg_progress_state *state = &facts->state;
	line_space l = {.out = out, .left = width};
	char text[PART_SIZE], total[24];

	if (!state->total) {
		if (facts->waiting)
			add_wait(&l, facts, "");
		else if (state->current)
			add_name(&l, "waiting for ", state->current);
		return width - l.left;
	}
	int digits = snprintf(total, sizeof(total), "%llu", (unsigned long long)state->total);
	snprintf(text, sizeof(text), "%*llu of %s artifacts", digits,
		 (unsigned long long)state->done, total);
	add_part(&l, text);
	if (facts->waiting)
		add_wait(&l, facts, ", ");
	add_figures(&l, facts);
	if (!facts->waiting && state->current && state->done < state->total)
		add_name(&l, ", ", state->current);
	return width - l.left;
}

void progress_plain_line(rg_buf *out, const rg_progress_state *state)
{
	char moved[RG_SIZE_TEXT], total[RG_SIZE_TEXT];
	rg_size_text(state->bytes_moved, moved);
	rg_size_text(state->bytes_total, total);
	rg_buf_printf(out, "%llu of %llu artifacts, %s of %s moved",
		      (unsigned long long)state->done, (unsigned long long)state->total, moved,
		      total);
}

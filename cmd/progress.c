/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include "base/memory.h"
#include "terminal.h"

#include "base/number.h"
#include "base/shorten.h"
#include "base/thread.h"
#include "base/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the line ---- */

/* The facts of a transfer's line. */
typedef struct {
	rg_progress_state state; /* total 0: not known yet; `current` is then what is asked for */
	double rate;             /* bytes a second */
	double seconds;          /* since the first artifact was begun */
	const char *waiting;     /* for what, or NULL; it may come from outside */
	double waiting_seconds;  /* for how much longer */
} progress_facts;

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

/* Appends a part as a whole, or nothing from there on. */
static void append_part(line_space *l, const char *text)
{
	size_t length = strlen(text);
	l->full |= length > l->left;
	if (l->full)
		return;
	rg_buf_add(l->out, text, length);
	l->left -= length;
}

/* Appends LEAD and as much of a name as fits. */
static void append_name(line_space *l, const char *lead, const char *name)
{
	size_t length = strlen(lead);
	l->full |= length + NAME_MIN > l->left;
	if (l->full)
		return;
	rg_buf_str(l->out, lead);
	l->left -= length;
	l->left -= rg_text_shorten(l->out, name, strlen(name), l->left);
}

static void append_wait(line_space *l, const progress_facts *facts, const char *lead)
{
	char text[PART_SIZE], time[RG_DURATION_TEXT];
	rg_duration_text(facts->waiting_seconds, time);
	snprintf(text, sizeof(text), "%swaiting %s: ", lead, time);
	append_name(l, text, facts->waiting);
}

/* Is as coarse as a guess is; "" before there is anything to guess from. Bytes would mislead: of
 * most artifacts few are moved. */
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

static void append_figures(line_space *l, const progress_facts *facts)
{
	char text[PART_SIZE], moved[RG_SIZE_TEXT], total[RG_SIZE_TEXT], rate[RG_SIZE_TEXT];
	rg_size_text(facts->state.bytes_moved, moved);
	rg_size_text(facts->state.bytes_total, total);
	rg_size_text((uint64_t)facts->rate, rate);
	snprintf(text, sizeof(text), ", %*s of %s", SIZE_COLUMNS, moved, total);
	append_part(l, text);
	snprintf(text, sizeof(text), ", %*s/s", SIZE_COLUMNS, rate);
	append_part(l, text);
	time_left(moved, sizeof(moved), facts);
	snprintf(text, sizeof(text), ", %*s", SIZE_COLUMNS, moved);
	if (*moved)
		append_part(l, text);
}

/*
 * Appends the line in at most `width` columns: how far it is, what it waits for, bytes, rate and
 * time left, and what is under way. Figures keep their places from one line to the next; what does
 * not fit is left out from the end. Appends nothing if there is nothing to say. Returns the columns
 * that it took.
 */
static size_t progress_line(rg_buf *out, const progress_facts *facts, size_t width)
{
	const rg_progress_state *state = &facts->state;
	line_space l = {.out = out, .left = width};
	char text[PART_SIZE], total[24];

	if (!state->total) {
		if (facts->waiting)
			append_wait(&l, facts, "");
		else if (state->current)
			append_name(&l, "waiting for ", state->current);
		return width - l.left;
	}
	int digits = snprintf(total, sizeof(total), "%llu", (unsigned long long)state->total);
	snprintf(text, sizeof(text), "%*llu of %s artifacts", digits,
		 (unsigned long long)state->done, total);
	append_part(&l, text);
	if (facts->waiting)
		append_wait(&l, facts, ", ");
	append_figures(&l, facts);
	if (!facts->waiting && state->current && state->done < state->total)
		append_name(&l, ", ", state->current);
	return width - l.left;
}

enum { LINE_MAX_COLUMNS = 240, LINE_BYTES = 4096 };
/* Seconds between two redraws, between two plain lines, what the rate is taken over, and the
 * shortest wait that is shown: the pacing of requests would flicker. */
static const double redraw_every = 0.2, line_every = 10, rate_over = 1, wait_shown = 1;
/* The weight of a new rate beside those before. */
static const double rate_weight = 0.3;

struct progress_display {
	command_context *context;
	rg_log log;           /* context's own */
	rg_progress progress; /* its own, too */
	bool terminal;
	pthread_t thread;
	pthread_mutex_t lock; /* for all that follows */
	pthread_cond_t wake;
	bool ended;
	rg_progress_state state;
	char *current; /* owned copy of state.current */
	char waiting[96];
	double waiting_until;
	double rate, rate_at; /* bytes a second, and when it was taken */
	uint64_t rate_bytes;
	double begun_at; /* when it was first known how much there is to do */
	rg_buf line;     /* on the screen; empty: none is */
	size_t drawn;    /* its columns */
	size_t columns;  /* of the window that it was made for */
	double line_at;
};

static size_t columns_now(void)
{
	size_t columns = terminal_columns(stderr);
	return columns && columns < LINE_MAX_COLUMNS ? columns : LINE_MAX_COLUMNS;
}

/* Takes the line away. A window that was made narrower has broken it into several rows. */
static void erase(progress_display *d)
{
	if (!d->drawn)
		return;
	size_t columns = columns_now();
	for (size_t rows = (d->drawn - 1) / columns; rows; rows--)
		fputs("\x1b[A", stderr);
	fputs("\r\x1b[J", stderr);
	d->drawn = 0;
	rg_buf_clear(&d->line);
}

/* Evened out, so that it can be read: a store sends in bursts. */
static void measure_rate(progress_display *d, double now)
{
	double span = now - d->rate_at, rate;
	if (span < rate_over && d->rate_bytes)
		return;
	if (span > 0) {
		rate = (double)(d->state.bytes_moved - d->rate_bytes) / span;
		d->rate = d->rate > 0 ? d->rate + (rate - d->rate) * rate_weight : rate;
	}
	d->rate_at = now;
	d->rate_bytes = d->state.bytes_moved;
}

static progress_facts facts_now(const progress_display *d, double now)
{
	progress_facts facts = {.state = d->state, .rate = d->rate, .seconds = now - d->begun_at};
	facts.state.current = d->current;
	if (d->waiting_until > now) {
		facts.waiting = d->waiting;
		facts.waiting_seconds = d->waiting_until - now;
	}
	return facts;
}

/* Writes the line over the one before, in one piece; a line that says the same stays. */
static void draw(progress_display *d, double now)
{
	size_t columns = columns_now();
	RG_AUTO(rg_buf) line = rg_buf_of(LINE_BYTES);

	measure_rate(d, now);
	progress_facts facts = facts_now(d, now);
	size_t taken = progress_line(&line, &facts, columns - 1);
	if (columns == d->columns && !strcmp(line.data, d->line.data))
		return;
	erase(d);
	rg_buf_clear(&d->line);
	rg_buf_add(&d->line, line.data, line.length);
	fwrite(line.data, 1, line.length, stderr);
	fflush(stderr);
	d->drawn = taken;
	d->columns = columns;
}

static void print_line(progress_display *d, double now)
{
	RG_AUTO(rg_buf) line = rg_buf_of(LINE_BYTES);
	if (now - d->line_at < line_every)
		return;
	d->line_at = now;
	/* The line where there is no terminal: "3 of 8 artifacts, 1.0 MiB of 63.0 MiB moved". */
	char moved[RG_SIZE_TEXT], total[RG_SIZE_TEXT];
	rg_size_text(d->state.bytes_moved, moved);
	rg_size_text(d->state.bytes_total, total);
	rg_buf_printf(&line, "%llu of %llu artifacts, %s of %s moved",
		      (unsigned long long)d->state.done, (unsigned long long)d->state.total, moved,
		      total);
	rg_log_say(&d->log, RG_LOG_INFO, "%s", line.data);
}

static void *tick(void *context)
{
	progress_display *d = context;
	pthread_mutex_lock(&d->lock);
	while (!d->ended) {
		double now = rg_clock_monotonic();
		if (d->terminal)
			draw(d, now);
		else if (d->state.total)
			print_line(d, now);
		rg_condition_wait(&d->wake, &d->lock, now + redraw_every);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

static void on_update(void *context, const rg_progress_state *state)
{
	progress_display *d = context;
	pthread_mutex_lock(&d->lock);
	if (!state->current || !d->current || strcmp(state->current, d->current) != 0) {
		free(d->current);
		d->current = state->current ? rg_strdup(state->current) : NULL;
	}
	if (!state->total) { /* another transfer may follow */
		d->rate_bytes = 0;
		d->rate = 0;
	} else if (!d->state.total) {
		d->begun_at = rg_clock_monotonic();
	}
	d->state = *state;
	d->state.current = NULL;          /* borrowed for the call alone */
	if (d->terminal && !state->total) /* what it waits for now, it says at once */
		draw(d, rg_clock_monotonic());
	pthread_mutex_unlock(&d->lock);
}

static void on_log(void *context, rg_log_level level, const char *text)
{
	progress_display *d = context;
	if (!terminal_shows(level))
		return; /* and the line stays */
	pthread_mutex_lock(&d->lock);
	erase(d);
	d->log.write(d->log.context, level, text);
	pthread_mutex_unlock(&d->lock);
}

/* If several workers wait side by side, the last to go on counts: one that has waited does not end
 * the others' wait. */
static void on_waiting(void *display, const char *why, double seconds)
{
	progress_display *d = display;
	double now = rg_clock_monotonic(), until = now + seconds;

	pthread_mutex_lock(&d->lock);
	if (why && seconds >= wait_shown && until > d->waiting_until) {
		d->waiting_until = until;
		snprintf(d->waiting, sizeof(d->waiting), "%s", why);
		if (d->terminal)
			draw(d, now);
	}
	pthread_mutex_unlock(&d->lock);
}

rg_error *progress_open(progress_display **out, command_context *context)
{
	const char *term = getenv("TERM");
	progress_display *d = rg_calloc(1, sizeof(*d));

	*out = NULL;
	rg_buf_init(&d->line, LINE_BYTES);
	rg_error *err = rg_condition_init(&d->wake);
	if (err) {
		free(d);
		return err;
	}
	d->context = context;
	d->log = context->flow.log;
	d->progress = context->flow.progress;
	d->terminal = !context->common->quiet && isatty(STDERR_FILENO) && term &&
		      strcmp(term, "dumb");
	d->rate_at = d->line_at = rg_clock_monotonic();
	pthread_mutex_init(&d->lock, NULL);
	if (pthread_create(&d->thread, NULL, tick, d))
		rg_out_of_memory();
	context->flow.log = (rg_log){on_log, d};
	context->flow.progress = (rg_progress){on_update, d, on_waiting};
	*out = d;
	return NULL;
}

void progress_close(progress_display *display)
{
	if (!display)
		return;
	pthread_mutex_lock(&display->lock);
	display->ended = true;
	pthread_cond_signal(&display->wake);
	pthread_mutex_unlock(&display->lock);
	pthread_join(display->thread, NULL);
	erase(display);
	fflush(stderr);
	display->context->flow.log = display->log;
	display->context->flow.progress = display->progress;
	pthread_cond_destroy(&display->wake);
	pthread_mutex_destroy(&display->lock);
	rg_buf_release(&display->line);
	free(display->current);
	free(display);
}

rg_error *progress_end(progress_display *display, rg_error *err)
{
	progress_close(display);
	return err;
}

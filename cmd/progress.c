/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include "terminal.h"

#include "base/number.h"
#include "base/thread.h"
#include "net/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_MAX_COLUMNS = 240, COLUMNS_DEFAULT = 80 };
/* Seconds between two redraws, between two plain lines, and what the rate is taken over. */
static const double redraw_every = 0.2, line_every = 10, rate_over = 1;

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
	size_t drawn; /* characters of the line on the screen */
	double line_at;
};

static size_t columns_now(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return COLUMNS_DEFAULT;
	return size.ws_col < LINE_MAX_COLUMNS ? size.ws_col : LINE_MAX_COLUMNS;
}

/* Takes the line away. A window that was made narrower has broken it into several rows. */
static void erase(progress_display *d)
{
	size_t columns, rows;

	if (!d->drawn)
		return;
	columns = columns_now();
	for (rows = (d->drawn - 1) / columns; rows; rows--)
		fputs("\x1b[A", stderr);
	fputs("\r\x1b[J", stderr);
	d->drawn = 0;
}

static void measure_rate(progress_display *d, double now)
{
	double span = now - d->rate_at;

	if (span < rate_over && d->rate_bytes)
		return;
	if (span > 0)
		d->rate = (double)(d->state.bytes_moved - d->rate_bytes) / span;
	d->rate_at = now;
	d->rate_bytes = d->state.bytes_moved;
}

static int counts(const progress_display *d, char *line, size_t size)
{
	char moved[RG_SIZE_TEXT], total[RG_SIZE_TEXT];

	rg_size_text(d->state.bytes_moved, moved);
	rg_size_text(d->state.bytes_total, total);
	return snprintf(line, size, "%llu of %llu artifacts, %s of %s moved",
			(unsigned long long)d->state.done, (unsigned long long)d->state.total,
			moved, total);
}

/* The line, in plain ASCII so that every character is one column. */
static size_t format_line(const progress_display *d, char *line, size_t size, double now)
{
	int length = counts(d, line, size);
	char rate[RG_SIZE_TEXT], wait[RG_DURATION_TEXT];
	char *p;

	rg_size_text((uint64_t)d->rate, rate);
	length += snprintf(line + length, size - (size_t)length, ", %s/s", rate);
	if (d->waiting_until > now) {
		rg_duration_text(d->waiting_until - now, wait);
		snprintf(line + length, size - (size_t)length, ", waiting %s: %s", wait,
			 d->waiting);
	} else if (d->current && d->state.done < d->state.total) {
		snprintf(line + length, size - (size_t)length, ", %s", d->current);
	}
	for (p = line; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return strlen(line);
}

static void draw(progress_display *d, double now)
{
	char line[512];
	size_t length, columns = columns_now();

	measure_rate(d, now);
	length = format_line(d, line, sizeof(line), now);
	if (length > columns - 1)
		length = columns - 1;
	erase(d);
	fwrite(line, 1, length, stderr);
	fflush(stderr);
	d->drawn = length;
}

static void print_line(progress_display *d, double now)
{
	char line[128];

	if (now - d->line_at < line_every)
		return;
	d->line_at = now;
	counts(d, line, sizeof(line));
	rg_log_say(&d->log, RG_LOG_INFO, "%s", line);
}

static void *tick(void *context)
{
	progress_display *d = context;

	pthread_mutex_lock(&d->lock);
	while (!d->ended) {
		double now = rg_clock_monotonic();

		if (d->state.total && d->terminal)
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
	if (state->current && (!d->current || strcmp(state->current, d->current) != 0)) {
		free(d->current);
		d->current = strdup(state->current);
	}
	if (!state->total) { /* another transfer may follow */
		erase(d);
		d->rate_bytes = 0;
		d->rate = 0;
	}
	d->state = *state;
	d->state.current = NULL; /* borrowed for the call alone */
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

static void on_waiting(void *display, const char *why, double seconds)
{
	progress_display *d = display;

	pthread_mutex_lock(&d->lock);
	d->waiting_until = why ? rg_clock_monotonic() + seconds : 0;
	snprintf(d->waiting, sizeof(d->waiting), "%s", why ? why : "");
	pthread_mutex_unlock(&d->lock);
}

rg_error *progress_open(progress_display **out, command_context *context)
{
	const char *term = getenv("TERM");
	progress_display *d = calloc(1, sizeof(*d));
	rg_error *err;

	*out = NULL;
	if (!d)
		return rg_error_nomem();
	err = rg_condition_init(&d->wake);
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
	if (pthread_create(&d->thread, NULL, tick, d)) {
		pthread_cond_destroy(&d->wake);
		pthread_mutex_destroy(&d->lock);
		free(d);
		return rg_error_nomem();
	}
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
	free(display->current);
	free(display);
}

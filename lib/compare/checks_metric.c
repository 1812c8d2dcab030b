/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/checks_metric.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 512 };

/* --- values --- */

/* One side, read in ascending positions. */
typedef struct {
	const rg_metric *metric;
	size_t at;           /* the position at hand */
	size_t base, filled; /* what of it is in the window */
	size_t next_quoted;  /* among metric->quoted */
	double window[WINDOW];
} reader;

static void reader_init(reader *r, const rg_metric *metric)
{
	r->metric = metric;
	r->at = r->base = r->filled = r->next_quoted = 0;
}

static rg_error *value_at_hand(reader *r, double *out)
{
	const rg_metric *m = r->metric;
	*out = NAN;
	while (r->next_quoted < m->quoted_count && m->quoted[r->next_quoted] < r->at)
		r->next_quoted++;
	if (r->next_quoted < m->quoted_count && m->quoted[r->next_quoted] == r->at) {
		*out = INFINITY;
		return NULL;
	}
	if (m->kind == RG_METRIC_TOKENS) {
		*out = (double)m->tokens[r->at];
		return NULL;
	}
	if (r->at >= r->base + r->filled) {
		r->base = r->at;
		r->filled = m->count - r->at < WINDOW ? m->count - r->at : WINDOW;
		RG_TRY(rg_metric_read(m, r->base, r->filled, r->window));
	}
	*out = r->window[r->at - r->base];
	return NULL;
}

/* --- rounding --- */

/* Rounds to the nearest decimal; a value exactly between two becomes the even one. */
static double round_decimals(double value, int decimals)
{
	double power = 1;

	/* From 2^53 on there are no fractions. */
	if (decimals < 0 || !isfinite(value) || fabs(value) >= 9007199254740992.0)
		return value;
	for (int i = 0; i < decimals; i++)
		power *= 10; /* exact up to 10^22 */
	const double scaled = value * power, whole = rint(scaled);
	/* Near the middle the product's own rounding could decide: the digits are asked then. */
	if (fabs(scaled) < 4503599627370496.0 && fabs(fabs(scaled - whole) - 0.5) > 1e-3 &&
	    fabs(scaled) < 1e12)
		return whole / power;
	return rg_double_round_decimals(value, decimals);
}

/* --- the check_state --- */

bool rg_checks_limits_are_exact(const rg_checks_limits *limits)
{
	/* A rule's tolerances are its first two parameters. */
	const double *p = limits->parameters;
	return limits->rtol == 0 && limits->atol == 0 && !(fabs(p[0]) > 0) && !(p[1] > 0);
}

/* A check that is being made. */
typedef struct {
	const rg_checks_limits *limits;
	int decimals;
	int64_t first, last; /* the window */
	bool finite_only;    /* there is one */
	size_t most;         /* steps */
	size_t steps, failed;
	double *old_values, *new_values; /* of an aggregate; else NULL */
	reader old, fresh;
} check_state;

static bool is_close(const rg_checks_limits *limits, double old, double fresh)
{
	if (old == fresh)
		return true;
	return isfinite(old) && isfinite(fresh) &&
	       fabs(fresh - old) <= limits->atol + limits->rtol * fabs(old);
}

static rg_error *walk(check_state *c)
{
	const rg_metric *m = c->old.metric, *new_metric = c->fresh.metric;
	c->steps = c->failed = 0;
	for (; c->old.at < m->count && c->steps < c->most; c->old.at++) {
		int64_t step = rg_metric_step(m, c->old.at);
		double old, fresh;

		if (c->finite_only && step > c->last)
			break;
		RG_TRY(value_at_hand(&c->old, &old));
		if (c->finite_only && (!isfinite(old) || step < c->first))
			continue;
		/* A step that the new side lacks is +inf there, as a placeholder is. */
		fresh = INFINITY;
		while (c->fresh.at < new_metric->count &&
		       rg_metric_step(new_metric, c->fresh.at) < step)
			c->fresh.at++;
		if (c->fresh.at < new_metric->count &&
		    rg_metric_step(new_metric, c->fresh.at) == step)
			RG_TRY(value_at_hand(&c->fresh, &fresh));
		old = round_decimals(old, c->decimals);
		fresh = round_decimals(fresh, c->decimals);
		if (c->old_values) {
			c->old_values[c->steps] = old;
			c->new_values[c->steps] = fresh;
		}
		c->steps++;
		c->failed += !is_close(c->limits, old, fresh);
	}
	return NULL;
}

/* Chooses by the old side's last finite step; *out is NULL if there is none, or no window fits. */
static rg_error *choose_window(const rg_checks_limits *limits, const rg_metric *old,
			       const rg_checks_window **out)
{
	bool any = false;
	int64_t last = 0;
	size_t i = 0;
	reader r;

	*out = NULL;
	for (reader_init(&r, old); r.at < old->count; r.at++) {
		double value;
		RG_TRY(value_at_hand(&r, &value));
		if (!isfinite(value))
			continue;
		last = rg_metric_step(old, r.at);
		any = true;
	}
	while (i < limits->window_count && last > limits->windows[i].up_to)
		i++;
	if (any && i < limits->window_count)
		*out = &limits->windows[i];
	return NULL;
}

static void begin(check_state *c, const rg_metric *old, const rg_metric *fresh)
{
	reader_init(&c->old, old);
	reader_init(&c->fresh, fresh);
}

static rg_error *walk_window(check_state *c, const rg_metric *old, const rg_metric *fresh)
{
	const rg_checks_window *window;
	RG_TRY(choose_window(c->limits, old, &window));
	if (!window)
		return NULL;
	c->finite_only = true;
	c->first = window->first;
	c->last = window->last;
	begin(c, old, fresh);
	RG_TRY(walk(c));
	if (c->steps || !c->limits->fallback)
		return NULL;
	c->last = INT64_MAX;
	c->most = c->limits->fallback;
	begin(c, old, fresh);
	return walk(c);
}

static double aggregate(rg_aggregate kind, double *values, size_t count)
{
	double sum = 0, most = values[0];
	for (size_t i = 0; i < count; i++) {
		if (isnan(values[i]))
			return NAN;
		sum += values[i];
		most = fmax(most, values[i]);
	}
	return kind == RG_AGGREGATE_MEAN     ? sum / (double)count
	       : kind == RG_AGGREGATE_MEDIAN ? rg_median(values, count)
					     : most;
}

/* How many of `steps` may fail; the share is in percent, so 1 % of 300 is 3. */
static size_t allowed_outliers(const rg_checks_limits *limits, size_t steps)
{
	double share = floor((double)steps * limits->outlier_share / 100);
	size_t most = limits->outlier_max;

	if (steps < 2)
		return 0;
	if (limits->outlier_share == 0)
		return most;
	share = share < 1 ? 1 : share;
	return share < (double)most ? (size_t)share : most;
}

static rg_error *check_values(rg_checks_result *out, const rg_checks_limits *limits,
			      const rg_metric *old, const rg_metric *fresh)
{
	const bool by_figure = limits->aggregate != RG_AGGREGATE_NONE;
	RG_AUTO_FREE double *was = by_figure ? rg_calloc(old->count, sizeof(*was)) : NULL;
	RG_AUTO_FREE double *is = by_figure ? rg_calloc(old->count, sizeof(*is)) : NULL;
	RG_AUTO_FREE check_state *c = rg_calloc(1, sizeof(*c));

	c->limits = limits;
	c->most = SIZE_MAX;
	c->decimals = limits->decimals;
	if (rg_checks_limits_are_exact(limits) && old->precision == RG_PRECISION_FULL)
		c->decimals = -1;
	c->old_values = was;
	c->new_values = is;
	begin(c, old, fresh);
	RG_TRY(limits->window_count ? walk_window(c, old, fresh) : walk(c));
	out->steps = c->steps;
	if (!c->steps)
		return NULL;
	if (by_figure) {
		double before = aggregate(limits->aggregate, was, c->steps);
		double after = aggregate(limits->aggregate, is, c->steps);

		out->passes = is_close(limits, before, after);
		out->off = fabs(rg_ratio(after - before, after, before, before));
		return NULL;
	}
	out->failed = c->failed;
	out->allowed = allowed_outliers(limits, c->steps);
	out->passes = out->failed <= out->allowed;
	return NULL;
}

/* Compares the texts of the old side's records. */
static bool are_texts_equal(const rg_metric *old, const rg_metric *fresh)
{
	size_t k = 0;
	for (size_t i = 0; i < old->text_count; i++) {
		while (k < fresh->text_count && fresh->texts[k].step < old->texts[i].step)
			k++;
		if (k == fresh->text_count || fresh->texts[k].step != old->texts[i].step ||
		    strcmp(old->texts[i].text, fresh->texts[k].text) != 0)
			return false;
	}
	return true;
}

rg_error *rg_checks_metric(rg_checks_result *out, const rg_checks_limits *limits,
			   const rg_metric *old, const rg_metric *fresh)
{
	*out = (rg_checks_result){.off = NAN};
	if (!old || !fresh || old->kind != fresh->kind)
		return NULL;
	if (!old->count && !fresh->count) {
		out->passes = true;
		return NULL;
	}
	if (old->kind == RG_METRIC_SERIES || old->kind == RG_METRIC_TOKENS)
		return old->count ? check_values(out, limits, old, fresh) : NULL;
	out->passes = old->kind == RG_METRIC_TEXTS
			      ? are_texts_equal(old, fresh)
			      : old->count == fresh->count &&
					!memcmp(old->text, fresh->text, old->count);
	return NULL;
}

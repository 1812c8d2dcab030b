/* SPDX-License-Identifier: Apache-2.0 */
#include "report/svg_strips.h"

#include "report/html_text.h"
#include "report/svg.h"

#include <math.h>

/* In the figure's own units. Zeros are at ZERO, the scale is from LEFT to WIDTH - RIGHT. */
enum { WIDTH = 480, ZERO = 10, LEFT = 54, RIGHT = 18, STRIP = 36, NAME = 13, LINE = 24, AXIS = 34 };
/* Columns of a name; orders of magnitude of the scale, below which all is drawn at its left end. */
enum { NAME_MAX = 66, DECADES = 12, TICKS = 6 };

/* The orders of magnitude that the scale goes from and to. */
typedef struct {
	double low, high;
} scale;

static void take_in(scale *s, double value)
{
	if (!(value > 0) || isinf(value))
		return;
	s->low = fmin(s->low, floor(log10(value)));
	s->high = fmax(s->high, ceil(log10(value)));
}

static scale scale_of(const rg_svg_strip *strips, size_t count)
{
	scale s = {INFINITY, -INFINITY};
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < strips[i].count; k++)
			take_in(&s, strips[i].values[k]);
		take_in(&s, strips[i].limit);
	}
	if (s.low > s.high)
		s = (scale){-1, 0};
	s.low = fmax(fmin(s.low, s.high - 1), s.high - DECADES);
	return s;
}

/* Of a value's logarithm. */
static double place_power(const scale *s, double power)
{
	double at = fmin(fmax(power, s->low), s->high);
	return LEFT + (WIDTH - LEFT - RIGHT) * ((at - s->low) / (s->high - s->low));
}

static double place(const scale *s, double value)
{
	return value == 0 ? ZERO : place_power(s, log10(value));
}

/* The values of one kind as a path of dots: lines without length with round ends. */
static void add_dots(rg_buf *out, const scale *s, const rg_svg_strip *strip, double y, bool odd)
{
	size_t count = 0;
	for (size_t i = 0; i < strip->count; i++) {
		if (isnan(strip->values[i]) || strip->odd[i] != odd)
			continue;
		if (!count++)
			rg_buf_printf(out, "<path class=\"%s\" d=\"", odd ? "odd" : "dots");
		rg_buf_printf(out, "M%.1f %.0fh0", place(s, strip->values[i]), y);
	}
	if (count)
		rg_buf_str(out, "\"/>\n");
}

static void add_name(rg_buf *out, const rg_svg_strip *strip, double y)
{
	if (*strip->link)
		rg_buf_printf(out, "<a href=\"#%s\">", strip->link);
	rg_buf_printf(out, "<text x=\"%d\" y=\"%.0f\">", 0, y);
	rg_svg_name_add(out, strip->name, NAME_MAX);
	rg_buf_str(out, *strip->link ? "</text></a>\n" : "</text>\n");
}

static void add_strip(rg_buf *out, const scale *s, const rg_svg_strip *strip, double top)
{
	double y = top + LINE;
	rg_buf_printf(out, "<g data-of=\"%s\">\n", strip->link);
	add_name(out, strip, top + NAME);
	rg_buf_printf(out, "<line class=\"grid\" x1=\"0\" y1=\"%.0f\" x2=\"%d\" y2=\"%.0f\"/>\n", y,
		      WIDTH, y);
	if (strip->limit > 0)
		rg_buf_printf(out,
			      "<line class=\"limit\" x1=\"%.1f\" y1=\"%.0f\" x2=\"%.1f\" "
			      "y2=\"%.0f\"/>\n",
			      place(s, strip->limit), y - 7, place(s, strip->limit), y + 7);
	add_dots(out, s, strip, y, false);
	add_dots(out, s, strip, y, true);
	rg_buf_str(out, "</g>\n");
}

static void add_axis(rg_buf *out, const scale *s, const char *label, double top)
{
	int low = (int)s->low, high = (int)s->high, step = (high - low + TICKS - 1) / TICKS;
	rg_buf_printf(out,
		      "<text class=\"tick\" x=\"%d\" y=\"%.0f\" text-anchor=\"middle\">0</text>\n",
		      ZERO, top + 14);
	for (int at = low; at <= high; at += step)
		rg_buf_printf(out,
			      "<text class=\"tick\" x=\"%.1f\" y=\"%.0f\" "
			      "text-anchor=\"middle\">1e%+03d</text>\n",
			      place_power(s, at), top + 14, at);
	rg_buf_printf(out, "<text class=\"label\" x=\"%d\" y=\"%.0f\" text-anchor=\"middle\">",
		      (LEFT + WIDTH - RIGHT) / 2, top + 30);
	rg_html_str(out, label);
	rg_buf_str(out, "</text>\n");
}

void rg_svg_strips_write(rg_buf *out, const char *title, const char *label,
			 const rg_svg_strip *strips, size_t count)
{
	scale s = scale_of(strips, count);
	/* No role of an image: there are links in it. */
	rg_buf_printf(out,
		      "<svg class=\"sizes\" viewBox=\"0 0 %d %zu\" role=\"group\" aria-label=\"",
		      WIDTH, count * STRIP + AXIS);
	rg_html_str(out, title);
	rg_buf_str(out, "\">\n");
	for (size_t i = 0; i < count; i++)
		add_strip(out, &s, &strips[i], (double)(i * STRIP));
	add_axis(out, &s, label, (double)(count * STRIP));
	rg_buf_str(out, "</svg>\n");
}

/* --- a trend --- */

enum { TREND_HEIGHT = 20, TREND_STEP = 5, TREND_MARGIN = 3 };

static double trend_x(size_t i)
{
	return TREND_MARGIN + (double)i * TREND_STEP;
}

/* The range of what does not stand out, unless that is one value or none. */
static void measure_trend(double range[static 2], const double *values, const bool *odd,
			  size_t count, bool all)
{
	range[0] = INFINITY;
	range[1] = -INFINITY;
	for (size_t i = 0; i < count; i++)
		if (isfinite(values[i]) && (all || !odd[i])) {
			range[0] = fmin(range[0], values[i]);
			range[1] = fmax(range[1], values[i]);
		}
	if (!all && !(range[0] < range[1]))
		measure_trend(range, values, odd, count, true);
}

/* What is beyond the range is at its edge. Halves first: the range of two huge values is not a
 * double. */
static double trend_y(const double range[static 2], double value)
{
	double share = 0.5;
	if (range[1] > range[0])
		share = (value / 2 - range[0] / 2) / (range[1] / 2 - range[0] / 2);
	share = fmin(fmax(share, 0), 1);
	return TREND_HEIGHT - TREND_MARGIN - (TREND_HEIGHT - 2 * TREND_MARGIN) * share;
}

void rg_svg_trend_write(rg_buf *out, const double *values, const bool *odd, size_t count)
{
	bool drawing = false;
	double range[2];

	measure_trend(range, values, odd, count, false);
	rg_buf_printf(out, "<svg class=\"trend\" viewBox=\"0 0 %.0f %d\" aria-hidden=\"true\">",
		      trend_x(count), TREND_HEIGHT);
	rg_buf_str(out, "<path d=\"");
	for (size_t i = 0; i < count; i++) {
		if (isfinite(values[i]))
			rg_buf_printf(out, "%c%.0f %.1f", drawing ? 'L' : 'M', trend_x(i),
				      trend_y(range, values[i]));
		drawing = isfinite(values[i]);
		/* A value between two gaps is a dot. */
		if (drawing && (i + 1 == count || !isfinite(values[i + 1])))
			rg_buf_str(out, "h0");
	}
	rg_buf_str(out, "\"/>");
	for (size_t i = 0; i < count; i++)
		if (odd[i] && isfinite(values[i]))
			rg_buf_printf(out, "<path class=\"odd\" d=\"M%.0f %.1fh0\"/>", trend_x(i),
				      trend_y(range, values[i]));
	rg_buf_str(out, "</svg>");
}

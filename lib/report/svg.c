/* SPDX-License-Identifier: Apache-2.0 */
#include "report/svg.h"

#include "base/shorten.h"
#include "report/html_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A plot in its own units; the page scales it. */
enum { WIDTH = 480, HEIGHT = 210, LEFT = 86, RIGHT = 12, TOP = 28, BOTTOM = 38 };
/* Columns of a name at the axis, and of one that leaves room for another in the middle; signs
 * beside the axis, more than which are narrowed to so many units. */
enum { NAME_TICK = 20, SHORT_TICK = 14, SIDE_TICK = 9, SIDE = 78 };
enum { BAR_HEIGHT = 22, BAR_LEFT = 110, BAR_LENGTH = 300 };

/* Up to the title, after which more may be said before rg_buf_str(out, "\">\n"). */
static void open_figure(rg_buf *out, const char *class_name, int width, size_t height,
			const char *title)
{
	rg_buf_printf(out, "<svg class=\"%s\" viewBox=\"0 0 %d %zu\" role=\"img\" aria-label=\"",
		      class_name, width, height);
	rg_html_str(out, title);
}

void rg_svg_name_add(rg_buf *out, const char *name, size_t width)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_text_shorten(&text, name, strlen(name), width);
	rg_html_text(out, text.data, text.length);
	rg_buf_inherit(out, &text);
	rg_buf_release(&text);
}

/* --- a plot --- */

typedef struct {
	const rg_svg_plot *plot;
	double left, right, low, high; /* the ranges of x (its logarithm with log_x) and y */
} frame;

static double place_x(const frame *f, double x)
{
	double at = f->plot->log_x ? log10(x) : x;
	return LEFT + (WIDTH - LEFT - RIGHT) * ((at - f->left) / (f->right - f->left));
}

/* Halves first: the range of two huge values is not a double. */
static double place_y(const frame *f, double y)
{
	y = fmin(fmax(y, f->low), f->high);
	return HEIGHT - BOTTOM -
	       (HEIGHT - TOP - BOTTOM) * ((y / 2 - f->low / 2) / (f->high / 2 - f->low / 2));
}

static bool is_shown(const frame *f, const rg_svg_point *p)
{
	return isfinite(p->y) && isfinite(p->x) && (!f->plot->log_x || p->x > 0);
}

/* A range of one value is widened, so that it is in the middle. */
static void widen(double *low, double *high, bool whole)
{
	double by = fabs(*low) > 0 && !whole ? fabs(*low) * 0.1 : 1;
	if (*high > *low)
		return;
	*low -= by;
	*high += by;
}

/* False where there is nothing to draw. */
static bool measure(frame *f)
{
	f->left = f->low = INFINITY;
	f->right = f->high = -INFINITY;
	for (size_t i = 0; i < f->plot->line_count; i++)
		for (size_t k = 0; k < f->plot->lines[i].count; k++) {
			const rg_svg_point *p = &f->plot->lines[i].points[k];
			if (!is_shown(f, p))
				continue;
			double x = f->plot->log_x ? log10(p->x) : p->x;
			f->left = fmin(f->left, x);
			f->right = fmax(f->right, x);
			f->low = fmin(f->low, p->y);
			f->high = fmax(f->high, p->y);
		}
	if (!(f->left <= f->right))
		return false;
	if (f->plot->high > f->plot->low) {
		f->low = f->plot->low;
		f->high = f->plot->high;
	}
	if (f->plot->right > f->plot->left) {
		f->left = f->plot->left;
		f->right = f->plot->right;
	}
	widen(&f->left, &f->right, f->plot->whole_x);
	widen(&f->low, &f->high, false);
	return true;
}

void rg_svg_tick(rg_buf *out, double x, double y, const char *anchor, const char *text)
{
	rg_buf_printf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
		      anchor);
	rg_svg_name_add(out, text, NAME_TICK);
	rg_buf_str(out, "</text>\n");
}

/* A value beside the axis. */
static void add_side_tick(rg_buf *out, double y, double value)
{
	int length = snprintf(NULL, 0, "%.6g", value);
	rg_buf_printf(out, "<text class=\"tick\" x=\"%d.0\" y=\"%.1f\" text-anchor=\"end\"",
		      LEFT - 6, y);
	if (length > SIDE_TICK)
		rg_buf_printf(out, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", SIDE);
	rg_buf_printf(out, ">%.6g</text>\n", value);
}

/* The name of a whole x; NULL: it goes by its number. */
static const char *name_of(const rg_svg_plot *plot, double x)
{
	return plot->x_names && x >= 0 && x < (double)plot->x_name_count ? plot->x_names[(size_t)x]
									 : NULL;
}

/* Is there room for a name between those at the ends? */
static bool has_room(const frame *f)
{
	const char *first = name_of(f->plot, f->left), *last = name_of(f->plot, f->right);
	return !first || !last || (strlen(first) <= SHORT_TICK && strlen(last) <= SHORT_TICK);
}

/* The least, the middle or the largest x. Of whole numbers there may be none in the middle. */
static void add_x_tick(rg_buf *out, const frame *f, int i)
{
	static const char *const anchors[] = {"start", "middle", "end"};
	double at = f->left + (f->right - f->left) * (i / 2.0);
	double x = LEFT + (WIDTH - LEFT - RIGHT) * (i / 2.0);

	if (i == 1 && !has_room(f))
		return;
	if (f->plot->whole_x) {
		at = floor(at);
		if (i && !(at > f->left))
			return;
		x = place_x(f, at);
	}
	const char *name = name_of(f->plot, at);
	char number[32];
	snprintf(number, sizeof(number), "%.6g", f->plot->log_x ? pow(10, at) : at);
	rg_svg_tick(out, x, HEIGHT - BOTTOM + 15, anchors[i], name ? name : number);
}

/* Both axes: lines with the least, the middle and the largest value, and what they are. */
static void add_axes(rg_buf *out, const frame *f)
{
	for (int i = 0; i <= 2; i++) {
		double y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (i / 2.0);
		double value = f->low * (1 - i / 2.0) + f->high * (i / 2.0);

		rg_buf_printf(out,
			      "<line class=\"%s\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n",
			      i ? "grid" : "axis", LEFT, y, WIDTH - RIGHT, y);
		add_side_tick(out, y + 4, value);
		add_x_tick(out, f, i);
	}
	rg_buf_printf(out, "<text class=\"label\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
		      LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 6);
	rg_html_str(out, f->plot->x_label);
	rg_buf_printf(out, "</text>\n<text class=\"label\" x=\"%d\" y=\"%d\">", 4, 12);
	rg_html_str(out, f->plot->y_label);
	rg_buf_str(out, "</text>\n");
}

/* The points from `from` on up to one that is not shown; a single one is a dot. Returns the place
 * after them. */
static size_t add_stretch(rg_buf *out, const frame *f, size_t line, size_t from)
{
	const rg_svg_line *l = &f->plot->lines[line];
	size_t end = from;

	while (end < l->count && is_shown(f, &l->points[end]))
		end++;
	if (end == from + 1)
		rg_buf_printf(out, "<circle class=\"line%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
			      line, place_x(f, l->points[from].x), place_y(f, l->points[from].y));
	if (end <= from + 1)
		return end > from ? end : from + 1;
	rg_buf_printf(out, "<polyline class=\"line%zu\" points=\"", line);
	for (size_t i = from; i < end; i++)
		rg_buf_printf(out, "%s%.1f,%.1f", i > from ? " " : "", place_x(f, l->points[i].x),
			      place_y(f, l->points[i].y));
	rg_buf_str(out, "\"/>\n");
	return end;
}

/* A point by itself, and what it is when it is pointed at. */
static void add_dot(rg_buf *out, const frame *f, size_t line, const rg_svg_point *p)
{
	const rg_svg_plot *plot = f->plot;
	rg_buf_printf(out, "<circle class=\"line%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>",
		      line, place_x(f, p->x), place_y(f, p->y));
	const char *name = name_of(plot, p->x);
	if (name)
		rg_html_str(out, name);
	else
		rg_buf_printf(out, "%.6g", p->x);
	rg_buf_printf(out, ": %.8g</title></circle>\n", p->y);
}

static void add_line(rg_buf *out, const frame *f, size_t line)
{
	const rg_svg_line *l = &f->plot->lines[line];
	for (size_t i = 0; !l->dots && i < l->count;)
		i = add_stretch(out, f, line, i);
	for (size_t i = 0; l->dots && i < l->count; i++)
		if (is_shown(f, &l->points[i]))
			add_dot(out, f, line, &l->points[i]);
}

/* --- areas --- */

typedef struct {
	double left, right, top, bottom;
} box;

/* Where it is in the frame; false where it is not in it. */
static bool place_area(const frame *f, const rg_svg_area *area, box *out)
{
	bool log_x = f->plot->log_x;
	double low = log_x ? log10(area->left) : area->left;
	double high = log_x ? log10(area->right) : area->right;

	if (isnan(low) || isnan(high) || isnan(area->low) || isnan(area->high) || low > f->right ||
	    high < f->left || area->low > f->high || area->high < f->low)
		return false;
	*out = (box){.left = low <= f->left ? LEFT : place_x(f, area->left),
		     .right = high >= f->right ? WIDTH - RIGHT : place_x(f, area->right),
		     .top = area->high >= f->high ? TOP : place_y(f, area->high),
		     .bottom = area->low <= f->low ? HEIGHT - BOTTOM : place_y(f, area->low)};
	return true;
}

static void add_area(rg_buf *out, const frame *f, const rg_svg_area *area)
{
	box at;
	if (!place_area(f, area, &at))
		return;
	rg_buf_printf(out,
		      area->left == area->right
			      ? "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
				"y2=\"%.1f\"/>\n"
			      : "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
				"height=\"%.1f\"/>\n",
		      area->class_name, at.left, at.top,
		      area->left == area->right ? at.right : at.right - at.left,
		      area->left == area->right ? at.bottom : at.bottom - at.top);
}

/* Texts of areas that follow each other are a line apart. */
static void add_area_texts(rg_buf *out, const frame *f)
{
	size_t line = 0;
	box at;

	for (size_t i = 0; i < f->plot->area_count; i++) {
		const rg_svg_area *area = &f->plot->areas[i];
		if (!area->text || !place_area(f, area, &at))
			continue;
		bool on_the_right = at.left > (LEFT + WIDTH - RIGHT) / 2.0;
		rg_buf_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%zu\" text-anchor=\"%s\">",
			      area->class_name, on_the_right ? at.left - 4 : at.left + 4,
			      TOP + 10 + line++ % 3 * 14, on_the_right ? "end" : "start");
		rg_html_str(out, area->text);
		rg_buf_str(out, "</text>\n");
	}
}

rg_svg_area rg_svg_line_at(double x, const char *class_name, const char *text)
{
	return (rg_svg_area){x, x, -INFINITY, INFINITY, class_name, text};
}

void rg_svg_plot_write(rg_buf *out, const rg_svg_plot *plot)
{
	frame f = {.plot = plot};
	open_figure(out, "plot", WIDTH, HEIGHT, plot->title);
	rg_buf_str(out, "\">\n");
	if (measure(&f)) {
		add_axes(out, &f);
		for (size_t i = 0; i < plot->area_count; i++)
			add_area(out, &f, &plot->areas[i]);
		for (size_t i = 0; i < plot->line_count; i++)
			add_line(out, &f, i);
		/* Last, so that no curve is over them. */
		add_area_texts(out, &f);
	} else {
		rg_buf_printf(out,
			      "<text class=\"label\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">no "
			      "finite values</text>\n",
			      WIDTH / 2, HEIGHT / 2);
	}
	rg_buf_str(out, "</svg>\n");
}

/* --- bars --- */

void rg_svg_bars_write(rg_buf *out, const char *title, const char *const *names,
		       const size_t *counts, size_t count)
{
	size_t largest = 1;
	for (size_t i = 0; i < count; i++)
		if (counts[i] > largest)
			largest = counts[i];
	open_figure(out, "bars", WIDTH, count * BAR_HEIGHT, title);
	for (size_t i = 0; i < count; i++) {
		rg_buf_str(out, i ? ", " : ": ");
		rg_html_str(out, names[i]);
		rg_buf_printf(out, " %zu", counts[i]);
	}
	rg_buf_str(out, "\">\n");
	for (size_t i = 0; i < count; i++) {
		double length = BAR_LENGTH * ((double)counts[i] / (double)largest);
		size_t y = i * BAR_HEIGHT;

		rg_buf_printf(out, "<text class=\"tick\" x=\"%d\" y=\"%zu\" text-anchor=\"end\">",
			      BAR_LEFT - 8, y + 15);
		rg_html_str(out, names[i]);
		rg_buf_printf(out,
			      "</text>\n<rect class=\"bar\" x=\"%d\" y=\"%zu\" width=\"%.1f\" "
			      "height=\"%d\"/>\n",
			      BAR_LEFT, y + 3, length, BAR_HEIGHT - 6);
		rg_buf_printf(out, "<text class=\"label\" x=\"%.1f\" y=\"%zu\">%zu</text>\n",
			      BAR_LEFT + length + 6, y + 15, counts[i]);
	}
	rg_buf_str(out, "</svg>\n");
}

/* --- strips and trends --- */

/* In the figure's own units. Zeros are at ZERO, the scale is from FIRST to WIDTH - MARGIN. */
enum { ZERO = 10, FIRST = 54, MARGIN = 18, STRIP = 36, NAME = 13, LINE = 24, AXIS = 34 };
/* Columns of a name; orders of magnitude of the scale, below which all is drawn at its left end. */
enum { NAME_MAX = 50, DECADES = 12, TICKS = 6 };

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
	return FIRST + (WIDTH - FIRST - MARGIN) * ((at - s->low) / (s->high - s->low));
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
		      (FIRST + WIDTH - MARGIN) / 2, top + 30);
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

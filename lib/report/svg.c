/* SPDX-License-Identifier: Apache-2.0 */
#include "report/svg.h"

#include "base/shorten.h"
#include "report/html_text.h"

#include <math.h>
#include <string.h>

/* A plot in its own units; the page scales it. */
enum { WIDTH = 480, HEIGHT = 210, LEFT = 86, RIGHT = 12, TOP = 28, BOTTOM = 38 };
enum { NAME_TICK = 20 };
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

static void add_tick(rg_buf *out, double x, double y, const char *anchor, double value)
{
	rg_buf_printf(out,
		      "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%.6g</text>\n",
		      x, y, anchor, value);
}

static void add_name_tick(rg_buf *out, double x, double y, const char *anchor, const char *name)
{
	rg_buf_printf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
		      anchor);
	rg_svg_name_add(out, name, NAME_TICK);
	rg_buf_str(out, "</text>\n");
}

/* The least, the middle or the largest x. Of whole numbers there may be none in the middle. */
static void add_x_tick(rg_buf *out, const frame *f, int i)
{
	static const char *const anchors[] = {"start", "middle", "end"};
	double at = f->left + (f->right - f->left) * (i / 2.0);
	double x = LEFT + (WIDTH - LEFT - RIGHT) * (i / 2.0);

	if (f->plot->whole_x) {
		at = floor(at);
		if (i && !(at > f->left))
			return;
		x = place_x(f, at);
	}
	if (f->plot->x_names && at >= 0 && at < (double)f->plot->x_name_count)
		add_name_tick(out, x, HEIGHT - BOTTOM + 15, anchors[i],
			      f->plot->x_names[(size_t)at]);
	else
		add_tick(out, x, HEIGHT - BOTTOM + 15, anchors[i],
			 f->plot->log_x ? pow(10, at) : at);
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
		add_tick(out, LEFT - 6, y + 4, "end", value);
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
	if (plot->x_names && p->x >= 0 && p->x < (double)plot->x_name_count)
		rg_html_str(out, plot->x_names[(size_t)p->x]);
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

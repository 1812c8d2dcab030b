/* SPDX-License-Identifier: Apache-2.0 */
#include "report/svg.h"

#include "base/shorten.h"
#include "report/html_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A plot in its own units; the page scales it. */
enum { WIDTH = 480, HEIGHT = 220, LEFT = 86, RIGHT = 12, TOP = 38, BOTTOM = 44 };
/* Columns of a name at an axis, and of a record's, of which there are two; signs beside the axis,
 * more than which are narrowed to so many units; what is free above and below the curves. */
enum { NAME_TICK = 20, RECORD_TICK = 16, SIDE_TICK = 9, SIDE = 78, ROOM = 7 };
/* Round numbers at an axis, about. */
enum { TICKS_X = 5, TICKS_Y = 6, TICKS_MAX = 24 };
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
	return HEIGHT - BOTTOM - ROOM -
	       (HEIGHT - TOP - BOTTOM - 2 * ROOM) *
		       ((y / 2 - f->low / 2) / (f->high / 2 - f->low / 2));
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

static void add_tick(rg_buf *out, double x, double y, const char *anchor, const char *text,
		     size_t width)
{
	rg_buf_printf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
		      anchor);
	rg_svg_name_add(out, text, width);
	rg_buf_str(out, "</text>\n");
}

void rg_svg_tick(rg_buf *out, double x, double y, const char *anchor, const char *text)
{
	add_tick(out, x, y, anchor, text, NAME_TICK);
}

/* The distance of round numbers, of which about so many are from low to high; 0: there is none. */
static double tick_step(double low, double high, int about)
{
	const double span = (high / 4 - low / 4) * 4 / about, power = pow(10, floor(log10(span)));
	static const double factors[] = {1, 2, 5, 10};
	size_t i = 0;

	if (!isfinite(span) || !(power > 0))
		return 0;
	while (i < 3 && factors[i] * power < span * 0.999)
		i++;
	return factors[i] * power;
}

/* As many digits as tell a tick from the next one. */
static void tick_text(char out[static 32], double value, double step)
{
	int power = (int)floor(log10(step) + 1e-9);
	int size = value == 0 ? power : (int)floor(log10(fabs(value)) + 1e-9);

	if (value == 0)
		snprintf(out, 32, "0");
	else if (power < -6 || size > 6)
		snprintf(out, 32, "%.*e",
			 size - power > 15 ? 15
			 : size < power    ? 0
					   : size - power,
			 value);
	else
		snprintf(out, 32, "%.*f", power < 0 ? -power : 0, value);
}

/* A value beside the axis, and a line through the frame. */
static void add_side_tick(rg_buf *out, double y, const char *text)
{
	rg_buf_printf(out, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n",
		      LEFT, y, WIDTH - RIGHT, y);
	rg_buf_printf(out, "<text class=\"tick\" x=\"%d.0\" y=\"%.1f\" text-anchor=\"end\"",
		      LEFT - 6, y + 4);
	if (strlen(text) > SIDE_TICK)
		rg_buf_printf(out, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", SIDE);
	rg_buf_printf(out, ">%s</text>\n", text);
}

/* Where there are no round numbers, the ends. */
static void add_side_ticks(rg_buf *out, const frame *f)
{
	const double step = tick_step(f->low, f->high, TICKS_Y), first = ceil(f->low / step);
	char text[32];

	for (int i = 0; step > 0 && i < TICKS_MAX && (first + i) * step <= f->high; i++) {
		tick_text(text, (first + i) * step, step);
		add_side_tick(out, place_y(f, (first + i) * step), text);
	}
	for (int i = 0; !(step > 0) && i < 2; i++) {
		snprintf(text, sizeof(text), "%.6g", i ? f->high : f->low);
		add_side_tick(out, place_y(f, i ? f->high : f->low), text);
	}
}

/* The name of a whole x; NULL: it goes by its number. */
static const char *name_of(const rg_svg_plot *plot, double x)
{
	return plot->x_names && x >= 0 && x < (double)plot->x_name_count ? plot->x_names[(size_t)x]
									 : NULL;
}

static void add_x_tick(rg_buf *out, double x, const char *anchor, const char *text)
{
	add_tick(out, x, HEIGHT - BOTTOM + 17, anchor, text, RECORD_TICK);
}

/* The first and the last, by name. */
static void add_names(rg_buf *out, const frame *f)
{
	const double first = ceil(f->left), last = floor(f->right);
	char text[32];

	for (int i = 0; i < 2 && !(i && last <= first); i++) {
		const char *name = name_of(f->plot, i ? last : first);
		snprintf(text, sizeof(text), "%.6g", i ? last : first);
		add_x_tick(out, place_x(f, i ? last : first), i ? "end" : "start",
			   name ? name : text);
	}
}

/* Round numbers; on a logarithmic axis whole decades. */
static void add_x_ticks(rg_buf *out, const frame *f)
{
	const bool log_x = f->plot->log_x;
	double step = tick_step(f->left, f->right, TICKS_X), x;
	char text[32];

	if (f->plot->whole_x || log_x)
		step = fmax(1, ceil(step));
	const double first = ceil(f->left / step);
	for (int i = 0; i < TICKS_MAX && (first + i) * step <= f->right; i++) {
		x = (first + i) * step;
		if (log_x)
			snprintf(text, sizeof(text), "%g", pow(10, x));
		else
			tick_text(text, x, step);
		add_x_tick(out, place_x(f, log_x ? pow(10, x) : x), "middle", text);
	}
}

static void add_axes(rg_buf *out, const frame *f)
{
	rg_buf_printf(out, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", LEFT, HEIGHT - BOTTOM,
		      WIDTH - RIGHT);
	add_side_ticks(out, f);
	if (f->plot->x_names)
		add_names(out, f);
	else
		add_x_ticks(out, f);
	rg_buf_printf(out, "<text class=\"label\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
		      LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 6);
	rg_html_str(out, f->plot->x_label);
	rg_buf_printf(out, "</text>\n<text class=\"label\" x=\"%d\" y=\"%d\">", 4, 14);
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

/* Arrows at the edge, for what is beyond it. */
static void add_beyond(rg_buf *out, const frame *f, size_t line)
{
	const rg_svg_line *l = &f->plot->lines[line];
	for (size_t i = 0; i < l->count; i++) {
		const rg_svg_point *p = &l->points[i];
		bool over = p->y > f->high;
		if (is_shown(f, p) && (over || p->y < f->low))
			rg_buf_printf(out,
				      "<path class=\"line%zu beyond\" d=\"M%.1f %dh8l-4 %dz\"/>\n",
				      line, place_x(f, p->x) - 4,
				      over ? TOP + 7 : HEIGHT - BOTTOM - 7, over ? -7 : 7);
	}
}

/* Many points by themselves, as a path of lines without length, whose ends are round. */
static void add_dots(rg_buf *out, const frame *f, size_t line)
{
	const rg_svg_line *l = &f->plot->lines[line];
	rg_buf_printf(out, "<path class=\"line%zu dots\" d=\"", line);
	for (size_t i = 0; i < l->count; i++)
		if (is_shown(f, &l->points[i]))
			rg_buf_printf(out, "M%.1f %.1fh0", place_x(f, l->points[i].x),
				      place_y(f, l->points[i].y));
	rg_buf_str(out, "\"/>\n");
}

/* Without an order a line through the points would say what is not so: those of the first two lines
 * that have one x are joined. */
static void add_pairs(rg_buf *out, const frame *f)
{
	const rg_svg_line *a = &f->plot->lines[0], *b = &f->plot->lines[1];
	rg_buf_str(out, "<path class=\"grid\" d=\"");
	for (size_t i = 0, k = 0; i < a->count; i++) {
		while (k < b->count && b->points[k].x < a->points[i].x)
			k++;
		if (k < b->count && b->points[k].x == a->points[i].x &&
		    is_shown(f, &a->points[i]) && is_shown(f, &b->points[k]))
			rg_buf_printf(out, "M%.1f %.1fV%.1f", place_x(f, a->points[i].x),
				      place_y(f, a->points[i].y), place_y(f, b->points[k].y));
	}
	rg_buf_str(out, "\"/>\n");
	add_dots(out, f, 0);
	add_dots(out, f, 1);
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

/* Is it the only one that says something? */
static bool is_alone(const rg_svg_plot *plot)
{
	size_t texts = 0;
	for (size_t i = 0; i < plot->area_count; i++)
		texts += plot->areas[i].text != NULL;
	return texts == 1;
}

/* One text is above the frame, where no curve is; those of areas that follow each other are a line
 * apart. */
static void add_area_texts(rg_buf *out, const frame *f)
{
	const bool alone = is_alone(f->plot);
	size_t line = 0;
	box at;

	for (size_t i = 0; i < f->plot->area_count; i++) {
		const rg_svg_area *area = &f->plot->areas[i];
		if (!area->text || !place_area(f, area, &at))
			continue;
		bool on_the_right = at.left > WIDTH / 2.0; /* of the figure: the larger room */
		rg_buf_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%zu\" text-anchor=\"%s\">",
			      area->class_name, on_the_right ? at.left - 4 : at.left + 4,
			      alone ? (size_t)TOP - 5 : TOP + 12 + line++ % 3 * 16,
			      on_the_right ? "end" : "start");
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
		if (plot->pairs)
			add_pairs(out, &f);
		for (size_t i = 0; i < plot->line_count && !plot->pairs; i++)
			add_line(out, &f, i);
		for (size_t i = 0; i < plot->line_count; i++)
			add_beyond(out, &f, i);
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
static void add_values(rg_buf *out, const scale *s, const rg_svg_strip *strip, double y, bool odd)
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
	add_values(out, s, strip, y, false);
	add_values(out, s, strip, y, true);
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

/* --- signed --- */

/* Zero is in the middle; points that would be in one place are in lanes. What is smaller than the
 * largest by more than so many decades is linear. */
enum { HALF = WIDTH / 2 - 24, STRIP_LINE = 22, STRIP_TICKS = 50, STRIP_HEIGHT = 56 };
enum { BIN = 5, BINS = WIDTH / BIN + 1, LANES = 5, LANE = 6, LINEAR_BELOW = 4, ROOM_TICK = 70 };

/* How far from zero: linear up to the unit, from there on a decade is as far as the next. */
static double signed_place(double value, double unit, double largest)
{
	double share = log10(1 + fabs(value) / unit) / log10(1 + largest / unit);
	return WIDTH / 2.0 + copysign(HALF * fmin(share, 1), value);
}

/* 0 is in the middle, the next ones to both sides of it. */
static double lane_of(unsigned place)
{
	int lane = (int)(place % LANES);
	return (lane % 2 ? lane + 1 : -lane) / 2.0 * LANE;
}

/* A tick at each side of zero; `percent` of one unit in its last place. */
static void add_signed_tick(rg_buf *out, double value, double unit, double largest)
{
	char text[32];
	double x = signed_place(value, unit, largest), width = x - WIDTH / 2.0;

	if (width < ROOM_TICK)
		return;
	for (int sign = -1; sign <= 1; sign += 2) {
		double at = WIDTH / 2.0 + sign * width;
		rg_buf_printf(out, "<path class=\"grid\" d=\"M%.1f 6V38\"/>\n", at);
		snprintf(text, sizeof(text), "%s%g %%", sign < 0 ? "-" : "+", value * 100);
		rg_svg_tick(out, at, STRIP_TICKS, "middle", text);
	}
}

static void add_signed_axis(rg_buf *out, double unit, double largest)
{
	const double top = pow(10, floor(log10(largest) + 1e-9));

	rg_buf_printf(out,
		      "<path class=\"axis\" d=\"M%d 2V42\"/>\n"
		      "<path class=\"grid\" d=\"M4 %dH%d\"/>\n",
		      WIDTH / 2, STRIP_LINE, WIDTH - 4);
	rg_svg_tick(out, WIDTH / 2.0, STRIP_TICKS, "middle", "0");
	if (!(largest > 0))
		return;
	add_signed_tick(out, top, unit, largest);
	/* Where it is far enough from the other one. */
	if (signed_place(top, unit, largest) - signed_place(top / 100, unit, largest) >
	    1.4 * ROOM_TICK)
		add_signed_tick(out, top / 100, unit, largest);
}

static void add_signed_point(rg_buf *out, const rg_svg_signed *p, double x, double y, bool first)
{
	const bool linked = p->link && *p->link;
	rg_buf_printf(out, "<%s class=\"point%s\"", linked ? "a" : "g", p->look ? " look" : "");
	if (linked)
		rg_buf_printf(out, " href=\"#row-%s\"%s", p->link, first ? "" : " tabindex=\"-1\"");
	rg_buf_str(out, "><title>");
	rg_html_str(out, p->title);
	rg_buf_printf(out, " %+.3g %%</title>", p->value * 100);
	if (isinf(p->value))
		rg_buf_printf(out, "<path d=\"M%.1f %dl%d 5v-10z\"/>", x, STRIP_LINE,
			      p->value > 0 ? -8 : 8);
	else
		rg_buf_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>", x, y);
	rg_buf_printf(out, "</%s>\n", linked ? "a" : "g");
}

void rg_svg_signed_write(rg_buf *out, const char *title, const rg_svg_signed *points, size_t count)
{
	unsigned lanes[BINS] = {0};
	double largest = 0, least = INFINITY;

	for (size_t i = 0; i < count; i++) {
		double size = fabs(points[i].value);
		if (size > 0 && isfinite(size)) {
			largest = fmax(largest, size);
			least = fmin(least, size);
		}
	}
	double unit = fmax(fmin(least, largest / 100), largest / pow(10, LINEAR_BELOW));
	rg_buf_printf(out,
		      "<svg class=\"strips\" viewBox=\"0 0 %d %d\" role=\"group\" aria-label=\"",
		      WIDTH, STRIP_HEIGHT);
	rg_html_str(out, title);
	rg_buf_str(out, "\">\n");
	add_signed_axis(out, unit, largest);
	rg_buf_str(out, "<g>\n");
	for (size_t i = 0; i < count; i++) {
		double value = points[i].value, x = WIDTH / 2.0;
		if (isinf(value))
			x = value > 0 ? WIDTH - 2 : 2;
		else if (value != 0)
			x = signed_place(value, unit, largest);
		unsigned taken = lanes[(size_t)(x / BIN)]++;
		add_signed_point(out, &points[i], x, STRIP_LINE + lane_of(taken), !i);
	}
	rg_buf_str(out, "</g>\n</svg>\n");
}

/* --- a trend --- */

enum { TREND_HEIGHT = 20, TREND_STEP = 5, TREND_MARGIN = 3 };

static double trend_x(size_t i)
{
	return TREND_MARGIN + (double)i * TREND_STEP;
}

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
}

void rg_svg_trend_measure(double range[static 2], const double *values, const bool *odd,
			  size_t count)
{
	measure_trend(range, values, odd, count, false);
	if (!(range[0] < range[1]))
		measure_trend(range, values, odd, count, true);
}

/* Halves first: the range of two huge values is not a double. */
double rg_svg_trend_share(const double range[static 2], double value)
{
	double share = 0.5;
	if (range[1] > range[0])
		share = (value / 2 - range[0] / 2) / (range[1] / 2 - range[0] / 2);
	return fmin(fmax(share, 0), 1);
}

static double trend_y(const double range[static 2], double value)
{
	return TREND_HEIGHT - TREND_MARGIN -
	       (TREND_HEIGHT - 2 * TREND_MARGIN) * rg_svg_trend_share(range, value);
}

void rg_svg_trend_write(rg_buf *out, const double *values, const bool *odd, size_t count)
{
	bool drawing = false;
	double range[2];

	rg_svg_trend_measure(range, values, odd, count);
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

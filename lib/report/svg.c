/* SPDX-License-Identifier: Apache-2.0 */
#include "report/svg.h"

#include "base/shorten.h"
#include "report/html_text.h"
#include "report/words.h"

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

/* A name, of which as much is shown as fits `width` columns. */
static void append_name(rg_buf *out, const char *name, size_t width)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_text_shorten(&text, name, strlen(name), width);
	rg_html_text(out, text.data, text.length);
	rg_buf_inherit(out, &text);
}

/* --- a plot --- */

typedef struct {
	const rg_svg_plot *plot;
	double left, right, low, high; /* the ranges of x and y */
} frame;

static double place_x(const frame *f, double x)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * ((x - f->left) / (f->right - f->left));
}

/* Halves first: the range of two huge values is not a double. */
static double place_y(const frame *f, double y)
{
	y = fmin(fmax(y, f->low), f->high);
	return HEIGHT - BOTTOM - ROOM -
	       (HEIGHT - TOP - BOTTOM - 2 * ROOM) *
		       ((y / 2 - f->low / 2) / (f->high / 2 - f->low / 2));
}

static bool is_shown(const rg_svg_point *p)
{
	return isfinite(p->y) && isfinite(p->x);
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
			if (!is_shown(p))
				continue;
			f->left = fmin(f->left, p->x);
			f->right = fmax(f->right, p->x);
			f->low = fmin(f->low, p->y);
			f->high = fmax(f->high, p->y);
		}
	if (!(f->left <= f->right))
		return false;
	if (f->plot->high > f->plot->low) {
		f->low = f->plot->low;
		f->high = f->plot->high;
	}
	widen(&f->left, &f->right, true);
	widen(&f->low, &f->high, false);
	return true;
}

static void write_tick(rg_buf *out, double x, double y, const char *anchor, const char *text,
		       size_t width)
{
	rg_buf_printf(out, "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
		      anchor);
	append_name(out, text, width);
	rg_buf_str(out, "</text>\n");
}

/* A name at an axis. */
static void append_tick(rg_buf *out, double x, double y, const char *anchor, const char *text)
{
	write_tick(out, x, y, anchor, text, NAME_TICK);
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
static void write_side_tick(rg_buf *out, double y, const char *text)
{
	rg_buf_printf(out, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n",
		      LEFT, y, WIDTH - RIGHT, y);
	rg_buf_printf(out, "<text class=\"tick\" x=\"%d.0\" y=\"%.1f\" text-anchor=\"end\"",
		      LEFT - 6, y + 4);
	if (strlen(text) > SIDE_TICK)
		rg_buf_printf(out, " textLength=\"%d\" lengthAdjust=\"spacingAndGlyphs\"", SIDE);
	rg_buf_printf(out, ">%s</text>\n", text);
}

/* Marks round numbers, or the ends if there are none. */
static void write_side_ticks(rg_buf *out, const frame *f)
{
	const double step = tick_step(f->low, f->high, TICKS_Y), first = ceil(f->low / step);
	char text[32];

	for (int i = 0; step > 0 && i < TICKS_MAX && (first + i) * step <= f->high; i++) {
		tick_text(text, (first + i) * step, step);
		write_side_tick(out, place_y(f, (first + i) * step), text);
	}
	for (int i = 0; !(step > 0) && i < 2; i++) {
		snprintf(text, sizeof(text), "%.6g", i ? f->high : f->low);
		write_side_tick(out, place_y(f, i ? f->high : f->low), text);
	}
}

static void write_x_tick(rg_buf *out, double x, const char *anchor, const char *text)
{
	write_tick(out, x, HEIGHT - BOTTOM + 17, anchor, text, RECORD_TICK);
}

/* Round numbers, which are whole. */
static void write_x_ticks(rg_buf *out, const frame *f)
{
	const double step = fmax(1, ceil(tick_step(f->left, f->right, TICKS_X)));
	const double first = ceil(f->left / step);
	char text[32];

	for (int i = 0; i < TICKS_MAX && (first + i) * step <= f->right; i++) {
		tick_text(text, (first + i) * step, step);
		write_x_tick(out, place_x(f, (first + i) * step), "middle", text);
	}
}

static void write_axes(rg_buf *out, const frame *f)
{
	rg_buf_printf(out, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", LEFT, HEIGHT - BOTTOM,
		      WIDTH - RIGHT);
	write_side_ticks(out, f);
	if (f->plot->x_names) {
		/* The first and the last, by name. */
		const double first = ceil(f->left), last = floor(f->right);
		char text[32];

		for (int i = 0; i < 2 && !(i && last <= first); i++) {
			const double x = i ? last : first;
			const bool named = x >= 0 && x < (double)f->plot->x_name_count;
			snprintf(text, sizeof(text), "%.6g", x);
			write_x_tick(out, place_x(f, x), i ? "end" : "start",
				     named ? f->plot->x_names[(size_t)x] : text);
		}
	} else
		write_x_ticks(out, f);
	rg_buf_printf(out, "<text class=\"label\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">",
		      LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 6);
	rg_html_str(out, f->plot->x_label);
	rg_buf_printf(out, "</text>\n<text class=\"label\" x=\"%d\" y=\"%d\">", 4, 14);
	rg_html_str(out, f->plot->y_label);
	rg_buf_str(out, "</text>\n");
}

/* The points from `from` on up to one that is not shown; a single one is a dot. Returns the place
 * after them. */
static size_t write_stretch(rg_buf *out, const frame *f, size_t line, size_t from)
{
	const rg_svg_line *l = &f->plot->lines[line];
	size_t end = from;

	while (end < l->count && is_shown(&l->points[end]))
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

/* Arrows at the edge, for what is beyond it. */
static void write_beyond(rg_buf *out, const frame *f, size_t line)
{
	const rg_svg_line *l = &f->plot->lines[line];
	for (size_t i = 0; i < l->count; i++) {
		const rg_svg_point *p = &l->points[i];
		bool over = p->y > f->high;
		if (is_shown(p) && (over || p->y < f->low))
			rg_buf_printf(out,
				      "<path class=\"line%zu beyond\" d=\"M%.1f %dh8l-4 %dz\"/>\n",
				      line, place_x(f, p->x) - 4,
				      over ? TOP + 7 : HEIGHT - BOTTOM - 7, over ? -7 : 7);
	}
}

/* Many points by themselves, as a path of lines without length, whose ends are round. */
static void write_dots(rg_buf *out, const frame *f, size_t line)
{
	const rg_svg_line *l = &f->plot->lines[line];
	rg_buf_printf(out, "<path class=\"line%zu dots\" d=\"", line);
	for (size_t i = 0; i < l->count; i++)
		if (is_shown(&l->points[i]))
			rg_buf_printf(out, "M%.1f %.1fh0", place_x(f, l->points[i].x),
				      place_y(f, l->points[i].y));
	rg_buf_str(out, "\"/>\n");
}

/* Without an order a line through the points would say what is not so: those of the first two lines
 * that have one x are joined. */
static void write_pairs(rg_buf *out, const frame *f)
{
	const rg_svg_line *a = &f->plot->lines[0], *b = &f->plot->lines[1];
	rg_buf_str(out, "<path class=\"grid\" d=\"");
	for (size_t i = 0, k = 0; i < a->count; i++) {
		while (k < b->count && b->points[k].x < a->points[i].x)
			k++;
		if (k < b->count && b->points[k].x == a->points[i].x && is_shown(&a->points[i]) &&
		    is_shown(&b->points[k]))
			rg_buf_printf(out, "M%.1f %.1fV%.1f", place_x(f, a->points[i].x),
				      place_y(f, a->points[i].y), place_y(f, b->points[k].y));
	}
	rg_buf_str(out, "\"/>\n");
	write_dots(out, f, 0);
	write_dots(out, f, 1);
}

/* A line over the whole height, with its text above the frame, where no curve is. */
static void write_mark(rg_buf *out, const frame *f)
{
	const double x = f->plot->mark_x;
	if (!f->plot->mark || !(x >= f->left && x <= f->right))
		return;
	const bool on_the_right = place_x(f, x) > WIDTH / 2.0; /* the larger room */
	rg_buf_printf(out, "<line class=\"mark\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n",
		      place_x(f, x), TOP, place_x(f, x), HEIGHT - BOTTOM);
	rg_buf_printf(out, "<text class=\"mark\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">",
		      place_x(f, x) + (on_the_right ? -4 : 4), TOP - 5,
		      on_the_right ? "end" : "start");
	rg_html_str(out, f->plot->mark);
	rg_buf_str(out, "</text>\n");
}

void rg_svg_plot_write(rg_buf *out, const rg_svg_plot *plot)
{
	frame f = {.plot = plot};
	rg_buf_printf(out, "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
		      WIDTH, HEIGHT);
	rg_html_str(out, plot->title);
	rg_buf_str(out, "\">\n");
	if (measure(&f)) {
		write_axes(out, &f);
		write_mark(out, &f);
		if (plot->pairs)
			write_pairs(out, &f);
		for (size_t i = 0; i < plot->line_count && !plot->pairs; i++) {
			for (size_t k = 0; k < plot->lines[i].count;)
				k = write_stretch(out, &f, i, k);
		}
		for (size_t i = 0; i < plot->line_count; i++)
			write_beyond(out, &f, i);
	} else {
		rg_buf_printf(out,
			      "<text class=\"label\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">no "
			      "finite values</text>\n",
			      WIDTH / 2, HEIGHT / 2);
	}
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

/* A tick at each side of zero; `percent` of one unit in its last place. */
static void write_signed_tick(rg_buf *out, double value, double unit, double largest)
{
	double x = signed_place(value, unit, largest), width = x - WIDTH / 2.0;

	if (width < ROOM_TICK)
		return;
	for (int sign = -1; sign <= 1; sign += 2) {
		double at = WIDTH / 2.0 + sign * width;
		rg_buf_printf(out, "<path class=\"grid\" d=\"M%.1f 6V38\"/>\n", at);
		RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
		rg_say_change(&text, sign * value);
		append_tick(out, at, STRIP_TICKS, "middle", text.data);
		rg_buf_inherit(out, &text);
	}
}

static void write_signed_axis(rg_buf *out, double unit, double largest)
{
	const double top = pow(10, floor(log10(largest) + 1e-9));

	rg_buf_printf(out,
		      "<path class=\"axis\" d=\"M%d 2V42\"/>\n"
		      "<path class=\"grid\" d=\"M4 %dH%d\"/>\n",
		      WIDTH / 2, STRIP_LINE, WIDTH - 4);
	append_tick(out, WIDTH / 2.0, STRIP_TICKS, "middle", "0");
	if (!(largest > 0))
		return;
	write_signed_tick(out, top, unit, largest);
	/* A second tick has to be far enough from the first. */
	if (signed_place(top, unit, largest) - signed_place(top / 100, unit, largest) >
	    1.4 * ROOM_TICK)
		write_signed_tick(out, top / 100, unit, largest);
}

static void write_signed_point(rg_buf *out, const rg_svg_signed *p, double x, double y, bool first)
{
	const bool linked = p->link && *p->link;
	rg_buf_printf(out, "<%s class=\"point%s\"", linked ? "a" : "g", p->look ? " look" : "");
	if (linked)
		rg_buf_printf(out, " href=\"#row-%s\"%s", p->link, first ? "" : " tabindex=\"-1\"");
	rg_buf_str(out, "><title>");
	rg_html_str(out, p->title);
	rg_buf_char(out, ' ');
	/* A "<" in a title would be markup. */
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_say_change(&text, p->value);
	rg_html_str(out, text.data);
	rg_buf_inherit(out, &text);
	rg_buf_str(out, "</title>");
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
	write_signed_axis(out, unit, largest);
	rg_buf_str(out, "<g>\n");
	for (size_t i = 0; i < count; i++) {
		double value = points[i].value, x = WIDTH / 2.0;
		if (isinf(value))
			x = value > 0 ? WIDTH - 2 : 2;
		else if (value != 0)
			x = signed_place(value, unit, largest);
		unsigned taken = lanes[(size_t)(x / BIN)]++;
		/* 0 is in the middle, the next ones to both sides of it. */
		int lane = (int)(taken % LANES);
		double lane_at = (lane % 2 ? lane + 1 : -lane) / 2.0 * LANE;
		write_signed_point(out, &points[i], x, STRIP_LINE + lane_at, !i);
	}
	rg_buf_str(out, "</g>\n</svg>\n");
}

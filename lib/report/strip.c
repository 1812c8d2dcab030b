/* SPDX-License-Identifier: Apache-2.0 */
#include "report/strip.h"

#include "base/memory.h"
#include "base/json.h"
#include "report/cells.h"
#include "report/html_text.h"
#include "report/svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In units of the figure, which the page scales. Points that would be in one place are in lanes. */
enum { WIDTH = 480, LEFT = 52, RIGHT = 56, TOP = 4, BOTTOM = 34, STRIP = 46, NAME = 60 };
enum { BIN = 4, BINS = WIDTH / BIN + 1, LANES = 5, LANE = 5 };

typedef struct {
	const char *metric; /* NULL: there is no such strip yet */
	size_t zeros;
	bool begun;           /* has a point */
	unsigned lanes[BINS]; /* points so far, by their place */
} strip;

typedef struct {
	rg_buf *out;
	rg_strip_counts *counts;
	strip *strips;
	strip **owners;   /* each row's; NULL where it has none, or no point */
	double low, high; /* whole decades */
} figure;

/* A row's size, as buckets count it; false: it has none. */
static bool size_of(const cJSON *row, double *size)
{
	const cJSON *facts = rg_json_member(row, "facts");
	const cJSON *value = rg_json_member(facts, "max_rel");

	if (!value)
		value = rg_json_member(facts, "avg_rel_diff");
	if (!rg_json_is_number(value, size) || isnan(*size))
		return false;
	*size = fabs(*size);
	return true;
}

static const char *fact(const cJSON *row, const char *name)
{
	const char *text = cJSON_GetStringValue(rg_json_member(rg_json_member(row, "facts"), name));
	return text ? text : "";
}

/* The metric's strip, a new one where there is room; NULL: there is none. */
static strip *strip_of(figure *f, const char *metric)
{
	size_t i;
	for (i = 0; i < RG_STRIPS && f->strips[i].metric; i++)
		if (!strcmp(f->strips[i].metric, metric))
			return &f->strips[i];
	if (i == RG_STRIPS)
		return NULL;
	f->counts->metrics++;
	f->strips[i].metric = metric;
	return &f->strips[i];
}

/* Which strips there are, and from which decade to which. */
static void measure(figure *f, const cJSON *rows)
{
	const cJSON *row;
	double size;

	f->low = INFINITY;
	f->high = -INFINITY;
	cJSON_ArrayForEach(row, rows)
	{
		if (!size_of(row, &size))
			continue;
		if (!strip_of(f, fact(row, "metric"))) {
			f->counts->rows_left_out++;
			continue;
		}
		f->counts->rows++;
		if (!(size > 0) || isinf(size))
			continue;
		f->low = fmin(f->low, floor(log10(size)));
		f->high = fmax(f->high, ceil(log10(size)));
	}
	if (!(f->low <= f->high))
		f->low = f->high = 0;
	if (f->low == f->high)
		f->high++;
}

static double place_of(const figure *f, double size)
{
	if (isinf(size))
		return WIDTH - 14;
	return LEFT + (WIDTH - LEFT - RIGHT) * ((log10(size) - f->low) / (f->high - f->low));
}

static double middle_of(const figure *f, const strip *s)
{
	return TOP + (double)(s - f->strips) * STRIP + 30;
}

/* 0 is in the middle, the next ones to both sides of it. */
static double lane_of(unsigned place)
{
	int lane = (int)(place % LANES);
	return (lane % 2 ? lane + 1 : -lane) / 2.0 * LANE;
}

/* One point of a strip is reached by the tabulator; page.js goes on from there. */
static void add_point(figure *f, strip *s, const cJSON *row, double size)
{
	double x = place_of(f, size);
	unsigned taken = s->lanes[(size_t)(x / BIN)]++;
	char text[RG_FIGURE_SIZE];

	x += (double)(taken / LANES % BIN);
	rg_figure_text(size, text);
	rg_buf_printf(f->out, "<a class=\"point%s\" href=\"#row-%d\"%s><title>",
		      cJSON_IsTrue(rg_json_member(row, "look")) ? " look" : "",
		      rg_json_member(row, "id")->valueint, s->begun ? " tabindex=\"-1\"" : "");
	s->begun = true;
	rg_html_str(f->out, fact(row, "metric"));
	rg_buf_printf(f->out, " %s, ", text);
	rg_html_str(f->out, fact(row, "file"));
	rg_buf_printf(f->out, "</title><circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/></a>\n", x,
		      middle_of(f, s) + lane_of(taken));
}

/* Which strip has which row's point, the first rows first. */
static void share_out(figure *f, const cJSON *rows)
{
	size_t points = 0, i = 0;
	const cJSON *row;
	double size;

	cJSON_ArrayForEach(row, rows)
	{
		strip *s = size_of(row, &size) ? strip_of(f, fact(row, "metric")) : NULL;
		f->owners[i++] = NULL;
		if (s && !(size > 0)) {
			s->zeros++;
		} else if (s && points++ < RG_STRIP_POINTS) {
			f->owners[i - 1] = s;
		} else if (s) {
			f->counts->rows--;
			f->counts->rows_left_out++;
		}
	}
}

static void add_points(figure *f, strip *s, const cJSON *rows)
{
	const cJSON *row;
	size_t i = 0;
	double size;

	rg_buf_str(f->out, "<g>\n");
	cJSON_ArrayForEach(row, rows)
	{
		if (f->owners[i++] == s && size_of(row, &size))
			add_point(f, s, row, size);
	}
	rg_buf_str(f->out, "</g>\n");
}

static void add_tick(rg_buf *out, double x, double y, const char *anchor, const char *text)
{
	rg_buf_printf(out,
		      "<text class=\"tick\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
		      x, y, anchor, text);
}

/* The decades, of which as many have a name as there is room for. */
static void add_axis(const figure *f, double bottom)
{
	int each = (int)ceil((f->high - f->low) / 8);
	char text[32];

	for (int decade = (int)f->low; decade <= (int)f->high; decade += each) {
		double x = place_of(f, pow(10, decade));
		rg_buf_printf(
			f->out,
			"<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x,
			TOP, x, bottom);
		snprintf(text, sizeof(text), "1e%d", decade);
		add_tick(f->out, x, bottom + 14, "middle", text);
	}
	add_tick(f->out, 0, bottom + 14, "start", "= 0");
	add_tick(f->out, WIDTH, bottom + 14, "end", "inf");
}

/* A strip's line, its metric's name above it, and how many rows are of size 0. */
static void add_name(const figure *f, const strip *s)
{
	double middle = middle_of(f, s);
	char zeros[32];

	rg_buf_printf(f->out,
		      "<line class=\"grid\" x1=\"0\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n"
		      "<text x=\"0\" y=\"%.1f\">",
		      middle, WIDTH, middle, middle - 16);
	rg_svg_name_add(f->out, s->metric, NAME);
	rg_buf_str(f->out, "</text>\n");
	snprintf(zeros, sizeof(zeros), "%zu", s->zeros);
	if (s->zeros)
		add_tick(f->out, 0, middle + 12, "start", zeros);
}

static void add_figure(figure *f, const cJSON *rows)
{
	double bottom = TOP + (double)f->counts->metrics * STRIP;
	rg_buf_printf(f->out,
		      "<svg class=\"strips\" viewBox=\"0 0 %d %.0f\" role=\"group\" "
		      "aria-label=\"Rows by metric and size\">\n",
		      WIDTH, bottom + BOTTOM);
	add_axis(f, bottom);
	share_out(f, rows);
	for (size_t i = 0; i < f->counts->metrics; i++) {
		add_name(f, &f->strips[i]);
		add_points(f, &f->strips[i], rows);
	}
	rg_buf_str(f->out, "</svg>\n");
}

void rg_strip_write(rg_buf *out, rg_strip_counts *counts, const cJSON *rows)
{
	size_t row_count = (size_t)cJSON_GetArraySize(rows);
	figure f = {.out = out, .counts = counts};

	*counts = (rg_strip_counts){0};
	f.strips = rg_calloc(RG_STRIPS, sizeof(*f.strips));
	f.owners = rg_calloc(row_count + 1, sizeof(*f.owners));
	if (f.strips && f.owners) {
		measure(&f, rows);
		if (counts->rows)
			add_figure(&f, rows);
	} else {
	}
	free(f.strips);
	free(f.owners);
}

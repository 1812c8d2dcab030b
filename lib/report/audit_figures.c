/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_page.h"

#include "base/memory.h"
#include "base/shorten.h"
#include "report/audit_view.h"
#include "report/svg.h"
#include "report/template_data.h"
#include "report/test_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Figures of all families, and of one; strips of one. */
enum { FIGURES = 36, OF_A_FAMILY = 4, STRIPS = 12 };
/* Columns of a run's name beside a break, and how many breaks, the newest, have room for one. */
enum { RUN_NAME = 15, RUN_NAMES = 3 };
/* A band or a run that stands out widens the frame by so many times what the others take. */
#define WIDER 1.5

static double value_of(const rg_figures *figures, size_t row)
{
	return rg_audit_page_values(figures)[row];
}

/* --- runs in time --- */

typedef struct {
	const rg_audit_page *page;
	const rg_audit_series *series;
	size_t from, count; /* the rows that are shown */
	rg_svg_point *points, *odd;
	const char **names;
	size_t point_count, odd_count;
	rg_svg_area *areas;
	size_t area_count;
	double low, high; /* the frame */
	size_t beyond;
	rg_arena arena;
} runs_figure;

/* Where a run is on the axis: the first row that is not older. */
static double place_of(const runs_figure *f, size_t run)
{
	size_t row = 0;
	while (row < f->series->row_count && f->series->row_runs[row] < run)
		row++;
	return (double)row - (double)f->from;
}

static void add_points(runs_figure *f)
{
	rg_buf name;
	rg_buf_init(&name, RG_BUF_TEXT);
	for (size_t i = 0; i < f->count; i++) {
		size_t row = f->from + i, run = f->series->row_runs[row];
		rg_svg_point point = {(double)i, value_of(&f->series->all, row)};

		if (f->page->odd[run])
			f->odd[f->odd_count++] = point;
		else
			f->points[f->point_count++] = point;
		rg_buf_clear(&name);
		rg_audit_page_name_run(&name, &f->page->build->audit->runs[run]);
		f->names[i] = rg_arena_text(&f->arena, name.data);
	}
	rg_buf_release(&name);
}

/* What the recommended tolerance leaves to the newest regime's runs, around the one in the middle.
 * By step no run whose mean is outside can pass. */
static bool find_band(runs_figure *f, rg_svg_area *out)
{
	const rg_tolerance *tolerance = rg_audit_page_tolerance(f->series);
	const rg_figures *noise = &f->series->noise;
	double *values = rg_calloc(f->series->row_count + 1, sizeof(*values)), centre, half;
	size_t count = 0;

	for (size_t i = 0; tolerance && i < f->series->row_count; i++)
		if (f->series->pooled[i] && isfinite(value_of(noise, i)))
			values[count++] = value_of(noise, i);
	if (count) {
		centre = rg_median(values, count);
		half = tolerance->absolute +
		       tolerance->relative * (noise->figures ? fabs(centre) : noise->magnitude);
		*out = (rg_svg_area){.left = place_of(f, f->series->regime_from) - 0.5,
				     .right = INFINITY,
				     .low = centre - half,
				     .high = centre + half,
				     .class_name = "band"};
	}
	free(values);
	return count && isfinite(out->low) && isfinite(out->high);
}

static void add_band(runs_figure *f)
{
	rg_svg_area band;
	if (find_band(f, &band))
		f->areas[f->area_count++] = band;
}

/* Each break's line, and where else it may be. */
static void add_breaks(runs_figure *f)
{
	const rg_audit_run *runs = f->page->build->audit->runs;
	for (size_t i = 0; i < f->series->break_count; i++) {
		const rg_audit_break *found = &f->series->breaks[i];
		rg_buf name;

		if (found->first != found->last)
			f->areas[f->area_count++] =
				(rg_svg_area){.left = place_of(f, found->first) - 0.5,
					      .right = place_of(f, found->last) - 0.5,
					      .low = -INFINITY,
					      .high = INFINITY,
					      .class_name = "place"};
		rg_buf_init(&name, RG_BUF_TEXT);
		rg_buf_str(&name, "from ");
		rg_text_shorten(&name, runs[found->at].id,
				(size_t)rg_audit_name_length(runs[found->at].id), RUN_NAME);
		rg_buf_str(&name, " on");
		const char *text = i + RUN_NAMES < f->series->break_count
					   ? NULL
					   : rg_arena_text(&f->arena, name.data);
		rg_buf_release(&name);
		f->areas[f->area_count++] =
			rg_svg_line_at(place_of(f, found->at) - 0.5, "mark", text);
	}
}

/* Widens the frame to a value, as far as that leaves the others to be seen. */
static void widen(runs_figure *f, double value, double by)
{
	if (!isfinite(value))
		return;
	f->low = fmin(f->low, by > 0 ? fmax(value, f->low - by) : value);
	f->high = fmax(f->high, by > 0 ? fmin(value, f->high + by) : value);
}

static void find_frame(runs_figure *f)
{
	f->low = INFINITY;
	f->high = -INFINITY;
	for (size_t i = 0; i < f->point_count; i++)
		widen(f, f->points[i].y, 0);
	double low = f->low;
	double high = f->high;
	double by = WIDER * (high - low);
	for (size_t i = 0; i < f->odd_count; i++) {
		const double y = f->odd[i].y;
		widen(f, y, by);
		f->beyond += y < low - by || y > high + by ? 1 : 0;
	}
	for (size_t i = 0; i < f->area_count; i++)
		if (isfinite(f->areas[i].low)) {
			widen(f, f->areas[i].low, by);
			widen(f, f->areas[i].high, by);
		}
	by = 0.04 * (f->high - f->low);
	/* A frame of nothing, or of all numbers: the plot's own. */
	if (!(by > 0) || isinf(by)) {
		f->low = f->high = 0;
		return;
	}
	f->low -= by;
	f->high += by;
}

static const char *label_of(const rg_audit_series *series)
{
	switch (series->all.tolerance.kind) {
	case RG_TOLERANCE_BY_MEDIAN:
		return "median over its steps";
	case RG_TOLERANCE_BY_MAX:
		return "maximum over its steps";
	default:
		return series->records ? "mean over its records" : "mean over its steps";
	}
}

static void write_runs(runs_figure *f, rg_buf *out)
{
	const rg_svg_line lines[] = {{f->points, f->point_count, false},
				     {f->points, f->point_count, true},
				     {f->odd, f->odd_count, true}};
	rg_buf title, label;

	rg_buf_init(&title, RG_BUF_TEXT);
	rg_buf_init(&label, RG_BUF_TEXT);
	rg_buf_printf(&title, "%s in %s, run by run", f->series->metric, f->series->file);
	rg_buf_str(&label, label_of(f->series));
	if (f->beyond)
		rg_buf_printf(&label, " (%zu beyond the frame)", f->beyond);
	rg_svg_plot_write(out, &(rg_svg_plot){.lines = lines,
					      .line_count = 3,
					      .title = title.data,
					      .x_label = "run",
					      .y_label = label.data,
					      .whole_x = true,
					      .x_names = f->names,
					      .x_name_count = f->count,
					      .left = 0,
					      .right = (double)f->count - 1,
					      .low = f->low,
					      .high = f->high,
					      .areas = f->areas,
					      .area_count = f->area_count});
	rg_buf_release(&title);
	rg_buf_release(&label);
}

static void draw_runs(const rg_audit_page *page, rg_buf *out, const rg_audit_series *series)
{
	size_t rows = series->row_count;
	runs_figure f = {.page = page,
			 .series = series,
			 .from = rows > RG_AUDIT_RUNS ? rows - RG_AUDIT_RUNS : 0,
			 .points = rg_calloc(rows + 1, sizeof(*f.points)),
			 .odd = rg_calloc(rows + 1, sizeof(*f.odd)),
			 .names = rg_calloc(rows + 1, sizeof(*f.names)),
			 .areas = rg_calloc(2 * series->break_count + 1, sizeof(*f.areas))};

	f.count = rows - f.from;
	rg_arena_init(&f.arena);
	add_points(&f);
	add_band(&f);
	add_breaks(&f);
	find_frame(&f);
	write_runs(&f, out);
	rg_arena_release(&f.arena);
	free(f.points);
	free(f.odd);
	free(f.names);
	free(f.areas);
}

static void add_figure(const rg_audit_page *page, cJSON *list, const rg_audit_entry *entry)
{
	rg_audit_build *b = page->build;
	cJSON *item = rg_audit_add_series(b, list, entry->series);
	char link[RG_AUDIT_LINK];
	rg_buf text;

	rg_audit_page_link(link, entry);
	rg_build_text(item, "link", link);
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_test_name_add(&text, entry->series->file, page->context);
	rg_build_written(item, "test", &text);
	rg_audit_page_add_tolerance(page, item, entry->series);
	rg_audit_add_breaks_of(b, item, entry->series);
	draw_runs(page, &text, entry->series);
	rg_build_markup(item, "figure", &text);
	rg_buf_release(&text);
}

/* --- strips --- */

typedef struct {
	double *values;
	bool *odd;
	rg_buf name;
	char link[RG_AUDIT_LINK];
} strip_data;

/* The runs' sizes: over the newest regime's, and of those that stand out over all. */
static void fill_strip(const rg_audit_page *page, rg_svg_strip *out, strip_data *data,
		       const rg_audit_entry *entry)
{
	const rg_audit_series *series = entry->series;
	const rg_tolerance *tolerance = rg_audit_page_tolerance(series);

	data->values = rg_calloc(series->row_count + 1, sizeof(*data->values));
	data->odd = rg_calloc(series->row_count + 1, sizeof(*data->odd));
	rg_buf_init(&data->name, RG_BUF_TEXT);
	rg_test_name_add(&data->name, series->file, page->context);
	/* A golden has several of a family. */
	if (strcmp(entry->family, series->metric) != 0)
		rg_buf_printf(&data->name, ": %s", series->metric);
	for (size_t i = 0; i < series->row_count; i++) {
		bool odd = page->odd[series->row_runs[i]];
		data->odd[i] = odd;
		data->values[i] = series->pooled[i] ? series->noise.sizes[i]
				  : odd             ? series->all.sizes[i]
						    : NAN;
	}
	rg_audit_page_link(data->link, entry);
	*out = (rg_svg_strip){.name = data->name.data,
			      .link = data->link,
			      .values = data->values,
			      .odd = data->odd,
			      .count = series->row_count,
			      .limit = tolerance ? tolerance->relative : NAN};
}

static void add_strips(const rg_audit_page *page, cJSON *item, const rg_audit_kin *family)
{
	strip_data data[STRIPS] = {{0}};
	rg_svg_strip strips[STRIPS];
	size_t count = 0, drawn = 0;
	rg_buf title, text;

	for (size_t i = 0; i < family->count; i++) {
		if (family->entries[i]->finding >= RG_FINDING_DETERMINISTIC)
			continue;
		if (drawn < STRIPS) {
			fill_strip(page, &strips[drawn], &data[drawn], family->entries[i]);
			drawn++;
		}
		count++;
	}
	rg_buf_init(&title, RG_BUF_TEXT);
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_printf(&title, "%s: how far each run is from the middle, by golden",
		      family->entries[0]->family);
	rg_svg_strips_write(&text, title.data, "mean |centre - value| / |centre| of a run", strips,
			    drawn);
	rg_build_markup(item, "strips", &text);
	rg_build_count(item, "strip_count", drawn);
	rg_build_count(item, "more_strips", count - drawn);
	rg_build_count(item, "deterministic", family->count - count);
	rg_buf_release(&title);
	rg_buf_release(&text);
	for (size_t i = 0; i < drawn; i++) {
		free(data[i].values);
		free(data[i].odd);
		rg_buf_release(&data[i].name);
	}
}

/* --- families --- */

/* One of each family before a second. */
static void share_figures(const rg_audit_page *page, size_t *figures)
{
	size_t left = FIGURES;
	for (size_t pass = 0; pass < OF_A_FAMILY; pass++)
		for (size_t i = 0; i < page->drawn && left; i++) {
			const rg_audit_kin *family = &page->families[i];
			if (family->count <= pass ||
			    family->entries[pass]->finding >= RG_FINDING_DETERMINISTIC)
				continue;
			figures[i]++;
			left--;
		}
}

void rg_audit_page_add_figures(rg_audit_page *page, cJSON *view)
{
	const rg_audit *audit = page->build->audit;
	cJSON *list = rg_build_list(view, "families");
	size_t *figures = rg_calloc(page->drawn + 1, sizeof(*figures));

	share_figures(page, figures);
	for (size_t i = 0; i < page->drawn; i++) {
		const rg_audit_kin *family = &page->families[i];
		cJSON *item = rg_build_item(list);

		rg_build_count(item, "number", i + 1);
		rg_build_truth(item, "opened", !i);
		rg_build_text(item, "family", family->entries[0]->family);
		rg_build_text(item, "group",
			      audit->group_count > 1
				      ? audit->groups[family->entries[0]->series->group].name
				      : "");
		rg_build_count(item, "series", family->count);
		cJSON *drawn = rg_build_list(item, "figures");
		for (size_t k = 0; k < figures[i]; k++)
			add_figure(page, drawn, family->entries[k]);
		add_strips(page, item, family);
	}
	rg_build_count(view, "more_families", page->noisy_families - page->drawn);
	free(figures);
}

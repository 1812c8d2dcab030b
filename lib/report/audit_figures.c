/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_page.h"

#include "base/fields.h"
#include "base/memory.h"
#include "base/shorten.h"
#include "report/audit_view.h"
#include "report/svg.h"
#include "report/template_data.h"
#include "report/test_name.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Figures of all families, and of one; strips of one. */
enum { FIGURES = 36, OF_A_FAMILY = 4, STRIPS = 12 };
/* Columns of a run's name beside a break, and how many breaks, the newest, have room for one. */
enum { RUN_NAME = 15, RUN_NAMES = 3 };
/* Places among area_kinds. */
enum { BAND, PLACE, MARK, KINDS };
/* A band or a run that stands out widens the frame by so many times what the others take. */
#define WIDER 1.5

static double value_of(const rg_figures *figures, size_t row)
{
	return rg_audit_page_values(figures)[row];
}

/* --- what is drawn --- */

/* The kinds of areas, classes of templates/page.css. */
static const char *const area_kinds[] = {"band", "place", "mark"};

#define OF rg_svg_area
static const rg_json_field area_fields[] = {RG_KEY(left, NULL),
					    RG_KEY(right, NULL),
					    RG_KEY(low, NULL),
					    RG_KEY(high, NULL),
					    RG_KEY_AS("kind", class_name, NULL),
					    RG_KEY_OPTIONAL(text, NULL),
					    {0}};
#undef OF

#define OF rg_audit_drawn
static const rg_json_field drawn_fields[] = {RG_KEY_NUMBERS("values", NUMBERS, values, count, NULL),
					     RG_KEY_NUMBERS("odd", NUMBERS, odd, odd_count, NULL),
					     {0}};
#undef OF

/* The runs of a series in time. */
typedef struct {
	rg_audit_drawn runs;
	const char **names; /* of the runs */
	size_t name_count;
	const char *label; /* what the values are */
	rg_svg_area *areas;
	size_t area_count;
} runs_figure;

#define OF runs_figure
static const rg_json_field figure_fields[] = {
	RG_SPREAD(runs, drawn_fields),
	RG_KEY_TEXTS("names", names, name_count, ALWAYS, NULL),
	RG_KEY(label, NULL),
	RG_KEY_LIST("areas", areas, area_count, area_fields, NULL),
	{0}};
#undef OF

/* How far the runs of a golden are from the middle. */
typedef struct {
	const char *name, *link;
	double limit; /* NaN: there is none */
	rg_audit_drawn runs;
} strip;

#define OF strip
static const rg_json_field strip_fields[] = {RG_KEY(name, NULL),
					     RG_KEY(link, NULL),
					     RG_KEY_OPTIONAL(limit, NULL),
					     RG_SPREAD(runs, drawn_fields),
					     {0}};
#undef OF

/* --- runs in time, told --- */

typedef struct {
	const rg_audit_page *page;
	const rg_audit_series *series;
	size_t from; /* the first row that is shown */
	double *values, *odd;
	runs_figure figure;
	rg_arena arena;
} teller;

/* Where a run is on the axis: the first row that is not older. */
static double place_of(const teller *t, size_t run)
{
	size_t row = 0;
	while (row < t->series->row_count && t->series->row_runs[row] < run)
		row++;
	return (double)row - (double)t->from;
}

static void tell_runs(teller *t)
{
	rg_audit_drawn *runs = &t->figure.runs;
	rg_buf name;

	rg_buf_init(&name, RG_BUF_TEXT);
	for (size_t row = t->from; row < t->series->row_count; row++) {
		size_t run = t->series->row_runs[row];
		if (t->page->odd[run])
			t->odd[runs->odd_count++] = (double)runs->count;
		t->values[runs->count++] = value_of(&t->series->all, row);
		rg_buf_clear(&name);
		rg_audit_page_name_run(&name, &t->page->build->audit->runs[run]);
		t->figure.names[t->figure.name_count++] = rg_arena_text(&t->arena, name.data);
	}
	rg_buf_release(&name);
}

static void add_area(teller *t, double left, double right, double low, double high, size_t kind)
{
	t->figure.areas[t->figure.area_count++] =
		(rg_svg_area){left, right, low, high, area_kinds[kind], NULL};
}

/* What the recommended tolerance leaves to the newest regime's runs, around the one in the middle.
 * By step no run whose mean is outside can pass. */
static void tell_band(teller *t)
{
	const rg_tolerance *tolerance = rg_audit_page_tolerance(t->series);
	const rg_figures *noise = &t->series->noise;
	double *values = rg_calloc(t->series->row_count + 1, sizeof(*values));
	size_t count = 0;

	for (size_t i = 0; tolerance && i < t->series->row_count; i++)
		if (t->series->pooled[i] && isfinite(value_of(noise, i)))
			values[count++] = value_of(noise, i);
	if (count) {
		const double centre = rg_median(values, count);
		const double half = tolerance->absolute +
				    tolerance->relative *
					    (noise->figures ? fabs(centre) : noise->magnitude);
		if (isfinite(centre - half) && isfinite(centre + half))
			add_area(t, place_of(t, t->series->regime_from) - 0.5, INFINITY,
				 centre - half, centre + half, BAND);
	}
	free(values);
}

/* Each break's line, and where else it may be. */
static void tell_breaks(teller *t)
{
	const rg_audit_run *runs = t->page->build->audit->runs;
	for (size_t i = 0; i < t->series->break_count; i++) {
		const rg_audit_break *found = &t->series->breaks[i];
		const double at = place_of(t, found->at) - 0.5;
		rg_buf name;

		if (found->first != found->last)
			add_area(t, place_of(t, found->first) - 0.5, place_of(t, found->last) - 0.5,
				 -INFINITY, INFINITY, PLACE);
		add_area(t, at, at, -INFINITY, INFINITY, MARK);
		if (i + RUN_NAMES < t->series->break_count)
			continue;
		rg_buf_init(&name, RG_BUF_TEXT);
		rg_buf_str(&name, "from ");
		rg_text_shorten(&name, runs[found->at].id,
				(size_t)rg_audit_name_length(runs[found->at].id), RUN_NAME);
		rg_buf_str(&name, " on");
		t->figure.areas[t->figure.area_count - 1].text =
			rg_arena_text(&t->arena, name.data);
		rg_buf_release(&name);
	}
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

static void tell_figure(const rg_audit_page *page, cJSON *item, const rg_audit_series *series)
{
	const size_t rows = series->row_count;
	teller t = {.page = page,
		    .series = series,
		    .from = rows > RG_AUDIT_RUNS ? rows - RG_AUDIT_RUNS : 0};

	rg_arena_init(&t.arena);
	t.values = rg_arena_alloc(&t.arena, (rows + 1) * sizeof(*t.values));
	t.odd = rg_arena_alloc(&t.arena, (rows + 1) * sizeof(*t.odd));
	t.figure = (runs_figure){
		.runs = {.values = t.values, .odd = t.odd},
		.names = rg_arena_alloc(&t.arena, (rows + 1) * sizeof(*t.figure.names)),
		.label = label_of(series),
		.areas = rg_arena_alloc(&t.arena,
					(2 * series->break_count + 1) * sizeof(*t.figure.areas))};
	tell_runs(&t);
	tell_band(&t);
	tell_breaks(&t);
	rg_build_fields(rg_build_object(item, "figure"), figure_fields, &t.figure);
	rg_arena_release(&t.arena);
}

static void add_figure(const rg_audit_page *page, cJSON *list, const rg_audit_entry *entry)
{
	rg_audit_build *b = page->build;
	cJSON *item = rg_audit_name_series(b, list, entry->series);
	char link[RG_AUDIT_LINK];
	rg_buf text;

	rg_audit_page_link(link, entry);
	rg_build_text(item, "link", link);
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_test_name_add(&text, entry->series->file, page->context);
	rg_build_written(item, "test", &text);
	rg_buf_release(&text);
	rg_audit_page_add_tolerance(page, item, entry->series);
	rg_audit_add_breaks_of(b, item, entry->series);
	tell_figure(page, item, entry->series);
}

/* --- strips, told --- */

/* The runs' sizes: over the newest regime's, and of those that stand out over all. */
static void add_strip(const rg_audit_page *page, cJSON *list, const rg_audit_entry *entry)
{
	const rg_audit_series *series = entry->series;
	const rg_tolerance *tolerance = rg_audit_page_tolerance(series);
	double *values = rg_calloc(series->row_count + 1, sizeof(*values));
	double *odd = rg_calloc(series->row_count + 1, sizeof(*odd));
	strip told = {.limit = tolerance ? tolerance->relative : NAN,
		      .runs = {.values = values, .count = series->row_count, .odd = odd}};
	char link[RG_AUDIT_LINK];
	rg_buf name;

	rg_buf_init(&name, RG_BUF_TEXT);
	rg_test_name_add(&name, series->file, page->context);
	/* A golden has several of a family. */
	if (strcmp(entry->family, series->metric) != 0)
		rg_buf_printf(&name, ": %s", series->metric);
	for (size_t i = 0; i < series->row_count; i++) {
		const bool stands_out = page->odd[series->row_runs[i]];
		if (stands_out)
			odd[told.runs.odd_count++] = (double)i;
		values[i] = series->pooled[i] ? series->noise.sizes[i]
			    : stands_out      ? series->all.sizes[i]
					      : NAN;
	}
	rg_audit_page_link(link, entry);
	told.name = name.data;
	told.link = link;
	rg_build_fields(rg_build_item(list), strip_fields, &told);
	rg_buf_release(&name);
	free(values);
	free(odd);
}

static void add_strips(const rg_audit_page *page, cJSON *item, const rg_audit_kin *family)
{
	cJSON *list = rg_build_list(item, "strips");
	size_t count = 0;

	for (size_t i = 0; i < family->count; i++) {
		if (family->entries[i]->finding >= RG_FINDING_DETERMINISTIC)
			continue;
		if (count++ < STRIPS)
			add_strip(page, list, family->entries[i]);
	}
	rg_build_count(item, "strip_count", count < STRIPS ? count : STRIPS);
	rg_build_count(item, "more_strips", count < STRIPS ? 0 : count - STRIPS);
	rg_build_count(item, "deterministic", family->count - count);
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

void rg_audit_page_tell_figures(rg_audit_page *page, cJSON *view)
{
	const rg_audit *audit = page->build->audit;
	cJSON *list = rg_build_list(view, "drawn_families");
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

/* --- what was told, drawn --- */

rg_error *rg_audit_drawn_mark(rg_audit_drawn *runs, const rg_json_in *in, const cJSON *object)
{
	bool *stands_out = rg_arena_alloc(in->arena, runs->count + 1);
	memset(stands_out, 0, runs->count + 1);
	runs->stands_out = stands_out;
	RG_TRY(rg_json_get_numbers(in, object, "odd", &runs->odd, &runs->odd_count));
	for (size_t i = 0; i < runs->odd_count; i++) {
		const double place = runs->odd[i];
		if (!(place >= 0 && place < (double)runs->count))
			return rg_json_wrong(in, object, "odd", "has a place that is not a run's");
		stands_out[(size_t)place] = true;
	}
	return NULL;
}

static rg_error *read_runs(rg_audit_drawn *out, const rg_json_in *in, const cJSON *object)
{
	RG_TRY(rg_json_get_numbers(in, object, "values", &out->values, &out->count));
	return rg_audit_drawn_mark(out, in, object);
}

static rg_error *read_areas(runs_figure *out, const rg_json_in *in, const cJSON *object)
{
	const cJSON *areas, *item;
	size_t kind;

	RG_TRY(rg_json_get_objects(in, object, "areas", &areas, &out->area_count));
	out->areas = rg_arena_alloc(in->arena, (out->area_count + 1) * sizeof(*out->areas));
	rg_svg_area *area = out->areas;
	cJSON_ArrayForEach(item, areas)
	{
		*area = (rg_svg_area){0};
		RG_TRY(rg_json_get_word(in, item, "kind", area_kinds, KINDS, &kind));
		RG_TRY(rg_json_get_fields(in, item, area_fields, area++));
	}
	return NULL;
}

static rg_error *read_figure(runs_figure *out, const rg_json_in *in, const cJSON *object)
{
	*out = (runs_figure){0};
	RG_TRY(rg_json_get_fields(in, object, figure_fields, out));
	RG_TRY(read_runs(&out->runs, in, object));
	RG_TRY(rg_json_get_texts(in, object, "names", &out->names, &out->name_count));
	if (out->name_count != out->runs.count)
		return rg_json_wrong(in, object, "names", "does not fit the values");
	return read_areas(out, in, object);
}

/* What is drawn of a figure. */
typedef struct {
	const runs_figure *figure;
	rg_svg_point *points, *odd;
	size_t point_count, odd_count;
	double low, high; /* the frame */
	size_t beyond;
} drawing;

/* Widens the frame to a value, as far as that leaves the others to be seen. */
static void widen(drawing *f, double value, double by)
{
	if (!isfinite(value))
		return;
	f->low = fmin(f->low, by > 0 ? fmax(value, f->low - by) : value);
	f->high = fmax(f->high, by > 0 ? fmin(value, f->high + by) : value);
}

static void find_frame(drawing *f)
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
	for (size_t i = 0; i < f->figure->area_count; i++)
		if (isfinite(f->figure->areas[i].low)) {
			widen(f, f->figure->areas[i].low, by);
			widen(f, f->figure->areas[i].high, by);
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

static void write_figure(rg_buf *out, const drawing *f, const char *metric, const char *file)
{
	const rg_svg_line lines[] = {{f->points, f->point_count, false},
				     {f->points, f->point_count, true},
				     {f->odd, f->odd_count, true}};
	rg_buf title, label;

	rg_buf_init(&title, RG_BUF_TEXT);
	rg_buf_init(&label, RG_BUF_TEXT);
	rg_buf_printf(&title, "%s in %s, run by run", metric, file);
	rg_buf_str(&label, f->figure->label);
	if (f->beyond)
		rg_buf_printf(&label, " (%zu beyond the frame)", f->beyond);
	rg_svg_plot_write(out, &(rg_svg_plot){.lines = lines,
					      .line_count = 3,
					      .title = title.data,
					      .x_label = "run",
					      .y_label = label.data,
					      .whole_x = true,
					      .x_names = f->figure->names,
					      .x_name_count = f->figure->name_count,
					      .left = 0,
					      .right = (double)f->figure->name_count - 1,
					      .low = f->low,
					      .high = f->high,
					      .areas = f->figure->areas,
					      .area_count = f->figure->area_count});
	rg_buf_release(&title);
	rg_buf_release(&label);
}

static rg_error *draw_figure(rg_buf *out, const rg_json_in *in, cJSON *item)
{
	const cJSON *object;
	const char *metric, *file;
	runs_figure figure;

	RG_TRY(rg_json_get_object(in, item, "figure", &object));
	RG_TRY(rg_json_get_text(in, item, "metric", &metric));
	RG_TRY(rg_json_get_text(in, item, "file", &file));
	RG_TRY(read_figure(&figure, in, object));
	const size_t count = figure.runs.count;
	drawing d = {.figure = &figure,
		     .points = rg_arena_alloc(in->arena, (count + 1) * sizeof(*d.points)),
		     .odd = rg_arena_alloc(in->arena, (count + 1) * sizeof(*d.odd))};
	for (size_t i = 0; i < count; i++) {
		const rg_svg_point point = {(double)i, figure.runs.values[i]};
		if (figure.runs.stands_out[i])
			d.odd[d.odd_count++] = point;
		else
			d.points[d.point_count++] = point;
	}
	find_frame(&d);
	write_figure(out, &d, metric, file);
	rg_build_markup(item, "figure", out);
	return NULL;
}

static rg_error *read_strip(rg_svg_strip *out, const rg_json_in *in, const cJSON *object)
{
	strip told = {.limit = NAN};

	RG_TRY(rg_json_get_fields(in, object, strip_fields, &told));
	RG_TRY(read_runs(&told.runs, in, object));
	for (size_t i = 0; i < told.runs.count; i++)
		if (told.runs.values[i] < 0)
			return rg_json_wrong(in, object, "values", "has one under 0");
	*out = (rg_svg_strip){.name = told.name,
			      .link = told.link,
			      .values = told.runs.values,
			      .odd = told.runs.stands_out,
			      .count = told.runs.count,
			      .limit = told.limit};
	return NULL;
}

static rg_error *draw_strips(rg_buf *out, const rg_json_in *in, cJSON *family)
{
	const cJSON *list, *item;
	const char *name;
	size_t count, n = 0;
	rg_buf title;

	RG_TRY(rg_json_get_text(in, family, "family", &name));
	RG_TRY(rg_json_get_objects(in, family, "strips", &list, &count));
	rg_svg_strip *strips = rg_arena_alloc(in->arena, (count + 1) * sizeof(*strips));
	cJSON_ArrayForEach(item, list)
	{
		RG_TRY(read_strip(&strips[n++], in, item));
	}
	rg_buf_init(&title, RG_BUF_TEXT);
	rg_buf_printf(&title, "%s: how far each run is from the middle, by golden", name);
	rg_svg_strips_write(out, title.data, "mean |centre - value| / |centre| of a run", strips,
			    count);
	rg_build_markup(family, "strips", out);
	rg_buf_release(&title);
	return NULL;
}

static rg_error *draw_family(rg_buf *out, const rg_json_in *in, cJSON *family)
{
	const cJSON *figures;
	size_t count;

	RG_TRY(rg_json_get_objects(in, family, "figures", &figures, &count));
	for (cJSON *figure = figures->child; figure; figure = figure->next)
		RG_TRY(draw_figure(out, in, figure));
	return draw_strips(out, in, family);
}

rg_error *rg_audit_figures_draw(const rg_json_in *in, const cJSON *view)
{
	const cJSON *families;
	rg_error *err = NULL;
	size_t count;
	rg_buf text;

	RG_TRY(rg_json_get_objects(in, view, "drawn_families", &families, &count));
	rg_buf_init(&text, RG_BUF_TEXT);
	for (cJSON *family = families->child; !err && family; family = family->next)
		err = draw_family(&text, in, family);
	rg_buf_release(&text);
	return err;
}

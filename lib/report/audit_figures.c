/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_facts.h"

#include "base/fields.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/shorten.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The parts of a page that templates/page.js draws: a map of runs and families, the runs of the
 * most interesting series in time, and strips by golden.
 */

/* Rows of a map, and maps; families with figures, figures of all of them and of one; strips of one,
 * and runs of a strip. */
enum {
	MAP_ROWS = 60,
	MAPS = 8,
	FAMILIES = 30,
	FIGURES = 36,
	OF_A_FAMILY = 4,
	STRIPS = 12,
	STRIP_RUNS = 1000
};
/* Columns of a run's name beside a break, and how many breaks, the newest, have room for one. */
enum { RUN_NAME = 15, RUN_NAMES = 3 };

/* --- the keys --- */

typedef struct {
	size_t number;
	const char *name;
	bool odd;
} map_column;

#define OF map_column
static const rg_json_field column_fields[] = {
	RG_KEY(number, "Its place among all runs, from 1."),
	RG_KEY(name, "Its name and day."),
	RG_KEY_OPTIONAL(odd, "Whether it is an outlier in most of its series."),
	{0}};
#undef OF

/* The numbers of series by run: that the run has, is an outlier in, and that break with it. */
typedef struct {
	const char *family;
	size_t figures_of, series, count;
	double *with, *far, *breaks;
} map_row;

#define OF map_row
static const rg_json_field row_fields[] = {
	RG_KEY(family, "The family of metrics."),
	RG_KEY_OPTIONAL(figures_of, "Which of the families below has its figures."),
	RG_KEY(series, "Its series."),
	RG_KEY_NUMBERS("with", NUMBERS, with, count, "By run: the series that it has."),
	RG_KEY_NUMBERS("far", NUMBERS, far, count, "By run: the series in which it is an outlier."),
	RG_KEY_NUMBERS("breaks", NUMBERS, breaks, count, "By run: the series that break there."),
	{0}};
#undef OF

typedef struct {
	const char *group;
	size_t older, more;
	map_column *columns;
	map_row *rows;
	size_t column_count, row_count;
} run_map;

#define OF run_map
static const rg_json_field map_fields[] = {
	RG_KEY(group, "The group of runs."),
	RG_KEY(older, "Runs before those of the columns."),
	RG_KEY_LIST("columns", columns, column_count, column_fields, "The runs."),
	RG_KEY_LIST("rows", rows, row_count, row_fields, "The families."),
	RG_KEY(more, "Families without a row."),
	{0}};
#undef OF

/* A part of the frame, a line if left == right; infinite ends are the frame's. */
typedef struct {
	double left, right, low, high;
	const char *kind, *text; /* text NULL: none */
} runs_area;

/* Classes of templates/page.css. */
static const char band[] = "band", place[] = "place", mark[] = "mark";

#define OF runs_area
static const rg_json_field area_fields[] = {
	RG_KEY(left, "The run at its left, from 0; -inf: the frame's."),
	RG_KEY(right, "The run at its right."),
	RG_KEY(low, "Its lower end, a value."),
	RG_KEY(high, "Its upper end."),
	RG_KEY(kind, "'band': the tolerance; 'mark': a break; 'place': where else it may be."),
	RG_KEY_OPTIONAL(text, "Its label."),
	{0}};
#undef OF

typedef struct {
	const char *name;
	double value;
	bool odd;
} drawn_run;

#define OF drawn_run
static const rg_json_field run_fields[] = {
	RG_KEY(name, "Its name and day."),
	RG_KEY(value, "Its value."),
	RG_KEY_OPTIONAL(odd, "Whether it is an outlier in most of its series."),
	{0}};
#undef OF

/* The runs of a series in time. */
typedef struct {
	size_t number;
	const char *test, *metric, *file;
	drawn_run *runs;
	size_t run_count;
	const char *label; /* of the values */
	runs_area *areas;
	size_t area_count;
} runs_figure;

#define OF runs_figure
static const rg_json_field figure_fields[] = {
	RG_KEY_OPTIONAL(number, "The series' number; missing: the page does not list it."),
	RG_KEY(test, "The golden's test."),
	RG_KEY(metric, "The metric."),
	RG_KEY(file, "The golden's path."),
	RG_KEY_LIST("drawn", runs, run_count, run_fields, "Each run, and its value."),
	RG_KEY(label, "The values' name."),
	RG_KEY_LIST("areas", areas, area_count, area_fields, "The tolerance, and the breaks."),
	{0}};
#undef OF

/* How far the runs of a golden are from the middle. */
typedef struct {
	const char *name;
	size_t number;
	double limit;         /* NaN: there is none */
	const double *values; /* NaN: there is none */
	const double *odd;    /* the places of outliers, ascending */
	size_t count, odd_count;
} strip;

#define OF strip
static const rg_json_field strip_fields[] = {
	RG_KEY(name, "The golden's test."),
	RG_KEY_OPTIONAL(number, "The series' number; missing: the page does not list it."),
	RG_KEY_OPTIONAL(limit, "The tolerance."),
	RG_KEY_NUMBERS("values", NUMBERS, values, count, "Each run's deviation."),
	RG_KEY_NUMBERS("odd", NUMBERS, odd, odd_count, "The places of outliers among them."),
	{0}};
#undef OF

typedef struct {
	const char *family, *group;
	size_t place, series, deterministic, more_strips;
	bool opened;
	runs_figure *figures;
	strip *strips;
	size_t figure_count, strip_count;
} drawn_family;

#define OF drawn_family
static const rg_json_field family_fields[] = {
	RG_KEY(place, "Its place, from 1."),
	RG_KEY_OPTIONAL(opened, "Whether it is unfolded."),
	RG_KEY(family, "The family of metrics."),
	RG_KEY(group, "The group of runs."),
	RG_KEY(series, "Its series."),
	RG_KEY(deterministic, "Of them, those that never differed."),
	RG_KEY_LIST("figures", figures, figure_count, figure_fields,
		    "The runs of its most interesting series in time."),
	RG_KEY_LIST("strips", strips, strip_count, strip_fields, "Each golden's runs."),
	RG_KEY(more_strips, "Goldens without a strip."),
	{0}};
#undef OF

struct rg_audit_page {
	run_map *maps;
	drawn_family *families;
	size_t map_count, more_maps, family_count, more_families;
};

#define OF rg_audit_page
const rg_json_field rg_audit_page_fields[] = {
	RG_KEY_LIST("maps", maps, map_count, map_fields, "Runs and metrics, a map for each group."),
	RG_KEY(more_maps, "Groups without a map."),
	RG_KEY_LIST("drawn_families", families, family_count, family_fields,
		    "Families that are drawn."),
	RG_KEY(more_families, "Families that differ and are not drawn."),
	{0}};
#undef OF

/* --- the map --- */

static char *run_name(rg_audit_facts *facts, const rg_audit_run *run)
{
	const int length = (int)rg_run_name_length(run->id);
	return rg_audit_run_has_day(run)
		       ? rg_arena_textf(&facts->arena, "%.*s, %.10s", length, run->id, run->when)
		       : rg_arena_textf(&facts->arena, "%.*s", length, run->id);
}

/* The group's name; "" if there is one group only. */
static const char *shown_group(const rg_audit_facts *facts, size_t group)
{
	return facts->grouped ? rg_audit_group_name(facts, group) : "";
}

static double *new_numbers(rg_audit_facts *facts, size_t count)
{
	return rg_arena_alloc(&facts->arena, (count + 1) * sizeof(double));
}

/* `columns`: the place of each run of the audit among the group's. */
static void make_row(rg_audit_facts *facts, map_row *row, size_t family, size_t from, size_t runs,
		     const size_t *columns)
{
	const rg_audit_kin *kin = &facts->families[family];
	*row = (map_row){.family = kin->entries[0]->family,
			 .figures_of = family < facts->page->family_count ? family + 1 : 0,
			 .series = kin->count,
			 .with = new_numbers(facts, runs),
			 .far = new_numbers(facts, runs),
			 .breaks = new_numbers(facts, runs)};
	for (size_t i = 0; i < kin->count; i++) {
		const rg_audit_series *series = kin->entries[i]->series;
		RG_AUTO_FREE bool *far = rg_calloc(series->row_count + 1, sizeof(*far));
		rg_audit_find_far_rows(far, series);
		for (size_t k = 0; k < series->row_count; k++) {
			const size_t at = columns[series->row_runs[k]];
			row->with[at]++;
			row->far[at] += far[k] ? 1 : 0;
		}
		for (size_t k = 0; k < series->break_count; k++)
			row->breaks[columns[series->breaks[k].at]]++;
	}
	row->with += from;
	row->far += from;
	row->breaks += from;
	row->count = runs - from;
}

static void make_map(rg_audit_facts *facts, run_map *map, size_t which)
{
	const rg_audit *audit = facts->audit;
	const rg_audit_group *group = &audit->groups[which];
	const size_t runs = group->run_count;
	const size_t from = runs > RG_AUDIT_RUNS ? runs - RG_AUDIT_RUNS : 0;
	RG_AUTO_FREE size_t *columns = rg_calloc(audit->run_count + 1, sizeof(*columns));

	*map = (run_map){
		.group = shown_group(facts, which),
		.older = from,
		.columns = rg_arena_alloc(&facts->arena, (runs + 1) * sizeof(*map->columns)),
		.rows = rg_arena_alloc(&facts->arena, MAP_ROWS * sizeof(*map->rows))};
	for (size_t i = 0; i < runs; i++)
		columns[group->runs[i]] = i;
	for (size_t i = from; i < runs; i++) {
		const size_t run = group->runs[i];
		map->columns[map->column_count++] =
			(map_column){run + 1, run_name(facts, &audit->runs[run]), facts->odd[run]};
	}
	for (size_t i = 0; i < facts->family_count; i++) {
		if (facts->families[i].entries[0]->series->group != which)
			continue;
		if (map->row_count < MAP_ROWS)
			make_row(facts, &map->rows[map->row_count++], i, from, runs, columns);
		else
			map->more++;
	}
}

/* 0: the page's table does not have it. */
static size_t number_of(const rg_audit_entry *entry)
{
	return entry->number <= RG_AUDIT_ROWS ? entry->number : 0;
}

/* --- runs in time --- */

/* The series' runs from the first that is drawn on. */
typedef struct {
	rg_audit_facts *facts;
	const rg_audit_series *series;
	size_t from;
	runs_figure *figure;
} draw_state;

/* The place of a run on the axis: the first row that is not older. */
static double place_of(const draw_state *d, size_t run)
{
	size_t row = 0;
	while (row < d->series->row_count && d->series->row_runs[row] < run)
		row++;
	return (double)row - (double)d->from;
}

static runs_area *append_area(draw_state *d, double left, double right, double low, double high,
			      const char *kind)
{
	runs_area *area = &d->figure->areas[d->figure->area_count++];
	*area = (runs_area){left, right, low, high, kind, NULL};
	return area;
}

/* The recommended tolerance of the newest regime's runs, around the one in the middle. By step no
 * run whose mean is outside can pass. */
static void draw_band(draw_state *d)
{
	const rg_tolerance *tolerance = rg_audit_held_tolerance(d->series);
	const rg_figures *noise = &d->series->noise;
	RG_AUTO_FREE double *values = rg_calloc(d->series->row_count + 1, sizeof(*values));
	size_t count = 0;

	for (size_t i = 0; tolerance && i < d->series->row_count; i++)
		if (d->series->pooled[i] && isfinite(rg_audit_row_values(noise)[i]))
			values[count++] = rg_audit_row_values(noise)[i];
	if (count) {
		const double centre = rg_median(values, count);
		const double size = noise->figures ? fabs(centre) : noise->magnitude;
		const double half = tolerance->absolute + tolerance->relative * size;
		if (isfinite(centre - half) && isfinite(centre + half))
			append_area(d, place_of(d, d->series->regime_from) - 0.5, INFINITY,
				    centre - half, centre + half, band);
	}
}

/* Each break's line, and the places where else it may be. */
static void draw_breaks(draw_state *d)
{
	for (size_t i = 0; i < d->series->break_count; i++) {
		const rg_audit_break *found = &d->series->breaks[i];
		const double at = place_of(d, found->at) - 0.5;
		const char *run = d->facts->audit->runs[found->at].id;
		rg_buf name;

		if (found->first != found->last)
			append_area(d, place_of(d, found->first) - 0.5,
				    place_of(d, found->last) - 0.5, -INFINITY, INFINITY, place);
		runs_area *line = append_area(d, at, at, -INFINITY, INFINITY, mark);
		if (i + RUN_NAMES < d->series->break_count)
			continue;
		rg_buf_init(&name, RG_BUF_TEXT);
		rg_buf_str(&name, "from ");
		rg_text_shorten(&name, run, rg_run_name_length(run), RUN_NAME);
		rg_buf_str(&name, " on");
		line->text = rg_buf_keep(&name, &d->facts->arena);
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

static void draw(rg_audit_facts *facts, runs_figure *out, const rg_audit_entry *entry)
{
	const rg_audit_series *series = entry->series;
	const size_t rows = series->row_count;
	draw_state d = {.facts = facts,
			.series = series,
			.from = rows > RG_AUDIT_RUNS ? rows - RG_AUDIT_RUNS : 0,
			.figure = out};

	*out = (runs_figure){.number = number_of(entry),
			     .test = entry->test,
			     .metric = series->metric,
			     .file = series->file,
			     .runs = rg_arena_alloc(&facts->arena, (rows + 1) * sizeof(*out->runs)),
			     .label = label_of(series),
			     .areas = rg_arena_alloc(&facts->arena, (2 * series->break_count + 1) *
									    sizeof(*out->areas))};
	for (size_t row = d.from; row < rows; row++) {
		const size_t run = series->row_runs[row];
		out->runs[out->run_count++] = (drawn_run){run_name(facts, &facts->audit->runs[run]),
							  rg_audit_row_values(&series->all)[row],
							  facts->odd[run]};
	}
	draw_band(&d);
	draw_breaks(&d);
}

/* --- strips --- */

/* The newest runs' sizes: over the newest regime's, and over all if they are outliers. */
static void make_strip(rg_audit_facts *facts, strip *out, const rg_audit_entry *entry)
{
	const rg_audit_series *series = entry->series;
	const rg_tolerance *tolerance = rg_audit_held_tolerance(series);
	const size_t rows = series->row_count, from = rows > STRIP_RUNS ? rows - STRIP_RUNS : 0;
	double *values = new_numbers(facts, rows - from), *odd = new_numbers(facts, rows - from);

	/* A golden has several metrics of a family. */
	*out = (strip){.name = strcmp(entry->family, series->metric) != 0
				       ? rg_arena_textf(&facts->arena, "%s: %s", entry->test,
							series->metric)
				       : entry->test,
		       .number = number_of(entry),
		       .limit = tolerance ? tolerance->relative : NAN,
		       .values = values,
		       .odd = odd,
		       .count = rows - from};
	for (size_t i = 0; i < out->count; i++) {
		const bool is_odd = facts->odd[series->row_runs[from + i]];
		if (is_odd)
			odd[out->odd_count++] = (double)i;
		values[i] = series->pooled[from + i] ? series->noise.sizes[from + i]
			    : is_odd                 ? series->all.sizes[from + i]
						     : NAN;
	}
}

static void draw_family(rg_audit_facts *facts, drawn_family *out, size_t which, size_t figures)
{
	const rg_audit_kin *kin = &facts->families[which];
	size_t differ = 0;

	*out = (drawn_family){
		.place = which + 1,
		.opened = !which,
		.family = kin->entries[0]->family,
		.group = shown_group(facts, kin->entries[0]->series->group),
		.series = kin->count,
		.figures = rg_arena_alloc(&facts->arena, (figures + 1) * sizeof(*out->figures)),
		.strips = rg_arena_alloc(&facts->arena, STRIPS * sizeof(*out->strips))};
	for (size_t i = 0; i < figures; i++)
		draw(facts, &out->figures[out->figure_count++], kin->entries[i]);
	for (size_t i = 0; i < kin->count; i++) {
		if (kin->entries[i]->interest >= RG_SERIES_DETERMINISTIC)
			continue;
		if (differ++ < STRIPS)
			make_strip(facts, &out->strips[out->strip_count++], kin->entries[i]);
	}
	out->more_strips = differ - out->strip_count;
	out->deterministic = kin->count - differ;
}

/* By their most interesting series, then the largest first. */
RG_ORDER(by_weight, rg_audit_kin,
	 RG_RISING(entries[0]->interest) || RG_FALLING(count) || RG_RISING(entries[0]->number));

void rg_audit_find_page(rg_audit_facts *facts)
{
	rg_audit_page *page = rg_arena_alloc(&facts->arena, sizeof(*page));
	const size_t groups = facts->audit->group_count;
	size_t figures[FAMILIES] = {0}, noisy = 0;

	facts->page = page;
	if (facts->family_count)
		qsort(facts->families, facts->family_count, sizeof(*facts->families), by_weight);
	while (noisy < facts->family_count &&
	       facts->families[noisy].entries[0]->interest < RG_SERIES_DETERMINISTIC)
		noisy++;
	page->family_count = noisy < FAMILIES ? noisy : FAMILIES;
	page->more_families = noisy - page->family_count;
	page->families = rg_arena_alloc(&facts->arena, FAMILIES * sizeof(*page->families));
	/* One figure of each family before a second. */
	size_t left = FIGURES;
	for (size_t pass = 0; pass < OF_A_FAMILY; pass++)
		for (size_t i = 0; i < facts->page->family_count && left; i++) {
			const rg_audit_kin *kin = &facts->families[i];
			if (kin->count <= pass ||
			    kin->entries[pass]->interest >= RG_SERIES_DETERMINISTIC)
				continue;
			figures[i]++;
			left--;
		}
	for (size_t i = 0; i < page->family_count; i++)
		draw_family(facts, &page->families[i], i, figures[i]);
	page->map_count = groups < MAPS ? groups : MAPS;
	page->more_maps = groups - page->map_count;
	page->maps = rg_arena_alloc(&facts->arena, MAPS * sizeof(*page->maps));
	for (size_t i = 0; i < page->map_count; i++)
		make_map(facts, &page->maps[i], i);
}

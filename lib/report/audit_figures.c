/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_page.h"

#include "base/fields.h"
#include "base/memory.h"
#include "base/shorten.h"
#include "report/audit_view.h"
#include "report/template_data.h"
#include "report/test_name.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Figures of all families, and of one; strips of one, and runs of a strip. */
enum { FIGURES = 36, OF_A_FAMILY = 4, STRIPS = 12, RUNS = RG_AUDIT_RUNS_LISTED };
/* Columns of a run's name beside a break, and how many breaks, the newest, have room for one. */
enum { RUN_NAME = 15, RUN_NAMES = 3 };
/* Places among area_kinds. */
enum { BAND, PLACE, MARK };
static double value_of(const rg_figures *figures, size_t row)
{
	return rg_audit_page_values(figures)[row];
}

/* --- what is drawn, by templates/page.js --- */

/* The kinds of areas, classes of templates/page.css. */
static const char *const area_kinds[] = {"band", "place", "mark"};

/* A part of the frame, a line where left == right; infinite ends are the frame's. */
typedef struct {
	double left, right, low, high;
	const char *kind, *text; /* NULL: none */
} runs_area;

#define OF runs_area
static const rg_json_field area_fields[] = {RG_KEY(left, NULL),
					    RG_KEY(right, NULL),
					    RG_KEY(low, NULL),
					    RG_KEY(high, NULL),
					    RG_KEY(kind, NULL),
					    RG_KEY_OPTIONAL(text, NULL),
					    {0}};
#undef OF

typedef struct {
	const char *name;
	double value;
	bool odd; /* it stands out */
} drawn_run;

#define OF drawn_run
static const rg_json_field run_fields[] = {
	RG_KEY(name, NULL), RG_KEY(value, NULL), RG_KEY_OPTIONAL(odd, NULL), {0}};
#undef OF

/* The runs of a series in time. */
typedef struct {
	drawn_run *runs;
	size_t run_count;
	const char *label; /* what the values are */
	runs_area *areas;
	size_t area_count;
} runs_figure;

#define OF runs_figure
static const rg_json_field figure_fields[] = {
	RG_KEY_LIST("runs", runs, run_count, run_fields, NULL),
	RG_KEY(label, NULL),
	RG_KEY_LIST("areas", areas, area_count, area_fields, NULL),
	{0}};
#undef OF

/* How far the runs of a golden are from the middle. */
typedef struct {
	const char *name, *link;
	double limit;         /* NaN: there is none */
	const double *values; /* NaN: there is none */
	const double *odd;    /* the places of those that stand out, ascending */
	size_t count, odd_count;
} strip;

#define OF strip
static const rg_json_field strip_fields[] = {RG_KEY(name, NULL),
					     RG_KEY(link, NULL),
					     RG_KEY_OPTIONAL(limit, NULL),
					     RG_KEY_NUMBERS("values", NUMBERS, values, count, NULL),
					     RG_KEY_NUMBERS("odd", NUMBERS, odd, odd_count, NULL),
					     {0}};
#undef OF

/* --- runs in time, told --- */

typedef struct {
	const rg_audit_page *page;
	const rg_audit_series *series;
	size_t from; /* the first row that is shown */
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
	rg_buf name;
	rg_buf_init(&name, RG_BUF_TEXT);
	for (size_t row = t->from; row < t->series->row_count; row++) {
		const size_t run = t->series->row_runs[row];
		rg_buf_clear(&name);
		rg_audit_page_name_run(&name, &t->page->build->audit->runs[run]);
		t->figure.runs[t->figure.run_count++] =
			(drawn_run){rg_arena_text(&t->arena, name.data),
				    value_of(&t->series->all, row), t->page->odd[run]};
	}
	rg_buf_release(&name);
}

static void add_area(teller *t, double left, double right, double low, double high, size_t kind)
{
	t->figure.areas[t->figure.area_count++] =
		(runs_area){left, right, low, high, area_kinds[kind], NULL};
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
	t.figure =
		(runs_figure){.runs = rg_arena_alloc(&t.arena, (rows + 1) * sizeof(*t.figure.runs)),
			      .label = label_of(series),
			      .areas = rg_arena_alloc(&t.arena, (2 * series->break_count + 1) *
									sizeof(*t.figure.areas))};
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

/* The newest runs' sizes: over the newest regime's, and of those that stand out over all. */
static void add_strip(const rg_audit_page *page, cJSON *list, const rg_audit_entry *entry)
{
	const rg_audit_series *series = entry->series;
	const rg_tolerance *tolerance = rg_audit_page_tolerance(series);
	const size_t rows = series->row_count, from = rows > RUNS ? rows - RUNS : 0;
	double *values = rg_calloc(rows - from + 1, sizeof(*values));
	double *odd = rg_calloc(rows - from + 1, sizeof(*odd));
	strip told = {.limit = tolerance ? tolerance->relative : NAN,
		      .values = values,
		      .odd = odd,
		      .count = rows - from};
	char link[RG_AUDIT_LINK];
	rg_buf name;

	rg_buf_init(&name, RG_BUF_TEXT);
	rg_test_name_add(&name, series->file, page->context);
	/* A golden has several of a family. */
	if (strcmp(entry->family, series->metric) != 0)
		rg_buf_printf(&name, ": %s", series->metric);
	for (size_t i = 0; i < told.count; i++) {
		const bool stands_out = page->odd[series->row_runs[from + i]];
		if (stands_out)
			odd[told.odd_count++] = (double)i;
		values[i] = series->pooled[from + i] ? series->noise.sizes[from + i]
			    : stands_out             ? series->all.sizes[from + i]
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

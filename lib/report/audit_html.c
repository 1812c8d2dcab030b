/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_page.h"

#include "base/memory.h"
#include "base/templates.h"
#include "report/audit_report.h"
#include "report/audit_view.h"
#include "report/html.h"
#include "report/html_text.h"
#include "report/template_data.h"
#include "report/test_name.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* --- the map of runs and families --- */

/* Rows of a map, and maps. */
enum { MAP_ROWS = 60, MAPS = 8 };

/* What is counted of a family, by run. */
enum { HAVE, FAR_OUT, BREAKS, COUNTS };
static const char *const count_keys[COUNTS] = {
	[HAVE] = "with",     /* its series that the run has */
	[FAR_OUT] = "far",   /* that the run is far out of */
	[BREAKS] = "breaks", /* that break with it */
};

typedef struct {
	rg_audit_page *page;
	const rg_audit_group *group;
	size_t from;            /* the first of the group's runs that is shown */
	size_t *columns;        /* by run of the audit: its place in the group */
	double *counts[COUNTS]; /* of one row, by place */
} map;

static void count_series(map *m, const rg_audit_series *series)
{
	bool *far = rg_calloc(series->row_count + 1, sizeof(*far));
	rg_audit_find_far_rows(far, series);

	for (size_t i = 0; i < series->row_count; i++) {
		const size_t place = m->columns[series->row_runs[i]];
		m->counts[HAVE][place]++;
		m->counts[FAR_OUT][place] += far[i] ? 1 : 0;
	}
	for (size_t i = 0; i < series->break_count; i++)
		m->counts[BREAKS][m->columns[series->breaks[i].at]]++;
	free(far);
}

static void add_map_row(map *m, cJSON *list, const rg_audit_kin *family, size_t number)
{
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "family", family->entries[0]->family);
	/* Its figures, where it has any. */
	rg_build_count(item, "figures_of", number < m->page->drawn ? number + 1 : 0);
	rg_build_count(item, "series", family->count);
	for (int k = 0; k < COUNTS; k++)
		memset(m->counts[k], 0, m->group->run_count * sizeof(**m->counts));
	for (size_t i = 0; i < family->count; i++)
		count_series(m, family->entries[i]->series);
	for (int k = 0; k < COUNTS; k++)
		cJSON_AddItemToObject(
			item, count_keys[k],
			cJSON_CreateDoubleArray(m->counts[k] + m->from,
						(int)(m->group->run_count - m->from)));
}

/* The runs, numbered from the oldest on. */
static void add_columns(map *m, cJSON *item)
{
	cJSON *list = rg_build_list(item, "columns");
	for (size_t i = m->from; i < m->group->run_count; i++) {
		const rg_audit_run *run = &m->page->build->audit->runs[m->group->runs[i]];
		cJSON *column = rg_build_item(list);
		rg_buf name;

		rg_buf_init(&name, RG_BUF_TEXT);
		rg_audit_page_name_run(&name, run);
		rg_build_count(column, "number", m->group->runs[i] + 1);
		rg_build_written(column, "name", &name);
		rg_build_truth(column, "odd", m->page->odd[m->group->runs[i]]);
		rg_buf_release(&name);
	}
}

static void add_map(rg_audit_page *page, cJSON *list, size_t group)
{
	const rg_audit *audit = page->build->audit;
	map m = {.page = page,
		 .group = &audit->groups[group],
		 .columns = rg_calloc(audit->run_count + 1, sizeof(*m.columns))};
	cJSON *item = rg_build_item(list), *rows = rg_build_list(item, "rows");
	size_t more = 0, shown = 0;

	for (int k = 0; k < COUNTS; k++)
		m.counts[k] = rg_malloc((m.group->run_count + 1) * sizeof(**m.counts));
	m.from = m.group->run_count > RG_AUDIT_RUNS ? m.group->run_count - RG_AUDIT_RUNS : 0;
	for (size_t i = 0; i < m.group->run_count; i++)
		m.columns[m.group->runs[i]] = i;
	rg_build_text(item, "group", audit->group_count > 1 ? m.group->name : "");
	rg_build_count(item, "older", m.from);
	add_columns(&m, item);
	for (size_t i = 0; i < page->family_count; i++) {
		if (page->families[i].entries[0]->series->group != group)
			continue;
		if (shown++ < MAP_ROWS)
			add_map_row(&m, rows, &page->families[i], i);
		else
			more++;
	}
	rg_build_count(item, "more", more);
	free(m.columns);
	for (int k = 0; k < COUNTS; k++)
		free(m.counts[k]);
}

static void add_maps(rg_audit_page *page, cJSON *view)
{
	size_t count = page->build->audit->group_count;
	cJSON *list = rg_build_list(view, "maps");

	for (size_t group = 0; group < count && group < MAPS; group++)
		add_map(page, list, group);
	rg_build_count(view, "more_maps", count > MAPS ? count - MAPS : 0);
}

/* --- the table of series --- */

/* Places of a trend, and of a value that is not finite. */
static const char levels[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
enum { LEVELS = sizeof(levels) - 1, GAP = '-' };

static void measure_range(double range[static 2], const double *values, const bool *odd,
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

/* Where in the range a finite value is, at its edge what is beyond it. Halves first: the range of
 * two huge values is not a double. */
static char level_of(const double range[static 2], double value)
{
	double share = 0.5;
	if (!isfinite(value))
		return GAP;
	if (range[1] > range[0])
		share = (value / 2 - range[0] / 2) / (range[1] / 2 - range[0] / 2);
	return levels[lround(fmin(fmax(share, 0), 1) * (LEVELS - 1))];
}

/* Its runs, a letter each: as exact as a line of text shows them. */
static void add_trend(rg_audit_page *page, cJSON *item, const rg_audit_series *series)
{
	const double *values = rg_audit_page_values(&series->all);
	size_t rows = series->row_count;
	size_t from = rows > RG_AUDIT_RUNS ? rows - RG_AUDIT_RUNS : 0;
	bool *odd = rg_calloc(rows + 1, sizeof(*odd));
	double range[2];
	cJSON *places = rg_build_list(item, "odd");
	rg_buf text;

	for (size_t i = from; i < rows; i++) {
		odd[i] = page->odd[series->row_runs[i]];
		if (odd[i])
			cJSON_AddItemToArray(places, cJSON_CreateNumber((double)(i - from)));
	}
	rg_buf_init(&text, RG_BUF_TEXT);
	/* That of what does not stand out, unless that is one value or none. */
	measure_range(range, values + from, odd + from, rows - from, false);
	if (!(range[0] < range[1]))
		measure_range(range, values + from, odd + from, rows - from, true);
	for (size_t i = from; i < rows; i++)
		rg_buf_char(&text, level_of(range, values[i]));
	rg_build_written(item, "trend", &text);
	rg_buf_release(&text);
	free(odd);
}

static void add_part(cJSON *item, const char *key, rg_name_part part)
{
	rg_build_textf(item, key, "%.*s", (int)part.length, part.text ? part.text : "");
}

static void add_row(rg_audit_page *page, cJSON *list, const rg_audit_entry *entry)
{
	cJSON *item = rg_audit_name_series(page->build, list, entry->series);
	rg_test_name name = rg_test_name_split(entry->series->file, page->context);
	char link[RG_AUDIT_LINK];

	rg_audit_page_link(link, entry);
	rg_build_text(item, "link", link);
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	rg_test_name_add(&text, entry->series->file, page->context);
	rg_build_written(item, "test", &text);
	rg_buf_release(&text);
	rg_audit_add_figure(page->build, item, "median", entry->series->noise.spread.median);
	rg_audit_add_figure(page->build, item, "max", entry->series->noise.spread.max);
	rg_build_text(item, "family", entry->family);
	rg_build_text(item, "finding", rg_audit_finding_names[entry->finding]);
	rg_build_truth(item, "look", entry->finding <= RG_FINDING_DRIFTS);
	add_part(item, "stage", name.stage);
	add_part(item, "variant", name.variant);
	rg_audit_page_add_tolerance(page, item, entry->series);
	add_trend(page, item, entry->series);
}

static void add_rows(rg_audit_page *page, cJSON *view)
{
	cJSON *list = rg_build_list(view, "rows");
	size_t shown = page->count < RG_AUDIT_ROWS ? page->count : RG_AUDIT_ROWS;

	for (size_t i = 0; i < shown; i++)
		add_row(page, list, &page->entries[i]);
	rg_build_count(view, "more_rows", page->count - shown);
}

/* --- the runs --- */

static const rg_audit_odd_run *odd_run(const rg_audit *audit, size_t run)
{
	for (size_t i = 0; i < audit->odd_count; i++)
		if (audit->odd_runs[i].run == run)
			return &audit->odd_runs[i];
	return NULL;
}

static void add_run(rg_audit_build *b, cJSON *list, size_t number, size_t breaks)
{
	const rg_audit_run *run = &b->audit->runs[number];
	const rg_audit_odd_run *odd = odd_run(b->audit, number);
	cJSON *item = rg_build_item(list);

	rg_build_count(item, "number", number + 1);
	rg_build_text(item, "run", run->id);
	rg_build_text(item, "when", run->when);
	rg_build_text(item, "branch", run->branch);
	rg_build_text(item, "commit", run->commit);
	rg_build_count(item, "breaks", breaks);
	if (!odd)
		return;
	rg_build_truth(item, "odd", true);
	rg_build_truth(item, "bad", odd->kind == RG_ODD_RUN_BAD);
	rg_build_count(item, "far", odd->series);
	rg_build_count(item, "of", odd->of);
}

static void add_runs(rg_audit_page *page, cJSON *view)
{
	const rg_audit *audit = page->build->audit;
	cJSON *list = rg_build_list(view, "runs_listed");
	size_t *breaks = rg_calloc(audit->run_count + 1, sizeof(*breaks));
	size_t from = audit->run_count > RG_AUDIT_RUNS_LISTED
			      ? audit->run_count - RG_AUDIT_RUNS_LISTED
			      : 0;

	for (size_t i = 0; i < page->count; i++)
		for (size_t k = 0; k < page->entries[i].series->break_count; k++)
			breaks[page->entries[i].series->breaks[k].at]++;
	for (size_t i = from; i < audit->run_count; i++)
		add_run(page->build, list, i, breaks[i]);
	rg_build_count(view, "older_runs", from);
	free(breaks);
}

void rg_audit_page_tell(rg_audit_build *b, cJSON *view, const rg_column_context *context,
			const rg_audit_series *const *series, size_t count)
{
	rg_audit_page page;
	rg_audit_page_make(&page, b, context, series, count);
	add_maps(&page, view);
	rg_audit_page_tell_figures(&page, view);
	add_rows(&page, view);
	add_runs(&page, view);
	rg_audit_page_release(&page);
}

/* --- the page --- */

rg_error *rg_audit_html(rg_buf *out, cJSON *story, const char *template_text)
{
	const char *text = template_text ? template_text : rg_template_text("audit.html");
	const rg_mustache_limits limits = RG_MUSTACHE_ITEMS(RG_HTML_ITEMS);

	rg_build_remove(story, "pictures");
	RG_TRY(rg_page_policy_put(story));
	return rg_error_wrap(rg_mustache_render(out, text, story, &rg_html_style, &limits),
			     "template");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_page.h"

#include "base/memory.h"
#include "report/template_data.h"

#include <stdlib.h>

/* Rows of a map, and maps. */
enum { MAP_ROWS = 60, MAPS = 8 };
/* Classes share-0 … share-20 of templates/page.css. */
enum { SHADES = 20 };

/* A family in one run. */
typedef struct {
	size_t series; /* that the run has */
	size_t far;    /* that it is far out of */
	size_t breaks; /* that begin with it */
} cell;

typedef struct {
	rg_audit_page *page;
	const rg_audit_group *group;
	size_t from;     /* the first of the group's runs that is shown */
	size_t *columns; /* by run of the audit: its place in the group */
	cell *cells;     /* of one row, by place */
} map;

/* How dark a cell is, 0 … SHADES: the share of the series, at least one shade for any. */
static size_t shade_of(const cell *c)
{
	return c->far ? (SHADES * c->far + c->series - 1) / c->series : 0;
}

static void count_series(map *m, const rg_audit_series *series)
{
	bool *far = rg_calloc(series->row_count + 1, sizeof(*far));
	rg_audit_find_far_rows(far, series);

	for (size_t i = 0; i < series->row_count; i++) {
		cell *c = &m->cells[m->columns[series->row_runs[i]]];
		c->series++;
		c->far += far[i] ? 1 : 0;
	}
	for (size_t i = 0; i < series->break_count; i++)
		m->cells[m->columns[series->breaks[i].at]].breaks++;
	free(far);
}

static void add_cell(map *m, cJSON *list, size_t place)
{
	const cell *c = &m->cells[place];
	cJSON *item = rg_build_item(list);

	rg_build_truth(item, "plain",
		       !c->far && !c->breaks && !m->page->odd[m->group->runs[place]]);
	rg_build_count(item, "shade", shade_of(c));
	rg_build_truth(item, "odd", m->page->odd[m->group->runs[place]]);
	rg_build_truth(item, "missing", !c->series);
	rg_build_count(item, "far", c->far);
	rg_build_count(item, "of", c->series);
	rg_build_count(item, "breaks", c->breaks);
}

static void add_row(map *m, cJSON *list, const rg_audit_kin *family, size_t number)
{
	cJSON *item = rg_build_item(list);
	rg_build_text(item, "family", family->entries[0]->family);
	/* Its figures, where it has any. */
	rg_build_count(item, "figures_of", number < m->page->drawn ? number + 1 : 0);
	rg_build_count(item, "series", family->count);
	for (size_t i = 0; i < m->group->run_count; i++)
		m->cells[i] = (cell){0};
	for (size_t i = 0; i < family->count; i++)
		count_series(m, family->entries[i]->series);
	cJSON *cells = rg_build_list(item, "cells");
	for (size_t i = m->from; i < m->group->run_count; i++)
		add_cell(m, cells, i);
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
		 .columns = rg_calloc(audit->run_count + 1, sizeof(*m.columns)),
		 .cells = rg_calloc(audit->groups[group].run_count + 1, sizeof(*m.cells))};
	cJSON *item = rg_build_item(list), *rows = rg_build_list(item, "rows");
	size_t more = 0, shown = 0;

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
			add_row(&m, rows, &page->families[i], i);
		else
			more++;
	}
	rg_build_count(item, "more", more);
	free(m.columns);
	free(m.cells);
}

void rg_audit_page_add_maps(rg_audit_page *page, cJSON *view)
{
	size_t count = page->build->audit->group_count;
	cJSON *list = rg_build_list(view, "maps");

	for (size_t group = 0; group < count && group < MAPS; group++)
		add_map(page, list, group);
	rg_build_count(view, "more_maps", count > MAPS ? count - MAPS : 0);
}

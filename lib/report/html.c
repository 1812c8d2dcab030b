/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html.h"

#include "base/memory.h"
#include "compare/summary.h"
#include "report/cells.h"
#include "report/html_text.h"
#include "report/mustache.h"
#include "report/review.h"
#include "report/summary_view.h"
#include "report/template_data.h"
#include "report/templates.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	const rg_html_page *page;
	rg_buf text; /* a figure at a time */
	bool failed;
} maker;

/* --- the distribution --- */

static void add_distribution(maker *m, cJSON *view)
{
	size_t counts[RG_BUCKETS];

	rg_bucket_counts(m->page->summary.comparison, counts);
	rg_svg_bars_write(&m->text, "Rows by |avg_rel_diff|", rg_bucket_names, counts, RG_BUCKETS);
	rg_build_written(&m->failed, view, "distribution", &m->text);
}

/* --- the table --- */

static void add_headings(maker *m, cJSON *table)
{
	const rg_column_list *columns = m->page->summary.columns;
	cJSON *list = rg_build_list(&m->failed, table, "columns");
	size_t i;

	for (i = 0; i < columns->count; i++) {
		cJSON *item = rg_build_item(&m->failed, list);

		rg_build_text(&m->failed, item, "name", columns->items[i]->name);
		rg_build_text(&m->failed, item, "help", columns->items[i]->help);
		rg_build_truth(&m->failed, item, "right",
			       columns->items[i]->flags & RG_COLUMN_RIGHT);
	}
}

static void add_row(maker *m, cJSON *list, const rg_row *row)
{
	const rg_column_list *columns = m->page->summary.columns;
	cJSON *item = rg_build_item(&m->failed, list);
	cJSON *cells = rg_build_list(&m->failed, item, "cells");
	size_t i;

	rg_build_truth(&m->failed, item, "look", rg_row_must_look(row));
	rg_build_truth(&m->failed, item, "own",
		       rg_refresh_is_own(m->page->summary.refresh, row->file));
	for (i = 0; i < columns->count; i++) {
		rg_cell cell = columns->items[i]->cell(row, m->page->summary.context);
		cJSON *object = rg_build_item(&m->failed, cells);

		rg_build_cell(&m->failed, object, "value", &cell);
		rg_build_truth(&m->failed, object, "right",
			       columns->items[i]->flags & RG_COLUMN_RIGHT);
	}
}

static void add_table(maker *m, cJSON *view)
{
	const rg_html_page *page = m->page;
	size_t shown = page->row_count < RG_HTML_ROWS ? page->row_count : RG_HTML_ROWS, i;
	cJSON *table, *list;

	if (!page->row_count)
		return;
	table = rg_build_object(&m->failed, view, "table");
	add_headings(m, table);
	list = rg_build_list(&m->failed, table, "rows");
	for (i = 0; i < shown && !m->failed; i++)
		add_row(m, list, page->rows[i]);
	rg_build_count(&m->failed, table, "more", page->row_count - shown);
}

/* --- curves --- */

static void add_range(maker *m, cJSON *item, const char *name, const rg_curve_side *side)
{
	char min[RG_FIGURE_SIZE], max[RG_FIGURE_SIZE];

	rg_figure_text(side->min, min);
	rg_figure_text(side->max, max);
	rg_build_textf(&m->failed, item, name, "%s … %s", min, max);
}

/* What fails here does so because memory ran out. */
static void check(maker *m, rg_error *err)
{
	m->failed |= err != NULL;
	rg_error_free(err);
}

static void add_figure(maker *m, cJSON *item, const rg_curve *curve)
{
	const rg_svg_line lines[] = {{curve->old.points, curve->old.count},
				     {curve->new_side.points, curve->new_side.count}};
	const rg_row *row = curve->row;
	char largest[RG_FIGURE_SIZE], mark[96], values[64] = "value";
	char *title = NULL;
	rg_curve_range range;
	rg_svg_plot plot = {
		.lines = lines,
		.line_count = 2,
		.whole_x = true,
		.x_label = curve->is_tensor ? "element" : "step",
		.y_label = values,
		.mark = row->n_steps && row->max_abs_rel > 0 ? (double)row->max_abs_rel_step : NAN,
		.marks = mark};

	check(m, rg_curve_measure(&range, curve));
	plot.low = range.low;
	plot.high = range.high;
	if (range.beyond)
		snprintf(values, sizeof(values), "value (%zu beyond the frame)", range.beyond);
	rg_figure_text(row->max_abs_rel, largest);
	snprintf(mark, sizeof(mark), "%s %" PRId64 ": %s", plot.x_label, row->max_abs_rel_step,
		 largest);
	check(m, rg_textf(&title, "%s in %s, old and new", row->metric, row->file));
	plot.title = title ? title : "";
	rg_svg_plot_write(&m->text, &plot);
	rg_build_written(&m->failed, item, "figure", &m->text);
	free(title);
}

static void add_curves(maker *m, cJSON *view)
{
	const rg_curve_list *curves = m->page->curves;
	cJSON *list = rg_build_list(&m->failed, view, "curves");
	size_t i;

	for (i = 0; curves && i < curves->count && !m->failed; i++) {
		const rg_curve *curve = &curves->items[i];
		cJSON *item;

		if (!curve->old.count || !curve->new_side.count)
			continue; /* its file changed or went away since */
		item = rg_build_item(&m->failed, list);
		rg_build_text(&m->failed, item, "file", curve->row->file);
		rg_build_text(&m->failed, item, "metric", curve->row->metric);
		rg_build_figure(&m->failed, item, "avg_rel_diff", curve->row->avg_rel_diff);
		rg_build_count(&m->failed, item, "n_steps", curve->row->n_steps);
		add_range(m, item, "old_range", &curve->old);
		add_range(m, item, "new_range", &curve->new_side);
		add_figure(m, item, curve);
	}
}

/* --- the page --- */

static void add_page(maker *m, cJSON *view)
{
	const rg_html_page *page = m->page;

	rg_build_text(&m->failed, view, "old_side", page->summary.old_side);
	rg_build_text(&m->failed, view, "new_side", page->summary.new_side);
	rg_build_text(&m->failed, view, "formats", page->formats);
	add_distribution(m, view);
	add_table(m, view);
	add_curves(m, view);
}

rg_error *rg_html_render(rg_buf *out, const rg_html_page *page)
{
	const char *text = page->summary.template_text ? page->summary.template_text
						       : rg_template_text("report.html");
	maker m = {.page = page};
	cJSON *view;
	rg_error *err;

	RG_TRY(rg_summary_view(&view, &page->summary));
	rg_buf_init(&m.text, RG_BUF_TEXT);
	add_page(&m, view);
	err = m.failed ? rg_error_nomem()
		       : rg_mustache_render(out, text, view, &rg_html_style, RG_HTML_ITEMS);
	rg_buf_release(&m.text);
	cJSON_Delete(view);
	return rg_error_wrap(err, "template");
}

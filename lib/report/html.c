/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html.h"

#include "base/json.h"
#include "base/shorten.h"
#include "base/utf8.h"
#include "compare/summary.h"
#include "report/cells.h"
#include "report/format_report.h"
#include "report/html_text.h"
#include "report/opaque_view.h"
#include "report/page_policy.h"
#include "report/summary_view.h"
#include "report/template_data.h"
#include "base/templates.h"

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

/* Columns of a record's name beside a curve's mark. */
enum { MARK_NAME = 40 };

static void add_distribution(maker *m, cJSON *view)
{
	const cJSON *item, *buckets = rg_json_member(view, "buckets");
	size_t counts[RG_BUCKETS] = {0}, i = 0;
	uint64_t count;

	cJSON_ArrayForEach(item, buckets)
	{
		if (i < RG_BUCKETS && rg_json_is_count(rg_json_member(item, "n"), SIZE_MAX, &count))
			counts[i] = (size_t)count;
		i++;
	}
	rg_svg_bars_write(&m->text,
			  cJSON_IsTrue(rg_json_member(view, "any_tensors"))
				  ? "Rows by size"
				  : "Rows by |avg_rel_diff|",
			  rg_bucket_names, counts, RG_BUCKETS);
	rg_build_markup(&m->failed, view, "distribution", &m->text);
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
	const rg_svg_line lines[] = {{curve->old.points, curve->old.count, false},
				     {curve->new_side.points, curve->new_side.count, false}};
	const rg_row *row = curve->row;
	char largest[RG_FIGURE_SIZE], values[64] = "value";
	rg_curve_range range;
	rg_buf title, mark;
	rg_svg_area area;
	rg_svg_plot plot = {.lines = lines,
			    .line_count = 2,
			    .whole_x = true,
			    .x_label = curve->is_tensor   ? "element"
				       : curve->by_record ? "record"
							  : "step",
			    .x_names = curve->records,
			    .x_name_count = curve->record_count,
			    .y_label = values,
			    .areas = &area,
			    .area_count = row->n_steps && row->max_abs_rel > 0 ? 1 : 0};

	check(m, rg_curve_measure(&range, curve));
	plot.low = range.low;
	plot.high = range.high;
	if (range.beyond)
		snprintf(values, sizeof(values), "value (%zu beyond the frame)", range.beyond);
	rg_figure_text(row->max_abs_rel, largest);
	rg_buf_init(&mark, RG_BUF_TEXT);
	if (row->max_abs_rel_record)
		rg_text_shorten(&mark, row->max_abs_rel_record, strlen(row->max_abs_rel_record),
				MARK_NAME);
	else
		rg_buf_printf(&mark, "%s %" PRId64, plot.x_label, row->max_abs_rel_step);
	rg_buf_printf(&mark, ": %s", largest);
	area = rg_svg_line_at((double)row->max_abs_rel_step, "mark", mark.data);
	rg_buf_init(&title, RG_BUF_TEXT);
	rg_utf8_add_valid(&title, row->metric, strlen(row->metric));
	rg_buf_str(&title, " in ");
	rg_utf8_add_valid(&title, row->file, strlen(row->file));
	rg_buf_str(&title, ", old and new");
	plot.title = title.data;
	rg_svg_plot_write(&m->text, &plot);
	m->failed |= title.state != RG_BUF_FINE || mark.state != RG_BUF_FINE;
	rg_buf_release(&mark);
	rg_build_written(&m->failed, item, "figure", &m->text);
	rg_buf_release(&title);
}

static void add_curves(maker *m, cJSON *view)
{
	const rg_curve_list *curves = m->page->curves;
	cJSON *list;
	size_t i;

	rg_build_remove(view, "curves");
	list = rg_build_list(&m->failed, view, "curves");
	for (i = 0; curves && i < curves->count && !m->failed; i++) {
		const rg_curve *curve = &curves->items[i];
		cJSON *item;

		if (!rg_curve_is_read(curve))
			continue;
		item = rg_build_item(&m->failed, list);
		rg_build_text(&m->failed, item, "file", curve->row->file);
		rg_build_text(&m->failed, item, "metric", curve->row->metric);
		rg_build_number(&m->failed, item, "avg_rel_diff", curve->row->avg_rel_diff);
		rg_build_count(&m->failed, item, "n_steps", curve->row->n_steps);
		if (curve->is_tensor)
			rg_build_truth(&m->failed, item, "tensor", true);
		if (curve->by_record)
			rg_build_truth(&m->failed, item, "by_record", true);
		add_range(m, item, "old_range", &curve->old);
		add_range(m, item, "new_range", &curve->new_side);
		add_figure(m, item, curve);
	}
}

/* --- the page --- */

/* Which may be many files'. */
static rg_error *add_formats(maker *m, cJSON *view, size_t max)
{
	rg_error *err;
	rg_buf text;

	rg_buf_init(&text, max);
	err = rg_format_reports_render(&text, m->page->formats, RG_FORMAT_REPORT_HTML, SIZE_MAX,
				       NULL);
	if (!err)
		rg_build_markup(&m->failed, view, "formats", &text);
	/* The page's policy on content lets pictures in only where there are any. */
	rg_build_remove(view, "pictures");
	rg_build_truth(&m->failed, view, "pictures", rg_opaque_view_has_pictures(m->page->formats));
	rg_buf_release(&text);
	return err;
}

static void add_page(maker *m, cJSON *view)
{
	const cJSON *rows = rg_json_member(m->page->table, "rows");

	add_distribution(m, view);
	rg_build_remove(view, "table");
	if (rows && rows->child)
		m->failed |= !cJSON_AddItemToObject(view, "table",
						    cJSON_Duplicate(m->page->table, true));
	add_curves(m, view);
}

rg_error *rg_html_render(rg_buf *out, const rg_html_page *page)
{
	const char *text = page->template_text ? page->template_text
					       : rg_template_text("report.html");
	const rg_mustache_limits limits = {
		.items = {0, RG_HTML_ITEMS, RG_HTML_ITEMS, RG_HTML_ITEMS}};
	maker m = {.page = page};
	rg_error *err;

	rg_buf_init(&m.text, RG_BUF_TEXT);
	RG_TRY(add_formats(&m, page->view, out->max));
	add_page(&m, page->view);
	err = m.failed ? rg_error_nomem() : rg_page_policy_put(page->view);
	if (!err)
		err = rg_summary_view_finish(page->view);
	if (!err)
		err = rg_mustache_render(out, text, page->view, &rg_html_style, &limits);
	rg_buf_release(&m.text);
	return rg_error_wrap(err, "template");
}

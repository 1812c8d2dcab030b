/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_page.h"
#include "base/memory.h"
#include "report/audit_report.h"
#include "report/audit_view.h"
#include "report/html.h"
#include "report/html_text.h"
#include "report/svg.h"
#include "report/template_data.h"
#include "report/test_name.h"
#include "base/templates.h"

#include <stdlib.h>

/* Runs in the list of them, the newest. */
enum { RUNS_LISTED = 1000 };

/* --- the table of series --- */

/* Its runs in a line of text. */
static void add_trend(rg_audit_page *page, cJSON *item, const rg_audit_series *series)
{
	const double *values = rg_audit_page_values(&series->all);
	size_t rows = series->row_count;
	size_t from = rows > RG_AUDIT_RUNS ? rows - RG_AUDIT_RUNS : 0;
	bool *odd = rg_calloc(rows + 1, sizeof(*odd));
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (size_t i = 0; i < rows; i++)
		odd[i] = page->odd[series->row_runs[i]];
	rg_svg_trend_write(&text, values + from, odd + from, rows - from);
	rg_build_markup(item, "trend", &text);
	rg_buf_release(&text);
	free(odd);
}

static void add_part(cJSON *item, const char *key, rg_name_part part)
{
	rg_build_textf(item, key, "%.*s", (int)part.length, part.text ? part.text : "");
}

static void add_row(rg_audit_page *page, cJSON *list, const rg_audit_entry *entry)
{
	cJSON *item = rg_audit_add_series(page->build, list, entry->series);
	rg_test_name name = rg_test_name_split(entry->series->file, page->context);
	char link[RG_AUDIT_LINK];

	rg_audit_page_link(link, entry);
	rg_build_text(item, "link", link);
	rg_build_text(item, "family", entry->family);
	rg_build_text(item, "finding", rg_audit_finding_names[entry->finding]);
	rg_build_truth(item, "look", entry->finding <= RG_FINDING_DRIFTS);
	add_part(item, "stage", name.stage);
	add_part(item, "variant", name.variant);
	rg_audit_page_add_tolerance(item, entry->series);
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
	size_t from = audit->run_count > RUNS_LISTED ? audit->run_count - RUNS_LISTED : 0;

	for (size_t i = 0; i < page->count; i++)
		for (size_t k = 0; k < page->entries[i].series->break_count; k++)
			breaks[page->entries[i].series->breaks[k].at]++;
	for (size_t i = from; i < audit->run_count; i++)
		add_run(page->build, list, i, breaks[i]);
	rg_build_count(view, "older_runs", from);
	free(breaks);
}

/* --- the page --- */

static rg_error *make_view(cJSON **out, rg_audit_build *b, const rg_column_context *context)
{
	const rg_audit_series **series;
	rg_audit_page page = {0};
	size_t count;

	rg_audit_all_series(b->audit, &series, &count);
	*out = rg_audit_view_make(b, series, count, 0);
	rg_audit_page_make(&page, b, context, series, count);
	rg_audit_page_add_maps(&page, *out);
	rg_audit_page_add_figures(&page, *out);
	add_rows(&page, *out);
	add_runs(&page, *out);
	rg_error *err = rg_page_policy_put(*out);
	rg_audit_page_release(&page);
	free(series);
	return err;
}

rg_error *rg_audit_html(rg_buf *out, const rg_audit *audit, const rg_column_context *context,
			const char *template_text)
{
	const char *text = template_text ? template_text : rg_template_text("audit.html");
	const rg_mustache_limits limits = RG_MUSTACHE_ITEMS(RG_HTML_ITEMS);
	rg_audit_build b = {.audit = audit};
	cJSON *view = NULL;
	rg_error *err = make_view(&view, &b, context);

	if (!err)
		err = rg_error_wrap(rg_mustache_render(out, text, view, &rg_html_style, &limits),
				    "template");
	cJSON_Delete(view);
	return err;
}

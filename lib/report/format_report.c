/* SPDX-License-Identifier: Apache-2.0 */
#include "report/format_report.h"

#include "report/format_view.h"
#include "report/html_text.h"
#include "report/markdown.h"
#include "report/mustache.h"
#include "report/summary_view.h"
#include "report/template_data.h"
#include "base/templates.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the keys --- */

const rg_json_field rg_format_report_fields[] = {
	RG_SAID_OF("cases", OBJECT, OPTIONAL, rg_cases_fields,
		   "Backend tests: what became of their cases."),
	RG_SAID_OF("opdiff", LIST, OPTIONAL, rg_opdiff_fields, "A file of opdiff results each."),
	RG_SAID_OF("opaque", LIST, OPTIONAL, rg_opaque_fields,
		   "An opaque golden that differs, is new or removed, each."),
	RG_SAID_OF("tables", LIST, OPTIONAL, rg_table_fields,
		   "A table whose records changed each, the largest change first."),
	{0}};

/* Items of a list, at most, and while there are files whose tables can be left out instead; files
 * that are told of without them. */
enum { LIST_MAX = 40, LIST_MIN = 5, BRIEFS_MAX = 3 };

/* Where nobody says what is written to, a table is as wide as it is. */
static const rg_table_style plain = {0};

/* How each kind is written. */
static const struct {
	const char *suffix;
	const rg_mustache_style *style;
} kinds[] = {
	[RG_FORMAT_REPORT_MARKDOWN] = {"md", &rg_markdown_style},
	[RG_FORMAT_REPORT_TERMINAL] = {"txt", NULL},
	[RG_FORMAT_REPORT_HTML] = {"html", &rg_html_style},
};

rg_error *rg_format_render(rg_buf *out, const char *name, const cJSON *view,
			   rg_format_report_kind kind, size_t cap, const rg_table_style *table)
{
	const rg_mustache_style terminal = {.escape = rg_terminal_text,
					    .code = rg_terminal_text,
					    .table = rg_table_from_lines,
					    .table_style = table ? table : &plain};
	const rg_mustache_style *style = kinds[kind].style ? kinds[kind].style : &terminal;
	const rg_mustache_limits limits = RG_MUSTACHE_ITEMS(cap);
	char file[32];

	snprintf(file, sizeof(file), "%s.%s", name, kinds[kind].suffix);
	return rg_error_wrap(rg_mustache_render(out, rg_template_text(file), view, style, &limits),
			     "template %s", file);
}

/* --- all of them --- */

/* What changed, without the tables. */
static rg_error *render_brief(rg_buf *out, cJSON *view, rg_format_report_kind kind, size_t cap)
{
	rg_build_truth(view, "brief", true);
	rg_error *err = rg_format_render(out, "opdiff", view, kind, cap, NULL);
	rg_build_remove(view, "brief");
	return err;
}

/* The cases, then `files` opdiff results and a few in brief; how many more there are is said. */
static rg_error *render_all(rg_buf *out, cJSON *formats, rg_format_report_kind kind, size_t cap,
			    size_t files, const rg_table_style *table)
{
	const cJSON *cases = rg_json_member(formats, "cases"),
		    *results = rg_json_member(formats, "opdiff");
	size_t left_out = 0, briefs = BRIEFS_MAX;
	cJSON *view;

	if (cases)
		RG_TRY(rg_format_render(out, "cases", cases, kind, cap, NULL));
	for (view = results ? results->child : NULL; view; view = view->next) {
		if (files) {
			RG_TRY(rg_format_render(out, "opdiff", view, kind, cap, table));
			files--;
		} else if (briefs) {
			RG_TRY(render_brief(out, view, kind, cap));
			briefs--;
		} else {
			left_out++;
		}
	}
	if (rg_json_member(formats, "tables") && kind == RG_FORMAT_REPORT_HTML)
		RG_TRY(rg_format_render(out, "tables", formats, kind, SIZE_MAX, NULL));
	if (rg_json_member(formats, "opaque") && kind != RG_FORMAT_REPORT_TERMINAL)
		RG_TRY(rg_format_render(out, "opaque", formats, kind,
					kind == RG_FORMAT_REPORT_HTML ? SIZE_MAX : cap, NULL));
	if (left_out)
		rg_buf_printf(out, "%zu more file%s of results %s left out here.\n\n", left_out,
			      left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are");
	return rg_buf_check(out, "the report");
}

rg_error *rg_format_reports_render(rg_buf *out, cJSON *formats, rg_format_report_kind kind,
				   size_t max, const rg_table_style *table)
{
	size_t cap = LIST_MAX, start = out->length,
	       files = (size_t)cJSON_GetArraySize(rg_json_member(formats, "opdiff"));

	for (;;) {
		RG_TRY(render_all(out, formats, kind, cap, files, table));
		if (kind != RG_FORMAT_REPORT_MARKDOWN || (!cap && !files) ||
		    out->length - start < max)
			return NULL;
		rg_buf_truncate(out, start);
		/* Some cases are worth more than another file's tables. */
		if (cap > LIST_MIN || !files)
			cap /= 2;
		else
			files /= 2;
	}
}

rg_error *rg_format_reports_read(cJSON **out, const rg_json_in *in)
{
	cJSON *formats = cJSON_GetObjectItemCaseSensitive(in->root, "formats");
	static const char *const lists[] = {"opdiff", "opaque", "tables"};
	const cJSON *part;
	size_t count;

	*out = formats;
	if (!formats)
		return NULL;
	RG_TRY(rg_json_get_object(in, in->root, "formats", &part));
	if (rg_json_member(formats, "cases"))
		RG_TRY(rg_json_get_object(in, formats, "cases", &part));
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		if (rg_json_member(formats, lists[i]))
			RG_TRY(rg_json_get_objects(in, formats, lists[i], &part, &count));
	return rg_summary_view_finish(formats);
}

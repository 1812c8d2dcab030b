/* SPDX-License-Identifier: Apache-2.0 */
#include "report/format_report.h"

#include "report/format_hooks.h"
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

/* Items of a list, at most, and while there are files whose tables can be left out instead; files
 * that are told of without them. */
enum { LIST_MAX = 40, LIST_MIN = 5, BRIEFS_MAX = 3 };

/* A table's width has no limit if nobody says what is written to. */
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

/* A list of views, a file each: `files` of them whole, a few more without their tables (in brief).
 * Returns how many are left out in *left_out. */
static rg_error *render_list(rg_buf *out, const char *name, cJSON *list, rg_format_report_kind kind,
			     size_t cap, size_t files, const rg_table_style *table,
			     size_t *left_out)
{
	size_t place = 0;
	for (cJSON *view = list->child; view; view = view->next, place++) {
		if (place < files) {
			RG_TRY(rg_format_render(out, name, view, kind, cap, table));
		} else if (place < files + BRIEFS_MAX) {
			rg_build_truth(view, "brief", true);
			rg_error *err = rg_format_render(out, name, view, kind, cap, NULL);
			rg_build_remove(view, "brief");
			RG_TRY(err);
		} else {
			++*left_out;
		}
	}
	return NULL;
}

/* Whole formats, then `files` views of those that have one for each file; how many more there are
 * is said. */
static rg_error *render_all(rg_buf *out, cJSON *formats, rg_format_report_kind kind, size_t cap,
			    size_t files, const rg_table_style *table)
{
	size_t left_out = 0;

	for (size_t i = 0; rg_format_hooks_list[i]; i++) {
		const char *name = rg_format_hooks_list[i]->name;
		cJSON *view = cJSON_GetObjectItemCaseSensitive(formats, name);
		if (cJSON_IsArray(view))
			RG_TRY(render_list(out, name, view, kind, cap, files, table, &left_out));
		else if (view)
			RG_TRY(rg_format_render(out, name, view, kind, cap, NULL));
	}
	if (rg_json_member(formats, "tables") && kind == RG_FORMAT_REPORT_HTML)
		RG_TRY(rg_format_render(out, "tables", formats, kind, SIZE_MAX, NULL));
	if (rg_json_member(formats, "opaque") && kind != RG_FORMAT_REPORT_TERMINAL)
		RG_TRY(rg_format_render(out, "opaque", formats, kind,
					kind == RG_FORMAT_REPORT_HTML ? SIZE_MAX : cap, NULL));
	if (left_out)
		rg_buf_printf(out, "%zu more file%s of results %s left out here.\n\n", left_out,
			      rg_plural(left_out), left_out == 1 ? "is" : "are");
	return rg_buf_check(out, "the report");
}

rg_error *rg_format_reports_render(rg_buf *out, cJSON *formats, rg_format_report_kind kind,
				   size_t max, const rg_table_style *table)
{
	size_t cap = LIST_MAX, start = out->length, files = 0;

	for (size_t i = 0; rg_format_hooks_list[i]; i++) {
		const cJSON *view = rg_json_member(formats, rg_format_hooks_list[i]->name);
		const size_t count = cJSON_IsArray(view) ? (size_t)cJSON_GetArraySize(view) : 0;
		files = count > files ? count : files;
	}
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
	const cJSON *part;
	size_t count;

	*out = formats;
	if (!formats)
		return NULL;
	RG_TRY(rg_json_get_object(in, in->root, "formats", &part));
	for (const rg_json_field *field = rg_format_report_fields; field->key; field++)
		if (!rg_json_member(formats, field->key))
			continue;
		else if (field->kind == RG_JSON_OBJECT)
			RG_TRY(rg_json_get_object(in, formats, field->key, &part));
		else
			RG_TRY(rg_json_get_objects(in, formats, field->key, &part, &count));
	return rg_summary_view_finish(formats);
}

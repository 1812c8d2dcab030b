/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/report_again.h"

#include "base/file.h"
#include "report/curve.h"
#include "report/format_report.h"
#include "report/html.h"
#include "report/page_table.h"
#include "report/summary_view.h"

#include <stdint.h>

static const char schema[] = "regild-compare";

#define DOCUMENT_MAX ((size_t)512 << 20)

static rg_error *read_story(rg_report_document *document)
{
	const cJSON *story;
	RG_TRY(rg_json_get_head(&document->in, schema));
	if (!rg_json_member(document->root, "story"))
		return rg_error_new(RG_E_PARSE, "it has no 'story': compare once more");
	RG_TRY(rg_json_get_object(&document->in, document->root, "story", &story));
	document->story = cJSON_GetObjectItemCaseSensitive(document->root, "story");
	rg_summary_view_move_figures(document->story, document->root);
	RG_TRY(rg_format_reports_read(&document->formats, &document->in));
	return rg_summary_view_finish(document->story);
}

rg_error *rg_report_document_parse(rg_report_document *out, const char *text, size_t size,
				   const char *path)
{
	*out = (rg_report_document){.path = path};
	rg_arena_init(&out->arena);
	rg_error *err = rg_json_parse_document(&out->root, text, size, schema);
	out->in = (rg_json_in){.root = out->root, .arena = &out->arena};
	return rg_error_wrap(err ? err : read_story(out), "%s", path);
}

rg_error *rg_report_document_read(rg_report_document *out, const char *path)
{
	rg_buf text;
	*out = (rg_report_document){0};
	rg_buf_init(&text, DOCUMENT_MAX);
	rg_error *err = rg_file_read(&text, path);
	if (!err)
		err = rg_report_document_parse(out, text.data, text.length, path);
	rg_buf_release(&text);
	return err;
}

void rg_report_document_release(rg_report_document *document)
{
	rg_arena_release(&document->arena);
	cJSON_Delete(document->root);
}

/* What became of the goldens, and where they come from; both may be missing. */
static rg_error *read_origin(rg_html_page *page, const rg_json_in *in)
{
	const cJSON *part;
	size_t count;

	if (rg_json_member(in->root, "goldens"))
		RG_TRY(rg_json_get_objects(in, in->root, "goldens", &page->goldens, &count));
	if (rg_json_member(in->root, "provenance"))
		RG_TRY(rg_json_get_object(in, in->root, "provenance", &part));
	page->provenance = cJSON_GetObjectItemCaseSensitive(in->root, "provenance");
	return NULL;
}

static rg_error *render_page(rg_buf *out, const rg_report *report, rg_report_document *document)
{
	rg_html_page page = {.view = document->story,
			     .formats = document->formats,
			     .template_text = rg_report_template_text(&report->page)};
	rg_curve_list curves = {0};
	cJSON *table = NULL;
	rg_error *err = rg_page_table_read(&table, &document->in);

	if (!err)
		err = rg_curves_read(&curves, &document->in);
	if (!err)
		err = read_origin(&page, &document->in);
	err = rg_error_wrap(err, "%s", document->path);
	page.table = table;
	page.curves = &curves;
	if (!err)
		err = rg_html_render(out, &page);
	rg_curves_release(&curves);
	cJSON_Delete(table);
	return err;
}

rg_error *rg_report_again(rg_buf *out, const rg_report *report, rg_report_document *document,
			  rg_report_kind kind)
{
	const rg_report_options *options = report->options;
	bool alone = cJSON_IsTrue(rg_json_member(document->story, "alone"));
	size_t items = options->top.given && options->top.value ? (size_t)options->top.value
								: SIZE_MAX,
	       max = rg_report_markdown_max(options, alone);

	if (kind == RG_REPORT_HTML)
		return render_page(out, report, document);
	RG_TRY(rg_format_reports_render(out, document->formats, RG_FORMAT_REPORT_MARKDOWN,
					rg_report_formats_max(max, alone), NULL));
	if (alone)
		return NULL;
	return rg_summary_render(out, document->story, rg_report_template_text(&report->summary),
				 max, items);
}

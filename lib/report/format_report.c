/* SPDX-License-Identifier: Apache-2.0 */
#include "report/format_report.h"

#include "base/json.h"
#include "report/format_view.h"
#include "report/html_text.h"
#include "report/markdown.h"
#include "report/opaque_view.h"
#include "report/mustache.h"
#include "report/summary_view.h"
#include "report/svg.h"
#include "report/table.h"
#include "report/template_data.h"
#include "base/templates.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Items of a list, at most, and while there are files that can be left out instead. */
enum { LIST_MAX = 40, LIST_MIN = 5 };

static const rg_mustache_style terminal_style = {.escape = rg_terminal_text,
						 .code = rg_terminal_text};

/* How each kind is written. */
static const struct {
	const char *suffix;
	const rg_mustache_style *style;
} kinds[] = {
	[RG_FORMAT_REPORT_MARKDOWN] = {"md", &rg_markdown_style},
	[RG_FORMAT_REPORT_TERMINAL] = {"txt", &terminal_style},
	[RG_FORMAT_REPORT_HTML] = {"html", &rg_html_style},
};

/* `cap`: items of each list that may be cut. */
static rg_error *render(rg_buf *out, const cJSON *view, const char *name,
			rg_format_report_kind kind, size_t cap)
{
	const rg_mustache_limits limits = RG_MUSTACHE_ITEMS(cap);
	char file[32];

	snprintf(file, sizeof(file), "%s.%s", name, kinds[kind].suffix);
	return rg_error_wrap(
		rg_mustache_render(out, rg_template_text(file), view, kinds[kind].style, &limits),
		"template %s", file);
}

rg_error *rg_cases_render(rg_buf *out, const cJSON *view, rg_format_report_kind kind, size_t cap)
{
	return render(out, view, "cases", kind, cap);
}

/* --- figures of times --- */

/* As many lines as the page has colours for. */
enum { LINES_MAX = 8 };

/* The share of ratios up to each that is drawn, from 0 on. The points are the caller's to free,
 * whatever comes back. */
static rg_error *distribution_line(rg_svg_line *line, rg_svg_point **owned, const cJSON *ratios)
{
	const cJSON *drawn = rg_json_member(ratios, "drawn"), *item;
	size_t count = (size_t)cJSON_GetArraySize(drawn), i = 0;
	rg_svg_point *points = malloc((count + 1) * sizeof(*points));
	uint64_t n;

	*owned = points;
	if (!points)
		return rg_error_nomem();
	if (!rg_json_is_count(rg_json_member(ratios, "n"), SIZE_MAX, &n) || !n)
		return NULL;
	cJSON_ArrayForEach(item, drawn)
	{
		double x = cJSON_IsNumber(item) ? item->valuedouble : NAN;
		size_t at = rg_opdiff_drawn(i, (size_t)n);

		if (!i)
			points[0] = (rg_svg_point){x, 0};
		points[++i] = (rg_svg_point){x, (double)(at + 1) / (double)n};
	}
	*line = (rg_svg_line){points, i ? i + 1 : 0};
	return NULL;
}

/* The cumulative distributions of several lists of ratios, as a figure called `name`; an empty one
 * where there are no ratios. */
static rg_error *put_distribution(bool *failed, cJSON *object, const char *name, const char *title,
				  const cJSON *const *ratios, size_t count)
{
	rg_svg_line lines[LINES_MAX] = {{0}};
	rg_svg_point *points[LINES_MAX] = {0};
	const rg_svg_plot plot = {.lines = lines,
				  .line_count = count,
				  .title = title,
				  .x_label = "time ratio (log)",
				  .y_label = "share of operators",
				  .log_x = true,
				  .mark = 1,
				  .marks = "equal"};
	size_t i, total = 0;
	rg_error *err = NULL;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (i = 0; i < count && !err; i++) {
		err = distribution_line(&lines[i], &points[i], ratios[i]);
		total += lines[i].count;
	}
	if (!err && total)
		rg_svg_plot_write(&text, &plot);
	if (!err)
		err = rg_buf_check(&text, title);
	if (!err)
		rg_build_markup(failed, object, name, &text);
	for (i = 0; i < count; i++)
		free(points[i]);
	rg_buf_release(&text);
	return err;
}

/* The columns from *column on, as many as a figure has colours for, with a legend. */
static rg_error *put_baseline_figure(bool *failed, cJSON *list, const cJSON **column)
{
	const cJSON *ratios[LINES_MAX];
	cJSON *figure = rg_build_item(failed, list),
	      *legend = rg_build_list(failed, figure, "legend");
	size_t count = 0;

	for (; *column && count < LINES_MAX; *column = (*column)->next) {
		const char *backend = cJSON_GetStringValue(rg_json_member(*column, "backend"));
		const char *side = cJSON_GetStringValue(rg_json_member(*column, "side"));
		cJSON *item = rg_build_item(failed, legend);

		rg_build_count(failed, item, "line", count);
		rg_build_textf(failed, item, "name", "%s (%s)", backend ? backend : "",
			       side ? side : "");
		ratios[count++] = *column;
	}
	return put_distribution(failed, figure, "figure",
				"Cumulative distribution of times to the baseline's", ratios,
				count);
}

/* Figures of times: each column to its baseline, and the new side to the old one. */
static rg_error *put_figures(cJSON *view)
{
	const cJSON *both = rg_json_member(view, "new_to_old"),
		    *columns = rg_json_member(view, "columns"),
		    *column = columns ? columns->child : NULL;
	bool failed = false;
	cJSON *list;

	rg_build_remove(view, "baseline_figures");
	list = rg_build_list(&failed, view, "baseline_figures");
	while (column)
		RG_TRY(put_baseline_figure(&failed, list, &column));
	RG_TRY(put_distribution(&failed, view, "new_to_old_figure",
				"Cumulative distribution of new times to old ones", &both, 1));
	return failed ? rg_error_nomem() : NULL;
}

rg_error *rg_opdiff_render(rg_buf *out, cJSON *view, rg_format_report_kind kind, size_t cap)
{
	if (kind == RG_FORMAT_REPORT_HTML)
		RG_TRY(put_figures(view));
	return render(out, view, "opdiff", kind, cap);
}

rg_error *rg_opaque_render(rg_buf *out, cJSON *formats, rg_format_report_kind kind, size_t cap)
{
	rg_error *err;

	if (kind != RG_FORMAT_REPORT_MARKDOWN)
		return render(out, formats, "opaque", kind, SIZE_MAX);
	err = rg_opaque_view_fence(formats, cap);
	if (!err)
		err = render(out, formats, "opaque", kind, cap);
	rg_opaque_view_unfence(formats);
	return err;
}

/* --- all of them --- */

/* The cases, then `files` opdiff results; how many more there are is said. */
static rg_error *render_all(rg_buf *out, cJSON *formats, rg_format_report_kind kind, size_t cap,
			    size_t files)
{
	const cJSON *cases = rg_json_member(formats, "cases"),
		    *results = rg_json_member(formats, "opdiff");
	size_t left_out = 0;
	cJSON *view;

	if (cases)
		RG_TRY(rg_cases_render(out, cases, kind, cap));
	for (view = results ? results->child : NULL; view; view = view->next) {
		if (!files)
			left_out++;
		else if (files--)
			RG_TRY(rg_opdiff_render(out, view, kind, cap));
	}
	if (rg_json_member(formats, "opaque") && kind != RG_FORMAT_REPORT_TERMINAL)
		RG_TRY(rg_opaque_render(out, formats, kind, cap));
	if (left_out)
		rg_buf_printf(out, "%zu more file%s of results %s left out here.\n\n", left_out,
			      left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are");
	return rg_buf_check(out, "the report");
}

rg_error *rg_format_reports_render(rg_buf *out, cJSON *formats, rg_format_report_kind kind,
				   size_t max)
{
	size_t cap = LIST_MAX, start = out->length,
	       files = (size_t)cJSON_GetArraySize(rg_json_member(formats, "opdiff"));

	for (;;) {
		RG_TRY(render_all(out, formats, kind, cap, files));
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
	if (rg_json_member(formats, "cases"))
		RG_TRY(rg_json_get_object(in, formats, "cases", &part));
	if (rg_json_member(formats, "opdiff"))
		RG_TRY(rg_json_get_objects(in, formats, "opdiff", &part, &count));
	if (rg_json_member(formats, "opaque"))
		RG_TRY(rg_json_get_objects(in, formats, "opaque", &part, &count));
	return rg_summary_view_finish(formats);
}

#include "report/format_report.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "report/html_text.h"
#include "report/markdown.h"
#include "report/mustache.h"
#include "report/svg.h"
#include "report/templates.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* cJSON says that memory ran out by returning NULL; the first time is remembered. */
typedef struct {
	bool failed;
} maker;

static cJSON *put(maker *m, cJSON *object, const char *name, cJSON *value)
{
	if (!object || !value ||
	    !(name ? cJSON_AddItemToObject(object, name, value)
		   : cJSON_AddItemToArray(object, value))) {
		cJSON_Delete(value);
		m->failed = true;
		return NULL;
	}
	return value;
}

static void put_text(maker *m, cJSON *object, const char *name, const char *text)
{
	put(m, object, name, cJSON_CreateString(text));
}

static void put_textf(maker *m, cJSON *object, const char *name, const char *format, ...)
	RG_PRINTF(4, 5);

static void put_textf(maker *m, cJSON *object, const char *name, const char *format, ...)
{
	rg_error *err;
	va_list args;
	char *text;

	va_start(args, format);
	err = rg_vtextf(&text, format, args);
	va_end(args);
	if (err)
		m->failed = true;
	else
		put_text(m, object, name, text);
	rg_error_free(err);
	free(text);
}

static void put_count(maker *m, cJSON *object, const char *name, size_t count)
{
	put_textf(m, object, name, "%zu", count);
}

/* For sections: a text of "0" is true in Mustache, the number is not. */
static void put_any(maker *m, cJSON *object, const char *name, size_t count)
{
	put(m, object, name, cJSON_CreateNumber((double)count));
}

static cJSON *put_list(maker *m, cJSON *object, const char *name)
{
	return put(m, object, name, cJSON_CreateArray());
}

static cJSON *put_item(maker *m, cJSON *list)
{
	return put(m, list, NULL, cJSON_CreateObject());
}

static void write_safe(rg_buf *out, const char *text, size_t length)
{
	rg_utf8_add_safe(out, text, length);
}

/* How each kind is written. */
static const struct {
	const char *suffix;
	rg_escape_fn *escape;
	rg_mustache_filter filters[2];
} kinds[] = {
	[RG_FORMAT_REPORT_MARKDOWN] = {"md", rg_markdown_text, {{"code", rg_markdown_code}, {0}}},
	[RG_FORMAT_REPORT_TERMINAL] = {"txt", write_safe, {{"code", write_safe}, {0}}},
	[RG_FORMAT_REPORT_HTML] = {"html", rg_html_text, {{"code", rg_html_code}, {0}}},
};

static rg_error *render(rg_buf *out, cJSON *view, const maker *m, const char *name,
			rg_format_report_kind kind)
{
	rg_error *err;
	char *file;

	if (m->failed) {
		cJSON_Delete(view);
		return rg_error_nomem();
	}
	err = rg_textf(&file, "%s.%s", name, kinds[kind].suffix);
	if (!err) {
		err = rg_mustache_render(out, rg_template_text(file), view, kinds[kind].escape,
					 kinds[kind].filters);
		err = rg_error_wrap(err, "template %s", file);
	}
	free(file);
	cJSON_Delete(view);
	return err;
}

/* --- backend tests --- */

static const struct {
	const char *name, *title;
} change_names[RG_CASE_CHANGES] = {
	[RG_CASE_NEWLY_FAILING] = {"newly", "Newly failing"},
	[RG_CASE_FIXED] = {"fixed", "Fixed"},
	[RG_CASE_STILL_FAILING] = {"still", "Still failing"},
	[RG_CASE_NEW] = {"added", "New"},
	[RG_CASE_GONE] = {"gone", "Gone"},
	[RG_CASE_OTHER] = {"other", "Changed otherwise"},
};

static void put_result(maker *m, cJSON *object, const char *name, const rg_case *c)
{
	if (!c)
		put_text(m, object, name, "-");
	else
		put_textf(m, object, name, "%s%s%s", rg_case_result_text(c->result),
			  *c->detail ? ": " : "", c->detail);
}

static void put_change(maker *m, cJSON *list, const rg_case_change *change)
{
	const rg_case *c = change->new ? change->new : change->old;
	cJSON *item = put_item(m, list);

	put_text(m, item, "flow", *c->flow ? c->flow : "-");
	put_textf(m, item, "test", "%s%s%s", c->test_id, *c->subtest ? "/" : "", c->subtest);
	put_result(m, item, "before", change->old);
	put_result(m, item, "now", change->new);
}

/* The changes of one kind, which stand together from `*at` on. */
static void put_changes(maker *m, cJSON *lists, const rg_case_comparison *c,
			rg_case_change_kind kind, size_t *at, size_t cap)
{
	cJSON *list, *items;
	size_t i;

	if (!c->counts[kind])
		return;
	list = put_item(m, lists);
	items = put_list(m, list, "items");
	put_text(m, list, "title", change_names[kind].title);
	put_count(m, list, "count", c->counts[kind]);
	for (i = 0; i < c->counts[kind]; i++)
		if (i < cap)
			put_change(m, items, &c->changes[*at + i]);
	put_any(m, list, "more", c->counts[kind] > cap ? c->counts[kind] - cap : 0);
	*at += c->counts[kind];
}

static void put_counts(maker *m, cJSON *object, const char *name, const rg_case_counts *counts)
{
	cJSON *item = put(m, object, name, cJSON_CreateObject());
	double rate = rg_case_pass_rate(counts);

	put_count(m, item, "passed", counts->passed);
	put_count(m, item, "failed", counts->failed);
	put_count(m, item, "skipped", counts->skipped);
	put_count(m, item, "run", counts->passed + counts->failed);
	if (isnan(rate))
		put_text(m, item, "rate", "-");
	else
		put_textf(m, item, "rate", "%.1f %%", 100 * rate);
}

static void put_groups(maker *m, cJSON *view, const char *name, const rg_case_group *groups,
		       size_t count, size_t cap)
{
	cJSON *all = put(m, view, name, cJSON_CreateObject());
	cJSON *items = put_list(m, all, "items");
	size_t i, k;

	put_any(m, all, "any", count);
	for (i = 0; i < count && i < cap; i++) {
		cJSON *item = put_item(m, items);

		put_text(m, item, "name", *groups[i].name ? groups[i].name : "-");
		put_text(m, item, "detail", *groups[i].detail ? groups[i].detail : "-");
		put_counts(m, item, "old", &groups[i].old);
		put_counts(m, item, "new", &groups[i].new);
		for (k = 0; k < RG_CASE_CHANGES; k++)
			put_count(m, item, change_names[k].name, groups[i].changes[k]);
	}
	put_any(m, all, "more", count > cap ? count - cap : 0);
}

rg_error *rg_cases_render(rg_buf *out, const rg_case_comparison *comparison,
			  rg_format_report_kind kind, size_t cap)
{
	maker m = {0};
	cJSON *view = cJSON_CreateObject(), *lists = put_list(&m, view, "lists");
	size_t at = 0;
	int k;

	for (k = 0; k < RG_CASE_CHANGES; k++) {
		put_count(&m, view, change_names[k].name, comparison->counts[k]);
		put_changes(&m, lists, comparison, (rg_case_change_kind)k, &at, cap);
	}
	put_counts(&m, view, "old", &comparison->old);
	put_counts(&m, view, "new", &comparison->new);
	put_groups(&m, view, "failures", comparison->failures, comparison->failure_count, cap);
	put_groups(&m, view, "flows", comparison->flows, comparison->flow_count, cap);
	put_groups(&m, view, "params", comparison->params, comparison->param_count, cap);
	return render(out, view, &m, "cases", kind);
}

/* --- opdiff --- */

static void put_ratio(maker *m, cJSON *object, const char *name, double value)
{
	if (isnan(value))
		put_text(m, object, name, "-");
	else
		put_textf(m, object, name, "%.3f", value);
}

static void put_ratios(maker *m, cJSON *object, const rg_opdiff_ratios *r)
{
	cJSON *quantiles = put_list(m, object, "quantiles");
	size_t i;

	put_count(m, object, "n", r->count);
	put_ratio(m, object, "geometric_mean", r->geometric_mean);
	put_ratio(m, object, "median", r->median);
	put_ratio(m, object, "p90", r->p90);
	if (isnan(r->share_faster))
		put_text(m, object, "faster", "-");
	else
		put_textf(m, object, "faster", "%.1f %%", 100 * r->share_faster);
	for (i = 0; i < RG_OPDIFF_QUANTILES; i++)
		put_ratio(m, put_item(m, quantiles), "value", r->quantiles[i]);
}

static void put_cells(maker *m, cJSON *object, const char *name, const size_t *counts, size_t n)
{
	cJSON *cells = put_list(m, object, name);
	size_t i, total = 0;

	for (i = 0; i < n; i++)
		total += counts[i];
	for (i = 0; i < n; i++) {
		cJSON *item = put_item(m, cells);

		put_count(m, item, "n", counts[i]);
		put_textf(m, item, "share", "%.0f",
			  total ? 100.0 * (double)counts[i] / (double)total : 0);
	}
}

static void put_heads(maker *m, cJSON *view)
{
	cJSON *list = put_list(m, view, "status_heads");
	size_t i;

	for (i = 0; i < RG_OPDIFF_STATUSES; i++)
		put_text(m, put_item(m, list), "name", rg_opdiff_status_text((rg_opdiff_status)i));
	list = put_list(m, view, "code_heads");
	for (i = 0; i < RG_OPDIFF_CODES; i++)
		put_text(m, put_item(m, list), "name", rg_opdiff_code_text((rg_opdiff_code)i));
	list = put_list(m, view, "bucket_heads");
	for (i = 0; i < RG_OPDIFF_BUCKETS; i++)
		put_text(m, put_item(m, list), "name", rg_opdiff_bucket_names[i]);
	list = put_list(m, view, "quantile_heads");
	for (i = 0; i < RG_OPDIFF_QUANTILES; i++)
		put_textf(m, put_item(m, list), "name", "%g %%", 100 * rg_opdiff_quantiles[i]);
}

static const char *const figure_names[RG_OPDIFF_FIGURES] = {"max_abs", "mse", "mean_abs"};

static size_t put_column(maker *m, cJSON *columns, const rg_opdiff_column *column)
{
	cJSON *item = put_item(m, columns), *figures = put_list(m, item, "figures");
	size_t i, codes = 0;

	put_text(m, item, "side", column->new_side ? "new" : "old");
	put_text(m, item, "backend", column->backend);
	put_cells(m, item, "statuses", column->statuses, RG_OPDIFF_STATUSES);
	put_cells(m, item, "codes", column->codes, RG_OPDIFF_CODES);
	for (i = 0; i < RG_OPDIFF_FIGURES; i++) {
		cJSON *figure = put_item(m, figures);

		put_text(m, figure, "figure", figure_names[i]);
		put_cells(m, figure, "buckets", column->buckets[i], RG_OPDIFF_BUCKETS);
	}
	put_ratios(m, item, &column->to_baseline);
	for (i = 0; i < RG_OPDIFF_CODES; i++)
		codes += column->codes[i];
	return codes;
}

/* As many lines as the page has colours for. */
enum { LINES_MAX = 8, STEPS_MAX = 400 };

/* The share of ratios up to each, from 0 on: every one of them, or STEPS_MAX evenly taken. The
 * points are the caller's to free, whatever comes back. */
static rg_error *distribution_line(rg_svg_line *line, rg_svg_point **owned,
				   const rg_opdiff_ratios *r)
{
	size_t count = r->count < STEPS_MAX ? r->count : STEPS_MAX, i;
	rg_svg_point *points = malloc((count + 1) * sizeof(*points));

	*owned = points;
	if (!points)
		return rg_error_nomem();
	if (count)
		points[0] = (rg_svg_point){r->sorted[0], 0};
	for (i = 0; i < count; i++) {
		size_t at = count > 1 ? (size_t)((double)i * (double)(r->count - 1) /
						 (double)(count - 1))
				      : 0;

		points[i + 1] = (rg_svg_point){r->sorted[at], (double)(at + 1) / (double)r->count};
	}
	*line = (rg_svg_line){points, count ? count + 1 : 0};
	return NULL;
}

/* The cumulative distributions of several lists of ratios, as a figure called `name`; nothing where
 * there are no ratios. */
static rg_error *put_distribution(maker *m, cJSON *object, const char *name, const char *title,
				  const rg_opdiff_ratios *const *ratios, size_t count)
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
		total += ratios[i]->count;
		err = distribution_line(&lines[i], &points[i], ratios[i]);
	}
	if (!err && total)
		rg_svg_plot_write(&text, &plot);
	if (!err)
		err = rg_buf_check(&text, title);
	if (!err && total)
		put_text(m, object, name, text.data);
	for (i = 0; i < count; i++)
		free(points[i]);
	rg_buf_release(&text);
	return err;
}

/* The columns from `from` on, as many as a figure has colours for, with a legend. */
static rg_error *put_baseline_figure(maker *m, cJSON *list, const rg_opdiff_comparison *comparison,
				     size_t from)
{
	const rg_opdiff_ratios *ratios[LINES_MAX];
	cJSON *figure = put_item(m, list), *legend = put_list(m, figure, "legend");
	size_t count = 0;

	while (from + count < comparison->column_count && count < LINES_MAX) {
		const rg_opdiff_column *column = &comparison->columns[from + count];
		cJSON *item = put_item(m, legend);

		put_count(m, item, "line", count);
		put_textf(m, item, "name", "%s (%s)", column->backend,
			  column->new_side ? "new" : "old");
		ratios[count++] = &column->to_baseline;
	}
	return put_distribution(m, figure, "figure",
				"Cumulative distribution of times to the baseline's", ratios,
				count);
}

/* Figures of times: each column to its baseline, and the new side to the old one. */
static rg_error *put_figures(maker *m, cJSON *view, const rg_opdiff_comparison *comparison)
{
	const rg_opdiff_ratios *both = &comparison->new_to_old;
	cJSON *list = put_list(m, view, "baseline_figures");
	size_t from;

	for (from = 0; from < comparison->column_count; from += LINES_MAX)
		RG_TRY(put_baseline_figure(m, list, comparison, from));
	return put_distribution(m, view, "new_to_old_figure",
				"Cumulative distribution of new times to old ones", &both, 1);
}

rg_error *rg_opdiff_render(rg_buf *out, const rg_opdiff_comparison *comparison, const char *title,
			   rg_format_report_kind kind, size_t cap)
{
	maker m = {0};
	cJSON *view = cJSON_CreateObject(), *list = put_list(&m, view, "changes");
	cJSON *columns = put_list(&m, view, "columns"), *ratios;
	rg_error *err = NULL;
	size_t i, codes = 0;

	put_text(&m, view, "title", title);
	put_count(&m, view, "worse", comparison->worse);
	put_count(&m, view, "better", comparison->better);
	put_count(&m, view, "old_only", comparison->old_only);
	put_count(&m, view, "new_only", comparison->new_only);
	put_any(&m, view, "any_changes", comparison->change_count);
	for (i = 0; i < comparison->change_count && i < cap; i++) {
		const rg_opdiff_change *change = &comparison->changes[i];
		cJSON *item = put_item(&m, list);

		put_text(&m, item, "id", change->id);
		put_text(&m, item, "backend", change->backend);
		put_text(&m, item, "before", rg_opdiff_status_text(change->old));
		put_text(&m, item, "now", rg_opdiff_status_text(change->new));
	}
	put_any(&m, view, "more",
		comparison->change_count > cap ? comparison->change_count - cap : 0);
	put_any(&m, view, "columns_more", comparison->columns_left_out);
	put_heads(&m, view);
	for (i = 0; i < comparison->column_count; i++)
		codes += put_column(&m, columns, &comparison->columns[i]);
	put_any(&m, view, "any_codes", codes);
	ratios = put(&m, view, "new_to_old", cJSON_CreateObject());
	put_ratios(&m, ratios, &comparison->new_to_old);
	if (kind == RG_FORMAT_REPORT_HTML)
		err = put_figures(&m, view, comparison);
	if (err) {
		cJSON_Delete(view);
		return err;
	}
	return render(out, view, &m, "opdiff", kind);
}

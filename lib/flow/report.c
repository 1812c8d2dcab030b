/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/settings.h"
#include "flow/worst_curves.h"
#include "base/memory.h"
#include "flow/report.h"

#include "base/file.h"
#include "base/json.h"
#include "report/audit_report.h"
#include "report/cells.h"
#include "story/summary.h"
#include "report/format_report.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/models_view.h"
#include "report/mustache.h"
#include "report/new_runs.h"
#include "report/annotations.h"
#include "report/blocks.h"
#include "report/commit_message.h"
#include "report/shown_rows.h"
#include "report/summary_view.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
	TEMPLATE_MAX = 1 << 20,
	ROWS_SHOWN = 20, /* without --top */
};

/* --- before the comparison --- */

/* The template that the option names, else the setting. */
static rg_error *read_template(const rg_flow *flow, rg_report_template *out, const char *given,
			       const char *option_name, const char *setting)
{
	const char *name = given;
	rg_error *err = given ? rg_error_wrap(rg_file_read(&out->text, given), "%s", option_name)
			      : rg_flow_read_setting(flow, setting, &out->text, &name);

	out->given = name != NULL;
	if (err || !name)
		return err;
	/* An error in it is reported now, not after the work. */
	return rg_error_wrap(rg_mustache_check(out->text.data), "%s: %s",
			     given ? option_name : setting, name);
}

rg_error *rg_report_prepare(rg_report *out, const rg_flow *flow, const rg_report_options *options)
{
	*out = (rg_report){.options = options, .context = rg_columns_of(flow->config)};
	rg_buf_init(&out->summary.text, TEMPLATE_MAX);
	rg_buf_init(&out->page.text, TEMPLATE_MAX);
	if (options->threshold.given && options->threshold.value < 0)
		return rg_error_new(RG_E_USAGE, "--threshold: less than 0");
	RG_TRY(rg_error_wrap(rg_columns_parse(&out->columns, options->columns), "--columns"));
	/* A column that does not exist is reported now, not after the work. */
	if (options->sort)
		RG_TRY(rg_error_wrap(rg_rows_sort(NULL, 0, options->sort, &out->context),
				     "--sort"));
	const bool markdown = options->files[RG_REPORT_MARKDOWN] || options->step_summary;

	if (options->template_file && !markdown)
		return rg_error_new(RG_E_USAGE, "--template goes with --markdown");
	if (options->max_chars.given && !markdown)
		return rg_error_new(RG_E_USAGE, "--max-chars goes with --markdown");
	if (options->html_template_file && !options->files[RG_REPORT_HTML])
		return rg_error_new(RG_E_USAGE, "--html-template goes with --html");
	if (markdown)
		RG_TRY(read_template(flow, &out->summary, options->template_file, "--template",
				     "regild.template"));
	return options->files[RG_REPORT_HTML]
		       ? read_template(flow, &out->page, options->html_template_file,
				       "--html-template", "regild.htmlTemplate")
		       : NULL;
}

void rg_report_release(rg_report *report)
{
	cJSON_Delete(report->provenance);
	cJSON_Delete(report->formats);
	rg_story_release(&report->story);
	free(report->own);
	free(report->curves.items);
	rg_without_test_rows_release(&report->told);
	rg_buf_release(&report->page.text);
	rg_buf_release(&report->summary.text);
}

/* --- after the comparison --- */

/* A user who asks for all rows gets the rows of tests, too. */
static bool wants_all_rows(const rg_report_options *options)
{
	return options->columns || options->sort || options->threshold.given ||
	       (options->top.given && !options->top.value);
}

static rg_summary summary_of(const rg_report *report)
{
	const char *message = report->options->files[RG_REPORT_MESSAGE];
	return (rg_summary){.comparison = &report->result->comparison,
			    .new_runs = &report->result->new_runs,
			    .policy = report->policy,
			    .broken = &report->result->groups,
			    .run = report->run,
			    .old_side = report->result->old_side,
			    .new_side = report->result->new_side,
			    .old_commit = report->result->old_commit,
			    .new_commit = report->result->new_commit,
			    .filter = report->result->filter,
			    .only_review = report->result->only_review,
			    .dry_run = report->dry_run,
			    .refresh = report->refresh,
			    .command = report->command,
			    .message = message && strcmp(message, "-") != 0 ? message : NULL,
			    .alone = report->alone,
			    .root = report->without_repository ? NULL : report->context.root,
			    .context = &report->context};
}

rg_error *rg_report_work_out(rg_report *report)
{
	const rg_comparison *comparison = &report->result->comparison;
	report->about = summary_of(report);
	rg_test_rows_count(&report->about.tests, comparison);
	if (report->about.tests.any && !wants_all_rows(report->options)) {
		report->about.comparison = &report->told;
		rg_without_test_rows(&report->told, comparison);
	}
	RG_TRY(rg_format_reports_view(&report->formats, &report->result->reports, comparison));
	RG_TRY(rg_provenance_view(&report->provenance, &report->from));
	RG_TRY(rg_story_make(&report->story, &report->about));
	/* A story may be told without the rows of tests. */
	const rg_comparison *all = &report->result->comparison, *c = report->about.comparison;
	RG_AUTO_FREE const rg_story_place **places = rg_calloc(all->row_count + 1, sizeof(*places));
	size_t k = 0;

	report->own = rg_malloc((c->row_count + 1) * sizeof(*report->own));
	for (size_t i = 0; i < all->row_count; i++) {
		if (c != all && rg_is_test_row(all, &all->rows[i]))
			continue;
		places[i] = &report->story.places[k];
		report->own[k++] = &all->rows[i];
	}
	rg_worst_curves_order(&report->curves, &report->result->curves, places, all);
	return NULL;
}

/* --- the terminal's table --- */

static bool comes_first(const rg_row *row, const rg_row *gap)
{
	if (row->file_index != gap->file_index)
		return row->file_index < gap->file_index;
	return strcmp(row->metric, gap->metric) < 0;
}

/* All rows, and in their places the metrics that differ without any step that counts: a file of
 * rows leaves out nothing that differs on both sides. */
static const rg_row **csv_rows(const rg_report *report, size_t *count)
{
	const rg_comparison *c = &report->result->comparison;
	const rg_row **found =
		rg_malloc((c->row_count + c->gap_count + 1) * sizeof(const rg_row *));
	size_t i = 0;

	*count = 0;
	for (size_t k = 0; k < c->gap_count; k++) {
		const rg_row *gap = &c->gaps[k];
		if (gap->gap != RG_GAP_NO_STEPS || !gap->values_differ)
			continue;
		while (i < c->row_count && comes_first(&c->rows[i], gap))
			found[(*count)++] = &c->rows[i++];
		found[(*count)++] = gap;
	}
	while (i < c->row_count)
		found[(*count)++] = &c->rows[i++];
	return found;
}

static size_t top_of(const rg_report_options *options)
{
	return options->top.given ? (size_t)options->top.value : ROWS_SHOWN;
}

/* With columns or an order that were asked for, rows are one below the other. */
static bool has_models(const rg_report *report)
{
	return report->story.models.count && !report->options->columns && !report->options->sort;
}

static rg_error *append_exact_rows(rg_buf *text, const rg_report *report,
				   const rg_table_style *style)
{
	const rg_shown_options wanted = {.kind = RG_ROW_EXACT,
					 .without_models = has_models(report),
					 .top = top_of(report->options),
					 .review = report->result->only_review,
					 .story = &report->story};
	rg_column_context context = report->context;
	rg_column_list columns;
	RG_AUTO(rg_shown_rows) shown = {0};

	context.brief = !report->options->details;
	RG_TRY(rg_shown_rows_find(&shown, &wanted));
	RG_TRY(rg_columns_parse(&columns, rg_shown_rows_exact_columns(&shown)));
	shown.unchanged = 0; /* the heading has it */
	if (!shown.count)
		return NULL;
	rg_shown_rows_say_exact(text, &shown, &wanted);
	RG_TRY(rg_rows_table(
		text,
		&(rg_table_rows){.rows = shown.rows, .looks = shown.looks, .count = shown.count},
		&columns, &context, style));
	rg_shown_rows_say_rest(text, &shown);
	return NULL;
}

static rg_error *append_column(rg_column_list *out, const char *name)
{
	return rg_column_find(&out->items[out->count++], name, strlen(name));
}

/* The columns of a table for people: with the checks (of rows that --filter took by these: why they
 * fail) and the verdict where rows have them, unless columns were named. */
static rg_error *table_columns(rg_column_list *out, const rg_report *report)
{
	const rg_comparison *c = &report->result->comparison;
	bool checks = false, reasons = false, verdicts = false;

	*out = report->columns;
	if (report->options->columns)
		return NULL;
	RG_TRY(rg_columns_parse(out, RG_COLUMNS_FOR_PEOPLE));
	for (size_t i = 0; i < c->row_count; i++) {
		checks |= c->rows[i].checks_text != NULL;
		reasons |= c->rows[i].check_reason && report->result->by_checks;
		verdicts |= c->rows[i].verdict.kind != RG_VERDICT_NONE;
	}
	if (checks)
		RG_TRY(append_column(out, reasons ? "check_reason" : "checks"));
	return verdicts ? append_column(out, "verdict") : NULL;
}

/* A table of the series rows over a threshold, `top` of them (0: all), and how many more there are.
 */
static rg_error *append_series_rows(rg_buf *text, const rg_report *report, double threshold,
				    size_t top, const rg_table_style *style)
{
	const rg_shown_options wanted = {.kind = RG_ROW_SERIES,
					 .without_models = has_models(report),
					 .threshold = threshold,
					 .top = top,
					 .sort = report->options->sort,
					 .review = report->result->only_review,
					 .story = &report->story};
	rg_column_list columns;
	RG_AUTO(rg_shown_rows) shown = {0};

	RG_TRY(table_columns(&columns, report));
	RG_TRY(rg_shown_rows_find(&shown, &wanted));
	if (shown.count)
		RG_TRY(rg_rows_table(text,
				     &(rg_table_rows){shown.rows, shown.looks, shown.count,
						      report->result->comparison.checks},
				     &columns, &report->context, style));
	rg_shown_rows_say_rest(text, &shown);
	return NULL;
}

/* Parts that are not empty have an empty line between them. */
static void append_part(rg_buf *out, const rg_buf *part)
{
	if (out->length && part->length)
		rg_buf_char(out, '\n');
	rg_buf_add(out, part->data, part->length);
	rg_buf_inherit(out, part);
}

/* The tables below the blocks: of formats, of rows and of new runs. */
static rg_error *append_tables_of_all(rg_buf *text, const rg_report *report,
				      const rg_table_style *style)
{
	const rg_new_runs *runs = &report->result->new_runs;

	RG_TRY(rg_format_reports_render(text, report->formats, RG_FORMAT_REPORT_TERMINAL, SIZE_MAX,
					style));
	/* The rows over the threshold, then the first N of all: of two that were asked for, each
	 * its own table. */
	const rg_report_options *options = report->options;
	size_t total = report->about.comparison->series_rows, top = top_of(options);
	const rg_models_shown models = {
		.threshold = options->threshold.value, .top = top ? top : SIZE_MAX, .equal = !top};
	bool both = options->threshold.given && options->top.given && top;

	RG_TRY(append_series_rows(text, report, options->threshold.value, both ? 0 : top, style));
	if (both && total) {
		rg_buf_printf(text, "%sthe first %zu of all %zu rows:\n", text->length ? "\n" : "",
			      top < total ? top : total, total);
		RG_TRY(append_series_rows(text, report, 0, top, style));
	}
	if (has_models(report)) {
		rg_buf_str(text, text->length ? "\n" : "");
		RG_TRY(rg_models_text(text, &report->story.models, &models, style));
	}
	RG_TRY(append_exact_rows(text, report, style));
	if (text->length && runs->row_count)
		rg_buf_char(text, '\n');
	return rg_new_runs_table(text, runs, top_of(report->options), style);
}

static void append_blocks(rg_buf *out, const rg_report *report, const rg_table_style *style)
{
	rg_blocks blocks;

	rg_blocks_of(&blocks, &report->story);
	rg_blocks_text(out, &blocks,
		       &(rg_blocks_style){
			       .table = *style,
			       .findings = report->result->only_review ? 0 : RG_FINDINGS_SHOWN});
}

rg_error *rg_report_table(rg_buf *out, const rg_report *report, const rg_table_style *style,
			  bool paged)
{
	if (report->alone)
		return rg_format_reports_render(out, report->formats, RG_FORMAT_REPORT_TERMINAL,
						SIZE_MAX, style);
	if (paged)
		append_blocks(out, report, style);
	RG_AUTO(rg_buf) text = rg_buf_of(out->max);
	rg_error *err = append_tables_of_all(&text, report, style);
	/* Lists end in an empty line, for a table that may not follow. */
	if (text.length > 1 && !strcmp(text.data + text.length - 2, "\n\n"))
		rg_buf_truncate(&text, text.length - 1);
	if (!err && report->options->details && rg_json_member(report->formats, "opaque")) {
		rg_buf_str(&text, text.length ? "\n" : "");
		err = rg_format_render(&text, "opaque", report->formats, RG_FORMAT_REPORT_TERMINAL,
				       SIZE_MAX, NULL);
	}
	if (!err)
		err = rg_buf_check(&text, "the table");
	append_part(out, &text);
	rg_buf_clear(&text);
	if (!paged)
		append_blocks(&text, report, style);
	append_part(out, &text);
	return err ? err : rg_buf_check(out, "the table");
}

/* --- files --- */

/* The document's parts for the summary and the page. */
typedef struct {
	rg_column_list columns;
	rg_shown_rows shown;
	const rg_row **rows;
	rg_page_rows page;
	char *new_url;
	rg_json_about about;
} document_parts;

static rg_error *document_parts_make(document_parts *out, const rg_report *report)
{
	const rg_compare_result *result = report->result;
	*out = (document_parts){.about = {.story = &report->story,
					  .told = report->about.comparison,
					  .curves = &report->curves,
					  .formats = report->formats,
					  .provenance = report->provenance,
					  .gate = result->gated ? &result->groups : NULL,
					  .exit_code = report->exit_code}};
	RG_TRY(table_columns(&out->columns, report));
	/* The page's rows: what the terminal shows of all series, or as they are asked for. */
	RG_TRY(rg_shown_rows_find(&out->shown,
				  &(rg_shown_options){.sized = true,
						      .without_models = has_models(report),
						      .sort = report->options->sort,
						      .story = &report->story}));
	out->rows = rg_malloc((out->shown.count + 1) * sizeof(*out->rows));
	for (size_t i = 0; i < out->shown.count; i++)
		out->rows[i] = report->own[out->shown.rows[i] - report->about.comparison->rows];
	out->page.story = &report->story;
	out->page.rows = out->rows;
	out->page.told = out->shown.rows;
	out->page.row_count = out->shown.count;
	out->page.columns = &out->columns;
	out->page.context = &report->context;
	out->page.refresh = report->refresh;
	out->page.old_url = result->old_url;
	/* The part before a golden's path in its address, as the run's commit has it. */
	const rg_run_page at = rg_run_page_of(report->run.url);
	if (at.length && report->run.commit)
		out->new_url = rg_textf("%.*s%s/blob/%s/", at.length, report->run.url, at.between,
					report->run.commit);
	out->page.new_url = out->new_url ? out->new_url : result->new_url;
	out->about.page = &out->page;
	return NULL;
}

static void document_parts_release(document_parts *made)
{
	free(made->new_url);
	rg_shown_rows_release(&made->shown);
	free(made->rows);
}

static rg_error *render_csv(rg_buf *out, const rg_report *report)
{
	rg_column_list columns = report->columns;
	if (!report->options->columns)
		RG_TRY(rg_columns_add_of_tensors(&columns, &report->result->comparison));
	size_t count;
	RG_AUTO_FREE const rg_row **rows = csv_rows(report, &count);
	if (report->result->only_review) {
		/* Gaps have no place: those with a level are kept. */
		const rg_comparison *all = &report->result->comparison,
				    *c = report->about.comparison;
		RG_AUTO_FREE bool *wanted = rg_calloc(all->row_count + 1, sizeof(*wanted));
		size_t kept = 0;

		for (size_t i = 0; i < c->row_count; i++)
			wanted[report->own[i] - all->rows] = report->story.places[i].look !=
							     RG_LOOK_NONE;
		for (size_t i = 0; i < count; i++)
			if (rows[i]->gap != RG_GAP_NONE || wanted[rows[i] - all->rows])
				rows[kept++] = rows[i];
		count = kept;
	}
	if (report->options->sort)
		RG_TRY(rg_rows_sort(rows, count, report->options->sort, &report->context));
	return rg_csv_rows(out, rows, count, &columns, &report->context);
}

static rg_error *render_json(rg_buf *out, const rg_report *report)
{
	const rg_comparison *comparison = &report->result->comparison;
	RG_AUTO(document_parts) made = {0};
	RG_AUTO_FREE const rg_row **rows =
		rg_malloc((comparison->row_count + 1) * sizeof(const rg_row *));

	for (size_t i = 0; i < comparison->row_count; i++)
		rows[i] = &comparison->rows[i];
	if (report->options->sort)
		RG_TRY(rg_rows_sort(rows, comparison->row_count, report->options->sort,
				    &report->context));
	RG_TRY(document_parts_make(&made, report));
	return rg_comparison_json(out, comparison, rows, &report->context, &made.about);
}

rg_error *rg_report_annotate(rg_buf *out, const rg_report *report)
{
	return rg_annotations_add(out, &report->story, !report->without_repository);
}

/* --- of the document --- */

static const char schema[] = "regild-compare", audit_schema[] = "regild-audit";

/* Makes the view for templates. */
static rg_error *open_story(rg_report_document *document)
{
	RG_TRY(rg_format_reports_read(&document->formats, &document->in));
	RG_TRY(rg_summary_view(&document->view, &document->in, document->root));
	document->story = document->view;
	return NULL;
}

static rg_error *check_document(rg_report_document *document)
{
	const char *kind = cJSON_GetStringValue(rg_json_member(document->root, "schema"));
	if (kind && !strcmp(kind, audit_schema)) {
		const cJSON *list;
		size_t count;
		document->audit = true;
		RG_TRY(rg_json_get_head(&document->in, audit_schema));
		if (!rg_json_member(document->root, "findings"))
			return rg_error_new(RG_E_PARSE, "it has no 'findings': audit once more");
		RG_TRY(rg_json_get_objects(&document->in, document->root, "findings", &list,
					   &count));
		document->story = document->root;
		return rg_audit_story_finish(document->story);
	}
	RG_TRY(rg_json_get_head(&document->in, schema));
	if (!rg_json_member(document->root, "story"))
		return rg_error_new(RG_E_PARSE, "it has no 'story': compare once more");
	return open_story(document);
}

rg_error *rg_report_document_parse(rg_report_document *out, const char *text, size_t size,
				   const char *path)
{
	*out = (rg_report_document){.path = path};
	rg_arena_init(&out->arena);
	rg_error *err = rg_json_parse_document(&out->root, text, size, schema);
	out->in = (rg_json_in){.root = out->root, .arena = &out->arena};
	return rg_error_wrap(err ? err : check_document(out), "%s", path);
}

rg_error *rg_report_document_read(rg_report_document *out, const char *path)
{
	*out = (rg_report_document){0};
	RG_AUTO(rg_buf) text = rg_buf_of(RG_REPORT_DOCUMENT_MAX);
	RG_TRY(rg_file_read(&text, path));
	return rg_report_document_parse(out, text.data, text.length, path);
}

void rg_report_document_release(rg_report_document *document)
{
	cJSON_Delete(document->view);
	rg_arena_release(&document->arena);
	cJSON_Delete(document->root);
}

static const char *template_text(const rg_report_template *template)
{
	return template->given ? template->text.data : NULL;
}

/* The outcomes of the goldens and their provenance may both be missing. */
static rg_error *check_origin(const rg_json_in *in)
{
	const cJSON *part;
	size_t count;

	if (rg_json_member(in->root, "goldens"))
		RG_TRY(rg_json_get_objects(in, in->root, "goldens", &part, &count));
	return rg_json_member(in->root, "provenance")
		       ? rg_json_get_object(in, in->root, "provenance", &part)
		       : NULL;
}

static rg_error *render_page(rg_buf *out, const rg_report *report, rg_report_document *document)
{
	const bool read = !document->curves;
	RG_AUTO(rg_page_table) table = {0};
	rg_html_page page = {.view = document->story,
			     .table = &table,
			     .document = document->root,
			     .formats = document->formats,
			     .curves = document->curves,
			     .template_text = template_text(&report->page)};
	rg_curve_list curves = {0};
	rg_error *err = rg_page_table_open(&table, &document->in, document->page);

	if (!err && read) {
		err = rg_curves_read(&curves, &document->in);
		page.curves = &curves;
	}
	if (!err)
		err = check_origin(&document->in);
	if (document->path)
		err = rg_error_wrap(err, "%s", document->path);
	if (!err)
		err = rg_html_render(out, &page);
	rg_curves_release(&curves);
	return err;
}

size_t rg_report_markdown_max(const rg_report_options *options, bool alone)
{
	return options->max_chars.given ? (size_t)options->max_chars.value
	       : alone                  ? RG_MARKDOWN_MAX
					: RG_MARKDOWN_SHORT;
}

/* Renders the summary, with at most so many items in a list, or the page. */
static rg_error *render_document(rg_buf *out, const rg_report *report, rg_report_document *document,
				 rg_report_kind kind, size_t items)
{
	const rg_report_options *options = report->options;
	bool alone = cJSON_IsTrue(rg_json_member(document->story, "alone"));
	size_t max = rg_report_markdown_max(options, alone);

	if (kind == RG_REPORT_HTML)
		return render_page(out, report, document);
	/* Formats' own tables say more than rows of one step each. */
	RG_TRY(rg_format_reports_render(out, document->formats, RG_FORMAT_REPORT_MARKDOWN,
					alone ? max : max / 4 * 3, NULL));
	if (alone)
		return NULL;
	return rg_summary_render(out, document->story, template_text(&report->summary), max, items);
}

/* The settings' templates are those of comparisons. */
static rg_error *render_audit(rg_buf *out, const rg_report *report, rg_report_document *document,
			      rg_report_kind kind, size_t items)
{
	const rg_report_options *options = report->options;
	const size_t max = options->max_chars.given ? (size_t)options->max_chars.value
						    : RG_MARKDOWN_MAX - 1;

	if (kind == RG_REPORT_MARKDOWN)
		return rg_audit_markdown(out, document->story,
					 options->template_file ? report->summary.text.data : NULL,
					 max, items);
	rg_error *err = rg_audit_html(out, document->story,
				      options->html_template_file ? report->page.text.data : NULL);
	return rg_error_wrap(err, "%s", document->path);
}

rg_error *rg_report_again(rg_buf *out, const rg_report *report, rg_report_document *document,
			  rg_report_kind kind)
{
	const rg_optional_integer *top = &report->options->top;
	if (document->audit)
		return render_audit(out, report, document, kind,
				    top->given && top->value ? (size_t)top->value
				    : top->given             ? SIZE_MAX
							     : RG_AUDIT_MARKDOWN_ITEMS);
	return render_document(out, report, document, kind,
			       top->given && top->value ? (size_t)top->value : SIZE_MAX);
}

rg_error *rg_report_render(rg_buf *out, const rg_report *report, rg_report_kind kind)
{
	if (kind == RG_REPORT_CSV)
		return render_csv(out, report);
	if (kind == RG_REPORT_MESSAGE)
		return rg_commit_message_add(out, &report->story);
	if (kind == RG_REPORT_JSON)
		return render_json(out, report);
	RG_AUTO(document_parts) made = {0};
	RG_AUTO(rg_report_document) document = {.curves = &report->curves, .page = &made.page};
	RG_TRY(document_parts_make(&made, report));
	/* The document of the comparison, whose story becomes a part of it. */
	document.root = rg_comparison_told(&report->result->comparison, &made.about);
	document.in = (rg_json_in){.root = document.root, .arena = &document.arena};
	RG_TRY(open_story(&document));
	return render_document(out, report, &document, kind, SIZE_MAX);
}

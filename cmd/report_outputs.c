#include "report_outputs.h"

#include "base/file.h"
#include "compare/summary.h"
#include "report/cells.h"
#include "report/csv.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/view.h"
#include "terminal.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEMPLATE_MAX = 1 << 20 };
/* Reports are as large as their rows; this only keeps a sum from running over. */
#define REPORT_MAX (SIZE_MAX / 4)

void outputs_init(outputs *o)
{
	*o = (outputs){0};
	rg_buf_init(&o->summary_template.text, TEMPLATE_MAX);
	rg_buf_init(&o->page_template.text, TEMPLATE_MAX);
}

void outputs_release(outputs *o)
{
	rg_buf_release(&o->page_template.text);
	rg_buf_release(&o->summary_template.text);
}

/* The template that the option names, else the setting. */
static rg_error *read_template(const environment *env, report_template *out, const char *given,
			       const char *option_name, const char *setting)
{
	char *path;
	rg_error *err;

	out->given = true;
	if (given)
		return rg_error_wrap(rg_file_read(&out->text, given), "%s", option_name);
	RG_TRY(environment_setting_path(env, setting, &path));
	out->given = path != NULL;
	if (!path)
		return NULL;
	err = rg_config_blame(env->config, setting,
			      rg_error_wrap(rg_file_read(&out->text, path), "%s", setting));
	free(path);
	return err;
}

static rg_error *read_templates(const environment *env, const compare_report *report, outputs *o)
{
	if (report->markdown)
		RG_TRY(read_template(env, &o->summary_template, report->template_file, "--template",
				     "regild.template"));
	if (report->html)
		RG_TRY(read_template(env, &o->page_template, report->html_template_file,
				     "--html-template", "regild.htmlTemplate"));
	return NULL;
}

static rg_error *check_files(const compare_report *report)
{
	const output_file files[] = {{"--csv", report->csv},
				     {"--markdown", report->markdown},
				     {"--json", report->json},
				     {"--html", report->html}};

	return check_output_files(files, sizeof(files) / sizeof(*files));
}

rg_error *outputs_prepare(environment *env, const compare_report *report, outputs *o)
{
	int to_stdout = is_stdout(report->csv) + is_stdout(report->markdown) +
			is_stdout(report->json) + is_stdout(report->html);

	o->report = report;
	if (to_stdout > 1)
		return usage_error(
			"only one of --csv, --markdown, --json and --html can go to stdout");
	if (report->template_file && !report->markdown)
		return usage_error("--template goes with --markdown");
	if (report->html_template_file && !report->html)
		return usage_error("--html-template goes with --html");
	if (report->threshold.given && report->threshold.value < 0)
		return usage_error("--threshold: less than 0");
	o->columns_context = (rg_column_context){rg_config_get(env->config, "regild.root"),
						 rg_config_get(env->config, "jobs.target")};
	RG_TRY(rg_error_wrap(rg_columns_parse(&o->columns, report->columns), "--columns"));
	/* A column that is none is said now, not after the work. */
	if (report->sort)
		RG_TRY(rg_error_wrap(rg_rows_sort(NULL, 0, report->sort, &o->columns_context),
				     "--sort"));
	RG_TRY(read_templates(env, report, o));
	return check_files(report);
}

/* All rows, in their order; *out is the caller's to free. */
static rg_error *all_rows(const rg_row ***out, const rg_comparison *comparison)
{
	size_t i;

	*out = malloc((comparison->row_count + 1) * sizeof(const rg_row *));
	if (!*out)
		return rg_error_nomem();
	for (i = 0; i < comparison->row_count; i++)
		(*out)[i] = &comparison->rows[i];
	return NULL;
}

static rg_error *write_csv(const outputs *o, const rg_comparison *comparison,
			   const rg_row *const *rows)
{
	rg_error *err;
	rg_buf text;

	if (!o->report->csv)
		return NULL;
	rg_buf_init(&text, REPORT_MAX);
	err = rg_csv_rows(&text, rows, comparison->row_count, &o->columns, &o->columns_context);
	if (!err)
		err = rg_error_wrap(write_output(o->report->csv, &text), "--csv");
	rg_buf_release(&text);
	return err;
}

static rg_error *write_json(const outputs *o, const rg_comparison *comparison,
			    const rg_row *const *rows, const char *run_id)
{
	const rg_json_about about = {o->old_side, o->new_side, run_id};
	rg_error *err;
	rg_buf text;

	if (!o->report->json)
		return NULL;
	rg_buf_init(&text, REPORT_MAX);
	err = rg_comparison_json(&text, comparison, rows, &o->columns_context, &about);
	if (!err)
		err = rg_error_wrap(write_output(o->report->json, &text), "--json");
	rg_buf_release(&text);
	return err;
}

/* What stands in a table of the exact rows that differ. */
static rg_error *add_exact(rg_buf *text, const outputs *o, const rg_comparison *comparison,
			   bool color)
{
	rg_column_list columns;
	const rg_row **rows;
	rg_error *err;
	size_t i, total = 0, count = 0;
	bool tensors = false;

	RG_TRY(rg_columns_parse(&columns, "file,metric,first_diff,old_excerpt,new_excerpt"));
	RG_TRY(all_rows(&rows, comparison));
	for (i = 0; i < comparison->row_count; i++) {
		if (rows[i]->kind != RG_ROW_EXACT)
			continue;
		total++;
		tensors |= rows[i]->tensor || rows[i]->reshaped;
		if (!rows[i]->identical)
			rows[count++] = rows[i];
	}
	if (count)
		rg_buf_printf(text, "%s%zu of %zu texts%s differ:\n", text->length ? "\n" : "",
			      count, total,
			      tensors ? ", token lists and tensors" : " and token lists");
	err = count ? rg_rows_table(text, rows, count, &columns, &o->columns_context, color) : NULL;
	free(rows);
	return err;
}

/* The columns of a table: with the verdict where rows have one, unless columns were named. */
static rg_error *table_columns(rg_column_list *out, const outputs *o,
			       const rg_comparison *comparison)
{
	size_t i = 0;

	*out = o->columns;
	while (i < comparison->row_count && comparison->rows[i].verdict.kind == RG_VERDICT_NONE)
		i++;
	if (o->report->columns || i == comparison->row_count)
		return NULL;
	return rg_column_find(&out->items[out->count++], "verdict", strlen("verdict"));
}

/* A table of the series rows over a threshold, `top` of them (0: all). */
static rg_error *add_rows(rg_buf *text, const outputs *o, const rg_comparison *comparison,
			  double threshold, size_t top, bool color)
{
	const compare_report *report = o->report;
	rg_column_list columns;
	const rg_row **rows;
	rg_error *err = NULL;
	size_t count;

	RG_TRY(table_columns(&columns, o, comparison));
	RG_TRY(rg_rows_by_size(&rows, &count, comparison, threshold, report->sort ? 0 : top));
	if (report->sort)
		err = rg_rows_sort(rows, count, report->sort, &o->columns_context);
	if (report->sort && top && top < count)
		count = top;
	if (!err && count)
		err = rg_rows_table(text, rows, count, &columns, &o->columns_context, color);
	free(rows);
	return err;
}

/* The rows over the threshold, then the first N of all: of two that were asked for, each its own
 * table. Without either, all rows. */
static rg_error *write_table(const environment *env, const outputs *o,
			     const rg_comparison *comparison)
{
	const compare_report *report = o->report;
	bool by_threshold = report->threshold.given || !report->top.given;
	rg_error *err = NULL;
	rg_buf text;

	rg_buf_init(&text, REPORT_MAX);
	if (o->reports)
		err = format_reports_render(o->reports, &text, RG_FORMAT_REPORT_TERMINAL);
	if (!err && by_threshold)
		err = add_rows(&text, o, comparison,
			       report->threshold.given ? report->threshold.value : 0, 0,
			       env->color);
	if (!err && by_threshold && report->top.given && comparison->series_rows)
		rg_buf_printf(&text, "%sthe first %zu of all %zu rows:\n", text.length ? "\n" : "",
			      report->top.value < comparison->series_rows
				      ? (size_t)report->top.value
				      : comparison->series_rows,
			      comparison->series_rows);
	if (!err && report->top.given)
		err = add_rows(&text, o, comparison, 0, (size_t)report->top.value, env->color);
	if (!err)
		err = add_exact(&text, o, comparison, env->color);
	if (!err)
		err = rg_buf_check(&text, "the table");
	if (!err)
		err = write_output("-", &text);
	rg_buf_release(&text);
	return err;
}

static rg_summary summary_of(const environment *env, const outputs *o,
			     const rg_comparison *comparison, const rg_policy *policy,
			     const char *run_id, const compare_context *context)
{
	return (rg_summary){.comparison = comparison,
			    .policy = policy,
			    .run = run_id,
			    .only_failing = run_id && context->run->only_failing,
			    .command = context && context->command ? context->command
								   : env->command_line,
			    .root = o->files_alone ? NULL : o->columns_context.root,
			    .csv = is_stdout(o->report->csv) ? NULL : o->report->csv,
			    .columns = &o->columns,
			    .context = &o->columns_context};
}

static rg_error *write_markdown(const outputs *o, const rg_summary *given)
{
	rg_summary summary = *given;
	rg_error *err;
	rg_buf text;

	if (!o->report->markdown)
		return NULL;
	if (o->summary_template.given)
		summary.template_text = o->summary_template.text.data;
	rg_buf_init(&text, REPORT_MAX);
	err = o->reports ? format_reports_render(o->reports, &text, RG_FORMAT_REPORT_MARKDOWN)
			 : NULL;
	if (!err)
		err = rg_summary_render(&text, &summary);
	if (!err)
		err = rg_error_wrap(write_output(o->report->markdown, &text), "--markdown");
	rg_buf_release(&text);
	return err;
}

/* The table's rows: the series rows, worst first or as --sort has them. */
static rg_error *page_rows(const rg_row ***out, size_t *count, const outputs *o,
			   const rg_comparison *comparison)
{
	RG_TRY(rg_rows_by_size(out, count, comparison, 0, 0));
	if (o->report->sort)
		return rg_rows_sort(*out, *count, o->report->sort, &o->columns_context);
	rg_rows_worst_first(*out, *count);
	return NULL;
}

static rg_error *write_html(const outputs *o, const rg_summary *summary)
{
	rg_html_page page = {.summary = *summary,
			     .old_side = o->old_side,
			     .new_side = o->new_side,
			     .curves = o->curves};
	const rg_row **rows = NULL;
	rg_column_list columns;
	rg_buf text, formats;
	rg_error *err;

	if (!o->report->html)
		return NULL;
	RG_TRY(table_columns(&columns, o, summary->comparison));
	page.summary.columns = &columns;
	if (o->page_template.given)
		page.summary.template_text = o->page_template.text.data;
	rg_buf_init(&text, REPORT_MAX);
	rg_buf_init(&formats, REPORT_MAX);
	err = format_reports_render(o->reports, &formats, RG_FORMAT_REPORT_HTML);
	if (!err)
		err = rg_buf_check(&formats, "--html");
	if (!err)
		err = page_rows(&rows, &page.row_count, o, summary->comparison);
	if (!err) {
		page.formats = formats.data;
		page.rows = rows;
		err = rg_error_wrap(rg_html_render(&text, &page), "--html");
	}
	if (!err)
		err = rg_error_wrap(write_output(o->report->html, &text), "--html");
	free(rows);
	rg_buf_release(&formats);
	rg_buf_release(&text);
	return err;
}

rg_error *outputs_write(environment *env, const outputs *o, const rg_comparison *comparison,
			const rg_policy *policy, const compare_context *context)
{
	const compare_report *report = o->report;
	bool taken = is_stdout(report->csv) || is_stdout(report->markdown) ||
		     is_stdout(report->json) || is_stdout(report->html);
	const rg_manifest *run = context ? context->run : NULL;
	char run_id[32] = "";
	const rg_row **rows;
	rg_summary summary;
	rg_error *err;

	if (run)
		snprintf(run_id, sizeof(run_id), "%llu", (unsigned long long)run->run_id);
	RG_TRY(all_rows(&rows, comparison));
	err = report->sort
		      ? rg_rows_sort(rows, comparison->row_count, report->sort, &o->columns_context)
		      : NULL;
	if (!err && !taken)
		err = write_table(env, o, comparison);
	if (!err)
		err = write_csv(o, comparison, rows);
	if (!err)
		err = write_json(o, comparison, rows, run ? run_id : NULL);
	summary = summary_of(env, o, comparison, policy, run ? run_id : NULL, context);
	if (!err)
		err = write_markdown(o, &summary);
	if (!err)
		err = write_html(o, &summary);
	free(rows);
	return err;
}

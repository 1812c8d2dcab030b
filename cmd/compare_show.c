/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include "facts.h"
#include "gate_show.h"
#include "runner.h"
#include "terminal.h"

#include "base/file.h"
#include "story/story.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- reports --- */

/*
 * The summary of a step of a GitHub job is a file that GITHUB_STEP_SUMMARY names and that steps
 * append to. GitHub takes 1 MiB of it.
 */
enum { STEP_SUMMARY_MAX = 1 << 20 };

static rg_error *step_summary_append(const char *file, const rg_buf *text)
{
	int fd = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	struct stat status;
	rg_error *err = NULL;

	if (fd < 0)
		return rg_error_io(errno, "%s", file);
	if (!fstat(fd, &status) && status.st_size)
		err = rg_write_all(fd, "\n", 1, file);
	if (!err)
		err = rg_write_all(fd, text->data, text->length, file);
	if (close(fd) != 0 && !err)
		err = rg_error_io(errno, "%s", file);
	return err;
}

static const char *const option_names[RG_REPORT_KINDS] = {
	[RG_REPORT_CSV] = "--csv",           [RG_REPORT_JSON] = "--json",
	[RG_REPORT_MARKDOWN] = "--markdown", [RG_REPORT_HTML] = "--html",
	[RG_REPORT_MESSAGE] = "--message",
};

static size_t count_on_stdout(const rg_report_options *options)
{
	size_t count = 0;
	for (size_t i = 0; i < RG_REPORT_KINDS; i++)
		count += is_stdout(options->files[i]);
	return count;
}

bool comparison_takes_stdout(const compare_arguments *arguments)
{
	return count_on_stdout(&arguments->report) > 0;
}

rg_error *comparison_prepare(comparison_run *c, const command_context *context,
			     compare_arguments *arguments)
{
	rg_report_options *report = &arguments->report;
	output_file files[RG_REPORT_KINDS];

	RG_TRY(browser_prepare(&c->page, arguments->open, &report->files[RG_REPORT_HTML]));
	bool pages = report->files[RG_REPORT_HTML] || report->files[RG_REPORT_JSON];
	report->details = context->common->verbose;
	arguments->compare.want_curves = arguments->compare.want_differences = pages;
	arguments->compare.opaque =
		(rg_opaque_wanted){.lines = pages || report->files[RG_REPORT_MARKDOWN] ||
					    report->step_summary || report->details,
				   .pictures = pages};
	RG_TRY(rg_compare_prepare(&c->rules, &context->flow, &arguments->compare));
	RG_TRY(rg_report_prepare(&c->report, &context->flow, report));
	if (count_on_stdout(report) > 1)
		return usage_error("only one of --csv, --markdown, --json%s can go to stdout",
				   report->files[RG_REPORT_MESSAGE] ? ", --html and --message"
								    : " and --html");
	if (count_on_stdout(report) && report->annotate)
		return usage_error("--annotate prints to stdout, where a report goes already");
	for (size_t i = 0; i < RG_REPORT_KINDS; i++)
		files[i] = (output_file){option_names[i], report->files[i]};
	RG_TRY(check_output_files(files, RG_REPORT_KINDS));
	c->step_summary = report->step_summary ? getenv("GITHUB_STEP_SUMMARY") : NULL;
	if (report->step_summary && (!c->step_summary || !*c->step_summary))
		return usage_error("--step-summary: GITHUB_STEP_SUMMARY is not set, as it is in a "
				   "job on GitHub");
	c->report.result = &c->result;
	c->report.policy = c->report.from.policy = c->rules.policy;
	if (c->rules.judged) {
		c->report.from.noise = &c->rules.noise;
		c->report.from.noise_name = c->rules.noise_name;
		c->report.from.noise_level = c->rules.judge.level;
	}
	c->report.command = context->command_line;
	return NULL;
}

void comparison_run_release(comparison_run *c)
{
	browser_page_release(&c->page);
	rg_compare_result_release(&c->result);
	rg_report_release(&c->report);
	rg_compare_rules_release(&c->rules);
}

/* New and removed goldens that are named without -v. */
enum { NAMED_MAX = 10 };

static void write_notes(const command_context *context, const rg_file_outcome *file)
{
	const char *line = file->notes;
	while (line) {
		size_t length = strcspn(line, "\n");
		tell(context, RG_LOG_WARNING, "%s: %.*s", file->file, (int)length, line);
		line = line[length] ? line + length + 1 : NULL;
	}
}

static void write_outcome(const command_context *context, const rg_file_outcome *file,
			  bool new_told, bool removed_told)
{
	switch (file->status) {
	case RG_FILE_COMPARED:
		if (strcmp(file->file, file->old_file) != 0)
			tell(context, RG_LOG_INFO, "%s: renamed from %s", file->file,
			     file->old_file);
		if (file->unchecked_why)
			tell(context, RG_LOG_WARNING,
			     "%s: the project's checks are not applied to it: %s", file->file,
			     file->unchecked_why);
		if (file->missing_metrics)
			tell(context, RG_LOG_INFO,
			     "%s: fails the project's checks: neither side has %s", file->file,
			     file->missing_metrics);
		write_notes(context, file);
		break;
	case RG_FILE_NEW:
		tell(context, new_told ? RG_LOG_DETAIL : RG_LOG_INFO,
		     "%s: new, there is nothing to compare it with", file->file);
		write_notes(context, file);
		break;
	case RG_FILE_REMOVED:
		tell(context, removed_told ? RG_LOG_DETAIL : RG_LOG_INFO, "%s: removed",
		     file->file);
		break;
	case RG_FILE_UNREADABLE: /* said even with -q: what is wrong is a result */
		terminal_say("%s: unreadable: %s", file->file, file->why);
		break;
	}
}

/* With -v: the records, metrics and steps that no figure is about. */
static void write_coverage(const command_context *context, const rg_comparison *c)
{
	for (size_t i = 0; i < c->file_count; i++) {
		const rg_file_outcome *file = &c->files[i];
		if (file->lost.count)
			tell(context, RG_LOG_DETAIL, "%s: records on the old side only: %s",
			     file->file, file->lost.names);
		if (file->gained.count)
			tell(context, RG_LOG_DETAIL, "%s: records on the new side only: %s",
			     file->file, file->gained.names);
	}
	for (size_t i = 0; i < c->gap_count; i++) {
		const rg_row *gap = &c->gaps[i];
		const char *text = gap->left_out_text;

		tell(context, RG_LOG_DETAIL, "%s: %s: %s%s", gap->file, gap->metric,
		     gap->gap == RG_GAP_OLD_ONLY   ? "on the old side only"
		     : gap->gap == RG_GAP_NEW_ONLY ? "on the new side only"
		     : gap->gap == RG_GAP_DROPPED  ? "dropped, it had placeholders alone"
		     : text                        ? "no step counts: "
						   : "has no steps",
		     text ? text : "");
	}
	for (size_t i = 0; i < c->row_count; i++) {
		const rg_row *row = &c->rows[i];
		if (row->left_out_text && (row->kind == RG_ROW_SERIES || row->by_record))
			tell(context, RG_LOG_DETAIL, "%s: %s: %s left out: %s", row->file,
			     row->metric, row->by_record ? "records" : "steps", row->left_out_text);
	}
}

/* The bottom line of the table has the counts, and an update has listed its new goldens. */
static void write_outcomes(const command_context *context, const comparison_run *run)
{
	const rg_comparison *c = &run->result.comparison;
	bool listed = run->report.refresh != NULL, many_new = c->new_files > NAMED_MAX;
	bool many_removed = c->removed > NAMED_MAX, brief = !context->common->verbose;

	for (size_t i = 0; i < c->file_count; i++)
		write_outcome(context, &c->files[i], listed || many_new, many_removed);
	if (many_new && !listed && brief)
		tell(context, RG_LOG_INFO,
		     "%zu goldens are new, there is nothing to compare them with; "
		     "-v names each",
		     c->new_files);
	if (many_removed && brief)
		tell(context, RG_LOG_INFO, "%zu goldens are removed; -v names each", c->removed);
	if (!brief)
		write_coverage(context, c);
	if (count_on_stdout(run->report.options))
		tell(context, RG_LOG_INFO,
		     "%zu file%s compared, %zu new, %zu removed, %zu unreadable: %zu row%s",
		     c->compared, rg_plural(c->compared), c->new_files, c->removed, c->unreadable,
		     c->row_count, rg_plural(c->row_count));
}

/* How many rows lie inside what was measured, and each one that does not; what no step counts of
 * was judged as well. */
static void write_verdicts(const command_context *context, const rg_comparison *comparison)
{
	size_t counts[RG_VERDICTS] = {0};
	for (size_t i = 0; i < comparison->row_count + comparison->gap_count; i++) {
		const rg_row *row = i < comparison->row_count
					    ? &comparison->rows[i]
					    : &comparison->gaps[i - comparison->row_count];
		bool outside = row->verdict.kind == RG_VERDICT_OUTSIDE;

		counts[row->verdict.kind]++;
		if (row->verdict.text)
			tell(context, outside ? RG_LOG_INFO : RG_LOG_DETAIL, "%s: %s: %s",
			     row->file, row->metric, row->verdict.text);
	}
	tell(context, RG_LOG_INFO,
	     "noise model: %zu within, %zu outside, %zu inconclusive, %zu unmeasured",
	     counts[RG_VERDICT_WITHIN], counts[RG_VERDICT_OUTSIDE], counts[RG_VERDICT_INCONCLUSIVE],
	     counts[RG_VERDICT_UNMEASURED]);
}

/* The table has as many rows as the line limit leaves room for, unless the call says how many. */
static rg_error *write_table(const rg_report *report, const command_context *context)
{
	enum { ROWS = 20 }; /* as many as there are at first */
	const size_t left = terminal_lines_left(), room = left > 1 ? left - 1 : 0;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_report_options options = *report->options;
	rg_report shorter = *report;
	size_t lines = 0;

	if (count_on_stdout(report->options))
		return NULL;
	RG_TRY(rg_report_table(&text, report, &context->style, context->paged));
	for (const char *p = text.data; (p = strchr(p, '\n')); p++)
		lines++;
	if (terminal_is_limited() && lines > room && !options.top.given) {
		options.top = (rg_optional_integer){
			true, lines - room < ROWS ? ROWS - (lines - room) : 1};
		shorter.options = &options;
		rg_buf_clear(&text);
		RG_TRY(rg_report_table(&text, &shorter, &context->style, context->paged));
	}
	terminal_print(&text);
	return NULL;
}

/* Writes as much as GitHub takes. If it takes nothing, the summary is missing, and the exit code
 * says so. */
static rg_error *write_step_summary(const comparison_run *c, command_context *context, rg_buf *text)
{
	rg_report_options options = *c->report.options;
	rg_report report = c->report;
	size_t room = STEP_SUMMARY_MAX, max = rg_report_markdown_max(&options, report.alone);
	struct stat status;

	if (!stat(c->step_summary, &status))
		room = status.st_size < STEP_SUMMARY_MAX - 1
			       ? STEP_SUMMARY_MAX - 1 - (size_t)status.st_size
			       : 0;
	else if (errno != ENOENT)
		return rg_error_io(errno, "%s", c->step_summary);
	options.max_chars = (rg_optional_integer){true, room < max ? room : max};
	report.options = &options;
	rg_buf_clear(text);
	RG_TRY(rg_report_render(text, &report, RG_REPORT_MARKDOWN));
	if (text->length <= room)
		return step_summary_append(c->step_summary, text);
	command_miss(context,
		     rg_error_new(RG_E_LIMIT, "--step-summary: %s is full: GitHub takes 1 MiB",
				  c->step_summary));
	return NULL;
}

static rg_error *write_document(rg_buf *out, const void *report)
{
	return rg_report_render(out, report, RG_REPORT_JSON);
}

static rg_error *write_reports(const comparison_run *c, command_context *context)
{
	const rg_report_options *options = c->report.options;
	const char *json = options->files[RG_REPORT_JSON];
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY); /* as large as the rows are */

	for (size_t i = 0; i < RG_REPORT_KINDS; i++) {
		if (!options->files[i] || i == RG_REPORT_JSON)
			continue;
		rg_buf_clear(&text);
		rg_error *err = rg_report_render(&text, &c->report, (rg_report_kind)i);
		if (!err && i == RG_REPORT_MESSAGE && !text.length)
			tell(context, RG_LOG_INFO,
			     "no golden of the run differs from HEAD: no commit message is "
			     "written");
		else if (!err)
			err = write_output(options->files[i], &text);
		RG_TRY(rg_error_wrap(err, "%s", option_names[i]));
	}
	if (c->step_summary)
		RG_TRY(write_step_summary(c, context, &text));
	if (options->annotate) {
		rg_buf_clear(&text);
		RG_TRY(rg_report_annotate(&text, &c->report));
		runner_print_commands(&text);
	}
	/* The document comes after all else that the exit code may come from. */
	if (!json)
		return NULL;
	rg_buf_release(&text); /* the document may be large */
	rg_facts facts = facts_of(context);
	if (!is_stdout(json))
		rg_facts_can(&facts, "makes a page of it", "report", json, "--html", "report.html",
			     NULL);
	if (context->changed)
		rg_facts_can(&facts, "takes the update back", "undo", NULL);
	return facts_finish_large(&facts, context, json, write_document, &c->report);
}

rg_error *comparison_write_reports(comparison_run *c, command_context *context)
{
	RG_TRY(rg_report_work_out(&c->report));
	return write_reports(c, context);
}

rg_error *comparison_show(comparison_run *c, command_context *context)
{
	const rg_comparison *comparison = &c->result.comparison;
	c->report.alone = c->rules.sides.old.kind == RG_SIDE_NOTHING;
	if (!c->report.alone || comparison->unreadable)
		write_outcomes(context, c);
	/* A user who sets tolerances expects them to count. */
	const char *idle = rg_policy_idle_tolerances(c->rules.policy);
	if (idle)
		tell(context, RG_LOG_WARNING,
		     "metric \"%s\": rtol and atol have no effect without 'kind = combined', which "
		     "is "
		     "numpy.allclose's |new - old| <= atol + rtol * |old|, or 'kind = allclose' "
		     "for tensors",
		     idle);
	if (c->rules.judged)
		write_verdicts(context, comparison);
	bool unserved = false;
	for (size_t i = 0; i < comparison->file_count; i++)
		unserved |= comparison->files[i].unserved;
	if (comparison->unreadable || unserved || c->result.missing)
		context->exit_code = EXIT_PARTIAL;
	c->report.without_repository = c->rules.sides.kind == RG_SIDES_PATHS;
	if (c->result.manifest.run_id)
		c->report.from.manifest = &c->result.manifest;
	gate_decide(context, &c->result);
	c->report.exit_code = context->exit_code;
	RG_TRY(rg_report_work_out(&c->report));
	RG_TRY(write_table(&c->report, context));
	RG_TRY(write_reports(c, context));
	gate_show(context, &c->result, &c->rules.columns);
	browser_show(&c->page, context);
	return NULL;
}

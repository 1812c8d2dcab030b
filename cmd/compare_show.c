/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include "facts.h"
#include "runner.h"
#include "terminal.h"

#include "base/file.h"
#include "report/story.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- the gate --- */

enum { GROUPS_NAMED = 20 }; /* unless -v asks for all */

static void tell_lost(const rg_breach *breach)
{
	const char *hint = breach->asked ? "" : " (--allow shrink lets it through)";
	size_t steps = (size_t)breach->value;

	if (!breach->row)
		terminal_say("%s: %zu of %zu records removed: %s: the gate breaks%s", breach->file,
			     breach->golden->lost.count, breach->golden->lost.of,
			     breach->golden->lost.brief, hint);
	else if (breach->row->gap == RG_GAP_OLD_ONLY)
		terminal_say("%s: %s: missing on the new side: the gate breaks%s", breach->file,
			     breach->row->metric, hint);
	else
		terminal_say("%s: %s: %zu %s%s missing on the new side: the gate breaks%s",
			     breach->file, breach->row->metric, steps,
			     breach->row->by_record              ? "cell"
			     : breach->row->kind == RG_ROW_EXACT ? "number"
								 : "step",
			     steps == 1 ? "" : "s", hint);
}

/* "over 5 % slower"; for what has no limit, the condition in words. */
static void add_worse(rg_buf *out, const rg_breach *breach)
{
	switch (breach->kind) {
	case RG_BREACH_CRASH:
		rg_buf_str(out, "crashed");
		break;
	case RG_BREACH_NEWLY_FAILING:
		rg_buf_str(out, "newly failing");
		break;
	case RG_BREACH_UNDELEGATED:
		rg_buf_str(out, "no longer delegated");
		break;
	case RG_BREACH_SLOWER:
		rg_buf_printf(out, "over %g %% slower", 100 * breach->limit);
		break;
	case RG_BREACH_NO_FIGURE:
		rg_buf_str(out, "differs, and has no figure");
		break;
	case RG_BREACH_SNR_DROP:
		rg_buf_printf(out, "SNR over %g dB lower", breach->limit);
		break;
	default:
		rg_buf_str(out, "worse status");
	}
}

/* "xnnpack/add/0/Result (Pass -> Fail: PTE Run Failed)" */
static void add_change(rg_buf *out, const rg_breach *breach)
{
	const rg_row *row = breach->row;
	rg_buf_str(out, row->metric);
	if (breach->kind == RG_BREACH_SLOWER)
		rg_buf_printf(out, " (%.3g %%)", 100 * breach->value);
	else if (breach->kind == RG_BREACH_SNR_DROP)
		rg_buf_printf(out, " (%.4g -> %.4g dB)", row->old_place, row->new_place);
	else if (row->old_excerpt && row->new_excerpt)
		rg_buf_printf(out, " (%s -> %s)", row->old_excerpt, row->new_excerpt);
}

/* With -v: one that got worse. */
static void tell_worse(const rg_breach *breach)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_ANY);
	add_change(&text, breach);
	rg_buf_str(&text, ": ");
	add_worse(&text, breach);
	terminal_say("%s: %s: the gate breaks", breach->file, text.data);
	rg_buf_release(&text);
}

/* What is wrong with a golden as a whole. */
static const char *whole_word(rg_breach_kind kind)
{
	return kind == RG_BREACH_REMOVED         ? "removed"
	       : kind == RG_BREACH_NEW_NONFINITE ? "new and not finite"
	       : kind == RG_BREACH_NEW_GOLDEN    ? "new"
	       : kind == RG_BREACH_NEW_RECORDS   ? "with new records"
	       : kind == RG_BREACH_BULK          ? "changed, more than may be at a time"
	       : kind == RG_BREACH_CHANGED       ? "changed in records, formatting or as a whole"
	       : kind == RG_BREACH_UNREAD        ? "with other numbers that no metric has"
						 : "unreadable";
}

/* With -v: a row, gap or golden that broke the gate. */
static void tell_breach(const rg_breach *breach)
{
	const char *file = breach->file, *metric = breach->row ? breach->row->metric : NULL;
	if (breach->kind == RG_BREACH_CHECK || breach->kind == RG_BREACH_NEEDED)
		terminal_say("%s: %s%sfails the check '%s': the gate breaks", file,
			     metric ? metric : "", metric ? ": " : "", breach->argument);
	else if (breach->kind == RG_BREACH_LOST)
		tell_lost(breach);
	else if (!metric)
		terminal_say("%s: %s: the gate breaks", file, whole_word(breach->kind));
	else if (breach->kind == RG_BREACH_RESHAPED)
		terminal_say("%s: %s: of another kind or shape: the gate breaks", file, metric);
	else if (breach->kind == RG_BREACH_UNIT)
		terminal_say("%s: %s: another unit: the gate breaks", file, metric);
	else if (breach->kind == RG_BREACH_NEW)
		terminal_say("%s: %s: %s: the gate breaks", file, metric,
			     breach->row->gap == RG_GAP_NEW_ONLY ? "new" : "new steps");
	else if (breach->kind == RG_BREACH_NONFINITE)
		terminal_say("%s: %s: newly NaN or infinite: the gate breaks", file, metric);
	else if (breach->kind == RG_BREACH_TOLERANCE)
		terminal_say("%s: %s: %s: the gate breaks", file, metric, breach->row->over.text);
	else if (breach->kind == RG_BREACH_OUTSIDE || breach->kind == RG_BREACH_RUN ||
		 breach->kind == RG_BREACH_UNMEASURED)
		terminal_say("%s: %s: %s: the gate breaks", file, metric,
			     breach->row->verdict.text ? breach->row->verdict.text
						       : "there is no noise model");
	else if (breach->kind == RG_BREACH_FROM_ZERO)
		terminal_say("%s: %s: 0 became %g, over %g: the gate breaks", file, metric,
			     breach->value, breach->limit);
	else if (breach->kind == RG_BREACH_CHANGED || breach->row->kind == RG_ROW_EXACT)
		terminal_say("%s: %s: differs: the gate breaks", file, metric);
	else
		terminal_say("%s: %s: %s of %g is over %g: the gate breaks", file, metric,
			     breach->kind == RG_BREACH_LIMIT ? "difference" : "score",
			     breach->value, breach->limit);
}

static void add_rows(rg_buf *out, const rg_gate_group *group)
{
	const rg_breach *worst = group->worst;
	if (group->kind == RG_BREACH_CHECK) {
		rg_buf_printf(out, "fail the check '%s', first", group->argument);
		return;
	}
	if (group->kind == RG_BREACH_POLICY && worst->row->kind == RG_ROW_EXACT) {
		rg_buf_str(out, "differ, first");
		return;
	}
	if (group->kind == RG_BREACH_FROM_ZERO)
		rg_buf_printf(out, "from zero to over %s, worst ", worst->limit_text);
	else if (group->kind == RG_BREACH_LIMIT)
		rg_buf_printf(out, "over %s, worst ", worst->limit_text);
	else
		rg_buf_printf(out, "over the fail level %g, worst score ", worst->limit);
	rg_story_add_figure(out, worst->value);
}

static void add_what(rg_buf *out, const rg_gate_group *group)
{
	const rg_breach *worst = group->worst;
	switch (group->kind) {
	case RG_BREACH_LOST:
		rg_buf_printf(out, "lost in %zu of %zu goldens, ", group->n, group->of);
		if (worst->row->gap == RG_GAP_OLD_ONLY)
			rg_buf_str(out, "the whole metric in");
		else
			rg_buf_printf(out, "worst %s in", worst->row->lost_text);
		break;
	case RG_BREACH_NONFINITE:
		rg_buf_printf(out, "not finite in %zu of %zu goldens, worst %.0f %s in", group->n,
			      group->of, worst->value, worst->value == 1 ? "value" : "values");
		break;
	case RG_BREACH_RESHAPED:
		rg_buf_printf(out, "of another kind or shape in %zu of %zu goldens, first",
			      group->n, group->of);
		break;
	case RG_BREACH_UNIT:
		rg_buf_printf(out, "another unit in %zu of %zu goldens, ", group->n, group->of);
		if (worst->row->other_unit)
			rg_buf_str(out, worst->row->other_unit);
		else
			rg_buf_printf(out, "%s -> %s",
				      worst->row->old_excerpt ? worst->row->old_excerpt : "nothing",
				      worst->row->new_excerpt ? worst->row->new_excerpt
							      : "nothing");
		rg_buf_str(out, " first in");
		break;
	case RG_BREACH_TOLERANCE:
		rg_buf_printf(out,
			      "over its records' tolerances in %zu of %zu goldens, worst %s, in",
			      group->n, group->of, worst->row->over.text);
		break;
	case RG_BREACH_RUN:
		rg_buf_printf(out, "shows a change beyond noise in %zu of %zu goldens, worst in",
			      group->n, group->of);
		break;
	case RG_BREACH_OUTSIDE:
		rg_buf_printf(out, "outside of what was measured in %zu of %zu goldens, worst in",
			      group->n, group->of);
		break;
	case RG_BREACH_UNMEASURED:
		rg_buf_printf(out, "unmeasured in %zu of %zu goldens, first", group->n, group->of);
		break;
	case RG_BREACH_NEW:
		rg_buf_printf(out, "%s in %zu of %zu goldens, first",
			      worst->row->gap == RG_GAP_NEW_ONLY ? "new" : "new steps", group->n,
			      group->of);
		break;
	case RG_BREACH_CHANGED:
		rg_buf_printf(out, "differs in %zu of %zu goldens, first", group->n, group->of);
		break;
	default:
		add_rows(out, group);
	}
}

/* "newly failing: 2 of 6, first xnnpack/add/0/Result (Pass -> Fail: PTE Run Failed) in" */
static void add_many(rg_buf *out, const rg_gate_group *group)
{
	const rg_breach *worst = group->worst;
	if (group->kind == RG_BREACH_NO_FIGURE) {
		rg_buf_printf(out, "%zu %s no relative figure, first ", group->n,
			      group->n == 1 ? "row differs and has" : "rows differ and have");
	} else {
		add_worse(out, worst);
		rg_buf_printf(out, ": %zu of %zu, %s ", group->n, group->of,
			      isnan(worst->limit) ? "first" : "worst");
	}
	add_change(out, worst);
	rg_buf_str(out, " in ");
}

static double sum_of(const rg_gate_group *group)
{
	double sum = 0;
	for (size_t i = 0; i < group->n; i++)
		sum += group->worst[i].value;
	return sum;
}

/* "lm loss: 125 of 126 rows over 1e-3, worst 0.217", and in a sentence "125 of 126 lm loss rows
 * over 1e-3, worst 0.217". */
static void add_group(rg_buf *out, const rg_gate_group *group, bool sentence)
{
	const rg_records_alone *lost = &group->worst->golden->lost;
	const bool rows = group->kind == RG_BREACH_LIMIT || group->kind == RG_BREACH_FROM_ZERO ||
			  group->kind == RG_BREACH_POLICY || group->kind == RG_BREACH_CHECK;

	if (rg_gate_group_is_of_many(group)) {
		add_many(out, group);
		return;
	}
	if (group->kind == RG_BREACH_NEEDED)
		rg_buf_printf(out, "%zu of %zu goldens lack what the check '%s' needs, first",
			      group->n, group->of, group->argument);
	else if (!group->metric && group->kind == RG_BREACH_LOST)
		rg_buf_printf(
			out,
			"%.0f record%s removed from %zu of %zu goldens, worst %zu of %zu (%s) "
			"in",
			sum_of(group), sum_of(group) == 1 ? "" : "s", group->n, group->of,
			lost->count, lost->of, lost->brief);
	else if (!group->metric)
		rg_buf_printf(out, "%zu of %zu goldens %s, first", group->n, group->of,
			      whole_word(group->kind));
	else if (rows && sentence)
		rg_buf_printf(out, "%zu of %zu %s rows ", group->n, group->of, group->metric);
	else if (rows)
		rg_buf_printf(out, "%s: %zu of %zu rows ", group->metric, group->n, group->of);
	else
		rg_buf_printf(out, "%s%s ", group->metric, sentence ? "" : ":");
	if (group->metric)
		add_what(out, group);
	rg_buf_char(out, ' ');
}

static void tell_group(const rg_gate_group *group)
{
	const bool is_loss = group->kind == RG_BREACH_LOST || group->kind == RG_BREACH_REMOVED;
	const char *guard = group->kind == RG_BREACH_NO_FIGURE || group->kind == RG_BREACH_UNREAD
				    ? "no-figure"
			    : is_loss && !group->worst->asked ? "shrink"
							      : NULL;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_ANY);
	add_group(&text, group, false);
	rg_buf_str(&text, group->worst->file);
	if (guard)
		rg_buf_printf(&text, " (--allow %s lets it through)", guard);
	terminal_say("%s", text.data);
	rg_buf_release(&text);
	for (size_t i = 0; terminal_shows(RG_LOG_DETAIL) && i < group->n; i++)
		if (rg_gate_group_is_of_many(group))
			tell_worse(&group->worst[i]);
		else
			tell_breach(&group->worst[i]);
}

/* A limit that holds nothing must not pass for one that holds. */
static void tell_idle(const rg_idle_limit *idle)
{
	const char *meant = idle->meant;
	if (idle->asked)
		terminal_say("--fail-on %s: %s (--allow no-match lets it through)",
			     idle->asked->text, idle->asked->condition->needed);
	else if (idle->known)
		terminal_say("warning: --fail-above: nothing that is compared matches '%s'",
			     idle->pattern ? idle->pattern : "*");
	else
		terminal_say("--fail-above: no golden has a metric that '%s' matches%s%s%s "
			     "(--allow no-match lets it through)",
			     idle->pattern, meant ? "; did you mean '" : "", meant ? meant : "",
			     meant ? "'?" : "");
}

/* The last line: "gate: 125 of 126 lm loss rows over 1e-3, worst 0.217 t5_11b [dev]; exit 1". */
static void tell_end(const command_context *context, const rg_compare_result *result,
		     const rg_column_context *columns)
{
	const rg_gate_groups *groups = &result->groups;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_ANY);
	add_group(&text, &groups->items[0], true);
	rg_test_name_add(&text, groups->items[0].worst->file, columns);
	if (groups->count > 1)
		rg_buf_printf(&text, "; %zu more %s", groups->count - 1,
			      groups->count == 2 ? "reason" : "reasons");
	terminal_say("gate: %s; exit %d", text.data, context->exit_code);
	rg_buf_release(&text);
}

/* "gate: passed, 184 rows looked at (12 have no relative figure); exit 0" */
static void tell_passed(const command_context *context, const rg_breach_list *breaches)
{
	const size_t without = breaches->without_figure;
	char figures[64] = "";

	if (without)
		snprintf(figures, sizeof(figures), " (%zu %s no relative figure)", without,
			 without == 1 ? "has" : "have");
	if (!breaches->looked_at && !breaches->new_looked_at)
		tell(context, RG_LOG_INFO, "gate: nothing was looked at; exit %d",
		     context->exit_code);
	else if (!breaches->looked_at)
		tell(context, RG_LOG_INFO, "gate: passed, %zu new %s looked at; exit %d",
		     breaches->new_looked_at, breaches->new_looked_at == 1 ? "golden" : "goldens",
		     context->exit_code);
	else
		tell(context, RG_LOG_INFO, "gate: passed, %zu %s looked at%s; exit %d",
		     breaches->looked_at, breaches->looked_at == 1 ? "row" : "rows", figures,
		     context->exit_code);
}

/* Raises context->exit_code: to EXIT_GATE where a gate broke, to EXIT_USAGE where a limit names a
 * metric that there is not; a graver code that is set already is kept. */
static void gate_decide(command_context *context, const rg_compare_result *result)
{
	if (result->breaches.count && context->exit_code == EXIT_DONE)
		context->exit_code = EXIT_GATE;
	for (size_t i = 0; i < result->idle_count; i++)
		if (!result->idle[i].known &&
		    (context->exit_code == EXIT_DONE || context->exit_code == EXIT_GATE))
			context->exit_code = EXIT_USAGE;
}

/* On stderr: a line for each metric that broke the gate, worst first, with -v each of its rows;
 * then limits that hold nothing; last of all the line that sums the gate up. Where there is no
 * gate, nothing. */
static void gate_show(const command_context *context, const rg_compare_result *result,
		      const rg_column_context *columns)
{
	const rg_gate_groups *groups = &result->groups;
	size_t named = groups->count;

	if (named > GROUPS_NAMED && !terminal_shows(RG_LOG_DETAIL))
		named = GROUPS_NAMED;
	for (size_t i = 0; i < named; i++)
		tell_group(&groups->items[i]);
	if (named < groups->count)
		terminal_say("%zu more %s; -v lists them", groups->count - named,
			     groups->count - named == 1 ? "reason" : "reasons");
	for (size_t i = 0; i < result->idle_count; i++)
		tell_idle(&result->idle[i]);
	if (groups->count)
		tell_end(context, result, columns);
	else if (!result->gated || context->exit_code == EXIT_USAGE)
		return;
	else if (result->comparison.file_count)
		tell_passed(context, &result->breaches);
	else
		tell(context, RG_LOG_INFO,
		     "gate: no golden changed, so there was nothing to look at; exit %d",
		     context->exit_code);
}

/* --- reports --- */

/*
 * The summary of a step of a GitHub job is a file that GITHUB_STEP_SUMMARY names and that steps
 * append to. GitHub takes 1 MiB of it.
 */
enum { STEP_SUMMARY_MAX = 1 << 20 };

/* RG_E_USAGE where the variable names no file. */
static rg_error *step_summary_file(const char **out)
{
	*out = getenv("GITHUB_STEP_SUMMARY");
	if (*out && **out)
		return NULL;
	return usage_error("--step-summary: GITHUB_STEP_SUMMARY is not set, as it is in a job on "
			   "GitHub");
}

/* How many bytes more GitHub takes. */
static rg_error *step_summary_room(const char *file, size_t *out)
{
	struct stat status;
	*out = STEP_SUMMARY_MAX;
	if (stat(file, &status) != 0)
		return errno == ENOENT ? NULL : rg_error_io(errno, "%s", file);
	*out = status.st_size < STEP_SUMMARY_MAX ? STEP_SUMMARY_MAX - (size_t)status.st_size : 0;
	*out -= *out > 0;
	return NULL;
}

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

static rg_error *check_files(const rg_report_options *options)
{
	output_file files[RG_REPORT_KINDS];
	if (count_on_stdout(options) > 1)
		return usage_error("only one of --csv, --markdown, --json%s can go to stdout",
				   options->files[RG_REPORT_MESSAGE] ? ", --html and --message"
								     : " and --html");
	if (count_on_stdout(options) && options->annotate)
		return usage_error("--annotate prints to stdout, where a report goes already");
	for (size_t i = 0; i < RG_REPORT_KINDS; i++)
		files[i] = (output_file){option_names[i], options->files[i]};
	return check_output_files(files, RG_REPORT_KINDS);
}

rg_error *comparison_prepare(comparison_run *c, const command_context *context,
			     compare_arguments *arguments)
{
	rg_report_options *report = &arguments->report;
	RG_TRY(browser_prepare(&c->page, arguments->open, &report->files[RG_REPORT_HTML]));
	bool pages = report->files[RG_REPORT_HTML] || report->files[RG_REPORT_JSON];
	report->details = context->common->verbose;
	arguments->compare.want_curves = arguments->compare.want_differences = pages;
	arguments->compare.opaque =
		(rg_opaque_wanted){.lines = pages || report->files[RG_REPORT_MARKDOWN] ||
					    report->step_summary || report->details,
				   .pictures = pages};
	rg_error *err = rg_compare_prepare(&c->rules, &context->flow, &arguments->compare);
	if (!err)
		err = rg_report_prepare(&c->report, &context->flow, &arguments->report);
	if (!err)
		err = check_files(&arguments->report);
	if (!err && arguments->report.step_summary)
		err = step_summary_file(&c->step_summary);
	c->report.result = &c->result;
	c->report.policy = c->report.from.policy = c->rules.policy;
	if (c->rules.judged) {
		c->report.from.noise = &c->rules.noise;
		c->report.from.noise_name = c->rules.noise_name;
		c->report.from.noise_level = c->rules.judge.level;
	}
	c->report.command = context->command_line;
	return err;
}

void comparison_release(comparison_run *c)
{
	browser_release(&c->page);
	rg_compare_result_release(&c->result);
	rg_report_release(&c->report);
	rg_compare_rules_release(&c->rules);
}

/* New and removed goldens that are named without -v. */
enum { NAMED_MAX = 10 };

/* On stderr even with -q: what is wrong is a result. */
/* What a check of the project needs and does not have. */
static void tell_checks(const command_context *context, const rg_file_outcome *file)
{
	if (file->unchecked_why)
		tell(context, RG_LOG_WARNING,
		     "%s: the project's checks are not held against it: %s", file->file,
		     file->unchecked_why);
	if (file->missing_metrics)
		tell(context, RG_LOG_INFO, "%s: fails the project's checks: neither side has %s",
		     file->file, file->missing_metrics);
}

static void tell_notes(const command_context *context, const rg_file_outcome *file)
{
	const char *line = file->notes;
	while (line) {
		size_t length = strcspn(line, "\n");
		tell(context, RG_LOG_WARNING, "%s: %.*s", file->file, (int)length, line);
		line = line[length] ? line + length + 1 : NULL;
	}
}

static void tell_file(const command_context *context, const rg_file_outcome *file, bool new_told,
		      bool removed_told)
{
	switch (file->status) {
	case RG_FILE_COMPARED:
		if (strcmp(file->file, file->old_file) != 0)
			tell(context, RG_LOG_INFO, "%s: renamed from %s", file->file,
			     file->old_file);
		tell_checks(context, file);
		tell_notes(context, file);
		break;
	case RG_FILE_NEW:
		tell(context, new_told ? RG_LOG_DETAIL : RG_LOG_INFO,
		     "%s: new, there is nothing to compare it with", file->file);
		tell_notes(context, file);
		break;
	case RG_FILE_REMOVED:
		tell(context, removed_told ? RG_LOG_DETAIL : RG_LOG_INFO, "%s: removed",
		     file->file);
		break;
	case RG_FILE_UNREADABLE:
		terminal_say("%s: unreadable: %s", file->file, file->why);
		break;
	}
}

static void tell_records(const command_context *context, const rg_file_outcome *file)
{
	if (file->lost.count)
		tell(context, RG_LOG_DETAIL, "%s: records on the old side only: %s", file->file,
		     file->lost.names);
	if (file->gained.count)
		tell(context, RG_LOG_DETAIL, "%s: records on the new side only: %s", file->file,
		     file->gained.names);
}

/* With -v: the records, metrics and steps that no figure is about. */
static void tell_coverage(const command_context *context, const rg_comparison *c)
{
	for (size_t i = 0; i < c->file_count; i++)
		tell_records(context, &c->files[i]);
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
static void tell_files(const command_context *context, const comparison_run *run)
{
	const rg_comparison *c = &run->result.comparison;
	bool listed = run->report.refresh != NULL, many_new = c->new_files > NAMED_MAX;
	bool many_removed = c->removed > NAMED_MAX, brief = !context->common->verbose;

	for (size_t i = 0; i < c->file_count; i++)
		tell_file(context, &c->files[i], listed || many_new, many_removed);
	if (many_new && !listed && brief)
		tell(context, RG_LOG_INFO,
		     "%zu goldens are new, there is nothing to compare them with; "
		     "-v names each",
		     c->new_files);
	if (many_removed && brief)
		tell(context, RG_LOG_INFO, "%zu goldens are removed; -v names each", c->removed);
	if (context->common->verbose)
		tell_coverage(context, c);
	if (count_on_stdout(run->report.options))
		tell(context, RG_LOG_INFO,
		     "%zu %s compared, %zu new, %zu removed, %zu unreadable: %zu %s", c->compared,
		     c->compared == 1 ? "file" : "files", c->new_files, c->removed, c->unreadable,
		     c->row_count, c->row_count == 1 ? "row" : "rows");
}

/* A user who sets tolerances expects them to count. */
static void warn_of_idle_tolerances(const command_context *context, const rg_policy *policy)
{
	const char *pattern = rg_policy_idle_tolerances(policy);
	if (pattern)
		tell(context, RG_LOG_WARNING,
		     "metric \"%s\": rtol and atol have no effect without 'kind = combined'",
		     pattern);
}

/* How many rows lie inside what was measured, and each one that does not; what no step counts of
 * was judged as well. */
static void tell_verdicts(const command_context *context, const rg_comparison *comparison)
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

/* With as many rows as there is room for, unless the call says how many. */
static rg_error *write_shorter(rg_buf *text, const rg_report *report,
			       const command_context *context)
{
	enum { ROWS = 20 }; /* as many as there are at first */
	rg_report_options options = *report->options;
	size_t lines = 0, left = terminal_lines_left(), room = left > 1 ? left - 1 : 0;
	rg_report shorter = *report;

	for (const char *p = text->data; (p = strchr(p, '\n')); p++)
		lines++;
	if (lines <= room || options.top.given)
		return NULL;
	options.top = (rg_optional_integer){true, lines - room < ROWS ? ROWS - (lines - room) : 1};
	shorter.options = &options;
	rg_buf_clear(text);
	return rg_report_table(text, &shorter, &context->style, context->paged);
}

static rg_error *write_table(const rg_report *report, const command_context *context)
{
	rg_buf text;
	if (count_on_stdout(report->options))
		return NULL;
	rg_buf_init(&text, RG_BUF_ANY);
	rg_error *err = rg_report_table(&text, report, &context->style, context->paged);
	if (!err && terminal_is_limited())
		err = write_shorter(&text, report, context);
	if (!err)
		terminal_print(&text);
	rg_buf_release(&text);
	return err;
}

/* As much as GitHub takes; what it takes nothing of is missing, and the exit code says so. */
static rg_error *write_step_summary(const comparison_run *c, command_context *context, rg_buf *text)
{
	rg_report_options options = *c->report.options;
	rg_report report = c->report;
	size_t room, max = rg_report_markdown_max(&options, report.alone);

	RG_TRY(step_summary_room(c->step_summary, &room));
	options.max_chars = (rg_optional_integer){true, room < max ? room : max};
	report.options = &options;
	rg_buf_clear(text);
	RG_TRY(rg_report_render(text, &report, RG_REPORT_MARKDOWN));
	if (text->length <= room)
		return step_summary_append(c->step_summary, text);
	rg_error *err = rg_error_new(RG_E_LIMIT, "--step-summary: %s is full: GitHub takes 1 MiB",
				     c->step_summary);
	command_miss(context, err);
	return NULL;
}

static rg_error *write_for_job(const comparison_run *c, command_context *context, rg_buf *text)
{
	if (c->step_summary)
		RG_TRY(write_step_summary(c, context, text));
	if (!c->report.options->annotate)
		return NULL;
	rg_buf_clear(text);
	RG_TRY(rg_report_annotate(text, &c->report));
	runner_print_commands(text);
	return NULL;
}

static rg_error *add_document(rg_buf *out, const void *report)
{
	return rg_report_render(out, report, RG_REPORT_JSON);
}

/* After all else, which the exit code may come from. */
static rg_error *write_document(const comparison_run *c, const command_context *context)
{
	const char *file = c->report.options->files[RG_REPORT_JSON];
	rg_facts facts;

	if (!file)
		return NULL;
	facts_begin(&facts, context);
	if (!is_stdout(file))
		rg_facts_can(&facts, "makes a page of it", "report", file, "--html", "report.html",
			     NULL);
	if (context->changed)
		rg_facts_can(&facts, "takes the update back", "undo", NULL);
	return facts_finish_large(&facts, context, file, add_document, &c->report);
}

static rg_error *write_reports(const comparison_run *c, command_context *context)
{
	const rg_report_options *options = c->report.options;
	rg_buf text;
	rg_buf_init(&text, RG_BUF_ANY);

	rg_error *err = NULL; /* as large as the rows are; no sum runs over */
	for (size_t i = 0; i < RG_REPORT_KINDS && !err; i++) {
		if (!options->files[i] || i == RG_REPORT_JSON)
			continue;
		rg_buf_clear(&text);
		err = rg_report_render(&text, &c->report, (rg_report_kind)i);
		if (!err && i == RG_REPORT_MESSAGE && !text.length)
			tell(context, RG_LOG_INFO,
			     "no golden of the run differs from HEAD: no commit message is "
			     "written");
		else if (!err)
			err = write_output(options->files[i], &text);
		err = rg_error_wrap(err, "%s", option_names[i]);
	}
	if (!err)
		err = write_for_job(c, context, &text);
	rg_buf_release(&text);
	return err ? err : write_document(c, context);
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
		tell_files(context, c);
	warn_of_idle_tolerances(context, c->rules.policy);
	if (c->rules.judged)
		tell_verdicts(context, comparison);
	if (comparison->unreadable || c->result.missing)
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

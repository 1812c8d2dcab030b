#include "compare.h"

#include "commands.h"
#include "compare/gate.h"
#include "compare/summary.h"
#include "compare_pairs.h"
#include "noise.h"
#include "policy.h"
#include "report_outputs.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE(field) offsetof(compare_source, field)
#define REPORT(field) offsetof(compare_report, field)

const option compare_source_options[] = {
	{0, "base", "REV", OPTION_TEXT, SOURCE(base), "the old side (default: HEAD)", NULL, 0, 0},
	{0, "to", "REV", OPTION_TEXT, SOURCE(to), "the new side (default: the working tree)", NULL,
	 0, 0},
	{0, "staged", NULL, OPTION_FLAG, SOURCE(staged), "the new side is the index", NULL, 0, 0},
	{0, "merge-base", NULL, OPTION_FLAG, SOURCE(merge_base),
	 "the old side is where REV and HEAD (or --to) parted", NULL, 0, 0},
	{0, "no-renames", NULL, OPTION_FLAG, SOURCE(no_renames), "do not follow renamed goldens",
	 NULL, 0, 0},
	{0, "file", "FILE", OPTION_TEXTS, SOURCE(files),
	 "compare this file, changed or not; may be repeated", NULL, 0, 0},
	{0, "old", "FILE", OPTION_TEXT, SOURCE(old_file),
	 "compare two files or folders; with --new", NULL, 0, 0},
	{0, "new", "FILE", OPTION_TEXT, SOURCE(new_file), "the new one of them", NULL, 0, 0},
	{0, "dtype", "TYPE", OPTION_TEXT, SOURCE(formats.dtype),
	 "what raw tensors (.bin) hold that have no program beside them", NULL, 0, 0},
	{0, "shape", "N,N,...", OPTION_TEXT, SOURCE(formats.shape), "their shape (default: flat)",
	 NULL, 0, 0},
	{0, "run-index", "N", OPTION_INTEGER, SOURCE(formats.run_index),
	 "which run of an opdiff file, from 0 (default: the last)", NULL, 0, 1000000},
	{0, "old-backend", "NAME", OPTION_TEXT, SOURCE(old_backend),
	 "of opdiff results, compare this backend on the old side", NULL, 0, 0},
	{0, "new-backend", "NAME", OPTION_TEXT, SOURCE(new_backend),
	 "… with this one on the new side", NULL, 0, 0},
	{0},
};

const option compare_report_options[] = {
	{0, "threshold", "X", OPTION_NUMBER, REPORT(threshold),
	 "show rows with |avg_rel_diff| of X or more (default: 0)", NULL, 0, 0},
	{0, "top", "N", OPTION_INTEGER, REPORT(top), "show the first N of all rows", NULL, 1, 0},
	{'o', "columns", "LIST", OPTION_TEXT, REPORT(columns),
	 "which columns in which order, or 'all'", NULL, 0, 0},
	{0, "sort", "[-]COLUMN", OPTION_TEXT, REPORT(sort),
	 "order rows by a column; '-' turns it round", NULL, 0, 0},
	{0, "filter", "KEY=GLOB", OPTION_TEXTS, REPORT(filters),
	 "only where file, metric or stage matches; may be repeated", NULL, 0, 0},
	{0, "csv", "FILE", OPTION_TEXT, REPORT(csv), "write all rows as CSV; '-' is stdout", NULL,
	 0, 0},
	{0, "markdown", "FILE", OPTION_TEXT, REPORT(markdown),
	 "write the summary for people; '-' is stdout", NULL, 0, 0},
	{0, "json", "FILE", OPTION_TEXT, REPORT(json), "write everything as JSON; '-' is stdout",
	 NULL, 0, 0},
	{0, "html", "FILE", OPTION_TEXT, REPORT(html),
	 "write a page with curves of the worst rows; '-' is stdout", NULL, 0, 0},
	{0, "template", "FILE", OPTION_TEXT, REPORT(template_file),
	 "render the summary from this template", NULL, 0, 0},
	{0, "html-template", "FILE", OPTION_TEXT, REPORT(html_template_file),
	 "render the page from this template", NULL, 0, 0},
	{0, "noise", "FILE", OPTION_TEXT, REPORT(noise),
	 "judge rows by this noise model (of regild audit --model)", NULL, 0, 0},
	{0, "noise-level", "X", OPTION_NUMBER, REPORT(noise_level),
	 "how often, at most, a verdict may be wrong (default: 0.1)", NULL, 0, 0},
	{0, "fail-above", "[METRIC=]X", OPTION_TEXTS, REPORT(fail_above),
	 "exit with 1 where |avg_rel_diff| is over X; may be repeated", NULL, 0, 0},
	{0},
};

static const option_group groups[] = {
	{"What to compare", compare_source_options, offsetof(compare_arguments, source)},
	{"What to show", compare_report_options, offsetof(compare_arguments, report)},
	{0},
};

/* On stderr even with -q: what is wrong, what broke a gate, and that one holds nothing, are
 * results.
 */
static void tell_file(const environment *env, const rg_file_outcome *file)
{
	switch (file->status) {
	case RG_FILE_COMPARED:
		if (strcmp(file->file, file->old_file) != 0)
			rg_log_say(&env->log, RG_LOG_INFO, "%s: renamed from %s", file->file,
				   file->old_file);
		break;
	case RG_FILE_NEW:
		rg_log_say(&env->log, RG_LOG_INFO, "%s: new, there is nothing to compare it with",
			   file->file);
		break;
	case RG_FILE_REMOVED:
		rg_log_say(&env->log, RG_LOG_INFO, "%s: removed", file->file);
		break;
	case RG_FILE_UNREADABLE:
		terminal_say("%s: unreadable: %s", file->file, file->why);
		break;
	}
}

/* With -v: the metrics and steps that no figure is about. */
static void tell_coverage(const environment *env, const rg_comparison *c)
{
	size_t i;

	for (i = 0; i < c->gap_count; i++) {
		const rg_gap *gap = &c->gaps[i];
		const char *text = gap->left_out_text;

		rg_log_say(&env->log, RG_LOG_DETAIL, "%s: %s: %s%s", c->files[gap->file_index].file,
			   gap->metric,
			   gap->kind == RG_GAP_OLD_ONLY   ? "on the old side only"
			   : gap->kind == RG_GAP_NEW_ONLY ? "on the new side only"
			   : text                         ? "no step counts: "
							  : "has no steps",
			   text ? text : "");
	}
	for (i = 0; i < c->row_count; i++) {
		const rg_row *row = &c->rows[i];

		if (row->kind == RG_ROW_SERIES && row->left_out_text)
			rg_log_say(&env->log, RG_LOG_DETAIL, "%s: %s: steps left out: %s",
				   row->file, row->metric, row->left_out_text);
	}
}

static void tell_files(const environment *env, const rg_comparison *c)
{
	size_t i;

	for (i = 0; i < c->file_count; i++)
		tell_file(env, &c->files[i]);
	if (env->common->verbose)
		tell_coverage(env, c);
	rg_log_say(&env->log, RG_LOG_INFO,
		   "%zu %s compared, %zu new, %zu removed, %zu unreadable: %zu %s", c->compared,
		   c->compared == 1 ? "file" : "files", c->new_files, c->removed, c->unreadable,
		   c->row_count, c->row_count == 1 ? "row" : "rows");
}

static rg_error *parse_gate(rg_gate *gate, const compare_report *report)
{
	size_t i;

	for (i = 0; i < report->fail_above.count; i++)
		RG_TRY(rg_error_wrap(rg_gate_add(gate, report->fail_above.items[i]),
				     "--fail-above"));
	return NULL;
}

static void tell_breach(const rg_comparison *c, const rg_breach *breach)
{
	const char *file = breach->row ? breach->row->file : c->files[breach->gap->file_index].file;
	const char *metric = breach->row ? breach->row->metric : breach->gap->metric;

	if (breach->kind == RG_BREACH_GONE)
		terminal_say("%s: %s: gone on the new side: the gate breaks", file, metric);
	else if (breach->kind == RG_BREACH_RESHAPED)
		terminal_say("%s: %s: of another kind or shape: the gate breaks", file, metric);
	else if (breach->kind == RG_BREACH_NONFINITE)
		terminal_say("%s: %s: not finite where the old side is: the gate breaks", file,
			     metric);
	else if (breach->row && breach->row->kind == RG_ROW_EXACT)
		terminal_say("%s: %s: differs: the gate breaks", file, metric);
	else
		terminal_say("%s: %s: %s of %g is over %g: the gate breaks", file, metric,
			     breach->kind == RG_BREACH_LIMIT ? "|avg_rel_diff|" : "score",
			     breach->value, breach->limit);
}

/* Who sets tolerances wants to be held to them. */
static void warn_of_idle_tolerances(const environment *env, const rg_policy *policy)
{
	const char *pattern = rg_policy_idle_tolerances(policy);

	if (pattern)
		rg_log_say(&env->log, RG_LOG_WARNING,
			   "metric \"%s\": rtol and atol have no effect without 'kind = combined'",
			   pattern);
}

static rg_error *hold_gate(environment *env, rg_gate *gate, const rg_comparison *c)
{
	rg_breach_list breaches = {0};
	rg_error *err = rg_gate_evaluate(gate, c, &breaches);
	size_t i;

	for (i = 0; !err && c->compared && i < gate->count; i++)
		if (!gate->limits[i].matched)
			terminal_say("warning: --fail-above: no metric with figures matches '%s'",
				     gate->limits[i].pattern ? gate->limits[i].pattern : "*");
	for (i = 0; !err && i < breaches.count; i++)
		tell_breach(c, &breaches.items[i]);
	if (!err && breaches.count && env->exit_code == EXIT_DONE)
		env->exit_code = EXIT_GATE;
	rg_breach_list_release(&breaches);
	return err;
}

/* What a comparison is made by, beside its files. */
typedef struct {
	outputs outputs;
	rg_filter filter;
	rg_gate gate;
	rg_policy *policy;
	noise_source noise;
} preparation;

/* Everything that is wrong with the call is said before a file is read. */
static rg_error *prepare(environment *env, const compare_report *report,
			 const compare_context *context, preparation *p)
{
	*p = (preparation){
		.filter = {(const char *const *)report->filters.items, report->filters.count}};
	rg_gate_init(&p->gate);
	outputs_init(&p->outputs);
	RG_TRY(rg_filter_check(&p->filter));
	RG_TRY(outputs_prepare(env, report, &p->outputs));
	RG_TRY(parse_gate(&p->gate, report));
	RG_TRY(policy_load(&p->policy, env->config));
	return noise_load(&p->noise, env, report, context);
}

static void release(preparation *p)
{
	noise_release(&p->noise);
	rg_policy_free(p->policy);
	rg_gate_release(&p->gate);
	outputs_release(&p->outputs);
}

rg_error *compare_check(environment *env, const compare_report *report)
{
	preparation p;
	rg_error *err = prepare(env, report, NULL, &p);

	release(&p);
	return err;
}

/* Compares with what the user says of formats; completes the rules by it. */
static rg_error *compare_by_formats(environment *env, const compare_source *source,
				    const compare_rules *given, rg_comparison *out)
{
	compare_rules rules = *given;
	rg_golden_options old_options, new_options;
	format_options formats;
	rg_error *err = format_options_load(&formats, env, &source->formats);

	old_options = new_options = formats.options;
	old_options.backend = rules.reports->old_backend = source->old_backend;
	new_options.backend = rules.reports->new_backend = source->new_backend;
	rules.reports->run_index = formats.options.run_index;
	rules.old_options = &old_options;
	rules.new_options = &new_options;
	if (!err)
		err = compare_pairs(env, source, &rules, out);
	format_options_release(&formats);
	return err;
}

rg_error *compare_run(environment *env, const compare_arguments *arguments,
		      const compare_context *context)
{
	rg_comparison comparison;
	preparation p;
	format_reports reports = {0};
	rg_curve_list curves = {0};
	outputs *o = &p.outputs;
	rg_error *err;

	rg_comparison_init(&comparison);
	err = prepare(env, &arguments->report, context, &p);
	o->old_side = compare_old_side(&arguments->source);
	o->new_side = compare_new_side(&arguments->source);
	o->files_alone = arguments->source.old_file != NULL;
	o->reports = &reports;
	o->curves = &curves;
	if (!err) {
		const compare_rules rules = {.policy = p.policy,
					     .judge = p.noise.given ? &p.noise.judge : NULL,
					     .reports = &reports,
					     .filter = &p.filter,
					     .context = &o->columns_context,
					     .curves = arguments->report.html ? &curves : NULL};

		err = compare_by_formats(env, &arguments->source, &rules, &comparison);
	}
	if (!err) {
		tell_files(env, &comparison);
		warn_of_idle_tolerances(env, p.policy);
		if (p.noise.given)
			noise_tell(env, &comparison);
		if (comparison.unreadable)
			env->exit_code = EXIT_PARTIAL;
		err = outputs_write(env, o, &comparison, p.policy, context);
	}
	if (!err)
		err = hold_gate(env, &p.gate, &comparison);
	format_reports_release(&reports);
	rg_curves_release(&curves);
	rg_comparison_release(&comparison);
	release(&p);
	return err;
}

static rg_error *run(environment *env, void *arguments)
{
	return compare_run(env, arguments, NULL);
}

const command command_compare = {
	.name = "compare",
	.summary = "compare goldens with their baselines in git",
	.stray = "a revision is named with --base, a file with --file",
	.description = "Compares the goldens that differ from a revision, metric by metric. "
		       "avg_rel_diff is\n"
		       "mean((old - new) / old): positive where the new run is smaller.",
	.groups = groups,
	.arguments_size = sizeof(compare_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run,
};

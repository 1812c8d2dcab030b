/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_COMPARE_H
#define REGILD_CMD_COMPARE_H

#include "browser.h"
#include "command.h"
#include "flow/compare.h"
#include "flow/report.h"

typedef struct {
	rg_compare_options compare;
	rg_report_options report;
	bool open;      /* show the page in a browser */
	rg_texts allow; /* guards; of these "shrink" lets through what is lost */
} compare_arguments;

/* The options of a comparison's reports: an option_group's table, into compare_arguments. */
extern const option compare_report_options[];
#define COMPARE_REPORTS(place)                                                                   \
	{                                                                                        \
		.title = "What to report", .options = compare_report_options, .offset = (place), \
		.topic = "reports", .usage = "[REPORT OPTIONS]"                                  \
	}

/* A comparison and its reports, as `compare` and `refresh` make them. Starts all zero. */
typedef struct {
	rg_compare_rules rules;
	rg_compare_result result;
	rg_report report;
	const char *step_summary; /* a file; NULL: not wanted */
	browser_page page;
	char run_id[24]; /* what the report says of it */
} comparison_run;

/* Everything that is wrong with the call is said before a file is read. */
RG_CHECKED rg_error *comparison_prepare(comparison_run *c, const command_context *context,
					compare_arguments *arguments);
/*
 * Shows the result: the table on stdout (unless a report goes there), the reports, what became of
 * files and gates on stderr. Sets context->exit_code to EXIT_PARTIAL where a file was unreadable,
 * else to EXIT_GATE where a gate broke, or EXIT_USAGE where a limit names a metric that there is
 * not; a graver code that is set already is kept.
 */
RG_CHECKED rg_error *comparison_show(comparison_run *c, command_context *context);
/* The reports alone. */
RG_CHECKED rg_error *comparison_write_reports(comparison_run *c, command_context *context);
void comparison_run_release(comparison_run *c);

/* Does a report go to stdout? */
bool comparison_takes_stdout(const compare_arguments *arguments);

#endif

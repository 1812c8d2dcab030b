/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_SUMMARY_H
#define REGILD_REPORT_SUMMARY_H

#include "audit/new_runs.h"
#include "compare/policy.h"
#include "compare/row.h"
#include "report/among.h"
#include "report/columns.h"
#include "report/refresh.h"
#include "report/test_rows.h"

/* Where new goldens came from. Texts are as the CI's API gave them; NULL or 0: not known. */
typedef struct {
	const char *id;   /* the run's number; NULL: there was no run */
	const char *from; /* the folder or archive that they came from instead, or NULL */
	const char *url, *commit, *branch;
	const char *fork; /* "OWNER/NAME" whose commit it is, where that is a fork; or NULL */
	const char *commit_note; /* "is not in HEAD's history"; NULL: it is */
	unsigned attempt;
	bool only_failing; /* its scope: jobs that failed, else all */
	const char *job;   /* its scope: that job alone, by its name; NULL: all */
	rg_among among;
} rg_run_facts;

/* What a summary for people, or the page, is made of. */
typedef struct {
	const rg_comparison *comparison;
	const rg_new_runs *new_runs; /* NULL: there is but one new side */
	rg_test_counts tests;        /* of reports whose rows the comparison does not have */
	const rg_policy *policy;     /* may be NULL */
	rg_run_facts run;
	const char *old_side, *new_side; /* "HEAD", "the working tree", a file's name */
	bool filtered;                   /* --filter chose what was compared */
	bool alone;                      /* a file held against nothing: no rows are told of */
	const rg_refresh *refresh;       /* what it did; NULL: nothing was refreshed */
	const char *command;             /* NULL: left out */
	const char *message; /* the file that the commit message is written to; NULL: none */
	const char *root;    /* regild.root; NULL: files that are in no repository */
	/* Columns for the table of rows that a reviewer must look at; NULL: the plain ones. */
	const rg_column_list *columns;
	const rg_column_context *context;
} rg_summary;

#endif

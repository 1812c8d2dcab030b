#ifndef REGILD_CMD_COMPARE_H
#define REGILD_CMD_COMPARE_H

#include "command.h"
#include "format_options.h"
#include "update/manifest.h"

/* Which goldens are compared: `compare` only. */
typedef struct {
	const char *base, *to; /* revisions; NULL: HEAD, the working tree */
	bool staged;
	bool merge_base;
	bool no_renames;
	option_texts files;              /* --file */
	const char *old_file, *new_file; /* --old, --new */
	format_arguments formats;
	const char *old_backend, *new_backend; /* of opdiff results */
} compare_source;

/* What is shown of the comparison, and where: shared by `compare` and `refresh`. */
typedef struct {
	option_number threshold; /* not given: 0 */
	option_integer top;      /* not given: all */
	const char *columns;     /* "file,metric,…"; NULL: the default ones */
	const char *sort;        /* a column, "-" in front turns it round; NULL: by size */
	option_texts filters;    /* "file=GLOB", "metric=GLOB", "stage=GLOB" */
	const char *csv, *markdown, *json, *html; /* a file or "-"; NULL: not written */
	const char *template_file;                /* NULL: regild.template, else the built-in one */
	const char *html_template_file; /* NULL: regild.htmltemplate, else the built-in one */
	option_texts fail_above;        /* "[METRIC=]X" */
	const char *noise;              /* a noise model; NULL: regild.noise, else none */
	option_number noise_level;      /* not given: RG_VERDICT_LEVEL */
} compare_report;

typedef struct {
	compare_source source;
	compare_report report;
} compare_arguments;

/* Tables for option groups; their offsets lead into compare_source and compare_report. */
extern const option compare_source_options[];
extern const option compare_report_options[];

/* What a refresh knows beside the comparison; for the markdown. */
typedef struct {
	const rg_manifest *run; /* NULL: there was no run */
	const char *command;    /* the command line as a person would type it; NULL: env's */
} compare_context;

/* What is wrong with the reports that are asked for, for a command that does something before it
 * compares. */
RG_CHECKED rg_error *compare_check(environment *env, const compare_report *report);

/*
 * Compares and reports: the table on stdout (unless a report goes there), CSV,
 * markdown and JSON where asked for, new, removed and unreadable files on stderr. Sets
 * env->exit_code to EXIT_PARTIAL where a file was unreadable, else to EXIT_GATE where a gate
 * broke; a code that is set already is kept where it is the graver one (PARTIAL over GATE).
 * `context` may be NULL.
 */
RG_CHECKED rg_error *compare_run(environment *env, const compare_arguments *arguments,
				 const compare_context *context);

#endif

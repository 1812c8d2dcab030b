#ifndef REGILD_REPORT_MARKDOWN_H
#define REGILD_REPORT_MARKDOWN_H

#include "base/buf.h"
#include "compare/policy.h"
#include "compare/row.h"
#include "report/columns.h"

/*
 * The summary for people, in GitHub's markdown, rendered from a template (templates/summary.md, or
 * the user's). man/regild-compare.1 lists what a template can use.
 */

/* What GitHub takes as the body of a pull request or comment, in characters. */
#define RG_MARKDOWN_MAX 65536

/* Escaping for text: it means itself inside and outside of tables, mentions nobody and breaks no
 * line (a newline shows as \n). */
void rg_markdown_text(rg_buf *out, const char *text, size_t length);
/* The same as code: `text`, or <code> with escapes where backticks would not hold it. */
void rg_markdown_code(rg_buf *out, const char *text, size_t length);

typedef struct {
	const rg_comparison *comparison;
	const rg_policy *policy;   /* may be NULL */
	const char *run;           /* the run's id or URL; NULL: there was none */
	bool only_failing;         /* of the run's scope */
	const char *command;       /* NULL: left out */
	const char *root;          /* regild.root; NULL: files that are in no repository */
	const char *csv;           /* where all rows are, for "N more rows in …"; NULL: nowhere */
	const char *template_text; /* NULL: the built-in one */
	/* Columns for the table of rows that a reviewer must look at; NULL: the plain ones. */
	const rg_column_list *columns;
	const rg_column_context *context;
} rg_summary;

/*
 * Appends the summary. Lists are cut, worst first, with a line that says how many more there are,
 * until all of `out` is under RG_MARKDOWN_MAX characters. RG_E_USAGE for a template that is wrong.
 */
RG_CHECKED rg_error *rg_summary_render(rg_buf *out, const rg_summary *summary);

#endif

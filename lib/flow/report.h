/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_REPORT_H
#define REGILD_FLOW_REPORT_H

#include "base/json.h"
#include "flow/compare.h"
#include "flow/provenance.h"
#include "report/columns.h"
#include "report/json.h"
#include "story/summary.h"
#include "story/story.h"
#include "report/table.h"

/*
 * The reports of a comparison. First rg_report_prepare, which says what is wrong with the call;
 * after the comparison, fill in what is reported, call rg_report_work_out, then rg_report_render
 * for each report.
 */

typedef enum {
	RG_REPORT_CSV,      /* all rows */
	RG_REPORT_JSON,     /* everything */
	RG_REPORT_MARKDOWN, /* the summary for people */
	RG_REPORT_HTML,     /* a page with curves */
	RG_REPORT_MESSAGE,  /* of a commit, after an update; empty where there is none to make */
	RG_REPORT_KINDS
} rg_report_kind;

typedef struct {
	rg_optional_number threshold; /* of the terminal's table; not given: 0 */
	rg_optional_integer top;      /* of the terminal's tables; 0: all; not given: 20 */
	const char *columns;          /* "file,metric,…"; NULL: the default ones */
	const char *sort;             /* a column, "-" before it turns it round; NULL: by size */
	const char *files[RG_REPORT_KINDS]; /* paths; "-": stdout; NULL: not wanted */
	rg_optional_integer max_chars; /* of the markdown, in bytes; not given: RG_MARKDOWN_SHORT */
	bool details;                  /* of opaque goldens, on the terminal, too */
	bool step_summary, annotate;   /* wanted as well: the markdown, and rg_report_annotate */
	const char *template_file;     /* NULL: regild.template, else the built-in one */
	const char *html_template_file; /* NULL: regild.htmlTemplate, else the built-in one */
} rg_report_options;

/* The user's template, which may well be empty. */
typedef struct {
	bool given; /* else the built-in one counts */
	rg_buf text;
} rg_report_template;

typedef struct {
	/* By rg_report_prepare. */
	const rg_report_options *options;
	rg_column_list columns; /* of table and CSV */
	rg_column_context context;
	rg_report_template summary, page;
	/* The subject of the report. */
	const rg_compare_result *result;
	const rg_policy *policy;
	bool without_repository; /* two files or folders were compared */
	bool alone;       /* … or one file was compared with nothing: rows are not told of */
	rg_run_facts run; /* of the goldens, where they have just been put in */
	const rg_refresh *refresh; /* NULL: nothing was refreshed */
	rg_provenance from;
	bool dry_run;        /* the refresh was not made */
	const char *command; /* as a person would type it */
	int exit_code;       /* what the command ends with, as far as the comparison says */
	/* By rg_report_work_out. */
	rg_comparison told; /* what people are told of, without the rows of tests */
	rg_summary about;
	rg_story story;
	const rg_row **own;   /* of each row of the story's comparison, the result's */
	rg_curve_list curves; /* the result's, in the story's order */
	cJSON *formats;       /* what formats say beside rows; NULL: nothing */
	cJSON *provenance;
} rg_report;

/* Reads templates. RG_E_USAGE for columns that do not exist and templates without their report.
 * `out` borrows the options, and is released whatever comes back. */
RG_CHECKED rg_error *rg_report_prepare(rg_report *out, const rg_flow *flow,
				       const rg_report_options *options);
void rg_report_release(rg_report *report);

/* How many bytes the markdown may have; of a file alone, all that GitHub takes unless it is said.
 */
size_t rg_report_markdown_max(const rg_report_options *options, bool alone);

/* Works out what there is to say, once all of that is filled in. The report is not moved after. */
RG_CHECKED rg_error *rg_report_work_out(rg_report *report);

/* Appends what a GitHub job shows beside goldens (report/annotations.h). */
RG_CHECKED rg_error *rg_report_annotate(rg_buf *out, const rg_report *report);

/* Both append to `out`. */
RG_CHECKED rg_error *rg_report_render(rg_buf *out, const rg_report *report, rg_report_kind kind);
/* The terminal's: what formats say, rows, then the blocks of the summary (report/blocks.h), or
 * these first if a pager shows the beginning. */
RG_CHECKED rg_error *rg_report_table(rg_buf *out, const rg_report *report,
				     const rg_table_style *style, bool paged);

/*
 * The summary and the page out of the JSON of a comparison or an audit: the same bytes as its own,
 * without goldens, repository or network. The document is not trusted.
 *
 *	rg_report_prepare(&report, &flow, &options);
 *	rg_report_document_read(&document, path);
 *	rg_report_again(&text, &report, &document, RG_REPORT_MARKDOWN);
 */

typedef struct {
	const char *path;              /* borrowed; NULL: of a comparison that was just made */
	bool audit;                    /* it is an audit's: only the story counts */
	cJSON *root, *story, *formats; /* story: of the root, or the view */
	cJSON *view;                   /* what templates are rendered from */
	const rg_curve_list *curves;   /* NULL: the document has them */
	const rg_page_rows *page;      /* NULL: the same */
	rg_arena arena;
	rg_json_in in;
} rg_report_document;

#define RG_REPORT_DOCUMENT_MAX ((size_t)512 << 20)
/* RG_E_PARSE for what is not such a document, RG_E_LIMIT for one of more than that. `out` is
 * released whatever comes back. */
RG_CHECKED rg_error *rg_report_document_read(rg_report_document *out, const char *path);
/* The same of a text in memory; `path` is for messages. */
RG_CHECKED rg_error *rg_report_document_parse(rg_report_document *out, const char *text,
					      size_t size, const char *path);
void rg_report_document_release(rg_report_document *document);

/* Appends the summary or the page, as report->options have it; options->top: items of a list of the
 * summary, at most. */
RG_CHECKED rg_error *rg_report_again(rg_buf *out, const rg_report *report,
				     rg_report_document *document, rg_report_kind kind);

#endif

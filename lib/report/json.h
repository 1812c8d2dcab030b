/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_JSON_H
#define REGILD_REPORT_JSON_H

#include "base/fields.h"
#include "audit/new_runs.h"
#include "base/json.h"
#include "compare/gate.h"
#include "story/summary.h"
#include "report/columns.h"
#include "report/curve.h"
#include "report/document_head.h"
#include "story/story.h"
#include "story/golden_name.h"

/*
 * The page's table of rows, which a document has as "page": which of its rows are on the page. The
 * data of a template are made of both: "table", with columns, rows and more. A row has its id, its
 * figure and further cells, what it can be filtered by as "facets", and the document's row as
 * "facts".
 */

/* Rows in the table at most. */
#define RG_PAGE_ROWS 20000

/* A row's name in addresses, out of its file and metric alone: the next page has the same. With the
 * NUL. */
#define RG_PAGE_ROW_ID 9
void rg_page_row_id(char out[static RG_PAGE_ROW_ID], const char *file, const char *metric);

typedef struct {
	const rg_story *story;
	const rg_row *const *rows; /* in the table's order: all of them */
	const rg_row *const *told; /* the same rows, as the story's comparison has them */
	size_t row_count;          /* the first RG_PAGE_ROWS are shown */
	const rg_column_list *columns;
	const rg_column_context *context;
	const rg_refresh *refresh; /* may be NULL */
	/* The address of a golden up to its path, as a side's commit has it; NULL: not known. */
	const char *old_url, *new_url;
} rg_page_rows;

/* Writes the member "page". `order` has the rows of the document, which are the comparison's, in
 * their order; the page has no others. */
void rg_page_table_write(rg_json_out *json, const rg_page_rows *page,
			 const rg_comparison *comparison, const rg_row *const *order, size_t count);

/* A row, as far as the page's figures and links need it. */
typedef struct {
	char id[RG_PAGE_ROW_ID];
	const char *file, *name; /* valid UTF-8 */
	size_t card;             /* 1 is the story's first; 0: none */
	bool look;
	double moved; /* how far, positive where new is the larger number; NaN: no figure says */
} rg_page_row;

/* The table: rows as data of a template are made one at a time, as all of them would take
 * kilobytes each. */
typedef struct {
	cJSON *head; /* the table's data; "rows" is empty */
	rg_page_row *rows;
	size_t count;
	/* For page_table.c alone. */
	const rg_json_in *in;
	const rg_page_rows *page; /* NULL: read from a document */
	rg_column_list columns, facts;
	rg_arena arena;
	cJSON **all, **items; /* the document's rows, and what its page says of some */
	size_t all_count;
} rg_page_table;

/* Opens the table of a comparison if `page` is given, else of the document that `in` is of; both
 * stay. RG_E_PARSE for what does not fit together. It is released whatever comes back. */
RG_CHECKED rg_error *rg_page_table_open(rg_page_table *out, const rg_json_in *in,
					const rg_page_rows *page);
void rg_page_table_release(rg_page_table *table);
/* Adds a row to a list. */
RG_CHECKED rg_error *rg_page_table_add(const rg_page_table *table, size_t i, cJSON *list);

/* The keys of that, in JSON. */
extern const rg_json_field rg_page_fields[];

/* The parts of the document beside its rows; all but `story` and `page` may be NULL. */
typedef struct {
	/* The summary and the page are rendered from it, and `regild report` can do it again. */
	const rg_story *story;
	const rg_comparison *told;  /* what buckets are of; NULL: of all rows */
	const rg_gate_groups *gate; /* what broke it; NULL: there is no gate */
	int exit_code;              /* that the gate's line names */
	const rg_page_rows *page;
	const rg_curve_list *curves;
	cJSON *formats;    /* report/format_report.h; NULL: nothing */
	cJSON *provenance; /* flow/provenance.h; NULL: not known */
} rg_json_about;

/*
 * The whole comparison: counts, buckets, a line a metric, every row with every column, every file,
 * every gap. `rows` is the order of the rows; it must hold all of the comparison's. Described in
 * regild-json(5). Numbers are written as rg_double_repr writes them, what JSON has no number for as
 * the texts "nan", "inf" and "-inf", what is not defined as null.
 */
RG_CHECKED rg_error *rg_comparison_json(rg_buf *out, const rg_comparison *comparison,
					const rg_row *const *rows, const rg_column_context *context,
					const rg_json_about *about);

/*
 * The document in memory, as far as the summary and the page are rendered from it: without gaps and
 * rows, which an rg_page_table makes, and of the files only those that are new, removed, unreadable
 * or changed by somebody. Of formats and provenance it has its own.
 */
cJSON *rg_comparison_told(const rg_comparison *comparison, const rg_json_about *about);

/* The keys of that, in JSON. */
extern const rg_json_field rg_compare_fields[];

#endif

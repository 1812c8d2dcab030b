/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BACKEND_CASE_H
#define REGILD_GOLDEN_BACKEND_CASE_H

#include "base/error.h"
#include "base/memory.h"
#include "golden/golden.h"

#include <stdbool.h>
#include <stddef.h>

/* Cases of a report of backend tests (golden/executorch/backend_report.h), and lists of them. */

typedef enum { RG_CASE_PASS, RG_CASE_SKIP, RG_CASE_FAIL } rg_case_result;

/* "Pass", "Skip", "Fail". */
const char *rg_case_result_text(rg_case_result result);

typedef struct {
	const char *column;
	double value;     /* where text is NULL */
	const char *unit; /* of the value (golden/unit.h); NULL: none */
	const char *text; /* an exact matter */
} rg_case_field;

/* A detail of failures. */
#define RG_CASE_CRASH "Process Crash"

/* One case; texts are never NULL. */
typedef struct {
	/* The key, together; subtest is "" of a test as a whole. */
	const char *flow, *test_id, *subtest;
	const char *test_case, *params;
	const char *detail; /* "Output Mismatch", "Process Crash"; "" where nothing is said */
	const char *error;  /* a message of any length, not compared; "" where there is none */
	rg_case_result result;
	rg_case_field *fields; /* in column order */
	size_t field_count;
} rg_case;

typedef struct {
	rg_case *cases; /* ascending by flow, test id, subtest; no key twice */
	size_t count, capacity;
	rg_unread unread;
	size_t duplicates; /* rows whose key came again later: the last one counts */
	rg_arena arena;    /* owns all but `cases` */
} rg_case_list;

/* From good to bad; a crash is the worst. */
rg_result_place rg_case_place(const rg_case *c);

/* <0, 0, >0: by flow, test id, subtest (numbers by value, before texts). */
int rg_case_compare(const rg_case *a, const rg_case *b);

/* Puts a list in order. */
void rg_case_list_finish(rg_case_list *list);
/* Gives the results of tests as a whole to each of their subtests that the other list has and this
 * one lacks. Both are finished, and so is `list` again, which borrows texts of the other. */
void rg_case_list_spread(rg_case_list *list, const rg_case_list *other);
/* Adds another list's cases, whose texts and fields stay with it. */
void rg_case_list_join(rg_case_list *list, const rg_case_list *other);
void rg_case_list_release(rg_case_list *list);

/* The case's field of that column; NULL: it has none. */
const rg_case_field *rg_case_field_of(const rg_case *c, const char *column);

/* How the two forms of a report are read into a list of cases. */

/* Which of the columns that have a place of their own; -1: it is a field. */
enum { RG_CASE_COLUMNS = 8 };
int rg_case_column(const char *name);
/* A case with room for so many fields, which belongs to the list once list->count goes up. */
rg_case *rg_case_new(rg_case_list *list, size_t fields);
/* Sets a column that rg_case_column knows. RG_E_PARSE for a result that is none. */
RG_CHECKED rg_error *rg_case_set(rg_case_list *list, rg_case *c, int column, const char *cell);
/* Adds a cell as a number, or as a text where it is none; an empty one is left out. `column` is not
 * copied. */
void rg_case_add_field(rg_case_list *list, rg_case *c, const char *column, const char *cell);

#endif

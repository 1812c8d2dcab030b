/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BACKEND_CASE_H
#define REGILD_GOLDEN_BACKEND_CASE_H

#include "golden/backend_report.h"

/* How the two forms of a report are read into a list of cases. */

/* Which of the columns that have a place of their own; -1: it is a field. */
int rg_case_column(const char *name);
/* A case with room for so many fields, which belongs to the list once list->count goes up. */
void rg_case_new(rg_case_list *list, size_t fields, rg_case **out);
/* Sets a column that rg_case_column knows. RG_E_PARSE for a result that is none. */
RG_CHECKED rg_error *rg_case_set(rg_case_list *list, rg_case *c, int column, const char *cell);
/* Adds a cell as a number, or as a text where it is none; an empty one is left out. `column` is not
 * copied. */
void rg_case_add_field(rg_case_list *list, rg_case *c, const char *column, const char *cell);

/* As rg_case_list_add, of a pytest-json-report. */
RG_CHECKED rg_error *rg_case_list_add_json(rg_case_list *list, const void *data, size_t size);

#endif

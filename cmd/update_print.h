#ifndef REGILD_CMD_UPDATE_PRINT_H
#define REGILD_CMD_UPDATE_PRINT_H

#include "update.h"
#include "update/plan.h"

/* How `update` shows a plan on stdout: a line a file, and under it why it is held back or the worst
 * rows of the comparison with the file that it replaces. */

/* The files; `done` says that they are in the tree now. -q leaves out what is unchanged and the
 * rows, -v shows all rows and what is left out. */
RG_CHECKED rg_error *update_print_plan(const environment *env, const rg_plan *plan, bool done);
/* An item's rows and findings, the rows at most `top` (0: all). */
RG_CHECKED rg_error *update_print_item(const rg_plan *plan, const rg_plan_item *item, size_t top,
				       FILE *out);
/* "2 updated, 1 new, 3 unchanged, 1 held back". */
void update_print_counts(const environment *env, const update_result *result, bool done);

#endif

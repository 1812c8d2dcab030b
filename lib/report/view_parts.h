#ifndef REGILD_REPORT_VIEW_PARTS_H
#define REGILD_REPORT_VIEW_PARTS_H

#include "compare/summary.h"
#include "report/build.h"
#include "report/markdown.h"

/* The parts that a summary's view is put together from: view.c, interpretation.c, measured.c. */

/* The view under way; the first failure sticks. */
typedef struct {
	const rg_summary *summary;
	size_t cap; /* items a list */
	bool failed;
} rg_view_build;

/* A count, and whether it is one: for "1 file", "2 files". */
void rg_view_add_counted(rg_view_build *b, cJSON *parent, const char *name, const char *one,
			 size_t count);
/* How many of `count` items are shown; notes the rest as "more". */
size_t rg_view_shown(rg_view_build *b, cJSON *parent, size_t count);

/* What the rows say: "interpretation" and all that stands under it. */
void rg_view_add_interpretation(rg_view_build *b, cJSON *view, const rg_metric_summaries *metrics);
/* What a noise model says of all rows, "measured"; nothing without one. Reorders `rows`. */
void rg_view_add_measured(rg_view_build *b, cJSON *view, const rg_row **rows, size_t count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORY_FILTER_H
#define REGILD_STORY_FILTER_H

#include "base/buf.h"
#include "compare/checks.h"
#include "compare/row.h"
#include "story/golden_name.h"

/*
 * --filter: "file=GLOB", "metric=GLOB", "stage=GLOB", where '*' crosses '/'; "checks=NAME:fails", a
 * glob for what a check of the project says of a row. Of filters for one thing any may match, and
 * of the things all must. "review" takes no row out: the story of all of them says which need it.
 */
typedef struct {
	const char *const *texts;
	size_t count;
} rg_filter;

/* RG_E_USAGE for one that is not such a filter, or is of none of the checks (NULL: there are none).
 */
RG_CHECKED rg_error *rg_filter_check(const rg_filter *filter, const rg_checks *checks);
bool rg_filter_takes_file(const rg_filter *filter, const char *path,
			  const rg_column_context *context);
bool rg_filter_takes_metric(const rg_filter *filter, const char *metric);
/* Is a filter about checks? */
bool rg_filter_is_of_checks(const rg_filter *filter);
/* Is "review" among them? */
bool rg_filter_is_of_review(const rg_filter *filter);
/* "rows that fail approximate": what they keep. */
void rg_filter_say(rg_buf *out, const rg_filter *filter);
/* By its metric and, once the comparison has applied its checks (may be NULL), by what they say. */
bool rg_filter_takes_row(const rg_filter *filter, const rg_row *row, const rg_checks *checks);
/* Takes other rows and gaps out of the comparison; files stay. */
void rg_filter_rows(const rg_filter *filter, rg_comparison *comparison);

#endif

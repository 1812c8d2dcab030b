/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_SUMMARY_VIEW_H
#define REGILD_REPORT_SUMMARY_VIEW_H

#include "base/fields.h"
#include "base/buf.h"
#include "compare/summary.h"
#include "report/mustache.h"
#include "report/story.h"

#include <cJSON.h>

/*
 * What a summary's template can use, as an object; the caller frees it with cJSON_Delete.
 * man/regild-compare.1 lists it.
 */
RG_CHECKED rg_error *rg_summary_view(cJSON **out, const rg_story *story);

/* How rows are distributed, and a line a metric. */
typedef struct {
	struct {
		const char *range;
		size_t n;
	} buckets[RG_BUCKETS], *first_bucket;
	size_t bucket_count;
	rg_metric_summaries metrics;
} rg_summary_figures;
/* Released whatever comes back. The figures are not moved after. */
void rg_summary_figures_make(rg_summary_figures *out, const rg_comparison *comparison);
void rg_summary_figures_release(rg_summary_figures *figures);
/* Their rows in a table of keys, where `at` is such a member. */
extern const rg_json_field rg_bucket_fields[], rg_metric_fields[];
/* A member has no parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
#define RG_SUMMARY_FIGURES(at)                                                               \
	RG_KEY_LIST("buckets", at.first_bucket, at.bucket_count, rg_bucket_fields,           \
		    "How the rows of series are distributed."),                              \
		RG_KEY_LIST("metrics", at.metrics.items, at.metrics.count, rg_metric_fields, \
			    "Each metric with rows of series.")
/* NOLINTEND(bugprone-macro-parentheses) */
/* Moves them into the story, among whose keys templates have them. */
void rg_summary_view_move(cJSON *view, cJSON *document);

/* Of a view that was read, not made, the same that rg_summary_view has done to its own: lists are
 * marked with how they are cut, addresses that are none are emptied, and texts are UTF-8. */
RG_CHECKED rg_error *rg_summary_view_finish(cJSON *view);
/* … of another's view, whose lists are cut by the rank of their names; of a list's own items that
 * are lists, the name is NULL. */
typedef rg_mustache_rank rg_view_rank(const char *name);
RG_CHECKED rg_error *rg_view_finish(cJSON *view, rg_view_rank *rank_of);
/* The same for one that was made, the last thing to be done: *out is the view, or NULL, and the
 * view is deleted. */
RG_CHECKED rg_error *rg_summary_view_close(cJSON **out, cJSON *view);

/*
 * Appends the summary in GitHub's markdown, rendered from a view by templates/summary.md or the
 * user's template (NULL: none), as rg_markdown_fit does it. RG_E_USAGE for a template that is
 * wrong.
 */
RG_CHECKED rg_error *rg_summary_render(rg_buf *out, const cJSON *view, const char *template_text,
				       size_t max, size_t items);

/* The keys of that, in JSON. */
extern const rg_json_field rg_story_fields[];

#endif

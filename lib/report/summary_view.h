/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_SUMMARY_VIEW_H
#define REGILD_REPORT_SUMMARY_VIEW_H

#include "base/fields.h"
#include "base/buf.h"
#include "compare/summary.h"
#include "report/mustache.h"
#include "story/story.h"

#include <cJSON.h>

/*
 * The data that a summary's template can use, made of a document (report/json.h), whose `root`
 * loses the parts that are the view's then. The caller frees it with cJSON_Delete; it borrows
 * nothing. man/regild-compare.1 lists it. RG_E_PARSE for what is no such document.
 */
RG_CHECKED rg_error *rg_summary_view(cJSON **out, const rg_json_in *in, cJSON *root);

/* Does to a view that was read, not made, the same that rg_summary_view has done to its own: lists
 * are marked with how they are cut, addresses that are none are emptied, and texts are UTF-8. */
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

#endif

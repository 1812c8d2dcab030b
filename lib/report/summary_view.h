/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_SUMMARY_VIEW_H
#define REGILD_REPORT_SUMMARY_VIEW_H

#include "base/buf.h"
#include "report/summary.h"

#include <cJSON.h>

/*
 * What a summary's template can use, as an object; the caller frees it with cJSON_Delete.
 * man/regild-compare.1 lists it.
 */
RG_CHECKED rg_error *rg_summary_view(cJSON **out, const rg_summary *summary);

/*
 * Appends the summary in GitHub's markdown, rendered from templates/summary.md or the user's
 * template. Lists are cut until it fits (rg_markdown_fit). RG_E_USAGE for a template that is wrong.
 */
RG_CHECKED rg_error *rg_summary_render(rg_buf *out, const rg_summary *summary);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_page.h"
#include "report/audit_report.h"
#include "report/audit_view.h"

#include "base/templates.h"
#include "report/markdown.h"
#include "report/mustache.h"
#include "report/summary_view.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of the breaks at one run, on the terminal. */
enum { FAMILIES = 3 };

/* Lists that are never cut, and those that give way first; all others are cut where a report gets
 * too long. */
static rg_mustache_rank rank_of(const char *name)
{
	static const char *const whole[] = {
		"table_rows",     "maps",    "rows",  "columns",     "cells", "odd",
		"drawn_families", "figures", "broke", "runs_listed", "runs",  "areas",
		"strips",         "values",  "with",  "far",         "breaks"};

	for (size_t i = 0; name && i < sizeof(whole) / sizeof(*whole); i++)
		if (!strcmp(name, whole[i]))
			return RG_MUSTACHE_WHOLE;
	return name && !strcmp(name, "families") ? RG_MUSTACHE_DETAIL : RG_MUSTACHE_LIST;
}

rg_error *rg_audit_story_finish(cJSON *story)
{
	return rg_view_finish(story, rank_of);
}

static rg_error *make_story(cJSON **out, rg_audit_build *b, size_t top,
			    const rg_column_context *context)
{
	const rg_audit_series **series;
	size_t count;

	rg_audit_all_series(b->audit, &series, &count);
	*out = rg_audit_view_make(b, series, count, top);
	if (context)
		rg_audit_page_tell(b, *out, context, series, count);
	free(series);
	return rg_audit_story_finish(*out);
}

rg_error *rg_audit_story(cJSON **out, const rg_audit *audit, const rg_column_context *context)
{
	return make_story(out, &(rg_audit_build){.audit = audit}, 0, context);
}

rg_error *rg_audit_markdown(rg_buf *out, const cJSON *story, const char *template_text, size_t max,
			    size_t items)
{
	const char *text = template_text ? template_text : rg_template_text("audit.md");
	return rg_markdown_fit(out, text, story, max, items);
}

rg_error *rg_audit_terminal(rg_buf *out, const rg_audit *audit, size_t top,
			    const rg_table_style *table_style)
{
	const rg_mustache_style style = {.escape = rg_terminal_text,
					 .code = rg_terminal_text,
					 .table = rg_table_from_lines,
					 .table_style = table_style};
	rg_mustache_limits limits = RG_MUSTACHE_ITEMS(top ? top : SIZE_MAX);
	rg_audit_build b = {.audit = audit, .terminal = true};
	cJSON *story;
	rg_error *err = make_story(&story, &b, top, NULL);

	if (top > FAMILIES)
		limits.items[RG_MUSTACHE_DETAIL] = FAMILIES;
	if (!err)
		err = rg_mustache_render(out, rg_template_text("audit.txt"), story, &style,
					 &limits);
	cJSON_Delete(story);
	return err;
}

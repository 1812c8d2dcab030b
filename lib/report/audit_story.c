/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_facts.h"
#include "report/audit_report.h"

#include "base/shorten.h"
#include "base/templates.h"
#include "report/html.h"
#include "report/html_text.h"
#include "report/markdown.h"
#include "report/mustache.h"
#include "report/summary_view.h"
#include "report/template_data.h"

#include <stdint.h>
#include <string.h>

/* Series are cut first, findings last; what pages draw never is. */
static rg_mustache_rank rank_of(const char *name)
{
	static const struct {
		const char *name;
		rg_mustache_rank rank;
	} ranks[] = {{"findings", RG_MUSTACHE_STORY}, {"reasons", RG_MUSTACHE_WHOLE},
		     {"held", RG_MUSTACHE_WHOLE},     {"series", RG_MUSTACHE_DETAIL},
		     {"runs", RG_MUSTACHE_WHOLE},     {"maps", RG_MUSTACHE_WHOLE},
		     {"columns", RG_MUSTACHE_WHOLE},  {"rows", RG_MUSTACHE_WHOLE},
		     {"with", RG_MUSTACHE_WHOLE},     {"far", RG_MUSTACHE_WHOLE},
		     {"breaks", RG_MUSTACHE_WHOLE},   {"drawn_families", RG_MUSTACHE_WHOLE},
		     {"figures", RG_MUSTACHE_WHOLE},  {"drawn", RG_MUSTACHE_WHOLE},
		     {"areas", RG_MUSTACHE_WHOLE},    {"strips", RG_MUSTACHE_WHOLE},
		     {"values", RG_MUSTACHE_WHOLE},   {"odd", RG_MUSTACHE_WHOLE}};

	for (size_t i = 0; name && i < sizeof(ranks) / sizeof(*ranks); i++)
		if (!strcmp(name, ranks[i].name))
			return ranks[i].rank;
	return RG_MUSTACHE_LIST;
}

rg_error *rg_audit_story_finish(cJSON *story)
{
	return rg_view_finish(story, rank_of);
}

static rg_error *make_story(cJSON **out, const rg_audit *audit, const rg_column_context *columns,
			    size_t series_max)
{
	RG_AUTO(rg_audit_facts) facts = {0};
	rg_json_out json;

	*out = cJSON_CreateObject();
	rg_json_tree_init(&json, *out);
	rg_audit_facts_make(&facts, audit, columns);
	facts.series_shown = series_max < facts.series_count ? series_max : facts.series_count;
	rg_json_put_fields(&json, rg_audit_fields, &facts, &facts);
	return rg_audit_story_finish(*out);
}

rg_error *rg_audit_story(cJSON **out, const rg_audit *audit, const rg_column_context *columns)
{
	return make_story(out, audit, columns, RG_AUDIT_ROWS);
}

rg_error *rg_audit_markdown(rg_buf *out, const cJSON *story, const char *template_text, size_t max,
			    size_t items)
{
	const char *text = template_text ? template_text : rg_template_text("audit.md");
	return rg_markdown_fit(out, text, story, max, items);
}

rg_error *rg_audit_html(rg_buf *out, cJSON *story, const char *template_text)
{
	const char *text = template_text ? template_text : rg_template_text("audit.html");
	rg_mustache_limits limits = RG_MUSTACHE_ITEMS(RG_HTML_ITEMS);

	limits.items[RG_MUSTACHE_DETAIL] = RG_AUDIT_ROWS;
	RG_TRY(rg_page_policy_put(story));
	return rg_error_wrap(rg_mustache_render(out, text, story, &rg_html_style, &limits),
			     "template");
}

/* --- the terminal --- */

/* Items of a list on one screen, families of metrics among them. */
enum { BRIEF_FINDINGS = 8, BRIEF_LIST = 6 };

rg_error *rg_audit_terminal(rg_buf *out, const rg_audit *audit, bool brief, size_t top,
			    const rg_table_style *table_style)
{
	const rg_mustache_style style = {.escape = rg_terminal_text,
					 .code = rg_terminal_text,
					 .table = rg_table_from_lines,
					 .table_style = table_style};
	rg_mustache_limits limits = RG_MUSTACHE_ITEMS(top ? top : SIZE_MAX);
	cJSON *story;

	if (brief)
		limits = (rg_mustache_limits)RG_MUSTACHE_ITEMS(BRIEF_LIST);
	if (brief)
		limits.items[RG_MUSTACHE_STORY] = BRIEF_FINDINGS;
	RG_AUTO(rg_buf) text = rg_buf_of(out->max);
	rg_error *err = make_story(&story, audit, NULL, brief ? 0 : SIZE_MAX);
	rg_build_truth(story, "all", !brief);
	if (!err)
		err = rg_mustache_render(&text, rg_template_text("audit.txt"), story, &style,
					 &limits);
	if (!err)
		rg_text_fold(out, text.data, table_style->width);
	cJSON_Delete(story);
	return err ? err : rg_buf_check(out, "the audit");
}

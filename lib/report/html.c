/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html.h"

#include "base/base64.h"
#include "base/digest.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/shorten.h"
#include "base/templates.h"
#include "base/utf8.h"
#include "story/summary.h"
#include "report/curve.h"
#include "report/format_report.h"
#include "report/html_text.h"
#include "report/json.h"
#include "report/format_view.h"
#include "report/summary_view.h"
#include "report/svg.h"
#include "report/words.h"
#include "report/template_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the policy on content --- */

static rg_error *append_hash(cJSON *view, const char *key, const char *template_name)
{
	const char *text = rg_template_text(template_name);
	unsigned char hash[RG_SHA256_SIZE];

	RG_TRY(rg_sha256_raw(text, strlen(text), hash));
	RG_AUTO(rg_buf) encoded = rg_buf_of(RG_BUF_TEXT);
	rg_base64_add(&encoded, hash, sizeof(hash));
	rg_build_markup(view, key, &encoded);
	return NULL;
}

rg_error *rg_page_policy_put(cJSON *view)
{
	RG_TRY(append_hash(view, "style_hash", "page.css"));
	RG_TRY(append_hash(view, "script_hash", "page.js"));
	return append_hash(view, "rows_hash", "rows.js");
}

typedef struct {
	const rg_html_page *page;
	rg_buf text, title;      /* a figure at a time */
	size_t figures;          /* of cards, so far */
	const rg_curve **curves; /* of each row; NULL: there is none */
	bool any_exact;          /* texts that differ are listed */
} page_state;

static void page_state_release(page_state *m)
{
	free(m->curves);
	rg_buf_release(&m->title);
	rg_buf_release(&m->text);
}

/* --- curves --- */

/* Columns of a record's name and its change beside a curve's mark: half of a card. */
enum { MARK_TEXT = 23 };

/* How far new moved at a step, relative to |old|: positive where it is the larger number, as in the
 * caption. NaN of what is thinned out of the curve. */
static double moved_at(const rg_curve *curve, double step)
{
	const rg_curve_side *old = &curve->old, *fresh = &curve->new_side;
	size_t i = 0, k = 0;
	while (i < old->count && old->points[i].x != step)
		i++;
	while (k < fresh->count && fresh->points[k].x != step)
		k++;
	if (i == old->count || k == fresh->count || old->points[i].y == 0)
		return NAN;
	return (fresh->points[k].y - old->points[i].y) / fabs(old->points[i].y);
}

/* "step 18: +21.7 %": the step that moved most, or a table's record. */
static void write_mark(rg_buf *out, const rg_curve *curve, const char *step_word)
{
	const rg_row *row = curve->row;
	const double share = moved_at(curve, (double)row->max_abs_rel_step);
	RG_AUTO(rg_buf) change = rg_buf_of(RG_BUF_TEXT);
	if (!isnan(share)) {
		rg_buf_str(&change, ": ");
		rg_say_change(&change, share);
	}
	if (row->max_abs_rel_record)
		rg_text_shorten(out, row->max_abs_rel_record, strlen(row->max_abs_rel_record),
				MARK_TEXT > change.length ? MARK_TEXT - change.length : 1);
	else
		rg_buf_printf(out, "%s %" PRId64, step_word, row->max_abs_rel_step);
	rg_buf_str(out, change.data);
	rg_buf_inherit(out, &change);
}

static void append_figure(page_state *m, cJSON *item, const rg_curve *curve)
{
	const rg_svg_line lines[] = {{curve->old.points, curve->old.count},
				     {curve->new_side.points, curve->new_side.count}};
	const rg_row *row = curve->row;
	char values[64] = "value";
	rg_curve_range range;
	rg_svg_plot plot = {.lines = lines,
			    .line_count = 2,
			    .pairs = curve->by_record,
			    .x_label = curve->is_tensor   ? "element"
				       : curve->by_record ? "record"
							  : "step",
			    .x_names = curve->records,
			    .x_name_count = curve->record_count,
			    .y_label = values,
			    .mark_x = (double)row->max_abs_rel_step};

	rg_curve_measure(&range, curve);
	plot.low = range.low;
	plot.high = range.high;
	if (range.beyond)
		snprintf(values, sizeof(values), "value (%zu beyond the frame)", range.beyond);
	RG_AUTO(rg_buf) mark = rg_buf_of(RG_BUF_TEXT);
	write_mark(&mark, curve, plot.x_label);
	if (row->n_steps && row->max_abs_rel > 0)
		plot.mark = mark.data;
	RG_AUTO(rg_buf) title = rg_buf_of(RG_BUF_TEXT);
	rg_utf8_add_valid(&title, row->metric, strlen(row->metric));
	rg_buf_str(&title, " in ");
	rg_utf8_add_valid(&title, row->file, strlen(row->file));
	rg_buf_str(&title, ", old and new");
	plot.title = title.data;
	rg_svg_plot_write(&m->text, &plot);
	rg_build_written(item, "figure", &m->text);
}

/* --- cards --- */

/* Points of a strip, at most; figures of all cards. */
enum { POINTS_MAX = 400, FIGURES_MAX = 12 };

/* A row of the table, as a point of its card's strip. */
typedef struct {
	size_t card, at;
	rg_svg_signed point;
} placed;

RG_ORDER(compare_placed, placed, RG_RISING(card) || RG_RISING(at));

static size_t place_rows(placed **out, const rg_page_table *table)
{
	size_t count = 0;
	*out = rg_malloc((table->count + 1) * sizeof(**out));
	for (size_t i = 0; i < table->count; i++) {
		const rg_page_row *row = &table->rows[i];
		if (!isnan(row->moved))
			(*out)[count++] =
				(placed){row->card, i, {row->moved, row->look, row->id, row->name}};
	}
	if (count)
		qsort(*out, count, sizeof(**out), compare_placed);
	return count;
}

static void append_strip(page_state *m, cJSON *card, const placed *rows, size_t count)
{
	rg_svg_signed points[POINTS_MAX];
	size_t shown = count < POINTS_MAX ? count : POINTS_MAX;
	const char *name = cJSON_GetStringValue(rg_json_member(card, "metric"));

	if (!count)
		return;
	for (size_t i = 0; i < shown; i++)
		points[i] = rows[i].point;
	rg_buf_printf(&m->title, "%s: how far each row moved", name ? name : "");
	rg_svg_signed_write(&m->text, m->title.data, points, shown);
	rg_buf_clear(&m->title);
	rg_build_markup(card, "strip", &m->text);
	rg_build_count(card, "strip_more", count - shown);
}

/* "#metric=lm%20loss": templates/rows.js shows the metric's rows; without it there is an element of
 * that name before the table. What the table has not is listed where it is a text that differs. */
static void append_link(cJSON *card, bool listed, bool changed)
{
	const char *only = cJSON_GetStringValue(rg_json_member(card, "only"));

	if (!listed) {
		if (changed)
			rg_build_text(card, "link", "exact");
		return;
	}
	RG_AUTO(rg_buf) link = rg_buf_of(RG_BUF_TEXT);
	for (const char *at = only ? only : ""; *at; at++) {
		const unsigned char c = (unsigned char)*at;
		if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		    c == '-' || c == '_')
			rg_buf_char(&link, *at);
		else
			rg_buf_printf(&link, "%%%02X", c);
	}
	if (only)
		rg_build_textf(card, "link", "metric=%s", link.data);
	else
		rg_build_text(card, "link", "rows");
}

/* `ids` has each curve's row. */
static const rg_curve *curve_of(const rg_curve_list *curves, const char *const *ids, const char *id)
{
	for (size_t i = 0; curves && i < curves->count; i++)
		if (ids[i] && !strcmp(ids[i], id) && rg_curve_is_read(&curves->items[i]))
			return &curves->items[i];
	return NULL;
}

/* Returns whether it is on the first screen. */
static bool append_card(page_state *m, cJSON *card, bool listed, const placed *rows, size_t count,
			const char *const *ids)
{
	const char *file = cJSON_GetStringValue(rg_json_member(card, "worst_file"));
	const char *metric = cJSON_GetStringValue(rg_json_member(card, "worst_metric"));
	const char *class_of = cJSON_GetStringValue(rg_json_member(card, "class"));
	uint64_t review = 0, changed = 0;
	char id[RG_PAGE_ROW_ID];

	append_strip(m, card, rows, count);
	(void)rg_json_is_count(rg_json_member(card, "review"), SIZE_MAX, &review);
	(void)rg_json_is_count(rg_json_member(card, "changed"), SIZE_MAX, &changed);
	append_link(card, listed, changed && m->any_exact);
	const bool shown = review || (changed && class_of && !strcmp(class_of, "loss"));
	if (shown)
		rg_build_truth(card, "shown", true);
	if (!file || !metric || !count)
		return shown;
	rg_page_row_id(id, file, metric);
	rg_build_text(card, "row", id);
	const rg_curve *curve =
		review && m->figures < FIGURES_MAX ? curve_of(m->page->curves, ids, id) : NULL;
	if (curve) {
		m->figures++;
		append_figure(m, card, curve);
	}
	return shown;
}

static void append_cards(page_state *m, cJSON *view, const char *const *ids)
{
	cJSON *cards = cJSON_GetObjectItemCaseSensitive(view, "moved"), *card;
	const rg_page_table *table = m->page->table;
	const size_t card_count = (size_t)cJSON_GetArraySize(cards);
	RG_AUTO_FREE bool *listed = rg_calloc(card_count + 1, sizeof(*listed));
	size_t quiet = 0, number = 0, at = 0, n;
	RG_AUTO_FREE placed *rows = NULL;
	size_t count = place_rows(&rows, table);

	m->any_exact = rg_json_member(view, "exact") != NULL;
	for (size_t i = 0; i < table->count; i++)
		listed[table->rows[i].card <= card_count ? table->rows[i].card : 0] = true;
	cJSON_ArrayForEach(card, cards)
	{
		number++;
		while (at < count && rows[at].card < number)
			at++;
		for (n = 0; at + n < count && rows[at + n].card == number; n++)
			;
		quiet += !append_card(m, card, listed[number], rows + at, n, ids);
	}
	rg_build_count(view, "cards_quiet", quiet);
}

/* --- the curves of the table's rows --- */

/* A row's place in the table, by its name. */
typedef struct {
	const char *id;
	size_t place;
} named;

RG_ORDER(compare_named, named, RG_BY_TEXT(id));

/* Which curve is each row's, and each curve's row, NULL where the table has it not; both are freed
 * by the caller. */
static void join_curves(page_state *m, const char ***ids)
{
	const rg_page_table *table = m->page->table;
	const rg_curve_list *curves = m->page->curves;
	RG_AUTO_FREE named *names = rg_calloc(table->count + 1, sizeof(*names));

	*ids = rg_calloc((curves ? curves->count : 0) + 1, sizeof(**ids));
	m->curves = rg_calloc(table->count + 1, sizeof(const rg_curve *));
	for (size_t i = 0; i < table->count; i++)
		names[i] = (named){table->rows[i].id, i};
	if (table->count)
		qsort(names, table->count, sizeof(*names), compare_named);
	for (size_t i = 0; table->count && curves && i < curves->count; i++) {
		char id[RG_PAGE_ROW_ID];
		rg_page_row_id(id, curves->items[i].row->file, curves->items[i].row->metric);
		const named *found = bsearch(&(named){id, 0}, names, table->count, sizeof(*names),
					     compare_named);
		if (!found)
			continue;
		(*ids)[i] = found->id;
		m->curves[found->place] = &curves->items[i];
	}
}

/* As data of a template, with what it knows of its curve, at the end of the list. */
static rg_error *append_row(page_state *m, size_t i, cJSON *list)
{
	char trend[RG_PAGE_TREND];
	RG_TRY(rg_page_table_add(m->page->table, i, list));
	cJSON *row = list->child->prev;
	if (m->curves[i]) {
		rg_page_trend(trend, m->curves[i]);
		rg_build_textf(row, "curve", "%zu",
			       (size_t)(m->curves[i] - m->page->curves->items));
		rg_build_text(row, "trend", trend);
	}
	return rg_summary_view_finish(row);
}

/* Adds what the script reads: all rows and curves. */
static rg_error *append_data(page_state *m, cJSON *view, size_t max)
{
	rg_packed_json rows;
	rg_error *err = NULL;

	RG_AUTO(rg_buf) text = rg_buf_of(max);
	rg_page_rows_begin(&rows, m->page->table->head);
	for (size_t i = 0; !err && i < m->page->table->count; i++) {
		cJSON *list = cJSON_CreateArray();
		err = append_row(m, i, list);
		if (!err)
			rg_page_rows_add(&rows, list->child);
		cJSON_Delete(list);
	}
	RG_TRY(rg_error_first(err, rg_page_rows_end(&rows, &text)));
	if (m->page->curves)
		RG_TRY(rg_page_curves_write(&text, m->page->curves));
	rg_build_remove(view, "page_data");
	cJSON *data = cJSON_AddStringToObject(view, "page_data", "");
	if (text.length) { /* megabytes, which are not copied */
		free(data->valuestring);
		data->valuestring = rg_buf_detach(&text);
	}
	return NULL;
}

/* --- what became of all that a run has --- */

/* Different outcomes: more than there are. */
enum { OUTCOMES_MAX = 32 };

static const struct {
	const char *list, *one;
} kinds[] = {{"goldens", "golden"}, {"artifacts", "artifact"}, {"jobs", "job"}};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

typedef struct {
	const char *outcome;
	bool missing;
	size_t counts[KINDS];
} counted;

typedef struct {
	const cJSON *lists[KINDS];
	counted rows[OUTCOMES_MAX];
	size_t count;
} coverage;

/* A missing golden is an artifact or a job, and counts there. */
static const char *outcome_of(size_t kind, const cJSON *item)
{
	const char *outcome = cJSON_GetStringValue(rg_json_member(item, "outcome"));
	return !kind && outcome && !strcmp(outcome, rg_refresh_names[RG_REFRESH_MISSING]) ? NULL
											  : outcome;
}

static bool is_missing(size_t kind, const cJSON *item)
{
	const char *outcome = outcome_of(kind, item);
	return kind ? cJSON_IsTrue(rg_json_member(item, "missing"))
		    : outcome && !strcmp(outcome, rg_refresh_names[RG_REFRESH_HELD]);
}

static void count_item(coverage *c, size_t kind, const cJSON *item)
{
	const char *outcome = outcome_of(kind, item);
	size_t i = 0;

	if (!outcome)
		return;
	while (i < c->count && strcmp(c->rows[i].outcome, outcome) != 0)
		i++;
	if (i == OUTCOMES_MAX)
		return;
	if (i == c->count)
		c->rows[c->count++] = (counted){.outcome = outcome};
	c->rows[i].missing |= is_missing(kind, item);
	c->rows[i].counts[kind]++;
}

static void append_outcomes(coverage *c, cJSON *view, bool missing)
{
	for (size_t i = 0; i < c->count; i++) {
		if (c->rows[i].missing != missing)
			continue;
		cJSON *item = rg_build_item(view);
		rg_build_text(item, "outcome", c->rows[i].outcome);
		rg_build_truth(item, "missing", missing);
		for (size_t kind = 0; kind < KINDS; kind++)
			rg_build_count(item, kinds[kind].list, c->rows[i].counts[kind]);
	}
}

static void append_covered(coverage *c, cJSON *list, size_t kind, bool missing)
{
	const cJSON *from;
	cJSON_ArrayForEach(from, c->lists[kind])
	{
		const char *name = cJSON_GetStringValue(rg_json_member(from, "name"));
		if (!outcome_of(kind, from) || is_missing(kind, from) != missing)
			continue;
		cJSON *item = rg_build_item(list);
		rg_build_text(item, "what", kinds[kind].one);
		rg_build_text(item, "name", name);
		rg_build_text(item, "outcome", outcome_of(kind, from));
		rg_build_truth(item, "missing", missing);
		rg_build_text(item, "why", cJSON_GetStringValue(rg_json_member(from, "why")));
	}
}

/* Adds the coverage, if there is anything to count: what is missing or held back comes first. The
 * document's lists may, having been read, hold anything. */
static void append_coverage(cJSON *view, const cJSON *goldens, const cJSON *provenance)
{
	coverage c = {.lists = {goldens}};
	const cJSON *item;

	for (size_t kind = 1; kind < KINDS; kind++)
		c.lists[kind] = rg_json_member(provenance, kinds[kind].list);
	for (size_t kind = 0; kind < KINDS; kind++)
		cJSON_ArrayForEach(item, c.lists[kind]) count_item(&c, kind, item);
	rg_build_remove(view, "coverage");
	if (c.count) {
		cJSON *object = rg_build_object(view, "coverage");
		cJSON *list = rg_build_list(object, "outcomes");
		append_outcomes(&c, list, true);
		append_outcomes(&c, list, false);
		list = rg_build_list(object, "covered");
		for (size_t kind = 0; kind < KINDS; kind++)
			append_covered(&c, list, kind, true);
		for (size_t kind = 0; kind < KINDS; kind++)
			append_covered(&c, list, kind, false);
	}
}

/* --- the page --- */

/* Links to a row of the table, if it has the row. */
static void link_row(cJSON *item, const char *metric, const char *const *ids, size_t count)
{
	const char *file = cJSON_GetStringValue(rg_json_member(item, "file"));
	char id[RG_PAGE_ROW_ID];
	const char *wanted = id;

	if (!file || !metric)
		return;
	rg_page_row_id(id, file, metric);
	if (bsearch(&wanted, ids, count, sizeof(*ids), rg_compare_texts))
		rg_build_text(item, "row", id);
}

/* The golden of a finding, and of a text that differs, is a link to its row. */
static void link_findings(cJSON *view, const rg_page_table *table)
{
	RG_AUTO_FREE const char **ids = rg_malloc((table->count + 1) * sizeof(*ids));
	cJSON *item;

	for (size_t i = 0; i < table->count; i++)
		ids[i] = table->rows[i].id;
	qsort(ids, table->count, sizeof(*ids), rg_compare_texts);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(view, "review")) link_row(
		item, cJSON_GetStringValue(rg_json_member(item, "row_metric")), ids, table->count);
	item = cJSON_GetObjectItemCaseSensitive(view, "exact");
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(item, "differ")) link_row(
		item, cJSON_GetStringValue(rg_json_member(item, "metric")), ids, table->count);
}

static rg_error *append_page(page_state *m, cJSON *view)
{
	cJSON *head = m->page->table->head;
	RG_AUTO_FREE const char **ids = NULL;
	join_curves(m, &ids);
	rg_build_remove(view, "curves_left_out");
	rg_build_count(view, "curves_left_out", m->page->curves ? m->page->curves->left_out : 0);
	RG_TRY(rg_summary_view_finish(head));
	append_cards(m, view, ids);
	/* The first rows are the table; the script has what it needs of the others. */
	cJSON *rows = cJSON_GetObjectItemCaseSensitive(head, "rows");
	const size_t count = m->page->table->count;
	for (size_t i = 0; i < count && i < RG_HTML_ROWS; i++)
		RG_TRY(append_row(m, i, rows));
	rg_build_count(head, "folded", count > RG_HTML_ROWS ? count - RG_HTML_ROWS : 0);
	link_findings(view, m->page->table);
	/* The table is a reference, until the page is rendered. */
	rg_build_remove(view, "table");
	if (m->page->table->count)
		cJSON_AddItemReferenceToObject(view, "table", m->page->table->head);
	cJSON *provenance = cJSON_GetObjectItemCaseSensitive(m->page->document, "provenance");
	rg_build_remove(view, "provenance");
	if (provenance)
		cJSON_AddItemReferenceToObject(view, "provenance", provenance);
	append_coverage(view, rg_json_member(m->page->document, "goldens"), provenance);
	return NULL;
}

static rg_error *fill_view(cJSON *view, const rg_html_page *page, size_t max)
{
	RG_AUTO(page_state) m = {.page = page};

	rg_buf_init(&m.text, RG_BUF_TEXT);
	rg_buf_init(&m.title, RG_BUF_TEXT);
	RG_AUTO(rg_buf) text = rg_buf_of(max);
	RG_TRY(rg_format_reports_render(&text, page->formats, RG_FORMAT_REPORT_HTML, SIZE_MAX,
					NULL));
	rg_build_markup(view, "formats", &text);
	/* The page's policy on content lets pictures in only where there are any. */
	rg_build_remove(view, "pictures");
	rg_build_truth(view, "pictures", rg_opaque_view_has_pictures(page->formats));
	RG_TRY(append_page(&m, view));
	RG_TRY(rg_page_policy_put(view));
	RG_TRY(rg_summary_view_finish(view));
	return append_data(&m, view, max);
}

rg_error *rg_html_render(rg_buf *out, const rg_html_page *page)
{
	const char *text = page->template_text ? page->template_text
					       : rg_template_text("report.html");
	const rg_mustache_limits limits = {
		.items = {0, RG_HTML_ITEMS, RG_HTML_ITEMS, RG_HTML_ITEMS}};
	rg_error *err = fill_view(page->view, page, out->max);
	if (!err)
		err = rg_mustache_render(out, text, page->view, &rg_html_style, &limits);
	rg_build_remove(page->view, "table");
	return rg_error_wrap(err, "template");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/summary_view.h"

#include "base/utf8.h"
#include "compare/losses.h"
#include "compare/summary.h"
#include "report/markdown.h"
#include "report/new_runs.h"
#include "report/run_page.h"
#include "report/story_view.h"
#include "report/template_data.h"
#include "base/templates.h"

#include <stdlib.h>
#include <string.h>

/* --- what was lost --- */

static rg_error *add_shrunk(bool *failed, cJSON *view, const rg_comparison *comparison)
{
	rg_losses losses = {0};
	rg_losses_find(&losses, comparison);
	cJSON *object, *list;
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);

	rg_error *err = NULL;
	if (losses.count) {
		object = rg_build_object(failed, view, "shrunk");
		rg_losses_say(&text, &losses);
		rg_build_text(failed, object, "text", text.data);
		list = rg_build_list(failed, object, "items");
		for (size_t i = 0; i < losses.count; i++) {
			cJSON *item = rg_build_item(failed, list);
			rg_build_text(failed, item, "file", losses.items[i].file);
			rg_build_text(failed, item, "metric", losses.items[i].metric);
			rg_build_text(failed, item, "what", losses.items[i].text);
		}
		err = rg_buf_check(&text, "what was lost");
	}
	rg_buf_release(&text);
	rg_losses_release(&losses);
	return err;
}

/* --- what a refresh did --- */

/* The items of one outcome, with why. */
static void add_outcome(bool *failed, cJSON *object, const char *name, const rg_refresh *refresh,
			rg_refresh_outcome outcome)
{
	cJSON *list = rg_build_list(failed, object, name), *item;
	for (size_t i = 0; i < refresh->count; i++) {
		if (refresh->items[i].outcome != outcome)
			continue;
		item = rg_build_item(failed, list);
		rg_build_text(failed, item, "name", refresh->items[i].name);
		rg_build_text(failed, item, "why", refresh->items[i].why);
	}
}

static void add_refresh(bool *failed, cJSON *view, const rg_summary *summary)
{
	const rg_refresh *refresh = summary->refresh;
	const rg_comparison *c = summary->comparison;
	cJSON *item;

	if (!refresh)
		return;
	rg_build_truth(failed, view, "partial", rg_refresh_is_partial(refresh));
	cJSON *object = rg_build_object(failed, view, "refresh");
	rg_build_count(failed, object, "replaced", refresh->counts[RG_REFRESH_UPDATED]);
	rg_build_count(failed, object, "created", refresh->counts[RG_REFRESH_NEW]);
	rg_build_count(failed, object, "unchanged", refresh->counts[RG_REFRESH_UNCHANGED]);
	rg_build_count(failed, object, "left_out", refresh->counts[RG_REFRESH_LEFT_OUT]);
	add_outcome(failed, object, "held", refresh, RG_REFRESH_HELD);
	add_outcome(failed, object, "missing", refresh, RG_REFRESH_MISSING);
	add_outcome(failed, object, "gone", refresh, RG_REFRESH_GONE);
	/* The files that are compared and that the run did not change. */
	cJSON *list = rg_build_list(failed, object, "own");
	for (size_t i = 0; i < c->file_count; i++) {
		const rg_refresh_item *golden = rg_refresh_find(refresh, c->files[i].file);
		if (!rg_refresh_is_own(refresh, c->files[i].file))
			continue;
		item = rg_build_item(failed, list);
		rg_build_text(failed, item, "file", c->files[i].file);
		rg_build_text(failed, item, "why",
			      golden ? rg_refresh_names[golden->outcome] : "not refreshed");
	}
}

/* --- metrics and buckets --- */

static void add_metrics(bool *failed, cJSON *view, const rg_metric_summaries *metrics)
{
	cJSON *list = rg_build_list(failed, view, "metrics");
	for (size_t i = 0; i < metrics->count; i++) {
		const rg_metric_summary *m = &metrics->items[i];
		cJSON *item = rg_build_item(failed, list);

		rg_build_text(failed, item, "metric", m->metric);
		rg_build_count(failed, item, "n", m->n);
		rg_build_number(failed, item, "median", m->median);
		rg_build_number(failed, item, "max", m->max);
		rg_build_number(failed, item, "mean_signed", m->mean_signed);
		rg_build_defined(failed, item, "low", m->low);
		rg_build_defined(failed, item, "high", m->high);
	}
}

static void add_buckets(bool *failed, cJSON *view, const rg_comparison *comparison)
{
	cJSON *list = rg_build_list(failed, view, "buckets");
	size_t counts[RG_BUCKETS];

	rg_bucket_counts(comparison, counts);
	for (size_t i = 0; i < RG_BUCKETS; i++) {
		cJSON *item = rg_build_item(failed, list);
		rg_build_text(failed, item, "range", rg_bucket_names[i]);
		rg_build_count(failed, item, "n", counts[i]);
	}
}

/* --- files --- */

static void add_files(bool *failed, cJSON *view, const char *name, const rg_comparison *c,
		      rg_file_status status)
{
	cJSON *list = rg_build_list(failed, view, name), *item;
	for (size_t i = 0; i < c->file_count; i++) {
		if (c->files[i].status != status)
			continue;
		item = rg_build_item(failed, list);
		rg_build_text(failed, item, "file", c->files[i].file);
		rg_build_text(failed, item, "why", c->files[i].why);
	}
}

static size_t files_with_rows(const rg_comparison *c)
{
	size_t count = 0;
	for (size_t i = 0; i < c->file_count; i++)
		for (size_t k = 0; k < c->files[i].row_count; k++)
			if (rg_row_has_size(&c->rows[c->files[i].first_row + k])) {
				count++;
				break;
			}
	return count;
}

/* Of what the sizes of rows are figures: tensors have another than series. */
static void add_tensors(bool *failed, cJSON *view, const rg_comparison *c)
{
	size_t tensors = 0;
	for (size_t i = 0; i < c->row_count; i++)
		tensors += c->rows[i].tensor != NULL;
	if (!tensors)
		return;
	rg_build_truth(failed, view, "any_tensors", true);
	rg_build_truth(failed, view, "only_tensors", tensors == c->series_rows);
}

/* --- the run --- */

/* What the run's page tells: whose it is, and the address of the commit. */
static void add_page(bool *failed, cJSON *view, const rg_run_facts *run)
{
	const rg_run_page page = rg_run_page_of(run->url);
	if (page.gitlab)
		rg_build_truth(failed, view, "gitlab", true);
	if (page.length && run->commit)
		rg_build_textf(failed, view, "commit_url", "%.*s%s/commit/%s", page.length,
			       run->url, page.between, run->commit);
}

static void add_among(bool *failed, cJSON *view, const rg_among *among)
{
	rg_buf text;
	if (!among->take)
		return;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_among_say(&text, among);
	rg_build_written(failed, view, "among", &text);
	rg_buf_release(&text);
}

static void add_run(bool *failed, cJSON *view, const rg_run_facts *run)
{
	rg_build_truth(failed, view, "only_failing", run->only_failing);
	if (!run->id && run->from)
		rg_build_text(failed, view, "from", run->from);
	if (!run->id)
		return;
	rg_build_text(failed, view, "run", run->id);
	rg_build_text(failed, view, "run_url", run->url);
	rg_build_count(failed, view, "attempt", run->attempt);
	rg_build_text(failed, view, "branch", run->branch);
	rg_build_text(failed, view, "commit", run->commit);
	if (run->commit)
		rg_build_textf(failed, view, "short_commit", "%.10s", run->commit);
	add_among(failed, view, &run->among);
	add_page(failed, view, run);
}

static void add_all(bool *failed, cJSON *view, const rg_story *story,
		    const rg_metric_summaries *metrics)
{
	const rg_summary *s = story->summary;
	const rg_comparison *c = s->comparison;

	rg_build_text(failed, view, "old_side", s->old_side);
	rg_build_text(failed, view, "new_side", s->new_side);
	add_run(failed, view, &s->run);
	if (s->command)
		rg_build_text(failed, view, "command", s->command);
	if (s->alone)
		rg_build_truth(failed, view, "alone", true);
	if (s->root)
		rg_build_text(failed, view, "root", *s->root ? s->root : ".");
	rg_build_count(failed, view, "updated",
		       s->refresh ? s->refresh->counts[RG_REFRESH_UPDATED] +
					    s->refresh->counts[RG_REFRESH_NEW]
				  : c->file_count - c->removed);
	rg_view_add_story(failed, view, story);
	rg_new_runs_view(failed, view, s->new_runs);
	add_refresh(failed, view, s);
	rg_build_count(failed, view, "files", files_with_rows(c));
	rg_build_count(failed, view, "total", c->series_rows);
	if (rg_policy_sets_near_zero(s->policy))
		rg_build_text(failed, view, "near_zero", "near-zero");
	add_tensors(failed, view, c);
	add_metrics(failed, view, metrics);
	add_buckets(failed, view, c);
	add_files(failed, view, "new_files", c, RG_FILE_NEW);
	add_files(failed, view, "removed_files", c, RG_FILE_REMOVED);
	add_files(failed, view, "unreadable_files", c, RG_FILE_UNREADABLE);
}

/* --- what has been built, or read --- */

/* By which rank lists are cut; those that are not named here are of the second. */
static const struct {
	const char *name;
	rg_mustache_rank rank;
} ranks[] = {
	{"lines", RG_MUSTACHE_STORY},         {"shapes", RG_MUSTACHE_STORY},
	{"groups", RG_MUSTACHE_STORY},        {"apart", RG_MUSTACHE_STORY},
	{"models", RG_MUSTACHE_STORY},        {"goldens", RG_MUSTACHE_DETAIL},
	{"quiet_groups", RG_MUSTACHE_DETAIL}, {"buckets", RG_MUSTACHE_WHOLE},
	{"cells", RG_MUSTACHE_WHOLE},         {"columns", RG_MUSTACHE_WHOLE},
	{"rows", RG_MUSTACHE_WHOLE},          {"curves", RG_MUSTACHE_WHOLE},
	{"lists", RG_MUSTACHE_WHOLE},         {"statuses", RG_MUSTACHE_WHOLE},
	{"codes", RG_MUSTACHE_WHOLE},         {"figures", RG_MUSTACHE_WHOLE},
	{"quantiles", RG_MUSTACHE_WHOLE},     {"opdiff", RG_MUSTACHE_WHOLE},
	{"status_heads", RG_MUSTACHE_WHOLE},  {"code_heads", RG_MUSTACHE_WHOLE},
	{"bucket_heads", RG_MUSTACHE_WHOLE},  {"quantile_heads", RG_MUSTACHE_WHOLE},
	{"changed_lines", RG_MUSTACHE_WHOLE}, {"overlaps", RG_MUSTACHE_WHOLE},
	{"overlap_heads", RG_MUSTACHE_WHOLE}, {"error_lists", RG_MUSTACHE_WHOLE},
	{"baselines", RG_MUSTACHE_WHOLE},     {"error_lines", RG_MUSTACHE_WHOLE},
	{"outcomes", RG_MUSTACHE_WHOLE},      {"covered", RG_MUSTACHE_WHOLE},
	{"artifacts", RG_MUSTACHE_WHOLE},     {"origins", RG_MUSTACHE_WHOLE},
};

static rg_mustache_rank rank_of(const char *name)
{
	for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++)
		if (name && !strcmp(name, ranks[i].name))
			return ranks[i].rank;
	return RG_MUSTACHE_LIST;
}

/* Nothing but the address of a page, which may stand in a link as it is. */
static bool is_address(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~:/?=&%+";

	return (!strncmp(text, "https://", 8) || !strncmp(text, "http://", 7)) &&
	       !text[strspn(text, plain)];
}

/* Each byte that is not UTF-8 as U+FFFD, as it is in a file of JSON. */
static rg_error *make_valid(cJSON *item)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_utf8_add_valid(&text, item->valuestring, strlen(item->valuestring));
	rg_error *err = rg_buf_check(&text, "a name");
	if (!err && strcmp(text.data, item->valuestring) != 0) {
		cJSON *valid = cJSON_CreateString(text.data);
		char *swapped = item->valuestring;
		item->valuestring = valid->valuestring;
		valid->valuestring = swapped;
		cJSON_Delete(valid);
	}
	rg_buf_release(&text);
	return err;
}

rg_error *rg_summary_view_finish(cJSON *view)
{
	cJSON *item;
	cJSON_ArrayForEach(item, view)
	{
		const char *name = item->string;
		if (cJSON_IsArray(item))
			rg_mustache_cut(item, rank_of(name));
		if (cJSON_IsArray(item) || cJSON_IsObject(item))
			RG_TRY(rg_summary_view_finish(item));
		if (!cJSON_IsString(item))
			continue;
		RG_TRY(make_valid(item));
		if (name && strstr(name, "_url") && !is_address(item->valuestring))
			*item->valuestring = '\0';
	}
	return NULL;
}

rg_error *rg_summary_view_close(cJSON **out, cJSON *view)
{
	rg_error *err = rg_summary_view_finish(view);
	*out = err ? NULL : view;
	if (err)
		cJSON_Delete(view);
	return err;
}

rg_error *rg_summary_view(cJSON **out, const rg_story *story)
{
	const rg_comparison *comparison = story->summary->comparison;
	cJSON *view = cJSON_CreateObject();
	rg_metric_summaries metrics = {0};
	bool failed = !view;
	rg_metric_summaries_make(&metrics, comparison);
	*out = NULL;

	rg_error *err = add_shrunk(&failed, view, comparison);
	if (!err)
		add_all(&failed, view, story, &metrics);
	rg_metric_summaries_release(&metrics);
	if (!err)
		return rg_summary_view_close(out, view);
	cJSON_Delete(view);
	return err;
}

rg_error *rg_summary_render(rg_buf *out, const cJSON *view, const char *template_text, size_t max,
			    size_t items)
{
	const char *text = template_text ? template_text : rg_template_text("summary.md");
	size_t start = out->length;

	RG_TRY(rg_markdown_fit(out, text, view, max, items));
	while (out->length > start + 1 && !strcmp(out->data + out->length - 2, "\n\n"))
		rg_buf_truncate(out, out->length - 1);
	return NULL;
}

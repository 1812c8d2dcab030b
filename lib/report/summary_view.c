/* SPDX-License-Identifier: Apache-2.0 */
#include "report/summary_view.h"

#include "base/memory.h"
#include "base/templates.h"
#include "base/utf8.h"
#include "compare/losses.h"
#include "compare/summary.h"
#include "report/markdown.h"
#include "report/new_runs.h"
#include "report/story_view.h"
#include "report/template_data.h"

#include <stdlib.h>
#include <string.h>

/* --- what was lost, and what a refresh did --- */

#define OF rg_loss
static const rg_json_field loss_fields[] = {RG_KEY(file, "The golden's path."),
					    RG_KEY_OR_NULL(metric, "The metric; null where it "
								   "is records."),
					    RG_KEY_AS("what", text, "What is gone."),
					    {0}};
#undef OF

typedef struct {
	const char *text;
	rg_losses losses;
} told_losses;

#define OF told_losses
static const rg_json_field shrunk_fields[] = {
	RG_KEY(text, "In words."),
	RG_KEY_LIST("items", losses.items, losses.count, loss_fields, "Each loss."),
	{0}};
#undef OF

/* A golden or a job, and why. */
typedef struct {
	const char *name, *why;
} told_why;
typedef struct {
	told_why *items;
	size_t count;
} whys;

#define OF told_why
static const rg_json_field name_why_fields[] = {
	RG_KEY(name, "The golden's path, or the job's name."), RG_KEY_OR_NULL(why, "Why."), {0}};
static const rg_json_field file_why_fields[] = {RG_KEY_AS("file", name, "The golden's path."),
						RG_KEY_OR_NULL(why, "Why it could not be read."),
						{0}};
#undef OF

typedef struct {
	size_t replaced, created, unchanged, left_out;
	whys held, missing, gone, own;
} told_refresh;

#define OF told_refresh
static const rg_json_field refresh_fields[] = {
	RG_KEY(replaced, "Goldens replaced."),
	RG_KEY(created, "Goldens created."),
	RG_KEY(unchanged, "Goldens that the tree had already."),
	RG_KEY(left_out, "Goldens left out."),
	RG_KEY_LIST("held", held.items, held.count, name_why_fields, "Held back."),
	RG_KEY_LIST("missing", missing.items, missing.count, name_why_fields,
		    "Artifacts that did not come."),
	RG_KEY_LIST("gone", gone.items, gone.count, name_why_fields,
		    "Goldens that the run no longer makes."),
	RG_KEY_LIST("own", own.items, own.count, file_why_fields,
		    "Files whose changes are not the run's."),
	{0}};
#undef OF
/* --- the whole --- */

/* Texts are in the arena, or borrowed; what is NULL, 0 or false is left out where it may be. */
typedef struct {
	const rg_story *story;
	rg_arena arena;
	told_losses shrunk;
	const char *old_side, *new_side, *from, *command, *root, *near_zero;
	const char *run, *run_url, *branch, *commit, *short_commit, *among, *commit_url;
	bool only_failing, gitlab, alone, partial, any_tensors, only_tensors, whole;
	unsigned attempt;
	size_t updated, files, total;
	told_refresh refreshed, *refresh;
	whys new_files, removed_files, unreadable_files;
} summary;

static void put_new_runs(rg_json_out *json, const void *from, const void *context);

#define OF summary
const rg_json_field rg_story_fields[] = {
	RG_KEY_OBJECT("shrunk", shrunk, shrunk_fields, OPTIONAL, false, "What the new side lost."),
	RG_KEY_OR_NULL(old_side, "The name of the old side."),
	RG_KEY_OR_NULL(new_side, "The name of the new side."),
	RG_KEY(only_failing, "The run's scope was the jobs that failed."),
	RG_KEY_OPTIONAL(
		from,
		"The folder or archive that the goldens came from, where they are of no run."),
	RG_KEY_OPTIONAL(run, "The run's id."),
	RG_KEY_OPTIONAL(run_url, "The run's page."),
	RG_KEY_OPTIONAL(attempt, "The run's attempt."),
	RG_KEY_OPTIONAL(branch, "The run's branch."),
	RG_KEY_OPTIONAL(commit, "The run's commit."),
	RG_KEY_OPTIONAL(short_commit, "Its beginning."),
	RG_KEY_OPTIONAL(among,
			"Which of several runs it is, in words; missing where there was but one."),
	RG_KEY_OPTIONAL(gitlab, "The run is a pipeline of GitLab; missing where it is not."),
	RG_KEY_OPTIONAL(commit_url, "The commit's page."),
	RG_KEY_OPTIONAL(command, "What was called."),
	RG_KEY_OPTIONAL(alone,
			"A file is held against nothing: no rows are told of. Else missing."),
	RG_KEY_OPTIONAL(root, "The folder of the goldens."),
	RG_KEY_OPTIONAL(whole, "That is the whole repository; else missing."),
	RG_KEY(updated, "Golden files that were written, or differ."),
	RG_SPREAD_PUT(story, rg_told_fields, rg_told_put),
	RG_PUT("new_runs", LIST, OPTIONAL, rg_new_runs_told_fields, put_new_runs,
	       "Of several new sides, the rows that moved, and those that more runs could "
	       "decide; missing where there is one."),
	RG_KEY_OPTIONAL(partial, "Some of the run is not in the tree."),
	RG_KEY_TO("refresh", refresh, refresh_fields, OPTIONAL, false, "What a refresh did."),
	RG_KEY(files, "Files with rows."),
	RG_KEY(total, "Series rows."),
	RG_KEY_OPTIONAL(near_zero,
			"\"near-zero\" where a setting says under which value a step has no "
			"relative figure, else absent: 1e-12."),
	RG_KEY_OPTIONAL(
		any_tensors,
		"Some series rows are of tensors, whose size is their largest relative error."),
	RG_KEY_OPTIONAL(only_tensors, "All of them are."),
	RG_KEY_LIST("new_files", new_files.items, new_files.count, file_why_fields, "New goldens."),
	RG_KEY_LIST("removed_files", removed_files.items, removed_files.count, file_why_fields,
		    "Removed goldens."),
	RG_KEY_LIST("unreadable_files", unreadable_files.items, unreadable_files.count,
		    file_why_fields, "Goldens that could not be read."),
	{0}};
#undef OF

static void put_new_runs(rg_json_out *json, const void *from, const void *context)
{
	const summary *s = from;
	(void)context;
	rg_new_runs_view(json->open[json->depth - 1], s->story->summary->new_runs);
}

static void add_why(summary *s, whys *list, size_t most, const char *name, const char *why)
{
	if (!list->items)
		list->items = rg_arena_alloc(&s->arena, most * sizeof(*list->items));
	list->items[list->count++] = (told_why){name, why};
}

static void tell_refresh(summary *s)
{
	const rg_refresh *refresh = s->story->summary->refresh;
	const rg_comparison *c = s->story->summary->comparison;
	told_refresh *to = &s->refreshed;
	whys *const lists[RG_REFRESH_OUTCOMES] = {[RG_REFRESH_HELD] = &to->held,
						  [RG_REFRESH_MISSING] = &to->missing,
						  [RG_REFRESH_GONE] = &to->gone};

	if (!refresh)
		return;
	s->refresh = to;
	s->partial = rg_refresh_is_partial(refresh);
	to->replaced = refresh->counts[RG_REFRESH_UPDATED];
	to->created = refresh->counts[RG_REFRESH_NEW];
	to->unchanged = refresh->counts[RG_REFRESH_UNCHANGED];
	to->left_out = refresh->counts[RG_REFRESH_LEFT_OUT];
	for (size_t i = 0; i < refresh->count; i++) {
		const rg_refresh_item *item = &refresh->items[i];
		if (lists[item->outcome])
			add_why(s, lists[item->outcome], refresh->count, item->name, item->why);
	}
	/* The files that are compared and that the run did not change. */
	for (size_t i = 0; i < c->file_count; i++) {
		const rg_refresh_item *golden = rg_refresh_find(refresh, c->files[i].file);
		if (rg_refresh_is_own(refresh, c->files[i].file))
			add_why(s, &to->own, c->file_count, c->files[i].file,
				golden ? rg_refresh_names[golden->outcome] : "not refreshed");
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

static void tell_files(summary *s, const rg_comparison *c)
{
	whys *const lists[] = {[RG_FILE_COMPARED] = NULL,
			       [RG_FILE_NEW] = &s->new_files,
			       [RG_FILE_REMOVED] = &s->removed_files,
			       [RG_FILE_UNREADABLE] = &s->unreadable_files};
	size_t tensors = 0;

	s->files = files_with_rows(c);
	s->total = c->series_rows;
	for (size_t i = 0; i < c->row_count; i++)
		tensors += c->rows[i].tensor != NULL;
	s->any_tensors = tensors;
	s->only_tensors = tensors && tensors == c->series_rows;
	for (size_t i = 0; i < c->file_count; i++)
		if (lists[c->files[i].status])
			add_why(s, lists[c->files[i].status], c->file_count, c->files[i].file,
				c->files[i].why);
}

static void tell_run(summary *s, const rg_run_facts *run)
{
	const rg_run_page page = rg_run_page_of(run->url);
	rg_buf among;

	s->only_failing = run->only_failing;
	s->from = run->id ? NULL : run->from;
	if (!run->id)
		return;
	s->run = run->id;
	s->run_url = run->url;
	s->attempt = run->attempt;
	s->branch = run->branch;
	s->commit = run->commit;
	s->gitlab = page.gitlab;
	if (run->commit)
		s->short_commit = rg_arena_copy(&s->arena, run->commit, strnlen(run->commit, 10));
	if (run->commit && page.length) {
		char *url = rg_textf("%.*s%s/commit/%s", page.length, run->url, page.between,
				     run->commit);
		rg_arena_adopt(&s->arena, url);
		s->commit_url = url;
	}
	if (!run->among.take)
		return;
	rg_buf_init(&among, RG_BUF_TEXT);
	rg_among_say(&among, &run->among);
	s->among = rg_arena_text(&s->arena, among.data);
	rg_buf_release(&among);
}

static void tell(summary *s, rg_buf *lost)
{
	const rg_summary *of = s->story->summary;
	const rg_refresh *refresh = of->refresh;

	rg_losses_find(&s->shrunk.losses, of->comparison);
	rg_losses_say(lost, &s->shrunk.losses);
	s->shrunk.text = s->shrunk.losses.count ? lost->data : NULL;
	s->old_side = of->old_side;
	s->new_side = of->new_side;
	tell_run(s, &of->run);
	s->command = of->command;
	s->alone = of->alone;
	s->whole = of->root && !*of->root;
	s->root = s->whole ? "." : of->root;
	s->updated = refresh ? refresh->counts[RG_REFRESH_UPDATED] + refresh->counts[RG_REFRESH_NEW]
			     : of->comparison->file_count - of->comparison->removed;
	tell_refresh(s);
	s->near_zero = rg_policy_sets_near_zero(of->policy) ? "near-zero" : NULL;
	tell_files(s, of->comparison);
}

#define OF rg_metric_summary
const rg_json_field rg_metric_fields[] = {
	RG_KEY(metric, "The metric's name."),
	RG_KEY(n, "Its rows."),
	RG_KEY(median, "The upper median of |avg_rel_diff|."),
	RG_KEY(max, "The largest |avg_rel_diff|."),
	RG_KEY_OR_NULL(mean_signed, "The mean of avg_rel_diff; null where no row has one."),
	RG_KEY_OR_NULL(low, "The 95 % interval of the median of avg_rel_diff; null under 6 rows."),
	RG_KEY_OR_NULL(high, "Its upper end."),
	{0}};
#undef OF

/* A bucket has no name as a type. */
#define OF rg_summary_figures
const rg_json_field rg_bucket_fields[] = {
	RG_KEY_AS("range", buckets[0].range, "A range of |avg_rel_diff|."),
	RG_KEY_AS("n", buckets[0].n, "Rows of series in it."),
	{0}};
#undef OF

/* --- metrics and buckets --- */

void rg_summary_figures_make(rg_summary_figures *out, const rg_comparison *comparison)
{
	size_t counts[RG_BUCKETS];
	*out = (rg_summary_figures){.bucket_count = RG_BUCKETS};
	out->first_bucket = out->buckets;
	rg_bucket_counts(comparison, counts);
	for (size_t i = 0; i < RG_BUCKETS; i++) {
		out->buckets[i].range = rg_bucket_names[i];
		out->buckets[i].n = counts[i];
	}
	rg_metric_summaries_make(&out->metrics, comparison);
}

void rg_summary_figures_release(rg_summary_figures *figures)
{
	rg_metric_summaries_release(&figures->metrics);
}

void rg_summary_view_move(cJSON *view, cJSON *document)
{
	static const char *const keys[] = {"buckets", "metrics"};
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		cJSON *part = cJSON_DetachItemFromObjectCaseSensitive(document, keys[i]);
		rg_build_remove(view, keys[i]);
		if (part)
			cJSON_AddItemToObject(view, keys[i], part);
	}
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
	{"overlaps", RG_MUSTACHE_WHOLE},      {"overlap_heads", RG_MUSTACHE_WHOLE},
	{"error_lists", RG_MUSTACHE_WHOLE},   {"baselines", RG_MUSTACHE_WHOLE},
	{"outcomes", RG_MUSTACHE_WHOLE},      {"covered", RG_MUSTACHE_WHOLE},
	{"artifacts", RG_MUSTACHE_WHOLE},     {"origins", RG_MUSTACHE_WHOLE},
	{"drawn", RG_MUSTACHE_WHOLE},
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

rg_error *rg_view_finish(cJSON *view, rg_view_rank *rank)
{
	cJSON *item;
	cJSON_ArrayForEach(item, view)
	{
		const char *name = item->string;
		if (cJSON_IsArray(item))
			rg_mustache_cut(item, rank(name));
		if (cJSON_IsArray(item) || cJSON_IsObject(item))
			RG_TRY(rg_view_finish(item, rank));
		if (!cJSON_IsString(item))
			continue;
		RG_TRY(make_valid(item));
		if (name && strstr(name, "_url") && !is_address(item->valuestring))
			*item->valuestring = '\0';
	}
	return NULL;
}

rg_error *rg_summary_view_finish(cJSON *view)
{
	return rg_view_finish(view, rank_of);
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
	cJSON *view = cJSON_CreateObject();
	summary s = {.story = story};
	rg_buf lost;

	rg_arena_init(&s.arena);
	rg_buf_init(&lost, RG_BUF_ANY);
	tell(&s, &lost);
	rg_build_fields(view, rg_story_fields, &s);
	rg_losses_release(&s.shrunk.losses);
	rg_buf_release(&lost);
	rg_arena_release(&s.arena);
	return rg_summary_view_close(out, view);
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

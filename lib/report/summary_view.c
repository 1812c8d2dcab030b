/* SPDX-License-Identifier: Apache-2.0 */
#include "report/summary_view.h"

#include "base/fields.h"
#include "base/utf8.h"
#include "compare/losses.h"
#include "compare/summary.h"
#include "report/markdown.h"
#include "report/models_view.h"
#include "report/new_runs.h"
#include "report/summary.h"
#include "report/story_view.h"
#include "report/template_data.h"
#include "base/templates.h"

#include <stdlib.h>
#include <string.h>

/* --- the keys --- */

static const rg_json_field loss_fields[] = {RG_SAID("file", TEXT, "The golden's path."),
					    RG_SAID("metric", TEXT, "The metric."),
					    RG_SAID("what", TEXT, "What is gone."),
					    {0}};

static const rg_json_field shrunk_fields[] = {
	RG_SAID("text", TEXT, "In words."),
	RG_SAID_OF("items", LIST, ALWAYS, loss_fields, "Each loss."),
	{0}};

static const rg_json_field name_why_fields[] = {
	RG_SAID("name", TEXT, "The golden's path, or the job's name."),
	RG_SAID_OR_NULL("why", TEXT, "Why."),
	{0}};

static const rg_json_field file_why_fields[] = {
	RG_SAID("file", TEXT, "The golden's path."),
	RG_SAID_OR_NULL("why", TEXT, "Why it could not be read."),
	{0}};

static const rg_json_field refresh_fields[] = {
	RG_SAID("replaced", COUNT, "Goldens replaced."),
	RG_SAID("created", COUNT, "Goldens created."),
	RG_SAID("unchanged", COUNT, "Goldens that the tree had already."),
	RG_SAID("left_out", COUNT, "Goldens left out."),
	RG_SAID_OF("held", LIST, ALWAYS, name_why_fields, "Held back."),
	RG_SAID_OF("missing", LIST, ALWAYS, name_why_fields, "Artifacts that did not come."),
	RG_SAID_OF("gone", LIST, OPTIONAL, name_why_fields,
		   "Goldens that the run no longer makes."),
	RG_SAID_OF("own", LIST, ALWAYS, file_why_fields, "Files whose changes are not the run's."),
	{0}};

#define OF rg_metric_summary
const rg_json_field rg_metric_fields[] = {
	RG_KEY(metric, "The metric's name."),
	RG_KEY(n, "Its rows."),
	RG_KEY(median, "The upper median of |avg_rel_diff|."),
	RG_KEY(max, "The largest |avg_rel_diff|."),
	RG_KEY(mean_signed, "The mean of avg_rel_diff."),
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

const rg_json_field rg_story_fields[] = {
	RG_SAID_OF("shrunk", OBJECT, OPTIONAL, shrunk_fields, "What the new side lost."),
	RG_SAID_OR_NULL("old_side", TEXT, "The name of the old side."),
	RG_SAID_OPTIONAL("alone", TRUTH,
			 "A file is held against nothing: no rows are told of. Else missing."),
	RG_SAID_OR_NULL("new_side", TEXT, "The name of the new side."),
	RG_SAID("only_failing", TRUTH, "The run's scope was the jobs that failed."),
	RG_SAID_OPTIONAL(
		"from", TEXT,
		"The folder or archive that the goldens came from, where they are of no run."),
	RG_SAID_OPTIONAL("run", TEXT, "The run's id."),
	RG_SAID_OF("run_url", TEXT, EITHER, NULL, "The run's page."),
	RG_SAID_OPTIONAL("gitlab", TRUTH,
			 "The run is a pipeline of GitLab; missing where it is not."),
	RG_SAID_OPTIONAL("attempt", COUNT, "The run's attempt."),
	RG_SAID_OF("branch", TEXT, EITHER, NULL, "The run's branch."),
	RG_SAID_OF("commit", TEXT, EITHER, NULL, "The run's commit."),
	RG_SAID_OPTIONAL("short_commit", TEXT, "Its beginning."),
	RG_SAID_OPTIONAL("commit_url", TEXT, "The commit's page."),
	RG_SAID_OPTIONAL("among", TEXT,
			 "Which of several runs it is, in words; missing where there was but one."),
	RG_SAID_OPTIONAL("command", TEXT, "What was called."),
	RG_SAID_OPTIONAL("root", TEXT, "The folder of the goldens."),
	RG_SAID("updated", COUNT, "Golden files that were written, or differ."),
	RG_SAID_OF("lines", LIST, ALWAYS, rg_story_line_fields, "The bottom line."),
	RG_SAID_OF("shapes", LIST, ALWAYS, rg_story_shape_fields, "What changed in shape."),
	RG_SAID_OF("groups", LIST, ALWAYS, rg_story_group_fields,
		   "Groups with a golden at or over its level."),
	RG_SAID_OF("quiet_groups", LIST, ALWAYS, rg_story_group_fields,
		   "Groups that differ under their levels."),
	RG_SAID("same_groups", COUNT, "Groups without any difference."),
	RG_SAID("unchanged_rows", COUNT, "Rows without any difference."),
	RG_SAID("rows_total", COUNT, "All rows."),
	RG_SAID_OF("new_runs", LIST, OPTIONAL, rg_new_runs_told_fields,
		   "Of several new sides, the rows that moved, and those that more runs could "
		   "decide; missing where there is one."),
	RG_SAID_OF("apart", LIST, ALWAYS, rg_story_row_fields,
		   "Rows that do not move with their group."),
	RG_SAID_OF("review", LIST, ALWAYS, rg_story_row_fields, "All rows that are worth a look."),
	RG_SAID_OF("models", LIST, OPTIONAL, rg_model_fields,
		   "Tensors and programs that differ, model by model, the worst first."),
	RG_SAID_OPTIONAL("models_rest", TRUTH, "There are rows of models that are not among them."),
	RG_SAID_OPTIONAL("models_more", COUNT,
			 "Rows that differ and are not among them: none here."),
	RG_SAID_OPTIONAL("models_equal", COUNT, "Rows of models that do not differ."),
	RG_SAID_OF("gaps", OBJECT, OPTIONAL, rg_story_gap_fields, "Metrics without a row."),
	RG_SAID_OF("exact", OBJECT, OPTIONAL, rg_story_exact_fields, "Texts, tokens and the like."),
	RG_SAID_OF("measured", OBJECT, OPTIONAL, rg_measured_fields, "What a noise model says."),
	RG_SAID("interpretation", TRUTH, "Is there anything of the above?"),
	RG_SAID("all_command", TEXT, "The command that shows all rows."),
	RG_SAID_OPTIONAL("partial", TRUTH, "Some of the run is not in the tree."),
	RG_SAID_OF("refresh", OBJECT, OPTIONAL, refresh_fields, "What a refresh did."),
	RG_SAID("files", COUNT, "Files with rows."),
	RG_SAID("total", COUNT, "Series rows."),
	RG_SAID_OPTIONAL(
		"any_tensors", TRUTH,
		"Some series rows are of tensors, whose size is their largest relative error."),
	RG_SAID_OPTIONAL("near_zero", TEXT,
			 "\"near-zero\" where a setting says under which value a step has no "
			 "relative figure, else absent: 1e-12."),
	RG_SAID_OPTIONAL("only_tensors", TRUTH, "All of them are."),
	RG_SAID_OF("new_files", LIST, ALWAYS, file_why_fields, "New goldens."),
	RG_SAID_OF("removed_files", LIST, ALWAYS, file_why_fields, "Removed goldens."),
	RG_SAID_OF("unreadable_files", LIST, ALWAYS, file_why_fields,
		   "Goldens that could not be read."),
	{0}};

/* --- what was lost --- */

static rg_error *add_shrunk(cJSON *view, const rg_comparison *comparison)
{
	rg_losses losses = {0};
	rg_losses_find(&losses, comparison);
	cJSON *object, *list;
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);

	rg_error *err = NULL;
	if (losses.count) {
		object = rg_build_object(view, "shrunk");
		rg_losses_say(&text, &losses);
		rg_build_text(object, "text", text.data);
		list = rg_build_list(object, "items");
		for (size_t i = 0; i < losses.count; i++) {
			cJSON *item = rg_build_item(list);
			rg_build_text(item, "file", losses.items[i].file);
			rg_build_text(item, "metric", losses.items[i].metric);
			rg_build_text(item, "what", losses.items[i].text);
		}
		err = rg_buf_check(&text, "what was lost");
	}
	rg_buf_release(&text);
	rg_losses_release(&losses);
	return err;
}

/* --- what a refresh did --- */

/* The items of one outcome, with why. */
static void add_outcome(cJSON *object, const char *name, const rg_refresh *refresh,
			rg_refresh_outcome outcome)
{
	cJSON *list = rg_build_list(object, name), *item;
	for (size_t i = 0; i < refresh->count; i++) {
		if (refresh->items[i].outcome != outcome)
			continue;
		item = rg_build_item(list);
		rg_build_text(item, "name", refresh->items[i].name);
		rg_build_text(item, "why", refresh->items[i].why);
	}
}

static void add_refresh(cJSON *view, const rg_summary *summary)
{
	const rg_refresh *refresh = summary->refresh;
	const rg_comparison *c = summary->comparison;
	cJSON *item;

	if (!refresh)
		return;
	rg_build_truth(view, "partial", rg_refresh_is_partial(refresh));
	cJSON *object = rg_build_object(view, "refresh");
	rg_build_count(object, "replaced", refresh->counts[RG_REFRESH_UPDATED]);
	rg_build_count(object, "created", refresh->counts[RG_REFRESH_NEW]);
	rg_build_count(object, "unchanged", refresh->counts[RG_REFRESH_UNCHANGED]);
	rg_build_count(object, "left_out", refresh->counts[RG_REFRESH_LEFT_OUT]);
	add_outcome(object, "held", refresh, RG_REFRESH_HELD);
	add_outcome(object, "missing", refresh, RG_REFRESH_MISSING);
	add_outcome(object, "gone", refresh, RG_REFRESH_GONE);
	/* The files that are compared and that the run did not change. */
	cJSON *list = rg_build_list(object, "own");
	for (size_t i = 0; i < c->file_count; i++) {
		const rg_refresh_item *golden = rg_refresh_find(refresh, c->files[i].file);
		if (!rg_refresh_is_own(refresh, c->files[i].file))
			continue;
		item = rg_build_item(list);
		rg_build_text(item, "file", c->files[i].file);
		rg_build_text(item, "why",
			      golden ? rg_refresh_names[golden->outcome] : "not refreshed");
	}
}

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

#define OF figures_of
typedef struct {
	rg_summary_figures figures;
} figures_of;
static const rg_json_field figure_fields[] = {RG_SUMMARY_FIGURES(figures), {0}};
#undef OF

rg_error *rg_summary_view_add_figures(cJSON *view, const rg_comparison *comparison)
{
	figures_of of;
	rg_summary_figures_make(&of.figures, comparison);
	rg_json_out json;

	rg_json_tree_init(&json, view);
	rg_json_put_fields(&json, figure_fields, &of, NULL);
	rg_summary_figures_release(&of.figures);
	return rg_summary_view_finish(view);
}

void rg_summary_view_move_figures(cJSON *view, cJSON *document)
{
	for (const rg_json_field *field = figure_fields; field->key; field++) {
		cJSON *list = cJSON_DetachItemFromObjectCaseSensitive(document, field->key);
		rg_build_remove(view, field->key);
		if (list)
			cJSON_AddItemToObject(view, field->key, list);
	}
}

/* --- files --- */

static void add_files(cJSON *view, const char *name, const rg_comparison *c, rg_file_status status)
{
	cJSON *list = rg_build_list(view, name), *item;
	for (size_t i = 0; i < c->file_count; i++) {
		if (c->files[i].status != status)
			continue;
		item = rg_build_item(list);
		rg_build_text(item, "file", c->files[i].file);
		rg_build_text(item, "why", c->files[i].why);
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
static void add_tensors(cJSON *view, const rg_comparison *c)
{
	size_t tensors = 0;
	for (size_t i = 0; i < c->row_count; i++)
		tensors += c->rows[i].tensor != NULL;
	if (!tensors)
		return;
	rg_build_truth(view, "any_tensors", true);
	rg_build_truth(view, "only_tensors", tensors == c->series_rows);
}

/* --- the run --- */

/* What the run's page tells: whose it is, and the address of the commit. */
static void add_page(cJSON *view, const rg_run_facts *run)
{
	const rg_run_page page = rg_run_page_of(run->url);
	if (page.gitlab)
		rg_build_truth(view, "gitlab", true);
	if (page.length && run->commit)
		rg_build_textf(view, "commit_url", "%.*s%s/commit/%s", page.length, run->url,
			       page.between, run->commit);
}

static void add_among(cJSON *view, const rg_among *among)
{
	rg_buf text;
	if (!among->take)
		return;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_among_say(&text, among);
	rg_build_written(view, "among", &text);
	rg_buf_release(&text);
}

static void add_run(cJSON *view, const rg_run_facts *run)
{
	rg_build_truth(view, "only_failing", run->only_failing);
	if (!run->id && run->from)
		rg_build_text(view, "from", run->from);
	if (!run->id)
		return;
	rg_build_text(view, "run", run->id);
	rg_build_text(view, "run_url", run->url);
	rg_build_count(view, "attempt", run->attempt);
	rg_build_text(view, "branch", run->branch);
	rg_build_text(view, "commit", run->commit);
	if (run->commit)
		rg_build_textf(view, "short_commit", "%.10s", run->commit);
	add_among(view, &run->among);
	add_page(view, run);
}

static void add_all(cJSON *view, const rg_story *story)
{
	const rg_summary *s = story->summary;
	const rg_comparison *c = s->comparison;

	rg_build_text(view, "old_side", s->old_side);
	rg_build_text(view, "new_side", s->new_side);
	add_run(view, &s->run);
	if (s->command)
		rg_build_text(view, "command", s->command);
	if (s->alone)
		rg_build_truth(view, "alone", true);
	if (s->root)
		rg_build_text(view, "root", *s->root ? s->root : ".");
	rg_build_count(view, "updated",
		       s->refresh ? s->refresh->counts[RG_REFRESH_UPDATED] +
					    s->refresh->counts[RG_REFRESH_NEW]
				  : c->file_count - c->removed);
	rg_view_add_story(view, story);
	rg_new_runs_view(view, s->new_runs);
	add_refresh(view, s);
	rg_build_count(view, "files", files_with_rows(c));
	rg_build_count(view, "total", c->series_rows);
	if (rg_policy_sets_near_zero(s->policy))
		rg_build_text(view, "near_zero", "near-zero");
	add_tensors(view, c);
	add_files(view, "new_files", c, RG_FILE_NEW);
	add_files(view, "removed_files", c, RG_FILE_REMOVED);
	add_files(view, "unreadable_files", c, RG_FILE_UNREADABLE);
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
	rg_error *err = add_shrunk(view, comparison);

	*out = NULL;
	if (err) {
		cJSON_Delete(view);
		return err;
	}
	add_all(view, story);
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/summary_view.h"

#include "base/memory.h"
#include "base/templates.h"
#include "base/utf8.h"
#include "report/document_head.h"
#include "report/markdown.h"
#include "report/new_runs.h"
#include "report/story_document.h"
#include "report/template_data.h"
#include "report/words.h"

#include <string.h>

/* --- the keys of templates --- */

typedef struct {
	const char *metric, *figure, *note, *name, *file, *row_metric, *golden_url;
	size_t more; /* goldens beside the one that is named */
	bool gate;
} shown_finding;

#define OF shown_finding
static const rg_json_field finding_fields[] = {
	RG_KEY_OPTIONAL(metric, "The metric."),
	RG_KEY(figure, "How it changed."),
	RG_KEY_OPTIONAL(note, "What that is compared with."),
	RG_KEY_OPTIONAL(name, "The golden's name."),
	RG_KEY_OPTIONAL(file, "The golden's path."),
	RG_KEY_OPTIONAL(row_metric, "The metric of its row."),
	RG_KEY_OPTIONAL(golden_url, "Its page, as the run's commit has it."),
	/* Always there: else the list of the same name around it would be meant. */
	RG_KEY(more, "Further goldens that have it."),
	RG_KEY_OPTIONAL(gate, "It broke a gate."),
	{0}};
#undef OF

typedef struct {
	const char *metric, *stage, *change, *middle, *only, *worst_file, *worst_metric,
		*worst_name, *class_of;
	size_t n, changed, goldens, review;
	double median, max;
} shown_moved;

#define OF shown_moved
#define MOVED_KEYS                                                                             \
	RG_KEY_OPTIONAL(stage, "The stage."), RG_KEY(changed, "Goldens whose values differ."), \
		RG_KEY(goldens, "Goldens that have it."),                                      \
		RG_KEY(change, "The range of the change, without what the findings name."),    \
		RG_KEY_OPTIONAL(middle, "The median of the change.")
static const rg_json_field stage_fields[] = {
	RG_KEY(metric, "The metric, or the family."), MOVED_KEYS, {0}};
static const rg_json_field moved_fields[] = {
	RG_KEY(metric, "The metric, or the family."),
	MOVED_KEYS,
	RG_KEY_OPTIONAL(n, "Rows with a size."),
	RG_KEY_OPTIONAL(median, "The median of |avg_rel_diff|."),
	RG_KEY_OPTIONAL(max, "The largest."),
	RG_KEY_OPTIONAL(only, "The metric, if its family has no other."),
	RG_KEY_IF("class", class_of, RG_JSON_ALWAYS, "What it measures."),
	RG_KEY(review, "Rows that need review; always there, as \"more\" is."),
	RG_KEY_OPTIONAL(worst_file, "The golden that moved most."),
	RG_KEY_OPTIONAL(worst_metric, "Its metric."),
	RG_KEY_OPTIONAL(worst_name, "Its name."),
	{0}};
#undef OF

typedef struct {
	const char *text;
} shown_text;

#define OF shown_text
static const rg_json_field text_fields[] = {RG_KEY(text, "A line."), {0}};
#undef OF

typedef struct {
	const char *command, *purpose;
} shown_next;

#define OF shown_next
static const rg_json_field next_fields[] = {
	RG_KEY(command, "The command."), RG_KEY(purpose, "What it does."), {0}};
#undef OF

/* A golden or a job, and why. */
typedef struct {
	const char *name, *why;
} named;

#define OF named
static const rg_json_field named_fields[] = {RG_KEY(name, "The golden's path, or the job's name."),
					     RG_KEY_AS("file", name, "The same."),
					     RG_KEY_OPTIONAL(why, "Why."),
					     {0}};
#undef OF

typedef struct {
	named *items;
	size_t count, capacity;
} named_list;

typedef struct {
	size_t updated, created, unchanged, left_out;
	named_list held, missing, gone, own;
} shown_refresh;

#define OF shown_refresh
static const rg_json_field refresh_fields[] = {
	RG_KEY(updated, "Goldens replaced."),
	RG_KEY(created, "Goldens created."),
	RG_KEY(unchanged, "Goldens that the tree had already."),
	RG_KEY(left_out, "Goldens left out."),
	RG_KEY_LIST("held", held.items, held.count, named_fields, "Held back."),
	RG_KEY_LIST("missing", missing.items, missing.count, named_fields,
		    "Artifacts that did not come."),
	RG_KEY_LIST("gone", gone.items, gone.count, named_fields,
		    "Goldens that the run no longer makes."),
	RG_KEY_LIST("own", own.items, own.count, named_fields,
		    "Files whose changes are not the run's."),
	{0}};
#undef OF

typedef struct {
	rg_document_head head;
	const char *verdict, *quiet, *review_command, *all_command, *short_commit, *commit_url,
		*among, *near_zero_text;
	bool needs_review, gitlab, whole, partial, any_tensors, only_tensors, has_run;
	size_t review_more, golden_count, metric_count;
	shown_finding *review;
	shown_moved *moved, *staged;
	shown_text *facts, *checks, *noise;
	shown_next *next;
	size_t review_count, moved_count, staged_count, fact_count, check_count, noise_count,
		next_count;
	shown_refresh refreshed, *refresh;
	named_list new_files, removed_files, unreadable_files;
	rg_arena *arena;
} shown;

#define OF                           shown
#define HEAD(member, when, sentence) RG_KEY_IF(#member, head.member, RG_JSON_##when, sentence)
static const rg_json_field view_fields[] = {
	RG_KEY(verdict, "The verdict, one line."),
	RG_KEY_OPTIONAL(needs_review, "There is a finding."),
	RG_KEY_LIST("review", review, review_count, finding_fields, "The findings, worst first."),
	RG_KEY_OPTIONAL(review_more, "Findings that are not among them."),
	RG_KEY_OPTIONAL(review_command, "The command that lists all of them."),
	RG_KEY_LIST("moved", moved, moved_count, moved_fields, "How each metric moved."),
	RG_KEY_LIST("staged", staged, staged_count, stage_fields, "The same by stage."),
	RG_KEY_OPTIONAL(quiet, "The metrics that moved within their flag levels."),
	RG_KEY_LIST("facts", facts, fact_count, text_fields, "Facts about all goldens."),
	RG_KEY_LIST("checks", checks, check_count, text_fields, "The project's checks."),
	RG_KEY_LIST("noise", noise, noise_count, text_fields, "What was measured."),
	RG_KEY_LIST("next", next, next_count, next_fields, "The commands to type next."),
	RG_KEY_OPTIONAL(all_command, "The command that shows all rows."),
	HEAD(old_side, OR_NULL, "The name of the old side."),
	HEAD(new_side, OR_NULL, "The name of the new side."),
	HEAD(only_failing, ALWAYS, "The run's scope was the jobs that failed."),
	HEAD(from, OPTIONAL, "The folder or archive that the goldens came from."),
	HEAD(run, OPTIONAL, "The run's id."),
	HEAD(run_url, OPTIONAL, "The run's page."),
	HEAD(attempt, OPTIONAL, "The run's attempt."),
	HEAD(branch, OPTIONAL, "The run's branch."),
	HEAD(commit, OPTIONAL, "The run's commit."),
	RG_KEY_OPTIONAL(short_commit, "Its beginning."),
	RG_KEY_OPTIONAL(commit_url, "The commit's page."),
	RG_KEY_OPTIONAL(among, "Which of several runs it is, in words."),
	RG_KEY_OPTIONAL(gitlab, "The run is a pipeline of GitLab."),
	HEAD(command, OPTIONAL, "The call."),
	HEAD(filter, OPTIONAL, "What --filter keeps."),
	HEAD(dry_run, OPTIONAL, "The refresh was not made."),
	HEAD(alone, OPTIONAL, "A file is compared with nothing."),
	HEAD(root, OPTIONAL, "The folder of the goldens."),
	RG_KEY_OPTIONAL(whole, "That is the whole repository."),
	RG_KEY_IF("updated", golden_count, RG_JSON_ALWAYS,
		  "Golden files that were written, or differ."),
	RG_KEY_IF("files", head.compared, RG_JSON_ALWAYS, "Goldens that were compared."),
	RG_KEY_IF("total", head.series_rows, RG_JSON_OPTIONAL, "Rows of series."),
	RG_KEY_IF("rows_total", head.rows, RG_JSON_ALWAYS, "All rows."),
	RG_KEY_IF("no_steps", head.no_steps, RG_JSON_OPTIONAL,
		  "Metrics without a step that counts."),
	RG_KEY_IF("near_zero", near_zero_text, RG_JSON_OPTIONAL,
		  "\"near-zero\" if a setting says under which value a step has no relative "
		  "figure."),
	RG_KEY_OPTIONAL(any_tensors, "Some rows of series are of tensors."),
	RG_KEY_OPTIONAL(only_tensors, "All of them are."),
	RG_KEY_OPTIONAL(partial, "Some of the run is not in the tree."),
	RG_KEY_TO("refresh", refresh, refresh_fields, OPTIONAL, false, "What a refresh did."),
	RG_KEY_LIST("new_files", new_files.items, new_files.count, named_fields, "New goldens."),
	RG_KEY_LIST("removed_files", removed_files.items, removed_files.count, named_fields,
		    "Removed goldens."),
	RG_KEY_LIST("unreadable_files", unreadable_files.items, unreadable_files.count,
		    named_fields, "Goldens that could not be read."),
	{0}};
#undef HEAD
#undef OF

/* --- the blocks --- */

/* NULL for nothing. */
static const char *written(shown *v, rg_buf *text)
{
	const char *kept = text->length ? rg_arena_copy(v->arena, text->data, text->length) : NULL;
	rg_buf_clear(text);
	return kept;
}

/* The golden's page on the host of the run, as the run's commit has it; NULL: not known. */
static const char *golden_url(shown *v, rg_buf *text, const char *file)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/";
	const rg_run_page page = rg_run_page_of(v->head.run_url);

	if (!page.length || !v->head.commit || !file)
		return NULL;
	rg_buf_printf(text, "%.*s%s/blob/%s/", page.length, v->head.run_url, page.between,
		      v->head.commit);
	for (; *file; file++)
		if (strchr(plain, *file))
			rg_buf_char(text, *file);
		else
			rg_buf_printf(text, "%%%02X", (unsigned)(unsigned char)*file);
	return written(v, text);
}

static shown_finding show_finding(shown *v, rg_buf *text, const rg_story_finding *f)
{
	shown_finding one = {.gate = f->gate, .row_metric = f->row};
	rg_finding_say_metric(text, f);
	one.metric = written(v, text);
	rg_finding_say_figure(text, f);
	one.figure = written(v, text);
	rg_finding_say_note(text, f, false);
	one.note = written(v, text);
	if (f->name && !rg_finding_names_golden(f)) {
		one.name = f->name;
		one.more = f->goldens - 1;
	}
	one.file = f->kind == RG_FOUND_MISSING ? NULL : f->file;
	one.golden_url = golden_url(v, text, one.name ? one.file : NULL);
	return one;
}

static shown_moved show_moved(shown *v, rg_buf *text, const rg_moved *m)
{
	shown_moved one = {.metric = m->metric,
			   .stage = m->stage,
			   .only = m->only,
			   .class_of = rg_class_names[m->class_of],
			   .n = m->sized,
			   .changed = m->changed,
			   .goldens = m->goldens,
			   .review = m->review,
			   .median = m->abs_median,
			   .max = m->abs_max,
			   .worst_file = m->worst_file,
			   .worst_metric = m->worst_metric,
			   .worst_name = m->worst_name};
	rg_moved_say_change(text, m);
	one.change = written(v, text);
	rg_moved_say_median(text, m);
	one.middle = written(v, text);
	return one;
}

static void show_all_moved(shown *v, rg_buf *text, const rg_blocks *b)
{
	size_t stages = 0;
	for (size_t i = 0; i < b->moved_count; i++)
		stages += b->moved[i].stage_count;
	v->moved = rg_arena_alloc(v->arena, (b->moved_count + 1) * sizeof(*v->moved));
	v->staged = rg_arena_alloc(v->arena, (stages + 1) * sizeof(*v->staged));
	for (size_t i = 0; i < b->moved_count; i++) {
		const rg_moved *m = &b->moved[i];
		if (m->of_models)
			continue;
		v->moved[v->moved_count++] = show_moved(v, text, m);
		for (size_t k = 0; m->changed && !m->counted && k < m->stage_count; k++) {
			v->staged[v->staged_count] = show_moved(v, text, &m->stages[k]);
			v->staged[v->staged_count++].metric = m->metric;
		}
	}
}

/* The lines of a text, each by itself. */
static void show_lines(shown *v, rg_buf *text, shown_text **out, size_t *count)
{
	size_t lines = 1;
	for (const char *at = text->data; (at = strchr(at, '\n')); at++)
		lines++;
	*out = rg_arena_alloc(v->arena, lines * sizeof(**out));
	for (const char *at = text->data; text->length && at; at = strchr(at, '\n')) {
		at += *at == '\n';
		(*out)[(*count)++].text = rg_arena_copy(v->arena, at, strcspn(at, "\n"));
	}
	rg_buf_clear(text);
}

static void show_blocks(shown *v, const rg_blocks *b)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_blocks_say_verdict(&text, b);
	v->verdict = written(v, &text);
	v->needs_review = b->finding_count > 0;
	v->review = rg_arena_alloc(v->arena, (b->finding_count + 1) * sizeof(*v->review));
	while (v->review_count < b->finding_count && v->review_count < RG_FINDINGS_SHOWN) {
		v->review[v->review_count] = show_finding(v, &text, &b->findings[v->review_count]);
		v->review_count++;
	}
	v->review_more = b->finding_count - v->review_count;
	v->review_command = b->review_command;
	v->all_command = b->all_command;
	show_all_moved(v, &text, b);
	rg_blocks_say_quiet(&text, b);
	v->quiet = written(v, &text);
	rg_blocks_say_facts(&text, b);
	show_lines(v, &text, &v->facts, &v->fact_count);
	rg_blocks_say_checks(&text, b);
	show_lines(v, &text, &v->checks, &v->check_count);
	rg_blocks_say_noise(&text, b);
	show_lines(v, &text, &v->noise, &v->noise_count);
	v->next = rg_arena_alloc(v->arena, (b->next_count + 1) * sizeof(*v->next));
	for (size_t i = 0; i < b->next_count; i++)
		v->next[v->next_count++] =
			(shown_next){b->next[i].command, rg_next_purpose(b->next[i].kind)};
}

/* --- the run, the refresh and the files --- */

static const char *text_of(const cJSON *item, const char *key)
{
	return cJSON_GetStringValue(rg_json_member(item, key));
}

static void append_named(shown *v, named_list *list, const char *name, const char *why)
{
	if (name)
		*RG_ARENA_PUSH(v->arena, list->items, list->count, list->capacity) =
			(named){name, why};
}

static void show_golden(shown *v, const cJSON *item)
{
	shown_refresh *to = &v->refreshed;
	named_list *const lists[RG_REFRESH_OUTCOMES] = {[RG_REFRESH_HELD] = &to->held,
							[RG_REFRESH_MISSING] = &to->missing,
							[RG_REFRESH_GONE] = &to->gone};
	const char *outcome = text_of(item, "outcome");
	for (size_t i = 0; outcome && i < RG_REFRESH_OUTCOMES; i++) {
		if (strcmp(outcome, rg_refresh_names[i]) != 0)
			continue;
		if (lists[i])
			append_named(v, lists[i], text_of(item, "name"), text_of(item, "why"));
		to->updated += i == RG_REFRESH_UPDATED;
		to->created += i == RG_REFRESH_NEW;
		to->unchanged += i == RG_REFRESH_UNCHANGED;
		to->left_out += i == RG_REFRESH_LEFT_OUT;
	}
}

static void show_refresh(shown *v, const cJSON *root)
{
	const cJSON *item;
	if (!rg_json_member(root, "goldens"))
		return;
	v->refresh = &v->refreshed;
	cJSON_ArrayForEach(item, rg_json_member(root, "goldens")) show_golden(v, item);
	v->partial = v->refreshed.held.count || v->refreshed.missing.count || v->refreshed.left_out;
}

static void show_file(shown *v, const cJSON *item)
{
	const char *status = text_of(item, "status"), *file = text_of(item, "file");
	const cJSON *from_run = rg_json_member(item, "from_run");
	if (!status)
		return;
	if (!strcmp(status, "new"))
		append_named(v, &v->new_files, file, NULL);
	else if (!strcmp(status, "removed"))
		append_named(v, &v->removed_files, file, NULL);
	else if (!strcmp(status, "unreadable"))
		append_named(v, &v->unreadable_files, file, text_of(item, "why"));
	if (cJSON_IsFalse(from_run))
		append_named(v, &v->refreshed.own, file, NULL);
}

static rg_error *show_among(shown *v, const rg_json_in *in)
{
	const cJSON *part, *runs = NULL, *missing = NULL;
	rg_among among = {0};

	if (!rg_json_member(in->root, "among"))
		return NULL;
	RG_TRY(rg_json_get_object(in, in->root, "among", &part));
	RG_TRY(rg_json_get_text(in, part, "take", &among.take));
	runs = rg_json_member(part, "runs");
	missing = rg_json_member(part, "missing");
	among.runs.count = (size_t)cJSON_GetArraySize(runs);
	among.missed.count = (size_t)cJSON_GetArraySize(missing);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_among_say(&text, &among);
	v->among = written(v, &text);
	return NULL;
}

/* --- what has been built, or read --- */

/* By which rank lists are cut; those that are not named here are of the second. */
static const struct {
	const char *name;
	rg_mustache_rank rank;
} ranks[] = {
	{"review", RG_MUSTACHE_WHOLE},       {"moved", RG_MUSTACHE_STORY},
	{"facts", RG_MUSTACHE_WHOLE},        {"checks", RG_MUSTACHE_STORY},
	{"noise", RG_MUSTACHE_WHOLE},        {"next", RG_MUSTACHE_WHOLE},
	{"models", RG_MUSTACHE_STORY},       {"stages", RG_MUSTACHE_DETAIL},
	{"staged", RG_MUSTACHE_DETAIL},      {"buckets", RG_MUSTACHE_WHOLE},
	{"cells", RG_MUSTACHE_WHOLE},        {"columns", RG_MUSTACHE_WHOLE},
	{"rows", RG_MUSTACHE_WHOLE},         {"curves", RG_MUSTACHE_WHOLE},
	{"lists", RG_MUSTACHE_WHOLE},        {"statuses", RG_MUSTACHE_WHOLE},
	{"codes", RG_MUSTACHE_WHOLE},        {"figures", RG_MUSTACHE_WHOLE},
	{"quantiles", RG_MUSTACHE_WHOLE},    {"opdiff", RG_MUSTACHE_WHOLE},
	{"status_heads", RG_MUSTACHE_WHOLE}, {"code_heads", RG_MUSTACHE_WHOLE},
	{"bucket_heads", RG_MUSTACHE_WHOLE}, {"quantile_heads", RG_MUSTACHE_WHOLE},
	{"overlaps", RG_MUSTACHE_WHOLE},     {"overlap_heads", RG_MUSTACHE_WHOLE},
	{"error_lists", RG_MUSTACHE_WHOLE},  {"baselines", RG_MUSTACHE_WHOLE},
	{"outcomes", RG_MUSTACHE_WHOLE},     {"covered", RG_MUSTACHE_WHOLE},
	{"artifacts", RG_MUSTACHE_WHOLE},    {"origins", RG_MUSTACHE_WHOLE},
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
		/* Each byte that is not UTF-8 as U+FFFD, as it is in a file of JSON. */
		RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
		rg_utf8_add_valid(&text, item->valuestring, strlen(item->valuestring));
		RG_TRY(rg_buf_check(&text, "a name"));
		if (strcmp(text.data, item->valuestring) != 0) {
			cJSON *valid = cJSON_CreateString(text.data);
			char *swapped = item->valuestring;
			item->valuestring = valid->valuestring;
			valid->valuestring = swapped;
			cJSON_Delete(valid);
		}
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

/* Parts of the document that templates have as they are. */
static void append_parts(cJSON *out, cJSON *root)
{
	static const struct {
		const char *name;
		bool of_story;
	} parts[] = {{"buckets", false},     {"new_runs", true},      {"exact", true},
		     {"models", true},       {"models_rest", true},   {"models_more", true},
		     {"models_equal", true}, {"unchanged_rows", true}};
	cJSON *story = cJSON_GetObjectItemCaseSensitive(root, "story");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		cJSON *from = parts[i].of_story ? story : root;
		cJSON *part = cJSON_DetachItemFromObjectCaseSensitive(from, parts[i].name);
		if (part)
			cJSON_AddItemToObject(out, parts[i].name, part);
	}
}

rg_error *rg_summary_view(cJSON **out, const rg_json_in *in, cJSON *root)
{
	shown v = {.arena = in->arena};
	const cJSON *part;
	rg_blocks blocks;

	*out = NULL;
	RG_TRY(rg_blocks_read(&blocks, in));
	RG_TRY(rg_json_get_object(in, in->root, "about", &part));
	RG_TRY(rg_json_get_fields(in, part, rg_about_fields, &v.head));
	RG_TRY(rg_json_get_object(in, in->root, "counts", &part));
	RG_TRY(rg_json_get_fields(in, part, rg_count_fields, &v.head));
	show_blocks(&v, &blocks);
	const rg_run_page page = rg_run_page_of(v.head.run_url);
	const char *commit = v.head.commit;
	v.gitlab = page.gitlab;
	if (commit)
		v.short_commit = rg_arena_copy(v.arena, commit, strnlen(commit, 10));
	if (commit && page.length)
		v.commit_url = rg_arena_textf(v.arena, "%.*s%s/commit/%s", page.length,
					      v.head.run_url, page.between, commit);
	v.whole = v.head.root && !strcmp(v.head.root, ".");
	show_refresh(&v, in->root);
	const cJSON *item;
	cJSON_ArrayForEach(item, rg_json_member(in->root, "files")) show_file(&v, item);
	v.golden_count = v.refresh ? v.refreshed.updated + v.refreshed.created
				   : v.head.files - v.head.removed;
	v.any_tensors = v.head.tensors > 0;
	v.only_tensors = v.head.tensors && v.head.tensors == v.head.series_rows;
	v.near_zero_text = v.head.near_zero ? "near-zero" : NULL;
	RG_TRY(show_among(&v, in));
	cJSON *made = cJSON_CreateObject();
	rg_build_fields(made, view_fields, &v);
	append_parts(made, root);
	return rg_summary_view_close(out, made);
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

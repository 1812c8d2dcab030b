/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/check.h"

#include "base/cancel.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "compare/align.h"
#include "compare/defects.h"
#include "flow/check_rules.h"
#include "flow/run_folders.h"
#include "flow/settings.h"
#include "place/sides.h"
#include "place/place.h"
#include "worktree/revisions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The merge gate of a project asks this of goldens that a change touches. */

/* --- precision --- */

/* `applies`: the metrics that the check looks at. */
static bool rounds_one(const rg_checks_check *check, const rg_golden *golden, const bool *applies)
{
	rg_checks_limits limits;
	for (size_t i = 0; i < golden->count; i++) {
		if (!applies[i] || golden->metrics[i].precision == RG_PRECISION_NOT_SAID)
			continue;
		rg_checks_resolve(check, golden->metrics[i].name, &limits);
		if (rg_checks_limits_are_exact(&limits) && limits.decimals >= 0)
			return true;
	}
	return false;
}

static rg_error *takes_as_is(bool *out, const rg_checks_check *check, const rg_golden *golden,
			     rg_check_folder *folder, const rg_checks_beside *beside)
{
	bool known = false, any;
	*out = false;
	if (!check->exact)
		return NULL;
	if (check->listed.file)
		RG_TRY(rg_check_folder_has(folder, check->listed.file, &known));
	for (size_t i = 0; i < check->unless_count && !known; i++)
		RG_TRY(rg_check_folder_has(folder, check->unless[i].file, &known));
	if (!known)
		return NULL;
	RG_AUTO_FREE bool *applies = rg_calloc(golden->count + 1, sizeof(*applies));
	RG_TRY(rg_checks_select(check, golden, beside, applies, &any));
	*out = any && rounds_one(check, golden, applies);
	return NULL;
}

/*
 * Does a check of the project take this golden's values as they are, were they marked as being of
 * full precision? That is one without a tolerance that rounds others, that looks at a metric of the
 * golden, and whose file is beside it.
 */
static rg_error *check_wants_precision(bool *out, const rg_checks *checks, const rg_golden *golden,
				       const rg_check_place *place)
{
	RG_AUTO(rg_check_folder) folder = {0};
	rg_checks_beside beside;

	*out = false;
	rg_check_folder_open(&folder, place, &beside);
	for (size_t i = 0; !*out && i < checks->count; i++)
		RG_TRY(takes_as_is(out, &checks->items[i], golden, &folder, &beside));
	return NULL;
}

/* --- values that are not finite --- */

typedef struct {
	const rg_golden *golden;
	rg_buf *path;
	rg_buf *out; /* the first one, and what it is */
	size_t count;
} refusal;

/* Do the path's first `length` bytes name a series? */
static bool is_series_at(const refusal *r, size_t length)
{
	char *end = r->path->data + length, kept = *end;
	*end = '\0';
	const rg_metric *metric = rg_golden_find(r->golden, r->path->data);
	*end = kept;
	return metric && metric->kind == RG_METRIC_SERIES;
}

/* Is the value at the path, in what has a name of `parent` bytes, a series' that was looked at? */
static bool is_known(const refusal *r, size_t parent)
{
	static const char values[] = "/values";
	const size_t tail = sizeof(values) - 1;

	return is_series_at(r, r->path->length) || (parent && is_series_at(r, parent)) ||
	       (parent > tail && !memcmp(r->path->data + parent - tail, values, tail) &&
		is_series_at(r, parent - tail));
}

static bool is_nonfinite(const cJSON *item, double *out)
{
	const char *text = cJSON_GetStringValue(item);
	*out = NAN;
	if (cJSON_IsNumber(item))
		*out = item->valuedouble;
	else if (!text ||
		 (strcmp(text, RG_JSON_NAN) != 0 && !rg_double_parse(text, strlen(text), out)))
		return false;
	return !isfinite(*out);
}

static void look_below(refusal *r, const cJSON *object)
{
	size_t parent = r->path->length, index = 0;
	double value;
	for (const cJSON *item = object->child; item; item = item->next, index++) {
		if (item->string)
			rg_buf_printf(r->path, "%s%s", parent ? "/" : "", item->string);
		else
			rg_buf_printf(r->path, "%s%zu", parent ? "/" : "", index);
		if (!r->path->is_full && item->child)
			look_below(r, item);
		else if (!r->path->is_full && is_nonfinite(item, &value) && !is_known(r, parent) &&
			 !r->count++)
			rg_buf_printf(r->out, "%s: %s", r->path->data,
				      isnan(value) ? "NaN"
				      : value > 0  ? "inf"
						   : "-inf");
		rg_buf_truncate(r->path, parent);
	}
}

static void check_lines_release(rg_check_lines *lines)
{
	free(lines->items);
	rg_arena_release(&lines->arena);
	*lines = (rg_check_lines){0};
}

RG_ORDER(by_text, rg_check_line, RG_BY_TEXT(text) || RG_RISING(rank) || RG_RISING(place));

RG_ORDER(by_rank, rg_check_line, RG_RISING(rank) || RG_RISING(place));

/* Makes one line of those with the same rank and text; by rank, and then as they were added. */
static void check_lines_group(rg_check_lines *lines)
{
	rg_check_line *items = lines->items;
	size_t kept = 0;

	if (!lines->count)
		return;
	qsort(items, lines->count, sizeof(*items), by_text);
	for (size_t i = 1; i < lines->count; i++) {
		if (items[i].rank == items[kept].rank && !strcmp(items[i].text, items[kept].text))
			items[kept].goldens++;
		else
			items[++kept] = items[i];
	}
	lines->count = kept + 1;
	qsort(items, lines->count, sizeof(*items), by_rank);
}

const char *const rg_check_kind_names[RG_CHECK_KINDS] = {
	[RG_CHECK_UNREADABLE] = "unreadable",
	[RG_CHECK_CONTENT] = "contradictory",
	[RG_CHECK_NAN] = "NaN",
	[RG_CHECK_INF] = "inf",
	[RG_CHECK_STEPS] = "broken steps",
	[RG_CHECK_KEYS] = "duplicate keys",
	[RG_CHECK_VALUES] = "not a number",
	[RG_CHECK_PRECISION] = "without full precision",
};

/* A check under way. */
typedef struct {
	const rg_flow *flow;
	const rg_check_options *options;
	rg_policy *policy;
	rg_formats formats;
	rg_checks *checks;
	bool refuses; /* NaN and infinite values of changed goldens, all of them (regild.nonfinite)
		       */
	rg_place place;        /* its folder is "" for files that the user named */
	rg_worktree *worktree; /* of the flow, for the reader; NULL outside of one */
	rg_place_reader reader;
	const char *base;    /* as options->base, without dots */
	const char *base_id; /* of the baselines; "" where there are none */
	rg_buf base_bytes;
	/* The golden under way: as it was named or listed; from the repository's root, NULL
	 * outside, and as the baseline has it; what was read; its baseline, if that has other
	 * bytes; what was found. */
	const char *path, *inner_path, *old_path;
	rg_place_file file; /* where it is read */
	bool gated;         /* what the merge gate asks is asked of it: its bytes changed */
	rg_input in;
	rg_golden *golden, *baseline;
	bool found[RG_CHECK_KINDS];
	rg_check_result *result;
} check_state;

static void check_state_release(check_state *c)
{
	rg_buf_release(&c->base_bytes);
	rg_place_reader_release(&c->reader);
	rg_formats_release(&c->formats);
	rg_checks_free(c->checks);
	rg_policy_free(c->policy);
}

/* Texts are copied. A golden says the same only once. */
static void append_line(check_state *c, rg_check_lines *lines, rg_check_kind kind, const char *text)
{
	const char *inner_path = c->inner_path ? c->inner_path : c->path;
	const rg_check_line line = {.path = rg_arena_text(&lines->arena, c->path),
				    .inner_path = rg_arena_text(&lines->arena, inner_path),
				    .text = rg_arena_text(&lines->arena, text),
				    .goldens = 1,
				    .rank = kind,
				    .place = lines->count};
	*RG_PUSH(lines->items, lines->count, lines->capacity) = line;
}

static rg_check_kind note_kind(check_state *c, const rg_defect *defect)
{
	rg_check_kind kind = RG_CHECK_STEPS;
	if (defect->kind == RG_DEFECT_NONFINITE) {
		c->found[RG_CHECK_NAN] |= defect->nonfinite.nan.steps != 0;
		c->found[RG_CHECK_INF] |= defect->nonfinite.inf.steps ||
					  defect->nonfinite.minus_inf.steps;
		return defect->nonfinite.nan.steps ? RG_CHECK_NAN : RG_CHECK_INF;
	}
	if (defect->kind == RG_DEFECT_DUPLICATE_KEYS)
		kind = RG_CHECK_KEYS;
	else if (defect->kind == RG_DEFECT_NO_VALUE)
		kind = RG_CHECK_VALUES;
	else if (defect->kind == RG_DEFECT_EMPTY ||
		 (defect->kind == RG_DEFECT_NOTE && defect->note->kind == RG_NOTE_WRONG))
		kind = RG_CHECK_CONTENT;
	else if (defect->kind == RG_DEFECT_NOTE)
		kind = RG_CHECK_UNREADABLE;
	c->found[kind] = true;
	return kind;
}

static rg_error *append_defect(void *context, const rg_defect *defect)
{
	check_state *c = context;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_defect_say(&text, defect);
	RG_TRY(rg_buf_check(&text, c->path));
	if (defect->kind == RG_DEFECT_NONE_LEADING || defect->kind == RG_DEFECT_NONE_PERIODIC) {
		c->result->passed++;
		append_line(c, &c->result->passed_lines, 0, text.data);
	} else {
		append_line(c, &c->result->lines, note_kind(c, defect), text.data);
	}
	return NULL;
}

/* Reads the baseline; *is_same: its bytes have not changed. */
static rg_error *read_old_bytes(check_state *c, bool *is_same)
{
	const rg_buf *bytes = &c->base_bytes;
	rg_buf_clear(&c->base_bytes);
	RG_TRY(rg_worktree_file_at(c->flow->worktree, c->base_id, c->old_path, &c->base_bytes));
	*is_same = bytes->length == c->in.size && !memcmp(bytes->data, c->in.data, bytes->length);
	return NULL;
}

static rg_error *read_baseline(check_state *c)
{
	rg_input in = {.name = c->old_path};
	bool is_same;

	RG_TRY(read_old_bytes(c, &is_same));
	if (is_same)
		return NULL;
	in.data = c->base_bytes.data;
	in.size = c->base_bytes.length;
	RG_TRY(rg_error_wrap(rg_golden_read(&c->baseline, &in, &c->formats.options), "%s",
			     c->old_path));
	/* The golden that is checked keeps its steps. */
	return rg_goldens_align(c->golden, c->baseline);
}

/* A baseline that cannot be read says nothing: it is as if there were none. */
static rg_error *find_baseline(void *context, const rg_golden **out)
{
	check_state *c = context;
	*out = NULL;
	if (!*c->base_id || !c->old_path)
		return NULL;
	RG_AUTO_PTR(rg_error) err = read_baseline(c);
	if (!err) {
		*out = c->baseline ? c->baseline : c->golden;
		return NULL;
	}
	if (rg_error_get_code(err) != RG_E_NOTFOUND) {
		rg_log_say(&c->flow->log, RG_LOG_DETAIL, "no baseline: %s", rg_error_message(err));
		c->result->no_baseline++;
	}
	return NULL;
}

/* One that was there before is left as it is: only what changes has to be as the project wants it.
 */
static rg_error *check_precision(check_state *c)
{
	const rg_check_place place = {.worktree = c->worktree,
				      .folder = c->place.folder,
				      .tree = c->options->staged ? ":" : "",
				      .path = c->path};
	bool wanted;

	if (!c->gated)
		return NULL;
	/* An error in a file beside the golden is no finding of the golden. */
	RG_AUTO_PTR(rg_error) err = check_wants_precision(&wanted, c->checks, c->golden, &place);
	if (err)
		rg_log_say(&c->flow->log, RG_LOG_WARNING,
			   "%s: the project's checks cannot be asked: %s", c->path,
			   rg_error_message(err));
	for (size_t i = 0; wanted && i < c->golden->count; i++)
		if (c->golden->metrics[i].precision == RG_PRECISION_MISSING) {
			const char *text = rg_arena_textf(
				&c->result->lines.arena,
				"%s: no \"value_precision\": \"full\", so a check of the project "
				"rounds it; refresh it from a run that writes full precision",
				c->golden->metrics[i].name);
			append_line(c, &c->result->lines, RG_CHECK_PRECISION, text);
			c->found[RG_CHECK_PRECISION] = true;
		}
	return NULL;
}

/* Values of a golden in JSON, numbers or texts, that are NaN or infinite and are in no series:
 * "PATH: NaN (and 2 more)". */
static rg_error *check_refused(check_state *c)
{
	RG_AUTO(rg_buf) path = rg_buf_of(RG_BUF_ANY);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	refusal r = {.golden = c->golden, .path = &path, .out = &text};
	RG_AUTO_PTR(cJSON) root = NULL;

	if (!c->gated || !c->refuses || strcmp(c->golden->format, "json") != 0)
		return NULL;
	RG_TRY(rg_json_parse(&root, c->in.data, c->in.size));
	look_below(&r, root);
	if (r.count > 1)
		rg_buf_printf(&text, " (and %zu more)", r.count - 1);
	RG_TRY(rg_error_first(rg_buf_check(&path, "names"), rg_buf_check(&text, "values")));
	if (text.length) {
		c->found[RG_CHECK_NAN] = true;
		append_line(c, &c->result->lines, RG_CHECK_NAN, text.data);
	}
	return NULL;
}

static rg_error *check_golden(check_state *c)
{
	rg_defect_options options = {.policy = c->policy,
				     .file = c->path,
				     .found = append_defect,
				     .baseline = find_baseline,
				     .context = c};
	bool is_same = false;

	RG_TRY(rg_place_read(&c->reader, &c->file, &c->in));
	/* A pure rename changes nothing. */
	if (c->options->changed && c->old_path && strcmp(c->old_path, c->path) != 0)
		RG_TRY(read_old_bytes(c, &is_same));
	c->gated = c->options->changed && !is_same;
	options.refuse = c->gated && c->refuses;
	RG_TRY(rg_golden_read(&c->golden, &c->in, &c->formats.options));
	for (size_t i = 0; i < c->golden->note_count; i++)
		if (c->golden->notes[i].kind == RG_NOTE_SETTING)
			rg_log_say(&c->flow->log, RG_LOG_WARNING, "%s: %s", c->path,
				   c->golden->notes[i].text);
	rg_error *err = rg_golden_check(c->golden, &options);
	if (!err)
		err = check_refused(c);
	if (!err)
		err = check_precision(c);
	c->result->refused |= options.refuse && (c->found[RG_CHECK_NAN] || c->found[RG_CHECK_INF]);
	rg_golden_free(c->baseline);
	rg_golden_free(c->golden);
	c->golden = c->baseline = NULL;
	return err;
}

/* That a golden cannot be read is a finding too, and the others are still checked. */
static rg_error *check_or_report(check_state *c)
{
	RG_AUTO_PTR(rg_error) err = check_golden(c);
	if (!err)
		return NULL;
	RG_TRY(rg_cancel_check());
	if (c->flow->worktree && c->inner_path &&
	    rg_worktree_is_in_conflict(c->flow->worktree, c->inner_path))
		err = rg_error_wrap(err, RG_UNMERGED);
	RG_AUTO_FREE char *filter = c->flow->worktree && c->inner_path
					    ? rg_worktree_filter(c->flow->worktree, c->inner_path)
					    : NULL;
	if (filter)
		err = rg_error_wrap(err, RG_BEHIND_FILTER, filter);
	c->found[RG_CHECK_UNREADABLE] = true;
	append_line(c, &c->result->lines, RG_CHECK_UNREADABLE, rg_error_message(err));
	return NULL;
}

/* `id`: of the blob that the index has; NULL: the file is read. */
static rg_error *check_file(check_state *c, const char *path, const char *inner_path,
			    const char *old_path, const char *id)
{
	bool found = false;
	RG_TRY(rg_cancel_check());
	c->path = path;
	c->file = (rg_place_file){.path = path, .tree = id ? ":" : NULL, .id = id};
	c->inner_path = inner_path;
	c->old_path = old_path;
	memset(c->found, 0, sizeof(c->found));
	RG_TRY(check_or_report(c));
	for (size_t i = 0; i < RG_CHECK_KINDS; i++) {
		c->result->by_kind[i] += c->found[i];
		found |= c->found[i];
	}
	c->result->files++;
	c->result->found += found;
	return NULL;
}

static rg_error *check_named(check_state *c)
{
	c->place.folder = "";
	for (size_t i = 0; i < c->options->file_count; i++)
		RG_TRY(rg_place_check_name(c->options->files[i]));
	for (size_t i = 0; i < c->options->file_count; i++) {
		const char *path = c->options->files[i];
		char *inner = NULL;

		if (c->flow->worktree)
			RG_TRY(rg_place_inner_path(&inner, c->flow->arena, c->flow->worktree,
						   path));
		RG_TRY(check_file(c, path, inner, inner, NULL));
	}
	return NULL;
}

static rg_error *check_repository(check_state *c)
{
	const char *base = *c->base_id ? c->base_id : c->base;
	c->result->no_commit = c->options->staged && !c->options->base && !*c->base_id;
	const bool is_all = !c->options->changed || c->result->no_commit;
	const rg_change_query query = {.base = is_all ? RG_EMPTY_TREE : base,
				       .staged = c->options->staged,
				       .no_renames = !c->options->changed,
				       .fetch = true,
				       .root = rg_config_get(c->flow->config, "regild.root"),
				       .files = rg_config_get(c->flow->config, "regild.files")};
	RG_AUTO(rg_change_list) list = {0};

	/* Without a baseline a repository without a commit will do. */
	if (!c->flow->worktree || !is_all)
		RG_TRY(rg_flow_need_worktree(c->flow));
	c->place.folder = rg_worktree_root(c->flow->worktree);
	RG_TRY(rg_worktree_changes(c->flow->worktree, &query, &list));
	RG_TRY(*list.to_id ? NULL : rg_run_folders_leave_out(&list, c->flow, NULL));
	RG_TRY(rg_flow_check_root(c->flow, &list));
	for (size_t i = 0; i < list.count; i++)
		if (list.items[i].kind != RG_CHANGE_REMOVED)
			RG_TRY(check_file(c, list.items[i].path, list.items[i].path,
					  list.items[i].old_path ? list.items[i].old_path
								 : list.items[i].path,
					  c->options->staged ? list.items[i].new_id : NULL));
	return NULL;
}

/* Finds where a branch and HEAD parted: what has changed on the branch since is not HEAD's doing.
 * Where that cannot be told, the branch itself. */
static rg_error *find_parting(check_state *c)
{
	char *id = c->result->base_id;
	RG_AUTO_PTR(rg_error) why = rg_worktree_merge_base(c->flow->worktree, c->base, "HEAD", id);
	if (!why)
		return NULL;
	rg_error *err = rg_worktree_resolve(c->flow->worktree, c->base, id);
	if (!err && rg_error_get_code(why) == RG_E_GIT)
		rg_log_say(&c->flow->log, RG_LOG_WARNING,
			   "%s; what differs from '%s' itself is checked", rg_error_message(why),
			   c->base);
	else if (!err)
		rg_log_say(&c->flow->log, RG_LOG_WARNING,
			   "'%s' and HEAD have no common ancestor; what differs from '%s' itself "
			   "is checked",
			   c->base, c->base);
	return err;
}

static rg_error *check_all(check_state *c)
{
	RG_TRY(rg_policy_load(&c->policy, c->flow->config));
	RG_TRY(rg_checks_load(&c->checks, c->flow->config));
	RG_TRY(rg_formats_load(&c->formats, c->flow, NULL));
	c->refuses = c->options->changed && rg_columns_of(c->flow->config).refuses;
	/* Outside a repository, and before its first commit, nothing has been there before; where
	 * git cannot be asked for another reason, that is said. */
	const char *base = c->options->changed ? c->options->base : NULL;
	const char *before = rg_side_before_dots(c->flow->arena, base);

	c->base = before ? before : base;
	RG_AUTO_PTR(rg_error)
	why = !c->flow->worktree ? rg_flow_need_worktree(c->flow)
	      : base             ? find_parting(c)
		     : rg_worktree_resolve(c->flow->worktree, "HEAD", c->result->base_id);
	if (why)
		*c->result->base_id = '\0';
	if (why && rg_error_get_code(why) != RG_E_NOTFOUND)
		rg_log_say(&c->flow->log, RG_LOG_WARNING, "no baselines: %s",
			   rg_error_message(why));
	return c->options->file_count ? check_named(c) : check_repository(c);
}

rg_error *rg_check(rg_check_result *out, const rg_flow *flow, const rg_check_options *options)
{
	RG_AUTO(check_state) c = {.flow = flow, .options = options, .result = out};
	size_t max;

	*out = (rg_check_result){0};
	RG_TRY(rg_config_golden_max(flow->config, &max));
	c.worktree = flow->worktree;
	c.base_id = out->base_id;
	rg_place_reader_init(&c.reader, &c.worktree, max);
	c.reader.place = &c.place;
	rg_buf_init(&c.base_bytes, max);
	rg_error *err = check_all(&c);
	if (!options->each)
		check_lines_group(&out->lines);
	check_lines_group(&out->passed_lines);
	return err;
}

void rg_check_result_release(rg_check_result *result)
{
	check_lines_release(&result->lines);
	check_lines_release(&result->passed_lines);
}

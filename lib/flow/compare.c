/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/settings.h"
#include "base/memory.h"
#include "flow/compare.h"

#include "worktree/revisions.h"
#include "worktree/range_trailer.h"

#include "base/cancel.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/pattern.h"
#include "flow/new_runs.h"
#include "flow/pairs.h"
#include "flow/side_pairs.h"
#include "place/place.h"
#include "source/repository.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Would the comparison have a row for the series, had it changed? */
static bool takes_series(const void *taker, const char *file, const char *metric)
{
	const rg_compare_rules *rules = taker;
	return !rg_filter_is_of_checks(&rules->filter) &&
	       rg_filter_takes_file(&rules->filter, file, &rules->columns) &&
	       rg_filter_takes_metric(&rules->filter, metric);
}

static rg_error *load_model(rg_compare_rules *rules, const rg_flow *flow,
			    const rg_compare_options *options)
{
	const rg_noise_options *noise = &options->noise;
	double level = noise->level.given ? noise->level.value : RG_VERDICT_LEVEL;
	if (!(level > 0 && level <= 1))
		return rg_error_new(RG_E_USAGE, "--noise-level: %g is not over 0 and at most 1",
				    level);
	RG_TRY(rg_flow_open_noise(&rules->noise, &rules->noise_name, flow, noise,
				  options->repository));
	rules->judged = rules->noise_name;
	if (!rules->judged &&
	    (noise->level.given || noise->runs.count || noise->last.given || noise->branch))
		return rg_error_new(RG_E_USAGE, "%s: there is no noise model; give --noise",
				    noise->level.given  ? "--noise-level"
				    : noise->runs.count ? "--noise-runs"
				    : noise->last.given ? "--noise-last"
							: "--noise-branch");
	rules->judge = (rg_noise_judge_context){&rules->noise, level, takes_series, rules};
	return NULL;
}

rg_error *rg_compare_prepare(rg_compare_rules *rules, const rg_flow *flow,
			     const rg_compare_options *options)
{
	*rules = (rg_compare_rules){
		.filter = {(const char *const *)options->filters.items, options->filters.count},
		.columns = rg_columns_of(flow->config)};
	rules->want_curves = options->want_curves;
	rules->want_differences = options->want_differences;
	rules->opaque = options->opaque;
	rg_gate_init(&rules->gate);
	RG_TRY(rg_flow_find_sides(&rules->sides, flow, &options->sides));
	RG_TRY(rg_new_runs_prepare(rules, flow, options));
	rules->gate.allow_lost = options->allow_lost;
	rules->gate.allow_no_figure = options->allow_no_figure;
	for (size_t i = 0; i < options->limits.count; i++)
		RG_TRY(rg_error_wrap(rg_gate_add(&rules->gate, options->limits.items[i]),
				     "--fail-above"));
	for (size_t i = 0; i < options->conditions.count; i++)
		RG_TRY(rg_error_wrap(
			rg_gate_add_conditions(&rules->gate, options->conditions.items[i]),
			"--fail-on"));
	RG_TRY(rg_policy_load(&rules->policy, flow->config));
	/* A gate that names no check of the project would hold nothing. */
	rules->worktree = flow->worktree;
	RG_TRY(rg_checks_load(&rules->checks, flow->config));
	RG_TRY(rg_error_wrap(rg_gate_find_checks(&rules->gate, rules->checks), "--fail-on"));
	RG_TRY(rg_filter_check(&rules->filter, rules->checks));
	RG_TRY(rg_formats_load(&rules->formats, flow, &options->formats));
	rules->old_options = rules->new_options = rules->formats.options;
	rules->old_options.part = options->old_part;
	rules->new_options.part = options->new_part;
	return load_model(rules, flow, options);
}

rg_error *rg_compare_look_at(void *rules, rg_comparison *comparison, const rg_golden *old,
			     const rg_golden *fresh)
{
	rg_compare_rules *r = rules;
	const rg_check_place place = {
		.folder = rg_worktree_root(r->worktree),
		.tree = "",
		.path = comparison->files[comparison->file_count - 1].file,
	};

	return rg_pairs_look_at(r, &r->curves, comparison, old, fresh, &place);
}

void rg_compare_rules_release(rg_compare_rules *rules)
{
	rg_worst_curves_release(&rules->curves);
	rg_noise_model_release(&rules->noise);
	rg_formats_release(&rules->formats);
	rg_checks_free(rules->checks);
	rg_policy_free(rules->policy);
	rg_gate_release(&rules->gate);
	rg_new_runs_forget(rules);
	rg_sides_release(&rules->sides);
}

/* --- limits and conditions that hold nothing --- */

/* Goldens are searched for this: a metric, or one of RG_HAS_…. */
typedef struct {
	const char *pattern; /* NULL: by `traits` */
	unsigned traits;
	const rg_policy *policy;
} wanted;

/* A golden that cannot be read has nothing. */
static bool has_wanted(const rg_input *in, const rg_golden_options *options, const wanted *what)
{
	RG_AUTO_PTR(rg_golden) golden = NULL;
	RG_AUTO_PTR(rg_error) err = rg_golden_read(&golden, in, options);
	bool found = !err && !what->pattern &&
		     rg_condition_traits(golden, what->policy, in->name) & what->traits;

	for (size_t i = 0; !err && what->pattern && i < golden->count && !found; i++)
		found = rg_glob_match(what->pattern, golden->metrics[i].name, RG_GLOB_ANY_SLASH);
	return found;
}

/* Does a golden of the new side have it, or of the old one if the new one is not in git? */
static rg_error *is_known(const rg_flow *flow, const rg_compare_rules *rules, const wanted *what,
			  bool *found)
{
	const rg_sides *sides = &rules->sides;
	const bool fresh = rg_side_is_in_git(&sides->fresh);
	const rg_change_query query =
		rg_side_query(fresh ? &sides->fresh : &sides->old, flow->config);

	if (!fresh && !rg_side_is_in_git(&sides->old))
		return NULL;
	RG_AUTO(rg_place) place;
	rg_place_init(&place);
	RG_TRY(rg_place_list_git(&place, flow->worktree, &query, NULL, 0));
	rg_worktree *worktree = flow->worktree;
	size_t max;

	RG_TRY(rg_config_golden_max(flow->config, &max));
	RG_AUTO(rg_place_reader) reader = {0};
	rg_place_reader_init(&reader, &worktree, max);
	reader.place = &place;
	RG_TRY(rg_cancel_check());
	for (size_t i = 0; i < place.count && !*found; i++) {
		rg_input in;
		RG_AUTO_PTR(rg_error) unread = rg_place_read(&reader, &place.items[i], &in);

		*found = !unread &&
			 has_wanted(&in, fresh ? &rules->new_options : &rules->old_options, what);
		RG_TRY(rg_cancel_check());
	}
	return NULL;
}

static const char *nearest_metric(const char *pattern, const rg_comparison *c)
{
	rg_nearest nearest;
	rg_nearest_init(&nearest, pattern);
	for (size_t i = 0; i < c->row_count; i++)
		if (c->rows[i].kind == RG_ROW_SERIES)
			rg_nearest_offer(&nearest, c->rows[i].metric);
	return rg_nearest_name(&nearest);
}

/* Only changed goldens were compared, so the others are searched. */
static rg_error *find_idle(rg_compare_result *out, const rg_flow *flow,
			   const rg_compare_options *options, const rg_compare_rules *rules)
{
	const rg_gate *gate = &rules->gate;
	if (options->allow_idle)
		return NULL;
	out->idle = rg_calloc(gate->count + gate->condition_count + 1, sizeof(*out->idle));
	for (size_t i = 0; i < gate->count; i++) {
		rg_idle_limit idle = {.pattern = gate->limits[i].pattern};
		if (gate->limits[i].matched)
			continue;
		idle.known = !idle.pattern;
		if (idle.pattern)
			RG_TRY(is_known(flow, rules, &(wanted){.pattern = idle.pattern},
					&idle.known));
		if (!idle.known)
			idle.meant = nearest_metric(idle.pattern, &out->comparison);
		if (!idle.known || out->comparison.compared)
			out->idle[out->idle_count++] = idle;
	}
	const rg_comparison *c = &out->comparison;
	unsigned has = rules->judged ? RG_HAS_NOISE_MODEL : 0;

	for (size_t i = 0; i < c->file_count; i++)
		has |= c->files[i].has;
	for (size_t i = 0; i < rules->gate.condition_count; i++) {
		const rg_asked_condition *asked = &rules->gate.conditions[i];
		const unsigned needs = asked->condition->needs;
		bool known = !needs || has & needs;
		if (!known && needs != RG_HAS_NOISE_MODEL)
			RG_TRY(is_known(flow, rules,
					&(wanted){.traits = needs, .policy = rules->policy},
					&known));
		if (!known)
			out->idle[out->idle_count++] = (rg_idle_limit){.asked = asked};
	}
	return NULL;
}

/* --- the comparison --- */

/* A run that was measured itself is in the range in any case. */
static void warn_of_own_run(const rg_flow *flow, const rg_noise_model *model, uint64_t run_id)
{
	char id[32];
	snprintf(id, sizeof(id), "%llu", (unsigned long long)run_id);
	for (size_t i = 0; run_id && i < model->run_count; i++)
		if (!strcmp(model->runs[i].id, id))
			rg_log_say(&flow->log, RG_LOG_WARNING,
				   "the noise model holds run %s itself, which is in its range in "
				   "any case; audit the runs before it",
				   id);
}

/* A commit of those that are compared may say that many goldens change on purpose. */
static rg_error *allow_bulk(const rg_flow *flow, rg_compare_rules *rules)
{
	const rg_sides *sides = &rules->sides;
	const rg_gate *gate = &rules->gate;
	char commit[41];
	size_t i = 0;

	while (i < gate->condition_count && gate->conditions[i].condition->kind != RG_BREACH_BULK)
		i++;
	if (i == gate->condition_count || sides->old.kind != RG_SIDE_REVISION || !flow->worktree)
		return NULL;
	RG_TRY(rg_worktree_range_says(flow->worktree, sides->old.text,
				      sides->fresh.kind == RG_SIDE_REVISION ? sides->fresh.text
									    : NULL,
				      "Regild-Bulk", "yes", commit));
	rules->gate.allow_bulk = *commit;
	if (*commit)
		rg_log_say(
			&flow->log, RG_LOG_INFO,
			"commit %.10s says Regild-Bulk: yes, so any number of goldens may change",
			commit);
	return NULL;
}

static char *link_side(const rg_flow *flow, const rg_repository *origin, const rg_side_name *side)
{
	char commit[41];

	if (side->kind != RG_SIDE_REVISION)
		return NULL;
	RG_AUTO_PTR(rg_error) err = rg_worktree_resolve(flow->worktree, side->text, commit);
	if (err) /* a tree is not a commit's */
		return NULL;
	return rg_textf("http%s://%s/%s%s/blob/%s/", origin->http ? "" : "s", origin->host,
			origin->path, origin->kind == RG_SOURCE_GITLAB ? "/-" : "", commit);
}

/* A merge base is the old side under another name, so it has no address. */
static rg_error *link_sides(rg_compare_result *out, const rg_flow *flow, const rg_sides *sides)
{
	RG_AUTO(rg_repository) origin = {0};
	RG_AUTO_FREE char *url = NULL;
	bool known = false;

	if (!flow->worktree)
		return NULL;
	RG_TRY(rg_worktree_remote_url(flow->worktree, "origin", &url));
	if (url)
		rg_repository_from_remote(&origin, url, RG_SOURCE_ANY, &known);
	if (known && !sides->merge_base)
		out->old_url = link_side(flow, &origin, &sides->old);
	if (known)
		out->new_url = link_side(flow, &origin, &sides->fresh);
	return NULL;
}

/* The commit of a name that can move; NULL: the name cannot. */
static const char *commit_of(const rg_flow *flow, const rg_side_name *side)
{
	enum { LEAST = 7 }; /* hexadecimal digits of a commit's name */
	char commit[41];

	if (side->kind != RG_SIDE_REVISION || strspn(side->text, "0123456789abcdefABCDEF") >= LEAST)
		return NULL;
	RG_AUTO_PTR(rg_error) err = rg_worktree_resolve(flow->worktree, side->text, commit);
	return err ? NULL : rg_arena_text(flow->arena, commit); /* a tree is not a commit */
}

static void name_commits(rg_compare_result *out, const rg_flow *flow, const rg_sides *sides)
{
	char base[41];

	if (!flow->worktree)
		return;
	out->new_commit = commit_of(flow, &sides->fresh);
	if (!sides->merge_base) {
		out->old_commit = commit_of(flow, &sides->old);
		return;
	}
	RG_AUTO_PTR(rg_error)
	err = rg_worktree_merge_base(
		flow->worktree, sides->old.text,
		sides->fresh.kind == RG_SIDE_REVISION ? sides->fresh.text : "HEAD", base);
	if (!err)
		out->old_side = rg_arena_textf(flow->arena, "the merge base %.7s of %s", base,
					       sides->old.text);
}

rg_error *rg_compare_run(rg_compare_result *out, const rg_flow *flow,
			 const rg_compare_options *options, rg_compare_rules *rules)
{
	*out = (rg_compare_result){0};
	rg_manifest_init(&out->manifest);
	rg_comparison_init(&out->comparison);
	if (rules->filter.count) {
		RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
		rg_filter_say(&text, &rules->filter);
		out->filter = rg_arena_text(flow->arena, text.data);
	}
	out->only_review = rg_filter_is_of_review(&rules->filter);
	out->old_side = rules->sides.old.label;
	out->new_side = rules->sides.fresh.label;
	name_commits(out, flow, &rules->sides);
	out->run_id = options->run_id;
	out->by_checks = rg_filter_is_of_checks(&rules->filter);
	out->comparison.checks = rules->checks;
	RG_TRY(link_sides(out, flow, &rules->sides));
	RG_TRY(rg_pairs_compare(out, flow, options, rules));
	RG_TRY(rg_new_runs_compare(out, flow, options, rules));
	if (rules->judged) {
		const rg_new_runs *runs = &out->new_runs;
		rg_noise_judge_context judge = rules->judge;
		if (rules->sides.kind == RG_SIDES_PATHS &&
		    rules->sides.fresh.kind == RG_SIDE_PATH &&
		    !rg_is_folder(rules->sides.fresh.text))
			judge.takes = NULL; /* two files are all there is */
		judge.taker = rules;
		RG_TRY(rg_noise_judge_run(&out->comparison, &judge));
		if (!runs->runs)
			warn_of_own_run(flow, &rules->noise, out->run_id);
		for (size_t i = 0; i < runs->runs; i++)
			warn_of_own_run(flow, &rules->noise, runs->ids[i]);
	}
	RG_TRY(allow_bulk(flow, rules));
	rg_gate_evaluate(&rules->gate, &out->comparison, &out->breaches);
	rg_gate_groups_make(&out->groups, &out->breaches, &out->comparison);
	out->gated = rules->gate.count || rules->gate.condition_count || out->breaches.looked_at;
	return find_idle(out, flow, options, rules);
}

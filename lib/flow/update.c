/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/update.h"

#include "base/memory.h"
#include "archive/select.h"
#include "flow/undo.h"
#include "flow/settings.h"
#include "source/rule.h"
#include "update/plan_make.h"
#include "worktree/index.h"
#include "worktree/revisions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- the plan --- */

rg_error *rg_update_check(const rg_update_options *options, unsigned *allowed)
{
	*allowed = 0;
	for (size_t i = 0; i < options->allow.count; i++) {
		unsigned guard = rg_guard_parse(options->allow.items[i]);
		if (!guard && strcmp(options->allow.items[i], RG_ALLOW_NO_MATCH) != 0 &&
		    strcmp(options->allow.items[i], RG_ALLOW_NO_FIGURE) != 0)
			return rg_error_new(RG_E_USAGE,
					    "--allow: '%s' is not one of nonfinite, shrink, empty, "
					    "dirty, fork, opaque, rejected, no-match, "
					    "no-figure",
					    options->allow.items[i]);
		*allowed |= guard;
	}
	return NULL;
}

static rg_plan_names names_of(const rg_texts *texts)
{
	return (rg_plan_names){texts->items, texts->count};
}

void rg_update_init(rg_update *update)
{
	*update = (rg_update){0};
	rg_refresh_init(&update->refresh);
	rg_manifest_init(&update->loaded);
	rg_plan_init(&update->plan);
}

rg_error *rg_update_make_plan(rg_update *out, const rg_flow *flow, const rg_update_options *options,
			      const char *folder)
{
	rg_plan_options *o = &out->plan_options;
	out->options = options;
	out->folder = folder;
	RG_TRY(rg_flow_open_journal(&out->journal, flow, !options->dry_run));
	*o = (rg_plan_options){.root = rg_config_get(flow->config, "regild.root"),
			       .names = rg_config_get(flow->config, "names.test"),
			       .files = rg_config_goldens(flow->config),
			       .variants = rg_config_variants(flow->config),
			       .worktree = flow->worktree,
			       .stage = options->stage,
			       .only = names_of(&options->only),
			       .except = names_of(&options->except),
			       .metrics = names_of(&options->metrics),
			       .compared = options->compared,
			       .compared_context = options->compared_context};
	RG_TRY(rg_update_check(options, &o->allowed));
	o->policy = out->options->policy;
	o->formats = out->options->formats;
	if (!o->policy) {
		RG_TRY(rg_policy_load(&out->policy, flow->config));
		o->policy = out->policy;
	}
	if (!o->formats) {
		RG_TRY(rg_formats_load(&out->formats, flow, NULL));
		o->formats = &out->formats.options;
	}
	out->manifest = options->manifest ? options->manifest : &out->loaded;
	if (!options->manifest) {
		RG_AUTO_PTR(rg_error) err = rg_manifest_load(&out->loaded, folder);
		if (err && rg_error_errno(err) == ENOENT)
			return rg_error_new(
				RG_E_NOTFOUND,
				"%s: nothing is staged there; 'regild download' does it", folder);
		RG_TRY(RG_TAKE(err));
	}
	RG_TRY(rg_plan_make(&out->plan, out->manifest, folder, out->journal, o));
	rg_ratchet ratchet = {options->only_better, options->tighten, 0};
	rg_error *err = rg_plan_ratchet(&out->plan, &ratchet);
	out->not_better = ratchet.left_out;
	return err;
}

void rg_update_release(rg_update *update)
{
	for (size_t i = 0; i < update->missed_count; i++)
		rg_error_free(update->missed[i]);
	rg_siblings_release(&update->siblings);
	rg_siblings_release(&update->gone);
	free(update->hidden.items);
	free(update->paths.items);
	rg_refresh_release(&update->refresh);
	rg_plan_release(&update->plan);
	rg_formats_release(&update->formats);
	rg_policy_free(update->policy);
	rg_manifest_release(&update->loaded);
	rg_journal_close(update->journal);
}

/* --- what became of it --- */

static void append_text(rg_texts *list, const char *text)
{
	*RG_PUSH(list->items, list->count, list->capacity) = text;
}

static void append_item(rg_refresh *out, const rg_plan_item *item)
{
	rg_refresh_outcome outcome = item->change == RG_PLAN_UNCHANGED ? RG_REFRESH_UNCHANGED
				     : item->left_out                  ? RG_REFRESH_LEFT_OUT
				     : item->held                      ? RG_REFRESH_HELD
				     : item->change == RG_PLAN_NEW     ? RG_REFRESH_NEW
								       : RG_REFRESH_UPDATED;
	RG_AUTO(rg_buf) why = rg_buf_of(RG_BUF_ANY);

	if (outcome == RG_REFRESH_HELD) {
		/* The first reason that holds the golden back, and how many more there are. */
		size_t more = 0;
		for (size_t i = 0; i < item->findings.count; i++) {
			if (!(item->findings.items[i].guard & item->held))
				continue;
			if (why.length)
				more++;
			else
				rg_finding_add_text(&why, &item->findings.items[i]);
		}
		if (more)
			rg_buf_printf(&why, "; and %zu more", more);
	} else if (outcome == RG_REFRESH_UNCHANGED && item->variant)
		rg_buf_printf(&why, "%s its variant '%s'",
			      item->variant_differs ? "the run differs in nothing to look at from"
						    : "the run has",
			      item->variant);
	rg_refresh_add(out, outcome, item->golden->target, why.length ? why.data : NULL);
}

/* Adds what did not come: an artifact's job, as nobody has seen the goldens in it. */
static void append_missing(rg_refresh *out, const char *name, rg_outcome outcome,
			   const char *reason)
{
	RG_AUTO_FREE char *why = rg_textf("%s%s%s", rg_outcome_text(outcome), reason ? ": " : "",
					  reason ? reason : "");
	rg_refresh_add(out, RG_REFRESH_MISSING, name, why);
}

static void tally(rg_update *u)
{
	for (size_t i = 0; i < u->plan.count; i++) {
		const rg_plan_item *item = &u->plan.items[i];
		append_item(&u->refresh, item);
		if (rg_plan_item_is_taken(item))
			append_text(&u->paths, item->golden->target);
	}
	for (size_t i = 0; i < u->manifest->artifact_count; i++) {
		const rg_manifest_artifact *artifact = &u->manifest->artifacts[i];
		const rg_manifest_job *job = rg_manifest_find_job(u->manifest, artifact->job_id);

		if (rg_outcome_is_missing(artifact->outcome))
			append_missing(&u->refresh, job ? job->name : artifact->name,
				       artifact->outcome, artifact->why);
	}
	for (size_t i = 0; i < u->manifest->job_count; i++)
		if (rg_manifest_is_unread(u->manifest, &u->manifest->jobs[i]))
			append_missing(&u->refresh, u->manifest->jobs[i].name,
				       u->manifest->jobs[i].outcome, u->manifest->jobs[i].why);
}

/* --- applying it --- */

static void note_missed(rg_update *u, rg_error *err)
{
	if (err)
		u->missed[u->missed_count++] = err;
}

/* The manifest keeps what --allow let into the tree. */
static rg_error *record_allowed(rg_update *u)
{
	bool any = false;
	for (size_t i = 0; i < u->plan.count; i++) {
		const rg_plan_item *item = &u->plan.items[i];
		if (!rg_plan_item_is_taken(item) || !item->allowed)
			continue;
		u->manifest->goldens[i].allowed =
			rg_guard_names(&u->manifest->arena, item->allowed);
		any = true;
	}
	return any ? rg_manifest_save(u->manifest, u->folder) : NULL;
}

/* A new golden that git ignores would be in no commit, and nobody would see it. */
static rg_error *find_hidden(rg_update *u, const rg_flow *flow)
{
	RG_AUTO_PTR(rg_index) index = NULL;

	if (!u->refresh.counts[RG_REFRESH_NEW])
		return NULL;
	RG_TRY(rg_index_open(&index, flow->worktree));
	for (size_t i = 0; i < u->paths.count; i++) {
		bool hides;
		RG_TRY(rg_index_hides(index, flow->worktree, u->paths.items[i], &hides));
		if (hides)
			append_text(&u->hidden, u->paths.items[i]);
	}
	return NULL;
}

/* Squashed and rebased branches are ordinary: a run of a commit that is gone counts, and is named.
 */
static rg_error *place_commit(rg_update *u, const rg_flow *flow)
{
	static const char *const notes[] = {
		[RG_IN_HISTORY] = NULL,
		[RG_NOT_IN_HISTORY] = "is not in HEAD's history",
		[RG_HISTORY_NOT_KNOWN] =
			"is not known to be in HEAD's history: this clone is shallow",
	};
	rg_ancestry ancestry;

	if (!u->manifest->head_commit)
		return NULL;
	RG_TRY(rg_worktree_ancestry(flow->worktree, u->manifest->head_commit, &ancestry));
	u->commit_note = notes[ancestry];
	return NULL;
}

/* Is every part of the run there that a golden could be in? */
static bool is_whole(const rg_manifest *manifest)
{
	for (size_t i = 0; i < manifest->job_count; i++)
		if (rg_outcome_is_missing(manifest->jobs[i].outcome) ||
		    manifest->jobs[i].outcome == RG_OUTCOME_SKIPPED_UNFINISHED)
			return false;
	for (size_t i = 0; i < manifest->artifact_count; i++)
		if (rg_outcome_is_missing(manifest->artifacts[i].outcome))
			return false;
	return !manifest->only_failing && !manifest->job;
}

/* Looks at what is beside the run's goldens: after they are in the tree, unless it is a dry run. */
static rg_error *look_beside(rg_update *u, const rg_flow *flow)
{
	RG_AUTO(rg_rules) rules = {0};
	const bool whole = is_whole(u->manifest);

	RG_TRY(rg_rules_load(&rules, flow->config, RG_SELECT_DEPTH_MAX));
	if (whole) {
		RG_TRY(rg_siblings_gone(&u->gone, &u->plan, &rules));
		for (size_t i = 0; i < u->gone.count; i++)
			rg_refresh_add(&u->refresh, RG_REFRESH_GONE, u->gone.paths[i], NULL);
	}
	return u->options->dry_run
		       ? NULL
		       : rg_siblings_find(&u->siblings, &u->plan, whole ? &rules : NULL);
}

static rg_error *apply(rg_update *u, const rg_flow *flow)
{
	const unsigned long long id = u->manifest->run_id;
	const char *from;

	tally(u);
	RG_TRY(place_commit(u, flow));
	if (u->options->dry_run)
		return look_beside(u, flow);
	rg_manifest_from(u->manifest, &from);
	RG_AUTO(rg_record) record = {0};
	rg_record_init(&record);
	if (id && u->manifest->take)
		record.about = rg_arena_textf(&record.arena, "run %llu, one of %zu", id,
					      u->manifest->among.count);
	else if (id)
		record.about = rg_arena_textf(&record.arena, "run %llu", id);
	else if (from)
		record.about = rg_arena_textf(&record.arena, "from %s", from);
	rg_error *err = rg_plan_apply(&u->plan, u->journal, &record);
	u->changed = !err && record.count;
	RG_TRY(err);
	note_missed(u, record_allowed(u));
	if (u->options->stage) {
		err = rg_worktree_stage(flow->worktree, u->paths.items, u->paths.count);
		u->staged = !err;
		note_missed(u, rg_error_wrap(err, "nothing is staged; use 'git add'"));
	}
	note_missed(u, find_hidden(u, flow));
	note_missed(u, look_beside(u, flow));
	return NULL;
}

rg_error *rg_update_apply(rg_update *update, const rg_flow *flow)
{
	rg_error *err = apply(update, flow);
	rg_journal_close(update->journal);
	update->journal = NULL;
	return err;
}

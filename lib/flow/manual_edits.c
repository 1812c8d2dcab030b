/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/manual_edits.h"

#include "base/memory.h"
#include "flow/undo.h"
#include "report/commit_message.h"
#include "update/update_log.h"
#include "worktree/file_commits.h"

#include <stdlib.h>

typedef struct {
	rg_manual_edits *out;
	const rg_flow *flow;
	rg_update_log updates;
	rg_journal *journal;
	bool of_commits; /* those since `base`, too */
} search_state;

static void search_state_release(search_state *s)
{
	rg_update_log_release(&s->updates);
	rg_journal_close(s->journal);
}

/* Looks at the newest commit only: earlier ones do not matter. */
static rg_error *names_run(void *context, const rg_file_commit *commit, bool *stop)
{
	bool *named = context;
	const char *run;
	RG_AUTO(rg_arena) arena = {0};

	RG_TRY(rg_trailer_find(&arena, commit->message, RG_TRAILER_RUN, 16, &run));
	*named = run != NULL;
	*stop = true;
	return NULL;
}

static rg_error *is_manual_edit(search_state *s, const rg_change *change, bool *out)
{
	bool uncommitted, ours = false, named = true, cut = false;
	rg_error *err = rg_worktree_is_changed(s->flow->worktree, change->path, &uncommitted);

	if (err && rg_error_get_code(err) == RG_E_NOTFOUND) { /* HEAD does not have it */
		rg_error_free(err);
		err = NULL;
		uncommitted = true;
	}
	rg_side side;
	if (!err && uncommitted) {
		err = rg_journal_look(s->journal, change->path, &side);
		ours = !err && side.exists &&
		       rg_update_log_wrote(&s->updates, change->path, side.sha256);
	} else if (!err && s->of_commits) {
		err = rg_worktree_file_commits(s->flow->worktree, change->path, names_run, &named,
					       &cut);
	}
	s->out->unseen += !err && cut;
	*out = !err && (uncommitted ? !ours : !named);
	return err;
}

rg_error *rg_manual_edits_find(rg_manual_edits *out, const rg_flow *flow, const char *base,
			       bool staged)
{
	const rg_change_query query = {.base = base,
				       .staged = staged,
				       .root = rg_config_get(flow->config, "regild.root"),
				       .files = rg_config_goldens(flow->config)};
	RG_AUTO(rg_change_list) changes = {0};
	RG_AUTO(search_state) s = {.out = out, .flow = flow, .of_commits = base != NULL};

	*out = (rg_manual_edits){0};
	rg_arena_init(&out->arena);
	RG_TRY(rg_worktree_changes(flow->worktree, &query, &changes));
	RG_TRY(rg_flow_open_journal(&s.journal, flow, false));
	RG_TRY(rg_update_log_read(&s.updates, s.journal));
	for (size_t i = 0; i < changes.count; i++) {
		bool edited = false;
		if (changes.items[i].kind == RG_CHANGE_REMOVED)
			continue;
		if (i >= RG_BY_HAND_MAX) {
			out->unknown++;
			continue;
		}
		RG_TRY(is_manual_edit(&s, &changes.items[i], &edited));
		if (edited)
			*RG_PUSH(out->paths.items, out->paths.count, out->paths.capacity) =
				rg_arena_text(&out->arena, changes.items[i].path);
	}
	return NULL;
}

void rg_manual_edits_release(rg_manual_edits *out)
{
	free(out->paths.items);
	rg_arena_release(&out->arena);
}

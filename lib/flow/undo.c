/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/undo.h"

#include "base/number.h"
#include "update/reset.h"
#include "update/update_log.h"

#include <stdio.h>
#include <string.h>

static rg_error *open_journal(rg_journal **out, const rg_flow *flow)
{
	return rg_journal_open(out, rg_worktree_root(flow->worktree),
			       rg_worktree_git_dir(flow->worktree), &flow->log);
}

static rg_error *refuse_pending(rg_journal *journal)
{
	bool pending;
	RG_TRY(rg_journal_pending(journal, &pending, NULL));
	if (!pending)
		return NULL;
	return rg_error_new(RG_E_CONFLICT, "an update was interrupted; 'regild update --continue' "
					   "finishes it, 'regild update --abort' takes it back");
}

rg_error *rg_flow_refuse_pending(const rg_flow *flow)
{
	RG_AUTO_PTR(rg_journal) journal = NULL;
	RG_TRY(open_journal(&journal, flow));
	return refuse_pending(journal);
}

rg_error *rg_flow_warn_pending(const rg_flow *flow)
{
	RG_AUTO_PTR(rg_journal) journal = NULL;
	size_t entries = 0;
	char files[64] = "";
	bool pending;

	RG_TRY(open_journal(&journal, flow));
	RG_TRY(rg_journal_pending(journal, &pending, &entries));
	/* 0: its record cannot be read, which --continue and --abort will say. */
	if (entries)
		snprintf(files, sizeof(files), " of %zu file%s", entries, rg_plural(entries));
	if (pending)
		rg_log_say(&flow->log, RG_LOG_MISSING,
			   "an update%s was interrupted; 'regild update --continue' finishes it, "
			   "'regild update --abort' takes it back",
			   files);
	return NULL;
}

rg_error *rg_flow_open_journal(rg_journal **out, const rg_flow *flow, bool lock)
{
	RG_AUTO_PTR(rg_journal) journal = NULL;
	*out = NULL;
	if (!lock)
		RG_TRY(rg_flow_warn_pending(flow));
	RG_TRY(open_journal(&journal, flow));
	if (lock) {
		RG_TRY(rg_journal_lock(journal));
		RG_TRY(refuse_pending(journal));
	}
	*out = RG_TAKE(journal);
	return NULL;
}

/* The index follows what has been finished in the tree. */
static rg_error *continue_in_index(const rg_flow *flow, rg_journal *journal, const rg_record *done)
{
	size_t count;

	if (done->kind == RG_RECORD_RESET)
		return rg_reset_index(flow->worktree, done);
	if (done->kind != RG_RECORD_UNDO || !rg_record_touches_index(done))
		return NULL;
	RG_AUTO(rg_record) undone = {0};
	rg_record_init(&undone);
	RG_TRY(rg_journal_load(journal, done->of, &undone));
	return rg_undo_index(flow->worktree, &undone, done, &count);
}

rg_error *rg_flow_settle_pending(const rg_flow *flow, bool finish, rg_record *done,
				 rg_error **missed)
{
	RG_AUTO_PTR(rg_journal) journal = NULL;
	*missed = NULL;
	RG_TRY(open_journal(&journal, flow));
	RG_TRY(rg_journal_lock(journal));
	RG_TRY(finish ? rg_journal_continue(journal, done) : rg_journal_abort(journal, done));
	if (finish)
		*missed = continue_in_index(flow, journal, done);
	return NULL;
}

static rg_error *pick(const rg_update_log *update_log, const char *text, const rg_record **out)
{
	uint64_t id;
	*out = rg_update_log_latest(update_log);
	if (!text)
		return *out ? NULL
			    : rg_error_new(RG_E_NOTFOUND,
					   "there is nothing to undo in this working tree");
	if (!rg_uint64_parse(text, strlen(text), &id))
		return rg_error_new(RG_E_USAGE,
				    "'%s' is not an id; 'regild undo --list' shows them", text);
	for (size_t i = 0; i < update_log->count; i++) {
		if (update_log->records[i].id != id)
			continue;
		*out = &update_log->records[i];
		return update_log->undone[i]
			       ? rg_error_new(RG_E_CONFLICT, "%s %llu is undone already",
					      rg_record_kind_text((*out)->kind),
					      (unsigned long long)id)
			       : NULL;
	}
	return rg_error_new(RG_E_NOTFOUND,
			    "update %llu is not kept; 'regild undo --list' shows those that are",
			    (unsigned long long)id);
}

/* A golden that is still staged does not go with the files, and a commit would take it. The undo is
 * done: an index that cannot be read is not a failure of it. */
static size_t count_staged(const rg_flow *flow, const rg_record *done)
{
	RG_AUTO_PTR(rg_index) index = NULL;
	RG_AUTO_PTR(rg_error) err = rg_index_open(&index, flow->worktree);
	size_t staged = 0;

	for (size_t i = 0; i < done->count && !err; i++) {
		char id[41];
		err = rg_index_hidden_work(index, flow->worktree, done->entries[i].path, id);
		staged += !err && *id;
	}
	return staged;
}

static rg_error *read_log(rg_undo_result *out, const rg_flow *flow, bool lock, rg_journal **journal)
{
	*out = (rg_undo_result){0};
	rg_record_init(&out->done);
	RG_TRY(rg_flow_open_journal(journal, flow, lock));
	return rg_update_log_read(&out->update_log, *journal);
}

rg_error *rg_undo_list(rg_undo_result *out, const rg_flow *flow)
{
	RG_AUTO_PTR(rg_journal) journal = NULL;
	return read_log(out, flow, false, &journal);
}

rg_error *rg_undo_run(rg_undo_result *out, const rg_flow *flow, const char *id)
{
	RG_AUTO_PTR(rg_journal) journal = NULL;

	RG_TRY(read_log(out, flow, true, &journal));
	RG_TRY(pick(&out->update_log, id, &out->undone));
	RG_TRY(rg_undo(journal, flow->worktree, out->undone, &out->done));
	out->missed = rg_undo_index(flow->worktree, out->undone, &out->done, &out->restaged);
	out->still_staged = count_staged(flow, &out->done);
	return NULL;
}

void rg_undo_result_release(rg_undo_result *result)
{
	rg_error_free(result->missed);
	rg_record_release(&result->done);
	rg_update_log_release(&result->update_log);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/pending.h"

#include "update/reset.h"
#include "update/undo.h"

#include <stdio.h>

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
	rg_journal *journal;
	RG_TRY(open_journal(&journal, flow));
	rg_error *err = refuse_pending(journal);
	rg_journal_close(journal);
	return err;
}

rg_error *rg_flow_warn_pending(const rg_flow *flow)
{
	rg_journal *journal;
	size_t entries = 0;
	char files[64] = "";
	bool pending;

	RG_TRY(open_journal(&journal, flow));
	rg_error *err = rg_journal_pending(journal, &pending, &entries);
	rg_journal_close(journal);
	/* 0: its record cannot be read, which --continue and --abort will say. */
	if (entries)
		snprintf(files, sizeof(files), " of %zu file%s", entries, entries == 1 ? "" : "s");
	if (!err && pending)
		rg_log_say(&flow->log, RG_LOG_MISSING,
			   "an update%s was interrupted; 'regild update --continue' finishes it, "
			   "'regild update --abort' takes it back",
			   files);
	return err;
}

rg_error *rg_flow_open_journal(rg_journal **out, const rg_flow *flow, bool lock)
{
	if (!lock)
		RG_TRY(rg_flow_warn_pending(flow));
	RG_TRY(open_journal(out, flow));
	rg_error *err = lock ? rg_journal_lock(*out) : NULL;
	if (!err && lock)
		err = refuse_pending(*out);
	if (err) {
		rg_journal_close(*out);
		*out = NULL;
	}
	return err;
}

/* What follows in the index on what has been finished in the tree. */
static rg_error *continue_in_index(const rg_flow *flow, rg_journal *journal, const rg_record *done)
{
	rg_record undone;
	size_t count;

	if (done->kind == RG_RECORD_RESET)
		return rg_reset_index(flow->worktree, done);
	if (done->kind != RG_RECORD_UNDO || !rg_record_touches_index(done))
		return NULL;
	rg_record_init(&undone);
	rg_error *err = rg_journal_load(journal, done->of, &undone);
	if (!err)
		err = rg_undo_index(flow->worktree, &undone, done, &count);
	rg_record_release(&undone);
	return err;
}

rg_error *rg_flow_settle_pending(const rg_flow *flow, bool finish, rg_record *done,
				 rg_error **missed)
{
	rg_journal *journal;
	*missed = NULL;
	RG_TRY(open_journal(&journal, flow));
	rg_error *err = rg_journal_lock(journal);
	if (!err)
		err = finish ? rg_journal_continue(journal, done) : rg_journal_abort(journal, done);
	if (!err && finish)
		*missed = continue_in_index(flow, journal, done);
	rg_journal_close(journal);
	return err;
}

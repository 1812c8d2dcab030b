/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_UNDO_H
#define REGILD_FLOW_UNDO_H

#include "flow/context.h"
#include "update/journal.h"
#include "update/update_log.h"

typedef struct {
	rg_update_log update_log; /* what there is to undo, as it was before */
	/* By rg_undo_run: */
	const rg_record *undone; /* of the update_log */
	rg_record done;          /* the undo itself */
	size_t restaged;         /* files that were put back in the index */
	size_t still_staged;     /* files that are staged as before */
	rg_error *missed;        /* why the index did not follow; NULL: it did */
} rg_undo_result;

/* Both initialise `out`, which is released whatever comes back. */

/* Only reads the update_log. */
RG_CHECKED rg_error *rg_undo_list(rg_undo_result *out, const rg_flow *flow);
/* Puts back what a record replaced: that of the id that `id` says, NULL: the last one that is not
 * undone. RG_E_USAGE, RG_E_NOTFOUND, RG_E_CONFLICT where there is none to undo. */
RG_CHECKED rg_error *rg_undo_run(rg_undo_result *out, const rg_flow *flow, const char *id);
void rg_undo_result_release(rg_undo_result *result);

/* The journal of the flow's working tree, and updates in it that were interrupted. */

/* RG_AUTO_PTR(rg_journal) closes one. */
static inline void rg_journal_free_at(rg_journal **journal)
{
	rg_journal_close(*journal);
}

/* *out is the caller's to close. With `lock` the journal is locked, and RG_E_CONFLICT comes back
 * where an interrupted update is pending; without it that is a warning. */
RG_CHECKED rg_error *rg_flow_open_journal(rg_journal **out, const rg_flow *flow, bool lock);

/* RG_E_CONFLICT where an interrupted update is pending, for flows that have much to do first. */
RG_CHECKED rg_error *rg_flow_refuse_pending(const rg_flow *flow);
/* A warning where an interrupted update is pending. */
RG_CHECKED rg_error *rg_flow_warn_pending(const rg_flow *flow);

/* Finishes what was interrupted, or takes it back. `done` (initialised) gets the record; *missed,
 * the caller's to free, says why the index did not follow; NULL where it did. */
RG_CHECKED rg_error *rg_flow_settle_pending(const rg_flow *flow, bool finish, rg_record *done,
					    rg_error **missed);

#endif

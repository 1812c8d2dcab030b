/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_CONTEXT_H
#define REGILD_FLOW_CONTEXT_H

#include "base/buf.h"
#include "base/log.h"
#include "base/memory.h"
#include "config/config.h"
#include "worktree/worktree.h"

/*
 * lib/flow/: what a command does, without argv, printing or exit codes. Plain option structs in,
 * plain result structs out; the command asks beforehand and puts the result into words.
 *
 * What every flow works with. The command makes it, and it outlives every result.
 */
typedef struct {
	rg_log log;
	rg_progress progress;        /* of transfers */
	const rg_config *config;     /* NULL only for flows that read no settings */
	rg_worktree *worktree;       /* NULL: there is none */
	const rg_error *no_worktree; /* then, why */
	rg_arena *arena; /* of what lives as long as the command; for its thread alone */
} rg_flow;

/* For a flow that turns out to need a worktree with a commit: why there is none, or NULL. */
RG_CHECKED rg_error *rg_flow_need_worktree(const rg_flow *flow);

/* For flows that look for goldens, with the list of what was found: RG_E_USAGE where regild.root is
 * on neither side, or in another repository, which must not pass for goldens that are all well; of
 * such a root it only warns where files are looked at by themselves (RG_EMPTY_TREE). Warns where
 * regild.files names no file below the root. */
RG_CHECKED rg_error *rg_flow_check_root(const rg_flow *flow, const rg_change_list *list);

/* For flows that bring goldens of a run into the repository: RG_E_USAGE where no setting says how
 * the project is laid out, and the folder of the built-in layout is not there either. */
RG_CHECKED rg_error *rg_flow_need_layout(const rg_flow *flow);

/* Says in the progress what the flow asks for before it is known how much there is to do; NULL:
 * nothing is under way. */
void rg_flow_waits_for(const rg_flow *flow, const char *what);

/* Finds the file that a setting names: a relative name is in the repository, wherever the command
 * is started. RG_E_UNSAFE where .regild names what is not a regular file of the working tree, or
 * leads there by a link. *path, in the flow's arena, is NULL where it names none. */
RG_CHECKED rg_error *rg_flow_find_setting(const char **path, const rg_flow *flow,
					  const char *setting);
/* Reads it. *name is the setting's value (borrowed), NULL where it names none. */
RG_CHECKED rg_error *rg_flow_read_setting(const rg_flow *flow, const char *setting, rg_buf *out,
					  const char **name);

/* The default staging folder of a run, or, for 0, of what is of no run. The caller frees it. */
char *rg_flow_staging_folder(const rg_flow *flow, uint64_t run_id);

/* A golden that the user names, as its path from the repository's root, in the flow's arena;
 * RG_E_USAGE for what is none. */
RG_CHECKED rg_error *rg_flow_golden_path(const char **out, const rg_flow *flow, const char *golden);

#endif

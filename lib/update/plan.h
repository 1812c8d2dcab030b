#ifndef REGILD_UPDATE_PLAN_H
#define REGILD_UPDATE_PLAN_H

#include "compare/compare.h"
#include "update/guard.h"
#include "update/journal.h"
#include "update/manifest.h"
#include "worktree/worktree.h"

#include <stdbool.h>

/*
 * What an update is about to do, golden by golden, without having touched anything. Bytes are not
 * kept in memory: sizes and SHA-256s are, and what is written later is held against them.
 */

typedef enum {
	RG_PLAN_UNCHANGED, /* the tree already has these bytes */
	RG_PLAN_CHANGED,
	RG_PLAN_NEW,
} rg_plan_change;

typedef struct {
	const char *name;
	bool changed; /* its values differ from the old file's, or it is on one side only */
} rg_plan_metric;

typedef struct {
	const rg_manifest_golden *golden;
	const char *test; /* "STAGE/TEST" */
	rg_plan_change change;
	rg_side old, new; /* the tree's file now, and what would be written */
	/* Where both sides could be read: its place in plan.comparison.files, else SIZE_MAX. */
	size_t file_index;
	/* Largest weight of its rows (rg_plan_row_weight); infinite where values went non-finite */
	double worst;
	rg_plan_metric *metrics;
	size_t metric_count, metric_capacity;
	rg_findings findings;
	unsigned held;    /* RG_GUARD_* that hold it back */
	unsigned allowed; /* RG_GUARD_* that would have, but for --allow */
	bool left_out;    /* by --only, --except, --metric or in the review */
} rg_plan_item;

typedef struct {
	const char *const *items;
	size_t count;
} rg_plan_names;

typedef struct {
	const char *root;                 /* regild.root: no target leaves it */
	rg_worktree *worktree;            /* for the index, and what is committed */
	const rg_policy *policy;          /* may be NULL */
	const rg_golden_options *formats; /* for readers; may be NULL */
	unsigned allowed;                 /* RG_GUARD_ALLOWABLE's, by --allow */
	rg_plan_names only, except;
	rg_plan_names metrics; /* not empty: only these are taken, into the old file */
} rg_plan_options;

typedef struct {
	rg_plan_item *items; /* in path-component order of the targets, as the manifest's goldens */
	size_t count;
	rg_comparison comparison; /* of the changed ones */
	const rg_manifest *manifest;
	const rg_plan_options *options;
	int tree, staging; /* folders; `tree` is the journal's */
	rg_arena arena;
} rg_plan;

/* Does the item go in? */
bool rg_plan_item_is_taken(const rg_plan_item *item);

/*
 * Looks at everything. `manifest`, `journal` and `options` must outlive the plan. RG_E_UNSAFE where
 * any target is (see rg_tree_check), or is another's folder: then the whole update stops;
 * RG_E_MISMATCH for staged bytes that are not what the manifest says; RG_E_USAGE for a pattern or
 * metric that matches nothing. On failure the plan still has to be released.
 */
RG_CHECKED rg_error *rg_plan_make(rg_plan *plan, const rg_manifest *manifest,
				  const char *staging_dir, rg_journal *journal,
				  const rg_plan_options *options);
void rg_plan_init(rg_plan *plan);
void rg_plan_release(rg_plan *plan);

/* Does the pattern name the item: its test ("TEST" or "STAGE/TEST"), its file (the name or the
 * whole target) or a metric of it, `changed` ones only or all? */
bool rg_plan_item_matches(const rg_plan_item *item, const char *pattern, bool changed_only);

/* The bytes that an item would write: exactly those whose SHA-256 it names, else RG_E_MISMATCH. */
RG_CHECKED rg_error *rg_plan_bytes(const rg_plan *plan, size_t index, rg_buf *out);
/* Reads an item's bytes, as they stand in the working tree or as they are `staged`, with what
 * stands beside them there. *out borrows `bytes` and is the caller's. */
RG_CHECKED rg_error *rg_plan_golden(rg_golden **out, const rg_plan *plan, const rg_plan_item *item,
				    const rg_buf *bytes, bool staged);

/* Writes the taken items into the tree, as a whole (rg_journal_apply); the caller holds the lock.
 * `done` (initialised) gets the record; nothing happens where nothing is taken. */
RG_CHECKED rg_error *rg_plan_apply(rg_plan *plan, rg_journal *journal, rg_record *done);

/* |avg_rel_diff|; infinite for exact matters that differ. */
double rg_plan_row_weight(const rg_row *row);

/* An item's rows, worst first: *out is the caller's to free, *count at most `top` (0: all). */
RG_CHECKED rg_error *rg_plan_worst_rows(const rg_plan *plan, const rg_plan_item *item, size_t top,
					const rg_row ***out, size_t *count);

#endif

#ifndef REGILD_UPDATE_PLAN_H
#define REGILD_UPDATE_PLAN_H

#include "update/guard.h"
#include "update/journal.h"
#include "update/manifest.h"

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
	const rg_manifest_golden *golden;
	rg_plan_change change;
	rg_side old, new; /* the tree's file now, and what would be written */
	bool left_out;    /* by a pattern or in the review */
} rg_plan_item;

typedef struct {
	rg_plan_item *items; /* in path-component order of the targets */
	size_t count;
	const rg_manifest *manifest;
	int tree, staging; /* folders; `tree` is the journal's */
	rg_arena arena;
} rg_plan;

typedef struct {
	const char *root; /* regild.root: no target leaves it */
} rg_plan_options;

/* Does the item go in? */
bool rg_plan_item_is_taken(const rg_plan_item *item);

/*
 * Looks at everything. `manifest` and `journal` must outlive the plan. RG_E_UNSAFE where any target
 * is (see rg_tree_check): then the whole update stops; RG_E_MISMATCH for staged bytes that are not
 * what the manifest says. On failure the plan still has to be released.
 */
RG_CHECKED rg_error *rg_plan_make(rg_plan *plan, const rg_manifest *manifest,
				  const char *staging_dir, rg_journal *journal,
				  const rg_plan_options *options);
void rg_plan_init(rg_plan *plan);
void rg_plan_release(rg_plan *plan);

/* The bytes that an item would write: exactly those whose SHA-256 it names, else RG_E_MISMATCH. */
RG_CHECKED rg_error *rg_plan_bytes(const rg_plan *plan, size_t index, rg_buf *out);

/* Writes the taken items into the tree, as a whole (rg_journal_apply); the caller holds the lock.
 * `done` (initialised) gets the record; nothing happens where nothing is taken. */
RG_CHECKED rg_error *rg_plan_apply(rg_plan *plan, rg_journal *journal, rg_record *done);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_PLAN_H
#define REGILD_UPDATE_PLAN_H

#include "compare/compare.h"
#include "update/guard.h"
#include "update/journal.h"
#include "source/manifest.h"
#include "worktree/worktree.h"

#include <stdbool.h>

/*
 * What an update is about to do, golden by golden, without having touched anything. Bytes are not
 * kept in memory: sizes and SHA-256s are, and that no file was touched is seen by its time.
 */

typedef enum {
	/* The tree already has these bytes, but for line ends that git converts, or a variant has
	 * these values. */
	RG_PLAN_UNCHANGED,
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
	/* The tree's file now, the staged file, and what would be written: those bytes, the old
	 * ones with the staged metrics in them, or the staged table in the old one's manner. */
	rg_side old, staged, new_side;
	/* Its place in plan.comparison.files if both sides could be read, else SIZE_MAX. */
	size_t file_index;
	/* Largest weight of its rows (rg_plan_row_weight); infinite where values went non-finite */
	double worst;
	rg_plan_metric *metrics;
	size_t metric_count, metric_capacity;
	rg_findings findings;
	unsigned held;      /* RG_GUARD_* that hold it back */
	unsigned allowed;   /* RG_GUARD_* that would have, but for --allow */
	bool left_out;      /* by --only, --except, --metric or in the review */
	bool is_link;       /* the path is a symbolic link, or beyond one: nothing is read there */
	bool committed;     /* the old file is as in HEAD */
	bool opaque;        /* it is new, and no reader takes it */
	bool has_nonfinite; /* it is new, and has values that are not finite, usual or not */
	bool handed_on;     /* options.compared has looked at it */
	bool has_variants;
	const char *variant;  /* the one that keeps it unchanged; NULL: there is none */
	bool variant_differs; /* it is the nearest, and has not the run's bytes */
} rg_plan_item;

typedef struct {
	const char *const *items;
	size_t count;
} rg_plan_names;

typedef struct {
	const char *root;  /* regild.root: no target leaves it */
	const char *files; /* regild.files: every target is called like one */
	const char
		*variants; /* how variants are called (base/variant.h); NULL: none is looked for */
	const char *names; /* names.test, by which tests are named; may be NULL */
	rg_worktree *worktree;            /* for the index, and what is committed */
	const rg_policy *policy;          /* may be NULL */
	const rg_golden_options *formats; /* for readers; may be NULL */
	unsigned allowed;                 /* RG_GUARD_ALLOWABLE's, by --allow */
	bool stage;                       /* the record gets what the index has, for undo */
	rg_plan_names only, except;
	rg_plan_names metrics; /* not empty: only these are taken, into the old file */
	/* Looks at each changed golden that is not held back and replaces what HEAD has: the file
	 * that was added to the comparison last, while both sides are at hand. May be NULL. */
	rg_error *(*compared)(void *context, rg_comparison *comparison, const rg_golden *old,
			      const rg_golden *fresh);
	void *compared_context;
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
/* The item of a target; NULL: there is none. */
const rg_plan_item *rg_plan_find(const rg_plan *plan, const char *target);

void rg_plan_init(rg_plan *plan);
void rg_plan_release(rg_plan *plan);

/* Does the pattern name the item: its test ("TEST" or "STAGE/TEST"), its file (the name or the
 * whole target) or a metric of it, `changed` ones only or all? */
bool rg_plan_item_matches(const rg_plan_item *item, const char *pattern, bool changed_only);

/* An item's staged bytes, which must be what the manifest says, and the second time the same. */
RG_CHECKED rg_error *rg_plan_staged(const rg_plan *plan, rg_plan_item *item, rg_buf *out);
/* Is what the item writes made of the old file and the staged one? */
bool rg_plan_item_is_made(const rg_plan *plan, const rg_plan_item *item);
/* Makes the staged bytes what the item would write; `old` are the bytes in the tree. `taken` (may
 * be NULL) counts the metrics that were found. */
RG_CHECKED rg_error *rg_plan_make_bytes(const rg_plan *plan, const rg_plan_item *item,
					const rg_buf *old, rg_buf *bytes, size_t *taken);
/* The bytes that an item would write. RG_E_CONFLICT where a file was touched since the plan. */
RG_CHECKED rg_error *rg_plan_bytes(const rg_plan *plan, size_t index, rg_buf *out);
/* Parses an item's bytes, of the working tree or `staged`, with the files beside them there. *out
 * borrows `bytes` and is the caller's. */
RG_CHECKED rg_error *rg_plan_golden(rg_golden **out, const rg_plan *plan, const rg_plan_item *item,
				    const rg_buf *bytes, bool staged);

/* Writes the taken items into the tree, as a whole (rg_journal_apply); the caller holds the lock.
 * `done` (initialised) gets the record; nothing happens where nothing is taken. */
RG_CHECKED rg_error *rg_plan_apply(rg_plan *plan, rg_journal *journal, rg_record *done);

/* rg_row.moved; infinite for what differs without it. */
double rg_plan_row_weight(const rg_row *row);

#endif

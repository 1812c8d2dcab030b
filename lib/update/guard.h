/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_GUARD_H
#define REGILD_UPDATE_GUARD_H

#include "base/buf.h"
#include "base/error.h"
#include "base/memory.h"
#include "compare/policy.h"
#include "golden/golden.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Why a golden is held back while the others go in. The first six and the last can be let through
 * by name (--allow); the others cannot, because writing the file would be wrong or impossible.
 */
enum {
	/* A value that is not finite, at a step where the old one was no such value. */
	RG_GUARD_NONFINITE = 1u << 0,
	/* A metric, its numbers or steps vanish, or a series has another length. */
	RG_GUARD_SHRINK = 1u << 1,
	RG_GUARD_EMPTY = 1u << 2,       /* nothing left in a file that held metrics */
	RG_GUARD_DIRTY = 1u << 3,       /* uncommitted changes that regild did not write */
	RG_GUARD_FORK = 1u << 4,        /* the run is a fork's: anybody may have made the bytes */
	RG_GUARD_OPAQUE = 1u << 5,      /* it was readable, and no reader takes the new bytes */
	RG_GUARD_LFS = 1u << 6,         /* the file in the tree is a Git LFS pointer */
	RG_GUARD_SPARSE = 1u << 7,      /* outside the sparse checkout */
	RG_GUARD_TWIN = 1u << 8,        /* another name differs from it in case alone */
	RG_GUARD_UNREADABLE = 1u << 9,  /* the new bytes are not a golden */
	RG_GUARD_REPOSITORY = 1u << 10, /* inside a submodule or another repository */
	RG_GUARD_REJECTED = 1u << 11,   /* somebody has rejected these bytes (rejected.h) */
	RG_GUARD_LINK = 1u << 12        /* the file in the tree is a symbolic link, or beyond one */
};
#define RG_GUARD_ALLOWABLE                                                                        \
	(RG_GUARD_NONFINITE | RG_GUARD_SHRINK | RG_GUARD_EMPTY | RG_GUARD_DIRTY | RG_GUARD_FORK | \
	 RG_GUARD_OPAQUE | RG_GUARD_REJECTED)

/* "nonfinite", "shrink", …: of the lowest bit set; "" for none. */
const char *rg_guard_name(unsigned guard);
/* Those of all bits: "shrink, dirty". */
const char *rg_guard_names(rg_arena *arena, unsigned guards);
/* Words of --allow for a comparison's gates, which hold no golden back. */
#define RG_ALLOW_NO_MATCH  "no-match"
#define RG_ALLOW_NO_FIGURE "no-figure"

/* The allowable guard of that name, else 0. */
unsigned rg_guard_parse(const char *name);

/* One reason: at most one a guard and metric. */
typedef struct {
	unsigned guard;     /* 0: it is told, and holds nothing back */
	const char *metric; /* NULL: the file as a whole */
	bool step_known;
	int64_t step;     /* the first one that it is about */
	const char *text; /* what is wrong, without the file and metric */
} rg_finding;

/* "GUARD: METRIC TEXT", in one line; "GUARD: METRIC: TEXT" where the text has steps. */
void rg_finding_add_text(rg_buf *out, const rg_finding *finding);

/* All texts lie in the arena that the caller gives when adding. */
typedef struct {
	rg_finding *items;
	size_t count, capacity;
} rg_findings;

void rg_findings_release(rg_findings *findings);
/* Adds one; `metric` may be NULL and is copied, like the text. */
void rg_findings_add(rg_findings *findings, rg_arena *arena, unsigned guard, const char *metric,
		     const char *format, ...) RG_PRINTF(5, 6);

/* NONFINITE, where the policy (which may be NULL) looks at all, SHRINK, EMPTY and OPAQUE: what
 * `fresh` does to `old`. */
RG_CHECKED rg_error *rg_guard_goldens(rg_findings *findings, rg_arena *arena, const rg_golden *old,
				      const rg_golden *fresh, const rg_policy *policy,
				      const char *file);
/* The same of a golden that is new: what a check finds in it. What is neither NONFINITE nor EMPTY
 * is told. */
RG_CHECKED rg_error *rg_guard_new(rg_findings *findings, rg_arena *arena, const rg_golden *fresh,
				  const rg_policy *policy, const char *file);

#endif

#ifndef REGILD_UPDATE_GUARD_H
#define REGILD_UPDATE_GUARD_H

#include "base/error.h"

#include <stdbool.h>

/*
 * Why a golden is held back while the others go in. The first four can be let through by name
 * (--allow); the others cannot, because writing the file would be wrong or impossible.
 */
enum {
	RG_GUARD_NONFINITE = 1u << 0, /* a value that is not finite at a step where the old one was
					 no such value */
	RG_GUARD_SHRINK = 1u << 1,    /* a metric or steps vanish, or a series has another length */
	RG_GUARD_EMPTY = 1u << 2,     /* nothing left in a file that held metrics */
	RG_GUARD_DIRTY = 1u << 3,     /* uncommitted changes that regild did not write */
	RG_GUARD_LFS = 1u << 4,       /* the file in the tree is a Git LFS pointer */
	RG_GUARD_SPARSE = 1u << 5,    /* outside the sparse checkout */
	RG_GUARD_TWIN = 1u << 6,      /* another name differs from it in case alone */
	RG_GUARD_UNREADABLE = 1u << 7 /* the new bytes are no golden */
};
#define RG_GUARD_ALLOWABLE (RG_GUARD_NONFINITE | RG_GUARD_SHRINK | RG_GUARD_EMPTY | RG_GUARD_DIRTY)

/* "nonfinite", "shrink", …: of the lowest bit set; "" for none. */
const char *rg_guard_name(unsigned guard);
/* The allowable guard of that name, else 0. */
unsigned rg_guard_parse(const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_VARIANT_H
#define REGILD_BASE_VARIANT_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>

/*
 * Variants of a golden: files beside it with values that are as right as its own. The pattern
 * "{name}TEXT{variant}" says what they are called: the golden's name without its extension, a text,
 * the variant's name, and the extension. A file whose name has the text inside is no golden.
 */
#define RG_VARIANTS_DEFAULT "{name}.variant-{variant}"

/* The pattern's TEXT, in the arena. RG_E_USAGE for a pattern that is not made so. */
RG_CHECKED rg_error *rg_variants_text(const char **out, rg_arena *arena, const char *pattern);

/* RG_E_USAGE for what is not 1 to 64 of A-Z, a-z, 0-9, '_' and '-', the first neither of the two
 * last. */
RG_CHECKED rg_error *rg_variant_name_check(const char *name);

/* The path of a golden's variant. */
const char *rg_variant_path(rg_arena *arena, const char *text, const char *golden,
			    const char *name);
/* The name of the variant of `golden` that `path` is; NULL: it is none of it. */
const char *rg_variant_name(rg_arena *arena, const char *text, const char *golden,
			    const char *path);

/* A golden's variants among the regular files of its folder. */
typedef struct {
	const char *name, *path;
} rg_variant;
typedef struct {
	rg_variant *items; /* by name */
	size_t count, capacity;
} rg_variants;
/* `folder` is the golden's, and is closed; -1: there is none. The list is the arena's. */
RG_CHECKED rg_error *rg_variants_list(rg_variants *out, rg_arena *arena, const char *text,
				      const char *golden, int folder);
/* Adds `path` where it is one of the golden's; rg_variants_sort follows the last. */
void rg_variants_add(rg_variants *variants, rg_arena *arena, const char *text, const char *golden,
		     const char *path);
void rg_variants_sort(rg_variants *variants);

#endif

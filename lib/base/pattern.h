/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_PATTERN_H
#define REGILD_BASE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Globs as gitignore has them: `*` any run of characters but '/', `**` any run at all where it is
 * a whole path part ("a/ ** /b" without the blanks matches "a/b" and "a/x/y/b"), `?` one character
 * but '/', `[a-z]` and `[!a-z]` one of a set, `\x` a literal x. Bytes are compared, not characters.
 * A pattern also matches itself, as git's do, so that "test[fp16]" names the test of that name.
 * At most pattern × text steps: a hostile pattern cannot stall it.
 */
#define RG_GLOB_IGNORE_CASE 1u /* ASCII letters */
/* '*' and '?' match '/' too: for metric names, which are not paths ("0/logprobs"). */
#define RG_GLOB_ANY_SLASH 2u
bool rg_glob_match(const char *pattern, const char *text, unsigned flags);

/* The pattern against the path, and against what follows each '/' in it. */
bool rg_glob_match_end(const char *pattern, const char *path);

/* True when the pattern holds no wildcard and no backslash: it matches itself alone. */
bool rg_glob_is_literal(const char *pattern);
/* The number of characters that are not wildcards, for «the most specific pattern wins»; a literal
 * pattern outweighs every glob. */
size_t rg_glob_weight(const char *pattern);

/* The place of the glob in the first `length` bytes of "ZIP!GLOB": after the last '!' that neither
 * negates a set nor follows a backslash; 0 if there is none. */
size_t rg_glob_inner(const char *word, size_t length);

/*
 * Is this path a golden's? `globs` is regild.files: globs with blanks between them, each perhaps
 * after the name of a zip and '!'. A glob is matched against the path's end, from any '/' on, since
 * what comes before it is the repository's layout. A word "!GLOB" says what is not one, whatever
 * the others say.
 */
bool rg_globs_take(const char *globs, const char *path);

#endif

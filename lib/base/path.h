/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_PATH_H
#define REGILD_BASE_PATH_H

#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>

/* Paths as texts: no file is looked at. */

/* Joins with exactly one '/'; the caller frees it. */
char *rg_path_join(const char *folder, const char *name);
RG_NEVER_NULL char *rg_arena_path(rg_arena *arena, const char *folder, const char *name);
/* `name` in the folder of `path`; the caller frees it. */
char *rg_path_sibling(const char *path, const char *name);

/* A path's last part. */
const char *rg_path_name(const char *path);
/* Is `path` in the folder, however deep? The folder has no '/' at its end. */
bool rg_path_is_below(const char *folder, const char *path);
/* Does it end so? */
bool rg_ends_with(const char *text, const char *end);
bool rg_bytes_end_with(const char *bytes, size_t length, const char *end);
/* Is it `end`, or does it end in that after a slash? */
bool rg_path_ends_with(const char *path, const char *end);

/*
 * RG_E_UNSAFE, naming the path, for one that must not come from outside: empty, absolute, with an
 * empty, "." or ".." part, a backslash, a control character (rg_utf8_is_control) or a part of over
 * 255 bytes, or over 128 folders deep or 4,096 bytes long in all.
 */
RG_CHECKED rg_error *rg_path_check(const char *path);
/* The fault that rg_path_check would find ("has a '..' part"), NULL for a safe path. */
const char *rg_path_fault(const char *path);
/* Has it a part that is any spelling of ".git", as Linux, macOS or Windows would read it? (git's
 * core.protectHFS, protectNTFS.) rg_path_check lets it through, and a working tree must not hold
 * it. */
bool rg_path_has_git(const char *path);

/* Orders by path components: "a/x" before "a-b/x". <0, 0, >0. */
int rg_path_compare(const char *a, const char *b);
/* Puts paths into that order, each once; returns how many are left. */
size_t rg_path_sort_unique(const char **paths, size_t count);

#endif

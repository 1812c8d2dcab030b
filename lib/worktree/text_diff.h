/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_WORKTREE_TEXT_DIFF_H
#define REGILD_WORKTREE_TEXT_DIFF_H

#include "base/error.h"
#include "base/memory.h"

#include <stddef.h>

/* The lines in which two texts differ, with three around them, as `diff -u` has them. */
typedef struct {
	/* "@@ -1,4 +1,4 @@", " same", "-old", "+new", "\ No newline at end of file", without their
	 * ends. Safe for people (rg_utf8_add_safe), a tab as "\t". */
	const char **lines;
	size_t count;
	size_t more; /* lines that are left out */
} rg_text_diff;

/* Texts of more bytes are not compared by lines. */
#define RG_TEXT_DIFF_INPUT_MAX ((size_t)1 << 20)
/* The most that a diff has: lines, and bytes of a line before it is made safe. */
enum { RG_TEXT_DIFF_LINES = 400, RG_TEXT_DIFF_WIDTH = 240 };

/* By libgit2, on any thread. Each side is at most RG_TEXT_DIFF_INPUT_MAX. All that is kept is in
 * the arena. */
RG_CHECKED rg_error *rg_text_diff_make(rg_text_diff *out, rg_arena *arena, const char *old,
				       size_t old_size, const char *fresh, size_t fresh_size);

#endif

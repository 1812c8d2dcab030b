/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "place/sides.h"

#include <stdlib.h>
#include <string.h>

static void assert_side(const char *text, rg_side_kind kind, const char *rest)
{
	rg_side_name name;

	assert_success(rg_side_parse(&name, text));
	assert_int_equal(name.kind, kind);
	assert_string_equal(name.text, rest);
}

TEST(prefixes)
{
	assert_side("rev:HEAD~3", RG_SIDE_REVISION, "HEAD~3");
	assert_side("path:rev:a", RG_SIDE_PATH, "rev:a");
	assert_side("zip:../a b.zip", RG_SIDE_ARCHIVE, "../a b.zip");
	assert_side("latest:feature/x", RG_SIDE_LATEST, "feature/x");
	assert_side("run:22651183945", RG_SIDE_RUN, "22651183945");
	assert_side("run:https://github.com/o/n/actions/runs/1", RG_SIDE_RUN,
		    "https://github.com/o/n/actions/runs/1");
}

/* What only looks like a prefix is a name as any other. */
TEST(plain)
{
	static const char *const names[] = {"main",    "run",  "RUN:1", "runs:1", " run:1",
					    "./run:1", ":run", "\n",    "\xff:",  "-"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		assert_side(names[i], RG_SIDE_PLAIN, names[i]);
}

TEST(refused)
{
	rg_side_name name;

	assert_error(rg_side_parse(&name, ""), RG_E_USAGE,
		     "'' names no side; a side is a revision or a path");
	assert_error(rg_side_parse(&name, "run:"), RG_E_USAGE, "'run:' names no run");
	assert_error(rg_side_parse(&name, "latest:"), RG_E_USAGE, "'latest:' names no branch");
	assert_error(rg_side_parse(&name, "zip:"), RG_E_USAGE, "'zip:' names no file");
	assert_error(rg_side_parse(&name, "rev:"), RG_E_USAGE, "'rev:' names no revision");
	assert_error(rg_side_parse(&name, "path:"), RG_E_USAGE, "'path:' names no path");
}

static void assert_range(const char *text, const char *old, const char *fresh, bool merge_base)
{
	rg_side_range range;
	rg_arena arena;

	rg_arena_init(&arena);
	rg_side_split(&range, &arena, text);
	if (old) {
		assert_string_equal(range.old, old);
		assert_string_equal(range.fresh, fresh);
	} else {
		assert_null(range.old);
		assert_null(range.fresh);
	}
	assert_int_equal(range.merge_base, merge_base);
	rg_arena_release(&arena);
}

TEST(ranges)
{
	assert_range("A..B", "A", "B", false);
	assert_range("A...B", "A", "B", true);
	assert_range("A..", "A", "HEAD", false);
	assert_range("..B", "HEAD", "B", false);
	assert_range("A...", "A", "HEAD", true);
	assert_range("...B", "HEAD", "B", true);
	assert_range("...", "HEAD", "HEAD", true);
	assert_range("a/b..v1.0", "a/b", "v1.0", false);
	/* The ends are looked up, and such a one names nothing. */
	assert_range("A..B..C", "A", "B..C", false);
	assert_range("A....B", "A", ".B", true);
}

TEST(no_ranges)
{
	assert_range("main", NULL, NULL, false);
	assert_range("..", NULL, NULL, false);
	assert_range("../goldens", NULL, NULL, false);
	assert_range("a/../b", NULL, NULL, false);
	assert_range("", NULL, NULL, false);
	assert_range("v1.0", NULL, NULL, false);
	assert_range(".../a", NULL, NULL, false);
}

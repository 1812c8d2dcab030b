/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"
#include "base/pattern.h"
#include "base/variant.h"

TEST(paths)
{
	static const struct {
		const char *golden, *path;
	} pairs[] = {{"a/golden_values_dev.json", "a/golden_values_dev.variant-b200.json"},
		     {"a.b/golden", "a.b/golden.variant-b200"},
		     {"t.csv.gz", "t.variant-b200.csv.gz"},
		     {"v1.5b.npy", "v1.5b.variant-b200.npy"},
		     {".gz", ".gz.variant-b200"},
		     {".hidden.gz", ".hidden.variant-b200.gz"}};
	rg_arena arena;

	rg_arena_init(&arena);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		assert_string_equal(rg_variant_path(&arena, ".variant-", pairs[i].golden, "b200"),
				    pairs[i].path);
		assert_string_equal(
			rg_variant_name(&arena, ".variant-", pairs[i].golden, pairs[i].path),
			"b200");
		/* No golden, and no variant of a variant. */
		assert_false(rg_globs_take("* !*?.variant-?*", pairs[i].path));
		assert_true(rg_globs_take("* !*?.variant-?*", pairs[i].golden));
		assert_null(rg_variant_name(&arena, ".variant-", pairs[i].path, pairs[i].golden));
	}
	assert_null(rg_variant_name(&arena, ".variant-", "a.json", "a.variant-.json"));
	assert_null(rg_variant_name(&arena, ".variant-", "a.json", "a.variant-x.y.json"));
	assert_null(rg_variant_name(&arena, ".variant-", "a.json", "a.variant-x/y.json"));
	assert_null(rg_variant_name(&arena, ".variant-", "a.json", "b/a.variant-x.json"));
	assert_null(rg_variant_name(&arena, ".variant-", "a.json", "a.variant-x.json.gz"));
	rg_arena_release(&arena);
}

TEST(patterns)
{
	static const char *const wrong[] = {"",
					    "{name}.{variant}",
					    "{name}ab{variant}",
					    "{name}.a/{variant}",
					    "{name}.a b{variant}",
					    "{name}.a*{variant}",
					    "{name}.a\n{variant}",
					    "{name}.v{variant}x",
					    "x{name}.v{variant}",
					    "{name}{variant}",
					    "{name}",
					    "{variant}"};
	const char *text;
	rg_arena arena;

	rg_arena_init(&arena);
	assert_success(rg_variants_text(&text, &arena, RG_VARIANTS_DEFAULT));
	assert_string_equal(text, ".variant-");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		rg_error *err = rg_variants_text(&text, &arena, wrong[i]);
		assert_int_equal(rg_error_get_code(err), RG_E_USAGE);
		rg_error_free(err);
	}
	rg_arena_release(&arena);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "unit/repository.h"

#include "flow/side_pairs.h"
#include "support/zipmaker.h"

/* Writes a zip with these members, each holding "{}", of which the last one is damaged. */
static void make_zip(const char *const *names, const char *path)
{
	zipmaker maker;
	rg_buf bytes;

	zipmaker_init(&maker);
	for (; *names; names++)
		zipmaker_add(&maker, *names, "{}", 2);
	maker.members[maker.count - 1].entry.crc = 1;
	maker.members[maker.count - 1].local.crc = 1;
	rg_buf_init(&bytes, RG_BUF_TEXT);
	zipmaker_write(&maker, &bytes);
	assert_success(rg_file_replace(path, bytes.data, bytes.length, 0644));
	rg_buf_release(&bytes);
	zipmaker_release(&maker);
}

/* Those that can be read, that is. */
static void assert_files(const rg_members *zip, const char *const *names)
{
	size_t i, fine = 0;

	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_TEXT);
	for (i = 0; i < zip->count; i++) {
		rg_error *err = rg_member_read(&zip->items[i], &bytes);

		assert_ptr_equal(rg_members_find(zip, zip->items[i].path), &zip->items[i]);
		if (!err)
			assert_string_equal(zip->items[i].path, names[fine++]);
		else
			assert_int_equal(rg_error_get_code(err), RG_E_MISMATCH);
		rg_error_free(err);
	}
	assert_null(names[fine]);
	assert_null(rg_members_find(zip, "no"));
}

static void stage(rg_staged_side *out, const rg_flow *flow, const char *const *names)
{
	const rg_compare_options options = {0};
	const rg_side_name name = {RG_SIDE_ARCHIVE, "side.zip", NULL};

	make_zip(names, name.text);
	rg_staged_side_init(out);
	assert_success(rg_side_stage(out, flow, &name, &options, false));
}

FIXTURE(set_up)
{
	make_repository();
	unsetenv("XDG_CACHE_HOME");
	assert_int_equal(chdir(scratch), 0);
	return 0;
}

TEST_GROUP(set_up, remove_repository);

/* What is outside of the folder, or twice there is not taken, what is damaged is not read, and what
 * is fine is. */
TEST(hostile_zip)
{
	static const char *const names[] = {"a/golden_values_a.json",
					    "../golden_values_up.json",
					    "/golden_values_root.json",
					    "b/golden_values_twice.json",
					    "b/golden_values_twice.json",
					    "c/notes.json",
					    "golden_values_top.json",
					    "d/golden_values_damaged.json",
					    NULL};
	static const char *const fine[] = {"a/golden_values_a.json", "golden_values_top.json",
					   NULL};
	static const char *const others[] = {"c/notes.json", "../notes.json", "d/damaged.json",
					     NULL};
	static const char *const other[] = {"c/notes.json", NULL};
	rg_config *config;
	rg_staged_side side;
	rg_flow flow = {0};

	assert_success(rg_config_load(&config, NULL));
	flow.config = config;
	stage(&side, &flow, names);
	assert_true(side.missing);
	assert_false(side.is_staging);
	assert_files(side.place.archive, fine);
	assert_success(rg_staged_side_release(&side, NULL));
	/* Nothing is called like a golden: all that is there. */
	stage(&side, &flow, others);
	assert_false(side.missing);
	assert_files(side.place.archive, other);
	assert_success(rg_staged_side_release(&side, NULL));
	rg_config_free(config);
}

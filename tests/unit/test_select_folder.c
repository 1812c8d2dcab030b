/* SPDX-License-Identifier: Apache-2.0 */
/* A folder on disk, selected from as if it were an archive. */
#include "support/selected.h"
#include "support/zipmaker.h"

#include "base/file.h"
#include "base/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[] = "/tmp/regild-select-XXXXXX";

static const char *in_top(const char *name)
{
	static char path[200];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	return path;
}

static void write_file(const char *name, const void *bytes, size_t length)
{
	no_error(rg_make_parent_dirs(in_top(name), 0777));
	no_error(rg_file_write_output(in_top(name), bytes, length));
}

static int make_top(void **state)
{
	(void)state;
	memcpy(top + strlen(top) - 6, "XXXXXX", 6);
	return mkdtemp(top) ? 0 : -1;
}

static int remove_top(void **state)
{
	(void)state;
	no_error(rg_remove_tree(top));
	return 0;
}

static void selects(const rg_zip_limits *limits, const char *lines, const char *refusals,
		    size_t members)
{
	static const char *const patterns[] = {"**/golden*.json", "*.zip!*.bin"};
	rg_selection selection;
	rg_buf got, refused;

	rg_selection_init(&selection);
	rg_buf_init(&got, RG_BUF_TEXT);
	rg_buf_init(&refused, RG_BUF_TEXT);
	no_error(rg_select_folder(&selection, top, patterns, 2, limits, collect, &got));
	refusals_of(&selection, &refused);
	assert_string_equal(got.data, lines);
	assert_string_equal(refused.data, refusals);
	assert_int_equal(selection.members, members);
	rg_buf_release(&refused);
	rg_buf_release(&got);
	rg_selection_release(&selection);
}

static void files_in_the_order_of_names(void **state)
{
	(void)state;
	write_file("b/golden.json", "b", 1);
	write_file("a/x/golden_2.json", "a", 1);
	write_file("golden.json", "", 0);
	write_file("a/log.txt", "long", 4);
	write_file(".cache/golden.json", "c", 1);
	write_file(".git/golden.json", "never", 5);
	write_file("b/.git", "never", 5);
	selects(NULL,
		" .cache/golden.json=c\n a/x/golden_2.json=a\n b/golden.json=b\n golden.json=\n",
		"", 5);
}

static void links_lead_nowhere(void **state)
{
	char other[] = "/tmp/regild-other-XXXXXX", path[100];

	(void)state;
	assert_non_null(mkdtemp(other));
	snprintf(path, sizeof(path), "%s/golden.json", other);
	no_error(rg_file_write_output(path, "secret", 6));
	write_file("golden.json", "1", 1);
	assert_int_equal(symlink(path, in_top("golden_link.json")), 0);
	assert_int_equal(symlink(path, in_top("log_link")), 0);
	assert_int_equal(symlink(other, in_top("folder")), 0);
	assert_int_equal(mkfifo(in_top("golden_pipe.json"), 0600), 0);
	selects(NULL, " golden.json=1\n",
		"! golden_link.json: it is a symbolic link, device, pipe or socket\n"
		"! golden_pipe.json: it is a symbolic link, device, pipe or socket\n",
		5);
	no_error(rg_remove_tree(other));
}

static void limits_count_what_is_asked_for(void **state)
{
	rg_zip_limits limits = rg_zip_limits_default();

	(void)state;
	write_file("golden_1.json", "12345", 5);
	write_file("golden_2.json", "12", 2);
	write_file("golden_3.json", "12", 2);
	write_file("log_1", "12345678", 8);
	write_file("log_2", "12345678", 8);
	limits.members = 3;
	limits.member_size = 4;
	limits.total_size = 3;
	selects(&limits, " golden_2.json=12\n",
		"! golden_1.json: 5 bytes are more than the limit of 4 (regild.maxFile)\n"
		"! golden_3.json: with its 2 bytes the archive would unpack to more than 3 "
		"(regild.maxTotal)\n",
		5);
}

static void zips_in_a_folder(void **state)
{
	rg_zip_limits limits = rg_zip_limits_default();
	zipmaker maker;
	rg_buf zip;

	(void)state;
	rg_buf_init(&zip, RG_BUF_TEXT);
	zipmaker_init(&maker);
	zipmaker_add(&maker, "x.bin", "one", 3)->method = 8;
	zipmaker_add(&maker, "y.txt", "two", 3);
	zipmaker_write(&maker, &zip);
	zipmaker_release(&maker);
	write_file("a.zip", zip.data, zip.length);
	write_file("b.zip", "<html>", 6);
	limits.member_size = 3; /* the zip's members are what counts */
	selects(&limits, "a.zip x.bin=one\n",
		"! b.zip: not a readable zip: 6 bytes are too few for a zip\n", 4);
	rg_buf_release(&zip);
}

/* What is taken is what was listed, or it is refused. */
static rg_error *shorten_next(void *context, const rg_selected *selected)
{
	RG_TRY(collect(context, selected));
	assert_int_equal(truncate(in_top("golden_2.json"), 1), 0);
	assert_int_equal(unlink(in_top("golden_3.json")), 0);
	assert_int_equal(symlink("/etc/passwd", in_top("golden_3.json")), 0);
	return NULL;
}

static void files_that_change_meanwhile(void **state)
{
	static const char *const patterns[] = {"golden*.json"};
	rg_selection selection;
	rg_buf lines, refused;

	(void)state;
	write_file("golden_1.json", "1", 1);
	write_file("golden_2.json", "22", 2);
	write_file("golden_3.json", "3", 1);
	rg_selection_init(&selection);
	rg_buf_init(&lines, RG_BUF_TEXT);
	rg_buf_init(&refused, RG_BUF_TEXT);
	no_error(rg_select_folder(&selection, top, patterns, 1, NULL, shorten_next, &lines));
	refusals_of(&selection, &refused);
	assert_string_equal(lines.data, " golden_1.json=1\n");
	assert_string_equal(refused.data,
			    "! golden_2.json: it was changed while it was read\n"
			    "! golden_3.json: it cannot be opened: Too many levels of symbolic "
			    "links\n");
	rg_buf_release(&refused);
	rg_buf_release(&lines);
	rg_selection_release(&selection);
}

static void no_folder(void **state)
{
	static const char *const patterns[] = {"*"};
	rg_selection selection;
	char message[300];

	(void)state;
	rg_selection_init(&selection);
	snprintf(message, sizeof(message), "%s: No such file or directory", in_top("missing"));
	is_error(rg_select_folder(&selection, in_top("missing"), patterns, 1, NULL, collect, NULL),
		 RG_E_IO, message);
	rg_selection_release(&selection);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_top, remove_top)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(files_in_the_order_of_names),    TEST(links_lead_nowhere),
		TEST(limits_count_what_is_asked_for), TEST(zips_in_a_folder),
		TEST(files_that_change_meanwhile),    TEST(no_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What a killed audit left is swept, what a living one has is not. */
#include "unit/unit.h"

#include "audit/history_scratch.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char top[64], folder[96];

static int start(void **state)
{
	(void)state;
	snprintf(top, sizeof(top), "/tmp/regild-scratch-XXXXXX");
	if (!mkdtemp(top))
		return -1;
	snprintf(folder, sizeof(folder), "%s/a/b", top);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	rg_error_free(rg_remove_tree(top));
	return 0;
}

static bool exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

static void put(const char *path)
{
	assert_success(rg_make_parent_dirs(path, 0777));
	assert_success(rg_file_replace(path, "x", 1, 0666));
}

static void test_one_is_made_and_removed(void **state)
{
	rg_history_scratch *scratch;
	char file[256];

	(void)state;
	assert_success(rg_history_scratch_open(&scratch, folder));
	snprintf(file, sizeof(file), "%s/7/files/x", rg_history_scratch_path(scratch));
	put(file);
	/* Its own audit lives. */
	assert_success(rg_history_sweep(folder));
	assert_true(exists(file));
	snprintf(file, sizeof(file), "%s", rg_history_scratch_path(scratch));
	assert_success(rg_history_scratch_close(scratch));
	assert_false(exists(file));
	assert_success(rg_history_scratch_close(NULL));
}

static void test_what_a_dead_one_left_goes(void **state)
{
	char left[256], foreign[256], run[256], link[256], name[256];
	int ends[2], status;
	FILE *names;
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		rg_history_scratch *scratch;
		rg_error *err = rg_history_scratch_open(&scratch, folder);

		if (!err)
			dprintf(ends[1], "%s\n", rg_history_scratch_path(scratch));
		_exit(err != NULL);
	}
	close(ends[1]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	names = fdopen(ends[0], "r");
	assert_non_null(names);
	assert_non_null(fgets(name, sizeof(name), names));
	fclose(names);
	name[strcspn(name, "\n")] = '\0';
	assert_true(exists(name));
	snprintf(left, sizeof(left), "%s/.fetch-7-123/files/x", folder);
	snprintf(foreign, sizeof(foreign), "%s/.other/x", folder);
	snprintf(run, sizeof(run), "%s/7.run", folder);
	snprintf(link, sizeof(link), "%s/.fetch-link", folder);
	put(left);
	put(foreign);
	put(run);
	assert_int_equal(symlink(".other", link), 0);
	assert_success(rg_history_sweep(folder));
	*strrchr(left, '/') = '\0';
	*strrchr(left, '/') = '\0';
	assert_false(exists(left));
	assert_false(exists(name));
	assert_true(exists(foreign));
	assert_true(exists(run));
	assert_true(exists(link));
}

static void test_no_folder_is_fine(void **state)
{
	(void)state;
	assert_success(rg_history_sweep("/dev/null/none"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one_is_made_and_removed, start, stop),
		cmocka_unit_test_setup_teardown(test_what_a_dead_one_left_goes, start, stop),
		cmocka_unit_test_setup_teardown(test_no_folder_is_fine, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

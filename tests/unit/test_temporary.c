/* SPDX-License-Identifier: Apache-2.0 */
/* Temporaries of processes that live and that were killed. */
#include "unit/unit.h"

#include "base/file.h"
#include "base/temporary.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[] = "/tmp/regild-temporary-XXXXXX";

FIXTURE(enter)
{
	return mkdtemp(scratch) && !chdir(scratch) ? 0 : -1;
}

FIXTURE(leave)
{
	assert_int_equal(chdir("/"), 0);
	assert_success(rg_remove_tree(scratch));
	return 0;
}

static void make(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);

	assert_true(fd >= 0);
	close(fd);
}

TEST_GROUP(enter, leave);

TEST(a_sweep_takes_what_nobody_has)
{
	make(".tmp-regild-99999999-0");
	make(".tmp-regild-");
	make(".tmp-regild-1-0.json");
	assert_int_equal(symlink(".tmp-regild-", ".tmp-regild-2-0"), 0);
	assert_int_equal(mkfifo(".tmp-regild-3-0", 0666), 0);
	rg_temporary_sweep("report.md");
	assert_int_not_equal(access(".tmp-regild-99999999-0", F_OK), 0);
	assert_int_equal(access(".tmp-regild-", F_OK), 0);
	assert_int_equal(access(".tmp-regild-1-0.json", F_OK), 0);
	assert_int_equal(access(".tmp-regild-2-0", F_OK), 0);
	assert_int_equal(access(".tmp-regild-3-0", F_OK), 0);
}

TEST(a_sweep_leaves_what_is_being_written)
{
	char *name;
	int fd, lock;

	assert_success(rg_temporary_open(&fd, &name, "report.md", 0666));
	rg_temporary_sweep("./other.md");
	assert_int_equal(access(name, F_OK), 0);
	/* Closed and not yet renamed. */
	lock = dup(fd);
	close(fd);
	rg_temporary_sweep("./other.md");
	assert_int_equal(access(name, F_OK), 0);
	close(lock);
	rg_temporary_sweep("./other.md");
	assert_int_not_equal(access(name, F_OK), 0);
	free(name);
}

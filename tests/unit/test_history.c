/* SPDX-License-Identifier: Apache-2.0 */
/* The history of runs: what is put comes back, whatever happens to the process, the disk, the file.
 */
#include "unit.h"

#include "unit/history_runs.h"

#include "base/file.h"
#include "golden/records.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void reopen(void)
{
	rg_history_close(history);
	assert_success(rg_history_open(&history, path, NULL));
}

FIXTURE(stop)
{
	rg_history_close(history);
	rg_error_free(rg_remove_tree(folder));
	return 0;
}

TEST(where_it_is)
{
	char *where;

	setenv("XDG_DATA_HOME", "/data", 1);
	assert_success(rg_history_path(&where));
	assert_string_equal(where, "/data/regild/history.db");
	free(where);
	/* A relative one does not count (XDG Base Directory Specification). */
	setenv("XDG_DATA_HOME", "data", 1);
	setenv("HOME", "/somebody", 1);
	assert_success(rg_history_path(&where));
	assert_string_equal(where, "/somebody/.local/share/regild/history.db");
	free(where);
	setenv("HOME", "", 1);
	assert_error(rg_history_path(&where), RG_E_IO,
		     "the history of runs has no place: set XDG_DATA_HOME or HOME");
	assert_null(where);
	setenv("HOME", "/somebody", 1);
}

static void change(const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

/* A table's steps are places: what they mean is kept with them. */
TEST_WITH(records_keep_their_names, start, stop)
{
	static const char *const changes[] = {
		"UPDATE goldens SET records = '[\"a\", \"b\"]'",
		"UPDATE goldens SET records = '[\"a\", \"b\", \"a\"]'",
		"UPDATE goldens SET records = '[1, 2, 3]'",
		"UPDATE goldens SET records = '{\"a\": \"b\"}'",
		"UPDATE goldens SET records = '['",
		"UPDATE series SET first_step = -1",
	};
	const rg_history_run run = run_of(7);
	rg_golden *back;
	size_t count, i;
	rg_history_run *only;

	assert_success(put(&run, "t.csv", &table, true));
	only = list(NULL, &count);
	assert_success(get(only, "t.csv", &back));
	assert_is_table(back);
	rg_golden_free(back);
	for (i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		assert_success(put(&run, "t.csv", &table, true));
		change(changes[i]);
		assert_fails_with(get(only, "t.csv", &back), RG_E_MISMATCH);
		assert_null(back);
	}
}

/* Damaged series are noticed; the other goldens can be read. */
TEST_WITH(damaged_goldens, start, stop)
{
	static const char *const changes[] = {
		"UPDATE series SET n_steps = 3 WHERE metric = 'counted'",
		"UPDATE series SET n_steps = -1 WHERE metric = 'counted'",
		"UPDATE series SET n_steps = 1 << 60 WHERE metric = 'counted'",
		"UPDATE series SET steps = '1*4' WHERE metric = 'counted'",
		"UPDATE series SET \"values\" = substr(\"values\", 2) WHERE metric = 'counted'",
		"UPDATE series SET \"values\" = \"values\" || x'00' WHERE metric = 'counted'",
		"UPDATE series SET \"values\" = x'' WHERE metric = 'counted'",
	};
	rg_history_run run = run_of(8);
	rg_golden *back;
	size_t count, i;

	assert_success(put(&run, "t/b.json", &none, true));
	for (i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		rg_history_run *runs;

		put_id(7);
		change(changes[i]);
		runs = list(NULL, &count);
		assert_fails_with(get(&runs[0], "t/b.json", &back), RG_E_MISMATCH);
		assert_null(back);
		assert_success(get(&runs[1], "t/b.json", &back));
		rg_golden_free(back);
	}
}

static void write_plain(const char *bytes, size_t length, long at)
{
	FILE *file = fopen(path, at < 0 ? "wb" : "rb+");

	assert_non_null(file);
	assert_int_equal(fseek(file, at < 0 ? 0 : at, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

/* Refused with a way out, and left as it is. */
TEST_WITH(damaged_history, start, stop)
{
	static const char rubbish[200] = "this is no database";
	const rg_history_query any = {0};
	rg_history_run run = run_of(8), *runs;
	char message[300];
	size_t count;

	put_id(7);
	rg_history_close(history);
	history = NULL;
	write_plain(rubbish, sizeof(rubbish), 0);
	reopen();
	snprintf(message, sizeof(message),
		 "%s: is damaged (file is not a database); move it away to begin anew; "
		 "regild-history(5) says how to save what is left",
		 path);
	assert_error(rg_history_list(history, &any, &arena, &runs, &count), RG_E_PARSE, message);
	assert_error(put(&run, "t/b.json", &golden, true), RG_E_PARSE, message);
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_file_read(&bytes, path));
	assert_memory_equal(bytes.data, rubbish, sizeof(rubbish));
}

TEST_WITH(other_databases_are_left_alone, start, stop)
{
	rg_history_run run = run_of(8);
	char message[300];

	put_id(7);
	change("PRAGMA user_version = 6");
	reopen();
	snprintf(message, sizeof(message),
		 "%s: was written by a newer regild (schema 6, not 5); use that one", path);
	assert_error(put(&run, "t/b.json", &golden, true), RG_E_CONFLICT, message);
	change("PRAGMA user_version = 1");
	snprintf(
		message, sizeof(message),
		"%s: was written by an older regild (schema 1, not 5); move it away to begin anew; "
		"sqlite3's .dump writes out what it has",
		path);
	assert_error(put(&run, "t/b.json", &golden, true), RG_E_CONFLICT, message);
	change("PRAGMA user_version = 5; PRAGMA application_id = 7");
	reopen();
	snprintf(message, sizeof(message), "%s: is another program's database", path);
	assert_error(put(&run, "t/b.json", &golden, true), RG_E_CONFLICT, message);
	change("PRAGMA user_version = 0; PRAGMA application_id = 0");
	reopen();
	assert_error(put(&run, "t/b.json", &golden, true), RG_E_CONFLICT, message);
	change("PRAGMA user_version = 5; PRAGMA application_id = 1919379561");
	reopen();
	assert_int_equal(count_runs(), 1);
}

static rg_error *count_good(void *context, size_t run, rg_history_golden *found)
{
	(void)run;
	*(size_t *)context += found->golden != NULL;
	if (found->why) {
		assert_int_equal(rg_error_get_code(found->why), RG_E_MISMATCH);
		assert_string_equal(rg_error_message(found->why),
				    "incomplete here: a replica is behind, or data is lost");
	}
	rg_golden_free(found->golden);
	rg_error_free(found->why);
	return NULL;
}

/* A metric that is lost is its golden's matter; a golden that is lost is the run's, and nothing is
 * put beside it as if it were all. */
TEST_WITH(lost_rows, start, stop)
{
	static const char lost[] = "incomplete here: a replica is behind, or data is lost";
	const rg_history_run run = run_of(7);
	rg_history_run there, *runs;
	size_t count, good = 0;
	rg_history_put *to;
	rg_golden *back;
	uint64_t rows;

	put_id(7);
	assert_success(put(&run, "t/a.json", &golden, true));
	change("DELETE FROM texts WHERE golden = 1 AND metric = 'text'");
	runs = list(NULL, &count);
	assert_success(rg_history_count_rows(history, runs, 1, &rows));
	assert_int_equal(rows, runs->rows - 1);
	assert_error(get(runs, "t/b.json", &back), RG_E_MISMATCH, lost);
	assert_null(back);
	assert_success(rg_history_goldens(history, runs, 1, 59, count_good, &good));
	assert_int_equal(good, 1);
	/* It is put again, and whole with that. */
	assert_success(put(&run, "t/b.json", &golden, true));
	runs = list(NULL, &count);
	assert_success(rg_history_count_rows(history, runs, 1, &rows));
	assert_int_equal(rows, runs->rows);
	change("PRAGMA foreign_keys = ON; DELETE FROM goldens WHERE golden = 2");
	assert_error(rg_history_goldens(history, runs, 1, 59, count_good, &good), RG_E_MISMATCH,
		     lost);
	assert_int_equal(good, 2);
	assert_error(put(&run, "t/b.json", &golden, true), RG_E_MISMATCH, lost);
	assert_success(rg_history_begin(&to, history, &run, &there));
	assert_success(rg_history_clear(to));
	assert_success(rg_history_add(to, "t/b.json", sha256, 59, &golden));
	assert_success(rg_history_commit(to, true));
	assert_success(rg_history_goldens(history, list(NULL, &count), 1, 59, count_good, &good));
	assert_int_equal(good, 3);
}

/* For every connection that is opened from now on. */
static int limit_pages(sqlite3 *db, char **error, const void *api)
{
	(void)error;
	(void)api;
	return sqlite3_exec(db, "PRAGMA max_page_count = 14", NULL, NULL, NULL);
}

/* A full disk: the run that does not fit is not there at all, and the others are. */
TEST_WITH(full_disk, start, stop)
{
	enum { MANY = 20000 };
	static double noise[MANY];
	const rg_metric one = {
		.name = "m", .kind = RG_METRIC_SERIES, .count = MANY, .values = noise};
	const rg_golden large = {.format = "json", .metrics = &one, .count = 1};
	const rg_history_run run = run_of(8);
	rg_error *err;
	size_t i;

	for (i = 0; i < MANY; i++)
		noise[i] = sin((double)i);
	put_id(7);
	sqlite3_auto_extension((void (*)(void))limit_pages);
	reopen();
	err = put(&run, "t/b.json", &large, true);
	sqlite3_reset_auto_extension();
	assert_non_null(err);
	assert_int_equal(rg_error_errno(err), ENOSPC);
	rg_error_free(err);
	assert_int_equal(count_runs(), 1);
	reopen();
	assert_success(put(&run, "t/b.json", &large, true));
	assert_int_equal(count_runs(), 2);
}

/* Several processes put at once, each its own runs and all of them one; each is killed in the
 * middle of a put, with its journal on the disk. All that was committed is there. */
TEST_WITH(many_writers_and_kills, start, stop)
{
	enum { PROCESSES = 5, RUNS = 4 };
	pid_t children[PROCESSES];
	rg_history_run *runs;
	rg_golden *back;
	size_t count, i;
	uint64_t id;

	for (i = 0; i < PROCESSES; i++) {
		children[i] = fork();
		if (!children[i]) {
			rg_history_run run = run_of(1000 + i), there;
			rg_history_put *to;

			history = NULL;
			reopen();
			for (id = 1; id <= RUNS; id++)
				put_id(i * 100 + id);
			put_id(999);
			assert_success(rg_history_begin(&to, history, &run, &there));
			assert_success(rg_history_add(to, "t/b.json", sha256, 59, &golden));
			raise(SIGKILL);
		}
	}
	for (i = 0; i < PROCESSES; i++) {
		int status;

		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	}
	runs = list(NULL, &count);
	assert_int_equal(count, PROCESSES * RUNS + 1);
	for (i = 0; i < count; i++) {
		assert_true(runs[i].id < 1000 && runs[i].complete);
		assert_success(get(&runs[i], "t/b.json", &back));
		assert_int_equal(back->count, KEPT);
		rg_golden_free(back);
	}
}

/* Puts runs in a row and says each one's number when it is committed. */
static void put_until_killed(int to)
{
	uint64_t id = 1;

	history = NULL;
	reopen();
	while (1) {
		put_id(id);
		if (write(to, &id, sizeof(id)) < 0)
			_exit(1);
		id++;
	}
}

/* Killed at any moment of any put, with nobody there to clean up. */
TEST_WITH(killed_at_any_moment, start, stop)
{
	enum { ROUNDS = 12 };
	uint64_t round, id;

	for (round = 0; round < ROUNDS; round++) {
		const struct timespec pause = {.tv_nsec = (long)round * 300 * 1000};
		uint64_t last = 0;
		rg_history_run *runs;
		rg_golden *back;
		size_t count, i;
		int ends[2];
		pid_t child;

		assert_int_equal(pipe(ends), 0);
		child = fork();
		if (!child)
			put_until_killed(ends[1]);
		close(ends[1]);
		for (id = 0; id < 3; id = last)
			assert_int_equal(read(ends[0], &last, sizeof(last)), sizeof(last));
		nanosleep(&pause, NULL);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		while (read(ends[0], &id, sizeof(id)) == sizeof(id))
			last = id;
		close(ends[0]);
		runs = list(NULL, &count);
		assert_true(count >= last);
		for (i = 0; i < count; i++) {
			assert_int_equal(runs[i].id, i + 1);
			assert_true(runs[i].complete);
			assert_success(get(&runs[i], "t/b.json", &back));
			assert_int_equal(back->count, KEPT);
			rg_golden_free(back);
		}
	}
}

/* ---- a migration that is killed ---- */

static int operations; /* that change the file, before the process is killed */

static void count_operation(void)
{
	if (!operations--)
		raise(SIGKILL);
}

static ssize_t counted_write(int fd, const void *bytes, size_t size)
{
	count_operation();
	return write(fd, bytes, size);
}

static ssize_t counted_pwrite(int fd, const void *bytes, size_t size, off_t at)
{
	count_operation();
	return pwrite(fd, bytes, size, at);
}

static int counted_ftruncate(int fd, off_t size)
{
	count_operation();
	return ftruncate(fd, size);
}

static int counted_unlink(const char *name)
{
	count_operation();
	return unlink(name);
}

static void migrate_until_killed(int after)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	bool done;

	operations = after;
	vfs->xSetSystemCall(vfs, "write", (sqlite3_syscall_ptr)counted_write);
	vfs->xSetSystemCall(vfs, "pwrite", (sqlite3_syscall_ptr)counted_pwrite);
	vfs->xSetSystemCall(vfs, "pwrite64", (sqlite3_syscall_ptr)counted_pwrite);
	vfs->xSetSystemCall(vfs, "ftruncate", (sqlite3_syscall_ptr)counted_ftruncate);
	vfs->xSetSystemCall(vfs, "unlink", (sqlite3_syscall_ptr)counted_unlink);
	rg_error *err = rg_history_migrate_file(path, &done);
	_exit(err || !done);
}

/* As the version before wrote it. */
static void make_older(void)
{
	sqlite3 *db;

	rg_history_close(history);
	history = NULL;
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db,
				      "PRAGMA user_version = 4; DROP TABLE verdicts; "
				      "DROP TABLE breaks",
				      NULL, NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
}

/* Killed at each operation that changes the disk: what is there then is the old file or the new
 * one, and the next try, if there need be one, ends it. */
TEST_WITH(killed_migration, start, stop)
{
	int status = 1, kills = 0;

	put_id(1);
	put_id(2);
	for (int after = 0; status; after++) {
		bool done;

		make_older();
		pid_t child = fork();
		if (!child)
			migrate_until_killed(after);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(!status || (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
		kills += status != 0;
		assert_success(rg_history_migrate_file(path, &done));
		assert_int_equal(done, status != 0);
		reopen();
		assert_int_equal(count_runs(), 2);
	}
	assert_in_range(kills, 8, 200);
}

static int count_row(void *context, int columns, char **texts, char **names)
{
	(void)columns;
	(void)texts;
	(void)names;
	++*(size_t *)context;
	return 0;
}

/* Each block of SQL in regild-history(5) does what is said of it. */
TEST_WITH(queries_of_the_manual, start, stop)
{
	static const double losses[] = {10.5, 9.25};
	static const rg_metric one = {
		.name = "lm loss", .kind = RG_METRIC_SERIES, .count = 2, .values = losses};
	static const rg_golden loss = {.format = "json", .metrics = &one, .count = 1};
	const rg_history_run run = run_of(22651183945);
	char *block, *end;
	size_t blocks = 0;
	sqlite3 *db;

	assert_success(put(&run, "t/golden_values_dev_dgx_h100.json", &loss, true));
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	RG_AUTO(rg_buf) manual = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_file_read(&manual, "man/regild-history.5"));
	for (block = manual.data; (block = strstr(block, ".Bd -literal -offset indent\n")) != NULL;
	     block = end + 1) {
		size_t rows = 0;

		block = strchr(block, '\n') + 1;
		end = strstr(block, "\n.Ed");
		assert_non_null(end);
		*end = '\0';
		if (!strncmp(block, "regild ", 7))
			continue;
		assert_int_equal(sqlite3_exec(db, block, count_row, &rows, NULL), SQLITE_OK);
		assert_int_equal(rows, strncmp(block, "SELECT", 6) ? 0 : 1);
		blocks++;
	}
	assert_int_equal(blocks, 3);
	assert_int_equal(sqlite3_exec(db, "SELECT 1 FROM series", count_row, &blocks, NULL),
			 SQLITE_OK);
	assert_int_equal(blocks, 3); /* the last one removed everything */
	sqlite3_close(db);
}

/* A loss curve of 8 digits takes about 4 bytes a value. */
TEST_WITH(size, start, stop)
{
	enum { COUNT = 5000 };
	static double curve[COUNT];
	const rg_metric one = {
		.name = "lm loss", .kind = RG_METRIC_SERIES, .count = COUNT, .values = curve};
	const rg_golden loss = {.format = "json", .metrics = &one, .count = 1};
	const rg_history_run run = run_of(7);
	sqlite3_stmt *size;
	sqlite3 *db;
	int i;

	for (i = 0; i < COUNT; i++)
		curve[i] = round((10 / sqrt(i + 1.0) + 0.01 * sin(i * 7.7)) * 1e6) / 1e6;
	assert_success(put(&run, "t/b.json", &loss, true));
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(db, "SELECT length(\"values\") FROM series", -1, &size, NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_step(size), SQLITE_ROW);
	assert_in_range(sqlite3_column_int(size, 0), COUNT, COUNT * 4);
	sqlite3_finalize(size);
	sqlite3_close(db);
}

int main(void)
{
	int failed = unit_run();

	rg_arena_release(&arena);
	return failed;
}

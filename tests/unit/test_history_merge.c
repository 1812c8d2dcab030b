/* SPDX-License-Identifier: Apache-2.0 */
/* Histories that are merged come to the same in any order; what somebody made to harm stays out. */
#include "unit/unit.h"
#include "unit/random.h"

#include "base/file.h"
#include "store/history_digest.h"
#include "store/history_merge.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 5, PATHS = 3, ROUNDS = 6, NAME = 96 };

static char folder[64];
static rg_arena arena;

FIXTURE(start)
{
	rg_arena_init(&arena);
	/* In memory where there is such a place: hundreds of runs are put, each for good. */
	snprintf(folder, sizeof(folder), "%s/regild-merge-XXXXXX",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
	return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(stop)
{
	rg_arena_release(&arena);
	rg_error_free(rg_remove_tree(folder));
	return 0;
}

static rg_history_store *open_named(const char *name)
{
	rg_history_store *history;
	char path[NAME];

	snprintf(path, sizeof(path), "%s/%s.db", folder, name);
	assert_success(rg_history_open(&history, path, NULL));
	return history;
}

static rg_history_store *open_foreign(const char *name)
{
	rg_history_store *history;
	char path[NAME];

	snprintf(path, sizeof(path), "%s/%s.db", folder, name);
	assert_success(rg_history_open_foreign(&history, path));
	return history;
}

/* A golden whose value is one of two. */
static void add_golden(rg_history_put *put, size_t path, uint32_t choice)
{
	const double value = (double)(choice % 2);
	const rg_metric metric = {
		.name = "loss", .kind = RG_METRIC_SERIES, .count = 1, .values = &value};
	const rg_golden golden = {.format = "json", .metrics = &metric, .count = 1};
	char name[16], sha256[RG_SHA256_HEX];

	snprintf(name, sizeof(name), "t/%zu.json", path);
	/* The same file may have been read in two ways. */
	assert_success(rg_sha256_hex(&path, 1, sha256));
	assert_success(rg_history_add(put, name, sha256, 10, &golden));
}

static rg_history_run run_of(uint64_t id, unsigned attempt, const char *branch)
{
	return (rg_history_run){.repository = "github.com/o/r",
				.source = "github",
				.settings = "0123",
				.id = id,
				.attempt = attempt,
				.commit = "0123abc",
				.branch = branch,
				.event = "schedule",
				.when = "2026-04-02T10:00:00Z"};
}

static void put_random(rg_history_store *history, uint64_t id, uint32_t *random)
{
	const rg_history_run run =
		run_of(id, 1 + next_random(random) % 2, next_random(random) % 4 ? "main" : "dev");
	rg_history_run there;
	rg_history_put *put;
	size_t path;

	assert_success(rg_history_begin(&put, history, &run, &there));
	for (path = 0; path < PATHS; path++)
		if (next_random(random) % 3)
			add_golden(put, path, next_random(random));
	assert_success(rg_history_commit(put, next_random(random) % 2));
}

static void fill(const char *name, uint32_t *random)
{
	rg_history_store *history = open_named(name);
	uint64_t id;

	for (id = 1; id <= RUNS; id++)
		if (next_random(random) % 3)
			put_random(history, id, random);
	rg_history_close(history);
}

static rg_history_merged merge(const char *into, const char *from)
{
	rg_history_merge_options options = {
		.into = open_named(into), .from = open_named(from), .bytes_max = 100};
	rg_history_merged out;

	assert_success(rg_history_merge(&out, &options));
	rg_history_close(options.into);
	rg_history_close(options.from);
	return out;
}

/* One text for all that it has. */
static void describe(const char *name, rg_buf *out)
{
	const rg_history_query any = {0};
	rg_history_store *history = open_named(name);
	rg_history_run *runs;
	size_t count, i;

	rg_buf_init(out, RG_BUF_TEXT);
	assert_success(rg_history_list(history, &any, &arena, &runs, &count));
	for (i = 0; i < count; i++) {
		char digest[RG_SHA256_HEX];

		assert_success(rg_history_digest(history, &runs[i], 100, digest));
		rg_buf_printf(out, "%llu %s\n", (unsigned long long)runs[i].id, digest);
	}
	rg_history_close(history);
}

/* `order`: into which the others go, and which: "a", "bc". */
static void merge_all(const char *name, const char *order, rg_buf *out)
{
	for (; *order; order++) {
		const char from[2] = {*order, '\0'};

		merge(name, from);
	}
	describe(name, out);
}

static void remove_named(const char *name)
{
	char path[NAME];

	snprintf(path, sizeof(path), "%s/%s.db", folder, name);
	unlink(path);
}

TEST_EACH(start, stop);

/* Also what is merged has been merged: "ab" is a with b in it. */
TEST(any_order_comes_to_the_same)
{
	static const char *const orders[] = {"abc", "cba", "bca", "aabbcc", "cabbac"};
	uint32_t random = 7;
	size_t round, i;

	for (round = 0; round < ROUNDS; round++) {
		rg_buf wanted, got;

		for (i = 0; i < 3; i++) {
			const char name[2] = {(char)('a' + i), '\0'};

			remove_named(name);
			fill(name, &random);
		}
		remove_named("all");
		merge_all("all", orders[0], &wanted);
		for (i = 1; i < sizeof(orders) / sizeof(*orders); i++) {
			remove_named("other");
			merge_all("other", orders[i], &got);
			assert_string_equal(got.data, wanted.data);
			rg_buf_release(&got);
		}
		merge_all("a", "bc", &got);
		assert_string_equal(got.data, wanted.data);
		rg_buf_release(&got);
		merge_all("c", "ab", &got);
		assert_string_equal(got.data, wanted.data);
		rg_buf_release(&got);
		rg_buf_release(&wanted);
	}
}

/* Puts a run with so many goldens. */
static void put_run(const char *name, unsigned attempt, size_t goldens, bool complete)
{
	rg_history_store *history = open_named(name);
	const rg_history_run run = run_of(1, attempt, "main");
	rg_history_run there;
	rg_history_put *put;
	size_t path;

	assert_success(rg_history_begin(&put, history, &run, &there));
	for (path = 0; path < goldens; path++)
		add_golden(put, path, 0);
	assert_success(rg_history_commit(put, complete));
	rg_history_close(history);
}

/* Attempt 1 with two goldens, and another one: which stays, in both directions. */
TEST(rule)
{
	static const struct {
		unsigned attempt;
		size_t goldens;
		bool complete, stays;
	} cases[] = {{2, 1, false, true},
		     {1, 1, true, true},
		     {1, 3, false, true},
		     {1, 1, false, false},
		     {0, 3, true, false}};
	rg_history_merged got;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_buf a, b;

		remove_named("a");
		remove_named("b");
		put_run("a", 1, 2, false);
		put_run("b", cases[i].attempt, cases[i].goldens, cases[i].complete);
		got = merge("a", "b");
		assert_int_equal(got.replaced, cases[i].stays);
		assert_int_equal(got.kept, !cases[i].stays);
		got = merge("b", "a");
		assert_int_equal(got.same, cases[i].stays);
		assert_int_equal(got.replaced, !cases[i].stays);
		describe("a", &a);
		describe("b", &b);
		assert_string_equal(a.data, b.data);
		rg_buf_release(&a);
		rg_buf_release(&b);
	}
}

static void change(const char *name, const char *sql)
{
	char path[NAME];
	sqlite3 *db;

	snprintf(path, sizeof(path), "%s/%s.db", folder, name);
	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static rg_error *merge_foreign(rg_history_merged *out)
{
	rg_history_merge_options options = {
		.into = open_named("ours"), .from = open_foreign("theirs"), .bytes_max = 100};
	rg_error *err = rg_history_merge(out, &options);

	rg_history_close(options.into);
	rg_history_close(options.from);
	return err;
}

/* What is wrong with one run leaves that one out. */
TEST(hostile_runs_stay_out)
{
	static const char *const changes[] = {
		"UPDATE runs SET id = 0",
		"UPDATE runs SET id = -1",
		"UPDATE runs SET repository = ''",
		"UPDATE runs SET branch = printf('%.*c', 1025, 'x')",
		"UPDATE files SET path = '../../.bashrc'",
		"UPDATE files SET path = '/etc/passwd'",
		"UPDATE goldens SET bytes = 101",
		"UPDATE goldens SET bytes = -1",
		"UPDATE goldens SET sha256 = 'abc'",
		"UPDATE goldens SET sha256 = upper(sha256)",
		"UPDATE goldens SET records = '['",
		"UPDATE series SET n_steps = 2",
		"UPDATE series SET n_steps = 1 << 60",
		"UPDATE series SET \"values\" = zeroblob(70)",
		"INSERT INTO texts SELECT golden, metric, 'twice' FROM series",
		"INSERT INTO texts SELECT golden, 'loss' || char(0) || 'x', '' FROM series",
	};
	rg_history_merged got;
	size_t i;

	for (i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		remove_named("ours");
		remove_named("theirs");
		put_run("theirs", 1, 1, true);
		change("theirs", changes[i]);
		assert_success(merge_foreign(&got));
		if (got.left_out != 1 || got.added)
			fail_msg("it came in: %s", changes[i]);
	}
}

/* What is wrong with the file is an error, and nothing of it is taken. */
TEST(hostile_files_are_refused)
{
	static const struct {
		const char *sql, *message;
	} cases[] = {
		{"CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
		 "does not have the tables that regild makes"},
		{"ALTER TABLE runs RENAME TO r; CREATE VIEW runs AS SELECT * FROM r",
		 "does not have the tables that regild makes"},
		{"ALTER TABLE runs ADD COLUMN more AS (zeroblob(1000000))",
		 "does not have the tables that regild makes"},
		{"PRAGMA user_version = 9",
		 "was written by a newer regild (schema 9, not 5); use that one"},
		{"PRAGMA application_id = 9", "is another program's database"},
		{"PRAGMA application_id = 0; PRAGMA user_version = 0",
		 "is another program's database"},
		{"PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 3 "
		 "WHERE name = 'series'",
		 NULL},
	};
	rg_history_merged got;
	char wanted[256];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_error *err;

		remove_named("ours");
		remove_named("theirs");
		put_run("theirs", 1, 1, true);
		change("theirs", cases[i].sql);
		err = merge_foreign(&got);
		assert_non_null(err);
		snprintf(wanted, sizeof(wanted), "%s/theirs.db: %s", folder,
			 cases[i].message ? cases[i].message : "is damaged");
		assert_memory_equal(rg_error_message(err), wanted, strlen(wanted));
		rg_error_free(err);
		assert_int_equal(got.added, 0);
	}
}

/* Whatever bytes are damaged: some runs, or an error; the own history is never harmed. */
TEST(damaged_files)
{
	uint32_t random = 3;
	char path[NAME];
	size_t round;

	remove_named("theirs");
	fill("theirs", &random);
	snprintf(path, sizeof(path), "%s/theirs.db", folder);
	for (round = 0; round < 60; round++) {
		FILE *file = fopen(path, "rb+");
		rg_history_merged got;
		rg_buf all;
		long at;
		int byte;

		assert_non_null(file);
		fseek(file, 0, SEEK_END);
		at = (long)(next_random(&random) % (uint32_t)ftell(file));
		fseek(file, at, SEEK_SET);
		byte = fgetc(file);
		fseek(file, at, SEEK_SET);
		fputc(byte ^ (int)(1 + next_random(&random) % 255), file);
		fclose(file);
		remove_named("ours");
		rg_error_free(merge_foreign(&got));
		describe("ours", &all);
		rg_buf_release(&all);
		file = fopen(path, "rb+");
		fseek(file, at, SEEK_SET);
		fputc(byte, file);
		fclose(file);
	}
}

TEST(no_file)
{
	rg_history_merged got;
	rg_error *err = merge_foreign(&got);

	assert_int_equal(rg_error_get_code(err), RG_E_IO);
	rg_error_free(err);
}

/* ---- kills and full disks ---- */

/* Of SQLite's calls that change the disk, this one kills the process, or fails as on a full disk.
 */
static struct {
	int left;
	bool full;
	ssize_t (*pwrite)(int, const void *, size_t, off_t);
	int (*ftruncate)(int, off_t);
	int (*unlink)(const char *);
} fault;

/* Is it that call? Once the disk is full it stays so. */
static bool strikes(void)
{
	if (fault.left > 1) {
		fault.left--;
		return false;
	}
	if (!fault.full)
		raise(SIGKILL);
	errno = ENOSPC;
	return true;
}

static ssize_t bad_pwrite(int fd, const void *bytes, size_t length, off_t at)
{
	return strikes() ? -1 : fault.pwrite(fd, bytes, length, at);
}

static int bad_ftruncate(int fd, off_t length)
{
	/* A full disk has room for less. */
	return !fault.full && strikes() ? -1 : fault.ftruncate(fd, length);
}

static int bad_unlink(const char *name)
{
	return !fault.full && strikes() ? -1 : fault.unlink(name);
}

static void set_fault(int at, bool full)
{
	sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
	const char *pwrite_name =
		sizeof(off_t) == 8 && vfs->xGetSystemCall(vfs, "pwrite64") ? "pwrite64" : "pwrite";

	fault.left = at;
	fault.full = full;
	fault.pwrite =
		(ssize_t(*)(int, const void *, size_t, off_t))vfs->xGetSystemCall(vfs, pwrite_name);
	fault.ftruncate = (int (*)(int, off_t))vfs->xGetSystemCall(vfs, "ftruncate");
	fault.unlink = (int (*)(const char *))vfs->xGetSystemCall(vfs, "unlink");
	vfs->xSetSystemCall(vfs, pwrite_name, (sqlite3_syscall_ptr)bad_pwrite);
	vfs->xSetSystemCall(vfs, "ftruncate", (sqlite3_syscall_ptr)bad_ftruncate);
	vfs->xSetSystemCall(vfs, "unlink", (sqlite3_syscall_ptr)bad_unlink);
}

enum { DONE, FULL, OTHER };

static int how_it_went(rg_error *err)
{
	int how = !err ? DONE : rg_error_errno(err) == ENOSPC ? FULL : OTHER;

	rg_error_free(err);
	return how;
}

static int merge_and_say(void)
{
	const rg_history_merge_options options = {
		.into = open_named("ours"), .from = open_named("theirs"), .bytes_max = 100};
	rg_history_merged out;
	rg_error *err = rg_history_merge(&out, &options);

	rg_history_close(options.into);
	rg_history_close(options.from);
	return how_it_went(err);
}

static int prune_and_say(void)
{
	rg_history_store *history = open_named("ours");
	const rg_history_query any = {0};
	rg_history_run *runs;
	uint64_t freed;
	size_t count;
	rg_error *err = rg_history_list(history, &any, &arena, &runs, &count);

	if (!err)
		err = rg_history_remove(history, runs, count - 1, false, &freed);
	rg_history_close(history);
	return how_it_went(err);
}

/* True once the fault comes too late. */
static bool run_with_fault(int (*work)(void), int at, bool full)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		set_fault(at, full);
		_exit(work());
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status)) {
		assert_int_equal(WTERMSIG(status), SIGKILL);
		return false;
	}
	assert_int_not_equal(WEXITSTATUS(status), OTHER);
	return WEXITSTATUS(status) == DONE;
}

static void copy_named(const char *from, const char *to)
{
	char source[NAME], target[NAME];
	rg_buf bytes;

	snprintf(source, sizeof(source), "%s/%s.db", folder, from);
	snprintf(target, sizeof(target), "%s/%s.db", folder, to);
	rg_buf_init(&bytes, RG_BUF_TEXT);
	assert_success(rg_file_read(&bytes, source));
	assert_success(rg_file_replace(target, bytes.data, bytes.length, 0600));
	rg_buf_release(&bytes);
	snprintf(target, sizeof(target), "%s/%s.db-journal", folder, to);
	unlink(target);
}

/* What was interrupted is done when it is done again. */
static void interrupt_everywhere(int (*work)(void), bool full)
{
	rg_buf before, wanted, got;
	uint32_t random = 11;
	int at;

	fill("start", &random);
	fill("theirs", &random);
	copy_named("start", "ours");
	describe("ours", &before);
	assert_int_equal(work(), DONE);
	describe("ours", &wanted);
	assert_string_not_equal(before.data, wanted.data);
	for (at = 1;; at++) {
		copy_named("start", "ours");
		if (run_with_fault(work, at, full))
			break;
		describe("ours", &got);
		/* All of a removal, or nothing. */
		if (work == prune_and_say && strcmp(got.data, before.data) != 0)
			assert_string_equal(got.data, wanted.data);
		rg_buf_release(&got);
		if (work == merge_and_say)
			assert_int_equal(work(), DONE);
		describe("ours", &got);
		if (work == merge_and_say)
			assert_string_equal(got.data, wanted.data);
		rg_buf_release(&got);
	}
	assert_true(at > 10);
	rg_buf_release(&before);
	rg_buf_release(&wanted);
}

TEST(killed_merges)
{
	interrupt_everywhere(merge_and_say, false);
}

TEST(merges_on_a_full_disk)
{
	interrupt_everywhere(merge_and_say, true);
}

TEST(killed_removals)
{
	interrupt_everywhere(prune_and_say, false);
}

TEST(removals_on_a_full_disk)
{
	interrupt_everywhere(prune_and_say, true);
}

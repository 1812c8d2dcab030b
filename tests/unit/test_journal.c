/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "base/file.h"
#include "update/journal.h"
#include "update/update_log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char top[64];
static rg_journal *journal;

static void path_of(const char *name, char out[static 256])
{
	snprintf(out, 256, "%s/tree/%s", top, name);
}

static void write_file(const char *name, const char *text)
{
	char path[256];

	path_of(name, path);
	assert_null(rg_make_parent_dirs(path, 0777));
	assert_null(rg_file_replace(path, text, strlen(text), 0644));
}

static void under_git(const char *name, char out[static 256])
{
	snprintf(out, 256, "%s/git/regild/%s", top, name);
}

/* `wanted` NULL: there must be no such file. */
static void check_file(const char *name, const char *wanted)
{
	char path[256];

	path_of(name, path);
	if (!wanted) {
		assert_int_not_equal(access(path, F_OK), 0);
		return;
	}
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	assert_null(rg_file_read(&text, path));
	assert_string_equal(text.data, wanted);
}

FIXTURE(set_up)
{
	char tree[128], git[128];

	snprintf(top, sizeof(top), "build/journal-XXXXXX");
	if (!mkdtemp(top))
		return -1;
	snprintf(tree, sizeof(tree), "%s/tree", top);
	snprintf(git, sizeof(git), "%s/git", top);
	if (mkdir(tree, 0777) || mkdir(git, 0777) || rg_journal_open(&journal, tree, git, NULL) ||
	    rg_journal_lock(journal))
		return -1;
	write_file("a", "old a");
	write_file("dir/b", "old b");
	return 0;
}

FIXTURE(tear_down)
{
	rg_error *err;

	rg_journal_close(journal);
	err = rg_remove_tree(top);
	rg_error_free(err);
	return err ? -1 : 0;
}

/* What the entries of a test's record become. */
static const char *const new_texts[] = {"new a", NULL, "new c"};

static rg_error *give(void *context, size_t index, rg_buf *out)
{
	const char *const *texts = context ? context : new_texts;

	rg_buf_str(out, texts[index]);
	return rg_buf_check(out, "test");
}

static void add(rg_record *record, const char *path, const char *text)
{
	rg_entry *entry;

	entry = rg_record_add(record, path);
	assert_null(rg_journal_look(journal, path, &entry->old));
	if (!text)
		return;
	entry->new_side = (rg_side){.exists = true, .mode = 0640, .size = strlen(text)};
	assert_null(rg_sha256_hex(text, strlen(text), entry->new_side.sha256));
}

/* "a" is replaced, "dir/b" removed, "deep/er/c" made. */
static void plan(rg_record *record)
{
	rg_record_init(record);
	add(record, "a", new_texts[0]);
	add(record, "dir/b", NULL);
	add(record, "deep/er/c", new_texts[2]);
}

static void check_old(void)
{
	check_file("a", "old a");
	check_file("dir/b", "old b");
	check_file("deep", NULL);
}

static void check_nothing_pending(void)
{
	bool pending;

	assert_null(rg_journal_pending(journal, &pending, NULL));
	assert_false(pending);
}

TEST_EACH(set_up, tear_down);

TEST(apply_and_undo)
{
	rg_record record, undone;
	rg_update_log update_log;
	struct stat st;
	char path[256];

	plan(&record);
	assert_null(rg_journal_apply(journal, &record, give, NULL));
	assert_int_equal(record.id, 1);
	check_file("a", "new a");
	check_file("dir", NULL); /* left empty, so it goes too */
	check_file("deep/er/c", "new c");
	path_of("a", path);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	check_nothing_pending();
	rg_record_release(&record);

	assert_null(rg_update_log_read(&update_log, journal));
	assert_int_equal(update_log.count, 1);
	rg_record_init(&undone);
	assert_null(rg_undo(journal, NULL, rg_update_log_latest(&update_log), &undone));
	check_old();
	rg_record_release(&undone);
	rg_update_log_release(&update_log);

	assert_null(rg_update_log_read(&update_log, journal));
	assert_int_equal(update_log.count, 2);
	assert_true(update_log.undone[1]);
	assert_null(rg_update_log_latest(&update_log));
	rg_update_log_release(&update_log);
}

/* One record that only replaces "a". */
static void replace_a(const char *text)
{
	const char *texts[] = {text};
	rg_record record;

	rg_record_init(&record);
	add(&record, "a", text);
	assert_null(rg_journal_apply(journal, &record, give, texts));
	rg_record_release(&record);
}

/* Undoes the latest that is not undone yet; whether there was one. */
static bool undo_latest(void)
{
	const rg_record *latest;
	rg_update_log update_log;
	rg_record undone;

	assert_null(rg_update_log_read(&update_log, journal));
	latest = rg_update_log_latest(&update_log);
	rg_record_init(&undone);
	if (latest)
		assert_null(rg_undo(journal, NULL, latest, &undone));
	rg_record_release(&undone);
	rg_update_log_release(&update_log);
	return latest;
}

/* One undo after the other goes back, past what was undone before. */
TEST(undo_goes_back)
{
	replace_a("first");
	replace_a("second");
	assert_true(undo_latest());
	check_file("a", "first");
	replace_a("third");
	assert_true(undo_latest());
	check_file("a", "first");
	assert_true(undo_latest());
	check_file("a", "old a");
	assert_false(undo_latest());
}

/* As many as are synced at once, and one more. */
TEST(many_files)
{
	static const char *texts[129];
	rg_record record;
	char name[16];
	size_t i;

	rg_record_init(&record);
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		texts[i] = "new";
		snprintf(name, sizeof(name), "many/%03zu", i);
		add(&record, name, texts[i]);
	}
	assert_null(rg_journal_apply(journal, &record, give, (void *)(uintptr_t)texts));
	check_file("many/000", "new");
	check_file("many/128", "new");
	rg_record_release(&record);
	assert_true(undo_latest());
	check_file("many", NULL);
}

/* ulimit -n 64 */
TEST(many_files_where_few_may_be_open)
{
	struct rlimit before, few;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = 64;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	test_many_files(state);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
}

static mode_t mode_of(const char *name)
{
	char path[256];
	struct stat st;

	path_of(name, path);
	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

/* The modes that git writes go through the umask only where the file is new. */
TEST(permissions_stay)
{
	static const mode_t modes[] = {0666, 0777, 0600, 0644};
	rg_record record;
	char path[256];
	size_t i;

	path_of("a", path);
	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		assert_int_equal(chmod(path, modes[i]), 0);
		rg_record_init(&record);
		add(&record, "a", i % 2 ? "one" : "two");
		record.entries[0].new_side.mode = modes[i];
		assert_null(rg_journal_apply(journal, &record, give,
					     i % 2 ? (void *)(uintptr_t)(const char *[]){"one"}
						   : (void *)(uintptr_t)(const char *[]){"two"}));
		rg_record_release(&record);
		assert_int_equal(mode_of("a"), modes[i]);
		assert_true(undo_latest());
		assert_int_equal(mode_of("a"), modes[i]);
	}
}

static void expect(rg_error *err, rg_error_code code)
{
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), code);
	rg_error_free(err);
}

TEST(changed_since_planned)
{
	rg_record record;

	plan(&record);
	write_file("dir/b", "work");
	expect(rg_journal_apply(journal, &record, give, NULL), RG_E_CONFLICT);
	check_file("a", "old a");
	check_file("dir/b", "work");
	check_nothing_pending();
	rg_record_release(&record);
}

/* Somebody writes while the new bytes are gathered: seen right before the rename, and taken back.
 */
static rg_error *give_and_interfere(void *context, size_t index, rg_buf *out)
{
	if (index == 2)
		write_file("dir/b", "work");
	return give(context, index, out);
}

TEST(changed_while_applied)
{
	rg_record record;

	plan(&record);
	expect(rg_journal_apply(journal, &record, give_and_interfere, NULL), RG_E_CONFLICT);
	check_file("a", "old a");
	check_file("dir/b", "work");
	check_file("deep", NULL);
	check_nothing_pending();
	rg_record_release(&record);
}

TEST(undo_refuses_changed_files)
{
	rg_record record, undone;
	rg_error *err;

	plan(&record);
	assert_null(rg_journal_apply(journal, &record, give, NULL));
	write_file("a", "work");
	rg_record_init(&undone);
	err = rg_undo(journal, NULL, &record, &undone);
	assert_non_null(err);
	assert_non_null(strstr(rg_error_message(err), "changed since: a"));
	rg_error_free(err);
	check_file("a", "work");
	check_file("deep/er/c", "new c");
	rg_record_release(&undone);
	rg_record_release(&record);
}

/* A refusal names ten files and counts the others; it is freed. */
static void expect_names(rg_error *err, size_t changed)
{
	const char *message, *more;
	char text[32];

	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_CONFLICT);
	message = rg_error_message(err);
	assert_non_null(strstr(message, "f/00, f/01"));
	assert_non_null(strstr(message, "f/09"));
	assert_null(strstr(message, "f/10"));
	more = strstr(message, " more");
	assert_int_equal(more != NULL, changed > 10);
	snprintf(text, sizeof(text), "f/09 and %zu more", changed - 10);
	if (more)
		assert_non_null(strstr(message, text));
	rg_error_free(err);
}

TEST(names_of_changed_files)
{
	static const char *texts[12];
	rg_record record, done;
	char name[16], updates[256], pending[256];
	size_t i;

	under_git("updates/1", updates);
	under_git("pending", pending);
	rg_record_init(&record);
	for (i = 0; i < 12; i++) {
		texts[i] = "new";
		snprintf(name, sizeof(name), "f/%02zu", i);
		add(&record, name, texts[i]);
	}
	assert_null(rg_journal_apply(journal, &record, give, (void *)(uintptr_t)texts));
	for (i = 0; i < 12; i++) {
		snprintf(name, sizeof(name), "f/%02zu", i);
		write_file(name, "work");
		if (i < 9)
			continue;
		rg_record_init(&done);
		expect_names(rg_undo(journal, NULL, &record, &done), i + 1);
		rg_record_release(&done);
		assert_int_equal(rename(updates, pending), 0);
		rg_record_init(&done);
		expect_names(rg_journal_continue(journal, &done), i + 1);
		rg_record_release(&done);
		assert_int_equal(rename(pending, updates), 0);
	}
	check_file("f/11", "work");
	rg_record_release(&record);
}

TEST(nothing_to_recover)
{
	rg_record record;

	rg_record_init(&record);
	expect(rg_journal_continue(journal, &record), RG_E_NOTFOUND);
	expect(rg_journal_abort(journal, &record), RG_E_NOTFOUND);
	expect(rg_journal_load(journal, 5, &record), RG_E_NOTFOUND);
	rg_record_release(&record);
}

TEST(second_lock)
{
	rg_journal *other;
	char tree[128], git[128], lock[256], message[64];
	rg_error *err;

	snprintf(tree, sizeof(tree), "%s/tree", top);
	snprintf(git, sizeof(git), "%s/git", top);
	assert_null(rg_journal_open(&other, tree, git, NULL));
	err = rg_journal_lock(other);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_CONFLICT);
	snprintf(message, sizeof(message), "process %ld is", (long)getpid());
	assert_non_null(strstr(rg_error_message(err), message));
	rg_error_free(err);
	/* Its holder has not written its number yet. */
	under_git("lock", lock);
	assert_int_equal(truncate(lock, 0), 0);
	err = rg_journal_lock(other);
	assert_non_null(err);
	assert_non_null(strstr(rg_error_message(err), "another regild is"));
	rg_error_free(err);
	rg_journal_close(other);
}

static int looks = -1;

/* In place of the C library's: who waits for the lock does so until the look at it is over. */
int nanosleep(const struct timespec *span, struct timespec *left)
{
	(void)span;
	(void)left;
	if (looks >= 0)
		close(looks);
	looks = -1;
	return 0;
}

/* A command that only looks whether something is pending is in nobody's way. */
TEST(lock_waits_for_a_look)
{
	char lock[256], tree[128], git[128];

	rg_journal_close(journal);
	under_git("lock", lock);
	looks = open(lock, O_RDONLY | O_CLOEXEC);
	assert_true(looks >= 0);
	assert_int_equal(flock(looks, LOCK_SH | LOCK_NB), 0);
	snprintf(tree, sizeof(tree), "%s/tree", top);
	snprintf(git, sizeof(git), "%s/git", top);
	assert_null(rg_journal_open(&journal, tree, git, NULL));
	assert_null(rg_journal_lock(journal));
	assert_int_equal(looks, -1);
}

/* What a killed update left is pending for whoever comes, but not while somebody is at it. */
TEST(pending)
{
	char updates[256], pending[256], tree[128], git[128];
	rg_journal *other;
	rg_record record;
	size_t entries;
	bool there;

	plan(&record);
	assert_null(rg_journal_apply(journal, &record, give, NULL));
	rg_record_release(&record);
	under_git("updates/1", updates);
	under_git("pending", pending);
	assert_int_equal(rename(updates, pending), 0);
	assert_null(rg_journal_pending(journal, &there, &entries));
	assert_true(there);
	assert_int_equal(entries, 3);
	snprintf(tree, sizeof(tree), "%s/tree", top);
	snprintf(git, sizeof(git), "%s/git", top);
	assert_null(rg_journal_open(&other, tree, git, NULL));
	assert_null(rg_journal_pending(other, &there, &entries));
	assert_false(there);
	assert_int_equal(entries, 0);
	rg_journal_close(journal);
	journal = other;
	assert_null(rg_journal_pending(journal, &there, &entries));
	assert_true(there);
	assert_int_equal(entries, 3);
	/* It is taken back, whatever was done of it. */
	assert_null(rg_journal_lock(journal));
	rg_record_init(&record);
	assert_null(rg_journal_abort(journal, &record));
	assert_int_equal(record.count, 3);
	rg_record_release(&record);
	check_old();
	check_nothing_pending();
}

TEST(only_the_newest_are_kept)
{
	uint64_t *ids;
	size_t count, i;
	char text[32];
	rg_record record;

	for (i = 0; i < RG_JOURNAL_KEPT + 2; i++) {
		snprintf(text, sizeof(text), "text %zu", i);
		replace_a(text);
	}
	assert_null(rg_journal_list(journal, &ids, &count));
	assert_int_equal(count, RG_JOURNAL_KEPT);
	assert_int_equal(ids[0], RG_JOURNAL_KEPT + 2);
	assert_int_equal(ids[count - 1], 3);
	free(ids);
	rg_record_init(&record);
	expect(rg_journal_load(journal, 2, &record), RG_E_NOTFOUND);
	assert_null(rg_journal_load(journal, 3, &record));
	RG_AUTO(rg_buf) bytes = rg_buf_of(RG_BUF_TEXT);
	assert_null(rg_journal_old_bytes(journal, &record, 0, &bytes));
	assert_string_equal(bytes.data, "text 1");
	rg_record_release(&record);
}

/* Old bytes that are not what they were are never put back. */
TEST(damaged_old_bytes)
{
	rg_record record, undone;
	char path[256];
	rg_error *err;

	plan(&record);
	assert_null(rg_journal_apply(journal, &record, give, NULL));
	under_git("updates/1/old", path);
	assert_null(rg_file_replace(path, "old aOLD b", 10, 0600));
	rg_record_init(&undone);
	err = rg_undo(journal, NULL, &record, &undone);
	assert_non_null(err);
	assert_non_null(strstr(rg_error_message(err), "the kept bytes are damaged"));
	rg_error_free(err);
	check_file("a", "new a");
	check_file("deep/er/c", "new c");
	/* Cut off, too. */
	assert_null(rg_file_replace(path, "old", 3, 0600));
	expect(rg_undo(journal, NULL, &record, &undone), RG_E_IO);
	check_file("a", "new a");
	rg_record_release(&undone);
	rg_record_release(&record);
}

static char logged[256];

static void keep_log(void *context, rg_log_level level, const char *text)
{
	(void)context;
	(void)level;
	snprintf(logged, sizeof(logged), "%s", text);
}

/* Whoever died with the lock let it go; only its number still stands there. */
TEST(stale_lock)
{
	const rg_log log = {.write = keep_log};
	char path[256], tree[128], git[128];

	rg_journal_close(journal);
	under_git("lock", path);
	assert_null(rg_file_replace(path, "4242\n", 5, 0666));
	snprintf(tree, sizeof(tree), "%s/tree", top);
	snprintf(git, sizeof(git), "%s/git", top);
	assert_null(rg_journal_open(&journal, tree, git, &log));
	*logged = '\0';
	assert_null(rg_journal_lock(journal));
	assert_string_equal(logged,
			    "process 4242 ended without letting its lock go; taking it over");
	/* A link in its place is not followed. */
	rg_journal_close(journal);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("elsewhere", path), 0);
	assert_null(rg_journal_open(&journal, tree, git, &log));
	expect(rg_journal_lock(journal), RG_E_IO);
}

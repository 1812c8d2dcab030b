/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "store/cache.h"

#include "base/memory.h"
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64];

FIXTURE(make_folder)
{
	snprintf(folder, sizeof(folder), "/tmp/test-cache-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

FIXTURE(remove_folder)
{
	rg_error *err = rg_remove_tree(folder);
	int failed = err != NULL;

	rg_error_free(err);
	return failed;
}

static rg_cache *open_at(const char *name, uint64_t max_bytes)
{
	rg_cache *cache;
	char *path;

	path = rg_path_join(folder, name);
	assert_success(rg_cache_open(&cache, path, max_bytes, NULL));
	free(path);
	return cache;
}

static rg_cache_key key_of(uint64_t id)
{
	return (rg_cache_key){.api = "https://api.github.com",
			      .host = "github.com",
			      .repository = "o/r",
			      .artifact_id = id,
			      .digest = "sha256:00",
			      .patterns = "golden*.json"};
}

static void put_text(rg_cache *cache, uint64_t id, const char *text)
{
	rg_cache_file files[] = {{"golden_a.json", text, strlen(text), ""},
				 {"sub/b.bin", "\0\1\2", 3, ""},
				 {"empty", "", 0, ""}};
	rg_cache_entry entry = {.files = files, .count = 3};
	rg_cache_key key = key_of(id);

	assert_success(rg_cache_put(cache, &key, &entry));
}

static bool has(rg_cache *cache, const rg_cache_key *key)
{
	rg_cache_entry entry;
	bool found;

	assert_success(rg_cache_get(cache, key, &entry, &found));
	if (found)
		rg_cache_entry_release(&entry);
	return found;
}

static bool has_id(rg_cache *cache, uint64_t id)
{
	rg_cache_key key = key_of(id);

	return has(cache, &key);
}

TEST_GROUP(make_folder, remove_folder);

TEST(comes_back)
{
	rg_cache *cache = open_at("back", 0);
	rg_cache_key key = key_of(UINT64_MAX), other = key;
	rg_cache_entry entry;
	bool found;

	assert_false(has(cache, &key));
	put_text(cache, UINT64_MAX, "{}");
	assert_success(rg_cache_get(cache, &key, &entry, &found));
	assert_true(found);
	assert_int_equal(entry.count, 3);
	assert_string_equal(entry.files[0].path, "golden_a.json");
	assert_int_equal(entry.files[0].size, 2);
	assert_memory_equal(entry.files[0].bytes, "{}", 2);
	assert_memory_equal(entry.files[1].bytes, "\0\1\2", 3);
	assert_int_equal(entry.files[2].size, 0);
	rg_cache_entry_release(&entry);
	/* Every part of the key counts. */
	other.api = "https://api.github.com/other";
	assert_false(has(cache, &other));
	other = key;
	other.host = "example.com";
	assert_false(has(cache, &other));
	other = key;
	other.repository = "o/s";
	assert_false(has(cache, &other));
	other = key;
	other.patterns = "**";
	assert_false(has(cache, &other));
	other = key;
	other.digest = NULL;
	assert_false(has(cache, &other));
	assert_false(has_id(cache, 1));
	rg_cache_free(cache);
}

TEST(nothing_is_an_entry)
{
	rg_cache *cache = open_at("nothing", 0);
	rg_cache_entry entry = {0};
	rg_cache_key key = key_of(1);
	bool found;

	assert_success(rg_cache_put(cache, &key, &entry));
	assert_success(rg_cache_get(cache, &key, &entry, &found));
	assert_true(found);
	assert_int_equal(entry.count, 0);
	rg_cache_entry_release(&entry);
	rg_cache_free(cache);
}

static char *path_in(const char *cache_name, const char *file)
{
	char *path = rg_textf("%s/%s/%s", folder, cache_name, file);
	return path;
}

/* What another program does to the cache's file. */
static void tamper(const char *cache_name, const char *sql)
{
	char *path = path_in(cache_name, "cache.db");
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	free(path);
}

/* What a cache has, the most recently used first. */
typedef struct {
	rg_cache_item items[8];
	char names[8][64];
	size_t count;
	uint64_t bytes;
} listing;

static void take_item(void *context, const rg_cache_item *item)
{
	listing *list = context;

	assert_true(list->count < 8);
	list->items[list->count] = *item;
	snprintf(list->names[list->count++], 64, "%s", item->name);
	list->bytes += item->bytes;
}

static void read_list(rg_cache *cache, listing *out)
{
	*out = (listing){0};
	assert_success(rg_cache_list(cache, take_item, out));
}

/* A golden that is not what was stored is dropped, never believed; the others stay. */
TEST(changed_bytes_are_dropped)
{
	rg_cache *cache = open_at("changed", 0);
	listing list;

	put_text(cache, 7, "{\"a\": 1}");
	put_text(cache, 8, "{\"a\": 2}");
	tamper("changed", "UPDATE files SET bytes = CAST('{\"a\": 9}' AS BLOB) WHERE place = 0 AND "
			  "entry = (SELECT entry FROM entries WHERE artifact = 7)");
	assert_false(has_id(cache, 7));
	assert_true(has_id(cache, 8));
	read_list(cache, &list);
	assert_int_equal(list.count, 1);
	tamper("changed", "UPDATE files SET path = '../x'");
	assert_false(has_id(cache, 8));
	rg_cache_free(cache);
}

static size_t warnings;

static void count_warning(void *context, rg_log_level level, const char *text)
{
	(void)context;
	if (level == RG_LOG_WARNING &&
	    strstr(text, "cache.db: could not be read as a cache; it is in "))
		warnings++;
}

/* Overwrites `size` bytes at `from`; without a size it cuts the file there. */
static void damage(const char *path, off_t from, size_t size)
{
	char *bytes = calloc(1, size + 1);
	int fd = open(path, O_RDWR);

	assert_true(fd >= 0 && bytes);
	memset(bytes, 'x', size);
	if (size)
		assert_int_equal(pwrite(fd, bytes, size, from), size);
	else
		assert_int_equal(ftruncate(fd, from), 0);
	close(fd);
	free(bytes);
}

/* Wherever the file is damaged, the cache works on: with what is whole, or empty and saying so. */
TEST(damaged_files_are_made_anew)
{
	static const struct {
		off_t from;
		size_t size;
		bool renewed;
	} cases[] = {{0, 100, true}, {0, 4096, true}, {100, 4096, true}, {4096, 65536, true},
		     {10, 0, true},  {5000, 0, true}, {0, 0, false}};
	const rg_log log = {.write = count_warning};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rg_cache *cache = open_at("damaged", 0);
		char *path = path_in("damaged", "cache.db");

		put_text(cache, 1, "{}");
		rg_cache_free(cache);
		damage(path, cases[i].from, cases[i].size);
		free(path);
		path = path_in("damaged", "");
		assert_success(rg_cache_open(&cache, path, 0, &log));
		free(path);
		warnings = 0;
		assert_false(has_id(cache, 1));
		put_text(cache, 2, "{}");
		assert_true(has_id(cache, 2));
		assert_int_equal(warnings, cases[i].renewed);
		rg_cache_free(cache);
	}
}

/* Another regild's cache, or another program's file, is not touched. */
TEST(others_are_left_alone)
{
	rg_cache *cache = open_at("others", 0);
	rg_cache_key key = key_of(2);
	rg_cache_entry entry = {0};

	put_text(cache, 1, "{}");
	rg_cache_free(cache);
	tamper("others", "PRAGMA user_version = 2");
	cache = open_at("others", 0);
	assert_false(has_id(cache, 1));
	rg_error_free(rg_cache_put(cache, &key, &entry));
	rg_cache_free(cache);
	tamper("others", "PRAGMA user_version = 1");
	cache = open_at("others", 0);
	assert_true(has_id(cache, 1));
	assert_false(has_id(cache, 2));
	rg_cache_free(cache);
}

TEST(private_to_the_owner)
{
	rg_cache *cache = open_at("private", 0);
	static const char *const names[] = {"cache.db", "cache.db-wal", "cache.db-shm"};
	struct stat st;
	size_t i;

	put_text(cache, 1, "{}");
	for (i = 0; i < 3; i++) {
		char *path = path_in("private", names[i]);

		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);
		free(path);
	}
	assert_int_equal(stat(rg_cache_folder(cache), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	rg_cache_free(cache);
}

TEST(least_recently_used_goes)
{
	static char text[1000];
	rg_cache *cache = open_at("bounded", 4500);
	listing list;
	uint64_t id;

	memset(text, 'x', sizeof(text) - 1);
	for (id = 1; id <= 4; id++)
		put_text(cache, id, text);
	assert_true(has_id(cache, 1)); /* used now: the oldest is 2 */
	put_text(cache, 5, text);
	assert_true(has_id(cache, 1));
	assert_false(has_id(cache, 2));
	assert_true(has_id(cache, 5));
	read_list(cache, &list);
	assert_true(list.bytes <= 4500);
	assert_true(list.count >= 3);
	assert_int_equal(list.items[0].artifact_id, 5);
	rg_cache_free(cache);

	/* Another process finds it as full as it is. */
	cache = open_at("bounded", 2100);
	put_text(cache, 6, text);
	assert_true(has_id(cache, 6));
	read_list(cache, &list);
	assert_true(list.bytes <= 2100);
	rg_cache_free(cache);
}

/* For every connection that is opened from now on. */
static int limit_pages(sqlite3 *db, char **message, const void *api)
{
	(void)message;
	(void)api;
	return sqlite3_exec(db, "PRAGMA max_page_count = 12", NULL, NULL, NULL);
}

/* A full disk costs the new entry, and none of those that are there. */
TEST(full_disk)
{
	static char text[100000];
	rg_cache *cache = open_at("full", 0);
	rg_cache_file file = {"golden_a.json", text, sizeof(text), ""};
	rg_cache_entry entry = {.files = &file, .count = 1};
	rg_cache_key key = key_of(2);
	rg_error *err;

	put_text(cache, 1, "{}");
	rg_cache_free(cache);
	sqlite3_auto_extension((void (*)(void))limit_pages);
	cache = open_at("full", 0);
	err = rg_cache_put(cache, &key, &entry);
	assert_non_null(err);
	assert_int_equal(rg_error_errno(err), ENOSPC);
	rg_error_free(err);
	assert_true(has_id(cache, 1));
	assert_false(has_id(cache, 2));
	rg_cache_free(cache);
	sqlite3_reset_auto_extension();
}

TEST(too_large_is_not_kept)
{
	static char text[6000];
	rg_cache *cache = open_at("large", 8000);

	memset(text, 'x', sizeof(text) - 1);
	put_text(cache, 1, "{}");
	put_text(cache, 2, text);
	assert_true(has_id(cache, 1));
	assert_false(has_id(cache, 2));
	rg_cache_free(cache);
}

TEST(answers)
{
	static const char url[] = "https://api.github.com/repos/o/r/actions/runs/1";
	rg_cache *cache = open_at("answers", 0);
	rg_cache_answer answer;
	bool found;

	assert_success(rg_cache_get_answer(cache, url, &answer, &found));
	assert_false(found);
	assert_success(rg_cache_put_answer(cache, url, "W/\"1\"", NULL, "{}", 2));
	assert_success(rg_cache_get_answer(cache, url, &answer, &found));
	assert_true(found);
	assert_string_equal(answer.etag, "W/\"1\"");
	assert_null(answer.link);
	assert_memory_equal(answer.body->bytes, "{}", 2);
	rg_cache_entry_release(&answer.entry);
	assert_success(rg_cache_put_answer(cache, url, "\"2\"", "<x>; rel=\"next\"", "", 0));
	assert_success(rg_cache_get_answer(cache, url, &answer, &found));
	assert_true(found);
	assert_string_equal(answer.etag, "\"2\"");
	assert_string_equal(answer.link, "<x>; rel=\"next\"");
	assert_int_equal(answer.body->size, 0);
	rg_cache_entry_release(&answer.entry);
	assert_success(rg_cache_get_answer(cache, "https://api.github.com/other", &answer, &found));
	assert_false(found);
	rg_cache_free(cache);
}

TEST(list_and_clear)
{
	rg_cache *cache = open_at("list", 0);
	listing list;
	size_t entries;
	uint64_t bytes;
	struct stat st;
	char *path;

	read_list(cache, &list);
	assert_int_equal(list.count, 0);
	assert_success(rg_cache_clear(cache, &entries, &bytes));
	assert_int_equal(entries, 0);
	/* Whoever only looks makes nothing. */
	assert_int_equal(access(rg_cache_folder(cache), F_OK), -1);
	put_text(cache, 2, "{}");
	put_text(cache, 1, "{}");
	assert_success(rg_cache_put_answer(cache, "https://x/", "e", NULL, "[]", 2));
	read_list(cache, &list);
	assert_int_equal(list.count, 3);
	assert_string_equal(list.names[0], "https://x/");
	assert_int_equal(list.items[0].artifact_id, 0);
	assert_string_equal(list.names[1], "github.com/o/r");
	assert_int_equal(list.items[1].artifact_id, 1);
	assert_int_equal(list.items[1].files, 3);
	assert_int_equal(list.items[1].bytes, 5);
	assert_true(time(NULL) - list.items[1].last_used < 60);
	assert_int_equal(list.items[2].artifact_id, 2);
	assert_int_equal(list.bytes, 12);
	assert_success(rg_cache_clear(cache, &entries, &bytes));
	assert_int_equal(entries, 3);
	assert_int_equal(bytes, list.bytes);
	assert_false(has_id(cache, 1));
	rg_cache_free(cache);
	/* The disk has its space back. */
	path = path_in("list", "cache.db");
	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size < 65536);
	free(path);
}

/* All of them make the file at once. */
static void open_by_many(const char *name, int round)
{
	enum { PROCESSES = 6 };
	rg_cache *cache;
	uint64_t id;
	int status;

	for (id = 1; id <= PROCESSES; id++)
		if (!fork()) {
			usleep((useconds_t)id * 20 *
			       (useconds_t)round); /* some come while it is half made */
			cache = open_at(name, 0);
			put_text(cache, id, "{}");
			rg_cache_free(cache);
			_exit(0);
		}
	for (id = 1; id <= PROCESSES; id++) {
		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	cache = open_at(name, 0);
	for (id = 1; id <= PROCESSES; id++)
		assert_true(has_id(cache, id));
	rg_cache_free(cache);
}

TEST(several_processes)
{
	char name[] = "processes-a";

	for (; name[10] <= 'z'; name[10]++)
		open_by_many(name, name[10] - 'a');
}

TEST(where_it_is)
{
	const char *kept = getenv("HOME");
	char *home = kept ? strdup(kept) : NULL;
	rg_cache *cache;

	setenv("XDG_CACHE_HOME", "/somewhere", 1);
	assert_success(rg_cache_open(&cache, NULL, 0, NULL));
	assert_string_equal(rg_cache_folder(cache), "/somewhere/regild");
	rg_cache_free(cache);
	setenv("XDG_CACHE_HOME", "relative", 1);
	setenv("HOME", "/home", 1);
	assert_success(rg_cache_open(&cache, NULL, 0, NULL));
	assert_string_equal(rg_cache_folder(cache), "/home/.cache/regild");
	rg_cache_free(cache);
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	assert_error(rg_cache_open(&cache, NULL, 0, NULL), RG_E_IO,
		     "no place for the cache: set XDG_CACHE_HOME or HOME");
	assert_null(cache);
	if (home)
		setenv("HOME", home, 1);
	free(home);
}

TEST(folder_that_cannot_be)
{
	rg_cache_key key = key_of(1);
	rg_cache_entry entry = {0};
	rg_cache *cache;
	rg_error *err;

	assert_success(rg_cache_open(&cache, "/dev/null/cache", 0, NULL));
	assert_false(has_id(cache, 1));
	err = rg_cache_put(cache, &key, &entry);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_IO);
	rg_error_free(err);
	rg_cache_free(cache);
}

enum { THREADS = 4, ROUNDS = 60, KEYS = 7 };

/* Puts and gets in a cache that is always too full: what is found is whole. */
static void *put_and_get(void *context)
{
	rg_cache *cache = context;
	uint64_t i, wrong = 0;

	for (i = 0; i < ROUNDS; i++) {
		char text[600];
		rg_cache_file file = {"golden_a.json", text, sizeof(text), ""};
		rg_cache_entry entry = {.files = &file, .count = 1}, got;
		rg_cache_key key = key_of(i % KEYS);
		bool found;

		memset(text, (int)('a' + i % KEYS), sizeof(text));
		rg_error_free(rg_cache_put(cache, &key, &entry));
		rg_error_free(rg_cache_get(cache, &key, &got, &found));
		if (!found)
			continue;
		if (got.count != 1 || got.files[0].size != sizeof(text) ||
		    memcmp(got.files[0].bytes, text, sizeof(text)) != 0)
			wrong++;
		rg_cache_entry_release(&got);
	}
	return wrong ? cache : NULL;
}

TEST(several_threads)
{
	rg_cache *cache = open_at("threads", 5000);
	pthread_t threads[THREADS];
	listing list;
	void *wrong;
	size_t i;

	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, put_and_get, cache), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &wrong), 0);
		assert_null(wrong);
	}
	read_list(cache, &list);
	assert_true(list.bytes <= 5000);
	rg_cache_free(cache);
}

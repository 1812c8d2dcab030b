#include "source/cache.h"

#include "base/file.h"
#include "support/check.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/test-cache-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	rg_error *err = rg_remove_tree(folder);
	int failed = err != NULL;

	(void)state;
	rg_error_free(err);
	return failed;
}

static rg_cache *open_at(const char *name, uint64_t max_bytes)
{
	rg_cache *cache;
	char *path;

	no_error(rg_path_join(&path, folder, name));
	no_error(rg_cache_open(&cache, path, max_bytes));
	free(path);
	return cache;
}

static rg_cache_key key_of(uint64_t id)
{
	return (rg_cache_key){.host = "github.com",
			      .repository = "o/r",
			      .artifact_id = id,
			      .digest = "sha256:00",
			      .patterns = "golden*.json"};
}

static void put_text(rg_cache *cache, uint64_t id, const char *text)
{
	rg_cache_file files[] = {{"golden_a.json", "", text, strlen(text)},
				 {"sub/b.bin", "a.zip", "\0\1\2", 3},
				 {"empty", "", "", 0}};
	rg_cache_entry entry = {.check = "crc32", .files = files, .count = 3};
	rg_cache_key key = key_of(id);

	no_error(rg_cache_put(cache, &key, &entry));
}

static bool has(rg_cache *cache, const rg_cache_key *key)
{
	rg_cache_entry entry;
	bool found;

	no_error(rg_cache_get(cache, key, &entry, &found));
	if (found)
		rg_cache_entry_release(&entry);
	return found;
}

static bool has_id(rg_cache *cache, uint64_t id)
{
	rg_cache_key key = key_of(id);

	return has(cache, &key);
}

static void comes_back(void **state)
{
	rg_cache *cache = open_at("back", 0);
	rg_cache_key key = key_of(UINT64_MAX), other = key;
	rg_cache_entry entry;
	bool found;

	(void)state;
	assert_false(has(cache, &key));
	put_text(cache, UINT64_MAX, "{}");
	no_error(rg_cache_get(cache, &key, &entry, &found));
	assert_true(found);
	assert_int_equal(entry.count, 3);
	assert_string_equal(entry.check, "crc32");
	assert_string_equal(entry.files[0].path, "golden_a.json");
	assert_int_equal(entry.files[0].size, 2);
	assert_memory_equal(entry.files[0].bytes, "{}", 2);
	assert_string_equal(entry.files[1].via, "a.zip");
	assert_memory_equal(entry.files[1].bytes, "\0\1\2", 3);
	assert_int_equal(entry.files[2].size, 0);
	rg_cache_entry_release(&entry);
	/* Every part of the key counts. */
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

static void nothing_is_an_entry(void **state)
{
	rg_cache *cache = open_at("nothing", 0);
	rg_cache_entry entry = {0};
	rg_cache_key key = key_of(1);
	bool found;

	(void)state;
	no_error(rg_cache_put(cache, &key, &entry));
	no_error(rg_cache_get(cache, &key, &entry, &found));
	assert_true(found);
	assert_int_equal(entry.count, 0);
	rg_cache_entry_release(&entry);
	rg_cache_free(cache);
}

/* The one file under `kind`. */
static char *only_file(const char *cache_name, const char *kind)
{
	char *path, *found = NULL;
	struct dirent *entry;
	DIR *dir;

	no_error(rg_textf(&path, "%s/%s/%s", folder, cache_name, kind));
	dir = opendir(path);
	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		assert_null(found);
		no_error(rg_textf(&found, "%s/%s", path, entry->d_name));
	}
	closedir(dir);
	free(path);
	return found;
}

/* Without the syncs that would make thousands of writes slow. */
static void write_plain(const char *path, const char *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* Each bit flipped and each prefix: the entry is dropped, never believed. */
static void damage_is_dropped(void **state)
{
	rg_cache *cache = open_at("damage", 0);
	rg_buf whole;
	char *path;
	size_t i;

	(void)state;
	put_text(cache, 7, "{\"a\": 1}");
	path = only_file("damage", "artifacts");
	rg_buf_init(&whole, 1 << 20);
	no_error(rg_file_read(&whole, path));
	assert_true(has_id(cache, 7));
	for (i = 0; i < whole.length; i++) {
		char kept = whole.data[i];

		whole.data[i] = (char)(kept ^ 1 << i % 8);
		write_plain(path, whole.data, whole.length);
		assert_false(has_id(cache, 7));
		assert_int_not_equal(access(path, F_OK), 0);
		whole.data[i] = kept;
		write_plain(path, whole.data, i);
		assert_false(has_id(cache, 7));
		assert_int_not_equal(access(path, F_OK), 0);
	}
	rg_buf_char(&whole, 'x');
	write_plain(path, whole.data, whole.length);
	assert_false(has_id(cache, 7));
	rg_buf_release(&whole);
	free(path);
	rg_cache_free(cache);
}

/* A whole entry in the place of another. */
static void another_ones_is_dropped(void **state)
{
	rg_cache *cache = open_at("own", 0), *other = open_at("other", 0);
	char *path, *foreign;

	(void)state;
	put_text(cache, 7, "{\"a\": 1}");
	put_text(other, 8, "{\"a\": 2}");
	path = only_file("own", "artifacts");
	foreign = only_file("other", "artifacts");
	assert_int_equal(rename(foreign, path), 0);
	assert_false(has_id(cache, 7));
	assert_int_not_equal(access(path, F_OK), 0);
	free(foreign);
	free(path);
	rg_cache_free(other);
	rg_cache_free(cache);
}

static void private_to_the_owner(void **state)
{
	rg_cache *cache = open_at("private", 0);
	struct stat st;
	char *path;

	(void)state;
	put_text(cache, 1, "{}");
	path = only_file("private", "artifacts");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(rg_cache_folder(cache), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	free(path);
	rg_cache_free(cache);
}

/* The modification time says when an entry was used: set back, so that no test has to wait. */
static void set_age(const char *cache_name, uint64_t id, time_t when)
{
	rg_cache *probe = open_at("probe", 0);
	char *path, *name;

	put_text(probe, id, "{}");
	path = only_file("probe", "artifacts");
	no_error(rg_textf(&name, "%s/%s/artifacts/%s", folder, cache_name, strrchr(path, '/') + 1));
	assert_int_equal(utimensat(AT_FDCWD, name, (struct timespec[]){{when, 0}, {when, 0}}, 0),
			 0);
	unlink(path);
	free(name);
	free(path);
	rg_cache_free(probe);
}

static void least_recently_used_goes(void **state)
{
	static char text[1000];
	rg_cache *cache = open_at("bounded", 7000);
	rg_cache_list list;
	uint64_t id;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	for (id = 1; id <= 4; id++) {
		put_text(cache, id, text);
		set_age("bounded", id, (time_t)(1000 + id));
	}
	assert_true(has_id(cache, 1)); /* used now: the oldest is 2 */
	put_text(cache, 5, text);
	assert_true(has_id(cache, 1));
	assert_false(has_id(cache, 2));
	assert_true(has_id(cache, 5));
	no_error(rg_cache_list_read(cache, &list));
	assert_true(list.bytes <= 7000);
	assert_true(list.count >= 3);
	rg_cache_list_release(&list);
	rg_cache_free(cache);

	/* Another process finds it as full as it is. */
	cache = open_at("bounded", 4000);
	put_text(cache, 6, text);
	assert_true(has_id(cache, 6));
	no_error(rg_cache_list_read(cache, &list));
	assert_true(list.bytes <= 4000);
	rg_cache_list_release(&list);
	rg_cache_free(cache);
}

/* What was used when the clock was wrong is no newer than what is used now. */
static void times_to_come_say_nothing(void **state)
{
	static char text[1000];
	rg_cache *cache = open_at("future", 7000);
	rg_cache_list list;
	uint64_t id;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	for (id = 1; id <= 4; id++) {
		put_text(cache, id, text);
		set_age("future", id, time(NULL) + 1000000);
	}
	no_error(rg_cache_list_read(cache, &list));
	assert_int_equal(list.items[0].last_used, 0);
	rg_cache_list_release(&list);
	put_text(cache, 5, text);
	assert_true(has_id(cache, 5));
	rg_cache_free(cache);
}

static void too_large_is_not_kept(void **state)
{
	static char text[6000];
	rg_cache *cache = open_at("large", 8000);

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	put_text(cache, 1, "{}");
	put_text(cache, 2, text);
	assert_true(has_id(cache, 1));
	assert_false(has_id(cache, 2));
	rg_cache_free(cache);
}

static void answers(void **state)
{
	static const char url[] = "https://api.github.com/repos/o/r/actions/runs/1";
	rg_cache *cache = open_at("answers", 0);
	rg_cache_answer answer;
	bool found;

	(void)state;
	no_error(rg_cache_get_answer(cache, url, &answer, &found));
	assert_false(found);
	no_error(rg_cache_put_answer(cache, url, "W/\"1\"", NULL, "{}", 2));
	no_error(rg_cache_get_answer(cache, url, &answer, &found));
	assert_true(found);
	assert_string_equal(answer.etag, "W/\"1\"");
	assert_null(answer.link);
	assert_string_equal(answer.body.data, "{}");
	rg_cache_answer_release(&answer);
	no_error(rg_cache_put_answer(cache, url, "\"2\"", "<x>; rel=\"next\"", "", 0));
	no_error(rg_cache_get_answer(cache, url, &answer, &found));
	assert_true(found);
	assert_string_equal(answer.etag, "\"2\"");
	assert_string_equal(answer.link, "<x>; rel=\"next\"");
	assert_int_equal(answer.body.length, 0);
	rg_cache_answer_release(&answer);
	no_error(rg_cache_get_answer(cache, "https://api.github.com/other", &answer, &found));
	assert_false(found);
	rg_cache_free(cache);
}

static void list_and_clear(void **state)
{
	rg_cache *cache = open_at("list", 0);
	rg_cache_list list;
	size_t entries;
	uint64_t bytes;
	/* No digests, though as long as one, or with one in front. */
	static const char *const names[] = {
		"notes.txt", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdeX",
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef.x"};
	char *strangers[3];
	size_t i;

	(void)state;
	no_error(rg_cache_list_read(cache, &list));
	assert_int_equal(list.count, 0);
	rg_cache_list_release(&list);
	no_error(rg_cache_clear(cache, &entries, &bytes));
	assert_int_equal(entries, 0);
	put_text(cache, 1, "{}");
	put_text(cache, 2, "{}");
	set_age("list", 1, 2000);
	set_age("list", 2, 1000);
	no_error(rg_cache_put_answer(cache, "https://x/", "e", NULL, "[]", 2));
	for (i = 0; i < 3; i++) {
		no_error(rg_textf(&strangers[i], "%s/list/artifacts/%s", folder, names[i]));
		no_error(rg_file_replace(strangers[i], "mine", 4, 0644));
	}
	no_error(rg_cache_list_read(cache, &list));
	assert_int_equal(list.count, 3);
	assert_string_equal(list.items[0].repository, "https://x/");
	assert_int_equal(list.items[0].artifact_id, 0);
	assert_string_equal(list.items[1].repository, "github.com/o/r");
	assert_int_equal(list.items[1].artifact_id, 1);
	assert_int_equal(list.items[1].files, 3);
	assert_int_equal(list.items[1].last_used, 2000);
	assert_int_equal(list.items[2].artifact_id, 2);
	assert_int_equal(list.bytes,
			 list.items[0].bytes + list.items[1].bytes + list.items[2].bytes);
	no_error(rg_cache_clear(cache, &entries, &bytes));
	assert_int_equal(entries, 3);
	assert_int_equal(bytes, list.bytes);
	rg_cache_list_release(&list);
	assert_false(has_id(cache, 1));
	/* What is not the cache's stays. */
	for (i = 0; i < 3; i++) {
		assert_int_equal(access(strangers[i], F_OK), 0);
		free(strangers[i]);
	}
	rg_cache_free(cache);
}

/* What a killed download was writing an hour ago is nobody's; a younger one may be under way. */
static void sweeps_what_was_never_finished(void **state)
{
	rg_cache *cache = open_at("swept", 0);
	const time_t now = time(NULL), ages[] = {now - 4000, now - 1000};
	rg_cache_list list;
	char *names[2];
	size_t i;

	(void)state;
	put_text(cache, 1, "{}");
	for (i = 0; i < 2; i++) {
		const struct timespec times[] = {{ages[i], 0}, {ages[i], 0}};

		no_error(rg_textf(&names[i], "%s/swept/artifacts/new.%zu", folder, i));
		no_error(rg_file_replace(names[i], "half", 4, 0600));
		assert_int_equal(utimensat(AT_FDCWD, names[i], times, 0), 0);
	}
	no_error(rg_cache_list_read(cache, &list));
	assert_int_equal(list.count, 1);
	rg_cache_list_release(&list);
	assert_int_equal(access(names[0], F_OK), -1);
	assert_int_equal(access(names[1], F_OK), 0);
	free(names[0]);
	free(names[1]);
	rg_cache_free(cache);
}

static void where_it_is(void **state)
{
	const char *kept = getenv("HOME");
	char *home = kept ? strdup(kept) : NULL;
	rg_cache *cache;

	(void)state;
	setenv("XDG_CACHE_HOME", "/somewhere", 1);
	no_error(rg_cache_open(&cache, NULL, 0));
	assert_string_equal(rg_cache_folder(cache), "/somewhere/regild");
	rg_cache_free(cache);
	setenv("XDG_CACHE_HOME", "relative", 1);
	setenv("HOME", "/home", 1);
	no_error(rg_cache_open(&cache, NULL, 0));
	assert_string_equal(rg_cache_folder(cache), "/home/.cache/regild");
	rg_cache_free(cache);
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	is_error(rg_cache_open(&cache, NULL, 0), RG_E_IO,
		 "the cache has no place: set XDG_CACHE_HOME or HOME");
	assert_null(cache);
	if (home)
		setenv("HOME", home, 1);
	free(home);
}

static void folder_that_cannot_be(void **state)
{
	rg_cache_key key = key_of(1);
	rg_cache_entry entry = {0};
	rg_cache *cache;
	rg_error *err;

	(void)state;
	no_error(rg_cache_open(&cache, "/dev/null/cache", 0));
	assert_false(has_id(cache, 1));
	err = rg_cache_put(cache, &key, &entry);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_IO);
	rg_error_free(err);
	rg_cache_free(cache);
}

enum { THREADS = 4, ROUNDS = 60, KEYS = 7 };

/* Puts and gets in a folder that is always too full: what is found is whole. */
static void *put_and_get(void *context)
{
	rg_cache *cache = context;
	uint64_t i, wrong = 0;

	for (i = 0; i < ROUNDS; i++) {
		char text[600];
		rg_cache_file file = {"golden_a.json", "", text, sizeof(text)};
		rg_cache_entry entry = {.check = "crc32", .files = &file, .count = 1}, got;
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

static void several_threads(void **state)
{
	rg_cache *cache = open_at("threads", 5000);
	pthread_t threads[THREADS];
	rg_cache_list list;
	void *wrong;
	size_t i;

	(void)state;
	for (i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, put_and_get, cache), 0);
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &wrong), 0);
		assert_null(wrong);
	}
	no_error(rg_cache_list_read(cache, &list));
	assert_true(list.bytes <= 5000 + THREADS * 1200);
	rg_cache_list_release(&list);
	rg_cache_free(cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comes_back),
		cmocka_unit_test(nothing_is_an_entry),
		cmocka_unit_test(damage_is_dropped),
		cmocka_unit_test(another_ones_is_dropped),
		cmocka_unit_test(private_to_the_owner),
		cmocka_unit_test(least_recently_used_goes),
		cmocka_unit_test(times_to_come_say_nothing),
		cmocka_unit_test(too_large_is_not_kept),
		cmocka_unit_test(answers),
		cmocka_unit_test(list_and_clear),
		cmocka_unit_test(sweeps_what_was_never_finished),
		cmocka_unit_test(several_threads),
		cmocka_unit_test(where_it_is),
		cmocka_unit_test(folder_that_cannot_be),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

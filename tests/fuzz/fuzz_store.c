/*
 * What is kept on disk between calls. The first byte picks a file of a run's history or an entry of
 * the cache; a checksum that fits is put in front of the rest, so that what is behind it is
 * reached: the head or index up to a NUL, then the bytes that it describes.
 */
#include "require.h"

#include "audit/history_format.h"
#include "base/file.h"
#include "source/cache.h"
#include "source/cache_store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const rg_cache_key key = {
	.host = "github.com", .repository = "o/n", .artifact_id = 7, .patterns = "**"};
static const char url[] = "https://api.github.com/repos/o/n";

/* One folder for all inputs. */
static char *scratch(void)
{
	static char folder[] = "/tmp/regild-fuzz-XXXXXX";
	static bool made;

	if (!made)
		require(mkdtemp(folder) != NULL, "no folder");
	made = true;
	return folder;
}

static void remove_scratch(void)
{
	rg_error_free(rg_remove_tree(scratch()));
}

static void try_history(const char *path, const char *head, const uint8_t *rest, size_t size)
{
	char sha256[RG_SHA256_HEX];
	rg_history_runs *runs;
	rg_audit_source source;
	rg_error *err;
	rg_buf file;
	FILE *out;
	size_t i;

	rg_buf_init(&file, RG_BUF_TEXT);
	require(!rg_sha256_hex(head, strlen(head), sha256), "no checksum");
	rg_buf_printf(&file, RG_HISTORY_MAGIC "%s %zu\n%s", sha256, strlen(head), head);
	rg_buf_add(&file, rest, size);
	out = fopen(path, "w");
	require(out && fwrite(file.data, 1, file.length, out) == file.length && !fclose(out),
		"no file");
	rg_buf_clear(&file);
	err = rg_history_runs_open(&runs, &path, 1);
	if (!err) {
		source = rg_history_runs_source(runs, RG_BUF_TEXT);
		for (i = 0; i < source.file_count; i++) {
			rg_golden *golden = NULL;

			rg_error_free(source.read(source.context, 0, i, &file, &golden));
			rg_golden_free(golden);
			rg_buf_clear(&file);
		}
		rg_history_runs_free(runs);
	}
	rg_error_free(err);
	rg_buf_release(&file);
}

/* The entry's own file, whose name nobody but the cache knows: the only one there is. */
static void replace_entry(rg_cache *cache, rg_store_kind kind, const char *index,
			  const rg_store_piece *bytes)
{
	rg_cache_store *store;
	rg_store_files files;
	char *folder = strdup(rg_cache_folder(cache));

	require(folder != NULL, "no memory");
	require(!rg_store_new(&store, folder, 1 << 20), "no store");
	require(!rg_store_scan(store, &files) && files.count == 1, "no entry");
	require(!rg_store_put(store, kind, files.items[0].hex, index, bytes, 1), "no file");
	free(files.items);
	rg_store_free(store);
}

static void get_both(rg_cache *cache)
{
	rg_cache_entry entry;
	rg_cache_answer answer;
	rg_cache_list list;
	bool found;
	size_t i;

	require(!rg_cache_get(cache, &key, &entry, &found), "no memory");
	for (i = 0; found && i < entry.count; i++)
		require(!rg_path_fault(entry.files[i].path), "a name that is not safe");
	if (found)
		rg_cache_entry_release(&entry);
	require(!rg_cache_get_answer(cache, url, &answer, &found), "no memory");
	if (found)
		rg_cache_answer_release(&answer);
	require(!rg_cache_list_read(cache, &list), "no list");
	rg_cache_list_release(&list);
}

static void try_cache(const char *folder, bool answer, const char *index, const uint8_t *rest,
		      size_t size)
{
	const rg_store_piece bytes = {rest, size};
	const rg_cache_entry empty = {.check = "crc32"};
	size_t entries;
	uint64_t removed;
	rg_cache *cache;

	require(!rg_cache_open(&cache, folder, 1 << 20), "no cache");
	require(answer ? !rg_cache_put_answer(cache, url, "\"e\"", NULL, "{}", 2)
		       : !rg_cache_put(cache, &key, &empty),
		"nothing is kept");
	replace_entry(cache, answer ? RG_STORE_ANSWERS : RG_STORE_ARTIFACTS, index, &bytes);
	get_both(cache);
	require(!rg_cache_clear(cache, &entries, &removed) && entries <= 1, "it stays");
	rg_cache_free(cache);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool registered;
	const uint8_t *cut;
	char *text, *path;
	size_t length;

	if (size < 2)
		return 0;
	if (!registered)
		require(!atexit(remove_scratch), "no memory");
	registered = true;
	cut = memchr(data + 1, 0, size - 1);
	length = cut ? (size_t)(cut - data - 1) : size - 1;
	text = strndup((const char *)data + 1, length);
	require(text != NULL, "no memory");
	require(!rg_path_join(&path, scratch(), *data % 3 ? "cache" : "run"), "no memory");
	cut = cut ? cut + 1 : data + size;
	if (*data % 3)
		try_cache(path, *data % 3 == 2, text, cut, (size_t)(data + size - cut));
	else
		try_history(path, text, cut, (size_t)(data + size - cut));
	free(path);
	free(text);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/contents.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/memory.h"
#include "hub/json.h"
#include "hub/kept.h"
#include "hub/pack.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MAX  ((size_t)64 << 20)
#define DEPTH_MAX 16

typedef struct {
	char *name; /* in the zip */
	unsigned char *bytes;
	size_t length;
	bool deflate;
} member;

typedef struct {
	member *items;
	size_t count, capacity;
} members;

static void members_release(members *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].name);
		free(list->items[i].bytes);
	}
	free(list->items);
}

/* Takes `bytes` over, also when it fails. */
static void add_member(members *list, const char *name, void *bytes, size_t length, bool deflate)
{
	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	member *item;
	item = &list->items[list->count++];
	item->bytes = bytes;
	item->length = length;
	item->deflate = deflate;
	item->name = rg_strdup(name);
}

static rg_error *read_bytes(const char *path, unsigned char **bytes, size_t *length)
{
	rg_buf buf;
	rg_error *err;

	rg_buf_init(&buf, FILE_MAX);
	err = rg_file_read(&buf, path);
	if (!err) {
		*length = buf.length;
		*bytes = (unsigned char *)rg_buf_detach(&buf);
	}
	rg_buf_release(&buf);
	return err;
}

static rg_error *add_file(members *list, const char *path, const char *name)
{
	unsigned char *bytes = NULL;
	size_t length = 0;

	RG_TRY(read_bytes(path, &bytes, &length));
	add_member(list, name, bytes, length, true);
	return NULL;
}

/* Everything below `path`; names start with `prefix` ("" or "logs/"). */
static rg_error *add_folder(members *list, const char *path, const char *prefix, int depth)
{
	const struct dirent *entry;
	DIR *dir = opendir(path);
	rg_error *err = NULL;

	if (!dir)
		return rg_error_io(errno, "%s", path);
	while (!err && (entry = readdir(dir)) != NULL) {
		char *child = NULL, *name = NULL;
		struct stat status;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		child = rg_path_join(path, entry->d_name);
		if (!err)
			name = rg_textf("%s%s", prefix, entry->d_name);
		if (!err && stat(child, &status) != 0)
			err = rg_error_io(errno, "%s", child);
		if (!err && !S_ISDIR(status.st_mode)) {
			err = add_file(list, child, name);
		} else if (!err && depth == 0) {
			err = rg_error_new(RG_E_LIMIT, "%s: too deep", child);
		} else if (!err) {
			free(name);
			name = NULL;
			name = rg_textf("%s%s/", prefix, entry->d_name);
			if (!err)
				err = add_folder(list, child, name, depth - 1);
		}
		free(name);
		free(child);
	}
	closedir(dir);
	return err;
}

/* "files": {"NAME": "text" | JSON}. */
static void add_inline(members *list, const cJSON *files)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, files)
	{
		char *text = NULL;

		if (cJSON_IsString(item))
			text = rg_strdup(item->valuestring);
		else
			text = cJSON_PrintUnformatted(item);
		if (!text)
			rg_out_of_memory();
		add_member(list, item->string, text, strlen(text), true);
	}
}

/* "filler": {"name": …, "size": …}. */
static rg_error *add_filler(members *list, const cJSON *filler)
{
	size_t size = (size_t)json_count(filler, "size", 0);
	unsigned char *bytes;

	if (!filler)
		return NULL;
	if (size > FILE_MAX)
		return rg_error_new(RG_E_LIMIT, "a filler of more than 64 MiB");
	bytes = malloc(size ? size : 1);
	filler_fill(bytes, size);
	add_member(list, json_text(filler, "name", "logs/stdout.log"), bytes, size, false);
	return NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const member *)a)->name, ((const member *)b)->name);
}

static rg_error *gather(members *list, const char *folder, const cJSON *artifact)
{
	const cJSON *files = cJSON_GetObjectItemCaseSensitive(artifact, "files");
	const cJSON *filler = cJSON_GetObjectItemCaseSensitive(artifact, "filler");
	const char *name = json_text(artifact, "contents", json_text(artifact, "name", ""));
	char *base = NULL, *path = NULL;
	struct stat status;
	rg_error *err = NULL;
	add_inline(list, files);
	base = rg_path_join(folder, "artifacts");
	path = rg_path_join(base, name);
	if (stat(path, &status) == 0)
		err = add_folder(list, path, "", DEPTH_MAX);
	else if (!files && !filler && !json_flag(artifact, "expired", false))
		err = rg_error_io(errno, "%s", path);
	free(base);
	free(path);
	return err;
}

/* A digest of all that a zip is made of. */
static rg_error *zip_key(char out[static RG_SHA256_HEX], const members *list, const cJSON *filler)
{
	RG_AUTO_PTR(rg_sha256) hash = NULL;
	RG_AUTO_FREE char *text = cJSON_PrintUnformatted(filler);

	RG_TRY(rg_sha256_new(&hash));
	RG_TRY(rg_sha256_add(hash, text, strlen(text)));
	for (size_t i = 0; i < list->count; i++) {
		const member *item = &list->items[i];

		RG_TRY(rg_sha256_add(hash, item->name, strlen(item->name) + 1));
		RG_TRY(rg_sha256_add(hash, &item->length, sizeof(item->length)));
		RG_TRY(rg_sha256_add(hash, item->bytes, item->length));
	}
	return rg_sha256_finish(hash, out);
}

static rg_error *pack_members(unsigned char **bytes, size_t *length, members *list)
{
	pack *zip = NULL;
	pack_new(&zip);
	rg_error *err = NULL;

	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), by_name);
	for (size_t i = 0; !err && i < list->count; i++)
		err = pack_add(zip, list->items[i].name, list->items[i].bytes,
			       list->items[i].length, list->items[i].deflate);
	if (!err)
		err = pack_finish(zip, bytes, length);
	pack_free(zip);
	return err;
}

static rg_error *make_zip(unsigned char **bytes, size_t *length, bool *kept, members *list,
			  const cJSON *filler)
{
	char key[RG_SHA256_HEX];

	if (!filler)
		return pack_members(bytes, length, list);
	RG_TRY(zip_key(key, list, filler));
	*kept = kept_take(bytes, length, key);
	if (*kept)
		return NULL;
	RG_TRY(add_filler(list, filler));
	RG_TRY(pack_members(bytes, length, list));
	kept_put(*bytes, *length, key);
	return NULL;
}

rg_error *contents_key(char **out, const cJSON *artifact)
{
	static const char *const keys[] = {"file", "files", "filler", "log", "log_file"};
	rg_buf key;
	rg_error *err;

	rg_buf_init(&key, RG_BUF_TEXT);
	rg_buf_str(&key, json_text(artifact, "contents", json_text(artifact, "name", "")));
	rg_buf_str(&key, json_flag(artifact, "archive", true) ? "\nzip" : "\nplain");
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(artifact, keys[i]);
		char *text = item ? cJSON_PrintUnformatted(item) : NULL;

		rg_buf_char(&key, '\n');
		rg_buf_str(&key, text ? text : "");
		cJSON_free(text);
	}
	err = rg_buf_check(&key, "an artifact's description");
	if (!err) {
		*out = rg_buf_detach(&key);
	}
	rg_buf_release(&key);
	return err;
}

/* A job's log, as it is. */
static rg_error *make_log(unsigned char **bytes, size_t *length, const char *folder,
			  const cJSON *job)
{
	const char *text = json_text(job, "log", NULL);
	char *path = NULL;
	rg_error *err;

	if (text) {
		*bytes = (unsigned char *)strdup(text);
		*length = strlen(text);
		return NULL;
	}
	path = rg_path_join(folder, json_text(job, "log_file", ""));
	err = read_bytes(path, bytes, length);
	free(path);
	return err;
}

bool contents_has_log(const cJSON *job)
{
	return json_text(job, "log", NULL) || json_text(job, "log_file", NULL);
}

rg_error *contents_make(unsigned char **bytes, size_t *length, char **name, bool *kept,
			const char *folder, const cJSON *artifact)
{
	const char *file = json_text(artifact, "file", NULL);
	const cJSON *filler = cJSON_GetObjectItemCaseSensitive(artifact, "filler");
	bool archive = json_flag(artifact, "archive", true);
	members list = {0};
	char *path = NULL;
	rg_error *err;

	if (contents_has_log(artifact))
		return make_log(bytes, length, folder, artifact);
	if (file) {
		path = rg_path_join(folder, file);
		err = add_file(&list, path, file);
		free(path);
	} else {
		err = gather(&list, folder, artifact);
		if (!err && !archive)
			err = add_filler(&list, filler);
	}
	if (!err && archive && !file) {
		err = make_zip(bytes, length, kept, &list, filler);
	} else if (!err && list.count != 1) {
		err = rg_error_new(RG_E_PARSE, "\"archive\": false takes one file, not %zu",
				   list.count);
	} else if (!err) {
		*bytes = list.items[0].bytes;
		*length = list.items[0].length;
		list.items[0].bytes = NULL;
		if (!archive) {
			*name = list.items[0].name;
			list.items[0].name = NULL;
		}
	}
	members_release(&list);
	return err;
}

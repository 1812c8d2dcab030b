#include "source/cache.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/number.h"
#include "source/cache_store.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rg_cache {
	rg_cache_store *store;
};

static rg_error *default_folder(char **out)
{
	const char *folder = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	/* The specification has relative ones ignored. */
	if (folder && *folder == '/')
		return rg_textf(out, "%s/regild", folder);
	if (home && *home)
		return rg_textf(out, "%s/.cache/regild", home);
	return rg_error_new(RG_E_IO, "the cache has no place: set XDG_CACHE_HOME or HOME");
}

rg_error *rg_cache_open(rg_cache **out, const char *folder, uint64_t max_bytes)
{
	rg_cache *cache;
	rg_error *err;
	char *own;

	*out = NULL;
	RG_TRY(folder ? rg_strdup(&own, folder) : default_folder(&own));
	cache = calloc(1, sizeof(*cache));
	if (!cache) {
		free(own);
		return rg_error_nomem();
	}
	err = rg_store_new(&cache->store, own, max_bytes ? max_bytes : RG_CACHE_MAX_DEFAULT);
	if (err) {
		free(cache);
		return err;
	}
	*out = cache;
	return NULL;
}

void rg_cache_free(rg_cache *cache)
{
	if (!cache)
		return;
	rg_store_free(cache->store);
	free(cache);
}

const char *rg_cache_folder(const rg_cache *cache)
{
	return rg_store_folder(cache->store);
}

/* The fields that say which entry it is, in the index too: an entry is only believed where they are
 * the ones that were asked for. */
typedef struct {
	const char *name;
	const char *value;
} field;

enum { KEY_FIELDS = 5, ID_TEXT = 21 };

static void key_fields(const rg_cache_key *key, char id[static ID_TEXT], field out[KEY_FIELDS])
{
	snprintf(id, ID_TEXT, "%" PRIu64, key->artifact_id);
	out[0] = (field){"host", key->host};
	out[1] = (field){"repository", key->repository};
	out[2] = (field){"artifact", id};
	out[3] = (field){"digest", key->digest ? key->digest : ""};
	out[4] = (field){"patterns", key->patterns};
}

/* The entry's name: the SHA-256 of all values, each with its length before it. */
static rg_error *name_of(const field *fields, size_t count, char hex[static RG_SHA256_HEX])
{
	rg_error *err;
	size_t i;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (i = 0; i < count; i++)
		rg_buf_printf(&text, "%zu:%s,", strlen(fields[i].value), fields[i].value);
	err = rg_buf_check(&text, "the cache's key");
	if (!err)
		err = rg_sha256_hex(text.data, text.length, hex);
	rg_buf_release(&text);
	return err;
}

static bool add_fields(cJSON *index, const field *fields, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!cJSON_AddStringToObject(index, fields[i].name, fields[i].value))
			return false;
	return true;
}

static const char *text_of(const cJSON *object, const char *name)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static bool has_fields(const cJSON *index, const field *fields, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const char *value = text_of(index, fields[i].name);

		if (!value || strcmp(value, fields[i].value))
			return false;
	}
	return true;
}

/* Sizes are texts: JSON's numbers are doubles. */
static bool add_bytes(cJSON *object, const void *bytes, size_t size, rg_error **err)
{
	char digest[RG_SHA256_HEX], number[ID_TEXT];

	*err = rg_sha256_hex(bytes, size, digest);
	snprintf(number, sizeof(number), "%zu", size);
	return !*err && cJSON_AddStringToObject(object, "size", number) &&
	       cJSON_AddStringToObject(object, "sha256", digest);
}

/* Takes the object's bytes off the front of what is left and checks them. */
static rg_error *take_bytes(const cJSON *object, const char **bytes, size_t *left, size_t *size,
			    bool *fine)
{
	const char *number = text_of(object, "size"), *digest = text_of(object, "sha256");
	char got[RG_SHA256_HEX];
	uint64_t value;

	*fine = false;
	if (!number || !digest || !rg_uint64_parse(number, strlen(number), &value) || value > *left)
		return NULL;
	RG_TRY(rg_sha256_hex(*bytes, (size_t)value, got));
	*fine = !strcmp(got, digest);
	*bytes += value;
	*left -= (size_t)value;
	*size = (size_t)value;
	return NULL;
}

/* Writes the index with its pieces; takes `index` over. */
static rg_error *put_index(rg_cache *cache, rg_store_kind kind, const char *hex, cJSON *index,
			   const rg_store_piece *pieces, size_t count)
{
	char *text = cJSON_PrintUnformatted(index);
	rg_error *err;

	cJSON_Delete(index);
	if (!text)
		return rg_error_nomem();
	err = rg_store_put(cache->store, kind, hex, text, pieces, count);
	free(text);
	return err ? rg_error_wrap(err, "the cache") : NULL;
}

static bool add_file(cJSON *files, const rg_cache_file *file, rg_error **err)
{
	cJSON *object = cJSON_CreateObject();

	if (!object || !cJSON_AddItemToArray(files, object)) {
		cJSON_Delete(object);
		return false;
	}
	return cJSON_AddStringToObject(object, "path", file->path) &&
	       cJSON_AddStringToObject(object, "via", file->via ? file->via : "") &&
	       add_bytes(object, file->bytes, file->size, err);
}

static rg_error *index_of(cJSON **out, const field *fields, const rg_cache_entry *entry)
{
	cJSON *index = cJSON_CreateObject(), *files = NULL;
	rg_error *err = NULL;
	bool fine = index && add_fields(index, fields, KEY_FIELDS) &&
		    cJSON_AddStringToObject(index, "check", entry->check ? entry->check : "");
	size_t i;

	if (fine)
		files = cJSON_AddArrayToObject(index, "files");
	fine = files != NULL;
	for (i = 0; fine && i < entry->count; i++)
		fine = add_file(files, &entry->files[i], &err);
	if (fine) {
		*out = index;
		return NULL;
	}
	cJSON_Delete(index);
	return err ? err : rg_error_nomem();
}

rg_error *rg_cache_put(rg_cache *cache, const rg_cache_key *key, const rg_cache_entry *entry)
{
	char hex[RG_SHA256_HEX], id[ID_TEXT];
	rg_store_piece *pieces;
	field fields[KEY_FIELDS];
	cJSON *index = NULL;
	rg_error *err;
	size_t i;

	key_fields(key, id, fields);
	RG_TRY(name_of(fields, KEY_FIELDS, hex));
	RG_TRY(index_of(&index, fields, entry));
	pieces = calloc(entry->count + 1, sizeof(*pieces));
	if (!pieces) {
		cJSON_Delete(index);
		return rg_error_nomem();
	}
	for (i = 0; i < entry->count; i++)
		pieces[i] = (rg_store_piece){entry->files[i].bytes, entry->files[i].size};
	err = put_index(cache, RG_STORE_ARTIFACTS, hex, index, pieces, entry->count);
	free(pieces);
	return err;
}

/* Fills one file of an entry; *fine false where it is not as it was written. */
static rg_error *load_file(rg_cache_entry *out, const cJSON *object, const char **bytes,
			   size_t *left, bool *fine)
{
	const char *path = text_of(object, "path"), *via = text_of(object, "via");
	rg_cache_file *file = &out->files[out->count];

	*fine = false;
	if (!path || !via || rg_path_fault(path))
		return NULL;
	file->bytes = *bytes;
	RG_TRY(rg_arena_text(&out->arena, path, &file->path));
	RG_TRY(rg_arena_text(&out->arena, via, &file->via));
	out->count++;
	return take_bytes(object, bytes, left, &file->size, fine);
}

static rg_error *load_files(rg_cache_entry *out, const cJSON *index, const rg_store_entry *stored,
			    bool *fine)
{
	const cJSON *files = cJSON_GetObjectItemCaseSensitive(index, "files"), *object;
	const char *check = text_of(index, "check"), *bytes = stored->bytes;
	size_t left = stored->size;

	*fine = false;
	if (!check || !cJSON_IsArray(files))
		return NULL;
	out->check = rg_arena_copy(&out->arena, check, strlen(check));
	out->files = rg_arena_alloc(&out->arena,
				    ((size_t)cJSON_GetArraySize(files) + 1) * sizeof(*out->files));
	if (!out->check || !out->files)
		return rg_error_nomem();
	*fine = true;
	cJSON_ArrayForEach(object, files)
	{
		RG_TRY(load_file(out, object, &bytes, &left, fine));
		if (!*fine)
			return NULL;
	}
	*fine = left == 0;
	return NULL;
}

/* An entry's file and its index, read and parsed. *index NULL: as good as none. */
static rg_error *get_index(rg_cache *cache, rg_store_kind kind, const char *hex,
			   const field *fields, size_t count, rg_store_entry *stored, cJSON **index)
{
	bool found;

	*index = NULL;
	RG_TRY(rg_store_get(cache->store, kind, hex, false, stored, &found));
	if (!found)
		return NULL;
	*index = cJSON_Parse(stored->index);
	if (*index && has_fields(*index, fields, count))
		return NULL;
	cJSON_Delete(*index);
	*index = NULL;
	free(stored->memory);
	rg_store_drop(cache->store, kind, hex);
	return NULL;
}

rg_error *rg_cache_get(rg_cache *cache, const rg_cache_key *key, rg_cache_entry *out, bool *found)
{
	char hex[RG_SHA256_HEX], id[ID_TEXT];
	field fields[KEY_FIELDS];
	rg_store_entry stored;
	cJSON *index;
	rg_error *err;

	*found = false;
	*out = (rg_cache_entry){0};
	key_fields(key, id, fields);
	RG_TRY(name_of(fields, KEY_FIELDS, hex));
	RG_TRY(get_index(cache, RG_STORE_ARTIFACTS, hex, fields, KEY_FIELDS, &stored, &index));
	if (!index)
		return NULL;
	rg_arena_init(&out->arena);
	out->memory = stored.memory;
	err = load_files(out, index, &stored, found);
	cJSON_Delete(index);
	if (!err && *found) {
		rg_store_touch(cache->store, RG_STORE_ARTIFACTS, hex);
		return NULL;
	}
	*found = false;
	rg_cache_entry_release(out);
	if (!err)
		rg_store_drop(cache->store, RG_STORE_ARTIFACTS, hex);
	return err;
}

void rg_cache_entry_release(rg_cache_entry *entry)
{
	rg_arena_release(&entry->arena);
	free(entry->memory);
	*entry = (rg_cache_entry){0};
}

rg_error *rg_cache_put_answer(rg_cache *cache, const char *url, const char *etag, const char *link,
			      const void *body, size_t length)
{
	const field fields[] = {{"url", url}};
	const rg_store_piece piece = {body, length};
	char hex[RG_SHA256_HEX];
	rg_error *err = NULL;
	cJSON *index;

	RG_TRY(name_of(fields, 1, hex));
	index = cJSON_CreateObject();
	if (!index || !add_fields(index, fields, 1) ||
	    !cJSON_AddStringToObject(index, "etag", etag) ||
	    (link && !cJSON_AddStringToObject(index, "link", link)) ||
	    !add_bytes(index, body, length, &err)) {
		cJSON_Delete(index);
		return err ? err : rg_error_nomem();
	}
	return put_index(cache, RG_STORE_ANSWERS, hex, index, &piece, 1);
}

static rg_error *load_answer(rg_cache_answer *out, const cJSON *index, const rg_store_entry *stored,
			     bool *fine)
{
	const char *etag = text_of(index, "etag"), *link = text_of(index, "link");
	const char *bytes = stored->bytes;
	size_t left = stored->size, size = 0;

	*fine = false;
	if (!etag)
		return NULL;
	RG_TRY(take_bytes(index, &bytes, &left, &size, fine));
	if (!*fine || left) {
		*fine = false;
		return NULL;
	}
	*fine = false;
	RG_TRY(rg_strdup(&out->etag, etag));
	if (link)
		RG_TRY(rg_strdup(&out->link, link));
	rg_buf_init(&out->body, size);
	rg_buf_add(&out->body, stored->bytes, size);
	RG_TRY(rg_buf_check(&out->body, "the cache"));
	*fine = true;
	return NULL;
}

rg_error *rg_cache_get_answer(rg_cache *cache, const char *url, rg_cache_answer *out, bool *found)
{
	const field fields[] = {{"url", url}};
	char hex[RG_SHA256_HEX];
	rg_store_entry stored;
	cJSON *index;
	rg_error *err;

	*found = false;
	*out = (rg_cache_answer){0};
	rg_buf_init(&out->body, 0);
	RG_TRY(name_of(fields, 1, hex));
	RG_TRY(get_index(cache, RG_STORE_ANSWERS, hex, fields, 1, &stored, &index));
	if (!index)
		return NULL;
	err = load_answer(out, index, &stored, found);
	cJSON_Delete(index);
	free(stored.memory);
	if (!err && *found) {
		rg_store_touch(cache->store, RG_STORE_ANSWERS, hex);
		return NULL;
	}
	rg_cache_answer_release(out);
	if (!err)
		rg_store_drop(cache->store, RG_STORE_ANSWERS, hex);
	return err;
}

void rg_cache_answer_release(rg_cache_answer *answer)
{
	free(answer->etag);
	free(answer->link);
	rg_buf_release(&answer->body);
	*answer = (rg_cache_answer){0};
	rg_buf_init(&answer->body, 0);
}

/* What the list says of an entry; false where its index does not say it. */
static bool describe(rg_cache_item *item, rg_arena *arena, const cJSON *index, rg_error **err)
{
	const char *host = text_of(index, "host"), *repository = text_of(index, "repository");
	const char *id = text_of(index, "artifact"), *url = text_of(index, "url");
	char *name = NULL;

	if (url) {
		item->repository = rg_arena_copy(arena, url, strlen(url));
	} else {
		if (!host || !repository || !id ||
		    !rg_uint64_parse(id, strlen(id), &item->artifact_id))
			return false;
		*err = rg_textf(&name, "%s/%s", host, repository);
		if (!*err)
			item->repository = rg_arena_copy(arena, name, strlen(name));
		free(name);
		item->files = (size_t)cJSON_GetArraySize(
			cJSON_GetObjectItemCaseSensitive(index, "files"));
	}
	if (!*err && !item->repository)
		*err = rg_error_nomem();
	return !*err;
}

static rg_error *list_one(rg_cache *cache, const rg_store_file *file, rg_cache_list *out)
{
	rg_cache_item item = {.bytes = file->size, .last_used = file->used};
	rg_store_entry stored;
	rg_error *err = NULL;
	cJSON *index;
	bool found;

	RG_TRY(rg_store_get(cache->store, file->kind, file->hex, true, &stored, &found));
	if (!found)
		return NULL;
	index = cJSON_Parse(stored.index);
	free(stored.memory);
	found = index && describe(&item, &out->arena, index, &err);
	cJSON_Delete(index);
	if (!found)
		return err;
	RG_TRY(rg_grow(&out->items, &out->capacity, out->count + 1, sizeof(*out->items)));
	out->items[out->count++] = item;
	out->bytes += item.bytes;
	return NULL;
}

rg_error *rg_cache_list_read(rg_cache *cache, rg_cache_list *out)
{
	rg_store_files files;
	rg_error *err;
	size_t i;

	*out = (rg_cache_list){0};
	rg_arena_init(&out->arena);
	RG_TRY(rg_error_wrap(rg_store_scan(cache->store, &files), "the cache"));
	err = NULL;
	for (i = files.count; !err && i--;)
		err = list_one(cache, &files.items[i], out);
	free(files.items);
	if (err)
		rg_cache_list_release(out);
	return err;
}

void rg_cache_list_release(rg_cache_list *list)
{
	free(list->items);
	rg_arena_release(&list->arena);
	*list = (rg_cache_list){0};
}

rg_error *rg_cache_clear(rg_cache *cache, size_t *entries, uint64_t *bytes)
{
	return rg_error_wrap(rg_store_clear(cache->store, entries, bytes), "the cache");
}

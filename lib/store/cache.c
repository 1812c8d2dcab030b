/* SPDX-License-Identifier: Apache-2.0 */
#include "store/cache.h"

#include "base/memory.h"
#include "base/counts.h"
#include "base/digest.h"
#include "base/path.h"
#include "store/sqlite.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* An answer of the API is an entry with an ETag, whose only file is its body. */
static const rg_sqlite_kind cache_kind = {
	.application_id = 0x72676361, /* "rgca" */
	.version = 1,
	/* A cache may lose data in a power cut: it is fetched again. */
	.session = "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL",
	.setup = "PRAGMA auto_vacuum = FULL; PRAGMA journal_mode = WAL",
	/* `used`: nanoseconds since 1970. */
	.schema = "CREATE TABLE entries ( entry INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"
		  " name TEXT NOT NULL, artifact INTEGER NOT NULL, etag TEXT, link TEXT,"
		  " bytes INTEGER NOT NULL, used INTEGER NOT NULL);"
		  "CREATE INDEX entries_by_use ON entries (used, bytes);"
		  "CREATE TABLE files ("
		  " entry INTEGER NOT NULL REFERENCES entries ON DELETE CASCADE,"
		  " place INTEGER NOT NULL, path TEXT NOT NULL, sha256 TEXT NOT NULL,"
		  " bytes BLOB NOT NULL, PRIMARY KEY (entry, place));",
};

struct rg_cache {
	char *folder, *path;
	uint64_t max_bytes;
	const rg_log *log;
	pthread_mutex_t lock; /* holds the connection */
	rg_sqlite *db;        /* NULL until it is needed */
};

rg_error *rg_cache_default_folder(char **out)
{
	const char *folder = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	/* The specification has relative ones ignored. */
	if (folder && *folder == '/') {
		*out = rg_textf("%s/regild", folder);
		return NULL;
	}
	if (home && *home) {
		*out = rg_textf("%s/.cache/regild", home);
		return NULL;
	}
	return rg_error_new(RG_E_IO, "no place for the cache: set XDG_CACHE_HOME or HOME");
}

rg_error *rg_cache_open(rg_cache **out, const char *folder, uint64_t max_bytes, const rg_log *log)
{
	RG_AUTO_PTR(rg_cache) cache = rg_calloc(1, sizeof(*cache));

	*out = NULL;
	pthread_mutex_init(&cache->lock, NULL);
	cache->max_bytes = max_bytes ? max_bytes : RG_CACHE_MAX_DEFAULT;
	cache->log = log;
	if (folder)
		cache->folder = rg_strdup(folder);
	else
		RG_TRY(rg_cache_default_folder(&cache->folder));
	cache->path = rg_path_join(cache->folder, "cache.db");
	*out = RG_TAKE(cache);
	return NULL;
}

void rg_cache_free(rg_cache *cache)
{
	if (!cache)
		return;
	rg_sqlite_free(cache->db);
	pthread_mutex_destroy(&cache->lock);
	free(cache->folder);
	free(cache->path);
	free(cache);
}

const char *rg_cache_folder(const rg_cache *cache)
{
	return cache->folder;
}

static void log_renewed(const rg_cache *cache)
{
	const char *aside = cache->db ? rg_sqlite_moved_to(cache->db) : NULL;
	if (aside)
		rg_log_say(
			cache->log, RG_LOG_WARNING,
			"%s: could not be read as a cache; it is in %s now, and a new one is made",
			cache->path, aside);
}

/* cache->db stays NULL where nothing was ever stored and `create` is false. */
static rg_error *lock_and_connect(rg_cache *cache, bool create)
{
	pthread_mutex_lock(&cache->lock);
	if (cache->db)
		return NULL;
	RG_TRY(rg_sqlite_open(&cache->db, cache->path, &cache_kind, create));
	log_renewed(cache);
	return NULL;
}

/* Unlocks it. A damaged cache is moved aside, and the error that said so is none. */
static rg_error *finish(rg_cache *cache, rg_error *err)
{
	if (err && rg_error_get_code(err) == RG_E_PARSE && cache->db) {
		rg_error_free(err);
		err = rg_sqlite_renew(cache->db);
		log_renewed(cache);
		if (err) {
			rg_sqlite_free(cache->db);
			cache->db = NULL;
		}
	}
	pthread_mutex_unlock(&cache->lock);
	return err;
}

static int64_t now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_REALTIME, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* No line end is in a URL, a repository's name or a digest. */
static char *artifact_key(const rg_cache_key *key)
{
	return rg_textf("%s\n%s/%s\n%llu\n%s\n%s", key->api, key->host, key->repository,
			(unsigned long long)key->artifact_id, key->digest ? key->digest : "",
			key->patterns);
}

/* ---- putting ---- */

/* `values`: key, name, artifact, etag, link. */
static rg_error *write_entry(const rg_cache *cache, rg_sqlite_value values[static 7],
			     const rg_cache_entry *entry, uint64_t bytes)
{
	const rg_sqlite_value kept =
		rg_sqlite_integer((int64_t)(cache->max_bytes - cache->max_bytes / 10));
	int64_t used;

	values[5] = rg_sqlite_integer((int64_t)bytes);
	values[6] = rg_sqlite_integer(now());
	RG_TRY(rg_sqlite_run(cache->db, "DELETE FROM entries WHERE key = ?1", values, 1, NULL,
			     NULL));
	RG_TRY(rg_sqlite_run(cache->db,
			     "INSERT INTO entries (key, name, artifact, etag, link, bytes, used) "
			     "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
			     values, 7, NULL, NULL));
	const int64_t id = rg_sqlite_last_id(cache->db);
	for (size_t i = 0; i < entry->count; i++) {
		const rg_cache_file *file = &entry->files[i];
		char sha256[RG_SHA256_HEX];

		memcpy(sha256, file->sha256, sizeof(sha256));
		if (!*sha256)
			RG_TRY(rg_sha256_hex(file->bytes, file->size, sha256));
		const rg_sqlite_value row[] = {rg_sqlite_integer(id), rg_sqlite_integer((int64_t)i),
					       rg_sqlite_text(file->path), rg_sqlite_text(sha256),
					       rg_sqlite_blob(file->bytes, file->size)};
		RG_TRY(rg_sqlite_run(cache->db, "INSERT INTO files VALUES (?1, ?2, ?3, ?4, ?5)",
				     row, 5, NULL, NULL));
	}
	RG_TRY(rg_sqlite_number(cache->db, "SELECT sum(bytes) FROM entries", &used));
	if ((uint64_t)used <= cache->max_bytes)
		return NULL;
	/* Drops the least recently used until a tenth is free, so that not every put has to. */
	return rg_sqlite_run(
		cache->db,
		"DELETE FROM entries WHERE entry IN (SELECT entry FROM (SELECT entry, "
		"sum(bytes) OVER (ORDER BY used DESC, entry DESC) AS bytes FROM entries) "
		"WHERE bytes > ?1)",
		&kept, 1, NULL, NULL);
}

static rg_error *put(rg_cache *cache, rg_sqlite_value values[static 7], const rg_cache_entry *entry)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < entry->count; i++) {
		if (entry->files[i].size > RG_CACHE_FILE_MAX)
			return NULL;
		bytes += entry->files[i].size;
	}
	if (bytes > cache->max_bytes / 2)
		return NULL;
	rg_error *err = lock_and_connect(cache, true);
	if (!err)
		err = rg_sqlite_begin(cache->db);
	if (!err)
		err = rg_sqlite_end(cache->db, write_entry(cache, values, entry, bytes));
	return rg_error_wrap(finish(cache, err), "the cache");
}

rg_error *rg_cache_put(rg_cache *cache, const rg_cache_key *key, const rg_cache_entry *entry)
{
	RG_AUTO_FREE char *text = artifact_key(key);
	RG_AUTO_FREE char *name = rg_textf("%s/%s", key->host, key->repository);
	rg_sqlite_value values[7] = {rg_sqlite_text(text), rg_sqlite_text(name),
				     rg_sqlite_integer((int64_t)key->artifact_id),
				     rg_sqlite_text(NULL), rg_sqlite_text(NULL)};

	return put(cache, values, entry);
}

rg_error *rg_cache_put_answer(rg_cache *cache, const char *url, const char *etag, const char *link,
			      const void *body, size_t length)
{
	rg_cache_file file = {.path = "", .bytes = body, .size = length};
	const rg_cache_entry entry = {.files = &file, .count = 1};
	rg_sqlite_value values[7] = {rg_sqlite_text(url), rg_sqlite_text(url), rg_sqlite_integer(0),
				     rg_sqlite_text(etag), rg_sqlite_text(link)};

	return put(cache, values, &entry);
}

/* ---- getting ---- */

/* The content of an entry's rows. */
typedef struct {
	int64_t id; /* 0: there is none */
	bool damaged;
	rg_cache_answer answer; /* without an ETag: an artifact */
} load_state;

static rg_error *load_row(void *context, sqlite3_stmt *row)
{
	load_state *out = context;
	rg_cache_entry *entry = &out->answer.entry;

	out->id = sqlite3_column_int64(row, 0);
	out->answer.etag = rg_sqlite_column_text(row, 1, &entry->arena);
	out->answer.link = rg_sqlite_column_text(row, 2, &entry->arena);
	/* An entry without files is one row of its own. */
	if (sqlite3_column_type(row, 3) == SQLITE_NULL)
		return NULL;
	rg_grow(&entry->files, &entry->capacity, entry->count + 1, sizeof(*entry->files));
	rg_cache_file *file = &entry->files[entry->count++];
	file->path = rg_sqlite_column_text(row, 3, &entry->arena);
	const char *wanted = rg_sqlite_column_text(row, 4, &entry->arena);
	file->bytes = rg_sqlite_column(row, 5, &file->size);
	RG_TRY(rg_sha256_hex(file->bytes, file->size, file->sha256));
	if (!out->answer.etag)
		rg_count_up(RG_COUNT_HASHED);
	if (strcmp(wanted, file->sha256) != 0 || (!out->answer.etag && rg_path_fault(file->path)))
		out->damaged = true;
	file->bytes = rg_arena_copy(&entry->arena, file->bytes, file->size);
	return NULL;
}

static rg_error *load(rg_sqlite *db, const char *key, load_state *out)
{
	rg_sqlite_value values[2] = {rg_sqlite_text(key), rg_sqlite_integer(now())};
	RG_TRY(rg_sqlite_run(db,
			     "SELECT entry, etag, link, path, sha256, files.bytes "
			     "FROM entries LEFT JOIN files USING (entry) WHERE key = ?1 "
			     "ORDER BY place",
			     values, 1, load_row, out));
	if (!out->damaged)
		return rg_sqlite_run(db, "UPDATE entries SET used = ?2 WHERE key = ?1", values, 2,
				     NULL, NULL);
	out->id = 0;
	return rg_sqlite_run(db, "DELETE FROM entries WHERE key = ?1", values, 1, NULL, NULL);
}

/* An entry that cannot be read counts as missing: only Ctrl-C is an error. */
static rg_error *get(rg_cache *cache, const char *key, rg_cache_answer *out, bool *found)
{
	load_state got = {0};
	rg_error *err = lock_and_connect(cache, false);
	if (!err && cache->db)
		err = load(cache->db, key, &got);
	err = finish(cache, err);
	if (err && rg_error_get_code(err) != RG_E_CANCELLED) {
		rg_log_say(cache->log, RG_LOG_DETAIL, "the cache cannot be used: %s",
			   rg_error_message(err));
		rg_error_free(err);
		err = NULL;
	}
	*found = !err && got.id;
	if (!*found)
		rg_cache_entry_release(&got.answer.entry);
	*out = got.answer;
	return err;
}

rg_error *rg_cache_get(rg_cache *cache, const rg_cache_key *key, rg_cache_entry *out, bool *found)
{
	RG_AUTO_FREE char *text = artifact_key(key);
	rg_cache_answer got = {0};

	*found = false;
	rg_error *err = get(cache, text, &got, found);
	*out = got.entry;
	return err;
}

rg_error *rg_cache_get_answer(rg_cache *cache, const char *url, rg_cache_answer *out, bool *found)
{
	RG_TRY(get(cache, url, out, found));
	if (*found)
		out->body = out->entry.files;
	return NULL;
}

void rg_cache_entry_release(rg_cache_entry *entry)
{
	rg_arena_release(&entry->arena);
	free(entry->files);
	*entry = (rg_cache_entry){0};
}

/* ---- listing and clearing ---- */

typedef struct {
	rg_cache_item_fn *take;
	void *context;
} list_state;

static rg_error *list_row(void *context, sqlite3_stmt *row)
{
	const list_state *l = context;
	size_t length;
	const rg_cache_item item = {.name = rg_sqlite_column(row, 0, &length),
				    .artifact_id = (uint64_t)sqlite3_column_int64(row, 1),
				    .files = (size_t)sqlite3_column_int64(row, 2),
				    .bytes = (uint64_t)sqlite3_column_int64(row, 3),
				    .last_used = sqlite3_column_int64(row, 4)};

	l->take(l->context, &item);
	return NULL;
}

rg_error *rg_cache_list(rg_cache *cache, rg_cache_item_fn *take, void *context)
{
	list_state l = {take, context};
	rg_error *err = lock_and_connect(cache, false);

	if (!err && cache->db)
		err = rg_sqlite_run(
			cache->db,
			"SELECT name, artifact, "
			"(SELECT count(*) FROM files WHERE files.entry = entries.entry), bytes, "
			"used / 1000000000 FROM entries ORDER BY used DESC, entry DESC",
			NULL, 0, list_row, &l);
	return rg_error_wrap(finish(cache, err), "the cache");
}

static rg_error *clear(rg_sqlite *db, int64_t *entries, int64_t *bytes)
{
	RG_TRY(rg_sqlite_number(db, "SELECT count(*) FROM entries", entries));
	RG_TRY(rg_sqlite_number(db, "SELECT sum(bytes) FROM entries", bytes));
	return rg_sqlite_run(db, "DELETE FROM entries", NULL, 0, NULL, NULL);
}

rg_error *rg_cache_clear(rg_cache *cache, size_t *entries, uint64_t *bytes)
{
	int64_t removed = 0, size = 0;
	rg_error *err = lock_and_connect(cache, false);

	if (!err && cache->db) {
		err = rg_sqlite_begin(cache->db);
		if (!err)
			err = rg_sqlite_end(cache->db, clear(cache->db, &removed, &size));
	}
	*entries = (size_t)removed;
	*bytes = (uint64_t)size;
	return rg_error_wrap(finish(cache, err), "the cache");
}

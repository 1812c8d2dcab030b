#include "source/cache_store.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/number.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC "regild-cache-1 "

enum { HEADER_MAX = sizeof(MAGIC) + 20 + 1 + RG_SHA256_HEX, INDEX_MAX = 16 << 20 };
/* Seconds: a temporary that old is nobody's, and so far may the folder's clock be from ours. */
enum { STALE_AFTER = 3600 };

static const char *const kind_names[RG_STORE_KINDS] = {"artifacts", "answers"};
static const char temporary_prefix[] = "new.";

struct rg_cache_store {
	char *folder;
	uint64_t max_bytes;
	pthread_mutex_t lock; /* holds the two below */
	bool counted;
	uint64_t bytes; /* of all entries, as far as this process knows */
};

rg_error *rg_store_new(rg_cache_store **out, char *folder, uint64_t max_bytes)
{
	rg_cache_store *store = calloc(1, sizeof(*store));

	*out = NULL;
	if (!store || pthread_mutex_init(&store->lock, NULL)) {
		free(store);
		free(folder);
		return rg_error_nomem();
	}
	store->folder = folder;
	store->max_bytes = max_bytes;
	*out = store;
	return NULL;
}

void rg_store_free(rg_cache_store *store)
{
	if (!store)
		return;
	pthread_mutex_destroy(&store->lock);
	free(store->folder);
	free(store);
}

const char *rg_store_folder(const rg_cache_store *store)
{
	return store->folder;
}

static rg_error *path_of(char **out, const rg_cache_store *store, rg_store_kind kind,
			 const char *name)
{
	return rg_textf(out, "%s/%s/%s", store->folder, kind_names[kind], name);
}

static bool is_entry_name(const char *name)
{
	return strlen(name) == RG_SHA256_HEX - 1 &&
	       strspn(name, "0123456789abcdef") == RG_SHA256_HEX - 1;
}

static bool is_temporary_name(const char *name)
{
	return !strncmp(name, temporary_prefix, sizeof(temporary_prefix) - 1);
}

/* What to do with each file of a kind; st is its lstat. */
typedef rg_error *file_fn(void *context, rg_store_kind kind, int folder, const char *name,
			  const struct stat *st);

static rg_error *each_in(const char *path, rg_store_kind kind, file_fn *fn, void *context)
{
	DIR *dir = opendir(path);
	rg_error *err = NULL;
	struct dirent *entry;

	if (!dir)
		return errno == ENOENT ? NULL : rg_error_io(errno, "%s", path);
	while (!err && (errno = 0, entry = readdir(dir)) != NULL) {
		struct stat st;

		if (!is_entry_name(entry->d_name) && !is_temporary_name(entry->d_name))
			continue;
		/* Another process may have removed it since. */
		if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		err = fn(context, kind, dirfd(dir), entry->d_name, &st);
	}
	if (!err && errno)
		err = rg_error_io(errno, "%s", path);
	closedir(dir);
	return err;
}

static rg_error *each_file(const rg_cache_store *store, file_fn *fn, void *context)
{
	rg_error *err = NULL;
	int kind;

	for (kind = 0; !err && kind < RG_STORE_KINDS; kind++) {
		char *path;

		RG_TRY(rg_path_join(&path, store->folder, kind_names[kind]));
		err = each_in(path, (rg_store_kind)kind, fn, context);
		free(path);
	}
	return err;
}

static rg_error *list_file(void *context, rg_store_kind kind, int folder, const char *name,
			   const struct stat *st)
{
	rg_store_files *files = context;
	rg_store_file *file;

	if (is_temporary_name(name)) {
		if (time(NULL) - st->st_mtime > STALE_AFTER)
			unlinkat(folder, name, 0);
		return NULL;
	}
	RG_TRY(rg_grow(&files->items, &files->capacity, files->count + 1, sizeof(*files->items)));
	file = &files->items[files->count++];
	file->kind = kind;
	memcpy(file->hex, name, RG_SHA256_HEX);
	file->size = (uint64_t)st->st_size;
	/* One from a time when the clock was wrong would be the last to go until that comes. */
	if (st->st_mtime - time(NULL) <= STALE_AFTER) {
		file->used = st->st_mtim.tv_sec;
		file->used_ns = st->st_mtim.tv_nsec;
	}
	files->bytes += file->size;
	return NULL;
}

static int by_use(const void *left, const void *right)
{
	const rg_store_file *a = left, *b = right;

	if (a->used != b->used)
		return a->used > b->used ? 1 : -1;
	if (a->used_ns != b->used_ns)
		return a->used_ns > b->used_ns ? 1 : -1;
	return strcmp(a->hex, b->hex);
}

rg_error *rg_store_scan(rg_cache_store *store, rg_store_files *out)
{
	rg_error *err;

	*out = (rg_store_files){0};
	err = each_file(store, list_file, out);
	if (err) {
		free(out->items);
		*out = (rg_store_files){0};
		return err;
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_use);
	return NULL;
}

/* Drops the least recently used until a tenth is free, so that not every put scans. */
static rg_error *evict(rg_cache_store *store)
{
	uint64_t aim = store->max_bytes - store->max_bytes / 10;
	rg_store_files files;
	size_t i;

	RG_TRY(rg_store_scan(store, &files));
	store->counted = true;
	store->bytes = files.bytes;
	/* The newest is the one that was just put in. */
	if (store->bytes > store->max_bytes)
		for (i = 0; store->bytes > aim && i + 1 < files.count; i++) {
			rg_store_drop(store, files.items[i].kind, files.items[i].hex);
			store->bytes -= files.items[i].size;
		}
	free(files.items);
	return NULL;
}

static rg_error *count_in(rg_cache_store *store, uint64_t size)
{
	rg_error *err = NULL;

	pthread_mutex_lock(&store->lock);
	store->bytes += size;
	if (!store->counted || store->bytes > store->max_bytes)
		err = evict(store);
	pthread_mutex_unlock(&store->lock);
	return err;
}

static rg_error *write_pieces(int fd, const char *path, const char *header, const char *index,
			      const rg_store_piece *pieces, size_t count)
{
	size_t i;

	RG_TRY(rg_write_all(fd, header, strlen(header), path));
	RG_TRY(rg_write_all(fd, index, strlen(index), path));
	for (i = 0; i < count; i++)
		RG_TRY(rg_write_all(fd, pieces[i].bytes, pieces[i].size, path));
	return NULL;
}

/* Writes beside `path` and renames; mkstemp makes files that only their owner reads. */
static rg_error *write_entry(const char *path, char *temporary, const char *header,
			     const char *index, const rg_store_piece *pieces, size_t count)
{
	int fd = mkstemp(temporary);
	rg_error *err;

	if (fd < 0)
		return rg_error_io(errno, "%s", temporary);
	err = write_pieces(fd, temporary, header, index, pieces, count);
	if (close(fd) && !err)
		err = rg_error_io(errno, "%s", temporary);
	if (!err && rename(temporary, path))
		err = rg_error_io(errno, "%s", path);
	if (err)
		unlink(temporary);
	return err;
}

rg_error *rg_store_put(rg_cache_store *store, rg_store_kind kind,
		       const char hex[static RG_SHA256_HEX], const char *index,
		       const rg_store_piece *pieces, size_t count)
{
	char header[HEADER_MAX], digest[RG_SHA256_HEX], *path = NULL, *temporary = NULL;
	size_t length = strlen(index), i;
	uint64_t size = length;
	rg_error *err;

	for (i = 0; i < count; i++)
		size += pieces[i].size;
	if (size > store->max_bytes / 2 || length > INDEX_MAX)
		return NULL;
	RG_TRY(rg_sha256_hex(index, length, digest));
	snprintf(header, sizeof(header), MAGIC "%zu %s\n", length, digest);
	err = path_of(&path, store, kind, hex);
	if (!err)
		err = rg_textf(&temporary, "%s/%s/%sXXXXXX", store->folder, kind_names[kind],
			       temporary_prefix);
	if (!err)
		err = rg_make_parent_dirs(path, 0700);
	if (!err)
		err = write_entry(path, temporary, header, index, pieces, count);
	if (!err)
		err = count_in(store, size + strlen(header));
	free(temporary);
	free(path);
	return err;
}

/* Takes the header apart: where the index begins and how long it is. */
static bool read_header(const char *memory, size_t size, size_t *index, size_t *length,
			char digest[static RG_SHA256_HEX])
{
	const char *space, *end = memchr(memory, '\n', size < HEADER_MAX ? size : HEADER_MAX);
	size_t magic = sizeof(MAGIC) - 1;
	uint64_t value;

	if (!end || (size_t)(end - memory) < magic || memcmp(memory, MAGIC, magic))
		return false;
	space = memchr(memory + magic, ' ', (size_t)(end - memory) - magic);
	if (!space || end - space != RG_SHA256_HEX ||
	    !rg_uint64_parse(memory + magic, (size_t)(space - memory) - magic, &value) ||
	    value > INDEX_MAX)
		return false;
	memcpy(digest, space + 1, RG_SHA256_HEX - 1);
	digest[RG_SHA256_HEX - 1] = '\0';
	*index = (size_t)(end - memory) + 1;
	*length = (size_t)value;
	return true;
}

/* Reads what is there of `length` bytes; false after an error. */
static bool read_some(int fd, char *into, size_t length, size_t *got)
{
	*got = 0;
	while (*got < length) {
		ssize_t one = pread(fd, into + *got, length - *got, (off_t)*got);

		if (one < 0 && errno == EINTR)
			continue;
		if (one < 0)
			return false;
		if (one == 0)
			break;
		*got += (size_t)one;
	}
	return true;
}

/* *fine tells whether the file is an entry whose index is as it was written. */
static rg_error *read_entry(int fd, size_t size, bool index_only, rg_store_entry *out, bool *fine)
{
	char digest[RG_SHA256_HEX], got_digest[RG_SHA256_HEX], header[HEADER_MAX], *memory;
	size_t index, length, got, wanted;

	*fine = false;
	if (!read_some(fd, header, size < sizeof(header) ? size : sizeof(header), &got) ||
	    !read_header(header, got, &index, &length, digest) || length > size - index)
		return NULL;
	wanted = index_only ? index + length : size;
	memory = malloc(wanted + 2);
	if (!memory)
		return rg_error_nomem();
	out->memory = memory;
	if (!read_some(fd, memory, wanted, &got) || got != wanted)
		return NULL;
	RG_TRY(rg_sha256_hex(memory + index, length, got_digest));
	/* The index moves one byte down, over the header's newline, to have room for its NUL. */
	memmove(memory + index - 1, memory + index, length);
	memory[index + length - 1] = '\0';
	memory[wanted] = '\0';
	out->index = memory + index - 1;
	out->bytes = index_only ? NULL : memory + index + length;
	out->size = index_only ? 0 : wanted - index - length;
	*fine = !strcmp(digest, got_digest);
	return NULL;
}

rg_error *rg_store_get(rg_cache_store *store, rg_store_kind kind,
		       const char hex[static RG_SHA256_HEX], bool index_only, rg_store_entry *out,
		       bool *found)
{
	rg_error *err = NULL;
	struct stat st;
	char *path;
	int fd;

	*found = false;
	*out = (rg_store_entry){0};
	RG_TRY(path_of(&path, store, kind, hex));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	free(path);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size >= 0 &&
	    (uint64_t)st.st_size < SIZE_MAX / 2)
		err = read_entry(fd, (size_t)st.st_size, index_only, out, found);
	close(fd); /* read-only: nothing can be lost */
	if (err || !*found) {
		free(out->memory);
		*out = (rg_store_entry){0};
		*found = false;
	}
	if (!err && !*found)
		rg_store_drop(store, kind, hex);
	return err;
}

void rg_store_touch(rg_cache_store *store, rg_store_kind kind, const char hex[static RG_SHA256_HEX])
{
	rg_error *err;
	char *path;

	/* A time that is not set makes an entry go early and nothing worse. */
	err = path_of(&path, store, kind, hex);
	if (err) {
		rg_error_free(err);
		return;
	}
	utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
	free(path);
}

void rg_store_drop(rg_cache_store *store, rg_store_kind kind, const char hex[static RG_SHA256_HEX])
{
	rg_error *err;
	char *path;

	err = path_of(&path, store, kind, hex);
	if (err) {
		rg_error_free(err);
		return;
	}
	unlink(path);
	free(path);
}

typedef struct {
	const char *top;
	size_t entries;
	uint64_t bytes;
} removed;

static rg_error *remove_file(void *context, rg_store_kind kind, int folder, const char *name,
			     const struct stat *st)
{
	removed *count = context;

	if (unlinkat(folder, name, 0))
		return errno == ENOENT
			       ? NULL
			       : rg_error_io(errno, "%s/%s/%s", count->top, kind_names[kind], name);
	if (is_entry_name(name)) {
		count->entries++;
		count->bytes += (uint64_t)st->st_size;
	}
	return NULL;
}

rg_error *rg_store_clear(rg_cache_store *store, size_t *entries, uint64_t *bytes)
{
	removed count = {.top = store->folder};
	rg_error *err;
	int kind;

	pthread_mutex_lock(&store->lock);
	err = each_file(store, remove_file, &count);
	store->counted = false;
	store->bytes = 0;
	pthread_mutex_unlock(&store->lock);
	*entries = count.entries;
	*bytes = count.bytes;
	for (kind = 0; !err && kind < RG_STORE_KINDS; kind++) {
		char *path;

		RG_TRY(rg_path_join(&path, store->folder, kind_names[kind]));
		rmdir(path);
		free(path);
	}
	if (!err)
		rmdir(store->folder);
	return err;
}

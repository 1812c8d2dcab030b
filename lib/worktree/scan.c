#include "worktree/scan.h"

#include "base/thread.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 2 };

typedef struct {
	rg_scan *scan;
	rg_scan_file *files;
	size_t count, capacity;
	rg_arena arena;
	char **found; /* folders in the one that is being read */
	size_t found_count, found_capacity;
	rg_error *err;
} worker;

struct rg_scan {
	char *root;
	bool (*wants)(const char *path);
	pthread_t thread;
	bool started;
	worker workers[THREADS];
	rg_scan_file *all;
	/* Folders that nobody has read yet, and how many are being read; guarded by the lock. */
	pthread_mutex_t lock;
	pthread_cond_t more;
	char **folders;
	size_t folder_count, folder_capacity, busy;
	bool stop;
};

/* Hands the folders that a worker found over to whoever has time. */
static rg_error *share_folders(worker *w)
{
	rg_scan *scan = w->scan;
	rg_error *err;

	if (!w->found_count)
		return NULL;
	pthread_mutex_lock(&scan->lock);
	err = rg_grow(&scan->folders, &scan->folder_capacity, scan->folder_count + w->found_count,
		      sizeof(*scan->folders));
	if (!err) {
		memcpy(scan->folders + scan->folder_count, w->found,
		       w->found_count * sizeof(*w->found));
		scan->folder_count += w->found_count;
		w->found_count = 0;
		pthread_cond_broadcast(&scan->more);
	}
	pthread_mutex_unlock(&scan->lock);
	return err;
}

static void forget_folders(worker *w)
{
	while (w->found_count)
		free(w->found[--w->found_count]);
}

/* Takes over `path`. */
static rg_error *add_folder(worker *w, char *path)
{
	rg_error *err =
		rg_grow(&w->found, &w->found_capacity, w->found_count + 1, sizeof(*w->found));

	if (err)
		free(path);
	else
		w->found[w->found_count++] = path;
	return err;
}

static rg_error *add_file(worker *w, const char *path, const struct stat *st)
{
	rg_scan_file *file;

	RG_TRY(rg_grow(&w->files, &w->capacity, w->count + 1, sizeof(*w->files)));
	file = &w->files[w->count];
	file->path = rg_arena_copy(&w->arena, path, strlen(path));
	if (!file->path)
		return rg_error_nomem();
	file->mtime = st->st_mtim.tv_sec;
	file->mtime_nanoseconds = (uint32_t)st->st_mtim.tv_nsec;
	file->ctime = st->st_ctim.tv_sec;
	file->ctime_nanoseconds = (uint32_t)st->st_ctim.tv_nsec;
	file->inode = st->st_ino;
	file->size = (uint64_t)st->st_size;
	w->count++;
	return NULL;
}

/* An entry of a folder; `path` is the entry's. */
static rg_error *visit(worker *w, DIR *folder, const char *path, const struct dirent *entry)
{
	bool is_folder = entry->d_type == DT_DIR, is_file = entry->d_type == DT_REG;
	struct stat st;
	char *copy;

	if (!is_folder && !is_file && entry->d_type != DT_UNKNOWN)
		return NULL;
	if (is_file && w->scan->wants && !w->scan->wants(path))
		return NULL;
	if (!is_folder) {
		if (fstatat(dirfd(folder), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			/* Gone since the folder was read: then it is not there. */
			return errno == ENOENT ? NULL : rg_error_io(errno, "%s", path);
		is_folder = S_ISDIR(st.st_mode);
		is_file = S_ISREG(st.st_mode) && (!w->scan->wants || w->scan->wants(path));
	}
	if (is_file)
		return add_file(w, path, &st);
	if (!is_folder)
		return NULL;
	RG_TRY(rg_strdup(&copy, path));
	return add_folder(w, copy);
}

/* Goes through the entries; *is_repository where there is one of its own in the folder. */
static rg_error *read_entries(worker *w, DIR *folder, const char *path, bool *is_repository)
{
	const struct dirent *entry;
	size_t length = strlen(path);
	char full[PATH_MAX];

	memcpy(full, path, length + 1);
	if (length)
		full[length++] = '/';
	while (errno = 0, (entry = readdir(folder)) != NULL) {
		const char *name = entry->d_name;
		size_t size = strlen(name);

		if (!strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		if (!strcmp(name, ".git")) {
			*is_repository = length > 0;
			continue;
		}
		if (length + size >= sizeof(full))
			return rg_error_io(ENAMETOOLONG, "%s", path);
		memcpy(full + length, name, size + 1);
		RG_TRY(visit(w, folder, full, entry));
	}
	return errno ? rg_error_io(errno, "%s", path) : NULL;
}

static rg_error *read_folder(worker *w, const char *path)
{
	size_t files_before = w->count;
	bool is_repository = false;
	char full[PATH_MAX];
	rg_error *err;
	DIR *folder;

	if ((size_t)snprintf(full, sizeof(full), "%s%s", w->scan->root, path) >= sizeof(full))
		return rg_error_io(ENAMETOOLONG, "%s", path);
	folder = opendir(full);
	if (!folder) /* not there, or a file in its place: no files are below it */
		return errno == ENOENT || errno == ENOTDIR ? NULL : rg_error_io(errno, "%s", full);
	err = read_entries(w, folder, path, &is_repository);
	closedir(folder);
	if (is_repository) {
		w->count = files_before;
		forget_folders(w);
	}
	return err ? err : share_folders(w);
}

/* The next folder to read, the caller's to free; NULL once all are read. */
static char *next_folder(rg_scan *scan)
{
	char *path = NULL;

	pthread_mutex_lock(&scan->lock);
	while (!scan->stop && !scan->folder_count && scan->busy)
		pthread_cond_wait(&scan->more, &scan->lock);
	if (!scan->stop && scan->folder_count) {
		path = scan->folders[--scan->folder_count];
		scan->busy++;
	}
	pthread_mutex_unlock(&scan->lock);
	return path;
}

static void folder_done(rg_scan *scan, bool failed)
{
	pthread_mutex_lock(&scan->lock);
	scan->busy--;
	scan->stop |= failed;
	if (scan->stop || (!scan->busy && !scan->folder_count))
		pthread_cond_broadcast(&scan->more);
	pthread_mutex_unlock(&scan->lock);
}

static int compare_files(const void *a, const void *b)
{
	return strcmp(((const rg_scan_file *)a)->path, ((const rg_scan_file *)b)->path);
}

static void *run(void *argument)
{
	worker *w = argument;
	char *path;

	while (!w->err && (path = next_folder(w->scan)) != NULL) {
		w->err = read_folder(w, path);
		free(path);
		folder_done(w->scan, w->err != NULL);
	}
	if (!w->err && w->count)
		qsort(w->files, w->count, sizeof(*w->files), compare_files);
	return NULL;
}

/* Behind a link nothing is git's. */
static bool is_real_folder(const char *root, const char *below)
{
	char full[PATH_MAX];
	struct stat st;

	return (size_t)snprintf(full, sizeof(full), "%s%s", root, below) < sizeof(full) &&
	       !lstat(full, &st) && S_ISDIR(st.st_mode);
}

rg_error *rg_scan_start(rg_scan **out, const char *root, const char *below,
			bool (*wants)(const char *path))
{
	rg_scan *scan = calloc(1, sizeof(*scan));
	rg_error *err;
	char *path = NULL;
	size_t i;

	*out = NULL;
	if (!scan)
		return rg_error_nomem();
	pthread_mutex_init(&scan->lock, NULL);
	pthread_cond_init(&scan->more, NULL);
	for (i = 0; i < THREADS; i++) {
		scan->workers[i].scan = scan;
		rg_arena_init(&scan->workers[i].arena);
	}
	scan->wants = wants;
	err = rg_strdup(&scan->root, root);
	if (!err && is_real_folder(root, below))
		err = rg_strdup(&path, below);
	if (!err && path)
		err = add_folder(&scan->workers[0], path);
	if (!err)
		err = share_folders(&scan->workers[0]);
	if (err) {
		rg_scan_free(scan);
		return err;
	}
	/* Without a second thread the caller reads them all. */
	scan->started = rg_thread_start(&scan->thread, run, &scan->workers[1]);
	*out = scan;
	return NULL;
}

/* Into one ascending list. */
static void merge_files(rg_scan_file *out, const worker *a, const worker *b)
{
	size_t i = 0, k = 0;

	while (i < a->count && k < b->count)
		*out++ = compare_files(&a->files[i], &b->files[k]) <= 0 ? a->files[i++]
									: b->files[k++];
	while (i < a->count)
		*out++ = a->files[i++];
	while (k < b->count)
		*out++ = b->files[k++];
}

rg_error *rg_scan_finish(rg_scan *scan, const rg_scan_file **files, size_t *count)
{
	rg_error *err;

	run(&scan->workers[0]);
	if (scan->started)
		pthread_join(scan->thread, NULL);
	scan->started = false;
	err = rg_error_first(scan->workers[0].err, scan->workers[1].err);
	scan->workers[0].err = scan->workers[1].err = NULL;
	RG_TRY(err);
	*count = scan->workers[0].count + scan->workers[1].count;
	scan->all = malloc((*count + 1) * sizeof(*scan->all));
	if (!scan->all)
		return rg_error_nomem();
	merge_files(scan->all, &scan->workers[0], &scan->workers[1]);
	*files = scan->all;
	return NULL;
}

void rg_scan_free(rg_scan *scan)
{
	size_t i;

	if (!scan)
		return;
	pthread_mutex_lock(&scan->lock);
	scan->stop = true;
	pthread_cond_broadcast(&scan->more);
	pthread_mutex_unlock(&scan->lock);
	if (scan->started)
		pthread_join(scan->thread, NULL);
	for (i = 0; i < THREADS; i++) {
		free(scan->workers[i].files);
		forget_folders(&scan->workers[i]);
		free(scan->workers[i].found);
		rg_arena_release(&scan->workers[i].arena);
		rg_error_free(scan->workers[i].err);
	}
	for (i = 0; i < scan->folder_count; i++)
		free(scan->folders[i]);
	free(scan->folders);
	free(scan->all);
	free(scan->root);
	pthread_cond_destroy(&scan->more);
	pthread_mutex_destroy(&scan->lock);
	free(scan);
}

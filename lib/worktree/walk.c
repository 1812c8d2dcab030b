/* SPDX-License-Identifier: Apache-2.0 */
#include "worktree/walk.h"

#include "base/memory.h"
#include "base/pattern.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct rg_walk {
	const char *root, *globs;
	pthread_t thread;
	bool started;
	rg_arena arena; /* holds the paths */
	rg_walk_file *files;
	size_t count, capacity;
	const char **folders; /* still to be read */
	size_t folder_count, folder_capacity;
	rg_error *err;
};

static void add_file(rg_walk *walk, const char *path, const struct stat *st)
{
	rg_grow(&walk->files, &walk->capacity, walk->count + 1, sizeof(*walk->files));
	rg_walk_file *file = &walk->files[walk->count];
	file->path = rg_arena_text(&walk->arena, path);
	file->mtime = st->st_mtim;
	file->ctime = st->st_ctim;
	file->inode = st->st_ino;
	file->size = (uint64_t)st->st_size;
	file->executable = st->st_mode & 0100;
	walk->count++;
}

static void add_folder(rg_walk *walk, const char *path)
{
	rg_grow(&walk->folders, &walk->folder_capacity, walk->folder_count + 1,
		sizeof(*walk->folders));
	walk->folders[walk->folder_count] = rg_arena_text(&walk->arena, path);
	walk->folder_count++;
}

static rg_error *visit(rg_walk *walk, DIR *folder, const char *path, const struct dirent *entry)
{
	struct stat st;
	if (entry->d_type == DT_DIR) {
		add_folder(walk, path);
		return NULL;
	}
	if (entry->d_type != DT_UNKNOWN &&
	    (entry->d_type != DT_REG || (walk->globs && !rg_globs_take(walk->globs, path))))
		return NULL;
	if (fstatat(dirfd(folder), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
		/* Gone since the folder was read: then it is not there. */
		return errno == ENOENT ? NULL : rg_error_io(errno, "%s", path);
	if (S_ISDIR(st.st_mode)) {
		add_folder(walk, path);
		return NULL;
	}
	if (S_ISREG(st.st_mode) && (!walk->globs || rg_globs_take(walk->globs, path)))
		add_file(walk, path, &st);
	return NULL;
}

/* *is_repository: the folder is the top of another repository. */
static rg_error *read_entries(rg_walk *walk, DIR *folder, const char *path, bool *is_repository)
{
	const struct dirent *entry;
	size_t length = strlen(path);
	char full[PATH_MAX];

	memcpy(full, path, length + 1);
	if (length)
		full[length++] = '/';
	while (errno = 0, (entry = readdir(folder)) != NULL) {
		size_t size = strlen(entry->d_name);
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (!strcmp(entry->d_name, ".git")) {
			*is_repository = length > 0;
			continue;
		}
		if (length + size >= sizeof(full))
			return rg_error_io(ENAMETOOLONG, "%s", path);
		memcpy(full + length, entry->d_name, size + 1);
		RG_TRY(visit(walk, folder, full, entry));
	}
	return errno ? rg_error_io(errno, "%s", path) : NULL;
}

static rg_error *read_folder(rg_walk *walk, const char *path)
{
	size_t files_before = walk->count, folders_before = walk->folder_count;
	bool is_repository = false;
	char full[PATH_MAX];

	if ((size_t)snprintf(full, sizeof(full), "%s%s", walk->root, path) >= sizeof(full))
		return rg_error_io(ENAMETOOLONG, "%s", path);
	DIR *folder = opendir(full);
	if (!folder) /* none, or a file in its place: no files are below it */
		return errno == ENOENT || errno == ENOTDIR ? NULL : rg_error_io(errno, "%s", full);
	rg_error *err = read_entries(walk, folder, path, &is_repository);
	closedir(folder);
	if (is_repository) {
		walk->count = files_before;
		walk->folder_count = folders_before;
	}
	return err;
}

static void *run(void *argument)
{
	rg_walk *walk = argument;
	while (!walk->err && walk->folder_count)
		walk->err = read_folder(walk, walk->folders[--walk->folder_count]);
	return NULL;
}

/* Beyond a link nothing is git's. */
static bool is_link(const char *root, const char *below)
{
	char full[PATH_MAX];
	struct stat st;

	return (size_t)snprintf(full, sizeof(full), "%s%s", root, below) < sizeof(full) &&
	       !lstat(full, &st) && S_ISLNK(st.st_mode);
}

rg_walk *rg_walk_start(const char *root, const char *below, const char *globs)
{
	rg_walk *walk = rg_calloc(1, sizeof(*walk));
	walk->root = root;
	walk->globs = globs;
	rg_arena_init(&walk->arena);
	if (!is_link(root, below))
		add_folder(walk, below);
	walk->started = !pthread_create(&walk->thread, NULL, run, walk);
	return walk;
}

static void join(rg_walk *walk)
{
	if (walk->started)
		pthread_join(walk->thread, NULL);
	walk->started = false;
}

rg_error *rg_walk_finish(rg_walk *walk, const rg_walk_file **files, size_t *count)
{
	join(walk);
	run(walk); /* where no thread could be had */
	rg_error *err = walk->err;
	walk->err = NULL;
	*files = walk->files;
	*count = walk->count;
	return err;
}

void rg_walk_free(rg_walk *walk)
{
	if (!walk)
		return;
	join(walk);
	free(walk->files);
	free(walk->folders);
	rg_arena_release(&walk->arena);
	rg_error_free(walk->err);
	free(walk);
}

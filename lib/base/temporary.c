/* SPDX-License-Identifier: Apache-2.0 */
#include "base/temporary.h"

#include "base/folder.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };
#define PREFIX ".tmp-regild-"

/* Locks it. False if a sweep came between its making and the lock. A file system without locks has
 * no sweeps either. */
static bool is_kept(int fd)
{
	struct stat st;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return false;
	return fstat(fd, &st) || st.st_nlink;
}

static int make_file(const char *name, mode_t mode)
{
	return open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

static int make_folder(const char *name, mode_t mode)
{
	if (mkdir(name, mode))
		return -1;
	int fd = open(name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		errno = EEXIST; /* a sweep has taken it: try the next name */
	return fd;
}

/* Makes it by the first name beside `path` that is free. */
static rg_error *make(int *fd, char **name, const char *path, mode_t mode,
		      int (*make_one)(const char *name, mode_t mode))
{
	char own[64];
	*name = NULL;
	for (int i = 0; i < TRIES; i++) {
		snprintf(own, sizeof(own), PREFIX "%ld-%d", (long)getpid(), i);
		RG_AUTO_FREE char *made = rg_path_sibling(path, own);
		*fd = make_one(made, mode);
		if (*fd >= 0 && is_kept(*fd)) {
			*name = RG_TAKE(made);
			return NULL;
		}
		if (*fd < 0 && errno != EEXIST)
			return rg_error_io(errno, "%s", path);
		if (*fd >= 0)
			close(*fd);
		*fd = -1;
	}
	return rg_error_io(EEXIST, "%s", path);
}

rg_error *rg_temporary_open(int *fd, char **name, const char *path, mode_t mode)
{
	return make(fd, name, path, mode, make_file);
}

rg_error *rg_temporary_make_folder(int *lock, char **name, const char *path)
{
	return make(lock, name, path, 0777, make_folder);
}

static bool is_temporary(const char *name)
{
	size_t length = strlen(PREFIX);
	return !strncmp(name, PREFIX, length) && name[length] &&
	       name[length + strspn(name + length, "0123456789-")] == '\0';
}

/* It is removed under its lock, so that no writer has it, and only while it still has that name, so
 * that no writer has made another. */
static void remove_leftover(const char *path)
{
	const int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int fd = open(path, O_RDWR | flags);
	struct stat st, now;

	if (fd < 0 && errno == EISDIR)
		fd = open(path, O_RDONLY | O_DIRECTORY | flags);
	if (fd < 0)
		return;
	if (!fstat(fd, &st) && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)) &&
	    st.st_uid == geteuid() && !flock(fd, LOCK_EX | LOCK_NB) && !lstat(path, &now) &&
	    now.st_dev == st.st_dev && now.st_ino == st.st_ino) {
		RG_AUTO_PTR(rg_error) err = rg_remove_tree(path);
	}
	close(fd);
}

void rg_temporary_sweep(const char *path)
{
	struct dirent *entry;
	RG_AUTO_FREE char *folder = rg_path_sibling(path, ".");
	DIR *entries = opendir(folder);

	while (entries && (entry = readdir(entries)) != NULL) {
		if (!is_temporary(entry->d_name))
			continue;
		RG_AUTO_FREE char *name = rg_path_sibling(path, entry->d_name);
		remove_leftover(name);
	}
	if (entries)
		closedir(entries); /* a leftover does no harm */
}

const char *rg_temporary_folder(void)
{
	const char *own = getenv("TMPDIR");
	return own && *own ? own : "/tmp";
}

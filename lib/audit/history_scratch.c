#include "audit/history_scratch.h"

#include "base/cancel.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PREFIX ".fetch-"

struct rg_history_scratch {
	char *path;
	int lock; /* the folder, open and locked; -1: not */
};

/* -1 where it is no folder or cannot be opened; links are not followed. */
static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

rg_error *rg_history_lock(int *out, const char *folder)
{
	rg_error *err = NULL;

	*out = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*out < 0)
		return rg_error_io(errno, "%s", folder);
	while (!err && flock(*out, LOCK_EX))
		err = errno == EINTR ? rg_cancel_check() : rg_error_io(errno, "%s", folder);
	if (err) {
		close(*out);
		*out = -1;
	}
	return err;
}

/* A living audit's stays. */
static rg_error *sweep_one(const char *folder, const char *name)
{
	rg_error *err;
	char *path;
	int fd;

	RG_TRY(rg_path_join(&path, folder, name));
	fd = open_folder(path);
	err = fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) ? rg_remove_tree(path) : NULL;
	if (fd >= 0)
		close(fd);
	free(path);
	if (!err || rg_error_get_code(err) == RG_E_NOMEM)
		return err;
	rg_error_free(err);
	return NULL;
}

rg_error *rg_history_sweep(const char *folder)
{
	int lock;
	rg_error *err = rg_history_lock(&lock, folder);
	DIR *entries = err ? NULL : opendir(folder);
	struct dirent *entry;

	if (err && rg_error_get_code(err) == RG_E_NOMEM)
		return err;
	rg_error_free(err);
	err = NULL;

	while (entries && !err && (entry = readdir(entries)) != NULL)
		if (!strncmp(entry->d_name, PREFIX, sizeof(PREFIX) - 1))
			err = sweep_one(folder, entry->d_name);
	if (entries)
		closedir(entries);
	if (lock >= 0)
		close(lock);
	return err;
}

static rg_error *make_locked(rg_history_scratch *scratch, const char *folder)
{
	int lock;
	rg_error *err = NULL;

	RG_TRY(rg_make_dirs(folder, 0700));
	RG_TRY(rg_path_join(&scratch->path, folder, PREFIX "XXXXXX"));
	/* Between making it and locking it nobody may sweep. */
	RG_TRY(rg_history_lock(&lock, folder));
	if (!mkdtemp(scratch->path)) {
		err = rg_error_io(errno, "%s", folder);
		*scratch->path = '\0';
	} else {
		scratch->lock = open_folder(scratch->path);
		if (scratch->lock < 0 || flock(scratch->lock, LOCK_EX | LOCK_NB))
			err = rg_error_io(errno, "%s", scratch->path);
	}
	close(lock);
	return err;
}

rg_error *rg_history_scratch_open(rg_history_scratch **out, const char *folder)
{
	rg_history_scratch *scratch = calloc(1, sizeof(*scratch));
	rg_error *err;

	*out = NULL;
	if (!scratch)
		return rg_error_nomem();
	scratch->lock = -1;
	err = make_locked(scratch, folder);
	if (!err)
		*out = scratch;
	else
		err = rg_error_first(err, rg_history_scratch_close(scratch));
	return err;
}

const char *rg_history_scratch_path(const rg_history_scratch *scratch)
{
	return scratch->path;
}

rg_error *rg_history_scratch_close(rg_history_scratch *scratch)
{
	rg_error *err = NULL;

	if (!scratch)
		return NULL;
	if (scratch->path && *scratch->path)
		err = rg_remove_tree(scratch->path);
	if (scratch->lock >= 0)
		close(scratch->lock);
	free(scratch->path);
	free(scratch);
	return err;
}

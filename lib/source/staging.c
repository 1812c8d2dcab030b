/* SPDX-License-Identifier: Apache-2.0 */
#include "source/staging.h"

#include "base/memory.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct rg_staging {
	char *dir, *folder;
	size_t made; /* length of the first folder of `dir` that begin made; 0: all were there */
	int lock;    /* the folder, open and locked; -1: not */
	bool committed;
};

/* The shortest part of `path` that does not exist; 0 where all of it does. */
static size_t first_missing(char *path)
{
	char *p = path;
	for (;;) {
		struct stat st;
		p += strspn(p, "/");
		p += strcspn(p, "/");
		char kept = *p;
		*p = '\0';
		bool missing = *path && stat(path, &st) && errno == ENOENT;
		*p = kept;
		if (missing)
			return (size_t)(p - path);
		if (!kept)
			return 0;
	}
}

/* May it be written over? A download that was killed between its last two steps has left files and
 * no manifest yet, and its own folder beside them. */
static rg_error *check_contents(const char *dir)
{
	bool manifest = false, files = false, killed = false, other = false;
	struct dirent *entry;
	DIR *entries = opendir(dir);

	if (!entries)
		return rg_error_io(errno, "%s", dir);
	while ((errno = 0, entry = readdir(entries)) != NULL) {
		const char *name = entry->d_name;
		if (!strcmp(name, "manifest.json"))
			manifest = true;
		else if (!strcmp(name, ".download"))
			killed = true;
		else if (!strcmp(name, "files"))
			files = true;
		else if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			other = true;
	}
	int failed = errno;
	closedir(entries);
	if (failed)
		return rg_error_io(failed, "%s", dir);
	if (manifest || (!other && (!files || killed)))
		return NULL;
	return rg_error_new(RG_E_USAGE, "%s: is neither empty nor a staging folder; name another",
			    dir);
}

static rg_error *begin(rg_staging *staging)
{
	staging->folder = rg_path_join(staging->dir, ".download");
	staging->made = first_missing(staging->dir);
	RG_TRY(rg_make_dirs(staging->dir, 0777));
	staging->lock = open(staging->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (staging->lock < 0)
		return rg_error_io(errno, "%s", staging->dir);
	if (flock(staging->lock, LOCK_EX | LOCK_NB)) {
		int failed = errno;
		close(staging->lock);
		staging->lock = -1;
		return failed == EWOULDBLOCK
			       ? rg_error_new(RG_E_CONFLICT,
					      "%s: another download is writing to it", staging->dir)
			       : rg_error_io(failed, "%s", staging->dir);
	}
	RG_TRY(check_contents(staging->dir));
	RG_TRY(rg_remove_tree(staging->folder));
	return rg_make_dirs(staging->folder, 0777);
}

rg_error *rg_staging_begin(rg_staging **out, const char *dir)
{
	rg_staging *staging = rg_calloc(1, sizeof(*staging));
	*out = NULL;
	staging->lock = -1;
	staging->dir = rg_strdup(dir);
	rg_error *err = begin(staging);
	if (err)
		rg_staging_free(staging);
	else
		*out = staging;
	return err;
}

const char *rg_staging_folder(const rg_staging *staging)
{
	return staging->folder;
}

/* The old files again, after `err`. */
static rg_error *put_back(const rg_staging *staging, rg_error *err)
{
	int dir = staging->lock;
	if (!renameat(dir, ".download/old", dir, "files") || errno == ENOENT)
		return err;
	return rg_error_wrap(err, "%s/files: the old files are in %s/old", staging->dir,
			     staging->folder);
}

/* Old files out of the way, new ones in, the manifest over the old one. What a kill leaves in
 * between is found out by the manifest's SHA-256s. */
static rg_error *swap(rg_staging *staging)
{
	int dir = staging->lock;
	if (renameat(dir, "files", dir, ".download/old") && errno != ENOENT)
		return rg_error_io(errno, "%s/files", staging->dir);
	if (renameat(dir, ".download/files", dir, "files"))
		return put_back(staging, rg_error_io(errno, "%s/files", staging->dir));
	if (renameat(dir, ".download/manifest.json", dir, "manifest.json")) {
		rg_error *err = rg_error_io(errno, "%s/manifest.json", staging->dir);
		return renameat(dir, "files", dir, ".download/files") ? err
								      : put_back(staging, err);
	}
	staging->committed = true;
	return fsync(dir) && errno != EINVAL ? rg_error_io(errno, "%s", staging->dir) : NULL;
}

rg_error *rg_staging_commit(rg_staging *staging, const rg_manifest *manifest)
{
	/* A run may have no goldens at all. */
	if (mkdirat(staging->lock, ".download/files", 0777) && errno != EEXIST)
		return rg_error_io(errno, "%s/files", staging->folder);
	/* Beside the new files first: a full disk shows before anything has moved. */
	RG_TRY(rg_manifest_save(manifest, staging->folder));
	return swap(staging);
}

/* From the inside out; what others have put there in the meantime keeps its folder. */
static void remove_made(rg_staging *staging)
{
	char *end = staging->dir + strlen(staging->dir);
	while (end > staging->dir && end[-1] == '/')
		*--end = '\0';
	while ((size_t)(end - staging->dir) >= staging->made && !rmdir(staging->dir)) {
		end = strrchr(staging->dir, '/');
		if (!end)
			break;
		*end = '\0';
	}
}

void rg_staging_free(rg_staging *staging)
{
	if (!staging)
		return;
	/* Without the lock it is somebody else's. */
	if (staging->lock >= 0) {
		rg_error_free(rg_remove_tree(staging->folder));
		if (staging->made && !staging->committed)
			remove_made(staging);
		close(staging->lock);
	}
	free(staging->folder);
	free(staging->dir);
	free(staging);
}

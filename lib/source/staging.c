#include "source/staging.h"

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
		char kept;
		bool missing;

		p += strspn(p, "/");
		p += strcspn(p, "/");
		kept = *p;
		*p = '\0';
		missing = *path && stat(path, &st) && errno == ENOENT;
		*p = kept;
		if (missing)
			return (size_t)(p - path);
		if (!kept)
			return 0;
	}
}

/* May it be written over? */
static rg_error *check_contents(const char *dir)
{
	bool empty = true, staged = false;
	struct dirent *entry;
	DIR *entries = opendir(dir);

	if (!entries)
		return rg_error_io(errno, "%s", dir);
	while ((entry = readdir(entries)) != NULL) {
		if (!strcmp(entry->d_name, "manifest.json"))
			staged = true;
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..") &&
		    strcmp(entry->d_name, ".download"))
			empty = false;
	}
	closedir(entries);
	if (empty || staged)
		return NULL;
	return rg_error_new(RG_E_USAGE, "%s: is neither empty nor a staging folder; name another",
			    dir);
}

static rg_error *begin(rg_staging *staging)
{
	RG_TRY(rg_path_join(&staging->folder, staging->dir, ".download"));
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
	rg_staging *staging = calloc(1, sizeof(*staging));
	rg_error *err;

	*out = NULL;
	if (!staging)
		return rg_error_nomem();
	staging->lock = -1;
	err = rg_strdup(&staging->dir, dir);
	if (!err)
		err = begin(staging);
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

/* Old files out of the way, new ones in, the manifest over the old one. What is in between is
 * found out by the manifest's SHA-256s. */
static rg_error *swap(rg_staging *staging, const rg_manifest *manifest, const char *files,
		      const char *fresh, const char *old)
{
	RG_TRY(rg_make_dirs(fresh, 0777)); /* a run may have no goldens at all */
	if (rename(files, old) && errno != ENOENT)
		return rg_error_io(errno, "%s", files);
	if (rename(fresh, files)) {
		rg_error *err = rg_error_io(errno, "%s", files);

		if (rename(old, files) && errno != ENOENT)
			return rg_error_wrap(err, "%s: the old files are in %s", files, old);
		return err;
	}
	RG_TRY(rg_manifest_save(manifest, staging->dir));
	staging->committed = true;
	return NULL;
}

rg_error *rg_staging_commit(rg_staging *staging, const rg_manifest *manifest)
{
	char *files = NULL, *fresh = NULL, *old = NULL;
	rg_error *err = rg_path_join(&files, staging->dir, "files");

	if (!err)
		err = rg_path_join(&fresh, staging->folder, "files");
	if (!err)
		err = rg_path_join(&old, staging->folder, "old");
	if (!err)
		err = swap(staging, manifest, files, fresh, old);
	free(old);
	free(fresh);
	free(files);
	return err;
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

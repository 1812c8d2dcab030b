/* SPDX-License-Identifier: Apache-2.0 */
#include "store/sqlite_file.h"

#include "base/folder.h"
#include "base/memory.h"
#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WAL = 1, ITSELF = 3, FILES, ASIDE_MAX = 100 };

/* The file is the last: while it is there, no new one is made, which would take up an old -wal. */
static const char *const suffixes[FILES] = {"-journal", "-wal", "-shm", ""};

static rg_error *check(struct stat *st, const char *path, bool own)
{
	if (lstat(path, st)) {
		*st = (struct stat){0};
		return errno == ENOENT ? NULL : rg_error_io(errno, "%s", path);
	}
	if (S_ISDIR(st->st_mode))
		return rg_error_io(EISDIR, "%s", path);
	if (!S_ISREG(st->st_mode))
		return rg_error_new(RG_E_UNSAFE, "%s: is %s", path,
				    S_ISLNK(st->st_mode)
					    ? "a symbolic link, which regild does not follow here"
					    : "not a regular file");
	if (own && st->st_uid != geteuid())
		return rg_error_new(RG_E_UNSAFE, "%s: belongs to another user", path);
	return NULL;
}

rg_error *rg_sqlite_file_check(rg_sqlite_file *out, const char *path, bool own)
{
	*out = (rg_sqlite_file){0};
	for (size_t i = FILES; i-- > 0;) {
		RG_AUTO_FREE char *name = rg_textf("%s%s", path, suffixes[i]);
		struct stat st;

		rg_error *err = check(&st, name, own);
		if (i == ITSELF)
			*out = (rg_sqlite_file){st.st_dev, st.st_ino, !st.st_mode, false};
		if (i == WAL)
			out->wal = st.st_size > 0;
		RG_TRY(err);
	}
	return NULL;
}

rg_error *rg_sqlite_file_resolve(char **out, const char *path)
{
	RG_AUTO_FREE char *folder = rg_path_sibling(path, ".");
	RG_AUTO_FREE char *real = realpath(folder, NULL);

	*out = real ? rg_path_join(real, rg_path_name(path)) : NULL;
	return real ? NULL : rg_error_io(errno, "%s", path);
}

rg_error *rg_sqlite_file_make(const char *path)
{
	RG_TRY(rg_make_parent_dirs(path, 0700));
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno == EEXIST ? NULL : rg_error_io(errno, "%s", path);
	close(fd); /* nothing was written */
	return NULL;
}

rg_error *rg_sqlite_file_move_aside(char **out, const char *path, const rg_sqlite_file *file)
{
	rg_sqlite_file now;

	*out = NULL;
	RG_TRY(rg_sqlite_file_check(&now, path, true));
	if (now.missing || now.device != file->device || now.inode != file->inode)
		return NULL;
	/* A folder of its own has nothing that a rename could replace. */
	for (int i = 1; i <= ASIDE_MAX && !*out; i++) {
		RG_AUTO_FREE char *aside = rg_textf("%s.aside-%d", path, i);
		if (!mkdir(aside, 0700))
			*out = RG_TAKE(aside);
		else if (errno != EEXIST)
			break;
	}
	if (!*out)
		return rg_error_io(errno, "%s: cannot be read, nor moved aside", path);
	for (size_t i = 0; i < FILES; i++) {
		RG_AUTO_FREE char *from = rg_textf("%s%s", path, suffixes[i]);
		RG_AUTO_FREE char *to = rg_path_join(*out, strrchr(from, '/') + 1);
		if (rename(from, to) && errno != ENOENT)
			return rg_error_io(errno, "%s: cannot be moved to %s", from, to);
	}
	return NULL;
}

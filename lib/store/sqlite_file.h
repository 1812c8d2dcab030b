/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_SQLITE_FILE_H
#define REGILD_STORE_SQLITE_FILE_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * The file of a database and the three that SQLite keeps beside it (-journal, -wal, -shm); for
 * sqlite.c alone. None of them is ever opened here: a close would give up the locks that other
 * connections of the process hold.
 */
typedef struct {
	dev_t device;
	ino_t inode;
	bool missing;
	bool wal; /* has -wal something in it? */
} rg_sqlite_file;

/* Refuses (RG_E_UNSAFE) a link, anything but a regular file and, with `own`, another user's file,
 * as the file or beside it. *out says which file it is; a missing one is no error. */
RG_CHECKED rg_error *rg_sqlite_file_check(rg_sqlite_file *out, const char *path, bool own);
/* `path` with the links of its folder followed, which SQLite, told to follow none, refuses, too.
 * *out is the caller's to free. */
RG_CHECKED rg_error *rg_sqlite_file_resolve(char **out, const char *path);
/* Makes the file, its folders with it, readable by its owner alone; one that is there is fine. */
RG_CHECKED rg_error *rg_sqlite_file_make(const char *path);
/* Moves the file and those beside it to a new folder (PATH.aside-1 …), so that a new one can be
 * made. *out, the caller's to free, is the folder; NULL where the resolved path no longer leads to
 * `file`, as another process was first. */
RG_CHECKED rg_error *rg_sqlite_file_move_aside(char **out, const char *path,
					       const rg_sqlite_file *file);

#endif

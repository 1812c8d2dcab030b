/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_TEMPORARY_H
#define REGILD_BASE_TEMPORARY_H

#include "base/error.h"

#include <sys/types.h>

/*
 * Files and folders that are written beside their target, and renamed to it when they are whole.
 * Each is locked (flock) while its writer lives, which tells it from what a killed process has
 * left.
 */

/*
 * Makes a file beside `path`, whose name may be as long as names can be. *name is the caller's to
 * free, *fd its to close; a duplicate of it keeps the lock until the file has its own name.
 */
RG_CHECKED rg_error *rg_temporary_open(int *fd, char **name, const char *path, mode_t mode);
/* Makes a folder; *lock, -1 after an error, is the open folder. */
RG_CHECKED rg_error *rg_temporary_make_folder(int *lock, char **name, const char *path);

/* Removes what this user's killed processes have left in the folder of `path`, as far as that can
 * be done. It reads the whole folder. */
void rg_temporary_sweep(const char *path);

/* The folder for files without a name (rg_file_unnamed): TMPDIR, else /tmp. */
const char *rg_temporary_folder(void);

#endif

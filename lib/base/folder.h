/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_FOLDER_H
#define REGILD_BASE_FOLDER_H

#include "base/error.h"

#include <stdbool.h>
#include <sys/types.h>

/* Folders by their paths. Errors name the path. */

/* Makes a folder and those above it; one that exists is fine. */
RG_CHECKED rg_error *rg_make_dirs(const char *path, mode_t mode);
/* Makes the folder of `path`. */
RG_CHECKED rg_error *rg_make_parent_dirs(const char *path, mode_t mode);
/* fsync of the folder of `path`. File systems that cannot do it (EINVAL) are forgiven. */
RG_CHECKED rg_error *rg_sync_parent_dir(const char *path);
/* Removes a file or a folder with all in it, never following a link; a missing one is fine. */
RG_CHECKED rg_error *rg_remove_tree(const char *path);

/* Is it a folder, or a link to one? */
bool rg_is_folder(const char *path);

#endif

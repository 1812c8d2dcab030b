/* SPDX-License-Identifier: Apache-2.0 */
/* For syncfs, where there is one. */
#define _GNU_SOURCE

#include "base/new_folder.h"

#include "base/file.h"
#include "base/temporary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

rg_error *rg_new_folder_begin(rg_new_folder *folder, const char *target)
{
	*folder = (rg_new_folder){.target = target, .lock = -1};
	rg_temporary_sweep(target);
	return rg_temporary_make_folder(&folder->lock, &folder->path, target);
}

/* Of tens of thousands of files, one fsync each would take minutes. */
static int sync_files(int folder)
{
#if defined(__linux__)
	return syncfs(folder);
#else
	(void)folder;
	sync();
	return 0;
#endif
}

rg_error *rg_new_folder_finish(rg_new_folder *folder, bool *made)
{
	*made = false;
	if (sync_files(folder->lock) || rename(folder->path, folder->target))
		return rg_error_io(errno, "%s", folder->target);
	*made = true;
	free(folder->path);
	folder->path = NULL;
	return rg_sync_parent_dir(folder->target);
}

void rg_new_folder_release(rg_new_folder *folder)
{
	if (folder->path)
		rg_error_free(rg_remove_tree(folder->path));
	free(folder->path);
	if (folder->lock >= 0)
		close(folder->lock);
	*folder = (rg_new_folder){.lock = -1};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "store/scratch.h"

#include "base/file.h"
#include "base/path.h"
#include "store/cache.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { DAY = 24 * 60 * 60 };

/* A folder that cannot be removed stays: the next call tries again. */
static void sweep(const char *folder)
{
	DIR *entries = opendir(folder);
	struct dirent *entry;

	while (entries && (entry = readdir(entries)) != NULL) {
		RG_AUTO_FREE char *path = rg_path_join(folder, entry->d_name);
		struct stat st;
		if (*entry->d_name != '.' && !lstat(path, &st) && time(NULL) - st.st_mtime > DAY)
			rg_error_free(rg_remove_tree(path));
	}
	if (entries)
		closedir(entries);
}

rg_error *rg_scratch_make(char **out, const char *folder)
{
	*out = NULL;
	RG_TRY(rg_make_dirs(folder, 0700));
	sweep(folder);
	RG_AUTO_FREE char *path = rg_path_join(folder, "XXXXXX");
	if (!mkdtemp(path))
		return rg_error_io(errno, "%s", folder);
	*out = RG_TAKE(path);
	return NULL;
}

rg_error *rg_scratch_make_default(char **out)
{
	RG_AUTO_FREE char *cache = NULL;
	*out = NULL;
	RG_TRY(rg_cache_default_folder(&cache));
	RG_AUTO_FREE char *folder = rg_path_join(cache, "tmp");
	return rg_error_wrap(rg_scratch_make(out, folder),
			     "no folder for temporary files (XDG_CACHE_HOME moves it)");
}

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

/* What cannot be removed stays: the next one tries again. */
static void sweep(const char *folder)
{
	DIR *entries = opendir(folder);
	struct dirent *entry;

	while (entries && (entry = readdir(entries)) != NULL) {
		struct stat st;
		if (*entry->d_name == '.')
			continue;
		char *path = rg_path_join(folder, entry->d_name);
		if (!lstat(path, &st) && time(NULL) - st.st_mtime > DAY)
			rg_error_free(rg_remove_tree(path));
		free(path);
	}
	if (entries)
		closedir(entries);
}

rg_error *rg_scratch_make(char **out, const char *folder)
{
	*out = NULL;
	RG_TRY(rg_make_dirs(folder, 0700));
	sweep(folder);
	*out = rg_path_join(folder, "XXXXXX");
	if (mkdtemp(*out))
		return NULL;
	free(*out);
	*out = NULL;
	return rg_error_io(errno, "%s", folder);
}

rg_error *rg_scratch_make_default(char **out)
{
	char *cache;
	*out = NULL;
	RG_TRY(rg_cache_default_folder(&cache));
	char *folder = rg_path_join(cache, "tmp");
	free(cache);
	rg_error *err = rg_scratch_make(out, folder);
	free(folder);
	return err;
}

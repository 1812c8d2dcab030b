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
static rg_error *sweep(const char *folder)
{
	DIR *entries = opendir(folder);
	rg_error *err = NULL;
	struct dirent *entry;

	while (entries && !err && (entry = readdir(entries)) != NULL) {
		struct stat st;
		char *path;

		if (*entry->d_name == '.')
			continue;
		err = rg_path_join(&path, folder, entry->d_name);
		if (err)
			break;
		if (!lstat(path, &st) && time(NULL) - st.st_mtime > DAY)
			rg_error_free(rg_remove_tree(path));
		free(path);
	}
	if (entries)
		closedir(entries);
	return err;
}

rg_error *rg_scratch_make(char **out, const char *folder)
{
	*out = NULL;
	RG_TRY(rg_make_dirs(folder, 0700));
	RG_TRY(sweep(folder));
	RG_TRY(rg_path_join(out, folder, "XXXXXX"));
	if (mkdtemp(*out))
		return NULL;
	free(*out);
	*out = NULL;
	return rg_error_io(errno, "%s", folder);
}

rg_error *rg_scratch_make_default(char **out)
{
	char *cache, *folder;
	*out = NULL;
	RG_TRY(rg_cache_default_folder(&cache));
	rg_error *err = rg_path_join(&folder, cache, "tmp");
	free(cache);
	if (err)
		return err;
	err = rg_scratch_make(out, folder);
	free(folder);
	return err;
}

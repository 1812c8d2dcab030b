#ifndef REGILD_WORKTREE_SCAN_H
#define REGILD_WORKTREE_SCAN_H

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * The regular files below a folder of the working tree, found by two threads: one that is started
 * here, and the caller's own once it has nothing better to do. Links are not followed; .git and
 * repositories inside the repository are passed over.
 */
typedef struct {
	const char *path; /* from the working tree's root */
	int64_t mtime, ctime;
	uint32_t mtime_nanoseconds, ctime_nanoseconds;
	uint64_t inode;
	uint64_t size;
} rg_scan_file;

typedef struct rg_scan rg_scan;

/* Starts with `root` (absolute, '/' at its end) and the folder `below` it ("": all). Files whose
 * path `wants` refuses are left out; it is asked by both threads. */
RG_CHECKED rg_error *rg_scan_start(rg_scan **out, const char *root, const char *below,
				   bool (*wants)(const char *path));
/* Helps and waits. The files, ascending by path (bytes), are owned by the scan. A folder that is
 * not there has none; RG_E_IO for one that cannot be read. */
RG_CHECKED rg_error *rg_scan_finish(rg_scan *scan, const rg_scan_file **files, size_t *count);
void rg_scan_free(rg_scan *scan);

#endif

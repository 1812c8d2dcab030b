#ifndef REGILD_CMD_GOLDEN_SIDE_H
#define REGILD_CMD_GOLDEN_SIDE_H

#include "base/buf.h"
#include "base/map.h"
#include "golden/golden.h"
#include "worktree/config.h"
#include "worktree/worktree.h"

/*
 * One side of a comparison: reads goldens, and what stands beside them, out of a folder, a tree or
 * the index, one after the other into the same memory.
 */
typedef struct {
	rg_worktree **worktree; /* of trees and the index; NULL for folders only */
	const char *folder;     /* in front of the paths of files: "" or ending in '/' */
	const char *tree;       /* of the golden at hand: a tree's id, ":", or "" for the folder */
	const char *path;       /* of the golden at hand */
	rg_buf bytes, sibling, name;
	rg_map map;   /* instead of bytes; size 0 where there is none */
	rg_blob blob; /* likewise; released before its worktree */
} golden_side;

/* `max`: the bytes of the largest golden that is taken; one that is read in place may be larger. */
void golden_side_init(golden_side *s, rg_worktree **worktree, uint64_t max);
void golden_side_release(golden_side *s);

/*
 * *out borrows the side until the next call. `tree` is that of the golden's siblings; where it is
 * "", the golden is the file `path` in the folder, else the blob `id`. Errors do not name the path.
 */
RG_CHECKED rg_error *golden_side_read(golden_side *s, const char *path, const char *tree,
				      const char *id, rg_input *out);

bool is_folder(const char *path);
/* A golden that the user names is a file: RG_E_USAGE where it is a folder or empty. */
RG_CHECKED rg_error *golden_side_check_name(const char *path);

/* Of a file in Git LFS git has the pointer alone, however much is pulled: RG_E_PARSE, with what
 * prints the file itself. NULL for a side that was not read or is no blob (`id` is ""). */
RG_CHECKED rg_error *golden_side_refuse_pointer(const rg_input *side, const char *id);

#endif

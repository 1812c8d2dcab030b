/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_AUDIT_PATHS_H
#define REGILD_FLOW_AUDIT_PATHS_H

#include "audit/audit.h"
#include "base/cleanup.h"

/*
 * Runs out of folders and files, one a run, in the order given:
 *
 * - a staging folder of `regild download` (it has a manifest.json): its goldens under their
 *   targets, with the run's id, branch, commit and date;
 * - any other folder: the files in it, at any depth, that `pattern` takes (rg_globs_take), or,
 * where none in any folder does and `guess` is set, all that look like a golden of some format;
 * - a file: one golden. Files with one name, and those that `pattern` takes, keep it; others
 *   are versions of one golden, called like the folder that they are all in, else "golden".
 *
 * Symbolic links inside folders, and names that start with a dot, are left alone.
 */
typedef struct rg_path_runs rg_path_runs;

/* RG_E_NOTFOUND or RG_E_IO for a path that cannot be read, RG_E_NOTFOUND where a folder holds no
 * golden, RG_E_USAGE where a path is given twice, however it is written. The paths are copied. */
RG_CHECKED rg_error *rg_path_runs_open(rg_path_runs **out, const char *const *paths, size_t count,
				       const char *pattern, bool guess,
				       const rg_golden_options *options);
void rg_path_runs_free(rg_path_runs *runs);
RG_FREE_AT(rg_path_runs)
/*
 * Reads a golden whose bytes are those of the file `path`, in whose folder is what belongs
 * to it; `name` is what formats bid on. The golden borrows `bytes`. `options` may be NULL.
 */
RG_CHECKED rg_error *rg_path_golden_read(rg_golden **out, const char *name, const char *path,
					 const rg_buf *bytes, const rg_golden_options *options);

/* Borrows from `runs`. */
rg_audit_source rg_path_runs_source(rg_path_runs *runs, size_t golden_max);

#endif

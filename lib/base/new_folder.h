/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_NEW_FOLDER_H
#define REGILD_BASE_NEW_FOLDER_H

#include "base/error.h"

#include <stdbool.h>

/*
 * A folder that is there as a whole or not at all: it is filled beside its place and moved there in
 * the end.
 *
 *	rg_new_folder_begin, files into `path`, rg_new_folder_finish; rg_new_folder_release always
 */
typedef struct {
	char *path;         /* where to put the files */
	const char *target; /* borrowed */
	int lock;           /* the folder, open and locked while its process lives; -1: none */
} rg_new_folder;

/* Released whatever comes back. What killed processes have left beside `target` is removed first.
 */
RG_CHECKED rg_error *rg_new_folder_begin(rg_new_folder *folder, const char *target);
/* Syncs all files of the folder at once and gives it its name. *made: it has that, also where the
 * error says that it could not be made sure of on the disk. */
RG_CHECKED rg_error *rg_new_folder_finish(rg_new_folder *folder, bool *made);
/* Removes what was not finished. */
void rg_new_folder_release(rg_new_folder *folder);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_CHECK_RULES_H
#define REGILD_FLOW_CHECK_RULES_H

#include "compare/checks_apply.h"
#include "config/config.h"
#include "place/members.h"

/* The project's own checks: from the configuration, and with what is beside a golden. */

/* The [check "NAME"] sections. *out is the caller's, freed with rg_checks_free. RG_E_USAGE for a
 * wrong key or value, naming the section. */
RG_CHECKED rg_error *rg_checks_load(rg_checks **out, const rg_config *config);
/* The names of the files beside goldens that they ask, with blanks between them; *out is the
 * caller's to free. */
RG_CHECKED rg_error *rg_checks_files(char **out, const rg_config *config);

/* The place of a golden and its folder. */
typedef struct {
	rg_worktree *worktree;     /* of trees and the index */
	const char *folder;        /* before the path: "" or ending in '/' */
	const char *tree;          /* a tree's id, ":" for the index; "": the folder */
	const rg_members *archive; /* instead of the folder; or NULL */
	const char *path;          /* the golden's */
} rg_check_place;

/* Reads the files beside one golden, each once. They come with a clone: none is followed as a link,
 * and rg_yaml_file's limits hold. */
typedef struct {
	const rg_check_place *place;
	struct rg_check_file *files; /* those that were read */
	size_t count, capacity;
} rg_check_folder;

/* *out borrows the folder, which borrows the place. */
void rg_check_folder_open(rg_check_folder *folder, const rg_check_place *place,
			  rg_checks_beside *out);
void rg_check_folder_release(rg_check_folder *folder);
/* Is there such a file beside the golden? */
RG_CHECKED rg_error *rg_check_folder_has(rg_check_folder *folder, const char *name, bool *out);

/* rg_checks_apply with the golden's folder. */
RG_CHECKED rg_error *rg_check_rules_apply(const rg_checks *checks, rg_comparison *comparison,
					  const rg_golden *old, const rg_golden *fresh,
					  const rg_check_place *place);

#endif

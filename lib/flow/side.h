/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_SIDE_H
#define REGILD_FLOW_SIDE_H

#include "base/error.h"

#include <stdbool.h>

/* What one side of a comparison is called on the command line. Nothing is looked up here. */
typedef enum {
	RG_SIDE_PLAIN,    /* no prefix: a revision or a path, whichever there is */
	RG_SIDE_REVISION, /* "rev:REV" */
	RG_SIDE_PATH,     /* "path:PATH": a file or a folder */
	RG_SIDE_ARCHIVE,  /* "zip:PATH" */
	RG_SIDE_RUN,      /* "run:ID", or its URL */
	RG_SIDE_LATEST,   /* "latest:BRANCH": its newest finished run */
	RG_SIDE_INDEX,    /* --staged */
	RG_SIDE_FILES,    /* the working tree */
	RG_SIDE_NOTHING   /* of a file that is shown alone: there is no old side */
} rg_side_kind;

typedef struct {
	rg_side_kind kind;
	const char *text; /* after the prefix; borrowed */
} rg_side_name;

/* The name is that of a revision, the index or the working tree. */
bool rg_side_is_in_git(const rg_side_name *name);
/* … or that of a path or an archive. */
bool rg_side_is_on_disk(const rg_side_name *name);

/* Is a path called .zip, and is it one? Other files are zips too, and yet no archives of goldens.
 */
bool rg_side_is_zip(const char *path);

/* RG_E_USAGE where there is nothing after the prefix, and for a run that is neither an id nor a
 * URL. */
RG_CHECKED rg_error *rg_side_parse(rg_side_name *out, const char *text);

/*
 * "A..B" and "A...B" (`merge_base`), as git has them: an end that is left out is HEAD. *old is NULL
 * where the text is not made so; else both are the caller's to free. ".." alone and "../a" are
 * paths.
 */
typedef struct {
	char *old, *fresh;
	bool merge_base;
} rg_side_range;
void rg_side_split(rg_side_range *out, const char *text);
void rg_side_range_release(rg_side_range *range);

#endif

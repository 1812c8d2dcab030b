/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORY_GOLDEN_NAME_H
#define REGILD_STORY_GOLDEN_NAME_H

#include "base/buf.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/name_pattern.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The name of a golden, as people say it: "gpt/t5_11b [dev_dgx_h100]". All of it comes out of the
 * path by names.test; without that stage and test by jobs.target, and the variant out of the file's
 * name by the '*' of regild.files.
 */

/* The settings that names of goldens, and columns, need. */
typedef struct {
	const char *root;   /* regild.root, without a '/' at its end; "" where there is none */
	const char *target; /* jobs.target: where {stage} and {test} are below it */
	const char *files;  /* regild.files: whose '*' is the variant; NULL: no names have one */
	const char *names;  /* names.test, which counts in place of these two; NULL: not set */
	bool brief;         /* long texts as a line has room for */
	bool refuses; /* the merge gate takes no NaN and no infinite value (regild.nonfinite) */
} rg_column_context;

/* The part of a golden's path that {stage}, {test} or, by names.test, {variant} and {tag} stand
 * for, NULL where the path is not laid out like that; *length is its length. */
const char *rg_path_part(const char *path, rg_field part, const rg_column_context *context,
			 size_t *length);

/* A part of a path; `text` is NULL where the path has no such part. Not NUL-terminated. */
typedef struct {
	const char *text;
	size_t length;
} rg_name_part;

/* As strcmp: what is not there comes first. */
int rg_name_part_compare(const rg_name_part *a, const rg_name_part *b);

typedef struct {
	rg_name_part stage, test, variant; /* of a path that is not laid out so, none */
} rg_test_name;

/* The parts point into `path`. */
rg_test_name rg_test_name_split(const char *path, const rg_column_context *context);

/* "stage/test [variant]", as far as the path has them; the path itself below the root where it has
 * no test. As it is: the writer escapes it. */
void rg_test_name_add(rg_buf *out, const char *path, const rg_column_context *context);

/*
 * The names of the goldens in one list, of which no two are alike: where they would be, they are
 * the paths below the root; where all of them would be, and the paths end alike, what is different.
 * rg_test_names_init, rg_test_names_add of each path, rg_test_names_make, then rg_test_names_find;
 * rg_test_names_release.
 */
typedef struct {
	const char *path, *name;
} rg_listed_name;

typedef struct {
	rg_listed_name *items; /* by path, each once */
	size_t count, capacity;
	rg_arena arena;
} rg_test_names;

void rg_test_names_init(rg_test_names *names);
void rg_test_names_release(rg_test_names *names);
/* `path` has to stay. */
void rg_test_names_add(rg_test_names *names, const char *path);
void rg_test_names_make(rg_test_names *names, const rg_column_context *context);
/* The name of a path that was added. */
const char *rg_test_names_find(const rg_test_names *names, const char *path);

/* Metrics that one reader names alike and people read as one. */

/* The family's name: "3/routing_indices/12" is of the family "* /routing_indices/ *" (without the
 * blanks), "layer12.weight" of "layer*.weight". A metric whose name has no numbered part between
 * '/' or '.' is a family of its own. */
void rg_family_add(rg_buf *out, const char *metric);

/* The family of a table's column: "*_time" and "*_mem" for "pack_time" and "max_vpr_mem", since
 * tables measure many stages in one unit; else as rg_family_add. */
void rg_family_add_column(rg_buf *out, const char *column);

/* Are its numbers names for something (ids, indices, statuses), so that a relative difference of
 * them says nothing? */
bool rg_family_is_of_ids(const char *family);

#endif

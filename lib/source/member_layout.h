/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_MEMBER_LAYOUT_H
#define REGILD_SOURCE_MEMBER_LAYOUT_H

#include "base/error.h"
#include "base/name_pattern.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Names that a golden has where it is made, and those that it has in the repository:
 * "generations*.json -> golden_values*.json", several with commas or line ends between them. Each
 * side has one `*`, which stands for the same text.
 */
typedef struct {
	const char *from, *to; /* as globs */
} rg_rename;

typedef struct {
	rg_rename *items;
	size_t count, capacity;
} rg_renames;

/* RG_E_USAGE for what does not read so. `text` NULL or blank: none. */
RG_CHECKED rg_error *rg_renames_parse(rg_renames *out, rg_arena *arena, const char *text);

/* The name by the first of them that fits, NULL where none does; *out is the caller's to free. */
void rg_rename_apply(char **out, const rg_renames *renames, const char *name);

/*
 * The places of goldens inside an artifact. What `files` names is taken under its own path. What
 * fits `pattern` besides (Megatron-LM's GitLab jobs keep each iteration of a test, and each
 * restart of an iteration, in a folder of its own) is taken under {file}'s name, as jobs.rename has
 * it: of the last restart in the last iteration, and of the job's own folder.
 */
typedef struct {
	const char *const *files; /* globs; borrowed */
	size_t file_count;
	rg_name_pattern *pattern; /* NULL: none */
	bool any_file;            /* {file} need not fit `files` or a rename */
	rg_renames renames;
} rg_member_layout;

/* `members` is the value of jobs.members: NULL or empty, and nothing besides regild.files counts.
 * The caller fills in the rest. RG_E_USAGE, naming the key. */
RG_CHECKED rg_error *rg_member_layout_load(rg_member_layout *out, rg_arena *arena,
					   const char *members);
/* `members` is a pattern with fields, of [source "NAME"]. */
RG_CHECKED rg_error *rg_member_layout_load_any(rg_member_layout *out, rg_arena *arena,
					       const char *members);

/* The index-th glob beside regild.files that asks for what may fit; the caller's to free, NULL past
 * the last. */
char *rg_member_layout_glob(const rg_member_layout *layout, size_t index);

/* The job that an artifact is of. */
typedef struct {
	const char *test; /* NULL: not known, and every folder is its own */
	const char *via;  /* as in rg_job */
} rg_member_owner;

/* Is it the folder of that test: TEST or TEST-ENVIRONMENT, in lower case, with '-' for '_'? */
bool rg_member_is_own_folder(const rg_member_owner *owner, const char *folder, size_t length);

typedef enum {
	RG_MEMBER_NONE,
	RG_MEMBER_NAMED, /* by `files` */
	RG_MEMBER_COUNTS,
	RG_MEMBER_EARLIER, /* an earlier iteration or restart */
	RG_MEMBER_FOREIGN, /* in another test's folder */
} rg_member_kind;

/* The iteration and restart that count, of one artifact. Begin with all zero, show it every path,
 * then ask for each. The paths outlive it. */
typedef struct {
	bool found;
	uint64_t repeat;
	rg_field_value restart;
} rg_member_round;

void rg_member_round_add(rg_member_round *round, const rg_member_layout *layout,
			 const rg_member_owner *owner, const char *path);
/* `fields` are those of the path, where it fits jobs.members. */
rg_member_kind rg_member_kind_of(const rg_member_round *round, const rg_member_layout *layout,
				 const rg_member_owner *owner, const char *path,
				 rg_name_fields *fields);

#endif

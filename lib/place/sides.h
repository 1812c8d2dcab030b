/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_PLACE_SIDES_H
#define REGILD_PLACE_SIDES_H

#include "base/error.h"
#include "base/memory.h"
#include "base/optional.h"
#include "config/config.h"
#include "place/place.h"

#include <stdbool.h>

/*
 * The two sides of a comparison: what the user named, and which files of them are compared.
 *
 *	rg_sides_find(&sides, &context, &options);	names and options become two sides
 *	rg_sides_list_changes(…, &sides, …);		of place/side_files.h: their files
 *	rg_sides_release(&sides);			whatever came back
 */
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
	const char *text;  /* after the prefix; borrowed */
	const char *label; /* "HEAD", "the working tree", "run 7", a path; NULL: the text */
} rg_side_name;

/* The name is that of a revision, the index or the working tree. */
bool rg_side_is_in_git(const rg_side_name *name);
/* … or that of a path or an archive. */
bool rg_side_is_on_disk(const rg_side_name *name);
/* A folder, or an archive. */
bool rg_side_is_folder(const rg_side_name *name);

/* Looks nothing up. RG_E_USAGE where there is nothing after the prefix. */
RG_CHECKED rg_error *rg_side_parse(rg_side_name *out, const char *text);

/*
 * "A..B" and "A...B" (`merge_base`), as git has them: an end that is left out is HEAD. *old is NULL
 * where the text is not made so. ".." alone and "../a" are paths. The texts are in the arena.
 */
typedef struct {
	const char *old, *fresh;
	bool merge_base;
} rg_side_range;
void rg_side_split(rg_side_range *out, rg_arena *arena, const char *text);
/* The REV of "REV...", which is how --base asks for the merge base; NULL: the text is not made so.
 */
const char *rg_side_before_dots(rg_arena *arena, const char *text);

/*
 * Which two sides are compared, and which files of them. The options are shorthand for names of
 * sides: --base REV is rev:REV on the old side, --to REV on the new one, --old and --new are path:
 * where they name no other kind, and --file FILE is FILE after "--".
 */
typedef struct {
	/* Revisions; NULL: HEAD, and the working tree or with `staged` the index. */
	const char *base, *to;
	bool staged;
	bool merge_base; /* the old side is the merge base of it and the new side */
	bool no_renames;
	rg_texts files;       /* not empty: only these */
	const char *old_path; /* only with new_paths */
	rg_texts new_paths;   /* several: each of them is the new side of a comparison … */
	size_t new_index;     /* … this one of the one that is asked for */
	const char *alone;    /* a file that is compared with nothing; no other field is set then */
	/* [OLD [NEW]] [-- PATH…]; borrowed. */
	char *const *operands;
	size_t operand_count, after_dashes;
	bool dashes; /* there is a "--": what is before it is no path, but for a prefix */
} rg_side_options;

/* How two sides become pairs of goldens. */
typedef enum {
	RG_SIDES_IN_GIT, /* what differs from a revision */
	RG_SIDES_PATHS,  /* two files or folders, by their paths in them; no repository is needed */
	RG_SIDES_LAYOUTS /* by where the goldens belong in the repository */
} rg_sides_kind;

/* A part of the repository. */
typedef struct {
	const char *path; /* from its root; "": all of it */
	bool folder;      /* there is one of that name */
} rg_sides_part;

typedef struct {
	rg_sides_kind kind;
	rg_side_name old, fresh; /* none is RG_SIDE_PLAIN; both have labels */
	bool merge_base;         /* the old side is that of both */
	rg_sides_part *parts;    /* not empty: only what is in one of them */
	size_t part_count, part_capacity;
	/* Once compared, of a new side that has some of the goldens only (a run): those. */
	bool new_is_part;
	const char **new_has;
	size_t new_has_count;
	rg_arena arena;
} rg_sides;

/* Names are looked up in this. The hooks know what only lib/source does. */
typedef struct {
	const rg_config *config;
	rg_worktree *worktree;       /* NULL: there is none */
	const rg_error *no_worktree; /* then, why */
	/* *label: what a run is called, in the arena; RG_E_USAGE for what names none. */
	rg_error *(*label_run)(const char **label, rg_arena *arena, const char *text);
	bool (*is_staging)(const char *folder); /* a download has made it */
} rg_side_context;

/*
 * RG_E_USAGE for what contradicts itself, and for a name that is both a revision and a file;
 * RG_E_NOTFOUND for one that is neither. Nothing is read but the repository's references. Released
 * whatever comes back.
 */
RG_CHECKED rg_error *rg_sides_find(rg_sides *out, const rg_side_context *context,
				   const rg_side_options *options);
void rg_sides_release(rg_sides *sides);

/* For a side in git: asks for all its goldens, as what differs from nothing. It borrows both. */
rg_change_query rg_side_query(const rg_side_name *name, const rg_config *config);

/* Is a path from the repository's root in one of the parts? */
bool rg_sides_take(const rg_sides *sides, const char *path);

/* Why there is no worktree with a commit, or NULL. */
RG_CHECKED rg_error *rg_place_need_worktree(rg_worktree *worktree, const rg_error *no_worktree);

/* The path, from the repository's root, of one that the user named; NULL where it is outside. It
 * need not exist. *out is in the arena. */
RG_CHECKED rg_error *rg_place_inner_path(char **out, rg_arena *arena, rg_worktree *worktree,
					 const char *path);

#endif

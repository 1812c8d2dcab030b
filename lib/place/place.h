/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_PLACE_PLACE_H
#define REGILD_PLACE_PLACE_H

#include "base/buf.h"
#include "base/map.h"
#include "base/tree.h"
#include "golden/sibling_reader.h"
#include "place/members.h"
#include "worktree/worktree.h"

/*
 * A place with goldens: a folder, an archive, a staged run, a tree in git, the index, the working
 * tree. Whatever it is, it is a list of files with keys, which rg_place_read reads, and
 * two of them are paired by their keys.
 *
 *	rg_place_init(&place);
 *	rg_place_open_folder(&place, "goldens");	… or set its archive
 *	rg_place_list(&place, "");			… or rg_place_list_git, or rg_place_add
 *	rg_place_pairs_make(&pairs, &old, &fresh);
 *	rg_place_read(&reader, &pairs.items[0].fresh, &input);	… whose place is &fresh
 *	rg_place_pairs_release(&pairs);
 *	rg_place_release(&place);				… whatever came back
 */
typedef struct {
	const char *key;  /* what it is paired by: its path in the place, or where it belongs */
	const char *path; /* where the place has it: from its folder, in its archive, in its tree */
	const char *tree; /* NULL: the folder or archive has it; else its tree's id, or ":" */
	const char *id;   /* of the blob, then; "" for a file of the working tree */
	bool unmerged;    /* rg_change */
	size_t staged;    /* of a staged run: which of its manifest's goldens, plus 1; else 0 */
} rg_place_file;

typedef struct {
	const char *folder;     /* before the paths: "" or ending in '/' */
	const char *name;       /* the folder, for messages */
	rg_members *archive;    /* has the paths instead of the folder; NULL: it does not. Owned */
	bool whole;             /* what it lacks is gone; else it knows nothing of that */
	rg_place_file *items;   /* by key, in path-component order */
	size_t count, capacity; /* of items */
	rg_change_list changes; /* of git; these own their texts, as do: */
	rg_tree tree;
	rg_arena arena;
} rg_place;

void rg_place_init(rg_place *place);
void rg_place_release(rg_place *place);

/* It is in that folder. */
void rg_place_open_folder(rg_place *place, const char *folder);
/* Lists the files of its folder (rg_tree_list) or archive, under their paths. Where it has a folder
 * `below` ("": none is looked for), it is whole, and only what is in that is listed, under the
 * paths from there. */
RG_CHECKED rg_error *rg_place_list(rg_place *place, const char *below);
/* Lists all goldens of a tree, the index or the working tree, as what differs from RG_EMPTY_TREE by
 * the query; where `paths` is not NULL, those of them alone. The worktree is borrowed. */
RG_CHECKED rg_error *rg_place_list_git(rg_place *place, rg_worktree *worktree,
				       const rg_change_query *query, const char *const *paths,
				       size_t count);
/* Adds a file, whose texts are borrowed; rg_place_sort follows the last. */
void rg_place_add(rg_place *place, const rg_place_file *file);
void rg_place_sort(rg_place *place);

typedef struct {
	rg_place_file old, fresh; /* path NULL: it is not on that side */
	const char *name;         /* the key of the new one, else of the old one */
	const rg_change *change;  /* what git says of the two; NULL: they are not of git */
} rg_place_pair;

typedef struct {
	rg_place_pair *items; /* by name, in path-component order */
	size_t count;
} rg_place_pairs;

/* The files of either place, which they borrow, each key once. What only a whole place has is left
 * out where the other is not whole. */
void rg_place_pairs_make(rg_place_pairs *out, const rg_place *old, const rg_place *fresh);
/* The pairs that git says have changed: renames are pairs, too. */
void rg_place_pairs_of_changes(rg_place_pairs *out, const rg_change_list *changes);
void rg_place_pairs_release(rg_place_pairs *pairs);

/* Reads goldens of a place, and what is beside them, one after the other into the same memory. */
typedef struct {
	const rg_place *place;  /* the caller sets it, before it reads */
	rg_worktree **worktree; /* of trees and the index; NULL: the place has none */
	const char *tree;       /* of the golden at hand; "" for the folder or the archive */
	rg_sibling_reader beside;
	rg_buf bytes, name;
	rg_map map;                   /* instead of bytes; size 0 where there is none */
	const rg_member *beside_file; /* in beside_map, if it is an archive's */
	bool beside_is_mapped;
	rg_map beside_map; /* instead of beside's bytes */
	rg_blob blob;      /* instead of bytes, too; released before its worktree */
} rg_place_reader;

/* `max`: the bytes of the largest golden that is taken; one that is read in place may be larger. */
void rg_place_reader_init(rg_place_reader *r, rg_worktree **worktree, size_t max);
void rg_place_reader_release(rg_place_reader *r);

/* *out borrows the reader until the next call. Errors do not name the path. Of a pointer of Git LFS
 * that the worktree's store has the file for, it is that file. */
RG_CHECKED rg_error *rg_place_read(rg_place_reader *r, const rg_place_file *file, rg_input *out);

/* Reads what a golden was that is there no more; *out stays empty where that cannot be read, or git
 * has a pointer to it (Git LFS): nothing hangs on it. */
RG_CHECKED rg_error *rg_place_read_removed(rg_place_reader *r, const rg_place_file *file,
					   rg_input *out);

/* Git has only the pointer of a file in Git LFS: RG_E_PARSE, with what fetches the file, where Git
 * LFS's store lacks it. NULL for a side that was not read or is not a blob. */
RG_CHECKED rg_error *rg_place_refuse_pointer(const rg_place_file *file, const rg_input *side);

/* Does a file of the folder or archive begin like a golden? One that cannot be read does: whoever
 * reads it says why. */
bool rg_place_begins_like_golden(const rg_place *place, const char *path);

/* A golden that the user names is a file: RG_E_USAGE where it is a folder or empty. */
RG_CHECKED rg_error *rg_place_check_name(const char *path);

#endif

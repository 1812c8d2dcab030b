/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_LOCAL_PARTS_H
#define REGILD_SOURCE_LOCAL_PARTS_H

#include "place/members.h"
#include "source/local.h"
#include "source/manifest.h"

/* The files local*.c share this: what was found at the paths, and how it is read. */

/* How an artifact's goldens are read. */
typedef enum {
	RG_LOCAL_FOLDER, /* what is asked for of `files`, which are below the folder `place` */
	RG_LOCAL_LISTED, /* all of these */
	RG_LOCAL_PACKED, /* `files`, which are members of an archive */
	RG_LOCAL_BROKEN, /* not at all */
} rg_local_kind;

typedef struct {
	const char *name, *via; /* as in rg_selected */
	uint64_t size;
	const char *path;   /* below the place */
	bool is_other;      /* a link, device, pipe or socket */
	size_t member;      /* RG_LOCAL_PACKED: in rg_local.members */
	const char *sha256; /* what it has to be, or NULL */
} rg_local_file;

typedef struct {
	rg_local_kind kind;
	const char *name;  /* as an artifact is called */
	const char *place; /* a path, for messages too */
	rg_local_file *files;
	size_t count, capacity;
	rg_refusal *refusals; /* of an archive's members that are wanted */
	size_t refusal_count, refusal_capacity;
	const char *fault; /* of a broken one, unless it is empty */
	const char *check; /* as rg_source.take has it */
	uint64_t size;     /* bytes of its goldens */
	bool empty;
	/* The folder of jobs.members that its goldens are in, where regild.files names none. */
	const char *member_folder;
	bool named;               /* regild.files names one */
	const char *stage, *test; /* where they are known, as in a checkout */
	const char *digest;       /* "sha256:…" or NULL */
	uint64_t id, job_id;      /* in a staging folder; else 0 */
	bool placed;              /* as rg_artifact has it */
} rg_local_artifact;

typedef struct {
	rg_source source;
	rg_local_options options;
	rg_arena arena;
	rg_local_artifact *artifacts;
	size_t count, capacity;
	char **patterns; /* what may be in an archive: members, and those one or two folders deeper
			  */
	size_t pattern_count;
	rg_manifest staged; /* of a staging folder; else empty */
	bool is_staged, has_folder;
	rg_members members; /* of archives */
	uint64_t moved;     /* bytes over the network */
} rg_local;

/* local_tree.c. Adds an artifact, or a file to one, which is good until the next comes. Texts are
 * copied. */
rg_local_artifact *rg_local_add(rg_local *local, rg_local_kind kind, const char *name,
				const char *place);
rg_local_file *rg_local_add_file(rg_local *local, rg_local_artifact *artifact, const char *name,
				 const char *via, uint64_t size);
/* A file below the artifact's place. */
void rg_local_add_listed(rg_local *local, rg_local_artifact *artifact, const char *name,
			 const char *path);

/* local_find.c: adds the artifacts that a path holds. */
RG_CHECKED rg_error *rg_local_find(rg_local *local, const char *path);
/* How deep the folders of artifacts may be in an archive. */
enum { RG_LOCAL_DEPTH = 2 };

/* local_tree.c: the same for a folder that has the repository's own layout, or that a download has
 * made. *is false: it is neither. */
RG_CHECKED rg_error *rg_local_find_in_tree(rg_local *local, const char *path, bool *is);

/* local_jobs.c: the run, out of what was found. */
RG_CHECKED rg_error *rg_local_fill_run(rg_local *local, rg_run *out);

#endif

#ifndef REGILD_CMD_ARTIFACT_SOURCE_H
#define REGILD_CMD_ARTIFACT_SOURCE_H

#include "archive/zip.h"
#include "base/tree.h"
#include "command.h"
#include "golden/artifact.h"

/* The files of a golden artifact, out of a folder or a zip. */
typedef struct {
	rg_artifact_files files;
	size_t links; /* of a folder: left out */
	/* Out of a folder. */
	const char *folder;
	rg_tree tree;
	rg_buf bytes;
	/* Out of a zip: all of them in memory. */
	struct artifact_member *members;
	const char **names, **refused_names;
	rg_arena arena; /* of refused_names */
	size_t capacity, name_capacity;
	size_t refused; /* members that could not be had, each named on stderr */
} artifact_source;

/* Released whatever comes back. A zip that holds nothing but one other zip is that other zip. */
RG_CHECKED rg_error *artifact_open_folder(artifact_source *source, const char *folder);
RG_CHECKED rg_error *artifact_open_zip(artifact_source *source, const char *path);
void artifact_release(artifact_source *source);

/* What unpack and verify take, and pack therefore makes: 100,000 members, 2 GiB in all. However
 * densely packed: a tensor of zeros packs a thousand to one. */
rg_zip_limits artifact_limits(void);

/* The bytes of any file; borrowed until the next call. */
RG_CHECKED rg_error *artifact_read(artifact_source *source, size_t index, rg_bytes *out);

/* Checks the files and names every problem on stderr; *problems is how many. */
RG_CHECKED rg_error *artifact_check(artifact_source *source, rg_artifact_check *check);

/* "2 flows, 3 models, 4 inputs, 3 outputs". */
void artifact_print_counts(const rg_artifact_check *check, FILE *out);

#endif

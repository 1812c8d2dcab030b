#ifndef REGILD_SOURCE_FETCH_H
#define REGILD_SOURCE_FETCH_H

#include "archive/zip.h"
#include "base/log.h"
#include "source/cache.h"
#include "source/name.h"
#include "source/source.h"
#include "update/manifest.h"

/*
 * Fetches what a plan (rg_match) wants, several artifacts side by side, and lays the goldens out in
 * a staging folder: FOLDER/files/STAGE/TEST/FILE.
 */
typedef struct {
	rg_source *source;
	rg_http *http;
	rg_cache *cache;             /* NULL: none */
	const char *const *patterns; /* what to take out of an artifact, see archive/select.h */
	size_t pattern_count;
	const char *patterns_text; /* the same as one text, for the cache */
	const rg_name_pattern *target;
	const char *root;     /* of the goldens in the repository */
	const char *worktree; /* the repository's folder, to see what is unchanged; NULL: none */
	rg_zip_limits limits;
	uint64_t artifact_max; /* bytes of an artifact that is fetched whole */
	uint64_t whole_under;  /* smaller artifacts are fetched whole at once */
	bool whole;
	unsigned workers; /* 1 … RG_FETCH_WORKERS_MAX */
	const rg_log *log;
	const rg_progress *progress; /* may be NULL; its update is called from the workers, one at a
					time, with `waiting` NULL */
} rg_fetch_options;

#define RG_FETCH_WORKERS_MAX 32

/*
 * Works off the manifest's artifacts that are RG_OUTCOME_TAKEN, or RG_OUTCOME_EXPIRED and in the
 * cache, and gives each, and its job, its final outcome; adds the goldens in path-component order
 * and the bytes moved. `folder` must exist and be empty. What is wrong with one artifact is its
 * outcome; an error is what stops all of them: Ctrl-C, a refused token, a full disk.
 */
RG_CHECKED rg_error *rg_fetch(const rg_run *run, const rg_fetch_options *options,
			      const char *folder, rg_manifest *manifest);

#endif

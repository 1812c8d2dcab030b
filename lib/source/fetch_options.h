/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_FETCH_OPTIONS_H
#define REGILD_SOURCE_FETCH_OPTIONS_H

#include "archive/zip.h"
#include "base/log.h"
#include "golden/golden.h"
#include "source/log_rule.h"
#include "source/rule.h"
#include "source/source.h"
#include "store/cache.h"

/* Options of fetching, from the run to the staging folder. */
typedef struct {
	rg_source *source;
	rg_cache *cache;          /* NULL: none */
	const rg_rules *rules;    /* which of an artifact's members are goldens, and their places */
	const rg_log_rules *logs; /* for artifacts that are logs; NULL: there are none */
	const rg_golden_options *formats; /* how tables are read; may be NULL */
	const char *root;                 /* of the goldens in the repository */
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

#endif

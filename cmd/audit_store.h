#ifndef REGILD_CMD_AUDIT_STORE_H
#define REGILD_CMD_AUDIT_STORE_H

#include "audit/history_scratch.h"
#include "command.h"
#include "golden/golden.h"
#include "update/manifest.h"

/* Where an audit keeps the runs that it fetches. */
typedef struct {
	environment *env;
	const rg_golden_options *options;
	size_t golden_max;           /* bytes */
	char *folder;                /* of the repository's runs */
	rg_history_scratch *scratch; /* NULL until something is fetched */
	bool missing;                /* something that was asked for is not there */
} audit_store;

/*
 * Stores what a download left in `folder`, with what the run's file `path` has beyond it; nothing
 * where that has it all, for another audit may have been faster, and artifacts expire meanwhile.
 * *stored says whether the history has anything of the run then.
 */
RG_CHECKED rg_error *audit_store_run(audit_store *store, const rg_manifest *manifest,
				     const char *folder, const char *path, bool *stored);

#endif

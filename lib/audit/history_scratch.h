#ifndef REGILD_AUDIT_HISTORY_SCRATCH_H
#define REGILD_AUDIT_HISTORY_SCRATCH_H

#include "base/error.h"

/*
 * Where an audit fetches runs to before they go into the history: FOLDER/.fetch-XXXXXX beside the
 * history's files, so that a finished one is put in place by a rename. It is locked (flock) while
 * its audit lives; what is not locked was left there by one that was killed.
 */
typedef struct rg_history_scratch rg_history_scratch;

/* Removes what killed audits left in `folder`. A folder that is not there, or that cannot be
 * swept, is fine: RG_E_NOMEM only. */
RG_CHECKED rg_error *rg_history_sweep(const char *folder);

/* Nobody else sweeps `folder` or puts runs into it until *out is closed. RG_E_CANCELLED where a
 * signal ends the waiting for it. */
RG_CHECKED rg_error *rg_history_lock(int *out, const char *folder);

/* Makes `folder`, those above it, and an empty scratch folder in it. */
RG_CHECKED rg_error *rg_history_scratch_open(rg_history_scratch **out, const char *folder);
const char *rg_history_scratch_path(const rg_history_scratch *scratch);
/* Removes it with all in it; `scratch` may be NULL. It is freed whatever happens. */
RG_CHECKED rg_error *rg_history_scratch_close(rg_history_scratch *scratch);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_LOG_H
#define REGILD_BASE_LOG_H

#include "base/error.h"

#include <stdint.h>

/*
 * How the library reports while it works. The command gives a sink; NULL is silence. `write` may be
 * called from several threads at once and must serialise. Texts have no newline and never hold a
 * token or a signed URL's query. Control characters in names are the sink's to escape.
 */
typedef enum {
	RG_LOG_MISSING, /* what a result lacks; shown with -q too, as a warning */
	RG_LOG_WARNING, /* shown unless -q */
	RG_LOG_INFO,    /* shown by default */
	RG_LOG_DETAIL,  /* shown with -v */
	RG_LOG_DEBUG,   /* shown with -vv */
} rg_log_level;

typedef struct rg_log {
	void (*write)(void *context, rg_log_level level, const char *text);
	void *context;
} rg_log;

void rg_log_say(const rg_log *log, rg_log_level level, const char *format, ...) RG_PRINTF(3, 4);

/* A transfer display shows this. All counts are totals so far, not increments. */
typedef struct {
	uint64_t done, total;              /* artifacts */
	uint64_t bytes_moved, bytes_total; /* over the wire; of the artifacts as a whole */
	const char *current; /* something under way, or NULL; with `total` 0, what is asked for */
} rg_progress_state;

typedef struct rg_progress {
	/* May be called from several threads at once and must serialise. A state that is all 0 says
	 * that nothing is under way. */
	void (*update)(void *context, const rg_progress_state *state);
	void *context;
	/* Something waits for so many seconds; `why` NULL: no longer. May be NULL. */
	void (*waiting)(void *context, const char *why, double seconds);
} rg_progress;

#endif

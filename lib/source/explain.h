/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_EXPLAIN_H
#define REGILD_SOURCE_EXPLAIN_H

#include "source/fetch_options.h"
#include "source/manifest.h"

/* A line that is told: two blanks before it where it is about a member of the artifact before. */
typedef void rg_explain_line(void *context, const char *line);

/*
 * Tells for each job, artifact and member which rule took or left it, and where what was taken
 * would go. `manifest` is what rg_match has made of the run. Of an artifact no more moves than
 * listing its members needs.
 */
RG_CHECKED rg_error *rg_explain(const rg_run *run, const rg_fetch_options *options,
				const char *folder, rg_manifest *manifest, rg_explain_line *line,
				void *context);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_COMMIT_MESSAGE_H
#define REGILD_REPORT_COMMIT_MESSAGE_H

#include "story/story.h"

/* The trailers that say where goldens are from; 'regild blame' reads them again. */
#define RG_TRAILER_RUN     "Regild-Run"
#define RG_TRAILER_ATTEMPT "Regild-Attempt"
#define RG_TRAILER_COMMIT  "Regild-Commit"
#define RG_TRAILER_SCOPE   "Regild-Scope"
#define RG_TRAILER_FROM    "Regild-From"

/*
 * Adds the message of the commit that a refresh leads to: a subject, the blocks of the summary
 * without NEXT, folded at 72 columns, and the trailers. Adds nothing where no golden that differs
 * is the run's.
 */
RG_CHECKED rg_error *rg_commit_message_add(rg_buf *out, const rg_story *story);

#endif

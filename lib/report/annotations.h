/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_ANNOTATIONS_H
#define REGILD_REPORT_ANNOTATIONS_H

#include "story/story.h"

/*
 * Appends the findings as workflow commands of GitHub (report/workflow_command.h), one a line,
 * worst first, RG_ANNOTATIONS_MAX at most: an error for one that broke a gate, else a warning.
 * `in_repository`: files are named by their paths from its root.
 */
RG_CHECKED rg_error *rg_annotations_add(rg_buf *out, const rg_story *story, bool in_repository);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_DOCUMENT_HEAD_H
#define REGILD_REPORT_DOCUMENT_HEAD_H

#include "base/fields.h"
#include "compare/row.h"
#include "story/summary.h"

/* The sides that were compared, and how much there is. */
typedef struct {
	const char *old_side, *new_side, *old_commit, *new_commit, *run, *run_url, *commit,
		*commit_note, *branch, *fork, *job, *from, *command, *root, *filter;
	unsigned attempt;
	bool only_failing, dry_run, alone, near_zero;
	size_t files, compared, new_files, removed, unreadable, rows, series_rows, tensors, gaps,
		no_steps;
	size_t verdicts[RG_VERDICTS];
} rg_document_head;
extern const rg_json_field rg_about_fields[], rg_count_fields[];
/* The test of a run as a whole, by a noise model. */
extern const rg_json_field rg_run_test_fields[];

/* Borrows the summary's texts. */
void rg_document_head_fill(rg_document_head *out, const rg_summary *summary);

#endif

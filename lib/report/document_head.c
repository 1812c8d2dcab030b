/* SPDX-License-Identifier: Apache-2.0 */
#include "report/document_head.h"

#include "compare/policy.h"

#define OF rg_document_head
const rg_json_field rg_about_fields[] = {
	RG_KEY_IF("old", old_side, RG_JSON_OR_NULL, "The name of the old side."),
	RG_KEY_IF("new", new_side, RG_JSON_OR_NULL, "The name of the new side."),
	RG_KEY_OPTIONAL(old_commit, "The old side's commit, if its name can move."),
	RG_KEY_OPTIONAL(new_commit, "The new side's."),
	RG_KEY_OR_NULL(run, "The id of the run that a refresh took."),
	RG_KEY_OPTIONAL(run_url, "The run's page."),
	RG_KEY_OPTIONAL(attempt, "The run's attempt."),
	RG_KEY_OPTIONAL(commit, "The run's commit."),
	RG_KEY_OPTIONAL(commit_note, "Why that is not what is checked out."),
	RG_KEY_OPTIONAL(branch, "The run's branch."),
	RG_KEY_OPTIONAL(fork, "OWNER/NAME of the fork that the commit is of."),
	RG_KEY_OPTIONAL(job, "The one job that was taken."),
	RG_KEY_OPTIONAL(only_failing, "Only jobs that failed were taken."),
	RG_KEY_OPTIONAL(from, "The folder or archive that the goldens came from instead."),
	RG_KEY_OPTIONAL(command, "The call."),
	RG_KEY_OPTIONAL(root, "The folder of the goldens."),
	RG_KEY_OPTIONAL(filter, "What --filter keeps."),
	RG_KEY_OPTIONAL(dry_run, "The refresh was not made."),
	RG_KEY_OPTIONAL(alone, "A file is compared with nothing."),
	RG_KEY_OPTIONAL(near_zero, "A setting says under which value a step has no relative "
				   "figure; else that is 1e-12."),
	{0}};

#define COUNT_VERDICT(name, kind, sentence) \
	RG_KEY_IF(name, verdicts[kind], RG_JSON_OPTIONAL, sentence)
const rg_json_field rg_count_fields[] = {
	RG_KEY(files, "Files."),
	RG_KEY(compared, "Of these, files that were compared."),
	RG_KEY_AS("new", new_files, "New files."),
	RG_KEY(removed, "Removed files."),
	RG_KEY(unreadable, "Unreadable files."),
	RG_KEY(rows, "Rows."),
	RG_KEY(series_rows, "Of these, rows of series."),
	RG_KEY_OPTIONAL(tensors, "Of these, rows of tensors."),
	RG_KEY(gaps, "Metrics without a row."),
	RG_KEY_OPTIONAL(no_steps, "Of these, metrics of both sides without a step that counts."),
	COUNT_VERDICT("within", RG_VERDICT_WITHIN, "Rows and gaps within the measured noise."),
	COUNT_VERDICT("outside", RG_VERDICT_OUTSIDE, "Those outside all measured runs."),
	COUNT_VERDICT("inconclusive", RG_VERDICT_INCONCLUSIVE, "Those that too few runs measured."),
	COUNT_VERDICT("unmeasured", RG_VERDICT_UNMEASURED, "Those that no run measured."),
	{0}};
#undef OF

static const char *const shown_by[] = {"rows", "metric", "count", "alone"};

#define OF rg_run_test
const rg_json_field rg_run_test_fields[] = {
	RG_KEY_WORD("answer", answer, rg_answer_names,
		    "Whether it is as the measured ones are, or too few of these tell."),
	RG_KEY(p, "A run of the same kind deviates as much in at most this share of cases."),
	RG_KEY(runs, "Measured runs that it was compared with."),
	RG_KEY_OPTIONAL(goldens, "Goldens that these measured; those that did not change too, "
				 "where runs agree as a rule."),
	RG_KEY(rows, "Their rows that were looked at."),
	RG_KEY(too_few, "Rows that too few runs measured, which were not looked at."),
	RG_KEY(missing, "So many more runs of these would tell."),
	RG_KEY_WORD("by", by, shown_by,
		    "Of a change, what shows it most: single rows, all rows of a metric, the "
		    "count of those that are outside, or rows in which it alone differs."),
	RG_KEY_OR_NULL(metric, "Of a change that all rows of a metric show, which."),
	RG_KEY_OPTIONAL(open_rows, "Rows that were not looked at and are outside all of their own "
				   "runs and over their flag level: the answer is not noise."),
	RG_KEY_OPTIONAL(open_file, "The golden of the one that is furthest out."),
	RG_KEY_OPTIONAL(open_metric, "Its metric."),
	{0}};
#undef OF

void rg_document_head_fill(rg_document_head *out, const rg_summary *s)
{
	const rg_comparison *c = s->comparison;
	const rg_run_facts *run = &s->run;

	*out = (rg_document_head){.old_side = s->old_side,
				  .new_side = s->new_side,
				  .old_commit = s->old_commit,
				  .new_commit = s->new_commit,
				  .run = run->id,
				  .run_url = run->id ? run->url : NULL,
				  .commit = run->id ? run->commit : NULL,
				  .commit_note = run->commit_note,
				  .branch = run->branch,
				  .fork = run->fork,
				  .job = run->job,
				  .from = run->id ? NULL : run->from,
				  .command = s->command,
				  .root = s->root && !*s->root ? "." : s->root,
				  .filter = s->filter,
				  .attempt = run->id ? run->attempt : 0,
				  .only_failing = run->only_failing,
				  .dry_run = s->dry_run,
				  .alone = s->alone,
				  .near_zero = rg_policy_sets_near_zero(s->policy),
				  .files = c->file_count,
				  .compared = c->compared,
				  .new_files = c->new_files,
				  .removed = c->removed,
				  .unreadable = c->unreadable,
				  .rows = c->row_count,
				  .series_rows = c->series_rows,
				  .gaps = c->gap_count};
	for (size_t i = 0; i < c->row_count; i++) {
		out->tensors += c->rows[i].tensor != NULL;
		out->verdicts[c->rows[i].verdict.kind]++;
	}
	for (size_t i = 0; i < c->gap_count; i++) {
		out->no_steps += c->gaps[i].gap == RG_GAP_NO_STEPS;
		out->verdicts[c->gaps[i].verdict.kind]++;
	}
	out->verdicts[RG_VERDICT_NONE] = 0;
}

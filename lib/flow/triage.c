/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/triage.h"

#include "audit/conformal.h"
#include "audit/statistics.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "flow/compare.h"
#include "flow/download.h"
#include "flow/run_base.h"
#include "story/golden_name.h"
#include "store/scratch.h"

#include <stdlib.h>
#include <string.h>

/* As many runs an audit takes where nobody says how many. */
enum { RUNS_USUAL = 30 };

typedef struct {
	rg_triage *out;
	const rg_flow *flow;
	const rg_triage_options *options;
	const char *scratch; /* where the run is downloaded to */
	rg_manifest *manifest;
	rg_compare_rules rules;
	rg_compare_result result;
	bool *placed; /* of each golden: a job that failed has left it */
} triage_state;

static const char *keep(triage_state *t, const char *text)
{
	return text ? rg_arena_text(&t->out->arena, text) : NULL;
}

/* ---- one golden ---- */

/* The rows that say something; of several that say the same, the one that is out furthest. */
typedef struct {
	const rg_row *out, *lost, *open, *odd, *unsure, *differs;
	size_t more_runs;
} golden_evidence;

static void take(const rg_row **best, const rg_row *row)
{
	if (!*best || row->verdict.beyond > (*best)->verdict.beyond)
		*best = row;
}

static bool is_lost(const rg_row *row)
{
	return row->lost || row->gap == RG_GAP_OLD_ONLY;
}

static bool is_different(const rg_row *row)
{
	return !row->identical && row->gap != RG_GAP_NEW_ONLY && row->gap != RG_GAP_DROPPED;
}

static size_t runs_missing(double level, size_t runs)
{
	size_t needed = rg_runs_needed(level);
	return needed > runs ? needed - runs : 1;
}

/* The number of further runs that would decide on the row; 0: its verdict holds. */
static size_t more_for_row(const triage_state *t, const rg_row *row)
{
	const rg_run_test *run = &t->result.comparison.run.fresh;
	const rg_verdict *v = &row->verdict;
	double level = t->rules.judged ? t->rules.judge.level : RG_VERDICT_LEVEL;

	if (v->kind == RG_VERDICT_WITHIN)
		return 0;
	if (v->kind == RG_VERDICT_NONE || v->kind == RG_VERDICT_UNMEASURED)
		return rg_runs_needed(level);
	if (v->kind == RG_VERDICT_INCONCLUSIVE)
		return runs_missing(level, v->runs);
	/* Outside by itself, as some of many rows are by chance. */
	if (run->answer == RG_ANSWER_NOISE && v->tested)
		return 0;
	return runs_missing(level / (double)(run->rows + run->too_few + 1), v->runs);
}

/* Does this row show that the golden differs from the runs? */
static void weigh_golden(golden_evidence *e, const triage_state *t, const rg_row *row)
{
	const rg_verdict *v = &row->verdict;
	const rg_run_test *golden = &t->result.comparison.run.golden;
	size_t last = v->runs, reached = 0;

	if (golden->answer == RG_ANSWER_CHANGED && v->of_golden)
		take(&e->odd, row);
	if (golden->answer != RG_ANSWER_OPEN || !v->golden_scores)
		return;
	for (size_t r = 0; r < last; r++)
		reached += v->golden_scores[r] >= v->golden_scores[last];
	if (rg_conformal_clear(v->golden_scores, last + 1) == last)
		take(&e->odd, row);
	else if (!reached)
		take(&e->unsure, row);
}

static void weigh(golden_evidence *e, const triage_state *t, const rg_row *row)
{
	if (row->ignored || (!is_different(row) && !is_lost(row)))
		return;
	if (row->verdict.stands_out)
		take(&e->out, row);
	if (is_lost(row)) {
		take(&e->lost, row);
		return;
	}
	const size_t more = more_for_row(t, row);
	if (more)
		take(&e->open, row);
	if (more > e->more_runs)
		e->more_runs = more;
	take(&e->differs, row);
	weigh_golden(e, t, row);
}

static void conclude(triage_state *t, rg_triage_line *line, rg_triage_word word, const rg_row *row,
		     const char *why)
{
	line->word = word;
	line->metric = row ? keep(t, row->metric) : NULL;
	line->why = why;
}

/* The evidence of a row that is not a break. */
static const char *format_run(const triage_state *t, const rg_row *row)
{
	const rg_verdict *v = &row->verdict;
	rg_arena *arena = &t->out->arena;
	if (v->kind == RG_VERDICT_WITHIN)
		return rg_arena_text(arena, v->text);
	return rg_arena_textf(arena, "%s, as chance allows in one of the run's %zu rows", v->text,
			      t->result.comparison.run.fresh.rows);
}

/* Judges a golden of a run that is within what the measured runs do. */
static void judge_within(triage_state *t, rg_triage_line *line, const golden_evidence *e)
{
	rg_arena *arena = &t->out->arena;
	double level = t->rules.judge.level;
	if (e->odd) {
		conclude(t, line, RG_TRIAGE_DRIFT, e->odd,
			 rg_arena_textf(arena, "%s; the golden is outside", format_run(t, e->odd)));
	} else if (e->unsure) {
		line->more_runs = runs_missing(level, e->unsure->verdict.runs);
		conclude(t, line, RG_TRIAGE_OPEN, e->unsure,
			 rg_arena_textf(arena,
					"%s; the golden is outside, but these are not enough runs",
					format_run(t, e->unsure)));
	} else {
		conclude(t, line, RG_TRIAGE_FLAKE, e->differs, format_run(t, e->differs));
	}
}

static void judge_compared(triage_state *t, rg_triage_line *line, const rg_file_outcome *file)
{
	const rg_comparison *c = &t->result.comparison;
	golden_evidence e = {0};

	for (size_t i = 0; i < file->row_count; i++)
		weigh(&e, t, &c->rows[file->first_row + i]);
	for (size_t i = 0; i < file->gap_count; i++)
		weigh(&e, t, &c->gaps[file->first_gap + i]);
	if (e.out)
		conclude(t, line, RG_TRIAGE_BREAK, e.out, keep(t, e.out->verdict.text));
	else if (file->lost.count)
		conclude(t, line, RG_TRIAGE_INFRASTRUCTURE, NULL,
			 rg_arena_textf(&t->out->arena, "the run lacks %zu of %zu records (%s)",
					file->lost.count, file->lost.of, file->lost.brief));
	else if (e.lost)
		conclude(t, line, RG_TRIAGE_INFRASTRUCTURE, e.lost,
			 e.lost->lost_text ? rg_arena_textf(&t->out->arena, "the run lacks %s",
							    e.lost->lost_text)
					   : "the run lacks the metric");
	else if (e.open) {
		const rg_verdict *v = &e.open->verdict;
		line->more_runs = e.more_runs;
		conclude(t, line, RG_TRIAGE_OPEN, e.open,
			 v->kind == RG_VERDICT_NONE         ? "no noise model"
			 : v->kind == RG_VERDICT_UNMEASURED ? "not in the noise model"
							    : keep(t, v->text));
	} else if (e.differs)
		judge_within(t, line, &e);
	else
		conclude(t, line, RG_TRIAGE_OTHER, NULL,
			 "the values equal the golden's: something else failed");
}

/* ---- the jobs ---- */

static rg_triage_line *append_line(triage_state *t, const rg_manifest_job *job)
{
	rg_triage *out = t->out;
	rg_triage_line *line = RG_ARENA_PUSH(&out->arena, out->lines, out->count, out->capacity);
	*line = (rg_triage_line){.job = job ? keep(t, job->name) : NULL};
	line->name = line->job;
	return line;
}

static bool is_of_job(const triage_state *t, const rg_manifest_golden *golden, uint64_t job)
{
	const rg_manifest_artifact *artifact =
		rg_manifest_find_artifact(t->manifest, golden->artifact_id);
	return (artifact ? artifact->job_id : 0) == job;
}

/* A golden that nothing ties to one job has a line only if it differs. */
static void append_golden(triage_state *t, const rg_manifest_job *job, size_t index)
{
	rg_triage_line *line = append_line(t, job);
	line->golden = keep(t, t->manifest->goldens[index].target);
	t->placed[index] = true;
	const rg_comparison *c = &t->result.comparison;
	size_t i = 0;
	while (i < c->file_count && strcmp(c->files[i].file, line->golden) != 0)
		i++;
	if (i == c->file_count)
		conclude(t, line, RG_TRIAGE_OPEN, NULL, "not compared");
	else if (c->files[i].status == RG_FILE_NEW)
		conclude(t, line, RG_TRIAGE_OPEN, NULL, "no golden to compare with");
	else if (c->files[i].status == RG_FILE_COMPARED)
		judge_compared(t, line, &c->files[i]);
	else
		conclude(t, line, RG_TRIAGE_OPEN, NULL,
			 rg_arena_textf(&t->out->arena, "unreadable: %s", c->files[i].why));
	if (!job && line->word == RG_TRIAGE_OTHER)
		t->out->count--;
}

static bool is_failed(const rg_manifest_job *job)
{
	const rg_job asked = {.conclusion = job->conclusion};
	return rg_job_has_failed(&asked) && job->outcome != RG_OUTCOME_SKIPPED_OTHER_JOB;
}

static bool is_test(const rg_manifest_job *job)
{
	return job->outcome != RG_OUTCOME_SKIPPED_NOT_A_TEST;
}

static void append_job(triage_state *t, const rg_manifest_job *job)
{
	size_t first = t->out->count;

	if (!is_failed(job))
		return;
	if (!is_test(job)) {
		t->out->other_jobs++;
		return;
	}
	t->out->failed_jobs++;
	for (size_t i = 0; i < t->manifest->golden_count; i++)
		if (is_of_job(t, &t->manifest->goldens[i], job->id))
			append_golden(t, job, i);
	if (t->out->count == first) {
		rg_triage_line *line = append_line(t, job);
		line->word = job->outcome == RG_OUTCOME_AMBIGUOUS ? RG_TRIAGE_OPEN
								  : RG_TRIAGE_INFRASTRUCTURE;
		if (job->outcome == RG_OUTCOME_SKIPPED_NO_GOLDENS ||
		    job->outcome == RG_OUTCOME_TAKEN)
			line->why = rg_arena_textf(&t->out->arena, "%s, no golden left",
						   job->conclusion);
		else
			line->why = rg_arena_textf(&t->out->arena, "%s, goldens %s%s%s",
						   job->conclusion, rg_outcome_text(job->outcome),
						   job->why ? ": " : "", job->why ? job->why : "");
	}
	/* If one of its goldens shows why the job failed, those that are equal do not count. */
	size_t kept = first, others = 0;
	for (size_t i = first; i < t->out->count; i++)
		others += t->out->lines[i].word != RG_TRIAGE_OTHER;
	for (size_t i = first; others && i < t->out->count; i++)
		if (t->out->lines[i].word != RG_TRIAGE_OTHER)
			t->out->lines[kept++] = t->out->lines[i];
	t->out->count = others ? kept : t->out->count;
}

RG_ORDER(by_word, rg_triage_line, RG_RISING(word) || RG_BY_TEXT(name) || RG_BY_TEXT(why));

static void append_lines(triage_state *t)
{
	rg_triage *out = t->out;
	const rg_manifest *m = t->manifest;

	t->placed = rg_calloc(m->golden_count + 1, sizeof(*t->placed));
	for (size_t i = 0; i < m->job_count; i++)
		append_job(t, &m->jobs[i]);
	for (size_t i = 0; out->failed_jobs && i < m->golden_count; i++)
		if (!t->placed[i] && is_of_job(t, &m->goldens[i], 0))
			append_golden(t, NULL, i);
	rg_column_context columns = rg_columns_of(t->flow->config);
	RG_AUTO(rg_test_names) names = {0};

	rg_test_names_init(&names);
	for (size_t i = 0; i < out->count; i++)
		if (out->lines[i].golden)
			rg_test_names_add(&names, out->lines[i].golden);
	rg_test_names_make(&names, &columns);
	for (size_t i = 0; i < out->count; i++)
		if (out->lines[i].golden)
			out->lines[i].name =
				keep(t, rg_test_names_find(&names, out->lines[i].golden));
	if (out->count)
		qsort(out->lines, out->count, sizeof(*out->lines), by_word);
	for (size_t i = 0; i < out->count; i++)
		out->counts[out->lines[i].word]++;
}

/* ---- the run ---- */

/* The commit whose goldens the run's tests went by, as far as this clone has it. */
static rg_error *find_base(triage_state *t, char base[static 41])
{
	const rg_triage_options *o = t->options;
	const char *head = t->manifest->head_commit;

	t->out->base_is = o->base ? "the revision that was named" : "the run's commit";
	if (o->base)
		return rg_error_wrap(rg_worktree_resolve(t->flow->worktree, o->base, base),
				     "--base");
	if (head && !o->branch) {
		RG_AUTO_PTR(rg_error) err = rg_worktree_resolve(t->flow->worktree, head, base);
		if (!err)
			return NULL;
	}
	t->out->base_is = "the merge base of the run's commit and the branch";
	rg_error *err = rg_run_base(base, t->flow, &o->source, o->branch);
	return o->branch || !head
		       ? err
		       : rg_error_wrap(err,
				       "this clone does not have the run's commit %.10s (fetch it, "
				       "or name one with --base)",
				       head);
}

/* The number of runs that an audit would need to decide on all open lines. */
static size_t runs_wanted(const triage_state *t, size_t measured)
{
	size_t most = 0;
	for (size_t i = 0; i < t->out->count; i++)
		most = t->out->lines[i].more_runs > most ? t->out->lines[i].more_runs : most;
	return most ? (most + measured > RUNS_USUAL ? most + measured : RUNS_USUAL) : 0;
}

static rg_error *compare(triage_state *t)
{
	const rg_compare_options options = {
		.sides = {.base = t->out->base, .new_paths = {&t->scratch, 1, 1}},
		.noise = t->options->noise,
		.repository = t->options->source.repository_name,
	};
	rg_error *err = rg_compare_prepare(&t->rules, t->flow, &options);
	if (!err)
		err = rg_compare_run(&t->result, t->flow, &options, &t->rules);
	t->out->measured = t->rules.judged;
	if (!err)
		append_lines(t);
	t->out->runs_wanted = runs_wanted(t, t->rules.judged ? t->rules.noise.run_count : 0);
	rg_compare_result_release(&t->result);
	rg_compare_rules_release(&t->rules);
	return err;
}

static bool has_failed(const rg_manifest *manifest)
{
	for (size_t i = 0; i < manifest->job_count; i++)
		if (is_failed(&manifest->jobs[i]) && is_test(&manifest->jobs[i]))
			return true;
	return false;
}

static rg_error *triage(triage_state *t, rg_download_result *result)
{
	const rg_download_options options = {.source = t->options->source,
					     .attempt = t->options->attempt,
					     .all = true,
					     .folder = t->scratch,
					     .if_unfinished = "triage it once it has"};
	char base[41];

	RG_TRY(rg_download(result, t->flow, &options));
	t->manifest = &result->manifest;
	const rg_manifest *m = t->manifest;
	bool of_branch = m->event && !m->fork && strncmp(m->event, "pull_request", 12) != 0 &&
			 strncmp(m->event, "merge_request", 13) != 0;
	const char *file = m->workflow_file ? rg_path_name(m->workflow_file) : NULL;
	t->out->run_id = m->run_id;
	t->out->url = keep(t, m->url);
	t->out->source = keep(t, m->source);
	/* A branch's is "nightly.yml@main". */
	if (file)
		t->out->workflow =
			rg_arena_textf(&t->out->arena, "%.*s", (int)strcspn(file, "@"), file);
	t->out->branch = keep(t, t->options->branch ? t->options->branch
				 : of_branch        ? m->branch
						    : NULL);
	if (!t->manifest->golden_count || !has_failed(t->manifest)) {
		append_lines(t);
		return NULL;
	}
	RG_TRY(find_base(t, base));
	t->out->base = keep(t, base);
	return compare(t);
}

rg_error *rg_triage_run(rg_triage *out, const rg_flow *flow, const rg_triage_options *options)
{
	triage_state t = {.out = out, .flow = flow, .options = options};
	RG_AUTO(rg_download_result) result = {0};
	RG_AUTO_FREE char *scratch = NULL;

	*out = (rg_triage){0};
	rg_arena_init(&out->arena);
	RG_TRY(rg_flow_need_worktree(flow));
	RG_TRY(rg_scratch_make_default(&scratch));
	t.scratch = scratch;
	rg_download_result_init(&result);
	rg_error *err = triage(&t, &result);
	free(t.placed);
	return rg_error_first(err, rg_remove_tree(scratch));
}

void rg_triage_release(rg_triage *triage)
{
	rg_arena_release(&triage->arena);
}

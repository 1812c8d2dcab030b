/* SPDX-License-Identifier: Apache-2.0 */
#include "source/match.h"

#include "base/memory.h"
#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

/* How many candidates an ambiguous artifact names. */
enum { CANDIDATES_SHOWN = 4 };

static void rg_matcher_release(rg_matcher *m)
{
	free(m->artifacts);
	free(m->earlier);
	free(m->jobs);
	rg_arena_release(&m->arena);
}

/* Jobs, executions that they replaced, and artifacts of one key. */
typedef struct {
	const rg_match_keyed *jobs, *earlier, *artifacts;
	size_t job_count, earlier_count, artifact_count;
	const rg_job **replaced; /* those of `earlier` that stand for themselves */
	size_t replaced_count;
} group;

static bool is_inside(int64_t time, int64_t start, int64_t end, bool open)
{
	return time != RG_TIME_NONE && start != RG_TIME_NONE && time >= start &&
	       (end == RG_TIME_NONE ? open : time <= end);
}

/* Was it made in the job's time? One that still runs has no end. */
static bool in_job(const rg_artifact *artifact, const rg_job *job)
{
	return is_inside(artifact->created, job->started, job->completed, !job->conclusion);
}

static bool in_upload(const rg_artifact *artifact, const rg_job *job)
{
	return is_inside(artifact->created, job->upload_started, job->upload_completed, false);
}

/* Does the source itself say whose it is? */
static bool is_said(const rg_artifact *artifact, const rg_job *job)
{
	return artifact->job_id == job->id;
}

static const rg_job *job_at(const rg_matcher *m, const group *g, size_t i)
{
	return &m->run->jobs[g->jobs[i].index];
}

static rg_manifest_job *entry_at(const rg_matcher *m, const group *g, size_t i)
{
	return &m->out->jobs[g->jobs[i].index];
}

/* Which jobs of a group an artifact may come from: those that it fits. */
typedef struct {
	const rg_artifact *artifact;
	bool (*fits)(const rg_artifact *, const rg_job *); /* NULL: all of them */
	size_t first, count;                               /* the first one's place; all of them */
} candidates;

static bool is_candidate(const rg_matcher *m, const group *g, const candidates *c, size_t i)
{
	return !c->fits || c->fits(c->artifact, job_at(m, g, i));
}

/* Groups are as large as a run has jobs of one name: two, in practice. */
static candidates find_candidates(const rg_matcher *m, const group *g, const rg_artifact *artifact,
				  bool (*fits)(const rg_artifact *, const rg_job *))
{
	candidates found = {.artifact = artifact, .fits = fits};
	for (size_t i = 0; i < g->job_count; i++)
		if (is_candidate(m, g, &found, i) && !found.count++)
			found.first = i;
	return found;
}

/* A job that passed is carried over into later attempts as it was, under an id of its own. */
static bool is_carried_over(const rg_matcher *m, const group *g, const rg_job *earlier)
{
	for (size_t i = 0; i < g->job_count; i++)
		if (job_at(m, g, i)->started == earlier->started &&
		    job_at(m, g, i)->completed == earlier->completed)
			return true;
	return false;
}

/* Does a replaced execution fit? */
static bool fits_earlier(const group *g, const rg_artifact *artifact,
			 bool (*fits)(const rg_artifact *, const rg_job *))
{
	for (size_t i = 0; i < g->replaced_count; i++)
		if (fits(artifact, g->replaced[i]))
			return true;
	return false;
}

/* Finds the jobs that it may be of. `sure` where that is one job, or none at all (an earlier
 * attempt's). */
static candidates choose(const rg_matcher *m, const group *g, const rg_artifact *artifact,
			 bool *sure)
{
	*sure = true;
	if (artifact->job_id)
		return find_candidates(m, g, artifact, is_said);
	if (g->job_count == 1 && !g->replaced_count && !m->options->earlier_attempt)
		return find_candidates(m, g, artifact, NULL);
	candidates in_time = find_candidates(m, g, artifact, in_job);
	bool earlier = fits_earlier(g, artifact, in_job);
	if (in_time.count + earlier == 1)
		return in_time;
	candidates uploading = find_candidates(m, g, artifact, in_upload);
	earlier = fits_earlier(g, artifact, in_upload);
	if (uploading.count + earlier == 1)
		return uploading;
	*sure = !in_time.count && m->options->earlier_attempt;
	if (in_time.count || m->options->earlier_attempt)
		return in_time;
	return find_candidates(m, g, artifact, NULL);
}

static const char *format_candidates(const rg_matcher *m, const group *g, const candidates *found)
{
	rg_buf text = rg_buf_of(RG_BUF_ANY);
	size_t shown = 0;

	rg_buf_str(&text, "it may be of any of these jobs:");
	for (size_t i = found->first; i < g->job_count && shown < CANDIDATES_SHOWN; i++)
		if (is_candidate(m, g, found, i))
			rg_buf_printf(&text, "%s %llu (%s)", shown++ ? "," : "",
				      (unsigned long long)job_at(m, g, i)->id,
				      job_at(m, g, i)->name);
	if (found->count == 1)
		rg_buf_str(&text, ", or of an earlier attempt");
	if (found->count > CANDIDATES_SHOWN)
		rg_buf_printf(&text, " and %zu more", found->count - CANDIDATES_SHOWN);
	return rg_buf_keep(&text, &m->out->arena);
}

/* Do all candidates lead to the same folder, so that it does not matter whose it is? */
static bool same_folder(const rg_matcher *m, const group *g, const candidates *found)
{
	const rg_manifest_job *first = entry_at(m, g, found->first);
	for (size_t i = found->first + 1; i < g->job_count; i++) {
		const rg_manifest_job *other = entry_at(m, g, i);
		if (is_candidate(m, g, found, i) &&
		    (strcmp(first->test, other->test) != 0 ||
		     strcmp(first->stage ? first->stage : "", other->stage ? other->stage : "")))
			return false;
	}
	return true;
}

/* More than one candidate. Out of the scope only where all of them are. */
static void settle_ambiguous(rg_matcher *m, const group *g, const candidates *found,
			     rg_manifest_artifact *entry)
{
	rg_outcome outcome = rg_match_scope_of(m, job_at(m, g, found->first));
	for (size_t i = found->first; i < g->job_count; i++)
		if (is_candidate(m, g, found, i) &&
		    rg_match_scope_of(m, job_at(m, g, i)) == RG_OUTCOME_TAKEN)
			outcome = RG_OUTCOME_TAKEN;
	entry->outcome = outcome;
	entry->why = NULL;
	if (outcome != RG_OUTCOME_TAKEN)
		return;
	entry->why = format_candidates(m, g, found);
	if (m->options->take_ambiguous && same_folder(m, g, found)) {
		/* Any will do; the first that has no artifact yet is taken. */
		size_t i = found->first;
		while (i < g->job_count &&
		       !(is_candidate(m, g, found, i) &&
			 entry_at(m, g, i)->outcome == RG_OUTCOME_SKIPPED_NO_GOLDENS))
			i++;
		entry->job_id = job_at(m, g, i < g->job_count ? i : found->first)->id;
	} else {
		entry->outcome = RG_OUTCOME_AMBIGUOUS;
	}
	for (size_t i = found->first; i < g->job_count; i++) {
		rg_manifest_job *job = entry_at(m, g, i);
		if (is_candidate(m, g, found, i) && job->outcome == RG_OUTCOME_SKIPPED_NO_GOLDENS &&
		    (!entry->job_id || entry->job_id == job->id)) {
			job->outcome = entry->outcome;
			job->why = NULL;
		}
	}
}

/* Is one of the two the other's upload once more? */
static bool is_repeated(const rg_artifact *a, const rg_artifact *b)
{
	size_t length = rg_match_name_length(a->name);
	return length == rg_match_name_length(b->name) && !strncmp(a->name, b->name, length);
}

/* Nothing tells which of a folder's artifacts is newer, but for the name of a repeated upload: what
 * is in both has to be the same. */
static bool both_count(const rg_matcher *m, const rg_artifact *a, const rg_artifact *b)
{
	return m->run->assumed && a->created == b->created && !is_repeated(a, b);
}

/* An artifact of that job: it counts, or one that is newer does. */
static void settle_one(rg_matcher *m, const rg_match_keyed *job, const rg_artifact **newest,
		       size_t index)
{
	const rg_job *of = &m->run->jobs[job->index];
	const rg_artifact *artifact = &m->run->artifacts[index];
	rg_manifest_job *job_entry = &m->out->jobs[job->index];
	rg_manifest_artifact *entry = &m->out->artifacts[index], *loser = entry;
	rg_outcome scope = rg_match_scope_of(m, of);

	/* A golden needs all its shards. */
	if (m->rule->merge && scope == RG_OUTCOME_SKIPPED_PASSING)
		scope = rg_match_scope_of_run(m);
	entry->job_id = of->id;
	entry->why = NULL;
	/* By now a [source] has only what counts of a name. */
	if (*newest && m->rule->is_jobs && !both_count(m, artifact, *newest)) {
		if (rg_match_is_newer(m, artifact, *newest))
			loser = &m->out->artifacts[*newest - m->run->artifacts];
		loser->outcome = RG_OUTCOME_SUPERSEDED;
		loser->why = "a newer artifact of the same job counts";
		if (loser == entry)
			return;
	}
	*newest = artifact;
	entry->outcome = scope;
	if (scope == RG_OUTCOME_TAKEN && artifact->expired) {
		entry->outcome = RG_OUTCOME_EXPIRED;
		entry->why = rg_match_format_expired(m, artifact);
	}
	job_entry->outcome = entry->outcome;
	job_entry->why = entry->why;
}

/* It is of an execution that a job here does not show. Did one that began later, and should have
 * left an artifact, leave none? */
static void settle_superseded(rg_matcher *m, const group *g, const rg_artifact *const *newest,
			      size_t index)
{
	const rg_artifact *artifact = &m->run->artifacts[index];
	rg_manifest_artifact *entry = &m->out->artifacts[index];

	if (entry->outcome != RG_OUTCOME_SUPERSEDED || entry->job_id)
		return;
	for (size_t i = 0; i < g->job_count; i++) {
		const rg_job *job = job_at(m, g, i);
		if (newest[i] || rg_match_scope_of(m, job) != RG_OUTCOME_TAKEN ||
		    (job->started != RG_TIME_NONE && artifact->created >= job->started))
			continue;
		entry->outcome = RG_OUTCOME_NOT_REPLACED;
		entry->why = "it is of an earlier attempt, and its job left none when it was run "
			     "again";
	}
}

static void settle_group(rg_matcher *m, group *g)
{
	RG_AUTO_FREE const rg_artifact **newest = rg_calloc(g->job_count + 1, sizeof(*newest));
	RG_AUTO_FREE const rg_job **replaced = rg_calloc(g->earlier_count + 1, sizeof(*replaced));

	g->replaced = replaced;
	for (size_t i = 0; i < g->earlier_count; i++) {
		const rg_job *job = &m->run->earlier[g->earlier[i].index];
		if (!is_carried_over(m, g, job))
			replaced[g->replaced_count++] = job;
	}
	for (size_t i = 0; i < g->artifact_count; i++) {
		size_t index = g->artifacts[i].index;
		const rg_artifact *artifact = &m->run->artifacts[index];
		rg_manifest_artifact *entry = &m->out->artifacts[index];
		bool sure;
		candidates found = choose(m, g, artifact, &sure);

		if (sure && found.count == 1) {
			settle_one(m, &g->jobs[found.first], &newest[found.first], index);
		} else if (sure) {
			entry->outcome = RG_OUTCOME_SUPERSEDED;
			entry->why = artifact->job_id ? "its job was retried"
						      : "it is of another attempt";
		} else if (!rg_match_may_be_run(m->rule)) {
			settle_ambiguous(m, g, &found, entry);
		}
	}
	for (size_t i = 0; i < g->artifact_count; i++)
		settle_superseded(m, g, newest, g->artifacts[i].index);
}

/* Walks both sorted lists side by side. */
static void settle_all(rg_matcher *m)
{
	size_t j = 0, a = 0, e = 0;
	while (j < m->job_count && a < m->artifact_count) {
		const char *key = m->jobs[j].key;
		int order = strcmp(key, m->artifacts[a].key);
		group g = {.jobs = &m->jobs[j], .artifacts = &m->artifacts[a]};

		for (; order <= 0 && j < m->job_count && !strcmp(m->jobs[j].key, key); j++)
			g.job_count++;
		if (order > 0)
			a++;
		if (order)
			continue;
		for (; a < m->artifact_count && !strcmp(m->artifacts[a].key, key); a++)
			g.artifact_count++;
		while (e < m->earlier_count && strcmp(m->earlier[e].key, key) < 0)
			e++;
		g.earlier = &m->earlier[e];
		for (; e < m->earlier_count && !strcmp(m->earlier[e].key, key); e++)
			g.earlier_count++;
		settle_group(m, &g);
	}
}

/* --- all of it --- */

/* Jobs without an artifact still have a scope. Tests that have nothing here are left out. */
static void settle_rest(rg_matcher *m)
{
	rg_manifest *out = m->out;
	size_t kept = 0;

	for (size_t i = 0; i < out->job_count; i++) {
		rg_manifest_job *entry = &out->jobs[i];
		rg_outcome scope = rg_match_scope_of(m, &m->run->jobs[i]);

		if (scope == RG_OUTCOME_SKIPPED_OTHER_JOB ||
		    (entry->outcome == RG_OUTCOME_SKIPPED_NO_GOLDENS &&
		     scope != RG_OUTCOME_TAKEN)) {
			entry->outcome = scope;
			entry->why = NULL;
		}
		if (!m->run->assumed || entry->outcome != RG_OUTCOME_SKIPPED_NO_GOLDENS)
			out->jobs[kept++] = *entry;
	}
	out->job_count = kept;
	/* Goldens that nobody knows the place of are missing. */
	for (size_t i = 0; m->run->assumed && i < out->artifact_count; i++)
		if (rg_match_is_free(&out->artifacts[i]))
			out->artifacts[i].outcome = RG_OUTCOME_FAILED;
}

void rg_match(const rg_run *run, const rg_match_options *options, rg_manifest *out)
{
	RG_AUTO(rg_matcher) m = {.run = run, .options = options, .out = out};

	m.jobs = rg_calloc(run->job_count + 1, sizeof(*m.jobs));
	m.earlier = rg_calloc(run->earlier_count + 1, sizeof(*m.earlier));
	m.artifacts = rg_calloc(run->artifact_count + 1, sizeof(*m.artifacts));
	rg_match_begin(&m);
	for (size_t i = 0; i < options->rules->count; i++) {
		m.rule = &options->rules->items[i];
		m.bit = (uint64_t)1 << i;
		rg_match_fill_jobs(&m);
		rg_match_drop_earlier(&m);
		rg_match_fill_artifacts(&m);
		settle_all(&m);
		rg_match_settle_run(&m);
	}
	settle_rest(&m);
}

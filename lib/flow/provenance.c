/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/provenance.h"

#include "report/summary_view.h"
#include "report/template_data.h"

/* Sections of a policy, at most: an audit writes one for each metric. */
enum { SECTIONS_MAX = 500 };

static void put_run(bool *failed, cJSON *view, const rg_manifest *m)
{
	cJSON *run = rg_build_object(failed, view, "run");
	rg_build_text(failed, run, "source", m->source);
	rg_build_text(failed, run, "host", m->host);
	rg_build_text(failed, run, "repository", m->repository);
	rg_build_textf(failed, run, "id", "%llu", (unsigned long long)m->run_id);
	rg_build_count(failed, run, "attempt", m->attempt);
	rg_build_text(failed, run, "page_url", m->url);
	rg_build_text(failed, run, "workflow", m->workflow);
	rg_build_text(failed, run, "event", m->event);
	rg_build_text(failed, run, "branch", m->branch);
	rg_build_text(failed, run, "commit", m->head_commit);
	rg_build_text(failed, run, "commit_of", m->head_repository);
	rg_build_text(failed, run, "created_at", m->created_at);
	rg_build_text(failed, run, "conclusion", m->conclusion);
}

static void put_paths(bool *failed, cJSON *view, const rg_manifest *m)
{
	cJSON *list = rg_build_list(failed, view, "paths");
	for (size_t i = 0; i < m->paths.count; i++)
		rg_build_text(failed, rg_build_item(failed, list), "path", m->paths.items[i]);
}

static void put_jobs(bool *failed, cJSON *view, const rg_manifest *m)
{
	cJSON *list = rg_build_list(failed, view, "jobs");
	for (size_t i = 0; i < m->job_count; i++) {
		cJSON *item = rg_build_item(failed, list);
		rg_build_text(failed, item, "name", m->jobs[i].name);
		rg_build_text(failed, item, "conclusion", m->jobs[i].conclusion);
		rg_build_text(failed, item, "outcome", rg_outcome_text(m->jobs[i].outcome));
		rg_build_truth(failed, item, "missing", rg_outcome_is_missing(m->jobs[i].outcome));
		rg_build_text(failed, item, "why", m->jobs[i].why);
	}
}

static void put_artifacts(bool *failed, cJSON *view, rg_manifest *m)
{
	cJSON *list = rg_build_list(failed, view, "artifacts");
	for (size_t i = 0; i < m->artifact_count; i++) {
		const rg_manifest_artifact *a = &m->artifacts[i];
		const rg_manifest_job *job = rg_manifest_find_job(m, a->job_id);
		cJSON *item = rg_build_item(failed, list);

		rg_build_text(failed, item, "name", a->name);
		rg_build_text(failed, item, "job", job ? job->name : NULL);
		rg_build_count(failed, item, "size", a->size);
		rg_build_text(failed, item, "digest", a->digest);
		rg_build_text(failed, item, "check", a->check);
		rg_build_text(failed, item, "outcome", rg_outcome_text(a->outcome));
		rg_build_truth(failed, item, "missing", rg_outcome_is_missing(a->outcome));
		rg_build_text(failed, item, "why", a->why);
	}
}

static void put_goldens(bool *failed, cJSON *view, const rg_manifest *m)
{
	cJSON *list = rg_build_list(failed, view, "origins");
	for (size_t i = 0; i < m->golden_count; i++) {
		const rg_manifest_golden *g = &m->goldens[i];
		const rg_manifest_artifact *a = rg_manifest_find_artifact(m, g->artifact_id);
		cJSON *item = rg_build_item(failed, list);

		rg_build_text(failed, item, "file", g->target);
		rg_build_text(failed, item, "sha256", g->sha256);
		rg_build_text(failed, item, "artifact", a ? a->name : NULL);
		rg_build_text(failed, item, "allowed", g->allowed);
	}
}

static void put_policy(bool *failed, cJSON *view, const rg_policy *policy)
{
	cJSON *list = rg_build_list(failed, view, "policy"), *item;
	size_t count = rg_policy_sections(policy);
	size_t shown = count < SECTIONS_MAX ? count : SECTIONS_MAX;
	rg_policy_section section;
	rg_buf keys;

	rg_buf_init(&keys, RG_BUF_TEXT);
	for (size_t i = 0; i < shown; i++) {
		rg_policy_section_at(policy, i, &section, &keys);
		item = rg_build_item(failed, list);
		rg_build_text(failed, item, "files", section.files);
		rg_build_text(failed, item, "pattern", section.pattern);
		rg_build_truth(failed, item, "built_in", section.is_default);
		rg_build_written(failed, item, "keys", &keys);
	}
	rg_build_count(failed, view, "policy_more", count - shown);
	rg_buf_release(&keys);
}

static void put_noise(bool *failed, cJSON *view, const rg_provenance *p)
{
	cJSON *noise = rg_build_object(failed, view, "noise"), *list, *item;
	rg_build_text(failed, noise, "name", p->noise_name);
	rg_build_number(failed, noise, "level", p->noise_level);
	rg_build_count(failed, noise, "series", p->noise->count);
	list = rg_build_list(failed, noise, "runs");
	for (size_t i = 0; i < p->noise->run_count; i++) {
		const rg_audit_run *run = &p->noise->runs[i];
		item = rg_build_item(failed, list);
		rg_build_text(failed, item, "id", run->id);
		rg_build_text(failed, item, "when", run->when);
		rg_build_text(failed, item, "branch", run->branch);
		rg_build_text(failed, item, "commit", run->commit);
	}
}

rg_error *rg_provenance_view(cJSON **out, const rg_provenance *p)
{
	cJSON *view = cJSON_CreateObject();
	bool failed = !view;

	if (p->manifest && p->manifest->run_id)
		put_run(&failed, view, p->manifest);
	if (p->manifest) {
		put_paths(&failed, view, p->manifest);
		put_jobs(&failed, view, p->manifest);
		put_artifacts(&failed, view, p->manifest);
		put_goldens(&failed, view, p->manifest);
	}
	put_policy(&failed, view, p->policy);
	if (p->noise)
		put_noise(&failed, view, p);
	return rg_summary_view_close(out, view);
}

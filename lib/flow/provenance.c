/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/provenance.h"

#include "base/fields.h"
#include "report/summary_view.h"

#include <inttypes.h>
#include <stdio.h>

/* Sections of a policy, at most: an audit writes one for each metric. */
enum { SECTIONS_MAX = 500 };

/* --- the keys --- */

static void put_id(rg_json_out *json, const void *from, const void *context);
static void put_job_missing(rg_json_out *json, const void *from, const void *context);
static void put_artifact_missing(rg_json_out *json, const void *from, const void *context);
static void put_job_name(rg_json_out *json, const void *from, const void *context);
static void put_artifact_name(rg_json_out *json, const void *from, const void *context);

#define OF rg_manifest
static const rg_json_field run_fields[] = {
	RG_KEY_OR_NULL(source, "'github' or 'gitlab'."),
	RG_KEY_OR_NULL(host, "The host."),
	RG_KEY_OR_NULL(repository, "OWNER/NAME, or GitLab's path."),
	RG_PUT("id", TEXT, ALWAYS, NULL, put_id, "Its number."),
	RG_KEY(attempt, "The attempt."),
	RG_KEY_IF("page_url", url, RG_JSON_OR_NULL, "Its page."),
	RG_KEY_OR_NULL(workflow, "The workflow."),
	RG_KEY_OR_NULL(event, "What started it."),
	RG_KEY_OR_NULL(branch, "The branch."),
	RG_KEY_IF("commit", head_commit, RG_JSON_OR_NULL, "The commit it ran on."),
	RG_KEY_IF("commit_of", head_repository, RG_JSON_OR_NULL,
		  "Whose commit that is: OWNER/NAME."),
	RG_KEY_OR_NULL(created_at, "When it was made."),
	RG_KEY_OR_NULL(conclusion, "How it ended."),
	{0}};
#undef OF

static const rg_json_field path_fields[] = {RG_SAID("path", TEXT, "As it was named."), {0}};

#define OF rg_manifest_job
static const rg_json_field job_fields[] = {
	RG_KEY(name, "Its name."),
	RG_KEY_OR_NULL(conclusion, "How it ended."),
	RG_KEY_WORD("outcome", outcome, rg_outcome_texts, "What became of it."),
	RG_PUT("missing", TRUTH, ALWAYS, NULL, put_job_missing,
	       "Something of the run is missing therefore."),
	RG_KEY_OR_NULL(why, "Why."),
	{0}};
#undef OF

#define OF rg_manifest_artifact
static const rg_json_field artifact_fields[] = {
	RG_KEY(name, "Its name."),
	RG_PUT("job", TEXT, OR_NULL, NULL, put_job_name, "The job that made it."),
	RG_KEY(size, "Bytes of the zip."),
	RG_KEY_OR_NULL(digest, "Its digest, as the source has it."),
	RG_KEY_OR_NULL(
		check,
		"How the bytes that were read of it were checked: 'sha256', 'crc32' or 'cache'."),
	RG_KEY_WORD("outcome", outcome, rg_outcome_texts, "What became of it."),
	RG_PUT("missing", TRUTH, ALWAYS, NULL, put_artifact_missing,
	       "Something of the run is missing therefore."),
	RG_KEY_OR_NULL(why, "Why."),
	{0}};
#undef OF

#define OF rg_manifest_golden
static const rg_json_field origin_fields[] = {
	RG_KEY_AS("file", target, "Its path."),
	RG_KEY(sha256, "Of its bytes, as the run has them."),
	RG_PUT("artifact", TEXT, OR_NULL, NULL, put_artifact_name,
	       "The artifact that it came from."),
	RG_KEY_OR_NULL(allowed, "The guards that --allow let it through."),
	{0}};
#undef OF

#define OF rg_policy_section
static const rg_json_field section_fields[] = {
	RG_KEY_OR_NULL(files, "The FILES of [golden \"FILES:PATTERN\"]; null: of all files."),
	RG_KEY(pattern, "The metrics."),
	RG_KEY_AS("built_in", is_default, "Nobody has set it."),
	RG_SAID("keys", TEXT, "Its keys, as .regild has them."),
	{0}};
#undef OF

#define OF rg_audit_run
static const rg_json_field noise_run_fields[] = {
	RG_KEY(id, "Its id."),
	RG_KEY(when, "When it was; '' where that is not known."),
	RG_KEY(branch, "Its branch."),
	RG_KEY(commit, "Its commit."),
	{0}};
#undef OF

#define OF rg_provenance
static const rg_json_field noise_fields[] = {
	RG_KEY_IF("name", noise_name, RG_JSON_OR_NULL, "Its file."),
	RG_KEY_AS("level", noise_level, "How often, at most, noise is called a change."),
	RG_SAID("series", COUNT, "Series that it has."),
	RG_SAID_OF("runs", LIST, ALWAYS, noise_run_fields, "The runs that were measured."),
	{0}};
#undef OF

static const rg_json_field provenance_fields[] = {
	RG_SAID_OF("run", OBJECT, OPTIONAL, run_fields,
		   "Of a refresh from a run, and of a new side that is one: the run, as its source "
		   "has it."),
	RG_SAID_OF("paths", LIST, OPTIONAL, path_fields,
		   "Of a refresh or a run: the folders and archives that goldens of no run were "
		   "found in."),
	RG_SAID_OF("jobs", LIST, OPTIONAL, job_fields, "Of a refresh or a run: the run's jobs."),
	RG_SAID_OF("artifacts", LIST, OPTIONAL, artifact_fields,
		   "Of a refresh or a run: the run's artifacts."),
	RG_SAID_OF("origins", LIST, OPTIONAL, origin_fields,
		   "Of a refresh or a run: the goldens that the run has."),
	RG_SAID_OF("policy", LIST, ALWAYS, section_fields,
		   "The sections of the policy, the one with the last word last."),
	RG_SAID("policy_more", COUNT, "Further sections."),
	RG_SAID_OF("noise", OBJECT, OPTIONAL, noise_fields, "The noise model, where there is one."),
	{0}};
const rg_json_field rg_provenance_fields[] = {
	RG_SAID_OF("provenance", OBJECT, OPTIONAL, provenance_fields,
		   "Where what is reported comes from, and what it was held against."),
	{0}};

/* --- what is worked out --- */

/* As a text: a template has it in a link. */
static void put_id(rg_json_out *json, const void *from, const void *context)
{
	const rg_manifest *m = from;
	char text[24];

	(void)context;
	snprintf(text, sizeof(text), "%" PRIu64, m->run_id);
	rg_json_text(json, text);
}

static void put_job_missing(rg_json_out *json, const void *from, const void *context)
{
	const rg_manifest_job *job = from;
	(void)context;
	rg_json_truth(json, rg_outcome_is_missing(job->outcome));
}

static void put_artifact_missing(rg_json_out *json, const void *from, const void *context)
{
	const rg_manifest_artifact *artifact = from;
	(void)context;
	rg_json_truth(json, rg_outcome_is_missing(artifact->outcome));
}

static void put_job_name(rg_json_out *json, const void *from, const void *context)
{
	const rg_manifest_artifact *artifact = from;
	const rg_provenance *p = context;
	const rg_manifest_job *job = rg_manifest_find_job(p->manifest, artifact->job_id);
	rg_json_text(json, job ? job->name : NULL);
}

static void put_artifact_name(rg_json_out *json, const void *from, const void *context)
{
	const rg_manifest_golden *golden = from;
	const rg_provenance *p = context;
	const rg_manifest_artifact *artifact =
		rg_manifest_find_artifact(p->manifest, golden->artifact_id);
	rg_json_text(json, artifact ? artifact->name : NULL);
}

/* --- writing --- */

static void put_manifest(rg_json_out *json, const rg_provenance *p)
{
	const rg_manifest *m = p->manifest;
	if (m->run_id) {
		rg_json_key_open(json, "run", '{');
		rg_json_put_fields(json, run_fields, m, p);
		rg_json_close(json, '}');
	}
	rg_json_key_open(json, "paths", '[');
	for (size_t i = 0; i < m->paths.count; i++) {
		rg_json_open(json, '{');
		rg_json_key_text(json, "path", m->paths.items[i]);
		rg_json_close(json, '}');
	}
	rg_json_close(json, ']');
	rg_json_key_list(json, "jobs", job_fields, m->jobs, m->job_count, sizeof(*m->jobs), p);
	rg_json_key_list(json, "artifacts", artifact_fields, m->artifacts, m->artifact_count,
			 sizeof(*m->artifacts), p);
	rg_json_key_list(json, "origins", origin_fields, m->goldens, m->golden_count,
			 sizeof(*m->goldens), p);
}

static void put_policy(rg_json_out *json, const rg_policy *policy)
{
	size_t count = rg_policy_sections(policy);
	size_t shown = count < SECTIONS_MAX ? count : SECTIONS_MAX;
	rg_policy_section section;
	rg_buf keys;

	rg_buf_init(&keys, RG_BUF_TEXT);
	rg_json_key_open(json, "policy", '[');
	for (size_t i = 0; i < shown; i++) {
		rg_policy_section_at(policy, i, &section, &keys);
		rg_json_open(json, '{');
		rg_json_put_fields(json, section_fields, &section, NULL);
		rg_json_key_text(json, "keys", keys.data);
		rg_json_close(json, '}');
		json->failed |= keys.is_full;
		rg_buf_clear(&keys);
	}
	rg_json_close(json, ']');
	rg_json_key_count(json, "policy_more", count - shown);
	rg_buf_release(&keys);
}

rg_error *rg_provenance_view(cJSON **out, const rg_provenance *p)
{
	cJSON *view = cJSON_CreateObject();
	rg_json_out json;

	rg_json_tree_init(&json, view);
	if (p->manifest)
		put_manifest(&json, p);
	put_policy(&json, p->policy);
	if (p->noise) {
		rg_json_key_open(&json, "noise", '{');
		rg_json_put_fields(&json, noise_fields, p, NULL);
		rg_json_key_count(&json, "series", p->noise->count);
		rg_json_key_list(&json, "runs", noise_run_fields, p->noise->runs,
				 p->noise->run_count, sizeof(*p->noise->runs), NULL);
		rg_json_close(&json, '}');
	}
	return rg_summary_view_close(out, view);
}

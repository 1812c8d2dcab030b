/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/provenance.h"

#include "base/fields.h"
#include "report/summary_view.h"

#include <inttypes.h>
#include <stdio.h>

/* Sections of a policy, at most: an audit writes one for each metric. */
enum { SECTIONS_MAX = 500 };

/* --- the keys --- */

/* As a text: a template has it in a link. */
static void format_id(rg_buf *out, const void *member)
{
	rg_buf_printf(out, "%" PRIu64, *(const uint64_t *)member);
}

#define OF rg_manifest
static const rg_json_field run_fields[] = {
	RG_KEY_OR_NULL(source, "'github' or 'gitlab'."),
	RG_KEY_OR_NULL(host, "The host."),
	RG_KEY_OR_NULL(repository, "OWNER/NAME, or GitLab's path."),
	RG_KEY_SAY("id", run_id, ALWAYS, format_id, "Its number."),
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

static const rg_json_field path_fields[] = {
	RG_ITSELF("path", TEXT, const char *, ALWAYS, "As it was named."), {0}};

static void write_missing(rg_json_out *json, const void *member, const void *context)
{
	(void)context;
	rg_json_truth(json, rg_outcome_is_missing(*(const rg_outcome *)member));
}

#define OF rg_manifest_job
static const rg_json_field job_fields[] = {
	RG_KEY(name, "Its name."),
	RG_KEY_OR_NULL(conclusion, "How it ended."),
	RG_KEY_WORD("outcome", outcome, rg_outcome_texts, "What became of it."),
	RG_KEY_PUT("missing", TRUTH, ALWAYS, outcome, write_missing,
		   "Something of the run is missing therefore."),
	RG_KEY_OR_NULL(why, "Why."),
	{0}};
#undef OF

static void write_job_name(rg_json_out *json, const void *member, const void *context)
{
	const rg_provenance *p = context;
	const rg_manifest_job *job = rg_manifest_find_job(p->manifest, *(const uint64_t *)member);
	rg_json_text(json, job ? job->name : NULL);
}

static void write_artifact_name(rg_json_out *json, const void *member, const void *context)
{
	const rg_provenance *p = context;
	const rg_manifest_artifact *artifact =
		rg_manifest_find_artifact(p->manifest, *(const uint64_t *)member);
	rg_json_text(json, artifact ? artifact->name : NULL);
}

#define OF rg_manifest_artifact
static const rg_json_field artifact_fields[] = {
	RG_KEY(name, "Its name."),
	RG_KEY_PUT("job", TEXT, OR_NULL, job_id, write_job_name, "The job that made it."),
	RG_KEY(size, "Bytes of the zip."),
	RG_KEY_OR_NULL(digest, "Its digest, as the source has it."),
	RG_KEY_OR_NULL(
		check,
		"How the bytes that were read of it were checked: 'sha256', 'crc32' or 'cache'."),
	RG_KEY_WORD("outcome", outcome, rg_outcome_texts, "What became of it."),
	RG_KEY_PUT("missing", TRUTH, ALWAYS, outcome, write_missing,
		   "Something of the run is missing therefore."),
	RG_KEY_OR_NULL(why, "Why."),
	{0}};
#undef OF

#define OF rg_manifest_golden
static const rg_json_field origin_fields[] = {
	RG_KEY_AS("file", target, "Its path."),
	RG_KEY(sha256, "Of its bytes, as the run has them."),
	RG_KEY_PUT("artifact", TEXT, OR_NULL, artifact_id, write_artifact_name,
		   "The artifact that it came from."),
	RG_KEY_OR_NULL(allowed, "The guards that --allow let it through."),
	{0}};
#undef OF

typedef struct {
	rg_policy_section s;
	const char *keys;
} section_view;

#define OF section_view
static const rg_json_field section_fields[] = {
	RG_KEY_IF("files", s.files, RG_JSON_OR_NULL,
		  "The FILES of [golden \"FILES:PATTERN\"]; null: of all files."),
	RG_KEY_AS("pattern", s.pattern, "The metrics."),
	RG_KEY_AS("built_in", s.is_default, "Nobody has set it."),
	RG_KEY(keys, "Its keys, as .regild has them."),
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

#define OF rg_noise_model
static const rg_json_field model_fields[] = {
	RG_KEY_AS("series", count, "Series that it has."),
	RG_KEY_LIST("runs", runs, run_count, noise_run_fields, "The runs that were measured."),
	{0}};
#undef OF

#define OF rg_provenance
static const rg_json_field noise_fields[] = {
	RG_KEY_IF("name", noise_name, RG_JSON_OR_NULL, "Its file."),
	RG_KEY_AS("level", noise_level, "How often, at most, noise is called a change."),
	RG_SPREAD_TO(noise, model_fields, ALWAYS),
	{0}};
#undef OF

#define OF rg_manifest
static const rg_json_field manifest_fields[] = {
	RG_KEY_LIST("paths", paths.items, paths.count, path_fields,
		    "Of a refresh or a run: the folders and archives that goldens of no run were "
		    "found in."),
	RG_KEY_LIST("jobs", jobs, job_count, job_fields, "Of a refresh or a run: the run's jobs."),
	RG_KEY_LIST("artifacts", artifacts, artifact_count, artifact_fields,
		    "Of a refresh or a run: the run's artifacts."),
	RG_KEY_LIST("origins", goldens, golden_count, origin_fields,
		    "Of a refresh or a run: the goldens that the run has."),
	{0}};
#undef OF

typedef struct {
	const rg_manifest *run, *manifest; /* run: the manifest, if it is of one */
	section_view *sections;
	size_t section_count, sections_more;
	const rg_provenance *noise; /* NULL: there is no noise model */
} provenance_view;

#define OF provenance_view
static const rg_json_field provenance_fields[] = {
	RG_KEY_TO("run", run, run_fields, OPTIONAL, false,
		  "Of a refresh from a run, and of a new side that is one: the run, as its source "
		  "has it."),
	RG_SPREAD_TO(manifest, manifest_fields, OPTIONAL),
	RG_KEY_LIST("policy", sections, section_count, section_fields,
		    "The sections of the policy, the one with the last word last."),
	RG_KEY_AS("policy_more", sections_more, "Further sections."),
	RG_KEY_TO("noise", noise, noise_fields, OPTIONAL, false,
		  "The noise model, where there is one."),
	{0}};
#undef OF
const rg_json_field rg_provenance_fields[] = {
	RG_SAID_OF("provenance", OBJECT, OPTIONAL, provenance_fields,
		   "Where what is reported comes from, and what it was compared with."),
	{0}};

rg_error *rg_provenance_view(cJSON **out, const rg_provenance *p)
{
	RG_AUTO(rg_arena) arena = {0};
	RG_AUTO(rg_buf) keys = rg_buf_of(RG_BUF_ANY);
	const size_t count = rg_policy_sections(p->policy);
	const size_t shown = count < SECTIONS_MAX ? count : SECTIONS_MAX;
	provenance_view view = {
		.run = p->manifest && p->manifest->run_id ? p->manifest : NULL,
		.manifest = p->manifest,
		.sections = rg_arena_alloc(&arena, (shown + 1) * sizeof(*view.sections)),
		.section_count = shown,
		.sections_more = count - shown,
		.noise = p->noise ? p : NULL};
	cJSON *tree = cJSON_CreateObject();
	rg_json_out json;

	for (size_t i = 0; i < shown; i++) {
		rg_policy_section_at(p->policy, i, &view.sections[i].s, &keys);
		view.sections[i].keys = rg_arena_text(&arena, keys.data);
		rg_buf_clear(&keys);
	}
	rg_json_tree_init(&json, tree);
	rg_json_put_fields(&json, provenance_fields, &view, p);
	return rg_summary_view_close(out, tree);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report/coverage.h"

#include "base/fields.h"
#include "base/json.h"
#include "report/template_data.h"

#include <string.h>

/* --- the keys --- */

static const rg_json_field run_fields[] = {
	RG_SAID_OR_NULL("source", TEXT, "'github' or 'gitlab'."),
	RG_SAID_OR_NULL("host", TEXT, "The host."),
	RG_SAID_OR_NULL("repository", TEXT, "OWNER/NAME, or GitLab's path."),
	RG_SAID("id", TEXT, "Its number."),
	RG_SAID("attempt", COUNT, "The attempt."),
	RG_SAID_OR_NULL("page_url", TEXT, "Its page."),
	RG_SAID_OR_NULL("workflow", TEXT, "The workflow."),
	RG_SAID_OR_NULL("event", TEXT, "What started it."),
	RG_SAID_OR_NULL("branch", TEXT, "The branch."),
	RG_SAID_OR_NULL("commit", TEXT, "The commit it ran on."),
	RG_SAID_OR_NULL("commit_of", TEXT, "Whose commit that is: OWNER/NAME."),
	RG_SAID_OR_NULL("created_at", TEXT, "When it was made."),
	RG_SAID_OR_NULL("conclusion", TEXT, "How it ended."),
	{0}};

static const rg_json_field path_fields[] = {RG_SAID("path", TEXT, "As it was named."), {0}};

static const rg_json_field job_fields[] = {
	RG_SAID("name", TEXT, "Its name."),
	RG_SAID_OR_NULL("conclusion", TEXT, "How it ended."),
	RG_SAID("outcome", TEXT, "What became of it."),
	RG_SAID("missing", TRUTH, "Something of the run is missing therefore."),
	RG_SAID_OR_NULL("why", TEXT, "Why."),
	{0}};

static const rg_json_field artifact_fields[] = {
	RG_SAID("name", TEXT, "Its name."),
	RG_SAID_OR_NULL("job", TEXT, "The job that made it."),
	RG_SAID("size", COUNT, "Bytes of the zip."),
	RG_SAID_OR_NULL("digest", TEXT, "Its digest, as the source has it."),
	RG_SAID_OR_NULL(
		"check", TEXT,
		"How the bytes that were read of it were checked: 'sha256', 'crc32' or 'cache'."),
	RG_SAID("outcome", TEXT, "What became of it."),
	RG_SAID("missing", TRUTH, "Something of the run is missing therefore."),
	RG_SAID_OR_NULL("why", TEXT, "Why."),
	{0}};

static const rg_json_field origin_fields[] = {
	RG_SAID("file", TEXT, "Its path."),
	RG_SAID("sha256", TEXT, "Of its bytes, as the run has them."),
	RG_SAID_OR_NULL("artifact", TEXT, "The artifact that it came from."),
	RG_SAID_OR_NULL("allowed", TEXT, "The guards that --allow let it through."),
	{0}};

static const rg_json_field section_fields[] = {
	RG_SAID_OR_NULL("files", TEXT,
			"The FILES of [golden \"FILES:PATTERN\"]; null: of all files."),
	RG_SAID("pattern", TEXT, "The metrics."),
	RG_SAID("built_in", TRUTH, "Nobody has set it."),
	RG_SAID("keys", TEXT, "Its keys, as .regild has them."),
	{0}};

static const rg_json_field noise_run_fields[] = {
	RG_SAID("id", TEXT, "Its id."),
	RG_SAID("when", TEXT, "When it was; '' where that is not known."),
	RG_SAID("branch", TEXT, "Its branch."),
	RG_SAID("commit", TEXT, "Its commit."),
	{0}};

static const rg_json_field noise_fields[] = {
	RG_SAID_OR_NULL("name", TEXT, "Its file."),
	RG_SAID("level", NUMBER, "How often, at most, a verdict may be wrong."),
	RG_SAID("series", COUNT, "Series that it has."),
	RG_SAID_OF("runs", LIST, ALWAYS, noise_run_fields, "The runs that were measured."),
	{0}};

const rg_json_field rg_provenance_fields[] = {
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

rg_error *rg_coverage_goldens(cJSON **out, const rg_refresh *refresh)
{
	cJSON *list = cJSON_CreateArray(), *item;
	bool failed = !list;

	for (size_t i = 0; i < refresh->count && !failed; i++) {
		item = rg_build_item(&failed, list);
		rg_build_text(&failed, item, "name", refresh->items[i].name);
		rg_build_text(&failed, item, "outcome",
			      rg_refresh_names[refresh->items[i].outcome]);
		rg_build_text(&failed, item, "why", refresh->items[i].why);
	}
	*out = failed ? NULL : list;
	if (!failed)
		return NULL;
	cJSON_Delete(list);
	return rg_error_nomem();
}

/* Different outcomes: more than there are. */
enum { OUTCOMES_MAX = 32 };

static const struct {
	const char *list, *one;
} kinds[] = {{"goldens", "golden"}, {"artifacts", "artifact"}, {"jobs", "job"}};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

typedef struct {
	const char *outcome;
	bool missing;
	size_t counts[KINDS];
} row;

typedef struct {
	const cJSON *lists[KINDS];
	row rows[OUTCOMES_MAX];
	size_t count;
	bool failed;
} coverage;

/* What is missing among goldens is an artifact or a job, and counts there. */
static const char *outcome_of(size_t kind, const cJSON *item)
{
	const char *outcome = cJSON_GetStringValue(rg_json_member(item, "outcome"));
	return !kind && outcome && !strcmp(outcome, rg_refresh_names[RG_REFRESH_MISSING]) ? NULL
											  : outcome;
}

static bool is_missing(size_t kind, const cJSON *item)
{
	const char *outcome = outcome_of(kind, item);
	return kind ? cJSON_IsTrue(rg_json_member(item, "missing"))
		    : outcome && !strcmp(outcome, rg_refresh_names[RG_REFRESH_HELD]);
}

static void count_item(coverage *c, size_t kind, const cJSON *item)
{
	const char *outcome = outcome_of(kind, item);
	size_t i = 0;

	if (!outcome)
		return;
	while (i < c->count && strcmp(c->rows[i].outcome, outcome) != 0)
		i++;
	if (i == OUTCOMES_MAX)
		return;
	if (i == c->count)
		c->rows[c->count++] = (row){.outcome = outcome};
	c->rows[i].missing |= is_missing(kind, item);
	c->rows[i].counts[kind]++;
}

static void put_outcomes(coverage *c, cJSON *view, bool missing)
{
	for (size_t i = 0; i < c->count; i++) {
		cJSON *item;
		if (c->rows[i].missing != missing)
			continue;
		item = rg_build_item(&c->failed, view);
		rg_build_text(&c->failed, item, "outcome", c->rows[i].outcome);
		rg_build_truth(&c->failed, item, "missing", missing);
		for (size_t kind = 0; kind < KINDS; kind++)
			rg_build_count(&c->failed, item, kinds[kind].list, c->rows[i].counts[kind]);
	}
}

static void put_covered(coverage *c, cJSON *list, size_t kind, bool missing)
{
	const cJSON *from;
	cJSON_ArrayForEach(from, c->lists[kind])
	{
		const char *name = cJSON_GetStringValue(rg_json_member(from, "name"));
		cJSON *item;

		if (!outcome_of(kind, from) || is_missing(kind, from) != missing)
			continue;
		item = rg_build_item(&c->failed, list);
		rg_build_text(&c->failed, item, "what", kinds[kind].one);
		rg_build_text(&c->failed, item, "name", name);
		rg_build_text(&c->failed, item, "outcome", outcome_of(kind, from));
		rg_build_truth(&c->failed, item, "missing", missing);
		rg_build_text(&c->failed, item, "why",
			      cJSON_GetStringValue(rg_json_member(from, "why")));
	}
}

static void put_all(coverage *c, cJSON *view)
{
	cJSON *object = rg_build_object(&c->failed, view, "coverage");
	cJSON *list = rg_build_list(&c->failed, object, "outcomes");

	put_outcomes(c, list, true);
	put_outcomes(c, list, false);
	list = rg_build_list(&c->failed, object, "covered");
	for (size_t kind = 0; kind < KINDS; kind++)
		put_covered(c, list, kind, true);
	for (size_t kind = 0; kind < KINDS; kind++)
		put_covered(c, list, kind, false);
}

rg_error *rg_coverage_put(cJSON *view, const cJSON *goldens, const cJSON *provenance)
{
	coverage c = {.lists = {goldens}};
	const cJSON *item;

	for (size_t kind = 1; kind < KINDS; kind++)
		c.lists[kind] = rg_json_member(provenance, kinds[kind].list);
	for (size_t kind = 0; kind < KINDS; kind++)
		cJSON_ArrayForEach(item, c.lists[kind]) count_item(&c, kind, item);
	rg_build_remove(view, "coverage");
	if (c.count)
		put_all(&c, view);
	return c.failed ? rg_error_nomem() : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* [source "NAME"] with an artifact: what it may say, which artifacts and members it takes, which of
 * several uploads counts, and how that is explained. */
#include "unit.h"

#include "unit/config_text.h"
#include "unit/run_made.h"

#include "base/memory.h"
#include "source/explain.h"
#include "source/match.h"
#include "source/settings.h"

#include <string.h>

static void refuse(const char *text, const char *message)
{
	rg_config *config = load_config(text);
	rg_rules rules;

	assert_error(rg_rules_load(&rules, config, 2), RG_E_USAGE, message);
	rg_rules_release(&rules);
	rg_config_free(config);
}

#define SHOTS    "[source \"shots\"]\n"
#define ARTIFACT "artifact = shots-{variant}-{attempt}\n"
#define MEMBERS  "members = {path}/{file}\n"
#define TARGET   "target = {variant}/{file}\n"

TEST_GROUP(make, remove_repository);

TEST(what_makes_no_sense_is_refused)
{
	refuse(SHOTS "artifact =\n" MEMBERS TARGET, ".regild: source.shots.artifact: is empty");
	refuse(SHOTS "artifact = {file}\n" MEMBERS TARGET,
	       ".regild: source.shots.artifact: pattern '{file}': {file} is not one of its fields: "
	       "{stage}, {test}, {tag}, {run}, {unique}, {variant}, {job}, {attempt}, {shard}, "
	       "{any}");
	refuse(SHOTS ARTIFACT TARGET,
	       "source.shots.members: is not set; it names the goldens in the artifact");
	refuse(SHOTS ARTIFACT MEMBERS,
	       "source.shots.target: is not set; it is the goldens' path below the root");
	refuse(SHOTS ARTIFACT MEMBERS "target = {stage}/{file}\n",
	       ".regild: source.shots.target: {stage} is in neither artifact, members nor job");
	refuse(SHOTS ARTIFACT MEMBERS TARGET "complete = maybe\n",
	       ".regild: source.shots.complete: is neither yes nor no");
	refuse(SHOTS ARTIFACT "members = *.png!\n" TARGET,
	       ".regild: source.shots.members: pattern '*.png!': there is nothing before or after "
	       "a "
	       "'!'");
}

#define RULES                                                                                 \
	"[source \"shots\"]\n" ARTIFACT                                                       \
	"members = shots/{path}/{file}\ntarget = web/{variant}/{path}/{file}\n"               \
	"rename = *-actual.png -> *.png\ncomplete = yes\n"                                    \
	"[source \"reports\"]\nartifact = report-{test}-{stage}-{unique}\n"                   \
	"job = {any} ({test}, {stage})\nmembers = **/*.txt\ntarget = {stage}/{test}/{file}\n" \
	"[source \"all\"]\nartifact = out*\nmembers = **\ntarget = {path}\n"

TEST(artifacts_and_members)
{
	const rg_member_round round = {0};
	const rg_member_owner nobody = {0};
	rg_config *config = load_config(RULES);
	char long_name[1100];
	const char *const *patterns;
	rg_name_fields fields;
	rg_rules rules;
	rg_arena arena;
	size_t count;

	assert_success(rg_rules_load(&rules, config, 2));
	assert_int_equal(rules.count, 3);
	assert_null(rg_rules_jobs(&rules));
	assert_int_equal(rules.items[0].tie, 0);
	assert_int_equal(rules.items[1].tie, 1u << RG_FIELD_TEST | 1u << RG_FIELD_STAGE);
	assert_int_equal(rg_rules_of(&rules, "shots-linux-2", NULL), 1);
	assert_int_equal(rg_rules_of(&rules, "shots-linux-two", NULL), 0);
	assert_int_equal(rg_rules_of(&rules, "report-a-b-c", NULL), 2);
	assert_int_equal(rg_rules_of(&rules, "outputs", NULL), 4);
	memset(long_name, 'o', sizeof(long_name) - 1);
	memcpy(long_name, "out", 3);
	long_name[sizeof(long_name) - 1] = '\0';
	assert_int_equal(rg_rules_of(&rules, long_name, NULL), 0);
	assert_int_equal(
		rg_rule_member(&rules.items[0], &round, &nobody, "shots/a/b/x.png", &fields),
		RG_MEMBER_COUNTS);
	assert_int_equal(fields.fields[RG_FIELD_PATH].length, 3);
	assert_int_equal(fields.fields[RG_FIELD_FILE].length, 5);
	assert_int_equal(rg_rule_member(&rules.items[0], &round, &nobody, "other/x.png", &fields),
			 RG_MEMBER_NONE);
	/* What a glob names has its name and its whole path. */
	assert_int_equal(rg_rule_member(&rules.items[2], &round, &nobody, "a/x.png", &fields),
			 RG_MEMBER_NAMED);
	assert_int_equal(fields.fields[RG_FIELD_FILE].length, 5);
	assert_int_equal(fields.fields[RG_FIELD_PATH].length, 7);
	assert_true(rg_rules_complete(&rules, "web/linux/a/x.png"));
	assert_false(rg_rules_complete(&rules, "losses/x.txt"));
	rg_arena_init(&arena);
	rg_rules_patterns(&patterns, &count, &rules, 6, &arena);
	assert_int_equal(count, 2);
	assert_string_equal(patterns[0], "**/*.txt");
	assert_string_equal(patterns[1], "**");
	rg_arena_release(&arena);
	rg_rules_release(&rules);
	rg_config_free(config);
}

/* --- which uploads count --- */

typedef struct {
	rg_config *config;
	rg_rules rules;
	rg_run run;
	rg_manifest plan;
	rg_match_options options;
} fixture;

static void start(fixture *f, const char *text)
{
	*f = (fixture){.config = load_config(text)};
	assert_success(rg_rules_load(&f->rules, f->config, 2));
	rg_run_init(&f->run);
	rg_manifest_init(&f->plan);
	f->options.rules = &f->rules;
	f->run.id = 7;
	f->run.status = "completed";
	f->run.head_commit = "abc";
	f->run.source = "github";
}

static void stop(fixture *f)
{
	rg_manifest_release(&f->plan);
	rg_run_release(&f->run);
	rg_rules_release(&f->rules);
	rg_config_free(f->config);
}

static void add_job(fixture *f, uint64_t id, const char *name, const char *conclusion)
{
	run_add_job(&f->run, id, name, conclusion, 0, 100);
}

static rg_artifact *add_artifact(fixture *f, uint64_t id, const char *name, int64_t created)
{
	return run_add_artifact(&f->run, id, name, created);
}

static void is(const fixture *f, size_t i, rg_outcome outcome, uint64_t job)
{
	assert_string_equal(rg_outcome_text(f->plan.artifacts[i].outcome),
			    rg_outcome_text(outcome));
	assert_int_equal(f->plan.artifacts[i].job_id, job);
}

TEST(the_newest_upload_counts)
{
	fixture f;

	start(&f, "[source \"t\"]\nartifact = t-{attempt}-{shard}_{unique}\nmembers = **\ntarget = "
		  "{file}\n"
		  "[source \"o\"]\nartifact = out*\nmembers = **\ntarget = {path}\n");
	add_job(&f, 1, "test", "failure");
	add_artifact(&f, 11, "t-1-1_91", 5);
	add_artifact(&f, 12, "t-2-1_97", 4);
	add_artifact(&f, 13, "t-1-2_92", 5);
	add_artifact(&f, 14, "out", 5);
	add_artifact(&f, 15, "out", 6);
	add_artifact(&f, 16, "output", 1);
	add_artifact(&f, 17, "t-10-1_93", 1)->expired = true;
	rg_match(&f.run, &f.options, &f.plan);
	/* By number, and not by name or time; another shard's is its own. */
	is(&f, 0, RG_OUTCOME_SUPERSEDED, 0);
	is(&f, 1, RG_OUTCOME_SUPERSEDED, 0);
	is(&f, 2, RG_OUTCOME_TAKEN, 0);
	is(&f, 3, RG_OUTCOME_SUPERSEDED, 0);
	assert_string_equal(f.plan.artifacts[3].why, "a newer artifact of its name counts");
	is(&f, 4, RG_OUTCOME_TAKEN, 0);
	is(&f, 5, RG_OUTCOME_TAKEN, 0);
	is(&f, 6, RG_OUTCOME_EXPIRED, 0);
	assert_string_equal(f.plan.artifacts[6].why,
			    "on a day that is not known; re-run the job to make it again");
	stop(&f);
}

TEST(ties_and_what_is_the_runs)
{
	fixture f;

	start(&f, RULES);
	f.options.only_failing = true;
	add_job(&f, 1, "x (a, s)", "success");
	add_job(&f, 2, "x (b, s)", "failure");
	add_artifact(&f, 11, "report-a-s-1", 5);
	add_artifact(&f, 12, "report-b-s-1", 5);
	add_artifact(&f, 13, "shots-linux-1", 5);
	add_artifact(&f, 14, "coverage", 5);
	rg_match(&f.run, &f.options, &f.plan);
	is(&f, 0, RG_OUTCOME_SKIPPED_PASSING, 1);
	is(&f, 1, RG_OUTCOME_TAKEN, 2);
	/* No job says whether it passed: some job failed. */
	is(&f, 2, RG_OUTCOME_TAKEN, 0);
	is(&f, 3, RG_OUTCOME_SKIPPED_NOT_A_TEST, 0);
	stop(&f);
	start(&f, RULES);
	f.options.only_failing = true;
	add_job(&f, 1, "x (a, s)", "success");
	add_artifact(&f, 13, "shots-linux-1", 5);
	rg_match(&f.run, &f.options, &f.plan);
	is(&f, 0, RG_OUTCOME_SKIPPED_PASSING, 0);
	stop(&f);
}

/* --- what is told of them --- */

static rg_error *take(rg_source *source, const rg_artifact *artifact,
		      const rg_take_request *request, rg_selection *selection, const char **check)
{
	static const char *const names[] = {"shots/a/x-actual.png", "shots/../x.png", "log.txt"};
	rg_selected golden = {0};
	size_t i;

	(void)source;
	(void)selection;
	*check = NULL;
	assert_string_equal(request->patterns[0], "**");
	if (artifact->id == 12)
		return rg_error_new(RG_E_GONE, "it broke");
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		golden.path = names[i];
		RG_TRY(request->take(request->context, &golden));
	}
	return NULL;
}

static void add_line(void *context, const char *line)
{
	rg_buf *text = context;

	rg_buf_str(text, line);
	rg_buf_char(text, '\n');
}

TEST(rules_are_explained)
{
	rg_source source = {.take = take};
	rg_fetch_options options = {.source = &source, .root = "goldens"};
	rg_log log = {0};
	rg_buf text;
	fixture f;

	start(&f, RULES);
	add_job(&f, 1, "x (a, s)", "failure");
	add_job(&f, 2, "lint", "success");
	add_artifact(&f, 11, "shots-linux-1", 5);
	add_artifact(&f, 12, "report-a-s-1", 5);
	add_artifact(&f, 13, "coverage", 5);
	rg_match(&f.run, &f.options, &f.plan);
	options.rules = &f.rules;
	options.log = &log;
	rg_buf_init(&text, RG_BUF_TEXT);
	assert_success(rg_explain(&f.run, &options, scratch, &f.plan, add_line, &text));
	assert_success(rg_buf_check(&text, "lines"));
	assert_string_equal(text.data,
			    "job 'x (a, s)': test 'a', stage 's': taken\n"
			    "job 'lint': left: its name does not fit the job of a [source]\n"
			    "artifact 'shots-linux-1': shots, of no one job\n"
			    "  shots/a/x-actual.png: shots -> goldens/web/linux/a/x.png\n"
			    "  shots/../x.png: shots, but unsafe name "
			    "'shots/x/web/linux/../x.png': it has a '..' "
			    "part\n"
			    "  log.txt: left: it fits no members\n"
			    "artifact 'report-a-s-1': reports, of job 'x (a, s)'\n"
			    "  it broke\n"
			    "artifact 'coverage': left: skipped: not a test: no [source] has an "
			    "artifact of its "
			    "name\n");
	rg_buf_release(&text);
	stop(&f);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/order.h"
#include "source/local_parts.h"

#include "base/memory.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "source/match_keys.h"
#include "source/plain_url.h"
#include "source/run_guess.h"

#include <stdlib.h>
#include <string.h>

/*
 * The goldens that were found have no jobs. A job stands for each test that it can be of: those
 * that the repository has goldens of, or, where a golden's place takes no {stage}, or the
 * artifact's name has it, those that the names tell.
 */

typedef struct {
	const char *stage, *test; /* stage may be NULL */
} pair;

typedef struct {
	rg_local *local;
	const rg_rule *jobs; /* [jobs], or NULL */
	rg_run *run;
	pair *pairs; /* sorted before jobs are made of them */
	size_t count, capacity;
} fill_state;

static void fill_state_release(fill_state *f)
{
	free(f->pairs);
}

static void append_pair(fill_state *f, const char *stage, const char *test)
{
	*RG_PUSH(f->pairs, f->count, f->capacity) = (pair){stage, test};
}

/* The same with texts that are copied. */
static void append_fields(fill_state *f, const rg_name_fields *fields)
{
	rg_arena *arena = &f->run->arena;
	append_pair(f, rg_field_copy(arena, &fields->fields[RG_FIELD_STAGE]),
		    rg_arena_copy(arena, fields->fields[RG_FIELD_TEST].start,
				  fields->fields[RG_FIELD_TEST].length));
}

RG_ORDER(compare_pairs, pair,
	 RG_THEN(strcmp(x->stage ? x->stage : "", y->stage ? y->stage : "")) || RG_BY_TEXT(test));

/* Is a test of that name among the first pairs? */
static bool has_test(const fill_state *f, size_t count, const rg_field_value *test)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(f->pairs[i].test, test->start, test->length) &&
		    !f->pairs[i].test[test->length])
			return true;
	return false;
}

/* Adds the tests whose folders have such files, unless they are known. */
static rg_error *append_known(fill_state *f, const char *files)
{
	const rg_local_options *o = &f->local->options;
	const rg_change_query query = {.base = RG_EMPTY_TREE,
				       .no_renames = true,
				       .root = o->root,
				       .files = files,
				       .as_in_index = true,
				       .unsure = true};
	RG_AUTO(rg_change_list) list = {0};
	size_t known = f->count;

	if (!o->worktree || !*files)
		return NULL;
	RG_TRY(rg_worktree_changes(o->worktree, &query, &list));
	for (size_t i = 0; i < list.count; i++) {
		const char *path = list.items[i].path + (*o->root ? strlen(o->root) + 1 : 0);
		rg_name_fields fields;
		const rg_field_value *test = &fields.fields[RG_FIELD_TEST];

		if (rg_name_match(f->jobs->target, path, NULL, &fields) && test->start &&
		    !has_test(f, known, test))
			append_fields(f, &fields);
	}
	return NULL;
}

/* --- which test an artifact is of --- */

/* GitLab calls each job's zip "artifacts.zip": the folder in it tells the test. */
static bool is_told_by_folder(const fill_state *f, const rg_local_artifact *artifact)
{
	return artifact->member_folder && !artifact->named && !artifact->test &&
	       !rg_rules_of(&f->local->options.settings->rules, artifact->name, NULL);
}

/* The longest name of a test that the folder begins with; the folder's own where there is none. */
static const char *test_of_folder(const fill_state *f, const char *folder)
{
	const char *best = NULL;
	for (size_t i = 0; i < f->count; i++) {
		const rg_member_owner owner = {f->pairs[i].test, NULL};
		if ((!best || strlen(owner.test) > strlen(best)) &&
		    rg_member_is_own_folder(&owner, folder, strlen(folder)))
			best = owner.test;
	}
	return best ? best : folder;
}

/* Does a golden's place take a {stage} that artifacts' names do not have? */
static bool needs_stage(const fill_state *f)
{
	return f->jobs && rg_name_pattern_has(f->jobs->target, RG_FIELD_STAGE) &&
	       !rg_name_pattern_has(f->jobs->artifact, RG_FIELD_STAGE);
}

/* Adds what the names of artifacts tell. That of a repeated upload tells it with and without
 * "-retry". */
static void append_named(fill_state *f)
{
	const rg_local *local = f->local;
	const rg_name_pattern *pattern = f->jobs->artifact;
	RG_AUTO_FREE const char **names = rg_calloc(local->count + 1, sizeof(*names));
	RG_AUTO_FREE rg_field_value *runs = rg_calloc(local->count + 1, sizeof(*runs));
	size_t count = 0;

	for (size_t i = 0; i < local->count; i++) {
		const rg_local_artifact *artifact = &local->artifacts[i];
		if (artifact->empty || artifact->test || artifact->placed ||
		    strlen(artifact->name) >= 1000)
			continue;
		names[count++] = rg_arena_copy(&f->run->arena, artifact->name,
					       rg_match_name_length(artifact->name));
	}
	rg_guess_runs(runs, names, count, pattern);
	for (size_t i = 0; i < count; i++) {
		rg_name_fields fixed = {0}, fields;
		fixed.fields[RG_FIELD_RUN] = runs[i];
		if (rg_name_match(pattern, names[i], &fixed, &fields))
			append_fields(f, &fields);
	}
}

static rg_error *append_pairs(fill_state *f)
{
	const rg_local *local = f->local;
	bool known = false;
	size_t kept = 0;

	for (size_t i = 0; i < local->count; i++) {
		const rg_local_artifact *artifact = &local->artifacts[i];
		if (artifact->test)
			append_pair(f, rg_text_copy(&f->run->arena, artifact->stage),
				    rg_arena_text(&f->run->arena, artifact->test));
		else if (artifact->kind != RG_LOCAL_BROKEN && !artifact->placed)
			known |= needs_stage(f) || is_told_by_folder(f, artifact);
	}
	if (known && f->jobs) {
		RG_TRY(append_known(f, local->options.files));
		RG_TRY(append_known(f, local->options.settings_files));
	}
	if (f->jobs && !needs_stage(f))
		append_named(f);
	if (f->count)
		qsort(f->pairs, f->count, sizeof(*f->pairs), compare_pairs);
	for (size_t i = 0; i < f->count; i++)
		if (!kept || compare_pairs(&f->pairs[kept - 1], &f->pairs[i]) != 0)
			f->pairs[kept++] = f->pairs[i];
	f->count = kept;
	return NULL;
}

/* --- the run --- */

/* The staged job of that test; NULL where the manifest has none. */
static const rg_manifest_job *staged_job(const rg_local *local, const pair *of)
{
	for (size_t i = 0; i < local->staged.job_count; i++) {
		const rg_manifest_job *job = &local->staged.jobs[i];
		if (job->test && !strcmp(job->test, of->test) && job->stage && of->stage &&
		    !strcmp(job->stage, of->stage))
			return job;
	}
	return NULL;
}

static void append_jobs(fill_state *f)
{
	rg_run *run = f->run;
	rg_grow(&run->jobs, &run->job_capacity, f->count, sizeof(*run->jobs));
	for (size_t i = 0; i < f->count; i++) {
		const pair *of = &f->pairs[i];
		const rg_manifest_job *staged = staged_job(f->local, of);
		rg_job *job = &run->jobs[run->job_count++];

		*job = (rg_job){.id = i + 1,
				.status = "completed",
				.started = RG_TIME_NONE,
				.completed = RG_TIME_NONE,
				.upload_started = RG_TIME_NONE,
				.upload_completed = RG_TIME_NONE,
				.stage = of->stage,
				.test = of->test};
		job->name = staged ? rg_arena_text(&run->arena, staged->name)
				   : rg_arena_textf(&run->arena, "%s%s%s",
						    of->stage ? of->stage : "",
						    of->stage ? "/" : "", of->test);
		job->conclusion = rg_text_copy(&run->arena, staged ? staged->conclusion : NULL);
	}
}

static void append_artifacts(fill_state *f)
{
	rg_local *local = f->local;
	rg_run *run = f->run;
	/* Is there nobody who could tell? */
	const bool unknown = needs_stage(f) && !local->options.worktree &&
			     !local->options.jobs_known;

	rg_grow(&run->artifacts, &run->artifact_capacity, local->count, sizeof(*run->artifacts));
	for (size_t i = 0; i < local->count; i++) {
		rg_local_artifact *from = &local->artifacts[i];
		const pair of = {from->stage, from->test};
		rg_artifact *made = &run->artifacts[run->artifact_count++];
		const pair *found = from->test ? bsearch(&of, f->pairs, f->count, sizeof(*f->pairs),
							 compare_pairs)
					       : NULL;

		from->id = i + 1;
		*made = (rg_artifact){.id = from->id,
				      .job_id = found ? (uint64_t)(found - f->pairs) + 1 : 0,
				      .size = from->size,
				      .created = RG_TIME_NONE,
				      .empty = from->empty,
				      .placed = from->placed};
		made->name = rg_arena_text(&run->arena, from->name);
		if (!from->fault && !from->test && !from->placed && unknown)
			from->fault =
				"its stage is not known: there is no repository here to tell; "
				"run regild in the project's";
		if (from->fault && !from->empty)
			made->fault = rg_arena_text(&run->arena, from->fault);
		made->digest = rg_text_copy(&run->arena, from->digest);
		if (is_told_by_folder(f, from))
			made->test =
				rg_arena_text(&run->arena, test_of_folder(f, from->member_folder));
	}
}

/* A staging folder's run is the one that was downloaded. */
static void copy_staged(const rg_manifest *m, rg_run *run)
{
	const char *source = run->source;

	run->id = m->run_id;
	run->attempt = run->latest_attempt = m->attempt;
	run->fork = m->fork;
#define COPY(text) run->text = rg_text_copy(&run->arena, m->text);
	RG_RUN_TEXTS(COPY)
#undef COPY
	if (!run->source)
		run->source = source;
}

rg_error *rg_local_fill_run(rg_local *local, rg_run *run)
{
	RG_AUTO(fill_state)
	f = {.local = local, .jobs = rg_rules_jobs(&local->options.settings->rules), .run = run};

	run->source = local->has_folder ? "folder" : "archive";
	run->id = local->options.run_id;
	run->attempt = run->latest_attempt = local->options.attempt;
	if (local->is_staged)
		copy_staged(&local->staged, run);
	run->status = "completed";
	run->assumed = true;
	for (size_t i = 0; i < local->options.path_count; i++) {
		/* The text is for people and JSON; the query of an address may have a signature. */
		const char *path = local->options.paths[i];
		rg_buf text = rg_buf_of(RG_BUF_ANY);
		rg_utf8_add_safe(&text, path,
				 rg_is_plain_url(path) ? strcspn(path, "?#") : strlen(path));
		*RG_PUSH(run->paths, run->path_count, run->path_capacity) =
			rg_buf_keep(&text, &run->arena);
	}
	RG_TRY(append_pairs(&f));
	append_jobs(&f);
	append_artifacts(&f);
	return NULL;
}

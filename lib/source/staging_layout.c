/* SPDX-License-Identifier: Apache-2.0 */
#include "source/staging_layout.h"

#include "base/file.h"
#include "base/path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A golden that wants its place. */
typedef struct {
	const rg_taken_file *file;
	size_t artifact; /* in the manifest */
	rg_manifest_golden golden;
	bool conflict, dropped; /* dropped: the same bytes come from another artifact already */
} claim;

typedef struct {
	rg_manifest *manifest;
	const rg_fetch_options *options;
	const char *folder;
	claim *claims;
	size_t count, capacity;
} layout;

/* Where a job's name has no {stage}, staged goldens are still in STAGE/TEST. */
static const char no_stage[] = "jobs";
/* Goldens out of logs are in a folder of their own: an artifact of the job may have such a file. */
static const char log_folder[] = "log/";

static rg_field_value field_of(const char *text)
{
	return (rg_field_value){text, strlen(text)};
}

static void set_field(rg_name_fields *fields, rg_field field, const char *text)
{
	if (text)
		fields->fields[field] = field_of(text);
}

static void override(rg_name_fields *fields, const rg_name_fields *by)
{
	size_t i;

	for (i = 0; i < RG_FIELD_COUNT; i++)
		if (by->fields[i].start)
			fields->fields[i] = by->fields[i];
}

/* What a job's name says by the artifact's rule, else its test and stage. */
static void add_job_fields(const rg_rule *rule, const rg_manifest_job *job, rg_name_fields *fields)
{
	rg_name_fields of_job;

	if (rule->job && rg_name_match(rule->job, job->name, NULL, &of_job))
		override(fields, &of_job);
	set_field(fields, RG_FIELD_TEST, job->test);
	set_field(fields, RG_FIELD_STAGE, job->stage);
	rg_fields_name_test(fields, job->name);
}

static rg_error *add_number(layout *l, rg_name_fields *fields, rg_field field, uint64_t number)
{
	char digits[24];
	const char *text;

	if (!number || fields->fields[field].start)
		return NULL;
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
	RG_TRY(rg_arena_text(&l->manifest->arena, digits, &text));
	fields->fields[field] = field_of(text);
	return NULL;
}

/* All that names and the run say of a file; a log's by its own rule. `job` NULL: it is the run's.
 */
static rg_error *find_fields(layout *l, const rg_manifest_artifact *entry,
			     const rg_manifest_job *job, const rg_taken_file *file,
			     rg_name_fields *fields)
{
	const rg_rule *jobs = rg_rules_jobs(l->options->rules);
	rg_name_fields fixed = {0};

	*fields = (rg_name_fields){0};
	if (entry->log) {
		if (job && !rg_log_rule_fits(&l->options->logs->items[entry->log - 1],
					     jobs ? jobs->job : NULL, job->name, fields))
			set_field(fields, RG_FIELD_TEST, job->test);
		return NULL;
	}
	RG_TRY(add_number(l, &fixed, RG_FIELD_RUN, l->manifest->run_id));
	rg_rule_fits(file->rule, entry->name, &fixed, fields);
	RG_TRY(add_number(l, fields, RG_FIELD_RUN, l->manifest->run_id));
	RG_TRY(add_number(l, fields, RG_FIELD_ATTEMPT, l->manifest->attempt));
	if (job)
		add_job_fields(file->rule, job, fields);
	override(fields, &file->fields);
	return NULL;
}

static rg_error *copy_field(layout *l, const rg_field_value *field, const char **out)
{
	*out = rg_arena_copy(&l->manifest->arena, field->start, field->length);
	return *out ? NULL : rg_error_nomem();
}

/* The target of a path below the root; RG_E_UNSAFE for one that cannot be. */
static rg_error *find_target(layout *l, const char *below, const char **out)
{
	rg_error *err;
	char *target;

	RG_TRY(rg_path_join(&target, l->options->root, below));
	err = rg_path_check(target);
	if (!err && rg_path_has_git(target))
		err = rg_error_new(RG_E_UNSAFE, "unsafe target '%s': it has a '.git' part", target);
	if (!err)
		err = rg_arena_text(&l->manifest->arena, target, out);
	free(target);
	return err;
}

/* Can it be staged? Else RG_E_UNSAFE. */
static rg_error *check_staged(const layout *l, const rg_manifest_golden *golden)
{
	rg_error *err;
	char *staged;

	RG_TRY(rg_textf(&staged, "%s/%s/%s", golden->stage, golden->test, golden->file));
	err = rg_path_check(staged);
	/* One that the system does not take would end it for all others, too. */
	if (!err && strlen(l->folder) + strlen("/files/") + strlen(staged) >= PATH_MAX)
		err = rg_error_new(RG_E_UNSAFE,
				   "unsafe path '%.60s...': it is too long to be staged", staged);
	free(staged);
	return err;
}

/* Where it goes in the staging folder: STAGE/TEST/FILE. What a [source] names is there under its
 * whole target, which no other golden has. */
static rg_error *name_staged(layout *l, const rg_manifest_artifact *entry,
			     const rg_taken_file *file, const char *below, const char *section,
			     rg_name_fields *fields, rg_manifest_golden *golden)
{
	rg_field_value *stage = &fields->fields[RG_FIELD_STAGE];
	rg_field_value *test = &fields->fields[RG_FIELD_TEST];
	const char *name = rg_path_name(below);
	bool own = !entry->log && !(file->rule && file->rule->is_jobs);
	rg_error *err;
	char *text;

	if (!stage->start)
		*stage = field_of(section);
	/* Without a name of its own a golden's is the test's. */
	if (!test->start)
		*test = (rg_field_value){name,
					 strcspn(name, ".") ? strcspn(name, ".") : strlen(name)};
	RG_TRY(copy_field(l, stage, &golden->stage));
	RG_TRY(copy_field(l, test, &golden->test));
	RG_TRY(rg_textf(&text, "%s%s", entry->log ? log_folder : "", own ? below : file->path));
	err = rg_arena_text(&l->manifest->arena, text, &golden->file);
	free(text);
	return err;
}

/* A golden that is called as its target is below the root. */
static rg_error *place_as_it_is(layout *l, const rg_manifest_artifact *entry,
				const rg_taken_file *file, rg_manifest_golden *golden)
{
	rg_name_fields fields = {0};
	const char *section =
		rg_section_of_target(l->options->rules, l->options->logs, file->path, &fields);

	if (!section)
		section = "files";
	RG_TRY(name_staged(l, entry, file, file->path, section, &fields, golden));
	RG_TRY(check_staged(l, golden));
	return find_target(l, file->path, &golden->target);
}

/* The golden's place and its target; RG_E_UNSAFE for one that cannot be. */
static rg_error *place(layout *l, const rg_manifest_artifact *entry, const rg_manifest_job *job,
		       const rg_taken_file *file, rg_manifest_golden *golden)
{
	const rg_rule *jobs = rg_rules_jobs(l->options->rules);
	const rg_log_rule *log = entry->log ? &l->options->logs->items[entry->log - 1] : NULL;
	const rg_name_pattern *target;
	rg_name_fields fields;
	rg_error *err;
	char *below;

	golden->size = file->size;
	golden->written = file->written;
	memcpy(golden->sha256, file->sha256, sizeof(golden->sha256));
	if (!log && !file->rule)
		return place_as_it_is(l, entry, file, golden);
	target = log ? log->target : file->rule->target;
	if (!target)
		target = jobs->target; /* a log's; else it has one */
	RG_TRY(find_fields(l, entry, job, file, &fields));
	if (!fields.fields[RG_FIELD_STAGE].start && (log || file->rule->is_jobs))
		fields.fields[RG_FIELD_STAGE] = field_of(no_stage);
	fields.fields[RG_FIELD_FILE] = field_of(file->path);
	RG_TRY(rg_name_expand(&below, target, &fields));
	err = name_staged(l, entry, file, below, log ? log->name : file->rule->name, &fields,
			  golden);
	if (!err)
		err = check_staged(l, golden);
	if (!err)
		err = find_target(l, below, &golden->target);
	free(below);
	return err;
}

static rg_error *add_claim(layout *l, size_t artifact, const rg_taken_file *file)
{
	rg_manifest_artifact *entry = &l->manifest->artifacts[artifact];
	const rg_manifest_job *job = rg_manifest_find_job(l->manifest, entry->job_id);
	claim made = {.file = file, .artifact = artifact};
	rg_error *err, *worse;

	if (!job && entry->job_id)
		return rg_error_new(RG_E_NOTFOUND, "artifact '%s': its job is not there",
				    entry->name);
	err = place(l, entry, job, file, &made.golden);
	if (err && rg_error_get_code(err) == RG_E_UNSAFE) {
		entry->outcome = RG_OUTCOME_FAILED;
		worse = rg_why_add(&l->manifest->arena, &entry->why, rg_error_message(err));
		rg_error_free(err);
		return worse;
	}
	RG_TRY(err);
	made.golden.artifact_id = entry->id;
	made.golden.digest = entry->digest;
	RG_TRY(rg_grow(&l->claims, &l->capacity, l->count + 1, sizeof(*l->claims)));
	l->claims[l->count++] = made;
	return NULL;
}

static int compare_claims(const void *a, const void *b)
{
	const claim *x = a, *y = b;
	int order = rg_path_compare(x->golden.target, y->golden.target);

	return order ? order : (x->artifact > y->artifact) - (x->artifact < y->artifact);
}

/* Why `one` does not go in beside `other`. */
static rg_error *say_conflict(const layout *l, const claim *one, const claim *other, char **out)
{
	const rg_manifest_artifact *rival = &l->manifest->artifacts[other->artifact];
	const char *target = one->golden.target;

	if (strcmp(target, other->golden.target) != 0)
		return rg_textf(out, "%s cannot be beside %s of artifact %llu '%s'", target,
				other->golden.target, (unsigned long long)rival->id, rival->name);
	if (one->artifact == other->artifact)
		return rg_textf(out, "two files in it that differ would be %s", target);
	return rg_textf(out, "%s also comes from artifact %llu '%s' with other bytes", target,
			(unsigned long long)rival->id, rival->name);
}

static rg_error *conflict(layout *l, claim *a, claim *b)
{
	claim *pair[2] = {a, b};
	size_t i;

	for (i = 0; i < 2; i++) {
		claim *one = pair[i], *other = pair[1 - i];
		rg_manifest_artifact *entry = &l->manifest->artifacts[one->artifact];
		rg_error *err;
		char *text;

		if (one->conflict)
			continue;
		one->conflict = true;
		entry->outcome = RG_OUTCOME_CONFLICT;
		if (i && a->artifact == b->artifact)
			continue; /* it has said so */
		RG_TRY(say_conflict(l, one, other, &text));
		err = rg_why_add(&l->manifest->arena, &entry->why, text);
		free(text);
		RG_TRY(err);
	}
	return NULL;
}

/* Claims are sorted by target, so that rivals are neighbours, and a path right before what
 * would lie below it. */
static rg_error *settle_claims(layout *l)
{
	claim *first = NULL;
	size_t i;

	for (i = 0; i < l->count; i++) {
		claim *now = &l->claims[i];

		if (first && !strcmp(first->golden.target, now->golden.target)) {
			if (strcmp(first->golden.sha256, now->golden.sha256) != 0)
				RG_TRY(conflict(l, first, now));
			else if (first->conflict)
				RG_TRY(conflict(l, now, first));
			else
				now->dropped = true;
			continue;
		}
		if (first && rg_path_is_below(first->golden.target, now->golden.target))
			RG_TRY(conflict(l, first, now));
		else
			first = now;
	}
	return NULL;
}

/* Says of artifacts of which something is missing what came anyway. */
static rg_error *say_what_came(layout *l, const size_t *indices, size_t count)
{
	size_t *came = calloc(l->manifest->artifact_count + 1, sizeof(*came)), i;
	rg_error *err = came ? NULL : rg_error_nomem();

	for (i = 0; !err && i < l->count; i++)
		came[l->claims[i].artifact] += !l->claims[i].conflict;
	for (i = 0; !err && i < count; i++) {
		rg_manifest_artifact *entry = &l->manifest->artifacts[indices[i]];
		size_t n = came[indices[i]];
		char text[64];

		if (!n || !rg_outcome_is_missing(entry->outcome))
			continue;
		snprintf(text, sizeof(text), "%zu other golden%s of it %s taken", n,
			 n == 1 ? "" : "s", n == 1 ? "is" : "are");
		err = rg_why_add(&l->manifest->arena, &entry->why, text);
	}
	free(came);
	return err;
}

/* Does the working tree have these very bytes? What cannot be read is not the same. */
static rg_error *is_unchanged(const layout *l, const claim *c, bool *out)
{
	struct stat st;
	rg_error *err;
	rg_buf here, fresh;
	char *path;

	*out = false;
	if (!l->options->worktree)
		return NULL;
	RG_TRY(rg_path_join(&path, l->options->worktree, c->golden.target));
	rg_buf_init(&here, (size_t)c->golden.size + 1);
	rg_buf_init(&fresh, (size_t)c->golden.size + 1);
	if (!lstat(path, &st) && S_ISREG(st.st_mode) && (uint64_t)st.st_size == c->golden.size) {
		err = rg_error_first(rg_file_read(&here, path),
				     rg_file_read(&fresh, c->file->part));
		*out = !err && here.length == fresh.length &&
		       !memcmp(here.data, fresh.data, fresh.length);
		rg_error_free(err);
	}
	rg_buf_release(&fresh);
	rg_buf_release(&here);
	free(path);
	return NULL;
}

static rg_error *move_file(const layout *l, const claim *c)
{
	char *path;
	rg_error *err;

	RG_TRY(rg_textf(&path, "%s/files/%s/%s/%s", l->folder, c->golden.stage, c->golden.test,
			c->golden.file));
	err = rg_make_parent_dirs(path, 0777);
	if (!err && rename(c->file->part, path))
		err = rg_error_io(errno, "%s", path);
	free(path);
	return err;
}

static rg_error *move_files(layout *l, bool *changed)
{
	rg_manifest *manifest = l->manifest;
	size_t i;

	for (i = 0; i < l->count; i++) {
		const claim *c = &l->claims[i];
		bool same;

		if (c->conflict)
			continue;
		RG_TRY(is_unchanged(l, c, &same));
		changed[c->artifact] |= !same;
		if (c->dropped)
			continue;
		RG_TRY(move_file(l, c));
		RG_TRY(rg_grow(&manifest->goldens, &manifest->golden_capacity,
			       manifest->golden_count + 1, sizeof(*manifest->goldens)));
		manifest->goldens[manifest->golden_count++] = c->golden;
	}
	return NULL;
}

/* Of two things that became of a job's artifacts, the larger is what became of the job. */
static int weight(rg_outcome outcome)
{
	if (rg_outcome_is_missing(outcome))
		return 3;
	return outcome == RG_OUTCOME_TAKEN ? 2 : outcome == RG_OUTCOME_UNCHANGED;
}

/* What became of a job is what became of its artifact; of several, and logs, what weighs most. */
static rg_error *settle_jobs(rg_manifest *manifest, const size_t *indices, size_t count)
{
	bool *settled = calloc(manifest->job_count + 1, sizeof(*settled));
	size_t i;

	if (!settled)
		return rg_error_nomem();
	for (i = 0; i < count; i++) {
		const rg_manifest_artifact *artifact = &manifest->artifacts[indices[i]];
		rg_manifest_job *job = rg_manifest_find_job(manifest, artifact->job_id);
		bool first = job && job->outcome == RG_OUTCOME_TAKEN &&
			     !settled[job - manifest->jobs];

		if (!job || (!first && weight(artifact->outcome) <= weight(job->outcome)))
			continue;
		settled[job - manifest->jobs] = true;
		job->outcome = artifact->outcome;
		job->why = artifact->why;
	}
	free(settled);
	return NULL;
}

static rg_error *lay_out(layout *l, const rg_taken *taken, const size_t *indices, size_t count,
			 bool *changed)
{
	rg_manifest *manifest = l->manifest;
	size_t i, k;

	for (i = 0; i < count; i++) {
		rg_manifest_artifact *entry = &manifest->artifacts[indices[i]];

		entry->outcome = taken[i].outcome;
		if (taken[i].why)
			RG_TRY(rg_why_add(&manifest->arena, &entry->why, taken[i].why));
		if (taken[i].check)
			entry->check = taken[i].check; /* a constant */
		for (k = 0; k < taken[i].count; k++)
			RG_TRY(add_claim(l, indices[i], &taken[i].files[k]));
	}
	if (l->count)
		qsort(l->claims, l->count, sizeof(*l->claims), compare_claims);
	RG_TRY(settle_claims(l));
	RG_TRY(say_what_came(l, indices, count));
	RG_TRY(move_files(l, changed));
	for (i = 0; i < count; i++)
		if (manifest->artifacts[indices[i]].outcome == RG_OUTCOME_TAKEN &&
		    !changed[indices[i]])
			manifest->artifacts[indices[i]].outcome = RG_OUTCOME_UNCHANGED;
	return settle_jobs(manifest, indices, count);
}

rg_error *rg_lay_out(rg_manifest *manifest, const rg_fetch_options *options, const char *folder,
		     const rg_taken *taken, const size_t *indices, size_t count)
{
	layout l = {.manifest = manifest, .options = options, .folder = folder};
	bool *changed = calloc(manifest->artifact_count + 1, sizeof(*changed));
	rg_error *err = changed ? lay_out(&l, taken, indices, count, changed) : rg_error_nomem();

	free(l.claims);
	free(changed);
	return err;
}

rg_error *rg_place_golden(rg_manifest *manifest, const rg_fetch_options *options,
			  const char *folder, const rg_manifest_artifact *artifact,
			  const rg_taken_file *file, rg_manifest_golden *golden)
{
	layout l = {.manifest = manifest, .options = options, .folder = folder};

	return place(&l, artifact, rg_manifest_find_job(manifest, artifact->job_id), file, golden);
}

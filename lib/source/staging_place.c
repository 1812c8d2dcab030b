/* SPDX-License-Identifier: Apache-2.0 */
#include "source/staging_place.h"

#include "base/memory.h"
#include "base/path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	rg_manifest *manifest;
	const rg_fetch_options *options;
	const char *folder;
} placing;

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
	for (size_t i = 0; i < RG_FIELD_COUNT; i++)
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

static void add_number(placing *l, rg_name_fields *fields, rg_field field, uint64_t number)
{
	char digits[24];
	if (!number || fields->fields[field].start)
		return;
	snprintf(digits, sizeof(digits), "%llu", (unsigned long long)number);
	const char *text = rg_arena_text(&l->manifest->arena, digits);
	fields->fields[field] = field_of(text);
}

/* All that names and the run say of a file; a log's by its own rule. `job` NULL: it is the run's.
 */
static void find_fields(placing *l, const rg_manifest_artifact *entry, const rg_manifest_job *job,
			const rg_taken_file *file, rg_name_fields *fields)
{
	const rg_rule *jobs = rg_rules_jobs(l->options->rules);
	rg_name_fields fixed = {0};

	*fields = (rg_name_fields){0};
	if (entry->log) {
		if (job && !rg_log_rule_fits(&l->options->logs->items[entry->log - 1],
					     jobs ? jobs->job : NULL, job->name, fields))
			set_field(fields, RG_FIELD_TEST, job->test);
		return;
	}
	add_number(l, &fixed, RG_FIELD_RUN, l->manifest->run_id);
	rg_rule_fits(file->rule, entry->name, &fixed, fields);
	add_number(l, fields, RG_FIELD_RUN, l->manifest->run_id);
	add_number(l, fields, RG_FIELD_ATTEMPT, l->manifest->attempt);
	if (job)
		add_job_fields(file->rule, job, fields);
	override(fields, &file->fields);
}

static void copy_field(placing *l, const rg_field_value *field, const char **out)
{
	*out = rg_arena_copy(&l->manifest->arena, field->start, field->length);
}

/* The target of a path below the root; RG_E_UNSAFE for one that cannot be. */
static rg_error *find_target(placing *l, const char *below, const char **out)
{
	char *target = rg_path_join(l->options->root, below);
	rg_error *err = rg_path_check(target);
	if (!err && rg_path_has_git(target))
		err = rg_error_new(RG_E_UNSAFE, "unsafe target '%s': it has a '.git' part", target);
	if (!err)
		*out = rg_arena_text(&l->manifest->arena, target);
	free(target);
	return err;
}

/* Can it be staged? Else RG_E_UNSAFE. */
static rg_error *check_staged(const placing *l, const rg_manifest_golden *golden)
{
	char *staged = rg_textf("%s/%s/%s", golden->stage, golden->test, golden->file);
	rg_error *err = rg_path_check(staged);
	/* One that the system does not take would end it for all others, too. */
	if (!err && strlen(l->folder) + strlen("/files/") + strlen(staged) >= PATH_MAX)
		err = rg_error_new(RG_E_UNSAFE,
				   "unsafe path '%.60s...': it is too long to be staged", staged);
	free(staged);
	return err;
}

/* Where it goes in the staging folder: STAGE/TEST/FILE. What a [source] names is there under its
 * whole target, which no other golden has. */
static void name_staged(placing *l, const rg_manifest_artifact *entry, const rg_taken_file *file,
			const char *below, const char *section, rg_name_fields *fields,
			rg_manifest_golden *golden)
{
	rg_field_value *stage = &fields->fields[RG_FIELD_STAGE];
	rg_field_value *test = &fields->fields[RG_FIELD_TEST];
	const char *name = rg_path_name(below);
	bool own = !entry->log && !(file->rule && file->rule->is_jobs);
	char *text;

	if (!stage->start)
		*stage = field_of(section);
	/* Without a name of its own a golden's is the test's. */
	if (!test->start)
		*test = (rg_field_value){name,
					 strcspn(name, ".") ? strcspn(name, ".") : strlen(name)};
	copy_field(l, stage, &golden->stage);
	copy_field(l, test, &golden->test);
	text = rg_textf("%s%s", entry->log ? log_folder : "", own ? below : file->path);
	golden->file = rg_arena_text(&l->manifest->arena, text);
	free(text);
}

/* A golden that is called as its target is below the root. */
static rg_error *place_as_it_is(placing *l, const rg_manifest_artifact *entry,
				const rg_taken_file *file, rg_manifest_golden *golden)
{
	rg_name_fields fields = {0};
	const char *section =
		rg_section_of_target(l->options->rules, l->options->logs, file->path, &fields);

	if (!section)
		section = "files";
	name_staged(l, entry, file, file->path, section, &fields, golden);
	RG_TRY(check_staged(l, golden));
	return find_target(l, file->path, &golden->target);
}

static rg_error *place(placing *l, const rg_manifest_artifact *entry, const rg_manifest_job *job,
		       const rg_taken_file *file, rg_manifest_golden *golden, const char **shard)
{
	const rg_rule *jobs = rg_rules_jobs(l->options->rules);
	const rg_log_rule *log = entry->log ? &l->options->logs->items[entry->log - 1] : NULL;
	rg_name_fields fields;
	char *below;

	golden->size = file->size;
	golden->written = file->written;
	memcpy(golden->sha256, file->sha256, sizeof(golden->sha256));
	if (!log && !file->rule)
		return place_as_it_is(l, entry, file, golden);
	const rg_name_pattern *target = log ? log->target : file->rule->target;
	if (!target)
		target = jobs->target; /* a log's; else it has one */
	find_fields(l, entry, job, file, &fields);
	if (!fields.fields[RG_FIELD_STAGE].start && (log || file->rule->is_jobs))
		fields.fields[RG_FIELD_STAGE] = field_of(no_stage);
	fields.fields[RG_FIELD_FILE] = field_of(file->path);
	if (fields.fields[RG_FIELD_SHARD].start)
		copy_field(l, &fields.fields[RG_FIELD_SHARD], shard);
	RG_TRY(rg_name_expand(&below, target, &fields));
	name_staged(l, entry, file, below, log ? log->name : file->rule->name, &fields, golden);
	rg_error *err = check_staged(l, golden);
	if (!err)
		err = find_target(l, below, &golden->target);
	free(below);
	return err;
}

rg_error *rg_place_golden(rg_manifest *manifest, const rg_fetch_options *options,
			  const char *folder, const rg_manifest_artifact *artifact,
			  const rg_taken_file *file, rg_manifest_golden *golden, const char **shard)
{
	placing l = {.manifest = manifest, .options = options, .folder = folder};
	*shard = NULL;
	return place(&l, artifact, rg_manifest_find_job(manifest, artifact->job_id), file, golden,
		     shard);
}

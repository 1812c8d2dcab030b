/* SPDX-License-Identifier: Apache-2.0 */
#include "source/local_parts.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/tree.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* --- artifacts --- */

void rg_local_add(rg_local *local, rg_local_kind kind, const char *name, const char *place,
		  rg_local_artifact **out)
{
	*out = NULL;
	rg_grow(&local->artifacts, &local->capacity, local->count + 1, sizeof(*local->artifacts));
	rg_local_artifact *made = &local->artifacts[local->count];
	*made = (rg_local_artifact){.kind = kind};
	made->name = rg_arena_text(&local->arena, name);
	made->place = rg_arena_text(&local->arena, place);
	local->count++;
	*out = made;
}

void rg_local_add_file(rg_local *local, rg_local_artifact *artifact, const char *name,
		       const char *via, uint64_t size, rg_local_file **out)
{
	*out = NULL;
	rg_local_file *file = RG_PUSH(artifact->files, artifact->count, artifact->capacity);
	*file = (rg_local_file){.size = size};
	file->name = rg_arena_text(&local->arena, name);
	file->via = rg_arena_text(&local->arena, via);
	/* That of a folder of goldens is not known before its members are chosen. */
	artifact->size += artifact->kind == RG_LOCAL_FOLDER ? 0 : size;
	*out = file;
}

void rg_local_add_listed(rg_local *local, rg_local_artifact *artifact, const char *name,
			 const char *path)
{
	struct stat st = {0};
	rg_local_file *file;
	char *whole;

	whole = rg_path_join(artifact->place, path);
	/* What is wrong with it shows when it is read. */
	bool regular = !lstat(whole, &st) && S_ISREG(st.st_mode);
	free(whole);
	rg_local_add_file(local, artifact, name, "", regular ? (uint64_t)st.st_size : 0, &file);
	file->is_other = st.st_mode && !regular;
	file->path = rg_arena_text(&local->arena, path);
}

/* --- folders that are laid out as a repository --- */

/* Is there such a name in the folder? */
static bool has(const char *folder, const char *name)
{
	struct stat st;
	char *path = rg_path_join(folder, name);
	bool found = !lstat(path, &st);
	free(path);
	return found;
}

/* --- a checkout --- */

/* Does [jobs] say of what is in that place below the root that it belongs there? */
static bool is_of_jobs(const rg_local *local, const char *below, rg_name_fields *fields)
{
	const rg_rule *jobs = rg_rules_jobs(&local->options.settings->rules);
	const rg_field_value *file = &fields->fields[RG_FIELD_FILE];
	const rg_member_round round = {0};
	rg_name_fields member;

	/* {file} ends a path. */
	return jobs && rg_name_match(jobs->target, below, NULL, fields) && file->start &&
	       !file->start[file->length] &&
	       rg_rule_member(jobs, &round, &(rg_member_owner){0}, file->start, &member) ==
		       RG_MEMBER_NAMED;
}

/* Adds the artifact of a test, unless it is there since `first`. */
static void artifact_of_test(rg_local *local, size_t first, const char *place, const char *stage,
			     const char *test, rg_local_artifact **out)
{
	char *name = rg_textf("%s%s%s", stage ? stage : "", stage ? "/" : "", test);
	for (size_t i = local->count; i > first; i--)
		if (!strcmp(local->artifacts[i - 1].name, name)) {
			*out = &local->artifacts[i - 1];
			free(name);
			return;
		}
	rg_local_add(local, RG_LOCAL_LISTED, name, place, out);
	free(name);
	if (stage)
		(*out)->stage = rg_arena_text(&local->arena, stage);
	(*out)->test = rg_arena_text(&local->arena, test);
}

static void copy_field(rg_local *local, const rg_field_value *field, const char **out)
{
	*out = field->start ? rg_arena_copy(&local->arena, field->start, field->length) : NULL;
}

/* The artifact of that name and id whose goldens are called as their targets. */
static void placed_artifact(rg_local *local, size_t first, const char *place, const char *name,
			    uint64_t id, rg_local_artifact **out)
{
	for (size_t i = first; i < local->count; i++) {
		*out = &local->artifacts[i];
		if ((*out)->placed && (*out)->id == id)
			return;
	}
	rg_local_add(local, RG_LOCAL_LISTED, name, place, out);
	(*out)->placed = true;
	(*out)->id = id;
}

static void add_golden(rg_local *local, size_t first, const char *place, const char *path)
{
	const rg_settings *settings = local->options.settings;
	const char *stage, *test, *name;
	rg_local_artifact *artifact;
	rg_name_fields fields;

	if (!rg_section_of_target(&settings->rules, &settings->logs, path, &fields)) {
		rg_local_add(local, RG_LOCAL_BROKEN, path, place, &artifact);
		artifact->fault = "its path fits the target of no rule";
		return;
	}
	if (!is_of_jobs(local, path, &fields)) {
		placed_artifact(local, first, place, rg_path_name(place), 0, &artifact);
		rg_local_add_listed(local, artifact, path, path);
		return;
	}
	copy_field(local, &fields.fields[RG_FIELD_STAGE], &stage);
	copy_field(local, &fields.fields[RG_FIELD_TEST], &test);
	copy_field(local, &fields.fields[RG_FIELD_FILE], &name);
	artifact_of_test(local, first, place, stage, test ? test : "files", &artifact);
	rg_local_add_listed(local, artifact, name, path);
}

static void add_goldens(rg_local *local, size_t first, const char *place, const char *const *paths,
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (rg_globs_take(local->options.files, paths[i]))
			add_golden(local, first, place, paths[i]);
}

static rg_error *find_in_checkout(rg_local *local, const char *path)
{
	size_t first = local->count;
	rg_tree tree = {0};
	struct stat st;

	char *place = rg_path_join(path, local->options.root);
	rg_error *err = stat(place, &st) ? NULL : rg_tree_list_all(&tree, place);
	if (!err)
		add_goldens(local, first, place, tree.paths, tree.count);
	if (!err)
		add_goldens(local, first, place, tree.others, tree.other_count);
	rg_tree_release(&tree);
	free(place);
	return err;
}

static void is_checkout(const rg_local *local, const char *path, bool *out)
{
	*out = has(path, ".git");
	if (!(*out || !*local->options.root))
		*out = has(path, local->options.root);
}

/* --- a staging folder --- */

/* Where a staged golden belongs below the root, if not [jobs] says so too; else NULL. */
static const char *place_of_staged(const rg_local *local, const rg_manifest_golden *golden)
{
	const char *root = local->options.root, *below = golden->target;
	rg_name_fields fields;

	if (*root && !rg_path_is_below(root, golden->target))
		return NULL;
	below += *root ? strlen(root) + 1 : 0;
	return is_of_jobs(local, below, &fields) &&
			       !strcmp(fields.fields[RG_FIELD_FILE].start, golden->file)
		       ? NULL
		       : below;
}

/* The artifact that a staged golden came from; what the manifest has of it is kept. */
static void artifact_of_staged(rg_local *local, const rg_manifest_golden *golden, const char *place,
			       bool placed, rg_local_artifact **out)
{
	const rg_manifest *m = &local->staged;
	const char *name = golden->test;
	uint64_t job = 0;

	for (size_t i = local->count; i; i--) {
		*out = &local->artifacts[i - 1];
		if (!placed && !(*out)->placed && (*out)->id == golden->artifact_id &&
		    !strcmp((*out)->test, golden->test) && !strcmp((*out)->stage, golden->stage))
			return;
	}
	for (size_t i = 0; i < m->artifact_count; i++)
		if (m->artifacts[i].id == golden->artifact_id) {
			name = m->artifacts[i].name;
			job = m->artifacts[i].job_id;
		}
	if (placed) {
		placed_artifact(local, 0, place, name, golden->artifact_id, out);
		(*out)->digest = golden->digest;
		return;
	}
	rg_local_add(local, RG_LOCAL_LISTED, name, place, out);
	(*out)->id = golden->artifact_id;
	(*out)->job_id = job;
	(*out)->stage = golden->stage;
	(*out)->test = golden->test;
	(*out)->digest = golden->digest;
}

static rg_error *find_in_staging(rg_local *local, const char *path)
{
	const rg_manifest *m = &local->staged;
	if (local->options.path_count > 1)
		return rg_error_new(RG_E_USAGE,
				    "%s: a staging folder has a run of its own: name it alone",
				    path);
	local->is_staged = true;
	RG_TRY(rg_manifest_load(&local->staged, path));
	for (size_t i = 0; i < m->golden_count; i++) {
		const rg_manifest_golden *golden = &m->goldens[i];
		const char *below = place_of_staged(local, golden);
		rg_local_artifact *artifact;
		rg_local_file *file;

		artifact_of_staged(local, golden, path, below != NULL, &artifact);
		rg_local_add_file(local, artifact, below ? below : golden->file, "", golden->size,
				  &file);
		file->sha256 = golden->sha256;
		char *staged = rg_manifest_staged_path(golden);
		file->path = rg_arena_text(&local->arena, staged);
		free(staged);
	}
	return NULL;
}

rg_error *rg_local_find_in_tree(rg_local *local, const char *path, bool *is)
{
	*is = rg_manifest_is_in(path);
	if (*is)
		return find_in_staging(local, path);
	is_checkout(local, path, is);
	return *is ? find_in_checkout(local, path) : NULL;
}

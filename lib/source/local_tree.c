/* SPDX-License-Identifier: Apache-2.0 */
#include "source/local_parts.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/pattern.h"
#include "base/tree.h"

#include <string.h>
#include <sys/stat.h>

/* --- artifacts --- */

rg_local_artifact *rg_local_add(rg_local *local, rg_local_kind kind, const char *name,
				const char *place)
{
	rg_local_artifact *made = RG_PUSH(local->artifacts, local->count, local->capacity);
	*made = (rg_local_artifact){.kind = kind,
				    .name = rg_arena_text(&local->arena, name),
				    .place = rg_arena_text(&local->arena, place)};
	return made;
}

rg_local_file *rg_local_add_file(rg_local *local, rg_local_artifact *artifact, const char *name,
				 const char *via, uint64_t size)
{
	rg_local_file *file = RG_PUSH(artifact->files, artifact->count, artifact->capacity);
	*file = (rg_local_file){.size = size,
				.name = rg_arena_text(&local->arena, name),
				.via = rg_arena_text(&local->arena, via)};
	/* The size of a folder of goldens is not known before its members are chosen. */
	artifact->size += artifact->kind == RG_LOCAL_FOLDER ? 0 : size;
	return file;
}

void rg_local_add_listed(rg_local *local, rg_local_artifact *artifact, const char *name,
			 const char *path)
{
	RG_AUTO_FREE char *whole = rg_path_join(artifact->place, path);
	struct stat st = {0};
	/* A fault of it shows when it is read. */
	bool regular = !lstat(whole, &st) && S_ISREG(st.st_mode);
	rg_local_file *file =
		rg_local_add_file(local, artifact, name, "", regular ? (uint64_t)st.st_size : 0);
	file->is_other = st.st_mode && !regular;
	file->path = rg_arena_text(&local->arena, path);
}

/* --- folders that are laid out as a repository --- */

/* Is there such a name in the folder? */
static bool has(const char *folder, const char *name)
{
	struct stat st;
	RG_AUTO_FREE char *path = rg_path_join(folder, name);
	return !lstat(path, &st);
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

/* The artifact of a test, added unless it is there since `first`. */
static rg_local_artifact *artifact_of_test(rg_local *local, size_t first, const char *place,
					   const char *stage, const char *test)
{
	RG_AUTO_FREE char *name = rg_textf("%s%s%s", stage ? stage : "", stage ? "/" : "", test);
	for (size_t i = local->count; i > first; i--)
		if (!strcmp(local->artifacts[i - 1].name, name))
			return &local->artifacts[i - 1];
	rg_local_artifact *made = rg_local_add(local, RG_LOCAL_LISTED, name, place);
	made->stage = stage;
	made->test = test;
	return made;
}

/* The artifact of that name and id whose goldens are called as their targets. */
static rg_local_artifact *placed_artifact(rg_local *local, size_t first, const char *place,
					  const char *name, uint64_t id)
{
	for (size_t i = first; i < local->count; i++)
		if (local->artifacts[i].placed && local->artifacts[i].id == id)
			return &local->artifacts[i];
	rg_local_artifact *made = rg_local_add(local, RG_LOCAL_LISTED, name, place);
	made->placed = true;
	made->id = id;
	return made;
}

static void append_golden(rg_local *local, size_t first, const char *place, const char *path)
{
	const rg_settings *settings = local->options.settings;
	rg_arena *arena = &local->arena;
	rg_name_fields fields;

	if (!rg_section_of_target(&settings->rules, &settings->logs, path, &fields)) {
		rg_local_add(local, RG_LOCAL_BROKEN, path, place)->fault =
			"its path fits the target of no rule";
		return;
	}
	if (!is_of_jobs(local, path, &fields)) {
		rg_local_add_listed(local,
				    placed_artifact(local, first, place, rg_path_name(place), 0),
				    path, path);
		return;
	}
	const char *stage = rg_field_copy(arena, &fields.fields[RG_FIELD_STAGE]);
	const char *test = rg_field_copy(arena, &fields.fields[RG_FIELD_TEST]);
	const char *name = rg_field_copy(arena, &fields.fields[RG_FIELD_FILE]);
	rg_local_add_listed(local,
			    artifact_of_test(local, first, place, stage, test ? test : "files"),
			    name, path);
}

static void append_goldens(rg_local *local, size_t first, const char *place,
			   const char *const *paths, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (rg_globs_take(local->options.files, paths[i]))
			append_golden(local, first, place, paths[i]);
}

static rg_error *find_in_checkout(rg_local *local, const char *path)
{
	size_t first = local->count;
	RG_AUTO_FREE char *place = rg_path_join(path, local->options.root);
	RG_AUTO(rg_tree) tree = {0};
	struct stat st;

	if (!stat(place, &st))
		RG_TRY(rg_tree_list_all(&tree, place));
	append_goldens(local, first, place, tree.paths, tree.count);
	append_goldens(local, first, place, tree.others, tree.other_count);
	return NULL;
}

/* --- a staging folder --- */

/* Returns a staged golden's place below the root; NULL where [jobs] says so too. */
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
static rg_local_artifact *artifact_of_staged(rg_local *local, const rg_manifest_golden *golden,
					     const char *place, bool placed)
{
	const rg_manifest *m = &local->staged;
	rg_local_artifact *made;
	const char *name = golden->test;
	uint64_t job = 0;

	for (size_t i = local->count; i; i--) {
		made = &local->artifacts[i - 1];
		if (!placed && !made->placed && made->id == golden->artifact_id &&
		    !strcmp(made->test, golden->test) && !strcmp(made->stage, golden->stage))
			return made;
	}
	for (size_t i = 0; i < m->artifact_count; i++)
		if (m->artifacts[i].id == golden->artifact_id) {
			name = m->artifacts[i].name;
			job = m->artifacts[i].job_id;
		}
	if (placed) {
		made = placed_artifact(local, 0, place, name, golden->artifact_id);
	} else {
		made = rg_local_add(local, RG_LOCAL_LISTED, name, place);
		made->id = golden->artifact_id;
		made->job_id = job;
		made->stage = golden->stage;
		made->test = golden->test;
	}
	made->digest = golden->digest;
	return made;
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
		rg_local_artifact *artifact =
			artifact_of_staged(local, golden, path, below != NULL);
		rg_local_file *file = rg_local_add_file(
			local, artifact, below ? below : golden->file, "", golden->size);
		RG_AUTO_FREE char *staged = rg_manifest_staged_path(golden);

		file->sha256 = golden->sha256;
		file->path = rg_arena_text(&local->arena, staged);
	}
	return NULL;
}

rg_error *rg_local_find_in_tree(rg_local *local, const char *path, bool *is)
{
	*is = rg_manifest_is_in(path);
	if (*is)
		return find_in_staging(local, path);
	*is = has(path, ".git") || (*local->options.root && has(path, local->options.root));
	return *is ? find_in_checkout(local, path) : NULL;
}

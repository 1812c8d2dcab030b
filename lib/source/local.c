/* SPDX-License-Identifier: Apache-2.0 */
#include "source/local.h"

#include "base/path.h"
#include "source/local_parts.h"

#include <stdlib.h>
#include <sys/stat.h>

rg_error *rg_local_add(rg_local *local, rg_local_kind kind, const char *name, const char *place,
		       rg_local_artifact **out)
{
	*out = NULL;
	RG_TRY(rg_grow(&local->artifacts, &local->capacity, local->count + 1,
		       sizeof(*local->artifacts)));
	rg_local_artifact *made = &local->artifacts[local->count];
	*made = (rg_local_artifact){.kind = kind};
	RG_TRY(rg_arena_text(&local->arena, name, &made->name));
	RG_TRY(rg_arena_text(&local->arena, place, &made->place));
	local->count++;
	*out = made;
	return NULL;
}

rg_error *rg_local_add_file(rg_local *local, rg_local_artifact *artifact, const char *name,
			    const char *via, uint64_t size, rg_local_file **out)
{
	*out = NULL;
	RG_TRY(rg_grow(&artifact->files, &artifact->capacity, artifact->count + 1,
		       sizeof(*artifact->files)));
	rg_local_file *file = &artifact->files[artifact->count++];
	*file = (rg_local_file){.size = size};
	RG_TRY(rg_arena_text(&local->arena, name, &file->name));
	RG_TRY(rg_arena_text(&local->arena, via, &file->via));
	/* That of a folder of goldens is not known before its members are chosen. */
	artifact->size += artifact->kind == RG_LOCAL_FOLDER ? 0 : size;
	*out = file;
	return NULL;
}

rg_error *rg_local_add_listed(rg_local *local, rg_local_artifact *artifact, const char *name,
			      const char *path)
{
	struct stat st = {0};
	rg_local_file *file;
	char *whole;

	RG_TRY(rg_path_join(&whole, artifact->place, path));
	/* What is wrong with it shows when it is read. */
	bool regular = !lstat(whole, &st) && S_ISREG(st.st_mode);
	free(whole);
	RG_TRY(rg_local_add_file(local, artifact, name, "", regular ? (uint64_t)st.st_size : 0,
				 &file));
	file->is_other = st.st_mode && !regular;
	return rg_arena_text(&local->arena, path, &file->path);
}

/* An artifact's members, and those of artifacts that are a folder each. */
static rg_error *make_patterns(rg_local *local)
{
	static const char *const depths[RG_LOCAL_DEPTH + 1] = {"", "*/", "*/*/"};
	const rg_rules *rules = &local->options.settings->rules;

	local->patterns =
		calloc((RG_LOCAL_DEPTH + 1) * rules->pattern_count + 1, sizeof(*local->patterns));
	if (!local->patterns)
		return rg_error_nomem();
	for (size_t i = 0; i < rules->pattern_count; i++)
		for (size_t k = 0; k <= RG_LOCAL_DEPTH; k++) {
			RG_TRY(rg_textf(&local->patterns[local->pattern_count], "%s%s", depths[k],
					rules->patterns[i]));
			local->pattern_count++;
		}
	return NULL;
}

static bool has_goldens(const rg_local *local, size_t from)
{
	for (size_t i = from; i < local->count; i++)
		if (!local->artifacts[i].empty)
			return true;
	return false;
}

static const char nothing[] = "no golden is in it";

/* A path without goldens is missing where others have some. */
static rg_error *find(rg_local *local, const char *path)
{
	size_t before = local->count;
	rg_local_artifact *artifact;

	RG_TRY(rg_local_find(local, path));
	if (has_goldens(local, before) || local->options.path_count == 1)
		return NULL;
	RG_TRY(rg_local_add(local, RG_LOCAL_BROKEN, path, path, &artifact));
	artifact->fault = nothing;
	return NULL;
}

static rg_error *say_nothing_found(const rg_local *local)
{
	const rg_local_options *o = &local->options;
	return rg_error_new(RG_E_NOTFOUND,
			    "%s%s: no golden is in %s; regild.files names them ('%s'), and "
			    "'man regild-download' says where they are looked for",
			    o->paths[0], o->path_count > 1 ? " and the others" : "",
			    o->path_count > 1 ? "them" : "it", o->files);
}

static rg_error *load(rg_source *source, uint64_t id, unsigned attempt, rg_run *out)
{
	rg_local *local = (rg_local *)source;
	size_t found = 0;

	(void)id;
	(void)attempt;
	RG_TRY(make_patterns(local));
	for (size_t i = 0; i < local->options.path_count; i++)
		RG_TRY(find(local, local->options.paths[i]));
	for (size_t i = 0; i < local->count; i++)
		found += !local->artifacts[i].empty && local->artifacts[i].fault != nothing;
	if (!found)
		return say_nothing_found(local);
	return rg_local_fill_run(local, out);
}

static rg_error *take(rg_source *source, const rg_artifact *artifact,
		      const rg_take_request *request, rg_selection *selection, const char **check)
{
	rg_local *local = (rg_local *)source;
	*check = NULL;
	for (size_t i = 0; i < local->count; i++)
		if (local->artifacts[i].id == artifact->id) {
			/* What came before anything was asked for. */
			if (!i && local->moved)
				request->moved(request->context, local->moved);
			return rg_local_take(local, &local->artifacts[i], request, selection,
					     check);
		}
	return rg_error_new(RG_E_NOTFOUND, "is not there");
}

static void free_source(rg_source *source)
{
	rg_local *local = (rg_local *)source;
	for (size_t i = 0; i < local->count; i++) {
		free(local->artifacts[i].files);
		free(local->artifacts[i].refusals);
	}
	for (size_t i = 0; i < local->pattern_count; i++)
		free(local->patterns[i]);
	free(local->patterns);
	free(local->artifacts);
	rg_members_release(&local->members);
	rg_manifest_release(&local->staged);
	rg_arena_release(&local->arena);
	free(local);
}

rg_error *rg_local_new(rg_source **out, const rg_local_options *options)
{
	rg_local *local = calloc(1, sizeof(*local));
	*out = NULL;
	if (!local)
		return rg_error_nomem();
	local->source = (rg_source){.load = load, .take = take, .free = free_source};
	local->options = *options;
	rg_members_init(&local->members);
	rg_arena_init(&local->arena);
	rg_manifest_init(&local->staged);
	*out = &local->source;
	return NULL;
}

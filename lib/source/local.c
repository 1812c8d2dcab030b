/* SPDX-License-Identifier: Apache-2.0 */
#include "source/local.h"

#include "base/memory.h"
#include "source/local_parts.h"

#include <stdlib.h>
#include <unistd.h>

/* An artifact's members, and those of artifacts that are a folder each. */
static void make_patterns(rg_local *local)
{
	static const char *const depths[RG_LOCAL_DEPTH + 1] = {"", "*/", "*/*/"};
	const rg_rules *rules = &local->options.settings->rules;

	local->patterns = rg_calloc((RG_LOCAL_DEPTH + 1) * rules->pattern_count + 1,
				    sizeof(*local->patterns));
	for (size_t i = 0; i < rules->pattern_count; i++)
		for (size_t k = 0; k <= RG_LOCAL_DEPTH; k++) {
			local->patterns[local->pattern_count] =
				rg_textf("%s%s", depths[k], rules->patterns[i]);
			local->pattern_count++;
		}
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
	rg_local_add(local, RG_LOCAL_BROKEN, path, path, &artifact);
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
	make_patterns(local);
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
	if (local->spool >= 0)
		close(local->spool);
	rg_manifest_release(&local->staged);
	rg_arena_release(&local->arena);
	free(local);
}

void rg_local_new(rg_source **out, const rg_local_options *options)
{
	rg_local *local = rg_calloc(1, sizeof(*local));
	*out = NULL;
	local->source = (rg_source){.load = load, .take = take, .free = free_source};
	local->options = *options;
	local->spool = -1;
	rg_arena_init(&local->arena);
	rg_manifest_init(&local->staged);
	*out = &local->source;
}

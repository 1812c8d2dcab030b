/* SPDX-License-Identifier: Apache-2.0 */
#include "source/local_parts.h"

#include "base/memory.h"
#include "archive/select.h"

#include <limits.h>
#include <string.h>

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
	rg_grow(&artifact->files, &artifact->capacity, artifact->count + 1,
		sizeof(*artifact->files));
	rg_local_file *file = &artifact->files[artifact->count++];
	*file = (rg_local_file){.size = size};
	file->name = rg_arena_text(&local->arena, name);
	file->via = rg_arena_text(&local->arena, via);
	artifact->size += size;
	*out = file;
}

/* Could an artifact be called so? */
bool rg_local_fits_artifact(const rg_local *local, const char *name, size_t length)
{
	char copy[NAME_MAX + 1];
	if (length > NAME_MAX)
		return false;
	memcpy(copy, name, length);
	copy[length] = '\0';
	return rg_rules_of(&local->options.settings->rules, copy, NULL) != 0;
}

void rg_local_wants(const rg_local *local, const char *name, bool *out)
{
	const rg_rules *rules = &local->options.settings->rules;
	rg_select_wants(out, name, rules->patterns, rules->pattern_count);
}

void rg_local_place(const rg_local *local, const char *path, unsigned depth, rg_local_spot *out)
{
	const char *start = path, *slash;
	*out = (rg_local_spot){.member = path};
	rg_local_wants(local, path, &out->mine);
	for (; depth && (slash = strchr(start, '/')) != NULL; depth--, start = slash + 1) {
		bool below;
		rg_local_wants(local, slash + 1, &below);
		/* Both, where a pattern crosses folders: the name decides. */
		if (!below ||
		    (out->mine && !rg_local_fits_artifact(local, start, (size_t)(slash - start))))
			continue;
		*out = (rg_local_spot){true, start, (size_t)(slash - start), slash + 1};
	}
}

void rg_local_note_member(rg_local *local, rg_local_artifact *artifact, const char *name)
{
	const rg_rule *jobs = rg_rules_jobs(&local->options.settings->rules);
	const rg_member_round round = {0};
	rg_name_fields fields = {0};
	const rg_field_value *folder = &fields.fields[RG_FIELD_FOLDER];
	rg_member_kind kind = RG_MEMBER_NAMED;

	if (jobs)
		kind = rg_member_kind_of(&round, &jobs->members, &(rg_member_owner){0}, name,
					 &fields);
	artifact->named |= kind == RG_MEMBER_NAMED || kind == RG_MEMBER_NONE;
	if (artifact->named || artifact->member_folder || !folder->start)
		return;
	artifact->member_folder = rg_arena_copy(&local->arena, folder->start, folder->length);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "source/member_sorter.h"

#include "base/memory.h"
#include "base/path.h"

#include <stdlib.h>
#include <string.h>

void rg_member_sorter_init(rg_member_sorter *out, const rg_rules *rules, uint64_t set,
			   const rg_member_owner *owner)
{
	*out = (rg_member_sorter){rules, set, owner, NULL};
	out->rounds = rg_calloc(rules->count + 1, sizeof(*out->rounds));
}

void rg_member_sorter_release(rg_member_sorter *sorter)
{
	free(sorter->rounds);
}

static bool applies(const rg_member_sorter *sorter, size_t rule)
{
	return sorter->set >> rule & 1;
}

void rg_member_sorter_add(rg_member_sorter *sorter, const char *path)
{
	const rg_rules *rules = sorter->rules;
	for (size_t i = 0; i < rules->count; i++)
		if (applies(sorter, i))
			rg_member_round_add(&sorter->rounds[i], &rules->items[i].members,
					    sorter->owner, path);
}

rg_member_kind rg_member_sorter_kind(const rg_member_sorter *sorter, const char *path,
				     const rg_rule **rule, rg_name_fields *fields)
{
	const rg_rules *rules = sorter->rules;
	rg_member_kind kind = RG_MEMBER_NONE;

	*fields = (rg_name_fields){0};
	*rule = NULL;
	if (rules->variants && strstr(rg_path_name(path), rules->variants))
		return kind;
	for (size_t i = 0; i < rules->count && kind == RG_MEMBER_NONE; i++)
		if (applies(sorter, i)) {
			*rule = &rules->items[i];
			kind = rg_rule_member(*rule, &sorter->rounds[i], sorter->owner, path,
					      fields);
		}
	if (kind == RG_MEMBER_NONE)
		*rule = NULL;
	return kind;
}

void rg_member_name(const char **path, rg_arena *arena, const rg_rule *rule, rg_member_kind kind,
		    rg_name_fields *fields)
{
	rg_field_value *name = &fields->fields[RG_FIELD_FILE];
	rg_field_value *whole = &fields->fields[RG_FIELD_PATH];
	const char *member = *path;
	RG_AUTO_FREE char *text = NULL;

	*path = rg_arena_copy(arena, name->start, name->length);
	if (rule->is_jobs && kind == RG_MEMBER_NAMED)
		return;
	rg_rename_apply(&text, &rule->members.renames, *path);
	if (text)
		*path = rg_arena_text(arena, text);
	*name = (rg_field_value){*path, strlen(*path)};
	/* A {path} in the pattern is of folders alone. */
	if (whole->start != member || whole->length != strlen(member))
		return;
	member = rg_arena_textf(arena, "%.*s%s", (int)(rg_path_name(member) - member), member,
				*path);
	*whole = (rg_field_value){member, strlen(member)};
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_MEMBER_SORTER_H
#define REGILD_SOURCE_MEMBER_SORTER_H

#include "source/rule.h"

/*
 * Which rule takes which member of an artifact, and under which name. Show it every path first,
 * then ask for each; the paths outlive it.
 */
typedef struct {
	const rg_rules *rules;
	uint64_t set; /* those of them that the artifact's name fits, as bits */
	const rg_member_owner *owner;
	rg_member_round *rounds; /* one for each rule */
} rg_member_sorter;

void rg_member_sorter_init(rg_member_sorter *out, const rg_rules *rules, uint64_t set,
			   const rg_member_owner *owner);
void rg_member_sorter_release(rg_member_sorter *sorter);
void rg_member_sorter_add(rg_member_sorter *sorter, const char *path);
/* The kind that it has by the first rule that knows it; *rule is NULL where none does. *fields as
 * rg_rule_member has them. */
rg_member_kind rg_member_sorter_kind(const rg_member_sorter *sorter, const char *path,
				     const rg_rule **rule, rg_name_fields *fields);

/*
 * The name that a member has in the repository, {file}, with {file} and {path} in *fields made to
 * fit: what a rename makes of it. [jobs] keeps the path of what regild.files names. *path is the
 * member's, and comes out as its name; what is new is in `arena`.
 */
void rg_member_name(const char **path, rg_arena *arena, const rg_rule *rule, rg_member_kind kind,
		    rg_name_fields *fields);

#endif

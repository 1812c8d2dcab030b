/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_RULE_H
#define REGILD_SOURCE_RULE_H

#include "base/error.h"
#include "base/memory.h"
#include "config/config.h"
#include "source/member_layout.h"
#include "base/name_pattern.h"

#include <stdint.h>
#include <string.h>

/*
 * Which artifacts have goldens, which of their members these are, and where they belong: [jobs],
 * which comes first where it is set, and each [source "NAME"] that has an artifact. See
 * regild-config(5).
 */
typedef struct {
	const char *name;          /* "jobs", or the section's */
	bool is_jobs;              /* it is [jobs] */
	bool complete;             /* a run makes all goldens of a folder that it makes any of */
	rg_name_pattern *job;      /* of jobs' names; NULL: they say nothing */
	rg_name_pattern *artifact; /* of artifacts' names; NULL: `glob` */
	const char *glob;          /* where that has no fields */
	unsigned tie;              /* the fields by which an artifact is tied to a job, as bits */
	rg_member_layout members;
	const char **patterns; /* what is asked for in an artifact, see archive/select.h */
	size_t pattern_count, pattern_capacity;
	rg_name_pattern *target; /* below the root */
	const char *only;        /* regild.files, where it limits what is taken; else NULL */
	const char *text;        /* what decides on what is taken, in one text */
	/* A golden of it is a table that is written anew, not a copy: */
	bool merge;          /* out of the shards that several artifacts have */
	const char *columns; /* these columns of the artifact's; NULL: all */
	uint64_t digits;     /* significant ones of its numbers; 0: as they are */
} rg_rule;

/* A set of rules has a bit for each. */
enum { RG_RULES_MAX = 64 };

typedef struct {
	rg_rule *items;
	size_t count, capacity;
	const char **patterns; /* of all rules */
	size_t pattern_count, pattern_capacity;
	const char
		*variants; /* what is called so is no golden (base/variant.h); NULL: all may be */
	rg_arena arena;
} rg_rules;

/* `depth`: how deep zips may be in zips. RG_E_USAGE, naming the key, for what does not make sense.
 * Released whatever comes back. */
RG_CHECKED rg_error *rg_rules_load(rg_rules *out, const rg_config *config, unsigned depth);
void rg_rules_release(rg_rules *rules);

/* Puts the key of [source "SECTION"] and its file in front of what is wrong with it. */
RG_CHECKED rg_error *rg_source_blame(const rg_config *config, const char *section, const char *key,
				     rg_error *err);
/* RG_E_USAGE, "is not a setting of KIND", where the section has a key that is none of these. */
RG_CHECKED rg_error *rg_source_check_keys(const rg_config *config, const char *section,
					  const char *const *keys, size_t count, const char *kind);

static inline rg_field_value rg_field_of(const char *text)
{
	return (rg_field_value){text, text ? strlen(text) : 0};
}
/* A copy in the arena; NULL of a field that is not set. */
static inline const char *rg_field_copy(rg_arena *arena, const rg_field_value *field)
{
	return field->start ? rg_arena_copy(arena, field->start, field->length) : NULL;
}

/* Sets `tie`, once the names' patterns are there. */
void rg_rule_find_tie(rg_rule *rule);

/* [jobs]; NULL where it is not set. */
const rg_rule *rg_rules_jobs(const rg_rules *rules);

/* Does it write tables anew? */
static inline bool rg_rule_rewrites(const rg_rule *rule)
{
	return rule->merge || rule->columns || rule->digits;
}

/* Does an artifact of that name fit? *fields, into `name`, are those of the pattern. `fixed` as in
 * rg_name_match. */
bool rg_rule_fits(const rg_rule *rule, const char *name, const rg_name_fields *fixed,
		  rg_name_fields *fields);
/* Does the path, from the root, fit where a rule that makes whole folders puts goldens? */
bool rg_rules_complete(const rg_rules *rules, const char *path);
/* The rules that fit, as bits; names that are too long fit none. */
uint64_t rg_rules_of(const rg_rules *rules, const char *name, const rg_name_fields *fixed);

/* The patterns that the rules of a set ask for: for the cache in one text, and as a list. Both are
 * in `arena`.
 */
const char *rg_rules_text(const rg_rules *rules, uint64_t set, rg_arena *arena);
void rg_rules_patterns(const char *const **out, size_t *count, const rg_rules *rules, uint64_t set,
		       rg_arena *arena);

/*
 * Says where a member of an artifact belongs. *fields gets {file}, {path} and what the pattern of
 * the members has, into `path`; what a rename makes of {file} is for the caller.
 */
rg_member_kind rg_rule_member(const rg_rule *rule, const rg_member_round *round,
			      const rg_member_owner *owner, const char *path,
			      rg_name_fields *fields);

#endif

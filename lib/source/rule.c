/* SPDX-License-Identifier: Apache-2.0 */
#include "source/rule.h"

#include "base/memory.h"
#include "archive/select.h"
#include "base/buf.h"
#include "base/number.h"
#include "base/pattern.h"
#include "base/path.h"
#include "golden/table_round.h"
#include "source/source.h"

#include <string.h>

enum { NAME_MAX_LENGTH = 1024, WORDS_MAX = 64 };

static const char blanks[] = " \t\r\n";

/* The fields that may be in the name of a job, of an artifact, and in a target. */
#define JOB_FIELDS                                                         \
	(1u << RG_FIELD_STAGE | 1u << RG_FIELD_TEST | 1u << RG_FIELD_TAG | \
	 1u << RG_FIELD_VARIANT | 1u << RG_FIELD_SHARD | 1u << RG_FIELD_ANY)
#define ARTIFACT_FIELDS                                                                  \
	(JOB_FIELDS | 1u << RG_FIELD_JOB | 1u << RG_FIELD_RUN | 1u << RG_FIELD_ATTEMPT | \
	 1u << RG_FIELD_UNIQUE)
#define MEMBER_FIELDS (1u << RG_FIELD_FILE | 1u << RG_FIELD_PATH)
#define TARGET_FIELDS \
	((ARTIFACT_FIELDS | MEMBER_FIELDS) & ~(1u << RG_FIELD_UNIQUE | 1u << RG_FIELD_ANY))
/* By these an artifact's name tells its job. */
#define TIE_FIELDS                                                         \
	(1u << RG_FIELD_STAGE | 1u << RG_FIELD_TEST | 1u << RG_FIELD_TAG | \
	 1u << RG_FIELD_VARIANT | 1u << RG_FIELD_SHARD)

/* A rule on its way. */
typedef struct {
	const rg_config *config;
	rg_rules *rules;
	rg_rule *rule;
	const char *name; /* of [source]: the artifact's, as this rule has it */
	unsigned depth;
} load_state;

static void append_pattern(load_state *l, const char *word, size_t length)
{
	rg_arena *arena = &l->rules->arena;
	rg_rule *rule = l->rule;
	*RG_ARENA_PUSH(arena, rule->patterns, rule->pattern_count, rule->pattern_capacity) =
		rg_arena_copy(arena, word, length);
}

/* Adds globs with blanks between them. */
static rg_error *append_globs(load_state *l, const char *text)
{
	rg_rule *rule = l->rule;
	for (const char *p = text; *(p += strspn(p, blanks)); p += strcspn(p, blanks)) {
		if (rule->pattern_count == WORDS_MAX)
			return rg_error_new(RG_E_USAGE, "more than %d patterns", WORDS_MAX);
		append_pattern(l, p, strcspn(p, blanks));
	}
	if (!rule->pattern_count)
		return rg_error_new(RG_E_USAGE, "is empty; nothing would be taken");
	RG_TRY(rg_select_check(rule->patterns, rule->pattern_count, l->depth));
	rule->members.file_count = rule->pattern_count;
	return NULL;
}

/* Adds, after the files, whose list may move, what their pattern asks for besides. */
static void append_member_globs(load_state *l)
{
	rg_rule *rule = l->rule;

	for (size_t i = 0;; i++) {
		rule->members.files = rule->patterns;
		RG_AUTO_FREE char *glob = rg_member_layout_glob(&rule->members, i);
		if (!glob)
			return;
		append_pattern(l, glob, strlen(glob));
	}
}

/* --- [jobs] --- */

static rg_error *load_pattern(rg_name_pattern **out, load_state *l, const char *key,
			      unsigned allowed)
{
	const char *text = rg_config_get(l->config, key);
	if (!text)
		return rg_error_new(RG_E_USAGE, "%s: is not set", key);
	return rg_config_blame(l->config, key,
			       rg_name_pattern_new(out, &l->rules->arena, text, allowed, key));
}

static rg_error *load_jobs(load_state *l)
{
	rg_rule *rule = l->rule;
	rg_arena *arena = &l->rules->arena;
	rg_member_layout *layout = &rule->members;
	const char *files = rg_config_own_files(l->config);
	const char *members = rg_config_get(l->config, "jobs.members");
	const char *rename = rg_config_get(l->config, "jobs.rename");
	rule->name = "jobs";
	rule->is_jobs = true;
	RG_TRY(load_pattern(&rule->job, l, "jobs.name", JOB_FIELDS));
	RG_TRY(load_pattern(&rule->artifact, l, "jobs.artifact", ARTIFACT_FIELDS));
	RG_TRY(load_pattern(&rule->target, l, "jobs.target", TARGET_FIELDS));
	if (!rg_name_pattern_has(rule->job, RG_FIELD_STAGE) &&
	    (rg_name_pattern_has(rule->artifact, RG_FIELD_STAGE) ||
	     rg_name_pattern_has(rule->target, RG_FIELD_STAGE)))
		return rg_config_blame(l->config, "jobs.name",
				       rg_error_new(RG_E_USAGE,
						    "jobs.name: has no {stage}, which "
						    "jobs.artifact or jobs.target needs"));
	RG_TRY(rg_config_blame(l->config, "jobs.members",
			       rg_member_layout_load(layout, arena, members)));
	RG_TRY(rg_config_blame(l->config, "regild.files",
			       rg_error_wrap(append_globs(l, files ? files : ""), "regild.files")));
	RG_TRY(rg_config_blame(
		l->config, "jobs.rename",
		rg_error_wrap(rg_renames_parse(&layout->renames, arena, rename), "jobs.rename")));
	rule->text = rg_arena_textf(arena, "%s\n%s\n%s", files, members ? members : "",
				    rename ? rename : "");
	append_member_globs(l);
	return NULL;
}

/* --- [source "NAME"] --- */

/* Returns a key's value, kept; NULL where it is not set. */
static const char *value_of(load_state *l, const char *key)
{
	return rg_text_copy(&l->rules->arena,
			    rg_config_subsection_get(l->config, "source", l->rule->name, key));
}

rg_error *rg_source_blame(const rg_config *config, const char *section, const char *key,
			  rg_error *err)
{
	return rg_config_subsection_blame(config, "source", section, key,
					  rg_error_wrap(err, "source.%s.%s", section, key));
}

rg_error *rg_source_check_keys(const rg_config *config, const char *section,
			       const char *const *keys, size_t count, const char *kind)
{
	const char *key;
	size_t k;

	for (size_t i = 0; rg_config_subsection_key(config, "source", section, i, &key); i++) {
		for (k = 0; k < count && strcmp(key, keys[k]) != 0; k++)
			;
		if (k == count)
			return rg_source_blame(
				config, section, key,
				rg_error_new(RG_E_USAGE, "is not a setting of %s", kind));
	}
	return NULL;
}

static rg_error *blame(const load_state *l, const char *key, rg_error *err)
{
	return rg_source_blame(l->config, l->rule->name, key, err);
}

static const char *const keys[] = {"artifact", "job",   "members", "target", "rename",
				   "complete", "merge", "columns", "round"};

static rg_error *load_names(load_state *l)
{
	const rg_rule *jobs = rg_rules_jobs(l->rules);
	rg_rule *rule = l->rule;
	const char *job = value_of(l, "job");

	const char *text = rg_arena_text(&l->rules->arena, l->name ? l->name : "");
	rule->glob = text;
	if (!*text)
		return blame(l, "artifact", rg_error_new(RG_E_USAGE, "is empty"));
	if (strchr(text, '{'))
		RG_TRY(blame(l, "artifact",
			     rg_name_pattern_new(&rule->artifact, &l->rules->arena, text,
						 ARTIFACT_FIELDS, "pattern")));
	if (!job && jobs)
		job = rg_config_get(l->config, "jobs.name");
	return job ? blame(l, "job",
			   rg_name_pattern_new(&rule->job, &l->rules->arena, job, JOB_FIELDS,
					       "pattern"))
		   : NULL;
}

static rg_error *load_members(load_state *l)
{
	rg_rule *rule = l->rule;
	const char *members = value_of(l, "members"), *rename = value_of(l, "rename");
	if (!members)
		return rg_error_new(RG_E_USAGE,
				    "source.%s.members: is not set; it names the goldens in the "
				    "artifact",
				    rule->name);
	rule->members.any_file = true;
	if (strchr(members, '{'))
		RG_TRY(blame(l, "members",
			     rg_member_layout_load_any(&rule->members, &l->rules->arena, members)));
	else
		RG_TRY(blame(l, "members", append_globs(l, members)));
	RG_TRY(blame(l, "rename",
		     rg_renames_parse(&rule->members.renames, &l->rules->arena, rename)));
	rule->text = members;
	append_member_globs(l);
	return NULL;
}

static unsigned fields_of(const rg_name_pattern *pattern)
{
	return pattern ? rg_name_pattern_fields(pattern) : 0;
}

/* A field that nothing will ever fill in is a slip of the pen. */
static rg_error *check_target(const load_state *l)
{
	const rg_rule *rule = l->rule;
	unsigned known = fields_of(rule->artifact) | fields_of(rule->members.pattern) |
			 fields_of(rule->job) | MEMBER_FIELDS | 1u << RG_FIELD_JOB |
			 1u << RG_FIELD_RUN | 1u << RG_FIELD_ATTEMPT;
	unsigned wanted = fields_of(rule->target) & ~known;

	for (unsigned i = 0; i < RG_FIELD_COUNT; i++)
		if (wanted & 1u << i && !(rule->job && i == RG_FIELD_TEST))
			return blame(l, "target",
				     rg_error_new(RG_E_USAGE,
						  "{%s} is in neither artifact, members nor job",
						  rg_field_name((rg_field)i)));
	return NULL;
}

static rg_error *load_target(load_state *l)
{
	const char *text = value_of(l, "target");
	if (!text || !*text)
		return rg_error_new(RG_E_USAGE,
				    "source.%s.target: is not set; it is the goldens' path below "
				    "the root",
				    l->rule->name);
	RG_TRY(blame(l, "target",
		     rg_name_pattern_new(&l->rule->target, &l->rules->arena, text, TARGET_FIELDS,
					 "pattern")));
	l->rule->only = strcmp(text, "{path}") ? NULL : rg_config_limiting_files(l->config);
	if (l->rule->only)
		l->rule->text =
			rg_arena_textf(&l->rules->arena, "%s\n%s", l->rule->text, l->rule->only);
	return check_target(l);
}

static rg_error *load_table(load_state *l)
{
	rg_rule *rule = l->rule;
	const char *merge = value_of(l, "merge"), *round = value_of(l, "round");

	rule->columns = value_of(l, "columns");
	rule->merge = merge != NULL;
	if (merge && strcmp(merge, "rows") != 0)
		return blame(
			l, "merge",
			rg_error_new(RG_E_USAGE, "'%s' is not a way to merge; rows is one", merge));
	if (rule->columns && !*rule->columns)
		return blame(l, "columns", rg_error_new(RG_E_USAGE, "is empty"));
	if (round && (!rg_uint64_parse(round, strlen(round), &rule->digits) || !rule->digits ||
		      rule->digits > RG_TABLE_DIGITS_MAX))
		return blame(l, "round",
			     rg_error_new(RG_E_USAGE,
					  "'%s' is not a number of significant digits, 1 to %d",
					  round, RG_TABLE_DIGITS_MAX));
	return NULL;
}

/* --- all of them --- */

void rg_rule_find_tie(rg_rule *rule)
{
	unsigned artifact = fields_of(rule->artifact);
	rule->tie = artifact & 1u << RG_FIELD_JOB;
	/* A job's {test} is its whole name where it has no other. */
	if (rule->job)
		rule->tie |= artifact & TIE_FIELDS & (fields_of(rule->job) | 1u << RG_FIELD_TEST);
}

static rg_error *load_rule(load_state *l, const char *section)
{
	rg_rules *rules = l->rules;
	if (rules->count == RG_RULES_MAX)
		return rg_error_new(RG_E_USAGE, "source: more than %d sections", RG_RULES_MAX);
	rg_rule *rule = l->rule =
		RG_ARENA_PUSH(&rules->arena, rules->items, rules->count, rules->capacity);
	if (section) {
		rule->name = rg_arena_text(&rules->arena, section);
		RG_TRY(rg_source_check_keys(
			l->config, section, keys, sizeof(keys) / sizeof(*keys),
			"an artifact; there are artifact, job, members, target, rename, "
			"complete, merge, columns and round"));
		RG_TRY(load_names(l));
		RG_TRY(load_members(l));
		const char *complete = value_of(l, "complete");
		rule->complete = complete && !strcmp(complete, "yes");
		if (complete && !rule->complete && strcmp(complete, "no") != 0)
			return blame(l, "complete",
				     rg_error_new(RG_E_USAGE, "is neither yes nor no"));
		RG_TRY(load_table(l));
		RG_TRY(load_target(l));
	} else {
		RG_TRY(load_jobs(l));
	}
	rg_rule_find_tie(rule);
	return NULL;
}

rg_error *rg_rules_load(rg_rules *out, const rg_config *config, unsigned depth)
{
	load_state l = {.config = config, .rules = out, .depth = depth};
	const char *name;

	*out = (rg_rules){0};
	rg_arena_init(&out->arena);
	out->variants = rg_arena_text(&out->arena, rg_config_variants(config));
	if (rg_config_get(config, "jobs.artifact"))
		RG_TRY(load_rule(&l, NULL));
	for (size_t i = 0; rg_config_subsection(config, "source", i, &name); i++)
		for (size_t k = 0;
		     rg_config_subsection_value(config, "source", name, "artifact", k, &l.name);
		     k++)
			RG_TRY(load_rule(&l, name));
	for (size_t i = 0; i < out->count; i++)
		for (size_t k = 0; k < out->items[i].pattern_count; k++)
			*RG_ARENA_PUSH(&out->arena, out->patterns, out->pattern_count,
				       out->pattern_capacity) = out->items[i].patterns[k];
	return NULL;
}

void rg_rules_release(rg_rules *rules)
{
	rg_arena_release(&rules->arena);
	*rules = (rg_rules){0};
}

const rg_rule *rg_rules_jobs(const rg_rules *rules)
{
	return rules->count && rules->items[0].is_jobs ? &rules->items[0] : NULL;
}

bool rg_rule_fits(const rg_rule *rule, const char *name, const rg_name_fields *fixed,
		  rg_name_fields *fields)
{
	*fields = (rg_name_fields){0};
	if (strlen(name) > NAME_MAX_LENGTH)
		return false;
	return rule->artifact ? rg_name_match(rule->artifact, name, fixed, fields)
			      : rg_glob_match(rule->glob, name, RG_GLOB_IGNORE_CASE);
}

uint64_t rg_rules_of(const rg_rules *rules, const char *name, const rg_name_fields *fixed)
{
	rg_name_fields fields;
	uint64_t set = 0;

	for (size_t i = 0; i < rules->count; i++)
		if (rg_rule_fits(&rules->items[i], name, fixed, &fields))
			set |= (uint64_t)1 << i;
	return set;
}

const char *rg_rules_text(const rg_rules *rules, uint64_t set, rg_arena *arena)
{
	rg_buf text = rg_buf_of(RG_BUF_ANY); /* kept in the arena */
	for (size_t i = 0; i < rules->count; i++)
		if (set >> i & 1)
			rg_buf_printf(&text, "%s%s", text.length ? "\n\n" : "",
				      rules->items[i].text);
	return rg_buf_keep(&text, arena);
}

void rg_rules_patterns(const char *const **out, size_t *count, const rg_rules *rules, uint64_t set,
		       rg_arena *arena)
{
	const char **list = rg_arena_alloc(arena, (rules->pattern_count + 1) * sizeof(*list));
	*out = list;
	*count = 0;
	for (size_t i = 0; i < rules->count; i++)
		for (size_t k = 0; set >> i & 1 && k < rules->items[i].pattern_count; k++)
			list[(*count)++] = rules->items[i].patterns[k];
}

rg_member_kind rg_rule_member(const rg_rule *rule, const rg_member_round *round,
			      const rg_member_owner *owner, const char *path,
			      rg_name_fields *fields)
{
	rg_member_kind kind = rg_member_kind_of(round, &rule->members, owner, path, fields);
	/* [jobs] takes what regild.files names under its whole path. */
	if (!fields->fields[RG_FIELD_FILE].start)
		fields->fields[RG_FIELD_FILE] =
			rg_field_of(rule->is_jobs ? path : rg_path_name(path));
	if (!fields->fields[RG_FIELD_PATH].start)
		fields->fields[RG_FIELD_PATH] = rg_field_of(path);
	if (!rule->only || !kind)
		return kind;
	RG_AUTO_FREE char *target = rg_strndup(fields->fields[RG_FIELD_PATH].start,
					       fields->fields[RG_FIELD_PATH].length);
	return rg_globs_take(rule->only, target) ? kind : RG_MEMBER_NONE;
}

bool rg_rules_complete(const rg_rules *rules, const char *path)
{
	rg_name_fields fields;
	for (size_t i = 0; i < rules->count; i++)
		if (rules->items[i].complete &&
		    rg_name_match(rules->items[i].target, path, NULL, &fields))
			return true;
	return false;
}

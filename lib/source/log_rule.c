/* SPDX-License-Identifier: Apache-2.0 */
#include "source/log_rule.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/pattern.h"
#include "source/source.h"

#include <string.h>

enum { RULES_MAX = 64, JOB_NAME_MAX = 1024 };

static const char *const keys[] = {"log", "match", "begin", "end", "metric", "target"};
enum { LOG, MATCH, BEGIN, END, METRIC, TARGET, KEYS };

/* A section on its way. */
typedef struct {
	const rg_config *config;
	const char *name;
	const char *values[KEYS]; /* NULL: not set */
	rg_arena *arena;
} section;

static rg_error *blame(const section *s, int key, rg_error *err)
{
	return rg_source_blame(s->config, s->name, keys[key], err);
}

static rg_error *load_job(rg_log_rule *rule, const section *s)
{
	const unsigned allowed = 1u << RG_FIELD_STAGE | 1u << RG_FIELD_TEST | 1u << RG_FIELD_TAG |
				 1u << RG_FIELD_VARIANT | 1u << RG_FIELD_SHARD | 1u << RG_FIELD_ANY;
	const char *text = s->values[LOG];

	if (!text || !*text)
		return rg_error_new(RG_E_USAGE,
				    "source.%s: needs log, which names the jobs, or artifact",
				    s->name);
	rule->glob = text;
	return strchr(text, '{')
		       ? blame(s, LOG,
			       rg_name_pattern_new(&rule->job, s->arena, text, allowed, "pattern"))
		       : NULL;
}

/* How the golden is found in the log. */
static rg_error *load_format(rg_log_rule *rule, const section *s)
{
	const char *match = s->values[MATCH], *begin = s->values[BEGIN], *end = s->values[END];
	if (!match == !begin || !begin != !end)
		return rg_error_new(RG_E_USAGE, "source.%s: needs either match, or begin and end",
				    s->name);
	rule->format = (rg_log_format){.metric = s->values[METRIC], .begin = begin, .end = end};
	if (!match) {
		if (!*begin || !*end || !strcmp(begin, end))
			return blame(s, END,
				     rg_error_new(RG_E_USAGE,
						  "begin and end are two lines, none of them "
						  "empty"));
		return s->values[METRIC]
			       ? blame(s, METRIC, rg_error_new(RG_E_USAGE, "goes with match only"))
			       : NULL;
	}
	/* A file of text holds a step list, anything else JSON. */
	if (s->values[TARGET] && rg_ends_with(s->values[TARGET], ".txt")) {
		if (s->values[METRIC])
			return blame(s, METRIC,
				     rg_error_new(RG_E_USAGE,
						  "a step list (the target ends in .txt) names no "
						  "metric; value in [table \"*.txt\"] does"));
	} else if (!s->values[METRIC]) {
		rule->format.metric = "value";
	}
	RG_TRY(blame(s, MATCH, rg_line_pattern_new(&rule->match, s->arena, match)));
	rule->format.match = rule->match;
	return NULL;
}

static rg_error *load_target(rg_log_rule *rule, const section *s, const rg_name_pattern *target)
{
	const unsigned allowed = 1u << RG_FIELD_STAGE | 1u << RG_FIELD_TEST | 1u << RG_FIELD_TAG |
				 1u << RG_FIELD_VARIANT | 1u << RG_FIELD_SHARD |
				 1u << RG_FIELD_JOB | 1u << RG_FIELD_FILE;

	if (s->values[TARGET] && !*s->values[TARGET])
		return blame(s, TARGET, rg_error_new(RG_E_USAGE, "is empty"));
	if (s->values[TARGET])
		RG_TRY(blame(s, TARGET,
			     rg_name_pattern_new(&rule->target, s->arena, s->values[TARGET],
						 allowed, "pattern")));
	if (rule->target)
		target = rule->target;
	if (!target)
		return rg_error_new(RG_E_USAGE,
				    "source.%s.target: is not set; it is the golden's path below "
				    "the root",
				    s->name);
	if (rule->job && rg_name_pattern_has(target, RG_FIELD_STAGE) &&
	    !rg_name_pattern_has(rule->job, RG_FIELD_STAGE))
		return blame(s, LOG,
			     rg_error_new(RG_E_USAGE, "has no {stage}, which the target needs"));
	return NULL;
}

static void join_values(rg_log_rule *rule, const section *s)
{
	rg_buf text = rg_buf_of(RG_BUF_ANY); /* kept in the arena */
	rg_buf_printf(&text, "[source \"%s\"]", s->name);
	for (int i = 0; i < KEYS; i++)
		if (s->values[i])
			rg_buf_printf(&text, "\n%s = %s", keys[i], s->values[i]);
	/* Before there were any, such a target held JSON. */
	if (rule->match && !rule->format.metric)
		rg_buf_str(&text, "\na step list");
	rule->text = rg_buf_keep(&text, s->arena);
}

static rg_error *load_rule(rg_log_rule *rule, section *s, const rg_name_pattern *target)
{
	RG_TRY(rg_source_check_keys(s->config, s->name, keys, KEYS,
				    "a log; there are log, match, begin, end, metric and target"));
	for (int i = 0; i < KEYS; i++)
		s->values[i] = rg_text_copy(
			s->arena, rg_config_subsection_get(s->config, "source", s->name, keys[i]));
	rule->name = s->name;
	RG_TRY(load_job(rule, s));
	RG_TRY(load_format(rule, s));
	RG_TRY(load_target(rule, s, target));
	/* {file} stands for it, and the golden is staged as it. */
	rule->file =
		rg_arena_textf(s->arena, "%s.%s", s->name, rule->format.metric ? "json" : "txt");
	if (strchr(rule->file, '/') || rg_path_fault(rule->file))
		return rg_error_new(RG_E_USAGE,
				    "source.%s: the name is a file's, and cannot be that", s->name);
	join_values(rule, s);
	return NULL;
}

rg_error *rg_log_rules_load(rg_log_rules *out, const rg_config *config,
			    const rg_name_pattern *target)
{
	const char *name;
	*out = (rg_log_rules){0};
	rg_arena_init(&out->arena);
	for (size_t i = 0; rg_config_subsection(config, "source", i, &name); i++) {
		section s = {.config = config, .arena = &out->arena};
		if (rg_config_subsection_get(config, "source", name, "artifact"))
			continue; /* rule.c has it */
		if (out->count == RULES_MAX)
			return rg_error_new(RG_E_USAGE, "source: more than %d sections", RULES_MAX);
		s.name = rg_arena_text(&out->arena, name);
		RG_TRY(load_rule(RG_ARENA_PUSH(&out->arena, out->items, out->count, out->capacity),
				 &s, target));
	}
	return NULL;
}

void rg_log_rules_release(rg_log_rules *rules)
{
	rg_arena_release(&rules->arena);
	*rules = (rg_log_rules){0};
}

bool rg_log_rule_fits(const rg_log_rule *rule, const rg_name_pattern *jobs_name, const char *job,
		      rg_name_fields *fields)
{
	*fields = (rg_name_fields){0};
	if (strlen(job) > JOB_NAME_MAX)
		return false;
	if (rule->job && !rg_name_match(rule->job, job, NULL, fields))
		return false;
	if (!rule->job && !rg_glob_match(rule->glob, job, RG_GLOB_IGNORE_CASE | RG_GLOB_ANY_SLASH))
		return false;
	if (!rule->job && (!jobs_name || !rg_name_match(jobs_name, job, NULL, fields)))
		*fields = (rg_name_fields){0};
	rg_fields_name_test(fields, job);
	return true;
}

const char *rg_section_of_target(const rg_rules *rules, const rg_log_rules *logs, const char *below,
				 rg_name_fields *fields)
{
	for (size_t i = 0; i < rules->count; i++)
		if (rg_name_match(rules->items[i].target, below, NULL, fields))
			return rules->items[i].name;
	for (size_t i = 0; logs && i < logs->count; i++)
		if (logs->items[i].target &&
		    rg_name_match(logs->items[i].target, below, NULL, fields))
			return logs->items[i].name;
	*fields = (rg_name_fields){0};
	return NULL;
}

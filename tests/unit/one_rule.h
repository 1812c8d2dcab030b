/* SPDX-License-Identifier: Apache-2.0 */
#ifndef UNIT_ONE_RULE_H
#define UNIT_ONE_RULE_H

#include "source/rule.h"

/* Rules that are [jobs] alone, out of patterns that the test owns; any may be NULL. */
typedef struct {
	rg_rules rules;
	rg_rule rule;
} one_rule;

static inline void one_rule_init(one_rule *one, rg_name_pattern *job, rg_name_pattern *artifact,
				 rg_name_pattern *target)
{
	*one = (one_rule){.rule = {.name = "jobs",
				   .is_jobs = true,
				   .job = job,
				   .artifact = artifact,
				   .glob = "*",
				   .target = target,
				   .text = ""}};
	one->rules.items = &one->rule;
	one->rules.count = 1;
	rg_rule_find_tie(&one->rule);
}

/* What its members are asked for by, with `text` for the cache. */
static inline void one_rule_files(one_rule *one, const char **files, size_t count, const char *text)
{
	one->rule.patterns = files;
	one->rule.pattern_count = one->rules.pattern_count = count;
	one->rule.members.files = files;
	one->rule.members.file_count = count;
	one->rule.text = text;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_LOG_RULE_H
#define REGILD_SOURCE_LOG_RULE_H

#include "base/error.h"
#include "base/memory.h"
#include "base/name_pattern.h"
#include "source/log_scan.h"
#include "source/rule.h"
#include "config/config.h"

/*
 * [source "NAME"]: the jobs whose logs hold a golden, how it is found there, and where it belongs.
 * See regild-config(5).
 */
typedef struct {
	const char *name;
	rg_name_pattern *job;    /* of the jobs' names; NULL: `glob` */
	const char *glob;        /* where that has no fields */
	rg_name_pattern *target; /* NULL: jobs.target */
	const char *file;        /* for {file}: "NAME.json" or "NAME.txt" */
	const char *text;        /* all of its settings in one text: what was kept under another
				    one is no answer */
	rg_line_pattern *match;
	rg_log_format format; /* all but its `max` */
} rg_log_rule;

typedef struct {
	rg_log_rule *items; /* as they are in the configuration */
	size_t count, capacity;
	rg_arena arena;
} rg_log_rules;

/* Sections with `artifact` are not logs. `target` is jobs.target, or NULL. RG_E_USAGE, naming the
 * key, for what does not make sense. Released whatever comes back. */
RG_CHECKED rg_error *rg_log_rules_load(rg_log_rules *out, const rg_config *config,
				       const rg_name_pattern *target);
void rg_log_rules_release(rg_log_rules *rules);

/*
 * Is it for jobs of that name? *fields, into `job`, are those of the rule's own pattern; where it
 * has none, those of `jobs_name` (jobs.name, or NULL), or where that does not fit, the whole name
 * as {test}.
 */
bool rg_log_rule_fits(const rg_log_rule *rule, const rg_name_pattern *jobs_name, const char *job,
		      rg_name_fields *fields);
/* The section whose target a path below the root fits, and the fields that it has by it: [jobs]
 * first, then those with artifacts, then those with logs; NULL: none. `logs` may be NULL. */
const char *rg_section_of_target(const rg_rules *rules, const rg_log_rules *logs, const char *below,
				 rg_name_fields *fields);

#endif

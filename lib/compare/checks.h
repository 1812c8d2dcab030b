/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_CHECKS_H
#define REGILD_COMPARE_CHECKS_H

#include "base/cleanup.h"
#include "compare/rules.h"

/*
 * The project's own checks, which its tests make of a golden and a run's values: the
 * [check "NAME"] sections. A section "NAME:PATTERN" overrides keys for the metrics that match its
 * pattern; the most specific pattern (rg_glob_weight) has the last word, key by key.
 *
 *	checks = rg_checks_new();
 *	for each key of each section:
 *		rg_checks_set(checks, "approximate", "rtol", &value, 1);
 *	rg_checks_finish(checks);
 */

/* A row has a bit for each. */
enum { RG_CHECKS_MAX = 32 };

/* "NAME in FILE": what the file FILE beside a golden says under the name. */
typedef struct {
	const char *name, *file;
} rg_checks_setting;

typedef struct rg_checks_section rg_checks_section;

typedef struct {
	const char *name;
	const rg_tool_rule *rule; /* a tool's; NULL: Megatron-LM's, with the keys of this page */
	const char **patterns;    /* of metrics; none: the check is switched off */
	size_t pattern_count;
	rg_checks_setting listed; /* only metrics of this list; no name: all */
	const char **otherwise;   /* where there is no such list: only these */
	size_t otherwise_count;
	rg_checks_setting *unless; /* where one of these is 1 the check is left out */
	size_t unless_count;
	rg_checks_section *sections; /* what it asks for; its own first, then by weight */
	size_t section_count;
	bool exact; /* its own section has no tolerance */
} rg_checks_check;

typedef struct rg_checks {
	rg_checks_check items[RG_CHECKS_MAX]; /* in the order of their sections */
	size_t count;
	rg_arena arena;
} rg_checks;

rg_checks *rg_checks_new(void);
void rg_checks_free(rg_checks *checks);
RG_FREE_AT(rg_checks)

/*
 * Sets a key of the section [check "NAME"] or [check "NAME:PATTERN"] to its values (all copied):
 * several of "metric", "otherwise", "unless" and "steps", of the other keys the last one. "rule"
 * comes first: it says which other keys there are.
 * RG_E_USAGE for an unknown key or a value that does not fit; RG_E_LIMIT for too many checks.
 */
RG_CHECKED rg_error *rg_checks_set(rg_checks *checks, const char *section, const char *key,
				   const char *const *values, size_t count);
/* Comes after the last key. RG_E_USAGE for a section "NAME:PATTERN" whose check has no section. */
RG_CHECKED rg_error *rg_checks_finish(const rg_checks *checks);

/* RG_CHECKS_MAX where there is none of that name. */
size_t rg_checks_find(const rg_checks *checks, const char *name);
/* Does one of the check's patterns match the metric? */
bool rg_checks_match(const rg_checks_check *check, const char *metric);
/* Does a listed name mean the metric? It is its name, or that of a request's field: "logprobs" is
 * "0/logprobs", too. */
bool rg_checks_names(const char *listed, const char *metric);
void rg_checks_resolve(const rg_checks_check *check, const char *metric, rg_checks_limits *out);

#endif

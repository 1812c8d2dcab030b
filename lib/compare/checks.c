/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/checks.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	KEY_DECIMALS,
	KEY_RTOL,
	KEY_ATOL,
	KEY_OUTLIERS,
	KEY_STEPS,
	KEY_FALLBACK,
	KEY_AGGREGATE,
	KEYS
};

struct rg_checks_section {
	const char *pattern; /* "": the check's own */
	size_t weight;
	unsigned sets; /* the keys, by their bits */
	rg_checks_limits values;
};

/* Returns what the key takes, if the value does not fit. */
typedef const char *parse_fn(rg_checks_limits *out, const char *text);

rg_checks *rg_checks_new(void)
{
	return rg_calloc(1, sizeof(rg_checks));
}

void rg_checks_free(rg_checks *checks)
{
	if (!checks)
		return;
	for (size_t i = 0; i < checks->count; i++)
		free(checks->items[i].sections);
	rg_arena_release(&checks->arena);
	free(checks);
}

/* --- the parts of values --- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The text on both sides of a word, without blanks; false if the word is not there. */
static bool split(const char *text, const char *word, const char **left, size_t *left_length,
		  const char **right)
{
	const char *at = strstr(text, word);
	if (!at)
		return false;
	*right = at + strlen(word);
	while (is_blank(**right))
		(*right)++;
	while (text < at && is_blank(*text))
		text++;
	while (text < at && is_blank(at[-1]))
		at--;
	*left = text;
	*left_length = (size_t)(at - text);
	return true;
}

static const char *parse_tolerance(double *out, const char *text)
{
	if (!rg_fraction_parse(text, strlen(text), out) || !isfinite(*out) || *out < 0)
		return "a number of 0 or more";
	*out = fabs(*out);
	return NULL;
}

static const char *parse_rtol(rg_checks_limits *out, const char *text)
{
	return parse_tolerance(&out->rtol, text);
}

static const char *parse_atol(rg_checks_limits *out, const char *text)
{
	return strchr(text, '%') ? "a number: only fractions take '%'"
				 : parse_tolerance(&out->atol, text);
}

static bool parse_count(const char *text, size_t length, size_t *out)
{
	uint64_t value;
	if (!rg_uint64_parse(text, length, &value) || value > SIZE_MAX)
		return false;
	*out = (size_t)value;
	return true;
}

static const char *parse_decimals(rg_checks_limits *out, const char *text)
{
	size_t value;
	if (!parse_count(text, strlen(text), &value) || value > RG_CHECKS_DECIMALS_MAX)
		return "a number of decimals from 0 to 15";
	out->decimals = (int)value;
	return NULL;
}

/* "1%", "1% up to 50", "3" */
static const char *parse_outliers(rg_checks_limits *out, const char *text)
{
	static const char wanted[] = "a share or a number of steps: 1%, '1% up to 50' or 3";
	const char *share, *most;
	size_t length;

	out->outlier_share = 0;
	out->outlier_max = SIZE_MAX;
	if (!split(text, "%", &share, &length, &most))
		return parse_count(text, strlen(text), &out->outlier_max) ? NULL : wanted;
	if (!rg_double_parse(share, length, &out->outlier_share) || !(out->outlier_share > 0) ||
	    !(out->outlier_share <= 100))
		return wanted;
	if (!*most)
		return NULL;
	if (strncasecmp(most, "up to ", 6) != 0)
		return wanted;
	most += 6;
	return parse_count(most, strlen(most), &out->outlier_max) ? NULL : wanted;
}

static bool parse_range(const char *text, size_t length, rg_checks_window *out)
{
	size_t dots = 0;
	while (dots + 1 < length && (text[dots] != '.' || text[dots + 1] != '.'))
		dots++;
	if (dots + 1 >= length || (!dots && length == 2))
		return false;
	out->first = INT64_MIN;
	out->last = INT64_MAX;
	if (dots && !rg_int64_parse(text, dots, &out->first))
		return false;
	if (dots + 2 < length && !rg_int64_parse(text + dots + 2, length - dots - 2, &out->last))
		return false;
	return out->first <= out->last;
}

/* "5..20 if last <= 25", "30..45"; one more window. */
static const char *parse_steps(rg_checks_limits *out, const char *text)
{
	static const char wanted[] = "a range of steps: 30..45, 5.., or '5..20 if last <= 25'";
	rg_checks_window window = {.up_to = INT64_MAX};
	const char *range = text, *up_to;
	size_t length = strlen(text);

	if (out->window_count == RG_CHECKS_WINDOWS_MAX)
		return "one of at most 8 ranges";
	if (split(text, "if last <=", &range, &length, &up_to) &&
	    !rg_int64_parse(up_to, strlen(up_to), &window.up_to))
		return wanted;
	if (!parse_range(range, length, &window))
		return wanted;
	out->windows[out->window_count++] = window;
	return NULL;
}

/* "first 4" */
static const char *parse_fallback(rg_checks_limits *out, const char *text)
{
	if (strncasecmp(text, "first ", 6) != 0 ||
	    !parse_count(text + 6, strlen(text + 6), &out->fallback) || !out->fallback)
		return "so many steps of the window's start on: 'first 4'";
	return NULL;
}

static const char *parse_aggregate(rg_checks_limits *out, const char *text)
{
	static const char *const names[] = {[RG_AGGREGATE_NONE] = "none",
					    [RG_AGGREGATE_MEAN] = "mean",
					    [RG_AGGREGATE_MEDIAN] = "median",
					    [RG_AGGREGATE_MAX] = "max"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcasecmp(names[i], text)) {
			out->aggregate = (rg_aggregate)i;
			return NULL;
		}
	return "one of none, mean, median, max";
}

#define MEMBER(first, after)               \
	offsetof(rg_checks_limits, first), \
		offsetof(rg_checks_limits, after) - offsetof(rg_checks_limits, first)
/* With the members of the limits that a key sets: from one on, before another. */
static const struct {
	const char *name;
	parse_fn *parse;
	size_t at, size;
} keys[KEYS] = {
	[KEY_DECIMALS] = {"decimals", parse_decimals, MEMBER(decimals, rtol)},
	[KEY_RTOL] = {"rtol", parse_rtol, MEMBER(rtol, atol)},
	[KEY_ATOL] = {"atol", parse_atol, MEMBER(atol, outlier_share)},
	[KEY_OUTLIERS] = {"outliers", parse_outliers, MEMBER(outlier_share, windows)},
	[KEY_STEPS] = {"steps", parse_steps, MEMBER(windows, fallback)},
	[KEY_FALLBACK] = {"fallback", parse_fallback, MEMBER(fallback, aggregate)},
	[KEY_AGGREGATE] = {"aggregate", parse_aggregate, MEMBER(aggregate, rule)},
};

static const rg_checks_limits nothing = {.decimals = -1};

/* Adds what a section sets; the keys of a tool's rule come after the others. */
static void overlay(rg_checks_limits *out, const rg_checks_section *s)
{
	for (size_t i = 0; i < KEYS; i++)
		if (s->sets >> i & 1)
			memcpy((char *)out + keys[i].at, (const char *)&s->values + keys[i].at,
			       keys[i].size);
	for (size_t i = 0; i < RG_TOOL_PARAMETERS; i++)
		if (s->sets >> (KEYS + i) & 1)
			out->parameters[i] = s->values.parameters[i];
}

static void start(rg_checks_limits *out, const rg_tool_rule *rule)
{
	*out = nothing;
	out->rule = rule;
	for (size_t i = 0; rule && i < RG_TOOL_PARAMETERS; i++)
		out->parameters[i] = rule->parameters[i].standard;
}

/* --- sections --- */

static rg_error *find_check(rg_checks *checks, const char *name, size_t length,
			    rg_checks_check **out)
{
	for (size_t i = 0; i < checks->count; i++)
		if (strlen(checks->items[i].name) == length &&
		    !memcmp(checks->items[i].name, name, length)) {
			*out = &checks->items[i];
			return NULL;
		}
	if (checks->count == RG_CHECKS_MAX)
		return rg_error_new(RG_E_LIMIT, "there are more than %d checks", RG_CHECKS_MAX);
	*out = &checks->items[checks->count];
	**out = (rg_checks_check){.exact = true};
	(*out)->name = rg_arena_copy(&checks->arena, name, length);
	checks->count++;
	return NULL;
}

/* The check's own one is the least specific. */
static bool comes_before(const rg_checks_section *a, const rg_checks_section *b)
{
	if (!*a->pattern || !*b->pattern)
		return *b->pattern != '\0';
	return a->weight < b->weight;
}

static rg_checks_section *find_section(rg_checks *checks, rg_checks_check *check,
				       const char *pattern)
{
	rg_checks_section made = {.values = nothing};
	size_t at = check->section_count;
	rg_checks_section *sections;

	for (size_t i = 0; i < check->section_count; i++)
		if (!strcmp(check->sections[i].pattern, pattern))
			return &check->sections[i];
	made.pattern = rg_arena_text(&checks->arena, pattern);
	made.weight = rg_glob_weight(pattern);
	sections = rg_realloc(check->sections, (check->section_count + 1) * sizeof(*sections));
	check->sections = sections;
	for (; at && comes_before(&made, &sections[at - 1]); at--)
		sections[at] = sections[at - 1];
	sections[at] = made;
	check->section_count++;
	return &sections[at];
}

static rg_error *refuse(const char *section, const char *key, const char *value, const char *wanted)
{
	return rg_error_new(RG_E_USAGE, "check \"%s\": %s: '%s' is not %s", section, key, value,
			    wanted);
}

/* --- the keys of a check as a whole --- */

/* Empty ones count for nothing: "metric =" switches a check off. */
static void set_names(rg_checks *checks, const char ***out, size_t *out_count,
		      const char *const *values, size_t count)
{
	const char **names = rg_arena_alloc(&checks->arena, count * sizeof(*names));
	*out = names;
	*out_count = 0;
	for (size_t i = 0; i < count; i++)
		if (*values[i])
			names[(*out_count)++] = rg_arena_text(&checks->arena, values[i]);
}

/* A file beside the golden: a name, and no way out of its folder. */
static bool is_file_name(const char *name)
{
	return *name && !strchr(name, '/') && !strchr(name, '\\') && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0;
}

static rg_error *parse_setting(rg_checks *checks, rg_checks_setting *out, const char *section,
			       const char *key, const char *value)
{
	const char *name, *file;
	size_t length;

	if (!split(value, " in ", &name, &length, &file) || !length || !is_file_name(file))
		return refuse(section, key, value,
			      "NAME in FILE, with a file in the golden's own folder");
	out->name = rg_arena_copy(&checks->arena, name, length);
	out->file = rg_arena_text(&checks->arena, file);
	return NULL;
}

static void set_exact(rg_checks_check *check)
{
	rg_checks_limits limits;
	start(&limits, check->rule);
	if (check->section_count && !*check->sections->pattern)
		overlay(&limits, check->sections);
	check->exact = rg_checks_limits_are_exact(&limits);
}

/* Sets a parameter of a tool's rule. */
static rg_error *set_parameter(rg_checks *checks, rg_checks_check *check, const char *section,
			       const char *key, const char *value)
{
	const rg_tool_rule *rule = check->rule;
	const char *colon = strchr(section, ':');
	rg_checks_section *s = find_section(checks, check, colon ? colon + 1 : "");
	const bool yes = !strcasecmp(value, "yes");
	size_t i = 0;

	while (i < RG_TOOL_PARAMETERS &&
	       (!rule->parameters[i].name || strcasecmp(rule->parameters[i].name, key) != 0))
		i++;
	if (i == RG_TOOL_PARAMETERS)
		return rg_error_new(RG_E_USAGE, "check \"%s\": '%s' is not a parameter of %s (%s)",
				    section, key, rule->name, rule->follows);
	double *out = &s->values.parameters[i];
	*out = yes;
	/* Only Octave's tol may be negative. */
	if (!yes && strcasecmp(value, "no") != 0 &&
	    (!rg_double_parse(value, strlen(value), out) || isnan(*out) ||
	     (*out < 0 && strcasecmp(key, "tol") != 0)))
		return refuse(section, key, value, "a number of 0 or more, yes or no");
	s->sets |= 1u << (KEYS + i);
	set_exact(check);
	return NULL;
}

/* *done is false for a key that is not one of these. */
static rg_error *set_whole(rg_checks *checks, rg_checks_check *check, const char *key,
			   const char *const *values, size_t count, bool *done)
{
	const char *last = values[count - 1];

	*done = true;
	if (!strcasecmp(key, "metric")) {
		set_names(checks, &check->patterns, &check->pattern_count, values, count);
	} else if (!strcasecmp(key, "otherwise")) {
		set_names(checks, &check->otherwise, &check->otherwise_count, values, count);
	} else if (!strcasecmp(key, "unless")) {
		check->unless = rg_arena_alloc(&checks->arena, count * sizeof(*check->unless));
		check->unless_count = 0;
		for (size_t i = 0; i < count; i++)
			if (*values[i])
				RG_TRY(parse_setting(checks, &check->unless[check->unless_count++],
						     check->name, "unless", values[i]));
	} else if (!strcasecmp(key, "rule")) {
		check->rule = rg_tool_rule_find(last);
		if (!check->rule)
			return refuse(check->name, key, last, "a rule that regild-equal(7) lists");
		set_exact(check);
	} else if (!strcasecmp(key, "listed")) {
		check->listed = (rg_checks_setting){0};
		if (*last)
			return parse_setting(checks, &check->listed, check->name, "listed", last);
	} else {
		*done = false;
	}
	return NULL;
}

rg_error *rg_checks_set(rg_checks *checks, const char *section, const char *key,
			const char *const *values, size_t count)
{
	size_t length = strcspn(section, ":"), i = 0;
	const char *pattern = section[length] ? section + length + 1 : "";
	rg_checks_check *check;
	bool done = false;

	if (!length || strcspn(section, ", ") < length)
		return rg_error_new(RG_E_USAGE,
				    "check \"%s\": a check's name has no blank and no comma",
				    section);
	RG_TRY(find_check(checks, section, length, &check));
	if (!section[length])
		RG_TRY(set_whole(checks, check, key, values, count, &done));
	if (done)
		return NULL;
	if (check->rule && check->rule->equal)
		return set_parameter(checks, check, section, key, values[count - 1]);
	while (i < KEYS && strcasecmp(keys[i].name, key) != 0)
		i++;
	if (i == KEYS)
		return rg_error_new(
			RG_E_USAGE,
			"check \"%s\": '%s' is not one of its keys: %sdecimals, rtol, atol, "
			"outliers, steps, fallback, aggregate",
			section, key,
			section[length] ? "" : "metric, listed, otherwise, unless, rule, ");
	rg_checks_section *s = find_section(checks, check, pattern);
	if (i == KEY_STEPS)
		s->values.window_count = 0;
	/* Only steps take several values; of the others the last one counts. */
	for (size_t k = i == KEY_STEPS ? 0 : count - 1; k < count; k++) {
		const char *wanted = keys[i].parse(&s->values, values[k]);
		if (wanted)
			return refuse(section, keys[i].name, values[k], wanted);
	}
	s->sets |= 1u << i;
	set_exact(check);
	return NULL;
}

rg_error *rg_checks_finish(const rg_checks *checks)
{
	for (size_t i = 0; i < checks->count; i++)
		if (!checks->items[i].patterns)
			return rg_error_new(RG_E_USAGE,
					    "check \"%s\": it names no metric; add 'metric = *' "
					    "to [check \"%s\"]",
					    checks->items[i].name, checks->items[i].name);
	return NULL;
}

/* --- looking up --- */

size_t rg_checks_find(const rg_checks *checks, const char *name)
{
	size_t i = 0;
	while (checks && i < checks->count && strcmp(checks->items[i].name, name) != 0)
		i++;
	return checks && i < checks->count ? i : RG_CHECKS_MAX;
}

bool rg_checks_match(const rg_checks_check *check, const char *metric)
{
	for (size_t i = 0; i < check->pattern_count; i++)
		if (rg_glob_match(check->patterns[i], metric, RG_GLOB_ANY_SLASH))
			return true;
	return false;
}

bool rg_checks_names(const char *listed, const char *metric)
{
	const char *field = strrchr(metric, '/');
	return !strcmp(listed, metric) || (field && !strcmp(listed, field + 1));
}

void rg_checks_resolve(const rg_checks_check *check, const char *metric, rg_checks_limits *out)
{
	start(out, check->rule);
	for (size_t i = 0; i < check->section_count; i++) {
		const rg_checks_section *s = &check->sections[i];
		if (!*s->pattern || rg_glob_match(s->pattern, metric, RG_GLOB_ANY_SLASH))
			overlay(out, s);
	}
}

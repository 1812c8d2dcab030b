/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/policy.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/pattern.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
	const char *pattern;
	const char *files; /* NULL: all */
	bool is_default;
	size_t files_weight, weight;
	unsigned sets;     /* the keys, by their bits */
	unsigned percents; /* those of them that are in per cent */
	rg_metric_policy values;
} section;

struct rg_policy {
	section *sections; /* defaults first, then the least specific ones */
	size_t count, capacity;
	rg_arena arena;
};

static const char *const kind_names[] = {
	"relative", "absolute", "combined", "ulp", "exact", "allclose", "ignore", NULL,
};
static const char *const nan_names[] = {"fault", "placeholder", NULL};
static const char *const direction_names[] = {"both", "lower", "higher", NULL};
static const char *const score_names[] = {"max", "mean", NULL};
static const char *const aggregate_names[] = {"none", "mean", "median", "max", NULL};
static const char *const duration_names[] = {"by-unit", "yes", "no", "rate", NULL};

/* The keys of a section. */
enum {
	KEY_NOISE,
	KEY_FLAG,
	KEY_FAIL,
	KEY_KIND,
	KEY_RTOL,
	KEY_ATOL,
	KEY_FLOOR,
	KEY_NEAR_ZERO,
	KEY_STEPS,
	KEY_NAN,
	KEY_DIRECTION,
	KEY_AGGREGATE,
	KEY_SCORE,
	KEY_DURATION,
	KEY_MISSING,
	KEYS
};

#define OF(field) \
	.offset = offsetof(rg_metric_policy, field), .size = sizeof(((rg_metric_policy *)0)->field)

/* Each key's place in the values, and the names that its values may have (NULL: numbers). */
static const struct {
	const char *name;
	size_t offset, size;
	const char *const *names;
	bool fraction; /* may be in per cent */
} keys[KEYS] = {
	[KEY_NOISE] = {"noise", OF(noise), .fraction = true},
	[KEY_FLAG] = {"flag", OF(flag), .fraction = true},
	[KEY_FAIL] = {"fail", OF(fail), .fraction = true},
	[KEY_KIND] = {"kind", OF(kind), kind_names},
	[KEY_RTOL] = {"rtol", OF(rtol), .fraction = true},
	[KEY_ATOL] = {"atol", OF(atol)},
	[KEY_FLOOR] = {"floor", OF(floor)},
	[KEY_NEAR_ZERO] = {"near-zero", OF(near_zero)},
	[KEY_STEPS] = {.name = "steps"}, /* three values: parse_steps */
	[KEY_NAN] = {"nan", OF(nan), nan_names},
	[KEY_DIRECTION] = {"direction", OF(direction), direction_names},
	[KEY_AGGREGATE] = {"aggregate", OF(aggregate), aggregate_names},
	[KEY_SCORE] = {"score", OF(score), score_names},
	[KEY_DURATION] = {"duration", OF(duration), duration_names},
	[KEY_MISSING] = {"missing", OF(missing)},
};

rg_policy *rg_policy_new(void)
{
	return rg_calloc(1, sizeof(rg_policy));
}

void rg_policy_free(rg_policy *policy)
{
	if (!policy)
		return;
	free(policy->sections);
	rg_arena_release(&policy->arena);
	free(policy);
}

/* KEYS where there is no such key. */
static size_t find_key(const char *name)
{
	size_t i = 0;
	while (i < KEYS && strcasecmp(keys[i].name, name) != 0)
		i++;
	return i;
}

static bool sets(const section *s, size_t key)
{
	return s->sets >> key & 1;
}

static bool comes_before(const section *a, const section *b)
{
	if (a->is_default != b->is_default)
		return a->is_default;
	if (!a->files != !b->files)
		return !a->files;
	if (a->files_weight != b->files_weight)
		return a->files_weight < b->files_weight;
	return a->weight < b->weight;
}

/* The section of those files (NULL: all) and that pattern. A missing one is made, after those of
 * equal weight. */
static section *find_section(rg_policy *policy, const char *files, const char *pattern,
			     bool is_default)
{
	section made = {.is_default = is_default,
			.files_weight = files ? rg_glob_weight(files) : 0,
			.weight = rg_glob_weight(pattern)};
	size_t at = policy->count;

	for (size_t i = 0; i < policy->count; i++) {
		section *s = &policy->sections[i];
		if (s->is_default == is_default && !s->files == !files &&
		    (!files || !strcmp(s->files, files)) && !strcmp(s->pattern, pattern))
			return s;
	}
	made.pattern = rg_arena_text(&policy->arena, pattern);
	if (files)
		made.files = rg_arena_text(&policy->arena, files);
	rg_grow(&policy->sections, &policy->capacity, policy->count + 1, sizeof(*policy->sections));
	while (at && comes_before(&made, &policy->sections[at - 1])) {
		policy->sections[at] = policy->sections[at - 1];
		at--;
	}
	policy->sections[at] = made;
	policy->count++;
	return &policy->sections[at];
}

static bool parse_level(const char *text, double *out)
{
	if (!rg_fraction_parse(text, strlen(text), out) || !isfinite(*out) || *out < 0)
		return false;
	*out = fabs(*out); /* not -0, which messages would show */
	return true;
}

/* Any finite number, or "none". */
static bool parse_missing(const char *text, double *out)
{
	if (strcasecmp(text, "none") != 0)
		return rg_double_parse(text, strlen(text), out) && isfinite(*out);
	*out = NAN;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* "5..20", "5..", "..20", "last 10"; nothing that holds no step. */
static bool parse_steps(const char *text, rg_metric_policy *out)
{
	const char *dots = strstr(text, "..");
	uint64_t last;

	out->first_step = INT64_MIN;
	out->last_step = INT64_MAX;
	out->last_steps = 0;
	if (!strncasecmp(text, "last", 4) && is_blank(text[4])) {
		text += 4;
		while (is_blank(*text))
			text++;
		if (!rg_uint64_parse(text, strlen(text), &last) || !last || last > SIZE_MAX)
			return false;
		out->last_steps = (size_t)last;
		return true;
	}
	if (!dots || (dots == text && !dots[2]))
		return false;
	if (dots != text && !rg_int64_parse(text, (size_t)(dots - text), &out->first_step))
		return false;
	if (dots[2] && !rg_int64_parse(dots + 2, strlen(dots + 2), &out->last_step))
		return false;
	return out->first_step <= out->last_step;
}

static bool is_percent(const char *text)
{
	return strchr(text, '%') != NULL;
}

static rg_error *refuse(const section *s, size_t key, const char *value)
{
	const char *const *names = keys[key].names;
	char wanted[96] = "a number of 0 or more";
	size_t length = 0;

	if (!names && !keys[key].fraction && is_percent(value))
		snprintf(wanted, sizeof(wanted), "%s", "a number: only fractions take '%'");
	if (key == KEY_STEPS)
		snprintf(wanted, sizeof(wanted), "a range of steps: 5..20, 5.., ..20 or 'last 10'");
	if (key == KEY_MISSING)
		snprintf(wanted, sizeof(wanted), "a number or 'none'");
	for (size_t i = 0; names && names[i] && length < sizeof(wanted); i++)
		length += (size_t)snprintf(wanted + length, sizeof(wanted) - length, "%s%s",
					   i ? ", " : "one of ", names[i]);
	return rg_error_new(RG_E_USAGE, "%s \"%s%s%s\": %s: '%s' is not %s",
			    s->files ? "golden" : "metric", s->files ? s->files : "",
			    s->files ? ":" : "", s->pattern, keys[key].name, value, wanted);
}

static rg_error *set_value(section *s, size_t key, const char *value)
{
	const char *const *names = keys[key].names;
	char *to = (char *)&s->values + keys[key].offset;
	double level;
	int i = 0;

	if (key == KEY_STEPS)
		return parse_steps(value, &s->values) ? NULL : refuse(s, key, value);
	if (!names) {
		if ((is_percent(value) && !keys[key].fraction) ||
		    !(key == KEY_MISSING ? parse_missing : parse_level)(value, &level))
			return refuse(s, key, value);
		memcpy(to, &level, sizeof(level));
		return NULL;
	}
	while (names[i] && strcasecmp(names[i], value) != 0)
		i++;
	if (!names[i])
		return refuse(s, key, value);
	memcpy(to, &i, sizeof(i));
	return NULL;
}

/* Sets a key in a section [golden "FILES:PATTERN"] or [metric "PATTERN"]. */
static rg_error *set(rg_policy *policy, bool of_golden, const char *name, const char *key,
		     const char *value, bool is_default)
{
	const char *colon = of_golden ? strchr(name, ':') : NULL;
	const size_t found = find_key(key);

	if (of_golden && (!colon || colon == name || !colon[1]))
		return rg_error_new(RG_E_USAGE,
				    "golden \"%s\": is not \"FILES:METRIC\", a glob of files, a "
				    "colon and a glob of metrics",
				    name);
	if (found == KEYS) {
		RG_AUTO(rg_buf) known = rg_buf_of(RG_BUF_ANY);
		for (size_t i = 0; i < KEYS; i++)
			rg_buf_printf(&known, "%s%s", i ? ", " : "", keys[i].name);
		return rg_error_new(RG_E_USAGE, "%s \"%s\": '%s' is not one of its keys: %s",
				    of_golden ? "golden" : "metric", name, key, known.data);
	}
	RG_AUTO_FREE char *files = colon ? rg_strndup(name, (size_t)(colon - name)) : NULL;
	section *s = find_section(policy, files, colon ? colon + 1 : name, is_default);
	RG_TRY(set_value(s, found, value));
	s->sets |= 1u << found;
	s->percents &= ~(1u << found);
	s->percents |= (unsigned)is_percent(value) << found;
	return NULL;
}

rg_error *rg_policy_set(rg_policy *policy, const char *pattern, const char *key, const char *value)
{
	return set(policy, false, pattern, key, value, false);
}

rg_error *rg_policy_set_default(rg_policy *policy, bool of_golden, const char *name,
				const char *key, const char *value)
{
	return set(policy, of_golden, name, key, value, true);
}

rg_error *rg_policy_set_of_golden(rg_policy *policy, const char *name, const char *key,
				  const char *value)
{
	return set(policy, true, name, key, value, false);
}

bool rg_policy_has(const rg_policy *policy, const char *pattern, const char *key)
{
	size_t found = find_key(key);
	for (size_t i = 0; found < KEYS && policy && i < policy->count; i++) {
		const section *s = &policy->sections[i];
		if (!s->is_default && !s->files && !strcmp(s->pattern, pattern))
			return sets(s, found);
	}
	return false;
}

const char *rg_policy_idle_tolerances(const rg_policy *policy)
{
	const char *idle = NULL;
	for (size_t i = 0; i < policy->count; i++) {
		const section *s = &policy->sections[i];
		if (sets(s, KEY_KIND) &&
		    (s->values.kind == RG_POLICY_COMBINED || s->values.kind == RG_POLICY_ALLCLOSE))
			return NULL;
		if (!idle && (sets(s, KEY_RTOL) || sets(s, KEY_ATOL)))
			idle = s->pattern;
	}
	return idle;
}

/* Metrics first: most sections with files are of one metric among a few. */
static bool is_for(const section *s, const char *file, const char *metric)
{
	return rg_glob_match(s->pattern, metric, RG_GLOB_ANY_SLASH) &&
	       (!s->files || (file && rg_glob_match_end(s->files, file)));
}

/* The kind that the section's levels have, if its patterns were a file and a metric. */
static rg_policy_kind kind_at(const rg_policy *policy, size_t place)
{
	const section *at = &policy->sections[place];
	rg_policy_kind kind = RG_POLICY_RELATIVE;

	for (size_t i = 0; i <= place; i++)
		if (sets(&policy->sections[i], KEY_KIND) &&
		    is_for(&policy->sections[i], at->files, at->pattern))
			kind = policy->sections[i].values.kind;
	return kind;
}

rg_error *rg_policy_check_levels(const rg_policy *policy)
{
	for (size_t i = 0; i < policy->count; i++) {
		const section *s = &policy->sections[i];
		const rg_policy_kind kind = kind_at(policy, i);

		if (kind != RG_POLICY_ABSOLUTE && kind != RG_POLICY_ULP)
			continue;
		for (size_t key = KEY_NOISE; key <= KEY_FAIL; key++)
			if (s->percents >> key & 1)
				return rg_error_new(
					RG_E_USAGE,
					"%s \"%s%s%s\": %s: a percentage does not go "
					"with kind = %s, whose levels are not fractions",
					s->files ? "golden" : "metric", s->files ? s->files : "",
					s->files ? ":" : "", s->pattern, keys[key].name,
					kind_names[kind]);
	}
	return NULL;
}

bool rg_policy_sets_near_zero(const rg_policy *policy)
{
	for (size_t i = 0; policy && i < policy->count; i++)
		if (sets(&policy->sections[i], KEY_NEAR_ZERO))
			return true;
	return false;
}

bool rg_policy_is_under_floor(const rg_metric_policy *policy, double old, double fresh)
{
	return fabs(old) <= policy->floor && fabs(fresh) <= policy->floor;
}

bool rg_policy_narrows(const rg_metric_policy *policy)
{
	return policy->first_step != INT64_MIN || policy->last_step != INT64_MAX ||
	       policy->last_steps;
}

static const rg_metric_policy nothing = {
	.kind = RG_POLICY_RELATIVE,
	.noise = NAN,
	.flag = NAN,
	.fail = NAN,
	.floor = NAN,
	.missing = NAN,
	.near_zero = RG_NEAR_ZERO,
	.score = RG_SCORE_USUAL,
	.first_step = INT64_MIN,
	.last_step = INT64_MAX,
};

void rg_policy_resolve(const rg_policy *policy, const char *file, const char *metric,
		       rg_metric_policy *out)
{
	*out = nothing;
	for (size_t i = 0; policy && i < policy->count; i++) {
		const section *s = &policy->sections[i];

		if (!is_for(s, file, metric))
			continue;
		if (sets(s, KEY_KIND) && s->values.kind != out->kind)
			out->noise = out->flag = out->fail = NAN;
		for (size_t key = 0; key < KEYS; key++)
			if (sets(s, key))
				memcpy((char *)out + keys[key].offset,
				       (const char *)&s->values + keys[key].offset, keys[key].size);
		if (sets(s, KEY_STEPS)) {
			out->first_step = s->values.first_step;
			out->last_step = s->values.last_step;
			out->last_steps = s->values.last_steps;
		}
	}
	/* 0 has no relative figure either. */
	out->near_zero = fmax(out->near_zero, DBL_TRUE_MIN);
}

/* --- for people --- */

static void append_key(rg_buf *out, const section *s, size_t key)
{
	const char *from = (const char *)&s->values + keys[key].offset;
	char text[RG_DOUBLE_REPR_SIZE];
	double level;
	int name;

	rg_buf_printf(out, "%s%s = ", out->length ? ", " : "", keys[key].name);
	if (key == KEY_STEPS && s->values.last_steps) {
		rg_buf_printf(out, "last %zu", s->values.last_steps);
	} else if (key == KEY_STEPS) {
		if (s->values.first_step != INT64_MIN)
			rg_buf_printf(out, "%" PRId64, s->values.first_step);
		rg_buf_str(out, "..");
		if (s->values.last_step != INT64_MAX)
			rg_buf_printf(out, "%" PRId64, s->values.last_step);
	} else if (keys[key].names) {
		memcpy(&name, from, sizeof(name));
		rg_buf_str(out, keys[key].names[name]);
	} else {
		memcpy(&level, from, sizeof(level));
		rg_double_repr(level, text);
		rg_buf_str(out, isnan(level) ? "none" : text);
	}
}

size_t rg_policy_sections(const rg_policy *policy)
{
	return policy ? policy->count : 0;
}

void rg_policy_section_at(const rg_policy *policy, size_t place, rg_policy_section *out,
			  rg_buf *text)
{
	const section *s = &policy->sections[place];
	*out = (rg_policy_section){
		.files = s->files, .pattern = s->pattern, .is_default = s->is_default};
	for (size_t key = 0; key < KEYS; key++)
		if (sets(s, key))
			append_key(text, s, key);
}

rg_error *rg_policy_pattern(char **out, const char *metric)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (; *metric; metric++) {
		if (strchr("*?[\\", *metric))
			rg_buf_char(&text, '\\');
		rg_buf_char(&text, *metric);
	}
	*out = NULL;
	RG_TRY(rg_buf_check(&text, "metric name"));
	*out = rg_buf_detach(&text);
	return NULL;
}

#include "compare/policy.h"

#include "base/number.h"
#include "base/pattern.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Which keys a section sets. */
enum {
	SETS_NOISE = 1 << 0,
	SETS_FLAG = 1 << 1,
	SETS_FAIL = 1 << 2,
	SETS_KIND = 1 << 3,
	SETS_RTOL = 1 << 4,
	SETS_ATOL = 1 << 5,
	SETS_FLOOR = 1 << 6,
	SETS_STEPS = 1 << 7,
	SETS_DIRECTION = 1 << 8,
	SETS_AGGREGATE = 1 << 9,
};

typedef struct {
	const char *pattern;
	bool is_default;
	size_t weight;
	unsigned sets;
	rg_metric_policy values;
} section;

struct rg_policy {
	section *sections; /* defaults first, then the least specific ones */
	size_t count, capacity;
	rg_arena arena;
};

/* As they stand in the SETS_… bits. */
const char *const rg_policy_keys[] = {
	"noise", "flag",  "fail",      "kind",      "rtol", "atol",
	"floor", "steps", "direction", "aggregate", NULL,
};

static const char *const kind_names[] = {
	"relative", "absolute", "combined", "ulp", "exact", "ignore", NULL,
};
static const char *const direction_names[] = {"both", "lower", "higher", NULL};
static const char *const aggregate_names[] = {"none", "mean", "median", "max", NULL};

rg_error *rg_policy_new(rg_policy **out)
{
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return rg_error_nomem();
	rg_arena_init(&(*out)->arena);
	return NULL;
}

void rg_policy_free(rg_policy *policy)
{
	if (!policy)
		return;
	free(policy->sections);
	rg_arena_release(&policy->arena);
	free(policy);
}

static int find_name(const char *const *names, const char *text)
{
	int i;

	for (i = 0; names[i]; i++)
		if (!strcasecmp(names[i], text))
			return i;
	return -1;
}

static bool comes_before(const section *a, const section *b)
{
	if (a->is_default != b->is_default)
		return a->is_default;
	return a->weight < b->weight;
}

/* The section of that pattern, made where it is not there yet: behind those of equal weight. */
static rg_error *find_section(rg_policy *policy, const char *pattern, bool is_default,
			      section **out)
{
	section made = {.is_default = is_default, .weight = rg_glob_weight(pattern)};
	size_t at = policy->count, i;

	for (i = 0; i < policy->count; i++)
		if (policy->sections[i].is_default == is_default &&
		    !strcmp(policy->sections[i].pattern, pattern)) {
			*out = &policy->sections[i];
			return NULL;
		}
	RG_TRY(rg_arena_text(&policy->arena, pattern, &made.pattern));
	RG_TRY(rg_grow(&policy->sections, &policy->capacity, policy->count + 1,
		       sizeof(*policy->sections)));
	while (at && comes_before(&made, &policy->sections[at - 1])) {
		policy->sections[at] = policy->sections[at - 1];
		at--;
	}
	policy->sections[at] = made;
	policy->count++;
	*out = &policy->sections[at];
	return NULL;
}

static rg_error *refuse(const char *pattern, const char *key, const char *value, const char *wanted)
{
	return rg_error_new(RG_E_USAGE, "metric \"%s\": %s: '%s' is not %s", pattern, key, value,
			    wanted);
}

static bool parse_level(const char *text, double *out)
{
	if (!rg_double_parse(text, strlen(text), out) || !isfinite(*out) || *out < 0)
		return false;
	*out = fabs(*out); /* not -0, which messages would show */
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

static double *level_of(section *s, unsigned bit)
{
	switch (bit) {
	case SETS_NOISE:
		return &s->values.noise;
	case SETS_FLAG:
		return &s->values.flag;
	case SETS_FAIL:
		return &s->values.fail;
	case SETS_RTOL:
		return &s->values.rtol;
	case SETS_ATOL:
		return &s->values.atol;
	default:
		return &s->values.floor;
	}
}

static rg_error *set_value(section *s, unsigned bit, const char *key, const char *value)
{
	int found;

	switch (bit) {
	case SETS_KIND:
		found = find_name(kind_names, value);
		if (found < 0)
			return refuse(s->pattern, key, value,
				      "one of relative, absolute, combined, ulp, exact, ignore");
		s->values.kind = (rg_policy_kind)found;
		break;
	case SETS_DIRECTION:
		found = find_name(direction_names, value);
		if (found < 0)
			return refuse(s->pattern, key, value, "one of lower, higher, both");
		s->values.direction = (rg_direction)found;
		break;
	case SETS_AGGREGATE:
		found = find_name(aggregate_names, value);
		if (found < 0)
			return refuse(s->pattern, key, value, "one of none, mean, median, max");
		s->values.aggregate = (rg_aggregate)found;
		break;
	case SETS_STEPS:
		if (!parse_steps(value, &s->values))
			return refuse(s->pattern, key, value,
				      "a range of steps: 5..20, 5.., ..20 or 'last 10'");
		break;
	default:
		if (!parse_level(value, level_of(s, bit)))
			return refuse(s->pattern, key, value, "a number of 0 or more");
		break;
	}
	return NULL;
}

static rg_error *refuse_key(const char *pattern, const char *key)
{
	char known[128] = "";
	size_t length = 0, i;

	for (i = 0; rg_policy_keys[i] && length < sizeof(known); i++)
		length += (size_t)snprintf(known + length, sizeof(known) - length, "%s%s",
					   i ? ", " : "", rg_policy_keys[i]);
	return rg_error_new(RG_E_USAGE, "metric \"%s\": '%s' is none of its keys: %s", pattern, key,
			    known);
}

static rg_error *set(rg_policy *policy, const char *pattern, const char *key, const char *value,
		     bool is_default)
{
	int found = find_name(rg_policy_keys, key);
	section *s;

	if (found < 0)
		return refuse_key(pattern, key);
	RG_TRY(find_section(policy, pattern, is_default, &s));
	RG_TRY(set_value(s, 1u << found, rg_policy_keys[found], value));
	s->sets |= 1u << found;
	return NULL;
}

rg_error *rg_policy_set(rg_policy *policy, const char *pattern, const char *key, const char *value)
{
	return set(policy, pattern, key, value, false);
}

rg_error *rg_policy_set_default(rg_policy *policy, const char *pattern, const char *key,
				const char *value)
{
	return set(policy, pattern, key, value, true);
}

bool rg_policy_has(const rg_policy *policy, const char *pattern, const char *key)
{
	int found = find_name(rg_policy_keys, key);
	size_t i;

	for (i = 0; found >= 0 && policy && i < policy->count; i++) {
		const section *s = &policy->sections[i];

		if (!s->is_default && !strcmp(s->pattern, pattern))
			return s->sets & 1u << found;
	}
	return false;
}

const char *rg_policy_idle_tolerances(const rg_policy *policy)
{
	const char *idle = NULL;
	size_t i;

	for (i = 0; i < policy->count; i++) {
		const section *s = &policy->sections[i];

		if (s->sets & SETS_KIND && s->values.kind == RG_POLICY_COMBINED)
			return NULL;
		if (!idle && s->sets & (SETS_RTOL | SETS_ATOL))
			idle = s->pattern;
	}
	return idle;
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
	.first_step = INT64_MIN,
	.last_step = INT64_MAX,
};

static void apply(const section *s, rg_metric_policy *out)
{
	const rg_metric_policy *from = &s->values;

	if (s->sets & SETS_KIND && from->kind != out->kind) {
		out->kind = from->kind;
		out->noise = out->flag = out->fail = NAN;
	}
	if (s->sets & SETS_NOISE)
		out->noise = from->noise;
	if (s->sets & SETS_FLAG)
		out->flag = from->flag;
	if (s->sets & SETS_FAIL)
		out->fail = from->fail;
	if (s->sets & SETS_RTOL)
		out->rtol = from->rtol;
	if (s->sets & SETS_ATOL)
		out->atol = from->atol;
	if (s->sets & SETS_FLOOR)
		out->floor = from->floor;
	if (s->sets & SETS_DIRECTION)
		out->direction = from->direction;
	if (s->sets & SETS_AGGREGATE)
		out->aggregate = from->aggregate;
	if (s->sets & SETS_STEPS) {
		out->first_step = from->first_step;
		out->last_step = from->last_step;
		out->last_steps = from->last_steps;
	}
}

void rg_policy_resolve(const rg_policy *policy, const char *metric, rg_metric_policy *out)
{
	size_t i;

	*out = nothing;
	for (i = 0; policy && i < policy->count; i++)
		if (rg_glob_match(policy->sections[i].pattern, metric, RG_GLOB_ANY_SLASH))
			apply(&policy->sections[i], out);
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FUZZ_TWO_GOLDENS_H
#define REGILD_FUZZ_TWO_GOLDENS_H

#include "require.h"

#include "compare/policy.h"
#include "golden/golden.h"

#include <stdint.h>
#include <string.h>

/* A policy ("key=value" lines, for every metric), the old golden and the new one, with a NUL behind
 * each of the first two. Goldens that cannot be read are NULL. */
typedef struct {
	char *text;
	rg_policy *policy;
	rg_golden *old, *fresh;
} two_goldens;

static inline rg_policy *read_policy(char *text)
{
	rg_policy *policy;
	char *line, *value, *rest = NULL;

	policy = rg_policy_new();
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		value = strchr(line, '=');
		if (value)
			*value++ = '\0';
		rg_error_free(rg_policy_set(policy, "*", line, value ? value : ""));
	}
	return policy;
}

static inline rg_golden *read_golden(const char *text, size_t size)
{
	const rg_input in = {.name = "golden_values.json", .data = text, .size = size};
	rg_golden *golden = NULL;

	rg_error_free(rg_golden_read(&golden, &in, NULL));
	return golden;
}

static inline void two_goldens_read(two_goldens *out, const uint8_t *data, size_t size)
{
	const char *end, *old, *fresh;

	*out = (two_goldens){.text = malloc(size + 2)};
	require(out->text != NULL, "there is memory");
	memcpy(out->text, data, size);
	memset(out->text + size, 0, 2);
	end = out->text + size;
	old = out->text + strlen(out->text) + 1;
	fresh = old < end ? old + strlen(old) + 1 : end;
	if (fresh < end) {
		out->old = read_golden(old, strlen(old));
		out->fresh = read_golden(fresh, (size_t)(end - fresh));
	}
	out->policy = read_policy(out->text);
}

static inline void two_goldens_release(two_goldens *goldens)
{
	rg_policy_free(goldens->policy);
	rg_golden_free(goldens->fresh);
	rg_golden_free(goldens->old);
	free(goldens->text);
}

#endif

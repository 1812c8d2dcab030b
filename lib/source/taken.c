/* SPDX-License-Identifier: Apache-2.0 */
#include "source/taken.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void rg_taken_init(rg_taken *taken)
{
	*taken = (rg_taken){.outcome = RG_OUTCOME_FAILED};
	rg_arena_init(&taken->arena);
}

void rg_taken_release(rg_taken *taken)
{
	for (size_t i = 0; i < taken->error_count; i++)
		rg_error_free(taken->errors[i]);
	free(taken->errors);
	free(taken->files);
	rg_arena_release(&taken->arena);
	rg_taken_init(taken);
}

bool rg_take_is_fatal(const rg_error *err)
{
	switch (rg_error_get_code(err)) {
	case RG_E_CANCELLED:
	case RG_E_IO:
	case RG_E_AUTH:
	case RG_E_USAGE:
		return true;
	default:
		return false;
	}
}

void rg_why_add(rg_arena *arena, const char **why, const char *text)
{
	static const size_t enough = 1000;
	if (*why && strlen(*why) > enough)
		return;
	*why = rg_arena_textf(arena, "%s%s%s", *why ? *why : "", *why ? "; " : "", text);
}

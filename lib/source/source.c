/* SPDX-License-Identifier: Apache-2.0 */
#include "source/source.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void rg_run_init(rg_run *run)
{
	*run = (rg_run){0};
	rg_arena_init(&run->arena);
	rg_arena_init(&run->artifact_arena);
}

void rg_run_release(rg_run *run)
{
	free(run->jobs);
	free(run->earlier);
	free(run->artifacts);
	rg_arena_release(&run->artifact_arena);
	rg_arena_release(&run->arena);
	rg_run_init(run);
}

bool rg_run_is_finished(const rg_run *run)
{
	return run->status && !strcmp(run->status, "completed");
}

void rg_run_list_release(rg_run_list *list)
{
	free(list->items);
	rg_arena_release(&list->arena);
	*list = (rg_run_list){0};
}

bool rg_time_parse(const char *text, int64_t *out)
{
	struct tm tm = {0}, zone = {0}, same;
	const char *end = strptime(text, "%Y-%m-%d", &tm);

	end = end && (*end == 'T' || *end == ' ') ? strptime(end + 1, "%H:%M:%S", &tm) : NULL;
	if (end && *end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	end = end ? strptime(end, "%z", &zone) : NULL;
	same = tm;
	*out = (int64_t)timegm(&same) - zone.tm_gmtoff;
	/* The 31st of April is none. */
	return end && !*end && same.tm_mday == tm.tm_mday;
}

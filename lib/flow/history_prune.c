/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/history_prune.h"

#include <string.h>
#include <time.h>

enum { TIME = 40 };

/* The time so many days ago, as runs have theirs: such texts sort by time. */
static rg_error *days_ago(unsigned days, char out[static TIME])
{
	time_t then = time(NULL) - (time_t)days * 24 * 60 * 60;
	struct tm tm;

	if (!gmtime_r(&then, &tm) || !strftime(out, TIME, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return rg_error_new(RG_E_USAGE, "%u days ago is no time", days);
	return NULL;
}

static rg_error *prune(rg_history_pruned *out, rg_history_store *history, const char *repository,
		       unsigned days, bool dry_run, rg_arena *arena)
{
	const rg_history_query any = {0};
	size_t count, old = 0;
	rg_history_run *runs;
	char first[TIME];

	RG_TRY(days_ago(days, first));
	RG_TRY(rg_history_list(history, &any, arena, &runs, &count));
	for (size_t i = 0; i < count; i++) {
		const rg_history_run *run = &runs[i];
		if (rg_history_run_is_of(run, repository) && *run->when &&
		    strcmp(run->when, first) < 0) {
			runs[old++] = *run;
			continue;
		}
		out->kept++;
		out->undated += !*run->when;
	}
	out->runs = old;
	return old ? rg_history_remove(history, runs, old, dry_run, &out->freed) : NULL;
}

rg_error *rg_history_prune(rg_history_pruned *out, rg_history_store *history,
			   const char *repository, unsigned days, bool dry_run)
{
	rg_arena arena;
	*out = (rg_history_pruned){0};
	rg_arena_init(&arena);
	rg_error *err = prune(out, history, repository, days, dry_run, &arena);
	rg_arena_release(&arena);
	return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "source/source.h"

#include "base/order.h"

#include <stdio.h>
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
	free(run->paths);
	rg_arena_release(&run->artifact_arena);
	rg_arena_release(&run->arena);
	rg_run_init(run);
}

/* Jobs and artifacts both begin with their id. */
RG_ORDER(compare_ids, uint64_t, RG_BY(*x, *y));

void *rg_find_by_id(void *items, size_t count, size_t size, uint64_t id)
{
	return count ? bsearch(&id, items, count, size, compare_ids) : NULL;
}

const rg_job *rg_run_find_job(const rg_run *run, uint64_t id)
{
	return rg_find_by_id(run->jobs, run->job_count, sizeof(*run->jobs), id);
}

bool rg_run_is_finished(const rg_run *run)
{
	return run->status && !strcmp(run->status, "completed");
}

/* Leaves in `earlier` what is not in `jobs`; both are sorted. */
static void drop_current(rg_run *run)
{
	size_t j = 0, kept = 0;
	for (size_t i = 0; i < run->earlier_count; i++) {
		while (j < run->job_count && run->jobs[j].id < run->earlier[i].id)
			j++;
		if (j == run->job_count || run->jobs[j].id != run->earlier[i].id)
			run->earlier[kept++] = run->earlier[i];
	}
	run->earlier_count = kept;
}

/* Sorts by id. Items that were added while the pages were read push others onto the next page: one
 * that is there twice counts once in a list that `grows`. */
static rg_error *sort_items(void *items, size_t *count, size_t size, bool grows, const char *what)
{
	RG_AUTO_FREE uint64_t *twin = rg_calloc(1, size);
	size_t before = *count;

	if (!before)
		return NULL;
	rg_sort_keep_last(items, count, size, compare_ids, twin);
	if (grows || *count == before)
		return NULL;
	return rg_error_new(RG_E_PARSE, "the list has %s %llu twice", what,
			    (unsigned long long)*twin);
}

rg_error *rg_run_sort(rg_run *run)
{
	const bool grows = run->status && !rg_run_is_finished(run);

	if (run->earlier_count)
		qsort(run->earlier, run->earlier_count, sizeof(*run->earlier), compare_ids);
	RG_TRY(sort_items(run->jobs, &run->job_count, sizeof(*run->jobs), grows, "job"));
	drop_current(run);
	return sort_items(run->artifacts, &run->artifact_count, sizeof(*run->artifacts), grows,
			  "artifact");
}

bool rg_job_has_failed(const rg_job *job)
{
	static const char *const bad[] = {"failure", "timed_out", "startup_failure"};
	for (size_t i = 0; job->conclusion && i < sizeof(bad) / sizeof(*bad); i++)
		if (!strcmp(job->conclusion, bad[i]))
			return true;
	return false;
}

void rg_run_list_release(rg_run_list *list)
{
	free(list->items);
	rg_arena_release(&list->arena);
	*list = (rg_run_list){0};
}

static bool two_digits(const char **at, int most, int *out)
{
	const char *text = *at;
	if (strspn(text, "0123456789") < 2)
		return false;
	*out = (text[0] - '0') * 10 + text[1] - '0';
	*at += 2;
	return *out <= most;
}

/* Past an offset from UTC, Z, +01, +0100 or +01:00, of which musl's strptime knows one; NULL if it
 * is none. */
static const char *read_offset(const char *text, int64_t *out)
{
	int hours = 0, minutes = 0;
	const char *at = text + strspn(text, " ");
	if (*at == 'Z')
		return at + 1;
	if (*at != '+' && *at != '-')
		return NULL;
	bool west = *at++ == '-';
	if (!two_digits(&at, 14, &hours))
		return NULL;
	bool colon = *at == ':';
	at += colon;
	if (!two_digits(&at, 59, &minutes) && (colon || minutes))
		return NULL;
	*out = (hours * 60 + minutes) * (west ? -60 : 60);
	return at;
}

bool rg_time_parse(const char *text, int64_t *out)
{
	struct tm tm = {0};
	int64_t offset = 0;
	const char *end = strptime(text, "%Y-%m-%d", &tm);

	end = end && (*end == 'T' || *end == ' ') ? strptime(end + 1, "%H:%M:%S", &tm) : NULL;
	if (end && *end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	end = end ? read_offset(end, &offset) : NULL;
	struct tm same = tm;
	*out = (int64_t)timegm(&same) - offset;
	/* The 31st of April is none. */
	return end && !*end && same.tm_mday == tm.tm_mday;
}

rg_error *rg_since_parse(const char *text, int64_t *out)
{
	char day[40];
	snprintf(day, sizeof(day), "%.10sT00:00:00Z", text);
	return rg_time_parse(strlen(text) == 10 ? day : text, out)
		       ? NULL
		       : rg_error_new(RG_E_USAGE,
				      "'%s' is neither a date such as 2026-04-01 nor a time such "
				      "as 2026-04-01T06:00:00Z",
				      text);
}

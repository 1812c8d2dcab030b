#include "audit/internal.h"

#include "base/cancel.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Backend reports over runs. As goldens they hold a text "FLOW/TEST ID/SUBTEST/Result" for each
 * case: "Pass", "Skip", or "Fail" with what failed behind a colon (golden/backend_report.h).
 */

typedef enum { PASSED, SKIPPED, FAILED } result;

typedef struct {
	const char *name, *detail; /* in the arena of the file's observations */
	const char *commit;        /* the run's; "" where it is not known */
	size_t run;                /* into rg_audit.runs */
	result result;
} observation;

typedef struct {
	observation *items;
	size_t count, capacity;
	rg_arena arena;
} observations;

/* Is it a case's result? `name_length` is that of the case's name. */
static bool is_result(const rg_metric *metric, size_t *name_length)
{
	static const char suffix[] = "/Result";
	size_t length = strlen(metric->name), tail = sizeof(suffix) - 1;

	if (metric->kind != RG_METRIC_TEXT || length <= tail ||
	    strcmp(metric->name + length - tail, suffix) != 0)
		return false;
	*name_length = length - tail;
	return true;
}

static bool parse_result(const char *text, result *out, const char **detail)
{
	static const char *const words[] = {
		[PASSED] = "Pass", [SKIPPED] = "Skip", [FAILED] = "Fail"};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++) {
		size_t length = strlen(words[i]);

		if (strncmp(text, words[i], length) != 0 || (text[length] && text[length] != ':'))
			continue;
		*out = (result)i;
		*detail = text[length] ? text + length + 1 + (text[length + 1] == ' ') : "";
		return true;
	}
	return false;
}

static bool may_hold_cases(const rg_golden *golden)
{
	return !strncmp(golden->format, "backend-", 8) || !strcmp(golden->format, "history");
}

static rg_error *observe(observations *out, const rg_golden *golden, const char *commit, size_t run)
{
	size_t i, length;

	for (i = 0; i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		observation o = {.commit = commit, .run = run};
		const char *detail;

		if (!is_result(metric, &length) || !parse_result(metric->text, &o.result, &detail))
			continue;
		o.name = rg_arena_copy(&out->arena, metric->name, length);
		o.detail = rg_arena_copy(&out->arena, detail, strlen(detail));
		if (!o.name || !o.detail)
			return rg_error_nomem();
		RG_TRY(rg_grow(&out->items, &out->capacity, out->count + 1, sizeof(*out->items)));
		out->items[out->count++] = o;
	}
	return NULL;
}

/* One golden of one run. What cannot be read was counted when the audit measured it. */
static rg_error *read_one(observations *out, const rg_audit_source *source, size_t run, size_t file,
			  bool *none)
{
	rg_golden *golden = NULL;
	rg_error *err;
	rg_buf bytes;

	rg_buf_init(&bytes, source->golden_max);
	err = source->read(source->context, run, file, &bytes, &golden);
	if (err && rg_audit_is_of_one_golden(err)) {
		rg_error_free(err);
		err = NULL;
	}
	if (!err && golden) {
		size_t before = out->count;

		*none = !may_hold_cases(golden);
		if (!*none)
			err = observe(out, golden, source->runs[run].commit, run);
		/* A golden of a run's history says nothing of its format but what it holds: an
		 * empty one, as of tests that never began, nothing at all. */
		*none = *none || (!strcmp(golden->format, "history") && golden->count &&
				  out->count == before);
	}
	rg_golden_free(golden);
	rg_buf_release(&bytes);
	return err ? err : rg_cancel_check();
}

static int by_name_and_run(const void *a, const void *b)
{
	const observation *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	return order ? order : (left->run > right->run) - (left->run < right->run);
}

static int by_commit_and_run(const void *a, const void *b)
{
	const observation *left = a, *right = b;
	int order = strcmp(left->commit, right->commit);

	return order ? order : (left->run > right->run) - (left->run < right->run);
}

/* Looks for a pass and a failure on one commit. `of` are one case's observations. */
static rg_error *find_flaky(rg_audit_case *c, const observation *of, size_t count)
{
	observation *sorted;
	const observation *passed = NULL, *failed = NULL;
	size_t i;

	if (!c->passed)
		return NULL;
	sorted = malloc(count * sizeof(*sorted));
	if (!sorted)
		return rg_error_nomem();
	memcpy(sorted, of, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_commit_and_run);
	c->undecided = !*sorted[0].commit; /* no commit sorts first */
	for (i = 0; i < count && !c->flaky; i++) {
		if (i && strcmp(sorted[i].commit, sorted[i - 1].commit) != 0)
			passed = failed = NULL;
		if (!*sorted[i].commit || sorted[i].result == SKIPPED)
			continue;
		if (sorted[i].result == PASSED)
			passed = &sorted[i];
		else
			failed = &sorted[i];
		if (passed && failed) {
			c->flaky = true;
			c->undecided = false;
			c->pass_run = passed->run;
			c->fail_run = failed->run;
		}
	}
	free(sorted);
	return NULL;
}

static rg_error *add_case(rg_audit *audit, const char *file, size_t group, const observation *of,
			  size_t count)
{
	rg_audit_case c = {
		.file = file, .group = group, .first_failed = SIZE_MAX, .failing_since = SIZE_MAX};
	const char *detail = "";
	size_t i;

	audit->case_total++;
	for (i = 0; i < count; i++) {
		c.passed += of[i].result == PASSED;
		c.failed += of[i].result == FAILED;
		c.skipped += of[i].result == SKIPPED;
		if (of[i].result == PASSED)
			c.failing_since = SIZE_MAX;
		if (of[i].result != FAILED)
			continue;
		detail = of[i].detail;
		if (c.first_failed == SIZE_MAX)
			c.first_failed = of[i].run;
		if (c.failing_since == SIZE_MAX)
			c.failing_since = of[i].run;
	}
	if (!c.failed)
		return NULL;
	RG_TRY(find_flaky(&c, of, count));
	c.name = rg_arena_copy(&audit->arena, of[0].name, strlen(of[0].name));
	c.detail = rg_arena_copy(&audit->arena, detail, strlen(detail));
	if (!c.name || !c.detail)
		return rg_error_nomem();
	RG_TRY(rg_grow(&audit->cases, &audit->case_capacity, audit->case_count + 1,
		       sizeof(*audit->cases)));
	audit->cases[audit->case_count++] = c;
	return NULL;
}

static rg_error *follow_file(rg_audit *audit, const rg_audit_source *source, size_t group,
			     size_t file)
{
	const rg_audit_group *g = &audit->groups[group];
	observations seen = {0};
	rg_error *err = NULL;
	bool none = false;
	size_t i, end;

	rg_arena_init(&seen.arena);
	for (i = 0; !err && !none && i < g->run_count; i++)
		err = read_one(&seen, source, g->runs[i], file, &none);
	if (seen.count)
		qsort(seen.items, seen.count, sizeof(*seen.items), by_name_and_run);
	for (i = 0; !err && i < seen.count; i = end) {
		for (end = i + 1;
		     end < seen.count && !strcmp(seen.items[end].name, seen.items[i].name);)
			end++;
		err = add_case(audit, source->files[file], group, seen.items + i, end - i);
	}
	free(seen.items);
	rg_arena_release(&seen.arena);
	return err;
}

rg_error *rg_audit_follow_cases(rg_audit *audit, const rg_audit_source *source)
{
	size_t group, file;

	for (group = 0; group < audit->group_count; group++)
		for (file = 0; file < source->file_count; file++)
			RG_TRY(follow_file(audit, source, group, file));
	return NULL;
}

bool rg_audit_case_is(const rg_audit_case *c, bool flaky)
{
	return flaky ? c->flaky || c->undecided : c->failing_since != SIZE_MAX;
}

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

/* What a case did in a run that has it; of all that is kept, the part that grows with the runs. */
typedef struct {
	size_t run; /* into rg_audit.runs */
	result result;
} observation;

typedef struct {
	const char *name;
	const char *detail;        /* of the newest failure; "" */
	observation *observations; /* in the runs' order */
	size_t count, capacity;
} followed_case;

/* The cases of one file. */
typedef struct {
	followed_case *cases; /* `sorted` of them by name, then those that the run under way adds */
	size_t sorted, count, capacity;
	rg_arena arena;
} followed_file;

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

/* `text` has no end of its own. */
static int compare_name(const char *name, const char *text, size_t length)
{
	int order = strncmp(name, text, length);

	return order ? order : name[length] != '\0';
}

static rg_error *append_case(followed_file *file, const char *text, size_t length)
{
	followed_case new = {.name = rg_arena_copy(&file->arena, text, length), .detail = ""};

	if (!new.name)
		return rg_error_nomem();
	RG_TRY(rg_grow(&file->cases, &file->capacity, file->count + 1, sizeof(*file->cases)));
	file->cases[file->count++] = new;
	return NULL;
}

/* Most runs have the cases of the run before, in the same order: the one at `hint` is looked at
 * first, which becomes the one behind. No run has a case twice. */
static rg_error *get_case(followed_file *file, const char *text, size_t length, size_t *hint,
			  followed_case **out)
{
	size_t low = 0, high = file->sorted;

	if (*hint < file->sorted && !compare_name(file->cases[*hint].name, text, length))
		low = high = *hint;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_name(file->cases[middle].name, text, length) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*hint = low;
	if (low < file->sorted && !compare_name(file->cases[low].name, text, length)) {
		*hint = low + 1;
	} else {
		RG_TRY(append_case(file, text, length));
		low = file->count - 1;
	}
	*out = &file->cases[low];
	return NULL;
}

static int by_name(const void *a, const void *b)
{
	const followed_case *left = a, *right = b;

	return strcmp(left->name, right->name);
}

/* Merges what a run has added into the others. */
static rg_error *sort_in(followed_file *file)
{
	size_t added = file->count - file->sorted, left = file->sorted, at = file->count;
	followed_case *new;

	if (!added)
		return NULL;
	new = malloc(added * sizeof(*new));
	if (!new)
		return rg_error_nomem();
	memcpy(new, file->cases + file->sorted, added * sizeof(*new));
	qsort(new, added, sizeof(*new), by_name);
	while (added)
		file->cases[--at] = left && by_name(&file->cases[left - 1], &new[added - 1]) > 0
					    ? file->cases[--left]
					    : new[--added];
	file->sorted = file->count;
	free(new);
	return NULL;
}

static rg_error *add_observation(followed_file *file, followed_case *c, observation seen,
				 const char *detail)
{
	RG_TRY(rg_grow(&c->observations, &c->capacity, c->count + 1, sizeof(*c->observations)));
	if (seen.result == FAILED && strcmp(c->detail, detail) != 0)
		RG_TRY(rg_arena_text(&file->arena, detail, &c->detail));
	c->observations[c->count++] = seen;
	return NULL;
}

/* *any: the golden has cases. */
static rg_error *observe(followed_file *out, const rg_golden *golden, size_t run, bool *any)
{
	size_t i, length, hint = 0;

	for (i = 0; i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		observation seen = {.run = run};
		const char *detail;
		followed_case *c;

		if (!is_result(metric, &length) ||
		    !parse_result(metric->text, &seen.result, &detail))
			continue;
		RG_TRY(get_case(out, metric->name, length, &hint, &c));
		RG_TRY(add_observation(out, c, seen, detail));
		*any = true;
	}
	return sort_in(out);
}

/* One golden of one run. What cannot be read was counted when the audit measured it. */
static rg_error *read_one(followed_file *out, const rg_audit_source *source, size_t run,
			  size_t file, bool *none)
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
		bool any = false;

		*none = !may_hold_cases(golden);
		if (!*none)
			err = observe(out, golden, run, &any);
		/* A golden of a run's history says nothing of its format but what it holds: an
		 * empty one, as of tests that never began, nothing at all. */
		*none = *none || (!strcmp(golden->format, "history") && golden->count && !any);
	}
	rg_golden_free(golden);
	rg_buf_release(&bytes);
	return err ? err : rg_cancel_check();
}

typedef struct {
	const char *commit; /* "" where it is not known */
	observation seen;
} placed_observation;

static int by_commit_and_run(const void *a, const void *b)
{
	const placed_observation *left = a, *right = b;
	int order = strcmp(left->commit, right->commit);

	return order ? order
		     : (left->seen.run > right->seen.run) - (left->seen.run < right->seen.run);
}

/* Looks for a pass and a failure on one commit. */
static rg_error *find_flaky(rg_audit_case *c, const rg_audit *audit, const followed_case *of)
{
	placed_observation *sorted;
	const observation *passed = NULL, *failed = NULL;
	size_t i;

	if (!c->passed)
		return NULL;
	sorted = calloc(of->count, sizeof(*sorted));
	if (!sorted)
		return rg_error_nomem();
	for (i = 0; i < of->count; i++)
		sorted[i] = (placed_observation){audit->runs[of->observations[i].run].commit,
						 of->observations[i]};
	qsort(sorted, of->count, sizeof(*sorted), by_commit_and_run);
	c->undecided = !*sorted[0].commit; /* no commit sorts first */
	for (i = 0; i < of->count && !c->flaky; i++) {
		const observation *seen = &sorted[i].seen;

		if (i && strcmp(sorted[i].commit, sorted[i - 1].commit) != 0)
			passed = failed = NULL;
		if (!*sorted[i].commit || seen->result == SKIPPED)
			continue;
		if (seen->result == PASSED)
			passed = seen;
		else
			failed = seen;
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

static rg_error *add_case(rg_audit *audit, const char *file, size_t group, const followed_case *of)
{
	rg_audit_case c = {
		.file = file, .group = group, .first_failed = SIZE_MAX, .failing_since = SIZE_MAX};
	size_t i;

	audit->case_total++;
	for (i = 0; i < of->count; i++) {
		const observation *seen = &of->observations[i];

		c.passed += seen->result == PASSED;
		c.failed += seen->result == FAILED;
		c.skipped += seen->result == SKIPPED;
		if (seen->result == PASSED)
			c.failing_since = SIZE_MAX;
		if (seen->result != FAILED)
			continue;
		if (c.first_failed == SIZE_MAX)
			c.first_failed = seen->run;
		if (c.failing_since == SIZE_MAX)
			c.failing_since = seen->run;
	}
	if (!c.failed)
		return NULL;
	RG_TRY(find_flaky(&c, audit, of));
	RG_TRY(rg_arena_text(&audit->arena, of->name, &c.name));
	RG_TRY(rg_arena_text(&audit->arena, of->detail, &c.detail));
	RG_TRY(rg_grow(&audit->cases, &audit->case_capacity, audit->case_count + 1,
		       sizeof(*audit->cases)));
	audit->cases[audit->case_count++] = c;
	return NULL;
}

static rg_error *follow_file(rg_audit *audit, const rg_audit_source *source, size_t group,
			     size_t file)
{
	const rg_audit_group *g = &audit->groups[group];
	followed_file seen = {0};
	rg_error *err = NULL;
	bool none = false;
	size_t i;

	rg_arena_init(&seen.arena);
	for (i = 0; !err && !none && i < g->run_count; i++)
		err = read_one(&seen, source, g->runs[i], file, &none);
	for (i = 0; i < seen.count; i++) {
		if (!err)
			err = add_case(audit, source->files[file], group, &seen.cases[i]);
		free(seen.cases[i].observations);
	}
	free(seen.cases);
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

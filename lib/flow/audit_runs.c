/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/audit_runs.h"

#include "base/pattern.h"
#include "report/test_name.h"

#include <string.h>

static rg_error *open_paths(rg_audit_runs *out, const rg_flow *flow, const rg_texts *from)
{
	const char *pattern = rg_config_get(flow->config, "regild.files");
	RG_TRY(rg_path_runs_open(
		&out->paths, from->items, from->count, pattern ? pattern : "golden_values*.json",
		rg_config_is_default(flow->config, "regild.files"), &out->formats.options));
	out->source = rg_path_runs_source(out->paths, out->golden_max);
	return NULL;
}

static rg_error *open_history(rg_audit_runs *out, const rg_flow *flow, const char *range)
{
	RG_TRY(rg_flow_need_worktree(flow));
	RG_TRY(rg_revision_runs_open(
		&out->revisions, flow->worktree, range, rg_config_get(flow->config, "regild.root"),
		rg_config_get(flow->config, "regild.files"), &out->formats.options));
	if (rg_worktree_is_shallow(flow->worktree))
		rg_log_say(&flow->log, RG_LOG_WARNING,
			   "this clone is shallow, and older versions are not in it; 'git fetch "
			   "--unshallow' gets them");
	out->source = rg_revision_runs_source(out->revisions, out->golden_max);
	return NULL;
}

/* A path without its variant: all variants of a test have it in common. Paths in folders may do
 * without the root. */
static void find_test(const char **out, rg_arena *arena, const char *path,
		      rg_column_context context)
{
	rg_name_part variant = rg_test_name_split(path, &context).variant;
	size_t length = strlen(path), before;

	if (!variant.text) {
		context.root = "";
		variant = rg_test_name_split(path, &context).variant;
	}
	char *test = rg_arena_copy(arena, path, length);
	before = variant.text ? (size_t)(variant.text - path) : length;
	memmove(test + before, test + before + variant.length,
		length - before - variant.length + 1);
	*out = test;
}

/* Which goldens are variants of one test. */
static void find_tests(rg_audit_runs *out, const rg_config *config)
{
	size_t count = out->source.file_count;
	const char **tests = rg_arena_alloc(&out->tests, (count + 1) * sizeof(*tests));
	for (size_t i = 0; i < count; i++)
		find_test(&tests[i], &out->tests, out->source.files[i], rg_columns_of(config));
	out->source.tests = tests;
}

/* As --only of updates has it, in which a pattern matches the whole or what comes after a slash. */
static bool is_wanted(const char *pattern, const char *text)
{
	for (const char *at = text; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (rg_glob_match(pattern, at, RG_GLOB_ANY_SLASH))
			return true;
	}
	return false;
}

/* Goldens that no pattern of --only takes are left out; each pattern has to take some. */
static rg_error *choose_files(rg_audit_runs *out, const rg_texts *only)
{
	size_t count = out->source.file_count;
	bool *left_out = rg_arena_alloc(&out->tests, count + 1);

	if (!only->count)
		return NULL;
	memset(left_out, true, count);
	for (size_t k = 0; k < only->count; k++) {
		bool any = false;
		for (size_t i = 0; i < count; i++)
			if (is_wanted(only->items[k], out->source.files[i])) {
				left_out[i] = false;
				any = true;
			}
		if (!any)
			return rg_error_new(RG_E_USAGE,
					    "--only: '%s' matches no golden of the runs",
					    only->items[k]);
	}
	out->source.left_out = left_out;
	return NULL;
}

static rg_error *open_source(rg_audit_runs *out, const rg_flow *flow,
			     const rg_audit_runs_options *options)
{
	if (options->history)
		return open_history(out, flow, options->history);
	if (options->from.count)
		return open_paths(out, flow, &options->from);
	return rg_audit_ci_open(out, flow, options);
}

rg_error *rg_audit_runs_open(rg_audit_runs *out, const rg_flow *flow,
			     const rg_audit_runs_options *options)
{
	*out = (rg_audit_runs){0};
	rg_arena_init(&out->tests);
	RG_TRY(rg_config_golden_max(flow->config, &out->golden_max));
	RG_TRY(rg_formats_load(&out->formats, flow->config, NULL));
	RG_TRY(open_source(out, flow, options));
	find_tests(out, flow->config);
	return choose_files(out, &options->only);
}

void rg_audit_runs_close(rg_audit_runs *runs)
{
	rg_path_runs_free(runs->paths);
	rg_revision_runs_free(runs->revisions);
	rg_stored_runs_free(runs->stored);
	rg_formats_release(&runs->formats);
	rg_arena_release(&runs->tests);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/audit_runs.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/pattern.h"
#include "flow/audit_store.h"
#include "story/golden_name.h"

#include <stdlib.h>
#include <string.h>

/* Bytes; `make bench-history` compares them with what an audit takes. */
enum {
	AUDIT_DEFAULT = 256 << 20,
	/* An audit of next to nothing takes this. */
	A_PROCESS = 32 << 20,
	A_RUN = 1000,    /* what it is called, in all lists */
	A_SERIES = 1600, /* of a group: rg_audit_series, and its line in reports */
	A_STEP = 180,    /* of a group's series, where steps are kept; half of it as JSON */
	/* For good, of each run's series: figures, once more where there is a newer regime, and its
	 * places where series are pooled. */
	A_ROW = 96,
	/* While its golden is measured, of each run's series besides its values. */
	A_TABLE_ROW = 160,
};

_Static_assert(sizeof(rg_audit_series) < A_SERIES, "a series takes more than what is counted");

/* The size of a run's goldens, by the run that has most of them. */
typedef struct {
	size_t goldens, series, values;
	size_t table; /* bytes of the largest golden in a table over the runs */
} run_size;

static rg_error *weigh(void *context, size_t run, rg_history_golden *golden)
{
	run_size *size = context;
	size_t table = 0;

	(void)run;
	size->goldens++;
	for (size_t i = 0; golden->golden && i < golden->golden->count; i++) {
		const rg_metric *metric = &golden->golden->metrics[i];
		if (metric->kind != RG_METRIC_SERIES)
			continue;
		size->series++;
		size->values += metric->count;
		table += A_TABLE_ROW + metric->count * sizeof(double);
	}
	size->table = table > size->table ? table : size->table;
	rg_golden_free(golden->golden);
	rg_error_free(golden->why);
	return NULL;
}

typedef struct {
	const char *group;
	size_t run;
} grouped_run;

RG_ORDER(compare_grouped, grouped_run, RG_BY_TEXT(group) || RG_RISING(run));

/* Says of each run whether it is the newest of its group; the caller frees. */
static bool *find_newest(const rg_audit_source *source, rg_audit_grouping grouping)
{
	size_t count = source->run_count;
	RG_AUTO_FREE grouped_run *runs = rg_calloc(count + 1, sizeof(*runs));
	bool *newest = rg_calloc(count + 1, sizeof(*newest));

	for (size_t i = 0; i < count; i++)
		runs[i] = (grouped_run){rg_audit_group_of(&source->runs[i], grouping), i};
	qsort(runs, count, sizeof(*runs), compare_grouped);
	for (size_t i = 0; i < count; i++)
		newest[runs[i].run] = i + 1 == count || strcmp(runs[i].group, runs[i + 1].group);
	return newest;
}

/* The oldest run for which there is room, with those after it; the newest one is always taken. */
static size_t first_that_fits(const rg_audit_runs *runs, const bool *newest,
			      const rg_audit_options *options, const run_size *size, double left)
{
	const rg_history_run *stored = rg_stored_runs_list(runs->stored);
	double goldens = (double)(size->goldens ? size->goldens : 1);
	double series = (double)size->series / goldens, values = (double)size->values / goldens;
	double group = series * A_SERIES +
		       (options->without_steps && options->without_values ? 0 : values * A_STEP);
	size_t i;

	for (i = runs->source.run_count; i > 0; i--) {
		left -= A_RUN + (double)options->workers * (double)size->table;
		left -= (double)stored[i - 1].goldens *
			(series * A_ROW + (newest[i - 1] ? group : 0));
		if (left < 0 && i < runs->source.run_count)
			break;
	}
	return i;
}

rg_error *rg_audit_runs_fit(rg_audit_runs *runs, rg_audit_options *options, const rg_flow *flow)
{
	uint64_t most;
	run_size size = {0};

	RG_TRY(rg_config_size(flow->config, "regild.auditMemory", AUDIT_DEFAULT, &most));
	if (!runs->stored)
		return NULL;
	const rg_history_run *stored = rg_stored_runs_list(runs->stored), *fullest = stored;
	for (size_t i = 0; i < runs->source.run_count; i++)
		if (stored[i].goldens >= fullest->goldens)
			fullest = &stored[i];
	RG_TRY(rg_history_goldens(rg_stored_runs_history(runs->stored), fullest, 1,
				  runs->golden_max, weigh, &size));
	double room = (double)most - A_PROCESS;
	while (options->workers > 1 &&
	       3 * (double)options->workers * (double)size.table * (double)runs->source.run_count >
		       room)
		options->workers--;
	RG_AUTO_FREE bool *newest = find_newest(&runs->source, options->grouping);
	size_t older = first_that_fits(runs, newest, options, &size, room);
	if (!older)
		return NULL;
	rg_log_say(&flow->log, RG_LOG_MISSING,
		   "%zu runs are more than fit into %llu MiB (regild.auditMemory): the oldest %zu "
		   "are left out",
		   runs->source.run_count, (unsigned long long)(most >> 20), older);
	rg_stored_runs_drop(runs->stored, &runs->source, older);
	runs->missing = true;
	return NULL;
}

/* A pattern matches the whole or the part after a slash, as in --only of updates. */
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
	if (options->history) {
		RG_TRY(rg_flow_need_worktree(flow));
		RG_TRY(rg_revision_runs_open(&out->revisions, flow->worktree, options->history,
					     rg_config_get(flow->config, "regild.root"),
					     rg_config_goldens(flow->config),
					     &out->formats.options));
		if (rg_worktree_is_shallow(flow->worktree))
			rg_log_say(&flow->log, RG_LOG_WARNING,
				   "this clone is shallow and lacks older versions: 'git fetch "
				   "--unshallow' gets them");
		out->source = rg_revision_runs_source(out->revisions, out->golden_max);
		return NULL;
	}
	if (options->from.count) {
		RG_TRY(rg_path_runs_open(&out->paths, options->from.items, options->from.count,
					 rg_config_goldens(flow->config),
					 rg_config_is_default(flow->config, "regild.files"),
					 &out->formats.options));
		out->source = rg_path_runs_source(out->paths, out->golden_max);
		return NULL;
	}
	return rg_audit_ci_open(out, flow, options);
}

rg_error *rg_audit_runs_open(rg_audit_runs *out, const rg_flow *flow,
			     const rg_audit_runs_options *options)
{
	*out = (rg_audit_runs){0};
	rg_arena_init(&out->tests);
	RG_TRY(rg_config_golden_max(flow->config, &out->golden_max));
	RG_TRY(rg_formats_load(&out->formats, flow, NULL));
	RG_TRY(open_source(out, flow, options));
	/* Variants of one test have the same path without the variant. Paths in folders may do
	 * without the root. */
	const size_t count = out->source.file_count;
	const char **tests = rg_arena_alloc(&out->tests, (count + 1) * sizeof(*tests));

	for (size_t i = 0; i < count; i++) {
		const char *path = out->source.files[i];
		rg_column_context context = rg_columns_of(flow->config);
		rg_name_part variant = rg_test_name_split(path, &context).variant;

		if (!variant.text) {
			context.root = "";
			variant = rg_test_name_split(path, &context).variant;
		}
		tests[i] = path;
		if (variant.text)
			tests[i] = rg_arena_textf(&out->tests, "%.*s%s", (int)(variant.text - path),
						  path, variant.text + variant.length);
	}
	out->source.tests = tests;
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

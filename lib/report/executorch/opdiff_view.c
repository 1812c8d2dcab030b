/* SPDX-License-Identifier: Apache-2.0 */
#include "report/executorch/views.h"

#include "base/json.h"
#include "base/memory.h"
#include "report/template_data.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* --- figures --- */

/* Values that a line is drawn of. */
enum { DRAWN_MAX = 400 };

/* The index of the `i`th drawn one among `count` values, in order of size: templates/page.js knows
 * it, too. */
static size_t drawn_place(size_t i, size_t count)
{
	return count > DRAWN_MAX ? (size_t)((double)i * (double)(count - 1) / (DRAWN_MAX - 1)) : i;
}

/* --- the keys --- */

#define OF rg_opdiff_change
static const rg_json_field change_fields[] = {
	RG_KEY(id, "The operator."),
	RG_KEY(backend, "The backend."),
	RG_KEY_WORD("before", old, rg_opdiff_status_texts, "The old status."),
	RG_KEY_WORD("now", fresh, rg_opdiff_status_texts, "The new status."),
	RG_KEY_AS("before_why", old_why,
		  "What had gone wrong: its error, or the code of its differences; \"\": nothing."),
	RG_KEY_AS("now_why", why, "What went wrong."),
	{0}};
#undef OF

/* A text in a list. */
static const rg_json_field name_fields[] = {
	RG_ITSELF("name", TEXT, const char *, ALWAYS, "Its name."), {0}};

static void write_quantile(rg_buf *out, const void *member)
{
	rg_buf_printf(out, "%g %%", 100 * *(const double *)member);
}

static const rg_json_field quantile_name_fields[] = {
	RG_SAY("name", ALWAYS, write_quantile, "Its name."), {0}};

typedef struct {
	const char *side;
	rg_opdiff_baseline b;
} baseline_view;

#define OF baseline_view
static const rg_json_field baseline_fields[] = {
	RG_KEY_OR_NULL(side, "Null: of the file, or of both."),
	RG_KEY_AS("backend", b.backend, "Its name."),
	RG_KEY_AS("others", b.others, "Further baselines in the file."),
	{0}};
#undef OF

#define OF rg_opdiff_share
static const rg_json_field share_fields[] = {
	RG_KEY(n, "Operators."), RG_KEY(share, "Its percentage of the list."), {0}};
#undef OF

#define OF rg_opdiff_sizes
static const rg_json_field figure_fields[] = {
	RG_KEY_AS("figure", name, "Its name."),
	RG_KEY_ARRAY("buckets", buckets, share_fields,
		     "Operators, as \"bucket_heads\" names them, by the median over repeats."),
	{0}};
#undef OF

/* All values, or evenly taken ones of many. */
static void write_drawn(rg_json_out *json, const void *from, const void *context)
{
	const rg_opdiff_values *values = from;

	(void)context;
	rg_json_open_flat(json, '[');
	for (size_t i = 0; i < values->count && i < DRAWN_MAX; i++)
		rg_json_number(json, values->sorted[drawn_place(i, values->count)]);
	rg_json_close(json, ']');
}

#define OF rg_opdiff_values
#define DRAWN                                               \
	RG_PUT("drawn", NUMBERS, ALWAYS, NULL, write_drawn, \
	       "What a figure draws of them, ascending: all, or 400 evenly taken.")
static const rg_json_field errors_fields[] = {
	RG_KEY_AS("n", count, "How many there are."),
	RG_KEY_OR_NULL(median, "Their median; null where there is none, as all of the figures."),
	RG_KEY_OR_NULL(p90, "The 90th percentile, by the nearest rank."),
	RG_KEY_OR_NULL(p99, "The 99th percentile."),
	RG_KEY_OR_NULL(max, "The largest."),
	DRAWN,
	{0}};

static const rg_json_field quantile_fields[] = {
	RG_ITSELF("value", NUMBER, double, OR_NULL, "The quantile."), {0}};

static const rg_json_field ratio_fields[] = {
	RG_KEY_AS("n", count, "How many there are."),
	RG_KEY_OR_NULL(geometric_mean,
		       "Their geometric mean; null where there is none, as all of the figures."),
	RG_KEY_OR_NULL(median, "Their median."),
	RG_KEY_OR_NULL(p90, "The 90th percentile, by the nearest rank."),
	RG_KEY_OR_NULL(faster, "The percentage under 1."),
	RG_KEY_ARRAY("quantiles", quantiles, quantile_fields,
		     "As \"quantile_heads\" names them, by the nearest rank."),
	DRAWN,
	{0}};
#undef OF

static const char *const sides[] = {"old", "new"};

#define OF rg_opdiff_column
static const rg_json_field column_fields[] = {
	RG_KEY_ARRAY_OF("figures", figures, figure_count, figure_fields,
			"The sizes of errors, max_abs first; empty where it only was a baseline."),
	RG_KEY_WORD("side", new_side, sides, "Which side's it is."),
	RG_KEY(backend, "Its name."),
	RG_KEY(is_baseline, "It is the one of \"baselines\"."),
	RG_KEY(operators, "Operators that it has a status of."),
	RG_KEY(ok, "The percentage of them that is OK."),
	RG_KEY_ARRAY("statuses", statuses, share_fields,
		     "Operators, as \"status_heads\" names them."),
	RG_KEY(targets, "Operators that it ran beside the baseline."),
	RG_KEY_ARRAY("codes", codes, share_fields,
		     "Operators by their first code, as \"code_heads\" names them."),
	RG_KEY_OBJECT("max_abs", max_abs, errors_fields, ALWAYS, false,
		      "Medians over repeats, by operator."),
	RG_KEY_OBJECT("times", to_baseline, ratio_fields, ALWAYS, false,
		      "Times as a ratio to the baseline's."),
	{0}};
#undef OF

#define OF rg_opdiff_problem
static const rg_json_field problem_fields[] = {RG_KEY(id, "The operator."),
					       RG_KEY(op, "Of its first case."),
					       RG_KEY(bad, "Backends that are not OK."),
					       RG_KEY(ok, "Backends that are."),
					       {0}};
#undef OF

#define OF rg_opdiff_overlap
static const rg_json_field overlap_cell_fields[] = {
	RG_KEY_AS("n", ok, "Operators where both are OK."),
	RG_KEY_AS("of", seen, "Operators where both have a status."),
	RG_KEY(share, "The percentage."),
	{0}};
#undef OF

typedef struct {
	const char *name;
	const rg_opdiff_overlap *cells;
	size_t count;
} overlaps_view;

#define OF overlaps_view
static const rg_json_field overlap_fields[] = {
	RG_KEY(name, "Its name."),
	RG_KEY_LIST("cells", cells, count, overlap_cell_fields, "As \"overlap_heads\" names them."),
	{0}};
#undef OF

#define OF rg_opdiff_error_group
static const rg_json_field error_group_fields[] = {
	RG_KEY(group, "What they have in common, '*' for the rest, or the first line."),
	RG_KEY_AS("before", old, "Errors of the old side."),
	RG_KEY_AS("now", fresh, "Errors of the new side."),
	RG_KEY(id, "An operator, for example."),
	RG_KEY(text, "Its error."),
	{0}};
#undef OF

typedef struct {
	const char *backend;
	const rg_opdiff_error_group *groups;
	size_t count;
} errors_view;

#define OF errors_view
static const rg_json_field error_list_fields[] = {
	RG_KEY(backend, "Its name."),
	RG_KEY_LIST("groups", groups, count, error_group_fields,
		    "Errors of a kind, the most frequent first."),
	{0}};
#undef OF

typedef struct {
	rg_opdiff_comparison c;
	const char *title;
	baseline_view baselines[2];
	overlaps_view overlaps[RG_OPDIFF_MATRIX_MAX];
	errors_view *errors; /* so that each backend has its most frequent ones shown */
	size_t baseline_count, overlap_count, error_count;
	size_t targets, codes, problems_shown, problems_more, overlaps_more;
} opdiff_view;

#define OF opdiff_view
const rg_json_field rg_opdiff_fields[] = {
	RG_KEY(title, "The file's name."),
	RG_KEY_AS("alone", c.alone, "There is no old side."),
	RG_KEY_AS("runs", c.runs, "Runs of the new side's file, which are merged."),
	RG_KEY_AS("operators", c.operators, "Operators of the new side."),
	RG_KEY_AS("worse", c.worse, "Results that got worse."),
	RG_KEY_AS("better", c.better, "Results that got better."),
	RG_KEY_AS("other", c.other, "Results of the same status that went wrong otherwise."),
	RG_KEY_AS("old_only", c.old_only, "Results of the old side only."),
	RG_KEY_AS("new_only", c.new_only, "Results of the new side only."),
	RG_KEY_LIST("changes", c.changes, c.change_count, change_fields,
		    "Results whose status changed, or what went wrong."),
	RG_KEY_CONSTANT("status_heads", rg_opdiff_status_texts, name_fields, "The statuses."),
	RG_KEY_CONSTANT("code_heads", rg_opdiff_code_texts, name_fields,
			"The codes instead of errors."),
	RG_KEY_CONSTANT("bucket_heads", rg_opdiff_bucket_names, name_fields,
			"The sizes of errors."),
	RG_KEY_CONSTANT("quantile_heads", rg_opdiff_quantiles, quantile_name_fields,
			"The quantiles."),
	RG_KEY_ARRAY_OF("baselines", baselines, baseline_count, baseline_fields,
			"Whose times the others' are compared with."),
	RG_KEY_LIST("columns", c.columns, c.column_count, column_fields,
		    "The backends of each side."),
	RG_KEY_AS("any_targets", targets, "Whether there are \"figures\": the sum of \"targets\"."),
	RG_KEY_AS("any_codes", codes, "Operators with a code, in all."),
	RG_KEY_AS("columns_more", c.columns_left_out, "Backends that are left out."),
	RG_KEY_LIST("problems", c.overview.problems, problems_shown, problem_fields,
		    "The operators that most backends of the new side fail, 20 at most."),
	RG_KEY(problems_more, "Further operators that some backend fails."),
	RG_KEY_LIST("overlap_heads", c.overview.backends, overlap_count, name_fields,
		    "The backends of \"overlaps\"."),
	RG_KEY_ARRAY_OF("overlaps", overlaps, overlap_count, overlap_fields,
			"Operators of the new side where two backends are OK."),
	RG_KEY(overlaps_more, "Backends that are left out of \"overlaps\"."),
	RG_KEY_LIST("error_lists", errors, error_count, error_list_fields,
		    "What went wrong, by backend."),
	RG_KEY_OBJECT("new_to_old", c.new_to_old, ratio_fields, ALWAYS, false,
		      "New times as a ratio to old ones."),
	{0}};
#undef OF

/* Operators that are listed as the most problematic. */
enum { PROBLEMS_MAX = 20 };

static void set_overview(opdiff_view *t)
{
	const rg_opdiff_overview *o = &t->c.overview;

	t->problems_shown = o->problem_count < PROBLEMS_MAX ? o->problem_count : PROBLEMS_MAX;
	t->problems_more = o->problem_count - t->problems_shown;
	if (o->backend_count < 2) /* of one backend there is no matrix */
		return;
	t->overlap_count = o->backend_count;
	t->overlaps_more = o->left_out;
	for (size_t i = 0; i < o->backend_count; i++)
		t->overlaps[i] = (overlaps_view){o->backends[i], &o->overlaps[i * o->backend_count],
						 o->backend_count};
}

cJSON *rg_opdiff_view(const rg_opdiff_comparison *comparison, const char *title)
{
	const rg_opdiff_error_list *errors = &comparison->errors;
	RG_AUTO_FREE errors_view *lists = rg_calloc(errors->count + 1, sizeof(*lists));
	cJSON *view = cJSON_CreateObject();
	opdiff_view t = {.c = *comparison, .title = title, .errors = lists};

	for (size_t i = 0; i < t.c.column_count; i++) {
		t.targets += t.c.columns[i].targets;
		for (size_t k = 0; k < RG_OPDIFF_CODES; k++)
			t.codes += t.c.columns[i].codes[k].n;
	}
	const rg_opdiff_baseline *old = &t.c.old_baseline, *fresh = &t.c.new_baseline;
	bool same = old->backend && fresh->backend && !strcmp(old->backend, fresh->backend) &&
		    !old->others && !fresh->others;

	if (old->backend && !same)
		t.baselines[t.baseline_count++] = (baseline_view){"old", *old};
	if (fresh->backend)
		t.baselines[t.baseline_count++] =
			(baseline_view){same || t.c.alone ? NULL : "new", *fresh};
	set_overview(&t);
	for (size_t i = 0; i < errors->count; i++) {
		const rg_opdiff_error_group *group = &errors->items[i];
		if (!i || strcmp(group[-1].backend, group->backend) != 0)
			lists[t.error_count++] = (errors_view){group->backend, group, 0};
		lists[t.error_count - 1].count++;
	}
	rg_build_fields(view, rg_opdiff_fields, &t);
	return view;
}

/* --- of pairs of files --- */

/* The results of a pair's files. */
typedef struct {
	rg_opdiff_run old, fresh;
	bool alone; /* there is no old side */
	char *name;
} run_pair;

static void free_pair(void *kept)
{
	run_pair *pair = kept;
	rg_opdiff_run_release(&pair->old);
	rg_opdiff_run_release(&pair->fresh);
	free(pair->name);
	free(pair);
}

static void *collect(const rg_pair *pair, const rg_format_request *request)
{
	const rg_input *old = &pair->old_side, *fresh = &pair->new_side;
	const bool alone = pair->status == RG_FILE_NEW;

	if (!rg_opdiff_recognised(fresh->data, fresh->size) ||
	    (!alone && !rg_opdiff_recognised(old->data, old->size)))
		return NULL;
	run_pair *kept = rg_calloc(1, sizeof(*kept));
	kept->alone = alone;
	kept->name = rg_strdup(pair->name.file);
	RG_AUTO_PTR(rg_error) err = NULL;
	if (!alone)
		err = rg_opdiff_read(&kept->old, old->data, old->size, request->run_index);
	if (!err)
		err = rg_opdiff_read(&kept->fresh, fresh->data, fresh->size, request->run_index);
	if (!err)
		return kept;
	free_pair(kept);
	return NULL;
}

/* A file each. */
static cJSON *make_views(void *const *kept, size_t count, const rg_format_request *request)
{
	cJSON *list = cJSON_CreateArray();
	for (size_t i = 0; i < count; i++) {
		const run_pair *pair = kept[i];
		RG_AUTO(rg_opdiff_comparison) comparison = {0};
		rg_opdiff_compare(&comparison, pair->alone ? NULL : &pair->old, &pair->fresh,
				  request->old_part, request->new_part);
		cJSON_AddItemToArray(list, rg_opdiff_view(&comparison, pair->name));
	}
	return list;
}

const rg_format_hooks rg_opdiff_hooks = {
	.name = "opdiff", .collect = collect, .view = make_views, .free = free_pair};

/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/components.h"

#include "audit/stages.h"
#include "audit/statistics.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/path.h"
#include "base/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The squares of what is nested in something, about the mean of that, their degrees of freedom, and
 * how often the components are in their expectation. */
typedef struct {
	rg_sum squares;
	double freedom, commits, variants;
} stage;

struct rg_component_analysis {
	stage reruns, commits, variants;
	size_t runs, commit_count; /* different ones */
	bool *commits_seen, runs_seen[];
};

RG_ORDER(by_place, rg_component_value, RG_RISING(variant) || RG_RISING(commit) || RG_RISING(run));

/* Values that are equal have exactly that mean. */
static double mean_of(const rg_component_value *values, size_t count)
{
	rg_sum sum = {0, 0};
	for (size_t i = 0; i < count; i++)
		rg_sum_add(&sum, values[i].value - values->value);
	return values->value + rg_sum_mean(&sum, count);
}

static void add_square(stage *to, double times, double off)
{
	rg_sum_add(&to->squares, times * off * off);
}

static void count_once(bool *seen, size_t what, size_t *count)
{
	*count += seen[what] ? 0 : 1;
	seen[what] = true;
}

/* The commits of a variant of a kind, of which there are `all` values. */
static void add_variant(rg_component_analysis *a, const rg_component_value *values, size_t count,
			size_t all, double kind_mean)
{
	double mean = mean_of(values, count), n = (double)count, total = (double)all, twice = 0;
	size_t end;
	for (size_t start = 0; start < count; start = end) {
		for (end = start + 1; end < count && values[end].commit == values[start].commit;)
			end++;
		const double size = (double)(end - start);
		/* The re-runs of a commit of a variant. */
		const double commit_mean = mean_of(values + start, end - start);
		for (size_t i = start; i < end; i++) {
			add_square(&a->reruns, 1, values[i].value - commit_mean);
			count_once(a->runs_seen, values[i].run, &a->runs);
		}
		count_once(a->commits_seen, values[start].commit, &a->commit_count);
		a->reruns.freedom += size - 1;
		add_square(&a->commits, size, commit_mean - mean);
		a->commits.freedom++;
		twice += size * size;
	}
	a->commits.freedom--;
	a->commits.commits += n - twice / n;
	add_square(&a->variants, n, mean - kind_mean);
	a->variants.freedom++;
	a->variants.commits += twice / n - twice / total;
	a->variants.variants += n - n * n / total;
}

void rg_components_add(rg_component_analysis *a, rg_component_value *values, size_t count)
{
	size_t end;
	if (!count)
		return;
	qsort(values, count, sizeof(*values), by_place);
	double mean = mean_of(values, count);
	for (size_t start = 0; start < count; start = end) {
		for (end = start + 1; end < count && values[end].variant == values[start].variant;)
			end++;
		add_variant(a, values + start, end - start, count, mean);
	}
	a->variants.freedom--;
}

static double mean_square(const stage *s)
{
	return rg_sum_total(&s->squares) / s->freedom;
}

/* The re-runs' share of what is between runs of a variant, by a quantile of F: the ratio of the
 * mean squares, divided by it, is what the components make of it. */
static double share_at(const rg_component_analysis *a, double share)
{
	double above = fmin(a->commits.freedom, (double)a->commit_count - 1);
	double below = fmin(a->reruns.freedom, (double)(a->runs - a->commit_count));
	double ratio = mean_square(&a->commits) / mean_square(&a->reruns) /
		       rg_f_quantile(share, above, below);
	double times = a->commits.commits / a->commits.freedom;

	return isnan(ratio) ? 0 : fmin(times / fmax(ratio - 1 + times, 0), 1);
}

/* Re-runs and commits are told apart if both are there; else `reruns` is what is between runs. */
static void solve(rg_components *out, const rg_component_analysis *a)
{
	bool both = a->reruns.freedom > 0 && a->commits.freedom > 0;
	double reruns = 0, commits = 0, variants = 0;
	if (both) {
		reruns = mean_square(&a->reruns);
		commits = rg_sum_total(&a->commits.squares) - a->commits.freedom * reruns;
		commits = fmax(commits / a->commits.commits, 0);
	} else if (a->reruns.freedom + a->commits.freedom > 0) {
		reruns = rg_sum_total(&a->reruns.squares) + rg_sum_total(&a->commits.squares);
		reruns /= a->reruns.freedom + a->commits.freedom;
	} else {
		return;
	}
	if (a->variants.freedom > 0)
		variants = fmax((rg_sum_total(&a->variants.squares) - a->variants.freedom * reruns -
				 a->variants.commits * commits) /
					a->variants.variants,
				0);
	double all = reruns + commits + variants;
	if (!(all > 0))
		return;
	if (a->variants.freedom > 0)
		out->variants = variants / all;
	if (!both)
		return;
	out->commits = commits / all;
	out->reruns = reruns / all;
	out->reruns_low = share_at(a, 0.025) * (1 - variants / all);
	out->reruns_high = share_at(a, 0.975) * (1 - variants / all);
}

void rg_components_begin(rg_component_analysis **out, size_t runs)
{
	*out = rg_calloc(1, sizeof(**out) + 2 * (runs + 1) * sizeof((*out)->runs_seen[0]));
	(*out)->commits_seen = (*out)->runs_seen + runs + 1;
}

void rg_components_finish(rg_components *out, rg_component_analysis *analysis)
{
	*out = (rg_components){NAN, NAN, NAN, NAN, NAN};
	solve(out, analysis);
	free(analysis);
}

bool rg_components_are_told(const rg_components *components)
{
	return !isnan(components->variants) || !isnan(components->reruns);
}

/* --- of an audit --- */

RG_ORDER_OF_POINTERS(by_commit, rg_audit_run, RG_BY_TEXT(commit) || RG_BY(x, y));

void rg_audit_number_commits(rg_audit *audit)
{
	RG_AUTO_FREE const rg_audit_run **sorted =
		rg_calloc(audit->run_count + 1, sizeof(const rg_audit_run *));
	size_t *commits = rg_arena_alloc(&audit->arena, (audit->run_count + 1) * sizeof(*commits));
	size_t first = 0;
	for (size_t i = 0; i < audit->run_count; i++)
		sorted[i] = &audit->runs[i];
	if (audit->run_count)
		qsort(sorted, audit->run_count, sizeof(*sorted), by_commit);
	for (size_t i = 0; i < audit->run_count; i++) {
		if (!*sorted[i]->commit || strcmp(sorted[i]->commit, sorted[first]->commit) != 0)
			first = i;
		commits[sorted[i] - audit->runs] = (size_t)(sorted[first] - audit->runs);
	}
	audit->commits = commits;
}

/* Variants of one test measure one thing. */
RG_ORDER_OF_POINTERS(by_kind, rg_audit_series, RG_BY_TEXT(metric) || RG_BY_TEXT(test));
RG_ORDER_OF_POINTERS(by_kind_and_file, rg_audit_series,
		     RG_BY_TEXT(metric) || RG_BY_TEXT(test) || RG_BY_PATH(file));

/* The runs' means of series of one kind in the newest regime, without bad runs. */
static size_t list_values(rg_component_value *out, const rg_audit *audit,
			  const rg_audit_series *const *series, size_t count)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		for (size_t row = 0; row < series[i]->row_count; row++)
			if (isfinite(series[i]->noise.deviations[row]) &&
			    isfinite(series[i]->noise.means[row]))
				out[n++] = (rg_component_value){
					.variant = i,
					.commit = audit->commits[series[i]->row_runs[row]],
					.run = series[i]->row_runs[row],
					.value = series[i]->noise.means[row]};
	/* Metrics and tests are of different sizes: the values are in units of their usual size. */
	rg_wide_sum sizes = {0};
	for (size_t i = 0; i < n; i++)
		rg_wide_sum_add(&sizes, fabs(out[i].value));
	for (size_t i = 0; i < n && rg_sum_total(&sizes.sum) > 0; i++)
		out[i].value /= rg_wide_sum_mean(&sizes, n);
	return n;
}

void rg_audit_find_sources(rg_components *out, const rg_audit *audit,
			   const rg_audit_series *const *series, size_t count)
{
	RG_AUTO_FREE const rg_audit_series **sorted =
		rg_calloc(count + 1, sizeof(const rg_audit_series *));
	rg_component_analysis *analysis;
	rg_components_begin(&analysis, audit->run_count);
	if (count) {
		memcpy(sorted, series, count * sizeof(*sorted));
		qsort(sorted, count, sizeof(*sorted), by_kind_and_file);
	}
	/* Goes kind by kind: the values of all together would be most of an audit's memory. */
	for (size_t start = 0, end; start < count; start = end) {
		size_t rows = 0;
		for (end = start; end < count && !by_kind(&sorted[start], &sorted[end]); end++)
			rows += sorted[end]->row_count;
		RG_AUTO_FREE rg_component_value *values = rg_calloc(rows + 1, sizeof(*values));
		rg_components_add(analysis, values,
				  list_values(values, audit, sorted + start, end - start));
	}
	rg_components_finish(out, analysis);
}

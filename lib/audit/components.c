/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/components.h"

#include "base/memory.h"
#include "base/order.h"
#include "audit/distributions.h"
#include "base/sum.h"

#include <math.h>
#include <stdlib.h>

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

/* The re-runs of a commit of a variant. */
static void add_commit(rg_component_analysis *a, const rg_component_value *values, size_t count,
		       double variant_mean)
{
	double mean = mean_of(values, count);
	for (size_t i = 0; i < count; i++) {
		add_square(&a->reruns, 1, values[i].value - mean);
		count_once(a->runs_seen, values[i].run, &a->runs);
	}
	count_once(a->commits_seen, values->commit, &a->commit_count);
	a->reruns.freedom += (double)count - 1;
	add_square(&a->commits, (double)count, mean - variant_mean);
	a->commits.freedom++;
}

/* The commits of a variant of a kind, of which there are `all` values. */
static void add_variant(rg_component_analysis *a, const rg_component_value *values, size_t count,
			size_t all, double kind_mean)
{
	double mean = mean_of(values, count), n = (double)count, total = (double)all, twice = 0;
	size_t end;

	for (size_t start = 0; start < count; start = end) {
		double size;
		for (end = start + 1; end < count && values[end].commit == values[start].commit;)
			end++;
		size = (double)(end - start);
		add_commit(a, values + start, end - start, mean);
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

/* Where both are there, re-runs and commits; else `reruns` is what is between runs. */
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

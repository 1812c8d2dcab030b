/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/verdict.h"

#include "audit/conformal.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "compare/policy.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- rows of too few runs --- */

/* The deviations of all rows of a metric count as so many runs of each. */
#define POOL_RUNS 3.0

/* A row that too few runs measured to rank it among them. */
typedef struct {
	rg_row *row;
	size_t runs; /* the new one too, which is the last */
	const double *means, *sizes;
} few_row;

typedef struct {
	double score, weight; /* the weights of a row are 1 */
} placed;

RG_ORDER(few_by_metric, few_row, RG_BY_TEXT(row->metric));

/* A figure is divided by what the row's runs are off, and what those of all rows are. */
static double unit_of(const double *values, size_t runs, double of_all)
{
	double n = (double)runs - 1, own = rg_size_but_largest(values, runs);
	return fmax(sqrt((n * own * own + POOL_RUNS * of_all * of_all) / (n + POOL_RUNS)),
		    RG_CONFORMAL_FLOOR);
}

/* What a figure is as a rule, over all rows' runs, and where most agree to the bit what those are
 * that do not; `means`: which of the two. */
static double usual_figure(const few_row *rows, size_t count, size_t total, bool means)
{
	RG_AUTO_FREE double *all = rg_calloc(total, sizeof(*all));
	size_t n = 0;
	for (size_t i = 0; i < count; i++) {
		memcpy(all + n, means ? rows[i].means : rows[i].sizes, rows[i].runs * sizeof(*all));
		n += rows[i].runs;
	}
	double usual = rg_trimmed_size(all, total);
	if (usual < RG_CONFORMAL_FLOOR)
		usual = rg_size_but_largest(all, total);
	return usual;
}

/* Each run's score in each row; the new run's of a row is `fresh`. */
static void place_scores(placed *out, double *fresh, const few_row *rows, size_t count,
			 size_t total)
{
	double mean = usual_figure(rows, count, total, true);
	double size = usual_figure(rows, count, total, false);
	for (size_t i = 0; i < count; i++) {
		const few_row *row = &rows[i];
		double mean_unit = unit_of(row->means, row->runs, mean);
		double size_unit = unit_of(row->sizes, row->runs, size);
		for (size_t r = 0; r < row->runs; r++)
			*out++ =
				(placed){fmax(row->means[r] / mean_unit, row->sizes[r] / size_unit),
					 1 / (double)row->runs};
		fresh[i] = out[-1].score;
	}
}

/* Says also that a row's runs agree to the bit, or that the new one is not past all of them. */
static void judge(rg_arena *arena, const few_row *few, double fresh, const placed *scores,
		  size_t total, size_t goldens, double level)
{
	rg_verdict *v = &few->row->verdict;
	double reached = 0;
	if (!v->place || !isfinite(v->beyond))
		return;
	for (size_t i = 0; i < total; i++)
		reached += scores[i].score >= fresh ? scores[i].weight : 0;
	v->p = fmin(reached / (double)goldens, 1);
	v->bound = 1 / ((double)few->runs * (double)goldens);
	v->kind = v->p <= level * (1 + 1e-12) ? RG_VERDICT_OUTSIDE : RG_VERDICT_WITHIN;
	v->goldens = goldens;
	const char *metric = few->row->metric;
	if (v->kind == RG_VERDICT_WITHIN) {
		v->text = rg_arena_textf(arena, "%s, as rows of %s in %zu goldens often are",
					 v->place, metric, goldens);
		return;
	}
	char percent[RG_PERCENT_SIZE];
	rg_percent_at_most(percent, v->p);
	v->text = rg_arena_textf(
		arena, "%s: %s (by chance in at most %s %% of the rows of %s in %zu goldens)",
		v->place, v->figure, percent, metric, goldens);
}

/* The rows of one metric. */
static void pool(rg_arena *arena, const few_row *rows, size_t count, double level)
{
	size_t total = 0;
	for (size_t i = 0; i < count; i++)
		total += rows[i].runs;
	/* The furthest of all runs and rows counts as one row in so many. */
	if ((double)total * level * (1 + 1e-12) < 1)
		return;
	RG_AUTO_FREE placed *scores = rg_calloc(total, sizeof(*scores));
	RG_AUTO_FREE double *fresh = rg_calloc(count, sizeof(*fresh));
	place_scores(scores, fresh, rows, count, total);
	for (size_t i = 0; i < count; i++)
		judge(arena, &rows[i], fresh[i], scores, total, count, level);
}

static void pool_rows(rg_comparison *c, const rg_noise_judge_context *judge)
{
	size_t count = 0, end;
	RG_AUTO_FREE few_row *rows = rg_calloc(rg_comparison_rows(c) + 1, sizeof(*rows));
	for (size_t i = 0; i < rg_comparison_rows(c); i++) {
		const rg_verdict *v = &rg_comparison_row(c, i)->verdict;
		if (v->means && v->runs < rg_runs_needed(judge->level))
			rows[count++] =
				(few_row){rg_comparison_row(c, i), v->runs + 1, v->means, v->sizes};
	}
	if (count)
		qsort(rows, count, sizeof(*rows), few_by_metric);
	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && !few_by_metric(&rows[i], &rows[end]);)
			end++;
		pool(&c->arenas[0], rows + i, end - i, judge->level);
	}
}

/* --- the run --- */

enum { STRATA_MAX = 3, FIGURES = 3 };
/* A score that is not finite is as far out as any can be. */
#define SCORE_MAX 1e150
#define ALIKE     1e-9

/* A row, or a series of a golden that did not change. */
typedef struct {
	rg_row *row; /* NULL: it did not */
	const char *metric;
	const size_t *runs;
	size_t run_count;
	const double *scores; /* by run; the one that is tested last */
	double usual;
	double factor;  /* of the scores, where all runs but one agree: in units of a metric's usual
			 */
	size_t stratum; /* from 1; 0: none */
	size_t group;   /* while strata are chosen: of the lines with its runs */
} line;

/* Runs that measured the same lines. */
typedef struct {
	size_t *runs;
	size_t count;
	double p;
	rg_shown_by by;
	const char *metric;
	double *most;  /* by run: the largest logarithm of any line's score */
	double *alone; /* by run: lines in which it differs, and all others agree to the bit */
	bool noisy;    /* in some line more than one run differs */
} stratum;

typedef struct {
	rg_arena arena;
	double level;
	line *lines;
	size_t count, capacity;
	size_t all_runs;
	stratum strata[STRATA_MAX + 1];
	size_t strata_count;
} run_state;

static void run_state_release(run_state *w)
{
	rg_arena_release(&w->arena);
	free(w->lines);
}

static void *take(run_state *w, size_t count, size_t size)
{
	return rg_arena_alloc(&w->arena, (count + 1) * size);
}

/* --- goldens that did not change --- */

/* Series of files that the comparison has are not among them, whatever became of those. Returns how
 * many goldens they are of. */
static size_t add_unchanged(run_state *w, const rg_comparison *c,
			    const rg_noise_judge_context *judge)
{
	const rg_noise_model *model = judge->model;
	bool *seen = take(w, model->count, sizeof(*seen));
	const char *file = NULL;
	size_t goldens = 0;
	for (size_t i = 0; i < c->file_count; i++)
		rg_noise_model_mark(model, c->files[i].file, seen);
	for (size_t i = 0; i < model->count; i++) {
		const rg_noise_series *series = &model->series[i];
		if (series->scores && !seen[i] && !series->drifts &&
		    judge->takes(judge->taker, series->file, series->metric)) {
			*RG_PUSH(w->lines, w->count, w->capacity) =
				(line){.metric = series->metric,
				       .runs = series->runs,
				       .run_count = series->run_count,
				       .scores = series->scores,
				       .usual = series->usual};
			goldens += !file || strcmp(file, series->file) != 0;
			file = series->file;
		}
	}
	return goldens;
}

RG_ORDER(by_metric, line, RG_BY_TEXT(metric));

/* --- strata --- */

/* Lines that the same runs measured. */
typedef struct {
	const size_t *runs;
	size_t run_count, lines;
	bool taken;
} line_group;

static int by_runs(const void *a, const void *b)
{
	const line *x = *(line *const *)a, *y = *(line *const *)b;
	if (x->run_count != y->run_count)
		return x->run_count < y->run_count ? -1 : 1;
	return memcmp(x->runs, y->runs, x->run_count * sizeof(*x->runs));
}

/* The lines of no stratum yet, by the runs that they have; returns how many groups there are. */
static size_t group_lines(run_state *w, line_group *groups)
{
	line **left = take(w, w->count, sizeof(*left));
	size_t n = 0, count = 0;
	for (size_t i = 0; i < w->count; i++)
		if (!w->lines[i].stratum)
			left[n++] = &w->lines[i];
	if (n)
		qsort(left, n, sizeof(*left), by_runs);
	for (size_t i = 0; i < n; i++) {
		if (!i || by_runs(&left[i - 1], &left[i]) != 0)
			groups[count++] = (line_group){.runs = left[i]->runs,
						       .run_count = left[i]->run_count};
		left[i]->group = count - 1;
		groups[count - 1].lines++;
	}
	return count;
}

/* How many of the runs are marked. */
static size_t count_marked(const line_group *g, const bool *marked)
{
	size_t n = 0;
	for (size_t k = 0; k < g->run_count; k++)
		n += marked[g->runs[k]];
	return n;
}

/* The group that can join: it has the most lines times runs with those that joined before; count
 * where each would leave fewer than `least` runs. */
static size_t find_joining(const line_group *groups, size_t count, const bool *marked, size_t lines,
			   size_t least)
{
	size_t best = count, most = 0;
	for (size_t g = 0; g < count; g++) {
		if (groups[g].taken)
			continue;
		size_t common = count_marked(&groups[g], marked);
		if (common >= least && (lines + groups[g].lines) * common > most) {
			most = (lines + groups[g].lines) * common;
			best = g;
		}
	}
	return best;
}

/* Chooses runs, `least` or more, and the lines that have all of them, so that lines times runs is
 * large: group after group joins, the best first. False: no line has as many. */
static bool add_stratum(run_state *w, size_t least)
{
	line_group *groups = take(w, w->count, sizeof(*groups));
	bool *marked = take(w, w->all_runs, sizeof(*marked));
	bool *scratch = take(w, w->all_runs, sizeof(*scratch));
	bool *best_runs = take(w, w->all_runs, sizeof(*best_runs));
	size_t count = group_lines(w, groups), lines = 0, best = 0, joining;
	stratum *s = &w->strata[w->strata_count + 1];

	memset(marked, 1, w->all_runs * sizeof(*marked));
	while ((joining = find_joining(groups, count, marked, lines, least)) < count) {
		line_group *g = &groups[joining];
		memset(scratch, 0, w->all_runs * sizeof(*scratch));
		for (size_t k = 0; k < g->run_count; k++)
			scratch[g->runs[k]] = marked[g->runs[k]];
		memcpy(marked, scratch, w->all_runs * sizeof(*marked));
		g->taken = true;
		lines += g->lines;
		size_t value = lines * count_marked(g, marked);
		if (value > best) {
			best = value;
			memcpy(best_runs, marked, w->all_runs * sizeof(*marked));
		}
	}
	if (!best)
		return false;
	w->strata_count++;
	s->count = 0;
	s->runs = take(w, w->all_runs, sizeof(*s->runs));
	for (size_t r = 0; r < w->all_runs; r++)
		if (best_runs[r])
			s->runs[s->count++] = r;
	for (size_t i = 0; i < w->count; i++)
		if (!w->lines[i].stratum &&
		    count_marked(&groups[w->lines[i].group], best_runs) == s->count)
			w->lines[i].stratum = w->strata_count;
	return true;
}

/* Strata that share the level, up to so many; returns how many lines are in them. */
static size_t choose_strata(run_state *w, size_t most)
{
	const size_t least = rg_runs_needed(w->level / (double)most);
	size_t told = 0;
	w->strata_count = 0;
	for (size_t i = 0; i < w->count; i++)
		w->lines[i].stratum = 0;
	while (w->strata_count < most && add_stratum(w, least))
		;
	for (size_t i = 0; i < w->count; i++)
		told += w->lines[i].stratum ? 1 : 0;
	return told;
}

/* As few as tell of as many lines as more do. */
static void find_strata(run_state *w)
{
	size_t best = 1, most = 0;
	for (size_t k = 1; k <= STRATA_MAX && w->strata_count + 1 >= k; k++) {
		size_t told = choose_strata(w, k);
		best = told > most ? k : best;
		most = told > most ? told : most;
	}
	choose_strata(w, best);
}

/* --- the figures of a stratum --- */

/* If all runs of a line but one agree, that one's score would be in units of ulps. Its unit is the
 * usual one of the other lines of its metric instead, if there is one. */
static void take_units(run_state *w, double *scratch)
{
	for (size_t i = 0, end; i < w->count; i = end) {
		for (end = i + 1; end < w->count && !by_metric(&w->lines[i], &w->lines[end]);)
			end++;
		size_t n = 0;
		for (size_t k = i; k < end; k++)
			if (w->lines[k].usual >= RG_CONFORMAL_FLOOR)
				scratch[n++] = w->lines[k].usual;
		double unit = n ? rg_median(scratch, n) : RG_CONFORMAL_FLOOR;
		for (size_t k = i; k < end; k++)
			w->lines[k].factor = w->lines[k].usual < RG_CONFORMAL_FLOOR
						     ? RG_CONFORMAL_FLOOR / unit
						     : 1;
	}
}

/* The line's scores of the stratum's runs, the tested one last, as logarithms. */
static void take_scores(double *out, const stratum *s, const line *l)
{
	size_t at = 0;
	for (size_t k = 0; k <= s->count; k++) {
		while (at < l->run_count && (k == s->count || l->runs[at] != s->runs[k]))
			at++;
		out[k] = log1p(fmin(fmax(l->scores[at], 0) * l->factor, SCORE_MAX));
	}
}

/* Room to work out a stratum's figures in: by run, the tested one last. */
typedef struct {
	double *figures[FIGURES], *scores, *sum, *scratch;
	size_t runs;
} table;

static void count_outside(table *t, double level)
{
	double most = fmax(floor(level * (double)t->runs * (1 + 1e-12)), 1);
	for (size_t r = 0; r < t->runs; r++) {
		size_t reached = 0;
		for (size_t k = 0; k < t->runs && (double)reached <= most; k++)
			reached += t->scores[k] >= t->scores[r];
		t->figures[RG_SHOWN_BY_COUNT][r] += (double)reached <= most ? 1 : 0;
	}
}

/* The run that alone differs, where all others of the line agree. */
static void count_alone(const table *t, stratum *s, const line *l)
{
	size_t furthest = 0;
	for (size_t r = 1; r < t->runs; r++)
		furthest = t->scores[r] > t->scores[furthest] ? r : furthest;
	if (l->usual >= RG_CONFORMAL_FLOOR)
		s->noisy = true;
	else if (t->scores[furthest] > 0)
		s->alone[furthest]++;
}

/* A metric's sums are one figure's candidates; `metric` is kept where the tested run's is largest.
 */
static void end_metric(table *t, stratum *s, const char *metric)
{
	double *largest = t->figures[RG_SHOWN_BY_METRIC];
	rg_standardise(t->sum, t->runs, t->scratch, ALIKE, 1);
	for (size_t r = 0; r < t->runs; r++) {
		if (r + 1 == t->runs && t->sum[r] > largest[r])
			s->metric = metric;
		largest[r] = fmax(largest[r], t->sum[r]);
	}
}

static void add_figures(run_state *w, stratum *s, size_t which, table *t)
{
	const line *last = NULL;
	size_t lines = 0;
	for (size_t i = 0; i < w->count; i++) {
		const line *l = &w->lines[i];
		if (l->stratum != which)
			continue;
		if (!last || strcmp(last->metric, l->metric) != 0) {
			if (lines > 1)
				end_metric(t, s, last->metric);
			memset(t->sum, 0, t->runs * sizeof(*t->sum));
			lines = 0;
		}
		last = l;
		lines++;
		take_scores(t->scores, s, l);
		count_alone(t, s, l);
		count_outside(t, w->level);
		for (size_t r = 0; r < t->runs; r++) {
			s->most[r] = fmax(s->most[r], t->scores[r]);
			t->sum[r] += t->scores[r];
		}
	}
	if (lines > 1)
		end_metric(t, s, last->metric);
}

/* The largest of the figures of each run, by which they are ranked. */
static void rank_runs(stratum *s, table *t)
{
	double *best = t->sum, *largest = t->figures[RG_SHOWN_BY_ROWS];
	for (size_t r = 0; r < t->runs; r++)
		largest[r] = expm1(s->most[r]);
	size_t clear = rg_conformal_clear(largest, t->runs), reached = 0;
	rg_standardise(largest, t->runs, t->scratch, ALIKE, 1);
	rg_standardise(t->figures[RG_SHOWN_BY_COUNT], t->runs, t->scratch, ALIKE, 1);
	for (size_t r = 0; r < t->runs; r++) {
		best[r] = -INFINITY;
		for (int f = 0; f < FIGURES; f++) {
			if (r + 1 == t->runs && t->figures[f][r] > best[r])
				s->by = (rg_shown_by)f;
			best[r] = fmax(best[r], t->figures[f][r]);
		}
	}
	if (clear < t->runs)
		best[clear] = DBL_MAX;
	if (clear + 1 == t->runs)
		s->by = RG_SHOWN_BY_ROWS;
	for (size_t r = 0; r < t->runs; r++)
		reached += best[r] >= best[t->runs - 1] ? 1 : 0;
	s->p = (double)reached / (double)t->runs;
}

/* That a run differs where all others agree is an event of its own, which one noisy line hides from
 * the figures: runs are ranked by how many such lines they have. If any run has one, some line is
 * noisy, and there are enough runs for two tests, both share the level. */
static void rank_alone(stratum *s, size_t runs, double level)
{
	size_t reached = 0, any = 0;
	for (size_t r = 0; r < runs; r++) {
		any += s->alone[r] > 0;
		reached += s->alone[r] >= s->alone[runs - 1] ? 1 : 0;
	}
	if (!any || !s->noisy || runs - 1 < rg_runs_needed(level / 2))
		return;
	double p = (double)reached / (double)runs;
	if (p < s->p)
		s->by = RG_SHOWN_BY_ALONE;
	s->p = fmin(1, 2 * fmin(p, s->p));
}

static void test_stratum(run_state *w, size_t which)
{
	stratum *s = &w->strata[which];
	table t = {.runs = s->count + 1};
	for (size_t f = 0; f < FIGURES; f++)
		t.figures[f] = take(w, t.runs, sizeof(double));
	t.scores = take(w, t.runs, sizeof(double));
	t.sum = take(w, t.runs, sizeof(double));
	t.scratch = take(w, t.runs, sizeof(double));
	s->most = take(w, t.runs, sizeof(double));
	s->alone = take(w, t.runs, sizeof(double));
	for (size_t r = 0; r < t.runs; r++)
		t.figures[RG_SHOWN_BY_METRIC][r] = -INFINITY;
	add_figures(w, s, which, &t);
	rank_runs(s, &t);
	rank_alone(s, t.runs, w->level / (double)w->strata_count);
}

/* --- the answer --- */

/* Does the line, which has these scores, show what the stratum does? Of a single row: as far out as
 * it is in any, so few runs are. */
static bool shows(const run_state *w, const stratum *s, const line *l, const double *scores)
{
	size_t reached = 0;
	if (s->by == RG_SHOWN_BY_METRIC)
		return !strcmp(l->metric, s->metric);
	if (s->by == RG_SHOWN_BY_COUNT)
		return l->row->verdict.kind == RG_VERDICT_OUTSIDE;
	if (s->by == RG_SHOWN_BY_ALONE)
		return l->usual < RG_CONFORMAL_FLOOR && scores[s->count] > 0;
	for (size_t r = 0; r <= s->count; r++)
		reached += s->most[r] >= scores[s->count] ? 1 : 0;
	return (double)(reached * w->strata_count) <=
	       w->level * (double)(s->count + 1) * (1 + 1e-12);
}

static void name(rg_verdict *v, double p, bool golden)
{
	v->of_golden |= golden;
	v->run_p = golden ? v->run_p : p;
}

/* Names the lines by which the stratum with the smallest p shows it: at least the one that is out
 * furthest. */
static void name_lines(run_state *w, size_t which, double p, bool golden, double *scores)
{
	const stratum *s = &w->strata[which];
	double furthest = -1;
	rg_row *best = NULL;
	bool any = false;
	for (size_t i = 0; i < w->count; i++) {
		const line *l = &w->lines[i];
		if (!l->row || l->stratum != which)
			continue;
		take_scores(scores, s, l);
		if (shows(w, s, l, scores)) {
			name(&l->row->verdict, p, golden);
			any = true;
		}
		if (scores[s->count] > furthest) {
			furthest = scores[s->count];
			best = l->row;
		}
	}
	if (!any && best)
		name(&best->verdict, p, golden);
}

static void answer(run_state *w, rg_run_test *out, bool golden, double *scratch)
{
	size_t best = 0, fewest = SIZE_MAX;
	out->answer = RG_ANSWER_OPEN;
	for (size_t k = 1; k <= w->strata_count; k++) {
		const stratum *s = &w->strata[k];
		out->runs = s->count > out->runs ? s->count : out->runs;
		best = !best || s->p < w->strata[best].p ? k : best;
	}
	for (size_t i = 0; i < w->count; i++) {
		const line *l = &w->lines[i];
		if (l->row && !golden)
			l->row->verdict.tested = l->stratum != 0;
		out->rows += l->stratum ? 1 : 0;
		out->too_few += l->stratum ? 0 : 1;
		if (!l->stratum && l->run_count < fewest)
			fewest = l->run_count;
	}
	if (out->too_few) {
		size_t needed = rg_runs_needed(w->level);
		out->missing = needed > fewest ? needed - fewest : 1;
		if (!best)
			out->runs = fewest;
	}
	if (!best)
		return;
	out->p = fmin(1, w->strata[best].p * (double)w->strata_count);
	out->by = w->strata[best].by;
	out->answer = out->p <= w->level * (1 + 1e-12) ? RG_ANSWER_CHANGED : RG_ANSWER_NOISE;
	if (out->answer == RG_ANSWER_CHANGED && out->by == RG_SHOWN_BY_METRIC)
		out->metric = w->strata[best].metric;
	if (!golden || out->answer == RG_ANSWER_CHANGED)
		name_lines(w, best, out->p, golden, scratch);
}

static void test_side(rg_run_test *out, rg_comparison *c, const rg_noise_judge_context *judge,
		      bool golden)
{
	RG_AUTO(run_state) w = {.level = judge->level, .all_runs = judge->model->run_count};
	*out = (rg_run_test){.p = NAN};
	if (!rg_comparison_rows(c))
		return;
	bool *counted = take(&w, c->file_count, sizeof(*counted));
	for (size_t i = 0; i < rg_comparison_rows(c); i++) {
		rg_row *row = rg_comparison_row(c, i);
		const rg_verdict *v = &row->verdict;
		const line added = {.row = row,
				    .metric = row->metric,
				    .runs = v->ranked_runs,
				    .run_count = v->runs,
				    .scores = golden ? v->golden_scores : v->scores,
				    .usual = golden ? v->golden_usual : v->usual};
		if (!added.scores)
			continue;
		*RG_PUSH(w.lines, w.count, w.capacity) = added;
		out->goldens += !counted[row->file_index];
		counted[row->file_index] = true;
	}
	if (w.count && judge->takes)
		out->goldens += add_unchanged(&w, c, judge);
	double *scratch = take(&w, w.count + w.all_runs + 1, sizeof(*scratch));
	if (w.count)
		qsort(w.lines, w.count, sizeof(*w.lines), by_metric);
	take_units(&w, scratch);
	find_strata(&w);
	for (size_t k = 1; k <= w.strata_count; k++)
		test_stratum(&w, k);
	answer(&w, out, golden, scratch);
}

rg_error *rg_noise_judge_run(rg_comparison *c, const rg_noise_judge_context *judge)
{
	for (size_t i = 0; i < rg_comparison_rows(c); i++)
		rg_comparison_row(c, i)->verdict.run_p = NAN;
	pool_rows(c, judge);
	test_side(&c->run.fresh, c, judge, false);
	test_side(&c->run.golden, c, judge, true);
	return rg_noise_mark_rows(c, judge);
}

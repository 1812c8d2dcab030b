/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_answers.h"

#include "base/memory.h"
#include "audit/verdict.h"
#include "report/cells.h"
#include "report/test_name.h"
#include "report/template_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the terminal shows deviations: 0, or three digits with an exponent. */
static void short_figure(double value, char out[static RG_FIGURE_SIZE])
{
	snprintf(out, RG_FIGURE_SIZE, value == 0 ? "0" : "%.2e", value);
}

void rg_audit_add_figure(rg_audit_build *b, cJSON *parent, const char *name, double value)
{
	char text[RG_FIGURE_SIZE] = "-";
	if (!isnan(value) && b->terminal)
		short_figure(value, text);
	else if (!isnan(value))
		rg_figure_text(value, text);
	rg_build_text(parent, name, text);
}

void rg_audit_add_smallest(cJSON *parent, const char *name, double size)
{
	rg_build_textf(parent, name, isinf(size) ? "-" : size == 0 ? "any" : "%.2g %%", 100 * size);
}

void rg_audit_add_spread(rg_audit_build *b, cJSON *item, const rg_spread *spread)
{
	rg_audit_add_figure(b, item, "median", spread->median);
	rg_audit_add_figure(b, item, "p95", spread->p95);
	rg_audit_add_figure(b, item, "max", spread->max);
	rg_build_truth(item, "spreads", !isnan(spread->low));
	rg_audit_add_figure(b, item, "low", spread->low);
	rg_audit_add_figure(b, item, "high", spread->high);
}

char *rg_audit_family(const char *metric)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_family_add(&text, metric);
	const char *tokens = strstr(text.data, "top_n_logprobs/*/");
	if (tokens) {
		rg_buf_truncate(&text, (size_t)(tokens - text.data) + strlen("top_n_logprobs/*/"));
		rg_buf_char(&text, '*');
	}
	char *family = !text.is_full && text.length ? rg_strdup(text.data) : rg_strdup(metric);
	rg_buf_release(&text);
	return family;
}

static void add_summary(rg_audit_build *b, cJSON *item, const rg_audit_summary *summary)
{
	rg_build_count(item, "files", summary->files);
	rg_build_count(item, "runs", summary->runs);
	rg_build_count(item, "identical", summary->deterministic);
	rg_audit_add_spread(b, item, &summary->spread);
}

void rg_audit_add_rate(cJSON *item, const rg_tolerance *tolerance)
{
	bool known = tolerance->by_rate && rg_tolerance_is_measured(tolerance);
	if (known && tolerance->drifts)
		rg_build_text(item, "fails", "not bounded: drifts");
	else if (known)
		rg_build_textf(item, "fails", "%.2g to %.2g %%%s", 100 * tolerance->fail_low,
			       100 * tolerance->fail_high,
			       tolerance->by_theory ? ", by theory" : "");
	else
		rg_build_text(item, "fails", "");
}

/* ", 12 % re-runs" */
static void put_share(rg_buf *text, double share, const char *of)
{
	const bool some = share > 0 && share<0.005, most = share> 0.995 && share < 1;
	double percent = some ? 1 : most ? 99 : 100 * share;

	rg_buf_printf(text, "%s%s%.0f %% %s", text->length ? ", " : "",
		      some   ? "under "
		      : most ? "over "
			     : "",
		      percent, of);
}

/* "90 % variants, 9 % commits, 1 % re-runs (0 to 4 %)"; "" where nothing is told apart. */
static void add_sources(cJSON *item, const rg_components *sources)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	if (!isnan(sources->variants))
		put_share(&text, sources->variants, "variants");
	if (!isnan(sources->reruns)) {
		put_share(&text, sources->commits, "commits");
		put_share(&text, sources->reruns, "re-runs");
		rg_buf_printf(&text, " (%.0f to %.0f %%)", 100 * sources->reruns_low,
			      100 * sources->reruns_high);
	} else if (!isnan(sources->variants)) {
		put_share(&text, 1 - sources->variants, "runs");
	}
	rg_build_written(item, "sources", &text);
	rg_buf_release(&text);
}

/* --- what may be relied on --- */

static const struct {
	const char *key, *words;
} reliances[] = {
	[RG_RELY_EXACT] = {"exact", "to the bit"},
	[RG_RELY_WITHIN] = {"within", "within"},
	[RG_RELY_THEORY] = {"theory", "by theory"},
	[RG_RELY_TOO_FEW] = {"few", "of too few runs"},
	[RG_RELY_TOO_WIDE] = {"wide", "over 100 %"},
	[RG_RELY_DRIFTS] = {"drifts", "drifting"},
	[RG_RELY_NONE] = {"unmeasured", "not measured"},
};

const char *rg_reliance_text(rg_reliance reliance)
{
	return reliances[reliance].words;
}

rg_reliance rg_audit_rely(const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	const rg_tolerance *tolerance = &noise->tolerance;

	if (series->derived || !noise->finite_steps)
		return RG_RELY_NONE;
	if (series->drifts)
		return RG_RELY_DRIFTS;
	if (noise->deterministic)
		return noise->runs < RG_TOLERANCE_RUNS_MIN ? RG_RELY_TOO_FEW : RG_RELY_EXACT;
	if (tolerance->runs < RG_TOLERANCE_RUNS_MIN)
		return RG_RELY_TOO_FEW;
	if (!(tolerance->relative <= 1))
		return RG_RELY_TOO_WIDE;
	return tolerance->by_theory ? RG_RELY_THEORY : RG_RELY_WITHIN;
}

/* Series that lack runs for something, and by how many. */
typedef struct {
	size_t series, least, most;
} lack;

static void add_lack(lack *out, size_t runs, size_t needed)
{
	size_t missing = needed > runs ? needed - runs : 0;
	if (!missing)
		return;
	out->least = !out->series || missing < out->least ? missing : out->least;
	out->most = missing > out->most ? missing : out->most;
	out->series++;
}

/* What series can be held to, all together. */
typedef struct {
	size_t counts[RG_RELIANCES + 1];
	lack runs;
	double least, most; /* the rtol of those that are within one */
	size_t exact_runs;  /* the least of those that agree */
} tally;

static void tally_add(tally *t, const rg_audit_build *b, const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	const rg_reliance found = rg_audit_rely(series);
	const double rate = b->audit->options.tolerance.fail_rate, rtol = noise->tolerance.relative;
	size_t needed = rate > 0 ? rg_runs_needed(rate) : 0;

	if (needed < RG_TOLERANCE_RUNS_MIN)
		needed = RG_TOLERANCE_RUNS_MIN;
	if (found == RG_RELY_WITHIN) {
		t->least = t->counts[found] ? fmin(t->least, rtol) : rtol;
		t->most = fmax(t->most, rtol);
	}
	if (found == RG_RELY_EXACT && (!t->counts[found] || noise->runs < t->exact_runs))
		t->exact_runs = noise->runs;
	if (found == RG_RELY_THEORY || found == RG_RELY_TOO_FEW)
		add_lack(&t->runs, noise->deterministic ? noise->runs : noise->tolerance.runs,
			 noise->deterministic ? RG_TOLERANCE_RUNS_MIN : needed);
	t->counts[found]++;
}

/* "3 more runs", "2 to 7 more runs": without a least, 0, which no item around it can stand in for.
 */
static void put_lack(cJSON *item, const lack *found)
{
	rg_build_count(item, "most", found->most);
	rg_build_count(item, "least", found->least < found->most ? found->least : 0);
}

/* "held": "88 within, 2 drifting" */
static void put_held(cJSON *item, const size_t *counts)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	for (int i = 0; i <= RG_RELY_NONE; i++)
		if (counts[i])
			rg_buf_printf(&text, "%s%zu %s", text.length ? ", " : "", counts[i],
				      reliances[i].words);
	rg_build_written(item, "held", &text);
	rg_buf_release(&text);
}

/* How many there are of each that is there, and in words; "holds": has one a tolerance? */
static void put_tally(cJSON *item, const tally *t)
{
	for (int i = 0; i <= RG_RELY_NONE; i++)
		if (t->counts[i])
			rg_build_count(item, reliances[i].key, t->counts[i]);
	put_held(item, t->counts);
	rg_build_truth(item, "holds", t->counts[RG_RELY_WITHIN] + t->counts[RG_RELY_THEORY]);
	put_lack(item, &t->runs);
}

void rg_audit_add_reliance(rg_audit_build *b, cJSON *item, const rg_audit_series *series)
{
	tally t = {0};
	tally_add(&t, b, series);
	rg_build_truth(item, reliances[rg_audit_rely(series)].key, true);
	rg_build_count(item, "most", t.runs.most);
}

/* A golden, and the worst of its series. */
typedef struct {
	const rg_audit_file *file;
	rg_reliance worst;
	tally of;
} held_golden;

static int compare_goldens(const void *a, const void *b)
{
	const held_golden *x = a, *y = b;
	if (x->worst != y->worst)
		return x->worst < y->worst ? 1 : -1;
	return (x->file > y->file) - (x->file < y->file);
}

static void find_held(held_golden *out, const rg_audit_build *b, const rg_audit_file *file)
{
	*out = (held_golden){.file = file, .worst = RG_RELY_NONE};
	for (size_t i = 0; i < file->series_count; i++)
		tally_add(&out->of, b, &file->series[i]);
	for (int i = 0; i < RG_RELY_NONE; i++)
		if (out->of.counts[i])
			out->worst = (rg_reliance)i;
}

/* The goldens in each class, and what of those that can be relied on. */
static void put_classes(const rg_audit_build *b, cJSON *item, const held_golden *held, size_t count)
{
	size_t counts[RG_RELIANCES + 1] = {0};
	lack lacks[RG_RELIANCES + 1] = {{0}}, all = {0};
	char percent[RG_PERCENT_SIZE];
	tally relied = {0};

	for (size_t i = 0; i < count; i++) {
		const rg_audit_file *file = held[i].file;
		counts[held[i].worst]++;
		add_lack(&lacks[held[i].worst], 0, held[i].of.runs.most);
		if (held[i].worst == RG_RELY_THEORY || held[i].worst == RG_RELY_TOO_FEW)
			add_lack(&all, 0, held[i].of.runs.most);
		for (size_t k = 0; held[i].worst <= RG_RELY_WITHIN && k < file->series_count; k++)
			tally_add(&relied, b, &file->series[k]);
	}
	for (int i = 0; i <= RG_RELY_NONE; i++) {
		cJSON *class = rg_build_object(item, reliances[i].key);
		rg_build_count(class, "n", counts[i]);
		put_lack(class, &lacks[i]);
	}
	put_held(item, counts);
	cJSON *lacking = rg_build_object(item, "lacking");
	rg_build_count(lacking, "n", all.series);
	put_lack(lacking, &all);
	rg_build_count(item, "relied", counts[RG_RELY_EXACT] + counts[RG_RELY_WITHIN]);
	rg_build_textf(item, "rtol", "%.3g", relied.least);
	if (relied.most > relied.least)
		rg_build_textf(item, "rtol_most", "%.3g", relied.most);
	if (relied.counts[RG_RELY_EXACT]) {
		rg_percent_at_most(percent, rg_deterministic_bound(relied.exact_runs));
		rg_build_text(item, "may_differ", percent);
	}
}

/* "rely": how many goldens may be relied on and how far, and the others, the worst first. Those
 * without a series have nothing to rely on. */
static void add_rely(rg_audit_build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	const double rate = audit->options.tolerance.fail_rate;
	held_golden *held = rg_calloc(audit->file_count + 1, sizeof(*held));
	size_t count = 0;

	for (size_t i = 0; i < audit->file_count; i++)
		if (audit->files[i].series_count)
			find_held(&held[count++], b, &audit->files[i]);
	if (!count) {
		free(held);
		return;
	}
	cJSON *item = rg_build_object(view, "rely"), *list = rg_build_list(item, "others");
	qsort(held, count, sizeof(*held), compare_goldens);
	rg_build_count(item, "of", count);
	put_classes(b, item, held, count);
	if (rate > 0)
		rg_build_textf(item, "fail_rate", "%.3g %%", 100 * rate);
	else
		rg_build_textf(item, "multiplier", "%.3g", audit->options.tolerance.multiplier);
	for (size_t i = 0; i < count && held[i].worst > RG_RELY_WITHIN; i++) {
		cJSON *golden = rg_build_item(list);
		rg_build_text(golden, "file", held[i].file->path);
		rg_build_text(golden, "group",
			      audit->group_count > 1 ? audit->groups[held[i].file->group].name
						     : "");
		put_tally(golden, &held[i].of);
	}
	free(held);
}

/* One line: a metric or a family of them, in one group. */
typedef struct {
	const char *name;
	rg_audit_summary summary;
	size_t series;
	tally held;
} noise_line;

/* "-" where a tolerance comes from too few runs, or would let anything pass. */
static void add_metric(rg_audit_build *b, cJSON *list, const noise_line *line)
{
	const rg_audit_summary *summary = &line->summary;
	const rg_tolerance *tolerance = &summary->tolerance;
	bool measured = rg_tolerance_holds(tolerance);
	cJSON *item = rg_build_item(list);

	rg_build_text(item, "metric", line->name);
	add_summary(b, item, summary);
	rg_build_count(item, "series", line->series);
	rg_build_textf(item, "rtol", measured ? "%.3g" : "-", tolerance->relative);
	rg_build_textf(item, "atol", measured ? "%.1e" : "-", tolerance->absolute);
	rg_build_text(item, "by", rg_tolerance_kind_text(tolerance->kind));
	rg_audit_add_rate(item, tolerance);
	add_sources(item, &summary->sources);
	rg_audit_add_smallest(item, "smallest_break", summary->smallest_break);
	put_tally(item, &line->held);
}

/* A metric, and what family it is of. */
typedef struct {
	char *family;
	const rg_audit_summary *summary; /* or */
	const rg_audit_series *series;
	size_t group;
} kin;

static int compare_family(const void *a, const void *b)
{
	const kin *x = a, *y = b;
	return x->group != y->group ? (x->group > y->group) - (x->group < y->group)
				    : strcmp(x->family, y->family);
}

static int compare_kin(const void *a, const void *b)
{
	const kin *x = a, *y = b;
	int order = compare_family(a, b);

	if (order || !x->series)
		return order ? order : strcmp(x->summary->metric, y->summary->metric);
	order = strcmp(x->series->file, y->series->file);
	return order ? order : strcmp(x->series->metric, y->series->metric);
}

static size_t kin_end(const kin *list, size_t start, size_t count)
{
	size_t end = start + 1;
	while (end < count && !compare_family(&list[start], &list[end]))
		end++;
	return end;
}

static void free_kin(kin *list, size_t count)
{
	for (size_t i = 0; list && i < count; i++)
		free(list[i].family);
	free(list);
}

/* The series of a family; `all` is in order. */
static const kin *find_kin(const kin *wanted, const kin *all, size_t count, size_t *found)
{
	const kin *first = count ? bsearch(wanted, all, count, sizeof(*all), compare_family) : NULL;

	*found = 0;
	if (!first)
		return NULL;
	while (first > all && !compare_family(first - 1, wanted))
		first--;
	*found = kin_end(first, 0, count - (size_t)(first - all));
	return first;
}

/* All series of a family together. */
static void pool_family(rg_audit_build *b, noise_line *line, const kin *all, size_t count)
{
	const rg_audit_series **series = rg_calloc(count + 1, sizeof(*series));
	size_t files = 0;

	for (size_t i = 0; i < count; i++) {
		series[i] = all[i].series;
		files += !i || strcmp(all[i].series->file, all[i - 1].series->file) ? 1 : 0;
	}
	rg_audit_pool(&line->summary, b->audit, series, count);
	free(series);
	line->summary.files = files;
	line->series = count;
}

/* What is in most goldens first, then what spreads most. */
static int compare_lines(const void *a, const void *b)
{
	const noise_line *x = a, *y = b;
	double left = isnan(x->summary.spread.max) ? -1 : x->summary.spread.max;
	double right = isnan(y->summary.spread.max) ? -1 : y->summary.spread.max;

	if (x->summary.files != y->summary.files)
		return x->summary.files < y->summary.files ? 1 : -1;
	if (left != right)
		return left < right ? 1 : -1;
	return strcmp(x->name, y->name);
}

/* Every metric, and every series; by group and family. */
typedef struct {
	kin *metrics, *series;
	size_t metric_count, series_count;
	noise_line *lines; /* room for each metric */
} families;

static void families_release(families *f)
{
	free_kin(f->metrics, f->metric_count);
	free_kin(f->series, f->series_count);
	free(f->lines);
}

static void families_make(families *out, rg_audit_build *b, const rg_audit_series *const *series,
			  size_t count)
{
	const rg_audit *audit = b->audit;
	*out = (families){.metrics = rg_calloc(audit->metric_count + 1, sizeof(*out->metrics)),
			  .series = rg_calloc(count + 1, sizeof(*out->series)),
			  .lines = rg_calloc(audit->metric_count + 1, sizeof(*out->lines))};
	for (size_t i = 0; i < audit->metric_count; i++)
		out->metrics[out->metric_count++] = (kin){rg_audit_family(audit->metrics[i].metric),
							  &audit->metrics[i], NULL,
							  audit->metrics[i].group};
	for (size_t i = 0; i < count; i++)
		out->series[out->series_count++] = (kin){rg_audit_family(series[i]->metric), NULL,
							 series[i], series[i]->group};
	qsort(out->metrics, out->metric_count, sizeof(*out->metrics), compare_kin);
	qsort(out->series, out->series_count, sizeof(*out->series), compare_kin);
}

/* The lines of a group, whose metrics begin at *next; what never differs has none. */
static void add_noise(rg_audit_build *b, cJSON *item, families *f, size_t group, size_t *next)
{
	cJSON *list = rg_build_list(item, "metrics");
	size_t count = 0, end;
	bool told = false;

	for (; *next < f->metric_count && f->metrics[*next].group == group; *next = end) {
		const kin *first = &f->metrics[*next];
		noise_line *line = &f->lines[count];
		size_t of;
		const kin *all = find_kin(first, f->series, f->series_count, &of);

		end = kin_end(f->metrics, *next, f->metric_count);
		*line = (noise_line){.name = first->summary->metric,
				     .summary = *first->summary,
				     .series = first->summary->files};
		if (end - *next > 1) {
			line->name = first->family;
			line->summary = (rg_audit_summary){.group = group};
			pool_family(b, line, all, of);
		}
		for (size_t i = 0; i < of; i++)
			tally_add(&line->held, b, all[i].series);
		count += line->summary.deterministic < line->series ? 1 : 0;
	}
	if (count)
		qsort(f->lines, count, sizeof(*f->lines), compare_lines);
	for (size_t i = 0; i < count; i++) {
		add_metric(b, list, &f->lines[i]);
		told |= rg_components_are_told(&f->lines[i].summary.sources);
	}
	rg_build_truth(item, "told_apart", told);
}

static void add_groups(rg_audit_build *b, cJSON *view, families *f)
{
	cJSON *list = rg_build_list(view, "groups");
	const rg_audit *audit = b->audit;
	size_t next = 0;

	for (size_t group = 0; group < audit->group_count; group++) {
		cJSON *item = rg_build_item(list);
		rg_build_text(item, "name", audit->groups[group].name);
		rg_build_count(item, "runs", audit->groups[group].run_count);
		add_noise(b, item, f, group, &next);
		add_summary(b, rg_build_object(item, "overall"), &audit->overall[group]);
	}
}

/* Families that are named as deterministic. */
enum { NAMED = 6 };

typedef struct {
	const char *name;
	size_t n;
} named_count;

static int compare_counts(const void *a, const void *b)
{
	const named_count *x = a, *y = b;
	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return strcmp(x->name, y->name);
}

typedef bool series_is(const rg_audit_series *series);

static bool is_deterministic(const rg_audit_series *series)
{
	return series->noise.deterministic;
}

static bool drifts(const rg_audit_series *series)
{
	return series->drifts;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const named_count *)a)->name, ((const named_count *)b)->name);
}

/* "num-zeros (24), mem-x (8)", of all groups together. */
static void name_series(cJSON *item, const families *f, series_is *is)
{
	named_count *counts = rg_calloc(f->series_count + 1, sizeof(*counts));
	size_t n = 0, count = 0;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (size_t i = 0; i < f->series_count; i++)
		if (is(f->series[i].series))
			counts[n++] = (named_count){f->series[i].family, 1};
	if (n)
		qsort(counts, n, sizeof(*counts), compare_names);
	for (size_t i = 0; i < n; i++) {
		if (count && !strcmp(counts[count - 1].name, counts[i].name))
			counts[count - 1].n++;
		else
			counts[count++] = counts[i];
	}
	if (count)
		qsort(counts, count, sizeof(*counts), compare_counts);
	for (size_t i = 0; i < count && i < NAMED; i++)
		rg_buf_printf(&text, "%s%s (%zu)", i ? ", " : "", counts[i].name, counts[i].n);
	if (count > NAMED)
		rg_buf_printf(&text, ", %zu more", count - NAMED);
	free(counts);
	rg_build_written(item, "names", &text);
	rg_buf_release(&text);
}

/* How many series never differed, and how often the next run of them may. */
static void add_deterministic(cJSON *view, const families *f)
{
	cJSON *item = rg_build_object(view, "deterministic");
	char percent[RG_PERCENT_SIZE];
	size_t least = SIZE_MAX, n = 0;

	for (size_t i = 0; i < f->series_count; i++) {
		const rg_figures *noise = &f->series[i].series->noise;
		if (!noise->deterministic)
			continue;
		n++;
		least = noise->runs < least ? noise->runs : least;
	}
	rg_build_count(item, "n", n);
	rg_percent_at_most(percent, n ? rg_deterministic_bound(least) : 1);
	rg_build_text(item, "may_differ", percent);
	name_series(item, f, is_deterministic);
}

/* Series whose runs depend on their order. */
static void add_drifting(cJSON *view, const families *f)
{
	size_t n = 0;
	for (size_t i = 0; i < f->series_count; i++)
		n += drifts(f->series[i].series) ? 1 : 0;
	if (!n)
		return;
	cJSON *item = rg_build_object(view, "drifting");
	rg_build_count(item, "n", n);
	name_series(item, f, drifts);
}

static void add_lacking(cJSON *view, const char *key, const lack *found, size_t needed)
{
	if (!found->series)
		return;
	cJSON *item = rg_build_object(view, key);
	rg_build_count(item, "series", found->series);
	rg_build_count(item, "needed", needed);
	put_lack(item, found);
}

static void add_more_runs(rg_audit_build *b, cJSON *view, const rg_audit_series *const *series,
			  size_t count)
{
	const double rate = b->audit->options.tolerance.fail_rate;
	cJSON *item = rg_build_object(view, "more_runs");
	size_t for_verdicts = rg_runs_needed(RG_VERDICT_LEVEL);
	size_t for_rate = rate > 0 ? rg_runs_needed(rate) : 0;
	lack verdicts = {0}, tolerances = {0};

	for (size_t i = 0; i < count; i++) {
		const rg_figures *noise = &series[i]->noise;
		if (series[i]->derived || series[i]->drifts || !noise->finite_steps)
			continue;
		/* Where all are near zero, none has a deviation, and they count as well. */
		add_lack(&verdicts, noise->runs - noise->other_steps - noise->nonfinite,
			 for_verdicts);
		add_lack(&tolerances, noise->tolerance.runs, for_rate);
	}
	rg_build_textf(item, "level", "%.3g %%", 100 * RG_VERDICT_LEVEL);
	rg_build_textf(item, "rate", "%.3g %%", 100 * rate);
	add_lacking(item, "verdicts", &verdicts, for_verdicts);
	add_lacking(item, "tolerances", &tolerances, for_rate);
}

void rg_audit_add_answers(rg_audit_build *b, cJSON *view, const rg_audit_series *const *series,
			  size_t count)
{
	families f;
	families_make(&f, b, series, count);
	add_rely(b, view);
	add_deterministic(view, &f);
	add_drifting(view, &f);
	add_groups(b, view, &f);
	add_more_runs(b, view, series, count);
	families_release(&f);
}

#include "audit/report.h"

#include "report/build.h"
#include "report/cells.h"
#include "report/markdown.h"
#include "report/mustache.h"
#include "report/templates.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of each list, where that fits. */
enum { LIST_MAX = 100 };

/* The template's data under way; the first failure sticks. */
typedef struct {
	const rg_audit *audit;
	size_t cap; /* items a list */
	bool failed;
} build;

static void add_figure(build *b, cJSON *parent, const char *name, double figure)
{
	char text[RG_FIGURE_SIZE];

	if (isnan(figure))
		snprintf(text, sizeof(text), "-");
	else
		rg_figure_text(figure, text);
	rg_build_text(&b->failed, parent, name, text);
}

static size_t kept(build *b, cJSON *parent, const char *more, size_t count)
{
	size_t shown = count < b->cap ? count : b->cap;

	rg_build_count(&b->failed, parent, more, count - shown);
	return shown;
}

/* Of one group among several: the others have the same files. */
static void add_group(build *b, cJSON *item, size_t group)
{
	const rg_audit *audit = b->audit;

	rg_build_text(&b->failed, item, "group",
		      audit->group_count > 1 ? audit->groups[group].name : "");
}

static void add_head(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	size_t series = 0, i;
	char rate[32];

	for (i = 0; i < audit->file_count; i++)
		series += audit->files[i].series_count;
	rg_build_count(&b->failed, view, "runs", audit->run_count);
	rg_build_truth(&b->failed, view, "runs_one", audit->run_count == 1);
	rg_build_text(&b->failed, view, "first", audit->run_count ? audit->runs[0].id : "");
	rg_build_text(&b->failed, view, "last",
		      audit->run_count ? audit->runs[audit->run_count - 1].id : "");
	rg_build_count(&b->failed, view, "goldens", audit->file_count);
	rg_build_truth(&b->failed, view, "goldens_one", audit->file_count == 1);
	rg_build_count(&b->failed, view, "series", series);
	rg_build_count(&b->failed, view, "grouped",
		       audit->group_count > 1 ? audit->group_count : 0);
	rg_build_count(&b->failed, view, "tested", audit->tested);
	rg_build_count(&b->failed, view, "broken", audit->broken);
	snprintf(rate, sizeof(rate), "%.3g %%", 100 * audit->options.discovery_rate);
	rg_build_text(&b->failed, view, "rate", rate);
}

static void add_bad_runs(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	cJSON *object, *list;
	size_t shown, i;

	if (!audit->bad_count)
		return;
	object = rg_build_object(&b->failed, view, "bad_runs");
	list = rg_build_list(&b->failed, object, "items");
	shown = kept(b, object, "more", audit->bad_count);
	for (i = 0; i < shown && !b->failed; i++) {
		const rg_audit_bad_run *bad = &audit->bad_runs[i];
		cJSON *item = rg_build_object(&b->failed, list, NULL);

		rg_build_text(&b->failed, item, "run", audit->runs[bad->run].id);
		rg_build_count(&b->failed, item, "far", bad->series);
		rg_build_count(&b->failed, item, "of", bad->of);
		rg_build_count(&b->failed, item, "files", bad->files);
		rg_build_truth(&b->failed, item, "files_one", bad->files == 1);
	}
}

static void add_break(build *b, cJSON *list, const rg_audit_series *series,
		      const rg_audit_break *found)
{
	cJSON *item = rg_build_object(&b->failed, list, NULL);
	char text[32];

	rg_build_text(&b->failed, item, "run", b->audit->runs[found->at].id);
	rg_build_text(&b->failed, item, "file", series->file);
	rg_build_text(&b->failed, item, "metric", series->metric);
	rg_build_count(&b->failed, item, "before", found->before);
	rg_build_count(&b->failed, item, "after", found->after);
	add_figure(b, item, "shift", found->shift);
	snprintf(text, sizeof(text), "%.2g", found->p);
	rg_build_text(&b->failed, item, "p", text);
	snprintf(text, sizeof(text), "%.2g", found->q);
	rg_build_text(&b->failed, item, "q", text);
}

static void add_breaks(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	cJSON *list = rg_build_list(&b->failed, view, "breaks");
	size_t total = 0, i, j, k;

	for (i = 0; i < audit->file_count; i++)
		for (j = 0; j < audit->files[i].series_count; j++) {
			const rg_audit_series *series = &audit->files[i].series[j];

			for (k = 0; k < series->break_count && !b->failed; k++)
				if (total++ < b->cap)
					add_break(b, list, series, &series->breaks[k]);
		}
	rg_build_count(&b->failed, view, "breaks_more", total > b->cap ? total - b->cap : 0);
}

/* "-" where fewer than two runs stand behind it. */
static void add_tolerance(build *b, cJSON *item, const rg_audit_summary *summary)
{
	const rg_tolerance *tolerance = &summary->tolerance;
	bool measured = rg_tolerance_is_measured(tolerance);
	char text[32] = "-";

	if (measured)
		snprintf(text, sizeof(text), "%.4f", tolerance->relative);
	rg_build_text(&b->failed, item, "rtol", text);
	if (measured)
		snprintf(text, sizeof(text), "%.1e", tolerance->absolute);
	rg_build_text(&b->failed, item, "atol", text);
	rg_build_text(&b->failed, item, "by", rg_tolerance_kind_text(tolerance->kind));
	snprintf(text, sizeof(text), "%.4f", summary->regime_tolerance.relative);
	measured = summary->broken && rg_tolerance_is_measured(&summary->regime_tolerance);
	rg_build_text(&b->failed, item, "regime", measured ? text : "");
}

static void add_summary(build *b, cJSON *item, const rg_audit_summary *summary)
{
	rg_build_count(&b->failed, item, "files", summary->files);
	rg_build_count(&b->failed, item, "runs", summary->runs);
	rg_build_count(&b->failed, item, "identical", summary->deterministic);
	add_figure(b, item, "median", summary->spread.median);
	add_figure(b, item, "p95", summary->spread.p95);
	add_figure(b, item, "max", summary->spread.max);
	add_figure(b, item, "low", summary->spread.low);
	add_figure(b, item, "high", summary->spread.high);
}

static void add_metric(build *b, cJSON *list, const rg_audit_summary *summary)
{
	cJSON *item = rg_build_object(&b->failed, list, NULL);

	rg_build_text(&b->failed, item, "metric", summary->metric);
	add_summary(b, item, summary);
	add_tolerance(b, item, summary);
}

static void add_groups(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	cJSON *list = rg_build_list(&b->failed, view, "groups");
	size_t group, i, next = 0, shown_groups = audit->group_count;

	/* All of them while they fit, and one at least. */
	if (b->cap < LIST_MAX && shown_groups > b->cap)
		shown_groups = b->cap ? b->cap : 1;
	rg_build_count(&b->failed, view, "groups_more", audit->group_count - shown_groups);
	rg_build_truth(&b->failed, view, "groups_more_one", audit->group_count - shown_groups == 1);
	for (group = 0; group < shown_groups && !b->failed; group++) {
		cJSON *item = rg_build_object(&b->failed, list, NULL), *metrics;
		size_t count = 0, shown;

		while (next + count < audit->metric_count &&
		       audit->metrics[next + count].group == group)
			count++;
		rg_build_text(&b->failed, item, "name", audit->groups[group].name);
		rg_build_count(&b->failed, item, "runs", audit->groups[group].run_count);
		rg_build_truth(&b->failed, item, "runs_one", audit->groups[group].run_count == 1);
		metrics = rg_build_list(&b->failed, item, "metrics");
		shown = kept(b, item, "metrics_more", count);
		for (i = 0; i < shown && !b->failed; i++)
			add_metric(b, metrics, &audit->metrics[next + i]);
		next += count;
		add_summary(b, rg_build_object(&b->failed, item, "overall"),
			    &audit->overall[group]);
	}
}

enum { WIDEST = 20 };

/* Only series that spread at all. */
static void add_widest(build *b, cJSON *view)
{
	cJSON *object = rg_build_object(&b->failed, view, "widest"),
	      *list = rg_build_list(&b->failed, object, "items");
	const rg_audit_series **series = NULL;
	size_t count = 0, i;
	rg_error *err = rg_audit_all_series(b->audit, &series, &count);

	b->failed |= err != NULL;
	rg_error_free(err);
	if (!b->failed)
		qsort(series, count, sizeof(*series), rg_audit_by_spread);
	for (i = 0;
	     !b->failed && i < count && i < WIDEST && i < b->cap && series[i]->noise.spread.max > 0;
	     i++) {
		const rg_figures *noise = &series[i]->noise;
		cJSON *item = rg_build_object(&b->failed, list, NULL);
		char step[32];

		rg_build_truth(&b->failed, item, "first", i == 0);
		add_group(b, item, series[i]->group);
		rg_build_text(&b->failed, item, "file", series[i]->file);
		rg_build_text(&b->failed, item, "metric", series[i]->metric);
		rg_build_count(&b->failed, item, "runs", noise->runs);
		rg_build_count(&b->failed, item, "patterns", noise->patterns);
		add_figure(b, item, "median", noise->spread.median);
		add_figure(b, item, "max", noise->spread.max);
		snprintf(step, sizeof(step), "%" PRId64, noise->spread.widest_step);
		rg_build_text(&b->failed, item, "step", step);
	}
	free(series);
}

static bool is_odd(const rg_audit_series *series)
{
	return series->missing || series->all.other_steps || series->all.nonfinite;
}

/* Series of which some runs are not in the spread. */
static void add_left_out(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	cJSON *object, *list;
	size_t total = 0, shown, i, j;

	for (i = 0; i < audit->file_count; i++)
		for (j = 0; j < audit->files[i].series_count; j++)
			total += is_odd(&audit->files[i].series[j]);
	if (!total)
		return;
	object = rg_build_object(&b->failed, view, "left_out");
	list = rg_build_list(&b->failed, object, "items");
	shown = kept(b, object, "more", total);
	for (i = 0; i < audit->file_count; i++)
		for (j = 0; j < audit->files[i].series_count && shown && !b->failed; j++) {
			const rg_audit_series *series = &audit->files[i].series[j];
			cJSON *item;

			if (!is_odd(series))
				continue;
			shown--;
			item = rg_build_object(&b->failed, list, NULL);
			add_group(b, item, series->group);
			rg_build_text(&b->failed, item, "file", series->file);
			rg_build_text(&b->failed, item, "metric", series->metric);
			rg_build_count(&b->failed, item, "missing", series->missing);
			rg_build_count(&b->failed, item, "other_steps", series->all.other_steps);
			rg_build_count(&b->failed, item, "not_finite", series->all.nonfinite);
		}
}

static void add_failures(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	cJSON *object, *list;
	size_t total = 0, shown, i;

	for (i = 0; i < audit->file_count; i++)
		total += audit->files[i].failed_today || audit->files[i].failed_recommended;
	if (!total)
		return;
	object = rg_build_object(&b->failed, view, "failures");
	list = rg_build_list(&b->failed, object, "items");
	shown = kept(b, object, "more", total);
	for (i = 0; i < audit->file_count && shown && !b->failed; i++) {
		const rg_audit_file *file = &audit->files[i];
		cJSON *item;

		if (!file->failed_today && !file->failed_recommended)
			continue;
		shown--;
		item = rg_build_object(&b->failed, list, NULL);
		add_group(b, item, file->group);
		rg_build_text(&b->failed, item, "file", file->path);
		rg_build_count(&b->failed, item, "runs", file->runs);
		rg_build_count(&b->failed, item, "today", file->failed_today);
		rg_build_count(&b->failed, item, "recommended", file->failed_recommended);
	}
}

/* Flaky ones, and those that fail up to their newest run. */
static void add_case_list(build *b, cJSON *cases, const char *key, bool flaky)
{
	const rg_audit *audit = b->audit;
	cJSON *object, *list;
	size_t total = 0, shown, i;

	for (i = 0; i < audit->case_count; i++)
		total += rg_audit_case_is(&audit->cases[i], flaky);
	if (!total)
		return;
	object = rg_build_object(&b->failed, cases, key);
	rg_build_count(&b->failed, object, "n", total);
	list = rg_build_list(&b->failed, object, "items");
	shown = kept(b, object, "more", total);
	for (i = 0; i < audit->case_count && shown && !b->failed; i++) {
		const rg_audit_case *c = &audit->cases[i];
		cJSON *item;

		if (!rg_audit_case_is(c, flaky))
			continue;
		shown--;
		item = rg_build_object(&b->failed, list, NULL);
		rg_build_text(&b->failed, item, "case", c->name);
		rg_build_text(&b->failed, item, "detail", c->detail);
		rg_build_count(&b->failed, item, "passed", c->passed);
		rg_build_count(&b->failed, item, "failed", c->failed);
		if (c->flaky) {
			rg_build_text(&b->failed, item, "commit", audit->runs[c->pass_run].commit);
			rg_build_text(&b->failed, item, "pass_run", audit->runs[c->pass_run].id);
			rg_build_text(&b->failed, item, "fail_run", audit->runs[c->fail_run].id);
		}
		if (!flaky)
			rg_build_text(&b->failed, item, "since", audit->runs[c->failing_since].id);
	}
}

static void add_cases(build *b, cJSON *view)
{
	cJSON *cases;

	if (!b->audit->case_total)
		return;
	cases = rg_build_object(&b->failed, view, "cases");
	rg_build_count(&b->failed, cases, "total", b->audit->case_total);
	rg_build_count(&b->failed, cases, "failed", b->audit->case_count);
	add_case_list(b, cases, "flaky", true);
	add_case_list(b, cases, "failing", false);
}

static void add_unreadable(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	cJSON *object, *list;
	size_t shown, i;

	if (!audit->unreadable_count)
		return;
	object = rg_build_object(&b->failed, view, "unreadable");
	rg_build_count(&b->failed, object, "n", audit->unreadable_count);
	list = rg_build_list(&b->failed, object, "items");
	shown = kept(b, object, "more", audit->unreadable_count);
	for (i = 0; i < shown && !b->failed; i++) {
		cJSON *item = rg_build_object(&b->failed, list, NULL);

		rg_build_text(&b->failed, item, "run", audit->runs[audit->unreadable[i].run].id);
		rg_build_text(&b->failed, item, "why", audit->unreadable[i].why);
	}
}

static rg_error *make_view(cJSON **out, const rg_audit *audit, size_t cap)
{
	build b = {.audit = audit, .cap = cap};
	cJSON *view = cJSON_CreateObject();

	*out = NULL;
	if (!view)
		return rg_error_nomem();
	add_head(&b, view);
	add_bad_runs(&b, view);
	add_breaks(&b, view);
	add_groups(&b, view);
	add_widest(&b, view);
	add_left_out(&b, view);
	add_failures(&b, view);
	add_cases(&b, view);
	add_unreadable(&b, view);
	if (b.failed) {
		cJSON_Delete(view);
		return rg_error_nomem();
	}
	*out = view;
	return NULL;
}

rg_error *rg_audit_markdown(rg_buf *out, const rg_audit *audit, const char *template_text)
{
	static const rg_mustache_filter filters[] = {{"code", rg_markdown_code}, {0}};
	const char *text = template_text ? template_text : rg_template_text("audit.md");
	size_t cap = LIST_MAX, start = out->length;

	/* Ever fewer items of each list, until GitHub takes it. */
	for (;; cap /= 2) {
		rg_error *err;
		cJSON *view;

		RG_TRY(make_view(&view, audit, cap));
		err = rg_mustache_render(out, text, view, rg_markdown_text, filters);
		cJSON_Delete(view);
		RG_TRY(rg_error_wrap(err, "template"));
		if (out->length - start < RG_MARKDOWN_MAX || cap == 0)
			return rg_buf_check(out, "the audit as markdown");
		rg_buf_truncate(out, start);
	}
}

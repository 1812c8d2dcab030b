#include "audit/report.h"

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

/* The template's data under way; the first failure sticks. */
typedef struct {
	const rg_audit *audit;
	size_t cap; /* items a list */
	bool failed;
} build;

static cJSON *add_object(build *b, cJSON *parent, const char *name)
{
	cJSON *made = name ? cJSON_AddObjectToObject(parent, name) : cJSON_CreateObject();

	if (made && !name && !cJSON_AddItemToArray(parent, made)) {
		cJSON_Delete(made);
		made = NULL;
	}
	b->failed |= !made;
	return made;
}

static cJSON *add_list(build *b, cJSON *parent, const char *name)
{
	cJSON *made = cJSON_AddArrayToObject(parent, name);

	b->failed |= !made;
	return made;
}

static void add_text(build *b, cJSON *parent, const char *name, const char *text)
{
	b->failed |= !cJSON_AddStringToObject(parent, name, text);
}

static void add_count(build *b, cJSON *parent, const char *name, size_t count)
{
	b->failed |= !cJSON_AddNumberToObject(parent, name, (double)count);
}

static void add_truth(build *b, cJSON *parent, const char *name, bool truth)
{
	b->failed |= !cJSON_AddBoolToObject(parent, name, truth);
}

static void add_figure(build *b, cJSON *parent, const char *name, double figure)
{
	char text[RG_FIGURE_SIZE];

	if (isnan(figure))
		snprintf(text, sizeof(text), "-");
	else
		rg_figure_text(figure, text);
	add_text(b, parent, name, text);
}

static size_t kept(build *b, cJSON *parent, const char *more, size_t count)
{
	size_t shown = count < b->cap ? count : b->cap;

	add_count(b, parent, more, count - shown);
	return shown;
}

static void add_head(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	size_t series = 0, i;
	char rate[32];

	for (i = 0; i < audit->file_count; i++)
		series += audit->files[i].series_count;
	add_count(b, view, "runs", audit->run_count);
	add_truth(b, view, "runs_one", audit->run_count == 1);
	add_text(b, view, "first", audit->run_count ? audit->runs[0].id : "");
	add_text(b, view, "last", audit->run_count ? audit->runs[audit->run_count - 1].id : "");
	add_count(b, view, "goldens", audit->file_count);
	add_truth(b, view, "goldens_one", audit->file_count == 1);
	add_count(b, view, "series", series);
	add_count(b, view, "grouped", audit->group_count > 1 ? audit->group_count : 0);
	add_count(b, view, "tested", audit->tested);
	add_count(b, view, "broken", audit->broken);
	snprintf(rate, sizeof(rate), "%.3g %%", 100 * audit->options.discovery_rate);
	add_text(b, view, "rate", rate);
}

static void add_bad_runs(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	cJSON *object, *list;
	size_t i;

	if (!audit->bad_count)
		return;
	object = add_object(b, view, "bad_runs");
	list = add_list(b, object, "items");
	for (i = 0; i < audit->bad_count && i < b->cap && !b->failed; i++) {
		const rg_audit_bad_run *bad = &audit->bad_runs[i];
		cJSON *item = add_object(b, list, NULL);

		add_text(b, item, "run", audit->runs[bad->run].id);
		add_count(b, item, "far", bad->series);
		add_count(b, item, "of", bad->of);
		add_count(b, item, "files", bad->files);
		add_truth(b, item, "files_one", bad->files == 1);
	}
}

static void add_break(build *b, cJSON *list, const rg_audit_series *series,
		      const rg_audit_break *found)
{
	cJSON *item = add_object(b, list, NULL);
	char text[32];

	add_text(b, item, "run", b->audit->runs[found->at].id);
	add_text(b, item, "file", series->file);
	add_text(b, item, "metric", series->metric);
	add_count(b, item, "before", found->before);
	add_count(b, item, "after", found->after);
	add_figure(b, item, "shift", found->shift);
	snprintf(text, sizeof(text), "%.2g", found->p);
	add_text(b, item, "p", text);
	snprintf(text, sizeof(text), "%.2g", found->q);
	add_text(b, item, "q", text);
}

static void add_breaks(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	cJSON *list = add_list(b, view, "breaks");
	size_t total = 0, i, j, k;

	for (i = 0; i < audit->file_count; i++)
		for (j = 0; j < audit->files[i].series_count; j++) {
			const rg_audit_series *series = &audit->files[i].series[j];

			for (k = 0; k < series->break_count && !b->failed; k++)
				if (total++ < b->cap)
					add_break(b, list, series, &series->breaks[k]);
		}
	add_count(b, view, "breaks_more", total > b->cap ? total - b->cap : 0);
}

static void add_metric(build *b, cJSON *list, const rg_audit_summary *summary)
{
	cJSON *item = add_object(b, list, NULL);
	char text[32];

	add_text(b, item, "metric", summary->metric);
	add_count(b, item, "files", summary->files);
	add_count(b, item, "runs", summary->runs);
	add_count(b, item, "identical", summary->deterministic);
	add_figure(b, item, "median", summary->spread.median);
	add_figure(b, item, "p95", summary->spread.p95);
	add_figure(b, item, "max", summary->spread.max);
	add_figure(b, item, "low", summary->spread.low);
	add_figure(b, item, "high", summary->spread.high);
	snprintf(text, sizeof(text), "%.4f", summary->tolerance.relative);
	add_text(b, item, "rtol", text);
	snprintf(text, sizeof(text), "%.1e", summary->tolerance.absolute);
	add_text(b, item, "atol", text);
	add_text(b, item, "by", rg_tolerance_kind_text(summary->tolerance.kind));
	snprintf(text, sizeof(text), "%.4f", summary->regime_tolerance.relative);
	add_text(b, item, "regime", summary->broken ? text : "");
}

static void add_groups(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	cJSON *list = add_list(b, view, "groups");
	size_t group, i, next = 0;

	for (group = 0; group < audit->group_count && !b->failed; group++) {
		cJSON *item = add_object(b, list, NULL), *metrics;
		size_t count = 0, shown;

		while (next + count < audit->metric_count &&
		       audit->metrics[next + count].group == group)
			count++;
		add_text(b, item, "name", audit->groups[group].name);
		add_count(b, item, "runs", audit->groups[group].run_count);
		metrics = add_list(b, item, "metrics");
		shown = kept(b, item, "metrics_more", count);
		for (i = 0; i < shown && !b->failed; i++)
			add_metric(b, metrics, &audit->metrics[next + i]);
		next += count;
	}
}

static int by_spread(const void *a, const void *b)
{
	const rg_audit_series *x = *(const rg_audit_series *const *)a;
	const rg_audit_series *y = *(const rg_audit_series *const *)b;
	int order;

	if (x->noise.spread.max != y->noise.spread.max)
		return x->noise.spread.max < y->noise.spread.max ? 1 : -1;
	order = strcmp(x->file, y->file);
	return order ? order : strcmp(x->metric, y->metric);
}

enum { WIDEST = 20 };

/* Only series that spread at all. */
static void add_widest(build *b, cJSON *view)
{
	cJSON *object = add_object(b, view, "widest"), *list = add_list(b, object, "items");
	const rg_audit *audit = b->audit;
	const rg_audit_series **series;
	size_t total = 1, count = 0, i, j;

	for (i = 0; i < audit->file_count; i++)
		total += audit->files[i].series_count;
	series = calloc(total, sizeof(*series));
	b->failed |= !series;
	for (i = 0; i < audit->file_count && series; i++)
		for (j = 0; j < audit->files[i].series_count; j++)
			if (audit->files[i].series[j].noise.spread.max > 0)
				series[count++] = &audit->files[i].series[j];
	if (count)
		qsort(series, count, sizeof(*series), by_spread);
	for (i = 0; i < count && i < WIDEST && i < b->cap && !b->failed; i++) {
		const rg_figures *noise = &series[i]->noise;
		cJSON *item = add_object(b, list, NULL);
		char step[32];

		add_truth(b, item, "first", i == 0);
		add_text(b, item, "file", series[i]->file);
		add_text(b, item, "metric", series[i]->metric);
		add_count(b, item, "runs", noise->measured);
		add_count(b, item, "patterns", noise->patterns);
		add_figure(b, item, "median", noise->spread.median);
		add_figure(b, item, "max", noise->spread.max);
		snprintf(step, sizeof(step), "%" PRId64, noise->spread.widest_step);
		add_text(b, item, "step", step);
	}
	free(series);
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
	object = add_object(b, view, "failures");
	list = add_list(b, object, "items");
	shown = kept(b, object, "more", total);
	for (i = 0; i < audit->file_count && shown && !b->failed; i++) {
		const rg_audit_file *file = &audit->files[i];
		cJSON *item;

		if (!file->failed_today && !file->failed_recommended)
			continue;
		shown--;
		item = add_object(b, list, NULL);
		add_text(b, item, "file", file->path);
		add_count(b, item, "runs", file->runs);
		add_count(b, item, "today", file->failed_today);
		add_count(b, item, "recommended", file->failed_recommended);
	}
}

static void add_unreadable(build *b, cJSON *view)
{
	const rg_audit *audit = b->audit;
	cJSON *object, *list;
	size_t shown, i;

	if (!audit->unreadable_count)
		return;
	object = add_object(b, view, "unreadable");
	add_count(b, object, "n", audit->unreadable_count);
	list = add_list(b, object, "items");
	shown = kept(b, object, "more", audit->unreadable_count);
	for (i = 0; i < shown && !b->failed; i++) {
		cJSON *item = add_object(b, list, NULL);

		add_text(b, item, "run", audit->runs[audit->unreadable[i].run].id);
		add_text(b, item, "why", audit->unreadable[i].why);
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
	add_failures(&b, view);
	add_unreadable(&b, view);
	if (b.failed) {
		cJSON_Delete(view);
		return rg_error_nomem();
	}
	*out = view;
	return NULL;
}

static const char *built_in(void)
{
	const struct rg_template *item = rg_templates;

	while (item->name && strcmp(item->name, "audit.md") != 0)
		item++;
	return item->name ? item->text : "";
}

rg_error *rg_audit_markdown(rg_buf *out, const rg_audit *audit, const char *template_text)
{
	static const rg_mustache_filter filters[] = {{"code", rg_markdown_code}, {0}};
	const char *text = template_text ? template_text : built_in();
	size_t cap = 100, start = out->length;

	/* Ever fewer items of each list, until GitHub takes it. */
	for (;; cap /= 2) {
		rg_error *err;
		cJSON *view;

		RG_TRY(make_view(&view, audit, cap));
		err = rg_mustache_render(out, text, view, rg_markdown_text, filters);
		cJSON_Delete(view);
		RG_TRY(err);
		if (out->length - start < RG_MARKDOWN_MAX || cap == 0)
			return rg_buf_check(out, "the audit as markdown");
		rg_buf_truncate(out, start);
	}
}

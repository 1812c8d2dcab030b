#include "report/view.h"

#include "report/view_parts.h"

void rg_view_add_counted(rg_view_build *b, cJSON *parent, const char *name, const char *one,
			 size_t count)
{
	rg_build_count(&b->failed, parent, name, count);
	rg_build_truth(&b->failed, parent, one, count == 1);
}

size_t rg_view_shown(rg_view_build *b, cJSON *parent, size_t count)
{
	size_t kept = count < b->cap ? count : b->cap;

	rg_view_add_counted(b, parent, "more", "more_one", count - kept);
	return kept;
}

/* --- metrics and buckets --- */

static void add_metrics(rg_view_build *b, cJSON *view, const rg_metric_summaries *metrics)
{
	cJSON *object = rg_build_object(&b->failed, view, "metrics"),
	      *list = rg_build_list(&b->failed, object, "items");
	size_t kept = rg_view_shown(b, object, metrics->count), i;

	for (i = 0; i < kept && !b->failed; i++) {
		const rg_metric_summary *m = &metrics->items[i];
		cJSON *item = rg_build_object(&b->failed, list, NULL);

		rg_build_text(&b->failed, item, "metric", m->metric);
		rg_build_count(&b->failed, item, "n", m->n);
		rg_build_figure(&b->failed, item, "median", m->median);
		rg_build_figure(&b->failed, item, "max", m->max);
		rg_build_figure(&b->failed, item, "mean_signed", m->mean_signed);
	}
}

static void add_buckets(rg_view_build *b, cJSON *view)
{
	size_t counts[RG_BUCKETS], i;
	cJSON *list = rg_build_list(&b->failed, view, "buckets");

	rg_bucket_counts(b->summary->comparison, counts);
	for (i = 0; i < RG_BUCKETS && !b->failed; i++) {
		cJSON *item = rg_build_object(&b->failed, list, NULL);

		rg_build_text(&b->failed, item, "range", rg_bucket_names[i]);
		rg_build_count(&b->failed, item, "n", counts[i]);
	}
}

/* --- files --- */

static void add_files(rg_view_build *b, cJSON *view, const char *name, rg_file_status status,
		      size_t count)
{
	const rg_comparison *c = b->summary->comparison;
	cJSON *object, *list;
	size_t kept, i;

	if (!count)
		return;
	object = rg_build_object(&b->failed, view, name);
	rg_build_count(&b->failed, object, "n", count);
	list = rg_build_list(&b->failed, object, "items");
	kept = rg_view_shown(b, object, count);
	for (i = 0; i < c->file_count && kept && !b->failed; i++) {
		cJSON *item;

		if (c->files[i].status != status)
			continue;
		kept--;
		item = rg_build_object(&b->failed, list, NULL);
		rg_build_text(&b->failed, item, "file", c->files[i].file);
		rg_build_text(&b->failed, item, "why", c->files[i].why ? c->files[i].why : "");
	}
}

static size_t files_with_rows(const rg_comparison *c)
{
	size_t i, k, count = 0;

	for (i = 0; i < c->file_count; i++)
		for (k = 0; k < c->files[i].row_count; k++)
			if (c->rows[c->files[i].first_row + k].kind == RG_ROW_SERIES) {
				count++;
				break;
			}
	return count;
}

static void add_all(rg_view_build *b, cJSON *view, const rg_metric_summaries *metrics)
{
	const rg_summary *s = b->summary;
	const rg_comparison *c = s->comparison;

	if (s->run)
		rg_build_text(&b->failed, view, "run", s->run);
	rg_build_truth(&b->failed, view, "only_failing", s->only_failing);
	if (s->command)
		rg_build_text(&b->failed, view, "command", s->command);
	if (s->csv)
		rg_build_text(&b->failed, view, "csv", s->csv);
	if (s->root)
		rg_build_text(&b->failed, view, "root", *s->root ? s->root : ".");
	rg_view_add_counted(b, view, "updated", "updated_one", c->file_count - c->removed);
	rg_view_add_counted(b, view, "files", "files_one", files_with_rows(c));
	rg_view_add_counted(b, view, "metric_count", "metrics_one", metrics->count);
	rg_view_add_counted(b, view, "total", "total_one", c->series_rows);
	add_metrics(b, view, metrics);
	add_buckets(b, view);
	rg_view_add_interpretation(b, view, metrics);
	add_files(b, view, "new_files", RG_FILE_NEW, c->new_files);
	add_files(b, view, "removed_files", RG_FILE_REMOVED, c->removed);
	add_files(b, view, "unreadable_files", RG_FILE_UNREADABLE, c->unreadable);
}

rg_error *rg_summary_view(cJSON **out, const rg_summary *summary, size_t cap)
{
	rg_view_build b = {.summary = summary, .cap = cap};
	rg_metric_summaries metrics = {0};
	cJSON *view = cJSON_CreateObject();
	rg_error *err = rg_metric_summaries_make(&metrics, summary->comparison);

	*out = NULL;
	if (!err && view)
		add_all(&b, view, &metrics);
	if (!err && (!view || b.failed))
		err = rg_error_nomem();
	rg_metric_summaries_release(&metrics);
	if (err)
		cJSON_Delete(view);
	else
		*out = view;
	return err;
}

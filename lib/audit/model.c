/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/model.h"

#include "base/memory.h"
#include "base/order.h"
#include "golden/records.h"
#include "golden/series_bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

RG_ORDER(by_name, rg_noise_series, RG_BY_TEXT(file) || RG_BY_TEXT(metric));

/* A file's name from the whole path to its last two parts, or the last: the next one, or NULL. */
typedef struct {
	const char *name;
	size_t parts;
	bool bare;
} name_parts;

static name_parts first_parts(const char *file)
{
	const char *after = strstr(file, " vs ");
	/* "OLDNAME vs NEWNAME": the new one. */
	name_parts at = {.name = after ? after + 4 : file, .parts = 1};
	for (const char *c = at.name; *c; c++)
		at.parts += *c == '/' ? 1 : 0;
	at.bare = at.parts == 1 || after;
	return at;
}

static bool next_parts(name_parts *at)
{
	const char *slash = strchr(at->name, '/');
	if (!slash || (at->parts <= 2 && !at->bare))
		return false;
	at->name = slash + 1;
	at->parts--;
	return true;
}

const rg_noise_series *rg_noise_model_find(const rg_noise_model *model, const char *file,
					   const char *metric)
{
	name_parts at = first_parts(file);
	const rg_noise_series *series = NULL;
	if (!model->count)
		return NULL;
	do {
		const rg_noise_series key = {.file = at.name, .metric = metric};
		series = bsearch(&key, model->series, model->count, sizeof(key), by_name);
	} while (!series && next_parts(&at));
	return series;
}

void rg_noise_model_mark(const rg_noise_model *model, const char *file, bool *marks)
{
	name_parts at = first_parts(file);
	size_t low, high;
	do {
		for (low = 0, high = model->count; low < high;) {
			size_t middle = low + (high - low) / 2;
			if (strcmp(model->series[middle].file, at.name) < 0)
				low = middle + 1;
			else
				high = middle;
		}
		for (; low < model->count && !strcmp(model->series[low].file, at.name); low++)
			marks[low] = true;
	} while (next_parts(&at));
}

rg_error *rg_noise_read(rg_noise_content *out, double **values, size_t more, rg_arena *arena,
			const rg_noise_model *model, const rg_noise_series *series)
{
	const size_t runs = series->run_count, count = series->count;
	*out = series->content;
	rg_error *err = model->read ? model->read(model->source, series, arena, out) : NULL;
	/* More than these bytes can be are refused before there is room for them. */
	if (!err && (count > SIZE_MAX / 64 / (runs + more) ||
		     !rg_series_bytes_may_hold(out->packed_size, runs * count)))
		err = rg_error_new(RG_E_MISMATCH, "they are not as many as it says");
	if (!err) {
		*values = rg_arena_alloc(arena, (runs + more) * count * sizeof(**values));
		err = rg_rows_unpack(*values, runs, count, out->packed, out->packed_size);
	}
	/* Whatever is wrong with them, it is the model's. */
	return err ? rg_error_wrap(err, "the noise model's values of '%s' in %s", series->metric,
				   series->file)
		   : NULL;
}

rg_error *rg_noise_scores_pack(rg_buf *out, const rg_noise_series *series)
{
	const size_t count = series->run_count + 1;
	bool any = series->usual != 0;
	for (size_t i = 0; series->scores && i < count; i++)
		any |= series->scores[i] != 0;
	if (!series->scores || !any)
		return NULL;
	RG_AUTO_FREE double *numbers = rg_calloc(count + 1, sizeof(*numbers));
	const double *row = numbers;
	memcpy(numbers, series->scores, count * sizeof(*numbers));
	numbers[count] = series->usual;
	return rg_rows_pack(out, &row, 1, count + 1);
}

rg_error *rg_noise_scores_unpack(rg_noise_series *out, rg_arena *arena, const void *bytes,
				 size_t size)
{
	const size_t count = out->run_count + 2;
	double *numbers = rg_arena_alloc(arena, count * sizeof(*numbers));
	if (size)
		RG_TRY(rg_series_bytes_unpack(numbers, count, bytes, size));
	for (size_t i = 0; i < count; i++)
		if (isnan(numbers[i]) || numbers[count - 1] < 0)
			return rg_error_new(RG_E_PARSE, "scores of the noise model are no numbers");
	out->scores = numbers;
	out->usual = numbers[count - 1];
	return NULL;
}

void rg_noise_model_release(rg_noise_model *model)
{
	if (model->close)
		model->close(model->source);
	rg_arena_release(&model->arena);
	*model = (rg_noise_model){0};
}

rg_error *rg_noise_model_order(rg_noise_model *model)
{
	if (model->count)
		qsort(model->series, model->count, sizeof(*model->series), by_name);
	for (size_t i = 1; i < model->count; i++)
		if (!by_name(&model->series[i - 1], &model->series[i]))
			return rg_error_new(RG_E_PARSE, "'%s' of %s appears twice",
					    model->series[i].metric, model->series[i].file);
	return NULL;
}

/* --- of an audit --- */

/* Whole numbers that a double holds. */
#define STEP_MAX ((int64_t)1 << 53)

/* A new run can be compared with the centre where that is finite at some step. */
static bool is_writable(const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	size_t count = noise->centre_count, i = 0;
	while (i < count && isnan(noise->centre[i]))
		i++;
	return !series->derived && i < count &&
	       noise->runs > noise->other_steps + noise->nonfinite &&
	       noise->centre_steps[0] >= -STEP_MAX && noise->centre_steps[count - 1] <= STEP_MAX;
}

RG_ORDER_OF_POINTERS(by_worth, rg_audit_series,
		     RG_BY_TEXT(file) || RG_BY_TEXT(metric) || RG_FALLING(noise.measured) ||
			     RG_FALLING(group));

/* The runs of a series, which shares the list of the one before where it has the same. */
static void list_runs(rg_noise_series *out, rg_arena *arena, const rg_audit_series *series,
		      const rg_noise_series *before)
{
	size_t *runs = rg_arena_alloc(arena, (series->row_count + 1) * sizeof(*runs));
	for (size_t i = 0; i < series->row_count; i++)
		if (series->noise.rows_packed[i])
			runs[out->run_count++] = series->row_runs[i];
	out->runs = before && before->run_count == out->run_count &&
				    !memcmp(before->runs, runs, out->run_count * sizeof(*runs))
			    ? before->runs
			    : runs;
}

/* The names of a table's records that are steps of the series. */
static const rg_records *pick_records(rg_arena *arena, const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	const char **names = rg_arena_alloc(arena, (noise->centre_count + 1) * sizeof(*names));
	rg_records *records = NULL;
	for (size_t i = 0; i < noise->centre_count; i++)
		names[i] = series->records->names[noise->centre_steps[i]];
	/* None is there twice: they are some of a table's. */
	rg_error_free(rg_records_new(&records, arena, names, noise->centre_count));
	return records;
}

static void add_series(rg_noise_model *model, const rg_audit *audit, const rg_audit_series *series)
{
	const rg_figures *noise = &series->noise;
	rg_noise_series *added = &model->series[model->count];
	*added = (rg_noise_series){
		.file = series->file,
		.metric = series->metric,
		.group = audit->groups[series->group].name,
		.regime_from = series->break_count ? audit->runs[series->regime_from].id : NULL,
		.count = noise->centre_count,
		.drifts = series->drifts,
		.scores = noise->scores,
		.usual = noise->usual,
		.content = {.steps = noise->centre_steps,
			    .packed = noise->packed,
			    .packed_size = noise->packed_size}};
	list_runs(added, &model->arena, series, model->count ? added - 1 : NULL);
	/* A record's place differs from table to table, its name does not. */
	if (series->records) {
		int64_t *places = rg_arena_alloc(&model->arena, added->count * sizeof(*places));
		for (size_t i = 0; i < added->count; i++)
			places[i] = (int64_t)i;
		added->content.steps = places;
		added->content.records = pick_records(&model->arena, series);
	}
	model->count++;
}

void rg_noise_model_of_audit(rg_noise_model *out, const rg_audit *audit)
{
	RG_AUTO_FREE const rg_audit_series **series = NULL;
	size_t total;
	*out = (rg_noise_model){.grouping = audit->options.grouping,
				.tolerance = audit->options.tolerance,
				.error_rate = audit->options.error_rate,
				.runs = audit->runs,
				.run_count = audit->run_count};
	rg_audit_all_series(audit, &series, &total);
	if (total)
		qsort(series, total, sizeof(*series), by_worth);
	out->series = rg_arena_alloc(&out->arena, (total + 1) * sizeof(*out->series));
	/* The best series of each file and metric, in order. */
	for (size_t i = 0; i < total; i++) {
		const rg_noise_series *last = out->count ? &out->series[out->count - 1] : NULL;
		if (is_writable(series[i]) && (!last || strcmp(last->file, series[i]->file) != 0 ||
					       strcmp(last->metric, series[i]->metric) != 0))
			add_series(out, audit, series[i]);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/compare.h"

#include "base/buf.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/thread.h"
#include "compare/condition.h"
#include "compare/defects.h"
#include "compare/direction.h"
#include "compare/step_ranges.h"
#include "compare/opaque_row.h"
#include "compare/row.h"
#include "compare/score.h"
#include "compare/series_statistics.h"
#include "compare/record_texts.h"
#include "compare/text_align.h"
#include "golden/id_names.h"
#include "golden/missing.h"
#include "golden/records.h"
#include "golden/tensor.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of an excerpt: of any text, and of a status, which is a few words. */
enum { EXCERPT = 24, WORDS = 64 };

static bool continues_character(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Copies up to `most` bytes of a text from `at` on, beginning and ending between characters. */
static const char *text_excerpt(rg_arena *arena, const rg_metric *metric, size_t at, size_t most)
{
	while (at > 0 && at < metric->count && continues_character(metric->text[at]))
		at--;
	size_t end = metric->count - at > most ? at + most : metric->count;
	while (end > at && end < metric->count && continues_character(metric->text[end]))
		end--;
	return rg_arena_copy(arena, metric->text + at, end - at);
}

static const char *token_excerpt(rg_arena *arena, const rg_metric *metric, size_t at)
{
	return at < metric->count ? rg_arena_textf(arena, "%" PRId64, metric->tokens[at]) : "";
}

static const char *kind_excerpt(rg_arena *arena, const rg_metric *metric)
{
	char shape[RG_SHAPE_TEXT];
	switch (metric->kind) {
	case RG_METRIC_TEXT:
		return "a text";
	case RG_METRIC_TOKENS:
		return "tokens";
	case RG_METRIC_TEXTS:
		if (!metric->shape)
			return "texts by record";
		rg_shape_text(metric->shape, metric->dimensions, shape);
		return rg_arena_textf(arena, "texts %s", shape);
	case RG_METRIC_UNREADABLE:
		return rg_arena_text(arena, metric->unreadable);
	case RG_METRIC_SERIES:
	case RG_METRIC_OPAQUE: /* has a row of its own */
		break;
	}
	return metric->records ? "numbers by record" : "a series";
}

static const char *type_excerpt(rg_arena *arena, const rg_tensor *tensor)
{
	char text[RG_TENSOR_TYPE_TEXT];
	rg_tensor_type_text(tensor, text);
	return rg_arena_text(arena, text);
}

static const char *value_excerpt(rg_arena *arena, const rg_tensor *tensor, size_t at)
{
	char text[RG_DOUBLE_REPR_SIZE];
	rg_tensor_element_text(tensor, at, text);
	return rg_arena_text(arena, text);
}

/* Are they two series whose steps belong to each other? Not tensors of different shapes. */
static bool are_comparable(const rg_metric *old, const rg_metric *fresh)
{
	if (old->kind != RG_METRIC_SERIES || fresh->kind != RG_METRIC_SERIES)
		return false;
	/* Steps of two tables that were not aligned are not the same records. */
	if (old->records != fresh->records)
		return false;
	return !old->tensor || !fresh->tensor || rg_tensor_same_shape(old->tensor, fresh->tensor);
}

/* The one number that a metric is, as a text or not. */
static bool only_value(const rg_metric *metric, double *out)
{
	if (metric->kind == RG_METRIC_TEXT)
		return rg_double_parse(metric->text, metric->count, out);
	if (metric->kind != RG_METRIC_SERIES || metric->count != 1 || !metric->values)
		return false;
	*out = metric->values[0];
	return true;
}

/* A text that was a number and is NaN or infinite, or another of these. */
static bool turns_nonfinite(const rg_metric *old, const rg_metric *fresh)
{
	double was, is;
	return only_value(old, &was) && only_value(fresh, &is) && rg_nonfinite_is_news(was, is);
}

/* Compares two texts or lists of tokens: fills identical, first_diff and the excerpts. */
static void compare_exactly(rg_row *row, rg_arena *arena, const rg_metric *old,
			    const rg_metric *fresh)
{
	const size_t shorter = old->count < fresh->count ? old->count : fresh->count;
	const size_t most = old->scale ? WORDS : EXCERPT;
	const bool texts = old->kind == RG_METRIC_TEXT;
	size_t at = 0;

	while (at < shorter && (old->kind == RG_METRIC_TOKENS ? old->tokens[at] == fresh->tokens[at]
							      : old->text[at] == fresh->text[at]))
		at++;
	row->identical = at == old->count && at == fresh->count;
	if (row->identical)
		return;
	row->first_diff_known = true;
	row->first_diff = (int64_t)at; /* the shorter one's length if one begins the other */
	if (old->kind == RG_METRIC_UNREADABLE) {
		row->old_excerpt = kind_excerpt(arena, old);
		row->new_excerpt = kind_excerpt(arena, fresh);
		return;
	}
	if (texts)
		row->nonfinite = turns_nonfinite(old, fresh);
	if (texts && rg_texts_are_of_two_units(old->text, fresh->text))
		row->other_unit = rg_arena_textf(arena, "%s -> %s", old->text, fresh->text);
	/* Words say more than what is left of them after the letters that they share. */
	if (texts && old->count <= most && fresh->count <= most)
		at = 0;
	row->old_excerpt = texts ? text_excerpt(arena, old, at, most)
				 : token_excerpt(arena, old, at);
	row->new_excerpt = texts ? text_excerpt(arena, fresh, at, most)
				 : token_excerpt(arena, fresh, at);
}

/*
 * Fills an exact row's own fields: identical, first_diff and the excerpts (in `arena`), for metrics
 * that are not comparable: texts, tokens, two kinds or two shapes.
 */
static void exact_row_fill(rg_row *row, rg_arena *arena, const rg_metric *old,
			   const rg_metric *fresh)
{
	const bool reshaped = old->dimensions != fresh->dimensions ||
			      (old->shape && memcmp(old->shape, fresh->shape,
						    old->dimensions * sizeof(*old->shape)) != 0);

	if (old->kind != fresh->kind || old->records != fresh->records ||
	    (old->kind == RG_METRIC_TEXTS && reshaped)) {
		row->old_excerpt = kind_excerpt(arena, old);
		row->new_excerpt = kind_excerpt(arena, fresh);
		row->nonfinite = turns_nonfinite(old, fresh);
	} else if (rg_is_text_metric(old) && rg_is_text_metric(fresh)) {
		rg_text_row_fill(row, arena, old, fresh);
	} else if (old->kind == RG_METRIC_TEXTS) {
		rg_record_texts_compare(row, arena, old, fresh);
	} else if (old->kind == RG_METRIC_SERIES) {
		row->old_excerpt = type_excerpt(arena, old->tensor);
		row->new_excerpt = type_excerpt(arena, fresh->tensor);
	} else {
		compare_exactly(row, arena, old, fresh);
	}
}

/* Turns the row of two tensors that differ, but in no step that counts, into an exact one: the
 * excerpts are the first elements that differ, by the row's first_diff. */
static void exact_row_of_tensors(rg_row *row, rg_arena *arena, const rg_metric *old,
				 const rg_metric *fresh)
{
	size_t at = (size_t)row->first_diff;
	row->kind = RG_ROW_EXACT;
	row->old_excerpt = value_excerpt(arena, old->tensor, at);
	row->new_excerpt = value_excerpt(arena, fresh->tensor, at);
}

void rg_comparison_init(rg_comparison *comparison)
{
	*comparison = (rg_comparison){0};
}

void rg_comparison_release(rg_comparison *comparison)
{
	for (size_t i = 0; i < comparison->arena_count; i++)
		rg_arena_release(&comparison->arenas[i]);
	free(comparison->arenas);
	free(comparison->rows);
	free(comparison->files);
	free(comparison->gaps);
	*comparison = (rg_comparison){0};
}

static rg_file_outcome *new_file(rg_comparison *comparison, const rg_file_name *name,
				 rg_file_status status)
{
	if (!comparison->arena_count)
		*RG_PUSH(comparison->arenas, comparison->arena_count, comparison->arena_capacity) =
			(rg_arena){0};
	rg_arena *arena = &comparison->arenas[0]; /* new texts go there */
	rg_grow(&comparison->files, &comparison->file_capacity, comparison->file_count + 1,
		sizeof(*comparison->files));
	rg_file_outcome *file = &comparison->files[comparison->file_count];
	*file = (rg_file_outcome){
		.status = status,
		.first_row = comparison->row_count,
		.first_gap = comparison->gap_count,
	};
	file->file = rg_arena_text(arena, name->file);
	file->old_file = file->file;
	if (name->old_file && strcmp(name->old_file, name->file) != 0)
		file->old_file = rg_arena_text(arena, name->old_file);
	return file;
}

/* The file is whole: it counts from now on. */
static void commit_file(rg_comparison *comparison, const rg_file_outcome *file)
{
	comparison->file_count++;
	switch (file->status) {
	case RG_FILE_COMPARED:
		comparison->compared++;
		break;
	case RG_FILE_NEW:
		comparison->new_files++;
		break;
	case RG_FILE_REMOVED:
		comparison->removed++;
		break;
	case RG_FILE_UNREADABLE:
		comparison->unreadable++;
		break;
	}
}

void rg_comparison_add_file(rg_comparison *comparison, const rg_file_name *name,
			    rg_file_status status, const char *why)
{
	rg_file_outcome *file = new_file(comparison, name, status);
	if (why)
		file->why = rg_arena_text(&comparison->arenas[0], why);
	commit_file(comparison, file);
}

/* The defects of a new golden. */
typedef struct {
	rg_file_outcome *file;
	rg_buf *text;
} new_defects;

static rg_error *append_defect(void *context, const rg_defect *defect)
{
	const new_defects *f = context;
	if (defect->kind >= RG_DEFECT_NONE_LEADING)
		return NULL;
	f->file->nonfinite += defect->kind == RG_DEFECT_NONFINITE;
	rg_buf_str(f->text, f->text->length ? "\n" : "");
	rg_defect_say(f->text, defect);
	return NULL;
}

static bool has_fail_level(const rg_policy *policy, const char *file, const char *metric)
{
	rg_metric_policy own;
	rg_policy_resolve(policy, file, metric, &own);
	return !isnan(rg_score_fail_level(&own));
}

rg_error *rg_comparison_add_alone(rg_comparison *comparison, const rg_file_name *name,
				  const rg_golden *old, const rg_golden *fresh,
				  rg_file_status status, const rg_policy *policy)
{
	rg_file_outcome *file = new_file(comparison, name, status);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	new_defects defects = {file, &text};

	if (old || fresh)
		RG_TRY(rg_opaque_alone(&file->opaque, &comparison->arenas[0], old, fresh));
	file->has = rg_condition_traits(old, policy, file->file) |
		    rg_condition_traits(fresh, policy, file->file);
	file->has_nonfinite = rg_golden_has_nonfinite(fresh);
	if (status == RG_FILE_REMOVED && !old)
		file->may_fail = has_fail_level(policy, file->file, RG_OPAQUE_METRIC);
	for (size_t i = 0; old && i < old->count && !file->may_fail; i++)
		file->may_fail = has_fail_level(policy, file->file, old->metrics[i].name);
	if (fresh && status == RG_FILE_NEW)
		RG_TRY(rg_golden_check(fresh, &(rg_defect_options){.policy = policy,
								   .file = file->file,
								   .found = append_defect,
								   .context = &defects}));
	if (text.length)
		file->notes = rg_arena_text(&comparison->arenas[0], text.data);
	commit_file(comparison, file);
	return NULL;
}

static void clear_row(rg_row *row)
{
	*row = (rg_row){
		.avg_rel_diff = NAN,
		.median_rel_diff = NAN,
		.mean_abs_rel = NAN,
		.moved = NAN,
		.largest_rel = NAN,
		.share_above_zero = NAN,
		.standard_errors = NAN,
		.shift = NAN,
		.old_mean = NAN,
		.new_mean = NAN,
		.score = NAN,
		.fail_at = NAN,
		.flag_at = NAN,
		.old_place = NAN,
		.new_place = NAN,
		.verdict = {.bound = NAN,
			    .p = NAN,
			    .beyond = NAN,
			    .run_p = NAN,
			    .low = NAN,
			    .high = NAN},
	};
}

/* Resolves the policy for a metric; either side may be NULL. */
static void resolve(rg_metric_policy *out, const rg_policy *policy, const char *file,
		    const rg_metric *old, const rg_metric *fresh)
{
	const rg_tensor *was = old ? old->tensor : NULL, *is = fresh ? fresh->tensor : NULL;
	const rg_tensor *one = is ? is : was;

	rg_policy_resolve(policy, file, fresh ? fresh->name : old->name, out);
	if (out->kind != RG_POLICY_ALLCLOSE)
		return;
	out->kind = RG_POLICY_RELATIVE;
	if (!one)
		out->noise = out->flag = out->fail = NAN;
	else if (rg_dtype_is_float(one->dtype) && (!was || !is || was->dtype == is->dtype))
		out->kind = RG_POLICY_COMBINED;
	else
		out->kind = RG_POLICY_EXACT;
}

/* Ids in a tensor: the next one is no nearer to an id than any other. */
static bool are_ids(const rg_metric *old, const rg_metric *fresh)
{
	return old->tensor && fresh->tensor && !rg_dtype_is_float(old->tensor->dtype) &&
	       !rg_dtype_is_float(fresh->tensor->dtype) && rg_names_ids(fresh->name);
}

static rg_error *compare_ids(rg_row *row, rg_arena *arena, const rg_metric *old,
			     const rg_metric *fresh, const rg_metric_policy *own)
{
	rg_row series = *row;
	row->kind = RG_ROW_EXACT;
	RG_TRY(rg_series_statistics(&series, arena, old, fresh, own));
	row->identical = series.identical;
	row->first_diff_known = series.first_diff_known;
	row->first_diff = series.first_diff;
	if (!row->identical)
		exact_row_of_tensors(row, arena, old, fresh);
	rg_score_exact(own, row);
	return NULL;
}

/* How many values of a metric without an old side are not finite, but usual ones. */
static rg_error *count_nonfinite(size_t *out, const rg_metric_policy *own, const rg_metric *metric)
{
	rg_nan_pattern pattern;
	rg_nonfinite found = {0};

	*out = 0;
	if (metric->kind != RG_METRIC_SERIES)
		return NULL;
	RG_TRY(rg_nan_pattern_find(&pattern, metric));
	RG_TRY(rg_nonfinite_find(
		&found,
		&(rg_nonfinite_query){.fresh = metric, .policy = own, .pattern = &pattern}));
	*out = rg_nonfinite_steps(&found);
	return NULL;
}

rg_error *rg_compare_metric(rg_row *row, bool *is_row, rg_arena *arena, const rg_metric *old,
			    const rg_metric *fresh, const rg_policy *policy, const char *file)
{
	rg_metric_policy own;
	clear_row(row);
	row->metric = fresh->name;
	row->old_count = old->count;
	row->new_count = fresh->count;
	if (old->scale == fresh->scale && old->scale) {
		row->scale = old->scale;
		row->old_place = old->place;
		row->new_place = fresh->place;
	}
	resolve(&own, policy, file, old, fresh);
	row->ignored = own.kind == RG_POLICY_IGNORE;
	*is_row = true;
	if (!are_comparable(old, fresh)) {
		row->kind = RG_ROW_EXACT;
		RG_TRY(rg_error_wrap(count_nonfinite(&row->nonfinite, &own, fresh), "metric '%s'",
				     fresh->name));
		exact_row_fill(row, arena, old, fresh);
		rg_score_exact(&own, row);
		row->reshaped = old->kind == RG_METRIC_SERIES;
		return NULL;
	}
	if (are_ids(old, fresh))
		return rg_error_wrap(compare_ids(row, arena, old, fresh, &own), "metric '%s'",
				     fresh->name);
	row->kind = RG_ROW_SERIES;
	const rg_metric *was = rg_without_missing(arena, old, own.missing, fresh, &row->filled);
	const rg_metric *is = rg_without_missing(arena, fresh, own.missing, NULL, NULL);
	RG_TRY(rg_error_wrap(rg_series_statistics(row, arena, was, is, &own), "metric '%s'",
			     fresh->name));
	row->values_differ |= row->filled > 0;
	row->unscored += row->filled;
	if (row->n_steps)
		return NULL;
	/* A tensor of zeros that changed has no relative difference and must show. */
	if (old->tensor && fresh->tensor && !row->identical)
		exact_row_of_tensors(row, arena, old, fresh);
	else
		*is_row = row->too_small.count;
	return NULL;
}

/* A file that is being compared. */
typedef struct {
	rg_comparison *comparison;
	rg_arena *arena;
	const rg_policy *policy;
	size_t file_index;
} file_state;

static const char *file_of(const file_state *work)
{
	return work->comparison->files[work->file_index].file;
}

/* Adds a row at the end of the comparison's rows or gaps, under the file's names and its own. */
static void keep(file_state *work, rg_row *row, const char *metric)
{
	rg_comparison *c = work->comparison;
	const rg_file_outcome *file = &c->files[work->file_index];

	row->file = file->file;
	row->old_file = file->old_file;
	row->file_index = work->file_index;
	row->metric = rg_arena_text(work->arena, metric);
	if (row->gap == RG_GAP_NONE)
		*RG_PUSH(c->rows, c->row_count, c->row_capacity) = *row;
	else
		*RG_PUSH(c->gaps, c->gap_count, c->gap_capacity) = *row;
}

static rg_error *append_gap(file_state *work, rg_gap_kind kind, const rg_metric *metric)
{
	const size_t count = rg_records_count_shared(metric);
	rg_metric_policy own;
	rg_row gap;

	clear_row(&gap);
	gap.gap = kind;
	gap.kind = metric->kind == RG_METRIC_SERIES ? RG_ROW_SERIES : RG_ROW_EXACT;
	resolve(&own, work->policy, file_of(work), metric, NULL);
	gap.ignored = own.kind == RG_POLICY_IGNORE;
	gap.fail_at = rg_score_fail_level(&own);
	gap.scale = metric->scale;
	gap.measure = rg_measure_of(&own, metric, NULL);
	if (kind == RG_GAP_OLD_ONLY && rg_are_placeholders(metric)) {
		gap.gap = RG_GAP_DROPPED;
		gap.old_count = gap.left_out.old_placeholder = metric->count;
		gap.unscored = own.nan == RG_NAN_PLACEHOLDER ? 0 : metric->count;
		gap.identical = true;
	} else if (kind == RG_GAP_OLD_ONLY) {
		gap.old_count = metric->count;
		gap.lost = count;
		gap.old_place = metric->scale ? metric->place : NAN;
	} else {
		gap.new_count = metric->count;
		gap.new_place = metric->scale ? metric->place : NAN;
		RG_TRY(count_nonfinite(&gap.nonfinite, &own, metric));
		gap.left_out.new_nonfinite = gap.nonfinite;
	}
	if (metric->count && !count) {
		gap.gap = RG_GAP_NO_STEPS;
		gap.identical = true;
	}
	keep(work, &gap, metric->name);
	return NULL;
}

/* Appends a gap for each metric of a golden whose other side is opaque. */
static rg_error *append_gaps(file_state *work, rg_gap_kind kind, const rg_golden *golden)
{
	for (size_t i = 0; i < golden->count && !rg_golden_is_opaque(golden); i++)
		RG_TRY(append_gap(work, kind, &golden->metrics[i]));
	return NULL;
}

static rg_error *append_opaque(file_state *work, const rg_golden *old, const rg_golden *fresh)
{
	rg_metric_policy own;
	rg_row row;

	clear_row(&row);
	row.kind = RG_ROW_EXACT;
	rg_policy_resolve(work->policy, file_of(work), RG_OPAQUE_METRIC, &own);
	row.ignored = own.kind == RG_POLICY_IGNORE;
	RG_TRY(rg_opaque_row_fill(&row, work->arena, old, fresh));
	rg_score_exact(&own, &row);
	keep(work, &row, RG_OPAQUE_METRIC);
	RG_TRY(append_gaps(work, RG_GAP_OLD_ONLY, old));
	return append_gaps(work, RG_GAP_NEW_ONLY, fresh);
}

/* Metrics that both sides have, while they are compared. */
typedef struct {
	const rg_metric *was, *is;
	rg_error *err;
	bool is_row;
	rg_row row;
} metric_pair;

/* So many are compared together: on all cores if they have MANY values, and none has so many that
 * several at once would need much memory. */
enum { BATCH = 16, MANY = 1 << 18, TOO_MANY = 1 << 20 };

typedef struct {
	file_state *file;
	rg_arena arenas[RG_WORKERS_MAX]; /* of all workers but the first */
	metric_pair *pairs;
	size_t count;
} batch;

static rg_error *compare_one(void *context, size_t worker, size_t index)
{
	batch *b = context;
	metric_pair *pair = &b->pairs[index];
	pair->err = rg_compare_metric(&pair->row, &pair->is_row,
				      worker ? &b->arenas[worker] : b->file->arena, pair->was,
				      pair->is, b->file->policy, file_of(b->file));
	rg_metric_forget(pair->was);
	rg_metric_forget(pair->is);
	return NULL;
}

static size_t workers_of(const batch *b)
{
	size_t all = 0, most = 0;
	for (size_t i = 0; i < b->count; i++) {
		const size_t count = b->pairs[i].was->count + b->pairs[i].is->count;
		all += count;
		most = count > most ? count : most;
	}
	return all < MANY || most > 2 * TOO_MANY ? 1 : rg_workers_for(b->count);
}

/* Compares the metrics of the batch and keeps their rows in its order. */
static rg_error *keep_batch(batch *b)
{
	rg_comparison *c = b->file->comparison;
	rg_error *err = rg_workers_run(workers_of(b), b->count, compare_one, b);

	for (size_t i = 0; i < b->count; i++) {
		metric_pair *pair = &b->pairs[i];
		err = rg_error_first(err, pair->err);
		pair->row.gap = pair->is_row ? RG_GAP_NONE : RG_GAP_NO_STEPS;
		if (!err)
			keep(b->file, &pair->row, pair->is->name);
	}
	b->count = 0;
	for (size_t i = 1; i < RG_WORKERS_MAX; i++)
		if (b->arenas[i].newest) {
			*RG_PUSH(c->arenas, c->arena_count, c->arena_capacity) = b->arenas[i];
			rg_arena_init(&b->arenas[i]);
			b->file->arena = &c->arenas[0];
		}
	return err;
}

/* Both lists ascend by name. */
static rg_error *merge_metrics(file_state *work, const rg_golden *old, const rg_golden *fresh)
{
	size_t i = 0, j = 0;
	if (rg_golden_is_opaque(old) || rg_golden_is_opaque(fresh))
		return append_opaque(work, old, fresh);
	RG_AUTO_FREE metric_pair *pairs = rg_malloc(BATCH * sizeof(*pairs));
	batch b = {.file = work, .pairs = pairs};
	while (i < old->count || j < fresh->count) {
		const rg_metric *was = i < old->count ? &old->metrics[i] : NULL;
		const rg_metric *is = j < fresh->count ? &fresh->metrics[j] : NULL;
		int order = !was ? 1 : !is ? -1 : strcmp(was->name, is->name);

		if (!order)
			b.pairs[b.count++] = (metric_pair){.was = was, .is = is};
		if (b.count == BATCH || order)
			RG_TRY(keep_batch(&b));
		if (order < 0)
			RG_TRY(append_gap(work, RG_GAP_OLD_ONLY, was));
		else if (order > 0)
			RG_TRY(append_gap(work, RG_GAP_NEW_ONLY, is));
		i += order <= 0;
		j += order >= 0;
	}
	return keep_batch(&b);
}

/* Notes of a file that are told; a hostile one could have any number. */
enum { NOTES_MAX = 16 };

static bool has_note(const rg_golden *golden, const rg_golden_note *note)
{
	for (size_t i = 0; i < golden->note_count; i++)
		if (!strcmp(golden->notes[i].text, note->text) ||
		    (note->kind == RG_NOTE_VERSION && golden->notes[i].kind == note->kind))
			return true;
	return false;
}

/* Leaves out faults of the file itself: a check reports them. */
static void append_notes(rg_buf *out, const rg_golden *golden, const rg_golden *other,
			 size_t *count)
{
	for (size_t i = 0; i < golden->note_count; i++) {
		const rg_golden_note *note = &golden->notes[i];
		if (note->kind == RG_NOTE_WRONG || (other && has_note(other, note)))
			continue;
		if (++*count <= NOTES_MAX)
			rg_buf_printf(out, "%s%s%s", out->length ? "\n" : "",
				      other ? "old side: " : "", note->text);
	}
}

static void format_notes(const char **out, rg_arena *arena, const rg_golden *old,
			 const rg_golden *fresh, const char *unread)
{
	const size_t more = fresh->unread.count > old->unread.count ? fresh->unread.count
								    : old->unread.count;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	size_t count = 0;

	append_notes(&text, fresh, NULL, &count);
	append_notes(&text, old, fresh, &count);
	if (count > NOTES_MAX)
		rg_buf_printf(&text, "\nand %zu more such", count - NOTES_MAX);
	if (unread)
		rg_buf_printf(&text,
			      "%spartly read: no metric has %zu of its numbers (%s%s), and the two "
			      "sides differ in them",
			      text.length ? "\n" : "", more, unread, more > 1 ? " …" : "");
	if (text.length)
		*out = rg_arena_text(arena, text.data);
}

rg_error *rg_compare_goldens(rg_comparison *comparison, const rg_file_name *name,
			     const rg_golden *old, const rg_golden *fresh, const rg_policy *policy)
{
	file_state work = {
		.comparison = comparison,
		.policy = policy,
		.file_index = comparison->file_count,
	};
	rg_file_outcome *file = new_file(comparison, name, RG_FILE_COMPARED);

	rg_count_up(RG_COUNT_COMPARED);
	file->format = fresh->format;
	file->has = rg_condition_traits(old, policy, file->file) |
		    rg_condition_traits(fresh, policy, file->file);
	file->has_nonfinite = rg_golden_has_nonfinite(fresh);
	work.arena = &comparison->arenas[0];
	rg_error *err = merge_metrics(&work, old, fresh);
	if (err) {
		comparison->row_count = file->first_row;
		comparison->gap_count = file->first_gap;
		return err;
	}
	if (old->records && old->records == fresh->records) {
		rg_records_alone_find(&file->lost, work.arena, old->records, RG_RECORD_OLD);
		rg_records_alone_find(&file->gained, work.arena, old->records, RG_RECORD_NEW);
	}
	const char *unread = rg_unread_difference(&old->unread, &fresh->unread);
	file->unread = unread ? rg_arena_text(work.arena, unread) : NULL;
	file->may_fail = file->unread && has_fail_level(policy, file->file, file->unread);
	if (old->note_count || fresh->note_count || file->unread)
		format_notes(&file->notes, work.arena, old, fresh, file->unread);
	file->row_count = comparison->row_count - file->first_row;
	file->gap_count = comparison->gap_count - file->first_gap;
	file->unserved = old->unserved || fresh->unserved;
	file->identical = !file->lost.count && !file->gained.count;
	for (size_t i = file->first_row; i < comparison->row_count; i++) {
		comparison->series_rows += rg_row_has_size(&comparison->rows[i]);
		file->identical &= comparison->rows[i].identical;
	}
	for (size_t i = file->first_gap; i < comparison->gap_count; i++)
		file->identical &= comparison->gaps[i].identical;
	commit_file(comparison, file);
	return NULL;
}

bool rg_comparison_dropped(const rg_comparison *comparison, const rg_file_outcome *file)
{
	size_t dropped = 0;
	for (size_t i = 0; i < file->row_count; i++)
		dropped += comparison->rows[file->first_row + i].left_out.old_placeholder;
	for (size_t i = 0; i < file->gap_count; i++)
		dropped += comparison->gaps[file->first_gap + i].left_out.old_placeholder;
	return dropped;
}

static void join_file(rg_comparison *out, const rg_comparison *part, size_t index)
{
	const rg_file_outcome *from = &part->files[index];
	rg_file_outcome *file = &out->files[out->file_count];

	*file = *from;
	file->first_row = out->row_count;
	file->first_gap = out->gap_count;
	for (size_t i = 0; i < from->row_count; i++) {
		rg_row *row = &out->rows[out->row_count++];
		*row = part->rows[from->first_row + i];
		row->file_index = out->file_count;
		out->series_rows += rg_row_has_size(row);
	}
	for (size_t i = 0; i < from->gap_count; i++) {
		rg_row *gap = &out->gaps[out->gap_count++];
		*gap = part->gaps[from->first_gap + i];
		gap->file_index = out->file_count;
	}
	commit_file(out, file);
}

void rg_comparison_join(rg_comparison *out, rg_comparison *parts, size_t part_count,
			const rg_comparison_place *order, size_t file_count)
{
	size_t rows = 0, gaps = 0, arenas = 0;
	for (size_t i = 0; i < part_count; i++) {
		rows += parts[i].row_count;
		gaps += parts[i].gap_count;
		arenas += parts[i].arena_count;
	}
	rg_grow(&out->rows, &out->row_capacity, rows, sizeof(*out->rows));
	rg_grow(&out->gaps, &out->gap_capacity, gaps, sizeof(*out->gaps));
	rg_grow(&out->files, &out->file_capacity, file_count, sizeof(*out->files));
	rg_grow(&out->arenas, &out->arena_capacity, arenas, sizeof(*out->arenas));
	for (size_t i = 0; i < file_count; i++)
		join_file(out, &parts[order[i].part], order[i].file);
	for (size_t i = 0; i < part_count; i++) {
		for (size_t k = 0; k < parts[i].arena_count; k++)
			out->arenas[out->arena_count++] = parts[i].arenas[k];
		parts[i].arena_count = 0;
		rg_comparison_release(&parts[i]);
	}
}

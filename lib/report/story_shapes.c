/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shorten.h"
#include "report/family.h"
#include "report/story_parts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A metric with more patterns than this has one line for all of them. */
enum { PATTERNS_MAX = 3, RECORDS_WIDTH = 80 };

/* What all of a table's metrics have in common is said of. */
static const char all_columns[] = "all columns";

/* A change of one golden and metric, before those that are alike are counted together. */
typedef struct {
	rg_shape_kind kind;
	const char *metric; /* the family */
	const char *steps;
	bool was_nonfinite, rest_equal, by_record;
	const rg_row *row;
} change;

typedef struct {
	rg_story *story;
	change *items;
	size_t count;
	/* All rows and gaps by family: how many goldens have each. */
	change *having;
	size_t having_count;
} work;

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_changes(const void *a, const void *b)
{
	const change *x = a, *y = b;
	int order = (int)x->kind - (int)y->kind;

	order = order ? order : strcmp(x->metric, y->metric);
	order = order ? order : compare_texts(x->steps, y->steps);
	order = order ? order : x->was_nonfinite - y->was_nonfinite;
	order = order ? order : x->rest_equal - y->rest_equal;
	order = order ? order : x->by_record - y->by_record;
	if (!order && x->row->file_index != y->row->file_index)
		order = x->row->file_index < y->row->file_index ? -1 : 1;
	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static bool same_kind_and_metric(const change *a, const change *b)
{
	return a->kind == b->kind && !strcmp(a->metric, b->metric);
}

static bool are_alike(const change *a, const change *b)
{
	return same_kind_and_metric(a, b) && !compare_texts(a->steps, b->steps) &&
	       a->by_record == b->by_record && a->was_nonfinite == b->was_nonfinite &&
	       a->rest_equal == b->rest_equal;
}

static int compare_having(const void *a, const void *b)
{
	const change *x = a, *y = b;
	int order = strcmp(x->metric, y->metric);

	if (!order && x->row->file_index != y->row->file_index)
		order = x->row->file_index < y->row->file_index ? -1 : 1;
	return order;
}

/* How many different goldens the sorted items are of. */
static size_t count_goldens(const change *items, size_t count)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		n += !i || items[i].row->file_index != items[i - 1].row->file_index;
	return n;
}

static int compare_metric_to(const void *key, const void *item)
{
	return strcmp(key, ((const change *)item)->metric);
}

static size_t goldens_having(const work *w, const char *metric)
{
	const change *at =
		bsearch(metric, w->having, w->having_count, sizeof(*at), compare_metric_to);
	size_t first, end;

	if (!at)
		return 0;
	first = end = (size_t)(at - w->having);
	while (first && !strcmp(w->having[first - 1].metric, metric))
		first--;
	while (end < w->having_count && !strcmp(w->having[end].metric, metric))
		end++;
	return count_goldens(w->having + first, end - first);
}

/* --- finding --- */

static void add(work *w, const change *one)
{
	w->items[w->count++] = *one;
}

static void look_at_row(work *w, const rg_row *row, const char *family)
{
	change one = {.metric = family, .row = row, .by_record = row->by_record};

	w->having[w->having_count++] = one;
	one.rest_equal = row->kind == RG_ROW_SERIES && row->max_abs == 0 &&
			 !row->left_out.new_nonfinite;
	if (row->reshaped) {
		one.kind = RG_SHAPE_OTHER;
		add(w, &one);
		return;
	}
	if (row->kind != RG_ROW_SERIES && !row->by_record)
		return;
	if (row->left_out.old_only > row->lost_records) {
		one.kind = RG_SHAPE_STEPS_GONE;
		one.steps = row->lost_steps;
		one.was_nonfinite = row->lost_nonfinite;
		add(w, &one);
	}
	one.was_nonfinite = false;
	if (row->left_out.new_nonfinite) {
		one.kind = RG_SHAPE_NONFINITE;
		one.steps = row->nonfinite_steps;
		add(w, &one);
	}
	if (row->left_out.new_only > row->gained_records) {
		one.kind = RG_SHAPE_STEPS_NEW;
		one.steps = row->gained_steps;
		add(w, &one);
	}
}

static void look_at_gap(work *w, const rg_row *gap, const char *family)
{
	change one = {.metric = family, .row = gap, .by_record = gap->by_record};

	w->having[w->having_count++] = one;
	one.kind = gap->gap == RG_GAP_OLD_ONLY                    ? RG_SHAPE_METRIC_GONE
		   : gap->gap == RG_GAP_NEW_ONLY                  ? RG_SHAPE_METRIC_NEW
		   : gap->left_out.new_nonfinite                  ? RG_SHAPE_NONFINITE
		   : gap->left_out.old_only > gap->lost_records   ? RG_SHAPE_STEPS_GONE
		   : gap->left_out.new_only > gap->gained_records ? RG_SHAPE_STEPS_NEW
								  : RG_SHAPES;
	one.steps = one.kind == RG_SHAPE_NONFINITE    ? gap->nonfinite_steps
		    : one.kind == RG_SHAPE_STEPS_GONE ? gap->lost_steps
		    : one.kind == RG_SHAPE_STEPS_NEW  ? gap->gained_steps
						      : NULL;
	one.was_nonfinite = one.kind == RG_SHAPE_STEPS_GONE && gap->lost_nonfinite;
	/* Steps near zero or without a number on both sides are no change in shape. */
	if (one.kind != RG_SHAPES)
		add(w, &one);
}

/* Records that came or went in all columns of a table are said once. */
static void look_at_file(work *w, const rg_comparison *c, const rg_file_outcome *file)
{
	change one = {.metric = all_columns, .by_record = true};

	if (!file->lost_records && !file->gained_records)
		return;
	if (!file->row_count && !file->gap_count)
		return;
	one.row = file->row_count ? &c->rows[file->first_row] : &c->gaps[file->first_gap];
	w->having[w->having_count++] = one;
	one.kind = RG_SHAPE_STEPS_GONE;
	one.steps = file->lost_records;
	if (one.steps)
		add(w, &one);
	one.kind = RG_SHAPE_STEPS_NEW;
	one.steps = file->gained_records;
	if (one.steps)
		add(w, &one);
}

static rg_error *find_changes(work *w)
{
	const rg_comparison *c = w->story->summary->comparison;
	const char *family;
	rg_error *err = NULL;
	rg_buf text;
	size_t i;

	for (i = 0; i < c->file_count; i++)
		look_at_file(w, c, &c->files[i]);
	rg_buf_init(&text, SIZE_MAX / 4);
	for (i = 0; !err && i < c->row_count + c->gap_count; i++) {
		const rg_row *row = i < c->row_count ? &c->rows[i] : &c->gaps[i - c->row_count];

		rg_family_add(&text, row->metric);
		err = rg_story_keep(w->story, &text, &family);
		if (!err && i < c->row_count)
			look_at_row(w, row, family);
		else if (!err)
			look_at_gap(w, row, family);
	}
	rg_buf_release(&text);
	return err;
}

/* --- saying --- */

/* As many records as a line has room for, one at least; `steps` has them all, whole. */
static void say_records(rg_buf *out, const char *steps)
{
	static const char between[] = ", ";
	const char *end = strstr(steps, between), *next = end;

	while (next && (size_t)(next - steps) <= RECORDS_WIDTH) {
		end = next;
		next = strstr(next + 1, between);
	}
	if (!end || (!next && strlen(steps) <= RECORDS_WIDTH))
		end = steps + strlen(steps);
	rg_text_shorten(out, steps, (size_t)(end - steps), RECORDS_WIDTH);
	rg_buf_str(out, *end ? ", …" : "");
}

static void say_steps(rg_buf *out, const rg_shape_change *s)
{
	if (s->by_record && s->steps)
		say_records(out, s->steps);
	else if (s->steps)
		rg_buf_printf(out, "%s %s", strpbrk(s->steps, ".,") ? "steps" : "step", s->steps);
	else
		rg_buf_printf(out, "some %s", s->by_record ? "records" : "steps");
}

static rg_error *say_change(rg_story *story, rg_buf *out, rg_shape_change *s)
{
	rg_buf_printf(out, "%s: ", s->metric);
	switch (s->kind) {
	case RG_SHAPE_METRIC_GONE:
		rg_buf_str(out, "gone");
		break;
	case RG_SHAPE_STEPS_GONE:
		say_steps(out, s);
		rg_buf_str(out, " gone");
		break;
	case RG_SHAPE_NONFINITE:
		rg_buf_str(out, "no longer finite");
		if (s->steps) {
			rg_buf_str(out, " at ");
			say_steps(out, s);
		}
		break;
	case RG_SHAPE_OTHER:
		rg_buf_str(out, !strcmp(s->metric, RG_OPAQUE_METRIC)
					? "was readable, no reader takes it now"
					: "another type or shape");
		break;
	case RG_SHAPE_METRIC_NEW:
		rg_buf_str(out, "new");
		break;
	case RG_SHAPE_STEPS_NEW:
		say_steps(out, s);
		rg_buf_str(out, " new");
		break;
	case RG_SHAPES:
		break;
	}
	rg_buf_printf(out, " in %zu of %zu %s", s->goldens, s->of,
		      s->of == 1 ? "golden" : "goldens");
	if (s->was_nonfinite)
		rg_buf_str(out, ", not finite before");
	if (s->rest_equal)
		rg_buf_printf(out, "; all shared %s equal", s->by_record ? "records" : "steps");
	return rg_story_keep(story, out, &s->text);
}

/* What was lost first, the most frequent first. */
static int compare_shapes(const void *a, const void *b)
{
	const rg_shape_change *x = a, *y = b;
	int order = (int)x->kind - (int)y->kind;

	if (!order && x->goldens != y->goldens)
		order = x->goldens > y->goldens ? -1 : 1;
	order = order ? order : strcmp(x->metric, y->metric);
	return order ? order : compare_texts(x->steps, y->steps);
}

/* `count` changes, sorted, as one pattern. */
static void add_pattern(work *w, const change *first, size_t count, bool one_pattern)
{
	rg_shape_change *s = &w->story->shapes[w->story->shape_count++];
	size_t goldens = count_goldens(first, count), i;
	const bool is_shared = !strcmp(first->metric, all_columns);

	*s = (rg_shape_change){.kind = first->kind,
			       .metric = goldens < count || count > 1 || is_shared
						 ? first->metric
						 : first->row->metric,
			       .steps = one_pattern ? first->steps : NULL,
			       .was_nonfinite = true,
			       .rest_equal = true,
			       .by_record = first->by_record,
			       .goldens = goldens,
			       .of = goldens_having(w, first->metric),
			       .first = first->row};
	for (i = 0; i < count; i++) {
		s->was_nonfinite &= first[i].was_nonfinite;
		s->rest_equal &= first[i].rest_equal;
	}
}

static size_t alike_from(const work *w, size_t at, bool alike(const change *, const change *))
{
	size_t n = 1;

	while (at + n < w->count && alike(&w->items[at], &w->items[at + n]))
		n++;
	return n;
}

/* A metric with many patterns, of other steps in each golden, has one line. */
static void add_metric(work *w, size_t at, size_t count)
{
	size_t patterns = 0, i, n;

	for (i = at; i < at + count; i += n) {
		n = alike_from(w, i, are_alike);
		patterns++;
	}
	if (patterns > PATTERNS_MAX) {
		qsort(w->items + at, count, sizeof(*w->items), compare_having);
		add_pattern(w, &w->items[at], count, false);
		return;
	}
	for (i = at; i < at + count; i += n) {
		n = alike_from(w, i, are_alike);
		add_pattern(w, &w->items[i], n, true);
	}
}

static rg_error *count_alike(work *w)
{
	rg_story *story = w->story;
	rg_error *err = NULL;
	size_t at, n, i;
	rg_buf text;

	for (at = 0; at < w->count; at += n) {
		n = alike_from(w, at, same_kind_and_metric);
		add_metric(w, at, n);
	}
	if (story->shape_count)
		qsort(story->shapes, story->shape_count, sizeof(*story->shapes), compare_shapes);
	rg_buf_init(&text, SIZE_MAX / 4);
	for (i = 0; i < story->shape_count && !err; i++)
		err = say_change(story, &text, &story->shapes[i]);
	rg_buf_release(&text);
	return err;
}

rg_error *rg_story_add_shapes(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	/* A row may have lost, gained and broken steps, a table lost and gained records. */
	size_t most = 3 * (c->row_count + c->gap_count + c->file_count) + 1;
	work w = {.story = story};
	rg_error *err;

	w.items = calloc(most, sizeof(*w.items));
	w.having = calloc(most, sizeof(*w.having));
	err = w.items && w.having ? find_changes(&w) : rg_error_nomem();
	if (!err) {
		qsort(w.items, w.count, sizeof(*w.items), compare_changes);
		qsort(w.having, w.having_count, sizeof(*w.having), compare_having);
		story->shapes = calloc(w.count + 1, sizeof(*story->shapes));
		err = story->shapes ? count_alike(&w) : rg_error_nomem();
	}
	free(w.items);
	free(w.having);
	return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shorten.h"
#include "base/memory.h"
#include "report/test_name.h"
#include "report/story_parts.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A metric with more patterns than this has one line for all of them; so many of several metrics
 * are named. */
enum { PATTERNS_MAX = 3, METRICS_NAMED = 2, GOLDENS_NAMED = 3, RECORDS_WIDTH = 80 };

/* No metric, but a table's records. */
static const char records[] = "records";
static const char placeholders[] = "placeholders";

/* A change of one golden, before those that are alike are counted together. */
typedef struct {
	rg_shape_kind kind;
	const char *metric; /* the family; of several metrics what they are called together */
	size_t metrics;
	const char *steps;
	bool rest_equal, by_record;
	bool ends; /* nothing finite comes any more after a step */
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

/* Records come with other values, whatever their columns are. */
static int compare_classes(const char *x, const rg_row *row_x, const char *y, const rg_row *row_y)
{
	const rg_metric_class a = x != records ? rg_row_class(row_x) : RG_CLASS_VALUE;
	const rg_metric_class b = y != records ? rg_row_class(row_y) : RG_CLASS_VALUE;
	return (int)a - (int)b;
}

static int compare_files(const change *a, const change *b)
{
	return (a->row->file_index > b->row->file_index) -
	       (a->row->file_index < b->row->file_index);
}

static int compare_steps(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* What happened, whatever it happened to. */
static int compare_what(const change *x, const change *y)
{
	int order = (int)x->kind - (int)y->kind;
	order = order ? order : compare_texts(x->steps, y->steps);
	order = order ? order : x->by_record - y->by_record;
	order = order ? order : x->ends - y->ends;
	if (!order && x->kind == RG_SHAPE_FINITE)
		order = x->row->repaired_nan - y->row->repaired_nan;
	if (order || !x->ends)
		return order;
	order = compare_steps(x->row->new_end, y->row->new_end);
	return order ? order : compare_steps(x->row->old_end, y->row->old_end);
}

/* Golden by golden, what happened to several metrics comes together, losses first. */
static int compare_in_golden(const void *a, const void *b)
{
	const change *x = a, *y = b;
	int order = compare_files(x, y);

	order = order ? order : compare_what(x, y);
	order = order ? order : compare_classes(x->metric, x->row, y->metric, y->row);
	order = order ? order : strcmp(x->metric, y->metric);
	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int compare_changes(const void *a, const void *b)
{
	const change *x = a, *y = b;
	int order = (int)x->kind - (int)y->kind;

	order = order ? order : strcmp(x->metric, y->metric);
	order = order ? order : compare_what(x, y);
	order = order ? order : x->rest_equal - y->rest_equal;
	order = order ? order : compare_files(x, y);
	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static bool same_kind_and_metric(const change *a, const change *b)
{
	return a->kind == b->kind && !strcmp(a->metric, b->metric);
}

static bool are_alike(const change *a, const change *b)
{
	return same_kind_and_metric(a, b) && !compare_what(a, b) && a->rest_equal == b->rest_equal;
}

static int compare_having(const void *a, const void *b)
{
	const change *x = a, *y = b;
	int order = strcmp(x->metric, y->metric);

	return order ? order : compare_files(x, y);
}

/* How many different goldens the sorted items are of. */
static size_t count_goldens(const change *items, size_t count)
{
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
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
	size_t end;

	if (!at)
		return 0;
	size_t first = end = (size_t)(at - w->having);
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

static void add_kind(work *w, change one, rg_shape_kind kind, const char *steps)
{
	one.kind = kind;
	one.steps = steps;
	one.ends = (kind == RG_SHAPE_STEPS_GONE || kind == RG_SHAPE_NONFINITE) &&
		   one.row->ends_known && one.row->new_end < one.row->old_end && steps &&
		   !one.by_record && !strchr(steps, ',');
	add(w, &one);
}

/* What is no loss: said once for all metrics, or of each. */
static void look_at_usual(work *w, const change *one)
{
	change dropped = *one;
	dropped.metric = placeholders;
	dropped.by_record = false;
	if (one->row->left_out.old_placeholder)
		add_kind(w, dropped, RG_SHAPE_DROPPED, NULL);
}

/* Of a row, or of a gap that both sides have. */
static void look_at_steps(work *w, const change *one)
{
	const rg_row *row = one->row;
	if (row->left_out.old_only)
		add_kind(w, *one, RG_SHAPE_STEPS_GONE, row->lost_steps);
	if (row->left_out.new_nonfinite)
		add_kind(w, *one, RG_SHAPE_NONFINITE, row->nonfinite_steps);
	if (row->repaired)
		add_kind(w, *one, RG_SHAPE_FINITE, row->repaired_steps);
	if (row->left_out.new_only)
		add_kind(w, *one, RG_SHAPE_STEPS_NEW, row->gained_steps);
}

static void look_at(work *w, const rg_row *row, const char *family)
{
	change one = {.metric = family, .metrics = 1, .row = row, .by_record = row->by_record};
	w->having[w->having_count++] = one;
	look_at_usual(w, &one);
	one.rest_equal = row->gap == RG_GAP_NONE && row->kind == RG_ROW_SERIES &&
			 !row->values_differ && !row->left_out.new_nonfinite;
	if (row->gap == RG_GAP_NEW_ONLY && row->left_out.new_nonfinite)
		add_kind(w, one, RG_SHAPE_NONFINITE, NULL);
	if (row->gap == RG_GAP_OLD_ONLY || row->gap == RG_GAP_NEW_ONLY)
		add_kind(w, one,
			 row->gap == RG_GAP_OLD_ONLY ? RG_SHAPE_METRIC_GONE : RG_SHAPE_METRIC_NEW,
			 NULL);
	else if (row->reshaped)
		add_kind(w, one, RG_SHAPE_OTHER, NULL);
	else if (row->kind == RG_ROW_SERIES || row->by_record)
		look_at_steps(w, &one);
}

static bool is_equal(const rg_row *rows, size_t count)
{
	size_t i = 0;
	while (i < count && rows[i].identical)
		i++;
	return i == count;
}

/* A record that came or went is said once, not in each of the table's columns. */
static void look_at_file(work *w, const rg_comparison *c, const rg_file_outcome *file)
{
	const rg_row *rows = c->rows + file->first_row, *gaps = c->gaps + file->first_gap;
	change one = {.metric = records, .metrics = 1, .by_record = true};
	if (!file->row_count && !file->gap_count)
		return;
	one.row = file->row_count ? rows : gaps;
	if (file->lost.of || file->gained.of)
		w->having[w->having_count++] = one;
	one.rest_equal = is_equal(rows, file->row_count) && is_equal(gaps, file->gap_count);
	if (file->lost.count)
		add_kind(w, one, RG_SHAPE_STEPS_GONE, file->lost.brief);
	if (file->gained.count)
		add_kind(w, one, RG_SHAPE_STEPS_NEW, file->gained.brief);
}

static void find_changes(work *w)
{
	const rg_comparison *c = w->story->summary->comparison;
	rg_buf text;

	for (size_t i = 0; i < c->file_count; i++)
		look_at_file(w, c, &c->files[i]);
	rg_buf_init(&text, RG_BUF_ANY);
	for (size_t i = 0; i < c->row_count + c->gap_count; i++) {
		const rg_row *row = i < c->row_count ? &c->rows[i] : &c->gaps[i - c->row_count];
		rg_family_add(&text, row->metric);
		look_at(w, row, rg_story_keep(w->story, &text));
	}
	rg_buf_release(&text);
}

/* --- metrics together --- */

/* "lm loss, num-zeros and 3 more metrics"; NULL where all are of one family. */
static const char *name_metrics(work *w, const change *first, size_t count)
{
	const char *name = NULL;
	size_t families = 1;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_ANY);
	rg_buf_str(&text, first->metric);
	for (size_t i = 1; i < count; i++) {
		if (!strcmp(first[i].metric, first[i - 1].metric))
			continue;
		if (families++ < METRICS_NAMED)
			rg_buf_printf(&text, ", %s", first[i].metric);
	}
	if (families > METRICS_NAMED)
		rg_buf_printf(&text, " and %zu more metric%s", families - METRICS_NAMED,
			      families - METRICS_NAMED == 1 ? "" : "s");
	if (families > 1)
		name = rg_story_keep(w->story, &text);
	rg_buf_release(&text);
	return name;
}

/* What happened alike to several metrics of a golden becomes one change. */
static void join_metrics(work *w)
{
	size_t kept = 0, n;

	qsort(w->items, w->count, sizeof(*w->items), compare_in_golden);
	for (size_t at = 0; at < w->count; at += n) {
		for (n = 1; at + n < w->count; n++)
			if (compare_files(&w->items[at], &w->items[at + n]) ||
			    compare_what(&w->items[at], &w->items[at + n]))
				break;
		const char *name = name_metrics(w, &w->items[at], n);
		for (size_t i = 0; i < (name ? 1 : n); i++)
			w->items[kept + i] = w->items[at + i];
		for (size_t i = 1; name && i < n; i++)
			w->items[kept].rest_equal &= w->items[at + i].rest_equal;
		if (name) {
			w->items[kept].metric = name;
			w->items[kept].metrics = n;
		}
		kept += name ? 1 : n;
	}
	w->count = kept;
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

static void say_what(rg_buf *out, const rg_shape_change *s)
{
	bool gone = s->kind == RG_SHAPE_METRIC_GONE || s->kind == RG_SHAPE_STEPS_GONE;
	if (s->ends) {
		rg_buf_printf(out, "ends at step %" PRId64 " of %" PRId64 "%s", s->first->new_end,
			      s->first->old_end, gone ? "" : ", not finite after it");
	} else if (s->kind == RG_SHAPE_NONFINITE) {
		rg_buf_str(out, "not finite");
		rg_buf_str(out, s->steps ? " at " : "");
		if (s->steps)
			say_steps(out, s);
	} else if (s->kind == RG_SHAPE_OTHER) {
		rg_buf_str(out, !strcmp(s->metric, RG_OPAQUE_METRIC)
					? "was readable, no reader takes it now"
					: "another type or shape");
	} else if (s->kind == RG_SHAPE_METRIC_GONE || s->kind == RG_SHAPE_METRIC_NEW) {
		rg_buf_str(out, gone ? "gone" : "new");
	} else {
		say_steps(out, s);
		if (gone || s->kind == RG_SHAPE_STEPS_NEW)
			rg_buf_str(out, gone ? " gone" : " new");
		else
			rg_buf_printf(out, " %s %s, now finite",
				      s->steps && !strpbrk(s->steps, ".,") ? "was" : "were",
				      s->first->repaired_nan ? "NaN" : "not finite");
	}
}

/* Of one golden and several metrics, the golden is what it is about. */
static void say_change(rg_buf *out, const rg_story *story, const rg_shape_change *s)
{
	const rg_comparison *c = story->summary->comparison;
	const rg_file_outcome *file = &c->files[s->first->file_index];
	bool by_golden = s->goldens == 1 && s->metrics > 1;

	if (s->metric == records) {
		rg_buf_printf(out, "%s%s", s->text, s->steps ? ": " : "");
		if (s->steps)
			say_records(out, s->steps);
		rg_buf_str(out, s->rest_equal ? "; everything else is equal" : "");
		return;
	}
	if (s->kind == RG_SHAPE_DROPPED) {
		rg_buf_printf(out, "%zu golden%s no longer write%s NaN for steps without a value",
			      s->goldens, s->goldens == 1 ? "" : "s", s->goldens == 1 ? "s" : "");
		return;
	}
	if (by_golden)
		rg_buf_str(out, s->name);
	else
		rg_buf_str(out, s->metric);
	rg_buf_str(out, ": ");
	say_what(out, s);
	if (by_golden && s->metrics == file->row_count + file->gap_count)
		rg_buf_printf(out, s->metrics == 2 ? " (both metrics)" : " (all %zu metrics)",
			      s->metrics);
	else if (by_golden)
		rg_buf_printf(out, " (%s)", s->metric);
	else if (s->metrics > 1)
		rg_buf_printf(out, " in %zu goldens", s->goldens);
	else
		rg_buf_printf(out, " in %zu of %zu golden%s", s->goldens, s->of,
			      s->of == 1 ? "" : "s");
	if (s->goldens == 1 && !by_golden) {
		rg_buf_printf(out, " (%s)", s->name);
	}
	if (s->rest_equal)
		rg_buf_printf(out, "; all shared %s equal", s->by_record ? "records" : "steps");
}

/* What was lost first, of losses before all else, the most frequent first. */
static int compare_shapes(const void *a, const void *b)
{
	const rg_shape_change *x = a, *y = b;
	int order = (int)x->kind - (int)y->kind;

	order = order ? order : compare_classes(x->metric, x->first, y->metric, y->first);
	if (!order && x->goldens != y->goldens)
		order = x->goldens > y->goldens ? -1 : 1;
	order = order ? order : strcmp(x->metric, y->metric);
	order = order ? order : compare_texts(x->steps, y->steps);
	return order ? order : (x->first > y->first) - (x->first < y->first);
}

/* The records of a golden that came or went. */
static const rg_records_alone *alone_in(const rg_story *story, const rg_row *row,
					rg_shape_kind kind)
{
	const rg_file_outcome *file = &story->summary->comparison->files[row->file_index];
	return kind == RG_SHAPE_STEPS_GONE ? &file->lost : &file->gained;
}

/* "6 records removed: 3 of 6 in koios, 3 of 6 in koios_no_hard_block" */
static const char *say_where(const work *w, const change *first, size_t count)
{
	rg_story *story = w->story;
	size_t sum = 0;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_ANY);
	for (size_t i = 0; i < count; i++)
		sum += alone_in(story, first[i].row, first->kind)->count;
	rg_buf_printf(&text, "%zu record%s %s: ", sum, sum == 1 ? "" : "s",
		      first->kind == RG_SHAPE_STEPS_GONE ? "removed" : "added");
	for (size_t i = 0; i < count && i < GOLDENS_NAMED; i++) {
		const rg_records_alone *alone = alone_in(story, first[i].row, first->kind);
		rg_buf_printf(&text, "%s%zu of %zu in ", i ? ", " : "", alone->count, alone->of);
		rg_story_name_add(&text, story, first[i].row->file);
	}
	if (count > GOLDENS_NAMED)
		rg_buf_printf(&text, " and %zu more golden%s", count - GOLDENS_NAMED,
			      count - GOLDENS_NAMED == 1 ? "" : "s");
	const char *said = rg_story_keep(story, &text);
	rg_buf_release(&text);
	return said;
}

/* `count` changes, sorted, as one pattern. */
static void add_pattern(work *w, const change *first, size_t count, bool one_pattern)
{
	rg_shape_change *s = &w->story->shapes[w->story->shape_count++];
	size_t goldens = count_goldens(first, count);
	const bool is_shared = first->metric == records || first->metrics > 1 ||
			       first->metric == placeholders;

	*s = (rg_shape_change){.kind = first->kind,
			       .metric = count > 1 || is_shared ? first->metric
								: first->row->metric,
			       .metrics = first->metrics,
			       .ends = one_pattern && first->ends,
			       .steps = one_pattern ? first->steps : NULL,
			       .rest_equal = true,
			       .by_record = first->by_record,
			       .goldens = goldens,
			       .others = goldens - 1,
			       .of = goldens_having(w, first->metric),
			       .first = first->row};
	for (size_t i = 0; i < count; i++)
		s->rest_equal &= first[i].rest_equal;
	if (first->metric == records)
		s->text = say_where(w, first, count);
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
	size_t patterns = 0, n;
	for (size_t i = at; i < at + count; i += n) {
		n = alike_from(w, i, are_alike);
		patterns++;
	}
	if (patterns > PATTERNS_MAX) {
		qsort(w->items + at, count, sizeof(*w->items), compare_having);
		add_pattern(w, &w->items[at], count, false);
		return;
	}
	for (size_t i = at; i < at + count; i += n) {
		n = alike_from(w, i, are_alike);
		add_pattern(w, &w->items[i], n, true);
	}
}

static void count_alike(work *w)
{
	rg_story *story = w->story;
	size_t n;
	rg_buf text;

	for (size_t at = 0; at < w->count; at += n) {
		n = alike_from(w, at, same_kind_and_metric);
		add_metric(w, at, n);
	}
	if (story->shape_count)
		qsort(story->shapes, story->shape_count, sizeof(*story->shapes), compare_shapes);
	rg_buf_init(&text, RG_BUF_ANY);
	for (size_t i = 0; i < story->shape_count; i++) {
		rg_shape_change *s = &story->shapes[i];
		rg_story_name_add(&text, story, s->first->file);
		s->name = rg_story_keep(story, &text);
		say_change(&text, story, s);
		s->text = rg_story_keep(story, &text);
	}
	rg_buf_release(&text);
}

void rg_story_add_shapes(rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	/* A row may have lost, gained, broken, mended, dropped and usual steps, a table lost and
	 * gained records. */
	size_t most = 6 * (c->row_count + c->gap_count + c->file_count) + 1;
	work w = {.story = story};

	w.items = rg_calloc(most, sizeof(*w.items));
	w.having = rg_calloc(most, sizeof(*w.having));
	find_changes(&w);
	join_metrics(&w);
	qsort(w.items, w.count, sizeof(*w.items), compare_changes);
	qsort(w.having, w.having_count, sizeof(*w.having), compare_having);
	story->shapes = rg_calloc(w.count + 1, sizeof(*story->shapes));
	count_alike(&w);
	free(w.items);
	free(w.having);
}

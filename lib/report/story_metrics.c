/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/summary.h"
#include "base/memory.h"
#include "report/story_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many losses, other metrics, times and stages a line names before it counts the others. */
enum { LOSSES_NAMED = 4, MOVED_NAMED = 12, METRICS_NAMED = 3, TIMES_NAMED = 2, STAGES_NAMED = 4 };

/* A metric of the whole comparison: its groups, by stage. */
typedef struct {
	const rg_group *const *groups;
	size_t count;
	const char *name;
	rg_metric_class class_of;
	rg_tier tier;
	rg_story_shift shift;
	size_t n, rows, changed, over, looks;
	const rg_story_row *worst, *jitters;
} metric;

typedef struct {
	const rg_group **groups;
	metric *items; /* by class, tier and how many need a look */
	size_t count;
} metrics;

/* --- all metrics --- */

static int compare_groups(const void *a, const void *b)
{
	const rg_group *x = *(const rg_group *const *)a, *y = *(const rg_group *const *)b;
	int order = strcmp(x->family, y->family);

	order = order ? order : rg_name_part_compare(&x->stage, &y->stage);
	return order ? order : (x > y) - (x < y);
}

static int compare_metrics(const void *a, const void *b)
{
	const metric *x = a, *y = b;
	if (x->class_of != y->class_of)
		return x->class_of < y->class_of ? -1 : 1;
	if (x->tier != y->tier)
		return x->tier < y->tier ? -1 : 1;
	if (x->over != y->over)
		return x->over > y->over ? -1 : 1;
	return strcmp(x->groups[0]->family, y->groups[0]->family);
}

/* For a line that names few: whatever its class, by how far the worst row is over its level. */
static int compare_worst(const void *a, const void *b)
{
	const rg_story_row *x = ((const metric *)a)->worst, *y = ((const metric *)b)->worst;
	const int order = rg_story_row_order(x, y);
	return order ? order : compare_metrics(a, b);
}

static void sum_up(metric *out, const rg_group *const *groups, size_t count)
{
	*out = (metric){.groups = groups,
			.count = count,
			.name = groups[0]->metric,
			.class_of = groups[0]->class_of,
			.tier = RG_TIER_REST,
			.shift = RG_STORY_NO_SHIFT};
	for (size_t i = 0; i < count; i++) {
		const rg_group *g = groups[i];
		if (strcmp(g->metric, g->family) == 0)
			out->name = g->family;
		if (g->class_of != out->class_of)
			out->class_of = rg_metric_class_of(out->name);
		out->tier = g->tier < out->tier ? g->tier : out->tier;
		out->n += g->n;
		out->rows += g->rows;
		out->changed += g->changed;
		out->over += g->over;
		out->looks += g->looks;
		rg_story_shift_add(&out->shift, &g->shift);
		if (!out->worst || rg_story_is_worse(g->worst, out->worst))
			out->worst = g->worst;
		if (g->jitters && (!out->jitters ||
				   g->jitters->row->mean_abs_rel > out->jitters->row->mean_abs_rel))
			out->jitters = g->jitters;
	}
}

/* Without what is counted, and tensors, which have no shift; or what is counted alone. */
static void find_metrics(metrics *out, const rg_story *story, bool counted)
{
	size_t count = 0, n;
	*out = (metrics){.groups = rg_malloc((story->group_count + 1) * sizeof(*out->groups)),
			 .items = rg_malloc((story->group_count + 1) * sizeof(*out->items))};
	for (size_t i = 0; i < story->group_count; i++)
		if (story->groups[i].counted == counted && !story->groups[i].of_models)
			out->groups[count++] = &story->groups[i];
	qsort(out->groups, count, sizeof(*out->groups), compare_groups);
	for (size_t at = 0; at < count; at += n) {
		for (n = 1; at + n < count; n++)
			if (strcmp(out->groups[at]->family, out->groups[at + n]->family) != 0)
				break;
		sum_up(&out->items[out->count++], out->groups + at, n);
	}
	qsort(out->items, out->count, sizeof(*out->items), compare_metrics);
}

static void release(metrics *m)
{
	free(m->groups);
	free(m->items);
}

/* --- one metric --- */

/* "all 8 within 0.0073 %, 1 of 8 lost values" of goldens of which none needs a look. */
static void say_quiet(rg_buf *out, const char *which, const metric *m)
{
	/* None jitters by its level: then it would need a look. */
	double farther = fmax(fmax(fabs(m->shift.low), fabs(m->shift.high)), m->shift.jitter);

	if (m->n > 1)
		rg_buf_printf(out, "%s %zu ", which, m->n);
	if (!m->changed) {
		rg_buf_str(out, "equal");
	} else if (isnan(farther)) {
		rg_buf_str(out, "without a relative figure");
	} else if (farther > 0) {
		rg_buf_str(out, "within ");
		rg_story_say_within(out, farther);
	} else {
		rg_buf_str(out, m->shift.typical ? "equal at the median step" : "equal on average");
	}
	size_t length = out->length;
	rg_buf_str(out, ", ");
	rg_story_say_counts(out, &m->shift, m->rows);
	if (out->length == length + 2)
		rg_buf_truncate(out, length);
}

/* All variants of a stage as one: "gpt new is 2 to 2.8 % larger". */
static void say_stage(rg_buf *out, const metric *stage)
{
	const rg_group *first = stage->groups[0];
	if (first->stage.length) {
		rg_buf_add(out, first->stage.text, first->stage.length);
		rg_buf_char(out, ' ');
	}
	if (rg_story_is_of_one(&stage->shift, stage->rows)) {
		rg_buf_str(out, stage->n > 1 && stage->changed ? "at worst " : "");
		rg_story_say_row(out, stage->worst->row, &stage->worst->policy);
		return;
	}
	rg_story_say_moved(out, &stage->shift, rg_story_level(&stage->worst->policy), stage->rows);
	if (stage->changed < stage->n && rg_story_has_range(&stage->shift))
		rg_buf_printf(out, " in %zu of %zu", stage->changed, stage->n);
	rg_story_say_errors(out, stage->groups, stage->count);
}

/* The stages that need a look; then the others as one, as far as they are given in `quiet`. */
static void say_stages(rg_buf *out, const metric *m, metric *quiet)
{
	size_t named = 0, more = 0, n;
	for (size_t at = 0; at < m->count; at += n) {
		metric stage;
		for (n = 1; at + n < m->count; n++)
			if (rg_name_part_compare(&m->groups[at]->stage, &m->groups[at + n]->stage))
				break;
		sum_up(&stage, m->groups + at, n);
		if (stage.tier == RG_TIER_REST) {
			quiet->n += stage.n;
			quiet->rows += stage.rows;
			quiet->changed += stage.changed;
			rg_story_shift_add(&quiet->shift, &stage.shift);
		} else if (named == STAGES_NAMED && m->class_of != RG_CLASS_LOSS) {
			more++;
		} else {
			rg_buf_str(out, named++ ? ", " : "");
			say_stage(out, &stage);
		}
	}
	if (more)
		rg_buf_printf(out, ", %zu more stage%s", more, more == 1 ? "" : "s");
}

/* What jitters by more than the worst has moved may be another golden. */
static void say_jitter(rg_buf *out, const rg_story *story, const metric *m)
{
	const rg_story_row *r = m->jitters;
	if (!r || r == m->worst || r->size < rg_story_level(&r->policy) ||
	    r->size <= fabs(m->worst->row->avg_rel_diff))
		return;
	rg_buf_str(out, "; ");
	rg_story_name_add(out, story, r->row->file);
	rg_buf_str(out, ": ");
	rg_story_say_row(out, r->row, &r->policy);
}

static void say_metric(rg_buf *out, const rg_story *story, const metric *m)
{
	metric quiet = {.shift = RG_STORY_NO_SHIFT};
	rg_buf_printf(out, "%s: ", m->name);
	if (m->tier == RG_TIER_REST) {
		say_quiet(out, "all", m);
		return;
	}
	say_stages(out, m, &quiet);
	if (quiet.n) {
		rg_buf_str(out, quiet.n > 1 ? ", " : ", 1 other ");
		say_quiet(out, "the other", &quiet);
	}
	if (m->class_of != RG_CLASS_LOSS)
		return;
	rg_buf_str(out, m->n > 1 ? "; worst " : " (");
	rg_story_name_add(out, story, m->worst->row->file);
	if (m->n == 1) {
		rg_buf_char(out, ')');
		return;
	}
	rg_buf_str(out, ": ");
	rg_story_say_row(out, m->worst->row, &m->worst->policy);
	say_jitter(out, story, m);
}

/* --- losses --- */

void rg_story_say_losses(rg_buf *out, const rg_story *story)
{
	metric more = {.shift = RG_STORY_NO_SHIFT};
	size_t losses = 0;
	metrics all;
	find_metrics(&all, story, false);

	for (size_t i = 0; i < all.count && all.items[i].class_of == RG_CLASS_LOSS; i++) {
		if (losses++ < (all.items[i].tier == RG_TIER_REST ? LOSSES_NAMED : MOVED_NAMED)) {
			rg_buf_str(out, i ? ". " : "");
			say_metric(out, story, &all.items[i]);
			continue;
		}
		more.n += all.items[i].n;
		more.rows += all.items[i].rows;
		more.changed += all.items[i].changed;
		more.over += all.items[i].over;
		rg_story_shift_add(&more.shift, &all.items[i].shift);
	}
	if (more.n) {
		rg_buf_printf(out, ". %zu more: ", losses - LOSSES_NAMED);
		say_quiet(out, "all", &more);
		if (more.over)
			rg_buf_printf(out, ", %zu need a look", more.over);
	}
	release(&all);
}

/* --- times --- */

/* What can be said of the median of rows of one golden each. */
static void say_interval(rg_buf *out, const rg_story *story, const metric *m, const char *larger,
			 const char *smaller)
{
	double *values = rg_malloc((story->row_count + 1) * sizeof(*values)), low, high;
	size_t count = 0, i;

	for (i = 0; i < story->row_count; i++) {
		const rg_story_row *r = &story->rows[i];
		if (strcmp(r->family, m->groups[0]->family) != 0 || isnan(r->row->avg_rel_diff))
			continue;
		if (r->members > 1 || r->row->verdict.kind != RG_VERDICT_NONE)
			break;
		values[count++] = rg_row_typical(r->row);
	}
	if (i < story->row_count) {
		free(values);
		return;
	}
	if (!rg_median_interval(values, count, &low, &high)) {
		rg_buf_str(out, " (too few to tell from noise)");
	} else if (low <= 0 && high >= 0) {
		rg_buf_str(out, " (the 95 % interval of the median includes zero)");
	} else {
		rg_buf_str(out, " (95 % interval of the median: ");
		rg_story_say_percents(out, fmin(fabs(low), fabs(high)),
				      fmax(fabs(low), fabs(high)));
		rg_buf_printf(out, " %s)", low < 0 ? larger : smaller);
	}
	free(values);
}

/* "2 of 2 slower, by 35 to 155 %"; "3 of 8 slower, by up to 4 %, 5 faster, by up to 7 %" */
static void say_time(rg_buf *out, const rg_story *story, const metric *m)
{
	bool is_rate = m->class_of == RG_CLASS_RATE;
	const char *larger = is_rate ? "larger" : "slower",
		   *smaller = is_rate ? "smaller" : "faster";
	const rg_story_shift *s = &m->shift;
	double near = s->larger ? s->high : s->low, far = s->larger ? s->low : s->high;

	if (!s->larger && !s->smaller) {
		say_quiet(out, "all", m);
		rg_story_say_means(out, s, m->rows, NULL);
		return;
	}
	if (s->larger && s->smaller) {
		rg_buf_printf(out, "%zu of %zu %s, by up to ", s->larger, m->rows, larger);
		rg_story_say_percents(out, s->low, s->low);
		rg_buf_printf(out, ", %zu %s, by up to ", s->smaller, smaller);
		rg_story_say_percents(out, s->high, s->high);
	} else {
		rg_buf_printf(out, "%zu of %zu %s, by %s", s->larger + s->smaller, m->rows,
			      s->larger ? larger : smaller, near == 0 ? "up to " : "");
		rg_story_say_percents(out, near == 0 ? far : near, far);
	}
	if (s->typical)
		rg_buf_str(out, ", at the median step");
	say_interval(out, story, m, larger, smaller);
	rg_story_say_means(out, s, m->rows, NULL);
}

static bool is_time(const metric *m)
{
	return m->class_of == RG_CLASS_TIME || m->class_of == RG_CLASS_RATE;
}

static void say_times(rg_buf *out, const rg_story *story, const metrics *all)
{
	size_t named = 0, more = 0;
	for (size_t i = 0; i < all->count; i++) {
		if (!is_time(&all->items[i]) || !all->items[i].changed)
			continue;
		if (named == TIMES_NAMED) {
			more++;
			continue;
		}
		named++;
		rg_buf_printf(out, "%s%s: ", out->length ? "; " : "", all->items[i].name);
		say_time(out, story, &all->items[i]);
	}
	if (more)
		rg_buf_printf(out, "; %zu more time%s", more, more == 1 ? "" : "s");
}

/* --- what else --- */

/* Opaque goldens, or what else is counted. */
static void say_counted(rg_buf *out, const rg_story *story, bool opaque)
{
	size_t rows = 0, changed = 0;
	for (size_t i = 0; i < story->group_count; i++)
		if (story->groups[i].counted && !story->groups[i].of_models &&
		    opaque == !strcmp(story->groups[i].metric, RG_OPAQUE_METRIC)) {
			rows += story->groups[i].rows;
			changed += story->groups[i].rows_changed;
		}
	if (changed)
		rg_buf_printf(out, "%s%zu of %zu %s", out->length ? "; " : "", changed, rows,
			      !opaque     ? "texts, token lists and ids differ"
			      : rows == 1 ? "opaque golden differs"
					  : "opaque goldens differ");
}

/* Do numbers differ that no metric has? */
static bool is_partly_read(const rg_comparison *c)
{
	size_t i = 0;
	while (i < c->file_count && !c->files[i].unread)
		i++;
	return i < c->file_count;
}

/* Where no metric has moved; nothing where all are losses. */
static void say_nothing(rg_buf *out, const rg_story *story, const metrics *all)
{
	bool losses = false, others = false;
	for (size_t i = 0; i < all->count; i++) {
		losses |= all->items[i].class_of == RG_CLASS_LOSS;
		others |= all->items[i].class_of != RG_CLASS_LOSS;
	}

	if (!story->differing)
		rg_buf_str(out, is_partly_read(story->summary->comparison) ? "no metric differs"
				: story->shape_count ? "all shared values are equal"
						     : "no value differs");
	else if (others || !losses)
		rg_buf_printf(out, "no %smetric moved by its level or more",
			      losses ? "other " : "");
}

void rg_story_say_changed(rg_buf *out, const rg_story *story)
{
	size_t named = 0, more = 0;
	bool moved = false;
	metrics all;
	find_metrics(&all, story, false);
	qsort(all.items, all.count, sizeof(*all.items), compare_worst);

	for (size_t i = 0; i < all.count; i++) {
		const metric *m = &all.items[i];
		if (m->tier == RG_TIER_REST || m->class_of == RG_CLASS_LOSS)
			continue;
		moved = true;
		if (is_time(m) || rg_story_is_still(&m->shift))
			continue;
		if (named == METRICS_NAMED) {
			more++;
			continue;
		}
		rg_buf_str(out, named++ ? "; " : "");
		say_metric(out, story, m);
	}
	if (more)
		rg_buf_printf(out, "; %zu more metric%s", more, more == 1 ? "" : "s");
	rg_story_say_models(out, &story->models);
	say_counted(out, story, false);
	say_counted(out, story, true);
	if (!moved && !out->length && story->row_count)
		say_nothing(out, story, &all);
	say_times(out, story, &all);
	rg_test_counts_say(out, &story->summary->tests);
	release(&all);
}

/* --- cards --- */

static void say_card(rg_buf *out, const rg_story *story, const metric *m)
{
	const rg_group *first = m->groups[0];
	if (first->counted)
		rg_buf_printf(out, "%zu of %zu differ", m->changed, m->n);
	else if (is_time(m) && m->changed)
		say_time(out, story, m);
	else if (m->tier == RG_TIER_REST)
		say_quiet(out, "all", m);
	else if (rg_story_is_of_one(&m->shift, m->rows)) {
		rg_buf_str(out, m->n > 1 && m->changed ? "at worst " : "");
		rg_story_say_row(out, m->worst->row, &m->worst->policy);
	} else {
		rg_story_say_moved(out, &m->shift, rg_story_level(&m->worst->policy), m->rows);
		rg_story_say_errors(out, m->groups, m->count);
	}
}

static void add_card(rg_story *story, const metric *m, rg_buf *text)
{
	rg_card *card = &story->cards[story->card_count];
	say_card(text, story, m);
	*card = (rg_card){.name = m->name,
			  .only = m->name,
			  .class_of = m->class_of,
			  .n = m->n,
			  .changed = m->changed,
			  .looks = m->looks,
			  .worst = m->worst,
			  .says = rg_story_keep(story, text)};
	for (size_t i = 0; i < m->count; i++) {
		/* The list's groups are the story's own. */
		story->groups[m->groups[i] - story->groups].card = story->card_count;
		if (m->groups[i]->rows > m->groups[i]->n)
			card->only = NULL;
	}
	story->card_count++;
}

/* In which order cards come: losses, what has rows to look at, all else. */
static int rank_of(const metric *m)
{
	return m->class_of == RG_CLASS_LOSS ? 0 : m->looks ? 1 : 2;
}

static void add_cards(rg_story *story, bool counted, int rank, rg_buf *text)
{
	metrics all;
	find_metrics(&all, story, counted);
	for (size_t i = 0; i < all.count; i++)
		if (rank_of(&all.items[i]) == rank)
			add_card(story, &all.items[i], text);
	release(&all);
}

void rg_story_add_cards(rg_story *story)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_ANY);
	story->cards = rg_calloc(story->group_count + 1, sizeof(*story->cards));
	for (size_t i = 0; i < story->group_count; i++)
		story->groups[i].card = SIZE_MAX;
	for (int rank = 0; rank < 3; rank++) {
		add_cards(story, false, rank, &text);
		add_cards(story, true, rank, &text);
	}
	rg_buf_release(&text);
}

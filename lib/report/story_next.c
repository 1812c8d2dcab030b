/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shell.h"
#include "base/memory.h"
#include "report/story_parts.h"

#include <stdlib.h>
#include <string.h>

/* How many goldens and metrics are named before the others are counted. */
enum { GOLDENS_NAMED = 3, LABELS = 5 };

/* --- goldens --- */

/* A time or a peak of memory that was not taken at some step is no reason to stop. */
static bool has_lost(const rg_row *row)
{
	return row->gap == RG_GAP_OLD_ONLY || row->reshaped ||
	       (row->left_out.old_only && rg_row_class(row) < RG_CLASS_TIME);
}

static bool is_not_finite(const rg_row *row)
{
	return row->left_out.new_nonfinite;
}

static bool is_new_metric(const rg_row *row)
{
	return row->gap == RG_GAP_NEW_ONLY && !row->ignored;
}

static bool is_finite_again(const rg_row *row)
{
	return row->repaired && rg_row_class(row) < RG_CLASS_TIME;
}

static bool any_of(const rg_comparison *c, const rg_file_outcome *file, bool is(const rg_row *))
{
	for (size_t i = 0; i < file->row_count; i++)
		if (is(&c->rows[file->first_row + i]))
			return true;
	for (size_t i = 0; i < file->gap_count; i++)
		if (is(&c->gaps[file->first_gap + i]))
			return true;
	return false;
}

/* "BEFOREgpt/a, gpt/b and 2 more goldens; " */
static void say_goldens(rg_buf *out, const rg_story *story, bool is(const rg_row *),
			const char *before)
{
	const rg_comparison *c = story->summary->comparison;
	size_t count = 0;

	for (size_t i = 0; i < c->file_count; i++) {
		if (!any_of(c, &c->files[i], is))
			continue;
		if (count++ >= GOLDENS_NAMED)
			continue;
		rg_buf_str(out, count == 1 ? before : ", ");
		rg_story_name_add(out, story, c->files[i].file);
	}
	if (count > GOLDENS_NAMED)
		rg_buf_printf(out, " and %zu more golden%s", count - GOLDENS_NAMED,
			      count - GOLDENS_NAMED == 1 ? "" : "s");
	if (count)
		rg_buf_str(out, "; ");
}

/* --- is it intended? --- */

/* What the question names, and in how many goldens it needs a look. */
typedef struct {
	const char *name, *family;
	rg_metric_class class_of;
	bool of_model;
	size_t goldens;
	bool *seen; /* by file */
} label;

static bool is_merged(rg_metric_class class_of)
{
	return class_of == RG_CLASS_TIME || class_of == RG_CLASS_MEMORY;
}

/* Memory has one label for all of its metrics, as times and tensors have. */
static bool is_of(const label *l, const rg_story_row *r)
{
	if (l->of_model || r->of_model)
		return l->of_model && r->of_model;
	return !strcmp(l->family, r->family) ||
	       (is_merged(r->class_of) && l->class_of == r->class_of);
}

static void add_label(label *labels, size_t *count, const rg_story_row *r, size_t files, bool *more)
{
	size_t i = 0;
	while (i < *count && !is_of(&labels[i], r))
		i++;
	if (i == LABELS) {
		*more = true;
		return;
	}
	if (i == *count) {
		labels[i] = (label){.name = r->of_model ? "tensors"
					    : strcmp(r->metric, RG_OPAQUE_METRIC)
						    ? r->metric
						    : "opaque goldens",
				    .family = r->family,
				    .class_of = r->class_of,
				    .of_model = r->of_model,
				    .seen = rg_calloc(files + 1, sizeof(bool))};
		++*count;
	}
	if (!labels[i].of_model && strcmp(labels[i].family, r->family) != 0)
		labels[i].name = r->class_of == RG_CLASS_TIME ? "times" : "memory";
	labels[i].goldens += !labels[i].seen[r->row->file_index];
	labels[i].seen[r->row->file_index] = true;
}

static void ask(rg_buf *out, const label *labels, size_t count, bool more, bool moved)
{
	for (size_t i = 0; i < count; i++) {
		rg_buf_str(out, !i                      ? "is it intended that "
				: i + 1 < count || more ? ", "
							: " and ");
		rg_buf_printf(out, "%s (%zu%s)", labels[i].name, labels[i].goldens,
			      i                        ? ""
			      : labels[i].goldens == 1 ? " golden"
						       : " goldens");
	}
	if (count)
		rg_buf_printf(out, "%s %s? ", more ? " and others" : "",
			      moved ? "moved" : "changed");
}

/* What only came, went or is finite again is not asked for. */
static bool has_moved(const rg_story_row *r)
{
	bool has_figure = r->row->n_steps || r->row->too_small.count;
	return (r->changed && !rg_story_is_still(&r->shift) &&
		(has_figure || r->row->kind == RG_ROW_EXACT)) ||
	       r->row->filled;
}

/* Losses first, then by how far a row is over its level, whatever its class. */
static int compare_asked(const void *a, const void *b)
{
	const rg_story_row *x = *(const rg_story_row *const *)a;
	const rg_story_row *y = *(const rg_story_row *const *)b;
	if ((x->class_of == RG_CLASS_LOSS) != (y->class_of == RG_CLASS_LOSS))
		return x->class_of == RG_CLASS_LOSS ? -1 : 1;
	const int order = rg_story_row_order(x, y);
	if (order)
		return order;
	return x->class_of != y->class_of ? (int)x->class_of - (int)y->class_of : (x > y) - (x < y);
}

static void say_question(rg_buf *out, const rg_story *story)
{
	const rg_story_row **rows = rg_calloc(story->row_count + 1, sizeof(*rows));
	label labels[LABELS];
	size_t asked = 0, count = 0;
	bool more = false, moved = true;

	for (size_t i = 0; i < story->row_count; i++)
		if (story->rows[i].tier != RG_TIER_REST && has_moved(&story->rows[i]))
			rows[asked++] = &story->rows[i];
	qsort(rows, asked, sizeof(*rows), compare_asked);
	for (size_t i = 0; i < asked; i++) {
		moved &= !story->groups[rows[i]->group].counted;
		add_label(labels, &count, rows[i], story->summary->comparison->file_count, &more);
	}
	ask(out, labels, count, more, moved);
	while (count)
		free(labels[--count].seen);
	free(rows);
}

/* How many metrics, or goldens, broke a gate so. */
static size_t count_names(const rg_gate_group *group, bool metrics)
{
	const char **names = rg_malloc((group->n + 1) * sizeof(*names));
	size_t count = 0;

	for (size_t i = 0; i < group->n; i++)
		names[i] = metrics ? group->worst[i].row->metric : group->worst[i].file;
	qsort(names, group->n, sizeof(*names), rg_compare_texts);
	for (size_t i = 0; i < group->n; i++)
		count += !i || strcmp(names[i - 1], names[i]) != 0;
	free(names);
	return count;
}

/* "dur (7 goldens)"; of several metrics that are told together "dur (3 metrics)". */
static void say_group(rg_buf *out, const rg_gate_group *group)
{
	const size_t metrics = count_names(group, true);
	const size_t count = metrics > 1 ? metrics : count_names(group, false);
	rg_buf_printf(out, "%s (%zu %s%s)", group->metric, count, metrics > 1 ? "metric" : "golden",
		      count == 1 ? "" : "s");
}

/* Metrics, worst first, each once; goldens as a whole are named before. */
static void say_gate(rg_buf *out, const rg_gate_groups *broken)
{
	const char *named[LABELS];
	size_t count = 0, more = 0;
	for (size_t i = 0; broken && i < broken->count; i++) {
		const rg_gate_group *group = &broken->items[i];
		size_t k = 0;
		while (group->metric && k < count && strcmp(named[k], group->metric) != 0)
			k++;
		if (!group->metric || k < count)
			continue;
		if (count == LABELS) {
			more++;
			continue;
		}
		named[count++] = group->metric;
		rg_buf_str(out, count == 1 ? "look first at what broke the gate: " : ", ");
		say_group(out, group);
	}
	if (more)
		rg_buf_printf(out, " and %zu more %s", more, more == 1 ? "reason" : "reasons");
	if (count)
		rg_buf_str(out, "; ");
}

/* --- commands --- */

static bool is_broken(const rg_row *row)
{
	return row->left_out.new_nonfinite > 0;
}

/* Of any class: what else there is comes first. */
static bool is_broken_or_lost(const rg_row *row)
{
	return is_broken(row) || row->lost;
}

/* Records, and numbers that no metric has, are no row's, and so in no question. */
static void say_records(rg_buf *out, const rg_comparison *c)
{
	size_t lost = 0, gained = 0, unread = 0;
	for (size_t i = 0; i < c->file_count; i++) {
		lost += c->files[i].lost.count;
		gained += c->files[i].gained.count;
		unread += c->files[i].unread != NULL;
	}
	if (unread)
		rg_buf_printf(out, "compare the numbers of %zu golden%s that no metric has; ",
			      unread, unread == 1 ? "" : "s");
	if (lost)
		rg_buf_printf(out, "check that the %zu removed record%s meant to go; ", lost,
			      lost == 1 ? " is" : "s are");
	if (gained)
		rg_buf_printf(out, "look at the %zu added record%s; ", gained,
			      gained == 1 ? "" : "s");
}

static size_t count_goldens(const rg_comparison *c, bool is(const rg_row *))
{
	size_t count = 0;
	for (size_t i = 0; i < c->file_count; i++)
		count += any_of(c, &c->files[i], is);
	return count;
}

/* Nothing that is newly NaN is called ready for a commit. */
static bool is_to_keep(const rg_comparison *c)
{
	size_t broken = count_goldens(c, is_broken);
	for (size_t i = 0; i < c->file_count; i++)
		broken += c->files[i].nonfinite;
	return !broken;
}

static void say_refused(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	size_t count = 0;
	for (size_t i = 0; i < c->file_count; i++)
		count += c->files[i].has_nonfinite;
	if (count && story->summary->context->refuses)
		rg_buf_printf(out,
			      "the merge gate refuses NaN, and %zu golden%s: regild check "
			      "--changed; ",
			      count, count == 1 ? " has it" : "s have it");
}

/* What the refresh wrote, where the root is the top: '.' would add all else, too. Of many files the
 * folders at the top that they are in. */
static void add_written(rg_buf *out, const rg_refresh *refresh)
{
	enum { FILES_NAMED = 10 };
	const size_t written = refresh->counts[RG_REFRESH_UPDATED] +
			       refresh->counts[RG_REFRESH_NEW];
	char *last = NULL;

	for (size_t i = 0; i < refresh->count; i++) {
		const rg_refresh_item *item = &refresh->items[i];
		if (item->outcome != RG_REFRESH_UPDATED && item->outcome != RG_REFRESH_NEW)
			continue;
		char *part = rg_strndup(item->name, written > FILES_NAMED ? strcspn(item->name, "/")
									  : strlen(item->name));
		if (!last || strcmp(last, part) != 0) {
			rg_buf_str(out, last ? " " : "");
			rg_buf_str(out, *part == '-' ? "./" : "");
			rg_shell_quote(out, part);
		}
		free(last);
		last = part;
	}
	free(last);
}

/* What can be typed next: to see what fails, to take the refresh back, to keep it. */
static void say_commands(rg_buf *out, const rg_story *story)
{
	const rg_summary *summary = story->summary;
	const rg_refresh *refresh = summary->refresh;
	bool put = refresh && refresh->counts[RG_REFRESH_UPDATED] + refresh->counts[RG_REFRESH_NEW];
	rg_buf filter;

	if (story->failing_check) {
		rg_buf_init(&filter, RG_BUF_TEXT);
		rg_buf_printf(&filter, "checks=%s:fails", story->failing_check);
		rg_buf_str(out, "show what fails: ");
		rg_story_say_command(out, summary, filter.data, "");
		rg_buf_str(out, "; ");
		rg_buf_inherit(out, &filter);
		rg_buf_release(&filter);
	}
	if (!put)
		return;
	say_refused(out, story);
	rg_buf_str(out, "take it back: regild undo; ");
	if (!is_to_keep(summary->comparison))
		return;
	rg_buf_str(out, "keep it: git add ");
	if (summary->root && *summary->root && strcmp(summary->root, ".") != 0)
		rg_shell_quote(out, summary->root);
	else
		add_written(out, refresh);
	rg_buf_str(out, " && git commit");
	if (summary->message) {
		rg_buf_str(out, " -F ");
		rg_shell_quote(out, summary->message);
	}
	rg_buf_str(out, "; ");
}

/* Nobody has looked at what is new. */
static void say_new(rg_buf *out, const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	const size_t goldens = c->new_files - c->flawed;
	if (goldens == 1)
		rg_buf_str(out, "review the new golden; ");
	else if (goldens)
		rg_buf_printf(out, "review the %zu new goldens; ", goldens);
	say_goldens(out, story, is_new_metric, "review the new metrics in ");
}

/* --- all --- */

/* A slip in a pattern is no reason to be calm. */
static bool filter_keeps_nothing(const rg_story *story)
{
	const rg_comparison *c = story->summary->comparison;
	return story->summary->filtered && c->compared && !c->row_count && !c->gap_count;
}

void rg_story_say_next(rg_buf *out, const rg_story *story)
{
	const rg_refresh *refresh = story->summary->refresh;
	const rg_comparison *c = story->summary->comparison;

	rg_buf_str(out, "next: ");
	size_t before = out->length;
	if (refresh && refresh->counts[RG_REFRESH_MISSING])
		rg_buf_str(out, story->summary->run.id
					? "re-run the jobs whose goldens are missing; "
					: "mend what is missing; ");
	else if (refresh && refresh->empty_next)
		rg_buf_printf(out, "%s; ", refresh->empty_next);
	if (refresh && refresh->counts[RG_REFRESH_HELD])
		rg_buf_str(out, "decide on the goldens held back (--allow); ");
	if (c->unreadable)
		rg_buf_str(out, "mend the unreadable goldens; ");
	if (c->flawed)
		rg_buf_str(out, "look at what is wrong with the new goldens ('regild check'); ");
	if (c->removed)
		rg_buf_str(out, "check that the removed goldens are meant to go; ");
	say_records(out, c);
	say_gate(out, story->summary->broken);
	if (story->summary->tests.newly_failing)
		rg_buf_str(out, "look first at the tests that newly fail; ");
	say_goldens(out, story, is_not_finite, "find out why values are not finite in ");
	say_goldens(out, story, has_lost, "find out why values are gone or of another kind in ");
	say_goldens(out, story, is_finite_again, "check that what is finite again is right in ");
	say_question(out, story);
	say_new(out, story);
	if (out->length == before)
		say_goldens(out, story, is_broken_or_lost,
			    "find out why values are gone or not finite in ");
	if (out->length == before && filter_keeps_nothing(story))
		rg_buf_str(out, "--filter keeps no metric; check its pattern; ");
	else if (out->length == before)
		rg_buf_str(out, "nothing needs a look; ");
	say_commands(out, story);
	while (out->length > before && strchr("; ", out->data[out->length - 1]))
		rg_buf_truncate(out, out->length - 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "terminal.h"
#include "base/memory.h"
#include "update.h"

#include "base/number.h"
#include "base/order.h"
#include "base/path.h"
#include "base/shorten.h"
#include "flow/settings.h"
#include "story/review.h"
#include "report/blocks.h"
#include "report/words.h"
#include "story/story.h"
#include "story/golden_name.h"
#include "update/siblings.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* How many goldens that git ignores are named without -v. */
enum { HIDDEN_NAMED = 10 };
enum { ROWS_SHOWN = 3, FINDINGS_SHOWN = 20, MISSING_NAMED = 5, BECOMES_WIDTH = 11 };
static const char indent[] = "             ";

/* Prints the metrics that differ without a figure: the new ones, and those of which no step counts.
 * Returns how many it has shown, at most `top` (0: all). */
static size_t print_gaps(const rg_plan *plan, const rg_plan_item *item, size_t top, FILE *out)
{
	const rg_file_outcome *file = &plan->comparison.files[item->file_index];
	size_t shown = 0;

	for (size_t i = 0; i < file->gap_count && (!top || shown < top); i++) {
		const rg_row *gap = &plan->comparison.gaps[file->first_gap + i];
		if (gap->identical || gap->gap == RG_GAP_OLD_ONLY)
			continue;
		if (gap->gap == RG_GAP_NEW_ONLY)
			terminal_printf(out, "%s%s: was not in the old file\n", indent,
					gap->metric);
		else
			terminal_printf(out, "%s%s: differs, but no step counts: %s\n", indent,
					gap->metric,
					gap->left_out_text ? gap->left_out_text : "it has none");
		shown++;
	}
	return shown;
}

void update_print_findings(const rg_plan_item *item, bool all, FILE *out)
{
	const rg_findings *findings = &item->findings;
	unsigned guards = 0;

	for (size_t i = 0; i < findings->count; i++) {
		const rg_finding *finding = &findings->items[i];
		RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
		if (!all && i >= FINDINGS_SHOWN) {
			guards |= finding->guard;
			continue;
		}
		rg_finding_add_text(&text, finding);
		terminal_printf(out, "%s%s%s", indent,
				finding->guard && !(item->held & finding->guard) ? "allowed, " : "",
				text.data);
		fputc('\n', out);
	}
	if (!guards)
		return;
	fprintf(out, "%sand %zu more:", indent, findings->count - FINDINGS_SHOWN);
	for (; guards; guards &= guards - 1)
		fprintf(out, " %s%s", rg_guard_name(guards), guards & (guards - 1) ? "," : "\n");
}

void update_print_item(const rg_plan *plan, const rg_plan_item *item, size_t top, FILE *out)
{
	const rg_comparison *comparison = &plan->comparison;
	RG_AUTO_FREE const rg_row **rows = NULL;
	size_t count = 0;

	update_print_findings(item, !top, out);
	if (item->file_index == SIZE_MAX)
		return;
	const rg_file_outcome *file = &comparison->files[item->file_index];
	const rg_records_alone *gained = &file->gained;
	rows = rg_calloc(file->row_count + 1, sizeof(*rows));
	for (size_t i = 0; i < file->row_count; i++)
		if (!comparison->rows[file->first_row + i].identical)
			rows[count++] = &comparison->rows[file->first_row + i];
	rg_rows_worst_first(rows, count);
	for (size_t i = 0; i < count && (!top || i < top); i++) {
		RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
		rg_metric_policy policy;

		rg_policy_resolve(plan->options->policy, rows[i]->file, rows[i]->metric, &policy);
		rg_row_say(&text, rows[i], &policy);
		if (rows[i]->kind == RG_ROW_SERIES && rows[i]->n_steps && !rows[i]->by_largest &&
		    !rows[i]->tensor && !rows[i]->left_out.new_nonfinite && !rows[i]->lost &&
		    !rows[i]->repaired)
			rg_buf_printf(&text, " over %zu %s%s", rows[i]->n_steps,
				      rows[i]->by_record ? "record" : "step",
				      rg_plural(rows[i]->n_steps));
		terminal_printf(out, "%s%s: %s\n", indent, rows[i]->metric, text.data);
	}
	/* The records that are missing are a finding. */
	if (gained->count)
		terminal_printf(out, "%s%zu record%s added: %s\n", indent, gained->count,
				rg_plural(gained->count), gained->brief);
	if (!count && !gained->count && !item->findings.count && !print_gaps(plan, item, top, out))
		fprintf(out, "%sno %s differs\n", indent, file->unread ? "metric" : "value");
}

/* ---- goldens beside those of the run ---- */

/* Variants in the line; how many goldens the others have is one number. */
enum { VARIANTS_NAMED = 6, GONE_NAMED = 6 };

typedef struct {
	rg_name_part name;
	size_t goldens;
} variant;

static int compare_names(const void *a, const void *b)
{
	const rg_name_part *x = &((const variant *)a)->name, *y = &((const variant *)b)->name;
	int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);

	return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* The most goldens first. */
RG_ORDER(compare_counts, variant, RG_FALLING(goldens) || RG_THEN(compare_names(a, b)));

/* "dev_dgx_a100 200, lts_dgx_a100 106" */
static void append_variants(rg_buf *text, const variant *variants, size_t count)
{
	char number[RG_COUNT_TEXT];
	size_t rest = 0;

	for (size_t i = 0; i < count; i++) {
		if (i >= VARIANTS_NAMED) {
			rest += variants[i].goldens;
			continue;
		}
		rg_buf_str(text, i ? ", " : "");
		rg_buf_add(text, variants[i].name.text, variants[i].name.length);
		rg_buf_printf(text, " %s", rg_count_text(variants[i].goldens, number));
	}
	if (rest)
		rg_buf_printf(text, ", others %s", rg_count_text(rest, number));
}

/* In one line, by variant. */
static void write_variants(const command_context *context, const rg_siblings *siblings)
{
	const rg_column_context columns = rg_columns_of(context->flow.config);
	RG_AUTO_FREE variant *variants = rg_calloc(siblings->count, sizeof(*variants));
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	char number[RG_COUNT_TEXT];
	size_t kept = 0;

	for (size_t i = 0; i < siblings->count; i++) {
		/* A golden whose name has no variant is known by its name. */
		const char *file = rg_path_name(siblings->paths[i]);
		rg_test_name name = rg_test_name_split(siblings->paths[i], &columns);
		variants[i] = (variant){name.variant, 1};
		if (!name.variant.text)
			variants[i].name = (rg_name_part){file, strlen(file)};
	}
	qsort(variants, siblings->count, sizeof(*variants), compare_names);
	for (size_t i = 0; i < siblings->count; i++) {
		if (kept && !compare_names(&variants[kept - 1], &variants[i]))
			variants[kept - 1].goldens++;
		else
			variants[kept++] = variants[i];
	}
	qsort(variants, kept, sizeof(*variants), compare_counts);
	append_variants(&text, variants, kept);
	tell(context, RG_LOG_INFO,
	     "not refreshed, beside ones that were: %s goldens: %s (-v lists them)",
	     rg_count_text(siblings->count, number), text.data);
}

/* The goldens that the run no longer makes. */
static void write_gone(const command_context *context, const rg_siblings *gone)
{
	size_t named = context->common->verbose ? gone->count : GONE_NAMED, i;
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	char number[RG_COUNT_TEXT];

	if (!gone->count)
		return;
	for (i = 0; i < gone->count && i < named; i++)
		rg_buf_printf(&text, "%s%s", i ? ", " : "", gone->paths[i]);
	if (i < gone->count)
		rg_buf_printf(&text, " and %s more (-v lists them)",
			      rg_count_text(gone->count - i, number));
	tell(context, RG_LOG_INFO,
	     "%s golden%s that the run no longer makes ('git rm' removes %s): %s",
	     rg_count_text(gone->count, number), rg_plural(gone->count),
	     gone->count == 1 ? "it" : "them", text.data);
}

/* Names the goldens that may be stale now: one by its path, more of them in one line by variant;
 * with -v each by its path. */
static void write_siblings(const command_context *context, const rg_siblings *siblings)
{
	if (siblings->count > 1 && !context->common->verbose) {
		write_variants(context, siblings);
		return;
	}
	for (size_t i = 0; i < siblings->count; i++)
		tell(context, RG_LOG_INFO, "not refreshed, beside one that was: %s",
		     siblings->paths[i]);
}

/* The outcomes of a golden, in the order of the listing. */
typedef enum { HELD, NEW, UPDATED, LEFT_OUT, UNCHANGED, BECOMES } becomes;

static becomes what_becomes(const rg_plan_item *item)
{
	if (item->change == RG_PLAN_UNCHANGED)
		return UNCHANGED;
	if (item->left_out)
		return LEFT_OUT;
	if (item->held)
		return HELD;
	return item->change == RG_PLAN_NEW ? NEW : UPDATED;
}

/* The goldens of a listing by names that fit the window. */
typedef struct {
	rg_test_names names;
	rg_apart apart;
} listed_names;

static void listed_names_release(listed_names *listed)
{
	rg_apart_release(&listed->apart);
	rg_test_names_release(&listed->names);
}

static void name_goldens(listed_names *listed, const command_context *context, const rg_plan *plan,
			 FILE *out)
{
	const rg_column_context columns = rg_columns_of(context->flow.config);
	size_t room = terminal_columns(out);

	rg_test_names_init(&listed->names);
	rg_apart_init(&listed->apart);
	for (size_t i = 0; i < plan->count; i++)
		rg_test_names_add(&listed->names, plan->items[i].golden->target);
	rg_test_names_make(&listed->names, &columns);
	for (size_t i = 0; i < listed->names.count; i++)
		rg_apart_add(&listed->apart, listed->names.items[i].name,
			     strlen(listed->names.items[i].name));
	rg_apart_sort(&listed->apart);
	rg_apart_shorten(&listed->apart, !room                      ? SIZE_MAX
					 : room > 2 * BECOMES_WIDTH ? room - BECOMES_WIDTH
								    : BECOMES_WIDTH);
}

/* The whole call that would put the golden in. There is none if a guard cannot be let through. */
static void print_call(const command_context *context, const rg_update *update,
		       const rg_plan_item *item, FILE *out)
{
	RG_AUTO(rg_arena) arena = {0};
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_call call = {0};

	if (item->held & ~(unsigned)RG_GUARD_ALLOWABLE)
		return;
	update_make_call(&call, &arena, context, update, item);
	rg_call_text(&text, &call);
	terminal_printf(out, "%sto take it: %s\n", indent, text.data);
	free(call.words.items);
}

/* The room that a listing has left if it has no terminal to be long on. */
typedef struct {
	bool limited;
	size_t left; /* lines */
} listing_room;

static bool take_room(listing_room *room, const char *text)
{
	size_t lines = 0;
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		lines++;
	if (room->limited && lines > room->left)
		return false;
	room->left -= room->limited ? lines : 0;
	terminal_take_lines(lines);
	return true;
}

static void print_item(const command_context *context, const rg_update *update,
		       const update_view *view, const listed_names *listed,
		       const rg_plan_item *item, const char *outcome, FILE *out)
{
	const bool verbose = context->common->verbose, done = !update->options->dry_run;
	const char *name = rg_test_names_find(&listed->names, item->golden->target);
	const rg_apart_text *found = rg_apart_find(&listed->apart, name, strlen(name));
	const becomes which = what_becomes(item);

	fprintf(out, "%-*s%.*s\n", BECOMES_WIDTH, outcome, (int)found->size,
		listed->apart.shown.data + found->begin);
	if (context->common->quiet || which == LEFT_OUT || (view->rows_follow && done))
		update_print_findings(item, verbose, out);
	else if (which < LEFT_OUT)
		update_print_item(&update->plan, item, verbose ? 0 : ROWS_SHOWN, out);
	if (which == HELD)
		print_call(context, update, item, out);
}

/* The goldens with this outcome; those that stay as they are with -v. */
static rg_error *print_part(const command_context *context, const rg_update *update,
			    const update_view *view, const listed_names *listed, becomes which,
			    listing_room *room)
{
	const char *const words[BECOMES] = {"held back", "new",
					    update->options->dry_run ? "changed" : "updated",
					    "left out", "unchanged"};
	size_t more = 0;

	for (size_t i = 0; i < update->plan.count; i++) {
		const rg_plan_item *item = &update->plan.items[i];
		RG_AUTO_FREE char *text = NULL;
		size_t size;
		/* A guard's finding is printed even if the golden was let through. */
		if (what_becomes(item) != which ||
		    (which != HELD && !context->common->verbose && !item->findings.count))
			continue;
		FILE *out = open_memstream(&text, &size);
		if (!out)
			return rg_error_io(errno, "the listing");
		print_item(context, update, view, listed, item, words[which], out);
		fclose(out);
		if (more || !take_room(room, text))
			more++;
		else
			fputs(text, view->listing);
	}
	if (more)
		fprintf(view->listing, "%-*s%zu more (-v lists them)\n", BECOMES_WIDTH,
			words[which], more);
	terminal_take_lines(more > 0);
	return NULL;
}

/* The jobs of which goldens did not come, each once: a few of them, as why is said above. */
static void print_missing(const command_context *context, const rg_refresh *refresh, FILE *out)
{
	size_t named = context->common->verbose ? SIZE_MAX : MISSING_NAMED, shown = 0, seen = 0;
	const char *last = "";

	for (size_t i = 0; i < refresh->count && shown < named; i++) {
		const rg_refresh_item *item = &refresh->items[i];
		if (item->outcome != RG_REFRESH_MISSING)
			continue;
		seen++;
		if (!strcmp(item->name, last))
			continue;
		last = item->name;
		fprintf(out, "%-*s", BECOMES_WIDTH, "missing");
		terminal_print_shortened(out, last, BECOMES_WIDTH);
		fputc('\n', out);
		shown++;
	}
	if (seen < refresh->counts[RG_REFRESH_MISSING])
		fprintf(out, "%-*s%zu more (-v lists them)\n", BECOMES_WIDTH, "missing",
			refresh->counts[RG_REFRESH_MISSING] - seen);
	terminal_take_lines(shown + 1);
}

static rg_error *print_plan(const command_context *context, const rg_update *update,
			    const update_view *view, bool done)
{
	const int shown = context->common->verbose ? BECOMES : LEFT_OUT;
	/* The table and the bottom line follow, or the counts alone. */
	const size_t kept = view->rows_follow && done ? 44 : 6, left = terminal_lines_left();
	listing_room room = {terminal_is_limited(), left > kept ? left - kept : 1};
	RG_AUTO(listed_names) listed;

	name_goldens(&listed, context, &update->plan, view->listing);
	for (int which = 0; which < shown; which++) {
		RG_TRY(print_part(context, update, view, &listed, (becomes)which, &room));
		if (which == HELD)
			print_missing(context, &update->refresh, view->listing);
	}
	return NULL;
}

/* "2 updated, 1 new, 3 unchanged, 1 held back". */
static void print_counts(const rg_refresh *refresh, bool done, FILE *out)
{
	const size_t *counts = refresh->counts;
	fprintf(out, "%s%zu updated, %zu new, %zu unchanged",
		done ? "" : "would be: ", counts[RG_REFRESH_UPDATED], counts[RG_REFRESH_NEW],
		counts[RG_REFRESH_UNCHANGED]);
	if (counts[RG_REFRESH_HELD])
		fprintf(out, ", %zu held back", counts[RG_REFRESH_HELD]);
	if (counts[RG_REFRESH_LEFT_OUT])
		fprintf(out, ", %zu left out", counts[RG_REFRESH_LEFT_OUT]);
	if (counts[RG_REFRESH_MISSING])
		fprintf(out, ", %zu missing", counts[RG_REFRESH_MISSING]);
	fputc('\n', out);
}

/* As a rule one line of a .gitignore takes them all: a few names say it, and -v names them all. */
static void write_hidden(const command_context *context, const rg_texts *hidden)
{
	size_t named = context->common->verbose ? SIZE_MAX : HIDDEN_NAMED;
	for (size_t i = 0; i < hidden->count && i < named; i++)
		tell(context, RG_LOG_WARNING, "%s: git ignores it; 'git add -f' takes it in",
		     hidden->items[i]);
	if (hidden->count > named)
		tell(context, RG_LOG_WARNING,
		     "git ignores %zu more new golden%s; 'git status --ignored' lists them",
		     hidden->count - named, rg_plural(hidden->count - named));
}

static void write_kept(const command_context *context, const rg_plan *plan)
{
	size_t named = context->common->verbose ? SIZE_MAX : HIDDEN_NAMED, count = 0;
	for (size_t i = 0; i < plan->count; i++)
		if (plan->items[i].variant && ++count <= named)
			tell(context, RG_LOG_INFO, "%s: stays, as the run %s its variant '%s'",
			     plan->items[i].golden->target,
			     plan->items[i].variant_differs ? "differs in nothing to look at from"
							    : "has",
			     plan->items[i].variant);
	if (count > named)
		tell(context, RG_LOG_INFO,
		     "%zu more stay, as the run has a variant of each, or one that is near; -v "
		     "names each",
		     count - named);
}

/* "from run 7, attempt 1, commit 5f7c1d0 on main" */
static void print_origin(const rg_run_facts *run, FILE *out)
{
	enum { COMMIT_SHOWN = 7 };
	const rg_run_page page = rg_run_page_of(run->url);
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);

	if (!run->id && run->from)
		rg_buf_printf(&text, "from %s", run->from);
	if (run->id) {
		rg_buf_str(&text, "from ");
		if (run->job)
			rg_buf_printf(&text, "job %s of ", run->job);
		rg_buf_printf(&text, "%s %s", page.gitlab ? "pipeline" : "run", run->id);
		if (run->attempt && !page.gitlab)
			rg_buf_printf(&text, ", attempt %u", run->attempt);
		if (run->commit)
			rg_buf_printf(&text, ", commit %.*s", COMMIT_SHOWN, run->commit);
		if (run->fork)
			rg_buf_printf(&text, " of %s", run->fork);
		if (run->branch)
			rg_buf_printf(&text, " on %s", run->branch);
	}
	rg_buf_str(&text, run->among.take ? ", " : "");
	rg_among_say(&text, &run->among);
	if (text.length)
		terminal_printf(out, "%s\n", text.data);
	if (run->commit && run->commit_note)
		terminal_printf(out, "the run's commit %s\n", run->commit_note);
}

/* The blocks of the comparison with the files that it replaces, or would replace. */
static rg_error *print_blocks(const command_context *context, rg_update *update,
			      const rg_run_facts *run, const update_view *view)
{
	const bool dry_run = update->options->dry_run;
	const rg_column_context columns = rg_columns_of(context->flow.config);
	const rg_plan *plan = &update->plan;
	RG_AUTO_FREE bool *wanted = rg_calloc(plan->comparison.file_count + 1, sizeof(*wanted));
	__attribute__((cleanup(rg_without_test_rows_release))) rg_comparison taken = {0};
	RG_AUTO(rg_story) story = {0};
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	rg_blocks blocks;

	for (size_t i = 0; i < plan->count; i++)
		if (rg_plan_item_is_taken(&plan->items[i]) && plan->items[i].file_index != SIZE_MAX)
			wanted[plan->items[i].file_index] = true;
	rg_comparison_subset(&taken, &plan->comparison, wanted);
	rg_summary summary = {.comparison = &taken,
			      .policy = plan->options->policy,
			      .context = &columns,
			      .run = *run,
			      .refresh = &update->refresh,
			      .dry_run = dry_run,
			      .old_side = dry_run ? "the working tree" : NULL,
			      .new_side = dry_run ? "the run" : NULL,
			      .root = columns.root};
	rg_refresh_sort(&update->refresh);
	RG_TRY(rg_story_make(&story, &summary));
	rg_blocks_of(&blocks, &story);
	rg_blocks_text(
		&text, &blocks,
		&(rg_blocks_style){.table = context->style,
				   .findings = context->common->verbose ? 0 : RG_FINDINGS_SHOWN});
	fputs(text.data, view->listing);
	return NULL;
}

rg_error *update_show(command_context *context, rg_update *update, const update_view *view)
{
	const bool done = !update->options->dry_run;
	char id[UPDATE_RUN_ID];
	const rg_run_facts run = update_run_facts(update, id);

	command_miss(context, print_plan(context, update, view, done));
	write_kept(context, &update->plan);
	print_counts(&update->refresh, done, view->listing);
	print_origin(&run, view->listing);
	terminal_take_lines(2);
	if (update->refresh.counts[RG_REFRESH_HELD])
		context->exit_code = EXIT_PARTIAL;
	for (size_t i = 0; i < update->missed_count; i++)
		command_miss(context, update->missed[i]);
	update->missed_count = 0;
	if (update->staged)
		fprintf(view->listing, "%zu staged\n", update->paths.count);
	if (update->not_better)
		tell(context, RG_LOG_INFO,
		     "%zu of these %s left out, not being better (-v says why)", update->not_better,
		     update->not_better == 1 ? "is" : "are");
	write_hidden(context, &update->hidden);
	write_gone(context, &update->gone);
	write_siblings(context, &update->siblings);
	if (context->common->quiet || (view->rows_follow && done) || !update->plan.count)
		return NULL;
	return print_blocks(context, update, &run, view);
}

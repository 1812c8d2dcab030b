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

static void print_row(const rg_plan *plan, const rg_row *row, FILE *out)
{
	rg_metric_policy policy;
	rg_buf text;

	rg_policy_resolve(plan->options->policy, row->file, row->metric, &policy);
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_row_say(&text, row, &policy);
	if (row->kind == RG_ROW_SERIES && row->n_steps && !row->by_largest && !row->tensor &&
	    !row->left_out.new_nonfinite && !row->lost && !row->repaired)
		rg_buf_printf(&text, " over %zu %s%s", row->n_steps,
			      row->by_record ? "record" : "step", row->n_steps == 1 ? "" : "s");
	terminal_printf(out, "%s%s: %s\n", indent, row->metric, text.data);
	rg_buf_release(&text);
}

/* What differs without a figure: metrics that are new, and those of which no step counts. Returns
 * how many it has shown, at most `top` (0: all). */
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

/* Records that came; what went is a finding. */
static size_t print_added(const rg_plan *plan, const rg_plan_item *item, FILE *out)
{
	const rg_records_alone *gained = &plan->comparison.files[item->file_index].gained;
	if (gained->count)
		terminal_printf(out, "%s%zu record%s added: %s\n", indent, gained->count,
				gained->count == 1 ? "" : "s", gained->brief);
	return gained->count;
}

static void print_finding(const rg_finding *finding, bool allowed, FILE *out)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_finding_add_text(&text, finding);
	terminal_printf(out, "%s%s%s", indent, allowed && finding->guard ? "allowed, " : "",
			text.data);
	fputc('\n', out);
	rg_buf_release(&text);
}

void update_print_findings(const rg_plan_item *item, bool all, FILE *out)
{
	const rg_findings *findings = &item->findings;
	unsigned guards = 0;

	for (size_t i = 0; i < findings->count; i++) {
		const rg_finding *finding = &findings->items[i];
		if (all || i < FINDINGS_SHOWN)
			print_finding(finding, !(item->held & finding->guard), out);
		else
			guards |= finding->guard;
	}
	if (!guards)
		return;
	fprintf(out, "%sand %zu more:", indent, findings->count - FINDINGS_SHOWN);
	for (; guards; guards &= guards - 1)
		fprintf(out, " %s%s", rg_guard_name(guards), guards & (guards - 1) ? "," : "\n");
}

/* An item's rows that differ, worst first; *out is the caller's to free. */
static void worst_rows(const rg_plan *plan, const rg_plan_item *item, const rg_row ***out,
		       size_t *count)
{
	*count = 0;
	*out = NULL;
	if (item->file_index == SIZE_MAX)
		return;
	const rg_file_outcome *file = &plan->comparison.files[item->file_index];
	*out = rg_calloc(file->row_count + 1, sizeof(const rg_row *));
	for (size_t i = 0; i < file->row_count; i++)
		if (!plan->comparison.rows[file->first_row + i].identical)
			(*out)[(*count)++] = &plan->comparison.rows[file->first_row + i];
	rg_rows_worst_first(*out, *count);
}

void update_print_item(const rg_plan *plan, const rg_plan_item *item, size_t top, FILE *out)
{
	const rg_row **rows;
	size_t count;
	update_print_findings(item, !top, out);

	worst_rows(plan, item, &rows, &count);
	for (size_t i = 0; i < count && (!top || i < top); i++)
		print_row(plan, rows[i], out);
	const size_t added = item->file_index == SIZE_MAX ? 0 : print_added(plan, item, out);
	if (!count && !added && item->file_index != SIZE_MAX && !item->findings.count &&
	    !print_gaps(plan, item, top, out))
		fprintf(out, "%sno %s differs\n", indent,
			plan->comparison.files[item->file_index].unread ? "metric" : "value");
	free(rows);
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

/* A golden whose name has no variant is known by its name. */
static rg_name_part variant_of(const char *path, const rg_column_context *columns)
{
	rg_test_name name = rg_test_name_split(path, columns);
	const char *file = rg_path_name(path);

	return name.variant.text ? name.variant : (rg_name_part){file, strlen(file)};
}

/* Each variant once, with its goldens. Returns how many there are. */
static size_t merge(variant *variants, size_t count)
{
	size_t kept = 0;
	qsort(variants, count, sizeof(*variants), compare_names);
	for (size_t i = 0; i < count; i++) {
		if (kept && !compare_names(&variants[kept - 1], &variants[i]))
			variants[kept - 1].goldens++;
		else
			variants[kept++] = variants[i];
	}
	qsort(variants, kept, sizeof(*variants), compare_counts);
	return kept;
}

/* "dev_dgx_a100 200, lts_dgx_a100 106". */
static void add_variants(rg_buf *text, const variant *variants, size_t count)
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

static void show_line(const command_context *context, const rg_siblings *siblings)
{
	const rg_config *config = context->flow.config;
	const rg_column_context columns = rg_columns_of(config);
	variant *variants = rg_calloc(siblings->count, sizeof(*variants));
	char number[RG_COUNT_TEXT];
	rg_buf text;
	for (size_t i = 0; i < siblings->count; i++)
		variants[i] = (variant){variant_of(siblings->paths[i], &columns), 1};
	rg_buf_init(&text, RG_BUF_ANY);
	add_variants(&text, variants, merge(variants, siblings->count));
	tell(context, RG_LOG_INFO,
	     "not refreshed, beside ones that were: %s goldens: %s (-v lists them)",
	     rg_count_text(siblings->count, number), text.data);
	rg_buf_release(&text);
	free(variants);
}

/* The same for what the run no longer makes. */
static void siblings_show_gone(const command_context *context, const rg_siblings *gone)
{
	size_t named = context->common->verbose ? gone->count : GONE_NAMED, i;
	char number[RG_COUNT_TEXT];
	rg_buf text;

	if (!gone->count)
		return;
	rg_buf_init(&text, RG_BUF_ANY);
	for (i = 0; i < gone->count && i < named; i++)
		rg_buf_printf(&text, "%s%s", i ? ", " : "", gone->paths[i]);
	if (i < gone->count)
		rg_buf_printf(&text, " and %s more (-v lists them)",
			      rg_count_text(gone->count - i, number));
	tell(context, RG_LOG_INFO,
	     "%s golden%s that the run no longer makes ('git rm' removes %s): %s",
	     rg_count_text(gone->count, number), gone->count == 1 ? "" : "s",
	     gone->count == 1 ? "it" : "them", text.data);
	rg_buf_release(&text);
}

/* Names the goldens that may be stale now: one by its path, more of them in one line by variant;
 * with -v each by its path. */
static void siblings_show(const command_context *context, const rg_siblings *siblings)
{
	if (siblings->count > 1 && !context->common->verbose) {
		show_line(context, siblings);
		return;
	}
	for (size_t i = 0; i < siblings->count; i++)
		tell(context, RG_LOG_INFO, "not refreshed, beside one that was: %s",
		     siblings->paths[i]);
}

/* What becomes of a golden, in the order of the listing. */
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

static void name_goldens(listed_names *listed, const command_context *context, const rg_plan *plan,
			 FILE *out)
{
	const rg_column_context columns = rg_columns_of(context->flow.config);
	size_t room = terminal_columns(out);

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

static void print_golden(const listed_names *listed, const char *what, const char *path, FILE *out)
{
	const char *name = rg_test_names_find(&listed->names, path);
	const rg_apart_text *found = rg_apart_find(&listed->apart, name, strlen(name));

	fprintf(out, "%-*s%.*s\n", BECOMES_WIDTH, what, (int)found->size,
		listed->apart.shown.data + found->begin);
}

/* The call that would put it in, whole. There is none where a guard cannot be let through. */
static void print_call(const command_context *context, const rg_update *update,
		       const rg_plan_item *item, FILE *out)
{
	rg_call call = {0};
	rg_arena arena;
	rg_buf text;

	if (item->held & ~(unsigned)RG_GUARD_ALLOWABLE)
		return;
	rg_arena_init(&arena);
	rg_buf_init(&text, RG_BUF_ANY);
	update_make_call(&call, &arena, context, update, item);
	rg_call_text(&text, &call);
	terminal_printf(out, "%sto take it: %s\n", indent, text.data);
	rg_buf_release(&text);
	rg_arena_release(&arena);
	free(call.words.items);
}

/* What is left of a listing where it has no terminal to be long on. */
typedef struct {
	bool limited;
	size_t left; /* lines */
} listing_room;

/* The table and the bottom line that follow, or the counts alone. */
static listing_room room_of_listing(const update_view *view, bool done)
{
	size_t kept = view->rows_follow && done ? 44 : 6, left = terminal_lines_left();
	return (listing_room){terminal_is_limited(), left > kept ? left - kept : 1};
}

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
		       const update_view *view, const rg_plan_item *item, bool done, FILE *out)
{
	const bool verbose = context->common->verbose;
	becomes which = what_becomes(item);

	if (context->common->quiet || which == LEFT_OUT || (view->rows_follow && done))
		update_print_findings(item, verbose, out);
	else if (which < LEFT_OUT)
		update_print_item(&update->plan, item, verbose ? 0 : ROWS_SHOWN, out);
	if (which == HELD)
		print_call(context, update, item, out);
}

/* The goldens of which this becomes; those that stay as they are with -v. */
static rg_error *print_part(const command_context *context, const rg_update *update,
			    const update_view *view, const listed_names *listed, becomes which,
			    listing_room *room)
{
	const bool done = !update->options->dry_run;
	const char *const words[BECOMES] = {"held back", "new", done ? "updated" : "changed",
					    "left out", "unchanged"};
	size_t more = 0;

	for (size_t i = 0; i < update->plan.count; i++) {
		const rg_plan_item *item = &update->plan.items[i];
		char *text = NULL;
		size_t size;
		/* A guard's finding is printed even if the golden was let through. */
		if (what_becomes(item) != which ||
		    (which != HELD && !context->common->verbose && !item->findings.count))
			continue;
		FILE *out = open_memstream(&text, &size);
		if (!out)
			return rg_error_io(errno, "the listing");
		print_golden(listed, words[which], item->golden->target, out);
		print_item(context, update, view, item, done, out);
		fclose(out);
		if (more || !take_room(room, text))
			more++;
		else
			fputs(text, view->listing);
		free(text);
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
	const rg_plan *plan = &update->plan;
	listing_room room = room_of_listing(view, done);
	listed_names listed;

	rg_test_names_init(&listed.names);
	rg_apart_init(&listed.apart);
	name_goldens(&listed, context, plan, view->listing);
	rg_error *err = NULL;
	for (int which = 0; which < (context->common->verbose ? BECOMES : LEFT_OUT) && !err;
	     which++) {
		err = print_part(context, update, view, &listed, (becomes)which, &room);
		if (which == HELD)
			print_missing(context, &update->refresh, view->listing);
	}
	rg_apart_release(&listed.apart);
	rg_test_names_release(&listed.names);
	return err;
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
static void say_hidden(const command_context *context, const rg_texts *hidden)
{
	size_t named = context->common->verbose ? SIZE_MAX : HIDDEN_NAMED;
	for (size_t i = 0; i < hidden->count && i < named; i++)
		tell(context, RG_LOG_WARNING, "%s: git ignores it; 'git add -f' takes it in",
		     hidden->items[i]);
	if (hidden->count > named)
		tell(context, RG_LOG_WARNING,
		     "git ignores %zu more new golden%s; 'git status --ignored' lists them",
		     hidden->count - named, hidden->count - named == 1 ? "" : "s");
}

static void say_variants(const command_context *context, const rg_plan *plan)
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
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	if (!run->id && run->from)
		rg_buf_printf(&text, "from %s", run->from);
	if (run->id && run->job)
		rg_buf_printf(&text, "from job %s of ", run->job);
	if (run->id)
		rg_buf_printf(&text, "%s%s %s", run->job ? "" : "from ",
			      page.gitlab ? "pipeline" : "run", run->id);
	if (run->id && run->attempt && !page.gitlab)
		rg_buf_printf(&text, ", attempt %u", run->attempt);
	if (run->id && run->commit)
		rg_buf_printf(&text, ", commit %.*s", COMMIT_SHOWN, run->commit);
	if (run->id && run->fork)
		rg_buf_printf(&text, " of %s", run->fork);
	if (run->id && run->branch)
		rg_buf_printf(&text, " on %s", run->branch);
	rg_buf_str(&text, run->among.take ? ", " : "");
	rg_among_say(&text, &run->among);
	if (text.length)
		terminal_printf(out, "%s\n", text.data);
	if (run->commit && run->commit_note)
		terminal_printf(out, "the run's commit %s\n", run->commit_note);
	rg_buf_release(&text);
}

/* The blocks of the comparison with the files that it replaces, or would replace. */
static rg_error *print_blocks(const command_context *context, rg_update *update,
			      const rg_run_facts *run, const update_view *view)
{
	const bool dry_run = update->options->dry_run;
	const rg_column_context columns = rg_columns_of(context->flow.config);
	const rg_plan *plan = &update->plan;
	bool *wanted = rg_calloc(plan->comparison.file_count + 1, sizeof(*wanted));
	rg_comparison taken;

	for (size_t i = 0; i < plan->count; i++)
		if (rg_plan_item_is_taken(&plan->items[i]) && plan->items[i].file_index != SIZE_MAX)
			wanted[plan->items[i].file_index] = true;
	rg_comparison_subset(&taken, &plan->comparison, wanted);
	free(wanted);
	rg_summary summary = {.comparison = &taken,
			      .policy = update->plan.options->policy,
			      .context = &columns,
			      .run = *run,
			      .refresh = &update->refresh,
			      .dry_run = dry_run,
			      .old_side = dry_run ? "the working tree" : NULL,
			      .new_side = dry_run ? "the run" : NULL,
			      .root = columns.root};
	rg_blocks blocks;
	rg_story story;
	rg_buf text;

	rg_refresh_sort(&update->refresh);
	rg_buf_init(&text, RG_BUF_ANY);
	rg_error *err = rg_story_make(&story, &summary);
	if (!err) {
		rg_blocks_of(&blocks, &story);
		rg_blocks_text(&text, &blocks,
			       &(rg_blocks_style){.table = context->style,
						  .findings = context->common->verbose
								      ? 0
								      : RG_FINDINGS_SHOWN});
		fputs(text.data, view->listing);
	}
	rg_buf_release(&text);
	rg_story_release(&story);
	rg_without_test_rows_release(&taken);
	return err;
}

rg_error *update_show(command_context *context, rg_update *update, const update_view *view)
{
	const bool done = !update->options->dry_run;
	char id[UPDATE_RUN_ID];
	const rg_run_facts run = update_run_facts(update, id);

	command_miss(context, print_plan(context, update, view, done));
	say_variants(context, &update->plan);
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
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "%zu of these %s left out, not being better (-v says why)",
			   update->not_better, update->not_better == 1 ? "is" : "are");
	say_hidden(context, &update->hidden);
	siblings_show_gone(context, &update->gone);
	siblings_show(context, &update->siblings);
	if (context->common->quiet || (view->rows_follow && done) || !update->plan.count)
		return NULL;
	return print_blocks(context, update, &run, view);
}

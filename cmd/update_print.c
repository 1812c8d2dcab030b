#include "update_print.h"

#include "report/cells.h"
#include "terminal.h"

#include <stdlib.h>

enum { ROWS_SHOWN = 3, FINDINGS_SHOWN = 20 };
static const char indent[] = "             ";

static void print_row(const rg_row *row, FILE *out)
{
	char figure[RG_FIGURE_SIZE];

	fputs(indent, out);
	terminal_print_safe(out, row->metric);
	if (row->kind == RG_ROW_EXACT) {
		fprintf(out, ": differs from position %lld\n", (long long)row->first_diff);
		return;
	}
	rg_figure_text(row->avg_rel_diff, figure);
	fprintf(out, ": avg_rel_diff %s over %zu step%s\n", figure, row->n_steps,
		row->n_steps == 1 ? "" : "s");
}

/* What differs without a figure: metrics that are new, and those of which no step counts. Returns
 * how many it has shown, at most `top` (0: all). */
static size_t print_gaps(const rg_plan *plan, const rg_plan_item *item, size_t top, FILE *out)
{
	const rg_file_outcome *file = &plan->comparison.files[item->file_index];
	size_t shown = 0, i;

	for (i = 0; i < file->gap_count && (!top || shown < top); i++) {
		const rg_gap *gap = &plan->comparison.gaps[file->first_gap + i];

		if (gap->identical || gap->kind == RG_GAP_OLD_ONLY)
			continue;
		fputs(indent, out);
		terminal_print_safe(out, gap->metric);
		if (gap->kind == RG_GAP_NEW_ONLY)
			fputs(": was not in the old file\n", out);
		else
			fprintf(out, ": differs, but no step counts: %s\n",
				gap->left_out_text ? gap->left_out_text : "it has none");
		shown++;
	}
	return shown;
}

static void print_finding(const rg_finding *finding, bool allowed, FILE *out)
{
	const char *name = rg_guard_name(finding->guard);

	fprintf(out, "%s%s%s: ", indent, allowed ? "allowed, " : "", name);
	if (finding->metric) {
		terminal_print_safe(out, finding->metric);
		if (finding->step_known)
			fprintf(out, ", step %lld", (long long)finding->step);
		fputc(' ', out);
	}
	terminal_print_safe(out, finding->text);
	if (!allowed && finding->guard & RG_GUARD_ALLOWABLE)
		fprintf(out, " (--allow %s lets it through)", name);
	fputc('\n', out);
}

/* The first, unless all of them are asked for; of the rest, how many they are and of which guards.
 */
static void print_findings(const rg_plan_item *item, bool all, FILE *out)
{
	const rg_findings *findings = &item->findings;
	unsigned guards = 0;
	size_t i;

	for (i = 0; i < findings->count; i++) {
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

rg_error *update_print_item(const rg_plan *plan, const rg_plan_item *item, size_t top, FILE *out)
{
	const rg_row **rows;
	size_t count, i;

	print_findings(item, !top, out);
	RG_TRY(rg_plan_worst_rows(plan, item, top, &rows, &count));
	for (i = 0; i < count; i++)
		print_row(rows[i], out);
	if (!count && item->file_index != SIZE_MAX && !item->findings.count &&
	    !print_gaps(plan, item, top, out))
		fprintf(out, "%sno value differs\n", indent);
	free(rows);
	return NULL;
}

static const char *what_becomes(const rg_plan_item *item, bool done)
{
	if (item->change == RG_PLAN_UNCHANGED)
		return "unchanged";
	if (item->left_out)
		return "left out";
	if (item->held)
		return "held back";
	if (item->change == RG_PLAN_NEW)
		return "new";
	return done ? "updated" : "changed";
}

rg_error *update_print_plan(const environment *env, const rg_plan *plan, bool done)
{
	size_t top = env->common->verbose ? 0 : ROWS_SHOWN, i;
	bool quiet = env->common->quiet;
	FILE *out = env->listing;

	for (i = 0; i < plan->count; i++) {
		const rg_plan_item *item = &plan->items[i];
		bool stays = item->left_out || item->change == RG_PLAN_UNCHANGED;

		if ((quiet && stays) || (item->left_out && !env->common->verbose))
			continue;
		fprintf(out, "%-10s ", what_becomes(item, done));
		terminal_print_safe(out, item->golden->target);
		fputc('\n', out);
		if (quiet || (env->rows_follow && done))
			print_findings(item, env->common->verbose, out);
		else if (!stays)
			RG_TRY(update_print_item(plan, item, top, out));
	}
	return NULL;
}

void update_print_counts(const environment *env, const update_result *result, bool done)
{
	FILE *out = env->listing;

	fprintf(out, "%s%zu updated, %zu new, %zu unchanged",
		done ? "" : "would be: ", result->updated, result->created, result->unchanged);
	if (result->held)
		fprintf(out, ", %zu held back", result->held);
	if (result->left_out)
		fprintf(out, ", %zu left out", result->left_out);
	fputc('\n', out);
}

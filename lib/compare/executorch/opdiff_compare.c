/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/executorch/opdiff_compare.h"

#include "base/median.h"
#include "base/memory.h"
#include "base/order.h"
#include "base/sum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double percent(size_t part, size_t total)
{
	return total ? 100.0 * (double)part / (double)total : 0;
}

static void append_problem(rg_opdiff_overview *out, const rg_opdiff_item *item)
{
	rg_opdiff_problem problem = {item->id, item->op, 0, 0};
	for (size_t i = 0; i < item->result_count; i++)
		*(item->results[i].status == RG_OPDIFF_OK ? &problem.ok : &problem.bad) += 1;
	if (!problem.bad)
		return;
	*RG_PUSH(out->problems, out->problem_count, out->problem_capacity) = problem;
}

/* In the order of opdiff's report, ties included: its list is cut. */
RG_ORDER(compare_problems, rg_opdiff_problem,
	 RG_FALLING(bad) || RG_FALLING(ok) || RG_THEN(strcmp(y->id, x->id)));

/* Both lists are in order. */
static void count_overlaps(rg_opdiff_overview *out, const rg_opdiff_item *item)
{
	size_t places[RG_OPDIFF_MATRIX_MAX], count = 0, k = 0;
	bool ok[RG_OPDIFF_MATRIX_MAX];

	for (size_t i = 0; i < item->result_count && k < out->backend_count; i++) {
		while (k < out->backend_count &&
		       strcmp(out->backends[k], item->results[i].backend) < 0)
			k++;
		if (k == out->backend_count ||
		    strcmp(out->backends[k], item->results[i].backend) != 0)
			continue;
		places[count] = k++;
		ok[count++] = item->results[i].status == RG_OPDIFF_OK;
	}
	for (size_t i = 0; i < count; i++)
		for (k = 0; k < count; k++) {
			rg_opdiff_overlap *cell =
				&out->overlaps[places[i] * out->backend_count + places[k]];

			cell->seen++;
			cell->ok += ok[i] && ok[k] ? 1 : 0;
		}
}

/* `backends` are ascending, and so are those of an operator. Borrows all names. */
static void make_overview(rg_opdiff_overview *out, const rg_opdiff_run *run,
			  const char *const *backends, size_t count)
{
	size_t shown = count < RG_OPDIFF_MATRIX_MAX ? count : RG_OPDIFF_MATRIX_MAX;
	*out = (rg_opdiff_overview){.backend_count = shown, .left_out = count - shown};
	out->backends = rg_calloc(shown + 1, sizeof(*out->backends));
	out->overlaps = rg_calloc(shown * shown + 1, sizeof(*out->overlaps));
	for (size_t i = 0; i < shown; i++)
		out->backends[i] = backends[i];
	for (size_t i = 0; i < run->count; i++) {
		append_problem(out, &run->items[i]);
		count_overlaps(out, &run->items[i]);
	}
	for (size_t i = 0; i < shown * shown; i++)
		out->overlaps[i].share = percent(out->overlaps[i].ok, out->overlaps[i].seen);
	if (out->problem_count)
		qsort(out->problems, out->problem_count, sizeof(*out->problems), compare_problems);
}

/* Characters of an error that is of no known kind. */
enum { ERROR_CHARS_MAX = 140 };

/* The kinds that opdiff's own report tells apart, the first that fits. How an error begins, unless
 * '*' is in front; '*' is any text. */
static const char *const kinds[] = {
	"*ValueError: Torch var * not found in context",
	"NotImplementedError: The operator * is not currently implemented for the MPS device",
	"NotImplementedError: Could not run * with arguments from the 'CPU' backend",
	"NotImplementedError:",
	"*AttributeError: type object 'Builder' has no attribute",
	"*ConversionError: Failed to convert the exported program to an ONNX model",
	"*TorchExportError: Failed to export the model with torch.export",
	"PassError:",
	"Fail: [ONNXRuntimeError]",
	"InvalidGraph: [ONNXRuntimeError]",
	"*ConversionError: Failed to decompose the FX graph for ONNX compatibility",
	"SpecViolationError",
	"RuntimeError: loading method forward failed",
	"RuntimeError: Expected one of cpu, cuda*device type at start",
	"RuntimeError: method->execute() failed with error",
	"Unsupported: torch.* op returned non-Tensor",
	"Unsupported: Error when attempting to resolve op packet",
	"Unsupported: Data dependent operator",
	"Unsupported: Dynamic shape operator (no meta kernel)",
	"Unsupported: NotImplementedError/UnsupportedFakeTensorException when running FX node",
	"TorchRuntimeError: Dynamo failed to run FX node with fake tensors",
	"UserError: Could not guard on data-dependent expression",
	"GuardOnDataDependentSymNode: Could not guard on data-dependent expression",
	"RuntimeError: Failed to compile",
	"SyntaxError: invalid syntax",
};

/* Finds `part` of `length` bytes in the text; NULL: it is not there. */
static const char *find_part(const char *text, const char *part, size_t length)
{
	do {
		if (!strncmp(text, part, length))
			return text;
	} while (*text++);
	return NULL;
}

static bool begins_like(const char *text, const char *pattern)
{
	bool anywhere = *pattern == '*';
	for (;;) {
		size_t length = strcspn(pattern += *pattern == '*', "*");
		const char *found = find_part(text, pattern, length);

		if (!found || (!anywhere && found != text))
			return false;
		text = found + length;
		pattern += length;
		anywhere = true;
		if (!*pattern)
			return true;
	}
}

static bool is_blank(char c)
{
	return c && strchr(" \t\r\n\v\f", c);
}

/* The first line without the blanks at its ends, and without what colours it. */
static char *first_line(rg_arena *arena, const char *text)
{
	size_t kept = 0;
	while (is_blank(*text))
		text++;
	size_t length = strcspn(text, "\n");
	char *line = rg_arena_copy(arena, text, length);
	for (size_t i = 0; i < length; i++)
		if (line[i] != '\x1b')
			line[kept++] = line[i];
	while (kept && is_blank(line[kept - 1]))
		kept--;
	line[kept] = '\0';
	return line;
}

const char *rg_opdiff_error_kind(rg_arena *arena, const char *text)
{
	const char *line = first_line(arena, text), *end;
	size_t characters = 0;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (begins_like(line, kinds[i]))
			return kinds[i] + (*kinds[i] == '*');
	/* A byte that continues a character begins none. */
	for (end = line; *end; end++) {
		characters += (*end & 0xc0) != 0x80;
		if (characters > ERROR_CHARS_MAX)
			break;
	}
	return *end ? rg_arena_textf(arena, "%.*s…", (int)(end - line), line) : line;
}

/* --- all of them --- */

/* Each error alone is a group of one. */
static void add_side(rg_opdiff_error_list *out, size_t *capacity, const rg_opdiff_run *run,
		     const char *backend, bool new_side)
{
	for (size_t i = 0; i < run->count; i++)
		for (size_t k = 0; k < run->items[i].err_count; k++) {
			const rg_opdiff_err *err = &run->items[i].errs[k];
			rg_opdiff_error_group one = {err->backend,     NULL,
						     !new_side,        new_side,
						     run->items[i].id, err->text};

			if (backend && strcmp(backend, err->backend) != 0)
				continue;
			one.group = rg_opdiff_error_kind(&out->arena, err->text);
			if (!*one.group)
				continue;
			rg_grow(&out->items, capacity, out->count + 1, sizeof(*out->items));
			out->items[out->count++] = one;
		}
}

/* The new side comes first in a group; the operators are in order. */
RG_ORDER(compare_errors, rg_opdiff_error_group,
	 RG_BY_TEXT(backend) || RG_BY_TEXT(group) || RG_FALLING(fresh) || RG_BY_TEXT(id) ||
		 RG_BY_TEXT(text));

RG_ORDER(compare_groups, rg_opdiff_error_group,
	 RG_BY_TEXT(backend) || RG_FALLING(fresh) || RG_FALLING(old) || RG_BY_TEXT(group));

/* `old` may be NULL. Each side's errors are of its `backend` alone, or with NULL of all. Borrows
 * the runs. */
static void list_errors(rg_opdiff_error_list *out, const rg_opdiff_run *old,
			const rg_opdiff_run *fresh, const char *old_backend,
			const char *new_backend)
{
	size_t capacity = 0, kept = 0;

	if (old)
		add_side(out, &capacity, old, old_backend, false);
	add_side(out, &capacity, fresh, new_backend, true);
	if (!out->count)
		return;
	qsort(out->items, out->count, sizeof(*out->items), compare_errors);
	for (size_t i = 1; i < out->count; i++) {
		rg_opdiff_error_group *last = &out->items[kept], *one = &out->items[i];
		if (strcmp(last->backend, one->backend) || strcmp(last->group, one->group)) {
			out->items[++kept] = *one;
		} else {
			last->old += one->old;
			last->fresh += one->fresh;
		}
	}
	out->count = kept + 1;
	qsort(out->items, out->count, sizeof(*out->items), compare_groups);
}

const char *const rg_opdiff_bucket_names[RG_OPDIFF_BUCKETS] = {
	"==0",      "(0,1e-6]", "(1e-6,1e-4]", "(1e-4,1e-2]", "(1e-2,1e-1]",
	"(1e-1,1]", ">1",       "DIFF_ERR",    "MISSING"};
const double rg_opdiff_quantiles[RG_OPDIFF_QUANTILES] = {0.05, 0.1, 0.25, 0.75, 0.95};

enum { BUCKET_ERR = RG_OPDIFF_BUCKETS - 2, BUCKET_MISSING, SIZED = BUCKET_ERR };

size_t rg_opdiff_bucket(double value)
{
	static const double bounds[SIZED - 1] = {0, 1e-6, 1e-4, 1e-2, 1e-1, 1};
	size_t i = 0;

	if (isnan(value))
		return BUCKET_MISSING;
	while (i < SIZED - 1 && value > bounds[i])
		i++;
	return i;
}

typedef struct {
	double *items;
	size_t count, capacity;
} value_list;

/* Both results are OK: any other result did not do all of its work in the time. */
static void add_ratio(value_list *list, const rg_opdiff_result *result,
		      const rg_opdiff_result *reference)
{
	double ratio = result->time / reference->time;
	if (ratio > 0 && isfinite(ratio))
		*RG_PUSH(list->items, list->count, list->capacity) = ratio;
}

/* Takes the list over. */
static void finish_values(rg_opdiff_values *out, value_list *list)
{
	size_t faster = 0;
	rg_sum logs = {0};

	*out = (rg_opdiff_values){.count = list->count,
				  .sorted = list->items,
				  .geometric_mean = NAN,
				  .median = rg_median(list->items, list->count),
				  .p90 = rg_quantile(list->items, list->count, 0.9),
				  .p99 = rg_quantile(list->items, list->count, 0.99),
				  .max = rg_quantile(list->items, list->count, 1),
				  .faster = NAN};
	for (size_t i = 0; i < RG_OPDIFF_QUANTILES; i++)
		out->quantiles[i] = rg_quantile(list->items, list->count, rg_opdiff_quantiles[i]);
	if (!list->count)
		return;
	qsort(list->items, list->count, sizeof(*list->items), rg_compare_doubles);
	for (size_t i = 0; i < list->count; i++) {
		rg_sum_add(&logs, log(list->items[i]));
		faster += list->items[i] < 1 ? 1 : 0;
	}
	out->geometric_mean = exp(rg_sum_total(&logs) / (double)list->count);
	out->faster = 100 * ((double)faster / (double)list->count);
}

static void count_result(rg_opdiff_column *column, value_list *max_abs, const rg_opdiff_result *r)
{
	const double figures[RG_OPDIFF_FIGURES] = {r->median_max_abs, r->median_mse,
						   r->median_mean_abs};

	column->statuses[r->status].n++;
	if (!r->target)
		return;
	column->targets++;
	column->codes[r->code].n += r->state == RG_OPDIFF_DIFF_ERR ? 1 : 0;
	for (size_t i = 0; i < RG_OPDIFF_FIGURES; i++) {
		size_t bucket = r->state == RG_OPDIFF_DIFF_ERR ? BUCKET_ERR
							       : rg_opdiff_bucket(figures[i]);
		column->figures[i].buckets[bucket].n++;
	}
	if (!isnan(r->median_max_abs))
		*RG_PUSH(max_abs->items, max_abs->count, max_abs->capacity) = r->median_max_abs;
}

/* Returns how many operators there are in all. */
static size_t set_shares(rg_opdiff_share *shares, size_t count)
{
	size_t total = 0;
	for (size_t i = 0; i < count; i++)
		total += shares[i].n;
	for (size_t i = 0; i < count; i++)
		shares[i].share = percent(shares[i].n, total);
	return total;
}

static void finish_column(rg_opdiff_column *column)
{
	static const char *const names[RG_OPDIFF_FIGURES] = {"max_abs", "mse", "mean_abs"};

	column->operators = set_shares(column->statuses, RG_OPDIFF_STATUSES);
	column->ok = column->statuses[RG_OPDIFF_OK].share;
	set_shares(column->codes, RG_OPDIFF_CODES);
	column->figure_count = column->targets ? RG_OPDIFF_FIGURES : 0;
	for (size_t i = 0; i < RG_OPDIFF_FIGURES; i++) {
		column->figures[i].name = names[i];
		set_shares(column->figures[i].buckets, RG_OPDIFF_BUCKETS);
	}
}

static void add_column(rg_opdiff_comparison *out, const rg_opdiff_run *run, const char *backend,
		       bool new_side)
{
	const rg_opdiff_baseline *baseline = new_side ? &out->new_baseline : &out->old_baseline;
	value_list ratios = {0}, max_abs = {0};

	rg_opdiff_column *column = RG_PUSH(out->columns, out->column_count, out->column_capacity);
	*column = (rg_opdiff_column){.backend = backend, .new_side = new_side};
	column->is_baseline = baseline->backend &&
			      (!strcmp(backend, baseline->backend) || !strcmp(backend, "baseline"));
	for (size_t i = 0; i < run->count; i++) {
		const rg_opdiff_item *item = &run->items[i];
		const rg_opdiff_result *r = rg_opdiff_backend(item, backend), *reference;

		if (!r)
			continue;
		count_result(column, &max_abs, r);
		reference = baseline->backend ? rg_opdiff_backend(item, baseline->backend) : NULL;
		if (reference)
			add_ratio(&ratios, r, reference);
	}
	finish_column(column);
	finish_values(&column->to_baseline, &ratios);
	finish_values(&column->max_abs, &max_abs);
}

typedef struct {
	const char **items;
	size_t count, capacity;
} name_list;

static void name_list_release(name_list *list)
{
	free(list->items);
}

static void append_name(name_list *list, const char *name)
{
	*RG_PUSH(list->items, list->count, list->capacity) = name;
}

/* Each is compared with all operators of a run. */
enum { BACKENDS_MAX = 256 };

/* The backends of a run, each once, in order; *left_out counts those after the first 256. */
static void list_backends(name_list *out, const rg_opdiff_run *run, const char *only,
			  size_t *left_out)
{
	size_t kept = 0;
	for (size_t i = 0; i < run->count && !only; i++)
		for (size_t k = 0; k < run->items[i].result_count; k++)
			append_name(out, run->items[i].results[k].backend);
	if (only)
		append_name(out, only);
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), rg_compare_texts);
	for (size_t i = 0; i < out->count; i++)
		if (!kept || strcmp(out->items[kept - 1], out->items[i]) != 0)
			out->items[kept++] = out->items[i];
	out->count = kept < BACKENDS_MAX ? kept : BACKENDS_MAX;
	*left_out += kept - out->count;
}

static void find_baseline(rg_opdiff_baseline *out, const rg_opdiff_run *run)
{
	size_t same = 0, most = 0, names = 0;
	RG_AUTO(name_list) list = {0};

	for (size_t i = 0; i < run->count; i++)
		if (run->items[i].baseline)
			append_name(&list, run->items[i].baseline);
	if (list.count)
		qsort(list.items, list.count, sizeof(*list.items), rg_compare_texts);
	for (size_t i = 0; i < list.count; i++) {
		same = i && !strcmp(list.items[i - 1], list.items[i]) ? same + 1 : 1;
		names += same == 1 ? 1 : 0;
		if (same > most) {
			most = same;
			out->backend = list.items[i];
		}
	}
	out->others = names ? names - 1 : 0;
}

/* Worse, better, or as bad for another reason. Of one status, what went wrong is worse than
 * nothing: an output that cannot be compared any more. */
static int rank_of(const rg_opdiff_change *change)
{
	if (change->fresh != change->old)
		return change->fresh > change->old ? 0 : 1;
	return !*change->old_why ? 0 : !*change->why ? 1 : 2;
}

static void add_change(rg_opdiff_comparison *out, const rg_opdiff_item *item,
		       const rg_opdiff_result *old, const rg_opdiff_result *fresh)
{
	const rg_opdiff_change change = {item->id,      fresh->backend,     old->status,
					 fresh->status, rg_opdiff_why(old), rg_opdiff_why(fresh)};
	size_t *const counts[] = {&out->worse, &out->better, &out->other};

	if (change.old == change.fresh && !strcmp(change.old_why, change.why))
		return;
	*RG_PUSH(out->changes, out->change_count, out->change_capacity) = change;
	*counts[rank_of(&change)] += 1;
}

/* Operators on both sides, for one backend of each. */
static void pair_results(rg_opdiff_comparison *out, value_list *ratios, const rg_opdiff_run *old,
			 const rg_opdiff_run *fresh, const char *old_backend,
			 const char *new_backend)
{
	for (size_t i = 0; i < fresh->count; i++) {
		const rg_opdiff_item *item = &fresh->items[i];
		const rg_opdiff_item *before = rg_opdiff_find(old, item->id);
		const rg_opdiff_result *b = rg_opdiff_backend(item, new_backend);
		const rg_opdiff_result *a = before ? rg_opdiff_backend(before, old_backend) : NULL;

		if (a && b) {
			add_change(out, item, a, b);
			if (a->target || b->target)
				add_ratio(ratios, b, a);
		}
		out->new_only += b && !a ? 1 : 0;
	}
	for (size_t i = 0; i < old->count; i++) {
		const rg_opdiff_item *after = rg_opdiff_find(fresh, old->items[i].id);
		out->old_only += rg_opdiff_backend(&old->items[i], old_backend) &&
						 !(after && rg_opdiff_backend(after, new_backend))
					 ? 1
					 : 0;
	}
}

/* The results that were OK come first among those that got worse. */
static int was_wrong(const rg_opdiff_change *change)
{
	return !rank_of(change) && change->old != RG_OPDIFF_OK;
}

RG_ORDER(compare_changes, rg_opdiff_change,
	 RG_THEN(rank_of(x) - rank_of(y)) || RG_THEN(was_wrong(x) - was_wrong(y)) ||
		 RG_BY_TEXT(id) || RG_BY_TEXT(backend));

/* Both sides' backends, in order, each with its columns and pairs. */
static void compare_backends(rg_opdiff_comparison *out, value_list *ratios,
			     const rg_opdiff_run *old, const rg_opdiff_run *fresh,
			     const name_list *before, const name_list *after)
{
	size_t i = 0, k = 0;
	while (i < before->count || k < after->count) {
		int order = i == before->count  ? 1
			    : k == after->count ? -1
						: strcmp(before->items[i], after->items[k]);
		const char *a = order <= 0 ? before->items[i++] : NULL;
		const char *b = order >= 0 ? after->items[k++] : NULL;

		if (a)
			add_column(out, old, a, false);
		if (b)
			add_column(out, fresh, b, true);
		pair_results(out, ratios, old, fresh, a ? a : b, b ? b : a);
	}
}

void rg_opdiff_compare(rg_opdiff_comparison *out, const rg_opdiff_run *old,
		       const rg_opdiff_run *fresh, const char *old_backend, const char *new_backend)
{
	*out = (rg_opdiff_comparison){
		.alone = !old, .runs = fresh->merged, .operators = fresh->count};
	RG_AUTO(name_list) before = {0}, after = {0};
	value_list ratios = {0};

	if (old) {
		find_baseline(&out->old_baseline, old);
		list_backends(&before, old, old_backend, &out->columns_left_out);
	}
	find_baseline(&out->new_baseline, fresh);
	list_backends(&after, fresh, new_backend, &out->columns_left_out);
	if (old && old_backend && new_backend) { /* one of each side, whatever they are called */
		add_column(out, old, old_backend, false);
		add_column(out, fresh, new_backend, true);
		pair_results(out, &ratios, old, fresh, old_backend, new_backend);
	} else if (old) {
		compare_backends(out, &ratios, old, fresh, &before, &after);
	}
	for (size_t i = 0; !old && i < after.count; i++)
		add_column(out, fresh, after.items[i], true);
	finish_values(&out->new_to_old, &ratios);
	if (!new_backend)
		make_overview(&out->overview, fresh, after.items, after.count);
	if (out->change_count)
		qsort(out->changes, out->change_count, sizeof(*out->changes), compare_changes);
	list_errors(&out->errors, old, fresh, old_backend, new_backend);
}

void rg_opdiff_comparison_release(rg_opdiff_comparison *comparison)
{
	for (size_t i = 0; i < comparison->column_count; i++) {
		free(comparison->columns[i].to_baseline.sorted);
		free(comparison->columns[i].max_abs.sorted);
	}
	free(comparison->overview.problems);
	free(comparison->overview.backends);
	free(comparison->overview.overlaps);
	free(comparison->errors.items);
	rg_arena_release(&comparison->errors.arena);
	free(comparison->new_to_old.sorted);
	free(comparison->columns);
	free(comparison->changes);
	*comparison = (rg_opdiff_comparison){0};
}

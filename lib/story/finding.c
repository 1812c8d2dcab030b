/* SPDX-License-Identifier: Apache-2.0 */
#include "story/finding.h"

#include "base/order.h"

#include <string.h>

const char *const rg_found_names[RG_FOUND_KINDS] = {
	[RG_FOUND_NONFINITE] = "nonfinite",
	[RG_FOUND_VALUES_REMOVED] = "values-removed",
	[RG_FOUND_METRIC_REMOVED] = "metric-removed",
	[RG_FOUND_UNREADABLE] = "unreadable",
	[RG_FOUND_HELD] = "held-back",
	[RG_FOUND_MISSING] = "missing",
	[RG_FOUND_RECORDS_REMOVED] = "records-removed",
	[RG_FOUND_GOLDEN_REMOVED] = "golden-removed",
	[RG_FOUND_TESTS] = "tests",
	[RG_FOUND_RESHAPED] = "reshaped",
	[RG_FOUND_OUTLIER] = "outlier",
	[RG_FOUND_MOVED] = "moved",
	[RG_FOUND_FROM_ZERO] = "from-zero",
	[RG_FOUND_TENSOR] = "tensor",
	[RG_FOUND_REPAIRED] = "finite-again",
	[RG_FOUND_VALUES_ADDED] = "values-added",
	[RG_FOUND_CHECK] = "check",
	[RG_FOUND_PASSED] = "passed",
	[RG_FOUND_RUN] = "run",
	[RG_FOUND_METRIC_NEW] = "metric-new",
	[RG_FOUND_RECORDS_ADDED] = "records-added",
	[RG_FOUND_GOLDEN_NEW] = "golden-new",
	[RG_FOUND_TEXT] = "text",
	[RG_FOUND_UNREAD] = "unread",
};

const char *const rg_class_names[RG_CLASSES] = {
	[RG_CLASS_LOSS] = "loss", [RG_CLASS_COUNT] = "count", [RG_CLASS_VALUE] = "value",
	[RG_CLASS_TIME] = "time", [RG_CLASS_RATE] = "rate",   [RG_CLASS_MEMORY] = "memory"};

#define OF rg_story_finding
const rg_json_field rg_finding_fields[] = {
	RG_KEY_WORD("kind", kind, rg_found_names, "What was found."),
	RG_KEY_WORD("class", class_of, rg_class_names, "What the metric measures."),
	RG_KEY_OR_NULL(metric, "The metric, or the family; null if it is about whole goldens."),
	RG_KEY(metrics, "Metrics that have it alike."),
	RG_KEY_OPTIONAL(row, "The metric of the golden's row."),
	RG_KEY_OR_NULL(file, "The path of the golden that has it most, or the job that is "
			     "missing."),
	RG_KEY_OR_NULL(name, "The name of that golden, which no other of the document has."),
	RG_KEY(goldens, "Goldens that have it."),
	RG_KEY_OPTIONAL(gate, "It broke a gate."),
	RG_KEY_OPTIONAL(by_record, "Its steps are a table's records."),
	RG_KEY_OPTIONAL(by_element, "Its values are a tensor's elements."),
	RG_KEY_OPTIONAL(change, "How far that golden moved, (new - old) / |old|: of steps the "
				"mean, of records the one that moved most."),
	RG_KEY_OPTIONAL(median, "Of a duration whose mean says something else: the median "
				"step's change."),
	RG_KEY_OPTIONAL(by_median, "\"change\" is the median step's, and \"median\" the mean."),
	RG_KEY_OPTIONAL(at, "The step, record or element that moved most; of \"passed\", what "
			    "became of the values."),
	RG_KEY_OPTIONAL(larger, "Records that became larger, if others became smaller."),
	RG_KEY_OPTIONAL(smaller, "Records that became smaller, if others became larger."),
	RG_KEY_OPTIONAL(steps_counted, "Steps or records that counted."),
	RG_KEY_OPTIONAL(most_larger, "The farthest change of the larger ones."),
	RG_KEY_OPTIONAL(most_smaller, "The farthest change of the smaller ones."),
	RG_KEY_OPTIONAL(per_step, "The mean |change| per step, if opposite changes cancel."),
	RG_KEY_OPTIONAL(old, "The old value, which was 0 or tiny, or the only one of a tensor."),
	RG_KEY_IF("new", fresh, RG_JSON_OPTIONAL, "The new value of that."),
	RG_KEY_OPTIONAL(others, "Of an outlier, the goldens that it is compared with."),
	RG_KEY_OPTIONAL(of_stage, "These are of its stage, not only of its variant."),
	RG_KEY_OPTIONAL(others_median, "Their median change."),
	RG_KEY_OPTIONAL(runs, "It is outside all of so many measured runs."),
	RG_KEY_OPTIONAL(level, "The flag level."),
	RG_KEY_OPTIONAL(score, "The score, of a policy that is not relative."),
	RG_KEY(over, "How many times that the change is: 1 and more needs review."),
	RG_KEY_OPTIONAL(count, "Values, records or tests."),
	RG_KEY_OPTIONAL(count_of, "Of so many."),
	RG_KEY_OPTIONAL(steps, "The steps or records, as ranges."),
	RG_KEY_OPTIONAL(is_nan, "Values are NaN now, or of \"finite-again\" were."),
	RG_KEY_OPTIONAL(is_inf, "Values are infinite now, or were."),
	RG_KEY_OPTIONAL(first_count, "Records of \"name\" that came or went."),
	RG_KEY_OPTIONAL(first_of, "Of so many."),
	RG_KEY_OPTIONAL(also, "The name of the other golden, if there are two."),
	RG_KEY_OPTIONAL(also_count, "Records of that."),
	RG_KEY_OPTIONAL(also_of, "Of so many."),
	RG_KEY_OPTIONAL(text, "The check's name, the reason, or both sides of a text."),
	RG_KEY_OPTIONAL(max_abs, "Of a tensor, the largest |old - new|."),
	RG_KEY_OPTIONAL(snr_db, "Of a tensor, the signal to noise ratio."),
	RG_KEY_OPTIONAL(share, "Of a tensor, the share of its elements that differ."),
	{0}};
#undef OF

#define OF rg_story_reason
const rg_json_field rg_reason_fields[] = {
	RG_KEY_WORD("kind", kind, rg_found_names, "What was found."),
	RG_KEY(goldens, "Goldens that have it, each counted once."),
	RG_KEY_OPTIONAL(over, "Of them, those that are over a flag level."),
	RG_KEY(count, "Values, records or tests."),
	{0}};
#undef OF

/* Loss metrics, then what is missing, removed, moved, new, and texts. */
static int rank_of(const rg_story_finding *f)
{
	if (f->metric && f->class_of == RG_CLASS_LOSS)
		return 0;
	return f->kind <= RG_FOUND_MISSING      ? 1
	       : f->kind <= RG_FOUND_TESTS      ? 2
	       : f->kind == RG_FOUND_CHECK      ? 4
	       : f->kind == RG_FOUND_PASSED     ? 4
	       : f->kind <= RG_FOUND_RUN        ? 3
	       : f->kind <= RG_FOUND_GOLDEN_NEW ? 5
						: 6;
}

int rg_finding_compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* Kinds of one rank come in their order, but for figures, which go by their size first. */
RG_ORDER(by_weight, rg_story_finding,
	 RG_BY(rank_of(x), rank_of(y)) || RG_FALLING(gate) ||
		 (rank_of(x) != 3 && RG_RISING(kind)) || RG_FALLING(over) || RG_RISING(kind) ||
		 RG_FALLING(goldens) || RG_FALLING(count) ||
		 RG_THEN(rg_finding_compare_texts(x->metric, y->metric)) ||
		 RG_THEN(rg_finding_compare_texts(x->file, y->file)) ||
		 RG_THEN(rg_finding_compare_texts(x->text, y->text)));

int rg_finding_compare(const void *a, const void *b)
{
	return by_weight(a, b);
}

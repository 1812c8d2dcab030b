/* SPDX-License-Identifier: Apache-2.0 */
#include "story/moved.h"

#include "story/finding.h"

#define OF rg_moved
/* Those of a stage have the same keys, without the lines of stages. */
#define MOVED_KEYS                                                                              \
	RG_KEY(goldens, "Goldens that have it."),                                               \
		RG_KEY(changed, "Of them, those whose values differ."),                         \
		RG_KEY(rows, "Rows, with all members of a family."),                            \
		RG_KEY(rows_changed, "Of them, those whose values differ."),                    \
		RG_KEY_OPTIONAL(review, "Rows that need review."),                              \
		RG_KEY_OPTIONAL(low, "The lowest change, (new - old) / |old|, of the rows "     \
				     "whose change no finding has."),                           \
		RG_KEY_OPTIONAL(high, "The highest."), RG_KEY_OPTIONAL(median, "The median."),  \
		RG_KEY_OPTIONAL(all, "These are of all rows: of durations, or as findings "     \
				     "have most."),                                             \
		RG_KEY_OPTIONAL(typical, "These are of durations: of each the median step's."), \
		RG_KEY_OPTIONAL(still, "All rows are within their flag levels."),               \
		RG_KEY_OPTIONAL(larger, "Rows that became larger, or slower: all of them."),    \
		RG_KEY_OPTIONAL(smaller, "Rows that became smaller, or faster."),               \
		RG_KEY_OPTIONAL(trend, "The 95 % interval of the median is without 0.")

const rg_json_field rg_moved_stage_fields[] = {RG_KEY(stage, "The stage."), MOVED_KEYS, {0}};
const rg_json_field rg_moved_fields[] = {
	RG_KEY(metric, "The metric, or the family."),
	RG_KEY_OPTIONAL(only, "The metric, if its family has no other."),
	RG_KEY_WORD("class", class_of, rg_class_names, "What it measures."),
	MOVED_KEYS,
	RG_KEY_AS("n", sized, "Rows with a size."),
	RG_KEY_IF("abs_median", abs_median, RG_JSON_OPTIONAL,
		  "The median of their sizes, |avg_rel_diff| as a rule."),
	RG_KEY_IF("abs_max", abs_max, RG_JSON_OPTIONAL, "The largest size."),
	RG_KEY_OPTIONAL(counted, "Texts, tokens and ids, which have no figure."),
	RG_KEY_OPTIONAL(of_models, "Tensors and programs, which \"models\" has."),
	RG_KEY_OPTIONAL(mean_signed, "The mean of avg_rel_diff."),
	RG_KEY_OPTIONAL(interval_low, "The 95 % interval of the median of avg_rel_diff; missing "
				      "under 6 rows."),
	RG_KEY_OPTIONAL(interval_high, "Its upper end."),
	RG_KEY_OPTIONAL(worst_file, "The golden that moved most."),
	RG_KEY_OPTIONAL(worst_metric, "Its metric."),
	RG_KEY_OPTIONAL(worst_name, "Its name."),
	RG_KEY_OPTIONAL(differ, "Two of the stages go different ways."),
	RG_KEY_LIST_IF("stages", stages, stage_count, rg_moved_stage_fields, OPTIONAL,
		       "The same by stage, of several stages."),
	{0}};
#undef OF

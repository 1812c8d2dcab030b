/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORY_MOVED_H
#define REGILD_STORY_MOVED_H

#include "base/fields.h"
#include "compare/summary.h"

#include <stdbool.h>
#include <stddef.h>

/* How one metric, or family, moved over all goldens, or over those of a stage. */
typedef struct rg_moved {
	const char *metric;
	const char *only;  /* the metric, if its family has no other; else NULL */
	const char *stage; /* NULL: of all goldens */
	rg_metric_class class_of;
	size_t goldens, changed;   /* that have it; whose values differ */
	size_t rows, rows_changed; /* with all members of a family */
	size_t review;             /* rows that need review */
	bool counted;              /* texts, tokens, ids: there is no figure */
	bool of_models;            /* tensors and programs: story.models has them */
	/* Over the rows whose change is in no finding, (new - old) / |old|; of durations the median
	 * step's. NaN: none has a figure. */
	double low, high, median;
	bool all;               /* over all rows instead: of durations, or as findings have most */
	bool typical;           /* of median steps */
	bool still;             /* all of these are under their flag levels */
	size_t larger, smaller; /* of all rows */
	bool trend;             /* of a duration: the 95 % interval of the median is without 0 */
	/* Over all rows with a size, of rg_row_size. */
	size_t sized;
	double abs_median, abs_max;
	double mean_signed;                 /* of avg_rel_diff; NaN: none has one */
	double interval_low, interval_high; /* 95 %, of the median of avg_rel_diff; NaN: under 6 */
	const char *worst_file, *worst_metric, *worst_name; /* the row that moved most */
	struct rg_moved *stages; /* by falling goldens; none if all move alike or there are none */
	size_t stage_count;
	size_t number; /* before the lines were sorted */
	bool differ;   /* two of the stages go different ways */
} rg_moved;

/* Its keys in JSON, and those of a stage's line. */
extern const rg_json_field rg_moved_fields[], rg_moved_stage_fields[];

#endif

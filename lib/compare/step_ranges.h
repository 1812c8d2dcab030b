/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_STEP_RANGES_H
#define REGILD_COMPARE_STEP_RANGES_H

#include "base/buf.h"
#include "compare/row.h"
#include "golden/golden.h"

#include <stdint.h>

/* More ranges than this are counted, not kept. */
enum { RG_STEP_RANGES = 8 };

/* Steps of a series that have something in common, as ranges that no other step of it interrupts:
 * 1, 5, 10 are one range where the series has no step between them. Records are named one by one.
 * Starts all zero but for `records`. */
typedef struct {
	const rg_records *records; /* that the steps are places of; NULL: they are numbers */
	struct {
		int64_t first, last;
	} kept[RG_STEP_RANGES];
	size_t ranges; /* all of them */
	size_t steps;
	size_t end; /* the place after the last one */
} rg_step_ranges;

/* `count` steps, `first` to `last`, from `place` on: their place among the steps of the series. In
 * ascending order; records one at a time. */
void rg_step_ranges_add(rg_step_ranges *ranges, size_t place, int64_t first, int64_t last,
			size_t count);

/* Appends a line for people: "1..95, 105..195, 205..295, 305..395 and 16 more". */
void rg_step_ranges_say(rg_buf *out, const rg_step_ranges *ranges);
/* " (1,900 of 2,001 steps)": so many of those that the metric has. */
void rg_steps_say_share(rg_buf *out, size_t steps, const rg_metric *metric);

/* The steps that were left out, placed among all steps of both sides. */
typedef struct {
	rg_step_ranges by[RG_LEFT_REASONS];
} rg_left_steps;

/* All zero, for a series with these records or, NULL, with steps. */
void rg_left_steps_init(rg_left_steps *steps, const rg_records *records);

/* "2 near zero (4..5), 1 on the old side only (9)", in `arena`; NULL where nothing was left out.
 * `steps` may be NULL where only the counts are known. */
void rg_left_out_text(const char **out, rg_arena *arena, const rg_left_out *counts,
		      const rg_left_steps *steps);

/* Which steps: "1, 4..5"; after the eighth range "…". NULL where there are none. */
void rg_left_steps_text(const char **out, rg_arena *arena, const rg_left_steps *steps,
			rg_left_reason reason);

/* "49 of 50 steps (2..50)", "1 of 57 records (DALLE2_pytorch)": the steps on the old side only,
 * among all of its own; NULL where there are none. */
void rg_lost_text(const char **out, rg_arena *arena, size_t lost, size_t all,
		  const rg_left_steps *steps);

#endif

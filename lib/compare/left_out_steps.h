/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_LEFT_OUT_STEPS_H
#define REGILD_COMPARE_LEFT_OUT_STEPS_H

#include "compare/row.h"
#include "compare/step_ranges.h"

/* The steps that were left out, placed among all steps of both sides. */
typedef struct {
	rg_step_ranges by[RG_LEFT_REASONS];
} rg_left_steps;

/* All zero, for a series with these records or, NULL, with steps. */
void rg_left_steps_init(rg_left_steps *steps, const rg_records *records);

/* "2 near zero (4..5), 1 on the old side only (9)", in `arena`; NULL where nothing was left out.
 * `steps` may be NULL where only the counts are known. */
RG_CHECKED rg_error *rg_left_out_text(const char **out, rg_arena *arena, const rg_left_out *counts,
				      const rg_left_steps *steps);

/* Which steps: "1, 4..5"; after the eighth range "…". NULL where there are none. */
RG_CHECKED rg_error *rg_left_steps_text(const char **out, rg_arena *arena,
					const rg_left_steps *steps, rg_left_reason reason);

/* "49 of 50 steps (2..50)", "1 of 57 records (DALLE2_pytorch)": the steps on the old side only,
 * among all of its own; NULL where there are none. */
RG_CHECKED rg_error *rg_lost_text(const char **out, rg_arena *arena, size_t lost, size_t all,
				  const rg_left_steps *steps);

/* The records that one side of two aligned tables has alone (RG_RECORD_OLD or RG_RECORD_NEW):
 * *brief as above, *whole all of them. NULL where there are none. */
RG_CHECKED rg_error *rg_left_records_text(const char **brief, const char **whole, rg_arena *arena,
					  const rg_records *records, unsigned char side);

#endif

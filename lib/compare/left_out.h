#ifndef REGILD_COMPARE_LEFT_OUT_H
#define REGILD_COMPARE_LEFT_OUT_H

#include "compare/row.h"

/* Why a step did not count, in the order of rg_left_out. */
typedef enum {
	RG_LEFT_NEAR_ZERO,
	RG_LEFT_OLD_NONFINITE,
	RG_LEFT_NEW_NONFINITE,
	RG_LEFT_OLD_ONLY,
	RG_LEFT_NEW_ONLY,
	RG_LEFT_NOT_LOOKED_AT,
	RG_LEFT_REASONS
} rg_left_reason;

/* More stretches of a reason than this are not told one by one. */
enum { RG_LEFT_STRETCHES = 8 };

/* The steps that were left out, in stretches without another step of either side in between. */
typedef struct {
	struct {
		struct {
			int64_t first, last;
		} stretches[RG_LEFT_STRETCHES];
		size_t count;
		size_t end; /* the place behind the last one */
		bool more;
	} by[RG_LEFT_REASONS];
} rg_left_steps;

/* `count` steps, `first` to `last`, from `place` on: their place among all steps of both sides. */
void rg_left_steps_note(rg_left_steps *steps, rg_left_reason reason, size_t place, int64_t first,
			int64_t last, size_t count);

/* "2 near zero (4..5), 1 on the old side only (9)", in `arena`; NULL where nothing was left out.
 * `steps` may be NULL where only the counts are known. */
RG_CHECKED rg_error *rg_left_out_text(const char **out, rg_arena *arena, const rg_left_out *counts,
				      const rg_left_steps *steps);

#endif

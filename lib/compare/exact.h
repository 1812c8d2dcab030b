#ifndef REGILD_COMPARE_EXACT_H
#define REGILD_COMPARE_EXACT_H

#include "compare/row.h"

/*
 * Fills what an exact row has of its own: identical, first_diff and the excerpts (in `arena`). The
 * two metrics are texts, tokens, or not of one kind; old_count and new_count are set.
 */
RG_CHECKED rg_error *rg_compare_exact(rg_row *row, rg_arena *arena, const rg_metric *old,
				      const rg_metric *new);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_SERIES_STATISTICS_H
#define REGILD_COMPARE_SERIES_STATISTICS_H

#include "compare/policy.h"
#include "compare/row.h"

/*
 * All figures of a row that come from two series: n_steps and everything under it, `identical`,
 * `first_diff`, the tensor's figures (in `arena`), level and score. Names and the file's fields
 * stay untouched. n_steps is 0 where no step counts.
 *
 * Two tensors of one type and shape are read at the speed at which their bytes come: in segments
 * that all cores share, only a segment a core being in memory at a time (rg_tensor.forget). The
 * figures do not depend on how many cores there are, nor on their instructions.
 */
RG_CHECKED rg_error *rg_series_statistics(rg_row *row, rg_arena *arena, const rg_metric *old,
					  const rg_metric *fresh, const rg_metric_policy *policy);

#endif

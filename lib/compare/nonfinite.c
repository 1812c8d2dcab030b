/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/nonfinite.h"

#include <math.h>

void rg_nonfinite_add(rg_nonfinite *found, const rg_metric *metric, size_t place, double value)
{
	rg_step_ranges *ranges = isnan(value) ? &found->nan
				 : value > 0  ? &found->inf
					      : &found->minus_inf;
	int64_t step = rg_metric_step(metric, place);

	ranges->records = metric->records;
	rg_step_ranges_add(ranges, place, step, step, 1);
}

size_t rg_nonfinite_steps(const rg_nonfinite *found)
{
	return found->nan.steps + found->inf.steps + found->minus_inf.steps;
}

static void say(rg_buf *out, const char *value, const rg_step_ranges *ranges, bool *first)
{
	if (!ranges->steps)
		return;
	rg_buf_printf(out, "%s%s at ", *first ? "" : ", ", value);
	rg_step_ranges_say(out, ranges);
	*first = false;
}

void rg_nonfinite_say(rg_buf *out, const rg_nonfinite *found, const rg_metric *metric)
{
	bool first = true;

	say(out, "nan", &found->nan, &first);
	say(out, "inf", &found->inf, &first);
	say(out, "-inf", &found->minus_inf, &first);
	rg_steps_say_share(out, rg_nonfinite_steps(found), metric);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/defect_text.h"

#include "base/number.h"
#include "golden/records.h"

#include <inttypes.h>

/* What is wrong with a metric's steps, by what its block says of them. */
static void say_rule(rg_buf *out, rg_defect_kind kind, const rg_metric *m)
{
	switch (kind) {
	case RG_DEFECT_OUTSIDE_STEP:
		rg_buf_printf(out, "outside of start_step %" PRId64 " … end_step %" PRId64,
			      m->start_step, m->end_step);
		break;
	case RG_DEFECT_ODD_STEP:
		rg_buf_printf(out, "not a step by start_step %" PRId64 ", step_interval %" PRId64,
			      m->start_step, m->step_interval);
		break;
	default:
		rg_buf_printf(out,
			      "start_step %" PRId64 ", end_step %" PRId64 ", step_interval %" PRId64
			      " make no steps",
			      m->start_step, m->end_step, m->step_interval);
		break;
	}
}

static void say_steps(rg_buf *out, const rg_defect *d)
{
	say_rule(out, d->kind, d->metric);
	if (d->kind == RG_DEFECT_BAD_STEPS)
		return;
	rg_buf_str(out, " at ");
	rg_step_ranges_say(out, &d->steps);
	rg_steps_say_share(out, d->steps.steps, d->metric);
}

static void say_keys(rg_buf *out, const rg_defect *d)
{
	bool twice = d->kind == RG_DEFECT_DUPLICATE_KEYS, one = d->count == 1;
	char count[RG_COUNT_TEXT], step[RG_STEP_TEXT];

	if (d->has_step && d->metric)
		rg_buf_printf(out, "%s: ", rg_step_name(d->metric->records, d->step, step));
	if (d->key)
		rg_buf_printf(out, "%s: ", d->key);
	rg_count_text(d->count, count);
	if (d->has_step || d->key)
		rg_buf_str(out, twice ? "appears again; the last one counts" : "not a number");
	else if (twice)
		rg_buf_printf(out, "%s %s again; the last one counts", count,
			      one ? "key appears" : "keys appear");
	else
		rg_buf_printf(out, "%s %s", count,
			      one ? "key is not a step" : "keys are not steps");
	if ((d->has_step || d->key) && !one)
		rg_buf_printf(out, " (and %s more)", rg_count_text(d->count - 1, count));
}

void rg_defect_say(rg_buf *out, const rg_defect *d)
{
	if (d->metric)
		rg_buf_printf(out, "%s: ", d->metric->name);
	switch (d->kind) {
	case RG_DEFECT_NONFINITE:
		rg_nonfinite_say(out, &d->nonfinite, d->metric);
		break;
	case RG_DEFECT_DUPLICATE_KEYS:
	case RG_DEFECT_NO_VALUE:
		say_keys(out, d);
		break;
	case RG_DEFECT_EMPTY:
		rg_buf_str(out, "has no metrics");
		break;
	case RG_DEFECT_NOTE:
		rg_buf_str(out, d->note->text);
		break;
	case RG_DEFECT_NONE_LEADING:
		rg_buf_str(out, "leading NaN");
		break;
	case RG_DEFECT_NONE_PERIODIC:
		rg_buf_str(out, "periodic NaN");
		break;
	default: /* the others are of a metric */
		if (d->metric)
			say_steps(out, d);
		break;
	}
}

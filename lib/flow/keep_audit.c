/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/keep_audit.h"

#include "base/memory.h"
#include "report/audit_facts.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static rg_history_verdict describe(const rg_audit *audit, const rg_audit_series *series)
{
	const rg_tolerance *tolerance = rg_audit_recommended(series);
	return (rg_history_verdict){
		.file = series->file,
		.metric = series->metric,
		.runs_of = audit->groups[series->group].name,
		.verdict = series->break_count           ? "broke"
			   : series->drifts              ? "drifts"
			   : series->noise.deterministic ? "same"
			   : series->noise.measured      ? "noisy"
							 : "unmeasured",
		.runs = series->runs,
		.failed_today = series->failed_today,
		.failed_recommended = tolerance ? series->failed_recommended : 0,
		.breaks = series->break_count,
		.spread = series->noise.measured ? series->noise.spread.max : NAN,
		.tolerance = tolerance && rg_tolerance_holds(tolerance) ? tolerance->relative : NAN,
	};
}

static rg_error *keep(rg_history_store *history, rg_history_audit *out, const rg_audit *audit)
{
	RG_AUTO_FREE const rg_audit_series **series = NULL;
	size_t count, breaks = 0;

	rg_audit_all_series(audit, &series, &count);
	for (size_t i = 0; i < count; i++)
		breaks += series[i]->break_count;
	RG_AUTO_FREE rg_history_verdict *verdicts = rg_calloc(count + 1, sizeof(*verdicts));
	RG_AUTO_FREE rg_history_break *broken = rg_calloc(breaks + 1, sizeof(*broken));
	for (size_t i = 0; i < count; i++) {
		verdicts[i] = describe(audit, series[i]);
		for (size_t k = 0; k < series[i]->break_count; k++) {
			const rg_audit_break *found = &series[i]->breaks[k];
			const rg_audit_run *run = &audit->runs[found->at];
			broken[out->break_count++] = (rg_history_break){
				.file = series[i]->file,
				.metric = series[i]->metric,
				.runs_of = audit->groups[series[i]->group].name,
				.run = strtoull(run->id, NULL, 10),
				.commit = run->commit,
				.when = run->when,
				.before = found->before,
				.after = found->after,
				.shift = found->size.size,
				.p = rg_audit_chance(audit, found->adjusted),
			};
		}
	}
	out->verdicts = verdicts;
	out->verdict_count = count;
	out->breaks = broken;
	return rg_history_keep_audit(history, out);
}

void rg_flow_keep_audit(const rg_flow *flow, const rg_audit_runs *runs, const rg_audit *audit)
{
	char made[sizeof("2026-11-23T00:00:00Z")] = "";
	time_t now = time(NULL);
	struct tm tm;

	if (!runs->stored)
		return;
	if (gmtime_r(&now, &tm))
		strftime(made, sizeof(made), "%Y-%m-%dT%H:%M:%SZ", &tm);
	rg_history_audit kept = {.repository = rg_stored_runs_list(runs->stored)->repository,
				 .made = made};
	RG_AUTO_PTR(rg_error) err = keep(rg_stored_runs_history(runs->stored), &kept, audit);
	/* A user who may only read knows that. */
	if (err)
		rg_log_say(&flow->log,
			   rg_error_get_code(err) == RG_E_AUTH ? RG_LOG_DETAIL : RG_LOG_WARNING,
			   "what the audit found is not in the history: %s", rg_error_message(err));
}

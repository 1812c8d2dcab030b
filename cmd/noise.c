#include "noise.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A run that was measured itself is in the range in any case. */
static void warn_of_own_run(const environment *env, const rg_noise_model *model,
			    const compare_context *context)
{
	char id[32];
	size_t i;

	if (!context || !context->run || !context->run->run_id)
		return;
	snprintf(id, sizeof(id), "%llu", (unsigned long long)context->run->run_id);
	for (i = 0; i < model->run_count; i++)
		if (!strcmp(model->runs[i].id, id))
			rg_log_say(&env->log, RG_LOG_WARNING,
				   "the noise model holds run %s itself, which is in its range in "
				   "any case; audit the runs before it",
				   id);
}

rg_error *noise_load(noise_source *out, const environment *env, const compare_report *report,
		     const compare_context *context)
{
	double level = report->noise_level.given ? report->noise_level.value : RG_VERDICT_LEVEL;
	rg_error *err;
	char *path;

	*out = (noise_source){0};
	if (!(level > 0 && level <= 1))
		return usage_error("--noise-level: %g is not over 0 and at most 1", level);
	RG_TRY(report->noise ? rg_strdup(&path, report->noise)
			     : environment_setting_path(env, "regild.noise", &path));
	if (!path)
		return report->noise_level.given
			       ? usage_error("--noise-level: there is no noise model; give --noise")
			       : NULL;
	err = rg_error_wrap(rg_noise_model_load(&out->model, path), "%s",
			    report->noise ? "--noise" : "regild.noise");
	if (!report->noise)
		err = rg_config_blame(env->config, "regild.noise", err);
	free(path);
	out->given = !err;
	if (!err)
		warn_of_own_run(env, &out->model, context);
	out->judge = (rg_noise_judge_context){&out->model, level};
	return err;
}

void noise_release(noise_source *noise)
{
	if (noise->given)
		rg_noise_model_release(&noise->model);
}

void noise_tell(const environment *env, const rg_comparison *comparison)
{
	rg_verdict_counts counts = rg_verdicts_count(comparison);
	size_t i;

	for (i = 0; i < comparison->row_count; i++) {
		const rg_row *row = &comparison->rows[i];
		bool outside = row->verdict.kind == RG_VERDICT_OUTSIDE;

		if (row->verdict.text)
			rg_log_say(&env->log, outside ? RG_LOG_INFO : RG_LOG_DETAIL, "%s: %s: %s",
				   row->file, row->metric, row->verdict.text);
	}
	rg_log_say(&env->log, RG_LOG_INFO,
		   "noise model: %zu within, %zu outside, %zu inconclusive, %zu unmeasured",
		   counts.within, counts.outside, counts.inconclusive, counts.unmeasured);
}

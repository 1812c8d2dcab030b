/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/made_up.h"

#include "base/memory.h"
#include "compare/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char names[MADE_UP_SERIES][8], paths[MADE_UP_FILES][32];
static rg_audit_run list[MADE_UP_RUNS];

static size_t file_count(const made_up *m)
{
	return m->files ? m->files : 1;
}

static void make_golden(rg_golden **out, const made_up *m, const double *values, size_t file)
{
	rg_golden *golden = calloc(1, sizeof(*golden));
	rg_metric *metrics;

	*out = golden;
	rg_arena_init(&golden->arena);
	metrics = rg_arena_alloc(&golden->arena, m->series * sizeof(*metrics));
	for (size_t i = 0; i < m->series; i++)
		metrics[i] = (rg_metric){.name = names[i],
					 .kind = RG_METRIC_SERIES,
					 .count = m->steps,
					 .values = values + (file * m->series + i) * m->steps};
	golden->format = "json";
	golden->metrics = metrics;
	golden->count = m->series;
}

static rg_error *read_made_up(void *context, size_t run, size_t file, rg_buf *bytes,
			      rg_golden **out)
{
	const made_up *from = context;
	(void)bytes;
	if (from->lacks[run][file])
		*out = NULL;
	else
		make_golden(out, from, from->values[run], file);
	return NULL;
}

rg_error *made_up_audit(rg_audit *out, made_up *from)
{
	static const char *files[MADE_UP_FILES];
	rg_audit_source source = {.runs = list,
				  .run_count = from->runs,
				  .files = files,
				  .file_count = file_count(from),
				  .read = read_made_up,
				  .context = from};
	const rg_audit_options options = {
		.tolerance = {1.5, 0, 0}, .error_rate = 0.05, .workers = 1};

	for (size_t r = 0; r < from->runs; r++)
		list[r] = (rg_audit_run){"run", "", "", ""};
	for (size_t i = 0; i < MADE_UP_SERIES; i++)
		snprintf(names[i], sizeof(names[i]), "m%02u", (unsigned)i % 100);
	for (size_t i = 0; i < MADE_UP_FILES; i++) {
		snprintf(paths[i], sizeof(paths[i]), "t%03u/" MADE_UP_NAME, (unsigned)i % 1000);
		files[i] = paths[i];
	}
	return rg_audit_make(out, &source, &options);
}

static void forget_audit(void *audit)
{
	rg_audit_release(audit);
	free(audit);
}

static rg_error *make_model(rg_noise_model *out, made_up *runs)
{
	rg_audit *audit = rg_calloc(1, sizeof(*audit));
	rg_error *err = made_up_audit(audit, runs);
	if (!err)
		rg_noise_model_of_audit(out, audit);
	out->source = audit;
	out->close = forget_audit;
	return err;
}

static rg_error *compare_file(rg_comparison *c, const rg_noise_judge_context *judge,
			      const rg_policy *policy, const made_up *m, size_t file,
			      const double *golden, const double *fresh)
{
	const rg_file_name name = {paths[file], NULL};
	rg_golden *old = NULL, *newer = NULL;
	make_golden(&old, m, golden, file);
	make_golden(&newer, m, fresh, file);

	rg_error *err = rg_compare_goldens(c, &name, old, newer, policy);
	if (!err)
		err = rg_noise_judge_rows(judge, c, old, newer);
	rg_golden_free(newer);
	rg_golden_free(old);
	return err;
}

static bool takes_all(const void *taker, const char *file, const char *metric)
{
	(void)taker, (void)file, (void)metric;
	return true;
}

static void keep(made_up_verdict *out, rg_comparison *c, size_t files)
{
	*out = (made_up_verdict){.run = c->run, .rows = c->row_count};
	for (size_t i = 0; i < c->row_count; i++) {
		out->outside += c->rows[i].verdict.kind == RG_VERDICT_OUTSIDE;
		out->stand_out += c->rows[i].verdict.stands_out;
	}
	if (c->row_count && !strcmp(c->rows[0].file, paths[0]) &&
	    !strcmp(c->rows[0].metric, names[0])) {
		out->first = c->rows[0].verdict.kind;
		out->first_stands_out = c->rows[0].verdict.stands_out;
	}
	for (size_t i = 0; i < c->row_count; i++)
		if (!strcmp(c->rows[i].file, paths[files - 1]) &&
		    !strcmp(c->rows[i].metric, names[0]))
			out->moved_stands_out = c->rows[i].verdict.stands_out;
}

rg_error *made_up_judge(made_up_verdict *out, made_up *runs, const double *golden,
			const double *fresh, double level)
{
	rg_noise_model model = {0};
	const rg_noise_judge_context judge = {&model, level, takes_all, NULL};
	rg_comparison c;
	RG_AUTO_PTR(rg_policy) policy = rg_policy_new();
	rg_error *err = make_model(&model, runs);

	/* As without settings. */
	if (!err)
		err = rg_policy_set(policy, "*", "flag", "1e-3");
	rg_comparison_init(&c);
	for (size_t i = 0; !err && i < file_count(runs); i++)
		err = compare_file(&c, &judge, policy, runs, i, golden, fresh);
	if (!err)
		err = rg_noise_judge_run(&c, &judge);
	if (!err)
		keep(out, &c, file_count(runs));
	rg_comparison_release(&c);
	rg_noise_model_release(&model);
	return err;
}

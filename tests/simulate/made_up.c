/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/made_up.h"

#include <stdio.h>
#include <stdlib.h>

static rg_error *read_made_up(void *context, size_t run, size_t file, rg_buf *bytes,
			      rg_golden **out)
{
	made_up *from = context;
	rg_golden *golden = calloc(1, sizeof(*golden));
	rg_metric *metrics;

	(void)file, (void)bytes;
	*out = golden;
	rg_arena_init(&golden->arena);
	metrics = rg_arena_alloc(&golden->arena, from->series * sizeof(*metrics));
	for (size_t i = 0; i < from->series; i++)
		metrics[i] = (rg_metric){.name = from->names[i],
					 .kind = RG_METRIC_SERIES,
					 .count = from->steps,
					 .values = &from->values[run][i * from->steps]};
	golden->format = "json";
	golden->metrics = metrics;
	golden->count = from->series;
	return NULL;
}

rg_error *made_up_audit(rg_audit *out, made_up *from)
{
	static rg_audit_run list[MADE_UP_RUNS];
	const char *const path = MADE_UP_FILE;
	rg_audit_source source = {.runs = list,
				  .run_count = from->runs,
				  .files = &path,
				  .file_count = 1,
				  .read = read_made_up,
				  .context = from};
	const rg_audit_options options = {
		.tolerance = {1.5, 0, 0}, .error_rate = 0.05, .workers = 1};

	for (size_t r = 0; r < from->runs; r++)
		list[r] = (rg_audit_run){"run", "", "", ""};
	for (size_t i = 0; i < from->series; i++)
		snprintf(from->names[i], sizeof(from->names[i]), "m%02u", (unsigned)i % 100);
	return rg_audit_make(out, &source, &options);
}

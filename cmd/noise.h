#ifndef REGILD_CMD_NOISE_H
#define REGILD_CMD_NOISE_H

#include "audit/verdict.h"
#include "compare.h"

/* The noise model that a comparison is judged by: --noise, else regild.noise, else none. */
typedef struct {
	rg_noise_model model;
	rg_noise_judge_context judge;
	bool given;
} noise_source;

/* `context` may be NULL. Warns where the model holds the very run that is compared. */
RG_CHECKED rg_error *noise_load(noise_source *out, const environment *env,
				const compare_report *report, const compare_context *context);
void noise_release(noise_source *noise);

/* How many rows lie inside what was measured, and each one that does not. */
void noise_tell(const environment *env, const rg_comparison *comparison);

#endif

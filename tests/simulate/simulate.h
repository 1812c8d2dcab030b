/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_SIMULATE_SIMULATE_H
#define REGILD_TESTS_SIMULATE_SIMULATE_H

#include "audit/tolerance.h"
#include "base/error.h"
#include "simulate/noise.h"

enum { SIMULATE_STEPS = 50 };
/* A step's deviation, relative to the curve. */
#define SIMULATE_SIGMA 1e-3

/* What is simulated, and how it went. */
typedef struct {
	bool brief;    /* few trials of what has a target */
	size_t one_in; /* and so many times fewer, for what takes no program's start */
	/* Ask the program, too: it has to say of each trial what its parts say. */
	const char *program;
	bool through_program;
	size_t held, missed;
	const char *skipped; /* what could not be done, and why; NULL: nothing */
} simulation;

/* Each prints its table and holds it against its targets. */
RG_CHECKED rg_error *simulate_verdicts(simulation *s);
RG_CHECKED rg_error *simulate_runs(simulation *s);
RG_CHECKED rg_error *simulate_pipeline(simulation *s);
RG_CHECKED rg_error *simulate_breaks(simulation *s);
RG_CHECKED rg_error *simulate_smallest(simulation *s);
RG_CHECKED rg_error *simulate_tolerances(simulation *s);
RG_CHECKED rg_error *simulate_uneven(simulation *s);
RG_CHECKED rg_error *simulate_ordered(simulation *s);
RG_CHECKED rg_error *simulate_training(simulation *s);

/* The number of trials: `many`, or in a brief simulation `few` divided by `one_in`. */
size_t simulate_trials(const simulation *s, size_t many, size_t few);
/* Holds a share of so many trials against a target, give or take three standard errors of the
 * target itself. One that is missed is said with the table and the cell's name. */
void simulate_at_least(simulation *s, double share, double target, size_t trials,
		       const char *format, ...) __attribute__((format(printf, 5, 6)));
void simulate_at_most(simulation *s, double share, double target, size_t trials, const char *format,
		      ...) __attribute__((format(printf, 5, 6)));

/* A run of a loss that falls, with noise of this kind. */
double simulate_curve(size_t step);
/* Does a step of a run (SIMULATE_STEPS) differ from the golden's by more than the tolerance? */
bool simulate_fails(const rg_tolerance *tolerance, const double *golden, const double *fresh);
void simulate_run(rg_random *random, const noise_kind *kind, double *out, size_t run, size_t runs);

#endif

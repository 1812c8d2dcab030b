/* SPDX-License-Identifier: Apache-2.0 */
/* Real nondeterminism: equal runs of a training loop, and runs with another learning rate. */
#include "simulate/made_up.h"
#include "simulate/simulate.h"
#include "simulate/training.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	GOLDENS = 4,
	VALUES = GOLDENS * TRAINING_METRICS * TRAINING_STEPS,
	EQUAL = 48,
	OTHER = 10,
	MEASURED = 24,
	SPLIT = 60, /* equal runs differ from the fifth digit on */
};
#define LEVEL 0.1
/* numpy's own. */
#define CLOSE_RTOL 1e-5
#define CLOSE_ATOL 1e-8

static double equal[EQUAL][VALUES];

static void train(double *out, double rate, size_t from)
{
	for (unsigned g = 0; g < GOLDENS; g++) {
		const training_case c = {g, rate, from};

		training_run(out + g * TRAINING_METRICS * TRAINING_STEPS, &c);
	}
}

static bool is_close(const double *golden, const double *fresh)
{
	for (size_t i = 0; i < VALUES; i++)
		if (!(fabs(fresh[i] - golden[i]) <= CLOSE_ATOL + CLOSE_RTOL * fabs(golden[i])))
			return false;
	return true;
}

static bool is_same(const double *a, const double *b)
{
	size_t i = 0;

	while (i < VALUES && a[i] == b[i])
		i++;
	return i == VALUES;
}

/* The last loss, the mean over the goldens. */
static double last_loss(const double *run)
{
	double sum = 0;

	for (size_t g = 0; g < GOLDENS; g++)
		sum += run[g * TRAINING_METRICS * TRAINING_STEPS + TRAINING_STEPS - 1];
	return sum / GOLDENS;
}

static bool is_last_outside(const made_up *runs, const double *fresh)
{
	size_t below = 0, above = 0;

	for (size_t r = 0; r < runs->runs; r++) {
		below += last_loss(runs->values[r]) < last_loss(fresh);
		above += last_loss(runs->values[r]) > last_loss(fresh);
	}
	return below == runs->runs || above == runs->runs;
}

typedef struct {
	size_t changed, golden, outside, rows, apart, last, trials;
} outcomes;

/* Measured are some of the equal runs, drawn, the next one of which is the golden; the fresh one is
 * not among them. */
static rg_error *try_run(outcomes *out, const double *fresh, size_t place, rg_random *random)
{
	static made_up runs = {.runs = MEASURED,
			       .files = GOLDENS,
			       .series = TRAINING_METRICS,
			       .steps = TRAINING_STEPS};
	size_t order[EQUAL], count = 0;
	made_up_verdict verdict;

	for (size_t i = 0; i < EQUAL; i++)
		if (i != place)
			order[count++] = i;
	for (size_t i = 0; i <= MEASURED; i++) {
		const size_t at = i + (size_t)rg_random_below(random, count - i), drawn = order[at];

		order[at] = order[i];
		order[i] = drawn;
		if (i < MEASURED)
			memcpy(runs.values[i], equal[drawn], sizeof(equal[drawn]));
	}
	const double *golden = equal[order[MEASURED]];
	RG_TRY(made_up_judge(&verdict, &runs, golden, fresh, LEVEL));
	out->changed += verdict.run.fresh.answer == RG_ANSWER_CHANGED;
	out->golden += verdict.run.golden.answer == RG_ANSWER_CHANGED;
	out->outside += verdict.outside;
	out->rows += verdict.rows;
	out->apart += !is_close(golden, fresh);
	out->last += is_last_outside(&runs, fresh);
	out->trials++;
	return NULL;
}

static double share(size_t count, const outcomes *o)
{
	return (double)count / (double)o->trials;
}

static void show(const char *what, const outcomes *o)
{
	printf("%-36s %8zu %8.1f %8.1f %8.1f %9.1f %8.1f\n", what, o->trials,
	       100 * share(o->changed, o), 100 * share(o->golden, o),
	       o->rows ? 100 * (double)o->outside / (double)o->rows : 0, 100 * share(o->apart, o),
	       100 * share(o->last, o));
}

static rg_error *try_rate(outcomes *out, double rate, size_t from, rg_random *random)
{
	double fresh[VALUES];

	*out = (outcomes){0};
	for (size_t t = 0; t < OTHER; t++) {
		train(fresh, rate, from);
		RG_TRY(try_run(out, fresh, EQUAL, random));
	}
	return NULL;
}

rg_error *simulate_training(simulation *s)
{
	rg_random random = {7};
	outcomes same = {0}, early, late;
	size_t patterns = 1;

	for (size_t r = 0; r < EQUAL; r++) {
		train(equal[r], 1, 0);
		patterns += !is_same(equal[r], equal[0]);
	}
	if (patterns == 1) {
		s->skipped = "training: four threads add in the same order each time, so that "
			     "nothing is nondeterministic here";
		return NULL;
	}
	for (size_t r = 0; r < EQUAL; r++)
		RG_TRY(try_run(&same, equal[r], r, &random));
	RG_TRY(try_rate(&early, 1.01, 0, &random));
	RG_TRY(try_rate(&late, 1.01, SPLIT, &random));
	printf("\na training loop, gradients summed as four threads deliver them: %d equal runs of "
	       "%d goldens with %d metrics, %zu of which differ from the first; by %d measured "
	       "runs, level %g %%: runs, called changed, the golden is, rows outside, not "
	       "allclose, "
	       "the last loss outside all, in %%\n",
	       EQUAL, GOLDENS, TRAINING_METRICS, patterns - 1, MEASURED, 100 * LEVEL);
	show("equal runs", &same);
	show("learning rate x 1.01 from step 0", &early);
	show("learning rate x 1.01 from step 60", &late);
	simulate_at_most(s, share(same.changed, &same), LEVEL, EQUAL, "training: changed");
	simulate_at_most(s, share(same.golden, &same), LEVEL, EQUAL, "training: the golden");
	simulate_at_least(s, share(early.changed, &early), 0.95, OTHER,
			  "training, from step 0: changed");
	return NULL;
}

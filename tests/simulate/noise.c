/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/noise.h"

#include <math.h>
#include <string.h>

double noise_uniform(rg_random *random)
{
	return ((double)(rg_random_next(random) >> 11) + 0.5) * 0x1p-53;
}

/* Box and Muller (1958). */
double noise_normal(rg_random *random)
{
	double radius = sqrt(-2 * log(noise_uniform(random)));

	return radius * cos(2 * 3.14159265358979323846 * noise_uniform(random));
}

#define KIND(name) \
	static void name(rg_random *random, double *out, size_t steps, size_t run, size_t runs)

KIND(gaussian)
{
	(void)run, (void)runs;
	for (size_t s = 0; s < steps; s++)
		out[s] = noise_normal(random);
}

/* Student's t with two degrees of freedom: no variance. */
KIND(t2)
{
	(void)run, (void)runs;
	for (size_t s = 0; s < steps; s++)
		out[s] = noise_normal(random) / sqrt(-log(noise_uniform(random)));
}

KIND(cauchy)
{
	(void)run, (void)runs;
	for (size_t s = 0; s < steps; s++)
		out[s] = noise_normal(random) / noise_normal(random);
}

KIND(lognormal)
{
	(void)run, (void)runs;
	for (size_t s = 0; s < steps; s++)
		out[s] = (exp(noise_normal(random)) - exp(0.5)) / 2.16;
}

static void autoregress(rg_random *random, double *out, size_t steps, double by)
{
	double last = noise_normal(random);

	for (size_t s = 0; s < steps; s++)
		out[s] = last = by * last + sqrt(1 - by * by) * noise_normal(random);
}

KIND(ar50)
{
	(void)run, (void)runs;
	autoregress(random, out, steps, 0.5);
}

KIND(ar95)
{
	(void)run, (void)runs;
	autoregress(random, out, steps, 0.95);
}

/* Each run is off as a whole, by as much as a step. */
KIND(run_effects)
{
	double off = noise_normal(random);

	gaussian(random, out, steps, run, runs);
	for (size_t s = 0; s < steps; s++)
		out[s] = (out[s] + off) / sqrt(2);
}

KIND(run_effects_t2)
{
	double off;

	t2(random, &off, 1, run, runs);
	gaussian(random, out, steps, run, runs);
	for (size_t s = 0; s < steps; s++)
		out[s] += off;
}

/* Steps differ in how noisy they are. */
KIND(uneven)
{
	gaussian(random, out, steps, run, runs);
	for (size_t s = 0; s < steps; s++)
		out[s] *= 0.2 + 4 * (double)s / (double)steps;
}

KIND(quantised)
{
	gaussian(random, out, steps, run, runs);
	for (size_t s = 0; s < steps; s++)
		out[s] = rint(out[s]);
}

/* Mostly the same to the bit; now and then a step has its other value. */
KIND(rare_flips)
{
	(void)run, (void)runs;
	for (size_t s = 0; s < steps; s++)
		out[s] = noise_uniform(random) < 0.01 ? 1 : 0;
}

/* Each row of a run in five is off at its later steps by a hundredth of the usual, all else agrees
 * to the bit. */
KIND(flips)
{
	size_t from = (size_t)rg_random_below(random, steps);
	bool other = noise_uniform(random) < 0.2;

	(void)run, (void)runs;
	for (size_t s = 0; s < steps; s++)
		out[s] = other && s >= from ? 0.01 * noise_normal(random) : 0;
}

/* Half of the runs are off by ten, as are all their steps. */
KIND(modes)
{
	double off = noise_uniform(random) < 0.5 ? 10 : 0;

	gaussian(random, out, steps, run, runs);
	for (size_t s = 0; s < steps; s++)
		out[s] += off;
}

/* One run in ten is another from a step on, the others agree to the bit. */
KIND(rare_runs)
{
	size_t from = (size_t)rg_random_below(random, steps);
	bool other = noise_uniform(random) < 0.1;

	(void)run, (void)runs;
	for (size_t s = 0; s < steps; s++)
		out[s] = other && s >= from ? 1 : 0;
}

/* One run in twenty is bad. */
KIND(bad_runs)
{
	double off = noise_uniform(random) < 0.05 ? 50 * noise_normal(random) : 0;

	gaussian(random, out, steps, run, runs);
	for (size_t s = 0; s < steps; s++)
		out[s] += off;
}

/* Runs have a spread of their own. */
KIND(mixed_scales)
{
	double scale = exp(noise_normal(random));

	gaussian(random, out, steps, run, runs);
	for (size_t s = 0; s < steps; s++)
		out[s] *= scale;
}

KIND(drift)
{
	gaussian(random, out, steps, run, runs);
	for (size_t s = 0; s < steps; s++)
		out[s] += 3 * (double)run / (double)runs;
}

const noise_kind noise_kinds[] = {
	{"gaussian", true, gaussian},
	{"t2", true, t2},
	{"cauchy", true, cauchy},
	{"lognormal", true, lognormal},
	{"ar(.5) steps", true, ar50},
	{"ar(.95) steps", true, ar95},
	{"run effects", true, run_effects},
	{"run effects, t2", true, run_effects_t2},
	{"uneven steps", true, uneven},
	{"quantised", true, quantised},
	{"rare flips", true, rare_flips},
	{"flips", true, flips},
	{"rare runs", true, rare_runs},
	{"modes", true, modes},
	{"bad runs", true, bad_runs},
	{"mixed scales", true, mixed_scales},
	{"drift", false, drift},
};
const size_t noise_kind_count = sizeof(noise_kinds) / sizeof(*noise_kinds);

const noise_kind *noise_find(const char *name)
{
	for (size_t i = 0; i < noise_kind_count; i++)
		if (!strcmp(noise_kinds[i].name, name))
			return &noise_kinds[i];
	return NULL;
}

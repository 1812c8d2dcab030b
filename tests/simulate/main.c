/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reruns the tables of regild-noise(7) and holds them against their targets.
 * usage: simulate [--brief|--brief=N], N: one in N of the trials that --brief has
 * [verdicts|runs|pipeline|breaks|smallest|tolerances|uneven|ordered|training]... It ends with 77 if
 * it had to skip all of them.
 */
#include "simulate/simulate.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

double simulate_curve(size_t step)
{
	return 2 + 9 * exp(-(double)step / 12);
}

void simulate_run(rg_random *random, const noise_kind *kind, double *out, size_t run, size_t runs)
{
	kind->make(random, out, SIMULATE_STEPS, run, runs);
	for (size_t s = 0; s < SIMULATE_STEPS; s++)
		out[s] = simulate_curve(s) * (1 + SIMULATE_SIGMA * out[s]);
}

size_t simulate_trials(const simulation *s, size_t many, size_t few)
{
	return s->brief ? few / s->one_in : many;
}

static double three_errors(double target, size_t trials)
{
	return 3 * sqrt(target * (1 - target) / (double)trials);
}

static void count(simulation *s, bool holds, double share, double limit, const char *format,
		  va_list arguments) RG_PRINTF(5, 0);

static void count(simulation *s, bool holds, double share, double limit, const char *format,
		  va_list arguments)
{
	s->held += holds;
	s->missed += !holds;
	if (holds)
		return;
	fprintf(stderr, "missed: ");
	vfprintf(stderr, format, arguments);
	fprintf(stderr, ": %.1f %%, the limit is %.1f %%\n", 100 * share, 100 * limit);
}

void simulate_at_least(simulation *s, double share, double target, size_t trials,
		       const char *format, ...)
{
	double limit = target - three_errors(target, trials);
	va_list arguments;

	va_start(arguments, format);
	count(s, share >= limit, share, limit, format, arguments);
	va_end(arguments);
}

void simulate_at_most(simulation *s, double share, double target, size_t trials, const char *format,
		      ...)
{
	double limit = target + three_errors(target, trials);
	va_list arguments;

	va_start(arguments, format);
	count(s, share <= limit, share, limit, format, arguments);
	va_end(arguments);
}

typedef struct {
	const char *name;
	rg_error *(*run)(simulation *s);
} table;

static const table tables[] = {
	{"verdicts", simulate_verdicts}, {"runs", simulate_runs},
	{"pipeline", simulate_pipeline}, {"breaks", simulate_breaks},
	{"smallest", simulate_smallest}, {"tolerances", simulate_tolerances},
	{"uneven", simulate_uneven},     {"ordered", simulate_ordered},
	{"training", simulate_training},
};

static bool is_wanted(const table *t, int argc, char **argv)
{
	bool named = false, any = false;

	for (int i = 1; i < argc; i++) {
		any |= *argv[i] != '-';
		named |= !strcmp(argv[i], t->name);
	}
	return named || !any;
}

int main(int argc, char **argv)
{
	char program[4096];
	simulation s = {.brief = false, .one_in = 1, .program = program};

	/* The regild that was built beside it. */
	snprintf(program, sizeof(program), "%s", *argv);
	char *slash = strrchr(program, '/');
	snprintf(slash ? slash + 1 : program,
		 sizeof(program) - (size_t)(slash ? slash + 1 - program : 0), "regild");
	/* Tables take minutes. */
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	for (int i = 1; i < argc; i++)
		if (!strncmp(argv[i], "--brief", strlen("--brief"))) {
			s.brief = true;
			s.one_in = strtoul(argv[i] + strcspn(argv[i], "123456789"), NULL, 10);
			s.one_in += !s.one_in;
		}
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		rg_error *err = is_wanted(&tables[i], argc, argv) ? tables[i].run(&s) : NULL;

		if (err) {
			fprintf(stderr, "simulate: %s: %s\n", tables[i].name,
				rg_error_message(err));
			rg_error_free(err);
			return 2;
		}
	}
	if (s.skipped)
		printf("skip %s\n", s.skipped);
	if (s.skipped && !s.held && !s.missed)
		return SKIPPED;
	printf("\n%zu targets held, %zu missed\n", s.held, s.missed);
	return s.missed || !s.held ? 1 : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_TOLERANCE_H
#define REGILD_AUDIT_TOLERANCE_H

#include "audit/statistics.h"
#include "golden/golden.h"

#include <stdbool.h>

/*
 * Tolerances out of what runs did, the way Megatron-LM's own tests compare: most metrics step by
 * step, iteration-time by each run's median, mem-* by each run's maximum. By the rate at which
 * fresh runs fail, or the largest |value - mean| / |mean| (where |mean| <= 1e-9: the largest
 * |value|) times a multiplier.
 */
typedef enum {
	RG_TOLERANCE_BY_STEP,
	RG_TOLERANCE_BY_MEDIAN, /* of a run's values but the first start_step ones */
	RG_TOLERANCE_BY_MAX,    /* of a run's values but the first one */
} rg_tolerance_kind;

rg_tolerance_kind rg_tolerance_kind_of(const char *metric);
/* "step", "median", "maximum" */
const char *rg_tolerance_kind_text(rg_tolerance_kind kind);

typedef struct {
	double multiplier;  /* of the largest deviation */
	int64_t start_step; /* by step: steps under it do not count; by median: so many values */
	/* Over 0: by the rate at which fresh runs fail, and not by the multiplier. */
	double fail_rate;
} rg_tolerance_options;

typedef struct {
	rg_tolerance_kind kind;
	/* By the rate alone: how often a fresh run fails, with 95 % confidence (`fail_low`,
	 * `fail_high`): of resampled runs (Efron 1979), a run more or less, and at least what n
	 * runs without a failure leave open; whether it is by theory, for want of runs. */
	bool by_rate, by_theory;
	double max_relative, max_absolute; /* observed, not rounded */
	double relative;                   /* at least 0.001, rounded to 4 places */
	double absolute;                   /* at least 1e-6 */
	size_t included;                   /* steps, or runs, that it comes from */
	size_t runs;                       /* the most that a step, or the figure, has */
	int64_t first_step;                /* steps before it do not count; 0: all do */
	double fail_low, fail_high;
	/* Later runs failed what was fitted to those before them; then, and where runs drift,
	 * nothing bounds how often one fails. */
	bool failed_later, not_bounded;
	/* A tolerance fitted to the older half fails so many of the newer runs, the mean over the
	 * older ones as goldens; random halves do so as often as `chance`. 0: too few runs. */
	size_t older, newer, failed;
	double chance;
	/* The first and the last run that it was fitted to, and tested on, into rg_audit.runs. */
	size_t tested[4];
} rg_tolerance;

enum {
	/* The spread of fewer says too little of what the next run will do. */
	RG_TOLERANCE_RUNS_MIN = 5,
	/* By the rate: more say little, and pairs are many; the last ones count. */
	RG_TOLERANCE_RUNS_MAX = 100,
};

void rg_tolerance_init(rg_tolerance *tolerance, rg_tolerance_kind kind);
/* Takes a step's (or all runs' figures') sample in. Empty ones do not count. */
void rg_tolerance_add(rg_tolerance *tolerance, const rg_sample *sample);
void rg_tolerance_finish(rg_tolerance *tolerance, const rg_tolerance_options *options);
/* Does it come from enough runs? Else nothing is recommended. */
bool rg_tolerance_is_measured(const rg_tolerance *tolerance);
/* And can a metric be held to it? One over 1 would let anything pass. */
bool rg_tolerance_holds(const rg_tolerance *tolerance);
/*
 * Takes it from the rate at which it fails: |fresh - golden| <= atol + rtol * |golden| at every
 * step, where the golden is one of the runs and the fresh one another. Each ordered pair of runs
 * needs some rtol; with F(rtol) the share of pairs that need more, the smallest rtol is taken with
 * (n F + 1) / (n + 1) <= rate: one more run fails at that rate at most, whatever the noise looks
 * like (conformal risk control: Angelopoulos et al. 2022).
 *
 * n runs can show no rate under 1 / (n + 1). There, the pairs' needs are taken to be lognormal, and
 * their mean and spread over the runs, with Student's t for their number, give it.
 *
 * From ten runs on, the same is fitted to the older half and tested on the newer one, with the
 * older runs as goldens. What is found is widened until it holds there.
 *
 * `values` are those of a run one after the other, the oldest first, runs * steps of them, all
 * finite; `rate` is over 0 and under 1. What is found is not rounded, and is
 * infinite where no tolerance does it.
 */
void rg_tolerance_by_rate(rg_tolerance *tolerance, const double *values, size_t runs, size_t steps,
			  double rate);
/* To three digits. */
double rg_tolerance_round_up(double value);
/* Says whether it held for later runs, one of `among` tolerances of which at most 5 % of audits
 * call any wrongly so, and whether anything bounds how often runs fail. */
void rg_tolerance_bound(rg_tolerance *tolerance, bool drifts, size_t among);
/* Would it fail runs that were measured, by more than the rate? */
bool rg_tolerance_is_tighter_than_spread(const rg_tolerance *tolerance);

/* The figure of one run, by kind; `values` in step order, NaN left out, reordered. NaN where
 * nothing is left. */
double rg_tolerance_figure(rg_tolerance_kind kind, double *values, size_t count,
			   int64_t start_step);

/* As the settings of a [metric "NAME"] section: kind = combined with rtol and atol, aggregated as
 * the tests do it. */
#define RG_POLICY_ENTRIES 5

typedef struct {
	const char *key;
	char value[32];
} rg_policy_entry;

/* How many of `out` are filled in. */
size_t rg_policy_entries(rg_policy_entry out[static RG_POLICY_ENTRIES],
			 const rg_tolerance *tolerance);

#endif

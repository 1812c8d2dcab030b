/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_DEPENDENCE_H
#define REGILD_AUDIT_DEPENDENCE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Do runs depend on their order? Ranks that bound how often a run is far out take them to be
 * exchangeable, which runs that drift are not.
 */
typedef struct {
	size_t count; /* of the values that were looked at */
	/* Kendall's rank correlation of the values with their order, -1 … 1, and how often chance
	 * alone makes it as large (Mann 1945, Kendall 1975): exact for up to 50 values without
	 * ties, else by the normal distribution with the variance of ties. NaN where all values
	 * are equal. */
	double trend, p;
	/* How ranks go with the one before: their autocorrelation at lag 1 (Wald, Wolfowitz
	 * 1943). NaN where all values are equal. */
	double lag1;
} rg_dependence;

/* Only so many of the values count, the newest ones. */
enum { RG_DEPENDENCE_MAX = 500 };
/* One series drifts at this level; of many, the chance of a false one among all is 5 %. */
#define RG_DRIFT_LEVEL 0.01
#define RG_DRIFT_RATE  0.05

/* `values` are finite, in the runs' order. */
void rg_dependence_find(rg_dependence *out, const double *values, size_t count);
/* Do the runs drift, of a series that is one of `among`? */
bool rg_dependence_drifts(const rg_dependence *dependence, size_t among);

/*
 * Do runs that depend on their order keep to levels, or drift? Levels, up to
 * RG_LEVELS_MAX of them, are compared with a line, with each value following from the one before,
 * and with both, by the squares that each leaves and what its figures cost (Schwarz 1978): two
 * for a level more, one for a slope, one for following. What is far from the median is taken to be
 * nearer, since a square of it would decide alone.
 */
enum { RG_LEVELS_MAX = 8 };
bool rg_dependence_is_levels(const double *values, size_t count);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/distributions.h"

#include <float.h>
#include <math.h>

enum { TERMS_MAX = 10000 };

/* The continued fraction of the incomplete beta function (Abramowitz, Stegun 1964, 26.5.8) by
 * Lentz's method (1976), for x under (a + 1) / (a + b + 2), where it converges fast. */
static double fraction(double x, double a, double b)
{
	double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), value = d, change = 0;
	for (int term = 1; term < TERMS_MAX && fabs(change - 1) > 4 * DBL_EPSILON; term++) {
		double m = term;
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / (1 + even * d);
		c = 1 + even / c;
		value *= c * d;
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		change = c * d;
		value *= change;
	}
	return value;
}

/* A beta distribution. */
typedef struct {
	double a, b;
	double size; /* the logarithm of the beta function */
} beta;

/* Nobody reads the sign that lgamma also leaves. */
static beta make_beta(double a, double b)
{
	return (beta){a, b, lgamma(a) + lgamma(b) - lgamma(a + b)};
}

/* The share that is under x: the regularised incomplete beta function. */
static double beta_share(const beta *of, double x)
{
	const double a = of->a, b = of->b;
	if (!(x > 0))
		return 0;
	if (x >= 1)
		return 1;
	double front = exp(a * log(x) + b * log1p(-x) - of->size);
	return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a
					 : 1 - front * fraction(1 - x, b, a) / b;
}

/* Its inverse, by halves. */
static double beta_quantile(const beta *of, double share)
{
	double low = 0, high = 1;
	while (high - low > 2 * DBL_EPSILON * high && high > DBL_MIN) {
		double middle = low + (high - low) / 2;
		if (beta_share(of, middle) < share)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double rg_t_tail(double t, double freedom)
{
	beta of = make_beta(freedom / 2, 0.5);
	return beta_share(&of, freedom / (freedom + t * t));
}

double rg_t_quantile(double rate, double freedom)
{
	beta of = make_beta(freedom / 2, 0.5);
	double x = beta_quantile(&of, 2 * rate);

	return sqrt(freedom * (1 - x) / x);
}

double rg_f_quantile(double share, double above, double below)
{
	beta of = make_beta(above / 2, below / 2);
	double x = beta_quantile(&of, share);

	return below * x / (above * (1 - x));
}

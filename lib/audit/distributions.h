/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_AUDIT_DISTRIBUTIONS_H
#define REGILD_AUDIT_DISTRIBUTIONS_H

/* Distributions of normal theory. Degrees of freedom are at least 1. */

/* How often |t| with so many degrees of freedom is as large. */
double rg_t_tail(double t, double freedom);
/* The value that t is over in a share `rate` (0 … 0.5) of cases. */
double rg_t_quantile(double rate, double freedom);
/* The value that F is under in that share (0 … 1) of cases; the degrees of freedom are those of
 * what is divided and of what divides. */
double rg_f_quantile(double share, double above, double below);

#endif

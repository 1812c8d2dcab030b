/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_RUN_GUESS_H
#define REGILD_SOURCE_RUN_GUESS_H

#include "base/name_pattern.h"

/*
 * Which part of an artifact's name is {run}, where nobody says which run it is of. In
 * "logs-gpt_tp1-22651183945-4f1c0a11-2222-4d1e" several numbers could be. The run's is the one that
 * fits most of the names; of equal ones the longest. Each name gets the most frequent number of its
 * own, so that artifacts of two runs may lie side by side.
 */

/* Fills out[i] with the {run} of names[i], a part of it; empty where no number in it fits, and
 * where the pattern has no {run}. */
void rg_guess_runs(rg_field_value *out, const char *const *names, size_t count,
		   const rg_name_pattern *pattern);

#endif

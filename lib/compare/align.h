/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_COMPARE_ALIGN_H
#define REGILD_COMPARE_ALIGN_H

#include "golden/golden.h"

/*
 * Makes two tables comparable: the new side's records get the places that the old side has for
 * their keys, and those that only the new side has come after. From then on both sides' metrics
 * have the same `records`, and a step is the same record on both.
 *
 * A column that has numbers on one side has them on both, if only none: what else is in its cells
 * becomes a metric beside it, "COLUMN (texts)".
 *
 * Texts with numbers are aligned by their lines (compare/text_align.h). Of two goldens of which one
 * is such a text the other becomes one, if it can.
 *
 * Results of tests as a whole become those of their subtests. Other goldens
 * that are not tables stay as they are. Either may be NULL. The new side borrows the old
 * one from then on; what is between them may be freed in any order. RG_E_PARSE.
 */
RG_CHECKED rg_error *rg_goldens_align(rg_golden *old, rg_golden *fresh);

/* For many tables, one after the other: the golden's records get the places that they have in the
 * first one, whose list of records grows by those that it lacks. Columns stay as they are. The
 * golden borrows the first one from then on. */
RG_CHECKED rg_error *rg_golden_follow(rg_golden *first, rg_golden *golden);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_INSPECT_H
#define REGILD_UPDATE_INSPECT_H

#include "update/plan.h"

/*
 * What looking at an item's bytes and surroundings shows: its rows, metrics, findings. Part of
 * making a plan.
 */
typedef struct rg_inspector rg_inspector;

/* Reads the index, what is uncommitted, and what earlier updates wrote. Borrows both. */
RG_CHECKED rg_error *rg_inspector_new(rg_inspector **out, rg_plan *plan, rg_journal *journal);
void rg_inspector_free(rg_inspector *inspector);

/* Fills in what the item's `old`, `new_side` and `change` do not say. */
RG_CHECKED rg_error *rg_inspect(rg_inspector *inspector, rg_plan_item *item, const rg_buf *old,
				const rg_buf *fresh);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_SERIES_H
#define REGILD_GOLDEN_SERIES_H

#include "golden/golden.h"

/*
 * The fast way through a file of training series and nothing else: one pass over the bytes,
 * straight into the arrays, no tree. *taken is false, and the golden as it was, for whatever is not
 * plainly that (an escape in a name, a list of values, any error): the reader in json.c, its
 * oracle, then decides. What is taken comes out exactly as json.c would give it.
 */
RG_CHECKED rg_error *rg_series_read(rg_golden *golden, const rg_input *in, bool *taken);

#endif

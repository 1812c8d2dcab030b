/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_REWRITTEN_SIDE_H
#define REGILD_FLOW_REWRITTEN_SIDE_H

#include "source/manifest.h"
#include "golden/golden.h"

/* Of a staged table that is not copied, *fresh becomes what an update would write over the old
 * side. It is in `table`, an initialised buffer, until the next call. What is no table, or not
 * staged
 * (`golden` is NULL), stays as it is. */
RG_CHECKED rg_error *rg_rewritten_side(rg_buf *table, const rg_manifest_golden *golden,
				       const rg_golden_options *formats, const rg_input *old,
				       rg_input *fresh);

#endif

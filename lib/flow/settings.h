/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_SETTINGS_H
#define REGILD_FLOW_SETTINGS_H

#include "base/optional.h"
#include "compare/policy.h"
#include "config/config.h"
#include "flow/heeded.h"
#include "golden/golden.h"
#include "report/columns.h"

/* The user's word on goldens that do not say it themselves; a flow's options. */
typedef struct {
	const char *dtype, *shape;     /* of raw tensors */
	rg_optional_integer run_index; /* rg_golden_options.run_index */
} rg_format_choice;

/* The options for readers, from flags and the [tensor "PATTERN"] and [table "PATTERN"] sections. */
typedef struct {
	rg_golden_options options;
	rg_tensor_type *types;      /* owned; options point at them */
	rg_table_rule *table_rules; /* the same */
	rg_heeded *heeded;          /* whom options ask of other goldens */
	rg_arena arena;
} rg_formats;

/* `choice` may be NULL. RG_E_USAGE for a wrong type, shape or key, naming where it is.
 * `loaded` is released whatever comes back. */
RG_CHECKED rg_error *rg_formats_load(rg_formats *loaded, const rg_flow *flow,
				     const rg_format_choice *choice);
void rg_formats_release(rg_formats *loaded);

/* The [metric "PATTERN"] sections of the configuration. *out is the caller's, freed with
 * rg_policy_free. RG_E_USAGE for a wrong key or value, naming the section. */
RG_CHECKED rg_error *rg_policy_load(rg_policy **out, const rg_config *config);

/* The settings by which columns split goldens' paths. It borrows the settings. */
rg_column_context rg_columns_of(const rg_config *config);

#endif

#ifndef REGILD_CMD_POLICY_H
#define REGILD_CMD_POLICY_H

#include "command.h"
#include "compare/policy.h"

/* The [metric "PATTERN"] sections of the configuration. *out is the caller's, freed with
 * rg_policy_free. RG_E_USAGE for a key or value that is none, naming the section. */
RG_CHECKED rg_error *policy_load(rg_policy **out, const rg_config *config);

#endif

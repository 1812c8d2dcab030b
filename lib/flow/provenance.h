/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_PROVENANCE_H
#define REGILD_FLOW_PROVENANCE_H

#include "audit/model.h"
#include "compare/policy.h"
#include "source/manifest.h"

#include <cJSON.h>

/* The origin of what is reported, and what it was compared with. Any part may be NULL. */
typedef struct {
	rg_manifest *manifest; /* of the goldens that have just been put in, or of a run's */
	const rg_policy *policy;
	const rg_noise_model *noise;
	const char *noise_name; /* its file's */
	double noise_level;
} rg_provenance;

/*
 * The same as data, for the page's templates and as the member "provenance" of JSON: of the run
 * what its source says, its jobs, its artifacts and goldens with their digests; the policy's
 * sections; the noise model's runs. *out is freed with cJSON_Delete.
 */
RG_CHECKED rg_error *rg_provenance_view(cJSON **out, const rg_provenance *provenance);

/* The document's row of it. */
extern const rg_json_field rg_provenance_fields[];

#endif

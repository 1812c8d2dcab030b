/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SOURCE_TOKEN_H
#define REGILD_SOURCE_TOKEN_H

#include "source/run_url.h"

/*
 * The token: GITHUB_TOKEN, else GH_TOKEN, else what `gh auth token` prints for the host where gh is
 * installed. For a host that is neither github.com, below ghe.com nor at GITHUB_API_URL, the
 * first two are GH_ENTERPRISE_TOKEN and GITHUB_ENTERPRISE_TOKEN, as gh has it. RG_E_AUTH where
 * there is none, and for a host that is not github.com and that the user did not name: by the
 * repository (rg_repository.named), GH_HOST, GITHUB_SERVER_URL or GITHUB_API_URL. *out is the
 * caller's, freed with rg_token_free, which wipes it.
 */
RG_CHECKED rg_error *rg_token_find(char **out, const rg_repository *repository);
void rg_token_free(char *token);

#endif

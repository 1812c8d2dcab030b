#ifndef REGILD_SOURCE_TOKEN_H
#define REGILD_SOURCE_TOKEN_H

#include "base/error.h"

/*
 * The token: GITHUB_TOKEN, else GH_TOKEN, else what `gh auth token` prints for the host where gh is
 * installed. For a host that is neither github.com, below ghe.com nor behind GITHUB_API_URL, the
 * first two are GH_ENTERPRISE_TOKEN and GITHUB_ENTERPRISE_TOKEN, as gh has it. RG_E_AUTH where
 * there is none. *out is the caller's, freed with rg_token_free, which wipes it.
 */
RG_CHECKED rg_error *rg_token_find(char **out, const char *host);
void rg_token_free(char *token);

#endif

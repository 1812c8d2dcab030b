/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/open_history.h"

#include "source/settings.h"

#include <stdlib.h>
#include <strings.h>

/* A server sorts a year of runs before it says a word. */
static const double answer_seconds = 300;

const char *rg_flow_history_address(const rg_flow *flow)
{
	const char *address = getenv("REGILD_HISTORY");
	if ((!address || !*address) && flow->config)
		address = rg_config_get(flow->config, "regild.history");
	return address && *address ? address : NULL;
}

rg_error *rg_flow_history_access(rg_history_access *out, const rg_flow *flow)
{
	*out = (rg_history_access){.http = rg_http_options_default()};
	out->http.stall = answer_seconds;
	rg_settings_timing(&out->http);
	/* Not the progress display: the history is still read when that has ended. */
	out->http.log = &flow->log;
	const char *value = flow->config ? rg_config_get(flow->config, "regild.historyInsecure")
					 : NULL;
	out->insecure = value && (!strcasecmp(value, "true") || !strcasecmp(value, "yes"));
	if (!value || out->insecure || !strcasecmp(value, "false") || !strcasecmp(value, "no"))
		return NULL;
	return rg_config_blame(
		flow->config, "regild.historyInsecure",
		rg_error_new(RG_E_USAGE, "regild.historyInsecure: '%s' is neither true nor false",
			     value));
}

rg_error *rg_flow_open_history_at(rg_history_store **out, const rg_flow *flow, const char *address)
{
	rg_history_access access;
	*out = NULL;
	RG_TRY(rg_flow_history_access(&access, flow));
	return rg_history_open(out, address, &access);
}

rg_error *rg_flow_open_history(rg_history_store **out, const rg_flow *flow)
{
	return rg_flow_open_history_at(out, flow, rg_flow_history_address(flow));
}

rg_error *rg_flow_open_shared_history(rg_history_store **out, const rg_flow *flow)
{
	*out = NULL;
	if (rg_flow_history_address(flow))
		return rg_flow_open_history(out, flow);
	return rg_error_new(RG_E_USAGE, "no shared history is set: set REGILD_HISTORY, or "
					"regild.history with 'git config'");
}

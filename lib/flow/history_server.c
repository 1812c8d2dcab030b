/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/history_server.h"

#include "flow/open_history.h"

#include <string.h>

/* *out: the address of the shared history if that is on a server, else NULL. */
static rg_error *find_server(const char **out, const rg_flow *flow)
{
	*out = rg_flow_history_address(flow);
	if (*out)
		RG_TRY(rg_history_check_address(*out));
	if (*out && !rg_history_is_remote(*out))
		*out = NULL;
	return NULL;
}

rg_error *rg_flow_history_ddl(rg_buf *out, const rg_flow *flow, const rg_history_layout *layout)
{
	const char *address;
	RG_TRY(find_server(&address, flow));
	return rg_history_ddl(out, address ? strrchr(address, '/') + 1 : "regild", layout, false);
}

static rg_error *make_tables(rg_buf *out, const rg_flow *flow, const char *address,
			     const rg_history_layout *layout, bool migrate)
{
	rg_history_access access;
	RG_TRY(rg_flow_history_access(&access, flow));
	if (!layout->cluster && !layout->replicated)
		return rg_history_init(address, &access, migrate);
	return rg_history_ddl_for(out, address, &access, layout, migrate);
}

rg_error *rg_flow_history_init(rg_buf *out, const rg_flow *flow, const rg_history_layout *layout)
{
	const char *address;
	RG_TRY(find_server(&address, flow));
	if (!address)
		return rg_error_new(
			RG_E_USAGE,
			"init: no server is named; set REGILD_HISTORY, or regild.history with "
			"'git config', to clickhouses://HOST/DATABASE");
	return make_tables(out, flow, address, layout, false);
}

rg_error *rg_flow_history_migrate(rg_buf *out, const rg_flow *flow, const rg_history_layout *layout,
				  bool *file, bool *done)
{
	const char *address;
	RG_TRY(find_server(&address, flow));
	*file = !address;
	if (address)
		return make_tables(out, flow, address, layout, true);
	if (layout->cluster || layout->replicated)
		return rg_error_new(RG_E_USAGE,
				    "migrate: --cluster and --replicated go with a history on "
				    "ClickHouse");
	return rg_history_migrate_file(rg_flow_history_address(flow), done);
}

rg_error *rg_flow_history_free_disks(rg_buf *out, const rg_flow *flow)
{
	rg_history_access access;
	const char *address;

	RG_TRY(find_server(&address, flow));
	if (!address)
		return NULL;
	RG_TRY(rg_flow_history_access(&access, flow));
	return rg_error_wrap(rg_history_delete_removed(out, address, &access),
			     "the runs are removed but still on the disk; prune again");
}

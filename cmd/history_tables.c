/* SPDX-License-Identifier: Apache-2.0 */
#include "history.h"

#include "flow/open_history.h"
#include "store/history_removed.h"
#include "store/history_tables.h"

#include <stdlib.h>
#include <string.h>

static rg_history_layout layout_of(const history_arguments *arguments)
{
	return (rg_history_layout){arguments->cluster, arguments->replicated};
}

rg_error *history_server(const char **out, const command_context *context)
{
	*out = rg_flow_history_address(&context->flow);
	if (*out)
		RG_TRY(rg_history_check_address(*out));
	if (*out && !rg_history_is_remote(*out))
		*out = NULL;
	return NULL;
}

rg_error *history_ddl(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	const rg_history_layout layout = layout_of(arguments);
	const char *address;
	rg_buf out;

	RG_TRY(history_server(&address, context));
	rg_buf_init(&out, RG_BUF_TEXT);
	rg_error *err =
		rg_history_ddl(&out, address ? strrchr(address, '/') + 1 : "regild", &layout);
	if (!err)
		fputs(out.data, stdout);
	rg_buf_release(&out);
	return err;
}

rg_error *history_init(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	const rg_history_layout layout = layout_of(arguments);
	rg_history_access access;
	const char *address;

	RG_TRY(history_server(&address, context));
	if (!address)
		return usage_error("init: which server? set REGILD_HISTORY, or regild.history with "
				   "'git config', to clickhouses://HOST/DATABASE");
	if (arguments->hosts.count && !arguments->cluster)
		return usage_error("--host goes with --cluster");
	RG_TRY(rg_flow_history_access(&access, &context->flow));
	return rg_history_init(address, &access, &layout, arguments->hosts.items,
			       arguments->hosts.count);
}

rg_error *history_free_disks(const command_context *context, const history_arguments *arguments)
{
	rg_history_access access;
	rg_history_hosts where = {.access = &access,
				  .hosts = arguments->hosts.items,
				  .host_count = arguments->hosts.count};

	RG_TRY(history_server(&where.address, context));
	if (!where.address)
		return NULL;
	RG_TRY(rg_flow_history_access(&access, &context->flow));
	return rg_error_wrap(rg_history_delete_removed(&where),
			     "the runs are removed, but still on the disk; prune again");
}

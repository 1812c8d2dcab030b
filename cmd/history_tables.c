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

const char *history_server(const command_context *context)
{
	const char *address = rg_flow_history_address(&context->flow);

	return address && rg_history_is_remote(address) ? address : NULL;
}

rg_error *history_ddl(command_context *context, const history_arguments *arguments,
		      char *const *operands, int count)
{
	const rg_history_layout layout = layout_of(arguments);
	const char *address = history_server(context);
	const char *database = address ? strrchr(address, '/') + 1 : "regild";
	rg_error *err;
	rg_buf out;

	(void)operands;
	(void)count;
	rg_buf_init(&out, RG_BUF_TEXT);
	err = rg_history_ddl(&out, database, &layout);
	if (!err)
		fputs(out.data, stdout);
	rg_buf_release(&out);
	return err;
}

rg_error *history_init(command_context *context, const history_arguments *arguments,
		       char *const *operands, int count)
{
	const rg_history_layout layout = layout_of(arguments);
	const char *address = history_server(context);
	rg_history_access access;

	(void)operands;
	(void)count;
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
	const rg_history_hosts where = {.address = history_server(context),
					.access = &access,
					.hosts = arguments->hosts.items,
					.host_count = arguments->hosts.count};

	if (!where.address)
		return NULL;
	RG_TRY(rg_flow_history_access(&access, &context->flow));
	return rg_error_wrap(rg_history_delete_removed(&where),
			     "the runs are removed, but still on the disk; prune again");
}

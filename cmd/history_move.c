/* SPDX-License-Identifier: Apache-2.0 */
#include "history.h"

#include "terminal.h"

#include "base/number.h"
#include "flow/history_files.h"
#include "flow/history_json.h"
#include "flow/open_history.h"
#include "store/history_removed.h"
#include "store/history_tables.h"

#include <string.h>

/* ---- merging ---- */

static void add_up(rg_history_merged *all, const rg_history_merged *one)
{
	all->added += one->added;
	all->replaced += one->replaced;
	all->same += one->same;
	all->kept += one->kept;
	all->left_out += one->left_out;
}

/* "added 3 runs, replaced 1; 2 were there already"; "nothing new; 2 were there already". */
static void print_merged(command_context *context, const rg_history_merged *merged)
{
	size_t there = merged->same + merged->kept;
	context->changed |= merged->added || merged->replaced;
	if (merged->left_out)
		context->exit_code = EXIT_PARTIAL;
	if (context->common->quiet)
		return;
	if (merged->added)
		printf("added %zu run%s", merged->added, merged->added == 1 ? "" : "s");
	if (merged->replaced)
		printf("%s %zu", merged->added ? ", replaced" : "replaced", merged->replaced);
	if (!merged->added && !merged->replaced)
		printf("nothing new");
	if (there)
		printf("; %zu %s there already", there, there == 1 ? "was" : "were");
	if (merged->kept)
		printf(" (%zu later or with more)", merged->kept);
	if (merged->left_out)
		printf("; %zu left out", merged->left_out);
	putchar('\n');
}

static rg_error *merge_store(command_context *context, rg_history_store *into,
			     rg_history_store *from, bool by_figures, rg_history_merged *all)
{
	const rg_history_merge_options options = {.into = into,
						  .from = from,
						  .repository = context->common->repository,
						  .bytes_max = RG_CONFIG_GOLDEN_MAX,
						  .by_figures = by_figures,
						  .log = &context->flow.log};
	rg_history_merged one;
	rg_error *err = rg_history_merge(&one, &options);

	add_up(all, &one);
	return err;
}

rg_error *history_merge(command_context *context, void *arguments)
{
	rg_history_merged all = {0};
	rg_history_store *into;

	(void)arguments;
	RG_TRY(rg_flow_open_history(&into, &context->flow));
	rg_error *err = NULL;
	for (int i = 0; !err && i < context->operand_count; i++) {
		rg_history_store *from;
		err = rg_history_open_foreign(&from, context->operands[i]);
		if (err)
			break;
		err = merge_store(context, into, from, false, &all);
		rg_history_close(from);
	}
	rg_history_close(into);
	if (!err || all.added || all.replaced)
		print_merged(context, &all);
	return err;
}

static rg_error *exchange(command_context *context, bool push)
{
	rg_history_merged all = {0};
	rg_history_store *local, *shared;

	RG_TRY(rg_flow_open_shared_history(&shared, &context->flow));
	rg_error *err = rg_history_open(&local, NULL, NULL);
	if (!err) {
		err = merge_store(context, push ? shared : local, push ? local : shared, true,
				  &all);
		rg_history_close(local);
	}
	rg_history_close(shared);
	if (!err || all.added || all.replaced)
		print_merged(context, &all);
	return err;
}

rg_error *history_push(command_context *context, void *arguments)
{
	(void)arguments;
	return exchange(context, true);
}

rg_error *history_pull(command_context *context, void *arguments)
{
	(void)arguments;
	return exchange(context, false);
}

/* ---- files for others ---- */

rg_error *history_export(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	rg_history_export_options options = {.folder = context->operands[0],
					     .repository = context->common->repository,
					     .csv = arguments->format &&
						    !strcmp(arguments->format, "csv")};
	rg_history_exported done;

	RG_TRY(rg_flow_open_history(&options.history, &context->flow));
	rg_error *err = rg_history_export(&done, &context->flow, &options);
	rg_history_close(options.history);
	context->changed = done.files > 0;
	if (done.left_out)
		context->exit_code = EXIT_PARTIAL;
	if (!err && !context->common->quiet) {
		printf("wrote %zu run%s in %zu file%s to ", done.runs, done.runs == 1 ? "" : "s",
		       done.files, done.files == 1 ? "" : "s");
		terminal_print_safe(stdout, options.folder);
		putchar('\n');
	}
	return err;
}

rg_error *history_import(command_context *context, void *arguments)
{
	rg_history_merged merged;
	rg_history_store *into;

	(void)arguments;
	RG_TRY(rg_flow_open_history(&into, &context->flow));
	rg_error *err = rg_history_import(&merged, &context->flow, into, context->operands,
					  (size_t)context->operand_count);
	rg_history_close(into);
	if (!err)
		print_merged(context, &merged);
	return err;
}

/* ---- a shared history's server ---- */

/* *out: the address of the shared history, where that is on a server; else NULL. */
static rg_error *history_server(const char **out, const command_context *context)
{
	*out = rg_flow_history_address(&context->flow);
	if (*out)
		RG_TRY(rg_history_check_address(*out));
	if (*out && !rg_history_is_remote(*out))
		*out = NULL;
	return NULL;
}

static rg_history_layout layout_of(const history_arguments *arguments)
{
	return (rg_history_layout){arguments->cluster, arguments->replicated};
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

/* ---- removing ---- */

/* Frees the disks of a shared history's servers from what was pruned; of a local one it is freed
 * already. */
static rg_error *history_free_disks(const command_context *context,
				    const history_arguments *arguments)
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

/* "400d" */
static bool parse_days(const char *text, unsigned *days)
{
	size_t length = strlen(text);
	uint64_t number;

	if (length < 2 || text[length - 1] != 'd' || !rg_uint64_parse(text, length - 1, &number) ||
	    number > 100000)
		return false;
	*days = (unsigned)number;
	return true;
}

static void print_pruned(const rg_history_pruned *pruned, bool dry_run)
{
	char size[RG_SIZE_TEXT];
	printf("%s %zu run%s", dry_run ? "would remove" : "removed", pruned->runs,
	       pruned->runs == 1 ? "" : "s");
	if (pruned->freed) {
		rg_size_text(pruned->freed, size);
		printf(" and %s %s", dry_run ? "free" : "freed", size);
	}
	printf("; %zu stay%s", pruned->kept, pruned->kept == 1 ? "s" : "");
	if (pruned->undated)
		printf(", %zu of them without a time", pruned->undated);
	putchar('\n');
}

rg_error *history_prune(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	rg_history_pruned pruned;
	rg_history_store *history;
	const char *server;
	unsigned days;

	if (!arguments->keep)
		return usage_error("prune: say how old runs may be: --keep 400d");
	if (!parse_days(arguments->keep, &days))
		return usage_error("--keep: '%s' is not a number of days such as 400d",
				   arguments->keep);
	RG_TRY(history_server(&server, context));
	if (arguments->hosts.count && !server)
		return usage_error("prune: --host goes with a history on ClickHouse");
	RG_TRY(rg_flow_open_history(&history, &context->flow));
	rg_error *err = rg_history_prune(&pruned, history, context->common->repository, days,
					 arguments->dry_run);
	rg_history_close(history);
	if (err)
		return err;
	context->changed = pruned.runs && !arguments->dry_run;
	print_pruned(&pruned, arguments->dry_run);
	return arguments->dry_run ? NULL : history_free_disks(context, arguments);
}

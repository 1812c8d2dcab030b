/* SPDX-License-Identifier: Apache-2.0 */
#include "update.h"

#include "base/memory.h"
#include "base/path.h"
#include "base/shell.h"
#include "flow/download.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add_word(rg_buf *out, const char *name, const char *value)
{
	rg_buf_printf(out, " %s ", name);
	rg_shell_quote(out, value);
}

/* A glob that is this path's alone. */
static void add_path(rg_buf *out, const char *path)
{
	rg_buf glob;
	rg_buf_init(&glob, RG_BUF_TEXT);
	for (; *path; path++)
		rg_buf_printf(&glob, "%s%c", strchr("*?[\\", *path) ? "\\" : "", *path);
	add_word(out, "--only", glob.data);
	rg_buf_inherit(out, &glob);
	rg_buf_release(&glob);
}

/* As seen from here, where it is below. */
static void add_place(rg_buf *out, const char *folder)
{
	char here[PATH_MAX];
	if (getcwd(here, sizeof(here)) && rg_path_is_below(here, folder))
		folder += strlen(here) + 1;
	rg_buf_str(out, *folder == '-' ? " -- " : " ");
	rg_shell_quote(out, folder);
}

/* By the run, where its goldens are staged in the run's own folder. */
static void add_folder(rg_buf *out, const command_context *context, const rg_update *update)
{
	char *run = rg_textf("%llu", (unsigned long long)update->manifest->run_id), *folder = NULL;
	rg_error *err = update->manifest->run_id ? rg_flow_find_staged(&folder, &context->flow, run)
						 : NULL;

	if (!err && folder && !strcmp(folder, update->folder))
		add_word(out, "--run", run);
	else
		add_place(out, update->folder);
	rg_error_free(err);
	free(folder);
	free(run);
}

void update_add_call(rg_buf *out, const command_context *context, const rg_update *update,
		     const rg_plan_item *item)
{
	const rg_update_options *options = update->options;

	rg_buf_str(out, "regild");
	for (size_t i = 0; i < context->common->dirs.count; i++)
		add_word(out, "-C", context->common->dirs.items[i]);
	rg_buf_str(out, " update");
	for (unsigned held = item->held | item->allowed; held; held &= held - 1)
		add_word(out, "--allow", rg_guard_name(held));
	for (size_t i = 0; i < options->metrics.count; i++)
		add_word(out, "--metric", options->metrics.items[i]);
	if (options->stage)
		rg_buf_str(out, " --stage");
	add_path(out, item->golden->target);
	add_folder(out, context, update);
}

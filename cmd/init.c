/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include "base/path.h"
#include "flow/layout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
	const char *layout;
	bool force;
} init_arguments;

/* clang-format off */
static const option options[] = {
	{.name = "layout", .argument = "LAYOUT", .choices = "megatron|executorch|torchtitan|pytorch-dynamo|pytorch-pr-time|vtr|nemo-rl|lm-eval|"
		    "google-benchmark|plain",
	 OPTION_FIELD(init_arguments, layout),
	 .help = "one of regild-layouts(7) (default: what is found)"},
	{.name = "force", OPTION_FIELD(init_arguments, force),
	 .help = "replace a .regild that is there"},
	{0},
};
/* clang-format on */

static const option_group groups[] = {{"Options", options, 0}, {0}};

/* ExecuTorch's goldens are not JSON. */
static void say_textconv(const command_context *context, const rg_found_layout *found)
{
	if (!strcmp(found->name, "megatron"))
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "'git diff' shows goldens value by value after: "
			   "echo '*.json diff=regild' >> .gitattributes; "
			   "git config diff.regild.textconv 'regild textconv'");
}

static rg_error *write_file(const command_context *context, const rg_found_layout *found,
			    bool force)
{
	rg_error *err = NULL;
	struct stat st;
	char *path;

	RG_TRY(rg_path_join(&path, rg_worktree_root(context->flow.worktree), ".regild"));
	/* A link to nowhere is somebody's too. */
	if (!lstat(path, &st) && !force)
		err = rg_error_new(RG_E_CONFLICT, "%s: already exists; --force replaces it", path);
	if (!err)
		err = rg_layout_write(found, path);
	if (!err && found->goldens)
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "%s: the %s layout, with %zu golden%s below %s (%s%s%s)", path,
			   found->name, found->goldens, found->goldens == 1 ? "" : "s", found->root,
			   found->golden, found->holds ? " with " : "",
			   found->holds ? found->holds : "");
	else if (!err)
		rg_log_say(&context->flow.log, RG_LOG_INFO,
			   "%s: the %s layout; no goldens were found, so check its root", path,
			   found->name);
	if (!err)
		say_textconv(context, found);
	free(path);
	return err;
}

static rg_error *run_init(command_context *context, void *own)
{
	const init_arguments *arguments = own;
	rg_found_layout found;
	rg_error *err;

	/* A repository without a commit will do. */
	if (!context->flow.worktree)
		return rg_flow_need_worktree(&context->flow);
	err = rg_layout_find(&found, context->flow.worktree, arguments->layout);
	if (!err)
		err = write_file(context, &found, arguments->force);
	rg_found_layout_release(&found);
	return err;
}

const command command_init = {
	.name = "init",
	.summary = "write a commented .regild for the goldens that are found",
	.description =
		"Looks for goldens in the repository and writes .regild at its root, each setting\n"
		"in it with a comment.",
	.examples = "regild init\n"
		    "regild init --layout torchtitan --force",
	.groups = groups,
	.arguments_size = sizeof(init_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE | COMMAND_READS_NO_SETTINGS,
	.run = run_init,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"

#include "terminal.h"

#include "base/path.h"
#include "base/utf8.h"
#include "flow/layout.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
	const char *layout;
	bool force;
	const char *json;
} init_arguments;

#define OF init_arguments
/* clang-format off */
static const option options[] = {
	OPTION("layout", "LAYOUT", layout,
	       "a layout of regild-layouts(7) (default: detected)",
	       .choices = "megatron|executorch|torchtitan|pytorch-dynamo|pytorch-pr-time|vtr|nemo-rl|lm-eval|"
		    "google-benchmark|plain"),
	OPTION("force", NULL, force, "replace an existing .regild"),
	JSON_OPTION(init_arguments, json),
	{0},
};
/* clang-format on */

static void write_result(const command_context *context, const rg_found_layout *found,
			 const char *path)
{
	enum { SHOWN = 10 };
	const rg_golden_folders *folders = &found->folders;
	const char *s = rg_plural(found->goldens);

	/* These goldens were found by the names of folders and files. */
	for (size_t i = 0; i < folders->count && i < SHOWN; i++)
		tell(context, RG_LOG_INFO, "%s: %zu golden%s", folders->items[i].path,
		     folders->items[i].goldens, rg_plural(folders->items[i].goldens));
	if (folders->count > SHOWN)
		tell(context, RG_LOG_INFO, "and %zu more folders", folders->count - SHOWN);
	if (!found->goldens)
		tell(context, RG_LOG_INFO, "%s: %s layout, no goldens found: check its root", path,
		     found->name);
	else if (folders->count)
		tell(context, RG_LOG_INFO, "%s: %s%zu golden%s below %s", path,
		     folders->count == 1 && folders->items[0].name ? "plain layout, " : "",
		     found->goldens, s, found->root);
	else
		tell(context, RG_LOG_INFO, "%s: %s layout, %zu golden%s below %s (%s%s%s)", path,
		     found->name, found->goldens, s, found->root, found->golden,
		     found->holds ? " with " : "", found->holds ? found->holds : "");
	/* ExecuTorch's goldens are not JSON. */
	if (!found->name || strcmp(found->name, "megatron") != 0)
		return;
	tell(context, RG_LOG_INFO, "to see goldens value by value in 'git diff':");
	tell(context, RG_LOG_INFO, "  echo '*.json diff=regild' >> .gitattributes");
	tell(context, RG_LOG_INFO, "  git config diff.regild.textconv 'regild textconv'");
}

/* Shows the settings to write by hand. */
static rg_error *nothing_found(bool shown)
{
	if (shown)
		fputs("[regild]\n"
		      "\troot = FOLDER\n"
		      "[source \"goldens\"]\n"
		      "\tartifact = NAME*\n"
		      "\tmembers = **\n"
		      "\ttarget = {path}\n",
		      stdout);
	return rg_error_new(RG_E_NOTFOUND,
			    "git tracks no golden, so nothing was written; write these six lines "
			    "to .regild, with the goldens' folder and the name of the CI's "
			    "artifacts, or name a layout of regild-layouts(7) with --layout");
}

/* Only a person knows which of them are goldens. */
static rg_error *several_found(const rg_found_layout *found, bool shown)
{
	enum { SHOWN = 3 };
	RG_AUTO(rg_buf) lines = rg_buf_of(RG_BUF_ANY);

	for (size_t i = 0; i < found->kind_count; i++) {
		const rg_golden_folders *kind = &found->kinds[i];
		rg_buf_printf(&lines, "%s# %zu golden%s in %zu folder%s: ", i ? "\n" : "",
			      kind->goldens, rg_plural(kind->goldens), kind->count,
			      rg_plural(kind->count));
		for (size_t k = 0; k < kind->count && k < SHOWN; k++) {
			rg_buf_str(&lines, k ? ", " : "");
			rg_utf8_add_safe(&lines, kind->items[k].path, strlen(kind->items[k].path));
		}
		if (kind->count > SHOWN)
			rg_buf_printf(&lines, " and %zu more", kind->count - SHOWN);
		rg_buf_char(&lines, '\n');
		RG_TRY(rg_layout_lines(&lines, found, i));
	}
	RG_TRY(rg_buf_check(&lines, "what was found"));
	if (shown)
		fwrite(lines.data, 1, lines.length, stdout);
	return rg_error_new(RG_E_CONFLICT,
			    "%zu kinds of files may be goldens, so nothing was written; copy the "
			    "lines of the goldens to .regild, with the name of the CI's artifacts "
			    "(several kinds need one root above all, and all globs in 'files')",
			    found->kind_count);
}

static rg_error *run_init(command_context *context, void *own)
{
	const init_arguments *arguments = own;
	const bool shown = !is_stdout(arguments->json);
	RG_AUTO(rg_found_layout) found = {0};
	struct stat st;

	/* A repository without a commit will do. */
	if (!context->flow.worktree)
		return rg_flow_need_worktree(&context->flow);
	RG_TRY(rg_layout_find(&found, context->flow.worktree, arguments->layout));
	RG_AUTO_FREE char *path = rg_path_join(rg_worktree_root(context->flow.worktree), ".regild");
	/* A link to nowhere is somebody's too. */
	if (!lstat(path, &st) && !arguments->force)
		return rg_error_new(RG_E_CONFLICT, "%s: already exists; --force replaces it", path);
	if (!found.name)
		return found.kind_count ? several_found(&found, shown) : nothing_found(shown);
	RG_TRY(rg_layout_write(&found, path));
	write_result(context, &found, path);
	const rg_init_facts said = {path, found.name, found.root, found.goldens};
	rg_facts facts = facts_of(context);
	rg_facts_can(&facts, "find broken goldens", "check", NULL);
	rg_facts_can(&facts, "list the CI's runs", "runs", NULL);
	return facts_finish(&facts, context, arguments->json, "regild-init", &said);
}

const command command_init = {
	.name = "init",
	.summary = "write a commented .regild for the repository's goldens",
	.description = "Looks for goldens in the repository and writes .regild at its root, with a "
		       "comment on each setting. Writes nothing if there are no goldens.",
	.examples = "regild init\n"
		    "regild init --layout torchtitan --force",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(init_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE | COMMAND_READS_NO_SETTINGS,
	.run = run_init,
};

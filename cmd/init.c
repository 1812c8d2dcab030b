/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"

#include "terminal.h"

#include "base/path.h"
#include "base/utf8.h"
#include "flow/layout.h"

#include <stdio.h>
#include <stdlib.h>
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

/* ExecuTorch's goldens are not JSON. */
static void say_textconv(const command_context *context, const rg_found_layout *found)
{
	static const char *const lines[] = {
		"to see goldens value by value in 'git diff':",
		"  echo '*.json diff=regild' >> .gitattributes",
		"  git config diff.regild.textconv 'regild textconv'",
	};
	if (found->name && !strcmp(found->name, "megatron"))
		for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
			tell(context, RG_LOG_INFO, "%s", lines[i]);
}

/* Where goldens were found by the names of folders and files: each, and how many. */
static void say_folders(const command_context *context, const rg_golden_folders *folders)
{
	enum { SHOWN = 10 };

	for (size_t i = 0; i < folders->count && i < SHOWN; i++)
		tell(context, RG_LOG_INFO, "%s: %zu golden%s", folders->items[i].path,
		     folders->items[i].goldens, folders->items[i].goldens == 1 ? "" : "s");
	if (folders->count > SHOWN)
		tell(context, RG_LOG_INFO, "and %zu more folders", folders->count - SHOWN);
}

static void say_written(const command_context *context, const rg_found_layout *found,
			const char *path)
{
	const rg_log *log = &context->flow.log;
	say_folders(context, &found->folders);
	if (!found->goldens)
		rg_log_say(log, RG_LOG_INFO, "%s: %s layout, no goldens found: check its root",
			   path, found->name);
	else if (found->folders.count)
		rg_log_say(log, RG_LOG_INFO, "%s: %s%zu golden%s below %s", path,
			   found->folders.count == 1 && found->folders.items[0].name
				   ? "plain layout, "
				   : "",
			   found->goldens, found->goldens == 1 ? "" : "s", found->root);
	else
		rg_log_say(log, RG_LOG_INFO, "%s: %s layout, %zu golden%s below %s (%s%s%s)", path,
			   found->name, found->goldens, found->goldens == 1 ? "" : "s", found->root,
			   found->golden, found->holds ? " with " : "",
			   found->holds ? found->holds : "");
	say_textconv(context, found);
}

/* What there is to say by hand. */
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

/* Nobody but a person knows which of them are goldens. */
static rg_error *several_found(const rg_found_layout *found, bool shown)
{
	enum { SHOWN = 3 };
	rg_error *err = NULL;
	rg_buf lines;

	rg_buf_init(&lines, RG_BUF_ANY);
	for (size_t i = 0; i < found->kind_count && !err; i++) {
		const rg_golden_folders *kind = &found->kinds[i];
		rg_buf_printf(&lines, "%s# %zu golden%s in %zu folder%s: ", i ? "\n" : "",
			      kind->goldens, kind->goldens == 1 ? "" : "s", kind->count,
			      kind->count == 1 ? "" : "s");
		for (size_t k = 0; k < kind->count && k < SHOWN; k++) {
			rg_buf_str(&lines, k ? ", " : "");
			rg_utf8_add_safe(&lines, kind->items[k].path, strlen(kind->items[k].path));
		}
		if (kind->count > SHOWN)
			rg_buf_printf(&lines, " and %zu more", kind->count - SHOWN);
		rg_buf_char(&lines, '\n');
		err = rg_layout_lines(&lines, found, i);
	}
	if (!err)
		err = rg_buf_check(&lines, "what was found");
	if (!err && shown)
		fwrite(lines.data, 1, lines.length, stdout);
	rg_buf_release(&lines);
	if (err)
		return err;
	return rg_error_new(RG_E_CONFLICT,
			    "%zu kinds of files may be goldens, so nothing was written; copy the "
			    "lines of the goldens to .regild, with the name of the CI's artifacts "
			    "(several kinds need one root above all, and all globs in 'files')",
			    found->kind_count);
}

static rg_error *write_facts(const command_context *context, const rg_found_layout *found,
			     const char *path, const char *json)
{
	const rg_init_facts said = {path, found->name, found->root, found->goldens};
	rg_facts facts;
	facts_begin(&facts, context);
	rg_facts_can(&facts, "find broken goldens", "check", NULL);
	rg_facts_can(&facts, "list the CI's runs", "runs", NULL);
	return facts_finish(&facts, context, json, "regild-init", &said);
}

static rg_error *write_file(const command_context *context, const rg_found_layout *found,
			    const init_arguments *arguments)
{
	struct stat st;
	char *path;
	path = rg_path_join(rg_worktree_root(context->flow.worktree), ".regild");

	rg_error *err = NULL;
	/* A link to nowhere is somebody's too. */
	if (!lstat(path, &st) && !arguments->force)
		err = rg_error_new(RG_E_CONFLICT, "%s: already exists; --force replaces it", path);
	else if (!found->name)
		err = found->kind_count ? several_found(found, !is_stdout(arguments->json))
					: nothing_found(!is_stdout(arguments->json));
	if (!err)
		err = rg_layout_write(found, path);
	if (!err)
		say_written(context, found, path);
	if (!err)
		err = write_facts(context, found, path, arguments->json);
	free(path);
	return err;
}

static rg_error *run_init(command_context *context, void *own)
{
	const init_arguments *arguments = own;
	rg_found_layout found;

	/* A repository without a commit will do. */
	if (!context->flow.worktree)
		return rg_flow_need_worktree(&context->flow);
	rg_error *err = rg_layout_find(&found, context->flow.worktree, arguments->layout);
	if (!err)
		err = write_file(context, &found, arguments);
	rg_found_layout_release(&found);
	return err;
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

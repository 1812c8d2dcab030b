/* SPDX-License-Identifier: Apache-2.0 */
#include "facts.h"

#include "exit.h"
#include "terminal.h"

#include "base/memory.h"

#include <string.h>
#include <sys/stat.h>

void facts_begin(rg_facts *facts, const command_context *context)
{
	rg_facts_init(facts, context->command_line);
	facts->dirs = context->common->dirs;
}

void facts_begin_at_root(rg_facts *facts, const command_context *context)
{
	const char *root = context->flow.worktree ? rg_worktree_root(context->flow.worktree) : ".";
	struct stat here, there;

	facts_begin(facts, context);
	if (!stat(".", &here) && !stat(root, &there) &&
	    (here.st_ino != there.st_ino || here.st_dev != there.st_dev)) {
		facts->root = rg_arena_text(&facts->arena, root);
		facts->dirs = (rg_texts){&facts->root, 1, 1};
	}
}

rg_error *facts_finish(rg_facts *facts, const command_context *context, const char *file,
		       const char *schema, const void *from)
{
	rg_error *err = NULL;
	if (file) {
		rg_buf text;
		rg_buf_init(&text, SIZE_MAX / 4);
		facts->exit_code = (size_t)context->exit_code;
		err = rg_facts_write(facts, &text, schema, from);
		if (!err)
			err = write_json(file, &text);
		rg_buf_release(&text);
	}
	rg_facts_release(facts);
	return rg_error_wrap(err, "--json");
}

static bool is_asked_for(int argc, char *const *argv)
{
	for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (!strcmp(argv[i], "--json=-") ||
		    (!strcmp(argv[i], "--json") && i + 1 < argc && !strcmp(argv[i + 1], "-")))
			return true;
	return false;
}

void facts_tell_error(const rg_error *err, const char *command_line, const command *cmd,
		      int exit_code, int argc, char *const *argv)
{
	rg_error_facts said;
	rg_facts facts;
	rg_buf text;

	if (!is_asked_for(argc, argv) || terminal_has_json())
		return;
	rg_facts_init(&facts, command_line);
	rg_error_facts_of(&said, err);
	if (exit_code == EXIT_USAGE && cmd)
		rg_facts_can(&facts, "shows the options", "help", cmd->name, NULL);
	facts.exit_code = (size_t)exit_code;
	rg_buf_init(&text, SIZE_MAX / 4);
	rg_error *lost = rg_facts_write(&facts, &text, "regild-error", &said);
	if (!lost)
		lost = write_json("-", &text);
	rg_error_free(lost); /* what is wrong is on stderr, too */
	rg_buf_release(&text);
	rg_facts_release(&facts);
}

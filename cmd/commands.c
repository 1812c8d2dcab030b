/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "meant.h"

#include "base/nearest.h"

#include <stddef.h>
#include <string.h>

const command *const commands[] = {&command_refresh,
				   &command_compare,
				   &command_undo,
				   &command_check,
				   &command_runs,
				   &command_blame,
				   &command_download,
				   &command_update,
				   &command_reset,
				   &command_report,
				   &command_show,
				   &command_textconv,
				   &command_audit,
				   &command_history,
				   &command_cache,
				   &command_init,
				   &command_pack,
				   &command_unpack,
				   &command_verify,
				   &command_extract,
				   &command_verify_outputs,
				   &command_completion,
				   &command_help,
				   &command_version,
				   NULL};

/* What a name is not, and what may be meant by it. */
static rg_error *refuse(const char *name, const char *nearest)
{
	const meant_command *meant;
	for (meant = meant_commands; meant->typed; meant++)
		if (!strcmp(meant->typed, name))
			return usage_error("'%s' is not a command; '%s' %s", name, meant->call,
					   meant->does);
	if (nearest)
		return usage_error("'%s' is not a command; did you mean '%s'?", name, nearest);
	return usage_error("'%s' is not a command; 'regild help' lists them", name);
}

rg_error *command_find(const command **out, const char *name)
{
	rg_nearest nearest;
	rg_nearest_init(&nearest, name);
	for (size_t i = 0; commands[i]; i++) {
		*out = commands[i];
		if (!strcmp(commands[i]->name, name))
			return NULL;
		rg_nearest_offer(&nearest, commands[i]->name);
	}
	return refuse(name, rg_nearest_name(&nearest));
}

const char *command_of_option(const command **out, const char *typed)
{
	const char *name;
	for (size_t i = 0; commands[i]; i++) {
		*out = commands[i];
		name = options_meant(commands[i]->groups, typed);
		if (name)
			return name;
	}
	return NULL;
}

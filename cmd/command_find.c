/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "meant.h"

#include "base/nearest.h"

#include <string.h>

/* "show" of "history show". */
static const char *last_word(const command *cmd)
{
	const char *blank = strrchr(cmd->name, ' ');
	return blank ? blank + 1 : cmd->name;
}

const command *command_part(const command *of, const char *name)
{
	for (size_t i = 0; of->parts && of->parts[i]; i++)
		if (!strcmp(last_word(of->parts[i]), name))
			return of->parts[i];
	return NULL;
}

/* What a name is not, and what may be meant by it. */
static rg_error *refuse(const command *of, const char *name)
{
	rg_nearest nearest;
	rg_nearest_init(&nearest, name);
	for (size_t i = 0; of->parts && of->parts[i]; i++)
		rg_nearest_offer(&nearest, last_word(of->parts[i]));
	const char *meant = rg_nearest_name(&nearest);
	if (*of->name && meant)
		return usage_error("%s has no '%s'; did you mean '%s'?", of->name, name, meant);
	if (*of->name)
		return usage_error("%s has no '%s'%s%s", of->name, name, of->stray ? "; " : "",
				   of->stray ? of->stray : "");
	for (size_t i = 0; meant_commands[i].typed; i++)
		if (!strcmp(meant_commands[i].typed, name))
			return usage_error("'%s' is not a command; '%s' %s", name,
					   meant_commands[i].call, meant_commands[i].does);
	if (meant)
		return usage_error("'%s' is not a command; did you mean '%s'?", name, meant);
	return usage_error("'%s' is not a command; 'regild help' lists them", name);
}

rg_error *command_find(const command **out, const command *of, const char *name)
{
	const command *found = command_part(of, name);
	if (!found)
		return refuse(of, name);
	*out = found;
	return NULL;
}

const char *command_of_option(const command **out, const command *of, const char *typed)
{
	const char *name = NULL;
	for (size_t i = 0; !name && of->parts && of->parts[i]; i++) {
		*out = of->parts[i];
		name = options_meant((*out)->groups, typed);
		if (!name)
			name = command_of_option(out, of->parts[i], typed);
	}
	return name;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include "base/nearest.h"

#include <stddef.h>
#include <string.h>

/* One a line. */
/* clang-format off */
const command *const commands[] = {
	&command_refresh,
	&command_download,
	&command_update,
	&command_undo,
	&command_reset,
	&command_compare,
	&command_check,
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
	&command_help,
	NULL,
};
/* clang-format on */

rg_error *command_find(const command **out, const char *name)
{
	rg_nearest nearest;
	size_t i;

	rg_nearest_init(&nearest, name);
	for (i = 0; commands[i]; i++) {
		*out = commands[i];
		if (!strcmp(commands[i]->name, name))
			return NULL;
		rg_nearest_offer(&nearest, commands[i]->name);
	}
	if (!rg_nearest_name(&nearest))
		return usage_error("'%s' is not a command; 'regild help' lists them", name);
	return usage_error("'%s' is not a command; did you mean '%s'?", name,
			   rg_nearest_name(&nearest));
}

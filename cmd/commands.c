#include "commands.h"

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
	&command_audit,
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

const command *command_find(const char *name)
{
	size_t i;

	for (i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

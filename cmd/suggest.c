/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include "base/nearest.h"

#include <string.h>

/* Names that git, gh or cargo have for what regild calls otherwise, and those of former commands: a
 * name with a slip in it is base/nearest.h's. */
/* clang-format off */
static const struct {
	const char *typed; /* "diff|status"; NULL ends the table */
	const char *call;  /* what to type: "regild compare" */
	const char *does;  /* "shows what changed" */
} suggested_commands[] = {
	{"diff|status", "regild compare", "shows what changed"},
	{"ls|list", "regild compare", "lists the goldens that changed"},
	{"log|reflog", "regild undo --list", "lists the updates that can be undone"},
	{"revert|rollback", "regild undo", "puts back what an update replaced"},
	{"restore|checkout|discard", "regild reset", "brings goldens back to HEAD"},
	{"run|pull|sync", "regild refresh --run ID", "takes the goldens of a run"},
	{"fetch|get", "regild download --run ID", "fetches the goldens of a run"},
	{"approve|confirm", "regild update", "puts downloaded goldens into the working tree"},
	{"commit", "regild update --message FILE",
	 "writes a message for 'git commit -F'; regild commits nothing"},
	{"dry-run", "regild refresh --dry-run", "shows what a refresh would do"},
	{"add", "regild update --stage", "puts downloaded goldens into the index, too"},
	{"review", "regild update --interactive", "goes through downloaded goldens and asks"},
	{"abort", "regild update --abort", "takes back an update that was interrupted"},
	{"continue", "regild update --continue", "finishes an update that was interrupted"},
	{"lint|test|validate", "regild check", "looks for broken goldens"},
	{"stats|noise", "regild audit", "measures the noise between runs"},
	{"clean|gc", "regild cache clear", "removes what downloads have kept"},
	{"config|new", "regild init", "writes a commented .regild"},
#ifndef REGILD_WITHOUT_EXECUTORCH
	{"pack|zip", "regild executorch pack", "packages ExecuTorch goldens"},
	{"unpack|unzip", "regild executorch unpack", "unpacks ExecuTorch goldens"},
	{"verify", "regild executorch verify", "checks a zip of ExecuTorch goldens"},
	{"extract", "regild executorch extract", "takes a bundled program apart"},
	{"verify-outputs", "regild executorch verify-outputs", "checks a runtime's outputs"},
#endif
	{"man", "man regild", "shows the manual"},
	{0},
};
/* clang-format on */

const char *command_word(const command *cmd)
{
	const char *blank = strrchr(cmd->name, ' ');
	return blank ? blank + 1 : cmd->name;
}

const command *command_part(const command *of, const char *name)
{
	for (size_t i = 0; of->parts && of->parts[i]; i++)
		if (!strcmp(command_word(of->parts[i]), name))
			return of->parts[i];
	return NULL;
}

rg_error *command_find(const command **out, const command *of, const char *name)
{
	const command *found = command_part(of, name);
	if (!found) {
		/* Says what the name is not, and what may be meant by it. */
		rg_nearest nearest;
		rg_nearest_init(&nearest, name);
		for (size_t i = 0; of->parts && of->parts[i]; i++)
			rg_nearest_offer(&nearest, command_word(of->parts[i]));
		const char *meant = rg_nearest_name(&nearest);
		if (*of->name && meant)
			return usage_error("%s has no '%s'; did you mean '%s'?", of->name, name,
					   meant);
		if (*of->name)
			return usage_error("%s has no '%s'%s%s", of->name, name,
					   of->stray ? "; " : "", of->stray ? of->stray : "");
		for (size_t i = 0; suggested_commands[i].typed; i++)
			if (option_is_choice(suggested_commands[i].typed, name))
				return usage_error("'%s' is not a command; '%s' %s", name,
						   suggested_commands[i].call,
						   suggested_commands[i].does);
		if (meant)
			return usage_error("'%s' is not a command; did you mean '%s'?", name,
					   meant);
		return usage_error("'%s' is not a command; 'regild help' lists them", name);
	}
	*out = found;
	return NULL;
}

const char *command_of_option(const command **out, const command *of, const char *typed)
{
	const char *name = NULL;
	for (size_t i = 0; !name && of->parts && of->parts[i]; i++) {
		*out = of->parts[i];
		name = options_suggest((*out)->groups, typed);
		if (!name)
			name = command_of_option(out, of->parts[i], typed);
	}
	return name;
}

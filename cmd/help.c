#include "commands.h"

#include <string.h>

static const option common_options[] = {
	{'C', "directory", "DIR", OPTION_TEXTS, offsetof(common_arguments, dirs),
	 "work as if started in DIR, from the one before where there are several", NULL, 0, 0},
	{0, "repo", "[HOST/]OWNER/NAME", OPTION_TEXT, offsetof(common_arguments, repository),
	 "the repository on GitHub (default: .regild, GITHUB_REPOSITORY, origin)", NULL, 0, 0},
	{'q', "quiet", NULL, OPTION_FLAG, offsetof(common_arguments, quiet),
	 "print errors and results only", NULL, 0, 0},
	{'v', "verbose", NULL, OPTION_COUNT, offsetof(common_arguments, verbose),
	 "say more; twice: requests too", NULL, 0, 0},
	{0, "color", "WHEN", OPTION_CHOICE, offsetof(common_arguments, color),
	 "auto, always or never (default: auto, which respects NO_COLOR)", "auto|always|never", 0,
	 0},
	{'h', "help", NULL, OPTION_HELP, offsetof(common_arguments, help), "show this help", NULL,
	 0, 0},
	{0},
};

const option_group common_group[] = {{"Common options", common_options, 0}, {0}};

void print_command_help(const command *cmd, FILE *out)
{
	int indent = fprintf(out, "usage: regild %s", cmd->name);

	options_print_usage(cmd->groups, cmd->operands, indent, out);
	fprintf(out, "\n\n%s\n", cmd->description);
	options_print(cmd->groups, out);
	options_print(common_group, out);
}

void print_program_help(FILE *out)
{
	size_t i;

	fputs("usage: regild [COMMON OPTIONS] COMMAND [OPTIONS]\n"
	      "\n"
	      "Refreshes the golden values that a repository keeps from a CI run.\n"
	      "\n"
	      "Commands:\n",
	      out);
	for (i = 0; commands[i]; i++)
		fprintf(out, "  %-15s %s\n", commands[i]->name, commands[i]->summary);
	options_print(common_group, out);
	fputs("      --version               show the version\n"
	      "\n"
	      "'regild help COMMAND' shows a command's options; man regild has the whole.\n",
	      out);
}

static rg_error *run_help(environment *env, void *arguments)
{
	const command *cmd;

	(void)arguments;
	if (!env->operand_count) {
		print_program_help(stdout);
		return NULL;
	}
	RG_TRY(command_find(&cmd, env->operands[0]));
	print_command_help(cmd, stdout);
	return NULL;
}

static const option_group no_options[] = {{0}};

const command command_help = {
	.name = "help",
	.summary = "show what a command does",
	.operands = "[COMMAND]",
	.operands_max = 1,
	.description = "Shows the commands, or one command's options.",
	.groups = no_options,
	.run = run_help,
};

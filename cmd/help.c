/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
static const option common_options[] = {
	{.letter = 'C', .name = "directory", .unsaid = true, .argument = "DIR",
	 OPTION_FIELD(common_arguments, dirs),
	 .help = "work as if started in DIR; several add up, as with git"},
	{.name = "repo", .argument = "[HOST/]OWNER/NAME",
	 OPTION_FIELD(common_arguments, repository),
	 .help = "the repository of runs (default: .regild, GITHUB_REPOSITORY, origin)"},
	{.letter = 'q', .name = "quiet", .unsaid = true, OPTION_FIELD(common_arguments, quiet),
	 .help = "print errors and results only"},
	{.letter = 'v', .name = "verbose", .unsaid = true, OPTION_FIELD(common_arguments, verbose),
	 .help = "say more; twice: requests too"},
	{.name = "color", .unsaid = true, .argument = "WHEN", .choices = "auto|always|never",
	 OPTION_FIELD(common_arguments, color),
	 .help = "auto, always or never (default: auto, which respects NO_COLOR)"},
	{.name = "no-pager", .unsaid = true, OPTION_FIELD(common_arguments, no_pager),
	 .help = "show long listings without a pager"},
	{.letter = 'h', .name = "help", .ends_parsing = true, OPTION_FIELD(common_arguments, help),
	 .help = "show this help"},
	{0},
};
/* clang-format on */

const option_group common_group[] = {{"Common options", common_options, 0}, {0}};

static void print_examples(const char *lines, FILE *out)
{
	fputs("\nExamples:\n", out);
	while (*lines) {
		size_t length = strcspn(lines, "\n");
		fprintf(out, "  %.*s\n", (int)length, lines);
		lines += length + (lines[length] == '\n');
	}
}

/* What help is folded at. */
static int columns_of(FILE *out)
{
	enum { COLUMNS_DEFAULT = 80, COLUMNS_MAX = 120 };
	size_t columns = terminal_columns(out);

	return !columns ? COLUMNS_DEFAULT : columns < COLUMNS_MAX ? (int)columns : COLUMNS_MAX;
}

/* Each line by itself, as deep as it is: some are lists. */
static void print_lines(const char *text, int columns, FILE *out)
{
	enum { LISTED = 9 };
	char line[200];

	while (*text) {
		int length = (int)strcspn(text, "\n"), indent = (int)strspn(text, " ");
		snprintf(line, sizeof(line), "%.*s", length - indent, text + indent);
		fprintf(out, "%*s", indent, "");
		options_print_folded(line, indent, indent ? indent + LISTED : 0, columns, out);
		text += length + (text[length] == '\n');
	}
}

void print_command_help(const command *cmd, FILE *out)
{
	int indent = fprintf(out, "usage: regild %s", cmd->name), columns = columns_of(out);
	options_print_usage(cmd->groups, cmd->operands, indent, columns, out);
	fputs("\n\n", out);
	print_lines(cmd->description, columns, out);
	options_print(cmd->groups, columns, out);
	options_print(common_group, columns, out);
	print_examples(cmd->examples, out);
}

void print_program_help(FILE *out)
{
	enum { NAME_COLUMNS = 15 };
	int columns = columns_of(out);

	fputs("usage: regild [COMMON OPTIONS] COMMAND [OPTIONS]\n\n", out);
	options_print_folded("Refreshes the golden values that a repository keeps from a CI run.",
			     0, 0, columns, out);
	for (size_t i = 0; commands[i]; i++) {
		if (!i || i == COMMANDS_DAILY)
			fprintf(out, "\n%s:\n", i ? "Other commands" : "Every day");
		fprintf(out, "  %-*s ", NAME_COLUMNS, commands[i]->name);
		options_print_folded(commands[i]->summary, NAME_COLUMNS + 3, NAME_COLUMNS + 3,
				     columns, out);
	}
	options_print(common_group, columns, out);
	fputs("      --version               show the version\n\n", out);
	options_print_folded(
		"'regild help COMMAND' shows a command's options; 'man regild' says more.", 0, 0,
		columns, out);
}

static rg_error *run_help(command_context *context, void *arguments)
{
	const command *cmd;
	(void)arguments;
	if (!context->operand_count) {
		print_program_help(stdout);
		return NULL;
	}
	RG_TRY(command_find(&cmd, context->operands[0]));
	print_command_help(cmd, stdout);
	return NULL;
}

void print_version(void)
{
	printf("regild %s\n", REGILD_VERSION);
}

static rg_error *run_version(command_context *context, void *arguments)
{
	(void)context;
	(void)arguments;
	print_version();
	return NULL;
}

static const option_group no_options[] = {{0}};

const command command_help = {
	.name = "help",
	.summary = "show what a command does",
	.operands = "[COMMAND]",
	.operands_max = 1,
	.description = "Shows the commands, or one command's options.",
	.examples = "regild help refresh",
	.groups = no_options,
	.run = run_help,
};

const command command_version = {
	.name = "version",
	.summary = "show the version",
	.description = "Shows the version, as 'regild --version' does.",
	.examples = "regild version",
	.groups = no_options,
	.flags = COMMAND_HANDLES_PENDING | COMMAND_READS_NO_SETTINGS,
	.run = run_version,
};

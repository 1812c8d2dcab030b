/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>

#define OF common_arguments
/* clang-format off */
static const option common_options[] = {
	OPTION("directory", "DIR", dirs,
	       "work as if started in DIR; several add up, as with git", .letter = 'C', .unsaid = true),
	OPTION("repo", "[HOST/]OWNER/NAME", repository,
	       "the repository of runs (default: .regild, GITHUB_REPOSITORY, origin)"),
	OPTION("quiet", NULL, quiet, "print errors and results only", .letter = 'q', .unsaid = true),
	OPTION("verbose", NULL, verbose, "say more; twice: requests too", .letter = 'v', .unsaid = true),
	OPTION("color", "WHEN", color,
	       "auto, always or never (default: auto, which respects NO_COLOR)",
	       .unsaid = true, .choices = "auto|always|never"),
	OPTION("no-pager", NULL, no_pager, "show long listings without a pager", .unsaid = true),
	OPTION("help", NULL, help, "show this help", .letter = 'h', .ends_parsing = true),
	{0},
};

static const option version_options[] = {
	OPTION("version", NULL, version, "show the version"),
	{0},
};
/* clang-format on */

const option_group common_group[] = {{.title = "Common options", .options = common_options}, {0}};
const option_group version_group[] = {{.title = "Options", .options = version_options}, {0}};

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

static void print_name(const command *cmd, int columns, FILE *out)
{
	enum { NAME_COLUMNS = 15 };
	fprintf(out, "  %-*s ", NAME_COLUMNS, command_word(cmd));
	options_print_folded(cmd->summary, NAME_COLUMNS + 3, NAME_COLUMNS + 3, columns, out);
}

void print_command_help(const command *cmd, FILE *out)
{
	int indent = fprintf(out, "usage: regild %s", cmd->name), columns = columns_of(out);
	options_print_usage(cmd->groups, cmd->operands, indent, columns, out);
	fputs("\n\n", out);
	print_lines(cmd->description ? cmd->description : cmd->summary, columns, out);
	if (cmd->parts)
		fputs("\nCommands:\n", out);
	for (size_t i = 0; cmd->parts && cmd->parts[i]; i++)
		print_name(cmd->parts[i], columns, out);
	options_print(cmd->groups, columns, out);
	options_print(common_group, columns, out);
	if (cmd->examples)
		print_examples(cmd->examples, out);
}

void print_program_help(const command *of, FILE *out)
{
	int columns = columns_of(out);
	bool plumbing = false;

	fputs("usage: regild [COMMON OPTIONS] COMMAND [OPTIONS]\n\n", out);
	options_print_folded("Refreshes the golden values that a repository keeps from a CI run.",
			     0, 0, columns, out);
	for (size_t i = 0; of->parts[i]; i++) {
		bool plumber = of->parts[i]->flags & COMMAND_IS_PLUMBING;
		if (!i || i == COMMANDS_DAILY || plumber > plumbing)
			fprintf(out, "\n%s:\n",
				plumber ? "Plumbing"
				: i     ? "Other commands"
					: "Every day");
		plumbing = plumber;
		print_name(of->parts[i], columns, out);
	}
	options_print(common_group, columns, out);
	fputs("      --version               show the version\n\n", out);
	options_print_folded(
		"'regild help COMMAND' shows a command's options, 'regild help reports' those of "
		"reports; 'man regild' says more.",
		0, 0, columns, out);
}

/* Is it the topic of any options? Shows them once, whoever has them. */
static bool print_topic(const command *of, const char *name)
{
	const option_group *found = NULL;
	for (size_t i = 0; of->parts[i]; i++)
		for (const option_group *group = of->parts[i]->groups; group->options; group++) {
			if (!group->topic || strcmp(group->topic, name) != 0)
				continue;
			printf("%s regild %s", found ? " and" : "Options of", of->parts[i]->name);
			found = group;
		}
	if (!found)
		return false;
	fputs(":\n", stdout);
	const option_group shown[] = {{.title = found->title, .options = found->options}, {0}};
	options_print(shown, columns_of(stdout), stdout);
	return true;
}

rg_error *print_help_of(const command *of, char *const *names, int count)
{
	const command *cmd = of;
	if (count == 1 && print_topic(of, names[0]))
		return NULL;
	for (int i = 0; i < count; i++)
		RG_TRY(command_find(&cmd, cmd, names[i]));
	print_command_help(cmd, stdout);
	return NULL;
}

static rg_error *run_help(command_context *context, void *arguments)
{
	(void)arguments;
	if (context->operand_count)
		return print_help_of(context->program, context->operands, context->operand_count);
	print_program_help(context->program, stdout);
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

const command command_help = {
	.name = "help",
	.summary = "show what a command does",
	.operands = "[COMMAND...]",
	.operands_max = 2,
	.description = "Shows the commands, or one command's options. 'regild help reports' shows "
		       "the options\nof reports, which several commands share.",
	.examples = "regild help refresh\n"
		    "regild help history show\n"
		    "regild help reports",
	.groups = NO_OPTIONS,
	.run = run_help,
};

const command command_version = {
	.name = "version",
	.summary = "show the version",
	.description = "Shows the version, as 'regild --version' does.",
	.examples = "regild version",
	.groups = NO_OPTIONS,
	.flags = COMMAND_HANDLES_PENDING | COMMAND_READS_NO_SETTINGS,
	.run = run_version,
};

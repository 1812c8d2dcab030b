/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "golden/binary/child.h"
#include "golden/binary/sandbox.h"
#include "terminal.h"

#include <stdio.h>
#include <string.h>

#define OF common_arguments
/* clang-format off */
static const option common_options[] = {
	OPTION("directory", "DIR", dirs,
	       "run as if started in DIR; may be repeated, as with git", .letter = 'C', .unsaid = true),
	OPTION("repo", "[HOST/]OWNER/NAME", repository,
	       "the repository whose CI runs are used (default: from .regild, GITHUB_REPOSITORY "
	       "or the remote origin)"),
	OPTION("quiet", NULL, quiet, "print errors and results only", .letter = 'q', .unsaid = true),
	OPTION("verbose", NULL, verbose, "print more; given twice, print HTTP requests too", .letter = 'v', .unsaid = true),
	OPTION("color", "WHEN", color,
	       "use colours: auto, always or never (default: auto, which respects NO_COLOR)",
	       .unsaid = true, .choices = "auto|always|never"),
	OPTION("no-pager", NULL, no_pager, "do not use a pager", .unsaid = true),
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

/* An option with its argument, or an operand, quotes and all. */
static size_t measure_argument(const char *line)
{
	bool is_option = *line == '-';
	char quote = '\0';
	size_t i = 0;
	for (; line[i] && line[i] != '\n'; i++) {
		if (line[i] == '\'')
			quote = quote ? '\0' : line[i];
		if (line[i] != ' ' || quote)
			continue;
		if (!is_option || line[i + 1] == '-')
			break;
		is_option = false;
	}
	return i;
}

/* Calls, one a line. One that is too long for the window goes on after a backslash, as a shell
 * takes it. */
static void print_examples(const char *lines, int columns, FILE *out)
{
	enum { INDENT = 2, HANGING = 6, BACKSLASH = 2 };
	fputs("\nExamples:\n", out);
	while (*lines) {
		int column = fprintf(out, "%*s", INDENT, "");
		for (bool first = true; *lines && *lines != '\n'; first = false) {
			int length = (int)measure_argument(lines);
			bool last = lines[length] != ' ';
			if (!first && column + 1 + length + (last ? 0 : BACKSLASH) > columns)
				column = fprintf(out, " \\\n%*s", HANGING, "") - (BACKSLASH + 1);
			else if (!first)
				column += fprintf(out, " ");
			column += fprintf(out, "%.*s", length, lines);
			lines += length + !last;
		}
		fputc('\n', out);
		lines += *lines == '\n';
	}
}

int help_columns(FILE *out)
{
	enum { COLUMNS_DEFAULT = 80, COLUMNS_MAX = 1000 };
	size_t columns = terminal_columns(out);

	return !columns ? COLUMNS_DEFAULT : columns < COLUMNS_MAX ? (int)columns : COLUMNS_MAX;
}

/* Paragraphs; one that begins with blanks is to be copied. */
static void print_description(const char *text, int columns, FILE *out)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		if (*text != ' ') {
			text = options_print_folded(text, 0, 0, columns, out);
			continue;
		}
		fprintf(out, "%.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

static void print_name(const command *cmd, int columns, FILE *out)
{
	enum { NAME_COLUMNS = 15 };
	fprintf(out, "  %-*s ", NAME_COLUMNS, command_word(cmd));
	options_print_folded(cmd->summary, NAME_COLUMNS + 3, NAME_COLUMNS + 3, columns, out);
}

void print_command_help(const command *cmd, int columns, FILE *out)
{
	int indent = fprintf(out, "usage: regild %s", cmd->name);
	options_print_usage(cmd->groups, cmd->operands, indent, columns, out);
	fputs("\n\n", out);
	print_description(cmd->description, columns, out);
	if (cmd->parts)
		fputs("\nCommands:\n", out);
	for (size_t i = 0; cmd->parts && cmd->parts[i]; i++)
		print_name(cmd->parts[i], columns, out);
	options_print(cmd->groups, columns, out);
	options_print(common_group, columns, out);
	if (cmd->examples)
		print_examples(cmd->examples, columns, out);
}

void print_program_help(const command *of, int columns, FILE *out)
{
	bool plumbing = false;

	fputs("usage: regild [COMMON OPTIONS] COMMAND [OPTIONS]\n\n", out);
	options_print_folded("Refreshes a repository's golden values from a CI run.", 0, 0, columns,
			     out);
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
		"'regild help COMMAND' shows a command's options. 'regild help reports' shows "
		"the options of reports. 'man regild' is the manual.",
		0, 0, columns, out);
}

bool print_topic_help(const command *of, const char *name, int columns, FILE *out)
{
	const option_group *found = NULL;
	for (size_t i = 0; of->parts[i]; i++)
		for (const option_group *group = of->parts[i]->groups; group->options; group++) {
			if (!group->topic || strcmp(group->topic, name) != 0)
				continue;
			fprintf(out, "%s regild %s", found ? " and" : "Options of",
				of->parts[i]->name);
			found = group;
		}
	if (!found)
		return false;
	fputs(":\n", out);
	const option_group shown[] = {{.title = found->title, .options = found->options}, {0}};
	options_print(shown, columns, out);
	return true;
}

rg_error *print_help_of(const command *of, char *const *names, int count)
{
	const command *cmd = of;
	if (count == 1 && print_topic_help(of, names[0], help_columns(stdout), stdout))
		return NULL;
	for (int i = 0; i < count; i++)
		RG_TRY(command_find(&cmd, cmd, names[i]));
	print_command_help(cmd, help_columns(stdout), stdout);
	return NULL;
}

static rg_error *run_help(command_context *context, void *arguments)
{
	(void)arguments;
	if (context->operand_count)
		return print_help_of(context->program, context->operands, context->operand_count);
	print_program_help(context->program, help_columns(stdout), stdout);
	return NULL;
}

void print_version(bool verbose)
{
	printf("regild %s\n", REGILD_VERSION);
	for (size_t i = 0; verbose && rg_binary_readers[i]; i++)
		printf("%s: %s\n", rg_binary_readers[i]->format,
		       rg_binary_readers[i]->load ? "read in a process of its own"
						  : "built without its reader");
	if (verbose)
		printf("these processes are confined by: %s\n", rg_sandbox_name());
}

static rg_error *run_version(command_context *context, void *arguments)
{
	(void)arguments;
	print_version(context->common->verbose > 0);
	return NULL;
}

const command command_help = {
	.name = "help",
	.summary = "show the help of a command",
	.operands = "[COMMAND...]",
	.operands_max = 2,
	.description = "Shows the commands, or the options of one. 'regild help reports' shows "
		       "the options of reports, which several commands share.",
	.examples = "regild help refresh\n"
		    "regild help history show\n"
		    "regild help reports",
	.groups = NO_OPTIONS,
	.run = run_help,
};

const command command_version = {
	.name = "version",
	.summary = "show the version",
	.description = "Shows the version, like 'regild --version'.",
	.examples = "regild version",
	.groups = NO_OPTIONS,
	.flags = COMMAND_HANDLES_PENDING | COMMAND_READS_NO_SETTINGS,
	.run = run_version,
};

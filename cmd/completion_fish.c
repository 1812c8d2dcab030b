/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "completion.h"

/* Within single quotes. */
static void print_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void print_commands(FILE *out)
{
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
}

/* What is offered for an argument. */
static void print_offers(const char *usage, bool list, FILE *out)
{
	completion_kind kind = completion_kind_of(usage);
	if (kind == COMPLETE_FILES)
		fputs(" -F", out);
	if (kind == COMPLETE_FOLDERS)
		fputs(" -a '(__fish_complete_directories)'", out);
	if (kind == COMPLETE_COMMANDS) {
		fputs(" -a '", out);
		print_commands(out);
		fputc('\'', out);
	}
	if (completion_has_words(usage)) {
		fprintf(out, " -a '%s", list ? "(__fish_append , " : "");
		completion_print_words(usage, out);
		fputs(list ? ")'" : "'", out);
	}
}

/* The beginning of a rule for a command, for "" where there is none yet, or NULL for all. */
static void print_rule(const char *name, FILE *out)
{
	fputs("complete -c regild", out);
	if (name)
		fprintf(out, " -n '__regild_command_is %s'", name);
}

static void print_option(const char *name, const option *o, FILE *out)
{
	char words[COMPLETION_WORDS];
	const char *usage = completion_usage(words, o);

	print_rule(name, out);
	if (o->letter)
		fprintf(out, " -s %c", o->letter);
	fprintf(out, " -l %s", o->name);
	if (option_takes_word(o)) {
		fputs(completion_kind_of(usage) == COMPLETE_FILES ? " -r" : " -x", out);
		print_offers(usage, completion_is_list(o), out);
	}
	fputs(" -d '", out);
	print_text(o->help, out);
	fputs("'\n", out);
}

static void print_options(const char *name, const option_group *groups, FILE *out)
{
	const option *o;
	for (; groups->options; groups++)
		for (o = groups->options; o->name; o++)
			print_option(name, o, out);
}

static void print_command(const command *cmd, FILE *out)
{
	print_rule("", out);
	fprintf(out, " -a %s -d '", cmd->name);
	print_text(cmd->summary, out);
	fputs("'\n", out);
	print_options(cmd->name, cmd->groups, out);
	if (completion_kind_of(cmd->operands) == COMPLETE_NOTHING &&
	    !completion_has_words(cmd->operands))
		return;
	print_rule(cmd->name, out);
	print_offers(cmd->operands, false, out);
	fputc('\n', out);
}

/* A common option's argument is not the command. */
static void print_test(FILE *out)
{
	const option *o;
	fputs("function __regild_command_is --description 'Is this the command on the line?'\n"
	      "\tset -l words (commandline -opc)\n"
	      "\tset -e words[1]\n"
	      "\twhile set -q words[1]\n"
	      "\t\tswitch $words[1]\n"
	      "\t\t\tcase",
	      out);
	for (o = common_group->options; o->name; o++)
		if (option_takes_word(o)) {
			fputc(' ', out);
			completion_print_names(o, " ", out);
		}
	fputs("\n"
	      "\t\t\t\tset -e words[1]\n"
	      "\t\t\tcase '-*'\n"
	      "\t\t\tcase '*'\n"
	      "\t\t\t\ttest \"$words[1]\" = \"$argv[1]\"\n"
	      "\t\t\t\treturn\n"
	      "\t\tend\n"
	      "\t\tset -e words[1]\n"
	      "\tend\n"
	      "\ttest -z \"$argv[1]\"\n"
	      "end\n\n",
	      out);
}

void completion_print_fish(FILE *out)
{
	fputs("# fish completion for regild; 'regild completion fish' prints it.\n\n", out);
	print_test(out);
	fputs("complete -c regild -f\n", out);
	print_options(NULL, common_group, out);
	print_options("", version_group, out);
	for (size_t i = 0; commands[i]; i++)
		print_command(commands[i], out);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "completion.h"

/* "kind=files words='list show'" */
static void print_kind(const char *usage, FILE *out)
{
	static const char *const kinds[] = {[COMPLETE_NOTHING] = "nothing",
					    [COMPLETE_FILES] = "files",
					    [COMPLETE_FOLDERS] = "folders",
					    [COMPLETE_COMMANDS] = "nothing words=$commands"};

	fprintf(out, "kind=%s", kinds[completion_kind_of(usage)]);
	if (completion_has_words(usage)) {
		fputs(" words='", out);
		completion_print_words(usage, out);
		fputc('\'', out);
	}
}

/* A line of a case for each option with an argument. */
static void print_arguments(const char *name, const option_group *groups, FILE *out)
{
	char words[COMPLETION_WORDS];
	const option *o;

	for (; groups->options; groups++)
		for (o = groups->options; o->name; o++) {
			if (!option_takes_word(o))
				continue;
			fprintf(out, "\t%s:", name);
			if (o->letter)
				fprintf(out, "-%c | %s:", o->letter, name);
			fprintf(out, "--%s) ", o->name);
			print_kind(completion_usage(words, o), out);
			fprintf(out, "%s ;;\n", completion_is_list(o) ? " kind=list" : "");
		}
}

static void print_options(const option_group *groups, FILE *out)
{
	const option *o;
	for (; groups->options; groups++)
		for (o = groups->options; o->name; o++) {
			fputc(' ', out);
			completion_print_names(o, " ", out);
		}
}

/* A line of a case: what a command takes beside the common options. */
static void print_command(const command *cmd, FILE *out)
{
	fprintf(out, "\t%s) options+='", cmd->name);
	print_options(cmd->groups, out);
	fputs("' ", out);
	print_kind(cmd->operands, out);
	fputs(" ;;\n", out);
}

static void print_tables(FILE *out)
{
	fputs("# bash completion for regild; 'regild completion bash' prints it.\n\n"
	      "# What follows an option of a command, \"COMMAND:OPTION\"; a flag has no kind.\n"
	      "_regild_argument() {\n"
	      "\tkind= words=\n"
	      "\tcase $1 in\n",
	      out);
	print_arguments("*", common_group, out);
	for (size_t i = 0; commands[i]; i++)
		print_arguments(commands[i]->name, commands[i]->groups, out);
	fputs("\tesac\n}\n\n"
	      "# The options of a command, and what its operands are; before it, the command "
	      "itself.\n"
	      "_regild_command() {\n"
	      "\tlocal commands='",
	      out);
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
	fputs("'\n\toptions='", out);
	print_options(common_group, out);
	fputs("' kind= words=\n\tcase $1 in\n\t'') options+='", out);
	print_options(version_group, out);
	fputs("' kind=nothing words=$commands ;;\n", out);
	for (size_t i = 0; commands[i]; i++)
		print_command(commands[i], out);
	fputs("\tesac\n}\n\n", out);
}

void completion_print_bash(FILE *out)
{
	print_tables(out);
	fputs("_regild() {\n"
	      "\tlocal IFS=$' \\t\\n' current=${COMP_WORDS[COMP_CWORD]} command= kind= words= "
	      "before= "
	      "options= "
	      "word i ended=\n"
	      "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	      "\t\tword=${COMP_WORDS[i]}\n"
	      "\t\tcase $word in\n"
	      "\t\t=* | :*) kind=${kind:-nothing} ;; # readline splits there\n"
	      "\t\t*)\n"
	      "\t\t\tif [[ $kind ]]; then\n"
	      "\t\t\t\tkind=\n"
	      "\t\t\telif [[ $word == -- ]]; then\n"
	      "\t\t\t\tended=1\n"
	      "\t\t\telif [[ $word == -* && ! $ended ]]; then\n"
	      "\t\t\t\t_regild_argument \"$command:$word\"\n"
	      "\t\t\telse\n"
	      "\t\t\t\tcommand=${command:-$word}\n"
	      "\t\t\tfi\n"
	      "\t\t\t;;\n"
	      "\t\tesac\n"
	      "\tdone\n"
	      "\tcase $current in =* | :*) current=${current:1} kind=${kind:-nothing} ;; esac\n"
	      "\tif [[ ! $kind ]]; then\n"
	      "\t\t_regild_command \"$command\"\n"
	      "\t\t[[ $current != -* || $ended ]] || kind=nothing words=$options\n"
	      "\tfi\n"
	      "\t[[ $kind != list || $current != *,* ]] || before=${current%,*},\n"
	      "\tCOMPREPLY=($(compgen -P \"$before\" -W \"$words\" -- "
	      "\"${current#\"$before\"}\"))\n"
	      "\tcase $kind in\n"
	      "\tfiles) compopt -o default ;;\n"
	      "\tfolders) compopt -o dirnames ;;\n"
	      "\tesac\n"
	      "}\n"
	      "\n"
	      "complete -F _regild regild\n",
	      out);
}

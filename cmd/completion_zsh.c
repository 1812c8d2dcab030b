/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "completion.h"

#include <string.h>

/* Text within single quotes and a specification of _arguments, whose own signs are escaped. */
static void print_text(const char *text, FILE *out)
{
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fprintf(out, "%s%c", strchr("[]:\\", *text) ? "\\" : "", *text);
}

/* ":DIR:_path_files -/": what an argument is called, and what is offered for it. */
static void print_action(const char *name, const char *usage, FILE *out)
{
	static const char *const actions[] = {[COMPLETE_NOTHING] = " ",
					      [COMPLETE_FILES] = "_files",
					      [COMPLETE_FOLDERS] = "_path_files -/",
					      [COMPLETE_COMMANDS] = "_regild_commands"};

	fputc(':', out);
	print_text(name, out);
	fputc(':', out);
	if (completion_has_words(usage)) {
		fputc('(', out);
		completion_print_words(usage, out);
		fputc(')', out);
	} else {
		fputs(actions[completion_kind_of(usage)], out);
	}
}

/* ":word:_values -s , word lost removed" */
static void print_list(const option *o, FILE *out)
{
	char words[COMPLETION_WORDS];
	fputs(":word:_values -s , word ", out);
	completion_print_words(completion_usage(words, o), out);
}

/* '(-o --output)'{-o+,--output=}'[help]:DIR:_path_files -/' */
static void print_option(const option *o, FILE *out)
{
	char words[COMPLETION_WORDS];
	bool repeated = o->kind == OPTION_TEXTS || o->kind == OPTION_COUNT;
	const char *argument = option_takes_word(o) ? "+" : "";
	const char *equals = option_takes_word(o) ? "=" : "";

	fputs("\t\t'", out);
	if (repeated) {
		fputc('*', out);
	} else if (o->letter) {
		fputc('(', out);
		completion_print_names(o, " ", out);
		fputc(')', out);
	}
	if (o->letter)
		fprintf(out, "'{-%c%s,--%s%s}'[", o->letter, argument, o->name, equals);
	else
		fprintf(out, "--%s%s[", o->name, equals);
	print_text(o->help, out);
	fputc(']', out);
	if (completion_is_list(o))
		print_list(o, out);
	else if (option_takes_word(o))
		print_action(o->argument, completion_usage(words, o), out);
	fputs("'\n", out);
}

static void print_options(const option_group *groups, FILE *out)
{
	const option *o;
	for (; groups->options; groups++)
		for (o = groups->options; o->name; o++)
			print_option(o, out);
}

/* Words come first where there are files, too. */
static void print_operands(const char *operands, FILE *out)
{
	completion_kind kind = completion_kind_of(operands);
	if (completion_has_words(operands)) {
		fputs("\t\t'1", out);
		print_action(operands, operands, out);
		fputs("'\n", out);
	}
	if (kind == COMPLETE_NOTHING)
		return;
	fputs("\t\t'*", out);
	print_action(operands, kind == COMPLETE_FILES ? "FILE" : operands, out);
	fputs("'\n", out);
}

static void print_commands(FILE *out)
{
	fputs("#compdef regild\n"
	      "# zsh completion for regild; 'regild completion zsh' prints it.\n\n"
	      "_regild_commands() {\n"
	      "\tlocal -a commands=(\n",
	      out);
	for (size_t i = 0; commands[i]; i++) {
		fprintf(out, "\t\t'%s:", commands[i]->name);
		print_text(commands[i]->summary, out);
		fputs("'\n", out);
	}
	fputs("\t)\n"
	      "\t_describe -t commands command commands\n"
	      "}\n\n",
	      out);
}

void completion_print_zsh(FILE *out)
{
	print_commands(out);
	fputs("_regild() {\n"
	      "\tlocal curcontext=$curcontext state state_descr line\n"
	      "\tlocal -A opt_args\n"
	      "\tlocal -a common=(\n",
	      out);
	print_options(common_group, out);
	fputs("\t) options=(\n", out);
	print_options(version_group, out);
	fputs("\t)\n"
	      "\t_arguments -C -s -S $common $options '1: :_regild_commands' '*:: :->command' && "
	      "return\n"
	      "\t[[ $state == command ]] || return\n"
	      "\tcase $words[1] in\n",
	      out);
	for (size_t i = 0; commands[i]; i++) {
		fprintf(out, "\t%s) options=(\n", commands[i]->name);
		print_options(commands[i]->groups, out);
		print_operands(commands[i]->operands, out);
		fputs("\t) ;;\n", out);
	}
	fputs("\t*) options=() ;;\n"
	      "\tesac\n"
	      "\t_arguments -s -S $common $options\n"
	      "}\n\n"
	      "# Loaded by name from $fpath, or by source.\n"
	      "if [[ $funcstack[1] == _regild ]]; then\n"
	      "\t_regild \"$@\"\n"
	      "else\n"
	      "\tcompdef _regild regild\n"
	      "fi\n",
	      out);
}

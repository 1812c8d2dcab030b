/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "completion.h"

#include <ctype.h>
#include <string.h>

/* The next word of a usage, and its length; NULL: there is none. *usage is then what follows it. */
static const char *next_word(const char **usage, size_t *length)
{
	const char *word = *usage ? *usage : "";
	while (*word && !isalpha((unsigned char)*word))
		word++;
	for (*length = 0;
	     isalnum((unsigned char)word[*length]) || word[*length] == '-' || word[*length] == '.';)
		++*length;
	*usage = word + *length;
	return *word ? word : NULL;
}

/* FILE, or FILE.bpte, of FILE; not FILES. */
static bool is_placeholder(const char *word, const char *name)
{
	size_t length = strlen(name);
	return !strncmp(word, name, length) && !isalpha((unsigned char)word[length]);
}

completion_kind completion_kind_of(const char *usage)
{
	static const struct {
		const char *name;
		completion_kind kind;
	} kinds[] = {{"FILE", COMPLETE_FILES},  {"GOLDEN", COMPLETE_FILES},
		     {"PATH", COMPLETE_FILES},  {"ZIP", COMPLETE_FILES},
		     {"DIR", COMPLETE_FOLDERS}, {"COMMAND", COMPLETE_COMMANDS}};
	const char *word;
	size_t length;

	while ((word = next_word(&usage, &length)) != NULL)
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (is_placeholder(word, kinds[i].name))
				return kinds[i].kind;
	return COMPLETE_NOTHING;
}

/* The next word in small letters, as next_word. */
static const char *next_literal(const char **usage, size_t *length)
{
	const char *word = next_word(usage, length);
	while (word && !islower((unsigned char)*word))
		word = next_word(usage, length);
	return word;
}

bool completion_has_words(const char *usage)
{
	size_t length;
	return next_literal(&usage, &length) != NULL;
}

void completion_print_words(const char *usage, FILE *out)
{
	const char *word, *before = "";
	size_t length;

	for (; (word = next_literal(&usage, &length)) != NULL; before = " ")
		fprintf(out, "%s%.*s", before, (int)length, word);
}

const char *completion_usage(char words[static COMPLETION_WORDS], const option *o)
{
	const char *word, *help;
	size_t length = 0;

	if (!o->word)
		return o->choices ? o->choices : o->argument;
	*words = '\0';
	for (size_t i = 0; (word = o->word(i, &help)) != NULL && length < COMPLETION_WORDS; i++)
		length += (size_t)snprintf(words + length, COMPLETION_WORDS - length, "%s|", word);
	return words;
}

bool completion_is_list(const option *o)
{
	return o->word && strchr(o->argument, ',');
}

void completion_print_names(const option *o, const char *between, FILE *out)
{
	if (o->letter)
		fprintf(out, "-%c%s", o->letter, between);
	fprintf(out, "--%s", o->name);
}

static rg_error *run(command_context *context, void *arguments)
{
	static const struct {
		const char *name;
		void (*print)(FILE *out);
	} shells[] = {{"bash", completion_print_bash},
		      {"zsh", completion_print_zsh},
		      {"fish", completion_print_fish}};
	const char *shell = context->operand_count ? context->operands[0] : "";

	(void)arguments;
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (!strcmp(shells[i].name, shell)) {
			shells[i].print(stdout);
			return NULL;
		}
	return usage_error("for which shell? 'regild completion bash', zsh or fish");
}

static const option_group groups[] = {{0}};

const command command_completion = {
	.name = "completion",
	.summary = "print a script that completes regild's calls in a shell",
	.operands = "bash|zsh|fish",
	.operands_max = 1,
	.description =
		"Prints the script for bash, zsh or fish. 'make install' puts all three where\n"
		"the shells look for them; 'man regild-completion' says how to load one otherwise.",
	.examples = "source <(regild completion bash)\nregild completion zsh > _regild",
	.groups = groups,
	.flags = COMMAND_HANDLES_PENDING | COMMAND_READS_NO_SETTINGS,
	.run = run,
};

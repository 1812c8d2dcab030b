/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include "base/templates.h"

#include <ctype.h>
#include <string.h>

/*
 * A place's usage says what may be in it: a word in small letters is typed as it is
 * ("list|clear"), and a word in capitals says what has to be there ("[FILE...]").
 */

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

static const char *kind_of(const char *usage)
{
	static const char *const kinds[][2] = {{"FILE", "files"},  {"GOLDEN", "files"},
					       {"PATH", "files"},  {"ZIP", "files"},
					       {"DIR", "folders"}, {"COMMAND", "commands"}};
	const char *word;
	size_t length;

	while ((word = next_word(&usage, &length)) != NULL)
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
			const size_t named = strlen(kinds[i][0]);
			/* FILE, or FILE.bpte, is of FILE; FILES is not. */
			if (!strncmp(word, kinds[i][0], named) &&
			    !isalpha((unsigned char)word[named]))
				return kinds[i][1];
		}
	return "nothing";
}

/* The word under way: what is offered begins with it. */
typedef struct {
	const char *before; /* of it, what stays: "--color=", "lost," */
	int before_length;
	const char *text;
} current_word;

static void offer(const current_word *current, const char *word, size_t length, const char *help)
{
	size_t typed = strlen(current->text);
	if (length >= typed && !strncmp(word, current->text, typed))
		printf("%.*s%.*s\t%s\n", current->before_length, current->before, (int)length, word,
		       help);
}

static void offer_words(const current_word *current, const char *usage)
{
	const char *word;
	size_t length;

	while ((word = next_word(&usage, &length)) != NULL)
		if (islower((unsigned char)*word))
			offer(current, word, length, "");
}

static void offer_argument(current_word current, const option *o)
{
	const char *word, *argument, *help, *comma = strrchr(current.text, ',');
	if (!o->word) {
		puts(o->choices ? "nothing" : kind_of(o->argument));
		offer_words(&current, o->choices ? o->choices : o->argument);
		return;
	}
	/* Several of its words may be given, with a comma between them. */
	if (strchr(o->argument, ',') && comma) {
		if (!current.before_length)
			current.before = current.text;
		current.before_length += (int)(comma + 1 - current.text);
		current.text = comma + 1;
	}
	puts("nothing");
	for (size_t i = 0; (word = o->word(i, &argument, &help)) != NULL; i++) {
		char text[64];
		/* A word is not complete without the sign of an argument that it needs. */
		snprintf(text, sizeof(text), "%s%.*s", word, *argument && *argument != '[',
			 argument);
		offer(&current, text, strlen(text), help);
	}
}

/* The meaning of the words before the one under way. */
typedef struct {
	const command *cmd;
	const command *named;  /* by the operands, where these are commands */
	const option *pending; /* its argument comes next */
	bool ended;            /* the options, by "--" */
} place;

static const option no_argument_of_ours = {.argument = "ID"};

static const option *find_in(const option_group *groups, const char *word, size_t length)
{
	for (; groups && groups->options; groups++)
		for (const option *o = groups->options; o->name; o++)
			if ((length == 2 && o->letter == word[1]) ||
			    (length > 2 && !strncmp(o->name, word + 2, length - 2) &&
			     !o->name[length - 2]))
				return o;
	return NULL;
}

static const option *find_option(const place *p, const char *word)
{
	size_t length = strcspn(word, "=");
	const option *o = find_in(p->cmd->groups, word, length);
	return o ? o : find_in(common_group, word, length);
}

static void pass(place *p, const char *word)
{
	static const command unknown = {.name = ""};
	const option *o;

	if (!strcmp(word, "=") || !strcmp(word, ":")) { /* readline splits there */
		if (!p->pending)
			p->pending = &no_argument_of_ours;
	} else if (p->pending) {
		p->pending = NULL;
	} else if (!p->ended && !strcmp(word, "--")) {
		p->ended = true;
	} else if (!p->ended && *word == '-') {
		o = strchr(word, '=') ? NULL : find_option(p, word);
		p->pending = o && option_takes_word(o) ? o : NULL;
	} else if (p->cmd->parts) {
		const command *part = command_part(p->cmd, word);
		p->cmd = part ? part : &unknown;
	} else if (!strcmp(kind_of(p->cmd->operands), "commands")) {
		const command *part = command_part(p->named, word);
		p->named = part ? part : &unknown;
	}
}

static void offer_options(const current_word *current, const option_group *groups)
{
	char name[64];
	for (; groups && groups->options; groups++)
		for (const option *o = groups->options; o->name; o++) {
			if (o->letter) {
				snprintf(name, sizeof(name), "-%c", o->letter);
				offer(current, name, strlen(name), o->help);
			}
			snprintf(name, sizeof(name), "--%s", o->name);
			offer(current, name, strlen(name), o->help);
		}
}

static void offer_operands(const place *p, const current_word *current)
{
	const char *kind = kind_of(p->cmd->operands);
	const command *of = p->cmd->parts ? p->cmd : p->named;

	if (!p->cmd->parts && strcmp(kind, "commands") != 0) {
		puts(kind);
		offer_words(current, p->cmd->operands);
		return;
	}
	puts("nothing");
	for (size_t i = 0; of->parts && of->parts[i]; i++) {
		const char *name = command_word(of->parts[i]);
		offer(current, name, strlen(name), of->parts[i]->summary);
	}
}

void complete(const command *of, char *const *words, int count)
{
	place p = {.cmd = of, .named = of};
	current_word current = {.text = count ? words[count - 1] : ""};
	const option *o;

	for (int i = 0; i + 1 < count; i++)
		pass(&p, words[i]);
	if (*current.text == '=' || *current.text == ':') {
		pass(&p, "=");
		current.text++;
	}
	if (p.pending) {
		offer_argument(current, p.pending);
	} else if (!p.ended && *current.text == '-' && strchr(current.text, '=')) {
		o = find_option(&p, current.text);
		current.before = current.text;
		current.before_length = (int)strcspn(current.text, "=") + 1;
		current.text += current.before_length;
		offer_argument(current, o && option_takes_word(o) ? o : &no_argument_of_ours);
	} else if (!p.ended && *current.text == '-') {
		puts("nothing");
		offer_options(&current, p.cmd->groups);
		offer_options(&current, common_group);
		offer_options(&current, p.cmd == of ? version_group : NULL);
	} else {
		offer_operands(&p, &current);
	}
}

static rg_error *run(command_context *context, void *arguments)
{
	const char *shell = context->operand_count ? context->operands[0] : "";
	char file[32];

	(void)arguments;
	snprintf(file, sizeof(file), "completion.%s", shell);
	const char *script = rg_template_text(file);
	if (!*script)
		return usage_error("for which shell? 'regild completion bash', zsh or fish");
	fputs(script, stdout);
	return NULL;
}

const command command_completion = {
	.name = "completion",
	.summary = "print a shell completion script",
	.operands = "bash|zsh|fish",
	.operands_max = 1,
	.description =
		"Prints the completion script for bash, zsh or fish. 'make install' puts all "
		"three where the shells look for them. 'man regild-completion' shows how to load "
		"one by hand.",
	.examples = "source <(regild completion bash)\nregild completion zsh > _regild",
	.groups = NO_OPTIONS,
	.flags = COMMAND_IS_PLUMBING | COMMAND_HANDLES_PENDING | COMMAND_READS_NO_SETTINGS,
	.run = run,
};

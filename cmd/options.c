/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "base/memory.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/shell.h"

#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_MAX = 96, NAME_SIZE = 96, WORD_SIZE = 200 };

/* The groups' rows as getopt_long wants them; val is 256 + the row's place. */
typedef struct {
	struct option table[OPTIONS_MAX + 1];
	char letters[2 * OPTIONS_MAX + 4];
	const option *rows[OPTIONS_MAX];
	void *targets[OPTIONS_MAX];
	int count;
} getopt_rows;

static rg_error *collect_table(getopt_rows *rows, const option *o, char *target, char **letter)
{
	for (; o->name; o++) {
		int i = rows->count++;
		int valued = option_takes_word(o) ? required_argument
			     : o->argument        ? optional_argument
						  : no_argument;

		if (i >= OPTIONS_MAX)
			return rg_error_new(RG_E_LIMIT, "more than %d options", OPTIONS_MAX);
		rows->table[i] = (struct option){o->name, valued, NULL, 256 + i};
		rows->rows[i] = o;
		rows->targets[i] = target + o->offset;
		if (o->letter) {
			*(*letter)++ = o->letter;
			if (valued == required_argument)
				*(*letter)++ = ':';
		}
	}
	return NULL;
}

static rg_error *collect(getopt_rows *rows, const option_set *sets, bool leading_only)
{
	char *letter = rows->letters;
	*letter++ = leading_only ? '+' : '-'; /* '-': operands come back as 1, in their places */
	*letter++ = ':';                      /* missing arguments come back as ':' */
	for (; sets->groups; sets++)
		for (const option_group *group = sets->groups; group->options; group++)
			RG_TRY(collect_table(rows, group->options,
					     (char *)sets->arguments + group->offset, &letter));
	*letter = '\0';
	return NULL;
}

static rg_error *set_integer(const option *o, rg_optional_integer *target, const char *text)
{
	uint64_t value;
	if (!text) {
		*target = (rg_optional_integer){true, o->maximum};
		return NULL;
	}
	if (!rg_uint64_parse(text, strlen(text), &value))
		return rg_error_new(RG_E_USAGE, "--%s: '%s' is not a whole number", o->name, text);
	if (value < o->minimum || (o->maximum && value > o->maximum)) {
		if (o->maximum)
			return rg_error_new(RG_E_USAGE, "--%s: %s is not in %llu … %llu", o->name,
					    text, o->minimum, o->maximum);
		return rg_error_new(RG_E_USAGE, "--%s: %s is less than %llu", o->name, text,
				    o->minimum);
	}
	*target = (rg_optional_integer){true, value};
	return NULL;
}

bool option_is_choice(const char *choices, const char *text)
{
	size_t length = strlen(text);
	const char *p = choices;

	while (p) {
		if (length && !strncmp(p, text, length) && (!p[length] || p[length] == '|'))
			return true;
		p = strchr(p, '|');
		p = p ? p + 1 : NULL;
	}
	return false;
}

static rg_error *set_option(const option *o, void *target, const char *text)
{
	rg_texts *texts = target;
	rg_optional_number *number = target;
	const char **value = target;

	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)target = true;
		break;
	case OPTION_COUNT:
		++*(int *)target;
		break;
	case OPTION_TEXT:
		if (o->choices && !option_is_choice(o->choices, text))
			return rg_error_new(RG_E_USAGE, "--%s: '%s' is not one of %s", o->name,
					    text, o->choices);
		if (o->several && *value && strcmp(*value, text) != 0)
			return rg_error_new(RG_E_USAGE,
					    "--%s is given as %s and as %s; '%s %s,%s' takes both",
					    o->name, *value, text, o->several, *value, text);
		*value = text;
		break;
	case OPTION_TEXTS:
		rg_grow(&texts->items, &texts->capacity, texts->count + 1, sizeof(*texts->items));
		texts->items[texts->count++] = text;
		break;
	case OPTION_NUMBER:
		if (!(o->fraction ? rg_fraction_parse : rg_double_parse)(text, strlen(text),
									 &number->value) ||
		    !isfinite(number->value))
			return rg_error_new(RG_E_USAGE, "--%s: '%s' is not a number", o->name,
					    text);
		number->given = true;
		break;
	case OPTION_INTEGER:
		return set_integer(o, target, text);
	}
	return NULL;
}

static int find_letter(const getopt_rows *rows, int letter)
{
	for (int i = 0; i < rows->count; i++)
		if (rows->rows[i]->letter == letter)
			return i;
	return -1;
}

static const char *find_name(const option_group *groups, const char *name, size_t length)
{
	for (; groups->options; groups++)
		for (const option *o = groups->options; o->name; o++)
			if (!strncmp(o->name, name, length) && !o->name[length])
				return name;
	return NULL;
}

/* As cmd/suggest.c has them of commands. */
/* clang-format off */
static const struct {
	const char *typed; /* without dashes; NULL ends the table */
	const char *name;  /* of the first that a command has: "only-failing", "color=never" */
} suggested_options[] = {
	{"failing", "only-failing"}, {"failed", "only-failing"}, {"id", "run"}, {"run-id", "run"},
	{"include", "only"}, {"exclude", "except"}, {"filter", "only"}, {"only", "filter"},
	{"patch", "interactive"}, {"add", "stage"}, {"force", "yes"}, {"assume-yes", "yes"},
	{"output", "markdown"}, {"format", "json"}, {"output-dir", "output"}, {"branch", "base"},
	{"from", "base"}, {"against", "base"}, {"head", "to"}, {"cached", "staged"},
	{"index", "staged"}, {"limit", "last"}, {"limit", "top"}, {"tolerance", "fail-above"},
	{"tolerance", "rtol"}, {"threads", "jobs"}, {"parallel", "jobs"},
	{"timeout", "max-wait"},
	{"no-color", "color=never"}, {"debug", "verbose"}, {"silent", "quiet"},
	{"cwd", "directory"}, {"repository", "repo"},
	{0},
};
/* clang-format on */

/* What is invented that no option is: what there is instead. */
/* clang-format off */
static const struct {
	const char *typed, *said; /* NULL ends the table */
	const char *with;         /* only of a command with this option; NULL: of any */
} invented_options[] = {
	{"yes", "nothing is asked without a terminal, so there is nothing to confirm", NULL},
	{"no-input", "nothing is asked without a terminal", NULL},
	{"non-interactive", "nothing is asked without a terminal", NULL},
	{"force", "'--allow GUARD' takes what a guard holds back: the refusal has the whole call",
	 "allow"},
	{"commit", "regild commits nothing; '--message FILE' writes a message for 'git commit -F'",
	 "message"},
	{0},
};
/* clang-format on */

static const char *find_invented(const option_set *sets, const char *typed)
{
	for (size_t i = 0; invented_options[i].typed; i++) {
		const char *with = invented_options[i].with;
		if (!strcmp(invented_options[i].typed, typed) &&
		    (!with || find_name(sets->groups, with, strlen(with))))
			return invented_options[i].said;
	}
	return NULL;
}

const char *options_suggest(const option_group *groups, const char *typed)
{
	size_t length = strcspn(typed, "=");
	const char *found = find_name(groups, typed, length);

	for (size_t i = 0; !found && suggested_options[i].typed; i++) {
		const char *meant = suggested_options[i].typed, *name = suggested_options[i].name;
		if (strlen(meant) == length && !strncmp(meant, typed, length))
			found = find_name(groups, name, strcspn(name, "="));
	}
	return found;
}

static bool is_option(const getopt_rows *rows, const char *name, size_t length)
{
	for (int i = 0; i < rows->count; i++)
		if (!strncmp(rows->rows[i]->name, name, length) && !rows->rows[i]->name[length])
			return true;
	return false;
}

/* "-all" is "-a -l -l" for getopt_long, and "-only" the folder "nly". */
static rg_error *refuse_word(const getopt_rows *rows, const char *given)
{
	if (!given || given[0] != '-' || !given[1] || given[1] == '-' || !given[2])
		return NULL;
	size_t length = strcspn(++given, "=");
	if (!is_option(rows, given, length))
		return NULL;
	return rg_error_new(RG_E_USAGE, "unknown option '-%.*s'; did you mean '--%.*s'?",
			    (int)length, given, (int)length, given);
}

/* "--output=json", or the same in two words. */
static bool is_json(const char *text, size_t length, const char *next)
{
	const char *value = text[length] ? text + length + 1 : next;
	return (!strncmp(text, "output", length) || !strncmp(text, "format", length)) && value &&
	       !strcmp(value, "json");
}

/* What has no option's whole name, getopt_long takes for the one that it begins: what that is
 * changes with each new option. */
static rg_error *refuse_long(const getopt_rows *rows, const option_set *sets, const char *given,
			     const char *next)
{
	if (!given || strncmp(given, "--", 2) != 0 || !given[2])
		return NULL;
	const char *text = given + 2;
	size_t length = strcspn(text, "=");
	if (is_option(rows, text, length))
		return NULL;
	int begun = 0;
	rg_nearest nearest;
	const char *meant = NULL;
	rg_buf list;
	rg_error *err;

	char *name = rg_strndup(text, length);
	rg_nearest_init(&nearest, name);
	rg_buf_init(&list, RG_BUF_TEXT);
	for (int i = 0; i < rows->count; i++) {
		rg_nearest_offer(&nearest, rows->rows[i]->name);
		if (!strncmp(rows->rows[i]->name, name, length))
			rg_buf_printf(&list, "%s--%s", begun++ ? ", " : "", rows->rows[i]->name);
	}
	const char *said = find_invented(sets, name);
	if (is_json(text, length, next) && is_option(rows, "json", 4))
		said = meant = "'--json FILE' writes JSON, and '--json -' prints it";
	else
		for (; !meant && sets->groups; sets++)
			said = (meant = options_suggest(sets->groups, name)) ? NULL : said;
	if (!meant)
		meant = rg_nearest_name(&nearest);
	if (begun && !list.is_full)
		err = rg_error_new(RG_E_USAGE,
				   "unknown option '--%s'; options are written in full: %s", name,
				   list.data);
	else if (said)
		err = rg_error_new(RG_E_USAGE, "unknown option '--%s'; %s", name, said);
	else if (meant)
		err = rg_error_new(RG_E_USAGE, "unknown option '--%s'; did you mean '--%s'?", name,
				   meant);
	else
		err = rg_error_new(RG_E_USAGE, "unknown option '--%s'", name);
	rg_buf_release(&list);
	free(name);
	return err;
}

/* What getopt_long would have printed. */
static rg_error *refuse(const getopt_rows *rows, int answer)
{
	if (optopt >= 256)
		return rg_error_new(RG_E_USAGE, "--%s %s", rows->rows[optopt - 256]->name,
				    answer == ':' ? "needs an argument" : "takes no argument");
	if (optopt && find_letter(rows, optopt) >= 0)
		return rg_error_new(RG_E_USAGE, "-%c needs an argument", optopt);
	return rg_error_new(RG_E_USAGE, "unknown option '-%c'", optopt);
}

/* Where a file is on this machine is nobody's business: "/a/b/new.json" is "…/new.json", also
 * after a prefix, "path:". */
static void say_value(rg_buf *said, const char *value)
{
	const char *colon = strchr(value, ':'), *path = value;
	rg_buf shown;

	if (colon && colon[1] == '/' && colon[2] != '/')
		path = colon + 1;
	rg_buf_init(&shown, RG_BUF_TEXT);
	rg_buf_add(&shown, value, (size_t)(path - value));
	rg_buf_printf(&shown, "%s%s", *path == '/' ? "…" : "",
		      *path == '/' ? strrchr(path, '/') : path);
	rg_buf_char(said, ' ');
	rg_shell_quote(said, shown.data);
	rg_buf_inherit(said, &shown);
	rg_buf_release(&shown);
}

static void say(rg_buf *said, const option *o, const char *value)
{
	if (!said || o->unsaid)
		return;
	rg_buf_printf(said, " --%s", o->name);
	if (value)
		say_value(said, value);
}

/* "--wait 600": getopt_long takes only "--wait=600". */
static char *next_number(const option *o, char **argv, int argc)
{
	char *next = optind < argc ? argv[optind] : NULL;
	if (!next || !o->argument_optional || !*next || next[strspn(next, "0123456789")])
		return NULL;
	optind++;
	return next;
}

static const char *next_word(char **argv, int argc)
{
	int next = (optind ? optind : 1) + 1;
	return next < argc ? argv[next] : NULL;
}

static void say_operands(rg_buf *said, const option_operands *operands)
{
	for (int i = 0; said && i <= operands->count; i++) {
		if (operands->dashes && i == operands->count - operands->after_dashes)
			rg_buf_str(said, " --");
		if (i < operands->count)
			say_value(said, operands->items[i]);
	}
}

rg_error *options_parse(const option_set *sets, bool leading_only, int argc, char **argv,
			option_operands *operands, rg_buf *said)
{
	getopt_rows rows = {0};
	int answer, count = 0, seen = 1;

	*operands = (option_operands){0};
	RG_TRY(collect(&rows, sets, leading_only));
	opterr = 0;
	optind = 0; /* glibc: start afresh */
	for (;;) {
		int i;
		operands->items = argv + (optind ? optind : 1);
		RG_TRY(refuse_word(&rows, *operands->items));
		RG_TRY(refuse_long(&rows, sets, *operands->items, next_word(argv, argc)));
		answer = getopt_long(argc, argv, rows.letters, rows.table, NULL);
		if (answer == -1)
			break;
		i = answer >= 256 ? answer - 256 : find_letter(&rows, answer);

		seen = optind;
		if (answer == 1) { /* its place, or one before it, is done with */
			argv[1 + count++] = optarg;
			continue;
		}
		if (answer == '?' || answer == ':' || i < 0) {
			/* musl goes past the end where an argument is missing. */
			operands->items = argv + (optind > argc ? argc : optind) - 1;
			return refuse(&rows, answer);
		}
		if (!optarg)
			optarg = next_number(rows.rows[i], argv, argc);
		seen = optind;
		RG_TRY(set_option(rows.rows[i], rows.targets[i], optarg));
		say(said, rows.rows[i], optarg);
		if (rows.rows[i]->ends_parsing)
			break;
	}
	operands->dashes = optind > seen;
	operands->after_dashes = argc - optind;
	memmove(argv + 1 + count, argv + optind, (size_t)(argc - optind) * sizeof(*argv));
	operands->items = argv + 1;
	operands->count = count + argc - optind;
	say_operands(said, operands);
	return NULL;
}

static void release_table(const option *o, char *target)
{
	for (; o->name; o++)
		if (o->kind == OPTION_TEXTS) {
			rg_texts *texts = (void *)(target + o->offset);
			free(texts->items);
			*texts = (rg_texts){0};
		}
}

void options_release(const option_set *sets)
{
	for (; sets->groups; sets++)
		for (const option_group *group = sets->groups; group->options; group++)
			release_table(group->options, (char *)sets->arguments + group->offset);
}

/* "-o, --output DIR"; returns its width. */
static int print_name(const option *o, FILE *out)
{
	int width;
	if (o->letter)
		width = fprintf(out, "  -%c, --%s", o->letter, o->name);
	else
		width = fprintf(out, "      --%s", o->name);
	if (o->argument)
		width += fprintf(out, o->argument_optional ? " [%s]" : " %s", o->argument);
	return width;
}

/* To the next blank or line's end; an option that is named does not begin a line, as those do that
 * are listed. */
static int measure_word(const char *text)
{
	size_t length = strcspn(text, " \n");
	while (!strncmp(text + length, " --", 3))
		length += 1 + strcspn(text + length + 1, " \n");
	return (int)length;
}

const char *options_print_folded(const char *text, int column, int indent, int columns, FILE *out)
{
	bool first = true;
	while (*text && *text != '\n') {
		int length = measure_word(text);
		if (!first && column + 1 + length > columns) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', out);
			column++;
		}
		fprintf(out, "%.*s", length, text);
		column += length;
		first = false;
		text += length;
		text += *text == ' ';
	}
	fputc('\n', out);
	return text + (*text == '\n');
}

/* The help of a name that is `width` columns wide: after it, or in the next line if it is too wide.
 */
static void print_help(const char *help, int width, int column, int columns, FILE *out)
{
	if (width >= column) {
		fputc('\n', out);
		width = 0;
	}
	fprintf(out, "%*s", column - width, "");
	options_print_folded(help, column, column, columns, out);
}

/* A window too narrow for two columns has names and help in lines of their own. */
static int help_column(int wide, int columns)
{
	enum { NARROW = 56, NARROW_COLUMN = 10 };
	return columns < NARROW ? NARROW_COLUMN : wide;
}

static void print_words(const option *o, int columns, FILE *out)
{
	enum { INDENT = 8 };
	const char *word, *argument, *help;
	size_t widest = 0;

	for (size_t i = 0; o->word && (word = o->word(i, &argument, &help)); i++) {
		size_t width = strlen(word) + strlen(argument);
		widest = width > widest ? width : widest;
	}
	for (size_t i = 0; o->word && (word = o->word(i, &argument, &help)); i++) {
		int width = fprintf(out, "%*s%s%s", INDENT, "", word, argument);
		print_help(help, width, help_column(INDENT + (int)widest + 2, columns), columns,
			   out);
	}
}

void options_print(const option_group *groups, int columns, FILE *out)
{
	enum { HELP_COLUMN = 30 };
	for (; groups->options; groups++) {
		fprintf(out, "\n%s:\n", groups->title);
		if (groups->topic)
			fprintf(out, "  'regild help %s' lists these options.\n", groups->topic);
		for (const option *o = groups->options; o->name && !groups->topic; o++) {
			print_help(o->help, print_name(o, out), help_column(HELP_COLUMN, columns),
				   columns, out);
			print_words(o, columns, out);
		}
	}
}

/* "-o DIR", or "--run ID" where there is no letter. */
static void put_name(char out[static NAME_SIZE], const option *o)
{
	const char *argument = o->argument ? o->argument : "";
	const char *before = o->argument_optional ? " [" : *argument ? " " : "";
	const char *after = o->argument_optional ? "]" : "";

	if (o->letter)
		snprintf(out, NAME_SIZE, "-%c%s%s%s", o->letter, before, argument, after);
	else
		snprintf(out, NAME_SIZE, "--%s%s%s%s", o->name, before, argument, after);
}

/* "--run ID", "[-j N]", "[--only PATTERN]..." or "(--only-failing | --all)"; goes on to the row
 * after it. */
static void put_word(char out[static WORD_SIZE], const option **row)
{
	const option *o = (*row)++;
	char name[NAME_SIZE];
	int width;

	put_name(name, o);
	if (o->or_next) {
		width = snprintf(out, WORD_SIZE, "(%s", name);
		while (o->or_next && width < WORD_SIZE) {
			o = (*row)++;
			put_name(name, o);
			width += snprintf(out + width, WORD_SIZE - (size_t)width, " | %s%s", name,
					  o->or_next ? "" : ")");
		}
		return;
	}
	if (o->needed)
		snprintf(out, WORD_SIZE, "%s", name);
	else
		snprintf(out, WORD_SIZE, "[%s]%s", name, o->kind == OPTION_TEXTS ? "..." : "");
}

/* A word of usage, folded after `indent` columns; where it is too long for a line, before what are
 * alternatives in it. */
static void print_word(const char *word, int *column, int indent, int columns, FILE *out)
{
	bool split = indent + 1 + (int)strlen(word) > columns;
	while (*word) {
		const char *bar = split ? strstr(word + 1, " | ") : NULL;
		int width = (int)(bar ? (size_t)(bar - word) : strlen(word));

		if (*column + 1 + width > columns && *column > indent) {
			fprintf(out, "\n%*s", indent, "");
			*column = indent;
		}
		fprintf(out, " %.*s", width, word);
		*column += 1 + width;
		word += width;
		word += *word == ' ';
	}
}

/* "RUN" or "[OLD [NEW]]". */
static size_t measure_operand(const char *text)
{
	int depth = 0;
	size_t i = 0;
	for (; text[i] && (depth || text[i] != ' '); i++)
		depth += (text[i] == '[') - (text[i] == ']');
	return i;
}

void options_print_usage(const option_group *groups, const char *operands, int indent, int columns,
			 FILE *out)
{
	enum { HANGING = 8 };
	int column = indent;
	if (indent > columns / 2) {
		column = indent = HANGING;
		fprintf(out, "\n%*s", indent, "");
	}
	for (; groups->options; groups++) {
		const option *o = groups->options;
		if (groups->topic)
			print_word(groups->usage, &column, indent, columns, out);
		while (o->name && !groups->topic) {
			char word[WORD_SIZE];
			put_word(word, &o);
			print_word(word, &column, indent, columns, out);
		}
	}
	while (operands && *operands) {
		char word[WORD_SIZE];
		size_t length = measure_operand(operands);
		snprintf(word, sizeof(word), "%.*s", (int)length, operands);
		print_word(word, &column, indent, columns, out);
		operands += length + (operands[length] == ' ');
	}
}

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

/* Goes through the rows of all groups: for (option_walk w = {.sets = sets}; next_option(&w);) */
typedef struct {
	const option_set *sets;
	size_t group, row;
	const option *option; /* the row that it is at */
	void *target;         /* the member that the row fills */
} option_walk;

static bool next_option(option_walk *w)
{
	for (; w->sets->groups; w->sets++, w->group = 0)
		for (; w->sets->groups[w->group].options; w->group++, w->row = 0) {
			const option_group *group = &w->sets->groups[w->group];
			w->option = &group->options[w->row];
			if (!w->option->name)
				continue;
			w->target = (char *)w->sets->arguments + group->offset + w->option->offset;
			w->row++;
			return true;
		}
	return false;
}

static rg_error *collect(getopt_rows *rows, const option_set *sets, bool leading_only)
{
	char *letter = rows->letters;
	*letter++ = leading_only ? '+' : '-'; /* '-': operands come back as 1, in their places */
	*letter++ = ':';                      /* missing arguments come back as ':' */
	for (option_walk w = {.sets = sets}; next_option(&w);) {
		const option *o = w.option;
		int i = rows->count++;
		int valued = option_takes_word(o) ? required_argument
			     : o->argument        ? optional_argument
						  : no_argument;

		if (i >= OPTIONS_MAX)
			return rg_error_new(RG_E_LIMIT, "more than %d options", OPTIONS_MAX);
		rows->table[i] = (struct option){o->name, valued, NULL, 256 + i};
		rows->rows[i] = o;
		rows->targets[i] = w.target;
		if (o->letter) {
			*letter++ = o->letter;
			if (valued == required_argument)
				*letter++ = ':';
		}
	}
	*letter = '\0';
	return NULL;
}

static rg_error *set_integer(const option *o, rg_optional_integer *target, const char *text)
{
	uint64_t value = o->maximum; /* the argument may be left out */
	if (text && !rg_uint64_parse(text, strlen(text), &value))
		return rg_error_new(RG_E_USAGE, "--%s: '%s' is not a whole number", o->name, text);
	if (o->maximum && (value < o->minimum || value > o->maximum))
		return rg_error_new(RG_E_USAGE, "--%s: %s is not in %llu … %llu", o->name, text,
				    o->minimum, o->maximum);
	if (value < o->minimum)
		return rg_error_new(RG_E_USAGE, "--%s: %s is less than %llu", o->name, text,
				    o->minimum);
	*target = (rg_optional_integer){true, value};
	return NULL;
}

bool option_is_choice(const char *choices, const char *text)
{
	const size_t length = strlen(text);

	for (const char *p = choices; p; p = strchr(p, '|'), p = p ? p + 1 : NULL)
		if (length && !strncmp(p, text, length) && (!p[length] || p[length] == '|'))
			return true;
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
			return usage_error("--%s: '%s' is not one of %s", o->name, text,
					   o->choices);
		if (o->several && *value && strcmp(*value, text) != 0)
			return usage_error("--%s is given as %s and as %s; '%s %s,%s' takes both",
					   o->name, *value, text, o->several, *value, text);
		*value = text;
		break;
	case OPTION_TEXTS:
		*RG_PUSH(texts->items, texts->count, texts->capacity) = text;
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

/* cmd/suggest.c has those of commands. */
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

/* Options that users invent, and what there is instead. */
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
	{"run", "the run is an argument: 'regild triage RUN'", "attempt"},
	{"run", "a run is a side: 'regild compare run:ID'", "old-backend"},
	{0},
};
/* clang-format on */

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

/* getopt_long takes the beginning of an option's name for the option, and which option that is
 * changes with each new one. */
static rg_error *refuse_long(const getopt_rows *rows, const option_set *sets, const char *given,
			     const char *next)
{
	if (!given || strncmp(given, "--", 2) != 0 || !given[2])
		return NULL;
	const char *text = given + 2, *meant = NULL, *said = NULL;
	const size_t length = strcspn(text, "=");
	if (is_option(rows, text, length))
		return NULL;
	RG_AUTO_FREE char *name = rg_strndup(text, length);
	RG_AUTO(rg_buf) list = rg_buf_of(RG_BUF_TEXT);
	rg_nearest nearest;

	rg_nearest_init(&nearest, name);
	for (int i = 0; i < rows->count; i++) {
		rg_nearest_offer(&nearest, rows->rows[i]->name);
		if (!strncmp(rows->rows[i]->name, name, length))
			rg_buf_printf(&list, "%s--%s", list.length ? ", " : "",
				      rows->rows[i]->name);
	}
	/* "--output=json", or the same in two words. */
	const char *value = text[length] ? text + length + 1 : next;
	if ((!strncmp(text, "output", length) || !strncmp(text, "format", length)) && value &&
	    !strcmp(value, "json") && is_option(rows, "json", 4))
		return usage_error("unknown option '--%s'; '--json FILE' writes JSON, and "
				   "'--json -' prints it",
				   name);
	for (size_t i = 0; !said && invented_options[i].typed; i++) {
		const char *with = invented_options[i].with;
		if (!strcmp(invented_options[i].typed, name) &&
		    (!with || find_name(sets->groups, with, strlen(with))))
			said = invented_options[i].said;
	}
	if (list.length && !said)
		return usage_error("unknown option '--%s'; options are written in full: %s", name,
				   list.data);
	for (; !meant && sets->groups; sets++)
		meant = options_suggest(sets->groups, name);
	if (said && !meant)
		return usage_error("unknown option '--%s'; %s", name, said);
	if (!meant)
		meant = rg_nearest_name(&nearest);
	if (meant)
		return usage_error("unknown option '--%s'; did you mean '--%s'?", name, meant);
	return usage_error("unknown option '--%s'", name);
}

/* Says what getopt_long would have printed. */
static rg_error *refuse(const getopt_rows *rows, int answer)
{
	const int letter = optopt && optopt < 256 ? find_letter(rows, optopt) : -1;
	if (letter >= 0)
		return usage_error("missing argument: -%c %s", optopt,
				   rows->rows[letter]->argument);
	if (optopt < 256)
		return usage_error("unknown option '-%c'", optopt);
	const option *o = rows->rows[optopt - 256];
	return answer == ':' ? usage_error("missing argument: --%s %s", o->name, o->argument)
			     : usage_error("--%s takes no argument", o->name);
}

/* Nobody needs to know the place of a file on this machine: "/a/b/new.json" is "…/new.json", also
 * after a prefix, "path:". */
static void append_value(rg_buf *said, const char *value)
{
	const char *colon = strchr(value, ':'), *path = value;
	RG_AUTO(rg_buf) shown = rg_buf_of(RG_BUF_TEXT);

	if (colon && colon[1] == '/' && colon[2] != '/')
		path = colon + 1;
	rg_buf_add(&shown, value, (size_t)(path - value));
	rg_buf_printf(&shown, "%s%s", *path == '/' ? "…" : "",
		      *path == '/' ? strrchr(path, '/') : path);
	rg_buf_char(said, ' ');
	rg_shell_quote(said, shown.data);
	rg_buf_inherit(said, &shown);
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

static void append_operands(rg_buf *said, const option_operands *operands)
{
	for (int i = 0; said && i <= operands->count; i++) {
		if (operands->dashes && i == operands->count - operands->after_dashes)
			rg_buf_str(said, " --");
		if (i < operands->count)
			append_value(said, operands->items[i]);
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
		const int at = optind ? optind : 1;
		operands->items = argv + at;
		RG_TRY(refuse_word(&rows, argv[at]));
		RG_TRY(refuse_long(&rows, sets, argv[at], at + 1 < argc ? argv[at + 1] : NULL));
		answer = getopt_long(argc, argv, rows.letters, rows.table, NULL);
		if (answer == -1)
			break;
		const int i = answer >= 256 ? answer - 256 : find_letter(&rows, answer);
		const option *o = i < 0 ? NULL : rows.rows[i];

		seen = optind;
		if (answer == 1) { /* its place, or one before it, is done with */
			argv[1 + count++] = optarg;
			continue;
		}
		if (answer == '?' || answer == ':' || !o) {
			/* musl goes past the end where an argument is missing. */
			operands->items = argv + (optind > argc ? argc : optind) - 1;
			return refuse(&rows, answer);
		}
		if (!optarg)
			optarg = next_number(o, argv, argc);
		seen = optind;
		RG_TRY(set_option(o, rows.targets[i], optarg));
		if (said && !o->unsaid) {
			rg_buf_printf(said, " --%s", o->name);
			if (optarg)
				append_value(said, optarg);
		}
		if (o->ends_parsing)
			break;
	}
	operands->dashes = optind > seen;
	operands->after_dashes = argc - optind;
	memmove(argv + 1 + count, argv + optind, (size_t)(argc - optind) * sizeof(*argv));
	operands->items = argv + 1;
	operands->count = count + argc - optind;
	append_operands(said, operands);
	return NULL;
}

void options_release(const option_set *sets)
{
	for (option_walk w = {.sets = sets}; next_option(&w);) {
		rg_texts *texts = w.target;
		if (w.option->kind != OPTION_TEXTS)
			continue;
		free(texts->items);
		*texts = (rg_texts){0};
	}
}

static size_t count_given(const option_walk *w)
{
	switch (w->option->kind) {
	case OPTION_FLAG:
		return *(const bool *)w->target;
	case OPTION_COUNT:
		return (size_t)(*(const int *)w->target);
	case OPTION_TEXT:
		return *(const char *const *)w->target != NULL;
	case OPTION_TEXTS:
		return ((const rg_texts *)w->target)->count;
	case OPTION_NUMBER:
		return ((const rg_optional_number *)w->target)->given;
	case OPTION_INTEGER:
		return ((const rg_optional_integer *)w->target)->given;
	}
	return 0;
}

/* The i-th value; NULL: the option takes none. */
static const char *value_text(rg_arena *arena, const option_walk *w, size_t i)
{
	char number[RG_DOUBLE_REPR_SIZE];
	switch (w->option->kind) {
	case OPTION_TEXT:
		return *(const char *const *)w->target;
	case OPTION_TEXTS:
		return ((const rg_texts *)w->target)->items[i];
	case OPTION_NUMBER:
		rg_double_repr(((const rg_optional_number *)w->target)->value, number);
		return rg_arena_text(arena, number);
	case OPTION_INTEGER:
		return rg_arena_textf(arena, "%llu",
				      ((const rg_optional_integer *)w->target)->value);
	default:
		return NULL;
	}
}

static bool is_of(const option *o, option_part part)
{
	return (o->part ? o->part : OPTION_HOW) & part;
}

void options_write_call(rg_texts *words, rg_arena *arena, const option_set *sets, option_part part)
{
	for (option_walk w = {.sets = sets}; next_option(&w);) {
		if (!is_of(w.option, part) || w.option->unsaid)
			continue;
		for (size_t i = 0; i < count_given(&w); i++) {
			const char *value = value_text(arena, &w, i);
			*RG_PUSH(words->items, words->count, words->capacity) =
				rg_arena_textf(arena, "--%s", w.option->name);
			if (value)
				*RG_PUSH(words->items, words->count, words->capacity) = value;
		}
	}
}

size_t options_count_given(const option_set *sets, option_part part)
{
	size_t given = 0;
	for (option_walk w = {.sets = sets}; next_option(&w);)
		given += is_of(w.option, part) ? count_given(&w) : 0;
	return given;
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
static void format_name(char out[static NAME_SIZE], const option *o)
{
	const char *argument = o->argument ? o->argument : "";
	const char *before = o->argument_optional ? " [" : *argument ? " " : "";
	const char *after = o->argument_optional ? "]" : "";

	if (o->letter)
		snprintf(out, NAME_SIZE, "-%c%s%s%s", o->letter, before, argument, after);
	else
		snprintf(out, NAME_SIZE, "--%s%s%s%s", o->name, before, argument, after);
}

/* "--run ID", "[-j N]", "[--only PATTERN]..." or "(--only-failing | --all)"; moves *row to the next
 * row. */
static void format_word(char out[static WORD_SIZE], const option **row)
{
	const option *o = (*row)++;
	char name[NAME_SIZE];
	int width;

	format_name(name, o);
	if (o->or_next) {
		width = snprintf(out, WORD_SIZE, "(%s", name);
		while (o->or_next && width < WORD_SIZE) {
			o = (*row)++;
			format_name(name, o);
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

/* Prints a word of usage, folded after `indent` columns. A word that is too long for a line is
 * folded before its alternatives. */
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

void options_print_usage(const option_group *groups, const char *operands, int indent, int columns,
			 FILE *out)
{
	enum { HANGING = 8 };
	char word[WORD_SIZE];
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
			format_word(word, &o);
			print_word(word, &column, indent, columns, out);
		}
	}
	/* "RUN" and "[OLD [NEW]]" are a word each. */
	while (operands && *operands) {
		int depth = 0, length = 0;
		for (; operands[length] && (depth || operands[length] != ' '); length++)
			depth += (operands[length] == '[') - (operands[length] == ']');
		snprintf(word, sizeof(word), "%.*s", length, operands);
		print_word(word, &column, indent, columns, out);
		operands += length + (operands[length] == ' ');
	}
}

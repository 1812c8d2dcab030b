/* SPDX-License-Identifier: Apache-2.0 */
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	bool flag[256]; /* c, E, F, h, i, n, o, q, v, x */
	long after, most;
	const char *file;
	regex_t re;
} search;

/* A literal as a regular expression. */
static void add_literal(text *to, const char *literal)
{
	for (; *literal; literal++) {
		if (strchr("\\[]*.^$", *literal))
			text_add_char(to, '\\');
		text_add_char(to, *literal);
	}
}

/* Adds a pattern: one of several is an alternative. */
static void add_pattern(const search *s, const char *pattern, text *re)
{
	const char *open = s->flag['E'] ? "(" : "\\(", * or = s->flag['E'] ? "|" : "\\|",
		   *close = s->flag['E'] ? ")" : "\\)";

	if (re->length)
		text_add(re, or, strlen(or));
	text_add(re, open, strlen(open));
	if (s->flag['F'])
		add_literal(re, pattern);
	else
		text_add(re, pattern, strlen(pattern));
	text_add(re, close, strlen(close));
}

static bool compile(search *s, const char *const *patterns, int count)
{
	text re = {0};
	int status;

	for (int i = 0; i < count; i++) {
		/* Parentheses around each would move what "\1" names. */
		if (strchr(patterns[i], '\n') ||
		    (!s->flag['F'] && strpbrk(patterns[i], "\\") && strstr(patterns[i], "\\1")))
			return false;
		if (count == 1 && !s->flag['F'])
			text_add(&re, patterns[i], strlen(patterns[i]));
		else
			add_pattern(s, patterns[i], &re);
	}
	text_add_char(&re, '\0');
	status = regcomp(&s->re, re.bytes,
			 (s->flag['E'] ? REG_EXTENDED : 0) | (s->flag['i'] ? REG_ICASE : 0));
	text_free(&re);
	return !status;
}

/* The value of an option, which follows its letter or is the next word. */
static const char *value_of(char **argv, int *at, const char *letter)
{
	return letter[1] ? letter + 1 : argv[++*at];
}

/* A word of options. False for one that is not known. */
static bool read_options(search *s, char **argv, int *at, const char **patterns, int *count)
{
	for (const char *letter = argv[*at] + 1; *letter; letter++) {
		if (*letter == 'e') {
			patterns[*count] = value_of(argv, at, letter);
			return patterns[(*count)++] != NULL;
		}
		if (*letter == 'A' || *letter == 'm')
			return is_number(value_of(argv, at, letter),
					 *letter == 'A' ? &s->after : &s->most);
		if (!strchr("cEFhinoqvx", *letter))
			return false;
		s->flag[(unsigned char)*letter] = true;
	}
	return true;
}

static bool read_call(search *s, int argc, char **argv)
{
	const char *patterns[WORDS_MAX];
	char *operands[WORDS_MAX];
	int count = 0, operand_count = 0;

	for (int at = 1; at < argc; at++) {
		if (!strcmp(argv[at], "--")) {
			while (++at < argc)
				operands[operand_count++] = argv[at];
		} else if (argv[at][0] != '-' || !argv[at][1]) {
			operands[operand_count++] = argv[at];
		} else if (!read_options(s, argv, &at, patterns, &count)) {
			return false;
		}
	}
	if (!count && operand_count) {
		patterns[count++] = operands[0];
		memmove(operands, operands + 1, (size_t)--operand_count * sizeof(*operands));
	}
	s->file = operand_count ? operands[0] : NULL;
	return count && operand_count <= 1 && !(s->flag['E'] && s->flag['F']) &&
	       !(s->flag['o'] && (s->flag['v'] || s->flag['n'] || s->after)) && can_read(s->file) &&
	       compile(s, patterns, count);
}

static bool found_in(const search *s, line in)
{
	regmatch_t found[1];
	bool is = match_in(&s->re, in, 0, 1, found);

	/* The longest match from the first position is not the whole line: another position is out
	 * of the question. */
	if (is && s->flag['x'])
		is = found[0].rm_so == 0 && (size_t)found[0].rm_eo == in.length;
	return is != s->flag['v'];
}

/* Each match of a line by itself. */
static void add_matches(const search *s, line in, text *out)
{
	regmatch_t found[1];

	for (size_t from = 0; from < in.length && match_in(&s->re, in, from, 1, found);) {
		if (found[0].rm_eo == found[0].rm_so) {
			from = (size_t)found[0].rm_eo + 1;
			continue;
		}
		text_add(out, in.at + found[0].rm_so, (size_t)(found[0].rm_eo - found[0].rm_so));
		text_add_char(out, '\n');
		from = (size_t)found[0].rm_eo;
	}
}

static void add_line(const search *s, size_t number, char mark, line in, text *out)
{
	if (s->flag['n']) {
		char digits[24], *at = digits + sizeof(digits);

		for (*--at = mark; number; number /= 10)
			*--at = (char)('0' + number % 10);
		text_add(out, at, (size_t)(digits + sizeof(digits) - at));
	}
	text_add(out, in.at, in.length);
	text_add_char(out, '\n');
}

/* Returns how many lines have it. */
static long search_text(const search *s, const text *in, text *out)
{
	size_t at = 0, number = 0, last = 0;
	long count = 0, left = 0;
	line one;

	while ((s->most < 0 || count < s->most || left > 0) && next_line(in, &at, &one)) {
		bool taken = (s->most < 0 || count < s->most) && found_in(s, one);

		number++;
		count += taken;
		if (s->flag['c'] || s->flag['q']) {
			if (taken && s->flag['q'])
				return count;
		} else if (taken && s->flag['o']) {
			add_matches(s, one, out);
		} else if (taken || left > 0) {
			if (taken && s->after && last && last + 1 < number)
				text_add(out, "--\n", 3);
			add_line(s, number, taken ? ':' : '-', one, out);
			last = number;
			left = taken ? s->after : left - 1;
		}
	}
	return count;
}

int tool_grep(int argc, char **argv)
{
	search s = {.most = -1};
	text in, out = {0};
	long count;
	int status;

	if (!read_call(&s, argc, argv))
		return NOT_KNOWN;
	if (!read_all(s.file, &in)) {
		regfree(&s.re);
		return 2;
	}
	/* The program has a line of its own for what is not text. */
	if (in.length && memchr(in.bytes, 0, in.length) && !s.flag['c'] && !s.flag['q'] && s.file &&
	    strcmp(s.file, "-") != 0) {
		text_free(&in);
		regfree(&s.re);
		return NOT_KNOWN;
	}
	count = search_text(&s, &in, &out);
	if (out.length && memchr(in.bytes, 0, in.length)) {
		text_free(&out);
		dprintf(2, "grep: (standard input): binary file matches\n");
	}
	if (s.flag['c'] && !s.flag['q']) {
		text_free(&out);
		char digits[24], *at = digits + sizeof(digits);
		long rest = count;

		*--at = '\n';
		do
			*--at = (char)('0' + rest % 10);
		while (rest /= 10);
		text_add(&out, at, (size_t)(digits + sizeof(digits) - at));
	}
	text_free(&in);
	regfree(&s.re);
	status = put_text(argv[0], &out);
	return status ? 2 : count ? 0 : 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "shell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COMMANDS_MAX = 64, GROUPS = 10 };

typedef struct {
	enum { ADDRESS_NONE, ADDRESS_LINE, ADDRESS_LAST, ADDRESS_RE, ADDRESS_MORE } kind;
	long number;
	regex_t *re; /* NULL: the one used last */
} address;

typedef struct {
	address from, to;
	bool negated, active;
	long end;  /* of a range that is active, if a number ends it */
	char name; /* { } p d q = s */
	int past;  /* '{': the command that follows its '}' */
	regex_t *re;
	text by; /* of s, as written: & \1 \n */
	bool all, printed;
	long nth;
} command;

typedef struct {
	bool quiet, extended, in_place;
	text script;
	command commands[COMMANDS_MAX];
	int count;
	const regex_t *last;
	text out;
	bool unended; /* what was written last lacks its newline */
} editor;

static void free_re(regex_t *re)
{
	if (re)
		regfree(re);
	free(re);
}

static void release(editor *e)
{
	for (int i = 0; i < e->count; i++) {
		free_re(e->commands[i].from.re);
		free_re(e->commands[i].to.re);
		free_re(e->commands[i].re);
		text_free(&e->commands[i].by);
	}
	text_free(&e->script);
	text_free(&e->out);
	free(e);
}

/* Reads up to a delimiter, past which *at goes, into *out: with "\n" and so on as they are, or as
 * the characters that they name (`is_re`). False where sed has a meaning for it that this has not.
 */
static bool read_part(const char **at, char delimiter, bool is_re, text *out)
{
	for (; **at && **at != delimiter; (*at)++) {
		if (**at == '\n' && is_re)
			return false;
		if (**at != '\\') {
			text_add_char(out, **at);
			continue;
		}
		(*at)++;
		if (!**at)
			return false;
		if (**at == delimiter) {
			if (strchr("|+?(){}.*[]^$&", delimiter))
				return false;
			text_add_char(out, delimiter);
		} else if (is_re && strchr("ntr", **at)) {
			text_add_char(out, **at == 'n' ? '\n' : **at == 't' ? '\t' : '\r');
		} else if (strchr(is_re ? "cdfovxaU" : "LUElucdfovxa0", **at)) {
			return false;
		} else {
			text_add_char(out, '\\');
			text_add_char(out, **at);
		}
	}
	if (!**at)
		return false;
	(*at)++;
	return true;
}

/* An empty one is none: *re is NULL. */
static bool compile(const editor *e, text *pattern, bool any_case, regex_t **re)
{
	*re = NULL;
	if (pattern->length) {
		*re = malloc(sizeof(**re));
		text_add_char(pattern, '\0');
		if (*re && regcomp(*re, pattern->bytes,
				   (e->extended ? REG_EXTENDED : 0) | (any_case ? REG_ICASE : 0))) {
			free(*re);
			*re = NULL;
			text_free(pattern);
			return false;
		}
	}
	text_free(pattern);
	return true;
}

static bool read_address(const editor *e, const char **at, address *out)
{
	text pattern = {0};
	bool any_case;

	if (**at == '$') {
		(*at)++;
		out->kind = ADDRESS_LAST;
	} else if ((**at >= '0' && **at <= '9') || **at == '+') {
		char *end;

		out->kind = **at == '+' ? ADDRESS_MORE : ADDRESS_LINE;
		*at += **at == '+';
		out->number = strtol(*at, &end, 10);
		if (end == *at)
			return false;
		*at = end;
	} else if (**at == '/' || **at == '\\') {
		*at += **at == '\\';
		char delimiter = *(*at)++;

		if (!delimiter || !read_part(at, delimiter, true, &pattern)) {
			text_free(&pattern);
			return false;
		}
		any_case = **at == 'I';
		*at += any_case;
		out->kind = ADDRESS_RE;
		return compile(e, &pattern, any_case, &out->re);
	}
	return **at != '~';
}

static bool read_substitution(const editor *e, const char **at, command *c)
{
	char delimiter = *(*at)++;
	text pattern = {0};
	bool any_case = false;

	c->nth = 1;
	if (!delimiter || !read_part(at, delimiter, true, &pattern) ||
	    !read_part(at, delimiter, false, &c->by)) {
		text_free(&pattern);
		return false;
	}
	for (;; (*at)++) {
		if (**at == 'g')
			c->all = true;
		else if (**at == 'p')
			c->printed = true;
		else if (**at == 'I' || **at == 'i')
			any_case = true;
		else if (**at >= '1' && **at <= '9')
			c->nth = **at - '0';
		else
			break;
	}
	return compile(e, &pattern, any_case, &c->re);
}

static void skip_spaces(const char **at, const char *which)
{
	*at += strspn(*at, which);
}

static bool read_command(editor *e, const char **at)
{
	command *c = &e->commands[e->count++];

	if (!read_address(e, at, &c->from) || c->from.kind == ADDRESS_MORE)
		return false;
	skip_spaces(at, " ");
	if (**at == ',') {
		(*at)++;
		skip_spaces(at, " ");
		if (!c->from.kind || !read_address(e, at, &c->to) || !c->to.kind)
			return false;
	}
	if (c->from.kind == ADDRESS_LINE && !c->from.number) {
		if (c->to.kind != ADDRESS_RE)
			return false;
		c->active = true;
	}
	skip_spaces(at, " ");
	c->negated = **at == '!';
	*at += c->negated;
	skip_spaces(at, " ");
	c->name = *(*at)++;
	if (!c->name || !strchr("{}pdq=s", c->name) || (c->name == '}' && c->from.kind))
		return false;
	if (c->name == 's' && !read_substitution(e, at, c))
		return false;
	skip_spaces(at, " ");
	return c->name == '{' || !**at || strchr(";}\n", **at);
}

/* Each "{" gets its "}". */
static bool pair(editor *e)
{
	int open[COMMANDS_MAX], depth = 0;

	for (int i = 0; i < e->count; i++) {
		if (e->commands[i].name == '{')
			open[depth++] = i;
		else if (e->commands[i].name == '}' && !depth--)
			return false;
		else if (e->commands[i].name == '}')
			e->commands[open[depth]].past = i + 1;
	}
	return !depth;
}

static bool read_script(editor *e)
{
	const char *at;

	text_add_char(&e->script, '\0');
	at = e->script.bytes;
	for (skip_spaces(&at, " \t\n;"); *at; skip_spaces(&at, " \t\n;"))
		if (e->count == COMMANDS_MAX || !read_command(e, &at))
			return false;
	return pair(e);
}

static bool has(editor *e, const regex_t *re, line in)
{
	regmatch_t found[1];

	e->last = re ? re : e->last;
	return e->last && match_in(e->last, in, 0, 1, found);
}

static bool is_at(editor *e, const address *a, line in, long number, bool is_last)
{
	switch (a->kind) {
	case ADDRESS_LINE:
		return number == a->number;
	case ADDRESS_LAST:
		return is_last;
	case ADDRESS_RE:
		return has(e, a->re, in);
	default:
		return true;
	}
}

/* Is a command for this line? */
static bool applies(editor *e, command *c, line in, long number, bool is_last)
{
	if (!c->to.kind)
		return is_at(e, &c->from, in, number, is_last);
	if (c->active) {
		if (c->to.kind == ADDRESS_RE || c->to.kind == ADDRESS_LAST) {
			c->active = !is_at(e, &c->to, in, number, is_last);
			return true;
		}
		c->active = number < c->end;
		return number <= c->end;
	}
	if (!is_at(e, &c->from, in, number, is_last))
		return false;
	c->end = c->to.kind == ADDRESS_MORE ? number + c->to.number : c->to.number;
	c->active = c->to.kind == ADDRESS_RE ||
		    (c->to.kind == ADDRESS_LAST ? !is_last : number < c->end);
	return true;
}

static void add_replacement(const text *by, const char *from, const regmatch_t found[static GROUPS],
			    text *to)
{
	for (size_t i = 0; i < by->length; i++) {
		char c = by->bytes[i];
		int group = c == '&' ? 0 : -1;

		if (c == '\\') {
			c = by->bytes[++i];
			if (c >= '1' && c <= '9')
				group = c - '0';
			else
				c = (char)(c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c);
		}
		if (group < 0)
			text_add_char(to, c);
		else if (found[group].rm_so >= 0)
			text_add(to, from + found[group].rm_so,
				 (size_t)(found[group].rm_eo - found[group].rm_so));
	}
}

/* s: what becomes of a line. False if nothing. */
static bool substitute(editor *e, const command *c, line in, text *to)
{
	regmatch_t found[GROUPS];
	size_t done = 0, from = 0, last_end = (size_t)-1;
	long count = 0;

	e->last = c->re ? c->re : e->last;
	while (e->last && from <= in.length && match_in(e->last, in, from, GROUPS, found)) {
		size_t start = (size_t)found[0].rm_so, end = (size_t)found[0].rm_eo;
		bool again = start == end && start == last_end;

		if (!again) {
			text_add(to, in.at + done, start - done);
			if (++count < c->nth)
				text_add(to, in.at + start, end - start);
			else
				add_replacement(&c->by, in.at, found, to);
			done = end;
			if (count >= c->nth && !c->all)
				break;
		}
		last_end = end;
		from = end;
		if (start == end && end < in.length) {
			text_add(to, in.at + end, 1);
			done = ++from;
		} else if (start == end) {
			break;
		}
	}
	if (count < c->nth)
		return false;
	text_add(to, in.at + done, in.length - done);
	return true;
}

static void print(editor *e, line in)
{
	if (e->unended)
		text_add_char(&e->out, '\n');
	text_add(&e->out, in.at, in.length);
	if (in.ended)
		text_add_char(&e->out, '\n');
	e->unended = !in.ended;
}

/* Does the commands for a line. False once one of them ends all. */
static bool edit_line(editor *e, line in, long number, bool is_last)
{
	text space = {0}, changed;
	bool goes_on = true, kept = true;

	for (int i = 0; i < e->count && kept && goes_on; i++) {
		command *c = &e->commands[i];

		if (c->name == '}')
			continue;
		if (applies(e, c, in, number, is_last) == c->negated) {
			if (c->name == '{')
				i = c->past - 1;
			continue;
		}
		changed = (text){0};
		if (c->name == 's' && substitute(e, c, in, &changed)) {
			text_free(&space);
			space = changed;
			in.at = space.bytes ? space.bytes : "";
			in.length = space.length;
			if (c->printed)
				print(e, in);
		} else if (c->name == 's') {
			text_free(&changed);
		}
		if (c->name == 'p')
			print(e, in);
		if (c->name == '=') {
			char digits[24];

			print(e, (line){digits,
					(size_t)snprintf(digits, sizeof(digits), "%ld", number),
					true});
		}
		kept = c->name != 'd';
		goes_on = c->name != 'q';
	}
	if (kept && !e->quiet)
		print(e, in);
	text_free(&space);
	return goes_on;
}

static void edit(editor *e, const text *in)
{
	size_t at = 0;
	long number = 0;
	line one;

	e->unended = false;
	for (int i = 0; i < e->count; i++)
		e->commands[i].active = e->commands[i].from.kind == ADDRESS_LINE &&
					!e->commands[i].from.number;
	while (next_line(in, &at, &one) && edit_line(e, one, ++number, at >= in->length)) {
	}
}

/* In place of a file comes another, as from sed. */
static bool edit_in_place(editor *e, const char *path)
{
	char other[4096];
	struct stat st;
	text in;
	int fd;
	bool done;

	if (snprintf(other, sizeof(other), "%s.XXXXXX", path) >= (int)sizeof(other) ||
	    stat(path, &st) || !read_all(path, &in))
		return false;
	edit(e, &in);
	text_free(&in);
	fd = mkstemp(other);
	done = fd >= 0 && !fchmod(fd, st.st_mode & 07777) &&
	       (!e->out.length || write(fd, e->out.bytes, e->out.length) == (ssize_t)e->out.length);
	done = fd >= 0 && !close(fd) && done && !rename(other, path);
	if (!done) {
		dprintf(2, "sed: ");
		perror(path);
	}
	text_free(&e->out);
	return done;
}

/* Reads the call. Returns the first file, or 0. */
static int read_call(editor *e, int argc, char **argv)
{
	bool scripts = false;
	int at = 1;

	for (; at < argc && argv[at][0] == '-' && argv[at][1]; at++) {
		for (const char *letter = argv[at] + 1; *letter; letter++) {
			if (*letter == 'n') {
				e->quiet = true;
			} else if (*letter == 'E' || *letter == 'r') {
				e->extended = true;
			} else if (*letter == 'i' && !letter[1]) {
				e->in_place = true;
			} else if (*letter == 'e' && !letter[1] && at + 1 < argc) {
				at++;
				text_add(&e->script, argv[at], strlen(argv[at]));
				text_add_char(&e->script, '\n');
				scripts = true;
				break;
			} else {
				return 0;
			}
		}
	}
	if (!scripts && at < argc)
		text_add(&e->script, argv[at], strlen(argv[at]));
	else if (!scripts)
		return 0;
	return at + !scripts;
}

static bool can_edit(const editor *e, char **files, int count)
{
	struct stat st;

	for (int i = 0; i < count; i++)
		if (!can_read(files[i]) || !strcmp(files[i], "-") ||
		    (e->in_place &&
		     (lstat(files[i], &st) || !S_ISREG(st.st_mode) || access(files[i], W_OK))))
			return false;
	for (int i = 0; i < e->count; i++)
		if (e->commands[i].name == 'q' && e->in_place)
			return false;
	return count ? true : !e->in_place && can_read(NULL);
}

/* The files one after the other, or stdin. */
static bool read_files(char **files, int count, text *in)
{
	text one;

	if (!count)
		return read_all(NULL, in);
	for (int i = 0; i < count; i++) {
		if (!read_all(files[i], &one))
			return false;
		if (in->length && one.length && in->bytes[in->length - 1] != '\n')
			text_add_char(in, '\n');
		text_add(in, one.bytes, one.length);
		text_free(&one);
	}
	return true;
}

int tool_sed(int argc, char **argv)
{
	editor *e = calloc(1, sizeof(*e));
	int at, status = NOT_KNOWN;
	text in = {0};

	if (!e)
		return NOT_KNOWN;
	at = read_call(e, argc, argv);
	if (at && read_script(e) && can_edit(e, argv + at, argc - at)) {
		status = 0;
		for (int i = at; i < argc && e->in_place; i++)
			status |= !edit_in_place(e, argv[i]);
		if (!e->in_place && read_files(argv + at, argc - at, &in)) {
			edit(e, &in);
			status = put(argv[0], e->out.bytes, e->out.length) ? 4 : 0;
		}
	}
	text_free(&in);
	release(e);
	return status;
}
